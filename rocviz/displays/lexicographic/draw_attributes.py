"""Draw attributes as points in ROC space, on the isometrics of their odds ratios.

Takes computed results and draws them; computes no number that is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rocviz.core.roc.isometrics import isometric_through
from rocviz.displays.base.labels import (
    add_text,
    in_the_way,
    place_near,
    place_texts,
    settle,
    type_scale,
)
from rocviz.displays.base.marks import diagonal
from rocviz.displays.base.registry import note
from rocviz.displays.base.style import font, stroke, unit_axes
from rocviz.displays.lexicographic.draw_lexicographic import Condition
from rocviz.words import shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from rocviz.core.lexicographic.lexicographic import LexicographicOrder
    from rocviz.theme import Theme


def draw_attributes(
    ax: Axes, order: LexicographicOrder, words: Sequence[Condition], *, n_named: int, theme: Theme
) -> tuple[Line2D, list[Line2D]]:
    """Draw each attribute as a point in ROC space, the first ones with name and isometric.

    Parameters
    ----------
    ax : matplotlib Axes
        Made square, from 0 to 1.
    order : LexicographicOrder
    words : sequence of Condition
        Of the named attributes at least.
    n_named : int
        How many are named.
    theme : Theme

    Returns
    -------
    points : Line2D
        All attributes, the most important first.
    isometrics : list of Line2D
        Of the odds ratio, through each named attribute.
    """
    unit_axes(ax, theme, "false positive rate", "true positive rate")
    settle(ax)
    scale = type_scale(ax, theme)
    diagonal(ax, theme, "_odds ratio 1", "chance")
    curves = []
    for depth in range(n_named):
        fpr, tpr = isometric_through("odds_ratio", float(order.fpr[depth]), float(order.tpr[depth]))
        (curve,) = ax.plot(
            fpr,
            tpr,
            color=theme.colour("reference"),
            linewidth=stroke(theme, 0.6),
            label="_isometric",
            zorder=2,
        )
        note(curve, "isometric", touch=0.25)
        curves.append(curve)
    (points,) = ax.plot(
        order.fpr,
        order.tpr,
        linestyle="none",
        marker="o",
        markersize=font(theme, 0.35),
        color=theme.colour("muted"),
        clip_on=False,
        label="_attributes",
        zorder=3,
    )
    note(points, "points", touch=0.0)
    named = ax.scatter(
        order.fpr[:n_named],
        order.tpr[:n_named],
        s=font(theme, 0.75) ** 2,
        color=theme.colour("ranking"),
        edgecolor=theme.colour("paper"),
        linewidth=stroke(theme, 0.4),
        clip_on=False,
        label="_named attributes",
        zorder=3.5,
    )
    note(named, "bubbles", touch=1.0)
    taken = in_the_way(ax)
    rows = []
    for depth, each in enumerate(words[:n_named]):
        where = float(order.fpr[depth]), float(order.tpr[depth])
        number = add_text(
            ax,
            str(depth + 1),
            theme,
            fontsize=font(theme, 0.9 * scale),
            fontweight="bold",
            color=theme.colour("text"),
        )
        taken, _ = place_near(ax, number, where, taken, reach=(0.6, 0.9, 1.3, 1.8, 2.4))
        _lead(ax, where, number.get_position(), theme)
        said = f"{shorten(each.name, 20)} {shorten(each.preferred, 14)}"
        ratio = _ratio(float(order.odds_ratio[depth]))
        rows.append(add_text(ax, f"{depth + 1}  {said}: {ratio}", theme))
    rows.append(add_text(ax, "odds ratio, constant along each curve", theme))
    for row in rows:
        row.set(fontsize=font(theme, 0.9 * scale), color=theme.colour("text"))
    rows[-1].set(fontsize=font(theme, 0.8 * scale), color=theme.colour("muted"))
    for text in ax.texts:
        note(text, "label")
    above = (order.tpr[:n_named] >= order.fpr[:n_named]).mean() >= 0.5 if n_named else True
    place_texts(ax, rows, taken, (0.73, 0.25) if above else (0.27, 0.75))
    return points, curves


def _lead(ax: Axes, point: tuple[float, float], number: tuple[float, float], theme: Theme) -> None:
    """Draw a line from a point to its number, unless they are side by side."""
    # the axes run from 0 to 1, so places in the axes are data as well
    way = np.subtract(number, point)
    far = float(np.hypot(*way))
    if far < 0.05:
        return
    ends = np.array([point, point + way * (1 - 0.018 / far)])
    color, width = theme.colour("muted"), stroke(theme, 0.3)
    ax.plot(*ends.T, color=color, linewidth=width, label="_leader", zorder=2.5)


def _ratio(value: float) -> str:
    if np.isinf(value):
        return "∞"
    return f"{value:.2f}" if value < 10 else f"{value:,.{1 if value < 100 else 0}f}"
