"""Pictures of ensembles as values: AUC by size, correlations, the evidence on one item.

They are shared by the display and the explorer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rocviz.core.base.validation import Bools, Floats
from rocviz.core.ensembles.experiment import EnsembleExperiment
from rocviz.displays.base.rows import names_at_ends
from rocviz.pictures import (
    ROW_HEIGHT,
    Areas,
    Axis,
    Line,
    Mark,
    Picture,
    boxes,
    round_limits,
    round_ticks,
    uprights,
    words,
)
from rocviz.words import UNNAMED, ClassNames, letters, signed

MAX_CLASS_LETTERS = 12  # of the name of a class above the bars

# role, dash, name and short name of each method; the first lies on top
METHODS = {
    "fidel": ("ranking", "solid", "FiDEL", "FiDEL"),
    "correlation-aware": ("optimum", "dashed", "correlation-aware", "corr.-aware"),
    "woc": ("third", "dash_dotted", "wisdom of crowds", "WoC"),
    "best": ("second", "dashed", "best single", "best single"),
    "mean base": ("reference", "dotted", "mean of all", "mean"),
}


# ---------------------------------------------------------------------- AUC by size


def size_picture(
    experiment: EnsembleExperiment,
    is_large: bool,
    *,
    correlation: float | None = None,
    is_brief: bool = False,
) -> Picture:
    """Draw every method's mean AUC against the number of classifiers, with two standard errors.

    Without a ``correlation`` it is the experiment's first.
    """
    level = experiment.correlation[0] if correlation is None else correlation
    rows = np.flatnonzero(experiment.correlation == level)
    rows = rows[np.argsort(experiment.n_classifiers[rows], kind="stable")]
    columns = [experiment.methods.index(method) for method in METHODS]
    auc = experiment.auc[rows].T[columns]
    error = 2 * experiment.standard_error[rows].T[columns]
    sizes = experiment.n_classifiers[rows]
    names = [short if is_brief else name for _, _, name, short in METHODS.values()]
    first = int(sizes[0])
    last = int(sizes[-1])
    low, high = round_limits(np.concatenate(((auc - error).ravel(), (auc + error).ravel())))
    marks: list[Mark] = []
    for k, (method, (role, dash, *_)) in reversed(list(enumerate(METHODS.items()))):
        x = sizes + 0.05 * (k - 2.0)  # bars beside each other
        bars = uprights(x, auc[k] - error[k], auc[k] + error[k])
        marks.append(Line(f"bars {method}", role, *bars, width=2.0))
        marks.append(Line(f"line {method}", role, x, auc[k], dash=dash))
    shown = sizes[:: -(-len(sizes) // 8)]
    label = "number of classifiers; bars: ± 2 standard errors"
    x_axis = Axis(label, first - 0.6, last + 0.5, shown, pad=0.02)
    y_axis = Axis("AUC on held-out samples", low, high, pad=0.02)
    ends = (last + 0.15, x_axis.limits[1])
    gap = 0.066 if is_large else 0.16
    roles = [(name, "reference") for name in names]
    leaders = names_at_ends(ends, auc[:, -1], roles, y_axis.limits, gap)
    return Picture(x_axis, y_axis, (*marks, *leaders), is_square=False, is_large=is_large)


# ---------------------------------------------------------------------- correlations

# classifiers whose correlations can be written into a large and into a small picture
MAX_WRITTEN_CLASSIFIERS = 10
MAX_WRITTEN_CLASSIFIERS_IN_SMALL = 4


def correlation_picture(
    correlation: Floats, is_large: bool, *, is_in: Bools | None = None, names: Sequence[str] = ()
) -> Picture:
    """Draw the rank correlations of classifiers within a class, as darker cells for higher ones.

    Those that are not ``is_in`` are pale; ``names`` are those of the rows, by default numbers.
    """
    n = len(correlation)
    row, column = np.nonzero(~np.eye(n, dtype=bool))
    values = correlation[row, column]
    is_in = np.ones(n, dtype=bool) if is_in is None else is_in
    strength = np.where(is_in[row] & is_in[column], 1.0, 0.35)
    diagonal = np.arange(n) + 0.02
    down = n - np.arange(n) - 0.02
    left = column + 0.02
    top = n - row - 0.02
    written = []
    if n <= (MAX_WRITTEN_CLASSIFIERS if is_large else MAX_WRITTEN_CLASSIFIERS_IN_SMALL):
        for x, y, value in zip(column + 0.5, n - 0.5 - row, values, strict=True):
            text = signed(value).replace("0.", ".", 1).replace("+", "")
            written.append((x, y, text, "text"))
    size = min(1.0, 9.5 / n if is_large else 1.0)
    numbers = [str(index + 1) for index in range(n)]
    step = 1 if n <= 20 else -(-n // 10)
    across = {index + 0.5: numbers[index] for index in range(0, n, step)}
    row_names = names or numbers
    upward = {n - 0.5 - index: row_names[index] for index in reversed(range(0, n, step))}
    return Picture(
        Axis("", 0.0, float(n), across, pad=0.0),
        Axis("", 0.0, float(n), upward, pad=0.0),
        (
            Areas("paper", "paper", *boxes(0, n, 0, n)),  # hides the gridlines
            Areas(
                "cells",
                "text",
                *boxes(left, left + 0.96, top - 0.96, top),
                part_roles=np.where(values >= 0, "text", "second").tolist(),
                opacities=(strength * (0.04 + 0.45 * np.abs(values))).tolist(),
            ),
            # each with itself: what the darkest cell looks like
            Areas(
                "itself",
                "text",
                *boxes(diagonal, diagonal + 0.96, down - 0.96, down),
                opacities=(np.where(is_in, 1.0, 0.35) * 0.49).tolist(),
            ),
            words("numbers", written, "middle", bold=False, size=size),
        ),
        is_large=is_large,
    )


# ---------------------------------------------------------------------- one item's evidence

MAX_VALUE_LETTERS = 6  # of a number at the end of its bar
MIN_FONT_SHARE = 0.8  # font size, as a share; smaller text is left out


def evidence_picture(
    values: Floats,
    total: float,
    names: Sequence[str],
    is_large: bool,
    *,
    note: tuple[str, str] | None = None,
    full: float | None = None,
    is_beside: bool = False,
    classes: ClassNames = UNNAMED,
    row_height: float | None = None,
) -> Picture:
    """Draw the evidence that each classifier has on one item as signed bars, and their sum.

    Names are of the rows, the sum's last, and stand ``is_beside`` the axes or within. A value of
    NaN is of a classifier that is not in. ``note`` is a text above and its role, ``full`` is the
    largest value that there is room for, and ``classes`` are the names of the classes. The
    ``row_height`` that words need is a share of the picture; by default that of its size.
    """
    evidence = np.append(values, total)
    is_in = np.append(np.isfinite(values), True)
    n_rows = evidence.size
    heights = -np.append(np.arange(n_rows - 1.0), n_rows - 0.65)
    if full is None:
        full = float(np.nanmax(np.abs(evidence))) or 1.0
    letter = 0.02 if is_large else 0.04
    before = letter * (0.5 + max(map(letters, names)))
    if is_beside:
        letter = 0.026
        before = 0.0
    room = letter * MAX_VALUE_LETTERS
    unit = 2 * full / (1 - 2 * room - before)  # of the whole width
    low = -full - (room + before) * unit
    high = full + room * unit
    n_heads = (1 if is_large else 0) + (0 if note is None else 1)
    heads = [1.0 + 1.2 * index for index in range(n_heads)]
    top = max(heads, default=0.1) + 0.6
    bottom = float(heights[-1]) - 0.7
    if row_height is None:
        row_height = ROW_HEIGHT * (1 if is_large else 2)
    size = min(1.0, 1.15 / (row_height * (top - bottom)))
    font: dict[str, Any] = {"size": max(size, MIN_FONT_SHARE), "bold": False}
    name_rows = []
    step = max(1, int(np.ceil(MIN_FONT_SHARE / size)))
    for index, name in enumerate(names):
        if index % step == 0 or index == n_rows - 1:
            x = -full - (room - 0.005) * unit
            role = "text" if is_in[index] else "muted"
            name_rows.append((x, float(heights[index]), name, role))
    ticks: Any = ()
    if is_beside:
        ticks = {y: name for _, y, name, _ in reversed(name_rows)}
    marks: list[Mark] = [
        Line("zero", "reference", (0.0, 0.0), (0.6, bottom), width=1.5),
        _evidence_bars(evidence[is_in], heights[is_in]),
        words("names", [] if is_beside else name_rows, "end", **font),
        *_evidence_numbers(evidence[is_in], heights[is_in], 0.01 * unit, size, font),
    ]
    short = classes.shortened(MAX_CLASS_LETTERS)
    left = low if is_beside else -full - room * unit
    for role, text, x, align in (
        ("negative", f"← {short.negative}", left, "start"),
        ("positive", f"{short.positive} →", high, "end"),
    ):
        direction = [(x, heads[0], text, f"{role}-text")] if is_large else []
        marks.append(words(role, direction, align))
    marks.append(words("note", [(low, heads[-1], *note)] if note else []))
    return Picture(
        Axis("evidence (log-likelihood ratio)", low, high, round_ticks(-full, full), pad=0.0),
        Axis("", bottom, top, ticks, pad=0.0, is_shown=is_beside),
        tuple(marks),
        is_large=is_large,
    )


def _evidence_bars(evidence: Floats, heights: Floats) -> Areas:
    """Draw the bars of the classifiers that are in, and that of their sum."""
    bars = boxes(0.0, evidence, heights - 0.36, heights + 0.36)
    roles = ["positive" if value > 0 else "negative" for value in evidence[:-1]]
    roles.append("ranking")
    return Areas("bars", "ranking", *bars, part_roles=roles, opacities=(0.8,))


def _evidence_numbers(
    evidence: Floats, heights: Floats, aside: float, size: float, font: dict[str, Any]
) -> list[Mark]:
    """Write each value at the end of its bar, if there is room for the font."""
    right = []
    left = []
    if size >= MIN_FONT_SHARE:
        for value, y in zip(evidence.tolist(), heights.tolist(), strict=True):
            if value >= 0:
                right.append((value + aside, y, signed(value), "text"))
            else:
                left.append((value - aside, y, signed(value), "text"))
    return [
        words("numbers start", right, "start", **font),
        words("numbers end", left, "end", **font),
    ]


def evidence_limit(values: Any) -> float:
    """Round the largest value up, so that the scale seldom changes."""
    largest = max(float(np.abs(values).max()), 1.0)
    base = 10.0 ** np.floor(np.log10(largest))
    limits = [float(base * share) for share in (1, 1.5, 2, 3, 4, 6, 8, 10)]
    return next(limit for limit in limits if limit >= largest * (1 - 1e-9))
