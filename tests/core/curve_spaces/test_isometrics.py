"""Thresholds and isometrics in every space: those that meet in ROC space meet everywhere."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz.core.curve_spaces.space_curve import (
    map_from_roc,
    map_isometric,
    map_operating_point,
    space_curve,
)
from rocviz.core.curve_spaces.spaces import POINT_SPACES, SPACES
from rocviz.core.roc.isometrics import isometric_through, metric_value
from rocviz.core.roc.metrics import METRICS
from rocviz.core.roc.segments import RankedSegments

RATES = st.floats(0.02, 0.98)
TRACED = sorted(METRICS.keys() - {"prevalence", "sec", "predicted_positive_rate"})
SEGMENTS = RankedSegments([0.9, 0.7, 0.6, 0.4, 0.2], [4, 0, 2, 1, 1], [0, 2, 1, 1, 5])


@given(RATES, RATES, st.floats(0.05, 0.95), st.sampled_from(TRACED))
def test_every_point_of_an_isometric_is_worth_the_same(fpr, tpr, pi, metric):
    options = {"prevalence": pi, "cost_fp": 1.0, "cost_fn": 3.0}
    f, t = isometric_through(metric, fpr, tpr, **options)
    value = metric_value(metric, fpr, tpr, **options)
    x, y = map_isometric("pr_gain", f, t, prevalence=pi)
    tp = 1 / (1 + (1 - x) * (1 - pi) / pi)  # solved by hand
    there = metric_value(metric, np.clip((1 - y) * tp, 0, 1), np.clip(tp, 0, 1), **options)
    # in the corners a ratio may be 0 / 0, up to rounding
    is_defined = np.isfinite(there) & (np.abs(tp - 0.5) < 0.5 - 1e-9)
    assert is_defined.sum() >= there.size - 2
    np.testing.assert_allclose(there[is_defined], value, rtol=1e-6)
    if f.size == 2:
        # every point on the line is a line through its point, in each cost space
        for space in ("cost", "brier", "decision"):
            x, y = map_isometric(space, f, t, prevalence=pi)
            for share in (0.0, 0.3, 1.0):
                point_fpr = f[0] + share * (f[1] - f[0])
                point_tpr = t[0] + share * (t[1] - t[0])
                if space != "decision":
                    line = map_operating_point(space, point_fpr, point_tpr, prevalence=pi)
                    assert np.interp(x, *line) == pytest.approx(y, abs=1e-9)
                elif x.size:
                    benefit = pi * point_tpr - (1 - pi) * point_fpr * x / (1 - x)
                    assert benefit == pytest.approx(y, abs=1e-7)


@given(st.floats(0.05, 0.95), st.sampled_from([0.5, 1.0, 2.0]))
def test_isometrics_of_f_are_parallel_lines_of_gains(pi, beta):
    for point in ((0.1, 0.7), (0.3, 0.6)):
        line = isometric_through("f", *point, prevalence=pi, beta=beta)
        x, y = map_isometric("pr_gain", *line, prevalence=pi)
        np.testing.assert_allclose(np.diff(y), -(beta**2) * np.diff(x), atol=1e-6 * np.ptp(y))


def test_a_bent_isometric_is_the_curve_of_its_tangents():
    f, t = isometric_through("odds_ratio", 0.2, 0.7)
    x, y = map_isometric("cost", f, t, prevalence=0.5)
    assert map_isometric("roc", f, t, prevalence=0.5)[0] is f
    assert map_isometric("gain", f, t, prevalence=0.5)[1].size == t.size
    every = (1 - t)[:, None] * x + f[:, None] * (1 - x)
    np.testing.assert_allclose(every.min(axis=0), y, atol=1e-12)


@pytest.mark.parametrize("space", SPACES)
def test_an_operating_point_is_on_the_curve_of_its_space(space):
    pi = SEGMENTS.prevalence
    curve = space_curve(SEGMENTS, space=space)
    for k in range(1, len(SEGMENTS) + 1):
        x, y = map_operating_point(space, SEGMENTS.fpr[k], SEGMENTS.tpr[k], prevalence=pi)
        if space in POINT_SPACES:
            assert (x[0], y[0]) == pytest.approx((curve.threshold_x[k], curve.threshold_y[k]))
        elif space == "decision":
            c = SEGMENTS.score[k - 1]
            assert np.interp(c, x, y) == pytest.approx(curve.threshold_y[k], abs=2e-3)
        else:
            assert np.interp(curve.threshold_x[k], x, y) == pytest.approx(curve.threshold_y[k])


@pytest.mark.parametrize("space", SPACES)
def test_the_nearest_threshold_is_found_by_its_point(space):
    curve = space_curve(SEGMENTS, space=space)
    assert curve.threshold_index.shape == curve.x.shape
    for k, (x, y) in enumerate(zip(curve.threshold_x, curve.threshold_y, strict=True)):
        if np.isfinite([x, y]).all() and x >= 0 and space not in ("brier", "decision"):
            assert curve.nearest_threshold_index(x, y) == pytest.approx(k, abs=1e-9)
            beside = curve.nearest_threshold_index(x, y + 1e-6, unit_y=5.0)
            assert beside == pytest.approx(k, abs=1e-3)
    # every point of the curve has the threshold that it says it has
    if space not in ("cost", "brier", "decision"):
        whole = np.arange(len(SEGMENTS) + 1)
        fpr = np.interp(curve.threshold_index, whole, SEGMENTS.fpr)
        tpr = np.interp(curve.threshold_index, whole, SEGMENTS.tpr)
        x, y = map_from_roc(space, fpr[1:], tpr[1:], prevalence=SEGMENTS.prevalence)
        np.testing.assert_allclose(x, curve.x[1:])
        np.testing.assert_allclose(y, curve.y[1:])
    else:
        for x, y, k in zip(curve.x, curve.y, curve.threshold_index.astype(int), strict=True):
            rates = SEGMENTS.fpr[k], SEGMENTS.tpr[k]
            line = map_operating_point(space, *rates, prevalence=SEGMENTS.prevalence)
            tolerance = 0.03 if space == "decision" else 1e-9
            assert np.interp(x, *line) == pytest.approx(y, abs=tolerance)


@pytest.mark.parametrize("space", ["precision_recall", "lift", "brier"])
def test_thinned_isometrics_look_the_same(space):
    rng = np.random.default_rng(0)
    positive = rng.random(3000) < 0.3
    ranking = RankedSegments.from_scores(positive, (rng.random(3000) + positive) / 2)
    curve = space_curve(ranking, space=space)
    x, y = curve.thin(100)
    assert x.size <= 400 < curve.x.size
    for k in range(0, 100, 7):
        thinned = y[np.minimum(x * 100, 99).astype(int) == k]
        every = curve.y[np.minimum(curve.x * 100, 99).astype(int) == k]
        if every.size:
            assert thinned[0] == every[0]
            assert (thinned.min(), thinned.max()) == (every.min(), every.max())
    assert (x[-1], y[-1]) == (curve.x[-1], curve.y[-1])
    assert curve.thin(10**6)[0] is curve.x
    assert curve.thin(100)[0] is x  # computed once


def test_falling_lines_are_lines_of_point_spaces_only():
    line = isometric_through("predicted_positive_rate", 0.2, 0.6, prevalence=0.3)
    x, _ = map_isometric("lift", *line, prevalence=0.3)
    np.testing.assert_allclose(x, 0.3 * 0.6 + 0.7 * 0.2)
    assert map_isometric("cost", *line, prevalence=0.3)[0].size == 0
