"""Pictures of several classifiers: averages over folds, the hull over all, rows of intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocviz.core.comparison.comparison import ClassifierComparison
from rocviz.core.comparison.fold_average import FoldAverage
from rocviz.core.comparison.model_hull import ModelHull
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.base.rows import IntervalRow, rows_picture
from rocviz.displays.roc.curves import FINE, Curve, CurvesScene, roc_scene
from rocviz.pictures import Entry, Line, Picture, model_look
from rocviz.words import difference, number, p_value, percent, short_names

_LONGEST, _IN_ROW = 40, 20  # letters of a name, in a legend and in a row
_ROW = 2.3  # height of a row in lines of text


def hull_scene(
    models: Mapping[str, RankedSegments],
    hull: ModelHull,
    styles: Sequence[Mapping[str, Any]],
) -> CurvesScene:
    """Collect ROC curves and the hull over all, with the stretches where one model is best."""
    curves = []
    for i, ((name, one), own) in enumerate(zip(models.items(), styles, strict=True)):
        thin = one.thin(size=FINE)
        curves.append(Curve(name, i, (thin.fpr, thin.tpr), number(one.auc), own=own))
    curves[0] = replace(curves[0], hull=(hull.fpr, hull.tpr), hull_area=number(hull.segments().auc))
    order = list(models)
    stretches = [
        (order.index(hull.model[k]), (hull.fpr[k : k + 2], hull.tpr[k : k + 2]))
        for k in range(len(hull.model) - 1)
        if hull.model[k] == hull.model[k + 1]
    ]
    return roc_scene(curves, hull="hull over all", stretches=stretches)


def rows_height(n_rows: int) -> float:
    """Compute the height of a figure with ``n`` rows, in lines of text."""
    return _ROW * n_rows + 7.5


def aucs_picture(found: ClassifierComparison, styles: Sequence[Mapping[str, Any]]) -> Picture:
    """Draw a row for each model, best first: its AUC, the interval, and both as numbers."""
    short = short_names(found.names, _IN_ROW)
    rows = []
    for k, i in enumerate(np.argsort(found.rank, kind="stable").tolist()):
        ends, own = (found.auc[i], found.auc_low[i], found.auc_high[i]), styles[i]
        role, *_, rim = model_look(i)
        auc, low, high = map(number, ends)
        name = str(own.get("label", short[found.names[i]]))
        looks = {"role": role, "rim": "" if "color" in own else rim, "own": own}
        rows.append(IntervalRow(k + 0.6, name, *ends, f"{auc}  [{low}, {high}]", **looks))
    label = f"AUC with {percent(found.confidence)} interval"
    return rows_picture(label, rows, len(rows) + 0.2)


def differences_picture(found: ClassifierComparison) -> Picture:
    """Draw a row for each pair: its difference of AUCs, the interval, and Holm's p-value.

    What stays significant after the correction is drawn in ink, the rest in grey.
    """
    short = short_names(found.names, _IN_ROW)
    rows = []
    for k, pair in enumerate(found.pairs().itertuples()):
        is_sure = pair.p_holm <= 1 - found.confidence
        ends = pair.difference, pair.lower, pair.upper
        said = f"{difference(pair.difference)}  ({p_value(pair.p_holm)})"
        name = _pair(short[pair.model_a], short[pair.model_b])
        role = "text" if is_sure else "reference"
        rows.append(IntervalRow(k + 0.6, name, *ends, said, role))
    label, height = "difference of AUCs; p after Holm's correction", len(rows) + 0.2
    return rows_picture(label, rows, height, references=[(0.0, 0.0, height)])


def _pair(one: str, other: str) -> str:
    """Write the label of a difference of two models, in two lines if the names are long."""
    between = " − " if len(one) + len(other) < 26 else "\n− "
    return f"{one}{between}{other}"


@dataclass(frozen=True)
class FoldBand:
    """The kind of band of each average."""

    kind: str  # {"spread", "interval", "none"}
    confidence: float  # of the interval

    @property
    def words(self) -> str:
        """The kind of band in words; empty if there is none."""
        interval = f"{percent(self.confidence)} interval of the mean"
        return {"spread": "standard deviation over folds", "interval": interval}.get(self.kind, "")

    def auc(self, found: FoldAverage) -> tuple[float, str]:
        """Write the mean AUC and describe its band."""
        kind = "spread" if self.kind == "none" else self.kind
        mean, low, high = found.auc_band(kind, confidence=self.confidence)
        if kind == "spread":
            return mean, f"± {number(found.auc.std(ddof=1))} over folds"
        return mean, f"{number(low)} to {number(high)}"


def fold_scene(
    averages: Mapping[str | None, FoldAverage],
    band: FoldBand,
    styles: Sequence[Mapping[str, Any]],
    *,
    folds: bool,
    pooled: bool,
) -> CurvesScene:
    """Collect the average of each model, with its folds' curves and the pooled one."""
    one_model = len(averages) == 1
    curves = []
    for i, ((name, found), own) in enumerate(zip(averages.items(), styles, strict=True)):
        role = model_look(i).role
        own_ink = {"color": own["color"]} if "color" in own else {}
        looks: dict[str, Any] = {"width": 1.1, "own": {} if one_model else own_ink}
        looks |= {"opacities": (1.0 if one_model else 0.4,)}
        behind = [
            Line(f"fold:{i}:{k}", "reference" if one_model else role, one.fpr, one.tpr, **looks)
            for k, one in enumerate(found.folds if folds else ())
        ]
        if pooled:
            whole, role = found.pooled, "second" if one_model else role
            looks |= {"dash": "dashed", "width": 1.8, "opacities": (1.0,)}
            behind.append(Line(f"pooled:{i}", role, whole.fpr, whole.tpr, **looks))
        ends = None
        if band.words:
            ends = (found.fpr, *found.band(band.kind, confidence=band.confidence))
        called, at = "mean of the folds" if name is None else name, (found.fpr, found.tpr)
        curves.append(Curve(called, i, at, band=ends, own=own, behind=behind))
    write = _rows_of_one if one_model else _rows
    rows = write(averages, band, curves, pooled)
    return roc_scene(curves, rows=rows)


def _rows_of_one(
    averages: Mapping[str | None, FoldAverage],
    band: FoldBand,
    curves: Sequence[Curve],
    pooled: bool,
) -> list[Entry]:
    ((name, found),) = averages.items()
    mean, about = band.auc(found)
    called = curves[0].own.get("label", name)
    whose = "mean" if called is None else f"{called}, mean"
    rows = [Entry(f"{whose} of {len(found.folds)} folds, AUC {number(mean)}", of="curve")]
    rows.append(Entry(about, bold=False))
    if pooled:
        text = f"all in one ranking, AUC {number(found.pooled.auc)}"
        rows.append(Entry(text, "negative-text", "pooled:0", bold=False))
    return rows + ([Entry(band.words, "muted", "band", bold=False)] if band.words else [])


def _rows(
    averages: Mapping[str | None, FoldAverage],
    band: FoldBand,
    curves: Sequence[Curve],
    pooled: bool,
) -> list[Entry]:
    """Write the legend: each model's line, then the notes common to all."""
    short = short_names([one.called for one in curves], _LONGEST)
    rows = []
    for i, (one, found) in enumerate(zip(curves, averages.values(), strict=True)):
        mean, about = band.auc(found)
        around = about.removesuffix(" over folds") if about[0] == "±" else f"({about})"
        text = f"{short[one.called]}, AUC {number(mean)} {around}"
        text += f", in one {number(found.pooled.auc)}" if pooled else ""
        ink = "text" if "color" in one.own else model_look(i).ink
        rows.append(Entry(text, ink, f"model:{i}" if i else "curve"))
    below = [("means of the folds", "")]
    if pooled:
        below.append(("dashed and thin: all folds in one ranking", "pooled:0"))
    # without a band, the number after ± still needs a name
    words = f"bands: {band.words}" if band.words else "±: standard deviation over folds"
    below.append((words, "band" if band.words else ""))
    return rows + [Entry(text, "muted", of, bold=False) for text, of in below]
