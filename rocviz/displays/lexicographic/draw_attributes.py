"""Draw attributes as points in ROC space, on the isometrics of their odds ratios.

Takes computed results and draws them; computes no number that is shown.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.lines import Line2D

from rocviz.core.lexicographic.lexicographic import LexicographicOrder
from rocviz.core.roc.isometrics import isometric_through
from rocviz.displays.base.labels import Row, in_the_way, legend, place_near
from rocviz.displays.base.marks import diagonal
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.registry import note
from rocviz.displays.lexicographic.draw_lexicographic import Condition
from rocviz.words import ratio_text, shorten


def draw_attributes(
    pen: Pen, order: LexicographicOrder, words: Sequence[Condition], *, n_named: int
) -> tuple[Line2D, list[Line2D]]:
    """Draw each attribute as a point in square ROC space, the first ones with name and isometric.

    ``words`` are the conditions of the named ones at least. Returns all points, the most important
    first, and the isometric of the odds ratio through each named attribute.
    """
    pen.unit_frame("false positive rate", "true positive rate")
    pen.settle()
    scale = pen.scale
    diagonal(pen, "_odds ratio 1", "chance")
    curves = []
    for depth in range(n_named):
        fpr, tpr = isometric_through("odds_ratio", float(order.fpr[depth]), float(order.tpr[depth]))
        curve = pen.line(
            fpr, tpr, "reference", 0.6, label="_isometric", zorder=2, role="isometric", touch=0.25
        )
        curves.append(curve)
    looks = {"markersize": pen.font(0.35), "label": "_attributes", "zorder": 3}
    points = pen.dots(order.fpr, order.tpr, "muted", 1.0, "muted", 0.5, **looks)
    note(points, "points", touch=0.0)
    named = pen.ax.scatter(
        order.fpr[:n_named],
        order.tpr[:n_named],
        s=pen.font(0.75) ** 2,
        color=pen.colour("ranking"),
        edgecolor=pen.colour("paper"),
        linewidth=pen.stroke(0.4),
        clip_on=False,
        label="_named attributes",
        zorder=3.5,
    )
    note(named, "bubbles", touch=1.0)
    taken = in_the_way(pen.ax)
    rows = []
    for depth, each in enumerate(words[:n_named]):
        where = float(order.fpr[depth]), float(order.tpr[depth])
        number = pen.text(str(depth + 1), "text", 0.9 * scale, bold=True)
        taken, _ = place_near(number, where, taken, reach=(0.6, 0.9, 1.3, 1.8, 2.4))
        _lead(pen, where, number.get_position())
        caption = f"{shorten(each.name, 20)} {shorten(each.preferred, 14)}"
        ratio = ratio_text(float(order.odds_ratio[depth]))
        rows.append(Row(f"{depth + 1}  {caption}: {ratio}", bold=False))
    rows.append(Row("odds ratio, constant along each curve", thing="muted", bold=False))
    above = (order.tpr[:n_named] >= order.fpr[:n_named]).mean() >= 0.5 if n_named else True
    legend(pen, rows, (0.73, 0.25) if above else (0.27, 0.75), taken=taken)
    return points, curves


def _lead(pen: Pen, point: tuple[float, float], number: tuple[float, float]) -> None:
    """Draw a line from a point to its number, unless they are side by side."""
    # the axes run from 0 to 1, so places in the axes are data as well
    way = np.subtract(number, point)
    far = float(np.hypot(*way))
    if far < 0.05:
        return
    ends = np.array([point, point + way * (1 - 0.018 / far)])
    pen.line(ends[:, 0], ends[:, 1], "muted", 0.3, label="_leader", zorder=2.5)
