"""Sections of a report on parts of the samples: groups, and folds."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import TYPE_CHECKING, Any

import pandas as pd

from rocviz.core.calibration.summary import CalibrationSummary, calibration_summary
from rocviz.core.comparison.fold_average import fold_average
from rocviz.core.groups.policy import GroupPolicy, policy_at
from rocviz.core.groups.ranking import rank_clustered_groups
from rocviz.core.groups.summary import RATES, GroupSummary, group_summary
from rocviz.core.roc.metrics import METRICS
from rocviz.core.roc.segments import RankedSegments, probability_segments
from rocviz.displays.comparison.cross_validation import CrossValidationDisplay
from rocviz.displays.groups.groups import GroupsDisplay
from rocviz.report.data import Evaluation, LabelColumn
from rocviz.report.phrases import (
    MAX_FIGURES,
    SHARED_FOLDS,
    SHARED_GROUPS,
    are_labels,
    by_model,
    ends_text,
    model_text,
    row_of,
)
from rocviz.report.section import (
    INTERVAL_HEADINGS,
    SIGNIFICANCE_LEVEL,
    Measure,
    Picture,
    Section,
    Table,
    drawing,
    join,
    no_difference,
)
from rocviz.words import (
    amount,
    number,
    p_value,
    percent,
    score_text,
    short_names,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rocviz.theme import Theme

MAX_ROWS_OF_DIFFERENCES = 16  # between groups, on the page
QUANTITY_NAMES = {"auc": "AUC", **{rate: METRICS[rate].label for rate in RATES}}


def groups_section(data: Evaluation) -> Section | None:
    """Compare groups at the chosen threshold."""
    if data.samples is None or data.samples.groups is None:
        return None
    rankings, left_out = _rankings_of_parts(data, data.samples.groups, data.primary_model)
    if len(rankings) < 2:
        return Section("Groups", ["Fewer than two groups hold samples of both classes."])
    threshold = data.operating_points[data.primary_model].threshold
    summary = _summary_of_groups(data, rankings, threshold)
    policy = policy_at(rankings, points=threshold, cost_fp=data.cost_fp, cost_fn=data.cost_fn)
    frame = summary.to_frame()
    text = _ranges_text(data, frame, threshold)
    is_shared = data.samples.has_shared_clusters(data.samples.groups)
    pairs = summary.differences() if not is_shared else _no_pairs()
    significant = pairs[pairs["p_holm"] < SIGNIFICANCE_LEVEL]
    differences = []
    for pair in significant.head(5).itertuples():
        quantity = QUANTITY_NAMES[pair.quantity]
        values = f"{number(pair.a)} and {number(pair.b)}"
        differences.append(
            f"{quantity} of {pair.group_a} and {pair.group_b} ({values}, {p_value(pair.p_holm)})"
        )
    if differences:
        noun = "difference" if len(differences) == 1 else "differences"
        text.append(f"Chance alone does not explain the {noun} in {join(differences)}.")
    elif is_shared:
        text.append(SHARED_GROUPS)
    else:
        text.append(no_difference(pairs, "between two groups"))
    text += left_out
    pairs["quantity"] = pairs["quantity"].map(QUANTITY_NAMES)
    words = "Differences between groups"
    on_page = pairs
    tested = pairs[pairs["tested"].astype(bool)]
    if 0 < len(tested) < len(pairs):
        on_page = tested
        words += " that are large enough"
    if len(on_page) > MAX_ROWS_OF_DIFFERENCES:
        on_page = on_page.sort_values("p_holm", kind="stable").head(MAX_ROWS_OF_DIFFERENCES)
        words += f": {len(on_page)} of {len(pairs)}, those with the smallest p"
    measures = _rates_of_groups(frame)
    positive = data.classes.positive
    where = f"if nobody is predicted {positive}"
    if isfinite(threshold):
        where = f"at the threshold {score_text(threshold)}"
    calibration = _calibration_of_groups(data, rankings, frame)
    shown = {
        "auc": Measure("AUC", 2),
        "tpr": Measure("sensitivity", 2),
        "fpr": Measure("1 − specificity", 2),
    }
    if calibration is not None:
        shown["observed_expected"] = Measure("observed / expected", 2, ideal=1.0)
        shown["slope"] = Measure("calibration slope", 2, ideal=1.0)
        frame = frame.merge(calibration, how="left", on="group")
    large = frame[frame["tested"]]
    text += _small_groups_text(data, frame[~frame["tested"]])
    is_in_summary = measures["measure"].isin([METRICS[rate].label for rate in ("tpr", "fpr")])
    other_rates = measures[~is_in_summary]
    if len(large):
        other_rates = other_rates[other_rates["group"].isin(large["group"])]
    of_measures = {"group": "group", "measure": "of what", "value": "value", **INTERVAL_HEADINGS}
    methods = "Whether a difference is unfair is not a question of statistics."
    if not is_shared:
        methods = (
            "Differences of rates have Newcombe's intervals; Holm's correction is over all pairs "
            f"for the same quantity. {methods}"
        )
    of_data = (
        f"Precision and shares predicted {positive} are at the groups' prevalences in the data, "
        "and differ with these even where sensitivity and specificity do not."
    )
    classes = data.classes.shortened()
    headings = {"group": "group", "n_pos": classes.positives, "n_neg": classes.negatives}
    of_pairs = {"group_a": "group", "group_b": "compared with", "quantity": "of what"}
    of_pairs |= {"difference": "difference", **INTERVAL_HEADINGS, "p_holm": "p, corrected"}
    differences_of_groups = []
    if not is_shared:
        differences_of_groups = [
            Table("group_differences", words, pairs, of_pairs, on_page=on_page, is_appendix=True)
        ]
    picture = Picture(
        "groups",
        "The ROC curve of each group, with its point at the threshold.",
        drawing(GroupsDisplay, rankings, policy, classes=data.classes),
    )
    rates = Picture(
        "group_rates",
        "What each group gets at the threshold, with 95 % intervals.",
        _rates_drawing(data, rankings, policy),
        is_appendix=True,
    )
    return Section(
        "Groups",
        text,
        [
            Table(
                "groups",
                f"Each group {where}, {model_text(data, data.primary_model)}",
                frame,
                headings,
                counts=("n_pos", "n_neg"),
                measures=shown,
                on_page=large if len(large) else None,
            ),
            Table(
                "group_rates",
                f"Other rates {where}",
                measures,
                of_measures,
                is_appendix=True,
                on_page=other_rates,
            ),
            *differences_of_groups,
        ],
        [picture, rates] if len(rankings) <= MAX_FIGURES else [],
        details=[methods, of_data],
    )


def _summary_of_groups(
    data: Evaluation, rankings: dict[str, RankedSegments], threshold: float
) -> GroupSummary:
    """Summarise the groups with both classes at a threshold, by clusters if there are some."""
    samples = data.samples
    assert samples is not None
    assert samples.groups is not None
    if samples.clusters is None:
        return group_summary(rankings, threshold=threshold)
    return group_summary(**_samples_of_groups(data, rankings), threshold=threshold)


def _samples_of_groups(data: Evaluation, rankings: dict[str, RankedSegments]) -> dict[str, Any]:
    """Collect the samples, with their clusters, of the groups with both classes, in their order."""
    samples = data.samples
    assert samples is not None
    assert samples.groups is not None
    assert samples.clusters is not None
    names = pd.Series(samples.groups.labels).map(str)
    has_both = names.isin(list(rankings)).to_numpy()
    return {
        "y_true": samples.positive[has_both],
        "y_score": samples.scores[data.primary_model][has_both],
        "groups": pd.Series(pd.Categorical(names[has_both], list(rankings), ordered=True)),
        "sample_weight": None if samples.weight is None else samples.weight[has_both],
        "clusters": samples.clusters.labels[has_both],
    }


def _rates_drawing(
    data: Evaluation, rankings: dict[str, RankedSegments], policy: GroupPolicy
) -> Callable[[Theme], Figure]:
    """Make the function that draws the rates of groups, by clusters if there are some."""
    samples = data.samples
    if samples is None or samples.clusters is None:
        return drawing(GroupsDisplay, rankings, policy, classes=data.classes, kind="rates")
    _, clustered = rank_clustered_groups(**_samples_of_groups(data, rankings))

    def draw(theme: Theme) -> Figure:
        display = GroupsDisplay(rankings, policy, labels=data.classes)
        display._clustered = clustered
        figure: Figure = display.plot(theme=theme, kind="rates").figure_
        return figure

    return draw


def _no_pairs() -> pd.DataFrame:
    """Make a table of no differences."""
    return pd.DataFrame({"quantity": [], "p_holm": [], "tested": []})


def _units(data: Evaluation) -> str:
    """Name what a group is counted in."""
    return "clusters" if data.is_clustered else "samples"


def _calibration_of_group(
    data: Evaluation, group: str, segments: RankedSegments
) -> CalibrationSummary:
    """Judge the calibration of the primary model in a group, by clusters if there are some."""
    samples = data.samples
    if samples is None or samples.groups is None or samples.clusters is None:
        return calibration_summary(segments)
    is_member = pd.Series(samples.groups.labels).map(str).to_numpy() == group
    return calibration_summary(
        samples.positive[is_member],
        data.probabilities[data.primary_model][is_member],
        sample_weight=None if samples.weight is None else samples.weight[is_member],
        clusters=samples.clusters.labels[is_member],
    )


def _small_groups_text(data: Evaluation, small: pd.DataFrame) -> list[str]:
    """Fold groups that are too small to be tested into one line."""
    if small.empty:
        return []
    sizes = []
    for row in small.itertuples():
        sizes.append(
            f"{row.group} ({amount(row.n_pos)} {data.classes.positives}, {amount(row.n_neg)} "
            f"{data.classes.negatives})"
        )
    return [
        f"Too small to be tested, with fewer than ten {_units(data)} of a class: {join(sizes)}."
    ]


def _ranges_text(data: Evaluation, frame: pd.DataFrame, threshold: float) -> list[str]:
    """Say between which values the AUC and the rates of the groups lie that are large enough."""
    tested = frame[frame["tested"]]
    if len(tested) < 2:
        return [
            f"Fewer than two groups have ten {_units(data)} of each class, too few for a "
            "comparison."
        ]
    low = tested.loc[tested["auc"].idxmin()]
    high = tested.loc[tested["auc"].idxmax()]
    areas = []
    for row in (low, high):
        ends = f"{number(row['auc_lower'])} to {number(row['auc_upper'])}"
        areas.append(f"{number(row['auc'])} ({row['group']}, 95 % interval {ends})")
    whose = "groups" if len(tested) == len(frame) else "groups that are large enough to be tested"
    area = f"{by_model(data, data.primary_model)} the AUC of {whose} lies between {join(areas)}."
    if not isfinite(threshold):
        return [f"{area} In no group is anybody predicted {data.classes.positive}."]
    return [
        f"{area} At the threshold {score_text(threshold)}, {_span(tested['tpr'])} of "
        f"{data.classes.the_positives} in a group are found, and {_span(tested['fpr'])} of "
        f"{data.classes.the_negatives} in it raise a false alarm."
    ]


def _span(rates: pd.Series) -> str:
    """Write between what rates lie, or what all of them are."""
    low, high = percent(rates.min()), percent(rates.max())
    return low if low == high else f"between {low} and {high}"


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
) -> pd.DataFrame | None:
    """Compute observed over expected and the slope of each group that is large enough.

    ``None`` if scores are no probabilities, or all groups are too small.
    """
    name = data.primary_model
    if name not in data.probabilistic or are_labels(data.rankings[name]):
        return None
    is_tested = dict(zip(frame["group"], frame["tested"], strict=True))
    rows = []
    for group, ranking in rankings.items():
        segments = probability_segments(ranking)
        if segments is None or not is_tested[group]:
            continue
        summary = _calibration_of_group(data, group, segments)
        row: dict[str, Any] = {"group": group}
        for measure in ("observed_expected", "slope"):
            estimate = getattr(summary, measure)
            row[measure] = estimate.value
            row[f"{measure}_lower"] = estimate.lower
            row[f"{measure}_upper"] = estimate.upper
        rows.append(row)
    return pd.DataFrame(rows) if rows else None


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
            return Section(
                "Stability",
                ["Fewer than two folds hold samples of both classes."],
                is_appendix=True,
            )
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
    row = row_of(rows, data.primary_model)
    text = [
        f"In {len(averages[row['model']].folds)} folds the AUC of {model_text(data, row['model'])} "
        f"is {number(row['least'])} to {number(row['greatest'])}, on average "
        f"{number(row['mean_auc'])} (95 % interval {ends_text(row)}); that of all folds in one "
        f"ranking is {number(row['pooled'])}.",
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
    if data.samples.has_shared_clusters(data.samples.folds):
        text.append(SHARED_FOLDS)
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
            "Nadeau and Bengio (2003); where all folds together show fewer than five errors of the "
            "smaller class, it is widened to hold Clopper and Pearson's."
        ],
        is_appendix=True,
        is_half=True,
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
