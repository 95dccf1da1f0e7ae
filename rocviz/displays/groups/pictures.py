"""Pictures of groups as values: curves, scores, rates and the cost of a criterion.

They are shared by the display and the explorer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.groups.policy import EQUALISED_RATES, CriterionCurve, GroupPolicy
from rocviz.core.groups.summary import RATES as COMPARED_RATES
from rocviz.core.roc.geometry import ThinnedCurve
from rocviz.core.roc.metrics import METRICS
from rocviz.core.roc.segments import RankedSegments, ScoreHistogram, score_histogram
from rocviz.displays.roc.crowd import MAX_NAME_LETTERS as MAX_CLASS_LETTERS
from rocviz.displays.roc.crowd import Bar, PeopleScene, Queue, Row, Threshold, dots_of
from rocviz.displays.roc.crowd import people_picture as draw_people
from rocviz.pictures import (
    Axis,
    Band,
    Dots,
    Entry,
    Handle,
    Legend,
    Line,
    Mark,
    Picture,
    diagonal,
    ring,
    round_ticks,
    some_of,
    words,
)
from rocviz.words import UNNAMED, ClassNames, letters, number, percent, short_names, shorten

#: Colours and markers of the groups drawn, in order.
GROUP_STYLES = (
    ("ranking", "circle"),
    ("group-2", "square"),
    ("group-3", "diamond"),
    ("group-4", "triangle-up"),
    ("second", "triangle-down"),
    ("reference", "plus"),
)
NO_POINTS: Any = ((), ())

#: The rates drawn of each group, in the order of the criteria that equalise them.
RATES = tuple(dict.fromkeys([*chain(*EQUALISED_RATES.values()), *COMPARED_RATES]))
VALUE_LABELS = {
    "none": "share predicted {positive} in the selected group",
    "single_threshold": "threshold of all",
    "demographic_parity": "share predicted {positive} in each group",
    "equal_opportunity": "true positive rate of each group",
    "predictive_equality": "false positive rate of each group",
    "equalized_odds": "false positive rate of each group",
    "predictive_parity": "precision of each group",
}


MAX_GROUPS = len(GROUP_STYLES)  # largest number of groups drawn, which are the largest groups
N_BINS = 25
MAX_NAME_LETTERS = {True: 16, False: 10}  # of a class in a large or a small picture
MAX_AXIS_LETTERS = 30  # of the name of the scores
EQUAL_WITHIN = 0.005  # by how much rates may differ that are spoken of as equal


class Group:
    """The ranking of a group, with its curve and points."""

    def __init__(self, name: str, segments: RankedSegments) -> None:
        self.name = name
        self.segments = segments
        self._queues: dict[Any, Queue] = {}

    def queue(self, bounds: tuple[float, float], per_dot: float) -> Queue:
        """Line its people up in columns, between bounds that all groups share."""
        key = (bounds, per_dot)
        if key not in self._queues:
            self._queues[key] = Queue.of(self.segments, bounds, per_dot)
        return self._queues[key]

    @cached_property
    def thinned(self) -> ThinnedCurve:
        """The curve, reduced to the vertices that a picture needs."""
        return self.segments.thin(600)

    @cached_property
    def hull(self) -> ThinnedCurve:
        """The hull, reduced in the same way."""
        return self.segments.hull().thin(200)

    @cached_property
    def histogram(self) -> ScoreHistogram:
        """Scores by class."""
        return score_histogram(self.segments, bins=N_BINS)


def largest_groups(rankings: Mapping[str, RankedSegments]) -> tuple[Group, ...]:
    """Choose the groups to draw, in order."""
    names = list(rankings)
    sizes = [segments.n_samples for segments in rankings.values()]
    largest = sorted(np.argsort(sizes, kind="stable")[::-1][:MAX_GROUPS])
    return tuple(Group(names[i], rankings[names[i]]) for i in largest)


def group_letters(shown: Sequence[Group]) -> dict[str, str]:
    """Choose one or two letters for the handle of each group drawn."""
    names = [group.name for group in shown]
    if all(len(name) <= 2 for name in names):
        return {name: name for name in names}
    first = [name[:1].upper() for name in names]
    chosen = first if all(first) and len(set(first)) == len(first) else "ABCDEF"
    return dict(zip(names, chosen, strict=False))


def score_bounds(rankings: Mapping[str, RankedSegments]) -> tuple[float, float]:
    """Find the range of the scores: [0, 1] where all are within."""
    low = min(float(segments.score[-1]) for segments in rankings.values())
    high = max(float(segments.score[0]) for segments in rankings.values())
    if low >= 0 and high <= 1:
        return 0.0, 1.0
    return (low, high) if low < high else (low - 0.5, high + 0.5)


@dataclass(frozen=True, eq=False)
class GroupsScene:
    """The contents of pictures of groups.

    Parameters
    ----------
    shown : tuple of Group
        The groups drawn.
    letters : mapping of str to str
        Letters on the groups' handles.
    bounds : tuple of float
        Range of the scores.
    criterion : str
        The criterion of the policy.
    policy, free : GroupPolicy
        The current policy, and the cost-optimal one without a criterion.
    curve : CriterionCurve
        The cost of the criterion at each value.
    value : float
        The value that is equal in all groups.
    group : str
        The selected group.
    common : tuple of ndarray, optional
        Border of the points that all groups can reach: fpr and tpr.
    show_hulls : bool
    intervals : mapping of str to sequence of (float, float), optional
        Intervals of the four rates of each group.
    classes : ClassNames, optional
        Names of the two classes.
    score : str, optional
        Name of the scores.
    """

    shown: tuple[Group, ...]
    letters: Mapping[str, str]
    bounds: tuple[float, float]
    criterion: str
    policy: GroupPolicy
    free: GroupPolicy
    curve: CriterionCurve
    value: float
    group: str
    common: tuple[Floats, Floats] | None = None
    show_hulls: bool = True
    intervals: Mapping[str, Sequence[tuple[float, float]]] | None = None
    classes: ClassNames = UNNAMED
    score: str = "score"

    @property
    def together(self) -> bool:
        """Whether all groups share one point."""
        return self.criterion == "equalized_odds" and not self.policy.tolerance


def equal_value(policy: GroupPolicy, criterion: str, group: Any) -> float:
    """Read the value that a policy equalises, from one of the groups."""
    fpr, tpr = policy.points[group]
    return {
        "none": policy.predicted_positive_rate[group],
        "single_threshold": policy.rules[group].upper_threshold,
        "demographic_parity": policy.predicted_positive_rate[group],
        "equal_opportunity": tpr,
        "predictive_equality": fpr,
        "equalized_odds": fpr,
        "predictive_parity": policy.precision[group],
    }[criterion]


def curves_picture(scene: GroupsScene, is_large: bool) -> Picture:
    """Draw the curves of the groups with their points, and the line that ties the points."""
    marks: list[Mark] = []
    handles: list[Mark] = []
    rings: list[Mark] = []
    lines: list[Mark] = []
    ties: list[Mark] = []
    tie_style: dict[str, Any] = {"dash": "dashed", "width": 1.8, "may_be_covered": True}
    for i, group in enumerate(scene.shown):
        name = group.name
        role = GROUP_STYLES[i][0]
        is_selected = name == scene.group
        ties.append(Line(f"tie:{i}", _tie_role(scene, role), *_tie(scene, name), **tie_style))
        curve = group.thinned
        hull = group.hull
        lines.append(Line(f"group:{i}", role, curve.fpr, curve.tpr, keys=(name,), width=2.0))
        if scene.show_hulls:
            style: dict[str, Any] = {"dash": "dashed", "width": 2.0}
            marks.append(Line(f"hull:{i}", "hull", hull.fpr, hull.tpr, **style))
        rings.append(ring(f"best:{i}", "optimum", *np.transpose([scene.free.points[name]])))
        if is_selected or not scene.together:
            point = np.transpose([scene.policy.points[name]])
            letter = "" if scene.together else scene.letters[name]
            handles.append(
                Handle(f"point:{i}", "selected", *point, letter=letter, is_hinted=is_selected)
            )
    common = NO_POINTS
    if scene.common is not None:
        x, y = scene.common
        common = x, (x, y)
    picture = Picture(
        Axis("false positive rate"),
        Axis("true positive rate"),
        (
            Band("common", "selected", *common, opacity=0.18),
            diagonal(),
            *ties,
            *lines,
            *marks,
            *rings,
            *handles,
        ),
        is_large=is_large,
    )
    short = short_names([group.name for group in scene.shown], 16 if is_large else 8)
    rows = []
    for i, group in enumerate(scene.shown):
        caption = _caption(scene, group, short[group.name], is_large)
        rows.append(Entry(caption, _ink(i), f"group:{i}"))
    if is_large:
        if scene.show_hulls:
            rows.append(Entry("hulls", "hull-text", "hull:0"))
        if scene.common is not None:
            rows.append(Entry("reachable by all", "selected-text", "common"))
        rows.append(Entry("each group's cost-optimal point", "optimum-text", "best:0"))
    # the corner that no curve better than chance crosses
    below = np.mean([group.segments.auc for group in scene.shown]) >= 0.5
    corner = (1.0, 0.0) if below else (0.0, 1.0)
    moving = [mark.name for mark in (*ties, *handles)]
    return picture.with_marks(
        Legend("words", "text", choices=[rows, ()], corner=corner, left_out=moving)
    )


def _caption(scene: GroupsScene, group: Group, short: str, is_large: bool) -> str:
    named = _named(scene, group.name, short)
    return f"{named}, AUC {number(group.segments.auc)}" if is_large else named


def _named(scene: GroupsScene, name: str, short: str) -> str:
    letter = scene.letters[name]
    return short if letter == short else f"{letter} {short}"


def _tie_role(scene: GroupsScene, role: str) -> str:
    """Choose the colour of the line through a group's point: its own if lines differ by group."""
    own = scene.criterion in ("demographic_parity", "predictive_parity") or scene.policy.tolerance
    return role if own else "selected"


def _tie(scene: GroupsScene, name: str) -> Any:
    """Compute the points of a group that meet the criterion at its present value."""
    policy = scene.policy
    value = scene.value
    if policy.tolerance:  # the value differs from group to group
        value = equal_value(policy, scene.criterion, name)
    elif name != scene.group and scene.criterion in ("equal_opportunity", "predictive_equality"):
        return NO_POINTS
    if scene.criterion == "equal_opportunity":
        return (0.0, 1.0), (value, value)
    if scene.criterion == "predictive_equality":
        return (value, value), (0.0, 1.0)
    pi = policy.prevalence[name]
    fpr = np.array([0.0, 1.0])
    if scene.criterion == "demographic_parity":
        return _within(fpr, (value - (1 - pi) * fpr) / pi)
    if scene.criterion == "predictive_parity" and value > 0:
        return _within(fpr, fpr * (1 - pi) / pi * value / max(1 - value, 1e-9))
    return NO_POINTS


def _within(x: Any, y: Any) -> Any:
    """Clip a straight line at the border of ROC space."""
    (x0, x1) = x
    (y0, y1) = y
    slope = (y1 - y0) / (x1 - x0)
    ends = [(x0, y0), (x1, y1)]
    for i, (end_x, end_y) in enumerate(ends):
        inside = min(max(end_y, 0.0), 1.0)
        if inside != end_y and slope:
            ends[i] = end_x + (inside - end_y) / slope, inside
    (x0, y0), (x1, y1) = ends
    return (x0, x1), (y0, y1)


def scores_picture(scene: GroupsScene, is_large: bool) -> Picture:
    """Draw the scores of each group by class, with thresholds, one group above the other."""
    low, high = scene.bounds
    n = len(scene.shown)
    marks: list[Mark] = []
    handles: list[Mark] = []
    rows = []
    for i, group in enumerate(scene.shown):
        floor = float(n - 1 - i)
        histogram = group.histogram
        letter = scene.letters[group.name]
        highest = max(histogram.pos.max(), histogram.neg.max())
        x = np.repeat(histogram.edges, 2)[1:-1]
        for role, heights in (("negative", histogram.neg), ("positive", histogram.pos)):
            ends = np.full(x.size, floor), floor + 0.62 * np.repeat(heights, 2) / highest
            marks.append(Band(f"{role}:{i}", role, x, ends, opacity=0.55))
        rule = scene.policy.rules[group.name]
        top = floor + 0.74
        thresholds = np.clip([rule.upper_threshold, rule.lower_threshold], low, high)
        marks += [
            Line(f"floor:{i}", "reference", (low, high), (floor, floor), width=1.0),
            Line(
                f"line:{i}",
                "selected",
                np.repeat(thresholds[:, None], 2, axis=1),
                [(floor, top)] * 2,
                width=2.0,
            ),
        ]
        rows.append((low, floor + 0.5, letter, _ink(i)))
        style: dict[str, Any] = {
            "letter": letter,
            "is_hinted": group.name == scene.group,
            "row": (floor, floor + 1.0),
        }
        handles.append(
            Handle(f"threshold:{i}", "selected", thresholds[:1], [top], along="x", **style)
        )
    classes = []
    ceiling = float(n)
    if scene.classes.is_named:
        short = scene.classes.shortened(MAX_NAME_LETTERS[is_large])
        ceiling += 0.1 * n  # above the handles of the highest group
        y = n + 0.04 * n
        classes = [
            words("negative name", [(low, y, short.negatives, "negative-text")]),
            words("positive name", [(high, y, short.positives, "positive-text")], "end"),
        ]
    return Picture(
        Axis(shorten(scene.score, MAX_AXIS_LETTERS), low, high, pad=0.03),
        Axis("", 0.0, ceiling, (), pad=0.02, is_shown=False),
        (*marks, words("names", rows), *classes, *handles),
        is_large=is_large,
    )


def _ink(i: int) -> str:
    role = GROUP_STYLES[i][0]
    return "text" if role in ("ranking", "second", "reference") else role


MAX_DOTS_OF_GROUPS = 150  # about, which are larger than more of them
MAX_ROW_LETTERS = 18  # of the names of a class and of a group on one line


def people_picture(scene: GroupsScene, is_large: bool) -> Picture:
    """Draw the people of each group on a line of their own, filled by their group's threshold."""
    per_dot = dots_of(*(group.segments for group in scene.shown), max_dots=MAX_DOTS_OF_GROUPS)
    short = short_names([group.name for group in scene.shown], _letters_of_a_name(scene.classes))
    rows = []
    for i, group in enumerate(scene.shown):
        segments = group.segments
        fpr, tpr = scene.policy.points[group.name]
        threshold = Threshold(
            scene.policy.rules[group.name].upper_threshold,
            tpr * segments.n_pos,
            fpr * segments.n_neg,
            letter=scene.letters[group.name],
        )
        queue = group.queue(scene.bounds, per_dot)
        name = _named(scene, group.name, short[group.name])
        bars = tuple(_bar(scene, rate, group.name) for rate in _rates_in_bars(scene.criterion))
        rows.append(Row(queue, (threshold,), name, _ink(i), f":{i}", bars=bars))
    link = ""
    if scene.criterion != "none":
        link = "dashed" if scene.policy.tolerance else "solid"
    return draw_people(
        PeopleScene(
            tuple(rows),
            per_dot,
            scene.classes,
            label=scene.score,
            link=link,
            shared=_shared_rates(scene),
        ),
        is_large,
    )


def _letters_of_a_name(classes: ClassNames) -> int:
    """Find how long a group's name may be beside that of a class."""
    named = classes.shortened(MAX_CLASS_LETTERS)
    longest = max(letters(named.positives), letters(named.negatives))
    return int(min(max(MAX_ROW_LETTERS - longest, 6), 16))


def _rates_in_bars(criterion: str) -> tuple[str, ...]:
    """Choose the rates that bars show: those that are promised to be equal, or the share found."""
    return EQUALISED_RATES.get(criterion, ("tpr",))


def _bar(scene: GroupsScene, rate: str, name: str) -> Bar:
    """Draw a rate of a group as a bar; of those predicted positive, positives come first."""
    policy = scene.policy
    value = policy.rate(rate)[name]
    text = percent(value)
    if rate == "tpr":
        piece = ("positive", value)
        return Bar((piece,), "positive", f"{text} found", "positive-text", 0, is_of_class=True)
    if rate == "fpr":
        piece = ("negative", value)
        alarms = f"{text} false alarms"
        return Bar((piece,), "negative", alarms, "negative-text", 1, is_of_class=True)
    if rate == "precision":
        pieces = (("positive", value), ("negative", 1 - value)) if np.isfinite(value) else ()
        return Bar(pieces, "reference", f"precision {text}", "text")
    pi = policy.prevalence[name]
    fpr, tpr = policy.points[name]
    pieces = (("positive", pi * tpr), ("negative", (1 - pi) * fpr))
    positive = shorten(scene.classes.positive, MAX_NAME_LETTERS[False])
    return Bar(pieces, "reference", f"{text} predicted {positive}", "text")


def _shared_rates(scene: GroupsScene) -> tuple[tuple[float, float], ...]:
    """Find the lowest and the highest value of each rate that is promised to be equal."""
    shared = []
    for rate in EQUALISED_RATES.get(scene.criterion, ()):
        values = [scene.policy.rate(rate)[group.name] for group in scene.shown]
        known = [value for value in values if np.isfinite(value)]
        if known:
            shared.append((min(known), max(known)))
    return tuple(shared)


def rates_picture(scene: GroupsScene, is_large: bool) -> Picture:
    """Draw the rates of the groups: a row for each rate, a dot for each group."""
    policy = scene.policy
    columns = [policy.rate(rate) for rate in RATES]
    names = {}
    if scene.classes.is_named:
        classes = scene.classes.shortened(MAX_NAME_LETTERS[is_large])
        names = {
            "predicted_positive_rate": f"predicted {classes.positive}",
            "tpr": f"of {classes.the_positives}",
            "fpr": f"of {classes.the_negatives}",
        }
    labels = []
    spans = []
    for k, (rate, values) in enumerate(zip(RATES, columns, strict=True)):
        y = len(RATES) - 1.0 - k
        label = names.get(rate, METRICS[rate].in_groups)
        role = "text"
        finite = [value for value in values.values() if np.isfinite(value)] or [0.0]
        low = min(finite)
        high = max(finite)
        if rate in EQUALISED_RATES.get(scene.criterion, ()):
            label += " ≈" if policy.tolerance else " ✓"
            role = "selected-text"
        else:  # which other promises hold as well
            label += " =" if high - low < EQUAL_WITHIN else " ≠"
        labels.append((0.0, y + 0.42, label, role))
        spans.append((low, high))
    heights = np.arange(len(RATES))[::-1]
    y_of_spans = np.repeat(heights[:, None], 2, axis=1)
    marks: list[Mark] = [Line("spans", "reference", spans, y_of_spans, width=5.0, opacities=(0.5,))]
    apart = min(0.1, 0.3 / len(scene.shown))  # so that equal rates do not hide each other
    for i, group in enumerate(scene.shown):
        role, shape = GROUP_STYLES[i]
        if scene.intervals is not None:
            ends = np.array(scene.intervals[group.name])
            beside = heights - 0.09 * (i + 1)
            y_of_ends = np.repeat(beside[:, None], 2, axis=1)
            marks.append(Line(f"intervals:{i}", role, ends, y_of_ends, width=1.8))
        x = np.array([values[group.name] for values in columns])
        known = np.isfinite(x)
        dot_x = x[known]
        dot_y = heights[known] + apart * ((len(scene.shown) - 1) / 2 - i)
        size = 150 if is_large else 110
        marks.append(Dots(f"dots:{i}", role, dot_x, dot_y, rim="paper", marker=shape, size=size))
    picture = Picture(
        Axis("share", pad=0.05),
        Axis("", -0.4, len(RATES) - 0.3, (), pad=0.0, is_shown=False),
        (*marks, words("labels", labels, bold=False)),
        is_large=is_large,
    )
    if not is_large:
        return picture
    short = short_names([group.name for group in scene.shown], 16)
    rows = []
    for i, group in enumerate(scene.shown):
        rows.append(Entry(_named(scene, group.name, short[group.name]), _ink(i), f"dots:{i}"))
    return picture.with_marks(Legend("names", "text", choices=[rows, ()], corner=(1.0, 1.0)))


def price_picture(scene: GroupsScene, is_large: bool) -> Picture:
    """Draw the cost against the equalised value, and the cost-optimal policy of no criterion."""
    curve = scene.curve
    policy = scene.policy
    value = curve.value
    cost = curve.cost
    chosen = some_of(value.size, MAX_POINTS)
    value = value[chosen]
    cost = cost[chosen]
    finite = np.isfinite(value)
    value = value[finite]
    cost = cost[finite]
    low = 0.0
    high = 1.0
    if scene.criterion == "single_threshold" and scene.bounds != (0.0, 1.0):
        low = float(value[0])
        high = float(value[-1])
        if low == high:
            low -= 0.5
            high += 0.5
    top = float(min(cost.max(), 3 * max(cost.min(), 0.05)))
    selected = float(np.clip(scene.value, low, high)) if np.isfinite(scene.value) else high
    positive = shorten(scene.classes.positive, MAX_NAME_LETTERS[False])
    picture = Picture(
        Axis(VALUE_LABELS[scene.criterion].format(positive=positive), low, high),
        Axis(
            "cost per person",
            0.0,
            1.1 * top,
            round_ticks(0.0, 1.1 * top, 4 if is_large else 2),
            pad=0.1,
        ),
        (
            Line(
                "free",
                "optimum",
                (low, high),
                [scene.free.cost] * 2,
                width=2.0,
                may_be_covered=True,
            ),
            Line("cost", "ranking", value, cost),
            ring("best", "optimum", [np.clip(curve.best_value, low, high)], [curve.best_cost]),
            Handle("price", "selected", [selected], [min(policy.cost, 1.1 * top)], along="x"),
        ),
        is_large=is_large,
    )
    if not is_large:
        return picture
    rows = []
    if scene.criterion != "none":
        rows.append(Entry("cost of the promise", "text", "cost"))
    rows.append(Entry("cost-optimal without a promise", "optimum-text", "free"))
    return picture.with_marks(Legend("words", "text", choices=[rows], corner=(0.0, 1.0)))


MAX_POINTS = 400  # vertices of a curve of costs
