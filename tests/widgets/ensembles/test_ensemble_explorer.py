"""The ensemble explorer's life, controls and pictures, without a browser."""

from __future__ import annotations

import asyncio
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from page import Page

from rocviz import EnsembleExplorer, simulate_classifiers
from rocviz.pictures import spread
from rocviz.widgets.ensembles.result import law_around, samples_to_show
from rocviz.widgets.ensembles.samples import ITEM_ENDS, LARGE_HEIGHT, ROW_SHARE
from rocviz.widgets.ensembles.view import temperature_ticks
from rocviz.widgets.ensembles.votes import MIN_GAP
from rocviz.words import percent

Y, S = simulate_classifiers(120, [0.6, 0.7, 0.8], correlation=0.2, random_state=5)
LONG_NAME = "a classifier whose name is longer than any row"
NAMED = {"naive <b>": S[:, 0], "tree": S[:, 1], LONG_NAME: S[:, 2]}


@pytest.fixture
def explorer():
    explorer = EnsembleExplorer(n_samples=60, n_resamples=3)
    yield explorer
    explorer.close()


@pytest.fixture
def page(explorer):
    return Page(explorer)


@pytest.fixture
def own():
    explorer = EnsembleExplorer(Y, NAMED)
    yield explorer
    explorer.close()


# ---------------------------------------------------------------------- controls


def test_the_item_is_chosen_by_its_rank(explorer, page):
    page.move("item", position=6)
    assert explorer.result.place == 7
    assert page.control("item")["text"] == "7th"
    assert page.summaries["the item"] == "7th of 60"
    explorer.item = 11
    assert page.control("item")["position"] == explorer.result.place - 1
    page.move("item", typed="61")
    assert "whole number from 1 to 60" in page.control("item")["problem"]
    assert explorer.item == 11
    explorer.n_samples = 40
    assert page.control("item")["steps"] == 39


def test_rows_take_classifiers_in_and_out(explorer, page):
    page.move("members", key=2, value=False)
    assert "classifier 3" not in explorer.members
    rows = page.control("members")["rows"]
    assert [row["value"] for row in rows] == [k != 2 for k in range(7)]
    assert rows[2]["muted"]
    aucs = explorer.result.ensemble.auc
    best = explorer.result.best
    for k, row in enumerate(rows):
        assert row["text"] == ("best " if k == best else "") + f"{aucs[k]:.3f}"
    explorer.members = (4,)
    page.move("members", key=4, value=False)
    assert explorer.members == ("classifier 5",)
    assert "at least one classifier" in page.control("members")["problem"]


def test_a_click_on_a_circle_toggles_the_classifier(explorer, page):
    explorer.panels = ("samples", "crowd", "classifiers")
    for is_in in (False, True):
        page.click("classifiers", "points", index=2)
        assert ("classifier 3" in explorer.members) == is_in


def test_own_data_hides_what_only_the_sandbox_has(own):
    page = Page(own)
    of_sandbox = ("correlation", "auc_low", "n_samples", "new_sample")
    for name in (*of_sandbox, "strategy"):
        assert page.control(name) == {"hidden": True}
    labels = [row["label"] for row in page.control("members")["rows"]]
    assert labels == ["1 naive <b>", "2 tree", f"3 {LONG_NAME}"]
    own.preset = "correlated"
    for name in of_sandbox:
        assert "hidden" not in page.control(name)
    seed = own.seed
    page.move("new_sample")
    assert own.seed == seed + 1


def test_from_estimators_in_one_line():
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB

    X = np.random.default_rng(0).normal(size=(120, 3))
    X[:, 0] += Y
    models = [("nb", GaussianNB()), ("lr", LogisticRegression())]
    explorer = EnsembleExplorer.from_estimators(models, X, Y)
    page = Page(explorer)
    assert explorer.strategy == "disjoint"
    page.move("strategy", index=1)
    assert explorer.strategy == "shared"
    assert explorer.result.ensemble.names == ("nb", "lr")
    explorer.preset = "correlated"
    assert page.control("strategy") == {"hidden": True}
    explorer.close()


# ---------------------------------------------------------------------- pictures


def evidence_against_truth(explorer):
    """The evidence of each member on each sample, below 0 if it is against the truth."""
    data = explorer.data
    members = list(explorer.result.members)
    weight, neutral = explorer.result.crowd.weights(explorer.method)
    votes = weight * (neutral - data.ranks[:, members])
    return np.where(data.positive[:, None], votes, -votes)


def cells(marks, name="cells"):
    """Whether each cell is filled, and how strongly; shape (n_columns, n_rows)."""
    areas = marks[name]
    shape = len(np.unique(areas.x.min(axis=1))), -1
    roles = np.array(areas.part_roles).reshape(shape)
    return roles != "reference", np.array(areas.opacities).reshape(shape)


def columns_of_crosses(marks, name):
    """In which columns crosses stand in a row of outcomes, whose filled cells have one each."""
    crosses = marks.get(f"errors of {name}")
    middles = np.unique(marks["cells"].x.mean(axis=1).round(9))
    has_cross = np.zeros(middles.size, dtype=bool)
    if crosses is not None:
        has_cross = np.isclose(crosses.x.mean(axis=1)[:, None], middles).any(axis=0)
        assert has_cross.sum() == len(crosses.x)
    is_filled, _ = cells(marks, f"outcomes of {name}")
    assert np.array_equal(is_filled.ravel(), has_cross)
    return has_cross


def agreement(is_wrong):
    """Mean correlation (phi) of the errors of two members, where both have some but not all."""
    varied = is_wrong[:, is_wrong.any(axis=0) & ~is_wrong.all(axis=0)]
    phi = np.corrcoef(varied.T)
    return phi[np.triu_indices(len(phi), 1)].mean()


@pytest.mark.parametrize("method", ["fidel", "woc", "correlation-aware"])
@pytest.mark.parametrize("preset", ["independent", "correlated", "one reversed", "imbalanced"])
def test_a_cell_is_filled_exactly_where_its_vote_is_wrong(explorer, page, preset, method):
    explorer.update(preset=preset, method=method, n_samples=500)
    result = explorer.result
    support = evidence_against_truth(explorer)
    is_wrong = support.sum(axis=1) < 0
    best = result.members.index(result.best)
    assert result.n_wrong == is_wrong.sum()
    assert result.n_wrong_of_best == (support[:, best] < 0).sum()

    # each column is a sample: the members' evidence on it finds its row
    votes = np.where(explorer.data.positive[:, None], support, -support)
    rows = []
    for shown in result.shown_votes:
        same = np.isclose(votes, shown, rtol=0, atol=1e-12).all(axis=1)
        rows.append(np.flatnonzero(same)[0])
    marks = page.marks("samples")
    is_filled, opacity = cells(marks)
    assert np.array_equal(is_filled, support[rows] < 0)
    crowd = columns_of_crosses(marks, "crowd")
    assert np.array_equal(crowd, is_wrong[rows])
    assert np.array_equal(columns_of_crosses(marks, "best alone"), support[rows, best] < 0)
    # errors that the crowd repeats come first; those that it outvotes are paler
    assert not crowd[crowd.sum() :].any()
    assert opacity[crowd][is_filled[crowd]].min(initial=1.0) > 0.9
    outvoted = opacity[~crowd][is_filled[~crowd]]
    assert 0.4 < outvoted.min() <= outvoted.max() < 0.6
    assert opacity[~is_filled].max() < 0.3


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(
    "inputs",
    [
        {},
        {"correlation": 0.0},
        {"correlation": 0.5},
        {"correlation": 1.0},
        {"preset": "one expert"},
        {"preset": "few samples"},
        {"preset": "only two"},
        {"n_samples": 20},
    ],
    ids=str,
)
def test_crosses_count_errors_to_half_a_sample(explorer, page, inputs, seed):
    explorer.update(**{"n_samples": 500, "seed": seed, **inputs})
    result = explorer.result
    marks = page.marks("samples")
    n_shown = min(32, result.n_items)
    assert len(result.shown_is_positive) == n_shown
    for name, n_wrong in (("crowd", result.n_wrong), ("best alone", result.n_wrong_of_best)):
        crosses = columns_of_crosses(marks, name)
        assert crosses.size == n_shown
        assert abs(crosses.sum() - n_shown * n_wrong / result.n_items) <= 0.5
        rate = percent(n_wrong / result.n_items)
        assert marks[f"error rate of {name}"].text[0] == f"{name}: {rate} wrong"


@given(
    st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=90),
    st.integers(0, 2**16),
)
def test_samples_that_are_shown_stand_for_all(wrong, seed):
    crowd, best = np.array(wrong).T
    support = np.random.default_rng(seed).normal(size=crowd.size)
    shown = samples_to_show(crowd, best, support)
    n_shown = min(crowd.size, 32)
    assert np.unique(shown).size == shown.size == n_shown
    for is_wrong in (crowd, best):
        assert abs(is_wrong[shown].sum() - n_shown * is_wrong.mean()) <= 0.5 + 1e-9
    n_crowd = crowd[shown].sum()
    assert crowd[shown[:n_crowd]].all()
    for part in (shown[:n_crowd], shown[n_crowd:]):
        assert (np.diff(support[part]) >= 0).all()


def test_rows_are_high_by_the_weight_of_their_classifier(explorer, page):
    explorer.n_samples = 500
    result = explorer.result
    areas = page.marks("samples")["cells"]
    heights = np.ptp(areas.y, axis=1).reshape(32, -1)[0]
    weight = np.abs(result.crowd.weights("fidel")[0])
    expected = np.maximum(weight / weight.max(), 0.4)
    assert np.allclose(heights / heights.max(), expected, atol=0.02)
    assert heights.sum() == pytest.approx(ROW_SHARE * np.ptp(LARGE_HEIGHT), abs=0.4)


def test_errors_line_up_in_columns_where_classifiers_err_alike(explorer, page):
    errors = []
    alike = []
    for correlation in (0.0, 0.3, 0.6, 0.9):
        explorer.update(correlation=correlation, n_samples=500)
        result = explorer.result
        is_filled, _ = cells(page.marks("samples"))
        alike.append(agreement(is_filled))
        errors.append((result.n_wrong, result.n_wrong_of_best))
        # as alike as on all samples
        assert alike[-1] == pytest.approx(agreement(evidence_against_truth(explorer) < 0), abs=0.1)
    assert (np.diff(alike) > 0.05).all()
    assert errors[0][0] < errors[0][1]
    assert errors[-1][0] > errors[-1][1]


def test_at_first_the_handle_can_go_both_ways_and_the_crowd_errs_less():
    explorer = EnsembleExplorer()
    page = Page(explorer)
    marks = page.marks("samples")
    track = marks["track"].x
    place = marks["alike"].x[0]
    assert track[0] + 5 < place < track[1] - 5
    crosses = [len(marks[f"errors of {name}"].x) for name in ("crowd", "best alone")]
    assert crosses[0] < crosses[1]
    first = explorer.result.n_wrong
    page.drag("samples", "alike", place)
    assert explorer.correlation == 0.15
    page.drag("samples", "alike", -20)
    assert explorer.result.n_wrong < first
    page.drag("samples", "alike", 200)
    assert explorer.result.n_wrong > explorer.result.n_wrong_of_best
    explorer.close()


def test_signs_at_the_ends_of_the_track_show_scattered_errors_and_aligned_ones(page, own):
    signs = page.marks("samples")["signs of alike"]
    is_wrong = np.array(signs.part_roles) == "text"
    left, low = signs.x.min(axis=1), signs.y.min(axis=1)
    for is_here, n_columns in ((left < 50, 4), (left > 50, 1)):
        wrong = is_wrong & is_here
        assert len(set(low[wrong])) == wrong.sum() == 4
        assert len(set(left[wrong])) == n_columns
    assert "signs of alike" not in Page(own).marks("samples")


def test_a_classifier_that_is_taken_out_has_no_row(explorer, page):
    page.move("members", key=2, value=False)
    marks = page.marks("samples")
    assert len(marks["cells"].x) == 6 * 32
    assert list(marks["row numbers"].text) == list("124567")
    page.move("members", key=2, value=True)
    assert list(page.marks("samples")["row numbers"].text) == list("1234567")


def test_strips_join_the_best_row_to_its_errors_and_all_rows_to_the_crowd(explorer, page):
    explorer.update(preset="one expert", n_samples=500)
    marks = page.marks("samples")
    rows = np.unique(marks["cells"].y.min(axis=1))[::-1]
    best = explorer.result.members.index(explorer.result.best)
    of_best, of_crowd = marks["strips of best"].y, marks["strips of crowd"].y
    lows = marks["outcomes of best alone"].y.min(), rows[best]
    assert sorted(of_best.min(axis=1)) == pytest.approx(lows)
    lows = marks["outcomes of crowd"].y.min(), rows[-1]
    assert sorted(of_crowd.min(axis=1)) == pytest.approx(lows)
    assert of_crowd.max() == marks["cells"].y.max()
    assert marks["row numbers"].roles[best] == "negative-text"


def test_of_many_classifiers_the_heaviest_have_rows():
    areas = np.linspace(0.52, 0.8, 30)
    labels, scores = simulate_classifiers(100, areas, random_state=1)
    many = EnsembleExplorer(labels, scores)
    page = Page(many)
    marks = page.marks("samples")
    assert list(marks["rows shown"].text) == ["12 heaviest of 30"]
    places = np.array(marks["row numbers"].text, dtype=int) - 1
    weight = np.abs(many.result.crowd.weights("fidel")[0])
    assert places.size == 12
    assert np.delete(weight, places).max() <= weight[places].min()
    is_filled, _ = cells(marks)
    result = many.result
    is_wrong = (result.shown_votes > 0) != result.shown_is_positive[:, None]
    assert np.array_equal(is_filled[:-1], is_wrong[:, places])
    # the crowd's errors, and readings, are of all of them
    crowd_is_wrong = (result.shown_votes.sum(axis=1) > 0) != result.shown_is_positive
    assert np.array_equal(columns_of_crosses(marks, "crowd")[:-1], crowd_is_wrong)
    assert " of 30 votes are wrong" in marks["read out"].readings[0]
    assert page.title("samples") == "Where the crowd errs, on 50 samples"
    many.close()


def test_a_crowd_without_evidence_errs_on_every_positive():
    explorer = EnsembleExplorer(Y, {"constant": np.zeros(Y.size), "same": np.ones(Y.size)})
    page = Page(explorer)
    marks = page.marks("samples")
    heights = np.ptp(marks["cells"].y, axis=1)
    assert heights.min() == pytest.approx(heights.max())
    positive = explorer.data.positive
    assert explorer.result.n_wrong == explorer.result.n_wrong_of_best == positive.sum()
    is_filled, _ = cells(marks)
    shown = np.append(explorer.result.shown_is_positive, explorer.result.item_is_positive)
    assert np.array_equal(is_filled, np.column_stack((shown, shown)))
    explorer.close()


def test_own_samples_have_a_framed_column_for_the_item(own):
    page = Page(own)
    outcomes = set()
    for share, place in ((200, 1), (-20, own.result.n_items), (60, 24), (40, 37)):
        page.drag("samples", "item", share)
        assert own.result.place == place
        values = own.result.item.contributions[0]
        is_wrong = (values > 0) != own.result.item_is_positive
        marks = page.marks("samples")
        is_filled, _ = cells(marks)
        assert np.array_equal(is_filled[-1], is_wrong)
        is_crowd_wrong = (values.sum() > 0) != own.result.item_is_positive
        assert columns_of_crosses(marks, "crowd")[-1] == is_crowd_wrong
        best = own.result.members.index(own.result.best)
        assert columns_of_crosses(marks, "best alone")[-1] == is_wrong[best]
        outcomes.add(bool(is_crowd_wrong))
        frame = marks["frame"]
        assert frame.x.min() < ITEM_ENDS[0] < ITEM_ENDS[1] < frame.x.max()
        assert frame.y.min() < marks["outcomes of best alone"].y.min()
        assert frame.y.max() > marks["cells"].y.max()
        others = marks["cells"].x.reshape(len(is_filled), -1)[:-1]
        assert others.max() < frame.x.min()
    assert outcomes == {True, False}


def test_votes_lie_on_the_beam_and_the_heavier_end_sinks(explorer, page):
    explorer.focus = "votes"
    sides = set()
    for place in (1, 20, 40, 60):
        explorer.select_item(place)
        result = explorer.result
        values = result.item.contributions[0]
        marks = page.marks("votes")
        blocks = marks["blocks"]
        heights = np.ptp(blocks.y[:, 1:3], axis=1) + MIN_GAP
        heavy = np.abs(values) > 0.1
        shares = heights[heavy] / np.abs(values[heavy])
        assert np.allclose(shares, shares.mean(), rtol=1e-6)
        assert np.array_equal(blocks.x.mean(axis=1) > 50, values > 0)
        left, right = marks["beam"].y
        total = float(result.item.log_likelihood_ratio[0])
        assert np.sign(left - right) == np.sign(total)
        sides.add(total > 0)
        votes = marks["negative votes"].text[0], marks["positive votes"].text[0]
        assert [int(text.split()[0]) for text in votes] == [(values <= 0).sum(), (values > 0).sum()]
        truth = "positive" if result.item_is_positive else "negative"
        assert marks["truth"].text[0].endswith(truth)
    assert sides == {True, False}


def test_the_handle_below_the_votes_makes_classifiers_err_alike(explorer, page):
    explorer.focus = "votes"
    for x, correlation in ((50, 0.5), (-20, 0.0), (200, 1.0)):
        page.drag("votes", "alike", x)
        assert explorer.correlation == correlation
    track, passed = (page.marks("votes")[name].x for name in ("track", "passed"))
    assert np.array_equal(track, passed)
    explorer.correlation = 0.4
    handle = page.marks("votes")["alike"]
    page.drag("votes", "alike", float(handle.x[0]))
    assert explorer.correlation == 0.4
    assert "item" not in page.marks("votes")
    marks = page.marks("votes")
    aucs = [float(marks[name].x[0]) for name in ("of best", "of crowd")]
    auc = explorer.result.auc
    assert (aucs[0] < aucs[1]) == (auc["best"] < auc["fidel"])


def test_own_samples_have_a_handle_for_the_item(own):
    page = Page(own)
    own.focus = "votes"
    assert "alike" not in page.marks("votes")
    page.drag("votes", "item", 200)
    assert own.result.place == 1
    page.drag("votes", "item", -20)
    assert own.result.place == own.result.n_items
    own.select_item(own.result.n_items // 2)
    handle = page.marks("votes")["item"]
    page.drag("votes", "item", float(handle.x[0]))
    assert own.result.place == own.result.n_items // 2


def test_a_page_of_own_data_records_what_its_handle_moves(own):
    assert own.main_control == "item"


def test_classifiers_are_taken_out_and_put_back_among_the_votes(explorer, page):
    explorer.focus = "votes"
    keys = list(page.marks("votes")["members"].keys)
    assert sorted(keys) == list(range(7)) or len(keys) == 6  # of a high pile the lightest has none
    page.click("votes", "members", index=keys.index(2))
    assert "classifier 3" not in explorer.members
    assert list(page.marks("votes")["left out"].keys) == [2]
    page.click("votes", "left out", index=0)
    assert "classifier 3" in explorer.members
    assert "left out" not in page.marks("votes")


def test_every_method_has_a_row_at_once(explorer, page):
    explorer.focus = "crowd"
    result = explorer.result
    marks = page.marks("crowd")
    order = ["mean base", "best", "woc", "fidel", "correlation-aware"]
    assert np.allclose(marks["now"].x, [result.auc[method] for method in order])
    assert len(set(marks["now"].y)) == 5
    across, _ = page.axes("crowd")
    low, high = across["limits"]
    gains = marks["gains"].x
    assert low < gains.min() <= gains.max() < high
    best = result.auc["best"]
    interval = [best + result.test.lower, min(best + result.test.upper, 1)]
    assert np.isclose(gains, interval).all(axis=1).any()
    assert list(marks["selected names"].text) == ["FiDEL"]
    page.move("method", index=1)
    assert list(page.marks("crowd")["selected names"].text) == ["wisdom of crowds"]
    explorer.focus = "votes"
    marks = page.marks("crowd")
    assert list(marks["selected names"].text) == ["WoC"]
    assert f"{best:.3f}" in marks["values"].text


def test_points_lie_at_auc_and_inverse_temperature(explorer, page):
    explorer.panels = ("samples", "crowd", "classifiers")
    result = explorer.result
    points = page.marks("classifiers")["points"]
    assert np.array_equal(points.x, result.ensemble.auc)
    assert np.allclose(points.y, 1 / result.temperature)
    explorer.toggle(1)
    roles = page.marks("classifiers")["points"].roles
    assert [role == "paper" for role in roles] == [k == 1 for k in range(7)]
    explorer.update(preset="one reversed", focus="classifiers")
    marks = page.marks("classifiers")
    _, axis = page.axes("classifiers")
    assert axis["limits"][0] < marks["points"].y.min() < 0
    labels = dict(axis["ticks"])
    assert labels[0] == "∞"
    assert any(text.startswith("−") for text in labels.values())
    assert "reversed" in marks["hotter notes"].text[0]
    assert "colder" in marks["colder notes"].text[0]
    assert sorted(marks["numbers"].text) == list("1234567")


def test_omitted_classifiers_are_pale_in_the_matrix(explorer, page):
    explorer.update(preset="correlated", focus="correlation")
    cells = page.marks("correlation")["cells"]
    explorer.toggle(0)
    paler = np.divide(page.marks("correlation")["cells"].opacities, cells.opacities)
    assert (paler < 0.5).sum() == 12
    explorer.update(n_classifiers=9, focus="crowd")
    marks = page.marks("correlation")
    assert len(marks["cells"].x) == 72
    assert "numbers" not in marks


def test_names_are_shortened(own):
    own.update(panels=["item"])
    names = Page(own).marks("item")["names"].text
    assert any("naive <b>" in name for name in names)
    assert LONG_NAME not in " ".join(names)
    assert LONG_NAME not in own.sentence


@given(st.lists(st.floats(0.5, 0.9), min_size=5, max_size=5))
def test_labels_stay_distinct_inside_and_in_order(heights):
    places = spread(np.array(heights), 0.05, 0.4, 1.0)
    assert (np.diff(places[np.argsort(heights, kind="stable")]) >= 0.05 - 1e-9).all()
    assert 0.425 - 1e-9 <= places.min() <= places.max() <= 0.975 + 1e-9


def test_temperatures_are_named_on_both_sides_of_infinity():
    assert temperature_ticks(-4.5, 4.5) == {-4: "−1/4", -2: "−1/2", 0: "∞", 2: "1/2", 4: "1/4"}


@pytest.mark.parametrize(
    "aucs",
    [(0.55, 0.75), (0.9, 0.97), (0.02, 0.2), (0.0, 1.0), (0.8, 0.8), (0.97, 0.97), (1.0, 1.0)],
)
def test_axes_contain_every_classifier(aucs):
    auc, coldness = law_around(np.array(aucs), 0.3)
    assert auc[0] <= min(aucs) <= max(aucs) <= auc[-1]
    assert 0 <= auc[0] < auc[-1] <= 1
    assert (np.diff(coldness) >= 0).all()  # level where the law runs off to infinity
    ticks = temperature_ticks(coldness[0], coldness[-1])
    assert len(ticks) >= 2
    assert coldness[0] <= min(ticks) < max(ticks) <= coldness[-1]


# ---------------------------------------------------------------------- previews


async def until(is_done):
    end = time.monotonic() + 120
    while not is_done():
        assert time.monotonic() < end
        await asyncio.sleep(0.005)


def test_a_preview_has_intervals_as_wide_as_those_of_all_samples():
    y, s = simulate_classifiers(12_000, [0.6, 0.7, 0.8], random_state=0)
    explorer = EnsembleExplorer(y, s)
    page = Page(explorer)
    n_items = explorer.result.n_items
    item = explorer.item

    def widths():
        return [high - low for low, high in explorer.result.intervals.values()]

    async def act():
        page.move("members", key=1, value=0)
        preview = explorer.result
        assert explorer.sentence.startswith(f"Preview from {preview.preview:,} samples")
        assert 900 < preview.preview == preview.evidence.size < 1100
        assert (preview.n_items, explorer.item) == (n_items, item)
        assert 1 <= preview.place <= n_items
        as_of_all = widths()
        explorer.finish()
        assert as_of_all == pytest.approx(widths(), rel=0.3)
        page.move("members", key=1, value=1)
        page.move("item", position=n_items - 1)  # a place among all of them
        assert explorer.result.preview is None
        assert explorer.result.place == n_items

    asyncio.run(act())
    explorer.close()


# ---------------------------------------------------------------------- comparison


def test_the_button_compares_in_the_background(explorer, page):
    async def act():
        page.move("compare")
        assert page.control("compare")["running"]
        assert explorer.result.experiment is None
        explorer.item = 5  # the kernel answers meanwhile
        await until(lambda: explorer.result.experiment is not None)

    asyncio.run(act())
    assert page.control("compare")["disabled"]
    marks = page.marks("crowd")
    assert "now" not in marks
    experiment = explorer.result.experiment
    fidel = experiment.methods.index("fidel")
    woc = experiment.methods.index("woc")
    assert np.array_equal(marks["line fidel"].y, experiment.auc[:, fidel])
    heights = np.ptp(marks["bars woc"].y, axis=1)
    assert np.allclose(heights, 4 * experiment.standard_error[:, woc])
    explorer.toggle(0)
    marks = page.marks("crowd")
    assert "line fidel" not in marks
    assert "now" in marks
    assert not page.control("compare")["disabled"]


def test_other_data_stop_a_comparison():
    explorer = EnsembleExplorer(n_resamples=10_000, n_classifiers=2, n_samples=20)
    page = Page(explorer)

    async def act():
        page.move("compare")
        await until(lambda: page.control("compare")["share"] > 0)
        explorer.correlation = 0.3
        assert not page.control("compare")["running"]
        await asyncio.to_thread(explorer.comparison.wait, 120)

    asyncio.run(act())
    assert explorer.result.experiment is None
    explorer.close()
