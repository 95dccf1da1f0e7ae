"""The area under a part of the ROC curve, with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.integrate import trapezoid

from rocviz.core.base import validation
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import Floats, Seed, describe
from rocviz.core.roc.auc_intervals import check_counts, has_whole_weights
from rocviz.core.roc.auc_test import ROUNDING
from rocviz.core.roc.auc_variance import ONE_SAMPLE, Ints, bootstrap, variance_of_mean
from rocviz.core.roc.bands import roc_band
from rocviz.core.roc.binomial_interval import normal_quantile
from rocviz.core.roc.segments import RankedSegments, check_segments

METHODS = ("bootstrap", "delong")

# Narrowest range of false positive rates.
_NARROWEST = 1e-9


@dataclass(frozen=True)
class PartialAUC(Frozen):
    """Area under the ROC curve over a range of false positive rates, with its interval.

    Parameters
    ----------
    area : float
        From 0 to ``high - low``.
    standardised : float
        McClish's: one half for the diagonal, 1 for the best curve there is.
    ci_low, ci_high : float
        Ends of the interval of ``area``.
    standard_error : float
        Standard error of ``area``; ``nan`` where the data do not show it.
    low, high : float
        Range of false positive rates.
    confidence : float
        Share of intervals that hold the true area.
    method : {"bootstrap", "delong"}
        How the interval was to be found.
    is_fallback : bool
        Whether the data do not show how much the area varies, and the interval is that of a band
        around the curve, see :func:`partial_auc`.
    """

    area: float
    standardised: float
    ci_low: float
    ci_high: float
    standard_error: float
    low: float
    high: float
    confidence: float
    method: str
    is_fallback: bool = False


def partial_auc(
    segments: RankedSegments,
    low: float = 0.0,
    high: float = 0.1,
    *,
    confidence: float = 0.95,
    method: str = "bootstrap",
    n_resamples: int = 1000,
    random_state: Seed = 0,
) -> PartialAUC:
    """Compute the area under a part of the ROC curve, with its interval.

    The area is exact, also on the slanted edges of ties.

    Parameters
    ----------
    segments : RankedSegments
    low, high : float, default=0.0, 0.1
        Range of false positive rates, with ``0 <= low < high <= 1``, at least 1e-9 apart.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    method : {"bootstrap", "delong"}, default="bootstrap"
        Percentiles of resamples, drawn within each class with whole weights as repetitions; or the
        normal interval with DeLong's variance, of placements cut off at the ends of the range.
    n_resamples, random_state
        As for :func:`rocviz.roc_band`; two resamples are enough here.

    Raises
    ------
    ValueError
        If an argument is invalid, or for the bootstrap the counts are not whole.

    Notes
    -----
    Of a perfect ranking, or of scores that are all tied, every resample has the same area, and a
    single sample of a class has no variance. An interval of no width would claim to be certain, so
    it is given by the areas under both edges of the simultaneous band of :func:`rocviz.roc_band`
    with ``method="kolmogorov-smirnov"``, which holds for any curve and is wide.

    References
    ----------
    McClish (1989). DeLong, DeLong and Clarke-Pearson (1988). Campbell (1994) (the band).

    Examples
    --------
    >>> segments = RankedSegments(score=[3, 2, 1], pos=[6, 3, 1], neg=[1, 2, 7])
    >>> part = partial_auc(segments, 0, 0.2, n_resamples=200)
    >>> round(part.area, 4), round(part.standardised, 4)
    (0.0975, 0.7153)
    """
    check_segments(segments)
    a = validation.check_fraction(low, "low", ends=True)
    b = validation.check_fraction(high, "high", ends=True)
    if b - a < _NARROWEST:
        raise ValueError(
            f"low must be less than high, by at least {_NARROWEST:g}; "
            f"got {describe(low)} and {high!r}."
        )
    level = validation.check_fraction(confidence, "confidence")
    validation.check_choice(method, "method", METHODS)
    draws = validation.check_integer(n_resamples, "n_resamples", minimum=2)
    check_counts("weights of segments", segments.pos, segments.neg)
    fpr, tpr = segments.fpr, segments.tpr
    area = float(_areas(fpr, tpr, a, b))
    if method == "delong":
        error = _placement_error(segments, a, b)
        half = normal_quantile(level) * error
        ends = [max(area - half, 0.0), min(area + half, b - a)]
    else:
        if not has_whole_weights(segments.pos, segments.neg):
            raise ValueError(
                "segments must hold whole counts for the bootstrap; use method='delong'."
            )
        rng = validation.check_random_state(random_state)
        statistic = partial(_resampled_areas, low=a, high=b)
        resampled = bootstrap(statistic, segments.pos, segments.neg, draws, rng)
        error = float(np.std(resampled, ddof=1))
        ends = np.quantile(resampled, [(1 - level) / 2, (1 + level) / 2]).tolist()
    fallback = not error >= ROUNDING
    if fallback:
        ends, error = _band_areas(segments, a, b, level), float("nan")
    # the area above the curve, seen from the opposite corner
    missing = float(_areas(segments.tnr[::-1], segments.fnr[::-1], 1 - b, 1 - a))
    standardised = 1 - missing / (b - a) / ((1 - a) + (1 - b))
    lower, upper = ends
    return PartialAUC(area, standardised, lower, upper, error, a, b, level, method, fallback)


def _band_areas(segments: RankedSegments, a: float, b: float, level: float) -> list[float]:
    """Compute the areas under both edges of a distribution-free band."""
    band = roc_band(segments, confidence=level, method="kolmogorov-smirnov")
    at = np.concatenate(([a], band.fpr[(band.fpr > a) & (band.fpr < b)], [b]))
    edges = (np.interp(at, band.fpr, edge) for edge in (band.lower, band.upper))
    return [float(trapezoid(edge, at)) for edge in edges]


def _areas(fpr: Floats, tpr: Floats, a: float, b: float) -> Floats:
    """Compute the area between two false positive rates of each curve along the last axis."""
    start, width = fpr[..., :-1], np.diff(fpr)
    left, right = np.clip(start, a, b), np.clip(fpr[..., 1:], a, b)
    # interpolate by shares of an edge, since its slope may overflow
    part = np.divide(
        (left + right) / 2 - start, width, out=np.zeros_like(width), where=left < right
    )
    return np.asarray(np.sum((right - left) * (tpr[..., :-1] + part * np.diff(tpr)), axis=-1))


def _resampled_areas(pos: Ints, neg: Ints, low: float, high: float) -> Floats:
    """Compute the area of each row of counts."""
    totals = (np.pad(np.cumsum(side, axis=1), ((0, 0), (1, 0))) for side in (neg, pos))
    fpr, tpr = (total / total[:, -1:] for total in totals)
    return _areas(fpr, tpr, low, high)


def _placement_error(segments: RankedSegments, a: float, b: float) -> float:
    """Compute DeLong's standard error with placements clipped to the range.

    A positive's placement is the part of the range to its right, a negative's the true positive
    rate at its own place, or at the end of the range that is nearest. Of ties it is the mean.
    """
    if min(segments.n_pos, segments.n_neg) <= ONE_SAMPLE:
        return math.nan
    fpr, tpr = segments.fpr, segments.tpr
    start, end = fpr[:-1], fpr[1:]
    left, right = np.clip((start, end), a, b)

    def mean(first: Floats, last: Floats) -> Floats:
        """Average along each edge a value that rises linearly inside the range only."""
        inside = (right - left) / 2
        total = first * (left - start + inside) + last * (end - right + inside)
        out: Floats = np.divide(total, end - start, out=first.copy(), where=end > start)
        return out

    height = np.clip(tpr, *np.interp((a, b), fpr, tpr))
    return math.sqrt(
        variance_of_mean(mean(left, right), segments.pos)
        + variance_of_mean(mean(height[:-1], height[1:]), segments.neg)
    )
