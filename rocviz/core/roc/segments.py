"""Ranked segments: the data structure from which everything else is computed.

A segment holds the samples tied on one score. From their counts alone follow the ROC curve, its
area with an interval, its convex hull and the cost-optimal threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ulp
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.blocks import running_totals, sum_in_blocks, totals_below
from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import DataFrame, Frozen, frame_html, read_only, to_frame
from rocviz.core.base.pieces import add_up
from rocviz.core.base.samples import Samples, check_scored
from rocviz.core.base.validation import (
    Floats,
    Weights,
    check_choice,
    check_costs,
    check_fraction,
    check_integer,
    check_number,
    check_prevalence,
    check_probabilities,
    check_spread,
    check_vector,
    clipped_probabilities,
    describe,
)
from rocviz.core.roc.files import read_partitions
from rocviz.core.roc.geometry import ThinnedCurve, cost_optimal_index, simplify, turns, upper_hull
from rocviz.core.roc.metrics import ConfusionTable, table_of_sums
from rocviz.core.roc.partitions import (
    DEFAULT_MAX_SEGMENTS,
    ScoreCounts,
    count_dask,
)


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
    highest : array-like of float, shape (n_segments,), optional
        Greatest score counted in each segment, where data in pieces had more distinct scores
        than segments that are kept (:meth:`from_partitions`). Where it is above ``score`` the
        order within the segment is not known: :meth:`best_order` and :meth:`worst_order` give the
        bounds of every number.

    Raises
    ------
    ValueError
        If the arrays differ in length, are not finite, not in order, negative or empty, or if
        weights are farther apart than sums of legal sample weights can be.

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

    score: Floats
    pos: Floats
    neg: Floats
    highest: Floats | None = None

    def __post_init__(self) -> None:
        names = ["score", "pos", "neg"]
        if self.highest is not None:
            names.append("highest")
        for name in names:
            object.__setattr__(self, name, check_vector(getattr(self, name), name))
        super().__post_init__()
        for name in names[1:]:
            size = getattr(self, name).size
            if size != self.score.size:
                raise ValueError(
                    f"{name} must have one entry per segment; got {size} for "
                    f"{self.score.size} scores."
                )
        if self.score.size == 0:
            raise ValueError("score is empty; at least one segment is needed.")
        if (self.score[1:] >= self.score[:-1]).any():
            raise ValueError("score must strictly decrease from segment to segment.")
        if min(self.pos.min(), self.neg.min()) < 0 or not np.logical_or(self.pos, self.neg).all():
            raise ValueError("pos and neg must not be negative, and no segment may be empty.")
        if not (self.pos.any() and self.neg.any()):
            raise ValueError("pos and neg must both have weight: a ranking needs both classes.")
        check_spread("pos and neg", self.pos, self.neg, sums=True)
        if self.highest is not None and (
            (self.highest < self.score).any() or (self.highest[1:] >= self.score[:-1]).any()
        ):
            raise ValueError(
                "highest must be at least each segment's score, and below the score of the "
                "segment before it."
            )

    @cached_property
    def is_exact(self) -> bool:
        """Whether every segment holds a single score, so that all results are exact."""
        return self.highest is None or not (self.highest > self.score).any()

    # ------------------------------------------------------------------ constructors

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
            If anything is invalid, or a class has no weight.

        Examples
        --------
        >>> RankedSegments.from_scores(["ill", "well"], [2.0, 1.0], pos_label="ill").auc
        1.0
        """
        return cls._of_samples(check_scored(y_true, sample_weight, pos_label, y_score=y_score))

    @classmethod
    def _of_samples(cls, samples: Samples) -> RankedSegments:
        """Group checked samples by their score."""
        return cls._tie(samples.scores[0], _weights_by_class(samples))

    @classmethod
    def from_partitions(
        cls,
        partitions: Iterable[tuple[ArrayLike, ...] | ScoreCounts],
        *,
        pos_label: Any = None,
        max_segments: int = DEFAULT_MAX_SEGMENTS,
    ) -> RankedSegments:
        """Group samples in pieces by score.

        Only one piece is in memory at a time.

        Parameters
        ----------
        partitions : iterable of tuple or ScoreCounts
            Each piece is ``(y_true, y_score)`` or ``(y_true, y_score, sample_weight)`` as in
            :meth:`from_scores`, or counted already by :meth:`ScoreCounts.from_scores`. A piece may
            be empty or hold one class only.
        pos_label : label, optional
            The positive class; needed unless the labels are 0 and 1, -1 and 1, or booleans.
        max_segments : int, default=1_000_000
            With so many distinct scores or fewer the result is exact. Beyond, scores that agree
            in their leading binary digits share a segment; see ``is_exact``.

        Returns
        -------
        RankedSegments
            It depends neither on how the data were divided into pieces nor on their order.

        Raises
        ------
        ValueError
            If a piece is invalid (the message counts pieces from 0), there is none, or
            a class has no weight.

        Examples
        --------
        >>> pieces = [([1, 0], [0.9, 0.4]), ([0, 0], [0.1, 0.4]), ([1], [0.4])]
        >>> RankedSegments.from_partitions(pieces)
        <RankedSegments: 3 segments, 2 positives, 3 negatives, AUC 0.8333>
        """
        options = {"pos_label": pos_label, "max_segments": max_segments}
        counts: ScoreCounts = add_up(partitions, ScoreCounts, ScoreCounts.from_scores, options)
        if not (counts.pos.any() and counts.neg.any()):
            raise ValueError("partitions hold one class only; samples of two classes are needed.")
        columns = {"score": counts.lowest, "pos": counts.pos, "neg": counts.neg}
        if (counts.highest > counts.lowest).any():
            columns["highest"] = counts.highest
        # read-only arrays are not copied
        return cls(**{name: read_only(column[::-1].copy()) for name, column in columns.items()})

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
        """Group samples by score from files larger than memory.

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
        """Group samples by score on a Dask cluster; only counts are transferred.

        Each partition is counted where it lies, and the counts are added up in a tree. The
        current ``dask.distributed`` client is used if there is one, else this machine. A worker
        that is lost costs time only: Dask counts its partitions again elsewhere.

        Parameters
        ----------
        y_true, y_score, sample_weight : dask.array.Array or dask.dataframe.Series
            One-dimensional and divided at the same places; else as in :meth:`from_partitions`.
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
        """Sort by decreasing score and add up ties, first of the positives, then of the negatives.

        Sides may be a generator, and nothing is kept longer than it is needed: with many distinct
        scores memory is short.
        """
        order = np.argsort(score)[::-1]
        score = score[order]
        first = np.ones(score.size, dtype=np.bool_)
        np.not_equal(score[1:], score[:-1], out=first[1:])
        start = np.flatnonzero(first)
        score = score[start]
        totals = [np.add.reduceat(side[order], start, dtype=np.float64) for side in sides]
        del order, first, start
        pos, neg = totals
        # read-only arrays are not copied
        return cls(score=read_only(score), pos=read_only(pos), neg=read_only(neg))

    # ------------------------------------------------------------------ counts and rates

    def __len__(self) -> int:
        return int(self.score.size)

    @cached_property
    def n(self) -> Floats:
        """Weight of each segment, shape (n_segments,)."""
        return read_only(self.pos + self.neg)

    @cached_property
    def cumulative_pos(self) -> Floats:
        """Positives above each threshold, shape (n_segments + 1,), from 0 to ``n_pos``."""
        return read_only(running_totals(self.pos))

    @cached_property
    def cumulative_neg(self) -> Floats:
        """Negatives above each threshold, shape (n_segments + 1,), from 0 to ``n_neg``."""
        return read_only(running_totals(self.neg))

    @cached_property
    def n_pos(self) -> float:
        """Weight of all positives."""
        return float(running_totals(self.pos)[-1])

    @cached_property
    def n_neg(self) -> float:
        """Weight of all negatives."""
        return float(running_totals(self.neg)[-1])

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

    @cached_property
    def fpr(self) -> Floats:
        """False positive rate at each vertex, shape (n_segments + 1,), from 0 to 1."""
        return read_only(self.cumulative_neg / self.n_neg)

    @cached_property
    def tpr(self) -> Floats:
        """True positive rate at each vertex, shape (n_segments + 1,), from 0 to 1."""
        return read_only(self.cumulative_pos / self.n_pos)

    @cached_property
    def tnr(self) -> Floats:
        """True negative rate at each vertex, from 1 to 0: ``1 - fpr`` without its rounding."""
        return _shares_below(self.neg)

    @cached_property
    def fnr(self) -> Floats:
        """Miss rate at each vertex, from 1 to 0: ``1 - tpr`` without its rounding."""
        return _shares_below(self.pos)

    @cached_property
    def thresholds(self) -> Floats:
        """Threshold of each vertex, shape (n_segments + 1,): positive when score >= it.

        The first is infinite: nothing is predicted positive at the origin.
        """
        return read_only(np.concatenate(([np.inf], self.score)))

    @cached_property
    def auc(self) -> float:
        """Area under the ROC curve; ties count one half.

        The Mann-Whitney statistic over ``n_pos * n_neg`` (Flach and Matsubara, 2008, section 3,
        with positives *before* segment i in the ranking, where their text prints ``j > i``).
        """
        above = self.cumulative_pos
        pos = self.pos
        neg = self.neg
        area = sum_in_blocks(len(self), lambda i: neg[i] * (above[i] + pos[i] / 2))
        return min(area / self.n_pos / self.n_neg, 1.0)  # weights add up only up to rounding

    @cached_property
    def slope(self) -> Floats:
        """Slope of each edge of the curve, shape (n_segments,); infinite where ``neg`` is 0."""
        with np.errstate(divide="ignore"):
            return read_only(self.pos / self.neg / self.prior_odds)

    @cached_property
    def empirical_probability(self) -> Floats:
        """Proportion of positives in each segment, shape (n_segments,), in [0, 1].

        The slope in other units: ``slope / (slope + 1 / prior_odds)``.
        """
        return read_only(self.pos / self.n)

    @cached_property
    def is_convex(self) -> bool:
        """Whether slopes never increase along the curve (what the field calls convex)."""
        return bool((turns(self.pos, self.neg, np.arange(len(self) + 1)) >= 0).all())

    @cached_property
    def hull_vertices(self) -> NDArray[np.intp]:
        """Indices of the curve's vertices that are vertices of its convex hull.

        Shape (n_hull_segments + 1,), increasing, first 0 and last ``n_segments``.
        """
        return upper_hull(self.pos, self.neg)

    def thin(self, max_vertices: int | None = None, *, size: float = 600.0) -> ThinnedCurve:
        """Reduce the curve to the vertices that a picture needs.

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

        Raises
        ------
        ValueError
            If ``size`` is below 1, or ``max_vertices`` below 2.
        """
        tolerance = 0.5 / check_number(size, "size", minimum=1.0)
        if max_vertices is None:
            max_vertices = len(self) + 1
        else:
            max_vertices = check_integer(max_vertices, "max_vertices", minimum=2)
        hull = self.hull_vertices
        keep = hull if hull.size <= max_vertices else np.array([0, len(self)])
        return simplify(self.fpr, self.tpr, keep, max_vertices, tolerance)

    # ------------------------------------------------------------------ thresholds

    def at_threshold(self, threshold: float, *, random_part: float = 1.0) -> ConfusionTable:
        """Count outcomes when samples that score at least ``threshold`` are predicted positive.

        Parameters
        ----------
        threshold : float
            May be infinite.
        random_part : float, default=1.0
            Share of the samples tied exactly at ``threshold`` that is predicted positive at random:
            0 stops above that segment, values between lie inside its edge of the curve.

        Returns
        -------
        ConfusionTable
            Expected counts; they keep the threshold.

        Raises
        ------
        ValueError
            If ``threshold`` is not a number, or ``random_part`` not from 0 to 1.

        Examples
        --------
        >>> segments = RankedSegments.from_scores([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
        >>> table = segments.at_threshold(0.4, random_part=0.5)
        >>> table.tp, table.fp
        (1.5, 0.5)
        """
        threshold = check_number(threshold, "threshold", finite=False)
        part = check_fraction(random_part, "random_part", ends=True)
        n_above = len(self) - int(np.searchsorted(self.score[::-1], threshold, side="left"))
        tp = float(self.cumulative_pos[n_above])
        fp = float(self.cumulative_neg[n_above])
        # summed from below: a difference of large totals would lose a small rest
        fn = float(self.pos[n_above:].sum())
        tn = float(self.neg[n_above:].sum())
        if part < 1 and n_above and self.score[n_above - 1] == threshold:
            tied_pos = float(self.pos[n_above - 1])
            tied_neg = float(self.neg[n_above - 1])
            tp = float(self.cumulative_pos[n_above - 1]) + part * tied_pos
            fp = float(self.cumulative_neg[n_above - 1]) + part * tied_neg
            fn += (1 - part) * tied_pos
            tn += (1 - part) * tied_neg
        return table_of_sums(tp, fp, fn, tn, threshold)

    def optimal_point(
        self, cost_fp: float = 1.0, cost_fn: float = 1.0, prevalence: float | None = None
    ) -> ConfusionTable:
        """Find the threshold with the lowest expected cost.

        It is a vertex of the hull: where the isometric of the costs touches it. Of several
        equally good thresholds, the one that predicts fewest positives.

        Parameters
        ----------
        cost_fp, cost_fn : float, default=1.0
            Costs of a false alarm and of a miss; not negative and not both zero.
        prevalence : float, optional
            Prevalence where the classifier is used, in [1e-9, 1 - 1e-9] or exactly 0 or 1; by
            default that of the data.

        Returns
        -------
        ConfusionTable
            Of this data at the optimal threshold.

        Raises
        ------
        ValueError
            If a cost is negative, both are zero, or ``prevalence`` is out of its range.

        Examples
        --------
        >>> segments = RankedSegments(score=[3, 2, 1], pos=[6, 3, 1], neg=[1, 2, 7])
        >>> segments.optimal_point(cost_fp=1, cost_fn=1).threshold
        2.0
        """
        cost_fp, cost_fn = check_costs(cost_fp, cost_fn)
        if prevalence is None:
            of_pos = self.n_pos
            of_neg = self.n_neg
        else:
            of_pos = check_prevalence(prevalence, ends=True)
            of_neg = 1 - of_pos
        vertices = self.hull_vertices
        best = cost_optimal_index(
            self.fpr[vertices], self.fnr[vertices], cost_fp * of_neg, cost_fn * of_pos
        )
        return self.at_threshold(self.thresholds[vertices[best]])

    # ------------------------------------------------------------------ scores of unknown order

    def best_order(self) -> RankedSegments:
        """Rank the data as well as possible: positives first within segments of several scores.

        The curve of the data is nowhere above that of this ranking, nor is its hull; at the
        vertices of these segments they agree. Exact segments are returned as they are.

        Examples
        --------
        >>> segments = RankedSegments(score=[2, 1], pos=[3, 1], neg=[0, 4], highest=[2, 1.5])
        >>> segments.worst_order().auc, segments.auc, segments.best_order().auc
        (0.75, 0.875, 1.0)
        """
        return self._in_order(best=True)

    def worst_order(self) -> RankedSegments:
        """Rank the data as badly as possible: negatives first within segments of several scores."""
        return self._in_order(best=False)

    @property
    def auc_bounds(self) -> tuple[float, float]:
        """Least and greatest AUC the data may have; ``auc`` is half-way between them.

        They differ by the share of all pairs of a positive and a negative that fall into one
        segment of several scores; both are the AUC where segments are exact.

        Examples
        --------
        >>> y, score = [0, 1, 0, 1, 1, 0], [0.11, 0.12, 0.13, 0.5, 0.8, 0.81]
        >>> RankedSegments.from_partitions([(y, score)], max_segments=4).auc_bounds
        (0.4444444444444444, 0.6666666666666666)
        >>> RankedSegments.from_scores(y, score).auc
        0.5555555555555556
        """
        return self.worst_order().auc, self.best_order().auc

    def _in_order(self, *, best: bool) -> RankedSegments:
        """Split segments of several scores and both classes into one for each class."""
        if self.highest is None:
            return self
        split = (self.highest > self.score) & (self.pos > 0) & (self.neg > 0)
        segment = np.repeat(np.arange(len(self)), 1 + split)
        second = np.flatnonzero(split) + np.arange(1, 1 + split.sum())
        first = second - 1
        score = self.score[segment]
        pos = self.pos[segment]
        neg = self.neg[segment]
        score[first] = self.highest[split]
        early, late = (neg, pos) if best else (pos, neg)
        early[first] = late[second] = 0.0
        return RankedSegments(score=score, pos=pos, neg=neg)

    # ------------------------------------------------------------------ coarser rankings

    def _join(self, vertices: NDArray[np.intp]) -> RankedSegments:
        """Join segments so that the curve keeps only these vertices, including both ends."""
        start = vertices[:-1]
        return RankedSegments(
            score=self.score[vertices[1:] - 1],
            pos=np.add.reduceat(self.pos, start),
            neg=np.add.reduceat(self.neg, start),
        )

    def hull(self) -> RankedSegments:
        """Compute the convex hull: the coarsest merge that keeps the upper envelope.

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
        """Tie a segment with the one below it.

        It raises ``ValueError`` if no segment follows it.

        Parameters
        ----------
        segment : int
            From 0, the highest, to ``n_segments - 2``.
        """
        segment = check_integer(segment, "segment", 0, len(self) - 2)
        return self._join(np.delete(np.arange(len(self) + 1), segment + 1))

    def merge(self, other: RankedSegments) -> RankedSegments:
        """Join the segments of two data sets; equal scores add up.

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
            (np.concatenate((self.pos, other.pos)), np.concatenate((self.neg, other.neg))),
        )

    def with_scores(self, score: ArrayLike) -> RankedSegments:
        """Rank the same samples by new scores; segments given equal scores are joined.

        Parameters
        ----------
        score : array-like of float, shape (n_segments,)
            One new score per segment, in any order: the segments are sorted again.

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

    def to_samples(self) -> tuple[NDArray[np.bool_], Floats, Floats]:
        """List labels, scores and weights that have these segments.

        Returns
        -------
        y_true : ndarray of bool, shape (n_rows,)
            One row for each class of each segment that has it, the most positive segment first.
        y_score, sample_weight : ndarray of float, shape (n_rows,)

        Examples
        --------
        >>> RankedSegments(score=[2, 1], pos=[3, 1], neg=[0, 4]).to_samples()
        (array([ True,  True, False]), array([2., 1., 1.]), array([3., 1., 4.]))
        """
        weight = np.column_stack((self.pos, self.neg)).ravel()
        is_weighted = weight > 0
        label = np.tile([True, False], len(self))
        score = np.repeat(self.score, 2)
        return label[is_weighted], score[is_weighted], weight[is_weighted]

    def to_frame(self) -> DataFrame:
        """Tabulate one row per segment.

        Columns ``score, pos, neg, empirical_probability, slope, fpr, tpr``; the rates are those of
        the threshold below the segment.
        """
        return to_frame(
            score=self.score,
            pos=self.pos,
            neg=self.neg,
            empirical_probability=self.empirical_probability,
            slope=self.slope,
            fpr=self.fpr[1:],
            tpr=self.tpr[1:],
        )

    def __repr__(self) -> str:
        return (
            f"<RankedSegments: {len(self)} segments, {self.n_pos:.10g} positives, "
            f"{self.n_neg:.10g} negatives, AUC {self.auc:.4f}>"
        )

    def _repr_html_(self) -> str:
        return f"<p>{repr(self)[1:-1]}</p>{frame_html(self.to_frame(), 'segments', index=False)}"


def _weights_by_class(samples: Samples) -> Iterator[NDArray[Any]]:
    """Yield the weight of each sample as a positive, then as a negative."""
    for positive in (True, False):
        is_of_class = samples.positive == positive
        yield is_of_class if samples.weight is None else samples.weight * is_of_class


def check_segments(segments: RankedSegments) -> RankedSegments:
    """Check that the argument is a :class:`RankedSegments`."""
    if not isinstance(segments, RankedSegments):
        raise ValueError(
            f"segments must be RankedSegments (see RankedSegments.from_scores); "
            f"got {type(segments).__name__}."
        )
    return segments


def ranked(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None,
    sample_weight: Weights = None,
    pos_label: Any = None,
    name: str = "y_score",
    check: Callable[[ArrayLike, str], Floats] | None = None,
) -> RankedSegments:
    """Rank samples, or return segments unchanged.

    The way in of every function that takes both. ``name`` is the caller's argument of scores,
    and ``check`` a check of them, such as for probabilities.
    """
    if isinstance(y_true, RankedSegments):
        if not (y_score is None and sample_weight is None and pos_label is None):
            raise ValueError(
                f"{name}, sample_weight and pos_label can only be given with labels; segments "
                "contain them already."
            )
        if check is None:
            return y_true
        return _with_scores(y_true, check(y_true.score, "segments.score"))
    return RankedSegments._of_samples(
        _scored_samples(y_true, y_score, None, sample_weight, pos_label, name, check)
    )


def samples_in_clusters(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None,
    clusters: ArrayLike,
    sample_weight: Weights = None,
    pos_label: Any = None,
    name: str = "y_score",
    check: Callable[[ArrayLike, str], Floats] | None = None,
) -> Samples:
    """Check samples that come in clusters; segments, which know no samples, are refused.

    ``name`` and ``check`` are as for :func:`ranked`.
    """
    if isinstance(y_true, RankedSegments):
        raise ValueError("clusters can only be given with labels; segments do not know samples.")
    return _scored_samples(y_true, y_score, clusters, sample_weight, pos_label, name, check)


def ranked_with_clusters(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None,
    clusters: ArrayLike | None,
    sample_weight: Weights = None,
    pos_label: Any = None,
    name: str = "y_score",
    check: Callable[[ArrayLike, str], Floats] | None = None,
) -> tuple[RankedSegments, Samples | None]:
    """Rank samples as :func:`ranked` does; give the samples too where they come in clusters."""
    if clusters is None:
        return ranked(y_true, y_score, sample_weight, pos_label, name, check), None
    samples = samples_in_clusters(y_true, y_score, clusters, sample_weight, pos_label, name, check)
    return RankedSegments._of_samples(samples), samples


def _scored_samples(
    y_true: ArrayLike,
    y_score: ArrayLike | None,
    clusters: ArrayLike | None,
    sample_weight: Weights,
    pos_label: Any,
    name: str,
    check: Callable[[ArrayLike, str], Floats] | None,
) -> Samples:
    """Check labels with scores, which are needed."""
    if y_score is None:
        raise ValueError(
            f"{name} is needed when y_true holds labels; without it, y_true must be "
            f"RankedSegments, not {describe(y_true)}."
        )
    score: Any = {name: y_score}
    return check_scored(
        y_true, sample_weight, pos_label, clusters, check=check or check_vector, **score
    )


def probability_segments(segments: RankedSegments) -> RankedSegments | None:
    """Clip scores that are probabilities, but for rounding; ``None`` stands for other scores."""
    prob = clipped_probabilities(segments.score)
    return None if prob is None else _with_scores(segments, prob)


def _with_scores(segments: RankedSegments, score: Floats) -> RankedSegments:
    """Replace scores by those that a check gives back: the same ones, or clipped and so tied."""
    if score is segments.score:
        return segments
    first = np.flatnonzero(np.diff(score, prepend=np.inf))
    return RankedSegments(
        score[first], np.add.reduceat(segments.pos, first), np.add.reduceat(segments.neg, first)
    )


def _shares_below(side: Floats) -> Floats:
    """Share of a class below each threshold, without the rounding of ``1 - share above``."""
    below = totals_below(side)
    return read_only(below / below[0])


# ---------------------------------------------------------------------- summaries


@dataclass(frozen=True, eq=False)
class ScoreHistogram(Frozen):
    """Weights of both classes in score bins of equal width."""

    # (n_bins + 1,): from 0 to 1 where all scores are within, else from the lowest to the highest
    # score
    edges: Floats
    # (n_bins,): weight of the positives and of the negatives in each bin
    pos: Floats
    neg: Floats

    @cached_property
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
    low = float(score[-1])
    high = float(score[0])
    if low >= 0 and high <= 1:
        low = 0.0
        high = 1.0
    min_range = bins * ulp(max(abs(low), abs(high)))  # narrower bins would have equal edges
    if high - low < min_range:
        half = max(min_range, 0.5)
        if low == high:
            half = max(half, abs(low) / 1000)
        low = max(low - half, np.finfo(float).min)
        high = min(high + half, np.finfo(float).max)
    # scaled by a quarter, so that no width overflows
    quarters = (low / 4, high / 4)
    pos, edges = np.histogram(score / 4, bins, quarters, weights=segments.pos)
    neg, _ = np.histogram(score / 4, bins, quarters, weights=segments.neg)
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
    hull = segments.hull()
    vertices = segments.hull_vertices
    share = segments.n / np.repeat(hull.n, np.diff(vertices))
    predicted = np.add.reduceat(score * share, vertices[:-1])
    return ReliabilityPoints(predicted, hull.empirical_probability, hull.pos, hull.n)
