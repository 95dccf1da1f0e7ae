"""Metrics of the confusion matrix of several classes."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from rocviz.core.base.validation import Floats, check_choice
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


def _mcc(t: Counts) -> Any:
    """Compute Gorodkin's correlation; 0 where one class alone is predicted, or occurs."""
    variances = (t.n**2 - t.predicted_squared) * (t.n**2 - t.true @ t.true)
    varies = variances > 0
    covariance = t.correct * t.n - t.agreement
    return np.where(varies, covariance / np.sqrt(np.where(varies, variances, 1.0)), 0.0)


def _kappa(t: Counts) -> Any:
    """Compute Cohen's kappa; 0 where chance agreement is certain."""
    chance = t.agreement / t.n**2
    varies = chance < 1
    return np.where(varies, (t.correct / t.n - chance) / np.where(varies, 1 - chance, 1), 0.0)


#: Each metric as a function of the counts; higher is better, except for the cost.
METRICS: dict[str, Callable[[Counts], Any]] = {
    "accuracy": lambda t: t.correct / t.n,
    "balanced_accuracy": lambda t: t.recall / t.true.size,
    "macro_f1": lambda t: t.f1 / t.true.size,
    "mcc": _mcc,
    "kappa": _kappa,
    "cost": lambda t: t.cost / t.n,
}

#: Names of the metrics in pictures and sentences.
LABELS = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "macro_f1": "macro F1",
    "mcc": "MCC",
    "kappa": "kappa",
    "cost": "cost",
}


def check_name(metric: Any, argument: str = "metric", *, needs_costs: bool = True) -> str:
    """Check for a metric, by any name of one that two classes have too."""
    with suppress(ValueError):
        name = find_metric(metric)[0].name
        metric = name if name in METRICS else metric
    names = [name for name in METRICS if needs_costs or name != "cost"]
    return check_choice(metric, argument, tuple(names))


def check_metric(metric: Any) -> str:
    """Check for the name of a metric that needs no costs."""
    return check_name(metric, needs_costs=False)


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
