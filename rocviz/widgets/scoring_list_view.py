"""How the scoring list explorer's result is drawn with bqplot: one stage, and all stages.

Draws; computes nothing. What is dragged is handed to the callbacks it was given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bqplot
import ipywidgets
import numpy as np
from matplotlib.ticker import MaxNLocator

from rocviz.theme import get_theme
from rocviz.widgets.ensemble_layout import spread
from rocviz.widgets.parts import DESK, Handle, colour, control, figure, label, line, put
from rocviz.widgets.scoring_list_words import QUANTITY_NAMES
from rocviz.words import number, percent

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocviz.widgets.scoring_list_result import ScoringListResult
    from rocviz.widgets.scoring_list_state import ScoringListState

__all__ = ["CurvesPanel", "StagePanel", "curve_rows"]

AREA = np.pi / 4 * DESK.handle**2
TICKS = MaxNLocator(6, steps=[1, 2, 2.5, 5, 10])
ZONES = (("negative", "lower", 0.0), ("positive", "upper", 1.0))


def _dots(fig: bqplot.Figure, thing: str, *, fill: str | None = None, **looks: Any) -> Any:
    return bqplot.Scatter(
        x=np.array([0.0]),
        y=np.array([0.0]),
        scales={"x": fig.scale_x, "y": fig.scale_y},
        colors=[colour(fill or thing)],
        stroke=colour(thing),
        apply_clip=False,
        **looks,
    )


def _zones(fig: bqplot.Figure) -> dict[str, Any]:
    """Return what lies beyond each limit, and the limit as a line."""
    made = {}
    for thing, name, _end in ZONES:
        made[f"{name} zone"] = line(
            fig,
            thing,
            fill="between",
            fill_colors=[colour(thing)],
            fill_opacities=[0.13],
            opacities=[0.0, 0.0],
        )
        made[name] = line(fig, thing, stroke_width=1.8)
    return made


def _draw_zones(marks: dict[str, Any], state: ScoringListState, left: float, right: float) -> None:
    x = np.array([left, right])
    for _thing, name, end in ZONES:
        level = getattr(state, name)
        put(marks[f"{name} zone"], x=x, y=np.array([[level, level], [end, end]]))
        put(marks[name], x=x, y=np.array([level, level]))


def _whole_ticks(low: int, high: int, most: int) -> np.ndarray:
    every = next(e for e in (1, 2, 5, 10, 20, 50, 100, 10**6) if (high - low) / e < most)
    return np.arange(-(-low // every) * every, high + 1, every)


class _Words:
    """Short lines of words on a figure, each in a colour, at places of their own."""

    def __init__(self, fig: bqplot.Figure, align: str) -> None:
        self.mark = label(fig, "text", text=[""], align=align)
        fig.add_class("rocviz-halo")

    def write(self, rows: list[tuple[float, float, str, str]]) -> None:
        rows = rows or [(0.0, 0.0, "", "text")]
        put(
            self.mark,
            x=np.array([row[0] for row in rows]),
            y=np.array([row[1] for row in rows]),
            text=np.array([row[2] for row in rows]),
            colors=[colour(row[3]) for row in rows],
        )


class StagePanel:
    """Probability with its intervals against the total, and two limits to drag."""

    def __init__(
        self, on_lower: Callable[[float], None], on_upper: Callable[[float], None]
    ) -> None:
        fig = self.figure = figure("total score", "probability of a positive", x_ticks=[0])
        self.zones = _zones(fig)
        self.cost = line(fig, "optimum", line_style="dashed", stroke_width=1.8)
        self.intervals = line(fig, "hull", opacities=[0.35], stroke_width=9.0)
        self.curve = line(fig, "hull", line_style="dashed", stroke_width=2.0)
        self.seen = _dots(fig, "hull", default_size=90)
        self.unseen = _dots(fig, "hull", fill="paper", default_size=70, stroke_width=1.8)
        self.happened = line(fig, "ranking", stroke_width=3.0)
        self.column = line(fig, "text", stroke_width=1.2)
        self.case = _dots(fig, "text", fill="hull", default_size=260, stroke_width=3.5)
        self.left, self.right = _Words(fig, "start"), _Words(fig, "end")
        self.handles = {
            "lower": Handle(fig, lambda _x, y: on_lower(y), restrict_y=True),
            "upper": Handle(fig, lambda _x, y: on_upper(y), restrict_y=True),
        }
        fig.marks = [
            *self.zones.values(),
            self.cost,
            self.intervals,
            self.column,
            self.curve,
            self.unseen,
            self.seen,
            self.happened,
            self.case,
            self.left.mark,
            self.right.mark,
            *self.handles["lower"].marks,
            *self.handles["upper"].marks,
        ]
        self.heading, self.legend = ipywidgets.HTML(), ipywidgets.HTML()
        self.box = control(ipywidgets.VBox([self.heading, fig, self.legend]), "rocviz-panel")

    def draw(self, state: ScoringListState, result: ScoringListResult) -> None:
        """Show a result."""
        stages, k = result.scoring_list.stages, state.stage
        stage = stages[k]
        low = min(int(each.totals[-1]) for each in stages)
        high = max(int(each.totals[0]) for each in stages)
        left, right = low - 0.06 * (high - low) - 0.4, high + 0.1 * (high - low) + 0.5
        x = self.figure.scale_x
        if (x.min, x.max) != (left, right):
            x.min, x.max = left, right
            self.figure.axes[0].tick_values = _whole_ticks(low, high, 11)
        counted = "Before any question" if k == 0 else f"After {k} of {len(stages) - 1} questions"
        self.heading.value = f"<h3>{counted}</h3>"
        _draw_zones(self.zones, state, left, right)
        turn = 1 / (1 + state.cost_fn)
        put(self.cost, x=np.array([left, right]), y=np.array([turn, turn]))
        totals, p = stage.totals.astype(float), stage.probability
        put(self.curve, x=totals, y=p)
        seen = stage.n > 0 if stage.has_counts else np.ones(p.size, dtype=bool)
        self._some(self.seen, totals[seen], p[seen])
        self._some(self.unseen, totals[~seen], p[~seen])
        self._intervals(result, k, totals)
        self._happened(stage, totals)
        on_path = k <= result.walk.stage
        if on_path:
            total, at = float(result.walk.totals[k]), float(result.walk.probability[k])
            put(self.case, x=np.array([total]), y=np.array([at]))
            put(self.column, x=np.array([total, total]), y=np.array([0.0, 1.0]))
        for mark in (self.case, self.column):
            self._show(mark, on_path)
        for name, handle in self.handles.items():
            handle.place(right, getattr(state, name))
        self._write(state, totals, p, turn)
        dot = f'<span style="color:{colour("hull-text")}">●</span>'
        parts = [f"{dot} what the list says"]
        if stage.has_counts:
            parts.append("— what happened")
            if not seen.all():
                parts.append("○ nobody had it")
            sure = percent(state.confidence).replace(" ", "\u00a0")
            parts.append(f"bars: {sure} intervals")
        parts.append(f"positive > {percent(turn)}: at the end of the list".replace(" %", "\u00a0%"))
        self.legend.value = f'<div class="rocviz-legend inset muted">{", ".join(parts)}</div>'

    @staticmethod
    def _show(mark: Any, shown: bool) -> None:
        if mark.visible != shown:
            mark.visible = shown

    def _some(self, mark: Any, x: np.ndarray, y: np.ndarray) -> None:
        if x.size:
            put(mark, x=x, y=y)
        self._show(mark, bool(x.size))

    def _intervals(self, result: ScoringListResult, k: int, totals: np.ndarray) -> None:
        self._show(self.intervals, result.bands is not None)
        if result.bands is not None:
            band = result.bands[k]
            put(
                self.intervals,
                x=np.column_stack((totals, totals)),
                y=np.column_stack((band.lower, band.upper)),
            )

    def _happened(self, stage: Any, totals: np.ndarray) -> None:
        self._show(self.happened, stage.has_counts)
        if stage.has_counts:
            some = stage.n > 0
            x, share = totals[some], (stage.pos / np.where(some, stage.n, 1))[some]
            put(
                self.happened,
                x=np.column_stack((x - 0.28, x + 0.28)),
                y=np.column_stack((share, share)),
            )

    def _write(
        self, state: ScoringListState, totals: np.ndarray, p: np.ndarray, turn: float
    ) -> None:
        """Write what the lines mean, each on the side where the curve is farther from it."""
        x = self.figure.scale_x
        height = 0.062 * get_theme().font / 14
        rows: dict[bool, list[tuple[float, str, str]]] = {True: [], False: []}
        for level, text, thing in (
            (state.upper, f"stop ≥ {percent(state.upper)}", "positive-text"),
            (turn, f"positive > {percent(turn)}", "optimum-text"),
            (state.lower, f"stop ≤ {percent(state.lower)}", "negative-text"),
        ):
            crossing = float(np.interp(level, p[::-1], totals[::-1]))
            rows[crossing > (x.min + x.max) / 2].append((level, text, thing))
        for at_left, words in ((True, self.left), (False, self.right)):
            near, far = x.min + 0.02 * (x.max - x.min), x.max - 0.06 * (x.max - x.min)
            some = rows[at_left]
            wanted = np.array([level + 0.6 * height for level, *_ in some])
            places = spread(wanted, height, 0.0, 1.0) if some else wanted
            words.write(
                [
                    (near if at_left else far, float(y), text, thing)
                    for y, (_, text, thing) in zip(places, some, strict=True)
                ]
            )


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
        self.zones = _zones(fig)
        self.held = line(fig, "held", stroke_width=1.8)
        self.reached = _dots(fig, "hull", fill="hull-soft", default_size=60, stroke_width=0.5)
        self.intervals = line(fig, "hull", opacities=[0.35], stroke_width=9.0)
        self.came = line(fig, "reference", line_style="dotted", stroke_width=2.0)
        self.came_test = line(fig, "reference", line_style="dotted", stroke_width=2.0)
        self.train = line(fig, "ranking")
        self.test = line(fig, "second", line_style="dashed")
        self.dots = _dots(fig, "text", default_size=120)
        self.words = _Words(fig, "end")
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
            self.figure.axes[0].tick_values = _whole_ticks(0, size, 12)
        of_case = state.quantity == "probability"
        for mark in (*self.zones.values(), self.reached, self.dots):
            self._show(mark, of_case)
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

    @staticmethod
    def _show(mark: Any, shown: bool) -> None:
        if mark.visible != shown:
            mark.visible = shown

    def _path(self, state: ScoringListState, result: ScoringListResult) -> tuple[float, float]:
        """Draw every probability the list can give, and the case's way through them."""
        x = self.figure.scale_x
        _draw_zones(self.zones, state, x.min, x.max)
        stages, way = result.scoring_list.stages, result.walk
        put(
            self.reached,
            x=np.concatenate([np.full(len(stage), float(k)) for k, stage in enumerate(stages)]),
            y=np.concatenate([stage.probability for stage in stages]),
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
            self._show(mark, shown)
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
            self._show(mark, True)
        for mark in (self.intervals, *(mark for rest in marks.values() for mark in rest)):
            self._show(mark, False)
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
