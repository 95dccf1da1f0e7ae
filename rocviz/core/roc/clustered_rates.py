"""Samples that come in clusters: resamples of a ranking, and the design effect of a rate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.resamples import draw_clusters
from rocviz.core.base.samples import Samples
from rocviz.core.base.validation import Floats
from rocviz.core.roc.metrics import METRICS, binomial_interval
from rocviz.core.roc.segments import RankedSegments


def effective_trials(successes: Floats, trials: Floats, unit: NDArray[np.intp]) -> float:
    """Divide the number of trials by the design effect of clusters.

    ``successes`` and ``trials`` are those of each sample, ``unit`` is its cluster. Successes may be
    expected ones, where each sample is drawn by itself. The effect is at least 1. Where all trials
    have one outcome they do not show it: then only the clusters that have trials count. In
    simulations of 50 to 1,000 patients of four rows, Wilson's 95 % intervals of so many trials
    cover 86 to 100 %.

    References
    ----------
    Rao and Scott (1992).

    Examples
    --------
    >>> right, patient = np.array([1.0, 1, 0, 0]), np.array([0, 0, 1, 1])
    >>> effective_trials(right, np.ones(4), patient)
    1.0
    """
    of_unit = np.bincount(unit, trials)
    total = float(of_unit.sum())
    n_units = int(np.count_nonzero(of_unit))
    if not n_units:
        return 0.0
    rate = float(successes.sum()) / total
    binomial = rate * (1 - rate) / total
    if n_units == 1 or binomial <= 0:
        return min(float(n_units), total)
    away = np.bincount(unit, successes - rate * trials)
    share = np.divide(successes, trials, out=np.zeros_like(trials), where=trials > 0)
    of_draws = float(successes @ (1 - share))
    variance = (n_units / (n_units - 1) * float(away @ away) + of_draws) / total**2
    return total / max(variance / binomial, 1.0)


def cells_of_samples(samples: Samples, predicted: Floats) -> Floats:
    """Count true and false positives, misses and true negatives of each sample, shape (4, n).

    ``predicted`` is the probability that a sample is predicted positive.
    """
    of_positives = np.where(samples.positive, samples.w, 0.0)
    of_negatives = np.where(samples.positive, 0.0, samples.w)
    missed = 1 - predicted
    return np.stack(
        (
            predicted * of_positives,
            predicted * of_negatives,
            missed * of_positives,
            missed * of_negatives,
        )
    )


def clustered_trials(cells: Floats, unit: NDArray[np.intp], rate: str) -> float:
    """Count the independent samples that would say as much of a rate as clusters do.

    ``cells`` are those of :func:`cells_of_samples`; the rate is a metric that is a proportion.
    """
    successes, trials = cast("tuple[Floats, Floats]", METRICS[rate].fixed_coefficients)
    return effective_trials(successes @ cells, trials @ cells, unit)


def clustered_rate_interval(
    cells: Floats, unit: NDArray[np.intp], rate: str, confidence: float
) -> tuple[float, float]:
    """Compute Wilson's interval of a rate of samples that come in clusters.

    References
    ----------
    Rao and Scott (1992). Brown, Cai and DasGupta (2001).
    """
    successes, trials = cast("tuple[Floats, Floats]", METRICS[rate].fixed_coefficients)
    n = float(trials @ cells.sum(axis=1))
    share = float(successes @ cells.sum(axis=1)) / n if n else 0.0
    n_effective = clustered_trials(cells, unit, rate)
    lower, upper = binomial_interval(
        min(share, 1.0) * n_effective, n_effective, confidence=confidence
    )
    return float(lower), float(upper)


def clustered_draws(
    segments: RankedSegments, samples: Samples, n_resamples: int, rng: np.random.Generator
) -> Iterator[tuple[Floats, Floats]]:
    """Draw whole clusters, and yield the weights of both classes by segment."""
    unit = cast("NDArray[np.intp]", samples.unit)
    segment = np.searchsorted(-segments.score, -samples.scores[0])
    w_pos = np.where(samples.positive, samples.w, 0.0)
    w_neg = np.where(samples.positive, 0.0, samples.w)
    has_pos = np.bincount(unit, w_pos) > 0
    has_neg = np.bincount(unit, w_neg) > 0
    for times in draw_clusters(has_pos, has_neg, n_resamples, rng):
        drawn = times[unit]
        pos = np.bincount(segment, drawn * w_pos, len(segments)).astype(np.float64, copy=False)
        neg = np.bincount(segment, drawn * w_neg, len(segments)).astype(np.float64, copy=False)
        yield pos, neg
