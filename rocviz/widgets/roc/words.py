"""The words of the ROC explorer: its sentences, and the code that gives its numbers.

Turns a state into text. It computes nothing and draws nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rocviz.widgets.base.code import options, script
from rocviz.widgets.roc.data import BY_PROBABILITY, CALIBRATIONS
from rocviz.widgets.roc.result import ROCResult
from rocviz.words import (
    Sentence,
    amount,
    number,
    p_value,
    percent,
    plain,
    score_text,
    short_names,
    whole,
)

SPACE_NAMES = {
    "roc": "ROC",
    "precision_recall": "precision-recall",
    "pr_gain": "PR gain",
    "gain": "gain",
    "lift": "lift",
    "cost": "cost curve",
    "brier": "Brier curve",
    "decision": "decision curve",
}


#: Characters of the sentence over the pictures that fit where a laptop leaves least room.
TWO_LINES = 175


def sentences(state: Any) -> Iterator[Sentence]:
    """Describe the cut first, then the curve and the Brier score."""
    result = state.result
    yield _cut(state, result)
    yield _deployed(state, result)
    yield _probabilities(state, result)
    yield from _others(result)
    yield from _where(state, result)
    if state.space != "roc":
        yield _area(state, result)


def _cut(state: Any, result: ROCResult) -> Sentence:
    table = result.table
    parts: list[str | tuple[str, str]] = [
        "At threshold ",
        ("held", score_text(state.threshold)),
        " the classifier finds ",
        ("positive", f"{amount(table.tp)} of {amount(table.n_pos)}"),
        " positives and raises ",
        ("negative", f"{amount(table.fp)} false alarm{'' if table.fp == 1 else 's'}"),
    ]
    gain = result.cost - result.best_cost
    if not state.show_best:
        parts[2] = f" {result.model} finds " if result.model_hull is not None else parts[2]
        return Sentence(*parts, ".")
    if result.model_hull is not None:
        called = short_names(state.data.scores, 18)
        parts[2] = f" {called[result.model]} finds "
        parts += _best_of_all(result, gain, called[result.best_model])
    elif gain > 5e-4:
        best = result.optimum
        what = (
            f"threshold {score_text(best.threshold)}"
            if best.predicted_pos
            else "calling no sample positive"
        )
        parts += [
            "; for these costs ",
            ("optimum", what),
            f" is cheaper by {percent(gain / result.cost)}.",
        ]
    else:
        parts += ["; for these costs that is ", ("optimum", "the best cut"), "."]
    sentence = Sentence(*parts)
    bias = _bias(result) if result.model_hull is None and state.calibration == "raw" else ""
    said = Sentence(*parts, f" Its scores are {bias}.") if bias else sentence
    return said if len(said.text) <= TWO_LINES else sentence


def _best_of_all(result: ROCResult, gain: float, model: str) -> list[str | tuple[str, str]]:
    """Name the model to use at the stated costs, and its cost."""
    if gain <= 5e-4:
        best = "no other model or cut is better"
        return ["; for these costs ", ("optimum", best), f", at {number(result.cost)} a sample."]
    at = f"{model} at {score_text(result.best_cut.threshold)}"
    if not result.best_cut.predicted_pos:
        at = "calling no sample positive"
    costs = f" is best: it costs {number(result.best_cost)} a sample, not {number(result.cost)}."
    return ["; for these costs ", ("optimum", at), costs]


def _where(state: Any, result: ROCResult) -> list[Sentence]:
    """Describe which model to use where, from the hull over all of them."""
    if result.model_hull is None:
        return []
    table, pi = result.model_hull.to_frame(), state.deployment_prevalence
    names = list(table["model"])
    words = []
    for k, (name, slope) in enumerate(zip(names, table["slope_to"], strict=True)):
        most = plain((1 - pi) / (pi * slope)) if slope > 0 else ""
        limit = "whatever errors cost" if len(names) == 1 else f"up to {most}"
        words.append(f"{name} " + (limit if k < len(names) - 1 or len(names) == 1 else "beyond"))
    return [
        Sentence(
            "Which model to use depends on how many false alarms a miss costs. Where "
            f"{percent(pi)} are positive, the ",
            ("hull", "hull over all models"),
            f" (AUC {number(result.model_hull.auc)}) says: use {', '.join(words)}.",
        )
    ]


def _deployed(state: Any, result: ROCResult) -> Sentence:
    deployed = result.deployed
    return Sentence(
        f"Of 1000 samples where {percent(state.deployment_prevalence)} are positive, ",
        ("positive", whole(deployed.tp)),
        f" are found, {whole(deployed.fn)} are missed, and ",
        ("negative", whole(deployed.fp)),
        f" raise{'s' * (round(deployed.fp) == 1)} a false alarm; "
        f"{percent(deployed.precision)} of those called positive"
        " really are positive (precision).",
    )


def _probabilities(state: Any, result: ROCResult) -> Sentence:
    segments, auc, hull = result.segments, result.segments.auc, result.curve.hull.auc
    after = result.calibrated.after
    miss = after.miscalibration / after.brier if after.brier else 0.0
    judged = "judged on the other half" if state.held_out else "judged on the same data"
    subject, of = "Its Brier score", ""
    if state.calibration != "raw":
        subject = f"Calibrated ({state.calibration}, {judged}), its Brier score"
        of = " of the raw scores"
    elif state.held_out:
        subject = "Its Brier score on the half that judges"
    convex = ": the curve is convex" if segments.is_convex else ""
    if not convex and abs(auc - hull) < 5e-4:
        convex = ": the curve is nearly convex"
    tie = ""
    if state.random_part < 1 and np.any(segments.score == state.threshold):
        part = percent(state.random_part)
        tie = f" Of the samples tied at the threshold {part} are called positive."
    unique = ""
    if len(segments) > 0.9 * segments.n_samples and state.calibration == "raw":
        unique = (
            " Nearly every score is unique: taken score by score, all of the loss looks like "
            "calibration loss, so use the decomposition by the convex hull instead."
        )
    parts: tuple[Any, ...] = (f"{subject} is {number(after.brier)}, of which {percent(miss)} is ",)
    bias = _bias(result)
    too = {"over-confident": "close to", "under-confident": "far from"}.get(bias)
    wrong = f" The scores are {bias}: too {too} 0 and 1." if bias else ""
    parts += ("miscalibration that the ", ("hull", "convex hull"), f" removes.{wrong}")
    if after.brier < 5e-4:  # a share of what is written as zero says nothing
        parts = (f"{subject} is below 0.001, so calibration has nothing to repair.",)
    area = f" AUC{of} {number(auc)}, hull {number(hull)}{convex}."
    return Sentence(*parts, f"{area}{tie}{unique}")


def _bias(result: ROCResult) -> str:
    """Call the probabilities over- or under-confident, or neither."""
    points = result.calibrated.by_hull
    spread = points.predicted - (points.n @ points.predicted) / points.n.sum()
    moved = float(points.n @ (spread * (points.observed - points.predicted)))
    size = float(points.n @ spread**2)
    if not size or abs(moved) < 0.1 * size:
        return ""
    return "over-confident" if moved < 0 else "under-confident"


def _area(state: Any, result: ROCResult) -> Sentence:
    """Explain the area under the curve in the space shown."""
    view = result.views[state.space]
    area, hull, pi = number(view.curve.area), number(view.hull.area), percent(view.prevalence)
    subject = {
        "precision_recall": f"The area {area} is the mean precision over all recalls, where {pi} "
        "are positive; between cuts the curve is bent, so straight lines would make it too large.",
        "pr_gain": f"The area {area} is the mean precision gain over all recall gains, where {pi} "
        "are positive; lines of equal F are straight, and the hull has every best cut.",
        "gain": f"The area {area} is half the prevalence plus its complement times the AUC: "
        f"{number(view.prevalence / 2)} + {number(1 - view.prevalence)} times "
        f"{number(result.segments.auc)}.",
        "lift": f"The area {area} is the mean lift: how many times more positives are among those "
        f"called positive than at random, where {pi} are.",
        "cost": f"The area {area} is the expected cost when every probability cost is as likely "
        "as any other and the best cut is taken at each; without skill it is 0.250.",
        "brier": f"The area {area} is the Brier score: the expected loss when every cost "
        f"proportion is as likely as any other and the cut lies there. With the hull's "
        f"probabilities it is {hull}; what lies between the curves is the miscalibration, "
        f"{number(round(view.curve.area - view.hull.area, 15))}.",
        "decision": "The height is the net benefit: positives found per sample, less false alarms "
        f"at the odds of the threshold probability; here {number(view.held[1])} at "
        f"{number(view.held[0])}, and at most {pi}, the prevalence.",
    }
    return Sentence(subject[state.space])


def _others(result: ROCResult) -> list[Sentence]:
    words = []
    for name, curve, test in result.others[:6]:
        text = f"{name} has AUC {number(curve.segments.auc)}"
        if test is not None:
            side = "lower" if test.difference > 0 else "higher"
            size = f"{number(abs(test.difference))} {side}" if test.difference else "the same"
            text += f", which is {size} ({p_value(test.p_value)})"
        words.append(Sentence(f"{text}."))
    more = len(result.others) - 6
    if more > 0:
        models = "model is" if more == 1 else "models are"
        words.append(Sentence(f"{more} more {models} in the table."))
    return words


def code(state: Any) -> str:
    """Write Python that computes the numbers on screen."""
    data = state.data
    how = options(**CALIBRATIONS[state.calibration])
    lines = [] if state.is_sandbox else data.code_lines(state.model)
    if state.is_sandbox:
        settings = state.sandbox_settings()
        n, seed = settings.pop("n_samples"), settings.pop("seed")
        given = options(**dict(sorted(settings.items())), random_state=seed)
        lines += [
            f"data = binormal_scores({n}{given})",
            "y_true, y_score = data.y_true, data.y_prob",
        ]
    lines += [
        f"y_score = np.where(({low!r} <= y_score) & (y_score <= {high!r}), {mean!r}, y_score)"
        for low, high, mean in data.joins(state.model, state.joined)
    ]
    label = options(pos_label=data.given[3])

    def segments(part: str = "") -> str:
        weight = "" if data.weight is None else f", sample_weight=sample_weight{part}"
        return f"RankedSegments.from_scores(y_true{part}, y_score{part}{weight}{label})"

    part = f", random_part={state.random_part!r}" if state.random_part != 1 else ""
    lines += [
        "",
        f"segments = {segments()}",
        f"table = segments.at_threshold({state.threshold!r}{part})",
        f"best = segments.optimal_point(cost_fp=1, cost_fn={state.cost_ratio!r}, "
        f"prevalence={state.deployment_prevalence!r})",
        "",
    ]
    if state.held_out:
        lines += [
            "fit, judge = train_test_split(",
            "    np.arange(len(y_true)), test_size=0.5, stratify=y_true, random_state=0",
            ")",
            f"calibrate = calibration_map({segments('[fit]')}{how})",
            f"judged = {segments('[judge]')}",
        ]
    else:
        lines += [f"calibrate = calibration_map(segments{how})", "judged = segments"]
    lines += [
        "brier = brier_decomposition(judged.with_scores(calibrate(judged.score)))",
        "",
        "print(segments.auc, segments.hull().auc)",
        "print(table.tp, table.fp, best.threshold)",
        "print(brier)",
    ]
    if state.space != "roc":
        view = state.result.views[state.space]
        curve, given = "segments", options(prevalence=view.prevalence)
        if state.space in BY_PROBABILITY:
            curve, given = "judged.with_scores(calibrate(judged.score))", ""
        lines += [f"curve = space_curve({curve}, {state.space!r}{given})", "print(curve.area)"]
    if state.result.model_hull is not None:
        lines += ["", f"models = {{{state.model!r}: segments}}"]
        for name in data.scores:
            if name != state.model:
                lines += [*data.code_lines(name), f"models[{name!r}] = {segments()}"]
        lines += [
            "hull = hull_over_models(models)",
            "print(hull.auc, hull.to_frame())",
            f"print(hull.best_cut(1, {state.cost_ratio!r}, "
            f"prevalence={state.deployment_prevalence!r}))",
        ]
    return script(lines)
