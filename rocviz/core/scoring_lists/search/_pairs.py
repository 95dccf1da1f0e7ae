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
from rocviz.core.scoring_lists.search._thresholds import best_threshold_indices

# A difference of shares of all pairs below this has lost its digits.
_MIN_ACCURATE_LOSS = 1e-3


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
        items: list[Item] = []
        for choice in choices:
            items += choice.items
        return self.evaluate(totals, items)


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
                before = _wrong(base)
                for score in choice.scores:
                    change = (_wrong(base + score * side) - before) * weight
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
