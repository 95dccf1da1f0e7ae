"""The ranking loss explorer's errors against the floor, and the bound, drawn with bqplot.

Draws; computes no number that is shown but the bounds. What is dragged is handed over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets
import numpy as np

from rocviz.core.ranking_loss.bound import (
    ranking_bound,
    simple_bound_reach,
)
from rocviz.core.ranking_loss.methods import FLOORS
from rocviz.displays.ranking_loss.draw_experiment import fraction
from rocviz.theme import Theme
from rocviz.widgets.base.panel import UNIT_TICKS, FigurePanel
from rocviz.widgets.base.parts import (
    Handle,
    Words,
    colour,
    dots,
    line,
    make_widget,
    show,
    update_mark,
)
from rocviz.widgets.ranking_loss.layout import ROW, block_size, covered, dense, free_place
from rocviz.widgets.ranking_loss.result import RankingLossResult
from rocviz.widgets.ranking_loss.state import RankingLossState
from rocviz.widgets.ranking_loss.view import (
    LOOKS,
    method_lines,
    plain_words,
    show_handle,
    write_block,
)
from rocviz.widgets.ranking_loss.words import bound_rows, error_rows

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
LEFT, RIGHT = PLACES[0] - 0.4, PLACES[-1] + 0.4
NOTE = "The truth behind your samples is not known: no error to it can be measured."
MORE = (
    " The squared error to the labels of held-out samples can: "
    "<code>rocviz.estimators.ranking_loss.compare_ranking_methods(X, y)</code>."
)


class ErrorPanel(FigurePanel):
    """Error to the true probability against the floor, the floor that is held, and its errors."""

    def __init__(self, on_floor: Callable[[float], None]) -> None:
        super().__init__(
            "floor a of the true probability",
            "squared error to the truth",
            x_range=(LEFT, RIGHT),
            x_ticks={place: fraction(floor) for place, floor in zip(PLACES, FLOORS, strict=True)},
            y_ticks=(0.0,),
            square=False,
            pad=0.0,
        )
        fig = self.figure
        self.held = line(fig, "held", stroke_width=1.8)
        self.bars = {name: line(fig, look[0], stroke_width=2.0) for name, look in LOOKS.items()}
        self.lines = method_lines(fig)
        size: dict[str, Any] = {"default_size": 62, "stroke_width": 1.2}
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
        for name, (role, *_rest) in LOOKS.items():
            if role == "third":
                self.means[name].stroke = colour("text")
        self.words = Words(fig, "start")
        self.handle = Handle(fig, lambda x, _y: on_floor(2.0**x), restrict_x=True)
        self.add_marks()
        self.note = make_widget(ipywidgets.HTML)
        self.body.children = [self.figure, self.note]

    def fit(self, theme: Theme) -> None:
        """Take the sizes that a theme asks for, in the room there is."""
        super().fit(theme)
        plain_words(self.words, theme)

    def draw(self, state: RankingLossState, result: RankingLossResult) -> None:
        """Show a result."""
        known = result.samples.truth is not None
        for widget, shown in ((self.figure, known), (self.note, not known)):
            (widget.remove_class if shown else widget.add_class)("is-away")
        if not known:
            text = f'<p class="muted">{NOTE}{MORE * self.is_large}</p>'
            if self.note.value != text:
                self.note.value = text
            return
        place = float(np.clip(np.log2(max(state.a, 1e-9)), PLACES[0], PLACES[-1]))
        top = max(self._curves(result), *result.errors.values())
        for name, mark in self.here.items():
            error = result.errors.get(name)
            if error is not None:
                update_mark(mark, x=np.array([place]), y=np.array([error]))
            show(mark, error is not None)
        top = 1.06 * _nice(top)
        rows = self._rows(state, result)
        grow = 1.0 if self.is_large else 2.5
        taken = self._taken(result, place)
        if rows and self.is_large:
            width, height = block_size([text for text, _ in rows])
            shares = _shares(taken, BELOW * top, top)
            if covered(*shares, free_place([shares], width, height), width, height):
                top /= 1 - height  # there is no room but above everything
        low = BELOW * top if self.is_large else -0.04 * top
        self.set_range(1, low, top)
        self.set_ticks(1, _ticks(top))
        highest = max(result.errors.values())
        update_mark(self.held, x=np.array([place, place]), y=np.array([low, highest]))
        self.handle.place(place, BELOW / 2 * top)
        show_handle(self.handle, self.is_large, self.is_large)
        write_block(self.words, self, rows, [_shares(taken, low, top)], grow)

    def _rows(self, state: RankingLossState, result: RankingLossResult) -> list[tuple[str, str]]:
        if self.is_large:
            return [
                (f"{SHAPES[LOOKS[name][2]]} {text}" if name else text, role)
                for name, text, role in error_rows(result, state.a)
            ]
        return [("run the", "muted"), ("experiment", "muted")] * (result.experiment is None)

    def _taken(
        self, result: RankingLossResult, place: float
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the paths of what is drawn."""
        above = 1.0 if self.is_large else 1.15  # the highest mark
        taken = [(np.array([place, place]), np.array([0.0, above * max(result.errors.values())]))]
        if not self.is_large:  # in a small picture what is measured is large
            wide = place + 0.06 * (RIGHT - LEFT) * np.array([-1.0, 1.0])
            taken += [(wide, np.full(2, error)) for error in result.errors.values()]
        done = result.experiment
        if done is not None and done.a.size > 1:
            for k in map(done.methods.index, result.methods):
                error, spread = done.error[:, k], 2 * done.standard_error[:, k]
                taken += [(np.log2(done.a), error), (np.log2(done.a), error + spread)]
        return taken

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
                    update_mark(mark, x=x, y=error)
            ends = np.column_stack((error - spread, error + spread))
            update_mark(self.bars[name], x=np.column_stack((x, x)), y=ends)
            top = max(top, float(ends.max()))
        return top


def _shares(
    paths: list[tuple[np.ndarray, np.ndarray]], low: float, high: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return points along paths as shares of the picture."""
    parts = [dense((x - LEFT) / (RIGHT - LEFT), (y - low) / (high - low)) for x, y in paths]
    x, y = (np.concatenate(part) for part in zip(*parts, strict=True))
    return x, y


def _ticks(high: float) -> np.ndarray:
    """Return ticks at round numbers from 0 up."""
    power = 10.0 ** np.floor(np.log10(high / 4))
    step = power * next(k for k in (1, 2, 5, 10) if k * power >= high / 5)  # for about five
    return np.arange(0, high + step / 100, step).round(6)


def _nice(top: float) -> float:
    """Return a round number not below, so that the picture's scale changes seldom."""
    top = max(top, 0.002)
    power = 10.0 ** np.floor(np.log10(top))
    steps = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)
    return float(power * next(k for k in steps if k * power >= 1.02 * top or k == 10))


class BoundPanel(FigurePanel):
    """How much squared loss an AUC allows: the most, simply, and as printed; and rankings."""

    def __init__(self) -> None:
        super().__init__(
            "AUC of the ranking",
            "squared loss after isotonic regression",
            x_ticks=UNIT_TICKS,
            y_ticks=(0.0,),
            square=False,
            pad=0.03,
        )
        fig = self.figure
        self.simple = line(fig, "reference", line_style="dotted", stroke_width=2.0)
        self.printed = line(fig, "second", line_style="dashed")
        self.sharp = line(fig, "ranking")
        self.turn = dots(fig, "ranking", fill="paper", default_size=60, stroke_width=2.0)
        self.excess = line(fig, "hull", stroke_width=2.0)
        self.against = dots(
            fig, "paper", fill="hull", marker="diamond", default_size=150, stroke_width=1.4
        )
        self.mine = dots(fig, "paper", fill="ranking", default_size=210, stroke_width=2.0)
        self.words, self.names = Words(fig, "end"), Words(fig, "middle")
        self.add_marks()
        self.yielding = (self.simple,)
        # two of the curves go with the root of 1 - AUC; evenly spaced in it
        self._root = np.linspace(1, 0, 101)

    def draw(self, _state: RankingLossState, result: RankingLossResult) -> None:
        """Show a result."""
        mine, *against = result.examples
        pi, auc = mine.prevalence, 1 - self._root**2
        most, reach = ranking_bound(0.0, pi, method="simple"), simple_bound_reach(pi)
        update_mark(self.sharp, x=auc, y=np.array([ranking_bound(at, pi) for at in auc.tolist()]))
        update_mark(self.simple, x=auc, y=most * self._root)
        update_mark(self.turn, x=np.array([reach]), y=np.array([ranking_bound(reach, pi)]))
        update_mark(self.printed, x=auc, y=ranking_bound(0.0, pi, method="printed") * self._root)
        update_mark(self.mine, x=np.array([mine.auc]), y=np.array([mine.loss]))
        show(self.against, bool(against))
        show(self.excess, bool(against))
        if against:
            x, y = (np.array([getattr(one, at) for one in against]) for at in ("auc", "loss"))
            update_mark(self.against, x=x, y=y)
            printed = np.array([one.printed_bound for one in against])
            update_mark(self.excess, x=np.column_stack((x, x)), y=np.column_stack((y, printed)))
        top = 1.08 * most
        self.set_range(1, 0.0, top)
        self.set_ticks(1, _ticks(top))
        if not self.is_large:
            self.words.write([])
            self.names.write([])
            return
        self.words.write(
            [
                (0.995, top * (0.97 - ROW * k), f"{mark} {text}", role)
                for k, (mark, text, role) in enumerate(
                    # the shortest lowest, where curves are near
                    sorted(bound_rows(result), key=lambda row: -len(row[1]))
                )
            ]
        )
        room = self._room(set(self.names.marks))
        names = [one.name.removeprefix("labels ") for one in against]
        spots = [
            room.place(name, one.auc, one.loss, far=0.5)
            for name, one in zip(names, against, strict=True)
        ]
        placed = [(*at, name, "hull-text") for at, name in zip(spots, names, strict=True) if at]
        self.names.write(placed)
