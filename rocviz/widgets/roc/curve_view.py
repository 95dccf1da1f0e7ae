"""The ROC explorer's picture of curves, in ROC space or any other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from rocviz.core.roc.metrics import metric_label
from rocviz.displays.curve_spaces.spaces import SPACES, UNIT_SPACES
from rocviz.pictures.marks import Band, Dots, Handle, Line, Mark, Words, ring, words
from rocviz.pictures.models import model_look
from rocviz.pictures.picture import Axis, Picture
from rocviz.pictures.room import Room
from rocviz.pictures.ticks import UNIT_TICKS, round_ticks
from rocviz.widgets.roc.result import ROCResult
from rocviz.widgets.roc.spaces import SpaceView
from rocviz.widgets.roc.state import ROCState
from rocviz.words import number, percent, score_text, short_names

MOST_CORNERS = 60  # beyond this, corners are too close to be clicked
MOST_VERTICES = 40
MOST_ROWS = 6  # of words about models beside the curves; all are in the table
MOST_NAMES = 4  # beside which there is room above a curve for more words
WORDS_FROM = 0.2  # where words at the right may begin, as a share of the width
LENGTHS = (18, 12)  # of a name, as there is room
STEP = 0.056  # from one line of words to the next, as a share of the height
BEST = "best for these costs"

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
NOWHERE: Any = ((), ())


def curve_picture(name: str, state: ROCState, result: ROCResult, is_large: bool) -> Picture:
    """Draw the curve, its hull, the point held and the best one; in ROC space band and corners.

    ``name`` is that of the picture, of which each may show another space.
    """
    return _Curves(state, result, result.views[state.space_of(name)], is_large).picture()


@dataclass(frozen=True)
class _Curves:
    """The picture of one space."""

    state: ROCState
    result: ROCResult
    view: SpaceView
    is_large: bool

    def picture(self) -> Picture:
        """Draw curves, and words where these leave room."""
        view, state = self.view, self.state
        chance = [*view.chance, NOWHERE][:2]
        isometric = view.isometric if state.metric != "none" else NOWHERE
        one = len(isometric[0]) == 1
        helps: dict[str, Any] = {"yields": True, "width": 1.8}
        x, y = self.axes
        picture = Picture(
            x,
            y,
            (
                self._band(),
                Line(
                    "cuts",
                    "ranking",
                    *_or(view.cuts, not view.others),
                    width=1.0,
                    opacities=(0.16,),
                    yields=True,
                ),
                *(
                    Line(f"chance {i}", "reference", *at, dash="dotted", width=1.5, yields=True)
                    for i, at in enumerate(chance)
                ),
                *self._models(),
                Line("cost line", "optimum", *view.best_line, **helps),
                Line("held line", "held", *view.held_line, dash="dashed", **helps),
                Line("isometric", "held", *_or(isometric, not one), **helps),
                Line("curve", model_look(self.front)[0], *self.curve),
                Line("hull", "hull", *self.hull, dash="dashed"),
                *self._points(),
                Dots("meeting", "held", *_or(isometric, one), size=70),
                words("words", []),
                *([Dots("keys", "ranking")] if self.several else []),
                words("best", []),
                ring("ring", "optimum", *_or(np.transpose([view.best]), np.isfinite(view.best[1]))),
                Handle("point", "held", *np.transpose([view.held])),
            ),
            is_large=self.is_large,
        )
        return self._with_best(picture.with_marks(*self._words())) if self.is_large else picture

    # ------------------------------------------------------------------ models

    @cached_property
    def names(self) -> list[str]:
        """Of all models, in the order they were given."""
        return list(self.state.data.scores)

    @cached_property
    def front(self) -> int:
        """Number of the model in front."""
        return self.names.index(self.result.model)

    @property
    def several(self) -> bool:
        """Whether there are models behind."""
        return len(self.names) > 1

    @cached_property
    def behind(self) -> dict[str, Any]:
        """Lines of the models behind."""
        lines = {}
        for other, (name, curve, _) in zip(self.view.others, self.result.others, strict=True):
            at = NOWHERE if other is None else other.thin()
            if self.view.space == "roc":
                at = curve.thinned.fpr, curve.thinned.tpr
            lines[name] = at
        return lines

    def _models(self) -> list[Mark]:
        """Draw the models behind, each in its colour, below them which is best where."""
        if not self.several:
            return []
        pieces = self.view.stretches if self.state.show_hull else ()
        most = max((len(x) for _, (x, _) in pieces), default=0)
        x, y = (
            np.array([np.pad(at[k], (0, most - len(at[k])), mode="edge") for _, at in pieces])
            for k in (0, 1)
        )
        inks = [model_look(i)[0] for i, _ in pieces]
        marks: list[Mark] = [
            Line(
                "stretches", "hull", x, y, each=inks, opacities=(0.45,), width=9.0, in_the_way=False
            )
        ]
        for i, name in enumerate(self.names):
            role, dash, _, opacity, _ = model_look(i)
            at = self.behind.get(name, NOWHERE)
            looks: dict[str, Any] = {"dash": dash, "opacities": (opacity,), "keys": (name,)}
            marks.append(Line(f"model:{i}", role, *at, width=2.0, **looks))
        return marks

    # ------------------------------------------------------------------ curve and hull

    @cached_property
    def curve(self) -> Any:
        """The line of the model in front; in cost space that of its best cuts."""
        view = self.view
        if view.space == "roc":
            return self.result.curve.thinned.fpr, self.result.curve.thinned.tpr
        if view.space == "cost":
            return view.hull.thin() if self.several else NOWHERE
        return view.curve.thin()

    @cached_property
    def hull(self) -> Any:
        """The line of its hull, or of the one over all models."""
        view, shown = self.view, self.state.show_hull
        if view.union is not None:
            return _or(view.union.thin(), shown)
        if view.space == "roc":
            hull = self.result.curve.hull_thinned
            return _or((hull.fpr, hull.tpr), shown)
        if view.space == "cost":
            return _or(view.hull.thin(), not self.several)
        return _or(view.hull.thin(), shown)

    def _band(self) -> Band:
        band = self.result.band
        if band is None or self.view.space != "roc":
            return Band("band", "ranking")
        return Band("band", "ranking", band.fpr, (band.lower, band.upper))

    def _points(self) -> list[Mark]:
        """Draw the vertices of the hull, and corners of the curve that can be clicked."""
        view, curve = self.view, self.result.curve
        in_roc = view.space == "roc"
        hull, kinds, at = curve.hull_thinned, [], NOWHERE
        if in_roc and self.state.show_hull:
            at = (hull.fpr, hull.tpr)
            if view.union is not None:
                kinds = [model_look(i)[0] for i in view.owners]
                at = (view.union.at_x, view.union.at_y)
        few = in_roc and 1 < len(curve.segments) <= MOST_CORNERS
        segments = curve.segments
        corners = (segments.fpr[1:-1], segments.tpr[1:-1])
        return [
            Dots("vertices", "hull", *_or(at, len(at[0]) <= MOST_VERTICES), each=kinds, size=34),
            Dots("corners", "paper", *_or(corners, few), rim="ranking", size=60, width=1.8),
        ]

    # ------------------------------------------------------------------ axes

    @cached_property
    def axes(self) -> tuple[Axis, Axis]:
        """The axes, so high that the words of many models stand above their curves."""
        view, said = self.view, SPACES[self.view.space]
        (left, right), (low, high) = view.limits
        if (
            CORNERS[view.space] == (0.985, "top")
            and len(view.others) >= MOST_NAMES
            and self.is_large
        ):
            n_rows = min(len(view.others) + 1, MOST_ROWS) + 1
            curves = [view.curve, view.union or view.hull, *(one for one in view.others if one)]
            words_from = left + WORDS_FROM * (right - left)
            lines = [curve.thin() for curve in curves]
            below = [y[(x >= words_from) & (x <= right)] for x, y in lines]
            most = max(float(y.max()) for y in below if y.size)
            high = max(high, low + (most - low) / (0.92 - STEP * (n_rows - 1)))
        unit = view.space in UNIT_SPACES
        return (
            Axis(
                said.x, left, right, UNIT_TICKS if unit or right == 1 else round_ticks(left, right)
            ),
            Axis(said.y, low, high, UNIT_TICKS if unit else round_ticks(low, high)),
        )

    # ------------------------------------------------------------------ words

    @cached_property
    def room(self) -> Room:
        """The room that the curves leave; they do not move with the point held."""
        (left, right), (low, high) = ((axis.low, axis.high) for axis in self.axes)
        room = Room((left, right), (low, high))
        for at in (self.curve, self.hull, *self.behind.values()):
            if len(at[0]):
                room.take(*at)
        return room

    def _words(self) -> list[Mark]:
        """Write what the lines are into the corner that the curve leaves free."""
        view, several = self.view, self.several
        (left, right), (low, high) = ((axis.low, axis.high) for axis in self.axes)
        x, side = (0.985, "top") if several and view.space == "cost" else CORNERS[view.space]
        if self.result.segments.auc < 0.5 and view.space in ("roc", "gain"):
            x, side = 0.02, "top"
        align = "end" if x > 0.6 else "start" if x < 0.4 else "middle"
        key = x
        if several:
            x, key = (x - 0.04, x) if x > 0.5 else (x + 0.02, x - 0.02)
        place = left + x * (right - left)
        most = len(self.result.others)
        # as many of the others as have room, and as much of their names; "1 more" takes a name's
        counts = range(most if most < MOST_ROWS else MOST_ROWS - 2, -1, -1)
        for n_named, length in product([n for n in counts if n != most - 1], LENGTHS):
            rows, kinds = self._rows(n_named, length)
            if len(kinds) > MOST_NAMES and side == "top":
                # what the other lines are is told where fewer curves are in the way
                rows = [row for row in rows if not row[0].startswith(("same ", "dashed", "dotted"))]
            if view.space == "cost" and not several:
                rows.sort(key=lambda row: len(row[0]))  # below its curve the lowest has most room
            top = 0.96 if side == "top" else 0.02 + STEP * (len(rows) - 1)
            heights = low + (high - low) * (top - STEP * np.arange(len(rows)))
            if not self.room.covers([text for text, _ in rows], place, heights, align):
                break
        written = [(place, y, *row) for y, row in zip(heights.tolist(), rows, strict=True)]
        marks: list[Mark] = [words("words", written, align)]
        if several:
            looks = [model_look(i) for i in kinds]
            marks.append(
                Dots(
                    "keys",
                    "ranking",
                    np.full(len(kinds), left + key * (right - left)),
                    heights[: len(kinds)],
                    rim="paper",
                    each=[look[0] for look in looks],
                    opacities=[look[3] for look in looks],
                    keys=[self.names[i] for i in kinds],
                    size=90,
                )
            )
        return marks

    def _rows(self, n_named: int, length: int) -> tuple[list[tuple[str, str]], list[int]]:
        """Write rows of words with their inks, and list the models that they name."""
        state, result, view = self.state, self.result, self.view
        said = SPACES[view.space]
        area = f", {said.area} {{}}" if said.area else ""

        def caption(name: str, value: float) -> str:
            return name + area.format(number(value))

        others, several = result.others, self.several
        short = short_names(self.names, length)
        name = short[result.model] if several else "curve"
        kinds = [self.front]
        ink = model_look(self.front)[2]
        if view.space == "cost":
            best = f"{name}, best cut" if len(others) < MOST_NAMES else name
            rows = [(caption(best if several else "best cut", view.hull.area), ink)]
        else:
            rows = [(caption(name, view.curve.area), ink)]
        if area and several:
            area = ", {}"  # the model in front has said what the numbers are
        pairs = zip(others, view.others, strict=True)
        named = [(other, behind) for (other, *_), behind in pairs if behind is not None]
        sign = 1 if view.space in ("cost", "brier") else -1
        named = sorted(named, key=lambda pair: sign * pair[1].area)
        for other, behind in named[:n_named]:
            kinds.append(self.names.index(other))
            rows.append((caption(short[other], behind.area), model_look(kinds[-1])[2]))
        if len(named) > n_named:
            rows.append((f"{len(named) - n_named} more: see the table", "muted"))
        if view.union is not None and state.show_hull:
            rows.append((caption("hull over all", view.union.area), "hull-text"))
        elif state.show_hull and view.space != "cost":
            rows.append((caption(said.hull, view.hull.area), "hull-text"))
        if state.metric != "none":
            metric = metric_label(state.metric, state.beta)
            rows.append((f"same {metric}: {number(result.metric_value)}", "held-text"))
        if result.band is not None and view.space == "roc":
            band = f"{percent(result.band.confidence)} band ({result.band.method})"
            rows.append((band, "muted"))
        if len(view.held_line[0]):
            rows.append((f"dashed: threshold {score_text(state.threshold)} kept", "held-text"))
        if view.space != "roc":
            rows.append((f"dotted: {view.no_skill}", "muted"))
        return rows, kinds

    def _with_best(self, picture: Picture) -> Picture:
        """Write near the ring what it is, where neither curves nor words nor the handle are."""
        view = self.view
        low, high = np.transpose([(axis.low, axis.high) for axis in self.axes])
        # points of precision-recall gain may be infinitely far
        away = np.clip(view.best, low, high) - np.clip(view.held, low, high)
        # among many curves the sentence names it, in its colour
        named = len(picture["keys"].x) if self.several else 1
        if named > MOST_NAMES or np.hypot(*(away / (high - low))) <= 0.1:
            return picture
        room = self.room.copy()
        for name in ("chance 0", "chance 1", "cost line"):
            room.take(picture[name].x, picture[name].y, spare=True)
        for name in ("isometric", "held line"):
            room.take(picture[name].x, picture[name].y)
        for x, y in (view.best, view.held):
            room.take_dots([x], [y], 0.035)
        room.take(view.held[0] + np.array([0.0, 0.14]) * (high - low)[0], view.held[1])  # its word
        room.take_words(picture["words"])
        place = room.place(BEST, *view.best)
        return (
            picture.with_marks(
                Words("best", "optimum-text", *np.transpose([place]), text=[BEST], align="middle")
            )
            if place
            else picture
        )


def _or(at: Any, shown: Any) -> Any:
    """Keep points, or none where they are not shown."""
    return at if shown else NOWHERE
