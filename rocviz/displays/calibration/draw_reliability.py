"""Draw predicted against observed frequencies on given matplotlib axes, with the scores below.

Takes ranked segments of probabilities and draws them; computes no number that is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from rocviz.core.calibration.calibration import fit_hull
from rocviz.core.roc.binomial_interval import binomial_interval
from rocviz.core.roc.segments import RankedSegments
from rocviz.core.roc.summary import ReliabilityPoints, reliability_points
from rocviz.displays.base.figure import strip_below
from rocviz.displays.base.labels import Obstacles, in_the_way, lead_to_curves, place_texts, text_box
from rocviz.displays.base.marks import diagonal
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.registry import count, drawn, erase, note
from rocviz.displays.base.style import outline
from rocviz.displays.roc.draw_scores import draw_score_strip

Floats = NDArray[np.float64]

_AREA = 0.014  # of the axes' area, what all bubbles of one model have together


@dataclass(frozen=True)
class ReliabilityArtists:
    """What :func:`draw_reliability` put on the axes; ``None`` for what was not asked for."""

    line: Line2D
    points: PathCollection
    intervals: LineCollection | None = None
    identity: Line2D | None = None


def draw_reliability(
    pen: Pen,
    segments: RankedSegments,
    *,
    name: str | None = None,
    by: str = "hull",
    interval: str | None = "wilson",
    confidence: float = 0.95,
) -> ReliabilityArtists:
    """Draw what a model says against what happens, beside models that are there already.

    The axes are square, from 0 to 1, and so are scores. Points and the step function are those of
    the hull's segments, or there is one point for each score, with a binomial interval or none.
    Labels are written by :func:`label_reliability`, once all is drawn.
    """
    pen.unit_frame("predicted probability", "observed frequency")
    pen.settle()
    i = count(pen.ax, "curve")
    identity = None
    if not i:
        identity = diagonal(pen, "_perfectly calibrated", "identity", width=0.7, touch=0.2)
    look = pen.look(i)
    thing = "hull" if by == "hull" else "ranking"
    colour = pen.colour(thing) if i == 0 else look.colour
    dots = reliability_points(segments, by)
    bars = None
    if interval is not None:
        bars = _intervals(pen, dots, interval, confidence, colour)
    line = _line(pen, segments, dots, by, i, colour)
    outline(line, look.outline, pen.stroke(1.6))
    who = name if name is not None else (f"model {i + 1}" if i else None)
    scores = "exact scores" if segments.is_exact else "scores, some joined"
    parts = "hull segments" if by == "hull" else scores
    ink = pen.colour("hull-text" if thing == "hull" and i == 0 else "text")
    data = {"name": who, "parts": parts}
    note(line, "curve", colour=ink, touch=1.0 if by == "hull" else 0.0, data=data)
    points = pen.ax.scatter(
        dots.predicted,
        dots.observed,
        s=np.maximum(
            _AREA * pen.size[0] ** 2 * dots.n / dots.n.sum() * 4 / np.pi, pen.stroke(1.8) ** 2
        ),
        facecolor=[to_rgba(colour, 0.4)],
        edgecolor=colour if look.outline is None else look.outline,
        linewidth=pen.stroke(0.45),
        clip_on=False,
        zorder=4,
        label="_points",
    )
    note(points, "bubbles")
    return ReliabilityArtists(line, points, bars, identity)


def _intervals(
    pen: Pen, dots: ReliabilityPoints, method: str, confidence: float, colour: str
) -> LineCollection:
    lower, upper = binomial_interval(dots.pos, dots.n, confidence=confidence, method=method)
    bars = pen.ax.vlines(
        dots.predicted,
        lower,
        upper,
        color=colour,
        alpha=0.45,
        linewidth=pen.stroke(0.5),
        zorder=2,
        label="_intervals",
    )
    text = f"{100 * confidence:g} % intervals, {method.title()}"
    note(bars, "intervals", text=text, touch=0.25)
    return bars


def _line(
    pen: Pen, segments: RankedSegments, dots: ReliabilityPoints, by: str, i: int, colour: str
) -> Line2D:
    if by == "hull":
        step = fit_hull(segments)
        edges = np.clip(step.low[::-1], 0.0, 1.0)
        level = step.probability[::-1]
        x = np.concatenate(([0.0], np.repeat(edges[1:], 2), [1.0]))
        y = np.repeat(level, 2)
    else:
        x, y = dots.predicted, dots.observed
    dash = (0, (4, 2)) if i == 0 else pen.look(i).dash
    return pen.line(
        x,
        y,
        colour,
        0.8,
        dash if by == "hull" else "none",
        clip_on=False,
        label="_observed frequency",
        zorder=3,
    )


# ---------------------------------------------------------------------- labels


def label_reliability(pen: Pen) -> None:
    """Write the labels of everything :func:`draw_reliability` put on the axes."""
    erase(pen.ax, "label")
    pen.settle()
    scale = pen.scale
    taken = in_the_way(pen.ax)
    curves = list(drawn(pen.ax, "curve"))
    texts = []
    several = len(curves) > 1
    for _, found in curves:
        words = found.data["name"]
        if words is None:
            words = "model 1" if several else found.data["parts"]
        texts.append(pen.text(words, found.colour, scale, bold=True))
    names = list(texts)
    parts = " and ".join(dict.fromkeys(found.data["parts"] for _, found in curves))
    named = several or curves[0][1].data["name"] is not None
    words = f"{parts}, area = samples" if named else "area = samples"
    small = [words, *dict.fromkeys(found.text for _, found in drawn(pen.ax, "intervals"))]
    along = _along_identity(pen, taken, scale)
    if along is None:
        small.append("dotted: perfectly calibrated")
    else:
        taken = along
    texts += [pen.text(words, "muted", 0.85 * scale) for words in small]
    place_texts(texts, taken, (0.7, 0.2))
    if several:
        lead_to_curves(pen, names, curves)


def _along_identity(pen: Pen, taken: Obstacles, scale: float) -> Obstacles | None:
    """Write along the diagonal where that is free; return what is taken then, or ``None``."""
    looks = {"rotation": 45, "rotation_mode": "anchor", "ha": "center", "va": "center"}
    text = pen.text("perfectly calibrated", "muted", 0.85 * scale, **looks)
    em = 0.85 * scale * pen.em
    inside = pen.ax.get_window_extent()
    start, end = pen.ax.transData.transform([(0, 0), (1, 1)])
    across = np.array([-0.75, 0.75]) * em
    upright = text_box(text)
    half = (upright[2] - upright[0]) / 2 - 0.3 * em
    for share in (0.72, 0.66, 0.78, 0.6, 0.54, 0.48, 0.42, 0.36, 0.3, 0.24):
        for side in (1, -1):
            middle = start + share * (end - start) + side * across
            steps = np.linspace(-half, half, 12)[:, None] * np.array([1.0, 1.0])
            small = [
                np.concatenate((middle + s - em * 0.35, middle + s + em * 0.35)) for s in steps
            ]
            if sum(taken.cost(box, 0.0, inside) for box in small) < 0.3:
                x, y = pen.ax.transAxes.inverted().transform(middle)
                text.set(x=x, y=y)
                for box in small:
                    taken = taken.with_box(box)
                return taken
    text.remove()
    return None


# ---------------------------------------------------------------------- scores below


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
