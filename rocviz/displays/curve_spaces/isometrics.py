"""Isometrics of a metric in a space, including that of the best cut."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.curve_spaces.mapping import POINT_SPACES, map_from_roc, map_isometric
from rocviz.core.roc.isometrics import isometric, isometric_through, metric_value
from rocviz.core.roc.metrics import MetricRow, find_metric, metric_label
from rocviz.core.roc.segments import RankedSegments
from rocviz.words import number

_RATIOS = (1.5, 2.0, 3.0, 5.0, 10.0, 20.0)


@dataclass(frozen=True)
class Isometrics:
    """Lines of equal metric in a space; a line may be one point."""

    words: str  # label of the metric, with the value of the best cut
    best: tuple[Floats, Floats]  # the isometric of the best cut
    point: tuple[float, float] | None  # best cut; None where cuts are not points of isometrics
    others: tuple[tuple[Floats, Floats], ...]  # isometrics at even steps of the metric


def isometrics_in(
    space: str,
    models: Iterable[RankedSegments],
    metric: str,
    prevalence: float,
    cost_fp: float,
    cost_fn: float,
) -> Isometrics:
    """Compute the isometrics of a metric, and the best cut of all models."""
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
    point: tuple[float, float] | None = None
    if space in POINT_SPACES:
        x, y = map_from_roc(space, [fpr], [tpr], prevalence=prevalence)
        point = (float(x[0]), float(y[0])) if np.isfinite([x[0], y[0]]).all() else None
    elif len(line[0]) == 1:
        point = (float(line[0][0]), float(line[1][0]))
    others = tuple(
        map_isometric(space, *each, prevalence=prevalence) for each in _levels(row, options)
    )
    words = f"best {metric_label(metric, implied.get('beta', 1.0))} {number(value)}"
    return Isometrics(words, line, point, others)


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
