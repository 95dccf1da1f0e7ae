"""Columns of every kind as rows of 0 and 1: binary as they are, nominal one-hot, numeric cut once.

Names what each bit means.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.preprocessing import OrdinalEncoder

from rocviz.core.base.naming import cut_text
from rocviz.core.base.validation import Bools, Floats, as_array, describe
from rocviz.core.calibration.binarize import entropy_thresholds
from rocviz.core.lexicographic.attribute import Attribute
from rocviz.core.lexicographic.patterns import Bits
from rocviz.estimators.base.table import Table

_UNKNOWN, _MISSING = -1, -2  # codes of categories that are new, and of no value at all


class AttributeEncoder:
    """Learn from a table how each column becomes bits, and turn tables into them.

    Columns that hold words are nominal where ``nominal`` does not say it.
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
                    0.5
                    if binary[-1]
                    else float(entropy_thresholds(values, y, sample_weight=weight)[0])
                )
        for j, cut, bit in zip(self.numbers_at, self.cuts, binary, strict=True):
            zero, one = ("= 0", "= 1") if bit else (f"≤ {cut_text(cut)}", f"> {cut_text(cut)}")
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
        """Convert samples into bits, shape (n_samples, n_attributes).

        ``unknown``, of shape (n_attributes,), is the one bit of a column with two categories for
        one that is neither, by default 0. More categories have a bit each, which then are all 0.
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
    """Check whether all values are 0 or 1."""
    if values.dtype.kind == "b":
        return True
    if values.dtype.kind not in "iuf":
        return False
    if values.dtype.kind == "f":
        return bool(((values == 0) | (values == 1)).all())
    return bool(values.min() >= 0 and values.max() <= 1)


def nominal_columns(given: Any, names: list[str]) -> Bools | None:
    """Find the nominal columns: a mask from a mask, from positions or from names.

    It is ``None`` for ``"from_dtype"``: to be decided by type.
    """
    if isinstance(given, str) and given == "from_dtype":
        return None
    what = "'from_dtype', or a mask, positions or names"
    wanted = as_array([] if isinstance(given, str) else given, "categorical_features", what)
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
        f"categorical_features must be {what} of the {len(names)} columns; got {describe(given)}."
    )
