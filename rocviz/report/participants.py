"""The table of participants by outcome, as a paper's table 1."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from rocviz.core.base.validation import Floats
from rocviz.report.section import Section, Table, join
from rocviz.words import amount, percent, plain

MAX_CATEGORIES = 12  # rows of a column of words; rarer categories are joined
MAX_SKEWNESS = 1.0  # beyond it numbers are described by their median
MAX_REPEATED_ROWS = 5_000_000
QUARTILES = {"lower_quartile": 0.25, "median": 0.5, "upper_quartile": 0.75}
#: What the rows of a number or a category hold, by their kind.
WORDS_OF_KINDS = {"mean": "mean (SD)", "median": "median (quartiles)", "missing": "missing"}


def participants_section(
    table: pd.DataFrame,
    outcome: NDArray[np.intp],
    names: Sequence[str],
    weight: Floats | None = None,
) -> Section:
    """Describe the samples of each outcome.

    Parameters
    ----------
    table : pandas.DataFrame, shape (n_samples, n_columns)
    outcome : ndarray of int, shape (n_samples,)
        The number of each sample's outcome.
    names : sequence of str
        Names of the outcomes.
    weight : ndarray of float, shape (n_samples,), optional
        How often each sample is repeated.
    """
    notes = []
    if weight is not None:
        is_whole = bool((weight == np.round(weight)).all())
        if is_whole and weight.sum() <= MAX_REPEATED_ROWS:
            repeated = np.repeat(np.arange(len(table)), weight.astype(int))
            table = table.iloc[repeated].reset_index(drop=True)
            outcome = outcome[repeated]
        else:
            notes = ["Weights are not whole numbers of repetitions, so that rows are counted here."]
    masks = {name: outcome == k for k, name in enumerate(names)}
    everybody = "all"
    while everybody in masks:
        everybody += " samples"
    masks[everybody] = np.ones(len(table), dtype=np.bool_)
    rows: list[dict[str, Any]] = []
    for column in table.columns:
        values = table[column]
        describe_column = _numbers if _is_quantity(values) else _categories
        rows += describe_column(str(column), values, masks)
    frame = pd.DataFrame(rows)
    columns = {f"outcome_{k}": name for k, name in enumerate(masks)}
    on_page = []
    of_row = ["variable", "kind", "category"]
    for (variable, kind, category), part in frame.groupby(of_row, sort=False):
        shown = {"variable": variable, "what": WORDS_OF_KINDS.get(kind, category)}
        by_outcome = part.set_index("outcome")
        for key, name in columns.items():
            shown[key] = _cell(by_outcome.loc[name])
        on_page.append(shown)
    headings = {"variable": "", "what": ""}
    for key, name in columns.items():
        headings[key] = f"{name} ({amount(int(masks[name].sum()))})"
    gaps = int(table.isna().to_numpy().any(axis=1).sum())
    text = "Every sample has a value in each column."
    if gaps:
        with_gaps = [str(column) for column in table.columns if table[column].isna().any()]
        text = (
            f"Of {amount(len(table))} samples {amount(gaps)} lack a value in {join(with_gaps)}; "
            "percentages are of those that have one."
        )
    skewed = frame.loc[frame["kind"] == "median", "variable"].unique().tolist()
    if skewed:
        notes.append(
            f"Numbers are described by mean (standard deviation), those of {join(skewed)}, whose "
            f"skewness is beyond {MAX_SKEWNESS:g}, by median (lower to upper quartile)."
        )
    return Section(
        "Participants",
        [text],
        [
            Table(
                "participants",
                "Samples by outcome",
                frame,
                headings,
                is_words=True,
                on_page=pd.DataFrame(on_page),
            )
        ],
        notes=notes,
        is_appendix=True,
    )


def _is_quantity(values: pd.Series) -> bool:
    """Whether a column holds numbers that are more than labels of two kinds."""
    if is_bool_dtype(values) or not is_numeric_dtype(values):
        return False
    return values.nunique() > 2


def _numbers(column: str, values: pd.Series, masks: dict[str, Any]) -> list[dict[str, Any]]:
    """Describe numbers by outcome."""
    values = values.astype(float).replace([np.inf, -np.inf], np.nan)
    is_skewed = abs(values.skew()) > MAX_SKEWNESS
    rows = []
    for name, is_member in masks.items():
        part = values[is_member]
        row = _row(column, "median" if is_skewed else "mean", "", name, int(part.count()))
        row |= {"mean": part.mean(), "sd": part.std()}
        row |= {key: part.quantile(share) for key, share in QUARTILES.items()}
        rows.append(row)
    return rows + _missing(column, values, masks)


def _categories(column: str, values: pd.Series, masks: dict[str, Any]) -> list[dict[str, Any]]:
    """Count categories by outcome; rare ones are joined."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        order = [str(name) for name in values.cat.categories]
    else:
        order = [str(name) for name in sorted(values.dropna().unique(), key=_sort_key)]
    texts = values.map(str, na_action="ignore").astype(object)
    counts = texts.value_counts()
    order = [name for name in dict.fromkeys(order) if name in counts.index]
    if len(order) > MAX_CATEGORIES:
        frequent = set(counts.index[: MAX_CATEGORIES - 1])
        n_others = len(order) - len(frequent)
        others = f"{n_others:,} others"
        texts = texts.where(texts.isin(list(frequent)) | texts.isna(), others)
        order = [*(name for name in order if name in frequent), others]
    rows = []
    for category in order:
        for name, is_member in masks.items():
            part = texts[is_member]
            n_present = int(part.count())
            n = int((part == category).sum())
            share = n / n_present if n_present else np.nan
            rows.append(_row(column, "category", category, name, n) | {"share": share})
    return rows + _missing(column, values, masks)


def _sort_key(value: Any) -> tuple[bool, Any]:
    """Sort numbers by value, before words."""
    is_number = isinstance(value, int | float | np.number)
    return (not is_number, float(value) if is_number else str(value))


def _missing(column: str, values: pd.Series, masks: dict[str, Any]) -> list[dict[str, Any]]:
    """Count the samples without a value, if there are some."""
    if not values.isna().any():
        return []
    rows = []
    for name, is_member in masks.items():
        part = values[is_member]
        n = int(part.isna().sum())
        share = n / len(part) if len(part) else np.nan
        rows.append(_row(column, "missing", "", name, n) | {"share": share})
    return rows


def _row(variable: str, kind: str, category: str, outcome: str, n: int) -> dict[str, Any]:
    """Make a row of the table of unrounded numbers."""
    row: dict[str, Any] = {"variable": variable, "kind": kind, "category": category}
    row |= {"outcome": outcome, "n": n}
    return row | dict.fromkeys(("share", "mean", "sd", *QUARTILES), np.nan)


def _cell(row: pd.Series) -> str:
    """Write a count with its percentage, or a mean or median with its spread."""
    if row["kind"] == "mean":
        return f"{_short(row['mean'])} ({_short(row['sd'])})"
    if row["kind"] == "median":
        ends = f"{_short(row['lower_quartile'])} to {_short(row['upper_quartile'])}"
        return f"{_short(row['median'])} ({ends})"
    share = f" ({percent(row['share'], 1)})" if isfinite(row["share"]) else ""
    return f"{amount(row['n'])}{share}"


def _short(value: float) -> str:
    """Write a number with three or more significant digits."""
    if not isfinite(value):
        return "–"
    digits = 3 if value == 0 else max(3 - int(np.floor(np.log10(abs(value)))) - 1, 0)
    return plain(round(value, digits)).replace("-", "−")
