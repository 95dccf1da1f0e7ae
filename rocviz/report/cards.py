"""The counts of right and wrong predictions at the threshold of a report, with their rates."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite, nan

from rocviz.core.decisions.threshold_interval import CorrectedRate
from rocviz.core.roc.metrics import ConfusionTable, binomial_interval
from rocviz.core.roc.predictive_values import predictive_values
from rocviz.report.data import Evaluation
from rocviz.report.section import Card
from rocviz.words import amount, percent

PREDICTIVE_VALUES = ("ppv", "npv")


def decision_cards(data: Evaluation) -> list[Card]:
    """Count right and wrong predictions of the primary model, with rates and their intervals."""
    name = data.primary_model
    point = data.operating_points[name]
    return [
        Card(
            f"{amount(point.tp)} true positives",
            _rate_lines(data, name, "tpr", "sensitivity"),
            "positive",
        ),
        Card(
            f"{amount(point.fn)} false negatives",
            _rate_lines(data, name, "npv", "NPV"),
            "positive",
        ),
        Card(
            f"{amount(point.fp)} false positives",
            _rate_lines(data, name, "ppv", "PPV"),
            "negative",
        ),
        Card(
            f"{amount(point.tn)} true negatives",
            _rate_lines(data, name, "tnr", "specificity"),
            "negative",
        ),
    ]


def _rate_lines(data: Evaluation, name: str, rate: str, label: str) -> list[str]:
    """Write a rate with its interval, and its value on new samples where it is corrected."""
    value = rate_at_threshold(data, name, rate)
    if not isfinite(value.apparent):
        return [f"{label} –"]
    if not isfinite(value.lower):
        return [f"{label} {percent(value.apparent, 1)}"]
    ends = f"95 % CI {percent(value.lower, 1)} to {percent(value.upper, 1)}"
    if not isfinite(value.corrected):
        return [f"{label} {percent(value.apparent, 1)}", ends]
    return [
        f"{label} {percent(value.apparent, 1)} here",
        f"about {percent(value.corrected, 1)} on new samples",
        ends,
    ]


def rate_at_threshold(data: Evaluation, name: str, rate: str) -> CorrectedRate:
    """Compute a rate of a model at its threshold, corrected if the same samples chose that.

    Parameters
    ----------
    data : Evaluation
    name : str
        The model.
    rate : {"tpr", "tnr", "fpr", "ppv", "npv"}
        Predictive values are those of the intended prevalence.
    """
    if rate not in PREDICTIVE_VALUES:
        return data.corrected_rate(name, rate)
    point = data.operating_points[name]
    apparent, lower, upper = _predictive_value(data, name, point, rate)
    sensitivity = data.corrected_rate(name, "tpr").corrected
    specificity = data.corrected_rate(name, "tnr").corrected
    if not (isfinite(sensitivity) and isfinite(specificity)):
        return CorrectedRate(apparent, nan, lower, upper)
    shifted = replace(
        point,
        tp=sensitivity * point.n_pos,
        fn=(1 - sensitivity) * point.n_pos,
        fp=(1 - specificity) * point.n_neg,
        tn=specificity * point.n_neg,
    )
    corrected, new_lower, new_upper = _predictive_value(data, name, shifted, rate)
    return CorrectedRate(apparent, corrected, min(lower, new_lower), max(upper, new_upper))


def _predictive_value(
    data: Evaluation, name: str, table: ConfusionTable, rate: str
) -> tuple[float, float, float]:
    """Compute a predictive value with its interval, at the data's or the intended prevalence."""
    if data.prevalence is not None:
        smaller = _effective_table(data, name, table)
        values = predictive_values(smaller, prevalence=data.prevalence)
        return (
            getattr(values, rate),
            getattr(values, f"{rate}_lower"),
            getattr(values, f"{rate}_upper"),
        )
    right, wrong = (table.tp, table.fp) if rate == "ppv" else (table.tn, table.fn)
    total = right + wrong
    if total <= 0:
        return nan, nan, nan
    size = total
    if data.samples is not None:
        score = data.samples.scores[name]
        predicted = score >= data.operating_points[name].threshold
        is_member = predicted if rate == "ppv" else ~predicted
        is_right = data.samples.positive if rate == "ppv" else ~data.samples.positive
        size = total / data.samples.design_effect(is_member, is_right)
    lower, upper = binomial_interval(right / total * size, size)
    return right / total, float(lower), float(upper)


def _effective_table(data: Evaluation, name: str, table: ConfusionTable) -> ConfusionTable:
    """Divide the counts of both classes by the design effects of clusters."""
    samples = data.samples
    if samples is None or samples.clusters is None:
        return table
    predicted = samples.scores[name] >= data.operating_points[name].threshold
    of_pos = samples.design_effect(samples.positive, predicted)
    of_neg = samples.design_effect(~samples.positive, ~predicted)
    return replace(
        table,
        tp=table.tp / of_pos,
        fn=table.fn / of_pos,
        fp=table.fp / of_neg,
        tn=table.tn / of_neg,
    )
