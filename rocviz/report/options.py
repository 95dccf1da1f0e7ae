"""Arguments of a report that are the same for two classes and for more, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from rocviz.core.base.naming import by_name, name_texts
from rocviz.core.base.validation import (
    Bools,
    check_aligned,
    check_choice,
    check_fraction,
    check_iterable,
    describe,
)

#: Rates of which one can be fixed, and the other is then reported.
FIXED_RATES = ("sensitivity", "specificity")


class FixedAt(NamedTuple):
    """A rate at which the other one of sensitivity and specificity is reported."""

    rate: str
    value: float


def check_fixed_rates(at: Any) -> tuple[FixedAt, ...]:
    """Check for a mapping of "sensitivity" or "specificity" to one value or several."""
    if at is None:
        return ()
    if not isinstance(at, Mapping):
        raise ValueError(
            'at must be a mapping such as {"specificity": 0.9} or {"specificity": [0.9, 0.95]}; '
            f"got {describe(at)}."
        )
    fixed = []
    for rate, values in at.items():
        check_choice(rate, "a key of at", FIXED_RATES)
        argument = f"at[{describe(rate)}]"
        if isinstance(values, str) or np.ndim(values) == 0:
            values = [values]
        check_iterable(values, argument, "numbers")
        fixed += [FixedAt(rate, check_fraction(value, argument)) for value in values]
    return tuple(dict.fromkeys(fixed))


def parse_fixed_rates(texts: Iterable[str]) -> dict[str, list[float]]:
    """Parse what was written after ``--at``, such as ``specificity=.9``."""
    at: dict[str, list[float]] = {}
    for text in texts:
        rate, _, written = text.partition("=")
        rate = rate.strip().lower()
        try:
            value = check_fraction(float(written), "the rate")
        except ValueError:
            value = float("nan")
        if rate not in FIXED_RATES or not 0 < value < 1:
            raise ValueError(
                f"--at must be sensitivity= or specificity= and a number between 0 and 1, such as "
                f"--at specificity=.9; got {describe(text)}."
            )
        at.setdefault(rate, []).append(value)
    return at


def check_participants(table: Any, n_samples: int, y_true: Any = None) -> pd.DataFrame | None:
    """Check for columns that describe the samples, with a value or none for each."""
    if table is None:
        return None
    columns = by_name(table)
    if not isinstance(columns, Mapping):
        raise ValueError(
            "describe must be a data frame or a mapping of names to columns; got "
            f"{describe(table)}."
        )
    names = name_texts(columns, "describe")
    if not names:
        raise ValueError("describe has no columns.")
    if y_true is not None:
        check_aligned(y_true=y_true, describe=table)
    checked = {}
    for name, values in zip(names, columns.values(), strict=True):
        if isinstance(values, Mapping | str) or np.ndim(values) != 1:
            raise ValueError(f"describe[{describe(name)}] must have one value per sample.")
        column = pd.Series(values)
        if len(column) != n_samples:
            raise ValueError(
                f"describe[{describe(name)}] must have one entry per sample; got {len(column)} for "
                f"{n_samples} labels."
            )
        checked[name] = column.reset_index(drop=True)
    return pd.DataFrame(checked)


def described_rows(table: pd.DataFrame | None, chosen: Bools) -> pd.DataFrame | None:
    """Keep the chosen samples of the columns that describe them."""
    return None if table is None else table[chosen].reset_index(drop=True)
