"""The Python that reproduces the numbers of a decision explorer."""

from __future__ import annotations

from typing import Any

from rocviz.widgets.base.code import options, script
from rocviz.widgets.decisions.data import (
    BETA_CONCENTRATION,
    MAX_SAMPLES_OF_EXACT_OUTCOMES,
    MAX_SAMPLES_OF_SEARCH,
)


def code(state: Any) -> str:
    """Write runnable Python for the numbers on screen."""
    result = state.result
    n = result.truth.n_samples
    wrong = result.is_miscalibrated
    best = "max" if result.metric.higher_is_better else "min"
    prob = "believed" if wrong else "y_prob"
    lines = _source(state)
    if wrong:
        lines.append(
            f"believed = expit({state.over_confidence!r} * logit(y_prob) + {state.shift!r})"
        )
    lines += [
        f"metric = {_metric(state)}",
        f"decision = optimal_decision({prob}, metric)",
        "print(decision.n_predicted_positive, decision.threshold, decision.utility)",
        f"k = {result.k}",
        "print(decision.utilities[k])",
    ]
    if wrong:
        lines += [
            "true = prefix_utilities(y_prob, metric)  # by the true probabilities",
            f"print(true[k], true[decision.n_predicted_positive], true.{best}())",
        ]
    if result.realised is not None:
        label = options(pos_label=state._own.pos_label)
        lines += [
            f"eum = best_empirical_threshold(y_true, y_prob, metric{label})",
            "print(eum.threshold, eum.utility)",
        ]
    else:
        lines += [
            f"plug_in = plug_in_utilities({prob}, metric)",
            "print(np.argmax(decision.metric.best(plug_in)))",
        ]
    if n <= MAX_SAMPLES_OF_EXACT_OUTCOMES:
        lines += [
            "labels = np.zeros(len(y_prob), dtype=int)",
            "labels[np.argsort(-y_prob, kind='stable')[:k]] = 1",
            "law = utility_distribution(labels, y_prob, metric)",
            "print(law.mean, law.std)",
        ]
    if n <= MAX_SAMPLES_OF_SEARCH:
        lines.append(f"print(exhaustive_decision({prob}, metric).utility)  # of all labellings")
    return script(lines)


def _metric(state: Any) -> str:
    """Write the expression of the metric."""
    if state.metric == "formula":
        return f"parse_formula({state.formula!r})"
    if state.metric == "f" and state.beta != 1:
        return f"resolve_metric('f', beta={state.beta!r})"
    if state.metric == "cost" and state.cost_fn != 1:
        return f"resolve_metric('cost', cost_fn={state.cost_fn!r})"
    return repr(state.metric)


def _source(state: Any) -> list[str]:
    """Write lines that make the probabilities, and the labels if there are any."""
    lines = []
    if not state.is_sandbox:
        lines = state._own.code_lines()
        if not state.probabilities:
            return lines
    if state.can_edit:
        values = ", ".join(f"{p!r}" for p in state.y_prob.tolist())
        return [*lines, f"y_prob = np.array([{values}])"]
    n = state.n_samples
    share = state.prevalence
    lines = [f"rng = np.random.default_rng({state.seed})"]
    if state.source == "plane":
        lines += [
            f"points, direction = rng.normal(size=({n}, 2)), rng.normal(size=2)",
            "y_prob = np.sort(expit(points @ direction))[::-1]",
        ]
    else:
        a = BETA_CONCENTRATION * share
        b = BETA_CONCENTRATION * (1 - share)
        lines.append(f"y_prob = np.sort(rng.beta({a!r}, {b!r}, {n}))[::-1]")
    return lines
