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
    # what is tiny has no half, what is huge no difference
    unit = 0.5 if max(-x[0], x[-1]) > _HUGE else 1.0
    run = unit * x[high] - unit * x[low]
    share = np.divide(unit * at - unit * x[low], run, out=np.zeros_like(at), where=run > 0)
    return np.where(share < 1, y[low] + share * (y[high] - y[low]), y[high])
