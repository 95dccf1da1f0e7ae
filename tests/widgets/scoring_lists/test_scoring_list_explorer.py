"""The scoring list explorer's life, controls and pictures, without a browser."""

from __future__ import annotations

import numpy as np
import pytest

from rocviz import ProbabilisticScoringList, ScoringList, ScoringListExplorer
from rocviz.pictures import Words

RNG = np.random.default_rng(2)
X = RNG.integers(0, 2, size=(90, 4))
Y = (X[:, 0] + X[:, 1] - X[:, 2] + RNG.normal(size=90) > 0.5).astype(int)
MODEL = ProbabilisticScoringList().fit(X[:60], Y[:60])


@pytest.fixture(scope="module")
def opened():
    made = ScoringListExplorer()
    yield made
    made.close()


@pytest.fixture
def explorer(opened):
    """As it opens; the tests take turns with one, since making it costs more than most of them."""
    yield opened
    opened.reset()


@pytest.fixture
def learned():
    made = ScoringListExplorer.from_estimator(MODEL, X[:60], Y[:60], X_test=X[60:], y_test=Y[60:])
    yield made
    made.close()


# ---------------------------------------------------------------------- controls


def rows(explorer, name="case"):
    """List the rows of a list as the rail shows them."""
    return explorer._rail.values[name]["rows"]


def answer(explorer, k, value):
    explorer._rail.move("case", key=k, value=value)


def test_buttons_answer_and_the_walk_follows(explorer):
    assert [row["marked"] for row in rows(explorer)] == [True, False, False, False]
    assert not any(row["note"] for row in rows(explorer))
    answer(explorer, 0, "yes")
    answer(explorer, 1, "no")
    assert explorer.answers == (1, 0, None, None)
    assert explorer.stage == 2
    first, second, third, last = rows(explorer)
    assert (first["value"], first["text"], first["bar"]) == ("yes", "40 %", (0.4, 0.4, 0.4))
    assert (second["note"], second["role"]) == ("between the limits: go on asking", "hull")
    assert third["marked"]
    assert third["bar"] is None
    assert last["muted"]
    answer(explorer, 2, "yes")
    assert explorer.result.walk.is_sure
    assert rows(explorer)[2]["note"] == "sure enough: call it positive"
    assert rows(explorer)[2]["role"] == "positive"
    assert not any(row["marked"] for row in rows(explorer))
    explorer.answers = (0, None, 1)
    assert [row["value"] for row in rows(explorer)] == ["no", "?", "yes", "?"]
    assert rows(explorer)[2]["note"] == "waits for the questions above"
    explorer._rail.move("clear_case")
    assert explorer.stage == 0
    assert explorer._rail.values["clear_case"]["disabled"]


def test_constant_answers_cannot_be_changed():
    scoring_list = ScoringList.from_counts(
        [0, 1], [1, 2], X, Y, thresholds=[0.5, -np.inf], feature_names=["a", "b"]
    )
    explorer = ScoringListExplorer(scoring_list, X, Y)
    assert rows(explorer)[1]["value"] == "yes"
    answer(explorer, 1, "no")
    assert "the answer is yes for every sample" in explorer._rail.values["case"]["problem"]
    assert explorer.answers == (None, None)
    explorer.close()


def test_controls_without_meaning_for_a_list_by_hand_are_disabled(explorer):
    needs_samples = ("by_interval", "risk_averse", "confidence", "interval_method")
    needs_samples += ("simultaneous", "calibration", "quantity", "points")

    def disabled():
        return {name for name in needs_samples if explorer._rail.values[name]["disabled"]}

    assert disabled() == set(needs_samples)
    assert not explorer._rail.values["costs"]["disabled"]
    assert "To change the points, pass the samples" in explorer._rail.values["points"]["note"]
    explorer.preset = "Marburg Heart Score, synthetic data"
    assert disabled() == set()
    options = explorer._rail.values["calibration"]["options"]
    assert options == ["isotonic", "beta", "sigmoid", "m-estimate"]
    explorer._rail.move("calibration", index=1)
    assert explorer.calibration == "beta"
    explorer.preset = "worked example"
    assert disabled() == set(needs_samples)
    assert explorer._rail.values["calibration"]["options"] == ["as given"]


def test_points_and_costs_are_changed_in_their_rows(learned):
    assert learned._rail.values["restore_points"]["disabled"]
    learned._rail.move("points", key=1, value=2)
    assert learned.scores[1] == 2
    assert rows(learned, "points")[1]["number"] == (2, 1, "points")
    for value, problem in (
        ("0.5", "must be a whole number"),
        ("0,3", "“0,3” is not a number. Write decimals with a point"),
        (None, "is not a number"),
    ):
        learned._rail.move("points", key=1, value=value)
        assert problem in learned._rail.values["points"]["problem"]
        assert learned.scores[1] == 2
    learned._rail.move("costs", key=0, value="4.5")
    assert learned.feature_costs == (4.5, 1, 1, 1)
    learned._rail.move("costs", key=0, value=-1)
    assert "numbers from 0 up" in learned._rail.values["costs"]["problem"]
    assert learned._rail.summaries["points"] == "changed"
    learned._rail.move("restore_points")
    assert not learned.result.is_edited
    assert learned._rail.summaries["points"] == "original"


def test_limits_are_dragged_along_whole_per_cents(explorer):
    stage = explorer._panels["stage"]
    stage.on_event("upper", "drag", x=3.0, y=0.6543)
    assert explorer.upper == 0.65
    assert stage.picture["upper"].y[0] == 0.65
    stage.on_event("upper", "drag_end", x=3.0, y=-0.2)
    assert explorer.upper == explorer.lower == 0.1
    stage.on_event("lower", "drag", x=0.0, y=0.7)
    assert explorer.lower == 0.1


def test_the_stage_is_dragged_along_the_questions(explorer):
    curves = explorer._panels["curves"]
    (handle,) = (mark.name for mark in curves.handles)
    curves.on_event(handle, "drag_end", x=1.4)
    assert explorer.stage == 1
    assert explorer.title("stage") == "After 1 of 4 questions"
    curves.on_event(handle, "drag_end", x=9.0)
    assert explorer.stage == 4


# ---------------------------------------------------------------------- pictures


def names(picture):
    """List the names of all marks."""
    return {mark.name for mark in picture.marks}


def table(explorer):
    return explorer._panels["list"].picture


def written(picture):
    """List all words on a picture."""
    marks = [mark for mark in picture.marks if isinstance(mark, Words)]
    return [str(text).replace("\u00a0", " ") for mark in marks for text in mark.text]


def test_the_table_shows_every_probability_and_the_walk(explorer):
    explorer.answers = (1, 0, 1)
    picture = table(explorer)
    stages = explorer.result.scoring_list.stages
    want = sorted(f"{100 * p:.0f}" for stage in stages for p in stage.probability)
    assert sorted(picture["numbers"].text) == want
    assert len(picture["path"].x) == 4
    assert len(picture["now"].x) == 1
    # in every stage but the first two and at either end
    assert sorted(picture["stops"].each) == ["negative-text"] * 4 + ["positive-text"] * 3
    assert "underlined: stop" in picture["note"].text[0]
    heights = picture["cells"].y.mean(axis=1)
    assert np.array_equal(np.unique(heights).size, len(stages))
    explorer.update(lower=0.0, upper=1.0)
    assert "underlined" not in table(explorer)["note"].text[0]
    explorer.focus = "stage"
    assert written(table(explorer)) == list(table(explorer)["totals"].text)


def test_a_condition_at_the_end_of_a_name_is_whole_or_left_out():
    explorer = ScoringListExplorer(preset="breast cancer")
    shown = table(explorer)["names"].text
    for question, name in zip(explorer.questions, shown, strict=True):
        start, end = question.split(" > ")
        assert name.endswith(f" > {end}") or (">" not in name and name[:9] == start[:9])
    explorer.close()


def test_the_stage_picture_shows_the_case_and_the_cost(learned):
    learned.answers = (1, 0)
    panel, k = learned._panels["stage"], learned.stage
    assert (panel.picture["case"].x[0], panel.picture["case"].y[0]) == (
        learned.result.walk.totals[k],
        learned.result.walk.probability[k],
    )
    assert not panel.picture["cost"].is_shown
    learned.update(stage=4, cost_fn=4.0)
    learned.focus = "stage"
    assert not panel.picture["case"].is_shown
    assert panel.picture["cost"].is_shown
    assert panel.picture["cost"].y.tolist() == [0.2, 0.2]
    said = {text for name in ("words", "key", "key notes") for text in panel.picture[name].text}
    assert {"negative up to 10 %", "positive from 90 %"} <= said
    for long, short in (
        ("threshold at the end: 20 %", "end"),
        ("what the list says", "the list"),
        ("95 % intervals", "95 %"),
    ):
        assert len({long, short} & said) == 1


def test_labels_of_a_stage_cover_no_data(learned):
    learned.focus = "stage"
    panel = learned._panels["stage"]
    for stage in range(len(learned.result.scoring_list) + 1):
        learned.stage = stage
        room, said = panel.picture.room("words"), panel.picture["words"]
        for x, y, text in zip(said.x, said.y, said.text, strict=True):
            assert text
            assert not room.covers([text], x, np.array([y]), said.align)


def test_the_curves_show_own_held_out_and_learned_values(learned):
    panel = learned._panels["curves"]
    for quantity in ("entropy", "brier", "auc", "expected_loss", "loss"):
        learned.quantity = quantity
        assert np.array_equal(
            panel.picture["train"].y, learned.result.judged.curve("train", quantity)
        )
        assert np.array_equal(
            panel.picture["test"].y, learned.result.judged.curve("test", quantity)
        )
        low, high = learned._stage.values["figure curves"]["axes"][1]["limits"]
        assert low < panel.picture["train"].y.min() <= panel.picture["train"].y.max() < high
        value = learned.result.judged.curve("test", quantity)[0]
        assert f"held-out {value:.3f}" in list(panel.picture["words"].text)
    assert "came" not in names(panel.picture)
    learned.set_points(0, -1)
    assert panel.picture["came"].is_shown
    assert np.array_equal(
        panel.picture["came"].y, learned.result.judged_learned.curve("train", "loss")
    )
    learned.update(quantity="probability", answers=(1, 1))
    assert "came" not in names(panel.picture)
    assert "test" not in names(panel.picture)
    assert np.array_equal(panel.picture["train"].y, learned.result.walk.probability)
    assert panel.picture["reached"].is_shown


def test_effects_of_stopping_are_shown_in_words_and_bars(learned):
    learned.update(lower=0.2, upper=0.6, answers=(1, 0))
    stops = learned.result.stops
    no, yes = stops.stopped_share_by(learned.stage)
    panel = learned._panels["stops"]
    small = " ".join(written(panel.picture))
    assert f"{100 * no:.0f} % of the" in small
    assert f"{100 * yes:.0f} % positive" in small
    assert len(panel.picture["grid bars"].x) == 1
    assert np.ptp(panel.picture["negative bars"].x) == pytest.approx(100 * no)
    assert np.ptp(panel.picture["positive bars"].x) == pytest.approx(100 * yes)
    learned.focus = "stops"
    asked = f"On average {stops.n_asked:.1f} of 4 features are asked"
    assert asked in " ".join(written(panel.picture))
    assert len(panel.picture["grid bars"].x) == 5
    twice = ScoringList.from_counts([0, 0], [1, 1], X, Y, thresholds=[0.3, 0.6])
    bare = ScoringListExplorer(twice)
    text = " ".join(written(bare._panels["stops"].picture))
    assert "No samples stand behind this list." in text
    assert bare.static_figure().axes
    bare.close()


def test_thirty_questions_fit_the_picture():
    many = RNG.integers(0, 2, size=(200, 30))
    y = (many[:, :6].sum(axis=1) + RNG.normal(size=200) > 3).astype(int)
    model = ProbabilisticScoringList(score_set=(-3, 2, 3)).fit(many, y)
    explorer = ScoringListExplorer(model, many, y, answers=(1,) * 3)
    assert len(rows(explorer)) == 30
    picture = table(explorer)
    assert not picture["numbers"].text
    assert len(picture["points"].text) == 30
    assert picture["names"].size == 0.72
    assert len(picture["cells"].x) == sum(len(stage) for stage in model.scoring_list_.stages)
    assert explorer.static_figure().axes
    explorer.close()
    wild = ScoringList.from_counts(range(8), [2**k for k in range(8)], many, y)
    explorer = ScoringListExplorer(wild, many, y)
    assert "256 totals are too many for a table" in " ".join(table(explorer)["note"].text)
    assert "cells" not in names(table(explorer))
    assert explorer.static_figure().axes
    explorer.close()
