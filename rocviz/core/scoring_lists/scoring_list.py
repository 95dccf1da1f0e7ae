"""The scoring list: questions asked in order, their points, and the probability of each total."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Weights,
    check_choice,
    check_costs,
    check_sequence,
    describe,
)
from rocviz.core.scoring_lists._text import as_dict, as_html, from_dict, table_rows
from rocviz.core.scoring_lists.decisions import Decisions, check_limits, effort, stops
from rocviz.core.scoring_lists.questions import ListQuestions, make_questions, shown
from rocviz.core.scoring_lists.stage import ScoringStage, predicts_positive
from rocviz.core.scoring_lists.stage_band import IntervalOptions


@dataclass(frozen=True, eq=False)
class StageScores(Frozen):
    """Losses and AUC of every stage of a list, all of shape (K + 1,).

    Parameters
    ----------
    entropy : ndarray of float
        Expected entropy of the probabilities, in bits.
    brier : ndarray of float
        Mean squared difference of probability and class.
    auc : ndarray of float
        AUC of ranking by probability; NaN where only one class occurs.
    expected_loss : ndarray of float
        Mean of ``min(1 - q, M q)``: the loss that the probabilities expect.
    loss : ndarray of float
        The loss incurred: misses times M plus false alarms, per sample.
    cost_fn : float
        M.
    """

    entropy: Floats
    brier: Floats
    auc: Floats
    expected_loss: Floats
    loss: Floats
    cost_fn: float

    def to_frame(self) -> DataFrame:
        """Tabulate the stages, one row each.

        Columns ``stage, entropy, brier, auc, expected_loss, loss``.
        """
        names = ("entropy", "brier", "auc", "expected_loss", "loss")
        columns = {name: getattr(self, name) for name in names}
        return to_frame(stage=np.arange(self.brier.size), **columns)


@dataclass(frozen=True, eq=False, repr=False)
class ScoringList(ListQuestions):
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

    stages: tuple[ScoringStage, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "stages", tuple(self.stages))
        if len(self.stages) != len(self) + 1:
            raise ValueError(
                f"stages must have one entry more than scores; got {len(self.stages)} for "
                f"{len(self)} scores."
            )
        for k, (stage, totals) in enumerate(zip(self.stages, self._totals(), strict=True)):
            if not np.array_equal(stage.totals, totals):
                raise ValueError(
                    f"stage {k} must have the totals that its scores can reach, "
                    f"{shown(totals.tolist())}; got {shown(stage.totals.tolist())}."
                )

    # ------------------------------------------------------------------ constructors

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
        """Make a list from given values, such as a published score card.

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
        questions = make_questions(
            scores, features=features, thresholds=thresholds, feature_names=feature_names
        )
        expected = questions.reachable_totals()
        table = check_sequence(table, "table", "a sequence of rows")
        if not all(isinstance(row, Mapping) for row in table):
            raise ValueError(
                f"table must have rows that are mappings of totals to probabilities; "
                f"got {describe(table)}."
            )
        if len(table) != len(expected):
            raise ValueError(
                f"table must have one row more than scores, stage 0 first; got {len(table)} "
                f"for {len(questions)} scores."
            )
        stages = []
        for k, (row, totals) in enumerate(zip(table, expected, strict=True)):
            if set(row) != set(totals.tolist()):
                raise ValueError(
                    f"table row {k} must hold the totals that can be reached, "
                    f"{shown(totals.tolist())}; got {shown(sorted(row, reverse=True))}."
                )
            try:
                stages.append(ScoringStage(totals, np.array([row[t] for t in totals.tolist()])))
            except ValueError as error:
                raise ValueError(f"table row {k}: {error}") from error
        return cls._with(questions, stages)

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
        """Fit the probabilities of given questions and scores to data.

        Parameters
        ----------
        features, scores, thresholds, missing_scores, missing, feature_names
            As for the class; thresholds default to NaN, missing scores to 0.
        X : array-like, shape (n_samples, n_columns)
            The data for probabilities and bands: the data the list was learned from, or
            other data that were held out for it.
        y : array-like, shape (n_samples,)
            Labels. 0 and 1 (or booleans) may be of one class only; others are two classes.
        sample_weight : array-like of float, shape (n_samples,), optional
        pos_label : label, optional
            The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
        calibration, m, prior
            ``method``, ``m`` and ``prior`` of :meth:`ScoringStage.fit`.

        Examples
        --------
        >>> X, y = [[0, 1], [1, 1], [0, 0], [1, 0]], [0, 1, 0, 0]
        >>> scoring_list = ScoringList.from_counts([1, 0], [2, 1], X, y)
        >>> scoring_list.predict_proba(X)
        array([0., 1., 0., 0.])
        """
        questions = make_questions(
            scores,
            features=features,
            thresholds=thresholds,
            missing_scores=missing_scores,
            feature_names=feature_names,
            missing=missing,
        )
        counts = questions.count(X, y, sample_weight=sample_weight, pos_label=pos_label)
        stages = (
            ScoringStage.fit(totals, *sides, method=calibration, m=m, prior=prior)
            for totals, sides in zip(questions.reachable_totals(), counts, strict=True)
        )
        return cls._with(questions, stages)

    def with_scores(
        self, scores: ArrayLike, X: ArrayLike, y: ArrayLike, **options: Any
    ) -> ScoringList:
        """Ask the same questions with other scores, and fit their probabilities to data.

        Parameters
        ----------
        scores : array-like of int, shape (K,)
        X, y
            As for :meth:`from_counts`.
        **options
            ``sample_weight, pos_label, calibration, m, prior`` of :meth:`from_counts`.
        """
        questions = self._question_fields() | {"scores": scores}
        return ScoringList.from_counts(X=X, y=y, **questions, **options)

    def with_calibration(
        self, method: str, *, m: float = 2.0, prior: float | None = None
    ) -> ScoringList:
        """Fit the probabilities to the same counts by another method.

        Parameters
        ----------
        method, m, prior
            As for :meth:`ScoringStage.fit`.
        """
        stages = (
            ScoringStage.fit(stage.totals, *stage.counts, method=method, m=m, prior=prior)
            for stage in self.stages
        )
        return self._with(self, stages)

    @classmethod
    def _with(cls, questions: ListQuestions, stages: Iterable[ScoringStage]) -> ScoringList:
        return cls(**questions._question_fields(), stages=tuple(stages))

    # ------------------------------------------------------------------ probabilities

    def predict_proba(self, X: ArrayLike, stage: int = -1) -> Floats:
        """Look up the probability of the positive class at a stage.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_columns)
        stage : int, default=-1
            From 0 to K; negative numbers count from the end.

        Returns
        -------
        ndarray of float, shape (n_samples,)
        """
        k = self.stage_number(stage)
        return self.stages[k].probability_at(self.total_scores(X, k))

    def interval(
        self,
        X: ArrayLike,
        stage: int = -1,
        confidence: float = 0.95,
        **options: Unpack[IntervalOptions],
    ) -> tuple[Floats, Floats]:
        """Compute an interval of each row's probability at a stage.

        It is a property of the list: a row gets the same interval alone and among others.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_columns)
        stage : int, default=-1
            From 0 to K; negative numbers count from the end.
        confidence, method, correction
            As for :meth:`ScoringStage.band`.

        Returns
        -------
        lower, upper : ndarray of float, shape (n_samples,)

        Raises
        ------
        ValueError
            If the list was written by hand, or an argument is invalid.
        """
        k = self.stage_number(stage)
        band = self.stages[k].band(confidence, **options)
        return band.at(self.total_scores(X, k))

    def band_widths(self, confidence: float = 0.95, **options: Unpack[IntervalOptions]) -> Floats:
        """Compute the mean width of the intervals of each stage, over the list's cases.

        Takes the parameters of :meth:`ScoringStage.band`.

        Returns
        -------
        ndarray of float, shape (K + 1,)
            It grows with most questions, since each splits the data.

        Raises
        ------
        ValueError
            If the list was written by hand, or an argument is invalid.
        """
        bands = [stage.band(confidence, **options) for stage in self.stages]
        return np.array(
            [
                np.average(band.upper - band.lower, weights=stage.n)
                for band, stage in zip(bands, self.stages, strict=True)
            ]
        )

    # ------------------------------------------------------------------ decisions

    def predict(self, X: ArrayLike, stage: int = -1, cost_fn: float = 1.0) -> Bools:
        """Predict the class of lowest expected loss at a stage.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_columns)
        stage : int, default=-1
        cost_fn : float, default=1
            Cost M of a miss, in false alarms.

        Returns
        -------
        ndarray of bool, shape (n_samples,)
            False where ``1 - p >= M p``.
        """
        return predicts_positive(self.predict_proba(X, stage), cost_fn)

    def risk_averse(
        self,
        X: ArrayLike,
        stage: int = -1,
        cost_fn: float = 10.0,
        confidence: float = 0.5,
        **options: Unpack[IntervalOptions],
    ) -> Bools:
        """Predict classes as if the upper bound of each interval were the truth.

        Parameters
        ----------
        X, stage, cost_fn
            As for :meth:`predict`.
        confidence, method, correction
            As for :meth:`ScoringStage.band`.

        Returns
        -------
        ndarray of bool, shape (n_samples,)
            False where ``1 - u >= M u``, with u the upper end of the interval.
        """
        _, upper = self.interval(X, stage, confidence, **options)
        return predicts_positive(upper, cost_fn)

    def decide(
        self,
        X: ArrayLike,
        *,
        cost_fn: float = 1.0,
        feature_costs: ArrayLike | None = None,
        lower: float | None = None,
        upper: float | None = None,
        use: str = "point",
        confidence: float = 0.95,
        method: str = "clopper-pearson",
        correction: str | None = "bonferroni",
    ) -> Decisions:
        """Decide row by row, stopping at the first stage that is certain enough.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_columns)
            Values that a row's walk never gets to are not looked at, and may be missing.
        lower, upper : float, default=None
            Limits within [0, 1]. A row stops as negative when its probability is at most
            ``lower``, as positive when it is at least ``upper``; without a limit that side
            never stops.
        use : {"point", "interval"}, default="point"
            Beyond the limit has to be the probability, or the whole interval.
        confidence, method, correction : default=0.95, "clopper-pearson", "bonferroni"
            For the intervals, as for :meth:`ScoringStage.band`.
        cost_fn : float, default=1
            Cost M of a miss, in false alarms: rows that never reach a limit are predicted negative
            at the end of the list only if ``1 - p >= M p``.
        feature_costs : array-like of float, shape (n_columns,), optional
            Cost of asking for each column of X; not negative. By default 1 each.

        Raises
        ------
        ValueError
            If an argument is invalid, or intervals are asked of a list that was
            written by hand.

        Examples
        --------
        >>> from rocviz import ScoringList
        >>> table = [{0: 0.3}, {0: 0.2, 1: 0.9}, {0: 0.1, 1: 0.5, 2: 0.9}]
        >>> scoring_list = ScoringList.from_table([1, 1], table)
        >>> scoring_list.decide([[1, 0], [0, 0]], upper=0.9).n_asked
        array([1, 2])
        """
        table = self._check_rows(X)
        check_limits(lower, upper, use)
        bands = None
        if use == "interval" or self.stages[0].has_counts:
            bands = [
                stage.band(confidence, method=method, correction=correction)
                for stage in self.stages
            ]
        asked, spent = effort(self, feature_costs, table.shape[1])

        n = len(table)
        stopped = np.zeros(n, dtype=np.int64)
        probability, below, above = np.empty(n), np.full(n, np.nan), np.full(n, np.nan)
        positive, sure = np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_)
        walking, total = np.arange(n), np.zeros(n, dtype=np.int64)
        for k, stage in enumerate(self.stages):
            if k:
                total += self._points(table, k - 1, walking)
            band = None if bands is None else bands[k]
            no, yes = stops(stage, band, lower=lower, upper=upper, use=use)
            ends = no | yes | (k == len(self))
            positives = yes | (~no & predicts_positive(stage.probability, cost_fn))
            at = len(stage) - 1 - np.searchsorted(stage.totals[::-1], total)
            done = ends[at]
            here, at = walking[done], at[done]
            stopped[here], probability[here] = k, stage.probability[at]
            sure[here], positive[here] = (no | yes)[at], positives[at]
            if band is not None:
                below[here], above[here] = band.lower[at], band.upper[at]
            walking, total = walking[~done], total[~done]
        return Decisions(
            positive=positive,
            probability=probability,
            lower=below,
            upper=above,
            stage=stopped,
            n_asked=asked[stopped],
            cost=spent[stopped],
            is_confident=sure,
            n_stages=len(self),
        )

    # ------------------------------------------------------------------ performance

    def stage_scores(self, **options: Any) -> StageScores:
        """Compute losses and AUC of every stage on the list's own counts.

        Parameters
        ----------
        **options
            As for :meth:`scores_of`.

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
        """Compute losses and AUC of every stage on other data.

        Parameters
        ----------
        X, y, sample_weight, pos_label
            As for :meth:`from_counts`.
        **options
            As for :meth:`scores_of`.

        Raises
        ------
        ValueError
            As :meth:`count` and :meth:`scores_of` do, or if a class has no weight.
        """
        counts = self.count(X, y, sample_weight=sample_weight, pos_label=pos_label)
        if any(not side.any() for side in counts[0]):
            raise ValueError("sample_weight leaves one class without weight; both are needed.")
        return self.scores_of(counts, **options)

    def scores_of(
        self,
        counts: Sequence[tuple[Floats, Floats]],
        *,
        cost_fn: float = 1.0,
        use: str = "point",
        confidence: float = 0.5,
        **options: Unpack[IntervalOptions],
    ) -> StageScores:
        """Compute losses and AUC of every stage on counted data.

        Parameters
        ----------
        counts : sequence of (pos, neg)
            For each stage, both classes' weights at its totals, as :meth:`count` gives them.
        cost_fn : float, default=1
            Cost M of a miss, in false alarms.
        use : {"point", "upper"}, default="point"
            Whether decisions go by the probability, or by the upper end of its interval
            (risk-averse).
        confidence, method, correction
            Of that interval, as for :meth:`ScoringStage.band`.

        Raises
        ------
        ValueError
            If ``use`` is neither "point" nor "upper", or the counts do not fit the stages.
        """
        check_choice(use, "use", ("point", "upper"))
        _, miss = check_costs(1.0, cost_fn)
        pairs = [
            check_sequence(pair, "counts", "(pos, neg) of each stage")
            for pair in check_sequence(counts, "counts", "(pos, neg) of each stage")
        ]
        if len(pairs) != len(self.stages) or any(len(pair) != 2 for pair in pairs):
            raise ValueError(
                f"counts must be (pos, neg) of each of the {len(self.stages)} stages; "
                f"got {describe(counts)}."
            )
        judged = [
            stage if pos is stage.pos and neg is stage.neg else stage.with_counts(pos, neg)
            for stage, (pos, neg) in zip(self.stages, pairs, strict=True)
        ]
        loss = []
        for own, stage in zip(self.stages, judged, strict=True):
            basis = own.band(confidence, **options).upper if use == "upper" else own.probability
            pos, neg = stage.counts
            wrong = np.where(predicts_positive(basis, miss), neg, miss * pos)
            loss.append(wrong.sum() / stage.n_samples)
        return StageScores(
            entropy=np.array([stage.entropy for stage in judged]),
            brier=np.array([stage.brier for stage in judged]),
            auc=np.array([stage.auc for stage in judged]),
            expected_loss=np.array([stage.expected_loss(miss) for stage in judged]),
            loss=np.array(loss),
            cost_fn=miss,
        )

    # ------------------------------------------------------------------ conversions

    def to_dict(self) -> dict[str, Any]:
        """Convert the list to plain values that JSON represents exactly.

        Returns
        -------
        dict
            Thresholds are numbers, ``None`` (the column is 0 or 1), "always" or "never".
        """
        return as_dict(self)

    @classmethod
    def from_dict(cls, source: Mapping[str, Any]) -> ScoringList:
        """Make the list from the result of :meth:`to_dict`.

        Parameters
        ----------
        source : mapping

        Raises
        ------
        ValueError
            If an entry is missing or invalid.
        """
        return cls(**from_dict(source))

    def to_frame(self) -> DataFrame:
        """Tabulate the probabilities as the paper does: stage by total score.

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
