"""What a classifier does once it has a scoring list: predict, decide, and judge its stages.

A base of ``ProbabilisticScoringList``, which adds how the list is learned.
"""

from __future__ import annotations

from typing import Any, Literal, Unpack

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rocviz.core.base.naming import naming
from rocviz.core.base.validation import Floats, as_array, describe
from rocviz.core.scoring_lists.decisions import Decisions, StopOptions
from rocviz.core.scoring_lists.stage import ScoringStage
from rocviz.core.scoring_lists.stage_band import IntervalOptions
from rocviz.core.scoring_lists.stage_scores import StageScores
from rocviz.estimators.base.classifier import BinaryClassifier
from rocviz.estimators.scoring_lists._learner import ListLearner

IntervalMethod = Literal["clopper-pearson", "wilson", "jeffreys"]
Correction = Literal["bonferroni"] | None


class ListClassifier(BinaryClassifier, ListLearner):
    """A fitted scoring list with labels; subclasses have the parameters and ``fit``."""

    # ------------------------------------------------------------------ predicting

    def predict_proba(self, X: Any, stage: int = -1) -> Floats:
        """Return probabilities at a stage.

        Takes what :meth:`total_scores` takes.

        Returns
        -------
        ndarray of float, shape (n_samples, 2)
            Of both classes, in the order of ``classes_``.
        """
        rows = self._read(X)
        prob = self.scoring_list_.predict_proba(rows, stage)
        return self._columns_of(1 - prob, prob)

    def predict(self, X: Any, stage: int = -1) -> Any:
        """Return the class with the lower expected cost; the negative one if both cost alike.

        Takes what :meth:`predict_proba` takes.

        Returns
        -------
        ndarray, shape (n_samples,)
            Labels: the positive one where ``1 - p < cost_fn * p``.
        """
        rows = self._read(X)
        positive = self.scoring_list_.predict(rows, stage, cost_fn=self.cost_fn)
        return self._labels(positive)

    def interval(
        self, X: Any, stage: int = -1, confidence: float = 0.95, **how: Unpack[IntervalOptions]
    ) -> tuple[Floats, Floats]:
        """Return an interval of each sample's probability of the positive class.

        It belongs to the fitted list: a sample gets the same one alone and among others.

        Takes, returns and raises what :meth:`rocviz.ScoringList.interval` does.
        """
        rows = self._read(X)
        return self.scoring_list_.interval(rows, stage, confidence, **how)

    def decide(
        self, X: Any, *, feature_costs: Any = None, **stop: Unpack[StopOptions]
    ) -> Decisions:
        """Ask one question after the other, sample by sample, and stop when sure.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            Samples. What a sample's walk never gets to may be NaN.
        lower, upper : float, optional
            A sample stops as negative at a probability of ``lower`` or less, as positive at
            ``upper`` or more. Who never does gets the class of lower expected cost at the end.
        use, confidence, method, correction
            As for :meth:`rocviz.ScoringList.decide`.
        feature_costs : mapping of feature to float, or array-like, shape (n_features,), optional
            What it costs to ask; the parameter of the same name if not given, else 1 each.

        Returns
        -------
        Decisions
            For each sample class, probability, interval, stage reached, features asked and
            their cost. Its ``positive`` is true for ``pos_label_``.
        """
        rows = self._read(X, may_miss=True)
        costs = self.feature_costs if feature_costs is None else feature_costs
        return self.scoring_list_.decide(
            rows, cost_fn=self.cost_fn, feature_costs=self._columns().costs(costs), **stop
        )

    # ------------------------------------------------------------------ judging

    def evaluate(self, X: Any, y: Any, sample_weight: Any = None, **options: Any) -> StageScores:
        """Return entropy, Brier score, AUC and loss of every stage on some data.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
        y : array-like, shape (n_samples,)
            Labels; all of one class are fine, the AUC is NaN then.
        sample_weight : array-like of float, shape (n_samples,), optional
        **options
            ``use="upper"`` for risk-averse decisions, with ``confidence, method, correction``
            of the interval whose upper end is used.
        """
        rows = self._read(X)
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
        labels = as_array(y, "y", "one label per sample")
        if labels.dtype.kind == "V":
            raise ValueError("y must hold one label per sample; got records.")
        with naming("y"):
            strange = labels[~np.isin(labels, self.classes_)].tolist()
        unknown = sorted({x if isinstance(x, str) else describe(x) for x in strange})
        if unknown:
            raise ValueError(
                f"y holds {', '.join(unknown[:5])}; the list knows {self.classes_.tolist()}."
            )
        return labels == self.pos_label_

    # ------------------------------------------------------------------ stages

    def stage_number(self, stage: int) -> int:
        """Return a stage counted from 0, given one that may be negative.

        Takes what :meth:`ScoringList.stage_number` takes.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If it has not been fitted.
        ValueError
            If the list has no such stage.
        """
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
