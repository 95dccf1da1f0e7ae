"""All stages of a scoring list, drawn with bqplot: the case's way, or how good the list is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from rocviz.widgets.base.panel import FigurePanel
from rocviz.widgets.base.parts import Handle, Words, dots, line, show, update_mark
from rocviz.widgets.scoring_lists.result import ScoringListResult
from rocviz.widgets.scoring_lists.state import ScoringListState
from rocviz.widgets.scoring_lists.view import PERCENT, draw_zones, whole_ticks, zones
from rocviz.widgets.scoring_lists.words import QUANTITY_NAMES
from rocviz.words import number

Row = tuple[str, NDArray[np.float64], str, str]


def curve_rows(state: ScoringListState, *, large: bool = True) -> list[Row]:
    """List the curves: whose, values by stage, words, and the role that colours them.

    "learned" is how the list came, where its points have been changed.
    """
    result, rows = state.result, []
    for side, role, words in (
        ("train", "ranking", "its own samples" if large else "own"),
        ("test", "negative-text", "held-out samples" if large else "held-out"),
    ):
        curve = result.judged.curve(side, state.quantity)
        then = result.judged_learned.curve(side, state.quantity)
        if curve is not None:
            rows.append((side, curve, f"{words} {number(float(curve[state.stage]))}", role))
        if result.is_edited and then is not None:
            value = number(float(then[state.stage]))
            rows.append(("learned", then, f"as learned {value}", "muted"))
    return rows


def axis_name(quantity: str) -> str:
    """Name the axis of a quantity."""
    special = {"probability": "probability of a positive, %", "entropy": "entropy (bits)"}
    return special.get(quantity, QUANTITY_NAMES[quantity])


class CurvesPanel(FigurePanel):
    """From stage to stage: the case's probability, or how good the list is."""

    def __init__(self, on_stage: Callable[[float], None]) -> None:
        super().__init__("questions asked", "", x_ticks=(), y_ticks=(), square=False)
        fig = self.figure
        self.zones = zones(fig)
        self.held = line(fig, "held", stroke_width=1.8)
        self.came = line(fig, "reference", line_style="dotted", stroke_width=2.0)
        self.came_test = line(fig, "reference", line_style="dotted", stroke_width=2.0)
        self.reached = dots(fig, "hull", fill="hull-soft", default_size=60, stroke_width=0.5)
        self.intervals = line(fig, "hull", opacities=[0.35], stroke_width=9.0)
        self.train = line(fig, "ranking")
        self.test = line(fig, "second", line_style="dashed")
        self.dots = dots(fig, "text", default_size=120)
        self.words = Words(fig, "end")
        self.handle = Handle(fig, lambda x, _y: on_stage(x), restrict_x=True)
        self.add_marks()

    def draw(self, state: ScoringListState, result: ScoringListResult) -> None:
        """Show a result."""
        size = len(result.scoring_list)
        self.set_range(0, 0, size)
        self.set_ticks(0, whole_ticks(0, size, 12 if self.is_large else 3))
        of_case = state.quantity == "probability"
        for mark in (*self.zones.values(), self.reached, self.dots):
            show(mark, of_case)
        low, high = (self._path if of_case else self._curves)(state, result)
        y = self.figure.scale_y
        if (y.min, y.max) != (low, high):
            y.min, y.max = low, high
        if of_case:
            self.set_ticks(1, PERCENT)
        else:
            finder = MaxNLocator(6 if self.is_large else 3, steps=[1, 2, 2.5, 5, 10])
            ticks = np.asarray(finder.tick_values(low, high)).round(9)
            self.set_ticks(1, ticks[(ticks >= low) & (ticks <= high)])
        self.set_label(1, axis_name(state.quantity))
        update_mark(self.held, x=np.full(2, float(state.stage)), y=np.array([low, high]))
        self.handle.place(state.stage, low + (0.055 if self.is_large else 0.1) * (high - low))

    def _path(self, state: ScoringListState, result: ScoringListResult) -> tuple[float, float]:
        """Draw every probability the list can give, and the case's way through them."""
        x = self.figure.scale_x
        draw_zones(self.zones, state, x.min, x.max)
        stages, way = result.scoring_list.stages, result.walk
        # dots less than a third of a per cent apart are one
        levels = [np.unique((300 * stage.probability).round()) / 300 for stage in stages]
        update_mark(
            self.reached,
            x=np.repeat(np.arange(float(len(levels))), [level.size for level in levels]),
            y=np.concatenate(levels),
        )
        at = np.arange(way.stage + 1.0)
        update_mark(self.train, x=at, y=way.probability)
        update_mark(self.dots, x=at, y=way.probability)
        sure = result.bands is not None
        if sure:
            update_mark(
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
        words = [(x.max, 1.06, "dots: all that the list can say", "muted")]
        self.words.write(words if self.is_large else [])
        return -0.04, 1.1 if self.is_large else 1.04

    def _curves(self, state: ScoringListState, _result: ScoringListResult) -> tuple[float, float]:
        """Draw a quantity by stage where the list was counted and elsewhere, now and as it came."""
        rows = curve_rows(state, large=self.is_large)
        marks = {
            "train": [self.train],
            "test": [self.test],
            "learned": [self.came, self.came_test],
        }
        for side, values, _words, _thing in rows:
            mark = marks[side].pop(0)
            update_mark(mark, x=np.arange(values.size, dtype=float), y=values)
            show(mark, True)
        for mark in (self.intervals, *(mark for rest in marks.values() for mark in rest)):
            show(mark, False)
        every = np.concatenate([values for _, values, *_ in rows])
        return self._fit(every, [row[2:] for row in rows], rises=state.quantity == "auc")

    def _fit(
        self, values: NDArray[np.float64], rows: list[tuple[str, str]], *, rises: bool
    ) -> tuple[float, float]:
        """Choose limits that leave room for words, and the handle, where the curves are not."""
        low, high = float(np.nanmin(values)), float(np.nanmax(values))
        height = 0.062 if self.is_large else 0.125
        room = len(rows) * height + 0.03
        grip = 0.11 if self.is_large else 0.2
        reach = max(high - low, 0.02)
        low, high = low - 0.04 * reach, high + 0.04 * reach
        span = (high - low) / (1 - room - grip)
        low, high = (high - span, high) if rises else (low - grip * span, low + (1 - grip) * span)
        x = self.figure.scale_x.max
        # words over the handle's row where the curves rise, else at the top
        top = low + span * (room + grip - 0.6 * height) if rises else high - span * 0.6 * height
        self.words.write(
            [(x, top - i * height * span, text, role) for i, (text, role) in enumerate(rows)]
        )
        return low, high
