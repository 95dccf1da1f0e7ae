"""A classifier of several classes that predicts by a point chosen for a metric or for costs."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np

from rocviz.core.base.classes import ClassSamples
from rocviz.core.base.validation import Floats
from rocviz.core.multiclass.best_point import find_best
from rocviz.core.multiclass.metrics import check_metric
from rocviz.core.multiclass.simplex import check_cost_matrix, predicted_codes
from rocviz.estimators.multiclass._base import BaseMulticlassClassifier


@dataclass(eq=False, repr=False)
class SimplexThresholdClassifier(BaseMulticlassClassifier):
    """Predict the class whose probability is largest beside its entry of a point.

    Every training sample gets probabilities by a copy of the classifier that did not see it. The
    point of the simplex that is best for a metric or for costs on these is used for new samples:
    class k is predicted where ``p_k / point_k`` is largest.

    Parameters
    ----------
    estimator : classifier
        With ``predict_proba``.
    metric : str, default="balanced_accuracy"
        Any metric of several classes but the cost, see :func:`best_simplex_point`.
    cost_matrix : array-like of float, shape (n_classes, n_classes), optional
        Instead of the metric: what it costs to predict class a (column) for a sample of class k
        (row), in the order of ``classes_``.
    cv
        As for :class:`SimplexCalibratedClassifier`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        Labels in sorted order.
    estimator_ : classifier
        The fitted classifier that gives new samples probabilities.
    best_ : rocviz.core.multiclass.SimplexPoint
        The point with its value on the training samples, which is a little too good for new ones.
    point_ : ndarray of float, shape (n_classes,)
        Its entries.
    n_features_in_ : int
        If the classifier has it.
    feature_names_in_ : ndarray of str
        If the classifier has it.

    See Also
    --------
    EmpiricalUtilityClassifier : For two classes and more metrics.
    SimplexCalibratedClassifier : Calibrated probabilities.

    References
    ----------
    Lachiche and Flach (2003).

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_wine(return_X_y=True)
    >>> model = SimplexThresholdClassifier(GaussianNB(), "macro_f1").fit(X[::2, :2], y[::2])
    >>> model.point_.round(2), round(model.best_.value, 2)
    (array([0.17, 0.58, 0.25]), 0.83)
    >>> model.predict(X[1:8:2, :2])
    array([0, 0, 0, 0])
    """

    metric: str = "balanced_accuracy"
    _: KW_ONLY
    cost_matrix: Any = None

    _purpose: ClassVar[str] = "point"

    def _check_parameters(self, n_classes: int) -> None:
        check_metric(self.metric)
        if self.cost_matrix is not None:
            check_cost_matrix(self.cost_matrix, n_classes)

    def _fit_samples(self, samples: ClassSamples) -> None:
        if self.cost_matrix is None:
            self.best_ = find_best(samples, check_metric(self.metric), None)
        else:
            cost = check_cost_matrix(self.cost_matrix, samples.n_classes)
            self.best_ = find_best(samples, "cost", cost)
        self.point_ = self.best_.point

    def _learned(self) -> Any:
        best = self.best_
        name = best.metric.replace("_", " ")
        caption = f"{name} {best.value:.4g}, of the most probable {best.argmax_value:.4g}"
        rows = zip(self.classes_, self.point_, strict=True)
        return caption, ("class", "entry of the point"), rows

    def decision_function(self, X: Any) -> Floats:
        """Compute how far each class is from being predicted: ``ln p_k - ln point_k``.

        Parameters
        ----------
        X : array-like or data frame, shape (n_samples, n_features)

        Returns
        -------
        ndarray of float, shape (n_samples, n_classes), or (n_samples,) for two classes
            Largest for the class that is predicted; of two classes the difference, which is
            positive where ``classes_[1]`` is predicted.
        """
        prob = self._probabilities(X)
        predicted = predicted_codes(prob, self.point_)
        with np.errstate(divide="ignore"):
            value = np.log(prob / self.point_)
        value = np.maximum(value, -1e3)  # of probabilities of 0
        if len(self.classes_) == 2:
            difference = value[:, 1] - value[:, 0]
            above = np.maximum(difference, np.finfo(np.float64).tiny)
            return np.where(predicted == 1, above, np.minimum(difference, 0.0))
        # of equal classes the last is predicted, but ``argmax`` finds the first
        rows = np.arange(len(value))
        value[rows, predicted] = np.nextafter(value.max(axis=1), np.inf)
        return value

    def predict(self, X: Any) -> Any:
        """Predict classes by the point.

        Takes the parameters of :meth:`decision_function`.

        Returns
        -------
        ndarray, shape (n_samples,)
            Labels.
        """
        prob = self._probabilities(X)  # raises if it is not fitted
        return self.classes_[predicted_codes(prob, self.point_)]
