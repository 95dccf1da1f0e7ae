"""Features in a form for fast counting: rarer answers, or sorted values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.validation import Bools, Floats, as_array
from rocviz.core.calibration.binarize import check_matrix, cuts_of_distinct
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
        ones, zeros = (np.equal(X.T, answer, order="C") for answer in (1, 0))
        for j, (one, zero) in enumerate(zip(ones, zeros, strict=True)):
            gaps = np.flatnonzero(~(one | zero))
            other = X[gaps, j]
            other = other[other == other]
            if other.size:
                raise ValueError(
                    f"X must be 0 or 1 where thresholds is None; column {j} holds {other.size} "
                    f"other values, for example {other[0].item()!r}. Binarize X, or set "
                    "thresholds to 'brute' or 'bisect'."
                )
            self._take_missing(gaps)
            self.rare_is_one.append(bool(np.count_nonzero(one) <= np.count_nonzero(zero)))
            self.rare.append(np.flatnonzero(one if self.rare_is_one[j] else zero))

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
    """Features that are numbers, sorted, with their cuts.

    A cut is an index: cut k puts the k greatest distinct values above the threshold. Cut 0 is
    "never" (the threshold is infinite), the last one "always" (minus infinity). ``order`` sorts the
    samples by falling value and ``rank`` numbers their distinct values from 0: a sample is above
    the thresholds of all cuts greater than its rank.
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
            cuts = cuts_of_distinct(np.unique(value))[::-1]
            self.order.append(order)
            self.rank.append(np.cumsum(value != np.append(value[:1], value[:-1])))
            self.thresholds.append(np.concatenate(([np.inf], cuts, [-np.inf])))

    def adds(self, item: Item) -> NDArray[np.int32]:
        added: NDArray[np.int32] = np.zeros(self.n, dtype=np.int32)
        added[self.x[item.feature] > item.threshold] = item.score
        added[self.missing[item.feature]] = item.missing_score
        return added
