"""Distances of a calibration curve from the diagonal: ICI, E50 and E90."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.validation import Floats
from rocviz.core.calibration.recalibration import CalibrationData

# Most distinct probabilities at which many curves are compared; beyond, neighbours are merged.
_MAX_CELLS = 2**10
# Points of a curve.
_N_POINTS = 200


def weighted_quantiles(x: Floats, n: Floats, shares: Floats | tuple[float, ...]) -> Floats:
    """Compute NumPy's default quantiles of increasing values, each repeated ``n`` times.

    Examples
    --------
    >>> weighted_quantiles(np.array([1.0, 2.0, 4.0]), np.array([2.0, 1.0, 1.0]), (0.5, 0.9))
    array([1.5, 3.4])
    """
    last = np.cumsum(n)
    place = np.asarray(shares) * max(last[-1] - 1, 0.0)
    whole = np.floor(place + 1e-9)  # tolerate rounding of sums

    def value_at(place: Floats) -> Floats:
        index = np.searchsorted(last, place * (1 + 1e-12), side="right")
        return x[np.minimum(index, x.size - 1)]

    low = value_at(whole)
    high = value_at(whole + 1)
    return np.asarray(low + np.maximum(place - whole, 0.0) * (high - low))


def distance_indices(gaps: Floats, n: Floats) -> Floats:
    """Compute mean, median and 90 % quantile of the distances of cells.

    ``gaps`` has a row per curve, ``n`` is the weight of the cells or has a row per curve too. The
    result has shape (n_curves, 3).
    """
    weights = np.broadcast_to(n, gaps.shape)
    # cells without weight come first, where no quantile finds them
    order = np.argsort(np.where(weights > 0, gaps, -1.0), axis=1, kind="stable")
    gap = np.take_along_axis(gaps, order, axis=1)
    last = np.cumsum(np.take_along_axis(weights, order, axis=1), axis=1)
    total = last[:, -1:]

    def value_at(place: Floats) -> Floats:
        index = (last <= place * (1 + 1e-12)).sum(axis=1, keepdims=True)
        return np.take_along_axis(gap, np.minimum(index, gap.shape[1] - 1), axis=1)[:, 0]

    columns = [(weights * gaps).sum(axis=1) / total[:, 0]]
    for share in (0.5, 0.9):
        place = share * np.maximum(total - 1, 0.0)
        whole = np.floor(place + 1e-9)  # tolerate rounding of sums
        low = value_at(whole)
        high = value_at(whole + 1)
        columns.append(low + np.maximum(place - whole, 0.0)[:, 0] * (high - low))
    return np.column_stack(columns)


def curve_points(data: CalibrationData) -> Floats:
    """List the predictions at which a curve is given: evenly spaced ones, and quantiles."""
    even = np.linspace(data.prob[0], data.prob[-1], _N_POINTS + 1)
    quantiles = weighted_quantiles(data.prob, data.n, np.linspace(0, 1, _N_POINTS + 1))
    return np.unique(np.concatenate((even, quantiles)))


def first_of_joined(data: CalibrationData) -> NDArray[np.intp]:
    """Find the first of the cells that are joined with their neighbours, which bounds the time."""
    start = np.arange(data.prob.size)
    if start.size <= _MAX_CELLS:
        return start
    places = np.cumsum(data.n)
    start = np.searchsorted(places, np.linspace(0, places[-1], _MAX_CELLS + 1)[:-1], "right")
    return np.unique(start)


def joined_means(table: Floats, n: Floats, start: NDArray[np.intp]) -> Floats:
    """Average the rows of joined cells; ``table`` has shape (n_cells, n_columns)."""
    sums = np.add.reduceat(table * n[:, np.newaxis], start, axis=0)
    return np.asarray(sums / np.add.reduceat(n, start)[:, np.newaxis])
