"""Resamples: of whole clusters, or of samples counted by cell, such as a score and a class."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

# With at least so many cells of so few samples each, single samples of these are drawn.
_MIN_CELLS_OF_SINGLE_DRAWS = 2**15
_MAX_SAMPLES_PER_CELL = 4
# Per resample, as those with one class only are drawn again.
_MAX_TRIES = 100


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


def draw_clusters(
    has_pos: NDArray[np.bool_], has_neg: NDArray[np.bool_], draws: int, rng: np.random.Generator
) -> Iterator[NDArray[np.intp]]:
    """Draw as many clusters as there are, with replacement, and yield how often each is drawn.

    ``has_pos`` and ``has_neg`` mark the clusters that hold each class. A resample of one class only
    is drawn again.

    Examples
    --------
    >>> has_both = np.array([True, True, True])
    >>> rng = np.random.default_rng(0)
    >>> [times.sum() for times in draw_clusters(has_both, has_both, 2, rng)]
    [np.int64(3), np.int64(3)]
    """
    n_clusters = has_pos.size
    for _ in range(draws):
        for _ in range(_MAX_TRIES):
            times = np.bincount(rng.integers(n_clusters, size=n_clusters), minlength=n_clusters)
            if times[has_pos].any() and times[has_neg].any():
                break
        else:
            raise ValueError("clusters are so few that resamples hold one class only.")
        yield times
