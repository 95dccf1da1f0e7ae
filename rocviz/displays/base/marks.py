"""Marks that the displays of several ideas have: the diagonal, means, rows of intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from matplotlib.ticker import MaxNLocator

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


class IntervalRow(NamedTuple):
    """A row: where it stands, its name, an estimate with the ends of its interval, and words."""

    y: float
    name: str
    value: float
    low: float
    high: float
    words: str
    look: Any  # of a model, or a thing of the colour table
    dash: Any = "-"


def interval_rows(
    pen: Pen, rows: Sequence[IntervalRow], height: float, seen: Sequence[float] = ()
) -> list[Line2D]:
    """Draw intervals below each other, their names on the left and words in a column on the right.

    Of axes that are ``height`` high, with all values to be ``seen``. Returns the intervals.
    """
    ax, made = pen.ax, []
    pen.row_frame()
    for row in rows:
        is_thing = isinstance(row.look, str)
        thing, rim = (row.look, None) if is_thing else (row.look.colour, row.look.outline)
        looks = {"solid_capstyle": "butt", "zorder": 2}
        line = pen.line([row.low, row.high], [row.y, row.y], thing, 1.4, row.dash, **looks)
        outline(line, rim, pen.stroke(2.0))
        if not is_thing:
            line.set(**row.look.own)
        pen.dots([row.value], [row.y], line.get_color(), 0.5, rim or "paper", zorder=3)
        made.append(line)
    ax.set_yticks([row.y for row in rows], [row.name for row in rows], parse_math=False)
    ax.tick_params(axis="y", labelcolor=pen.colour("text"))
    least = min([*seen, *(row.low for row in rows)])
    most = max([*seen, *(row.high for row in rows)])
    room = 0.06 * max(most - least, 1e-6)
    ax.set_ylim(height, 0)
    column(pen, [row.y for row in rows], [row.words for row in rows], least - room, most + room)
    ticks = MaxNLocator(nbins=4, steps=[1, 2, 5, 10]).tick_values(least, most)
    ax.set_xticks([x for x in ticks if least - room <= x <= most + room])
    return made


def column(
    pen: Pen, at: Sequence[float], words: Sequence[str], low: float, high: float, scale: float = 0.9
) -> None:
    """Write words in a column of their own, right of what lies between two ends of the x axis."""
    looks = {"transform": pen.ax.get_yaxis_transform(), "va": "center"}
    texts = [pen.text(one, scale=scale, y=y, **looks) for y, one in zip(at, words, strict=True)]
    pen.settle()
    wide = pen.ax.get_window_extent().width
    most = max((text.get_window_extent().width for text in texts), default=0.0)
    share = min((most + 1.2 * pen.em) / wide, 0.65)
    pen.ax.set_xlim(low, low + (high - low) / (1 - share))
    for text in texts:
        text.set_x(1 - share + pen.em / wide)
