"""The best point of the simplex on data: one class after the other, exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.blocks import weight_by_cell
from rocviz.core.base.classes import ClassSamples, check_class_samples
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import Floats, Weights
from rocviz.core.multiclass.confusion import ConfusionMatrix, matrix_of_codes
from rocviz.core.multiclass.metrics import METRICS, Counts, check_metric, metric_of
from rocviz.core.multiclass.simplex import (
    LEAST_ENTRY,
    call_codes,
    check_cost_matrix,
    check_point,
    point_of_costs,
)

# Values that differ by less differ in rounding; so do places at which calls change.
_TIE, _SAME = 1e-12, 1e-13
# Places beyond are those of samples that no entry takes from the class.
_FARTHEST = 1e200
# How far beyond the last place at which a call changes an entry goes.
_BEYOND = 1.25


@dataclass(frozen=True, eq=False)
class SimplexPoint(Frozen):
    """A point of the simplex that no change of a single entry improves on the data.

    It is a local optimum: another point may be better, unless there are two classes.

    Parameters
    ----------
    classes : tuple of label
    point : ndarray of float, shape (n_classes,)
        Class k is called where ``p_k / point_k`` is largest.
    value : float
        The metric at the point; the mean cost of a sample if there are costs.
    metric : str
        ``"cost"`` if there are costs.
    n_steps : int
        How many changes of an entry led there, each of which gained.
    start : str
        Where they began: ``"argmax"``, ``"priors"``, ``"costs"`` or ``"given"``.
    argmax_value : float
        The metric if the most probable class is called.
    matrix : ConfusionMatrix
        Of the calls at the point.
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
        """Whether no point at all is better: with two classes."""
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
    """Find a point of the simplex that is best for a metric or for costs on the data.

    Parameters
    ----------
    y_true, y_prob, classes
        As for :func:`hand_till_auc`.
    metric : str, optional
        ``"accuracy"`` (the default), ``"balanced_accuracy"``, ``"macro_f1"``, ``"mcc"``
        (Gorodkin's correlation) or ``"kappa"`` (Cohen's).
    cost_matrix : array-like of float, shape (n_classes, n_classes), optional
        Instead of a metric: what it costs to call a sample of class k (row) a (column).
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
        If an argument is not as said above, or both a metric and costs are given.

    Notes
    -----
    One entry after the other is moved to where the metric is best while the others stay, which is
    exact: the samples are sorted by where they change their call, and their counts summed up. It
    ends when no entry gains, and is repeated from three points: all entries equal, the shares of
    the classes, and the optimum of calibrated probabilities for the costs. The best end is
    returned. Entries lie half way (on the scale of logarithms) between the samples where the call
    changes.

    A class of probability 0 is not called, and one of probability 1 always is, whatever the point.

    References
    ----------
    Lachiche and Flach (2003). Gorodkin (2004).

    Examples
    --------
    >>> from rocviz.core.multiclass import call_at_point
    >>> y = [0, 0, 0, 1, 1, 2]
    >>> p = [[.6, .2, .2], [.5, .3, .2], [.7, .2, .1], [.5, .4, .1], [.6, .4, 0], [.5, .2, .3]]
    >>> best = best_simplex_point(y, p)
    >>> best.argmax_value, best.value, best.n_steps
    (0.5, 1.0, 2)
    >>> call_at_point(p, best.point)
    array([0, 0, 0, 1, 1, 2])
    """
    if metric is not None and cost_matrix is not None:
        raise ValueError("give either metric or cost_matrix, not both.")
    name = "cost" if cost_matrix is not None else check_metric(metric or "accuracy")
    samples = check_class_samples(y_true, y_prob, classes, sample_weight)
    many = samples.n_classes
    cost = None if cost_matrix is None else check_cost_matrix(cost_matrix, many)
    return find_best(
        samples, name, cost, None if start is None else check_point(start, many, "start")
    )


def find_best(
    samples: ClassSamples, metric: str, cost: Floats | None, start: Floats | None = None
) -> SimplexPoint:
    """Find the best of the local optima from several points, of checked samples."""
    many = samples.n_classes
    starts = {"argmax": np.full(many, 1 / many), "priors": samples.prior}
    if cost is not None:
        of_miss = (cost.sum(axis=1) - np.diag(cost)) / (many - 1) - np.diag(cost)
        if of_miss.min() > 0:
            starts["costs"] = point_of_costs(of_miss)
    if start is not None:
        starts["given"] = start
    sign = -1.0 if metric == "cost" else 1.0
    best: tuple[float, Floats, int, str] | None = None
    for name, begin in starts.items():
        value, point, steps = _ascend(samples, metric, cost, begin)
        if best is None or value > best[0] + _TIE * abs(best[0]):
            best = value, point, steps, name
    assert best is not None
    value, point, steps, name = best
    called = call_codes(samples.prob, point)
    return SimplexPoint(
        classes=samples.classes,
        point=point,
        value=sign * value,
        metric=metric,
        n_steps=steps,
        start=name,
        argmax_value=_value(samples, starts["argmax"], metric, cost),
        matrix=matrix_of_codes(samples.code, called, samples.weight, samples.classes),
    )


def _value(samples: ClassSamples, point: Floats, metric: str, cost: Floats | None) -> float:
    """Compute the metric of the calls at a point."""
    called = call_codes(samples.prob, point)
    matrix = matrix_of_codes(samples.code, called, samples.weight, samples.classes)
    return metric_of(matrix.counts, metric, cost)


def _ascend(
    samples: ClassSamples, metric: str, cost: Floats | None, point: Floats
) -> tuple[float, Floats, int]:
    """Move one entry of the point after the other until none gains."""
    sign = -1.0 if metric == "cost" else 1.0
    value, steps, idle, k = sign * _value(samples, point, metric, cost), 0, 0, samples.n_classes - 1
    while idle < samples.n_classes:
        entry = _best_entry(samples, metric, cost, point, k, value)
        gained = False
        if entry is not None:
            moved = point.copy()
            moved[k] = entry
            moved /= moved.sum()
            new = sign * _value(samples, moved, metric, cost)
            gained = new > value + _TIE * abs(value)
        if gained:
            point, value, steps, idle = moved, new, steps + 1, 0
        idle += 1
        k = (k - 1) % samples.n_classes
    return value, point, steps


def _best_entry(
    samples: ClassSamples, metric: str, cost: Floats | None, point: Floats, k: int, value: float
) -> float | None:
    """Find where entry k is best while the others stay; ``None`` where nothing is gained."""
    ratio = samples.prob / point
    ratio[:, k] = -1.0
    other = call_codes(ratio, np.ones(point.size))
    most = np.take_along_axis(ratio, other[:, None], axis=1)[:, 0]
    with np.errstate(divide="ignore", over="ignore"):
        place = samples.prob[:, k] / most  # an entry below it calls the sample k
    order = np.argsort(-place)
    place = place[order]
    always, ever = np.searchsorted(-place, [-_FARTHEST, 0.0], side="left")
    if always == ever:
        return None
    order, before = order[:ever], order[ever:]
    place = place[always:ever]
    is_end = np.append(place[:-1] > place[1:] * (1 + _SAME), True)  # of what moves together
    ends = np.flatnonzero(is_end)
    between = np.sqrt(place[ends[:-1]]) * np.sqrt(place[ends[:-1] + 1])
    entries = np.concatenate(([place[0] * _BEYOND], between, [place[-1] / _BEYOND]))
    sign = -1.0 if metric == "cost" else 1.0
    counts = _counts_along(samples, metric, cost, k, other, order, before)
    values = sign * METRICS[metric](counts)[np.append(0, ends + 1) + always]
    rest = np.delete(point, k)
    legal = (entries > LEAST_ENTRY * rest.sum() * 2) & (entries < rest.min() / LEAST_ENTRY / 2)
    values = np.where(legal, values, -np.inf)
    best = values.max()
    if not best > value + _TIE * abs(value):
        return None
    good = np.flatnonzero(values >= best - _TIE * abs(best))
    far = np.abs(np.log(entries[good] / point[k]))
    return float(entries[good[far.argmin()]])


def _counts_along(
    samples: ClassSamples,
    metric: str,
    cost: Floats | None,
    k: int,
    other: NDArray[np.intp],
    order: NDArray[np.intp],
    never: NDArray[np.intp],
) -> Counts:
    """Count the calls before and after each sample of ``order`` is called k instead of ``other``.

    Samples ``never`` keep their call. Only what the metric needs is counted.
    """
    many, true = samples.n_classes, samples.size
    weight = np.ones(samples.code.size) if samples.weight is None else samples.weight
    label, old, w = samples.code[order], other[order], weight[order]
    everyone = np.concatenate((order, never))
    cells = samples.code[everyone] * many + other[everyone]
    start = weight_by_cell(cells, weight[everyone], many * many).reshape(many, many)

    def along(first: float, change: Floats) -> Floats:
        return first + np.append(0.0, np.cumsum(change))

    def by_class(change: Callable[[int, Floats, Floats], Floats]) -> Floats:
        """Sum over classes of a function of the weight called a class and of that called right."""
        step, first = np.zeros(order.size), 0.0
        for j in range(many):
            at = slice(None) if j == k else np.flatnonzero(old == j)
            sign = 1.0 if j == k else -1.0
            called = along(start[:, j].sum(), sign * w[at])
            right = along(start[j, j], sign * w[at] * (label[at] == j))
            of_class = change(j, called, right)
            first += of_class[0]
            step[at] += np.diff(of_class)
        return along(first, step)

    gain = w * ((label == k) * 1.0 - (label == old))
    none = np.zeros(1)
    return Counts(
        n=float(true.sum()),
        true=true,
        right=along(np.trace(start), gain),
        agreement=along(start.sum(axis=0) @ true, w * (true[k] - true[old])),
        called_squared=by_class(lambda j, called, right: called**2) if metric == "mcc" else none,
        f1=by_class(lambda j, called, right: 2 * right / (called + true[j]))
        if metric == "macro_f1"
        else none,
        recall=along(float((np.diag(start) / true).sum()), gain / true[label]),
        cost=none
        if cost is None
        else along(float((start * cost).sum()), w * (cost[label, k] - cost[label, old])),
    )
