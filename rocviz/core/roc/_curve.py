"""What the counts of a ranking's tie groups say by themselves: rates, area, slopes, hull, cuts.

The base of ``RankedSegments``, which adds how rankings are made, joined and merged. Knows
nothing of samples, models or plots.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.blocks import blocks, running_totals, sum_in_blocks
from rocviz.core.base.costs import cheapest, relative_costs
from rocviz.core.base.frozen import Frozen, read_only
from rocviz.core.base.validation import (
    Floats,
    check_fraction,
    check_integer,
    check_number,
    check_spread,
    check_vector,
)
from rocviz.core.roc.confusion import ConfusionTable
from rocviz.core.roc.geometry import (
    ThinnedCurve,
    hull_of_fractions,
    share_of_pairs,
    simplify,
    turns,
    upper_hull,
)

# Totals within 2**-200 and 2**200 leave room for products of four of them.
_MILD = 200
_LEAST = 1e-307


@dataclass(frozen=True, eq=False, repr=False)
class RankedCurve(Frozen):
    """Scores in strictly decreasing order with the class weights of each."""

    score: Floats
    pos: Floats
    neg: Floats
    highest: Floats | None = None

    def __post_init__(self) -> None:
        for name in ("score", "pos", "neg", *(() if self.highest is None else ("highest",))):
            object.__setattr__(self, name, check_vector(getattr(self, name), name))
        super().__post_init__()
        for name, side in (("pos", self.pos), ("neg", self.neg)):
            if side.size != self.score.size:
                raise ValueError(
                    f"{name} must have one entry per segment; got {side.size} for "
                    f"{self.score.size} scores."
                )
        if self.score.size == 0:
            raise ValueError("score is empty; at least one segment is needed.")
        if (self.score[1:] >= self.score[:-1]).any():
            raise ValueError("score must strictly decrease from segment to segment.")
        if min(self.pos.min(), self.neg.min()) < 0 or not np.logical_or(self.pos, self.neg).all():
            raise ValueError("pos and neg must not be negative, and no segment may be empty.")
        check_spread("pos and neg", self.pos, self.neg)
        if not (self.pos.any() and self.neg.any()):
            raise ValueError("pos and neg must both have weight: a ranking needs both classes.")
        if self.highest is not None:
            self._check_highest(self.highest)

    def _check_highest(self, highest: Floats) -> None:
        if highest.size != self.score.size:
            raise ValueError(
                f"highest must have one entry per segment; got {highest.size} for "
                f"{self.score.size} scores."
            )
        if (highest < self.score).any() or (highest[1:] >= self.score[:-1]).any():
            raise ValueError(
                "highest must lie from each segment's score up to below the one before."
            )

    @cached_property
    def is_exact(self) -> bool:
        """Whether every segment holds one score only, so that every number is that of the data."""
        return self.highest is None or not (self.highest > self.score).any()

    # not cached: an object that refers to itself stays in memory until garbage is collected
    @property
    def of_mild_weight(self) -> Self:
        """The same with weights whose products and squares are floats; mostly itself.

        Both classes have been multiplied by the same power of two, which rounds nothing.
        """
        exponent = int(np.frexp(self.n_samples)[1])
        return self._multiplied(-exponent, -exponent)

    @property
    def _of_mild_classes(self) -> Self:
        """The same with each class multiplied by a power of two of its own; mostly itself."""
        return self._multiplied(*(-int(np.frexp(n)[1]) for n in (self.n_pos, self.n_neg)))

    def _multiplied(self, *exponents: int) -> Self:
        if max(map(abs, exponents)) <= _MILD:
            return self
        pos, neg = (
            # a weight that vanishes beside the others is still a sample
            np.where(side > 0, np.maximum(np.ldexp(side, exponent), _LEAST), 0.0)
            for side, exponent in zip((self.pos, self.neg), exponents, strict=True)
        )
        return replace(self, pos=pos, neg=neg)

    def __len__(self) -> int:
        return int(self.score.size)

    @cached_property
    def n(self) -> Floats:
        """Weight of each segment, shape (n_segments,)."""
        return read_only(self.pos + self.neg)

    @cached_property
    def cumulative_pos(self) -> Floats:
        """Positives above each cut, shape (n_segments + 1,), from 0 to ``n_pos``."""
        return read_only(running_totals(self.pos))

    @cached_property
    def cumulative_neg(self) -> Floats:
        """Negatives above each cut, shape (n_segments + 1,), from 0 to ``n_neg``."""
        return read_only(running_totals(self.neg))

    def cumulative_in_blocks(self) -> Iterator[tuple[slice, Floats, Floats]]:
        """Yield the places of some segments, and both cumulative counts, one block after the other.

        Counts have shape (n_segments_of_the_block + 1,): from above the first to below the last.
        """
        pos, neg = np.zeros(1), np.zeros(1)
        for part in blocks(len(self)):
            pos = running_totals(self.pos[part], pos[-1])
            neg = running_totals(self.neg[part], neg[-1])
            yield part, pos, neg

    @cached_property
    def _totals(self) -> tuple[float, float]:
        # added up from the top, as cumulative counts are
        *_, (_, pos, neg) = self.cumulative_in_blocks()
        return float(pos[-1]), float(neg[-1])

    @property
    def n_pos(self) -> float:
        """Weight of all positives."""
        return self._totals[0]

    @property
    def n_neg(self) -> float:
        """Weight of all negatives."""
        return self._totals[1]

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
        """True negative rate at each vertex, from 1 to 0: ``1 - fpr``, but for its rounding."""
        return _shares_below(self.neg)

    @cached_property
    def fnr(self) -> Floats:
        """Miss rate at each vertex, from 1 to 0: ``1 - tpr``, but for its rounding."""
        return _shares_below(self.pos)

    @cached_property
    def thresholds(self) -> Floats:
        """Threshold of each vertex, shape (n_segments + 1,): positive when score >= it.

        The first is infinite: nothing is called positive at the origin.
        """
        return read_only(np.concatenate(([np.inf], self.score)))

    @cached_property
    def auc(self) -> float:
        """Area under the ROC curve; ties count one half.

        The Mann-Whitney statistic over ``n_pos * n_neg`` (Flach and Matsubara 2008, section 3,
        with positives *before* segment i in the ranking, where their text prints ``j > i``).
        """
        tame = self._of_mild_classes
        above = tame.cumulative_pos
        area = sum_in_blocks(len(self), lambda i: tame.neg[i] * (above[i] + tame.pos[i] / 2))
        area = share_of_pairs(self.pos, self.neg, area / tame.n_pos / tame.n_neg)
        return min(area, 1.0)  # weights add up to their total up to rounding only

    @cached_property
    def slope(self) -> Floats:
        """Slope of each edge of the curve, shape (n_segments,); infinite where ``neg`` is 0."""
        slope = np.full(len(self), np.inf)
        # exponents apart: weights may be farther from each other than floats reach
        (pos, up), (neg, on) = np.frexp(self.pos), np.frexp(self.neg)
        (n_pos, most_up), (n_neg, most_on) = np.frexp(self.n_pos), np.frexp(self.n_neg)
        np.divide(pos, neg, out=slope, where=neg > 0)
        with np.errstate(over="ignore"):
            return read_only(np.ldexp(slope / (n_pos / n_neg), up - on - (most_up - most_on)))

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
        tame = self._of_mild_classes
        if tame is not self and ((tame.pos == _LEAST) | (tame.neg == _LEAST)).any():
            return hull_of_fractions(self.pos, self.neg)
        return upper_hull(tame.pos, tame.neg, tame.cumulative_pos, tame.cumulative_neg)

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

        Raises
        ------
        ValueError
            If ``size`` is below 1, or ``max_vertices`` below 2.
        """
        tolerance = 0.5 / check_number(size, "size", minimum=1.0)
        most = len(self) + 1
        if max_vertices is not None:
            most = check_integer(max_vertices, "max_vertices", minimum=2)
        hull = self.hull_vertices
        keep = hull if hull.size <= most else np.array([0, len(self)])
        return simplify(self.fpr, self.tpr, keep, most, tolerance)

    # ------------------------------------------------------------------ cuts

    def at_threshold(self, threshold: float, *, random_part: float = 1.0) -> ConfusionTable:
        """Return the confusion table of calling positive what scores at least ``threshold``.

        Parameters
        ----------
        threshold : float
            May be infinite.
        random_part : float, default=1.0
            Share of the samples tied exactly at ``threshold`` that is called positive at random:
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
        >>> from rocviz import RankedSegments
        >>> segments = RankedSegments.from_scores([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
        >>> table = segments.at_threshold(0.4, random_part=0.5)
        >>> table.tp, table.fp
        (1.5, 0.5)
        """
        threshold = check_number(threshold, "threshold", finite=False)
        part = check_fraction(random_part, "random_part", ends=True)
        called = len(self) - int(np.searchsorted(self.score[::-1], threshold, side="left"))
        tp, fp = float(self.cumulative_pos[called]), float(self.cumulative_neg[called])
        # what is below is added up, not what is left of the total, in which it may vanish
        fn, tn = float(self.pos[called:].sum()), float(self.neg[called:].sum())
        if part < 1 and called and self.score[called - 1] == threshold:
            tied_pos, tied_neg = float(self.pos[called - 1]), float(self.neg[called - 1])
            tp = float(self.cumulative_pos[called - 1]) + part * tied_pos
            fp = float(self.cumulative_neg[called - 1]) + part * tied_neg
            fn, tn = fn + (1 - part) * tied_pos, tn + (1 - part) * tied_neg
        return ConfusionTable(tp=tp, fp=fp, fn=fn, tn=tn, threshold=threshold)

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
        >>> from rocviz import RankedSegments
        >>> segments = RankedSegments(score=[3, 2, 1], pos=[6, 3, 1], neg=[1, 2, 7])
        >>> segments.optimal_point(cost_fp=1, cost_fn=1).threshold
        2.0
        """
        shares: tuple[float | Fraction, float] = self.n_neg, self.n_pos
        if prevalence is not None:
            pi = check_fraction(prevalence, "prevalence", ends=True)
            shares = 1 - Fraction(pi), pi
        at = self.hull_vertices
        best = cheapest(self.fpr[at], self.fnr[at], *relative_costs(cost_fp, cost_fn, *shares))
        return self.at_threshold(self.thresholds[at[best]])

    # ------------------------------------------------------------------ samples

    def to_samples(self) -> tuple[NDArray[np.bool_], Floats, Floats]:
        """Return labels, scores and weights that have these segments.

        Returns
        -------
        y_true : ndarray of bool, shape (n_rows,)
            One row for each class of each segment that has it, the most positive segment first.
        y_score, sample_weight : ndarray of float, shape (n_rows,)

        Examples
        --------
        >>> from rocviz import RankedSegments
        >>> RankedSegments(score=[2, 1], pos=[3, 1], neg=[0, 4]).to_samples()
        (array([ True,  True, False]), array([2., 1., 1.]), array([3., 1., 4.]))
        """
        weight = np.column_stack((self.pos, self.neg)).ravel()
        some = weight > 0
        label = np.tile([True, False], len(self))
        return label[some], np.repeat(self.score, 2)[some], weight[some]


def _shares_below(side: Floats) -> Floats:
    """Return which share of a class is below each cut, however small it is."""
    below = running_totals(side[::-1])[::-1]
    return read_only(below / below[0])
