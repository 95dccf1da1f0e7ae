"""What the ranking loss explorer says in place of errors that cannot be known, for files.

Computes nothing.
"""

from __future__ import annotations

from textwrap import fill

from matplotlib.axes import Axes

from rocviz.displays.base.style import font
from rocviz.theme import Theme
from rocviz.widgets.base.panel import FigurePanel
from rocviz.widgets.base.still import mirror
from rocviz.widgets.ranking_loss.errors import NOTE
from rocviz.widgets.ranking_loss.state import RankingLossState


def _errors(panel: FigurePanel, ax: Axes, state: RankingLossState, theme: Theme) -> None:
    """Draw the errors where the truth is known."""
    if state.result.samples.truth is not None:
        mirror(panel, ax, state, theme)
        return
    ax.set_axis_off()
    letters = int(ax.get_position().width * ax.figure.get_figwidth() * 72 / font(theme, 0.56))
    ax.text(
        0,
        1,
        fill(NOTE, letters),
        va="top",
        transform=ax.transAxes,
        fontsize=font(theme),
        color=theme.colour("muted"),
        linespacing=1.4,
    )


STILLS = {"errors": _errors}
