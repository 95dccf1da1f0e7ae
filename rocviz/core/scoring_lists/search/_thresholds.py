"""Thresholds chosen together with feature and score, so as to lose least at the stage itself.

As a threshold falls, more positives and more negatives get the score. No loss rises when
positives rank higher, or negatives lower: so a stretch of thresholds loses at least what is lost
with the positives at the one end of it and the negatives at the other. Stretches are halved only
while this is below the best loss so far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np

from rocviz.core.base.validation import Bools, Floats
from rocviz.core.scoring_lists.search._columns import Ints, NumberColumns
from rocviz.core.scoring_lists.search._items import Candidates, Choice, Item, collect, margin
from rocviz.core.scoring_lists.search._labels import CELLS, LabelProblem, Totals
from rocviz.core.scoring_lists.search.stage_loss import BatchLoss

# Losses are sums of many terms: bounds are trusted up to so much.
_SLACK = 1e-9

# Stretches of thresholds to begin with, for each feature and score.
_PIECES = 8

# Up to so many counts those of all cuts are kept: they are asked for again and again.
_FEW = 1 << 13

_CLASSES = np.arange(2)


class Sweep:
    """One feature with one default score, at one stage: its samples in falling order.

    Totals are indexed from the highest down and begin at index ``reach``, so that every score
    leads to an index there is. ``base`` counts negatives and positives by total, shape
    (2, width), when nobody is above the threshold yet, and ``gaps`` those of missing values;
    ``code`` numbers these cells.
    """

    def __init__(
        self, code: Ints, weight: Floats | None, base: Floats, gaps: Floats, boundary: Ints
    ) -> None:
        self.base = base
        self.gaps = gaps
        self.width = base.shape[1]
        self.code = code
        self.weight = weight
        self.boundary = boundary

    def above(self, cuts: Ints) -> Floats:
        """Count negatives and positives above cuts, shape (n, 2, width).

        Rows of ``cuts`` are one cut of the negatives and one of the positives.
        """
        if self.boundary.size * self.base.size <= _FEW:
            counts: Floats = self._every[cuts, _CLASSES]
            return counts
        wanted = np.zeros(self.boundary.size, dtype=np.bool_)
        wanted[cuts] = True
        row = np.cumsum(wanted) - 1
        counts = self._moved(np.flatnonzero(wanted))[row[cuts], _CLASSES]
        return counts

    def not_above(self, cuts: Ints) -> Floats:
        """Count all others: what :meth:`above` leaves of ``base``, less rounding."""
        return self.gaps + self._rising.above(self.boundary.size - 1 - cuts)

    @cached_property
    def _rising(self) -> Sweep:
        """The same samples in rising order."""
        weight = None if self.weight is None else self.weight[::-1]
        boundary = self.boundary[-1] - self.boundary[::-1]
        return Sweep(self.code[::-1], weight, self.base, self.gaps, boundary)

    @cached_property
    def _every(self) -> Floats:
        return self._moved(np.arange(self.boundary.size))

    def _moved(self, cuts: Ints) -> Floats:
        """Count what is above each cut, shape (n_cuts, 2, width); cuts rise."""
        ends = self.boundary[cuts]
        above = int(ends[-1])
        part = np.repeat(np.arange(cuts.size), np.concatenate((ends[:1], np.diff(ends))))
        weight = None if self.weight is None else self.weight[:above]
        size = 2 * self.width
        counts = np.bincount(
            part * size + self.code[:above], weights=weight, minlength=cuts.size * size
        )
        return np.cumsum(counts.reshape(cuts.size, 2, self.width), axis=0, dtype=np.float64)


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
        cell, m, high = self._cells(totals)
        lines = [(choice, default) for choice in choices for default in choice.missing_scores]
        reach = max(abs(s) for choice in choices for s in (*choice.scores, *choice.missing_scores))
        reach //= self.step
        grid = high + self.step * (reach - np.arange(m + 2 * reach))
        swept = [
            self._sweep(cell, m, choice.feature, default // self.step, reach)
            for choice, default in lines
        ]
        # all sweeps and scores go in step
        line = np.repeat(np.arange(len(lines)), [len(choice.scores) for choice, _ in lines])
        score = np.concatenate([choice.scores for choice, _ in lines]) // self.step
        last = np.array([sweep.boundary.size - 1 for sweep in swept])[line]

        def loss_at(pair: Ints, neg_cut: Ints, pos_cut: Ints) -> Floats:
            return self._losses_at(swept, line[pair], neg_cut, pos_cut, score[pair], grid)

        if self.bisect:
            tried = _halve(loss_at, last)
        elif self.monotone:
            tried = _sift(loss_at, last, score > 0, keep)
        else:
            pair, cut = np.nonzero(np.arange(last.max() + 1) <= last[:, None])
            tried = np.full((int(last.max()) + 1, last.size), np.inf)
            tried[cut, pair] = loss_at(pair, cut, cut)
        cuts = first_cuts(tried)
        loss = tried[cuts, np.arange(line.size)]
        lines_and_scores = [(*pair, score) for pair in lines for score in pair[0].scores]
        items = [
            Item(choice.feature, score, self.columns.thresholds[choice.feature][cut], default)
            for (choice, default, score), cut in zip(lines_and_scores, cuts.tolist(), strict=True)
        ]
        return collect(items, loss)

    def _sweep(self, cell: Ints, m: int, feature: int, default: int, reach: int) -> Sweep:
        order = self.columns.order[feature]
        base, gaps = np.zeros((2, 2, m + 2 * reach))
        base[:, reach : reach + m] = self._count(cell, order, m).T
        if self.columns.has_missing(feature):
            unknown = self._count(cell, self.columns.missing[feature], m)
            gaps[:, reach - default : reach - default + m] = unknown.T
            base += gaps
        code = self.label[order] * base.shape[1] + cell[order] // 2 + reach
        weight = None if self.weight is None else self.weight[order]
        return Sweep(code, weight, base, gaps, self.columns.boundary[feature])

    # ------------------------------------------------------------------ counts

    def _losses_at(
        self,
        swept: Sequence[Sweep],
        line: Ints,
        neg_cut: Ints,
        pos_cut: Ints,
        score: Ints,
        grid: Ints,
    ) -> Floats:
        """Compute the losses where so much of each class is above the threshold, per entry.

        ``line`` numbers the sweeps and does not fall. The two cuts differ for bounds.
        """
        loss = np.empty(line.size)
        rows = max(1, CELLS // (2 * grid.size))
        for first in range(0, line.size, rows):
            part = slice(first, first + rows)
            counts = self._counts(swept, line[part], neg_cut[part], pos_cut[part], score[part])
            loss[part] = self.loss(counts[:, 1], counts[:, 0], grid)
        return loss

    def _counts(
        self, swept: Sequence[Sweep], line: Ints, neg_cut: Ints, pos_cut: Ints, scores: Ints
    ) -> Floats:
        """Count each class and total, shape (n, 2, width)."""
        starts = np.flatnonzero(np.diff(line, prepend=-1)).tolist()
        own = [swept[line[i]] for i in starts]
        ends = [*starts[1:], line.size]
        runs = list(zip(own, starts, ends, strict=True))
        cuts = np.column_stack((neg_cut, pos_cut))
        moved = np.concatenate([one.above(cuts[i:j]) for one, i, j in runs])
        if self.far:
            counts = np.concatenate([one.not_above(cuts[i:j]) for one, i, j in runs])
        else:
            base = np.repeat([one.base for one in own], np.diff([*starts, line.size]), axis=0)
            counts = self._left(base, moved)
        for score in set(scores.tolist()):
            some = np.flatnonzero(scores == score)
            # a higher total is a smaller index; beyond the grid's ends nobody is
            if score > 0:
                counts[some, :, :-score] += moved[some, :, score:]
            else:
                counts[some, :, -score:] += moved[some, :, :score]
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
