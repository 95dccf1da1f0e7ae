"""The Fermi-Dirac explorer's pictures: levels, curve, intervals, coldness."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from rocviz.core.roc.auc_intervals import METHODS, AUCInterval
from rocviz.theme import Theme
from rocviz.widgets.base.panel import UNIT_TICKS, FigurePanel, Room
from rocviz.widgets.base.parts import (
    Handle,
    Words,
    diagonal,
    dots,
    label,
    line,
    ring,
    show,
    update_mark,
)
from rocviz.widgets.fermi_dirac.result import FermiDiracResult
from rocviz.widgets.fermi_dirac.state import FermiDiracState, coldness_curve
from rocviz.words import INTERVAL_NAMES, number, rank_text

MOST_DOTS = 150  # a dot for each level where there are so few, else for slices of the ranking
ROWS = (-0.09, -0.15, -0.21, -0.27)  # heights of the dots, below the law


class LevelsPanel(FigurePanel):
    """Levels as dots, filled where a positive stands, and the law's curve over them."""

    def __init__(self, on_potential: Callable[[float], None]) -> None:
        super().__init__(
            "rank (1 is the most positive)",
            "P(positive | rank)",
            x_ticks=None,
            y_range=(-0.3, 1.1),
            square=False,
            pad=0.01,
        )
        fig = self.figure
        self.prior = line(fig, "reference", line_style="dotted", stroke_width=1.5)
        self.middle = line(fig, "held", stroke_width=1.8)
        self.best = line(fig, "optimum", stroke_width=2.0)
        self.curve = line(fig, "hull")
        self.slices = dots(
            fig, "ranking", fill="paper", sized=True, default_size=130, stroke_width=1.5
        )
        small: dict[str, Any] = {"stroke_width": 1.2, "default_size": 40}
        self.empty = dots(fig, "negative", fill="transparent", **small)
        self.filled = dots(fig, "positive", **small)
        self.words = Words(fig, "middle")
        self.handle = Handle(fig, lambda x, _y: on_potential(x), restrict_x=True)
        self.add_marks()

    def draw(self, state: FermiDiracState, result: FermiDiracResult) -> None:
        """Show a result."""
        n = state.n_samples
        self.set_range(0, 0.0, n + 1.0)
        ticks = MaxNLocator(4, integer=True, steps=[1, 2, 2.5, 5, 10]).tick_values(0, n)
        self.set_ticks(0, np.unique(np.append(1, ticks[(ticks > 1) & (ticks <= n)])))
        self.set_ticks(1, UNIT_TICKS)
        update_mark(self.curve, x=result.rank, y=result.probability)
        update_mark(self.prior, x=np.array([0, n + 1.0]), y=np.full(2, state.prevalence))
        slices = result.slices
        update_mark(self.slices, x=slices.rank, y=slices.frequency, size=slices.n / slices.n.max())
        shown = np.unique(np.linspace(0, n - 1, min(n, MOST_DOTS)).round().astype(int))
        label_at = result.ranked.label[shown]
        rows = np.array(ROWS)[np.arange(shown.size) % len(ROWS)]
        for mark, wanted in ((self.filled, label_at), (self.empty, ~label_at)):
            update_mark(mark, x=shown[wanted] + 1.0, y=rows[wanted])
            show(mark, bool(wanted.any()))
        law = result.law
        for mark, at in ((self.best, law.threshold_rank), (self.middle, law.chemical_potential)):
            inside = bool(0 <= at <= n + 1)
            show(mark, inside)
            if inside:
                update_mark(mark, x=np.full(2, at), y=np.array([0.0, 1.0]))
        far = 10.0 * n  # an arrow at the edge stands for anything beyond
        middle = float(np.clip(law.chemical_potential, -far, far))
        self.handle.place(middle, 0.5)
        self._write(state, result, middle)

    def _write(self, state: FermiDiracState, result: FermiDiracResult, middle: float) -> None:
        """Name the lines, each near its own and clear of everything drawn."""
        if not self.is_large:
            self.words.write([])
            return
        n, law = state.n_samples, result.law
        best, at = (float(np.clip(x, 0, n + 1)) for x in (law.threshold_rank, middle))
        room = Room((0.0, n + 1.0), (0.0, 1.12))
        room.take(result.rank, result.probability)
        room.take_dots(result.slices.rank, result.slices.frequency, 0.02)
        word = at + (0.14 if at < 0.8 * n else -0.14) * n
        room.take([at, word], [0.5, 0.5])  # the handle and its word
        room.take_dots([at], [0.5], 0.035)
        room.take([0, n], [state.prevalence] * 2)
        for upright in (best, at):
            room.take([upright] * 2, [0.0, 1.0])
        held = f"μ = {rank_text(law.chemical_potential)}"
        if not 0 <= law.chemical_potential <= n + 1:
            held = f"← {held}" if law.chemical_potential < 0 else f"{held} →"
        ends = (
            np.linspace(0.75, 0.95, 5) * n if state.auc >= 0.5 else np.linspace(0.05, 0.25, 5) * n
        )
        along = np.interp(ends, result.rank, result.probability)
        rows = []
        for text, role, x, y, far in (
            (f"r* = {rank_text(law.threshold_rank)}", "optimum-text", best, 1.07, 0.4),
            (held, "held-text", at, 0.6, 0.8),
            ("the law", "hull-text", ends, along + 0.06, 0.4),
            ("prevalence", "muted", np.linspace(0.1, 0.9, 5) * n, state.prevalence + 0.04, 0.4),
        ):
            if place := room.place(text, x, y, far=far):
                rows.append((*place, text, role))
        self.words.write(rows)


class ROCPanel(FigurePanel):
    """The ROC curve that the law implies, with the data's."""

    def __init__(self) -> None:
        super().__init__("false positive rate", "true positive rate")
        fig = self.figure
        self.diagonal = diagonal(fig)
        self.data = line(fig, "ranking")
        self.law = line(fig, "hull", line_style="dashed")
        self.best = ring(fig, "optimum")
        self.good, self.bad = Words(fig, "end"), Words(fig, "start")
        self.add_marks()
        self.yielding = (self.diagonal,)

    def draw(self, state: FermiDiracState, result: FermiDiracResult) -> None:
        """Show a result."""
        thinned = result.ranked.thinned
        update_mark(self.data, x=thinned.fpr, y=thinned.tpr)
        fpr, tpr = result.roc
        update_mark(self.law, x=fpr, y=tpr)
        good = state.auc >= 0.5
        at = int((tpr - fpr).argmax()) if good else int((tpr - fpr).argmin())
        update_mark(self.best, x=fpr[[at]], y=tpr[[at]])
        names = (
            (f"data, AUC {number(result.ranked.segments.auc)}", "ranking"),
            (f"the law, AUC {number(state.auc)}", "hull-text"),
            ("ring: the cut at rank r*", "optimum-text"),
        )
        x, top = (0.985, 0.14) if good else (0.02, 0.96)
        rows = [(x, top - 0.056 * i, *name) for i, name in enumerate(names)]
        rows = rows if self.is_large else []
        self.good.write(rows if good else [])
        self.bad.write([] if good else rows)


class ColdnessPanel(FigurePanel):
    """Coldness against AUC at this prevalence, with the point that is set."""

    def __init__(self, on_auc: Callable[[float], None]) -> None:
        super().__init__(
            "AUC",
            "coldness N / T",
            y_range=(-40.0, 40.0),
            y_ticks={-40.0: "−40", -20.0: "−20", 0.0: "0", 20.0: "20", 40.0: "40"},
        )
        fig = self.figure
        self.axis = line(fig, "reference", line_style="dotted", stroke_width=1.5)
        self.axis.x = np.array([0.0, 1.0])
        self.curve = line(fig, "ranking")
        self.words = Words(fig, "middle")
        self.handle = Handle(fig, lambda x, _y: on_auc(x))
        self.add_marks()

    def draw(self, state: FermiDiracState, _result: FermiDiracResult) -> None:
        """Show a result."""
        auc, coldness = coldness_curve(state.prevalence)
        update_mark(self.curve, x=auc, y=coldness)
        self.handle.place(state.auc, state.coldness)
        words = []
        if self.is_large:
            words = [
                (0.72, -8.0, "cold: sure and right", "muted"),
                (0.5, 8.0, "hot: random", "muted"),
                (0.5, -34.0, "below zero: sure and wrong", "muted"),
            ]
        self.words.write(words)


class IntervalPanel(FigurePanel):
    """Confidence intervals of the AUC, one row per method, and their simulated coverage."""

    def __init__(self) -> None:
        super().__init__("intervals of the AUC of the data", "", square=False, pad=0.02)
        fig = self.figure
        fig.axes[1].visible = False
        self.tracks = line(fig, "grid", stroke_width=2.0)
        self.bars = line(fig, "hull", stroke_width=6.0)
        self.points = dots(fig, "text", default_size=60)
        self.names = label(fig, "text", text=[""], align="start", font_weight="normal")
        self.words = label(fig, "text", text=[""], align="end", font_weight="normal")
        self.add_marks()

    def fit(self, theme: Theme) -> None:
        """Take the sizes that a theme asks for; there are no numbers at the left."""
        super().fit(theme)
        margin = self.figure.fig_margin
        self.figure.fig_margin = {**margin, "left": margin["right"]}

    def draw(self, state: FermiDiracState, result: FermiDiracResult) -> None:
        """Show a result."""
        intervals = result.intervals
        at = -np.arange(len(intervals), dtype=float)
        low = np.floor(100 * max(0.0, min(i.lower for i in intervals) - 0.01)) / 100
        high = np.ceil(100 * min(1.0, max(i.upper for i in intervals) + 0.01)) / 100
        self.set_range(0, low, high)
        self.set_range(1, 0.4 - len(METHODS), 0.6)
        self.set_ticks(0, [low, high])
        track, text = (at - 0.2, at + 0.2) if self.is_large else (at, at)
        update_mark(
            self.tracks, x=np.array([[low, high]] * at.size), y=np.column_stack((track, track))
        )
        ends = np.array([(i.lower, i.upper) for i in intervals])
        update_mark(self.bars, x=ends, y=np.column_stack((track, track)))
        update_mark(self.points, x=np.array([i.auc for i in intervals]), y=track)
        for mark in (self.tracks, self.bars, self.points):  # a small one has room for words only
            show(mark, self.is_large)
        names = ["exact" if i.is_fallback else INTERVAL_NAMES[i.method] for i in intervals]
        words = [self._words(state, i) for i in intervals]
        if len(intervals) < len(METHODS):  # in a preview
            text = np.append(text, text[-1] - 1)
            names.append(INTERVAL_NAMES[METHODS[-1]])
            words.append("comes when the hand rests" if self.is_large else "comes later")
        update_mark(self.names, x=np.full(text.size, low), y=text, text=np.array(names))
        update_mark(self.words, x=np.full(text.size, high), y=text, text=np.array(words))

    def _words(self, state: FermiDiracState, interval: AUCInterval) -> str:
        """Write the ends of an interval, and its simulated coverage once there is one."""
        ends = f"{number(interval.lower)} to {number(interval.upper)}"
        covered = state.coverage_of(interval.method)
        if not covered:
            return ends
        return f"{ends}, covers {covered}" if self.is_large else f"covers {covered}"
