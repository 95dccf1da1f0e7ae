"""Quantiles of the Beta distribution of many trials, where SciPy's lose their digits.

Of a thousand successes in a thousand million trials SciPy 1.17 returns twice the quantile. Here
the density is integrated on the scale of log odds, on which it has one top and falls ever faster.
Knows numbers only.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import (
    betainc,
    betaincc,
    betainccinv,
    betaincinv,
    betaln,
    ndtri,
    xlog1py,
    xlogy,
)

from rocviz.core.base.frozen import read_only
from rocviz.core.base.validation import Floats

#: Trials up to which SciPy's quantiles are right to 1e-12.
_MANY = 1e6
# nodes from 0 to 1, the denser the nearer to 0: on 16 panels the fourth powers of even ones
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)
_EVEN = (np.arange(16.0)[:, None] + (_NODES + 1) / 2) / 16
_PLACES, _SHARES = read_only(_EVEN**4), read_only(4 * _EVEN**3 * _WEIGHTS / 32)
_DEPTH = 45.0  # what is lower than the top by this exponent counts as nothing
_MOST_STEPS = 200
_LEAST = 1e-290
_NEAR = 1e-6
_CLOSE = 1e-13  # the next step would be its square
_AT_ONCE = 1024


def beta_quantile(tail: float, a: Floats, b: Floats) -> Floats:
    """Return below what Beta variables lie with a probability above 0 and at most one half.

    Examples
    --------
    >>> beta_quantile(0.5, np.array([3.0, 5e12]), np.array([3.0, 5e12])).round(12)
    array([0.5, 0.5])
    """
    return _quantile(tail, a, b, 1.0)


def beta_upper_quantile(tail: float, a: Floats, b: Floats) -> Floats:
    """Return above what a Beta variable lies with a probability, as :func:`beta_quantile` does."""
    return _quantile(tail, a, b, -1.0)


def _quantile(tail: float, a: Floats, b: Floats, sign: float) -> Floats:
    """Return the quantile below (``sign`` 1) or above (-1) which the tail lies."""
    few = a + b <= _MANY
    found = np.full(a.shape, np.nan)
    found[few] = _of_few(tail, a[few], b[few], sign)
    at = np.flatnonzero(np.isnan(found))  # SciPy's may be, far out
    for start in range(0, at.size, _AT_ONCE):
        here = at[start : start + _AT_ONCE]
        found[here] = _of_many(tail, a[here], b[here], sign)
    return found


def _of_few(tail: float, a: Floats, b: Floats, sign: float) -> Floats:
    """Return SciPy's quantile, which may lack the last digits, after a step of Newton's method."""
    inverse, chance = (betaincinv, betainc) if sign > 0 else (betainccinv, betaincc)
    found = inverse(a, b, tail)
    inner = np.clip(found, _LEAST, 1 - 2**-53)
    with np.errstate(over="ignore", under="ignore"):
        density = np.exp(xlogy(a - 1, inner) + xlog1py(b - 1, -inner) - betaln(a, b))
    off = sign * (chance(a, b, inner) - tail)
    near = (inner == found) & (np.abs(off) < _NEAR * density * np.minimum(found, 1 - found))
    return np.asarray(found - np.divide(off, density, out=np.zeros_like(found), where=near))


def _of_many(tail: float, a: Floats, b: Floats, sign: float) -> Floats:
    """Return the same by Newton's method on the logarithm of the tail's probability."""
    # with the rarer outcome first nothing cancels; mirrored, a tail changes its side
    rare, rest = np.minimum(a, b), np.maximum(a, b)
    side = np.where(a <= b, sign, -sign)
    n, share = rare + rest, rare / (rare + rest)

    def fall(u: Floats) -> Floats:
        """Return by how much the logarithm of the density is lower than at its top, 0."""
        t = side * u.T
        with np.errstate(over="ignore"):  # far beyond where the density ends
            return np.asarray(n * np.log1p(share * np.expm1(t)) - rare * t).T

    width = np.minimum(1 / np.sqrt(n * share * (1 - share)), 1.0)
    zero = np.zeros_like(n)
    total = _mass(fall, zero, -width) + _mass(fall, zero, width)
    at = float(ndtri(tail)) * width
    step, steps = np.full_like(n, np.inf), 0
    while steps < _MOST_STEPS and (np.abs(step) > _CLOSE * np.maximum(np.abs(at), 1.0)).any():
        steps += 1
        # tail / density; the logarithm of a tail is concave, so that after one step all
        # others come from the same side
        ratio = _mass(fall, at, -width)
        step = (np.log(ratio / total / tail) - fall(at)) * ratio
        at = at - step
    odds = rare * np.exp(side * at)
    return np.asarray(np.where(a <= b, odds, rest) / (odds + rest))


def _mass(fall: Callable[[Floats], Floats], start: Floats, width: Floats) -> Floats:
    """Return the mass to one side of ``start``, over the density there; ``width`` has the sign."""
    top = fall(start)
    reach = 10 * width
    while (near := fall(start + reach) - top < _DEPTH).any():
        reach = np.where(near, 1.4 * reach, reach)
    u = start[:, None, None] + reach[:, None, None] * _PLACES
    value = np.exp(top[:, None, None] - fall(u))
    return np.asarray(np.abs(reach) * (value * _SHARES).sum(axis=(1, 2)))
