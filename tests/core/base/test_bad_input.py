"""Bad input raises a ValueError that names the argument, the value and the requirement."""

import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from rocviz import (
    ConfusionTable,
    DecisionDisplay,
    FermiDirac,
    RankedSegments,
    ROCHullDisplay,
    ScoringList,
    auc_interval,
    brier_decomposition,
    compare_classifiers,
    lex_order,
    optimal_decision,
    space_curve,
)
from rocviz.core.base.naming import prefix_error_with
from rocviz.core.base.validation import (
    check_flag,
    check_fraction,
    check_integer,
    check_iterable,
    check_labels,
    check_number,
    check_numbers,
    check_random_state,
    check_text,
    check_vector,
    describe,
)
from rocviz.core.calibration import entropy_thresholds
from rocviz.core.comparison import hull_over_models
from rocviz.core.curve_spaces import map_from_roc, map_isometric
from rocviz.core.decisions import parse_formula
from rocviz.core.ensembles import RankEnsemble
from rocviz.core.ranking_loss.linear_scorer import fit_linear_scorer
from rocviz.core.roc import ScoreCounts, binomial_interval, metric_value
from rocviz.core.scoring_lists import learn_scoring_list

GOOD_ARGUMENTS = ([0, 1, 1], [0.1, 0.2, 0.3])


@pytest.mark.parametrize(
    ("y_true", "y_score", "more", "message"),
    [
        (
            [0, 1, 2],
            GOOD_ARGUMENTS[1],
            {},
            "^y_true must hold exactly two classes; found 3: 0, 1, 2",
        ),
        (list("abcdefg"), range(7), {}, r"found 7: 'a', 'b', 'c', 'd', 'e', \.\.\."),
        (np.array(["a", 1, 1], object), GOOD_ARGUMENTS[1], {}, "^y_true mixes labels of types"),
        (
            GOOD_ARGUMENTS[0],
            GOOD_ARGUMENTS[1],
            {"sample_weight": [1, 0, 0]},
            "^sample_weight leaves one class",
        ),
        (
            GOOD_ARGUMENTS[0],
            [[1, 2], [3, 4], [5, 6]],
            {},
            r"^y_score must be one-dim.*shape \(3, 2\)",
        ),
        (GOOD_ARGUMENTS[0], 3.0, {}, r"^y_score must be one-dimensional.*shape \(\)"),
        ([[0, 1], [1, 0]], [1, 2], {}, r"^y_true must be one-dimensional.*shape \(2, 2\)"),
        ([], [], {}, "^y_true is empty"),
    ],
)
def test_samples(y_true, y_score, more, message):
    with pytest.raises(ValueError, match=message):
        RankedSegments.from_scores(y_true, y_score, **more)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (([], [], []), "^score is empty"),
        (([1, 2], [1, 1], [1, 1]), "^score must strictly decrease"),
        (([2, 1], [1, 1, 1], [1, 1]), "^pos must have one entry per segment; got 3 for 2"),
        (([2, 1], [1, -1], [1, 1]), "^pos and neg must not be negative"),
        (([2, 1], [1, 0], [1, 0]), "no segment may be empty"),
        (([2, 1], [0, 0], [1, 1]), "^pos and neg must both have weight"),
        (([2, np.nan], [1, 1], [1, 1]), "^score must be finite"),
        (([2, 1], [1, 1], [1, 1], [2]), "^highest must have one entry per segment; got 1"),
        (([2, 1], [1, 1], [1, 1], [2, 0]), "^highest must be at least each segment's score"),
        (([2, 1], [1, 1], [1, 1], [2, 2]), "^highest must be at least each segment's score"),
    ],
)
def test_segments(arrays, message):
    with pytest.raises(ValueError, match=message):
        RankedSegments(*arrays)


SEGMENTS = RankedSegments([0.9, 0.5, 0.1], [6, 3, 1], [1, 2, 7])
FAR_SEGMENTS = RankedSegments([3, 1], [1, 1], [1, 2])
CURVE = space_curve(SEGMENTS, space="roc")
Y = [0, 1, 0, 1]
Y_SCORE = [0.1, 0.7, 0.3, 0.4]


def test_numbers():
    assert check_number(np.float32(0.5), "x") == 0.5
    assert check_number(3, "x", minimum=3) == 3.0
    assert check_fraction(1, "x", ends=True) == 1.0
    assert check_integer(np.int64(4), "x", 4, 4) == 4
    assert check_integer(-4, "x") == -4
    assert check_text("a", "x") == "a"
    check_iterable(iter([1]), "x", "numbers")


HUGE_INTEGER = 10**400


@pytest.mark.parametrize(
    ("check", "values", "message"),
    [
        (
            check_number,
            (
                True,
                "1",
                None,
                np.nan,
                [1.0],
                HUGE_INTEGER,
                -HUGE_INTEGER,
                Fraction(HUGE_INTEGER),
                np.array(0.5),
                0.5 + 0j,
            ),
            "must be a finite number; got",
        ),
        (lambda x, name: check_number(x, name, minimum=3), (2,), "must be at least 3; got 2"),
        (lambda x, name: check_number(x, name, above=0), (0,), "must be greater than 0; got 0"),
        (check_fraction, (0, 1, -1), "must be strictly between 0 and 1"),
        (check_fraction, (HUGE_INTEGER, "0.5"), "must be a finite number"),
        (lambda x, name: check_fraction(x, name, ends=True), (1.1,), "must be from 0 to 1"),
        (check_integer, (4.0, True, "4", None), "must be an integer; got"),
        (
            lambda x, name: check_integer(x, name, 1, 3),
            (4, HUGE_INTEGER),
            "of at least 1 and at most 3",
        ),
        (
            lambda x, name: check_integer(x, name, maximum=3),
            (4,),
            "must be an integer of at most 3",
        ),
        (check_integer, (HUGE_INTEGER,), r"must be an integer below 2\*\*63; got 1000"),
        (lambda x, _: check_random_state(x), (np.array([1]),), "must be None, an integer, .* arr"),
        (check_flag, ("yes", 2), "must be True or False"),
        (check_text, (1, None, "\ud800", b"a"), "must be text"),
        (lambda x, name: check_iterable(x, name, "rows"), (1, None, "text"), "must be rows"),
    ],
)
def test_single_values(check, values, message):
    for value in values:
        with pytest.raises(ValueError, match=rf"^(x|random_state) .*{message}"):
            check(value, "x")


NO_NUMBERS = {
    "text": ["1", "2"],
    "text among numbers": np.array([1.0, "2"], dtype=object),
    "bytes": [b"1", b"2"],
    "complex": [1 + 2j, 3],
    "complex with nothing imaginary": np.array([1 + 0j, 3]),
    "beyond floats": [HUGE_INTEGER, 1],
    "whole numbers that floats round": [2**53 + 1, 1],
    "ragged": [[1], [2, 3]],
    "a mapping": {"a": 1},
    "masked": np.ma.array([1.0, 2.0], mask=[0, 1]),
    "masked in a list": [1.0, np.ma.masked],
    "masked in lists": [[1.0], (np.ma.masked,)],
    "whole numbers that floats round, among floats": [2**53 + 1, 0.5],
    "the same in lists": [[0.5, 1], [2**53 + 1, 1]],
    "dates": np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[D]"),
    "nothing": None,
}


@pytest.mark.parametrize("values", NO_NUMBERS.values(), ids=NO_NUMBERS.keys())
def test_values_that_are_no_vectors_are_refused(values):
    with pytest.raises(ValueError, match=r"^here .*(must be|holds|has masked)"):
        check_vector(values, "here")


def test_numbers_of_any_kind():
    exact = np.array([1.0, 2.0])
    assert check_numbers(exact, "x") is exact
    for values in ([True, False], [Fraction(1, 2), 2], np.float16([1, 2]), np.ma.array([1, 2])):
        assert check_numbers(values, "x").dtype == np.float64
    assert np.isnan(check_numbers([None, 1.0], "x")[0])
    assert check_numbers(np.array([], dtype=np.int64), "x").size == 0
    mixed = [2**53, 0.5, -1e300, np.array(3.0)]
    assert check_numbers(mixed, "x").tolist() == mixed


def test_labels_are_labels():
    for labels, why in (
        ([[0], [1, 2]], "one-dimensional, one label per sample, with rows of equal length"),
        (np.ma.array([0, 1, 1], mask=[0, 0, 1]), "has masked values"),
    ):
        with pytest.raises(ValueError, match=f"^y_true .*{why}"):
            check_labels(labels)
    for pos_label in (np.array([]), np.array([0, 1]), [0, 1], HUGE_INTEGER, np.array(["0"]), pd.NA):
        with pytest.raises(ValueError, match=r"^pos_label=.* is not one of the labels"):
            check_labels([0, 1], pos_label)
    assert check_labels([0, HUGE_INTEGER], HUGE_INTEGER).tolist() == [False, True]


def test_pos_label_may_have_any_equal_type():
    assert check_labels(["b", "a"], "b").tolist() == [True, False]
    assert check_labels([3, 7, 3], pos_label=3.0).tolist() == [True, False, True]
    assert check_labels(np.array([[0], [1]])).tolist() == [False, True]


@pytest.mark.parametrize(
    ("labels", "shown"),
    [
        (["good", "bad"], "'bad' and 'good'.* pos_label='good' or pos_label='bad'"),
        ([1, 2], "1 and 2.* pos_label=2 or pos_label=1"),
        ([0.0, 2.0], "0.0 and 2.0.*"),
        (["0", "1"], "'0' and '1'.*"),
        (pd.Categorical(["good", "bad"], ["good", "bad"], ordered=True), "'bad' and 'good'.*"),
    ],
)
def test_the_positive_label_is_not_guessed(labels, shown):
    with pytest.raises(ValueError, match=rf"^y_true holds the labels {shown}"):
        check_labels(labels)
    assert check_labels(labels, labels[0]).tolist() == [True, False]


@pytest.mark.parametrize("low", [0, -1, False])
@pytest.mark.parametrize("kind", [None, object, float])
def test_labels_whose_positive_class_is_known(low, kind):
    high = type(low)(1)
    assert check_labels(np.array([low, high], dtype=kind)).tolist() == [False, True]


def test_refusals_describe_the_value_briefly():
    class Nameless:
        def __repr__(self):
            raise RuntimeError

    assert describe(10**5000) == "something of type int"
    assert describe(Nameless()) == "something of type Nameless"
    assert len(describe(list(range(1000)))) == 60


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda v: RankedSegments.from_scores([0, 1], v), "y_score"),
        (lambda v: RankedSegments.from_scores([0, 1], [1, 2], sample_weight=v), "sample_weight"),
        (lambda v: brier_decomposition([0, 1], v), "y_prob"),
        (lambda v: binomial_interval(v, [9, 9]), "successes"),
        (lambda v: metric_value("precision", v, 0.5), "fpr"),
        (lambda v: parse_formula("u + v + p")(v, 1, 1), "u"),
        (lambda v: entropy_thresholds(v, [0, 1]), "X"),
        (lambda v: ScoringList.from_counts([0], v, [[0], [1]], [0, 1]), "scores"),
        (lambda v: ScoringList.from_table([1], [{0: 0.3}, {0: 0.2, 1: 0.9}]).predict_proba(v), "X"),
    ],
)
@pytest.mark.parametrize("kind", ["text", "complex", "beyond floats", "ragged", "masked"])
def test_all_functions_ask_for_pos_label_alike(call, name, kind):
    with pytest.raises(ValueError, match=f"^{name} (must be|holds|has masked)"):
        call(NO_NUMBERS[kind])


def descend(factor):
    X = np.random.default_rng(0).normal(size=(20, 2)) * factor
    fit_linear_scorer(X, X[:, 0] > 0, mix=0.5, regression_loss="logistic")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: ScoreCounts.from_scores([0, 1], [1, 2], pos_label=[0, 1]),
            "pos_label must be one label",
        ),
        (lambda: RankedSegments.from_partitions(5), "partitions must be pieces of data"),
        (lambda: ScoringList.from_table([1], [3]), "table must have rows that are mappings"),
        (
            lambda: space_curve(FAR_SEGMENTS, space="brier"),
            r"segments\.score must be probabilities",
        ),
        (lambda: brier_decomposition(FAR_SEGMENTS), r"segments\.score must be probabilities"),
        (
            lambda: map_isometric("cost", [0.5, 0.1], [0.1, 0.2], prevalence=0.5),
            "fpr must not decrease",
        ),
        (lambda: CURVE.nearest_threshold_index(0, 1e308), r"x and y must be within 1e\+50 units"),
        (
            lambda: RankEnsemble.from_scores([0, 1], np.eye(2), names=[[1, 2], [3, 4]]),
            "names must be a sequence of strings",
        ),
        (
            lambda: learn_scoring_list([[0], [1, 2]], [0, 1]),
            "X must be a table of numbers, with row",
        ),
        (lambda: FermiDirac.from_auc(HUGE_INTEGER, 5, 5), "auc must be a finite number"),
        (
            lambda: map_from_roc("roc", [0.1], [0.2, 0.3], prevalence=0.5),
            "fpr and tpr must have the same length;",
        ),
        (lambda: descend(1e200), "X must be scaled first.*the square of"),
        (lambda: descend(1e-14), "X must be scaled first.*vary by"),
    ],
)
def test_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()


HALF_SURROGATE = "\ud800"  # half of a character, as some files are read


@pytest.mark.parametrize(
    "call",
    [
        lambda: compare_classifiers(Y, {HALF_SURROGATE: Y_SCORE}, n_resamples=50),
        lambda: RankEnsemble.from_scores(Y, {HALF_SURROGATE: Y_SCORE, "b": Y_SCORE}),
        lambda: hull_over_models({HALF_SURROGATE: RankedSegments.from_scores(Y, Y_SCORE)}),
        lambda: lex_order(np.column_stack((Y, Y)), Y).to_frame(names=[HALF_SURROGATE, "b"]),
        lambda: ScoringList.from_table(
            [1], [{0: 0.3}, {0: 0.2, 1: 0.9}], feature_names=[HALF_SURROGATE]
        ),
        lambda: ROCHullDisplay.from_predictions(Y, {HALF_SURROGATE: Y_SCORE}),
        lambda: RankedSegments.from_scores([HALF_SURROGATE, "b"], Y_SCORE[:2], pos_label="b"),
        lambda: ROCHullDisplay({HALF_SURROGATE: RankedSegments.from_scores(Y, Y_SCORE)}),
        lambda: DecisionDisplay({HALF_SURROGATE: optimal_decision(Y_SCORE, "f1")}),
    ],
)
def test_names_that_cannot_be_drawn_are_refused_by_the_argument(call):
    with pytest.raises(
        ValueError, match=r"^a (name|label) in \w+ must be text that can be encoded"
    ):
        call()


def test_refusals_of_other_libraries_name_the_argument():
    with pytest.raises(ValueError, match=r"^X or y: too short$"), prefix_error_with("X", "y"):
        raise ValueError("too short")
    for error in (TypeError("X is short"), UnicodeError("short"), KeyError("short")):
        with pytest.raises(type(error)) as caught, prefix_error_with("X", "y"):
            raise error
        assert caught.value is error
    with pytest.raises(ValueError, match=r"^X: too large$"), prefix_error_with("X"):
        raise OverflowError("too large")
    with pytest.raises(TypeError, match=r"^X: Xs are short$"), prefix_error_with("X"):
        raise TypeError("Xs are short")


def test_small_numbers_of_numpy_are_the_numbers_they_equal():
    # sums and products of NumPy's small integers would overflow, those of its short floats round
    counts = 100, 90, 80, 70
    table = ConfusionTable(*counts)
    for kind in (np.uint8, np.int8):
        assert ConfusionTable(*map(kind, counts)) == table
    rough = ConfusionTable(*map(np.float16, counts))
    assert (rough.n_samples, rough.mcc) == (340, table.mcc)
    y = [0, 0, 1, 1, 0, 1]
    score = [1, 3, 2, 4, 2, 5]
    for confidence in (np.float16(0.75), np.float32(0.75)):
        assert auc_interval(y, score, confidence=confidence) == auc_interval(
            y, score, confidence=0.75
        )


# ---------------------------------------------------------------------- scoring lists


PROBABILITY_TABLE = [{0: 0.3}, {0: 0.2, 10**9: 0.9}]


def test_scores_far_apart_need_no_memory():
    scoring_list = ScoringList.from_table([10**9], PROBABILITY_TABLE)
    again = ScoringList.from_dict(json.loads(json.dumps(scoring_list.to_dict())))
    scores = again.evaluate([[0], [1], [1]], [0, 1, 0])
    assert scores.brier[1] == pytest.approx((0.2**2 + 0.1**2 + 0.9**2) / 3)
    counted = ScoringList.from_counts([0], [10**15], [[0], [1], [1]], [0, 1, 0])
    assert counted.predict_proba([[0], [1]]).tolist() == [0.0, 0.5]


def test_scores_beyond_the_floats_are_refused():
    with pytest.raises(ValueError, match=r"^scores holds whole numbers above 2\*\*53"):
        ScoringList.from_table([2**62, 2**62], [{0: 0.3}] * 3)
    with pytest.raises(ValueError, match=r"^scores must be at most 2\*\*53 in size; got 1e\+30"):
        ScoringList.from_counts([0], [1e30], [[0], [1]], [0, 1])


def test_lists_whose_stages_have_too_many_totals_together(monkeypatch):
    monkeypatch.setattr("rocviz.core.scoring_lists.questions._MAX_TOTALS", 200)
    X = np.zeros((2, 30))
    ones = [1] * 30
    many = r"^scores can add up to more than 200 totals in the first 19 stages together"
    with pytest.raises(ValueError, match=many):
        ScoringList.from_counts(range(30), ones, X, [0, 1])
    # what is junk from the first question on is refused there, before totals are counted further
    source = ScoringList.from_table([1], [{0: 0.3}, {0: 0.2, 1: 0.9}]).to_dict()
    stages = [{"totals": [0], "probability": [0.3]}] * 31
    junk = {
        "features": list(range(30)),
        "scores": ones,
        "feature_names": ["a"] * 30,
        "stages": stages,
    }
    with pytest.raises(ValueError, match=r"^stage 1 must have the totals"):
        ScoringList.from_dict(
            {**source, **junk, "thresholds": [0.5] * 30, "missing_scores": [0] * 30}
        )


@pytest.mark.parametrize(
    "field", ["features", "scores", "thresholds", "missing_scores", "feature_names", "stages"]
)
@pytest.mark.parametrize(
    "junk", [None, 5, True, "x", {}, [{}], [[1], [2, 3]], [HUGE_INTEGER], HUGE_INTEGER, [None, "x"]]
)
def test_invalid_json_of_a_list_is_refused(field, junk):
    source = ScoringList.from_table([1], [{0: 0.3}, {0: 0.2, 1: 0.9}]).to_dict()
    with pytest.raises(ValueError, match=f"^({field}|source, stage 0)[: ]"):
        ScoringList.from_dict({**source, field: junk})


@pytest.mark.parametrize(
    ("stage", "message"),
    [
        ({"totals": [0]}, "source, stage 0: .* missing .* 'probability'"),
        ({"totals": [0], "probability": [0.3], "code": "x"}, "stage 0: .* argument 'code'"),
        ({"totals": ["a"], "probability": [0.3]}, "source, stage 0: totals must be numbers"),
        ({"totals": [0], "probability": {}}, "source, stage 0: probability must be numbers"),
        ([0, 0.3], "source, stage 0 must be a table by name"),
    ],
)
def test_invalid_json_of_a_stage_is_refused(stage, message):
    source = ScoringList.from_table([1], [{0: 0.3}, {0: 0.2, 1: 0.9}]).to_dict()
    with pytest.raises(ValueError, match=message):
        ScoringList.from_dict({**source, "stages": [stage, source["stages"][1]]})
