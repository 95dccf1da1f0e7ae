"""What the learned lists share: parameters of the search, learning, and totals.

The base of the classifier and the ranker; knows nothing of probabilities.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_array, check_X_y
from sklearn.utils.validation import check_is_fitted

from rocviz.core.base.validation import Bools, Floats, check_choice, check_integer
from rocviz.core.calibration.binarize import entropy_thresholds
from rocviz.core.scoring_lists.questions import ListQuestions
from rocviz.core.scoring_lists.search.search import (
    LearnedList,
    learn_from_pairs,
    learn_scoring_list,
)
from rocviz.estimators.base.classifier import PositiveClass
from rocviz.estimators.base.table import column_names, validated
from rocviz.estimators.scoring_lists._nominal import NominalColumns
from rocviz.estimators.scoring_lists.learning import (
    Columns,
    ProgressBar,
    answers,
    refuse_missing,
)


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
        """Raise if a parameter that the search knows by another name is not what it should be."""
        check_choice(self.binarize, "binarize", ("in-search", "preprocess"))
        check_choice(self.thresholds, "thresholds", ("brute", "bisect"))
        check_choice(self.missing, "missing", ("error", "zero", "score"))
        check_integer(self.beam_width, "beam_width", minimum=1)
        if self.budget is not None and self.feature_costs is None:
            raise ValueError("budget needs feature_costs.")

    def _read_training(self, X: Any, *y: Any) -> Any:
        """Return the samples to learn from, with their labels if there are any."""
        checks: Any = {
            "dtype": np.float64,
            "ensure_all_finite": "allow-nan",
            "ensure_min_samples": 2,
        }
        found = None
        if hasattr(X, "columns"):
            validated(self, X, skip_check_array=True)
            found = NominalColumns.of(X, column_names(self))
        if found is None:
            read = validated(self, X, *y, **checks)
        else:
            table = found.transform(X)
            read = check_X_y(table, *y, **checks) if y else check_array(table, **checks)
        self._nominal = found
        if self.missing == "error":
            refuse_missing(read[0] if y else read)
        return read

    def _read(self, X: Any, *, may_miss: bool = False) -> Floats:
        """Return samples to use the list on."""
        check_is_fitted(self)
        rows: Floats
        nominal = self._nominal
        if nominal is None:
            rows = validated(self, X, reset=False, dtype=np.float64, ensure_all_finite="allow-nan")
        else:
            validated(self, X, reset=False, skip_check_array=True)
            rows = nominal.transform(X)
        if self.missing == "error" and not may_miss:
            refuse_missing(rows)
        return rows

    def _columns(self) -> Columns:
        if self._nominal is not None:
            sources = [column for column, _ in self._nominal.made_of]
            return Columns(len(sources), self._nominal.names, self._nominal.columns, sources)
        return Columns(self.n_features_in_, getattr(self, "feature_names_in_", None))

    def encode(self, X: Any) -> Floats:
        """Return the columns that ``features_`` counts.

        Takes what :meth:`fit` takes as ``X``; what is missing is NaN.

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
        """Return what the search finds, and its thresholds.

        Learns from labels (``positive``), or from pairs of rows. A threshold is NaN where the
        column is ``binary``: 0 or 1 already, in all rows there are. ``max_stages`` takes the place
        of the parameter.
        """
        columns = self._columns()
        prefix = columns.prefix(self.prefix)
        options: dict[str, Any] = {
            "score_set": self.score_set,
            "search": self.search,
            "lookahead": self.lookahead,
            "width": self.beam_width,
            "objective": self.objective,
            "allowed_scores": columns.scores(self.allowed_scores),
            "costs": columns.costs(self.feature_costs, free=False),
            "budget": self.budget,
            "max_stages": self.max_stages if max_stages is None else max_stages,
            "loss_cutoff": self.loss_cutoff,
            "tol": self.tol,
            "missing": self.missing,
            "sample_weight": weight,
        }
        table, cuts = X, None
        if self.binarize == "preprocess" or binary.all():
            cuts = np.full(X.shape[1], np.nan)
            if not binary.all():
                # of a pair, the row above counts as a positive, the other one as a negative
                rows: Any = slice(None)
                sides: Any = positive
                counted = weight
                if pairs is not None:
                    rows, sides = pairs.T.ravel(), np.repeat([True, False], len(pairs))
                    counted = None if weight is None else np.tile(weight, 2)
                cuts[~binary] = entropy_thresholds(
                    X[rows][:, ~binary],
                    sides,
                    thresholds=self.thresholds,
                    sample_weight=counted,
                    missing="error" if self.missing == "error" else "ignore",
                )
            for line in prefix or ():
                if len(line) > 2 and line[2] is not None and not binary[line[0]]:
                    cuts[line[0]] = line[2]
            if prefix is not None:
                prefix = [
                    (*line[:2], None, *line[3:]) if len(line) > 2 else line for line in prefix
                ]
            table = X if binary.all() else answers(X, cuts)
            options["thresholds"] = None
        else:
            options["thresholds"] = self.thresholds
        options["prefix"] = prefix
        with ProgressBar(self.verbose) as bar:
            if positive is not None:
                learned = learn_scoring_list(
                    table, positive, loss=loss, cost_fn=cost_fn, progress=bar.progress, **options
                )
            else:
                learned = learn_from_pairs(table, pairs, progress=bar.progress, **options)
        if learned.stop_reason == "stopped":
            warnings.warn(
                f"fit was interrupted: the list has the {len(learned.features)} stages found "
                "so far.",
                stacklevel=3,
            )
        if cuts is not None:
            return learned, cuts[learned.features]
        as_it_is = binary[learned.features] & np.isfinite(learned.thresholds)
        return learned, np.where(as_it_is, np.nan, learned.thresholds)

    def _take_list(self, questions: ListQuestions, losses: Any, stop_reason: str) -> None:
        self._questions = questions
        self.features_ = questions.features
        self.scores_ = questions.scores
        self.thresholds_ = questions.thresholds
        self.missing_scores_ = questions.missing_scores
        self.stage_losses_ = np.asarray(losses, dtype=np.float64)
        self.stop_reason_ = stop_reason

    def total_scores(self, X: Any, stage: int = -1) -> NDArray[np.int64]:
        """Return the total score of each sample at a stage.

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
