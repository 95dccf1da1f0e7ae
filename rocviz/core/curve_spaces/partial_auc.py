"""The area under a part of the ROC curve, with its interval."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.integrate import trapezoid

from rocviz.core.base import validation
from rocviz.core.base.blocks import running_totals
from rocviz.core.base.effort import check_draws
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.progress import block_sizes, generators, run_steps
from rocviz.core.base.validation import Bools, Floats, Seed, check_random_state, describe
from rocviz.core.roc.auc_test import ROUNDING
from rocviz.core.roc.auc_variance import variance_of_mean
from rocviz.core.roc.bands import roc_band
from rocviz.core.roc.binomial_interval import normal_quantile
from rocviz.core.roc.segments import RankedSegments, check_segments

METHODS = ("bootstrap", "delong")

# Counts of resamples that are held in memory at a time; they are drawn by one worker.
_CELLS = 2**20

# A rate that differs from another by less than one part in so many does so by rounding.
_NEAR = 10**15

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
        If an argument is not as said above, or for the bootstrap the counts are not whole.

    Notes
    -----
    Of a perfect ranking, or of scores that are all tied, every resample has the same area. An
    interval of no width would claim to be certain, so it is given by the areas under both edges of
    the simultaneous band of :func:`rocviz.roc_band` with ``method="kolmogorov-smirnov"``, which
    holds for any curve and is wide.

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
    area = float(_areas(segments.pos[None], segments.neg[None], a, b)[0])
    smaller, larger = sorted((segments.n_pos, segments.n_neg))
    if larger > validation.LARGEST_EXACT:
        raise ValueError(
            f"segments must hold at most 2**53 samples of each class; got {larger:.6g}."
        )
    if method == "delong":
        if smaller <= 1:
            raise ValueError(
                "segments must hold more than one sample of each class for method='delong'; "
                f"got {smaller:.6g}."
            )
        error = _placement_error(segments, a, b)
        half = normal_quantile(level) * error
        ends = [max(area - half, 0.0), min(area + half, b - a)]
    else:
        resampled = _resampled(segments, a, b, draws, random_state)
        error = float(np.std(resampled, ddof=1))
        ends = np.quantile(resampled, [(1 - level) / 2, (1 + level) / 2]).tolist()
    # resamples may differ by rounding; DeLong's deviations are sums of what does not cancel
    fallback = error < ROUNDING if method == "bootstrap" else error == 0
    if fallback:
        ends, error = _band_areas(segments, a, b, level), float("nan")
    # seen from the other corner, the area above the curve
    missing = float(_areas(segments.pos[None, ::-1], segments.neg[None, ::-1], 1 - b, 1 - a)[0])
    standardised = 1 - missing / (b - a) / ((1 - a) + (1 - b))
    lower, upper = ends
    return PartialAUC(area, standardised, lower, upper, error, a, b, level, method, fallback)


def _band_areas(segments: RankedSegments, a: float, b: float, level: float) -> list[float]:
    """Compute the areas under both edges of a band that holds for any number of samples."""
    band = roc_band(segments, confidence=level, method="kolmogorov-smirnov")
    at = np.concatenate(([a], band.fpr[(band.fpr > a) & (band.fpr < b)], [b]))
    edges = (np.interp(at, band.fpr, edge) for edge in (band.lower, band.upper))
    return [float(trapezoid(edge, at)) for edge in edges]


def _areas(pos: Floats, neg: Floats, a: float, b: float) -> Floats:
    """Compute the area between two false positive rates of each row of counts."""
    tpr, fpr = _rates(pos), _rates(neg)
    left, right = np.clip(fpr[:, :-1], a, b), np.clip(fpr[:, 1:], a, b)
    width = np.diff(fpr, axis=1)
    # the part of an edge first: its slope may be more than a float holds
    inside = (left + right) / 2 - fpr[:, :-1]
    part = np.divide(inside, width, out=np.zeros_like(width), where=left < right)
    middle = tpr[:, :-1] + part * np.diff(tpr, axis=1)
    return np.asarray(np.sum((right - left) * middle, axis=1))


def _rates(weight: Floats) -> Floats:
    """Compute which share of each row's weight is in so many segments from the left."""
    if len(weight) == 1:
        totals = running_totals(weight[0])[None]
    else:  # whole counts of resamples, which add up exactly
        totals = np.zeros((len(weight), weight.shape[1] + 1))
        np.cumsum(weight, axis=1, out=totals[:, 1:])
    return np.asarray(totals / totals[:, -1:])


def _resampled(
    segments: RankedSegments, a: float, b: float, draws: int, random_state: Seed
) -> Floats:
    """Compute the area of resamples, some rows of counts at a time."""
    for name, weight in (("pos", segments.pos), ("neg", segments.neg)):
        if (weight != np.round(weight)).any():
            raise ValueError(
                f"the bootstrap needs whole counts; segments.{name} holds others. "
                f"Use method='delong'."
            )
    check_draws(draws, 4 * len(segments), 10 * (draws + len(segments)), n_resamples=draws)
    sizes = block_sizes(draws, max(1, _CELLS // len(segments)))
    sources = generators(check_random_state(random_state), len(sizes))
    lots = (
        (segments.pos, segments.neg, a, b, rows, source)
        for rows, source in zip(sizes, sources, strict=True)
    )
    return np.concatenate(list(run_steps(_resampled_areas, lots, sizes, None, None, "bootstrap")))


def _resampled_areas(
    pos: Floats, neg: Floats, a: float, b: float, rows: int, rng: np.random.Generator
) -> Floats:
    """Compute the area of so many resamples."""

    def resample(weight: Floats) -> Floats:
        total = weight.sum()
        return rng.multinomial(int(total), weight / total, rows).astype(np.float64)

    return _areas(resample(pos), resample(neg), a, b)


def _placement_error(segments: RankedSegments, a: float, b: float) -> float:
    """Compute DeLong's standard error with the placements cut off at the ends of the range.

    A positive's placement is the part of the range to its right, a negative's the true positive
    rate at its own place, or at the end of the range that is nearest. Of ties it is the mean.
    """
    before, inside, after, crossed = _cut_edges(segments, a, b)
    flat = before + inside + after > 0
    width = np.where(flat, before + inside + after, 1.0)
    up = segments.pos / segments.n_pos
    rise = np.where(flat, up * (inside / width), np.where(crossed, up, 0.0))

    def apart(of_edge: Floats) -> Callable[[slice, slice], Floats]:
        """Compute how far the means of edges, along which placements rise, are from the next."""
        start = of_edge * np.where(flat, (inside / 2 + after) / width, 0.5)
        end = of_edge * np.where(flat, (inside / 2 + before) / width, 0.5)
        return lambda one, following: end[one] + start[following]

    return math.sqrt(
        variance_of_mean(segments.pos, segments.n_pos, apart(inside))
        + variance_of_mean(segments.neg, segments.n_neg, apart(rise))
    )


def _cut_edges(
    segments: RankedSegments, a: float, b: float
) -> tuple[Floats, Floats, Floats, Bools]:
    """Measure each edge before, in and after a range, and tell whether it ends in there.

    A place that is an end of the range but for rounding is that end.
    """
    on = segments.neg
    edge = running_totals(on)
    total = edge[-1]
    low, high = a * total, b * total
    for end in (low, high):
        if end < total:
            edge = np.where(np.abs(edge - end) * _NEAR < end, end, edge)
    before = np.minimum(np.maximum(low - edge[:-1], 0), on)
    after = np.minimum(np.maximum(edge[1:] - high, 0), on)
    cut = np.minimum(edge[1:], high) - np.maximum(edge[:-1], low)
    inside = np.where((before == 0) & (after == 0), on, np.maximum(cut, 0))
    return before / total, inside / total, after / total, (edge[1:] > low) & (edge[1:] <= high)
