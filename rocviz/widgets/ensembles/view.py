"""How the ensemble explorer's result is drawn: classifiers, correlations, AUCs, one item.

Draws; computes nothing. What is clicked is handed to the callback it was given.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import bqplot
import ipywidgets
import numpy as np

from rocviz.theme import get_theme
from rocviz.widgets.base.layout import aside, round_ticks, spread, temperature_ticks
from rocviz.widgets.base.parts import DESK, colour, control, figure, line, panel, put
from rocviz.widgets.ensembles.words import METHOD_NAMES, rank_text
from rocviz.words import number, percent, signed

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from rocviz.widgets.ensembles.result import EnsembleResult
    from rocviz.widgets.ensembles.state import EnsembleState

__all__ = ["ClassifiersPanel", "CorrelationPanel", "EvidencePanel", "SizePanel"]

EMPTY = '<td class="track"><div><i></i></div></td>'
INK = "#1B1F24"  # on the classifiers' own colour, in the light and in the dark

# what each method is drawn in and called: thing of the colour table, dash, few letters; the
# first lies on top
LOOKS = {
    "fidel": ("ranking", "solid", "FiDEL"),
    "correlation-aware": ("optimum", "dashed", "corr.-aware"),
    "woc": ("third", "dash_dotted", "WoC"),
    "best": ("second", "dashed", "best single"),
    "mean base": ("reference", "dotted", "mean of all"),
}


class ClassifiersPanel:
    """Each classifier's AUC and temperature; a click takes it in or out."""

    def __init__(self, on_click: Callable[[int], None]) -> None:
        fig = self.figure = figure("AUC when measured", "temperature T / N, colder is higher")
        scales = {"x": fig.scale_x, "y": fig.scale_y}
        self.law = line(fig, "reference", line_style="dotted", stroke_width=1.5)
        common = {"x": np.array([0.5]), "y": np.array([0.0]), "scales": scales}
        common["apply_clip"] = False
        area = np.pi / 4 * DESK.handle**2
        self.leaders = line(fig, "muted", stroke_width=1.0)
        self.dots = bqplot.Scatter(**common, colors=[colour("text")], default_size=25)
        self.ring = bqplot.Scatter(
            **common,
            colors=["transparent"],
            stroke=colour("text"),
            stroke_width=2.0,
            default_size=round(1.75 * area),
        )
        self.points = bqplot.Scatter(
            **common,
            colors=[colour("second")],
            stroke=colour("text"),
            stroke_width=1.2,
            default_size=round(area),
        )
        self.numbers = bqplot.Label(
            **common, text=np.array(["1"]), colors=[INK], align="middle", font_weight="bold"
        )
        self.felt = bqplot.Scatter(
            **common,
            colors=["transparent"],
            stroke="transparent",
            default_size=round(1.3 * area),
        )
        self.felt.on_element_click(lambda _mark, event: on_click(event["data"]["index"]))
        self.words = bqplot.Label(
            x=np.array([0.5]), y=np.array([0.0]), text=np.array([""]), scales=scales, align="start"
        )
        fig.marks = [
            self.law,
            self.words,
            self.leaders,
            self.dots,
            self.ring,
            self.points,
            self.numbers,
            self.felt,
        ]
        self.box = panel("The classifiers", fig)

    def draw(self, _state: EnsembleState, result: EnsembleResult) -> None:
        """Show a result."""
        auc, coldness = result.law
        self._range(auc, coldness)
        put(self.law, x=auc, y=coldness)
        x, y = result.ensemble.auc, np.clip(result.coldness, coldness[0], coldness[-1])
        inside = np.isin(np.arange(x.size), result.members)
        put(self.dots, x=x, y=y)
        dot_x, dot_y = x, y
        x, y = aside(x, y, result.law)
        put(self.leaders, x=np.column_stack((dot_x, x)), y=np.column_stack((dot_y, y)))
        put(
            self.points,
            x=x,
            y=y,
            colors=[colour("second" if each else "paper") for each in inside],
        )
        put(self.felt, x=x, y=y)
        put(self.ring, x=x[[result.best]], y=y[[result.best]])
        put(
            self.numbers,
            x=x,
            y=y,
            text=np.arange(1, x.size + 1).astype(str),
            colors=[INK if each else colour("text") for each in inside],
        )
        rows = ["double ring: measured best", "click: in or out"]
        if not inside.all():
            rows.insert(1, "empty: not in the crowd")
        low, high = coldness[0], coldness[-1]
        step = 0.062 * get_theme().font / 14 * (high - low)
        put(
            self.words,
            text=np.array(rows),
            x=np.full(len(rows), auc[0] + 0.03 * (auc[-1] - auc[0])),
            y=high - 0.05 * (high - low) - step * np.arange(len(rows)),
            colors=[colour("muted")],
        )

    def _range(self, auc: NDArray[np.float64], coldness: NDArray[np.float64]) -> None:
        """Fit the axes; the vertical one is even in 1 / T, and its ticks say T."""
        x, y = self.figure.scale_x, self.figure.scale_y
        low, high = float(coldness[0]), float(coldness[-1])
        if (x.min, x.max, y.min, y.max) == (auc[0], auc[-1], low, high):
            return
        x.min, x.max, y.min, y.max = float(auc[0]), float(auc[-1]), low, high
        across, up = self.figure.axes
        across.tick_values = round_ticks(float(auc[0]), float(auc[-1]))
        at, texts = temperature_ticks(low, high)
        up.tick_labels = {f"{each:g}": text for each, text in zip(at, texts, strict=True)}
        up.tick_values = np.array(at)


class CorrelationPanel:
    """How alike the classifiers rank within a class, as a table of shaded numbers."""

    def __init__(self) -> None:
        self.table = ipywidgets.HTML()
        self.box = control(ipywidgets.VBox([self.table]), "rocviz-panel")

    def draw(self, state: EnsembleState, result: EnsembleResult) -> None:
        """Show a result."""
        c, names = result.ensemble.correlation, result.ensemble.names
        many = len(names)
        head = "".join(self._head(k, name, result, "col") for k, name in enumerate(names))
        rows = "".join(
            f"<tr>{self._head(i, name, result, 'row')}"
            + "".join(self._cell(c[i, j], i, j, many, result) for j in range(many))
            + "</tr>"
            for i, name in enumerate(names)
        )
        size = "small" if 8 <= many <= 10 else "tiny" if many > 10 else ""
        self.table.value = (
            '<h3 class="flush">Do they err alike?</h3>'
            '<div class="muted">rank correlation within a class, mean of the crowd '
            f"{signed(result.crowd.mean_correlation)}</div>"
            f'<table class="rocviz-matrix {size}"><tr><th></th>{head}</tr>{rows}</table>'
        )

    @staticmethod
    def _head(k: int, name: str, result: EnsembleResult, scope: str) -> str:
        out = "" if k in result.members else ' class="is-out"'
        return f'<th scope="{scope}"{out} title="{escape(name)}">{k + 1}</th>'

    @staticmethod
    def _cell(value: float, i: int, j: int, many: int, result: EnsembleResult) -> str:
        out = "" if i in result.members and j in result.members else ' class="is-out"'
        if i == j:
            return f"<td{out}></td>"
        text = signed(value).replace("0.", ".", 1).replace("+", "")
        thing = "text" if value >= 0 else "second"
        shade = f"color-mix(in srgb,{colour(thing)} {45 * abs(value):.0f}%,{colour('grid')})"
        written = text if many <= 12 else ""
        return (
            f'<td{out} style="background:{shade}" title="{i + 1}, {j + 1}: {text}">{written}</td>'
        )


class SizePanel:
    """AUCs of the crowd and of single classifiers against how many there are."""

    def __init__(self, *under: ipywidgets.Widget) -> None:
        fig = self.figure = figure("number of classifiers M", "AUC", x_ticks=None, y_ticks=None)
        scales = {"x": fig.scale_x, "y": fig.scale_y}
        self.rims, self.lines, self.bars = {}, {}, {}
        for method, (thing, dash, _name) in reversed(LOOKS.items()):
            if thing == "third":
                self.rims[method] = line(fig, "text", stroke_width=4.5, visible=False)
            self.bars[method] = line(fig, thing, stroke_width=2.0, visible=False)
            self.lines[method] = line(fig, thing, line_style=dash, visible=False)
        self.now = bqplot.Scatter(
            x=np.zeros(5),
            y=np.zeros(5),
            scales=scales,
            colors=[colour(thing) for thing, _, _ in LOOKS.values()],
            stroke=colour("text"),
            stroke_width=1.2,
            default_size=110,
        )
        self.leaders = line(fig, "reference", stroke_width=1.0)
        self.words = bqplot.Label(
            x=np.zeros(5),
            y=np.zeros(5),
            text=np.full(5, ""),
            scales=scales,
            colors=[colour("text")],
            font_weight="bold",
        )
        fig.marks = [
            self.leaders,
            *(mark for m in reversed(LOOKS) for mark in self._marks_of(m)),
            self.now,
            self.words,
        ]
        self.note = control(ipywidgets.HTML(), "muted")
        below = control(ipywidgets.Box([*under, self.note]), "rocviz-chips", "rocviz-under")
        self.box = panel("Does the crowd beat the best?", fig, below)

    def _marks_of(self, method: str) -> list[bqplot.Mark]:
        rim = [self.rims[method]] if method in self.rims else []
        return [*rim, self.bars[method], self.lines[method]]

    def draw(self, _state: EnsembleState, result: EnsembleResult) -> None:
        """Show a result."""
        found, m = result.experiment, len(result.members)
        if found is None:
            ends = np.array([result.auc[method] for method in LOOKS])
            low, high = ends.min(), ends.max()
        else:
            columns = [found.methods.index(method) for method in LOOKS]
            auc, error = found.auc[:, columns].T, 2 * found.standard_error[:, columns].T
            ends, low, high = auc[:, -1], (auc - error).min(), (auc + error).max()
        share = 0.5 if get_theme().font < 20 else 0.42  # of the width, the rest is for the words
        left, right = 0.4, 0.4 + (m - 0.1) / share
        low, high = self._range(left, right, low, high, m)
        if found is not None:
            self._curves(found.n_classifiers, auc, error)
        for mark in (*self.lines.values(), *self.bars.values(), *self.rims.values(), self.now):
            shown = (mark is self.now) == (found is None)
            if mark.visible != shown:
                mark.visible = shown
        put(self.now, x=np.full(5, float(m)), y=ends)
        span = high - low
        gap = 0.066 * get_theme().font / 14 * span
        places = spread(ends, gap, low, high)
        reach = right - left
        put(
            self.leaders,
            x=np.array([[m + 0.035 * reach, m + 0.07 * reach]] * 5),
            y=np.column_stack((ends, places)),
        )
        put(
            self.words,
            x=np.full(5, m + 0.08 * reach),
            y=places,
            text=np.array(
                [f"{k[2]} {number(v)}" for k, v in zip(LOOKS.values(), ends, strict=True)]
            ),
        )
        self.note.value = (
            "smaller crowds, with error bars"
            if found is None
            else f"bars: ± 2 standard errors, {found.n_repeats} resamples"
        )

    def _range(
        self, left: float, right: float, low: float, high: float, m: int
    ) -> tuple[float, float]:
        room = 0.12 * max(high - low, 0.05)
        steps = 20 if high - low > 0.12 else 50
        low = max(0.0, np.floor((low - room) * steps) / steps)
        high = min(1.0, np.ceil((high + room) * steps) / steps)
        x, y = self.figure.scale_x, self.figure.scale_y
        across, up = self.figure.axes
        if (x.min, x.max) != (left, right):
            x.min, x.max = left, right
            every = 1 if m <= 8 else 2 if m <= 16 else -(-m // 8)
            across.tick_values = np.arange(1, m + 1)[::-1][::every][::-1]
        if (y.min, y.max) != (low, high):
            y.min, y.max = low, high
            up.tick_values = round_ticks(low, high)
        return low, high

    def _curves(
        self, sizes: NDArray[Any], auc: NDArray[np.float64], error: NDArray[np.float64]
    ) -> None:
        aside = 0.05 * (np.arange(5) - 2.0)
        for k, method in enumerate(LOOKS):
            x = sizes + aside[k]
            put(self.lines[method], x=x, y=auc[k])
            if method in self.rims:
                put(self.rims[method], x=x, y=auc[k])
            put(
                self.bars[method],
                x=np.column_stack((x, x)),
                y=np.column_stack((auc[k] - error[k], auc[k] + error[k])),
            )


class EvidencePanel:
    """What each classifier says of one item: bars to either side of zero, and their sum."""

    def __init__(self) -> None:
        self.table = ipywidgets.HTML()
        self.box = control(ipywidgets.VBox([self.table]), "rocviz-panel")

    def draw(self, state: EnsembleState, result: EnsembleResult) -> None:
        """Show a result."""
        item, total = result.item, float(result.item.log_likelihood_ratio[0])
        widest = max(float(np.abs(item.contributions).max()), abs(total), 1.0)
        full = _round_up(widest)
        where = {place: k for k, place in enumerate(result.members)}
        rows = []
        for place, name in enumerate(result.ensemble.names):
            k = where.get(place)
            text = f"{place + 1}" if state.is_sandbox else f"{place + 1} {escape(name)}"
            head = f'<th title="{escape(name)}">{text}</th>'
            if k is None:
                rows.append(f'<tr class="is-out">{head}<td>not in</td>{EMPTY}</tr>')
                continue
            value = float(item.contributions[0, k])
            rank = rank_text(float(item.ranks[0, k]))
            rows.append(f"<tr>{head}<td>{rank}</td>{_bar(value, full)}</tr>")
        kind = "positive" if result.item_is_positive else "negative"
        probability = percent(float(item.probability[0]))
        self.table.value = (
            f'<h3 class="flush">What they say of item {state.item}, '
            f'<span class="is-{kind}">a {kind}</span></h3>'
            f'<div class="muted">evidence, log-likelihood ratio; a rank is out of '
            f"{result.ensemble.n_samples:,}</div>"
            '<table class="rocviz-evidence">'
            '<tr><th></th><td class="muted">rank</td><td class="track ends"><div>'
            '<span class="is-negative">← negative</span>'
            '<span class="is-positive">positive →</span></div></td></tr>'
            f"{''.join(rows)}"
            f'<tr class="sum"><th>sum</th><td>{probability}</td>{_bar(total, full, "ranking")}</tr>'
            f"</table>"
            f'<div class="muted">{METHOD_NAMES[state.method]}; {probability} is the probability '
            "of a positive, prevalence counted in</div>"
        )


def _round_up(value: float) -> float:
    """Return the next round number, so that the scale seldom changes."""
    base = 10.0 ** np.floor(np.log10(value))
    return float(
        next(base * k for k in (1, 1.5, 2, 3, 4, 6, 8, 10) if base * k >= value * (1 - 1e-9))
    )


def _bar(value: float, full: float, thing: str | None = None) -> str:
    """Return the cell of a bar, with its number behind its end."""
    share = 33 * min(abs(value) / full, 1.0)
    thing = thing or ("positive" if value > 0 else "negative")
    start = 50.0 if value >= 0 else 50 - share
    side = f"left:{50 + share:.2f}%" if value >= 0 else f"right:{50 + share:.2f}%"
    return (
        '<td class="track"><div><i></i>'
        f'<span style="left:{start:.2f}%;width:{share:.2f}%;background:{colour(thing)}"></span>'
        f'<b style="{side}">{signed(value)}</b></div></td>'
    )
