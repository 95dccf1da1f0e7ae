"""Any classifier of several classes, with calibrated probabilities."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from rocviz.core.base.classes import ClassSamples
from rocviz.core.base.validation import Floats, check_choice
from rocviz.core.multiclass.brier import brier_of
from rocviz.core.multiclass.calibration import METHODS, check_penalty, fit_simplex_map
from rocviz.estimators.multiclass._base import BaseMulticlassClassifier


@dataclass(eq=False, repr=False)
class SimplexCalibratedClassifier(BaseMulticlassClassifier):
    """Calibrate the probabilities of a classifier of two or more classes.

    Every training sample gets probabilities by a copy of the classifier that did not see it. A map
    from these to calibrated ones is fitted, and applied to the probabilities of the classifier
    fitted to all training data.

    Parameters
    ----------
    estimator : classifier
        With ``predict_proba``.
    method : {"dirichlet", "vector", "temperature", "hull", "identity"}, default="dirichlet"
        See :func:`rocviz.core.multiclass.simplex_map`.
    penalty : float, default=1e-3
        Of ``"dirichlet"``: how much coefficients off the diagonal and intercepts cost.
    cv : int, splitter, iterable of (train, test) indices, "prefit" or None, default=None
        Splits for cross-fitting; every sample must be in exactly one test part. ``None`` is five
        stratified folds, or as many as the smallest class has samples. With ``"prefit"``, and
        whenever ``estimator`` is a ``FrozenEstimator``, the classifier is taken as it is and
        all data given to ``fit`` go into the map: data it was not fitted to.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
        Labels in sorted order.
    estimator_ : classifier
        The fitted classifier whose probabilities are mapped.
    simplex_map_ : rocviz.core.multiclass.SimplexMap
        From its probabilities to calibrated ones.
    n_features_in_ : int
        If the classifier has it.
    feature_names_in_ : ndarray of str
        If the classifier has it.

    See Also
    --------
    HullCalibratedClassifier : For two classes.
    SimplexThresholdClassifier : Predictions for a metric or for costs.

    References
    ----------
    Kull et al. (2019). Guo et al. (2017).

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from rocviz.core.multiclass import multiclass_brier
    >>> X, y = load_digits(return_X_y=True)
    >>> X = X + 0.01  # no feature is constant
    >>> scores = {}
    >>> for method in ("identity", "temperature", "dirichlet"):
    ...     model = SimplexCalibratedClassifier(GaussianNB(), method).fit(X[::2], y[::2])
    ...     scores[method] = multiclass_brier(y[1::2], model.predict_proba(X[1::2])).brier
    >>> scores["identity"] > scores["temperature"] > scores["dirichlet"]
    True
    """

    method: str = "dirichlet"
    _: KW_ONLY
    penalty: float = 1e-3

    _purpose: ClassVar[str] = "map"

    def _check_parameters(self, n_classes: int) -> None:
        check_choice(self.method, "method", METHODS)
        check_penalty(self.penalty)

    def _fit_samples(self, samples: ClassSamples) -> None:
        fitted = fit_simplex_map(samples, self.method, check_penalty(self.penalty))
        mapped = ClassSamples(samples.classes, samples.code, fitted(samples.prob), samples.weight)
        self.simplex_map_ = fitted
        self._before_and_after = brier_of(samples), brier_of(mapped)

    def _learned(self) -> Any:
        before, after = self._before_and_after
        rows = []
        for name in ("brier", "miscalibration", "log_loss"):
            rows.append((name.replace("_", " "), getattr(before, name), getattr(after, name)))
        return "Training samples", ("", "as they are", f"by {self.method}"), rows

    def predict_proba(self, X: Any) -> Floats:
        """Predict probabilities.

        Parameters
        ----------
        X : array-like or data frame, shape (n_samples, n_features)

        Returns
        -------
        ndarray of float, shape (n_samples, n_classes)
            Of all classes, in the order of ``classes_``.
        """
        prob = self._probabilities(X)
        return self.simplex_map_(prob)

    def predict(self, X: Any) -> Any:
        """Predict the most probable class; of equal ones the first, as scikit-learn does.

        Takes the parameters of :meth:`predict_proba`.

        Returns
        -------
        ndarray, shape (n_samples,)
            Labels.
        """
        best = self.predict_proba(X).argmax(axis=1)  # raises if it is not fitted
        return self.classes_[best]
