"""Sentences of the Fermi-Dirac explorer, and the code that computes its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rocviz.core.roc.auc_intervals import AUCInterval
from rocviz.displays.fermi_dirac.pictures import has_neighbours
from rocviz.widgets.base.code import options, script
from rocviz.widgets.fermi_dirac.result import FermiDiracResult
from rocviz.words import INTERVAL_NAMES, amount, ink, number, rank_text


def temperature_text(temperature: float) -> str:
    """Write a temperature in units of the number of samples."""
    if np.isinf(temperature):
        return "∞"
    if temperature == 0:
        return "0"
    if abs(temperature) < 10:
        return number(temperature)
    return format(temperature, ".0f" if abs(temperature) < 1e6 else ".3g").replace("-", "−")


def method_text(interval: AUCInterval) -> str:
    """Name the method of an interval, and of the exact fallback."""
    if interval.is_fallback:
        return f"exact, as {INTERVAL_NAMES[interval.method]} finds no variance in these data"
    return INTERVAL_NAMES[interval.method]


def sentences(state: Any) -> Iterator[str]:
    """Describe the effect of the temperature on the ranking; then the data."""
    result = state.result
    yield _temperature(state, result)
    yield _threshold(state, result)
    text = f"Temperatures are in units of N, the number of samples: {amount(state.n_samples)} here."
    if has_neighbours(result.law):
        text += " The dashed curves are the law at half and at twice the temperature."
    yield text


def _temperature(state: Any, result: FermiDiracResult) -> str:
    start = f"At temperature {ink('selected', temperature_text(state.temperature))}"
    is_single = state.n_pos == 1
    classes = state.class_names.shortened()
    count = "one positive" if is_single else f"{amount(state.n_pos)} positives"
    a_positive = "a positive"
    if classes.is_named:
        count = f"{amount(state.n_pos)} {classes.positives}"
        a_positive = f"a sample labelled {classes.positive}"
    positives = ink("positive", count)
    area = f"AUC {number(state.auc)}"
    if state.temperature == 0 and state.auc == 1:
        verb = "fills" if is_single else "fill"
        return f"{start} the {positives} {verb} the very top of the ranking: {area}."
    if state.temperature == 0:
        verb = "has sunk" if is_single else "have sunk"
        return f"{start} the {positives} {verb} to the very bottom of the ranking: {area}."
    if np.isinf(state.temperature):
        verb = "is" if is_single else "are"
        return f"{start} the {positives} {verb} anywhere, every rank equally likely: {area}."
    first, last = result.law.probability([1.0, float(state.n_samples)]).tolist()
    below = ", below zero: worse than random" if state.temperature < 0 else ""
    return (
        f"{start} N ({area}{below}) the first rank has {a_positive} with probability "
        f"{ink('positive', number(first))}, the last one with {ink('positive', number(last))}."
    )


def _threshold(state: Any, result: FermiDiracResult) -> str:
    law = result.law
    segments = result.ranked.segments
    classes = state.class_names
    a_positive = "a positive"
    either = "positive and negative"
    if classes.is_named:
        a_positive = f"a sample labelled {classes.positive}"
        either = f"{classes.positive} and {classes.negative}"
    text = f"Every rank is as likely to have {a_positive} as any other."
    if law.beta != 0:
        side = "Before" if law.beta > 0 else "After"
        threshold = ink("optimum", f"r* = {rank_text(law.threshold_rank)}")
        potential = ink("selected", f"μ = {rank_text(law.chemical_potential)}")
        best = ""
        if law.beta > 0:
            rank = rank_text(result.best_rank)
            best = f"; in the data balanced accuracy is best at rank {rank}"
        text = (
            f"{side} rank {threshold} {a_positive} is more likely than its prior "
            f"probability{best}. The chemical potential, where {either} are equally likely, is "
            f"{potential}."
        )
    interval = result.intervals[0]
    return (
        f"{text} The data's AUC is {number(segments.auc)}, between {number(interval.lower)} and "
        f"{number(interval.upper)} with {100 * interval.confidence:g} % confidence "
        f"({method_text(interval)})."
    )


def code(state: Any) -> str:
    """Write runnable Python for the numbers on screen."""
    n_pos = state.n_pos
    lines = [
        f"law = FermiDirac.from_auc({state.auc!r}, {n_pos}, {state.n_samples - n_pos})",
        "print(law.beta, law.temperature, law.chemical_potential, law.threshold_rank)",
        "",
    ]
    source = state.result.ranked.source
    label = ""
    if source is not None:
        lines += source.code_lines("model")
        label = options(pos_label=source.pos_label)
        label += "" if source.weight is None else ", sample_weight=sample_weight"
    else:
        lines += [
            f"y_true = law.sample(random_state={state.seed})  # in the order of the ranking",
            "y_score = -np.arange(len(y_true))",
        ]
    lines += [
        f"for method in {tuple(INTERVAL_NAMES)!r}:",
        "    print(auc_interval(y_true, y_score, method=method, "
        f"confidence={state.confidence!r}, n_resamples=500, random_state=0{label}))",
    ]
    return script(lines)
