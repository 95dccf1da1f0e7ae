"""The ensemble explorer's pictures: the crowd's AUC, its classifiers, who errs alike, the item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from rocviz.displays.ensembles import pictures
from rocviz.displays.ensembles.pictures import METHODS
from rocviz.pictures import (
    Axis,
    Dots,
    Entry,
    Labels,
    Legend,
    Line,
    Mark,
    Picture,
    PointLabel,
    ring,
    round_ticks,
    uprights,
    words,
)
from rocviz.widgets.ensembles.result import EnsembleResult
from rocviz.widgets.ensembles.state import EnsembleState
from rocviz.widgets.ensembles.words import (
    crowd_rows,
    item_words,
    numbered,
    rank_text,
    temperature_words,
)
from rocviz.words import short_names, signed

NUMBERED = 16  # most circles with numbers
# of the width of a small picture, in units of what its axis shows: names before, numbers behind
NAMES = 1.6
VALUES = 1.0


# ---------------------------------------------------------------------- the crowd


def crowd_picture(state: EnsembleState, result: EnsembleResult, is_large: bool) -> Picture:
    """Draw AUCs of single classifiers and of the crowd: now, or against the crowd's size."""
    if result.experiment is not None:
        return pictures.size_picture(result.experiment, is_large, is_brief=True)
    return _rows_picture(state, result, is_large)


def _rows_picture(state: EnsembleState, result: EnsembleResult, is_large: bool) -> Picture:
    """Draw one row for each way to rank: its name, its AUC, the interval of its gain."""
    listed = crowd_rows(state, brief=not is_large)
    best = result.auc["best"]
    singles = result.base_auc[list(result.members)]
    values = np.array([result.auc[method] for method, _, _ in listed])
    left, right = result.auc_limits
    span = right - left
    low, high = (left, right) if is_large else (left - NAMES * span, right + VALUES * span)
    ticks = round_ticks(left, right)
    at = -np.arange(5.0)
    track, text = (at - 0.2, at + 0.2) if is_large else (at, at)
    gains = [
        (y, *result.intervals[method])
        for y, (method, _, _) in zip(track, listed, strict=True)
        if method in result.intervals
    ]
    level, *ends = np.array(gains).reshape(-1, 3).T
    marks: list[Mark] = [
        Line("tracks", "grid", [[left, right]] * 5, np.column_stack((track, track)), width=2.0),
        Line("best", "second", *uprights([best] * 5, track - 0.22, track + 0.22)),
        Dots(
            "singles",
            "second",
            singles,
            np.full(singles.size, track[0]),
            rim="text",
            size=60,
            width=0.8,
        ),
        Line("gains", "muted", np.column_stack(ends), np.column_stack((level, level))),
        Dots(
            "now",
            "text",
            values,
            track,
            each=[METHODS[method][0] for method, *_ in listed],
            size=150,
            width=1.2,
        ),
    ]
    for what, column, x, align in (("name", 1, low, "start"), ("value", 2, high, "end")):
        for strong in (False, True):
            rows = [
                (x, y, row[column], "text")
                for y, row in zip(text, listed, strict=True)
                if (row[0] == state.method) is strong
            ]
            marks.append(words(f"{what} {strong}", rows, align, bold=strong))
    label = "AUC; bars: 95 % interval of the gain"
    across = Axis(label, low, high, ticks if is_large else ticks[[0, -1]], pad=0.02)
    up = Axis("", -4.55, 0.55, (), pad=0.02, is_shown=False)
    return Picture(across, up, tuple(marks), is_square=False, is_large=is_large)


# ---------------------------------------------------------------------- the classifiers


def classifiers_picture(_state: EnsembleState, result: EnsembleResult, is_large: bool) -> Picture:
    """Draw each classifier's AUC and temperature."""
    left, right, low, high = result.law_limits
    x, y = result.ensemble.auc, np.clip(result.coldness, low, high)
    is_in = np.isin(np.arange(x.size), result.members)
    size = 160 if x.size <= NUMBERED else 80
    numbers = [
        PointLabel([str(k)], "text", *at, far=0.5)
        for k, at in enumerate(zip(x.tolist(), y.tolist(), strict=True), 1)
        if x.size <= NUMBERED
    ]
    colder, hotter = temperature_words(result, is_large)
    empty: list[Sequence[Entry]] = [] if is_large else [()]  # where a small picture has no room
    return Picture(
        Axis("AUC when measured", left, right, round_ticks(left, right), pad=0.05),
        Axis("temperature T / N", low, high, temperature_ticks(low, high), pad=0.05),
        (
            Line("law", "reference", *result.law, dash="dotted", width=1.5, may_be_covered=True),
            ring("ring", "text", [x[result.best]], [y[result.best]], width=2.0, size=1.8 * size),
            Dots(
                "points",
                "second",
                x,
                y,
                rim="text",
                each=["second" if i else "paper" for i in is_in],
                size=size,
                width=1.2,
            ),
            Legend("colder", "text", choices=[colder, *empty], corner=(0.0, 1.0)),
            Legend("hotter", "text", choices=[hotter, *empty], corner=(1.0, 0.0)),
            Labels("numbers", "text", wishes=numbers, leaders=True),
        ),
        is_square=False,
        is_large=is_large,
    )


def temperature_ticks(low: float, high: float) -> dict[float, str]:
    """Write temperatures on an axis that is even in 1 / T."""
    ticks = round_ticks(low, high).tolist()
    names = [str(1 / Fraction(at).limit_denominator(1000)) if at else "∞" for at in ticks]
    return {at: name.replace("-", "−") for at, name in zip(ticks, names, strict=True)}


def correlation_picture(_state: EnsembleState, result: EnsembleResult, is_large: bool) -> Picture:
    """Draw how alike the classifiers rank within a class."""
    c = result.ensemble.correlation
    is_in = np.isin(np.arange(len(c)), result.members)
    picture = pictures.correlation_picture(c, is_large, is_in=is_in)
    label = f"correlation within a class, mean {signed(result.crowd.mean_correlation)}"
    return replace(picture, x=replace(picture.x, label=label))


def evidence_picture(state: EnsembleState, result: EnsembleResult, is_large: bool) -> Picture:
    """Draw what each classifier says of one item, and their sum."""
    item = result.item
    total = float(result.item.log_likelihood_ratio[0])
    values = np.full(len(result.ensemble.names), np.nan)
    values[list(result.members)] = item.contributions[0]
    ranks = dict(zip(result.members, item.ranks[0].tolist(), strict=True))
    short = short_names(result.ensemble.names, 12)
    names = []
    for k, name in enumerate(result.ensemble.names):
        text = str(k + 1) if state.is_sandbox or not is_large else numbered(short[name], k)
        rank = f"rank {rank_text(ranks[k])}" if k in ranks else "not in"
        names.append(f"{text}, {rank}" if is_large else text)
    kind = "positive" if result.item_is_positive else "negative"
    return pictures.evidence_picture(
        values,
        total,
        [*names, "sum"],
        is_large,
        note=(item_words(state, brief=not is_large), f"{kind}-text"),
        full=pictures.evidence_limit([*item.contributions[0], total]),
    )
