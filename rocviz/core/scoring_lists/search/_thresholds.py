"""Thresholds chosen together with feature and score, so as to lose least at the stage itself.

As a threshold falls, more positives and more negatives get the score. No loss rises when
positives rank higher, or negatives lower: so a stretch of thresholds loses at least what is lost
with the positives at the one end of it and the negatives at the other. Stretches are halved only
while this is below the best loss so far. Knows nothing of the order of a search.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from rocviz.core.base.validation import Bools, Floats
from rocviz.core.scoring_lists.search._columns import Ints, NumberColumns
from rocviz.core.scoring_lists.search._items import Candidates, Choice, margin
from rocviz.core.scoring_lists.search._labels import CELLS, LabelProblem, Totals
from rocviz.core.scoring_lists.search._sweep import Sweep
from rocviz.core.scoring_lists.search.stage_loss import BatchLoss

# Losses are sums of many terms: bounds are trusted up to so much.
_SLACK = 1e-9

# Stretches of thresholds to begin with, for each feature and score.
_PIECES = 8


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
        step: int,
        *,
        monotone: bool,
        bisect: bool,
    ) -> None:
        super().__init__(columns, positive, weight, loss, step)
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
        scores = [np.array(choice.scores, dtype=np.intp) // self.step for choice in choices]
        sweeps = (
            self._sweep(cell, m, choice.feature, default // self.step, reach)
            for choice, default in lines
        )
        by_line = [
            s for s, choice in zip(scores, choices, strict=True) for _ in choice.missing_scores
        ]
        find = self._halve if self.bisect else self._sift
        cuts, loss = find(sweeps, by_line, grid, keep)
        which = [
            (choice.feature, score, default) for choice, default in lines for score in choice.scores
        ]
        feature, score, default = np.array(which, dtype=np.intp).T
        threshold = [
            self.columns.thresholds[f][cut] for f, cut in zip(feature, cuts.tolist(), strict=True)
        ]
        return Candidates(feature, score, np.array(threshold), default, loss)

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

    # ------------------------------------------------------------------ every threshold

    def _sift(
        self, sweeps: Iterable[Sweep], scores: list[Ints], grid: Ints, keep: int | None
    ) -> tuple[Ints, Floats]:
        """Return the best cut and its loss, for each sweep and score.

        Only of the ``keep`` best pairs is that certain. Stretches of cuts are halved until
        nothing in them can be better than what was seen. All sweeps and scores go in step.
        """
        swept = list(sweeps)
        line = np.repeat(np.arange(len(swept)), [some.size for some in scores])
        score = np.concatenate(scores)
        last = np.array([sweep.boundary.size - 1 for sweep in swept])[line]
        found = np.full((int(last.max()) + 1, line.size), np.inf)
        least = np.full(line.size, np.inf)

        def look(pair: Ints, cut: Ints) -> None:
            loss = self._losses_at(swept, line[pair], cut, cut, score[pair], grid)
            found[cut, pair] = loss
            np.minimum.at(least, pair, loss)

        if not self.monotone:
            look(*np.nonzero(np.arange(len(found)) <= last[:, None]))
            low = high = pair = np.empty(0, dtype=np.intp)
        else:
            ends = np.linspace(np.zeros_like(last), last, _PIECES + 1, axis=1).astype(np.intp)
            low, high = ends[:, :-1].ravel(), ends[:, 1:].ravel()
            pair = np.repeat(np.arange(line.size), _PIECES)
            seen = np.unique((pair, low), axis=1)
            look(*seen)
            look(np.arange(line.size), last)
        while (inside := high - low > 1).any():
            pair, low, high = pair[inside], low[inside], high[inside]
            up = score[pair] > 0
            neg_cut, pos_cut = np.where(up, low, high), np.where(up, high, low)
            bound = self._losses_at(swept, line[pair], neg_cut, pos_cut, score[pair], grid)
            enough = least if keep is None else np.minimum(least, _smallest(least, keep))
            # where a stretch can only tie, a better cut of those that tie may be known
            slight = margin(least) / 2
            asked, which = np.unique(pair, return_inverse=True)
            best = first_cuts(found[:, asked], slight[asked])[which]
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
        cuts = first_cuts(found)
        return cuts, found[cuts, np.arange(line.size)]

    # ------------------------------------------------------------------ few thresholds

    def _halve(
        self, sweeps: Iterable[Sweep], scores: list[Ints], grid: Ints, keep: int | None
    ) -> tuple[Ints, Floats]:
        """Look half way between the best cuts so far and their neighbours, until none is left.

        Both ends come first. Finds the best threshold if losses fall and then rise along the
        cuts, and mostly a good one if not. All sweeps and scores go in step.
        """
        swept = list(sweeps)
        line = np.repeat(np.arange(len(swept)), [some.size for some in scores])
        score = np.concatenate(scores)
        last = np.array([sweep.boundary.size - 1 for sweep in swept])[line]
        # the place of a cut is its threshold's rank from the lowest, in a range of its own
        stride = int(last.max()) + 1
        own = np.arange(line.size) * stride
        due = np.unique((own, own + last))
        place, loss = np.empty(0, dtype=np.intp), np.empty(0)
        while due.size:
            pair = due // stride
            cut = last[pair] - due % stride
            new = self._losses_at(swept, line[pair], cut, cut, score[pair], grid)
            place = np.concatenate((place, due))
            loss = np.concatenate((loss, new))
            order = np.argsort(place, kind="stable")
            place, loss = place[order], loss[order]
            least = np.minimum.reduceat(loss, np.searchsorted(place, own))
            best = np.flatnonzero(loss <= (least + margin(least))[place // stride])
            below, above = np.maximum(best - 1, 0), np.minimum(best + 1, place.size - 1)
            beside, at = place[np.concatenate((below, above))], place[np.concatenate((best, best))]
            # the ends of a range are seen at once: next to them begins another pair
            apart = (abs(beside - at) > 1) & (beside // stride == at // stride)
            due = np.unique(at[apart] + (beside[apart] - at[apart]) // 2)
        found = np.full((stride, line.size), np.inf)
        pair = place // stride
        found[last[pair] - place % stride, pair] = loss
        cuts = first_cuts(found)
        return cuts, found[cuts, np.arange(line.size)]

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
        """Return the losses where so much of each class is above the threshold, per entry.

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
        """Return the counts of each class and total, shape (n, 2, width)."""
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


def _smallest(values: Floats, k: int) -> float:
    """Return the k-th smallest of the values, or infinity if there are not so many."""
    return float(np.partition(values, k - 1)[k - 1]) if k <= values.size else np.inf


def first_cuts(loss: Floats, tied: Floats | None = None) -> Ints:
    """Return the best cut in each column; of tied ones never, always, the lowest threshold."""
    least = loss.min(axis=0)
    good = loss <= least + (margin(least) if tied is None else tied)
    lowest = len(loss) - 1 - good[::-1].argmax(axis=0)
    return np.asarray(np.where(good[0], 0, lowest), dtype=np.intp)
