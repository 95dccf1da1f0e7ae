"""Items of a scoring list, and the order of tied ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from rocviz.core.base.validation import Bools, Floats

# Losses that differ by less than this part of themselves are tied: so much may come from the
# order in which a computer adds, so little cannot come from data. Of losses below the second
# number so little may be rounding of the greater ones that they are differences of.
_RELATIVE_TOLERANCE = 1e-12
_MIN_LOSS_SCALE = 1e-3


class Item(NamedTuple):
    """One item of a list: a feature and the points it adds to the total."""

    feature: int
    score: int
    threshold: float
    missing_score: int

    @property
    def order(self) -> tuple[Any, ...]:
        """Sort key of tied items, of which the first is taken.

        Lowest feature, largest score in size, positive before negative, smallest default
        score in size, positive before negative, then the threshold that ignores the feature
        (never, then always), then the smallest threshold.
        """
        if self.threshold == np.inf:
            threshold_kind = 0  # never
        elif self.threshold == -np.inf:
            threshold_kind = 1  # always
        else:
            threshold_kind = 2
        return (
            self.feature,
            -abs(self.score),
            self.score < 0,
            abs(self.missing_score),
            self.missing_score < 0,
            threshold_kind,
            self.threshold,
        )


@dataclass(frozen=True)
class Choice:
    """The possible scores of one feature, with its threshold if that is given."""

    feature: int
    scores: tuple[int, ...]
    missing_scores: tuple[int, ...]
    threshold: float = np.nan

    @cached_property
    def points(self) -> list[tuple[int, int]]:
        """Every score with every default score."""
        return list(product(self.scores, self.missing_scores))

    @cached_property
    def items(self) -> list[Item]:
        items = []
        for score, missing_score in self.points:
            items.append(Item(self.feature, score, self.threshold, missing_score))
        return items


class Candidates(NamedTuple):
    """Items that may come next, with the losses of the resulting stages."""

    items: Sequence[Item]
    loss: Floats

    def best(self, value: Floats) -> int:
        """Find the least value; in a tie, the first item in order."""
        return first_in_order(value, lambda i: self.items[i].order)


def margin(value: Any) -> Any:
    """Compute the rounding tolerance of losses: values greater by less are tied."""
    return _RELATIVE_TOLERANCE * np.maximum(np.abs(value), _MIN_LOSS_SCALE)


def is_tied_with_least(value: Floats) -> Bools:
    """Mark the values tied with the least."""
    least = float(value.min())
    return np.asarray(value <= least + margin(least))


def is_less(a: float, b: float) -> bool:
    """Compare losses: ``a`` is less than ``b`` by more than rounding."""
    return bool(a < b - margin(b))


def first_in_order(value: Floats, order: Callable[[int], Any]) -> int:
    """Find the least value; in a tie, the first in order."""
    return min(np.flatnonzero(is_tied_with_least(value)).tolist(), key=order)


def smallest_in_order(value: Floats, order: Callable[[int], Any], count: int) -> list[int]:
    """Find the ``count`` least values, tied ones in order."""
    chosen: list[int] = []
    by_value = np.argsort(value, kind="stable")
    rising = value[by_value]
    while len(chosen) < min(count, value.size):
        start = len(chosen)
        end = int(np.searchsorted(rising, rising[start] + margin(rising[start]), side="right"))
        chosen.extend(sorted(by_value[start:end].tolist(), key=order))
    return chosen[:count]
