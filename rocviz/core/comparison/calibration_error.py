"""The calibration error of probabilities, without bins, and whether it can be chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression

from rocviz.core.base.classes import ClassSamples
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


def check_resamples(draws: int, n_samples: int, many: int = 1, classes: int = 1) -> None:
    """Raise before errors of so many models and classes are resampled, if it takes far too much."""
    check_effort(
        seconds=many * classes * draws * (_DRAW + _SAMPLE * n_samples),
        numbers=10 * (draws + n_samples),
        n_resamples=draws,
        **({"scores": f"{many} classifiers"} if many > 1 else {}),
        **({"y_prob": f"{classes} classes"} if classes > 1 else {}),
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
    columns = [_Column(prob, positive, weight, group)]
    return _resampled(columns, lambda chance: [chance < prob], confidence, draws, rng)


def resampled_class_error(
    samples: ClassSamples,
    group: NDArray[Any] | None,
    confidence: float,
    draws: int,
    rng: np.random.Generator,
) -> CalibrationError:
    """Compute the error of several classes: of each against the rest, added up before the root.

    Labels are drawn by chance from the row of each sample.
    """
    many = samples.n_classes
    columns = [
        _Column(samples.prob[:, k], samples.is_class(k), samples.weight, group) for k in range(many)
    ]
    # of the last class where a number from 0 to 1 is below its probability, and so on downwards
    steps = np.cumsum(samples.prob[:, :0:-1], axis=1).T.copy()

    def by_chance(chance: Floats) -> list[Bools]:
        label = np.full(chance.size, many - 1)
        for step in steps:
            label -= chance >= step
        return [label == k for k in range(many)]

    return _resampled(columns, by_chance, confidence, draws, rng)


class _Column:
    """Probabilities of a class in rising order, with its samples and their weights."""

    def __init__(
        self,
        prob: Floats,
        positive: Bools,
        weight: Floats | None,
        group: NDArray[Any] | None,
    ) -> None:
        self.order = np.argsort(prob, kind="stable")
        self.ranked, self.positive = prob[self.order], positive[self.order]
        self.start = np.flatnonzero(np.diff(self.ranked, prepend=-1.0))
        self.weight = np.ones(prob.size) if weight is None else weight[self.order]
        #: What is drawn together.
        self.unit = self.order
        if group is not None:
            self.unit = np.unique(group, return_inverse=True)[1][self.order]

    def miscalibration(self, positive: Bools, weight: Floats) -> float:
        """Compute the miscalibration of sorted samples, of which some may have no weight."""
        pos, n = self._by_probability(weight * positive), self._by_probability(weight)
        some = n > 0
        return _miscalibration(self.ranked[self.start][some], pos[some], n[some])

    def _by_probability(self, weight: Floats) -> Floats:
        """Add up the weight of each distinct probability."""
        if self.start.size == weight.size:
            return weight
        return np.asarray(np.add.reduceat(weight, self.start))


def _resampled(
    columns: list[_Column],
    by_chance: Callable[[Floats], list[Bools]],
    confidence: float,
    draws: int,
    rng: np.random.Generator,
) -> CalibrationError:
    """Compute the error of some classes, of resamples, and of labels drawn by chance.

    ``by_chance`` makes labels of each column of numbers from 0 to 1.
    """
    size = columns[0].order.size
    check_resamples(draws, size, classes=len(columns))
    many = int(columns[0].unit.max()) + 1

    def resample(drawn: NDArray[np.int64], chance: Floats) -> tuple[float, float]:
        """Compute the errors of the groups that were drawn, and of labels drawn by chance."""
        times = np.bincount(drawn, minlength=many)
        again = (one.miscalibration(one.positive, one.weight * times[one.unit]) for one in columns)
        drawn_labels = zip(columns, by_chance(chance), strict=True)
        other = (one.miscalibration(label[one.order], one.weight) for one, label in drawn_labels)
        return float(np.sqrt(sum(again))), float(np.sqrt(sum(other)))

    found = float(np.sqrt(sum(one.miscalibration(one.positive, one.weight) for one in columns)))
    if draws == 0:
        return CalibrationError(found, np.nan, np.nan, np.nan, confidence)
    inputs = ((rng.integers(many, size=many), rng.random(size)) for _ in range(draws))
    pairs = list(run_steps(resample, inputs, range(draws), None, None, "bootstrap"))
    resampled, chance_errors = np.array(pairs).T
    low, high = np.quantile(resampled, [(1 - confidence) / 2, (1 + confidence) / 2])
    p_value = (1 + int((chance_errors >= found).sum())) / (1 + draws)
    return CalibrationError(found, float(low), float(high), p_value, confidence)


def _miscalibration(prob: Floats, pos: Floats, n: Floats) -> float:
    """Compute the miscalibration of rising probabilities.

    With h the isotonic regression of the shares of positives p, the Brier score less that of h is
    ``sum n (q - h)^2 + 2 sum n (q - h) (h - p)``; neither sum is negative.
    """
    share = pos / n
    hull = isotonic_regression(share, weights=n).x
    gap = prob - hull
    squares, rest = float(n @ gap**2), float(n @ (gap * (hull - share)))
    return (squares + 2 * max(rest, 0.0)) / float(n.sum())
