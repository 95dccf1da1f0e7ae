"""Marks that the pictures of several ideas have: the diagonal, means with their errors, counts.

Knows artists and the theme; nothing of what they show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocviz.displays.base.style import outline

if TYPE_CHECKING:
    from matplotlib.lines import Line2D

    from rocviz.displays.base.pen import Pen


def diagonal(pen: Pen, label: str, role: str, *, width: float = 0.6, touch: float = 0.01) -> Line2D:
    """Draw the dotted diagonal of square axes from 0 to 1, and note what it stands for."""
    looks = {"label": label, "role": role, "touch": touch, "zorder": 1.5}
    return pen.line([0, 1], [0, 1], "reference", width, (0, (1, 3)), **looks)


def means(
    pen: Pen, x: Any, mean: Any, error: Any, look: tuple[str, Any, str, bool], **looks: Any
) -> Line2D:
    """Draw a method's means as dots on a line, each with its error either way.

    ``look`` is the thing of the colour table, dash, marker, and whether the line has an edge.
    """
    thing, dash, marker, outlined = look
    edge = pen.colour("text") if outlined else None
    rim = edge or pen.colour(thing)
    pen.ax.vlines(x, mean - error, mean + error, color=rim, linewidth=pen.stroke())
    points = {"marker": marker, "markersize": pen.handle(0.4), "markeredgecolor": rim}
    line = pen.line(x, mean, thing, 1.0, dash, clip_on=False, zorder=3, **{**points, **looks})
    outline(line, edge, pen.stroke(1.6))
    return line
