"""A scoring list as a scikit-learn classifier: learned from data, or written by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, replace
from numbers import Integral, Real
from typing import Any, Literal, Self, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.utils.validation import check_is_fitted

from rocviz.core.base.frozen import DataFrame
from rocviz.core.base.naming import prefix_error_with
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Seed,
    as_array,
    check_aligned,
    check_choice,
    check_fraction,
    check_integer,
    check_number,
    check_numbers,
    check_random_state,
    check_sequence,
    check_vector,
    describe,
    list_labels,
)
from rocviz.core.roc.segments import RankedSegments
from rocviz.core.scoring_lists.decisions import Decisions, StopOptions
from rocviz.core.scoring_lists.scoring_list import ScoringList, StageScores
from rocviz.core.scoring_lists.stage import STAGE_CALIBRATIONS, ScoringStage
from rocviz.core.scoring_lists.stage_band import IntervalOptions
from rocviz.estimators.base.classifier import BinaryClassifier, drop_zero_weights
from rocviz.estimators.base.cross_fitting import folds_of
from rocviz.estimators.base.repeats import run_fits
from rocviz.estimators.scoring_lists._columns import ListColumns
from rocviz.estimators.scoring_lists._learner import ListLearner, is_zero_one_column

Rows = NDArray[np.intp]

#: Most columns of X that a list from a file may have been learned from; each takes memory.
MAX_FEATURES = 1_000_000


@dataclass(eq=False, repr=False)
class ProbabilisticScoringList(BinaryClassifier, ListLearner):
    """A list of yes/no questions with integer scores, and a probability after each of them.

    Stage by stage the (feature, score[, threshold]) is added that lowers the loss of the stage
    most. After each stage the total score says how probable the positive class is, so
    questions can stop as soon as that is sure enough.

    Parameters
    ----------
    score_set : sequence of int, default=(-3, -2, -1, 1, 2, 3)
        Scores to choose from. The first feature gets the largest of its sign.
    loss : {"entropy", "brier", "rank", "raw_rank", "cost"} or callable, default="entropy"
        Loss of a stage's isotonic probabilities: expected entropy in bits, Brier score, soft
        rank loss (share of pairs in wrong order, ties counting one half: 1 - AUC of the hull)
        or expected cost. "raw_rank" is the soft rank loss of the totals as they are, 1 - AUC. A
        function gets the stage's :class:`~rocviz.RankedSegments`.
    cost_fn : float, default=1.0
        Cost of a false negative; a false positive costs 1. For ``loss="cost"``, and for
        :meth:`predict` and :meth:`decide` whatever the loss.
    binarize : {"in-search", "preprocess"}, default="in-search"
        Thresholds ``x > t`` of numbers: chosen with feature and score, by the loss of the
        stage; or before, feature by feature, by the entropy of the two sides. Columns
        that hold 0 and 1 only are kept as they are.
    thresholds : {"brute", "bisect"}, default="brute"
        Try every midpoint, or few: always half way from the best ones so far to their neighbours.
    calibration : {"isotonic", "beta", "sigmoid", "m-estimate"}, default="isotonic"
        Map from a stage's totals to probabilities; all of them increase with the total.
    m : float, default=2.0
        For "m-estimate": weight of the share of positives, in samples.
    calibration_data : "train", float, int or splitter, default="train"
        Data for probabilities and bands. "train": the data the list was learned
        from. A float: this share is held out of the learning (stratified). A number of
        folds, or a splitter: as many lists are learned without a fold, their totals in
        it are scaled to the final list's range and put at its nearest total. Its probabilities
        are calibrated on average, but its bands cover the truth less often than they promise, being
        made of other lists' totals: for bands, hold a share out.
    search : {"greedy", "beam", "exhaustive"}, default="greedy"
        One stage at a time; the ``beam_width`` best lists kept at each stage; or every list.
    lookahead : int, default=1
        Stages to look ahead in a greedy search; one is committed.
    beam_width : int, default=10
        Lists kept by ``search="beam"``.
    objective : {"mean", "last"}, default="mean"
        How searches compare lists of several stages: by the mean of their losses, or by the
        last.
    prefix : sequence of tuples (feature[, score[, threshold[, missing score]]]), optional
        First stages; entries left out or None are learned.
    allowed_scores : mapping of feature to scores, optional
        For features that may not have every score.
    feature_costs : mapping of feature to float, or array-like, shape (n_features,), optional
        Costs of asking. The search then counts the drop in loss per unit of cost. A
        feature that a mapping leaves out costs 1.
    budget : float, optional
        Most that the features of the list may cost together.
    max_stages : int, optional
        Most stages.
    loss_cutoff : float, optional
        Stop when the loss is this or less.
    tol : float, optional
        Stop when no stage lowers the loss by more than this. ``None`` adds every feature.
    missing : {"error", "zero", "score"}, default="error"
        NaN is refused, adds nothing to the total, or adds a score that is learned.
    random_state : int, RandomState, Generator or None, default=None
        For the held-out share, and for folds.
    verbose : bool, default=False
        Show how far a search is.
    pos_label : label, optional
        The positive class; by default ``classes_[1]``.

    Attributes
    ----------
    scoring_list_ : ScoringList
        The list itself: every stage with its totals, counts and probabilities.
    features_ : ndarray of int, shape (n_stages,)
        Columns in the order in which they are asked; if X had columns of categories, of what
        :meth:`encode` returns.
    scores_ : ndarray of int, shape (n_stages,)
        Points for yes.
    thresholds_ : ndarray of float, shape (n_stages,)
        The answer is yes where ``x > t``; NaN for a column of 0 and 1, -inf for always, inf for
        never.
    missing_scores_ : ndarray of int, shape (n_stages,)
        Points for a missing value.
    stage_losses_ : ndarray of float, shape (n_stages + 1,)
        Loss of every stage on the data it was learned from; NaN for a list written by hand.
    stop_reason_ : str
        Why the list is not longer.
    classes_ : ndarray, shape (2,)
        Labels.
    pos_label_ : label
        The positive class.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        If X came with names.

    Notes
    -----
    Features are named by their column number or, where X is a table with names, by name.

    Columns of words or categories (strings, pandas' and polars' categories) in a data frame are
    taken as they are: a category is a yes/no question such as ``"colour = red"``, of two the
    second. Costs and allowed scores of ``"colour"`` are those of each of its questions, and a
    list that asks two of them pays twice. A category that was not seen in fit is none of those
    that were.

    Ctrl-C during ``fit`` keeps the best list found so far, with a warning.

    References
    ----------
    Hanselle et al. (2024), section 4.

    Examples
    --------
    >>> from rocviz.datasets import make_chest_pain
    >>> X, y = make_chest_pain(return_X_y=True, as_frame=True)
    >>> model = ProbabilisticScoringList(max_stages=2).fit(X, y)
    >>> model.inspect()[["score", "loss"]].round(3)
    total             score   loss
    after
    prior              <NA>  0.508
    age and sex           3  0.441
    vascular disease      2  0.401
    >>> model.predict_proba(X[:2]).round(3)
    array([[0.52 , 0.48 ],
           [0.858, 0.142]])
    >>> model.decide(X, lower=0.05).stage_distribution().round(2)
    array([0.  , 0.61, 0.39])
    """

    _: KW_ONLY
    loss: (
        Literal["entropy", "brier", "rank", "raw_rank", "cost"] | Callable[[RankedSegments], float]
    ) = "entropy"
    cost_fn: float = 1.0
    calibration: Literal["isotonic", "beta", "sigmoid", "m-estimate"] = "isotonic"
    m: float = 2.0
    calibration_data: Any = "train"
    random_state: Seed = None

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn the list, and the probabilities of its stages.

        Parameters
        ----------
        X : array-like or data frame, shape (n_samples, n_features)
            Numbers, in a data frame categories too; NaN if ``missing`` allows it.
        y : array-like, shape (n_samples,)
            Labels of exactly two classes.
        sample_weight : array-like of float, shape (n_samples,), optional
            Not negative; a weight of two counts as having the sample twice.

        Returns
        -------
        ProbabilisticScoringList
            Itself.

        Raises
        ------
        ValueError
            If labels are not of two classes, or a parameter is invalid.
        """
        self._check_parameters()
        check_choice(self.calibration, "calibration", STAGE_CALIBRATIONS)
        check_number(self.m, "m", minimum=0.0)
        check_number(self.cost_fn, "cost_fn", above=0.0)
        rng = check_random_state(self.random_state)
        kind = self._calibration_kind()
        check_aligned(X=X, y=y, sample_weight=sample_weight)
        X, y = self._read_training(X, y)
        positive, weight, classes = self._read_target(X, y, sample_weight)
        X, positive, weight = drop_zero_weights(X, positive, weight)
        names = self._columns()
        # a slice, since picking all rows would copy them
        learning_rows: Any = slice(None)
        calibration_rows: Any = learning_rows
        if kind == "held-out":
            learning_rows, calibration_rows = _hold_out(positive, float(self.calibration_data), rng)

        binary = is_zero_one_column(X)

        def learn(rows: Any, max_stages: int | None = None) -> tuple[Any, Any]:
            return self._learn(
                X[rows],
                binary,
                positive=positive[rows],
                weight=None if weight is None else weight[rows],
                loss=self.loss,
                cost_fn=self.cost_fn,
                max_stages=max_stages,
            )

        def count(learned: Any, thresholds: Any, rows: Any) -> ScoringList:
            return ScoringList.from_counts(
                learned.features,
                learned.scores,
                X[rows],
                positive[rows],
                thresholds=thresholds,
                missing_scores=learned.missing_scores,
                missing=self.missing,
                feature_names=names.of(learned.features),
                sample_weight=None if weight is None else weight[rows],
                calibration=self.calibration,
                m=self.m,
            )

        learned, thresholds = learn(learning_rows)
        fitted = count(learned, thresholds, calibration_rows)
        if kind == "folds":
            # an interrupted search should not wait for stages that are not needed
            max_stages = len(fitted) if learned.stop_reason == "stopped" else None

            def fit_fold(rows: Any) -> ScoringList:
                fold_learned, fold_thresholds = learn(rows, max_stages)
                return count(fold_learned, fold_thresholds, rows)

            fitted = _calibrate_out_of_fold(
                fitted,
                X,
                positive,
                weight,
                fit_fold,
                cv=self.calibration_data,
                rng=rng,
                method=self.calibration,
                m=self.m,
            )
        self._take_over(fitted, classes, learned.stage_losses, learned.stop_reason)
        return self

    def _calibration_kind(self) -> str:
        """Find the kind of ``calibration_data``."""
        data = self.calibration_data
        if isinstance(data, str) and data == "train":
            return "train"
        if isinstance(data, Integral) and not isinstance(data, bool) and int(data) >= 2:
            return "folds"
        with suppress(ValueError):
            check_fraction(data, "calibration_data")
            return "held-out"
        if not isinstance(data, (str, Real)) and (hasattr(data, "split") or np.iterable(data)):
            return "folds"
        raise ValueError(
            "calibration_data must be 'train', a share between 0 and 1, a number of folds from 2 "
            f"on, or a splitter; got {describe(data)}."
        )

    @classmethod
    def from_table(
        cls,
        scores: ArrayLike,
        table: Sequence[Mapping[int, float]],
        *,
        classes: Sequence[Any] = (0, 1),
        n_features: int | None = None,
        features: ArrayLike | None = None,
        feature_names: Sequence[str] | None = None,
        thresholds: ArrayLike | None = None,
    ) -> Self:
        """Make a fitted classifier from scores and probabilities written by hand.

        Parameters
        ----------
        scores, table, features, feature_names, thresholds
            As for :meth:`rocviz.ScoringList.from_table`.
        classes : sequence of two labels, default=(0, 1)
            Two different labels; the positive class is the second, which becomes ``pos_label``.
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
        scoring_list = ScoringList.from_table(
            scores, table, features=features, feature_names=feature_names, thresholds=thresholds
        )
        labels = _two_labels(classes)
        needed = int(scoring_list.features.max(initial=0)) + 1
        model = cls(pos_label=labels.tolist()[1])
        model.n_features_in_ = needed
        if n_features is not None:
            model.n_features_in_ = check_integer(n_features, "n_features", needed)
        model._take_over(scoring_list, labels, np.full(len(scoring_list) + 1, np.nan), "by hand")
        return model

    def _take_over(self, fitted: ScoringList, classes: Any, losses: Any, stop_reason: str) -> None:
        self.scoring_list_ = fitted
        self._take_classes(classes)
        self._take_list(fitted, losses, stop_reason)

    def inspect(self) -> DataFrame:
        """Tabulate the list.

        Returns
        -------
        pandas.DataFrame
            One row per stage, named after the feature it adds; columns ``threshold``, ``score``,
            ``loss``, and the probability at each total, NaN where it cannot be reached. A list
            made with ``missing="score"`` has a column ``missing score`` too.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If it has not been fitted.
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

    def _learned_html(self) -> str:
        html: str = self.scoring_list_._repr_html_()
        return html

    def to_dict(self) -> dict[str, Any]:
        """Write the fitted list as plain values that JSON can represent.

        The parameters of learning are not kept, only ``cost_fn``, ``missing`` and
        ``feature_costs``, which a fitted list uses.

        Returns
        -------
        dict

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If it has not been fitted.
        """
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        costs = self._columns().costs(self.feature_costs)
        fields: dict[str, Any] = {
            "classes": self.classes_.tolist(),
            "pos_label": self.classes_.tolist()[self._column],
            "n_features": int(self.n_features_in_),
            "feature_names": None if names is None else [str(name) for name in names],
            "stage_losses": [None if np.isnan(x) else x for x in self.stage_losses_.tolist()],
            "stop_reason": self.stop_reason_,
            "cost_fn": float(self.cost_fn),
            "feature_costs": None if costs is None else costs.tolist(),
            "scoring_list": self.scoring_list_.to_dict(),
        }
        if self._nominal is not None:
            fields["categories"] = [list(pair) for pair in self._nominal.sources]
        return fields

    @classmethod
    def from_dict(cls, source: Mapping[str, Any]) -> Self:
        """Read the fitted classifier that :meth:`to_dict` wrote.

        Takes the ``source`` of :meth:`rocviz.ScoringList.from_dict` and raises its errors.
        """
        if not isinstance(source, Mapping):
            raise ValueError(f"source must be a result of to_dict(); got {describe(source)}.")
        try:
            scoring_list = ScoringList.from_dict(source["scoring_list"])
            costs = source["feature_costs"]
            model = cls().set_params(
                missing=scoring_list.missing,
                cost_fn=check_number(source["cost_fn"], "cost_fn", above=0.0),
                feature_costs=None if costs is None else check_vector(costs, "feature_costs"),
            )
            model.n_features_in_ = check_integer(
                source["n_features"], "n_features", 0, MAX_FEATURES
            )
            if source["feature_names"] is not None:
                names = check_sequence(source["feature_names"], "feature_names", "names")
                if len(names) != model.n_features_in_ or not all(isinstance(n, str) for n in names):
                    raise ValueError(
                        f"feature_names must be {model.n_features_in_} names; "
                        f"got {describe(names)}."
                    )
                model.feature_names_in_ = np.array(names, dtype=object)
            if "categories" in source:
                pairs = check_sequence(source["categories"], "categories", "pairs")
                model._nominal = ListColumns(model.n_features_in_, source["feature_names"], pairs)
            losses = check_numbers(source["stage_losses"], "stage_losses")
            labels = _two_labels(source["classes"])
            if losses.shape != (len(scoring_list) + 1,):
                raise ValueError("stage_losses must have one entry for each stage.")
            model.pos_label = source["pos_label"]
            model._take_over(scoring_list, labels, losses, source["stop_reason"])
        except (IndexError, KeyError, TypeError) as error:
            raise ValueError(f"source was not written by to_dict(): {describe(error)}.") from error
        return model

    # ------------------------------------------------------------------ predicting

    def predict_proba(self, X: Any, stage: int = -1) -> Floats:
        """Predict probabilities at a stage.

        Takes the parameters of :meth:`total_scores`.

        Returns
        -------
        ndarray of float, shape (n_samples, 2)
            Of both classes, in the order of ``classes_``.
        """
        rows = self._read(X)
        prob = self.scoring_list_.predict_proba(rows, stage)
        return self._columns_of(1 - prob, prob)

    def predict(self, X: Any, stage: int = -1) -> Any:
        """Predict the class with the lower expected cost; the negative one if both cost alike.

        Takes the parameters of :meth:`predict_proba`.

        Returns
        -------
        ndarray, shape (n_samples,)
            Labels: the positive one where ``1 - p < cost_fn * p``.
        """
        rows = self._read(X)
        positive = self.scoring_list_.predict(rows, stage, cost_fn=self.cost_fn)
        return self._labels(positive)

    def interval(
        self, X: Any, stage: int = -1, confidence: float = 0.95, **options: Unpack[IntervalOptions]
    ) -> tuple[Floats, Floats]:
        """Compute an interval of each sample's probability of the positive class.

        It belongs to the fitted list: a sample gets the same one alone and among others.

        Takes, returns and raises the same as :meth:`rocviz.ScoringList.interval`.
        """
        rows = self._read(X)
        return self.scoring_list_.interval(rows, stage, confidence, **options)

    def decide(
        self, X: Any, *, feature_costs: Any = None, **stop: Unpack[StopOptions]
    ) -> Decisions:
        """Ask one question after the other, sample by sample, and stop when sure.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            Samples. Values that a sample stops before may be NaN.
        lower, upper : float, optional
            A sample is ruled out at a probability of ``lower`` or less, ruled in at ``upper`` or
            more; between them the next question is asked. Those that reach no limit get the class
            of lower expected cost at the end.
        use, confidence, method, correction
            As for :meth:`rocviz.ScoringList.decide`.
        feature_costs : mapping of feature to float, or array-like, shape (n_features,), optional
            Costs of asking; the parameter of the same name if not given, else 1 each.

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

    def guaranteed_limit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        npv: float | None = None,
        ppv: float | None = None,
        guarantee: float = 0.95,
        lower: float | None = None,
        upper: float | None = None,
    ) -> float | None:
        """Find a limit for :meth:`decide` that keeps a promise on new data, too.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            Samples other than those of ``fit``. Values that a sample stops before may be NaN.
        y : array-like, shape (n_samples,)
            Labels.
        sample_weight : array-like of float, shape (n_samples,), optional
            Whole numbers.
        npv, ppv, guarantee, lower, upper
            As for :meth:`rocviz.ScoringList.guaranteed_limit`.

        Returns
        -------
        float or None
            ``lower`` if ``npv`` is promised, ``upper`` for ``ppv``; None if no limit keeps it.

        Raises
        ------
        ValueError
            If labels are others than in ``fit``, or an argument is invalid.
        """
        check_aligned(X=X, y=y, sample_weight=sample_weight)
        rows = self._read(X, may_miss=True)
        return self.scoring_list_.guaranteed_limit(
            rows,
            self._positive(y),
            sample_weight=sample_weight,
            npv=npv,
            ppv=ppv,
            guarantee=guarantee,
            lower=lower,
            upper=upper,
        )

    def guaranteed_limits(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        npv: float,
        ppv: float,
        guarantee: float = 0.95,
        max_lower: float = 1.0,
        min_upper: float = 0.0,
    ) -> tuple[float | None, float | None]:
        """Find two limits for :meth:`decide` that keep both promises on new data, too.

        Parameters
        ----------
        X, y, sample_weight
            As for :meth:`guaranteed_limit`; all questions are answered.
        npv, ppv, guarantee, max_lower, min_upper
            As for :meth:`rocviz.ScoringList.guaranteed_limits`.

        Returns
        -------
        lower, upper : float or None
            None where a promise cannot be kept.

        Raises
        ------
        ValueError
            If labels are others than in ``fit``, or an argument is invalid.
        """
        check_aligned(X=X, y=y, sample_weight=sample_weight)
        return self.scoring_list_.guaranteed_limits(
            self._read(X),
            self._positive(y),
            sample_weight=sample_weight,
            npv=npv,
            ppv=ppv,
            guarantee=guarantee,
            max_lower=max_lower,
            min_upper=min_upper,
        )

    # ------------------------------------------------------------------ evaluation

    def evaluate(self, X: Any, y: Any, sample_weight: Any = None, **options: Any) -> StageScores:
        """Compute entropy, Brier score, AUC and loss of every stage on some data.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
        y : array-like, shape (n_samples,)
            Labels; all of one class are fine, the AUC is NaN then.
        sample_weight : array-like of float, shape (n_samples,), optional
        **options
            ``use="upper"`` for risk-averse decisions, with ``confidence, method, correction``
            of the interval whose upper end is used.

        Raises
        ------
        ValueError
            If labels are others than in ``fit``, or an argument is invalid.
        """
        check_aligned(X=X, y=y, sample_weight=sample_weight)
        rows = self._read(X)
        return self.scoring_list_.evaluate(
            rows,
            self._positive(y),
            sample_weight=sample_weight,
            **{"cost_fn": self.cost_fn, **options},
        )

    def score(self, X: Any, y: Any, sample_weight: Any = None, stage: int = -1) -> float:
        """Compute minus the Brier score of a stage: 0 is best, higher is better.

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
        with prefix_error_with("y"):
            is_unknown = ~np.isin(labels, self.classes_)
        unknown = sorted({describe(label) for label in labels[is_unknown].tolist()})
        if unknown:
            more = ", ..." if len(unknown) > 5 else ""
            raise ValueError(
                f"y holds {', '.join(unknown[:5])}{more}; the classes of the list are "
                f"{list_labels(self.classes_.tolist())}."
            )
        return labels == self.pos_label_

    # ------------------------------------------------------------------ stages

    def stage_number(self, stage: int) -> int:
        """Count a stage from 0, given one that may be negative.

        Takes the parameters of :meth:`ScoringList.stage_number`.

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
        """Select a stage: its totals, their probabilities and counts, as ranked segments too.

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


def _two_labels(classes: Any) -> Any:
    labels = as_array(classes, "classes", "two labels")
    if labels.shape != (2,) or labels[0] == labels[1]:
        raise ValueError(f"classes must be two different labels; got {describe(classes)}.")
    return labels


# ---------------------------------------------------------------------- data for probabilities


def _hold_out(positive: Bools, share: float, rng: np.random.Generator) -> tuple[Rows, Rows]:
    """Split off a stratified share of all rows for the probabilities."""
    smaller_class = int(min(positive.sum(), (~positive).sum()))
    if smaller_class < 2:
        raise ValueError(
            "calibration_data: holding samples out needs two of each class; the smaller class has "
            f"{smaller_class}."
        )
    splitter = StratifiedShuffleSplit(1, test_size=share, random_state=int(rng.integers(2**31)))
    with prefix_error_with("calibration_data"):
        return next(splitter.split(positive, positive))


def _calibrate_out_of_fold(
    fitted: ScoringList,
    X: Floats,
    positive: Bools,
    weight: Floats | None,
    fit_fold: Callable[[Rows], ScoringList],
    *,
    cv: Any,
    rng: np.random.Generator,
    method: str,
    m: float,
) -> ScoringList:
    """Fit the probabilities of a list to counts from lists learned without the samples.

    Lists of different folds have different totals. Each sample's total is therefore scaled
    from the range that its own list can reach to the range of ``fitted``, and counted at the
    nearest total there. A list with fewer stages stays at its last. The folds go through joblib.
    """
    # weight of negatives and positives with each total of each stage
    counts = [np.zeros((2, len(stage))) for stage in fitted.stages]
    labels = np.where(positive, "positive", "negative")
    folds = folds_of(cv, positive, labels, weight, {}, "calibration_data", rng)
    inputs = ((fit_fold, fitted.stages, X[test], train) for train, test in folds)
    indices_of_folds = run_fits(
        _nearest_totals_of_fold, inputs, range(len(folds)), None, None, "cross-validation"
    )
    for (_, test), indices in zip(folds, indices_of_folds, strict=True):
        test_weight = np.ones(test.size) if weight is None else weight[test]
        for count, nearest in zip(counts, indices, strict=True):
            np.add.at(count, (positive[test].astype(np.intp), nearest), test_weight)
    stages = []
    for stage, (neg, pos) in zip(fitted.stages, counts, strict=True):
        stages.append(ScoringStage.fit(stage.totals, pos, neg, method=method, m=m))
    return replace(fitted, stages=tuple(stages))


def _nearest_totals_of_fold(
    fit_fold: Callable[[Rows], ScoringList],
    stages: tuple[ScoringStage, ...],
    X: Floats,
    train: Rows,
) -> list[Rows]:
    """Find for each stage the total nearest to each sample's total in the list of a fold."""
    fold_list = fit_fold(train)
    nearest = []
    for k, stage in enumerate(stages):
        fold_stage = min(k, len(fold_list))
        totals = fold_list.total_scores(X, fold_stage)
        position = _relative_position(totals, fold_list.stages[fold_stage])
        nearest.append(_nearest_total(position, stage))
    return nearest


def _relative_position(totals: NDArray[np.int64], stage: ScoringStage) -> Floats:
    """Scale totals to [0, 1] between the lowest and the highest that can be reached."""
    low = int(stage.totals[-1])
    high = int(stage.totals[0])
    if low == high:
        return np.full(totals.size, 0.5)
    return (totals - low) / (high - low)


def _nearest_total(position: Floats, stage: ScoringStage) -> Rows:
    """Find the index of the total nearest to each position; of two, the higher total."""
    low = int(stage.totals[-1])
    high = int(stage.totals[0])
    scaled = low + position * (high - low)
    rising = stage.totals[::-1]
    middles = (rising[:-1] + rising[1:]) / 2
    return rising.size - 1 - np.searchsorted(middles, scaled, side="right")
