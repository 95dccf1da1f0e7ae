"""The scoring list: questions asked one by one, their points, and what each total means.

How one is made, judged and printed. Learning one is not its business.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.frozen import DataFrame
from rocviz.core.base.validation import Floats, Weights, check_sequence, describe
from rocviz.core.scoring_lists._model import ScoringModel
from rocviz.core.scoring_lists._text import as_dict, as_html, from_dict, table_rows
from rocviz.core.scoring_lists.questions import ListQuestions, shown
from rocviz.core.scoring_lists.stage import ScoringStage
from rocviz.core.scoring_lists.stage_scores import StageScores, stage_scores


@dataclass(frozen=True, eq=False, repr=False)
class ScoringList(ScoringModel):
    """A probabilistic scoring list: features in a fixed order, their scores, and probabilities.

    Stage k has asked the first k features. Each that says yes adds its score to the total, and
    each stage says how probable the positive class is at each total. Made by hand
    (:meth:`from_table`), or from data (:meth:`from_counts`).

    Parameters
    ----------
    features : array-like of int, shape (K,)
        Columns of X in the order in which they are asked.
    scores : array-like of int, shape (K,)
        Points that a yes adds.
    thresholds : array-like of float, shape (K,)
        The answer is yes where ``x > threshold``. NaN means that the column is 0 or 1 already; with
        -inf the answer is always yes, with inf never.
    missing_scores : array-like of int, shape (K,)
        Points of a missing value; zero unless ``missing="score"``.
    feature_names : sequence of str, shape (K,)
        In list order.
    missing : {"error", "zero", "score"}
        Whether a missing value (NaN) is refused, adds nothing, or adds its score.
    stages : sequence of ScoringStage, length K + 1
        Their totals are all that the scores can add up to.

    Raises
    ------
    ValueError
        If lengths differ, scores are not whole, or a stage has other totals than the scores
        can reach.

    References
    ----------
    Hanselle et al. (2024), Definition 3.

    Examples
    --------
    >>> table = [{0: 0.3}, {0: 0.2, 1: 0.4}, {-2: 0.1, -1: 0.2, 0: 0.5, 1: 0.6}]
    >>> scoring_list = ScoringList.from_table([1, -2], table)
    >>> scoring_list.predict_proba([[1, 0], [1, 1]])
    array([0.6, 0.2])
    """

    # ------------------------------------------------------------------ making

    @classmethod
    def from_table(
        cls,
        scores: ArrayLike,
        table: Sequence[Mapping[int, float]],
        *,
        features: ArrayLike | None = None,
        feature_names: Sequence[str] | None = None,
        thresholds: ArrayLike | None = None,
    ) -> ScoringList:
        """Return a list written by hand: a published score card, or an example.

        Parameters
        ----------
        scores : array-like of int, shape (K,)
            In list order.
        table : sequence of mappings, length K + 1
            For each stage, stage 0 first, the probability of every total it can reach.
        features : array-like of int, shape (K,), optional
            Columns of X; by default 0, 1, ..., K - 1.
        feature_names : sequence of str, length K, optional
            In list order; by default ``x0`` for column 0, and so on.
        thresholds : array-like of float, shape (K,), optional
            By default every column is 0 or 1 already.

        Returns
        -------
        ScoringList
            Without counts, so without bands and losses.

        Raises
        ------
        ValueError
            If a reachable total is missing in the table, one in it cannot be reached, or
            probabilities fall when the total rises.
        """
        asked = cls._asked(features, scores, thresholds, None, feature_names)
        wanted = asked.reachable_totals()
        table = check_sequence(table, "table", "a sequence of rows")
        if not all(isinstance(row, Mapping) for row in table):
            raise ValueError(
                f"table must have rows that are mappings of totals to probabilities; "
                f"got {describe(table)}."
            )
        if len(table) != len(wanted):
            raise ValueError(
                f"table must have one row more than scores, stage 0 first; got {len(table)} "
                f"for {len(asked)} scores."
            )
        stages = []
        for k, (row, totals) in enumerate(zip(table, wanted, strict=True)):
            if set(row) != set(totals.tolist()):
                raise ValueError(
                    f"table row {k} must hold the totals that can be reached, "
                    f"{shown(totals.tolist())}; got {shown(sorted(row, reverse=True))}."
                )
            try:
                stages.append(ScoringStage(totals, np.array([row[t] for t in totals.tolist()])))
            except ValueError as error:
                raise ValueError(f"table row {k}: {error}") from error
        return cls._with(asked, stages)

    @classmethod
    def from_counts(
        cls,
        features: ArrayLike,
        scores: ArrayLike,
        X: ArrayLike,
        y: ArrayLike,
        *,
        thresholds: ArrayLike | None = None,
        missing_scores: ArrayLike | None = None,
        missing: str = "error",
        feature_names: Sequence[str] | None = None,
        sample_weight: Weights = None,
        pos_label: Any = None,
        calibration: str = "isotonic",
        m: float = 2.0,
        prior: float | None = None,
    ) -> ScoringList:
        """Return the list with given questions and scores whose probabilities fit data.

        Parameters
        ----------
        features, scores, thresholds, missing_scores, missing, feature_names
            As for the class; thresholds default to NaN, missing scores to 0.
        X : array-like, shape (n_samples, n_columns)
            The data that probabilities and bands are of: those the list was learned from, or
            others that were held out for it.
        y : array-like, shape (n_samples,)
            Labels. 0 and 1 (or booleans) may be of one class only; others are two classes.
        sample_weight : array-like of float, shape (n_samples,), optional
        pos_label : label, optional
            The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
        calibration, m, prior
            ``method``, ``m`` and ``prior`` of
            :func:`rocviz.core.scoring_lists.stage_probability.fit_stage_probability`.

        Examples
        --------
        >>> X, y = [[0, 1], [1, 1], [0, 0], [1, 0]], [0, 1, 0, 0]
        >>> scoring_list = ScoringList.from_counts([1, 0], [2, 1], X, y)
        >>> scoring_list.predict_proba(X)
        array([0., 1., 0., 0.])
        """
        asked = cls._asked(features, scores, thresholds, missing_scores, feature_names, missing)
        counted = asked.count(X, y, sample_weight=sample_weight, pos_label=pos_label)
        return cls._with(
            asked,
            (
                ScoringStage.fit(totals, *counts, method=calibration, m=m, prior=prior)
                for totals, counts in zip(asked.reachable_totals(), counted, strict=True)
            ),
        )

    def with_scores(
        self, scores: ArrayLike, X: ArrayLike, y: ArrayLike, **options: Any
    ) -> ScoringList:
        """Return the same questions with other scores, and probabilities that fit data.

        Parameters
        ----------
        scores : array-like of int, shape (K,)
        X, y
            As for :meth:`from_counts`.
        **options
            ``sample_weight, pos_label, calibration, m, prior`` of :meth:`from_counts`.
        """
        return ScoringList.from_counts(
            self.features,
            scores,
            X,
            y,
            thresholds=self.thresholds,
            missing_scores=self.missing_scores,
            missing=self.missing,
            feature_names=self.feature_names,
            **options,
        )

    def with_calibration(
        self, method: str, *, m: float = 2.0, prior: float | None = None
    ) -> ScoringList:
        """Return the same list and counts with probabilities fitted in another way.

        Parameters
        ----------
        method, m, prior
            As for :func:`rocviz.core.scoring_lists.stage_probability.fit_stage_probability`.
        """
        return self._with(
            self,
            (
                ScoringStage.fit(stage.totals, *stage.counts, method=method, m=m, prior=prior)
                for stage in self.stages
            ),
        )

    @classmethod
    def _with(cls, asked: ListQuestions, stages: Iterable[ScoringStage]) -> ScoringList:
        return cls(
            asked.features,
            asked.scores,
            asked.thresholds,
            asked.missing_scores,
            asked.feature_names,
            asked.missing,
            tuple(stages),
        )

    # ------------------------------------------------------------------ how good it is

    def stage_scores(self, **options: Any) -> StageScores:
        """Return losses and AUC of every stage on the list's own counts.

        Parameters
        ----------
        **options
            ``cost_fn, use, confidence, method, correction`` of
            :func:`rocviz.core.scoring_lists.stage_scores.stage_scores`.

        Raises
        ------
        ValueError
            If the list was written by hand.
        """
        return self.scores_of([stage.counts for stage in self.stages], **options)

    def evaluate(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        sample_weight: Weights = None,
        pos_label: Any = None,
        **options: Any,
    ) -> StageScores:
        """Return losses and AUC of every stage on other data.

        Parameters
        ----------
        X, y, sample_weight, pos_label
            As for :meth:`from_counts`.
        **options
            As for :meth:`stage_scores`.
        """
        counted = self.count(X, y, sample_weight=sample_weight, pos_label=pos_label)
        return self.scores_of(counted, **options)

    def scores_of(self, counts: Sequence[tuple[Floats, Floats]], **options: Any) -> StageScores:
        """Return losses and AUC of every stage on counted data.

        Parameters
        ----------
        counts : sequence of (pos, neg)
            What :meth:`count` gave.
        **options
            As for :meth:`stage_scores`.
        """
        return stage_scores(self.stages, counts, **options)

    # ------------------------------------------------------------------ on paper

    def to_dict(self) -> dict[str, Any]:
        """Return everything the list holds as plain values that JSON can write exactly.

        Returns
        -------
        dict
            Thresholds are numbers, ``None`` (the column is 0 or 1), "always" or "never".
        """
        return as_dict(self)

    @classmethod
    def from_dict(cls, source: Mapping[str, Any]) -> ScoringList:
        """Return the list that :meth:`to_dict` wrote.

        Parameters
        ----------
        source : mapping

        Raises
        ------
        ValueError
            If something is missing in it, or is not what it should be.
        """
        return cls(**from_dict(source))

    def to_frame(self) -> DataFrame:
        """Return the table of the paper: stage by total score.

        Returns
        -------
        pandas.DataFrame
            One row per stage, by the name of the feature it adds ("prior" for none), one column
            per total in increasing order; NaN where a stage cannot reach a total.
        """
        import pandas as pd

        totals, rows = table_rows(self)
        index = pd.Index(["prior", *self.feature_names], name="after")
        return pd.DataFrame(rows, index=index, columns=pd.Index(totals, name="total"))

    def __repr__(self) -> str:
        parts = ", ".join(
            f"{name}: {score:+d}"
            for name, score in zip(self.feature_names, self.scores.tolist(), strict=True)
        )
        return f"<ScoringList: {parts or 'no features'}>"

    def _repr_html_(self) -> str:
        return as_html(self)
