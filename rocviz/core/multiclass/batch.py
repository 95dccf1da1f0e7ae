"""Labels for a batch of samples that maximise an expected macro average, with a bound.

True labels are independent, with given probabilities. The macro averages of a batch are not sums
over its samples, so the most probable class of each is not the best prediction. With the number of
samples predicted in each class fixed, the expected macro F1 is a sum over the samples; prices on
the samples bound what any numbers can give.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.classes import check_simplex
from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import Bools, Floats, check_integer
from rocviz.core.multiclass.metrics import check_name
from rocviz.core.multiclass.simplex import labels_of_codes

# Seconds for each class and each cell of the square table of sizes and samples, for one step.
_SECONDS_PER_CELL = 1e-7
_MIN_GAIN = 1e-12  # gains below this are rounding
_MIN_GAP = 1e-9  # a gap that is rounding


@dataclass(frozen=True, eq=False)
class BatchLabels(Frozen):
    """Predicted labels of the samples of a batch, with their expected value.

    Parameters
    ----------
    labels : ndarray, shape (n_samples,)
        Predicted classes, or numbers of columns where no classes were given.
    expected : float
        Expected metric of these predictions over the true labels that samples may turn out to have.
        A class that no sample has and none is predicted counts as 0.
    bound : float
        No other predictions have a greater expected metric than this.
    argmax_expected : float
        Expected metric if the most probable class is predicted.
    metric : str
    """

    labels: NDArray[Any]
    expected: float
    bound: float
    argmax_expected: float
    metric: str

    @property
    def gap(self) -> float:
        """Bound on the loss against optimal predictions."""
        return max(self.bound - self.expected, 0.0)


def batch_labels(
    y_prob: ArrayLike,
    *,
    classes: Sequence[Any] | None = None,
    metric: str = "macro_f1",
    n_steps: int = 300,
) -> BatchLabels:
    r"""Label the samples of a batch for a large expected macro average, and bound the optimum.

    Parameters
    ----------
    y_prob : array-like of float, shape (n_samples, n_classes)
        True probabilities of independent labels; each row sums to 1.
    classes : sequence of label, optional
        The labels in the order of the columns; without them numbers of columns are returned.
    metric : {"macro_f1", "balanced_accuracy"}, default="macro_f1"
        ``"balanced_accuracy"`` is the macro average of the recall, whose best labels are found at
        once.
    n_steps : int, default=300
        Of the descent of the bound, at most; from 0.

    Raises
    ------
    ValueError
        If an argument is invalid, there are no samples, or the batch is so large that it
        would take more than a day.

    Notes
    -----
    With :math:`P_c^{(-i)}` the number of samples of class c but for sample i, a Poisson-binomial
    variable, a set S of k samples that are predicted c has the expected F1

    .. math::

        \sum_{i \in S} w_{ic}(k), \qquad
        w_{ic}(k) = 2 p_{ic} \, E\left[\frac{1}{k + 1 + P_c^{(-i)}}\right].

    The expectation is the integral of :math:`t^k` times a polynomial over t from 0 to 1, and is
    computed exactly. From the most probable classes, samples change their labels one by one or in
    pairs while that gains. For prices :math:`\lambda_i` the best labels have at most

    .. math::

        \sum_i \lambda_i + \sum_c \max_k \text{(sum of the k largest } w_{ic}(k) / C -
        \lambda_i)

    since each sample has one label; prices descend by their subgradient. Each class's own best set
    is a prefix of an order of its own.

    References
    ----------
    Natarajan et al. (2015) name several classes as future work.

    Examples
    --------
    >>> p = [[0.5, 0.3, 0.2], [0.5, 0.2, 0.3], [0.6, 0.2, 0.2], [0.5, 0.4, 0.1]]
    >>> batch = batch_labels(p)
    >>> batch.labels, round(batch.expected, 3), round(batch.argmax_expected, 3)
    (array([0, 2, 0, 1]), 0.358, 0.217)
    >>> batch.gap < 1e-3
    True
    """
    prob = check_simplex(y_prob)
    metric = check_name(metric, names=tuple(_SOLVERS))
    max_steps = check_integer(n_steps, "n_steps", minimum=0)
    n, n_classes = prob.shape
    if not n:
        raise ValueError("y_prob is empty; at least one sample is needed.")
    check_effort(
        seconds=_SECONDS_PER_CELL * n_classes * n**2 * (n / 20 + max_steps),
        numbers=4.0 * n_classes * n**2,
        y_prob=f"{n} rows of {n_classes} classes",
    )
    gains = np.array([_f1_gains(column) for column in prob.T]) / n_classes
    argmax_codes = prob.argmax(axis=1)
    solution = _SOLVERS[metric](gains, argmax_codes, max_steps)
    labels = labels_of_codes(solution.codes, classes, n_classes)
    return BatchLabels(labels, solution.expected, solution.bound, solution.argmax_expected, metric)


class _Solution(NamedTuple):
    """Codes of the labels, their expected metric with its bound, and that of the most probable."""

    codes: NDArray[np.intp]
    expected: float
    bound: float
    argmax_expected: float


def _best_by_f1(gains: Floats, argmax_codes: NDArray[np.intp], max_steps: int) -> _Solution:
    """Search labels of a large expected macro F1, and bound the optimum."""
    codes, expected = _improve(gains, argmax_codes)
    codes, expected, bound = _lower_bound(gains, codes, expected, max_steps)
    return _Solution(codes, expected, bound, _expected_f1(gains, argmax_codes))


def _best_by_recall(gains: Floats, argmax_codes: NDArray[np.intp], _max_steps: int) -> _Solution:
    """Find the labels of the largest expected recall, in which samples do not depend on others."""
    recall_gains = gains[:, 0].T / 2
    expected = float(recall_gains.max(axis=1).sum())
    by_argmax = float(recall_gains[np.arange(argmax_codes.size), argmax_codes].sum())
    return _Solution(recall_gains.argmax(axis=1), expected, expected, by_argmax)


#: How the labels for each metric are found.
_SOLVERS: dict[str, Callable[[Floats, NDArray[np.intp], int], _Solution]] = {
    "macro_f1": _best_by_f1,
    "balanced_accuracy": _best_by_recall,
}


def _f1_gains(prob: Floats) -> Floats:
    """Compute what each sample adds to a class's expected F1, by the number predicted in it.

    Row k is of k samples, from 0 to all. The integral of a polynomial of degree 2n at most is a
    weighted sum of its values at n + 1 nodes (Gauss and Legendre).
    """
    n = prob.size
    nodes, weights = np.polynomial.legendre.leggauss(n + 1)
    nodes = (nodes + 1) / 2
    weights = weights / 2
    factor = 1 - prob + np.outer(nodes, prob)
    others = factor.prod(axis=1, keepdims=True) / factor  # generating functions of the others
    powers = nodes ** np.arange(n + 1)[:, None]
    return np.asarray(2 * prob * ((powers * weights) @ others))


def _expected_f1(gains: Floats, codes: NDArray[np.intp]) -> float:
    """Compute the expected macro F1 of predictions."""
    size = np.bincount(codes, minlength=len(gains))
    return float(gains[codes, size[codes], np.arange(codes.size)].sum())


def _improve(gains: Floats, codes: NDArray[np.intp]) -> tuple[NDArray[np.intp], float]:
    """Change single predictions, or swap those of two samples, while the expected F1 rises."""
    codes = codes.copy()
    expected = _expected_f1(gains, codes)
    while True:
        single_gain, sample, code = _best_single_change(gains, codes)
        swap_gain, first, second = _best_swap(gains, codes)
        if max(single_gain, swap_gain) <= _MIN_GAIN:
            return codes, expected
        if swap_gain > single_gain:
            codes[first], codes[second] = codes[second], codes[first]
        else:
            codes[sample] = code
        expected = _expected_f1(gains, codes)


def _best_single_change(gains: Floats, codes: NDArray[np.intp]) -> tuple[float, int, int]:
    """Find the change of one prediction that gains most: the gain, the sample and its new class."""
    n_classes = len(gains)
    n = codes.size
    rows = np.arange(n)
    classes = np.arange(n_classes)[:, None]
    size = np.bincount(codes, minlength=n_classes)

    def sums(change: int) -> Floats:
        """Sum the gains of each class's samples if it had so many more."""
        k = np.clip(size + change, 0, n)[codes]
        return np.asarray(np.bincount(codes, gains[codes, k, rows], n_classes), np.float64)

    sums_now = sums(0)
    own_if_smaller = gains[codes, np.clip(size - 1, 0, n)[codes], rows]
    own_if_larger = gains[classes, np.clip(size + 1, 0, n)[:, None], rows]
    leaving = (sums(-1) - sums_now)[codes] - own_if_smaller
    joining = (sums(1) - sums_now)[:, None] + own_if_larger  # (n_classes, n_samples)
    gain = leaving + joining
    gain[codes, rows] = -np.inf
    code, sample = np.unravel_index(int(gain.argmax()), gain.shape)
    return float(gain[code, sample]), int(sample), int(code)


def _best_swap(gains: Floats, codes: NDArray[np.intp]) -> tuple[float, int, int]:
    """Find the two samples whose predictions are best swapped, and the gain."""
    n_classes = len(gains)
    rows = np.arange(codes.size)
    size = np.bincount(codes, minlength=n_classes)
    own_gains = gains[np.arange(n_classes)[:, None], size[:, None], rows]
    gain = own_gains - own_gains[codes, rows]  # of each sample if only its prediction changes
    members = [np.flatnonzero(codes == code) for code in range(n_classes)]
    best = (-np.inf, -1, -1)
    for a in range(n_classes):
        for b in range(a):
            if members[a].size and members[b].size:
                from_a = members[a][gain[b, members[a]].argmax()]
                from_b = members[b][gain[a, members[b]].argmax()]
                swap_gain = float(gain[b, from_a] + gain[a, from_b])
                if swap_gain > best[0]:
                    best = (swap_gain, int(from_a), int(from_b))
    return best


def _lower_bound(
    gains: Floats, codes: NDArray[np.intp], expected: float, max_steps: int
) -> tuple[NDArray[np.intp], float, float]:
    """Lower the bound by prices, and improve the predictions that they suggest."""
    n_classes = len(gains)
    n = codes.size
    price = gains[codes, np.bincount(codes, minlength=n_classes)[codes], np.arange(n)] / 2
    bound = np.inf
    step_size = 1.0
    n_without_gain = 0
    step = 0
    while True:
        relaxed, is_taken, sizes = _relax(gains, price)
        if relaxed < bound - _MIN_GAIN:
            bound = relaxed
            n_without_gain = 0
        else:
            n_without_gain += 1
            if n_without_gain == 10:
                step_size = step_size / 2
                n_without_gain = 0
        slope = 1 - is_taken.sum(axis=0)
        if bound - expected < _MIN_GAP or step == max_steps or not slope.any():
            break
        if step % 20 == 0:
            # undecided samples go where they gain most at these sizes
            suggested = gains[np.arange(n_classes), np.maximum(sizes, 1)].argmax(axis=0)
            improved, improved_expected = _improve(gains, suggested)
            if improved_expected > expected:
                codes = improved
                expected = improved_expected
        step += 1
        price = price - step_size * (relaxed - expected) / float(slope @ slope) * slope
    return codes, expected, max(bound, expected)


def _relax(gains: Floats, price: Floats) -> tuple[float, Bools, NDArray[np.intp]]:
    """Bound all predictions by prices: each class takes the best set for itself."""
    n_classes = len(gains)
    n = price.size
    is_taken = np.zeros((n_classes, n), dtype=np.bool_)
    sizes = np.zeros(n_classes, np.intp)
    total = 0.0
    k = np.arange(n + 1)
    for code in range(n_classes):
        net = gains[code] - price
        decreasing = -np.sort(-net, axis=1)
        totals = np.concatenate((np.zeros((n + 1, 1)), np.cumsum(decreasing, axis=1)), axis=1)
        best_of_size = totals[k, k]
        size = int(best_of_size.argmax())
        is_taken[code, np.argsort(-net[size], kind="stable")[:size]] = True
        sizes[code] = size
        total += float(best_of_size[size])
    return total + float(price.sum()), is_taken, sizes
