"""Features in a form for fast counting: rarer answers, or sorted values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.validation import Bools, Floats, as_array, describe
from rocviz.core.calibration.binarize import check_matrix, midpoints_of_distinct
from rocviz.core.scoring_lists.search._items import Item

Ints = NDArray[np.intp]


def as_matrix(X: ArrayLike) -> NDArray[Any]:
    """Check a matrix of numbers without copying an array."""
    array = as_array(X, "X", "a table of numbers")
    if array.dtype.kind in "biuf" and array.ndim == 2 and array.shape[1]:
        return array
    return check_matrix(X, nan=True)


class Columns:
    """Features of ``n`` samples, with the samples whose value is missing, if ``nan`` allows it."""

    def __init__(self, X: NDArray[Any], *, nan: bool) -> None:
        self.n, self.n_features = X.shape
        self.missing: list[Ints] = []
        self._nan = nan

    def adds(self, item: Item) -> NDArray[np.int32]:
        """Compute the points that an item adds to each sample's total."""
        raise NotImplementedError

    def _take_missing(self, gaps: Ints) -> None:
        if gaps.size and not self._nan:
            raise ValueError(
                f"X holds {gaps.size} missing values (NaN) in column {len(self.missing)}. Say what "
                "they add to a total: missing='zero' for nothing, missing='score' to learn it."
            )
        self.missing.append(gaps)


class BinaryColumns(Columns):
    """Features that are 0 or 1, or missing.

    Of each column the samples of its rarer value are kept: counting them is enough.
    """

    def __init__(self, X: NDArray[Any], *, nan: bool) -> None:
        super().__init__(X, nan=nan)
        self.rare: list[Ints] = []
        self.rare_is_one: list[bool] = []
        # contiguous by column
        is_one = np.equal(X.T, 1, order="C")
        is_zero = np.equal(X.T, 0, order="C")
        for j in range(self.n_features):
            gaps = np.flatnonzero(~(is_one[j] | is_zero[j]))
            other = X[gaps, j]
            is_number = other == other
            other = other[is_number]
            if other.size:
                raise ValueError(
                    f"X must be 0 or 1 where thresholds is None; column {j} holds {other.size} "
                    f"other values, for example {describe(other[0].item())}. Binarize X, or set "
                    "thresholds to 'brute' or 'bisect'."
                )
            self._take_missing(gaps)
            rare_is_one = bool(np.count_nonzero(is_one[j]) <= np.count_nonzero(is_zero[j]))
            self.rare_is_one.append(rare_is_one)
            self.rare.append(np.flatnonzero(is_one[j] if rare_is_one else is_zero[j]))

    def adds(self, item: Item) -> NDArray[np.int32]:
        rare_is_one = self.rare_is_one[item.feature]
        added = np.full(self.n, 0 if rare_is_one else item.score, dtype=np.int32)
        added[self.rare[item.feature]] = item.score if rare_is_one else 0
        added[self.missing[item.feature]] = item.missing_score
        return added

    def common(self, feature: int) -> Ints:
        """Find the samples with the commoner known value."""
        others: Bools = np.ones(self.n, dtype=np.bool_)
        others[self.rare[feature]] = others[self.missing[feature]] = False
        return np.flatnonzero(others)


class NumberColumns(Columns):
    """Features that are numbers, sorted, with their thresholds.

    The thresholds of a feature fall: the k greatest distinct values are above threshold k.
    Threshold 0 is "never" (infinite), the last one "always" (minus infinity). ``order`` sorts the
    samples by falling value and ``rank`` numbers their distinct values from 0: a sample is above
    all thresholds whose index is greater than its rank.
    """

    def __init__(self, X: NDArray[Any], *, nan: bool) -> None:
        super().__init__(X, nan=nan)
        self.x = np.array(X.T, dtype=np.float64, order="C")
        self.order: list[Ints] = []
        self.rank: list[Ints] = []
        self.thresholds: list[Floats] = []
        for j, column in enumerate(self.x):
            if np.isinf(column).any():
                raise ValueError(f"X must be finite; column {j} holds infinite values.")
            self._take_missing(np.flatnonzero(np.isnan(column)))
            # missing values come last
            order = np.argsort(-column, kind="stable")[: self.n - self.missing[j].size]
            value = column[order]
            thresholds = midpoints_of_distinct(np.unique(value))[::-1]
            self.order.append(order)
            self.rank.append(np.cumsum(value != np.append(value[:1], value[:-1])))
            self.thresholds.append(np.concatenate(([np.inf], thresholds, [-np.inf])))

    def adds(self, item: Item) -> NDArray[np.int32]:
        added: NDArray[np.int32] = np.zeros(self.n, dtype=np.int32)
        is_above = self.x[item.feature] > item.threshold
        added[is_above] = item.score
        added[self.missing[item.feature]] = item.missing_score
        return added
