"""Geometry of an increasing polygon: upper hull, best vertex, and simplification."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from rocviz.core.base.blocks import repeat_steps
from rocviz.core.base.frozen import Frozen, read_only
from rocviz.core.base.validation import Floats

# Sums of weights are known to a few units in their last place. A difference smaller than this part
# of the products of sums that are compared counts as zero; with counts, whose products
# differ by whole numbers, it is below one up to ten million samples, and comparisons are exact.
TIE = 4 * np.finfo(np.float64).eps

_NEAR_ONE = 1 - 1e-6
# Relative difference of equal costs, which are sums of two rounded products.
_EQUAL = 16 * np.finfo(np.float64).eps


@dataclass(frozen=True, eq=False)
class ThinnedCurve(Frozen):
    """An ROC curve reduced to the vertices that are visible at a drawn size.

    Parameters
    ----------
    fpr, tpr : ndarray of float, shape (n_vertices,)
        Kept vertices, from (0, 0) to (1, 1).
    index : ndarray of int, shape (n_vertices,)
        Which vertices of the full curve they are.
    bound : float
        Greatest distance from a vertex of the full curve to the thinned one, in units of the
        axes: no point of the full curve is farther away.
    """

    fpr: Floats
    tpr: Floats
    index: NDArray[np.intp]
    bound: float


def turns(pos: Floats, neg: Floats, at: NDArray[np.intp]) -> NDArray[np.int8]:
    """Mark for each inner vertex whether the curve turns down there (1), up (-1) or not (0).

    ``pos`` and ``neg`` are counts of the edges, ``at`` the vertices the curve runs through.
    """
    # sums of an edge are right to a few units in their last place, however small they are
    up, on = (np.add.reduceat(side, at[:-1]) for side in (pos, neg))
    with np.errstate(divide="ignore"):
        slope = up / on
    bound = 1 + TIE * np.sqrt(at[2:] - at[:-2])
    before, after = slope[:-1], slope[1:]
    down, up_again = before > after * bound, before * bound < after
    return np.asarray(down, dtype=np.int8) - np.asarray(up_again, dtype=np.int8)


def _pooled(side: Floats, other: Floats, *, increasing: bool) -> tuple[NDArray[np.intp], Floats]:
    """Pool adjacent violators: the vertices between pools, and the share of ``side`` in each."""
    weight = side + other
    pooled = isotonic_regression(side / weight, weights=weight, increasing=increasing)
    at = np.asarray(pooled.blocks, dtype=np.intp)
    return at, pooled.x[at[:-1]]


def upper_hull(pos: Floats, neg: Floats) -> NDArray[np.intp]:
    """Find the vertices of the upper hull of a curve, whose edges have these counts."""
    # Pooling adjacent violators is the hull, up to rounding: every vertex on or below the chord of
    # its neighbours goes. Ratios of counts decide, so that whole counts are exact.
    keep, rate = _pooled(pos, neg, increasing=False)
    near = keep[np.count_nonzero(rate > _NEAR_ONE)]
    if neg[:near].any():  # probabilities near 1 differ only in their complements
        keep = np.union1d(keep, _pooled(neg, pos, increasing=True)[0])
    while True:
        drop = np.flatnonzero(turns(pos, neg, keep) <= 0)
        if not drop.size:
            return read_only(keep)
        # never two neighbours at once: without one, the other may be a vertex of the hull
        keep = np.delete(keep, drop[::2] + 1)


def cost_optimal_index(fpr: Floats, fnr: Floats, cost_fp: float, cost_fn: float) -> int:
    """Find the first of the cheapest cuts; costs are multiplied by the share of their class."""
    cost = cost_fp * fpr + cost_fn * fnr
    return int(np.flatnonzero(cost <= cost.min() * (1 + _EQUAL))[0])


def simplify(
    x: Floats, y: Floats, keep: NDArray[np.intp], most: int, tolerance: float
) -> ThinnedCurve:
    """Add the farthest vertex again and again (Ramer, Douglas, Peucker, best first).

    Starts from the vertices ``keep`` and stops at ``most`` of them, or when none is farther
    than ``tolerance`` from the polygon.
    """
    first, last = keep[:-1], keep[1:]
    parent, reach = np.full(first.size, -1), np.full(first.size, np.inf)
    steps: list[tuple[NDArray[np.intp], NDArray[np.intp], Floats, Floats]] = []
    known = 0
    while first.size:  # all edges of one depth at once
        at, far = _farthest(x, y, first, last)
        reach = np.minimum(reach, far)  # a vertex is added after the vertices that split its edge
        steps.append((at, parent, far, reach))
        more = np.flatnonzero(far > tolerance)
        parent, reach = np.tile(more + known, 2), np.tile(reach[more], 2)
        known += far.size
        first = np.concatenate((first[more], at[more]))
        last = np.concatenate((at[more], last[more]))
    at, parent, far, reach = (np.concatenate(part) for part in zip(*steps, strict=True))
    order = np.argsort(-reach, kind="stable")[: max(most - keep.size, 0)]
    chosen = np.zeros(at.size, dtype=bool)
    chosen[order] = far[order] > tolerance
    open_ = ~chosen & ((parent < 0) | chosen[parent])
    index = np.union1d(keep, at[chosen])
    bound = float(far[open_].max(initial=0.0))
    return ThinnedCurve(fpr=x[index], tpr=y[index], index=index, bound=bound)


def _farthest(
    x: Floats, y: Floats, first: NDArray[np.intp], last: NDArray[np.intp]
) -> tuple[NDArray[np.intp], Floats]:
    """Find the vertex farthest from the chord of each two vertices, and its distance."""
    dx, dy = x[last] - x[first], y[last] - y[first]
    size = last - first
    start = np.cumsum(size) - size
    # each run starts with its first vertex, which is on the chord, so that no run is empty
    edge, step = repeat_steps(size)
    vertex = first[edge] + step
    # between both the curve rises inside their box, so the line's distance is the chord's
    off = np.abs((x[vertex] - x[first][edge]) * dy[edge] - (y[vertex] - y[first][edge]) * dx[edge])
    most = np.maximum.reduceat(off, start)
    peaks = np.flatnonzero(off == most[edge])
    at = vertex[peaks[np.searchsorted(peaks, start)]]
    span = np.hypot(dx, dy)
    return at, np.divide(most, span, out=np.zeros(span.size), where=span > 0)
