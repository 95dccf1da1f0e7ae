"""Binomial intervals: reference values, agreement with SciPy, coverage by enumeration."""

import numpy as np
import pytest
from scipy.special import gammainccinv, gammaincinv
from scipy.stats import beta, binom, binomtest

from rocviz.core.roc.metrics import INTERVAL_METHODS, binomial_interval

CASES = [(0, 10), (1, 10), (5, 10), (10, 10), (3, 7), (80, 1000), (0, 1), (1, 1)]


@pytest.mark.parametrize(("method", "peer"), [("wilson", "wilson"), ("clopper-pearson", "exact")])
@pytest.mark.parametrize("confidence", [0.2, 0.95, 0.999])
@pytest.mark.parametrize(("x", "n"), CASES)
def test_against_scipy(x, n, confidence, method, peer):
    want = binomtest(x, n).proportion_ci(confidence, method=peer)
    interval = binomial_interval(x, n, confidence=confidence, method=method)
    np.testing.assert_allclose(interval, want, atol=1e-12)


@pytest.mark.parametrize(("x", "n"), CASES)
def test_jeffreys_is_the_credible_interval(x, n):
    low, high = binomial_interval(x, n, method="jeffreys")
    posterior = beta(x + 0.5, n - x + 0.5)
    assert low == pytest.approx(0 if x == 0 else posterior.ppf(0.025), abs=1e-12)
    assert high == pytest.approx(1 if x == n else posterior.ppf(0.975), abs=1e-12)


@pytest.mark.parametrize("method", INTERVAL_METHODS)
def test_coverage(method):
    n = 30
    x = np.arange(31)
    low, high = binomial_interval(x, n, confidence=0.9, method=method)
    p = np.linspace(0.01, 0.99, 197)[:, None]
    covered = (binom.pmf(x, n, p) * ((low <= p) & (p <= high))).sum(axis=1)
    if method == "clopper-pearson":
        assert covered.min() >= 0.9 - 1e-12
    else:
        assert covered.mean() == pytest.approx(0.9, abs=0.015)


@pytest.mark.parametrize("method", INTERVAL_METHODS)
def test_shape_order_and_symmetry(method):
    x = np.arange(11.0)
    low, high = binomial_interval(x, 10, method=method)
    assert low.shape == (11,)
    assert (np.diff(low) > 0).all()
    assert (np.diff(high) > 0).all()
    np.testing.assert_allclose(low, 1 - high[::-1], atol=1e-12)
    assert ((low <= x / 10) & (x / 10 <= high)).all()
    assert low[0] == 0
    assert high[-1] == 1
    table = binomial_interval([[1], [2]], [4, 8, 16], method=method)
    assert table[0].shape == (2, 3)


@pytest.mark.parametrize("n", [1e8, 1e9, 1e12])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.9999])
def test_a_few_among_very_many(n, confidence):
    # SciPy's quantile of the Beta law is off by a factor of 2 for 1000 of 1e9; this is Poisson's
    # limit, with a correction that leaves 1 / n**2
    tail = (1 - confidence) / 2
    for x in (1, 5, 1000):
        low, high = binomial_interval(
            [x, n - x], n, confidence=confidence, method="clopper-pearson"
        )
        lower = -np.expm1(-gammaincinv(x, tail) / (n - x / 2 + 0.5))
        upper = -np.expm1(-gammainccinv(x + 1, tail) / (n - x / 2))
        np.testing.assert_allclose([low[0], high[0]], [lower, upper], rtol=1e-10)
        np.testing.assert_allclose([low[1], high[1]], [1 - upper, 1 - lower], rtol=1e-15)
