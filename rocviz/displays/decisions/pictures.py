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
    NOWHERE,
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
from rocviz.words import amount, number, shorten

# ---------------------------------------------------------------------- probabilities

MAX_COLUMNS = 200  # columns of the ranking that can be distinguished
COLUMN_GAP = 0.08  # margin on each side of a column, where there are few
# heights: end of the threshold, numbers on both sides of it, top of the axis
LARGE_HEIGHTS = (1.08, 1.21, 1.27)
SMALL_HEIGHTS = (1.15, 1.4, 1.5)
BEST_MARKS_HEIGHT = -0.07  # height of the marks of the best labelling


def columns(prob: Floats, first: int, last: int) -> tuple[Any, Any]:
    """Compute the outline of columns for part of a ranking: x, and y above 0."""
    if first == last:
        return NOWHERE
    few = prob.size <= 60
    count = last - first if few else min(last - first, MAX_COLUMNS)
    edges = np.unique(np.linspace(first, last, count + 1).round().astype(np.int64))
    height = np.add.reduceat(prob[first:last], edges[:-1] - first) / np.diff(edges)
    if not few:
        return edges.repeat(2)[1:-1].astype(np.float64), height.repeat(2)
    left, right = edges[:-1] + COLUMN_GAP, edges[1:] - COLUMN_GAP
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
) -> Picture:
    """Draw decreasing probabilities, of which the first k are predicted positive.

    ``believed`` are those that decisions are made by, ``chosen`` is whether the best of all
    labellings predicts each sample positive, and ``threshold_role`` that of the line between them.
    """
    n = prob.size
    head, name, top = LARGE_HEIGHTS if is_large else SMALL_HEIGHTS
    parts = []
    names = []
    for role, ends, side, align in (
        ("positive", (0, k), 0.0, "start"),
        ("negative", (k, n), float(n), "end"),
    ):
        x, y = columns(prob, *ends)
        parts.append(Band(role, role, x, (y, np.zeros(len(y))), opacity=0.6))
        kind = {"positive": "yes", "negative": "no"}[role] if n >= 10_000 else role
        count = amount(ends[1] - ends[0])
        text = f"{count} {kind}" if is_large else count
        names.append(words(f"{role} count", [(side, name, text, f"{role}-text")], align))
    at = np.arange(n) + 0.5
    listed = [at[:0], at[:0]] if chosen is None else [at[chosen], at[~chosen]]
    chosen_marks, left_out = [(x, np.full(x.size, BEST_MARKS_HEIGHT)) for x in listed]
    beliefs = NOWHERE if believed is None else columns(believed, 0, n)
    label = "samples, the most probable first"
    return Picture(
        Axis(
            label if chosen is None else "most probable first; ● best labelling",
            -0.02 * n,
            1.02 * n,
            count_ticks(n),
            pad=0.0,
        ),
        Axis(
            "probability of a positive", -0.04 if chosen is None else -0.13, top, UNIT_TICKS, pad=0
        ),
        (
            *parts,
            Line("half", "reference", (0.0, n), (0.5, 0.5), dash="dotted", width=1.8),
            Line("belief", "ranking", *beliefs, width=2.0),
            Line("cut", threshold_role, (k, k), (0.0, head)),
            Dots("not chosen", "paper", *left_out, rim="reference", size=90),
            Dots("chosen", "optimum", *chosen_marks, size=90, width=2.0),
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
        return self.plug_in is not None and (
            width_between(
                np.linspace(0, 1, self.utilities.size), self.utilities / span, self.plug_in / span
            )
            > MIN_VISIBLE_SHARE
        )


def width_between(x: Floats, y: Floats, other: Floats) -> float:
    """Measure the largest distance of two curves over the same x, perpendicular to them."""
    return float((np.abs(y - other) / np.hypot(1.0, np.gradient(y, x))).max())


def utility_limits(curves: Sequence[Floats]) -> tuple[float, float]:
    """Compute limits that hold the values of all curves drawn."""
    low, high = min(c.min() for c in curves), max(c.max() for c in curves)
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
) -> Picture:
    """Draw the expected value of every threshold for one metric, or for several.

    ``paid`` is what the thresholds of the first one really give.
    """
    main, *others = curves
    n = main.utilities.size - 1
    every = [*others, *([paid] if paid else []), main]
    dashed = [(one.plug_in, one.dashed) for one in curves if one.plug_in is not None]
    heights = [c for one in every for c in (one.utilities, one.plug_in) if c is not None]
    ticks = ticks_around(*utility_limits(heights))
    x = Axis("predicted positive, k", 0.0, float(n), count_ticks(n))
    y = Axis(label, float(ticks[0]), float(ticks[-1]), ticks)
    at = np.union1d(some_of(n + 1, MAX_POINTS), [one.k for one in every])
    few = at if n <= MAX_SAMPLES_WITH_DOTS and is_large else at[:0]
    lines = [
        Line(f"curve:{i}", one.role, at, one.utilities[at], width=2.0, own=one.own)
        for i, one in enumerate(others, 1)
    ]
    plug_ins = np.reshape([values[at] for values, _ in dashed], (-1, at.size))
    names: list[Mark] = []
    if others and is_large:
        texts = [(shorten(one.name, MAX_NAME_LETTERS), one.role) for one in every]
        last = [one.utilities[-1] for one in every]
        names = names_at_ends((n, x.limits[1]), last, texts, y.limits)
    rings = np.reshape([(one.k, one.utilities[one.k]) for one in others], (-1, 2))
    return Picture(
        x,
        y,
        (
            *lines,
            Line(
                "plug-in",
                "second",
                at,
                plug_ins,
                each=[role for _, role in dashed],
                dash="dashed",
                width=2.0,
            ),
            Line("curve", main.role, at, main.utilities[at], own=main.own),
            Line("paid", "hull", *((at, paid.utilities[at]) if paid else NOWHERE)),
            Dots("points", main.role, few, main.utilities[few], size=40),
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
) -> Picture:
    """Draw each metric's threshold on one axis, with the best one's size and utility.

    ``start`` heads the thresholds, names have so many ``letters`` at most, and ``selected`` is a
    threshold to compare. ``rules`` are rows of a table below: a name and numbers.
    """
    count = len(decisions)
    at = np.array([min(one.threshold, 1.0) for one in decisions.values()])
    y = -np.arange(float(count))
    levels = np.column_stack((y, y))
    inks = ["text", *["muted"] * (count - 1)]
    names = [
        (-0.06, level, shorten(name, letters), ink)
        for name, level, ink in zip(decisions, y.tolist(), inks, strict=True)
    ]
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
            heads += [(NAMES_X, level, name, ink)] * bool(name)
            numbers += [(x, level, text, ink) for x, text in zip(COLUMN_ENDS, cells, strict=False)]
        low, high = min(places) - 0.6, 1.6
        right = COLUMN_ENDS[max(map(len, rows)) - 2] + 0.02
        if not rules:
            left = -0.08 - 0.58 * max(len(text) for *_, text, _ in names) / letters
    else:  # thin out the names if there are too many; the first, the chosen metric, stays
        names = names[:: -(-count // MAX_NAMES)]
    ends = {"negative": (np.zeros(count), at), "positive": (at, np.ones(count))}
    return Picture(
        Axis("probability of a positive", left, right, (0.0, 0.5, 1.0), pad=0.0),
        Axis("", low, high, (), pad=0.0, is_shown=False),
        (
            *(
                Line(role, role, np.column_stack(each), levels, width=5.0, opacities=(0.6,))
                for role, each in ends.items()
            ),
            Line(
                "selected",
                "selected",
                () if selected is None else [selected] * 2,
                (0.5, 0.5 - count),
                width=2.0,
            ),
            Dots("rings", "paper", at, y, rim="optimum", size=110, width=2.5),
            words("names", names, "end", bold=False),
            words("numbers", numbers, "end", bold=False),
            words("rules", heads, bold=False),
        ),
        is_large=is_large,
    )


def _row(decision: Decision) -> tuple[str, ...]:
    many = amount(decision.n_predicted_positive)
    return "", threshold_text(decision.threshold), many, utility_text(decision.utility)


def threshold_text(threshold: float) -> str:
    """Write the lowest probability that is predicted positive."""
    return "none" if np.isinf(threshold) else number(threshold)


def utility_text(value: float) -> str:
    """Write a utility; one that is 1 up to rounding is written as 1."""
    return number(1.0 if abs(value - 1) < _UTILITY_TOLERANCE else value)
