"""The DET curve: both error rates as normal deviates, infinite where they are 0 or 1."""

import numpy as np
import pytest
from scipy.special import ndtr, ndtri
from sklearn.metrics import det_curve

from rocviz.core.curve_spaces.space_curve import (
    map_from_roc,
    map_isometric,
    map_operating_point,
    space_curve,
)
from rocviz.core.curve_spaces.spaces import SPACES
from rocviz.core.roc.isometrics import isometric_through
from rocviz.core.roc.segments import RankedSegments


@pytest.fixture
def tied():
    """Labels and scores with many ties."""
    rng = np.random.default_rng(4)
    y = rng.random(400) < 0.4
    return y, (y + 1.5 * rng.normal(size=400)).round(1)


def test_deviates_by_hand():
    # with 1.6449 standard deviations 5 % are beyond, with 0.8416 20 %
    x, y = map_from_roc("det", [0.05, 0.5, 0.8], [0.8, 0.5, 0.95], prevalence=0.3)
    np.testing.assert_allclose(x, [-1.6448536269514729, 0, 0.8416212335729143], atol=1e-15)
    np.testing.assert_allclose(y, [-0.8416212335729143, 0, -1.6448536269514729], atol=1e-15)


def test_thresholds_are_those_of_scikit_learn(tied):
    y, score = tied
    curve = space_curve(y, score, space="det")
    fpr, fnr, _ = det_curve(y, score)
    # from many predicted positives to few; thresholds beyond the first without misses, or without
    # false alarms, are left out
    last_without_alarms = np.flatnonzero(curve.threshold_x == -np.inf)[-1]
    first_without_misses = np.flatnonzero(curve.threshold_y == -np.inf)[0]
    own = slice(last_without_alarms, first_without_misses + 1)
    np.testing.assert_allclose(curve.threshold_x[own], ndtri(fpr[::-1]), atol=1e-12)
    np.testing.assert_allclose(curve.threshold_y[own], ndtri(fnr[::-1]), atol=1e-12)


def test_rates_of_0_and_1_are_infinite():
    perfect = RankedSegments([2, 1], [3, 0], [0, 5])
    curve = space_curve(perfect, space="det")
    np.testing.assert_array_equal(curve.threshold_x, [-np.inf, -np.inf, np.inf])
    np.testing.assert_array_equal(curve.threshold_y, [np.inf, -np.inf, -np.inf])
    # without errors both rates are 0: the curve follows the border, and no chord crosses the plane
    assert not (np.isfinite(curve.x) & np.isfinite(curve.y)).any()
    assert np.isnan(curve.area)
    x, y = map_operating_point("det", 0.0, 1.0, prevalence=0.3)
    assert (x[0], y[0]) == (-np.inf, -np.inf)


def test_a_useless_ranking_is_the_falling_diagonal():
    curve = space_curve(RankedSegments([1], [3], [7]), space="det")
    np.testing.assert_allclose(curve.y[1:-1], -curve.x[1:-1], atol=1e-9)
    assert curve.x[1:-1].min() == pytest.approx(-5)
    assert curve.x[1:-1].max() == pytest.approx(5)
    assert np.diff(curve.x[1:-1]).max() < 0.11
    (x, y), *_ = SPACES["det"].without_skill(0.3, (-2.0, 2.0))
    np.testing.assert_array_equal(y, -x)


def test_normal_scores_give_a_straight_line():
    # positives around 1.4 with spread 2, negatives around 0 with spread 1
    score = np.linspace(6, -5, 221)
    pos = np.diff(ndtr((1.4 - score) / 2), prepend=0, append=1)
    neg = np.diff(ndtr(-score), prepend=0, append=1)
    ranking = RankedSegments(np.append(score, -6), pos, neg)
    curve = space_curve(ranking, space="det")
    x = curve.threshold_x[1:-1]
    y = curve.threshold_y[1:-1]
    is_between = np.abs(x) < 4
    # fpr = ndtr(-s) and fnr = ndtr((s - 1.4) / 2)
    np.testing.assert_allclose(y[is_between], (-x[is_between] - 1.4) / 2, atol=1e-9)


def test_every_point_is_a_mixture_of_its_thresholds(tied):
    ranking = RankedSegments.from_scores(*tied)
    curve = space_curve(ranking, space="det")
    vertex = np.arange(len(ranking) + 1)
    fpr = np.interp(curve.threshold_index, vertex, ranking.fpr)
    fnr = np.interp(curve.threshold_index, vertex, ranking.fnr)
    np.testing.assert_allclose(ndtr(curve.x), fpr, atol=1e-12)
    np.testing.assert_allclose(ndtr(curve.y), fnr, atol=1e-12)
    assert (np.diff(curve.threshold_index) >= 0).all()
    # chords are short, so that the bend of an edge shows
    inside = np.isfinite(curve.x) & np.isfinite(curve.y)
    chord = np.hypot(np.diff(curve.x[inside]), np.diff(curve.y[inside]))
    assert chord.max() < 0.2


def test_rates_far_from_a_half_keep_their_digits():
    ranking = RankedSegments([3, 2, 1], [1e9, 1.0, 0.0], [0.0, 1.0, 1e9])
    curve = space_curve(ranking, space="det")
    rare = 1 / (1e9 + 1)
    np.testing.assert_allclose(curve.threshold_x[1:3], [-np.inf, ndtri(rare)], rtol=1e-12)
    np.testing.assert_allclose(curve.threshold_y[1:3], [ndtri(rare), -np.inf], rtol=1e-12)


def test_limits_are_powers_of_ten_that_show_all_rates_but_0_and_1():
    space = SPACES["det"]
    for n, smallest in ((20, 0.01), (999, 0.001), (1001, 1e-4), (100_001, 1e-6)):
        ranking = RankedSegments([3, 2, 1], [n - 2, 1, 1], [1, 1, n - 2])
        limits = space.limits([space_curve(ranking, space="det")], 0.5)
        (low, high) = limits[0]
        assert limits == ((-high, high), (-high, high))
        assert ndtr(low) == pytest.approx(smallest)
    selected = (float(ndtri(0.01)), 0.0)
    assert space.limits([], 0.5, selected) == (selected, selected)
    assert space.x_of_limit(0.01) == selected[0]
    wider = space.joined_limits(((-2.0, 1.0), (-2.0, 1.0)), ((-1.0, 3.0), (-1.0, 3.0)))
    assert wider == ((-2.0, 3.0), (-2.0, 3.0))


def test_the_nearest_threshold_may_lie_on_the_border():
    perfect = RankedSegments([3, 2, 1], [2, 2, 0], [0, 0, 4])
    curve = space_curve(perfect, space="det")
    limits = ((-2.0, 2.0), (-2.0, 2.0))
    assert curve.nearest_threshold_index(-2.0, 2.0, limits=limits) == 0
    assert curve.nearest_threshold_index(-2.0, 0.0, limits=limits) == pytest.approx(1, abs=1e-6)
    assert curve.nearest_threshold_index(-1.9, -2.0, limits=limits) == pytest.approx(2, abs=0.03)
    assert curve.nearest_threshold_index(2.0, -2.0, limits=limits) == pytest.approx(3, abs=0.03)
    # half of the negatives are predicted positive
    assert curve.nearest_threshold_index(0.0, -1.5) == pytest.approx(2.5)


def test_isometrics_are_bent_and_in_order():
    line = isometric_through("accuracy", 0.1, 0.7, prevalence=0.3)
    x, y = map_isometric("det", *line, prevalence=0.3)
    assert np.isfinite(x).all()
    assert (np.diff(x) >= 0).all()
    assert (np.diff(y) <= 0).all()
    correct = 0.3 * (1 - ndtr(y)) + 0.7 * (1 - ndtr(x))
    np.testing.assert_allclose(correct, 0.3 * 0.7 + 0.7 * 0.9)
