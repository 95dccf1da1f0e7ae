"""Geometry of a rising polygon: its upper hull, and which vertices a picture of it needs.

Knows coordinates and counts only; nothing of scores or samples.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from rocviz.core._frozen import Frozen, read_only
from rocviz.core._validation import Floats

# Two products of counts closer than this (relatively) count as equal. Products of counts
# below 3e7 differ by more, so for unweighted data the comparison is exact.
TIE = 4 * np.finfo(np.float64).eps


@dataclass(frozen=True, eq=False)
class ThinnedCurve(Frozen):
    """An ROC curve reduced to the vertices that matter at a drawn size.

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


def turns(pos: Floats, neg: Floats, at: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Return two products per inner vertex; the curve turns down where left > right.

    ``pos`` and ``neg`` are cumulative counts, ``at`` the vertices the curve runs through.
    """
    up, on = np.diff(pos[at]), np.diff(neg[at])
    return up[:-1] * on[1:], up[1:] * on[:-1]


def upper_hull(pos: Floats, neg: Floats, probability: Floats, weight: Floats) -> NDArray[np.intp]:
    """Return indices of the vertices of the upper hull of a curve.

    ``pos`` and ``neg`` are cumulative counts; ``probability`` and ``weight`` are the share of
    positives and the sum of both classes on each edge.
    """
    # Pooling adjacent violators is the hull, up to rounding. Whatever rounding hid inside
    # a block lies above the block's chord and is put back; then every vertex on or below
    # the chord of its neighbours goes. Products of counts decide, so counts are exact.
    pooled = isotonic_regression(probability, weights=weight, increasing=False)
    keep = np.asarray(pooled.blocks, dtype=np.intp)
    length = np.diff(keep)
    first, last = np.repeat(keep[:-1], length), np.repeat(keep[1:], length)
    up = (pos[:-1] - pos[first]) * (neg[last] - neg[first])
    along = (pos[last] - pos[first]) * (neg[:-1] - neg[first])
    keep = np.union1d(keep, np.flatnonzero(up > along * (1 + TIE)))
    while True:
        left, right = turns(pos, neg, keep)
        drop = left <= right * (1 + TIE)
        if not drop.any():
            return read_only(keep)
        keep = np.delete(keep, np.flatnonzero(drop) + 1)


def simplify(
    x: Floats, y: Floats, keep: NDArray[np.intp], most: int, tolerance: float
) -> ThinnedCurve:
    """Add the farthest vertex again and again (Ramer, Douglas, Peucker, best first).

    Starts from the vertices ``keep`` and stops at ``most`` of them, or when none is farther
    than ``tolerance`` from the polygon.
    """

    def farthest(a: int, b: int) -> tuple[float, int, int, int]:
        if b - a < 2:
            return 0.0, a, a, b
        dx, dy = x[b] - x[a], y[b] - y[a]
        # between a and b the curve rises inside their box, so the line's distance is the chord's
        off = np.abs((x[a + 1 : b] - x[a]) * dy - (y[a + 1 : b] - y[a]) * dx)
        at = int(off.argmax())
        span = float(np.hypot(dx, dy))
        return (-float(off[at]) / span if span else 0.0), a + 1 + at, a, b

    heap = [farthest(int(a), int(b)) for a, b in pairwise(keep)]
    heapq.heapify(heap)
    kept = keep.tolist()
    while -heap[0][0] > tolerance and len(kept) < most:
        _, at, a, b = heapq.heappop(heap)
        kept.append(at)
        heapq.heappush(heap, farthest(a, at))
        heapq.heappush(heap, farthest(at, b))
    index = np.array(sorted(kept), dtype=np.intp)
    return ThinnedCurve(fpr=x[index], tpr=y[index], index=index, bound=-heap[0][0])
