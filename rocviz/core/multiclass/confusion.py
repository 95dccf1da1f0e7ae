"""The confusion matrix of several classes: shares, intervals, metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.blocks import weight_by_cell
from rocviz.core.base.classes import check_classes, class_codes
from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import (
    Floats,
    Weights,
    check_aligned,
    check_choice,
    check_fraction,
    check_numbers,
    check_same_length,
    check_spread,
    check_weights,
    describe,
    distinct_labels,
    in_category_order,
    is_same,
    label_column,
    list_labels,
)
from rocviz.core.multiclass.metrics import check_name, metric_of
from rocviz.core.multiclass.simplex import check_cost_matrix
from rocviz.core.roc.metrics import (
    INTERVAL_METHODS,
    ConfusionTable,
    interval_of_counts,
    table_of_sums,
)

# in memory, for a pair of classes
_NUMBERS_PER_PAIR = 4


@dataclass(frozen=True, eq=False)
class ConfusionMatrix(Frozen):
    """Counts of the predictions (columns) for samples of each class (rows).

    Parameters
    ----------
    classes : tuple of label
    counts : ndarray of float, shape (n_classes, n_classes)
        Rows are true classes, columns predicted ones; weights of samples.

    Raises
    ------
    ValueError
        If there is not a row and a column for each class, a count is negative, or positive
        counts are more than a factor of 1e24 apart.

    Examples
    --------
    >>> matrix = ConfusionMatrix(("a", "b"), np.array([[40.0, 10], [20, 30]]))
    >>> matrix.accuracy, matrix.shares[0]
    (0.7, array([0.8, 0.2]))
    """

    classes: tuple[Any, ...]
    counts: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", tuple(check_classes(self.classes)))
        counts = check_numbers(self.counts, "counts", "a square table of counts")
        n_classes = len(self.classes)
        if counts.shape != (n_classes, n_classes):
            raise ValueError(
                f"counts must have a row and a column for each of {n_classes} classes; got shape "
                f"{counts.shape}."
            )
        if not np.isfinite(counts).all() or counts.min() < 0 or not counts.any():
            raise ValueError("counts must be finite, not negative and not all zero.")
        check_spread("counts", counts, sums=True)
        object.__setattr__(self, "counts", counts)
        super().__post_init__()

    @property
    def true(self) -> Floats:
        """Weight of each class, shape (n_classes,)."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def predicted(self) -> Floats:
        """Weight of the samples predicted in each class, shape (n_classes,)."""
        return np.asarray(self.counts.sum(axis=0))

    @property
    def n_samples(self) -> float:
        """Weight of all samples."""
        return float(self.counts.sum())

    @property
    def shares(self) -> Floats:
        """Counts as shares of their row; NaN for a class without samples."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.counts / self.counts.sum(axis=1, keepdims=True))

    @property
    def accuracy(self) -> float:
        """Share of samples that are predicted correctly."""
        return self.metric("accuracy")

    def metric(self, name: str, *, cost_matrix: ArrayLike | None = None) -> float:
        """Compute a metric.

        Parameters
        ----------
        name : str
            Any name of a metric of several classes, see
            :data:`rocviz.core.multiclass.metrics.METRICS`. ``"mcc"`` is Gorodkin's correlation.
        cost_matrix : array-like of float, shape (n_classes, n_classes), optional
            What each prediction (column) for each class (row) costs; by default every error 1.

        Returns
        -------
        float
            NaN where a class that the metric needs has no samples; MCC and kappa are 0 where one
            class alone occurs or is predicted.

        Raises
        ------
        ValueError
            If no metric has that name, or costs are not as for :func:`best_simplex_point`.

        References
        ----------
        Gorodkin (2004).

        Examples
        --------
        >>> matrix = ConfusionMatrix((0, 1, 2), np.array([[5.0, 0, 1], [1, 4, 1], [0, 2, 6]]))
        >>> round(matrix.metric("mcc"), 3), round(matrix.metric("balanced_accuracy"), 3)
        (0.621, 0.75)
        """
        name = check_name(name, "name")
        n_classes = len(self.classes)
        if cost_matrix is None:
            cost = 1 - np.eye(n_classes)
        else:
            cost = check_cost_matrix(cost_matrix, n_classes)
        return metric_of(self.counts, name, cost)

    def interval(
        self, *, confidence: float = 0.95, method: str = "wilson"
    ) -> tuple[Floats, Floats]:
        """Compute an interval of each share of a row.

        Parameters
        ----------
        confidence, method
            As for :func:`rocviz.core.roc.binomial_interval`.

        Returns
        -------
        lower, upper : ndarray of float, shape (n_classes, n_classes)
            (0, 1) for a class without samples.

        Raises
        ------
        ValueError
            If an argument is invalid.
        """
        level = check_fraction(confidence, "confidence")
        check_choice(method, "method", INTERVAL_METHODS)
        totals = np.broadcast_to(self.true[:, None], self.counts.shape)
        return interval_of_counts(self.counts, totals, level, 1 - level, method, "counts")

    def table(self, label: Any) -> ConfusionTable:
        """Count one class against all others; the class is the positive one.

        Parameters
        ----------
        label : label
            One of the classes.

        Raises
        ------
        ValueError
            If it is not one of the classes.

        Examples
        --------
        >>> ConfusionMatrix(("a", "b"), np.array([[40.0, 10], [20, 30]])).table("b").tpr
        0.6
        """
        is_positive = np.array([is_same(label, known) for known in self.classes])
        if not is_positive.any():
            raise ValueError(
                f"label must be one of the classes {list_labels(list(self.classes))}; "
                f"got {describe(label)}."
            )
        positives = self.counts[is_positive]
        negatives = self.counts[~is_positive]
        return table_of_sums(
            float(positives[:, is_positive].sum()),
            float(negatives[:, is_positive].sum()),
            float(positives[:, ~is_positive].sum()),
            float(negatives[:, ~is_positive].sum()),
        )

    def to_frame(self) -> DataFrame:
        """Tabulate the counts: a row for each true class, a column for each predicted one."""
        frame = to_frame({name: self.counts[:, k] for k, name in enumerate(self.classes)})
        frame.index = list(self.classes)
        frame.index.name = "true"
        frame.columns.name = "predicted"
        return frame


def confusion_matrix(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    classes: Sequence[Any] | None = None,
    sample_weight: Weights = None,
) -> ConfusionMatrix:
    """Count how often each class is predicted for samples of each class.

    Parameters
    ----------
    y_true, y_pred : array-like, shape (n_samples,)
        True and predicted labels.
    classes : sequence of label, optional
        All labels in the order of rows and columns; by default those that occur, in the order of
        the categories of ``y_true`` where these have one, else sorted.
    sample_weight : array-like of float, shape (n_samples,), optional

    Raises
    ------
    ValueError
        If the lengths differ, a label is not one of the classes, or the table of so many classes
        would fill the memory.

    Examples
    --------
    >>> confusion_matrix(["a", "a", "b", "c"], ["a", "b", "b", "b"]).to_frame()
    predicted    a    b    c
    true
    a          1.0  1.0  0.0
    b          0.0  1.0  0.0
    c          0.0  1.0  0.0
    """
    check_aligned(y_true=y_true, y_pred=y_pred, sample_weight=sample_weight)
    true = label_column(y_true, "y_true")
    pred = label_column(y_pred, "y_pred")
    check_same_length(true.size, y_pred=pred)
    weight = check_weights(sample_weight, true.size)
    if true.size == 0:
        raise ValueError("y_true is empty; at least one sample is needed.")
    if classes is None:
        labels = set(distinct_labels(true, "y_true")) | set(distinct_labels(pred, "y_pred"))
        classes = distinct_labels(np.array(list(labels), dtype=object), "y_pred")
        classes = in_category_order(classes, y_true)
        if len(classes) < 2:
            raise ValueError("y_true and y_pred hold one label; write classes= to name all labels.")
    known = check_classes(classes)
    check_effort(
        numbers=_NUMBERS_PER_PAIR * len(known) ** 2,
        advice="join classes",
        classes=f"{len(known)} classes",
    )
    return matrix_of_codes(
        class_codes(true, known, "y_true"),
        class_codes(pred, known, "y_pred"),
        weight,
        tuple(known),
    )


def matrix_of_codes(
    true: np.ndarray[Any, Any],
    predicted: np.ndarray[Any, Any],
    weight: Floats | None,
    classes: tuple[Any, ...],
) -> ConfusionMatrix:
    """Count pairs of numbered classes."""
    n_classes = len(classes)
    cells = weight_by_cell(true * n_classes + predicted, weight, n_classes**2)
    return ConfusionMatrix(classes, cells.reshape(n_classes, n_classes))
