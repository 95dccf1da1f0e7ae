"""Where words go in the ranking loss explorer's pictures so that they cover no data.

Knows points and room, as shares of a picture; nothing of what is drawn, or with what.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ROW = 0.054  # height of a row of words, and width of a letter, in a large picture
LETTER = 0.0225


def block_size(texts: Sequence[str], grow: float = 1.0) -> tuple[float, float]:
    """Return width and height of rows of words, as shares of a picture."""
    return grow * (LETTER * max(map(len, texts)) + 0.02), grow * ROW * len(texts)


def dense(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return points along a path, close enough that no word fits between two of them."""
    at = np.linspace(0, len(x) - 1, 60 * (len(x) - 1) + 1) if len(x) < 100 else None
    if at is None:
        # upright parts of a long path
        low, high = np.minimum(y[:-1], y[1:]), np.maximum(y[:-1], y[1:])
        steep = np.flatnonzero(high - low > 0.02)
        between = np.linspace(0, 1, 40)
        more = low[steep, None] + (high - low)[steep, None] * between
        return (
            np.concatenate((x, np.repeat(x[steep], between.size))),
            np.concatenate((y, more.ravel())),
        )
    index = np.arange(len(x))
    return np.interp(at, index, x), np.interp(at, index, y)


def free_place(
    taken: Iterable[tuple[Floats, Floats]], width: float, height: float
) -> tuple[float, float]:
    """Return the upper left corner of the place where a block covers fewest points.

    Points and sizes are shares of the picture, from its lower left corner. Of equal ones a corner
    of the picture is taken first, the upper left one before all others.
    """
    pairs = list(taken)
    x = np.concatenate([pair[0] for pair in pairs]) if pairs else np.empty(0)
    y = np.concatenate([pair[1] for pair in pairs]) if pairs else np.empty(0)
    left, right = 0.015, max(0.985 - width, 0.015)
    top, bottom = 0.985, min(0.015 + height, 0.985)
    places = [(left, top), (right, bottom), (right, top), (left, bottom)]
    places += [
        (float(u), float(v))
        for v in np.linspace(top, bottom, 9)
        for u in np.linspace(left, right, 7)
    ]
    least, best = x.size + 1, places[0]
    for place in places:
        found = covered(x, y, place, width, height)
        if found < least:
            least, best = found, place
        if not found:
            break
    return best


def covered(x: Floats, y: Floats, place: tuple[float, float], width: float, height: float) -> int:
    """Return how many points a block covers whose upper left corner is at a place."""
    u, v = place
    gap = 0.008
    inside = (x > u - gap) & (x < u + width + gap) & (y < v + gap) & (y > v - height - gap)
    return int(np.count_nonzero(inside))
