"""The threshold of several classes: a point of the simplex, and labels by costs and priors.

Class k is predicted where ``p_k / point_k`` is largest. With two classes that is "positive if
``p_1 >= point_1``"; with three the point is where three regions of a triangle meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.classes import (
    ROW_SUM_TOLERANCE,
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
MIN_ENTRY = 1e-100


def check_point(point: ArrayLike, n_classes: int, name: str = "point") -> Floats:
    """Check for positive numbers, one per class, that sum to 1."""
    entries = check_vector(point, name)
    if entries.size != n_classes:
        raise ValueError(
            f"{name} must have one entry per class; got {entries.size} for {n_classes} classes."
        )
    if entries.min() < MIN_ENTRY:
        raise ValueError(
            f"{name} must be positive, as each p_k is divided by its entry; the least is "
            f"{entries.min():.6g}."
        )
    if abs(entries.sum() - 1) > ROW_SUM_TOLERANCE:
        raise ValueError(f"{name} must sum to 1; got {entries.sum():.6g}.")
    return np.asarray(entries / entries.sum())


def check_cost_matrix(cost_matrix: ArrayLike, n_classes: int) -> Floats:
    """Check the cost of each prediction (column) for a sample of each class (row)."""
    cost = check_numbers(cost_matrix, "cost_matrix", "a square table of costs")
    if cost.shape != (n_classes, n_classes):
        raise ValueError(
            "cost_matrix must have a row for each true class and a column for each predicted one, "
            f"{n_classes} by {n_classes}; got shape {cost.shape}."
        )
    if not np.isfinite(cost).all() or cost.min() < 0:
        raise ValueError("cost_matrix must hold finite numbers that are not negative.")
    check_spread("cost_matrix", cost)
    if not (cost > np.diag(cost)[:, None]).any():
        raise ValueError(
            "cost_matrix must have a wrong prediction that costs more than the right one."
        )
    return cost


def costs_of_misses(cost_matrix: Floats) -> Floats | None:
    """Get the cost of missing each class if the predicted class does not matter, else ``None``.

    Then :func:`point_of_costs` is the optimum of calibrated probabilities.
    """
    n_classes = len(cost_matrix)
    is_miss = ~np.eye(n_classes, dtype=np.bool_)
    cost = cost_matrix[is_miss].reshape(n_classes, n_classes - 1)
    if (cost != cost[:, :1]).any() or cost.min() <= 0 or np.diag(cost_matrix).any():
        return None
    return cost[:, 0]


def predicted_codes(prob: Floats, point: Floats) -> NDArray[np.intp]:
    """Find the index of the class predicted for each row, the last one in a tie."""
    code, _ = largest_ratio(prob, point)
    return code


def largest_ratio(
    prob: Floats, point: Floats, left_out: int | None = None
) -> tuple[NDArray[np.intp], Floats]:
    """Find the class with the largest ratio of probability to entry, and this ratio.

    Of equal ones it is the last; one class may be left out. Column by column is quicker than
    NumPy's ``argmax`` of short rows.
    """
    columns = [k for k in range(len(point)) if k != left_out]
    largest = prob[:, columns[0]] / point[columns[0]]
    code = np.full(len(prob), columns[0])
    for k in columns[1:]:
        ratio = prob[:, k] / point[k]
        code[ratio >= largest] = k
        np.maximum(largest, ratio, out=largest)
    return code, largest


def label_at_point(
    y_prob: ArrayLike, point: ArrayLike, *, classes: Sequence[Any] | None = None
) -> NDArray[Any]:
    """Predict for each sample the class k for which ``p_k / point_k`` is largest.

    Parameters
    ----------
    y_prob : array-like of float, shape (n_samples, n_classes)
        Each row sums to 1.
    point : array-like of float, shape (n_classes,)
        Positive; sums to 1. If all entries are equal, the most probable class is predicted.
    classes : sequence of label, optional
        The labels in the order of the columns; without them numbers of columns are returned.

    Returns
    -------
    ndarray, shape (n_samples,)
        Where several classes are equally good, the last: with two classes a probability that
        equals the threshold is positive. A class of probability 0 is predicted only where all are
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
    code = predicted_codes(prob, check_point(point, prob.shape[1]))
    return labels_of_codes(code, classes, prob.shape[1])


def labels_of_codes(
    code: NDArray[np.intp], classes: Sequence[Any] | None, n_classes: int
) -> NDArray[Any]:
    """Convert indices of columns to labels, if there are any."""
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
    """Predict for each sample the class with the lowest expected cost.

    Parameters
    ----------
    y_prob : array-like of float, shape (n_samples, n_classes)
        Calibrated probabilities; each row sums to 1.
    cost_matrix : array-like of float, shape (n_classes, n_classes)
        Row k, column a: what it costs to predict a for a sample of class k. Not negative.
    classes : sequence of label, optional
        The labels in the order of the columns; without them numbers of columns are returned.

    Returns
    -------
    ndarray, shape (n_samples,)
        Of classes with equal costs the last.

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
    code = predicted_codes(-(prob @ cost), np.ones(prob.shape[1]))
    return labels_of_codes(code, classes, prob.shape[1])


def point_of_costs(costs: ArrayLike) -> Floats:
    """Compute the point that is optimal for calibrated probabilities and a cost of each miss.

    Parameters
    ----------
    costs : array-like of float, shape (n_classes,)
        Cost of missing a sample of each class, whatever is predicted instead; positive.

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
    """Check shares of the classes, which are within a factor of 1e12 of each other."""
    share = check_point(prior, n_classes, name)
    check_spread(name, share)
    return share


def shift_point(point: ArrayLike, prior: ArrayLike, new_prior: ArrayLike) -> Floats:
    """Move a point instead of correcting the probabilities for new class shares.

    Parameters
    ----------
    point : array-like of float, shape (n_classes,)
        For probabilities that are valid for ``new_prior``.
    prior, new_prior : array-like of float, shape (n_classes,)
        Shares of the classes for which the probabilities are valid, and where they are used;
        positive, sum to 1.

    Returns
    -------
    ndarray of float, shape (n_classes,)
        Point for the uncorrected probabilities: they give the same predictions at it as
        :func:`shift_priors` of them at ``point``.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Examples
    --------
    >>> shift_point([0.5, 0.5], [0.5, 0.5], [0.2, 0.8])
    array([0.8, 0.2])
    """
    entries = check_point(point, check_vector(prior, "prior").size)
    old = _check_priors(prior, "prior", entries.size)
    new = _check_priors(new_prior, "new_prior", entries.size)
    shifted = entries * old / new
    return np.asarray(shifted / shifted.sum())


def shift_priors(y_prob: ArrayLike, prior: ArrayLike, new_prior: ArrayLike) -> Floats:
    """Correct probabilities for new class shares.

    Parameters
    ----------
    y_prob : array-like of float, shape (n_samples, n_classes)
    prior, new_prior : array-like of float, shape (n_classes,)
        Shares of the classes for which the probabilities are valid, and where they are used;
        positive, sum to 1.

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
    shifted = prob * (new / old)
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True))


def label_regions(
    point: ArrayLike | None = None, *, cost_matrix: ArrayLike | None = None
) -> list[Floats]:
    """Compute the corners of the region in the triangle where each of three classes is predicted.

    Parameters
    ----------
    point : array-like of float, shape (3,), optional
        Where three regions meet.
    cost_matrix : array-like of float, shape (3, 3), optional
        Instead of a point: the regions of lowest expected cost.

    Returns
    -------
    list of ndarray of float, shape (n_corners, 3)
        For each class the probabilities at the corners, in order around the region; none where the
        class is never the only best one.

    Raises
    ------
    ValueError
        If not exactly one of both is given, or it is invalid.

    Examples
    --------
    >>> [len(corners) for corners in label_regions([0.2, 0.3, 0.5])]
    [4, 4, 4]
    """
    if point is not None and cost_matrix is None:
        loss = (1 - np.eye(3)) / check_point(point, 3)[:, None]
    elif point is None and cost_matrix is not None:
        loss = check_cost_matrix(cost_matrix, 3)
    else:
        raise ValueError("give either point or cost_matrix.")
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
    clipped: list[Floats] = []
    for i in range(len(corners)):
        j = (i + 1) % len(corners)
        if height[i] >= 0:
            clipped.append(corners[i])
        if height[i] * height[j] < 0:
            share = height[i] / (height[i] - height[j])
            clipped.append(corners[i] + share * (corners[j] - corners[i]))
    return np.array(clipped).reshape(-1, corners.shape[1])


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
    >>> rankings = one_vs_rest([0, 1, 2], p)
    >>> [segments.auc for segments in rankings.values()]
    [1.0, 1.0, 1.0]
    """
    samples = check_class_samples(y_true, y_prob, classes, sample_weight)
    rankings = {}
    for k, label in enumerate(samples.classes):
        rankings[label] = RankedSegments.from_scores(
            samples.is_class(k), samples.prob[:, k], sample_weight=samples.weight
        )
    return rankings
