"""What the decision explorer says: its sentences, and the code that gives its numbers.

Turns a state into text. It computes nothing and draws nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocviz.core.decisions.utility import TPMonotonicity
from rocviz.widgets.base.state import Sentence
from rocviz.widgets.decisions.data import CERTAINTY, EXACT, TRIED
from rocviz.words import amount, number, rate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocviz.widgets.decisions.result import DecisionResult
    from rocviz.widgets.decisions.state import DecisionState

__all__ = [
    "METRIC_NAMES",
    "RULE_NAMES",
    "code",
    "peaks",
    "sentences",
    "short_name",
    "threshold_text",
    "utility_text",
    "verdict",
]

METRIC_NAMES = {
    "accuracy": "accuracy",
    "cost": "cost",
    "am": "AM, balanced accuracy",
    "f": "F measure",
    "jaccard": "Jaccard",
    "g_tp_pr": "G-TP/PR",
    "g_mean": "G-Mean",
    "h_mean": "H-Mean",
    "q_mean": "Q-Mean",
    "formula": "your formula",
}
RULE_NAMES = {
    "dta": "best by expectation (DTA)",
    "eum": "best on expected counts (EUM)",
    "half": "one half or more",
    "held": "held",
}
_STEP = 1e-9  # a rise or fall of a curve below this is rounding

Part = str | tuple[str, str]


def utility_text(value: float) -> str:
    """Write a utility: as a rate if it can be one, else with its sign."""
    return rate(value) if 0 <= value <= 1 else number(value)


def threshold_text(threshold: float) -> str:
    """Write the lowest probability that is called positive."""
    return "none" if np.isinf(threshold) else rate(threshold)


def short_name(state: DecisionState, name: str) -> str:
    """Return a metric's name for a sentence: a typed formula has no shorter one."""
    return "value of your formula" if state.metric == "formula" else name


def peaks(utilities: NDArray[np.float64]) -> int:
    """Return how many times a curve rises to a height that it leaves again on both sides."""
    step = np.diff(utilities)
    step = step[np.abs(step) > _STEP * max(1.0, float(np.abs(utilities).max()))]
    falls = np.concatenate(([False], step < 0, [True]))
    return int(np.count_nonzero(~falls[:-1] & falls[1:]))


def sentences(state: DecisionState) -> tuple[Sentence, ...]:
    """Return what the cut held is worth, then what is to be known of the best one."""
    return (_cut(state, state.result), _best(state, state.result))


def _cut(state: DecisionState, result: DecisionResult) -> Sentence:
    k, n, name = result.k, result.truth.n_samples, short_name(state, result.name)
    who = "none" if k == 0 else f"all {amount(n)}" if k == n else f"the top {amount(k)}"
    parts: list[Part] = ["With ", ("held", who), "" if k == n else f" of {amount(n)}"]
    parts.append(" called positive")
    if 0 < k < n:
        parts.append(_from(result))
    believed, paid = float(result.decision.utilities[k]), float(result.paid[k])
    if result.is_miscalibrated:
        parts += [
            f", one expects the {name} to be {utility_text(believed)}, and it really is ",
            ("held", utility_text(paid)),
            " on average.",
        ]
        return Sentence(tuple(parts))
    parts += [f", the expected {name} is ", ("held", utility_text(paid))]
    if k == result.k_star:
        parts += [", ", ("optimum", "the best of all cuts")]
        if result.search is not None and not result.search.is_prefix:
            worth = utility_text(result.search.utility)
            parts += ["; other labels, which are no cut, are expected to give ", ("held", worth)]
        return Sentence((*parts, "."))
    best = f"the top {amount(result.k_star)}" if result.k_star else "none"
    worth = utility_text(result.decision.utility)
    return Sentence((*parts, "; best is ", ("optimum", best), f" with {worth}."))


def _from(result: DecisionResult) -> str:
    """Say from which probability on samples are called positive, and whose probability it is."""
    believed, true = (batch.threshold(result.k) for batch in (result.believed, result.truth))
    if result.is_miscalibrated:
        return f", from a believed probability of {rate(believed)} up (truly {rate(true)})"
    return f", from probability {rate(true)} up"


def _best(state: DecisionState, result: DecisionResult) -> Sentence:
    parts: list[Part] = []
    if result.is_miscalibrated:
        parts += _price(result)
    parts += _tried(result)
    if isinstance(result.monotonic, TPMonotonicity) and not result.monotonic and not parts:
        parts.append("The metric falls with more true positives: other labels may be better. ")
    found = peaks(result.decision.utilities)
    if found > 1:
        parts.append(
            f"The curve has {amount(found)} peaks: one has to look at every k, "
            f"not only until it falls. "
        )
    eum, half = (float(result.paid[k]) for k in (result.k_eum, result.k_half))
    if not result.is_miscalibrated:
        source = "on the labels" if result.realised is not None else "on expected counts"
        parts.append(
            f"The best cut {source} is {amount(result.k_eum)} (worth {utility_text(eum)}), "
            f"a threshold of one half makes it {amount(result.k_half)} ({utility_text(half)})."
        )
    return Sentence(tuple(parts))


def _price(result: DecisionResult) -> list[Part]:
    """Say what is lost by believing the wrong probabilities."""
    chosen, best = (float(result.paid[k]) for k in (result.k_star, result.k_best))
    if result.k_star == result.k_best:
        return ["The wrong probabilities lead to the right cut here. "]
    return [
        "The wrong probabilities lead to ",
        ("optimum", f"the top {amount(result.k_star)}"),
        f", worth {utility_text(chosen)}; the true ones would lead to the top "
        f"{amount(result.k_best)}, worth {utility_text(best)}. ",
    ]


def _tried(result: DecisionResult) -> list[Part]:
    """Say what a search through all labels found."""
    search = result.search
    if search is None:
        return []
    every = f"All {2**result.truth.n_samples:,} labelings were tried: "
    if search.is_prefix:
        return [every, ("optimum", "the best is a prefix"), " of the ranking. "]
    ranks = [str(i) for i in np.flatnonzero(search.positive) + 1]
    who = "none positive" if not ranks else f"rank {', '.join(ranks)} positive"
    return [
        every,
        ("optimum", "the best is not a prefix"),
        f", but {who}, worth {utility_text(search.utility)}; the best prefix is worth "
        f"{utility_text(search.prefix_utility)}. ",
    ]


def verdict(result: DecisionResult) -> str:
    """Return whether the metric ranks by probability, as a plain sentence."""
    found = result.monotonic
    if isinstance(found, str):
        return f"Whether it is TP monotonic cannot be said: {found}"
    if found:
        return "TP monotonic: more true positives never lower it, so the best labels are a prefix."
    return f"Not TP monotonic, so the best labels may be no prefix. {found}"


# ---------------------------------------------------------------------- code


def code(state: DecisionState) -> str:
    """Return runnable Python for the numbers on screen."""
    result = state.result
    n, wrong = result.truth.n_samples, result.is_miscalibrated
    labelled = result.realised is not None
    made, metric = _metric(state)
    names = ["optimal_decision", "best_empirical_threshold" if labelled else "plug_in_utilities"]
    names += [made] * bool(made) + ["prefix_utilities"] * wrong
    names += ["utility_distribution"] * (n <= EXACT)
    imports = ["import numpy as np"]
    if wrong or (state.source == "plane" and n > 30):
        imports.append("from scipy.special import expit, logit")
    imports += ["", f"from rocviz import {', '.join(sorted(names))}"]
    if n <= TRIED:
        imports.append("from rocviz.core.decisions.reference import exhaustive_decision")
    given = "believed" if wrong else "y_prob"
    lines = ["", *_source(state)]
    if wrong:
        lines.append(f"believed = expit({state.sharpen!r} * logit(y_prob) + {state.shift!r})")
    lines += [
        f"metric = {metric}",
        f"decision = optimal_decision({given}, metric)",
        "print(decision.k_star, decision.threshold, decision.utility)",
        f"k = {result.k}",
        "print(decision.utilities[k])",
    ]
    if wrong:
        lines += [
            "paid = prefix_utilities(y_prob, metric)  # what cuts really give",
            "print(paid[k], paid[decision.k_star], paid.max())",
        ]
    if labelled:
        lines += [
            f"eum = best_empirical_threshold(y_true, y_prob, metric{_label(state)})",
            "print(eum.threshold, eum.utility)",
        ]
    else:
        lines += [
            f"plug_in = plug_in_utilities({given}, metric)",
            "print(np.argmax(plug_in >= plug_in.max() - 1e-12))",
        ]
    if n <= EXACT:
        lines += [
            "labels = np.zeros(len(y_prob), dtype=int)",
            "labels[np.argsort(-y_prob, kind='stable')[:k]] = 1",
            "law = utility_distribution(labels, y_prob, metric)",
            "print(law.mean, law.std)",
        ]
    if n <= TRIED:
        lines.append(f"print(exhaustive_decision({given}, metric).utility)  # of all labelings")
    return "\n".join(imports + lines) + "\n"


def _metric(state: DecisionState) -> tuple[str, str]:
    """Return the function that makes the metric, if it takes one, and the expression."""
    if state.metric == "formula":
        return "parse_formula", f"parse_formula({state.formula!r})"
    name = repr(state.metric)
    if state.metric == "f" and state.beta != 1:
        return "resolve_metric", f"resolve_metric({name}, beta={state.beta!r})"
    if state.metric == "cost" and state.cost_fn != 1:
        return "resolve_metric", f"resolve_metric({name}, cost_fn={state.cost_fn!r})"
    return "", name


def _label(state: DecisionState) -> str:
    own = state._own
    return "" if own is None or own.pos_label is None else f", pos_label={own.pos_label!r}"


def _source(state: DecisionState) -> list[str]:
    """Return lines that make the probabilities, and the labels where there are any."""
    lines = []
    if state.is_own and state._own is not None:
        lines = state._own.code_lines()
        if not state.probabilities:
            return lines
    if state.can_edit:
        values = ", ".join(f"{p!r}" for p in state.y_prob.tolist())
        return [*lines, f"y_prob = np.array([{values}])"]
    n, share = state.n_samples, state.prevalence
    lines = [f"rng = np.random.default_rng({state.seed})"]
    if state.source == "plane":
        lines += [
            f"points, direction = rng.normal(size=({n}, 2)), rng.normal(size=2)",
            "y_prob = np.sort(expit(points @ direction))[::-1]",
        ]
    else:
        a, b = CERTAINTY * share, CERTAINTY * (1 - share)
        lines.append(f"y_prob = np.sort(rng.beta({a!r}, {b!r}, {n}))[::-1]")
    return lines
