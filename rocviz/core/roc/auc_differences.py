"""Intervals and tests of differences of AUCs, which are never more certain than their parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import betaincinv, expit, ndtr, ndtri, stdtr, stdtrit

from rocviz.core.base.validation import Bools, Floats

if TYPE_CHECKING:
    from collections.abc import Callable

#: Ways to an interval and a test of a difference, the default first.
DIFFERENCE_METHODS = ("delong-mover", "delong")

# With more degrees of freedom Student's distribution is the normal one to nine digits.
_MAX_STUDENT_DEGREES = 1e9
# The smallest p-value.
_MIN_P = 1e-300
# The largest quantile: far out SciPy's overflow, with either sign.
_MAX_QUANTILE = 1e100
# Steps of the search for a p-value, and the relative change of its quantile that ends it.
_MAX_STEPS = 100
_ROOT_PRECISION = 1e-15


class AUCSide(NamedTuple):
    """One side of each of several differences; arrays of shape (n_differences,)."""

    auc: Floats
    wrong: Floats  # 1 less the AUC, to full precision
    variance: Floats
    degrees: Floats  # of freedom of the variance
    smaller: Floats  # weight of the smaller class, or the number of clusters that hold it

    @property
    def has_no_spread(self) -> Bools:
        """Where the data do not show how much the AUC varies."""
        return np.asarray(~(np.nan_to_num(self.variance) > 0) | (self.auc <= 0) | (self.wrong <= 0))

    def ends(self, tail: Floats) -> tuple[Floats, Floats]:
        """Compute intervals that leave out the probability ``tail`` at either end.

        They are symmetric on the scale of log odds, by Student's distribution; Clopper and
        Pearson's where there is no spread, as in :func:`auc_interval`.
        """
        is_missing = self.has_no_spread
        right = np.where(is_missing, 0.5, self.auc)
        wrong = np.where(is_missing, 0.5, self.wrong)
        error = np.sqrt(np.where(is_missing, 0.0, np.nan_to_num(self.variance)))
        half = student_tail(tail, self.degrees) * error / right / wrong
        centre = np.log(right) - np.log(wrong)
        lower = np.minimum(expit(centre - half), right)
        upper = np.maximum(expit(centre + half), right)
        if is_missing.any():
            successes = np.clip(self.auc, 0.0, 1.0) * self.smaller
            failures = self.smaller - successes
            low = np.where(successes > 0, _beta_quantile(successes, failures + 1, tail), 0.0)
            high = np.where(failures > 0, 1 - _beta_quantile(failures, successes + 1, tail), 1.0)
            lower = np.where(is_missing, low, lower)
            upper = np.where(is_missing, high, upper)
        return lower, upper


class AUCDifferences(NamedTuple):
    """Intervals and two-sided p-values of differences of AUCs, shape (n_differences,)."""

    lower: Floats
    upper: Floats
    p_value: Floats
    is_fallback: Bools  # where the data show no spread of the difference


def student_tail(tail: Floats, degrees: Floats) -> Floats:
    """Compute the quantile that Student's distribution exceeds with the probability ``tail``."""
    is_student = degrees < _MAX_STUDENT_DEGREES
    quantile = np.abs(stdtrit(np.where(is_student, degrees, 1.0), tail))
    quantile = np.minimum(quantile, _MAX_QUANTILE)
    return np.asarray(np.where(is_student, quantile, -ndtri(tail)))


def _beta_quantile(a: Floats, b: Floats, tail: Floats) -> Floats:
    """Compute a quantile of the beta distribution, 0 for the tiny ones that SciPy does not find."""
    return np.asarray(np.nan_to_num(betaincinv(a, b, tail), nan=0.0))


def _two_sided_p(steps: Floats, degrees: Floats) -> Floats:
    """Compute the two-sided p-value of a distance in standard errors."""
    is_student = degrees < _MAX_STUDENT_DEGREES
    tail = stdtr(np.where(is_student, degrees, 1.0), -np.abs(steps))
    return np.asarray(2 * np.where(is_student, tail, ndtr(-np.abs(steps))))


def correlation_of(covariance: Floats) -> Floats:
    """Compute the correlations of a covariance matrix, 0 where a variance is 0."""
    error = np.sqrt(np.diag(covariance))
    scale = np.outer(error, error)
    return np.asarray(np.divide(covariance, scale, out=np.zeros_like(scale), where=scale > 0))


def mover_ends(
    a: AUCSide, b: AUCSide, difference: Floats, correlation: Floats, tail: Floats
) -> tuple[Floats, Floats]:
    """Compute the ends of differences from the intervals of both sides (MOVER).

    References
    ----------
    Newcombe (1998). Zou and Donner (2008).
    """
    low_a, high_a = a.ends(tail)
    low_b, high_b = b.ends(tail)
    r = np.where(a.has_no_spread | b.has_no_spread, 0.0, np.clip(correlation, -1.0, 1.0))
    below = _hypotenuse(a.auc - low_a, high_b - b.auc, r)
    above = _hypotenuse(high_a - a.auc, b.auc - low_b, r)
    return difference - below, difference + above


def _hypotenuse(x: Floats, y: Floats, r: Floats) -> Floats:
    """Compute the length of a difference of two errors whose correlation is ``r``."""
    return np.sqrt(np.maximum((x - y) ** 2 + 2 * (1 - r) * x * y, 0.0))


def compare_aucs(
    a: AUCSide,
    b: AUCSide,
    difference: Floats,
    error: Floats,
    degrees: Floats,
    correlation: Floats,
    is_same: Bools,
    confidence: float,
    method: str = "delong-mover",
) -> AUCDifferences:
    """Compute the intervals and the tests of the differences of AUCs.

    ``error`` is the standard error of each difference, with its ``degrees`` of freedom. Both AUCs
    vary with the ``correlation``; ``is_same`` says where both sides are one ranking, which
    certainly do not differ.

    By ``"delong-mover"`` an interval is the hull of Wald's, by Student's distribution, and of the
    one that follows from the intervals of both sides. The p-value is the larger of the two, so
    that interval and test agree. ``"delong"`` is DeLong's normal test. Where the data show no
    spread of a difference, both are the second interval alone, without correlation.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988). Newcombe (1998). Zou and Donner (2008). Satterthwaite
    (1946).

    Examples
    --------
    >>> perfect = AUCSide(*(np.array([x]) for x in (1.0, 0.0, 0.0, np.inf, 10.0)))
    >>> coin = AUCSide(*(np.array([x]) for x in (0.5, 0.5, 0.0, np.inf, 10.0)))
    >>> difference, none, is_same = np.array([0.5]), np.zeros(1), np.array([False])
    >>> many = np.array([np.inf])
    >>> result = compare_aucs(perfect, coin, difference, none, many, none, is_same, 0.95)
    >>> print(f"{result.lower[0]:.2f} to {result.upper[0]:.2f}, p = {result.p_value[0]:.3f}")
    0.06 to 0.81, p = 0.023
    """
    is_fallback = np.asarray((error <= 0) & ~is_same)
    r = np.where(is_fallback, 0.0, correlation)
    tail = np.full(difference.shape, (1 - confidence) / 2)
    freedom = np.full(difference.shape, np.inf) if method == "delong" else degrees
    half = np.where(error > 0, student_tail(tail, freedom) * error, 0.0)
    lower = difference - half
    upper = difference + half
    steps = difference / np.where(error > 0, error, 1.0)
    p_value = np.where(error > 0, _two_sided_p(steps, freedom), (difference == 0).astype(float))
    needs_mover = is_fallback if method == "delong" else ~is_same
    chosen = np.flatnonzero(needs_mover)
    if not chosen.size:
        return AUCDifferences(lower, upper, p_value, is_fallback)
    side_a = AUCSide(*(column[chosen] for column in a))
    side_b = AUCSide(*(column[chosen] for column in b))
    low, high = mover_ends(side_a, side_b, difference[chosen], r[chosen], tail[chosen])
    lower[chosen] = np.maximum(np.minimum(lower[chosen], low), -1.0)
    upper[chosen] = np.minimum(np.maximum(upper[chosen], high), 1.0)
    p_value[chosen] = _larger_p(side_a, side_b, difference[chosen], r[chosen], p_value[chosen])
    return AUCDifferences(lower, upper, p_value, is_fallback)


def _larger_p(
    a: AUCSide, b: AUCSide, difference: Floats, correlation: Floats, p_wald: Floats
) -> Floats:
    """Find the larger of Wald's p-value and the least level whose MOVER interval excludes 0."""

    def gap(z: Floats) -> Floats:
        """Compute how far 0 is outside of the intervals with the normal quantiles ``z``."""
        low, high = mover_ends(a, b, difference, correlation, ndtr(-z))
        return np.asarray(np.where(difference < 0, -high, low))

    z_wald = -ndtri(np.maximum(p_wald, _MIN_P) / 2)
    z = _falling_root(gap, np.zeros(difference.shape), z_wald)
    return np.asarray(np.maximum(np.maximum(p_wald, _MIN_P), 2 * ndtr(-z)))


def _falling_root(function: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """Find where falling functions reach 0, by the Illinois method; ``high`` if they do not.

    References
    ----------
    Dowell and Jarratt (1971).
    """
    at_low = function(low)
    at_high = function(high)
    is_reached = at_high <= 0
    root = high
    last = low
    was_above: Bools | None = None
    n_steps = 0
    while n_steps < _MAX_STEPS and np.any(np.abs(root - last) > _ROOT_PRECISION * root):
        n_steps += 1
        fall = at_low - at_high
        share = np.divide(at_low, fall, out=np.ones_like(fall), where=is_reached & (fall > 0))
        last = root
        root = low + np.clip(share, 0.0, 1.0) * (high - low)
        value = function(root)
        is_above = value > 0
        # an end that stays twice counts half, so that the next step goes beyond the root
        stays = np.zeros_like(is_above) if was_above is None else is_above == was_above
        weight = np.where(stays, 0.5, 1.0)
        low, high, at_low, at_high = (
            np.where(is_above, root, low),
            np.where(is_above, high, root),
            np.where(is_above, value, weight * at_low),
            np.where(is_above, weight * at_high, value),
        )
        was_above = is_above
    return root
