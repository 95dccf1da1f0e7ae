"""Maps from scores to probabilities, fitted to ranked segments.

Each fit takes segments and returns a frozen, picklable, callable map. Knows nothing of models,
plots or widgets.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.interpolate import interpolate
from rocviz.core.base.validation import (
    LARGEST_WEIGHT,
    Floats,
    check_choice,
    check_fraction,
    check_number,
    check_probabilities,
    check_vector,
)
from rocviz.core.calibration._logistic import check_apart, fit_logistic, fit_sigmoid
from rocviz.core.roc.segments import RankedSegments, check_segments

_LEAST_PULL = 1e-300  # what a prior must add to a class, if anything
# Strength of the ridge on the two slopes of the beta map, against a sum over samples.
_RIDGE = 1e-6
# Scores of this much less spread than distance from 0 are counted from their middle.
_FAR = 100.0
_LEAST_REACH = 1e-300  # scores closer together have a slope that no float holds


@dataclass(frozen=True, eq=False)
class CalibrationMap(Frozen, ABC):
    """A function from scores to probabilities; call it on an array of scores.

    ``kind`` names the family. The parameters are the fields of the subclass.
    """

    kind: ClassVar[str]

    def __call__(self, score: ArrayLike) -> Floats:
        """Return probabilities in [0, 1], shape (n_samples,), for scores of that shape.

        Raises
        ------
        ValueError
            If scores are not finite, or not what this kind of map takes.
        """
        return np.clip(self._probability(check_vector(score, "score")), 0.0, 1.0)

    @abstractmethod
    def _probability(self, score: Floats) -> Floats:
        """Return what the map says of finite scores."""


@dataclass(frozen=True, eq=False)
class IdentityMap(CalibrationMap):
    """Leave probabilities as they are."""

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
        What its samples get.
    interpolation : {"step", "linear"}
        What scores between two segments get: the probability of the segment below them, or
        a straight line between both.
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
        return interpolate(score, x[once], y[once])


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
        Keeps the logarithms of p = 0 and p = 1 finite.
    """

    kind = "beta"
    a: float
    b: float
    c: float
    margin: float

    def _probability(self, score: Floats) -> Floats:
        check_probabilities(score, "score")
        z = _log_pair(score, self.margin)
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
        Where scores are counted from. :func:`sigmoid_map` takes it from the data if these are
        far from 0 for how little they vary: then log odds at 0 would say nothing to the last
        digits. With weights far apart it is the score that weighs most.
    """

    kind = "sigmoid"
    slope: float
    intercept: float
    origin: float = 0.0

    def _probability(self, score: Floats) -> Floats:
        # the distance of what is huge may be no float: half of it counts twice
        unit = 0.5 if max(score.max(initial=0.0), -score.min(initial=0.0)) > 1e300 else 1.0
        with np.errstate(over="ignore"):  # certain is as far as it goes
            away = (unit * score - unit * self.origin) * self.slope / unit
            return np.asarray(expit(away + self.intercept))


def identity_map(segments: RankedSegments | None = None) -> IdentityMap:
    """Return the map that leaves probabilities as they are.

    Parameters
    ----------
    segments : RankedSegments, optional
        Only looked at to see that its scores are probabilities.

    Raises
    ------
    ValueError
        If a score lies outside [0, 1].

    Examples
    --------
    >>> identity_map()([0.25])
    array([0.25])
    """
    if segments is not None:
        check_probabilities(check_segments(segments).score, "segments.score")
    return IdentityMap()


def hull_map(
    segments: RankedSegments, *, m: float = 0.0, prior: float = 0.5, interpolation: str = "step"
) -> HullMap:
    """Return the map that gives each segment of the convex hull its proportion of positives.

    Parameters
    ----------
    segments : RankedSegments
        Training data.
    m : float, default=0
        Weight of the prior in the m-estimate ``(pos + m * prior) / (n + m)``; not negative.
        0 is the empirical probability, 2 with ``prior=0.5`` Laplace's correction.
    prior : float, default=0.5
        Probability the estimate is pulled to, in [0, 1]; ``segments.prevalence`` is another
        common choice.
    interpolation : {"step", "linear"}, default="step"
        What scores between two hull segments get: the probability of the first segment, from
        the top, whose lowest score is not above them, or a straight line between the two
        segments. Scores beyond either end get the probability of the end segment.

    Raises
    ------
    ValueError
        If ``m`` is not from 0 to 1e305, ``prior`` not from 0 to 1, their product below 1e-300 but
        not 0, or the interpolation unknown.

    Notes
    -----
    With ``m=0`` the map never decreases. With ``m > 0`` it may: a small segment is pulled
    to the prior more strongly than its larger neighbour, and may change places with it.

    References
    ----------
    Flach and Matsubara (2008), section 6 and Definition 3. Fawcett and Niculescu-Mizil (2007).

    Examples
    --------
    >>> segments = RankedSegments(score=[4, 3, 2, 1], pos=[2, 4, 3, 1], neg=[3, 1, 1, 5])
    >>> hull_map(segments, m=2)([5, 3, 1.5, 0]).round(3)
    array([0.625, 0.625, 0.25 , 0.25 ])
    """
    check_segments(segments)
    pulled_to = check_fraction(prior, "prior", ends=True)
    weight = check_pull(m, pulled_to)
    check_choice(interpolation, "interpolation", ("step", "linear"))
    hull = segments.hull()
    return HullMap(
        low=hull.score,
        high=segments.score[segments.hull_vertices[:-1]],
        n=hull.n,
        probability=(hull.pos + weight * pulled_to) / (hull.n + weight),
        interpolation=interpolation,
    )


def check_pull(m: float, prior: float) -> float:
    """Return the weight of a prior, itself checked, if sums with it and parts of it are floats."""
    weight = check_number(m, "m", minimum=0.0)
    if weight > LARGEST_WEIGHT or (weight > 0 and prior > 0 and weight * prior < _LEAST_PULL):
        wanted = f"at most {LARGEST_WEIGHT:g}, and m * prior 0 or at least {_LEAST_PULL:g}"
        raise ValueError(f"m must be {wanted}; got m={weight:g} and prior={prior:g}.")
    return weight


def isotonic_map(segments: RankedSegments) -> HullMap:
    """Return isotonic regression of the class on the score, linear between training scores.

    The same as :func:`hull_map` with ``interpolation="linear"``, and as scikit-learn's
    ``IsotonicRegression(out_of_bounds="clip")``.

    Parameters
    ----------
    segments : RankedSegments
        Training data.

    Examples
    --------
    >>> segments = RankedSegments(score=[3, 1], pos=[3, 1], neg=[1, 3])
    >>> isotonic_map(segments)([1, 2, 3])
    array([0.25, 0.5 , 0.75])
    """
    return hull_map(segments, interpolation="linear")


def beta_map(segments: RankedSegments) -> BetaMap:
    """Fit beta calibration: ``logit q = a ln p - b ln(1 - p) + c`` with a and b not negative.

    It is the logistic regression of the class on both logarithms, under that constraint,
    which keeps the map from decreasing. Written with the point m where q is one half,
    ``q = 1 / (1 + m^a (1 - m)^-b p^-a (1 - p)^b)``.

    Parameters
    ----------
    segments : RankedSegments
        Training data; scores are probabilities in [0, 1].

    Raises
    ------
    ValueError
        If a score lies outside [0, 1], or weights are more than 1e31 apart.

    Notes
    -----
    Probabilities, when fitting and later, are first moved into [h, 1 - h] with h half a
    sample, ``0.5 / n_samples`` (0.25 at most, for weights with a small sum).

    The likelihood carries the weak normal prior of standard deviation 1000 on a and b, so
    that data which a threshold separates without error get a finite, steep map. On other data
    its effect is below what is worth printing.

    References
    ----------
    Kull, Silva Filho and Flach (2017), who drop the term of a negative coefficient; here the
    constrained problem is solved, which comes to the same unless both are negative.

    Examples
    --------
    >>> segments = RankedSegments(score=[0.9, 0.1], pos=[7, 3], neg=[3, 7])
    >>> beta_map(segments)([0.9, 0.1]).round(3)
    array([0.7, 0.3])
    """
    prob = check_probabilities(check_segments(segments).score, "segments.score")
    check_apart(segments.pos, segments.neg)
    margin = min(0.5 / segments.n_samples, 0.25)
    z = _log_pair(prob, margin)
    data = segments.empirical_probability, segments.neg / segments.n, segments.n, _RIDGE
    slope, c, _ = fit_logistic(z, *data)
    if slope.min() < 0:
        # The problem is convex: with the best slopes out of reach, one of them is 0.
        slope, c, least = np.zeros(2), 0.0, np.inf
        for free in ([0], [1], []):
            some = np.zeros(2)
            some[free], intercept, loss = fit_logistic(z[:, free], *data)
            if some.min() >= 0 and loss < least:
                slope, c, least = some, intercept, loss
    return BetaMap(a=float(slope[0]), b=float(slope[1]), c=c, margin=margin)


def sigmoid_map(segments: RankedSegments) -> SigmoidMap:
    """Fit Platt's sigmoid: ``logit q = slope * score + intercept``, slope not negative.

    Parameters
    ----------
    segments : RankedSegments
        Training data; scores may be any numbers.

    Raises
    ------
    ValueError
        If ``segments`` is no RankedSegments, their scores are so close together that no float
        holds the slope, or weights are so far apart that it would take too many digits.

    Notes
    -----
    Newton's method finds the line. With weights farther apart than 1e9, or so many samples that
    targets are next to 0 and 1, logarithms are balanced first. Where rounding would still move log
    odds by more than 1e-12, as it may where great weights lie close together, the line is polished
    with as many digits as that takes, if that is a matter of seconds.

    Targets are Platt's: ``(n_pos + 1) / (n_pos + 2)`` for positives and ``1 / (n_neg + 2)``
    for negatives, so separable data get a finite map. A slope that would be negative is 0.

    References
    ----------
    Platt (1999).

    Examples
    --------
    >>> segments = RankedSegments(score=[1, -1], pos=[70, 30], neg=[30, 70])
    >>> sigmoid_map(segments)([1, -1]).round(3)
    array([0.696, 0.304])
    """
    check_segments(segments)
    top, bottom = float(segments.score[0]), float(segments.score[-1])
    middle, reach = top / 2 + bottom / 2, top / 2 - bottom / 2
    if len(segments) > 1 and reach < _LEAST_REACH:
        raise ValueError(
            f"segments.score must differ by more than {_LEAST_REACH:g} for a slope; "
            f"they are from {bottom:g} to {top:g}."
        )
    origin = middle if abs(middle) > _FAR * reach > 0 else 0.0
    # in units of a power of two, of which neither the scores nor their distances overflow
    exponent = int(np.frexp(max(top - origin, origin - bottom, reach))[1]) + 1
    score = np.ldexp(segments.score - origin, -exponent)
    of_unit, intercept, at = fit_sigmoid(score, segments.pos, segments.neg)
    with np.errstate(over="ignore"):
        slope = float(np.ldexp(of_unit, -exponent))
    if np.isinf(slope):
        raise ValueError("segments.score are too close together: their slope is beyond floats.")
    return SigmoidMap(slope, intercept, origin if at is None else float(segments.score[at]))


def _log_pair(prob: Floats, margin: float) -> Floats:
    """Return ``ln p`` and ``-ln(1 - p)`` as two columns, both increasing in p."""
    low, high = np.log(margin), np.log1p(-margin)
    with np.errstate(divide="ignore"):  # of 0 and 1, which are moved
        of_pos, of_neg = np.log(prob), -np.log1p(-prob)
    return np.column_stack((of_pos.clip(low, high), of_neg.clip(-high, -low)))


#: Every way to fit a map, by name: functions of segments.
CALIBRATIONS: Mapping[str, Callable[[RankedSegments], CalibrationMap]] = MappingProxyType(
    {
        "identity": identity_map,
        "hull": hull_map,
        "laplace": partial(hull_map, m=2.0),
        "isotonic": isotonic_map,
        "beta": beta_map,
        "sigmoid": sigmoid_map,
    }
)
