"""The expected metric of every cut, drawn with bqplot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.decisions.decision import Decision
from rocviz.displays.decisions.draw_utilities import width_between
from rocviz.widgets.base.panel import ROW, Room, spread
from rocviz.widgets.base.parts import Handle, Words, colour, dots, line, show, update_mark
from rocviz.widgets.decisions.marks import WidePanel, count_ticks, ticks_around
from rocviz.widgets.decisions.result import DecisionResult
from rocviz.widgets.decisions.state import DecisionState

POINTS = 300  # of a curve
FEW = 30  # samples whose cuts are shown as dots
SIDES = ("believed", "really")  # of a miscalibrated curve
SEEN = 0.01  # of the height: curves nearer to each other look like one


def compared(state: Any, result: DecisionResult) -> list[tuple[str, Decision]]:
    """Return the decisions of the metrics that are compared, by name."""
    names = dict(zip(state.shown, result.decisions.items(), strict=True))
    return [names[name] for name in state.compared if name != state.metric]


def marked(result: DecisionResult) -> list[tuple[int, str, str]]:
    """Return the cuts of the rules, what each is called, and its colour; equal cuts together."""
    counts = "on the labels" if result.realised is not None else "on expected counts"
    found: dict[int, list[str]] = {}
    for k, name in (
        (result.n_predicted_positive, "best"),
        (result.k_eum, counts),
        (result.k_half, "one half"),
    ):
        found.setdefault(k, []).append(name)
    inks = {"best": "optimum-text", counts: "negative-text", "one half": "text"}
    return [(k, ", ".join(names), inks[names[0]]) for k, names in found.items()]


def utility_limits(state: Any, result: DecisionResult) -> tuple[float, float]:
    """Bound the values of all curves that are drawn."""
    curves = [result.decision.utilities, result.plug_in, result.paid]
    curves += [decision.utilities for _, decision in compared(state, result)]
    low, high = min(c.min() for c in curves), max(c.max() for c in curves)
    if 0 <= low < 0.5 * high:
        low = 0.0
    if high - low < 1e-6 * max(1.0, abs(high)):
        half = 0.5 * max(1.0, abs(high))
        low, high = low - half, high + half
    return float(low), float(high)


class UtilityPanel(WidePanel):
    """The expected value of every cut, for one metric or several."""

    def __init__(self, on_k: Callable[[float], None]) -> None:
        super().__init__("called positive, k", "expected metric")
        fig = self.figure
        self.others = line(fig, "muted", stroke_width=1.6)
        self.other_rings = dots(fig, "optimum", fill="paper", default_size=80, stroke_width=2.0)
        self.names = Words(fig, "start", font_weight="normal")
        self.plug_in = line(fig, "second", line_style="dashed", stroke_width=2.0)
        self.curve = line(fig, "ranking")
        self.paid = line(fig, "hull")
        self.price = line(fig, "optimum", line_style="dotted", stroke_width=2.0)
        self.points = dots(fig, "ranking", default_size=40)
        self.held = line(fig, "held", stroke_width=1.6)
        self.rings = dots(fig, "optimum", default_size=600, stroke_width=3.0)
        self.rings.colors = ["transparent"]
        self.eum = dots(fig, "second", fill="paper", default_size=150, stroke_width=2.5)
        self.eum.marker = "square"
        self.half = dots(fig, "text", fill="paper", default_size=130, stroke_width=2.0)
        self.half.marker = "diamond"
        self.words = Words(fig, "middle")
        self.handle = Handle(fig, lambda x, _y: on_k(x))
        self.handles = (self.handle,)
        self.yielding = (self.held, self.price)
        self._named: tuple[Any, ...] = ()
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

    def draw(self, state: DecisionState, result: DecisionResult) -> None:
        """Show a result."""
        self.set_label(1, f"expected {result.label}")
        others = compared(state, result)
        drawn = (*result.decisions.values(), result.paid, result.plug_in, self.is_large)
        same = (*map(id, drawn), state.compared)
        if same != self._named:
            self._named, self._keep = same, drawn  # an id is of what is kept
            self._curves(state, result, others)
        paid = float(result.paid[result.k])
        update_mark(
            self.held,
            x=np.full(2, float(result.k)),
            y=np.array([self.figure.scale_y.min, paid]),
        )
        self.handle.place(result.k, paid)

    def _curves(
        self, state: DecisionState, result: DecisionResult, others: list[tuple[str, Any]]
    ) -> None:
        """Draw all that does not depend on the cut that is held."""
        n, decision = result.truth.n_samples, result.decision
        low, high = utility_limits(state, result)
        ticks = ticks_around(low, high)
        wide = 1.45 * n if others and self.is_large else n
        self.set_range(0, 0.0, wide)
        self.set_range(1, float(ticks[0]), float(ticks[-1]))
        self.show_ticks(0, count_ticks(n))
        self.show_ticks(1, ticks)
        at = np.unique(np.linspace(0, n, min(n + 1, POINTS)).round().astype(np.int64))
        at = np.union1d(at, [result.n_predicted_positive, result.k_best])
        update_mark(self.curve, x=at, y=decision.utilities[at])
        update_mark(self.plug_in, x=at, y=result.plug_in[at])
        show(self.points, n <= FEW and self.is_large)
        if n <= FEW:
            update_mark(self.points, x=at, y=decision.utilities[at])
        for mark in (self.paid, self.price):
            show(mark, result.is_miscalibrated)
        update_mark(self.paid, x=at, y=result.paid[at])
        star, best = result.n_predicted_positive, result.k_best
        heights = np.array([decision.utilities[star], result.paid[star], result.paid[best]])
        update_mark(self.price, x=np.full(2, float(star)), y=heights[:2])
        update_mark(self.rings, x=np.array([star, star, best]), y=heights)
        for mark, k in ((self.eum, result.k_eum), (self.half, result.k_half)):
            update_mark(mark, x=np.array([k]), y=result.paid[[k]])
            show(mark, self.is_large)
        for mark in (self.others, self.other_rings):
            show(mark, bool(others))
        if others:
            curves = np.array([one.utilities[at] for _, one in others])
            update_mark(self.others, x=at, y=curves, colors=[colour("muted")] * len(others))
            update_mark(
                self.other_rings,
                x=np.array([one.n_predicted_positive for _, one in others]),
                y=np.array([one.utility for _, one in others]),
            )
        self._name(result, others, at)

    def _name(
        self,
        result: DecisionResult,
        others: list[tuple[str, Any]],
        at: NDArray[np.int64],
    ) -> None:
        """Write what is what: compared metrics at their ends, the rest where there is room."""
        show(self.words.mark, self.is_large)
        show(self.names.mark, self.is_large and bool(others))
        if not self.is_large:
            return
        n, curve, scale = result.truth.n_samples, result.decision.utilities, self.figure.scale_y
        left, right = self.figure.scale_x.min, self.figure.scale_x.max
        end = 1.03 * n if others else right  # names of compared metrics stand beyond
        share = (end - left) / (right - left)
        room = Room((left, end), (scale.min, scale.max), share)
        few = at[:: max(at.size // 60, 1)]
        late = few[few >= 0.35 * n]
        for each in (curve, result.plug_in, result.paid, *(one.utilities for _, one in others)):
            room.take(few, each[few])
        rows = []
        for k, text, ink in marked(result):
            above = result.paid[k] + 0.12 * (scale.max - scale.min)
            for words in dict.fromkeys((text, text.split(", ")[0])):
                if place := room.place(words, k, above):
                    rows.append((*place, words, ink))
                    break
        kinds = self._kinds(result)
        named = {text for *_, text, _ in rows}
        for text, ink, height in kinds:
            if text in named or (others and text in SIDES):
                continue
            if place := room.place(text, late[::6], height[late[::6]]):
                rows.append((*place, text, ink))
        self.words.write(rows)
        if others:
            ends = [(m, "muted", one.utilities) for m, one in others]
            if result.is_miscalibrated:
                ends += [kind for kind in kinds if kind[0] in SIDES]
            else:
                ends.append((result.label, "text", curve))
            gap = ROW * (scale.max - scale.min)
            heights = np.array([height[-1] for *_, height in ends])
            places = spread(heights, gap, scale.min, scale.max)
            self.names.write(
                [
                    (1.06 * n, float(y), name, ink)
                    for (name, ink, _), y in zip(ends, places, strict=True)
                ]
            )

    @staticmethod
    def _kinds(result: DecisionResult) -> list[tuple[str, str, NDArray[np.float64]]]:
        """Return what each kind of curve is, its colour and its heights."""
        curve, dashed = result.decision.utilities, result.plug_in
        kinds = []
        if result.is_miscalibrated:
            kinds += [("really", "hull-text", result.paid), ("believed", "text", curve)]
        span = max(float(np.ptp(np.concatenate((curve, dashed, result.paid)))), 1e-9)
        if not result.is_preview and (
            width_between(np.linspace(0, 1, curve.size), curve / span, dashed / span) > SEEN
        ):
            kinds.append(("on expected counts", "negative-text", dashed))
        return kinds
