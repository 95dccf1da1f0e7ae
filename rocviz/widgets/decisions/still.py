"""The decision explorer's pictures as a matplotlib figure, for files and pages without a kernel.

Every mark of a live picture is drawn again, so that both agree in words, ticks and sizes. Knows
marks of bqplot and axes of matplotlib, nothing of what they mean.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import bqplot
import numpy as np

from rocviz.displays.base.style import POINTS_PER_PIXEL, font, style_axes
from rocviz.widgets.base.parts import DESK
from rocviz.widgets.base.still import compose
from rocviz.widgets.decisions.thresholds import MARKS, rule_heads, rule_rows
from rocviz.widgets.decisions.words import RULE_NAMES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocviz.theme import Theme
    from rocviz.widgets.base.panel import FigurePanel

__all__ = ["draw"]

DASHES = {"solid": "-", "dashed": (0, (5, 2.5)), "dotted": (0, (1, 2.5))}
MARKERS = {"circle": "o", "square": "s", "diamond": "D", "triangle-up": "^"}
SIDES = {"start": "left", "middle": "center", "end": "right"}
COLUMNS = (0.52, 0.68, 0.84, 1.0)  # right ends of the columns of rules


def draw(explorer: Any, theme: Theme | None = None) -> Figure:
    """Draw what a decision explorer shows; see :func:`rocviz.widgets.base.still.compose`."""
    panels: dict[str, Any] = explorer.drawn_panels()
    draws = {name: partial(_mirror, panel) for name, panel in panels.items()}
    draws["thresholds"] = partial(_thresholds, panels["thresholds"])
    return compose(explorer, draws, theme)


def _thresholds(panel: FigurePanel, ax: Axes, state: Any, theme: Theme) -> None:
    """Draw the thresholds, and below them what each rule is worth, if there is room."""
    _mirror(panel, ax, state, theme)
    if not panel.is_large:
        return
    box = ax.get_position()
    ax.set_position((box.x0, box.y0 + 0.3 * box.height, box.width, 0.7 * box.height))
    rows = [
        (f"{MARKS[rule][0]} {RULE_NAMES[rule]}", *texts) for rule, *texts in rule_rows(state.result)
    ]
    for i, row in enumerate([rule_heads(state.result), *rows]):
        level = box.y0 + box.height * (0.14 - 0.05 * i)
        for j, text in enumerate(row):
            at = box.x0 if j == 0 else box.x0 + box.width * COLUMNS[j - 1]
            ax.figure.text(
                at,
                level,
                text,
                ha="left" if j == 0 else "right",
                fontsize=font(theme),
                color=theme.colour("text"),
            )


def _mirror(panel: FigurePanel, ax: Axes, _state: Any, theme: Theme) -> None:
    """Draw the marks of a live picture on axes."""
    style_axes(ax, theme)
    figure = panel.figure
    ax.set(
        xlim=(figure.scale_x.min, figure.scale_x.max), ylim=(figure.scale_y.min, figure.scale_y.max)
    )
    for axis, drawn in zip((ax.xaxis, ax.yaxis), figure.axes, strict=True):
        axis.set_visible(drawn.visible)
        words = {float(value): text for value, text in drawn.tick_labels.items()}
        at = np.asarray(drawn.tick_values, dtype=float)
        axis.set_ticks(at, [words[value] for value in at.tolist()])
        axis.set_label_text(drawn.label)
    for spine in ax.spines.values():
        spine.set_visible(False)
    for order, mark in enumerate(figure.marks):
        if mark.visible:
            _DRAW[type(mark)](ax, mark, theme, 2 + order / 100)


def _ink(name: str, theme: Theme) -> str:
    """Return the colour that a page's variable stands for."""
    return "none" if name == "transparent" else theme.colour(name[len("var(--rocviz-") : -1])


def _line(ax: Axes, mark: Any, theme: Theme, order: float) -> None:
    x, y = np.asarray(mark.x, dtype=float), np.asarray(mark.y, dtype=float)
    ink = _ink(mark.colors[0], theme)
    if mark.fill == "between":
        alpha = mark.fill_opacities[0]
        ax.fill_between(x, y[0], y[1], color=ink, alpha=alpha, linewidth=0, zorder=order)
        return
    plain = vars(mark).get("_plain", {}).get("stroke_width", mark.stroke_width)
    ax.plot(
        x.T,
        y.T,
        color=ink,
        linestyle=DASHES[mark.line_style],
        linewidth=plain * theme.stroke / DESK.stroke * POINTS_PER_PIXEL,
        alpha=mark.opacities[0] if mark.opacities else 1.0,
        zorder=order,
        solid_capstyle="butt",
    )


def _dots(ax: Axes, mark: Any, theme: Theme, order: float) -> None:
    if mark.colors == ["transparent"] and mark.stroke == "transparent":
        return  # what a mouse feels is not seen
    area = vars(mark).get("_plain", {}).get("default_size", mark.default_size)
    grow = theme.handle / DESK.handle * POINTS_PER_PIXEL
    ax.scatter(
        mark.x,
        mark.y,
        s=4 / np.pi * area * grow**2,
        marker=MARKERS[mark.marker],
        facecolor=_ink(mark.colors[0], theme),
        edgecolor=_ink(mark.stroke, theme) if mark.stroke else "none",
        linewidth=mark.stroke_width * POINTS_PER_PIXEL,
        clip_on=False,
        zorder=order,
    )


def _words(ax: Axes, mark: Any, theme: Theme, order: float) -> None:
    for i, (x, y, text) in enumerate(zip(mark.x, mark.y, mark.text, strict=True)):
        if text in ("", "drag"):
            continue  # nothing is dragged in a file
        ax.text(
            x,
            y,
            text,
            color=_ink(mark.colors[i % len(mark.colors)], theme),
            fontsize=font(theme),
            fontweight=mark.font_weight,
            ha=SIDES[mark.align],
            va="center",
            zorder=order,
        )


_DRAW: dict[type, Any] = {bqplot.Lines: _line, bqplot.Scatter: _dots, bqplot.Label: _words}
