"""The pictures of the explorer of several classes: those of the display, and two more."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.multiclass.simplex import clip_polygon
from rocviz.displays.multiclass.pictures import (
    MulticlassScene,
    line_picture,
    padded,
    triangle_picture,
)
from rocviz.displays.roc.crowd import ClassesScene, classes_picture
from rocviz.pictures import (
    NO_POINTS,
    Areas,
    Axis,
    Dots,
    Entry,
    Legend,
    Mark,
    Picture,
    round_ticks,
    sheet,
    words,
)
from rocviz.widgets.base.stage import of_scene
from rocviz.widgets.multiclass.result import MulticlassResult
from rocviz.widgets.multiclass.state import MulticlassState
from rocviz.words import short_names

#: Longest name that is drawn in place of dots, for classes without own colours.
MAX_LETTERS_IN_PLACE_OF_DOTS = 2


def scene_of(state: MulticlassState, result: MulticlassResult) -> MulticlassScene:
    """Collect the contents of the pictures."""
    return MulticlassScene(
        shown=result.shown,
        point=np.array(state.point),
        matrix=result.matrix,
        best=result.best.point,
        costs=result.by_costs if state.has_own_costs else None,
        auc=(result.auc.auc, result.auc.lower, result.auc.upper),
    )


of_state = of_scene(scene_of)


def point_picture(scene: MulticlassScene, is_large: bool) -> Picture:
    """Draw the triangle, or, of two classes, the line."""
    if len(scene.shown.names) == 2:
        return line_picture(scene, is_large)
    return triangle_picture(scene, is_large)


def people_picture(scene: MulticlassScene, is_large: bool) -> Picture:
    """Draw people in the colour of their class, side by side with those predicted alike."""
    shown = scene.shown
    roles = [role for role, _ in shown.styles]
    inks = [shown.ink(k) for k in range(len(shown.names))]
    return classes_picture(ClassesScene(scene.matrix.counts, shown.names, roles, inks), is_large)


def plane_picture(state: MulticlassState, result: MulticlassResult, is_large: bool) -> Picture:
    """Draw two features of the samples, and where each class is predicted if that is known."""
    plane = state.data.plane
    shown = result.shown
    if plane is None:
        note = [(0.5, 0.5, "Your own data have no features here", "muted")]
        return sheet([words("note", note, "middle")], 1.0, 1.0, is_large=is_large)
    ends = [_ends(column) for column in plane.X.T]
    marks: list[Mark] = [_regions(state, ends)]
    drawn = state.data.drawn_rows()
    features = plane.X[drawn]
    code = state.data.class_samples(state.one_vs_rest).code[drawn]
    size = 46.0 if is_large else 26.0
    written: list[tuple[float, float, str, str]] = []
    rows = []
    for k, name in enumerate(state.names):
        of_class = code == k
        x, y = features[of_class].T
        role, shape = shown.styles[k]
        if k in shown.coloured:
            rows.append(Entry(short_names(state.names, 14)[name], shown.ink(k), f"class:{k}"))
        elif is_large and len(name) <= MAX_LETTERS_IN_PLACE_OF_DOTS:
            written += [(left, up, name, role) for left, up in zip(x, y, strict=True)]
            x = y = np.empty(0)
        marks.append(
            Dots(f"class:{k}", role, x, y, marker=shape, rim="paper", width=0.8, size=size)
        )
    marks.insert(1, words("written", written, "middle", bold=False, size=0.8))
    if is_large:
        marks.append(Legend("legend", "text", choices=[rows], corner=(1.0, 1.0)))
    (left, right), (low, high) = ends
    return Picture(
        Axis(plane.names[0], left, right, round_ticks(left, right, 5 if is_large else 3)),
        Axis(plane.names[1], low, high, round_ticks(low, high, 5 if is_large else 3)),
        tuple(marks),
        is_square=state.source == "drawn",
        is_large=is_large,
    )


def _ends(column: Floats) -> tuple[float, float]:
    low = float(column.min())
    high = float(column.max())
    room = 0.05 * (high - low)
    return low - room, high + room


def _regions(state: MulticlassState, ends: list[tuple[float, float]]) -> Mark:
    """Draw the regions of the plane in which each class is predicted: they are polygons.

    The logarithms of the probabilities are linear in the plane, but for what all classes share, and
    stay so at another temperature.
    """
    plane = state.data.plane
    nothing = Areas("regions", "reference", *NO_POINTS, opacities=(0.12,))
    if plane is None or plane.slopes is None or plane.offsets is None:
        return nothing
    if state.one_vs_rest or state.calibration not in ("identity", "temperature"):
        return nothing
    power = 1.0
    if state.calibration == "temperature":
        fitted: Any = state.data.calibration_map(state.one_vs_rest, "temperature", state.is_preview)
        power = float(fitted.weights[0, 0])
    slopes = power * plane.slopes
    offsets = power * plane.offsets - np.log(state.point)
    (left, right), (low, high) = ends
    box = np.array([[left, low], [right, low], [right, high], [left, high]])
    regions = []
    roles = []
    for k, (role, _) in enumerate(state.result.shown.styles):
        corners = box
        for other in range(len(slopes)):
            if other != k and len(corners):
                advantage = corners @ (slopes[k] - slopes[other]) + offsets[k] - offsets[other]
                corners = clip_polygon(corners, advantage)
        if len(corners):
            regions.append(corners)
            roles.append(role)
    return Areas("regions", "reference", *padded(regions), part_roles=roles, opacities=(0.12,))
