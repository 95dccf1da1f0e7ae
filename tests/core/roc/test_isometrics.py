"""Isometrics: they go through the point, keep the value, and end on the border."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import example, given

from rocviz.core.roc.confusion import ConfusionTable
from rocviz.core.roc.isometrics import METRICS, isometric, isometric_through, metric_value

UNIT = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1))
PARAMETERS = st.fixed_dictionaries(
    {
        "prevalence": st.floats(0.01, 0.99),
        "cost_fp": st.sampled_from([0.0, 0.5, 1.0, 20.0]),
        "cost_fn": st.sampled_from([0.1, 1.0, 7.0]),
        "beta": st.sampled_from([0.0, 0.5, 1.0, 2.0]),
    }
)
METRIC = st.sampled_from(METRICS)


def distance(fpr, tpr, f, t):
    dx, dy = np.diff(fpr), np.diff(tpr)
    length = dx**2 + dy**2
    dot = (f - fpr[:-1]) * dx + (t - tpr[:-1]) * dy
    part = np.clip(np.divide(dot, length, out=np.zeros_like(dot), where=length > 0), 0, 1)
    return np.hypot(fpr[:-1] + part * dx - f, tpr[:-1] + part * dy - t).min()


def well_formed(fpr, tpr):
    for values in (fpr, tpr):
        assert (values >= 0).all()
        assert (values <= 1).all()
        assert (np.diff(values) >= 0).all()
        assert not values.flags.writeable
    assert fpr[0] == 0 or tpr[0] == 0
    assert fpr[-1] == 1 or tpr[-1] == 1


@given(METRIC, UNIT, UNIT, PARAMETERS, st.integers(3, 50))
def test_it_passes_through_the_point(metric, f, t, parameters, n_points):
    fpr, tpr = isometric_through(metric, f, t, n_points=n_points, **parameters)
    well_formed(fpr, tpr)
    assert distance(fpr, tpr, f, t) < 1e-12
    assert fpr.size == tpr.size == (n_points + 1 if metric == "odds_ratio" else 2)


@given(METRIC, st.floats(0.001, 0.999), st.floats(0.001, 0.999), PARAMETERS)
def test_its_value_is_that_of_the_point(metric, f, t, parameters):
    want = float(metric_value(metric, f, t, **parameters))
    fpr, tpr = isometric_through(metric, f, t, **parameters)
    inside = (fpr > 0) & (fpr < 1) & (tpr > 0) & (tpr < 1)
    if metric != "odds_ratio":  # two ends on the border: look in the middle
        fpr, tpr, inside = fpr.mean(), tpr.mean(), True
    got = metric_value(metric, fpr, tpr, **parameters)
    np.testing.assert_allclose(got[inside], want, rtol=1e-9)


@given(METRIC, st.floats(0, 1), PARAMETERS)
@example("odds_ratio", 0.95, {"prevalence": 0.5, "cost_fp": 1.0, "cost_fn": 1.0, "beta": 1.0})
def test_it_has_the_value_asked_for(metric, value, parameters):
    pi = parameters["prevalence"]
    if metric == "cost":
        value *= (1 - pi) * parameters["cost_fp"] + pi * parameters["cost_fn"]
    if metric in ("odds_ratio", "likelihood_ratio"):
        value = value / (1 - value) if value < 1 else np.inf
    fpr, tpr = isometric(metric, value, **parameters)
    well_formed(fpr, tpr)
    if metric == "odds_ratio":
        at = np.argmin(np.abs(fpr + tpr - 1))
        f, t = fpr[at], tpr[at]
    else:
        f, t = fpr.mean(), tpr.mean()
    if (fpr[0], tpr[0]) != (fpr[-1], tpr[-1]) and np.isfinite(value):
        got = metric_value(metric, f, t, **parameters)
        assert got == pytest.approx(value, rel=1e-6, abs=1e-9)


@given(st.integers(1, 50), st.integers(1, 50), st.integers(1, 50), st.integers(1, 50), PARAMETERS)
def test_values_are_those_of_the_confusion_table(tp, fp, fn, tn, parameters):
    table = ConfusionTable(tp, fp, fn, tn)
    here = parameters | {"prevalence": table.prevalence}

    def value(metric):
        return float(metric_value(metric, table.fpr, table.tpr, **here))

    assert value("accuracy") == pytest.approx(table.accuracy)
    assert value("precision") == pytest.approx(table.precision)
    assert value("balanced_accuracy") == pytest.approx(table.balanced_accuracy)
    assert value("f") == pytest.approx(table.f_beta(parameters["beta"]))
    assert value("odds_ratio") == pytest.approx(table.odds_ratio)
    assert value("likelihood_ratio") == pytest.approx(table.lr_positive)
    assert value("cost") == pytest.approx(
        table.expected_cost(parameters["cost_fp"], parameters["cost_fn"])
    )


def slope(line):
    (f0, f1), (t0, t1) = line
    return (t1 - t0) / (f1 - f0)


def test_geometry_as_the_field_knows_it():
    pi, beta = 0.2, 2.0
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


def test_curve_is_even_on_both_legs():
    fpr, tpr = isometric("odds_ratio", 1e4, n_points=101)
    step = np.hypot(np.diff(fpr), np.diff(tpr))
    assert step.max() < 0.021


def test_corners_where_all_isometrics_meet_get_the_diagonal():
    for metric, corner in (
        ("precision", 0.0),
        ("likelihood_ratio", 0.0),
        ("odds_ratio", 0.0),
        ("odds_ratio", 1.0),
    ):
        fpr, tpr = isometric_through(metric, corner, corner)
        np.testing.assert_allclose(fpr, tpr, atol=1e-15)
        assert fpr[-1] == 1
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


def test_arrays_of_points():
    got = metric_value("accuracy", [0.0, 0.5], [[1.0], [0.5]])
    assert got.tolist() == [[1.0, 0.75], [0.75, 0.5]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: metric_value("auc", 0, 0), "metric must be one of accuracy, cost"),
        (lambda: metric_value("f", 1.2, 0), r"fpr must be within \[0, 1\]"),
        (lambda: metric_value("f", 0, [np.nan]), r"tpr must be within \[0, 1\]"),
        (lambda: metric_value("f", "a", 0), "fpr must be numbers"),
        (lambda: metric_value("f", 0, 0, prevalence=0), "prevalence must be strictly between"),
        (
            lambda: metric_value("f", 0, 0, beta=1e200),
            "beta must be at most 1e\\+150; got 1e\\+200",
        ),
        (lambda: metric_value("f", 0, 0, beta=-1), "beta must be at least 0"),
        (lambda: metric_value("f", 0, 0, cost_fp=0, cost_fn=0), "both zero"),
        (lambda: isometric("accuracy", 1.2), "value of accuracy must be from 0 to 1; got 1.2"),
        (lambda: isometric("accuracy", np.inf), "value must be a finite number"),
        (lambda: isometric("cost", 2.0), "value of cost must be from 0 to 1"),
        (lambda: isometric("odds_ratio", -1.0), "value of odds_ratio must be from 0 to inf"),
        (lambda: isometric("odds_ratio", np.nan), "value must be a finite number"),
        (lambda: isometric_through("f", 0.1, 1.1), "tpr must be from 0 to 1"),
        (lambda: isometric_through("f", 0.1, 1.0, n_points=2), "n_points must be an integer"),
        (lambda: isometric_through("g", 0.1, 1.0), "metric must be one of"),
    ],
)
def test_refuses(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("value", [1e-300, 1e-40, 1e-9])
def test_a_ratio_next_to_nothing_is_not_nothing(value):
    for metric in ("precision", "f", "odds_ratio", "likelihood_ratio"):
        fpr, tpr = isometric(metric, value, prevalence=0.3)
        # the far end of a line; of a curve a point from which 1 is far too
        at = 1 if fpr.size == 2 else fpr.size // 4
        found = metric_value(metric, fpr[at], tpr[at], prevalence=0.3)
        np.testing.assert_allclose(found, value, rtol=1e-12)
    assert isometric("cost", 0.0, cost_fp=5e-324, cost_fn=5e-324)[0].tolist() == [0, 0]


def test_rates_and_weights_next_to_nothing():
    assert metric_value("precision", 0, 5e-324, prevalence=1e-150) == 1
    np.testing.assert_allclose(metric_value("precision", 0.1, 0.1, prevalence=1e-150), 1e-150)
    np.testing.assert_allclose(
        metric_value("f", 0.5, 1e-200, beta=1e-150, prevalence=1e-12), 2e-212
    )
    for beta in (0.0, 1e-150, 1e150):
        fpr, tpr = isometric_through("f", 0.4, 0.7, beta=beta, prevalence=1 - 2**-53)
        assert 0 <= np.interp(0.4, fpr, tpr) - 0.7 < 1e-12
    # a line from the corner starts in the corner, not 1e-176 beside it
    assert isometric_through("precision", 1e-160, 0.7)[0][0] == 0
    with pytest.raises(ValueError, match=r"^prevalence must be at least 1e-150; got 1e-300"):
        metric_value("precision", 0.1, 0.1, prevalence=1e-300)


def test_straight_isometrics_have_all_their_digits():
    # with one positive in a million million, half of them found and nothing else right
    fpr, tpr = isometric("accuracy", 5e-13, prevalence=1e-12)
    assert (fpr[-1], tpr[-1]) == (1.0, pytest.approx(0.5, rel=1e-12))
    fpr, tpr = isometric("cost", 4e-139, prevalence=0.5, cost_fp=5e-324, cost_fn=1.0)
    assert (fpr.tolist(), tpr.tolist()) == ([0.0, 1.0], [1.0, 1.0])
    # recall that counts 1e-600 as much as precision still moves the pole off the axis
    assert metric_value("f", 0.0, 0.0, beta=1e-300) == 0.0
    fpr, tpr = isometric_through("f", 0.0, 0.9, prevalence=0.5, beta=1e-300)
    assert (fpr[0], tpr[0]) == (0.0, 0.9)
    fpr, tpr = isometric_through("cost", 5e-324, 1.0, prevalence=0.9, cost_fp=1e308, cost_fn=1e-300)
    assert fpr.tolist() == [5e-324, 5e-324]
