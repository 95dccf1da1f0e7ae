"""Arrays and data frames read column by column: words, numbers, missing values."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from rocviz.core.base.naming import check_column_names, prefix_error_with
from rocviz.core.base.validation import (
    as_array,
    check_aligned,
    describe,
    reason,
    refuse_missing,
    shortened,
)


class Table:
    """Columns of a validated array or of a data frame, and whether each is nominal.

    Messages call the columns by their names.
    """

    def __init__(self, X: Any, names: list[str]) -> None:
        self.names = names
        self.n_samples = int(X.shape[0])
        self.array = X if isinstance(X, np.ndarray) else None
        self._frame = X

    def column(self, j: int) -> Any:
        """Select one column, in its own type."""
        if self.array is not None:
            return self.array[:, j]
        return self._frame[self._frame.columns[j]]

    def is_nominal(self, j: int) -> bool:
        """Check whether a column consists of words rather than numbers, by type or values."""
        column = self.column(j)
        kind = getattr(column.dtype, "kind", "")
        if not kind:  # polars
            kind = "f" if column.dtype.is_numeric() or str(column.dtype) == "Boolean" else "O"
        if kind in "mM":
            raise ValueError(
                f"X: column {describe(self.names[j])} holds {column.dtype}; turn times into "
                "numbers first."
            )
        if kind == "O" and str(column.dtype) == "object":
            return not all(isinstance(value, Real) for value in np.asarray(column).tolist())
        return kind not in "biuf"

    def numbers(self, j: int) -> Any:
        """Read a column of finite numbers."""
        column = self.column(j)
        if getattr(column.dtype, "kind", "") not in tuple("biuf"):
            try:
                column = np.asarray(column, dtype=np.float64)
            except (TypeError, ValueError) as error:
                raise ValueError(
                    f"X: column {describe(self.names[j])} must hold numbers, as in fit, and no "
                    f"missing values; {reason(error)}"
                ) from error
        values = np.asarray(column)
        if values.dtype.kind == "O":  # booleans of a frame, some of them missing
            values = np.array([v if isinstance(v, Real) else np.nan for v in values], np.float64)
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            bad = int((~np.isfinite(values)).sum())
            raise ValueError(
                f"Input X contains NaN or infinity: {bad} of {values.size} values of column "
                f"{describe(self.names[j])}. Numeric columns must be finite."
            )
        return values

    def words(self, columns: list[int]) -> Any:
        """Read nominal columns as objects, shape (n_samples, n_columns); missing are NaN."""
        words = np.empty((self.n_samples, len(columns)), dtype=object)
        for i, j in enumerate(columns):
            column = self.column(j)
            words[:, i] = np.asarray(column, dtype=object)
            if hasattr(column, "isna"):
                is_missing = np.asarray(column.isna())
            else:
                # NaN is not equal to itself
                values = words[:, i].tolist()
                is_missing = np.array([value is None or value != value for value in values])
            words[is_missing, i] = np.nan
        return words


def check_none_missing(y: Any) -> None:
    """Raise if labels of words or of pandas lack some; of numbers scikit-learn finds NaN."""
    if hasattr(y, "isna"):
        y = np.array([None]) if np.any(y.isna()) else ()
    elif isinstance(y, list | tuple):
        y = np.array(y, dtype=object)
    if getattr(getattr(y, "dtype", None), "kind", "") == "O" and np.ndim(y) == 1:
        refuse_missing(y.tolist(), "y")


def validated(estimator: Any, *data: Any, **options: Any) -> Any:
    """Call scikit-learn's ``validate_data``; refuse words among numbers with a clear message."""
    check_column_names(data[0])
    check_aligned(**dict(zip("Xy", data, strict=False)))
    if len(data) > 1:
        check_none_missing(data[1])
    try:
        # scikit-learn adds all values up, of which the largest may be infinities of both signs
        with prefix_error_with("X", "y"), np.errstate(invalid="ignore"):
            learns_names = options.get("reset", True) or not hasattr(estimator, "feature_names_in_")
            X = _named_by_text(data[0], learns_names)
            return validate_data(estimator, X, *data[1:], **options)
    except ValueError as error:
        if isinstance(error.__cause__, OverflowError):
            raise ValueError("X must be numbers within the range of floats.") from None
        if "could not convert string" not in str(error):
            raise
        word = str(error).rpartition(": ")[2]
        raise ValueError(
            f"X must hold numbers; got the word {shortened(word)}. Turn columns of words into "
            "numbers first, for example with scikit-learn's OneHotEncoder."
        ) from None


def _named_by_text(X: Any, learns_names: bool) -> Any:
    """Write the names of columns as text where none is, as of years or of several levels.

    scikit-learn knows texts alone, and would leave such columns without a name. Columns that count
    from 0 have none, except in data for a model that learned names.
    """
    columns = getattr(X, "columns", None)
    if columns is None or not hasattr(X, "set_axis"):
        return X
    names = list(columns)
    is_count = learns_names and names == list(range(len(names)))
    if is_count or any(isinstance(name, str) for name in names):
        return X
    return X.set_axis([str(name) for name in names], axis=1)


def read_columns(estimator: Any, X: Any, *, reset: bool) -> Any:
    """Check an array or a data frame as far as possible without knowing its columns.

    With ``reset`` the estimator learns their number and names, else it must have them.
    """
    if hasattr(X, "columns"):
        validated(estimator, X, reset=reset, skip_check_array=True)
        if 0 in X.shape:
            raise ValueError(f"X must have samples and features; got shape {X.shape}.")
        return X
    if isinstance(X, (list, tuple)) and as_array(X, "X", "a table").dtype.kind in "USO":
        X = np.array(X, dtype=object)  # numbers beside words stay numbers
    finite = getattr(getattr(X, "dtype", None), "kind", "") != "O"
    return validated(estimator, X, reset=reset, dtype=None, ensure_all_finite=finite)


def column_names(estimator: Any) -> list[str]:
    """List the names of columns seen in fit, or x0, x1, ... where there were none."""
    plain = [f"x{j}" for j in range(estimator.n_features_in_)]
    return [str(name) for name in getattr(estimator, "feature_names_in_", plain)]
