"""The groups explorer's sentences, and the code that computes its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isnan
from typing import Any

from rocviz.displays.groups.pictures import EQUAL_WITHIN
from rocviz.widgets.base.code import options, script
from rocviz.widgets.groups.data import group_settings
from rocviz.words import ink, number, percent, score_text, short_names, whole

PROMISES = {
    "none": "none",
    "single_threshold": "one threshold",
    "demographic_parity": "demographic parity",
    "equal_opportunity": "equal opportunity",
    "predictive_equality": "equal false alarms",
    "equalized_odds": "equalized odds",
    "predictive_parity": "equal precision",
}

NO_DIFFERENCE_IN_COST = 5e-5  # a difference in cost per sample that would be displayed as 0


def sentences(state: Any) -> Iterator[str]:
    """Describe the promise and its cost, the rates of each group, and the promises that break."""
    yield _promise(state)
    yield _groups(state)
    yield _costs(state)
    yield _equal_rates(state)


def _promise(state: Any) -> str:
    result = state.result
    policy = result.policy
    group = state.group
    classes = state.class_names.shortened()

    def rate(values: list[float]) -> str:
        """Write the common rate, or the range if rates may differ."""
        return _range(values) if state.effective_tolerance else percent(values[0])

    points = _own_first(policy.points, group)
    sensitivities = [tpr for _, tpr in points]
    false_alarm_rates = [fpr for fpr, _ in points]
    predicted = ink("selected", rate(_own_first(policy.predicted_positive_rate, group)))
    precision = ink("selected", rate(_own_first(policy.precision, group)))
    sensitivity = ink("positive", rate(sensitivities))
    false_alarms = ink("negative", rate(false_alarm_rates))
    within = f", within {percent(state.effective_tolerance)}" if state.effective_tolerance else ""
    everybody = "both groups" if len(points) == 2 else f"all {len(points)} groups"
    is_long = False
    if state.criterion == "none":
        name = _short(state)[group]
        text = (
            f"Nothing is promised: {predicted} of {name} are predicted {classes.positive} and "
            f"{sensitivity} of {classes.the_positives} in it are found"
        )
    elif state.criterion == "single_threshold":
        threshold = ink("selected", score_text(result.value))
        text = (
            f"One threshold for all, {threshold}: {ink('positive', _range(sensitivities))} of "
            f"{classes.the_positives} are found, depending on the group"
        )
    elif state.criterion == "demographic_parity":
        text = (
            f"Demographic parity{within}: {predicted} of {everybody} are predicted "
            f"{classes.positive}"
        )
    elif state.criterion == "equal_opportunity":
        text = (
            f"Equal opportunity{within}: {sensitivity} of {classes.the_positives} in {everybody} "
            "are found"
        )
    elif state.criterion == "predictive_equality":
        text = (
            f"Equal false alarms{within}: {false_alarms} of {classes.the_negatives} in "
            f"{everybody} are predicted {classes.positive}"
        )
    elif state.criterion == "predictive_parity" and not any(
        policy.predicted_positive_rate.values()
    ):
        text = f"Equal precision{within}: nobody is predicted {classes.positive} in {everybody}"
    elif state.criterion == "predictive_parity":
        text = (
            f"Equal precision{within}: {precision} of those predicted {classes.positive} in "
            f"{everybody} are {classes.are_positive}"
        )
    elif within:
        is_long = True
        text = (
            f"Equalized odds{within}: {sensitivity} of {classes.the_positives} and {false_alarms} "
            f"of {classes.the_negatives} are predicted {classes.positive}"
        )
    else:
        is_long = classes.is_named
        text = (
            f"Equalized odds: in {everybody} {sensitivity} of {classes.the_positives} are found "
            f"and {false_alarms} of {classes.the_negatives} raise a false alarm"
        )
    return f"{text}; {_price(result, is_long)}."


def _price(result: Any, is_long: bool) -> str:
    if result.extra_cost <= NO_DIFFERENCE_IN_COST:
        return f"nothing is {ink('optimum', 'cheaper')}"
    extra_cost = result.extra_cost_per_1000
    amount = whole(extra_cost) if extra_cost >= 10 else f"{extra_cost:.2g}"
    alarms = "false alarm" if amount == "1" else "false alarms"
    optimum = ink("optimum", "optimum" if is_long else "optimum of each group")
    cost = f"the cost of {ink('selected', amount)} {alarms}"
    return f"per 1000 people that adds {cost} to the {optimum}"


def _own_first(values: Mapping[str, Any], group: str) -> list[Any]:
    return [values[group], *(value for name, value in values.items() if name != group)]


def _range(rates: list[float]) -> str:
    # precision is undefined where nobody is predicted positive
    defined = [rate for rate in rates if not isnan(rate)]
    if not defined:
        return percent(rates[0])
    low = percent(min(defined))
    high = percent(max(defined))
    return low if low == high else f"{low[:-2]} to {high}"


def _short(state: Any) -> dict[str, str]:
    return short_names(state.data.names, 17)


def _groups(state: Any) -> str:
    """Give the rates of each group that is drawn."""
    policy = state.result.policy
    classes = state.class_names
    short = _short(state)
    predicted = policy.predicted_positive_rate
    precision = policy.precision
    parts = []
    for group in state.data.shown:
        name = group.name
        fpr, tpr = policy.points[name]
        parts.append(
            f"{short[name]}: {percent(predicted[name])} are predicted {classes.positive}, "
            f"{percent(tpr)} of {classes.the_positives} and {percent(fpr)} of "
            f"{classes.the_negatives}; {percent(precision[name])} of those predicted "
            f"{classes.positive} are {classes.are_positive}"
        )
    text = f"{'. '.join(parts)}."
    if len(policy.points) > len(parts):
        text += f" The table has all {len(policy.points)} groups."
    return text


def _costs(state: Any) -> str:
    """Compare the costs with the lowest ones, with the promise and without."""
    result = state.result
    without_promise = ink("optimum", number(result.free.cost))
    if state.criterion == "none":
        return (
            "The rings are the cost-optimal points of each group. Together they cost as much as "
            f"{without_promise} false alarms per person."
        )
    return (
        "The cost-optimal policy that keeps the promise costs as much as "
        f"{ink('optimum', number(result.best.cost))} false alarms per person, the cost-optimal one "
        f"without any promise as much as {without_promise}, and the one shown as much as "
        f"{number(result.policy.cost)}."
    )


def _equal_rates(state: Any) -> str:
    """List the rates that are equal now."""
    policy = state.result.policy
    classes = state.class_names
    predicted = f"the share predicted {classes.positive}"
    found = "the share of positives found"
    if classes.is_named:
        found = f"the share found of {classes.the_positives}"
    columns = {
        predicted: list(policy.predicted_positive_rate.values()),
        found: [point[1] for point in policy.points.values()],
        "the share of false alarms": [point[0] for point in policy.points.values()],
        "precision": list(policy.precision.values()),
    }
    same = [name for name, values in columns.items() if max(values) - min(values) < EQUAL_WITHIN]
    equal = " and ".join(same) if same else "none of these"
    return (
        f"The groups are compared by {predicted}, {found}, "
        "the share of false alarms, and precision. To within half a percentage point they are "
        f"equal in {equal}."
    )


def code(state: Any) -> str:
    """Write runnable Python for the numbers on screen."""
    result = state.result
    labels = state.data.labels
    use = f"cost_fn={state.cost_fn!r}, prevalence=prevalence"
    promise = f"criterion={state.criterion!r}"
    if state.effective_tolerance:
        promise += f", tolerance={state.effective_tolerance!r}"
    if state.criterion == "none":
        points = ", ".join(
            f"{labels[name]!r}: {point!r}" for name, point in result.policy.points.items()
        )
        policy = f"policy_at(rankings, points={{{points}}}, {use})"
    elif state.criterion == "single_threshold":
        threshold = repr(float(result.value)).replace("inf", "np.inf")
        policy = f"policy_at(rankings, points={threshold}, {use})"
    else:
        fpr, tpr = result.policy.points[state.group]
        policy = (
            f"policy_through(\n    rankings, group={labels[state.group]!r}, fpr={fpr!r}, "
            f"tpr={tpr!r}, {promise},\n    {use},\n)"
        )
    own = state.data.arguments()
    lines = _source(state)
    if not isinstance(own["y_true"], Mapping):
        arguments = options(pos_label=state.data.pos_label)
        if own["sample_weight"] is not None:
            arguments = f", sample_weight=sample_weight[groups == name]{arguments}"
        lines += [
            "rankings = {",
            "    name: RankedSegments.from_scores(",
            f"        y_true[groups == name], y_score[groups == name]{arguments}",
            "    )",
            "    for name in np.unique(groups).tolist()",
            "}",
        ]
    lines += [
        f"prevalence = dict(zip(rankings, {list(state.prevalences)!r}))",
        f"policy = {policy}",
        "print(policy.to_frame())",
        f"best = cost_optimal_policy(rankings, {promise}, {use})",
        "print(policy.cost, best.cost)",
    ]
    return script(lines)


def _source(state: Any) -> list[str]:
    """Write lines that load or simulate labels, scores and groups."""
    if not state.is_sandbox:
        return list(state._own.code_lines())
    settings = group_settings(state.sandbox_settings())
    sizes = settings.pop("n_samples")
    return [
        f"data = make_groups({sizes!r}{options(**settings)})",
        "y_true, y_score, groups = data.y_true, data.y_score, data.groups",
    ]
