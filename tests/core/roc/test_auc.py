"""DeLong's test: against its definition by pairs, by bootstrap, and in its limits."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

from rocviz.core.roc.delong_test import auc_test
from rocviz.core.roc.segments import RankedSegments


def data(n=60, seed=0, decimals=1):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    shared = rng.normal(size=n)
    a = shared + rng.normal(size=n) + 1.2 * y
    b = shared + rng.normal(size=n) + 0.7 * y
    return y, a.round(decimals), b.round(decimals)


def by_definition(y, a, b):
    """Variance of the difference from the full matrix of pairs (DeLong et al., equation 3)."""
    psi = []
    for score in (np.array(a), np.array(b)):
        psi.append(np.heaviside(score[y][:, None] - score[~y], 0.5))
    rows = np.cov([p.mean(axis=1) for p in psi])
    columns = np.cov([p.mean(axis=0) for p in psi])
    covariance = rows / y.sum() + columns / (~y).sum()
    return covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]


@pytest.mark.parametrize("seed", range(5))
def test_against_all_pairs(seed):
    y, a, b = data(seed=seed)
    test = auc_test(y, a, b, method="delong")
    assert test.auc_a == pytest.approx(roc_auc_score(y, a), abs=1e-13)
    assert test.auc_b == pytest.approx(roc_auc_score(y, b), abs=1e-13)
    assert test.difference == pytest.approx(test.auc_a - test.auc_b)
    assert test.standard_error**2 == pytest.approx(by_definition(y, a, b), rel=1e-10)
    z = test.difference / test.standard_error
    assert test.p_value == pytest.approx(2 * norm.sf(abs(z)))
    names = np.where(y, "ill", "well")
    wide = auc_test(names, a, b, method="delong", confidence=0.99, pos_label="ill")
    half = norm.ppf(0.995) * test.standard_error
    ends = test.difference - half, test.difference + half
    assert (wide.lower, wide.upper, wide.confidence) == pytest.approx((*ends, 0.99))


def test_a_single_reversed_pair_among_many_samples():
    y = np.tile([True, False], 10_000)
    a = np.arange(20_000.0)
    b = a.copy()
    b[[9_998, 9_999]] = a[[9_999, 9_998]]
    test = auc_test(y, b, a)
    assert test.difference == pytest.approx(1e-8, rel=1e-13)
    # of each class one placement differs, by 1e-4
    assert test.standard_error == pytest.approx(np.sqrt(2) * 1e-8, rel=1e-13)


def test_equal_rankings():
    y, a, _ = data()
    test = auc_test(y, a, 2 * a)
    assert (test.difference, test.standard_error, test.p_value) == (0, 0, 1)
    assert test.lower == test.upper == 0


def test_weights_say_how_often_a_sample_is_repeated():
    y, a, b = data(30)
    weight = np.arange(30) % 4
    rows = np.repeat(np.arange(30), weight)
    test = auc_test(y, a, b, sample_weight=weight)
    repeated = auc_test(y[rows], np.array(a)[rows], np.array(b)[rows])
    assert test.auc_a == pytest.approx(repeated.auc_a)
    assert test.standard_error == pytest.approx(repeated.standard_error)
    assert test.p_value == pytest.approx(repeated.p_value)
    with pytest.raises(
        ValueError, match="sample_weight must give each class a weight of more than 1"
    ):
        auc_test(y, a, b, sample_weight=weight / 100)


def test_weights_far_apart_keep_the_digits_that_matter():
    y = [1, 1, 0, 0]
    a = [3.0, 1.0, 2.0, 0.0]
    b = [3.0, 0.0, 2.0, 1.0]
    heavy = auc_test(y, a, b, sample_weight=[1e6, 1.0, 2.0, 2.0])
    # the light positive wins one of four pairs with a and none with b: placements differ by 1/2
    n = 1e6 + 1
    of_pos = (0.5**2 * 1e6 / n) / (n - 1) / n
    of_neg = (1 / n) ** 2 / 12
    assert heavy.standard_error == pytest.approx(np.sqrt(of_pos + of_neg), rel=1e-9)


@pytest.mark.parametrize("n", [2, 5, 9])
def test_the_best_balanced_accuracy_is_at_least_a_quarter_and_half_the_auc(n):
    for labels in product((0, 1), repeat=n):
        if 0 < sum(labels) < n:
            ranked = RankedSegments.from_scores(labels, np.arange(n))
            best = (ranked.tpr + 1 - ranked.fpr).max() / 2
            assert best >= ranked.auc / 2 + 0.25 - 1e-12
