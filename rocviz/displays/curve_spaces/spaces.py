"""Names, limits, no-skill baselines and isometrics of each space.

The saved and the live picture share these words and limits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.curve_spaces.space_curve import (
    POINT_SPACES,
    SpaceCurve,
    map_from_roc,
    map_isometric,
)
from rocviz.core.roc.isometrics import isometric, isometric_through, metric_value
from rocviz.core.roc.metrics import MetricRow, find_metric, metric_label
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.roc.curves import Best, Curve, CurvesScene
from rocviz.pictures import UNIT_TICKS, Axis, round_ticks
from rocviz.words import number

_RATIOS = (1.5, 2.0, 3.0, 5.0, 10.0, 20.0)


@dataclass(frozen=True)
class Space:
    """Names of a space, its axes, its area, its no-skill line and its hull.

    ``corner`` is the best one for words, as shares of width and height.
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


def space_scene(
    space: str,
    prevalence: float,
    limits: tuple[tuple[float, float], tuple[float, float]],
    curves: Iterable[Curve],
    **others: Any,
) -> CurvesScene:
    """Collect curves in a space, with its axes, its words and its no-skill baselines.

    ``limits`` are those of the two axes; ``others`` are more fields of the scene, which take
    precedence.
    """
    names, (x_ends, y_ends) = SPACES[space], limits
    x = Axis(names.x, *x_ends, UNIT_TICKS if x_ends == (0.0, 1.0) else round_ticks(*x_ends))
    y = Axis(names.y, *y_ends, UNIT_TICKS if space in UNIT_SPACES else round_ticks(*y_ends))
    own: dict[str, Any] = {"area": names.area, "hull": names.hull, "corner": names.corner}
    own |= {"no_skill": names.no_skill, "chance": without_skill(space, prevalence, x_ends)}
    return CurvesScene(x, y, tuple(curves), **{**own, **others})


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


def isometrics_in(
    space: str,
    models: Iterable[RankedSegments],
    metric: str,
    prevalence: float,
    cost_fp: float,
    cost_fn: float,
) -> tuple[Best, list[tuple[Floats, Floats]]]:
    """Compute the best cut of all models by a metric, and isometrics at even steps of the metric.

    An isometric may be one point. A best cut that is a point of no isometric is ``nan``.
    """
    options: dict[str, Any] = {"prevalence": prevalence, "cost_fp": cost_fp, "cost_fn": cost_fn}
    row, implied = find_metric(metric)
    sign = 1.0 if row.higher_is_better else -1.0
    best, value, fpr, tpr = -np.inf, 0.0, 0.0, 0.0
    for one in models:
        worth = np.asarray(metric_value(metric, one.fpr, one.tpr, **options))
        # undefined and infinite values are left out
        usable = np.where(np.isfinite(worth), sign * worth, -np.inf)
        k = int(usable.argmax())
        if usable[k] > best:
            best, value = float(usable[k]), float(worth[k])
            fpr, tpr = float(one.fpr[k]), float(one.tpr[k])
    line = map_isometric(
        space, *isometric_through(metric, fpr, tpr, **options), prevalence=prevalence
    )
    x, y = line if len(line[0]) == 1 else ([np.nan], [np.nan])
    if space in POINT_SPACES:
        x, y = map_from_roc(space, [fpr], [tpr], prevalence=prevalence)
    point = (float(x[0]), float(y[0])) if np.isfinite([x[0], y[0]]).all() else (np.nan, np.nan)
    words = f"best {metric_label(metric, implied.get('beta', 1.0))} {number(value)}"
    levels = _levels(row, options)
    others = [map_isometric(space, *each, prevalence=prevalence) for each in levels]
    return Best(point, line, (words,)), others


def _levels(row: MetricRow, options: dict[str, Any]) -> list[tuple[Floats, Floats]]:
    """Compute isometrics at even steps of a metric, or at even steps along the diagonal."""
    parts = np.arange(1, 10) / 10
    if row.lines_of:
        return [isometric_through(row.name, part, part, **options) for part in parts]
    if not row.is_bounded:
        levels = _RATIOS if row.higher_is_better else tuple(1 / ratio for ratio in _RATIOS)
        return [isometric(row.name, level, **options) for level in levels]
    corners = metric_value(row.name, [0, 1, 0, 1], [0, 0, 1, 1], **options)
    low, high = float(np.nanmin(corners)), float(np.nanmax(corners))
    return [isometric(row.name, low + part * (high - low), **options) for part in parts]
