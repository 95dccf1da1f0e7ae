"""How the Fermi-Dirac explorer's result is drawn with bqplot: levels, curve, temperature.

Draws; computes nothing. What is dragged is handed to the callbacks it was given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import bqplot
import ipywidgets
import numpy as np

from rocviz.theme import get_theme
from rocviz.widgets.base.parts import (
    UNIT_TICKS,
    Handle,
    colour,
    control,
    figure,
    label,
    line,
    panel,
    put,
)
from rocviz.widgets.fermi_dirac.words import METHOD_NAMES, rank_text, temperature_text
from rocviz.words import amount, number

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocviz.widgets.fermi_dirac.state import FermiDiracResult, FermiDiracState

__all__ = ["IntervalPanel", "LevelsPanel", "ROCPanel", "TemperaturePanel"]

MOST_DOTS = 400  # a dot for each level where there are so few, else for slices of the ranking


class LevelsPanel:
    """Levels as dots, filled where a positive stands, and the law's curve over them."""

    def __init__(self, on_potential: Callable[[float], None]) -> None:
        fig = self.figure = figure(
            "rank (1 is the most positive)",
            "P(positive | rank)",
            x_range=(0, 1),
            x_ticks=None,
            y_range=(-0.3, 1.0),
            y_ticks=UNIT_TICKS,
        )
        scales = {"x": fig.scale_x, "y": fig.scale_y}
        dots = {"x": [0.0], "y": [0.0], "scales": scales, "stroke_width": 1.2, "apply_clip": False}
        self.empty = bqplot.Scatter(
            **dots, colors=["transparent"], stroke=colour("negative"), default_size=40
        )
        self.filled = bqplot.Scatter(
            **dots, colors=[colour("positive")], stroke=colour("positive"), default_size=40
        )
        self.seen = bqplot.Scatter(
            x=[0.0],
            y=[0.0],
            size=[1.0],
            apply_clip=False,
            default_size=170,
            stroke_width=1.5,
            scales={**scales, "size": bqplot.LinearScale(min=0.0, max=1.0)},
            colors=[colour("paper")],
            stroke=colour("ranking"),
        )
        self.curve = line(fig, "hull")
        self.prior = line(fig, "reference", line_style="dotted", stroke_width=1.5)
        self.best = line(fig, "optimum", stroke_width=2.0)
        self.middle = line(fig, "held", stroke_width=1.8)
        self.words = bqplot.Label(
            x=[0.0], y=[0.0], text=[""], scales=scales, font_weight="bold", align="start"
        )
        self.handle = Handle(fig, lambda x, _y: on_potential(x), restrict_x=True)
        fig.marks = [
            self.prior,
            self.middle,
            self.best,
            self.curve,
            self.seen,
            self.empty,
            self.filled,
            self.words,
            *self.handle.marks,
        ]
        self.box = panel("Levels and positives", fig)

    def draw(self, state: FermiDiracState, result: FermiDiracResult) -> None:
        """Show a result."""
        n = state.n_samples
        fig = self.figure
        if fig.scale_x.max != n + 1:
            fig.scale_x.max = n + 1.0
            fig.axes[0].tick_values = np.unique(np.linspace(0, n, 5).round())
        put(self.curve, x=result.rank, y=result.probability)
        put(self.prior, x=np.array([0, n + 1.0]), y=np.full(2, state.prevalence))
        put(
            self.seen,
            x=result.bin_rank,
            y=result.bin_frequency,
            size=result.bin_size / result.bin_size.max(),
        )
        shown = np.unique(np.linspace(0, n - 1, min(n, MOST_DOTS)).round().astype(int))
        label_at = result.ranked.label[shown]
        rows = -0.06 - 0.045 * (np.arange(shown.size) % 4)
        for mark, wanted in ((self.filled, label_at), (self.empty, ~label_at)):
            put(mark, x=shown[wanted] + 1.0, y=rows[wanted])
        law = result.law
        best = float(np.clip(law.threshold_rank, 0, n + 1))
        middle = float(np.clip(law.chemical_potential, 0, n + 1))
        put(self.best, x=np.full(2, best), y=np.array([0.0, 1.0]))
        put(self.middle, x=np.full(2, middle), y=np.array([0.0, 1.0]))
        self.handle.place(middle, 0.5)
        right = state.auc >= 0.5
        x = np.full(5, 0.97 * n if right else 0.03 * n)
        step = 0.066 * get_theme().font / 14
        texts = (
            ("P(positive | rank), the law", "hull-text"),
            ("○ what the data show", "text"),
            (f"r* = {rank_text(law.threshold_rank)}, best cut", "optimum-text"),
            (f"μ = {rank_text(law.chemical_potential)}, one half", "held-text"),
            ("● positive  ○ negative", "muted"),
        )
        put(
            self.words,
            text=np.array([text for text, _ in texts]),
            colors=[colour(thing) for _, thing in texts],
            x=x,
            y=np.append(0.96 - step * np.arange(4), -0.265),
            align="end" if right else "start",
        )


class ROCPanel:
    """The ROC curve that the law implies, with the data's."""

    def __init__(self) -> None:
        fig = self.figure = figure("false positive rate", "true positive rate")
        diagonal = line(fig, "reference", line_style="dotted", stroke_width=1.5)
        diagonal.x = diagonal.y = np.array([0.0, 1.0])
        self.data = line(fig, "ranking")
        self.law = line(fig, "hull", line_style="dashed")
        self.best = bqplot.Scatter(
            x=[0.0],
            y=[0.0],
            scales={"x": fig.scale_x, "y": fig.scale_y},
            default_size=260,
            colors=["transparent"],
            stroke=colour("optimum"),
            stroke_width=3.0,
            apply_clip=False,
        )
        self.words = bqplot.Label(
            x=[0.0],
            y=[0.0],
            text=[""],
            scales={"x": fig.scale_x, "y": fig.scale_y},
            font_weight="bold",
        )
        fig.marks = [diagonal, self.data, self.law, self.best, self.words]
        self.box = panel("ROC curve", fig)

    def draw(self, state: FermiDiracState, result: FermiDiracResult) -> None:
        """Show a result."""
        thinned = result.ranked.segments.thin(600)
        put(self.data, x=thinned.fpr, y=thinned.tpr)
        fpr, tpr = result.roc
        put(self.law, x=fpr, y=tpr)
        at = int((tpr - fpr).argmax()) if state.auc >= 0.5 else int((tpr - fpr).argmin())
        put(self.best, x=fpr[[at]], y=tpr[[at]])
        rows = (
            (f"data, AUC {number(result.ranked.segments.auc)}", "ranking"),
            (f"the law, AUC {number(state.auc)}", "hull-text"),
            ("○ at rank r*", "optimum-text"),
            (f"n = {amount(state.n_pos)} + {amount(state.n_samples - state.n_pos)}", "muted"),
        )
        good = state.auc >= 0.5
        step = 0.056 * get_theme().font / 14
        top = 0.05 + step * (len(rows) - 1) if good else 0.95
        put(
            self.words,
            text=np.array([text for text, _ in rows]),
            colors=[colour(thing) for _, thing in rows],
            x=np.full(len(rows), 0.985 if good else 0.02),
            y=top - step * np.arange(len(rows)),
            align="end" if good else "start",
        )


class TemperaturePanel:
    """Coldness against AUC at this prevalence, with the point held."""

    def __init__(self, on_auc: Callable[[float], None]) -> None:
        fig = self.figure = figure(
            "AUC", "coldness N / T", y_range=(-40.0, 40.0), y_ticks=[-40, -20, 0, 20, 40]
        )
        axis = line(fig, "reference", line_style="dotted", stroke_width=1.5)
        axis.x, axis.y = np.array([0.0, 1.0]), np.array([0.0, 0.0])
        self.curve = line(fig, "ranking")
        self.words = label(fig, "held-text", text=[""], align="start")
        self.sides = bqplot.Label(
            x=np.array([0.985, 0.02]),
            y=np.array([-36.0, 36.0]),
            text=["cold: good rankings →", "← below zero: worse than random"],
            scales={"x": fig.scale_x, "y": fig.scale_y},
            colors=[colour("muted")],
            align="end",
            visible=False,
        )
        self.handle = Handle(fig, lambda x, _y: on_auc(x))
        fig.marks = [axis, self.curve, self.words, self.sides, *self.handle.marks]
        self.box = panel("How cold it is", fig)

    def draw(self, state: FermiDiracState, _result: FermiDiracResult) -> None:
        """Show a result."""
        auc, coldness = state.coldness_curve()
        put(self.curve, x=auc, y=coldness)
        with np.errstate(divide="ignore"):
            y = float(np.clip(np.divide(1.0, state.temperature), -40, 40))
        if state.temperature == 0:
            y = 40.0 if state.auc == 1 else -40.0
        self.handle.place(state.auc, y)
        left = state.auc > 0.5
        put(
            self.words,
            text=np.array([f"T = {temperature_text(state.temperature)} N"]),
            x=np.array([state.auc - 0.07 if left else state.auc + 0.07]),
            y=np.array([y]),
            align="end" if left else "start",
        )


class IntervalPanel:
    """Confidence intervals of the AUC, one line per method, and their simulated coverage."""

    def __init__(self, *under: ipywidgets.Widget) -> None:
        self.html = ipywidgets.HTML()
        self.box = control(ipywidgets.VBox([self.html, *under]), "rocviz-panel")

    def draw(self, state: FermiDiracState, result: FermiDiracResult) -> None:
        """Show a result."""
        intervals = result.intervals
        low = min(i.lower for i in intervals)
        high = max(i.upper for i in intervals)
        low, high = max(0.0, low - 0.02), min(1.0, high + 0.02)
        span = (high - low) or 1.0
        rows = []
        for i in intervals:
            left, width = 100 * (i.lower - low) / span, 100 * (i.upper - i.lower) / span
            at = 100 * (i.auc - low) / span
            covered = state.coverage_of(i.method)
            rows.append(
                f'<tr><th>{METHOD_NAMES[i.method]}</th><td class="track"><div class="rocviz-track">'
                f'<span style="left:{left:.2f}%;width:{width:.2f}%"></span>'
                f'<i style="left:{at:.2f}%"></i></div></td>'
                f"<td>{number(i.lower)} to {number(i.upper)}</td><td>{covered}</td></tr>"
            )
        head = "covers" if any(state.coverage_of(i.method) for i in intervals) else ""
        self.html.value = (
            f'<h3 class="flush">How sure is the AUC? {100 * state.confidence:.0f} % intervals</h3>'
            f'<table class="rocviz-confusion rocviz-intervals"><tr><th></th><th></th><th></th>'
            f"<th>{head}</th></tr>{''.join(rows)}</table>"
        )
