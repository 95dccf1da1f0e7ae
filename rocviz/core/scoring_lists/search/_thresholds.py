"""Thresholds chosen together with feature and score to minimise the stage's loss.

As a threshold falls, more positives and more negatives get the score. No loss rises when
positives rank higher, or negatives lower: so a stretch of thresholds loses at least as much
as with the positives at the one end of it and the negatives at the other. Stretches are halved only
while this is below the best loss so far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from rocviz.core.base.validation import Bools, Floats
from rocviz.core.scoring_lists.search._columns import Ints, NumberColumns
from rocviz.core.scoring_lists.search._items import Candidates, Choice, Item, margin
from rocviz.core.scoring_lists.search._labels import LabelLossProblem, Totals, row_blocks
from rocviz.core.scoring_lists.search.stage_loss import BatchLoss

# Losses are sums of many terms: tolerance of their bounds.
_SLACK = 1e-9

# Initial stretches of thresholds for each feature and score.
_PIECES = 8

_CLASSES = np.array([[0], [1]])


class Sweep(NamedTuple):
    """One feature with one default score, at one stage: its samples in falling order.

    ``cell`` numbers class and total of each sample, ``gaps`` counts the samples with a missing
    value in both classes by total, shape (2, width). ``rank`` is that of :class:`NumberColumns`.
    """

    cell: Ints
    weight: Floats | None
    gaps: Floats
    rank: Ints
    n_cuts: int

    def split(self, cuts: Ints) -> Floats:
        """Count samples above cuts, and all others, shape (2, 2, n, width): side and class first.

        The first row of ``cuts`` is for the negatives, the second for the positives.
        """
        is_cut = np.zeros(self.n_cuts, dtype=np.bool_)
        is_cut[cuts] = True
        passed = is_cut.cumsum()
        n_distinct, (_, width) = int(passed[-1]), self.gaps.shape
        counts = np.bincount(
            2 * width * passed[self.rank] + self.cell,
            weights=self.weight,
            minlength=2 * width * (n_distinct + 1),
        ).reshape(n_distinct + 1, 2, width)
        sides = np.empty((2, n_distinct, 2, width))
        counts[:-1].cumsum(axis=0, out=sides[0])
        counts[:0:-1].cumsum(axis=0, out=sides[1, ::-1])
        sides[1] += self.gaps
        row = 2 * (passed[cuts] - 1) + _CLASSES
        of_cuts: Floats = sides.reshape(2, -1, width).take(row, axis=1)
        return of_cuts


class NumberLabels(LabelLossProblem):
    """Class labels and features that are numbers; arguments as for ``LabelProblem``.

    ``monotone`` says whether the loss never rises when a positive gets a higher total or a negative
    a lower one, as every loss of ``STAGE_LOSSES`` does; ``bisect``, whether to look at few
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
        reach = max(abs(s) for choice in choices for s in (*choice.scores, *choice.missing_scores))
        cell, grid = self._cells(totals, reach // self.step)
        lines = [(choice, default) for choice in choices for default in choice.missing_scores]
        sweeps = [self._sweep(cell, grid.size, c.feature, default) for c, default in lines]
        # all sweeps and scores advance together
        pairs = [
            (line, Item(choice.feature, score, np.nan, default))
            for line, (choice, default) in enumerate(lines)
            for score in choice.scores
        ]
        line = np.array([at for at, _ in pairs])
        score = np.array([item.score for _, item in pairs]) // self.step
        last = np.array([sweep.n_cuts - 1 for sweep in sweeps])[line]

        def loss_at(pair: Ints, neg_cut: Ints, pos_cut: Ints) -> Floats:
            """Compute losses of cuts, which may differ between the classes for bounds."""
            loss = np.empty(pair.size)
            for part in row_blocks(pair.size, 2 * grid.size):
                cuts = np.stack((neg_cut[part], pos_cut[part]))
                neg, pos = _counts(sweeps, line[pair[part]], cuts, score[pair[part]])
                loss[part] = self.loss(pos, neg, grid)
            return loss

        if self.bisect:
            tried = _halve(loss_at, last, 1, _beside_the_best)
        elif self.monotone:
            tried = _halve(loss_at, last, _PIECES, _may_be_better(loss_at, score > 0, keep))
        else:
            pair, cut = np.nonzero(np.arange(last.max() + 1) <= last[:, None])
            tried = np.full((int(last.max()) + 1, last.size), np.inf)
            tried[cut, pair] = loss_at(pair, cut, cut)
        cuts = first_cuts(tried)
        items = [
            item._replace(threshold=float(self.columns.thresholds[item.feature][cut]))
            for (_, item), cut in zip(pairs, cuts.tolist(), strict=True)
        ]
        return Candidates(items, tried[cuts, np.arange(cuts.size)])

    def _sweep(self, cell: Ints, width: int, feature: int, default: int) -> Sweep:
        order, missing = self.columns.order[feature], self.columns.missing[feature]
        return Sweep(
            cell[order],
            None if self.weight is None else self.weight[order],
            # a higher total is a smaller index
            np.roll(self._count(cell, missing, width), -(default // self.step), axis=1),
            self.columns.rank[feature],
            self.columns.thresholds[feature].size,
        )


def _counts(sweeps: Sequence[Sweep], line: Ints, cuts: Ints, scores: Ints) -> Floats:
    """Count each class and total where the samples above cuts get a score, shape (2, n, width).

    ``line`` numbers the sweeps and does not fall.
    """
    starts = np.flatnonzero(np.diff(line, prepend=-1))
    ends = [*starts[1:].tolist(), line.size]
    above: Floats
    counts: Floats
    above, counts = np.concatenate(
        [
            sweeps[line[start]].split(cuts[:, start:end])
            for start, end in zip(starts.tolist(), ends, strict=True)
        ],
        axis=2,
    )
    for score in set(scores.tolist()):
        some = np.flatnonzero(scores == score)
        # a higher total is a smaller index; beyond the grid's ends there are no samples
        if score > 0:
            counts[:, some, :-score] += above[:, some, score:]
        else:
            counts[:, some, -score:] += above[:, some, :score]
    return counts


#: The loss of (sweep, score) pairs at a cut for each class.
LossAt: TypeAlias = Callable[[Ints, Ints, Ints], Floats]

#: Whether to look inside stretches of cuts, given the losses of all cuts tried so far, the least
#: loss of each pair, and the pair, the first and the last cut of each stretch.
Promising: TypeAlias = Callable[[Floats, Floats, Ints, Ints, Ints], Bools]


def _halve(loss_at: LossAt, last: Ints, n_pieces: int, promising: Promising) -> Floats:
    """Evaluate cuts (rows) of each pair (columns); the other losses are infinite.

    The ends of ``n_pieces`` stretches come first; promising ones are halved again and again.
    ``last`` is each pair's last cut.
    """
    n = last.size
    tried = np.full((int(last.max()) + 1, n), np.inf)
    least = np.full(n, np.inf)

    def look(pair: Ints, cut: Ints) -> None:
        loss = loss_at(pair, cut, cut)
        tried[cut, pair] = loss
        np.minimum.at(least, pair, loss)

    ends = np.linspace(np.zeros_like(last), last, n_pieces + 1, axis=1).astype(np.intp)
    low, high = ends[:, :-1].ravel(), ends[:, 1:].ravel()
    pair = np.repeat(np.arange(n), n_pieces)
    look(*np.unique((pair, low), axis=1))
    look(np.arange(n), last)
    while (inside := high - low > 1).any():
        pair, low, high = pair[inside], low[inside], high[inside]
        some = promising(tried, least, pair, low, high)
        pair, low, high = pair[some], low[some], high[some]
        middle = (low + high + 1) // 2
        look(pair, middle)
        pair = np.repeat(pair, 2)
        low, high = (
            np.column_stack((low, middle)).ravel(),
            np.column_stack((middle, high)).ravel(),
        )
    return tried


def _beside_the_best(tried: Floats, least: Floats, pair: Ints, low: Ints, high: Ints) -> Bools:
    """Mark the stretches that have a pair's least loss at one end.

    That leads to the best threshold if losses fall and then rise along the cuts, and mostly to a
    good one if not.
    """
    lower = np.minimum(tried[low, pair], tried[high, pair])
    return np.asarray(lower <= (least + margin(least))[pair])


def _may_be_better(loss_at: LossAt, rises: Bools, keep: int | None) -> Promising:
    """Mark the stretches that may contain a better cut than all tried so far.

    Only for the ``keep`` best pairs. ``rises`` says whether the score of a pair is positive.
    """

    def promising(tried: Floats, least: Floats, pair: Ints, low: Ints, high: Ints) -> Bools:
        up = rises[pair]
        bound = loss_at(pair, np.where(up, low, high), np.where(up, high, low))
        enough = least if keep is None else np.minimum(least, _smallest(least, keep))
        # where a stretch can only tie, the first of all tied cuts may be known
        slight = margin(least) / 2
        pairs, which = np.unique(pair, return_inverse=True)
        best = first_cuts(tried[:, pairs], slight[pairs])[which]
        settled = (bound >= (least - slight)[pair]) & ((best == 0) | (best >= high))
        return np.asarray((bound <= enough[pair] + _SLACK) & ~settled)

    return promising


def _smallest(values: Floats, k: int) -> float:
    """Find the k-th smallest value; infinity if there are fewer."""
    return float(np.partition(values, k - 1)[k - 1]) if k <= values.size else np.inf


def first_cuts(loss: Floats, tied: Floats | None = None) -> Ints:
    """Find the best cut in each column; in a tie never, then always, then the lowest threshold."""
    least = loss.min(axis=0)
    good = loss <= least + (margin(least) if tied is None else tied)
    lowest = len(loss) - 1 - good[::-1].argmax(axis=0)
    return np.asarray(np.where(good[0], 0, lowest), dtype=np.intp)
