"""How the ROC explorer's curve is drawn with bqplot, in ROC space or any other.

Draws; computes nothing. What is dragged or clicked is handed to the callbacks it was given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import bqplot
import numpy as np

from rocviz.core.roc.metrics import metric_label
from rocviz.displays.curve_spaces.spaces import SPACES, UNIT_SPACES
from rocviz.theme import get_theme
from rocviz.widgets.base.panel import UNIT_TICKS, FigurePanel, enlarge, round_ticks
from rocviz.widgets.base.parts import (
    Handle,
    colour,
    dots,
    label,
    line,
    on_click,
    ring,
    show,
    update_mark,
)
from rocviz.widgets.base.room import Room
from rocviz.widgets.roc.model_looks import model_look
from rocviz.widgets.roc.result import ROCResult
from rocviz.widgets.roc.spaces import SpaceView
from rocviz.widgets.roc.state import ROCState
from rocviz.words import number, percent, score_text, short_names

MOST_CORNERS = 60  # beyond this, corners are too close to be clicked
MOST_ROWS = 6  # of words about models beside the curves; all are in the table
MOST_NAMES = 4  # beside which there is room above a curve for more words
WORDS_FROM = 0.2  # where words at the right may begin, as a share of the width
LENGTHS = (18, 12)  # of a name, as there is room
STEP = 0.056  # from one line of words to the next, as a share of the height

#: Where words find room, as shares of the axes: at the right or left, from the top or bottom.
CORNERS = {
    "roc": (0.985, "bottom"),
    "gain": (0.985, "bottom"),
    "precision_recall": (0.02, "bottom"),
    "pr_gain": (0.02, "bottom"),
    "lift": (0.985, "top"),
    "cost": (0.5, "bottom"),
    "brier": (0.985, "top"),
    "decision": (0.985, "top"),
}


def _above(space: str) -> bool:
    """Return whether words stand above the curves at the right."""
    return CORNERS[space] == (0.985, "top")


class CurvePanel(FigurePanel):
    """The curve, its hull, the point held and the best one; in ROC space its band and corners.

    ``on_point(x, y, space)`` is called when the handle is dragged, ``on_corner`` with the number of
    a corner of the ROC curve that was clicked, ``on_model`` with the name of a model whose curve,
    or the dot before its name, was clicked.
    """

    def __init__(
        self,
        name: str,
        on_point: Callable[[float, float, str], None],
        on_corner: Callable[[int], None],
        on_model: Callable[[str], None],
    ) -> None:
        super().__init__(SPACES["roc"].x, SPACES["roc"].y)
        self.name, self.space = name, "roc"
        fig = self.figure
        self.band = line(
            fig,
            "ranking",
            fill="between",
            fill_colors=[colour("ranking")],
            fill_opacities=[0.1],
            opacities=[0.0, 0.0],
        )
        self.cuts = line(fig, "ranking", opacities=[0.16], stroke_width=1.0, visible=False)
        self.chance = [line(fig, "reference", line_style="dotted", stroke_width=1.5) for _ in "12"]
        self._on_model = on_model
        self._shown: list[str] = []
        #: What the room beside the curves was found for, and that room.
        self._beside: tuple[list[Any], Room] = ([], Room((0.0, 1.0), (0.0, 1.0)))
        self._names: list[str] = []
        #: Of several models: a line for each, which is best where, the dots before their names.
        self.others: list[bqplot.Lines] = []
        self.stretches: bqplot.Lines | None = None
        self.keys: bqplot.Scatter | None = None
        self.cost_line = line(fig, "optimum", stroke_width=1.8)
        self.held_line = line(fig, "held", line_style="dashed", stroke_width=1.8, visible=False)
        self.isometric = line(fig, "held", line_style="solid", stroke_width=1.8)
        self.curve = line(fig, "ranking")
        self.hull = line(fig, "hull", line_style="dashed")
        self.vertices = dots(fig, "hull", default_size=34)
        self.corners = dots(
            fig, "ranking", fill="paper", stroke_width=1.8, default_size=60, visible=False
        )
        on_click(self.corners, on_corner)
        self.meeting = dots(fig, "held", default_size=70, visible=False)
        self.words = label(fig, "text", text=[""])
        self.best = label(fig, "optimum-text", text=["best for these costs"], align="middle")
        self.ring = ring(fig, "optimum")
        self.handle = Handle(fig, lambda x, y: on_point(x, y, self.space))
        self.add_marks()
        helping = self.cost_line, self.held_line, self.isometric, self.cuts
        self.yielding = (*self.chance, *helping)

    def draw(self, state: ROCState, result: ROCResult) -> None:
        """Show a result."""
        self.space = state.space_of(self.name)
        view = result.views[self.space]
        view = self._with_room(view)
        self._frame(view)
        in_roc = self.space == "roc"
        if in_roc:
            self._roc(state, result)
        else:
            for mark in (self.band, self.vertices, self.corners):
                show(mark, False)
            self._line(self.curve, view.curve.thin(), self.space != "cost")
            self._line(self.hull, view.hull.thin(), state.show_hull or self.space == "cost")
        self._models(state, result, view)
        for mark, at in zip(self.chance, (*view.chance, None, None), strict=False):
            self._line(mark, at)
        wanted = state.metric != "none"
        self._line(self.cuts, view.cuts, not view.others)
        self._line(self.held_line, view.held_line)
        self._line(self.cost_line, view.best_line)
        self._line(self.isometric, view.isometric, wanted and len(view.isometric[0]) > 1)
        show(self.meeting, wanted and len(view.isometric[0]) == 1)
        if self.meeting.visible:
            update_mark(self.meeting, x=view.isometric[0], y=view.isometric[1])
        update_mark(self.ring, x=np.array([view.best[0]]), y=np.array([view.best[1]]))
        show(self.ring, bool(np.isfinite(view.best[1])))
        self.handle.place(*view.held)
        self._write(state, result, view)

    def _on_line(self, model: int, _point: int) -> None:
        self._on_model(self._names[model])

    def _make_models(self) -> None:
        """Make what shows several models."""
        fig, on_model = self.figure, self._on_model
        self.stretches = line(fig, "hull", opacities=[0.45], stroke_width=9.0, visible=False)
        self.others = [
            line(
                fig,
                role,
                line_style=style,
                opacities=[opacity],
                visible=False,
                stroke_width=2.0,
            )
            for role, style, _, opacity in map(model_look, range(len(self._names)))
        ]
        for i, behind in enumerate(self.others):
            on_click(behind, partial(self._on_line, i))
        self.keys = dots(fig, "paper", fill="ranking", default_size=90, visible=False)
        on_click(self.keys, lambda row: on_model(self._shown[row]))
        marks = list(fig.marks)
        at = marks.index(self.cost_line)
        marks[at:at] = [self.stretches, *self.others]
        at = marks.index(self.best)
        marks[at:at] = [self.keys]
        fig.marks = marks
        for mark in (self.stretches, *self.others, self.keys):
            enlarge(mark, get_theme(), 1.0 if self.is_large else 0.8)

    def _models(self, state: ROCState, result: ROCResult, view: SpaceView) -> None:
        """Show the models behind, each in its colour, and the hull over all of them."""
        self._names = list(state.data.scores)
        if len(self._names) > 1 and not self.others:
            self._make_models()
        front = self._names.index(result.model)
        role = model_look(front)[0]
        if self.curve.colors != [colour(role)]:
            self.curve.colors = [colour(role)]
        behind = [name for name in self._names if name != result.model]
        curves = dict(zip(behind, zip(view.others, result.others, strict=True), strict=True))
        for name, mark in zip(self._names, self.others, strict=False):
            at: Any = None
            if name in curves:
                other, (_, curve, _) = curves[name]
                at = None if other is None else other.thin()
                if view.space == "roc":
                    at = curve.thinned.fpr, curve.thinned.tpr
            self._line(mark, at)
        for mark in self.others[len(self._names) :]:
            show(mark, False)
        if behind and view.space == "cost":
            self._line(self.curve, view.hull.thin())
            show(self.hull, state.show_hull and view.union is not None)
        if view.union is not None:
            self._line(self.hull, view.union.thin(), state.show_hull)
        dotted = state.show_hull and len(view.owners) <= 40
        if view.union is not None and np.isfinite(view.union.at_x).all():
            update_mark(self.vertices, x=view.union.at_x, y=view.union.at_y)
        kinds = [colour(model_look(i)[0]) for i in view.owners]
        if view.space == "roc":
            if self.vertices.colors != (kinds or [colour("hull")]):
                self.vertices.colors = kinds or [colour("hull")]
            show(self.vertices, dotted if kinds else self.vertices.visible)
        pieces = view.stretches if state.show_hull else ()
        if self.stretches is None or self.keys is None:
            return
        show(self.keys, bool(behind) and self.is_large)
        if pieces:
            most = max(len(x) for _, (x, _) in pieces)
            x, y = (
                np.array([np.pad(at[k], (0, most - len(at[k])), mode="edge") for _, at in pieces])
                for k in (0, 1)
            )
            inks = [colour(model_look(i)[0]) for i, _ in pieces]
            update_mark(self.stretches, x=x, y=y, colors=inks)
        show(self.stretches, bool(pieces))

    def _line(self, mark: Any, at: Any, wanted: bool = True) -> None:
        """Show a line, or hide the mark of one that is not there."""
        shown = bool(wanted and at is not None and len(at[0]))
        if shown:
            update_mark(mark, x=at[0], y=at[1])
        show(mark, shown)

    def _with_room(self, view: SpaceView) -> SpaceView:
        """Return what is shown on axes so high that the words of many models stand above curves."""
        n_rows = min(len(view.others) + 1, MOST_ROWS) + 1
        if not (_above(view.space) and len(view.others) >= MOST_NAMES and self.is_large):
            return view
        (left, right), (low, high) = view.limits
        every = [view.curve, view.union or view.hull, *(one for one in view.others if one)]
        drawn = [one.thin() for one in every]
        words_from = left + WORDS_FROM * (right - left)
        below = [y[(x >= words_from) & (x <= right)] for x, y in drawn]
        most = max(float(y.max()) for y in below if y.size)
        share = 0.92 - STEP * (n_rows - 1)  # of the height, below the words
        high = max(high, low + (most - low) / share)
        return replace(view, limits=((left, right), (low, high)))

    def _frame(self, view: SpaceView) -> None:
        """Name and limit the axes."""
        words = SPACES[view.space]
        for axis, text in enumerate((words.x, words.y)):
            if self._labels[axis] != text:
                self.set_label(axis, text)
            low, high = view.limits[axis]
            self.set_range(axis, low, high)
            unit = view.space in UNIT_SPACES or (axis == 0 and high == 1)
            self.set_ticks(axis, UNIT_TICKS if unit else round_ticks(low, high))

    def _roc(self, state: ROCState, result: ROCResult) -> None:
        """Show what is known in ROC space alone, and the few vertices that draw curve and hull."""
        curve = result.curve
        self._line(self.curve, (curve.thinned.fpr, curve.thinned.tpr))
        if result.band is not None:
            update_mark(
                self.band,
                x=np.array([result.band.fpr] * 2),
                y=np.array([result.band.lower, result.band.upper]),
            )
        show(self.band, result.band is not None)
        hull = curve.hull_thinned
        self._line(self.hull, (hull.fpr, hull.tpr), state.show_hull)
        update_mark(self.vertices, x=hull.fpr, y=hull.tpr)
        show(self.vertices, state.show_hull and len(hull.fpr) <= 40)
        few = len(curve.segments) <= MOST_CORNERS
        if few:
            update_mark(self.corners, x=curve.segments.fpr[1:-1], y=curve.segments.tpr[1:-1])
        show(self.corners, few and len(curve.segments) > 1)

    def _write(self, state: ROCState, result: ROCResult, view: SpaceView) -> None:
        """Write what the lines are into the corner that the curve leaves free."""
        several = bool(result.others)
        (left, right), (low, high) = view.limits
        x, side = (0.985, "top") if several and view.space == "cost" else CORNERS[view.space]
        if result.segments.auc < 0.5 and view.space in ("roc", "gain"):
            x, side = 0.02, "top"
        align = "end" if x > 0.6 else "start" if x < 0.4 else "middle"
        key = x
        if several:
            x, key = (x - 0.04, x) if x > 0.5 else (x + 0.02, x - 0.02)
        place = left + x * (right - left)
        most = len(result.others)
        # as many of the others as have room, and as much of their names; "1 more" takes a name's
        counts = range(most if most < MOST_ROWS else MOST_ROWS - 2, -1, -1)
        for n_named, length in product([n for n in counts if n != most - 1], LENGTHS):
            rows, kinds = self._rows(state, result, view, n_named, length)
            if len(kinds) > MOST_NAMES and side == "top":
                # what the other lines are is told where fewer curves are in the way
                rows = [row for row in rows if not row[0].startswith(("same ", "dashed", "dotted"))]
            if view.space == "cost" and not several:
                rows.sort(key=lambda row: len(row[0]))  # below its curve the lowest has most room
            top = 0.96 if side == "top" else 0.02 + STEP * (len(rows) - 1)
            heights = low + (high - low) * (top - STEP * np.arange(len(rows)))
            texts = [text for text, _ in rows]
            if not (self.is_large and self._room_beside(view).covers(texts, place, heights, align)):
                break
        self._shown = [self._names[kind] for kind in kinds]
        if several and self.keys is not None:
            update_mark(
                self.keys,
                x=np.full(len(kinds), left + key * (right - left)),
                y=heights[: len(kinds)],
                colors=[colour(model_look(i)[0]) for i in kinds],
                opacities=[model_look(i)[3] for i in kinds],
            )
        update_mark(
            self.words,
            x=np.full(len(rows), place),
            y=heights,
            text=np.array(texts),
            colors=[colour(role) for _, role in rows],
            align=align,
            visible=self.is_large,
        )
        # among many curves the sentence names it, in its colour
        self._name_best(view, wanted=len(kinds) <= MOST_NAMES)

    def _rows(
        self, state: ROCState, result: ROCResult, view: SpaceView, n_named: int, length: int
    ) -> tuple[list[tuple[str, str]], list[int]]:
        """Return rows of words with their inks, and the numbers of the models that they name."""
        words = SPACES[view.space]
        area = f", {words.area} {{}}" if words.area else ""

        def caption(name: str, value: float) -> str:
            return name + area.format(number(value))

        names = result.others
        several = bool(names)
        short = short_names(self._names, length)
        name = short[result.model] if several else "curve"
        rows: list[tuple[str, str]] = []
        kinds = [self._names.index(result.model)]
        ink = model_look(kinds[0])[2]
        if view.space == "cost":
            best = f"{name}, best cut" if len(names) < MOST_NAMES else name
            rows.append((caption(best if several else "best cut", view.hull.area), ink))
        else:
            rows.append((caption(name, view.curve.area), ink))
        if area and several:
            area = ", {}"  # the model in front has said what the numbers are
        pairs = zip(names, view.others, strict=True)
        named = [(other, behind) for (other, *_), behind in pairs if behind is not None]
        sign = 1 if view.space in ("cost", "brier") else -1
        named = sorted(named, key=lambda pair: sign * pair[1].area)
        for other, behind in named[:n_named]:
            kinds.append(self._names.index(other))
            rows.append((caption(short[other], behind.area), model_look(kinds[-1])[2]))
        if len(named) > n_named:
            rows.append((f"{len(named) - n_named} more: see the table", "muted"))
        if view.union is not None and state.show_hull:
            rows.append((caption("hull over all", view.union.area), "hull-text"))
        elif state.show_hull and view.space != "cost":
            rows.append((caption(words.hull, view.hull.area), "hull-text"))
        if state.metric != "none":
            name = metric_label(state.metric, state.beta)
            rows.append((f"same {name}: {number(result.metric_value)}", "held-text"))
        if result.band is not None and view.space == "roc":
            band = f"{percent(result.band.confidence)} band ({result.band.method})"
            rows.append((band, "muted"))
        if len(view.held_line[0]):
            rows.append((f"dashed: threshold {score_text(state.threshold)} kept", "held-text"))
        if view.space != "roc":
            rows.append((f"dotted: {view.no_skill}", "muted"))
        return rows, kinds

    def _room_beside(self, view: SpaceView) -> Room:
        """Return the room that the curves leave; they do not move with the point held."""
        lines = [mark for mark in (self.curve, self.hull, *self.others) if mark.visible]
        seen = [view.limits, *(ends for mark in lines for ends in (mark.x, mark.y))]
        known, room = self._beside
        if len(seen) != len(known) or any(a is not b for a, b in zip(seen, known, strict=True)):
            room = Room(*view.limits)
            for mark in lines:
                room.take(mark.x, mark.y)
            self._beside = seen, room
        return room

    def _name_best(self, view: SpaceView, *, wanted: bool) -> None:
        """Write near the ring what it is, where neither curves nor words nor the handle are."""
        wide = float(np.diff(view.limits[0])[0])
        ends = np.transpose(view.limits)  # points of precision-recall gain may be infinitely far
        away = np.subtract(np.clip(view.best, *ends), np.clip(view.held, *ends))
        gap = np.hypot(*(away / (ends[1] - ends[0])))
        place = None
        if wanted and self.is_large and gap > 0.1:
            room = self._room_beside(view).copy()
            for mark in self.yielding:
                if mark.visible and mark is not self.cuts:
                    room.take(mark.x, mark.y, spare=mark not in (self.isometric, self.held_line))
            for x, y in (view.best, view.held):
                room.take_dots([x], [y], 0.035)
            room.take(view.held[0] + np.array([0.0, 0.14]) * wide, view.held[1])  # its word
            room.take_words(self.words)
            place = room.place(self.best.text[0], *view.best)
        show(self.best, place is not None)
        if place is not None:
            update_mark(self.best, x=np.array(place[:1]), y=np.array(place[1:]))
