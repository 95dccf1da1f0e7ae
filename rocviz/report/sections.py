"""The sections of a report on models of two classes, one function each."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite, nan
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import pandas as pd

from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.calibration.summary import CalibrationSummary
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.calibration.reliability import ReliabilityDisplay
from rocviz.displays.comparison.comparison import ModelComparisonDisplay
from rocviz.displays.curve_spaces.curve_space import CurveSpaceDisplay
from rocviz.report.data import Evaluation
from rocviz.report.decision import benefit_section, decision_section
from rocviz.report.differences import (
    brier_differences,
    differences_table,
    differences_text,
)
from rocviz.report.fixed_rates import fixed_rates_section
from rocviz.report.new_site import new_site_section
from rocviz.report.paper import paper_section
from rocviz.report.participants import participants_section
from rocviz.report.parts import folds_section, groups_section
from rocviz.report.phrases import (
    MAX_FIGURES,
    MEASURE_NAMES,
    are_labels,
    at_start,
    by_model,
    ends_text,
    model_text,
    row_of,
)
from rocviz.report.section import (
    INTERVAL_HEADINGS,
    Measure,
    Picture,
    Section,
    Table,
    difference_table,
    drawing,
    drawing_of_samples,
    join,
    primary_text,
)
from rocviz.report.sites import sites_section
from rocviz.report.summary import add_estimate, brier_estimate, summary_section
from rocviz.words import (
    INTERVAL_NAMES,
    amount,
    area_text,
    number,
    percent,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rocviz.theme import Theme

MIN_CLUSTERS = 10  # of a class, for intervals that cover
MIN_POSITIVES_FOR_PRECISION = 20  # for an average precision that is not biased upwards
MIN_COMMON_PREVALENCE = 0.2  # below it precision and recall are more informative than the ROC curve


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
    if n_models > 1:
        text.append(primary_text(data.primary_model, "AUC", data.named_model))
    if data.prevalence is not None:
        text.append(
            "Costs, counts of 1,000 samples, predictive values and net benefit are given for a "
            f"prevalence of {percent(data.prevalence, 1)}, that of the population in which the "
            "models are to be used; all other numbers are of these samples."
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
    table = Table("scores", "Scores", frame, headings)
    return Section("The data", text, [table], is_appendix=True, is_half=True)


def describe_section(data: Evaluation) -> Section | None:
    """Describe the samples by outcome."""
    if data.participants is None or data.samples is None:
        return None
    positive = data.samples.positive.astype(int)
    names = [data.classes.negative, data.classes.positive]
    return participants_section(data.participants, positive, names, data.samples.weight)


def _cluster_text(data: Evaluation) -> list[str]:
    """Say that rows belong together, and where intervals know it."""
    samples = data.samples
    if samples is None or samples.clusters is None:
        return []
    text = (
        f"Rows belong to {samples.n_clusters:,} clusters, such as patients, of which "
        f"{samples.n_positive_clusters:,} hold samples that are {data.positive}. Intervals and "
        "tests treat the cluster as the unit."
    )
    if samples.folds is not None:
        text += (
            " Only the comparison of models fold by fold treats the fold as the unit, and the test "
            "of whether scores of folds are on one scale treats each row as one."
        )
    n_smaller = min(interval.n_clusters or 0 for interval in data.auc_intervals.values())
    if n_smaller < MIN_CLUSTERS:
        text += f" A class is in {n_smaller} clusters only, so that intervals may be too narrow."
    return [text]


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
                **_average_precisions(data, name),
            }
        )
    primary = row_of(rows, data.primary_model)
    interval = f"; 95 % interval {ends_text(primary)}" if isfinite(primary["lower"]) else ""
    text = [
        f"{by_model(data, primary['model'])} a randomly chosen sample that is {data.positive} "
        f"scores higher than a randomly chosen one that is not with probability "
        f"{primary['auc_text']} (AUC{interval})."
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
        "average_precision_lower": "",
        "average_precision_upper": "",
    }
    if data.prevalence is not None:
        at_prevalence = percent(data.prevalence, 1)
        headings["precision_at_prevalence"] = (
            f"mean precision if {at_prevalence} are {data.positive}"
        )
    pictures = []
    if data.target_prevalence < MIN_COMMON_PREVALENCE:
        pictures.append(
            Picture(
                "precision_recall",
                f"Precision against recall. Where {percent(data.target_prevalence, 1)} are "
                f"{data.positive}, most alarms can be false although few of "
                f"{data.classes.the_negatives} raise one; this curve shows it.",
                drawing(
                    CurveSpaceDisplay,
                    data.rankings,
                    classes=data.classes,
                    on_page=True,
                    space="precision_recall",
                    prevalence=data.prevalence,
                ),
            )
        )
    methods = join(sorted({row["method"] for row in rows if row["method"]}) or [""])
    if data.is_clustered:
        methods = "those of clusters (Obuchowski, 1997)"
    notes = [
        f"Intervals of the AUC are {methods}; ties count one half. Average precision is the "
        f"mean precision at {data.classes.the_positives}, as scikit-learn defines it, without "
        "interpolation, at the prevalence of these data, which is what a useless score reaches; "
        "its interval is symmetric in log odds (Boyd, Eng and Page, 2013)."
    ]
    if not all(ranking.is_exact for ranking in data.rankings.values()):
        notes = [
            "Scores that share a cell were counted together; where that matters, the AUC is given "
            "by bounds that hold for every order within the cells."
        ]
    table = Table("ranking", "How well each model ranks", pd.DataFrame(rows), headings)
    return Section("Ranking", text, [table], pictures, notes, is_appendix=True, is_half=True)


def _ranking_warnings(data: Evaluation) -> list[str]:
    """Warn of few errors, and of few positives."""
    text = []
    interval = data.auc_intervals.get(data.primary_model)
    if interval is not None and interval.is_widened:
        ranking = data.rankings[data.primary_model]
        n_smaller = min(ranking.n_pos, ranking.n_neg)
        n_wrong = n_smaller * min(interval.auc, 1 - interval.auc)
        text.append(
            f"Errors of the ranking amount to only about {amount(n_wrong)} of the "
            f"{amount(n_smaller)} samples of the smaller class; the interval allows for a tail "
            "that these data do not show."
        )
    precision = data.average_precisions.get(data.primary_model)
    n_pos = data.first.n_pos if precision is None else precision.n_pos
    if n_pos < MIN_POSITIVES_FOR_PRECISION:
        units = data.classes.positives
        if data.is_clustered:
            units = f"clusters that hold {units}"
        text.append(f"With {amount(n_pos)} {units} the average precision tends to be too high.")
    return text


def _average_precisions(data: Evaluation, name: str) -> dict[str, Any]:
    """Tabulate the average precision of a model, of these data and at another prevalence."""
    estimate = data.average_precisions.get(name)
    ranking = data.rankings[name]
    row: dict[str, Any] = {
        "average_precision": _mean_precision(ranking, ranking.prevalence),
        "average_precision_lower": estimate.lower if estimate else nan,
        "average_precision_upper": estimate.upper if estimate else nan,
    }
    if data.prevalence is not None:
        row["precision_at_prevalence"] = _mean_precision(ranking, data.prevalence)
    return row


def _mean_precision(ranking: RankedSegments, prevalence: float) -> float:
    """Average the precision at a prevalence, weighted by the steps of recall."""
    alarms = prevalence * ranking.tpr[1:] + (1 - prevalence) * ranking.fpr[1:]
    precision = prevalence * ranking.tpr[1:] / alarms
    return float((ranking.pos / ranking.n_pos) @ precision)


def comparison_section(data: Evaluation) -> Section | None:
    """Report the significant differences between models."""
    if data.samples is None or len(data.rankings) < 2:
        return None
    if data.fold_comparison is not None:
        return _fold_differences(data.pairs, data.fold_comparison.value.shape[1])
    variance = "DeLong's variance"
    if data.samples.clusters is not None:
        variance = "the variance of clusters by Obuchowski (1997)"
    test = (
        f"A paired test on the same samples: {variance} with Student's distribution, widened to "
        "what the intervals of both AUCs allow (Newcombe, 1998; Zou and Donner, 2008)"
    )
    text, table = difference_table(data.pairs, "AUC")
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
        [f"{test}, with Holm's correction for the number of pairs."],
        is_appendix=True,
        is_half=True,
    )


def _fold_differences(pairs: pd.DataFrame, n_folds: int) -> Section:
    """Report the differences between models fold by fold."""
    text, table = difference_table(pairs, "the mean AUC of folds", units="folds")
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
        is_appendix=True,
        is_half=True,
    )


def calibration_section(data: Evaluation) -> Section:
    """Report the calibration of scores within 0 and 1."""
    if not data.probabilistic:
        scores = "No model has scores within 0 and 1, so none can be read as a probability."
        if len(data.rankings) == 1:
            scores = "Scores are not all within 0 and 1, so they cannot be read as probabilities."
        return Section(
            "Calibration",
            [
                f"{scores} "
                "HullCalibratedClassifier and calibration_map turn such scores into probabilities."
            ],
        )
    rows: list[dict[str, Any]] = []
    summaries = data.calibration
    for name, ranking in data.probabilistic.items():
        parts = brier_decomposition(ranking)
        row = {"model": name, "miscalibration": parts.miscalibration}
        row |= {"miscalibration_lower": nan, "miscalibration_upper": nan}
        add_estimate(row, "brier", brier_estimate(data, name))
        for key in MEASURE_NAMES:
            value = getattr(summaries[name], key)
            row |= {key: value.value, f"{key}_lower": value.lower, f"{key}_upper": value.upper}
        rows.append(row)
    text = _calibration_text(data, rows)
    details = _brier_text(data, rows)
    tables = []
    differences = brier_differences(data)
    if differences is not None:
        details.append(
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
    of_all = {
        "brier": Measure("Brier score"),
        "miscalibration": Measure("repairable"),
        "observed_expected": Measure(MEASURE_NAMES["observed_expected"], 2, ideal=1.0),
        "in_the_large": Measure(MEASURE_NAMES["in_the_large"], 2, ideal=0.0),
        "slope": Measure(MEASURE_NAMES["slope"], 2, ideal=1.0),
    }
    for key in ("ici", "e50", "e90"):
        of_all[key] = Measure(MEASURE_NAMES[key])
    pictures: list[Picture] = []
    shown = list(data.probabilistic)[:MAX_FIGURES]
    if data.primary_model in data.probabilistic and data.primary_model not in shown:
        shown[-1] = data.primary_model
    for name in shown:
        picture = Picture(
            f"reliability_{len(pictures) + 1}",
            f"Predicted probability of {model_text(data, name)} against the observed frequency; on "
            "the diagonal they agree.",
            _reliability_drawing(data, name),
            is_appendix=data.primary_model in shown and name != data.primary_model,
        )
        pictures.append(picture)
    return Section(
        "Calibration",
        text,
        [
            Table(
                "calibration",
                "Calibration of each model",
                pd.DataFrame(rows),
                {"model": "model"},
                measures=of_all,
                is_appendix=True,
            ),
            *tables,
        ],
        pictures,
        is_half=True,
        details=[
            *details,
            "The smooth curve, with its 95 % band, is a restricted cubic spline, or logistic "
            "recalibration where there are fewer than 30 samples of the rarer class. "
            "The part that calibration could repair is measured against the convex hull, which "
            "needs no bins. The intercept is estimated at a slope of 1 (calibration in the large); "
            "ICI, E50 and E90 are the mean, median and 90 % quantile of the distance between "
            "prediction and smooth calibration curve (Austin and Steyerberg, 2019).",
        ],
    )


def _reliability_drawing(data: Evaluation, name: str) -> Callable[[Theme], Figure]:
    """Make the function that draws a model's reliability, by clusters if there are some."""
    samples = data.samples
    if samples is None or samples.clusters is None:
        options: dict[str, Any] = {"name": name, "flexible": True, "classes": data.classes}
        return drawing(ReliabilityDisplay, data.probabilistic[name], **options)
    return drawing_of_samples(
        ReliabilityDisplay,
        samples.positive,
        data.probabilities[name],
        sample_weight=samples.weight,
        clusters=samples.cluster_labels,
        labels=data.classes,
        name=name,
        flexible=True,
    )


def _calibration_text(data: Evaluation, rows: list[dict[str, Any]]) -> list[str]:
    """Say how far the probabilities of the primary model can be trusted."""
    if data.primary_model not in data.probabilistic:
        return [
            f"Scores of {model_text(data, data.primary_model)} are not all within 0 and 1, so they "
            "cannot be read as probabilities. The tables show the other models."
        ]
    row = row_of(rows, data.primary_model)
    model = model_text(data, data.primary_model)
    if are_labels(data.rankings[data.primary_model]):
        return [
            f"The scores of {model} are 0 or 1, so its Brier score is the share of wrong "
            f"predictions, {number(row['brier'])}; calibration cannot be judged."
        ]
    return _summary_text(data.calibration[data.primary_model], model, data.positive)


def _brier_text(data: Evaluation, rows: list[dict[str, Any]]) -> list[str]:
    """Say how much of the primary model's Brier score calibration could repair."""
    if data.primary_model not in data.probabilistic or are_labels(
        data.rankings[data.primary_model]
    ):
        return []
    row = row_of(rows, data.primary_model)
    share = row["miscalibration"] / row["brier"] if row["brier"] else 0.0
    prior = data.first.prevalence
    return [
        f"The Brier score of {model_text(data, data.primary_model)} is {number(row['brier'])}, of "
        f"which calibration could repair at most {number(row['miscalibration'])} "
        f"({percent(share)}). Always predicting the prevalence scores "
        f"{number(prior * (1 - prior))}."
    ]


def _summary_text(summary: CalibrationSummary, model: str, positive: str) -> list[str]:
    """Interpret the observed-to-expected ratio and the slope, and say what limits them.

    ``positive`` is what samples of the positive class are.
    """
    ratio = summary.observed_expected
    slope = summary.slope
    text: list[str] = []
    if isfinite(ratio.lower):
        sentence = (
            f"Chance alone can explain how the number that {model} expects to be {positive} "
            "differs from the number observed"
        )
        if ratio.lower > 1 or ratio.upper < 1:
            amount_text = "few" if ratio.lower > 1 else "many"
            sentence = f"{at_start(model)} expects too {amount_text} samples to be {positive}"
        text.append(
            f"{sentence}: {number(ratio.value, 2)} were observed for each one expected "
            f"(95 % interval {number(ratio.lower, 2)} to {number(ratio.upper, 2)})."
        )
    if isfinite(slope.value) and isfinite(slope.lower):
        sentence = "There is no sign that its predictions are too extreme or too close together"
        if slope.upper < 0:
            sentence = f"Of samples with higher predictions fewer are {positive}"
        elif slope.lower > 1 or slope.upper < 1:
            sentence = (
                f"Its predictions are too {'close together' if slope.lower > 1 else 'extreme'}"
            )
        text.append(
            f"{sentence}: the calibration slope is {number(slope.value, 2)} "
            f"({number(slope.lower, 2)} to {number(slope.upper, 2)}), ideally 1."
        )
    return text + summary.reasons


SECTIONS: tuple[Callable[[Evaluation], Section | None], ...] = (
    summary_section,
    decision_section,
    fixed_rates_section,
    calibration_section,
    benefit_section,
    new_site_section,
    groups_section,
    sites_section,
    paper_section,
    data_section,
    describe_section,
    ranking_section,
    comparison_section,
    folds_section,
)
