"""Resamples of samples that are counted by cell, such as a distinct score and a class."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# With at least so many cells of so few samples each, single samples of these are drawn.
_MIN_CELLS_OF_SINGLE_DRAWS = 2**15
_MAX_SAMPLES_PER_CELL = 4


class CountedSamples:
    """Samples by cell, of which as many are drawn as there are, with replacement.

    Where many cells hold few samples each, drawing samples is faster than drawing counts, and the
    distribution is the same.

    Parameters
    ----------
    counts : ndarray of float, shape (n_cells,)
        Samples in each cell; fractions are allowed.

    Examples
    --------
    >>> samples = CountedSamples(np.array([3.0, 0.0, 4.0]))
    >>> samples.draw(np.random.default_rng(0)).sum()
    np.int64(7)
    """

    def __init__(self, counts: NDArray[np.float64]) -> None:
        total = counts.sum()
        self._n_cells = counts.size
        self._n_samples = max(round(float(total)), 1)
        self._full: NDArray[np.intp] | None = None  # cells whose counts are drawn
        self._share = counts / total  # of all cells, or of the full ones and of all others together
        is_full = counts > _MAX_SAMPLES_PER_CELL
        few = np.flatnonzero((counts > 0) & ~is_full)
        n_sparse = np.count_nonzero(~is_full)  # empty ones among them
        if n_sparse >= _MIN_CELLS_OF_SINGLE_DRAWS and few.size and not (counts % 1).any():
            self._full = np.flatnonzero(is_full)
            self._cell = np.repeat(few, counts[few].astype(np.intp))  # of each other sample
            self._share = np.append(counts[self._full], self._cell.size) / total

    def draw(self, rng: np.random.Generator) -> NDArray[np.integer]:
        """Draw a resample and count its samples in each cell, shape (n_cells,)."""
        drawn = rng.multinomial(self._n_samples, self._share)
        if self._full is None:
            return drawn
        rows = rng.integers(self._cell.size, size=drawn[-1], dtype=np.int32)
        counts = np.bincount(self._cell[rows], minlength=self._n_cells)
        counts[self._full] = drawn[:-1]
        return counts
