"""Logistic recalibration of predictions: a shift of the log-odds, an intercept and a slope.

Log-odds are taken as they are; only those of exactly 0 and 1, which have none, are moved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import log_expit, logit, stdtrit

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.logistic_levels import class_probabilities
from rocviz.core.base.normal import normal_quantile, student_quantile
from rocviz.core.base.validation import Floats, Weights, check_aligned, check_probabilities
from rocviz.core.calibration._logistic import fit_logistic
from rocviz.core.roc.auc_intervals import check_class_weights
from rocviz.core.roc.segments import RankedSegments, ranked_with_clusters

_FEW_OF_A_CLASS = 5
# Ratio of the variance of outcomes to the binomial one that is worth a word.
_LARGE_DISPERSION = 10.0
_SEPARATED = "A threshold on the predictions separates both classes"


@dataclass(frozen=True)
class Estimate(Frozen):
    """A number with its confidence interval.

    Parameters
    ----------
    value : float
    lower, upper : float
        Ends of the interval, which includes the value; infinite where the data bound it on one
        side only, ``nan`` where they do not give it.
    reason : str
        Why an end is missing, or what limits the number; empty if there is nothing to say.
    """

    value: float
    lower: float = np.nan
    upper: float = np.nan
    reason: str = ""

    def _phrase(self) -> str:
        return f"<{self.value:.4g}, {self.lower:.4g} to {self.upper:.4g}>"


# ---------------------------------------------------------------------- data


class Clustered(NamedTuple):
    """Samples that belong to clusters; arrays of shape (n_samples,)."""

    cell: NDArray[np.intp]  # index of their distinct probability
    unit: NDArray[np.intp]  # cluster, numbered from 0
    pos: Floats  # weight as positive
    neg: Floats  # weight as negative

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return int(self.unit.max()) + 1

    def sums(self, of_pos: Floats, of_neg: Floats) -> Floats:
        """Sum over each cluster a value of the positives, and one of the negatives, by cell."""
        value = self.pos * of_pos[self.cell] + self.neg * of_neg[self.cell]
        return np.asarray(np.bincount(self.unit, value), dtype=np.float64)

    def n_of_rarer_class(self) -> float:
        """Count the clusters that have a sample of a class, and take the smaller number."""
        n_pos = np.unique(self.unit[self.pos > 0]).size
        n_neg = np.unique(self.unit[self.neg > 0]).size
        return float(min(n_pos, n_neg))


class CalibrationData(NamedTuple):
    """Checked data: counts of each distinct probability, and the samples if they have clusters."""

    prob: Floats  # (n_cells,): increasing
    log_odds: Floats  # (n_cells,): of the probability; finite, as those of 0 and 1 are moved
    pos: Floats  # (n_cells,): weight of either class
    neg: Floats
    moved_to: float  # the log-odds of a probability of 1
    clustered: Clustered | None

    @property
    def n(self) -> Floats:
        """Weight of each cell."""
        return self.pos + self.neg

    @property
    def n_moved(self) -> float:
        """Weight of the samples with a probability of exactly 0 or 1."""
        return float(self.n[(self.prob == 0) | (self.prob == 1)].sum())

    @property
    def n_of_rarer_class(self) -> float:
        """Weight of the rarer class, or how many clusters have a sample of it."""
        if self.clustered is not None:
            return self.clustered.n_of_rarer_class()
        return float(min(self.pos.sum(), self.neg.sum()))

    def variance_of_sum(self, of_pos: Floats, of_neg: Floats) -> float:
        """Estimate the variance of a sum over samples, to which they add these values by cell."""
        if self.clustered is None:
            return float(self.pos @ of_pos**2 + self.neg @ of_neg**2)
        total = self.clustered.sums(of_pos, of_neg)
        return float(total @ total) * total.size / (total.size - 1)

    def quantile(self, level: float) -> float:
        """Compute how many standard errors an interval extends: Student's t over clusters."""
        if self.clustered is None:
            return normal_quantile(level)
        return float(stdtrit(self.clustered.n_clusters - 1, (1 + level) / 2))


def calibration_data(
    y_true: ArrayLike | RankedSegments,
    y_prob: ArrayLike | None,
    sample_weight: Weights,
    clusters: ArrayLike | None,
    pos_label: Any,
) -> CalibrationData:
    """Check data and count both classes at each distinct probability."""
    check_aligned(y_true=y_true, y_prob=y_prob, sample_weight=sample_weight, clusters=clusters)
    segments, samples = ranked_with_clusters(
        y_true, y_prob, clusters, sample_weight, pos_label, "y_prob", check_probabilities
    )
    prob = segments.score[::-1]
    pos = segments.pos[::-1]
    neg = segments.neg[::-1]
    check_class_weights(pos, neg)
    with np.errstate(divide="ignore"):
        log_odds = np.asarray(logit(prob))
    is_finite = np.isfinite(log_odds)
    farthest = np.abs(log_odds[is_finite]).max(initial=0.0)
    moved_to = max(float(np.log(2 * segments.n_samples - 1)), float(farthest))
    log_odds = np.clip(log_odds, -moved_to, moved_to)
    if samples is None:
        return CalibrationData(prob, log_odds, pos, neg, moved_to, None)
    positive, (score,), _, unit = samples
    if unit is None or unit.max() == 0:
        raise ValueError("clusters must have at least two different values.")
    cell = np.searchsorted(prob, score)
    clustered = Clustered(cell, unit, samples.w * positive, samples.w * ~positive)
    return CalibrationData(prob, log_odds, pos, neg, moved_to, clustered)


# ---------------------------------------------------------------------- a shift of the log-odds


def calibrating_shift(log_odds: Floats, pos: Floats, neg: Floats) -> float:
    """Find the shift of log-odds that equates the expected and the observed positives."""
    total = float(pos.sum() + neg.sum())

    def surplus(shift: float) -> float:
        yes, no = class_probabilities(log_odds + shift)
        return float(neg @ yes - pos @ no) / total

    of_share = float(np.log(pos.sum()) - np.log(neg.sum()))
    low = of_share - float(log_odds.max())
    high = of_share - float(log_odds.min())
    margin = 1e-9 * (1 + abs(low) + abs(high))  # keeps the root inside
    return float(brentq(surplus, low - margin, high + margin, xtol=1e-13))


def dispersion(data: CalibrationData, shift: float, squares: float) -> float:
    """Compute how much more than binomially the observed number of positives varies, at least 1.

    ``squares`` is its variance by the residuals; the binomial variance is that at ``shift``.
    """
    yes, no = class_probabilities(data.log_odds + shift)
    return max(1.0, squares / float(data.n @ (yes * no)))


def score_interval(
    data: CalibrationData, shift: float, factor: float, steps: float
) -> tuple[float, float]:
    """Compute the score interval of a shift of the log-odds around its estimate.

    The interval is where the observed positives are within ``steps`` standard errors of the
    expected ones, of binomial variances times ``factor``.
    """
    total = float(data.n.sum())

    def excess(at_shift: float) -> float:
        yes, no = class_probabilities(data.log_odds + at_shift)
        gap = float(data.pos @ no - data.neg @ yes)
        return (gap**2 - steps**2 * factor * float(data.n @ (yes * no))) / total**2

    return _first_root(excess, shift, -1.0), _first_root(excess, shift, 1.0)


def _first_root(function: Callable[[float], float], start: float, step: float) -> float:
    """Find where a function that is negative at ``start`` becomes positive in a direction."""
    inside = start
    while function(inside + step) <= 0:
        inside += step
        step *= 2
    return float(brentq(function, inside, inside + step, xtol=1e-12))


def in_the_large(data: CalibrationData, level: float) -> Estimate:
    """Estimate the shift of log-odds that equates the expected and the observed number."""
    shift = calibrating_shift(data.log_odds, data.pos, data.neg)
    yes, no = class_probabilities(data.log_odds + shift)
    factor = dispersion(data, shift, data.variance_of_sum(no, -yes))
    low, high = score_interval(data, shift, factor, data.quantile(level))
    reason = _impossible(data) or _too_extreme(data, factor)
    return Estimate(shift, min(low, shift), max(high, shift), reason)


def ratio_of_sums(data: CalibrationData) -> float:
    """Divide observed by expected positives; infinite where as good as none are expected."""
    with np.errstate(over="ignore", divide="ignore"):
        return float(np.divide(data.pos.sum(), data.n @ data.prob))


def ratio_dispersion(data: CalibrationData, ratio: float) -> tuple[float, float]:
    """Compute the calibrating shift, and :func:`dispersion` around predictions times ``ratio``."""
    shift = calibrating_shift(data.log_odds, data.pos, data.neg)
    scaled = ratio * data.prob
    return shift, dispersion(data, shift, data.variance_of_sum(1 - scaled, -scaled))


def observed_expected(data: CalibrationData, level: float) -> Estimate:
    """Estimate the ratio of observed to expected positives.

    Its ends are the expected positives at the ends of a shift's interval, over those predicted.
    """
    expected = float(data.n @ data.prob)
    ratio = ratio_of_sums(data)
    if not np.isfinite(ratio):
        return Estimate(ratio, reason="All predictions are 0, or as good as 0.")
    shift, factor = ratio_dispersion(data, ratio)
    ends = []
    for end in score_interval(data, shift, factor, data.quantile(level)):
        ends.append(float(data.n @ class_probabilities(data.log_odds + end)[0]) / expected)
    reason = _too_extreme(data, factor)
    n_of_rarer_class = float(min(data.pos.sum(), data.neg.sum()))
    if n_of_rarer_class < _FEW_OF_A_CLASS:
        reason = (
            "Fewer than five of the rarer class: observed over expected is known within a factor "
            "only."
        )
    return Estimate(ratio, min(ends[0], ratio), max(ends[1], ratio), reason)


def _too_extreme(data: CalibrationData, factor: float) -> str:
    """Say that errors are far more than predictions allow; clusters may have them all the same."""
    if data.clustered is not None or factor < _LARGE_DISPERSION:
        return ""
    return (
        "The outcomes vary far more than predictions so extreme allow, which makes the intervals "
        "of observed over expected and of a shift very wide."
    )


def _impossible(data: CalibrationData) -> str:
    """Say whether a prediction of exactly 0 or 1 was wrong."""
    wrong = []
    if data.prob[0] == 0 and data.pos[0]:
        wrong.append("0")
    if data.prob[-1] == 1 and data.neg[-1]:
        wrong.append("1")
    if not wrong:
        return ""
    return (
        f"A prediction of exactly {' and one of exactly '.join(wrong)} proved wrong: no "
        "recalibration of slope 1 can be right."
    )


# ---------------------------------------------------------------------- intercept and slope


class LogisticFit(NamedTuple):
    """A logistic recalibration: log-odds of ``level + slope * (log_odds - centre)``.

    Around their centre, the mean of the log-odds under the curvature of the likelihood, slope and
    level are uncorrelated without clusters, and no digits are lost.
    """

    slope: float  # infinite if the classes are separated, nan if all log-odds are the same
    level: float = np.nan
    centre: float = np.nan
    covariance: Floats = np.full((2, 2), np.nan)  # of level and slope

    @property
    def intercept(self) -> float:
        """Log-odds at a prediction of one half."""
        return self.level - self.slope * self.centre

    @property
    def intercept_variance(self) -> float:
        """Variance of the intercept."""
        weights = np.array([1.0, -self.centre])
        return float(weights @ self.covariance @ weights)


def are_separated(x: Floats, pos: Floats, neg: Floats) -> bool:
    """Whether a threshold on increasing values separates the classes, but for ties there."""
    of_pos = x[np.flatnonzero(pos)]
    of_neg = x[np.flatnonzero(neg)]
    return bool(of_pos[0] >= of_neg[-1] or of_pos[-1] <= of_neg[0])


def fit_recalibration(data: CalibrationData) -> LogisticFit:
    """Fit intercept and slope of logistic recalibration to the log-odds."""
    x = data.log_odds
    n = data.n
    if x[0] == x[-1]:
        return LogisticFit(np.nan)
    if are_separated(x, data.pos, data.neg):
        is_falling = x @ data.pos / data.pos.sum() < x @ data.neg / data.neg.sum()
        return LogisticFit(-np.inf if is_falling else np.inf)
    (slope,), intercept, _ = fit_logistic(x[:, np.newaxis], data.pos / n, data.neg / n, n)
    yes, no = class_probabilities(intercept + slope * x)
    bend = n * yes * no
    centre = float(bend @ x / bend.sum())
    away = x - centre
    level = float(intercept + slope * centre)
    information = np.array([bend.sum(), bend @ away**2])
    covariance = np.diag(1 / information)
    if data.clustered is not None:
        influence = [data.clustered.sums(no, -yes), data.clustered.sums(no * away, -yes * away)]
        scores = np.array(influence) / information[:, np.newaxis]
        n_clusters = scores.shape[1]
        covariance = n_clusters / (n_clusters - 1) * scores @ scores.T
    return LogisticFit(float(slope), level, centre, covariance)


def intercept_and_slope(data: CalibrationData, level: float) -> tuple[Estimate, Estimate]:
    """Estimate intercept and slope of logistic recalibration."""
    fit = fit_recalibration(data)
    if np.isnan(fit.slope):
        reason = "All predictions are the same, so they have no slope."
        return Estimate(np.nan, reason=reason), Estimate(np.nan, reason=reason)
    if np.isinf(fit.slope):
        return _separated_slope(data, fit.slope, level)
    reason = ""
    if data.n_moved:
        are = "prediction" if data.n_moved == 1 else "predictions"
        were = "was" if data.n_moved == 1 else "were"
        reason = (
            f"{data.n_moved:g} {are} of exactly 0 or 1 {were} moved to log-odds of "
            f"−{data.moved_to:.1f} or {data.moved_to:.1f}; the slope depends on that."
        )
    steps = normal_quantile(level)
    if data.clustered is not None:
        # how much a slope varies shows in the clusters of the rarer class
        degrees = data.n_of_rarer_class - 1
        if degrees < 1:
            reason = "Only one cluster has samples of the rarer class: the slope has no interval."
            return Estimate(fit.intercept, reason=reason), Estimate(fit.slope, reason=reason)
        steps = float(student_quantile(level, degrees))
    half = steps * float(np.sqrt(fit.intercept_variance))
    intercept = Estimate(fit.intercept, fit.intercept - half, fit.intercept + half)
    half = steps * float(np.sqrt(fit.covariance[1, 1]))
    return intercept, Estimate(fit.slope, fit.slope - half, fit.slope + half, reason)


def _separated_slope(
    data: CalibrationData, slope: float, level: float
) -> tuple[Estimate, Estimate]:
    """Bound the slope of separated classes, which the likelihood does not."""
    if data.clustered is not None:
        reason = f"{_SEPARATED}: the slope has no interval by clusters."
        return Estimate(np.nan, reason=reason), Estimate(slope, reason=reason)
    bound = _separated_bound(data, np.sign(slope), (1 - level) / 2)
    if slope > 0:
        reason = f"{_SEPARATED}: the slope is at least {_three_digits(bound)}."
        return Estimate(np.nan, reason=reason), Estimate(slope, bound, np.inf, reason)
    reason = f"{_SEPARATED}: the slope is at most {_three_digits(-bound)}."
    return Estimate(np.nan, reason=reason), Estimate(slope, -np.inf, -bound, reason)


def _three_digits(value: float) -> str:
    """Write a number with a minus that is as long as a plus."""
    return f"{value:.3g}".replace("-", "−")


def _separated_bound(data: CalibrationData, sign: float, tail: float) -> float:
    """Find the slope under which data would be separated with the probability ``tail``.

    No data speak more for a steep slope. The intercept is that of the likelihood at each slope.
    """
    # equal values are one cell, in increasing order
    order = slice(None) if sign > 0 else slice(None, None, -1)
    x = sign * data.log_odds[order]
    pos = data.pos[order]
    neg = data.neg[order]

    def excess(slope: float) -> float:
        steep = slope * x
        shift = calibrating_shift(steep, pos, neg)
        return separation_probability(steep + shift, pos + neg) - tail

    width = 1 / float(np.ptp(x))
    if excess(0.0) <= 0:
        return _first_root(excess, 0.0, width)

    def refused(slope: float) -> float:
        return -excess(slope)

    return _first_root(refused, 0.0, -width)


def separation_probability(log_odds: Floats, n: Floats) -> float:
    """Compute how likely a threshold separates outcomes of these log-odds, given both classes.

    Cells with ``n`` samples each are in the order of the predictions; in one of them outcomes may
    differ.

    Examples
    --------
    >>> round(separation_probability(np.zeros(3), np.ones(3)), 3)
    0.333
    """
    log_yes = n * log_expit(log_odds)
    log_no = n * log_expit(-log_odds)
    no_below = np.cumsum(log_no) - log_no
    yes_above = np.cumsum(log_yes[::-1])[::-1] - log_yes
    # the lowest cell with a positive, no positives below it and no negatives above
    separated = float(np.exp(no_below + yes_above) @ -np.expm1(log_no))
    all_yes = float(np.exp(log_yes.sum()))
    all_no = float(np.exp(log_no.sum()))
    return (separated - all_yes) / (1 - all_yes - all_no)
