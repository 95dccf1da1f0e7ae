"""Draw how much squared loss an AUC allows, and rankings beside it, on given matplotlib axes.

Takes results and draws them; computes no number that is shown but the bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.text import Text

from rocviz.core.ranking_loss.bound import (
    RankingBoundExample,
    ranking_bound,
    simple_bound_reach,
)
from rocviz.displays.base.labels import Obstacles, in_the_way, place_near
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.style import unit_ticks
from rocviz.words import number, short_names

# directions from a dot, and from the printed bound below it, to what is said of it
_AROUND = (-90, -120, -105, -60, -140, -170, 180, 160, 135, 110, 90, 45, 20)
# AUCs at which the name of a curve may stand
_ANCHORS = {
    "simple": (0.2, 0.3, 0.1, 0.4, 0.5),
    "sharp": (0.02, 0.05, 0.1, 0.3, 0.4),
    "printed": (0.62, 0.5, 0.45, 0.4, 0.3),
}


def draw_ranking_bound(
    pen: Pen, examples: Sequence[RankingBoundExample]
) -> tuple[dict[str, Any], list[Any]]:
    """Draw the bounds over the AUC, and rankings of one prevalence as dots.

    Returns the lines under ``"simple"``, ``"sharp"`` and ``"printed"`` (``"turn"`` is the dot from
    which on the first two are one), and the dot of each example.
    """
    pen.frame()
    pi = examples[0].prevalence
    # evenly spaced in the root, where two of the curves are straight
    auc = 1 - np.linspace(0, 1, 201) ** 2
    simple, sharp, printed = (
        np.array([ranking_bound(area, pi, method=method) for area in auc])
        for method in ("simple", "sharp", "printed")
    )
    looks = {
        "simple": (simple, "reference", 0.9, ":"),
        "sharp": (sharp, "ranking", 1.0, "-"),
        "printed": (printed, "second", 1.0, (0, (6, 1.6))),
    }
    lines = {
        name: pen.line(auc, *look, role="bound", label=f"_{name}", zorder=3)
        for name, look in looks.items()
    }
    reach = simple_bound_reach(pi)
    turn = [reach], [ranking_bound(reach, pi)]
    lines["turn"] = pen.dots(*turn, "paper", 0.4, "ranking", 0.8, label="_turn", zorder=4)
    dots = []
    for example in examples:
        ends = [example.loss, example.printed_bound]
        pen.line([example.auc] * 2, ends, "hull", 0.6, label="_excess", zorder=4)
        at = [example.auc], [example.loss]
        dots.append(pen.dots(*at, "hull", 0.6, label="_ranking", zorder=5))
    pen.ax.set(xlim=(0, 1), ylim=(0, 1.05 * simple[-1]))
    unit_ticks(pen.ax.xaxis)
    pen.ax.set(xlabel="AUC of the ranking", ylabel="squared loss after isotonic regression")
    _label(pen, examples, lines)
    return lines, dots


def _label(pen: Pen, examples: Sequence[RankingBoundExample], lines: dict[str, Any]) -> None:
    """Name the curves and the dots where there is room beside them."""
    pen.settle()
    scale = 0.95 * pen.scale
    pi = examples[0].prevalence
    taken = in_the_way(pen.ax)
    most = number(pi * (1 - pi))
    named = (
        ("simple", "√(⅔ π(1−π)(1−A)) is a bound", "muted", (45, 30, 60)),
        ("sharp", f"the largest loss, up to π(1−π) = {most}", "text", (-45, -30, 45, 30)),
        ("printed", "as printed: ½ √(π(1−π)(1−A))", "negative-text", (-135, -120, -90)),
    )
    for name, caption, thing, angles in named:
        x, y = (np.asarray(part, dtype=float) for part in lines[name].get_data())
        order = np.argsort(x)
        anchors = [(at, float(np.interp(at, x[order], y[order]))) for at in _ANCHORS[name]]
        taken = _place_at_best(pen.text(caption, thing, scale), anchors, taken, angles)
    short = short_names([example.name for example in examples], 30)
    for example in examples:
        sign = ">" if example.loss > example.printed_bound else "≤"
        caption = f"loss {number(example.loss)} {sign} printed {number(example.printed_bound)}"
        text = pen.text(f"{short[example.name]}\n{caption}", "hull-text", scale, linespacing=1.25)
        ends = [(example.auc, example.loss), (example.auc, example.printed_bound)]
        taken = _place_at_best(text, ends, taken, _AROUND)


def _place_at_best(
    text: Text, anchors: Sequence[tuple[float, float]], taken: Obstacles, angles: Sequence[float]
) -> Obstacles:
    """Put a text beside the anchor where it touches least; of equal ones the first."""
    reach = (0.9, 1.5, 2.4, 3.4, 4.6, 6.0, 8.0)
    costs = [place_near(text, anchor, taken, reach=reach, angles=angles)[1] for anchor in anchors]
    best = anchors[int(np.argmin(costs))]
    return place_near(text, best, taken, reach=reach, angles=angles)[0]
