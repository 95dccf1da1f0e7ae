"""The ranking loss explorer's errors against the floor, and the bound, drawn with bqplot.

Draws; computes no number that is shown but the two bounds. What is dragged is handed over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets
import numpy as np

from rocviz.core.ranking_loss.bound import printed_ranking_bound, ranking_bound
from rocviz.core.ranking_loss.methods import FLOORS
from rocviz.displays.ranking_loss.draw_experiment import fraction
from rocviz.widgets.base.parts import UNIT_TICKS, Handle, figure, line, panel, put
from rocviz.widgets.ranking_loss.view import LOOKS, method_lines, row_height
from rocviz.widgets.ranking_loss.words import THINGS, error_text, floor_text
from rocviz.widgets.scoring_lists.view import Words, dots, show
from rocviz.words import number, rate

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocviz.core.ranking_loss.bound import RankingBoundExample
    from rocviz.widgets.ranking_loss.result import RankingLossResult
    from rocviz.widgets.ranking_loss.state import RankingLossState

__all__ = ["BoundPanel", "ErrorPanel"]

SHAPES = {
    "circle": "●",
    "diamond": "◆",
    "square": "■",
    "triangle-up": "▲",
    "triangle-down": "▼",
    "plus": "✚",
}
BELOW = -0.1  # of the height lies below zero, where the handle is
PLACES = [float(np.log2(floor)) for floor in FLOORS]
NOTE = (
    '<div class="rocviz-legend inset">The truth behind your samples is not known, so no error '
    "to it can be measured. What can be: the squared error to the <em>labels</em> of held-out "
    "samples, over repeated splits, with<br>"
    "<code>rocviz.compare_ranking_methods(X, y)</code>.</div>"
)


class ErrorPanel:
    """Error to the true probability against the floor, the floor that is held, and its errors."""

    def __init__(self, on_floor: Callable[[float], None], tools: ipywidgets.Widget) -> None:
        fig = self.figure = figure(
            "floor a of the true probability",
            "squared error to the truth",
            x_range=(PLACES[0] - 0.4, PLACES[-1] + 0.4),
            x_ticks=PLACES,
            y_ticks=[0],
        )
        fig.axes[0].tick_labels = {
            f"{place:g}": fraction(floor) for place, floor in zip(PLACES, FLOORS, strict=True)
        }
        self.held = line(fig, "held", stroke_width=1.8)
        self.bars = {name: line(fig, look[0], stroke_width=2.0) for name, look in LOOKS.items()}
        self.lines = method_lines(fig)
        size = {"default_size": 62, "stroke_width": 1.2}
        self.means = {
            name: dots(fig, "paper", fill=look[0], marker=look[2], **size)
            for name, look in LOOKS.items()
        }
        self.here = {
            name: dots(
                fig, "held", fill=look[0], marker=look[2], default_size=150, stroke_width=2.2
            )
            for name, look in LOOKS.items()
        }
        for name, (thing, *_rest) in LOOKS.items():
            if thing == "third":
                self.means[name].stroke = "var(--rocviz-text)"
        self.words = Words(fig, "start")
        self.handle = Handle(fig, lambda x, _y: on_floor(2.0**x), restrict_x=True)
        fig.marks = [
            self.held,
            *self.bars.values(),
            *self.lines.values(),
            *self.means.values(),
            *self.here.values(),
            self.words.mark,
            *self.handle.marks,
        ]
        self.note = ipywidgets.HTML(NOTE, layout={"display": "none"})
        self.legend = ipywidgets.HTML()
        self.tools = tools
        self.box = panel("How far from the truth?", fig, self.note, self.legend, tools)

    def draw(self, state: RankingLossState, result: RankingLossResult) -> None:
        """Show a result."""
        known = result.samples.truth is not None
        for widget, shown in (
            (self.figure, known),
            (self.legend, known),
            (self.tools, known),
            (self.note, not known),
        ):
            display = "" if shown else "none"
            if widget.layout.display != display:
                widget.layout.display = display
        if not known:
            return
        place = float(np.clip(np.log2(max(state.a, 1e-9)), PLACES[0], PLACES[-1]))
        top = self._curves(result)
        for name, mark in self.here.items():
            error = result.errors.get(name)
            if error is not None:
                put(mark, x=np.array([place]), y=np.array([error]))
                top = max(top, error)
            show(mark, error is not None)
        height = row_height()
        # room for the words above everything
        top = _nice(top) / (1 - height * (1 - BELOW) * (len(result.methods) + 1))
        _rescale(self.figure, BELOW * top, top)
        put(self.held, x=np.array([place, place]), y=np.array([BELOW * top, top]))
        self.handle.place(place, BELOW / 2 * top)
        rows = [(f"a = {floor_text(state.a)}", "held-text")]
        rows += [
            (f"{SHAPES[LOOKS[name][2]]} {name} {error_text(error)}", THINGS[name])
            for name, error in result.errors.items()
        ]
        self.words.write(
            [
                (PLACES[0] - 0.25, top * (0.965 - k * height * (1 - BELOW)), text, thing)
                for k, (text, thing) in enumerate(rows)
            ]
        )
        self.legend.value = f'<div class="rocviz-legend inset muted">{self._legend(result)}</div>'

    def _legend(self, result: RankingLossResult) -> str:
        done = result.experiment
        big = "large marks: these samples"
        if done is None:
            return f"{big}; the experiment at these settings has not been run"
        means = f"lines: mean of {done.n_repeats} repetitions ± 2 standard errors"
        some = f", {done.a.size} of {len(FLOORS)} floors done" if done.a.size < len(FLOORS) else ""
        return f"{big}; {means}{some}"

    def _curves(self, result: RankingLossResult) -> float:
        """Draw what the experiment has found; return the highest point."""
        done, top = result.experiment, 0.0
        for name in LOOKS:
            shown = done is not None and name in result.methods
            under = self.lines.get(f"under {name}")
            for mark in (self.bars[name], self.lines[name], self.means[name], under):
                if mark is not None:
                    show(mark, shown)
            if done is None or not shown:
                continue
            x, k = np.log2(done.a), done.methods.index(name)
            error, spread = done.error[:, k], 2 * done.standard_error[:, k]
            for mark in (self.lines[name], self.means[name], under):
                if mark is not None:
                    put(mark, x=x, y=error)
            ends = np.column_stack((error - spread, error + spread))
            put(self.bars[name], x=np.column_stack((x, x)), y=ends)
            top = max(top, float(ends.max()))
        return top


def _rescale(fig: Any, low: float, high: float) -> None:
    """Let the upright axis go from low to high, with ticks at round numbers from 0 up."""
    scale = fig.scale_y
    if (scale.min, scale.max) != (low, high):
        scale.min, scale.max = low, high
    step = _step(high)
    put(fig.axes[1], tick_values=np.arange(0, high + step / 100, step).round(6))


def _step(top: float) -> float:
    """Return the distance of ticks, a round number, for about five of them."""
    power = 10.0 ** np.floor(np.log10(top / 4))
    return float(power * next(k for k in (1, 2, 5, 10) if k * power >= top / 5))


def _nice(top: float) -> float:
    """Return a round number not below, so that the picture's scale changes seldom."""
    top = max(top, 0.002)
    power = 10.0 ** np.floor(np.log10(top))
    steps = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)
    return float(power * next(k for k in steps if k * power >= 1.02 * top or k == 10))


class BoundPanel:
    """How much squared loss an AUC allows: sharp and as printed, and three rankings."""

    def __init__(self) -> None:
        fig = self.figure = figure(
            "AUC of the ranking",
            "squared loss after isotonic regression",
            x_ticks=UNIT_TICKS,
            y_range=(0.0, 0.5),
            y_ticks=[0],
        )
        self.sharp = line(fig, "ranking")
        self.printed = line(fig, "second", line_style="dashed")
        self.tied = line(fig, "reference", line_style="dotted", stroke_width=2.0)
        self.excess = line(fig, "hull", stroke_width=2.0)
        self.against = dots(
            fig, "paper", fill="hull", marker="diamond", default_size=150, stroke_width=1.4
        )
        self.mine = dots(fig, "paper", fill="ranking", default_size=210, stroke_width=2.0)
        self.words, self.names = Words(fig, "end"), Words(fig, "end")
        fig.marks = [
            self.tied,
            self.printed,
            self.sharp,
            self.excess,
            self.against,
            self.mine,
            self.words.mark,
            self.names.mark,
        ]
        self.legend = ipywidgets.HTML()
        self.box = panel("What an AUC allows", fig, self.legend)
        # evenly spaced in the root, where the curves are straight
        self._auc = 1 - np.linspace(1, 0, 101) ** 2

    def draw(self, _state: RankingLossState, result: RankingLossResult) -> None:
        """Show a result."""
        mine, *against = result.examples
        pi, auc = mine.prevalence, self._auc
        put(self.sharp, x=auc, y=np.array([ranking_bound(x, pi) for x in auc]))
        put(self.printed, x=auc, y=np.array([printed_ranking_bound(x, pi) for x in auc]))
        put(self.tied, x=np.array([0.0, 1.0]), y=np.full(2, pi * (1 - pi)))
        put(self.mine, x=np.array([mine.auc]), y=np.array([mine.loss]))
        x, y = (np.array([getattr(one, at) for one in against]) for at in ("auc", "loss"))
        put(self.against, x=x, y=y)
        printed = np.array([one.printed_bound for one in against])
        put(self.excess, x=np.column_stack((x, x)), y=np.column_stack((y, printed)))
        top = 1.37 * ranking_bound(0.0, pi)  # the rows of words stand above the curve
        _rescale(self.figure, 0.0, top)
        height = top * row_height()
        rows: list[tuple[str, Any]] = [
            ("— no ranking is above", "text"),
            ("– – as printed", "negative-text"),
            ("···· all tied", "muted"),
            (f"● the ranker, {number(mine.loss)}", "text"),
            ("◆ counterexamples" if len(against) > 1 else "◆ counterexample", "hull-text"),
        ]
        self.words.write(
            [(0.985, 0.965 * top - k * height, text, thing) for k, (text, thing) in enumerate(rows)]
        )
        self.names.write([self._name(one, height, pi) for one in against])
        self.legend.value = (
            f'<div class="rocviz-legend inset muted">prevalence {rate(pi)}; printed: '
            f"½√(π(1−π)(1−A)), sharp: √(⅔π(1−π)(1−A))</div>"
        )

    def _name(
        self, one: RankingBoundExample, height: float, pi: float
    ) -> tuple[float, float, str, str]:
        """Return where a counterexample's name is written: below the curves, or clear above."""
        name = one.name.removeprefix("labels ")
        if one.auc > 0.9:
            return 0.985, ranking_bound(0.62, pi), name, "hull-text"
        y = max(one.printed_bound - 0.9 * height, 0.5 * height)
        return max(one.auc - 0.02, 0.27), y, name, "hull-text"
