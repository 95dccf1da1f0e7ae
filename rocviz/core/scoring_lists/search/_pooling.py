"""Isotonic probabilities of many stages at once: adjacent violators pooled, row by row.

Works on counts by total score; knows nothing of losses.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression

from rocviz.core.base.exactness import least_positive
from rocviz.core.base.validation import Floats, check_numbers, check_total

# Rows of a batch are lifted above each other so that one call pools them all. The more rows,
# the fewer digits are left for the proportions: with so many, twelve after the point.
ROWS = 2048

# Weights of which the least is less of the greatest: proportions would round away what counts.
_FAR = 2.0**-20


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
    cell_pos, cell_neg, weight = pos.reshape(-1)[cells], neg.reshape(-1)[cells], n[cells]
    least = np.fmin(least_positive(cell_pos), least_positive(cell_neg))
    if least < _FAR * weight.max():
        start = _starts_of_far(cell_pos, cell_neg, row)
    else:
        lifted = 2.0 * row + cell_neg / weight
        start = isotonic_regression(lifted, weights=weight).blocks[:-1]
    row_start = np.searchsorted(row[start], np.arange(len(pos)))
    return (
        cells,
        start,
        np.add.reduceat(cell_pos, start),
        np.add.reduceat(cell_neg, start),
        row_start,
    )


def _starts_of_far(pos: Floats, neg: Floats, row: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return where each block begins; odds are compared, of which floats hold all digits."""
    start = np.arange(pos.size)
    while True:
        (up, e_up), (on, e_on) = (np.frexp(np.add.reduceat(side, start)) for side in (pos, neg))
        # exponents apart: products of weights need not be floats
        apart = np.clip((e_up[:-1] + e_on[1:]) - (e_up[1:] + e_on[:-1]), -99, 99)
        joined = np.ldexp(up[:-1] * on[1:], apart) <= up[1:] * on[:-1]
        joined &= row[start[1:]] == row[start[:-1]]
        if not joined.any():
            return start
        start = start[np.append(True, ~joined)]


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
    check_total("pos and neg", *found)
    return found[0], found[1]
