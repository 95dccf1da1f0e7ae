"""Numbers to yes or no: each feature at the threshold of least entropy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from rocviz.core.base.naming import prefix_error_with, threshold_text
from rocviz.core.base.validation import Floats, check_aligned, check_choice
from rocviz.core.calibration.binarize import entropy_thresholds
from rocviz.estimators.base.classifier import BinaryTargetTransformer
from rocviz.estimators.base.table import column_names, validated


@dataclass(eq=False, repr=False, kw_only=True)
class EntropyBinarizer(BinaryTargetTransformer):
    """Turn numbers into 0 and 1 by thresholds of least entropy, column by column.

    A column becomes 1 where it is above its threshold. The threshold is the midpoint of two
    neighbouring values that leaves the least expected entropy of the class on its two sides;
    of equally good ones the smallest. Columns are looked at one by one.

    Parameters
    ----------
    thresholds : {"brute", "bisect"}, default="brute"
        Thresholds to evaluate: all, or some, always halving the way from the best ones so
        far to their neighbours.
    missing : {"error", "keep"}, default="error"
        Treatment of NaN: refuse it, or choose thresholds by the samples that have a value
        and leave NaN as it is. It never becomes a 0 by itself.
    pos_label : label, optional
        The positive class; by default the larger label. Thresholds are the same for both.

    Attributes
    ----------
    thresholds_ : ndarray of float, shape (n_features,)
        Threshold of each column. Infinite where all values are equal: the column becomes 0.
    classes_, pos_label_ : ndarray, shape (2,), and label
        Labels, and the positive one.
    n_features_in_ : int
        Columns seen in fit.
    feature_names_in_ : ndarray of str
        Their names, if they had any.

    See Also
    --------
    ProbabilisticScoringList : Chooses thresholds during its search, or by this rule before it.

    References
    ----------
    Fayyad and Irani (1993); used in Hanselle et al. (2024), section 4.3.

    Examples
    --------
    >>> X, y = [[38.2, 1], [36.6, 5], [39.1, 2], [37.0, 4]], ["ill", "well", "ill", "well"]
    >>> binarizer = EntropyBinarizer(pos_label="ill").fit(X, y)
    >>> binarizer.thresholds_
    array([37.6,  3. ])
    >>> binarizer.transform([[37.5, 6]])
    array([[0., 1.]])
    >>> binarizer.get_feature_names_out(["temperature", "days"])
    array(['temperature > 37.6', 'days > 3'], dtype=object)
    """

    thresholds: Literal["brute", "bisect"] = "brute"
    missing: Literal["error", "keep"] = "error"

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Choose a threshold for each column.

        Parameters
        ----------
        X : array-like of float, shape (n_samples, n_features)
            Finite; NaN only with ``missing="keep"``.
        y, sample_weight : array-like, shape (n_samples,)
            Labels of exactly two classes; optional weights, not negative.

        Returns
        -------
        EntropyBinarizer
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid.
        """
        check_choice(self.thresholds, "thresholds", ("brute", "bisect"))
        check_choice(self.missing, "missing", ("error", "keep"))
        check_aligned(X=X, y=y)
        X = self._validated(X, reset=True)
        positive, weight, classes = self._read_target(X, y, sample_weight)
        self.thresholds_ = entropy_thresholds(
            X,
            positive,
            thresholds=self.thresholds,
            sample_weight=weight,
            missing="ignore" if self.missing == "keep" else "error",
        )
        self._take_classes(classes)
        return self

    def transform(self, X: Any) -> Floats:
        """Turn values above their column's threshold into 1, others into 0.

        Parameters
        ----------
        X : array-like of float, shape (n_samples, n_features)
            Finite; NaN only with ``missing="keep"``.

        Returns
        -------
        ndarray of float, shape (n_samples, n_features)
            0, 1, or NaN where X is.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If it has not been fitted.
        """
        check_is_fitted(self)
        X = self._validated(X, reset=False)
        return np.where(np.isnan(X), X, self.thresholds_ < X)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Name the new columns, such as ``"age > 61.5"``.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the columns; by default those seen in fit, or ``x0``, ``x1`` and so on.

        Returns
        -------
        ndarray of object, shape (n_features,)

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If it has not been fitted.
        """
        check_is_fitted(self)
        with prefix_error_with("input_features"):
            names = _check_feature_names_in(self, input_features)
        new_names = []
        for name, threshold in zip(names, self.thresholds_, strict=True):
            new_names.append(f"{name} > {threshold_text(threshold, 10)}")
        return np.array(new_names, dtype=object)

    def _learned(self) -> Any:
        names = column_names(self)
        rows = zip(names, self.thresholds_, strict=True)
        return "Thresholds of least entropy", ("column", "is 1 above"), rows

    def _validated(self, X: Any, *, reset: bool) -> Floats:
        finite = "allow-nan" if self.missing == "keep" else True
        return validated(self, X, reset=reset, dtype=np.float64, ensure_all_finite=finite)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing == "keep"
        return tags
