"""Draw a ranking in ROC space on given matplotlib axes: curve, hull, band, optimum, labels.

Takes computed results and draws them; computes no number that is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rocviz.displays.base.labels import (
    Obstacles,
    add_text,
    in_the_way,
    lead_to_curves,
    place_near,
    place_texts,
    settle,
    text_box,
    type_scale,
)
from rocviz.displays.base.marks import diagonal
from rocviz.displays.base.registry import Note, count, drawn, erase, note
from rocviz.displays.base.style import (
    font,
    handle,
    model_look,
    outline,
    resolve_theme,
    stroke,
    unit_axes,
)
from rocviz.words import rate, sample_counts, score_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

    from rocviz.core.roc.bands import ROCBand
    from rocviz.core.roc.confusion import ConfusionTable
    from rocviz.core.roc.segments import RankedSegments
    from rocviz.theme import Theme

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
    held: Line2D | None = None


def draw_roc(
    ax: Axes,
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
    held: ConfusionTable | None = None,
    held_isometric: tuple[Any, Any] | None = None,
    label: bool = True,
    theme: Theme | str | None = None,
) -> ROCArtists:
    """Draw one model in ROC space, beside those that are on the axes already.

    Parameters
    ----------
    ax : matplotlib Axes
        Made square, from 0 to 1.
    segments : RankedSegments
    name : str, optional
        Of the model, for its label.
    pos_label : label, optional
        If it is a string, the counts call the positives by it.
    hull : bool, default=True
        Draw the convex hull, with dots at its vertices where they are apart.
    band : ROCBand, optional
        Simultaneous confidence band.
    thresholds : bool, default=False
        Write thresholds at a few vertices of the hull.
    optimum : ConfusionTable, optional
        Marked by a ring and ``optimum_text``.
    isometric : tuple of arrays (fpr, tpr), optional
        Line through the optimum.
    optimum_text : str, default="best for these costs"
    held : ConfusionTable, optional
        Operating point, drawn as a large dot.
    held_isometric : tuple of arrays (fpr, tpr), optional
        Line through the operating point.
    label : bool, default=True
        Write the labels now. ``False`` when more will be drawn: then :func:`label_roc` once.
    theme : Theme or {"light", "dark", "lecture"}, optional

    Returns
    -------
    ROCArtists
    """
    theme = resolve_theme(theme)
    unit_axes(ax, theme, "false positive rate", "true positive rate")
    settle(ax)
    i = count(ax, "curve")
    who = name if name is not None else ("curve" if i == 0 else f"curve {i + 1}")
    chance = None if i else diagonal(ax, theme, "_random ranking", "chance")
    shade = None if band is None else _band(ax, band, who, theme)
    line = _curve(ax, segments, i, who, pos_label, thresholds, theme)
    envelope = _hull(ax, segments, who, theme) if hull else None
    line_best = ring = dot = None
    if isometric is not None:
        line_best = _isometric(ax, isometric, "optimum", theme)
    if held_isometric is not None:
        _isometric(ax, held_isometric, "held", theme)
    if held is not None:
        dot = _point(ax, held, "held", theme)
    if optimum is not None:
        ring = _point(ax, optimum, "optimum", theme)
        note(ring, "optimum", text=optimum_text, colour=theme.colour("optimum-text"), touch=1.0)
    if label:
        label_roc(ax, theme=theme)
    return ROCArtists(line, envelope, shade, chance, line_best, ring, dot)


def _band(ax: Axes, band: ROCBand, who: str, theme: Theme) -> PolyCollection:
    shade = ax.fill_between(
        band.fpr,
        band.lower,
        band.upper,
        color=theme.colour("ranking"),
        alpha=0.11,
        linewidth=0,
        zorder=1.2,
        label="_band",
    )
    text = f"{100 * band.confidence:g} % band, {band.method}"
    note(shade, "band", text=text, colour=theme.colour("muted"), touch=0.005, data=who)
    return shade


def drawn_size(ax: Axes) -> float:
    """Return the width of axes in pixels of print, for thinning curves."""
    inches = ax.get_window_extent().width / ax.figure.dpi
    return max(inches * max(_PRINT_DPI, float(ax.figure.dpi)), 1.0)


def _curve(
    ax: Axes,
    segments: RankedSegments,
    i: int,
    who: str,
    pos_label: Any,
    thresholds: bool,
    theme: Theme,
) -> Line2D:
    look = model_look(i, theme)
    thin = segments.thin(size=drawn_size(ax))
    (line,) = ax.plot(
        thin.fpr,
        thin.tpr,
        color=look.colour,
        linestyle=look.dash,
        linewidth=stroke(theme),
        solid_joinstyle="round",
        clip_on=False,
        label=f"{who} (AUC = {segments.auc:0.2f})",
        zorder=3.5 if i == 0 else 3,
    )
    outline(line, look.outline, stroke(theme, 1.75))
    data = {
        "auc": segments.auc,
        "counts": sample_counts(segments, pos_label),
        "vertices": [],
        "dot": look.colour,
    }
    if thresholds:
        at = segments.hull_vertices[1:-1]
        columns = (segments.fpr[at], segments.tpr[at], segments.thresholds[at])
        data["vertices"] = list(zip(*(column.tolist() for column in columns), strict=True))
    text = f"{who}, AUC {rate(segments.auc)}"
    note(line, "curve", text=text, colour=theme.colour("text"), data=data)
    return line


def _hull(ax: Axes, segments: RankedSegments, who: str, theme: Theme) -> Line2D:
    hull = segments.hull()
    (line,) = ax.plot(
        hull.fpr,
        hull.tpr,
        color=theme.colour("hull"),
        linestyle=(0, (4, 2)),
        linewidth=stroke(theme, 0.85),
        marker="o",
        markersize=stroke(theme, 2.3),
        markeredgewidth=0,
        markevery=_apart(ax, hull.fpr, hull.tpr, stroke(theme, 4.0)),
        clip_on=False,
        label=f"convex hull (AUC = {hull.auc:0.2f})",
        zorder=4,
    )
    text = f"convex hull, AUC {rate(hull.auc)}"
    note(line, "hull", text=text, colour=theme.colour("hull-text"), data=who)
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


def _isometric(ax: Axes, curve: tuple[Any, Any], thing: str, theme: Theme) -> Line2D:
    (line,) = ax.plot(
        *curve,
        color=theme.colour(thing),
        linewidth=stroke(theme, 0.7),
        linestyle="-" if thing == "optimum" else (0, (5, 2)),
        label="_isometric",
        zorder=2.5,
    )
    note(line, "isometric", touch=0.6)
    return line


def _point(ax: Axes, table: ConfusionTable, thing: str, theme: Theme) -> Line2D:
    ring = thing == "optimum"
    (point,) = ax.plot(
        [table.fpr],
        [table.tpr],
        marker="o",
        linestyle="none",
        markersize=handle(theme, 0.8 if ring else 1.0),
        markerfacecolor="none" if ring else theme.colour(thing),
        markeredgecolor=theme.colour(thing) if ring else theme.colour("paper"),
        markeredgewidth=stroke(theme, 1.3 if ring else 1.0),
        clip_on=False,
        label=f"_{thing}",
        zorder=5.5 if ring else 5,
    )
    note(point, thing, touch=1.0)
    return point


# ---------------------------------------------------------------------- labels


def label_roc(ax: Axes, *, theme: Theme | str | None = None) -> None:
    """Write the labels of everything :func:`draw_roc` put on the axes, where there is room.

    Labels already there are written anew, so that those of all models fit together.
    """
    theme = resolve_theme(theme)
    erase(ax, "label")
    settle(ax)
    scale = type_scale(ax, theme)
    taken = in_the_way(ax)
    for ring, found in drawn(ax, "optimum"):
        taken = _label_optimum(ax, ring, found, taken, scale, theme)
    marked = [tuple(ring.get_xydata()[0]) for ring, _ in drawn(ax, "optimum")]
    for _, found in drawn(ax, "curve"):
        points = [point for point in found.data["vertices"] if point[:2] not in marked]
        taken = _label_thresholds(ax, points, taken, scale, theme)
    _label_block(ax, taken, scale, theme)


def _text(ax: Axes, text: str, theme: Theme, **looks: Any) -> Text:
    made = add_text(ax, text, theme, **looks)
    note(made, "label")
    return made


def _label_optimum(
    ax: Axes, ring: Line2D, found: Note, taken: Obstacles, scale: float, theme: Theme
) -> Obstacles:
    colour = found.colour
    text = _text(
        ax, found.text, theme, color=colour, fontweight="bold", fontsize=font(theme, 0.95 * scale)
    )
    text.set_multialignment("left")
    anchor = float(ring.get_xdata()[0]), float(ring.get_ydata()[0])
    below = (-30, -45, -15, -60, -75, 0, -90)
    above = (150, 135, 165, 120, 105, 180, 90, 75, 60, 45, 30, 15)
    angles = below + above if anchor[1] >= anchor[0] else above + below
    taken, _ = place_near(
        ax, text, anchor, taken, reach=(2.0, 3.0, 4.0, 5.5, 7.0, 9.0, 12.0, 16.0), angles=angles
    )
    x0, y0, x1, y1 = text_box(text)
    em = font(theme) * ax.figure.dpi / 72
    here = ax.transData.transform(anchor)
    there = np.array([np.clip(here[0], x0, x1), np.clip(here[1], y0, y1)])
    way = there - here
    gap = float(np.hypot(*way))
    start = here + way / gap * handle(theme, 0.45) * ax.figure.dpi / 72
    if gap > 1.2 * em:
        (xs, xe), (ys, ye) = ax.transData.inverted().transform(np.vstack((start, there))).T
        (line,) = ax.plot(
            [xs, xe], [ys, ye], color=colour, linewidth=stroke(theme, 0.4), zorder=2.4
        )
        line.set_label("_leader")
        note(line, "label", touch=0.6)
    return taken


def _label_thresholds(
    ax: Axes, points: list[tuple[float, float, float]], taken: Obstacles, scale: float, theme: Theme
) -> Obstacles:
    """Write up to seven thresholds, each where it touches nothing, far apart first.

    A point is (fpr, tpr, threshold).
    """
    if not points:
        return taken
    xy = ax.transData.transform([point[:2] for point in points])
    em = font(theme) * ax.figure.dpi / 72
    left = list(range(len(xy)))
    chosen: list[int] = []
    while left and len(chosen) < 7:
        middle = np.array([[ax.bbox.x0, ax.bbox.y0], [ax.bbox.x1, ax.bbox.y1]])
        others = np.vstack((middle, xy[chosen]))
        gap = np.hypot(*(xy[left][:, None] - others[None]).transpose(2, 0, 1)).min(axis=1)
        k = int(gap.argmax())
        if gap[k] < 1.8 * em:
            break
        best = left.pop(k)
        text = _text(
            ax,
            f"≥ {score_text(points[best][2])}",
            theme,
            color=theme.colour("hull-text"),
            fontsize=font(theme, 0.8 * scale),
        )
        widened, cost = place_near(ax, text, points[best][:2], taken, reach=(0.7, 1.1))
        if cost >= 1:
            text.remove()
            continue
        chosen.append(best)
        taken = widened
    return taken


def _label_block(ax: Axes, taken: Obstacles, scale: float, theme: Theme) -> None:
    curves = list(drawn(ax, "curve"))
    several = len(curves) > 1
    tallies = {found.data["counts"] for _, found in curves}
    bold = {"fontweight": "bold", "fontsize": font(theme, scale)}
    small = {"fontsize": font(theme, 0.85 * scale), "color": theme.colour("muted")}
    names = []
    for _, found in curves:
        own = f", {found.data['counts']}" if len(tallies) > 1 else ""
        names.append(_text(ax, found.text + own, theme, color=found.colour, **bold))
    rest = []
    for _, found in drawn(ax, "hull"):
        whose = f"convex hull of {found.data}" if several else "convex hull"
        words = found.text.replace("convex hull", whose)
        rest.append(_text(ax, words, theme, color=found.colour, **bold))
    for _, found in drawn(ax, "band"):
        words = f"{found.text} ({found.data})" if several else found.text
        rest.append(_text(ax, words, theme, **small))
    if len(tallies) == 1:
        rest.append(_text(ax, next(iter(tallies)), theme, **small))
    mean_auc = np.mean([found.data["auc"] for _, found in curves])
    place_texts(ax, names + rest, taken, (0.73, 0.27) if mean_auc >= 0.5 else (0.27, 0.73))
    if several:
        lead_to_curves(ax, names, curves, theme)
