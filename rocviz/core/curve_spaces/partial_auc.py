"""The area under a part of the ROC curve, with its interval."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import trapezoid

from rocviz.core.base import validation
from rocviz.core.base.effort import check_draws
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import Floats, Seed, Weights, describe
from rocviz.core.roc.auc_intervals import check_counts, has_whole_weights
from rocviz.core.roc.auc_variance import Ints, bootstrap
from rocviz.core.roc.bands import ROCBand, resample_band, roc_band
from rocviz.core.roc.clustered_rates import clustered_draws
from rocviz.core.roc.placements import MAX_ROUNDING_ERROR, PlacementSpread
from rocviz.core.roc.segments import RankedSegments, ranked_with_clusters

# Of false positive rates.
_MIN_RANGE = 1e-9


@dataclass(frozen=True)
class PartialAUC(Frozen):
    """Area under the ROC curve over a range of false positive rates, with its interval.

    Parameters
    ----------
    area : float
        From 0 to ``high - low``.
    standardised : float
        McClish's: one half for the diagonal, 1 for the best curve there is.
    lower, upper : float
        Ends of the interval of ``area``.
    standard_error : float
        Standard error of ``area``; ``nan`` where the data do not show it.
    low, high : float
        Range of false positive rates.
    confidence : float
        Confidence level of the interval.
    is_fallback : bool
        Whether the data do not show how much the area varies, and the interval is that of a band
        around the curve, see :func:`partial_auc`.
    """

    area: float
    standardised: float
    lower: float
    upper: float
    standard_error: float
    low: float
    high: float
    confidence: float
    is_fallback: bool


def partial_auc(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None = None,
    *,
    low: float = 0.0,
    high: float = 0.1,
    sample_weight: Weights = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
    confidence: float = 0.95,
    n_resamples: int = 1000,
    random_state: Seed = 0,
) -> PartialAUC:
    """Compute the area under a part of the ROC curve, with its interval.

    The area is exact, also on the slanted edges of ties. The interval is given by percentiles of
    resamples, which are drawn within each class.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments
        Labels of exactly two classes. Segments stand for labels, scores and weights.
    y_score, pos_label
        As for :meth:`rocviz.RankedSegments.from_scores`.
    low, high : float, default=0.0, 0.1
        Range of false positive rates, with ``0 <= low < high <= 1``, at least 1e-9 apart.
    sample_weight : array-like of int, shape (n_samples,), optional
        How often each sample is repeated.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) belong together: whole clusters are drawn; the
        coverage of that was not simulated. Only with labels.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    n_resamples, random_state
        As for :func:`rocviz.roc_band`; two resamples are enough here.

    Raises
    ------
    ValueError
        If an argument is invalid, weights are not whole numbers, or there are fewer than two
        clusters with samples of either class.

    Notes
    -----
    All resamples of a perfect ranking, or of scores that are all tied, have the same area. An
    interval of no width would claim to be certain, so it is given by the areas under both edges of
    the simultaneous band of :func:`rocviz.roc_band` with
    ``method="kolmogorov-smirnov"``, which holds for any curve and is wide; with clusters it is the
    band of resampled clusters.

    Percentiles promise no coverage with few samples or near perfect rankings. In simulations of
    normal scores with 50 to 1,000 samples, 95 % intervals of the area up to .2 hold the true one in
    88 to 95 % of the data sets of balanced classes with AUCs of .5 and .85, in 81 to 94 % with a
    prevalence of .05, and in 76 to 100 % at an AUC of .995.

    References
    ----------
    McClish (1989). Campbell (1994) (the band).

    Examples
    --------
    >>> segments = RankedSegments(score=[3, 2, 1], pos=[6, 3, 1], neg=[1, 2, 7])
    >>> part = partial_auc(segments, high=0.2, n_resamples=200)
    >>> round(part.area, 4), round(part.standardised, 4)
    (0.0975, 0.7153)
    """
    segments, samples = ranked_with_clusters(y_true, y_score, clusters, sample_weight, pos_label)
    a = validation.check_fraction(low, "low", ends=True)
    b = validation.check_fraction(high, "high", ends=True)
    if b - a < _MIN_RANGE:
        raise ValueError(
            f"low must be less than high, by at least {_MIN_RANGE:g}; "
            f"got {describe(low)} and {describe(high)}."
        )
    level = validation.check_fraction(confidence, "confidence")
    draws = validation.check_integer(n_resamples, "n_resamples", minimum=2)
    check_counts(segments.pos, segments.neg)
    fpr = segments.fpr
    tpr = segments.tpr
    area = float(_areas(fpr, tpr, a, b))
    if not has_whole_weights(segments.pos, segments.neg):
        raise ValueError("sample_weight must be whole numbers, since samples are resampled.")
    rng = validation.check_random_state(random_state)
    if samples is None:
        statistic = partial(_resampled_areas, low=a, high=b)
        resampled = bootstrap(statistic, segments.pos, segments.neg, draws, rng)
    else:
        PlacementSpread.of(samples.positive, samples.w, samples.unit).check()
        check_draws(draws, samples.positive.size, 4 * samples.positive.size, n_resamples=draws)
        areas = []
        for pos, neg in clustered_draws(segments, samples, draws, rng):
            areas.append(_areas(_rates(neg[None])[0], _rates(pos[None])[0], a, b))
        resampled = np.array(areas)
    error = float(np.std(resampled, ddof=1))
    lower, upper = np.quantile(resampled, [(1 - level) / 2, (1 + level) / 2]).tolist()
    is_fallback = error < MAX_ROUNDING_ERROR
    if is_fallback:
        error = float("nan")
        if samples is None:
            band = roc_band(segments, confidence=level, method="kolmogorov-smirnov")
        else:
            band = resample_band(segments, random_state=rng, samples=samples).band(level)
        lower, upper = _band_areas(band, a, b)
    # the area above the curve, seen from the opposite corner
    missing = float(_areas(segments.tnr[::-1], segments.fnr[::-1], 1 - b, 1 - a))
    standardised = 1 - missing / (b - a) / ((1 - a) + (1 - b))
    return PartialAUC(
        area=area,
        standardised=standardised,
        lower=lower,
        upper=upper,
        standard_error=error,
        low=a,
        high=b,
        confidence=level,
        is_fallback=is_fallback,
    )


def _band_areas(band: ROCBand, a: float, b: float) -> tuple[float, float]:
    """Compute the areas under both edges of a band."""
    inside = (band.fpr > a) & (band.fpr < b)
    fpr = np.concatenate(([a], band.fpr[inside], [b]))
    lower = np.interp(fpr, band.fpr, band.lower)
    upper = np.interp(fpr, band.fpr, band.upper)
    return float(trapezoid(lower, fpr)), float(trapezoid(upper, fpr))


def _areas(fpr: Floats, tpr: Floats, a: float, b: float) -> Floats:
    """Compute the area between two false positive rates of each curve along the last axis."""
    start = fpr[..., :-1]
    width = np.diff(fpr)
    left = np.clip(start, a, b)
    right = np.clip(fpr[..., 1:], a, b)
    # interpolate by shares of an edge, since its slope may overflow
    share = np.divide(
        (left + right) / 2 - start, width, out=np.zeros_like(width), where=left < right
    )
    return np.asarray(np.sum((right - left) * (tpr[..., :-1] + share * np.diff(tpr)), axis=-1))


def _resampled_areas(pos: Ints, neg: Ints, low: float, high: float) -> Floats:
    """Compute the area of each row of counts."""
    return _areas(_rates(neg), _rates(pos), low, high)


def _rates(counts: Ints | Floats) -> Floats:
    """Compute the rate of a class at each vertex of each row's curve."""
    totals = np.pad(np.cumsum(counts, axis=1), ((0, 0), (1, 0)))
    return np.asarray(totals / totals[:, -1:])
