"""The contract for numbers: refusals by name, and values just within it."""

import numpy as np
import pandas as pd
import pytest

from rocviz import (
    FermiDirac,
    RankedSegments,
    auc_interval,
    brier_decomposition,
    compare_classifiers,
)
from rocviz.core.base.validation import (
    check_costs,
    check_numbers,
    check_prevalence,
    check_random_state,
    check_spread,
    check_weights,
    number_categories,
)
from rocviz.core.comparison import hull_over_models
from rocviz.core.curve_spaces import at_prevalence, map_from_roc
from rocviz.core.lexicographic import lex_order
from rocviz.core.roc import ConfusionTable, ScoreCounts, auc_test, binomial_interval

Y = [0, 1, 0, 1]
SCORE = [0.1, 0.4, 0.4, 0.8]
SEGMENTS = RankedSegments.from_scores(Y, SCORE)
FAR_WEIGHTS = [1e-7, 1, 1e6, 1]
TINY_WEIGHTS = [1e-60] * 4
SCORE_WITH_NAN = [0.1, np.nan, 0.4, 0.8]
LARGE_INTEGERS = [2**53 + 1, 1, 2, 3]


@pytest.mark.parametrize("weight", [FAR_WEIGHTS, TINY_WEIGHTS])
@pytest.mark.parametrize(
    "call",
    [
        lambda weight: RankedSegments.from_scores(Y, SCORE, sample_weight=weight),
        lambda weight: auc_interval(Y, SCORE, sample_weight=weight),
        lambda weight: auc_test(Y, SCORE, SCORE, sample_weight=weight),
        lambda weight: brier_decomposition(Y, SCORE, sample_weight=weight),
        lambda weight: compare_classifiers(Y, {"a": SCORE}, sample_weight=weight, n_resamples=0),
        lambda weight: ScoreCounts.from_scores(Y, SCORE, sample_weight=weight),
        lambda weight: lex_order(np.eye(4)[:, :2], Y, sample_weight=weight),
    ],
)
def test_weights_beyond_the_contract_are_refused_by_name(call, weight):
    with pytest.raises(ValueError, match=r"^sample_weight must "):
        call(weight)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("pos and neg", lambda: RankedSegments([2, 1], [1e-9, 1], [1, 1e16])),
        ("tp, fp, fn and tn", lambda: ConfusionTable(tp=1e-50, fp=1, fn=1, tn=1)),
        ("cost_fp and cost_fn", lambda: SEGMENTS.optimal_point(cost_fp=1e13, cost_fn=1)),
        (
            "cost_fp and cost_fn",
            lambda: hull_over_models({"a": SEGMENTS}).optimal_point(1, 1e13, prevalence=0.5),
        ),
        ("prevalence", lambda: SEGMENTS.optimal_point(prevalence=1e-10)),
        ("prevalence", lambda: at_prevalence(SEGMENTS, prevalence=1 - 1e-10)),
        ("prevalence", lambda: map_from_roc("lift", [0.5], [0.5], prevalence=1e-12)),
        ("auc", lambda: FermiDirac.from_auc(1e-12, 5, 5)),
        ("y_score", lambda: auc_interval(Y, LARGE_INTEGERS)),
        ("y_score_a", lambda: auc_test(Y, SCORE_WITH_NAN, SCORE)),
        ("y_score_b", lambda: auc_test(Y, SCORE, LARGE_INTEGERS)),
        ("trials", lambda: binomial_interval(1, 1e13, method="clopper-pearson")),
    ],
)
def test_values_outside_the_contract_are_refused_by_name(name, call):
    with pytest.raises(ValueError, match=rf"^{name}\b.* (must|holds|would) "):
        call()


def test_values_just_within_the_contract_are_accepted():
    check_spread("w", [0.0, 1e-6, 1e6])
    check_spread("w", [1e-50, 1e-38])
    check_spread("n", [1e-12, 1e12], sums=True)
    assert check_weights(None, 3) is None
    assert check_costs(0, 1e50) == (0, 1e50)
    for share in (1e-9, 1 - 1e-9, 0.5):
        assert check_prevalence(share) == share
    for share in (0, 1):
        assert check_prevalence(share, ends=True) == share
        with pytest.raises(ValueError, match=r"^prevalence must be strictly"):
            check_prevalence(share)
    assert check_numbers([2**53, -(2**53)], "x").tolist() == [2.0**53, -(2.0**53)]


def test_a_random_state_is_one_of_four_kinds():
    source = np.random.RandomState(0)
    first = check_random_state(source).random()
    assert first != check_random_state(source).random()
    assert first == check_random_state(np.random.RandomState(0)).random()
    assert isinstance(check_random_state(None), np.random.Generator)
    generator = np.random.default_rng(0)
    assert check_random_state(generator) is generator
    assert check_random_state(np.int64(0)).random() == np.random.default_rng(0).random()


@pytest.mark.parametrize("dtype", ["boolean", "string"])
def test_labels_that_pandas_calls_missing_are_refused_by_name(dtype):
    labels = pd.Series(["1", "0", None, "1"]).map({"1": 1, "0": 0, None: None})
    labels = (labels.map({1: "b", 0: "a"}) if dtype == "string" else labels).astype(dtype)
    with pytest.raises(ValueError, match="y_true must not hold missing labels"):
        RankedSegments.from_scores(labels, [0.1, 0.2, 0.3, 0.4], pos_label=None)
    with pytest.raises(ValueError, match="groups must not hold missing labels"):
        number_categories(labels, 4, "groups")


def test_values_within_rounding_of_one_are_one():
    rounded = brier_decomposition([0, 1], [-1e-17, 1 + 2**-52])
    assert rounded == brier_decomposition([0, 1], [0.0, 1.0])
    with pytest.raises(ValueError, match=r"found values from 0 to 1.000002"):
        brier_decomposition([0, 1], [0.0, 1.000002])
