"""Scores in, probabilities out: the convex hull of each score's ROC curve as a transformer.

For scores that are columns of data already; classifiers are calibrated in ``hull.py``. Knows
nothing of plots or widgets.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from rocviz.core.base.validation import (
    Floats,
    check_choice,
    check_fraction,
    check_number,
    check_weights,
)
from rocviz.core.calibration.calibration import hull_map
from rocviz.core.roc.segments import RankedSegments
from rocviz.estimators.base.scores import two_classes

__all__ = ["HullCalibrator"]


class HullCalibrator(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Turn scores into probabilities by the convex hull of their ROC curve, column by column.

    A score ranks the samples; the convex hull of the ROC curve joins neighbours of the ranking
    that are in the wrong order; every hull segment gives one probability, its proportion of
    positives, with Laplace's correction. Any score will do: of a model, of an expert, a
    measurement. Higher must mean more positive.

    Parameters
    ----------
    m : float, default=2.0
        Weight of the prior in ``(pos + m * prior) / (n + m)``. 0 gives the proportions as
        they are, isotonic regression; 2 with ``prior=0.5`` is Laplace's correction.
    prior : float, default=0.5
        Probability to pull to, from 0 to 1.
    interpolation : {"step", "linear"}, default="step"
        For scores between two hull segments: the probability of the segment below, or a
        straight line between both. Beyond the ends the end segment's holds.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        Labels; probabilities are of the second.
    segments_ : list of RankedSegments
        Ranked training data, one for each column.
    calibration_maps_ : list of HullMap
        From scores to probabilities, one for each column.
    n_features_in_ : int
        Columns seen in fit.
    feature_names_in_ : ndarray of str
        Their names, if they had any; ``get_feature_names_out`` gives them back.

    See Also
    --------
    HullCalibratedClassifier : Scores and calibrates in one, cross-fitted.
    rocviz.hull_map : The same for ranked segments.

    Notes
    -----
    Scores of data that a model was fitted to are too good, and so would be their
    probabilities. A column that ranks worse than random all along has a hull of one segment
    and becomes the proportion of positives; turn its sign.

    References
    ----------
    Flach and Matsubara (2007), "On classification, ranking, and probability estimation",
    Definition 3, steps 2 to 5. Fawcett and Niculescu-Mizil (2007), "PAV and the ROC convex
    hull".

    Examples
    --------
    >>> scores = [[4], [3], [2], [1]]
    >>> HullCalibrator(m=0).fit_transform(scores, [1, 0, 1, 0]).ravel()
    array([1. , 0.5, 0.5, 0. ])
    """

    def __init__(self, *, m: float = 2.0, prior: float = 0.5, interpolation: str = "step") -> None:
        self.m = m
        self.prior = prior
        self.interpolation = interpolation

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> HullCalibrator:
        """Fit one map to each column of scores.

        Parameters
        ----------
        X : array-like of float, shape (n_samples, n_scores)
            Scores, finite.
        y : array-like, shape (n_samples,)
            Labels of exactly two classes.
        sample_weight : array-like of float, shape (n_samples,), optional
            Not negative.

        Returns
        -------
        HullCalibrator
            Itself.

        Raises
        ------
        ValueError
            If scores are not finite, labels not of two classes, or a parameter is not as said
            above.
        """
        check_number(self.m, "m", minimum=0.0)
        check_fraction(self.prior, "prior", ends=True)
        check_choice(self.interpolation, "interpolation", ("step", "linear"))
        X = validate_data(self, X, dtype=np.float64)
        y, classes = two_classes(y)
        check_consistent_length(X, y)
        weight = check_weights(sample_weight, len(y))
        segments = [
            RankedSegments.from_scores(y == classes[1], score, sample_weight=weight)
            for score in X.T
        ]
        self.classes_ = classes
        self.segments_ = segments
        self.calibration_maps_ = [
            hull_map(one, m=self.m, prior=self.prior, interpolation=self.interpolation)
            for one in segments
        ]
        return self

    def transform(self, X: Any) -> Floats:
        """Return the probability of the positive class that each score means.

        Parameters
        ----------
        X : array-like of float, shape (n_samples, n_scores)
            Scores, finite.

        Returns
        -------
        ndarray of float, shape (n_samples, n_scores)
            In [0, 1].
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        maps = zip(self.calibration_maps_, X.T, strict=True)
        return np.column_stack([one(score) for one, score in maps])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        # no classifier, but of classes it takes two
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags
