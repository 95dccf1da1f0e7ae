"""The sections of a report on models of two classes, one function each."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from math import isfinite, nan
from operator import attrgetter
from typing import Any

import numpy as np
import pandas as pd

from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.calibration.summary import CalibrationSummary, calibration_summary
from rocviz.core.comparison.fold_average import fold_average
from rocviz.core.comparison.fold_differences import FoldComparison
from rocviz.core.curve_spaces.net_benefit import NetBenefitBand, net_benefit_band
from rocviz.core.decisions.threshold_interval import ThresholdInterval
from rocviz.core.groups.policy import policy_at
from rocviz.core.groups.summary import RATES, group_summary
from rocviz.core.roc.metrics import METRICS
from rocviz.core.roc.segments import RankedSegments, probability_segments
from rocviz.displays.calibration.reliability import ReliabilityDisplay
from rocviz.displays.comparison.comparison import ModelComparisonDisplay
from rocviz.displays.comparison.cross_validation import CrossValidationDisplay
from rocviz.displays.curve_spaces.curve_space import CurveSpaceDisplay
from rocviz.displays.groups.groups import GroupsDisplay
from rocviz.displays.roc.roc import ROCHullDisplay
from rocviz.report.data import Evaluation, LabelColumn
from rocviz.report.differences import (
    benefit_differences,
    brier_differences,
    cost_differences,
    differences_table,
    differences_text,
)
from rocviz.report.section import (
    INTERVAL_HEADINGS,
    SIGNIFICANCE_LEVEL,
    Picture,
    Section,
    Table,
    difference_table,
    drawing,
    join,
    no_difference,
    primary_text,
)
from rocviz.words import (
    INTERVAL_NAMES,
    amount,
    area_text,
    number,
    p_value,
    percent,
    score_text,
    short_names,
)

MAX_FIGURES = 6  # most models with a figure of their own
MAX_ROWS_OF_DIFFERENCES = 16  # between groups, on the page
MIN_CLUSTERS = 10  # of a class, for intervals that cover
MIN_SAMPLES_FOR_THRESHOLD = 10  # of the class whose error is dearer
MIN_POSITIVES_FOR_PRECISION = 20  # for an average precision that is not biased upwards
MIN_COMMON_PREVALENCE = 0.2  # below it precision and recall are more informative than the ROC curve

#: What groups are compared by.
QUANTITY_NAMES = {"auc": "AUC", **{rate: METRICS[rate].label for rate in RATES}}
MEASURE_NAMES = {
    "observed_expected": "observed / expected",
    "in_the_large": "intercept",
    "slope": "slope",
    "ici": "ICI",
    "e50": "E50",
    "e90": "E90",
}


def data_section(data: Evaluation) -> Section:
    """Describe the samples and the scores."""
    first = data.first
    n_models = len(data.rankings)
    text = [
        f"The data hold {amount(first.n_samples)} samples, of which {amount(first.n_pos)} are "
        f"{data.positive} ({percent(first.prevalence, 1)}). They have the scores of "
        f"{f'{n_models} models' if n_models > 1 else 'one model'}."
    ]
    if data.samples is None:
        text.append(
            "The samples were counted by score, piece by piece, and not kept, so the report has no "
            "tests between models and nothing on groups or folds."
        )
    elif data.samples.weight is not None:
        text.append(
            f"Samples are weighted: {data.samples.positive.size:,} rows stand for "
            f"{amount(first.n_samples)} samples. Intervals treat a weight as the number of times "
            "that a sample occurred."
        )
    text += _cluster_text(data)
    text += _label_text(data)
    if n_models > 1:
        text.append(primary_text(data.primary_model, "AUC", data.named_model))
    if data.prevalence is not None:
        text.append(
            f"Costs and counts are given for a prevalence of {percent(data.prevalence, 1)}, that "
            "of the population in which the models are to be used."
        )
    rows = []
    for name, ranking in data.rankings.items():
        rows.append(
            {
                "model": name,
                "lowest": ranking.score[-1],
                "highest": ranking.score[0],
                "distinct": len(ranking),
                "is_probability": name in data.probabilistic,
            }
        )
    frame = pd.DataFrame(rows)
    headings = {
        "model": "model",
        "lowest": "lowest score",
        "highest": "highest score",
        "distinct": "distinct scores",
        "is_probability": "within 0 and 1",
    }
    return Section("The data", text, [Table("scores", "Scores", frame, headings)])


def _cluster_text(data: Evaluation) -> list[str]:
    """Say that rows belong together, and where intervals know it."""
    samples = data.samples
    if samples is None or samples.clusters is None:
        return []
    text = (
        f"Rows belong to {samples.n_clusters:,} clusters, such as patients, of which "
        f"{samples.n_positive_clusters:,} hold {data.positive} samples. Intervals and tests treat "
        "the cluster as the unit; those of groups and bands in figures treat each row as one."
    )
    n_smaller = min(interval.n_clusters or 0 for interval in data.auc_intervals.values())
    if n_smaller < MIN_CLUSTERS:
        text += f" A class is in {n_smaller} clusters only, so that intervals may be too narrow."
    return [text]


def _label_text(data: Evaluation) -> list[str]:
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


def are_labels(ranking: RankedSegments) -> bool:
    """Whether all scores are 0 or 1."""
    return bool(np.isin(ranking.score, (0.0, 1.0)).all())


def ranking_section(data: Evaluation) -> Section:
    """Report the ranking of the models: ROC curves and areas with intervals."""
    rows: list[dict[str, Any]] = []
    for name, ranking in data.rankings.items():
        estimate = data.auc_intervals.get(name)
        rows.append(
            {
                "model": name,
                "auc": ranking.auc,
                "auc_text": area_text(ranking, attrgetter("auc")),
                "lower": estimate.lower if estimate else nan,
                "upper": estimate.upper if estimate else nan,
                "method": INTERVAL_NAMES[estimate.method] if estimate else "",
                "average_precision": average_precision(ranking, data.target_prevalence),
            }
        )
    primary = _row_of(rows, data.primary_model)
    interval = f"; 95 % interval {_ends(primary)}" if isfinite(primary["lower"]) else ""
    text = [
        f"{_by(data, primary['model'])} a randomly chosen sample that is {data.positive} scores "
        f"higher than a randomly chosen one that is not with probability {primary['auc_text']} "
        f"(AUC{interval})."
    ]
    text += _ranking_warnings(data)
    pooled = data.pooled_folds.get(data.primary_model)
    if pooled is not None and pooled.differ:
        text.append(
            f"This takes all folds together, whose scores are not on one scale: within folds the "
            f"AUC is {number(pooled.mean)} on average."
        )
    headings = {
        "model": "model",
        "auc_text": "AUC",
        **INTERVAL_HEADINGS,
        "average_precision": "average precision",
    }
    pictures = [
        Picture(
            "roc",
            "ROC curves: the share of the positives that is found, against the share of the "
            "negatives that raise a false alarm, for each threshold.",
            drawing(ROCHullDisplay, data.rankings, on_page=True),
        )
    ]
    if data.target_prevalence < MIN_COMMON_PREVALENCE:
        pictures.append(
            Picture(
                "precision_recall",
                f"Precision against recall. With {percent(data.target_prevalence, 1)} positives, "
                "most alarms can be false although few negatives raise one; this curve shows it.",
                drawing(
                    CurveSpaceDisplay,
                    data.rankings,
                    on_page=True,
                    space="precision_recall",
                    prevalence=data.prevalence,
                ),
            )
        )
    methods = join(sorted({row["method"] for row in rows if row["method"]}) or [""])
    if data.samples is not None and data.samples.clusters is not None:
        methods = "those of clusters (Obuchowski, 1997)"
    notes = [
        f"Intervals of the AUC are {methods}; ties count one half. Average precision is the "
        "mean precision at the positives, as scikit-learn defines it, without interpolation."
    ]
    if not all(ranking.is_exact for ranking in data.rankings.values()):
        notes = [
            "Scores that share a cell were counted together; where that matters, the AUC is given "
            "by bounds that hold for every order within the cells."
        ]
    table = Table("ranking", "How well each model ranks", pd.DataFrame(rows), headings)
    return Section("Ranking", text, [table], pictures, notes)


def _ranking_warnings(data: Evaluation) -> list[str]:
    """Warn of reversed scores, of few errors, and of few positives."""
    text = []
    reversed_ = [name for name, interval in data.auc_intervals.items() if interval.upper < 0.5]
    if reversed_:
        whose = join(reversed_) if len(data.rankings) > 1 else "the model"
        text.append(
            f"Scores of {whose} rank worse than chance: samples that are {data.positive} have the "
            "lower ones. Perhaps they are scores of the other class, or another label is the "
            "positive one; what follows would then be wrong too."
        )
    interval = data.auc_intervals.get(data.primary_model)
    if interval is not None and interval.is_widened:
        ranking = data.rankings[data.primary_model]
        n_wrong = min(ranking.n_pos, ranking.n_neg) * min(interval.auc, 1 - interval.auc)
        text.append(
            f"Only about {amount(n_wrong)} samples of the smaller class are ranked wrong; the "
            "interval allows for a tail that these data do not show."
        )
    if data.first.n_pos < MIN_POSITIVES_FOR_PRECISION:
        text.append(
            f"With {amount(data.first.n_pos)} positives the average precision tends to be too high."
        )
    return text


def average_precision(ranking: RankedSegments, prevalence: float) -> float:
    """Compute the average precision at a prevalence: precision, weighted by the steps of recall.

    At the prevalence of the data it is ``sklearn.metrics.average_precision_score``.

    Parameters
    ----------
    ranking : RankedSegments
    prevalence : float
        Strictly between 0 and 1.

    Examples
    --------
    >>> ranking = RankedSegments.from_scores([0, 1, 0, 1], [0.1, 0.4, 0.5, 0.8])
    >>> round(average_precision(ranking, 0.5), 3)
    0.833
    """
    tpr = np.cumsum(ranking.pos) / ranking.n_pos
    fpr = np.cumsum(ranking.neg) / ranking.n_neg
    alarms = prevalence * tpr + (1 - prevalence) * fpr
    return float((ranking.pos / ranking.n_pos) @ (prevalence * tpr / alarms))


def comparison_section(data: Evaluation) -> Section | None:
    """Report the significant differences between models."""
    if data.samples is None or len(data.rankings) < 2:
        return None
    if data.fold_comparison is not None:
        return _fold_differences(data.fold_comparison)
    text, table = difference_table(data.comparison.pairs().reset_index(drop=True), "AUC")
    picture = Picture(
        "differences",
        "The difference in AUC of each pair of models with its 95 % interval; where the interval "
        "holds 0, chance alone can explain it.",
        drawing(ModelComparisonDisplay, data.comparison, kind="differences"),
    )
    return Section(
        "Differences between models",
        text,
        [table],
        [picture] if len(data.rankings) <= MAX_FIGURES else [],
        ["DeLong's test on the same samples, with Holm's correction for the number of pairs."],
    )


def _fold_differences(comparison: FoldComparison) -> Section:
    """Report the differences between models fold by fold."""
    n_folds = comparison.value.shape[1]
    text, table = difference_table(comparison.pairs(), "the mean AUC of folds", units="folds")
    return Section(
        "Differences between models",
        text,
        [table],
        notes=[
            f"Models were compared within each of {n_folds} folds. Training sets of folds overlap, "
            "which the test corrects for (Nadeau and Bengio, 2003); Holm's correction is for the "
            "number of pairs. It asks whether one way of learning is better. A test of all samples "
            "together would ask about these fitted models only, and mix scores of different folds."
        ],
    )


def calibration_section(data: Evaluation) -> Section:
    """Report the calibration of scores within 0 and 1."""
    if not data.probabilistic:
        return Section(
            "Calibration",
            [
                "No model has scores within 0 and 1, so none can be read as a probability. "
                "HullCalibratedClassifier and calibration_map turn such scores into probabilities."
            ],
        )
    rows: list[dict[str, Any]] = []
    summaries = data.calibration
    for name, ranking in data.probabilistic.items():
        parts = brier_decomposition(ranking)
        row = {"model": name, "brier": parts.brier, "miscalibration": parts.miscalibration}
        for key in MEASURE_NAMES:
            value = getattr(summaries[name], key)
            row |= {key: value.value, f"{key}_lower": value.lower, f"{key}_upper": value.upper}
        rows.append(row)
    text = _calibration_text(data, rows)
    tables = []
    differences = brier_differences(data)
    if differences is not None:
        text.append(
            differences_text(
                differences,
                data.primary_model,
                "Brier score",
                "has the lowest Brier score",
                is_loss=True,
            )
        )
        tables = [
            differences_table(differences, "brier_differences", "Brier score", data.primary_model)
        ]
    headings = {"model": "model", "brier": "Brier score", "miscalibration": "repairable"}
    headings |= MEASURE_NAMES
    measures = []
    for row in rows:
        for key, label in MEASURE_NAMES.items():
            measures.append(
                {
                    "model": row["model"],
                    "measure": label,
                    "value": row[key],
                    "lower": row[f"{key}_lower"],
                    "upper": row[f"{key}_upper"],
                }
            )
    of_all = {"model": "model", "measure": "of what", "value": "value", **INTERVAL_HEADINGS}
    pictures: list[Picture] = []
    for name in list(data.probabilistic)[:MAX_FIGURES]:
        ranking = data.probabilistic[name]
        picture = Picture(
            f"reliability_{len(pictures) + 1}",
            f"Predicted probability of {_model(data, name)} against the observed frequency; on the "
            "diagonal they agree.",
            drawing(ReliabilityDisplay, ranking, name=name, flexible=True),
        )
        pictures.append(picture)
    return Section(
        "Calibration",
        text,
        [
            Table("calibration", "Calibration of each model", pd.DataFrame(rows), headings),
            Table("calibration_intervals", "With intervals", pd.DataFrame(measures), of_all),
            *tables,
        ],
        pictures,
        [
            "The smooth curve, with its 95 % band, is a restricted cubic spline, or logistic "
            "recalibration where there are fewer than 30 samples of the rarer class. "
            "The part that calibration could repair is measured against the convex hull, which "
            "needs no bins. The intercept is estimated at a slope of 1 (calibration in the large); "
            "ICI, E50 and E90 are the mean, median and 90 % quantile of the distance between "
            "prediction and smooth calibration curve (Austin and Steyerberg, 2019)."
        ],
    )


def _calibration_text(data: Evaluation, rows: list[dict[str, Any]]) -> list[str]:
    """Say how far the probabilities of the primary model can be trusted."""
    if data.primary_model not in data.probabilistic:
        return [
            f"Scores of {_model(data, data.primary_model)} are not all within 0 and 1, so they "
            "cannot be read as probabilities. The tables show the other models."
        ]
    row = _row_of(rows, data.primary_model)
    share = row["miscalibration"] / row["brier"] if row["brier"] else 0.0
    prior = data.first.prevalence
    model = _model(data, data.primary_model)
    if are_labels(data.rankings[data.primary_model]):
        return [
            f"The scores of {model} are 0 or 1, so its Brier score is the share of wrong "
            f"predictions, {number(row['brier'])}; calibration cannot be judged."
        ]
    return [
        f"The Brier score of {model} is {number(row['brier'])}, of which calibration could repair "
        f"at most {number(row['miscalibration'])} ({percent(share)}). Always predicting the "
        f"prevalence scores {number(prior * (1 - prior))}.",
        *_summary_text(data.calibration[data.primary_model]),
    ]


def _summary_text(summary: CalibrationSummary) -> list[str]:
    """Interpret the observed-to-expected ratio and the slope, and say what limits them."""
    ratio = summary.observed_expected
    slope = summary.slope
    text: list[str] = []
    if isfinite(ratio.lower):
        sentence = "Chance alone can explain any difference in how many positives it predicts"
        if ratio.lower > 1 or ratio.upper < 1:
            sentence = f"It predicts too {'few' if ratio.lower > 1 else 'many'} positives"
        text.append(
            f"{sentence}: {number(ratio.value, 2)} were observed for each one expected "
            f"(95 % interval {number(ratio.lower, 2)} to {number(ratio.upper, 2)})."
        )
    if isfinite(slope.value) and isfinite(slope.lower):
        sentence = "There is no sign that its predictions are too extreme or too close together"
        if slope.lower > 1 or slope.upper < 1:
            sentence = (
                f"Its predictions are too {'close together' if slope.lower > 1 else 'extreme'}"
            )
        text.append(
            f"{sentence}: the calibration slope is {number(slope.value, 2)} "
            f"({number(slope.lower, 2)} to {number(slope.upper, 2)}), ideally 1."
        )
    return text + summary.reasons


def decision_section(data: Evaluation) -> Section:
    """Report the best threshold at the given costs, and its effect on a thousand samples."""
    reported = [metric for metric in METRICS.values() if metric.in_report]
    rows: list[dict[str, Any]] = []
    for name, point in data.operating_points.items():
        row = {"model": name, "threshold": point.threshold}
        for metric in reported:
            if metric.depends_on_prevalence:
                row[metric.name] = point.at_prevalence(data.target_prevalence).metric(metric.name)
                continue
            rate = data.corrected_rate(name, metric.name)
            row[metric.name] = rate.apparent
            row[f"{metric.name}_corrected"] = rate.corrected
            row[f"{metric.name}_lower"] = rate.lower
            row[f"{metric.name}_upper"] = rate.upper
        row["cost_per_1000"] = 1000 * data.cost(name)
        corrected = data.chosen_threshold(name)
        row["cost_corrected"] = 1000 * corrected.corrected if corrected else nan
        row["cost_lower"] = 1000 * corrected.corrected_lower if corrected else nan
        row["cost_upper"] = 1000 * corrected.corrected_upper if corrected else nan
        rows.append(row)
    headings = {"model": "model", "threshold": "threshold"}
    for metric in reported:
        headings[metric.name] = metric.label
        if not metric.depends_on_prevalence:
            headings[f"{metric.name}_corrected"] = "corrected"
            headings[f"{metric.name}_lower"] = "from"
            headings[f"{metric.name}_upper"] = "to"
    headings |= {"cost_per_1000": "cost per 1,000", "cost_corrected": "corrected"}
    headings |= {"cost_lower": "from", "cost_upper": "to"}
    model = _model(data, data.primary_model)
    tables = [
        Table("decision", "The cost-optimal threshold of each model", pd.DataFrame(rows), headings)
    ]
    text = _decision_text(data)
    differences = cost_differences(data)
    if differences is not None:
        text.append(
            differences_text(
                differences,
                data.primary_model,
                "expected cost per 1,000 samples",
                "costs least",
                is_loss=True,
            )
        )
        tables.append(
            differences_table(
                differences, "cost_differences", "Cost per 1,000 samples", data.primary_model
            )
        )
    threshold = data.chosen_threshold(data.primary_model)
    if threshold is not None:
        text.append(_corrected_text(threshold))
        n_dearer = _n_of_dearer_class(data)
        if n_dearer < MIN_SAMPLES_FOR_THRESHOLD:
            text.append(
                f"Only {amount(n_dearer)} samples are of the class whose error is dearer, so that "
                "the best threshold is hardly determined. If the probabilities are calibrated, the "
                f"costs give one: {percent(data.threshold_probability, 1)}."
            )
        of_threshold = {"threshold": "threshold", **INTERVAL_HEADINGS, "utility": "cost per sample"}
        of_threshold |= {"corrected": "of new samples", "regret": "of choosing"}
        words = f"How certain the threshold of {model} is"
        tables.append(Table("threshold", words, threshold.to_frame(), of_threshold))
    pictures = [
        Picture(
            "decision",
            f"The ROC curve of {model} with the cost-optimal point (ringed) and the line of points "
            "that cost the same.",
            drawing(
                ROCHullDisplay,
                data.rankings[data.primary_model],
                on_page=True,
                name=data.primary_model,
                cost_fp=data.cost_fp,
                cost_fn=data.cost_fn,
                prevalence=data.prevalence,
            ),
        )
    ]
    return Section(
        "The decision",
        text,
        tables,
        pictures,
        [
            "Intervals of rates are Wilson's, widened by the optimism of a threshold that the same "
            "samples chose; optimism and the interval of the threshold are from resamples."
            if data.thresholds
            else "Intervals of rates are Wilson's. They do not allow for a threshold that the same "
            "samples chose, so that rates and costs are too good."
        ],
        is_live=True,
    )


def _corrected_text(threshold: ThresholdInterval) -> str:
    """Say that the threshold was chosen on the same samples, and what that does to its rates."""
    rates = []
    for name in ("sensitivity", "specificity"):
        rate = getattr(threshold, name)
        rates.append(
            f"{name} is expected to be {percent(rate.corrected, 1)} ({percent(rate.lower, 1)} to "
            f"{percent(rate.upper, 1)}) in place of {percent(rate.apparent, 1)}"
        )
    ends = (
        f"{_whole(1000 * threshold.corrected_lower)} to {_whole(1000 * threshold.corrected_upper)}"
    )
    return (
        f"In 95 % of resamples of these data the best threshold lies between "
        f"{score_text(threshold.lower)} and {score_text(threshold.upper)}. It was chosen on these "
        f"samples, which flatter it: on new ones {', '.join(rates)}, and the cost "
        f"{_whole(1000 * threshold.corrected)} ({ends}) per 1,000 samples in place of "
        f"{_whole(1000 * threshold.utility)}. A threshold chosen from such data costs about "
        f"{amount(1000 * threshold.regret)} more than the one that is truly best."
    )


def _n_of_dearer_class(data: Evaluation) -> float:
    """Count the samples of the class whose error costs more, or of the smaller one."""
    ranking = data.first
    if data.cost_fn == data.cost_fp:
        return min(ranking.n_pos, ranking.n_neg)
    return ranking.n_pos if data.cost_fn > data.cost_fp else ranking.n_neg


def _decision_text(data: Evaluation) -> list[str]:
    if not data.costs_given:
        costs = "No costs were stated, so a miss is taken to cost as much as a false alarm."
    elif data.cost_fp == data.cost_fn:
        costs = "A miss costs as much as a false alarm."
    elif data.cost_fp and data.cost_fn:
        costs = f"A miss costs {data.cost_fn / data.cost_fp:g} times as much as a false alarm."
    else:
        costs = f"A false alarm costs {data.cost_fp:g} and a miss {data.cost_fn:g}."
    point = data.operating_points[data.primary_model]
    model = _model(data, data.primary_model)
    per_thousand = point.at_prevalence(data.target_prevalence)
    where = f"At these costs and a prevalence of {percent(data.target_prevalence, 1)}"
    if not isfinite(point.threshold):
        return [costs, f"{where} predicting nobody positive costs least, whatever {model} says."]
    all_cost = data.cost_fp * (1 - data.target_prevalence)
    none_cost = data.cost_fn * data.target_prevalence
    text = [
        costs,
        f"{where} the best threshold of {model} is {score_text(point.threshold)}: samples that "
        f"score at least this are predicted positive. Of 1,000 samples it finds "
        f"{_whole(per_thousand.tp)} of {_whole(per_thousand.n_pos)} positives and raises "
        f"{_whole(per_thousand.fp)} false alarms, at an expected cost of "
        f"{_whole(1000 * data.cost(data.primary_model))} per 1,000 samples. Predicting all "
        f"samples positive would cost {_whole(1000 * all_cost)}, predicting none "
        f"{_whole(1000 * none_cost)}.",
    ]
    return text


def benefit_section(data: Evaluation) -> Section | None:
    """Report net benefit by threshold probability."""
    if not data.probabilistic:
        return None
    text = [
        "Net benefit counts the positives that are found, less the false alarms at the rate at "
        "which they are worth accepting. A model is useful where its curve lies above both simple "
        "policies: treating everybody, and treating nobody."
    ]
    tables = []
    threshold = data.threshold_probability
    if 0 < threshold < 1:
        rows = []
        of_everybody = 0.0
        for name in data.probabilistic:
            band = _net_benefit_at(data, name, threshold)
            of_everybody = float(band.treat_all[0])
            rows.append(
                {
                    "model": name,
                    "net_benefit": band.net_benefit[0],
                    "lower": band.lower[0],
                    "upper": band.upper[0],
                }
            )
        costs = f"These costs correspond to a threshold probability of {percent(threshold, 1)}."
        if data.primary_model in data.probabilistic:
            row = _row_of(rows, data.primary_model)
            text.append(
                f"{costs} There {_model(data, data.primary_model)} has a net benefit of "
                f"{number(row['net_benefit'])} (95 % interval {_ends(row)}) per sample; treating "
                f"everybody has {number(of_everybody)}, treating nobody 0."
            )
        else:
            text.append(
                f"{costs} The scores of {_model(data, data.primary_model)} are no probabilities, "
                "so it has no net benefit; the table shows the other models."
            )
        headings = {"model": "model", "net_benefit": "net benefit", **INTERVAL_HEADINGS}
        words = f"Net benefit at a threshold probability of {percent(threshold, 1)}"
        tables = [Table("net_benefit", words, pd.DataFrame(rows), headings)]
        differences = benefit_differences(data)
        if differences is not None:
            text.append(
                differences_text(
                    differences,
                    data.primary_model,
                    "net benefit",
                    "has the greatest net benefit",
                    is_loss=False,
                )
            )
            tables.append(
                differences_table(
                    differences, "benefit_differences", "Net benefit", data.primary_model
                )
            )
    # more bands would hide each other
    kind_of_band = "pointwise" if len(data.probabilistic) <= 2 else "none"
    with_bands = ", with 95 % bands" if kind_of_band == "pointwise" else ""
    picture = Picture(
        "net_benefit",
        "Net benefit of acting on each model's probabilities, against the threshold "
        f"probability{with_bands}.",
        drawing(
            CurveSpaceDisplay,
            data.probabilistic,
            space="decision",
            prevalence=data.prevalence,
            band=kind_of_band,
        ),
    )
    return Section(
        "Net benefit",
        text,
        tables,
        [picture],
        [
            "Vickers and Elkin (2006). The curves use the probabilities as they stand, so wrong "
            "probabilities lower them."
        ],
    )


def _net_benefit_at(data: Evaluation, name: str, threshold: float) -> NetBenefitBand:
    """Compute a model's net benefit at a threshold probability, by clusters if there are some."""
    samples = data.samples
    if samples is None or samples.clusters is None:
        return net_benefit_band(
            data.probabilistic[name], thresholds=threshold, prevalence=data.prevalence
        )
    return net_benefit_band(
        samples.positive,
        data.probabilities[name],
        thresholds=threshold,
        sample_weight=samples.weight,
        clusters=samples.cluster_labels,
        prevalence=data.prevalence,
    )


def groups_section(data: Evaluation) -> Section | None:
    """Compare groups at the chosen threshold."""
    if data.samples is None or data.samples.groups is None:
        return None
    rankings, left_out = _rankings_of_parts(data, data.samples.groups, data.primary_model)
    if len(rankings) < 2:
        return Section("Groups", ["Fewer than two groups hold samples of both classes."])
    threshold = data.operating_points[data.primary_model].threshold
    summary = group_summary(rankings, threshold=threshold)
    policy = policy_at(rankings, points=threshold, cost_fp=data.cost_fp, cost_fn=data.cost_fn)
    frame = summary.to_frame()
    pairs = summary.differences()
    text = _ranges_text(data, frame, threshold)
    significant = pairs[pairs["p_holm"] < SIGNIFICANCE_LEVEL]
    differences = []
    for pair in significant.head(5).itertuples():
        quantity = QUANTITY_NAMES[pair.quantity]
        values = f"{number(pair.a)} and {number(pair.b)}"
        differences.append(
            f"{quantity} of {pair.group_a} and {pair.group_b} ({values}, {p_value(pair.p_holm)})"
        )
    if differences:
        text.append(f"Chance alone does not explain the differences in {join(differences)}.")
    else:
        text.append(no_difference(pairs, "between two groups"))
    untested = frame.loc[~frame["tested"], "group"].tolist()
    if untested:
        text.append(
            f"Too small to be tested, with fewer than ten samples of a class: {join(untested)}."
        )
    text += left_out
    pairs["quantity"] = pairs["quantity"].map(QUANTITY_NAMES)
    words = "Differences between groups"
    on_page = pairs
    if len(pairs) > MAX_ROWS_OF_DIFFERENCES:
        tested = pairs[pairs["tested"]].sort_values("p_holm", kind="stable")
        on_page = tested.head(MAX_ROWS_OF_DIFFERENCES)
        words += f": {len(on_page)} of {len(pairs)}, those with the smallest p"
    measures = _rates_of_groups(frame)
    calibration = _calibration_of_groups(data, rankings, frame)
    of_measures = {"group": "group", "measure": "of what", "value": "value", **INTERVAL_HEADINGS}
    of_data = []
    if data.prevalence is not None:
        of_data = [
            "Precision and shares predicted positive are at the groups' prevalences in the data."
        ]
    headings = {
        "group": "group",
        "n_pos": "positives",
        "n_neg": "negatives",
        "auc": "AUC",
        "auc_lower": "95 % from",
        "auc_upper": "to",
    }
    of_pairs = {"group_a": "group", "group_b": "compared with", "quantity": "of what"}
    of_pairs |= {"difference": "difference", **INTERVAL_HEADINGS, "p_holm": "p, corrected"}
    picture = Picture(
        "groups",
        "The ROC curve of each group, with its point at the threshold.",
        drawing(GroupsDisplay, rankings, policy),
    )
    rates = Picture(
        "group_rates",
        "What each group gets at the threshold, with 95 % intervals.",
        drawing(GroupsDisplay, rankings, policy, kind="rates"),
    )
    return Section(
        "Groups",
        text,
        [
            Table(
                "groups",
                f"Each group at the threshold of {data.primary_model}",
                frame,
                headings,
                counts=("n_pos", "n_neg"),
            ),
            Table(
                "group_rates",
                f"Rates at the threshold {score_text(threshold)}",
                measures,
                of_measures,
            ),
            *calibration,
            Table("group_differences", words, pairs, of_pairs, on_page=on_page),
        ],
        [picture, rates] if len(rankings) <= MAX_FIGURES else [],
        [
            "Differences of rates have Newcombe's intervals; Holm's correction is over all pairs "
            "for the same quantity. Whether a difference is unfair is not a question of "
            "statistics.",
            *of_data,
        ],
    )


def _ranges_text(data: Evaluation, frame: pd.DataFrame, threshold: float) -> list[str]:
    """Say between which values the AUC and the rates of the groups lie that are large enough."""
    tested = frame[frame["tested"]]
    if len(tested) < 2:
        return ["Fewer than two groups have ten samples of each class, too few for a comparison."]
    low = tested.loc[tested["auc"].idxmin()]
    high = tested.loc[tested["auc"].idxmax()]
    areas = []
    for row in (low, high):
        ends = f"{number(row['auc_lower'])} to {number(row['auc_upper'])}"
        areas.append(f"{number(row['auc'])} ({row['group']}, 95 % interval {ends})")
    whose = "groups" if len(tested) == len(frame) else "groups that are large enough to be tested"
    return [
        f"{_by(data, data.primary_model)} the AUC of {whose} lies between {join(areas)}. At the "
        f"threshold {score_text(threshold)} between {percent(tested['tpr'].min())} and "
        f"{percent(tested['tpr'].max())} of a group's positives are found, and between "
        f"{percent(tested['fpr'].min())} and {percent(tested['fpr'].max())} of its negatives "
        "raise a false alarm."
    ]


def _rates_of_groups(frame: pd.DataFrame) -> pd.DataFrame:
    """Tabulate the rates of each group with their intervals."""
    rows = []
    for rate in RATES:
        for _, row in frame.iterrows():
            rows.append(
                {
                    "group": row["group"],
                    "measure": METRICS[rate].label,
                    "value": row[rate],
                    "lower": row[f"{rate}_lower"],
                    "upper": row[f"{rate}_upper"],
                }
            )
    return pd.DataFrame(rows)


def _calibration_of_groups(
    data: Evaluation, rankings: dict[str, RankedSegments], frame: pd.DataFrame
) -> list[Table]:
    """Tabulate observed over expected and the slope of each group, if scores are probabilities."""
    name = data.primary_model
    if name not in data.probabilistic or are_labels(data.rankings[name]):
        return []
    is_tested = dict(zip(frame["group"], frame["tested"], strict=True))
    summaries = {}
    for group, ranking in rankings.items():
        segments = probability_segments(ranking)
        if segments is not None and is_tested[group]:
            summaries[group] = calibration_summary(segments)
    rows = []
    for measure in ("observed_expected", "slope"):
        for group in summaries:
            estimate = getattr(summaries[group], measure)
            rows.append(
                {
                    "group": group,
                    "measure": MEASURE_NAMES[measure],
                    "value": estimate.value,
                    "lower": estimate.lower,
                    "upper": estimate.upper,
                }
            )
    if not rows:
        return []
    headings = {"group": "group", "measure": "of what", "value": "value", **INTERVAL_HEADINGS}
    words = f"Calibration of {name} in groups with at least ten samples of each class"
    return [Table("group_calibration", words, pd.DataFrame(rows), headings)]


def folds_section(data: Evaluation) -> Section | None:
    """Report the variation of the models' AUCs between folds."""
    if data.samples is None or data.samples.folds is None:
        return None
    averages = {}
    rows = []
    left_out: list[str] = []
    for name in data.rankings:
        rankings, left_out = _rankings_of_parts(data, data.samples.folds, name)
        if len(rankings) < 2:
            return Section("Stability", ["Fewer than two folds hold samples of both classes."])
        average = fold_average(list(rankings.values()))
        averages[name] = average
        mean, lower, upper = average.auc_band("interval")
        rows.append(
            {
                "model": name,
                "mean_auc": mean,
                "lower": lower,
                "upper": upper,
                "least": average.auc.min(),
                "greatest": average.auc.max(),
                "pooled": average.pooled.auc,
            }
        )
    row = _row_of(rows, data.primary_model)
    text = [
        f"In {len(averages[row['model']].folds)} folds the AUC of {_model(data, row['model'])} "
        f"is {number(row['least'])} to {number(row['greatest'])}, on average "
        f"{number(row['mean_auc'])} (95 % interval {_ends(row)}); that of all folds in one ranking "
        f"is {number(row['pooled'])}.",
        *left_out,
    ]
    apart = [name for name, pooled in data.pooled_folds.items() if pooled.differ]
    if apart:
        text.append(
            f"Of {join(apart) if len(data.rankings) > 1 else 'the model'} both AUCs differ by more "
            "than chance allows, so the scores of different folds are not on one scale. Whatever "
            "takes all samples together (the ROC curve, calibration, one threshold for all) then "
            "describes a mixture of models; the mean over folds says how well one of them ranks."
        )
    headings = {"model": "model", "mean_auc": "mean AUC", **INTERVAL_HEADINGS, "least": "least"}
    headings |= {"greatest": "greatest", "pooled": "all folds in one ranking"}
    short = short_names(averages, 18)
    by_short_name = {short[name]: average for name, average in averages.items()}
    picture = Picture(
        "folds",
        "The average of the folds' ROC curves, and one standard deviation either way.",
        drawing(CrossValidationDisplay, by_short_name, on_page=True),
    )
    return Section(
        "Stability over folds",
        text,
        [Table("folds", "AUC by fold", pd.DataFrame(rows), headings)],
        [picture] if len(averages) <= MAX_FIGURES else [],
        [
            "The interval is that of a cross-validation, whose training sets overlap: "
            "Nadeau and Bengio (2003)."
        ],
    )


def paper_section(data: Evaluation) -> Section:
    """Write the paragraph for a paper, and list the items of TRIPOD+AI that the report answers."""
    name = data.primary_model
    ranking = data.rankings[name]
    point = data.operating_points[name]
    whose = f"of {name} " if len(data.rankings) > 1 else ""
    words = [
        f"The evaluation included {amount(ranking.n_samples)} samples, of which "
        f"{amount(ranking.n_pos)} ({percent(ranking.prevalence, 1)}) were {data.positive}."
    ]
    if name in data.auc_intervals:
        interval = data.auc_intervals[name]
        method = INTERVAL_NAMES[interval.method]
        if data.samples is not None and data.samples.clusters is not None:
            method = f"of {data.samples.n_clusters:,} clusters of rows by Obuchowski's variance"
        words.append(
            f"The area under the ROC curve {whose}was {number(interval.auc)} (95 % confidence "
            f"interval {number(interval.lower)} to {number(interval.upper)}, "
            f"{method})."
        )
    if name in data.probabilistic:
        parts = brier_decomposition(ranking)
        words.append(f"The Brier score was {number(parts.brier)}.")
        for name_of_measure, estimate in (
            ("ratio of observed to expected positives", data.calibration[name].observed_expected),
            ("calibration slope", data.calibration[name].slope),
        ):
            if isfinite(estimate.value) and isfinite(estimate.lower):
                ends = f"{number(estimate.lower, 2)} to {number(estimate.upper, 2)}"
                words.append(f"The {name_of_measure} was {number(estimate.value, 2)} ({ends}).")
    if isfinite(point.threshold):
        words.append(
            f"With costs of {data.cost_fp:g} for a false positive and {data.cost_fn:g} for a false "
            f"negative and a prevalence of {percent(data.target_prevalence, 1)}, the threshold "
            f"with the lowest expected cost was {score_text(point.threshold)}."
        )
        rates = []
        apparent = []
        for rate_name, name_of_rate in (("tpr", "sensitivity"), ("tnr", "specificity")):
            rate = data.corrected_rate(name, rate_name)
            ends = f"{percent(rate.lower, 1)} to {percent(rate.upper, 1)}"
            best_guess = rate.corrected if isfinite(rate.corrected) else rate.apparent
            rates.append(f"{name_of_rate} was {percent(best_guess, 1)} ({ends})")
            apparent.append(percent(rate.apparent, 1))
        if data.chosen_threshold(name) is not None:
            words.append(
                f"It was chosen on these data; corrected for that by resamples, {join(rates)}, "
                f"uncorrected {join(apparent)}."
            )
        else:
            words.append(f"It was chosen on these data, uncorrected for which {join(rates)}.")
    words.append(f"All computations were made with rocviz {version('rocviz')}.")
    several = ", Differences between models" if len(data.rankings) > 1 else ""
    items = [
        ("12e", "measures of performance", f"Ranking, Calibration, Net benefit{several}"),
        ("15", "the output, and how the threshold was chosen", "The decision"),
        ("20b, 21", "numbers of samples and of events", "The data"),
        ("23a", "performance with confidence intervals", "Ranking, Calibration, The decision"),
    ]
    if data.samples is not None and data.samples.groups is not None:
        items.append(("14, 23a", "fairness, and performance in subgroups", "Groups"))
    frame = pd.DataFrame(items, columns=["item", "asks", "where"])
    headings = {"item": "item", "asks": "asks for", "where": "answered in"}
    return Section(
        "For the paper",
        [
            " ".join(words),
            "The table names the items of the checklist TRIPOD+AI (Collins et al., 2024) that "
            "these numbers answer. All others are about the study: where the samples come from, "
            "how the outcome was determined, how missing values were handled, what results mean.",
        ],
        [Table("tripod_ai", "Items of TRIPOD+AI", frame, headings, is_words=True)],
    )


SECTIONS: tuple[Callable[[Evaluation], Section | None], ...] = (
    data_section,
    ranking_section,
    comparison_section,
    calibration_section,
    decision_section,
    benefit_section,
    groups_section,
    folds_section,
    paper_section,
)


def _rankings_of_parts(
    data: Evaluation, column: LabelColumn, name: str
) -> tuple[dict[str, RankedSegments], list[str]]:
    """Rank each part of the samples with both classes; list the parts without."""
    samples = data.samples
    rankings = {}
    left_out = []
    assert samples is not None
    for label in column.distinct:
        is_member = column.labels == label
        if 0 < samples.positive[is_member].sum() < is_member.sum():
            weight = None if samples.weight is None else samples.weight[is_member]
            rankings[str(label)] = RankedSegments.from_scores(
                samples.positive[is_member],
                samples.scores[name][is_member],
                sample_weight=weight,
            )
        else:
            left_out.append(str(label))
    sentences = [f"Left out, with samples of one class only: {join(left_out)}."] if left_out else []
    return rankings, sentences


def _row_of(rows: list[dict[str, Any]], model: str) -> dict[str, Any]:
    """Find the row of a model."""
    return next(row for row in rows if row["model"] == model)


def _model(data: Evaluation, name: str) -> str:
    """Name a model in a sentence."""
    return name if len(data.rankings) > 1 else "the model"


def _by(data: Evaluation, name: str) -> str:
    """Write the start of a sentence about a model's scores."""
    return f"By {name}," if len(data.rankings) > 1 else "By the model's scores,"


def _ends(row: dict[str, Any]) -> str:
    return f"{number(row['lower'])} to {number(row['upper'])}"


def _whole(value: float) -> str:
    return amount(round(value))
