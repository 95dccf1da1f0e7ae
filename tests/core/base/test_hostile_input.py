"""Values of the wrong kind: one check per kind of input names the argument, whoever is called."""

import json
from fractions import Fraction

import numpy as np
import pytest

from rocviz import FermiDirac, RankedSegments, ScoringList, auc_interval, brier_decomposition
from rocviz.core.base.validation import (
    check_fraction,
    check_integer,
    check_labels,
    check_number,
    check_numbers,
    check_random_state,
    check_vector,
    describe,
)
from rocviz.core.calibration import entropy_thresholds
from rocviz.core.decisions import parse_formula
from rocviz.core.roc import binomial_interval, metric_value
from rocviz.core.scoring_lists import learn_scoring_list

HUGE = 10**400
NO_NUMBERS = {
    "text": ["1", "2"],
    "text among numbers": np.array([1.0, "2"], dtype=object),
    "bytes": [b"1", b"2"],
    "complex": [1 + 2j, 3],
    "complex with nothing imaginary": np.array([1 + 0j, 3]),
    "beyond floats": [HUGE, 1],
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
def test_what_is_no_vector_of_numbers(values):
    with pytest.raises(ValueError, match=r"^here .*(must be|holds|has masked)"):
        check_vector(values, "here")


def test_numbers_of_any_kind():
    exact = np.array([1.0, 2.0])
    assert check_numbers(exact, "x") is exact
    for values in ([True, False], [Fraction(1, 2), 2], np.float16([1, 2]), np.ma.array([1, 2])):
        assert check_numbers(values, "x").dtype == np.float64
    assert np.isnan(check_numbers([None, 1.0], "x")[0])
    assert check_numbers(np.array([], dtype=np.int64), "x").size == 0
    assert check_numbers(np.array([2**53, -(2**53)]), "x").tolist() == [2.0**53, -(2.0**53)]
    mixed = [2**53, 0.5, -1e300, np.array(3.0)]
    assert check_numbers(mixed, "x").tolist() == mixed


def test_numbers_beyond_floats():
    for check in (check_number, check_fraction):
        for value in (HUGE, -HUGE, Fraction(HUGE), np.array([0.5]), np.array(0.5), "0.5", 0.5 + 0j):
            with pytest.raises(ValueError, match=r"^x must be a finite number; got "):
                check(value, "x")
    with pytest.raises(ValueError, match=r"^x must be an integer below 2\*\*63; got 1000"):
        check_integer(HUGE, "x")
    with pytest.raises(ValueError, match=r"^x must be an integer of at least 1 .* got 1000"):
        check_integer(HUGE, "x", 1, 3)
    with pytest.raises(ValueError, match=r"^random_state must be an integer below"):
        check_random_state(HUGE)
    with pytest.raises(ValueError, match=r"^random_state must be None, an integer, .* got array"):
        check_random_state(np.array([1]))


def test_labels_are_labels():
    for labels, why in (
        ([[0], [1, 2]], "one-dimensional, one label per sample, in rows of one length"),
        (np.ma.array([0, 1, 1], mask=[0, 0, 1]), "has masked values"),
        ([0, 1, float("nan")], "must not hold NaN"),
    ):
        with pytest.raises(ValueError, match=f"^y_true .*{why}"):
            check_labels(labels)
    for pos_label in (np.array([]), np.array([0, 1]), [0, 1], HUGE, np.array(["0"])):
        with pytest.raises(ValueError, match=r"^pos_label=.* is not one of the labels"):
            check_labels([0, 1], pos_label)
    assert check_labels([0, HUGE], HUGE).tolist() == [False, True]


def test_what_came_is_told_in_a_few_words():
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
def test_everybody_asks_the_same(call, name, kind):
    with pytest.raises(ValueError, match=f"^{name} (must be|holds|has masked)"):
        call(NO_NUMBERS[kind])


def test_arguments_are_named():
    with pytest.raises(ValueError, match=r"^method must be one of .* got array"):
        auc_interval([0, 1, 0, 1], [1, 2, 3, 4.0], method=np.array([1, 2]))
    with pytest.raises(ValueError, match=r"^X must be a table of numbers, in rows of one length"):
        learn_scoring_list([[0], [1, 2]], [0, 1])
    with pytest.raises(ValueError, match=r"^names must be a sequence of words; got 5"):
        parse_formula("u", names=5)
    with pytest.raises(ValueError, match=r"^auc must be a finite number"):
        FermiDirac.from_auc(HUGE, 5, 5)


# ---------------------------------------------------------------------- scoring lists


TABLE = [{0: 0.3}, {0: 0.2, 10**9: 0.9}]


def test_scores_far_apart_need_no_memory():
    scoring_list = ScoringList.from_table([10**9], TABLE)
    again = ScoringList.from_dict(json.loads(json.dumps(scoring_list.to_dict())))
    scores = again.evaluate([[0], [1], [1]], [0, 1, 0])
    assert scores.brier[1] == pytest.approx((0.2**2 + 0.1**2 + 0.9**2) / 3)
    counted = ScoringList.from_counts([0], [10**15], [[0], [1], [1]], [0, 1, 0])
    assert counted.predict_proba([[0], [1]]).tolist() == [0.0, 0.5]


def test_scores_that_no_float_holds():
    with pytest.raises(ValueError, match=r"^scores holds whole numbers above 2\*\*53"):
        ScoringList.from_table([2**62, 2**62], [{0: 0.3}] * 3)
    with pytest.raises(ValueError, match=r"^scores must be at most 2\*\*53 in size; got 1e\+30"):
        ScoringList.from_counts([0], [1e30], [[0], [1]], [0, 1])


def test_lists_whose_stages_have_too_many_totals_together(monkeypatch):
    monkeypatch.setattr("rocviz.core.scoring_lists.questions._MOST_OF_ALL", 200)
    X, ones = np.zeros((2, 30)), [1] * 30
    many = r"^scores can add up to more than 200 totals in the first 19 stages together"
    with pytest.raises(ValueError, match=many):
        ScoringList.from_counts(range(30), ones, X, [0, 1])
    # what is junk from the first question on is refused there, before totals are counted further
    source = ScoringList.from_table([1], [{0: 0.3}, {0: 0.2, 1: 0.9}]).to_dict()
    stages = [{"totals": [0], "probability": [0.3]}] * 31
    junk = {"features": [*range(30)], "scores": ones, "feature_names": ["a"] * 30, "stages": stages}
    with pytest.raises(ValueError, match=r"^stage 1 must have the totals"):
        ScoringList.from_dict(
            {**source, **junk, "thresholds": [0.5] * 30, "missing_scores": [0] * 30}
        )


@pytest.mark.parametrize(
    "field", ["features", "scores", "thresholds", "missing_scores", "feature_names", "stages"]
)
@pytest.mark.parametrize(
    "junk", [None, 5, True, "x", {}, [{}], [[1], [2, 3]], [HUGE], HUGE, [None, "x"]]
)
def test_junk_in_a_list_from_json(field, junk):
    source = ScoringList.from_table([1], [{0: 0.3}, {0: 0.2, 1: 0.9}]).to_dict()
    with pytest.raises(ValueError, match=f"^({field}|source, stage 0)[: ]"):
        ScoringList.from_dict({**source, field: junk})


@pytest.mark.parametrize(
    ("stage", "message"),
    [
        ({"totals": [0]}, "source, stage 0: it lacks probability"),
        ({"totals": [0], "probability": [0.3], "code": "x"}, "stage 0: it has no use for code"),
        ({"totals": ["a"], "probability": [0.3]}, "source, stage 0: totals must be numbers"),
        ({"totals": [0], "probability": {}}, "source, stage 0: probability must be numbers"),
        ([0, 0.3], "source, stage 0 must be a table by name"),
    ],
)
def test_junk_in_a_stage_from_json(stage, message):
    source = ScoringList.from_table([1], [{0: 0.3}, {0: 0.2, 1: 0.9}]).to_dict()
    with pytest.raises(ValueError, match=message):
        ScoringList.from_dict({**source, "stages": [stage, source["stages"][1]]})
