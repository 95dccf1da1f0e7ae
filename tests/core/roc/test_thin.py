"""Thinned curves: few vertices, the stated bound true, the hull kept."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from rocviz.core.roc.segments import RankedSegments


def ranking(n, seed=0, ties=False):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    y[:2] = [False, True]
    score = rng.normal(size=n) + y
    return RankedSegments.from_scores(y, score.round(1) if ties else score)


def distance(x, y, px, py):
    """Distance of the point (px, py) to a polygon, every edge tried."""
    ax = x[:-1]
    ay = y[:-1]
    dx = np.diff(x)
    dy = np.diff(y)
    length = dx**2 + dy**2
    part = np.clip(((px - ax) * dx + (py - ay) * dy) / length, 0, 1)
    return np.hypot(ax + part * dx - px, ay + part * dy - py).min()


def true_distance(segments, thin):
    distances = []
    for fpr, tpr in zip(segments.fpr, segments.tpr, strict=True):
        distances.append(distance(thin.fpr, thin.tpr, fpr, tpr))
    return max(distances)


@given(st.integers(2, 300), st.integers(0, 5), st.sampled_from([10, 100, 600]), st.booleans())
def test_bound_is_true_and_half_a_pixel(n, seed, size, ties):
    segments = ranking(n, seed, ties)
    thin = segments.thin(size=size)
    assert thin.bound <= 0.5 / size
    assert true_distance(segments, thin) == pytest.approx(thin.bound, abs=1e-12)
    assert np.isin(segments.hull_vertices, thin.index).all()
    np.testing.assert_array_equal(thin.fpr, segments.fpr[thin.index])
    np.testing.assert_array_equal(thin.tpr, segments.tpr[thin.index])
    assert (np.diff(thin.index) > 0).all()
    assert thin.index[0] == 0
    assert thin.index[-1] == len(segments)


@given(st.integers(2, 300), st.integers(2, 40), st.integers(0, 5))
def test_the_number_of_vertices_is_respected(n, most, seed):
    segments = ranking(n, seed)
    thin = segments.thin(most, size=10_000)
    assert thin.index.size <= most
    assert true_distance(segments, thin) <= thin.bound + 1e-12
    if thin.index.size < most:
        assert thin.bound <= 0.5 / 10_000
    if segments.hull_vertices.size <= most:
        assert np.isin(segments.hull_vertices, thin.index).all()


def test_a_large_curve_becomes_small():
    thin = ranking(100_000).thin()
    assert thin.index.size < 600
    assert thin.bound <= 0.5 / 600
