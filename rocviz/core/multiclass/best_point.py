"""Find the best point of the simplex on data by exact coordinate ascent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.blocks import weight_by_cell
from rocviz.core.base.classes import ClassSamples, check_class_samples
from rocviz.core.base.effort import MAX_SECONDS_OF_CATEGORIES, check_effort
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import Floats, Weights
from rocviz.core.multiclass.confusion import ConfusionMatrix, matrix_of_codes
from rocviz.core.multiclass.metrics import METRICS, check_metric, metric_of
from rocviz.core.multiclass.simplex import (
    MIN_ENTRY,
    check_cost_matrix,
    check_point,
    largest_ratio,
    point_of_costs,
    predicted_codes,
)
from rocviz.core.roc.metrics import METRICS as TABLE

# Values, and entries at which predictions change, that differ by less are equal up to rounding.
_VALUE_TOLERANCE = 1e-12
_ENTRY_TOLERANCE = 1e-13
# For a sample, by the square of the number of classes.
_SECONDS_PER_SAMPLE = 1.5e-7
# Samples whose prediction changes at a greater entry keep their class whatever the entry.
_MAX_ENTRY = 1e200
# Factor between the last entry at which a prediction changes and the entry beyond it.
_END_FACTOR = 1.25


@dataclass(frozen=True, eq=False)
class SimplexPoint(Frozen):
    """A point of the simplex that no change of a single entry improves on the data.

    It is a local optimum: another point may be better, unless there are two classes.

    Parameters
    ----------
    classes : tuple of label
    point : ndarray of float, shape (n_classes,)
        Class k is predicted where ``p_k / point_k`` is largest.
    value : float
        The metric at the point; the mean cost of a sample if there are costs.
    metric : str
        ``"cost"`` if there are costs.
    n_steps : int
        How many changes of an entry led there, each of which gained.
    start : str
        Where they began: ``"argmax"``, ``"priors"``, ``"costs"`` or ``"given"``.
    argmax_value : float
        The metric if the most probable class is predicted.
    matrix : ConfusionMatrix
        Of the predictions at the point.
    """

    classes: tuple[Any, ...]
    point: Floats
    value: float
    metric: str
    n_steps: int
    start: str
    argmax_value: float
    matrix: ConfusionMatrix

    @property
    def is_exact(self) -> bool:
        """Whether the point is a global optimum, as with two classes."""
        return len(self.classes) == 2


def best_simplex_point(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    classes: Sequence[Any] | None = None,
    metric: str | None = None,
    cost_matrix: ArrayLike | None = None,
    start: ArrayLike | None = None,
    sample_weight: Weights = None,
) -> SimplexPoint:
    """Find a point of the simplex that optimises a metric or costs on the data.

    Parameters
    ----------
    y_true, y_prob, classes
        As for :func:`hand_till_auc`.
    metric : str, optional
        Any metric of several classes but the cost, see
        :data:`rocviz.core.multiclass.metrics.METRICS`; by default ``"accuracy"``. ``"mcc"`` is
        Gorodkin's correlation.
    cost_matrix : array-like of float, shape (n_classes, n_classes), optional
        Instead of a metric: what it costs to predict class a (column) for one of class k (row).
    start : array-like of float, shape (n_classes,), optional
        One more point to start from.
    sample_weight : array-like of float, shape (n_samples,), optional

    Returns
    -------
    SimplexPoint
        A local optimum; with two classes the global one.

    Raises
    ------
    ValueError
        If an argument is invalid, both a metric and costs are given, or there are so many classes
        that the search would take too long.

    Notes
    -----
    One entry after the other is moved to where the metric is best while the others stay, which is
    exact: the samples are sorted by where their prediction changes, and their counts summed up. It
    ends when no entry gains, and is repeated from three points: all entries equal, the shares of
    the classes, and the optimum of calibrated probabilities for the costs. The best end is
    returned. Entries lie half way (on the scale of logarithms) between the samples where the
    prediction changes.

    A class of probability 0 is not predicted, and one of probability 1 always is, whatever the
    point.

    References
    ----------
    Lachiche and Flach (2003). Gorodkin (2004).

    Examples
    --------
    >>> from rocviz.core.multiclass import label_at_point
    >>> y = [0, 0, 0, 1, 1, 2]
    >>> p = [[.6, .2, .2], [.5, .3, .2], [.7, .2, .1], [.5, .4, .1], [.6, .4, 0], [.5, .2, .3]]
    >>> best = best_simplex_point(y, p)
    >>> best.argmax_value, best.value, best.n_steps
    (0.5, 1.0, 2)
    >>> label_at_point(p, best.point)
    array([0, 0, 0, 1, 1, 2])
    """
    if metric is not None and cost_matrix is not None:
        raise ValueError("give either metric or cost_matrix, not both.")
    if metric is None:
        metric = "accuracy" if cost_matrix is None else "cost"
    else:
        metric = check_metric(metric)
    samples = check_class_samples(y_true, y_prob, classes, sample_weight)
    cost = None
    if cost_matrix is not None:
        cost = check_cost_matrix(cost_matrix, samples.n_classes)
    first = None
    if start is not None:
        first = check_point(start, samples.n_classes, "start")
    return find_best(samples, metric, cost, first)


def find_best(
    samples: ClassSamples, metric: str, cost: Floats | None, start: Floats | None = None
) -> SimplexPoint:
    """Find the best of the local optima from several points, of checked samples."""
    n_classes = samples.n_classes
    check_effort(
        seconds=_SECONDS_PER_SAMPLE * samples.code.size * n_classes**2,
        max_seconds=MAX_SECONDS_OF_CATEGORIES,
        advice="join classes, or search on fewer samples",
        y_prob=f"{samples.code.size} rows of {n_classes} classes",
    )
    starts = {"argmax": np.full(n_classes, 1 / n_classes), "priors": samples.prior}
    if cost is not None:
        cost_of_correct = np.diag(cost)
        cost_of_miss = (cost.sum(axis=1) - cost_of_correct) / (n_classes - 1) - cost_of_correct
        if cost_of_miss.min() > 0:
            starts["costs"] = point_of_costs(cost_of_miss)
    if start is not None:
        starts["given"] = start
    optima = [_ascend(samples, metric, cost, name, point) for name, point in starts.items()]
    best = optima[0]
    for optimum in optima[1:]:
        if optimum.value > best.value + _VALUE_TOLERANCE * abs(best.value):
            best = optimum
    return SimplexPoint(
        classes=samples.classes,
        point=best.point,
        value=best.value if TABLE[metric].higher_is_better else -best.value,
        metric=metric,
        n_steps=best.n_steps,
        start=best.start,
        argmax_value=_value(samples, starts["argmax"], metric, cost),
        matrix=_matrix_at(samples, best.point),
    )


class _Optimum(NamedTuple):
    """A local optimum; ``value`` is the metric, or minus the cost."""

    start: str
    point: Floats
    value: float
    n_steps: int


def _matrix_at(samples: ClassSamples, point: Floats) -> ConfusionMatrix:
    """Count the predictions at a point."""
    predicted = predicted_codes(samples.prob, point)
    return matrix_of_codes(samples.code, predicted, samples.weight, samples.classes)


def _value(samples: ClassSamples, point: Floats, metric: str, cost: Floats | None) -> float:
    """Compute the metric of the predictions at a point."""
    return metric_of(_matrix_at(samples, point).counts, metric, cost)


def _ascend(
    samples: ClassSamples, metric: str, cost: Floats | None, start: str, point: Floats
) -> _Optimum:
    """Move the entries of the point in turn until none gains."""
    sign = 1.0 if TABLE[metric].higher_is_better else -1.0
    value = sign * _value(samples, point, metric, cost)
    n_steps = 0
    n_without_gain = 0
    k = samples.n_classes - 1
    while n_without_gain < samples.n_classes:
        n_without_gain += 1
        entry = _best_entry(samples, metric, cost, point, k, value)
        moved = point.copy()
        moved_value = value
        if entry is not None:
            moved[k] = entry
            moved /= moved.sum()
            moved_value = sign * _value(samples, moved, metric, cost)
        if moved_value > value + _VALUE_TOLERANCE * abs(value):
            point = moved
            value = moved_value
            n_steps += 1
            n_without_gain = 1
        k = (k - 1) % samples.n_classes
    return _Optimum(start, point, value, n_steps)


def _best_entry(
    samples: ClassSamples, metric: str, cost: Floats | None, point: Floats, k: int, value: float
) -> float | None:
    """Find the best entry k with the others fixed; ``None`` if nothing is gained."""
    other, largest = largest_ratio(samples.prob, point, left_out=k)
    with np.errstate(divide="ignore", over="ignore"):
        change = samples.prob[:, k] / largest  # k is predicted with entries below it
    order = np.argsort(-change)
    change = change[order]
    # the first samples are always predicted k, the last ones never
    n_always, n_ever = np.searchsorted(-change, [-_MAX_ENTRY, 0.0], side="left")
    if n_always == n_ever:
        return None
    order = order[:n_ever]
    change = change[n_always:n_ever]
    is_last = np.append(change[:-1] > change[1:] * (1 + _ENTRY_TOLERANCE), True)
    last = np.flatnonzero(is_last)  # of samples that change together
    between = np.sqrt(change[last[:-1]]) * np.sqrt(change[last[:-1] + 1])
    entries = np.concatenate(([change[0] * _END_FACTOR], between, [change[-1] / _END_FACTOR]))
    sign = 1.0 if TABLE[metric].higher_is_better else -1.0
    counts: Any = _RunningCounts(samples, cost, k, other, order)
    values = sign * METRICS[metric](counts)[np.append(0, last + 1) + n_always]
    rest = np.delete(point, k)
    is_valid = (entries > MIN_ENTRY * rest.sum() * 2) & (entries < rest.min() / MIN_ENTRY / 2)
    values = np.where(is_valid, values, -np.inf)
    best = values.max()
    if not best > value + _VALUE_TOLERANCE * abs(value):
        return None
    good = np.flatnonzero(values >= best - _VALUE_TOLERANCE * abs(best))
    distance = np.abs(np.log(entries[good] / point[k]))
    return float(entries[good[distance.argmin()]])


class _RunningCounts:
    """Counts of predictions before and after each sample of ``order`` changes to class k.

    It stands for :class:`Counts`; only what the metric reads is counted.
    """

    def __init__(
        self,
        samples: ClassSamples,
        cost: Floats | None,
        k: int,
        other: NDArray[np.intp],
        order: NDArray[np.intp],
    ) -> None:
        n_classes = samples.n_classes
        cells = samples.code * n_classes + other  # of the confusion matrix
        counts = weight_by_cell(cells, samples.weight, n_classes**2)
        self.true = samples.size
        self.n = float(self.true.sum())
        self._k = k
        self._costs = cost
        self._n_classes = n_classes
        self._matrix = counts.reshape(n_classes, n_classes)
        self._predicted = self._matrix.sum(axis=0)
        self._cells = cells[order]
        self._weight = np.ones(order.size) if samples.weight is None else samples.weight[order]
        # change of the correct predictions by one more of k and one less of the other class
        is_true = np.eye(n_classes)
        self._gain = is_true[:, [k]] - is_true

    @cached_property
    def correct(self) -> Floats:
        return self._running_by_cell(np.trace(self._matrix), self._gain)

    @cached_property
    def agreement(self) -> Floats:
        shape = (self._n_classes, self._n_classes)
        change = np.broadcast_to(self.true[self._k] - self.true, shape)
        return self._running_by_cell(self._predicted @ self.true, change)

    @cached_property
    def predicted_squared(self) -> Floats:
        return self._running_over_classes(lambda j, weight, correct: weight**2)

    @cached_property
    def f1(self) -> Floats:
        return self._running_over_classes(
            lambda j, weight, correct: 2 * correct / (weight + self.true[j])
        )

    @cached_property
    def recall(self) -> Floats:
        recall = float((np.diag(self._matrix) / self.true).sum())
        return self._running_by_cell(recall, self._gain / self.true[:, None])

    @cached_property
    def cost(self) -> Floats:
        costs: Any = self._costs
        first = float((self._matrix * costs).sum())
        return self._running_by_cell(first, costs[:, [self._k]] - costs)

    def _running_by_cell(self, first: float, change: Floats) -> Floats:
        """Add the changes by samples of each class (row) that leave each prediction (column)."""
        return _running(first, change.ravel()[self._cells] * self._weight)

    def _running_over_classes(self, function: Callable[[int, Floats, Floats], Floats]) -> Floats:
        """Add up over the classes a function of the weights predicted, and of the correct ones."""
        true_code, old_code = np.divmod(self._cells, self._n_classes)
        change = np.zeros(self._weight.size)
        first = 0.0
        for j in range(self._n_classes):
            if j == self._k:
                moves: Any = slice(None)
                signed = self._weight
            else:
                moves = np.flatnonzero(old_code == j)
                signed = -self._weight[moves]
            correct = _running(self._matrix[j, j], np.where(true_code[moves] == j, signed, 0.0))
            values = function(j, _running(self._predicted[j], signed), correct)
            first += values[0]
            change[moves] += np.diff(values)
        return _running(first, change)


def _running(first: float, changes: Floats) -> Floats:
    """Add changes one after the other to a first value."""
    return first + np.append(0.0, np.cumsum(changes))
