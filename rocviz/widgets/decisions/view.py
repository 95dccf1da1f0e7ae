"""The decision explorer's pictures: predicted positives, utilities, thresholds, outcomes."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocviz.displays.decisions import pictures
from rocviz.displays.decisions.pictures import (
    LARGE_MARK_HEIGHTS,
    SMALL_MARK_HEIGHTS,
    ThresholdUtilities,
    threshold_text,
    utility_text,
)
from rocviz.displays.roc.crowd import CELLS, ROLES, PeopleScene, Row, Threshold
from rocviz.displays.roc.crowd import people_picture as draw_people
from rocviz.pictures import (
    NO_POINTS,
    ROW_HEIGHT,
    Axis,
    Dots,
    Entry,
    Handle,
    Knobs,
    Labels,
    Legend,
    Line,
    Mark,
    Picture,
    PointLabel,
    ring,
    round_ticks,
    ticks_around,
    uprights,
    words,
)
from rocviz.widgets.decisions.result import DecisionResult
from rocviz.widgets.decisions.state import DecisionState
from rocviz.widgets.decisions.words import RULE_NAMES
from rocviz.words import amount, number

# ---------------------------------------------------------------------- probabilities


def probability_picture(state: DecisionState, result: DecisionResult, is_large: bool) -> Picture:
    """Draw probabilities in decreasing order, with the last predicted positive at the handle."""
    search = result.search if is_large else None
    head, *_ = LARGE_MARK_HEIGHTS if is_large else SMALL_MARK_HEIGHTS
    entries = [Entry("believed", of="belief")] if result.is_miscalibrated and is_large else []
    return pictures.probability_picture(
        result.truth.prob,
        result.k,
        is_large,
        believed=result.believed.prob if result.is_miscalibrated else None,
        chosen=None if search is None else search.positive,
        classes=state.class_names,
    ).with_marks(
        Legend("words", "text", choices=[entries], corner=(1.0, 1.0), left_out=["threshold"]),
        _knobs(state, result, is_large),
        Handle("k", "selected", [result.k], [head], along="x"),
    )


def _knobs(state: DecisionState, result: DecisionResult, is_large: bool) -> Knobs:
    """Draw a knob on each column, where probabilities can be edited."""
    if not (state.can_edit and is_large):
        return Knobs("items", "muted", along="y")
    prob = result.truth.prob
    order = result.truth.order
    # "drag" stands above the last columns, where there is nothing
    hint = (prob.size - 0.3, float(prob[-1 if prob.size < 7 else -2]) + 0.06)
    chosen = np.flatnonzero(order == state.sample - 1)
    classes = state.class_names.shortened()
    readings = []
    for rank, sample in enumerate(order):
        predicted = classes.positive if rank < result.k else classes.negative
        readings.append(
            f"sample {sample + 1}: {classes.probability} {number(prob[rank], 2)}, "
            f"predicted {predicted}"
        )
    return Knobs(
        "items",
        "muted",  # the one handle in colour is that of the threshold
        np.arange(prob.size) + 0.5,
        prob,
        along="y",
        hint=hint,
        chosen=int(chosen[0]) if chosen.size else -1,
        keys=[int(sample) + 1 for sample in order],
        readings=readings,
    )


# ---------------------------------------------------------------------- people

CELLS_OF_UNKNOWN = (("predicted positive", "predicted negative"),)


def people_picture(state: DecisionState, result: DecisionResult, is_large: bool) -> Picture:
    """Draw samples at their probabilities, the k most probable filled, and in their cells."""
    truth = result.truth
    k = result.k
    counts = (float(k), 0.0)
    cells: Any = CELLS_OF_UNKNOWN
    roles: tuple[str, ...] = ("ranking",)
    if truth.positive is not None:
        n_pos = float(truth.positive[:k].sum())
        counts = (n_pos, k - n_pos)
        cells = CELLS
        roles = ROLES
    row = Row(truth.queue, (Threshold(min(truth.threshold(k), 1.0), *counts),))
    scene = PeopleScene(
        (row,),
        truth.queue.per_dot,
        state.class_names,
        cells=cells,
        label="probability",
        roles=roles,
    )
    return draw_people(scene, is_large)


# ---------------------------------------------------------------------- utilities

RULE_STYLES: dict[str, Any] = {
    "k_eum": {"rim": "second", "marker": "square", "size": 150, "width": 2.5},
    "k_half": {"rim": "text", "marker": "diamond", "size": 130, "width": 2.0},
}


def marked(result: DecisionResult) -> list[tuple[int, str, str]]:
    """List the k of the rules, their names and roles; equal ones together."""
    counts = "on the labels" if result.realised is not None else "on expected counts"
    names_at: dict[int, list[str]] = {}
    for k, name in (
        (result.n_predicted_positive, "best"),
        (result.k_eum, counts),
        (result.k_half, "one half"),
    ):
        names_at.setdefault(k, []).append(name)
    inks = {"best": "optimum-text", counts: "negative-text", "one half": "text"}
    return [(k, ", ".join(names), inks[names[0]]) for k, names in names_at.items()]


def utility_picture(state: DecisionState, result: DecisionResult, is_large: bool) -> Picture:
    """Draw the expected value at every threshold, for one metric or several."""
    is_miscalibrated = result.is_miscalibrated
    true_utilities = result.true_utilities
    k = result.k
    best = result.n_predicted_positive
    main = ThresholdUtilities(
        "believed" if is_miscalibrated else result.label,
        result.decision.utilities,
        best,
        plug_in=result.plug_in,
    )
    others = _compared(state, result)
    of_truth = None
    if is_miscalibrated:
        of_truth = ThresholdUtilities("really", true_utilities, result.k_best, "hull")
    picture = pictures.utility_picture(
        [main, *others],
        f"expected {result.label}",
        is_large,
        paid=of_truth,
        classes=state.class_names,
    )
    labels = []
    if is_large:
        labels = _utility_labels(result, main, picture, has_others=bool(others))
    line: Any = NO_POINTS
    if is_miscalibrated:
        line = [best, best], [main.utilities[best], true_utilities[best]]
    ringed = np.array([best, best, result.k_best])
    heights = np.array([main.utilities[best], true_utilities[best], true_utilities[result.k_best]])
    marks: list[Mark] = [
        Labels("words", "text", point_labels=labels),
        Line("price", "optimum", *line, dash="dotted", width=2.0, may_be_covered=True),
        Line(
            "selected",
            "selected",
            (k, k),
            (picture.y.low, true_utilities[k]),
            width=1.6,
            may_be_covered=True,
        ),
        ring("best", "optimum", ringed, heights),
    ]
    for rule, style in RULE_STYLES.items():
        count = getattr(result, rule)
        point: Any = ([count], [true_utilities[count]]) if is_large else NO_POINTS
        marks.append(Dots(rule, "paper", *point, **style))
    marks.append(Handle("k", "selected", [k], [true_utilities[k]]))
    return picture.with_marks(*marks)


def _compared(state: DecisionState, result: DecisionResult) -> list[ThresholdUtilities]:
    """Collect the utilities of the metrics that are drawn beside the chosen one."""
    names = dict(zip(state.shown, result.decisions.items(), strict=True))
    utilities = []
    for metric in state.compared_metrics:
        if metric != state.metric:
            name, decision = names[metric]
            best = decision.n_predicted_positive
            utilities.append(ThresholdUtilities(name, decision.utilities, best, "muted"))
    return utilities


def _utility_labels(
    result: DecisionResult, main: ThresholdUtilities, picture: Picture, *, has_others: bool
) -> list[PointLabel]:
    """Write the names of the rules at their points, and those of the curves at the right."""
    span = picture.y.high - picture.y.low
    true_utilities = result.true_utilities
    labels = []
    for k, text, role in marked(result):
        near = true_utilities[k] + np.array([0.12, -0.12]) * span
        labels.append(PointLabel((text, text.split(", ")[0]), role, k, near))
    x = picture["curve"].x
    is_right = x >= 0.35 * result.truth.n_samples
    right = x[is_right].astype(int)
    right = right[:: max(right.size // 10, 1)]
    if result.is_miscalibrated and not has_others:
        labels += [
            PointLabel(["really"], "hull-text", right, true_utilities[right]),
            PointLabel(["believed"], "text", right, main.utilities[right]),
        ]
    if main.is_plug_in_seen(span) and not result.is_preview:
        plug_in = result.plug_in[right]
        labels.append(PointLabel(["on expected counts"], "negative-text", right, plug_in))
    return labels


# ---------------------------------------------------------------------- thresholds

RULE_SIGNS = {"dta": "○", "eum": "□", "half": "◇", "selected": "●"}


def rule_rows(result: DecisionResult) -> list[tuple[str, ...]]:
    """List the rules: threshold, number of positives, what each is worth, and on the labels."""
    believed = result.believed
    realised = result.realised
    start = "believed" if result.is_miscalibrated else "from"
    worth = "really" if result.is_miscalibrated else "expected"
    heads = (f"rules for {result.label}", start, "k", worth)
    rows: list[tuple[str, ...]] = [heads if realised is None else (*heads, "labels")]
    for rule, k in result.rules():
        name = f"{RULE_SIGNS[rule]} {RULE_NAMES[rule]}"
        threshold = threshold_text(believed.threshold(k))
        utility = utility_text(float(result.true_utilities[k]))
        row = (name, threshold, amount(k), utility)
        rows.append(row if realised is None else (*row, utility_text(float(realised[k]))))
    return rows


def threshold_picture(state: DecisionState, result: DecisionResult, is_large: bool) -> Picture:
    """Draw each metric's threshold on one axis, and the values of four rules for one metric."""
    (_, first), *rest = result.decisions.items()
    return pictures.threshold_picture(
        {result.label: first, **dict(rest)},
        is_large,
        start="believed" if result.is_miscalibrated else "from",
        classes=state.class_names,
        selected=min(result.believed.threshold(result.k), 1.0),
        rules=rule_rows(result),
    )


# ---------------------------------------------------------------------- outcomes


def outcome_limits(result: DecisionResult) -> tuple[float, float]:
    """Choose the range of the axis: from 0 to 1 for rates, unless values are close together."""
    law = result.outcomes
    realised = result.realised
    points = law.values if realised is None else np.append(law.values, realised[result.k])
    low = float(points.min())
    high = float(points.max())
    if low >= -1e-9 and high <= 1 + 1e-9 and high - low > 0.25:
        return 0.0, 1.0
    room = 0.12 * (high - low) if high > low else 0.1 * max(abs(high), 0.5)
    # whole steps, so that the axis stands still while k moves a little
    step = 10.0 ** np.floor(np.log10(max(high - low, room)))
    left = float(np.floor((low - room) / step) * step)
    return left if low < 0 else max(left, 0.0), float(np.ceil((high + room) / step) * step)


def outcome_rows(result: DecisionResult) -> list[tuple[str, str]]:
    """List the rows about the distribution, and the role of each."""
    law = result.outcomes
    rows = [(f"mean {utility_text(law.mean)} ± {number(law.std)}", "selected-text")]
    if result.realised is not None:
        on_labels = utility_text(float(result.realised[result.k]))
        rows.append((f"on the labels {on_labels}", "positive-text"))
    if result.is_preview:
        source = "preview: normal counts"
    elif law.n_draws:
        source = f"{amount(law.n_draws)} outcomes, drawn"
    else:
        source = "all outcomes weighed"
    return [*rows, (source, "muted")]


def outcome_picture(_state: DecisionState, result: DecisionResult, is_large: bool) -> Picture:
    """Draw the probability of each value of the metric, at the chosen k."""
    law = result.outcomes
    low, high = outcome_limits(result)
    rows = outcome_rows(result) if is_large else []
    ticks = ticks_around(0.0, float(law.chances.max()), 3)
    peak = float(ticks[-1])
    top = peak
    if rows:  # the words stand above the highest stem
        top = peak / (1 - ROW_HEIGHT * (len(rows) + 0.5))
    stems = uprights(law.values, np.zeros(law.values.size), law.chances)
    left = low + 0.02 * (high - low)
    written = [(left, top * (1 - (i + 0.6) * ROW_HEIGHT), *row) for i, row in enumerate(rows)]
    on_labels: Any = () if result.realised is None else [result.realised[result.k]] * 2
    return Picture(
        Axis(result.label, low, high, round_ticks(low, high), pad=0.02),
        Axis("probability", 0.0, top, ticks, pad=0.02),
        (
            Line("stems", "ranking", *stems, width=5.0, opacities=(0.55,)),
            Line("mean", "selected", [law.mean] * 2, (0.0, peak)),
            Line("on the labels", "positive", on_labels, (0.0, peak), dash="dashed"),
            words("words", written),
        ),
        is_square=False,
        is_large=is_large,
    )
