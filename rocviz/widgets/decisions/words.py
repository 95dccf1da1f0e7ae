"""Sentences of the decision explorer, and its format of utilities."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.decisions.decision import Decision
from rocviz.core.decisions.monotonicity import Monotonicity
from rocviz.displays.decisions.pictures import utility_text
from rocviz.widgets.decisions.code import code as code
from rocviz.widgets.decisions.result import DecisionResult
from rocviz.words import amount, ink, number

RULE_NAMES = {
    "dta": "expectation (DTA)",
    "eum": "on counts (EUM)",
    "half": "one half or more",
    "selected": "selected",
}
MOST_DIGITS = 5  # of a utility, where fewer do not tell two apart
_STEP = 1e-9  # a rise or fall of a curve below this is rounding
_SAME = 1e-12  # utilities nearer than this are the same


def apart(one: float, other: float) -> tuple[str, str]:
    """Write two utilities with as many digits as it takes to tell them apart."""
    texts = utility_text(one), utility_text(other)
    for digits in range(4, MOST_DIGITS + 1):
        if texts[0] != texts[1] or abs(one - other) <= _SAME:
            break
        texts = number(one, digits), number(other, digits)
    return texts


def peaks(utilities: NDArray[np.float64]) -> int:
    """Count the local maxima of a curve; a plateau is one."""
    step = np.diff(utilities)
    step = step[np.abs(step) > _STEP * max(1.0, float(np.abs(utilities).max()))]
    falls = np.concatenate(([False], step < 0, [True]))
    return int(np.count_nonzero(~falls[:-1] & falls[1:]))


def sentences(state: Any) -> Iterator[str]:
    """Describe the utility of the chosen cut, then the best cut."""
    result = state.result
    yield _cut(state, result)
    if result.is_miscalibrated:
        yield _price(result)
        if words := _tied(result):
            yield f"{words[2:-1].capitalize()}."
    if result.search is not None:
        yield _tried(result)
    yield _shape(result)
    yield _rules(result)
    if state.metric == "formula":
        yield " ".join(verdict(result))
    if result.is_preview:
        yield (
            "This is a preview: while you drag so many samples, the metric of the expected "
            "counts is shown in place of the expected metric."
        )


def _cut(state: Any, result: DecisionResult) -> str:
    k = result.k
    n = result.truth.n_samples
    name = "value of your formula" if state.metric == "formula" else result.name
    who = "none" if k == 0 else f"all {amount(n)}" if k == n else f"the top {amount(k)}"
    start = "Preview: with" if result.is_preview else "With"
    of_all = "" if k == n else f" of {amount(n)}"
    text = f"{start} {ink('selected', who)}{of_all} called positive"
    if 0 < k < n:
        text += _from(result)
    believed = float(result.decision.utilities[k])
    paid = float(result.paid[k])
    if result.is_miscalibrated:
        expected, really = apart(believed, paid)
        true = ink("selected", really)
        return f"{text}, the {name} is expected to be {expected}; its true mean is {true}."
    worth, best = apart(paid, result.decision.utility)
    text += f", the expected {name} is {ink('selected', worth)}"
    if k == result.n_predicted_positive:
        text += f", {ink('optimum', 'the best of all cuts')}"
        if result.search is not None and not result.search.is_prefix:
            more = ink("selected", utility_text(result.search.utility))
            text += f"; the best labels, which are not a cut, give {more}"
        return f"{text}."
    n_best = result.n_predicted_positive
    top = ink("optimum", f"the top {amount(n_best)}" if n_best else "none")
    if worth == best:
        near = abs(paid - result.decision.utility)
        how = "as good as" if near <= _SAME else f"within {10.0**-MOST_DIGITS:.{MOST_DIGITS}f} of"
        return f"{text}, {how} the best, {top}."
    return f"{text}; best is {top} with {best}."


def _from(result: DecisionResult) -> str:
    """State the lowest probability that is called positive, reported and true."""
    believed, true = (batch.threshold(result.k) for batch in (result.believed, result.truth))
    if result.is_miscalibrated:
        return f", from a believed {number(believed)} up (truly {number(true)})"
    return f", from probability {number(true)} up{_tied(result)}"


def _tied(result: DecisionResult) -> str:
    """Count the samples called negative that are as probable as the last positive call."""
    left = int(np.count_nonzero(result.truth.prob[result.k :] == result.truth.threshold(result.k)))
    if not left:
        return ""
    at = number(result.truth.threshold(result.k))
    return f" ({amount(left)} more with {at} {'is' if left == 1 else 'are'} called negative)"


def _worth(result: DecisionResult) -> str:
    """Introduce a value of the metric: a worth, or a cost or error."""
    return "worth" if result.metric.higher_is_better else "at"


def _rules(result: DecisionResult) -> str:
    """Describe the cuts by other rules."""
    eum = result.k_eum
    half = result.k_half
    worth = _worth(result)
    of_eum, of_half = (utility_text(float(result.paid[k])) for k in (eum, half))
    realised = result.realised
    if realised is None:
        best = f"The best cut on expected counts calls {amount(eum)} positive, {worth} {of_eum}"
    else:
        got = utility_text(float(realised[eum]))
        best = f"The best cut on the labels calls {amount(eum)} positive: it gives {got} there, "
        best += f"and {of_eum} on average"
    return f"{best}. A threshold of one half calls {amount(half)} positive, {worth} {of_half}."


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
            "More true positives can make this metric worse, so labels that are not a cut may be "
            "better."
        )
    return " ".join(parts)


@lru_cache(maxsize=8)
def _peaks_of(decision: Decision) -> int:
    return peaks(decision.metric.sign * decision.utilities)


def _price(result: DecisionResult) -> str:
    """Compare the cut by the wrong probabilities with that by the true ones."""
    if result.n_predicted_positive == result.k_best:
        return "The wrong probabilities lead to the right cut here."
    worth = _worth(result)
    chosen, best = apart(
        *(float(result.paid[k]) for k in (result.n_predicted_positive, result.k_best))
    )
    top = ink("optimum", f"the top {amount(result.n_predicted_positive)}")
    return (
        f"The wrong probabilities lead to {top}, {worth} {chosen}; the true ones would lead to the "
        f"top {amount(result.k_best)}, {worth} {best}."
    )


def _tried(result: DecisionResult) -> str:
    """Describe the result of the search through all labels."""
    search = result.search
    assert search is not None
    every = f"All {2**result.truth.n_samples:,} labellings were tried:"
    if search.is_prefix:
        return f"{every} {ink('optimum', 'the best is a prefix')} of the ranking."
    ranks = [str(i) for i in np.flatnonzero(search.positive) + 1]
    who = "calls none positive" if not ranks else f"calls rank {', '.join(ranks)} positive"
    more, cut = apart(search.utility, search.prefix_utility)
    return (
        f"{every} {ink('optimum', 'the best is not a prefix')} of the ranking. It {who}, "
        f"{_worth(result)} {more}; the best prefix has {cut}."
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
