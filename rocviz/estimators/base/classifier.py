"""Bases of estimators for two classes: labels, probabilities, samples of weight above 0."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.utils import (
    ClassifierTags,
    _safe_indexing,
    assert_all_finite,
    check_random_state,
    indexable,
)
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_consistent_length, column_or_1d

from rocviz.core.base.naming import prefix_error_with
from rocviz.core.base.validation import (
    MAX_EXACT_INTEGER,
    Bools,
    Floats,
    as_array,
    check_aligned,
    check_weights,
    describe,
    positive_label,
)
from rocviz.estimators.base.learned import NotebookReprMixin
from rocviz.estimators.base.table import check_none_missing


def check_same_rows(X: Any, y: Any) -> tuple[Any, Any]:
    """Make features and labels indexable, and check that there are as many of either."""
    if X is None:  # which scikit-learn's splitters do not check
        raise ValueError("X must be features, one row per sample; got None.")
    check_aligned(X=X, y=y)
    with prefix_error_with("X", "y"):
        return tuple(indexable(X, y))


def as_random_state(random_state: Any) -> np.random.RandomState:
    """Make a ``RandomState``, as scikit-learn does; from a ``Generator`` its seed is drawn."""
    if isinstance(random_state, np.random.Generator):
        return np.random.RandomState(random_state.integers(2**32, size=4, dtype=np.uint32))
    with prefix_error_with("random_state"):
        return check_random_state(random_state)


def check_two_classes(y: ArrayLike) -> tuple[Any, Any]:
    """Check labels as a vector, and find the two classes in sorted order."""
    y, kind = _label_vector(y, "two classes")
    if kind != "binary":
        raise ValueError(
            f"Only binary classification is supported. The type of the target is {kind}: y holds "
            f"{np.unique(y).size} different values, two classes are needed."
        )
    return y, _some_classes(y, "two")


def check_several_classes(y: ArrayLike) -> tuple[Any, Any]:
    """Check labels as a vector, and find two or more classes in sorted order."""
    y, kind = _label_vector(y, "classes")
    if kind not in ("binary", "multiclass"):
        raise ValueError(
            f"Unknown label type: the type of the target is {kind}; y must hold labels of classes."
        )
    return y, _some_classes(y, "two or more")


def _some_classes(y: Any, needed: str) -> Any:
    classes = np.unique(y)
    if classes.size == 1:
        raise ValueError(
            f"y holds one class only, {describe(classes.tolist()[0])}; {needed} are needed."
        )
    return classes


def _label_vector(y: ArrayLike, what: str) -> tuple[Any, str]:
    """Check labels as a vector, and find scikit-learn's name of their kind."""
    labels: Any = y
    if isinstance(y, list | tuple):
        labels = as_array(y, "y", "one label per sample")
    if getattr(getattr(labels, "dtype", None), "kind", "") == "f":
        # finding the type of target casts to integers, and would warn first
        assert_all_finite(np.asarray(labels), input_name="y")
        if np.max(np.abs(np.asarray(labels, dtype=np.float64)), initial=0.0) > MAX_EXACT_INTEGER:
            raise ValueError(f"y must hold labels of {what}; got numbers beyond 2**53.")
    check_none_missing(labels)
    with prefix_error_with("y"):
        kind = type_of_target(labels, input_name="y", raise_unknown=True)
        return column_or_1d(labels, warn=True), kind


def positive_column(classes: Any, pos_label: Any = None) -> int:
    """Find the positive one of two classes in any order: ``pos_label``, or else the larger label.

    That default is scikit-learn's, and for estimators only: functions on labels ask which class is
    positive where labels do not say it.
    """
    labels = np.asarray(classes).tolist()
    if len(labels) != 2:
        raise ValueError(f"y must hold labels of two classes; got {describe(labels)}.")
    low, high = sorted(labels)
    label = high if pos_label is None else positive_label(low, high, pos_label, "y")
    return labels.index(label)


def drop_zero_weights(
    X: Any, positive: Bools, weight: Floats | None
) -> tuple[Any, Bools, Floats | None]:
    """Select the samples of weight above 0, which must be of both classes."""
    if weight is None or weight.all():
        return X, positive, weight
    rows = np.flatnonzero(weight)
    positive = positive[rows]
    if positive.all() or not positive.any():
        raise ValueError("sample_weight leaves one class only; two are needed.")
    return _safe_indexing(X, rows), positive, weight[rows]


@dataclass(eq=False, repr=False)
class PositiveClass(NotebookReprMixin, BaseEstimator):
    """Base of estimators that learn from two classes, one of which is the positive one."""

    _: KW_ONLY
    pos_label: Any = None

    def _read_labels(self, y: ArrayLike) -> tuple[Any, Any]:
        """Check the labels, and find the two classes in sorted order."""
        labels, classes = check_two_classes(y)
        positive_column(classes, self.pos_label)  # before any work
        return labels, classes

    def _read_target(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> tuple[Bools, Floats | None, Any]:
        """Mark the positive samples, check their weights, and find the two classes in order."""
        check_aligned(X=X, y=y, sample_weight=sample_weight)
        labels, classes = check_two_classes(y)
        column = positive_column(classes, self.pos_label)
        with prefix_error_with("X"):
            check_consistent_length(X, labels)
        weight = check_weights(sample_weight, len(labels))
        return np.asarray(labels == classes[column]), weight, classes

    def _take_classes(self, classes: Any) -> None:
        """Keep the two labels, and which of them is positive."""
        self.classes_ = classes
        self.pos_label_ = classes[positive_column(classes, self.pos_label)]


class BinaryClassifier(ClassifierMixin, PositiveClass):
    """Base of classifiers of two classes; ``classes_`` are in order whichever is positive."""

    @property
    def _column(self) -> int:
        """Index of the positive class in ``classes_``."""
        return int(self.pos_label_ == self.classes_[1])

    def _labels(self, positive: Any) -> Any:
        column = self._column
        return self.classes_[np.where(np.asarray(positive, dtype=np.bool_), column, 1 - column)]

    def _columns_of(self, negative: Floats, positive: Floats) -> Floats:
        """Arrange the probabilities of both classes in the order of ``classes_``."""
        if self._column == 1:
            return np.column_stack((negative, positive))
        return np.column_stack((positive, negative))

    def _signed(self, above: Floats) -> Floats:
        """Turn a score that is positive for the positive class to scikit-learn's sign.

        Positive for ``classes_[1]``: turned, and 0 moved to that side, if that is the negative one.
        """
        if self._column:
            return above
        return np.where(above > 0, -above, np.maximum(-above, np.finfo(np.float64).tiny))

    def predict(self, X: Any) -> Any:
        """Predict ``classes_[1]`` where ``decision_function`` is positive, else the other class.

        Takes the ``X`` of :meth:`fit`.

        Returns
        -------
        ndarray, shape (n_samples,)
            Labels.
        """
        is_second = self.decision_function(X) > 0  # raises if it is not fitted
        return self.classes_[np.asarray(is_second, dtype=np.intp)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class ProbabilisticClassifier(BinaryClassifier):
    """Base of binary classifiers whose prediction is the more probable class."""

    def predict_proba(self, X: Any) -> Floats:
        """Predict probabilities.

        Parameters
        ----------
        X : array-like or data frame, shape (n_samples, n_features)

        Returns
        -------
        ndarray of float, shape (n_samples, 2)
            Of both classes, in the order of ``classes_``.
        """
        return self._probabilities(X)

    def _probabilities(self, X: Any) -> Floats:
        score = self._scores(X)  # raises if there is no map yet
        prob = self.calibration_map_(score)
        return self._columns_of(1 - prob, prob)

    def predict(self, X: Any) -> Any:
        """Predict the more probable class; at exactly one half, the negative one.

        Takes the parameters of :meth:`predict_proba`.

        Returns
        -------
        ndarray, shape (n_samples,)
            Labels.
        """
        return self._labels(self.predict_proba(X)[:, self._column] > 0.5)


class BinaryTargetTransformer(TransformerMixin, PositiveClass):
    """Base of transformers that learn from labels of two classes."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        # no classifier, but of classes it takes two
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags
