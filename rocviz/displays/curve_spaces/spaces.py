"""Names, limits and baselines without skill of each space.

The saved and the live picture share these words and limits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.curve_spaces.space_curve import SpaceCurve


@dataclass(frozen=True)
class Space:
    """How a space is called, what its axes, the area of a curve and the hull's curve in it are."""

    title: str
    x: str
    y: str
    area: str
    corner: tuple[float, float]
    hull: str = "convex hull"


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
        "Brier curve",
        "cost proportion = threshold",
        "expected loss",
        "Brier score",
        (0.5, 0.85),
        "hull's probabilities",
    ),
    "decision": Space(
        "Decision curve",
        "threshold probability",
        "net benefit in found positives",
        "",
        (0.7, 0.75),
        "hull's probabilities",
    ),
}

#: Headings of the pictures.
TITLES = {name: space.title for name, space in SPACES.items()}


#: Spaces with both axes from 0 to 1.
UNIT_SPACES = ("roc", "precision_recall", "gain", "pr_gain")


def widths(space: str, prevalence: float) -> tuple[float, float]:
    """Choose the ends of the x axis where none are given."""
    return (0.0, min(max(2 * prevalence, 0.5), 0.99)) if space == "decision" else (0.0, 1.0)


def heights(
    curves: Iterable[SpaceCurve], prevalence: float, limits: tuple[float, float]
) -> tuple[float, float]:
    """Choose the ends of the y axis that show all curves and those of no skill."""
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
) -> list[tuple[Floats, Floats, str, int]]:
    """Collect the baselines without skill: x, y, label and its free places."""
    pi, x = prevalence, np.linspace(*limits, 201)
    lines: dict[str, Any] = {
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
    }
    made: list[tuple[Floats, Floats, str, int]] = lines[name]()
    return made
