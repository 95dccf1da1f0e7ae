"""Percentile intervals of any statistic of a ranking, also for grouped samples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.effort import check_draws
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.progress import run_steps
from rocviz.core.base.samples import Samples, check_scored
from rocviz.core.base.validation import Bools, Floats, Seed, check_bootstrap, describe
from rocviz.core.roc.segments import RankedSegments

# Most tries per resample, as those with one class only are drawn again.
_TRIES = 100


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
    """

    value: float
    lower: float
    upper: float
    standard_error: float
    confidence: float
    resampled: Floats


def area(segments: RankedSegments) -> float:
    """Compute the AUC, the default statistic."""
    return segments.auc


def bootstrap_interval(
    y_true: ArrayLike,
    y_score: ArrayLike,
    statistic: Callable[[RankedSegments], float] = area,
    *,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
    confidence: float = 0.95,
    n_resamples: int = 1000,
    random_state: Seed = 0,
) -> BootstrapInterval:
    """Compute the percentile interval of a statistic of ranked segments.

    Whole groups are drawn with replacement, or single samples where there are none; then class
    sizes vary as the data's would. A resample of one class only is drawn again. Where all
    resamples say the same, as those of a perfect ranking do, the interval has no width: they cannot
    show how much new data would differ.

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
    groups : array-like, shape (n_samples,), optional
        Samples of one group belong together: a patient's lesions, a hospital's patients.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    n_resamples : int, default=1000
        At least 50.
    random_state : int, RandomState, Generator or None, default=0
        Source of the random numbers of the resamples.

    Raises
    ------
    ValueError
        If an argument is invalid, or there are too few groups to draw both classes.

    Examples
    --------
    >>> y, score = [0, 0, 1, 1, 0, 1, 1, 0], [1, 3, 2, 4, 2, 5, 6, 1]
    >>> patient = ["a", "a", "a", "b", "b", "c", "c", "d"]
    >>> found = bootstrap_interval(y, score, groups=patient, n_resamples=200)
    >>> round(found.value, 3), 0 < found.lower < found.upper <= 1
    (0.906, True)
    """
    samples = check_scored(y_true, sample_weight, pos_label, groups, y_score=y_score)
    positive, (score,), weight, unit = samples
    if not callable(statistic):
        raise ValueError(f"statistic must be callable; got {type(statistic).__name__}.")
    level, draws, rng = check_bootstrap(confidence, n_resamples, random_state)
    check_draws(draws, score.size, 10 * (draws + score.size), n_resamples=draws)
    w, unit = samples.w, np.arange(positive.size) if unit is None else unit
    value = _number(statistic(RankedSegments.from_scores(positive, score, sample_weight=weight)))
    holds = np.array([np.bincount(unit, w * side) for side in (positive, ~positive)]) > 0
    if min(np.flatnonzero(side).size for side in holds) == 0 or unit.max() == 0:
        raise ValueError(
            "groups must have at least two different values, with samples of both classes."
        )
    lots = ((positive, score, w, unit, statistic, drawn) for drawn in _drawn(holds, draws, rng))
    resampled = np.array(list(run_steps(_resampled, lots, range(draws), None, None, "bootstrap")))
    low, high = np.quantile(resampled, [(1 - level) / 2, (1 + level) / 2])
    error = float(resampled.std(ddof=1))
    return BootstrapInterval(value, float(low), float(high), error, level, resampled)


def _drawn(holds: Bools, draws: int, rng: np.random.Generator) -> Any:
    """Yield the counts of the groups in resamples with both classes."""
    many = holds.shape[1]
    for _ in range(draws):
        for _ in range(_TRIES):
            times = np.bincount(rng.integers(many, size=many), minlength=many)
            if all((times[side] > 0).any() for side in holds):
                break
        else:
            raise ValueError(
                "groups has so few different values that resamples hold one class only."
            )
        yield times


def _resampled(
    positive: Bools,
    score: Floats,
    weight: Floats,
    unit: NDArray[np.intp],
    statistic: Callable[[RankedSegments], float],
    times: NDArray[np.intp],
) -> float:
    """Compute the statistic of the drawn groups."""
    times = times[unit]
    some = times > 0
    heavy = weight[some] * times[some]  # may be farther apart than weights of samples
    samples = Samples(positive[some], (score[some],), heavy, None)
    return _number(statistic(RankedSegments._of_samples(samples)))


def _number(value: Any) -> float:
    """Check that a statistic is a finite number."""
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"statistic must return a number; got {describe(value)}.") from error
    if not np.isfinite(number):
        raise ValueError(f"statistic must return a finite number; got {number}.")
    return number
