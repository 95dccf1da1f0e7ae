"""Draw intervals of AUCs as rows, with their simulated coverage beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from rocviz.core.roc.auc_intervals import AUCInterval
from rocviz.core.roc.coverage import CoverageResult
from rocviz.displays.base.marks import IntervalRow, interval_rows
from rocviz.displays.base.pen import Pen
from rocviz.words import INTERVAL_NAMES, amount, number, percent

# heights in lines of text
_ROW, _HEADING, _AFTER = 2.3, 2.0, 0.5
#: Width of the names of the methods, in ems.
LABELS = 8.6
# of the coverage, of that of the intervals
_BESIDE = 0.5


def rows_height(intervals: Mapping[Any, Sequence[AUCInterval]]) -> float:
    """Return the height that the rows need, in lines of text."""
    heading = (_HEADING + _AFTER) * (len(intervals) > 1)
    return sum(heading + _ROW * len(rows) for rows in intervals.values())


def draw_intervals(
    pen: Pen,
    intervals: Mapping[Any, Sequence[AUCInterval]],
    styles: Sequence[Mapping[str, Any]],
) -> list[list[Line2D]]:
    """Draw one row per model and method, with its AUC and interval; dashed is a stand-in.

    Returns the intervals of each model.
    """
    rows, ends, top = [], [], 0.0
    pen.ax.set_xlabel("area under the ROC curve")
    for i, ((name, given), style) in enumerate(zip(intervals.items(), styles, strict=True)):
        look = pen.look(i, style)
        if len(intervals) > 1:
            looks = {"transform": pen.ax.get_yaxis_transform(), "va": "center", "path_effects": []}
            words = f"{look.named(name)}: {number(given[0].auc)}"
            pen.text(words, x=0.0, y=top + _HEADING * 0.6, bold=True, **looks)
            top += _HEADING
        below = top + _ROW * len(given)
        pen.line([given[0].auc] * 2, [top + 0.3, below - 0.3], "reference", 0.8, ":", zorder=1)
        for found in given:
            words = f"{number(found.auc)}  [{number(found.lower)}, {number(found.upper)}]"
            dash: Any = "-"
            if found.is_fallback:
                words, dash = f"no variance: Clopper–Pearson\n{words}", (0, (1.6, 1))
            at, called = top + _ROW / 2, INTERVAL_NAMES[found.method]
            values = found.auc, found.lower, found.upper
            rows.append(IntervalRow(at, called, *values, words, look, dash))
            top += _ROW
        ends.append(len(rows))
        top = below + _AFTER * (len(intervals) > 1)
    drawn = interval_rows(pen, rows, rows_height(intervals))
    return [drawn[first:last] for first, last in zip([0, *ends], ends, strict=False)]


def draw_coverage(pen: Pen, rows: Sequence[AUCInterval], coverage: CoverageResult) -> Axes:
    """Draw simulated coverage on new axes to the right, one dot per row that was simulated.

    The axes with the rows of one model give up a third of their width.
    """
    from mpl_toolkits.axes_grid1 import make_axes_locatable

    pad = pen.font(3.0) / 72
    beside = make_axes_locatable(pen.ax).append_axes("right", size=f"{100 * _BESIDE:g}%", pad=pad)
    new = Pen(beside, pen.theme)
    new.row_frame()
    beside.set_ylim(rows_height({None: rows}), 0)
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
