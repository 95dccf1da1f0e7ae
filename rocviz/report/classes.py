"""A report on models of more than two classes: its checked data and its sections."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from rocviz.core.base.classes import ClassSamples, check_class_samples
from rocviz.core.base.naming import name_texts
from rocviz.core.base.normal import normal_quantile
from rocviz.core.base.validation import Weights, check_weights, describe, label_column
from rocviz.core.multiclass.best_point import SimplexPoint, best_simplex_point
from rocviz.core.multiclass.brier import MulticlassBrier, multiclass_brier
from rocviz.core.multiclass.confusion import ConfusionMatrix, confusion_matrix
from rocviz.core.multiclass.hand_till import MulticlassAUC, hand_till_auc, hand_till_covariance
from rocviz.core.multiclass.metrics import LABELS, METRICS_WITHOUT_COSTS
from rocviz.core.multiclass.simplex import label_at_point
from rocviz.core.roc.metrics import binomial_interval
from rocviz.displays.multiclass.multiclass import MulticlassDisplay
from rocviz.report.data import check_primary
from rocviz.report.options import check_participants, described_rows
from rocviz.report.participants import participants_section
from rocviz.report.section import (
    INTERVAL_HEADINGS,
    Measure,
    Picture,
    Section,
    Table,
    difference_table,
    drawing,
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

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rocviz.theme import Theme

AVERAGE_COLUMNS = {"hand-till": "auc", "ovr-macro": "macro", "ovr-weighted": "weighted"}


@dataclass(frozen=True, eq=False)
class ClassEvaluation:
    """Checked data of a report on several classes, with the results that its sections share.

    Parameters
    ----------
    samples : dict of str to ClassSamples
        The samples with the probabilities of each model.
    named_model : str or None
        The primary model, if the user named one.
    participants : DataFrame or None
        Columns that describe the samples.
    """

    samples: dict[str, ClassSamples]
    named_model: str | None = None
    participants: pd.DataFrame | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the models."""
        return tuple(self.samples)

    @property
    def first(self) -> ClassSamples:
        """The samples with the probabilities of the first model."""
        return next(iter(self.samples.values()))

    @property
    def n_samples(self) -> float:
        """Weight of all samples."""
        return float(self.first.size.sum())

    def arguments(self, name: str) -> dict[str, Any]:
        """Collect the arguments of the core's functions for a model."""
        samples = self.samples[name]
        labels = np.array(samples.classes, dtype=object)[samples.code]
        return {
            "y_true": labels,
            "y_prob": samples.prob,
            "classes": samples.classes,
            "sample_weight": samples.weight,
        }

    @cached_property
    def aucs(self) -> dict[str, MulticlassAUC]:
        """Hand and Till's AUC of each model."""
        return {name: hand_till_auc(**self.arguments(name)) for name in self.samples}

    @cached_property
    def primary_model(self) -> str:
        """The model of which every section speaks: the named one, or else the best by AUC."""
        if self.named_model is not None:
            return self.named_model
        return max(self.samples, key=lambda name: self.aucs[name].auc)

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """Differences of the AUC between all pairs of models, with intervals and tests."""
        arguments = self.arguments(self.primary_model)
        areas = hand_till_covariance(
            arguments["y_true"],
            {name: samples.prob for name, samples in self.samples.items()},
            classes=arguments["classes"],
            sample_weight=arguments["sample_weight"],
        )
        pairs = areas.pairs().reset_index(drop=True)
        half = normal_quantile(0.95) * pairs["standard_error"]
        return pairs.assign(lower=pairs["difference"] - half, upper=pairs["difference"] + half)

    @cached_property
    def brier(self) -> dict[str, MulticlassBrier]:
        """The Brier score of each model, with its parts."""
        return {name: multiclass_brier(**self.arguments(name)) for name in self.samples}

    @cached_property
    def matrices(self) -> dict[str, ConfusionMatrix]:
        """The confusion matrix of each model's most probable classes."""
        result = {}
        for name, model in self.samples.items():
            arguments = self.arguments(name)
            uniform = np.full(model.n_classes, 1 / model.n_classes)
            predictions = label_at_point(model.prob, uniform, classes=model.classes)
            result[name] = confusion_matrix(
                arguments["y_true"],
                predictions,
                classes=model.classes,
                sample_weight=model.weight,
            )
        return result

    def drawing(self, kind: str) -> Callable[[Theme], Figure]:
        """Make the function that draws the primary model."""
        return drawing(partial(MulticlassDisplay, **self.arguments(self.primary_model)), kind=kind)

    @cached_property
    def best(self) -> SimplexPoint:
        """The point with the best balanced accuracy of the primary model."""
        return best_simplex_point(**self.arguments(self.primary_model), metric="balanced_accuracy")


def check_class_evaluation(
    y_true: ArrayLike,
    y_score: Any,
    sample_weight: Weights,
    primary: str | None,
    participants: Any,
    **others: Any,
) -> ClassEvaluation:
    """Check the input of a report on several classes before any work.

    ``others`` are arguments that apply to two classes only, and must not be given.
    """
    unused = [name for name, value in others.items() if value is not None]
    if unused:
        raise ValueError(
            f"{join(unused)} must not be given for more than two classes; such reports have the "
            "ranking, the predictions and the calibration of all classes."
        )
    described = check_participants(participants, len(label_column(y_true, "y_true")), y_true)
    if described is not None and sample_weight is not None:
        weight = check_weights(sample_weight, len(described))
        assert weight is not None
        described = described_rows(described, np.asarray(weight > 0))
    if not isinstance(y_score, Mapping):
        named_model = check_primary(primary, ["model"])
        model = _check_model(y_true, y_score, sample_weight, "y_score")
        return ClassEvaluation({"model": model}, named_model, described)
    if not y_score:
        raise ValueError("y_score is an empty mapping; at least one model is needed.")
    names = name_texts(y_score, "y_score")
    named_model = check_primary(primary, names)
    samples = {}
    for name, table in zip(names, y_score.values(), strict=True):
        argument = f"y_score[{describe(name)}]"
        samples[name] = _check_model(y_true, table, sample_weight, argument)
    return ClassEvaluation(samples, named_model, described)


def _check_model(y_true: ArrayLike, table: Any, sample_weight: Weights, name: str) -> ClassSamples:
    return check_class_samples(y_true, table, None, sample_weight, name=name)


def summary_section(data: ClassEvaluation) -> Section:
    """Say what was read and what follows from it, and tabulate the measures of each model."""
    first = data.first
    classes = []
    for label, n_samples in zip(first.classes, first.size, strict=True):
        classes.append(f"{label} {amount(n_samples)}")
    facts = [f"{amount(data.n_samples)} samples", f"classes {', '.join(classes)}"]
    if first.weight is not None:
        facts.append(f"weighted: {first.code.size:,} rows")
    notes = []
    if len(data.samples) > 1:
        chosen = "was named" if data.named_model is not None else "has the best M here"
        notes.append(
            f"Below a name: its M less that of {data.primary_model}, with Holm's correction for "
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
        matrix = data.matrices[name]
        right = float(np.trace(matrix.counts))
        lower, upper = map(float, binomial_interval(right, matrix.n_samples))
        row: dict[str, Any] = {"model": name}
        add_estimate(row, "auc", (auc.auc, auc.lower, auc.upper))
        add_estimate(row, "accuracy", (matrix.accuracy, lower, upper))
        row["brier"] = data.brier[name].brier
        row["scaled_brier"] = 1 - data.brier[name].brier / data.brier[name].uncertainty
        rows.append(row)
    headings = {"model": "model", "brier": "Brier score", "scaled_brier": "scaled Brier"}
    measures = {
        "auc": Measure("Hand and Till's M"),
        "accuracy": Measure("accuracy"),
    }
    differences = _differences_to_primary(data)
    return Table(
        "summary",
        "Measures of each model, with 95 % confidence intervals",
        pd.DataFrame(rows),
        headings,
        measures=measures,
        remarks=summary_remarks(primary, data.named_model, differences, names, area="M"),
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
    largest = int(np.argmax(data.first.size))
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
                row[key] = hand_till_auc(**data.arguments(name), average=average).auc
        rows.append(row)
    best = data.aucs[data.primary_model]
    pairs = np.nan_to_num((best.pairs + best.pairs.T) / 2, nan=2.0)
    i, j = np.unravel_index(int(pairs.argmin()), pairs.shape)
    text = [
        f"By {_model(data)} two samples of different classes are ranked in the right order with "
        f"probability {number(best.auc)} (Hand and Till's M; 95 % interval {number(best.lower)} "
        f"to {number(best.upper)}). It is lowest for {best.classes[i]} and {best.classes[j]}, "
        f"{number(float(pairs[i, j]))}."
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
                "pairs", f"AUC of each class against each other, {_model(data)}", frame, of_class
            ),
        ],
        [
            Picture(
                "curves",
                "ROC curves of each class against all others.",
                data.drawing("curves"),
            )
        ],
        ["Intervals are DeLong's on the logit scale, for the mean over all pairs of classes."],
        is_appendix=True,
    )


def comparison_section(data: ClassEvaluation) -> Section | None:
    """Report the significant differences between models."""
    if len(data.samples) < 2:
        return None
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
        right = float(np.trace(matrix.counts))
        lower, upper = map(float, binomial_interval(right, matrix.n_samples))
        row = {"model": name, "accuracy": matrix.accuracy, "lower": lower, "upper": upper}
        for metric in METRICS_WITHOUT_COSTS:
            row[metric] = matrix.metric(metric)
        rows.append(row)
    matrix = data.matrices[data.primary_model]
    best = data.best
    wrong = matrix.counts - np.diag(np.diag(matrix.counts))
    i, j = np.unravel_index(int(wrong.argmax()), wrong.shape)
    largest = int(np.argmax(data.first.size))
    text = [
        f"Predicting the most probable class by {_model(data)} is right for "
        f"{percent(matrix.accuracy, 1)} of the samples; always predicting "
        f"{data.first.classes[largest]} is right for {percent(data.first.prior[largest], 1)}."
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
        )
    ]
    if data.first.n_classes >= 3:
        pictures.append(
            Picture(
                "triangle",
                "Each sample by its probabilities of three classes; regions are predictions.",
                data.drawing("triangle"),
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
            Table("matrix", f"True and predicted classes, {_model(data)}", counted, of_true),
        ],
        pictures,
        ["The interval of the accuracy is Wilson's."],
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
        f"The Brier score of {_model(data)} is {number(best.brier)}, of which calibration could "
        f"repair at most {number(best.miscalibration)}, most of it for {worst} "
        f"({number(best.by_class[worst].miscalibration)}). Always predicting how frequent the "
        f"classes are scores {number(best.uncertainty)}."
    ]
    headings = {"model": "model", "brier": "Brier score", "miscalibration": "repairable"}
    headings |= {"log_loss": "log loss"}
    frame = best.to_frame().reset_index(names="class")
    of_class = {"class": "class", "brier": "Brier score", "miscalibration": "repairable"}
    of_class |= {"uncertainty": "of always saying its share"}
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
            Table("brier", f"Class by class, {_model(data)}", frame, of_class),
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
    right = float(np.trace(matrix.counts))
    lower, upper = map(float, binomial_interval(right, matrix.n_samples))
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
            f"interval {number(auc.lower)} to {number(auc.upper)}, logit DeLong). The most "
            f"probable class was right for {percent(matrix.accuracy, 1)} ({percent(lower, 1)} to "
            f"{percent(upper, 1)}) of the samples. The Brier score was {number(parts.brier)}, of "
            f"which {number(parts.miscalibration)} was classwise miscalibration. All computations "
            f"were made with rocviz {version('rocviz')}."
        ],
    )


CLASS_SECTIONS: Sequence[Callable[[ClassEvaluation], Section | None]] = (
    summary_section,
    predictions_section,
    calibration_section,
    paper_section,
    data_section,
    describe_section,
    ranking_section,
    comparison_section,
)


def _model(data: ClassEvaluation) -> str:
    """Name the primary model in a sentence."""
    return data.primary_model if len(data.samples) > 1 else "the model"
