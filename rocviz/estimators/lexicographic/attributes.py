"""Columns of every kind as rows of 0 and 1: binary as they are, nominal one-hot, numeric cut once.

Reads arrays and data frames, and names what each bit means. Knows nothing of rankings.
"""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from sklearn.preprocessing import OrdinalEncoder
from sklearn.utils.validation import validate_data

from rocviz.core.base.validation import Bools, Floats, as_array
from rocviz.core.calibration.binarize import entropy_threshold
from rocviz.core.lexicographic.attribute import Attribute
from rocviz.core.lexicographic.patterns import Bits

_UNKNOWN, _MISSING = -1, -2  # codes of categories that are new, and of no value at all


class Table:
    """Columns of an array or a data frame, and whether each is nominal.

    Parameters
    ----------
    X : ndarray, shape (n_samples, n_features), or data frame
        Validated as far as an array can be.
    names : sequence of str
        Of the columns, for messages.
    """

    def __init__(self, X: Any, names: list[str]) -> None:
        self.names = names
        self.n_samples = int(X.shape[0])
        self.array = X if isinstance(X, np.ndarray) else None
        self._frame = X

    def column(self, j: int) -> Any:
        """Return one column, in whatever type it is held."""
        if self.array is not None:
            return self.array[:, j]
        return self._frame[self._frame.columns[j]]

    def is_nominal(self, j: int) -> bool:
        """Return whether a column holds words rather than numbers, by its type or its values."""
        column = self.column(j)
        kind = getattr(column.dtype, "kind", "")
        if not kind:  # polars
            kind = "f" if column.dtype.is_numeric() or str(column.dtype) == "Boolean" else "O"
        if kind in "mM":
            raise ValueError(
                f"X: column {self.names[j]!r} holds {column.dtype}; turn times into numbers first."
            )
        if kind == "O" and str(column.dtype) == "object":
            return not all(isinstance(value, Real) for value in np.asarray(column).tolist())
        return kind not in "biuf"

    def numbers(self, j: int) -> Any:
        """Return a column of finite numbers."""
        column = self.column(j)
        if getattr(column.dtype, "kind", "") not in tuple("biuf"):
            try:
                column = np.asarray(column, dtype=np.float64)
            except (TypeError, ValueError) as error:
                raise ValueError(
                    f"X: column {self.names[j]!r} must hold numbers, as in fit, and no missing "
                    f"values; {error}"
                ) from error
        values = np.asarray(column)
        if values.dtype.kind == "O":  # booleans of a frame, some of them missing
            values = np.array([v if isinstance(v, Real) else np.nan for v in values], np.float64)
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            bad = int((~np.isfinite(values)).sum())
            raise ValueError(
                f"Input X contains NaN or infinity: {bad} of {values.size} values of column "
                f"{self.names[j]!r}. Numeric columns must be finite."
            )
        return values

    def words(self, columns: list[int]) -> Any:
        """Return nominal columns as objects, shape (n_samples, n_columns); missing are NaN."""
        found = np.empty((self.n_samples, len(columns)), dtype=object)
        for at, j in enumerate(columns):
            column = self.column(j)
            found[:, at] = np.asarray(column, dtype=object)
            if hasattr(column, "isna"):
                missing = np.asarray(column.isna())
            else:
                missing = np.array([w is None or w != w for w in found[:, at].tolist()])
            found[missing, at] = np.nan
        return found


class AttributeEncoder:
    """Learn from a table how each column becomes bits, and turn tables into them.

    Parameters
    ----------
    nominal : array-like of bool, shape (n_features,), optional
        Which columns are nominal; by default those that hold words.
    """

    def __init__(self, nominal: Bools | None = None) -> None:
        self.nominal = nominal

    def fit(self, table: Table, y: Bools, weight: Floats | None) -> AttributeEncoder:
        """Choose thresholds and collect categories."""
        columns = range(len(table.names))
        nominal = [table.is_nominal(j) for j in columns] if self.nominal is None else self.nominal
        self.words_at = [j for j in columns if nominal[j]]
        self.numbers_at = [j for j in columns if not nominal[j]]
        self.attributes: list[Attribute] = []
        self._fit_numbers(table, y, weight)
        self._fit_words(table)
        return self

    def _fit_numbers(self, table: Table, y: Bools, weight: Floats | None) -> None:
        if table.array is not None and not self.words_at and _only_bits(table.array):
            self.cuts = np.full(len(self.numbers_at), 0.5)
            binary = [True] * len(self.numbers_at)
        else:
            self.cuts = np.empty(len(self.numbers_at))
            binary = []
            for at, j in enumerate(self.numbers_at):
                values = table.numbers(j)
                low, high = values.min(), values.max()
                binary.append(bool(low == 0 and high == 1 and _only_bits(values)))
                self.cuts[at] = (
                    0.5 if binary[-1] else entropy_threshold(values, y, sample_weight=weight)
                )
        for j, cut, bit in zip(self.numbers_at, self.cuts, binary, strict=True):
            zero, one = ("= 0", "= 1") if bit else (f"≤ {cut:.6g}", f"> {cut:.6g}")
            self.attributes.append(Attribute(j, table.names[j], zero, one))

    def _fit_words(self, table: Table) -> None:
        self.values: list[list[int]] = []
        if not self.words_at:
            return
        self.encoder = OrdinalEncoder(
            handle_unknown="use_encoded_value",
            unknown_value=_UNKNOWN,
            encoded_missing_value=_MISSING,
        ).fit(table.words(self.words_at))
        for j, categories in zip(self.words_at, self.encoder.categories_, strict=True):
            # NaN, which stands for all that is missing, is not equal to itself
            known = [str(c) for c in categories if c == c]
            codes = list(range(len(known)))
            if len(known) < len(categories):
                known.append("missing")
                codes.append(_MISSING)
            if len(known) == 2:
                # one bit says all; a second would be its mirror image
                self.values.append(codes[1:])
                self.attributes.append(
                    Attribute(j, table.names[j], f"= {known[0]}", f"= {known[1]}")
                )
                continue
            self.values.append(codes)
            for word in known:
                self.attributes.append(Attribute(j, table.names[j], f"≠ {word}", f"= {word}"))

    def transform(self, table: Table, unknown: Bits | None = None) -> Bits:
        """Return bits, shape (n_samples, n_attributes).

        Parameters
        ----------
        table : Table
        unknown : ndarray of uint8, shape (n_attributes,), optional
            What the one bit of a column with two categories is for a category that is
            neither; 0 by default. More categories have a bit each, which then are all 0.
        """
        bits = np.empty((table.n_samples, len(self.attributes)), dtype=np.uint8)
        if table.array is not None and not self.words_at and table.array.dtype.kind in "biuf":
            np.greater(table.array, self.cuts, out=bits.view(np.bool_))
            return bits
        for at, j in enumerate(self.numbers_at):
            bits[:, at] = table.numbers(j) > self.cuts[at]
        if self.words_at:
            codes = self.encoder.transform(table.words(self.words_at))
            at = len(self.numbers_at)
            for column, values in zip(codes.T, self.values, strict=True):
                for value in values:
                    bits[:, at] = column == value
                    if len(values) == 1 and unknown is not None:
                        bits[column == _UNKNOWN, at] = unknown[at]
                    at += 1
        return bits


def _only_bits(values: Any) -> bool:
    """Return whether all values are 0 or 1."""
    if values.dtype.kind == "b":
        return True
    if values.dtype.kind not in "iuf":
        return False
    if values.dtype.kind == "f":
        return bool(((values == 0) | (values == 1)).all())
    return bool(values.min() >= 0 and values.max() <= 1)


def read_columns(estimator: Any, X: Any, *, reset: bool) -> Any:
    """Return an array or a data frame, checked as far as that goes without knowing its columns.

    Parameters
    ----------
    estimator : estimator
        Whose number and names of features it must have, or shall have with ``reset``.
    X : array-like or data frame, shape (n_samples, n_features)
    reset : bool
    """
    if hasattr(X, "columns"):
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        if 0 in X.shape:
            raise ValueError(f"X must have samples and features; got shape {X.shape}.")
        return X
    if isinstance(X, (list, tuple)) and as_array(X, "X", "a table").dtype.kind in "US":
        X = np.array(X, dtype=object)  # numbers beside words stay numbers
    finite = getattr(getattr(X, "dtype", None), "kind", "") != "O"
    return validate_data(estimator, X, reset=reset, dtype=None, ensure_all_finite=finite)


def column_names(estimator: Any) -> list[str]:
    """Return the names an estimator has seen in fit, or x0, x1, ... where there were none."""
    plain = [f"x{j}" for j in range(estimator.n_features_in_)]
    return [str(name) for name in getattr(estimator, "feature_names_in_", plain)]


def nominal_columns(given: Any, names: list[str]) -> Bools | None:
    """Return which columns are nominal: a mask from a mask, from positions or from names.

    Parameters
    ----------
    given : {"from_dtype"} or array-like of bool, int or str
    names : list of str
        Of the columns.

    Returns
    -------
    ndarray of bool, shape (n_features,), or None
        ``None``: to be decided by type.
    """
    if isinstance(given, str) and given == "from_dtype":
        return None
    wanted = np.asarray([] if isinstance(given, str) else given)
    mask = np.zeros(len(names), dtype=np.bool_)
    if wanted.dtype.kind == "b" and wanted.shape == mask.shape:
        return wanted
    if wanted.ndim == 1 and not isinstance(given, str):
        if not wanted.size:
            return mask
        if wanted.dtype.kind in "iu" and wanted.min() >= 0 and wanted.max() < len(names):
            mask[wanted] = True
            return mask
        if wanted.dtype.kind in "UO" and set(wanted.tolist()) <= set(names):
            mask[[names.index(name) for name in wanted.tolist()]] = True
            return mask
    raise ValueError(
        f"categorical_features must be 'from_dtype', or a mask, positions or names of the "
        f"{len(names)} columns; got {given!r}."
    )
