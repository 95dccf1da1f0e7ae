"""Sensitivity where specificity is fixed, and the reverse, with intervals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc

from rocviz.core.base.effort import check_draws
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.normal import normal_quantile
from rocviz.core.base.samples import Samples
from rocviz.core.base.validation import Floats, Seed, Weights, check_bootstrap, check_fraction
from rocviz.core.roc.auc_intervals import check_counts
from rocviz.core.roc.clustered_rates import clustered_draws
from rocviz.core.roc.metrics import binomial_interval
from rocviz.core.roc.placements import PlacementSpread
from rocviz.core.roc.segments import RankedSegments, ranked_with_clusters

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
        Whether fewer than two samples, or clusters, are expected beyond the threshold.
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
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
    n_resamples: int = 1000,
    random_state: Seed = 0,
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
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) belong together. Only with labels.
    n_resamples : int, default=1000
        Number of resamples of whole clusters, at least 50. Without clusters nothing is drawn.
    random_state : int, RandomState, Generator or None, default=0
        Source of the random numbers of these resamples.

    Raises
    ------
    ValueError
        If an argument is invalid, or there are fewer than two clusters with samples of either
        class.

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

    With clusters the variance is that of resamples of whole clusters, quantile included, and at
    least that without clusters; where the resamples show none, the clusters of the other class are
    counted. The interval holds the percentiles of these resamples too. In simulations of 50 to
    1,000 patients of four rows, with AUCs of .5, .85 and .995 and prevalences of .5 and .05, it
    covers 90 to 100 % at .9, and where ``is_doubtful`` 88 to 100 %.

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
    segments, samples = ranked_with_clusters(y_true, y_score, clusters, sample_weight, pos_label)
    q = check_fraction(specificity, "specificity")
    level, draws, rng = check_bootstrap(confidence, n_resamples, random_state)
    check_counts(segments.pos, segments.neg)
    clustered = None if samples is None else _clustered(segments, samples, draws, rng)
    return _rate_at(
        segments.score[::-1], segments.neg[::-1], segments.pos[::-1], q, level, clustered
    )


def specificity_at_sensitivity(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None = None,
    *,
    sensitivity: float,
    confidence: float = 0.95,
    sample_weight: Weights = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
    n_resamples: int = 1000,
    random_state: Seed = 0,
) -> FixedRate:
    """Compute the specificity at the threshold that has a sensitivity.

    Parameters
    ----------
    sensitivity : float
        Strictly between 0 and 1.
    y_true, y_score, confidence, sample_weight, clusters, pos_label, n_resamples, random_state
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
    segments, samples = ranked_with_clusters(y_true, y_score, clusters, sample_weight, pos_label)
    q = check_fraction(sensitivity, "sensitivity")
    level, draws, rng = check_bootstrap(confidence, n_resamples, random_state)
    check_counts(segments.pos, segments.neg)
    clustered = None if samples is None else _clustered(segments, samples, draws, rng).mirrored()
    mirrored = _rate_at(-segments.score, segments.pos, segments.neg, q, level, clustered)
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


class _Clustered(NamedTuple):
    """Resamples of whole clusters: weights of both classes at each score, in increasing order."""

    resamples: Iterator[tuple[Floats, Floats]]  # of the class that is fixed, and of the other
    n_fixed: int  # clusters that hold the class that is fixed, and the other
    n_other: int

    def mirrored(self) -> _Clustered:
        """Exchange the classes, and turn the order of the scores around."""
        resamples = ((other[::-1], fixed[::-1]) for fixed, other in self.resamples)
        return _Clustered(resamples, self.n_other, self.n_fixed)


def _clustered(
    segments: RankedSegments, samples: Samples, draws: int, rng: np.random.Generator
) -> _Clustered:
    """Draw whole clusters, where the negatives are the class that is fixed."""
    spread = PlacementSpread.of(samples.positive, samples.w, samples.unit)
    spread.check()
    check_draws(draws, samples.positive.size, 8 * samples.positive.size, n_resamples=draws)
    drawn = clustered_draws(segments, samples, draws, rng)
    resamples = ((neg[::-1], pos[::-1]) for pos, neg in drawn)
    return _Clustered(resamples, spread.n_neg_clusters, spread.n_pos_clusters)


class _Quantile(NamedTuple):
    """The quantile of the class that is fixed, and the share of the other class above it."""

    rate: float
    place: float
    low: int  # indices of the scores before and after the quantile
    high: int
    fraction: float
    share: Floats  # of the other class above each score, half of those at it included
    up_to: Floats  # weight of the class that is fixed up to each score


def _quantile(fixed: Floats, other: Floats, q: float) -> _Quantile:
    """Find the q-quantile of the class that is fixed; scores increase."""
    n_fixed = float(fixed.sum())
    n_other = float(other.sum())
    share = (n_other - np.cumsum(other) + other / 2) / n_other
    place = q * (n_fixed + 1)
    up_to = np.cumsum(fixed)
    # of the samples in order, the one before the quantile and the one after
    before = int(np.floor(place + _ROUNDING))
    fraction = max(place - before, 0.0)
    indices = np.searchsorted(up_to, [before - _ROUNDING, before + 1 - _ROUNDING])
    low, high = np.minimum(indices, fixed.size - 1).tolist()
    share_low = 1.0 if before < 1 else float(share[low])
    share_high = float(share[high]) if before + 1 <= n_fixed + _ROUNDING else 0.0
    rate = (1 - fraction) * share_low + fraction * share_high
    return _Quantile(rate, place, low, high, fraction, share, up_to)


def _rate_at(
    score: Floats,
    fixed: Floats,
    other: Floats,
    q: float,
    confidence: float,
    clustered: _Clustered | None,
) -> FixedRate:
    """Compute the share of the other class above the q-quantile of the class that is fixed.

    Scores increase; ``fixed`` and ``other`` are the weights of both classes at each.
    """
    n_fixed = float(fixed.sum())
    n_other = float(other.sum())
    n_units = n_fixed if clustered is None else clustered.n_fixed
    n_beyond = (1 - q) * (n_units + 1)
    if n_beyond < 1 - _ROUNDING:
        nan = float("nan")
        return FixedRate(nan, nan, nan, q, nan, nan, True, confidence)
    found = _quantile(fixed, other, q)
    threshold = float((1 - found.fraction) * score[found.low] + found.fraction * score[found.high])

    # how often each score is the quantile of a resample
    reached = betainc(
        found.place, n_fixed - found.place + 1, np.minimum(found.up_to / n_fixed, 1.0)
    )
    weight = np.diff(reached, prepend=0.0)
    mean = float(weight @ found.share)
    variance = float(weight @ (found.share - mean) ** 2)
    z = normal_quantile(confidence)
    centre = (n_other * found.rate + z**2 / 2) / (n_other + z**2)
    binomial = centre * (1 - centre)
    n_effective = binomial / (binomial / n_other + variance)
    # the quantile is skewed where few samples are beyond it, which a variance does not show
    tail = (1 - confidence) / 2
    first, last = np.minimum(np.searchsorted(reached, [tail, 1 - tail]), fixed.size - 1)
    lowest = float(found.share[last])
    highest = float(found.share[first])
    if clustered is not None:
        rates = [_quantile(*resample, q).rate for resample in clustered.resamples]
        resampled = float(np.var(rates, ddof=1))
        n_shown = binomial / resampled if resampled > 0 else float(clustered.n_other)
        n_effective = min(n_effective, n_shown)
        low, high = np.quantile(rates, [tail, 1 - tail]).tolist()
        lowest = min(lowest, low)
        highest = max(highest, high)
    wilson = binomial_interval(found.rate * n_effective, n_effective, confidence=confidence)
    is_doubtful = n_beyond < _MIN_SAMPLES_BEYOND - _ROUNDING
    return FixedRate(
        rate=found.rate,
        lower=min(float(wilson[0]), lowest),
        upper=max(float(wilson[1]), highest),
        fixed_rate=q,
        threshold=threshold,
        n_effective=n_effective,
        is_doubtful=is_doubtful,
        confidence=confidence,
    )
