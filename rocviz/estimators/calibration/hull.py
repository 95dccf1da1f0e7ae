"""Any binary classifier, with probabilities from the convex hull of its ROC curve.

It has scikit-learn's estimator interface; segments, hull and map are the core's.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Literal

from sklearn import get_config
from sklearn.svm import LinearSVC

from rocviz.core.base.validation import check_choice, check_number, check_share
from rocviz.core.calibration.calibration import fit_hull
from rocviz.core.roc.segments import RankedSegments
from rocviz.estimators.base.classifier import ProbabilisticClassifier
from rocviz.estimators.base.learned import STEP_COLUMNS, hull_segment_rows
from rocviz.estimators.base.scores import lowest_positive_score
from rocviz.estimators.base.wrapping import ThresholdedClassifier, Training

INTERPOLATIONS = ("step", "linear")


@dataclass(eq=False, repr=False)
class HullCalibratedClassifier(ProbabilisticClassifier, ThresholdedClassifier):
    """Calibrate a binary classifier by the convex hull of its ROC curve.

    The classifier's scores rank the training samples; the convex hull of the ROC curve joins
    neighbours of the ranking that are in the wrong order; every hull segment predicts one
    probability, its proportion of positives, pulled to a prior by an m-estimate. With ``m=0``
    this is isotonic regression.

    Scores to build the hull from come from cross-validation by default: each training sample
    is scored by a copy of the classifier that did not see it. All these scores together
    give one curve and one hull. New samples are scored by the classifier fitted to all
    training data.

    Parameters
    ----------
    estimator : classifier, default=None
        With ``decision_function`` or ``predict_proba``. ``None`` stands for
        ``LinearSVC(random_state=0)``, as in scikit-learn's ``CalibratedClassifierCV``.
    cv : int, splitter, iterable of (train, test) indices, "prefit" or None, default=None
        Splits for cross-fitting; every sample must be in exactly one test part. ``None`` is five
        stratified folds, or as many as the smaller class has samples. With ``"prefit"``, and
        whenever ``estimator`` is a ``FrozenEstimator``, the classifier is taken as it is and
        all data given to ``fit`` go into the hull: they should be data it was
        not fitted to.
        ``sklearn.base.clone`` and everything that uses it (a grid search, say) forgets
        fits, except that of a ``FrozenEstimator``.
    m : float, default=2.0
        Weight of the prior in ``(pos + m * prior) / (n + m)``. 0 gives the proportions as
        they are; 2 with ``prior=0.5`` is Laplace's correction.
    prior : float, default=0.5
        Probability to pull to, from 0 to 1.
    interpolation : {"step", "linear"}, default="step"
        For scores between two hull segments: the probability of the segment below, or a
        straight line between both. Beyond the ends the end segment's holds.
    response_method : {"auto", "decision_function", "predict_proba"}, default="auto"
        Method of the classifier that gives the score. ``"auto"`` takes
        ``decision_function`` where there is one.
    pos_label : label, optional
        The class whose share along the hull is the probability; by default ``classes_[1]``.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        The two labels, sorted.
    pos_label_ : label
        The positive class.
    estimator_ : classifier
        The fitted classifier that scores new samples.
    segments_ : RankedSegments
        Ranked training data: out-of-fold scores, or the prefit classifier's.
    hull_ : RankedSegments
        Their convex hull.
    calibration_map_ : HullMap
        From scores to probabilities.
    threshold_ : float
        Lowest score that ``predict`` predicts positive. When one class is predicted at every
        score it lies at the end of the training scores, or just above their top.
    n_features_in_ : int
        If the classifier has it.
    feature_names_in_ : ndarray of str, one for each feature
        If the classifier has it.

    Notes
    -----
    The ranking is kept: ``decision_function`` is the classifier's own score, moved so that it
    is positive where ``predict`` returns ``classes_[1]``, as scikit-learn expects. Its AUC is
    the classifier's. Probabilities tie what the hull joined, so *their* AUC on the data of
    the hull is the (never lower) area under the hull as long as they fall along the hull. A
    large ``m`` can move a small segment past a larger neighbour.

    Folds are scored by different copies of the classifier, so cross-fitting relies on their
    scores being on one scale. Scores that are places in an order which each copy finds for itself,
    as those of :class:`LexRank`, are not: keep samples apart for the hull and use ``"prefit"``.

    References
    ----------
    Flach and Matsubara (2008), Definition 3. Fawcett and Niculescu-Mizil (2007).

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = HullCalibratedClassifier(GaussianNB()).fit(X[::2], y[::2])
    >>> probability = model.predict_proba(X[1::2])[:, 1]
    >>> probability.shape
    (284,)
    >>> bool(np.isin(probability, model.calibration_map_.probability).all())
    True
    """

    estimator: Any = None
    _: KW_ONLY
    m: float = 2.0
    prior: float = 0.5
    interpolation: Literal["step", "linear"] = "step"

    _purpose: ClassVar[str] = "hull"

    def _check_parameters(self) -> None:
        check_number(self.m, "m", minimum=0.0)
        check_share(self.prior, "prior", ends=True)
        check_choice(self.interpolation, "interpolation", INTERPOLATIONS)

    def _get_estimator(self) -> Any:
        if self.estimator is not None:
            return self.estimator
        default = LinearSVC(random_state=0)
        if get_config()["enable_metadata_routing"]:
            default.set_fit_request(sample_weight=True)
        return default

    def _learned(self) -> Any:
        return "Probabilities by score", STEP_COLUMNS, hull_segment_rows(self.calibration_map_)

    def _fit_scores(self, training: Training) -> None:
        segments = RankedSegments.from_scores(
            training.positive, training.score, sample_weight=training.weight
        )
        calibration_map = fit_hull(
            segments, m=self.m, prior=self.prior, interpolation=self.interpolation
        )
        self.segments_ = segments
        self.hull_ = segments.hull()
        self.calibration_map_ = calibration_map
        self.threshold_ = lowest_positive_score(calibration_map)
