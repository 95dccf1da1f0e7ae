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
    at = np.clip(at, x[0], x[-1])
    low = np.clip(np.searchsorted(x, at, side="right") - 1, 0, max(x.size - 2, 0))
    high = np.minimum(low + 1, x.size - 1)
    start, end = x[low], x[high]
    # what is tiny has no half, what is huge no difference
    unit = np.where(np.maximum(-start, end) > _HUGE, 0.5, 1.0)
    run = unit * end - unit * start
    # from the lower end, so that what is added is positive and what is small keeps its digits
    falls = y[high] < y[low]
    away = np.where(falls, unit * end - unit * at, unit * at - unit * start)
    share = np.divide(away, run, out=np.zeros_like(at), where=run > 0)
    least, most = np.minimum(y[low], y[high]), np.maximum(y[low], y[high])
    return np.where(share < 1, least + share * (most - least), most)
