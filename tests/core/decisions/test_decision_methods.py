"""The fast methods behind expected utilities: against the paper's algorithms and each other."""

import tracemalloc
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz.core.base.progress import SimulationStopped
from rocviz.core.decisions import _windowed_utility
from rocviz.core.decisions._integral_utility import (
    am_utilities,
    g_tp_pr_utilities,
    q_mean_utilities,
    ratio_utilities,
)
from rocviz.core.decisions._smooth_utility import smooth_utilities
from rocviz.core.decisions._windowed_utility import windowed_utilities
from rocviz.core.decisions.decision import optimal_decision, prefix_utilities
from rocviz.core.decisions.formula import parse_formula
from rocviz.core.decisions.label_utility import expected_utility
from rocviz.core.decisions.linear_fractional import LinearFractional
from rocviz.core.decisions.reference import algorithm_1, algorithm_2
from rocviz.core.decisions.utility import resolve_metric

RNG = np.random.default_rng(0)

# every sign of both terms of the denominator, zeros at one end, constants, and cancelling parts
RATIOS = {
    "F1": LinearFractional((0, 2, 0, 0), (0, 0, 1, 1)),
    "F30": LinearFractional((0, 901, 0, 0), (0, 0, 1, 900)),
    "F0.03": LinearFractional((0, 1.0009, 0, 0), (0, 0, 1, 0.0009)),
    "accuracy": LinearFractional((1, 2, -1, -1), (1, 0, 0, 0)),
    "recall": LinearFractional((0, 1, 0, 0), (0, 0, 0, 1)),
    "precision": LinearFractional((0, 1, 0, 0), (0, 0, 1, 0)),
    "specificity": LinearFractional((1, 1, -1, -1), (1, 0, 0, -1)),
    "negative predictive value": LinearFractional((1, 1, -1, -1), (1, 0, -1, 0)),
    "F of the negatives": LinearFractional((1, 1, -1, -1), (1, 0, -0.5, -0.5)),
    "Jaccard of the negatives": LinearFractional((1, 1, -1, -1), (1, -1, 0, 0)),
    "both negative": LinearFractional((0, 1, 0), (-0.1, 0, -1, -1)),
    "mixed": LinearFractional((0.3, -1, 0, 0.2), (0.5, -1, 0.3, 1.3)),
    "not monotonic": LinearFractional((1.9, 2, 1.5), (0.8, 1.3, -0.7, -0.7)),
    "linear": LinearFractional((0.5, 2, -1, -0.3), (2, 0, 0, 0)),
    "decimal": LinearFractional((0, 0.7, -0.1, 0), (0, -0.3, 0.1, 0.3)),
}


def vectors(n):
    """Yield decreasing probabilities with ties, zeros and ones, and of extreme sizes."""
    kinds = (
        RNG.random(n),
        RNG.choice([0, 0.25, 0.5, 1], n),
        RNG.beta(0.1, 0.1, n),
        np.full(n, 0.3),
        RNG.beta(0.1, 1, n),
        10.0 ** -RNG.integers(0, 15, n),
        1 - 10.0 ** -RNG.integers(0, 17, n),
    )
    for prob in kinds if n < 200 else kinds[:3]:
        yield -np.sort(-prob)


def assert_equals_algorithm_1(values, eta, phi):
    want = algorithm_1(eta, phi)
    np.testing.assert_allclose(values, want, rtol=0, atol=1e-12 * max(1, np.abs(want).max()))


@pytest.mark.parametrize("n", [1, 2, 17, 80])
@pytest.mark.parametrize("name", RATIOS)
def test_ratios(name, n):
    for eta in vectors(n):
        phi = resolve_metric(RATIOS[name], zero_division=0.25)
        assert_equals_algorithm_1(ratio_utilities(eta, RATIOS[name], 0.25), eta, phi)


COEFFICIENT = st.sampled_from([-1.0, -0.5, 0.0, 0.3, 1.0, 2.0])
COEFFICIENTS = st.tuples(COEFFICIENT, COEFFICIENT, COEFFICIENT, COEFFICIENT)


@given(COEFFICIENTS, COEFFICIENTS.filter(any), st.integers(1, 12))
def test_any_ratio_is_exact_refused_or_delegated(c, d, n):
    ratio = LinearFractional(c, d)
    eta = np.linspace(0.9, 0.1, n)
    exact = [Fraction(str(x)) for x in d]
    corners = (exact[0], exact[0] + exact[3], exact[0] + exact[2], sum(exact))
    if min(corners) < 0 < max(corners):
        assert ratio_utilities(eta, ratio, 0.5) is None
        return
    try:
        want = algorithm_1(eta, ratio, zero_division=0.5)
    except ValueError as error:
        with pytest.raises(ValueError, match=str(error)):
            ratio_utilities(eta, ratio, 0.5)
        return
    utility = ratio_utilities(eta, ratio, 0.5)
    np.testing.assert_allclose(utility, want, rtol=0, atol=1e-12 * max(1, np.abs(want).max()))


@pytest.mark.parametrize("method", ["direct", "fast"])
@pytest.mark.parametrize(
    "ratio",
    [
        LinearFractional((0, 0, 1, 0), (0, 0, 0, 1)),  # v / p
        LinearFractional((0, 0, 0, 1), (0, 0, 1, 0)),  # p / v
        LinearFractional((0, 0, 0, 1), (0, 1, 0, 0)),  # p / u
        LinearFractional((0, 0, 1, 0), (0, -1, 0, 1)),  # v / FN
    ],
)
def test_ratios_with_poles_are_refused(ratio, method):
    n = 5 if method == "direct" else 60
    with pytest.raises(ValueError, match=r"^The metric is infinite for some confusion table"):
        prefix_utilities(np.linspace(0.1, 0.9, n), ratio)


def test_a_ratio_whose_denominator_changes_sign_is_summed():
    # the denominator 2 p - 0.997 is never zero with whole numbers of 60
    ratio = LinearFractional((0, 1, 0), (-0.997, 0, 0, 2))
    eta = np.linspace(0.9, 0.1, 60)
    assert ratio_utilities(eta, ratio, 0.0) is None
    want = algorithm_1(eta, ratio)
    np.testing.assert_allclose(prefix_utilities(eta, ratio), want, atol=1e-12 * want.max())


@pytest.mark.parametrize(("n", "zero_division"), [*product([1, 2, 17, 60], [0.0, 1.0]), (200, 0.5)])
@pytest.mark.parametrize("metric", ["am", "q_mean", "g_tp_pr", "g_mean", "h_mean", "mcc"])
def test_metrics_of_rates(metric, zero_division, n):
    phi = resolve_metric(metric, zero_division=zero_division)
    fast = {"am": am_utilities, "q_mean": q_mean_utilities, "g_tp_pr": g_tp_pr_utilities}
    for eta in vectors(n):
        if metric in fast:
            assert_equals_algorithm_1(fast[metric](eta, zero_division), eta, phi)
        else:
            values, error = windowed_utilities(eta, phi, 1e-13)
            assert_equals_algorithm_1(values, eta, phi)
            assert error < 1e-13


@pytest.mark.parametrize("zero_division", [0.0, 1.0])
def test_informedness_of_many(zero_division):
    for eta in vectors(60):
        phi = resolve_metric("informedness", zero_division=zero_division)
        assert_equals_algorithm_1(prefix_utilities(eta, phi), eta, phi)


def step(u, v, p):
    return np.where(u >= 0.7 * p, 1.0, 0.0)


def kink(u, v, p):
    return np.minimum(3 * u, 0.7 * v) - 10 * np.abs(p - 0.4)


@pytest.mark.parametrize("phi", [step, kink, lambda u, v, p: 1e6 * u / (p + v)])
def test_functions_of_every_kind(phi):
    for n in (41, 200):
        for eta in vectors(n):
            assert_equals_algorithm_1(prefix_utilities(eta, phi), eta, resolve_metric(phi))


@pytest.mark.parametrize(
    ("metric", "kind"),
    [
        *product(["f1", "am"], ["spread", "rare", "sharp", "equal"]),
        *product(["jaccard", "q_mean", "g_tp_pr", "accuracy"], ["spread"]),
    ],
)
def test_integrals_and_windows_agree_on_many(metric, kind):
    n = 5000  # more than a block of integrals, more than a stretch of windows
    eta = -np.sort(
        -{
            "spread": RNG.random(n),
            "rare": RNG.beta(0.5, 500, n),
            "sharp": RNG.beta(0.05, 0.5, n),
            "equal": np.full(n, 0.3),
        }[kind]
    )
    phi = resolve_metric(metric)
    windows, error = windowed_utilities(eta, phi, 1e-13)
    assert error < 2e-13
    np.testing.assert_allclose(prefix_utilities(eta, phi), windows, rtol=0, atol=1e-13)


@pytest.mark.parametrize("metric", ["g_mean", "h_mean", "mcc"])
def test_strided_sums_equal_full_ones(metric):
    prob = RNG.random(5000)
    decision = optimal_decision(prob, metric)
    for k in (0, 1, 40, 1000, decision.n_predicted_positive, 4999, 5000):
        labels = np.zeros(5000, int)
        labels[decision.order[:k]] = 1
        full = expected_utility(labels, prob, metric)
        assert decision.utilities[k] == pytest.approx(full, abs=3e-14)


@pytest.mark.parametrize(
    "metric", ["g_mean", "h_mean", "mcc", parse_formula("u / sqrt(v + 0.2*p)")]
)
@pytest.mark.parametrize("kind", ["spread", "equal"])
def test_few_counts_with_equal_moments_suffice(metric, kind):
    n = 3000
    eta = -np.sort(-np.random.default_rng(3).random(n)) if kind == "spread" else np.full(n, 0.3)
    phi = resolve_metric(metric)
    smooth, error = smooth_utilities(eta, phi, 1e-13)
    windowed, _ = windowed_utilities(eta, phi, 1e-13)
    inside = np.isfinite(smooth)
    assert inside.mean() > 0.7
    np.testing.assert_allclose(smooth[inside], windowed[inside], rtol=0, atol=1e-13)
    assert 0 < error < 1e-13
    mixed, _ = windowed_utilities(eta, phi, 1e-13, has_bends=False)
    np.testing.assert_allclose(mixed, windowed, rtol=0, atol=1e-13)


def test_few_counts_are_not_used_where_they_fail():
    eta = -np.sort(-np.random.default_rng(3).random(3000))
    # a pole in sight, a jump that no formula has, a value that is none between counts
    pole = resolve_metric(lambda u, v, p: 1 / ((u - 0.31) ** 2 + 1e-6))
    utilities, _ = smooth_utilities(eta, pole, 1e-13)
    assert np.isfinite(utilities).any()
    assert np.isnan(utilities).any()
    utilities, _ = smooth_utilities(eta, resolve_metric(step), 1e-13)
    assert np.isnan(utilities).any()
    whole = resolve_metric(lambda u, v, p: np.where(abs(3000 * u % 1 - 0.5) < 0.4, np.nan, u))
    utilities, _ = smooth_utilities(eta, whole, 1e-13)
    assert np.isnan(utilities).all()


@pytest.mark.parametrize("formula", ["max(u, 0.4*v) / (p + v)", "u / (p + v) + sqrt(u)"])
def test_sums_report_progress_and_can_be_stopped(formula):
    eta = np.random.default_rng(0).random(200)
    phi = parse_formula(formula)
    plain = optimal_decision(eta, phi)
    seen = []
    watched = optimal_decision(eta, phi, progress=lambda steps: seen.extend(steps) or list(steps))
    np.testing.assert_array_equal(watched.utilities, plain.utilities)
    assert seen == [0, 64, 128, 192]
    with pytest.raises(SimulationStopped):
        optimal_decision(eta, phi, should_stop=lambda: True)


def test_jumps_are_found_and_summed_in_full():
    eta = -np.sort(-np.random.default_rng(5).random(300))
    want = algorithm_1(eta, step)
    exact, error = windowed_utilities(eta, resolve_metric(step), 1e-13)
    np.testing.assert_allclose(exact, want, rtol=0, atol=1e-13)
    assert error < 1e-13
    rough, error = windowed_utilities(eta, resolve_metric(step), 1e-2)
    assert 0 < np.abs(rough - want).max() <= error < 1e-2


def test_oscillating_metrics_are_summed_exactly():
    def swing(u, v, p):
        return np.cos(np.pi * np.round(u * 400))

    eta = -np.sort(-RNG.random(400))
    assert_equals_algorithm_1(prefix_utilities(eta, swing), eta, resolve_metric(swing))


def test_omitted_probability_is_in_the_error(monkeypatch):
    monkeypatch.setattr(_windowed_utility, "_MAX_DROPPED_MASS", 1e-6)
    monkeypatch.setattr(_windowed_utility, "_MAX_SKIPPED_MASS", 1e-5)
    monkeypatch.setattr(_windowed_utility, "_STRIDE_PRECISION", np.inf)
    eta = -np.sort(-RNG.random(3000))
    phi = resolve_metric("f1")
    values, error = windowed_utilities(eta, phi, 0.0)
    lost = prefix_utilities(eta, phi) - values
    assert 1e-6 < lost.max() <= error < 1e-3
    # what was dropped early is given back to the rest, so that it may be missed either way
    assert lost.min() > -error


def test_error_is_in_units_of_the_metric():
    eta = np.linspace(0.9, 0.1, 100)
    error = optimal_decision(eta, lambda u, v, p: u).error
    error_of_thousands = optimal_decision(eta, lambda u, v, p: 1000 * u).error
    assert error_of_thousands == pytest.approx(1000 * error)


@pytest.mark.parametrize("metric", ["f2", "jaccard", "am", "g_tp_pr", "q_mean", "g_mean"])
def test_memory_grows_with_samples_only(metric):
    peaks = []
    for n in (4000, 16_000):
        eta = np.linspace(0.9, 0.1, n)
        tracemalloc.start()
        prefix_utilities(eta, metric)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 5 * peaks[0]
    assert peaks[1] < 40e6


@pytest.mark.parametrize("n", [1, 2, 30, 60])
@pytest.mark.parametrize(
    "metric",
    [
        "f1",
        "f2",
        "f0.5",
        "jaccard",
        LinearFractional((1, 2, -1), (0.5, 1, 0.25, -0.3)),
        LinearFractional((1, 2, -1), (2, -0.2, 0, 0)),
        LinearFractional((1.9, 2, 1.5), (0.8, 1.3, -0.7, -0.7)),
    ],
)
def test_algorithm_2_equals_algorithm_1(metric, n):
    for eta in vectors(n):
        want = algorithm_1(eta, metric, zero_division=1.0)
        utilities = algorithm_2(eta, metric, zero_division=1.0)
        atol = 2e-12 * max(1, np.abs(want).max())
        np.testing.assert_allclose(utilities, want, rtol=0, atol=atol)


def test_a_function_may_be_infinite_between_counts():
    prob = np.array([0.9, 0.5, 0.1])

    def at_counts_only(u, v, p):
        return np.where(np.isclose(3 * u, np.round(3 * u)), u, np.inf)

    utilities, error = windowed_utilities(prob, resolve_metric(at_counts_only), 1e-13)
    expected, _ = windowed_utilities(prob, resolve_metric(lambda u, v, p: u), 1e-13)
    np.testing.assert_allclose(utilities, expected, atol=1e-13)
    assert error < 1e-12
