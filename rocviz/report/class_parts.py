"""Sections of a report on several classes: costs, groups of people, and folds."""

from __future__ import annotations

from itertools import combinations
from math import nan, sqrt
from typing import Any

import numpy as np
import pandas as pd

from rocviz.core.base.validation import Bools, Floats
from rocviz.core.comparison.auc_covariance import holm
from rocviz.core.comparison.fold_differences import nadeau_bengio_test
from rocviz.core.groups.summary import two_sided_p_value
from rocviz.core.multiclass.hand_till import hand_till_auc
from rocviz.report.class_data import ClassEvaluation
from rocviz.report.data import CONFIDENCE, LabelColumn
from rocviz.report.differences import differences_table, differences_text, mean_interval
from rocviz.report.phrases import SHARED_FOLDS, SHARED_GROUPS, at_start, obuchowski_text
from rocviz.report.section import (
    INTERVAL_HEADINGS,
    SIGNIFICANCE_LEVEL,
    Section,
    Table,
    difference_table,
    join,
    no_difference,
)
from rocviz.words import amount, number, p_value, percent

MIN_SAMPLES = 10  # of a group, for a test
MIN_CLUSTERS = 10  # of a class, for intervals that cover


def model_text(data: ClassEvaluation) -> str:
    """Name the primary model in a sentence."""
    return data.primary_model if len(data.samples) > 1 else "the model"


def method_text(data: ClassEvaluation) -> str:
    """Name the method of the intervals of an AUC."""
    if data.columns.clusters is not None:
        return obuchowski_text(data.columns)
    return "widened DeLong on the logit scale"


def gain_text(data: ClassEvaluation) -> str:
    """Say whether the primary model is right more often than always the most frequent class."""
    gain, lower, upper = data.gain
    model = model_text(data)
    if not lower > 0 and not upper < 0:
        return "Chance alone can explain the difference."
    more = "more" if gain > 0 else "less"
    ends = sorted((abs(lower), abs(upper)))
    return (
        f"{at_start(model)} is right {more} often by {percent(abs(gain), 1)} of the samples "
        f"(95 % interval {percent(ends[0], 1)} to {percent(ends[1], 1)})."
    )


def cluster_text(data: ClassEvaluation) -> list[str]:
    """Say that rows belong together, and where intervals know it."""
    columns = data.columns
    if columns.clusters is None:
        return []
    text = (
        f"Rows belong to {columns.n_clusters:,} clusters, such as patients. Intervals and tests "
        "treat the cluster as the unit."
    )
    if columns.folds is not None:
        text += " Only the comparison of models fold by fold treats the fold as the unit."
    n_fewest = data.aucs[data.primary_model].n_clusters or 0
    if n_fewest < MIN_CLUSTERS:
        text += f" A class is in {n_fewest} clusters only, so that intervals may be too narrow."
    return [text]


# ---------------------------------------------------------------------- costs


def costs_section(data: ClassEvaluation) -> Section | None:
    """Report what predictions of the lowest expected cost cost, beside the simple policies."""
    matrix = data.cost_matrix
    if matrix is None:
        return None
    first = data.first
    rows: list[dict[str, Any]] = []
    for name, cost in data.costs.items():
        mean, lower, upper = mean_interval(cost, data.columns)
        of_most_probable = float(_mean(matrix[first.code, data.predicted[name]], data))
        rows.append(
            {
                "model": name,
                "cost_per_1000": 1000 * mean,
                "lower": max(1000 * lower, 0.0),
                "upper": 1000 * upper,
                "most_probable": 1000 * of_most_probable,
            }
        )
    primary = data.primary_model
    row = next(row for row in rows if row["model"] == primary)
    of_one_class = 1000 * (first.size / first.size.sum()) @ matrix
    best = int(np.argmin(of_one_class))
    text = [
        f"With the given costs, predicting the class of the lowest expected cost by "
        f"{model_text(data)} costs {amount(round(row['cost_per_1000']))} per 1,000 samples"
        f"{_ends(row)}. Its most probable class would cost {amount(round(row['most_probable']))}, "
        f"and always predicting {first.classes[best]}, the least costly of all classes, "
        f"{amount(round(of_one_class[best]))}."
    ]
    headings = {"model": "model", "cost_per_1000": "cost per 1,000", **INTERVAL_HEADINGS}
    headings |= {"most_probable": "of the most probable class"}
    tables = [Table("costs", "Expected cost of each model", pd.DataFrame(rows), headings)]
    saved = matrix[first.code, best] - data.costs[primary]
    if not mean_interval(saved, data.columns)[1] > 0:
        text.append(
            "It is not clear that this is less than the cost of always predicting "
            f"{first.classes[best]}."
        )
    if len(rows) > 1:
        differences = _cost_differences(data)
        text.append(
            differences_text(
                differences,
                primary,
                "expected cost per 1,000 samples",
                "costs least",
                is_loss=True,
            )
        )
        tables.append(
            differences_table(differences, "cost_differences", "Cost per 1,000 samples", primary)
        )
    names = [str(label) for label in first.classes]
    given = pd.DataFrame(matrix, columns=names)
    given.insert(0, "true class", names)
    shown = {"true class": "true class", **{name: name for name in names}}
    tables.append(
        Table("cost_matrix", "Given costs of each prediction", given, shown, is_appendix=True)
    )
    return Section(
        "The decision",
        text,
        tables,
        notes=[
            "The class of the lowest expected cost depends on the probabilities and the given "
            "costs only, not on the outcomes of these samples, so nothing is corrected for a "
            "choice; wrong probabilities raise the cost."
        ],
    )


def _ends(row: dict[str, Any]) -> str:
    """Write the ends of the interval of a cost, if there are some."""
    if np.isnan(row["upper"]):
        return ""
    lower, upper = amount(round(row["lower"])), amount(round(row["upper"]))
    return f" (95 % interval {lower} to {upper})"


def _mean(value: Floats, data: ClassEvaluation) -> float:
    """Average over samples."""
    return mean_interval(value, data.columns)[0]


def _cost_differences(data: ClassEvaluation) -> pd.DataFrame:
    """Compute how much more other models cost per 1,000 samples."""
    rows = []
    for name, cost in data.costs.items():
        if name != data.primary_model:
            value = 1000 * (cost - data.costs[data.primary_model])
            mean, lower, upper = mean_interval(value, data.columns)
            rows.append({"model": name, "difference": mean, "lower": lower, "upper": upper})
    return pd.DataFrame(rows)


# ---------------------------------------------------------------------- groups


def groups_section(data: ClassEvaluation) -> Section | None:
    """Compare the accuracy, the ranking and the cost of groups."""
    groups = data.columns.groups
    if groups is None:
        return None
    rows = []
    sizes = {}
    for label in groups.distinct:
        is_member = np.asarray(groups.labels == label)
        sizes[str(label)] = _n_units(data, is_member)
        rows.append(_row_of_group(data, str(label), is_member))
    frame = pd.DataFrame(rows)
    frame["tested"] = [sizes[group] >= MIN_SAMPLES for group in frame["group"]]
    tested = frame[frame["tested"]]
    units = "samples" if data.columns.clusters is None else "clusters"
    if len(tested) < 2:
        text = [f"Fewer than two groups have {MIN_SAMPLES} {units}, too few for a comparison."]
    else:
        low = tested.loc[tested["accuracy"].idxmin()]
        high = tested.loc[tested["accuracy"].idxmax()]
        shares = f"between {_share_text(low)} and {_share_text(high)} of the samples of a group"
        if low["accuracy"] == high["accuracy"]:
            shares = f"{percent(low['accuracy'], 1)} of the samples of every group"
        text = [f"The most probable class by {model_text(data)} is right for {shares}."]
    headings = {"group": "group", "n": "samples", "accuracy": "accuracy"}
    headings |= {"accuracy_lower": "95 % from", "accuracy_upper": "to"}
    headings |= {"auc": "M", "auc_lower": "95 % from", "auc_upper": "to"}
    if data.cost_matrix is not None:
        headings |= {"cost": "cost per 1,000", "cost_lower": "95 % from", "cost_upper": "to"}
    tables = [Table("groups", f"Groups, {model_text(data)}", frame, headings, counts=("n",))]
    if data.columns.has_shared_clusters(groups):
        text.append(SHARED_GROUPS)
    elif len(tested) > 1:
        pairs = _group_differences(tested.to_dict("records"), data, groups)
        significant = pairs[pairs["p_holm"] < SIGNIFICANCE_LEVEL]
        named = []
        for pair in significant.head(5).itertuples():
            shares = f"{percent(pair.a, 1)} and {percent(pair.b, 1)}"
            named.append(f"{pair.group_a} and {pair.group_b} ({shares}, {p_value(pair.p_holm)})")
        if named:
            text.append(
                f"Chance alone does not explain the differences in accuracy between {join(named)}."
            )
        else:
            text.append(no_difference(pairs, "in accuracy between two groups"))
        of_pairs = {"group_a": "group", "group_b": "compared with", "difference": "difference"}
        of_pairs |= {**INTERVAL_HEADINGS, "p_holm": "p, corrected"}
        words = "Differences in accuracy between groups"
        tables.append(Table("group_differences", words, pairs, of_pairs, is_appendix=True))
    notes = (
        "M is Hand and Till's, of groups with at least two samples of each class. Groups with "
        "other shares of the classes differ in accuracy even if all else is equal."
    )
    if any(table.name == "group_differences" for table in tables):
        notes += (
            " Differences have Newcombe's intervals; Holm's correction is for the number of pairs."
        )
    small = frame.loc[~frame["tested"], "group"].tolist()
    if small:
        text.append(
            f"Too small to be tested, with fewer than {MIN_SAMPLES} {units}: {join(small)}."
        )
    return Section(
        "Groups",
        text,
        tables,
        notes=[notes],
    )


def _n_units(data: ClassEvaluation, is_member: Bools) -> float:
    """Count the samples of a group, or its clusters."""
    clusters = data.columns.clusters
    if clusters is not None:
        return float(len(set(clusters.labels[is_member].tolist())))
    weight = data.columns.weight
    return float(is_member.sum() if weight is None else weight[is_member].sum())


def _row_of_group(data: ClassEvaluation, group: str, is_member: Bools) -> dict[str, Any]:
    """Compute the measures of a group with their intervals."""
    columns = data.columns
    samples = data.samples[data.primary_model]
    weight = None if columns.weight is None else columns.weight[is_member]
    row: dict[str, Any] = {"group": group}
    row["n"] = float(is_member.sum() if weight is None else weight.sum())
    is_right = data.predicted[data.primary_model] == samples.code
    names = ("accuracy", "accuracy_lower", "accuracy_upper")
    row |= dict(zip(names, data.share_interval(is_right, is_member), strict=True))
    row |= {"auc": nan, "auc_lower": nan, "auc_upper": nan}
    if _has_all_classes(data, is_member):
        area = hand_till_auc(
            **data.arguments(data.primary_model, is_member),
            clusters=None if columns.clusters is None else columns.clusters.labels[is_member],
        )
        row |= {"auc": area.auc, "auc_lower": area.lower, "auc_upper": area.upper}
    if data.cost_matrix is not None:
        cost = 1000 * data.costs[data.primary_model][is_member]
        mean, lower, upper = mean_interval(cost, columns.rows(is_member))
        row |= {"cost": mean, "cost_lower": max(lower, 0.0), "cost_upper": upper}
    return row


def _has_all_classes(data: ClassEvaluation, is_member: Bools) -> bool:
    """Whether some samples hold at least two of each class."""
    counts = np.bincount(data.first.code[is_member], minlength=data.first.n_classes)
    return bool(counts.min() >= 2)


def _share_text(row: pd.Series) -> str:
    """Write the accuracy of a group with its interval."""
    ends = f"{percent(row['accuracy_lower'], 1)} to {percent(row['accuracy_upper'], 1)}"
    return f"{percent(row['accuracy'], 1)} ({row['group']}, 95 % interval {ends})"


def _group_differences(
    rows: list[dict[str, Any]], data: ClassEvaluation, groups: LabelColumn
) -> pd.DataFrame:
    """Compare the accuracy of every pair of groups, by Newcombe's interval and a test of shares."""
    is_right = data.predicted[data.primary_model] == data.first.code
    sizes = {}
    names = pd.Series(groups.labels).map(str)
    for row in rows:
        is_member = (names == row["group"]).to_numpy()
        sizes[row["group"]] = row["n"] / data.columns.design_effect(is_member, is_right)
    pairs = []
    for a, b in combinations(rows, 2):
        n = sizes[a["group"]]
        m = sizes[b["group"]]
        difference = a["accuracy"] - b["accuracy"]
        below = (a["accuracy"] - a["accuracy_lower"], b["accuracy_upper"] - b["accuracy"])
        above = (a["accuracy_upper"] - a["accuracy"], b["accuracy"] - b["accuracy_lower"])
        pooled = (a["accuracy"] * n + b["accuracy"] * m) / (n + m)
        error = sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
        pairs.append(
            {
                "group_a": a["group"],
                "group_b": b["group"],
                "a": a["accuracy"],
                "b": b["accuracy"],
                "difference": difference,
                "lower": difference - float(np.hypot(*below)),
                "upper": difference + float(np.hypot(*above)),
                "p_value": two_sided_p_value(difference, error),
            }
        )
    frame = pd.DataFrame(pairs)
    frame["p_holm"] = holm(frame["p_value"])
    return frame


# ---------------------------------------------------------------------- folds


def areas_of_folds(data: ClassEvaluation) -> tuple[pd.DataFrame, list[str]]:
    """Compute Hand and Till's AUC of each model in each fold with all classes.

    Returns a row for each fold and a column for each model, and the folds that are left out.
    """
    folds = data.columns.folds
    assert folds is not None
    areas = {}
    left_out = []
    for label in folds.distinct:
        is_member = np.asarray(folds.labels == label)
        if not _has_all_classes(data, is_member):
            left_out.append(str(label))
            continue
        row = {}
        for name in data.samples:
            row[name] = hand_till_auc(**data.arguments(name, is_member)).auc
        areas[str(label)] = row
    return pd.DataFrame.from_dict(areas, orient="index"), left_out


def folds_section(data: ClassEvaluation) -> Section | None:
    """Report the variation of the models' AUCs between folds."""
    if data.columns.folds is None:
        return None
    areas, left_out = areas_of_folds(data)
    title = "Stability over folds"
    if len(areas) < 2:
        text = ["Fewer than two folds hold two samples of each class."]
        return Section(title, text, is_appendix=True)
    rows = []
    for name in data.samples:
        test = nadeau_bengio_test(areas[name].to_numpy(), 1 / (len(areas) - 1), CONFIDENCE)
        rows.append(
            {
                "model": name,
                "mean_auc": test["difference"],
                "lower": max(test["lower"], 0.0),
                "upper": min(test["upper"], 1.0),
                "least": areas[name].min(),
                "greatest": areas[name].max(),
                "pooled": data.aucs[name].auc,
            }
        )
    row = next(row for row in rows if row["model"] == data.primary_model)
    interval = ""
    if not np.isnan(row["lower"]):
        interval = f" (95 % interval {number(row['lower'])} to {number(row['upper'])})"
    text = [
        f"In {len(areas)} folds the M of {model_text(data)} is {number(row['least'])} to "
        f"{number(row['greatest'])}, on average {number(row['mean_auc'])}{interval}; that of all "
        f"folds together is {number(row['pooled'])}."
    ]
    if left_out:
        text.append(f"Left out, with fewer than two samples of a class: {join(left_out)}.")
    if data.columns.has_shared_clusters(data.columns.folds):
        text.append(SHARED_FOLDS)
    headings = {"model": "model", "mean_auc": "mean M", **INTERVAL_HEADINGS, "least": "least"}
    headings |= {"greatest": "greatest", "pooled": "all folds together"}
    return Section(
        title,
        text,
        [Table("folds", "M by fold", pd.DataFrame(rows), headings)],
        notes=[
            "The interval is that of a cross-validation, whose training sets overlap: "
            "Nadeau and Bengio (2003)."
        ],
        is_appendix=True,
    )


def fold_differences(data: ClassEvaluation) -> Section | None:
    """Compare the models fold by fold; ``None`` where there are no folds to compare."""
    if data.columns.folds is None:
        return None
    areas, _ = areas_of_folds(data)
    if len(areas) < 2:
        return None
    rows: list[dict[str, Any]] = []
    for first, second in combinations(data.samples, 2):
        difference = (areas[first] - areas[second]).to_numpy()
        test = nadeau_bengio_test(difference, 1 / (len(areas) - 1), CONFIDENCE)
        rows.append({"model_a": first, "model_b": second, **test})
    pairs = pd.DataFrame(rows)
    pairs["p_holm"] = nan
    known = pairs["p_value"].notna()
    if known.any():
        pairs.loc[known, "p_holm"] = holm(pairs.loc[known, "p_value"])
    text, table = difference_table(pairs, "the mean M of folds", units="folds")
    return Section(
        "Differences between models",
        text,
        [table],
        notes=[
            f"Models were compared within each of {len(areas)} folds. Training sets of folds "
            "overlap, which the test corrects for (Nadeau and Bengio, 2003); Holm's correction is "
            "for the number of pairs."
        ],
        is_appendix=True,
    )
