"""Draw predicted against observed frequencies on given matplotlib axes, with the scores below.

Takes ranked segments of probabilities and draws them; computes no number that is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.colors import to_rgba
from numpy.typing import NDArray

from rocviz.core.calibration.calibration import hull_map
from rocviz.core.roc.binomial_interval import binomial_interval
from rocviz.core.roc.summary import ReliabilityPoints, reliability_points
from rocviz.displays.base.figure import strip_below
from rocviz.displays.base.labels import (
    Obstacles,
    add_text,
    in_the_way,
    lead_to_curves,
    place_texts,
    settle,
    text_box,
    type_scale,
)
from rocviz.displays.base.marks import diagonal
from rocviz.displays.base.registry import count, drawn, erase, note
from rocviz.displays.base.style import font, model_look, outline, resolve_theme, stroke, unit_axes
from rocviz.displays.roc.draw_scores import draw_score_strip

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection, PathCollection
    from matplotlib.lines import Line2D

    from rocviz.core.roc.segments import RankedSegments
    from rocviz.theme import Theme

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
    ax: Axes,
    segments: RankedSegments,
    *,
    name: str | None = None,
    by: str = "hull",
    interval: str | None = "wilson",
    confidence: float = 0.95,
    label: bool = True,
    theme: Theme | str | None = None,
) -> ReliabilityArtists:
    """Draw what a model says against what happens, beside models that are there already.

    Parameters
    ----------
    ax : matplotlib Axes
        Made square, from 0 to 1.
    segments : RankedSegments
        With ``score`` in [0, 1].
    name : str, optional
        Of the model, for its label.
    by : {"hull", "score"}, default="hull"
        One point per segment of the hull and its step function, or one per exact score.
    interval : {"wilson", "clopper-pearson", "jeffreys"} or None, default="wilson"
        Kind of binomial interval at each point.
    confidence : float, default=0.95
        Of the intervals.
    label : bool, default=True
        Write the labels now. ``False`` when more will be drawn: then
        :func:`label_reliability` once.
    theme : Theme or {"light", "dark", "lecture"}, optional

    Returns
    -------
    ReliabilityArtists
    """
    theme = resolve_theme(theme)
    unit_axes(ax, theme, "predicted probability", "observed frequency")
    settle(ax)
    i = count(ax, "curve")
    identity = None
    if not i:
        identity = diagonal(ax, theme, "_perfectly calibrated", "identity", width=0.7, touch=0.2)
    look = model_look(i, theme)
    thing = "hull" if by == "hull" else "ranking"
    colour = theme.colour(thing) if i == 0 else look.colour
    dots = reliability_points(segments, by)
    bars = None
    if interval is not None:
        bars = _intervals(ax, dots, interval, confidence, colour, theme)
    line = _line(ax, segments, dots, by, i, colour, theme)
    outline(line, look.outline, stroke(theme, 1.6))
    who = name if name is not None else (f"model {i + 1}" if i else None)
    parts = "hull segments" if by == "hull" else "exact scores"
    ink = theme.colour("hull-text" if thing == "hull" and i == 0 else "text")
    data = {"name": who, "parts": parts, "dot": colour}
    note(line, "curve", colour=ink, touch=1.0 if by == "hull" else 0.0, data=data)
    side = ax.get_window_extent().width / ax.figure.dpi * 72
    points = ax.scatter(
        dots.predicted,
        dots.observed,
        s=np.maximum(_AREA * side**2 * dots.n / dots.n.sum() * 4 / np.pi, stroke(theme, 1.8) ** 2),
        facecolor=[_see_through(colour)],
        edgecolor=colour if look.outline is None else look.outline,
        linewidth=stroke(theme, 0.45),
        clip_on=False,
        zorder=4,
        label="_points",
    )
    note(points, "bubbles")
    if label:
        label_reliability(ax, theme=theme)
    return ReliabilityArtists(line, points, bars, identity)


def _see_through(colour: str) -> tuple[float, ...]:
    return to_rgba(colour, 0.4)


def _intervals(
    ax: Axes, dots: ReliabilityPoints, method: str, confidence: float, colour: str, theme: Theme
) -> LineCollection:
    lower, upper = binomial_interval(dots.pos, dots.n, confidence=confidence, method=method)
    bars = ax.vlines(
        dots.predicted,
        lower,
        upper,
        color=colour,
        alpha=0.45,
        linewidth=stroke(theme, 0.5),
        zorder=2,
        label="_intervals",
    )
    text = f"{100 * confidence:g} % intervals, {method.title()}"
    note(bars, "intervals", text=text, touch=0.25)
    return bars


def _line(
    ax: Axes,
    segments: RankedSegments,
    dots: ReliabilityPoints,
    by: str,
    i: int,
    colour: str,
    theme: Theme,
) -> Line2D:
    if by == "hull":
        step = hull_map(segments)
        edges = np.clip(step.low[::-1], 0.0, 1.0)
        level = step.probability[::-1]
        x = np.concatenate(([0.0], np.repeat(edges[1:], 2), [1.0]))
        y = np.repeat(level, 2)
    else:
        x, y = dots.predicted, dots.observed
    dash = (0, (4, 2)) if i == 0 else model_look(i, theme).dash
    (line,) = ax.plot(
        x,
        y,
        color=colour,
        linestyle=dash if by == "hull" else "none",
        linewidth=stroke(theme, 0.8),
        clip_on=False,
        label="_observed frequency",
        zorder=3,
    )
    return line


# ---------------------------------------------------------------------- labels


def label_reliability(ax: Axes, *, theme: Theme | str | None = None) -> None:
    """Write the labels of everything :func:`draw_reliability` put on the axes."""
    theme = resolve_theme(theme)
    erase(ax, "label")
    settle(ax)
    scale = type_scale(ax, theme)
    taken = in_the_way(ax)
    curves = list(drawn(ax, "curve"))
    bold = {"fontweight": "bold", "fontsize": font(theme, scale)}
    small = {"fontsize": font(theme, 0.85 * scale), "color": theme.colour("muted")}
    texts = []
    several = len(curves) > 1
    for _, found in curves:
        words = found.data["name"]
        if words is None:
            words = "model 1" if several else found.data["parts"]
        texts.append(add_text(ax, words, theme, color=found.colour, **bold))
    names = list(texts)
    parts = " and ".join(dict.fromkeys(found.data["parts"] for _, found in curves))
    named = several or curves[0][1].data["name"] is not None
    words = f"{parts}, area = samples" if named else "area = samples"
    texts.append(add_text(ax, words, theme, **small))
    kinds = dict.fromkeys(found.text for _, found in drawn(ax, "intervals"))
    texts += [add_text(ax, words, theme, **small) for words in kinds]
    along = _along_identity(ax, taken, small, theme)
    if along is None:
        texts.append(add_text(ax, "dotted: perfectly calibrated", theme, **small))
    else:
        taken = along
    for text in texts:
        note(text, "label")
    place_texts(ax, texts, taken, (0.7, 0.2))
    if several:
        lead_to_curves(ax, names, curves, theme)


def _along_identity(
    ax: Axes, taken: Obstacles, looks: dict[str, Any], theme: Theme
) -> Obstacles | None:
    """Write along the diagonal where that is free; return what is taken then, or ``None``."""
    text = add_text(ax, "perfectly calibrated", theme, rotation=45, **looks)
    text.set(ha="center", va="center", rotation_mode="anchor")
    em = text.get_fontsize() * ax.figure.dpi / 72
    inside = ax.get_window_extent()
    start, end = ax.transData.transform([(0, 0), (1, 1)])
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
                x, y = ax.transAxes.inverted().transform(middle)
                text.set(x=x, y=y)
                note(text, "label")
                for box in small:
                    taken = taken.with_box(box)
                return taken
    text.remove()
    return None


# ---------------------------------------------------------------------- scores below


def draw_strip(
    ax: Axes,
    segments: RankedSegments,
    *,
    name: str | None = None,
    pos_label: Any = None,
    theme: Theme | str | None = None,
) -> Axes:
    """Draw the scores under a reliability diagram, below those of models already there.

    Parameters
    ----------
    ax : matplotlib Axes
        Of the diagram; it gives up some height.
    segments : RankedSegments
    name : str, optional
        Of the model.
    pos_label : label, optional
        If it is a string, the positives are called by it.
    theme : Theme or {"light", "dark", "lecture"}, optional

    Returns
    -------
    matplotlib Axes
        Of the strip.
    """
    theme = resolve_theme(theme)
    strip = strip_below(ax, theme)
    draw_score_strip(strip, segments, name=name, pos_label=pos_label, theme=theme)
    strip.set_xlabel("predicted probability")
    for above in [ax, *ax.child_axes[:-1]]:
        above.set_xlabel("")
        above.tick_params(labelbottom=False)
    return strip
