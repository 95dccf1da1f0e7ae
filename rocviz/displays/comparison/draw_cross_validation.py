"""Draw averages of ROC curves over folds, of one model or of several, and say what bands are.

Takes computed averages and draws them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D

from rocviz.core.comparison.fold_average import FoldAverage
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.base.labels import Row, legend
from rocviz.displays.base.marks import diagonal
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.registry import note
from rocviz.displays.base.style import ModelLook
from rocviz.words import number, percent

_CORNER = (0.65, 0.2)  # below the curves


@dataclass(frozen=True)
class FoldBand:
    """What the band of each average is."""

    kind: str  # {"spread", "interval", "none"}
    confidence: float  # of the interval

    @property
    def words(self) -> list[str]:
        """What the band is, if there is one."""
        if self.kind == "none":
            return []
        if self.kind == "spread":
            return ["standard deviation over folds"]
        return [f"{percent(self.confidence)} interval of the mean"]

    def auc(self, found: FoldAverage) -> tuple[float, str]:
        """Write the mean AUC and describe its band."""
        kind = "spread" if self.kind == "none" else self.kind
        mean, low, high = found.auc_band(kind, confidence=self.confidence)
        if kind == "spread":
            return mean, f"± {number(found.auc.std(ddof=1))} over folds"
        return mean, f"{number(low)} to {number(high)}"


@dataclass(frozen=True)
class FoldArtists:
    """What was drawn of one model; ``None`` for what was not asked for."""

    line: Line2D
    folds: list[Line2D]
    band: PolyCollection | None
    pooled: Line2D | None


def draw_fold_averages(
    pen: Pen,
    averages: Mapping[str | None, FoldAverage],
    band: FoldBand,
    in_one: Mapping[str | None, RankedSegments | None],
    *,
    folds: bool,
    own: bool,
    styles: Sequence[Mapping[str, Any]],
) -> list[FoldArtists]:
    """Draw the average of each model, with what is asked for besides.

    The one model of a display may have no name. ``in_one`` has all folds in one ranking, where its
    curve is asked for; ``own`` says whether the figure holds nothing else, so it may grow.
    """
    pen.unit_frame("false positive rate", "true positive rate")
    diagonal(pen, "_chance", "chance")
    if len(averages) == 1:
        ((name, found),) = averages.items()
        made = [_one(pen, found, band, in_one[name], folds)]
        made[0].line.set(**styles[0])
        _write_one(pen, styles[0].get("label", name), found, band, in_one[name], made[0])
        return made
    made = [
        _of_several(pen, pen.look(i, style), i, name, found, band, in_one[name], folds)
        for i, ((name, found), style) in enumerate(zip(averages.items(), styles, strict=True))
    ]
    _write_several(pen, averages, band, in_one, [one.line for one in made], own=own)
    return made


def _one(
    pen: Pen, found: FoldAverage, band: FoldBand, in_one: RankedSegments | None, folds: bool
) -> FoldArtists:
    lines = _folds(pen, found, "reference", 0.45) if folds else []
    looks = {"color": pen.tint("negative", 0.35), "alpha": 0.6, "zorder": 1.8}
    shade = _shade(pen, found, band, 0.05, **looks)
    words = "all folds in one ranking"
    whole = None if in_one is None else _pooled(pen, in_one, "positive", 0.9, words)
    line = pen.line(
        found.fpr, found.tpr, "ranking", 1.1, label="mean of the folds", role="curve", zorder=4
    )
    return FoldArtists(line, lines, shade, whole)


def _of_several(
    pen: Pen,
    look: ModelLook,
    i: int,
    name: str | None,
    found: FoldAverage,
    band: FoldBand,
    in_one: RankedSegments | None,
    folds: bool,
) -> FoldArtists:
    lines = _folds(pen, found, look.colour, 0.3, alpha=0.4) if folds else []
    shade = _shade(pen, found, band, 0.005, color=look.colour, alpha=0.14, zorder=1.2)
    words = f"{name}, all folds in one ranking"
    whole = None if in_one is None else _pooled(pen, in_one, look.colour, 0.6, words)
    looks = {"label": str(name), "role": "curve", "zorder": 4 if i == 0 else 3.5}
    line = pen.curve(found.fpr, found.tpr, look, **looks)
    return FoldArtists(line, lines, shade, whole)


def _folds(pen: Pen, found: FoldAverage, thing: str, width: float, **looks: Any) -> list[Line2D]:
    return [
        pen.line(
            *(one.fpr, one.tpr, thing, width), label=f"_fold {i}", role="fold", zorder=2, **looks
        )
        for i, one in enumerate(found.folds)
    ]


def _shade(
    pen: Pen, found: FoldAverage, band: FoldBand, touch: float, **looks: Any
) -> PolyCollection | None:
    if band.kind == "none":
        return None
    edges = found.band(band.kind, confidence=band.confidence)
    shade = pen.ax.fill_between(found.fpr, *edges, linewidth=0, label="_band", **looks)
    note(shade, "band", touch=touch)
    return shade


def _pooled(pen: Pen, in_one: RankedSegments, thing: str, width: float, words: str) -> Line2D:
    looks = {"label": words, "role": "pooled", "zorder": 3}
    return pen.line(in_one.fpr, in_one.tpr, thing, width, (0, (4, 2)), **looks)


# ---------------------------------------------------------------------- words


def _write_one(
    pen: Pen,
    name: str | None,
    found: FoldAverage,
    band: FoldBand,
    in_one: RankedSegments | None,
    made: FoldArtists,
) -> None:
    """Say what each line and the band are, where there is room."""
    mean, about = band.auc(found)
    whose = "mean" if name is None else f"{name}, mean"
    words = f"{whose} of {len(found.folds)} folds, AUC {number(mean)}"
    rows = [Row(words, made.line), Row(about, bold=False)]
    if in_one is not None:
        words = f"all in one ranking, AUC {number(in_one.auc)}"
        rows.append(Row(words, made.pooled, "positive-text", bold=False))
    rows += [Row(words, made.band, "negative-text", bold=False) for words in band.words]
    legend(pen, rows, _CORNER)


def _write_several(
    pen: Pen,
    averages: Mapping[str | None, FoldAverage],
    band: FoldBand,
    in_one: Mapping[str | None, RankedSegments | None],
    lines: list[Line2D],
    *,
    own: bool,
) -> None:
    """Write the name of each model with a sample of its line, and what they have in common."""
    rows = []
    for (name, found), line in zip(averages.items(), lines, strict=True):
        called = str(line.get_label())
        mean, about = band.auc(found)
        around = about.removesuffix(" over folds") if about[0] == "±" else f"({about})"
        words = f"{called}, AUC {number(mean)} {around}"
        whole = in_one[name]
        if whole is not None:
            words += f", in one {number(whole.auc)}"
        rows.append(Row(words, line))
    below = ["means of the folds"]
    if any(whole is not None for whole in in_one.values()):
        below.append("dashed and thin: all folds in one ranking")
    # where no band is drawn, the number after ± still has to be called something
    below += [f"bands: {words}" for words in band.words] or ["±: standard deviation over folds"]
    rows += [Row(words, thing="muted", bold=False) for words in below]
    legend(pen, rows, _CORNER, own=own)
