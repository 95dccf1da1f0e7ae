"""What the ensemble explorer says: its sentences, and the code that gives its numbers.

Turns a state into text. It computes nothing and draws nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocviz.widgets.base.state import Sentence
from rocviz.words import number, percent, signed

if TYPE_CHECKING:
    from rocviz.core.ensembles.experiment import EnsembleExperiment
    from rocviz.widgets.ensembles.result import EnsembleResult
    from rocviz.widgets.ensembles.state import EnsembleState

__all__ = ["METHOD_NAMES", "code", "rank_text", "sentences"]

METHOD_NAMES = {
    "fidel": "FiDEL",
    "woc": "wisdom of crowds",
    "correlation-aware": "correlation-aware",
}

Words = list[str | tuple[str, str]]


def rank_text(rank: float) -> str:
    """Write a rank, with its half where it lies between two."""
    return f"{rank:,.1f}".removesuffix(".0")


def sentences(state: EnsembleState) -> tuple[Sentence, ...]:
    """Return how the crowd does; why; what the resamples say."""
    result = state.result
    said = [_crowd(state, result), _why(state, result)]
    if result.experiment is not None:
        said.append(_over_resamples(result.experiment))
    return tuple(said)


def _crowd(state: EnsembleState, result: EnsembleResult) -> Sentence:
    m = len(result.members)
    where = "samples it has not seen" if result.held_out else "the samples it was measured on"
    best = _called(state, result.best)
    single = number(result.auc["best"])
    if m == 1:
        return Sentence((f"One classifier, {best}, ranks {where} with AUC ", ("text", single), "."))
    area = result.auc[state.method]
    parts: Words = [
        f"The crowd of {m} ({METHOD_NAMES[state.method]}) ranks {where} with AUC ",
        ("text", number(area)),
        f"; {best}, which measured best, alone reaches ",
        ("text", single),
    ]
    test = result.test
    if test is None:
        parts.append(".")
    elif test.p_value >= 0.05 or np.isnan(test.p_value):
        parts.append(": no difference that these data can show.")
    else:
        size = number(abs(area - result.auc["best"]))
        more = "gains" if area > result.auc["best"] else "loses"
        p = "< 0.001" if test.p_value < 0.001 else f"= {test.p_value:.3f}"
        parts.append(f": the crowd {more} {size} (p {p}).")
    return Sentence(tuple(parts))


def _called(state: EnsembleState, place: int) -> str:
    name = state.result.ensemble.names[place]
    return name if state.is_sandbox else f"{name} ({place + 1})"


def _why(state: EnsembleState, result: EnsembleResult) -> Sentence:
    parts: Words = []
    crowd = result.crowd
    if len(result.members) > 1:
        others = [m for m in ("fidel", "woc", "correlation-aware") if m != state.method]
        said = ", ".join(f"{METHOD_NAMES[m]} {number(result.auc[m])}" for m in others)
        c = crowd.mean_correlation
        parts.append(
            f"Its members reach {number(result.auc['mean base'])} on average, {said}. "
            f"Within a class their ranks are correlated by {signed(c)} on average"
        )
        if c > 0.1:
            parts.append(": part of what one says, another has said already")
        parts.append(". ")
    reversed_ = [_called(state, k) for k in result.members if result.ensemble.beta[k] < 0]
    if reversed_:
        verb = "is" if len(reversed_) == 1 else "are"
        counts = "counts" if len(reversed_) == 1 else "count"
        end = {
            "woc": " and pulls the mean rank the wrong way"
            if len(reversed_) == 1
            else " and pull the mean rank the wrong way",
        }.get(state.method, f" and {counts} reversed" if state.method == "fidel" else "")
        some = _and(reversed_)
        parts.append(f"{some[0].upper()}{some[1:]} {verb} below AUC one half{end}. ")
    kind = "positive" if result.item_is_positive else "negative"
    contributions = result.item.contributions[0]
    for_it = int((contributions > 0).sum())
    parts += [
        ("held", f"Item {state.item}"),
        ", a ",
        (kind, kind),
        f", is ranked {_ordinal(result.place)} of {result.order.size:,}: {for_it} of "
        f"{contributions.size} speak for positive, the evidence adds up to "
        f"{signed(float(result.item.log_likelihood_ratio[0]))}, a probability of "
        f"{percent(float(result.item.probability[0]))}.",
    ]
    return Sentence(tuple(parts))


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _ordinal(n: int) -> str:
    last = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{last}"


def _over_resamples(experiment: EnsembleExperiment) -> Sentence:
    """Say where FiDEL's mean is apart from the best single one's by more than chance would make."""
    fidel, best = (experiment.methods.index(m) for m in ("fidel", "best"))
    gain = experiment.auc[:, fidel] - experiment.auc[:, best]
    apart = 2 * np.hypot(*experiment.standard_error[:, [fidel, best]].T)
    sizes = experiment.n_classifiers
    start = f"Over {experiment.n_repeats} resamples of these data FiDEL's mean AUC is "
    parts = []
    for where, word in ((gain > apart, "above"), (gain < -apart, "below")):
        if where.any():
            parts.append(f"{word} the best single classifier's for M = {_runs(sizes[where])}")
    if not parts:
        text = f"{start}nowhere clear of the best single classifier's"
    else:
        text = start + " and ".join(parts)
    return Sentence((f"{text}, by two standard errors; another data set can differ by more.",))


def _runs(sizes: np.ndarray) -> str:
    """Write increasing integers, neighbours as a range."""
    cuts = np.flatnonzero(np.diff(sizes) > 1) + 1
    runs = np.split(sizes, cuts)
    return _and([str(r[0]) if len(r) == 1 else f"{r[0]} to {r[-1]}" for r in runs])


# ---------------------------------------------------------------------- code


def code(state: EnsembleState) -> str:
    """Return runnable Python for the numbers on screen."""
    result = state.result
    names = {"RankEnsemble", "RankedSegments"}
    imports, lines = _sandbox_lines(state) if state.is_sandbox else state.own_code()
    if state.is_sandbox:
        names.add("simulate_classifiers")
    label = "" if state.pos_label is None else f", pos_label={state.pos_label!r}"
    places = list(result.members)
    everyone = len(places) == len(result.ensemble.names)
    some = "" if everyone else f".select({places})"
    columns = "" if everyone else f"[:, {places}]"
    at = int(np.searchsorted(result.rows, state.item))
    judged = f"second[:, {places[0]}]" if len(places) == 1 else "crowd.score"
    lines += [
        "",
        f"ensemble = RankEnsemble.from_scores(y_first, first{label}){some}",
        f"crowd = ensemble.combine(second{columns}, method={state.method!r})",
        "",
        "print(ensemble.to_frame())",
        "print(ensemble.correlation.round(2))",
        f"print(RankedSegments.from_scores(y_second, {judged}{label}).auc)",
        f"print(crowd.contributions[{at}], crowd.log_likelihood_ratio[{at}])",
    ]
    if result.experiment is not None:
        names.add("ensemble_subsets")
        if state.is_sandbox:
            imports = ["import numpy as np", *imports]
            lines += [
                "",
                "y_true = np.concatenate([y_first, y_second])",
                "scores = np.concatenate([first, second])",
            ]
        lines += [
            f"experiment = ensemble_subsets(y_true, scores{columns}{label}, "
            f"n_repeats={state.n_resamples}, random_state=0)",
            "print(experiment.to_frame())",
        ]
    ours = [line for line in imports if line.startswith("from rocviz")]
    theirs = [line for line in imports if line not in ours]
    ours.insert(0, f"from rocviz import {', '.join(sorted(names))}")
    return "\n".join([*theirs, *ours, "", *lines]) + "\n"


def _sandbox_lines(state: EnsembleState) -> tuple[list[str], list[str]]:
    """Return imports (none), and Python that simulates what the sandbox shows."""
    given = [
        f"    {state.n_samples}, {state.sandbox_aucs},",
        f"    correlation={state.correlation!r}, prevalence={state.prevalence!r}, ",
    ]
    lines = []
    for part, seed in (("first", 2 * state.seed), ("second", 2 * state.seed + 1)):
        lines += [
            f"y_{part}, {part} = simulate_classifiers(",
            given[0],
            f"{given[1]}random_state={seed},",
            ")",
        ]
    return [], lines
