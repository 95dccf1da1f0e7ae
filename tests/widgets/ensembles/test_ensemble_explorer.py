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
from rocviz.widgets.ensembles.result import law_around
from rocviz.widgets.ensembles.samples import LARGE_HEIGHT, SEAM
from rocviz.widgets.ensembles.view import temperature_ticks
from rocviz.widgets.ensembles.votes import MIN_GAP
from rocviz.widgets.ensembles.words import error_words

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


def tops_of_wrong_blocks(areas, n_columns):
    """How high the blocks against the truth reach in each column."""
    is_wrong = np.array(areas.part_roles) == "text"
    tops = np.where(is_wrong, areas.y.max(axis=1), LARGE_HEIGHT[0])
    return tops.reshape(n_columns, -1).max(axis=1)


@pytest.mark.parametrize("method", ["fidel", "woc", "correlation-aware"])
@pytest.mark.parametrize("preset", ["independent", "correlated", "one reversed", "imbalanced"])
def test_the_crowd_errs_where_wrong_blocks_are_higher_than_half(explorer, page, preset, method):
    explorer.update(preset=preset, method=method, n_samples=500)
    result = explorer.result
    support = evidence_against_truth(explorer)
    is_wrong = support.sum(axis=1) < 0
    best = result.members.index(result.best)
    assert result.n_wrong == is_wrong.sum()
    assert result.n_wrong_of_best == (support[:, best] < 0).sum()
    against = -np.minimum(support, 0).sum(axis=1) / np.abs(support).sum(axis=1)
    assert np.array_equal(against > 0.5, is_wrong)

    marks = page.marks("samples")
    tops = tops_of_wrong_blocks(marks["blocks"], 32)
    low, high = LARGE_HEIGHT
    # the columns are evenly spread over all samples, the most wrong ones first
    places = ((np.arange(32) + 0.5) * against.size / 32).astype(int)
    drawn = low + (high - low) * -np.sort(-against)[places]
    assert np.allclose(tops, drawn, atol=0.051)
    n_above = int((tops > marks["half"].y[0]).sum())
    for name, n_wrong in (("crowd", result.n_wrong), ("best alone", result.n_wrong_of_best)):
        crosses = marks.get(f"errors of {name}")
        n_crosses = 0 if crosses is None else len(crosses.x)
        assert abs(n_crosses - 32 * n_wrong / against.size) <= 0.5
        if name == "crowd":
            assert n_crosses == n_above
            assert np.allclose(crosses.x[:n_above].mean(axis=1), column_middles(marks)[:n_above])


def column_middles(marks):
    return np.unique(marks["blocks"].x.mean(axis=1).round(9))


def test_blocks_are_shares_of_the_evidence(explorer, page):
    areas = page.marks("samples")["blocks"]
    result = explorer.result
    votes = np.abs(result.shown_votes)
    heights = np.ptp(areas.y, axis=1).reshape(votes.shape)
    share = np.sort(votes / votes.sum(axis=1, keepdims=True), axis=1)
    drawn = np.sort(heights, axis=1)
    is_thick = share > 0.05
    across = np.ptp(LARGE_HEIGHT) * share[is_thick]
    assert np.allclose(drawn[is_thick] + SEAM, across, atol=0.11)
    roles = np.array(areas.part_roles).reshape(votes.shape)
    is_wrong = (result.shown_votes > 0) != result.shown_is_positive[:, None]
    assert np.array_equal((roles == "text").sum(axis=1), is_wrong.sum(axis=1))
    # outvoted errors are paler than those that win
    opacities = np.array(areas.opacities).reshape(votes.shape)
    n_wrong = result.shown_errors(result.n_wrong)
    assert opacities[:n_wrong][roles[:n_wrong] == "text"].min() > 0.9
    assert opacities[n_wrong:].max() < 0.6


def test_errors_meet_in_the_same_columns_where_classifiers_err_alike(explorer, page):
    halfway = []
    errors = []
    for correlation in (0.0, 0.9):
        explorer.update(correlation=correlation, n_samples=500)
        result = explorer.result
        areas = page.marks("samples")["blocks"]
        tops = tops_of_wrong_blocks(areas, 32)
        share = (tops - LARGE_HEIGHT[0]) / np.ptp(LARGE_HEIGHT)
        halfway.append(((share > 0.1) & (share < 0.9)).sum())
        errors.append((result.n_wrong, result.n_wrong_of_best))
    assert halfway[0] > 3 * halfway[1]
    assert errors[0][0] < errors[0][1]
    assert errors[1][0] > errors[1][1]


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


def test_a_classifier_that_is_taken_out_has_no_block_and_no_dot(explorer, page):
    page.move("members", key=2, value=False)
    marks = page.marks("samples")
    assert len(marks["blocks"].x) == 6 * 32
    assert len(marks["sign of crowd"].x) == 6
    page.move("members", key=2, value=True)
    assert len(page.marks("samples")["sign of crowd"].x) == 7


def test_of_many_classifiers_wrong_and_right_blocks_are_joined():
    areas = np.linspace(0.52, 0.8, 30)
    labels, scores = simulate_classifiers(100, areas, random_state=1)
    many = EnsembleExplorer(labels, scores)
    page = Page(many)
    marks = page.marks("samples")
    assert len(marks["blocks"].x) == 2 * 32
    against = evidence_against_truth(many)
    share = -np.minimum(against, 0).sum(axis=1) / np.abs(against).sum(axis=1)
    tops = tops_of_wrong_blocks(marks["blocks"], 32)
    drawn = (tops[0] - LARGE_HEIGHT[0]) / np.ptp(LARGE_HEIGHT)
    assert np.isclose(drawn, share.max(), atol=0.001)
    assert page.title("samples") == "Where the crowd errs, on 50 samples"
    many.close()


def test_a_crowd_without_evidence_has_columns_without_blocks():
    explorer = EnsembleExplorer(Y, {"constant": np.zeros(Y.size), "same": np.ones(Y.size)})
    page = Page(explorer)
    marks = page.marks("samples")
    assert np.ptp(marks["blocks"].y) == 0
    positive = explorer.data.positive
    assert explorer.result.n_wrong == explorer.result.n_wrong_of_best == positive.sum()
    explorer.close()


def test_error_rates_are_written_where_crosses_leave_room():
    assert error_words("crowd", 27, 100) == "crowd: 27 % wrong"
    assert error_words("crowd", 70, 100) == "70 %"
    assert error_words("crowd", 95, 100) == ""


def test_own_samples_have_a_column_for_the_item(own):
    page = Page(own)
    for share, place in ((200, 1), (-20, own.result.n_items)):
        page.drag("samples", "item", share)
        assert own.result.place == place
        values = own.result.item.contributions[0]
        is_wrong = (values > 0) != own.result.item_is_positive
        marks = page.marks("samples")
        roles = marks["item blocks"].part_roles
        assert [role == "text" for role in roles] == sorted(is_wrong, reverse=True)
        top = tops_of_wrong_blocks(marks["item blocks"], 1)[0]
        is_crowd_wrong = (values.sum() > 0) != own.result.item_is_positive
        assert (top > marks["half"].y[0]) == is_crowd_wrong


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
