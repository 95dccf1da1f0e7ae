"""Sections of a report on the decision: the best threshold, and net benefit."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, isfinite, nan
from typing import TYPE_CHECKING, Any

import pandas as pd

from rocviz.core.curve_spaces.net_benefit import NetBenefitBand, net_benefit_band
from rocviz.core.decisions.threshold_interval import ThresholdInterval
from rocviz.core.roc.metrics import METRICS, ConfusionTable
from rocviz.displays.base.figure import panels
from rocviz.displays.curve_spaces.curve_space import CurveSpaceDisplay
from rocviz.displays.roc.roc import ROCHullDisplay
from rocviz.report.cards import decision_cards
from rocviz.report.data import Evaluation
from rocviz.report.differences import (
    benefit_differences,
    cost_differences,
    differences_table,
    differences_text,
)
from rocviz.report.phrases import (
    are_labels,
    ends_text,
    model_text,
    row_of,
    whole_amount,
    wilson_text,
)
from rocviz.report.referral import referral_text
from rocviz.report.section import (
    INTERVAL_HEADINGS,
    Picture,
    Section,
    Table,
    drawing,
    drawing_of_samples,
    join,
)
from rocviz.words import (
    amount,
    number,
    percent,
    score_text,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rocviz.theme import Theme

COST_COLUMNS = ("cost_per_1000", "cost_corrected", "cost_lower", "cost_upper")
MIN_SAMPLES_FOR_THRESHOLD = 10  # of the class whose error is dearer


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
        if name in data.with_given_threshold:
            lower, upper = data.cost_interval(name)
            row |= {"cost_lower": 1000 * lower, "cost_upper": 1000 * upper}
        rows.append(row)
    headings = {"model": "model", "threshold": "threshold"}
    is_corrected = any(data.chosen_threshold(name) is not None for name in data.rankings)
    for metric in reported:
        headings[metric.name] = metric.label
        if not metric.depends_on_prevalence:
            if is_corrected:
                headings[f"{metric.name}_corrected"] = "on new samples"
            headings[f"{metric.name}_lower"] = ""
            headings[f"{metric.name}_upper"] = ""
    headings["cost_per_1000"] = "cost per 1,000"
    if is_corrected:
        headings |= {"cost_corrected": "on new samples", "cost_lower": "", "cost_upper": ""}
    model = model_text(data, data.primary_model)
    caption = "The cost-optimal threshold of each model"
    if data.with_given_threshold:
        caption = "The decision of each model"
    tables = [
        Table(
            "decision", caption, pd.DataFrame(rows), headings, counts=COST_COLUMNS, is_appendix=True
        )
    ]
    text = [*_decision_text(data), *referral_text(data)]
    details = []
    warnings = []
    differences = cost_differences(data)
    if differences is not None:
        caveat = ""
        if any(data.chosen_threshold(name) is not None for name in data.rankings):
            caveat = ", at each model's own threshold as if it had been given"
        text.append(
            differences_text(
                differences,
                data.primary_model,
                "expected cost per 1,000 samples",
                "costs least",
                is_loss=True,
                caveat=caveat,
            )
        )
        tables.append(
            differences_table(
                differences,
                "cost_differences",
                "Cost per 1,000 samples",
                data.primary_model,
                counts=("difference", "lower", "upper"),
            )
        )
    point = data.operating_points[data.primary_model]
    threshold = data.chosen_threshold(data.primary_model)
    if threshold is not None:
        warnings.append(
            "The threshold was chosen on these samples, which flatter it; values for new samples "
            "are corrected for that."
        )
        details.append(_corrected_text(threshold))
        n_dearer = _n_of_dearer_class(data)
        if n_dearer < MIN_SAMPLES_FOR_THRESHOLD:
            warnings.append(_few_samples_text(data, n_dearer))
        of_threshold = {"threshold": "threshold", **INTERVAL_HEADINGS, "utility": "cost per sample"}
        of_threshold |= {"corrected": "on new samples", "regret": "regret"}
        words = f"How certain the threshold of {model} is"
        # the one that is used, not the middle of the gap below it
        frame = threshold.to_frame().assign(threshold=point.threshold)
        tables.append(Table("threshold", words, frame, of_threshold, is_appendix=True))
    elif data.primary_model not in data.with_given_threshold and isfinite(point.threshold):
        warnings.append(
            "The threshold was chosen on these samples, which flatter it; without the samples the "
            "values cannot be corrected for that."
        )
    pictures = [
        Picture("roc", _roc_caption(data), _draw_roc(data), beside_explorer=True),
    ]
    return Section(
        "The decision",
        text,
        tables,
        pictures,
        [_interval_note(data), *_predictive_value_note(data)],
        is_live=True,
        cards_heading=_cards_heading(point, data.classes.positive),
        cards=decision_cards(data),
        warnings=warnings,
        details=details,
    )


def _cards_heading(point: ConfusionTable, positive: str) -> str:
    """Say at which threshold samples are counted."""
    if point.threshold == inf:
        return f"If nobody is predicted {positive}"
    heading = f"At the threshold {score_text(point.threshold)}"
    if point.fn + point.tn == 0:
        heading += f", where everybody is predicted {positive}"
    return heading


def _few_samples_text(data: Evaluation, n_dearer: float) -> str:
    """Warn that few samples determine the threshold, and say what calibration would give."""
    text = (
        f"Only {amount(n_dearer)} samples are of the class whose error is dearer, so that the best "
        "threshold is hardly determined."
    )
    name = data.primary_model
    if name in data.probabilistic and not are_labels(data.rankings[name]):
        text += (
            " If the probabilities are calibrated, the costs give one: "
            f"{percent(data.calibrated_threshold, 1)}."
        )
    return text


def _predictive_value_note(data: Evaluation) -> list[str]:
    """Say of which prevalence the predictive values are, where it is not that of the data."""
    if data.prevalence is None:
        return []
    point = data.operating_points[data.primary_model]
    of_data = []
    for value, name in ((point.metric("ppv"), "PPV"), (point.metric("npv"), "NPV")):
        if isfinite(value):
            of_data.append(f"{name} {percent(value, 1)}")
    text = f"PPV and NPV are for a prevalence of {percent(data.prevalence, 1)}, taken as known"
    return [
        f"{text}; among these samples, with {percent(data.first.prevalence, 1)}, they would be "
        f"{join(of_data)}."
    ]


def _interval_note(data: Evaluation) -> str:
    """Say what the intervals of the rates are."""
    wilson = wilson_text(data.samples)
    if not data.with_given_threshold:
        if data.chosen_threshold(data.primary_model) is not None:
            return (
                f"Intervals of rates are {wilson}, widened by the optimism of a threshold that the "
                "same samples chose; optimism and the interval of the threshold are from resamples."
            )
        if data.thresholds:
            return f"Intervals of rates are {wilson}; those of a threshold are from resamples."
        return (
            f"Intervals of rates are {wilson}. They do not allow for a threshold that the same "
            "samples chose, so that rates and costs are too good."
        )
    given = f"Intervals of rates at the given threshold are {wilson}."
    chosen = [name for name in data.rankings if name not in data.with_given_threshold]
    if not chosen:
        return given
    return (
        f"{given} Scores of {join(chosen)} are on another scale; for them it is the threshold with "
        "the lowest expected cost, which these samples chose."
    )


def _roc_caption(data: Evaluation) -> str:
    """Describe the ROC curves."""
    curves = "ROC curves" if len(data.rankings) > 1 else "The ROC curve"
    if data.primary_model in data.with_given_threshold:
        return (
            f"{curves}, and the given threshold of {model_text(data, data.primary_model)} (ringed)."
        )
    return (
        f"{curves}, and the operating point of "
        f"{model_text(data, data.primary_model)} with the lowest expected cost (ringed), on the "
        "line of points that cost the same."
    )


def _draw_roc(data: Evaluation) -> Callable[[Theme], Figure]:
    """Make the function that draws the ROC curves, and the best point of the primary one."""
    primary = data.primary_model
    others = dict(list(data.rankings.items())[1:])

    def draw(theme: Theme) -> Figure:
        (ax,) = panels(theme, "A", 5.6, 5.4, top=2.6)
        display = ROCHullDisplay(data.rankings[primary], name=primary, labels=data.classes)
        if primary in data.with_given_threshold:
            display.plot(ax, theme=theme, hull=False)
            point = data.operating_points[primary]
            ax.plot(
                point.fpr, point.tpr, "o", ms=9, mfc="none", mew=2, color=theme.colour("optimum")
            )
        else:
            display.plot(
                ax,
                theme=theme,
                hull=False,
                cost_fp=data.cost_fp,
                cost_fn=data.cost_fn,
                prevalence=data.prevalence,
            )
        if others:
            ROCHullDisplay(others, labels=data.classes).plot(ax, theme=theme, hull=False)
        figure: Figure = display.figure_
        return figure

    return draw


def _corrected_text(threshold: ThresholdInterval) -> str:
    """Say that the threshold was chosen on the same samples, and what that does to its rates."""
    rates = []
    for name in ("sensitivity", "specificity"):
        rate = getattr(threshold, name)
        rates.append(
            f"{name} is expected to be {percent(rate.corrected, 1)} ({percent(rate.lower, 1)} to "
            f"{percent(rate.upper, 1)}) in place of {percent(rate.apparent, 1)}"
        )
    lower = whole_amount(1000 * threshold.corrected_lower)
    upper = whole_amount(1000 * threshold.corrected_upper)
    return (
        f"In 95 % of resamples of these data the best threshold lies between "
        f"{score_text(threshold.lower)} and {score_text(threshold.upper)}. It was chosen on these "
        f"samples, which flatter it: on new ones {', '.join(rates)}, and the cost "
        f"{whole_amount(1000 * threshold.corrected)} ({lower} to {upper}) per 1,000 samples "
        f"in place of {whole_amount(1000 * threshold.utility)}. A threshold chosen from such data "
        f"costs about {amount(1000 * threshold.regret)} more than the one that is truly best."
    )


def _n_of_dearer_class(data: Evaluation) -> float:
    """Count the samples of the class whose error costs more, or of the smaller one."""
    ranking = data.first
    if data.cost_fn == data.cost_fp:
        return min(ranking.n_pos, ranking.n_neg)
    return ranking.n_pos if data.cost_fn > data.cost_fp else ranking.n_neg


def costs_text(data: Evaluation) -> str:
    """Begin a sentence with the costs."""
    if not data.costs_given:
        return "With equal costs, as none were stated"
    return f"If {_given_costs(data)}"


def _given_costs(data: Evaluation) -> str:
    """Compare the costs of both errors, the dearer one first."""
    if data.cost_fp == data.cost_fn:
        return "a miss costs as much as a false alarm"
    if data.cost_fp and data.cost_fn:
        ratio = data.cost_fn / data.cost_fp
        if ratio > 1:
            return f"a miss costs {ratio:.4g} times as much as a false alarm"
        return f"a false alarm costs {1 / ratio:.4g} times as much as a miss"
    return f"a false alarm costs {data.cost_fp:g} and a miss {data.cost_fn:g}"


def _decision_text(data: Evaluation) -> list[str]:
    if not data.costs_given:
        costs = "No costs were stated, so a miss is taken to cost as much as a false alarm."
    else:
        given = _given_costs(data)
        costs = f"{given[0].upper()}{given[1:]}."
    point = data.operating_points[data.primary_model]
    model = model_text(data, data.primary_model)
    per_thousand = point.at_prevalence(data.target_prevalence)
    if data.primary_model in data.with_given_threshold:
        return _given_text(data, model, costs)
    where = f"At these costs and a prevalence of {percent(data.target_prevalence, 1)}"
    classes = data.classes
    if not isfinite(point.threshold):
        nobody = classes.predicting("nobody")
        return [f"{costs} {where} {nobody} costs least, whatever {model} says."]
    predicting_all = classes.predicting("all samples")
    all_cost = data.cost_fp * (1 - data.target_prevalence)
    none_cost = data.cost_fn * data.target_prevalence
    best = (
        f"the best threshold of {model} is {score_text(point.threshold)}: samples that score at "
        f"least this are predicted {classes.positive}"
    )
    if point.fn + point.tn == 0:
        best = (
            f"{classes.predicting('everybody')} costs least: all samples here score at least "
            f"{score_text(point.threshold)}, the best threshold of {model}"
        )
    return [
        f"{costs} {where} {best}. Of 1,000 samples it finds "
        f"{whole_amount(per_thousand.tp)} of {whole_amount(per_thousand.n_pos)} "
        f"{classes.positives} and raises {whole_amount(per_thousand.fp)} false alarms"
        f"{classes.among_negatives(round(per_thousand.n_neg))}, at an expected cost of "
        f"{whole_amount(1000 * data.cost(data.primary_model))} per 1,000 samples. "
        f"{predicting_all[0].upper()}{predicting_all[1:]} would cost "
        f"{whole_amount(1000 * all_cost)}, predicting none {whole_amount(1000 * none_cost)}."
    ]


def _given_text(data: Evaluation, model: str, costs: str) -> list[str]:
    """Say what a threshold does that the user gave."""
    classes = data.classes
    point = data.operating_points[data.primary_model]
    per_thousand = point.at_prevalence(data.target_prevalence)
    rates = []
    for rate, name in (("tpr", "sensitivity"), ("tnr", "specificity")):
        lower, upper = data.rate_interval(data.primary_model, rate)
        ends = f"{percent(lower, 1)} to {percent(upper, 1)}"
        rates.append(f"{name} is {percent(point.metric(rate), 1)} (95 % interval {ends})")
    text = [
        f"The threshold {score_text(point.threshold)} of {model} was given, not chosen on these "
        f"samples, so that nothing is corrected for a choice: samples that score at least this are "
        f"predicted {classes.positive}. The {join(rates)}. Of 1,000 samples, "
        f"{percent(data.target_prevalence, 1)} of them {classes.are_positive}, it finds "
        f"{whole_amount(per_thousand.tp)} of {whole_amount(per_thousand.n_pos)} "
        f"{classes.positives} and raises {whole_amount(per_thousand.fp)} false alarms"
        f"{classes.among_negatives(round(per_thousand.n_neg))}."
    ]
    if data.costs_given:
        best = data.rankings[data.primary_model].optimal_point(
            data.cost_fp, data.cost_fn, data.prevalence
        )
        least = best.expected_cost(data.cost_fp, data.cost_fn, data.prevalence)
        cost = whole_amount(1000 * data.cost(data.primary_model))
        lower, upper = data.cost_interval(data.primary_model)
        cost += f" ({whole_amount(1000 * lower)} to {whole_amount(1000 * upper)})"
        text.append(
            f"{costs} The given threshold costs {cost} per 1,000 samples. The least that any "
            f"threshold costs on these samples is "
            f"{whole_amount(1000 * least)}, at {score_text(best.threshold)}; as it is chosen on "
            "them, it is expected to cost more on new ones."
        )
    return text


def benefit_section(data: Evaluation) -> Section | None:
    """Report net benefit by threshold probability."""
    if not data.probabilistic:
        return None
    text = []
    tables = []
    threshold = data.benefit_threshold
    if 0 < threshold < 1:
        rows = []
        of_everybody = 0.0
        for name in data.probabilistic:
            band = net_benefit_at(data, name, threshold)
            of_everybody = float(band.treat_all[0])
            rows.append(
                {
                    "model": name,
                    "net_benefit": band.net_benefit[0],
                    "lower": band.lower[0],
                    "upper": band.upper[0],
                }
            )
        costs = _benefit_threshold_text(data)
        where = "There"
        if data.prevalence is not None:
            where = f"There, at a prevalence of {percent(data.prevalence, 1)},"
        if data.primary_model in data.probabilistic:
            row = row_of(rows, data.primary_model)
            text.append(
                f"{costs} {where} {model_text(data, data.primary_model)} has a net benefit of "
                f"{number(row['net_benefit'])} (95 % interval {ends_text(row)}) per sample; "
                f"treating everybody has {number(of_everybody)}, treating nobody 0."
            )
        else:
            text.append(
                f"{costs} The scores of {model_text(data, data.primary_model)} are no "
                "probabilities, so it has no net benefit; the table shows the other models."
            )
        headings = {"model": "model", "net_benefit": "net benefit", **INTERVAL_HEADINGS}
        words = f"Net benefit at a threshold probability of {percent(threshold, 1)}"
        tables = [Table("net_benefit", words, pd.DataFrame(rows), headings, is_appendix=True)]
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
        _benefit_drawing(data, kind_of_band),
    )
    return Section(
        "Net benefit",
        text,
        tables,
        [picture],
        [
            f"Net benefit counts {data.classes.the_positives} that are found, less the false "
            "alarms at the rate at which they are worth accepting (Vickers and Elkin, 2006). A "
            "model is useful where its curve lies above those of treating everybody and nobody; "
            "wrong probabilities lower it."
        ],
        is_half=True,
    )


def _benefit_threshold_text(data: Evaluation) -> str:
    """Say at which threshold probability the net benefit is taken, and why."""
    threshold = data.benefit_threshold
    if threshold != data.given_threshold:
        return f"These costs correspond to a threshold probability of {percent(threshold, 1)}."
    text = f"The given threshold, {percent(threshold, 1)}, is taken as the threshold probability"
    of_costs = data.threshold_probability
    if data.costs_given and of_costs != threshold:
        text += f"; that of the given costs would be {percent(of_costs, 1)}"
    return f"{text}."


def _benefit_drawing(data: Evaluation, band: str) -> Callable[[Theme], Figure]:
    """Make the function that draws the decision curves, by clusters if there are some."""
    options: dict[str, Any] = {"space": "decision", "prevalence": data.prevalence, "band": band}
    samples = data.samples
    if samples is None or samples.clusters is None:
        return drawing(CurveSpaceDisplay, data.probabilistic, classes=data.classes, **options)
    return drawing_of_samples(
        CurveSpaceDisplay,
        samples.positive,
        data.probabilities,
        sample_weight=samples.weight,
        clusters=samples.cluster_labels,
        labels=data.classes,
        **options,
    )


def net_benefit_at(data: Evaluation, name: str, threshold: float) -> NetBenefitBand:
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
