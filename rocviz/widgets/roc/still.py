"""The ROC explorer's HTML panels, drawn with matplotlib for files and pages without a kernel.

Bars and counts are those of the live pictures.
"""

from __future__ import annotations

from textwrap import fill

from matplotlib.axes import Axes

from rocviz.displays.base.style import font
from rocviz.theme import Theme
from rocviz.widgets.base.panel import FigurePanel, Panel
from rocviz.widgets.base.still import draw_panel
from rocviz.widgets.roc.state import ROCState
from rocviz.widgets.roc.view import brier_bars, longest_bar
from rocviz.words import amount, number


def _brier(panel: Panel, ax: Axes, state: ROCState, theme: Theme) -> None:
    """Draw each bar under its heading, with the words of its parts below; they fill the height."""
    bars = brier_bars(state, state.result, is_large=panel.is_large)
    ax.set_axis_off()
    ax.set(xlim=(0, longest_bar(bars, state.result)), ylim=(len(bars), 0))
    width, height = 72 * ax.figure.get_size_inches() * ax.get_position().size
    size = min(font(theme), 0.2 * height / len(bars))
    line = 1.5 * size * len(bars) / height  # of the unit that a bar has
    letters = int(width / (0.56 * size))
    looks = {"fontsize": size, "color": theme.colour("text"), "linespacing": 1.3}
    for row, (heading, parts) in enumerate(bars):
        words = " · ".join(f"{number(value)} {text}" for value, _, text in parts)
        above, below = fill(heading, letters), fill(words, letters)
        top = row + line * (1 + above.count("\n"))
        bottom = row + 0.9 - line * (1 + below.count("\n"))
        ax.text(0, top - 0.3 * line, above, va="bottom", **looks)
        ax.text(
            0, bottom + 0.3 * line, below, va="top", **{**looks, "color": theme.colour("muted")}
        )
        left = 0.0
        for value, role, _ in parts:
            ax.barh((top + bottom) / 2, value, bottom - top, left=left, color=theme.colour(role))
            left += value


def _reliability(panel: FigurePanel, ax: Axes, state: ROCState, theme: Theme) -> None:
    """Draw the picture, and the table of counts beside it where there is room, or under it."""
    draw_panel(panel, ax, state, theme)
    table = state.result.table
    rows = [("is +", table.tp, table.fn), ("is −", table.fp, table.tn)]
    size = font(theme, 0.9)
    width, height = 72 * ax.figure.get_size_inches() * ax.get_position().size
    looks = {"fontsize": size, "color": theme.colour("text"), "textcoords": "offset points"}
    if width - height < 15 * size:
        words = [f"{kind}: {amount(yes)} called +, {amount(no)} called −" for kind, yes, no in rows]
        box, up = ax.get_position(), 1.6 * size / 72 / ax.figure.get_figheight()
        ax.set_position((box.x0, box.y0 + up, box.width, box.height - up))
        looks |= {"xytext": (0, -0.5 * size), "ha": "center", "va": "top"}
        ax.annotate("; ".join(words), (0.5, 0), xycoords=ax.xaxis.label, **looks)
        return
    ax.set_anchor("W")
    counts = [(kind, amount(yes), amount(no)) for kind, yes, no in rows]
    cells = [("", "called +", "called −"), *counts]
    for up, row in zip((0.75, 0.5, 0.25), cells, strict=True):
        for across, text in zip((4, 9, 14), row, strict=True):
            at = {"xytext": (across * size, 0), "ha": "right", "va": "center"}
            ax.annotate(text, (1, up), xycoords="axes fraction", **looks, **at)


STILLS = {"brier": _brier, "reliability": _reliability}
