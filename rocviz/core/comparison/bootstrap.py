"""Percentile intervals of any statistic of a ranking, also for clustered samples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.effort import check_draws
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.progress import run_steps
from rocviz.core.base.resamples import draw_clusters
from rocviz.core.base.samples import Samples, check_scored
from rocviz.core.base.validation import Bools, Floats, Seed, check_bootstrap, describe
from rocviz.core.roc.auc_variance import interval_ends
from rocviz.core.roc.placements import PlacementSpread
from rocviz.core.roc.segments import RankedSegments


@dataclass(frozen=True, eq=False)
class BootstrapInterval(Frozen):
    """A statistic of a ranking, with its percentile interval.

    Parameters
    ----------
    value : float
        Value of the data.
    lower, upper : float
        Percentiles of the resamples.
    standard_error : float
        Standard deviation of the resamples.
    confidence : float
    resampled : ndarray of float, shape (n_resamples,)
    is_degenerate : bool
        Whether all resamples agree, so that they cannot show how much new data would differ. Then
        the standard error is NaN, and so are the ends, but those of an AUC.
    """

    value: float
    lower: float
    upper: float
    standard_error: float
    confidence: float
    resampled: Floats
    is_degenerate: bool = False


def area(segments: RankedSegments) -> float:
    """Compute the AUC, the default statistic."""
    return segments.auc


def bootstrap_interval(
    y_true: ArrayLike,
    y_score: ArrayLike,
    statistic: Callable[[RankedSegments], float] = area,
    *,
    clusters: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
    confidence: float = 0.95,
    n_resamples: int = 1000,
    random_state: Seed = 0,
) -> BootstrapInterval:
    """Compute the percentile interval of a statistic of ranked segments.

    Whole clusters are drawn with replacement, or single samples where there are none; then class
    sizes vary as the data's would. A resample of one class only is drawn again. Where all
    resamples agree, as those of a perfect ranking do, they cannot show how much new data would
    differ: there is no interval. Of the AUC it is the one that :func:`rocviz.auc_interval` falls
    back on.

    Do not use it for what chance raises: a miscalibration, the AUC of the hull, the distance
    between two curves. Resamples raise these a second time, so that the interval may lie above the
    value, and above the truth. For calibration :func:`calibration_error` and
    :func:`rocviz.core.calibration.calibration_summary` have intervals that hold.

    Parameters
    ----------
    y_true, y_score, sample_weight, pos_label
        As for :meth:`RankedSegments.from_scores`; samples of weight zero are left out.
    statistic : callable, optional
        Given :class:`RankedSegments`, returns a finite number; by default their AUC.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster belong together: a patient's lesions, a hospital's patients.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    n_resamples : int, default=1000
        At least 50.
    random_state : int, RandomState, Generator or None, default=0
        Source of the random numbers of the resamples.

    Raises
    ------
    ValueError
        If an argument is invalid, or there are too few clusters to draw both classes.

    Notes
    -----
    Percentiles promise no coverage with few samples or near the end of a scale. In simulations of
    normal scores with 50 to 1,000 samples, 95 % intervals of the AUC hold the true one in 90 to
    98 % of the data sets where both classes have 25 samples and more and the AUC is .5 or .85; in
    70 to 88 % with three or ten positives, and in 78 to 100 % at an AUC of .995.
    :func:`rocviz.auc_interval` holds there.

    Examples
    --------
    >>> y, score = [0, 0, 1, 1, 0, 1, 1, 0], [1, 3, 2, 4, 2, 5, 6, 1]
    >>> patient = ["a", "a", "a", "b", "b", "c", "c", "d"]
    >>> interval = bootstrap_interval(y, score, clusters=patient, n_resamples=200)
    >>> round(interval.value, 3), 0 < interval.lower < interval.upper <= 1
    (0.906, True)
    """
    samples = check_scored(y_true, sample_weight, pos_label, clusters, y_score=y_score)
    positive, (score,), weight, _ = samples
    if not callable(statistic):
        raise ValueError(f"statistic must be callable; got {type(statistic).__name__}.")
    level, draws, rng = check_bootstrap(confidence, n_resamples, random_state)
    segments = RankedSegments.from_scores(positive, score, sample_weight=weight)
    value = statistic_value(statistic(segments))
    resampled = resampled_statistics(samples, partial(_checked, statistic), draws, rng)
    if np.ptp(resampled) > 0:
        low, high = np.quantile(resampled, [(1 - level) / 2, (1 + level) / 2])
        error = float(resampled.std(ddof=1))
        return BootstrapInterval(value, float(low), float(high), error, level, resampled)
    lower = upper = np.array(np.nan)
    if statistic is area:
        smaller = PlacementSpread.of(positive, samples.w, samples.unit).smaller
        lower, upper, _ = interval_ends(value, 1 - value, np.nan, smaller, level, on_logit=True)
    return BootstrapInterval(
        value, float(lower), float(upper), float("nan"), level, resampled, is_degenerate=True
    )


def resampled_statistics(
    samples: Samples,
    statistic: Callable[[RankedSegments], Any],
    draws: int,
    rng: np.random.Generator,
) -> Floats:
    """Compute a number, or several, of the rankings of resamples, one row for each resample.

    Whole clusters are drawn, or single samples where there are none.
    """
    positive, (score,), _, unit = samples
    w = samples.w
    check_draws(draws, score.size, 10 * (draws + score.size), n_resamples=draws)
    if unit is None:
        unit = np.arange(positive.size)
    has_pos = np.bincount(unit, np.where(positive, w, 0.0)) > 0
    has_neg = np.bincount(unit, np.where(positive, 0.0, w)) > 0
    if not (has_pos.any() and has_neg.any()) or unit.max() == 0:
        raise ValueError(
            "clusters must have at least two different values, with samples of both classes."
        )
    tasks = (
        (positive, score, w, unit, statistic, times)
        for times in draw_clusters(has_pos, has_neg, draws, rng)
    )
    return np.array(list(run_steps(_resampled, tasks, range(draws), None, None, "bootstrap")))


def _resampled(
    positive: Bools,
    score: Floats,
    weight: Floats,
    unit: NDArray[np.intp],
    statistic: Callable[[RankedSegments], Any],
    times: NDArray[np.intp],
) -> Any:
    """Compute the statistic of the drawn clusters."""
    times = times[unit]
    is_drawn = times > 0
    # may be farther apart than weights of samples
    resampled_weight = weight[is_drawn] * times[is_drawn]
    samples = Samples(positive[is_drawn], (score[is_drawn],), resampled_weight, None)
    return statistic(RankedSegments._of_samples(samples))


def _checked(statistic: Callable[[RankedSegments], float], segments: RankedSegments) -> float:
    """Compute a statistic, which must be a finite number."""
    return statistic_value(statistic(segments))


def statistic_value(value: Any) -> float:
    """Check that a statistic is a finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"statistic must return a number; got {describe(value)}.") from error
    if not np.isfinite(number):
        raise ValueError(f"statistic must return a finite number; got {number}.")
    return number
