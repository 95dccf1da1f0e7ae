"""From rows of features to total scores: answers to questions, their points, what can be reached.

Knows scores, thresholds and tables; nothing of probabilities.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.blocks import weight_by_cell
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Weights,
    as_array,
    check_labels,
    check_numbers,
    check_weights,
)

Ints = NDArray[np.int64]
Answers = NDArray[np.int8]

MISSING = ("error", "zero", "score")

# More reachable totals than this no card can print and no table needs; nor so many of all stages.
_MOST_TOTALS = 100_000
_MOST_OF_ALL = 10_000_000


def reachable_totals(
    scores: Ints, thresholds: Floats, missing_scores: Ints, missing: str
) -> Iterator[Ints]:
    """Yield every total that the first k scores can add up to, for k = 0, 1, ...

    Each in decreasing order. A question that is always (never) answered yes has one outcome.
    """
    totals, of_all = {0}, 1
    yield np.array([0], dtype=np.int64)
    for stage, (score, threshold, unknown) in enumerate(
        zip(scores.tolist(), thresholds.tolist(), missing_scores.tolist(), strict=True), 1
    ):
        points = {0, score}
        if np.isinf(threshold):
            points = {score} if threshold < 0 else {0}
        if missing != "error":
            points.add(unknown)
        totals = {total + point for total in totals for point in points}
        of_all += len(totals)
        if len(totals) > _MOST_TOTALS:
            raise ValueError(
                f"scores can add up to more than {_MOST_TOTALS} different totals by stage "
                f"{stage}; use scores of fewer sizes."
            )
        if of_all > _MOST_OF_ALL:
            raise ValueError(
                f"scores can add up to more than {_MOST_OF_ALL} totals in the first {stage} "
                "stages together; use fewer scores."
            )
        yield np.array(sorted(totals, reverse=True), dtype=np.int64)


def check_rows(X: ArrayLike, features: Ints) -> NDArray[Any]:
    """Return a two-dimensional array of numbers that has all columns of ``features``."""
    table = as_array(X, "X", "numbers")
    if table.dtype.kind not in "biuf":
        table = check_numbers(X, "X", "numbers, NaN where a value is missing")
    if table.ndim != 2:
        raise ValueError(
            f"X must be two-dimensional, one row per sample; got shape {table.shape}. "
            "A single row is X.reshape(1, -1)."
        )
    needed = int(features.max()) + 1 if features.size else 0
    if table.shape[1] < needed:
        raise ValueError(
            f"X must have at least {needed} columns, since the list asks for column "
            f"{needed - 1}; got {table.shape[1]}."
        )
    return table


def answer(column: NDArray[Any], threshold: float, missing: str, name: str) -> Answers:
    """Return 1 where a feature says yes, 0 where no, -1 where its value is missing."""
    unknown = np.isnan(column) if column.dtype.kind == "f" else None
    if unknown is not None and unknown.any() and missing == "error":
        raise ValueError(
            f"X has {int(unknown.sum())} missing values of {name}; a list made with "
            "missing='zero' or missing='score' takes them."
        )
    if np.isnan(threshold):
        yes = column == 1
        wrong = ~(yes | (column == 0))
        if unknown is not None:
            wrong &= ~unknown
        if wrong.any():
            value = column[wrong][0]
            raise ValueError(
                f"{name} has no threshold, so X must hold 0 or 1 there; found {value:.6g}."
            )
    else:
        if column.dtype.kind == "f" and np.isinf(column).any():
            raise ValueError(f"X must be finite or NaN; {name} holds infinite values.")
        yes = column > threshold
    answers: Answers = yes.astype(np.int8)
    if unknown is not None:
        answers[unknown] = -1
    return answers


def points(answers: Answers, score: int, missing_score: int) -> Ints:
    """Return what each answer adds to the total."""
    # index -1, a missing value, is the last entry
    return np.array([0, score, missing_score], dtype=np.int64)[answers]


def check_positive(y: ArrayLike, pos_label: Any = None) -> Bools:
    """Return which samples are positive; 0 and 1, or booleans, may be of one class only."""
    labels = as_array(y, "y", "one label per sample")
    if pos_label is None and labels.ndim == 1 and labels.size and labels.dtype.kind in "biuf":
        positive = labels == 1
        if (positive | (labels == 0)).all():
            return np.asarray(positive, dtype=np.bool_)
    return check_labels(y, pos_label, "y")


def check_rows_and_labels(
    X: ArrayLike, y: ArrayLike, features: Ints, sample_weight: Weights, pos_label: Any
) -> tuple[NDArray[Any], Bools, Floats | None]:
    """Return a table of numbers, which rows are positive, and their weights."""
    table = check_rows(X, features)
    positive = check_positive(y, pos_label)
    if table.shape[0] != positive.size:
        raise ValueError(
            f"X and y must have the same length; got {table.shape[0]} rows and "
            f"{positive.size} labels."
        )
    return table, positive, check_weights(sample_weight, positive.size)


def count_totals(
    totals: Ints, reachable: Ints, positive: Bools, weight: Floats | None
) -> tuple[Floats, Floats]:
    """Return the weight of positives and of negatives that have each reachable total."""
    # one cell per total that can be reached, however far apart they are
    cell = 2 * np.searchsorted(reachable[::-1], totals) + positive
    by_class = weight_by_cell(cell, weight, 2 * reachable.size).reshape(-1, 2)[::-1]
    return by_class[:, 1].copy(), by_class[:, 0].copy()
