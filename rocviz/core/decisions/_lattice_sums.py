"""Double sums of a metric over true positives and misses, for several cuts at a time.

Knows counts and their probabilities; not where these come from.
"""

from __future__ import annotations

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.decisions.utility import Metric

_CELLS = 2**15  # values of the metric at a time


def lattice_sums(
    tp: Floats, of_tp: Floats, fn: Floats, of_fn: Floats, k: Floats, n: int, measure: Metric
) -> tuple[Floats, float]:
    """Return the weighted sum of the metric for each cut.

    The G-Mean and the H-Mean count as 0 here where a class is absent.

    Parameters
    ----------
    tp, fn : ndarray of float, shapes (n_tp,) and (n_fn,)
        Counts of true positives and of misses.
    of_tp, of_fn : ndarray of float, shapes (n_cuts, n_tp) and (n_cuts, n_fn)
        Their weights at each cut; zero where a count is impossible.
    k : ndarray of float, shape (n_cuts,)
        Predicted positives.
    n : int
        Samples.
    measure : Metric

    Returns
    -------
    sums : ndarray of float, shape (n_cuts,)
    greatest : float
        Of the metric's sizes that were met.
    """
    if measure.name in ("g_mean", "h_mean"):
        pos = tp[:, None] + fn
        tn = np.maximum(n - k[:, None] - fn, 0.0)
        sums = _g_mean if measure.name == "g_mean" else _h_mean
        return sums(tp, of_tp, tn, of_fn, pos, n - pos), 1.0
    out, greatest = np.zeros(k.size), 0.0
    possible = np.minimum(fn, n - k[:, None])
    columns = max(1, min(tp.size, _CELLS // fn.size))
    rows = max(1, _CELLS // (columns * fn.size))
    for i in range(0, k.size, rows):
        cuts, cut = slice(i, i + rows), k[i : i + rows, None, None]
        for j in range(0, tp.size, columns):
            part = slice(j, j + columns)
            hit = np.minimum(tp[part, None], cut)
            value = measure.at_counts(hit, cut, hit + possible[cuts, None, :], n)
            greatest = max(greatest, float(np.abs(value).max()))
            by_tp = (value @ of_fn[cuts, :, None])[..., 0]
            out[cuts] += (by_tp * of_tp[cuts, part]).sum(axis=1)
    return out, greatest


def _g_mean(
    tp: Floats, of_tp: Floats, tn: Floats, of_fn: Floats, pos: Floats, neg: Floats
) -> Floats:
    """Sum the square root of TP TN / (P N): true negatives do not depend on true positives."""
    both = pos * neg
    root = np.sqrt(tp[:, None] / np.where(both > 0, both, np.inf))
    return np.asarray(((of_tp @ root) * (np.sqrt(tn) * of_fn)).sum(axis=1))


def _h_mean(
    tp: Floats, of_tp: Floats, tn: Floats, of_fn: Floats, pos: Floats, neg: Floats
) -> Floats:
    """Sum 2 TP TN / (TP N + TN P)."""
    out = np.empty(of_tp.shape[0])
    hit = tp[:, None] * neg
    top = 2 * tn * of_fn
    rows = max(1, _CELLS // pos.size)
    for i in range(0, out.size, rows):
        cuts = slice(i, i + rows)
        bottom = tn[cuts, None, :] * pos
        bottom += hit
        # whole numbers: below 1 only where the numerator is 0 too, or the weight
        np.maximum(bottom, 1.0, out=bottom)
        np.reciprocal(bottom, out=bottom)
        by_tp = (bottom @ top[cuts, :, None])[..., 0]
        out[cuts] = (by_tp * (tp * of_tp[cuts])).sum(axis=1)
    return out
