"""Long arrays in blocks: temporary arrays fit the processor's cache, and sums keep their digits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Numbers in a block: half a megabyte.
BLOCK_SIZE = 2**16
_RUN_LENGTH = 2**10
_MAX_CELLS_IN_BLOCKS = 2**12  # cells


def blocks(size: int) -> Iterator[slice]:
    """Yield slices that cover an array of this size in blocks; an empty array gets one."""
    for start in range(0, max(size, 1), BLOCK_SIZE):
        yield slice(start, min(start + BLOCK_SIZE, size))


def repeat_steps(count: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Repeat each index as often as counted, and number the repetitions from 0.

    Examples
    --------
    >>> repeat_steps(np.array([2, 0, 3]))
    (array([0, 0, 2, 2, 2]), array([0, 1, 0, 1, 2]))
    """
    place = np.repeat(np.arange(count.size), count)
    return place, np.arange(place.size) - (np.cumsum(count) - count)[place]


def running_totals(terms: NDArray[np.float64], start: float = 0.0) -> NDArray[np.float64]:
    """Compute cumulative sums of terms that are not negative, beginning with the start.

    Totals never fall. Rounding errors grow with the length of a run, not with the number of terms:
    ``numpy.cumsum`` of a million terms of 0.1 is 1e-11 too large.

    Examples
    --------
    >>> running_totals(np.array([3.0, 2.0]), 1.0)
    array([1., 4., 6.])
    """
    whole = terms.size - terms.size % _RUN_LENGTH
    totals = np.empty(terms.size + 1)
    totals[0] = start
    runs = totals[1 : whole + 1].reshape(-1, _RUN_LENGTH)
    np.cumsum(terms[:whole].reshape(-1, _RUN_LENGTH), axis=1, out=runs)
    before = np.cumsum(np.append(start, runs[:, -1]))
    runs += before[:-1, None]
    np.add(np.cumsum(terms[whole:]), before[-1], out=totals[whole + 1 :])
    return totals


def totals_below(terms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute cumulative sums from the end: the total, then the sum after each term."""
    return running_totals(terms[::-1])[::-1]


def sum_in_blocks(size: int, terms: Callable[[slice], Any]) -> float:
    """Sum the terms of all blocks, computed one block at a time."""
    return float(sum(float(terms(part).sum()) for part in blocks(size)))


def rows_by_number(numbers: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """List the rows of each number, from the lowest number on.

    Examples
    --------
    >>> [rows.tolist() for rows in rows_by_number(np.array([2, 0, 2, 5]))]
    [[1], [0, 2], [3]]
    """
    order = np.argsort(numbers, kind="stable")
    is_first = np.diff(numbers[order]) > 0
    return np.split(order, np.flatnonzero(is_first) + 1)


def weight_by_cell(
    cell: NDArray[np.intp], weight: NDArray[np.float64] | None, size: int
) -> NDArray[np.float64]:
    """Sum the weight in each cell, as :func:`numpy.bincount` does.

    Few cells hold many weights each, which are summed in blocks lest rounding errors grow.

    Examples
    --------
    >>> weight_by_cell(np.array([0, 2, 0]), np.array([1.0, 2.0, 3.0]), 3)
    array([4., 0., 2.])
    """
    if weight is None or size > _MAX_CELLS_IN_BLOCKS:
        return np.bincount(cell, weight, size).astype(np.float64, copy=False)
    total = np.zeros(size)
    for part in blocks(cell.size):
        total += np.bincount(cell[part], weight[part], size)
    return total
