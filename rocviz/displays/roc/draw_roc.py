"""Draw a ranking in ROC space on given matplotlib axes: curve, hull, band, optimum, labels.

Takes computed results and draws them; computes no number that is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.lines import Line2D

from rocviz.core.roc.bands import ROCBand
from rocviz.core.roc.confusion import ConfusionTable
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.base.labels import (
    Obstacles,
    draw_sample,
    in_the_way,
    lead_to_curves,
    place_names,
    place_near,
    place_texts,
    room_for_sample,
    text_box,
)
from rocviz.displays.base.marks import diagonal
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.registry import Note, count, drawn, erase, note
from rocviz.displays.base.style import outline
from rocviz.words import area_text, sample_counts, short_score

_FEW_MODELS = 3  # whose names lead to their curves; more have a piece of their lines before them
_PRINT_DPI = 300.0  # a drawn curve stays within half a pixel of print, finer than any screen


@dataclass(frozen=True)
class ROCArtists:
    """What :func:`draw_roc` put on the axes; ``None`` for what was not asked for."""

    line: Line2D
    hull: Line2D | None = None
    band: PolyCollection | None = None
    chance: Line2D | None = None
    isometric: Line2D | None = None
    optimum: Line2D | None = None


def draw_roc(
    pen: Pen,
    segments: RankedSegments,
    *,
    name: str | None = None,
    pos_label: Any = None,
    hull: bool = True,
    band: ROCBand | None = None,
    thresholds: bool = False,
    optimum: ConfusionTable | None = None,
    isometric: tuple[Any, Any] | None = None,
    optimum_text: str = "best for these costs",
) -> ROCArtists:
    """Draw one model in square ROC space, beside those that are on the axes already.

    The hull has dots at its vertices where they are apart; thresholds stand at a few of them. The
    optimum is marked by a ring and its text, with the isometric (fpr, tpr) through it. Labels are
    written by :func:`label_roc`, once all is drawn; a ``pos_label`` that is a string is used in
    them.
    """
    pen.unit_frame("false positive rate", "true positive rate")
    pen.settle()
    i = count(pen.ax, "curve")
    who = name if name is not None else ("curve" if i == 0 else f"curve {i + 1}")
    chance = None if i else diagonal(pen, "_random ranking", "chance")
    shade = None if band is None else _band(pen, band, who)
    line = _curve(pen, segments, i, who, pos_label, thresholds)
    envelope = _hull(pen, segments, who) if hull else None
    best = ring = None
    if isometric is not None:
        looks = {"role": "isometric", "touch": 0.6, "label": "_isometric", "zorder": 2.5}
        best = pen.line(*isometric, "optimum", 0.7, **looks)
    if optimum is not None:
        looks = {"markerfacecolor": "none", "label": "_optimum", "zorder": 5.5}
        at = [optimum.fpr], [optimum.tpr]
        ring = pen.dots(*at, "optimum", 0.8, "optimum", 1.3, **looks)
        note(ring, "optimum", text=optimum_text, colour=pen.colour("optimum-text"))
    return ROCArtists(line, envelope, shade, chance, best, ring)


def _band(pen: Pen, band: ROCBand, who: str) -> PolyCollection:
    shade = pen.ax.fill_between(
        band.fpr,
        band.lower,
        band.upper,
        color=pen.colour("ranking"),
        alpha=0.11,
        linewidth=0,
        zorder=1.2,
        label="_band",
    )
    text = f"{100 * band.confidence:g} % band, {band.method}"
    note(shade, "band", text=text, colour=pen.colour("muted"), touch=0.005, data=who)
    return shade


def drawn_size(ax: Axes) -> float:
    """Return the width of axes in pixels of print, for thinning curves."""
    inches = ax.get_window_extent().width / ax.figure.dpi
    return max(inches * max(_PRINT_DPI, float(ax.figure.dpi)), 1.0)


def _curve(
    pen: Pen, segments: RankedSegments, i: int, who: str, pos_label: Any, thresholds: bool
) -> Line2D:
    look = pen.look(i)
    thin = segments.thin(size=drawn_size(pen.ax))
    area = area_text(segments, lambda one: one.auc)
    line = pen.line(
        thin.fpr,
        thin.tpr,
        look.colour,
        1.0,
        look.dash,
        solid_joinstyle="round",
        clip_on=False,
        label=f"{who} (AUC = {f'{segments.auc:0.2f}' if segments.is_exact else area})",
        zorder=3.5 if i == 0 else 3,
    )
    outline(line, look.outline, pen.stroke(1.75))
    data = {"auc": segments.auc, "counts": sample_counts(segments, pos_label)}
    data |= {"vertices": [], "who": who, "dash": look.dash}
    if thresholds:
        at = segments.hull_vertices[1:-1]
        columns = (segments.fpr[at], segments.tpr[at], segments.thresholds[at])
        data["vertices"] = list(zip(*(column.tolist() for column in columns), strict=True))
    text = f"{who}, AUC {area}"
    note(line, "curve", text=text, colour=pen.colour("text"), data=data)
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
        markevery=_apart(pen.ax, hull.fpr, hull.tpr, pen.stroke(4.0)),
        clip_on=False,
        label=f"convex hull (AUC = {hull.auc:0.2f})",
        zorder=4,
    )
    area = area_text(segments, lambda one: one.hull().auc)
    text = f"convex hull, AUC {area}"
    note(line, "hull", text=text, colour=pen.colour("hull-text"), data=who)
    return line


def _apart(ax: Axes, x: Any, y: Any, points: float) -> list[int]:
    """Return indices of vertices that are at least so many points apart as drawn."""
    xy = ax.transData.transform(np.column_stack((x, y)))
    least = points * ax.figure.dpi / 72
    keep = [0]
    for k in range(1, len(xy)):
        if np.hypot(*(xy[k] - xy[keep[-1]])) >= least:
            keep.append(k)
    return keep


# ---------------------------------------------------------------------- labels


def label_roc(pen: Pen, *, own: bool = False) -> None:
    """Write the labels of everything :func:`draw_roc` put on the axes, where there is room.

    Labels already there are written again, so that those of all models fit together. A figure of
    one's `own`, which holds nothing else, grows where they find no room.
    """
    erase(pen.ax, "label")
    pen.settle()
    scale = pen.scale
    taken = in_the_way(pen.ax)
    for ring, found in drawn(pen.ax, "optimum"):
        taken = _label_optimum(pen, ring, found, taken, scale)
    marked = [tuple(ring.get_xydata()[0]) for ring, _ in drawn(pen.ax, "optimum")]
    for _, found in drawn(pen.ax, "curve"):
        points = [point for point in found.data["vertices"] if point[:2] not in marked]
        taken = _label_thresholds(pen, points, taken, scale)
    _label_block(pen, taken, scale, own=own)


def _label_optimum(
    pen: Pen, ring: Line2D, found: Note, taken: Obstacles, scale: float
) -> Obstacles:
    text = pen.text(found.text, found.colour, 0.95 * scale, bold=True, multialignment="left")
    anchor = float(ring.get_xdata()[0]), float(ring.get_ydata()[0])
    below = (-30, -45, -15, -60, -75, 0, -90)
    above = (150, 135, 165, 120, 105, 180, 90, 75, 60, 45, 30, 15)
    angles = below + above if anchor[1] >= anchor[0] else above + below
    taken, _ = place_near(
        text, anchor, taken, reach=(2.0, 3.0, 4.0, 5.5, 7.0, 9.0, 12.0, 16.0), angles=angles
    )
    x0, y0, x1, y1 = text_box(text)
    em = pen.em
    here = pen.ax.transData.transform(anchor)
    there = np.array([np.clip(here[0], x0, x1), np.clip(here[1], y0, y1)])
    way = there - here
    gap = float(np.hypot(*way))
    start = here + way / gap * pen.handle(0.45) * pen.ax.figure.dpi / 72
    if gap > 1.2 * em:
        (xs, xe), (ys, ye) = pen.ax.transData.inverted().transform(np.vstack((start, there))).T
        looks = {"role": "label", "touch": 0.6, "label": "_leader", "zorder": 2.4}
        pen.line([xs, xe], [ys, ye], found.colour, 0.4, **looks)
    return taken


def _label_thresholds(
    pen: Pen, points: list[tuple[float, float, float]], taken: Obstacles, scale: float
) -> Obstacles:
    """Write up to seven thresholds, each where it touches nothing, far apart first.

    A point is (fpr, tpr, threshold).
    """
    if not points:
        return taken
    xy = pen.ax.transData.transform([point[:2] for point in points])
    em = pen.em
    left = list(range(len(xy)))
    chosen: list[int] = []
    while left and len(chosen) < 7:
        middle = np.array([[pen.ax.bbox.x0, pen.ax.bbox.y0], [pen.ax.bbox.x1, pen.ax.bbox.y1]])
        others = np.vstack((middle, xy[chosen]))
        gap = np.hypot(*(xy[left][:, None] - others[None]).transpose(2, 0, 1)).min(axis=1)
        k = int(gap.argmax())
        if gap[k] < 1.8 * em:
            break
        best = left.pop(k)
        text = pen.text(f"≥ {short_score(points[best][2])}", "hull-text", 0.8 * scale)
        widened, cost = place_near(text, points[best][:2], taken, reach=(0.7, 1.1))
        if cost >= 1:
            text.remove()
            continue
        chosen.append(best)
        taken = widened
    return taken


def _label_block(pen: Pen, taken: Obstacles, scale: float, *, own: bool) -> None:
    curves = list(drawn(pen.ax, "curve"))
    several, many = len(curves) > 1, len(curves) > _FEW_MODELS
    tallies = {found.data["counts"] for _, found in curves}
    hulls = [found for _, found in drawn(pen.ax, "hull")]
    of_hull = {found.data: found.text.rpartition(" ")[2] for found in hulls} if many else {}
    names = []
    for _, found in curves:
        own_counts = f", {found.data['counts']}" if len(tallies) > 1 else ""
        area = of_hull.get(found.data["who"])
        words = found.text + own_counts + (f", of its hull {area}" if area else "")
        words = room_for_sample(words) if many else words
        names.append(pen.text(words, found.colour, scale, bold=True))
    bands = [found for _, found in drawn(pen.ax, "band")]
    if many:
        # what is said of all models alike is said once
        rest = [("convex hulls", found.colour, 1.0) for found in hulls[:1]]
        sentences = dict.fromkeys(found.text for found in bands)
        rest += [(words.replace("band", "bands"), "muted", 0.85) for words in sentences]
    else:
        rest = []
        for found in hulls:
            whose = f"convex hull of {found.data}" if several else "convex hull"
            rest.append((found.text.replace("convex hull", whose), found.colour, 1.0))
        for found in bands:
            rest.append((f"{found.text} ({found.data})" if several else found.text, "muted", 0.85))
    if len(tallies) == 1:
        rest.append((next(iter(tallies)), "muted", 0.85))
    small = [pen.text(words, thing, size * scale, bold=size == 1) for words, thing, size in rest]
    mean_auc = np.mean([found.data["auc"] for _, found in curves])
    prefer = (0.73, 0.27) if mean_auc >= 0.5 else (0.27, 0.73)
    if many:
        place_names(pen, names + small, taken, prefer, own=own)
        for text, (line, found) in zip(names, curves, strict=True):
            draw_sample(pen, text, line, found.data["dash"])
        return
    place_texts(names + small, taken, prefer)
    if several:
        lead_to_curves(pen, names, curves)
