"""How the decision explorer's cuts are drawn with bqplot: the probabilities, and the utilities.

Draws; computes nothing. What is dragged is handed to the callbacks it was given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bqplot
import ipywidgets
import numpy as np

from rocviz.displays.decisions.draw_utilities import width_between
from rocviz.theme import get_theme
from rocviz.widgets.base.layout import round_ticks, spread
from rocviz.widgets.base.parts import (
    DESK,
    Handle,
    LatestOnly,
    colour,
    control,
    figure,
    line,
    panel,
    put,
)
from rocviz.widgets.scoring_lists.view import Words, dots, show, whole_ticks
from rocviz.words import amount

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from rocviz.widgets.decisions.result import DecisionResult
    from rocviz.widgets.decisions.state import DecisionState

__all__ = ["ROW", "ProbabilityPanel", "UtilityPanel"]

POINTS = 600  # of a curve
COLUMNS = 200  # of the ranking that can be told apart
GAP = 0.08  # on each side of a column, where there are few
FEW = 30  # samples whose cuts are shown as dots
ROW = 0.066  # height of a line of words, in units of the square, for a desk
SEEN = 0.01  # of the height: curves nearer to each other look like one
HEAD = 1.07  # where the handle of the cut is


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


def count_axis(fig: bqplot.Figure, n: int) -> None:
    """Give the horizontal axis a few whole numbers; thousands are written short."""
    axis = fig.axes[0]
    with axis.hold_sync():
        axis.tick_format = "~s" if n >= 10_000 else "~g"
        axis.tick_values = whole_ticks(0, n, 5)


class Columns:
    """Columns filled in the colour of a thing."""

    def __init__(self, fig: bqplot.Figure, thing: str) -> None:
        self.mark = line(
            fig,
            thing,
            fill="between",
            fill_colors=[colour(thing)],
            fill_opacities=[0.6],
            opacities=[0.0, 0.0],
        )

    def draw(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> None:
        """Show an outline over its base."""
        put(self.mark, x=x, y=np.array([y, np.zeros(y.size)]))


class Items:
    """One dot per sample, each to be dragged up and down; like a handle, but many.

    The dots that are seen follow the state, also to another place of the ranking; the dots that
    are felt stay under the mouse until it lets go.
    """

    def __init__(self, fig: bqplot.Figure, on_move: Callable[[int, float], None]) -> None:
        self.seen = dots(fig, "text", fill="paper", default_size=110, stroke_width=2.0)
        self.chosen = dots(fig, "paper", fill="held", default_size=300, stroke_width=2.0)
        self.felt = bqplot.Scatter(
            x=np.array([0.0]),
            y=np.array([0.0]),
            scales={"x": fig.scale_x, "y": fig.scale_y},
            colors=["transparent"],
            stroke="transparent",
            apply_clip=False,
            enable_move=True,
            restrict_y=True,
            update_on_move=False,
            drag_size=1.0,
            default_size=round(1.4 * DESK.handle**2),
        )
        self.order: NDArray[np.intp] = np.zeros(1, dtype=np.intp)
        self.held: NDArray[np.intp] | None = None
        self._move = LatestOnly(on_move)
        self.felt.on_drag_start(self._start)
        self.felt.on_drag(self._drag)
        self.felt.on_drag_end(self._end)
        self.felt.observe(self._put_back, names=["x", "y"])

    def place(self, order: NDArray[np.intp], prob: NDArray[np.float64], item: int) -> None:
        """Show a dot at the top of each column; ``order`` says whose it is."""
        self.order = order
        x = np.arange(prob.size) + 0.5
        put(self.seen, x=x, y=prob)
        at = np.flatnonzero(order == item - 1)
        put(self.chosen, x=x[at], y=prob[at])
        self._put_back()

    def _put_back(self, _change: Any = None) -> None:
        if self.held is None:
            put(self.felt, x=self.seen.x, y=self.seen.y)

    def _start(self, _mark: Any, _event: Any) -> None:
        self.held = self.order  # the dots that are felt keep the order of this moment

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


class ProbabilityPanel:
    """Probabilities in decreasing order, cut where the handle is."""

    def __init__(
        self,
        on_k: Callable[[float], None],
        on_item: Callable[[int, float], None],
        *under: ipywidgets.Widget,
    ) -> None:
        fig = self.figure = figure(
            "samples, the most probable first", "probability of a positive", y_range=(-0.1, 1.16)
        )
        self.parts = {thing: Columns(fig, thing) for thing in ("positive", "negative")}
        self.half = line(fig, "reference", line_style="dotted", stroke_width=1.8)
        self.belief = line(fig, "ranking", stroke_width=2.0)
        self.cut = line(fig, "held")
        self.found = dots(fig, "optimum", default_size=120, stroke_width=2.0)
        self.rest = dots(fig, "reference", fill="paper", default_size=120, stroke_width=1.5)
        self.words = Words(fig, "end")
        self.items = Items(fig, on_item)
        self.handle = Handle(fig, lambda x, _y: on_k(x), restrict_x=True)
        fig.marks = [
            *(part.mark for part in self.parts.values()),
            self.half,
            self.belief,
            self.cut,
            self.rest,
            self.found,
            self.words.mark,
            self.items.seen,
            self.items.chosen,
            self.items.felt,
            *self.handle.marks,
        ]
        below = control(ipywidgets.Box(under), "rocviz-chips", "rocviz-under")
        self.box = panel("Who is called positive", fig, below)

    def draw(self, state: DecisionState, result: DecisionResult) -> None:
        """Show a result."""
        n, k, prob = result.truth.n_samples, result.k, result.truth.prob
        fig, search = self.figure, result.search
        if fig.scale_x.max != n:
            fig.scale_x.max = float(n)
            count_axis(fig, n)
        low = 0.0 if search is None else -0.1
        if fig.scale_y.min != low:
            fig.scale_y.min = low
        self.parts["positive"].draw(*columns(prob, 0, k))
        self.parts["negative"].draw(*columns(prob, k, n))
        put(self.half, x=np.array([0.0, n]), y=np.array([0.5, 0.5]))
        show(self.belief, result.is_miscalibrated)
        if result.is_miscalibrated:
            x, y = columns(result.believed.prob, 0, n)
            put(self.belief, x=x, y=y)
        put(self.cut, x=np.full(2, float(k)), y=np.array([0.0, HEAD]))
        self.handle.place(k, HEAD)
        for mark in (self.items.seen, self.items.chosen, self.items.felt):
            show(mark, state.can_edit)
        if state.can_edit:
            self.items.place(result.truth.order, prob, state.item)
        for mark in (self.found, self.rest):
            show(mark, search is not None)
        if search is not None:
            at = np.arange(n) + 0.5
            for mark, wanted in ((self.found, search.positive), (self.rest, ~search.positive)):
                put(mark, x=at[wanted], y=np.full(int(wanted.sum()), -0.05))
        self._write(result)

    def _write(self, result: DecisionResult) -> None:
        n, k = result.truth.n_samples, result.k
        rows = [
            (f"{amount(k)} called positive", "positive-text"),
            (f"{amount(n - k)} called negative", "negative-text"),
        ]
        if result.is_miscalibrated:
            rows.append(("line: what is believed", "text"))
        if result.search is not None:
            rows.append(("● best of all labelings", "optimum-text"))
        step = ROW * 1.2 * get_theme().font / 14
        self.words.write(
            [(0.985 * n, 0.95 - i * step, text, thing) for i, (text, thing) in enumerate(rows)]
        )


class UtilityPanel:
    """What every cut is expected to be worth, for one metric or several."""

    def __init__(self, on_k: Callable[[float], None], *under: ipywidgets.Widget) -> None:
        fig = self.figure = figure("called positive, k", "expected metric", y_ticks=None)
        self.others = line(fig, "muted", stroke_width=1.4)
        self.other_rings = dots(fig, "optimum", fill="paper", default_size=90, stroke_width=2.0)
        self.names = Words(fig, "end")
        self.plug_in = line(fig, "second", line_style="dashed", stroke_width=2.0)
        self.curve = line(fig, "ranking")
        self.paid = line(fig, "hull")
        self.price = line(fig, "optimum", line_style="dotted", stroke_width=2.0)
        self.points = dots(fig, "ranking", default_size=45)
        self.held = line(fig, "held", stroke_width=1.6)
        self.rings = dots(fig, "optimum", default_size=760, stroke_width=3.0)
        self.rings.colors = ["transparent"]
        self.eum = dots(fig, "second", fill="paper", default_size=150, stroke_width=2.5)
        self.eum.marker = "square"
        self.half = dots(fig, "text", fill="paper", default_size=130, stroke_width=2.0)
        self.half.marker = "diamond"
        self.words = Words(fig, "end")
        self.handle = Handle(fig, lambda x, _y: on_k(x))
        fig.marks = [
            self.others,
            self.held,
            self.plug_in,
            self.price,
            self.curve,
            self.paid,
            self.points,
            self.other_rings,
            self.names.mark,
            self.words.mark,
            *self.handle.marks[:1],
            self.rings,
            self.eum,
            self.half,
            *self.handle.marks[1:],
        ]
        below = control(ipywidgets.Box(under), "rocviz-checks", "rocviz-under")
        self.box = panel("What every cut is worth", fig, below)

    def draw(self, state: DecisionState, result: DecisionResult) -> None:
        """Show a result."""
        n, decision = result.truth.n_samples, result.decision
        x = self.figure.scale_x
        if x.max != 1.02 * n:
            x.min, x.max = -0.02 * n, 1.02 * n
            count_axis(self.figure, n)
        at = np.unique(np.linspace(0, n, min(n + 1, POINTS)).round().astype(np.int64))
        at = np.union1d(at, [result.k_star, result.k_best])
        put(self.curve, x=at, y=decision.utilities[at])
        put(self.plug_in, x=at, y=result.plug_in[at])
        show(self.points, n <= FEW)
        if n <= FEW:
            put(self.points, x=at, y=decision.utilities[at])
        for mark in (self.paid, self.price):
            show(mark, result.is_miscalibrated)
        put(self.paid, x=at, y=result.paid[at])
        star, best = result.k_star, result.k_best
        heights = np.array([decision.utilities[star], result.paid[star], result.paid[best]])
        put(self.price, x=np.full(2, float(star)), y=heights[:2])
        put(self.rings, x=np.array([star, star, best]), y=heights)
        for mark, k in ((self.eum, result.k_eum), (self.half, result.k_half)):
            put(mark, x=np.array([k]), y=result.paid[[k]])
        others = self._others(state, result, at)
        shown = [decision.utilities[at], result.plug_in[at], result.paid[at], *others]
        low, high = self._fit(np.concatenate(shown), self._rows(result))
        self._name(state, result, at, low, high)
        put(self.held, x=np.full(2, float(result.k)), y=np.array([low, result.paid[result.k]]))
        self.handle.place(result.k, float(result.paid[result.k]))

    def _others(
        self, state: DecisionState, result: DecisionResult, at: NDArray[np.int64]
    ) -> list[NDArray[np.float64]]:
        """Draw the metrics that are compared, and ring their best cuts."""
        chosen = self._chosen(state, result)
        show(self.others, bool(chosen))
        show(self.other_rings, bool(chosen))
        curves = [decision.utilities[at] for _, decision in chosen]
        if chosen:
            put(
                self.others,
                x=at,
                y=np.array(curves),
                colors=[colour("muted")] * len(curves),
            )
            put(
                self.other_rings,
                x=np.array([decision.k_star for _, decision in chosen]),
                y=np.array([decision.utility for _, decision in chosen]),
            )
        return curves

    def _chosen(self, state: DecisionState, result: DecisionResult) -> list[tuple[str, Any]]:
        """Return the decisions of the metrics that are compared."""
        names = dict(zip(state.shown, result.decisions.items(), strict=True))
        return [names[name] for name in state.compared if name != state.metric]

    def _name(
        self,
        state: DecisionState,
        result: DecisionResult,
        at: NDArray[np.int64],
        low: float,
        high: float,
    ) -> None:
        """Write the names of the compared metrics at the ends of their curves."""
        chosen = self._chosen(state, result)
        if not chosen:
            self.names.write([])
            return
        n, span = result.truth.n_samples, high - low
        near = at[np.searchsorted(at, 0.85 * n)]
        ends = np.array([decision.utilities[near] for _, decision in chosen])
        gap = ROW * get_theme().font / 14 * span
        places = spread(ends + 0.5 * gap, gap, low, high)
        self.names.write(
            [
                (0.95 * n, float(y), name, "muted")
                for (name, _), y in zip(chosen, places, strict=True)
            ]
        )

    def _rows(self, result: DecisionResult) -> list[tuple[str, str]]:
        label = f"expected {result.label}"
        if self.figure.axes[1].label != label:
            self.figure.axes[1].label = label
        rows = [("solid: on average", "text")]
        if result.is_miscalibrated:
            rows = [("as one believes", "text")]
        if result.is_miscalibrated:
            rows.append(("as it really is", "hull-text"))
        curve, dashed = result.decision.utilities, result.plug_in
        span = max(float(np.ptp(np.concatenate((curve, dashed, result.paid)))), 1e-9)
        if width_between(np.linspace(0, 1, curve.size), curve / span, dashed / span) > SEEN:
            rows.append(("dashed: on expected counts", "negative-text"))
        else:
            rows.append(("on expected counts the same", "muted"))
        rows.append(("○ best   □ EUM   ◇ one half", "optimum-text"))
        return rows

    def _fit(
        self, values: NDArray[np.float64], rows: Sequence[tuple[str, str]]
    ) -> tuple[float, float]:
        """Fit the axis, with room above the curves for words; return its limits."""
        low, high = float(values.min()), float(values.max())
        height = ROW * get_theme().font / 14
        reach = max(high - low, 0.02 * max(1.0, abs(high)))
        bottom = low - 0.07 * reach
        if 0 <= low < 0.5 * high:
            bottom = -0.02 * high
        top = bottom + (high + 0.05 * reach - bottom) / (1 - height * (len(rows) + 0.4))
        x, y = self.figure.scale_x, self.figure.scale_y
        if (y.min, y.max) != (bottom, top):
            with y.hold_sync():
                y.min, y.max = bottom, top
            ticks = round_ticks(bottom, high + 0.05 * reach)
            self.figure.axes[1].tick_values = ticks
        span = top - bottom
        right = x.min + 0.985 * (x.max - x.min)
        self.words.write(
            [
                (right, top - (i + 0.6) * height * span, text, thing)
                for i, (text, thing) in enumerate(rows)
            ]
        )
        return bottom, top
