"""The questions of a scoring list, and the total scores of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.blocks import weight_by_cell
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.naming import name_texts, threshold_text
from rocviz.core.base.validation import (
    MAX_EXACT_INTEGER,
    Bools,
    Floats,
    Weights,
    as_array,
    check_aligned,
    check_choice,
    check_integer,
    check_labels,
    check_numbers,
    check_vector,
    check_weights,
    describe,
)

Ints = NDArray[np.int64]
Answers = NDArray[np.int8]

# Reachable totals of all stages together: no card or table needs more.
_MAX_TOTALS = 1_000_000


@dataclass(frozen=True, eq=False, repr=False)
class ListQuestions(Frozen):
    """Features in a fixed order with thresholds and scores; computes the totals of rows."""

    features: Ints
    scores: Ints
    thresholds: Floats
    missing_scores: Ints
    feature_names: Sequence[str]
    missing: str

    def __post_init__(self) -> None:
        check_choice(self.missing, "missing", ("error", "zero", "score"))
        columns = {
            "scores": _check_whole_numbers(self.scores, "scores"),
            "features": _check_whole_numbers(self.features, "features"),
            "thresholds": check_numbers(self.thresholds, "thresholds"),
            "missing_scores": _check_whole_numbers(self.missing_scores, "missing_scores"),
        }
        features = columns["features"]
        if features.size and features.min() < 0:
            raise ValueError(f"features must be columns, counted from 0; got {features.min()}.")
        n_scores = columns["scores"].size
        for name, values in columns.items():
            if values.shape != (n_scores,):
                raise ValueError(
                    f"{name} must have one entry per score; got shape {values.shape} for "
                    f"{n_scores} scores."
                )
            object.__setattr__(self, name, values)
        missing_scores = columns["missing_scores"]
        if self.missing != "score" and missing_scores.any():
            raise ValueError(
                "missing_scores must be zero unless missing='score'; got "
                f"{describe(missing_scores.tolist())} with missing={describe(self.missing)}."
            )
        names: Any = self.feature_names
        if isinstance(names, np.ndarray):
            names = names.tolist()
        is_list = isinstance(names, Sequence) and not isinstance(names, str)
        if not is_list or len(names) != n_scores:
            raise ValueError(
                f"feature_names must have one name per feature, in list order; got "
                f"{describe(names)} for {n_scores} features."
            )
        object.__setattr__(self, "feature_names", tuple(name_texts(names, "feature_names")))
        super().__post_init__()

    def _question_fields(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(ListQuestions)}

    def __len__(self) -> int:
        return int(self.features.size)

    def stage_number(self, stage: int) -> int:
        """Convert the index of a stage, which may be negative, to 0 to K.

        Parameters
        ----------
        stage : int
            From -K - 1 to K; negative ones count from the end.

        Raises
        ------
        ValueError
            If the list has no such stage.
        """
        size = len(self)
        number = check_integer(stage, "stage", -size - 1, size)
        return number + size + 1 if number < 0 else number

    def reachable_totals(self) -> list[Ints]:
        """List the totals that can occur at each stage, in decreasing order.

        Returns
        -------
        list of ndarray of int, shape (n_totals,)
            One for each stage, from stage 0 on.
        """
        return list(self._totals())

    def _totals(self) -> Iterator[Ints]:
        """Yield the totals stage by stage, so that invalid data are refused early."""
        totals = {0}
        n_totals = 1
        yield np.array([0], dtype=np.int64)
        questions = zip(
            self.scores.tolist(),
            self.thresholds.tolist(),
            self.missing_scores.tolist(),
            strict=True,
        )
        for stage, (score, threshold, missing_score) in enumerate(questions, 1):
            points = {0, score}
            if np.isinf(threshold):  # always or never answered yes
                points = {score} if threshold < 0 else {0}
            if self.missing != "error":
                points.add(missing_score)
            before = totals
            totals = set()
            for point in points:
                totals |= {total + point for total in before}
            n_totals += len(totals)
            if n_totals > _MAX_TOTALS:
                raise ValueError(
                    f"scores can add up to more than {_MAX_TOTALS} totals in the first {stage} "
                    "stages together; use fewer different scores."
                )
            yield np.array(sorted(totals, reverse=True), dtype=np.int64)

    def questions(self) -> tuple[str, ...]:
        """Write each question in words: the feature, with its threshold if it has one.

        Returns
        -------
        tuple of str, length K
            In list order, for example ``"glucose > 96.5"``.
        """
        texts = []
        for name, threshold in zip(self.feature_names, self.thresholds.tolist(), strict=True):
            if np.isnan(threshold):
                texts.append(name)
            elif np.isinf(threshold):
                texts.append(f"{name} ({'always' if threshold < 0 else 'never'})")
            else:
                number = threshold_text(threshold, 4).replace("-", "−")
                texts.append(f"{name} > {number}")
        return tuple(texts)

    # ------------------------------------------------------------------ rows

    def binarize(self, X: ArrayLike) -> Answers:
        """Answer all questions, in list order.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_columns)

        Returns
        -------
        ndarray of int8, shape (n_samples, K)
            1 is yes, 0 no, -1 a missing value.

        Raises
        ------
        ValueError
            If a value is infinite, missing where that is an error, or neither 0 nor 1 where
            there is no threshold.
        """
        table = self._check_rows(X)
        answers = np.empty((len(table), len(self)), dtype=np.int8)
        for k in range(len(self)):
            answers[:, k] = self._answers(table, k)
        return answers

    def total_scores(self, X: ArrayLike, stage: int = -1) -> Ints:
        """Add up the total score of each row at a stage.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_columns)
            Only the columns asked by then are read.
        stage : int, default=-1
            From 0 (nothing asked) to K; negative numbers count from the end.

        Returns
        -------
        ndarray of int, shape (n_samples,)

        Raises
        ------
        ValueError
            If a column is missing, or holds other values than 0 and 1.
        """
        table = self._check_rows(X)
        total = np.zeros(len(table), dtype=np.int64)
        for k in range(self.stage_number(stage)):
            total += self._points(table, k)
        return total

    def count(
        self, X: ArrayLike, y: ArrayLike, *, sample_weight: Weights = None, pos_label: Any = None
    ) -> list[tuple[Floats, Floats]]:
        """Count the positives and negatives of some data with each of the stages' totals.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_columns)
        y : array-like, shape (n_samples,)
            Labels. 0 and 1 (or booleans) may be of one class only; others are two classes.
        sample_weight : array-like of float, shape (n_samples,), optional
        pos_label : label, optional
            The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.

        Returns
        -------
        list of (pos, neg)
            For each of the K + 1 stages, weights of shape (n_totals,).

        Raises
        ------
        ValueError
            If a column is missing or not of 0 and 1, or labels do not match the rows.
        """
        table, positive, weight = check_data(self, X, y, sample_weight, pos_label)
        total = np.zeros(len(table), dtype=np.int64)
        counts = []
        for k, reachable in enumerate(self.reachable_totals()):
            if k:
                total += self._points(table, k - 1)
            # one cell per reachable total, however far apart these are
            cell = 2 * np.searchsorted(reachable[::-1], total) + positive
            by_class = weight_by_cell(cell, weight, 2 * reachable.size).reshape(-1, 2)[::-1]
            counts.append((by_class[:, 1].copy(), by_class[:, 0].copy()))
        return counts

    def _check_rows(self, X: ArrayLike) -> NDArray[Any]:
        """Check a table of numbers with all columns of the list's questions."""
        table = as_array(X, "X", "numbers")
        if table.dtype.kind not in "biuf":
            table = check_numbers(X, "X", "numbers, NaN where a value is missing")
        if table.ndim != 2:
            raise ValueError(
                f"X must be two-dimensional, one row per sample; got shape {table.shape}. "
                "A single row is X.reshape(1, -1)."
            )
        needed = int(self.features.max(initial=-1)) + 1
        if table.shape[1] < needed:
            raise ValueError(
                f"X must have at least {needed} columns, since the list asks for column "
                f"{needed - 1}; got {table.shape[1]}."
            )
        return table

    def _answers(self, table: NDArray[Any], k: int, rows: Any = slice(None)) -> Answers:
        """Answer question k for some rows of a checked table: 1, 0, or -1 where missing."""
        column = table[rows, self.features[k]]
        name = self.feature_names[k]
        threshold = float(self.thresholds[k])
        is_missing = np.zeros(column.shape, dtype=np.bool_)
        if column.dtype.kind == "f":
            is_missing = np.isnan(column)
        if self.missing == "error" and is_missing.any():
            raise ValueError(
                f"X has {int(is_missing.sum())} missing values of {name}; only a list learned with "
                "missing='zero' or missing='score' accepts them."
            )
        if np.isnan(threshold):
            yes = column == 1
            other = ~(yes | (column == 0) | is_missing)
            if other.any():
                raise ValueError(
                    f"{name} has no threshold, so X must hold 0 or 1 there; "
                    f"found {column[other][0]:.6g}."
                )
        else:
            if column.dtype.kind == "f" and np.isinf(column).any():
                raise ValueError(f"X must be finite or NaN; {name} holds infinite values.")
            yes = column > threshold
        answers: Answers = yes.astype(np.int8)
        answers[is_missing] = -1
        return answers

    def _points(self, table: NDArray[Any], k: int, rows: Any = slice(None)) -> Ints:
        """Find the points that the answers to question k add to the totals."""
        # index -1, for missing values, is the last entry
        points = np.array([0, self.scores[k], self.missing_scores[k]], dtype=np.int64)
        return points[self._answers(table, k, rows)]


def make_questions(
    scores: Any,
    *,
    features: ArrayLike | None = None,
    thresholds: Any = None,
    missing_scores: Any = None,
    feature_names: Sequence[str] | None = None,
    missing: str = "error",
) -> ListQuestions:
    """Make questions; columns left out get their defaults."""
    size = _check_whole_numbers(scores, "scores").size
    columns: Any = np.arange(size)
    if features is not None:
        columns = _check_whole_numbers(features, "features")
    if feature_names is None:
        feature_names = [f"x{column}" for column in columns]
    return ListQuestions(
        features=columns,
        scores=scores,
        thresholds=np.full(size, np.nan) if thresholds is None else thresholds,
        missing_scores=np.zeros(size, int) if missing_scores is None else missing_scores,
        feature_names=feature_names,
        missing=missing,
    )


def check_data(
    questions: ListQuestions, X: ArrayLike, y: ArrayLike, sample_weight: Weights, pos_label: Any
) -> tuple[NDArray[Any], Bools, Floats | None]:
    """Check a table of numbers, mark the positive rows, and check their weights."""
    check_aligned(X=X, y=y, sample_weight=sample_weight)
    table = questions._check_rows(X)
    positive = check_positive(y, pos_label)
    if table.shape[0] != positive.size:
        raise ValueError(
            f"X and y must have the same length; got {table.shape[0]} rows and "
            f"{positive.size} labels."
        )
    return table, positive, check_weights(sample_weight, positive.size)


def check_positive(y: ArrayLike, pos_label: Any = None) -> Bools:
    """Mark the positive samples; 0 and 1, or booleans, may be of one class only."""
    labels = as_array(y, "y", "one label per sample")
    if pos_label is None and labels.ndim == 1 and labels.size and labels.dtype.kind in "biuf":
        positive = labels == 1
        if (positive | (labels == 0)).all():
            return np.asarray(positive, dtype=np.bool_)
    return check_labels(y, pos_label, "y")


def _check_whole_numbers(values: ArrayLike, name: str) -> Any:
    """Check whole numbers; there may be none."""
    numbers = check_vector(values, name)
    if np.abs(numbers).max(initial=0) > MAX_EXACT_INTEGER:
        raise ValueError(f"{name} must be at most 2**53 in size; got {np.abs(numbers).max():.6g}.")
    is_fraction = numbers != np.round(numbers)
    if is_fraction.any():
        raise ValueError(f"{name} must be whole numbers; got {numbers[is_fraction][0]:.6g}.")
    return numbers.astype(np.int64)


def list_numbers(numbers: Sequence[Any]) -> str:
    """Write a few numbers for a message."""
    parts = [f"{number}" for number in numbers]
    if len(parts) > 12:
        parts = [*parts[:11], "..."]
    return ", ".join(parts)
