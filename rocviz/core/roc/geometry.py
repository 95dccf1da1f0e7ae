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
SLOPE_TOLERANCE = 4 * np.finfo(np.float64).eps

_MIN_NEAR_ONE = 1 - 1e-6
# Relative difference of equal costs, which are sums of two rounded products.
_COST_TOLERANCE = 16 * np.finfo(np.float64).eps


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


def turns(pos: Floats, neg: Floats, vertices: NDArray[np.intp]) -> NDArray[np.int8]:
    """Mark for each inner vertex whether the curve turns down there (1), up (-1) or not (0).

    ``pos`` and ``neg`` are counts of the edges, ``vertices`` those the curve runs through.
    """
    # sums of an edge are right to a few units in their last place, however small they are
    height = np.add.reduceat(pos, vertices[:-1])
    width = np.add.reduceat(neg, vertices[:-1])
    with np.errstate(divide="ignore"):
        slope = height / width
    bound = 1 + SLOPE_TOLERANCE * np.sqrt(vertices[2:] - vertices[:-2])
    before = slope[:-1]
    after = slope[1:]
    turns_down = before > after * bound
    turns_up = before * bound < after
    return np.asarray(turns_down, dtype=np.int8) - np.asarray(turns_up, dtype=np.int8)


def _pooled(side: Floats, other: Floats, *, increasing: bool) -> tuple[NDArray[np.intp], Floats]:
    """Pool adjacent violators: the vertices between pools, and the share of ``side`` in each."""
    weight = side + other
    pooled = isotonic_regression(side / weight, weights=weight, increasing=increasing)
    vertices = np.asarray(pooled.blocks, dtype=np.intp)
    return vertices, pooled.x[vertices[:-1]]


def upper_hull(pos: Floats, neg: Floats) -> NDArray[np.intp]:
    """Find the vertices of the upper hull of a curve, whose edges have these counts."""
    # Pooling adjacent violators is the hull, up to rounding: every vertex on or below the chord of
    # its neighbours goes. Ratios of counts decide, so that whole counts are exact.
    keep, rate = _pooled(pos, neg, increasing=False)
    near = keep[np.count_nonzero(rate > _MIN_NEAR_ONE)]
    if neg[:near].any():  # probabilities near 1 differ only in their complements
        keep = np.union1d(keep, _pooled(neg, pos, increasing=True)[0])
    while True:
        drop = np.flatnonzero(turns(pos, neg, keep) <= 0)
        if not drop.size:
            return read_only(keep)
        # never two neighbours at once: without one, the other may be a vertex of the hull
        keep = np.delete(keep, drop[::2] + 1)


def cost_optimal_index(fpr: Floats, fnr: Floats, cost_fp: float, cost_fn: float) -> int:
    """Find the first threshold of the lowest cost, from costs times the share of their class."""
    cost = cost_fp * fpr + cost_fn * fnr
    return int(np.flatnonzero(cost <= cost.min() * (1 + _COST_TOLERANCE))[0])


def simplify(
    x: Floats, y: Floats, keep: NDArray[np.intp], max_vertices: int, tolerance: float
) -> ThinnedCurve:
    """Add the farthest vertex again and again (Ramer, Douglas, Peucker, best first).

    Starts from the vertices ``keep`` and stops at ``max_vertices``, or when none is farther
    than ``tolerance`` from the polygon.
    """
    first = keep[:-1]
    last = keep[1:]
    parent = np.full(first.size, -1)
    reach = np.full(first.size, np.inf)
    vertices = []
    parents = []
    distances = []
    reaches = []
    n_known = 0
    while first.size:  # all edges of one depth at once
        vertex, distance = _farthest(x, y, first, last)
        # a vertex is added after the vertices that split its edge
        reach = np.minimum(reach, distance)
        vertices.append(vertex)
        parents.append(parent)
        distances.append(distance)
        reaches.append(reach)
        split = np.flatnonzero(distance > tolerance)
        parent = np.tile(split + n_known, 2)
        reach = np.tile(reach[split], 2)
        n_known += distance.size
        first = np.concatenate((first[split], vertex[split]))
        last = np.concatenate((vertex[split], last[split]))
    vertex = np.concatenate(vertices)
    parent = np.concatenate(parents)
    distance = np.concatenate(distances)
    order = np.argsort(-np.concatenate(reaches), kind="stable")
    order = order[: max(max_vertices - keep.size, 0)]
    is_added = np.zeros(vertex.size, dtype=bool)
    is_added[order] = distance[order] > tolerance
    is_left = ~is_added & ((parent < 0) | is_added[parent])
    index = np.union1d(keep, vertex[is_added])
    bound = float(distance[is_left].max(initial=0.0))
    return ThinnedCurve(fpr=x[index], tpr=y[index], index=index, bound=bound)


def _farthest(
    x: Floats, y: Floats, first: NDArray[np.intp], last: NDArray[np.intp]
) -> tuple[NDArray[np.intp], Floats]:
    """Find the vertex farthest from the chord of each two vertices, and its distance."""
    dx = x[last] - x[first]
    dy = y[last] - y[first]
    size = last - first
    start = np.cumsum(size) - size
    # each run starts with its first vertex, which is on the chord, so that no run is empty
    edge, step = repeat_steps(size)
    vertex = first[edge] + step
    # between both the curve rises inside their box, so the line's distance is the chord's
    area = np.abs((x[vertex] - x[first][edge]) * dy[edge] - (y[vertex] - y[first][edge]) * dx[edge])
    largest = np.maximum.reduceat(area, start)
    peaks = np.flatnonzero(area == largest[edge])
    farthest = vertex[peaks[np.searchsorted(peaks, start)]]
    span = np.hypot(dx, dy)
    return farthest, np.divide(largest, span, out=np.zeros(span.size), where=span > 0)
