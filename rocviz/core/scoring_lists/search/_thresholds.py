"""Thresholds chosen together with feature and score to minimise the stage's loss.

As a threshold falls, more positives and more negatives get the score. No loss rises when
positives rank higher, or negatives lower: so a stretch of thresholds loses at least as much
as with the positives at the one end of it and the negatives at the other. Stretches are halved only
while this is below the best loss so far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from rocviz.core.base.validation import Bools, Floats
from rocviz.core.scoring_lists.search._columns import Ints, NumberColumns
from rocviz.core.scoring_lists.search._items import Candidates, Choice, Item, margin
from rocviz.core.scoring_lists.search._losses import (
    LabelLossProblem,
    PairLossProblem,
    Totals,
    pair_losses,
    row_blocks,
    weigh,
)
from rocviz.core.scoring_lists.search.stage_loss import BatchLoss

# Losses are sums of many terms: tolerance of their bounds.
_BOUND_TOLERANCE = 1e-9

# Initial stretches of thresholds for each feature and score.
_N_STRETCHES = 8

# A difference of shares of all pairs below this has lost its digits.
_MIN_ACCURATE_LOSS = 1e-3

_CLASS_OFFSETS = np.array([[0], [1]])


class Sweep(NamedTuple):
    """One feature with one score of missing values, at one stage: its samples in falling order.

    ``cell`` numbers class and total of each sample, ``gaps`` counts the samples with a missing
    value in both classes by total, shape (2, width). ``rank`` is that of :class:`NumberColumns`.
    """

    cell: Ints
    weight: Floats | None
    gaps: Floats
    rank: Ints
    n_thresholds: int

    def split(self, indices: Ints) -> Floats:
        """Count samples above thresholds, and all others, shape (2, 2, n, width).

        Side and class come first. Thresholds are given by their indices: the first row of
        ``indices`` is for the negatives, the second for the positives.
        """
        is_used = np.zeros(self.n_thresholds, dtype=np.bool_)
        is_used[indices] = True
        # how many of the used thresholds come before or at each threshold
        passed = is_used.cumsum()
        n_distinct = int(passed[-1])
        width = self.gaps.shape[1]
        counts = np.bincount(
            2 * width * passed[self.rank] + self.cell,
            weights=self.weight,
            minlength=2 * width * (n_distinct + 1),
        ).reshape(n_distinct + 1, 2, width)
        sides = np.empty((2, n_distinct, 2, width))
        counts[:-1].cumsum(axis=0, out=sides[0])
        counts[:0:-1].cumsum(axis=0, out=sides[1, ::-1])
        sides[1] += self.gaps
        row = 2 * (passed[indices] - 1) + _CLASS_OFFSETS
        split: Floats = sides.reshape(2, -1, width).take(row, axis=1)
        return split


class NumberLabels(LabelLossProblem):
    """Class labels and features that are numbers; arguments as for ``LabelProblem``.

    ``monotone`` says whether the loss never rises when a positive gets a higher total or a negative
    a lower one, as every loss of ``STAGE_LOSSES`` does; ``bisect``, whether to try few
    thresholds only.
    """

    columns: NumberColumns

    def __init__(
        self,
        columns: NumberColumns,
        positive: Bools,
        weight: Floats | None,
        loss: BatchLoss,
        *,
        monotone: bool,
        bisect: bool,
    ) -> None:
        super().__init__(columns, positive, weight, loss)
        self.bisect = bisect
        self.monotone = monotone

    def candidates(
        self, totals: Totals, choices: Sequence[Choice], keep: int | None = 1
    ) -> Candidates:
        points: list[int] = []
        for choice in choices:
            points += [*choice.scores, *choice.missing_scores]
        reach = max(abs(score) for score in points)
        cell, grid = self._cells(totals, reach // self.step)
        sweeps: list[Sweep] = []
        open_items: list[Item] = []  # all advance together, their thresholds to be found
        sweep_of_item: list[int] = []
        for choice in choices:
            for missing_score in choice.missing_scores:
                for score in choice.scores:
                    open_items.append(Item(choice.feature, score, np.nan, missing_score))
                    sweep_of_item.append(len(sweeps))
                sweeps.append(self._sweep(cell, grid.size, choice.feature, missing_score))
        sweep_index = np.array(sweep_of_item)
        scores = np.array([item.score for item in open_items]) // self.step
        last = np.array([sweep.n_thresholds - 1 for sweep in sweeps])[sweep_index]

        def loss_at(item: Ints, neg_index: Ints, pos_index: Ints) -> Floats:
            """Compute losses at thresholds, which may differ between the classes for bounds."""
            loss = np.empty(item.size)
            for part in row_blocks(item.size, 2 * grid.size):
                indices = np.stack((neg_index[part], pos_index[part]))
                some = item[part]
                neg, pos = _counts(sweeps, sweep_index[some], indices, scores[some])
                loss[part] = self.loss(pos, neg, grid)
            return loss

        if self.bisect:
            tried = _halve(loss_at, last, 1, _is_beside_best)
        elif self.monotone:
            tried = _halve(loss_at, last, _N_STRETCHES, _may_be_better(loss_at, scores > 0, keep))
        else:
            tried = _try_all(loss_at, last)
        best = best_threshold_indices(tried)
        items = []
        for item, index in zip(open_items, best.tolist(), strict=True):
            threshold = float(self.columns.thresholds[item.feature][index])
            items.append(item._replace(threshold=threshold))
        return Candidates(items, tried[best, np.arange(best.size)])

    def _sweep(self, cell: Ints, width: int, feature: int, missing_score: int) -> Sweep:
        order = self.columns.order[feature]
        gaps = self._count(cell, self.columns.missing[feature], width)
        return Sweep(
            cell=cell[order],
            weight=None if self.weight is None else self.weight[order],
            # a higher total is a smaller index
            gaps=np.roll(gaps, -(missing_score // self.step), axis=1),
            rank=self.columns.rank[feature],
            n_thresholds=self.columns.thresholds[feature].size,
        )


class NumberPairs(PairLossProblem):
    """Pairs, and features that are numbers, all of whose thresholds are tried."""

    columns: NumberColumns

    def candidates(
        self, totals: Totals, choices: Sequence[Choice], keep: int | None = 1
    ) -> Candidates:
        (weight,) = self.sides
        items = []
        losses = []
        for choice in choices:
            thresholds = self.columns.thresholds[choice.feature]
            turns = self._turns(choice.feature)
            # between its two turns a pair has exactly one sample above the threshold
            above = turns[self.above]
            below = turns[self.below]
            start = np.minimum(above, below)
            end = np.maximum(above, below)
            side = np.sign(below - above)
            for missing_score in choice.missing_scores:
                base = totals + self.adds(Item(choice.feature, 0, np.inf, missing_score))
                before = pair_losses(base)
                for score in choice.scores:
                    change = (pair_losses(base + score * side) - before) * weight
                    steps = weigh(start, change, thresholds.size + 1)
                    steps -= weigh(end, change, thresholds.size + 1)
                    loss = float(before @ weight) + np.cumsum(steps)[: thresholds.size]
                    best = int(best_threshold_indices(loss[:, None])[0])
                    item = Item(choice.feature, score, float(thresholds[best]), missing_score)
                    if loss[best] < _MIN_ACCURATE_LOSS:
                        loss[best] = self.losses((totals + self.adds(item))[None])[0]
                    items.append(item)
                    losses.append(loss[best])
        return Candidates(items, np.array(losses))

    def _turns(self, feature: int) -> Ints:
        """Find the index of the first threshold that each sample is above.

        One beyond the last index where the value is missing: it is above none.
        """
        turns = np.full(self.columns.n, self.columns.thresholds[feature].size)
        turns[self.columns.order[feature]] = self.columns.rank[feature] + 1
        return turns


def _counts(sweeps: Sequence[Sweep], sweep_index: Ints, indices: Ints, scores: Ints) -> Floats:
    """Count each class and total where samples above thresholds get a score.

    ``sweep_index`` does not fall. The shape is (2, n, width).
    """
    starts = np.flatnonzero(np.diff(sweep_index, prepend=-1))
    ends = [*starts[1:].tolist(), sweep_index.size]
    parts = []
    for start, end in zip(starts.tolist(), ends, strict=True):
        parts.append(sweeps[sweep_index[start]].split(indices[:, start:end]))
    above: Floats
    counts: Floats
    above, counts = np.concatenate(parts, axis=2)
    for score in set(scores.tolist()):
        some = np.flatnonzero(scores == score)
        # a higher total is a smaller index; beyond the grid's ends there are no samples
        if score > 0:
            counts[:, some, :-score] += above[:, some, score:]
        else:
            counts[:, some, -score:] += above[:, some, :score]
    return counts


#: The loss of items at a threshold for each class; items and thresholds are given by their indices.
LossAt: TypeAlias = Callable[[Ints, Ints, Ints], Floats]


@dataclass(frozen=True)
class Stretches:
    """Stretches of thresholds: the item of each, and the indices of its two ends."""

    item: Ints
    low: Ints
    high: Ints

    def select(self, is_selected: Bools) -> Stretches:
        """Keep some of the stretches."""
        return Stretches(self.item[is_selected], self.low[is_selected], self.high[is_selected])

    def middle(self) -> Ints:
        """Find the index in the middle of each stretch."""
        return np.asarray((self.low + self.high + 1) // 2)

    def halves(self) -> Stretches:
        """Divide each stretch in its middle."""
        middle = self.middle()
        return Stretches(
            item=np.repeat(self.item, 2),
            low=np.column_stack((self.low, middle)).ravel(),
            high=np.column_stack((middle, self.high)).ravel(),
        )


#: Marks the stretches to search, given the losses of all thresholds tried so far, and the least
#: of each item.
Promising: TypeAlias = Callable[[Floats, Floats, Stretches], Bools]


def _try_all(loss_at: LossAt, last: Ints) -> Floats:
    """Evaluate all thresholds (rows) of each item (columns), up to the item's last."""
    item, index = np.nonzero(np.arange(last.max() + 1) <= last[:, None])
    tried = np.full((int(last.max()) + 1, last.size), np.inf)
    tried[index, item] = loss_at(item, index, index)
    return tried


def _halve(loss_at: LossAt, last: Ints, n_stretches: int, promising: Promising) -> Floats:
    """Evaluate thresholds (rows) of each item (columns); the other losses are infinite.

    The ends of ``n_stretches`` stretches come first; promising ones are halved again and again.
    ``last`` is the index of each item's last threshold.
    """
    n = last.size
    tried = np.full((int(last.max()) + 1, n), np.inf)
    least = np.full(n, np.inf)

    def evaluate(item: Ints, index: Ints) -> None:
        loss = loss_at(item, index, index)
        tried[index, item] = loss
        np.minimum.at(least, item, loss)

    ends = np.linspace(np.zeros_like(last), last, n_stretches + 1, axis=1).astype(np.intp)
    stretches = Stretches(
        item=np.repeat(np.arange(n), n_stretches),
        low=ends[:, :-1].ravel(),
        high=ends[:, 1:].ravel(),
    )
    item, index = np.unique((stretches.item, stretches.low), axis=1)
    evaluate(item, index)
    evaluate(np.arange(n), last)
    while True:
        is_divisible = stretches.high - stretches.low > 1
        if not is_divisible.any():
            return tried
        stretches = stretches.select(is_divisible)
        stretches = stretches.select(promising(tried, least, stretches))
        evaluate(stretches.item, stretches.middle())
        stretches = stretches.halves()


def _is_beside_best(tried: Floats, least: Floats, stretches: Stretches) -> Bools:
    """Mark the stretches that have an item's least loss at one end.

    That leads to the best threshold if losses fall and then rise along the thresholds, and mostly
    to a good one if not.
    """
    low_loss = tried[stretches.low, stretches.item]
    high_loss = tried[stretches.high, stretches.item]
    limit = (least + margin(least))[stretches.item]
    return np.asarray(np.minimum(low_loss, high_loss) <= limit)


def _may_be_better(loss_at: LossAt, rises: Bools, keep: int | None) -> Promising:
    """Mark the stretches that may contain a better threshold than all tried so far.

    Only for the ``keep`` best items. ``rises`` says whether the score of an item is positive.
    """

    def promising(tried: Floats, least: Floats, stretches: Stretches) -> Bools:
        item = stretches.item
        low = stretches.low
        high = stretches.high
        bound = loss_at(item, np.where(rises[item], low, high), np.where(rises[item], high, low))
        limit = least
        if keep is not None:
            limit = np.minimum(least, _kth_smallest(least, keep))
        # where a stretch can only tie, the first of all tied thresholds may be known
        tie_margin = margin(least) / 2
        items, which = np.unique(item, return_inverse=True)
        best = best_threshold_indices(tried[:, items], tie_margin[items])[which]
        can_only_tie = bound >= (least - tie_margin)[item]
        is_settled = can_only_tie & ((best == 0) | (best >= high))
        return np.asarray((bound <= limit[item] + _BOUND_TOLERANCE) & ~is_settled)

    return promising


def _kth_smallest(values: Floats, k: int) -> float:
    """Find the k-th smallest value; infinity if there are fewer."""
    if k > values.size:
        return np.inf
    return float(np.partition(values, k - 1)[k - 1])


def best_threshold_indices(loss: Floats, tie_margin: Floats | None = None) -> Ints:
    """Find the best threshold in each column; in a tie never, then always, then the lowest."""
    least = loss.min(axis=0)
    if tie_margin is None:
        tie_margin = margin(least)
    is_best = loss <= least + tie_margin
    lowest = len(loss) - 1 - is_best[::-1].argmax(axis=0)
    return np.asarray(np.where(is_best[0], 0, lowest), dtype=np.intp)
