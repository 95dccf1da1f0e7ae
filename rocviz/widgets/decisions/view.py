"""The decision explorer's pictures: predicted positives, cuts, thresholds and outcomes."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.decisions.decision import Decision
from rocviz.displays.decisions.decision import width_between
from rocviz.pictures.marks import Band, Dots, Handle, Knobs, Line, Words, words
from rocviz.pictures.picture import Axis, Picture
from rocviz.pictures.room import ROW, Room
from rocviz.pictures.ticks import UNIT_TICKS, count_ticks, round_ticks, spread, ticks_around
from rocviz.widgets.decisions.result import DecisionResult
from rocviz.widgets.decisions.state import DecisionState
from rocviz.widgets.decisions.words import RULE_NAMES, threshold_text, utility_text
from rocviz.words import amount, number, shorten

Floats = NDArray[np.float64]

# ---------------------------------------------------------------------- probabilities

COLUMNS = 200  # of the ranking that can be distinguished
GAP = 0.08  # on each side of a column, where there are few
# where the handle of the cut is, where the number on each side of it is written, and the top
LARGE, SMALL = (1.08, 1.21, 1.27), (1.15, 1.4, 1.5)
FOUND = -0.07  # where the best of all labellings is marked


def columns(prob: Floats, first: int, last: int) -> tuple[Any, Any]:
    """Compute the outline of columns for part of a ranking: x, and y above 0."""
    if first == last:
        return (), ()
    few = prob.size <= 60
    count = last - first if few else min(last - first, COLUMNS)
    edges = np.unique(np.linspace(first, last, count + 1).round().astype(np.int64))
    height = np.add.reduceat(prob[first:last], edges[:-1] - first) / np.diff(edges)
    if not few:
        return edges.repeat(2)[1:-1].astype(np.float64), height.repeat(2)
    left, right = edges[:-1] + GAP, edges[1:] - GAP
    x = np.column_stack((left, left, right, right)).ravel()
    nothing = np.zeros(height.size)
    return x, np.column_stack((nothing, height, height, nothing)).ravel()


def probability_picture(state: DecisionState, result: DecisionResult, is_large: bool) -> Picture:
    """Draw probabilities in decreasing order, cut where the handle is."""
    n, k, prob = result.truth.n_samples, result.k, result.truth.prob
    tried = result.search if is_large else None
    head, name, top = LARGE if is_large else SMALL
    low = -0.13 if tried is not None else -0.04
    parts, names = [], []
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
    believed = columns(result.believed.prob, 0, n) if result.is_miscalibrated else ((), ())
    at = np.arange(n) + 0.5
    chosen = np.ones(n, dtype=bool) if tried is None else tried.positive
    listed = [at[chosen], at[~chosen]] if tried is not None else [(), ()]
    said = "most probable first; ● best labelling"
    return Picture(
        Axis(
            said if tried is not None else "samples, the most probable first",
            -0.02 * n,
            1.02 * n,
            count_ticks(n),
            pad=0.0,
        ),
        Axis("probability of a positive", low, top, UNIT_TICKS, pad=0.0),
        (
            *parts,
            Line("half", "reference", (0.0, n), (0.5, 0.5), dash="dotted", width=1.8),
            Line("belief", "ranking", *believed, width=2.0),
            Line("cut", "held", (k, k), (0.0, head)),
            Dots(
                "not chosen",
                "paper",
                listed[1],
                np.full(len(listed[1]), FOUND),
                rim="reference",
                size=90,
            ),
            Dots(
                "chosen", "optimum", listed[0], np.full(len(listed[0]), FOUND), size=90, width=2.0
            ),
            *names,
            words("words", _belief_name(result, top) if is_large else [], "middle"),
            _knobs(state, result, is_large),
            Handle("cut handle", "held", [k], [head], along="x"),
        ),
        is_square=False,
        is_large=is_large,
    )


def _knobs(state: DecisionState, result: DecisionResult, is_large: bool) -> Knobs:
    """Draw a knob on each column, where probabilities can be edited."""
    if not (state.can_edit and is_large):
        return Knobs("items", "held", along="y")
    prob, order = result.truth.prob, result.truth.order
    # "drag" stands above the last columns, where there is nothing
    hint = (prob.size - 0.3, float(prob[-1 if prob.size < 7 else -2]) + 0.06)
    chosen = np.flatnonzero(order == state.item - 1)
    return Knobs(
        "items",
        "held",
        np.arange(prob.size) + 0.5,
        prob,
        along="y",
        hint=hint,
        chosen=int(chosen[0]) if chosen.size else -1,
        keys=[int(item) + 1 for item in order],
    )


def _belief_name(result: DecisionResult, top: float) -> list[tuple[float, float, str, str]]:
    """Write what the line is, above it; the words stay when the cut is dragged."""
    if not result.is_miscalibrated:
        return []
    n = result.truth.n_samples
    at = np.unique(np.linspace(0, n - 1, min(n, 50)).astype(np.int64))
    room = Room((0.0, float(n)), (-0.04, 1.0))
    for prob in (result.truth.prob, result.believed.prob):
        room.take(at + 0.5, prob[at])
    # where the cut stands at first
    room.take([result.n_predicted_positive] * 2, [0.0, 1.2], spare=True)
    upper = np.maximum(result.truth.prob, result.believed.prob)[at] + 0.08
    place = room.place("line: believed", at[::5], upper[::5])
    return [(*place, "line: believed", "text")] if place else []


# ---------------------------------------------------------------------- utilities

POINTS = 300  # of a curve
FEW = 30  # samples whose cuts are shown as dots
SIDES = ("believed", "really")  # of a miscalibrated curve
SEEN = 0.01  # of the height: curves nearer to each other look like one


def compared(state: Any, result: DecisionResult) -> list[tuple[str, Decision]]:
    """List the decisions of the metrics that are compared, by name."""
    names = dict(zip(state.shown, result.decisions.items(), strict=True))
    return [names[name] for name in state.compared if name != state.metric]


def marked(result: DecisionResult) -> list[tuple[int, str, str]]:
    """List the cuts of the rules, their names and roles; equal cuts together."""
    counts = "on the labels" if result.realised is not None else "on expected counts"
    cuts: dict[int, list[str]] = {}
    for k, name in (
        (result.n_predicted_positive, "best"),
        (result.k_eum, counts),
        (result.k_half, "one half"),
    ):
        cuts.setdefault(k, []).append(name)
    inks = {"best": "optimum-text", counts: "negative-text", "one half": "text"}
    return [(k, ", ".join(names), inks[names[0]]) for k, names in cuts.items()]


def utility_limits(state: Any, result: DecisionResult) -> tuple[float, float]:
    """Bound the values of all curves that are drawn."""
    curves = [result.decision.utilities, result.plug_in, result.paid]
    curves += [decision.utilities for _, decision in compared(state, result)]
    low, high = min(c.min() for c in curves), max(c.max() for c in curves)
    if 0 <= low < 0.5 * high:
        low = 0.0
    if high - low < 1e-6 * max(1.0, abs(high)):
        half = 0.5 * max(1.0, abs(high))
        low, high = low - half, high + half
    return float(low), float(high)


def utility_picture(state: DecisionState, result: DecisionResult, is_large: bool) -> Picture:
    """Draw the expected value of every cut, for one metric or several."""
    others = compared(state, result)
    n, curve, paid, k = result.truth.n_samples, result.decision.utilities, result.paid, result.k
    ticks = ticks_around(*utility_limits(state, result))
    low, high = float(ticks[0]), float(ticks[-1])
    wide = 1.45 * n if others and is_large else n
    star, best = result.n_predicted_positive, result.k_best
    at = np.unique(np.linspace(0, n, min(n + 1, POINTS)).round().astype(np.int64))
    at = np.union1d(at, [star, best])
    off = result.is_miscalibrated
    few = at if n <= FEW and is_large else at[:0]
    curves = np.array([one.utilities[at] for _, one in others]).reshape(-1, at.size)
    best_of_others = np.array([(one.n_predicted_positive, one.utility) for _, one in others])
    rules = {"k_eum": ("second", "square", 150, 2.5), "k_half": ("text", "diamond", 130, 2.0)}
    picture = Picture(
        Axis("called positive, k", 0.0, wide, count_ticks(n)),
        Axis(f"expected {result.label}", low, high, ticks),
        (
            Line("others", "muted", np.tile(at, (len(others), 1)), curves, width=1.6),
            Line("held", "held", (k, k), (low, paid[k]), width=1.6, yields=True),
            Line("plug-in", "second", at, result.plug_in[at], dash="dashed", width=2.0),
            Line(
                "price",
                "optimum",
                [star] * 2 if off else (),
                (curve[star], paid[star]),
                dash="dotted",
                width=2.0,
                yields=True,
            ),
            Line("curve", "ranking", at, curve[at]),
            Line("paid", "hull", at if off else (), paid[at]),
            Dots("points", "ranking", few, curve[few], size=40),
            Dots(
                "other rings",
                "paper",
                *best_of_others.reshape(-1, 2).T,
                rim="optimum",
                size=80,
                width=2.0,
            ),
            words("names", [], bold=False),
            words("words", [], "middle"),
            Dots(
                "rings",
                "transparent",
                (star, star, best),
                (curve[star], paid[star], paid[best]),
                rim="optimum",
                size=600,
                width=3.0,
            ),
            *(
                Dots(
                    rule,
                    "paper",
                    [getattr(result, rule)] if is_large else (),
                    paid[[getattr(result, rule)]],
                    rim=role,
                    marker=marker,
                    size=size,
                    width=width,
                )
                for rule, (role, marker, size, width) in rules.items()
            ),
            Handle("cut", "held", [k], [paid[k]]),
        ),
        is_square=False,
        is_large=is_large,
    )
    return picture.with_marks(*_utility_names(picture, result, others, at)) if is_large else picture


def _utility_names(
    picture: Picture, result: DecisionResult, others: list[tuple[str, Any]], at: NDArray[np.int64]
) -> list[Words]:
    """Write what is what: compared metrics at their ends, the rest where there is room."""
    n, curve = result.truth.n_samples, result.decision.utilities
    (left, right), (low, high) = picture.x.limits, picture.y.limits
    end = 1.03 * n if others else right  # names of compared metrics stand beyond
    room = Room((left, end), (low, high), (end - left) / (right - left))
    few = at[:: max(at.size // 60, 1)]
    late = few[few >= 0.35 * n]
    for each in (curve, result.plug_in, result.paid, *(one.utilities for _, one in others)):
        room.take(few, each[few])
    rows = []
    for k, text, ink in marked(result):
        above = result.paid[k] + 0.12 * (high - low)
        for name in dict.fromkeys((text, text.split(", ")[0])):
            if place := room.place(name, k, above):
                rows.append((*place, name, ink))
                break
    kinds = _curve_kinds(result)
    named = {text for *_, text, _ in rows}
    for text, ink, height in kinds:
        if text in named or (others and text in SIDES):
            continue
        if place := room.place(text, late[::6], height[late[::6]]):
            rows.append((*place, text, ink))
    marks = [words("words", rows, "middle")]
    if others:
        ends = [(m, "muted", one.utilities) for m, one in others]
        if result.is_miscalibrated:
            ends += [kind for kind in kinds if kind[0] in SIDES]
        else:
            ends.append((result.label, "text", curve))
        heights = np.array([height[-1] for *_, height in ends])
        places = spread(heights, ROW * (high - low), low, high)
        beyond = [(1.06 * n, float(y), m, ink) for (m, ink, _), y in zip(ends, places, strict=True)]
        marks.append(words("names", beyond, bold=False))
    return marks


def _curve_kinds(result: DecisionResult) -> list[tuple[str, str, Floats]]:
    """List the name, role and heights of each kind of curve."""
    curve, dashed = result.decision.utilities, result.plug_in
    kinds = []
    if result.is_miscalibrated:
        kinds += [("really", "hull-text", result.paid), ("believed", "text", curve)]
    span = max(float(np.ptp(np.concatenate((curve, dashed, result.paid)))), 1e-9)
    if not result.is_preview and (
        width_between(np.linspace(0, 1, curve.size), curve / span, dashed / span) > SEEN
    ):
        kinds.append(("on expected counts", "negative-text", dashed))
    return kinds


# ---------------------------------------------------------------------- thresholds

MARKS = {
    "dta": ("○", "optimum"),
    "eum": ("□", "negative"),
    "half": ("◇", ""),
    "held": ("●", "held"),
}
# where names begin and two columns of numbers end beside a large picture
NAMES, CUT, MANY, WIDE = -0.66, 1.38, 1.81, 1.83
MOST_NAMES = 9  # one above the other beside a small picture
NAME = 10  # letters of a metric's name that have room beside its row


def rule_rows(result: DecisionResult) -> list[tuple[str, str, str, str, str]]:
    """List each rule: its key, threshold, number of positives and what it is worth."""
    realised = result.realised
    return [
        (
            rule,
            threshold_text(result.believed.threshold(k)),
            amount(k),
            utility_text(float(result.paid[k])),
            "" if realised is None else utility_text(float(realised[k])),
        )
        for rule, k in result.rules()
    ]


def rule_heads(result: DecisionResult) -> tuple[str, ...]:
    """Write the headings of the rows of rules."""
    start = "believed" if result.is_miscalibrated else "from"
    worth = "really" if result.is_miscalibrated else "expected"
    last = ("on labels",) if result.realised is not None else ()
    return (f"rules for {result.label}", start, "positive", worth, *last)


def rules_table(_state: DecisionState, result: DecisionResult, is_large: bool) -> str:
    """Write four rules for the metric held as a table; a small picture has none."""
    if not is_large:
        return ""
    heads = "".join(f"<th>{escape(text)}</th>" for text in rule_heads(result))
    rows = []
    for rule, *cells in rule_rows(result):
        sign, role = MARKS[rule]
        inked = f'<b class="rocviz-{role}">{sign}</b>' if role else f"<b>{sign}</b>"
        texts = "".join(f"<td>{text}</td>" for text in cells if text)
        rows.append(f"<tr><th>{inked} {RULE_NAMES[rule]}</th>{texts}</tr>")
    return (
        '<table class="rocviz-confusion" style="font-size:.86em">'  # five columns have to fit
        f"<tr>{heads}</tr>{''.join(rows)}</table>"
    )


def threshold_picture(_state: DecisionState, result: DecisionResult, is_large: bool) -> Picture:
    """Draw each metric's threshold on one axis."""
    rows = list(result.decisions.items())
    count = len(rows)
    at = np.array([min(decision.threshold, 1.0) for _, decision in rows])
    y = -np.arange(float(count))
    levels = np.column_stack((y, y))
    held = min(result.believed.threshold(result.k), 1.0)
    names = [
        (-0.06, level, shorten(name if i else result.label, NAME), "muted" if i else "text")
        for i, ((name, _), level) in enumerate(zip(rows, y.tolist(), strict=True))
    ]
    if not is_large:  # of more than have room every second one; the first is that held
        names = names[:: -(-count // MOST_NAMES)]
    numbers = []
    if is_large:
        start = "believed" if result.is_miscalibrated else "from"
        numbers = [(CUT, 1.0, start, "muted"), (MANY, 1.0, "k", "muted")]
        for (_, decision), level in zip(rows, y.tolist(), strict=True):
            cut, many = threshold_text(decision.threshold), amount(decision.n_predicted_positive)
            numbers += [(CUT, level, cut, "text"), (MANY, level, many, "text")]
    ends = {"negative": (np.zeros(count), at), "positive": (at, np.ones(count))}
    return Picture(
        Axis(
            "probability of a positive",
            *((NAMES, WIDE) if is_large else (-0.62, 1.06)),
            (0.0, 0.5, 1.0),
            pad=0.0,
        ),
        Axis("", 0.4 - count, 1.6 if is_large else 0.6, (), pad=0.0, is_shown=False),
        (
            *(
                Line(role, role, np.column_stack(each), levels, width=5.0, opacities=(0.6,))
                for role, each in ends.items()
            ),
            Line("held", "held", (held, held), (0.5, 0.5 - count), width=2.0),
            Dots("rings", "paper", at, y, rim="optimum", size=110, width=2.5),
            words("names", names, "end", bold=False),
            words("numbers", numbers, "end", bold=False),
        ),
        is_square=False,
        is_large=is_large,
    )


# ---------------------------------------------------------------------- outcomes


def outcome_limits(result: DecisionResult) -> tuple[float, float]:
    """Choose the range of the axis: from 0 to 1 for rates, unless values are close together."""
    law, realised = result.outcomes, result.realised
    points = law.values if realised is None else np.append(law.values, realised[result.k])
    low, high = float(points.min()), float(points.max())
    if low >= -1e-9 and high <= 1 + 1e-9 and high - low > 0.25:
        return 0.0, 1.0
    room = 0.12 * (high - low) if high > low else 0.1 * max(abs(high), 0.5)
    # whole steps, so that the axis holds still while a cut moves a little
    step = 10.0 ** np.floor(np.log10(max(high - low, room)))
    left = float(np.floor((low - room) / step) * step)
    return left if low < 0 else max(left, 0.0), float(np.ceil((high + room) / step) * step)


def outcome_rows(result: DecisionResult) -> list[tuple[str, str]]:
    """List what is to be said of the law, and each row's role."""
    law = result.outcomes
    rows = [(f"mean {utility_text(law.mean)} ± {number(law.std)}", "held-text")]
    if result.realised is not None:
        got = utility_text(float(result.realised[result.k]))
        rows.append((f"on the labels {got}", "positive-text"))
    how = f"{amount(law.n_draws)} outcomes, drawn" if law.n_draws else "all outcomes weighed"
    return [*rows, ("preview: normal counts" if result.is_preview else how, "muted")]


def outcome_picture(_state: DecisionState, result: DecisionResult, is_large: bool) -> Picture:
    """Draw the probability of each value of the metric, at the chosen cut."""
    law = result.outcomes
    low, high = outcome_limits(result)
    rows = outcome_rows(result) if is_large else []
    ticks = ticks_around(0.0, float(law.chances.max()), 3)
    peak = float(ticks[-1])
    # the words stand above the highest stem
    top = peak / (1 - ROW * (len(rows) + 0.5) * bool(rows))
    stems = np.column_stack((np.zeros(law.values.size), law.chances))
    left = low + 0.02 * (high - low)
    written = [(left, top * (1 - (i + 0.6) * ROW), *row) for i, row in enumerate(rows)]
    got: Any = () if result.realised is None else [result.realised[result.k]] * 2
    values = np.column_stack((law.values, law.values))
    return Picture(
        Axis(result.label, low, high, round_ticks(low, high), pad=0.02),
        Axis("probability", 0.0, top, ticks, pad=0.02),
        (
            Line("stems", "ranking", values, stems, width=5.0, opacities=(0.55,)),
            Line("mean", "held", [law.mean] * 2, (0.0, peak)),
            Line("on the labels", "positive", got, (0.0, peak), dash="dashed"),
            words("words", written),
        ),
        is_square=False,
        is_large=is_large,
    )
