"""The result of an experiment, a table, and its settings: size and data."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from tqdm import tqdm


@dataclass(frozen=True)
class Table:
    """Cells of text: a name, a line of column names, and rows of as many cells."""

    name: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]

    def __post_init__(self) -> None:
        assert all(len(row) == len(self.columns) for row in self.rows), self.name

    def write(self, folder: Path) -> None:
        """Write ``<name>.csv``, as the docs include it."""
        with (folder / f"{self.name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([self.columns, *self.rows])

    def __str__(self) -> str:
        lines = [self.columns, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        text = [self.name]
        for line in lines:
            cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
            text.append("  ".join(cells).rstrip())
        return "\n".join(text)


@dataclass(frozen=True)
class Run:
    """Settings of an experiment.

    ``quick`` cuts repetitions to a few, which is enough to see that everything works and not
    for any conclusion. ``data`` is a folder with copies of data sets that are not shipped.
    """

    quick: bool = False
    data: Path | None = None
    n_jobs: int = 1

    def times(self, repetitions: int) -> int:
        return 2 if self.quick else repetitions

    def map(self, function: Callable[[Any], Any], items: Iterable[Any], what: str) -> list[Any]:
        """Call a function on each item, on every core, with a progress bar."""
        items = list(items)
        calls = (delayed(function)(item) for item in items)
        results = Parallel(self.n_jobs, return_as="generator")(calls)
        return list(tqdm(results, total=len(items), desc=what, mininterval=0.5))


def standard_error(values, axis=0):
    """Compute the standard error of the mean of repetitions."""
    values = np.asarray(values, dtype=float)
    return values.std(axis=axis, ddof=1) / np.sqrt(values.shape[axis])


def number(value, digits=3):
    """Write a number in the form of the docs: .5, 1.5, −.5, and no minus before zero."""
    text = f"{abs(value):.{digits}f}"
    sign = "−" if value < 0 and float(text) else ""
    return sign + text.removeprefix("0")


def mean_and_error(values, digits=3):
    """Write mean and standard error of repetitions as text."""
    return f"{number(np.mean(values), digits)} ± {number(standard_error(values), digits)}"
