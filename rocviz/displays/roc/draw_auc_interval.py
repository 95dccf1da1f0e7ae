"""Draw intervals of AUCs as rows on given matplotlib axes, with their simulated coverage beside.

Takes results and draws them; computes no number that is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from rocviz.core.roc.auc_intervals import AUCInterval
from rocviz.core.roc.coverage import CoverageResult
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.style import outline
from rocviz.words import INTERVAL_NAMES, amount, number, percent

# heights in lines of text
_ROW, _HEADING, _AFTER = 2.3, 2.0, 0.5
_NUMBER = 3.1  # width in ems
#: Width of the names of the methods, in ems.
LABELS = 8.6
# of the coverage, of that of the intervals
_BESIDE = 0.5
#: Share of the width that the coverage leaves to the intervals, the gap allowed for.
SHARE = 0.62


def rows_height(intervals: Mapping[Any, Sequence[AUCInterval]]) -> float:
    """Return the height that the rows need, in lines of text."""
    heading = (_HEADING + _AFTER) * (len(intervals) > 1)
    return sum(heading + _ROW * len(rows) for rows in intervals.values())


def draw_intervals(
    pen: Pen, intervals: Mapping[Any, Sequence[AUCInterval]], *, share: float = 1.0
) -> dict[Any, list[Line2D]]:
    """Draw one row per model and method, the name on the left and the ends at the ends.

    ``share`` of the width of the axes will be left when the coverage is beside it. Returns the
    intervals by name, in the order given.
    """
    pen.row_frame()
    pen.ax.set_xlabel("area under the ROC curve")
    pen.ax.set_ylim(rows_height(intervals), 0)
    _set_limits(pen, intervals, share)
    drawn: dict[Any, list[Line2D]] = {}
    ticks: list[float] = []
    labels: list[str] = []
    top = 0.0
    for i, (name, rows) in enumerate(intervals.items()):
        look = pen.look(i)
        if len(intervals) > 1:
            looks = {"transform": pen.ax.get_yaxis_transform(), "va": "center", "path_effects": []}
            words = f"{name}: {number(rows[0].auc)}"
            pen.text(words, x=0.0, y=top + _HEADING * 0.6, bold=True, **looks)
            top += _HEADING
        below = top + _ROW * len(rows)
        pen.line([rows[0].auc] * 2, [top + 0.3, below - 0.3], "reference", 0.8, ":", zorder=1)
        drawn[name] = []
        for found in rows:
            y = top + _ROW / 2
            drawn[name].append(_row(pen, y, found, look))
            ticks.append(y)
            labels.append(INTERVAL_NAMES[found.method])
            top += _ROW
        top = below + _AFTER * (len(intervals) > 1)
    pen.ax.set_yticks(ticks, labels)
    pen.ax.tick_params(axis="y", labelcolor=pen.colour("text"))
    return drawn


def _set_limits(pen: Pen, intervals: Mapping[Any, Sequence[AUCInterval]], share: float) -> None:
    """Leave room for the numbers at both ends; ticks stay where an AUC can be."""
    every = [found for rows in intervals.values() for found in rows]
    low, high = min(found.lower for found in every), max(found.upper for found in every)
    ems = share * pen.size[0] / pen.font()
    room = min((_NUMBER + 0.9) / ems, 0.4)
    span = max(high - low, 1e-6) / (1 - 2 * room)
    pen.ax.set_xlim(low - room * span, high + room * span)
    places = MaxNLocator(nbins=max(2, min(5, int(ems / 5))), steps=[1, 2, 5, 10]).tick_values(
        low, high
    )
    ends = pen.ax.get_xlim()
    pen.ax.set_xticks([x for x in places if max(0, ends[0]) <= x <= min(1 + 1e-12, ends[1])])


def _row(pen: Pen, y: float, found: AUCInterval, look: Any) -> Line2D:
    """Draw one interval; a dashed one is not the method's own."""
    line = pen.line(
        [found.lower, found.upper],
        [y, y],
        look.colour,
        1.4,
        (0, (1.6, 1)) if found.is_fallback else "-",
        solid_capstyle="butt",
        zorder=2,
    )
    outline(line, look.outline, pen.stroke(2.0))
    pen.dots([found.auc], [y], look.colour, 0.5, look.outline or "paper", zorder=3)
    if found.is_fallback:
        words, at = "no variance: Clopper–Pearson", ((found.lower + found.upper) / 2, y)
        pen.beside(words, at, (0, pen.font(0.25)), "muted", 0.8, ha="center", va="bottom")
    for x, side, away in ((found.lower, "right", -1), (found.upper, "left", 1)):
        reach = pen.handle(0.36) if x == found.auc else pen.font(0.45)
        pen.beside(
            number(x), (x, y), (away * reach, 0), "text", 0.9, ha=side, annotation_clip=False
        )
    return line


def draw_coverage(pen: Pen, rows: Sequence[AUCInterval], coverage: CoverageResult) -> Axes:
    """Draw simulated coverage on new axes to the right, one dot per row that was simulated.

    The axes with the rows of one model give up a third of their width.
    """
    from mpl_toolkits.axes_grid1 import make_axes_locatable

    pad = pen.font(2.2) / 72
    beside = make_axes_locatable(pen.ax).append_axes("right", size=f"{100 * _BESIDE:g}%", pad=pad)
    new = Pen(beside, pen.theme)
    new.row_frame()
    beside.set_ylim(pen.ax.get_ylim())
    beside.set_yticks([])
    at = {method: i for i, method in enumerate(coverage.methods)}
    used = [at[found.method] for found in rows if found.method in at]
    low = min([coverage.confidence, *(coverage.coverage[i] for i in used)])
    meant = coverage.confidence
    # numbers stand on the side of their dot that is away from the line
    room = 0.75 * (1 - low) + 0.02
    crosses = any(coverage.coverage[i] > meant for i in used)
    beside.set_xlim(low - room, 1.0 + room * crosses)
    new.line([meant] * 2, [0, 1], "reference", 0.9, ":", transform=beside.get_xaxis_transform())
    for row, found in enumerate(rows):
        if found.method in at:
            _covered(new, _ROW * (row + 0.5), coverage, at[found.method])
    beside.set_xticks([meant], [f"{percent(meant)} meant"])
    beside.set_xlabel(
        f"holds the truth, simulated\nwith AUC {number(coverage.auc)},\n"
        f"{amount(coverage.n_pos)} + {amount(coverage.n_neg)} samples"
    )
    return beside


def _covered(pen: Pen, y: float, coverage: CoverageResult, i: int) -> None:
    share, error = float(coverage.coverage[i]), float(coverage.standard_error[i])
    ends = np.clip([share - 2 * error, share + 2 * error], 0, 1)
    pen.line(ends, [y, y], "ranking", 0.9, solid_capstyle="butt")
    pen.dots([share], [y], "ranking", 0.42)
    away = 1 if share > coverage.confidence else -1
    at, shift = (float(ends[int(away > 0)]), y), (away * pen.font(0.6), 0)
    looks = {"ha": "left" if away > 0 else "right", "annotation_clip": False}
    pen.beside(percent(share, 1), at, shift, "text", 0.9, **looks)
