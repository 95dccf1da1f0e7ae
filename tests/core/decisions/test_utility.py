"""Metrics of a confusion table: the paper's table, and their own edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz.core.decisions.linear_fractional import LinearFractional
from rocviz.core.decisions.monotonicity import is_monotonic
from rocviz.core.decisions.utility import Metric, resolve_metric
from rocviz.core.roc.metrics import METRICS

OBJECTIVES = [name for name, row in METRICS.items() if row.is_objective]
# of the specification: TP monotonic by the paper's proposition 8, and yet not
COUNTEREXAMPLE = LinearFractional(c=(1.9, 2, 1.5), d=(0.8, 1.3, -0.7, -0.7))


@pytest.mark.parametrize("metric", OBJECTIVES)
def test_counts_and_rates_agree(metric):
    phi = resolve_metric(metric, beta=0.7, cost_fp=2.0, cost_fn=0.25)
    n = 12
    tp, k, pos = np.indices((n + 1, n + 1, n + 1)).reshape(3, -1)
    possible = (tp <= k) & (tp <= pos) & (k + pos - n <= tp)
    tp = tp[possible]
    k = k[possible]
    pos = pos[possible]
    at_rates = phi(tp / n, k / n, pos / n)
    np.testing.assert_allclose(phi.at_counts(tp, k, pos, n), at_rates, atol=1e-13)


@pytest.mark.parametrize("zero_division", [0.0, 1.0])
def test_matthews_correlation_is_zero_where_one_side_does_not_vary(zero_division):
    phi = resolve_metric("mcc", zero_division=zero_division)
    ends = phi([0, 0, 0.3, 1, 0, 0.4], [0, 0.3, 0.3, 1, 0, 1], [0, 0, 1, 1, 0.4, 0.4])
    np.testing.assert_array_equal(ends, 0)
    assert phi(0.3, 0.3, 0.3) == pytest.approx(1)
    assert phi(0.0, 0.3, 0.7) == pytest.approx(-1)
    # 0.1 * 3 + 0.7 is one but for rounding, and the root of what is left would be 1e-8
    assert phi(0.5, 0.1 * 3 + 0.7, 0.5) == phi(0.5, 0.7 + 0.1 + 0.2 - 1e-16, 0.5) == 0


def test_cancelling_rates_give_exactly_zero():
    # 1 - 0.7 - 0.6 + 0.3 is 5.6e-17 in binary; its square root would be 7.5e-9
    assert resolve_metric("g_mean")(0.3, 0.7, 0.6) == 0


@given(
    st.sampled_from(["f", "jaccard", "accuracy", "cost", "precision", "npv", "fnr"]),
    st.integers(0, 9),
    st.integers(0, 9),
    st.integers(0, 9),
)
def test_metrics_that_are_ratios(name, tp, fp, fn):
    phi = resolve_metric(name, beta=1.7, cost_fp=0.4, cost_fn=3.0, zero_division=0.5)
    ratio = resolve_metric(phi.linear_fractional, zero_division=0.5)
    table = (tp, tp + fp, tp + fn, tp + fp + fn + 4)
    assert ratio.at_counts(*table) == pytest.approx(float(phi.at_counts(*table)), abs=1e-13)


def test_other_metrics_are_not_ratios():
    assert resolve_metric("g_mean").linear_fractional is None
    assert resolve_metric(lambda u, v, p: u).linear_fractional is None
    assert resolve_metric(COUNTEREXAMPLE).linear_fractional is COUNTEREXAMPLE


def test_linear_fractional():
    assert LinearFractional([0, 1, 0], np.array([0, 0, 1.0])) == LinearFractional(
        (0, 1, 0, 0), (0, 0, 1, 0)
    )
    precision = LinearFractional((0, 1, 0), (0, 0, 1))
    assert precision(0.2, 0.4, 0.9) == 0.5
    assert np.isnan(precision(0.0, 0.0, 0.9))
    assert resolve_metric(precision, zero_division=1.0)(0.0, 0.0, 0.9) == 1
    # 0.1 + 0.2 - 0.3 does not cancel in binary, but nothing over nothing it is
    cancelling = LinearFractional((-0.3, 0.1, 0.2), (-0.3, 0.1, 0.2))
    assert np.isnan(cancelling(1.0, 1.0, 0.5))
    with pytest.raises(ValueError, match=r"^The metric is infinite for some confusion table"):
        LinearFractional((1, 0, 0), (0, 0, 1))(0.0, 0.0, 0.5)


def test_a_metric_stays_itself():
    phi = resolve_metric("f2", zero_division=1.0)
    assert resolve_metric(phi) is phi
    assert phi == Metric("f", {"beta": 2.0}, zero_division=1.0)
    assert hash(phi) == hash(resolve_metric("f", beta=2.0, zero_division=1.0))


def test_functions_get_arrays_of_one_shape():
    seen = []

    def phi(u, v, p):
        seen.append((u.shape, v.shape, p.shape))
        return u + v

    values = resolve_metric(phi).at_counts([[1.0], [2.0]], 4.0, [3.0, 4.0, 5.0], 8.0)
    assert seen[0] == ((2, 3),) * 3
    assert all(len(set(shapes)) == 1 for shapes in seen)
    np.testing.assert_array_equal(values, np.repeat([[0.625], [0.75]], 3, axis=1))


def test_a_constant_function_is_accepted():
    values = resolve_metric(lambda u, v, p: 2).at_counts([1.0, 2.0], 4.0, 3.0, 8.0)
    np.testing.assert_array_equal(values, [2.0, 2.0])


@pytest.mark.parametrize(
    ("phi", "message"),
    [
        (lambda u, v, p: np.ones(7), r"^metric must return one number .* shape \(7,\) for shape"),
        (lambda u, v: u, "^metric failed on arrays u, v, p of shape"),
        (lambda u, v, p: float(u), "^metric failed on arrays u, v, p of shape"),
        (lambda u, v, p: "high", "^metric failed on arrays"),
        (lambda u, v, p: u if u > 0 else v, "^metric failed on arrays .*ambiguous"),
        (
            lambda u, v, p: np.log(u),
            "^metric must be a finite number everywhere; it is -inf at u=0",
        ),
        (
            lambda u, v, p: np.where(np.abs(u - 0.125) < 0.01, np.nan, u),
            r"^metric must be .*; it is nan at u=0.125, v=0.5, p=0.375\.",
        ),
    ],
)
def test_bad_functions_are_refused(phi, message):
    with pytest.raises(ValueError, match=message):
        resolve_metric(phi).at_counts([0.0, 1.0, 2.0], 4.0, 3.0, 8.0)


def test_zero_over_zero_in_functions():
    phi = resolve_metric(lambda u, v, p: 2 * u / (p + v), zero_division=0.5)
    assert phi(0.0, 0.0, 0.0) == 0.5
    assert phi(0.25, 0.5, 0.5) == 0.5
    phi = resolve_metric(lambda u, v, p: (v - 1) / (v - 1), zero_division=0.5)
    np.testing.assert_array_equal(phi([0.2, 0.2], [1.0, 0.5], 0.2), [0.5, 1.0])


@pytest.mark.parametrize("metric", [*OBJECTIVES, "informedness", "precision", "fpr"])
@pytest.mark.parametrize("zero_division", [0.0, 1.0])
@pytest.mark.parametrize("n", [1, 2, 7])
def test_named_metrics_never_fall_with_true_positives(metric, zero_division, n):
    verdict = is_monotonic(metric, n, beta=2.0, cost_fp=0.3, zero_division=zero_division)
    assert verdict
    assert verdict.tp is None
    assert verdict.predicted is None
    assert str(verdict) == f"More true positives never lower the metric ({n} samples)."


def test_the_worst_step_is_named():
    verdict = is_monotonic(lambda u, v, p: -(u**2), n=3)
    assert not verdict
    assert (verdict.tp, verdict.predicted, verdict.positives) == (1, 2, 2)
    assert (verdict.before, verdict.after) == pytest.approx((-1 / 9, -4 / 9))
    assert "when true positives rise from 1 to 2" in str(verdict)


def test_the_papers_condition_is_not_enough():
    c = COUNTEREXAMPLE.c
    d = COUNTEREXAMPLE.d
    assert c[1] > d[1]
    verdict = is_monotonic(COUNTEREXAMPLE, n=3)
    assert not verdict
    rates = np.array([1, verdict.tp / 3, verdict.predicted / 3, verdict.positives / 3])
    numerator = rates @ c
    denominator = rates @ d
    assert c[1] * denominator < d[1] * numerator


@given(st.lists(st.floats(-2, 2).map(lambda x: round(x, 6)), min_size=3, max_size=3))
def test_slope_of_ratios(c):
    # d of the F measure, whose denominator is positive but at (0, 0, 0)
    ratio = LinearFractional((0, *c), (0, 0.5, 1, 1))
    top = ratio.c
    bottom = ratio.d
    corners = [(1, 0), (0, 1), (1, 1)]
    slopes = [
        top[1] * (bottom[2] * v + bottom[3] * p) - bottom[1] * (top[2] * v + top[3] * p)
        for v, p in corners
    ]
    if min(slopes) > 1e-9:
        assert is_monotonic(ratio, n=6)


def test_size_of_the_lattice_is_checked():
    with pytest.raises(ValueError, match=r"^n must be an integer of at least 1"):
        is_monotonic("f", n=0)


# ---------------------------------------------------------------------- both rates


@pytest.mark.parametrize("metric", OBJECTIVES)
@pytest.mark.parametrize("zero_division", [0.0, 1.0])
@pytest.mark.parametrize("n", [2, 7])
def test_named_metrics_but_sec_never_fall_with_either_rate(metric, zero_division, n):
    verdict = is_monotonic(
        metric, n, by="tpr_tnr", beta=2.0, cost_fp=0.3, zero_division=zero_division
    )
    assert bool(verdict) == (metric != "sec")
    if verdict:
        assert verdict.tp is None
        assert str(verdict) == f"A higher TPR or TNR never lowers the metric ({n} samples)."


def test_ranking_metrics_need_not_rise_with_both_rates():
    # the paper's Remark 12: 2 TP + FP
    phi = resolve_metric(lambda u, v, p: 2 * u + (v - u))
    verdict = is_monotonic(phi, n=4, by="tpr_tnr")
    assert is_monotonic(phi, n=4)
    assert not verdict
    assert (verdict.right, verdict.after) == ("tn", pytest.approx(verdict.before - 1 / 4))
    assert "another true negative is added" in str(verdict)


@given(st.integers(1, 5), st.integers(0, 10_000), st.booleans())
def test_metrics_that_rise_with_both_rates_rise_with_true_positives(n, seed, sort):
    # Proposition 11, for tables of numbers at random, which may or may not rise
    table = np.random.default_rng(seed).integers(0, 9, (n + 1, n + 1, n + 1)).astype(float)
    if sort:
        table = np.sort(np.sort(table, axis=1), axis=2)

    def phi(u, v, p):
        tp, k, pos = np.rint(n * np.stack(np.broadcast_arrays(u, v, p))).astype(int)
        return table[pos, tp, n - pos - k + tp]

    rises = is_monotonic(phi, n, by="tpr_tnr")
    assert rises or not sort
    assert is_monotonic(phi, n) or not rises
    if not rises:
        by_tp, by_tn = {"tp": (1, 0), "tn": (0, 1)}[rises.right]
        tp = rises.tp + by_tp
        tn = rises.tn + by_tn
        assert rises.before == table[rises.positives, rises.tp, rises.tn]
        assert rises.after == table[rises.positives, tp, tn] < rises.before


# ---------------------------------------------------------------------- counts


def test_the_squared_error_of_counts():
    # 5 are predicted positive, 3 are: false alarms less misses is 2
    for tp in (0, 1, 2, 3):
        assert resolve_metric("sec").at_counts(tp, 5, 3, 10) == pytest.approx(-((2 / 10) ** 2))
    assert resolve_metric("sec")(0.1, 0.5, 0.3).shape == ()
    assert resolve_metric("sec").at_counts(np.zeros((3, 1)), 1.0, np.zeros(2), 4).shape == (3, 2)


@pytest.mark.parametrize("rates", [(0, 1.5, 1), (-0.1, 0, 0), (np.nan, 1, 1), (0.5, 0.4, 1)])
def test_rates_of_no_table_are_refused(rates):
    with pytest.raises(ValueError, match=r"^[uv] must be (within \[0, 1\]|at most v and p); got"):
        resolve_metric("mcc")(*rates)
