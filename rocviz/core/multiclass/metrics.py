"""Metrics of the confusion matrix of several classes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocviz.core.base.validation import Floats, check_choice
from rocviz.core.roc.metrics import METRICS as TABLE
from rocviz.core.roc.metrics import find_metric


@dataclass(frozen=True)
class Counts:
    """Counts of one or many confusion matrices that the metrics use.

    Parameters
    ----------
    n : float
        Weight of all samples.
    true : ndarray of float, shape (n_classes,)
        Weight of each class.
    correct : ndarray of float
        Weight of samples predicted correctly.
    agreement : ndarray of float
        Sum over classes of the predicted weight times the true weight.
    predicted_squared : ndarray of float
        Sum over classes of the squared predicted weight.
    f1 : ndarray of float
        Sum over classes of F1.
    recall : ndarray of float
        Sum over classes of the share predicted correctly.
    cost : ndarray of float
        Sum of the costs.
    """

    n: float
    true: Floats
    correct: Any
    agreement: Any
    predicted_squared: Any
    f1: Any
    recall: Any
    cost: Any


#: Each metric as a function of the counts; higher is better, except for the cost.
METRICS: dict[str, Callable[[Counts], Any]] = {
    name: row.of_classes for name, row in TABLE.items() if row.of_classes is not None
}

#: Names of the metrics that need no costs.
METRICS_WITHOUT_COSTS = tuple(name for name in METRICS if name != "cost")

#: Names of the metrics in pictures and sentences.
LABELS = {name: TABLE[name].label for name in METRICS}


def check_name(
    metric: Any, argument: str = "metric", *, names: tuple[str, ...] = tuple(METRICS)
) -> str:
    """Check for one of these metrics, by any of its names."""
    with suppress(ValueError):
        name = find_metric(metric)[0].name
        metric = name if name in names else metric
    return check_choice(metric, argument, names)


def check_metric(metric: Any) -> str:
    """Check for the name of a metric that needs no costs."""
    return check_name(metric, names=METRICS_WITHOUT_COSTS)


def metric_of(matrix: Floats, metric: str, cost_matrix: Floats | None = None) -> float:
    """Compute a metric of a confusion matrix, rows true and columns predicted."""
    true = matrix.sum(axis=1)
    predicted = matrix.sum(axis=0)
    correct = np.diag(matrix)
    with np.errstate(invalid="ignore", divide="ignore"):
        f1 = 2 * correct / (true + predicted)
        recall = correct / true
    counts = Counts(
        n=float(true.sum()),
        true=true,
        correct=float(correct.sum()),
        agreement=float(predicted @ true),
        predicted_squared=float(predicted @ predicted),
        f1=float(f1.sum()),
        recall=float(recall.sum()),
        cost=0.0 if cost_matrix is None else float((matrix * cost_matrix).sum()),
    )
    return float(METRICS[metric](counts))
