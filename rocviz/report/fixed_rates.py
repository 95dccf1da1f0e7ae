"""Sensitivity where specificity is fixed, and the reverse, of each model of a report."""

from __future__ import annotations

from typing import Any

import pandas as pd

from rocviz.core.roc.fixed_rate import (
    FixedRate,
    sensitivity_at_specificity,
    specificity_at_sensitivity,
)
from rocviz.report.data import Evaluation
from rocviz.report.options import FixedAt
from rocviz.report.phrases import model_text
from rocviz.report.section import INTERVAL_HEADINGS, Section, Table
from rocviz.words import percent, plain, score_text

OTHER_RATES = {"sensitivity": "specificity", "specificity": "sensitivity"}


def fixed_rates_section(data: Evaluation) -> Section | None:
    """Report the rates at the sensitivities and specificities that were asked for."""
    if not data.fixed_rates:
        return None
    text = []
    rows: list[dict[str, Any]] = []
    for fixed in data.fixed_rates:
        for name in data.rankings:
            estimate = rate_at(data, name, fixed)
            rows.append(
                {
                    "model": name,
                    "fixed": fixed.rate,
                    "fixed_value": fixed.value,
                    "of_what": f"{OTHER_RATES[fixed.rate]} at {_fixed_text(fixed)}",
                    "rate": estimate.rate,
                    "lower": estimate.lower,
                    "upper": estimate.upper,
                    "threshold": estimate.threshold,
                    "is_doubtful": estimate.is_doubtful,
                }
            )
            if name == data.primary_model:
                text.append(_sentence(data, name, fixed, estimate))
    headings = {"of_what": "of what", "model": "model", "rate": "value", **INTERVAL_HEADINGS}
    headings |= {"threshold": "threshold", "is_doubtful": "doubtful"}
    notes = [
        "The threshold is a quantile of one class, and so it varies too: intervals are Wilson's, "
        "for an effective number of samples that allows for it (Maritz and Jarrett, 1978). They "
        "are doubtful where fewer than two samples are expected beyond the threshold."
    ]
    if data.is_clustered:
        notes.append("That number is found by resamples of whole clusters.")
    if not data.first.is_exact:
        notes.append("Scores that share a cell were counted together, as ties.")
    words = "Rates where the other one is fixed"
    table = Table("fixed_rates", words, pd.DataFrame(rows), headings)
    return Section("Fixed sensitivity or specificity", text, [table], notes=notes)


def rate_at(data: Evaluation, name: str, fixed: FixedAt) -> FixedRate:
    """Compute the other rate of a model, with its interval."""
    arguments: dict[str, Any] = {"y_true": data.rankings[name]}
    samples = data.samples
    if samples is not None and samples.clusters is not None:
        arguments = {
            "y_true": samples.positive,
            "y_score": samples.scores[name],
            "sample_weight": samples.weight,
            "clusters": samples.cluster_labels,
        }
    if fixed.rate == "specificity":
        return sensitivity_at_specificity(**arguments, specificity=fixed.value)
    return specificity_at_sensitivity(**arguments, sensitivity=fixed.value)


def _fixed_text(fixed: FixedAt) -> str:
    """Name the fixed rate."""
    return f"a {fixed.rate} of {plain(100 * fixed.value)} %"


def _sentence(data: Evaluation, name: str, fixed: FixedAt, estimate: FixedRate) -> str:
    """Say what the other rate of the primary model is."""
    other = OTHER_RATES[fixed.rate]
    model = model_text(data, name)
    if pd.isna(estimate.rate):
        classes = data.classes
        few = classes.the_negatives if fixed.rate == "specificity" else classes.the_positives
        if data.is_clustered:
            few = f"the clusters with {few.removeprefix('the ')}"
        return f"{few[0].upper()}{few[1:]} are too few for {_fixed_text(fixed)}."
    doubt = ""
    if estimate.is_doubtful:
        doubt = (
            " Fewer than two samples are expected beyond this threshold: the interval is doubtful."
        )
    return (
        f"At {_fixed_text(fixed)} the {other} of {model} is {percent(estimate.rate, 1)} (95 % "
        f"interval {percent(estimate.lower, 1)} to {percent(estimate.upper, 1)}), at a threshold "
        f"of about {score_text(estimate.threshold)}.{doubt}"
    )
