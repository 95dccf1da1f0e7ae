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
    ROW,
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
from rocviz.words import letters, signed

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
    names = [look[2 + is_brief] for look in METHODS.values()]
    first, last = int(sizes[0]), int(sizes[-1])
    low, high = round_limits(np.concatenate(((auc - error).ravel(), (auc + error).ravel())))
    marks: list[Mark] = []
    for k, (method, (role, dash, *_)) in reversed(list(enumerate(METHODS.items()))):
        at = sizes + 0.05 * (k - 2.0)
        bars = uprights(at, auc[k] - error[k], auc[k] + error[k])
        marks.append(Line(f"bars {method}", role, *bars, width=2.0))
        marks.append(Line(f"line {method}", role, at, auc[k], dash=dash))
    shown = sizes[:: -(-len(sizes) // 8)]
    label = "number of classifiers; bars: ± 2 standard errors"
    x = Axis(label, first - 0.6, last + 0.5, shown, pad=0.02)
    y = Axis("AUC on held-out samples", low, high, pad=0.02)
    ends = (last + 0.15, x.limits[1])
    gap = 0.066 if is_large else 0.16
    roles = [(name, "reference") for name in names]
    leaders = names_at_ends(ends, auc[:, -1], roles, y.limits, gap)
    return Picture(x, y, (*marks, *leaders), is_square=False, is_large=is_large)


# ---------------------------------------------------------------------- correlations

# most classifiers whose correlations can be written
WRITTEN = 14
WRITTEN_SMALL = 4


def correlation_picture(
    correlation: Floats, is_large: bool, *, is_in: Bools | None = None, names: Sequence[str] = ()
) -> Picture:
    """Draw the rank correlations of classifiers within a class, as darker cells for higher ones.

    Those that are not ``is_in`` are pale; ``names`` are those of the rows, by default numbers.
    """
    many = len(correlation)
    row, column = (one.ravel() for one in np.mgrid[:many, :many])
    kept = row != column
    row, column, values = row[kept], column[kept], correlation[row[kept], column[kept]]
    is_in = np.ones(many, dtype=bool) if is_in is None else is_in
    strength = np.where(is_in[row] & is_in[column], 1.0, 0.35)
    left = column + 0.02
    top = many - row - 0.02
    is_written = many <= (WRITTEN if is_large else WRITTEN_SMALL)
    texts = [signed(c).replace("0.", ".", 1).replace("+", "") for c in values] * is_written
    size = min(1.0, 9.5 / many if is_large else 1.0)
    written = zip(column + 0.5, many - 0.5 - row, texts, ["text"] * len(texts), strict=False)
    numbers = [str(k + 1) for k in range(many)]
    upward = {many - 0.5 - k: name for k, name in enumerate(names or numbers)}
    every = 1 if many <= 20 else -(-many // 10)
    across = {k + 0.5: number for k, number in enumerate(numbers) if k % every == 0}
    return Picture(
        Axis("", 0.0, float(many), across, pad=0.0),
        Axis("", 0.0, float(many), dict(list(upward.items())[::every][::-1]), pad=0.0),
        (
            Areas("paper", "paper", *boxes(0, many, 0, many)),  # hides the gridlines
            Areas(
                "cells",
                "text",
                *boxes(left, left + 0.96, top - 0.96, top),
                each=np.where(values >= 0, "text", "second").tolist(),
                opacities=(strength * (0.04 + 0.45 * np.abs(values))).tolist(),
            ),
            words("numbers", list(written), "middle", bold=False, size=size),
        ),
        is_large=is_large,
    )


# ---------------------------------------------------------------------- one item's evidence

VALUE = 6  # letters of a number at the end of its bar
LEAST = 0.8  # least font size, as a share; smaller text is left out


def evidence_picture(
    values: Floats,
    total: float,
    names: Sequence[str],
    is_large: bool,
    *,
    note: tuple[str, str] | None = None,
    full: float | None = None,
    is_beside: bool = False,
) -> Picture:
    """Draw the evidence that each classifier has on one item as signed bars, and their sum.

    Names are of the rows, the sum's last, and stand ``is_beside`` the axes or within. A value of
    NaN is of a classifier that is not in. ``note`` is a text above and its role, and ``full`` is
    the largest value that there is room for.
    """
    every = np.append(values, total)
    is_in = np.append(np.isfinite(values), True)
    many = every.size
    at = -np.append(np.arange(many - 1.0), many - 0.65)
    full = float(np.nanmax(np.abs(every))) or 1.0 if full is None else full
    letter = 0.026 if is_beside else 0.02 if is_large else 0.04
    room = letter * VALUE
    before = 0.0 if is_beside else letter * (0.5 + max(map(letters, names)))
    unit = 2 * full / (1 - 2 * room - before)  # of the whole width
    low, high = -full - (room + before) * unit, full + room * unit
    heads = [1.0 + 1.2 * k for k in range(is_large + (note is not None))]
    top = max(heads, default=0.1) + 0.6
    bottom = float(at[-1]) - 0.7
    size = min(1.0, 1.15 / (ROW * (1 if is_large else 2) * (top - bottom)))
    bars = boxes(0.0, every[is_in], at[is_in] - 0.36, at[is_in] + 0.36)
    roles = ["positive" if value > 0 else "negative" for value in every[is_in][:-1]]
    numbers = {
        side: [
            (value + way * 0.01 * unit, y, signed(value), "text")
            for value, y in zip(every[is_in].tolist(), at[is_in].tolist(), strict=True)
            if size >= LEAST and (value >= 0) is (way > 0)
        ]
        for side, way in (("start", 1), ("end", -1))
    }
    step = max(1, int(np.ceil(LEAST / size)))
    rows = [
        (-full - (room - 0.005) * unit, y, name, "text" if kept else "muted")
        for i, (y, name, kept) in enumerate(zip(at.tolist(), names, is_in, strict=True))
        if i % step == 0 or i == many - 1
    ]
    left = low if is_beside else -full - room * unit
    ways = (
        ("negative", "← negative", left, "start"),
        ("positive", "positive →", high, "end"),
    )
    small = {"size": max(size, LEAST), "bold": False}
    ticks = {y: name for _, y, name, _ in rows[::-1]} if is_beside else ()
    return Picture(
        Axis("evidence (log-likelihood ratio)", low, high, round_ticks(-full, full), pad=0.0),
        Axis("", bottom, top, ticks, pad=0.0, is_shown=is_beside),
        (
            Line("zero", "reference", (0.0, 0.0), (0.6, bottom), width=1.5),
            Areas("bars", "ranking", *bars, each=[*roles, "ranking"], opacities=(0.8,)),
            words("names", [] if is_beside else rows, "end", **small),
            *(words(f"numbers {side}", each, side, **small) for side, each in numbers.items()),
            *(
                words(role, [(x, heads[0], text, f"{role}-text")] * is_large, side)
                for role, text, x, side in ways
            ),
            words("said", [(low, heads[-1], *note)] if note else []),
        ),
        is_large=is_large,
    )


def evidence_limit(values: Any) -> float:
    """Round the largest value up, so that the scale seldom changes."""
    value = max(float(np.abs(values).max()), 1.0)
    base = 10.0 ** np.floor(np.log10(value))
    return float(
        next(base * k for k in (1, 1.5, 2, 3, 4, 6, 8, 10) if base * k >= value * (1 - 1e-9))
    )
