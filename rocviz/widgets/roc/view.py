"""The ROC explorer's pictures, but for its curves: scores, reliability and the Brier score."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from rocviz.displays.calibration.pictures import Calibrated, ReliabilityScene, shown_points
from rocviz.displays.calibration.pictures import reliability_picture as draw_reliability
from rocviz.pictures import UNIT_TICKS, Axis, Bars, Handle, Line, Picture, round_ticks, words
from rocviz.widgets.base.panel import HTMLPanel
from rocviz.widgets.base.stage import colour
from rocviz.widgets.roc.result import ROCResult
from rocviz.widgets.roc.state import ROCState
from rocviz.words import amount, number, percent, short_amount

#: A bar's heading, and of its parts the value, what its colour stands for, and words.
BrierBar = tuple[str, list[tuple[float, str, str]]]


def scores_picture(state: ROCState, result: ROCResult, is_large: bool) -> Picture:
    """Draw scores by class, with a threshold to drag."""
    histogram = result.curve.histogram
    low, high = float(histogram.edges[0]), float(histogram.edges[-1])
    most = float(max(histogram.pos.max(), histogram.neg.max()))
    top = (1.22 if is_large else 1.55) * most
    heights = {"negative": histogram.neg, "positive": histogram.pos}
    sides = {"negative": (0.01, "start"), "positive": (0.99, "end")}
    names = {
        role: [(low + share * (high - low), 0.93 * top, f"{role}s", f"{role}-text")]
        for role, (share, _) in sides.items()
    }
    return Picture(
        Axis(
            "score",
            low,
            high,
            UNIT_TICKS if (low, high) == (0, 1) else np.linspace(low, high, 5),
            pad=0.02,
        ),
        Axis("samples", 0.0, top, round_ticks(0, top, 4 if is_large else 2, integer=True), pad=0.0),
        (
            *(Bars(role, role, histogram.centres, each) for role, each in heights.items()),
            *(words(f"{role} name", names[role], align) for role, (_, align) in sides.items()),
            Line("line", "held", [state.threshold] * 2, (0.0, 0.84 * top)),
            Handle("threshold", "held", [state.threshold], [0.84 * top], along="x"),
        ),
        is_square=False,
        is_large=is_large,
    )


def reliability_picture(_state: ROCState, result: ROCResult, is_large: bool) -> Picture:
    """Draw predicted against observed, with the steps of the hull."""
    points, segments = result.reliability, result.calibrated.segments
    at = segments.hull_vertices
    edges = np.column_stack((segments.score[at[:-1]], segments.score[at[1:] - 1])).ravel()
    n, shown = len(points.n), len(shown_points(len(points.n)))
    many = amount(n) if shown == n else f"{shown} of {n:,}"
    what = "hull segment" if points is result.calibrated.by_hull else "score"
    steps = edges, np.repeat(result.calibrated.by_hull.observed, 2)
    parts = f"{many} {what}{'s' if n > 1 else ''}"
    scene = ReliabilityScene((Calibrated(points, steps=steps, parts=parts),))
    return draw_reliability(scene, is_large)


def confusion_note(state: ROCState, result: ROCResult, is_large: bool) -> str:
    """Write the confusion table."""
    table, rows = result.table, []
    count = partial(short_amount, most=15 if is_large else 9)
    for kind, sign, yes, no, rate, said in (
        ("positive", "+", table.tp, table.fn, "tpr", "found"),
        ("negative", "−", table.fp, table.tn, "fpr", "false alarms"),
    ):
        low, high = table.interval(rate, confidence=state.confidence)
        rates = f"<td>{percent(getattr(table, rate))} {said}</td>" if is_large else ""
        rates += f'<td class="muted">{percent(low)[:-2]} to {percent(high)}</td>' * is_large
        rows.append(
            f'<tr><th class="is-{kind}">is {sign}</th><td class="count">{count(yes)}</td>'
            f"<td>{count(no)}</td>{rates}</tr>"
        )
    return (
        '<table class="rocviz-confusion"><tr><td></td><th>called +</th><th>called −</th></tr>'
        f"{''.join(rows)}</table>"
    )


class BrierPanel(HTMLPanel):
    """The Brier score as bars: what calibration can repair, what only a better ranking can."""

    def html(self, state: ROCState, result: ROCResult) -> str:
        """Draw the bars."""
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
    """Choose the scale of the bars: at least the best constant prediction."""
    sums = [sum(value for value, *_ in parts) for _, parts in bars]
    return float(max(*sums, result.calibrated.after.uncertainty))


def brier_bars(state: ROCState, result: ROCResult, *, is_large: bool) -> list[BrierBar]:
    """List each bar of Brier scores: its heading, and value, role and words of its parts."""
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
        heading = f"always predicting the prevalence, {prior}:"
        bars.append((heading, [(after.uncertainty, "reference", "uncertainty")]))
    return bars
