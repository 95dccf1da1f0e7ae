"""Costs of false alarms and misses beside each other, the cut that costs least; prices of columns.

Knows numbers only.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.validation import Floats, check_costs, check_total, check_vector

# What costs that are sums of two rounded products differ by at most, if they are equal.
_TIE = 16 * np.finfo(np.float64).eps


def relative_costs(
    cost_fp: float, cost_fn: float, of_neg: float | Fraction, of_pos: float | Fraction
) -> tuple[float, float]:
    """Return checked costs times the classes' weights, in a unit near the greater product.

    What is less than 1e-300 of it, and not nothing, counts as 1e-300 of it.
    """
    costs = check_costs(cost_fp, cost_fn)
    products = [Fraction(a) * Fraction(b) for a, b in zip(costs, (of_neg, of_pos), strict=True)]
    size = max(products)
    unit = Fraction(2) ** (size.numerator.bit_length() - size.denominator.bit_length())
    alarm, miss = (max(float(x / unit), 1e-300) if x else 0.0 for x in products)
    return alarm, miss


def check_prices(prices: ArrayLike, name: str, n_columns: int) -> Floats:
    """Return what each column costs to ask: not negative, and no more together than floats hold."""
    price = check_vector(prices, name)
    if price.size != n_columns:
        raise ValueError(
            f"{name} must have one entry per column of X; got {price.size} for {n_columns} columns."
        )
    if price.size and price.min() < 0:
        raise ValueError(f"{name} must not be negative; the smallest is {price.min():.6g}.")
    check_total(name, price)
    return price


def cheapest(fpr: Floats, missed: Floats, alarm: float, miss: float) -> int:
    """Return the first of the cuts that cost least, up to rounding, in a sum of two rates."""
    with np.errstate(under="ignore"):
        cost = alarm * fpr + miss * missed
    return int(np.flatnonzero(cost <= cost.min() * (1 + _TIE))[0])
