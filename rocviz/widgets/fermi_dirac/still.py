"""The Fermi-Dirac explorer's intervals drawn with matplotlib, for files and pages without a kernel.

Takes the words of the live picture; computes nothing.
"""

from __future__ import annotations

from matplotlib.axes import Axes

from rocviz.displays.base.pen import Pen
from rocviz.displays.base.style import font
from rocviz.displays.roc.draw_auc_interval import LABELS, draw_intervals
from rocviz.theme import Theme
from rocviz.widgets.base.panel import Panel
from rocviz.widgets.fermi_dirac.state import FermiDiracState
from rocviz.words import INTERVAL_NAMES, percent


def _intervals(panel: Panel, ax: Axes, state: FermiDiracState, theme: Theme) -> None:
    """Draw one row per method; its name takes its room from the axes."""
    box = ax.get_position()
    points = box.width * ax.figure.get_figwidth() * 72
    room = min(font(theme, LABELS) / points, 0.4) * box.width
    ax.set_position((box.x0 + room, box.y0, box.width - room, box.height))
    intervals = state.result.intervals
    draw_intervals(Pen(ax, theme), {None: intervals})
    names = ["exact" if i.is_fallback else INTERVAL_NAMES[i.method] for i in intervals]
    ax.set_yticks(ax.get_yticks(), names)
    words = f"{percent(state.confidence)} intervals of the AUC of the data on screen"
    ax.set_xlabel(words if panel.is_large else "")


STILLS = {"intervals": _intervals}
