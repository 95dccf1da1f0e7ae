"""What a classifier does once it has a scoring list: predict, decide, judge, print, be saved.

The base of ``ProbabilisticScoringList``, which adds how the list is learned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from rocviz.core.base.validation import Floats, check_integer
from rocviz.core.scoring_lists.decisions import Decisions
from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.core.scoring_lists.stage import ScoringStage
from rocviz.core.scoring_lists.stage_scores import StageScores
from rocviz.estimators.scoring_lists.learning import Columns, refuse_missing

if TYPE_CHECKING:
    import pandas as pd


class ListClassifier(ClassifierMixin, BaseEstimator):
    """A fitted scoring list with labels; subclasses have the parameters and ``fit``."""

    @classmethod
    def from_table(
        cls,
        scores: ArrayLike,
        table: Sequence[Mapping[int, float]],
        *,
        features: ArrayLike | None = None,
        feature_names: Sequence[str] | None = None,
        thresholds: ArrayLike | None = None,
        classes: Sequence[Any] = (0, 1),
        n_features: int | None = None,
    ) -> Any:
        """Return a fitted classifier from scores and probabilities written by hand.

        Parameters
        ----------
        scores : array-like of int, shape (n_stages,)
            In list order.
        table : sequence of mappings, length n_stages + 1
            For each stage, stage 0 first, the probability of every total it can reach.
        features : array-like of int, shape (n_stages,), optional
            Columns of X; by default 0, 1, ... in list order.
        feature_names : sequence of str, length n_stages, optional
            In list order.
        thresholds : array-like of float, shape (n_stages,), optional
            By default every column is 0 or 1 already.
        classes : sequence of two labels, default=(0, 1)
            Two different labels; the positive class is the second.
        n_features : int, optional
            Columns of X; by default as many as the list needs.

        Returns
        -------
        ProbabilisticScoringList
            Without counts, so without intervals.

        Raises
        ------
        ValueError
            If a total is missing or out of reach, or probabilities fall as totals rise.

        Examples
        --------
        >>> from rocviz import ProbabilisticScoringList
        >>> card = [{0: 0.3}, {0: 0.2, 1: 0.4}]
        >>> model = ProbabilisticScoringList.from_table([1], card, classes=["well", "ill"])
        >>> model.predict_proba([[1]])
        array([[0.6, 0.4]])
        >>> model.predict([[1]]).tolist()
        ['well']
        """
        made = ScoringList.from_table(
            scores, table, features=features, feature_names=feature_names, thresholds=thresholds
        )
        labels = np.asarray(classes)
        if labels.shape != (2,) or labels[0] == labels[1]:
            raise ValueError(f"classes must be two different labels; got {classes!r}.")
        needed = int(made.features.max(initial=0)) + 1
        model = cls()
        model.n_features_in_ = (
            needed if n_features is None else check_integer(n_features, "n_features", needed)
        )
        model._take_over(made, labels, np.full(len(made) + 1, np.nan), "by hand")
        return model

    def _take_over(self, fitted: ScoringList, classes: Any, losses: Any, why: str) -> None:
        self.scoring_list_ = fitted
        self.features_ = fitted.features
        self.scores_ = fitted.scores
        self.thresholds_ = fitted.thresholds
        self.missing_scores_ = fitted.missing_scores
        self.stage_losses_ = np.asarray(losses, dtype=np.float64)
        self.stop_reason_ = why
        self.classes_ = classes

    # ------------------------------------------------------------------ predicting

    def _rows(self, X: Any, *, may_miss: bool = False) -> Floats:
        check_is_fitted(self)
        rows: Floats = validate_data(
            self, X, reset=False, dtype=np.float64, ensure_all_finite="allow-nan"
        )
        if self.missing == "error" and not may_miss:
            refuse_missing(rows)
        return rows

    def predict_proba(self, X: Any, stage: int = -1) -> Floats:
        """Return probabilities at a stage.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            Samples.
        stage : int, default=-1
            From 0 (nothing asked) to the number of stages; negative ones count from the end.

        Returns
        -------
        ndarray of float, shape (n_samples, 2)
            Of the negative and the positive class, in the order of ``classes_``.
        """
        rows = self._rows(X)
        positive = self.scoring_list_.predict_proba(rows, stage)
        return np.column_stack((1 - positive, positive))

    def predict(self, X: Any, stage: int = -1) -> Any:
        """Return the class with the lower expected cost; the negative one if both cost alike.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            Samples.
        stage : int, default=-1
            As for :meth:`predict_proba`.

        Returns
        -------
        ndarray, shape (n_samples,)
            Labels: the positive one where ``1 - p < cost_fn * p``.
        """
        rows = self._rows(X)
        positive = self.scoring_list_.predict(rows, stage, cost_fn=self.cost_fn)
        return self.classes_[positive.astype(np.intp)]

    def total_scores(self, X: Any, stage: int = -1) -> NDArray[np.int64]:
        """Return the total score of each sample at a stage.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            Samples.
        stage : int, default=-1
            As for :meth:`predict_proba`.

        Returns
        -------
        ndarray of int, shape (n_samples,)
        """
        rows = self._rows(X)
        return self.scoring_list_.total_scores(rows, stage)

    def interval(
        self,
        X: Any,
        stage: int = -1,
        confidence: float = 0.95,
        method: str = "clopper-pearson",
        correction: str | None = "bonferroni",
    ) -> tuple[Floats, Floats]:
        """Return an interval of each sample's probability of the positive class.

        It belongs to the fitted list: a sample gets the same one alone and among others.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            Samples.
        stage : int, default=-1
            As for :meth:`predict_proba`.
        confidence : float, default=0.95
            Strictly between 0 and 1.
        method : {"clopper-pearson", "wilson", "jeffreys"}, default="clopper-pearson"
            Interval of a single total.
        correction : {"bonferroni", None}, default="bonferroni"
            Whether all totals of the stage are covered at once, or each by itself.

        Returns
        -------
        lower, upper : ndarray of float, shape (n_samples,)

        Raises
        ------
        ValueError
            If the list was written by hand, or an argument is not as said above.
        """
        rows = self._rows(X)
        return self.scoring_list_.interval(rows, stage, confidence, method, correction)

    def decide(
        self,
        X: Any,
        *,
        lower: float | None = None,
        upper: float | None = None,
        use: str = "point",
        confidence: float = 0.95,
        method: str = "clopper-pearson",
        correction: str | None = "bonferroni",
        feature_costs: Any = None,
    ) -> Decisions:
        """Ask one question after the other, sample by sample, and stop when sure.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            Samples. What a sample's walk never gets to may be NaN.
        lower, upper : float, optional
            A sample stops as negative at a probability of ``lower`` or less, as positive at
            ``upper`` or more. Who never does gets the class of lower expected cost at the end.
        use : {"point", "interval"}, default="point"
            What has to be beyond the limit: the probability, or its whole interval.
        confidence, method, correction
            As for :meth:`interval`.
        feature_costs : mapping of feature to float, or array-like, shape (n_features,), optional
            What it costs to ask; the parameter of the same name if not given, else 1 each.

        Returns
        -------
        Decisions
            For each sample class, probability, interval, stage reached, features asked and
            their cost. Its ``positive`` is true for ``classes_[1]``.
        """
        rows = self._rows(X, may_miss=True)
        costs = self.feature_costs if feature_costs is None else feature_costs
        names = getattr(self, "feature_names_in_", None)
        return self.scoring_list_.decide(
            rows,
            lower=lower,
            upper=upper,
            use=use,
            confidence=confidence,
            method=method,
            correction=correction,
            cost_fn=self.cost_fn,
            feature_costs=Columns(rows.shape[1], names).costs(costs),
        )

    # ------------------------------------------------------------------ judging

    def evaluate(self, X: Any, y: Any, sample_weight: Any = None, **options: Any) -> StageScores:
        """Return entropy, Brier score, AUC and loss of every stage on some data.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            Samples.
        y : array-like, shape (n_samples,)
            Labels; all of one class are fine, the AUC is NaN then.
        sample_weight : array-like of float, shape (n_samples,), optional
        **options
            ``use="upper"`` for risk-averse decisions, with ``confidence, method, correction``
            of the interval whose upper end is used.

        Returns
        -------
        StageScores
        """
        rows = self._rows(X)
        return self.scoring_list_.evaluate(
            rows,
            self._positive(y),
            sample_weight=sample_weight,
            **{"cost_fn": self.cost_fn, **options},
        )

    def score(self, X: Any, y: Any, sample_weight: Any = None, stage: int = -1) -> float:
        """Return minus the Brier score of a stage: 0 is best, higher is better.

        Not the accuracy: a scoring list is there for its probabilities.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            Samples.
        y : array-like, shape (n_samples,)
            Labels.
        sample_weight : array-like of float, shape (n_samples,), optional
        stage : int, default=-1
            As for :meth:`predict_proba`.

        Returns
        -------
        float
            In [-1, 0].
        """
        k = self.stage_number(stage)
        return -float(self.evaluate(X, y, sample_weight).brier[k])

    def _positive(self, y: Any) -> Any:
        labels = np.asarray(y)
        unknown = sorted({str(label) for label in labels[~np.isin(labels, self.classes_)]})
        if unknown:
            raise ValueError(
                f"y holds {', '.join(unknown[:5])}; the list knows {self.classes_.tolist()}."
            )
        return labels == self.classes_[1]

    # ------------------------------------------------------------------ on paper

    def stage_number(self, stage: int) -> int:
        """Return a stage counted from 0; negative ones count from the end."""
        check_is_fitted(self)
        return self.scoring_list_.stage_number(stage)

    def stage(self, k: int) -> ScoringStage:
        """Return a stage: its totals, their probabilities and counts, as ranked segments too.

        Parameters
        ----------
        k : int
            From 0 (nothing asked) to the number of stages; negative ones count from the end.

        Returns
        -------
        ScoringStage
            Its ``segments`` are the totals as a ranking, for everything that ranked
            segments can do.
        """
        return self.scoring_list_.stages[self.stage_number(k)]

    def inspect(self) -> pd.DataFrame:
        """Return the list as a table.

        Returns
        -------
        pandas.DataFrame
            One row per stage, named after the feature it adds; columns ``threshold``, ``score``,
            ``loss``, and the probability at each total, NaN where it cannot be reached. A list
            made with ``missing="score"`` has a column ``missing score`` too.
        """
        check_is_fitted(self)
        frame = self.scoring_list_.to_frame()
        frame.insert(0, "loss", self.stage_losses_)
        points = {"score": self.scores_}
        if self.scoring_list_.missing == "score":
            points["missing score"] = self.missing_scores_
        for i, (name, values) in enumerate(points.items()):
            frame.insert(i, name, [None, *values.tolist()])
        frame.insert(0, "threshold", [np.nan, *self.thresholds_])
        return frame.astype(dict.fromkeys(points, "Int64"))

    @property
    def _repr_html_(self) -> Any:
        shown = super()._repr_html_
        return self.scoring_list_._repr_html_ if hasattr(self, "scoring_list_") else shown

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        bundle = dict(super()._repr_mimebundle_(**options))
        if "text/html" in bundle and hasattr(self, "scoring_list_"):
            bundle["text/html"] = self.scoring_list_._repr_html_()
        return bundle

    def to_dict(self) -> dict[str, Any]:
        """Return the fitted list as plain values that JSON can write.

        How it was learned is not kept: of the parameters only ``cost_fn``, ``missing`` and
        ``feature_costs``, which a fitted list uses.

        Returns
        -------
        dict
        """
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        costs = Columns(self.n_features_in_, names).costs(self.feature_costs)
        return {
            "classes": self.classes_.tolist(),
            "n_features": int(self.n_features_in_),
            "feature_names": None if names is None else [str(name) for name in names],
            "stage_losses": [None if np.isnan(x) else x for x in self.stage_losses_.tolist()],
            "stop_reason": self.stop_reason_,
            "cost_fn": float(self.cost_fn),
            "feature_costs": None if costs is None else costs.tolist(),
            "scoring_list": self.scoring_list_.to_dict(),
        }

    @classmethod
    def from_dict(cls, source: Mapping[str, Any]) -> Any:
        """Return the fitted classifier that :meth:`to_dict` wrote.

        Parameters
        ----------
        source : mapping

        Returns
        -------
        ProbabilisticScoringList

        Raises
        ------
        ValueError
            If something is missing in it, or is not what it should be.
        """
        try:
            made = ScoringList.from_dict(source["scoring_list"])
            model = cls(
                cost_fn=source["cost_fn"],
                missing=made.missing,
                feature_costs=source["feature_costs"],
            )
            model.n_features_in_ = int(source["n_features"])
            if source["feature_names"] is not None:
                model.feature_names_in_ = np.array(source["feature_names"], dtype=object)
            losses = [np.nan if x is None else x for x in source["stage_losses"]]
            labels = np.array(source["classes"])
            model._take_over(made, labels, losses, source["stop_reason"])
        except (KeyError, TypeError) as error:
            raise ValueError(f"source is not what to_dict wrote: {error!r}.") from error
        return model

    # ------------------------------------------------------------------ for scikit-learn

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = self.missing != "error"
        return tags
