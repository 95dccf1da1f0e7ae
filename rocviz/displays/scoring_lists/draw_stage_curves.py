"""Draw how good a scoring list is after each question: entropy, Brier score, AUC, loss.

Takes scores of stages and draws them; computes no number that is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from rocviz.displays.base.figure import figure_scale, panels
from rocviz.displays.base.labels import settle
from rocviz.displays.base.line_ends import spread
from rocviz.displays.base.registry import note
from rocviz.displays.base.style import (
    font,
    halo,
    handle,
    model_look,
    outline,
    resolve_theme,
    stroke,
    style_axes,
    title,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from rocviz.core.base.validation import Floats
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
    """One measure of all stages.

    Parameters
    ----------
    heading : str
    values : dict of name to ndarray, shape (n_stages + 1,)
        On each data; NaN where there is no such thing.
    """

    heading: str
    values: dict[str, Floats]


def new_panels(n: int, theme: Theme) -> list[Axes]:
    """Return ``n`` axes of a new pyplot figure, two in a row."""
    scale, rows = figure_scale(theme), -(-n // 2)
    names = "ABCDE"[:n]
    mosaic = ";".join(f"{names[2 * row :]:.2}".ljust(min(n, 2), ".") for row in range(rows))
    width, height = 5.2 * min(n, 2) * scale, (3.4 * rows + 0.4) * scale
    return panels(
        theme, mosaic, width, height, left=4.0, right=3.4, top=2.8, wspace=0.36, hspace=0.42
    )


def draw_stage_curves(
    axes: Sequence[Axes],
    panels: Sequence[Panel],
    *,
    stage: int | None = None,
    theme: Theme | str | None = None,
) -> dict[str, list[Line2D]]:
    """Draw what becomes of measures from stage to stage, a panel for each.

    Parameters
    ----------
    axes : sequence of matplotlib Axes
        One per panel.
    panels : sequence of Panel
    stage : int, optional
        Marked in every panel.
    theme : Theme or {"light", "dark", "lecture"}, optional

    Returns
    -------
    dict of name to list of Line2D
        One line per panel that has values of that name.
    """
    theme = resolve_theme(theme)
    names = list(dict.fromkeys(name for panel in panels for name in panel.values))
    made: dict[str, list[Line2D]] = {name: [] for name in names}
    for ax, panel in zip(axes, panels, strict=True):
        style_axes(ax, theme)
        title(ax, panel.heading, theme)
        lines = {
            name: _curve(ax, values, names.index(name), theme)
            for name, values in panel.values.items()
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
            _mark(ax, stage, last, theme)
        if len(names) > 1:
            _label_ends(ax, list(lines), list(lines.values()), theme)
    for ax in axes[-2:]:
        ax.set_xlabel("questions asked")
    return made


def _curve(ax: Axes, values: Any, i: int, theme: Theme) -> Line2D:
    look = model_look(i, theme)
    (line,) = ax.plot(
        np.arange(values.size),
        values,
        color=look.colour,
        linestyle=look.dash,
        linewidth=stroke(theme),
        marker="o",
        markersize=handle(theme, 0.34),
        markeredgecolor=look.outline or look.colour,
        clip_on=False,
        zorder=4 - 0.1 * i,
        label="_stages",
    )
    outline(line, look.outline, stroke(theme, 1.6))
    return line


def _mark(ax: Axes, stage: int, size: int, theme: Theme) -> None:
    line = ax.axvline(
        stage, color=theme.colour("held"), linewidth=stroke(theme, 0.9), zorder=2, label="_stage"
    )
    note(line, "stage", touch=0.3)
    right = stage <= size / 2
    text = ax.annotate(
        f"stage {stage}", (stage, 1), (font(theme, 0.35) * (1 if right else -1), 0),
        xycoords=ax.get_xaxis_transform(), textcoords="offset points",
        ha="left" if right else "right", va="top", color=theme.colour("held-text"),
        fontsize=font(theme, 0.85), fontweight="bold", zorder=8,
    )  # fmt: skip
    halo(text, theme)
    note(text, "label")


def _label_ends(ax: Axes, names: Sequence[str], lines: Sequence[Line2D], theme: Theme) -> None:
    """Write whose each line is behind its end."""
    settle(ax)
    size = int(lines[0].get_xdata()[-1])
    box, em = ax.get_window_extent(), font(theme, 0.95) * ax.figure.dpi / 72
    ends = np.array([float(line.get_ydata()[-1]) for line in lines])
    # where only one class occurs there is no AUC, and no end to write at
    order = [int(i) for i in np.argsort(ends) if np.isfinite(ends[i])]
    if not order:
        return
    pixel = ax.transData.transform([(size, ends[i]) for i in order])
    places = spread(pixel[:, 1], 1.25 * em, (box.y0, box.y1))
    back = ax.transData.inverted()
    for i, place in zip(order, places, strict=True):
        text = ax.annotate(
            names[i], (1, float(back.transform((0, place))[1])), (font(theme, 0.6), 0),
            xycoords=ax.get_yaxis_transform(), textcoords="offset points", va="center",
            color=theme.colour("text"), fontsize=font(theme, 0.95), annotation_clip=False,
        )  # fmt: skip
        note(text, "label")
