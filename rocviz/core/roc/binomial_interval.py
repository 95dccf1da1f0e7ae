"""Confidence intervals of a proportion.

Knows successes and trials only.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfinv, ndtri

from rocviz.core.base.beta_tails import beta_quantile, beta_upper_quantile
from rocviz.core.base.exactness import LARGEST_EXACT
from rocviz.core.base.validation import (
    Floats,
    check_choice,
    check_fraction,
    check_numbers,
)

METHODS = ("wilson", "clopper-pearson", "jeffreys")


def normal_quantile(confidence: float, outside: float | None = None) -> float:
    """Return how many standard errors to either side of the middle hold this share.

    ``outside`` is what is left of 1, where that is known to more digits.
    """
    # of what is small: of the tail, or of the confidence itself
    if confidence < 0.5:
        return float(np.sqrt(2) * erfinv(confidence))
    return -float(ndtri((1 - confidence if outside is None else outside) / 2))


def binomial_interval(
    successes: ArrayLike, trials: ArrayLike, *, confidence: float = 0.95, method: str = "wilson"
) -> tuple[Floats, Floats]:
    """Return equal-tailed confidence intervals of binomial proportions.

    Parameters
    ----------
    successes, trials : array-like of float
        Broadcast against each other; ``0 <= successes <= trials``. Fractions (weights) are
        allowed and enter as if they were counts.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    method : {"wilson", "clopper-pearson", "jeffreys"}, default="wilson"
        Wilson's score interval has about the stated coverage; Clopper and Pearson's has at
        least the stated coverage whatever the proportion, and is wider; Jeffreys' is the
        credible interval of the Beta(1/2, 1/2) prior, its ends set to 0 and 1 where nothing
        or everything succeeded.

    Returns
    -------
    lower, upper : ndarray of float
        Of the broadcast shape, within [0, 1]; (0, 1) where there were no trials.

    Raises
    ------
    ValueError
        If counts are negative, not finite, or more succeed than were tried; if ``confidence``
        or ``method`` is unknown.

    References
    ----------
    Brown, Cai and DasGupta (2001).

    Examples
    --------
    >>> low, high = binomial_interval(8, 10, method="clopper-pearson")
    >>> round(float(low), 4), round(float(high), 4)
    (0.4439, 0.9748)
    """
    check_choice(method, "method", METHODS)
    level = check_fraction(confidence, "confidence")
    counts = check_numbers(successes, "successes"), check_numbers(trials, "trials")
    try:
        x, n = np.broadcast_arrays(*counts)
    except ValueError as error:
        shapes = " and ".join(str(count.shape) for count in counts)
        raise ValueError(f"successes and trials must broadcast; got shapes {shapes}.") from error
    if not (np.isfinite(x).all() and np.isfinite(n).all() and (x >= 0).all() and (x <= n).all()):
        raise ValueError("successes and trials must be finite with 0 <= successes <= trials.")
    return interval_of_counts(x, n, level, 1 - level, method)


def interval_of_counts(
    x: Floats, n: Floats, confidence: float, outside: float, method: str, name: str = "trials"
) -> tuple[Floats, Floats]:
    """Return what :func:`binomial_interval` does, of checked counts and what is left of 1.

    ``name`` is what the caller's arguments are called, for a message.
    """
    if method == "wilson":
        z = normal_quantile(confidence, outside)
        z2 = z**2
        share = x / np.where(n > 0, n, 1.0)
        above = x + z2 / 2 + z * np.hypot(np.sqrt((n - x) * share), z / 2)
        # both ends are roots of a quadratic equation, whose product is x² / n / (n + z²)
        lower = share * np.divide(x, above, out=np.zeros(x.shape), where=above > 0)
        upper = np.divide(above, n + z2, out=np.ones(x.shape), where=n + z2 > 0)
    else:
        a, b = (0.0, 1.0) if method == "clopper-pearson" else (0.5, 0.5)
        if n.size and n.max() > LARGEST_EXACT:
            raise ValueError(
                f"{name} must be at most 2**53 for method={method!r}: beyond, a float does not "
                f"count; got {n.max():.6g}."
            )
        some, other = (np.maximum(side.ravel(), 1e-300) for side in (x, n - x))
        lower = beta_quantile(outside / 2, some + a, other + b).reshape(x.shape)
        upper = beta_upper_quantile(outside / 2, some + b, other + a).reshape(x.shape)
    lower = np.where(x == 0, 0.0, np.clip(lower, 0.0, 1.0))
    upper = np.where(x == n, 1.0, np.clip(upper, 0.0, 1.0))
    return lower, upper
