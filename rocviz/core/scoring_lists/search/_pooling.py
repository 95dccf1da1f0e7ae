"""Isotonic probabilities of many stages at once: adjacent violators pooled, row by row.

Works on counts by total score; knows nothing of losses.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression

from rocviz.core.base.exactness import least_positive
from rocviz.core.base.validation import Bools, Floats, check_numbers, check_spread

# Rows of a batch are lifted above each other so that one call pools them all. The more rows,
# the fewer digits are left for the proportions: with so many, twelve after the point.
ROWS = 2048

# So each cell is lifted above the one before by more than is rounded: all that is pooled then
# belongs together, and what else does is found by comparing odds.
_STEP = 2.0**-33

_FIRST = np.zeros(1, dtype=np.intp)

# Weights of which the least is less of the greatest: proportions would round away what counts.
_FAR = 2.0**-20
_MILD = 1e-140, 1e140  # products of such weights are floats


def pool(pos: ArrayLike, neg: ArrayLike) -> Floats:
    """Return isotonic probabilities: proportions of positives, violators pooled, row by row.

    Parameters
    ----------
    pos, neg : array-like of float, shape (..., n_totals)
        Weight of positives and negatives with each total score, totals in decreasing order.
        Not negative; cells may be empty.

    Returns
    -------
    ndarray of float, shape (..., n_totals)
        Not increasing along the last axis, in [0, 1]; NaN where a cell is empty.

    Raises
    ------
    ValueError
        If the shapes differ, or a weight is negative, NaN or infinite.

    References
    ----------
    Ayer et al. (1955).

    Examples
    --------
    >>> pool([[2, 4, 3, 0, 1]], [[3, 1, 1, 0, 5]]).round(3)
    array([[0.643, 0.643, 0.643,   nan, 0.167]])
    """
    return pooled(*check_counts(pos, neg))


def pooled(pos: Floats, neg: Floats) -> Floats:
    """Return what :func:`pool` returns, of counts that are known to be right."""
    shape = pos.shape
    rows = pos.reshape(-1, shape[-1]), neg.reshape(-1, shape[-1])
    probability = np.full(rows[0].shape, np.nan)
    for first in range(0, len(probability), ROWS):
        part = slice(first, first + ROWS)
        cells, start, block_pos, block_neg, _ = blocks(rows[0][part], rows[1][part])
        size = np.diff(start, append=cells.size)
        probability[part].reshape(-1)[cells] = np.repeat(block_pos / (block_pos + block_neg), size)
    # rounding may have kept two blocks apart that differ in the last digits
    filled = np.fmin.accumulate(probability, axis=1)
    return np.where(np.isnan(probability), np.nan, filled).reshape(shape)


def merged(pos: Floats, neg: Floats) -> tuple[Floats, Floats]:
    """Return counts that are known to be right, with those of each block in its first cell."""
    sides = np.zeros((2, pos.size // pos.shape[-1], pos.shape[-1]))
    rows = pos.reshape(sides[0].shape), neg.reshape(sides[0].shape)
    for first in range(0, len(rows[0]), ROWS):
        part = slice(first, first + ROWS)
        cells, start, *sums, _ = blocks(rows[0][part], rows[1][part])
        for side, of_blocks in zip(sides, sums, strict=True):
            side[part].reshape(-1)[cells[start]] = of_blocks
    return sides[0].reshape(pos.shape), sides[1].reshape(pos.shape)


def blocks(pos: Floats, neg: Floats) -> tuple[NDArray[Any], ...]:
    """Pool adjacent violators in every row.

    Returns the flat indices of the cells that are not empty; where in these each block begins; the
    weights of the blocks, of both classes; and where in the blocks each row begins, if no row is
    empty.
    """
    n = (pos + neg).reshape(-1)
    cells = np.flatnonzero(n)
    row = cells // pos.shape[1]
    if not cells.size:
        none = np.empty(0)
        return cells, cells, none, none, cells
    block_pos, block_neg, weight = pos.take(cells), neg.take(cells), n.take(cells)
    least, most = least_positive(np.concatenate((block_pos, block_neg))), weight.max()
    mild = least > max(_FAR * most, _MILD[0]) and most < _MILD[1]
    start = np.arange(cells.size)
    if mild:
        lifted = 2.0 * row + block_neg / weight + _STEP * start
        start = isotonic_regression(lifted, weights=weight).blocks[:-1]
        row, block_pos, block_neg = row.take(start), *_sums(start, block_pos, block_neg)
    while True:
        apart = row[1:] != row[:-1]
        kept = np.flatnonzero(apart | ~_out_of_order(block_pos, block_neg, mild)) + 1
        if kept.size == row.size - 1:
            row_start = np.concatenate((_FIRST, np.flatnonzero(apart) + 1))
            return cells, start, block_pos, block_neg, row_start
        kept = np.concatenate((_FIRST, kept))
        start, row = start.take(kept), row.take(kept)
        block_pos, block_neg = _sums(kept, block_pos, block_neg)


def _sums(start: NDArray[np.intp], *sides: Floats) -> list[Floats]:
    return [np.add.reduceat(side, start) for side in sides]


def _out_of_order(pos: Floats, neg: Floats, mild: bool) -> Bools:
    """Return whether odds are no greater than the next; of these floats hold all digits."""
    if mild:
        return np.asarray(pos[:-1] * neg[1:] <= pos[1:] * neg[:-1])
    # exponents apart: products of weights need not be floats
    (up, e_up), (on, e_on) = np.frexp(pos), np.frexp(neg)
    apart = np.clip((e_up[:-1] + e_on[1:]) - (e_up[1:] + e_on[:-1]), -99, 99)
    return np.asarray(np.ldexp(up[:-1] * on[1:], apart) <= up[1:] * on[:-1])


def check_counts(pos: ArrayLike, neg: ArrayLike) -> tuple[Floats, Floats]:
    """Return both as float arrays of one shape, finite and not negative."""
    found = []
    for name, values in (("pos", pos), ("neg", neg)):
        array = check_numbers(values, name)
        if array.ndim == 0 or array.shape[-1] == 0:
            raise ValueError(f"{name} must have one entry per total score; got {array.shape}.")
        if not (np.isfinite(array).all() and (array >= 0).all()):
            raise ValueError(f"{name} must be finite and not negative.")
        found.append(array)
    if found[0].shape != found[1].shape:
        raise ValueError(
            f"pos and neg must have the same shape; got {found[0].shape} and {found[1].shape}."
        )
    check_spread("pos and neg", *found)
    return found[0], found[1]
