"""One stage of a scoring list, drawn with bqplot, and two limits to drag."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from rocviz.widgets.base.panel import FigurePanel
from rocviz.widgets.base.parts import Handle, Words, colour, dots, line, show, update_mark
from rocviz.words import letters, percent

if TYPE_CHECKING:
    from collections.abc import Callable

    import bqplot
    from numpy.typing import NDArray

    from rocviz.core.scoring_lists.stage import ScoringStage
    from rocviz.widgets.scoring_lists.result import ScoringListResult
    from rocviz.widgets.scoring_lists.state import ScoringListState

MOST = 150  # totals that can be told apart
HANDLES_FROM = 0.9  # of the width, at the right
ZONES = (("negative", "lower", 0.0), ("positive", "upper", 1.0))

#: Ticks of an axis of probabilities; the list and the rail are in per cent too.
PERCENT = {0.0: "0", 0.25: "25", 0.5: "50", 0.75: "75", 1.0: "100"}


def zones(fig: bqplot.Figure) -> dict[str, Any]:
    """Make the zones beyond each limit, and the limits as lines."""
    marks = {}
    for role, name, _end in ZONES:
        marks[f"{name} zone"] = line(
            fig,
            role,
            fill="between",
            fill_colors=[colour(role)],
            fill_opacities=[0.13],
            opacities=[0.0, 0.0],
        )
        marks[name] = line(fig, role, stroke_width=1.8)
    return marks


def draw_zones(marks: dict[str, Any], state: ScoringListState, left: float, right: float) -> None:
    """Put zones where the limits are held."""
    x = np.array([left, right])
    for _thing, name, end in ZONES:
        level = getattr(state, name)
        update_mark(marks[f"{name} zone"], x=x, y=np.array([[level, level], [end, end]]))
        update_mark(marks[name], x=x, y=np.array([level, level]))


def whole_ticks(low: int, high: int, most: int) -> NDArray[np.float64]:
    """Choose whole numbers within limits, not more than so many."""
    ticks = np.asarray(MaxNLocator(most, integer=True).tick_values(low, high))
    return ticks[(ticks >= low) & (ticks <= high)]


def limit_rows(state: ScoringListState, *, large: bool) -> list[tuple[float, str, str]]:
    """Label the lines of a stage: level, words, colour of the words."""
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
        self.words = Words(fig, "start")
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
        update_mark(self.cost, x=np.array([x.min, x.max]), y=np.array([turn, turn]))
        show(self.cost, self.is_large)
        self._draw_stage(stage, result, k, 0.28 if high - low < 30 else 0.01 * (high - low))
        on_path = k <= result.walk.stage
        if on_path:
            total, at = float(result.walk.totals[k]), float(result.walk.probability[k])
            update_mark(self.case, x=np.array([total]), y=np.array([at]))
            update_mark(self.column, x=np.array([total, total]), y=np.array([0.0, 1.0]))
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
        update_mark(self.curve, x=totals, y=p)
        seen = stage.n[some] > 0 if stage.has_counts else np.ones(p.size, dtype=bool)
        for mark, which in ((self.seen, seen), (self.unseen, ~seen)):
            if which.any():
                update_mark(mark, x=totals[which], y=p[which])
            show(mark, bool(which.any()))
        show(self.intervals, result.bands is not None)
        if result.bands is not None:
            band = result.bands[k]
            update_mark(
                self.intervals,
                x=np.column_stack((totals, totals)),
                y=np.column_stack((band.lower[some], band.upper[some])),
            )
        show(self.happened, stage.has_counts)
        if stage.has_counts:
            at = totals[seen]
            share = stage.counts[0][some][seen] / stage.n[some][seen]
            update_mark(
                self.happened,
                x=np.column_stack((at - half, at + half)),
                y=np.column_stack((share, share)),
            )

    def _write(self, state: ScoringListState, stage: ScoringStage, band: Any) -> None:
        """Write what the lines and marks mean where nothing else is: in short, if not at length."""
        x, (low, high) = self.figure.scale_x, (self.figure.scale_y.min, self.figure.scale_y.max)
        room = self._room({self.words.mark, self.column, self.intervals}, share=1.15)
        if band is not None:  # better on a bar than unsaid
            for across, up in zip(self.intervals.x, self.intervals.y, strict=True):
                room.take(across, up, spare=True)
        right = x.min + HANDLES_FROM * (x.max - x.min)
        room.take([right, right], [low, high], spare=True)
        step = room.row * (high - low)
        blocks = [
            (level, 0.25, [[(text, role)], [(text.split()[0], role)]])
            for level, text, role in limit_rows(state, large=self.is_large)
        ]
        if self.is_large:
            # first, because it needs most room
            key = self._key(state, stage, band)
            blocks.insert(0, (high, 1.5, key))
        written = []
        for level, far, wordings in blocks:
            for lines in wordings:
                longest = max((text for text, _ in lines), key=letters)
                half = room.width(longest) / 2
                sides = np.repeat([x.min + 1.1 * half, right - 1.1 * half], 2)
                heights = level + 0.75 * step * np.tile([1.0, -1.0], 2)
                place = room.place(longest, sides, heights, rows=len(lines), far=far)
                if place:
                    left, top = place[0] - half, place[1]
                    written += [(left, top - i * step, *line) for i, line in enumerate(lines)]
                    break
            else:
                # rows that have no room together may have it one by one
                blocks += [(level, far, [[line]]) for line in lines if len(lines) > 1]
        self.words.write(written)

    def _key(
        self, state: ScoringListState, stage: ScoringStage, band: Any
    ) -> list[list[tuple[str, str]]]:
        """Explain the marks, at length and in short."""
        rows = [("● what the list says", "● the list", "hull-text")]
        if stage.has_counts:
            rows.append(("— what happened", "— happened", "text"))
            if not (stage.n > 0).all():
                rows.append(("○ nobody had it", "○ nobody", "muted"))
        if band is not None:
            sure = percent(state.confidence)
            rows.append((f"bars: {sure} intervals", f"bars: {sure}", "muted"))
        return [[(row[i], row[2]) for row in rows] for i in (0, 1)]
