"""The groups explorer's sentences, and the code that computes its numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

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

SMALL = 5e-5  # a difference in cost per sample that would be displayed as 0


def sentences(state: Any) -> Iterator[str]:
    """Describe the promise and its cost, the rates of each group, and the promises that break."""
    yield _promise(state)
    yield _each(state)
    yield _best(state)
    yield _collision(state)


def _promise(state: Any) -> str:
    result = state.result
    policy = state.result.policy
    group = state.group

    def rate(values: Iterable[float]) -> str:
        """Write the common rate, or the range if rates may differ."""
        return _range(list(values)) if state.allowed else percent(next(iter(values)))

    called = ink("selected", rate(_own_first(policy.called, group)))
    precision = ink("selected", rate(_own_first(policy.precision, group)))
    found = ink("positive", rate(point[1] for point in _own_first(policy.points, group)))
    alarms = ink("negative", rate(point[0] for point in _own_first(policy.points, group)))
    all_found = ink("positive", _range([point[1] for point in policy.points.values()]))
    almost = f", within {percent(state.allowed)}" if state.allowed else ""
    everybody = "both groups" if len(policy.points) == 2 else f"all {len(policy.points)} groups"
    exactly = f"in {everybody} {found} of the positives are found and {alarms} of the negatives"
    sentence = {
        "none": f"Nothing is promised: {called} of {_short(state)[group]} are called positive and "
        f"{found} of its positives are found",
        "single_threshold": f"One threshold for all, {ink('selected', score_text(result.value))}: "
        f"{all_found} of the positives are found, depending on the group",
        "demographic_parity": f"Demographic parity{almost}: {called} of {everybody} are called "
        "positive",
        "equal_opportunity": f"Equal opportunity{almost}: {found} of the positives of {everybody} "
        "are found",
        "predictive_equality": f"Equal false alarms{almost}: {alarms} of the negatives of "
        f"{everybody} are called positive",
        "equalized_odds": f"Equalized odds{almost}: {found} of the positives and {alarms} of the "
        "negatives are called positive"
        if almost
        else f"Equalized odds: {exactly} raise a false alarm",
        "predictive_parity": f"Equal precision{almost}: {precision} of those called positive in "
        f"{everybody} are positive",
    }[state.criterion]
    is_long = bool(almost) and state.criterion == "equalized_odds"
    return f"{sentence}; {_price(result, is_long)}."


def _price(result: Any, is_long: bool) -> str:
    if result.extra <= SMALL:
        return f"nothing is {ink('optimum', 'cheaper')}"
    extra = result.extra_per_1000
    amount = whole(extra) if extra >= 10 else f"{extra:.2g}"
    alarms = f"false alarm{'s' * (amount != '1')}"
    than = "the" if is_long else "what is"
    cheapest = ink("optimum", "cheapest" if is_long else "cheapest for each group")
    return (
        f"per 1000 people that costs {ink('selected', amount)} {alarms} more than {than} {cheapest}"
    )


def _own_first(values: Mapping[str, Any], group: str) -> list[Any]:
    return [values[group], *(value for name, value in values.items() if name != group)]


def _range(rates: list[float]) -> str:
    defined = [
        rate for rate in rates if rate == rate
    ]  # precision is undefined where nobody is called positive
    if not defined:
        return percent(rates[0])
    low, high = percent(min(defined)), percent(max(defined))
    return low if low == high else f"{low[:-2]} to {high}"


def _short(state: Any) -> dict[str, str]:
    return short_names(state.data.names, 17)


def _each(state: Any) -> str:
    policy = state.result.policy
    short = _short(state)
    points = policy.points
    called = policy.called
    precision = policy.precision
    shown = [group.name for group in state.data.shown]
    parts = [
        f"{short[name]}: {percent(called[name])} are called positive, {percent(points[name][1])} "
        f"of the positives and {percent(points[name][0])} of the negatives; "
        f"{percent(precision[name])} of those called positive are positive"
        for name in shown
    ]
    more = f" The table has all {len(points)} groups." if len(points) > len(shown) else ""
    return f"{'. '.join(parts)}.{more}"


def _best(state: Any) -> str:
    result = state.result
    free = ink("optimum", number(result.free.cost))
    if state.criterion == "none":
        return (
            f"The rings are the cheapest points of each group. Together they cost {free} false "
            "alarms per person."
        )
    return (
        "The cheapest policy that keeps the promise costs "
        f"{ink('optimum', number(result.best.cost))} false alarms per person, the cheapest without "
        f"any promise {free}, and the one shown {number(result.policy.cost)}."
    )


def _collision(state: Any) -> str:
    """List the rates that are equal now."""
    policy = state.result.policy
    columns = {
        "the share called": list(policy.called.values()),
        "the share of positives found": [point[1] for point in policy.points.values()],
        "the share of false alarms": [point[0] for point in policy.points.values()],
        "precision": list(policy.precision.values()),
    }
    same = [name for name, values in columns.items() if max(values) - min(values) < 0.005]
    holds = " and ".join(same) if same else "none of these"
    return (
        "The groups are compared by the share called, the share of positives found, the share of "
        f"false alarms, and precision. To within half a percentage point they are equal in {holds}."
    )


def code(state: Any) -> str:
    """Write runnable Python for the numbers on screen."""
    result = state.result
    labels = state.data.labels
    use = f"cost_fn={state.cost_fn!r}, prevalence=prevalence"
    almost = f"criterion={state.criterion!r}"
    almost += f", tolerance={state.allowed!r}" if state.allowed else ""
    if state.criterion == "none":
        points = ", ".join(f"{labels[n]!r}: {p!r}" for n, p in result.policy.points.items())
        held = f"policy_at(rankings, {{{points}}}, {use})"
    elif state.criterion == "single_threshold":
        held = f"policy_at(rankings, {float(result.value)!r}, {use})".replace("inf,", "np.inf,")
    else:
        fpr, tpr = result.policy.points[state.group]
        held = (
            f"policy_through(\n    rankings, {labels[state.group]!r}, {fpr!r}, {tpr!r}, "
            f"{almost},\n    {use},\n)"
        )
    own = state.data.arguments()
    lines = _source(state)
    if not isinstance(own["y_true"], Mapping):
        weighted = own["sample_weight"] is not None
        more = ", sample_weight=sample_weight[groups == name]" * weighted
        more += options(pos_label=state.data.pos_label)
        lines += [
            "rankings = {",
            "    name: RankedSegments.from_scores(",
            f"        y_true[groups == name], y_score[groups == name]{more}",
            "    )",
            "    for name in np.unique(groups).tolist()",
            "}",
        ]
    lines += [
        f"prevalence = dict(zip(rankings, {list(state.prevalences)!r}))",
        f"policy = {held}",
        "print(policy.to_frame())",
        f"best = cost_optimal_policy(rankings, {almost}, {use})",
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
