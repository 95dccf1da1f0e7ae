"""Thresholds chosen together with feature and score, so as to lose least at the stage itself.

One pass over the sorted samples gives, for every threshold, a loss that pooling can only raise;
only thresholds whose bound is below the best loss so far are pooled. Knows nothing of the
order of a search.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from rocviz.core.base.validation import Bools, Floats
from rocviz.core.scoring_lists.search._columns import Ints, NumberColumns
from rocviz.core.scoring_lists.search._items import Candidates, Choice, margin
from rocviz.core.scoring_lists.search._labels import LabelProblem, Totals
from rocviz.core.scoring_lists.search._sweep import Sweep, bound_of
from rocviz.core.scoring_lists.search.stage_loss import BatchLoss, StageLoss

# Bounds are sums of as many steps as there are samples: they are trusted up to so much.
_SLACK = 1e-9

# Thresholds that are pooled at a time.
_POOLED = 1024


class NumberLabels(LabelProblem):
    """Class labels and features that are numbers.

    Parameters
    ----------
    columns, positive, weight, loss, step
        As for ``LabelProblem``.
    kind : str or callable
        Which loss that is.
    cost_fn : float
    bisect : bool
        Whether to look at few thresholds only.
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
        kind: StageLoss,
        cost_fn: float,
        bisect: bool,
    ) -> None:
        super().__init__(columns, positive, weight, loss, step)
        self.bisect = bisect
        n = self.label.size if weight is None else float(weight.sum())
        self._scale = float(n)
        if kind == "rank":
            n_pos = float((self.label if weight is None else self.label * weight).sum())
            self._scale = n_pos * (n - n_pos)
        self._bound = bound_of(kind, cost_fn, self.label.size if weight is None else None)

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
        base = np.zeros((2, m + 2 * reach))
        base[:, reach : reach + m] = self._count(cell, order, m).T
        if self.columns.has_missing(feature):
            gaps = self._count(cell, self.columns.missing[feature], m)
            base[:, reach - default : reach - default + m] += gaps.T
        return Sweep(
            cell[order] // 2 + reach,
            self.label[order],
            None if self.weight is None else self.weight[order],
            base,
            self.columns.boundary[feature],
        )

    # ------------------------------------------------------------------ every threshold

    def _sift(
        self, sweeps: Iterable[Sweep], scores: list[Ints], grid: Ints, keep: int | None
    ) -> tuple[Ints, Floats]:
        """Return the best cut and its loss, for each sweep and score.

        Only of the ``keep`` best pairs is that certain.
        """
        cuts: list[Ints] = []
        losses: list[float] = []
        for sweep, some in zip(sweeps, scores, strict=True):
            found = self._sift_one(sweep, some, grid, losses, keep)
            best = first_cuts(found)
            cuts.append(best)
            losses.extend(found[best, np.arange(some.size)].tolist())
        return np.concatenate(cuts), np.array(losses)

    def _sift_one(
        self, sweep: Sweep, scores: Ints, grid: Ints, others: list[float], keep: int | None
    ) -> Floats:
        """Return losses, shape (n_cuts, n_scores); infinite where nobody had to look."""
        n_cuts = sweep.boundary.size
        found = np.full((n_cuts, scores.size), np.inf)
        bound = np.full(found.shape, -np.inf)
        if self._bound is not None:
            bound = self._bound(sweep, scores)[sweep.boundary] / self._scale - _SLACK
        least = np.full(scores.size, np.inf)

        def look(cuts: Ints, which: Ints) -> None:
            counts = self._counts(sweep, cuts, scores[which])
            found[cuts, which] = self._losses_of_counts(counts, grid)
            np.minimum.at(least, which, found[cuts, which])

        def limit() -> Floats:
            """Return up to which bound it is worth while to look, for each score."""
            if keep is None:
                return least + _SLACK
            so_far = np.concatenate((others, least, np.full(keep, np.inf)))
            last_kept = float(np.partition(so_far, keep - 1)[keep - 1])
            return np.asarray(np.minimum(least, last_kept) + _SLACK, dtype=np.float64)

        look(bound.argmin(axis=0), np.arange(scores.size))
        cuts, which = np.nonzero((bound <= limit()) & np.isinf(found))
        rising = np.argsort(bound[cuts, which], kind="stable")
        for first in range(0, rising.size, _POOLED):
            some = rising[first : first + _POOLED]
            some = some[bound[cuts[some], which[some]] <= limit()[which[some]]]
            if some.size:
                look(cuts[some], which[some])
        return found

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
            starts = np.flatnonzero(np.diff(line[pair], prepend=-1))
            counts = [
                self._counts(swept[line[pair[i]]], cut[i:j], score[pair[i:j]])
                for i, j in pairwise((*starts.tolist(), due.size))
            ]
            place = np.concatenate((place, due))
            loss = np.concatenate((loss, self._losses_of_counts(np.concatenate(counts), grid)))
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

    def _counts(self, sweep: Sweep, cuts: Ints, scores: Ints) -> Floats:
        """Return the counts of each class and total, shape (n, 2, width), of pairs."""
        wanted = np.zeros(sweep.boundary.size, dtype=np.bool_)
        wanted[cuts] = True
        moved = sweep.moved(np.flatnonzero(wanted))[(np.cumsum(wanted) - 1)[cuts]]
        counts: Floats = sweep.base - moved
        if self.weight is not None:
            counts[counts <= 1e-13 * sweep.base] = 0
        for score in set(scores.tolist()):
            some = np.flatnonzero(scores == score)
            # a higher total is a smaller index; beyond the grid's ends nobody is
            if score > 0:
                counts[some, :, :-score] += moved[some, :, score:]
            else:
                counts[some, :, -score:] += moved[some, :, :score]
        return counts

    def _losses_of_counts(self, counts: Floats, grid: Ints) -> Floats:
        loss: Floats = self.loss(counts[:, 1], counts[:, 0], grid)
        return loss


def first_cuts(loss: Floats) -> Ints:
    """Return the best cut in each column; of tied ones never, always, the lowest threshold."""
    least = loss.min(axis=0)
    good = loss <= least + margin(least)
    lowest = len(loss) - 1 - good[::-1].argmax(axis=0)
    return np.asarray(np.where(good[0], 0, lowest), dtype=np.intp)
