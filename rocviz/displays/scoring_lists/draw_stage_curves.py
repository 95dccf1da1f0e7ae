"""Draw how good a scoring list is after each question: entropy, Brier score, AUC, loss.

Takes scores of stages and draws them; computes no number that is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from rocviz.core.base.validation import Floats
from rocviz.displays.base.figure import figure_scale, panels
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.style import outline
from rocviz.pictures.ticks import spread
from rocviz.theme import Theme

#: What can be drawn, and its heading; lower is better for all but the AUC.
MEASURES = {
    "entropy": "Expected entropy (bits)",
    "brier": "Brier score",
    "auc": "AUC",
    "loss": "Loss per case (a miss costs {cost_fn:g})",
    "width": "Width of the {confidence:g} % interval",
}


@dataclass(frozen=True)
class Panel:
    """One measure of all stages."""

    heading: str
    values: dict[str, Floats]  # (n_stages + 1,): on each data; NaN where there is no such thing


def new_panels(n: int, theme: Theme) -> list[Axes]:
    """Make ``n`` axes on a new pyplot figure, two in a row."""
    scale, rows = figure_scale(theme), -(-n // 2)
    names = "ABCDE"[:n]
    mosaic = ";".join(f"{names[2 * row :]:.2}".ljust(min(n, 2), ".") for row in range(rows))
    width, height = 5.2 * min(n, 2) * scale, (3.4 * rows + 0.4) * scale
    return panels(
        theme, mosaic, width, height, left=4.0, right=3.4, top=2.8, wspace=0.36, hspace=0.42
    )


def draw_stage_curves(
    pens: Sequence[Pen], panels: Sequence[Panel], *, stage: int | None = None
) -> dict[str, list[Line2D]]:
    """Draw what becomes of measures from stage to stage, a pen and panel for each.

    ``stage`` is marked in every panel. Returns by name one line per panel that has its values.
    """
    names = list(dict.fromkeys(name for panel in panels for name in panel.values))
    made: dict[str, list[Line2D]] = {name: [] for name in names}
    for pen, panel in zip(pens, panels, strict=True):
        ax = pen.ax
        pen.frame()
        pen.title(panel.heading)
        lines = {
            name: _curve(pen, values, names.index(name)) for name, values in panel.values.items()
        }
        for name, line in lines.items():
            made[name].append(line)
        every = np.concatenate(list(panel.values.values()))
        last = every.size // len(lines) - 1
        ax.set_xlim(-0.02 * max(last, 1), 1.02 * max(last, 1))
        places = MaxNLocator(8, integer=True).tick_values(0, max(last, 1))
        ax.set_xticks([k for k in places if 0 <= k <= last])
        every = every[np.isfinite(every)]
        low, high = (every.min(), every.max()) if every.size else (0.0, 1.0)
        room = 0.12 * max(high - low, 0.02)
        ax.set_ylim(low - room, high + 1.6 * room)
        ends = ax.get_ylim()
        ax.set_yticks([y for y in MaxNLocator(4).tick_values(*ends) if ends[0] <= y <= ends[1]])
        if stage is not None:
            _mark(pen, stage, last)
        if len(names) > 1:
            _label_ends(pen, list(lines), list(lines.values()))
    for pen in pens[-2:]:
        pen.ax.set_xlabel("questions asked")
    return made


def _curve(pen: Pen, values: Any, i: int) -> Line2D:
    look = pen.look(i)
    line = pen.line(
        np.arange(values.size),
        values,
        look.colour,
        1.0,
        look.dash,
        marker="o",
        markersize=pen.handle(0.34),
        markeredgecolor=look.outline or look.colour,
        clip_on=False,
        zorder=4 - 0.1 * i,
        label="_stages",
    )
    outline(line, look.outline, pen.stroke(1.6))
    return line


def _mark(pen: Pen, stage: int, size: int) -> None:
    looks = {"role": "stage", "label": "_stage", "zorder": 2}
    pen.line([stage] * 2, [0, 1], "held", 0.9, transform=pen.ax.get_xaxis_transform(), **looks)
    side = 1 if stage <= size / 2 else -1
    looks = {"xycoords": pen.ax.get_xaxis_transform(), "ha": "left" if side > 0 else "right"}
    words, shift = f"stage {stage}", (side * pen.font(0.35), 0)
    pen.beside(words, (stage, 1), shift, "held-text", 0.85, bold=True, va="top", **looks)


def _label_ends(pen: Pen, names: Sequence[str], lines: Sequence[Line2D]) -> None:
    """Write whose each line is behind its end."""
    pen.settle()
    size = int(lines[0].get_xdata()[-1])
    box, em = pen.ax.get_window_extent(), 0.95 * pen.em
    ends = np.array([float(line.get_ydata()[-1]) for line in lines])
    # where only one class occurs there is no AUC, and no end to write at
    order = [int(i) for i in np.argsort(ends) if np.isfinite(ends[i])]
    if not order:
        return
    pixel = pen.ax.transData.transform([(size, ends[i]) for i in order])
    places = spread(pixel[:, 1], 1.25 * em, box.y0, box.y1)
    back = pen.ax.transData.inverted()
    for i, place in zip(order, places, strict=True):
        looks = {"xycoords": pen.ax.get_yaxis_transform(), "annotation_clip": False}
        at, shift = (1, float(back.transform((0, place))[1])), (pen.font(0.6), 0)
        pen.beside(names[i], at, shift, "text", 0.95, **looks)
