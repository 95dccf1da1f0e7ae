"""One stage of a scoring list, drawn with bqplot, and two limits to drag.

Draws; computes nothing. What is dragged is handed to the callbacks it was given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bqplot
import ipywidgets
import numpy as np
from matplotlib.ticker import MaxNLocator

from rocviz.theme import get_theme
from rocviz.widgets.base.layout import spread
from rocviz.widgets.base.parts import Handle, colour, control, figure, label, line, put
from rocviz.words import percent

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocviz.widgets.scoring_lists.result import ScoringListResult
    from rocviz.widgets.scoring_lists.state import ScoringListState

__all__ = ["StagePanel", "Words", "dots", "draw_zones", "show", "whole_ticks", "zones"]

MOST = 150  # totals that can be told apart
ZONES = (("negative", "lower", 0.0), ("positive", "upper", 1.0))


def dots(fig: bqplot.Figure, thing: str, *, fill: str | None = None, **looks: Any) -> Any:
    """Return dots on a figure in the colour of a thing, filled in that of another."""
    return bqplot.Scatter(
        x=np.array([0.0]),
        y=np.array([0.0]),
        scales={"x": fig.scale_x, "y": fig.scale_y},
        colors=[colour(fill or thing)],
        stroke=colour(thing),
        apply_clip=False,
        **looks,
    )


def zones(fig: bqplot.Figure) -> dict[str, Any]:
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


def draw_zones(marks: dict[str, Any], state: ScoringListState, left: float, right: float) -> None:
    """Put zones where the limits are held."""
    x = np.array([left, right])
    for _thing, name, end in ZONES:
        level = getattr(state, name)
        put(marks[f"{name} zone"], x=x, y=np.array([[level, level], [end, end]]))
        put(marks[name], x=x, y=np.array([level, level]))


def whole_ticks(low: int, high: int, most: int) -> np.ndarray:
    """Return whole numbers within limits, not more than so many."""
    ticks = np.asarray(MaxNLocator(most, integer=True).tick_values(low, high))
    return ticks[(ticks >= low) & (ticks <= high)]


def show(mark: bqplot.Mark, shown: bool) -> None:
    """Show a mark or hide it."""
    if mark.visible != shown:
        mark.visible = shown


class Words:
    """Short lines of words on a figure, each in a colour, at places of their own."""

    def __init__(self, fig: bqplot.Figure, align: str) -> None:
        self.mark = label(fig, "text", text=[""], align=align)
        fig.add_class("rocviz-halo")

    def write(self, rows: list[tuple[float, float, str, str]]) -> None:
        """Show rows of (x, y, text, thing)."""
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
        self.zones = zones(fig)
        self.cost = line(fig, "optimum", line_style="dashed", stroke_width=1.8)
        self.intervals = line(fig, "hull", opacities=[0.35], stroke_width=9.0)
        self.curve = line(fig, "hull", line_style="dashed", stroke_width=2.0)
        self.seen = dots(fig, "hull", default_size=90)
        self.unseen = dots(fig, "hull", fill="paper", default_size=70, stroke_width=1.8)
        self.happened = line(fig, "ranking", stroke_width=3.0)
        self.column = line(fig, "text", stroke_width=1.2)
        self.case = dots(fig, "text", fill="hull", default_size=260, stroke_width=3.5)
        self.left, self.right = Words(fig, "start"), Words(fig, "end")
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
            self.figure.axes[0].tick_values = whole_ticks(low, high, 11)
        counted = "Before any question" if k == 0 else f"After {k} of {len(stages) - 1} questions"
        self.heading.value = f"<h3>{counted}</h3>"
        draw_zones(self.zones, state, left, right)
        turn = 1 / (1 + state.cost_fn)
        put(self.cost, x=np.array([left, right]), y=np.array([turn, turn]))
        some = np.unique(np.linspace(0, len(stage) - 1, MOST).round().astype(int))
        totals, p = stage.totals[some].astype(float), stage.probability[some]
        put(self.curve, x=totals, y=p)
        seen = stage.n[some] > 0 if stage.has_counts else np.ones(p.size, dtype=bool)
        self._some(self.seen, totals[seen], p[seen])
        self._some(self.unseen, totals[~seen], p[~seen])
        show(self.intervals, result.bands is not None)
        if result.bands is not None:
            band = result.bands[k]
            put(
                self.intervals,
                x=np.column_stack((totals, totals)),
                y=np.column_stack((band.lower[some], band.upper[some])),
            )
        show(self.happened, stage.has_counts)
        if stage.has_counts:
            at, half = totals[seen], max(0.28, 0.01 * (high - low))
            share = stage.counts[0][some][seen] / stage.n[some][seen]
            put(
                self.happened,
                x=np.column_stack((at - half, at + half)),
                y=np.column_stack((share, share)),
            )
        on_path = k <= result.walk.stage
        if on_path:
            total, at = float(result.walk.totals[k]), float(result.walk.probability[k])
            put(self.case, x=np.array([total]), y=np.array([at]))
            put(self.column, x=np.array([total, total]), y=np.array([0.0, 1.0]))
        for mark in (self.case, self.column):
            show(mark, on_path)
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
        above = f"positive > {percent(turn)}".replace(" ", "\u00a0")
        parts.append(f"{above}: at the end of the list")
        self.legend.value = f'<div class="rocviz-legend inset muted">{", ".join(parts)}</div>'

    def _some(self, mark: Any, x: np.ndarray, y: np.ndarray) -> None:
        if x.size:
            put(mark, x=x, y=y)
        show(mark, bool(x.size))

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
            # above the line, or below where there is no room
            lift = [0.6 if level < 1 - height else -0.6 for level, *_ in some]
            wanted = np.array([row[0] for row in some]) + np.array(lift) * height
            places = spread(wanted, height, 0.0, 1.0) if some else wanted
            words.write(
                [
                    (near if at_left else far, float(y), text, thing)
                    for y, (_, text, thing) in zip(places, some, strict=True)
                ]
            )
