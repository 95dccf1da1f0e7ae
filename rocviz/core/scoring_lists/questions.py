"""The questions of a scoring list: which features in which order, and the points of a yes.

Knows totals of rows; nothing of probabilities.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.exactness import LARGEST_EXACT
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.naming import cut_text, name_texts
from rocviz.core.base.validation import (
    Floats,
    Weights,
    as_array,
    check_choice,
    check_integer,
    check_numbers,
    check_vector,
    describe,
)
from rocviz.core.scoring_lists.totals import (
    MISSING,
    Answers,
    Ints,
    answer,
    check_rows,
    check_rows_and_labels,
    count_totals,
    points,
    reachable_totals,
)


@dataclass(frozen=True, eq=False, repr=False)
class ListQuestions(Frozen):
    """Features in a fixed order, their thresholds and scores; what rows answer and add up to."""

    features: Ints
    scores: Ints
    thresholds: Floats
    missing_scores: Ints
    feature_names: Sequence[str]
    missing: str

    def __post_init__(self) -> None:
        check_choice(self.missing, "missing", MISSING)
        scores = whole(self.scores, "scores")
        features = whole(self.features, "features")
        if features.size and features.min() < 0:
            raise ValueError(f"features must be columns, counted from 0; got {features.min()}.")
        thresholds = check_numbers(self.thresholds, "thresholds")
        unknown = whole(self.missing_scores, "missing_scores")
        for name, part in (
            ("features", features),
            ("thresholds", thresholds),
            ("missing_scores", unknown),
        ):
            if part.shape != scores.shape:
                raise ValueError(
                    f"{name} must have one entry per score; got shape {part.shape} for "
                    f"{scores.size} scores."
                )
            object.__setattr__(self, name, part)
        object.__setattr__(self, "scores", scores)
        if sum(map(abs, [*scores.tolist(), *unknown.tolist()])) > LARGEST_EXACT:
            raise ValueError(
                "scores must add up to at most 2**53 in size, where floats still tell whole "
                f"numbers apart; got {shown(scores.tolist())}."
            )
        if self.missing != "score" and unknown.any():
            raise ValueError(
                f"missing_scores must be zero unless missing='score'; got {unknown.tolist()} "
                f"with missing={self.missing!r}."
            )
        names = self.feature_names
        names = names.tolist() if isinstance(names, np.ndarray) else names
        if not isinstance(names, Sequence) or isinstance(names, str):
            raise ValueError(
                f"feature_names must have one name per feature, in a list; got {describe(names)}."
            )
        if len(names) != scores.size:
            raise ValueError(
                f"feature_names must have one name per feature, in list order; got "
                f"{describe(names)} for {scores.size} features."
            )
        object.__setattr__(self, "feature_names", tuple(name_texts(names, "feature_names")))
        super().__post_init__()

    @classmethod
    def _asked(
        cls,
        features: ArrayLike | None,
        scores: ArrayLike,
        thresholds: ArrayLike | None = None,
        missing_scores: ArrayLike | None = None,
        feature_names: Sequence[str] | None = None,
        missing: str = "error",
    ) -> ListQuestions:
        """Return checked questions; what was left out gets its default."""
        points_of = whole(scores, "scores")
        size = points_of.size
        columns = np.arange(size) if features is None else whole(features, "features")
        return ListQuestions(
            columns,
            points_of,
            np.full(size, np.nan)
            if thresholds is None
            else check_numbers(thresholds, "thresholds"),
            np.zeros(size, dtype=np.int64)
            if missing_scores is None
            else as_array(missing_scores, "missing_scores", "integers"),
            tuple(f"x{c}" for c in columns.tolist()) if feature_names is None else feature_names,
            missing,
        )

    def __len__(self) -> int:
        return int(self.features.size)

    def stage_number(self, stage: int) -> int:
        """Return a stage counted from 0 to K, given one that may be negative.

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
        """Return every total that each stage's scores can add up to, in decreasing order.

        Returns
        -------
        list of ndarray of int, shape (n_totals,)
            One for each stage, from stage 0 on.
        """
        return [*self._totals()]

    def _totals(self) -> Iterator[Ints]:
        """Yield what :meth:`reachable_totals` returns, so that a reader of junk stops at once."""
        return reachable_totals(self.scores, self.thresholds, self.missing_scores, self.missing)

    def questions(self) -> tuple[str, ...]:
        """Return each question in words: the feature, with its threshold if it has one.

        Returns
        -------
        tuple of str, length K
            In list order, for example ``"glucose > 96.5"``.
        """
        made = []
        for name, limit in zip(self.feature_names, self.thresholds.tolist(), strict=True):
            if np.isinf(limit):
                made.append(f"{name} ({'always' if limit < 0 else 'never'})")
            else:
                number = cut_text(limit, 4).replace("-", "−")
                made.append(name if np.isnan(limit) else f"{name} > {number}")
        return tuple(made)

    # ------------------------------------------------------------------ rows

    def binarize(self, X: ArrayLike) -> Answers:
        """Return the answers to all questions, in list order.

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
        table = check_rows(X, self.features)
        answers = np.empty((len(table), len(self)), dtype=np.int8)
        for k in range(len(self)):
            answers[:, k] = self._answers(table, k)
        return answers

    def total_scores(self, X: ArrayLike, stage: int = -1) -> Ints:
        """Return the total score of each row at a stage.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_columns)
            Only the columns asked by then are looked at.
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
        table = check_rows(X, self.features)
        total = np.zeros(len(table), dtype=np.int64)
        for k in range(self.stage_number(stage)):
            total += self._points(table, k)
        return total

    def count(
        self, X: ArrayLike, y: ArrayLike, *, sample_weight: Weights = None, pos_label: Any = None
    ) -> list[tuple[Floats, Floats]]:
        """Return how many positives and negatives of some data have each stage's totals.

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
        table, positive, weight = check_rows_and_labels(
            X, y, self.features, sample_weight, pos_label
        )
        total = np.zeros(len(table), dtype=np.int64)
        counted = []
        for k, reachable in enumerate(self.reachable_totals()):
            if k:
                total += self._points(table, k - 1)
            counted.append(count_totals(total, reachable, positive, weight))
        return counted

    def _answers(self, table: NDArray[Any], k: int, rows: Any = slice(None)) -> Answers:
        """Return the answers of some rows of a checked table to the question at position k."""
        return answer(
            table[rows, self.features[k]],
            float(self.thresholds[k]),
            self.missing,
            self.feature_names[k],
        )

    def _points(self, table: NDArray[Any], k: int, rows: Any = slice(None)) -> Ints:
        """Return what those answers add to the totals."""
        answers = self._answers(table, k, rows)
        return points(answers, int(self.scores[k]), int(self.missing_scores[k]))


def whole(values: ArrayLike, name: str) -> Ints:
    """Return whole numbers; none at all is fine."""
    numbers = check_vector(values, name)
    if numbers.size and np.abs(numbers).max() > LARGEST_EXACT:
        raise ValueError(f"{name} must be at most 2**53 in size; got {np.abs(numbers).max():.6g}.")
    broken = numbers[numbers != np.round(numbers)]
    if broken.size:
        raise ValueError(f"{name} must be whole numbers; got {broken[0]:.6g}.")
    return numbers.astype(np.int64)


def shown(numbers: Sequence[Any]) -> str:
    """Return a few numbers for a message."""
    parts = [f"{number}" for number in numbers]
    return ", ".join(parts if len(parts) <= 12 else [*parts[:11], "..."])
