"""Ranked segments: the one data structure everything else is computed from.

A segment holds the samples tied on one score. From their counts alone follow the ROC curve,
its area, its convex hull and the optimal cuts. Knows nothing of models, plots or widgets.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.frozen import DataFrame, to_frame
from rocviz.core.base.validation import (
    Floats,
    check_fraction,
    check_integer,
    check_labels,
    check_number,
    check_same_length,
    check_vector,
    check_weights,
)
from rocviz.core.roc._curve import RankedCurve
from rocviz.core.roc._geometry import TIE, ThinnedCurve
from rocviz.core.roc.confusion import ConfusionTable

__all__ = ["RankedSegments", "ThinnedCurve", "check_segments"]


@dataclass(frozen=True, eq=False, repr=False)
class RankedSegments(RankedCurve):
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
    Flach and Matsubara (2008), sections 2 and 3.

    Examples
    --------
    >>> segments = RankedSegments.from_scores([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    >>> segments.score
    array([0.8, 0.4, 0.1])
    >>> segments.auc
    0.875
    """

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

    # ------------------------------------------------------------------ coarser rankings

    def _join(self, vertices: NDArray[np.intp]) -> RankedSegments:
        """Return the coarser ranking whose curve has these vertices only (first and last too)."""
        start = vertices[:-1]
        return RankedSegments(
            score=self.score[vertices[1:] - 1],
            pos=np.add.reduceat(self.pos, start),
            neg=np.add.reduceat(self.neg, start),
        )

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
        Flach and Matsubara (2008), sections 3 and 6; Fawcett and Niculescu-Mizil (2007).

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

        Raises
        ------
        ValueError
            If no segment follows the one at ``i``.
        """
        at = check_integer(i, "i", 0, len(self) - 2)
        return self._join(np.delete(np.arange(len(self) + 1), at + 1))

    def merge(self, other: RankedSegments) -> RankedSegments:
        """Return the segments of both data sets together; equal scores add up.

        Parameters
        ----------
        other : RankedSegments
            Scored on the same scale.

        Raises
        ------
        ValueError
            If ``other`` is no RankedSegments.
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

        Raises
        ------
        ValueError
            If there is not one finite score per segment.
        """
        new = check_vector(score, "score")
        if new.size != len(self):
            raise ValueError(
                f"score must have one entry per segment; got {new.size} for {len(self)}."
            )
        return self._tie(new, self.pos, self.neg)

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

        Raises
        ------
        ValueError
            If ``t`` is not a number, or ``random_part`` not from 0 to 1.

        Examples
        --------
        >>> segments = RankedSegments.from_scores([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
        >>> table = segments.at_threshold(0.4, random_part=0.5)
        >>> table.tp, table.fp
        (1.5, 0.5)
        """
        if isinstance(t, bool) or not isinstance(t, Real) or t != t:
            raise ValueError(f"t must be a number, or infinite; got {t!r}.")
        t = float(t)
        part = check_fraction(random_part, "random_part", ends=True)
        k = len(self) - int(np.searchsorted(self.score[::-1], t, side="left"))
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

        Raises
        ------
        ValueError
            If a cost is negative, both are zero, or ``prevalence`` is not from 0 to 1.

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
        best = int(np.flatnonzero(cost <= cost.min() + TIE * scale)[0])
        return self.at_threshold(self.thresholds[at[best]])

    # ------------------------------------------------------------------ tables

    def to_frame(self) -> DataFrame:
        """Return one row per segment.

        Columns ``score, pos, neg, empirical_probability, slope, fpr, tpr``; the rates are those of
        the cut below the segment.
        """
        return to_frame(
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

    def __repr__(self) -> str:
        return (
            f"<RankedSegments: {len(self)} segments, {self.n_pos:.10g} positives, "
            f"{self.n_neg:.10g} negatives, AUC {self.auc:.4f}>"
        )

    def _repr_html_(self) -> str:
        note = "" if len(self) <= 20 else f"<p>first 20 of {len(self)} segments</p>"
        return f"<p>{repr(self)[1:-1]}</p>{self.to_frame().head(20).to_html(index=False)}{note}"


def check_segments(segments: RankedSegments) -> RankedSegments:
    """Return ``segments`` if it is that."""
    if not isinstance(segments, RankedSegments):
        raise ValueError(
            f"segments must be RankedSegments (see RankedSegments.from_scores); "
            f"got {type(segments).__name__}."
        )
    return segments
