"""Draw the Brier score taken apart, as stacked bars on given matplotlib axes.

Takes decompositions and draws them; computes no number that is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from rocviz.core.calibration.brier import BrierDecomposition
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.style import ink_on
from rocviz.words import number

# heights in lines of text
_HEADER, _BAR, _GAP, _NAME, _BRACKET, _NOTE = 1.35, 1.9, 0.85, 1.7, 1.5, 1.25

STRENGTH = 0.8  # of the colour of a bar; ink on it is legible in both themes

UNIQUE = (
    "Nearly every score occurs once, so a “segment” is a single sample: the split per score calls "
    "all of it calibration loss. Read the one against the hull."
)


@dataclass(frozen=True)
class _Part:
    """A piece of a bar."""

    term: str
    words: str
    value: float
    thing: str
    short: str = ""


@dataclass(frozen=True)
class _Row:
    """A bar with its heading."""

    heading: str
    parts: tuple[_Part, ...]
    name: str | None = None
    brackets: tuple[tuple[str, float, float], ...] = field(default=())


def _rows(
    named: Mapping[str | None, BrierDecomposition], prevalence: Mapping[str | None, float]
) -> list[_Row]:
    """Return the bars from top to bottom; the last is shared where the data are the same."""
    rows = []
    same = len({round(one.uncertainty, 12) for one in named.values()}) == 1
    several = len(named) > 1
    for i, (name, one) in enumerate(named.items()):
        leaves = one.brier - one.miscalibration
        rows.append(
            _Row(
                "per score, as predicted",
                (
                    _Part("calibration_loss", "calibration", one.calibration_loss, "held"),
                    _Part("refinement_loss", "refinement", one.refinement_loss, "negative"),
                ),
                f"{name}: {number(one.brier)}" if several else None,
            )
        )
        rows.append(
            _Row(
                "against the convex hull",
                (
                    _Part("miscalibration", "miscalibration", one.miscalibration, "held"),
                    _Part("hull", "what the hull leaves", leaves, "hull", "hull leaves"),
                ),
            )
        )
        if not same or i == len(named) - 1:
            caption = f"always say {number(prevalence[name], 2)}:"
            brackets: tuple[tuple[str, float, float], ...] = ()
            if not several:
                brackets = (
                    ("resolution", one.refinement_loss, one.uncertainty),
                    ("discrimination", leaves, one.uncertainty),
                )
            rows.append(
                _Row(
                    "knowing only the prevalence",
                    (_Part("uncertainty", caption, one.uncertainty, "reference"),),
                    "" if several and same else None,
                    brackets,
                )
            )
    return rows


def _height(rows: list[_Row], lines_of_note: int) -> float:
    """Return the height of all rows in lines of text."""
    height = _NOTE * (lines_of_note + 0.6) if lines_of_note else 0.0
    for row in rows:
        height += _HEADER + _BAR + _GAP + _BRACKET * len(row.brackets)
        if row.name is not None:
            height += _NAME if row.name else _GAP
    return height


def brier_height(n_models: int, unique: bool) -> float:
    """Return the height that bars of so many models (on the same data) need, in lines of text."""
    each, note = _HEADER + _BAR + _GAP, 4 * _NOTE * unique
    if n_models == 1:
        return 3 * each + 2 * _BRACKET + note
    return n_models * (2 * each + _NAME) + each + _GAP + note


def draw_brier(
    pen: Pen,
    named: Mapping[Any, BrierDecomposition],
    *,
    prevalence: Mapping[Any, float],
    unique: bool = False,
) -> dict[Any, dict[str, Rectangle]]:
    """Draw each model's Brier score as bars: per score, against the hull, without any scores.

    ``prevalence`` of a model is what to say always when only that is known; ``unique`` adds the
    note that the split per score says nothing when every score is unique. Returns the bars per
    model (``None`` for one without name) and per term: ``calibration_loss``, ``refinement_loss``,
    ``miscalibration``, ``hull``, ``uncertainty``. One that models share is listed under the last.
    """
    rows = _rows(named, prevalence)
    pen.ax.figure.set_facecolor(pen.colour("paper"))
    pen.ax.set_axis_off()
    pen.settle()
    wide, high = pen.size
    scale = float(np.clip(wide / pen.font() / 26, 0.7, 1.0))
    for _ in range(2):  # a smaller type may need fewer lines for the note
        note = fill(UNIQUE, max(int(wide / pen.font(0.52 * scale)), 20)) if unique else ""
        lines = _height(rows, len(note.splitlines()))
        scale = min(scale, high / (lines * pen.font()))
    pen.ax.set(
        xlim=(0, max(sum(part.value for part in row.parts) for row in rows)),
        ylim=(high / pen.font(scale), 0),
    )
    return _draw_rows(pen, list(named), rows, note, scale)


def _draw_rows(
    pen: Pen, names: list[Any], rows: list[_Row], note: str, scale: float
) -> dict[Any, dict[str, Rectangle]]:
    made: dict[Any, dict[str, Rectangle]] = {name: {} for name in names}
    y, model = 0.0, -1
    ordinary: dict[str, Any] = {"fontsize": pen.font(scale), "color": pen.colour("text")}
    ordinary |= {"va": "center", "parse_math": False}
    for row in rows:
        model += row.parts[0].term == "calibration_loss"
        if row.name:
            pen.ax.text(0, y + _NAME / 2, row.name, fontweight="bold", **ordinary)
        if row.name is not None:
            y += _NAME if row.name else _GAP
        heading = pen.ax.text(0, y + _HEADER / 2, row.heading, **ordinary)
        y += _HEADER
        left, beside = 0.0, heading
        for part in row.parts:
            last = part is row.parts[-1]
            bar, beside = _bar(pen, left, y, part, last, beside, scale)
            made[names[model]][part.term] = bar
            left += part.value
        y += _BAR
        for words, start, end in row.brackets:
            _bracket(pen, words, start, end, y + _BRACKET / 2, scale)
            y += _BRACKET
        y += _GAP
    if note:
        small = {**ordinary, "fontsize": pen.font(0.88 * scale), "va": "top"}
        small["color"] = pen.colour("muted")
        pen.ax.text(0, y, note, linespacing=1.3, **small)
    return made


def _bar(
    pen: Pen, left: float, y: float, part: _Part, last: bool, beside: Text, scale: float
) -> tuple[Rectangle, Text]:
    """Draw a piece of a bar; its words stand in it, else behind the last piece, else above.

    ``beside`` is the text above that words may follow; the new last one is returned.
    """
    fill_colour = pen.tint(part.thing, STRENGTH)
    (bar,) = pen.ax.barh(
        y + _BAR / 2,
        part.value,
        _BAR,
        left=left,
        color=fill_colour,
        edgecolor=pen.colour("paper"),
        linewidth=pen.stroke(0.6),
        label=f"_{part.term}",
    )
    em = scale * pen.em
    text = pen.beside(
        f"{part.words} {number(part.value)}",
        (left, y + _BAR / 2),
        (0.5 * pen.font(scale), 0),
        ink_on(fill_colour),
        scale,
        bold=True,
        path_effects=[],
    )
    room = abs(
        float(np.diff(pen.ax.transData.transform([(left, 0), (left + part.value, 0)])[:, 0])[0])
    )
    if part.short and text.get_window_extent().width + em > room:
        text.set_text(f"{part.short} {number(part.value)}")
    if text.get_window_extent().width + em <= room:
        return bar, beside
    thing = f"{part.thing}-text" if part.thing != "reference" else "muted"
    text.set_color(pen.colour(thing))
    end = pen.ax.transData.transform((left + part.value, 0))[0]
    if last and end + text.get_window_extent().width + em <= pen.ax.get_window_extent().x1:
        text.xy = (left + part.value, y + _BAR / 2)
        return bar, beside
    text.remove()
    text = pen.beside(
        text.get_text(),
        (1, 0.5),
        (0.9 * pen.font(scale), 0),
        thing,
        scale,
        bold=True,
        xycoords=beside,
        path_effects=[],
    )
    return bar, text


def _bracket(pen: Pen, words: str, start: float, end: float, y: float, scale: float) -> None:
    """Draw from where to where a gain reaches, with its name before or behind it."""
    looks = {"marker": "|", "markersize": pen.font(0.6 * scale), "clip_on": False}
    pen.line([start, end], [y, y], "muted", 0.5, label=f"_{words}", **looks)
    words = f"{words} {number(end - start)}"
    gap = pen.font(0.5 * scale)
    right = pen.ax.get_xlim()[1]
    for x, shift, ha in (
        (start, -gap, "right"),
        (end, gap, "left"),
        ((start + end) / 2, 0, "center"),
    ):
        looks = {"ha": ha, "path_effects": []}
        text = pen.beside(words, (x, y), (shift, 0), "muted", 0.9 * scale, **looks)
        box = text.get_window_extent()
        (x0, _), (x1, _) = pen.ax.transData.inverted().transform([(box.x0, y), (box.x1, y)])
        if ha == "center" or (x0 >= 0 and x1 <= right):
            break
        text.remove()
    if ha == "center":
        text.set_bbox({"facecolor": pen.colour("paper"), "edgecolor": "none", "pad": gap / 2})
