"""Confidence intervals of a proportion."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import (
    betainc,
    betaincc,
    betainccinv,
    betaincinv,
    betaln,
    erfinv,
    expit,
    log_expit,
    ndtri,
)

from rocviz.core.base.validation import Floats, check_choice, check_fraction, check_numbers

METHODS = ("wilson", "clopper-pearson", "jeffreys")

# SciPy's quantiles of Beta distributions of more trials are off: of 1000 in 1e9, by a factor of 2.
_FEW, _MOST = 1e4, 1e12


def normal_quantile(confidence: float, outside: float | None = None) -> float:
    """Compute the number of standard errors around the mean that contain a share.

    ``outside`` is ``1 - confidence``, where that is known to more digits.
    """
    # from the smaller tail, which has more digits
    if confidence < 0.5:
        return float(np.sqrt(2) * erfinv(confidence))
    return -float(ndtri((1 - confidence if outside is None else outside) / 2))


def binomial_interval(
    successes: ArrayLike, trials: ArrayLike, *, confidence: float = 0.95, method: str = "wilson"
) -> tuple[Floats, Floats]:
    """Compute equal-tailed confidence intervals of binomial proportions.

    Parameters
    ----------
    successes, trials : array-like of float
        Broadcast against each other; ``0 <= successes <= trials``. Fractions (weights) are
        allowed and enter as if they were counts. At most 1e12 trials for the last two methods.
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
        raise ValueError(
            f"successes and trials must have shapes that broadcast; got shapes {shapes}."
        ) from error
    if not (np.isfinite(x).all() and np.isfinite(n).all() and (x >= 0).all() and (x <= n).all()):
        raise ValueError("successes and trials must be finite with 0 <= successes <= trials.")
    return interval_of_counts(x, n, level, 1 - level, method)


def interval_of_counts(
    x: Floats, n: Floats, confidence: float, outside: float, method: str, name: str = "trials"
) -> tuple[Floats, Floats]:
    """Compute :func:`binomial_interval` from checked counts and ``1 - confidence``.

    ``name`` names the caller's counts in an error.
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
        if n.size and n.max() > _MOST:
            raise ValueError(
                f"{name} must be at most {_MOST:g} for method={method!r}; got {n.max():.6g}."
            )
        lower = _beta_quantile(x + a, n - x + b, outside / 2, upper=False)
        upper = _beta_quantile(x + b, n - x + a, outside / 2, upper=True)
    lower = np.where(x == 0, 0.0, np.clip(lower, 0.0, 1.0))
    upper = np.where(x == n, 1.0, np.clip(upper, 0.0, 1.0))
    return lower, upper


def _beta_quantile(a: Floats, b: Floats, tail: float, *, upper: bool) -> Floats:
    """Find the Beta quantile with this lower tail, or upper tail (``upper``).

    Of many trials it is found by Newton's method on the logarithm of the tail's probability, which
    is concave in the log odds, from the normal approximation there.
    """
    quantile = np.asarray((betainccinv if upper else betaincinv)(a, b, tail))
    many = (a + b > _FEW) & (np.minimum(a, b) > 0)
    if not many.any():
        return quantile
    a, b = a[many], b[many]
    # the rarer outcome's share has full precision
    rare, rest = np.minimum(a, b), np.maximum(a, b)
    is_below = (a <= b) != upper
    sign = np.where(is_below, 1.0, -1.0)
    steps = max(float(ndtri(tail)), -4.0)  # farther out the tail may underflow
    log_odds = np.log(rare / rest) + sign * steps * np.sqrt(1 / rare + 1 / rest)
    for _ in range(12):  # ten steps suffice
        share = expit(log_odds)
        chance = np.where(is_below, betainc(rare, rest, share), betaincc(rare, rest, share))
        log_density = rare * log_expit(log_odds) + rest * log_expit(-log_odds) - betaln(rare, rest)
        step = sign * np.log(chance / tail) * chance * np.exp(-log_density)
        log_odds = log_odds - step
    quantile[many] = expit(np.where(a <= b, log_odds, -log_odds))
    return quantile
