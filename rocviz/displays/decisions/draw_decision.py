"""Draw decisions: who is called positive, what every cut is worth, and where each metric cuts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from rocviz.core.base.validation import Floats
from rocviz.core.decisions.decision import Decision, plug_in_utilities
from rocviz.displays.base.figure import figure_scale, panels
from rocviz.displays.base.labels import Row, legend, place_if_free
from rocviz.displays.base.marks import column
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.style import font, unit_ticks
from rocviz.theme import Theme
from rocviz.words import amount, number

_ROW = 2.0  # height of a metric's row in lines of text
_POINTS = 1500  # of a curve; more than a picture has pixels
_TICKS = {"nbins": 5, "integer": True, "steps": [1, 2, 5, 10]}
_DASH = (0, (3, 2))
_LOOKS = (0, 1, 2, 4, 5, 3)  # of models, for metrics: the colour of positives comes last
_FEW = 30  # samples; only whole k have a meaning, which is shown where it can be seen


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
    pen.ax.xaxis.set_major_locator(MaxNLocator(**_TICKS))
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
    edges = np.unique(np.linspace(first, last, min(last - first, _POINTS) + 1).round().astype(int))
    height = np.add.reduceat(prob[first:last], edges[:-1] - first) / np.diff(edges)
    looks = {"facecolor": pen.tint(thing, 0.75), "linewidth": 0, "zorder": 2}
    columns = pen.ax.stairs(height, edges, fill=True, label=f"_{thing}", **looks)
    some = np.linspace(0, len(height) - 1, min(len(height), 60)).astype(int)
    comb = np.column_stack((edges[some].repeat(3), np.outer(height[some], [0, 1, 0]).ravel()))
    pen.line(comb[:, 0], comb[:, 1], thing, 0, label="_columns", role="columns", touch=0.3)
    return columns


# ---------------------------------------------------------------------- utilities


class UtilityArtists(NamedTuple):
    """What :func:`draw_utilities` drew for one metric; ``plug_in`` may be ``None``."""

    line: Line2D
    optimum: Line2D
    plug_in: Line2D | None


def draw_utilities(
    pen: Pen,
    decisions: Mapping[str, Decision],
    *,
    plug_in: bool = True,
    styles: Sequence[Mapping[str, Any]],
) -> dict[str, UtilityArtists]:
    """Draw the expected utility of every cut, its optimum, and what the plug-in rule takes it for.

    All decide on the same probabilities; the utilities of the plug-in rule are dashed.
    """
    pen.frame()
    n = next(iter(decisions.values())).n_samples
    made, rows = {}, []
    for i, ((name, decision), style) in enumerate(zip(decisions.items(), styles, strict=True)):
        look = pen.look(_LOOKS[i % len(_LOOKS)], style)
        made[name] = _curve(pen, name, decision, look, plug_in)
        best = f" {number(decision.utility)} at k = {amount(decision.n_predicted_positive)}"
        rows.append(Row(look.named(name) + best, made[name].line))
    heights = np.concatenate(
        [line.get_ydata() for one in made.values() for line in (one.line, one.plug_in) if line]
    )
    low, high = heights.min(), heights.max()
    scale = max(abs(low), abs(high), 1.0)
    room = 0.09 * (high - low if high - low > 1e-9 * scale else scale)
    low = 0 if 0 <= low < 0.5 * high else low - room
    pen.ax.set(xlim=(-0.02 * n, 1.02 * n), ylim=(low, high + room))
    pen.ax.xaxis.set_major_locator(MaxNLocator(**_TICKS))
    what = next(iter(decisions)) if len(decisions) == 1 else "utility"
    pen.ax.set_xlabel(f"called positive, k of {amount(n)}")
    pen.ax.set_ylabel(f"expected {what}", parse_math=False)
    if plug_in:
        dashed = next(iter(made.values())).plug_in
        seen = any(_differ(pen, one.line, one.plug_in) for one in made.values())
        words = "of the expected counts" + ("" if seen else ": looks the same")
        rows.append(Row(words, dashed, "muted", bold=False))
    legend(pen, rows, (0.6, 0.1))
    return made


def _curve(pen: Pen, name: str, decision: Decision, look: Any, plug_in: bool) -> UtilityArtists:
    n, best = decision.n_samples, decision.n_predicted_positive
    k = np.unique(np.append(np.linspace(0, n, min(n + 1, _POINTS)).round().astype(int), best))
    dashed = None
    if plug_in:
        utilities = plug_in_utilities(decision.y_prob, decision.metric)
        looks = {"role": "plug-in", "touch": 0.4, "label": f"_plug-in {name}", "zorder": 2.5}
        dashed = pen.line(k, utilities[k], look.outline or look.colour, 0.6, _DASH, **looks)
    looks = {"solid_joinstyle": "round", "markersize": pen.handle(0.3), "label": name}
    looks |= {"dash": "-", "marker": "o" if n <= _FEW else "", "role": "utilities", "zorder": 3}
    line = pen.curve(k, decision.utilities[k], look, **looks)
    looks = {"role": "optimum", "label": f"_optimum {name}", "zorder": 5}
    ring = pen.dots([best], [decision.utility], "paper", 0.62, "optimum", 1.0, **looks)
    return UtilityArtists(line, ring, dashed)


def _differ(pen: Pen, line: Line2D, other: Line2D) -> bool:
    """Return whether one can see that two curves over the same k are two."""
    (x, y), (_, behind) = (pen.ax.transData.transform(one.get_xydata()).T for one in (line, other))
    return width_between(x, y, behind) * 72 / pen.ax.figure.dpi > pen.stroke()


def width_between(x: Floats, y: Floats, other: Floats) -> float:
    """Return how far apart two curves over the same x get, across their direction."""
    return float((np.abs(y - other) / np.hypot(1.0, np.gradient(y, x))).max())


# ---------------------------------------------------------------------- thresholds


def draw_thresholds(pen: Pen, decisions: Mapping[str, Decision]) -> dict[str, Line2D]:
    """Draw for each metric which probabilities are called positive, one row each.

    All decide on the same probabilities. Returns the mark at each threshold.
    """
    pen.frame()
    pen.ax.set(ylim=(len(decisions) - 0.4, -0.6), yticks=[])
    unit_ticks(pen.ax.xaxis)
    pen.ax.spines["left"].set_visible(False)
    pen.ax.spines["bottom"].set_bounds(0, 1)
    made, said = {}, []
    for row, (name, decision) in enumerate(decisions.items()):
        at, count = min(decision.threshold, 1.0), decision.n_predicted_positive
        for ends, thing in (((0.0, at), "negative"), ((at, 1.0), "positive")):
            if count or thing == "negative":
                looks = {"solid_capstyle": "butt", "label": f"_{thing}", "zorder": 2}
                pen.line(ends, [row, row], pen.tint(thing, 0.75), 2, **looks)
        looks = {"marker": "o" if count else "x", "label": f"_threshold {name}", "zorder": 4}
        made[name] = pen.dots([at], [row], "paper", 0.62, "optimum", 1.0, **looks)
        cut = f"from {number(decision.threshold)}, {amount(count)}" if count else "none"
        said.append(f"{name}: {cut} positive, expected {number(decision.utility)}")
    scale = float(np.clip(pen.size[0] / pen.font() / 40, 0.6, 1))
    column(pen, range(len(said)), said, 0.0, 1.0, scale)
    pen.ax.set_xlabel("probability of a positive", x=0.5 / pen.ax.get_xlim()[1])
    return made
