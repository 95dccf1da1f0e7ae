"""Sentences of the ensemble explorer, and the code that computes its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rocviz.core.ensembles.experiment import EnsembleExperiment
from rocviz.pictures import Entry
from rocviz.widgets.base.code import options, script
from rocviz.widgets.base.controls import Row
from rocviz.widgets.ensembles.result import EnsembleResult
from rocviz.words import (
    COMBINATION_NAMES,
    difference,
    ink,
    number,
    p_value,
    percent,
    short_names,
    signed,
)

SHORT_NAMES = {"fidel": "FiDEL", "woc": "WoC", "correlation-aware": "corr.-aware"}

MIN_SAMPLES_PER_CLASS = 10  # samples of a class; with fewer, hardly anything can be said


def rank_text(rank: float) -> str:
    """Write a rank, with its half where it lies between two."""
    return f"{rank:,.1f}".removesuffix(".0")


def ordinal(n: int) -> str:
    """Write an ordinal number, such as 21st."""
    last = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{last}"


def numbered(name: str, place: int) -> str:
    """Put the number that a classifier's circle has before its name."""
    return name if name.endswith(f" {place + 1}") else f"{place + 1} {name}"


def member_rows(state: Any) -> list[Row]:
    """List the classifiers, with membership and measured AUC."""
    result = state.result
    rows = []
    for place, name in enumerate(result.ensemble.names):
        is_in = place in result.members
        auc = number(result.ensemble.auc[place])
        rows.append(
            Row(
                key=place,
                label=numbered(name, place),
                value=is_in,
                text=f"best {auc}" if place == result.best else auc,
                muted=not is_in,
                role="muted",
            )
        )
    return rows


def crowd_rows(state: Any, *, brief: bool) -> list[tuple[str, str, str]]:
    """List method, name and value, as text, of each way to rank: single ones, then crowds."""
    result = state.result
    best = number(result.auc["best"])
    if brief:
        names = {"mean base": "mean", "best": "best single", "woc": "WoC", **SHORT_NAMES}
        return [(method, name, number(result.auc[method])) for method, name in names.items()]
    written = [
        ("mean base", "single classifiers, their mean", number(result.auc["mean base"])),
        ("best", f"best single, {_short_name(result, result.best, 12)}", best),
    ]
    for method in ("woc", "fidel", "correlation-aware"):
        more = difference(result.auc[method] - result.auc["best"])
        written.append(
            (method, COMBINATION_NAMES[method], f"{number(result.auc[method])}  ({more})")
        )
    return written


def temperature_words(result: EnsembleResult, is_large: bool) -> tuple[list[Entry], list[Entry]]:
    """Write the legends at the cold and at the hot end of the classifiers."""
    is_below = bool(result.law[1][0] < -1e-9)
    colder = ["colder: surer"]
    hotter = [] if is_below else ["hotter: less sure"]
    if is_large:
        colder = ["colder: strong evidence", "ring: measured best"]
        hotter = ["below ∞: reversed ranking" if is_below else "hotter: weak evidence"]
        if len(result.members) < len(result.ensemble.names):
            colder.append("empty: not in the crowd")
    return _muted_entries(colder), _muted_entries(hotter)


def _muted_entries(texts: list[str]) -> list[Entry]:
    return [Entry(text, "muted", bold=False) for text in texts]


def item_words(state: Any, *, brief: bool) -> str:
    """Write the class of the item and its probability by the crowd."""
    result = state.result
    kind = _class_of_item(state, 10)
    written = percent(float(result.item.probability[0]))
    text = (
        f"{kind}; the crowd: {written}" if brief else f"It is {kind}; the crowd predicts {written}"
    )
    return text.replace(" %", "\u00a0%")


def _class_of_item(state: Any, most: int) -> str:
    """Name the class of the item, in at most so many letters."""
    classes = state.class_names.shortened(most)
    return str(classes.positive if state.result.item_is_positive else classes.negative)


def crowd_votes(state: Any, *, brief: bool) -> tuple[str, str]:
    """Count the votes for each class in words: for the negative class, and for the positive one."""
    values = state.result.item.contributions[0]
    n_positive = int((values > 0).sum())
    classes = state.class_names.shortened(8 if brief else 10)
    if brief:
        return str(classes.negative), str(classes.positive)
    n_negative = values.size - n_positive
    return _votes(n_negative, str(classes.negative)), _votes(n_positive, str(classes.positive))


def _votes(n: int, of_class: str) -> str:
    """Write how many classifiers speak for a class."""
    return f"{n} says {of_class}" if n == 1 else f"{n} say {of_class}"


def verdict_words(state: Any, *, brief: bool) -> tuple[str, tuple[str, str]]:
    """Write the crowd's probability of the positive class, and the truth with its role."""
    result = state.result
    written = percent(float(result.item.probability[0])).replace(" %", "\u00a0%")
    crowd = f"crowd: {written}"
    if brief:
        return f"the {crowd}", ("", "")
    role = "positive-text" if result.item_is_positive else "negative-text"
    return crowd, (f"truth: {_class_of_item(state, 9)}", role)


def alike_words(state: Any) -> tuple[str, str]:
    """Name both ends of the track: how alike classifiers err, or ranks of the user's samples."""
    if state.is_sandbox:
        return "err independently", "err alike"
    return f"ranked {ordinal(state.result.n_items)}", "ranked 1st"


def gain_words(state: Any) -> tuple[str, str]:
    """Write the AUCs of the crowd and of the best single classifier."""
    auc = state.result.auc
    return f"crowd: AUC {number(auc[state.method])}", f"best alone: {number(auc['best'])}"


def error_words(name: str, n_wrong: int, n_samples: int) -> str:
    """Write on what share of the samples the crowd is wrong, or its best member alone."""
    return f"{name}: {percent(n_wrong / n_samples)} wrong"


def sentences(state: Any) -> Iterator[str]:
    """Describe the crowd's AUC, the reasons, and the resamples."""
    result = state.result
    yield _crowd(state, result)
    yield _why(state, result)
    yield from _caveats(result)
    if result.experiment is not None:
        yield _over_resamples(result.experiment)


def _crowd(state: Any, result: EnsembleResult) -> str:
    n_members = len(result.members)
    where = "new samples" if result.held_out else "the samples it was measured on"
    best = _short_name(result, result.best)
    single = ink("text", number(result.auc["best"]))
    area = ink("text", number(result.auc[state.method]))
    classes = state.class_names.shortened()
    n_smaller, smaller_class, noun = min(
        (result.ensemble.n_pos, "positive", classes.positives),
        (result.ensemble.n_neg, "negative", classes.negatives),
    )
    lead = ""
    if result.preview is not None:
        lead = f"Preview from {result.preview:,} samples: "
    elif n_smaller < MIN_SAMPLES_PER_CLASS:
        if n_smaller == 1 and not classes.is_named:
            noun = smaller_class
        lead = (
            f"With only {n_smaller} {ink(smaller_class, noun)} to measure on, it is uncertain "
            "which is better: "
        )
    crowd = f"crowd of {n_members} ({COMBINATION_NAMES[state.method]})"
    if lead and n_members == 1:
        return f"{lead}{best} alone has AUC {single}."
    if lead:
        return f"{lead}the {crowd} has AUC {area}, the best of them, {best}, alone {single}."
    if n_members == 1:
        return f"One classifier, {best}, ranks {where} with AUC {single}."
    test = result.test
    gain = ""
    if test is not None and (test.p_value >= 0.05 or np.isnan(test.p_value)):
        gain = ": these data show no difference"
    elif test is not None:
        more = "gains" if test.difference > 0 else "loses"
        gain = f": the crowd {more} {number(abs(test.difference))} ({p_value(test.p_value)})"
    return (
        f"The {crowd} ranks {where} with AUC {area}; the best of them, {best}, alone reaches "
        f"{single}{gain}."
    )


def _caveats(result: EnsembleResult) -> list[str]:
    """Warn that a perfect AUC of few pairs may be chance."""
    ensemble = result.ensemble
    perfect = [k for k in result.members if ensemble.auc[k] in (0.0, 1.0)]
    if not perfect or min(ensemble.n_pos, ensemble.n_neg) >= MIN_SAMPLES_PER_CLASS:
        return []
    names = _and([_short_name(result, k) for k in perfect])
    pairs = ensemble.n_pos * ensemble.n_neg
    count = "a single pair" if pairs == 1 else f"all {pairs} pairs"
    nothing = ", which leaves no evidence at all" if pairs == 1 else ""
    return [
        f"{names} put {count} into the same order. This may be chance, so half a pair in the other "
        f"order is added{nothing}."
    ]


def _short_name(result: EnsembleResult, place: int, most: int = 20) -> str:
    """Shorten a classifier's name for a sentence."""
    names = result.ensemble.names
    return short_names(names, most)[names[place]]


def _why(state: Any, result: EnsembleResult) -> str:
    text = ""
    crowd = result.crowd
    if len(result.members) > 1:
        others = []
        for method in ("fidel", "woc", "correlation-aware"):
            if method != state.method:
                others.append(f"{COMBINATION_NAMES[method]} {number(result.auc[method])}")
        correlation = crowd.mean_correlation
        same = ": part of their evidence is the same" if correlation > 0.1 else ""
        text = (
            f"Its members reach {number(result.auc['mean base'])} on average, "
            f"{', '.join(others)}. Within a class their ranks are correlated by "
            f"{signed(correlation)} on average{same}. "
        )
    below_half = [_short_name(result, k) for k in result.members if result.ensemble.beta[k] < 0]
    if below_half:
        text += f"{_below_half(below_half, state.method)}. "
    kind = "positive" if result.item_is_positive else "negative"
    classes = state.class_names
    an_item = f"a {ink(kind, kind)}"
    if classes.is_named:
        an_item = f"labelled {ink(kind, _class_of_item(state, 60))}"
    contributions = result.item.contributions[0]
    n_in_favour = int((contributions > 0).sum())
    return (
        f"{text}{ink('selected', f'Item {state.item}')}, {an_item}, is ranked "
        f"{ordinal(result.place)} of {result.n_items:,}: {n_in_favour} of {contributions.size} "
        f"classifiers favour {classes.positive}. The evidence adds up to "
        f"{signed(float(result.item.log_likelihood_ratio[0]))}, a probability of "
        f"{percent(float(result.item.probability[0]))}."
    )


def _below_half(names: list[str], method: str) -> str:
    """Describe the effect of classifiers that rank worse than random."""
    is_single = len(names) == 1
    listed = _and(names)
    text = f"{listed[0].upper()}{listed[1:]} {'is' if is_single else 'are'} below AUC one half"
    if method == "fidel":
        text += f" and {'counts' if is_single else 'count'} with the opposite sign"
    if method == "woc":
        text += f" and {'pulls' if is_single else 'pull'} the mean rank the wrong way"
    return text


def _and(names: list[str]) -> str:
    """Write a list in words; of a long list, the first three and the number of others."""
    if len(names) == 1:
        return names[0]
    if len(names) > 4:
        names = [*names[:3], f"{len(names) - 3} more"]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _over_resamples(experiment: EnsembleExperiment) -> str:
    """Compare the mean AUCs of FiDEL and of the best single classifier, by standard errors."""
    fidel = experiment.methods.index("fidel")
    best = experiment.methods.index("best")
    gain = experiment.auc[:, fidel] - experiment.auc[:, best]
    two_errors = 2 * np.hypot(*experiment.standard_error[:, [fidel, best]].T)
    sizes = experiment.n_classifiers
    start = f"Over {experiment.n_repeats} resamples of these data FiDEL's mean AUC is "
    parts = []
    for where, word in ((gain > two_errors, "above"), (gain < -two_errors, "below")):
        if where.any():
            parts.append(f"{word} the best single classifier's for M = {_runs(sizes[where])}")
    text = " and ".join(parts) or "nowhere above or below the best single classifier's"
    return f"{start}{text}, by two standard errors; another data set can differ by more."


def _runs(sizes: np.ndarray) -> str:
    """Write increasing integers, neighbours as a range."""
    starts = np.flatnonzero(np.diff(sizes) > 1) + 1
    texts = []
    for run in np.split(sizes, starts):
        texts.append(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}")
    return _and(texts)


# ---------------------------------------------------------------------- code


def code(state: Any) -> str:
    """Write runnable Python for the numbers on screen."""
    result = state.result
    lines = _sandbox_lines(state) if state.is_sandbox else state._own.code(state.strategy)
    label = options(pos_label=None if state.is_sandbox else state._own.pos_label)
    places = list(result.members)
    selection = ""
    columns = ""
    if len(places) < len(result.ensemble.names):
        selection = f".select({places})"
        columns = f"[:, {places}]"
    row = int(np.searchsorted(result.rows, state.item))
    score = f"second[:, {places[0]}]" if len(places) == 1 else "crowd.score"
    lines += [
        "",
        f"ensemble = RankEnsemble.from_scores(y_first, first{label}){selection}",
        f"crowd = ensemble.combine(second{columns}, method={state.method!r}, calibration=None)",
        "",
        "print(ensemble.to_frame())",
        "print(ensemble.correlation.round(2))",
        f"print(RankedSegments.from_scores(y_second, {score}{label}).auc)",
        f"print(crowd.contributions[{row}], crowd.log_likelihood_ratio[{row}])",
    ]
    if result.experiment is not None:
        if state.is_sandbox:
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
    return script(lines)


def _sandbox_lines(state: Any) -> list[str]:
    """Write Python that simulates the classifiers of the sandbox."""
    lines = []
    for part, seed in (("first", 2 * state.seed), ("second", 2 * state.seed + 1)):
        lines += [
            f"y_{part}, {part} = simulate_classifiers(",
            f"    {state.n_samples}, {state.sandbox_aucs},",
            f"    correlation={state.correlation!r}, prevalence={state.prevalence!r}, "
            f"random_state={seed},",
            ")",
        ]
    return lines
