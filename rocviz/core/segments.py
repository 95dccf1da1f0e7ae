"""Ranked segments: the one data structure everything else is computed from.

A segment holds the samples tied on one score. From their counts alone follow the ROC curve,
its area, its convex hull and the optimal cuts. Knows nothing of models, plots or widgets.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression

from rocviz.core._frozen import Frozen, read_only
from rocviz.core._validation import (
    Floats,
    check_fraction,
    check_labels,
    check_number,
    check_same_length,
    check_vector,
    check_weights,
)
from rocviz.core.confusion import ConfusionTable

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["RankedSegments", "ThinnedCurve"]

# Two products of counts closer than this (relatively) count as equal. Products of counts
# below 3e7 differ by more, so for unweighted data the comparison is exact.
_TIE = 4 * np.finfo(np.float64).eps


@dataclass(frozen=True, eq=False)
class ThinnedCurve(Frozen):
    """An ROC curve reduced to the vertices that matter at a drawn size.

    Parameters
    ----------
    fpr, tpr : ndarray of float, shape (n_vertices,)
        Kept vertices, from (0, 0) to (1, 1).
    index : ndarray of int, shape (n_vertices,)
        Which vertices of the full curve they are.
    bound : float
        Greatest distance from a vertex of the full curve to the thinned one, in units of the
        axes: no point of the full curve is farther away.
    """

    fpr: Floats
    tpr: Floats
    index: NDArray[np.intp]
    bound: float


@dataclass(frozen=True, eq=False, repr=False)
class RankedSegments(Frozen):
    """Tie groups of a ranking in decreasing order of score, with their class weights.

    Immutable; segment 0 is the most positive. Build it from data with :meth:`from_scores`.

    Parameters
    ----------
    score : array-like of float, shape (n_segments,)
        Strictly decreasing. A segment that was made by joining others carries the lowest of
        their scores, so that the threshold ``score >= s`` takes all of it.
    pos, neg : array-like of float, shape (n_segments,)
        Weight of positives and negatives of each segment; no segment is empty and both
        classes occur.

    Raises
    ------
    ValueError
        If the arrays differ in length, are not finite, not in order, negative or empty.

    References
    ----------
    Flach and Matsubara (2007), "On classification, ranking, and probability estimation",
    sections 2 and 3.

    Examples
    --------
    >>> segments = RankedSegments.from_scores([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    >>> segments.score
    array([0.8, 0.4, 0.1])
    >>> segments.auc
    0.875
    """

    score: Floats
    pos: Floats
    neg: Floats

    def __post_init__(self) -> None:
        for name in ("score", "pos", "neg"):
            object.__setattr__(self, name, check_vector(getattr(self, name), name))
        super().__post_init__()
        check_same_length(self.score.size, pos=self.pos, neg=self.neg)
        if self.score.size == 0:
            raise ValueError("score is empty; at least one segment is needed.")
        if (np.diff(self.score) >= 0).any():
            raise ValueError("score must strictly decrease from segment to segment.")
        if min(self.pos.min(), self.neg.min()) < 0 or (self.pos + self.neg).min() == 0:
            raise ValueError("pos and neg must not be negative, and no segment may be empty.")
        if not (self.pos.any() and self.neg.any()):
            raise ValueError("pos and neg must both have weight: one class only is no ranking.")

    # ------------------------------------------------------------------ making

    @classmethod
    def from_scores(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
    ) -> RankedSegments:
        """Group samples by score.

        Parameters
        ----------
        y_true : array-like, shape (n_samples,)
            Labels of exactly two classes: numbers, booleans or strings.
        y_score : array-like of float, shape (n_samples,)
            Finite; higher means more positive.
        sample_weight : array-like of float, shape (n_samples,), optional
            Not negative. Samples of weight zero are left out.
        pos_label : label, optional
            The positive class; by default the larger label in sorted order.

        Returns
        -------
        RankedSegments

        Raises
        ------
        ValueError
            If anything is not as said above, or a class has no weight.

        Examples
        --------
        >>> RankedSegments.from_scores(["ill", "well"], [2.0, 1.0], pos_label="ill").auc
        1.0
        """
        positive = check_labels(y_true, pos_label)
        y_score = check_vector(y_score, "y_score")
        check_same_length(positive.size, y_score=y_score)
        weight = check_weights(sample_weight, positive.size)
        if weight is None:
            return cls._tie(y_score, positive, ~positive)
        pos, neg = weight * positive, weight * ~positive
        if not (pos.any() and neg.any()):
            raise ValueError("sample_weight leaves one class without weight; both are needed.")
        some = weight > 0
        return cls._tie(y_score[some], pos[some], neg[some])

    @classmethod
    def _tie(cls, score: Floats, pos: NDArray[Any], neg: NDArray[Any]) -> RankedSegments:
        """Sort by decreasing score and add up what is tied."""
        order = np.argsort(score)[::-1]
        score = score[order]
        start = np.concatenate(([0], np.flatnonzero(np.diff(score)) + 1))
        return cls(
            score=score[start],
            pos=np.add.reduceat(pos[order], start, dtype=np.float64),
            neg=np.add.reduceat(neg[order], start, dtype=np.float64),
        )

    # ------------------------------------------------------------------ counts

    def __len__(self) -> int:
        return int(self.score.size)

    def __repr__(self) -> str:
        return (
            f"<RankedSegments: {len(self)} segments, {self.n_pos:.10g} positives, "
            f"{self.n_neg:.10g} negatives, AUC {self.auc:.4f}>"
        )

    @cached_property
    def n(self) -> Floats:
        """Weight of each segment, shape (n_segments,)."""
        return read_only(self.pos + self.neg)

    @cached_property
    def cumulative_pos(self) -> Floats:
        """Positives above each cut, shape (n_segments + 1,), from 0 to ``n_pos``."""
        return read_only(np.concatenate(([0.0], np.cumsum(self.pos))))

    @cached_property
    def cumulative_neg(self) -> Floats:
        """Negatives above each cut, shape (n_segments + 1,), from 0 to ``n_neg``."""
        return read_only(np.concatenate(([0.0], np.cumsum(self.neg))))

    @property
    def n_pos(self) -> float:
        """Weight of all positives."""
        return float(self.cumulative_pos[-1])

    @property
    def n_neg(self) -> float:
        """Weight of all negatives."""
        return float(self.cumulative_neg[-1])

    @property
    def n_samples(self) -> float:
        """Weight of all samples."""
        return self.n_pos + self.n_neg

    @property
    def prevalence(self) -> float:
        """Fraction of positives."""
        return self.n_pos / self.n_samples

    @property
    def prior_odds(self) -> float:
        """Positives per negative."""
        return self.n_pos / self.n_neg

    # ------------------------------------------------------------------ the curve

    @cached_property
    def fpr(self) -> Floats:
        """False positive rate at each vertex, shape (n_segments + 1,), from 0 to 1."""
        return read_only(self.cumulative_neg / self.n_neg)

    @cached_property
    def tpr(self) -> Floats:
        """True positive rate at each vertex, shape (n_segments + 1,), from 0 to 1."""
        return read_only(self.cumulative_pos / self.n_pos)

    @cached_property
    def thresholds(self) -> Floats:
        """Threshold of each vertex, shape (n_segments + 1,): positive when score >= it.

        The first is infinite: nothing is called positive at the origin.
        """
        return read_only(np.concatenate(([np.inf], self.score)))

    @cached_property
    def auc(self) -> float:
        """Area under the ROC curve; ties count one half.

        The Mann-Whitney statistic over ``n_pos * n_neg`` (Flach and Matsubara, section 2,
        with positives *before* segment i in the ranking, where their text prints ``j > i``).
        """
        above = self.cumulative_pos[:-1]
        return float(np.sum(self.neg * (above + self.pos / 2)) / self.n_pos / self.n_neg)

    @cached_property
    def slope(self) -> Floats:
        """Slope of each edge of the curve, shape (n_segments,); infinite where ``neg`` is 0."""
        slope = np.full(len(self), np.inf)
        np.divide(self.pos, self.neg, out=slope, where=self.neg > 0)
        return read_only(slope / self.prior_odds)

    @cached_property
    def empirical_probability(self) -> Floats:
        """Proportion of positives in each segment, shape (n_segments,), in [0, 1].

        The slope in other units: ``slope / (slope + 1 / prior_odds)``.
        """
        return read_only(self.pos / self.n)

    @cached_property
    def is_convex(self) -> bool:
        """Whether slopes never increase along the curve (what the field calls convex)."""
        left, right = self._turns(np.arange(len(self) + 1))
        return bool((left >= right * (1 - _TIE)).all())

    def _turns(self, vertices: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Return two products per inner vertex; the curve turns down where left > right."""
        pos = np.diff(self.cumulative_pos[vertices])
        neg = np.diff(self.cumulative_neg[vertices])
        return pos[:-1] * neg[1:], pos[1:] * neg[:-1]

    # ------------------------------------------------------------------ coarser rankings

    def _join(self, vertices: NDArray[np.intp]) -> RankedSegments:
        """Return the coarser ranking whose curve has these vertices only (first and last too)."""
        start = vertices[:-1]
        return RankedSegments(
            score=self.score[vertices[1:] - 1],
            pos=np.add.reduceat(self.pos, start),
            neg=np.add.reduceat(self.neg, start),
        )

    @cached_property
    def hull_vertices(self) -> NDArray[np.intp]:
        """Indices of the curve's vertices that are vertices of its convex hull.

        Shape (n_hull_segments + 1,), increasing, first 0 and last ``n_segments``.
        """
        # Pooling adjacent violators is the hull, up to rounding. Whatever rounding hid inside
        # a block lies above the block's chord and is put back; then every vertex on or below
        # the chord of its neighbours goes. Products of counts decide, so counts are exact.
        keep = np.asarray(
            isotonic_regression(
                self.empirical_probability, weights=self.n, increasing=False
            ).blocks,
            dtype=np.intp,
        )
        length = np.diff(keep)
        first, last = np.repeat(keep[:-1], length), np.repeat(keep[1:], length)
        p, n = self.cumulative_pos, self.cumulative_neg
        up = (p[:-1] - p[first]) * (n[last] - n[first])
        along = (p[last] - p[first]) * (n[:-1] - n[first])
        keep = np.union1d(keep, np.flatnonzero(up > along * (1 + _TIE)))
        while True:
            left, right = self._turns(keep)
            drop = left <= right * (1 + _TIE)
            if not drop.any():
                return read_only(keep)
            keep = np.delete(keep, np.flatnonzero(drop) + 1)

    def hull(self) -> RankedSegments:
        """Return the convex hull: the coarsest merge that keeps the upper envelope.

        Returns
        -------
        RankedSegments
            With strictly decreasing slopes. Its ``empirical_probability`` is the isotonic
            regression of the class on the score; its ``auc`` is at least that of the curve,
            and equal to it exactly when the curve is convex.

        References
        ----------
        Flach and Matsubara (2007), section 3; Fawcett and Niculescu-Mizil (2007), "PAV and
        the ROC convex hull".

        Examples
        --------
        >>> segments = RankedSegments(score=[4, 3, 2, 1], pos=[2, 4, 3, 1], neg=[3, 1, 1, 5])
        >>> hull = segments.hull()
        >>> hull.pos, hull.neg
        (array([9., 1.]), array([5., 5.]))
        """
        return self._join(self.hull_vertices)

    def coarsen(self, i: int) -> RankedSegments:
        """Return the ranking in which segments ``i`` and ``i + 1`` are tied.

        Parameters
        ----------
        i : int
            From 0 to ``n_segments - 2``.

        Returns
        -------
        RankedSegments

        Raises
        ------
        ValueError
            If there is no such pair of neighbours.
        """
        if isinstance(i, bool) or not isinstance(i, int | np.integer) or not 0 <= i < len(self) - 1:
            raise ValueError(
                f"i must be an integer from 0 to {len(self) - 2} (segment i and the next are "
                f"joined); got {i!r}."
            )
        return self._join(np.delete(np.arange(len(self) + 1), i + 1))

    def merge(self, other: RankedSegments) -> RankedSegments:
        """Return the segments of both data sets together; equal scores add up.

        Parameters
        ----------
        other : RankedSegments
            Scored on the same scale.

        Returns
        -------
        RankedSegments
        """
        if not isinstance(other, RankedSegments):
            raise ValueError(f"other must be RankedSegments; got {type(other).__name__}.")
        return self._tie(
            np.concatenate((self.score, other.score)),
            np.concatenate((self.pos, other.pos)),
            np.concatenate((self.neg, other.neg)),
        )

    def with_scores(self, score: ArrayLike) -> RankedSegments:
        """Return the same samples under new scores; segments given equal scores are joined.

        Parameters
        ----------
        score : array-like of float, shape (n_segments,)
            One new score per segment, in any order: the segments are ranked anew.

        Returns
        -------
        RankedSegments
        """
        new = check_vector(score, "score")
        if new.size != len(self):
            raise ValueError(
                f"score must have one entry per segment; got {new.size} for {len(self)}."
            )
        return self._tie(new, self.pos, self.neg)

    def thin(self, max_vertices: int | None = None, *, size: float = 600.0) -> ThinnedCurve:
        """Return few vertices that draw the same picture.

        Vertices of the hull are kept; then, one by one, the vertex farthest from the drawn
        curve is added until none is more than half a pixel away.

        Parameters
        ----------
        max_vertices : int, optional
            Stop at so many vertices even if some are still farther away; at least 2. If the
            hull has more by itself, its vertices are thinned by the same rule.
        size : float, default=600
            Width and height of the drawn unit square, in pixels.

        Returns
        -------
        ThinnedCurve
            Its ``bound`` is the distance that is left: at most ``0.5 / size`` unless
            ``max_vertices`` was too few.
        """
        tolerance = 0.5 / check_number(size, "size", minimum=1.0)
        most = len(self) + 1 if max_vertices is None else max_vertices
        if isinstance(most, bool) or not isinstance(most, int | np.integer) or most < 2:
            raise ValueError(
                f"max_vertices must be an integer of at least 2; got {max_vertices!r}."
            )
        hull = self.hull_vertices
        keep = hull if hull.size <= most else np.array([0, len(self)])
        kept, bound = _simplify(self.fpr, self.tpr, keep, most, tolerance)
        return ThinnedCurve(
            fpr=self.fpr[kept],
            tpr=self.tpr[kept],
            index=kept,
            bound=bound,
        )

    # ------------------------------------------------------------------ cuts

    def at_threshold(self, t: float, *, random_part: float = 1.0) -> ConfusionTable:
        """Return the confusion table of calling positive what scores at least ``t``.

        Parameters
        ----------
        t : float
            Threshold; may be infinite.
        random_part : float, default=1.0
            Share of the samples tied exactly at ``t`` that is called positive at random:
            0 stops above that segment, values between lie inside its edge of the curve.

        Returns
        -------
        ConfusionTable
            Expected counts; its ``threshold`` is ``t``.

        Examples
        --------
        >>> segments = RankedSegments.from_scores([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
        >>> table = segments.at_threshold(0.4, random_part=0.5)
        >>> table.tp, table.fp
        (1.5, 0.5)
        """
        t = float(t)
        if np.isnan(t):
            raise ValueError("t must be a number; got NaN.")
        part = check_fraction(random_part, "random_part", ends=True)
        k = int(np.searchsorted(-self.score, -t, side="right"))
        tp, fp = float(self.cumulative_pos[k]), float(self.cumulative_neg[k])
        if k and self.score[k - 1] == t:
            tp -= (1 - part) * float(self.pos[k - 1])
            fp -= (1 - part) * float(self.neg[k - 1])
        return ConfusionTable(
            tp=tp,
            fp=fp,
            fn=max(self.n_pos - tp, 0.0),
            tn=max(self.n_neg - fp, 0.0),
            threshold=t,
        )

    def optimal_point(
        self, cost_fp: float = 1.0, cost_fn: float = 1.0, prevalence: float | None = None
    ) -> ConfusionTable:
        """Return the cut with the lowest expected cost.

        It is a vertex of the hull: where the isometric of the costs touches it. Of several
        equally good ones, the one that calls fewest samples positive.

        Parameters
        ----------
        cost_fp, cost_fn : float, default=1.0
            Costs of a false alarm and of a miss; not negative and not both zero.
        prevalence : float, optional
            Prevalence where the classifier is used, from 0 to 1; by default that of the data.

        Returns
        -------
        ConfusionTable
            Of this data at the optimal threshold.

        Examples
        --------
        >>> segments = RankedSegments(score=[3, 2, 1], pos=[6, 3, 1], neg=[1, 2, 7])
        >>> segments.optimal_point(cost_fp=1, cost_fn=1).threshold
        2.0
        """
        check_number(cost_fp, "cost_fp", minimum=0.0)
        check_number(cost_fn, "cost_fn", minimum=0.0)
        if cost_fp == cost_fn == 0:
            raise ValueError("cost_fp and cost_fn are both zero; one must be positive.")
        pi = (
            self.prevalence
            if prevalence is None
            else check_fraction(prevalence, "prevalence", ends=True)
        )
        at = self.hull_vertices
        cost = (1 - pi) * cost_fp * self.fpr[at] + pi * cost_fn * (1 - self.tpr[at])
        scale = (1 - pi) * cost_fp + pi * cost_fn
        best = int(np.flatnonzero(cost <= cost.min() + _TIE * scale)[0])
        return self.at_threshold(self.thresholds[at[best]])

    # ------------------------------------------------------------------ tables

    def to_frame(self) -> pd.DataFrame:
        """Return one row per segment.

        Returns
        -------
        pandas.DataFrame
            Columns ``score, pos, neg, empirical_probability, slope, fpr, tpr``; the rates are
            those of the cut below the segment.
        """
        import pandas as pd

        return pd.DataFrame(
            {
                "score": self.score,
                "pos": self.pos,
                "neg": self.neg,
                "empirical_probability": self.empirical_probability,
                "slope": self.slope,
                "fpr": self.fpr[1:],
                "tpr": self.tpr[1:],
            }
        )

    def _repr_html_(self) -> str:
        note = "" if len(self) <= 20 else f"<p>first 20 of {len(self)} segments</p>"
        return f"<p>{repr(self)[1:-1]}</p>{self.to_frame().head(20).to_html(index=False)}{note}"


def _simplify(
    x: Floats, y: Floats, keep: NDArray[np.intp], most: int, tolerance: float
) -> tuple[NDArray[np.intp], float]:
    """Add the farthest vertex again and again (Ramer, Douglas, Peucker, best first)."""

    def farthest(a: int, b: int) -> tuple[float, int, int, int]:
        if b - a < 2:
            return 0.0, a, a, b
        dx, dy = x[b] - x[a], y[b] - y[a]
        off = np.abs((x[a + 1 : b] - x[a]) * dy - (y[a + 1 : b] - y[a]) * dx) / np.hypot(dx, dy)
        at = int(off.argmax())
        return -float(off[at]), a + 1 + at, a, b

    heap = [farthest(int(a), int(b)) for a, b in zip(keep[:-1], keep[1:], strict=True)]
    heapq.heapify(heap)
    kept = keep.tolist()
    while -heap[0][0] > tolerance and len(kept) < most:
        _, at, a, b = heapq.heappop(heap)
        kept.append(at)
        heapq.heappush(heap, farthest(a, at))
        heapq.heappush(heap, farthest(at, b))
    return np.array(sorted(kept), dtype=np.intp), -heap[0][0]
