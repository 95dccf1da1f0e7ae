"""The first section of a report: what was read, the verdict, and one row for each model."""

from __future__ import annotations

from math import isfinite, nan
from operator import attrgetter
from typing import Any

import numpy as np
import pandas as pd

from rocviz.core.calibration.brier import brier_decomposition
from rocviz.report.data import Evaluation, Samples
from rocviz.report.decision import costs_text, net_benefit_at
from rocviz.report.differences import mean_interval
from rocviz.report.phrases import are_labels, model_text, reversed_text
from rocviz.report.section import (
    SIGNIFICANCE_LEVEL,
    Measure,
    Section,
    Table,
    join,
)
from rocviz.words import (
    amount,
    area_text,
    difference,
    number,
    p_value,
    percent,
    score_text,
)


def summary_section(data: Evaluation) -> Section:
    """Say what was read and what follows from it, and tabulate the measures of each model."""
    return Section(
        "Summary",
        [],
        [summary_table(data)],
        facts=facts(data),
        verdict=f"{ranking_verdict(data)} {decision_verdict(data)}",
        warnings=warnings(data),
        notes=summary_notes(data),
    )


def facts(data: Evaluation) -> list[str]:
    """Describe the samples in short phrases."""
    first = data.first
    phrases = [
        f"outcome {data.classes.positive}: {amount(first.n_pos)} of {amount(first.n_samples)} "
        f"samples ({percent(first.prevalence, 1)})"
    ]
    samples = data.samples
    if samples is None:
        phrases.append("counted by score, not kept")
        return phrases
    if samples.weight is not None:
        phrases.append(f"weighted: {samples.positive.size:,} rows")
    if samples.clusters is not None:
        phrases.append(f"{samples.n_clusters:,} clusters of rows")
    if samples.folds is not None:
        phrases.append(f"{len(samples.folds.distinct):,} folds")
    if samples.groups is not None:
        phrases.append(f"{len(samples.groups.distinct):,} groups")
    if samples.sites is not None:
        phrases.append(f"{len(samples.sites.distinct):,} sites")
    if data.is_new_site:
        phrases.append("models from another place")
    if data.prevalence is not None:
        phrases.append(f"intended prevalence {percent(data.prevalence, 1)}")
    return phrases


def warnings(data: Evaluation) -> list[str]:
    """Collect what a reader must not miss, such as reversed scores."""
    texts = [*reversed_text(data), *label_text(data)]
    pooled = data.pooled_folds.get(data.primary_model)
    if pooled is not None and pooled.differ:
        texts.append(
            f"Scores of different folds of {model_text(data, data.primary_model)} are not on one "
            f"scale: the AUC of all folds in one ranking is {number(pooled.pooled)}, within folds "
            f"it is {number(pooled.mean)} on average."
        )
    return texts


def label_text(data: Evaluation) -> list[str]:
    """Warn of scores that are predictions rather than probabilities."""
    names = [name for name, ranking in data.rankings.items() if are_labels(ranking)]
    if not names:
        return []
    whose = join(names) if len(data.rankings) > 1 else "the model"
    return [
        f"All scores of {whose} are 0 or 1: predictions, no probabilities. Their ROC curve has one "
        "point, and a calibration slope, an intercept or a best threshold says nothing. Give the "
        "probabilities or scores from which they were made, if there are any."
    ]


# ---------------------------------------------------------------------- verdict


def differences_to_primary(data: Evaluation) -> pd.DataFrame:
    """Tabulate the AUC of each other model less that of the primary one, with Holm's p.

    Empty where no models are compared.
    """
    pairs = pd.DataFrame()
    if data.samples is not None and len(data.rankings) > 1:
        pairs = data.pairs
    return differences_from(pairs, data.primary_model)


def differences_from(pairs: pd.DataFrame, primary: str) -> pd.DataFrame:
    """Pick the differences from the primary model out of those of all pairs.

    Parameters
    ----------
    pairs : pandas.DataFrame
        Columns ``model_a``, ``model_b``, ``difference`` of the one less the other, and ``p_holm``.
    primary : str
    """
    rows = []
    for pair in pairs.itertuples():
        if pair.model_a == primary:
            rows.append((pair.model_b, -pair.difference, pair.p_holm))
        elif pair.model_b == primary:
            rows.append((pair.model_a, pair.difference, pair.p_holm))
    return pd.DataFrame(rows, columns=["model", "difference", "p_holm"])


def ranking_verdict(data: Evaluation) -> str:
    """Say in a sentence how well the primary model ranks, beside others, and is calibrated."""
    primary = data.primary_model
    area = area_text(data.rankings[primary], attrgetter("auc"))
    calibration = calibration_phrase(data)
    if len(data.rankings) == 1:
        interval = data.auc_intervals.get(primary)
        ends = ""
        if interval is not None:
            ends = f" (95 % CI {number(interval.lower)} to {number(interval.upper)})"
        return f"The model ranks with an AUC of {area}{ends}, and {calibration}."
    return f"{primary} (AUC {area}) {comparison_phrase(data)}, and {calibration}."


def comparison_phrase(data: Evaluation) -> str:
    """Say which models rank better or worse than the primary one beyond chance."""
    return phrase_of_differences(differences_to_primary(data))


def phrase_of_differences(frame: pd.DataFrame) -> str:
    """Say which models differ from the primary one beyond chance, and of which it is open.

    Parameters
    ----------
    frame : pandas.DataFrame
        Columns ``model``, ``difference`` of an AUC from that of the primary model, and ``p_holm``.
    """
    if frame["p_holm"].isna().all():
        return "was not tested against the others"
    is_different = frame["p_holm"] < SIGNIFICANCE_LEVEL
    is_open = frame["p_holm"] >= SIGNIFICANCE_LEVEL
    worse = frame.loc[is_different & (frame["difference"] < 0), "model"].tolist()
    better = frame.loc[is_different & (frame["difference"] > 0), "model"].tolist()
    open_ = frame.loc[is_open, "model"].tolist()
    if len(worse) == len(frame) > 1:
        return "ranks better than all others"
    phrases = []
    if worse:
        phrases.append(f"ranks better than {join(worse)}")
    if better:
        phrases.append(f"ranks worse than {join(better)}")
    if open_:
        phrases.append(f"is not clearly better or worse than {join(open_)}")
    return join(phrases)


def calibration_phrase(data: Evaluation) -> str:
    """Say in a phrase how far the probabilities of the primary model can be trusted."""
    primary = data.primary_model
    if primary not in data.probabilistic:
        return "its scores are no probabilities"
    if are_labels(data.rankings[primary]):
        return "its scores are predictions, not probabilities"
    ratio = data.calibration[primary].observed_expected
    slope = data.calibration[primary].slope
    faults = []
    if isfinite(ratio.lower) and ratio.lower > 1:
        faults.append(f"too low on average (O/E {number(ratio.value, 2)})")
    elif isfinite(ratio.upper) and ratio.upper < 1:
        faults.append(f"too high on average (O/E {number(ratio.value, 2)})")
    has_slope = isfinite(slope.value) and isfinite(slope.lower) and isfinite(slope.upper)
    if has_slope and slope.upper < 0:
        faults.append(f"reversed (slope {number(slope.value, 2)})")
    elif has_slope and slope.upper < 1:
        faults.append(f"too extreme (slope {number(slope.value, 2)})")
    elif has_slope and slope.lower > 1:
        faults.append(f"too close together (slope {number(slope.value, 2)})")
    if faults:
        return f"its probabilities are {join(faults)}"
    if not (has_slope and isfinite(ratio.lower)):
        return "its calibration cannot be judged from these samples"
    return (
        f"its probabilities show no sign of miscalibration (O/E {number(ratio.value, 2)}, slope "
        f"{number(slope.value, 2)})"
    )


def decision_verdict(data: Evaluation) -> str:
    """Say in a sentence which threshold the costs give, and what happens at it."""
    point = data.operating_points[data.primary_model]
    classes = data.classes
    effect = (
        f"of {amount(point.n_pos)} {classes.positives} {amount(point.tp)} are found, and of "
        f"{amount(point.n_neg)} {classes.negatives} {amount(point.fp)} raise a false alarm."
    )
    if data.primary_model in data.with_given_threshold:
        return f"At the given threshold of {score_text(point.threshold)}, {effect}"
    costs = costs_text(data)
    if data.prevalence is not None:
        costs += f" at a prevalence of {percent(data.prevalence, 1)}"
    if point.tp + point.fp == 0:
        return f"{costs}, {classes.predicting('nobody')} costs least."
    if point.fn + point.tn == 0:
        return f"{costs}, {classes.predicting('everybody')} costs least."
    return (
        f"{costs}, the least costly threshold on these samples is {score_text(point.threshold)}: "
        f"{effect}"
    )


# ---------------------------------------------------------------------- one row for each model


def summary_table(data: Evaluation) -> Table:
    """Tabulate the usual measures of each model with intervals."""
    primary = data.primary_model
    names = list(data.rankings)
    threshold = data.benefit_threshold
    rows = []
    for name in names:
        row: dict[str, Any] = {"model": name}
        row["auc"], row["auc_lower"], row["auc_upper"] = _auc(data, name)
        row["auc_text"] = area_text(data.rankings[name], attrgetter("auc"))
        precision = data.average_precisions.get(name)
        values = None
        if precision is not None:
            values = precision.value, precision.lower, precision.upper
        add_estimate(row, "average_precision", values)
        add_estimate(row, "brier", brier_estimate(data, name))
        add_estimate(row, "scaled_brier", scaled_brier_estimate(data, name))
        for key in ("observed_expected", "slope"):
            values = None
            if name in data.probabilistic and not are_labels(data.rankings[name]):
                estimate = getattr(data.calibration[name], key)
                values = estimate.value, estimate.lower, estimate.upper
            add_estimate(row, key, values)
        benefit = None
        if name in data.probabilistic and 0 < threshold < 1:
            band = net_benefit_at(data, name, threshold)
            benefit = float(band.net_benefit[0]), float(band.lower[0]), float(band.upper[0])
        add_estimate(row, "net_benefit", benefit)
        rows.append(row)
    measures = {"auc": Measure("AUC"), "average_precision": Measure("average precision")}
    if data.probabilistic:
        measures["brier"] = Measure("Brier score")
        measures["scaled_brier"] = Measure("scaled Brier", 2)
        measures["observed_expected"] = Measure("observed / expected", 2, ideal=1.0)
        measures["slope"] = Measure("calibration slope", 2, ideal=1.0)
        if 0 < threshold < 1:
            measures["net_benefit"] = Measure(f"net benefit at {score_text(threshold)}")
    frame = pd.DataFrame(rows)
    return Table(
        "summary",
        "Measures of each model, with 95 % confidence intervals",
        frame,
        {"model": "model"},
        measures=measures,
        remarks=summary_remarks(primary, data.named_model, differences_to_primary(data), names),
    )


def summary_remarks(
    primary: str,
    named_model: str | None,
    differences: pd.DataFrame,
    names: list[str],
    area: str = "AUC",
) -> dict[str, str]:
    """Write below each model how it was chosen, or how its area differs from the primary one's."""
    if len(names) == 1:
        return {}
    remarks = {primary: f"chosen: best {area}" if named_model is None else "named as primary"}
    for row in differences.itertuples():
        p = "not tested" if np.isnan(row.p_holm) else p_value(row.p_holm)
        remarks[row.model] = f"{difference(row.difference)}, {p}"
    return remarks


def summary_notes(data: Evaluation) -> list[str]:
    """Say what the small print of the table means, and of which model the report speaks."""
    notes = []
    if len(data.rankings) > 1:
        if data.samples is not None:
            where = "on average of folds, " if data.fold_comparison is not None else ""
            notes.append(
                f"At a name: its AUC less that of {data.primary_model}, {where}with Holm's "
                "correction for all pairs."
            )
        chosen = "was named" if data.named_model is not None else "has the best AUC here"
        notes.append(f"What follows speaks of {data.primary_model}, which {chosen}.")
    return [" ".join(notes)] if notes else []


def add_estimate(row: dict[str, Any], key: str, values: tuple[float, float, float] | None) -> None:
    """Add the columns of a measure to a row of a table; without values they are NaN."""
    row[key], row[f"{key}_lower"], row[f"{key}_upper"] = values or (nan, nan, nan)


def _auc(data: Evaluation, name: str) -> tuple[float, float, float]:
    interval = data.auc_intervals.get(name)
    if interval is None:
        return data.rankings[name].auc, nan, nan
    return interval.auc, interval.lower, interval.upper


def brier_estimate(data: Evaluation, name: str) -> tuple[float, float, float] | None:
    """Compute the Brier score of a model with its interval; ``None`` without probabilities."""
    if name not in data.probabilistic:
        return None
    samples, square = _squares(data, name)
    _, lower, upper = mean_interval(square, samples)
    value = brier_decomposition(data.probabilistic[name]).brier
    return value, max(lower, 0.0), min(upper, 1.0)


def scaled_brier_estimate(data: Evaluation, name: str) -> tuple[float, float, float] | None:
    """Compute 1 less the Brier score over that of always predicting the prevalence.

    The interval is that of a mean of influences (delta method). ``None`` without probabilities.
    """
    if name not in data.probabilistic:
        return None
    samples, square = _squares(data, name)
    prevalence = data.first.prevalence
    of_prevalence = prevalence * (1 - prevalence)
    ratio = brier_decomposition(data.probabilistic[name]).brier / of_prevalence
    shift = (1 - 2 * prevalence) * (samples.positive - prevalence) / of_prevalence
    value, lower, upper = mean_interval(1 - square / of_prevalence + ratio * shift, samples)
    return value, lower, min(upper, 1.0)


def _squares(data: Evaluation, name: str) -> tuple[Samples, np.ndarray]:
    """Compute each sample's squared error; without samples in memory, of counts by score."""
    if data.samples is not None:
        return data.samples, (data.probabilities[name] - data.samples.positive) ** 2
    positive, prob, weight = data.probabilistic[name].to_samples()
    return Samples(positive, {}, weight), (prob - positive) ** 2
