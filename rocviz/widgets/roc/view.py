"""The ROC explorer's pictures, but for its curves: scores, reliability and the Brier score."""

from __future__ import annotations

from functools import partial

import numpy as np

from rocviz.displays.calibration.pictures import (
    BarRow,
    Calibrated,
    ReliabilityScene,
    bars_picture,
    shown_points,
)
from rocviz.displays.calibration.pictures import reliability_picture as draw_reliability
from rocviz.pictures import UNIT_TICKS, Axis, Bars, Handle, Line, Picture, round_ticks, words
from rocviz.widgets.roc.result import ROCResult
from rocviz.widgets.roc.state import ROCState
from rocviz.words import amount, number, percent, short_amount


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


def confusion_caption(result: ROCResult) -> str:
    """Write the counts of the confusion table in one line."""
    table = result.table
    rows = ("is +", table.tp, table.fn), ("is −", table.fp, table.tn)
    return "; ".join(
        f"{kind}: {amount(yes)} called +, {amount(no)} called −" for kind, yes, no in rows
    )


def brier_picture(state: ROCState, result: ROCResult, is_large: bool) -> Picture:
    """Draw the Brier score as bars: what calibration can repair, what only a better ranking can."""
    after, before = result.calibrated.after, result.calibrated.before
    shown = [("", after)]
    if before is not None and state.calibration != "raw":
        shown = [(f" {state.calibration}", after), (" raw", before)]
    rows = []
    for name, one in shown:
        # what rounding leaves of nothing is nothing
        excess = round(one.miscalibration, 15)
        rest = abs(round(one.brier - one.miscalibration, 15))
        pieces = ("miscalibration", "", excess, "held"), ("hull", "+", rest, "hull")
        rows.append(BarRow(f"{number(one.brier)}{name} =", pieces))
        if is_large:
            loss = round(one.calibration_loss, 15)
            pieces = (
                ("calibration_loss", "", loss, "held"),
                ("refinement_loss", "+", one.refinement_loss, "negative"),
            )
            rows.append(BarRow("score by score:", pieces))
    note = [[("calibration can repair", "held-text")], [("only a better ranking can", "hull-text")]]
    if is_large:
        prevalence = number(result.segments.prevalence)
        always = ("uncertainty", "", after.uncertainty, "reference")
        rows.append(BarRow(f"always predicting {prevalence}:", (always,)))
        note.append([("calibration loss", "held-text"), ("+ refinement loss", "negative-text")])
    return bars_picture(rows, note, least=after.uncertainty, is_large=is_large)
