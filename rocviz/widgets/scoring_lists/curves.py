"""All stages of a scoring list, drawn with bqplot: the case's way, or how good the list is.

Draws; computes nothing. What is dragged is handed to the callback it was given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import ipywidgets
import numpy as np
from matplotlib.ticker import MaxNLocator

from rocviz.theme import get_theme
from rocviz.widgets.base.parts import Handle, control, figure, line, put
from rocviz.widgets.scoring_lists.view import Words, dots, draw_zones, show, whole_ticks, zones
from rocviz.widgets.scoring_lists.words import QUANTITY_NAMES
from rocviz.words import number

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocviz.widgets.scoring_lists.result import ScoringListResult
    from rocviz.widgets.scoring_lists.state import ScoringListState

__all__ = ["CurvesPanel", "curve_rows"]

TICKS = MaxNLocator(6, steps=[1, 2, 2.5, 5, 10])

Row = tuple[str, np.ndarray, str, str]


def curve_rows(state: ScoringListState) -> list[Row]:
    """Return the curves there are: whose, values by stage, words, and what these are coloured as.

    "learned" is how the list came, where its points have been changed.
    """
    result, rows = state.result, []
    for side, thing, words in (
        ("train", "ranking", "its own samples"),
        ("test", "negative-text", "held-out samples"),
    ):
        curve = result.judged.curve(side, state.quantity)
        then = result.judged_learned.curve(side, state.quantity)
        if curve is not None:
            rows.append((side, curve, f"{words} {number(float(curve[state.stage]))}", thing))
        if result.is_edited and then is not None:
            value = number(float(then[state.stage]))
            rows.append(("learned", then, f"as learned {value}", "muted"))
    return rows


class CurvesPanel:
    """From stage to stage: the case's probability, or how good the list is."""

    def __init__(self, on_stage: Callable[[float], None], *under: ipywidgets.Widget) -> None:
        fig = self.figure = figure("questions asked", "", x_ticks=[0, 1])
        self.zones = zones(fig)
        self.held = line(fig, "held", stroke_width=1.8)
        self.reached = dots(fig, "hull", fill="hull-soft", default_size=60, stroke_width=0.5)
        self.intervals = line(fig, "hull", opacities=[0.35], stroke_width=9.0)
        self.came = line(fig, "reference", line_style="dotted", stroke_width=2.0)
        self.came_test = line(fig, "reference", line_style="dotted", stroke_width=2.0)
        self.train = line(fig, "ranking")
        self.test = line(fig, "second", line_style="dashed")
        self.dots = dots(fig, "text", default_size=120)
        self.words = Words(fig, "end")
        self.handle = Handle(fig, lambda x, _y: on_stage(x), restrict_x=True)
        fig.marks = [
            *self.zones.values(),
            self.held,
            self.came,
            self.came_test,
            self.reached,
            self.intervals,
            self.train,
            self.test,
            self.dots,
            self.words.mark,
            *self.handle.marks,
        ]
        self.heading = ipywidgets.HTML()
        self.note = control(ipywidgets.HTML(), "muted")
        below = ipywidgets.Box([*under, self.note])
        self.under = control(below, "rocviz-chips", "rocviz-under")
        self.box = control(ipywidgets.VBox([self.heading, fig, self.under]), "rocviz-panel")

    def draw(self, state: ScoringListState, result: ScoringListResult) -> None:
        """Show a result."""
        size = len(result.scoring_list)
        x = self.figure.scale_x
        left, right = -0.04 * size, 1.04 * size
        if (x.min, x.max) != (left, right):
            x.min, x.max = left, right
            self.figure.axes[0].tick_values = whole_ticks(0, size, 12)
        of_case = state.quantity == "probability"
        for mark in (*self.zones.values(), self.reached, self.dots):
            show(mark, of_case)
        low, high = (self._path if of_case else self._curves)(state, result)
        y = self.figure.scale_y
        if (y.min, y.max) != (low, high):
            y.min, y.max = low, high
            ticks = TICKS.tick_values(low, high).round(9)
            self.figure.axes[1].tick_values = ticks[(ticks >= low) & (ticks <= high)]
        axis = {"probability": "probability of a positive", "entropy": "entropy (bits)"}
        name = axis.get(state.quantity, QUANTITY_NAMES[state.quantity])
        if self.figure.axes[1].label != name:
            self.figure.axes[1].label = name
        put(self.held, x=np.full(2, float(state.stage)), y=np.array([low, high]))
        self.handle.place(state.stage, low + 0.055 * (high - low))

    def _path(self, state: ScoringListState, result: ScoringListResult) -> tuple[float, float]:
        """Draw every probability the list can give, and the case's way through them."""
        x = self.figure.scale_x
        draw_zones(self.zones, state, x.min, x.max)
        stages, way = result.scoring_list.stages, result.walk
        # dots less than a third of a per cent apart are one
        levels = [np.unique((300 * stage.probability).round()) / 300 for stage in stages]
        put(
            self.reached,
            x=np.repeat(np.arange(float(len(levels))), [level.size for level in levels]),
            y=np.concatenate(levels),
        )
        at = np.arange(way.stage + 1.0)
        put(self.train, x=at, y=way.probability)
        put(self.dots, x=at, y=way.probability)
        sure = result.bands is not None
        if sure:
            put(
                self.intervals,
                x=np.column_stack((at, at)),
                y=np.column_stack((way.lower, way.upper)),
            )
        for mark, shown in (
            (self.train, way.stage > 0),
            (self.intervals, sure),
            (self.test, False),
            (self.came, False),
            (self.came_test, False),
        ):
            show(mark, shown)
        self.heading.value = "<h3>The case, question by question</h3>"
        self.words.write([])
        self.note.value = "dots: all that the list can say"
        return 0.0, 1.0

    def _curves(self, state: ScoringListState, _result: ScoringListResult) -> tuple[float, float]:
        """Draw a quantity by stage where the list was counted and elsewhere, now and as it came."""
        rows = curve_rows(state)
        marks = {
            "train": [self.train],
            "test": [self.test],
            "learned": [self.came, self.came_test],
        }
        for side, values, _words, _thing in rows:
            mark = marks[side].pop(0)
            put(mark, x=np.arange(values.size, dtype=float), y=values)
            show(mark, True)
        for mark in (self.intervals, *(mark for rest in marks.values() for mark in rest)):
            show(mark, False)
        self.note.value = ""
        name = QUANTITY_NAMES[state.quantity]
        self.heading.value = f"<h3>{name[0].upper()}{name[1:]}, question by question</h3>"
        every = np.concatenate([values for _, values, *_ in rows])
        return self._fit(every, [row[2:] for row in rows], rises=state.quantity == "auc")

    def _fit(
        self, values: np.ndarray, rows: list[tuple[str, str]], *, rises: bool
    ) -> tuple[float, float]:
        """Return limits that leave room for words in the corner the curves keep away from."""
        low, high = float(np.nanmin(values)), float(np.nanmax(values))
        height = 0.066 * get_theme().font / 14
        room = len(rows) * height + 0.06
        reach = max(high - low, 0.02)
        low, high = max(low - 0.06 * reach, 0.0), high + 0.06 * reach
        span = (high - low) / (1 - room)
        if rises:
            low = high - span
        else:
            high = low + span
        x = self.figure.scale_x.max
        top = low + span * (room - 0.5 * height - 0.02) if rises else high - span * 0.6 * height
        self.words.write(
            [
                (0.98 * x, top - i * height * span, text, thing)
                for i, (text, thing) in enumerate(rows)
            ]
        )
        return low, high
