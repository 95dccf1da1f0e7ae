"""The calibration error of probabilities, without bins, and whether it can be chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression

from rocviz.core.base.effort import check_effort
from rocviz.core.base.progress import run_steps
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Seed,
    check_aligned,
    check_fraction,
    check_groups,
    check_integer,
    check_labels,
    check_probabilities,
    check_random_state,
    check_same_length,
    check_weights,
)

# Seconds of a resample, and for each of its samples.
_DRAW, _SAMPLE = 2e-4, 1.5e-7


@dataclass(frozen=True)
class CalibrationError:
    """Root mean squared difference of the probabilities and those of the hull.

    Parameters
    ----------
    error : float
        Root of the miscalibration, from 0 to 1.
    lower, upper : float
        Percentiles of the errors of resamples; ``nan`` without resamples.
    p_value : float
        How often data drawn from the probabilities themselves have an error as large; ``nan``
        without resamples.
    confidence : float
        Confidence level of the interval.
    """

    error: float
    lower: float
    upper: float
    p_value: float
    confidence: float


def calibration_error(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    pos_label: Any = None,
    confidence: float = 0.95,
    n_resamples: int = 500,
    random_state: Seed = 0,
) -> CalibrationError:
    """Compute the calibration error of probabilities, its interval, and a test of calibration.

    No bins are needed, because the hull pools neighbours just until their order is right. For the
    same reason the error is above zero even for true probabilities, and resamples raise it further:
    the interval says how far the error varies, and the p-value whether it can be chance.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,)
        Labels of exactly two classes.
    y_prob : array-like of float, shape (n_samples,)
        In [0, 1].
    sample_weight : array-like of float, shape (n_samples,), optional
        Not negative; samples of weight zero are left out.
    groups : array-like, shape (n_samples,), optional
        Samples of one group belong together; resamples draw whole groups.
    pos_label : label, optional
        The positive class.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    n_resamples : int, default=500
        At least 50.
    random_state : int, RandomState, Generator or None, default=0
        Source of the random numbers of the resamples.

    Raises
    ------
    ValueError
        If an argument is not as said above, such as a probability outside [0, 1].

    References
    ----------
    Dimitriadis, Gneiting and Jordan (2021).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> prob = rng.random(300)
    >>> y = rng.random(300) < prob
    >>> fair = calibration_error(y, prob, n_resamples=99)
    >>> steep = calibration_error(y, prob**3, n_resamples=99)
    >>> fair.p_value > 0.05, steep.p_value
    (True, 0.01)
    """
    check_aligned(y_true=y_true, y_prob=y_prob, sample_weight=sample_weight, groups=groups)
    positive = check_labels(y_true, pos_label)
    prob = check_probabilities(y_prob, "y_prob")
    check_same_length(positive.size, y_prob=prob)
    weight = check_weights(sample_weight, positive.size)
    group = check_groups(groups, positive.size)
    level = check_fraction(confidence, "confidence")
    draws = check_integer(n_resamples, "n_resamples", minimum=50)
    rng = check_random_state(random_state)
    if weight is not None:
        some = weight > 0
        positive, prob, weight = positive[some], prob[some], weight[some]
        group = None if group is None else group[some]
    return resampled_error(positive, prob, weight, group, level, draws, rng)


def check_resamples(draws: int, n_samples: int, many: int = 1) -> None:
    """Raise before the errors of so many models are resampled, if that takes too much by far."""
    check_effort(
        seconds=many * draws * (_DRAW + _SAMPLE * n_samples),
        numbers=10 * (draws + n_samples),
        n_resamples=draws,
        **({"scores": f"{many} classifiers"} if many > 1 else {}),
    )


def resampled_error(
    positive: Bools,
    prob: Floats,
    weight: Floats | None,
    group: NDArray[Any] | None,
    confidence: float,
    draws: int,
    rng: np.random.Generator,
) -> CalibrationError:
    """Compute the error of checked data; without draws no interval and no test."""
    check_resamples(draws, prob.size)
    order = np.argsort(prob, kind="stable")
    ranked = prob[order]
    start = np.flatnonzero(np.diff(ranked, prepend=-1.0))
    w = np.ones(prob.size) if weight is None else weight[order]
    unit = order if group is None else np.unique(group, return_inverse=True)[1][order]
    many = int(unit.max()) + 1

    def error_of(positive: Bools, weight: Floats) -> float:
        """Compute the error of sorted samples."""
        pos, n = by_probability(weight * positive), by_probability(weight)
        some = n > 0
        return _error(ranked[start][some], pos[some], n[some])

    def by_probability(weight: Floats) -> Floats:
        """Add up the weight of each distinct probability."""
        if start.size == weight.size:
            return weight
        return np.asarray(np.add.reduceat(weight, start))

    def resample(drawn: NDArray[np.int64], by_chance: Bools) -> tuple[float, float]:
        """Compute the errors of the groups that were drawn, and of labels drawn by chance."""
        times = np.bincount(drawn, minlength=many)[unit]
        return error_of(positive[order], w * times), error_of(by_chance[order], w)

    found = error_of(positive[order], w)
    if draws == 0:
        return CalibrationError(found, np.nan, np.nan, np.nan, confidence)
    inputs = ((rng.integers(many, size=many), rng.random(prob.size) < prob) for _ in range(draws))
    pairs = list(run_steps(resample, inputs, range(draws), None, None, "bootstrap"))
    resampled, by_chance = np.array(pairs).T
    low, high = np.quantile(resampled, [(1 - confidence) / 2, (1 + confidence) / 2])
    p_value = (1 + int((by_chance >= found).sum())) / (1 + draws)
    return CalibrationError(found, float(low), float(high), p_value, confidence)


def _error(prob: Floats, pos: Floats, n: Floats) -> float:
    """Compute the root of the miscalibration of rising probabilities.

    With h the isotonic regression of the shares of positives p, the Brier score less that of h is
    ``sum n (q - h)^2 + 2 sum n (q - h) (h - p)``; neither sum is negative.
    """
    share = pos / n
    hull = isotonic_regression(share, weights=n).x
    gap = prob - hull
    squares, rest = float(n @ gap**2), float(n @ (gap * (hull - share)))
    return float(np.sqrt((squares + 2 * max(rest, 0.0)) / n.sum()))
