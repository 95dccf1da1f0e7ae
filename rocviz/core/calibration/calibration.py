"""Maps from scores to probabilities: frozen, picklable and callable."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import (
    Floats,
    Weights,
    check_choice,
    check_number,
    check_probabilities,
    check_share,
    check_spread,
    check_vector,
)
from rocviz.core.calibration._logistic import fit_logistic
from rocviz.core.roc.auc_intervals import check_class_weights
from rocviz.core.roc.segments import RankedSegments, ranked

#: Ways to fit a map.
METHODS = ("hull", "isotonic", "sigmoid", "beta", "identity")

# Of the beta map, against a sum over samples.
_SLOPE_RIDGE = 1e-6
# Scores whose spread is smaller than their distance from 0 by this factor are centred.
_MAX_RELATIVE_DISTANCE = 100.0
# For which a slope is fitted.
_MIN_SCORE_RANGE = 1e-150
_MAX_SCORE_RANGE = 1e150


@dataclass(frozen=True, eq=False)
class CalibrationMap(Frozen, ABC):
    """A function from scores to probabilities; call it on an array of scores.

    ``kind`` names the family. The parameters are the fields of the subclass.
    """

    kind: ClassVar[str]

    def __call__(self, score: ArrayLike) -> Floats:
        """Map scores to probabilities in [0, 1], shape (n_samples,).

        Raises
        ------
        ValueError
            If scores are not finite, or not what this kind of map takes.
        """
        return np.clip(self._probability(check_vector(score, "score")), 0.0, 1.0)

    @abstractmethod
    def _probability(self, score: Floats) -> Floats:
        """Map finite scores."""


@dataclass(frozen=True, eq=False)
class IdentityMap(CalibrationMap):
    """Return probabilities unchanged."""

    kind = "identity"

    def _probability(self, score: Floats) -> Floats:
        return check_probabilities(score, "score")


@dataclass(frozen=True, eq=False)
class HullMap(CalibrationMap):
    """One probability per segment of the convex hull.

    Parameters
    ----------
    low, high : ndarray of float, shape (n_hull_segments,)
        Lowest and highest training score of each hull segment, most positive segment first.
    n : ndarray of float, shape (n_hull_segments,)
        Weight of its samples.
    probability : ndarray of float, shape (n_hull_segments,)
        Probability of its samples.
    interpolation : {"step", "linear"}
        Scores between two segments get the probability of the segment below them, or lie on a
        straight line between both.
    """

    kind = "hull"
    low: Floats
    high: Floats
    n: Floats
    probability: Floats
    interpolation: str

    def _probability(self, score: Floats) -> Floats:
        if self.interpolation == "step":
            # the first segment from the top whose lowest score is not above the score
            segment = np.searchsorted(-self.low, -score, side="left")
            return self.probability[np.minimum(segment, self.low.size - 1)]
        x = np.column_stack((self.low, self.high))[::-1].ravel()
        y = np.repeat(self.probability[::-1], 2)
        once = np.append(True, x[1:] > x[:-1])
        return np.asarray(np.interp(score, x[once], y[once]))


@dataclass(frozen=True, eq=False)
class BetaMap(CalibrationMap):
    """``logit q = a ln p - b ln(1 - p) + c``, with p kept within [margin, 1 - margin].

    Parameters
    ----------
    a, b : float
        Not negative. ``a = b = 1`` and ``c = 0`` is the identity, ``a = b`` a sigmoid of the
        log odds.
    c : float
        Intercept.
    margin : float
        Keeps the logarithms of p = 0 and p = 1 finite; at most the distance of any other training
        probability from 0 and 1.
    """

    kind = "beta"
    a: float
    b: float
    c: float
    margin: float

    def _probability(self, score: Floats) -> Floats:
        z = _log_pair(check_probabilities(score, "score"), self.margin)
        return np.asarray(expit(z @ np.array([self.a, self.b]) + self.c))


@dataclass(frozen=True, eq=False)
class SigmoidMap(CalibrationMap):
    """``logit q = slope * (score - origin) + intercept``.

    Parameters
    ----------
    slope : float
        Not negative.
    intercept : float
        Log odds at score ``origin``.
    origin : float, default=0
        Origin of the scores: the middle of the training scores, if these are far from
        0 for how little they vary.
    """

    kind = "sigmoid"
    slope: float
    intercept: float
    origin: float = 0.0

    def _probability(self, score: Floats) -> Floats:
        return np.asarray(expit((score - self.origin) * self.slope + self.intercept))


def calibration_map(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None = None,
    *,
    method: str = "hull",
    m: float = 0.0,
    prior: float = 0.5,
    interpolation: str = "step",
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> CalibrationMap:
    """Fit a map from scores to probabilities.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments
        Labels of exactly two classes. Segments stand for labels, scores and weights.
    y_score : array-like of float, shape (n_samples,)
        Higher means more positive. For "beta" and "identity" scores are probabilities.
    method : {"hull", "isotonic", "sigmoid", "beta", "identity"}, default="hull"
        - ``"hull"``: each segment of the convex hull of the ROC curve gets its proportion of
          positives; ``m``, ``prior`` and ``interpolation`` change that.
        - ``"isotonic"``: isotonic regression, linear between training scores, as scikit-learn's
          ``IsotonicRegression(out_of_bounds="clip")``. With ``m > 0`` its steps are pulled to the
          prior and pooled until they are in order again.
        - ``"sigmoid"``: Platt's ``logit q = slope * score + intercept``, slope not negative.
        - ``"beta"``: ``logit q = a ln p - b ln(1 - p) + c`` with a and b not negative.
        - ``"identity"``: leaves probabilities as they are.
    m : float, default=0.0
        Weight of the prior in the m-estimate ``(pos + m * prior) / (n + m)`` of "hull" and
        "isotonic"; not negative. 0 is the empirical probability, 2 with ``prior=0.5`` Laplace's
        correction.
    prior : float, default=0.5
        Probability the estimate is pulled to, in [0, 1]; the prevalence is another common choice.
    interpolation : {"step", "linear"}, default="step"
        Probability of scores between two hull segments: that of the first segment,
        from the top, whose lowest score is not above them, or a straight line between the two
        segments. Scores beyond either end get the probability of the end segment.
    sample_weight, pos_label
        As for :meth:`rocviz.RankedSegments.from_scores`. A weight says how often a sample is
        repeated; for "sigmoid" and "beta" weights must sum to at least 1 in each class.

    Returns
    -------
    CalibrationMap
        Call it on scores.

    Raises
    ------
    ValueError
        If an argument is invalid, scores are no probabilities where they have to be, they span
        less than 1e-150 or more than 1e150 where a slope is fitted, or weights sum to less than 1
        in a class there.

    Notes
    -----
    With ``m=0`` no map ever decreases. With ``m > 0`` "hull" may: a small segment is pulled to the
    prior more strongly than its larger neighbour, and may change places with it. "isotonic" pools
    such segments, prior samples included. A single positive at the top of a ranking makes isotonic
    regression say 1 there, and at every larger score; with ``m=2`` the top says 2/3. With
    ``prior=0.5`` no probability changes sides of one half.

    Targets of "sigmoid" are Platt's: ``(n_pos + 1) / (n_pos + 2)`` for positives and
    ``1 / (n_neg + 2)`` for negatives, so separable data get a finite map. A slope that would be
    negative is 0.

    "beta" is the logistic regression of the class on both logarithms, under the constraint on a and
    b. With the point m where q is one half, it is ``q = 1 / (1 + m^a (1 - m)^-b p^-a (1 - p)^b)``.
    Exactly 0 and 1 have no logarithms: they are moved by half a sample, ``0.5 / n_samples``, or to
    the training probability that is nearest to 0 or 1, if that is nearer, as are later ones that
    are nearer still. All others stay as they are, however small. The likelihood carries the weak
    normal prior of standard deviation 1000 on a and b, so that data which a threshold separates
    without error get a finite, steep map.

    References
    ----------
    Flach and Matsubara (2008), section 6 and Definition 3. Fawcett and Niculescu-Mizil (2007).
    Menon et al. (2012), section 3.3, on gaps between scores. Platt (1999). Kull, Silva Filho and
    Flach (2017), who drop the term of a negative coefficient; here the constrained problem is
    solved, which comes to the same unless both are negative.

    Examples
    --------
    >>> y, score = [1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]
    >>> calibration_map(y, score)([7, 4, 3, 1])
    array([1. , 0.5, 0.5, 0. ])
    >>> calibration_map(y, score, method="isotonic", m=2)([7, 4.5, 1])
    array([0.75 , 0.625, 0.25 ])
    >>> segments = RankedSegments(score=[0.9, 0.1], pos=[7, 3], neg=[3, 7])
    >>> calibration_map(segments, method="beta")([0.9, 0.1]).round(3)
    array([0.7, 0.3])
    >>> calibration_map(segments, method="sigmoid")([0.9, 0.1]).round(3)
    array([0.667, 0.333])
    """
    check_choice(method, "method", METHODS)
    segments = ranked(y_true, y_score, sample_weight, pos_label)
    if method == "hull":
        return fit_hull(segments, m=m, prior=prior, interpolation=interpolation)
    if method == "isotonic":
        return fit_isotonic(segments, m=m, prior=prior)
    if method == "sigmoid":
        return fit_sigmoid(segments)
    check_probabilities(segments.score, "segments.score" if y_score is None else "y_score")
    return fit_beta(segments) if method == "beta" else IdentityMap()


def fit_hull(
    segments: RankedSegments, *, m: float = 0.0, prior: float = 0.5, interpolation: str = "step"
) -> HullMap:
    """Give each segment of the convex hull its m-estimate, see :func:`calibration_map`."""
    hull = segments.hull()
    pos, neg = _with_prior(hull, m, prior)
    check_choice(interpolation, "interpolation", ("step", "linear"))
    return HullMap(
        low=hull.score,
        high=segments.score[segments.hull_vertices[:-1]],
        n=hull.n,
        probability=pos / (pos + neg),
        interpolation=interpolation,
    )


def fit_isotonic(segments: RankedSegments, *, m: float = 0.0, prior: float = 0.5) -> HullMap:
    """Pool segments of the hull until their m-estimates are in order."""
    hull = segments.hull()
    # a sample of the prior for each segment makes the m-estimate a plain proportion
    pulled = RankedSegments(hull.score, *_with_prior(hull, m, prior))
    pooled = pulled.hull()
    first = pulled.hull_vertices[:-1]
    return HullMap(
        low=pooled.score,
        high=segments.score[segments.hull_vertices[:-1]][first],
        n=np.add.reduceat(hull.n, first),
        probability=pooled.empirical_probability,
        interpolation="linear",
    )


def _with_prior(hull: RankedSegments, m: float, prior: float) -> tuple[Floats, Floats]:
    """Add ``m`` samples of the prior to both classes of each segment."""
    share = check_share(prior, "prior", ends=True)
    weight = check_number(m, "m", minimum=0.0)
    of_pos = weight * share
    of_neg = weight * (1 - share)
    check_spread(
        "m, prior and the weights of segments", hull.pos, hull.neg, [of_pos, of_neg], sums=True
    )
    return hull.pos + of_pos, hull.neg + of_neg


def fit_beta(segments: RankedSegments) -> BetaMap:
    """Fit beta calibration to segments of probabilities, see :func:`calibration_map`."""
    check_class_weights(segments.pos, segments.neg)
    prob = check_probabilities(segments.score, "segments.score")
    farthest = np.concatenate((prob[prob > 0], 1 - prob[prob < 1]))
    margin = float(farthest.min(initial=0.5 / segments.n_samples))
    z = _log_pair(prob, margin)
    data = segments.empirical_probability, segments.neg / segments.n, segments.n, _SLOPE_RIDGE
    slope, c, _ = fit_logistic(z, *data)
    if slope.min() < 0:
        # The problem is convex: if the best slopes are infeasible, one of them is 0.
        lowest_loss = np.inf
        for free in ([0], [1], []):
            feasible = np.zeros(2)
            feasible[free], intercept, loss = fit_logistic(z[:, free], *data)
            if feasible.min() >= 0 and loss < lowest_loss:
                slope = feasible
                c = intercept
                lowest_loss = loss
    return BetaMap(a=float(slope[0]), b=float(slope[1]), c=c, margin=margin)


def fit_sigmoid(segments: RankedSegments) -> SigmoidMap:
    """Fit Platt's sigmoid, see :func:`calibration_map`."""
    check_class_weights(segments.pos, segments.neg)
    score = segments.score
    pos = segments.pos
    neg = segments.neg
    n = segments.n
    with np.errstate(over="ignore"):
        reach = float(score[0] - score[-1])
    if len(segments) > 1 and not _MIN_SCORE_RANGE < reach < _MAX_SCORE_RANGE:
        raise ValueError(
            f"segments.score must span between {_MIN_SCORE_RANGE:g} and {_MAX_SCORE_RANGE:g} "
            f"for a slope; they span {reach:.6g}."
        )
    middle = float(score[-1]) + reach / 2
    origin = middle if abs(middle) > _MAX_RELATIVE_DISTANCE * reach > 0 else 0.0
    unsure_pos = 1 / (segments.n_pos + 2)
    unsure_neg = 1 / (segments.n_neg + 2)
    target = (pos * (1 - unsure_pos) + neg * unsure_neg) / n
    rest = (pos * unsure_pos + neg * (1 - unsure_neg)) / n
    away = (score - origin)[:, np.newaxis]
    slope, intercept, _ = fit_logistic(away, target, rest, n)
    if slope[0] <= 0:
        return SigmoidMap(0.0, fit_logistic(away[:, :0], target, rest, n)[1])
    return SigmoidMap(float(slope[0]), intercept, origin)


def _log_pair(prob: Floats, margin: float) -> Floats:
    """Compute ``ln p`` and ``-ln(1 - p)`` as two columns, both increasing in p."""
    low = np.log(margin)
    high = np.log1p(-margin)
    with np.errstate(divide="ignore"):  # 0 and 1 are moved
        of_pos = np.log(prob)
        of_neg = -np.log1p(-prob)
    return np.column_stack((of_pos.clip(low, high), of_neg.clip(-high, -low)))
