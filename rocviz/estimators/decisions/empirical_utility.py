"""A classifier with the threshold that is best for a metric on cross-validated scores.

Speaks scikit-learn's estimator interface; the best of all thresholds is the core's. Knows nothing
of plots or widgets.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.metadata_routing import MetadataRouter
from sklearn.utils.validation import check_is_fitted

from rocviz.core.base.validation import Floats, check_choice
from rocviz.core.decisions.empirical_utility import best_empirical_threshold
from rocviz.estimators.base.routing import (
    check_cv_parameter,
    cross_fit,
    cross_fit_router,
    take_over_features,
)
from rocviz.estimators.base.scores import above_threshold, positive_score, response_of
from rocviz.estimators.decisions.decision import ForMetric

__all__ = ["EmpiricalUtilityClassifier"]

_RESPONSES = ("auto", "predict_proba", "decision_function")


class EmpiricalUtilityClassifier(ForMetric):
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
