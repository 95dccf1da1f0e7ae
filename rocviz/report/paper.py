"""The paragraph for a paper, with every method named, and the items of TRIPOD+AI."""

from __future__ import annotations

from importlib.metadata import version
from math import isfinite

import numpy as np
import pandas as pd

from rocviz.report.data import N_RESAMPLES, N_RESAMPLES_OF_REFERRAL, Evaluation
from rocviz.report.decision import net_benefit_at
from rocviz.report.new_site import formula_text
from rocviz.report.phrases import are_labels, obuchowski_text, two_digits, wilson_text
from rocviz.report.referral import answers_text
from rocviz.report.section import Section, Table, join
from rocviz.report.summary import brier_estimate, differences_to_primary, scaled_brier_estimate
from rocviz.words import INTERVAL_NAMES, amount, difference, number, p_value, percent, score_text


def paper_section(data: Evaluation) -> Section:
    """Write the paragraph for a paper, and list the items of TRIPOD+AI that the report answers."""
    ranking = data.first
    words = [
        f"The evaluation included {amount(ranking.n_samples)} samples, of which "
        f"{amount(ranking.n_pos)} ({percent(ranking.prevalence, 1)}) were {data.positive}."
    ]
    words += _discrimination(data)
    words += _comparison(data)
    words += _calibration(data)
    words += _benefit(data)
    words += _threshold(data)
    words += _referral(data)
    words += _update(data)
    words += _sites(data)
    words.append(f"All computations were made with rocviz {version('rocviz')}.")
    items = _items(data)
    numbers = join([item for item, _, _ in items])
    frame = pd.DataFrame(items, columns=["item", "asks", "where"])
    headings = {"item": "item", "asks": "asks for", "where": "answered in"}
    table = Table(
        "tripod_ai", "Items of TRIPOD+AI", frame, headings, is_words=True, is_appendix=True
    )
    return Section(
        "For the paper",
        [
            " ".join(words),
            f"Of the checklist TRIPOD+AI (Collins et al., 2024) these numbers answer items "
            f"{numbers}, as the appendix lists. All others are about the study: where the samples "
            "come from, how the outcome was determined, how missing values were handled, what "
            "results mean.",
        ],
        [table],
    )


def _discrimination(data: Evaluation) -> list[str]:
    """Write the AUC and the average precision of the primary model."""
    name = data.primary_model
    whose = f"of {name} " if len(data.rankings) > 1 else ""
    words = []
    interval = data.auc_intervals.get(name)
    if interval is not None:
        method = INTERVAL_NAMES[interval.method]
        if data.samples is not None and data.samples.clusters is not None:
            method = obuchowski_text(data.samples)
        words.append(
            f"The area under the ROC curve {whose}was {number(interval.auc)} (95 % confidence "
            f"interval {number(interval.lower)} to {number(interval.upper)}, {method})."
        )
    precision = data.average_precisions.get(name)
    if precision is not None:
        ends = f"{number(precision.lower)} to {number(precision.upper)}"
        words.append(
            f"The average precision was {number(precision.value)} ({ends}, symmetric in log odds)."
        )
    return words


def _comparison(data: Evaluation) -> list[str]:
    """Write how the AUC of other models differs, and by which test."""
    frame = differences_to_primary(data)
    frame = frame[frame["p_holm"].notna()]
    if frame.empty:
        return []
    parts = []
    for row in frame.itertuples():
        parts.append(f"{difference(row.difference)} for {row.model} ({p_value(row.p_holm)})")
    if data.fold_comparison is not None:
        n_folds = data.fold_comparison.value.shape[1]
        test = f"Nadeau and Bengio's corrected test over {n_folds} folds"
    elif data.is_clustered:
        test = "paired test with Obuchowski's variance of clusters and Student's distribution"
    else:
        test = "paired test with DeLong's variance and Student's distribution"
    holm = ", with Holm's correction" if len(data.rankings) > 2 else ""
    if data.fold_comparison is not None:
        of_what = f"On average of folds, the AUC differed from that of {data.primary_model} by"
    else:
        of_what = f"The AUC differed from that of {data.primary_model} by"
    return [f"{of_what} {join(parts)} ({test}{holm})."]


def _calibration(data: Evaluation) -> list[str]:
    """Write the Brier score, the ratio of observed to expected positives, and the slope."""
    name = data.primary_model
    brier = brier_estimate(data, name)
    scaled = scaled_brier_estimate(data, name)
    if brier is None or scaled is None:
        return []
    interval = ""
    if np.isfinite([*brier, *scaled]).all():
        interval = f" ({number(brier[1])} to {number(brier[2])}, by Student's distribution)"
    words = [f"The Brier score was {number(brier[0])}{interval}, scaled {number(scaled[0], 2)}."]
    if are_labels(data.rankings[name]):
        return words
    summary = data.calibration[name]
    unit = " of clusters" if data.is_clustered else ""
    for name_of_measure, estimate, method in (
        (
            f"ratio of observed to expected {data.classes.positives}",
            summary.observed_expected,
            "score interval",
        ),
        ("slope of logistic recalibration", summary.slope, "Wald's interval"),
    ):
        if isfinite(estimate.value) and isfinite(estimate.lower):
            ends = f"{two_digits(estimate.lower)} to {two_digits(estimate.upper)}"
            words.append(
                f"The {name_of_measure} was {two_digits(estimate.value)} ({ends}, {method}{unit})."
            )
    return words


def _benefit(data: Evaluation) -> list[str]:
    """Write the net benefit at the threshold probability of the costs."""
    threshold = data.benefit_threshold
    if data.primary_model not in data.probabilistic or not 0 < threshold < 1:
        return []
    band = net_benefit_at(data, data.primary_model, threshold)
    ends = f"{number(float(band.lower[0]))} to {number(float(band.upper[0]))}"
    where = ""
    if data.prevalence is not None:
        where = f" and a prevalence of {percent(data.prevalence, 1)}"
    return [
        f"At a threshold probability of {percent(threshold, 1)}{where} the net benefit "
        f"(Vickers and Elkin, 2006) was {number(float(band.net_benefit[0]))} ({ends}), that of "
        f"treating everybody {number(float(band.treat_all[0]))}."
    ]


def _threshold(data: Evaluation) -> list[str]:
    """Write how the threshold was found, and sensitivity and specificity at it."""
    name = data.primary_model
    point = data.operating_points[name]
    costs = (
        f"With costs of {data.cost_fp:g} for a false positive and {data.cost_fn:g} for a false "
        f"negative and a prevalence of {percent(data.target_prevalence, 1)}"
    )
    if not isfinite(point.threshold):
        nobody = data.classes.predicting("nobody")
        return [f"{costs}, no threshold had a lower expected cost than {nobody}."]
    rates = []
    apparent = []
    for rate_name, name_of_rate in (("tpr", "sensitivity"), ("tnr", "specificity")):
        rate = data.corrected_rate(name, rate_name)
        ends = f"{percent(rate.lower, 1)} to {percent(rate.upper, 1)}"
        best_guess = rate.corrected if isfinite(rate.corrected) else rate.apparent
        rates.append(f"{name_of_rate} was {percent(best_guess, 1)} ({ends})")
        apparent.append(percent(rate.apparent, 1))
    if name in data.with_given_threshold:
        return [
            f"At the given threshold of {score_text(point.threshold)}, {join(rates)}, "
            f"intervals being {wilson_text(data.samples)}."
        ]
    chosen = (
        f"{costs}, the threshold with the lowest expected cost was {score_text(point.threshold)}."
    )
    if data.chosen_threshold(name) is None:
        return [chosen, f"It was chosen on these data, uncorrected for which {join(rates)}."]
    return [
        chosen,
        f"It was chosen on these data; corrected for that by the optimism of {N_RESAMPLES:,} "
        f"bootstrap resamples, {join(rates)} (uncorrected {join(apparent)}), "
        f"intervals being {wilson_text(data.samples)}, widened by the optimism.",
    ]


def _referral(data: Evaluation) -> list[str]:
    """Write both thresholds between which samples are referred."""
    policy = data.referral
    if policy is None or not policy.is_referring:
        return []
    cost = f"at a cost of {number(policy.cost)} per sample"
    if "saving" in policy.corrected:
        cost += (
            f"; corrected for its choice by {N_RESAMPLES_OF_REFERRAL} bootstrap resamples it saved "
            f"{number(policy.corrected['saving'])} compared with the best single threshold"
        )
    return [
        f"With a cost of {data.cost_referral:g} for a referral the policy with the lowest "
        f"expected cost (Chow, 1970; Tortorella, 2000) was to {answers_text(policy)}, {cost}."
    ]


def _update(data: Evaluation) -> list[str]:
    """Write how the primary model, from another place, was updated."""
    update = data.updates.get(data.primary_model)
    if update is None:
        return []
    chosen = {
        "none": "no update",
        "intercept": "an update of the intercept",
        "slope": "an update of intercept and slope",
    }
    words = (
        "The model was fitted at another place; a closed test (Vergouwe et al., 2017) of logistic "
        f"recalibration at level .05 chose {chosen[update.chosen]}"
    )
    if update.chosen == "none":
        return [f"{words}."]
    n_folds = sum(update.chosen_in_folds.values())
    return [
        f"{words} ({formula_text(update)}). Cross-fitted in {n_folds} folds, it changed the Brier "
        f"score from {number(update.before.brier, 4)} to {number(update.after.brier, 4)} and the "
        f"calibration slope from {two_digits(update.before.slope.value)} to "
        f"{two_digits(update.after.slope.value)}."
    ]


def _sites(data: Evaluation) -> list[str]:
    """Write the AUC over sites, and what to expect of a new one."""
    comparison = data.site_comparisons.get(data.primary_model)
    if comparison is None or comparison.auc is None or not isfinite(comparison.auc.lower):
        return []
    mean, lower, upper = comparison.auc.average
    new_lower, new_upper = comparison.auc.prediction
    return [
        f"Over {len(comparison.auc.sites)} sites the mean AUC was {number(mean)} ({number(lower)} "
        f"to {number(upper)}; prediction interval for a new site {number(new_lower)} to "
        f"{number(new_upper)}), by a random-effects model on the scale of log odds with the "
        "interval of Hartung and Knapp (2001)."
    ]


def _items(data: Evaluation) -> list[tuple[str, str, str]]:
    """List items of TRIPOD+AI, what they ask for, and where the report answers them."""
    several = ", Differences between models" if len(data.rankings) > 1 else ""
    of_probabilities = ", Calibration, Net benefit" if data.probabilistic else ""
    groups = ", Groups" if data.samples is not None and data.samples.groups is not None else ""
    items = []
    if data.site_comparisons:
        items.append(("12d", "how heterogeneity across clusters was quantified", "Sites"))
    items += [
        ("12e", "measures of performance and plots", f"Summary{of_probabilities}{several}"),
        ("15", "the output, and how the threshold was found", "The decision"),
    ]
    if data.updates:
        items.insert(-1, ("12f", "updating of the model", "Update for this place"))
    if data.participants is not None:
        items.append(("20b", "characteristics of the participants", "Participants"))
    items += [
        ("21", "numbers of participants and of outcome events", "Summary, The data"),
        (
            "23a",
            "performance with confidence intervals, also in subgroups",
            f"Summary, The decision{of_probabilities}{groups}",
        ),
    ]
    if data.site_comparisons:
        items.append(("23b", "heterogeneity of performance across clusters", "Sites"))
    if data.updates:
        items.append(("24", "results of updating, and the updated model", "Update for this place"))
    return items
