"""What a scoring list is made of, and which of two equally good choices comes first.

Knows nothing of data or of searching.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.validation import Bools, Floats

# Losses that differ by less than this part of themselves are tied: so much may come from the
# order in which a computer adds, so little cannot come from data. What is less than the second
# part of the loss of the empty list may be all rounding.
TIE = 1e-12
_LEAST = 1e-3


class Item(NamedTuple):
    """One line of a list: which feature, and what it adds to the total."""

    feature: int
    score: int
    threshold: float
    missing_score: int

    @property
    def order(self) -> tuple[Any, ...]:
        """Sorts equally good items: the first one is taken.

        Lowest feature, largest score in size, positive before negative, smallest default
        score in size, positive before negative, then the threshold that ignores the feature
        (never, then always), then the smallest threshold.
        """
        never_always = (self.threshold != np.inf) + (self.threshold not in (np.inf, -np.inf))
        return (
            self.feature,
            -abs(self.score),
            self.score < 0,
            abs(self.missing_score),
            self.missing_score < 0,
            never_always,
            self.threshold,
        )


class Choice(NamedTuple):
    """What may be learned of one feature."""

    feature: int
    scores: tuple[int, ...]
    missing_scores: tuple[int, ...]


class Candidates(NamedTuple):
    """Items that may come next, with the loss of the stage each would make."""

    feature: NDArray[np.intp]
    score: NDArray[np.intp]
    threshold: Floats
    missing_score: NDArray[np.intp]
    loss: Floats

    def item(self, i: int) -> Item:
        return Item(
            int(self.feature[i]),
            int(self.score[i]),
            float(self.threshold[i]),
            int(self.missing_score[i]),
        )

    def best(self, value: Floats) -> int:
        """Return the index of the least value; of tied ones, the first in order."""
        return min(np.flatnonzero(tied(value)).tolist(), key=lambda i: self.item(i).order)


def collect(items: Sequence[Item], loss: Floats) -> Candidates:
    """Return items as candidates."""
    columns = list(zip(*items, strict=True))
    return Candidates(
        np.array(columns[0], dtype=np.intp),
        np.array(columns[1], dtype=np.intp),
        np.array(columns[2], dtype=np.float64),
        np.array(columns[3], dtype=np.intp),
        loss,
    )


def margin(value: Any) -> Any:
    """Return by how much values may be greater and still be tied with these."""
    return TIE * np.maximum(np.abs(value), _LEAST)


def tied(value: Floats) -> Bools:
    """Return which values are as good as the least."""
    least = float(value.min())
    return np.asarray(value <= least + margin(least))


def less(a: float, b: float) -> bool:
    """Return whether ``a`` is less than ``b`` by more than rounding."""
    return bool(a < b - margin(b))
