"""Base of classifiers that learn from probabilities of samples their classifier has not seen."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from rocviz.core.base.classes import ClassSamples, check_class_samples, check_simplex
from rocviz.core.base.naming import prefix_error_with
from rocviz.core.base.validation import Floats
from rocviz.estimators.base.classifier import check_several_classes
from rocviz.estimators.base.cross_fitting import cross_fit
from rocviz.estimators.base.learned import NotebookReprMixin
from rocviz.estimators.base.scores import response_of, response_values
from rocviz.estimators.base.wrapping import SingleClassifierMixin

_RESPONSE_METHOD = "predict_proba"


@dataclass(eq=False, repr=False)
class BaseMulticlassClassifier(
    SingleClassifierMixin, ClassifierMixin, NotebookReprMixin, BaseEstimator
):
    """Base of classifiers of two or more classes that learn from cross-fitted probabilities.

    A subclass names in ``_purpose`` the use of the probabilities, and does the rest in
    ``_check_parameters`` and ``_fit_samples``.
    """

    estimator: Any
    _: KW_ONLY
    cv: Any = None

    _purpose: ClassVar[str]

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, **fit_params: Any
    ) -> Self:
        """Fit the classifier (unless it is prefit), and learn from its probabilities.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            Training data, whatever the classifier takes.
        y : array-like, shape (n_samples,)
            Labels of two or more classes.
        sample_weight : array-like of float, shape (n_samples,), optional
            Not negative. Used in learning from the probabilities, and for the classifier if it
            takes weights.
        **fit_params : dict
            Passed on to the classifier's ``fit``, or routed if metadata routing is enabled.

        Returns
        -------
        Self
            The estimator itself.

        Raises
        ------
        ValueError
            If there is one class only, a training part of ``cv`` lacks one, rows of probabilities
            do not sum to 1, or a parameter is invalid.
        sklearn.exceptions.NotFittedError
            If the classifier should be prefit and is not fitted.
        """
        response_of(self._get_estimator(), methods=(_RESPONSE_METHOD,))
        fitted, classes, labels, prob, weight = cross_fit(
            self, X, y, sample_weight, fit_params, _RESPONSE_METHOD
        )
        with prefix_error_with("estimator"):
            samples = check_class_samples(labels, prob, np.asarray(classes).tolist(), weight)
        self._fit_samples(samples)
        self.classes_ = classes
        self._take_fitted(fitted)
        return self

    def _read_labels(self, y: ArrayLike) -> tuple[Any, Any]:
        labels, classes = check_several_classes(y)
        self._check_parameters(len(classes))
        return labels, classes

    def _probabilities(self, X: Any) -> Floats:
        """Compute the probabilities of the classifier inside."""
        check_is_fitted(self)
        return check_simplex(response_values(self.estimator_, X, _RESPONSE_METHOD), "estimator")

    def _check_parameters(self, n_classes: int) -> None:
        raise NotImplementedError

    def _fit_samples(self, samples: ClassSamples) -> None:
        raise NotImplementedError
