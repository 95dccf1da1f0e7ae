"""Classifiers that choose labels for a metric: for one batch at a time, or by one threshold.

Speaks scikit-learn's estimator interface; expected utilities, optimum and best threshold are the
core's. Knows nothing of plots or widgets.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import MetadataRouter, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from rocviz.core._validation import Floats, check_choice
from rocviz.core.decision import Decision, optimal_decision
from rocviz.core.empirical_utility import best_empirical_threshold
from rocviz.core.utility import Metric, resolve_metric
from rocviz.estimators._routing import (
    check_cv_parameter,
    cross_fit,
    cross_fit_router,
    inner_tags,
    router,
    take_over_features,
)
from rocviz.estimators._scores import (
    above_threshold,
    classes_of_prefit,
    positive_score,
    response_of,
    two_classes,
)

__all__ = ["DecisionTheoreticClassifier", "EmpiricalUtilityClassifier"]

_RESPONSES = ("auto", "predict_proba", "decision_function")


class _ForMetric(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """What both classifiers share: the metric's options and the probabilities."""

    estimator: Any
    metric: Any
    beta: float
    cost_fp: float
    cost_fn: float
    zero_division: float

    def _metric(self) -> Metric:
        return resolve_metric(
            self.metric,
            beta=self.beta,
            cost_fp=self.cost_fp,
            cost_fn=self.cost_fn,
            zero_division=self.zero_division,
        )

    @available_if(lambda self: hasattr(self.estimator, "predict_proba"))
    def predict_proba(self, X: Any) -> Floats:
        """Return the probabilities of the classifier inside, as they are.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of float, shape (n_samples, 2)
            Of the negative and the positive class, in the order of ``classes_``.
        """
        check_is_fitted(self)
        return self.estimator_.predict_proba(X)

    def __sklearn_tags__(self) -> Any:
        return inner_tags(super().__sklearn_tags__(), self.estimator)


class DecisionTheoreticClassifier(_ForMetric):
    """Label a whole batch of samples so that a metric of the batch is highest on average.

    The probabilities of the samples say how likely each outcome of the labels is, and so what
    the metric is on average for any prediction. ``predict`` makes the best one: the samples
    with the highest probabilities, and exactly so many of them as is best for this batch.

    **What a batch is.** All rows given to one call of ``predict``. Metrics such as F1 are no
    averages over samples, so the best label of a sample depends on which others come with it, and
    predicting rows one by one is another problem with another answer. For F1 a sample alone is
    called positive unless its probability is 0: a miss costs the whole F1 of that batch, a false
    alarm costs nothing since there is nothing to find. Hand over together what will be
    judged together. For ``"accuracy"`` and ``"cost"``, which are averages, batches do not matter.

    Parameters
    ----------
    estimator : classifier
        With ``predict_proba``, whose probabilities should be right: see
        :class:`HullCalibratedClassifier`. A ``FrozenEstimator`` is used as it is.
    metric : str, LinearFractional or callable, default="f"
        What to maximise, see :func:`rocviz.optimal_decision`.
    beta : float, default=1.0
        Of the F measure.
    cost_fp, cost_fn : float, default=1.0
        Of ``"cost"``: of a false alarm and of a miss.
    zero_division : float, default=0.0
        The metric's value where it is 0/0.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        Labels; the second is the positive class.
    estimator_ : classifier
        Fitted.
    n_features_in_ : int
        If the classifier has it.
    feature_names_in_ : ndarray of str
        If the classifier has it.

    See Also
    --------
    EmpiricalUtilityClassifier : One threshold for all batches.
    rocviz.optimal_decision : The same for probabilities that are there already.
    rocviz.compare_decisions : Which of them is better on data at hand.

    Notes
    -----
    Nothing about a batch is kept in the estimator: :meth:`decide` returns number of positives,
    threshold and all expected utilities. Of samples with equal probabilities at the threshold,
    those that come first are called positive.

    References
    ----------
    Natarajan, Koyejo, Ravikumar and Dhillon (2014), "Optimal decision-theoretic classification
    using non-decomposable performance metrics".

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = DecisionTheoreticClassifier(GaussianNB(), metric="f").fit(X[::2, :4], y[::2])
    >>> batch = X[1:41:2, :4]
    >>> decision = model.decide(batch)
    >>> decision.k_star, round(decision.threshold, 3), round(decision.utility, 3)
    (9, 0.962, 0.985)
    >>> sixth = batch[5:6]
    >>> float(model.predict_proba(sixth)[0, 1].round(3))
    0.011
    >>> int(model.predict(batch)[5]), int(model.predict(sixth)[0])  # with others, and alone
    (0, 1)
    """

    def __init__(
        self,
        estimator: Any,
        metric: Any = "f",
        *,
        beta: float = 1.0,
        cost_fp: float = 1.0,
        cost_fn: float = 1.0,
        zero_division: float = 0.0,
    ) -> None:
        self.estimator = estimator
        self.metric = metric
        self.beta = beta
        self.cost_fp = cost_fp
        self.cost_fn = cost_fn
        self.zero_division = zero_division

    def fit(self, X: Any, y: Any, **fit_params: Any) -> DecisionTheoreticClassifier:
        """Fit the classifier inside; the metric plays no part in it.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            Training data, whatever the classifier takes.
        y : array-like, shape (n_samples,)
            Labels of exactly two classes.
        **fit_params : dict
            Passed on to the classifier's ``fit``, or routed if metadata routing is enabled.

        Returns
        -------
        DecisionTheoreticClassifier
            Itself.

        Raises
        ------
        ValueError
            If labels are not of two classes, the classifier has no ``predict_proba``, or a
            parameter is not as said above.
        """
        self._metric()
        response_of(self.estimator, wanted="predict_proba")
        X, y = indexable(X, y)
        y, classes = two_classes(y)
        if get_config()["enable_metadata_routing"]:
            fit_params = process_routing(self, "fit", **fit_params).estimator.fit
        fitted = clone(self.estimator).fit(X, y, **fit_params)
        self.classes_ = classes_of_prefit(fitted, classes)
        self.estimator_ = fitted
        take_over_features(self, fitted)
        return self

    def decide(self, X: Any) -> Decision:
        """Return the best decision for a batch, with what it is expected to give.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            The batch.

        Returns
        -------
        Decision
            Labels, their number, the threshold, and the expected utility of every number of
            positives.
        """
        check_is_fitted(self)
        prob = positive_score(self.estimator_, X, "predict_proba")
        return optimal_decision(prob, self._metric())

    def predict(self, X: Any) -> Any:
        """Return the labels that are best for this batch as a whole.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            The batch: what a sample is called depends on the others.

        Returns
        -------
        ndarray, shape (n_samples,)
            Labels.
        """
        labels = self.decide(X).labels
        return self.classes_[labels.astype(int)]

    def get_metadata_routing(self) -> MetadataRouter:
        """Return who takes which metadata: the classifier's fit.

        Returns
        -------
        sklearn.utils.metadata_routing.MetadataRouter
        """
        return router(self, self.estimator)


class EmpiricalUtilityClassifier(_ForMetric):
    """Call positive what scores at or above the threshold that was best on training data.

    Every training sample is scored by a copy of the classifier that did not see it. Of all
    cut-offs between two different scores, one is best for the metric of these samples taken
    together: the threshold for all new samples, which are scored by the classifier fitted to all
    training data. A sample's label does not depend on what comes with it.

    Parameters
    ----------
    estimator : classifier
        With ``predict_proba`` or ``decision_function``. Only the order of its scores matters,
        so it need not be calibrated.
    metric : str, LinearFractional or callable, default="f"
        What to maximise, see :func:`rocviz.optimal_decision`.
    cv : int, splitter, iterable of (train, test) indices, "prefit" or None, default=None
        How to cross-fit; every sample must be in exactly one test part. ``None`` is five
        stratified folds, or as many as the smaller class has samples. With ``"prefit"``, and
        whenever ``estimator`` is a ``FrozenEstimator``, the classifier is taken as it is and
        all data given to ``fit`` choose the threshold: data it was not fitted to.
    beta : float, default=1.0
        Of the F measure.
    cost_fp, cost_fn : float, default=1.0
        Of ``"cost"``: of a false alarm and of a miss.
    zero_division : float, default=0.0
        The metric's value where it is 0/0.
    response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
        Which of the classifier's outputs is the score. ``"auto"`` takes ``predict_proba``
        where there is one.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        Labels; the second is the positive class.
    estimator_ : classifier
        The fitted classifier that scores new samples.
    threshold_ : float
        Lowest score that is called positive. If it is best to call nothing positive, just above
        1, or above the highest score of a ``decision_function`` on the training samples.
    utility_ : float
        The metric of the training samples, cut at that threshold. Being the best of many,
        it is a little too high for new samples.
    n_features_in_ : int
        If the classifier has it.
    feature_names_in_ : ndarray of str
        If the classifier has it.

    See Also
    --------
    DecisionTheoreticClassifier : A threshold for each batch, from probabilities.
    sklearn.model_selection.TunedThresholdClassifierCV : Tries 100 evenly spaced thresholds by
        default and averages over folds, for any scorer.

    Notes
    -----
    A metric of all folds together is not the average of one metric per fold: few positives in
    each fold would make that average noisy. It relies on the folds' scores being on one scale.

    References
    ----------
    Koyejo, Natarajan, Ravikumar and Dhillon (2014), "Consistent binary classification with
    generalized performance metrics", NIPS.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = EmpiricalUtilityClassifier(GaussianNB(), metric="am").fit(X[::2, :4], y[::2])
    >>> round(model.threshold_, 3), round(model.utility_, 3)
    (0.775, 0.908)
    """

    def __init__(
        self,
        estimator: Any,
        metric: Any = "f",
        *,
        cv: Any = None,
        beta: float = 1.0,
        cost_fp: float = 1.0,
        cost_fn: float = 1.0,
        zero_division: float = 0.0,
        response_method: str = "auto",
    ) -> None:
        self.estimator = estimator
        self.metric = metric
        self.cv = cv
        self.beta = beta
        self.cost_fp = cost_fp
        self.cost_fn = cost_fn
        self.zero_division = zero_division
        self.response_method = response_method

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any
    ) -> EmpiricalUtilityClassifier:
        """Fit the classifier (unless it is prefit) and choose the threshold.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            Training data, whatever the classifier takes.
        y : array-like, shape (n_samples,)
            Labels of exactly two classes.
        sample_weight : array-like of float, shape (n_samples,), optional
            Not negative. Used for the metric, and for the classifier if it takes weights.
        **fit_params : dict
            Passed on to the classifier's ``fit``, or routed if metadata routing is enabled.

        Returns
        -------
        EmpiricalUtilityClassifier
            Itself.

        Raises
        ------
        ValueError
            If labels are not of two classes, a training part of ``cv`` lacks one of them,
            or a parameter is not as said above.
        sklearn.exceptions.NotFittedError
            If the classifier is said to be prefit and is not.
        """
        metric = self._metric()
        check_choice(self.response_method, "response_method", _RESPONSES)
        check_cv_parameter(self.cv)
        response = self._response_method()
        training = cross_fit(
            self,
            self.estimator,
            X,
            y,
            sample_weight,
            fit_params,
            cv=self.cv,
            response=response,
            use="threshold",
        )
        best = best_empirical_threshold(
            training.y,
            training.score,
            metric,
            sample_weight=training.weight,
            pos_label=training.classes.tolist()[1],
        )
        self._response = response
        self.classes_ = training.classes
        self.estimator_ = training.estimator
        # finite where nothing should be called positive, so that scores keep their order below it
        top = 1.0 if response == "predict_proba" else best.thresholds[1]
        self.threshold_ = min(best.threshold, float(np.nextafter(top, np.inf)))
        self.utility_ = best.utility
        take_over_features(self, training.estimator)
        return self

    def _response_method(self) -> str:
        if self.response_method == "auto" and hasattr(self.estimator, "predict_proba"):
            return response_of(self.estimator, wanted="predict_proba")
        return response_of(self.estimator, wanted=self.response_method)

    def decision_function(self, X: Any) -> Floats:
        """Return the classifier's score, moved so that it is positive where ``predict`` is.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of float, shape (n_samples,)
            The score minus ``threshold_`` if it is a ``decision_function``; the difference of
            their log odds if it is a probability.
        """
        check_is_fitted(self)
        score = positive_score(self.estimator_, X, self._response)
        return above_threshold(score, self.threshold_, self._response)

    def predict(self, X: Any) -> Any:
        """Return the positive class for scores from ``threshold_`` up.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray, shape (n_samples,)
            Labels.
        """
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(int)]

    def get_metadata_routing(self) -> MetadataRouter:
        """Return who takes which metadata: itself, the classifier's fit, the splitter's split.

        Returns
        -------
        sklearn.utils.metadata_routing.MetadataRouter
        """
        return cross_fit_router(self, self.estimator, self.cv)
