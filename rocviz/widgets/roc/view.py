"""The ROC explorer's pictures: curves in any space, scores, reliability and the Brier score."""

from __future__ import annotations

from functools import partial
from html import escape
from operator import itemgetter
from typing import Any

import numpy as np

from rocviz.core.curve_spaces.spaces import SPACES, UPPER_RIGHT
from rocviz.core.practice.referral import ReferralPolicy
from rocviz.core.roc.metrics import metric_label
from rocviz.displays.calibration.pictures import (
    MAX_POINTS,
    BarRow,
    Calibrated,
    ReliabilityScene,
    bars_picture,
    brier_pieces,
)
from rocviz.displays.calibration.pictures import reliability_picture as draw_reliability
from rocviz.displays.roc.crowd import CELLS, ZONES, PeopleScene, Row, Threshold, threshold_at
from rocviz.displays.roc.crowd import people_picture as draw_people
from rocviz.displays.roc.curves import MAX_MODEL_ROWS, Best, Curve, curves_picture, curves_scene
from rocviz.displays.roc.pairs_picture import PairsScene
from rocviz.displays.roc.pairs_picture import pairs_picture as draw_pairs
from rocviz.pictures import (
    NO_POINTS,
    ROW_HEIGHT,
    UNIT_TICKS,
    Axis,
    Band,
    Bars,
    Entry,
    Handle,
    Line,
    Lit,
    Mark,
    Picture,
    model_style,
    round_ticks,
    words,
)
from rocviz.widgets.roc.result import ReferralLines, ROCResult, SpaceView
from rocviz.widgets.roc.state import ROCState
from rocviz.words import (
    ClassNames,
    amount,
    number,
    percent,
    score_text,
    short_amount,
    shorten,
)

MAX_CLICKABLE_VERTICES = 60  # beyond this, corners are too close to be clicked
MAX_LARGE_LETTERS = 16  # of the name of a class in a large picture
MAX_SMALL_LETTERS = 10  # in a small one
MAX_TABLE_LETTERS = {True: 12, False: 8}  # in the table below a large or a small picture
MAX_AXIS_LETTERS = 30  # of the name of the scores
MAX_NAMES_BESIDE_CURVE = 4  # beside which there is room above a curve
MIN_ZONE_WITH_NAME = 0.22  # share of the width of a zone that has room for its name
LEGEND_START = 0.2  # where words at the right may begin, as a share of the width


def curve_picture(name: str, state: ROCState, result: ROCResult, is_large: bool) -> Picture:
    """Draw the curve, its hull, the current and the best point; in ROC space band and vertices.

    ``name`` is that of the picture, of which each may show another space.
    """
    view = result.views[state.space_of(name)]
    space = SPACES[view.space]
    segments = result.curve.segments
    in_roc = view.space == "roc"
    names = list(state.data.scores)
    curves = [_front(state, result, view), *_curves_behind(result, view, names)]
    legend_corner = space.legend_corner
    if len(names) > 1 and space.is_lower_envelope:
        legend_corner = UPPER_RIGHT
    vertices: Any = NO_POINTS
    if in_roc and 1 < len(segments) <= MAX_CLICKABLE_VERTICES:
        vertices = segments.fpr[1:-1], segments.tpr[1:-1]
    scene = curves_scene(
        curves,
        space,
        view.prevalence,
        (view.limits[0], _heights(view, legend_corner, is_large)),
        hull_name="hull over all" if view.union else "",
        legend_corner=legend_corner,
        classes=state.class_names,
        stretches=view.stretches if state.show_hull else (),
        cost_lines=NO_POINTS if view.others else view.cost_lines,
        corners=vertices,
        has_table=True,
        **_present(state, result, view),
    )
    return curves_picture(scene, is_large)


def _present(state: ROCState, result: ROCResult, view: SpaceView) -> dict[str, Any]:
    """Collect the marks of the present threshold, or of two of them and the part between."""
    if not state.refer:
        return {
            "selected": view.selected,
            "selected_line": view.selected_line,
            "isometric": view.isometric,
            "helps": _helps(state, result, view),
        }
    lines = view.referral
    if lines is None:
        return {}
    within: Any = partial(SPACES[view.space].within, limits=view.limits)
    lower_x, lower_y = within(*lines.lower)
    upper_x, upper_y = within(*lines.upper)
    return {
        "on_top": (
            Line("referred", "selected", *within(*lines.between), width=9.0, opacities=(0.5,)),
            Handle("lower", "selected", [lower_x], [lower_y], letter="−", is_hinted=False),
            Handle("upper", "selected", [upper_x], [upper_y], letter="+"),
        ),
        "helps": [Entry("referred", "selected-text", "referred")],
    }


def _curves_behind(result: ROCResult, view: SpaceView, names: list[str]) -> list[Curve]:
    """Collect the curves of the other models in the order of their areas, the best first."""
    space = SPACES[view.space]
    curves = []
    for (name, curve, _), space_curve in zip(result.others, view.others, strict=True):
        points: Any = NO_POINTS
        area = ""
        order = 0.0
        if space_curve is not None:
            points = space_curve.thin()
            order = -curve.segments.auc if np.isnan(space_curve.area) else -space_curve.area
            if space.lower_is_better:
                order = space_curve.area
            if space.area_name:
                area = number(space_curve.area)
        if view.space == "roc":
            points = curve.thinned.fpr, curve.thinned.tpr
        curves.append((order, Curve(name, names.index(name), points, area)))
    curves.sort(key=itemgetter(0))
    return [curve for _, curve in curves]


def _front(state: ROCState, result: ROCResult, view: SpaceView) -> Curve:
    """Collect the curve of the chosen model, with its hull or the one over all models."""
    space = SPACES[view.space]
    in_cost = space.is_lower_envelope
    model_hull = view.union
    curve = view.hull if in_cost else view.curve  # in cost space, that of the best thresholds
    hull_curve = view.hull if model_hull is None else model_hull
    points = curve.thin()
    hull: Any = hull_curve.thin()
    vertices: Any = NO_POINTS
    band = None
    if view.space == "roc":
        band = result.band
        points = result.curve.thinned.fpr, result.curve.thinned.tpr
        if model_hull is None:
            hull = result.curve.hull_thinned.fpr, result.curve.hull_thinned.tpr
            vertices = hull
        else:
            vertices = model_hull.threshold_x, model_hull.threshold_y
    if not state.show_hull or (in_cost and model_hull is None):
        hull = vertices = NO_POINTS
    has_area = bool(space.area_name)
    best = best_lower = None
    if state.refer:
        if state.show_best and view.referral is not None:
            best, best_lower = _best_ends(view.referral, is_one=not _is_best_referring(result))
    elif state.show_best and (space.has_infinite_ends or np.isfinite(view.best[1])):
        best = Best(view.best, view.best_line)
    return Curve(
        result.model if view.others or state.data.is_single_named else "curve",
        list(state.data.scores).index(result.model),
        points,
        number(curve.area) if has_area else "",
        hull=hull,
        hull_area=number(hull_curve.area) if has_area else "",
        vertices=vertices,
        owners=[model_style(i).role for i in view.owners],
        band=None if band is None else (band.fpr, band.lower, band.upper),
        band_words="" if band is None else f"{percent(band.confidence)} band, {band.method}",
        best=best,
        best_lower=best_lower,
    )


def _is_best_referring(result: ROCResult) -> bool:
    """Whether referring anybody pays at the stated costs."""
    return result.referral is not None and result.referral.best.is_referring


def _best_ends(lines: ReferralLines, *, is_one: bool) -> tuple[Best, Best | None]:
    """Collect the best thresholds, which are one where referring does not pay."""
    if is_one:
        return Best(lines.best_upper, lines.best_upper_line, ("best: one threshold",)), None
    upper = Best(lines.best_upper, lines.best_upper_line, ("best for these costs",))
    return upper, Best(lines.best_lower, lines.best_lower_line, ())


def _helps(state: ROCState, result: ROCResult, view: SpaceView) -> list[Entry]:
    """Write the legend of the lines through the current point."""
    rows = []
    if state.metric != "none":
        label = metric_label(state.metric, state.metric_options)
        text = f"same {label}: {number(result.metric_value)}"
        mark = "meeting" if len(view.isometric[0]) == 1 else "isometric"
        rows.append(Entry(text, "selected-text", mark))
    if len(view.selected_line[0]):
        text = f"threshold {score_text(state.threshold)} kept"
        rows.append(Entry(text, "selected-text", "selected line"))
    return rows


def _heights(view: SpaceView, corner: Any, is_large: bool) -> tuple[float, float]:
    """Choose the limits of the y axis so that the words of many models stand above the curves."""
    (left, right), (low, high) = view.limits
    if corner == UPPER_RIGHT and len(view.others) >= MAX_NAMES_BESIDE_CURVE and is_large:
        n_rows = min(len(view.others) + 1, MAX_MODEL_ROWS) + 1
        curves = [view.curve, view.union or view.hull]
        curves += [curve for curve in view.others if curve is not None]
        legend_start = left + LEGEND_START * (right - left)
        highest = low
        for curve in curves:
            x, y = curve.thin()
            below_legend = y[(x >= legend_start) & (x <= right)]
            if below_legend.size:
                highest = max(highest, float(below_legend.max()))
        high = max(high, low + (highest - low) / (0.92 - ROW_HEIGHT * n_rows))
    return low, high


def scores_picture(state: ROCState, result: ROCResult, is_large: bool) -> Picture:
    """Draw scores by class, with a threshold to drag, or two of them."""
    histogram = result.curve.histogram
    low = float(histogram.edges[0])
    high = float(histogram.edges[-1])
    highest_bar = float(max(histogram.pos.max(), histogram.neg.max()))
    top = (1.22 if is_large else 1.55) * highest_bar
    if state.refer and is_large:
        top = 1.42 * highest_bar  # room for the names of the zones
    ticks = UNIT_TICKS if (low, high) == (0, 1) else np.linspace(low, high, 5)
    ends = low + np.array([0.01, 0.99]) * (high - low)
    name_y = 0.93 * top
    classes = state.class_names.shortened(MAX_LARGE_LETTERS if is_large else MAX_SMALL_LETTERS)
    if state.refer:
        present = _zones(state, (low, high), top, is_large)
    else:
        present = [
            Line("line", "selected", [state.threshold] * 2, (0.0, 0.84 * top)),
            Handle("threshold", "selected", [state.threshold], [0.84 * top], along="x"),
        ]
    in_pairs: list[Mark] = []
    if result.pairs is not None:
        scores = np.concatenate((result.pairs.neg_score, result.pairs.pos_score))
        in_pairs = lit_pair(result, scores, np.full(scores.size, 0.05 * top))
    return Picture(
        Axis(shorten(state.data.axis_name, MAX_AXIS_LETTERS), low, high, ticks, pad=0.02),
        Axis("samples", 0.0, top, round_ticks(0, top, 4 if is_large else 2, integer=True), pad=0.0),
        (
            Bars("negative", "negative", histogram.centres, histogram.neg),
            Bars("positive", "positive", histogram.centres, histogram.pos),
            words("negative name", [(ends[0], name_y, classes.negatives, "negative-text")]),
            words("positive name", [(ends[1], name_y, classes.positives, "positive-text")], "end"),
            *present,
            *in_pairs,
        ),
        is_square=False,
        is_large=is_large,
    )


def lit_pair(result: ROCResult, x: Any, y: Any) -> list[Mark]:
    """Mark both samples of the pair that is pointed at among all pairs.

    ``x`` and ``y`` are the places of negatives, from the highest score down, then of positives; of
    another number of dots than samples none is marked.
    """
    pairs = result.pairs
    if pairs is None or len(x) != pairs.neg_score.size + pairs.pos_score.size:
        return []
    roles = ("negative", "positive")
    return [Lit("pair", "text", x, y, of=("pairs", "cells"), part_roles=roles, size=230.0)]


def pairs_picture(state: ROCState, result: ROCResult, is_large: bool) -> Picture:
    """Draw every pair of a positive and a negative, with the threshold on the border."""
    segments = result.segments
    classes = state.class_names.shortened()
    handles: list[Any] = [("point", result.table, {})]
    if result.referral is not None:
        handles = []
        for end, letter in (("lower", "−"), ("upper", "+")):
            table = segments.at_threshold(getattr(state, f"{end}_threshold"))
            handles.append((end, table, {"letter": letter, "is_hinted": end == "upper"}))
    scene = PairsScene(
        segments,
        pairs=result.pairs,
        hull=result.curve.hull if state.show_hull else None,
        handles=tuple(
            Handle(name, "selected", [table.fp], [table.tp], **style)
            for name, table, style in handles
        ),
        names=classes,
    )
    return draw_pairs(scene, is_large)


def people_picture(state: ROCState, result: ROCResult, is_large: bool) -> Picture:
    """Draw people at their scores and in their cells, with a threshold to drag, or two of them."""
    queue = result.curve.queue
    cells: Any = CELLS
    thresholds: tuple[Threshold, ...] = (threshold_at(result.table),)
    if result.referral is not None:
        policy = result.referral.policy
        cells = ZONES
        n_pos = np.cumsum(policy.n_pos[::-1])
        n_neg = np.cumsum(policy.n_neg[::-1])
        thresholds = (
            Threshold(policy.upper_threshold, n_pos[0], n_neg[0], handle="upper", letter="+"),
            Threshold(policy.lower_threshold, n_pos[1], n_neg[1], handle="lower", letter="−"),
        )
    label = shorten(state.data.axis_name, MAX_AXIS_LETTERS)
    row = Row(queue, thresholds, is_level=state.is_drawn_by_hand)
    scene = PeopleScene((row,), queue.per_dot, state.class_names, cells=cells, label=label)
    picture = draw_people(scene, is_large)
    dots = [picture[f"{role} people"] for role in ("negative", "positive")]
    x = np.concatenate([mark.x for mark in dots])
    y = np.concatenate([mark.y for mark in dots])
    return picture.with_marks(*lit_pair(result, x, y))


def _zones(state: ROCState, ends: tuple[float, float], top: float, is_large: bool) -> list[Mark]:
    """Draw three zones of scores, and two thresholds to drag."""
    low, high = ends
    lower = state.lower_threshold
    upper = min(state.upper_threshold, high)
    marks: list[Mark] = []
    names = []
    zones = (
        ("rule out", "negative", low, lower, "ruled out", "negative-text"),
        ("refer", "selected", lower, upper, "referred", "selected-text"),
        ("rule in", "positive", upper, high, "ruled in", "positive-text"),
    )
    for name, role, left, right, text, text_role in zones:
        area: Any = NO_POINTS
        if right > left:
            area = (left, right), ((0.0, 0.0), (0.84 * top, 0.84 * top))
        marks.append(Band(f"{name} zone", role, *area, opacity=0.13))
        if is_large and right - left > MIN_ZONE_WITH_NAME * (high - low):
            names.append(((left + right) / 2, 0.79 * top, text, text_role))
    marks.append(words("zone names", names, "middle"))
    for name, place, height, letter in (
        ("lower", lower, 0.62, "−"),
        ("upper", upper, 0.72, "+"),
    ):
        marks.append(Line(f"{name} line", "selected", [place] * 2, (0.0, 0.84 * top)))
        is_hinted = name == "upper"
        style: dict[str, Any] = {"along": "x", "letter": letter, "is_hinted": is_hinted}
        marks.append(Handle(name, "selected", [place], [height * top], **style))
    return marks


def reliability_picture(_state: ROCState, result: ROCResult, is_large: bool) -> Picture:
    """Draw predicted against observed, with the steps of the hull."""
    points = result.reliability
    segments = result.calibrated.segments
    vertices = segments.hull_vertices
    first_scores = segments.score[vertices[:-1]]
    last_scores = segments.score[vertices[1:] - 1]
    edges = np.column_stack((first_scores, last_scores)).ravel()
    n = len(points.n)
    n_shown = min(n, MAX_POINTS)
    count = amount(n) if n_shown == n else f"{n_shown} of {n:,}"
    kind = "hull segment" if points is result.calibrated.by_hull else "score"
    steps = edges, np.repeat(result.calibrated.by_hull.observed, 2)
    parts = f"{count} {kind}{'s' if n > 1 else ''}"
    scene = ReliabilityScene((Calibrated(points, steps=steps, parts=parts),))
    return draw_reliability(scene, is_large)


def confusion_note(state: ROCState, result: ROCResult, is_large: bool) -> str:
    """Write the confusion table, or how many of each class are in each of three zones."""
    if result.referral is not None:
        return _zones_note(result.referral.policy, state.class_names, is_large)
    table = result.table
    names = _class_headings(state.class_names, is_large)
    rows = []
    count = partial(short_amount, most=15 if is_large else 9)
    for kind, predicted_pos, predicted_neg, rate, meaning in (
        ("positive", table.tp, table.fn, "tpr", "found"),
        ("negative", table.fp, table.tn, "fpr", "false alarms"),
    ):
        rates = ""
        if is_large:
            low, high = result.curve.rate_interval(table, rate, state.confidence, state.random_part)
            rates = (
                f"<td>{percent(getattr(table, rate))} {meaning}</td>"
                f'<td class="muted">{percent(low)[:-2]} to {percent(high)}</td>'
            )
        rows.append(
            f'<tr>{names[kind]}<td class="count">{count(predicted_pos)}</td>'
            f"<td>{count(predicted_neg)}</td>{rates}</tr>"
        )
    return (
        '<table class="rocviz-confusion">'
        "<tr><th>predicted</th><th>+</th><th>−</th></tr>"
        f"{''.join(rows)}</table>"
    )


def _class_headings(classes: ClassNames, is_large: bool) -> dict[str, str]:
    """Write the heading of each class in a table; the whole name is its tooltip."""
    short = classes.shortened(MAX_TABLE_LETTERS[is_large])
    headings = {}
    for kind, text, whole_name in (
        ("positive", _signed(short, "+"), classes.positive),
        ("negative", _signed(short, "−"), classes.negative),
    ):
        title = f' title="{escape(whole_name)}"' if classes.is_named else ""
        headings[kind] = f'<th class="is-{kind}"{title}>{escape(text)}</th>'
    return headings


def _signed(classes: ClassNames, sign: str) -> str:
    """Write the sign of a class in tables, with its name where it has one."""
    if not classes.is_named:
        return f"is {sign}"
    return f"{sign} {classes.positive if sign == '+' else classes.negative}"


def _zones_note(policy: ReferralPolicy, classes: ClassNames, is_large: bool) -> str:
    """Write how many of each class are ruled in, referred and ruled out."""
    count = partial(short_amount, most=15 if is_large else 5)
    names = _class_headings(classes, is_large)
    rows = []
    for name, k in (("ruled in", 2), ("referred", 1), ("ruled out", 0)):
        cells = f"<td>{count(policy.n_pos[k])}</td><td>{count(policy.n_neg[k])}</td>"
        rows.append(f"<tr><th>{name}</th>{cells}</tr>")
    return (
        '<table class="rocviz-confusion">'
        f"<tr><th></th>{names['positive']}{names['negative']}</tr>"
        f"{''.join(rows)}</table>"
    )


def confusion_caption(result: ROCResult, classes: ClassNames) -> str:
    """Write the counts of the confusion table, or of the zones, in two lines."""
    classes = classes.shortened(MAX_SMALL_LETTERS)
    pos = _signed(classes, "+")
    neg = _signed(classes, "−")
    if result.referral is not None:
        policy = result.referral.policy
        lines = []
        for sign, counts in ((pos, policy.n_pos), (neg, policy.n_neg)):
            out, between, into = map(amount, counts)
            lines.append(f"{sign}: {into} ruled in, {between} referred, {out} ruled out")
        return "\n".join(lines)
    table = result.table
    return (
        f"{pos}: {amount(table.tp)} predicted +, {amount(table.fn)} predicted −\n"
        f"{neg}: {amount(table.fp)} predicted +, {amount(table.tn)} predicted −"
    )


def brier_picture(state: ROCState, result: ROCResult, is_large: bool) -> Picture:
    """Draw the Brier score as bars: what calibration can repair, what only a better ranking can."""
    after = result.calibrated.after
    before = result.calibrated.before
    shown = [("", after)]
    if before is not None and state.calibration != "raw":
        shown = [(f" {state.calibration}", after), (" raw", before)]
    rows = []
    for name, decomposition in shown:
        losses, parts = brier_pieces(decomposition, "", "+", "", "+")
        rows.append(BarRow(f"{number(decomposition.brier)}{name} =", parts))
        if is_large:
            rows.append(BarRow("score by score:", losses))
    note = [
        [("calibration can repair", "selected-text")],
        [("only a better ranking can", "hull-text")],
    ]
    if is_large:
        prevalence = number(result.segments.prevalence)
        always = ("uncertainty", "", after.uncertainty, "reference")
        rows.append(BarRow(f"always predicting {prevalence}:", (always,)))
        note.append([("calibration loss", "selected-text"), ("+ refinement loss", "negative-text")])
    return bars_picture(rows, note, least=after.uncertainty, is_large=is_large)
