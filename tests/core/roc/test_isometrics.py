"""Isometrics: they go through the point, keep the value, and end on the border."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given

from rocviz.core.roc.isometrics import isometric, isometric_through, metric_value
from rocviz.core.roc.metrics import METRICS, ConfusionTable, MetricRow

UNIT = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1))
PARAMETERS = st.fixed_dictionaries(
    {
        "prevalence": st.floats(0.01, 0.99),
        "cost_fp": st.sampled_from([0.0, 0.5, 1.0, 20.0]),
        "cost_fn": st.sampled_from([0.1, 1.0, 7.0]),
        "beta": st.sampled_from([0.0, 0.5, 1.0, 2.0]),
    }
)
STRAIGHT = [name for name, row in METRICS.items() if row.coefficients() and name != "prevalence"]
METRIC = st.sampled_from(sorted(METRICS.keys() - {"prevalence"}))
RISING = st.sampled_from(sorted(METRICS.keys() - {"prevalence", "predicted_positive_rate", "sec"}))


def distance(fpr, tpr, f, t):
    dx = np.diff(fpr)
    dy = np.diff(tpr)
    length = dx**2 + dy**2
    dot = (f - fpr[:-1]) * dx + (t - tpr[:-1]) * dy
    part = np.clip(np.divide(dot, length, out=np.zeros_like(dot), where=length > 0), 0, 1)
    return np.hypot(fpr[:-1] + part * dx - f, tpr[:-1] + part * dy - t).min()


def well_formed(fpr, tpr):
    for values in (fpr, tpr):
        assert (values >= 0).all()
        assert (values <= 1).all()
        assert not values.flags.writeable
    assert (np.diff(fpr) >= 0).all()
    for end in (0, -1):
        assert min(fpr[end], tpr[end], 1 - fpr[end], 1 - tpr[end]) < 1e-12


@given(METRIC, UNIT, UNIT, PARAMETERS, st.integers(3, 50))
def test_the_isometric_passes_through_the_point(metric, f, t, parameters, n_points):
    fpr, tpr = isometric_through(metric, f, t, n_points=n_points, **parameters)
    well_formed(fpr, tpr)
    assert distance(fpr, tpr, f, t) < (1e-7 if metric == "q_mean" else 1e-11)
    straight = metric in STRAIGHT or metric == "sec"
    assert fpr.size == tpr.size == (2 if straight else n_points + 1)


@given(METRIC, st.floats(0.001, 0.999), st.floats(0.001, 0.999), PARAMETERS)
def test_the_isometric_has_the_value_of_the_point(metric, f, t, parameters):
    want = float(metric_value(metric, f, t, **parameters))
    fpr, tpr = isometric_through(metric, f, t, **parameters)
    if fpr.size == 2:  # two ends on the border: look in the middle
        fpr, tpr = fpr.mean(), tpr.mean()
    inside = (fpr > 0.01) & (fpr < 0.99) & (tpr > 0.01) & (tpr < 0.99)
    value = metric_value(metric, fpr, tpr, **parameters)
    np.testing.assert_allclose(value[inside], want, rtol=1e-7, atol=1e-9)


@given(RISING, st.floats(0, 1), PARAMETERS)
@example("odds_ratio", 0.95, {"prevalence": 0.5, "cost_fp": 1.0, "cost_fn": 1.0, "beta": 1.0})
@example("likelihood_ratio", 1.0, {})
@example("odds_ratio", 1.0, {})
def test_the_isometric_has_the_requested_value(metric, part, parameters):
    low, high = metric_value(metric, [1, 0], [0, 1], **parameters)
    if np.isinf([low, high]).any():
        value = part / (1 - part) if part < 1 else np.inf
    else:
        value = low + part * (high - low)
    fpr, tpr = isometric(metric, value, **parameters)
    well_formed(fpr, tpr)
    assert (np.diff(tpr) >= 0).all()
    if fpr.size == 2:
        f = fpr.mean()
        t = tpr.mean()
    else:
        f = fpr[1:-1]
        t = tpr[1:-1]
    inside = np.minimum(np.minimum(f, t), np.minimum(1 - f, 1 - t)) > 1e-3
    if np.isfinite(value):
        got = metric_value(metric, f, t, **parameters)
        np.testing.assert_allclose(got[inside], value, rtol=1e-6, atol=1e-9)


@given(st.integers(1, 50), st.integers(1, 50), st.integers(1, 50), st.integers(1, 50), PARAMETERS)
def test_values_are_those_of_the_confusion_table(tp, fp, fn, tn, parameters):
    table = ConfusionTable(tp, fp, fn, tn)
    options = {name: parameters[name] for name in ("beta", "cost_fp", "cost_fn")}
    for name in METRICS:
        value = metric_value(name, table.fpr, table.tpr, prevalence=table.prevalence, **options)
        assert float(value) == pytest.approx(table.metric(name, **options), rel=1e-9, abs=1e-12)


def slope(line):
    (f0, f1), (t0, t1) = line
    return (t1 - t0) / (f1 - f0)


def test_isometrics_have_the_known_geometry():
    pi = 0.2
    beta = 2.0
    cost = isometric_through("cost", 0.5, 0.5, prevalence=pi, cost_fp=3, cost_fn=10)
    assert slope(cost) == pytest.approx((1 - pi) * 3 / (pi * 10))
    assert slope(isometric_through("accuracy", 0.3, 0.6, prevalence=pi)) == pytest.approx(4)
    assert slope(isometric_through("balanced_accuracy", 0.3, 0.6)) == pytest.approx(1)
    assert [v[0] for v in isometric_through("precision", 0.3, 0.6)] == [0, 0]
    assert slope(isometric_through("precision", 0.3, 0.6)) == pytest.approx(2)
    f_line = isometric_through("f", 0.3, 0.6, prevalence=pi, beta=beta)
    pole = -(beta**2) * pi / (1 - pi)
    assert slope(f_line) == pytest.approx(0.6 / (0.3 - pole))
    curve = isometric("odds_ratio", 9.0)
    np.testing.assert_allclose(curve[0], 1 - curve[1][::-1], atol=1e-12)
    # even on both legs
    assert np.hypot(*np.diff(isometric("odds_ratio", 1e4, n_points=101))).max() < 0.021


def test_corners_where_all_isometrics_meet_get_the_diagonal():
    for metric, corner in (
        ("precision", 0.0),
        ("likelihood_ratio", 0.0),
        ("odds_ratio", 0.0),
        ("odds_ratio", 1.0),
        ("mcc", 0.0),
        ("npv", 1.0),
    ):
        fpr, tpr = isometric_through(metric, corner, corner)
        np.testing.assert_allclose(fpr, tpr, atol=1e-9)
        assert fpr[-1] == pytest.approx(1)
    assert np.isnan(metric_value("precision", 0, 0))
    assert np.isnan(metric_value("odds_ratio", 1, 1))
    assert metric_value("likelihood_ratio", 0, 0.5) == np.inf


def test_the_border_of_the_square():
    fpr, tpr = isometric_through("odds_ratio", 0.0, 0.4)
    assert fpr[(tpr < 1)].max() == 0
    fpr, tpr = isometric_through("odds_ratio", 0.4, 0.0)
    assert tpr[(fpr < 1)].max() == 0
    fpr, tpr = isometric("odds_ratio", np.inf)
    assert fpr[(tpr < 1)].max() == 0
    assert isometric("accuracy", 1.0)[0].tolist() == [0, 0]
    assert isometric("accuracy", 1.0)[1].tolist() == [1, 1]
    fpr, tpr = isometric("likelihood_ratio", np.inf)
    assert (fpr.tolist(), tpr.tolist()) == ([0, 0], [0, 1])
    assert isometric("precision", 1.0)[0].tolist() == [0, 0]
    assert isometric("precision", 1.0)[1].tolist() == [0, 1]
    assert isometric("f", 0.0)[1].tolist() == [0, 0]
    assert isometric_through("cost", 0.3, 0.6, cost_fp=0)[1].tolist() == [0.6, 0.6]
    assert isometric_through("cost", 0.3, 0.6, cost_fn=0)[0].tolist() == [0.3, 0.3]


def test_a_curve_that_cannot_be_traced_is_refused(monkeypatch):
    row = MetricRow("swing", lambda tp, fp, fn, tn: np.cos(20 * tp))
    monkeypatch.setitem(METRICS, "swing", row)
    with pytest.raises(ValueError, match="swing does not get better whenever TPR rises"):
        isometric_through("swing", 0.2, 0.4)
