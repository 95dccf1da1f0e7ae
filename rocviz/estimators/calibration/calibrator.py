"""Scores in, probabilities out: the convex hull of each score's ROC curve as a transformer.

For scores that are columns of data already; classifiers are calibrated in ``hull.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import OneToOneFeatureMixin
from sklearn.utils.validation import check_is_fitted

from rocviz.core.base.validation import (
    Floats,
    check_aligned,
    check_choice,
    check_number,
    check_share,
)
from rocviz.core.calibration.calibration import fit_hull
from rocviz.core.roc.segments import RankedSegments
from rocviz.estimators.base.classifier import BinaryTargetTransformer
from rocviz.estimators.base.learned import STEP_COLUMNS, hull_segment_rows
from rocviz.estimators.base.table import column_names, validated


@dataclass(eq=False, repr=False, kw_only=True)
class HullCalibrator(OneToOneFeatureMixin, BinaryTargetTransformer):
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
    pos_label : label, optional
        The class that high scores stand for; by default the larger label.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        Labels.
    pos_label_ : label
        The positive class, of which probabilities are.
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
    rocviz.calibration_map : The same for one score.

    Notes
    -----
    Scores of data that a model was fitted to are too good, and so would be probabilities made from
    them. A column that ranks worse than random all along has a hull of one segment and becomes the
    proportion of positives; turn its sign.

    References
    ----------
    Flach and Matsubara (2008), Definition 3, steps 2 to 5. Fawcett and Niculescu-Mizil (2007).

    Examples
    --------
    >>> scores = [[4], [3], [2], [1]]
    >>> HullCalibrator(m=0).fit_transform(scores, [1, 0, 1, 0]).ravel()
    array([1. , 0.5, 0.5, 0. ])
    """

    m: float = 2.0
    prior: float = 0.5
    interpolation: Literal["step", "linear"] = "step"

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
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
            If scores are not finite, labels not of two classes, or a parameter is invalid.
        """
        check_number(self.m, "m", minimum=0.0)
        check_share(self.prior, "prior", ends=True)
        check_choice(self.interpolation, "interpolation", ("step", "linear"))
        check_aligned(X=X, y=y)
        X = validated(self, X, dtype=np.float64)
        positive, weight, classes = self._read_target(X, y, sample_weight)
        all_segments = []
        calibration_maps = []
        for score in X.T:
            segments = RankedSegments.from_scores(positive, score, sample_weight=weight)
            calibration_map = fit_hull(
                segments, m=self.m, prior=self.prior, interpolation=self.interpolation
            )
            all_segments.append(segments)
            calibration_maps.append(calibration_map)
        self._take_classes(classes)
        self.segments_ = all_segments
        self.calibration_maps_ = calibration_maps
        return self

    def _learned(self) -> Any:
        rows = []
        for name, calibration_map in zip(column_names(self), self.calibration_maps_, strict=True):
            rows += [(name, *row) for row in hull_segment_rows(calibration_map)]
        return "Probabilities by score", ("column", *STEP_COLUMNS), rows

    def transform(self, X: Any) -> Floats:
        """Map scores to probabilities of the positive class.

        Parameters
        ----------
        X : array-like of float, shape (n_samples, n_scores)
            Scores, finite.

        Returns
        -------
        ndarray of float, shape (n_samples, n_scores)
            In [0, 1].

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If it has not been fitted.
        """
        check_is_fitted(self)
        X = validated(self, X, reset=False, dtype=np.float64)
        columns = []
        for calibration_map, score in zip(self.calibration_maps_, X.T, strict=True):
            columns.append(calibration_map(score))
        return np.column_stack(columns)
