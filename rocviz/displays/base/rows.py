"""Pictures of intervals in rows: names on the left, and numbers in a column on the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rocviz.core.base.effort import MAX_SECONDS_OF_PICTURE, check_effort
from rocviz.pictures import (
    ROW_HEIGHT,
    Axis,
    Column,
    Dots,
    Line,
    Mark,
    Picture,
    round_ticks,
    spread,
    words,
)

# Seconds and numbers in memory per row, which matplotlib lays out.
_SECONDS_PER_ROW = 0.05
_NUMBERS_PER_ROW = 19_000


@dataclass(frozen=True)
class IntervalRow:
    """A row: its position from the top, name, estimate with interval, and text.

    ``own`` are properties of matplotlib's line that a user asks for.
    """

    down: float
    name: str
    value: float
    low: float
    high: float
    words: str
    role: str = "ranking"
    dash: str = "solid"
    own: Mapping[str, Any] = field(default_factory=dict)


def check_rows(n_rows: int, **causes: Any) -> None:
    """Raise before a picture of so many rows that nobody would wait for it, or scroll through it.

    ``causes`` are the arguments that cause it, see :func:`.check_effort`.
    """
    check_effort(
        seconds=_SECONDS_PER_ROW * n_rows,
        numbers=_NUMBERS_PER_ROW * n_rows,
        max_seconds=MAX_SECONDS_OF_PICTURE,
        advice="draw fewer of them",
        **causes,
    )


def rows_picture(
    label: str,
    rows: Sequence[IntervalRow],
    height: float,
    *,
    seen: Sequence[float] = (),
    ticks: Any = None,
    headings: Sequence[tuple[float, str]] = (),
    references: Sequence[tuple[float, float, float]] = (),
) -> Picture:
    """Draw intervals below each other.

    Parameters
    ----------
    label : str
        Of the x axis.
    rows : sequence of IntervalRow
    height : float
        Of all rows, counted downwards as they are.
    seen : sequence of float
        More values that are within the axis.
    ticks : mapping or sequence, optional
        Numbers on the axis.
    headings : sequence of (float, str)
        Bold words above rows, and how far down they stand.
    references : sequence of (float, float, float)
        Dotted lines at a value, from how far down to how far.
    """
    lowest = min([*seen, *(row.low for row in rows)], default=0.0)
    highest = max([*seen, *(row.high for row in rows)], default=1.0)
    room = 0.06 * max(highest - lowest, 1e-6)
    if ticks is None:
        ticks = round_ticks(lowest - room, highest + room, 4)
        ticks = [tick for tick in ticks if tick <= highest + room]
    below = [-row.down for row in rows]
    inks = [str(row.own.get("color", row.role)) for row in rows]
    marks: list[Mark] = []
    for k, (value, top, end) in enumerate(references):
        x = (value, value)
        y = (-top, -end)
        marks.append(Line(f"reference:{k}", "reference", x, y, dash="dotted", width=2.0))
    for k, row in enumerate(rows):
        x = (row.low, row.high)
        y = (-row.down, -row.down)
        marks.append(Line(f"row:{k}", row.role, x, y, width=3.5, dash=row.dash, own=row.own))
    titles = [(lowest - room, -down, text, "text") for down, text in headings]
    numbers = []
    for row in rows:
        lines = row.words.split("\n")
        for k, line in enumerate(lines):
            numbers.append((0.0, -row.down - 0.5 * (2 * k - (len(lines) - 1)), line, "text"))
    return Picture(
        Axis(label, lowest - room, highest + room, ticks, pad=0.0),
        Axis("", -height, 0.0, {-row.down: row.name for row in rows}, pad=0.0),
        (
            *marks,
            Dots(
                "values", "text", [row.value for row in rows], below, rim="paper", part_roles=inks
            ),
            words("headings", titles),
            Column("numbers", "text", rows=numbers),
        ),
    )


def names_at_ends(
    ends: tuple[float, float],
    heights: Any,
    names: Sequence[tuple[str, str]],
    limits: tuple[float, float],
    gap: float = ROW_HEIGHT,
) -> list[Mark]:
    """Write the names of curves to the right of them, apart from each other, with leader lines.

    Parameters
    ----------
    ends : (float, float)
        Where the curves and the leader lines end.
    heights : array-like of float
        Of the curves there.
    names : sequence of (str, str)
        Each with the role of its leader line; a muted one is muted itself.
    limits : (float, float)
        Of the y axis.
    gap : float
        Least distance of the names, as a share of the height.
    """
    low, high = limits
    places = spread(np.array(heights), gap * (high - low), low, high)
    x = np.tile(ends, (len(places), 1))
    y = np.column_stack((heights, places))
    rows = []
    for place, (name, role) in zip(places.tolist(), names, strict=True):
        rows.append((0.0, place, name, "muted" if role == "muted" else "text"))
    leaders = Line("ends", "muted", x, y, part_roles=[role for _, role in names], width=1.2)
    return [leaders, Column("names", "text", rows=rows)]
