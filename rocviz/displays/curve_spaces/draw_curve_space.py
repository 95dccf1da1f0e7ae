"""Draw rankings in one of their spaces, with what a ranking without skill gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from matplotlib.lines import Line2D

from rocviz.core.curve_spaces.space_curve import SpaceCurve
from rocviz.displays.base.labels import Row, legend, place_if_free
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.registry import drawn, erase, note
from rocviz.displays.curve_spaces.isometrics import Isometrics
from rocviz.displays.curve_spaces.spaces import SPACES, UNIT_SPACES, heights, without_skill
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
    name = next(iter(curves.values())).space
    space = SPACES[name]
    erase(pen.ax, "label")
    _frame(pen, name, curves, prevalence, limits)
    _without_skill(pen, name, prevalence, limits)
    if isometrics is not None:
        _isometrics(pen, isometrics)
    made, made_hulls = [], []
    short = short_names(curves, 40)
    for i, ((who, curve), style) in enumerate(zip_longest(curves.items(), styles)):
        look = pen.look(i, style)
        at = (limits[0] <= curve.x) & (curve.x <= limits[1])
        looks = {"label": who, "zorder": 3.5 if i == 0 else 3}
        made.append(pen.curve(curve.x[at], curve.y[at], look, **looks))
        area = _area(curve, said.get((who, False)))
        note(made[-1], "curve", text=look.named(short[who]) + area)
    for who, curve in hulls.items():
        at = (limits[0] <= curve.x) & (curve.x <= limits[1])
        looks = {"label": f"_hull of {who}", "zorder": 4}
        made_hulls.append(pen.line(curve.x[at], curve.y[at], "hull", 0.85, (0, (4, 2)), **looks))
        whose = f"{short.get(who, who)}: " if len(curves) > 1 else ""
        text = whose + space.hull + _area(curve, said.get((who, True)))
        note(made_hulls[-1], "hull", text=text)
    rows = [
        Row(found.text, line, thing)
        for role, thing in (("curve", "text"), ("hull", "hull-text"), ("best", "optimum-text"))
        for line, found in drawn(pen.ax, role)
    ]
    taken = legend(pen, rows, space.corner, own=own)
    for words, _ in list(drawn(pen.ax, "chance words")):
        taken = place_if_free(words, taken)
    return made, made_hulls


def _isometrics(pen: Pen, found: Isometrics) -> None:
    """Draw lines of equal metric faintly, and that of the best cut; a line may be a point."""
    looks: dict[str, Any] = {"role": "isometric", "touch": 0.05, "zorder": 1.7}
    for x, y in found.others:
        if len(x) == 1:
            pen.dots(x, y, "reference", 0.22, **looks, clip_on=True)
        else:
            pen.line(x, y, "reference", 0.35, label="_isometric", **looks)
    best = pen.line(*found.best, "optimum", 0.7, label="_best", zorder=2.5)
    note(best, "best", text=found.words, touch=0.6)
    if found.point is not None:
        looks = {"width": 1.0, "role": "optimum", "zorder": 5}
        pen.dots([found.point[0]], [found.point[1]], "none", 0.7, "optimum", **looks)


def _area(curve: SpaceCurve, said: str | None = None) -> str:
    """Word the area, if the picture shows all of it (net benefit is shown in part)."""
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
