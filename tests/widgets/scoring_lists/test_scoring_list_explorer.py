"""The scoring list explorer's life, controls and pictures, without a browser."""

from __future__ import annotations

import numpy as np
import pytest
from page import Page

from rocviz import ProbabilisticScoringList, ScoringList, ScoringListExplorer
from rocviz.displays.scoring_lists.pictures import name_lines
from rocviz.pictures import Words, place_words
from rocviz.widgets.scoring_lists.data import OwnList
from rocviz.widgets.scoring_lists.result import reachable_totals
from rocviz.widgets.scoring_lists.state import ScoringListState
from rocviz.widgets.scoring_lists.view import stage_picture

RNG = np.random.default_rng(2)
X = RNG.integers(0, 2, size=(90, 4))
Y = (X[:, 0] + X[:, 1] - X[:, 2] + RNG.normal(size=90) > 0.5).astype(int)
MODEL = ProbabilisticScoringList().fit(X[:60], Y[:60])


@pytest.fixture(scope="module")
def opened():
    explorer = ScoringListExplorer(preset="worked example")
    yield explorer
    explorer.close()


@pytest.fixture
def explorer(opened):
    """As it opens; the tests take turns with one, since making it costs more than most of them."""
    yield opened
    opened.reset()


@pytest.fixture
def page(explorer):
    return Page(explorer)


@pytest.fixture
def learned():
    explorer = ScoringListExplorer.from_estimator(
        MODEL, X[:60], Y[:60], X_test=X[60:], y_test=Y[60:]
    )
    yield explorer
    explorer.close()


@pytest.fixture
def page_of_learned(learned):
    return Page(learned)


# ---------------------------------------------------------------------- controls


def rows(page, name="case"):
    """List the rows of a list as the rail shows them."""
    return page.control(name)["rows"]


def answer(page, k, value):
    page.move("case", key=k, value=value)


def test_buttons_answer_and_the_walk_follows(explorer, page):
    assert [row["marked"] for row in rows(page)] == [True, False, False, False]
    assert not any(row["note"] for row in rows(page))
    answer(page, 0, "yes")
    answer(page, 1, "no")
    assert explorer.answers == (1, 0, None, None)
    assert explorer.stage == 2
    first, second, third, last = rows(page)
    assert (first["value"], first["text"], first["bar"]) == ("yes", "40 %", (0.4, 0.4, 0.4))
    assert (second["note"], second["role"]) == ("between the limits: ask further", "hull")
    assert third["marked"]
    assert third["bar"] is None
    assert last["muted"]
    answer(page, 2, "yes")
    assert explorer.result.walk.is_confident
    assert rows(page)[2]["note"] == "sure enough: rule in"
    assert rows(page)[2]["role"] == "positive"
    assert not any(row["marked"] for row in rows(page))
    explorer.answers = (0, None, 1)
    assert [row["value"] for row in rows(page)] == ["no", "?", "yes", "?"]
    assert rows(page)[2]["note"] == "waits for the questions above"
    page.move("clear_case")
    assert explorer.stage == 0
    assert page.control("clear_case")["disabled"]


def test_constant_answers_cannot_be_changed():
    scoring_list = ScoringList.from_counts(
        [0, 1], [1, 2], X, Y, thresholds=[0.5, -np.inf], feature_names=["a", "b"]
    )
    explorer = ScoringListExplorer(scoring_list, X, Y)
    page = Page(explorer)
    assert rows(page)[1]["value"] == "yes"
    answer(page, 1, "no")
    assert "the answer is yes for every sample" in page.control("case")["problem"]
    assert explorer.answers == (None, None)
    explorer.close()


def test_controls_without_meaning_for_a_list_by_hand_are_disabled(explorer, page):
    needs_samples = {
        "by_interval",
        "guarantee",
        "risk_averse",
        "confidence",
        "interval_method",
        "simultaneous",
        "calibration",
        "quantity",
        "points",
    }

    def disabled():
        return {name for name in needs_samples if page.control(name)["disabled"]}

    assert disabled() == needs_samples
    assert not page.control("costs")["disabled"]
    assert "To change the points, pass the samples" in page.control("points")["note"]
    explorer.preset = "heart score, synthetic data"
    assert disabled() == set()
    options = page.control("calibration")["options"]
    assert options == ["isotonic", "beta", "sigmoid", "m-estimate"]
    page.move("calibration", index=1)
    assert explorer.calibration == "beta"
    explorer.preset = "worked example"
    assert disabled() == needs_samples
    assert page.control("calibration")["options"] == ["as given"]


def test_points_and_costs_are_changed_in_their_rows(learned, page_of_learned):
    page = page_of_learned
    assert page.control("restore_points")["disabled"]
    page.move("points", key=1, value=2)
    assert learned.scores[1] == 2
    assert rows(page, "points")[1]["number"] == (2, 1, "points")
    for value, problem in (
        ("0.5", "must be a whole number"),
        ("0,3", "“0,3” is not a number. Write decimals with a point"),
        (None, "is not a number"),
    ):
        page.move("points", key=1, value=value)
        assert problem in page.control("points")["problem"]
        assert learned.scores[1] == 2
    page.move("costs", key=0, value="4.5")
    assert learned.feature_costs == (4.5, 1, 1, 1)
    page.move("costs", key=0, value=-1)
    assert "numbers from 0 up" in page.control("costs")["problem"]
    assert page.summaries["points"] == "changed"
    page.move("restore_points")
    assert not learned.result.is_edited
    assert page.summaries["points"] == "original"


def test_limits_are_dragged_along_whole_per_cents(explorer, page):
    page.drag("stage", "upper", 3.0, 0.6543)
    assert explorer.upper == 0.65
    assert page.marks("stage")["upper"].y[0] == 0.65
    page.drag("stage", "upper", 3.0, -0.2)
    assert explorer.upper == explorer.lower == 0.1
    page.drag("stage", "lower", 0.0, 0.7)
    assert explorer.lower == 0.1


def test_the_stage_is_dragged_along_the_questions(explorer, page):
    page.drag("curves", "stage", 1.4)
    assert explorer.stage == 1
    assert page.title("stage") == "After 1 of 4 questions"
    page.drag("curves", "stage", 9.0)
    assert explorer.stage == 4


# ---------------------------------------------------------------------- pictures


def written(page, picture):
    """List all words on a picture."""
    texts = []
    for mark in page.marks(picture).values():
        if isinstance(mark, Words):
            texts += [str(text).replace("\u00a0", " ") for text in mark.text]
    return texts


def test_the_table_shows_every_probability_and_the_walk(explorer, page):
    explorer.answers = (1, 0, 1)
    marks = page.marks("list")
    stages = explorer.result.scoring_list.stages
    probabilities = np.concatenate([stage.probability for stage in stages])
    # the token carries the number of its cell
    numbers = [*marks["numbers"].text, marks["token"].letter]
    assert sorted(numbers) == sorted(f"{100 * p:.0f}" for p in probabilities)
    assert len(marks["path"].x) == 4
    assert len(marks["links"].x) == 3
    # in every stage but the first two and at either end
    assert sorted(marks["stops"].part_roles) == ["negative-text"] * 4 + ["positive-text"] * 3
    assert "full colour: stop" in marks["note"].text[0]
    assert np.unique(marks["cells"].y.mean(axis=1)).size == len(stages)
    explorer.update(lower=0.0, upper=1.0)
    assert "full colour" not in page.marks("list")["note"].text[0]
    explorer.focus = "stage"
    assert written(page, "list") == list(page.marks("list")["totals"].text)


def test_the_next_cells_have_arrows_and_those_out_of_reach_are_pale():
    explorer = ScoringListExplorer()
    marks = Page(explorer).marks("list")
    middles = marks["cells"].x.mean(axis=1)
    stages = explorer.result.scoring_list.stages
    stage_of = np.repeat(np.arange(6), [len(stage) for stage in stages])
    assert explorer.answers == (1, 0, None, None, None)
    # a no leads to the lower left, a yes to the lower right: the two middle cells of the next row
    following = np.flatnonzero(stage_of == 3)[1:3]
    assert np.allclose(sorted(marks["next"].x.mean(axis=1)), sorted(middles[following]), atol=2)
    tips = marks["arrows"].x[:, 0]
    token = marks["token"].x[0]
    assert tips.min() < token < tips.max()
    assert marks["arrows"].y[:, 0].max() < marks["token"].y[0]
    assert not marks["token"].is_hinted  # these arrows are hint enough
    # totals of a stage decrease; with 1 after four questions the case is ruled out
    strong = np.array(marks["cells"].opacities) == 1
    assert strong[stage_of == 5].tolist() == [False, True, True, True, False, False]
    assert strong[stage_of == 2].tolist() == [False, True, False]
    # full colour where the questions stop, and pale where that is out of reach
    decision = np.concatenate(explorer.result.decisions)
    shades = np.array(marks["shades"].opacities)
    assert set(shades[strong & (decision != 0)]) == {1.0}
    assert shades[~strong].max() < 0.2
    assert (shades[decision == 0] < 1).all()
    # a way ends where the questions stop
    explorer.answers = (0, 0, 0)
    marks = Page(explorer).marks("list")
    assert "arrows" not in marks
    assert "next" not in marks
    assert marks["token"].is_hinted
    assert np.count_nonzero(np.array(marks["cells"].opacities) == 1) == 4
    explorer.close()


def test_a_cell_is_out_of_reach_behind_those_in_which_the_questions_stop(explorer):
    scoring_list = explorer.result.scoring_list
    decisions = [np.zeros(len(stage), dtype=np.int8) for stage in scoring_list.stages]
    every = reachable_totals(scoring_list, decisions, [0])
    assert every == [sorted(stage.totals.tolist()) for stage in scoring_list.stages]
    decisions[1][:] = 1
    assert reachable_totals(scoring_list, decisions, [0]) == [[0], [0, 1], [], [], []]


def row_names(page):
    """List the names of the rows, each from its lines."""
    marks = page.marks("list")
    rows = -np.unique(-marks["cells"].y.mean(axis=1).round(6))
    lines = [[] for _ in rows]
    for name in ("names", "name here"):
        for y, text in zip(marks[name].y, marks[name].text, strict=True):
            lines[int(np.abs(rows - y).argmin())].append(text)
    return [" ".join(texts) for texts in lines]


def test_questions_are_written_whole_beside_the_pyramid():
    explorer = ScoringListExplorer()
    page = Page(explorer)
    for stage in range(6):
        explorer.stage = stage
        assert row_names(page) == ["before", *explorer.questions]
    explorer.close()


def test_a_name_goes_to_two_lines_before_it_is_shortened():
    assert name_lines("Patient suspects the heart?", 16, 2) == ["Patient suspects", "the heart?"]
    assert name_lines("mean concavity > 0.112", 15, 2) == ["mean concavity", "> 0.112"]
    assert name_lines("mean concavity > 0.112", 15, 1) == ["mean concavity"]
    assert name_lines("Patient suspects the heart?", 10, 2) == ["Patient", "suspects…"]
    assert name_lines("hypercholesterolaemia", 8, 2) == ["hyperch…"]
    assert name_lines("", 8, 2) == []


def test_a_condition_at_the_end_of_a_name_is_whole_or_left_out():
    explorer = ScoringListExplorer(preset="breast cancer")
    names = row_names(Page(explorer))[1:]
    for question, name in zip(explorer.questions, names, strict=True):
        start, end = question.split(" > ")
        assert name.endswith(f" > {end}") or (">" not in name and name[:9] == start[:9])
    explorer.close()


def test_the_stage_picture_shows_the_case_and_the_cost(learned, page_of_learned):
    page = page_of_learned
    learned.answers = (1, 0)
    marks = page.marks("stage")
    walk = learned.result.walk
    assert marks["case"].x[0] == walk.totals[learned.stage]
    assert marks["case"].y[0] == walk.probability[learned.stage]
    assert "cost" not in marks
    learned.update(stage=4, cost_fn=4.0)
    learned.focus = "stage"
    marks = page.marks("stage")
    assert "case" not in marks
    assert marks["cost"].y.tolist() == [0.2, 0.2]
    texts = set(written(page, "stage"))
    assert {"rule out up to 10 %", "rule in from 90 %"} <= texts
    for long, short in (
        ("threshold at the end: 20 %", "end"),
        ("what the list says", "the list"),
        ("95 % intervals", "95 %"),
    ):
        assert len({long, short} & texts) == 1


@pytest.mark.parametrize("is_large", [False, True])
def test_labels_of_a_stage_cover_no_data(is_large):
    state = ScoringListState(OwnList(MODEL, X[:60], Y[:60], X_test=X[60:], y_test=Y[60:]))
    for stage in range(len(state.result.scoring_list) + 1):
        state.stage = stage
        picture = place_words(stage_picture(state, state.result, is_large))
        labels = picture["words"]
        room = picture.room("words")
        for x, y, text in zip(labels.x, labels.y, labels.text, strict=True):
            assert text
            assert not room.covers([text], x, np.array([y]), labels.align)


def test_the_curves_show_own_held_out_and_learned_values(learned, page_of_learned):
    page = page_of_learned
    for quantity in ("entropy", "brier", "auc", "expected_loss", "loss"):
        learned.quantity = quantity
        evaluated = learned.result.evaluated
        marks = page.marks("curves")
        train = marks["train"].y
        assert np.array_equal(train, evaluated.curve("train", quantity))
        assert np.array_equal(marks["test"].y, evaluated.curve("test", quantity))
        _, axis = page.axes("curves")
        low, high = axis["limits"]
        assert low < train.min() <= train.max() < high
        value = evaluated.curve("test", quantity)[0]
        assert f"held-out {value:.3f}" in list(marks["words"].text)
    assert "came" not in marks
    learned.set_points(0, -1)
    original = learned.result.evaluated_original.curve("train", "loss")
    assert np.array_equal(page.marks("curves")["came"].y, original)
    learned.update(quantity="probability", answers=(1, 1))
    marks = page.marks("curves")
    assert "came" not in marks
    assert "test" not in marks
    assert np.array_equal(marks["train"].y, learned.result.walk.probability)
    assert "reached" in marks


def test_effects_of_stopping_are_shown_in_words_and_bars(learned, page_of_learned):
    page = page_of_learned
    learned.update(lower=0.2, upper=0.6, answers=(1, 0))
    stops = learned.result.stops
    negative, positive = stops.stopped_share_by(learned.stage)
    text = " ".join(written(page, "stops"))
    assert negative == 0
    assert "0 % of" not in text.replace("100 % of", "")  # what happens to nobody is not said
    assert f"{100 * positive:.0f} % of the held-out samples are ruled in" in text
    marks = page.marks("stops")
    assert len(marks["grid bars"].x) == 1
    assert np.ptp(marks["negative bars"].x) == pytest.approx(100 * negative)
    assert np.ptp(marks["positive bars"].x) == pytest.approx(100 * positive)
    learned.focus = "stops"
    average = f"On average {stops.n_asked:.1f} of 4 features are asked"
    assert average in " ".join(written(page, "stops"))
    assert len(page.marks("stops")["grid bars"].x) == 5
    twice = ScoringList.from_counts([0, 0], [1, 1], X, Y, thresholds=[0.3, 0.6])
    bare = ScoringListExplorer(twice)
    text = " ".join(written(Page(bare), "stops"))
    assert "No samples stand behind this list." in text
    assert bare.static_figure().axes
    bare.close()


def test_thirty_questions_fit_the_picture():
    many = RNG.integers(0, 2, size=(200, 30))
    y = (many[:, :6].sum(axis=1) + RNG.normal(size=200) > 3).astype(int)
    model = ProbabilisticScoringList(score_set=(-3, 2, 3)).fit(many, y)
    explorer = ScoringListExplorer(model, many, y, answers=(1, 1, 1))
    page = Page(explorer)
    assert len(rows(page)) == 30
    marks = page.marks("list")
    assert "numbers" not in marks
    assert len(marks["points"].text) == 30
    assert marks["names"].size == 0.72
    assert len(marks["cells"].x) == sum(len(stage) for stage in model.scoring_list_.stages)
    assert explorer.static_figure().axes
    explorer.close()
    wild = ScoringList.from_counts(range(8), [2**k for k in range(8)], many, y)
    explorer = ScoringListExplorer(wild, many, y)
    marks = Page(explorer).marks("list")
    assert "256 totals are too many for a table" in " ".join(marks["note"].text)
    assert "cells" not in marks
    assert explorer.static_figure().axes
    explorer.close()


# ---------------------------------------------------------------------- the token


def test_the_token_is_put_into_a_cell_of_the_pyramid():
    explorer = ScoringListExplorer(lower=0.0, upper=1.0, answers=())
    page = Page(explorer)
    cells = page.marks("list")["cells"]
    # each row is centred below the one before it
    middles = cells.x.mean(axis=1)
    assert np.allclose(middles[[1, 2]].mean(), middles[0])
    assert np.allclose(middles[[3, 5]].mean(), middles[4])
    where = {"x": float(middles[4]), "y": float(cells.y[4].mean())}
    for event in ("drag_start", "drag", "drag_end"):
        explorer._received({"picture": "list", "mark": "token", "event": event, **where})
    assert explorer.result.walk.totals.tolist()[2:] == [1]
    assert explorer.stage == 2
    token = page.marks("list")["token"]
    left, right = cells.x[4].min(), cells.x[4].max()
    assert left < token.x[0] < right
    # it has come by a cell of each row, and has the number of its own
    assert token.way_y.tolist() == sorted({float(y) for y in cells.y.mean(axis=1)})[::-1][:3]
    assert (token.way_x[-1], token.way_y[-1]) == (token.x[0], token.y[0])
    stage = explorer.result.scoring_list.stages[2]
    assert token.letter == f"{100 * stage.probability[stage.totals == 1].item():.0f}"
    links = page.marks("list")["links"]
    for k in range(2):
        ends = token.way_y[k + 1], token.way_y[k]
        assert ((ends[0] < links.y[k]) & (links.y[k] < ends[1])).all()
    assert explorer.undo()
    assert explorer.answers == (None,) * 5
    explorer.close()
