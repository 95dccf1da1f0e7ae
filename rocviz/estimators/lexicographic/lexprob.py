"""LexProb: probabilities from the convex hull of LexRank's ROC curve.

The order is LexRank's, the hull and the map are the core's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocviz.core.base.validation import check_number
from rocviz.core.calibration.calibration import fit_hull
from rocviz.estimators.base.classifier import ProbabilisticClassifier
from rocviz.estimators.base.learned import STEP_COLUMNS, hull_segment_rows, learned_table
from rocviz.estimators.lexicographic.lexicographic import LexRank


@dataclass(eq=False, repr=False, kw_only=True)
class LexProb(ProbabilisticClassifier, LexRank):
    """Probabilities from the convex hull of LexRank's ROC curve.

    LexRank orders the samples; the convex hull of its ROC curve on the training data joins
    neighbours of the order that are in the wrong order; each hull segment predicts its
    proportion of positives, with Laplace's correction. A pattern that was not seen in fit
    gets the probability of the hull segment in whose part of the order it lies.

    Parameters
    ----------
    smoothing : float, default=1.0
        As of :class:`LexRank`.
    categorical_features : "from_dtype" or array-like of bool, int or str, default="from_dtype"
        As of :class:`LexRank`.
    m : float, default=2.0
        Of the m-estimate ``(pos + m / 2) / (n + m)``. 2 is Laplace's correction, 0 gives the
        proportions as they are.
    pos_label : label, optional
        As of :class:`LexRank`.

    Attributes
    ----------
    hull_ : RankedSegments
        Convex hull of ``segments_``.
    calibration_map_ : HullMap
        From places in the order to probabilities.
    classes_, pos_label_, attributes_, order_, segments_, threshold_, n_features_in_, \
feature_names_in_
        As in :class:`LexRank`.

    See Also
    --------
    HullCalibrator : The same steps for scores of any ranker.
    HullCalibratedClassifier : The same for any classifier, prefit or cross-fitted.

    Notes
    -----
    The order is learned and calibrated on the same data, as in the paper; with many
    attributes and few samples that makes probabilities too extreme. It is better to keep
    samples apart for the hull: ``HullCalibratedClassifier(LexRank().fit(X, y), cv="prefit")``
    fitted to those. Cross-fitting does not help: LexRanks of different folds may order attributes
    differently, and then their places in the order are on no common scale.

    A pattern between two hull segments gets the probability of the lower one, one beyond
    either end that of the end.

    References
    ----------
    Flach and Matsubara (2008), Definition 3.

    Examples
    --------
    >>> from rocviz.datasets import load_flach_matsubara
    >>> X, y = load_flach_matsubara(return_X_y=True)
    >>> model = LexProb().fit(X, y)
    >>> model.hull_.pos, model.hull_.neg
    (array([9., 1.]), array([5., 5.]))
    >>> model.predict_proba([[1, 0], [0, 1]])[:, 1]
    array([0.625, 0.25 ])
    """

    m: float = 2.0

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number(self.m, "m", minimum=0.0)

    def _finish(self) -> None:
        self.hull_ = self.segments_.hull()
        self.calibration_map_ = fit_hull(self.segments_, m=self.m)
        # at the best threshold, what is more probable than not is predicted positive
        positive = np.flatnonzero(self.calibration_map_.probability > 0.5)
        self._set_threshold(self.hull_.score[positive[-1]] if positive.size else np.inf)

    def _learned_html(self) -> str:
        steps = hull_segment_rows(self.calibration_map_)
        return super()._learned_html() + learned_table(
            "Probabilities by score", STEP_COLUMNS, steps
        )
