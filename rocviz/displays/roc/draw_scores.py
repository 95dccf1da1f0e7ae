"""Draw how the scores of both classes are spread: side by side, or as a strip under a diagram.

Takes ranked segments; counts them into bins and draws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.roc.summary import score_histogram
from rocviz.displays.base.labels import add_text, settle, type_scale
from rocviz.displays.base.registry import note
from rocviz.displays.base.style import font, handle, resolve_theme, stroke, style_axes, unit_ticks
from rocviz.words import amount, score_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocviz.core.roc.segments import RankedSegments
    from rocviz.theme import Theme

Floats = NDArray[np.float64]


def draw_scores(
    ax: Axes,
    segments: RankedSegments,
    *,
    threshold: float | None = None,
    bins: int = 30,
    share: bool = False,
    theme: Theme | str | None = None,
) -> dict[str, Any]:
    """Draw the scores of positives and negatives over each other, with a threshold.

    Parameters
    ----------
    ax : matplotlib Axes
    segments : RankedSegments
    threshold : float, optional
        Drawn as a line with its value; at the border if it is beyond all scores.
    bins : int, default=30
    share : bool, default=False
        Draw what share of its class each bar is, for classes of very different size.
    theme : Theme or {"light", "dark", "lecture"}, optional

    Returns
    -------
    dict
        Artists: ``"positive"`` and ``"negative"`` bars, and ``"threshold"`` (line or None).
    """
    theme = resolve_theme(theme)
    style_axes(ax, theme)
    counted = score_histogram(segments, bins)
    edges, pos, neg = counted.edges, counted.pos, counted.neg
    if share:
        pos, neg = pos / segments.n_pos, neg / segments.n_neg
    width = np.diff(edges)
    made: dict[str, Any] = {"threshold": None}
    top = float(max(pos.max(), neg.max()))
    for thing, height in (("negative", neg), ("positive", pos)):
        made[thing] = ax.bar(
            edges[:-1],
            height,
            width * 0.94,
            align="edge",
            color=theme.colour(thing),
            alpha=0.7 if theme.dark else 0.55,
            linewidth=0,
            zorder=2,
            label=f"_{thing}s",
        )
    _score_axis(ax, edges)
    ax.set_ylim(0, top * 1.24)
    ax.set_ylabel("share of its class" if share else "samples")
    ax.set_xlabel("score")
    if threshold is not None:
        made["threshold"] = _threshold(ax, threshold, edges, top, theme)
    settle(ax)
    scale = type_scale(ax, theme)
    for thing, x, ha, n in (
        ("negative", 0.02, "left", segments.n_neg),
        ("positive", 0.98, "right", segments.n_pos),
    ):
        add_text(
            ax,
            f"{amount(n)} {thing}s",
            theme,
            x=x,
            y=0.975,
            ha=ha,
            va="top",
            color=theme.colour(f"{thing}-text"),
            fontweight="bold",
            fontsize=font(theme, scale),
        )
    return made


def _threshold(ax: Axes, threshold: float, edges: Floats, top: float, theme: Theme) -> Any:
    at = float(np.clip(threshold, edges[0], edges[-1]))
    (line,) = ax.plot(
        [at, at],
        [0, top * 1.08],
        color=theme.colour("held"),
        linewidth=stroke(theme),
        marker="o",
        markevery=[1],
        markersize=handle(theme, 0.8),
        markeredgecolor=theme.colour("paper"),
        markeredgewidth=stroke(theme, 0.8),
        clip_on=False,
        zorder=4,
        label="_threshold",
    )
    right = at < (edges[0] + edges[-1]) / 2
    words = {np.inf: "never", -np.inf: "always"}.get(threshold) or score_text(threshold)
    text = ax.annotate(
        words,
        (at, top * 1.08),
        xytext=(handle(theme, 0.6) * (1 if right else -1), 0),
        textcoords="offset points",
        ha="left" if right else "right",
        va="center",
        color=theme.colour("held-text"),
        fontsize=font(theme),
        fontweight="bold",
        zorder=8,
    )
    note(text, "threshold")
    return line


def _score_axis(ax: Axes, edges: Floats) -> None:
    ax.set_xlim(edges[0], edges[-1])
    if edges[0] == 0 and edges[-1] == 1:
        unit_ticks(ax.xaxis)


def draw_score_strip(
    ax: Axes,
    segments: RankedSegments,
    *,
    name: str | None = None,
    pos_label: Any = None,
    bins: int = 40,
    theme: Theme | str | None = None,
) -> dict[str, Any]:
    """Draw a low histogram: positives upward, negatives downward, each to its own scale.

    The highest bar of each class has its height at the axis, so that few positives among many
    negatives can be seen.

    Parameters
    ----------
    ax : matplotlib Axes
    segments : RankedSegments
    name : str, optional
        Of the model, written before the counts.
    pos_label : label, optional
        If it is a string, the positives are called by it.
    bins : int, default=40
    theme : Theme or {"light", "dark", "lecture"}, optional

    Returns
    -------
    dict
        The ``"positive"`` and ``"negative"`` bars; heights are shares of the highest.
    """
    theme = resolve_theme(theme)
    style_axes(ax, theme)
    ax.patch.set_visible(False)
    settle(ax)
    scale = type_scale(ax, theme)
    counted = score_histogram(segments, bins)
    edges, pos, neg = counted.edges, counted.pos, counted.neg
    width = np.diff(edges)
    made: dict[str, Any] = {}
    named = isinstance(pos_label, str)
    before = "" if name is None else f"{name}: "
    for thing, height, sign in (("positive", pos, 1), ("negative", neg, -1)):
        made[thing] = ax.bar(
            edges[:-1],
            sign * height / height.max(),
            width * 0.9,
            align="edge",
            color=theme.colour(thing),
            linewidth=0,
            zorder=2,
            label=f"_{thing}s",
        )
        n = segments.n_pos if sign > 0 else segments.n_neg
        called = {True: (pos_label, "others"), False: ("positives", "negatives")}[named]
        text = add_text(
            ax,
            f"{before if sign > 0 else ''}{amount(n)} {called[0] if sign > 0 else called[1]}",
            theme,
            transform=ax.get_yaxis_transform(),
            x=0.5,
            y=1.66 * sign,
            ha="center",
            va="top" if sign > 0 else "bottom",
            color=theme.colour(f"{thing}-text"),
            fontweight="bold",
            fontsize=font(theme, 0.9 * scale),
        )
        note(text, "label")
    ax.axhline(0, color=theme.colour("reference"), linewidth=stroke(theme, 0.4), zorder=3)
    _score_axis(ax, edges)
    ax.set_ylim(-1.85, 1.85)
    ax.set_yticks([-1, 1], [amount(float(neg.max())), amount(float(pos.max()))])
    ax.grid(False, axis="y")
    ax.spines["left"].set_visible(False)
    return made
