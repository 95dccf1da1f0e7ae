"""What the ROC explorer says: its sentences, and the code that gives its numbers.

Turns a state into text. It computes nothing and draws nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocviz.widgets.base.state import Sentence
from rocviz.widgets.roc.data import CALIBRATIONS
from rocviz.words import amount, number, percent

if TYPE_CHECKING:
    from rocviz.widgets.roc.state import ROCResult, ROCState

__all__ = ["code", "sentences"]

METRIC_NAMES = {
    "none": "none",
    "accuracy": "accuracy",
    "cost": "expected cost",
    "precision": "precision",
    "f": "F1",
    "balanced_accuracy": "balanced accuracy",
    "odds_ratio": "odds ratio",
    "likelihood_ratio": "likelihood ratio",
}


def sentences(state: ROCState) -> tuple[Sentence, ...]:
    """Return what the picture shows: the cut first, then what the curve and the Brier score say."""
    result = state.result
    return (_cut(state, result), _lesson(state, result))


def _cut(state: ROCState, result: ROCResult) -> Sentence:
    table = result.table
    held = ("held", number(state.threshold))
    start: tuple[str | tuple[str, str], ...] = ("At threshold ", held, " the classifier finds ")
    if state.random_part < 1 and np.any(result.segments.score == state.threshold):
        share = f", with {percent(state.random_part)} of that tie drawn at random, "
        start = ("At threshold ", held, share, "the classifier finds ")
    false = percent(table.fpr)
    alarms = "false alarm" if table.fp == 1 else "false alarms"
    return Sentence(
        (
            *start,
            ("positive", f"{amount(table.tp)} of {amount(table.n_pos)}"),
            f" positives ({percent(table.tpr)}) and raises ",
            ("negative", amount(table.fp)),
            f" {alarms} ({false} of the negatives).",
        )
    )


def _lesson(state: ROCState, result: ROCResult) -> Sentence:
    auc, hull = result.segments.auc, result.curve.hull.auc
    parts: list[str | tuple[str, str]] = []
    after = result.calibrated.after
    miss = after.miscalibration / after.brier if after.brier else 0.0
    judged = "judged on the other half" if state.held_out else "judged on the same data"
    said = "Its Brier score"
    if state.calibration != "raw":
        said = f"Calibrated ({state.calibration}, {judged}), its Brier score"
    elif state.held_out:
        said = "Its Brier score on the half that judges"
    parts += [
        f"{said} is {number(after.brier)}, of which {percent(miss)} is miscalibration that the ",
        ("hull", "convex hull"),
        f" removes. AUC {number(auc)}, hull {number(hull)}",
    ]
    if abs(auc - hull) < 5e-4:
        parts.append(": the curve is all but convex")
    parts.append(". ")
    gain = result.cost - result.optimal_cost
    if gain > 5e-4:
        best = result.optimum
        what = f"threshold {number(best.threshold)}"
        if not best.predicted_pos:
            what = "calling nobody positive"
        parts += [
            "For these costs ",
            ("optimum", what),
            f" would be cheaper by {percent(gain / result.cost)}.",
        ]
    else:
        parts += ["For these costs you hold ", ("optimum", "the best cut"), "."]
    for name, curve, test in result.others:
        parts.append(f" {name}: AUC {number(curve.segments.auc)}")
        if test is not None:
            parts.append(
                f", {number(abs(test.difference))} "
                f"{'lower' if test.difference > 0 else 'higher'} (p = {_p_value(test.p_value)})"
            )
        parts.append(".")
    if len(result.segments) > 0.9 * result.segments.n_samples and state.calibration == "raw":
        parts.append(
            " Nearly every score is unique: taken per score, all of the loss looks like "
            "calibration loss; trust the hull's split."
        )
    return Sentence(tuple(parts))


def _p_value(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def code(state: ROCState) -> str:
    """Return runnable Python for the numbers on screen."""
    data = state.data
    how = CALIBRATIONS[state.calibration][1]
    names = {"RankedSegments", "brier_of_segments", how.split("(")[0]}
    lines = []
    if state.preset != state.own:
        names.add("binormal_scores")
        settings = {name: getattr(state, name) for name in state.trait_names(sandbox=True)}
        n, seed = settings.pop("n_samples"), settings.pop("seed")
        given = ", ".join(f"{name}={value!r}" for name, value in sorted(settings.items()))
        lines += [
            f"data = binormal_scores({n}, {given}, random_state={seed})",
            "y_true, y_score = data.y_true, data.y_prob",
        ]
    else:
        lines += data.code_lines(state.model)
    joins = data.joins(state.model, state.joined)
    lines += [
        f"y_score = np.where(({low!r} <= y_score) & (y_score <= {high!r}), {mean!r}, y_score)"
        for low, high, mean in joins
    ]
    weighted = data.weight is not None
    label = "" if data.given[3] is None else f", pos_label={data.given[3]!r}"

    def segments(part: str = "") -> str:
        weight = f", sample_weight=sample_weight{part}" if weighted else ""
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
            f"calibrate = {how.format(segments('[fit]'))}",
            f"judged = {segments('[judge]')}",
        ]
    else:
        lines += [f"calibrate = {how.format('segments')}", "judged = segments"]
    lines += [
        "brier = brier_of_segments(judged.with_scores(calibrate(judged.score)))",
        "",
        "print(segments.auc, segments.hull().auc)",
        "print(table.tp, table.fp, best.threshold)",
        "print(brier)",
    ]
    imports = [f"from rocviz import {', '.join(sorted(names))}"]
    if state.held_out:
        imports.insert(0, "from sklearn.model_selection import train_test_split")
    if joins or state.held_out or state.preset == state.own:
        imports.insert(0, "import numpy as np")
    return "\n".join([*imports, "", *lines]) + "\n"
