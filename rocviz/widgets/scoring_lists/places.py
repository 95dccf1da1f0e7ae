"""Where words go in a picture so that they cover as little as can be.

Knows boxes in units of the axes, 0 to 1; nothing of what is drawn, or with what.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Box(NamedTuple):
    """A part of the picture."""

    left: float
    low: float
    right: float
    high: float

    def shared(self, other: Box) -> float:
        """Return the area that two boxes share."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        tall = min(self.high, other.high) - max(self.low, other.low)
        return max(wide, 0.0) * max(tall, 0.0)

    @property
    def outside(self) -> float:
        """Area beyond the axes."""
        area = (self.right - self.left) * (self.high - self.low)
        return area - self.shared(Box(0.0, -0.01, 1.0, 1.01))


def text_box(x: float, y: float, wide: float, tall: float, align: str) -> Box:
    """Return the box of words whose middle is at ``y``, and which start or end at ``x``."""
    left = x if align == "start" else x - wide
    return Box(left, y - tall / 2, left + wide, y + tall / 2)


def free_place(places: Sequence[Box], taken: Sequence[Box]) -> int:
    """Return which of some places covers least of what is taken; of equal ones, the first.

    Examples
    --------
    >>> free_place([Box(0, 0, 0.5, 0.1), Box(0, 0.9, 0.5, 1)], [Box(0.2, 0, 0.3, 0.5)])
    1
    """
    costs = [20 * place.outside + sum(place.shared(box) for box in taken) for place in places]
    return min(range(len(places)), key=lambda i: (round(costs[i], 9), i))
