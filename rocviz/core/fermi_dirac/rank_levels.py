"""Labels by rank, and frequencies of positives in slices of ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import Bools, Floats, check_integer
from rocviz.core.roc.segments import RankedSegments, check_segments


@dataclass(frozen=True, eq=False)
class RankFrequencies(Frozen):
    """Positives in slices of a ranking."""

    rank: Floats  # (n_slices,): middle of each slice
    # (n_slices,): positives in it. A tie that crosses the edge of a slice is divided
    pos: Floats
    n: Floats  # (n_slices,): samples in it

    @property
    def frequency(self) -> Floats:
        """Share of positives in each slice."""
        return self.pos / self.n


def check_counts(segments: RankedSegments) -> tuple[int, int]:
    """Check that weights are counts, and count positives and negatives."""
    segments = check_segments(segments)
    counts = np.stack((segments.pos, segments.neg))
    if (counts != np.rint(counts)).any():
        raise ValueError("segments must have whole weights, since every sample has a rank.")
    return round(segments.n_pos), round(segments.n_neg)


def rank_labels(segments: RankedSegments) -> Bools:
    """List the label of each rank, rank 1 first; weights must be whole.

    Among tied samples the positives are spread evenly.

    Examples
    --------
    >>> segments = RankedSegments(score=[2, 1], pos=[1, 2], neg=[0, 2])
    >>> rank_labels(segments).astype(int)
    array([1, 0, 1, 0, 1])
    """
    check_counts(segments)
    n = segments.n.astype(np.int64)
    place = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)  # within its tie
    pos = np.repeat(segments.pos.astype(np.int64), n)
    tie_size = np.repeat(n, n)
    return np.asarray((place + 1) * pos // tie_size > place * pos // tie_size)


def rank_frequencies(segments: RankedSegments, n_slices: int | None = None) -> RankFrequencies:
    """Count positives in slices of about equally many ranks; weights must be whole.

    There is at least one slice, at most one per sample; by default up to 20 slices of 20 samples or
    more each, and in a small ranking up to 4 slices of 5 samples or more.

    Examples
    --------
    >>> segments = RankedSegments(score=[3, 2, 1], pos=[2, 1, 0], neg=[0, 1, 2])
    >>> rank_frequencies(segments, 2).pos
    array([2.5, 0.5])
    """
    n = sum(check_counts(segments))
    if n_slices is None:
        n_slices = max(1, min(4, n // 5), min(20, n // 20))
    slices = check_integer(n_slices, "n_slices", 1, n)
    edges = np.round(np.linspace(0, n, slices + 1))
    ends = segments.cumulative_pos + segments.cumulative_neg
    pos = np.diff(np.interp(edges, ends, segments.cumulative_pos))
    return RankFrequencies((edges[1:] + edges[:-1] + 1) / 2, pos, np.diff(edges))
