"""The squared hinge loss of all pairs, its slopes and curvature, by sorting and running sums."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.validation import Floats


class HingePairs:
    """``sum of u_i v_j max(0, 1 + b_j - a_i)^2`` over positives at a_i and negatives at b_j.

    Exact up to rounding: every sum is one of terms that are not negative. O(n log n) time.
    Scores are finite and weights positive.
    """

    def __init__(
        self, pos_score: Floats, neg_score: Floats, pos_weight: Floats, neg_weight: Floats
    ) -> None:
        # a pair has a loss while the positive is less than 1 above the negative; seen from
        # the negatives everything is upside down
        self._pos = _Ranked(pos_score, pos_weight)
        self._neg = _Ranked(-neg_score, neg_weight)
        self._above = self._neg.n_below(-self._pos.score)
        self._below = self._pos.n_below(-self._neg.score)
        self._weight = pos_weight, neg_weight

    @cached_property
    def _gaps(self) -> tuple[Floats, Floats, Floats]:
        """Sum gaps, and their squares, over the opposite class inside each sample's margin."""
        first, second = self._neg.gaps(-self._pos.score, self._above)
        back, _ = self._pos.gaps(-self._neg.score, self._below)
        return self._pos.as_given(first), self._pos.as_given(second), self._neg.as_given(back)

    @cached_property
    def value(self) -> float:
        """The sum."""
        return float(self._weight[0] @ self._gaps[1])

    @cached_property
    def slopes(self) -> tuple[Floats, Floats]:
        """Derivatives with respect to the scores of positives and negatives."""
        first, _, back = self._gaps
        return -2 * self._weight[0] * first, 2 * self._weight[1] * back

    @cached_property
    def _counts(self) -> tuple[Floats, Floats]:
        """Opposite-class weight inside each sample's margin."""
        return (
            self._pos.as_given(self._neg.total[self._above]),
            self._neg.as_given(self._pos.total[self._below]),
        )

    def curvature(self, pos_step: Floats, neg_step: Floats) -> tuple[Floats, Floats]:
        """Multiply the Hessian by a step of the scores."""
        of_neg = self._neg.running(self._weight[1] * neg_step)[self._above]
        of_pos = self._pos.running(self._weight[0] * pos_step)[self._below]
        above, below = self._counts
        return (
            2 * self._weight[0] * (above * pos_step - self._pos.as_given(of_neg)),
            2 * self._weight[1] * (below * neg_step - self._neg.as_given(of_pos)),
        )


class _Ranked:
    """Weighted scores in increasing order, and running sums over them.

    ``total[k]`` is the weight of the lowest k.
    """

    def __init__(self, score: Floats, weight: Floats) -> None:
        self.order = np.argsort(score)
        self.score = score[self.order]
        self.total = self.running(weight)

    def running(self, values: Floats) -> Floats:
        """Sum over the lowest k scores for every k, shape (n + 1,)."""
        return np.concatenate(([0.0], np.cumsum(values[self.order])))

    def as_given(self, ranked: Floats) -> Floats:
        """Undo the sorting: values of sorted scores in the order of the samples."""
        values = np.empty_like(ranked)
        values[self.order] = ranked
        return values

    @cached_property
    def _at_scores(self) -> tuple[Floats, Floats]:
        """Sums over the lowest k of their distances to the k-th score, and of the squares."""
        # From one score to the next all distances grow by the gap. Adding that up keeps every
        # term positive; moments about a fixed point would cancel.
        gap = np.diff(self.score)
        grown = gap * self.total[1:-1]
        first = np.concatenate(([0.0, 0.0], np.cumsum(grown)))
        second = np.concatenate(([0.0, 0.0], np.cumsum(gap * (first[1:-1] + first[2:]))))
        return first, second

    def n_below(self, falling: Floats) -> NDArray[np.intp]:
        """Count the scores below 1 plus each of a non-increasing sequence."""
        limit = 1 + falling
        # the rounding error decides where the limit equals a score
        big = np.abs(falling) > 1
        over = np.where(big, 1 - (limit - falling) > 0, falling - (limit - 1) > 0)
        strict, equal = (
            np.searchsorted(self.score, limit[::-1], side=side)[::-1] for side in ("left", "right")
        )
        return np.where(over, equal, strict)

    def gaps(self, under: Floats, k: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Sum the margins from the lowest ``k`` scores to 1 plus ``under``, and their squares."""
        first, second = self._at_scores
        # subtract first, since a large score would swallow the 1
        more = (under - self.score[np.maximum(k, 1) - 1]) + 1
        reached = first[k] + more * self.total[k]
        return reached, second[k] + more * (first[k] + reached)
