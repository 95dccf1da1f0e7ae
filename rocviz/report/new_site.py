"""Models from another place: how they are updated here, and what that gains."""

from __future__ import annotations

from math import isfinite, nan
from typing import Any

import pandas as pd

from rocviz.core.practice.update import ModelUpdate
from rocviz.report.data import Evaluation
from rocviz.report.phrases import at_start, model_text, two_digits
from rocviz.report.section import Measure, Section, Table, join
from rocviz.words import amount, number, p_value, percent, plain

MIN_FOR_SLOPE = 50  # of the rarer class; with fewer a slope is fitted to noise
EXAMPLES = (0.1, 0.3, 0.7)  # probabilities that are updated to show how

#: The numbers before and after, with their headings, digits and values for a perfect model.
MEASURES = {
    "observed_expected": Measure("observed / expected", 2, ideal=1.0),
    "slope": Measure("calibration slope", 2, ideal=1.0),
    "brier": Measure("Brier score", 4),
    "net_benefit": Measure("net benefit", 4),
}
_CHOICES = {
    "none": "to keep it",
    "intercept": "to shift its log odds",
    "slope": "to change level and slope of its log odds",
}


def new_site_section(data: Evaluation) -> Section | None:
    """Report the updates of models from another place."""
    if not data.updates:
        return None
    update = data.updates[data.primary_model]
    model = model_text(data, data.primary_model)
    text = [_choice_text(update, model)]
    if update.chosen != "none":
        text += [_formula_text(update, model), _gain_text(data, update)]
    without = [name for name in data.rankings if name not in data.updates]
    if without:
        text.append(f"Scores of {join(without)} are no probabilities, so they are not updated.")
    return Section(
        "Update for this place",
        text,
        [_measures_table(data), _formulas_table(data)],
        notes=_notes(data),
        warnings=_warnings(data, update),
        details=_details(data, update, model),
    )


def _choice_text(update: ModelUpdate, model: str) -> str:
    """Say what the closed test chose, and why."""
    where = f"{at_start(model)} was fitted at another place."
    of_none = update.p_values["none"]
    if update.chosen == "none":
        return (
            f"{where} The closed test keeps it as it is: chance alone can explain how far its "
            f"level and slope are off here ({p_value(of_none)})."
        )
    if update.chosen == "intercept":
        needed = ""
        if "intercept" in update.p_values:
            needed = (
                f", and a slope is not needed beside it ({p_value(update.p_values['intercept'])})"
            )
        return (
            f"{where} The closed test shifts its log odds: its level is off here "
            f"({p_value(of_none)}){needed}."
        )
    return (
        f"{where} The closed test changes level and slope of its log odds: as it is it does not "
        f"fit here ({p_value(of_none)}), nor does it after a shift alone "
        f"({p_value(update.p_values['intercept'])})."
    )


def _formula_text(update: ModelUpdate, model: str) -> str:
    """Write the update so that it can be computed by hand, with examples."""
    examples = []
    for before, after in zip(EXAMPLES, update.apply(EXAMPLES), strict=True):
        examples.append(f"{percent(before)} become {percent(float(after), 1)}")
    shift = f"{'add' if update.intercept >= 0 else 'subtract'} {_size(update.intercept)}"
    if update.chosen == "slope":
        shift = f"multiply them by {_signed(update.coefficient)}, {shift}"
    return (
        f"To use it here, take the log odds of the probability p by {model}, ln(p / (1 − p)), "
        f"{shift}, and turn the result l back into a probability, 1 / (1 + exp(−l)): "
        f"{formula_text(update)}. So {join(examples)}."
    )


def formula_text(update: ModelUpdate) -> str:
    """Write an update as a formula."""
    if update.chosen == "none":
        return "logit p′ = logit p"
    slope = "" if update.chosen == "intercept" else f"{_signed(update.coefficient)} × "
    return f"logit p′ = {_signed(update.intercept)} + {slope}logit p"


def _size(value: float) -> str:
    """Write the size of a coefficient with four digits, enough to compute with."""
    return f"{abs(value):.4g}"


def _signed(value: float) -> str:
    """Write a coefficient with four digits."""
    return f"−{_size(value)}" if value < 0 else _size(value)


def _gain_text(data: Evaluation, update: ModelUpdate) -> str:
    """Say what the update of the primary model gains."""
    before, after = update.before, update.after
    parts = [
        f"observed over expected {data.classes.positives} go from "
        f"{two_digits(before.observed_expected.value)} to "
        f"{two_digits(after.observed_expected.value)}"
    ]
    if isfinite(before.slope.value) and isfinite(after.slope.value):
        parts.append(
            f"the calibration slope from {two_digits(before.slope.value)} to "
            f"{two_digits(after.slope.value)}"
        )
    parts.append(f"the Brier score from {number(before.brier, 4)} to {number(after.brier, 4)}")
    if _has_net_benefit(data):
        parts.append(
            f"the net benefit at a threshold probability of "
            f"{percent(update.threshold_probability, 1)} from {number(before.net_benefit, 4)} to "
            f"{number(after.net_benefit, 4)}"
        )
    better = ""
    if after.brier >= before.brier:
        better = " By the Brier score the update is no gain here."
    return f"On samples that the update was not fitted to, {join(parts)}.{better}"


def _has_net_benefit(data: Evaluation) -> bool:
    """Whether the costs give a threshold probability."""
    return 0 < data.threshold_probability < 1


def _measures_table(data: Evaluation) -> Table:
    """Tabulate the numbers of each model before and after its update."""
    rows = []
    for model, update in data.updates.items():
        for when, measures in (("as they are", update.before), ("updated", update.after)):
            row: dict[str, Any] = {"model": model, "when": when}
            for name in ("observed_expected", "slope"):
                estimate = getattr(measures, name)
                row[name] = estimate.value
                row[f"{name}_lower"] = estimate.lower
                row[f"{name}_upper"] = estimate.upper
            for name in ("brier", "net_benefit"):
                row[name] = getattr(measures, name)
                row |= {f"{name}_lower": nan, f"{name}_upper": nan}
            rows.append(row)
    shown = dict(MEASURES)
    if not _has_net_benefit(data):
        del shown["net_benefit"]
    frame = pd.DataFrame(rows)
    names = frame["when"]
    if len(data.rankings) > 1:
        names = frame["model"] + ", " + frame["when"]
    return Table(
        "update",
        "Before and after the update",
        frame,
        {"name": "probabilities"},
        on_page=frame.assign(name=names),
        measures=shown,
    )


def _formulas_table(data: Evaluation) -> Table:
    """Tabulate what was chosen for each model."""
    rows = []
    for model, update in data.updates.items():
        row: dict[str, Any] = {"model": model, "chosen": update.chosen}
        row |= {"choice": _CHOICES[update.chosen], "formula": formula_text(update)}
        row |= {"intercept": update.intercept, "coefficient": update.coefficient}
        row["p_none"] = update.p_values.get("none", nan)
        row["p_intercept"] = update.p_values.get("intercept", nan)
        rows.append(row)
    headings = {
        "model": "model",
        "choice": "the test chose",
        "formula": "formula",
        "p_none": "p of no change",
        "p_intercept": "p of a shift",
    }
    return Table(
        "update_formulas", "Updates", pd.DataFrame(rows), headings, is_words=True, is_appendix=True
    )


def _warnings(data: Evaluation, update: ModelUpdate) -> list[str]:
    """Say that the rest is of the models as they are, and which data are too few."""
    warnings = []
    if update.chosen != "none":
        warnings.append(
            "All other sections are about the probabilities as they are, before an update."
        )
    samples = data.samples
    assert samples is not None
    n_pos, n_neg, units = data.first.n_pos, data.first.n_neg, "samples"
    if samples.clusters is not None:
        n_pos = samples.n_positive_clusters
        n_neg = samples.n_negative_clusters
        units = "clusters"
    if update.chosen == "slope" and min(n_pos, n_neg) < MIN_FOR_SLOPE:
        warnings.append(
            f"With {amount(min(n_pos, n_neg))} {units} of the rarer class a slope is fitted to "
            f"noise; below about {MIN_FOR_SLOPE} a shift is what data can support."
        )
    return warnings


def _details(data: Evaluation, update: ModelUpdate, model: str) -> list[str]:
    """Say how the choice varies between folds, and what limits the update."""
    details = []
    others = []
    n_folds = sum(update.chosen_in_folds.values())
    for chosen, count in update.chosen_in_folds.items():
        if chosen != update.chosen:
            others.append(f"{_CHOICES[chosen]} ({count} of {n_folds})")
    if others:
        details.append(
            f"Without one of the folds the test chose for {model} in some cases {join(others)}: "
            "the choice depends on few samples."
        )
    for name, other in data.updates.items():
        whose = f"{name}: " if len(data.updates) > 1 else ""
        details += [f"{whose}{reason}" for reason in other.reasons]
    return details


def _notes(data: Evaluation) -> list[str]:
    """Name the methods."""
    update = data.updates[data.primary_model]
    n_folds = sum(update.chosen_in_folds.values())
    notes = [
        "Updates are by logistic recalibration, chosen by the closed test at level .05 "
        "(Vergouwe et al., 2017): the simplest that a likelihood-ratio test against intercept and "
        "slope does not reject. Numbers after the update are of "
        f"{plain(n_folds)} folds, each updated by the samples of the others; net benefit is at "
        "the prevalence of these samples. An update repairs levels, not the order of scores."
    ]
    if data.is_clustered:
        notes.append("Clusters stay in one fold; the test takes rows for independent.")
    if data.site_comparisons:
        notes.append("There is one update for all sites.")
    return notes
