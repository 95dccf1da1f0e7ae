"""Draw the Brier score taken apart, as stacked bars."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np
from matplotlib.patches import Rectangle

from rocviz.core.calibration.brier import BrierDecomposition
from rocviz.displays.base.pen import Pen
from rocviz.words import number

# heights in lines of text
_HEADER, _BAR, _GAP, _NAME, _BRACKET, _NOTE = 1.5, 1.5, 0.9, 1.7, 2.0, 1.25

UNIQUE = (
    "Nearly every score occurs once, so a “segment” is a single sample: the split per score calls "
    "all of it calibration loss. Read the one against the hull."
)


class _Row(NamedTuple):
    """A bar: its heading, and term, words, value and colour of each of its pieces."""

    model: Any
    heading: str
    parts: tuple[tuple[str, str, float, str], ...]
    name: str | None = None  # a heading of its own; only a gap where it is empty
    brackets: tuple[tuple[str, float], ...] = ()  # gains that end where the bar ends

    @property
    def height(self) -> float:
        """Return the height in lines of text, without that of the name."""
        return _HEADER + _BAR + _GAP + _BRACKET * len(self.brackets)


def _rows(
    named: Mapping[str | None, BrierDecomposition], prevalence: Mapping[str | None, float]
) -> list[_Row]:
    """Return the bars from top to bottom; the last is shared where the data are the same."""
    rows = []
    same = len({round(one.uncertainty, 12) for one in named.values()}) == 1
    several = len(named) > 1
    for i, (name, one) in enumerate(named.items()):
        leaves = one.brier - one.miscalibration
        losses = (
            ("calibration_loss", "calibration", one.calibration_loss, "held"),
            ("refinement_loss", "refinement", one.refinement_loss, "negative"),
        )
        parts = (
            ("miscalibration", "miscalibration", one.miscalibration, "held"),
            ("hull", "hull leaves", leaves, "hull"),
        )
        heading = f"{name}: {number(one.brier)}" if several else None
        rows.append(_Row(name, "per score", losses, heading))
        rows.append(_Row(name, "against the hull", parts))
        if not same or i == len(named) - 1:
            always = f"always say {number(prevalence[name], 2)}:"
            last = (("uncertainty", always, one.uncertainty, "reference"),)
            gains = (("resolution", one.refinement_loss), ("discrimination", leaves))
            gap = "" if several and same else None
            about = "knowing only the prevalence"
            rows.append(_Row(name, about, last, gap, () if several else gains))
    return rows


def _height(rows: list[_Row], lines_of_note: int) -> float:
    """Return the height of all rows in lines of text."""
    names = sum(_NAME if row.name else _GAP for row in rows if row.name is not None)
    note = _NOTE * (lines_of_note + 0.6) if lines_of_note else 0.0
    return sum(row.height for row in rows) + names + note


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
    scale = float(np.clip(wide / pen.font() / 28, 0.65, 1.0))
    for _ in range(2):  # a smaller type may need fewer lines for the note
        note = fill(UNIQUE, max(int(wide / pen.font(0.52 * scale)), 20)) if unique else ""
        lines = _height(rows, len(note.splitlines()))
        scale = min(scale, high / (lines * pen.font()))
    right = max(sum(part[2] for part in row.parts) for row in rows)
    pen.ax.set(xlim=(0, right), ylim=(high / pen.font(scale), 0))
    made: dict[Any, dict[str, Rectangle]] = {name: {} for name in named}
    y = 0.0
    for row in rows:
        if row.name is not None:
            _write(pen, row.name, 0, y + _NAME / 2, scale, bold=True)
            y += _NAME if row.name else _GAP
        made[row.model] |= _draw_row(pen, row, y, scale)
        for k, (words, start) in enumerate(row.brackets):
            bottom = y + _HEADER + _BAR + _BRACKET * (k + 0.85)
            _bracket(pen, words, start, row.parts[0][2], bottom, scale)
        y += row.height
    _write(pen, note, 0, y, 0.88 * scale, "muted", va="top", linespacing=1.3)
    return made


def _write(
    pen: Pen, words: str, x: float, y: float, scale: float, thing: str = "text", **looks: Any
) -> Any:
    looks = {"transform": pen.ax.transData, "va": "center", "path_effects": [], **looks}
    return pen.text(words, thing, scale, x=x, y=y, **looks)


def _draw_row(pen: Pen, row: _Row, y: float, scale: float) -> dict[str, Rectangle]:
    """Draw a bar below its heading, which says in its colours what its pieces are."""
    beside = _write(pen, row.heading, 0, y + _HEADER / 2, scale)
    made, left = {}, 0.0
    for term, words, value, thing in row.parts:
        looks = {"edgecolor": pen.colour("paper"), "linewidth": pen.stroke(0.6)}
        looks |= {"left": left, "color": pen.tint(thing, 0.8), "label": f"_{term}"}
        (made[term],) = pen.ax.barh(y + _HEADER + _BAR / 2, value, _BAR, **looks)
        left += value
        ink = "muted" if thing == "reference" else f"{thing}-text"
        looks = {"xycoords": beside, "path_effects": [], "bold": True}
        shift = (0.9 * pen.font(scale), 0)
        beside = pen.beside(f"{words} {number(value)}", (1, 0.5), shift, ink, scale, **looks)
    return made


def _bracket(pen: Pen, words: str, start: float, end: float, y: float, scale: float) -> None:
    """Draw from where to where a gain reaches, with its name above."""
    looks = {"marker": "|", "markersize": pen.font(0.6 * scale), "clip_on": False}
    pen.line([start, end], [y, y], "muted", 0.5, label=f"_{words}", **looks)
    low, high = sorted((start, end))
    is_right = high > pen.ax.get_xlim()[1] / 2
    x, side = (high, "right") if is_right else (low, "left")
    words = f"{words} {number(end - start)}"
    _write(pen, words, x, y - 0.75, 0.9 * scale, "muted", ha=side)
