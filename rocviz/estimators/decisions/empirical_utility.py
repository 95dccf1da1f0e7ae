"""A classifier with the threshold that is best for a metric on cross-validated scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rocviz.core.decisions.empirical_utility import best_empirical_threshold
from rocviz.estimators.base.wrapping import ThresholdedClassifier, Training
from rocviz.estimators.decisions.metric import MetricClassifier


@dataclass(eq=False, repr=False)
class EmpiricalUtilityClassifier(MetricClassifier, ThresholdedClassifier):
    """Predict positive from the threshold on that was best on training data.

    Every training sample is scored by a copy of the classifier that did not see it. Of all
    thresholds between two different scores, one is best for the metric of these samples taken
    together: the threshold for all new samples, which are scored by the classifier fitted to all
    training data. A sample's label does not depend on what comes with it.

    Parameters
    ----------
    estimator : classifier
        With ``predict_proba`` or ``decision_function``. Only the order of its scores matters,
        so it need not be calibrated.
    metric : str, LinearFractional or callable, default="f"
        Metric to maximise, see :func:`rocviz.optimal_decision`.
    cv : int, splitter, iterable of (train, test) indices, "prefit" or None, default=None
        Splits for cross-fitting; every sample must be in exactly one test part. ``None`` is five
        stratified folds, or as many as the smaller class has samples. With ``"prefit"``, and
        whenever ``estimator`` is a ``FrozenEstimator``, the classifier is taken as it is and
        all data given to ``fit`` choose the threshold: data it was not fitted to.
    cost_fp, cost_fn, threshold_probability, beta, zero_division, pos_label
        As for :class:`DecisionTheoreticClassifier`.
    response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
        Method of the classifier that gives the score. ``"auto"`` takes ``predict_proba``
        where there is one.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        Labels in sorted order.
    pos_label_ : label
        The positive class.
    estimator_ : classifier
        The fitted classifier that scores new samples.
    threshold_ : float
        Lowest score of the positive class that is predicted positive. If it is best to predict
        no sample positive, just above 1, or above the highest score of a ``decision_function``
        on the training samples.
    utility_ : float
        The metric of the training samples at that threshold. Being the best of many,
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
    Koyejo et al. (2014).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = EmpiricalUtilityClassifier(GaussianNB(), metric="am").fit(X[::2, :4], y[::2])
    >>> round(model.threshold_, 3), round(model.utility_, 3)
    (0.775, 0.908)
    """

    _purpose: ClassVar[str] = "threshold"
    _responses: ClassVar[tuple[str, ...]] = ("predict_proba", "decision_function")

    def _check_parameters(self) -> None:
        self._metric()

    def predict(self, X: Any) -> Any:
        """Predict the positive class where its score reaches the threshold, else the other one.

        Parameters
        ----------
        X : array-like or data frame, shape (n_samples, n_features)

        Returns
        -------
        ndarray, shape (n_samples,)
            Labels.
        """
        return self._labels(self._scores(X) >= self.threshold_)

    def _fit_scores(self, training: Training) -> None:
        best = best_empirical_threshold(
            training.positive, training.score, self._metric(), sample_weight=training.weight
        )
        # finite where no sample should be predicted positive, so that scores keep their order
        top = 1.0 if training.response == "predict_proba" else best.thresholds[1]
        self.threshold_ = min(best.threshold, float(np.nextafter(top, np.inf)))
        self.utility_ = best.utility
