"""Histograms and reliability points of segments lose no weight."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from rocviz.core.roc.segments import RankedSegments, reliability_points, score_histogram

ROWS = st.lists(
    st.tuples(st.booleans(), st.integers(0, 8), st.sampled_from([0.5, 1.0, 3.0])),
    min_size=2,
    max_size=40,
).filter(lambda rows: len({y for y, _, _ in rows}) == 2)


def columns(rows):
    y = np.array([row[0] for row in rows])
    score = np.array([row[1] for row in rows])
    weight = np.array([row[2] for row in rows])
    return y, score / 8, weight


@given(ROWS, st.integers(1, 40), st.sampled_from([1.0, 5.0]))
def test_histogram_is_that_of_the_samples(rows, bins, stretch):
    y, score, weight = columns(rows)
    score = stretch * score
    segments = RankedSegments.from_scores(y, score, sample_weight=weight)
    histogram = score_histogram(segments, bins)
    within = score.max() <= 1
    limits = (0.0, 1.0) if within else (score.min(), score.max())
    for side, name in ((y, "pos"), (~y, "neg")):
        want, edges = np.histogram(score[side], bins, limits, weights=weight[side])
        np.testing.assert_allclose(getattr(histogram, name), want)
        np.testing.assert_allclose(histogram.edges, edges)
        np.testing.assert_allclose(histogram.centres, edges[:-1] + np.diff(edges) / 2)
    assert histogram.pos.sum() == pytest.approx(segments.n_pos)


@given(ROWS, st.sampled_from(["hull", "score"]))
def test_reliability_points_lose_no_weight(rows, by):
    y, prob, weight = columns(rows)
    segments = RankedSegments.from_scores(y, prob, sample_weight=weight)
    points = reliability_points(segments, by=by)
    assert points.n.sum() == pytest.approx(segments.n_samples)
    assert points.pos.sum() == pytest.approx(segments.n_pos)
    assert points.predicted @ points.n == pytest.approx(prob @ weight)
    np.testing.assert_allclose(points.observed, points.pos / points.n)
    assert (np.diff(points.predicted) < 0).all()
    if by == "hull":
        assert (np.diff(points.observed) < 0).all()
        assert points.n.size == len(segments.hull())
    else:
        np.testing.assert_array_equal(points.predicted, segments.score)


def test_histograms_of_scores_at_the_ends_of_floats():
    for value in (0.5, 7.0, 1e16, 1e300, np.finfo(float).max):
        histogram = score_histogram(RankedSegments([value], [3], [2]), bins=25)
        assert (histogram.pos.sum(), histogram.neg.sum()) == (3, 2)
        assert np.all(np.diff(histogram.edges) > 0)
    narrow = score_histogram(RankedSegments([np.nextafter(3, 4), 3], [3, 0], [0, 2]), bins=4)
    assert (narrow.pos.sum(), narrow.neg.sum()) == (3, 2)
    assert np.all(np.diff(narrow.edges) > 0)
    most = np.finfo(float).max
    for score in ([most, -most], [most, 1.0], [1e16 + 64, 1e16]):
        histogram = score_histogram(RankedSegments(score, [3, 0], [0, 2]), bins=4)
        assert (histogram.pos.tolist(), histogram.neg.tolist()) == ([0, 0, 0, 3], [2, 0, 0, 0])
        assert np.all(histogram.edges[1:] > histogram.edges[:-1])
        assert np.isfinite(histogram.centres).all()
