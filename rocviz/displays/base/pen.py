"""Axes, with the theme of the drawing on them."""

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
    """Axes in a theme, with sizes of text and lines."""

    ax: Axes
    theme: Theme

    def font(self, scale: float = 1.0) -> float:
        """Compute the size of ordinary text in points, times ``scale``."""
        return style.font(self.theme, scale)

    def title(self, text: str) -> None:
        """Set a bold heading over the left edge of the axes."""
        style.title(self.ax, text, self.theme)

    def settle(self) -> None:
        """Apply the layout, so that the size of the axes can be measured in pixels."""
        figure = self.ax.figure.figure  # a subfigure's layout is that of the whole figure
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
        """Factor by which text on small axes shrinks: 1 for a width of 26 ems or more."""
        return float(np.clip(self.size[0] / self.font() / 26, 0.72, 1.0))
