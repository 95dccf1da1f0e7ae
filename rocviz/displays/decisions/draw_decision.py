"""Draw decisions: who is called positive, and where each metric cuts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from rocviz.core.decisions.decision import Decision
from rocviz.displays.base.figure import figure_scale, panels
from rocviz.displays.base.labels import Row, legend, place_if_free
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.style import font, unit_ticks
from rocviz.displays.decisions.draw_utilities import POINTS, TICKS
from rocviz.theme import Theme
from rocviz.words import amount, number

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


def draw_probabilities(pen: Pen, decision: Decision, *, name: str = "") -> Any:
    """Draw the probabilities in decreasing order, and where they are cut for the metric of a name.

    Returns the steps of those called positive and negative; ``None`` for what is empty.
    """
    pen.frame()
    n, cut = decision.n_samples, decision.n_predicted_positive
    prob = decision.y_prob[decision.order]
    pen.ax.set(xlim=(0, n), ylim=(0, 1.02), ylabel="probability of a positive")
    pen.ax.set_xlabel(f"{amount(n)} sample{'s' if n > 1 else ''}, the most probable first")
    unit_ticks(pen.ax.yaxis)
    pen.ax.xaxis.set_major_locator(MaxNLocator(**TICKS))
    pen.level(0.5, "reference", 0.7, (0, (1, 2)), zorder=2.6, label="_half", role="guide")
    parts = [
        _part(pen, prob, first, last, thing)
        for first, last, thing in ((0, cut, "positive"), (cut, n, "negative"))
    ]
    looks = {"label": "_cut", "clip_on": False, "zorder": 4}
    line = pen.line([cut, cut], [0, 1.02], "optimum", 1.0, **looks)
    lowest = f"threshold {number(prob[cut - 1])}" if cut else "nothing is called positive"
    rows = [
        Row(f"best for {name}:\n{lowest}" if name else lowest, line, "optimum-text"),
        Row(f"{amount(cut)} called positive", parts[0], "positive-text"),
        Row(f"{amount(n - cut)} called negative", parts[1], "negative-text"),
    ]
    taken = legend(pen, rows, (0.8, 0.85))
    looks = {"x": 0.99, "y": 0.5, "ha": "right", "va": "bottom"}
    looks["transform"] = pen.ax.get_yaxis_transform()
    place_if_free(pen.text("one half", "muted", 0.85 * pen.scale, **looks), taken)
    return tuple(parts)


def _part(pen: Pen, prob: Floats, first: int, last: int, thing: str) -> Any:
    """Draw one side of the cut as columns, each for one sample or, of very many, for a few."""
    if first == last:
        return None
    edges = np.unique(np.linspace(first, last, min(last - first, POINTS) + 1).round().astype(int))
    height = np.add.reduceat(prob[first:last], edges[:-1] - first) / np.diff(edges)
    looks = {"facecolor": pen.tint(thing, 0.75), "linewidth": 0, "zorder": 2}
    columns = pen.ax.stairs(height, edges, fill=True, label=f"_{thing}", **looks)
    some = np.linspace(0, len(height) - 1, min(len(height), 60)).astype(int)
    comb = np.column_stack((edges[some].repeat(3), np.outer(height[some], [0, 1, 0]).ravel()))
    pen.line(comb[:, 0], comb[:, 1], thing, 0, label="_columns", role="columns", touch=0.3)
    return columns


# ---------------------------------------------------------------------- thresholds


def draw_thresholds(pen: Pen, decisions: Mapping[str, Decision]) -> dict[str, Line2D]:
    """Draw for each metric which probabilities are called positive, one row each.

    All decide on the same probabilities. Returns the mark at each threshold.
    """
    pen.frame()
    pen.ax.set(ylim=(len(decisions) - 0.4, -0.6))
    unit_ticks(pen.ax.xaxis)
    pen.ax.set_yticks([])
    pen.ax.spines["left"].set_visible(False)
    pen.ax.spines["bottom"].set_bounds(0, 1)
    _label_thresholds(pen, decisions)
    made = {}
    for row, (name, decision) in enumerate(decisions.items()):
        at = min(decision.threshold, 1.0)
        for ends, thing in (((0.0, at), "negative"), ((at, 1.0), "positive")):
            if decision.n_predicted_positive or thing == "negative":
                looks = {"solid_capstyle": "butt", "label": f"_{thing}", "zorder": 2}
                pen.line(ends, [row, row], pen.tint(thing, 0.75), 2, **looks)
        looks = {"marker": "o" if decision.n_predicted_positive else "x", "zorder": 4}
        looks["label"] = f"_threshold {name}"
        made[name] = pen.dots([at], [row], "paper", 0.62, "optimum", 1.0, **looks)
    return made


def _label_thresholds(pen: Pen, decisions: Mapping[str, Decision]) -> None:
    """Write behind each row what it shows; probabilities get the width that is left."""
    pen.settle()
    wide = pen.ax.get_window_extent().width
    scale = float(np.clip(pen.size[0] / pen.font() / 40, 0.6, 1))
    x0 = 1.0
    texts = []
    for row, (name, decision) in enumerate(decisions.items()):
        cut = "none"
        if decision.n_predicted_positive:
            cut = f"from {number(decision.threshold)}, {amount(decision.n_predicted_positive)}"
        caption = f": {cut} positive, expected {number(decision.utility)}"
        look: dict[str, Any] = {"va": "center_baseline", "color": pen.colour("text")}
        look |= {"fontsize": pen.font(scale), "parse_math": False}
        first = pen.ax.text(x0, row, name, fontweight="bold", **look)
        rest = pen.ax.annotate(caption, (1, 0), xycoords=first, **{**look, "va": "bottom"})
        texts.append((first, rest))
    most = max(sum(text.get_window_extent().width for text in both) for both in texts)
    em = scale * pen.em
    share = min((most + 1.5 * em) / wide, 0.7)
    pen.ax.set_xlim(0, 1 / (1 - share))
    pen.ax.set_xlabel("probability of a positive", x=(1 - share) / 2)
    for first, _ in texts:
        first.set_x(1 + 1.2 * em / (wide * (1 - share)))
