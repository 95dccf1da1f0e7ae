"""A probabilistic scoring list as a scikit-learn classifier: learned from data, or written by hand.

The search is the core's, and so is the fitted list with its stages, bands and decisions. Knows
nothing of plots or widgets.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.validation import (
    Seed,
    check_choice,
    check_fraction,
    check_number,
    check_random_state,
    describe,
)
from rocviz.core.roc.segments import RankedSegments
from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.core.scoring_lists.stage_probability import STAGE_CALIBRATIONS
from rocviz.estimators.base.classifier import check_target, drop_zero_weights
from rocviz.estimators.scoring_lists._calibration import held_out, out_of_fold
from rocviz.estimators.scoring_lists._written import WrittenListClassifier
from rocviz.estimators.scoring_lists.learning import yes_or_no

StageLoss = (
    Literal["entropy", "brier", "rank", "raw_rank", "cost"] | Callable[[RankedSegments], float]
)


@dataclass(eq=False, repr=False)
class ProbabilisticScoringList(WrittenListClassifier):
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
        How a stage's totals become probabilities; all of them rise with the total.
    m : float, default=2.0
        For "m-estimate": weight of the share of positives, in samples.
    calibration_data : "train", float, int or splitter, default="train"
        What probabilities and bands are made from. "train": the data the list was learned
        from. A float: this share is held out of the learning (stratified). A number of
        folds, or a splitter: as many lists are learned without a fold, their totals in
        it are scaled to the final list's range and put at its nearest total. Its probabilities
        are calibrated on average, but its bands hold less often than they promise, being made of
        other lists' totals: for bands, hold a share out.
    search : {"greedy", "beam", "exhaustive"}, default="greedy"
        One stage at a time; the ``beam_width`` best lists kept at each stage; or every list.
    lookahead : int, default=1
        Stages to look ahead in a greedy search; one is committed.
    beam_width : int, default=10
        Lists kept by ``search="beam"``.
    objective : {"mean", "last"}, default="mean"
        What searches that compare lists of several stages want to be small: the mean of
        their losses, or the last.
    prefix : sequence of tuples (feature[, score[, threshold[, missing score]]]), optional
        First stages, as they are wanted; what is left out or None is learned.
    allowed_scores : mapping of feature to scores, optional
        For features that may not have every score.
    feature_costs : mapping of feature to float, or array-like, shape (n_features,), optional
        What it costs to ask. The search then counts the drop in loss per unit of cost. A
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
        For what is held out, and for folds.
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
            If labels are not of two classes, or a parameter is not as said above.
        """
        self._check_parameters()
        check_choice(self.calibration, "calibration", STAGE_CALIBRATIONS)
        check_number(self.m, "m", minimum=0.0)
        check_number(self.cost_fn, "cost_fn", above=0.0)
        rng = check_random_state(self.random_state)
        kind = self._calibration_kind()
        X, y = self._read_training(X, y)
        positive, weight, classes = check_target(X, y, sample_weight, self.pos_label)
        X, positive, weight = drop_zero_weights(X, positive, weight)
        names = self._columns()
        # a slice, since picking all rows would copy them
        kept: Any = slice(None)
        rows: Any = kept
        if kind == "held-out":
            kept, rows = held_out(positive, float(self.calibration_data), rng)

        binary = yes_or_no(X)

        def learn(part: Any, max_stages: int | None = None) -> Any:
            of_part = None if weight is None else weight[part]
            return self._learn(
                X[part],
                binary,
                positive=positive[part],
                weight=of_part,
                loss=self.loss,
                cost_fn=self.cost_fn,
                max_stages=max_stages,
            )

        def count(found: Any, part: Any) -> ScoringList:
            learned, cuts = found
            return ScoringList.from_counts(
                learned.features,
                learned.scores,
                X[part],
                positive[part],
                thresholds=cuts,
                missing_scores=learned.missing_scores,
                missing=self.missing,
                feature_names=names.of(learned.features),
                sample_weight=None if weight is None else weight[part],
                calibration=self.calibration,
                m=self.m,
            )

        found = learn(kept)
        fitted = count(found, rows)
        if kind == "folds":
            # whoever interrupts does not want to wait for stages that are not needed
            most = len(fitted) if found[0].stop_reason == "stopped" else None
            fitted = out_of_fold(
                fitted,
                X,
                positive,
                weight,
                lambda part: count(learn(part, most), part),
                cv=self.calibration_data,
                rng=rng,
                method=self.calibration,
                m=self.m,
            )
        self._take_over(fitted, classes, found[0].stage_losses, found[0].stop_reason)
        return self

    def _calibration_kind(self) -> str:
        """Return what ``calibration_data`` asks for."""
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
