"""What the decision explorer's pictures share: their frame, ticks, and free room for words.

Knows bqplot and points; nothing of metrics or cuts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from rocviz.theme import Theme
from rocviz.widgets.base.panel import FigurePanel, tick_text

# what a large picture's words take of its width and height, at least as much as in any window
LETTER = 0.031
ROW = 0.058
CLEAR = np.array([0.01, 0.022])  # around words
CELLS = 64  # of a picture, along each side
FAR = 0.2  # words farther away would seem to belong to something else


def count_ticks(n: int, most: int = 5) -> dict[float, str]:
    """Return a few whole numbers from 0 to n, thousands written short."""
    ticks = np.asarray(MaxNLocator(most, integer=True).tick_values(0, n))
    return {
        float(t): f"{t / 1000:g}k" if n >= 10_000 and t else f"{t:g}"
        for t in ticks[(ticks >= 0) & (ticks <= n)]
    }


def ticks_around(low: float, high: float, most: int = 4) -> NDArray[np.float64]:
    """Return a few round numbers, the first not above and the last not below the limits."""
    steps = [1, 2, 2.5, 5, 10]
    return np.asarray(MaxNLocator(most, steps=steps).tick_values(low, high)).round(9)


class WidePanel(FigurePanel):
    """A picture that fills its room, small ones with room for decimals at the left."""

    def __init__(self, x_label: str, y_label: str, **how: Any) -> None:
        super().__init__(x_label, y_label, square=False, **how)

    def show_ticks(self, axis: int, ticks: Sequence[float] | dict[float, str] | Any) -> None:
        """Put ticks on an axis; a small picture has three of them at most."""
        words = ticks if isinstance(ticks, dict) else {float(t): tick_text(t) for t in ticks}
        if not self.is_large and len(words) > 3:
            last = len(words) - 1
            kept = (0, last // 2, last) if last % 2 == 0 else (0, last)
            words = {value: words[value] for value in np.array(list(words))[list(kept)]}
        if self._ticks[axis] != words:
            self.set_ticks(axis, words)

    def fit(self, theme: Theme) -> None:
        """Take the sizes that a theme asks for, in the room there is."""
        super().fit(theme)
        if not self.is_large:
            margin = {**self.figure.fig_margin, "left": round(2.4 * theme.font)}
            margin["right"] = round(1.1 * theme.font)
            if self.figure.fig_margin != margin:
                self.figure.fig_margin = margin


class Room:
    """Where words fit between curves: a picture of cells, each free or taken.

    Parameters
    ----------
    x_range, y_range : (float, float)
        What the axes show.
    share : float, default=1.0
        Of the picture's width, where it is not all of it.
    """

    def __init__(
        self, x_range: tuple[float, float], y_range: tuple[float, float], share: float = 1.0
    ) -> None:
        self._letter = LETTER / share
        self._low = np.array([x_range[0], y_range[0]])
        self._span = np.array([x_range[1], y_range[1]]) - self._low
        self._taken = np.zeros((CELLS, CELLS), dtype=bool)  # by x, then by y

    def take(self, x: Any, y: Any) -> None:
        """Keep words off a curve; its x increases."""
        across, up = (np.asarray(v, dtype=float) for v in (x, y))
        edges = np.arange(CELLS + 1) / CELLS * self._span[0] + self._low[0]
        heights = np.interp(edges, across, up, left=np.nan, right=np.nan)
        heights = (heights - self._low[1]) / self._span[1] * CELLS
        low, high = np.minimum(heights[1:], heights[:-1]), np.maximum(heights[1:], heights[:-1])
        cell = np.arange(CELLS)
        self._taken |= (cell + 1 >= low[:, None]) & (cell <= high[:, None])

    def place(self, text: str, x: Any, y: Any) -> tuple[float, float] | None:
        """Return the free place for words nearest to a point, or to one of several, if near."""
        half = np.array([len(text) * self._letter / 2, ROW / 2])
        size = np.ceil(2 * (half + CLEAR) * CELLS).astype(int)
        if size[0] > CELLS:
            return None
        # cells taken in every box of that size, from sums of all before
        sums = np.zeros((CELLS + 1, CELLS + 1), dtype=np.int64)
        sums[1:, 1:] = self._taken.cumsum(axis=0).cumsum(axis=1)
        i, j = size
        full = sums[i:, j:] - sums[:-i, j:] - sums[i:, :-j] + sums[:-i, :-j]
        first = np.argwhere(full == 0)
        if not first.size:
            return None
        spots = (first + size / 2) / CELLS
        wanted = (np.column_stack((x, y)) - self._low) / self._span
        far = np.hypot(*(spots[:, None] - wanted).transpose(2, 0, 1)).min(axis=1)
        if far.min() > FAR:
            return None
        found = far.argmin()
        at = first[found]
        self._taken[at[0] : at[0] + i, at[1] : at[1] + j] = True
        across, up = spots[found] * self._span + self._low
        return float(across), float(up)
