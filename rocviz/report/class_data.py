"""The data of a report on more than two classes, checked, with what its sections share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.classes import ClassSamples, check_class_samples, in_one_order
from rocviz.core.base.effort import MAX_SECONDS_OF_PICTURE, check_effort
from rocviz.core.base.naming import name_texts
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Weights,
    check_aligned,
    check_clusters,
    check_weights,
    describe,
    label_column,
    list_labels,
)
from rocviz.core.multiclass.best_point import SimplexPoint, best_simplex_point
from rocviz.core.multiclass.brier import MulticlassBrier, multiclass_brier
from rocviz.core.multiclass.confusion import ConfusionMatrix, confusion_matrix
from rocviz.core.multiclass.hand_till import MulticlassAUC, hand_till_auc, hand_till_covariance
from rocviz.core.multiclass.simplex import (
    check_cost_matrix,
    cost_optimal_labels,
    label_at_point,
)
from rocviz.core.roc.metrics import binomial_interval
from rocviz.displays.multiclass.multiclass import MulticlassDisplay
from rocviz.report.data import (
    Samples,
    check_clusters_of_classes,
    check_column,
    check_number_of_groups,
    check_primary,
)
from rocviz.report.differences import mean_interval
from rocviz.report.options import check_participants, described_rows
from rocviz.report.section import drawing, join

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rocviz.theme import Theme

# of a model, by the square of the number of classes
_SECONDS_PER_SAMPLE = 1e-7


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
    columns : Samples
        Weights, groups, folds and clusters of the samples.
    cost_matrix : ndarray of float, shape (n_classes, n_classes), or None
        What each prediction (column) for each class (row) costs.
    """

    samples: dict[str, ClassSamples]
    named_model: str | None
    participants: pd.DataFrame | None
    columns: Samples
    cost_matrix: Floats | None

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

    def arguments(self, name: str, is_member: Bools | None = None) -> dict[str, Any]:
        """Collect the arguments of the core's functions for a model, of all or some samples."""
        samples = self.samples[name]
        member = np.ones(samples.code.size, dtype=np.bool_) if is_member is None else is_member
        return {
            "y_true": np.array(samples.classes, dtype=object)[samples.code[member]],
            "y_prob": samples.prob[member],
            "classes": samples.classes,
            "sample_weight": None if samples.weight is None else samples.weight[member],
        }

    def area(self, name: str, average: str = "hand-till") -> MulticlassAUC:
        """Compute an AUC of several classes, with its interval by clusters if there are some."""
        return hand_till_auc(
            **self.arguments(name), average=average, clusters=self.columns.cluster_labels
        )

    @cached_property
    def aucs(self) -> dict[str, MulticlassAUC]:
        """Hand and Till's AUC of each model."""
        return {name: self.area(name) for name in self.samples}

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
            clusters=self.columns.cluster_labels,
        )
        return areas.pairs().reset_index(drop=True)

    @cached_property
    def brier(self) -> dict[str, MulticlassBrier]:
        """The Brier score of each model, with its parts."""
        return {name: multiclass_brier(**self.arguments(name)) for name in self.samples}

    @cached_property
    def predicted(self) -> dict[str, NDArray[np.intp]]:
        """The number of the most probable class of each sample, by each model."""
        codes = {}
        for name, model in self.samples.items():
            uniform = np.full(model.n_classes, 1 / model.n_classes)
            codes[name] = np.asarray(label_at_point(model.prob, uniform))
        return codes

    @property
    def largest_class(self) -> int:
        """The number of the most frequent class."""
        return int(np.argmax(self.first.size))

    def accuracy(self, name: str) -> tuple[float, float, float]:
        """Compute the share of samples whose most probable class is right, with its interval."""
        return self.share_interval(self.predicted[name] == self.first.code)

    def share_interval(
        self, is_right: Bools, is_member: Bools | None = None
    ) -> tuple[float, float, float]:
        """Compute a share of some samples with Wilson's interval, by clusters if there are some."""
        weight = self.columns.weight
        member = np.ones(is_right.size, dtype=np.bool_) if is_member is None else is_member
        trials = member * (np.ones(is_right.size) if weight is None else weight)
        total = float(trials.sum())
        n_right = float(trials @ is_right)
        effect = self.columns.design_effect(member, is_right)
        lower, upper = binomial_interval(n_right / effect, total / effect)
        return n_right / total, float(lower), float(upper)

    @cached_property
    def gain(self) -> tuple[float, float, float]:
        """How much more often the primary model is right than always the most frequent class."""
        is_right = self.predicted[self.primary_model] == self.first.code
        is_largest = self.first.code == self.largest_class
        return mean_interval(is_right.astype(float) - is_largest, self.columns)

    @cached_property
    def costs(self) -> dict[str, Floats]:
        """What each sample costs if the class with the lowest expected cost is predicted."""
        costs = {}
        if self.cost_matrix is not None:
            for name, model in self.samples.items():
                code = np.asarray(cost_optimal_labels(model.prob, self.cost_matrix))
                costs[name] = self.cost_matrix[model.code, code]
        return costs

    @cached_property
    def matrices(self) -> dict[str, ConfusionMatrix]:
        """The confusion matrix of each model's most probable classes."""
        result = {}
        for name, model in self.samples.items():
            arguments = self.arguments(name)
            predictions = np.array(model.classes, dtype=object)[self.predicted[name]]
            result[name] = confusion_matrix(
                arguments["y_true"],
                predictions,
                classes=model.classes,
                sample_weight=model.weight,
            )
        return result

    def drawing(self, kind: str) -> Callable[[Theme], Figure]:
        """Make the function that draws the primary model."""
        arguments = self.arguments(self.primary_model)
        clusters = self.columns.cluster_labels
        return drawing(partial(MulticlassDisplay, **arguments, clusters=clusters), kind=kind)

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
    *,
    groups: ArrayLike | None,
    folds: ArrayLike | None,
    clusters: ArrayLike | None,
    cost_matrix: Any,
    **others: Any,
) -> ClassEvaluation:
    """Check the input of a report on several classes before any work.

    ``others`` are arguments that apply to two classes only, and must not be given.
    """
    unused = [name for name, value in others.items() if value is not None]
    if unused:
        instead = ""
        if {"cost_fp", "cost_fn"} & set(unused):
            instead = "; their costs are cost_matrix, or a file after --costs"
        raise ValueError(f"{join(unused)} must not be given for more than two classes{instead}.")
    check_aligned(
        y_true=y_true, sample_weight=sample_weight, groups=groups, folds=folds, clusters=clusters
    )
    labels = label_column(y_true, "y_true")
    n_samples = len(labels)
    described = check_participants(participants, n_samples, y_true)
    tables = y_score if isinstance(y_score, Mapping) else {"model": y_score}
    if not tables:
        raise ValueError("y_score is an empty mapping; at least one model is needed.")
    names = name_texts(tables, "y_score")
    named_model = check_primary(primary, names)
    samples: dict[str, ClassSamples] = {}
    for name, table in zip(names, tables.values(), strict=True):
        argument = f"y_score[{describe(name)}]" if tables is y_score else "y_score"
        samples[name] = _check_model(y_true, table, sample_weight, argument)
    samples = in_one_order(samples)
    first = next(iter(samples.values()))
    _check_number_of_classes(samples)
    check_clusters(clusters, n_samples)
    columns = {
        "groups": check_column(groups, "groups", n_samples),
        "folds": check_column(folds, "folds", n_samples),
        "clusters": check_column(clusters, "clusters", n_samples),
    }
    if columns["groups"] is not None:
        check_number_of_groups(len(columns["groups"].distinct), "groups", "clusters")
    weight = check_weights(sample_weight, n_samples)
    if weight is not None:
        has_weight = np.asarray(weight > 0)
        described = described_rows(described, has_weight)
        for name, column in columns.items():
            if column is not None:
                columns[name] = column.rows(has_weight)
    check_clusters_of_classes(
        columns["clusters"], [first.is_class(k) for k in range(first.n_classes)]
    )
    of_samples = Samples(first.is_class(0), {}, first.weight, **columns)
    matrix = None if cost_matrix is None else _check_cost_matrix(cost_matrix, first.classes)
    return ClassEvaluation(samples, named_model, described, of_samples, matrix)


def _check_cost_matrix(cost_matrix: Any, classes: Sequence[Any]) -> Floats:
    """Check for costs in the order of the classes, or named by them in a data frame."""
    if isinstance(cost_matrix, pd.DataFrame):
        names = [str(label) for label in classes]
        rows = [str(label) for label in cost_matrix.index]
        columns = [str(label) for label in cost_matrix.columns]
        if sorted(rows) != sorted(names) or sorted(columns) != sorted(names):
            raise ValueError(
                "cost_matrix must have a row for each true class and a column for each predicted "
                f"one, {list_labels(names)}; got rows {list_labels(rows)} and columns "
                f"{list_labels(columns)}."
            )
        table = cost_matrix.set_axis(rows, axis=0).set_axis(columns, axis=1)
        cost_matrix = table.loc[names, names].to_numpy()
    return check_cost_matrix(cost_matrix, len(classes))


def _check_number_of_classes(samples: Mapping[str, ClassSamples]) -> None:
    """Raise before a report of so many classes that the best thresholds would take too long."""
    first = next(iter(samples.values()))
    check_effort(
        seconds=_SECONDS_PER_SAMPLE * len(samples) * first.code.size * first.n_classes**2,
        max_seconds=MAX_SECONDS_OF_PICTURE,
        advice="join classes",
        y_true=f"{first.n_classes} classes",
    )


def _check_model(y_true: ArrayLike, table: Any, sample_weight: Weights, name: str) -> ClassSamples:
    return check_class_samples(y_true, table, None, sample_weight, name=name)
