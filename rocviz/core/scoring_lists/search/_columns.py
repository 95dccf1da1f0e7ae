"""Features in a form for fast counting: rarer answers, or sorted values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.validation import Bools, Floats, as_array
from rocviz.core.calibration.binarize import check_matrix, cuts_of_distinct
from rocviz.core.scoring_lists.search._items import Item

Ints = NDArray[np.intp]

# Samples processed at a time.
_ROWS = 2**14


def as_matrix(X: ArrayLike) -> NDArray[Any]:
    """Check a matrix of numbers without copying an array."""
    array = as_array(X, "X", "a table of numbers")
    if array.dtype.kind in "biuf" and array.ndim == 2 and array.shape[1]:
        return array
    return check_matrix(X, nan=True)


class Columns:
    """Features of ``n`` samples; of each, the samples whose value is missing, if ``nan`` allows it.

    ``rows`` marks the samples of ``X`` that are meant.
    """

    def __init__(self, X: NDArray[Any], rows: Bools | None, *, nan: bool) -> None:
        self.n = int(len(X) if rows is None else np.count_nonzero(rows))
        self.n_features = X.shape[1]
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

    def __init__(self, X: NDArray[Any], rows: Bools | None = None, *, nan: bool) -> None:
        super().__init__(X, rows, nan=nan)
        self.rare: list[Ints] = []
        self.rare_is_one: list[bool] = []
        for j, (one, zero) in enumerate(zip(*self._answers(X, rows), strict=True)):
            n_ones, n_zeros = int(np.count_nonzero(one)), int(np.count_nonzero(zero))
            gaps = np.empty(0, dtype=np.intp)
            if n_ones + n_zeros < self.n:
                gaps = np.flatnonzero(~(one | zero))
                values = (X[:, j] if rows is None else X[rows, j])[gaps]
                odd = values[values == values]
                if odd.size:
                    raise ValueError(
                        f"X must be 0 or 1 where thresholds is None; column {j} holds {odd.size} "
                        f"other values, for example {odd[0].item()!r}. Binarize X, or set "
                        "thresholds to 'brute' or 'bisect'."
                    )
            self._take_missing(gaps)
            self.rare_is_one.append(n_ones <= n_zeros)
            self.rare.append(np.flatnonzero(one if self.rare_is_one[j] else zero))

    def _answers(self, X: NDArray[Any], rows: Bools | None) -> Bools:
        """Mark where X is 1 and where it is 0, shape (2, n_features, n)."""
        answers = np.empty((2, self.n_features, self.n), dtype=np.bool_)
        at = 0
        # X is mostly stored by rows: reading by rows passes through the memory once
        for start in range(0, len(X), _ROWS):
            part = X[start : start + _ROWS]
            if rows is not None:
                part = part[rows[start : start + _ROWS]]
            answers[:, :, at : at + len(part)] = (part == 1).T, (part == 0).T
            at += len(part)
        return answers

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

    def __init__(self, X: NDArray[Any], rows: Bools | None = None, *, nan: bool) -> None:
        super().__init__(X, rows, nan=nan)
        self.x = np.array((X if rows is None else X[rows]).T, dtype=np.float64, order="C")
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
