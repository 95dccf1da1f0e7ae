"""A classifier that chooses labels for a metric, for one batch at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.base import clone
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.validation import check_is_fitted

from rocviz.core.base.naming import prefix_error_with
from rocviz.core.decisions.decision import Decision, optimal_decision
from rocviz.estimators.base.classifier import check_same_rows
from rocviz.estimators.base.scores import classes_of_prefit, positive_score, response_of
from rocviz.estimators.decisions.metric import MetricClassifier


@dataclass(eq=False, repr=False)
class DecisionTheoreticClassifier(MetricClassifier):
    """Label a whole batch of samples so that a metric of the batch is highest on average.

    The probabilities of the samples say how likely each outcome of the labels is, and so what
    the metric is on average for any prediction. ``predict`` makes the best one: the samples
    with the highest probabilities, and exactly so many of them as is best for this batch.

    **What a batch is.** All rows given to one call of ``predict``. Metrics such as F1 are no
    averages over samples, so the best label of a sample depends on which others come with it, and
    predicting rows one by one is another problem with another answer. For F1 a sample alone is
    predicted positive unless its probability is 0: if it is positive, only
    this label gives an F1 above 0; if it is negative, F1 is 0 with either label. Give together
    what will be evaluated together. For ``"accuracy"`` and ``"cost"``, which are averages, batches
    do not matter.

    Parameters
    ----------
    estimator : classifier
        With ``predict_proba``, whose probabilities should be right; where they are not, as those
        of naive Bayes, :class:`HullCalibratedClassifier` helps, and elsewhere it does not. A
        ``FrozenEstimator`` is used as it is.
    metric : str, LinearFractional or callable, default="f"
        Metric to maximise, see :func:`rocviz.optimal_decision`.
    cost_fp : float, default=1.0
        Of the cost: that of a false alarm; not both costs are zero. At least 0.
    cost_fn : float, default=1.0
        Of the cost: that of a miss; not both costs are zero. At least 0.
    threshold_probability : float, default=0.5
        Of the net benefit: the probability from which on acting is worth it; its odds are the true
        positives that one false positive costs. From 1e-06 to 0.999999.
    beta : float, default=1.0
        Of the F measure: how many times recall counts as much as precision. 0 or from 1e-06 to
        1e+06.
    zero_division : float, default=0.0
        The metric's value where it is 0/0.
    pos_label : label, optional
        The positive class, which the metric is about; by default ``classes_[1]``.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        Labels in sorted order.
    pos_label_ : label
        The positive class.
    estimator_ : classifier
        Fitted.
    n_features_in_, feature_names_in_ : int, ndarray of str
        If the classifier has them.

    See Also
    --------
    EmpiricalUtilityClassifier : One threshold for all batches.
    rocviz.optimal_decision : The same for probabilities that are there already.
    rocviz.estimators.decisions.compare_decisions : Which of them is better on data at hand.

    Notes
    -----
    Nothing about a batch is kept in the estimator: :meth:`decide` returns number of positives,
    threshold and all expected utilities. Of samples with equal probabilities at the threshold,
    those that come first are predicted positive.

    References
    ----------
    Natarajan et al. (2015), section 4.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = DecisionTheoreticClassifier(GaussianNB(), metric="f").fit(X[::2, :4], y[::2])
    >>> batch = X[1:41:2, :4]
    >>> decision = model.decide(batch)
    >>> decision.n_predicted_positive, round(decision.threshold, 3), round(decision.utility, 3)
    (9, 0.962, 0.985)
    >>> sixth = batch[5:6]
    >>> float(model.predict_proba(sixth)[0, 1].round(3))
    0.011
    >>> int(model.predict(batch)[5]), int(model.predict(sixth)[0])  # with others, and alone
    (0, 1)
    """

    def fit(self, X: Any, y: ArrayLike, **fit_params: Any) -> Self:
        """Fit the classifier inside; the metric plays no part in it.

        Parameters
        ----------
        X, y : array-like, shape (n_samples, n_features) and (n_samples,)
            Training data, whatever the classifier takes, and labels of exactly two classes.
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
            parameter is invalid.
        """
        self._metric()
        response_of(self.estimator, methods=("predict_proba",))
        X, y = check_same_rows(X, y)
        y, classes = self._read_labels(y)
        if get_config()["enable_metadata_routing"]:
            fit_params = process_routing(self, "fit", **fit_params).estimator.fit
        with prefix_error_with("X", "y"):
            fitted = clone(self.estimator).fit(X, y, **fit_params)
        self._take_over(fitted, classes_of_prefit(fitted, classes))
        return self

    def decide(self, X: Any) -> Decision:
        """Find the best decision for a batch, with its expected metric.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            The batch.

        Returns
        -------
        Decision
            Labels, their number, the threshold, and the expected utility of every number of
            positives.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If it has not been fitted.
        """
        check_is_fitted(self)
        prob = positive_score(self.estimator_, X, "predict_proba", self._column)
        return optimal_decision(prob, self._metric())

    def predict(self, X: Any) -> Any:
        """Predict the labels that are best for this batch as a whole.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            The batch: the label of a sample depends on the others.

        Returns
        -------
        ndarray, shape (n_samples,)
            Labels.
        """
        return self._labels(self.decide(X).labels)
