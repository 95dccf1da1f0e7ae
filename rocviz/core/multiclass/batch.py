"""Calls for a batch of samples that maximise an expected macro average, with a bound.

Labels are independent, with given probabilities. The macro averages of a batch are not sums over
its samples, so the most probable class of each is not the best call. With the sizes of the called
sets fixed, the expected macro F1 is a sum over the samples; prices on the samples bound what any
sizes can give.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.classes import check_simplex
from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import Floats, check_choice, check_integer
from rocviz.core.multiclass.simplex import label_calls

METRICS = ("macro_f1", "balanced_accuracy")

# Seconds for each class and each cell of the square table of sizes and samples, for one step.
_EACH = 1e-7
_SAME = 1e-12  # gains below this are rounding
_CERTAIN = 1e-9  # a gap that is rounding


@dataclass(frozen=True, eq=False)
class BatchLabels(Frozen):
    """Calls of the samples of a batch, with their expected value.

    Parameters
    ----------
    calls : ndarray, shape (n_samples,)
        Labels, or numbers of columns where no classes were given.
    expected : float
        Expected metric of these calls over the labels that samples may turn out to have. A class
        that has neither samples nor calls counts as 0.
    bound : float
        No other calls have a greater expected metric than this.
    argmax_expected : float
        Expected metric if the most probable class is called.
    metric : str
    """

    calls: NDArray[Any]
    expected: float
    bound: float
    argmax_expected: float
    metric: str

    @property
    def gap(self) -> float:
        """Bound on the loss against optimal calls."""
        return max(self.bound - self.expected, 0.0)


def batch_labels(
    y_prob: ArrayLike,
    *,
    classes: Sequence[Any] | None = None,
    metric: str = "macro_f1",
    n_steps: int = 300,
) -> BatchLabels:
    r"""Call the samples of a batch for a large expected macro average, and bound the optimum.

    Parameters
    ----------
    y_prob : array-like of float, shape (n_samples, n_classes)
        True probabilities of independent labels; each row sums to 1.
    classes : sequence of label, optional
        The labels in the order of the columns; without them numbers of columns are returned.
    metric : {"macro_f1", "balanced_accuracy"}, default="macro_f1"
        ``"balanced_accuracy"`` is the macro average of the recall, whose best calls are found at
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
    variable, a set S of k samples that are called c has the expected F1

    .. math::

        \sum_{i \in S} w_{ic}(k), \qquad
        w_{ic}(k) = 2 p_{ic} \, E\left[\frac{1}{k + 1 + P_c^{(-i)}}\right].

    The expectation is the integral of :math:`t^k` times a polynomial over t from 0 to 1, and is
    computed exactly. From the most probable classes, samples change their calls one by one or in
    pairs while that gains. For prices :math:`\lambda_i` the best calls have at most

    .. math::

        \sum_i \lambda_i + \sum_c \max_k \text{(sum of the k largest } w_{ic}(k) / C -
        \lambda_i)

    since each sample is called once; prices descend by their subgradient. Each class's own best set
    is a prefix of an order of its own.

    References
    ----------
    Natarajan et al. (2015) name several classes as future work.

    Examples
    --------
    >>> p = [[0.5, 0.3, 0.2], [0.5, 0.2, 0.3], [0.6, 0.2, 0.2], [0.5, 0.4, 0.1]]
    >>> found = batch_labels(p)
    >>> found.calls, round(found.expected, 3), round(found.argmax_expected, 3)
    (array([0, 2, 0, 1]), 0.358, 0.217)
    >>> found.gap < 1e-3
    True
    """
    prob = check_simplex(y_prob)
    check_choice(metric, "metric", METRICS)
    steps = check_integer(n_steps, "n_steps", minimum=0)
    n, many = prob.shape
    if not n:
        raise ValueError("y_prob is empty; at least one sample is needed.")
    check_effort(
        seconds=_EACH * many * n**2 * (n / 20 + steps),
        numbers=4.0 * many * n**2,
        y_prob=f"{n} rows of {many} classes",
    )
    worth = np.array([_worth(column) for column in prob.T]) / many
    most_probable = prob.argmax(axis=1)
    if metric == "balanced_accuracy":
        each = worth[:, 0].T / 2  # the recall of a sample does not depend on the others
        best = each.argmax(axis=1)
        value = float(each.max(axis=1).sum())
        plain = float(each[np.arange(n), most_probable].sum())
        return BatchLabels(label_calls(best, classes, many), value, value, plain, metric)
    plain = _expected(worth, most_probable)
    best, value = _improved(worth, most_probable)
    best, value, bound = _descend(worth, best, value, steps)
    return BatchLabels(label_calls(best, classes, many), value, bound, plain, metric)


def _worth(prob: Floats) -> Floats:
    """Compute each sample's contribution to a class's expected F1, by the size of its set.

    Row k is of sets of k samples, from 0 to all. The integral of a polynomial of degree 2n at most
    is a weighted sum of its values at n + 1 places (Gauss and Legendre).
    """
    n = prob.size
    at, weight = np.polynomial.legendre.leggauss(n + 1)
    at = (at + 1) / 2
    weight = weight / 2
    factor = 1 - prob + np.outer(at, prob)
    others = factor.prod(axis=1, keepdims=True) / factor  # generating functions of the others
    powers = at ** np.arange(n + 1)[:, None]
    return np.asarray(2 * prob * ((powers * weight) @ others))


def _expected(worth: Floats, calls: NDArray[np.intp]) -> float:
    """Compute the expected macro F1 of calls."""
    size = np.bincount(calls, minlength=len(worth))
    return float(worth[calls, size[calls], np.arange(calls.size)].sum())


def _improved(worth: Floats, calls: NDArray[np.intp]) -> tuple[NDArray[np.intp], float]:
    """Change single calls, or swap the calls of two samples, while that gains."""
    calls, many, n = calls.copy(), len(worth), calls.size
    value = _expected(worth, calls)
    rows = np.arange(calls.size)
    classes = np.arange(len(worth))
    while True:
        size = np.bincount(calls, minlength=many)
        # sums over each set, for its size less one, its size, and one more
        sums = np.zeros((3, many))
        for shift in (-1, 0, 1):
            k = np.clip(size + shift, 0, n)[calls]
            sums[shift + 1] = np.bincount(calls, worth[calls, k, rows], many)
        now = worth[classes[:, None], size[:, None], rows]  # (n_classes, n_samples)
        less = worth[calls, np.clip(size - 1, 0, n)[calls], rows]
        more = worth[classes[:, None], np.clip(size + 1, 0, n)[:, None], rows]
        leaves = (sums[0] - sums[1])[calls] - less
        joins = (sums[2] - sums[1])[:, None] + more
        gain = leaves + joins
        gain[calls, rows] = -np.inf
        to, who = np.unravel_index(int(gain.argmax()), gain.shape)
        best = float(gain[to, who])
        # the best change of a pair of calls, for each pair of classes
        own = now[calls, rows]
        pair = None
        swap = now - own  # gains of each sample if only its call changes
        for a in range(many):
            for b in range(a):
                of_a = np.flatnonzero(calls == a)
                of_b = np.flatnonzero(calls == b)
                if of_a.size and of_b.size:
                    i = of_a[swap[b, of_a].argmax()]
                    j = of_b[swap[a, of_b].argmax()]
                    if swap[b, i] + swap[a, j] > best:
                        best = float(swap[b, i] + swap[a, j])
                        pair = (i, j)
        if best <= _SAME:
            return calls, value
        if pair is None:
            calls[who] = to
        else:
            calls[[*pair]] = calls[[*pair[::-1]]]
        value = _expected(worth, calls)


def _descend(
    worth: Floats, calls: NDArray[np.intp], value: float, steps: int
) -> tuple[NDArray[np.intp], float, float]:
    """Lower the bound by prices, and improve the calls that they suggest."""
    many = len(worth)
    n = calls.size
    price = worth[calls, np.bincount(calls, minlength=many)[calls], np.arange(n)] / 2
    bound = np.inf
    pace = 1.0
    waited = 0
    step = 0
    while True:
        above, taken, sizes = _relaxed(worth, price)
        if above < bound - _SAME:
            bound = above
            waited = 0
        else:
            waited += 1
            if waited == 10:
                pace = pace / 2
                waited = 0
        slope = 1 - taken.sum(axis=0)
        if bound - value < _CERTAIN or step == steps or not slope.any():
            break
        if step % 20 == 0:
            # undecided samples go where they gain most at these sizes
            suggested = worth[np.arange(many), np.maximum(sizes, 1)].argmax(axis=0)
            found, reached = _improved(worth, suggested)
            if reached > value:
                calls = found
                value = reached
        step += 1
        price = price - pace * (above - value) / float(slope @ slope) * slope
    return calls, value, max(bound, value)


def _relaxed(worth: Floats, price: Floats) -> tuple[float, NDArray[np.bool_], NDArray[np.intp]]:
    """Bound all calls by prices: each class takes the best set for itself."""
    many = len(worth)
    n = price.size
    taken = np.zeros((many, n), dtype=np.bool_)
    sizes = np.zeros(many, np.intp)
    total = 0.0
    each = np.arange(n + 1)
    for c in range(many):
        left = worth[c] - price
        falling = -np.sort(-left, axis=1)
        sums = np.concatenate((np.zeros((n + 1, 1)), np.cumsum(falling, axis=1)), axis=1)[
            each, each
        ]
        k = int(sums.argmax())
        taken[c, np.argsort(-left[k], kind="stable")[:k]] = True
        sizes[c] = k
        total = total + float(sums[k])
    return total + float(price.sum()), taken, sizes
