"""Straight lines between points, wherever on the axis of floats these are.

Knows numbers only. For points no farther apart than usual it says what ``numpy.interp`` says.
"""

from __future__ import annotations

import numpy as np

from rocviz.core.base.validation import Floats

_HUGE = 1e300  # from here on differences of two numbers may overflow


def interpolate(at: Floats, x: Floats, y: Floats) -> Floats:
    """Return the height of the polygon through some points, level beyond its ends.

    There is at least one point, and ``x`` is strictly increasing and finite, as ``at`` is.

    Examples
    --------
    >>> interpolate(np.array([0.0, 0.5, 9.0]), np.array([0.0, 1.0]), np.array([3.0, 4.0]))
    array([3. , 3.5, 4. ])
    """
    if x.size == 1:
        return np.full_like(at, y[0])
    at = np.clip(at, x[0], x[-1])
    # what is tiny has no half, what is huge no difference
    unit = np.where(np.maximum(-x[:-1], x[1:]) > _HUGE, 0.5, 1.0)
    run = unit * x[1:] - unit * x[:-1]
    # from the lower end up: what is added is positive, so that what is small keeps its digits
    falls = y[1:] < y[:-1]
    foot = unit * np.where(falls, x[1:], x[:-1])
    least, most = np.minimum(y[1:], y[:-1]), np.maximum(y[1:], y[:-1])
    edge = np.clip(np.searchsorted(x, at, side="right") - 1, 0, x.size - 2)
    share = np.abs(unit[edge] * at - foot[edge]) / run[edge]
    return np.where(share < 1, least[edge] + share * (most - least)[edge], most[edge])
