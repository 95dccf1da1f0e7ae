"""Numbers as tables write them: with decimal commas, groups of thousands, or per cent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_datetime64_any_dtype, is_numeric_dtype
from pandas.api.types import is_timedelta64_dtype as is_timedelta

from rocviz.core.base.validation import describe, list_labels

COMMA_DECIMAL = r"[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+)?(?:,\d*)?(?:[eE][+-]?\d+)?"
COMMA_THOUSANDS = r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?(?:[eE][+-]?\d+)?"
#: A space or an apostrophe between groups of thousands.
GROUP_SPACE = r"(?<=\d)[ '\u00a0\u202f\u2009](?=\d{3}(?:\D|$))"


@dataclass
class NumberReader:
    """Conversion of columns of text to numbers, which learns how each column writes them.

    Parameters
    ----------
    decimal : {".", ","}, optional
        The decimal mark of all columns; by default that of each column is recognised.
    percent : sequence of str
        Columns of numbers that are per cent without saying so.

    Attributes
    ----------
    marks : dict of str to str
        The decimal mark of each column in which commas were found.
    is_percent : dict of str to bool
        Whether the numbers of a column of text are followed by a sign for per cent.
    """

    decimal: str | None = None
    percent: tuple[str, ...] = ()
    marks: dict[str, str] = field(default_factory=dict)
    is_percent: dict[str, bool] = field(default_factory=dict)

    def read(self, values: pd.Series) -> pd.Series:
        """Convert a column or a piece of it; what is no number becomes NaN.

        It raises ``ValueError`` if a comma could be a decimal mark or one of thousands, and if some
        numbers are per cent and others are not.
        """
        numbers = self._plain(values)
        if values.name in self.percent and not self.is_percent.get(str(values.name)):
            return numbers / 100
        return numbers

    def _plain(self, values: pd.Series) -> pd.Series:
        if is_bool_dtype(values) or is_datetime64_any_dtype(values) or is_timedelta(values):
            return pd.Series(np.nan, values.index, name=values.name)
        if isinstance(values.dtype, pd.CategoricalDtype):
            values = values.astype(object)
        if is_numeric_dtype(values):
            if values.notna().any():
                self._check_percent(values, False)
            return values
        filled = values.dropna()
        is_text = filled.map(lambda value: isinstance(value, str)).astype(bool)
        # beside text, cells of Excel are numbers, and those of databases Decimal
        others = pd.to_numeric(filled[~is_text], errors="coerce")
        if others.notna().any():
            self._check_percent(values, False)
        text = self._from_text(filled[is_text])
        numbers = pd.Series(np.nan, values.index, dtype=float)
        numbers[others.index] = others.astype(float)
        numbers[text.index] = text.astype(float)
        return numbers

    def _from_text(self, values: pd.Series) -> pd.Series:
        """Convert values that are all text."""
        if values.empty:
            return values
        text = values.astype(str).str.strip()
        text = text.str.replace("−", "-", regex=False)  # the minus of typesetting programs
        text = text.str.replace(GROUP_SPACE, "", regex=True)
        has_sign = text.str.endswith("%")
        numbers = self._without_percent(text.str.removesuffix("%").str.strip(), values.name)
        is_number = numbers.notna()
        if is_number.any():
            is_percent = bool(has_sign[is_number].all())
            if has_sign[is_number].any() and not is_percent:
                raise ValueError(
                    f"column {describe(values.name)} holds numbers with and without %; write all "
                    "of them in one way."
                )
            self._check_percent(values, is_percent)
            if is_percent:
                numbers = numbers / 100
        return numbers

    def _check_percent(self, values: pd.Series, is_percent: bool) -> None:
        """Raise if a later piece of a column is written in another way."""
        if self.is_percent.setdefault(str(values.name), is_percent) != is_percent:
            raise ValueError(
                f"column {describe(values.name)} holds numbers with and without %; write all of "
                "them in one way."
            )

    def _without_percent(self, text: pd.Series, name: Any) -> pd.Series:
        has_comma = text.str.contains(",", regex=False)
        plain = pd.to_numeric(text.where(~has_comma), errors="coerce")
        if not has_comma.any() and self.decimal != ",":
            return plain
        if self.decimal is not None:
            return self._marked(text, self.decimal, name)
        with_comma = text[has_comma]
        is_decimal = with_comma.str.fullmatch(COMMA_DECIMAL)
        is_thousands = with_comma.str.fullmatch(COMMA_THOUSANDS)
        if not (is_decimal | is_thousands).any():
            return plain  # words
        mark = self.marks.get(name)
        if mark is None and is_decimal.all() and is_thousands.all():
            raise ValueError(
                f"column {describe(name)} holds {list_labels(with_comma.iloc[:1])}, in which the "
                "comma may be a decimal mark or one of thousands: add --decimal , or --decimal ."
            )
        if mark is None:
            mark = "," if is_decimal.sum() >= is_thousands.sum() else "."
        if mark == "," and plain.notna().any():
            points = text[plain.notna()]
            points = points[points.str.contains(".", regex=False)]
            if len(points):
                raise ValueError(
                    f"column {describe(name)} mixes decimal commas and points: "
                    f"{describe(with_comma.iloc[0])} and {describe(points.iloc[0])}; add "
                    "--decimal , or --decimal . to say which are decimal."
                )
        return self._marked(text, mark, name)

    def _marked(self, text: pd.Series, mark: str, name: Any) -> pd.Series:
        """Convert numbers with a known decimal mark."""
        has_comma = text.str.contains(",", regex=False)
        if mark == ",":
            fits = text.str.fullmatch(COMMA_DECIMAL)
            plain = text.str.replace(".", "", regex=False).str.replace(",", ".", regex=False)
        else:
            fits = ~has_comma | text.str.fullmatch(COMMA_THOUSANDS)
            plain = text.str.replace(",", "", regex=False)
        numbers = pd.to_numeric(plain.where(fits.astype(bool)), errors="coerce")
        if has_comma.any() and numbers[has_comma].notna().any():
            self.marks[name] = mark
        return numbers
