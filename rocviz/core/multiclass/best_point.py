"""Find the best point of the simplex on data by exact coordinate ascent."""

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
    largest_ratio,
    point_of_costs,
)

# Values, and places at which calls change, that differ by less are equal up to rounding.
_TIE = 1e-12
_SAME = 1e-13
# Places beyond this are of samples that no entry takes from the class.
_FARTHEST = 1e200
# Distance of an entry beyond the last place at which a call changes.
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
        If an argument is invalid, or both a metric and costs are given.

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
    name = (
        "cost"
        if cost_matrix is not None
        else check_metric("accuracy" if metric is None else metric)
    )
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
    """Move the entries of the point in turn until none gains."""
    sign = -1.0 if metric == "cost" else 1.0
    value = sign * _value(samples, point, metric, cost)
    steps = 0
    idle = 0
    k = samples.n_classes - 1
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
            point = moved
            value = new
            steps = steps + 1
            idle = 0
        idle += 1
        k = (k - 1) % samples.n_classes
    return value, point, steps


def _best_entry(
    samples: ClassSamples, metric: str, cost: Floats | None, point: Floats, k: int, value: float
) -> float | None:
    """Find the best entry k with the others fixed; ``None`` if nothing is gained."""
    other, most = largest_ratio(samples.prob, point, left_out=k)
    with np.errstate(divide="ignore", over="ignore"):
        place = samples.prob[:, k] / most  # entries below it call the sample k
    order = np.argsort(-place)
    place = place[order]
    always, ever = np.searchsorted(-place, [-_FARTHEST, 0.0], side="left")
    if always == ever:
        return None
    order = order[:ever]
    place = place[always:ever]
    ends = np.flatnonzero(np.append(place[:-1] > place[1:] * (1 + _SAME), True))
    between = np.sqrt(place[ends[:-1]]) * np.sqrt(place[ends[:-1] + 1])
    entries = np.concatenate(([place[0] * _BEYOND], between, [place[-1] / _BEYOND]))
    sign = -1.0 if metric == "cost" else 1.0
    counts = _counts_along(samples, metric, cost, k, other, order)
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
) -> Counts:
    """Count the calls before and after each sample of ``order`` is called k instead of ``other``.

    Only what the metric needs is counted.
    """
    many = samples.n_classes
    true = samples.size
    n = float(samples.size.sum())
    cells = samples.code * many + other  # of the confusion matrix
    start = weight_by_cell(cells, samples.weight, many * many).reshape(many, many)
    cells = cells[order]
    weight = None if samples.weight is None else samples.weight[order]
    is_true = np.eye(many)
    called = start.sum(axis=0)

    def along(first: float, change: Floats) -> Floats:
        return first + np.append(0.0, np.cumsum(change))

    def by_cell(first: float, change: Floats) -> Floats:
        """Sum the changes by samples of each class (row) that leave each call (column)."""
        step = change.ravel()[cells]
        return along(first, step if weight is None else step * weight)

    def by_class(change: Callable[[int, Floats, Floats], Floats]) -> Floats:
        """Sum over the classes a function of the weights called that class and correctly so."""
        label, old = np.divmod(cells, many)
        w = np.ones(order.size) if weight is None else weight
        step = np.zeros(order.size)
        first = 0.0
        for j in range(many):
            at = slice(None) if j == k else np.flatnonzero(old == j)
            signed = w[at] if j == k else -w[at]
            right = along(start[j, j], signed * (label[at] == j))
            of_class = change(j, along(called[j], signed), right)
            first += of_class[0]
            step[at] += np.diff(of_class)
        return along(first, step)

    # change by one more call of k and one less of the other class
    gain = is_true[:, [k]] - is_true
    none = np.zeros(1)
    wanted = {
        "accuracy": {"right"},
        "balanced_accuracy": {"recall"},
        "macro_f1": {"f1"},
        "mcc": {"right", "agreement", "called_squared"},
        "kappa": {"right", "agreement"},
        "cost": {"cost"},
    }[metric]
    return Counts(
        n=n,
        true=true,
        right=by_cell(np.trace(start), gain) if "right" in wanted else none,
        agreement=by_cell(called @ true, np.broadcast_to(true[k] - true, (many, many)))
        if "agreement" in wanted
        else none,
        called_squared=by_class(lambda j, called, right: called**2)
        if "called_squared" in wanted
        else none,
        f1=by_class(lambda j, called, right: 2 * right / (called + true[j]))
        if "f1" in wanted
        else none,
        recall=by_cell(float((np.diag(start) / true).sum()), gain / true[:, None])
        if "recall" in wanted
        else none,
        cost=none if cost is None else by_cell(float((start * cost).sum()), cost[:, [k]] - cost),
    )
