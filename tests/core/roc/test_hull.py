"""The convex hull: against exact integers, isotonic regression, and its own definition."""

from itertools import pairwise

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from sklearn.isotonic import IsotonicRegression

from rocviz.core.roc.segments import RankedSegments

COUNTS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5)).filter(lambda c: sum(c) > 0),
    min_size=1,
    max_size=14,
).filter(lambda cells: all(sum(side) > 0 for side in zip(*cells, strict=True)))


def segments_of(cells):
    pos, neg = zip(*cells, strict=True)
    return RankedSegments(np.arange(len(cells), 0, -1), pos, neg)


def exact_hull(cells):
    """Find the hull's vertices by Andrew's monotone chain in whole numbers."""
    points = [(0, 0)]
    for pos, neg in cells:
        points.append((points[-1][0] + int(neg), points[-1][1] + int(pos)))
    chain = []
    for i, (x, y) in enumerate(points):
        while len(chain) >= 2:
            ax, ay = points[chain[-2]]
            bx, by = points[chain[-1]]
            if (by - ay) * (x - bx) > (y - by) * (bx - ax):
                break
            chain.pop()
        chain.append(i)
    return chain


def exactly_convex(cells):
    return all(a[0] * b[1] >= b[0] * a[1] for a, b in pairwise(cells))


@given(COUNTS)
def test_small_counts_exactly(cells):
    segments = segments_of(cells)
    assert segments.hull_vertices.tolist() == exact_hull(cells)
    assert segments.is_convex == exactly_convex(cells)
    # one convex cell after another: a curve through steepening ratios loses every vertex
    assert segments.hull().is_convex


def near_equal(kind, n, rng):
    """Counts whose slopes differ in the last digits only."""
    if kind == "rising":  # each slope a little above the one before: the hull is one edge
        k = np.arange(1, n + 1)
        return list(zip(k, k + 1, strict=True))
    if kind == "falling":  # each a little below: every vertex is on the hull
        k = np.arange(n, 0, -1)
        return list(zip(k, k + 1, strict=True))
    if kind == "fibonacci":  # quotients close in on the golden ratio from both sides
        f = [1, 1]
        while len(f) < n + 1:
            f.append(f[-1] + f[-2])
        return [(f[i + 1], f[i]) for i in rng.permutation(n)]
    if kind == "pure":  # singletons, as when every score is unique
        y = rng.random(n) < np.linspace(0.7, 0.3, n)
        return list(zip(y.astype(int), 1 - y.astype(int), strict=True))
    # "scaled": multiples of few ratios, so that exact ties hide among near ties
    p = rng.integers(40, 44, n)
    q = rng.integers(40, 44, n)
    k = rng.integers(1, 50, n)
    return list(zip(p * k, q * k, strict=True))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("kind", "n"),
    [("rising", 1_500), ("falling", 1_500), ("fibonacci", 28), ("pure", 20_000), ("scaled", 3_000)],
)
def test_near_equal_slopes_exactly(kind, n, seed):
    cells = near_equal(kind, n, np.random.default_rng(seed))
    segments = segments_of(cells)
    assert segments.hull_vertices.tolist() == exact_hull(cells)
    assert segments.is_convex == exactly_convex(cells)
    if kind == "rising":
        assert len(segments.hull()) == 1
    if kind == "falling":
        assert len(segments.hull()) == n


@pytest.mark.parametrize(
    "cells",
    [
        # rounded probabilities tie where counts do not: pooling hides a vertex
        [(10**8, 1), (10**8 - 1, 1), (10**8 - 2, 1), (10**8 - 1, 1)],
        [(10**8 - 1, 1), (10**8, 1)],
        # counts tie where the rounded mean of a pool does not: pooling leaves a vertex
        [(0, 184), (84, 516), (117, 975)],
    ],
)
def test_where_pooling_in_floating_point_errs(cells):
    assert segments_of(cells).hull_vertices.tolist() == exact_hull(cells)


@given(COUNTS, st.sampled_from([0.1, 1 / 3, 1e-9, 1e40]))
def test_weights_that_are_no_whole_numbers(cells, weight):
    pos, neg = weight * np.array(cells, dtype=float).T
    segments = RankedSegments(np.arange(len(cells), 0, -1), pos, neg)
    assert segments.hull_vertices.tolist() == exact_hull(cells)
    assert segments.is_convex == exactly_convex(cells)


def test_two_large_segments_that_differ_by_one_sample():
    n = 10_000_000
    assert segments_of([(n, n - 1), (n - 1, n - 2)]).hull_vertices.tolist() == [0, 2]
    assert segments_of([(n, n + 1), (n - 1, n)]).is_convex
    assert not segments_of([(n - 1, n), (n, n + 1)]).is_convex


@given(
    st.lists(
        st.tuples(st.integers(-4, 4), st.booleans(), st.floats(0.01, 100)), min_size=2, max_size=40
    ).filter(lambda rows: len({y for _, y, _ in rows}) == 2)
)
def test_probabilities_are_isotonic_regression(rows):
    score = np.array([row[0] for row in rows])
    y = np.array([row[1] for row in rows])
    weight = np.array([row[2] for row in rows])
    segments = RankedSegments.from_scores(y, score, sample_weight=weight)
    hull = segments.hull()
    pooled = np.repeat(hull.empirical_probability, np.diff(segments.hull_vertices))
    isotonic = IsotonicRegression(out_of_bounds="clip").fit(score, y, sample_weight=weight)
    np.testing.assert_allclose(pooled, isotonic.predict(segments.score), atol=1e-12)
