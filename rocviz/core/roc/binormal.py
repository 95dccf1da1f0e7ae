"""Simulated scores from two normal densities, with known true probabilities."""

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
    check_integer,
    check_number,
    check_prevalence,
    check_random_state,
    check_spread,
)

_MAX_SHIFT = 1e100  # so that its square does not overflow


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
        """Tabulate one row per sample: columns ``y_true, y_prob, true_prob``."""
        return to_frame(y_true=self.y_true, y_prob=self.y_prob, true_prob=self.true_prob)


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

    The predicted probability is that of a model which assumes equal spreads and higher scores of
    class 1. It is calibrated if that holds and ``over_confidence`` is 1.

    Parameters
    ----------
    n_samples : int, default=500
        At least 2.
    prevalence : float, default=0.5
        From 1e-9 to 1 - 1e-9. The number of positives is ``n_samples * prevalence``,
        rounded, and at least one sample is of each class.
    separation : float, default=1.5
        Distance of the means in standard deviations of the negatives, at most 1e100 in size. Below
        0 the ranking is worse than random; at 0 every prediction is the same.
    spread_ratio : float, default=1.0
        Standard deviation of the positives over that of the negatives, from 1e-12 to 1e12. Unless
        it is 1 the true curve has a concavity, near one of its ends.
    over_confidence : float, default=1.0
        Factor of the log odds of the prediction, from 1e-12 to 1e12. Above 1 predictions are too
        extreme, below 1 too close to 1/2; the ranking stays.
    decimals : int, optional
        Round predictions to so many decimals, 0 to 15, which makes ties.
    random_state : int, RandomState, Generator or None, default=None
        Source of randomness. With the same integer, a small change of any parameter changes
        the samples a little: the same noise is used.

    Raises
    ------
    ValueError
        If a number is out of its range.

    Examples
    --------
    >>> data = binormal_scores(1000, prevalence=0.3, random_state=0)
    >>> int(data.y_true.sum())
    300
    """
    n = check_integer(n_samples, "n_samples", minimum=2)
    check_draws(1, n, 8 * n, n_samples=n)
    prior = float(logit(check_prevalence(prevalence)))
    shift = check_number(separation, "separation")
    if abs(shift) > _MAX_SHIFT:
        raise ValueError(f"separation must be at most {_MAX_SHIFT:g} in size; got {shift:g}.")
    ratio = check_number(spread_ratio, "spread_ratio", above=0.0)
    sharpness = check_number(over_confidence, "over_confidence", above=0.0)
    check_spread("spread_ratio", [1.0, ratio])
    check_spread("over_confidence", [1.0, sharpness])
    places = None if decimals is None else check_integer(decimals, "decimals", 0, 15)
    rng = check_random_state(random_state)

    y_true = random_labels(n, prevalence, rng)
    z = rng.standard_normal(n)
    score = np.where(y_true == 1, shift + ratio * z, z)
    assumed = prior + abs(shift) * score - shift**2 / 2
    # for positives use the noise, which a small ratio would round away
    deviation = np.where(y_true == 1, z, (score - shift) / ratio)
    true = prior - np.log(ratio) - deviation**2 / 2 + score**2 / 2
    y_prob = expit(sharpness * assumed)
    return SimulatedScores(
        y_true=y_true,
        y_prob=y_prob if places is None else np.round(y_prob, places),
        true_prob=expit(true),
    )


def random_labels(n: int, prevalence: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw labels in random order, at least one of each class."""
    n_pos = min(max(round(n * prevalence), 1), n - 1)
    return (rng.permutation(n) < n_pos).astype(np.int64)
