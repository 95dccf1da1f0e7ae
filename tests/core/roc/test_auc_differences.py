"""Differences of AUCs: never more certain than their parts, and worked numbers of small samples."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import expit, logit
from scipy.stats import norm, t

from rocviz.core.comparison.auc_covariance import auc_covariance
from rocviz.core.roc import auc_test
from rocviz.core.roc.auc_differences import AUCSide, compare_aucs, mover_ends
from rocviz.core.roc.auc_intervals import auc_interval
from rocviz.core.roc.placements import satterthwaite_degrees


def drawn(n_pos, n_neg, auc_a, auc_b, rng, correlation=0.7):
    """Draw labels and two normal scores with these AUCs."""
    y = np.arange(n_pos + n_neg) < n_pos
    shared = rng.normal(size=y.size)
    scores = []
    for auc in (auc_a, auc_b):
        own = rng.normal(size=y.size)
        noise = np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * own
        scores.append(noise + np.sqrt(2) * norm.ppf(auc) * y)
    return y, *scores


# a perfect ranking against a constant score: lower end and p-value, worked out by hand
@pytest.mark.parametrize(
    ("n", "lower", "p_value"),
    [(2, -0.47, 0.72), (4, None, 0.29), (10, 0.06, 0.023), (20, None, 0.0004)],
)
def test_few_samples_without_variance_are_not_certain(n, lower, p_value):
    y = np.arange(2 * n) >= n
    test = auc_test(y, np.arange(2 * n), np.full(2 * n, 0.5))
    assert test.is_fallback
    assert np.isnan(test.standard_error)
    assert test.difference == 0.5
    assert test.p_value == pytest.approx(p_value, rel=0.025, abs=5e-5)
    assert test.lower < 0.5 < test.upper <= 1
    if lower is not None:
        assert test.lower == pytest.approx(lower, abs=0.005)
    table = auc_covariance(y, {"a": np.arange(2.0 * n), "b": np.zeros(2 * n)}).pairs()
    assert table.loc[0, ["lower", "p_value", "p_holm"]].tolist() == pytest.approx(
        [test.lower, test.p_value, test.p_value]
    )
    assert table.loc[0, "is_fallback"]
    assert np.isnan(table.loc[0, "standard_error"])


def test_perfect_against_reversed_is_not_certain():
    y = np.arange(20) >= 10
    for method in ("delong-mover", "delong"):
        test = auc_test(y, np.arange(20), -np.arange(20), method=method)
        assert test.difference == 1
        assert 0 < test.p_value < 0.001
        single = auc_interval(y, np.arange(20))
        # as far from 1 as two bounds that are each off by the same
        off = np.sqrt(2) * (1 - single.lower)
        assert (test.lower, test.upper) == pytest.approx((1 - off, 1))


def single_ends(y, score, confidence):
    """Compute an interval on the scale of log odds by Student's distribution, from all pairs."""
    psi = np.heaviside(score[y][:, None] - score[~y], 0.5)
    variances = np.array([psi.mean(1).var(ddof=1) / y.sum(), psi.mean(0).var(ddof=1) / (~y).sum()])
    sizes = np.array([y.sum(), (~y).sum()])
    auc = psi.mean()
    degrees = variances.sum() ** 2 / (variances**2 / (sizes - 1)).sum()
    half = t.ppf(0.5 + confidence / 2, degrees) * np.sqrt(variances.sum()) / auc / (1 - auc)
    return auc, expit(logit(auc) - half), expit(logit(auc) + half), psi


def hull_by_definition(y, a, b, confidence):
    """Compute both intervals of a difference from the matrices of all pairs."""
    auc_a, low_a, high_a, psi_a = single_ends(y, a, confidence)
    auc_b, low_b, high_b, psi_b = single_ends(y, b, confidence)
    rows = np.cov(psi_a.mean(1), psi_b.mean(1)) / y.sum()
    columns = np.cov(psi_a.mean(0), psi_b.mean(0)) / (~y).sum()
    covariance = rows + columns
    r = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    gap = psi_a - psi_b
    variances = np.array([gap.mean(1).var(ddof=1) / y.sum(), gap.mean(0).var(ddof=1) / (~y).sum()])
    sizes = np.array([y.sum(), (~y).sum()])
    degrees = variances.sum() ** 2 / (variances**2 / (sizes - 1)).sum()
    d = auc_a - auc_b
    half = t.ppf(0.5 + confidence / 2, degrees) * np.sqrt(variances.sum())
    x, y_ = auc_a - low_a, high_b - auc_b
    below = np.sqrt(x**2 + y_**2 - 2 * r * x * y_)
    x, y_ = high_a - auc_a, auc_b - low_b
    above = np.sqrt(x**2 + y_**2 - 2 * r * x * y_)
    return min(d - half, d - below), max(d + half, d + above)


# variances, degrees of freedom, and the smaller class; SciPy's quantiles overflow far out
@pytest.mark.parametrize(
    ("auc", "variance", "degrees", "smaller"),
    [
        ((0.79756, 0.678), (0.0, 0.0), (np.inf, np.inf), (20.0, 20.0)),
        ((0.99425, 1.0), (0.0, 0.0), (np.inf, np.inf), (838.0, 838.0)),
        ((0.518, 0.451), (2e-3, 1.5e-3), (4.5, 10.4), (224.0, 224.0)),
        ((0.754, 0.849), (3e-4, 4e-5), (10.3, 2.8), (892.0, 892.0)),
    ],
)
def test_p_values_begin_where_the_interval_holds_zero_without_spread_of_the_difference(
    auc, variance, degrees, smaller
):
    columns = [np.reshape(column, (2, 1)) for column in (auc, variance, degrees, smaller)]
    sides = [
        AUCSide(columns[0][i], 1 - columns[0][i], *(column[i] for column in columns[1:]))
        for i in (0, 1)
    ]
    difference = sides[0].auc - sides[1].auc
    none = np.zeros(1)
    result = compare_aucs(*sides, difference, none, none + 9, none, none > 0, 0.95)
    (p_value,) = result.p_value
    assert 1e-4 < p_value < 1
    for factor, holds in ((1.001, False), (0.999, True)):
        low, high = mover_ends(*sides, difference, none, np.array([p_value * factor / 2]))
        assert ((low <= 0) & (high >= 0)).all() == holds


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("n_pos", "n_neg"), [(12, 15), (8, 120)])
def test_interval_and_test_are_those_of_the_hull_of_both_intervals(seed, n_pos, n_neg):
    y, a, b = drawn(n_pos, n_neg, 0.9, 0.7, np.random.default_rng(seed))
    test = auc_test(y, a, b, confidence=0.9)
    low, high = hull_by_definition(y, a, b, 0.9)
    assert (test.lower, test.upper) == pytest.approx((max(low, -1), min(high, 1)), rel=1e-9)

    # the p-value is the level whose interval begins to hold 0
    def distance(level):
        low, high = hull_by_definition(y, a, b, level)
        return low if test.difference > 0 else -high

    p_value = 1 - brentq(distance, 1e-6, 1 - 1e-9, xtol=1e-12)
    assert test.p_value == pytest.approx(p_value, rel=1e-6)
    back = auc_test(y, b, a, confidence=0.9)
    assert (back.lower, back.upper) == pytest.approx((-test.upper, -test.lower))
    assert back.p_value == pytest.approx(test.p_value)


def test_delong_stays_the_published_test():
    y, a, b = drawn(12, 15, 0.9, 0.7, np.random.default_rng(1))
    test = auc_test(y, a, b, method="delong")
    z = test.difference / test.standard_error
    assert test.p_value == pytest.approx(2 * norm.sf(abs(z)), rel=1e-12)
    half = norm.ppf(0.975) * test.standard_error
    assert (test.lower, test.upper) == pytest.approx(
        (test.difference - half, test.difference + half)
    )
    assert test.p_value < auc_test(y, a, b).p_value
    assert test.method == "delong"
    with pytest.raises(ValueError, match="method must be one of delong-mover, delong"):
        auc_test(y, a, b, method="wald")


@pytest.mark.parametrize(
    ("n_pos", "n_neg", "auc_a", "auc_b"), [(10, 10, 0.99, 0.9), (10, 190, 0.99, 0.9)]
)
def test_the_hull_covers_where_delongs_interval_does_not(n_pos, n_neg, auc_a, auc_b):
    rng = np.random.default_rng(2)
    n_covered = {"delong-mover": 0, "delong": 0}
    for _ in range(200):
        data = drawn(n_pos, n_neg, auc_a, auc_b, rng)
        for method in n_covered:
            test = auc_test(*data, method=method)
            n_covered[method] += test.lower <= auc_a - auc_b <= test.upper
    assert n_covered["delong-mover"] >= 0.89 * 200
    assert n_covered["delong"] < 0.9 * 200


def test_large_differences_of_many_samples_have_small_p_values():
    y, a, b = drawn(3000, 3000, 0.95, 0.6, np.random.default_rng(0))
    assert 0 < auc_test(y, a, b).p_value < 1e-100
    # and where even the smallest number is too large
    y = np.arange(40_000) >= 20_000
    assert 0 < auc_test(y, np.arange(y.size), np.zeros(y.size)).p_value < 1e-290


def test_degrees_of_freedom_after_satterthwaite():
    # equal variances of equal samples add their degrees, and one that is far larger keeps its own
    sizes = np.array([[11.0], [11.0]])
    assert satterthwaite_degrees(np.array([[2.0], [2.0]]), sizes) == pytest.approx([20])
    assert satterthwaite_degrees(np.array([[2.0], [0.0]]), sizes) == pytest.approx([10])
    assert satterthwaite_degrees(np.zeros((2, 1)), sizes) == [np.inf]
