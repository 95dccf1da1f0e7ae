"""Draw a comparison of classifiers: AUCs, differences of pairs, and the hull over all.

Takes results and draws them; computes no number that is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from rocviz.core.comparison.comparison import ClassifierComparison
from rocviz.core.comparison.model_hull import ModelHull
from rocviz.core.curve_spaces.space_curve import space_curve
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.style import outline
from rocviz.displays.curve_spaces.draw_curve_space import draw_curve_space
from rocviz.words import difference, number, p_value, percent, short_names

_ROW = 2.3  # height of a row in lines of text
_LONGEST = 20  # letters of a name


def rows_height(n_rows: int) -> float:
    """Return the height of a figure of so many rows, in lines of text."""
    return _ROW * n_rows + 7.5


def draw_aucs(pen: Pen, found: ClassifierComparison) -> list[Line2D]:
    """Draw a row for each model, best first: its AUC, the interval, and both as numbers."""
    order = np.argsort(found.rank, kind="stable")
    rows = [(found.auc[i], found.auc_low[i], found.auc_high[i]) for i in order]
    words = [f"{number(auc)}  [{number(low)}, {number(high)}]" for auc, low, high in rows]
    looks = [pen.look(int(i)) for i in order]
    short = short_names(found.names, _LONGEST)
    made = _rows(pen, [short[found.names[i]] for i in order], rows, words, looks)
    pen.ax.set_xlabel(f"AUC with {percent(found.confidence)} interval")
    return made


def draw_differences(pen: Pen, found: ClassifierComparison) -> list[Line2D]:
    """Draw a row for each pair: its difference of AUCs, the interval, and Holm's p-value.

    What stays significant after the correction is drawn in ink, the rest in grey.
    """
    table = found.pairs()
    values = list(table["difference"])
    rows = list(zip(values, table["lower"], table["upper"], strict=True))
    sure = [p <= 1 - found.confidence for p in table["p_holm"]]
    words = [
        f"{difference(value)}  ({p_value(p)})"
        for value, p in zip(values, table["p_holm"], strict=True)
    ]
    short = short_names(found.names, _LONGEST)
    names = [
        _pair(short[a], short[b]) for a, b in zip(table["model_a"], table["model_b"], strict=True)
    ]
    made = _rows(pen, names, rows, words, ["text" if one else "reference" for one in sure])
    for label, one in zip(pen.ax.get_yticklabels(), sure, strict=True):
        label.set_fontweight("bold" if one else "normal")
    pen.line([0, 0], [0, 1], "muted", 0.7, ":", transform=pen.ax.get_xaxis_transform(), zorder=1)
    pen.ax.set_xlabel("difference of AUCs; p after Holm's correction")
    return made


def _pair(one: str, other: str) -> str:
    """Return the difference of two models in words, in two lines where names are long."""
    between = " − " if len(one) + len(other) < 26 else "\n− "
    return f"{one}{between}{other}"


def _rows(
    pen: Pen,
    names: Sequence[str],
    rows: Sequence[tuple[float, float, float]],
    words: Sequence[str],
    looks: Sequence[Any],
) -> list[Line2D]:
    """Draw named rows of value, lower and upper end, with words at the right."""
    pen.row_frame()
    made = []
    for y, ((value, low, high), look) in enumerate(zip(rows, looks, strict=True)):
        thing, rim = (look, None) if isinstance(look, str) else (look.colour, look.outline)
        line = pen.line([low, high], [y, y], thing, 1.4, solid_capstyle="butt", zorder=2)
        outline(line, rim, pen.stroke(2.0))
        pen.dots([value], [y], thing, 0.5, rim or "paper", zorder=3)
        made.append(line)
    pen.ax.set_yticks(range(len(rows)), names, parse_math=False)
    pen.ax.tick_params(axis="y", labelcolor=pen.colour("text"))
    pen.ax.set_ylim(len(rows) - 0.4, -0.6)
    least, most = min(low for _, low, _ in rows), max(high for *_, high in rows)
    span = max(most - least, 1e-6)
    pen.ax.set_xlim(least - 0.06 * span, most + 0.06 * span)
    pen.settle()
    texts = [
        pen.text(shown, scale=0.9, x=1.0, y=y, transform=pen.ax.get_yaxis_transform(), ha="right",
                 va="center")
        for y, shown in enumerate(words)
    ]  # fmt: skip
    # numbers stand in a column of their own, right of every interval
    wide = max(text.get_window_extent().width for text in texts) + 1.2 * pen.em
    share = min(wide / pen.ax.get_window_extent().width, 0.6)
    low = least - 0.06 * span
    pen.ax.set_xlim(low, low + 1.12 * span / (1 - share))
    ticks = MaxNLocator(nbins=4, steps=[1, 2, 5, 10]).tick_values(least, most)
    pen.ax.set_xticks([x for x in ticks if low <= x <= most + 0.06 * span])
    return made


def draw_model_hull(
    pen: Pen, models: Mapping[str, RankedSegments], hull: ModelHull, *, own: bool = False
) -> tuple[list[Line2D], Line2D]:
    """Draw ROC curves and the hull over all, with the stretches that one model has alone."""
    curves = {name: space_curve(one, "roc") for name, one in models.items()}
    over_all = space_curve(hull.segments(), "roc")
    prevalence = next(iter(models.values())).prevalence
    hulls = {"all": over_all}
    lines, (hull_line,) = draw_curve_space(pen, curves, hulls, prevalence, (0.0, 1.0), own=own)
    order = list(models)
    for k in range(len(hull.model) - 1):
        if hull.model[k] == hull.model[k + 1]:
            look = pen.look(order.index(hull.model[k]))
            pen.line(
                hull.fpr[k : k + 2], hull.tpr[k : k + 2], look.colour, 3.6, alpha=0.45, zorder=2,
                label="_stretch", solid_capstyle="butt",
            )  # fmt: skip
    return lines, hull_line
