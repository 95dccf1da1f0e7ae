"""How the ROC explorer's result is drawn with bqplot, but for its curves.

Draws; computes nothing. What is dragged or clicked is handed to the callbacks it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import bqplot
import ipywidgets
import numpy as np
from matplotlib.ticker import MaxNLocator

from rocviz.theme import Theme
from rocviz.widgets.base.panel import UNIT_TICKS, FigurePanel, HTMLPanel
from rocviz.widgets.base.parts import (
    DESK,
    Handle,
    colour,
    diagonal,
    dots,
    label,
    line,
    make_widget,
    on_click,
    show,
    update_mark,
)
from rocviz.widgets.roc.result import ROCResult
from rocviz.widgets.roc.state import ROCState
from rocviz.words import amount, number, percent, short_amount

#: A bar's heading, and of its parts the value, what its colour stands for, and words.
BrierBar = tuple[str, list[tuple[float, str, str]]]

BESIDE = 0.028  # of words from the diagonal, across and up
MOST_POINTS = 250  # more circles are slower to draw and cannot be told apart


class ScoresPanel(FigurePanel):
    """Scores by class, with a threshold to drag."""

    def __init__(self, on_threshold: Callable[[float], None]) -> None:
        super().__init__("score", "samples", y_ticks=(), square=False, pad=0.02)
        self.bars = {
            role: bqplot.Bars(
                x=np.array([0.5]),
                y=np.array([0.0]),
                scales=self.scales,
                colors=[colour(role)],
                opacities=[0.55],
                stroke="transparent",
                padding=0.06,
            )
            for role in ("negative", "positive")
        }
        self.names = {
            role: label(self.figure, f"{role}-text", text=[f"{role}s"], align=align)
            for role, align in (("negative", "start"), ("positive", "end"))
        }
        self.line = line(self.figure, "held")
        self.handle = Handle(self.figure, lambda x, _y: on_threshold(x), restrict_x=True)
        self.add_marks()

    def draw(self, state: ROCState, result: ROCResult) -> None:
        """Show a result."""
        histogram = result.curve.histogram
        low, high = float(histogram.edges[0]), float(histogram.edges[-1])
        most = float(max(histogram.pos.max(), histogram.neg.max()))
        top = (1.22 if self.is_large else 1.55) * most
        self.set_range(0, low, high)
        if self.figure.scale_y.min != 0 or self.figure.scale_y.max != top:
            self.figure.scale_y.min, self.figure.scale_y.max = 0.0, top
        steps = MaxNLocator(4 if self.is_large else 2, integer=True).tick_values(0, most)
        self.set_ticks(1, steps[(steps <= top) & (steps >= 0)])
        self.set_ticks(0, UNIT_TICKS if (low, high) == (0, 1) else np.linspace(low, high, 5))
        for role, heights in (("negative", histogram.neg), ("positive", histogram.pos)):
            update_mark(self.bars[role], x=histogram.centres, y=heights)
        up = np.array([0.93 * top])
        update_mark(self.names["negative"], x=np.array([low + 0.01 * (high - low)]), y=up)
        update_mark(self.names["positive"], x=np.array([high - 0.01 * (high - low)]), y=up)
        update_mark(self.line, x=np.array([state.threshold] * 2), y=np.array([0.0, 0.84 * top]))
        self.handle.place(state.threshold, 0.84 * top)


class ReliabilityPanel(FigurePanel):
    """What was said against what happened; the area of a circle is its number of samples."""

    def __init__(self, on_segment: Callable[[int], None]) -> None:
        self.table = make_widget(ipywidgets.HTML)
        super().__init__(
            "predicted probability", "observed frequency", beside=[self.table], pad=0.08
        )
        fig = self.figure
        self.diagonal = diagonal(fig)
        self.ideal = label(
            fig,
            "muted",
            text=["perfectly calibrated"],
            align="middle",
            rotate_angle=-45.0,
            font_weight="normal",
        )
        self.steps = line(fig, "hull", line_style="dashed", stroke_width=2.0)
        self.circles = dots(fig, "hull-text", fill="hull-soft", sized=True, default_size=1100)
        on_click(self.circles, on_segment)
        self.add_marks()

    def fit(self, theme: Theme) -> None:
        """Take the sizes that a theme asks for; circles of a small picture are smaller."""
        super().fit(theme)
        self.circles.default_size = round((900 if self.is_large else 190) * theme.font / DESK.font)

    def draw(self, state: ROCState, result: ROCResult) -> None:
        """Show a result."""
        points, segments = result.reliability, result.calibrated.segments
        n_points = len(points.n)
        shown = np.arange(n_points)
        if n_points > MOST_POINTS:
            shown = np.unique(np.linspace(0, n_points - 1, MOST_POINTS).round().astype(int))
        share = points.n / points.n.max()
        self.order = shown[np.argsort(-share[shown], kind="stable")]  # small ones on top
        update_mark(
            self.circles,
            x=points.predicted[self.order],
            y=points.observed[self.order],
            size=np.maximum(share[self.order], 0.02),
        )
        hull = result.calibrated.by_hull
        at = segments.hull_vertices
        edges = np.column_stack((segments.score[at[:-1]], segments.score[at[1:] - 1])).ravel()
        steps = np.repeat(hull.observed, 2)
        update_mark(self.steps, x=edges, y=steps)
        many = amount(n_points) if len(shown) == n_points else f"{len(shown)} of {n_points:,}"
        what = "hull segment" if points is hull else "score"
        note = f"{many} {what}{'s' if n_points > 1 else ''}, area = samples"
        words = f'<div><b class="rocviz-hull">{note}</b></div>' if self.is_large else ""
        self.table.value = self._confusion(state, result) + words

    def settle(self) -> None:
        """Write along the diagonal where neither circles nor steps are; small ones say nothing."""
        super().settle()
        place = None
        if self.is_large:
            middle = 0.5 + np.outer(np.linspace(0.0, 0.3, 13), [1.0, -1.0]).ravel()
            below = np.repeat([BESIDE, -BESIDE], middle.size)
            spots = np.tile(middle, 2)
            room = self._room({self.ideal, self.diagonal}, share=1.2)  # not bold
            place = room.slanted(self.ideal.text[0], spots + below, spots - below)
        show(self.ideal, place is not None)
        if place is not None:
            update_mark(self.ideal, x=np.array(place[:1]), y=np.array(place[1:]))

    def _confusion(self, state: ROCState, result: ROCResult) -> str:
        table, rows = result.table, []
        count = partial(short_amount, most=15 if self.is_large else 9)
        for kind, sign, yes, no, rate, words in (
            ("positive", "+", table.tp, table.fn, "tpr", "found"),
            ("negative", "−", table.fp, table.tn, "fpr", "false alarms"),
        ):
            low, high = table.interval(rate, confidence=state.confidence)
            rates = f"<td>{percent(getattr(table, rate))} {words}</td>" if self.is_large else ""
            rates += (
                f'<td class="muted">{percent(low)[:-2]} to {percent(high)}</td>' * self.is_large
            )
            rows.append(
                f'<tr><th class="is-{kind}">is {sign}</th><td class="count">{count(yes)}</td>'
                f"<td>{count(no)}</td>{rates}</tr>"
            )
        return (
            '<table class="rocviz-confusion"><tr><td></td><th>said +</th><th>said −</th></tr>'
            f"{''.join(rows)}</table>"
        )


class BrierPanel(HTMLPanel):
    """The Brier score as bars: what calibration can repair, what only a better ranking can."""

    def html(self, state: ROCState, result: ROCResult) -> str:
        """Return the bars."""
        bars = brier_bars(state, result, is_large=self.is_large)
        full = longest_bar(bars, result)
        html = []
        for heading, parts in bars:
            kind = "p" if heading.endswith(":") else "div"
            spans = "".join(
                f'<span style="width:{100 * value / full:.3f}%;background:{colour(role)}" '
                f'title="{words} {number(value)}"></span>'
                for value, role, words in parts
            )
            words = " · ".join(
                f'<b class="rocviz-{role}">{number(value)}</b> {text}'
                for value, role, text in parts
            )
            html.append(
                f'<{kind}>{heading}</{kind}><div class="rocviz-bar">{spans}</div>'
                f'<div class="muted">{words}</div>'
            )
        return "".join(html)


def longest_bar(bars: Sequence[BrierBar], result: ROCResult) -> float:
    """Return what the longest of the bars has room for: the best constant prediction at least."""
    sums = [sum(value for value, *_ in parts) for _, parts in bars]
    return float(max(*sums, result.calibrated.after.uncertainty))


def brier_bars(state: ROCState, result: ROCResult, *, is_large: bool) -> list[BrierBar]:
    """Return for each bar of Brier scores its heading, and value, role and words of its parts."""
    after, before = result.calibrated.after, result.calibrated.before
    shown = [("", after)]
    if before is not None and state.calibration != "raw":
        shown = [(f" {state.calibration}", after), (" raw", before)]
    bars = []
    for name, b in shown:
        # what rounding leaves of nothing is nothing
        repaired = (round(b.miscalibration, 15), "held", "calibration can repair")
        rest = (abs(round(b.uncertainty - b.discrimination, 15)), "hull", "only a better ranking")
        bars.append((f"{number(b.brier)}{name}", [repaired, rest]))
        if is_large:
            lost = (round(b.calibration_loss, 15), "held", "calibration loss")
            bars.append(
                ("score by score:", [lost, (b.refinement_loss, "second", "refinement loss")])
            )
    if is_large:
        prior = number(result.segments.prevalence)
        heading = f"who knows the prevalence only and always says {prior}:"
        bars.append((heading, [(after.uncertainty, "reference", "uncertainty")]))
    return bars
