"""Features as a search wants them: which samples say yes, which are sorted where.

Checks X and keeps it in the form that is quick to count. Knows nothing of labels, losses or
lists.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core._scoring_items import Item
from rocviz.core._validation import Bools, Floats
from rocviz.core.binarize import check_matrix, cuts_of_distinct

Ints = NDArray[np.intp]


def as_matrix(X: ArrayLike) -> NDArray[Any]:
    """Return X as a matrix of numbers without copying what is one already."""
    array = np.asarray(X)
    if array.dtype.kind in "biuf" and array.ndim == 2 and array.shape[1]:
        return array
    return check_matrix(X, nan=True)


class BinaryColumns:
    """Features that are 0 or 1, or missing.

    Of each column the samples of its rarer value are kept: counting them is enough.

    Parameters
    ----------
    X : ndarray, shape (n_samples, n_features)
        Numbers.
    nan : bool
        Whether NaN is allowed.
    rows : ndarray of bool, optional
        Samples to keep.
    """

    def __init__(self, X: NDArray[Any], *, nan: bool, rows: Bools | None = None) -> None:
        self.n_features = X.shape[1]
        self.missing: list[Ints] = []
        self.rare: list[Ints] = []
        self.rare_is_one: list[bool] = []
        for j in range(X.shape[1]):
            column = X[:, j] if rows is None else X[rows, j]
            one = column == 1
            gap = np.isnan(column) if column.dtype.kind == "f" else np.zeros(0, dtype=bool)
            n_gaps = int(np.count_nonzero(gap))
            n_ones = int(np.count_nonzero(one))
            zeros = column == 0
            others = column.size - n_gaps - n_ones - int(np.count_nonzero(zeros))
            if others:
                odd = column[~(one | zeros | (column != column))][0]
                raise ValueError(
                    f"X must be 0 or 1 where thresholds is None; column {j} holds {others} other "
                    f"values, {odd.item()!r} for one. Binarize X, or set thresholds to 'brute' "
                    "or 'bisect'."
                )
            check_gaps(n_gaps, j, nan)
            is_one = n_ones <= column.size // 2
            self.missing.append(np.flatnonzero(gap))
            self.rare.append(np.flatnonzero(one if is_one else zeros))
            self.rare_is_one.append(is_one)
        self.n = int(X.shape[0] if rows is None else np.count_nonzero(rows))

    def has_missing(self, feature: int) -> bool:
        return bool(self.missing[feature].size)

    def adds(self, item: Item) -> NDArray[np.int32]:
        """Return what an item adds to each sample's total."""
        rare_is_one = self.rare_is_one[item.feature]
        added = np.full(self.n, 0 if rare_is_one else item.score, dtype=np.int32)
        added[self.rare[item.feature]] = item.score if rare_is_one else 0
        added[self.missing[item.feature]] = item.missing_score
        return added

    def values(self, feature: int) -> NDArray[np.int8]:
        """Return 0, 1, or 2 where missing."""
        item = Item(feature, 1, np.nan, 2)
        return self.adds(item).astype(np.int8)


class NumberColumns:
    """Features that are numbers, sorted, with their cuts.

    A cut is an index: cut k puts the k greatest distinct values above the threshold. Cut 0 is
    "never" (the threshold is infinite), the last one "always" (minus infinity).

    Parameters
    ----------
    X : ndarray, shape (n_samples, n_features)
        Numbers.
    nan : bool
        Whether NaN is allowed.
    rows : ndarray of bool, optional
        Samples to keep.
    """

    def __init__(self, X: NDArray[Any], *, nan: bool, rows: Bools | None = None) -> None:
        some = X if rows is None else X[rows]
        self.n, self.n_features = some.shape
        self.x = np.array(some.T, dtype=np.float64, order="C")
        self.missing: list[Ints] = []
        self.order: list[Ints] = []
        self.boundary: list[Ints] = []
        self.thresholds: list[Floats] = []
        for j, column in enumerate(self.x):
            if np.isinf(column).any():
                raise ValueError(f"X must be finite; column {j} holds infinite values.")
            gap = np.isnan(column)
            check_gaps(int(np.count_nonzero(gap)), j, nan)
            self.missing.append(np.flatnonzero(gap))
            seen = np.flatnonzero(~gap)
            order = seen[np.argsort(-column[seen], kind="stable")]
            value = column[order]
            step = np.flatnonzero(np.diff(value)) + 1
            distinct = value[np.concatenate(([0], step))] if value.size else value
            cuts = cuts_of_distinct(distinct[::-1])[::-1]
            self.order.append(order)
            self.boundary.append(np.concatenate(([0], step, [value.size])))
            self.thresholds.append(np.concatenate(([np.inf], cuts, [-np.inf])))

    def has_missing(self, feature: int) -> bool:
        return bool(self.missing[feature].size)

    def adds(self, item: Item) -> NDArray[np.int32]:
        """Return what an item adds to each sample's total."""
        added: NDArray[np.int32] = np.zeros(self.n, dtype=np.int32)
        added[self.x[item.feature] > item.threshold] = item.score
        added[self.missing[item.feature]] = item.missing_score
        return added


def check_gaps(n_gaps: int, feature: int, allowed: bool) -> None:
    """Raise where values are missing that nobody said may be."""
    if n_gaps and not allowed:
        raise ValueError(
            f"X holds {n_gaps} missing values (NaN) in column {feature}. Say what they add to a "
            "total: missing='zero' for nothing, missing='score' to learn it."
        )
