"""Sensitivity where specificity is fixed, and the reverse, with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.normal import normal_quantile
from rocviz.core.base.validation import Floats, Weights, check_fraction
from rocviz.core.roc.auc_intervals import check_counts
from rocviz.core.roc.metrics import binomial_interval
from rocviz.core.roc.segments import RankedSegments, ranked

# Of samples beyond the quantile that sets the threshold; with fewer the interval is doubtful.
_MIN_SAMPLES_BEYOND = 2
_ROUNDING = 1e-9


@dataclass(frozen=True)
class FixedRate(Frozen):
    """One rate where the other is fixed, with its interval.

    Parameters
    ----------
    rate : float
        The estimate; NaN where too few samples fix the other rate.
    lower, upper : float
        Ends of the interval, within [0, 1].
    fixed_rate : float
        The rate that is fixed.
    threshold : float
        Score at which the data have it, between two samples in proportion.
    n_effective : float
        How many samples with a threshold that is given would say as much.
    is_doubtful : bool
        Whether fewer than two samples are expected beyond the threshold.
    confidence : float
        Nominal coverage.
    """

    rate: float
    lower: float
    upper: float
    fixed_rate: float
    threshold: float
    n_effective: float
    is_doubtful: bool
    confidence: float


def sensitivity_at_specificity(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None = None,
    *,
    specificity: float,
    confidence: float = 0.95,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> FixedRate:
    """Compute the sensitivity at the threshold that has a specificity.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments
        Labels of exactly two classes. Segments stand for labels, scores and weights.
    y_score, pos_label
        As for :meth:`rocviz.RankedSegments.from_scores`.
    specificity : float
        Strictly between 0 and 1.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Notes
    -----
    The threshold is a quantile of the negatives, and so it varies too: Wilson's interval of the
    sensitivity at it, as if it were given, covers 72 to 96 %. This one is Wilson's for an
    *effective* number of positives, which allows for the variance of the quantile: that of its
    bootstrap distribution, which is known exactly. As that is skewed where few negatives are above
    the threshold, the interval also holds the percentiles of the rate over it. In simulations of
    normal scores with AUCs from .5 to .998, 25 + 25 to 500 + 500, 10 + 190 and 50 + 950 samples, at
    specificities of .9 and .95, 95 % intervals cover 93 to 98 %, but 91 % of 50 + 950 samples at an
    AUC of .998. Where fewer than two negatives are expected above the threshold they cover 82 to
    98 %, as ``is_doubtful`` says; with fewer than one the rate is NaN.

    References
    ----------
    Maritz and Jarrett (1978) (the quantile). Brown, Cai and DasGupta (2001) (Wilson's interval).

    Examples
    --------
    >>> segments = RankedSegments(score=[4, 3, 2, 1], pos=[30, 15, 4, 1], neg=[2, 8, 20, 70])
    >>> result = sensitivity_at_specificity(segments, specificity=0.9)
    >>> print(f"{result.rate:.3f}, {result.lower:.3f} to {result.upper:.3f}")
    0.769, 0.514 to 0.940
    """
    segments = ranked(y_true, y_score, sample_weight, pos_label)
    q = check_fraction(specificity, "specificity")
    level = check_fraction(confidence, "confidence")
    check_counts(segments.pos, segments.neg)
    return _rate_at(segments.score[::-1], segments.neg[::-1], segments.pos[::-1], q, level)


def specificity_at_sensitivity(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None = None,
    *,
    sensitivity: float,
    confidence: float = 0.95,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> FixedRate:
    """Compute the specificity at the threshold that has a sensitivity.

    Parameters
    ----------
    sensitivity : float
        Strictly between 0 and 1.
    y_true, y_score, confidence, sample_weight, pos_label
        As for :func:`sensitivity_at_specificity`, of which this is the mirror image.

    Raises
    ------
    ValueError
        If an argument is invalid.

    References
    ----------
    Maritz and Jarrett (1978). Brown, Cai and DasGupta (2001).

    Examples
    --------
    >>> segments = RankedSegments(score=[4, 3, 2, 1], pos=[30, 15, 4, 1], neg=[2, 8, 20, 70])
    >>> result = specificity_at_sensitivity(segments, sensitivity=0.8)
    >>> print(f"{result.rate:.3f}, {result.lower:.3f} to {result.upper:.3f}")
    0.940, 0.853 to 0.977
    """
    segments = ranked(y_true, y_score, sample_weight, pos_label)
    q = check_fraction(sensitivity, "sensitivity")
    level = check_fraction(confidence, "confidence")
    check_counts(segments.pos, segments.neg)
    mirrored = _rate_at(-segments.score, segments.pos, segments.neg, q, level)
    return FixedRate(
        rate=mirrored.rate,
        lower=mirrored.lower,
        upper=mirrored.upper,
        fixed_rate=q,
        threshold=-mirrored.threshold,
        n_effective=mirrored.n_effective,
        is_doubtful=mirrored.is_doubtful,
        confidence=level,
    )


def _rate_at(score: Floats, fixed: Floats, other: Floats, q: float, confidence: float) -> FixedRate:
    """Compute the share of the other class above the q-quantile of the class that is fixed.

    Scores increase; ``fixed`` and ``other`` are the weights of both classes at each.
    """
    n_fixed = float(fixed.sum())
    n_other = float(other.sum())
    # the share of the other class above each score, half of those at it included
    share = (n_other - np.cumsum(other) + other / 2) / n_other
    place = q * (n_fixed + 1)
    n_beyond = n_fixed + 1 - place
    if n_beyond < 1 - _ROUNDING:
        nan = float("nan")
        return FixedRate(nan, nan, nan, q, nan, nan, True, confidence)
    up_to = np.cumsum(fixed)
    # of the samples in order, the one before the quantile and the one after
    before = int(np.floor(place + _ROUNDING))
    fraction = max(place - before, 0.0)
    indices = np.searchsorted(up_to, [before - _ROUNDING, before + 1 - _ROUNDING])
    low, high = np.minimum(indices, score.size - 1)
    share_low = 1.0 if before < 1 else float(share[low])
    share_high = float(share[high]) if before + 1 <= n_fixed + _ROUNDING else 0.0
    rate = (1 - fraction) * share_low + fraction * share_high
    threshold = float((1 - fraction) * score[low] + fraction * score[high])

    # how often each score is the quantile of a resample
    reached = betainc(place, n_fixed - place + 1, np.minimum(up_to / n_fixed, 1.0))
    weight = np.diff(reached, prepend=0.0)
    mean = float(weight @ share)
    variance = float(weight @ (share - mean) ** 2)
    z = normal_quantile(confidence)
    centre = (n_other * rate + z**2 / 2) / (n_other + z**2)
    binomial = centre * (1 - centre)
    n_effective = binomial / (binomial / n_other + variance)
    wilson = binomial_interval(rate * n_effective, n_effective, confidence=confidence)
    # the quantile is skewed where few samples are beyond it, which a variance does not show
    tail = (1 - confidence) / 2
    first, last = np.minimum(np.searchsorted(reached, [tail, 1 - tail]), share.size - 1)
    lower = min(float(wilson[0]), float(share[last]))
    upper = max(float(wilson[1]), float(share[first]))
    is_doubtful = n_beyond < _MIN_SAMPLES_BEYOND - _ROUNDING
    return FixedRate(rate, lower, upper, q, threshold, n_effective, is_doubtful, confidence)
