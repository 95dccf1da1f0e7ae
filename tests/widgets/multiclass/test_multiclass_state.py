"""The state of several classes: it has the numbers of the core, and its rules and code hold."""

import re

import numpy as np
import pandas as pd
import pytest

import rocviz
from rocviz.core.multiclass import (
    best_simplex_point,
    confusion_matrix,
    hand_till_auc,
    label_at_point,
    shift_priors,
    simplex_map,
)
from rocviz.datasets import load_class_scores, make_classes
from rocviz.displays.multiclass.pictures import to_plane
from rocviz.widgets.multiclass import MulticlassState
from rocviz.widgets.multiclass.data import ClassData


@pytest.fixture
def state():
    return MulticlassState()


def four(n=200, seed=0):
    """Draw four classes with probabilities and weights."""
    rng = np.random.default_rng(seed)
    code = rng.permutation(np.arange(n) % 4)
    prob = rng.dirichlet(np.ones(4), n) + 0.8 * np.eye(4)[code]
    return np.array(list("abcd"))[code], prob / prob.sum(axis=1, keepdims=True)


def test_a_point_predicts_what_the_core_predicts(state):
    data = make_classes(300, separation=2.5, random_state=0)
    state.point = (0.2, 0.5, 0.3)
    predicted = label_at_point(data.y_prob, state.point, classes=data.classes)
    expected = confusion_matrix(data.y_true, predicted, classes=data.classes)
    np.testing.assert_array_equal(state.result.matrix.counts, expected.counts)
    assert state.result.value == pytest.approx(expected.accuracy)
    best = best_simplex_point(data.y_true, data.y_prob, classes=data.classes)
    np.testing.assert_array_equal(state.result.best.point, best.point)
    assert state.result.auc.auc == hand_till_auc(data.y_true, data.y_prob, classes=data.classes).auc
    frame = state.to_frame()
    assert frame["correct"].sum() == np.trace(expected.counts)
    assert frame["recall"].tolist() == pytest.approx(np.diag(expected.shares))


def test_the_best_point_is_reached_and_named(state):
    for metric in ("accuracy", "balanced_accuracy", "macro_f1", "mcc", "kappa"):
        state.metric = metric
        state.select_best()
        assert state.result.value == pytest.approx(state.result.best.value)
        assert re.search(r"No better .* was found than", state.sentence)
    usable = state.controls()["most_probable"].is_enabled
    assert usable(state)
    state.select_middle()
    assert state.point == pytest.approx((1 / 3,) * 3)
    assert not usable(state)


@pytest.mark.parametrize("preset", ["three classes", "digits"])
def test_the_slider_of_the_threshold_reaches_its_ends(state, preset):
    state.preset = preset
    grid = state.controls()["point"].grid
    for value in (grid.low, grid.high):
        state.set_entry(value)
        assert state.point[state.place] == pytest.approx(value)
        assert min(state.point) > 0


def test_costs_and_prevalences_move_the_best_point_and_the_one_they_ask_for(state):
    state.label = "C"
    state.miss_costs = (1.0, 1.0, 10.0)
    assert state.metric == "cost"
    assert state.result.by_costs == pytest.approx(np.array([10, 10, 1]) / 21)
    assert state.result.best.matrix.shares[2, 2] > 0.9
    state.set_prevalence(0.02)
    assert state.prevalences == pytest.approx((0.49, 0.49, 0.02))
    data = make_classes(300, separation=2.5, random_state=0)
    # the point predicts what that of the costs predicts for probabilities of the new prevalences
    shifted = shift_priors(data.y_prob, [1 / 3] * 3, state.prevalences)
    point_of_costs = np.array([10, 10, 1]) / 21
    np.testing.assert_array_equal(
        label_at_point(data.y_prob, state.result.by_costs), label_at_point(shifted, point_of_costs)
    )
    weight = np.array(state.prevalences)[np.searchsorted(data.classes, data.y_true)] * 3
    cost = state.cost_matrix
    best = best_simplex_point(
        data.y_true, data.y_prob, classes=data.classes, cost_matrix=cost, sample_weight=weight
    )
    assert state.result.best.value == pytest.approx(best.value)
    assert state.has_own_costs
    state.reset()
    assert not state.has_own_costs
    assert state.metric == "accuracy"


def test_an_entry_and_a_place_can_be_set(state):
    state.set_entry(0.6, "B")
    assert state.label == "B"
    assert state.point == pytest.approx((0.2, 0.6, 0.2))
    state.set_entry(2.0)
    assert max(state.point) < 1
    assert sum(state.point) == pytest.approx(1)
    expected = np.array([0.5, 0.2, 0.3])
    state.move_to(*to_plane(expected))
    assert state.point == pytest.approx(expected, abs=0.01)
    # the selected class keeps its entry while the others share the rest
    assert state.label == "B"
    kept = state.point[1]
    state.set_balance(0.25)
    assert state.point == pytest.approx(((1 - kept) / 4, kept, 3 * (1 - kept) / 4))
    assert state.balance == pytest.approx(0.25)
    state.move_to(5.0, -3.0)  # outside: the nearest place inside
    assert min(state.point) > 0


@pytest.mark.parametrize("method", ["temperature", "vector", "dirichlet", "hull"])
def test_calibration_is_the_core_s(state, method):
    state.preset = "over-confident"
    state.calibration = method
    data = make_classes(300, separation=1.5, over_confidence=3.0, random_state=0)
    fitted = simplex_map(data.y_true, data.y_prob, classes=data.classes, method=method)
    np.testing.assert_allclose(state.samples.prob, fitted(data.y_prob))


def test_one_class_against_the_rest_is_a_threshold_on_a_line():
    y, prob = four()
    state = MulticlassState(ClassData(y, prob, classes=list("abcd")), one_vs_rest="c")
    assert state.names == ("not c", "c")
    state.set_entry(0.4, "c")
    segments = rocviz.RankedSegments.from_scores(y == "c", prob[:, 2])
    table = segments.at_threshold(0.4)
    counts = state.result.matrix.counts
    assert (counts[1, 1], counts[0, 1]) == (table.tp, table.fp)
    assert state.result.auc.auc == pytest.approx(segments.auc)
    best = segments.optimal_point()
    state.select_best()
    assert state.result.value == pytest.approx(best.accuracy)
    state.one_vs_rest = ""
    assert len(state.point) == 4


def test_own_data_of_two_classes():
    rng = np.random.default_rng(0)
    y = rng.random(100) < 0.4
    p = rng.random(100)
    state = MulticlassState(ClassData(y, np.column_stack((1 - p, p)), classes=[False, True]))
    assert state.names == ("False", "True")
    assert state.title("triangle") == "The threshold on a line"
    assert state.result.auc.auc == pytest.approx(rocviz.RankedSegments.from_scores(y, p).auc)


def test_corners_are_the_largest_or_a_class_with_its_confusions():
    data = load_class_scores("digits")
    state = MulticlassState(preset="digits")
    sizes = pd.Series(data.y_true).value_counts()
    state.select_corners("the three largest")
    assert sizes[list(state.corners)].min() >= sizes.drop(list(state.corners)).max()
    assert state.corner_choice() == "the three largest"
    state.select_corners("8")
    predicted = np.array(data.classes)[data.y_prob.argmax(axis=1)]
    n_confused = pd.Series(0, index=[label for label in data.classes if label != "8"])
    for label in n_confused.index:
        n_confused[label] += ((data.y_true == "8") & (predicted == label)).sum()
        n_confused[label] += ((data.y_true == label) & (predicted == "8")).sum()
    assert set(state.corners) == {"8", *n_confused.nlargest(2).index}
    assert state.corner_choice() == "8"
    state.corners = ("9", "0", "4")
    assert state.corners == ("0", "4", "9")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (([0, 1, 2], [[0.5, 0.5, 0.5]] * 3), "rows that sum to 1"),
        ((["a", "b", "c"], [[0.5, 0.3, 0.2]] * 3), "classes="),
        (([0, 1, 2], [[0.5, 0.5]] * 3), "column"),
        (([0, 1, 2],), "go together"),
    ],
)
def test_bad_data_are_refused(args, message):
    with pytest.raises(ValueError, match=message):
        rocviz.MulticlassExplorer(*args)


@pytest.mark.parametrize(
    "inputs",
    [
        {},
        {"preset": "wine", "calibration": "vector", "point": (0.2, 0.3, 0.5)},
        {"preset": "digits", "one_vs_rest": "8", "metric": "mcc"},
        {"preset": "a rare class", "miss_costs": (1.0, 1.0, 9.0), "prevalences": (0.4, 0.4, 0.2)},
    ],
)
def test_the_code_gives_the_numbers_on_screen(inputs, run_code):
    state = MulticlassState(**inputs)
    names, _ = run_code(state.code())
    np.testing.assert_array_equal(names["matrix"].counts, state.result.matrix.counts)
    assert names["best"].value == pytest.approx(state.result.best.value)
    np.testing.assert_allclose(names["best"].point, state.result.best.point)
    ranked = names["ranked"]
    auc = state.result.auc
    assert (ranked.auc, ranked.lower, ranked.upper) == pytest.approx(
        (auc.auc, auc.lower, auc.upper)
    )


def test_columns_in_another_order_are_the_same_classes():
    y, prob = four()
    forwards = MulticlassState(ClassData(y, prob, classes=list("abcd")), point=(0.4, 0.3, 0.2, 0.1))
    backwards = MulticlassState(
        ClassData(y, prob[:, ::-1], classes=list("dcba")), point=(0.1, 0.2, 0.3, 0.4)
    )
    assert backwards.names == forwards.names[::-1]
    counts = backwards.result.matrix.counts[::-1, ::-1]
    np.testing.assert_array_equal(forwards.result.matrix.counts, counts)
    assert forwards.result.auc.auc == pytest.approx(backwards.result.auc.auc)


def test_fifty_classes_are_shown():
    y = np.resize(np.arange(50), 500)
    prob = np.random.default_rng(0).dirichlet(np.ones(50), 500) + 0.05 * np.eye(50)[y]
    state = MulticlassState(ClassData(y, prob / prob.sum(axis=1, keepdims=True)))
    assert len(state.to_frame()) == len(state.names) == 50
    state.select_best()
    assert state.result.value == pytest.approx(state.result.best.value)
    assert len(state.sentence) < 160
    state.one_vs_rest = "17"
    assert state.names == ("not 17", "17")


def test_code_of_own_weighted_data(run_code):
    y, prob = four(60)
    weight = np.arange(60) % 3 + 1.0
    state = MulticlassState(ClassData(y, prob, classes=list("abcd"), sample_weight=weight))
    state.set_prevalence(0.5)
    names, _ = run_code(state.code())
    np.testing.assert_array_equal(names["matrix"].counts, state.result.matrix.counts)
    assert names["best"].value == pytest.approx(state.result.best.value)


def test_a_preset_chooses_its_corners(state):
    state.preset = "digits"
    assert state.corners == ("3", "8", "9")
    state.select_corners("4")
    state.preset = "wine"
    assert state.corners == state.names
    state.preset = "digits"
    assert state.corners == ("3", "8", "9")


def test_sentences_name_the_worst_of_many_classes():
    state = MulticlassState(preset="digits")
    recall = state.to_frame().set_index("class")["recall"]
    assert f"from {round(100 * recall.min())} % of class {recall.idxmin()}" in state.sentence
    wrong = state.result.matrix.counts - np.diag(np.diag(state.result.matrix.counts))
    assert f"{wrong.max():.0f} of" in state.sentences[1].text
