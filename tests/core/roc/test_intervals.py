"""Binomial intervals: reference values, agreement with SciPy, coverage by enumeration."""

import warnings

import numpy as np
import pytest
from scipy.special import gammainccinv, gammaincinv, ndtri
from scipy.stats import beta, binom, binomtest

from rocviz.core.roc.binomial_interval import METHODS, binomial_interval

CASES = [(0, 10), (1, 10), (5, 10), (10, 10), (3, 7), (80, 1000), (0, 1), (1, 1)]


@pytest.mark.parametrize(("method", "peer"), [("wilson", "wilson"), ("clopper-pearson", "exact")])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
@pytest.mark.parametrize(("x", "n"), CASES)
def test_against_scipy(x, n, confidence, method, peer):
    want = binomtest(x, n).proportion_ci(confidence, method=peer)
    got = binomial_interval(x, n, confidence=confidence, method=method)
    np.testing.assert_allclose(got, want, atol=1e-12)


@pytest.mark.parametrize(("x", "n"), CASES)
def test_jeffreys_is_the_credible_interval(x, n):
    low, high = binomial_interval(x, n, method="jeffreys")
    posterior = beta(x + 0.5, n - x + 0.5)
    assert low == pytest.approx(0 if x == 0 else posterior.ppf(0.025), abs=1e-12)
    assert high == pytest.approx(1 if x == n else posterior.ppf(0.975), abs=1e-12)


def test_printed_values():
    # Wilson for 8 of 10 and Clopper-Pearson for 0 of 10 stand in many textbooks
    np.testing.assert_allclose(binomial_interval(8, 10), (0.4902, 0.9433), atol=5e-5)
    zero = binomial_interval(0, 10, method="clopper-pearson")
    np.testing.assert_allclose(zero, (0, 1 - 0.025 ** (1 / 10)), atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_coverage(method):
    n, x = 30, np.arange(31)
    low, high = binomial_interval(x, n, confidence=0.9, method=method)
    p = np.linspace(0.01, 0.99, 197)[:, None]
    covered = (binom.pmf(x, n, p) * ((low <= p) & (p <= high))).sum(axis=1)
    if method == "clopper-pearson":
        assert covered.min() >= 0.9 - 1e-12
    else:
        assert covered.mean() == pytest.approx(0.9, abs=0.015)


@pytest.mark.parametrize("method", METHODS)
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


@pytest.mark.parametrize("method", METHODS)
def test_no_trials_say_nothing(method):
    assert tuple(map(float, binomial_interval(0, 0, method=method))) == (0, 1)


@pytest.mark.parametrize("method", METHODS)
def test_weights_in_between(method):
    low, high = binomial_interval([2, 2.5, 3], 10, method=method)
    assert low[0] < low[1] < low[2]
    assert high[0] < high[1] < high[2]


@pytest.mark.parametrize(
    ("x", "n", "more", "message"),
    [
        (3, 2, {}, "0 <= successes <= trials"),
        (-1, 2, {}, "0 <= successes <= trials"),
        (np.nan, 2, {}, "must be finite"),
        (1, np.inf, {}, "must be finite"),
        ("a", 3, {}, "successes must be numbers"),
        ([1, 2], [3, 4, 5], {}, "successes and trials must broadcast"),
        (1, 2, {"confidence": 95}, "confidence must be strictly between 0 and 1"),
        (1, 2, {"method": "wald"}, "method must be one of wilson, clopper-pearson, jeffreys"),
    ],
)
def test_refuses(x, n, more, message):
    with pytest.raises(ValueError, match=message):
        binomial_interval(x, n, **more)


@pytest.mark.parametrize("n", [1e9, 1e12, 1e15])
@pytest.mark.parametrize("confidence", [1e-12, 0.95, 1 - 1e-12])
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
        np.testing.assert_allclose([low[0], high[0]], [lower, upper], rtol=2e-12)
        np.testing.assert_allclose([low[1], high[1]], [1 - upper, 1 - lower], rtol=1e-15)


def test_jeffreys_far_out_where_scipy_has_no_quantile():
    low, high = binomial_interval(0.51, 1, confidence=1 - 2**-53, method="jeffreys")
    assert low == pytest.approx(8.122248750800922e-17, rel=1e-12)  # with 40 digits
    assert high == 1


def test_half_of_very_many():
    # the quantile of the symmetrical Beta law to the third order (Cornish and Fisher)
    for n in (1e8, 1e12, 9e15):
        z, m = -ndtri(0.025), n + 1
        half = z / 2 / np.sqrt(m) * (1 - (z**2 - 1) / (4 * m))
        low, high = binomial_interval(n / 2, n, method="jeffreys")
        np.testing.assert_allclose([low, high], [0.5 - half, 0.5 + half], rtol=1e-14)
    low, high = binomial_interval(1.25, 2.5, confidence=1e-300, method="jeffreys")
    np.testing.assert_allclose([low, high], 0.5, rtol=1e-14)


def test_next_to_no_confidence_and_next_to_no_successes():
    # sqrt(pi / 2) times the confidence is how many standard errors hold so little
    low, high = binomial_interval([0.0, 1e-9], 1.0, confidence=1e-12)
    z2 = np.pi / 2 * 1e-24
    np.testing.assert_allclose(high[0], z2, rtol=1e-12)
    low, high = binomial_interval(1e-9, 1.0, confidence=0.95)
    z2 = ndtri(0.025) ** 2
    root = np.sqrt(z2 * (1e-9 * (1 - 1e-9) + z2 / 4))
    np.testing.assert_allclose(low, 1e-18 / (1e-9 + z2 / 2 + root), rtol=1e-12)


def test_next_to_nothing_of_very_many():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        low, high = binomial_interval([0.0, 1e-300], 1e14, method="clopper-pearson")
    assert low.tolist() == [0, 0]
    np.testing.assert_allclose(high, -np.log(0.025) / 1e14, rtol=1e-12)


def test_wilson_intervals_that_are_hardly_sure_of_anything():
    # no width is left: both ends are the proportion, however small it is
    found = binomial_interval([2e-200, 3.0, 1e307], [1.0, 4.0, 1e308], confidence=1e-200)
    np.testing.assert_allclose(found, [[2e-200, 0.75, 0.1]] * 2, rtol=1e-14)
    found = binomial_interval(1.5e308, 1.6e308, confidence=1 - 1e-16)
    np.testing.assert_allclose(found, 0.9375, rtol=1e-14)
