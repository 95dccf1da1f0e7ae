"""The cheapest cut for given costs of false alarms and misses; prices of columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.validation import Floats, check_spread, check_vector

# Equal costs that are sums of two rounded products differ by at most this share.
_TIE = 16 * np.finfo(np.float64).eps


def check_prices(prices: ArrayLike, name: str, n_columns: int) -> Floats:
    """Check the cost of asking each column: one per column, not negative, not too far apart."""
    price = check_vector(prices, name)
    if price.size != n_columns:
        raise ValueError(
            f"{name} must have one entry per column of X; got {price.size} for {n_columns} columns."
        )
    if price.size and price.min() < 0:
        raise ValueError(f"{name} must not be negative; the smallest is {price.min():.6g}.")
    check_spread(name, price)
    return price


def cheapest(fpr: Floats, fnr: Floats, cost_fp: float, cost_fn: float) -> int:
    """Find the first of the cheapest cuts; costs are multiplied by the share of their class."""
    cost = cost_fp * fpr + cost_fn * fnr
    return int(np.flatnonzero(cost <= cost.min() * (1 + _TIE))[0])
