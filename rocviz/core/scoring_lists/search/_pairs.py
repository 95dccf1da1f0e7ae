"""Losses of lists learned from pairs of which the first should rank above the second.

The units are pairs, and the total of a pair is the difference of its two samples' totals. The
soft rank loss counts negative differences, and zeros by half.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.validation import Floats
from rocviz.core.scoring_lists.search._columns import BinaryColumns, Columns, Ints, NumberColumns
from rocviz.core.scoring_lists.search._items import Candidates, Choice, Item, collect
from rocviz.core.scoring_lists.search._labels import Totals, weigh
from rocviz.core.scoring_lists.search._thresholds import first_cuts

# Less than this has lost digits where it is a difference of shares of all pairs.
_LITTLE = 1e-3


class PairProblem:
    """Differences of totals of pairs of rows: the first of two should rank above the second."""

    def __init__(self, columns: Columns, pairs: Ints, weight: Floats) -> None:
        self.columns: Any = columns
        self.step = 1
        self.above, self.below = np.ascontiguousarray(pairs.T)
        self.weight = weight / weight.sum()

    def start(self) -> Totals:
        return np.zeros(self.weight.size, dtype=np.int32)

    def adds(self, item: Item) -> Totals:
        added = self.columns.adds(item)
        return np.asarray(added[self.above] - added[self.below])

    def losses(self, totals: NDArray[Any]) -> Floats:
        return np.asarray(_wrong(totals) @ self.weight)

    def grouped(self, added: Totals) -> tuple[Totals, Callable[[NDArray[Any]], Floats]]:
        groups, index = np.unique(added, axis=1, return_inverse=True)
        weight = weigh(index, self.weight, groups.shape[1])
        return groups, lambda totals: np.asarray(_wrong(totals) @ weight)


def _wrong(difference: NDArray[Any]) -> Floats:
    """Compute losses: 0 where the order is right, 1/2 for ties and 1 where it is wrong."""
    return np.asarray((1 - np.sign(difference)) / 2, dtype=np.float64)


class BinaryPairs(PairProblem):
    """Pairs, and features that are 0 or 1."""

    columns: BinaryColumns

    def candidates(
        self, totals: Totals, choices: Sequence[Choice], keep: int | None = 1
    ) -> Candidates:
        low = int(totals.min())
        m = int(totals.max()) - low + 1
        cell = totals.astype(np.intp) - low
        grid = low + np.arange(m)
        items, losses = [], []
        for choice in choices:
            # 0, 1, or 2 where missing
            value = self.columns.adds(Item(choice.feature, 1, np.nan, 2))
            # nine kinds of pairs: each of its samples says no, says yes or is missing
            kind = 3 * value[self.above].astype(np.intp) + value[self.below]
            counts = weigh(cell + m * kind, self.weight, 9 * m)
            kinds = np.unique(kind).tolist()
            by_kind = counts.reshape(9, m)
            for score, default in product(choice.scores, choice.missing_scores):
                adds = (0, score, default)
                items.append(Item(choice.feature, score, np.nan, default))
                losses.append(
                    sum(by_kind[k] @ _wrong(grid + adds[k // 3] - adds[k % 3]) for k in kinds)
                )
        return collect(items, np.array(losses))


class NumberPairs(PairProblem):
    """Pairs, and features that are numbers, whose thresholds are all looked at."""

    columns: NumberColumns

    def candidates(
        self, totals: Totals, choices: Sequence[Choice], keep: int | None = 1
    ) -> Candidates:
        items, losses = [], []
        for choice in choices:
            own = self.columns.thresholds[choice.feature]
            turns = self._turns(choice.feature)
            # between its two turns a pair holds one sample above the threshold and one not
            first = np.minimum(turns[self.above], turns[self.below])
            last = np.maximum(turns[self.above], turns[self.below])
            side = np.sign(turns[self.below] - turns[self.above])
            for default in choice.missing_scores:
                base = totals + self.adds(Item(choice.feature, 0, np.inf, default))
                before = _wrong(base)
                for score in choice.scores:
                    change = (_wrong(base + score * side) - before) * self.weight
                    steps = weigh(first, change, own.size + 1)
                    steps -= weigh(last, change, own.size + 1)
                    loss = float(before @ self.weight) + np.cumsum(steps)[: own.size]
                    cut = int(first_cuts(loss[:, None])[0])
                    item = Item(choice.feature, score, float(own[cut]), default)
                    if loss[cut] < _LITTLE:
                        loss[cut] = self.losses((totals + self.adds(item))[None])[0]
                    items.append(item)
                    losses.append(loss[cut])
        return collect(items, np.array(losses))

    def _turns(self, feature: int) -> Ints:
        """Find the cut from which on each sample is above the threshold.

        One beyond the last cut where it is missing: it never is.
        """
        boundary = self.columns.boundary[feature]
        turns = np.full(self.columns.n, boundary.size)
        turns[self.columns.order[feature]] = np.repeat(
            np.arange(1, boundary.size), np.diff(boundary)
        )
        return turns
