"""Variances of an AUC and the ends of its intervals, from checked counts in ranking order."""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from rocviz.core.base.blocks import running_totals
from rocviz.core.base.effort import check_draws
from rocviz.core.base.logistic_levels import (
    check_levels,
    class_probabilities,
    levels_of_auc,
    log_odds,
)
from rocviz.core.base.normal import normal_quantile, student_quantile
from rocviz.core.base.progress import Progress, ShouldStop, run_draws
from rocviz.core.base.resamples import CountedSamples
from rocviz.core.base.validation import Bools, Floats
from rocviz.core.roc.metrics import binomial_interval

#: A class of at most this weight has no variance: the divisor ``n - 1`` would lose its digits.
MAX_WEIGHT_OF_ONE_SAMPLE = 1.001

Ints = NDArray[np.integer[Any]]

#: With fewer errors of the smaller class, Newcombe's score interval widens DeLong's.
MIN_ERRORS_OF_SMALLER_CLASS = 5
# Log odds beyond which an AUC is 0 or 1, and halvings that find an end between them to all digits.
_MAX_LOG_ODDS = 700.0
_N_HALVINGS = 64

# Counts of resamples in memory at a time, drawn by one worker.
_CELLS_PER_BATCH = 2**20


def weight_before(other: Floats) -> Floats:
    """Weight of the other class before each segment, half of its own included."""
    return running_totals(other)[:-1] + other / 2


def pair_shares(pos: Floats, neg: Floats) -> tuple[float, float]:
    """Compute ``AUC`` and ``1 - AUC``, both to full precision.

    Weights are in decreasing order of score; ties count one half. A share is exactly 0 if no pair
    is ranked that way.
    """
    right = float(neg @ weight_before(pos))
    wrong = float(pos @ weight_before(neg))
    return right / (right + wrong), wrong / (right + wrong)


def delong_variance(pos: Floats, neg: Floats) -> float:
    """Compute DeLong's variance, weights taken as repetitions; NaN where it is not defined."""
    return sum(delong_variances(pos, neg))


def delong_variances(pos: Floats, neg: Floats) -> tuple[float, float]:
    """Compute what the positives, and what the negatives, contribute to DeLong's variance."""
    n_pos = float(pos.sum())
    n_neg = float(neg.sum())
    if pos.size == 1 or min(n_pos, n_neg) <= MAX_WEIGHT_OF_ONE_SAMPLE:
        return float("nan"), float("nan")
    # shares of misordered pairs, which are small if the AUC is near 1
    of_pos = variance_of_mean(weight_before(neg) / n_neg, pos)
    return of_pos, variance_of_mean(weight_before(pos[::-1]) / n_pos, neg[::-1])


def variance_of_mean(value: Floats, weight: Floats) -> float:
    """Compute the variance of a weighted mean of values, weights taken as repetitions."""
    total = float(weight.sum())
    deviation = value - float(weight @ value) / total
    return float(weight @ deviation**2) / (total - 1) / total


def hanley_mcneil_variance(auc: ArrayLike, wrong: ArrayLike, n_pos: float, n_neg: float) -> Floats:
    """Compute the variance for exponential scores (Hanley and McNeil, 1982, equation 1).

    ``Pxxy - AUC^2`` and ``Pxyy - AUC^2`` are written as products, so that nothing cancels.
    """
    right = np.asarray(auc, dtype=np.float64)
    rest = np.asarray(wrong, dtype=np.float64)
    both = right * rest
    above = both * rest / (2 - right)
    below = both * right / (1 + right)
    return np.asarray(variance_of_placements(both, above, below, n_pos, n_neg))


def variance_of_placements(
    both: Floats | float,
    of_negatives: Floats | float,
    of_positives: Floats | float,
    n_pos: float,
    n_neg: float,
) -> Floats | float:
    """Compute the variance of an AUC from the variances of both classes' placements.

    ``both`` is ``AUC * (1 - AUC)``; ``of_negatives`` and ``of_positives`` are ``Pxxy - AUC^2`` and
    ``Pxyy - AUC^2``: how the share of the other class that is on the right side varies among
    negatives, and among positives.
    """
    total = both + max(n_pos - 1, 0.0) * of_negatives + max(n_neg - 1, 0.0) * of_positives
    return total / n_pos / n_neg


def placement_variances(pos: Floats, neg: Floats, auc: float, wrong: float) -> tuple[float, float]:
    """Compute the variances of placements from the classes' shares by rank.

    The most positive rank is first; ``wrong`` is what the AUC that they imply lacks of 1. Half of
    those at the rank itself count.
    """
    if auc < 0.5:  # sum from the end where shares are small, so that no digits are lost
        pos, neg, wrong = pos[::-1], neg[::-1], auc
    of_neg = weight_before(pos[::-1])[::-1] - wrong
    of_pos = weight_before(neg) - wrong
    return float(neg @ of_neg**2), float(pos @ of_pos**2)


def fermi_dirac_variance(auc: ArrayLike, wrong: ArrayLike, n_pos: int, n_neg: int) -> Floats:
    """Compute the variance under Fermi-Dirac statistics; each distinct AUC is solved once."""
    check_levels(n_pos + n_neg)
    distinct, first, inverse = np.unique(auc, return_index=True, return_inverse=True)
    rest = np.ravel(wrong)[first]
    variance = np.zeros(distinct.size)
    ranks = np.arange(1.0, n_pos + n_neg + 1)
    for i in np.flatnonzero((distinct > 0) & (rest > 0)):
        area = float(distinct[i])
        lacking = float(rest[i])
        levels = levels_of_auc(area, lacking, n_pos, n_neg)
        pos, neg = class_probabilities(log_odds(*levels, log(n_pos / n_neg), ranks))
        spread = placement_variances(pos / n_pos, neg / n_neg, area, lacking)
        variance[i] = variance_of_placements(area * lacking, *spread, n_pos, n_neg)
    return np.asarray(variance[inverse].reshape(np.shape(auc)))


def variance_by_law(
    method: str, auc: ArrayLike, wrong: ArrayLike, n_pos: float, n_neg: float
) -> Floats | None:
    """Compute the variance implied by a model of the scores; ``None`` for other methods."""
    if method == "hanley-mcneil":
        return hanley_mcneil_variance(auc, wrong, n_pos, n_neg)
    if method == "fermi-dirac":
        return fermi_dirac_variance(auc, wrong, round(n_pos), round(n_neg))
    return None


def bootstrap(
    statistic: Callable[[Ints, Ints], Floats],
    pos: Floats,
    neg: Floats,
    n_resamples: int,
    rng: np.random.Generator,
    should_stop: ShouldStop | None = None,
    progress: Progress | None = None,
) -> Floats:
    """Draw resamples of each class and compute a statistic of their curves, (n_resamples,).

    Weights are whole numbers, in decreasing order of score. ``statistic`` is given the counts of
    the positives and of the negatives, one resample a row. ``progress`` is given the batches of
    resamples; once ``should_stop`` returns true before one, ``SimulationStopped`` is raised.
    """
    # the order within a run of one class does not change a curve, so a run can be one segment
    kind = np.where(neg == 0, 1, np.where(pos == 0, 2, 0))
    start = np.flatnonzero(np.append(True, (kind[1:] != kind[:-1]) | (kind[1:] == 0)))
    pos = np.add.reduceat(pos, start)
    neg = np.add.reduceat(neg, start)
    in_memory = 4 * (n_resamples + _CELLS_PER_BATCH)
    check_draws(n_resamples, 2 * pos.size, in_memory, n_resamples=n_resamples)
    return run_draws(
        _of_resamples,
        statistic,
        pos,
        neg,
        draws=n_resamples,
        max_rows=max(1, _CELLS_PER_BATCH // pos.size),
        rng=rng,
        watch=(progress, should_stop),
    )


def _of_resamples(
    statistic: Callable[[Ints, Ints], Floats],
    pos: Floats,
    neg: Floats,
    rows: int,
    rng: np.random.Generator,
) -> Floats:
    """Compute the statistic of a number of resamples."""
    return statistic(_drawn(pos, rows, rng), _drawn(neg, rows, rng))


def resampled_aucs(pos: Ints, neg: Ints) -> Floats:
    """Compute the AUC of each row of counts; all rows have the same totals."""
    above = np.cumsum(pos, axis=1) - pos / 2
    right = np.einsum("ij,ij->i", neg, above)
    return np.asarray(right / pos[0].sum() / neg[0].sum())


def _drawn(counts: Floats, rows: int, rng: np.random.Generator) -> Ints:
    """Draw resamples of a class: the count of each segment, one resample per row."""
    samples = CountedSamples(counts)
    return np.array([samples.draw(rng) for _ in range(rows)])


def interval_ends(
    auc: ArrayLike,
    wrong: ArrayLike,
    variance: ArrayLike,
    smaller: ArrayLike,
    confidence: float,
    *,
    on_logit: bool,
    degrees: ArrayLike | None = None,
) -> tuple[Floats, Floats, Bools]:
    """Compute the ends of normal intervals, or of binomial ones if there is no variance.

    ``wrong`` is ``1 - auc``, ``smaller`` the weight of the smaller class, or its number of
    clusters. With ``on_logit`` the interval is symmetric in ``log(auc / wrong)``, else in the AUC.
    With ``degrees`` of freedom the quantile is Student's. The third array says where there was no
    variance.
    """
    right = np.asarray(auc, dtype=np.float64)
    rest = np.asarray(wrong, dtype=np.float64)
    known = np.nan_to_num(np.asarray(variance, dtype=np.float64))
    missing = np.asarray((known <= 0) | (right == 0) | (rest == 0))
    if degrees is None:
        quantile = np.asarray(normal_quantile(confidence))
    else:
        quantile = student_quantile(confidence, degrees)
    half = quantile * np.sqrt(known)
    if on_logit:
        centre = np.log(np.where(missing, 1.0, right) / np.where(missing, 1.0, rest))
        half = half / np.where(missing, 1.0, right * rest)
        # the ends are beyond the AUC but for rounding
        lower = np.minimum(expit(centre - half), right)
        upper = np.maximum(expit(centre + half), right)
    else:
        lower = np.maximum(right - half, 0.0)
        upper = np.minimum(right + half, 1.0)
    if missing.any():
        trials = np.asarray(smaller, dtype=np.float64)
        successes = np.minimum(right * trials, trials)
        low, high = binomial_interval(
            successes, trials, confidence=confidence, method="clopper-pearson"
        )
        lower = np.where(missing, low, lower)
        upper = np.where(missing, high, upper)
    return lower, upper, missing


def newcombe_score_ends(
    auc: ArrayLike, wrong: ArrayLike, n_pos: float, n_neg: float, confidence: float
) -> tuple[Floats, Floats]:
    """Compute the AUCs whose variance, at that AUC, still allows for the one that was found.

    The variance is the mean of Hanley and McNeil's and of the one with both classes exchanged, so
    that it is the same for an AUC and for its complement.

    References
    ----------
    Newcombe (2006), method 5. Hanley and McNeil (1982).

    Examples
    --------
    >>> low, high = newcombe_score_ends(0.95, 0.05, 10, 190, 0.95)
    >>> print(f"{low:.3f} to {high:.3f}")
    0.813 to 0.987
    """
    right = np.asarray(auc, dtype=np.float64)
    rest = np.asarray(wrong, dtype=np.float64)
    z = normal_quantile(confidence)

    def distance(x: Floats) -> Floats:
        """Compute standard errors at log odds ``x`` less the distance from the AUC."""
        area = expit(x)
        lack = expit(-x)
        gap = np.where(area < 0.5, area - right, rest - lack)
        mean = (n_pos + n_neg) / 2 - 1
        of_placements = 1 + mean * (lack / (1 + lack) + area / (1 + area))
        error = np.sqrt(area * lack * of_placements / (n_pos * n_neg))
        return np.asarray(z * error - np.abs(gap))

    with np.errstate(divide="ignore"):
        centre = np.clip(np.log(right) - np.log(rest), -_MAX_LOG_ODDS, _MAX_LOG_ODDS)
    inside = np.stack((centre, centre))
    outside = np.stack(
        (np.full(centre.shape, -_MAX_LOG_ODDS), np.full(centre.shape, _MAX_LOG_ODDS))
    )
    for _ in range(_N_HALVINGS):
        middle = (inside + outside) / 2
        is_inside = distance(middle) >= 0
        inside = np.where(is_inside, middle, inside)
        outside = np.where(is_inside, outside, middle)
    lower, upper = expit(outside)
    return np.minimum(lower, right), np.maximum(upper, right)


def widen_to_newcombe(
    lower: Floats,
    upper: Floats,
    missing: Bools,
    auc: ArrayLike,
    wrong: ArrayLike,
    n_pos: float,
    n_neg: float,
    confidence: float,
) -> tuple[Floats, Floats, Bools]:
    """Widen DeLong's intervals where the smaller class shows fewer than five errors.

    The third array says where; intervals that stand in for a ``missing`` variance stay.
    """
    right = np.asarray(auc, dtype=np.float64)
    rest = np.asarray(wrong, dtype=np.float64)
    errors = min(n_pos, n_neg) * np.minimum(right, rest)
    is_widened = np.asarray((errors < MIN_ERRORS_OF_SMALLER_CLASS) & ~missing)
    if not is_widened.any():
        return lower, upper, is_widened
    low, high = newcombe_score_ends(right, rest, n_pos, n_neg, confidence)
    return (
        np.where(is_widened, np.minimum(lower, low), lower),
        np.where(is_widened, np.maximum(upper, high), upper),
        is_widened,
    )
