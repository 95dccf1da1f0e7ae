"""Pictures of decisions as values: predicted positives, utility by size, thresholds.

They are shared by the display and the explorer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.decisions.decision import Decision
from rocviz.displays.base.rows import names_at_ends
from rocviz.pictures import (
    NO_POINTS,
    UNIT_TICKS,
    Axis,
    Band,
    Dots,
    Line,
    Mark,
    Picture,
    count_ticks,
    some_of,
    ticks_around,
    words,
)
from rocviz.words import UNNAMED, ClassNames, amount, number, shorten

# ---------------------------------------------------------------------- probabilities

MAX_COLUMNS = 200  # columns of the ranking that can be distinguished
MAX_CLASS_LETTERS = 14  # of the name of a class beside the threshold
COLUMN_GAP = 0.08  # margin on each side of a column, where there are few
# heights: end of the threshold, numbers on both sides of it, top of the axis
LARGE_MARK_HEIGHTS = (1.08, 1.21, 1.27)
SMALL_MARK_HEIGHTS = (1.15, 1.4, 1.5)
BEST_MARKS_HEIGHT = -0.07  # height of the marks of the best labelling


def columns(prob: Floats, first: int, last: int) -> tuple[Any, Any]:
    """Compute the outline of columns for part of a ranking: x, and y above 0."""
    if first == last:
        return NO_POINTS
    has_gaps = prob.size <= 60
    count = last - first if has_gaps else min(last - first, MAX_COLUMNS)
    edges = np.unique(np.linspace(first, last, count + 1).round().astype(np.int64))
    height = np.add.reduceat(prob[first:last], edges[:-1] - first) / np.diff(edges)
    if not has_gaps:
        return edges.repeat(2)[1:-1].astype(np.float64), height.repeat(2)
    left = edges[:-1] + COLUMN_GAP
    right = edges[1:] - COLUMN_GAP
    x = np.column_stack((left, left, right, right)).ravel()
    nothing = np.zeros(height.size)
    return x, np.column_stack((nothing, height, height, nothing)).ravel()


def probability_picture(
    prob: Floats,
    k: int,
    is_large: bool,
    *,
    believed: Floats | None = None,
    chosen: Any = None,
    threshold_role: str = "selected",
    classes: ClassNames = UNNAMED,
) -> Picture:
    """Draw decreasing probabilities, of which the first k are predicted positive.

    ``believed`` are those that decisions are made by, ``chosen`` is whether the best of all
    labellings predicts each sample positive, ``threshold_role`` is that of the line between them,
    and ``classes`` are the names of the classes.
    """
    n = prob.size
    head, name, top = LARGE_MARK_HEIGHTS if is_large else SMALL_MARK_HEIGHTS
    parts = []
    names = []
    short = classes.shortened(MAX_CLASS_LETTERS)
    kinds = {"positive": short.are_positive, "negative": short.are_negative}
    if n >= 10_000 and not classes.is_named:
        kinds = {"positive": "yes", "negative": "no"}
    for role, ends, side, align in (
        ("positive", (0, k), 0.0, "start"),
        ("negative", (k, n), float(n), "end"),
    ):
        x, y = columns(prob, *ends)
        parts.append(Band(role, role, x, (y, np.zeros(len(y))), opacity=0.6))
        kind = kinds[role]
        count = amount(ends[1] - ends[0])
        text = f"{count} {kind}" if is_large else count
        names.append(words(f"{role} count", [(side, name, text, f"{role}-text")], align))
    label = "samples, the most probable first"
    bottom = -0.04
    chosen_x = np.empty(0)
    left_out_x = np.empty(0)
    if chosen is not None:
        label = "most probable first; ● best labelling"
        bottom = -0.13
        middles = np.arange(n) + 0.5
        chosen_x = middles[chosen]
        left_out_x = middles[~chosen]
    chosen_y = np.full(chosen_x.size, BEST_MARKS_HEIGHT)
    left_out_y = np.full(left_out_x.size, BEST_MARKS_HEIGHT)
    beliefs = NO_POINTS if believed is None else columns(believed, 0, n)
    return Picture(
        Axis(label, -0.02 * n, 1.02 * n, count_ticks(n), pad=0.0),
        Axis(short.probability, bottom, top, UNIT_TICKS, pad=0),
        (
            *parts,
            Line("half", "reference", (0.0, n), (0.5, 0.5), dash="dotted", width=1.8, readings=()),
            Line("belief", "ranking", *beliefs, width=2.0, readings=()),
            Line("threshold", threshold_role, (k, k), (0.0, head), readings=()),
            Dots(
                "not chosen", "paper", left_out_x, left_out_y, rim="reference", size=90, readings=()
            ),
            Dots("chosen", "optimum", chosen_x, chosen_y, size=90, width=2.0, readings=()),
            *names,
        ),
        is_large=is_large,
    )


# ---------------------------------------------------------------------- utilities

MAX_POINTS = 300  # vertices of a curve
MAX_SAMPLES_WITH_DOTS = 30  # whose thresholds are dots
MIN_VISIBLE_SHARE = 0.006  # share of the height below which two curves look like one
MAX_NAME_LETTERS = 17  # letters of a name at the end of a curve


@dataclass(frozen=True, eq=False)
class ThresholdUtilities:
    """The expected value of every threshold under one metric.

    Parameters
    ----------
    name : str
    utilities : ndarray, shape (n_samples + 1,)
    k : int
        The best number of predicted positives.
    role : str
    plug_in : ndarray, shape (n_samples + 1,), optional
        The metric of the expected counts.
    dashed : str
        Role of these.
    own : mapping of str to object
        What a user asks for of its line.
    """

    name: str
    utilities: Floats
    k: int
    role: str = "ranking"
    plug_in: Floats | None = None
    dashed: str = "second"
    own: Mapping[str, Any] = field(default_factory=dict)

    def is_plug_in_seen(self, span: float) -> bool:
        """Whether both curves can be distinguished within these limits."""
        if self.plug_in is None:
            return False
        x = np.linspace(0, 1, self.utilities.size)
        width = width_between(x, self.utilities / span, self.plug_in / span)
        return width > MIN_VISIBLE_SHARE


def width_between(x: Floats, y: Floats, other: Floats) -> float:
    """Measure the largest distance of two curves over the same x, perpendicular to them."""
    return float((np.abs(y - other) / np.hypot(1.0, np.gradient(y, x))).max())


def utility_limits(curves: Sequence[Floats]) -> tuple[float, float]:
    """Compute limits that hold the values of all curves drawn."""
    low = min(curve.min() for curve in curves)
    high = max(curve.max() for curve in curves)
    if 0 <= low < 0.5 * high:
        low = 0.0
    if high - low < 1e-6 * max(1.0, abs(high)):
        half = 0.5 * max(1.0, abs(high))
        low, high = low - half, high + half
    return float(low), float(high)


def utility_picture(
    curves: Sequence[ThresholdUtilities],
    label: str,
    is_large: bool,
    *,
    paid: ThresholdUtilities | None = None,
    classes: ClassNames = UNNAMED,
) -> Picture:
    """Draw the expected value of every threshold for one metric, or for several.

    ``paid`` is what the thresholds of the first one really give, and ``classes`` are the names of
    the classes.
    """
    main, *others = curves
    n = main.utilities.size - 1
    shown = [*others, main]
    if paid:
        shown.insert(-1, paid)
    heights = []
    plug_ins = []
    dashed_roles = []
    for curve in shown:
        heights.append(curve.utilities)
        if curve.plug_in is not None:
            heights.append(curve.plug_in)
    ticks = ticks_around(*utility_limits(heights))
    positive = classes.shortened(MAX_CLASS_LETTERS).positive
    x = Axis(f"predicted {positive}, k", 0.0, float(n), count_ticks(n))
    y = Axis(label, float(ticks[0]), float(ticks[-1]), ticks)
    k = np.union1d(some_of(n + 1, MAX_POINTS), [curve.k for curve in shown])
    k_with_dots = k if n <= MAX_SAMPLES_WITH_DOTS and is_large else k[:0]
    for curve in curves:
        if curve.plug_in is not None:
            plug_ins.append(curve.plug_in[k])
            dashed_roles.append(curve.dashed)
    lines = []
    for i, curve in enumerate(others, 1):
        values = curve.utilities[k]
        lines.append(Line(f"curve:{i}", curve.role, k, values, width=2.0, own=curve.own))
    names: list[Mark] = []
    if others and is_large:
        texts = [(shorten(curve.name, MAX_NAME_LETTERS), curve.role) for curve in shown]
        last = [curve.utilities[-1] for curve in shown]
        names = names_at_ends((n, x.limits[1]), last, texts, y.limits)
    best_of_others = [(curve.k, curve.utilities[curve.k]) for curve in others]
    rings = np.reshape(best_of_others, (-1, 2))
    paid_line: Any = (k, paid.utilities[k]) if paid else NO_POINTS
    return Picture(
        x,
        y,
        (
            *lines,
            Line(
                "plug-in",
                "second",
                k,
                np.reshape(plug_ins, (-1, k.size)),
                part_roles=dashed_roles,
                dash="dashed",
                width=2.0,
            ),
            Line("curve", main.role, k, main.utilities[k], own=main.own),
            Line("paid", "hull", *paid_line),
            Dots("points", main.role, k_with_dots, main.utilities[k_with_dots], size=40),
            *names,
            Dots("rings", "paper", *rings.T, rim="optimum", size=80, width=2.0),
            Dots(
                "best",
                "paper",
                [main.k],
                [main.utilities[main.k]],
                rim="optimum",
                size=110,
                width=2.5,
            ),
        ),
        is_large=is_large,
    )


# ---------------------------------------------------------------------- thresholds

# x of the metrics' names, and of the columns of numbers beside a large picture
NAMES_X = -0.66
COLUMN_ENDS = (1.52, 1.96, 2.68, 3.3)
MAX_NAMES = 9  # the same for a small picture, where the numbers stand above each other
_UTILITY_TOLERANCE = 1e-12  # utilities this near to 1 are written as 1


def threshold_picture(
    decisions: Mapping[str, Decision],
    is_large: bool,
    *,
    start: str = "from",
    letters: int = 10,
    selected: float | None = None,
    rules: Sequence[Sequence[str]] = (),
    classes: ClassNames = UNNAMED,
) -> Picture:
    """Draw each metric's threshold on one axis, with the best one's size and utility.

    ``start`` heads the thresholds, names have so many ``letters`` at most, and ``selected`` is a
    threshold to compare. ``rules`` are rows of a table below: a name and numbers, and ``classes``
    the names of the classes.
    """
    count = len(decisions)
    thresholds = np.array([min(decision.threshold, 1.0) for decision in decisions.values()])
    y = -np.arange(float(count))
    levels = np.column_stack((y, y))
    names = []
    for i, name in enumerate(decisions):
        names.append((-0.06, float(y[i]), shorten(name, letters), "muted" if i else "text"))
    low = 0.4 - count
    high = 0.6
    left = NAMES_X
    right = 1.06
    heads: list[tuple[float, float, str, str]] = []
    numbers: list[tuple[float, float, str, str]] = []
    if is_large:
        rows = [("", start, "k", "expected"), *map(_row, decisions.values()), *rules]
        places = [1.0, *y.tolist(), *(low - 0.9 - np.arange(len(rules)))]
        for i, (level, (name, *cells)) in enumerate(zip(places, rows, strict=True)):
            ink = "muted" if i in (0, count + 1) else "text"
            if name:
                heads.append((NAMES_X, level, name, ink))
            numbers += [(x, level, text, ink) for x, text in zip(COLUMN_ENDS, cells, strict=False)]
        low = min(places) - 0.6
        high = 1.6
        right = COLUMN_ENDS[max(map(len, rows)) - 2] + 0.02
        if not rules:
            left = -0.08 - 0.58 * max(len(text) for *_, text, _ in names) / letters
    else:  # thin out the names if there are too many; the first, the chosen metric, stays
        names = names[:: -(-count // MAX_NAMES)]
    predicted_negative = np.column_stack((np.zeros(count), thresholds))
    predicted_positive = np.column_stack((thresholds, np.ones(count)))
    wide_line: dict[str, Any] = {"width": 5.0, "opacities": (0.6,)}
    return Picture(
        Axis(
            classes.shortened(MAX_CLASS_LETTERS).probability, left, right, (0.0, 0.5, 1.0), pad=0.0
        ),
        Axis("", low, high, (), pad=0.0, is_shown=False),
        (
            Line("negative", "negative", predicted_negative, levels, **wide_line),
            Line("positive", "positive", predicted_positive, levels, **wide_line),
            Line(
                "selected",
                "selected",
                () if selected is None else [selected] * 2,
                (0.5, 0.5 - count),
                width=2.0,
            ),
            Dots("rings", "paper", thresholds, y, rim="optimum", size=110, width=2.5),
            words("names", names, "end", bold=False),
            words("numbers", numbers, "end", bold=False),
            words("rules", heads, bold=False),
        ),
        is_large=is_large,
    )


def _row(decision: Decision) -> tuple[str, ...]:
    count = amount(decision.n_predicted_positive)
    return "", threshold_text(decision.threshold), count, utility_text(decision.utility)


def threshold_text(threshold: float) -> str:
    """Write the lowest probability that is predicted positive."""
    return "none" if np.isinf(threshold) else number(threshold)


def utility_text(value: float) -> str:
    """Write a utility; one that is 1 up to rounding is written as 1."""
    return number(1.0 if abs(value - 1) < _UTILITY_TOLERANCE else value)
