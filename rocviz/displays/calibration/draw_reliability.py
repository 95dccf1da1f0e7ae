"""Draw predicted against observed frequencies, with the scores below."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D

from rocviz.core.calibration.calibration import fit_hull
from rocviz.core.roc.binomial_interval import binomial_interval
from rocviz.core.roc.segments import RankedSegments
from rocviz.core.roc.summary import reliability_points
from rocviz.displays.base.figure import strip_below
from rocviz.displays.base.labels import Row, legend
from rocviz.displays.base.marks import diagonal
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.registry import count, drawn, erase, note
from rocviz.displays.roc.draw_scores import draw_score_strip

_AREA = 0.014  # of the axes' area, what all bubbles of one model have together


class ReliabilityArtists(NamedTuple):
    """What :func:`draw_reliability` put on the axes; ``None`` for what was not asked for."""

    line: Line2D
    points: PathCollection
    intervals: LineCollection | None
    identity: Line2D | None


def draw_reliability(
    pen: Pen,
    segments: RankedSegments,
    *,
    name: str | None = None,
    by: str = "hull",
    interval: str | None = "wilson",
    confidence: float = 0.95,
    style: Mapping[str, Any] | None = None,
) -> ReliabilityArtists:
    """Draw what a model says against what happens, beside models that are there already.

    The axes are square, from 0 to 1, and so are scores. Points and the step function are those of
    the hull's segments, or there is one point for each score, with a binomial interval or none.
    Labels are written by :func:`label_reliability`, once all is drawn.
    """
    pen.unit_frame("predicted probability", "observed frequency")
    pen.settle()
    i = count(pen.ax, "curve")
    is_hull = by == "hull"
    identity = bars = None
    if not i:
        identity = diagonal(pen, "_perfectly calibrated", "identity", width=0.7, touch=0.2)
    look = pen.look(i, style)
    if is_hull and not i:
        look = replace(look, dash=(0, (4, 2)), colour=look.own.get("color", pen.colour("hull")))
    dots = reliability_points(segments, by)
    if interval is not None:
        ends = binomial_interval(dots.pos, dots.n, confidence=confidence, method=interval)
        looks = {"color": look.colour, "alpha": 0.45, "linewidth": pen.stroke(0.5), "zorder": 2}
        bars = pen.ax.vlines(dots.predicted, *ends, label="_intervals", **looks)
        text = f"{100 * confidence:g} % intervals, {interval.title()}"
        note(bars, "intervals", text=text, touch=0.25)
    x, y = _steps(segments) if is_hull else (dots.predicted, dots.observed)
    looks = {"label": "_observed frequency", "clip_on": False, "zorder": 3}
    line = pen.curve(x, y, look, width=0.8, dash=look.dash if is_hull else "none", **looks)
    scores = "exact scores" if segments.is_exact else "scores, some joined"
    parts = "hull segments" if is_hull else scores
    area = _AREA * pen.size[0] ** 2 * dots.n / dots.n.sum() * 4 / np.pi
    points = pen.ax.scatter(
        dots.predicted,
        dots.observed,
        s=np.maximum(area, pen.stroke(1.8) ** 2),
        facecolor=[to_rgba(look.colour, 0.4)],
        edgecolor=look.outline or look.colour,
        linewidth=pen.stroke(0.45),
        clip_on=False,
        zorder=4,
        label="_points",
    )
    note(points, "bubbles")
    who = look.own.get("label", name if name is not None else (f"model {i + 1}" if i else None))
    sample = Line2D([], [])
    sample.update_from(line)
    sample.set(
        marker="o",
        markersize=pen.handle(0.5),
        markerfacecolor=to_rgba(look.colour, 0.4),
        markeredgecolor=look.outline or look.colour,
    )
    data = {"name": who, "parts": parts, "sample": sample}
    note(line, "curve", touch=1.0 if is_hull else 0.0, data=data)
    return ReliabilityArtists(line, points, bars, identity)


def _steps(segments: RankedSegments) -> tuple[Any, Any]:
    """Return the corners of the step function that the hull fits."""
    step = fit_hull(segments)
    edges = np.clip(step.low[::-1], 0.0, 1.0)
    x = np.concatenate(([0.0], np.repeat(edges[1:], 2), [1.0]))
    return x, np.repeat(step.probability[::-1], 2)


def label_reliability(pen: Pen) -> None:
    """Say what :func:`draw_reliability` put on the axes."""
    erase(pen.ax, "label")
    curves = [found.data for _, found in drawn(pen.ax, "curve")]
    several = len(curves) > 1
    rows = [
        Row(one["name"] or ("model 1" if several else one["parts"]), one["sample"])
        for one in curves
    ]
    parts = " and ".join(dict.fromkeys(one["parts"] for one in curves))
    named = several or curves[0]["name"] is not None
    small = {f"{parts}, area = samples" if named else "area = samples": None}
    small |= {found.text: bars for bars, found in drawn(pen.ax, "intervals")}
    small["perfectly calibrated"] = next(drawn(pen.ax, "identity"))[0]
    rows += [Row(words, artist, "muted", bold=False) for words, artist in small.items()]
    legend(pen, rows, (0.7, 0.2))


def draw_strip(
    pen: Pen, segments: RankedSegments, *, name: str | None = None, pos_label: Any = None
) -> Axes:
    """Draw the scores under a diagram that gives up height, below those of models already there."""
    below = strip_below(pen)
    strip = below.ax
    draw_score_strip(below, segments, name=name, pos_label=pos_label)
    strip.set_xlabel("predicted probability")
    for above in [pen.ax, *pen.ax.child_axes[:-1]]:
        above.set_xlabel("")
        above.tick_params(labelbottom=False)
    return strip
