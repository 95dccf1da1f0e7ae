"""Names, limits and no-skill baselines of each space.

The saved and the live picture share these words and limits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.curve_spaces.space_curve import SpaceCurve
from rocviz.pictures import UNIT_TICKS, Axis, round_ticks


@dataclass(frozen=True)
class Space:
    """Names of a space, its axes, its area, its no-skill line and its hull.

    ``corner`` is where words had best be, as shares of width and height.
    """

    title: str
    x: str
    y: str
    area: str
    no_skill: str
    corner: tuple[float, float]
    hull: str = "convex hull"


_LEFT, _RIGHT, _ABOVE = (0.0, 0.0), (1.0, 0.0), (1.0, 1.0)

#: By the name of the space.
SPACES = {
    "roc": Space(
        *("ROC curve", "false positive rate", "true positive rate", "AUC", "at random"), _RIGHT
    ),
    "precision_recall": Space(
        *("Precision and recall", "recall", "precision", "mean precision"),
        *("at random: the prevalence", _LEFT),
    ),
    "pr_gain": Space(
        *("Gains of precision and recall", "recall gain", "precision gain", "mean gain"),
        *("F1 of calling all positive", _LEFT),
    ),
    "gain": Space(
        *("Cumulative gain", "share called positive", "true positive rate", "area"),
        *("at random", _RIGHT),
    ),
    "lift": Space(
        *("Lift", "share called positive", "times more than at random", "mean lift"),
        *("at random", _ABOVE),
    ),
    "cost": Space(
        *("Cost curve", "probability cost", "expected cost, best cut", "mean cost"),
        *("none or all positive", (0.5, 0.0)),
    ),
    "brier": Space(
        *("Brier curve", "cost proportion = threshold", "expected loss", "Brier score"),
        *("saying the prevalence", _ABOVE, "hull's probabilities"),
    ),
    "decision": Space(
        *("Decision curve", "threshold probability", "net benefit in found positives", ""),
        *("none or all positive", _ABOVE, "hull's probabilities"),
    ),
}

#: Headings of the pictures.
TITLES = {name: space.title for name, space in SPACES.items()}


#: Spaces with both axes from 0 to 1.
UNIT_SPACES = ("roc", "precision_recall", "gain", "pr_gain")


def axes_of(
    space: str, x_ends: tuple[float, float], y_ends: tuple[float, float]
) -> tuple[Axis, Axis]:
    """Make the axes of a space."""
    said, unit = SPACES[space], space in UNIT_SPACES
    x_ticks = UNIT_TICKS if x_ends == (0.0, 1.0) else round_ticks(*x_ends)
    y_ticks = UNIT_TICKS if unit else round_ticks(*y_ends)
    return Axis(said.x, *x_ends, x_ticks), Axis(said.y, *y_ends, y_ticks)


def widths(space: str, prevalence: float) -> tuple[float, float]:
    """Choose the default limits of the x axis."""
    return (0.0, min(max(2 * prevalence, 0.5), 0.99)) if space == "decision" else (0.0, 1.0)


def heights(
    curves: Iterable[SpaceCurve], prevalence: float, limits: tuple[float, float]
) -> tuple[float, float]:
    """Choose limits of the y axis that show all curves and the no-skill baselines."""
    every = list(curves)
    name = every[0].space
    if name in UNIT_SPACES:
        return 0.0, 1.0
    inside = [curve.y[(curve.x >= limits[0]) & (curve.x <= limits[1])] for curve in every]
    top = max(float(y.max()) for y in inside if y.size)
    return {
        "lift": (0.0, 1.08 * max(top, 1.0)),
        "cost": (0.0, 0.56),
        "brier": (0.0, 1.25 * max(top, prevalence * (1 - prevalence) * 2)),
        "decision": (-0.15 * prevalence, 1.08 * max(top, prevalence)),
    }[name]


def without_skill(
    name: str, prevalence: float, limits: tuple[float, float]
) -> list[tuple[Floats, Floats]]:
    """Compute the no-skill baselines."""
    pi, x = prevalence, np.linspace(*limits, 201)
    heights: dict[str, Any] = {
        "roc": lambda: [x],
        "gain": lambda: [x],
        "precision_recall": lambda: [np.full_like(x, pi)],
        "pr_gain": lambda: [1 - x],
        "lift": lambda: [np.ones_like(x)],
        "cost": lambda: [x, 1 - x],
        "brier": lambda: [2 * np.minimum(x * (1 - pi), (1 - x) * pi)],
        "decision": lambda: [np.zeros_like(x), pi - (1 - pi) * x / np.maximum(1 - x, 1e-9)],
    }
    return [(x, y) for y in heights[name]()]
