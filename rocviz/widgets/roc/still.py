"""The ROC explorer's HTML panels, drawn with matplotlib for files and pages without a kernel.

Bars and counts are those of the live pictures.
"""

from __future__ import annotations

from matplotlib.axes import Axes

from rocviz.displays.base.style import font
from rocviz.theme import Theme
from rocviz.widgets.base.panel import FigurePanel
from rocviz.widgets.base.still import draw_panel
from rocviz.widgets.roc.state import ROCState
from rocviz.words import amount


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


STILLS = {"reliability": _reliability}
