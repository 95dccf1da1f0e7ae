"""Draw intervals of AUCs as rows on given matplotlib axes, with their simulated coverage beside.

Takes results and draws them; computes no number that is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from rocviz.core.roc.auc_intervals import AUCInterval
from rocviz.core.roc.coverage import CoverageResult
from rocviz.displays.base.style import font, halo, handle, model_look, outline, stroke, style_axes
from rocviz.words import amount, percent, rate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from rocviz.theme import Theme

NAMES = {
    "logit-delong": "logit DeLong",
    "delong": "DeLong",
    "hanley-mcneil": "Hanley–McNeil",
    "fermi-dirac": "Fermi–Dirac",
    "bootstrap": "bootstrap",
}
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
    ax: Axes, intervals: Mapping[Any, Sequence[AUCInterval]], *, share: float = 1.0, theme: Theme
) -> dict[Any, list[Line2D]]:
    """Draw one row per model and method, the name on the left and the ends at the ends.

    Parameters
    ----------
    ax : matplotlib Axes
    intervals : mapping of name to sequence of AUCInterval
    share : float
        Of the width of ``ax`` as it is, what will be left when the coverage is beside it.
    theme : Theme

    Returns
    -------
    dict of name to list of Line2D
        The intervals, in the order given.
    """
    style_axes(ax, theme)
    ax.grid(False, axis="y")
    ax.spines["left"].set_visible(False)
    ax.set_xlabel("area under the ROC curve")
    ax.set_ylim(rows_height(intervals), 0)
    _set_limits(ax, intervals, share, theme)
    drawn: dict[Any, list[Line2D]] = {}
    ticks: list[float] = []
    labels: list[str] = []
    top = 0.0
    for i, (name, rows) in enumerate(intervals.items()):
        look = model_look(i, theme)
        if len(intervals) > 1:
            _heading(ax, top, f"{name}: {rate(rows[0].auc)}", theme)
            top += _HEADING
        below = top + _ROW * len(rows)
        ax.plot(
            [rows[0].auc] * 2, [top + 0.3, below - 0.3], ":", color=theme.colour("reference"),
            lw=stroke(theme, 0.8), zorder=1,
        )  # fmt: skip
        drawn[name] = []
        for found in rows:
            y = top + _ROW / 2
            drawn[name].append(_row(ax, y, found, look, theme))
            ticks.append(y)
            labels.append(NAMES[found.method])
            top += _ROW
        top = below + _AFTER * (len(intervals) > 1)
    ax.set_yticks(ticks, labels)
    ax.tick_params(axis="y", labelcolor=theme.colour("text"))
    return drawn


def _set_limits(
    ax: Axes, intervals: Mapping[Any, Sequence[AUCInterval]], share: float, theme: Theme
) -> None:
    """Leave room for the numbers at both ends; ticks stay where an AUC can be."""
    every = [found for rows in intervals.values() for found in rows]
    low, high = min(found.lower for found in every), max(found.upper for found in every)
    ems = share * ax.get_window_extent().width / ax.figure.dpi * 72 / font(theme)
    room = min((_NUMBER + 0.9) / ems, 0.4)
    span = max(high - low, 1e-6) / (1 - 2 * room)
    ax.set_xlim(low - room * span, high + room * span)
    places = MaxNLocator(nbins=max(2, min(5, int(ems / 5))), steps=[1, 2, 5, 10]).tick_values(
        low, high
    )
    ends = ax.get_xlim()
    ax.set_xticks([x for x in places if max(0, ends[0]) <= x <= min(1 + 1e-12, ends[1])])


def _heading(ax: Axes, top: float, text: str, theme: Theme) -> None:
    ax.text(
        0.0, top + _HEADING * 0.6, text, transform=ax.get_yaxis_transform(), va="center",
        size=font(theme), weight="bold", color=theme.colour("text"),
    )  # fmt: skip


def _row(ax: Axes, y: float, found: AUCInterval, look: Any, theme: Theme) -> Line2D:
    """Draw one interval; a dashed one is not the method's own."""
    (line,) = ax.plot(
        [found.lower, found.upper], [y, y], color=look.colour, lw=stroke(theme, 1.4),
        ls=(0, (1.6, 1)) if found.is_fallback else "-", solid_capstyle="butt", zorder=2,
    )  # fmt: skip
    outline(line, look.outline, stroke(theme, 2.0))
    ax.plot(
        found.auc, y, "o", color=look.colour, mec=look.outline or theme.colour("paper"),
        mew=stroke(theme, 0.5), ms=handle(theme, 0.5), zorder=3, clip_on=False,
    )  # fmt: skip
    if found.is_fallback:
        note = ax.annotate(
            "no variance: Clopper–Pearson",
            ((found.lower + found.upper) / 2, y),
            (0, font(theme, 0.25)),
            textcoords="offset points",
            ha="center",
            va="bottom",
            size=font(theme, 0.8),
            color=theme.colour("muted"),
        )
        halo(note, theme)
    for x, side, away in ((found.lower, "right", -1), (found.upper, "left", 1)):
        reach = handle(theme, 0.36) if x == found.auc else font(theme, 0.45)
        text = ax.annotate(
            rate(x), (x, y), (away * reach, 0), textcoords="offset points", ha=side, va="center",
            size=font(theme, 0.9), color=theme.colour("text"), annotation_clip=False,
        )  # fmt: skip
        halo(text, theme)
    return line


def draw_coverage(
    ax: Axes, rows: Sequence[AUCInterval], coverage: CoverageResult, *, theme: Theme
) -> Axes:
    """Draw simulated coverage on axes to the right, one dot per row that was simulated.

    Parameters
    ----------
    ax : matplotlib Axes
        With the rows of one model; gives up a third of its width.
    rows : sequence of AUCInterval
    coverage : CoverageResult
    theme : Theme

    Returns
    -------
    matplotlib Axes
        The new ones.
    """
    from mpl_toolkits.axes_grid1 import make_axes_locatable

    pad = font(theme, 2.2) / 72
    beside = make_axes_locatable(ax).append_axes("right", size=f"{100 * _BESIDE:g}%", pad=pad)
    style_axes(beside, theme)
    beside.grid(False, axis="y")
    beside.spines["left"].set_visible(False)
    beside.set_ylim(ax.get_ylim())
    beside.set_yticks([])
    at = {method: i for i, method in enumerate(coverage.methods)}
    used = [at[found.method] for found in rows if found.method in at]
    low = min([coverage.confidence, *(coverage.coverage[i] for i in used)])
    meant = coverage.confidence
    # numbers stand on the side of their dot that is away from the line
    room = 0.75 * (1 - low) + 0.02
    crosses = any(coverage.coverage[i] > meant for i in used)
    beside.set_xlim(low - room, 1.0 + room * crosses)
    beside.axvline(meant, color=theme.colour("reference"), lw=stroke(theme, 0.9), ls=":")
    for row, found in enumerate(rows):
        if found.method in at:
            _covered(beside, _ROW * (row + 0.5), coverage, at[found.method], theme)
    beside.set_xticks([meant], [f"{percent(meant)} meant"])
    beside.set_xlabel(
        f"holds the truth, simulated\nwith AUC {rate(coverage.auc)},\n"
        f"{amount(coverage.n_pos)} + {amount(coverage.n_neg)} samples"
    )
    return beside


def _covered(ax: Axes, y: float, coverage: CoverageResult, i: int, theme: Theme) -> None:
    share, error = float(coverage.coverage[i]), float(coverage.standard_error[i])
    ends = np.clip([share - 2 * error, share + 2 * error], 0, 1)
    ink = theme.colour("ranking")
    ax.plot(ends, [y, y], color=ink, lw=stroke(theme, 0.9), solid_capstyle="butt")
    ax.plot(
        share, y, "o", color=ink, ms=handle(theme, 0.42), mec=theme.colour("paper"),
        mew=stroke(theme, 0.5), clip_on=False,
    )  # fmt: skip
    away = 1 if share > coverage.confidence else -1
    text = ax.annotate(
        f"{100 * share:.1f} %",
        (float(ends[int(away > 0)]), y),
        (away * font(theme, 0.6), 0),
        textcoords="offset points",
        ha="left" if away > 0 else "right",
        va="center",
        size=font(theme, 0.9),
        color=theme.colour("text"),
        annotation_clip=False,
    )
    halo(text, theme)
