"""Bases of estimators that wrap one classifier: routing, learned attributes, cross-fitting."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Literal, Self

from numpy.typing import ArrayLike
from sklearn.base import MetaEstimatorMixin
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping
from sklearn.utils.validation import check_is_fitted

from rocviz.core.base.validation import Bools, Floats, check_choice
from rocviz.estimators.base.classifier import BinaryClassifier, positive_column
from rocviz.estimators.base.cross_fitting import cross_fit
from rocviz.estimators.base.scores import (
    RESPONSES,
    above_threshold,
    positive_score,
    response_of,
    score_of,
)


@dataclass(frozen=True)
class Training:
    """A fitted classifier, and scores of its training samples that it can be evaluated by."""

    estimator: Any
    classes: Any
    positive: Bools
    score: Floats
    weight: Floats | None
    response: str


def copy_features(owner: Any, fitted: Any) -> None:
    """Copy the number and names of features from the classifier inside."""
    for name in ("n_features_in_", "feature_names_in_"):
        if hasattr(fitted, name):
            setattr(owner, name, getattr(fitted, name))
        elif hasattr(owner, name):
            delattr(owner, name)


class SingleClassifierMixin(MetaEstimatorMixin):
    """Base of estimators that wrap one classifier, their parameter ``estimator``."""

    def _get_estimator(self) -> Any:
        return self.estimator

    def _take_fitted(self, fitted: Any) -> None:
        self.estimator_ = fitted
        copy_features(self, fitted)

    def get_metadata_routing(self) -> MetadataRouter:
        """Route metadata to the classifier's ``fit``, the splitter, and its own ``score``."""
        to_fit = MethodMapping().add(caller="fit", callee="fit")
        # a pipeline asks whether weights go to ``score`` even where none are given
        router = MetadataRouter(owner=self).add_self_request(self)
        router.add(estimator=self._get_estimator(), method_mapping=to_fit)
        if hasattr(self, "cv"):
            to_split = MethodMapping().add(caller="fit", callee="split")
            router.add(splitter=self.cv, method_mapping=to_split)
        return router

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self._get_estimator()).input_tags
        tags.input_tags.sparse = inner.sparse
        tags.input_tags.pairwise = inner.pairwise
        tags.input_tags.allow_nan = inner.allow_nan
        return tags


@dataclass(eq=False, repr=False)
class WrappingClassifier(SingleClassifierMixin, BinaryClassifier):
    """Base of binary classifiers that wrap one classifier."""

    estimator: Any

    def _take_over(self, fitted: Any, classes: Any) -> None:
        self._take_classes(classes)
        self._take_fitted(fitted)


@dataclass(eq=False, repr=False)
class CrossFittedClassifier(WrappingClassifier):
    """Base of classifiers that learn from scores of samples their classifier has not seen.

    A subclass names in ``_purpose`` the use of the scores, in ``_responses`` which of the
    classifier's methods it prefers, and does the rest in ``_check_parameters`` and
    ``_fit_scores``.
    """

    _: KW_ONLY
    cv: Any = None
    response_method: Literal["auto", "decision_function", "predict_proba"] = "auto"

    _purpose: ClassVar[str]
    _responses: ClassVar[tuple[str, ...]] = RESPONSES

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None, **fit_params: Any
    ) -> Self:
        """Fit the classifier (unless it is prefit), and learn from its scores.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            Training data, whatever the classifier takes.
        y : array-like, shape (n_samples,)
            Labels of exactly two classes.
        sample_weight : array-like of float, shape (n_samples,), optional
            Not negative. Used in learning from the scores, and for the classifier if it
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
            If labels are not of two classes, a training part of ``cv`` lacks one of them,
            or a parameter is invalid.
        sklearn.exceptions.NotFittedError
            If the classifier should be prefit and is not fitted.
        """
        training = self._train(X, y, sample_weight, fit_params)
        self._fit_scores(training)
        self._keep(training)
        return self

    def _train(self, X: Any, y: Any, sample_weight: Any, fit_params: dict[str, Any]) -> Training:
        """Check all parameters, and fit the classifier; return scores it can be evaluated by."""
        self._check_parameters()
        method = check_choice(self.response_method, "response_method", ("auto", *self._responses))
        methods = self._responses if method == "auto" else (method,)
        response = response_of(self._get_estimator(), methods=methods)
        fitted, classes, labels, values, weight = cross_fit(
            self, X, y, sample_weight, fit_params, response
        )
        column = positive_column(classes, self.pos_label)
        score = score_of(values, response, column)
        return Training(fitted, classes, labels == classes[column], score, weight, response)

    def _keep(self, training: Training) -> None:
        self._response = training.response
        self._take_over(training.estimator, training.classes)

    def _check_parameters(self) -> None:
        raise NotImplementedError

    def _fit_scores(self, training: Training) -> None:
        raise NotImplementedError

    def _scores(self, X: Any) -> Floats:
        check_is_fitted(self)
        return positive_score(self.estimator_, X, self._response, self._column)


@dataclass(eq=False, repr=False)
class ThresholdedClassifier(CrossFittedClassifier):
    """A classifier that learns a ``threshold_`` of the scores."""

    def decision_function(self, X: Any) -> Floats:
        """Compute the classifier's score, moved so that it is positive where ``predict`` is.

        Takes the ``X`` of :meth:`fit`.

        Returns
        -------
        ndarray of float, shape (n_samples,)
            The score minus ``threshold_`` if it is a ``decision_function``; the difference of
            their log odds if it is a probability, so that tiny probabilities keep their order.
        """
        return self._signed(above_threshold(self._scores(X), self.threshold_, self._response))
