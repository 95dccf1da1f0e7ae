"""Frame and ticks of the decision explorer's pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from rocviz.theme import Theme
from rocviz.widgets.base.panel import FigurePanel, rounded, tick_texts


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
    return rounded(MaxNLocator(most, steps=steps).tick_values(low, high))


class WidePanel(FigurePanel):
    """A picture that fills its room, small ones with room for decimals at the left."""

    def __init__(self, x_label: str, y_label: str, **how: Any) -> None:
        super().__init__(x_label, y_label, square=False, **how)

    def show_ticks(self, axis: int, ticks: Sequence[float] | dict[float, str] | Any) -> None:
        """Put ticks on an axis; a small picture has three of them at most."""
        words = (
            ticks if isinstance(ticks, dict) else dict(zip(ticks, tick_texts(ticks), strict=True))
        )
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
