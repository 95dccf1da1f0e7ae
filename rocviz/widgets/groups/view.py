"""The pictures of the groups explorer: curves, scores, rates and what a promise costs."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocviz.pictures.marks import Band, Dots, Handle, Line, Mark, diagonal, ring, words
from rocviz.pictures.picture import Axis, Picture
from rocviz.pictures.ticks import UNIT_TICKS, round_ticks
from rocviz.widgets.groups.data import MOST, Group
from rocviz.widgets.groups.result import GroupsResult
from rocviz.widgets.groups.state import GroupsState
from rocviz.words import number, short_names

#: Colour and shape of each group that is drawn, in their order.
LOOKS = (
    ("ranking", "circle"),
    ("group-2", "square"),
    ("group-3", "diamond"),
    ("group-4", "triangle-up"),
    ("second", "triangle-down"),
    ("reference", "plus"),
)
SANDBOX = 3  # groups at most: pictures of a sandbox have marks for all of them
STEP = 0.056  # from one line of words to the next, as a share of the height
NOWHERE: Any = ((), ())

#: What is drawn of a rate of each group: its label, and the promises that make it equal.
RATES = (
    ("called positive", ("demographic_parity",)),
    ("of the positives", ("equal_opportunity", "equalized_odds")),
    ("of the negatives", ("predictive_equality", "equalized_odds")),
    ("right, of the called", ("predictive_parity",)),
)
VALUES = {
    "none": "share called in the group in hand",
    "single_threshold": "threshold of all",
    "demographic_parity": "share called in each group",
    "equal_opportunity": "true positive rate of each group",
    "predictive_equality": "false positive rate of each group",
    "equalized_odds": "false positive rate of each group",
    "predictive_parity": "precision of each group",
}


def places(state: GroupsState) -> int:
    """Count the groups that a picture has marks for."""
    return max(len(state.data.shown), SANDBOX if state.is_sandbox else 0)


def _drawn(state: GroupsState) -> list[Group | None]:
    shown = state.data.shown
    return [*shown, *[None] * (places(state) - len(shown))]


def roc_picture(state: GroupsState, result: GroupsResult, is_large: bool) -> Picture:
    """Draw the curves of the groups with their points, and what ties these."""
    marks: list[Mark] = []
    handles: list[Mark] = []
    rings: list[Mark] = []
    lines: list[Mark] = []
    ties: list[Mark] = []
    together = state.criterion == "equalized_odds"
    for i, group in enumerate(_drawn(state)):
        role = LOOKS[i][0]
        curve, hull, point, best, letter, tie = NOWHERE, NOWHERE, NOWHERE, NOWHERE, "", NOWHERE
        if group is not None:
            curve = group.thinned.fpr, group.thinned.tpr
            hull = (group.hull.fpr, group.hull.tpr) if state.show_hulls else NOWHERE
            best = np.transpose([result.free.points[group.name]])
            if not together or group.name == state.group:
                point = np.transpose([result.policy.points[group.name]])
                letter = "" if together else state.data.letters[group.name]
            tie = _tie(state, result, group.name)
        keys = (group.name,) if group else ()
        ties.append(
            Line(f"tie:{i}", _tie_role(state, role), *tie, dash="dashed", width=1.8, yields=True)
        )
        lines.append(Line(f"group:{i}", role, *curve, keys=keys, width=2.0))
        marks.append(Line(f"hull:{i}", "hull", *hull, dash="dashed", width=2.0))
        rings.append(ring(f"best:{i}", "optimum", *best))
        handles.append(
            Handle(f"point:{i}", "held", *point, letter=letter, is_hinted=_is_hinted(state, group))
        )
    common = NOWHERE
    if result.common is not None:
        x, y = result.common
        common = x, (x, y)
    picture = Picture(
        Axis("false positive rate"),
        Axis("true positive rate"),
        (
            Band("common", "held", *common, opacity=0.18),
            diagonal(),
            *ties,
            *lines,
            *marks,
            *rings,
            words("words", []),
            *handles,
        ),
        is_large=is_large,
    )
    short = short_names([group.name for group in state.data.shown], 16 if is_large else 8)
    rows = [
        (_caption(state, group, short[group.name], is_large), _ink(i))
        for i, group in enumerate(state.data.shown)
    ]
    if is_large:
        rows += [("hulls", "hull-text")] * state.show_hulls
        rows += [("what all can have", "held-text")] * together
        rows += [("own cheapest", "optimum-text")]
    # where no curve is that ranks better than a coin
    step = STEP * (1.0 if is_large else 2.2)
    high = step * np.arange(len(rows))[::-1]
    below = np.mean([group.segments.auc for group in state.data.shown]) >= 0.5
    place, align, heights = 0.985, "end", 0.02 + high
    if not below:
        place, align, heights = 0.02, "start", 0.98 - high[::-1]
    written = [(place, y, *row) for y, row in zip(heights.tolist(), rows, strict=True)]
    return picture.with_marks(words("words", written, align))


def _caption(state: GroupsState, group: Group, short: str, is_large: bool) -> str:
    letter = state.data.letters[group.name]
    named = short if letter == short else f"{letter} {short}"
    return f"{named}, AUC {number(group.segments.auc)}" if is_large else named


def _is_hinted(state: GroupsState, group: Group | None) -> bool:
    return group is not None and group.name == state.group


def _tie_role(state: GroupsState, role: str) -> str:
    """Choose the colour of what ties the points: one of its own where each group has another."""
    return role if state.criterion in ("demographic_parity", "predictive_parity") else "held"


def _tie(state: GroupsState, result: GroupsResult, name: str) -> Any:
    """Draw the points of a group that keep the promise as it stands."""
    policy, value = result.policy, result.value
    if state.criterion == "equal_opportunity":
        return ((0.0, 1.0), (value, value)) if name == state.group else NOWHERE
    if state.criterion == "predictive_equality":
        return ((value, value), (0.0, 1.0)) if name == state.group else NOWHERE
    pi = policy.prevalence[name]
    fpr = np.array([0.0, 1.0])
    if state.criterion == "demographic_parity":
        return _within(fpr, (value - (1 - pi) * fpr) / pi)
    if state.criterion == "predictive_parity" and value > 0:
        return _within(fpr, fpr * (1 - pi) / pi * value / max(1 - value, 1e-9))
    return NOWHERE


def _within(x: Any, y: Any) -> Any:
    """Cut a straight line off at the border of ROC space."""
    (x0, x1), (y0, y1) = x, y
    slope = (y1 - y0) / (x1 - x0)
    ends = [(x0, y0), (x1, y1)]
    for i, (at, height) in enumerate(ends):
        inside = min(max(height, 0.0), 1.0)
        if inside != height and slope:
            ends[i] = at + (inside - height) / slope, inside
    (x0, y0), (x1, y1) = ends
    return (x0, x1), (y0, y1)


def scores_picture(state: GroupsState, result: GroupsResult, is_large: bool) -> Picture:
    """Draw the scores of each group by class, one above the other, with their thresholds."""
    low, high = state.data.bounds
    drawn = _drawn(state)
    n = len(state.data.shown)
    marks: list[Mark] = []
    handles: list[Mark] = []
    rows = []
    for i, group in enumerate(drawn):
        areas: dict[str, Any] = {"negative": NOWHERE, "positive": NOWHERE}
        line, point, letter, base = NOWHERE, NOWHERE, "", NOWHERE
        if group is not None:
            floor, histogram = float(n - 1 - i), group.histogram
            most = max(histogram.pos.max(), histogram.neg.max())
            x = np.repeat(histogram.edges, 2)[1:-1]
            for role, heights in (("negative", histogram.neg), ("positive", histogram.pos)):
                y = floor + 0.62 * np.repeat(heights, 2) / most
                areas[role] = x, (np.full(x.size, floor), y)
            rule = result.policy.rules[group.name]
            cuts = np.clip([rule.high, rule.low], low, high)
            line = (
                np.repeat(cuts[:, None], 2, axis=1),
                np.array([[floor, floor + 0.74], [floor, floor + 0.74]]),
            )
            point = [cuts[0]], [floor + 0.74]
            base = (low, high), (floor, floor)
            letter = state.data.letters[group.name]
            rows.append((low, floor + 0.5, letter, _ink(i)))
        for role, at in areas.items():
            marks.append(Band(f"{role}:{i}", role, *at, opacity=0.55))
        marks.append(Line(f"floor:{i}", "reference", *base, width=1.0))
        marks.append(Line(f"line:{i}", "held", *line, width=2.0))
        handles.append(
            Handle(
                f"cut:{i}",
                "held",
                *point,
                along="x",
                letter=letter,
                is_hinted=_is_hinted(state, group),
            )
        )
    ticks = UNIT_TICKS if (low, high) == (0.0, 1.0) else np.linspace(low, high, 5)
    return Picture(
        Axis("score", low, high, ticks, pad=0.03),
        Axis("", 0.0, float(n), (), pad=0.02, is_shown=False),
        (*marks, words("names", rows), *handles),
        is_square=False,
        is_large=is_large,
    )


def _ink(i: int) -> str:
    role = LOOKS[i][0]
    return "text" if role in ("ranking", "second", "reference") else role


def rates_picture(state: GroupsState, result: GroupsResult, is_large: bool) -> Picture:
    """Draw what each group gets: a row for each rate, a dot for each group."""
    policy = result.policy
    columns = (
        policy.called,
        {name: tpr for name, (_, tpr) in policy.points.items()},
        {name: fpr for name, (fpr, _) in policy.points.items()},
        policy.precision,
    )
    marks: list[Mark] = []
    labels, spans = [], []
    for k, ((label, promises), values) in enumerate(zip(RATES, columns, strict=True)):
        y = len(RATES) - 1.0 - k
        kept = state.criterion in promises
        labels.append((0.0, y + 0.42, label + " ✓" * kept, "held-text" if kept else "text"))
        known = np.array([v for v in values.values() if np.isfinite(v)])
        spans.append((known.min(), known.max()) if known.size else (0.0, 0.0))
    heights = np.arange(len(RATES))[::-1]
    marks.append(
        Line(
            "spans",
            "reference",
            np.array(spans),
            np.repeat(heights[:, None], 2, axis=1),
            width=5.0,
            opacities=(0.5,),
        )
    )
    for i, group in enumerate(_drawn(state)):
        at = NOWHERE
        if group is not None:
            x = np.array([values[group.name] for values in columns])
            good = np.isfinite(x)
            at = x[good], heights[good]
        role, shape = LOOKS[i]
        marks.append(
            Dots(f"dots:{i}", role, *at, rim="paper", marker=shape, size=150 if is_large else 110)
        )
    return Picture(
        Axis("share", ticks=UNIT_TICKS, pad=0.05),
        Axis("", -0.4, len(RATES) - 0.3, (), pad=0.0, is_shown=False),
        (*marks, words("labels", labels, bold=False)),
        is_square=False,
        is_large=is_large,
    )


def price_picture(state: GroupsState, result: GroupsResult, is_large: bool) -> Picture:
    """Draw the cost over what is equal in all groups, and the cheapest that promises nothing."""
    curve, policy = result.curve, result.policy
    value, cost = curve.value, curve.cost
    if value.size > MOST_POINTS:
        chosen = np.unique(np.linspace(0, value.size - 1, MOST_POINTS).round().astype(np.intp))
        value, cost = value[chosen], cost[chosen]
    finite = np.isfinite(value)
    value, cost = value[finite], cost[finite]
    low, high = float(value[0]), float(value[-1])
    unit = state.criterion != "single_threshold" or state.data.bounds == (0.0, 1.0)
    if unit:
        low, high = 0.0, 1.0
    elif low == high:
        low, high = low - 0.5, high + 0.5
    top = float(min(cost.max(), 3 * max(cost.min(), 0.05)))
    ticks = UNIT_TICKS if unit else round_ticks(low, high)
    held = float(np.clip(result.value, low, high)) if np.isfinite(result.value) else high
    picture = Picture(
        Axis(VALUES[state.criterion], low, high, ticks),
        Axis(
            "cost per person",
            0.0,
            1.1 * top,
            round_ticks(0.0, 1.1 * top, 4 if is_large else 2),
            pad=0.1,
        ),
        (
            Line("free", "optimum", (low, high), [result.free.cost] * 2, width=2.0, yields=True),
            Line("cost", "ranking", value, cost),
            words("words", []),
            ring("best", "optimum", [np.clip(curve.best_value, low, high)], [curve.best_cost]),
            Handle("price", "held", [held], [min(policy.cost, 1.1 * top)], along="x"),
        ),
        is_square=False,
        is_large=is_large,
    )
    if not is_large:
        return picture
    rows = [("cost of the promise", "text")] if state.criterion != "none" else []
    rows += [("cheapest without a promise", "optimum-text")]
    return picture.with_marks(words("words", picture.block(rows)))


MOST_POINTS = 400  # of a curve of costs
assert len(LOOKS) == MOST
