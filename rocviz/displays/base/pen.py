"""Axes and the theme to draw on them in: what every drawing function is handed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocviz.displays.base import style
from rocviz.displays.base.registry import note

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.text import Annotation, Text

    from rocviz.theme import Theme


@dataclass(frozen=True)
class Pen:
    """Draws on axes in a theme.

    A ``thing`` is a name of the colour table, or a colour; a ``width`` and a ``size`` are shares
    of the theme's, and a ``role`` is what the artist stands for, see :mod:`.registry`.
    """

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

    def handle(self, scale: float = 1.0) -> float:
        """Compute the diameter of a handle in points, times ``scale``."""
        return style.handle(self.theme, scale)

    def look(self, i: int, own: Mapping[str, Any] | None = None) -> style.ModelLook:
        """Choose colour and dash of the ``i``-th model, but for its ``own`` properties of lines."""
        return style.model_look(i, self.theme, own)

    def tint(self, thing: str, strength: float) -> str:
        """Mix a colour of the table with the paper (``strength`` 1: unmixed)."""
        return style.tint(thing, self.theme, strength)

    # ------------------------------------------------------------------ the axes

    def frame(self) -> None:
        """Give the axes, and the figure they are on, the colours and type sizes of the theme."""
        style.style_axes(self.ax, self.theme)

    def row_frame(self) -> None:
        """Give axes whose rows say what they are no line and no grid for the y axis."""
        self.frame()
        self.ax.grid(False, axis="y")
        self.ax.spines["left"].set_visible(False)

    def unit_frame(self, xlabel: str, ylabel: str) -> None:
        """Make square axes from 0 to 1 with five ticks."""
        self.frame()
        self.ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", xlabel=xlabel, ylabel=ylabel)
        style.unit_ticks(self.ax.xaxis)
        style.unit_ticks(self.ax.yaxis)

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
    def em(self) -> float:
        """Size of ordinary text in pixels."""
        return self.font() * self.ax.figure.dpi / 72

    @property
    def scale(self) -> float:
        """Factor by which type on small axes shrinks: 1 from 26 ems of width up."""
        return float(np.clip(self.size[0] / self.font() / 26, 0.72, 1.0))

    # ------------------------------------------------------------------ lines, dots, words

    def line(
        self,
        x: Any,
        y: Any,
        thing: str,
        width: float = 1.0,
        dash: Any = "-",
        *,
        role: Any = "",
        touch: Any = 1.0,
        data: Any = None,
        **looks: Any,
    ) -> Line2D:
        """Draw a line."""
        shared = {"color": self.colour(thing), "linewidth": self.stroke(width), "linestyle": dash}
        (made,) = self.ax.plot(x, y, **{**shared, **looks})
        if role:
            note(made, role, touch=touch, data=data)
        return made

    def curve(self, x: Any, y: Any, look: style.ModelLook, **looks: Any) -> Line2D:
        """Draw the line of a model."""
        width = looks.pop("width", 1.0)
        made = self.line(x, y, look.colour, width, looks.pop("dash", look.dash), **looks)
        style.outline(made, look.outline, self.stroke(1.75 * width))
        made.set(**look.own)
        return made

    def dots(
        self,
        x: Any,
        y: Any,
        thing: str,
        size: float,
        rim: str = "paper",
        width: float = 0.5,
        *,
        marker: Any = "o",
        role: Any = "",
        **looks: Any,
    ) -> Line2D:
        """Draw dots of the same size, with a rim of another colour; they are never cut."""
        shared = {"marker": marker, "markersize": self.handle(size), "clip_on": False}
        shared |= {"markeredgecolor": self.colour(rim), "markeredgewidth": self.stroke(width)}
        return self.line(x, y, thing, 1.0, "none", role=role, **{**shared, **looks})

    def level(self, y: float, thing: str, width: float = 1.0, dash: Any = "-", **looks: Any) -> Any:
        """Draw a line from the left to the right end of the axes."""
        across = self.ax.get_yaxis_transform()
        return self.line([0, 1], [y, y], thing, width, dash, transform=across, **looks)

    def text(
        self, words: str, thing: str = "text", scale: float = 1.0, *, bold: Any = False,
        **looks: Any,
    ) -> Text:  # fmt: skip
        """Write words that are legible over what lies beneath; their place may be set later."""
        shared = {"x": 0.5, "y": 0.5, "transform": self.ax.transAxes}
        shared |= self._type(thing, scale, bold)
        made = self.ax.text(**{**shared, **looks}, s=words)
        note(made, "label")
        return made

    def beside(
        self, words: str, at: Any, shift: tuple[float, float], thing: str = "text",
        scale: float = 1.0, *, bold: Any = False, **looks: Any,
    ) -> Annotation:  # fmt: skip
        """Write words so many points beside a place in data units."""
        shared = {"textcoords": "offset points", "xytext": shift, "va": "center"}
        shared |= self._type(thing, scale, bold)
        made = self.ax.annotate(words, at, **{**shared, **looks})
        note(made, "label")
        return made

    def _type(self, thing: str, scale: float, bold: bool) -> dict[str, Any]:
        rim = style.halo(self.theme)
        looks = {"color": self.colour(thing), "fontsize": self.font(scale), "path_effects": rim}
        looks["parse_math"] = False  # two dollar signs in a name are no formula
        return {**looks, "fontweight": "bold" if bold else "normal", "zorder": 8}
