"""The decision explorer's table of rules, drawn with matplotlib for files."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes

from rocviz.displays.base.style import font
from rocviz.theme import Theme
from rocviz.widgets.base.panel import FigurePanel
from rocviz.widgets.base.still import draw_panel
from rocviz.widgets.decisions.view import MARKS, rule_heads, rule_rows
from rocviz.widgets.decisions.words import RULE_NAMES

COLUMNS = (0.52, 0.68, 0.84, 1.0)  # right ends of the columns of rules


def _thresholds(panel: FigurePanel, ax: Axes, state: Any, theme: Theme) -> None:
    """Draw the thresholds, and below them what each rule is worth, if there is room."""
    draw_panel(panel, ax, state, theme)
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


STILLS = {"thresholds": _thresholds}
