"""The Fermi-Dirac explorer's intervals in matplotlib, for files and pages without a kernel."""

from __future__ import annotations

from matplotlib.axes import Axes

from rocviz.displays.base.style import font
from rocviz.theme import Theme
from rocviz.widgets.base.panel import Panel, tick_text
from rocviz.widgets.fermi_dirac.state import FermiDiracState
from rocviz.widgets.fermi_dirac.view import interval_name, track_ends
from rocviz.words import number, percent

LETTER = 0.6  # width of one, in type sizes
ROW = 2.2  # the most that a row is high, in type sizes


def _intervals(panel: Panel, ax: Axes, state: FermiDiracState, theme: Theme) -> None:
    """Draw one row per method: its name, the interval on the track that all share, its ends."""
    intervals = state.result.intervals
    low, high = track_ends(intervals)
    ax.set_axis_off()
    width, height = 72 * ax.figure.get_size_inches() * ax.get_position().size
    letters = 15 if state.coverage is None else 22  # of the numbers behind the track
    size = min(font(theme), width / (0.8 * letters + 17), height / (1.2 * len(intervals) + 1.2))
    rows = max(len(intervals) + 2.0, height / (ROW * size))
    ax.set(xlim=(0, width), ylim=(rows, 0))
    looks = {"fontsize": size, "color": theme.colour("text"), "va": "center"}
    muted = {**looks, "color": theme.colour("muted")}
    left, right = 13.5 * LETTER * size, width - letters * LETTER * size

    def at(auc: float) -> float:
        return left + (auc - low) / (high - low) * (right - left)

    if state.coverage is not None:
        ax.text(width, 0.5, "covers", ha="right", **muted)
    for y, found in enumerate(intervals, start=1):
        ax.text(0, y + 0.5, interval_name(found), **looks)
        ends = f"{number(found.lower)} to {number(found.upper)}"
        ax.text(right + 0.8 * size, y + 0.5, ends, **looks)
        ax.text(width, y + 0.5, state.coverage_of(found.method), ha="right", **looks)
        track = {"left": left, "color": theme.colour("grid")}
        ax.barh(y + 0.5, right - left, 0.7, **track)
        begins, stops = at(found.lower), at(found.upper)
        ax.barh(y + 0.5, stops - begins, 0.32, left=begins, color=theme.colour("hull"))
        ax.barh(y + 0.5, 0.22 * size, 0.7, left=at(found.auc), color=theme.colour("text"))
    if panel.is_large:
        ax.text(left, 0.5, tick_text(low), **muted)
        ax.text(right, 0.5, tick_text(high), ha="right", **muted)
        words = f"{percent(state.confidence)} intervals of the AUC of the data on screen"
        ax.text(0, len(intervals) + 1.7, words, **muted)


STILLS = {"intervals": _intervals}
