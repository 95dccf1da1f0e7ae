"""The threshold of several classes: a point of the simplex, and calls by costs and priors.

Class k is called where ``p_k / point_k`` is largest. With two classes that is "positive if
``p_1 >= point_1``"; with three the point is where three regions of a triangle meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.classes import (
    ROW_SUM,
    check_class_samples,
    check_classes,
    check_simplex,
)
from rocviz.core.base.validation import (
    Floats,
    Weights,
    check_numbers,
    check_spread,
    check_vector,
)
from rocviz.core.roc.segments import RankedSegments

#: Least entry of a point.
LEAST_ENTRY = 1e-100


def check_point(point: ArrayLike, n_classes: int, name: str = "point") -> Floats:
    """Check for positive numbers, one per class, that sum to 1."""
    entries = check_vector(point, name)
    if entries.size != n_classes:
        raise ValueError(
            f"{name} must have one entry per class; got {entries.size} for {n_classes} classes."
        )
    if entries.min() < LEAST_ENTRY:
        raise ValueError(
            f"{name} must be positive, as each p_k is divided by its entry; the least is "
            f"{entries.min():.6g}."
        )
    if abs(entries.sum() - 1) > ROW_SUM:
        raise ValueError(f"{name} must sum to 1; got {entries.sum():.6g}.")
    return np.asarray(entries / entries.sum())


def check_cost_matrix(cost_matrix: ArrayLike, n_classes: int) -> Floats:
    """Check the cost of each call (column) of a sample of each class (row)."""
    cost = check_numbers(cost_matrix, "cost_matrix", "a square table of costs")
    if cost.shape != (n_classes, n_classes):
        raise ValueError(
            "cost_matrix must have a row for each true class and a column for each call, "
            f"{n_classes} by {n_classes}; got shape {cost.shape}."
        )
    if not np.isfinite(cost).all() or cost.min() < 0:
        raise ValueError("cost_matrix must hold finite numbers that are not negative.")
    check_spread("cost_matrix", cost)
    if not (cost > np.diag(cost)[:, None]).any():
        raise ValueError("cost_matrix must charge more for some wrong call than for the right one.")
    return cost


def costs_of_misses(cost_matrix: Floats) -> Floats | None:
    """Get the cost of missing each class if it does not depend on the call, else ``None``.

    Then :func:`point_of_costs` is the optimum of calibrated probabilities.
    """
    many = len(cost_matrix)
    cost = cost_matrix[~np.eye(many, dtype=np.bool_)].reshape(many, many - 1)
    is_one = (cost == cost[:, :1]).all() and cost.min() > 0 and not np.diag(cost_matrix).any()
    return cost[:, 0] if is_one else None


def call_codes(prob: Floats, point: Floats) -> NDArray[np.intp]:
    """Find the index of the class called for each row, the last one in a tie."""
    return largest_ratio(prob, point)[0]


def largest_ratio(
    prob: Floats, point: Floats, left_out: int | None = None
) -> tuple[NDArray[np.intp], Floats]:
    """Find the class with the largest ratio of probability to entry, and this ratio.

    Of equal ones it is the last; one class may be left out. Column by column is quicker than
    NumPy's ``argmax`` of short rows.
    """
    columns = [k for k in range(len(point)) if k != left_out]
    most = prob[:, columns[0]] / point[columns[0]]
    code = np.full(len(prob), columns[0])
    for k in columns[1:]:
        ratio = prob[:, k] / point[k]
        code[ratio >= most] = k
        np.maximum(most, ratio, out=most)
    return code, most


def label_at_point(
    y_prob: ArrayLike, point: ArrayLike, *, classes: Sequence[Any] | None = None
) -> NDArray[Any]:
    """Call the class k of each sample for which ``p_k / point_k`` is largest.

    Parameters
    ----------
    y_prob : array-like of float, shape (n_samples, n_classes)
        Each row sums to 1.
    point : array-like of float, shape (n_classes,)
        Positive; sums to 1. All equal, the most probable class is called.
    classes : sequence of label, optional
        The labels in the order of the columns; without them numbers of columns are returned.

    Returns
    -------
    ndarray, shape (n_samples,)
        Where several classes are equally good, the last: with two classes a probability that
        equals the threshold is positive. A class of probability 0 is called only where all are
        equally good.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Examples
    --------
    >>> p = [[0.6, 0.3, 0.1], [0.4, 0.3, 0.3]]
    >>> label_at_point(p, [0.6, 0.2, 0.2], classes=["a", "b", "c"])
    array(['b', 'c'], dtype='<U1')
    """
    prob = check_simplex(y_prob)
    code = call_codes(prob, check_point(point, prob.shape[1]))
    return label_calls(code, classes, prob.shape[1])


def label_calls(
    code: NDArray[np.intp], classes: Sequence[Any] | None, n_classes: int
) -> NDArray[Any]:
    """Convert calls to labels, or leave the indices of their columns."""
    if classes is None:
        return code
    known = check_classes(classes)
    if len(known) != n_classes:
        raise ValueError(
            f"classes must have one label per column of y_prob; got {len(known)} for {n_classes} "
            "columns."
        )
    return np.asarray(np.asarray(known)[code])


def cost_optimal_labels(
    y_prob: ArrayLike, cost_matrix: ArrayLike, *, classes: Sequence[Any] | None = None
) -> NDArray[Any]:
    """Call the class of each sample that has the least expected cost.

    Parameters
    ----------
    y_prob : array-like of float, shape (n_samples, n_classes)
        Calibrated probabilities; each row sums to 1.
    cost_matrix : array-like of float, shape (n_classes, n_classes)
        Row k, column a: what it costs to call a sample of class k a. Not negative.
    classes : sequence of label, optional
        The labels in the order of the columns; without them numbers of columns are returned.

    Returns
    -------
    ndarray, shape (n_samples,)
        Of calls with equal costs the last.

    Raises
    ------
    ValueError
        If an argument is invalid.

    References
    ----------
    Elkan (2001). Zadrozny and Elkan (2002).

    Examples
    --------
    >>> cost = [[0, 1, 1], [1, 0, 1], [9, 9, 0]]
    >>> cost_optimal_labels([[0.6, 0.3, 0.1], [0.5, 0.4, 0.1]], cost)
    array([2, 2])
    """
    prob = check_simplex(y_prob)
    cost = check_cost_matrix(cost_matrix, prob.shape[1])
    calls = call_codes(-(prob @ cost), np.ones(prob.shape[1]))
    return label_calls(calls, classes, prob.shape[1])


def point_of_costs(costs: ArrayLike) -> Floats:
    """Compute the point that is optimal for calibrated probabilities and a cost of each miss.

    Parameters
    ----------
    costs : array-like of float, shape (n_classes,)
        Cost of missing a sample of each class, whatever is called instead; positive.

    Returns
    -------
    ndarray of float, shape (n_classes,)
        Proportional to ``1 / costs``.

    Raises
    ------
    ValueError
        If costs are not positive, fewer than two, or farther apart than a factor of 1e12.

    Examples
    --------
    >>> point_of_costs([1, 1, 2])
    array([0.4, 0.4, 0.2])
    """
    cost = check_vector(costs, "costs")
    if cost.size < 2 or cost.min() <= 0:
        raise ValueError("costs must hold a positive number for each of at least two classes.")
    check_spread("costs", cost)
    return np.asarray(1 / cost / (1 / cost).sum())


def _check_priors(prior: ArrayLike, name: str, n_classes: int) -> Floats:
    share = check_point(prior, n_classes, name)
    check_spread(name, share)
    return share


def shift_point(point: ArrayLike, prior: ArrayLike, new_prior: ArrayLike) -> Floats:
    """Shift a point so that its calls stay the same under new class shares.

    Parameters
    ----------
    point : array-like of float, shape (n_classes,)
        Where probabilities that hold for ``new_prior`` would be cut.
    prior, new_prior : array-like of float, shape (n_classes,)
        Shares of the classes for which the probabilities hold, and where they are used; positive,
        sum to 1.

    Returns
    -------
    ndarray of float, shape (n_classes,)
        Cutting the old probabilities here is cutting :func:`shift_priors` of them at ``point``.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Examples
    --------
    >>> shift_point([0.5, 0.5], [0.5, 0.5], [0.2, 0.8])
    array([0.8, 0.2])
    """
    at = check_point(point, check_vector(prior, "prior").size)
    old = _check_priors(prior, "prior", at.size)
    new = _check_priors(new_prior, "new_prior", at.size)
    moved = at * old / new
    return np.asarray(moved / moved.sum())


def shift_priors(y_prob: ArrayLike, prior: ArrayLike, new_prior: ArrayLike) -> Floats:
    """Correct probabilities for new class shares.

    Parameters
    ----------
    y_prob : array-like of float, shape (n_samples, n_classes)
    prior, new_prior : array-like of float, shape (n_classes,)
        Shares of the classes for which the probabilities hold, and where they are used; positive,
        sum to 1.

    Returns
    -------
    ndarray of float, shape (n_samples, n_classes)
        Proportional to ``p_k * new_prior_k / prior_k``.

    Raises
    ------
    ValueError
        If an argument is invalid.

    References
    ----------
    Saerens, Latinne and Decaestecker (2002).

    Examples
    --------
    >>> shift_priors([[0.5, 0.5]], [0.5, 0.5], [0.2, 0.8])
    array([[0.2, 0.8]])
    """
    prob = check_simplex(y_prob)
    old = _check_priors(prior, "prior", prob.shape[1])
    new = _check_priors(new_prior, "new_prior", prob.shape[1])
    moved = prob * (new / old)
    return np.asarray(moved / moved.sum(axis=1, keepdims=True))


def label_regions(
    point: ArrayLike | None = None, *, cost_matrix: ArrayLike | None = None
) -> list[Floats]:
    """Compute the corners of each of three classes' region of calls in the triangle.

    Parameters
    ----------
    point : array-like of float, shape (3,), optional
        Where three regions meet.
    cost_matrix : array-like of float, shape (3, 3), optional
        Instead of a point: the regions of least expected cost.

    Returns
    -------
    list of ndarray of float, shape (n_corners, 3)
        For each class the probabilities at the corners, in order around the region; none where the
        class is never the only best call.

    Raises
    ------
    ValueError
        If not exactly one of both is given, or it is invalid.

    Examples
    --------
    >>> [len(corners) for corners in label_regions([0.2, 0.3, 0.5])]
    [4, 4, 4]
    """
    if (point is None) == (cost_matrix is None):
        raise ValueError("give either point or cost_matrix.")
    if cost_matrix is None:
        at = check_point(np.empty(0) if point is None else point, 3)
        loss = (1 - np.eye(3)) / at[:, None]
    else:
        loss = check_cost_matrix(cost_matrix, 3)
    regions = []
    for a in range(3):
        corners = np.eye(3)
        for other in range(3):
            if other != a and len(corners):
                corners = _clip(corners, loss[:, other] - loss[:, a], wins_ties=a > other)
        regions.append(corners)
    return regions


def _clip(corners: Floats, normal: Floats, *, wins_ties: bool) -> Floats:
    """Clip a convex polygon to the half-plane where the product with ``normal`` is not negative."""
    height = corners @ normal
    if not (height > 0).any() and not (wins_ties and (height == 0).all()):
        return np.empty((0, 3))  # empty, or a line
    return clip_polygon(corners, height)


def clip_polygon(corners: Floats, height: Floats) -> Floats:
    """Clip a convex polygon to where a linear function is not negative.

    ``height`` holds the function's values at the corners, shape (n_corners,).
    """
    kept: list[Floats] = []
    for i in range(len(corners)):
        j = (i + 1) % len(corners)
        if height[i] >= 0:
            kept.append(corners[i])
        if height[i] * height[j] < 0:
            share = height[i] / (height[i] - height[j])
            kept.append(corners[i] + share * (corners[j] - corners[i]))
    return np.array(kept).reshape(-1, corners.shape[1])


def one_vs_rest(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    classes: Sequence[Any] | None = None,
    sample_weight: Weights = None,
) -> dict[Any, RankedSegments]:
    """Rank the samples for each class against all others.

    Parameters
    ----------
    y_true, y_prob, classes, sample_weight
        As for :func:`hand_till_auc`.

    Returns
    -------
    dict of label to RankedSegments
        By p_k, with class k as the positives.

    Raises
    ------
    ValueError
        As for :func:`hand_till_auc`.

    Examples
    --------
    >>> p = [[0.7, 0.2, 0.1], [0.2, 0.6, 0.2], [0.5, 0.1, 0.4]]
    >>> [one.auc for one in one_vs_rest([0, 1, 2], p).values()]
    [1.0, 1.0, 1.0]
    """
    samples = check_class_samples(y_true, y_prob, classes, sample_weight)
    return {
        label: RankedSegments.from_scores(
            samples.is_class(k), samples.prob[:, k], sample_weight=samples.weight
        )
        for k, label in enumerate(samples.classes)
    }
