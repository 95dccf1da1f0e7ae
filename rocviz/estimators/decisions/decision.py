"""A classifier that chooses labels for a metric, for one batch at a time.

Speaks scikit-learn's estimator interface; expected utilities and the optimum are the core's.
Knows nothing of plots or widgets.
"""

from __future__ import annotations

from typing import Any

from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import MetadataRouter, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from rocviz.core.base.validation import Floats
from rocviz.core.decisions.decision import Decision, optimal_decision
from rocviz.core.decisions.utility import Metric, resolve_metric
from rocviz.estimators.base.routing import inner_tags, router, take_over_features
from rocviz.estimators.base.scores import (
    classes_of_prefit,
    positive_score,
    response_of,
    two_classes,
)

__all__ = ["DecisionTheoreticClassifier"]


class ForMetric(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """What classifiers for a metric share: the metric's options and the probabilities."""

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


class DecisionTheoreticClassifier(ForMetric):
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
