"""Scores of several correlated classifiers, drawn from normal densities whose AUC is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from rocviz.core.base.effort import check_draws
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import (
    Floats,
    Seed,
    check_fraction,
    check_integer,
    check_prevalence,
    check_random_state,
    check_vector,
    describe,
)
from rocviz.core.roc.binormal import random_labels


@dataclass(frozen=True, eq=False)
class SimulatedClassifiers(Frozen):
    """Labels of simulated samples, and the scores that several classifiers give them.

    Unpacks as ``y_true, scores = simulate_classifiers(...)``.

    Parameters
    ----------
    y_true : ndarray of int, shape (n_samples,)
        Class, 0 or 1, in random order.
    scores : ndarray of float, shape (n_samples, n_classifiers)
        One column per classifier; higher means more positive.
    """

    y_true: NDArray[np.int64]
    scores: Floats

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return iter((self.y_true, self.scores))


def simulate_classifiers(
    n_samples: int,
    auc: ArrayLike,
    *,
    correlation: float = 0.0,
    prevalence: float = 0.4,
    random_state: Seed = None,
) -> SimulatedClassifiers:
    """Draw the scores of classifiers with given AUCs, equally correlated within each class.

    Every score is normal with variance 1 in each class. The positives' mean is higher by
    ``sqrt(2)`` times the normal quantile of the AUC, which gives exactly that AUC on average.
    What the classifiers share is one normal number per sample; its share of the variance is
    the correlation.

    Parameters
    ----------
    n_samples : int
        At least 2.
    auc : array-like of float, shape (n_classifiers,)
        Strictly between 0 and 1; below 1/2 a classifier ranks worse than chance.
    correlation : float, default=0.0
        Correlation of any two classifiers' scores given the class, from 0 (independent errors) to 1
        (the same errors). Their *rank* correlation is a little less, ``6/pi asin(c/2)``.
    prevalence : float, default=0.4
        From 1e-9 to 1 - 1e-9. The number of positives is ``n_samples * prevalence``,
        rounded, and at least one sample is of each class.
    random_state : int, RandomState, Generator or None, default=None
        Source of randomness. With the same integer, a small change of a parameter changes the
        scores a little, and one more classifier leaves the others as they are.

    Raises
    ------
    ValueError
        If an AUC does not lie strictly between 0 and 1, or another number is out of its range.

    References
    ----------
    Kim et al. (2021), section on ensemble classification.

    Examples
    --------
    >>> y_true, scores = simulate_classifiers(1000, [0.6, 0.7, 0.8], random_state=0)
    >>> scores.shape, int(y_true.sum())
    ((1000, 3), 400)
    """
    n = check_integer(n_samples, "n_samples", minimum=2)
    areas = check_vector(auc, "auc")
    if not areas.size or not ((areas > 0) & (areas < 1)).all():
        raise ValueError(
            f"auc must be one or more numbers strictly between 0 and 1; got "
            f"{describe(areas.tolist())}."
        )
    shared = check_fraction(correlation, "correlation", ends=True)
    prevalence = check_prevalence(prevalence)
    check_draws(1, n * areas.size, 3 * n * (areas.size + 1), n_samples=n)
    rng = check_random_state(random_state)

    y_true = random_labels(n, prevalence, rng)
    common = rng.standard_normal(n)
    own = rng.standard_normal((areas.size, n))
    shift = np.sqrt(2) * ndtri(areas)
    scores = np.sqrt(shared) * common + np.sqrt(1 - shared) * own + shift[:, None] * y_true
    return SimulatedClassifiers(y_true=y_true, scores=scores.T)
