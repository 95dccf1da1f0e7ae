"""The predicted positives: probabilities in decreasing order, drawn with bqplot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bqplot
import numpy as np
from numpy.typing import NDArray

from rocviz.widgets.base.panel import UNIT_TICKS, Room
from rocviz.widgets.base.parts import (
    DESK,
    Handle,
    Throttle,
    Words,
    colour,
    dots,
    invisible_dots,
    line,
    show,
    update_mark,
)
from rocviz.widgets.decisions.marks import WidePanel, count_ticks
from rocviz.widgets.decisions.result import DecisionResult
from rocviz.widgets.decisions.state import DecisionState
from rocviz.words import amount

COLUMNS = 200  # of the ranking that can be told apart
GAP = 0.08  # on each side of a column, where there are few
# where the handle of the cut is, where the number on each side of it is written, and the top
LARGE, SMALL = (1.08, 1.21, 1.27), (1.15, 1.4, 1.5)
FOUND = -0.07  # where the best of all labellings is marked


def columns(prob: NDArray[np.float64], first: int, last: int) -> tuple[Any, Any]:
    """Return the outline of columns for part of a ranking: x, and y above a base of 0."""
    if first == last:
        return np.full(2, float(first)), np.zeros(2)
    few = prob.size <= 60
    count = last - first if few else min(last - first, COLUMNS)
    edges = np.unique(np.linspace(first, last, count + 1).round().astype(np.int64))
    height = np.add.reduceat(prob[first:last], edges[:-1] - first) / np.diff(edges)
    if not few:
        return edges.repeat(2)[1:-1].astype(np.float64), height.repeat(2)
    left, right = edges[:-1] + GAP, edges[1:] - GAP
    x = np.column_stack((left, left, right, right)).ravel()
    nothing = np.zeros(height.size)
    return x, np.column_stack((nothing, height, height, nothing)).ravel()


class Items:
    """One knob per sample, each to be dragged up and down; like a handle, but many.

    The knobs that are seen follow the state, also to another place of the ranking; those that
    are felt stay under the mouse until it lets go.
    """

    def __init__(self, fig: bqplot.Figure, on_move: Callable[[int, float], None]) -> None:
        self.seen = dots(fig, "paper", fill="held", default_size=110, stroke_width=1.5)
        self.chosen = dots(fig, "paper", fill="held", default_size=230, stroke_width=2.0)
        self.hit_area = invisible_dots(
            fig, restrict_y=True, default_size=round(1.4 * DESK.handle**2)
        )
        self.hint = Words(fig, "end", font_weight="normal")
        self.wants_hint, self.is_large = True, True
        self.order: NDArray[np.intp] = np.zeros(1, dtype=np.intp)
        self.held: NDArray[np.intp] | None = None
        self._move = Throttle(on_move)
        self.hit_area.on_drag_start(self._start)
        self.hit_area.on_drag(self._drag)
        self.hit_area.on_drag_end(self._end)
        self.hit_area.observe(self._put_back, names=["x", "y"])

    @property
    def marks(self) -> list[bqplot.Mark]:
        """All marks, in drawing order."""
        return [self.hint.mark, self.seen, self.chosen, self.hit_area]

    def place(self, order: NDArray[np.intp], prob: NDArray[np.float64], item: int) -> None:
        """Show a knob at the top of each column; ``order`` says whose it is."""
        self.order = order
        x = np.arange(prob.size) + 0.5
        update_mark(self.seen, x=x, y=prob)
        at = np.flatnonzero(order == item - 1)
        update_mark(self.chosen, x=x[at], y=prob[at])
        # above the last columns, where there is nothing
        last = float(prob[-1 if prob.size < 7 else -2])
        self.hint.write([(prob.size - 0.3, last + 0.06, "drag", "held-text")])
        self._put_back()

    def show(self, on: bool) -> None:
        """Show the knobs or hide them; a small picture has none."""
        for mark in (self.seen, self.chosen, self.hit_area):
            show(mark, on and self.is_large)
        show(self.hint.mark, on and self.is_large and self.wants_hint)

    def show_hint(self, on: bool) -> None:
        """Be told whether the picture is large, as every handle is."""
        self.is_large = on

    def _put_back(self, _change: Any = None) -> None:
        if self.held is None:
            update_mark(self.hit_area, x=self.seen.x, y=self.seen.y)

    def _start(self, _mark: Any, _event: Any) -> None:
        self.held = self.order  # the knobs that are felt keep the order of this moment
        self.wants_hint = False
        show(self.hint.mark, False)

    def _drag(self, _mark: Any, event: dict[str, Any]) -> None:
        order = self.order if self.held is None else self.held
        self._move(int(order[event["index"]]) + 1, event["point"]["y"])

    def _end(self, mark: Any, event: dict[str, Any]) -> None:
        self._drag(mark, event)
        self._move.flush()
        self.held = None
        self._put_back()

    def close(self) -> None:
        """Forget any move that is waiting."""
        self._move.cancel()


class ProbabilityPanel(WidePanel):
    """Probabilities in decreasing order, cut where the handle is."""

    def __init__(
        self, on_k: Callable[[float], None], on_item: Callable[[int, float], None]
    ) -> None:
        super().__init__("", "probability of a positive", y_ticks=UNIT_TICKS, pad=0.0)
        fig = self.figure
        self.parts = {
            role: line(
                fig,
                role,
                fill="between",
                fill_colors=[colour(role)],
                fill_opacities=[0.6],
                opacities=[0.0, 0.0],
            )
            for role in ("positive", "negative")
        }
        self.half = line(fig, "reference", line_style="dotted", stroke_width=1.8)
        self.belief = line(fig, "ranking", stroke_width=2.0)
        self.cut = line(fig, "held")
        self.rest = dots(fig, "reference", fill="paper", default_size=90, stroke_width=1.5)
        self.found = dots(fig, "optimum", default_size=90, stroke_width=2.0)
        self.names = {
            role: Words(fig, align) for role, align in (("positive", "start"), ("negative", "end"))
        }
        self.words = Words(fig, "middle")
        self._named: object = None
        self.items = Items(fig, on_item)
        self.handle = Handle(fig, lambda x, _y: on_k(x), restrict_x=True)
        self.add_marks()

    def draw(self, state: DecisionState, result: DecisionResult) -> None:
        """Show a result."""
        n, k, prob = result.truth.n_samples, result.k, result.truth.prob
        tried = result.search if self.is_large else None
        room = 0.02 * n
        head, names, top = LARGE if self.is_large else SMALL
        self.set_range(0, -room, n + room)
        self.set_range(1, -0.13 if tried is not None else -0.04, top)
        self.show_ticks(0, count_ticks(n))
        self.set_label(
            0,
            "most probable first; ● best labelling"
            if tried is not None
            else "samples, the most probable first",
        )
        for role, ends in (("positive", (0, k)), ("negative", (k, n))):
            x, y = columns(prob, *ends)
            update_mark(self.parts[role], x=x, y=np.array([y, np.zeros(y.size)]))
        update_mark(self.half, x=np.array([0.0, n]), y=np.array([0.5, 0.5]))
        show(self.belief, result.is_miscalibrated)
        if result.is_miscalibrated:
            x, y = columns(result.believed.prob, 0, n)
            update_mark(self.belief, x=x, y=y)
        update_mark(self.cut, x=np.full(2, float(k)), y=np.array([0.0, head]))
        self.items.show(state.can_edit)
        if state.can_edit:
            self.items.place(result.truth.order, prob, state.item)
        for mark in (self.found, self.rest):
            show(mark, tried is not None)
        if tried is not None:
            at = np.arange(n) + 0.5
            for mark, wanted in ((self.found, tried.positive), (self.rest, ~tried.positive)):
                update_mark(mark, x=at[wanted], y=np.full(int(wanted.sum()), FOUND))
        for role, side, many in (("positive", 0.0, k), ("negative", float(n), n - k)):
            kind = {"positive": "yes", "negative": "no"}[role] if n >= 10_000 else role
            text = f"{amount(many)} {kind}" if self.is_large else amount(many)
            self.names[role].write([(side, names, text, f"{role}-text")])
        self._name_belief(result)
        self.handle.place(k, head)

    def _name_belief(self, result: DecisionResult) -> None:
        """Write what the line is, above it."""
        if not (result.is_miscalibrated and self.is_large):
            self.words.write([])
            return
        if self._named is not result.believed:
            self._named = result.believed
            n = result.truth.n_samples
            at = np.unique(np.linspace(0, n - 1, min(n, 50)).astype(np.int64))
            scale = self.figure.scale_y
            room = Room((0.0, float(n)), (scale.min, 1.0))
            for prob in (result.truth.prob, result.believed.prob):
                room.take(at + 0.5, prob[at])
            # where the cut stands at first; the words stay when it is dragged
            room.take([result.n_predicted_positive] * 2, [0.0, 1.2], spare=True)
            upper = np.maximum(result.truth.prob, result.believed.prob)[at] + 0.08
            place = room.place("line: believed", at[::5], upper[::5])
            self._belief_row = [(*place, "line: believed", "text")] if place else []
        self.words.write(self._belief_row)
