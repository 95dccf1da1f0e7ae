"""Sentences of the decision explorer, and the code that computes its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.decisions.decision import Decision
from rocviz.core.decisions.monotonicity import Monotonicity
from rocviz.core.roc.metrics import METRICS
from rocviz.displays.decisions.pictures import utility_text
from rocviz.widgets.base.code import options, script
from rocviz.widgets.decisions.data import (
    BETA_CONCENTRATION,
    MAX_SAMPLES_OF_EXACT_OUTCOMES,
    MAX_SAMPLES_OF_SEARCH,
)
from rocviz.widgets.decisions.result import DecisionResult
from rocviz.words import ClassNames, amount, ink, number

RULE_NAMES = {
    "dta": "expectation (DTA)",
    "eum": "on counts (EUM)",
    "half": "one half or more",
    "selected": "selected",
}
MAX_DIGITS = 5  # of a utility, where fewer do not tell two apart
MIN_UTILITY_STEP = 1e-9  # a rise or fall of a curve below this is rounding
UTILITY_TOLERANCE = 1e-12  # utilities nearer than this are the same


def distinct_texts(utility: float, other: float) -> tuple[str, str]:
    """Write two utilities with as many digits as it takes to distinguish them."""
    texts = utility_text(utility), utility_text(other)
    for digits in range(4, MAX_DIGITS + 1):
        if texts[0] != texts[1] or abs(utility - other) <= UTILITY_TOLERANCE:
            break
        texts = number(utility, digits), number(other, digits)
    return texts


def peaks(utilities: NDArray[np.float64]) -> int:
    """Count the local maxima of a curve; a plateau is one."""
    step = np.diff(utilities)
    rounding = MIN_UTILITY_STEP * max(1.0, float(np.abs(utilities).max()))
    is_real = np.abs(step) > rounding
    falls = np.concatenate(([False], step[is_real] < 0, [True]))
    return int(np.count_nonzero(~falls[:-1] & falls[1:]))


def sentences(state: Any) -> Iterator[str]:
    """Describe the utility at the chosen threshold, then the best threshold."""
    result = state.result
    yield _threshold(state, result)
    if result.is_miscalibrated:
        yield _price(result)
        n_tied = _n_tied(result)
        if n_tied:
            yield f"{_tied(result, n_tied, state.class_names)}."
    if result.search is not None:
        yield _tried(result, state.class_names)
    yield _shape(result)
    yield _rules(result, state.class_names)
    if state.metric == "formula":
        yield " ".join(verdict(result))
    if result.is_preview:
        yield (
            "This is a preview: while you drag so many samples, the metric of the expected "
            "counts is shown in place of the expected metric."
        )


def _threshold(state: Any, result: DecisionResult) -> str:
    k = result.k
    n = result.truth.n_samples
    name = "value of your formula" if state.metric == "formula" else result.name
    if k == 0:
        which = f"{ink('selected', 'none')} of {amount(n)}"
    elif k == n:
        which = ink("selected", f"all {amount(n)}")
    else:
        which = f"{ink('selected', f'the top {amount(k)}')} of {amount(n)}"
    classes = state.class_names.shortened()
    text = classes.predicting(which)
    if 0 < k < n:
        text += _from(result, classes)
    text = f"Preview: {text}" if result.is_preview else f"{text[0].upper()}{text[1:]}"
    believed = float(result.decision.utilities[k])
    true = float(result.true_utilities[k])
    if result.is_miscalibrated:
        expected, true_mean = distinct_texts(believed, true)
        mean = ink("selected", true_mean)
        return f"{text} gives a believed {name} of {expected}; its true mean is {mean}."
    utility, best = distinct_texts(true, result.decision.utility)
    text += f" gives an expected {name} of {ink('selected', utility)}"
    if k == result.n_predicted_positive:
        text += f", {ink('optimum', 'the best of all thresholds')}"
        if result.search is not None and not result.search.is_prefix:
            of_labels = ink("selected", utility_text(result.search.utility))
            text += f"; the best labels, which no threshold gives, have {of_labels}"
        return f"{text}."
    n_best = result.n_predicted_positive
    top = ink("optimum", f"the top {amount(n_best)}" if n_best else "none")
    if utility != best:
        return f"{text}; best is {top} with {best}."
    if abs(true - result.decision.utility) <= UTILITY_TOLERANCE:
        return f"{text}, as good as the best, {top}."
    return f"{text}, within {10.0**-MAX_DIGITS:.{MAX_DIGITS}f} of the best, {top}."


def _from(result: DecisionResult, classes: ClassNames) -> str:
    """State the lowest probability that is predicted positive, reported and true."""
    true = number(result.truth.threshold(result.k))
    if result.is_miscalibrated:
        believed = number(result.believed.threshold(result.k))
        return f" (believed probability at least {believed}, truly {true})"
    n_tied = _n_tied(result)
    tied = f"; {_tied(result, n_tied, classes)}" if n_tied else ""
    return f" (probability at least {true}{tied})"


def _n_tied(result: DecisionResult) -> int:
    """Count the samples predicted negative that are as probable as the last predicted positive."""
    threshold = result.truth.threshold(result.k)
    return int(np.count_nonzero(result.truth.prob[result.k :] == threshold))


def _tied(result: DecisionResult, n_tied: int, classes: ClassNames) -> str:
    """Write how many samples at the threshold are predicted negative."""
    threshold = number(result.truth.threshold(result.k))
    verb = "is" if n_tied == 1 else "are"
    return f"{amount(n_tied)} more with {threshold} {verb} predicted {classes.negative}"


def _predicted(count: int, classes: ClassNames) -> str:
    """Write how many samples are predicted positive."""
    if classes.is_named:
        return f"{classes.positive} for {amount(count)}"
    return "1 positive" if count == 1 else f"{amount(count)} positives"


def _worth(result: DecisionResult) -> str:
    """Introduce a value of the metric: a worth, or a cost or error."""
    return "worth" if result.metric.higher_is_better else "at"


def _rules(result: DecisionResult, classes: ClassNames) -> str:
    """Describe the thresholds by other rules."""
    eum = result.k_eum
    half = result.k_half
    worth = _worth(result)
    of_eum = utility_text(float(result.true_utilities[eum]))
    of_half = utility_text(float(result.true_utilities[half]))
    if result.realised is None:
        best = (
            f"The best threshold on expected counts predicts {_predicted(eum, classes)}, {worth} "
            f"{of_eum}"
        )
    else:
        on_labels = utility_text(float(result.realised[eum]))
        best = (
            f"The best threshold on the labels predicts {_predicted(eum, classes)}: it gives "
            f"{on_labels} there, and {of_eum} on average"
        )
    predicted = _predicted(half, classes)
    return f"{best}. A threshold of one half predicts {predicted}, {worth} {of_half}."


def _shape(result: DecisionResult) -> str:
    """Count the peaks of the curve, and warn if the metric falls with true positives."""
    n_peaks = _peaks_of(result.decision)
    rises = result.metric.higher_is_better
    kind, turn = ("peak", "fall") if rises else ("minimum", "rise")
    parts = [f"The curve has one {kind}."]
    if n_peaks > 1:
        several = "peaks" if rises else "minima"
        parts = [
            f"The curve has {amount(n_peaks)} {several}, so every k has to be tried, not only "
            f"those before its first {turn}."
        ]
    if isinstance(result.monotonic, Monotonicity) and not result.monotonic:
        parts.append(
            "More true positives can make this metric worse, so labels that no threshold gives may "
            "be better."
        )
    return " ".join(parts)


@lru_cache(maxsize=8)
def _peaks_of(decision: Decision) -> int:
    return peaks(decision.metric.sign * decision.utilities)


def _price(result: DecisionResult) -> str:
    """Compare the threshold by the wrong probabilities with that by the true ones."""
    if result.n_predicted_positive == result.k_best:
        return "The wrong probabilities lead to the right threshold here."
    worth = _worth(result)
    chosen, best = distinct_texts(
        float(result.true_utilities[result.n_predicted_positive]),
        float(result.true_utilities[result.k_best]),
    )
    top = ink("optimum", f"the top {amount(result.n_predicted_positive)}")
    return (
        f"The wrong probabilities lead to {top}, {worth} {chosen}; the true ones would lead to the "
        f"top {amount(result.k_best)}, {worth} {best}."
    )


def _tried(result: DecisionResult, classes: ClassNames) -> str:
    """Describe the result of the search through all labels."""
    search = result.search
    assert search is not None
    every = f"All {2**result.truth.n_samples:,} labellings were tried:"
    if search.is_prefix:
        return f"{every} {ink('optimum', 'the best is a prefix')} of the ranking."
    ranks = [str(i) for i in np.flatnonzero(search.positive) + 1]
    predicts = "It predicts no positives"
    if classes.is_named:
        predicts = f"It never predicts {classes.positive}"
    if ranks:
        of_ranks = classes.predicting(f"rank {', '.join(ranks)}")
        predicts = f"It predicts {of_ranks.removeprefix('predicting ')}"
    best, prefix = distinct_texts(search.utility, search.prefix_utility)
    return (
        f"{every} {ink('optimum', 'the best is not a prefix')} of the ranking. {predicts}, "
        f"{_worth(result)} {best}; the best prefix has {prefix}."
    )


def verdict(result: DecisionResult) -> tuple[str, str]:
    """State whether the best labels are a prefix of the ranking, and why."""
    monotonic = result.monotonic
    if isinstance(monotonic, str):
        return "Whether it is TP monotonic cannot be determined.", monotonic
    if monotonic:
        return (
            "TP monotonic: the best labels are a prefix.",
            "More true positives never lower it.",
        )
    return "Not TP monotonic: the best labels need not be a prefix.", str(monotonic)


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
    changed = {}
    for option in METRICS[state.metric].options:
        value = state.metric_options.get(option.name, option.default)
        if value != option.default:
            changed[option.name] = value
    if changed:
        return f"resolve_metric({state.metric!r}{options(**changed)})"
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
