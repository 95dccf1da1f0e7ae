"""Draw decisions on given axes: who is called positive, and where each metric cuts.

Takes decisions that were computed and draws them; computes no number that is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from rocviz.displays.base.figure import figure_scale, panels
from rocviz.displays.base.labels import (
    Obstacles,
    add_text,
    in_the_way,
    place_texts,
    settle,
    text_box,
    type_scale,
)
from rocviz.displays.base.registry import note
from rocviz.displays.base.style import (
    font,
    handle,
    resolve_theme,
    stroke,
    style_axes,
    tint,
    unit_ticks,
)
from rocviz.displays.decisions.draw_utilities import POINTS, TICKS, value_text
from rocviz.words import amount, rate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from rocviz.core.decisions.decision import Decision
    from rocviz.theme import Theme

Floats = NDArray[np.float64]

_ROW = 2.0  # height of a metric's row in lines of text


def three_panels(theme: Theme, n_metrics: int) -> list[Axes]:
    """Return two axes side by side and a low one below, for rows, on a new pyplot figure."""
    scale, em = figure_scale(theme), font(theme) / 72
    heading, names, gap = 2.6 * em, 3.8 * em, 6.4 * em
    width, above, below = 11.2 * scale, 4.4 * scale, _ROW * n_metrics * em
    return panels(
        theme,
        "AB;CC",
        width,
        heading + above + names + heading + below + names,
        top=2.6,
        ratios=(None, (above, below)),
        hspace=2 * (names + heading) / (above + below),
        wspace=2 * gap / (width - 6.0 * em - gap),
    )


# ---------------------------------------------------------------------- probabilities


def draw_probabilities(
    ax: Axes,
    decision: Decision,
    *,
    name: str = "",
    k: int | None = None,
    threshold: str = "threshold",
    theme: Theme | str | None = None,
) -> Any:
    """Draw the probabilities in decreasing order, and where they are cut.

    Parameters
    ----------
    ax : matplotlib Axes
    decision : Decision
    name : str, default=""
        Of the metric, for the label of the cut.
    k : int, optional
        How many are called positive; by default the best number.
    threshold : str, default="threshold"
        What the lowest probability that is called positive is called.
    theme : Theme or {"light", "dark", "lecture"}, optional

    Returns
    -------
    tuple of StepPatch
        Those called positive, those called negative; ``None`` for what is empty.
    """
    theme = resolve_theme(theme)
    style_axes(ax, theme)
    n, cut = decision.n_samples, decision.k_star if k is None else k
    eta = decision.y_prob[decision.order]
    ax.set(xlim=(0, n), ylim=(0, 1.02), ylabel="probability of a positive")
    ax.set_xlabel(f"{amount(n)} sample{'s' if n > 1 else ''}, the most probable first")
    unit_ticks(ax.yaxis)
    ax.xaxis.set_major_locator(MaxNLocator(**TICKS))
    half = ax.axhline(
        0.5,
        color=theme.colour("reference"),
        linestyle=(0, (1, 2)),
        linewidth=stroke(theme, 0.7),
        zorder=2.6,
        label="_half",
    )
    note(half, "guide", touch=0.3)
    parts = [
        _part(ax, eta, first, last, thing, theme)
        for first, last, thing in ((0, cut, "positive"), (cut, n, "negative"))
    ]
    (line,) = ax.plot(
        [cut, cut],
        [0, 1.02],
        color=theme.colour("optimum" if k is None else "held"),
        linewidth=stroke(theme),
        clip_on=False,
        zorder=4,
        label="_cut",
    )
    note(line, "cut")
    _label_probabilities(ax, decision, cut, name, threshold, theme)
    return tuple(parts)


def _part(ax: Axes, eta: Floats, first: int, last: int, thing: str, theme: Theme) -> Any:
    """Draw one side of the cut as columns, each for one sample or, of very many, for a few."""
    if first == last:
        return None
    edges = np.unique(np.linspace(first, last, min(last - first, POINTS) + 1).round().astype(int))
    height = np.add.reduceat(eta[first:last], edges[:-1] - first) / np.diff(edges)
    columns = ax.stairs(
        height,
        edges,
        fill=True,
        facecolor=tint(thing, theme, 0.75),
        linewidth=0,
        zorder=2,
        label=f"_{thing}",
    )
    top = np.column_stack((edges.repeat(2)[1:-1], height.repeat(2)))
    (rim,) = ax.plot(*top.T, linewidth=0, label="_rim")
    note(rim, "rim", touch=0.8)
    return columns


def _label_probabilities(
    ax: Axes, decision: Decision, cut: int, name: str, lowest: str, theme: Theme
) -> Obstacles:
    settle(ax)
    n = decision.n_samples
    size = font(theme, type_scale(ax, theme))
    eta = decision.y_prob[decision.order]
    threshold = f"{lowest} {rate(eta[cut - 1])}" if cut else "nothing is called positive"
    texts = [
        add_text(ax, words, theme, color=theme.colour(ink), fontsize=size, fontweight=weight)
        for words, ink, weight in (
            (f"best for {name}" if name else "", "optimum-text", "bold"),
            (f"{amount(cut)} called positive", "positive-text", "bold"),
            (f"{amount(n - cut)} called negative", "negative-text", "bold"),
            (threshold, "text", "normal"),
        )
        if words
    ]
    for text in texts:
        note(text, "label")
    taken = in_the_way(ax)
    taken = place_texts(ax, texts, taken, (0.8, 0.85))
    said = add_text(
        ax,
        "one half",
        theme,
        x=0.99,
        y=0.5,
        ha="right",
        va="bottom",
        transform=ax.get_yaxis_transform(),
        color=theme.colour("muted"),
        fontsize=0.85 * size,
    )
    box = text_box(said)
    if taken.cost(box, 0.0, ax.get_window_extent()) > 3:
        said.remove()
    else:
        note(said, "label")
    return taken


# ---------------------------------------------------------------------- thresholds


def draw_thresholds(
    ax: Axes, decisions: Mapping[str, Decision], *, theme: Theme | str | None = None
) -> dict[str, Line2D]:
    """Draw for each metric which probabilities are called positive, one row each.

    Parameters
    ----------
    ax : matplotlib Axes
    decisions : mapping of str to Decision
        By the name of the metric; for the same probabilities.
    theme : Theme or {"light", "dark", "lecture"}, optional

    Returns
    -------
    dict of str to Line2D
        The mark at each threshold.
    """
    theme = resolve_theme(theme)
    style_axes(ax, theme)
    ax.set(ylim=(len(decisions) - 0.4, -0.6))
    unit_ticks(ax.xaxis)
    ax.set_yticks([])
    ax.spines["left"].set_visible(False)
    ax.spines["bottom"].set_bounds(0, 1)
    _say_thresholds(ax, decisions, theme)
    made = {}
    for row, (name, decision) in enumerate(decisions.items()):
        at = min(decision.threshold, 1.0)
        for ends, thing in (((0.0, at), "negative"), ((at, 1.0), "positive")):
            if decision.k_star or thing == "negative":
                ax.plot(
                    ends,
                    [row, row],
                    color=tint(thing, theme, 0.75),
                    linewidth=stroke(theme, 2),
                    solid_capstyle="butt",
                    zorder=2,
                    label=f"_{thing}",
                )
        (made[name],) = ax.plot(
            [at],
            [row],
            marker="o" if decision.k_star else "x",
            linestyle="none",
            markersize=handle(theme, 0.62),
            markerfacecolor=theme.colour("paper"),
            markeredgecolor=theme.colour("optimum"),
            markeredgewidth=stroke(theme),
            clip_on=False,
            zorder=4,
            label=f"_threshold {name}",
        )
    return made


def _say_thresholds(ax: Axes, decisions: Mapping[str, Decision], theme: Theme) -> None:
    """Write behind each row what it shows; probabilities get the width that is left."""
    settle(ax)
    box = ax.get_window_extent()
    size = font(theme, float(np.clip(box.width / ax.figure.dpi * 72 / font(theme) / 40, 0.6, 1)))
    x0 = 1.0
    texts = []
    for row, (name, decision) in enumerate(decisions.items()):
        cut = "none"
        if decision.k_star:
            cut = f"from {rate(decision.threshold)}, {amount(decision.k_star)}"
        said = f": {cut} positive, expected {value_text(decision.utility)}"
        look = {"va": "center_baseline", "color": theme.colour("text"), "fontsize": size}
        first = ax.text(x0, row, name, fontweight="bold", **look)
        rest = ax.annotate(said, (1, 0), xycoords=first, **{**look, "va": "bottom"})
        texts.append((first, rest))
    wide = max(
        first.get_window_extent().width + rest.get_window_extent().width for first, rest in texts
    )
    em = size * ax.figure.dpi / 72
    share = min((wide + 1.5 * em) / box.width, 0.7)
    ax.set_xlim(0, 1 / (1 - share))
    ax.set_xlabel("probability of a positive", x=(1 - share) / 2)
    for first, _ in texts:
        first.set_x(1 + 1.2 * em / (box.width * (1 - share)))
