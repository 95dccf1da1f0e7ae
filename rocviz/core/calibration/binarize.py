"""Thresholds that binarize single features with the least entropy."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import entr

from rocviz.core.base.blocks import running_totals, totals_below
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Weights,
    check_aligned,
    check_choice,
    check_numbers,
    check_samples,
    check_vector,
)

_MISSING_CHOICES = ("error", "ignore")
_THRESHOLD_SEARCHES = ("brute", "bisect")

# Thresholds whose entropies differ by no greater ratio are tied.
_TIE_FACTOR = 1 + 1e-12


def midpoints(values: ArrayLike) -> Floats:
    """Compute the midpoints between neighbouring distinct values, in increasing order.

    Parameters
    ----------
    values : array-like of float, shape (n_samples,)
        Finite, in any order.

    Returns
    -------
    ndarray of float, shape (n_distinct - 1,)
        Just the values above a midpoint are greater than it, even between two neighbouring
        floats.

    Raises
    ------
    ValueError
        If a value is not finite.

    Examples
    --------
    >>> midpoints([3, 1, 2, 2])
    array([1.5, 2.5])
    """
    return midpoints_of_distinct(np.unique(check_vector(values, "values")))


def midpoints_of_distinct(distinct: Floats) -> Floats:
    """Compute the midpoints of distinct sorted values."""
    below = distinct[:-1]
    above = distinct[1:]
    middle = below / 2 + above / 2
    # the midpoint of two neighbouring floats may round to the upper one
    return np.where(middle < above, middle, below)


def entropy_thresholds(
    X: ArrayLike,
    y: ArrayLike,
    *,
    thresholds: str = "brute",
    sample_weight: Weights = None,
    pos_label: Any = None,
    missing: str = "error",
) -> Floats:
    """Find the threshold of each feature that leaves the least expected entropy of its two sides.

    Parameters
    ----------
    X : array-like of float, shape (n_samples, n_features) or (n_samples,)
        Finite; NaN only if ``missing`` allows it. One dimension is one feature.
    y : array-like, shape (n_samples,)
        Labels of two classes.
    thresholds : {"brute", "bisect"}, default="brute"
        Thresholds to evaluate: all, or some, always halving the way from the best ones so far
        to their neighbours, both ends first. The latter takes the entropy to fall and then
        rise along the thresholds, which it need not.
    sample_weight : array-like of float, shape (n_samples,), optional
        Not negative. Samples of weight zero make no thresholds.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    missing : {"error", "ignore"}, default="error"
        Treatment of NaN: refuse it, or choose each threshold by the samples that have a
        value.

    Returns
    -------
    ndarray of float, shape (n_features,)
        Midpoints of two neighbouring values; the smallest of equally good ones. Infinite,
        so that no value is above it, where all values are equal.

    Raises
    ------
    ValueError
        If a value is infinite, or missing without ``missing="ignore"``, or labels are not of two
        classes.

    References
    ----------
    Fayyad and Irani (1993). Hanselle et al. (2024), section 4.3.

    Examples
    --------
    >>> entropy_thresholds([[1, 5], [2, 5], [3, 5], [4, 5]], [0, 0, 1, 1])
    array([2.5, inf])
    >>> entropy_thresholds([1, 2, 3, 4], [0, 0, 1, 1])
    array([2.5])
    """
    check_choice(missing, "missing", _MISSING_CHOICES)
    check_choice(thresholds, "thresholds", _THRESHOLD_SEARCHES)
    table = check_numbers(X, "X", "a table of numbers, one row per sample")
    if table.ndim == 1:
        table = table[:, np.newaxis]
    matrix = check_matrix(table, nan=missing == "ignore")
    check_aligned(X=X, y=y, sample_weight=sample_weight)
    positive, weight = check_samples(y, sample_weight, pos_label, "y", X=matrix)
    if weight is None:
        weight = np.ones(positive.size)
    threshold = np.empty(matrix.shape[1])
    for j, column in enumerate(matrix.T):
        seen = ~np.isnan(column)
        threshold[j] = _best_threshold(
            column[seen], positive[seen], weight[seen], halving=thresholds == "bisect"
        )
    return threshold


def check_matrix(X: ArrayLike, *, nan: bool, name: str = "X") -> Floats:
    """Check for a float matrix that is finite, apart from NaN if that is allowed."""
    matrix = check_numbers(X, name, "a table of numbers, one row per sample")
    if matrix.ndim != 2 or not matrix.shape[1]:
        raise ValueError(
            f"{name} must have a row per sample and at least one column; got shape {matrix.shape}."
        )
    bad = int((np.isinf(matrix) if nan else ~np.isfinite(matrix)).sum())
    if bad:
        what = "infinite" if nan else "NaN or infinite"
        raise ValueError(f"{name} holds {bad} {what} values out of {matrix.size}.")
    return matrix


def total_entropy(pos: Floats, neg: Floats) -> Floats:
    """Compute the entropy in bits of groups of both classes, times their weight."""
    n = pos + neg
    return np.asarray(n * _entropy_of_rare(np.minimum(pos, neg) / n))


def binary_entropy(p: Floats) -> Floats:
    """Compute the entropy in bits of two outcomes, one of probability ``p``."""
    return _entropy_of_rare(np.minimum(p, 1 - p))


def _entropy_of_rare(p: Floats) -> Floats:
    # for a tiny p the logarithm of 1 - p would lose all digits
    return np.asarray((entr(p) - (1 - p) * np.log1p(-p)) / np.log(2))


def _best_threshold(x: Floats, positive: Bools, weight: Floats, *, halving: bool) -> float:
    is_weighted = weight > 0
    x = x[is_weighted]
    order = np.argsort(x, kind="stable")
    value = x[order]
    last = np.flatnonzero(value[1:] != value[:-1])  # sample before each midpoint
    if not last.size:
        return np.inf
    weight = weight[is_weighted][order]
    positive = positive[is_weighted][order]
    pos = np.where(positive, weight, 0.0)
    neg = np.where(positive, 0.0, weight)
    loss = total_entropy(running_totals(pos)[last + 1], running_totals(neg)[last + 1])
    # summed directly: a difference of totals would lose small values
    loss = loss + total_entropy(totals_below(pos)[last + 1], totals_below(neg)[last + 1])
    if halving:
        unseen = np.ones(last.size, dtype=np.bool_)
        of_all = total_entropy(pos.sum(keepdims=True), neg.sum(keepdims=True))
        unseen[_halve(loss, float(of_all[0]))] = False
        loss[unseen] = np.inf
    best = last[np.flatnonzero(loss <= loss.min() * _TIE_FACTOR)[0]]
    return float(midpoints_of_distinct(value[best : best + 2])[0])


def _halve(loss: Floats, outside: float) -> list[int]:
    """List the midpoints that halving evaluates; the loss of no threshold is beyond both ends."""
    known = np.concatenate(([outside], loss, [outside])).tolist()
    seen = [0, len(known) - 1]
    while True:
        lowest = min(known[k] for k in seen)
        due = set()
        for below, above in pairwise(seen):
            for best, other in ((below, above), (above, below)):
                if known[best] <= lowest * _TIE_FACTOR:
                    due.add(best + (other - best) // 2)
        due.difference_update(seen)
        if not due:
            return [k - 1 for k in seen[1:-1]]
        seen = sorted([*seen, *due])
