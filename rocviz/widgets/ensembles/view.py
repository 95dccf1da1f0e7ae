"""The ensemble explorer's pictures: the crowd's AUC, its classifiers, who errs alike, the item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from rocviz.displays.ensembles import pictures
from rocviz.displays.ensembles.pictures import METHODS
from rocviz.pictures import (
    ROW_HEIGHT,
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

MAX_NUMBERED_CLASSIFIERS = 16  # most circles with numbers
# of the width of a small picture, in units of what its axis shows: names before, numbers behind
NAME_WIDTH = 1.6
VALUE_WIDTH = 1.0
MAX_PANELS_OF_FULL_SIZE = 4  # with more, small pictures are lower

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
    ticks = round_ticks(left, right)
    row_y = -np.arange(5.0)
    if is_large:
        low = left
        high = right
        track_y = row_y - 0.2
        text_y = row_y + 0.2
    else:
        low = left - NAME_WIDTH * span
        high = right + VALUE_WIDTH * span
        ticks = ticks[[0, -1]]
        track_y = text_y = row_y
    gains = []
    for y, (method, _, _) in zip(track_y, listed, strict=True):
        if method in result.intervals:
            gains.append((y, *result.intervals[method]))
    gain_y, lower, upper = np.array(gains).reshape(-1, 3).T
    marks: list[Mark] = [
        Line("tracks", "grid", [[left, right]] * 5, np.column_stack((track_y, track_y)), width=2.0),
        Line("best", "second", *uprights([best] * 5, track_y - 0.22, track_y + 0.22)),
        Dots(
            "singles",
            "second",
            singles,
            np.full(singles.size, track_y[0]),
            rim="text",
            size=60,
            width=0.8,
        ),
        Line("gains", "muted", np.column_stack((lower, upper)), np.column_stack((gain_y, gain_y))),
        Dots(
            "now",
            "text",
            values,
            track_y,
            part_roles=[METHODS[method][0] for method, *_ in listed],
            size=150,
            width=1.2,
        ),
    ]
    for is_selected in (False, True):
        names = []
        numbers = []
        for y, (method, name, value) in zip(text_y, listed, strict=True):
            if (method == state.method) is is_selected:
                names.append((low, y, name, "text"))
                numbers.append((high, y, value, "text"))
        prefix = "selected " if is_selected else ""
        marks.append(words(f"{prefix}names", names, "start", bold=is_selected))
        marks.append(words(f"{prefix}values", numbers, "end", bold=is_selected))
    label = "AUC; bars: 95 % interval of the gain"
    x_axis = Axis(label, low, high, ticks, pad=0.02)
    y_axis = Axis("", -4.55, 0.55, (), pad=0.02, is_shown=False)
    return Picture(x_axis, y_axis, tuple(marks), is_square=False, is_large=is_large)


# ---------------------------------------------------------------------- the classifiers


def classifiers_picture(_state: EnsembleState, result: EnsembleResult, is_large: bool) -> Picture:
    """Draw each classifier's AUC and temperature."""
    left, right, low, high = result.law_limits
    x = result.ensemble.auc
    y = np.clip(result.coldness, low, high)
    is_in = np.isin(np.arange(x.size), result.members)
    size = 80
    numbers = []
    if x.size <= MAX_NUMBERED_CLASSIFIERS:
        size = 160
        for k, (auc, coldness) in enumerate(zip(x.tolist(), y.tolist(), strict=True), 1):
            numbers.append(PointLabel([str(k)], "text", auc, coldness, far=0.5))
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
                part_roles=["second" if i else "paper" for i in is_in],
                size=size,
                width=1.2,
            ),
            Legend("colder", "text", choices=[colder, *empty], corner=(0.0, 1.0)),
            Legend("hotter", "text", choices=[hotter, *empty], corner=(1.0, 0.0)),
            Labels("numbers", "text", point_labels=numbers, leaders=True),
        ),
        is_square=False,
        is_large=is_large,
    )


def temperature_ticks(low: float, high: float) -> dict[float, str]:
    """Write temperatures on an axis that is even in 1 / T."""
    ticks = {}
    for coldness in round_ticks(low, high).tolist():
        text = "∞"
        if coldness:
            text = str(1 / Fraction(coldness).limit_denominator(1000))
        ticks[coldness] = text.replace("-", "−")
    return ticks


def correlation_picture(_state: EnsembleState, result: EnsembleResult, is_large: bool) -> Picture:
    """Draw how alike the classifiers rank within a class."""
    correlation = result.ensemble.correlation
    is_in = np.isin(np.arange(len(correlation)), result.members)
    picture = pictures.correlation_picture(correlation, is_large, is_in=is_in)
    label = f"correlation in a class, mean {signed(result.crowd.mean_correlation)}"
    # a small one fills its room, which is wide
    return replace(picture, x=replace(picture.x, label=label), is_square=is_large)


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
        text = str(k + 1)
        if is_large:
            if not state.is_sandbox:
                text = numbered(short[name], k)
            text += f", rank {rank_text(ranks[k])}" if k in ranks else ", not in"
        names.append(text)
    kind = "positive" if result.item_is_positive else "negative"
    row_height = None
    if not is_large and len(state.panels) > MAX_PANELS_OF_FULL_SIZE:
        row_height = 3 * ROW_HEIGHT
    return pictures.evidence_picture(
        values,
        total,
        [*names, "sum"],
        is_large,
        note=(item_words(state, brief=not is_large), f"{kind}-text"),
        full=pictures.evidence_limit([*item.contributions[0], total]),
        classes=state.class_names,
        row_height=row_height,
    )
