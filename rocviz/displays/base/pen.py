"""Axes and the theme to draw on them in: what every drawing function is handed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rocviz.displays.base import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocviz.theme import Theme


@dataclass(frozen=True)
class Pen:
    """Axes in a theme; a ``thing`` is a name of the colour table, or a colour."""

    ax: Axes
    theme: Theme

    # ------------------------------------------------------------------ the theme

    def colour(self, thing: str) -> str:
        """Get the colour of a role."""
        return thing if thing.startswith("#") or thing == "none" else self.theme.colour(thing)

    def font(self, scale: float = 1.0) -> float:
        """Compute the size of ordinary text in points, times ``scale``."""
        return style.font(self.theme, scale)

    def stroke(self, scale: float = 1.0) -> float:
        """Compute the width of a line in points, times ``scale``."""
        return style.stroke(self.theme, scale)

    def tint(self, thing: str, strength: float) -> str:
        """Mix a colour of the table with the paper (``strength`` 1: unmixed)."""
        return style.tint(thing, self.theme, strength)

    # ------------------------------------------------------------------ the axes

    def frame(self) -> None:
        """Give the axes, and the figure they are on, the colours and type sizes of the theme."""
        style.style_axes(self.ax, self.theme)

    def title(self, text: str) -> None:
        """Set a bold heading over the left edge of the axes."""
        style.title(self.ax, text, self.theme)

    def settle(self) -> None:
        """Bring axes to the place they will be drawn at, so that pixels can be measured."""
        figure = self.ax.figure
        while hasattr(figure, "parent"):  # a subfigure: the layout is the whole figure's
            figure = figure.parent
        engine = figure.get_layout_engine()
        if engine is not None:
            engine.execute(figure)
        locator = self.ax.get_axes_locator()
        self.ax.apply_aspect(locator(self.ax, None) if locator else None)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the axes in points."""
        box = self.ax.get_window_extent()
        return box.width / self.ax.figure.dpi * 72, box.height / self.ax.figure.dpi * 72

    @property
    def scale(self) -> float:
        """Factor by which type on small axes shrinks: 1 from 26 ems of width up."""
        return float(np.clip(self.size[0] / self.font() / 26, 0.72, 1.0))
