"""Histograms of scores, and the points of a reliability diagram."""

from __future__ import annotations

from dataclasses import dataclass
from math import ulp

import numpy as np

from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import Floats, check_choice, check_integer, check_probabilities
from rocviz.core.roc.segments import RankedSegments, check_segments


@dataclass(frozen=True, eq=False)
class ScoreHistogram(Frozen):
    """Weights of both classes in score bins of equal width."""

    # (n_bins + 1,): from 0 to 1 where all scores are within, else from the lowest to the highest
    # score
    edges: Floats
    # (n_bins,): weight of the positives and of the negatives in each bin
    pos: Floats
    neg: Floats

    @property
    def centres(self) -> Floats:
        """Middle of each bin, shape (n_bins,)."""
        return self.edges[:-1] / 2 + self.edges[1:] / 2


def score_histogram(segments: RankedSegments, bins: int = 30) -> ScoreHistogram:
    """Count the weight of both classes in bins of equal width, at least one.

    Examples
    --------
    >>> segments = RankedSegments.from_scores([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    >>> score_histogram(segments, bins=2).pos
    array([1., 1.])
    """
    score = check_segments(segments).score
    bins = check_integer(bins, "bins", minimum=1)
    check_effort(numbers=5 * bins, bins=bins)
    low, high = float(score[-1]), float(score[0])
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    ends = np.finfo(float)
    least = bins * ulp(max(abs(low), abs(high)))  # narrower bins would have equal edges
    if high - low < least:
        half = max(least, 0.5, abs(low) / 1000 if low == high else 0.0)
        low, high = max(low - half, ends.min), min(high + half, ends.max)
    # scaled by a quarter, so that no width overflows
    (pos, edges), (neg, _) = (
        np.histogram(score / 4, bins, (low / 4, high / 4), weights=side)
        for side in (segments.pos, segments.neg)
    )
    return ScoreHistogram(4 * edges, pos, neg)


@dataclass(frozen=True, eq=False)
class ReliabilityPoints(Frozen):
    """Points of a reliability diagram: one per tie group or hull segment."""

    predicted: Floats  # (n_points,): mean predicted probability, in decreasing order
    observed: Floats  # (n_points,): proportion of positives
    # (n_points,): weight of the positives, and of all samples
    pos: Floats
    n: Floats


def reliability_points(segments: RankedSegments, by: str = "hull") -> ReliabilityPoints:
    """Compare predicted probabilities with observed proportions, without binning.

    Scores are probabilities. There is one point for each segment of the convex hull (``"hull"``),
    or for each distinct probability (``"score"``).

    Examples
    --------
    >>> segments = RankedSegments(score=[0.9, 0.6, 0.2], pos=[2, 3, 1], neg=[1, 0, 3])
    >>> points = reliability_points(segments)
    >>> points.predicted.round(3), points.observed.round(3)
    (array([0.75, 0.2 ]), array([0.833, 0.25 ]))
    """
    score = check_probabilities(check_segments(segments).score, "segments.score")
    check_choice(by, "by", ("hull", "score"))
    if by == "score":
        return ReliabilityPoints(score, segments.empirical_probability, segments.pos, segments.n)
    hull, at = segments.hull(), segments.hull_vertices
    share = segments.n / np.repeat(hull.n, np.diff(at))
    predicted = np.add.reduceat(score * share, at[:-1])
    return ReliabilityPoints(predicted, hull.empirical_probability, hull.pos, hull.n)
