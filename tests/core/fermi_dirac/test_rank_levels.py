"""Ranks one by one and in slices: counts stay the same, ties are divided."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.fermi_dirac.rank_levels import rank_frequencies, rank_labels
from rocviz.core.roc.segments import RankedSegments


def has_both_classes(counts):
    return any(pos for pos, _ in counts) and any(neg for _, neg in counts)


COUNTS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(any), min_size=1, max_size=9
).filter(has_both_classes)


def segments_of(counts):
    pos, neg = np.array(counts, float).T
    return RankedSegments(score=-np.arange(len(counts)), pos=pos, neg=neg)


@given(COUNTS, st.data())
def test_labels_and_slices_count_the_same(counts, data):
    segments = segments_of(counts)
    labels = rank_labels(segments)
    ends = np.cumsum(segments.n).astype(int)
    assert np.add.reduceat(labels, np.append(0, ends[:-1]), dtype=int) == pytest.approx(
        segments.pos
    )
    n = data.draw(st.integers(1, labels.size))
    slices = rank_frequencies(segments, n)
    assert slices.n.sum() == labels.size
    assert np.ptp(slices.n) <= 1
    assert slices.pos.sum() == pytest.approx(segments.n_pos)
    # ties are spread evenly, so a slice of labels is off by less than one at each of its edges
    edges = np.append(0, np.cumsum(slices.n)).astype(int)
    counted = np.diff(np.append(0, np.cumsum(labels))[edges])
    assert np.abs(counted - slices.pos).max() < 2
    assert slices.frequency.max() <= 1 + 1e-12
    middles = [np.arange(a + 1, b + 1).mean() for a, b in itertools.pairwise(edges)]
    assert slices.rank == pytest.approx(middles)


@given(COUNTS)
def test_the_law_of_segments_is_that_of_the_samples(counts):
    segments = segments_of(counts)
    y = np.concatenate([np.repeat([1, 0], pos_and_neg) for pos_and_neg in counts])
    score = np.repeat(segments.score, segments.n.astype(int))
    law = FermiDirac.from_segments(segments)
    assert law == FermiDirac.from_scores(y, score)
    assert law.auc == pytest.approx(segments.auc, abs=1e-15)


def test_default_slices():
    for n, slices in ((2, 1), (10, 2), (30, 4), (200, 10), (5000, 20)):
        segments = segments_of([(1, 0)] * (n // 2) + [(0, 1)] * (n // 2))
        assert rank_frequencies(segments).n.size == slices


def test_bad_input():
    segments = RankedSegments(score=[2, 1], pos=[1.5, 1], neg=[0, 1])
    for function in (rank_labels, rank_frequencies, FermiDirac.from_segments):
        with pytest.raises(ValueError, match=r"^segments must have whole weights"):
            function(segments)
    with pytest.raises(ValueError, match=r"^n_slices must be an integer of at least 1 and at most"):
        rank_frequencies(segments_of([(1, 0), (0, 1)]), 3)
