"""The scoring list: questions asked in order, their points, and the probability of each total."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.frozen import (
    MAX_ROWS,
    DataFrame,
    Frozen,
    first_lines,
    in_lines,
    to_frame,
)
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Weights,
    check_choice,
    check_costs,
    check_fraction,
    check_sequence,
    describe,
    shortened,
)
from rocviz.core.roc.auc_intervals import has_whole_weights
from rocviz.core.roc.fixed_sequence import (
    fixed_sequence,
    is_bound_below,
    least_trials,
    walk_starts,
)
from rocviz.core.scoring_lists.decisions import Decisions, check_limits, cumulative_costs, stops
from rocviz.core.scoring_lists.questions import (
    ListQuestions,
    check_data,
    list_numbers,
    make_questions,
)
from rocviz.core.scoring_lists.stage import ScoringStage, predicts_positive
from rocviz.core.scoring_lists.stage_band import IntervalOptions, StageBand

# Fields of a list in the result of `to_dict`, beside its stages.
_DICT_FIELDS = ("features", "scores", "thresholds", "missing_scores", "feature_names", "missing")
_DICT_KIND = "scoring list"
_DICT_VERSION = 1

# Infinite thresholds, which JSON cannot represent, in words.
_THRESHOLD_WORDS = {np.inf: "never", -np.inf: "always"}


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
                    f"{list_numbers(totals.tolist())}; got {list_numbers(stage.totals.tolist())}."
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
                    f"{list_numbers(totals.tolist())}; "
                    f"got {list_numbers(sorted(row, reverse=True))}."
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
        stages = []
        for totals, (pos, neg) in zip(questions.reachable_totals(), counts, strict=True):
            stages.append(ScoringStage.fit(totals, pos, neg, method=calibration, m=m, prior=prior))
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
        stages = []
        for stage in self.stages:
            pos, neg = stage.counts
            stages.append(ScoringStage.fit(stage.totals, pos, neg, method=method, m=m, prior=prior))
        return self._with(self, stages)

    @classmethod
    def _with(cls, questions: ListQuestions, stages: Iterable[ScoringStage]) -> ScoringList:
        return cls(**questions._question_fields(), stages=tuple(stages))

    # ------------------------------------------------------------------ probabilities

    def predict_proba(self, X: ArrayLike, stage: int = -1) -> Floats:
        """Find the probability of the positive class at a stage.

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
        widths = []
        for stage in self.stages:
            band = stage.band(confidence, **options)
            widths.append(np.average(band.upper - band.lower, weights=stage.n))
        return np.array(widths)

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

        A row is ruled out or ruled in as soon as it reaches a limit; between them, the next
        question is asked.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_columns)
            Values that a row stops before are not used, and may be missing.
        lower, upper : float, default=None
            Limits within [0, 1]. A row is ruled out when its probability is at most ``lower``,
            ruled in when it is at least ``upper``; without a limit that side never stops.
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
        bands: list[StageBand | None] = [None] * len(self.stages)
        if use == "interval" or self.stages[0].has_counts:
            for k, stage in enumerate(self.stages):
                bands[k] = stage.band(confidence, method=method, correction=correction)
        n_asked, cost = cumulative_costs(self, feature_costs, table.shape[1])

        n = len(table)
        stop_stage = np.zeros(n, dtype=np.int64)
        probability = np.empty(n)
        interval_lower = np.full(n, np.nan)
        interval_upper = np.full(n, np.nan)
        positive = np.zeros(n, dtype=np.bool_)
        is_confident = np.zeros(n, dtype=np.bool_)
        # rows that have not stopped, and their total scores
        open_rows = np.arange(n)
        open_totals = np.zeros(n, dtype=np.int64)
        for k, (stage, band) in enumerate(zip(self.stages, bands, strict=True)):
            if k:
                open_totals += self._points(table, k - 1, open_rows)
            # of each reachable total
            no, yes = stops(stage, band, lower=lower, upper=upper, use=use)
            reaches_limit = no | yes
            ends = reaches_limit | (k == len(self))
            predicted_positive = yes | (~no & predicts_positive(stage.probability, cost_fn))
            # of each open row
            total_index = len(stage) - 1 - np.searchsorted(stage.totals[::-1], open_totals)
            is_done = ends[total_index]
            rows = open_rows[is_done]
            index = total_index[is_done]
            stop_stage[rows] = k
            probability[rows] = stage.probability[index]
            is_confident[rows] = reaches_limit[index]
            positive[rows] = predicted_positive[index]
            if band is not None:
                interval_lower[rows] = band.lower[index]
                interval_upper[rows] = band.upper[index]
            open_rows = open_rows[~is_done]
            open_totals = open_totals[~is_done]
        return Decisions(
            positive=positive,
            probability=probability,
            lower=interval_lower,
            upper=interval_upper,
            stage=stop_stage,
            n_asked=n_asked[stop_stage],
            cost=cost[stop_stage],
            is_confident=is_confident,
            n_stages=len(self),
        )

    def guaranteed_limit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        npv: float | None = None,
        ppv: float | None = None,
        guarantee: float = 0.95,
        lower: float | None = None,
        upper: float | None = None,
        sample_weight: Weights = None,
        pos_label: Any = None,
    ) -> float | None:
        """Find a limit for :meth:`decide` that keeps a promise on new data, too.

        Rows that reach the limit, at whatever stage, are ruled out (or ruled in) early, as many as
        the promise allows.

        Parameters
        ----------
        X, y, sample_weight, pos_label
            As for :meth:`from_counts`. Samples that had no part in making the list, which fits its
            own samples too well. Weights are whole numbers.
        npv, ppv : float, optional
            The promise, one of the two, strictly between 0 and 1: of those ruled out at least this
            share is negative, or of those ruled in at least this share is positive.
        guarantee : float, default=0.95
            Probability, strictly between 0 and 1, with which the promise is kept.
        lower, upper : float, optional
            The other limit, chosen before: ``upper`` with ``npv``, ``lower`` with ``ppv``. Rows
            that reach it first do not count.

        Returns
        -------
        float or None
            ``lower`` for :meth:`decide` if ``npv`` is promised, ``upper`` for ``ppv``. None, which
            stands for no limit there, if no limit keeps the promise.

        Raises
        ------
        ValueError
            If an argument is invalid, or not exactly one promise is given.

        See Also
        --------
        rocviz.core.practice.referral_policy : The same promises for a single score.

        Notes
        -----
        A row is ruled out by a limit if its lowest probability on the way, before it reaches the
        other limit, is at most that. So the limits order the rows without their classes, and
        fixed-sequence testing applies: limits are walked through from the strictest on, as long as
        Clopper and Pearson's one-sided bound keeps the promise.

        References
        ----------
        Angelopoulos et al. (2021), section on fixed-sequence testing.

        Examples
        --------
        >>> table = [{0: 0.3}, {0: 0.02, 1: 0.6}, {0: 0.01, 1: 0.3, 2: 0.9}]
        >>> scoring_list = ScoringList.from_table([1, 1], table)
        >>> X = [[0, 0]] * 200 + [[1, 0]] * 50 + [[1, 1]] * 50
        >>> y = [0] * 198 + [1] * 2 + [0, 1] * 50
        >>> scoring_list.guaranteed_limit(X, y, npv=0.95)
        0.01
        """
        promises = {}
        for name, given in (("npv", npv), ("ppv", ppv)):
            if given is not None:
                promises[name] = check_fraction(given, name)
        if len(promises) != 1:
            listed = " and ".join(promises) or "none"
            raise ValueError(f"exactly one of npv and ppv must be promised; got {listed}.")
        ((promise, share),) = promises.items()
        guarantee = check_fraction(guarantee, "guarantee")
        check_limits(lower, upper)
        rules_out = promise == "npv"
        found, other = ("lower", upper) if rules_out else ("upper", lower)
        if (lower if rules_out else upper) is not None:
            raise ValueError(f"{found} is what {promise} is promised for; it cannot be given.")
        table, positive, weight = self._counted_rows(X, y, sample_weight, pos_label)
        extreme = self._extreme_probability(table, other, lowest=rules_out)
        is_met = np.isfinite(extreme)
        is_right = positive != rules_out
        values, place = np.unique(extreme[is_met], return_inverse=True)
        if not rules_out:
            values = values[::-1]
            place = values.size - 1 - place
        weight = weight[is_met]
        n_right = np.bincount(place, weight * is_right[is_met], minlength=values.size)
        trials = np.cumsum(np.bincount(place, weight, minlength=values.size), dtype=np.float64)
        right = np.cumsum(n_right, dtype=np.float64)
        starts = walk_starts(trials, share, guarantee)
        is_kept = fixed_sequence(right, trials, share, guarantee, starts)
        return float(values[is_kept][-1]) if is_kept.any() else None

    def guaranteed_limits(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        npv: float,
        ppv: float,
        guarantee: float = 0.95,
        max_lower: float = 1.0,
        min_upper: float = 0.0,
        sample_weight: Weights = None,
        pos_label: Any = None,
    ) -> tuple[float | None, float | None]:
        """Find two limits for :meth:`decide` that keep both promises on new data, too.

        Parameters
        ----------
        X, y, sample_weight, pos_label
            As for :meth:`guaranteed_limit`; all questions are answered.
        npv, ppv : float
            The promises, strictly between 0 and 1: of those ruled out at least a share ``npv`` is
            negative, and of those ruled in at least a share ``ppv`` is positive.
        guarantee : float, default=0.95
            Probability, strictly between 0 and 1, with which both promises are kept.
        max_lower, min_upper : float
            The loosest limits that may be found, from 0 to 1.

        Returns
        -------
        lower, upper : float or None
            Limits for :meth:`decide`. None, which stands for no limit there, where a promise cannot
            be kept: nobody is then ruled out, or in, early.

        Raises
        ------
        ValueError
            If an argument is invalid.

        Notes
        -----
        Each zone depends on both limits, as a row stops at the first that it reaches. So walks,
        one for each of a few upper limits and one without, go through the lower limits from none
        and the strictest on, as long as Clopper and Pearson's bounds keep both promises; they share
        the error equally (Bonferroni). Of all pairs that keep both, the one at which most rows stop
        is taken.

        References
        ----------
        Angelopoulos et al. (2021), section on fixed-sequence testing.

        Examples
        --------
        >>> table = [{0: 0.3}, {0: 0.02, 1: 0.6}, {0: 0.01, 1: 0.3, 2: 0.9}]
        >>> scoring_list = ScoringList.from_table([1, 1], table)
        >>> X = [[0, 0]] * 200 + [[1, 0]] * 50 + [[1, 1]] * 150
        >>> y = [0] * 198 + [1] * 2 + [0, 1] * 25 + [1] * 150
        >>> scoring_list.guaranteed_limits(X, y, npv=0.95, ppv=0.9)
        (0.01, 0.9)
        >>> scoring_list.guaranteed_limits(X, y, npv=0.999, ppv=0.9)
        (None, 0.9)
        """
        npv = check_fraction(npv, "npv")
        ppv = check_fraction(ppv, "ppv")
        guarantee = check_fraction(guarantee, "guarantee")
        max_lower = check_fraction(max_lower, "max_lower", ends=True)
        min_upper = check_fraction(min_upper, "min_upper", ends=True)
        table, positive, weight = self._counted_rows(X, y, sample_weight, pos_label)
        highest = self._extreme_probability(table, None, lowest=False)
        may_be_in = highest >= min_upper
        values, place = np.unique(-highest[may_be_in], return_inverse=True)
        of_value = np.bincount(place, weight[may_be_in], minlength=values.size)
        sizes = np.cumsum(of_value, dtype=np.float64)
        tried = [None, *(-values[walk_starts(sizes, ppv, guarantee)]).tolist()]
        of_walk = 1 - (1 - guarantee) / len(tried)
        limits: tuple[float | None, float | None] = (None, None)
        most = 0.0
        for upper in tried:
            lowest = self._extreme_probability(table, upper, lowest=True)
            is_in = highest >= (np.inf if upper is None else upper)
            lowers = np.unique(lowest[lowest <= max_lower])
            if upper is not None:
                lowers = lowers[lowers < upper]
            # the number of lower limits that do not stop a row
            passed = np.searchsorted(lowers, lowest)
            right_out, n_out = _cumulative_counts(passed, ~positive, weight, lowers.size)
            right_in, n_in = _cumulative_counts(
                passed[is_in], positive[is_in], weight[is_in], lowers.size
            )
            right_in = weight @ (is_in & positive) - right_in
            n_in = weight @ is_in - n_in
            is_broken = np.zeros(lowers.size + 1, dtype=np.bool_)
            if upper is not None:
                is_broken |= is_bound_below(right_in, n_in, ppv, of_walk)
            is_broken[1:] |= is_bound_below(right_out[1:], n_out[1:], npv, of_walk)
            # no lower limit first, then none whose zone is too small to keep the promise
            start = max(1, int(np.searchsorted(n_out, least_trials(npv, of_walk))))
            walk = np.append(0, np.arange(start, lowers.size + 1))
            end = np.append(is_broken[walk], True).argmax()
            if not end:
                continue
            last = int(walk[end - 1])
            if n_out[last] + n_in[last] > most:
                most = float(n_out[last] + n_in[last])
                limits = (float(lowers[last - 1]) if last else None, upper)
        return limits

    def _counted_rows(
        self, X: ArrayLike, y: ArrayLike, sample_weight: Weights, pos_label: Any
    ) -> tuple[NDArray[Any], Bools, Floats]:
        """Check rows and labels whose weights count samples, which a guarantee needs."""
        table, positive, given_weight = check_data(self, X, y, sample_weight, pos_label)
        weight = np.ones(len(table)) if given_weight is None else given_weight
        if not has_whole_weights(weight, weight):
            raise ValueError(
                "guarantee needs sample_weight to be whole numbers: counts of samples."
            )
        return table, positive, weight

    def _extreme_probability(
        self, table: NDArray[Any], other: float | None, *, lowest: bool
    ) -> Floats:
        """Find each row's lowest, or highest, probability before it reaches the other limit.

        It is infinite for a row that reaches the other limit before any question.
        """
        sign = 1 if lowest else -1
        extreme = np.full(len(table), np.inf)
        open_rows = np.arange(len(table))
        open_totals = np.zeros(len(table), dtype=np.int64)
        for k, stage in enumerate(self.stages):
            if k:
                open_totals += self._points(table, k - 1, open_rows)
            index = len(stage) - 1 - np.searchsorted(stage.totals[::-1], open_totals)
            probability = sign * stage.probability[index]
            if other is not None:
                is_open = probability < sign * other
                open_rows = open_rows[is_open]
                open_totals = open_totals[is_open]
                probability = probability[is_open]
            extreme[open_rows] = np.minimum(extreme[open_rows], probability)
        return sign * extreme

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
        expected = "(pos, neg) of each stage"
        pairs = check_sequence(counts, "counts", expected)
        pairs = [check_sequence(pair, "counts", expected) for pair in pairs]
        if len(pairs) != len(self.stages) or any(len(pair) != 2 for pair in pairs):
            raise ValueError(
                f"counts must be (pos, neg) of each of the {len(self.stages)} stages; "
                f"got {describe(counts)}."
            )
        evaluated = []
        loss = []
        for own_stage, (pos, neg) in zip(self.stages, pairs, strict=True):
            if pos is own_stage.pos and neg is own_stage.neg:
                stage = own_stage
            else:
                stage = own_stage.with_counts(pos, neg)
            evaluated.append(stage)
            probability = own_stage.probability
            if use == "upper":
                probability = own_stage.band(confidence, **options).upper
            stage_pos, stage_neg = stage.counts
            cost = np.where(predicts_positive(probability, miss), stage_neg, miss * stage_pos)
            loss.append(cost.sum() / stage.n_samples)
        return StageScores(
            entropy=np.array([stage.entropy for stage in evaluated]),
            brier=np.array([stage.brier for stage in evaluated]),
            auc=np.array([stage.auc for stage in evaluated]),
            expected_loss=np.array([stage.expected_loss(miss) for stage in evaluated]),
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
        stages = []
        for stage in self.stages:
            row = {"totals": stage.totals.tolist(), "probability": stage.probability.tolist()}
            if stage.has_counts:
                pos, neg = stage.counts
                row["pos"] = pos.tolist()
                row["neg"] = neg.tolist()
            stages.append(row)
        return {
            "kind": _DICT_KIND,
            "version": _DICT_VERSION,
            "features": self.features.tolist(),
            "feature_names": list(self.feature_names),
            "scores": self.scores.tolist(),
            "thresholds": [_threshold_to_json(number) for number in self.thresholds.tolist()],
            "missing": self.missing,
            "missing_scores": self.missing_scores.tolist(),
            "stages": stages,
        }

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
        return cls(**_fields_from_dict(source))

    def to_frame(self) -> DataFrame:
        """Tabulate the probabilities as the paper does: stage by total score.

        Returns
        -------
        pandas.DataFrame
            One row per stage, by the name of the feature it adds ("prior" for none), one column
            per total in increasing order; NaN where a stage cannot reach a total.
        """
        import pandas as pd

        totals, rows = self._table(self.stages)
        index = pd.Index(["prior", *self.feature_names], name="after")
        return pd.DataFrame(rows, index=index, columns=pd.Index(totals, name="total"))

    @staticmethod
    def _table(stages: Sequence[ScoringStage]) -> tuple[list[int], Floats]:
        """List all totals in increasing order, and a row of probabilities per stage."""
        distinct: set[int] = set()
        for stage in stages:
            distinct.update(stage.totals.tolist())
        totals = sorted(distinct)
        rows = np.full((len(stages), len(totals)), np.nan)
        for row, stage in zip(rows, stages, strict=True):
            row[np.searchsorted(totals, stage.totals)] = stage.probability
        return totals, rows

    def __repr__(self) -> str:
        scores = zip(self.feature_names, self.scores.tolist(), strict=True)
        texts = [f"{shortened(name)}: {score:+d}" for name, score in scores]
        return first_lines(in_lines("<ScoringList: ", texts or ["no features"], ">"))

    def _repr_html_(self) -> str:
        """Write the table as HTML in the page's own text colour, for light and dark themes."""
        totals, probabilities = self._table(self.stages[:MAX_ROWS])
        point_columns = {"score": self.scores.tolist()}
        if self.missing == "score":
            point_columns["if not known"] = self.missing_scores.tolist()

        head = ["<th style='text-align:left'>after</th>"]
        head += [f"<th>{name}</th>" for name in point_columns]
        head += [f"<th>{_with_minus(str(total))}</th>" for total in totals]

        questions = ["(prior)", *(escape(question) for question in self.questions())]
        body = []
        for k, row in enumerate(probabilities.tolist()):
            cells = [f"<th style='text-align:left'>{questions[k]}</th>"]
            for points in point_columns.values():
                cells.append("<td></td>" if k == 0 else f"<td>{_points_text(points[k - 1])}</td>")
            cells += [_probability_cell(probability) for probability in row]
            body.append(f"<tr>{''.join(cells)}</tr>")
        size = len(self.stages)
        note = f"<p>first {MAX_ROWS} of {size} stages</p>" if size > MAX_ROWS else ""
        return (
            f"<div style='overflow-x:auto'><table><thead><tr>{''.join(head)}</tr></thead>"
            f"<tbody>{''.join(body)}</tbody></table></div>{note}"
        )


def _threshold_to_json(threshold: float) -> float | str | None:
    """Convert a threshold to a value of JSON: ``None`` for NaN, a word for infinity."""
    if np.isnan(threshold):
        return None
    return _THRESHOLD_WORDS.get(threshold, threshold)


def _threshold_from_json(value: Any) -> Any:
    """Convert back what :func:`_threshold_to_json` makes; the list checks all other values."""
    if value is None:
        return np.nan
    for number, word in _THRESHOLD_WORDS.items():
        if isinstance(value, str) and value == word:
            return number
    return value


def _fields_from_dict(source: Mapping[str, Any]) -> dict[str, Any]:
    """Read a list's fields from the result of ``to_dict``; the list checks them."""
    if not isinstance(source, Mapping) or source.get("kind") != _DICT_KIND:
        raise ValueError(
            f"source must be a result of ScoringList.to_dict(), of kind {describe(_DICT_KIND)}."
        )
    if source.get("version") != _DICT_VERSION:
        raise ValueError(
            f"source must be of version {_DICT_VERSION}; got version "
            f"{describe(source.get('version'))}."
        )
    names = (*_DICT_FIELDS, "stages")
    missing = [name for name in names if name not in source]
    if missing:
        raise ValueError(f"source lacks {', '.join(missing)}.")
    for name in names:
        if name != "missing" and not isinstance(source[name], list | tuple):
            raise ValueError(f"{name} must be a list; got {describe(source[name])}.")
    if any(not isinstance(name, str) for name in source["feature_names"]):
        raise ValueError(f"feature_names must be strings; got {describe(source['feature_names'])}.")
    fields = {name: source[name] for name in _DICT_FIELDS}
    fields["thresholds"] = [_threshold_from_json(value) for value in source["thresholds"]]
    stages = [_stage_from_dict(k, row) for k, row in enumerate(source["stages"])]
    return {**fields, "stages": tuple(stages)}


def _stage_from_dict(k: int, row: object) -> ScoringStage:
    """Read the k-th stage from its plain values."""
    if not isinstance(row, Mapping):
        raise ValueError(f"source, stage {k} must be a table by name; got {describe(row)}.")
    try:
        return ScoringStage(**row)
    except (TypeError, ValueError) as error:
        raise ValueError(f"source, stage {k}: {error}") from error


def _cumulative_counts(
    passed: NDArray[np.intp], is_right: Bools, weight: Floats, n_limits: int
) -> tuple[Floats, Floats]:
    """Count the rows that limits stop, and those of them that are right.

    From no limit to the loosest one; ``passed`` is how many limits do not stop a row.
    """
    counts = []
    for of_row in (weight * is_right, weight):
        stopped = np.bincount(passed, of_row, minlength=n_limits + 1)[:n_limits]
        counts.append(np.append(0.0, np.cumsum(stopped)))
    return counts[0], counts[1]


def _with_minus(text: str) -> str:
    """Replace hyphens by minus signs."""
    return text.replace("-", "−")


def _points_text(points: int) -> str:
    """Write points with their sign; 0 has none."""
    return _with_minus(f"{points:+d}") if points else "0"


def _probability_cell(probability: float) -> str:
    """Write a cell of the HTML table, empty for NaN, the darker the more probable."""
    if np.isnan(probability):
        return "<td></td>"
    # translucent, so that a cell tints both light and dark pages
    shade = f"background:rgba(213,94,0,{0.45 * probability:.2f})"
    return f"<td style='{shade}'>{probability:.2f}</td>"
