"""Scores drawn from two normal densities: data whose truth is known, for the sandbox and tests.

Knows nothing of curves, plots or widgets.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from rocviz.core.base.effort import check_draws
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import (
    Floats,
    Seed,
    check_fraction,
    check_integer,
    check_number,
    check_random_state,
)

_LARGEST = 1e100  # of what is squared


@dataclass(frozen=True, eq=False)
class SimulatedScores(Frozen):
    """Simulated samples with their true probabilities.

    Drawn by :func:`binormal_scores` from two normal distributions.

    Parameters
    ----------
    y_true : ndarray of int, shape (n_samples,)
        Class, 0 or 1, in random order.
    y_prob : ndarray of float, shape (n_samples,)
        Predicted probability of class 1.
    true_prob : ndarray of float, shape (n_samples,)
        True probability of class 1 given the score that was drawn (before any rounding).
    """

    y_true: NDArray[np.int64]
    y_prob: Floats
    true_prob: Floats

    def to_frame(self) -> DataFrame:
        """Return one row per sample: columns ``y_true, y_prob, true_prob``."""
        return to_frame({"y_true": self.y_true, "y_prob": self.y_prob, "true_prob": self.true_prob})


def binormal_scores(
    n_samples: int = 500,
    *,
    prevalence: float = 0.5,
    separation: float = 1.5,
    spread_ratio: float = 1.0,
    over_confidence: float = 1.0,
    decimals: int | None = None,
    random_state: Seed = None,
) -> SimulatedScores:
    """Draw scores of negatives from N(0, 1), of positives from N(separation, spread_ratio^2).

    The predicted probability is what a model would say that takes both spreads to be equal
    and a high score to speak for class 1. It is calibrated if that is so and
    ``over_confidence`` is 1.

    Parameters
    ----------
    n_samples : int, default=500
        At least 2.
    prevalence : float, default=0.5
        Strictly between 0 and 1. The number of positives is ``n_samples * prevalence``,
        rounded, and at least one sample is of each class.
    separation : float, default=1.5
        Distance of the means in standard deviations of the negatives. Below 0 the ranking is
        worse than random; at 0 every prediction is the same.
    spread_ratio : float, default=1.0
        Standard deviation of the positives over that of the negatives; positive. Unless it
        is 1 the true curve has a concavity, near one of its ends.
    over_confidence : float, default=1.0
        The log odds of the prediction are multiplied by this; positive. Above 1 predictions
        are too extreme, below 1 too close to 1/2; the ranking stays.
    decimals : int, optional
        Round predictions to so many decimals, 0 to 15, which makes ties.
    random_state : int, RandomState, Generator or None, default=None
        Source of randomness. With the same integer, a small change of any parameter changes
        the samples a little; nothing is drawn anew.

    Raises
    ------
    ValueError
        If a number is out of its range; the message names it and says what it may be.

    Examples
    --------
    >>> data = binormal_scores(1000, prevalence=0.3, random_state=0)
    >>> int(data.y_true.sum())
    300
    """
    n = check_integer(n_samples, "n_samples", minimum=2)
    check_draws(1, n, 8 * n, n_samples=n)
    prior = float(logit(check_fraction(prevalence, "prevalence")))
    shift = _of_size(check_number(separation, "separation"), "separation")
    ratio = _of_size(check_number(spread_ratio, "spread_ratio", above=0.0), "spread_ratio")
    sharpness = check_number(over_confidence, "over_confidence", above=0.0)
    sharpness = _of_size(sharpness, "over_confidence")
    places = None if decimals is None else check_integer(decimals, "decimals", 0, 15)
    rng = check_random_state(random_state)

    y_true = random_labels(n, prevalence, rng)
    z = rng.standard_normal(n)
    score = np.where(y_true == 1, shift + ratio * z, z)
    believed = prior + abs(shift) * score - shift**2 / 2
    with np.errstate(over="ignore"):  # a spread of nothing leaves no doubt
        deviation = np.where(y_true == 1, z, (score - shift) / ratio)
        true = prior - np.log(ratio) - deviation**2 / 2 + score**2 / 2
    y_prob = expit(sharpness * believed)
    return SimulatedScores(
        y_true=y_true,
        y_prob=y_prob if places is None else np.round(y_prob, places),
        true_prob=expit(true),
    )


def _of_size(value: float, name: str) -> float:
    """Return a number of which squares, and products with them, are floats."""
    if abs(value) > _LARGEST:
        raise ValueError(f"{name} must be at most {_LARGEST:g} in size; got {value:g}.")
    return value


def random_labels(n: int, prevalence: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return labels in random order; at least one is of each class."""
    n_pos = min(max(round(n * prevalence), 1), n - 1)
    return (rng.permutation(n) < n_pos).astype(np.int64)
