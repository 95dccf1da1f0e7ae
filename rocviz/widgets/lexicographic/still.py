"""The lexicographic explorer's tree drawn with matplotlib, for files and pages without a kernel.

Takes the layout of the live tree; computes nothing.
"""

from __future__ import annotations

from textwrap import fill
from typing import Any

from matplotlib.axes import Axes

from rocviz.displays.base.style import font
from rocviz.theme import Theme
from rocviz.widgets.base.panel import Panel
from rocviz.widgets.lexicographic.state import LexicographicState
from rocviz.widgets.lexicographic.tree_layout import BRACKET, MIDDLE, STAIR, TreeLayout
from rocviz.words import shorten


def _tree(panel: Panel, ax: Axes, state: LexicographicState, theme: Theme) -> None:
    ax.set_axis_off()
    point = font(theme)
    inside = ax.get_window_extent()
    em = point * ax.figure.dpi / 72
    wide, high = inside.width / em, inside.height / em
    large = panel.is_large
    layout = TreeLayout(state, state.result, is_large=large, room=(wide, high))
    ax.set(xlim=(0, 100), ylim=(high, 0))
    room = high - layout.head - layout.foot

    def write(x: float, y: float, text: str, role: str, size: float, **look: Any) -> None:
        color = theme.colour(role)
        ax.text(x, y, text, va="center", fontsize=size * point, color=color, **look)

    for line in layout.lines:
        ax.plot(
            [line.x1, line.x2],
            [layout.head + y / 100 * room for y in (line.y1, line.y2)],
            color=theme.colour(line.role),
            linewidth=line.width * point,
            solid_capstyle="butt" if line.is_bar else "round",
        )
    for text in layout.texts:
        side = {"start": "left", "end": "right"}[text.anchor]
        y = layout.head + text.y / 100 * room + text.shift * layout.size
        weight = "bold" if text.is_bold else "normal"
        write(text.x, y, text.text, text.role, layout.size, ha=side, weight=weight)
    bold = {"weight": "bold"}
    for depth, (name, first, _) in enumerate(layout.words):
        x = layout.x(depth)
        label, y = str(depth + 1), 0.5 * STAIR
        if large:
            label = shorten(f"{label}. {name} {first}", int((99 - x) / 100 * wide / 0.68))
            y += depth * STAIR
        write(x, y, label, "held-text", 0.95, **bold)
    y = layout.head - 0.5 * STAIR
    if large:
        write(MIDDLE - 0.8, y, "negatives", "negative-text", 0.95, ha="right", **bold)
        write(MIDDLE + 0.8, y, "positives", "positive-text", 0.95, **bold)
        note = fill(layout.note, int(1.9 * wide), break_on_hyphens=False)
        write(0, high - 0.5 * layout.foot, note, "muted", 0.9)
    write(BRACKET + 2.6, y, "hull", "hull-text", 0.95, **bold)


STILLS = {"tree": _tree}
