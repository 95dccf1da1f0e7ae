"""Resamples of samples that are counted by cell, such as a distinct score and a class."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# With at least so many cells, and so few samples in each, single samples are drawn.
_MIN_CELLS_OF_SINGLE_DRAWS = 2**15
_MAX_SAMPLES_PER_CELL = 4


def cells_to_draw(counts: NDArray[np.float64]) -> NDArray[np.int32] | None:
    """List the cell of each sample, for :func:`draw_counts`.

    Drawing samples is faster than drawing counts where cells hold few samples each. ``None`` where
    it is not, and where weights are no whole numbers.

    Examples
    --------
    >>> cells_to_draw(np.array([2.0, 1.0])) is None
    True
    >>> cells_to_draw(np.ones(2**15)).size
    32768
    """
    if counts.size < _MIN_CELLS_OF_SINGLE_DRAWS:
        return None
    if counts.sum() > _MAX_SAMPLES_PER_CELL * counts.size or (counts % 1).any():
        return None
    return np.repeat(np.arange(counts.size, dtype=np.int32), counts.astype(np.intp))


def draw_counts(
    counts: NDArray[np.float64], cells: NDArray[np.int32] | None, rng: np.random.Generator
) -> NDArray[np.integer]:
    """Draw as many samples as there are, with replacement, and count those of each cell.

    ``cells`` are those of :func:`cells_to_draw`; the distribution is the same with and without.

    Examples
    --------
    >>> draw_counts(np.array([3.0, 0.0, 4.0]), None, np.random.default_rng(0)).sum()
    np.int64(7)
    """
    if cells is None:
        total = counts.sum()
        return rng.multinomial(max(round(float(total)), 1), counts / total)
    drawn = cells[rng.integers(cells.size, size=cells.size, dtype=np.int32)]
    return np.bincount(drawn, minlength=counts.size)
