"""Marks that the pictures of several ideas have: the diagonal, and means with their errors.

Knows artists and the theme; nothing of what they show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rocviz.displays.base.registry import note
from rocviz.displays.base.style import handle, outline, stroke

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from rocviz.theme import Theme


def diagonal(
    ax: Axes, theme: Theme, label: str, role: str, *, width: float = 0.6, touch: float = 0.01
) -> Line2D:
    """Draw the dotted diagonal of square axes from 0 to 1, and note what it stands for."""
    looks = {"color": theme.colour("reference"), "linewidth": stroke(theme, width)}
    (line,) = ax.plot([0, 1], [0, 1], linestyle=(0, (1, 3)), label=label, zorder=1.5, **looks)
    note(line, role, touch=touch)
    return line


def means(
    ax: Axes,
    x: Any,
    mean: Any,
    error: Any,
    theme: Theme,
    look: tuple[str, Any, str, bool],
    **looks: Any,
) -> Line2D:
    """Draw a method's means as dots on a line, each with its error either way.

    Parameters
    ----------
    ax : matplotlib Axes
    x, mean, error : array-like
        Of the same length.
    theme : Theme
    look : tuple
        Thing of the colour table, dash, marker, and whether the line has an edge.
    **looks
        As for :meth:`matplotlib.axes.Axes.plot`.
    """
    thing, dash, marker, outlined = look
    colour = theme.colour(thing)
    edge = theme.colour("text") if outlined else None
    ax.vlines(x, mean - error, mean + error, color=edge or colour, linewidth=stroke(theme))
    shared = {"color": colour, "linestyle": dash, "linewidth": stroke(theme), "marker": marker}
    points = {"markersize": handle(theme, 0.4), "markeredgecolor": edge or colour}
    (line,) = ax.plot(x, mean, clip_on=False, zorder=3, **{**shared, **points, **looks})
    outline(line, edge, stroke(theme, 1.6))
    return line
