"""The ensemble explorer's pictures: the crowd's AUC, its classifiers, who errs alike, the item."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.displays.ensembles import pictures
from rocviz.displays.ensembles.pictures import METHODS
from rocviz.pictures import Axis, Dots, Line, Mark, Picture, Words, ring, round_ticks, words
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

INK = "#1B1F24"  # on the classifiers' own colour, in the light and in the dark

NUMBERED = 16  # circles that can be distinguished in a large picture
NUMBER = (0.085, 0.16)  # how far others are off a number in a small one, as shares of it

# of the width of a small picture, in units of what its axis shows: names before, numbers behind
NAMES, VALUES = 1.6, 1.0

# round ones with round reciprocals
TEMPERATURES = (
    *(1.0, 0.5, 0.25, 0.2, 0.16, 0.125, 0.1, 0.08, 0.0625, 0.05, 0.04, 0.032, 0.025, 0.02, 0.016),
    *(0.0125, 0.01, 0.008, 0.005, 0.004, 0.0025, 0.002, 0.001),
)
ROOM = 0.085  # distance of two circles, in units of the square they are in


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
        Line(
            "best", "second", np.full((5, 2), best), np.column_stack((track - 0.22, track + 0.22))
        ),
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
    across = Axis(
        "AUC; bars: 95 % interval of the gain",
        low,
        high,
        ticks if is_large else ticks[[0, -1]],
        pad=0.02,
    )
    up = Axis("", -4.55, 0.55, (), pad=0.02, is_shown=False)
    return Picture(across, up, tuple(marks), is_square=False, is_large=is_large)


# ---------------------------------------------------------------------- the classifiers


def classifiers_picture(_state: EnsembleState, result: EnsembleResult, is_large: bool) -> Picture:
    """Draw each classifier's AUC and temperature."""
    left, right, low, high = result.law_limits
    ticks = zip(*temperature_ticks(low, high), strict=True)
    longest = 5 if is_large else 3
    x, y = result.ensemble.auc, np.clip(result.coldness, low, high)
    inside = np.isin(np.arange(x.size), result.members)
    many = x.size > NUMBERED  # so many are dots where they are, which may lie on each other
    beside = (x, y) if many else aside(x, y, result.law)
    leaders = np.stack(((x, y), beside), axis=-1)
    share = 0.25 if many else 1.0
    texts = np.arange(1, x.size + 1).astype(str)
    if not is_large:  # of numbers on each other the last, which lies on top
        shares = beside[0] / (right - left) / NUMBER[0], beside[1] / (high - low) / NUMBER[1]
        apart = np.maximum(*(abs(np.subtract.outer(v, v)) for v in shares))
        texts[(np.triu(apart < 1, 1)).any(axis=1)] = ""
    readable = x.size <= (NUMBERED if is_large else 8)
    best = [beside[0][result.best]], [beside[1][result.best]]
    edges = (high, -1, left, "start"), (low, 1, right, "end")
    return Picture(
        Axis("AUC when measured", left, right, round_ticks(left, right), pad=0.05),
        Axis(
            "temperature T / N",
            low,
            high,
            {at: text for at, text in ticks if len(text) <= longest},
            pad=0.05,
        ),
        (
            Line("law", "reference", *result.law, dash="dotted", width=1.5, yields=True),
            *(_note(result, is_large, beside, *edge) for edge in edges),
            Line("leaders", "muted", *leaders, width=1.0),
            Dots("dots", "text", x, y, size=25),
            ring("ring", "text", *best, width=2.0, size=570 * share),
            Dots(
                "points",
                "second",
                *beside,
                rim="text",
                each=["second" if i else "paper" for i in inside],
                size=330 * share,
                width=1.2,
            ),
            Words(
                "numbers",
                "text",
                *(beside if readable else ((), ())),
                text=texts.tolist(),
                each=[INK if i else "text" for i in inside],
                align="middle",
                size=0.9,
            ),
        ),
        is_square=False,
        is_large=is_large,
    )


def _note(
    result: EnsembleResult,
    is_large: bool,
    beside: Any,
    edge: float,
    way: int,
    at: float,
    align: str,
) -> Words:
    """Explain temperature in a corner without circles."""
    left, right, low, high = result.law_limits
    x, y = beside
    step = (0.065 if is_large else 0.15) * (high - low)
    free = (np.abs(y - edge) > 2.5 * step) | (np.abs(x - at) > 0.6 * (right - left))
    rows = temperature_words(result, brief=not is_large)[align] if free.all() else []
    written = [(at, edge + way * step * (0.4 + k), text, "muted") for k, text in enumerate(rows)]
    return words(f"words at the {align}", written, align, bold=False)


def temperature_ticks(low: float, high: float) -> tuple[list[float], list[str]]:
    """Place round temperatures on an axis that is even in 1 / T, and name them."""
    ticks = [(0.0, "∞")] if low <= 0 <= high else []
    for side, sign in ((1, ""), (-1, "−")):
        last = 0.0
        for t in TEMPERATURES:
            if low <= side / t <= high and 1 / t - last >= 0.11 * (high - low):
                last = 1 / t
                ticks.append((side * last, sign + f"{t:g}".lstrip("0")))
    ticks.sort()
    return [at for at, _ in ticks], [text for _, text in ticks]


def aside(x: Floats, y: Floats, law: tuple[Floats, ...]) -> tuple[Floats, Floats]:
    """Place circles so that none covers another: off the curve where it is crowded."""
    (left, right), (low, high) = (law[0][0], law[0][-1]), (law[1][0], law[1][-1])
    at = np.column_stack(((x - left) / (right - left), (y - low) / (high - low)))
    across = np.array([0.7, -0.7])
    placed: list[Floats] = []
    for k in np.argsort(x, kind="stable"):
        for step in sorted(range(-10, 11), key=lambda n: (abs(n), n)):
            spot = at[k] + step * ROOM * 0.5 * across
            if all(np.hypot(*(spot - other)) >= ROOM for other in placed) and (
                step == 0 or ((spot > 0.04).all() and (spot < 0.96).all())
            ):
                break
        else:
            spot = at[k]
        placed.append(spot)
        at[k] = spot
    return left + at[:, 0] * (right - left), low + at[:, 1] * (high - low)


def correlation_picture(_state: EnsembleState, result: EnsembleResult, is_large: bool) -> Picture:
    """Draw how alike the classifiers rank within a class."""
    c = result.ensemble.correlation
    is_in = np.isin(np.arange(len(c)), result.members)
    picture = pictures.correlation_picture(c, is_large, is_in=is_in)
    label = f"correlation within a class, mean {signed(result.crowd.mean_correlation)}"
    return replace(picture, x=replace(picture.x, label=label))


def evidence_picture(state: EnsembleState, result: EnsembleResult, is_large: bool) -> Picture:
    """Draw what each classifier says of one item, and their sum."""
    item, total = result.item, float(result.item.log_likelihood_ratio[0])
    values = np.full(len(result.ensemble.names), np.nan)
    values[[*result.members]] = item.contributions[0]
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
        said=(item_words(state, brief=not is_large), f"{kind}-text"),
        full=pictures.evidence_limit([*item.contributions[0], total]),
    )
