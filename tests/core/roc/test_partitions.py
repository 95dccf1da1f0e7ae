"""Data that come in pieces are counted like the whole, or between bounds that hold."""

from dataclasses import asdict
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz.core.calibration.brier import brier_bounds, brier_decomposition
from rocviz.core.roc.partitions import ScoreCounts
from rocviz.core.roc.segments import RankedSegments

SCORES = st.one_of(
    st.sampled_from([0.0, -0.0, 0.25, 1.0]),
    st.floats(0, 1),
    st.integers(0, 40).map(lambda k: 0.5 + k * 2.0**-40),
)


@st.composite
def samples(draw, scores=SCORES):
    """Labels of both classes, scores and whole weights."""
    rows = draw(st.lists(st.tuples(st.booleans(), scores, st.integers(0, 3)), min_size=2))
    y, score, weight = map(np.array, zip(*rows, strict=True))
    y[:2] = (True, False)
    weight[:2] = 1
    return y, score.astype(float), weight.astype(float)


def divide(data, places):
    """Divide the samples at some places."""
    n = data[0].size
    edges = [0, *sorted(place % (n + 1) for place in places), n]
    pieces = []
    for start, stop in pairwise(edges):
        pieces.append(tuple(column[start:stop] for column in data))
    return pieces


def assert_same(segments, expected):
    for name in ("score", "pos", "neg", "highest"):
        np.testing.assert_array_equal(getattr(segments, name), getattr(expected, name))


@given(samples(), st.lists(st.integers(0, 100), max_size=5))
def test_pieces_give_what_the_whole_gives(data, places):
    y, score, weight = data
    whole = RankedSegments.from_scores(y, score, sample_weight=weight)
    assert_same(RankedSegments.from_partitions(divide(data, places)), whole)


@given(samples(), st.lists(st.integers(0, 100), max_size=5), st.integers(2, 9), st.randoms())
def test_joined_cells_do_not_depend_on_pieces_or_order(data, places, most, random):
    pieces = divide(data, places)
    counted = []
    for y, score, weight in pieces:
        counted.append(ScoreCounts.from_scores(y, score, sample_weight=weight, max_segments=most))
    while len(counted) > 1:  # a reduction in any order
        random.shuffle(counted)
        counted.append(counted.pop().add(counted.pop()))
    whole = RankedSegments.from_partitions([data], max_segments=most)
    assert_same(RankedSegments.from_partitions(counted), whole)
    assert len(whole) <= most
    assert whole.is_exact == (len(np.unique(data[1][data[2] > 0])) <= most)


@given(samples(), st.integers(2, 9))
def test_bounds_hold_for_all_results(data, most):
    y, score, weight = data
    exact = RankedSegments.from_scores(y, score, sample_weight=weight)
    joined = RankedSegments.from_partitions([data], max_segments=most)
    tiny = 1e-12
    low, high = joined.auc_bounds
    assert low - tiny <= exact.auc <= high + tiny
    assert joined.auc == pytest.approx((low + high) / 2, abs=tiny)
    best = joined.best_order()
    worst = joined.worst_order()
    # the curve, as heights over the data's own false positive rates: a step may be upright
    for fpr, tpr in zip(exact.fpr, exact.tpr, strict=True):
        assert np.max(best.tpr[best.fpr <= fpr + tiny]) >= tpr - tiny
        assert np.min(worst.tpr[worst.fpr >= fpr - tiny]) <= tpr + tiny
    assert joined.hull().auc - tiny <= exact.hull().auc <= best.hull().auc + tiny
    low = joined.hull()
    hull = exact.hull()
    high = best.hull()
    # a hull is concave and upright at its left end at most, where its upper end is taken
    assert (np.interp(hull.fpr, low.fpr, low.tpr) <= hull.tpr + tiny)[hull.fpr > 0].all()
    assert (np.interp(high.fpr, hull.fpr, hull.tpr) <= high.tpr + tiny)[high.fpr > 0].all()
    lows, highs = map(asdict, brier_bounds(joined))
    for term, value in asdict(brier_decomposition(exact)).items():
        assert lows[term] - tiny <= value <= highs[term] + tiny, term


def test_with_many_segments_the_bounds_are_narrow():
    rng = np.random.default_rng(0)
    y = rng.random(20_000) < 0.3
    score = rng.normal(size=y.size) + y
    exact = RankedSegments.from_scores(y, score)
    joined = RankedSegments.from_partitions([(y, score)], max_segments=2_000)
    low, high = joined.auc_bounds
    assert low <= exact.auc <= high
    assert high - low < 2e-3
    assert joined.auc == pytest.approx(exact.auc, abs=1e-5)


def test_exact_segments_are_their_own_bounds():
    segments = RankedSegments(score=[0.8, 0.2], pos=[3, 1], neg=[1, 3])
    assert segments.is_exact
    assert segments.best_order() is segments.worst_order() is segments
    assert segments.auc_bounds == (segments.auc, segments.auc)
    assert brier_bounds(segments) == (brier_decomposition(segments),) * 2
    assert RankedSegments([2, 1], [3, 1], [1, 3], highest=[2, 1]).is_exact


def test_scores_that_differ_in_the_last_digit_stay_distinct():
    near = 1e9 + np.arange(4) * 2.0**-22
    segments = RankedSegments.from_partitions([([0, 1], near[:2]), ([0, 1], near[2:])])
    np.testing.assert_array_equal(segments.score, near[::-1])


def test_labels_of_pieces():
    words = [(["ill", "ill"], [3, 2]), (["well"], [1])]
    assert RankedSegments.from_partitions(words, pos_label="ill").auc == 1
    assert RankedSegments.from_partitions([([-1], [0]), ([[1]], [1]), ([], [])]).auc == 1
    assert ScoreCounts.from_scores([True, True], [1, 2]).neg_label is None
    assert ScoreCounts.from_scores([1, 2], [1, 2], pos_label=2).neg_label == 1
    assert "exact" in repr(ScoreCounts.from_scores([1, 0], [1, 2]))
    assert "63 of 64" in repr(ScoreCounts.from_scores([1, 0, 1], [-1, 1, 1e300], max_segments=2))


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        ([], "partitions is empty"),
        ([([1, 0], [1, 2]), ([1], [np.nan])], r"partitions\[1\]: y_score must be finite"),
        ([([1, 0], [1, 2]), ([1],)], r"partitions\[1\]: .*y_score"),
        ([([1, 1], [1, 2])], "partitions hold one class only"),
        ([(["a", "b"], [1, 2])], "pos_label is needed"),
        (
            [([1, 0], [1, 2], [1e-40] * 2), ([1, 0], [3, 4], [1e40] * 2)],
            r"partitions\[1\]: sample_weight must have .* factor of 1e\+24",
        ),
        ([{"y_true": [1], "y_score": [2]}], r"\[0\]: a piece must be two or three arrays .* dict"),
        ([pd.DataFrame({"y": [1], "s": [2]})], r"\[0\]: a piece must be .* got DataFrame"),
        ([([0, 1], [1, 2]), ([-1], [1])], r"partitions\[1\]: y_true holds more than one label"),
    ],
)
def test_errors_in_pieces_name_the_piece(pieces, message):
    with pytest.raises(ValueError, match=message):
        RankedSegments.from_partitions(pieces)


def test_more_labels_than_two_are_refused():
    with pytest.raises(ValueError, match="more than one label besides pos_label: 1, 2"):
        ScoreCounts.from_scores([0, 1, 2], [1, 2, 3], pos_label=0)
    with pytest.raises(ValueError, match=r"max_segments .* at least 2"):
        ScoreCounts.from_scores([0, 1], [1, 2], max_segments=1)


def test_joined_segments_are_not_merged():
    data = ([0, 1, 0, 1], [0.1, 0.2, 0.7, 0.8])
    exact = RankedSegments.from_scores(*data)
    joined = RankedSegments.from_partitions([data], max_segments=2)
    for first, second in ((exact, joined), (joined, exact)):
        with pytest.raises(ValueError, match="add their ScoreCounts instead"):
            first.merge(second)
    assert isinstance(ScoreCounts.from_scores(*data), ScoreCounts)
