"""Simulated samples in the plane whose true probability is a step or a sigmoid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from rocviz.core.base import validation
from rocviz.core.base.effort import check_draws
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import Floats, Seed

#: Shapes of the true probability over the true score.
LINKS = ("step", "sigmoid")


@dataclass(frozen=True, eq=False)
class CappedLinkSamples(Frozen):
    """Simulated samples with their true probabilities.

    Parameters
    ----------
    X : ndarray of float, shape (n_samples, 2)
        Features.
    y_true : ndarray of int, shape (n_samples,)
        Class, 0 or 1.
    true_prob : ndarray of float, shape (n_samples,)
        True probability of class 1; with a step ``a`` or ``1 - a``.
    direction : ndarray of float, shape (2,)
        Of unit length; the true score is ``X @ direction``.
    """

    X: Floats
    y_true: NDArray[np.int64]
    true_prob: Floats
    direction: Floats


def true_probability(score: Floats, a: float, *, link: str = "step", border: float = 0.0) -> Floats:
    """Compute the probability of the positive class at distances from the origin, in their shape.

    They are along the true direction; the other arguments are as in :func:`simulate_capped_link`,
    and checked there.
    """
    if link == "step":
        return np.where(score >= border, 1 - a, a)
    with np.errstate(over="ignore"):  # distance from the border at which the class is certain
        return np.asarray(expit(-logit(a) * (score - border)))


def simulate_capped_link(
    n_samples: int = 1000,
    a: float = 0.125,
    *,
    link: str = "step",
    border: float = 0.0,
    random_state: Seed = None,
) -> CappedLinkSamples:
    """Draw points from N(0, I) and labels with probability ``a`` or ``1 - a``.

    The probability depends on the side of a line on which a point lies, or rises over it smoothly.

    Parameters
    ----------
    n_samples : int, default=1000
        At least 2.
    a : float, default=0.125
        Floor of the probability; ``1 - a`` is its ceiling. From 0 to 1/2: at 0 labels are certain,
        at 1/2 the features say nothing.
    link : {"step", "sigmoid"}, default="step"
        With ``"sigmoid"`` the probability is a logistic function of the true score, which is ``a``
        one unit below the line and ``1 - a`` one unit above; ``a`` must not be 0.
    border : float, default=0.0
        True score at which the line lies; the larger, the fewer positives.
    random_state : int, RandomState, Generator or None, default=None
        Source of randomness. With the same integer another ``a`` leaves the points where they are
        and changes few labels.

    Raises
    ------
    ValueError
        If ``a`` is above 1/2, or 0 with a sigmoid, or the link is unknown.

    References
    ----------
    Menon et al. (2012), section 5.2.

    Examples
    --------
    >>> data = simulate_capped_link(1000, 0.1, random_state=0)
    >>> bool(((data.X @ data.direction >= 0) == (data.true_prob == 0.9)).all())
    True
    """
    n = validation.check_integer(n_samples, "n_samples", minimum=2)
    check_draws(1, n, 8 * n, n_samples=n)
    floor = validation.check_fraction(a, "a", ends=True)
    if floor > 0.5:
        raise ValueError(f"a must be at most 1/2; got {validation.describe(a)}.")
    if validation.check_choice(link, "link", LINKS) == "sigmoid" and not floor:
        raise ValueError("a must be above 0 for a sigmoid: at 0 it would be a step.")
    border = validation.check_number(border, "border")
    rng = validation.check_random_state(random_state)
    direction = np.array([0.6, 0.8])
    X = rng.standard_normal((n, 2))
    prob = true_probability(X @ direction, floor, link=link, border=border)
    y_true = (rng.random(n) < prob).astype(np.int64)
    return CappedLinkSamples(X=X, y_true=y_true, true_prob=prob, direction=direction)
