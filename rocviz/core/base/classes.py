"""Labels of several classes beside a probability of each: checks of the two together.

Column k of the probabilities belongs to class k. Nothing is guessed: the order of the classes is
given, or the columns carry the labels as names, or the labels are 0, 1, 2, ...
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.blocks import weight_by_cell
from rocviz.core.base.frozen import Frozen, read_only
from rocviz.core.base.naming import column_names
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Weights,
    check_aligned,
    check_clusters,
    check_iterable,
    check_numbers,
    check_same_length,
    check_weights,
    collected,
    describe,
    distinct_labels,
    label_column,
    list_labels,
    positive_label,
    refuse_missing,
    rounding_tolerance,
)

#: How far a sample's probabilities may sum from 1, which single precision needs.
ROW_SUM_TOLERANCE = 1e-5


@dataclass(frozen=True, eq=False)
class ClassSamples(Frozen):
    """Checked labels of several classes, their probabilities and their weights.

    Parameters
    ----------
    classes : tuple of label
        In the order of the columns.
    code : ndarray of int, shape (n_samples,)
        Number of the class of each sample.
    prob : ndarray of float, shape (n_samples, n_classes)
    weight : ndarray of float, shape (n_samples,), or None
        Positive: samples of weight zero are left out.
    """

    classes: tuple[Any, ...]
    code: NDArray[np.intp]
    prob: Floats
    weight: Floats | None

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)

    @cached_property
    def size(self) -> Floats:
        """Weight of each class, shape (n_classes,)."""
        return read_only(weight_by_cell(self.code, self.weight, self.n_classes))

    @property
    def prior(self) -> Floats:
        """Share of each class, shape (n_classes,)."""
        return np.asarray(self.size / self.size.sum())

    @property
    def log_loss(self) -> float:
        """Mean negative log-likelihood in nats; infinite where a true class had probability 0."""
        of_class = self.prob[np.arange(self.code.size), self.code]
        with np.errstate(divide="ignore"):
            loss = -np.log(of_class)
        return float(np.average(loss, weights=self.weight)) + 0.0

    def is_class(self, k: int) -> Bools:
        """Mark the samples of class k."""
        return np.asarray(self.code == k)


def check_class_samples(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    classes: Sequence[Any] | None = None,
    sample_weight: Weights = None,
    *,
    all_occur: bool = True,
    name: str = "y_prob",
) -> ClassSamples:
    """Check labels of several classes with the probabilities of each class.

    ``all_occur`` refuses a class of which there is no sample; ``name`` is the caller's argument of
    the probabilities.
    """
    y_prob = collected(y_prob)
    check_aligned(**{"y_true": y_true, name: y_prob, "sample_weight": sample_weight})
    named = column_names(y_prob)
    prob = check_simplex(y_prob, name)
    labels = label_column(y_true, "y_true")
    check_same_length(labels.size, **{name: prob})
    weight = check_weights(sample_weight, labels.size)
    if labels.size == 0:
        raise ValueError("y_true is empty; samples of at least two classes are needed.")
    distinct = distinct_labels(labels, "y_true")
    known = resolve_classes(distinct, classes, prob.shape[1], named, name)
    code = class_codes(labels, known, "y_true")
    if weight is not None and not weight.all():
        is_weighted = weight > 0
        code = code[is_weighted]
        prob = prob[is_weighted]
        weight = weight[is_weighted]
    samples = ClassSamples(known, read_only(code), prob, weight)
    if all_occur:
        missing = [known[k] for k in np.flatnonzero(samples.size == 0)]
        if missing:
            sample = "sample" if weight is None else "sample of positive weight"
            raise ValueError(
                f"y_true has no {sample} of the class {list_labels(missing)}, which classes "
                f"or the columns of {name} name; samples of every class are needed here."
            )
    return samples


def in_one_order(models: Mapping[str, ClassSamples]) -> dict[str, ClassSamples]:
    """Bring the columns of all models into the order of the first.

    Models of the same labels, each of which occurs, have the same classes; their tables may name
    them in different orders.
    """
    classes = next(iter(models.values())).classes
    ordered = {}
    for name, samples in models.items():
        if samples.classes == classes:
            ordered[name] = samples
            continue
        columns = [samples.classes.index(label) for label in classes]
        code = read_only(np.argsort(columns)[samples.code])
        ordered[name] = ClassSamples(classes, code, samples.prob[:, columns], samples.weight)
    return ordered


def class_clusters(
    clusters: ArrayLike | None, n_samples: int, sample_weight: Weights
) -> NDArray[np.intp] | None:
    """Check the clusters of the samples that :func:`check_class_samples` keeps, and number them.

    ``n_samples`` counts those of weight zero too.
    """
    unit = check_clusters(clusters, n_samples)
    weight = check_weights(sample_weight, n_samples)
    if unit is None or weight is None or weight.all():
        return unit
    return np.unique(unit[weight > 0], return_inverse=True)[1]


def check_simplex(y_prob: ArrayLike, name: str = "y_prob") -> Floats:
    """Check for rows of probabilities, one column per class, each of which sums to 1."""
    prob = check_numbers(y_prob, name, "a table of probabilities, one column per class")
    if prob.ndim != 2 or prob.shape[1] < 2:
        hint = "; for two classes, stack 1 - p and p as columns" if prob.ndim == 1 else ""
        raise ValueError(
            f"{name} must have shape (n_samples, n_classes), one column for each of at least two "
            f"classes; got shape {prob.shape}{hint}."
        )
    if not prob.size:
        return prob
    low = prob.min()
    high = prob.max()
    if not np.isfinite(low + high):
        bad = int((~np.isfinite(prob)).sum())
        raise ValueError(f"{name} must be finite; {bad} of {prob.size} values are NaN or inf.")
    tolerance = max(ROW_SUM_TOLERANCE, prob.shape[1] * rounding_tolerance(y_prob))
    if low < -rounding_tolerance(y_prob) or high > 1 + tolerance:
        raise ValueError(
            f"{name} must be probabilities within [0, 1]; found values from {low:.6g} to "
            f"{high:.6g}."
        )
    off = np.abs(prob.sum(axis=1) - 1)
    worst = int(off.argmax())
    if off[worst] > tolerance:
        raise ValueError(
            f"{name} must have rows that sum to 1; that of row {worst} is "
            f"{prob[worst].sum():.6g}. Divide each row by its sum if these are scores of "
            "one model, and leave no class out."
        )
    if low < 0 or high > 1:
        prob = np.clip(prob, 0.0, 1.0)
    return prob


def resolve_classes(
    labels: list[Any],
    classes: Sequence[Any] | None,
    n_columns: int,
    named: list[Any] | None = None,
    name: str = "y_prob",
) -> tuple[Any, ...]:
    """Determine the class of each column.

    ``labels`` are distinct, ``named`` are the names of the columns, if they have some.
    """
    labelled = _labels_of(named, labels)
    if classes is None:
        if labelled is not None:
            known = labelled
        elif labels == list(range(len(labels))) and len(labels) == n_columns:
            known = labels
        elif all(isinstance(label, int) and 0 <= label < n_columns for label in labels):
            known = list(range(n_columns))
        else:
            raise ValueError(
                f"y_true holds the {len(labels)} labels {list_labels(labels)}, and nothing says "
                f"which of the {n_columns} columns of {name} belongs to which; write classes=, "
                "the labels in the order of the columns, such as a classifier's classes_."
            )
    else:
        known = check_classes(classes)
    if len(known) != n_columns:
        raise ValueError(
            f"{name} must have one column per class; got {n_columns} for {len(known)} classes: "
            f"{list_labels(known)}."
        )
    if labelled is not None and known != labelled:
        raise ValueError(
            f"classes is {list_labels(known)}, but the columns of {name} are named "
            f"{list_labels(labelled)}; give both in one order."
        )
    unknown = [label for label in labels if label not in known]
    if unknown:
        raise ValueError(
            f"y_true holds the label {describe(unknown[0])}, which is not one of the classes "
            f"{list_labels(known)}."
        )
    return tuple(known)


def _labels_of(named: list[Any] | None, labels: list[Any]) -> list[Any] | None:
    """Find the labels that name the columns, as text or unchanged."""
    by_text = {str(label): label for label in labels}
    if named is None or not by_text.keys() <= {str(column) for column in named}:
        return None
    return [by_text.get(str(column), column) for column in named]


def positive_column(score: Any, y_true: Any, pos_label: Any, name: str) -> Any:
    """Take the column of the positive class of a matrix of the probabilities of two classes.

    Columns are those of the classes after which they are named, or else of 0 and 1, -1 and 1, or
    ``False`` and ``True`` in this order. Other scores are returned unchanged. It raises
    ``ValueError`` if nothing says to which class a column belongs.
    """
    score = collected(score)
    shape: Any = getattr(score, "shape", ())
    if len(shape) != 2 or shape[1] != 2 or not shape[0]:
        return score
    table = check_numbers(score, name)
    is_probability = (table >= 0).all() and (table <= 1).all()
    if not is_probability or (np.abs(table.sum(axis=1) - 1) > ROW_SUM_TOLERANCE).any():
        return score
    check_aligned(**{"y_true": y_true, name: score})
    classes = distinct_labels(label_column(y_true, "y_true"), "y_true")
    if len(classes) != 2:
        return score
    positive = positive_label(classes[0], classes[1], pos_label, "y_true")
    named = column_names(score)
    order = _labels_of(named, classes)
    if order is None and named in (None, [0, 1]) and classes in ([0, 1], [-1, 1]):
        order = classes
    if order is None:
        raise ValueError(
            f"{name} has two columns that add up to 1, and nothing says which is that of "
            f"{describe(positive)}; give that column alone, or name the columns after the classes."
        )
    return table[:, order.index(positive)]


def positive_columns(scores: Any, y_true: Any, pos_label: Any, name: str) -> Any:
    """Take :func:`positive_column` of each of a mapping of models; else return scores unchanged."""
    if not isinstance(scores, Mapping):
        return scores
    columns = {}
    for model, score in scores.items():
        columns[model] = positive_column(score, y_true, pos_label, f"{name}[{describe(model)}]")
    is_unchanged = all(columns[model] is score for model, score in scores.items())
    return scores if is_unchanged else columns


def check_classes(classes: Any, name: str = "classes") -> list[Any]:
    """Check for at least two labels, all different."""
    check_iterable(classes, name, "the labels in the order of the columns")
    known = [label.item() if isinstance(label, np.generic) else label for label in classes]
    try:
        distinct = set(known)
    except TypeError:
        raise ValueError(f"{name} must hold labels; got {describe(classes)}.") from None
    refuse_missing(known, name)
    if len(distinct) < len(known):
        twice = next(label for label in known if known.count(label) > 1)
        raise ValueError(f"{name} names {describe(twice)} twice; each label must occur once.")
    if len(known) < 2:
        raise ValueError(f"{name} must hold at least two labels; got {describe(classes)}.")
    return known


def class_codes(
    labels: NDArray[Any], classes: Sequence[Any], name: str = "y_true"
) -> NDArray[np.intp]:
    """Convert labels to the indices of their classes, which must include them all."""
    n_classes = len(classes)
    if labels.dtype.kind in "iub" and labels.size and list(classes) == list(range(n_classes)):
        code = labels.astype(np.intp)
        if code.min() >= 0 and code.max() < n_classes:
            return code
    number = {label: k for k, label in enumerate(classes)}
    try:
        return np.fromiter(map(number.__getitem__, labels.tolist()), np.intp, labels.size)
    except KeyError as error:
        raise ValueError(
            f"{name} holds the label {describe(error.args[0])}, which is not one of the classes "
            f"{list_labels(list(classes))}."
        ) from None
