"""The Fermi-Dirac explorer's sentences, and the code that gives its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rocviz.core.roc.auc_intervals import AUCInterval
from rocviz.widgets.base.code import options, script
from rocviz.widgets.fermi_dirac.result import FermiDiracResult
from rocviz.words import INTERVAL_NAMES, Sentence, amount, number, rank_text


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
    """Name the method of an interval; a fallback is said to be one."""
    if interval.is_fallback:
        return f"exact, as {INTERVAL_NAMES[interval.method]} finds no variance in these data"
    return INTERVAL_NAMES[interval.method]


def sentences(state: Any) -> Iterator[Sentence]:
    """Describe the effect of the temperature on the ranking; then the data."""
    result = state.result
    yield _temperature(state, result)
    yield _threshold(state, result)
    yield Sentence(
        f"Temperatures are in units of N, the number of samples: {amount(state.n_samples)} here."
    )


def _temperature(state: Any, result: FermiDiracResult) -> Sentence:
    held = ("held", temperature_text(state.temperature))
    one = state.n_pos == 1
    fermions = ("positive", "one positive" if one else f"{amount(state.n_pos)} positives")
    area = f"AUC {number(state.auc)}"
    if state.temperature == 0:
        top = state.auc == 1
        verb = ("fills" if one else "fill") if top else ("has sunk to" if one else "have sunk to")
        where = f"{verb} the very {'top' if top else 'bottom'} of the ranking"
        return Sentence("At temperature ", held, " the ", fermions, f" {where}: {area}.")
    if np.isinf(state.temperature):
        where = f"{'is' if one else 'are'} anywhere, every rank equally likely"
        return Sentence("At temperature ", held, " the ", fermions, f" {where}: {area}.")
    law = result.law
    first, last = (float(p) for p in law.probability([1.0, float(state.n_samples)]))
    below = ", below zero: worse than random" if state.temperature < 0 else ""
    return Sentence(
        "At temperature ",
        held,
        f" N ({area}{below}) the first rank holds a positive with probability ",
        ("positive", number(first)),
        ", the last one with ",
        ("positive", number(last)),
        ".",
    )


def _threshold(state: Any, result: FermiDiracResult) -> Sentence:
    law, segments = result.law, result.ranked.segments
    named = result.intervals[0]
    cut = ("optimum", f"r* = {rank_text(law.threshold_rank)}")
    parts: list[str | tuple[str, str]]
    if law.beta == 0:
        parts = ["Every rank is as likely to hold a positive as any other."]
    else:
        side = "Before" if law.beta > 0 else "After"
        parts = [f"{side} rank ", cut, " a positive is more likely than its prior probability"]
        if law.beta > 0:
            best = rank_text(result.best_rank)
            parts.append(f"; in the data balanced accuracy is best at rank {best}")
        parts += [
            ". The chemical potential, where positive and negative are equally likely, is ",
            ("held", f"μ = {rank_text(law.chemical_potential)}"),
            ".",
        ]
    parts.append(
        f" The data's AUC is {number(segments.auc)}, between {number(named.lower)} and "
        f"{number(named.upper)} with {100 * named.confidence:g} % confidence "
        f"({method_text(named)})."
    )
    return Sentence(*parts)


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
        label = options(pos_label=source.given[3])
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
