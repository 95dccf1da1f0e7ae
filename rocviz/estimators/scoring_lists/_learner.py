"""Base of learned lists: parameters of the search, learning, and totals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array, check_X_y
from sklearn.utils.validation import check_is_fitted
from tqdm import tqdm

from rocviz.core.base.validation import Bools, Floats, check_aligned, check_choice, check_flag
from rocviz.core.calibration.binarize import entropy_thresholds
from rocviz.core.scoring_lists.questions import ListQuestions
from rocviz.core.scoring_lists.search.search import LearnedList, learn_scoring_list
from rocviz.estimators.base.classifier import PositiveClass
from rocviz.estimators.base.table import column_names, validated
from rocviz.estimators.scoring_lists._columns import ListColumns

# Rows that are checked together: few enough that temporary arrays stay in the cache.
_ROWS_PER_BLOCK = 2**14


@dataclass(eq=False, repr=False)
class ListLearner(PositiveClass):
    """Base of estimators that learn a scoring list."""

    score_set: Sequence[int] = (-3, -2, -1, 1, 2, 3)
    _: KW_ONLY
    binarize: Literal["in-search", "preprocess"] = "in-search"
    thresholds: Literal["brute", "bisect"] = "brute"
    search: Literal["greedy", "beam", "exhaustive"] = "greedy"
    lookahead: int = 1
    beam_width: int = 10
    objective: Literal["mean", "last"] = "mean"
    prefix: Sequence[tuple[Any, ...]] | None = None
    allowed_scores: Mapping[Any, Sequence[int]] | None = None
    feature_costs: Mapping[Any, float] | ArrayLike | None = None
    budget: float | None = None
    max_stages: int | None = None
    loss_cutoff: float | None = None
    tol: float | None = None
    missing: Literal["error", "zero", "score"] = "error"
    verbose: bool = False

    # how categories are read; None where there are none, and in a list written by hand
    _nominal = None

    def _check_parameters(self) -> None:
        """Raise if a parameter that the search may not use is invalid."""
        check_choice(self.binarize, "binarize", ("in-search", "preprocess"))
        check_choice(self.thresholds, "thresholds", ("brute", "bisect"))
        check_choice(self.missing, "missing", ("error", "zero", "score"))

    def _read_training(self, X: Any, *y: Any) -> Any:
        """Read the samples to learn from, with their labels if there are any."""
        checks: Any = {
            "dtype": np.float64,
            "ensure_all_finite": "allow-nan",
            "ensure_min_samples": 2,
        }
        check_aligned(**dict(zip("Xy", (X, *y), strict=False)))
        nominal = None
        if hasattr(X, "columns"):
            validated(self, X, skip_check_array=True)
            nominal = ListColumns.of_frame(X, column_names(self))
        if nominal is None:
            data = validated(self, X, *y, **checks)
        elif y:
            data = check_X_y(nominal.transform(X), *y, **checks)
        else:
            data = check_array(nominal.transform(X), **checks)
        self._nominal = nominal
        if self.missing == "error":
            _refuse_missing(data[0] if y else data)
        return data

    def _read(self, X: Any, *, may_miss: bool = False) -> Floats:
        """Read samples to use the list on."""
        check_is_fitted(self)
        rows: Floats
        nominal = self._nominal
        if nominal is None:
            rows = validated(self, X, reset=False, dtype=np.float64, ensure_all_finite="allow-nan")
        else:
            validated(self, X, reset=False, skip_check_array=True)
            rows = nominal.transform(X)
        if self.missing == "error" and not may_miss:
            _refuse_missing(rows)
        return rows

    def _columns(self) -> ListColumns:
        if self._nominal is not None:
            return self._nominal
        return ListColumns(self.n_features_in_, getattr(self, "feature_names_in_", None))

    def encode(self, X: Any) -> Floats:
        """Make the columns that ``features_`` counts.

        Takes the ``X`` of :meth:`fit`; missing values are NaN.

        Returns
        -------
        ndarray of float, shape (n_samples, n_columns)
            X itself, except that a column of categories in a data frame has become a column of 0
            and 1 for each of them, or for the second one if there are two.
        """
        return self._read(X, may_miss=True)

    def _learn(
        self,
        X: Floats,
        binary: Bools,
        *,
        positive: Bools | None = None,
        pairs: Any = None,
        weight: Floats | None = None,
        loss: Any = "rank",
        cost_fn: float = 1.0,
        max_stages: int | None = None,
    ) -> tuple[LearnedList, Floats]:
        """Search for the list, and find its thresholds.

        Learns from labels (``positive``), or from pairs of rows. A threshold is NaN where the
        column is ``binary``: 0 or 1 already, in all rows there are. ``max_stages`` takes the place
        of the parameter.
        """
        columns = self._columns()
        prefix = columns.prefix(self.prefix)
        is_silent = not check_flag(self.verbose, "verbose")
        table = X
        thresholds = None  # if chosen before the search
        if binary.all():
            thresholds = np.full(X.shape[1], np.nan)
        elif self.binarize == "preprocess":
            thresholds = self._thresholds_before(X, binary, positive, pairs, weight, prefix)
            table = _answers(X, thresholds)
        if thresholds is not None:
            prefix = _without_thresholds(prefix)
        with tqdm(total=1, disable=is_silent, leave=False) as bar:

            def progress(done: int, total: int) -> None:
                bar.total = total
                bar.update(done - bar.n)

            learned = learn_scoring_list(
                table,
                positive,
                pairs=pairs,
                score_set=self.score_set,
                loss=loss,
                cost_fn=cost_fn,
                thresholds=self.thresholds if thresholds is None else None,
                search=self.search,
                lookahead=self.lookahead,
                beam_width=self.beam_width,
                objective=self.objective,
                prefix=prefix,
                allowed_scores=columns.scores(self.allowed_scores),
                feature_costs=columns.costs(self.feature_costs),
                budget=self.budget,
                max_stages=self.max_stages if max_stages is None else max_stages,
                loss_cutoff=self.loss_cutoff,
                tol=self.tol,
                missing=self.missing,
                sample_weight=weight,
                progress=progress,
            )
        if thresholds is not None:
            return learned, thresholds[learned.features]
        is_zero_one = binary[learned.features] & np.isfinite(learned.thresholds)
        return learned, np.where(is_zero_one, np.nan, learned.thresholds)

    def _thresholds_before(
        self,
        X: Floats,
        binary: Bools,
        positive: Bools | None,
        pairs: Any,
        weight: Floats | None,
        prefix: list[tuple[Any, ...]] | None,
    ) -> Floats:
        """Choose the thresholds of numbers before the search; NaN for columns of 0 and 1."""
        rows: Any = slice(None)
        labels: Any = positive
        row_weight = weight
        if pairs is not None:
            # of a pair, the row above counts as a positive, the other one as a negative
            rows = pairs.T.ravel()
            labels = np.repeat([True, False], len(pairs))
            row_weight = None if weight is None else np.tile(weight, 2)
        thresholds = np.full(X.shape[1], np.nan)
        thresholds[~binary] = entropy_thresholds(
            X[rows][:, ~binary],
            labels,
            thresholds=self.thresholds,
            sample_weight=row_weight,
            missing="error" if self.missing == "error" else "ignore",
        )
        for line in prefix or ():
            column = line[0]
            if len(line) > 2 and line[2] is not None and not binary[column]:
                thresholds[column] = line[2]
        return thresholds

    def _take_list(self, questions: ListQuestions, losses: Any, stop_reason: str) -> None:
        self._questions = questions
        self.features_ = questions.features
        self.scores_ = questions.scores
        self.thresholds_ = questions.thresholds
        self.missing_scores_ = questions.missing_scores
        self.stage_losses_ = np.asarray(losses, dtype=np.float64)
        self.stop_reason_ = stop_reason

    def total_scores(self, X: Any, stage: int = -1) -> NDArray[np.int64]:
        """Add up the total score of each sample at a stage.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
        stage : int, default=-1
            From 0 (nothing asked) to the number of stages; negative ones count from the end.

        Returns
        -------
        ndarray of int, shape (n_samples,)
        """
        rows = self._read(X)
        return self._questions.total_scores(rows, stage)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        return tags


def _refuse_missing(X: Floats) -> None:
    """Raise if a value is missing; scikit-learn's own message would not say what to do."""
    gaps = int(np.count_nonzero(np.isnan(X)))
    if gaps:
        raise ValueError(
            f"Input X contains NaN: {gaps} missing values. Say what they add to a total: "
            "missing='zero' for nothing, missing='score' to learn it."
        )


def is_zero_one_column(X: Floats) -> Bools:
    """Mark the columns that consist of both 0 and 1 and, apart from NaN, nothing else."""
    n_columns = X.shape[1]
    only_zero_one = np.ones(n_columns, dtype=np.bool_)
    has_zero = np.zeros(n_columns, dtype=np.bool_)
    has_one = np.zeros(n_columns, dtype=np.bool_)
    for first in range(0, len(X), _ROWS_PER_BLOCK):
        rows = X[first : first + _ROWS_PER_BLOCK]
        is_zero = rows == 0
        is_one = rows == 1
        only_zero_one &= (is_zero | is_one | np.isnan(rows)).all(axis=0)
        has_zero |= is_zero.any(axis=0)
        has_one |= is_one.any(axis=0)
    return np.asarray(only_zero_one & has_zero & has_one)


def _without_thresholds(prefix: list[tuple[Any, ...]] | None) -> list[tuple[Any, ...]] | None:
    """Leave the thresholds of a prefix out, whose columns are 0 and 1."""
    if prefix is None:
        return None
    lines = []
    for line in prefix:
        if len(line) > 2:
            line = (*line[:2], None, *line[3:])
        lines.append(line)
    return lines


def _answers(X: Floats, thresholds: Floats) -> Floats:
    """Answer 0 and 1 by thresholds; missing values stay missing."""
    is_binary = np.isnan(thresholds)
    with np.errstate(invalid="ignore"):
        answers = np.where(is_binary, X == 1, np.greater(X, thresholds)).astype(np.float64)
    answers[np.isnan(X)] = np.nan
    return answers
