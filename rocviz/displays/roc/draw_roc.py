"""Draw rankings in ROC space: curves, hulls, bands, the best cut, and the legend of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D

from rocviz.core.roc.bands import ROCBand
from rocviz.core.roc.confusion import ConfusionTable
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.base.labels import Obstacles, Row, legend, place_near
from rocviz.displays.base.marks import diagonal
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.registry import count, drawn, erase, note
from rocviz.words import area_text, sample_counts, short_score

_PRINT_DPI = 300.0  # a drawn curve stays within half a pixel of print, finer than any screen


class ROCArtists(NamedTuple):
    """What :func:`draw_roc` put on the axes; ``None`` for what was not asked for."""

    line: Line2D
    hull: Line2D | None
    band: PolyCollection | None
    chance: Line2D | None
    isometric: Line2D | None
    optimum: Line2D | None


class BestCut(NamedTuple):
    """The best cut for given costs, with the isometric (fpr, tpr) through it."""

    table: ConfusionTable
    isometric: tuple[Any, Any]
    words: str = "best for these costs"


def draw_roc(
    pen: Pen,
    segments: RankedSegments,
    *,
    name: str | None = None,
    pos_label: Any = None,
    hull: bool = True,
    band: ROCBand | None = None,
    thresholds: bool = False,
    best: BestCut | None = None,
    style: Mapping[str, Any] | None = None,
) -> ROCArtists:
    """Draw one model in square ROC space, beside those that are on the axes already.

    The hull has dots at its vertices where they are apart; thresholds stand at a few of them.
    Labels are written by :func:`label_roc`, once all is drawn; a ``pos_label`` that is a string is
    used in them.
    """
    pen.unit_frame("false positive rate", "true positive rate")
    pen.settle()
    i = count(pen.ax, "curve")
    look = pen.look(i, style)
    who = look.named(name if name is not None else ("curve" if i == 0 else f"curve {i + 1}"))
    chance = None if i else diagonal(pen, "_random ranking", "chance")
    shade = line = isometric = ring = envelope = None
    if band is not None:
        looks = {"color": look.colour, "alpha": 0.11, "linewidth": 0, "zorder": 1.2}
        shade = pen.ax.fill_between(band.fpr, band.lower, band.upper, label="_band", **looks)
        text = f"{100 * band.confidence:g} % band, {band.method}"
        note(shade, "band", text=text, touch=0.005, data=who)
    line = _curve(pen, segments, look, i, who, pos_label, thresholds)
    if hull:
        envelope = _hull(pen, segments, who)
    if best is not None:
        looks = {"role": "isometric", "touch": 0.6, "label": "_isometric", "zorder": 2.5}
        isometric = pen.line(*best.isometric, "optimum", 0.7, **looks)
        looks = {"markerfacecolor": "none", "label": "_optimum", "zorder": 5.5}
        at = [best.table.fpr], [best.table.tpr]
        ring = pen.dots(*at, "optimum", 0.8, "optimum", 1.3, **looks)
        note(ring, "optimum", text=best.words)
    return ROCArtists(line, envelope, shade, chance, isometric, ring)


def drawn_size(ax: Axes) -> float:
    """Compute the width of axes in pixels of print, for thinning curves."""
    inches = ax.get_window_extent().width / ax.figure.dpi
    return max(inches * max(_PRINT_DPI, float(ax.figure.dpi)), 1.0)


def _curve(
    pen: Pen, segments: RankedSegments, look: Any, i: int, who: str, pos_label: Any, labelled: bool
) -> Line2D:
    thin = segments.thin(size=drawn_size(pen.ax))
    area = area_text(segments, lambda one: one.auc)
    label = f"{who} (AUC = {f'{segments.auc:0.2f}' if segments.is_exact else area})"
    looks = {"label": label, "zorder": 3 + 0.5 * (i == 0)}
    line = pen.curve(thin.fpr, thin.tpr, look, clip_on=False, **looks)
    at = segments.hull_vertices[1 : -1 if labelled else 1]
    vertices = np.column_stack((segments.fpr[at], segments.tpr[at], segments.thresholds[at]))
    data = {"auc": segments.auc, "counts": sample_counts(segments, pos_label)}
    data |= {"vertices": vertices.tolist(), "who": who}
    note(line, "curve", text=f"{who}, AUC {area}", data=data)
    return line


def _hull(pen: Pen, segments: RankedSegments, who: str) -> Line2D:
    hull = segments.hull()
    line = pen.line(
        hull.fpr,
        hull.tpr,
        "hull",
        0.85,
        (0, (4, 2)),
        marker="o",
        markersize=pen.stroke(2.3),
        markeredgewidth=0,
        markevery=0.015,  # of the diagonal: dots that are apart
        clip_on=False,
        label=f"convex hull (AUC = {hull.auc:0.2f})",
        zorder=4,
    )
    area = area_text(segments, lambda one: one.hull().auc)
    note(line, "hull", text=f"convex hull, AUC {area}", data=(who, area))
    return line


# ---------------------------------------------------------------------- labels


def label_roc(pen: Pen, *, own: bool = False) -> None:
    """Say what :func:`draw_roc` put on the axes, and write thresholds where there is room.

    Labels already there are written again, so that those of all models fit together. A figure of
    the display's ``own``, which holds nothing else, grows where they find no room.
    """
    erase(pen.ax, "label")
    curves = list(drawn(pen.ax, "curve"))
    hulls, bands = (list(drawn(pen.ax, role)) for role in ("hull", "band"))
    several = len(curves) > 1
    areas = dict(found.data for _, found in hulls if found.data)
    tallies = {found.data["counts"] for _, found in curves}
    rows = []
    for line, found in curves:
        words = found.text + (f", {found.data['counts']}" if len(tallies) > 1 else "")
        area = areas.get(found.data["who"]) if several else None
        rows.append(Row(words + (f", of its hull {area}" if area else ""), line))
    for line, found in hulls[:1]:
        said = "convex hull" + "s" * (len(hulls) > 1)
        rows.append(Row(said if several else found.text, line, "hull-text"))
    # what is said of all models alike is said once
    for words, (shade, found) in {one.text: (shade, one) for shade, one in bands}.items():
        said = words.replace("band", "bands") if len(bands) > 1 else words
        whose = f" of {found.data}" if several and len(bands) == 1 else ""
        rows.append(Row(said + whose, shade, "muted", bold=False))
    rings = list(drawn(pen.ax, "optimum"))
    rows += [Row(found.text, ring, "optimum-text") for ring, found in rings]
    if len(tallies) == 1:
        rows.append(Row(tallies.pop(), thing="muted", bold=False))
    mean_auc = np.mean([found.data["auc"] for _, found in curves])
    taken = legend(pen, rows, (0.73, 0.27) if mean_auc >= 0.5 else (0.27, 0.73), own=own)
    marked = [ring.get_xydata()[0].tolist() for ring, _ in rings]
    for _, found in curves:
        points = [point for point in found.data["vertices"] if point[:2] not in marked]
        taken = _label_thresholds(pen, points, taken)


def _label_thresholds(pen: Pen, points: list[Any], taken: Obstacles) -> Obstacles:
    """Write up to seven thresholds, each where it touches nothing, far apart first.

    A point is (fpr, tpr, threshold).
    """
    xy = pen.ax.transData.transform(np.reshape(points, (-1, 3))[:, :2])
    left, chosen = list(range(len(xy))), pen.ax.get_window_extent().get_points()
    while left and len(chosen) < 2 + 7:
        gap = np.linalg.norm(xy[left][:, None] - chosen, axis=2).min(axis=1)
        k = int(gap.argmax())
        if gap[k] < 1.8 * pen.em:
            break
        best = left.pop(k)
        text = pen.text(f"≥ {short_score(points[best][2])}", "hull-text", 0.8 * pen.scale)
        widened, cost = place_near(text, points[best][:2], taken, reach=(0.7, 1.1))
        if cost >= 1:
            text.remove()
        else:
            chosen, taken = np.vstack((chosen, xy[best])), widened
    return taken
