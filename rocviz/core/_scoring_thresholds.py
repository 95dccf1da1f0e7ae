"""Thresholds chosen together with feature and score, so as to lose least at the stage itself.

As a threshold falls, samples move one after the other from their total to another one. One
pass over the sorted samples gives, for every threshold, a loss that pooling can only raise;
only thresholds whose bound is below the best loss so far are pooled. Knows nothing of the
order of a search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr

from rocviz.core._scoring_columns import Ints, NumberColumns
from rocviz.core._scoring_items import Candidates, Choice, margin
from rocviz.core._scoring_labels import CELLS, LabelProblem, Totals
from rocviz.core._validation import Bools, Floats
from rocviz.core.stage_loss import BatchLoss, StageLoss

# Bounds are sums of as many steps as there are samples: they are trusted up to so much.
_SLACK = 1e-9

# Thresholds that are pooled at a time.
_POOLED = 1024


class Sweep:
    """One feature with one default score, at one stage: its samples in falling order.

    Totals are indexed from the highest down and start at index ``reach``, so that every score
    leads to an index there is; ``base`` and ``moved`` count in that grid.
    """

    def __init__(
        self, code: Ints, weight: Floats | None, base: Floats, boundary: Ints, reach: int
    ) -> None:
        self.code = code + 2 * reach
        self.weight = weight
        self.base = base
        self.boundary = boundary
        self.width = len(base)

    def moved(self, cuts: Ints) -> Floats:
        """Return the counts of what is above each cut, shape (n_cuts, width, 2); cuts rise."""
        ends = self.boundary[cuts]
        above = int(ends[-1])
        part = np.repeat(np.arange(cuts.size), np.concatenate((ends[:1], np.diff(ends))))
        weight = None if self.weight is None else self.weight[:above]
        size = 2 * self.width
        counts = np.bincount(
            part * size + self.code[:above], weights=weight, minlength=cuts.size * size
        )
        return np.cumsum(counts.reshape(cuts.size, self.width, 2), axis=0, dtype=np.float64)

    def before(self) -> Iterator[tuple[slice, NDArray[Any]]]:
        """Yield blocks of samples: their slice, and counts of what is above each of them."""
        kind: Any = np.int32 if self.weight is None else np.float64
        size = 2 * self.width
        rows = max(1, CELLS // size)
        carried = np.zeros(size, dtype=kind)
        for first in range(0, self.code.size, rows):
            code = self.code[first : first + rows]
            part = slice(first, first + code.size)
            counts = np.zeros((code.size + 1, size), dtype=kind)
            counts[0] = carried
            counts[np.arange(code.size) + 1, code] = 1 if self.weight is None else self.weight[part]
            np.cumsum(counts, axis=0, out=counts)
            carried = counts[-1]
            yield part, counts[:-1].reshape(code.size, self.width, 2)


#: From a sweep and scores to a lower bound of ``n_samples`` times the loss after each sample.
_Bound = Callable[[Sweep, Ints], Floats]


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
        self._bound = _bound_of(kind, cost_fn, self.label.size, weight is None)

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
        base = np.zeros((m + 2 * reach, 2))
        base[reach : reach + m] = self._count(cell, order, m)
        if self.columns.has_missing(feature):
            gaps = self._count(cell, self.columns.missing[feature], m)
            base[reach - default : reach - default + m] += gaps
        return Sweep(
            cell[order],
            None if self.weight is None else self.weight[order],
            base,
            self.columns.boundary[feature],
            reach,
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
            limit = np.inf
            if keep is not None and len(losses) >= keep:
                limit = float(np.partition(losses, keep - 1)[keep - 1])
            found = self._sift_one(sweep, some, grid, limit)
            best = first_cuts(found)
            cuts.append(best)
            losses.extend(found[best, np.arange(some.size)].tolist())
        return np.concatenate(cuts), np.array(losses)

    def _sift_one(self, sweep: Sweep, scores: Ints, grid: Ints, limit: float) -> Floats:
        """Return losses, shape (n_cuts, n_scores); infinite where nobody had to look."""
        found = np.full((sweep.boundary.size, scores.size), np.inf)
        bound = np.full(found.shape, -np.inf)
        if self._bound is not None:
            bound = self._bound(sweep, scores)[sweep.boundary] / self._scale - _SLACK
        cuts, which = bound.argmin(axis=0), np.arange(scores.size)
        while cuts.size:
            counts = self._counts(sweep, cuts, scores[which])
            found[cuts, which] = self._losses_of_counts(counts, grid)
            least = np.minimum(found.min(axis=0), limit)
            cuts, which = np.nonzero((bound <= least + _SLACK) & np.isinf(found))
            if cuts.size > _POOLED:
                first = np.argpartition(bound[cuts, which], _POOLED)[:_POOLED]
                cuts, which = cuts[first], which[first]
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
        """Return the counts of each total and class, shape (n, width, 2), of pairs."""
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
                counts[some, :-score] += moved[some, score:]
            else:
                counts[some, -score:] += moved[some, :score]
        return counts

    def _losses_of_counts(self, counts: Floats, grid: Ints) -> Floats:
        pos, neg = np.ascontiguousarray(counts[:, :, 1]), np.ascontiguousarray(counts[:, :, 0])
        loss: Floats = self.loss(pos, neg, grid)
        return loss


def first_cuts(loss: Floats) -> Ints:
    """Return the best cut in each column; of tied ones never, always, the lowest threshold."""
    least = loss.min(axis=0)
    good = loss <= least + margin(least)
    lowest = len(loss) - 1 - good[::-1].argmax(axis=0)
    return np.asarray(np.where(good[0], 0, lowest), dtype=np.intp)


# ---------------------------------------------------------------------- bounds


def _bound_of(kind: StageLoss, cost_fn: float, n: int, counted: bool) -> _Bound | None:
    """Return the bound that goes with a loss; there is none for a function of the user's."""
    if callable(kind):
        return None
    if kind == "rank":
        return _rank_after
    term = _cell_term(kind, cost_fn, n if counted else None)
    return lambda sweep, scores: _cells_after(sweep, scores, term)


def _cell_term(
    kind: str, cost_fn: float, n: int | None
) -> Callable[[NDArray[Any], NDArray[Any]], Floats]:
    """Return what a total by itself adds to the loss; nothing where nobody is.

    These are concave functions of the counts, so pooling totals can only add to their sum.
    """
    if kind == "cost":
        return lambda pos, neg: np.minimum(neg, cost_fn * pos)
    if kind == "brier":
        return lambda pos, neg: pos * (neg / np.maximum(pos + neg, np.finfo(np.float64).tiny))
    if n is None:
        return lambda pos, neg: (entr(pos) + entr(neg) - entr(pos + neg)) / np.log(2)
    table = -entr(np.arange(n + 1.0)) / np.log(2)
    return lambda pos, neg: table.take(pos + neg) - table.take(pos) - table.take(neg)


def _cells_after(
    sweep: Sweep, scores: Ints, term: Callable[[NDArray[Any], NDArray[Any]], Floats]
) -> Floats:
    """Return the sum of the terms of all totals after each sample has moved."""
    kind: Any = np.intp if sweep.weight is None else np.float64
    base = sweep.base.astype(kind)
    after = np.empty((sweep.code.size + 1, scores.size))
    after[0] = term(base[:, 1], base[:, 0]).sum()
    for part, before in sweep.before():
        at = sweep.code[part] // 2
        own = np.zeros((at.size, 1, 2), dtype=kind)
        own[np.arange(at.size), 0, sweep.code[part] % 2] = (
            1 if sweep.weight is None else sweep.weight[part]
        )
        row = np.arange(at.size)[:, None]
        to, back = at[:, None] - scores, at[:, None] + scores
        here = before[row, at[:, None]]
        source = base[at][:, None] - here + _at(before, row, back)
        target = base[to] - before[row, to] + here
        source, target = np.maximum(source, own), np.maximum(target, 0)
        change = term((source - own)[..., 1], (source - own)[..., 0])
        change -= term(source[..., 1], source[..., 0])
        change += term((target + own)[..., 1], (target + own)[..., 0])
        change -= term(target[..., 1], target[..., 0])
        after[part.start + 1 : part.stop + 1] = change
    return np.cumsum(after, axis=0)


def _rank_after(sweep: Sweep, scores: Ints) -> Floats:
    """Return the weight of pairs in wrong order after each sample has moved."""
    upto = np.cumsum(sweep.base, axis=0)
    half = upto - sweep.base / 2
    after = np.empty((sweep.code.size + 1, scores.size))
    after[0] = (sweep.base[:, 1] * half[:, 0]).sum()
    for part, before in sweep.before():
        at, label = sweep.code[part] // 2, sweep.code[part] % 2
        own = np.ones(at.size) if sweep.weight is None else sweep.weight[part]
        row = np.arange(at.size)[:, None]
        other = 1 - label[:, None]
        to, back = at[:, None] - scores, at[:, None] + scores
        above = np.cumsum(before, axis=1) - before / 2

        # how much of the other class is above, before the sample goes and where it comes to
        source = half[at[:, None], other] - above[row, at[:, None], other]
        source = source + _at(above, row, back, other)
        target = half[to, other] - above[row, to, other] + above[row, at[:, None], other]
        sign = np.where(label == 1, own, -own)[:, None]
        after[part.start + 1 : part.stop + 1] = sign * (target - source)
    return np.cumsum(after, axis=0)


def _at(counts: NDArray[Any], *index: Any) -> NDArray[Any]:
    return np.asarray(counts[index])
