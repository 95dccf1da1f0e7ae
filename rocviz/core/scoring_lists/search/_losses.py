"""Losses of lists learned from class labels, by counting, or from pairs.

With labels, the loss of a stage follows from one histogram, of the totals in each class. A feature
splits it in two, and every score it could get is a shift of one part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.blocks import weight_by_cell
from rocviz.core.base.validation import MAX_EXACT_INTEGER, Bools, Floats
from rocviz.core.scoring_lists.search._columns import BinaryColumns, Columns, Ints
from rocviz.core.scoring_lists.search._items import Candidates, Choice, Item
from rocviz.core.scoring_lists.search.stage_loss import BatchLoss

Totals = NDArray[np.int32]

# Cells of counts processed at a time.
MAX_CELLS = 2**21


class LossProblem:
    """Units with totals and weights, one row of ``sides`` per class, and their loss.

    All totals are multiples of ``step``, which is set once the scores are known.
    """

    def __init__(self, columns: Columns, sides: Floats) -> None:
        self.columns: Any = columns
        self.sides = sides
        self.step = 1

    def start(self) -> Totals:
        """Make the totals of the empty list, one per unit."""
        return np.zeros(self.sides.shape[1], dtype=np.int32)

    def adds(self, item: Item) -> Totals:
        """Compute the points that an item adds to the totals."""
        return np.asarray(self.columns.adds(item))

    def losses(self, totals: NDArray[Any], sides: Floats | None = None) -> Floats:
        """Compute the loss of every row of totals, shape (n_rows, n_units)."""
        raise NotImplementedError

    def candidates(
        self, totals: Totals, choices: Sequence[Choice], keep: int | None = 1
    ) -> Candidates:
        """Find the possible next items, at least the ``keep`` best; ``None``: all.

        With thresholds to choose, each feature, score and score of a missing value comes once,
        with its best threshold.
        """
        raise NotImplementedError

    def evaluate(self, totals: Totals, items: Sequence[Item]) -> Candidates:
        """Compute the losses of the stages that items lead to, one by one."""
        losses = [self.losses((totals + self.adds(item))[None])[0] for item in items]
        return Candidates(items, np.array(losses))

    def grouped(self, added: Totals) -> tuple[Totals, Floats]:
        """Group units to which all items add the same, and compute the groups' weights."""
        groups, index = np.unique(added, axis=1, return_inverse=True)
        weights = [weigh(index, side, groups.shape[1]) for side in self.sides]
        return groups, np.stack(weights)


class LabelLossProblem(LossProblem):
    """Totals of samples with a class, whose weights are positive.

    The loss is one of :func:`rocviz.core.scoring_lists.search.stage_loss.batch_loss`.
    """

    def __init__(
        self, columns: Columns, positive: Bools, weight: Floats | None, loss: BatchLoss
    ) -> None:
        sample_weight = 1.0 if weight is None else weight
        super().__init__(columns, np.where([~positive, positive], sample_weight, 0.0))
        self.label = positive.astype(np.intp)
        self.weight = weight
        self.loss = loss

    def losses(self, totals: NDArray[Any], sides: Floats | None = None) -> Floats:
        high = int(totals.max())
        low = int(totals.min())
        grid = np.arange(high, low - 1, -self.step)
        neg_weight, pos_weight = self.sides if sides is None else sides
        loss = np.empty(len(totals))
        for part in row_blocks(len(totals), max(grid.size, totals.shape[1])):
            cell = (high - totals[part].astype(np.intp)) // self.step
            cell += np.arange(len(cell))[:, None] * grid.size
            n_cells = len(cell) * grid.size
            pos = weigh(cell, np.broadcast_to(pos_weight, cell.shape), n_cells)
            neg = weigh(cell, np.broadcast_to(neg_weight, cell.shape), n_cells)
            loss[part] = self.loss(pos.reshape(-1, grid.size), neg.reshape(-1, grid.size), grid)
        return loss

    def _cells(self, totals: Totals, reach: int = 0) -> tuple[Ints, Ints]:
        """Find the cell of each sample (class and total), and list the totals of a class.

        Totals are counted from the highest down. The list goes ``reach`` steps beyond both ends.
        """
        high = int(totals.max())
        cell = (high - totals.astype(np.intp)) // self.step
        m = int(cell.max()) + 1 + 2 * reach
        cell += reach
        cell += self.label * m
        return cell, high + self.step * (reach - np.arange(m))

    def _count(self, cell: Ints, samples: Ints | None, m: int) -> Floats:
        """Sum the weight in each cell, shape (2, m), of some samples or of all."""
        some = cell if samples is None else cell.take(samples)
        weight = self.weight
        if weight is not None and samples is not None:
            weight = weight.take(samples)
        return weight_by_cell(some, weight, 2 * m).reshape(2, m)


class BinaryLabels(LabelLossProblem):
    """Class labels and features that are 0 or 1."""

    columns: BinaryColumns

    def __init__(
        self, columns: BinaryColumns, positive: Bools, weight: Floats | None, loss: BatchLoss
    ) -> None:
        super().__init__(columns, positive, weight, loss)
        # a difference of whole numbers is exact; one of fractions would leave traces of rounding
        self.common = None
        if weight is not None:
            is_exact = weight.sum() <= MAX_EXACT_INTEGER and (weight == np.round(weight)).all()
            if not is_exact:
                self.common = [columns.common(j) for j in range(columns.n_features)]

    def candidates(
        self, totals: Totals, choices: Sequence[Choice], keep: int | None = 1
    ) -> Candidates:
        cell, totals_of_cells = self._cells(totals)
        m = totals_of_cells.size
        every_sample = self._count(cell, None, m)
        items: list[Item] = []
        losses = []
        for alike in _alike(choices):
            no, yes, gaps = self._parts(cell, every_sample, [choice.feature for choice in alike])
            gaps_apart = alike[0].missing_scores != (0,)
            if not gaps_apart:
                no = no + gaps
            points = np.array(alike[0].points) // self.step
            reach = int(np.abs(points).max())
            grid = totals_of_cells[0] + self.step * (reach - np.arange(m + 2 * reach))
            counts = np.zeros((2, len(alike), len(points), grid.size))
            counts[..., reach : reach + m] = no[:, :, None]
            for i, (score, missing_score) in enumerate(points.tolist()):
                # a higher total is a smaller index
                first = reach - score
                counts[:, :, i, first : first + m] += yes
                if gaps_apart:
                    first = reach - missing_score
                    counts[:, :, i, first : first + m] += gaps
            neg, pos = counts.reshape(2, -1, grid.size)
            losses.append(self.loss(pos, neg, grid))
            for choice in alike:
                items += choice.items
        return Candidates(items, np.concatenate(losses))

    def _parts(
        self, cell: Ints, every_sample: Floats, features: Sequence[int]
    ) -> tuple[Floats, Floats, Floats]:
        """Count no, yes and missing, each of shape (2, n_features, n_totals)."""
        columns = self.columns

        def count(samples: Iterable[Ints]) -> Floats:
            return np.stack([self._count(cell, some, every_sample.shape[1]) for some in samples], 1)

        rare = count(columns.rare[j] for j in features)
        gaps = np.zeros_like(rare)
        if any(columns.missing[j].size for j in features):
            gaps = count(columns.missing[j] for j in features)
        if self.common is None:
            common = every_sample[:, None] - gaps - rare
        else:
            common = count(self.common[j] for j in features)
        is_yes = np.array([columns.rare_is_one[j] for j in features])[:, None]
        return np.where(is_yes, common, rare), np.where(is_yes, rare, common), gaps


class PairLossProblem(LossProblem):
    """Pairs of rows, of which the first should rank above the second.

    The units are pairs, and the total of a pair is the difference of its two rows' totals. The soft
    rank loss counts negative differences, and zeros by half.
    """

    def __init__(self, columns: Columns, pairs: Ints, weight: Floats) -> None:
        super().__init__(columns, weight[None] / weight.sum())
        self.above, self.below = np.ascontiguousarray(pairs.T)

    def adds(self, item: Item) -> Totals:
        added = self.columns.adds(item)
        return np.asarray(added[self.above] - added[self.below])

    def losses(self, totals: NDArray[Any], sides: Floats | None = None) -> Floats:
        (weight,) = self.sides if sides is None else sides
        return np.asarray(pair_losses(totals) @ weight)

    def candidates(
        self, totals: Totals, choices: Sequence[Choice], keep: int | None = 1
    ) -> Candidates:
        items: list[Item] = []
        for choice in choices:
            items += choice.items
        return self.evaluate(totals, items)


def weigh(cell: Ints, weight: NDArray[Any], size: int) -> Floats:
    """Sum the weight in each cell."""
    return weight_by_cell(cell.reshape(-1), weight.reshape(-1), size)


def pair_losses(difference: NDArray[Any]) -> Floats:
    """Compute the losses of pairs: 0 in the right order, 1/2 for ties, 1 in the wrong order."""
    return np.asarray((1 - np.sign(difference)) / 2, dtype=np.float64)


def row_blocks(n_rows: int, row_size: int) -> Iterator[slice]:
    """Yield slices of rows to process at a time."""
    rows = max(1, MAX_CELLS // row_size)
    for start in range(0, n_rows, rows):
        yield slice(start, start + rows)


def _alike(choices: Sequence[Choice]) -> Iterable[list[Choice]]:
    """Group choices with the same possible scores."""
    groups: defaultdict[Any, list[Choice]] = defaultdict(list)
    for choice in choices:
        groups[choice.scores, choice.missing_scores].append(choice)
    return groups.values()
