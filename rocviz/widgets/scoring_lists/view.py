"""One stage of a scoring list, drawn with bqplot, and two limits to drag.

Draws; computes nothing. What is dragged is handed to the callbacks it was given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from rocviz.widgets.base.panel import FigurePanel
from rocviz.widgets.base.parts import Handle, Words, colour, dots, line, put, show
from rocviz.widgets.scoring_lists.places import Box, free_place, text_box
from rocviz.words import percent

if TYPE_CHECKING:
    from collections.abc import Callable

    import bqplot
    from numpy.typing import NDArray

    from rocviz.core.scoring_lists.stage import ScoringStage
    from rocviz.widgets.scoring_lists.result import ScoringListResult
    from rocviz.widgets.scoring_lists.state import ScoringListState

MOST = 150  # totals that can be told apart
ZONES = (("negative", "lower", 0.0), ("positive", "upper", 1.0))

#: Ticks of an axis of probabilities; the list and the rail are in per cent too.
PERCENT = {0.0: "0", 0.25: "25", 0.5: "50", 0.75: "75", 1.0: "100"}


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


def whole_ticks(low: int, high: int, most: int) -> NDArray[np.float64]:
    """Return whole numbers within limits, not more than so many."""
    ticks = np.asarray(MaxNLocator(most, integer=True).tick_values(low, high))
    return ticks[(ticks >= low) & (ticks <= high)]


def limit_rows(state: ScoringListState, *, large: bool) -> list[tuple[float, str, str]]:
    """Return what is written at the lines of a stage: level, words, colour of the words."""
    if not large:
        return [
            (state.upper, "positive", "positive-text"),
            (state.lower, "negative", "negative-text"),
        ]
    turn = 1 / (1 + state.cost_fn)
    return [
        (state.upper, f"positive from {percent(state.upper)}", "positive-text"),
        (state.lower, f"negative up to {percent(state.lower)}", "negative-text"),
        (turn, f"cut at the end: {percent(turn)}", "optimum-text"),
    ]


class StagePanel(FigurePanel):
    """Probability with its intervals against the total, and two limits to drag."""

    def __init__(
        self, on_lower: Callable[[float], None], on_upper: Callable[[float], None]
    ) -> None:
        super().__init__(
            "total score",
            "probability of a positive, %",
            x_ticks=(),
            y_ticks=PERCENT,
            square=False,
            pad=0.03,
        )
        fig = self.figure
        self.zones = zones(fig)
        self.cost = line(fig, "optimum", line_style="dashed", stroke_width=1.8)
        self.intervals = line(fig, "hull", opacities=[0.35], stroke_width=9.0)
        self.column = line(fig, "text", stroke_width=1.2)
        self.curve = line(fig, "hull", line_style="dashed", stroke_width=2.0)
        self.unseen = dots(fig, "hull", fill="paper", default_size=70, stroke_width=1.8)
        self.seen = dots(fig, "hull", default_size=90)
        self.happened = line(fig, "ranking", stroke_width=3.0)
        self.case = dots(fig, "text", fill="hull", default_size=230, stroke_width=3.5)
        self.words = {align: Words(fig, align) for align in ("start", "end")}
        self.lower = Handle(fig, lambda _x, y: on_lower(y), restrict_y=True, hint=False)
        self.upper = Handle(fig, lambda _x, y: on_upper(y), restrict_y=True)
        self.add_marks()
        self.yielding = (self.column,)

    def draw(self, state: ScoringListState, result: ScoringListResult) -> None:
        """Show a result."""
        stages, k = result.scoring_list.stages, state.stage
        stage = stages[k]
        low = min(int(each.totals[-1]) for each in stages)
        high = max(int(each.totals[0]) for each in stages)
        # room at the right for what is dragged
        left, right = low - 0.5, high + 0.5 + 0.08 * (high - low)
        self.set_range(0, left, right)
        self.set_ticks(0, whole_ticks(low, high, 11 if self.is_large else 3))
        x = self.figure.scale_x
        draw_zones(self.zones, state, x.min, x.max)
        turn = 1 / (1 + state.cost_fn)
        put(self.cost, x=np.array([x.min, x.max]), y=np.array([turn, turn]))
        show(self.cost, self.is_large)
        self._draw_stage(stage, result, k, 0.28 if high - low < 30 else 0.01 * (high - low))
        on_path = k <= result.walk.stage
        if on_path:
            total, at = float(result.walk.totals[k]), float(result.walk.probability[k])
            put(self.case, x=np.array([total]), y=np.array([at]))
            put(self.column, x=np.array([total, total]), y=np.array([0.0, 1.0]))
        for mark in (self.case, self.column):
            show(mark, on_path)
        self.lower.place(right, state.lower)
        self.upper.place(right, state.upper)
        self._write(state, stage, None if result.bands is None else result.bands[k])

    def _draw_stage(
        self, stage: ScoringStage, result: ScoringListResult, k: int, half: float
    ) -> None:
        some = np.unique(np.linspace(0, len(stage) - 1, MOST).round().astype(int))
        totals, p = stage.totals[some].astype(float), stage.probability[some]
        put(self.curve, x=totals, y=p)
        seen = stage.n[some] > 0 if stage.has_counts else np.ones(p.size, dtype=bool)
        for mark, which in ((self.seen, seen), (self.unseen, ~seen)):
            if which.any():
                put(mark, x=totals[which], y=p[which])
            show(mark, bool(which.any()))
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
            at = totals[seen]
            share = stage.counts[0][some][seen] / stage.n[some][seen]
            put(
                self.happened,
                x=np.column_stack((at - half, at + half)),
                y=np.column_stack((share, share)),
            )

    def _write(self, state: ScoringListState, stage: ScoringStage, band: Any) -> None:
        """Write what the lines and marks mean, where least is in the way."""
        x = self.figure.scale_x
        span = x.max - x.min
        letter, height = (0.027, 0.058) if self.is_large else (0.048, 0.12)
        ends = (stage.probability, stage.probability)
        if band is not None:
            ends = (band.lower, band.upper)
        at = (stage.totals - x.min) / span
        taken = [
            Box(float(t) - 0.02, float(lo) - 0.02, float(t) + 0.02, float(hi) + 0.02)
            for t, lo, hi in zip(at, *ends, strict=True)
        ]
        along = np.linspace(at.min(), at.max(), 4 * at.size)
        order = np.argsort(at)
        between = np.interp(along, at[order], stage.probability[order])
        taken += [
            Box(u - 0.01, v - 0.01, u + 0.01, v + 0.01) for u, v in zip(along, between, strict=True)
        ]
        rows = limit_rows(state, large=self.is_large)
        taken += [Box(0.0, level - 0.004, 1.0, level + 0.004) for level, *_ in rows]
        if state.stage <= state.result.walk.stage:
            case = (float(state.result.walk.totals[state.stage]) - x.min) / span
            at_case = float(state.result.walk.probability[state.stage])
            wide, tall = (0.03, 0.04) if self.is_large else (0.07, 0.1)
            taken.append(Box(case - wide, at_case - tall, case + wide, at_case + tall))
        right = 0.9
        taken += [
            Box(right, level - 0.04, 1.0, level + 0.04) for level in (state.lower, state.upper)
        ]
        written: dict[str, list[tuple[float, float, str, str]]] = {"start": [], "end": []}
        blocks: list[tuple[list[tuple[str, str]], float | None]] = [
            ([(text, thing)], level) for level, text, thing in rows
        ]
        if self.is_large:
            blocks.append((self._key(state, stage, band), None))
        for lines, level in blocks:
            wide = letter * max(len(text) for text, _ in lines)
            tall = height * len(lines)
            places = [
                (align, y)
                for y in (
                    np.linspace(1 - tall / 2, tall / 2, 12)
                    if level is None
                    else level + height * np.array([0.55, -0.55, 1.4, -1.4, 2.3, -2.3, 3.2])
                )
                for align in ("start", "end")
            ]
            boxes = [
                text_box(0.015 if align == "start" else right, float(y), wide, tall, align)
                for align, y in places
            ]
            best = free_place(boxes, taken)
            align, y = places[best]
            taken.append(boxes[best])
            for i, (text, thing) in enumerate(lines):
                put_at = x.min + span * (0.015 if align == "start" else right)
                up = float(y) + tall / 2 - (i + 0.5) * height
                written[align].append((put_at, up, text, thing))
        for align, some in written.items():
            self.words[align].write(some)

    def _key(
        self, state: ScoringListState, stage: ScoringStage, band: Any
    ) -> list[tuple[str, str]]:
        rows = [("● what the list says", "hull-text")]
        if stage.has_counts:
            rows.append(("— what happened", "text"))
            if not (stage.n > 0).all():
                rows.append(("○ nobody had it", "muted"))
        if band is not None:
            rows.append((f"bars: {percent(state.confidence)} intervals", "muted"))
        return rows
