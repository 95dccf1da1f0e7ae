"""Losses of lists learned from pairs whose first sample should rank above the second.

The units are pairs, and the total of a pair is the difference of its two samples' totals. The
soft rank loss counts negative differences, and zeros by half.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.validation import Floats
from rocviz.core.scoring_lists.search._columns import Columns, Ints, NumberColumns
from rocviz.core.scoring_lists.search._items import Candidates, Choice, Item
from rocviz.core.scoring_lists.search._labels import LossProblem, Totals, weigh
from rocviz.core.scoring_lists.search._thresholds import first_cuts

# A difference of shares of all pairs below this has lost its digits.
_LITTLE = 1e-3


class PairLossProblem(LossProblem):
    """Differences of totals of pairs of rows: the first of two should rank above the second."""

    def __init__(self, columns: Columns, pairs: Ints, weight: Floats) -> None:
        super().__init__(columns, weight[None] / weight.sum())
        self.above, self.below = np.ascontiguousarray(pairs.T)

    def adds(self, item: Item) -> Totals:
        added = self.columns.adds(item)
        return np.asarray(added[self.above] - added[self.below])

    def losses(self, totals: NDArray[Any], sides: Floats | None = None) -> Floats:
        (weight,) = self.sides if sides is None else sides
        return np.asarray(_wrong(totals) @ weight)

    def candidates(
        self, totals: Totals, choices: Sequence[Choice], keep: int | None = 1
    ) -> Candidates:
        return self.evaluate(totals, [item for choice in choices for item in choice.items])


def _wrong(difference: NDArray[Any]) -> Floats:
    """Compute losses: 0 where the order is right, 1/2 for ties and 1 where it is wrong."""
    return np.asarray((1 - np.sign(difference)) / 2, dtype=np.float64)


class NumberPairs(PairLossProblem):
    """Pairs, and features that are numbers, all of whose thresholds are tried."""

    columns: NumberColumns

    def candidates(
        self, totals: Totals, choices: Sequence[Choice], keep: int | None = 1
    ) -> Candidates:
        (weight,) = self.sides
        items, losses = [], []
        for choice in choices:
            own = self.columns.thresholds[choice.feature]
            turns = self._turns(choice.feature)
            # between its two turns a pair has exactly one sample above the threshold
            above, below = turns[self.above], turns[self.below]
            start, end = np.minimum(above, below), np.maximum(above, below)
            side = np.sign(below - above)
            for default in choice.missing_scores:
                base = totals + self.adds(Item(choice.feature, 0, np.inf, default))
                before = _wrong(base)
                for score in choice.scores:
                    change = (_wrong(base + score * side) - before) * weight
                    steps = weigh(start, change, own.size + 1)
                    steps -= weigh(end, change, own.size + 1)
                    loss = float(before @ weight) + np.cumsum(steps)[: own.size]
                    cut = int(first_cuts(loss[:, None])[0])
                    item = Item(choice.feature, score, float(own[cut]), default)
                    if loss[cut] < _LITTLE:
                        loss[cut] = self.losses((totals + self.adds(item))[None])[0]
                    items.append(item)
                    losses.append(loss[cut])
        return Candidates(items, np.array(losses))

    def _turns(self, feature: int) -> Ints:
        """Find the first cut at which each sample is above the threshold.

        One beyond the last cut where it is missing: it never is.
        """
        turns = np.full(self.columns.n, self.columns.thresholds[feature].size)
        turns[self.columns.order[feature]] = self.columns.rank[feature] + 1
        return turns
