"""Ranked segments: the one data structure everything else is computed from.

A segment holds the samples tied on one score. From their counts alone follow the ROC curve,
its area, its convex hull and the optimal cuts. Knows nothing of models, plots or widgets.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.frozen import DataFrame, read_only, to_frame
from rocviz.core.base.validation import Floats, Weights, check_integer, check_samples, check_vector
from rocviz.core.roc._curve import RankedCurve
from rocviz.core.roc.files import read_partitions
from rocviz.core.roc.geometry import ThinnedCurve as ThinnedCurve
from rocviz.core.roc.partitions import (
    DEFAULT_MAX_SEGMENTS,
    ScoreCounts,
    count_dask,
    run_through,
)

# Of the total, what a weight must be at least where each of them is asked for.
_LEAST_SHARE = 1e-290


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
    highest : array-like of float, shape (n_segments,), optional
        Greatest score counted in each segment, where data in pieces had more distinct scores
        than segments that are kept (:meth:`from_partitions`). Where it is above ``score`` the
        order within the segment is not known: :func:`best_order` and :func:`worst_order` give the
        bounds of every number.

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
        sample_weight: Weights = None,
        pos_label: Any = None,
    ) -> RankedSegments:
        """Group samples by score.

        Samples of equal score share a segment; a new score begins a new one.

        Parameters
        ----------
        y_true : array-like, shape (n_samples,)
            Labels of exactly two classes: numbers, booleans or strings.
        y_score : array-like of float, shape (n_samples,)
            Finite; higher means more positive.
        sample_weight : array-like of float, shape (n_samples,), optional
            Not negative. Samples of weight zero are left out.
        pos_label : label, optional
            The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.

        Raises
        ------
        ValueError
            If anything is not as said above, or a class has no weight.

        Examples
        --------
        >>> RankedSegments.from_scores(["ill", "well"], [2.0, 1.0], pos_label="ill").auc
        1.0
        """
        y_score = check_vector(y_score, "y_score")
        positive, weight = check_samples(y_true, sample_weight, pos_label, y_score=y_score)
        if weight is None:
            return cls._tie(y_score, (positive == kind for kind in (True, False)))
        some = weight > 0
        if positive[some].all() or not positive[some].any():
            raise ValueError("sample_weight leaves one class without weight; both are needed.")
        if not some.all():
            y_score, positive, weight = y_score[some], positive[some], weight[some]
        return cls._tie(y_score, (weight * (positive == kind) for kind in (True, False)))

    @classmethod
    def from_partitions(
        cls,
        partitions: Iterable[tuple[ArrayLike, ...] | ScoreCounts],
        *,
        pos_label: Any = None,
        max_segments: int = DEFAULT_MAX_SEGMENTS,
    ) -> RankedSegments:
        """Group samples by score that come in pieces.

        Only one piece is in memory at a time.

        Parameters
        ----------
        partitions : iterable of tuple or ScoreCounts
            Each piece is ``(y_true, y_score)`` or ``(y_true, y_score, sample_weight)`` as in
            :meth:`from_scores`, or counted already by :func:`count_scores`. A piece may be empty
            or hold one class only.
        pos_label : label, optional
            The positive class; needed unless the labels are 0 and 1, -1 and 1, or booleans.
        max_segments : int, default=1_000_000
            With so many distinct scores or fewer the result is exact. Beyond, scores that agree
            in their leading binary digits share a segment; see ``is_exact``.

        Returns
        -------
        RankedSegments
            The same whatever the pieces are, and in whatever order they come.

        Raises
        ------
        ValueError
            If a piece is not as said above (the message counts pieces from 0), there is none, or
            a class has no weight.

        Examples
        --------
        >>> pieces = [([1, 0], [0.9, 0.4]), ([0, 0], [0.1, 0.4]), ([1], [0.4])]
        >>> RankedSegments.from_partitions(pieces)
        <RankedSegments: 3 segments, 2 positives, 3 negatives, AUC 0.8333>
        """
        columns = run_through(partitions, pos_label=pos_label, max_segments=max_segments).columns
        if not (columns["pos"].any() and columns["neg"].any()):
            raise ValueError("partitions hold one class only; samples of two classes are needed.")
        del columns["cell"]
        joined = (columns["highest"] > columns["lowest"]).any()
        highest = columns.pop("highest")
        falling = {
            name: read_only(columns.pop(name)[::-1].copy()) for name in ("lowest", "pos", "neg")
        }
        return cls(
            score=falling.pop("lowest"), **falling, highest=highest[::-1] if joined else None
        )

    @classmethod
    def from_files(
        cls,
        path: str | PathLike[str] | Sequence[str | PathLike[str]],
        *,
        y_true: str,
        y_score: str,
        sample_weight: str | None = None,
        file_format: str = "parquet",
        pos_label: Any = None,
        max_segments: int = DEFAULT_MAX_SEGMENTS,
    ) -> RankedSegments:
        """Group samples by score that lie in files larger than memory.

        Takes and raises what :func:`read_partitions` does, for where the files are and for their
        columns' names, and ``pos_label`` and ``max_segments`` as :meth:`from_partitions` does.
        """
        batches = read_partitions(
            path,
            y_true=y_true,
            y_score=y_score,
            sample_weight=sample_weight,
            file_format=file_format,
        )
        return cls.from_partitions(batches, pos_label=pos_label, max_segments=max_segments)

    @classmethod
    def from_dask(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        sample_weight: Any = None,
        pos_label: Any = None,
        max_segments: int = DEFAULT_MAX_SEGMENTS,
    ) -> RankedSegments:
        """Group samples by score that lie on a Dask cluster; only counts travel.

        Each partition is counted where it lies, and the counts are added up in a tree. The
        current ``dask.distributed`` client is used if there is one, else this machine. A worker
        that is lost costs time only: Dask counts its partitions again elsewhere.

        Parameters
        ----------
        y_true, y_score, sample_weight : dask.array.Array or dask.dataframe.Series
            One-dimensional and cut at the same places; else as in :meth:`from_partitions`.
        pos_label, max_segments
            As in :meth:`from_partitions`.

        Raises
        ------
        ValueError
            As in :meth:`from_partitions`, or if the inputs are no Dask collections or differ in
            their number of partitions.
        """
        columns = {"y_true": y_true, "y_score": y_score, "sample_weight": sample_weight}
        counts = count_dask(columns, pos_label=pos_label, max_segments=max_segments)
        return cls.from_partitions([counts])

    @classmethod
    def _tie(cls, score: Floats, sides: Iterable[NDArray[Any]]) -> RankedSegments:
        """Sort by decreasing score and add up what is tied: first positives, then negatives.

        Sides may be made one after the other, and nothing is kept longer than it is needed: at
        many distinct scores memory is what is short.
        """
        order = np.argsort(score)[::-1]
        score = score[order]
        first = np.ones(score.size, dtype=np.bool_)
        np.not_equal(score[1:], score[:-1], out=first[1:])
        start = np.flatnonzero(first)
        score = score[start]
        pos, neg = (np.add.reduceat(side[order], start, dtype=np.float64) for side in sides)
        del order, first, start
        # locked, they are not copied
        return cls(score=read_only(score), pos=read_only(pos), neg=read_only(neg))

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

    def coarsen(self, segment: int) -> RankedSegments:
        """Return the ranking in which a segment and the one below it are tied.

        It raises ``ValueError`` if no segment follows it.

        Parameters
        ----------
        segment : int
            From 0, the highest, to ``n_segments - 2``.
        """
        at = check_integer(segment, "segment", 0, len(self) - 2)
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
            If ``other`` is something else, or one of the two is not exact: their segments may
            overlap (add their :class:`ScoreCounts` instead).
        """
        if not isinstance(other, RankedSegments):
            raise ValueError(f"other must be RankedSegments; got {type(other).__name__}.")
        if not (self.is_exact and other.is_exact):
            raise ValueError(
                "other and this ranking must be exact to be merged; add their ScoreCounts instead."
            )
        return self._tie(
            np.concatenate((self.score, other.score)),
            map(np.concatenate, ((self.pos, other.pos), (self.neg, other.neg))),
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
        return self._tie(new, (self.pos, self.neg))

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


def check_near(segments: RankedSegments) -> RankedSegments:
    """Return ``segments`` if each of their weights is a number beside the total of all."""
    check_segments(segments)
    least = min(
        float(side.min(where=side > 0, initial=np.inf)) for side in (segments.pos, segments.neg)
    )
    if least < _LEAST_SHARE * segments.n_samples:
        raise ValueError(
            f"segments must not have weights (sample_weight) farther apart than floats reach: the "
            f"smallest, {least:.3g}, is less than {_LEAST_SHARE:g} of all, "
            f"{segments.n_samples:.3g}."
        )
    return segments
