"""Draw the curve of a ranking in one of its spaces, with what a ranking without skill gives.

Takes computed curves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.lines import Line2D

from rocviz.core.curve_spaces.space_curve import SpaceCurve
from rocviz.displays.base.labels import (
    draw_sample,
    in_the_way,
    place_if_free,
    place_names,
    place_texts,
    room_for_sample,
)
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.registry import drawn, erase, note
from rocviz.displays.base.style import outline
from rocviz.displays.curve_spaces.isometrics import Isometrics
from rocviz.displays.curve_spaces.spaces import SPACES, UNIT_SPACES, Space, heights, without_skill
from rocviz.words import number, short_names


def draw_curve_space(
    pen: Pen,
    curves: dict[str, SpaceCurve],
    hulls: dict[str, SpaceCurve],
    prevalence: float,
    limits: tuple[float, float],
    isometrics: Isometrics | None = None,
    *,
    own: bool = False,
    areas: Mapping[tuple[str, bool], str] | None = None,
    styles: Sequence[Mapping[str, Any]] = (),
) -> tuple[list[Line2D], list[Line2D]]:
    """Draw curves in a space, their hulls dashed, and what no skill gives at a prevalence.

    All are in the same space; a model may have no hull. ``limits`` are the ends of the x axis, and
    ``own`` says whether the figure holds nothing else, so it may grow. ``areas`` are the words for
    areas that are not exactly those of the curves, by model and whether it is the hull's. Returns
    curves and hulls.
    """
    said = areas or {}
    first = next(iter(curves.values()))
    space = SPACES[first.space]
    erase(pen.ax, "label")
    _frame(pen, first.space, curves, prevalence, limits)
    _without_skill(pen, first.space, prevalence, limits)
    if isometrics is not None:
        _isometrics(pen, isometrics)
    made, made_hulls = [], []
    short = short_names(curves, 40)
    for i, (name, curve) in enumerate(curves.items()):
        look = pen.look(i)
        seen = (limits[0] <= curve.x) & (curve.x <= limits[1])
        line = pen.line(
            *(curve.x[seen], curve.y[seen], look.colour, 1.0, look.dash),
            label=name,
            zorder=3.5 if i == 0 else 3,
        )
        outline(line, look.outline, pen.stroke(1.75))
        if styles:
            line.set(**styles[i])
        note(
            line,
            "curve",
            text=f"{short[name]}{_area(curve, said.get((name, False)))}",
            colour=pen.colour("text"),
            data=look.dash,
        )
        made.append(line)
    for name, curve in hulls.items():
        seen = (limits[0] <= curve.x) & (curve.x <= limits[1])
        line = pen.line(
            curve.x[seen],
            curve.y[seen],
            "hull",
            0.85,
            (0, (4, 2)),
            label=f"_hull of {name}",
            zorder=4,
        )
        text = f"{SPACES[first.space].hull}{_area(curve, said.get((name, True)))}"
        whose = f"{short.get(name, name)}: " if len(curves) > 1 else ""
        note(line, "hull", text=whose + text, colour=pen.colour("hull-text"))
        made_hulls.append(line)
    _label(pen, space, own=own)
    return made, made_hulls


def _isometrics(pen: Pen, found: Isometrics) -> None:
    """Draw lines of equal metric faintly, and that of the best cut; a line may be a point."""
    looks: dict[str, Any] = {"role": "isometric", "touch": 0.05, "zorder": 1.7}
    for x, y in found.others:
        if len(x) == 1:
            pen.dots(x, y, "reference", 0.22, **looks, clip_on=True)
        else:
            pen.line(x, y, "reference", 0.35, label="_isometric", **looks)
    best = pen.line(*found.best, "optimum", 0.7, label="_best", zorder=2.5, role="best", touch=0.6)
    note(best, "hull", text=found.words, colour=pen.colour("optimum-text"))
    if found.point is not None:
        pen.dots(
            *([found.point[0]], [found.point[1]], "none", 0.7, "optimum"),
            role="optimum",
            width=1.0,
            zorder=5,
        )


def _area(curve: SpaceCurve, said: str | None = None) -> str:
    """Return what is said of the area, if the picture shows it: net benefit is shown in part."""
    words = SPACES[curve.space].area
    return f", {words} {said or number(curve.area)}" if words else ""


def _frame(
    pen: Pen,
    name: str,
    curves: dict[str, SpaceCurve],
    prevalence: float,
    limits: tuple[float, float],
) -> None:
    space = SPACES[name]
    if name in UNIT_SPACES:
        pen.unit_frame(space.x, space.y)
    else:
        pen.frame()
        ylim = heights(curves.values(), prevalence, limits)
        pen.ax.set(xlabel=space.x, ylabel=space.y, ylim=ylim)
    pen.ax.set_xlim(*limits)
    pen.settle()


def _without_skill(pen: Pen, name: str, pi: float, limits: tuple[float, float]) -> None:
    """Draw what one gets without looking at the samples."""
    for at, height, words, k in without_skill(name, pi, limits):
        pen.line(
            at, height, "muted", 0.7, (0, (1, 1.5)), role="chance", touch=0.3, label="_" + words
        )
        bottom, top = pen.ax.get_ylim()
        if bottom <= height[k] <= top:
            beside = pen.beside(words, (at[k], height[k]), (4, 9), "muted", 0.8)
            note(beside, "chance words")


def _label(pen: Pen, space: Space, *, own: bool) -> None:
    """Write names and areas where there is room."""
    taken = in_the_way(pen.ax)
    scale = pen.scale
    curves = list(drawn(pen.ax, "curve"))
    names = [
        pen.text(
            found.text if len(curves) == 1 else room_for_sample(found.text),
            found.colour,
            scale,
            bold=True,
        )
        for _, found in curves
    ]
    rest = [
        pen.text(found.text, found.colour, 0.9 * scale, bold=True)
        for _, found in drawn(pen.ax, "hull")
    ]
    if len(curves) > 1:
        taken = place_names(pen, names + rest, taken, space.corner, own=own)
    else:
        taken = place_texts(names + rest, taken, space.corner)
    for words, _ in list(drawn(pen.ax, "chance words")):
        taken = place_if_free(words, taken)
    if len(curves) > 1:
        for text, (line, found) in zip(names, curves, strict=True):
            draw_sample(pen, text, line, found.data)
