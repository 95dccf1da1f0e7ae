"""Losses of lists learned from class labels, by counting.

The loss of a stage follows from one histogram, of the totals in each class. A feature splits it
in two, and every score it could get is a shift of one part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.blocks import weight_by_cell
from rocviz.core.base.validation import Bools, Floats
from rocviz.core.scoring_lists.search._columns import BinaryColumns, Columns, Ints
from rocviz.core.scoring_lists.search._items import Candidates, Choice, Item
from rocviz.core.scoring_lists.search.stage_loss import BatchLoss

Totals = NDArray[np.int32]

# Differences of sums of weights farther apart than this are not trusted.
_FAR = 2.0**-10

# Cells of counts that are worked on at a time.
CELLS = 2**21


class Problem(Protocol):
    """Units that have totals, and the loss of their totals.

    All totals are multiples of ``step``, which is set once the scores are known.
    """

    columns: Any
    step: int

    def start(self) -> Totals:
        """Begin with the totals of the empty list, one per unit."""

    def adds(self, item: Item) -> Totals:
        """Compute the points that an item adds to the totals."""

    def losses(self, totals: NDArray[Any]) -> Floats:
        """Compute the loss of every row of totals, shape (n_rows, n_units)."""

    def candidates(
        self, totals: Totals, choices: Sequence[Choice], keep: int | None = 1
    ) -> Candidates:
        """Find items that may come next, at least the ``keep`` best; ``None``: all.

        With thresholds to choose, each feature, score and default score comes once, with its
        best threshold.
        """

    def grouped(self, added: Totals) -> tuple[Totals, Callable[[NDArray[Any]], Floats]]:
        """Group equal columns of what items add; give the loss of totals of these groups."""


class LabelProblem:
    """Totals of samples with a class, whose weights are positive.

    The loss is one of :func:`rocviz.core.scoring_lists.search.stage_loss.batch_loss`.
    """

    def __init__(
        self, columns: Columns, positive: Bools, weight: Floats | None, loss: BatchLoss
    ) -> None:
        self.columns: Any = columns
        self.label = positive.astype(np.intp)
        self.weight = weight
        self.loss = loss
        self.step = 1
        self.far, self.exact = False, weight is None
        if weight is not None:
            self.exact = bool(weight.sum() <= 2.0**53 and (weight == np.round(weight)).all())
            self.far = not self.exact and bool(weight.min() < _FAR * weight.max())

    def start(self) -> Totals:
        return np.zeros(self.columns.n, dtype=np.int32)

    def adds(self, item: Item) -> Totals:
        added: Totals = self.columns.adds(item)
        return added

    def losses(self, totals: NDArray[Any]) -> Floats:
        weight = np.ones(self.columns.n) if self.weight is None else self.weight
        pos: Floats = weight * self.label
        return self._losses(totals, pos, weight - pos)

    def grouped(self, added: Totals) -> tuple[Totals, Callable[[NDArray[Any]], Floats]]:
        groups, index = np.unique(added, axis=1, return_inverse=True)
        group = index.reshape(-1)
        weight = np.ones(group.size) if self.weight is None else self.weight
        n_groups = groups.shape[1]
        pos = weigh(group, weight * self.label, n_groups)
        neg = weigh(group, weight * (1 - self.label), n_groups)
        return groups, lambda totals: self._losses(totals, pos, neg)

    def _losses(self, totals: NDArray[Any], pos: Floats, neg: Floats) -> Floats:
        loss = np.empty(len(totals))
        high, low = int(totals.max()), int(totals.min())
        m = (high - low) // self.step + 1
        rows = max(1, CELLS // max(m, totals.shape[1]))
        for first in range(0, len(totals), rows):
            part = totals[first : first + rows]
            cell = (high - part.astype(np.intp)) // self.step
            cell += np.arange(len(part))[:, None] * m
            in_pos, in_neg = (
                weigh(cell, np.broadcast_to(side, part.shape), len(part) * m).reshape(-1, m)
                for side in (pos, neg)
            )
            grid = high - self.step * np.arange(m)
            loss[first : first + rows] = self.loss(in_pos, in_neg, grid)
        return loss

    # ------------------------------------------------------------------ for subclasses

    def _cells(self, totals: Totals) -> tuple[Ints, int, int]:
        """Find the cell of each sample (total and class), the number of totals and the highest.

        Totals are counted from the highest down; a cell is twice that, and one for positives.
        """
        high = int(totals.max())
        cell = (high - totals.astype(np.intp)) // self.step
        m = int(cell.max()) + 1
        cell *= 2
        cell += self.label
        return cell, m, high

    def _left(self, counts: Floats, taken: Floats) -> Floats:
        """Subtract counts without a trace of rounding."""
        left = counts - taken
        if not self.exact:
            left[left <= 1e-13 * counts] = 0
        return left

    def _count(self, cell: Ints, samples: Ints | None, m: int) -> Floats:
        """Sum the weight in each cell, shape (m, 2), of some samples or of all."""
        some = cell if samples is None else cell.take(samples)
        weight = self.weight
        if weight is not None and samples is not None:
            weight = weight.take(samples)
        return weight_by_cell(some, weight, 2 * m).reshape(m, 2)


class BinaryLabels(LabelProblem):
    """Class labels and features that are 0 or 1."""

    columns: BinaryColumns

    def candidates(
        self, totals: Totals, choices: Sequence[Choice], keep: int | None = 1
    ) -> Candidates:
        cell, m, high = self._cells(totals)
        every_sample = self._count(cell, None, m)
        parts: list[tuple[Any, ...]] = []
        for alike in _alike(choices):
            gaps_apart = alike[0].missing_scores != (0,)
            no, yes, gaps = self._parts(cell, m, every_sample, [c.feature for c in alike])
            if not gaps_apart:
                no = no + gaps
            scores = [s // self.step for s in alike[0].scores]
            defaults = [s // self.step for s in alike[0].missing_scores]
            reach = max(map(abs, (*scores, *defaults)))
            pairs = list(product(scores, defaults))
            counts = np.zeros((len(alike), len(pairs), m + 2 * reach, 2))
            counts[:, :, reach : reach + m] = no[:, None]
            for i, (score, default) in enumerate(pairs):
                # a higher total is a smaller index
                counts[:, i, reach - score : reach - score + m] += yes
                if gaps_apart:
                    counts[:, i, reach - default : reach - default + m] += gaps
            width = counts.shape[2]
            grid = high + self.step * (reach - np.arange(width))
            flat = counts.reshape(-1, width, 2)
            loss = self.loss(
                np.ascontiguousarray(flat[:, :, 1]), np.ascontiguousarray(flat[:, :, 0]), grid
            )
            both = np.array(pairs, dtype=np.intp) * self.step
            parts.append(
                (
                    np.repeat([c.feature for c in alike], len(pairs)),
                    np.tile(both[:, 0], len(alike)),
                    np.full(loss.size, np.nan),
                    np.tile(both[:, 1], len(alike)),
                    loss,
                )
            )
        return Candidates(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _parts(
        self, cell: Ints, m: int, every_sample: Floats, features: Sequence[int]
    ) -> tuple[Floats, Floats, Floats]:
        """Count no, yes and missing, each of shape (n_features, m, 2)."""
        columns = self.columns
        rare = np.empty((len(features), m, 2))
        gaps = np.zeros_like(rare)
        for i, feature in enumerate(features):
            rare[i] = self._count(cell, columns.rare[feature], m)
            if columns.has_missing(feature):
                gaps[i] = self._count(cell, columns.missing[feature], m)
        if self.far:
            commons = (self._count(cell, columns.common(feature), m) for feature in features)
            rest = np.stack([*commons])
        else:
            rest = self._left(every_sample - gaps, rare)
        is_yes = np.array([columns.rare_is_one[feature] for feature in features])[:, None, None]
        return np.where(is_yes, rest, rare), np.where(is_yes, rare, rest), gaps


def weigh(cell: Ints, weight: NDArray[Any], size: int) -> Floats:
    """Sum the weight in each cell."""
    return weight_by_cell(cell.reshape(-1), weight.reshape(-1), size)


def _alike(choices: Sequence[Choice]) -> Iterator[list[Choice]]:
    """Group choices that may have the same scores."""
    groups: defaultdict[Any, list[Choice]] = defaultdict(list)
    for choice in choices:
        groups[choice.scores, choice.missing_scores].append(choice)
    yield from groups.values()
