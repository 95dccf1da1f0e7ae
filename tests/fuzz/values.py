"""Hostile values, as they come from bad files and careless code.

Each use gets a fresh value, since generators run out and arrays can be changed.
"""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl

NAN, INF = float("nan"), float("inf")


class OwnError(Exception):
    """Raised by a hostile value itself, so that it may go on to the caller."""


class Shouting:
    """An object on which every operation raises."""

    def __repr__(self):
        raise OwnError

    def __eq__(self, other):
        raise OwnError

    __hash__ = None


def read_only(values):
    """Make a read-only array."""
    array = np.array(values)
    array.flags.writeable = False
    return array


#: Of twelve samples, as the well-meant arguments have: what is wrong is within, not the length.
TWELVE = np.arange(12.0)

VALUES = {
    # numbers
    "zero": lambda: 0,
    "negative zero": lambda: -0.0,
    "one": lambda: 1,
    "minus one": lambda: -1,
    "half": lambda: 0.5,
    "true": lambda: True,
    "NumPy false": lambda: np.False_,
    "NaN": lambda: NAN,
    "infinity": lambda: INF,
    "minus infinity": lambda: -INF,
    "NumPy NaN": lambda: np.float64(NAN),
    "smallest denormal": lambda: 5e-324,
    "tiny": lambda: 1e-300,
    "huge": lambda: 1e308,
    "minus huge": lambda: -1e308,
    "next to one": lambda: 1 - 2**-53,
    "10**400": lambda: 10**400,
    "-10**400": lambda: -(10**400),
    "2**53 + 1": lambda: 2**53 + 1,
    "2**63": lambda: 2**63,
    "2**31": lambda: 2**31,
    "10**5000": lambda: 10**5000,
    "a half, exact": lambda: Fraction(1, 2),
    "fraction beyond floats": lambda: Fraction(10**400, 3),
    "decimal": lambda: Decimal("0.5"),
    "decimal NaN": lambda: Decimal("NaN"),
    "complex": lambda: 1 + 2j,
    "float16": lambda: np.float16(0.5),
    "int8": lambda: np.int8(1),
    "date": lambda: np.datetime64("2020-01-01"),
    "no time": lambda: np.datetime64("NaT"),
    "array of no dimension": lambda: np.array(0.5),
    # words
    "empty text": lambda: "",
    "text": lambda: "x",
    "number as text": lambda: "0.5",
    "NUL": lambda: "a\0b",
    "lone surrogate": lambda: "\ud800",
    "mark-up": lambda: "<img src=x onerror=alert(1)>",
    "long text": lambda: "x" * 10_000,
    "bytes": lambda: b"x",
    "NumPy text": lambda: np.str_("x"),
    # nothing
    "None": lambda: None,
    "ellipsis": lambda: ...,
    "NA": lambda: pd.NA,
    "not implemented": lambda: NotImplemented,
    # containers
    "empty list": list,
    "empty tuple": tuple,
    "empty mapping": dict,
    "empty set": set,
    "empty array": lambda: np.array([]),
    "empty table": lambda: np.empty((0, 2)),
    "table without columns": lambda: np.empty((12, 0)),
    "list of nothing": lambda: [None],
    "list in a list": lambda: [[]],
    "ragged": lambda: [[1], [2, 3]],
    "ragged twelve": lambda: [[1]] * 11 + [[1, 2]],
    "set": lambda: {0, 1},
    "mapping": lambda: {"a": 1},
    "mapping of arrays": lambda: {"a": TWELVE.copy(), "b": TWELVE.copy()},
    "mapping by long words": lambda: {name * 10_000: TWELVE.copy() for name in "ab"},
    "mapping by numbers": lambda: {0: [1], 1: [NAN]},
    "generator": lambda: (i for i in range(12)),
    "range": lambda: range(12),
    "list of one": lambda: [1],
    "list of three": lambda: [1, 2, 3],
    "words": lambda: ["a", "b"],
    "long words": lambda: ["a" * 10_000, "b" * 10_000],
    "very many": lambda: list(range(5_000)),
    "twelve": lambda: TWELVE.copy(),
    "twelve, read only": lambda: read_only(TWELVE),
    "twelve backwards": lambda: TWELVE[::-1],
    "twelve, all the same": lambda: np.ones(12),
    "twelve zeros": lambda: np.zeros(12, dtype=int),
    "twelve, one NaN": lambda: np.r_[TWELVE[:-1], NAN],
    "twelve, all NaN": lambda: np.full(12, NAN),
    "twelve, one infinite": lambda: np.r_[TWELVE[:-1], -INF],
    "twelve huge": lambda: np.r_[TWELVE[:6], -1e308, 1e308, -1e308, 1e308, 1e307, -1e307],
    "twelve denormal": lambda: TWELVE * 5e-324,
    "twelve tiny and one": lambda: np.r_[TWELVE[:-1] * 1e-300, 1.0],
    "twelve negative": lambda: -TWELVE,
    "twelve beyond floats": lambda: [10**400] * 6 + [1] * 6,
    "twelve unlike as integers": lambda: np.arange(12) + 2**60,
    "twelve complex": lambda: TWELVE + 1j,
    "twelve texts": lambda: [str(i) for i in range(12)],
    "twelve words": lambda: ["a", "b"] * 6,
    "twelve long words": lambda: ["a" * 10_000, "b" * 10_000] * 6,
    "twelve words, one missing": lambda: ["a", "b"] * 5 + ["a", None],
    "twelve objects": lambda: np.array([object()] * 12, dtype=object),
    "twelve bools": lambda: np.array([True, False] * 6),
    "twelve unsigned": lambda: np.arange(12, dtype=np.uint8),
    "twelve half precision": lambda: TWELVE.astype(np.float16),
    "twelve long doubles": lambda: TWELVE.astype(np.longdouble),
    "twelve masked": lambda: np.ma.array(TWELVE, mask=[0] * 11 + [1]),
    "twelve, mask of nothing": lambda: np.ma.array(TWELVE, mask=False),
    "twelve dates": lambda: np.array(["2020-01-01"] * 12, dtype="datetime64[D]"),
    "twelve records": lambda: np.zeros(12, dtype=[("a", float), ("b", int)]),
    "column of twelve": lambda: TWELVE[:, None],
    "row of twelve": lambda: TWELVE[None, :],
    "table of twelve": lambda: np.column_stack((TWELVE, -TWELVE)),
    "table of twelve bits": lambda: np.column_stack((TWELVE % 2, TWELVE > 5)).astype(int),
    "table with NaN": lambda: np.full((12, 2), NAN),
    "three dimensions": lambda: np.zeros((2, 3, 2)),
    "pandas series": lambda: pd.Series(TWELVE, index=range(100, 112)),
    "pandas series with NA": lambda: pd.Series([1, 0] * 5 + [1, pd.NA], dtype="Int64"),
    "pandas categories": lambda: pd.Series(["a", "b"] * 6, dtype="category"),
    "frame of long names": lambda: pd.DataFrame({name * 10_000: TWELVE for name in "ab"}),
    "pandas frame": lambda: pd.DataFrame({"a": TWELVE, "b": ["x", "y"] * 6}),
    "polars series": lambda: pl.Series(TWELVE),
    "polars frame": lambda: pl.DataFrame({"a": TWELVE, "b": ["x", "y"] * 6}),
    # objects
    "object": object,
    "class": lambda: float,
    "function": lambda: len,
    "function that fails": lambda: lambda *_, **__: 1 / 0,
    "object that shouts": Shouting,
}
