"""The ROC explorer's picture of curves, in ROC space or any other."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocviz.core.roc.metrics import metric_label
from rocviz.displays.curve_spaces.spaces import SPACES, axes_of
from rocviz.displays.roc.curves import MOST_ROWS, Best, Curve, CurvesScene, curves_picture
from rocviz.pictures import NOWHERE, ROW, Axis, Entry, Picture, model_look
from rocviz.widgets.roc.result import ROCResult
from rocviz.widgets.roc.spaces import SpaceView
from rocviz.widgets.roc.state import ROCState
from rocviz.words import number, percent, score_text

MOST_CORNERS = 60  # beyond this, corners are too close to be clicked
MOST_NAMES = 4  # beside which there is room above a curve
WORDS_FROM = 0.2  # where words at the right may begin, as a share of the width


def curve_picture(name: str, state: ROCState, result: ROCResult, is_large: bool) -> Picture:
    """Draw the curve, its hull, the current and the best point; in ROC space band and corners.

    ``name`` is that of the picture, of which each may show another space.
    """
    view = result.views[state.space_of(name)]
    said, segments = SPACES[view.space], result.curve.segments
    in_roc = view.space == "roc"
    names = list(state.data.scores)
    # those behind in the order of their areas
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
        area = "" if shown is None or not said.area else number(shown.area)
        curves.append(Curve(other, names.index(other), at, area))
    corner = (1.0, 1.0) if len(names) > 1 and view.space == "cost" else said.corner
    corners = in_roc and 1 < len(segments) <= MOST_CORNERS
    scene = CurvesScene(
        *_axes(view, corner, is_large),
        curves=tuple(curves),
        area=said.area,
        hull=said.hull if view.union is None else "hull over all",
        corner=corner,
        chance=view.chance,
        no_skill="" if in_roc else said.no_skill,
        stretches=view.stretches if state.show_hull else (),
        cuts=NOWHERE if view.others else view.cuts,
        held=view.held,
        held_line=view.held_line,
        isometric=NOWHERE if state.metric == "none" else view.isometric,
        helps=_helps(state, result, view),
        corners=(segments.fpr[1:-1], segments.tpr[1:-1]) if corners else NOWHERE,
        has_table=True,
    )
    return curves_picture(scene, is_large)


def _front(state: ROCState, result: ROCResult, view: SpaceView) -> Curve:
    """Collect the curve of the chosen model, with its hull or the one over all models."""
    in_roc, in_cost = view.space == "roc", view.space == "cost"
    curve, hull_view = result.curve, view.hull if view.union is None else view.union
    at, hull, vertices = view.curve.thin(), hull_view.thin(), NOWHERE
    if in_roc:
        thin, few = curve.thinned, curve.hull_thinned
        at, vertices = (thin.fpr, thin.tpr), (few.fpr, few.tpr)
        if view.union is None:
            hull = vertices
        else:
            vertices = view.union.at_x, view.union.at_y
    if in_cost:  # its curve is that of the best cuts
        at = view.hull.thin()
    shown = state.show_hull and not (in_cost and view.union is None)
    band = result.band if in_roc else None
    ends = state.show_best and np.isfinite(view.best[1])
    return Curve(
        result.model if view.others else "curve",
        list(state.data.scores).index(result.model),
        at,
        number((view.hull if in_cost else view.curve).area) if SPACES[view.space].area else "",
        hull=hull if shown else NOWHERE,
        hull_area=number(hull_view.area) if SPACES[view.space].area else "",
        vertices=vertices if shown else NOWHERE,
        owners=[model_look(i).role for i in view.owners] if view.union is not None else (),
        band=None if band is None else (band.fpr, band.lower, band.upper),
        band_words="" if band is None else f"{percent(band.confidence)} band, {band.method}",
        best=Best(view.best, view.best_line) if ends else None,
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


def _axes(view: SpaceView, corner: Any, is_large: bool) -> tuple[Axis, Axis]:
    """Make the axes, so high that the words of many models stand above their curves."""
    (left, right), (low, high) = view.limits
    if corner == (1.0, 1.0) and len(view.others) >= MOST_NAMES and is_large:
        n_rows = min(len(view.others) + 1, MOST_ROWS) + 1
        curves = [view.curve, view.union or view.hull, *(one for one in view.others if one)]
        words_from = left + WORDS_FROM * (right - left)
        lines = [curve.thin() for curve in curves]
        below = [y[(x >= words_from) & (x <= right)] for x, y in lines]
        most = max(float(y.max()) for y in below if y.size)
        high = max(high, low + (most - low) / (0.92 - ROW * n_rows))
    return axes_of(view.space, (left, right), (low, high))
