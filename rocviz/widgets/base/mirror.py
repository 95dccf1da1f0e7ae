"""A live picture drawn again on axes of matplotlib, mark by mark.

So a saved picture cannot say anything else than the one on the screen. Knows marks of bqplot and
artists of matplotlib, nothing of what they mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bqplot
import numpy as np
from matplotlib.colors import to_rgba
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import ScaledTranslation

from rocviz.displays.base.style import POINTS_PER_PIXEL, halo, style_axes
from rocviz.theme import get_theme
from rocviz.widgets.base.panel import tick_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocviz.theme import Theme
    from rocviz.widgets.base.panel import FigurePanel

DASHES = {
    "solid": "-",
    "dashed": (0, (5, 2.5)),
    "dotted": (0, (1, 2.5)),
    "dash_dotted": (0, (5, 2, 1, 2)),
}
MARKERS = {
    "circle": "o",
    "square": "s",
    "diamond": "D",
    "triangle-up": "^",
    "triangle-down": "v",
    "plus": "P",
}
SIDES = {"start": "left", "middle": "center", "end": "right"}
SOFT = 0.45  # of a colour that lets the one beneath through, as in the style sheet


def mirror(panel: FigurePanel, ax: Axes, _state: Any, theme: Theme) -> None:
    """Draw the marks and axes of a live picture, in the colours and sizes of a theme."""
    style_axes(ax, theme)
    figure = panel.figure
    for axis, drawn, scale in zip(
        (ax.xaxis, ax.yaxis), figure.axes, (figure.scale_x, figure.scale_y), strict=True
    ):
        axis.set_visible(drawn.visible)
        axis.set_label_text(drawn.label)
        (ax.set_xlim if axis is ax.xaxis else ax.set_ylim)(scale.min, scale.max)
        _ticks(axis, drawn, scale)
    if panel.is_square:
        ax.set_box_aspect(1)
    for spine in ax.spines.values():
        spine.set_visible(False)
    pen = _Pen(ax, theme, get_theme())
    for order, mark in enumerate(figure.marks):
        if mark.visible:
            pen.draw(mark, 2 + order / 100)


def _ticks(axis: Any, drawn: bqplot.Axis, scale: bqplot.Scale) -> None:
    """Put the ticks where they are on the screen, or about as many where those are its own."""
    if drawn.tick_values is None:
        at = MaxNLocator(drawn.num_ticks).tick_values(scale.min, scale.max)
        words = [tick_text(value) for value in at.round(9)]
    else:
        texts = {float(value): text for value, text in drawn.tick_labels.items()}
        at = np.asarray(drawn.tick_values, dtype=float)
        words = [texts[value] for value in at.tolist()]
    inside = (at >= scale.min) & (at <= scale.max)
    axis.set_ticks(at[inside], [text for text, shown in zip(words, inside, strict=True) if shown])


class _Pen:
    """Draws marks on axes; what was sized for the theme in force is sized for another one."""

    def __init__(self, ax: Axes, theme: Theme, now: Theme) -> None:
        self.ax, self.theme = ax, theme
        self.stroke = theme.stroke / now.stroke * POINTS_PER_PIXEL
        self.dot = (theme.handle / now.handle * POINTS_PER_PIXEL) ** 2
        self.type = theme.font / now.font * POINTS_PER_PIXEL

    def draw(self, mark: bqplot.Mark, order: float) -> None:
        kinds: dict[type, Any] = {
            bqplot.Lines: self.lines,
            bqplot.Scatter: self.dots,
            bqplot.Label: self.words,
            bqplot.Bars: self.bars,
        }
        kinds[type(mark)](mark, zorder=order, clip_on=mark.apply_clip)

    def ink(self, name: str, alpha: float = 1.0) -> Any:
        """Return the colour that a page's variable stands for."""
        if name == "transparent":
            return "none"
        if name.startswith("var("):
            thing = name[len("var(--rocviz-") : -1]
            name = self.theme.colour(thing.removesuffix("-soft"))
            alpha *= SOFT if thing.endswith("-soft") else 1.0
        return to_rgba(name, alpha)

    def lines(self, mark: bqplot.Lines, **looks: Any) -> None:
        x, y = (np.atleast_2d(np.asarray(v, dtype=float)) for v in (mark.x, mark.y))
        x, y = np.broadcast_arrays(x, y) if len(x) != len(y) else (x, y)
        if mark.fill == "between":
            colour = self.ink((mark.fill_colors or mark.colors)[0])
            alpha = mark.fill_opacities[0] if mark.fill_opacities else 1.0
            self.ax.fill_between(x[0], *y[:2], color=colour, alpha=alpha, linewidth=0, **looks)
        for k, (across, up) in enumerate(zip(x, y, strict=True)):
            alpha = mark.opacities[k % len(mark.opacities)] if mark.opacities else 1.0
            if alpha:
                self.ax.plot(
                    across,
                    up,
                    color=self.ink(mark.colors[k % len(mark.colors)]),
                    alpha=alpha,
                    linestyle=DASHES[mark.line_style],
                    linewidth=mark.stroke_width * self.stroke,
                    solid_capstyle="butt",
                    **looks,
                )

    def dots(self, mark: bqplot.Scatter, **looks: Any) -> None:
        alphas = mark.opacities if len(mark.opacities) else [1.0]
        inks = [self.ink(name, alphas[k % len(alphas)]) for k, name in enumerate(mark.colors)]
        edge = None if mark.stroke is None else self.ink(mark.stroke)
        if mark.fill and inks == ["none"] and edge in (None, "none"):
            return  # what a mouse feels is not seen
        n = len(mark.x)
        size = 1.0 if mark.size is None else np.asarray(mark.size, dtype=float)
        fills = [inks[k % len(inks)] for k in range(n)]
        self.ax.scatter(
            mark.x,
            mark.y,
            s=4 / np.pi * mark.default_size * self.dot * size,
            marker=MARKERS[mark.marker],
            facecolor=fills if mark.fill else "none",
            edgecolor=fills if edge is None else edge,
            linewidth=mark.stroke_width * POINTS_PER_PIXEL * (edge is not None),
            **looks,
        )

    def words(self, mark: bqplot.Label, **looks: Any) -> None:
        if mark.text is None:
            return
        shift = np.array([mark.x_offset, -mark.y_offset]) * POINTS_PER_PIXEL / 72
        move = ScaledTranslation(*shift, self.ax.figure.dpi_scale_trans)
        for k, (x, y, text) in enumerate(zip(mark.x, mark.y, mark.text, strict=True)):
            if text in ("", "drag"):
                continue  # nothing is dragged in a file
            made = self.ax.text(
                x,
                y,
                text,
                transform=self.ax.transData + move,
                color=self.ink(mark.colors[k % len(mark.colors)]),
                fontsize=mark.default_size * self.type,
                fontweight=mark.font_weight,
                rotation=-mark.rotate_angle,
                rotation_mode="anchor",
                ha=SIDES[mark.align],
                va="baseline",
                **looks,
            )
            if mark.colors[k % len(mark.colors)].startswith("var("):
                made.set_path_effects(halo(self.theme))  # ink of a colour of its own is on a dot

    def bars(self, mark: bqplot.Bars, **looks: Any) -> None:
        x = np.asarray(mark.x, dtype=float)
        wide = float(np.diff(x).min()) if len(x) > 1 else 1.0
        self.ax.bar(
            x,
            mark.y,
            wide * (1 - mark.padding),
            color=self.ink(mark.colors[0]),
            alpha=mark.opacities[0] if len(mark.opacities) else None,
            linewidth=0,
            **looks,
        )
