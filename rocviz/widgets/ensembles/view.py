"""The ensemble explorer's pictures: the crowd's AUC, its classifiers, who errs alike, the item."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.ensembles.experiment import EnsembleExperiment
from rocviz.pictures.marks import Dots, Line, Mark, Words, ring, words
from rocviz.pictures.picture import Axis, Picture
from rocviz.pictures.ticks import round_ticks, spread
from rocviz.widgets.base.panel import HTMLPanel
from rocviz.widgets.base.parts import colour
from rocviz.widgets.ensembles.result import EnsembleResult, round_limits
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

# what each method is drawn in and called: role, dash, few letters; the first lies on top
LOOKS = {
    "fidel": ("ranking", "solid", "FiDEL"),
    "correlation-aware": ("optimum", "dashed", "corr.-aware"),
    "woc": ("third", "dash_dotted", "WoC"),
    "best": ("second", "dashed", "best single"),
    "mean base": ("reference", "dotted", "mean"),
}

# of the width of a small picture, in units of what its axis shows: names before, numbers behind
NAMES, VALUES = 1.6, 1.0

DISTINGUISHABLE = 14  # classifiers whose correlations can be written into a large picture
IN_SMALL = 8  # and into a small one

# round ones with round reciprocals
TEMPERATURES = (
    *(1.0, 0.5, 0.25, 0.2, 0.16, 0.125, 0.1, 0.08, 0.0625, 0.05, 0.04, 0.032, 0.025, 0.02, 0.016),
    *(0.0125, 0.01, 0.008, 0.005, 0.004, 0.0025, 0.002, 0.001),
)
ROOM = 0.085  # distance of two circles, in units of the square they are in


# ---------------------------------------------------------------------- the crowd


def crowd_picture(state: EnsembleState, result: EnsembleResult, is_large: bool) -> Picture:
    """Draw AUCs of single classifiers and of the crowd: now, or against the crowd's size."""
    experiment = result.experiment
    x, y, marks = (
        _rows(state, result, is_large) if experiment is None else _by_size(experiment, is_large)
    )
    here = {mark.name: mark for mark in marks}
    # all are there from the start, in the order they are drawn in
    every = [here.get(mark.name, mark) for mark in (*_NO_ROWS, *_NO_CURVES)]
    return Picture(x, y, tuple(every), is_square=False, is_large=is_large)


_NO_ROWS: list[Mark] = [
    Line("tracks", "grid"),
    Line("best", "second"),
    Dots("singles", "second"),
    Line("gains", "muted"),
    Dots("now", "text"),
    *(Words(f"{what} {strong}", "text") for what in ("name", "value") for strong in (False, True)),
]
_NO_CURVES: list[Mark] = [
    *(
        Line(f"{part} {method}", role)
        for method, (role, *_) in reversed(LOOKS.items())
        for part in ("rim", "bars", "line")[role != "third" :]
    ),
    Line("leaders", "reference"),
    Words("ends", "text"),
]


def _rows(
    state: EnsembleState, result: EnsembleResult, is_large: bool
) -> tuple[Axis, Axis, list[Mark]]:
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
            each=[LOOKS[method][0] for method, *_ in listed],
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
    return across, Axis("", -4.55, 0.55, (), pad=0.02, is_shown=False), marks


def _by_size(experiment: EnsembleExperiment, is_large: bool) -> tuple[Axis, Axis, list[Mark]]:
    """Draw every method's AUC against the size of the crowd."""
    columns = [experiment.methods.index(method) for method in LOOKS]
    auc, error = experiment.auc[:, columns].T, 2 * experiment.standard_error[:, columns].T
    sizes, m = experiment.n_classifiers, int(experiment.n_classifiers[-1])
    left, right = 0.4, 0.4 + (m - 0.1) / 0.53  # the rest of the width is for the words
    low, high = round_limits(np.concatenate(((auc - error).ravel(), (auc + error).ravel())))
    every = 1 if m <= 8 else 2 if m <= 16 else -(-m // 8)
    marks: list[Mark] = []
    for k, (method, (role, dash, _name)) in enumerate(LOOKS.items()):
        x = sizes + 0.05 * (k - 2.0)
        if role == "third":
            marks.append(Line(f"rim {method}", "text", x, auc[k], width=4.5))
        bars = np.column_stack((auc[k] - error[k], auc[k] + error[k]))
        marks.append(Line(f"bars {method}", role, np.column_stack((x, x)), bars, width=2.0))
        marks.append(Line(f"line {method}", role, x, auc[k], dash=dash))
    ends, reach = auc[:, -1], right - left
    places = spread(ends, (0.066 if is_large else 0.16) * (high - low), low, high)
    leaders = np.array([[m + 0.035 * reach, m + 0.07 * reach]] * 5)
    marks.append(Line("leaders", "reference", leaders, np.column_stack((ends, places)), width=1.0))
    names = [
        (m + 0.08 * reach, y, name, "text")
        for y, (_, _, name) in zip(places, LOOKS.values(), strict=True)
    ]
    marks.append(words("ends", names))
    across = Axis(
        "crowd size; bars: ± 2 standard errors",
        left,
        right,
        np.arange(1, m + 1)[::-1][::every][::-1],
        pad=0.02,
    )
    return across, Axis("AUC", low, high, round_ticks(low, high), pad=0.02), marks


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
    """Say in a corner what a temperature is, where no circle is."""
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


class CorrelationPanel(HTMLPanel):
    """How alike the classifiers rank within a class, as a square of shaded numbers."""

    def html(self, state: EnsembleState, result: EnsembleResult) -> str:
        """Write the body in HTML."""
        c, names = result.ensemble.correlation, result.ensemble.names
        many = len(names)
        written = many <= (DISTINGUISHABLE if self.is_large else IN_SMALL)
        most, heads = (20, 10) if self.is_large else (8, 6)
        every = 1 if many <= most else -(-many // heads)

        def head(k: int) -> str:
            out = "" if k in result.members else " is-out"
            text = k + 1 if k % every == 0 else ""
            return f'<span class="head{out}" title="{escape(names[k])}">{text}</span>'

        cells = ["<span></span>", *(head(k) for k in range(many))]
        for i in range(many):
            cells.append(head(i))
            for j in range(many):
                out = "" if i in result.members and j in result.members else ' class="is-out"'
                if i == j:
                    cells.append(f"<span{out}></span>")
                    continue
                text = signed(c[i, j]).replace("0.", ".", 1).replace("+", "")
                role = "text" if c[i, j] >= 0 else "second"
                shade = 45 * abs(c[i, j])
                back = f"color-mix(in srgb,{colour(role)} {shade:.0f}%,{colour('grid')})"
                cells.append(
                    f'<span{out} style="background:{back}" title="{i + 1}, {j + 1}: {text}">'
                    f"{text if written else ''}</span>"
                )
        mean = signed(result.crowd.mean_correlation)
        what = "correlation within a class, mean" if self.is_large else "mean correlation"
        return (
            f'<div class="rocviz-fill"><div class="muted">{what} {mean}</div>'
            f'<div class="rocviz-matrix" style="--n:{many + 1};--rest:{many}">'
            f"{''.join(cells)}</div></div>"
        )


class EvidencePanel(HTMLPanel):
    """What each classifier says of one item: bars to either side of zero, and their sum."""

    def html(self, state: EnsembleState, result: EnsembleResult) -> str:
        """Write the body in HTML."""
        item, total = result.item, float(result.item.log_likelihood_ratio[0])
        full = _round_up(max(float(np.abs(item.contributions).max()), abs(total), 1.0))
        where = {place: k for k, place in enumerate(result.members)}
        large, rows = self.is_large, []
        # per cent of the track that the longest bar takes: its number has room beside the names
        reach = 24.0 if not large else 30.0 if state.is_sandbox else 18.0
        short = short_names(result.ensemble.names, 16)
        for place, name in enumerate(result.ensemble.names):
            k = where.get(place)
            whole = numbered(name, place)
            plain = state.is_sandbox or not large
            text = str(place + 1) if plain else escape(numbered(short[name], place))
            head = f'<span class="name" title="{escape(whole)}">{text}</span>'
            if k is None:
                cell = '<span class="rank">not in</span>' * large
                rows.append(f'<div class="row is-out">{head}{cell}{_track()}</div>')
                continue
            rank = rank_text(float(item.ranks[0, k]))
            cell = f'<span class="rank">rank {rank}</span>' * large
            bar = _track(float(item.contributions[0, k]), full, reach=reach)
            rows.append(f'<div class="row">{head}{cell}{bar}</div>')
        kind = "positive" if result.item_is_positive else "negative"
        words = escape(item_words(state, brief=not large)).replace(
            kind, f'<b class="is-{kind}">{kind}</b>', 1
        )
        first = f"<div>{words}</div>"
        ends = ""
        if large:
            ends = (
                '<div class="row"><span class="name"></span><span class="rank muted">of '
                f'{result.ensemble.n_samples:,}</span><span class="track ends">'
                '<span class="is-negative">← negative</span>'
                '<span class="is-positive">positive →</span></span></div>'
            )
        last = '<span class="rank"></span>' * large
        look = " wide" * (large and not state.is_sandbox)
        count = len(rows) + 1 + large
        return (
            f'<div class="rocviz-fill">{first}'
            f'<div class="rocviz-evidence{look}" style="--rows:{count}">'
            f"{ends}{''.join(rows)}"
            f'<div class="row sum"><span class="name">sum</span>{last}'
            f"{_track(total, full, 'ranking', reach=reach)}</div></div></div>"
        )


def _round_up(value: float) -> float:
    """Round up to the next round number, so that the scale seldom changes."""
    base = 10.0 ** np.floor(np.log10(value))
    return float(
        next(base * k for k in (1, 1.5, 2, 3, 4, 6, 8, 10) if base * k >= value * (1 - 1e-9))
    )


def _track(
    value: float | None = None,
    full: float = 1.0,
    role: str | None = None,
    *,
    reach: float = 33.0,
) -> str:
    """Write the track of a bar, with its number behind its end."""
    if value is None:
        return '<span class="track"><i></i></span>'
    share = reach * min(abs(value) / full, 1.0)
    role = role or ("positive" if value > 0 else "negative")
    start = 50.0 if value >= 0 else 50 - share
    side = f"left:{50 + share:.2f}%" if value >= 0 else f"right:{50 + share:.2f}%"
    return (
        '<span class="track"><i></i>'
        f'<span style="left:{start:.2f}%;width:{share:.2f}%;background:{colour(role)}"></span>'
        f'<b style="{side}">{signed(value)}</b></span>'
    )
