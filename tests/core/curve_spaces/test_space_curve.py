"""Areas equal the expected values that they stand for; curved edges are exact."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import trapezoid

from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.curve_spaces.space_curve import (
    at_prevalence,
    cost_lines,
    map_from_roc,
    space_curve,
)
from rocviz.core.curve_spaces.spaces import SPACES
from rocviz.core.roc.segments import RankedSegments


@st.composite
def rankings(draw):
    """Ranked segments of probabilities, single samples and ties."""
    rows = draw(
        st.lists(
            st.tuples(st.integers(0, 20), st.integers(0, 3), st.integers(0, 3)).filter(
                lambda row: row[1] + row[2] > 0
            ),
            min_size=2,
            max_size=12,
            unique_by=lambda row: row[0],
        )
    )
    rows.sort(reverse=True)
    score, pos, neg = np.array(rows, dtype=float).T
    pos[draw(st.integers(0, len(rows) - 1))] += 1
    neg[draw(st.integers(0, len(rows) - 1))] += 1
    return RankedSegments(score / 20, pos, neg)


def dense(segments, n=4001):
    """Find the ROC curve with many points on each edge."""
    index = np.linspace(0, len(segments), len(segments) * n + 1)
    vertex = np.arange(len(segments) + 1)
    return np.interp(index, vertex, segments.fpr), np.interp(index, vertex, segments.tpr)


@given(rankings())
def test_area_under_precision_is_that_of_the_bent_curve(segments):
    fpr, tpr = dense(segments)
    recall, precision = map_from_roc(
        "precision_recall", fpr[1:], tpr[1:], prevalence=segments.prevalence
    )
    exact = space_curve(segments, space="precision_recall").area
    assert exact == pytest.approx(trapezoid(precision, recall), abs=2e-3)
    predicted, lift = map_from_roc("lift", fpr[1:], tpr[1:], prevalence=segments.prevalence)
    assert space_curve(segments, space="lift").area == pytest.approx(
        trapezoid(lift, predicted) + predicted[0] * lift[0], abs=6e-3 * lift.max()
    )


def test_area_under_precision_by_hand():
    # one tie: precision is the prevalence everywhere; all apart: the mean over the positives
    assert space_curve(RankedSegments([1], [1], [3]), space="precision_recall").area == 0.25
    apart = RankedSegments([4, 3, 2, 1], [1, 0, 1, 0], [0, 1, 0, 1])
    # second positive: precision rises from 1/2 to 2/3 along (1 + t) / (2 + t)
    assert space_curve(apart, space="precision_recall").area == pytest.approx(
        0.5 + 0.5 * (1 - np.log(1.5)), abs=1e-15
    )


@given(rankings())
def test_gain_area_is_the_auc_in_other_units(segments):
    pi = segments.prevalence
    assert space_curve(segments, space="gain").area == pytest.approx(
        pi / 2 + (1 - pi) * segments.auc, abs=1e-12
    )
    assert space_curve(segments, space="roc").area == pytest.approx(segments.auc, abs=1e-12)


@given(rankings())
def test_area_under_the_brier_curve_is_the_brier_score(segments):
    parts = brier_decomposition(segments)
    curve = space_curve(segments, space="brier")
    best = space_curve(segments, space="brier", hull=True)
    assert curve.area == pytest.approx(parts.brier, abs=1e-12)
    assert best.area == pytest.approx(parts.uncertainty - parts.discrimination, abs=1e-12)
    assert curve.area - best.area == pytest.approx(parts.miscalibration, abs=1e-12)
    # the best curve is below the other, wherever both are
    cost_proportions = np.linspace(0.003, 0.997, 101)
    losses = np.array([loss_at(segments, c) for c in cost_proportions])
    lowest = np.interp(cost_proportions, best.x, best.y)
    np.testing.assert_array_less(lowest, losses + 1e-12)


def loss_at(segments, c):
    table = segments.at_threshold(c)
    pi = segments.prevalence
    return 2 * (c * (1 - pi) * table.fp / segments.n_neg + (1 - c) * pi * table.fn / segments.n_pos)


@given(rankings(), st.floats(0.01, 0.98))
def test_net_benefit_is_the_brier_curve_in_found_positives(segments, t):
    curve = space_curve(segments, space="decision")
    table = segments.at_threshold(t)
    benefit = (table.tp - table.fp * t / (1 - t)) / segments.n_samples
    assert benefit == pytest.approx(
        segments.prevalence - loss_at(segments, t) / (2 * (1 - t)), abs=1e-12
    )
    edge = np.searchsorted(curve.x, t)
    if not np.isclose(t, segments.score).any():
        assert np.interp(t, curve.x[edge - 1 : edge + 1], curve.y[edge - 1 : edge + 1]) == (
            pytest.approx(benefit, abs=2e-3)
        )
    k = int(np.flatnonzero(segments.thresholds >= t)[-1])
    inside = segments.thresholds[k] < 1
    assert np.isnan(curve.threshold_y[k]) != inside
    if inside:
        here = segments.at_threshold(segments.thresholds[k])
        odds = segments.thresholds[k] / (1 - segments.thresholds[k])
        assert curve.threshold_y[k] == pytest.approx(
            (here.tp - here.fp * odds) / segments.n_samples
        )


def test_net_benefit_by_quadrature():
    segments = RankedSegments([0.8, 0.5, 0.1], [3, 2, 1], [1, 2, 5])
    t = (np.arange(2_000) + 0.5) / 2_000 * 0.99
    benefit = segments.prevalence - np.array([loss_at(segments, c) / (2 * (1 - c)) for c in t])
    assert space_curve(segments, space="decision").area == pytest.approx(
        0.99 * benefit.mean(), abs=2e-3
    )


@given(rankings())
def test_cost_curve_is_the_least_of_all_lines(segments):
    curve = space_curve(segments, space="cost")
    left, right = cost_lines(segments)
    x = np.linspace(0, 1, 301)
    lowest = np.min(right[:, None] * x + left[:, None] * (1 - x), axis=0)
    np.testing.assert_allclose(np.interp(x, curve.x, curve.y), lowest, atol=1e-12)
    # each line comes nearest to the curve where it is said to
    above = right[:, None] * x + left[:, None] * (1 - x) - lowest
    gap = curve.threshold_y - np.interp(curve.threshold_x, curve.x, curve.y)
    assert (gap <= above.min(axis=1) + 1e-12).all()
    height = right * curve.threshold_x + left * (1 - curve.threshold_x)
    np.testing.assert_allclose(height, curve.threshold_y, atol=1e-12)
    assert (np.diff(curve.x) >= 0).all()
    assert curve.area == pytest.approx(trapezoid(lowest, x), abs=1e-3)


@given(rankings(), st.floats(0.05, 0.95))
def test_f_is_straight_in_gains(segments, beta):
    pi = segments.prevalence
    x, y = map_from_roc("pr_gain", segments.fpr[1:], segments.tpr[1:], prevalence=pi)
    recall, precision = map_from_roc(
        "precision_recall", segments.fpr[1:], segments.tpr[1:], prevalence=pi
    )
    has_recall = recall > 0
    recall = recall[has_recall]
    precision = precision[has_recall]
    f = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    gain = (f - pi) / ((1 - pi) * f)
    mean = (y + beta**2 * x)[has_recall] / (1 + beta**2)
    np.testing.assert_allclose(gain, mean, atol=1e-9)


@given(rankings())
def test_gains_begin_at_the_prevalence(segments):
    curve = space_curve(segments, space="pr_gain")
    fpr, tpr = dense(segments)
    x, y = map_from_roc("pr_gain", fpr, tpr, prevalence=segments.prevalence)
    inside = x >= 0
    assert curve.x[0] == 0
    assert curve.x[-1] == 1
    assert curve.area == pytest.approx(
        trapezoid(y[inside], x[inside]) + x[inside][0] * y[inside][0], abs=2e-3
    )


def test_gains_begin_after_a_level_stretch():
    # at the prevalence of one half recall rises from the point (1/2, 4/10)
    segments = RankedSegments([4, 3, 2, 1], [4, 0, 6, 0], [0, 5, 0, 5])
    curve = space_curve(segments, space="pr_gain")
    assert curve.y[0] == pytest.approx(1 - 0.5 / 0.5)
    assert curve.threshold_index[0] == pytest.approx(2 + 1 / 6)


@pytest.mark.parametrize("space", SPACES)
def test_every_space_takes_another_prevalence_and_the_hull(space):
    segments = RankedSegments([0.9, 0.6, 0.5, 0.2], [4, 1, 2, 1], [1, 2, 1, 5])
    there = space_curve(segments, space=space, prevalence=0.2)
    again = space_curve(at_prevalence(segments, prevalence=0.2), space=space)
    np.testing.assert_allclose(there.y, again.y)
    assert there.area == pytest.approx(again.area, nan_ok=True)
    hull = space_curve(segments, space=space, hull=True)
    best = min if SPACES[space].lower_is_better else max
    here = space_curve(segments, space=space)
    if not np.isnan(here.area):
        assert best(hull.area, here.area) == hull.area
    if space not in ("cost", "brier", "decision"):
        is_shown = np.isfinite(here.threshold_x) & (here.threshold_x >= 0)
        for x, y in zip(here.threshold_x[is_shown], here.threshold_y[is_shown], strict=True):
            assert np.min(np.hypot(here.x - x, here.y - y)) < 1e-12


def test_mean_precision_has_all_its_digits_where_positives_are_rare():
    # positives come last: precision grows from nothing
    curve = RankedSegments([2, 1], [0, 1.0], [1e12, 0])
    assert space_curve(curve, space="precision_recall").area == pytest.approx(
        5e-13, rel=1e-11, abs=0
    )
