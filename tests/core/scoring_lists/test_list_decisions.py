"""Stopping when sure: the worked example, and every walk against a walk by hand."""

import numpy as np
import pytest

from rocviz.core.scoring_lists.decisions import stops
from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.datasets import load_scoring_list_example


def learned(seed=0, **options):
    rng = np.random.default_rng(seed)
    X = (rng.random((300, 4)) < [0.5, 0.3, 0.6, 0.4]).astype(float)
    y = rng.random(300) < 0.05 + 0.4 * X[:, 0] + 0.3 * X[:, 1] + 0.2 * X[:, 2]
    return ScoringList.from_counts([0, 1, 2, 3], [3, 2, 1, -1], X, y, **options), X, y


# ---------------------------------------------------------------- the worked example


def test_stop_at_nine_tenths():
    example = load_scoring_list_example()
    # (f1, f2, f3, f4) = (0, 1, 1, *): f3 gives 1, f1 nothing, f2 one more: 2 points, 0.9
    for last in (0, 1, np.nan):
        decisions = example.decide([[0, 1, 1, last]], upper=0.9)
        assert decisions.positive.tolist() == [True]
        assert decisions.probability.tolist() == [0.9]
        assert decisions.n_asked.tolist() == decisions.stage.tolist() == [3]
        assert decisions.is_confident.tolist() == [True]
    # in the order of the list, f3 = 0 and f1 = f2 = 1, the total is -1: nothing is sure
    assert example.decide([[1, 1, 0, 0]], upper=0.9).is_confident.tolist() == [False]
    decisions = example.decide([[1, 1, 1, 1]], upper=0.9)
    assert (decisions.stage[0], decisions.probability[0], bool(decisions.positive[0])) == (
        4,
        0.7,
        True,
    )
    assert np.isnan([decisions.lower, decisions.upper]).all()


def test_stop_as_negative():
    example = load_scoring_list_example()
    decisions = example.decide([[1, 0, 0, 0], [0, 0, 0, 0], [1, 0, 1, 0]], lower=0.2, upper=0.9)
    assert decisions.stage.tolist() == [1, 1, 2]
    assert decisions.positive.tolist() == [False] * 3
    assert decisions.is_confident.all()
    np.testing.assert_allclose(decisions.stage_distribution(), [0, 2 / 3, 1 / 3, 0, 0])


# ---------------------------------------------------------------- walks


def walk(scoring_list, x, lower, upper, use, cost_fn):
    """One row, one stage after the other."""
    for k in range(len(scoring_list) + 1):
        p = scoring_list.predict_proba(x[None], k)[0]
        (low,), (high,) = scoring_list.interval(x[None], k, 0.8)
        at_lower = p <= lower if use == "point" else high <= lower
        at_upper = p >= upper if use == "point" else low >= upper
        if at_lower:
            return k, p, low, high, False, True
        if at_upper:
            return k, p, low, high, True, True
    return k, p, low, high, 1 - p < cost_fn * p, False


@pytest.mark.parametrize("use", ["point", "interval"])
@pytest.mark.parametrize("limits", [(0.1, 0.8), (0.3, 0.3), (0, 1)])
@pytest.mark.parametrize("cost_fn", [1, 6])
def test_walks(use, limits, cost_fn):
    scoring_list, X, _ = learned(calibration="beta")
    lower, upper = limits
    decisions = scoring_list.decide(
        X, lower=lower, upper=upper, use=use, confidence=0.8, cost_fn=cost_fn
    )
    for i, x in enumerate(X[:60]):
        stage, p, low, high, positive, sure = walk(scoring_list, x, lower, upper, use, cost_fn)
        assert (decisions.stage[i], decisions.positive[i], decisions.is_confident[i]) == (
            stage,
            positive,
            sure,
        )
        np.testing.assert_allclose(
            [decisions.probability[i], decisions.lower[i], decisions.upper[i]],
            [p, low, high],
            atol=1e-12,
        )
    np.testing.assert_array_equal(decisions.n_asked, decisions.stage)
    np.testing.assert_array_equal(decisions.cost, decisions.stage)


def test_a_probability_at_both_limits_is_negative():
    scoring_list, X, y = learned()
    decisions = scoring_list.decide(X, lower=y.mean(), upper=y.mean())
    assert decisions.is_confident.all()
    assert not decisions.positive.any()


def test_stops_need_the_band():
    stage = learned()[0].stages[2]
    with pytest.raises(ValueError, match=r"^use='interval' needs the band"):
        stops(stage, upper=0.5, use="interval")
    negative, positive = stops(stage, stage.band(), lower=0.3, upper=0.5, use="interval")
    np.testing.assert_array_equal(negative, stage.band().upper <= 0.3)
    np.testing.assert_array_equal(positive, stage.band().lower >= 0.5)


# ---------------------------------------------------------------- what asking costs


def test_costs_are_those_of_the_columns():
    scoring_list = ScoringList.from_counts([2, 0], [1, 1], [[0, 9, 0], [1, 9, 1]], [0, 1])
    decisions = scoring_list.decide([[1, 9, 1]], feature_costs=[5, 100, 0.5])
    assert decisions.cost.tolist() == [5.5]


def test_a_column_is_paid_once_and_a_foregone_answer_never():
    X = np.array([[0.0, 1], [1, 2], [2, 3], [3, 4]])
    y = [0, 0, 1, 1]
    questions = {"thresholds": [0.5, 2.5, -np.inf, np.inf]}
    scoring_list = ScoringList.from_counts([0, 0, 1, 1], [1, 1, 1, 1], X, y, **questions)
    decisions = scoring_list.decide(X, feature_costs=[3, 10])
    assert decisions.stage.tolist() == [4] * 4
    assert decisions.n_asked.tolist() == [1] * 4
    assert decisions.cost.tolist() == [3] * 4
    # whether a value is missing has to be looked up
    scoring_list = ScoringList.from_counts(
        [0, 0, 1, 1], [1, 1, 1, 1], X, y, missing="zero", **questions
    )
    assert scoring_list.decide(X, feature_costs=[3, 10]).cost.tolist() == [13] * 4


def test_missing_values_count_only_where_the_walk_gets_to():
    example = load_scoring_list_example()
    with pytest.raises(ValueError, match="X has 1 missing values of f4"):
        example.decide([[0, 1, 1, np.nan], [1, 1, 1, np.nan]], upper=0.9)
    scoring_list, X, _ = learned(missing="zero")
    X = X.copy()
    X[:, 1] = np.nan
    np.testing.assert_array_equal(
        scoring_list.decide(X).probability, scoring_list.decide(np.nan_to_num(X)).probability
    )


# ---------------------------------------------------------------- the object


def test_tables():
    scoring_list, X, _ = learned()
    decisions = scoring_list.decide(X, upper=0.7)
    names = "positive probability lower upper stage n_asked cost is_confident"
    assert list(decisions.to_frame()) == names.split()
    assert decisions.stage_distribution().sum() == pytest.approx(1)
    assert len(decisions) == 300
    empty = scoring_list.decide(np.empty((0, 4)))
    np.testing.assert_array_equal(empty.stage_distribution(), np.zeros(5))
