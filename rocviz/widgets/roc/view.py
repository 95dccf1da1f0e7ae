"""How the ROC explorer's result is drawn with bqplot: four pictures.

Draws; computes nothing. What is dragged or clicked is handed to the callbacks it was given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import bqplot
import ipywidgets
import numpy as np
from matplotlib.ticker import MaxNLocator

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
from rocviz.widgets.roc.words import METRIC_NAMES
from rocviz.words import amount, number, percent

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocviz.widgets.roc.data import Curve
    from rocviz.widgets.roc.state import ROCResult, ROCState

__all__ = ["BrierPanel", "ROCPanel", "ReliabilityPanel", "ScoresPanel"]

MOST_POINTS = 250  # more circles are slower to draw and cannot be told apart
MOST_CORNERS = 60  # beyond this, corners are too close to be clicked
BEHIND = (("second", "dash_dotted"), ("third", "dotted"), ("second", "dotted"))


class ScoresPanel:
    """Scores by class, with a threshold to drag."""

    def __init__(self, on_threshold: Callable[[float], None]) -> None:
        self.figure = figure("score", "samples", y_ticks=None)
        scales = {"x": self.figure.scale_x, "y": self.figure.scale_y}
        self.bars = {
            thing: bqplot.Bars(
                x=np.array([0.5]),
                y=np.array([0.0]),
                scales=scales,
                colors=[colour(thing)],
                opacities=[0.55],
                stroke="transparent",
                padding=0.06,
            )
            for thing in ("negative", "positive")
        }
        self.line = line(self.figure, "held")
        self.names = {
            thing: label(self.figure, f"{thing}-text", text=[f"{thing}s"], align=align)
            for thing, align in (("negative", "start"), ("positive", "end"))
        }
        self.handle = Handle(self.figure, lambda x, _y: on_threshold(x), restrict_x=True)
        self.figure.marks = [
            *self.bars.values(),
            *self.names.values(),
            self.line,
            *self.handle.marks,
        ]
        self.box = panel("Scores", self.figure)

    def draw(self, state: ROCState, result: ROCResult) -> None:
        """Show a result."""
        histogram = result.curve.histogram
        low, high = float(histogram.edges[0]), float(histogram.edges[-1])
        top = 1.22 * float(max(histogram.pos.max(), histogram.neg.max()))
        for name, value in (("min", low), ("max", high)):
            if getattr(self.figure.scale_x, name) != value:
                setattr(self.figure.scale_x, name, value)
        if self.figure.scale_y.max != top:
            self.figure.scale_y.max = top
            steps = MaxNLocator(4, integer=top >= 4).tick_values(0, top)
            self.figure.axes[1].tick_values = steps[steps <= top]
            ticks = UNIT_TICKS if (low, high) == (0, 1) else np.linspace(low, high, 5)
            self.figure.axes[0].tick_values = np.asarray(ticks)
        for thing, heights in (("negative", histogram.neg), ("positive", histogram.pos)):
            put(self.bars[thing], x=histogram.centres, y=heights)
        span = high - low
        put(self.names["negative"], x=np.array([low + 0.02 * span]), y=np.array([0.94 * top]))
        put(self.names["positive"], x=np.array([high - 0.02 * span]), y=np.array([0.94 * top]))
        put(self.line, x=np.array([state.threshold] * 2), y=np.array([0.0, top]))
        self.handle.place(state.threshold, 0.86 * top)


class ROCPanel:
    """The curve, its hull and band, the point held and the best one."""

    def __init__(
        self, on_point: Callable[[float, float], None], on_corner: Callable[[int], None]
    ) -> None:
        fig = self.figure = figure("false positive rate", "true positive rate")
        scales = {"x": fig.scale_x, "y": fig.scale_y}
        self.band = line(
            fig,
            "ranking",
            fill="between",
            fill_colors=[colour("ranking")],
            fill_opacities=[0.1],
            opacities=[0.0, 0.0],
        )
        diagonal = line(fig, "reference", line_style="dotted", stroke_width=1.5)
        diagonal.x = diagonal.y = np.array([0.0, 1.0])
        self.others = [line(fig, thing, line_style=style, visible=False) for thing, style in BEHIND]
        self.curve = line(fig, "ranking")
        self.hull = line(fig, "hull", line_style="dashed")
        self.vertices = bqplot.Scatter(
            x=[0.0],
            y=[0.0],
            scales=scales,
            colors=[colour("hull")],
            default_size=34,
            apply_clip=False,
        )
        self.corners = bqplot.Scatter(
            x=[0.0],
            y=[0.0],
            scales=scales,
            colors=[colour("paper")],
            stroke=colour("ranking"),
            stroke_width=1.8,
            default_size=60,
            visible=False,
            apply_clip=False,
        )
        self.corners.on_element_click(lambda _mark, event: on_corner(event["data"]["index"]))
        self.isometric = line(fig, "held", line_style="solid", stroke_width=1.8)
        self.cost_line = line(fig, "optimum", stroke_width=1.8)
        self.ring = bqplot.Scatter(
            x=[0.0],
            y=[0.0],
            scales=scales,
            colors=["transparent"],
            stroke=colour("optimum"),
            stroke_width=3.0,
            fill=False,
            apply_clip=False,
            default_size=260,
        )
        self.handle = Handle(fig, on_point)
        self.words = bqplot.Label(
            x=[0.0],
            y=[0.0],
            text=[""],
            scales=scales,
            font_weight="bold",
        )
        fig.marks = [
            self.band,
            diagonal,
            *self.others,
            self.cost_line,
            self.isometric,
            self.curve,
            self.hull,
            self.vertices,
            self.corners,
            self.words,
            self.ring,
            *self.handle.marks,
        ]
        self.box = panel("ROC curve", fig)

    def draw(self, state: ROCState, result: ROCResult) -> None:
        """Show a result."""
        curve = result.curve
        put(self.curve, x=curve.thinned.fpr, y=curve.thinned.tpr)
        if result.band is not None:
            put(
                self.band,
                x=np.array([result.band.fpr] * 2),
                y=np.array([result.band.lower, result.band.upper]),
            )
        hull = curve.hull_thinned
        put(self.hull, x=hull.fpr, y=hull.tpr)
        put(self.vertices, x=hull.fpr, y=hull.tpr)
        few = len(curve.segments) <= MOST_CORNERS
        if few:
            put(self.corners, x=curve.segments.fpr[1:-1], y=curve.segments.tpr[1:-1])
        put(self.isometric, x=result.isometric[0], y=result.isometric[1])
        put(self.cost_line, x=result.optimum_line[0], y=result.optimum_line[1])
        put(self.ring, x=np.array([result.optimal_point[0]]), y=np.array([result.optimal_point[1]]))
        for behind, other in zip(self.others, result.others, strict=False):
            thinned = other[1].thinned
            put(behind, x=thinned.fpr, y=thinned.tpr)
        for mark, shown in (
            (self.band, result.band is not None),
            (self.hull, state.show_hull),
            (self.vertices, state.show_hull and len(hull.fpr) <= 40),
            (self.corners, few and len(curve.segments) > 1),
            (self.isometric, state.metric != "none"),
            *((behind, i < len(result.others)) for i, behind in enumerate(self.others)),
        ):
            if mark.visible != shown:
                mark.visible = shown
        self.handle.place(*result.operating_point)
        self._write(state, result, curve)

    def _write(self, state: ROCState, result: ROCResult, curve: Curve) -> None:
        name = result.model if result.others else "curve"
        rows = [(f"{name}, AUC {number(curve.segments.auc)}", "ranking")]
        if state.show_hull:
            rows.append((f"convex hull, AUC {number(curve.hull.auc)}", "hull-text"))
        for (other, behind, _test), (thing, _style) in zip(result.others, BEHIND, strict=False):
            ink = "negative-text" if thing == "second" else "muted"
            rows.append((f"{other}, AUC {number(behind.segments.auc)}", ink))
        if state.metric != "none":
            name = METRIC_NAMES[state.metric]
            rows.append((f"same {name}: {number(result.metric_value)}", "held-text"))
        rows.append(("○ best for these costs", "optimum-text"))
        if result.band is not None:
            rows.append((f"{percent(result.band.confidence)} band, {result.band.method}", "muted"))
        rows.append(
            (f"n = {amount(curve.segments.n_pos)} + {amount(curve.segments.n_neg)}", "muted")
        )
        good = curve.segments.auc >= 0.5
        step = 0.056 * get_theme().font / 14
        top = 0.05 + step * (len(rows) - 1) if good else 0.95
        y = top - step * np.arange(len(rows))
        x = np.full(len(rows), 0.985 if good else 0.02)
        put(
            self.words,
            x=x,
            y=y,
            text=np.array([text for text, _ in rows]),
            colors=[colour(thing) for _, thing in rows],
            align="end" if good else "start",
        )


class ReliabilityPanel:
    """What was said against what happened; the area of a circle is its number of samples."""

    def __init__(self, on_segment: Callable[[int], None]) -> None:
        fig = self.figure = figure("predicted probability", "observed frequency")
        scales = {"x": fig.scale_x, "y": fig.scale_y}
        identity = line(fig, "reference", line_style="dotted", stroke_width=1.5)
        identity.x = identity.y = np.array([0.0, 1.0])
        self.steps = line(fig, "hull", line_style="dashed", stroke_width=2.0)
        self.circles = bqplot.Scatter(
            x=[0.0],
            y=[0.0],
            size=[1.0],
            scales={**scales, "size": bqplot.LinearScale(min=0.0, max=1.0)},
            colors=[colour("hull-soft")],
            stroke=colour("hull-text"),
            default_size=1100,
            apply_clip=False,
        )
        self.circles.on_element_click(lambda _mark, event: on_segment(event["data"]["index"]))
        self.ideal = label(
            fig,
            "muted",
            text=["perfectly calibrated"],
            align="middle",
            rotate_angle=-45.0,
            font_weight="normal",
        )
        self.words = label(fig, "hull-text", text=[""], align="end")
        fig.marks = [identity, self.ideal, self.steps, self.circles, self.words]
        self.box = panel("What it says, what happens", fig)

    def draw(self, _state: ROCState, result: ROCResult) -> None:
        """Show a result."""
        points, segments = result.reliability, result.calibrated.segments
        n_points = len(points.n)
        shown = np.arange(n_points)
        if n_points > MOST_POINTS:
            shown = np.unique(np.linspace(0, n_points - 1, MOST_POINTS).round().astype(int))
        share = points.n / points.n.max()
        self.order = shown[np.argsort(-share[shown], kind="stable")]  # small ones on top
        put(
            self.circles,
            x=points.predicted[self.order],
            y=points.observed[self.order],
            size=np.maximum(share[self.order], 0.02),
        )
        # the words go beside the diagonal, where the circles leave most room
        middle = np.linspace(0.2, 0.8, 25)
        gaps = np.abs(points.predicted[self.order, None] - middle - 0.025)
        gaps += np.abs(points.observed[self.order, None] - middle + 0.025)
        best = middle[gaps.min(axis=0).argmax()]
        put(self.ideal, x=np.array([best + 0.025]), y=np.array([best - 0.025]))
        hull = result.calibrated.by_hull
        at = segments.hull_vertices
        edges = np.column_stack((segments.score[at[:-1]], segments.score[at[1:] - 1])).ravel()
        put(self.steps, x=edges, y=np.repeat(hull.observed, 2))
        many = f"{n_points}" if len(shown) == n_points else f"{len(shown)} of {n_points:,}"
        what = "hull segment" if points is hull else "score"
        put(
            self.words,
            text=np.array([f"{many} {what}{'s' if n_points > 1 else ''}", "area = samples"]),
            x=np.array([0.985, 0.985]),
            y=np.array([0.05 + 0.056 * get_theme().font / 14, 0.05]),
        )


class BrierPanel:
    """The Brier score as bars, and the confusion table, in HTML."""

    def __init__(self) -> None:
        self.bars = ipywidgets.HTML()
        self.table = ipywidgets.HTML()
        self.box = control(ipywidgets.VBox([self.bars, self.table]), "rocviz-panel")

    def draw(self, state: ROCState, result: ROCResult) -> None:
        """Show a result."""
        self.bars.value = self._bars(state, result)
        self.table.value = self._table(state, result)

    @staticmethod
    def _bars(state: ROCState, result: ROCResult) -> str:
        after, before = result.calibrated.after, result.calibrated.before
        shown = [after] if before is None or state.calibration == "raw" else [before, after]
        full = max(after.uncertainty, *(b.brier for b in shown))

        def bar(caption: str, *parts: tuple[float, str, str]) -> str:
            spans, small = [], []
            for value, thing, text in parts:
                words = f"{text} {number(value)}"
                wide = value / full > 0.0185 * len(words)
                small += [] if wide else [f' <span class="muted">{words}</span>']
                spans.append(
                    f'<span style="width:{100 * value / full:.3f}%;background:{colour(thing)};'
                    f'color:{"inherit" if thing == "reference" else "#1b1f24"}" '
                    f'title="{words}">{words if wide else ""}</span>'
                )
            filled = f'<div class="rocviz-bar">{"".join(spans)}</div>'
            return f"<div>{caption}{''.join(small)}</div>{filled}"

        html = [f'<h3 class="flush">Brier score {number(after.brier)}</h3>']
        for b in shown:
            when = ""
            if len(shown) == 2:
                when = ", raw" if b is before else f", {state.calibration}"
            html += [
                bar(
                    f"per score{when}",
                    (b.calibration_loss, "held", "calibration"),
                    (b.refinement_loss, "second", "refinement"),
                ),
                bar(
                    f"against the convex hull{when}",
                    (b.miscalibration, "held", "miscalibration"),
                    (b.uncertainty - b.discrimination, "hull", "what the hull leaves"),
                ),
            ]
        prior = f"always say {number(state.result.segments.prevalence)}:"
        html.append(bar("knowing only the prevalence", (after.uncertainty, "reference", prior)))
        return "".join(html)

    @staticmethod
    def _table(state: ROCState, result: ROCResult) -> str:
        table, rows = result.table, []
        for kind, sign, yes, no, rate, words in (
            ("positive", "+", table.tp, table.fn, "tpr", "found"),
            ("negative", "−", table.fp, table.tn, "fpr", "false alarms"),
        ):
            low, high = table.interval(rate, confidence=state.confidence)
            rows.append(
                f'<tr><th class="is-{kind}">is {sign}</th><td class="count">{amount(yes)}</td>'
                f'<td class="count">{amount(no)}</td><td class="words">'
                f"{percent(getattr(table, rate))} {words} "
                f'<span class="muted">({percent(low)[:-2]} to {percent(high)})</span></td></tr>'
            )
        deployed = result.deployed
        right = f"{percent(deployed.precision)} of those called positive are"
        return (
            f'<h3 class="flush">Confusion at {number(state.threshold)}</h3>'
            '<table class="rocviz-confusion"><tr><th></th><th>said +</th><th>said −</th>'
            f"<th></th></tr>{''.join(rows)}</table>"
            f"<div>Of 1000 where {percent(state.deployment_prevalence)} are positive: "
            f'<b class="is-positive">{deployed.tp:.0f}</b> found, '
            f'{deployed.fn:.0f} missed, <b class="is-negative">{deployed.fp:.0f}</b> '
            f"false alarms; {right}.</div>"
        )
