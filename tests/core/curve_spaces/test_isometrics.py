"""Cuts and isometrics in every space: those that meet in ROC space meet everywhere."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz.core.curve_spaces.space_curve import (
    POINT_SPACES,
    SPACES,
    map_cut,
    map_from_roc,
    map_isometric,
    space_curve,
)
from rocviz.core.roc.isometrics import isometric_through, metric_value
from rocviz.core.roc.metrics import METRICS
from rocviz.core.roc.segments import RankedSegments

RATES = st.floats(0.02, 0.98)
TRACED = sorted(METRICS.keys() - {"prevalence", "sec", "predicted_positive_rate"})
GIVEN = RankedSegments([0.9, 0.7, 0.6, 0.4, 0.2], [4, 0, 2, 1, 1], [0, 2, 1, 1, 5])


@given(RATES, RATES, st.floats(0.05, 0.95), st.sampled_from(TRACED))
def test_every_cut_of_an_isometric_is_worth_the_same(fpr, tpr, pi, metric):
    options = {"prevalence": pi, "cost_fp": 1.0, "cost_fn": 3.0}
    f, t = isometric_through(metric, fpr, tpr, **options)
    value = metric_value(metric, fpr, tpr, **options)
    x, y = map_isometric("pr_gain", f, t, prevalence=pi)
    tp = 1 / (1 + (1 - x) * (1 - pi) / pi)  # solved by hand
    there = metric_value(metric, np.clip((1 - y) * tp, 0, 1), np.clip(tp, 0, 1), **options)
    np.testing.assert_allclose(there, value, rtol=1e-6)
    if f.size == 2:
        # every cut on the line is a line through its point, in each cost space
        for space in ("cost", "brier", "decision"):
            at, height = map_isometric(space, f, t, prevalence=pi)
            for part in (0.0, 0.3, 1.0):
                cut = (f[0] + part * (f[1] - f[0]), t[0] + part * (t[1] - t[0]))
                if space != "decision":
                    line = map_cut(space, *cut, prevalence=pi)
                    assert np.interp(at, *line) == pytest.approx(height, abs=1e-9)
                elif at.size:
                    benefit = pi * cut[1] - (1 - pi) * cut[0] * at / (1 - at)
                    assert benefit == pytest.approx(height, abs=1e-7)


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
def test_a_cut_is_on_the_curve_of_its_space(space):
    pi = GIVEN.prevalence
    curve = space_curve(GIVEN, space=space)
    for k in range(1, len(GIVEN) + 1):
        x, y = map_cut(space, GIVEN.fpr[k], GIVEN.tpr[k], prevalence=pi)
        if space in POINT_SPACES:
            assert (x[0], y[0]) == pytest.approx((curve.at_x[k], curve.at_y[k]))
        elif space == "decision":
            c = GIVEN.score[k - 1]
            assert np.interp(c, x, y) == pytest.approx(curve.at_y[k], abs=2e-3)
        else:
            assert np.interp(curve.at_x[k], x, y) == pytest.approx(curve.at_y[k])


@pytest.mark.parametrize("space", SPACES)
def test_the_nearest_cut_is_found_by_its_point(space):
    curve = space_curve(GIVEN, space=space)
    assert curve.cut.shape == curve.x.shape
    for k, (x, y) in enumerate(zip(curve.at_x, curve.at_y, strict=True)):
        if np.isfinite([x, y]).all() and x >= 0 and space not in ("brier", "decision"):
            assert curve.nearest_cut(x, y) == pytest.approx(k, abs=1e-9)
            assert curve.nearest_cut(x, y + 1e-6, unit_y=5.0) == pytest.approx(k, abs=1e-3)
    # every point of the curve is the cut that it says it is
    if space not in ("cost", "brier", "decision"):
        whole = np.arange(len(GIVEN) + 1)
        fpr, tpr = np.interp(curve.cut, whole, GIVEN.fpr), np.interp(curve.cut, whole, GIVEN.tpr)
        x, y = map_from_roc(space, fpr[1:], tpr[1:], prevalence=GIVEN.prevalence)
        np.testing.assert_allclose(x, curve.x[1:])
        np.testing.assert_allclose(y, curve.y[1:])
    else:
        for x, y, k in zip(curve.x, curve.y, curve.cut.astype(int), strict=True):
            line = map_cut(space, GIVEN.fpr[k], GIVEN.tpr[k], prevalence=GIVEN.prevalence)
            assert np.interp(x, *line) == pytest.approx(
                y, abs=0.03 if space == "decision" else 1e-9
            )


@pytest.mark.parametrize("space", ["precision_recall", "lift", "brier"])
def test_thinned_isometrics_look_the_same(space):
    rng = np.random.default_rng(0)
    y = rng.random(3000) < 0.3
    ranking = RankedSegments.from_scores(y, (rng.random(3000) + y) / 2)
    curve = space_curve(ranking, space=space)
    x, height = curve.thin(100)
    assert x.size <= 400 < curve.x.size
    for k in range(0, 100, 7):
        drawn, every = (
            h[np.minimum(at * 100, 99).astype(int) == k]
            for at, h in ((x, height), (curve.x, curve.y))
        )
        if every.size:
            assert (drawn[0], drawn.min(), drawn.max()) == (every[0], every.min(), every.max())
    assert (x[-1], height[-1]) == (curve.x[-1], curve.y[-1])
    assert curve.thin(10**6)[0] is curve.x
    assert curve.thin(100)[0] is x  # computed once


def test_falling_lines_are_lines_of_point_spaces_only():
    line = isometric_through("predicted_positive_rate", 0.2, 0.6, prevalence=0.3)
    x, _ = map_isometric("lift", *line, prevalence=0.3)
    np.testing.assert_allclose(x, 0.3 * 0.6 + 0.7 * 0.2)
    assert map_isometric("cost", *line, prevalence=0.3)[0].size == 0
