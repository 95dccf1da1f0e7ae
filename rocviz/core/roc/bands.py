"""Simultaneous confidence bands of ROC curves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base import validation
from rocviz.core.base.effort import check_draws
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.normal import normal_quantile
from rocviz.core.base.progress import run_steps
from rocviz.core.base.resamples import draw_clusters
from rocviz.core.base.samples import Samples
from rocviz.core.base.validation import Floats, Seed, Weights
from rocviz.core.roc.auc_intervals import check_counts
from rocviz.core.roc.placements import PlacementSpread
from rocviz.core.roc.segments import RankedSegments, ranked_with_clusters

#: Kinds of band.
METHODS = ("bootstrap", "kolmogorov-smirnov")

# More would not be visible.
_MAX_VERTICES = 200
_RESAMPLES_PER_TASK = 1000
# With fewer samples of a class, or clusters that hold it, resamples are of no use.
_MIN_SAMPLES_OF_BOOTSTRAP = 20
_MAX_BONFERRONI_POINTS = 50
_MIN_TAIL_PROBABILITY = 1e-4  # smaller tails of Kolmogorov's statistic are bounded, not solved for


@dataclass(frozen=True, eq=False)
class ROCBand(Frozen):
    """A band around an ROC curve.

    Parameters
    ----------
    fpr : ndarray of float, shape (n_points,)
        False positive rates, strictly increasing from 0 to 1.
    lower, upper : ndarray of float, shape (n_points,)
        Bounds of the true positive rate there, in [0, 1], never decreasing; straight lines
        between.
    confidence : float
        How often such a band covers the whole true curve.
    method : str
        One of :data:`METHODS`; ``"kolmogorov-smirnov"`` also takes the place of the bootstrap where
        a class has fewer than 20 samples, or clusters. Or ``"binomial"`` where resamples vary too
        little to be of use: the band is then as wide as binomial rates of so few samples imply.
    """

    fpr: Floats
    lower: Floats
    upper: Floats
    confidence: float
    method: str

    def to_frame(self) -> DataFrame:
        """Tabulate one row per false positive rate: columns ``fpr, lower, upper``."""
        return to_frame(fpr=self.fpr, lower=self.lower, upper=self.upper)


def roc_band(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None = None,
    *,
    sample_weight: Weights = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
    confidence: float = 0.95,
    method: str = "bootstrap",
    n_resamples: int = 500,
    random_state: Seed = 0,
) -> ROCBand:
    """Compute a simultaneous confidence band of the ROC curve.

    Simultaneous: of all data sets drawn from the same source, a share of ``confidence`` gives
    a band that holds the *whole* true curve. Such a band is wider than one made of separate
    intervals for each false positive rate, most of which would miss the curve somewhere.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments
        Labels of exactly two classes. Segments stand for labels, scores and weights.
    y_score, pos_label
        As for :meth:`rocviz.RankedSegments.from_scores`.
    sample_weight : array-like of float, shape (n_samples,), optional
        Weights enter as if they were numbers of samples.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) belong together: the bootstrap draws whole
        clusters. Only with labels, and for the bootstrap.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    method : {"bootstrap", "kolmogorov-smirnov"}, default="bootstrap"
        ``"kolmogorov-smirnov"`` moves the curve by the exact quantiles of Kolmogorov's
        statistic, for each class at level ``sqrt(confidence)``: coverage at least as stated
        for any number of samples, but wide. Above a confidence of 0.9998 the quantiles are those
        of Massart's bound, up to some percent wider. ``"bootstrap"`` resamples both classes and
        takes the width that holds the share ``confidence`` of the resampled curves: narrower.
    n_resamples : int, default=500
        Number of resamples of the bootstrap; at least 50.
    random_state : int, RandomState, Generator or None, default=0
        Source of the random numbers of the bootstrap.

    Returns
    -------
    ROCBand
        Contains the curve.

    Raises
    ------
    ValueError
        If the data are invalid, the method is unknown, ``confidence`` not between 0 and 1,
        ``n_resamples`` below 50, or there are fewer than two clusters with samples of either class.

    Notes
    -----
    The bootstrap works on the curve thinned to what a screen can show; counts of joined
    segments are multinomial all the same. Deviations are measured across the curve, along
    lines on which both classes' rates change in opposite directions in proportion to
    ``1 / sqrt(n)`` of their class, so that steep and flat parts are treated alike. They are
    divided by their standard deviation over the resamples, which is not allowed below what
    the binomial variances of both rates imply (with one sample of each kind added): at the ends of
    a curve resamples do not vary, although the true curve does. The width is at least Bonferroni's
    for as many points as the smaller class has samples, up to 50. With fewer than 20 samples of a
    class, or clusters that hold it, resamples are of no use, and the band is that of Kolmogorov's
    statistic for so many.

    In simulations of normal scores with AUCs of .5, .85 and .995, prevalences of .5 and .05 and 50
    to 1,000 samples, 95 % bands by ``"bootstrap"`` hold the whole true curve in 93 to 100 % of the
    data sets, those by ``"kolmogorov-smirnov"`` in all; of 50 patients with four rows and one
    outcome each, bands with ``clusters`` do in 95 to 100 %.

    References
    ----------
    Campbell (1994). Macskassy, Provost and Rosset (2005). Massart (1990).

    Examples
    --------
    >>> segments = RankedSegments(score=[3, 2, 1], pos=[60, 30, 10], neg=[10, 20, 70])
    >>> band = roc_band(segments, method="kolmogorov-smirnov")
    >>> low, high = (np.interp(0.1, band.fpr, side) for side in (band.lower, band.upper))
    >>> print(f"{low:.2f} to {high:.2f}")
    0.00 to 0.96
    """
    segments, samples = ranked_with_clusters(y_true, y_score, clusters, sample_weight, pos_label)
    level = validation.check_fraction(confidence, "confidence")
    validation.check_choice(method, "method", METHODS)
    if samples is not None and method != "bootstrap":
        raise ValueError(f"clusters need method='bootstrap'; got {validation.describe(method)}.")
    if method == "bootstrap":
        resamples = resample_band(
            segments, n_resamples=n_resamples, random_state=random_state, samples=samples
        )
        return resamples.band(level)
    return _kolmogorov_band(segments, level, *_sizes(segments))


def _kolmogorov_band(segments: RankedSegments, level: float, n_neg: int, n_pos: int) -> ROCBand:
    """Move the curve by the quantiles of Kolmogorov's statistic for so many samples.

    Rows of a cluster tell no less than one of them, so that clusters may stand for samples.
    """
    right = _kolmogorov(level, n_neg)
    up = _kolmogorov(level, n_pos)
    upper = np.array((segments.fpr - right, segments.tpr + up))
    lower = np.array((segments.fpr + right, segments.tpr - up))
    return _between(segments, upper, lower, level, "kolmogorov-smirnov")


@dataclass(frozen=True, eq=False)
class BandResamples(Frozen):
    """Deviations of resampled ROC curves, which give bands of any confidence."""

    segments: RankedSegments  # the ranking
    # (n_points,): points along the curve, the curve at these, and its standard deviation
    along: Floats
    centre: Floats
    deviation: Floats
    largest: Floats  # (n_resamples,): largest deviation of each resample, in standard deviations
    n_neg_units: int  # samples of each class, or clusters that hold it
    n_pos_units: int

    def band(self, confidence: float = 0.95) -> ROCBand:
        """Compute the band that contains a share of the curves, strictly between 0 and 1."""
        level = validation.check_fraction(confidence, "confidence")
        n_smaller = min(self.n_neg_units, self.n_pos_units)
        if n_smaller < _MIN_SAMPLES_OF_BOOTSTRAP:
            return _kolmogorov_band(self.segments, level, self.n_neg_units, self.n_pos_units)
        x, y = np.sqrt(_sizes(self.segments))
        width = float(np.quantile(self.largest, level))
        method = "bootstrap" if width > normal_quantile(level) else "binomial"
        # as if so many points of the curve were independent
        n_points = min(n_smaller, _MAX_BONFERRONI_POINTS)
        width = max(width, normal_quantile(1 - (1 - level) / (2 * n_points)))
        edges = []
        for across in (self.centre + width * self.deviation, self.centre - width * self.deviation):
            rates = np.array(((self.along - across) / (2 * x), (self.along + across) / (2 * y)))
            edges.append(np.maximum.accumulate(rates, axis=1))
        upper, lower = edges
        return _between(self.segments, upper, lower, level, method)


def _sizes(segments: RankedSegments) -> tuple[int, int]:
    """Round the numbers of negatives and of positives, at least one of each."""
    check_counts(segments.pos, segments.neg)
    return max(round(segments.n_neg), 1), max(round(segments.n_pos), 1)


def _between(
    segments: RankedSegments, upper: Floats, lower: Floats, level: float, method: str
) -> ROCBand:
    """Compute the band between two curves, each as rows fpr and tpr, widened to hold the curve."""
    bends = [side[0] if side[0].size <= 2 * _MAX_VERTICES else () for side in (upper, lower)]
    thin = segments.thin(_MAX_VERTICES)
    fpr = np.unique(
        np.clip(np.concatenate((*bends, thin.fpr, np.linspace(0, 1, _MAX_VERTICES + 1))), 0, 1)
    )
    curve = np.array((segments.fpr, segments.tpr))
    # a curve is interpolated at the upper end where it is vertical, and at the lower end mirrored
    high = np.max([np.interp(fpr, *side) for side in (upper, curve)], axis=0)
    low = np.min([-np.interp(-fpr, *-side[:, ::-1]) for side in (lower, curve)], axis=0)
    low = np.minimum(low, high)  # up to rounding
    return ROCBand(
        fpr=fpr,
        lower=np.clip(low, 0, 1),
        upper=np.clip(high, 0, 1),
        confidence=level,
        method=method,
    )


def resample_band(
    segments: RankedSegments,
    *,
    n_resamples: int = 500,
    random_state: Seed = 0,
    samples: Samples | None = None,
) -> BandResamples:
    """Resample the curve once, for bands of several confidences, as in :func:`roc_band`.

    ``samples`` that have clusters are drawn by whole clusters.
    """
    n_neg, n_pos = _sizes(segments)
    count = validation.check_integer(n_resamples, "n_resamples", minimum=50)
    check_draws(count, 4 * _MAX_VERTICES, 8 * count * _MAX_VERTICES, n_resamples=count)
    rng = validation.check_random_state(random_state)
    thin = segments.thin(_MAX_VERTICES)
    fpr = thin.fpr
    tpr = thin.tpr

    def resampled(rate: Floats, n: int) -> Floats:
        share = np.diff(rate)
        draws = rng.multinomial(n, share / share.sum(), size=count)
        return np.pad(np.cumsum(draws, axis=1) / n, ((0, 0), (1, 0)))

    # in these coordinates every curve is a function of `along`, however steep, and both rates have
    # similar errors
    x, y = np.sqrt((n_neg, n_pos))
    along = x * fpr + y * tpr
    across = y * tpr - x * fpr
    grid = np.union1d(along, np.linspace(0, x + y, _MAX_VERTICES + 1))
    centre = np.interp(grid, along, across)
    n_neg_units = n_neg
    n_pos_units = n_pos
    if samples is None:
        fprs = resampled(fpr, n_neg)
        tprs = resampled(tpr, n_pos)
    else:
        spread = PlacementSpread.of(samples.positive, samples.w, samples.unit)
        spread.check()
        n_neg_units = spread.n_neg_clusters
        n_pos_units = spread.n_pos_clusters
        check_draws(count, samples.positive.size, 8 * count * _MAX_VERTICES, n_resamples=count)
        fprs, tprs = _clustered_curves(segments, thin.index, samples, count, rng)
    starts = range(0, count, _RESAMPLES_PER_TASK)

    def tasks() -> Iterator[tuple[Any, ...]]:
        for start in starts:
            rows = slice(start, start + _RESAMPLES_PER_TASK)
            yield grid, centre, x, y, fprs[rows], tprs[rows]

    off = np.concatenate(list(run_steps(_deviations, tasks(), starts, None, None, "bootstrap")))
    var_f = _binomial_variance((grid - centre) / (2 * x), n_neg_units)
    var_t = _binomial_variance((grid + centre) / (2 * y), n_pos_units)
    # least variance of a deviation across a curve of any slope, from those of both rates
    min_variance = 4 * var_f * var_t / (var_f + var_t)
    deviation = np.sqrt(np.maximum(off.var(axis=0), min_variance))
    return BandResamples(
        segments,
        grid,
        centre,
        deviation,
        (np.abs(off) / deviation).max(axis=1),
        n_neg_units=n_neg_units,
        n_pos_units=n_pos_units,
    )


def _clustered_curves(
    segments: RankedSegments,
    vertices: NDArray[np.intp],
    samples: Samples,
    count: int,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Draw whole clusters, and compute both rates of each curve at the vertices."""
    unit = cast("NDArray[np.intp]", samples.unit)
    segment = np.searchsorted(-segments.score, -samples.scores[0])
    cell = np.searchsorted(vertices, segment, side="right") - 1
    w_pos = np.where(samples.positive, samples.w, 0.0)
    w_neg = np.where(samples.positive, 0.0, samples.w)
    rates = np.zeros((2, count, vertices.size))
    has_pos = np.bincount(unit, w_pos) > 0
    has_neg = np.bincount(unit, w_neg) > 0
    for row, times in enumerate(draw_clusters(has_pos, has_neg, count, rng)):
        drawn = times[unit]
        for side, weight in enumerate((w_neg, w_pos)):
            in_cells = np.bincount(cell, drawn * weight, vertices.size - 1)
            rates[side, row, 1:] = np.cumsum(in_cells) / (drawn @ weight)
    fprs, tprs = rates
    return fprs, tprs


def _deviations(
    grid: Floats, centre: Floats, x: float, y: float, fpr: Floats, tpr: Floats
) -> Floats:
    """Compute the deviations of resampled curves on the grid, one curve per row."""
    deviations = np.empty((len(fpr), grid.size))
    for row, f, t in zip(deviations, fpr, tpr, strict=True):
        row[:] = np.interp(grid, x * f + y * t, y * t - x * f) - centre
    return deviations


def _binomial_variance(rate: Floats, n: int) -> Floats:
    """Compute ``p (1 - p)`` with one sample of each kind added, so that it is positive."""
    share = np.clip(rate, 0.0, 1.0)
    return np.asarray((n * share + 1) / (n + 2) * ((n * (1 - share) + 1) / (n + 2)))


@lru_cache
def _kolmogorov(level: float, n: int) -> float:
    """Compute the bound of one class's rate for which both bounds hold at this level."""
    tail = (1 - level) / (1 + np.sqrt(level))
    if (
        tail < _MIN_TAIL_PROBABILITY
    ):  # where SciPy's quantiles lose their digits: Massart's inequality
        return min(float(np.sqrt(np.log(2 / tail) / (2 * n))), 1.0)
    from scipy.stats import kstwo  # slow to import

    return float(kstwo.ppf(np.sqrt(level), n))
