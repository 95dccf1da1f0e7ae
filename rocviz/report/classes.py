"""The sections of a report on models of more than two classes, one function each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd

from rocviz.core.multiclass.metrics import LABELS, METRICS_WITHOUT_COSTS
from rocviz.report.class_data import ClassEvaluation
from rocviz.report.class_parts import (
    cluster_text,
    costs_section,
    fold_differences,
    folds_section,
    gain_text,
    groups_section,
    method_text,
    model_text,
)
from rocviz.report.differences import mean_interval
from rocviz.report.participants import participants_section
from rocviz.report.phrases import wilson_text
from rocviz.report.section import (
    INTERVAL_HEADINGS,
    Measure,
    Picture,
    Section,
    Table,
    difference_table,
    join,
    primary_text,
)
from rocviz.report.summary import (
    add_estimate,
    differences_from,
    phrase_of_differences,
    summary_remarks,
)
from rocviz.words import amount, number, percent

AVERAGE_COLUMNS = {"hand-till": "auc", "ovr-macro": "macro", "ovr-weighted": "weighted"}


def summary_section(data: ClassEvaluation) -> Section:
    """Say what was read and what follows from it, and tabulate the measures of each model."""
    first = data.first
    classes = []
    for label, n_samples in zip(first.classes, first.size, strict=True):
        classes.append(f"{label} {amount(n_samples)}")
    facts = [f"{amount(data.n_samples)} samples", f"classes {', '.join(classes)}"]
    if first.weight is not None:
        facts.append(f"weighted: {first.code.size:,} rows")
    for column, what in (
        ("clusters", "clusters of rows"),
        ("folds", "folds"),
        ("groups", "groups"),
    ):
        labels = getattr(data.columns, column)
        if labels is not None:
            facts.append(f"{len(labels.distinct):,} {what}")
    largest = first.classes[data.largest_class]
    notes = [
        f"The line below accuracies is the no-information rate, {number(first.prior.max())}, of "
        f"always predicting {largest}."
    ]
    if len(data.samples) > 1:
        chosen = "was named" if data.named_model is not None else "has the best M here"
        notes.append(
            f"At a name: its M less that of {data.primary_model}, with Holm's correction for "
            f"all pairs. What follows speaks of {data.primary_model}, which {chosen}."
        )
    return Section(
        "Summary", [], [summary_table(data)], facts=facts, verdict=_verdict(data), notes=notes
    )


def summary_table(data: ClassEvaluation) -> Table:
    """Tabulate the measures of each model with intervals, the primary model first."""
    primary = data.primary_model
    names = [primary, *(name for name in data.samples if name != primary)]
    rows = []
    for name in names:
        auc = data.aucs[name]
        row: dict[str, Any] = {"model": name}
        add_estimate(row, "auc", (auc.auc, auc.lower, auc.upper))
        add_estimate(row, "accuracy", data.accuracy(name))
        brier, scaled = brier_estimates(data, name)
        add_estimate(row, "brier", brier)
        add_estimate(row, "scaled_brier", scaled)
        rows.append(row)
    measures = {
        "auc": Measure("Hand and Till's M"),
        "accuracy": Measure("accuracy", ideal=float(data.first.prior.max())),
        "brier": Measure("Brier score"),
        "scaled_brier": Measure("scaled Brier", 2),
    }
    differences = _differences_to_primary(data)
    return Table(
        "summary",
        "Measures of each model, with 95 % confidence intervals",
        pd.DataFrame(rows),
        {"model": "model"},
        measures=measures,
        remarks=summary_remarks(primary, data.named_model, differences, names, area="M"),
    )


def brier_estimates(
    data: ClassEvaluation, name: str
) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Compute the Brier score of a model, and 1 less its ratio to that of the classes' shares.

    The interval of the ratio is that of a mean of influences (delta method).
    """
    model = data.samples[name]
    is_class = np.eye(model.n_classes)[model.code]
    square = ((model.prob - is_class) ** 2).sum(axis=1)
    brier, lower, upper = mean_interval(square, data.columns)
    of_shares = data.brier[name].uncertainty
    shift = 2 * (float(model.prior @ model.prior) - model.prior[model.code]) / of_shares
    influence = 1 - square / of_shares + brier / of_shares * shift
    scaled, scaled_lower, scaled_upper = mean_interval(influence, data.columns)
    return (
        (brier, max(lower, 0.0), min(upper, 2.0)),
        (scaled, scaled_lower, min(scaled_upper, 1.0)),
    )


def _differences_to_primary(data: ClassEvaluation) -> pd.DataFrame:
    """Tabulate the M of each other model less that of the primary one, with Holm's p."""
    if len(data.samples) < 2:
        return differences_from(pd.DataFrame(), data.primary_model)
    return differences_from(data.pairs, data.primary_model)


def _verdict(data: ClassEvaluation) -> str:
    """Say how well the primary model ranks and how often it is right, beside always one class."""
    primary = data.primary_model
    area = number(data.aucs[primary].auc)
    if len(data.samples) == 1:
        ranking = f"The model ranks pairs of classes with an M of {area}."
    else:
        phrase = phrase_of_differences(_differences_to_primary(data))
        ranking = f"{primary} (M {area}) {phrase}."
    largest = data.largest_class
    return (
        f"{ranking} Its most probable class is right for "
        f"{percent(data.matrices[primary].accuracy, 1)} of the samples; always predicting "
        f"{data.first.classes[largest]} is right for {percent(data.first.prior[largest], 1)}."
    )


def data_section(data: ClassEvaluation) -> Section:
    """Describe the samples."""
    first = data.first
    many = len(data.samples)
    text = [
        f"The data hold {amount(data.n_samples)} samples of {first.n_classes} classes, with the "
        f"probabilities of {f'{many} models' if many > 1 else 'one model'}."
    ]
    if many > 1:
        text.append(primary_text(data.primary_model, "Hand and Till's M", data.named_model))
    if first.weight is not None:
        text.append(
            f"Samples are weighted: {first.code.size:,} rows stand for {amount(data.n_samples)} "
            "samples. Intervals treat a weight as the number of times that a sample occurred."
        )
    text += cluster_text(data)
    columns = {"class": first.classes, "n": first.size, "share": first.prior}
    frame = pd.DataFrame(columns).assign(count=[amount(n) for n in first.size])
    headings = {"class": "class", "count": "samples", "share": "share"}
    return Section(
        "The data", text, [Table("classes", "Classes", frame, headings)], is_appendix=True
    )


def describe_section(data: ClassEvaluation) -> Section | None:
    """Describe the samples of each class."""
    if data.participants is None:
        return None
    names = [str(label) for label in data.first.classes]
    return participants_section(data.participants, data.first.code, names, data.first.weight)


def ranking_section(data: ClassEvaluation) -> Section:
    """Report the discrimination of the probabilities between the classes."""
    rows: list[dict[str, Any]] = []
    for name, auc in data.aucs.items():
        row = {"model": name, "auc": auc.auc, "lower": auc.lower, "upper": auc.upper}
        for average, key in AVERAGE_COLUMNS.items():
            if key != "auc":
                row[key] = data.area(name, average).auc
        rows.append(row)
    best = data.aucs[data.primary_model]
    pairs = np.nan_to_num((best.pairs + best.pairs.T) / 2, nan=2.0)
    i, j = np.unravel_index(int(pairs.argmin()), pairs.shape)
    text = [
        f"By {model_text(data)} two samples of different classes are ranked in the right order "
        f"with probability {number(best.auc)} (Hand and Till's M; 95 % interval "
        f"{number(best.lower)} to {number(best.upper)}). It is lowest for "
        f"{best.classes[i]} and {best.classes[j]}, {number(float(pairs[i, j]))}."
    ]
    headings = {"model": "model", "auc": "M", **INTERVAL_HEADINGS}
    headings |= {"macro": "one against the rest", "weighted": "weighted by class"}
    frame = best.to_frame().reset_index(names="class")
    of_class = {name: str(name) for name in frame.columns} | {"one_vs_rest": "the rest"}
    return Section(
        "Ranking",
        text,
        [
            Table("ranking", "How well each model ranks", pd.DataFrame(rows), headings),
            Table(
                "pairs",
                f"AUC of each class against each other, {model_text(data)}",
                frame,
                of_class,
            ),
        ],
        [
            Picture(
                "curves",
                "ROC curves of each class against all others.",
                data.drawing("curves"),
            )
        ],
        [f"Intervals are {method_text(data)}, for the mean over all pairs of classes."],
        is_appendix=True,
    )


def comparison_section(data: ClassEvaluation) -> Section | None:
    """Report the significant differences between models."""
    if len(data.samples) < 2:
        return None
    by_fold = fold_differences(data)
    if by_fold is not None:
        return by_fold
    pairs = data.pairs
    text, table = difference_table(pairs, "M")
    return Section(
        "Differences between models",
        text,
        [table],
        notes=["Paired tests on the same samples, with Holm's correction for the number of pairs."],
        is_appendix=True,
    )


def predictions_section(data: ClassEvaluation) -> Section:
    """Report the accuracy of the most probable class."""
    rows = []
    for name, matrix in data.matrices.items():
        accuracy, lower, upper = data.accuracy(name)
        row = {"model": name, "accuracy": accuracy, "lower": lower, "upper": upper}
        for metric in METRICS_WITHOUT_COSTS:
            row[metric] = matrix.metric(metric)
        rows.append(row)
    matrix = data.matrices[data.primary_model]
    best = data.best
    wrong = matrix.counts - np.diag(np.diag(matrix.counts))
    i, j = np.unravel_index(int(wrong.argmax()), wrong.shape)
    largest = data.largest_class
    text = [
        f"Predicting the most probable class by {model_text(data)} is right for "
        f"{percent(matrix.accuracy, 1)} of the samples; always predicting "
        f"{data.first.classes[largest]} is right for {percent(data.first.prior[largest], 1)}. "
        f"{gain_text(data)}"
    ]
    if wrong.any():
        text.append(
            f"The most frequent error: {amount(wrong[i, j])} of {amount(matrix.true[i])} samples "
            f"of {matrix.classes[i]} are predicted to be {matrix.classes[j]}."
        )
    if best.value > best.argmax_value:
        text.append(
            f"Another point of the simplex raises balanced accuracy on these samples from "
            f"{number(best.argmax_value)} to {number(best.value)}; new samples will gain less."
        )
    headings = {"model": "model", "accuracy": "accuracy", **INTERVAL_HEADINGS}
    for metric in METRICS_WITHOUT_COSTS:
        headings[metric] = LABELS[metric]
    counted = matrix.to_frame().map(amount).reset_index(names="true")
    of_true = {name: str(name) for name in counted.columns}
    pictures = [
        Picture(
            "matrix",
            "Confusion matrix: rows are the true classes, columns the predicted ones.",
            data.drawing("matrix"),
            beside_explorer=True,
        )
    ]
    if data.first.n_classes >= 3:
        pictures.append(
            Picture(
                "triangle",
                "Each sample by its probabilities of three classes; regions are predictions.",
                data.drawing("triangle"),
                beside_explorer=True,
            )
        )
    return Section(
        "The predictions",
        text,
        [
            Table(
                "predictions",
                "The most probable class of each model",
                pd.DataFrame(rows),
                headings,
                is_appendix=True,
            ),
            Table("matrix", f"True and predicted classes, {model_text(data)}", counted, of_true),
        ],
        pictures,
        [f"The interval of the accuracy is {wilson_text(data.columns)}."],
        is_live=True,
    )


def calibration_section(data: ClassEvaluation) -> Section:
    """Report the decomposition of the Brier score by class."""
    brier = data.brier
    columns = ("brier", "miscalibration", "log_loss")
    rows = []
    for name, parts in brier.items():
        row = {"model": name}
        for column in columns:
            row[column] = getattr(parts, column)
        rows.append(row)
    best = brier[data.primary_model]
    worst = max(best.by_class, key=lambda label: best.by_class[label].miscalibration)
    text = [
        f"The Brier score of {model_text(data)} is {number(best.brier)}, of which calibration "
        f"could repair at most {number(best.miscalibration)}, most of it for {worst} "
        f"({number(best.by_class[worst].miscalibration)}). Always predicting how frequent the "
        f"classes are scores {number(best.uncertainty)}."
    ]
    headings = {"model": "model", "brier": "Brier score", "miscalibration": "repairable"}
    headings |= {"log_loss": "log loss"}
    frame = best.to_frame().reset_index(names="class")
    of_class = {"class": "class", "brier": "Brier score", "miscalibration": "repairable"}
    of_class |= {"uncertainty": "of predicting its share"}
    return Section(
        "Calibration",
        text,
        [
            Table(
                "calibration",
                "Errors of the probabilities",
                pd.DataFrame(rows),
                headings,
                is_appendix=True,
            ),
            Table("brier", f"Class by class, {model_text(data)}", frame, of_class),
        ],
        [
            Picture(
                "reliability",
                "Predicted probability of each class against the observed frequency; on the "
                "diagonal they agree.",
                data.drawing("reliability"),
            )
        ],
        ["Calibration is judged class by class against the convex hull, which needs no bins."],
    )


def paper_section(data: ClassEvaluation) -> Section:
    """Write the paragraph for a paper."""
    auc = data.aucs[data.primary_model]
    matrix = data.matrices[data.primary_model]
    _, lower, upper = data.accuracy(data.primary_model)
    whose = f" of {data.primary_model}" if len(data.samples) > 1 else ""
    parts = data.brier[data.primary_model]
    classes = []
    for label, n_samples in zip(data.first.classes, data.first.size, strict=True):
        classes.append(f"{label} ({amount(n_samples)})")
    return Section(
        "For the paper",
        [
            f"The evaluation included {amount(data.n_samples)} samples of the classes "
            f"{join(classes)}. Hand and Till's M{whose} was {number(auc.auc)} (95 % confidence "
            f"interval {number(auc.lower)} to {number(auc.upper)}, {method_text(data)}). The most "
            f"probable class was right for {percent(matrix.accuracy, 1)} ({percent(lower, 1)} to "
            f"{percent(upper, 1)}) of the samples. The Brier score was {number(parts.brier)}, of "
            f"which {number(parts.miscalibration)} was classwise miscalibration. All computations "
            f"were made with rocviz {version('rocviz')}."
        ],
    )


CLASS_SECTIONS: Sequence[Callable[[ClassEvaluation], Section | None]] = (
    summary_section,
    predictions_section,
    costs_section,
    calibration_section,
    groups_section,
    paper_section,
    data_section,
    describe_section,
    ranking_section,
    comparison_section,
    folds_section,
)
