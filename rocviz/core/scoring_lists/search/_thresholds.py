"""Thresholds chosen together with feature and score, so as to lose least at the stage itself.

As a threshold falls, more positives and more negatives get the score. No loss rises when
positives rank higher, or negatives lower: so a stretch of thresholds loses at least what is lost
with the positives at the one end of it and the negatives at the other. Stretches are halved only
while this is below the best loss so far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from rocviz.core.base.validation import Bools, Floats
from rocviz.core.scoring_lists.search._columns import Ints, NumberColumns
from rocviz.core.scoring_lists.search._items import Candidates, Choice, Item, margin
from rocviz.core.scoring_lists.search._labels import LabelProblem, Totals, row_blocks
from rocviz.core.scoring_lists.search.stage_loss import BatchLoss

# Losses are sums of many terms: bounds are trusted up to so much.
_SLACK = 1e-9

# Stretches of thresholds to begin with, for each feature and score.
_PIECES = 8

_CLASSES = np.array([[0], [1]])


class Sweep(NamedTuple):
    """One feature with one default score, at one stage: its samples in falling order.

    ``cell`` numbers class and total of each sample, ``gaps`` counts the samples with a missing
    value in both classes by total, shape (2, width).
    """

    cell: Ints
    weight: Floats | None
    gaps: Floats
    boundary: Ints

    def split(self, cuts: Ints) -> Floats:
        """Count what is above cuts, and all others, shape (2, 2, n, width): side and class first.

        The rows of ``cuts`` are those of the negatives and of the positives.
        """
        wanted = np.zeros(self.boundary.size, dtype=np.bool_)
        wanted[cuts] = True
        place = wanted.cumsum() - 1
        ends = np.concatenate(([0], self.boundary[wanted], self.boundary[-1:]))
        n_pieces, (_, width) = ends.size - 1, self.gaps.shape
        piece = np.repeat(np.arange(n_pieces) * 2 * width, ends[1:] - ends[:-1])
        counts = np.bincount(
            piece + self.cell, weights=self.weight, minlength=n_pieces * 2 * width
        ).reshape(n_pieces, 2, width)
        sides = np.empty((2, n_pieces - 1, 2, width))
        counts[:-1].cumsum(axis=0, out=sides[0])
        counts[:0:-1].cumsum(axis=0, out=sides[1, ::-1])
        sides[1] += self.gaps
        of_cuts: Floats = sides.reshape(2, -1, width).take(2 * place[cuts] + _CLASSES, axis=1)
        return of_cuts


class NumberLabels(LabelProblem):
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
        # all sweeps and scores go in step
        pairs = [
            (line, Item(choice.feature, score, np.nan, default))
            for line, (choice, default) in enumerate(lines)
            for score in choice.scores
        ]
        line = np.array([at for at, _ in pairs])
        score = np.array([item.score for _, item in pairs]) // self.step
        last = np.array([sweep.boundary.size - 1 for sweep in sweeps])[line]

        def loss_at(pair: Ints, neg_cut: Ints, pos_cut: Ints) -> Floats:
            """Compute losses where so much of each class is above; cuts differ for bounds."""
            loss = np.empty(pair.size)
            for part in row_blocks(pair.size, 2 * grid.size):
                cuts = np.stack((neg_cut[part], pos_cut[part]))
                neg, pos = _counts(sweeps, line[pair[part]], cuts, score[pair[part]])
                loss[part] = self.loss(pos, neg, grid)
            return loss

        if self.bisect:
            tried = _halve(loss_at, last)
        elif self.monotone:
            tried = _sift(loss_at, last, score > 0, keep)
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
            self._count(cell - default // self.step, missing, width),
            self.columns.boundary[feature],
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
        # a higher total is a smaller index; beyond the grid's ends nobody is
        if score > 0:
            counts[:, some, :-score] += above[:, some, score:]
        else:
            counts[:, some, -score:] += above[:, some, :score]
    return counts


#: The loss of some (sweep, score) pairs with so much of each class above the threshold.
LossAt: TypeAlias = Callable[[Ints, Ints, Ints], Floats]


def _sift(loss_at: LossAt, last: Ints, rises: Bools, keep: int | None) -> Floats:
    """Look at cuts (rows) of each pair (columns), the best one among them; others lose infinity.

    Only of the ``keep`` best pairs is that certain. Stretches of cuts are halved until nothing in
    them can be better than what was seen. ``last`` is each pair's last cut, ``rises`` says whether
    its score is positive.
    """
    n = last.size
    tried = np.full((int(last.max()) + 1, n), np.inf)
    least = np.full(n, np.inf)

    def look(pair: Ints, cut: Ints) -> None:
        loss = loss_at(pair, cut, cut)
        tried[cut, pair] = loss
        np.minimum.at(least, pair, loss)

    ends = np.linspace(np.zeros_like(last), last, _PIECES + 1, axis=1).astype(np.intp)
    low, high = ends[:, :-1].ravel(), ends[:, 1:].ravel()
    pair = np.repeat(np.arange(n), _PIECES)
    look(*np.unique((pair, low), axis=1))
    look(np.arange(n), last)
    while (inside := high - low > 1).any():
        pair, low, high = pair[inside], low[inside], high[inside]
        up = rises[pair]
        bound = loss_at(pair, np.where(up, low, high), np.where(up, high, low))
        enough = least if keep is None else np.minimum(least, _smallest(least, keep))
        # where a stretch can only tie, a better cut of those that tie may be known
        slight = margin(least) / 2
        asked, which = np.unique(pair, return_inverse=True)
        best = first_cuts(tried[:, asked], slight[asked])[which]
        settled = (bound >= (least - slight)[pair]) & ((best == 0) | (best >= high))
        promising = (bound <= enough[pair] + _SLACK) & ~settled
        pair, low, high = pair[promising], low[promising], high[promising]
        middle = (low + high) // 2
        look(pair, middle)
        pair = np.repeat(pair, 2)
        low, high = (
            np.column_stack((low, middle)).ravel(),
            np.column_stack((middle, high)).ravel(),
        )
    return tried


def _halve(loss_at: LossAt, last: Ints) -> Floats:
    """Look at cuts half way from the best ones to their neighbours, as :func:`_sift` gives them.

    Both ends come first. Finds the best threshold if losses fall and then rise along the cuts,
    and mostly a good one if not.
    """
    # the place of a cut is its threshold's rank from the lowest, in a range of its own
    stride = int(last.max()) + 1
    own = np.arange(last.size) * stride
    due = np.unique((own, own + last))
    place, loss = np.empty(0, dtype=np.intp), np.empty(0)
    while due.size:
        pair = due // stride
        cut = last[pair] - due % stride
        place = np.concatenate((place, due))
        loss = np.concatenate((loss, loss_at(pair, cut, cut)))
        order = np.argsort(place, kind="stable")
        place, loss = place[order], loss[order]
        least = np.minimum.reduceat(loss, np.searchsorted(place, own))
        best = np.flatnonzero(loss <= (least + margin(least))[place // stride])
        below, above = np.maximum(best - 1, 0), np.minimum(best + 1, place.size - 1)
        beside, at = place[np.concatenate((below, above))], place[np.concatenate((best, best))]
        # the ends of a range are seen at once: next to them begins another pair
        apart = (abs(beside - at) > 1) & (beside // stride == at // stride)
        due = np.unique(at[apart] + (beside[apart] - at[apart]) // 2)
    tried = np.full((stride, last.size), np.inf)
    pair = place // stride
    tried[last[pair] - place % stride, pair] = loss
    return tried


def _smallest(values: Floats, k: int) -> float:
    """Find the k-th smallest of the values; infinity if there are not so many."""
    return float(np.partition(values, k - 1)[k - 1]) if k <= values.size else np.inf


def first_cuts(loss: Floats, tied: Floats | None = None) -> Ints:
    """Find the best cut in each column; of tied ones never, always, the lowest threshold."""
    least = loss.min(axis=0)
    good = loss <= least + (margin(least) if tied is None else tied)
    lowest = len(loss) - 1 - good[::-1].argmax(axis=0)
    return np.asarray(np.where(good[0], 0, lowest), dtype=np.intp)
