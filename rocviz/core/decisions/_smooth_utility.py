"""Expected utility of the cuts of a ranking, for metrics without bends: a few counts stand for all.

The counts of n outcomes spread over the root of n, and the metric changes over n itself: where both
are far from their ends, a polynomial of low degree is the metric, and its expectation needs no more
of the law of each count than its first moments.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import comb, factorial
from typing import Any

import numpy as np
from numpy.polynomial import hermite_e, polynomial

from rocviz.core.base.validation import Bools, Floats
from rocviz.core.decisions.utility import Metric

# Counts on each side: of the sum itself, and of the one it is checked with; and the share of the
# tolerance by which these may differ. Few will do at nearly all cuts of a large batch.
_RULES = ((5, 7, 1 / 8), (9, 11, 1.0))
_MOST = 11  # largest number of moments
_EVERY = 8  # cuts between two checks
_WIDTH = 4096  # samples at a time, so that arrays stay in the cache
_CELLS = 2**15  # values of the metric at a time


@dataclass(frozen=True)
class _Moments:
    """Mean, standard deviation and standardised central moments of a count, at many cuts."""

    mean: Floats
    scale: Floats
    central: Floats

    def at(self, cuts: Any) -> _Moments:
        return _Moments(self.mean[cuts], self.scale[cuts], self.central[:, cuts])

    def nodes(self, size: int) -> tuple[Floats, Floats]:
        """Compute counts and their weights, both of shape (n_cuts, size)."""
        places, matrix = _rule(size)
        return self.mean[:, None] + self.scale[:, None] * places, (matrix @ self.central[:size]).T

    def within(self, low: float, high: Floats) -> Bools:
        """Mark the cuts at which all requested counts are possible."""
        reach = _rule(len(self.central))[0][-1] * self.scale
        inside = (self.mean - reach >= low) & (self.mean + reach <= high)
        return np.asarray(inside & (self.scale > 0))


def smooth_utilities(
    probability: Floats, measure: Metric, tol: float, unit: float = 1.0
) -> tuple[Floats, float]:
    """Compute the expected utility of each prefix, NaN where this fails; and a bound on the error.

    Probabilities decrease. The metric has no bends and jumps: two rules that agree at every eighth
    cut are then right at all. They may differ by ``tol``, in units of the metric's greatest value
    or of ``unit``; the error is their greatest difference where they were compared.
    """
    n = probability.size
    out, error = np.full(n + 1, np.nan), 0.0
    starts = range(0, n, _WIDTH)
    parts = [probability[start : start + _WIDTH] for start in starts]
    totals = [np.zeros(_MOST), *(_cumulants(part, _MOST).sum(axis=1) for part in parts)]
    before = accumulate(totals[:-1])
    after = [*accumulate(totals[:1] + totals[:1:-1])][::-1]
    for start, part, above, below in zip(starts, parts, before, after, strict=True):
        k = np.arange(start, start + part.size + 1.0)
        values = out[start : start + k.size]
        left = np.isnan(values)
        for coarse, size, share in _RULES:
            if not left.any():
                break
            each = _cumulants(part, size)
            sums = np.zeros((size, k.size))
            np.cumsum(each, axis=1, out=sums[:, 1:])
            rest = np.zeros_like(sums)
            np.cumsum(each[:, ::-1], axis=1, out=rest[:, 1:])
            some = np.flatnonzero(left)
            tp = _moments(above[:size, None] + sums[:, some])
            fn = _moments(below[:size, None] + rest[:, ::-1][:, some])
            inside = np.flatnonzero(tp.within(0.0, k[some]) & fn.within(0.0, n - k[some]))
            if not inside.size:
                break
            some = some[inside]
            at = tp.at(inside), fn.at(inside), k[some], n, measure
            values[some], off = _at_cuts(*at, (coarse, size), share * tol, unit)
            error = max(error, off)
            left = np.isnan(values)
    return out, error


def _at_cuts(
    tp: _Moments,
    fn: _Moments,
    k: Floats,
    n: int,
    measure: Metric,
    nodes: tuple[int, int],
    tol: float,
    unit: float,
) -> tuple[Floats, float]:
    """Compute expected utilities at some cuts, NaN where the rules disagree, and the error."""
    checked = np.union1d(np.arange(0, k.size, _EVERY), k.size - 1)
    few = tp.at(checked), fn.at(checked), k[checked], n, measure
    rough, fine = (_sums(size, *few) for size in nodes)
    apart = np.abs(rough - fine)
    good = apart <= tol * np.maximum(np.abs(fine), unit)
    # between two passed checks
    between = np.minimum(np.arange(k.size) // _EVERY, checked.size - 2 if checked.size > 1 else 0)
    some = good[between] & good[np.minimum(between + 1, checked.size - 1)]
    out = np.full(k.size, np.nan)
    if some.any():
        out[some] = _sums(nodes[0], tp.at(some), fn.at(some), k[some], n, measure)
    return out, float(apart[good].max(initial=0.0)) if some.any() else 0.0


def _sums(size: int, tp: _Moments, fn: _Moments, k: Floats, n: int, measure: Metric) -> Floats:
    """Compute weighted sums of the metric, NaN where it cannot be evaluated."""
    out = np.empty(k.size)
    rows = max(1, _CELLS // size**2)
    for i in range(0, k.size, rows):
        part = slice(i, i + rows)
        (hit, of_hit), (miss, of_miss) = (x.at(part).nodes(size) for x in (tp, fn))
        pos = hit[:, :, None] + miss[:, None, :]
        try:
            value = measure.at_counts(hit[:, :, None], k[part, None, None], pos, n)
        except ValueError:
            out[part] = np.nan  # between counts; at counts it may be finite
        else:
            out[part] = ((value @ of_miss[:, :, None])[..., 0] * of_hit).sum(axis=1)
    return out


# ---------------------------------------------------------------------- moments of counts


def _cumulants(prob: Floats, size: int) -> Floats:
    """Compute the first cumulants of single outcomes, shape (size, n).

    Each is p (1 - p) times the derivative of the one before: a polynomial in w = p (1 - p), every
    other one times d = 1 - 2 p.
    """
    w, d = prob * (1 - prob), 1 - 2 * prob
    rows = np.empty((size, prob.size))
    rows[0] = prob
    for i, series in enumerate(_series()[: size - 1]):
        rows[i + 1] = polynomial.polyval(w, series) * (d if i % 2 else 1.0)
    return rows


@lru_cache
def _series() -> tuple[Floats, ...]:
    """Compute the polynomials in w of the cumulants from the second on."""
    series = [np.array([0.0, 1.0])]
    while len(series) < _MOST - 1:
        slope = polynomial.polyder(series[-1])
        if len(series) % 2 == 0:
            # of d times a polynomial g: d' = -2, and d squared is 1 - 4 w
            slope = polynomial.polysub(polynomial.polymul((1, -4), slope), 2 * series[-1])
        series.append(polynomial.polymulx(slope))
    return tuple(series)


def _moments(cumulants: Floats) -> _Moments:
    """Compute the moments of sums of outcomes from their cumulants."""
    # a narrower law reaches the ends of its range, or is summed directly
    scale = np.where(cumulants[1] > 1, np.sqrt(np.maximum(cumulants[1], 0.0)), 0.0)
    unit = np.maximum(scale, 1.0)
    standard = cumulants / unit ** np.arange(1, len(cumulants) + 1)[:, None]
    central = np.zeros_like(cumulants)
    central[0] = 1.0
    for j in range(1, len(central) - 1):
        for i in range(1, j + 1):
            central[j + 1] += comb(j, i) * standard[i] * central[j - i]
    return _Moments(cumulants[0], scale, central)


@lru_cache
def _rule(size: int) -> tuple[Floats, Floats]:
    """Compute nodes, and the matrix from the moments below ``size`` to their weights.

    The nodes are Gauss' for the normal law. The weights give the polynomials of lower degree
    the expectations they have, whatever the law.
    """
    nodes, weights = hermite_e.hermegauss(size)
    matrix = np.zeros((size, size))
    for j, unit in enumerate(np.eye(size)):
        series = hermite_e.herme2poly(unit[: j + 1]) / factorial(j)
        matrix[:, : j + 1] += np.outer(weights * hermite_e.hermeval(nodes, unit), series)
    return nodes, matrix / weights.sum()
