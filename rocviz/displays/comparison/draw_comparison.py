"""Draw a comparison of classifiers: AUCs, differences of pairs, and the hull over all.

Takes results and draws them; computes no number that is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from matplotlib.lines import Line2D

from rocviz.core.comparison.comparison import ClassifierComparison
from rocviz.core.comparison.model_hull import ModelHull
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.base.marks import IntervalRow, interval_rows
from rocviz.displays.base.pen import Pen
from rocviz.displays.curve_spaces.spaces import axes_of
from rocviz.displays.roc.curves import FINE, Curve, CurvesScene
from rocviz.words import difference, number, p_value, percent, short_names

_ROW = 2.3  # height of a row in lines of text
_LONGEST = 20  # letters of a name


def rows_height(n_rows: int) -> float:
    """Compute the height of a figure with ``n`` rows, in lines of text."""
    return _ROW * n_rows + 7.5


def draw_aucs(
    pen: Pen, found: ClassifierComparison, styles: Sequence[Mapping[str, Any]]
) -> list[Line2D]:
    """Draw a row for each model, best first: its AUC, the interval, and both as numbers."""
    short = short_names(found.names, _LONGEST)
    rows = []
    for y, i in enumerate(np.argsort(found.rank, kind="stable")):
        ends = found.auc[i], found.auc_low[i], found.auc_high[i]
        auc, low, high = map(number, ends)
        words, look = f"{auc}  [{low}, {high}]", pen.look(int(i), styles[i])
        rows.append(IntervalRow(y + 0.6, look.named(short[found.names[i]]), *ends, words, look))
    made = interval_rows(pen, rows, len(rows) + 0.2)
    pen.ax.set_xlabel(f"AUC with {percent(found.confidence)} interval")
    return made


def draw_differences(pen: Pen, found: ClassifierComparison) -> list[Line2D]:
    """Draw a row for each pair: its difference of AUCs, the interval, and Holm's p-value.

    What stays significant after the correction is drawn in ink, the rest in grey.
    """
    short = short_names(found.names, _LONGEST)
    rows, sure = [], []
    for y, pair in enumerate(found.pairs().itertuples()):
        sure.append(pair.p_holm <= 1 - found.confidence)
        ends = pair.difference, pair.lower, pair.upper
        words = f"{difference(pair.difference)}  ({p_value(pair.p_holm)})"
        name = _pair(short[pair.model_a], short[pair.model_b])
        thing = "text" if sure[-1] else "reference"
        rows.append(IntervalRow(y + 0.6, name, *ends, words, thing))
    made = interval_rows(pen, rows, len(rows) + 0.2)
    for label, one in zip(pen.ax.get_yticklabels(), sure, strict=True):
        label.set_fontweight("bold" if one else "normal")
    pen.line([0, 0], [0, 1], "muted", 0.7, ":", transform=pen.ax.get_xaxis_transform(), zorder=1)
    pen.ax.set_xlabel("difference of AUCs; p after Holm's correction")
    return made


def _pair(one: str, other: str) -> str:
    """Word the difference of two models, in two lines if names are long."""
    between = " − " if len(one) + len(other) < 26 else "\n− "
    return f"{one}{between}{other}"


def hull_scene(
    models: Mapping[str, RankedSegments],
    hull: ModelHull,
    styles: Sequence[Mapping[str, Any]],
) -> CurvesScene:
    """Collect ROC curves and the hull over all, with the stretches that one model has alone."""
    curves = []
    for i, ((name, one), own) in enumerate(zip(models.items(), styles, strict=True)):
        called, thin = str(own.get("label", name)), one.thin(size=FINE)
        at = thin.fpr, thin.tpr
        curves.append(Curve(called, i, at, number(one.auc), own={"label": called, **own}))
    curves[0] = replace(curves[0], hull=(hull.fpr, hull.tpr), hull_area=number(hull.segments().auc))
    order = list(models)
    stretches = [
        (order.index(hull.model[k]), (hull.fpr[k : k + 2], hull.tpr[k : k + 2]))
        for k in range(len(hull.model) - 1)
        if hull.model[k] == hull.model[k + 1]
    ]
    diagonal = (0.0, 1.0), (0.0, 1.0)
    return CurvesScene(
        *axes_of("roc", (0.0, 1.0), (0.0, 1.0)),
        tuple(curves),
        hull="hull over all",
        chance=[diagonal],
        stretches=stretches,
    )
