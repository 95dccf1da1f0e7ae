"""Pictures of ranking losses as values: errors by lowest probability, and bounds by AUC.

They are shared by the displays and the explorer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.ranking_loss.bound import RankingBoundExample, ranking_bound, simple_bound_reach
from rocviz.core.ranking_loss.results import RankingExperiment
from rocviz.pictures import (
    NO_POINTS,
    Axis,
    Dots,
    Entry,
    Labels,
    Legend,
    Line,
    Mark,
    Picture,
    PointLabel,
    uprights,
)
from rocviz.words import number, short_names

#: Role, dash and marker of each method; the last lies on top.
METHOD_STYLES: dict[str, tuple[str, str, str]] = {
    "linear": ("reference", "dotted", "triangle-down"),
    "linear + isotonic": ("third", "dashed", "plus"),
    "combined": ("optimum", "dash_dotted", "triangle-up"),
    "logistic": ("second", "dash_dotted", "square"),
    "logistic + isotonic": ("group-2", "dashed", "diamond"),
    "rank + isotonic": ("hull", "solid", "circle"),
}
#: Evenly spaced in the root of 1 - AUC, on which two of the bounds depend.
LOSS_ROOTS = np.linspace(1, 0, 101)


def method_lines(curves: Mapping[str, Any], width: float = 2.5) -> list[Line]:
    """Draw a line per method."""
    lines = []
    for name, (role, dash, _) in METHOD_STYLES.items():
        points = curves.get(name, NO_POINTS)
        lines.append(Line(name, role, *points, dash=dash, width=width))
    return lines


def mean_marks(curves: Mapping[str, tuple[Floats, Floats, Floats]]) -> list[Mark]:
    """Draw each method's means as dots on a line, with error bars."""
    bars = []
    dots = []
    for name, (role, _, marker) in METHOD_STYLES.items():
        x, mean, error = curves.get(name, (np.empty(0),) * 3)
        ends = uprights(x, mean - error, mean + error)
        bars.append(Line(f"{name} bars", role, *ends, width=2.0))
        rim = "text" if role == "third" else "paper"
        style: dict[str, Any] = {"rim": rim, "marker": marker, "size": 62, "width": 1.2}
        dots.append(Dots(f"{name} means", role, x, mean, **style))
    means = {name: (x, mean) for name, (x, mean, _) in curves.items()}
    return [*bars, *method_lines(means), *dots]


def experiment_picture(
    experiment: RankingExperiment, methods: Sequence[str], is_large: bool
) -> Picture:
    """Draw the errors of methods against the floor, with two standard errors either way."""
    order = np.argsort(experiment.a)
    floors = experiment.a[order]
    x = places_of(floors)
    curves = {}
    for name in methods:
        k = experiment.methods.index(name)
        curves[name] = x, experiment.error[order, k], 2 * experiment.standard_error[order, k]
    top = 1.06 * max(float((mean + error).max()) for _, mean, error in curves.values())
    rows = [Entry(name, of=f"{name} means") for name in reversed(METHOD_STYLES) if name in methods]
    low = float(x[0])
    high = float(x[-1])
    if low == high:
        low -= 0.5
        high += 0.5
    ticks = dict(zip(x.tolist(), map(fraction, floors), strict=True))
    return Picture(
        Axis("lowest true probability a", low, high, ticks),
        Axis("squared error to the truth", 0.0, top),
        (*mean_marks(curves), Legend("words", "text", choices=[rows], corner=(1.0, 1.0))),
        is_large=is_large,
    )


def places_of(floors: Floats) -> Floats:
    """Compute binary logarithms of increasing floors; 0 gets a position to their left."""
    is_positive = floors > 0
    positive = floors[is_positive]
    lowest = np.log2(positive[0]) if positive.size else 0.0
    return np.append(np.full(floors.size - positive.size, lowest - 2), np.log2(positive))


def fraction(value: float) -> str:
    """Write a fraction such as 1/32, or a decimal for other numbers."""
    simple = Fraction(float(value))
    if simple.numerator <= 3 and simple.denominator <= 4096:
        return str(simple)
    return f"{value:.3g}"


# ---------------------------------------------------------------------- bounds by AUC


@lru_cache(maxsize=4)
def _sharp(prevalence: float) -> Floats:
    """Compute the sharp bound along the AUCs drawn."""
    return np.array([ranking_bound(auc, prevalence) for auc in (1 - LOSS_ROOTS**2).tolist()])


def bound_picture(
    prevalence: float,
    against: Sequence[RankingBoundExample],
    is_large: bool,
    *,
    mine: RankingBoundExample | None = None,
) -> Picture:
    """Draw the sharp, the simple and the printed bound of the squared loss by AUC, and rankings.

    Those ``against`` the printed bound have a line to it; ``mine`` is one more.
    """
    auc = 1 - LOSS_ROOTS**2
    highest = ranking_bound(0.0, prevalence, method="simple")
    reach = simple_bound_reach(prevalence)
    aucs = np.array([example.auc for example in against])
    losses = np.array([example.loss for example in against])
    printed_bounds = np.array([example.printed_bound for example in against])
    my_point = ([mine.auc], [mine.loss]) if mine else NO_POINTS
    largest = number(prevalence * (1 - prevalence))
    rows = [
        Entry(f"the largest loss, up to π(1−π) = {largest}", "text", "sharp"),
        Entry("√(⅔ π(1−π)(1−A)) is a bound", "muted", "simple"),
        Entry("as printed: ½ √(π(1−π)(1−A))", "negative-text", "printed"),
    ]
    short_rows = [
        Entry("largest possible", "text", "sharp"),
        Entry("a simple bound", "muted", "simple"),
        Entry("as printed", "negative-text", "printed"),
    ]
    if mine:
        ranker = Entry(f"the ranker, {number(mine.loss)}", "text", "mine")
        rows.append(ranker)
        short_rows.append(ranker)
    short = short_names([example.name for example in against], 24)
    names = []
    for example in against:
        name = short[example.name]
        loss = example.loss
        bound = example.printed_bound
        texts = [name]
        if not mine:  # there is more room
            sign = ">" if loss > bound else "≤"
            texts.insert(0, f"{name}: {number(loss)} {sign} {number(bound)}")
        along = np.linspace(loss, bound, 3)
        names.append(PointLabel(texts, "hull-text", example.auc, along, 0.7))
    top = 1.08 * highest
    printed = ranking_bound(0.0, prevalence, method="printed") * LOSS_ROOTS
    turn = [reach], [ranking_bound(reach, prevalence)]
    return Picture(
        Axis("AUC of the ranking", pad=0.03),
        Axis("squared loss after isotonic regression", 0.0, top, pad=0.03),
        (
            Line(
                "simple",
                "reference",
                auc,
                highest * LOSS_ROOTS,
                dash="dotted",
                width=2.0,
                may_be_covered=True,
            ),
            Line("printed", "second", auc, printed, dash="dashed"),
            Line("sharp", "ranking", auc, _sharp(prevalence)),
            Dots("turn", "paper", *turn, rim="ranking", size=60, width=2.0),
            Line("excess", "hull", *uprights(aucs, losses, printed_bounds), width=2.0),
            Dots(
                "against", "hull", aucs, losses, rim="paper", marker="diamond", size=150, width=1.4
            ),
            Dots("mine", "ranking", *my_point, rim="paper", size=210, width=2.0),
            Labels("names", "text", point_labels=names if is_large else ()),
            Legend(
                "words", "text", choices=[rows, short_rows] if is_large else [()], corner=(1.0, 1.0)
            ),
        ),
        is_large=is_large,
    )
