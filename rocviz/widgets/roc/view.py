"""The ROC explorer's pictures: curves in any space, scores, reliability and the Brier score."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from rocviz.core.roc.metrics import metric_label
from rocviz.displays.calibration.pictures import (
    MOST_POINTS,
    BarRow,
    Calibrated,
    ReliabilityScene,
    bars_picture,
    brier_pieces,
)
from rocviz.displays.calibration.pictures import reliability_picture as draw_reliability
from rocviz.displays.roc.curves import (
    MOST_ROWS,
    SPACES,
    Best,
    Curve,
    curves_picture,
    curves_scene,
)
from rocviz.pictures import (
    NOWHERE,
    ROW,
    UNIT_TICKS,
    Axis,
    Bars,
    Entry,
    Handle,
    Line,
    Picture,
    model_look,
    round_ticks,
    words,
)
from rocviz.widgets.roc.result import ROCResult, SpaceView
from rocviz.widgets.roc.state import ROCState
from rocviz.words import amount, number, percent, score_text, short_amount

MOST_CORNERS = 60  # beyond this, corners are too close to be clicked
MOST_NAMES = 4  # beside which there is room above a curve
WORDS_FROM = 0.2  # where words at the right may begin, as a share of the width


def curve_picture(name: str, state: ROCState, result: ROCResult, is_large: bool) -> Picture:
    """Draw the curve, its hull, the current and the best point; in ROC space band and corners.

    ``name`` is that of the picture, of which each may show another space.
    """
    view = result.views[state.space_of(name)]
    space = SPACES[view.space]
    segments = result.curve.segments
    in_roc = view.space == "roc"
    names = list(state.data.scores)
    # the other models in the order of their areas
    sign = 1 if view.space in ("cost", "brier") else -1
    behind = sorted(
        zip(result.others, view.others, strict=True),
        key=lambda pair: 0.0 if pair[1] is None else sign * pair[1].area,
    )
    curves = [_front(state, result, view)]
    for (other, curve, _), shown in behind:
        at = NOWHERE if shown is None else shown.thin()
        if in_roc:
            at = curve.thinned.fpr, curve.thinned.tpr
        area = "" if shown is None or not space.area else number(shown.area)
        curves.append(Curve(other, names.index(other), at, area))
    if len(names) > 1 and view.space == "cost":
        space = replace(space, corner=(1.0, 1.0))
    corners = in_roc and 1 < len(segments) <= MOST_CORNERS
    scene = curves_scene(
        curves,
        replace(space, hull="hull over all") if view.union else space,
        view.prevalence,
        (view.limits[0], _heights(view, space.corner, is_large)),
        stretches=view.stretches if state.show_hull else (),
        cuts=NOWHERE if view.others else view.cuts,
        held=view.held,
        held_line=view.held_line,
        isometric=view.isometric,
        helps=_helps(state, result, view),
        corners=(segments.fpr[1:-1], segments.tpr[1:-1]) if corners else NOWHERE,
        has_table=True,
    )
    return curves_picture(scene, is_large)


def _front(state: ROCState, result: ROCResult, view: SpaceView) -> Curve:
    """Collect the curve of the chosen model, with its hull or the one over all models."""
    in_roc = view.space == "roc"
    in_cost = view.space == "cost"
    over_all = view.union
    band = result.band if in_roc else None
    curve = view.hull if in_cost else view.curve  # in cost space, that of the best cuts
    hull_view = over_all or view.hull
    at = curve.thin()
    hull = hull_view.thin()
    vertices = NOWHERE
    if in_roc:
        thin = result.curve.thinned
        few = result.curve.hull_thinned
        at = (thin.fpr, thin.tpr)
        hull = hull if over_all else (few.fpr, few.tpr)
        vertices = (over_all.at_x, over_all.at_y) if over_all else hull
    if not state.show_hull or (in_cost and over_all is None):
        hull = vertices = NOWHERE
    areas = [number(one.area) if SPACES[view.space].area else "" for one in (curve, hull_view)]
    return Curve(
        result.model if view.others else "curve",
        list(state.data.scores).index(result.model),
        at,
        areas[0],
        hull=hull,
        hull_area=areas[1],
        vertices=vertices,
        owners=[model_look(i).role for i in view.owners],
        band=None if band is None else (band.fpr, band.lower, band.upper),
        band_words="" if band is None else f"{percent(band.confidence)} band, {band.method}",
        best=Best(view.best, view.best_line)
        if state.show_best and np.isfinite(view.best[1])
        else None,
    )


def _helps(state: ROCState, result: ROCResult, view: SpaceView) -> list[Entry]:
    """Write the legend of the lines through the current point."""
    rows = []
    if state.metric != "none":
        text = f"same {metric_label(state.metric, state.beta)}: {number(result.metric_value)}"
        of = "meeting" if len(view.isometric[0]) == 1 else "isometric"
        rows.append(Entry(text, "held-text", of))
    if len(view.held_line[0]):
        text = f"threshold {score_text(state.threshold)} kept"
        rows.append(Entry(text, "held-text", "held line"))
    return rows


def _heights(view: SpaceView, corner: Any, is_large: bool) -> tuple[float, float]:
    """Choose the limits of the y axis so that the words of many models stand above the curves."""
    (left, right), (low, high) = view.limits
    if corner == (1.0, 1.0) and len(view.others) >= MOST_NAMES and is_large:
        n_rows = min(len(view.others) + 1, MOST_ROWS) + 1
        curves = [view.curve, view.union or view.hull, *(one for one in view.others if one)]
        words_from = left + WORDS_FROM * (right - left)
        lines = [curve.thin() for curve in curves]
        below = [y[(x >= words_from) & (x <= right)] for x, y in lines]
        most = max(float(y.max()) for y in below if y.size)
        high = max(high, low + (most - low) / (0.92 - ROW * n_rows))
    return low, high


def scores_picture(state: ROCState, result: ROCResult, is_large: bool) -> Picture:
    """Draw scores by class, with a threshold to drag."""
    histogram = result.curve.histogram
    low, high = float(histogram.edges[0]), float(histogram.edges[-1])
    most = float(max(histogram.pos.max(), histogram.neg.max()))
    top = (1.22 if is_large else 1.55) * most
    ticks = UNIT_TICKS if (low, high) == (0, 1) else np.linspace(low, high, 5)
    ends = low + np.array([0.01, 0.99]) * (high - low)
    up = 0.93 * top
    return Picture(
        Axis("score", low, high, ticks, pad=0.02),
        Axis("samples", 0.0, top, round_ticks(0, top, 4 if is_large else 2, integer=True), pad=0.0),
        (
            Bars("negative", "negative", histogram.centres, histogram.neg),
            Bars("positive", "positive", histogram.centres, histogram.pos),
            words("negative name", [(ends[0], up, "negatives", "negative-text")]),
            words("positive name", [(ends[1], up, "positives", "positive-text")], "end"),
            Line("line", "held", [state.threshold] * 2, (0.0, 0.84 * top)),
            Handle("threshold", "held", [state.threshold], [0.84 * top], along="x"),
        ),
        is_square=False,
        is_large=is_large,
    )


def reliability_picture(_state: ROCState, result: ROCResult, is_large: bool) -> Picture:
    """Draw predicted against observed, with the steps of the hull."""
    points = result.reliability
    segments = result.calibrated.segments
    at = segments.hull_vertices
    edges = np.column_stack((segments.score[at[:-1]], segments.score[at[1:] - 1])).ravel()
    n = len(points.n)
    shown = min(len(points.n), MOST_POINTS)
    many = amount(n) if shown == n else f"{shown} of {n:,}"
    what = "hull segment" if points is result.calibrated.by_hull else "score"
    steps = edges, np.repeat(result.calibrated.by_hull.observed, 2)
    parts = f"{many} {what}{'s' if n > 1 else ''}"
    scene = ReliabilityScene((Calibrated(points, steps=steps, parts=parts),))
    return draw_reliability(scene, is_large)


def confusion_note(state: ROCState, result: ROCResult, is_large: bool) -> str:
    """Write the confusion table."""
    table = result.table
    rows = []
    count = partial(short_amount, most=15 if is_large else 9)
    for kind, sign, yes, no, rate, meaning in (
        ("positive", "+", table.tp, table.fn, "tpr", "found"),
        ("negative", "−", table.fp, table.tn, "fpr", "false alarms"),
    ):
        low, high = table.interval(rate, confidence=state.confidence)
        rates = f"<td>{percent(getattr(table, rate))} {meaning}</td>" if is_large else ""
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
    """Write the counts of the confusion table in two lines."""
    table = result.table
    rows = ("is +", table.tp, table.fn), ("is −", table.fp, table.tn)
    return "\n".join(
        f"{kind}: {amount(yes)} called +, {amount(no)} called −" for kind, yes, no in rows
    )


def brier_picture(state: ROCState, result: ROCResult, is_large: bool) -> Picture:
    """Draw the Brier score as bars: what calibration can repair, what only a better ranking can."""
    after = result.calibrated.after
    before = result.calibrated.before
    shown = [("", after)]
    if before is not None and state.calibration != "raw":
        shown = [(f" {state.calibration}", after), (" raw", before)]
    rows = []
    for name, one in shown:
        losses, parts = brier_pieces(one, "", "+", "", "+")
        rows.append(BarRow(f"{number(one.brier)}{name} =", parts))
        if is_large:
            rows.append(BarRow("score by score:", losses))
    note = [[("calibration can repair", "held-text")], [("only a better ranking can", "hull-text")]]
    if is_large:
        prevalence = number(result.segments.prevalence)
        always = ("uncertainty", "", after.uncertainty, "reference")
        rows.append(BarRow(f"always predicting {prevalence}:", (always,)))
        note.append([("calibration loss", "held-text"), ("+ refinement loss", "negative-text")])
    return bars_picture(rows, note, least=after.uncertainty, is_large=is_large)
