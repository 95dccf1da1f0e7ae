"""Costs of false alarms and misses beside each other, the cut that costs least; prices of columns.

Knows numbers only.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.validation import Floats, check_costs, check_spread, check_vector

# What costs that are sums of two rounded products differ by at most, if they are equal.
_TIE = 16 * np.finfo(np.float64).eps


# Where one product is so much less than the other, a rate next to nothing may make up for it.
_FAR = 1e-290


def relative_costs(
    cost_fp: float, cost_fn: float, of_neg: float | Fraction, of_pos: float | Fraction
) -> tuple[Fraction, Fraction]:
    """Return checked costs times the classes' weights, in a unit near the greater product."""
    costs = check_costs(cost_fp, cost_fn)
    alarm, miss = (Fraction(a) * Fraction(b) for a, b in zip(costs, (of_neg, of_pos), strict=True))
    size = max(alarm, miss)
    unit = Fraction(2) ** (size.numerator.bit_length() - size.denominator.bit_length())
    return alarm / unit, miss / unit


def check_prices(prices: ArrayLike, name: str, n_columns: int) -> Floats:
    """Return what each column costs to ask: not negative, and no more together than floats hold."""
    price = check_vector(prices, name)
    if price.size != n_columns:
        raise ValueError(
            f"{name} must have one entry per column of X; got {price.size} for {n_columns} columns."
        )
    if price.size and price.min() < 0:
        raise ValueError(f"{name} must not be negative; the smallest is {price.min():.6g}.")
    check_spread(name, price)
    return price


def cheapest(fpr: Floats, missed: Floats, alarm: Fraction, miss: Fraction) -> int:
    """Return the first of the cuts that cost least, up to rounding, in a sum of two rates."""
    if 0 < min(alarm, miss) < _FAR:
        pairs = zip(fpr.tolist(), missed.tolist(), strict=True)
        exact = [alarm * Fraction(f) + miss * Fraction(m) for f, m in pairs]
        return exact.index(min(exact))
    with np.errstate(under="ignore"):
        cost = float(alarm) * fpr + float(miss) * missed
    return int(np.flatnonzero(cost <= cost.min() * (1 + _TIE))[0])
