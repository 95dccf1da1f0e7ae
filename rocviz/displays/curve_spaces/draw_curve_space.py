"""Draw the curve of a ranking in one of its spaces, with what a ranking without skill gives.

Takes computed curves; the only numbers it makes are those of the lines without skill.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocviz.displays.base.labels import in_the_way, place_if_free, place_texts, text_box
from rocviz.displays.base.registry import drawn, erase, note
from rocviz.displays.base.style import outline
from rocviz.words import rate

if TYPE_CHECKING:
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

    from rocviz.core.curve_spaces.space_curve import SpaceCurve
    from rocviz.displays.base.pen import Pen


@dataclass(frozen=True)
class Space:
    """How a space is called, what its axes are, and what the area of a curve in it is."""

    title: str
    x: str
    y: str
    area: str
    corner: tuple[float, float]


#: By the name of the space. ``corner`` is where labels find room, as shares of the axes.
SPACES = {
    "roc": Space("ROC curve", "false positive rate", "true positive rate", "AUC", (0.7, 0.3)),
    "precision_recall": Space(
        "Precision and recall", "recall", "precision", "mean precision", (0.3, 0.3)
    ),
    "pr_gain": Space(
        "Gains of precision and recall", "recall gain", "precision gain", "mean gain", (0.3, 0.3)
    ),
    "gain": Space(
        "Cumulative gain", "share called positive", "true positive rate", "area", (0.7, 0.3)
    ),
    "lift": Space(
        "Lift", "share called positive", "times more than at random", "mean lift", (0.7, 0.75)
    ),
    "cost": Space(
        "Cost curve", "probability cost", "expected cost, best cut", "mean cost", (0.5, 0.85)
    ),
    "brier": Space(
        "Brier curve", "cost proportion = threshold", "expected loss", "Brier score", (0.5, 0.85)
    ),
    "decision": Space(
        "Decision curve",
        "threshold probability",
        "net benefit in found positives",
        "",
        (0.7, 0.75),
    ),
}

#: Headings of the pictures.
TITLES = {name: space.title for name, space in SPACES.items()}


def draw_curve_space(
    pen: Pen,
    curves: dict[str, SpaceCurve],
    hulls: dict[str, SpaceCurve],
    prevalence: float,
    limits: tuple[float, float],
) -> tuple[list[Line2D], list[Line2D]]:
    """Draw curves in a space, their hulls dashed, and what no skill gives.

    Parameters
    ----------
    pen : Pen
    curves, hulls : dict of str to SpaceCurve
        By the name of the model; all in the same space. A model may have no hull.
    prevalence : float
        For the lines of no skill.
    limits : tuple of float
        Ends of the x axis.

    Returns
    -------
    lines, hull_lines : list of Line2D
    """
    first = next(iter(curves.values()))
    space = SPACES[first.space]
    erase(pen.ax, "label")
    _frame(pen, first.space, curves, prevalence, limits)
    _without_skill(pen, first.space, prevalence, limits)
    made, made_hulls = [], []
    for i, (name, curve) in enumerate(curves.items()):
        look = pen.look(i)
        seen = (limits[0] <= curve.x) & (curve.x <= limits[1])
        line = pen.line(
            *(curve.x[seen], curve.y[seen], look.colour, 1.0, look.dash),
            label=name,
            zorder=3.5 if i == 0 else 3,
        )
        outline(line, look.outline, pen.stroke(1.75))
        note(
            line,
            "curve",
            text=f"{name}{_area(curve)}",
            colour=pen.colour("text"),
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
        text = f"{_HULL.get(first.space, 'convex hull')}{_area(curve)}"
        whose = f"{name}: " if len(curves) > 1 else ""
        note(line, "hull", text=whose + text, colour=pen.colour("hull-text"))
        made_hulls.append(line)
    _label(pen, space)
    return made, made_hulls


#: What the dashed line is where scores are taken for probabilities.
_HULL = {"brier": "with the hull's probabilities", "decision": "with the hull's probabilities"}


def _area(curve: SpaceCurve) -> str:
    """Return what is said of the area, if the picture shows it: net benefit is shown in part."""
    words = SPACES[curve.space].area
    return f", {words} {rate(curve.area)}" if words else ""


def _frame(
    pen: Pen,
    name: str,
    curves: dict[str, SpaceCurve],
    prevalence: float,
    limits: tuple[float, float],
) -> None:
    space = SPACES[name]
    if name in ("roc", "precision_recall", "gain", "pr_gain"):
        pen.unit_frame(space.x, space.y)
    else:
        pen.frame()
        inside = [c.y[(c.x >= limits[0]) & (c.x <= limits[1])] for c in curves.values()]
        top = max(float(y.max()) for y in inside if y.size)
        low, high = {
            "lift": (0.0, 1.08 * max(top, 1.0)),
            "cost": (0.0, 0.56),
            "brier": (0.0, 1.25 * max(top, prevalence * (1 - prevalence) * 2)),
            "decision": (-0.15 * prevalence, 1.08 * max(top, prevalence)),
        }[name]
        pen.ax.set(xlabel=space.x, ylabel=space.y, ylim=(low, high))
    pen.ax.set_xlim(*limits)
    pen.settle()


def _without_skill(pen: Pen, name: str, pi: float, limits: tuple[float, float]) -> None:
    """Draw what one gets without looking at the samples."""
    x = np.linspace(*limits, 201)
    lines: list[tuple[Any, Any, str, int]] = {
        "roc": lambda: [(x, x, "at random", 150)],
        "gain": lambda: [(x, x, "at random", 150)],
        "precision_recall": lambda: [(x, np.full_like(x, pi), "at random: the prevalence", 10)],
        "pr_gain": lambda: [(x, 1 - x, "F1 of calling all positive", 100)],
        "lift": lambda: [(x, np.ones_like(x), "at random", 150)],
        "cost": lambda: [(x, x, "nothing positive", 60), (x, 1 - x, "all positive", 130)],
        "brier": lambda: [
            (x, 2 * np.minimum(x * (1 - pi), (1 - x) * pi), "saying the prevalence", 100)
        ],
        "decision": lambda: [
            (x, np.zeros_like(x), "nothing positive", 150),
            (x, pi - (1 - pi) * x / np.maximum(1 - x, 1e-9), "all positive", 40),
        ],
    }[name]()
    for at, height, words, k in lines:
        pen.line(
            at, height, "muted", 0.7, (0, (1, 1.5)), role="chance", touch=0.3, label="_" + words
        )
        bottom, top = pen.ax.get_ylim()
        if bottom <= height[k] <= top:
            beside = pen.beside(words, (at[k], height[k]), (4, 9), "muted", 0.8)
            note(beside, "chance words")


def _label(pen: Pen, space: Space) -> None:
    """Write names and areas where there is room."""
    pen.settle()
    taken = in_the_way(pen.ax)
    scale = pen.scale
    curves = list(drawn(pen.ax, "curve"))
    room = "" if len(curves) == 1 else " " * 9
    names = [pen.text(room + found.text, found.colour, scale, bold=True) for _, found in curves]
    rest = [
        pen.text(found.text, found.colour, 0.9 * scale, bold=True)
        for _, found in drawn(pen.ax, "hull")
    ]
    taken = place_texts(names + rest, taken, space.corner)
    for words, _ in list(drawn(pen.ax, "chance words")):
        taken = place_if_free(words, taken)
    if len(curves) > 1:
        for text, (line, _) in zip(names, curves, strict=True):
            _sample(pen, text, line)


def _sample(pen: Pen, text: Text, line: Line2D) -> None:
    """Draw a piece of a model's line into the room before its name."""
    x0, y0, _, y1 = text_box(text)
    ends = [(x0, (y0 + y1) / 2), (x0 + 2.2 * pen.em * pen.scale, (y0 + y1) / 2)]
    (x, xe), (y, ye) = pen.ax.transAxes.inverted().transform(ends).T
    looks = {"linestyle": line.get_linestyle(), "transform": pen.ax.transAxes}
    made = pen.line([x, xe], [y, ye], line.get_color(), **looks)
    made.set_path_effects(line.get_path_effects())
    note(made, "label")
