"""Features as a search wants them: which samples say yes, which are sorted where.

Checks X and keeps it in the form that is quick to count. Knows nothing of labels, losses or
lists.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.validation import Bools, Floats, as_array
from rocviz.core.calibration.binarize import check_matrix, cuts_of_distinct
from rocviz.core.scoring_lists.search._items import Item

Ints = NDArray[np.intp]

# Samples that are looked at in one go.
_ROWS = 2**14


def as_matrix(X: ArrayLike) -> NDArray[Any]:
    """Return X as a matrix of numbers without copying what is one already."""
    array = as_array(X, "X", "a table of numbers")
    if array.dtype.kind in "biuf" and array.ndim == 2 and array.shape[1]:
        return array
    return check_matrix(X, nan=True)


class BinaryColumns:
    """Features that are 0 or 1, or missing, where ``nan`` allows that; of some ``rows``, or of all.

    Of each column the samples of its rarer value are kept: counting them is enough.
    """

    def __init__(self, X: NDArray[Any], *, nan: bool, rows: Bools | None = None) -> None:
        self.n = int(X.shape[0] if rows is None else np.count_nonzero(rows))
        self.n_features = X.shape[1]
        self.missing: list[Ints] = []
        self.rare: list[Ints] = []
        self.rare_is_one: list[bool] = []
        one, zero = self._compared(X, rows)
        for j, (is_one, is_zero) in enumerate(zip(one, zero, strict=True)):
            n_ones, n_zeros = int(np.count_nonzero(is_one)), int(np.count_nonzero(is_zero))
            gaps = np.empty(0, dtype=np.intp)
            if n_ones + n_zeros < self.n:
                gaps = np.flatnonzero(~(is_one | is_zero))
                values = (X[:, j] if rows is None else X[rows, j])[gaps]
                odd = values[values == values]
                if odd.size:
                    raise ValueError(
                        f"X must be 0 or 1 where thresholds is None; column {j} holds {odd.size} "
                        f"other values, {odd[0].item()!r} for one. Binarize X, or set thresholds "
                        "to 'brute' or 'bisect'."
                    )
                check_gaps(gaps.size, j, nan)
            ones_are_rare = n_ones <= n_zeros
            self.missing.append(gaps)
            self.rare.append(np.flatnonzero(is_one if ones_are_rare else is_zero))
            self.rare_is_one.append(ones_are_rare)

    def _compared(self, X: NDArray[Any], rows: Bools | None) -> tuple[Bools, Bools]:
        """Return where X is 1 and where it is 0, one row per column of X."""
        one = np.empty((self.n_features, self.n), dtype=np.bool_)
        zero = np.empty_like(one)
        at = 0
        # X is mostly stored row by row: read so, it goes through the memory once
        for first in range(0, len(X), _ROWS):
            part = X[first : first + _ROWS]
            if rows is not None:
                part = part[rows[first : first + _ROWS]]
            one[:, at : at + len(part)] = (part == 1).T
            zero[:, at : at + len(part)] = (part == 0).T
            at += len(part)
        return one, zero

    def has_missing(self, feature: int) -> bool:
        return bool(self.missing[feature].size)

    def adds(self, item: Item) -> NDArray[np.int32]:
        """Return what an item adds to each sample's total."""
        rare_is_one = self.rare_is_one[item.feature]
        added = np.full(self.n, 0 if rare_is_one else item.score, dtype=np.int32)
        added[self.rare[item.feature]] = item.score if rare_is_one else 0
        added[self.missing[item.feature]] = item.missing_score
        return added

    def common(self, feature: int) -> Ints:
        """Return the samples whose value is known, and not the rarer one."""
        others: Bools = np.ones(self.n, dtype=np.bool_)
        others[self.rare[feature]] = others[self.missing[feature]] = False
        return np.flatnonzero(others)

    def values(self, feature: int) -> NDArray[np.int8]:
        """Return 0, 1, or 2 where missing."""
        item = Item(feature, 1, np.nan, 2)
        return self.adds(item).astype(np.int8)


class NumberColumns:
    """Features that are numbers, sorted, with their cuts.

    A cut is an index: cut k puts the k greatest distinct values above the threshold. Cut 0 is
    "never" (the threshold is infinite), the last one "always" (minus infinity). Takes what
    :class:`BinaryColumns` takes.
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
            step = np.flatnonzero(value[1:] != value[:-1]) + 1
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
