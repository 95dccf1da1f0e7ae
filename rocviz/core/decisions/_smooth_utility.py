"""Expected utility of the prefixes of a ranking, for metrics without bends, from a few counts.

The counts of n outcomes spread over the root of n, and the metric changes over n itself: where both
are far from their ends, a polynomial of low degree is the metric, and its expectation needs no more
of the law of each count than its first moments.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb, factorial
from typing import Any

import numpy as np
from numpy.polynomial import hermite_e, polynomial

from rocviz.core.base.validation import Bools, Floats
from rocviz.core.decisions.utility import Metric

# Counts on each side: of the sum itself, and of the one it is checked with; and the share of the
# tolerance by which these may differ. Few will do at nearly all prefixes of a large batch.
_QUADRATURE_RULES = ((5, 7, 1 / 8), (9, 11, 1.0))
_MAX_MOMENTS = 11
_PREFIXES_PER_CHECK = 8  # prefixes between two checks
_SAMPLES_PER_BLOCK = 4096  # so that arrays stay in the cache
_CELLS_PER_BLOCK = 2**15  # values of the metric at a time


@dataclass(frozen=True)
class _Moments:
    """Mean, standard deviation and standardised central moments of a count, at many prefixes."""

    mean: Floats
    scale: Floats
    central: Floats

    def select(self, prefixes: Any) -> _Moments:
        """Select the moments at some prefixes."""
        return _Moments(self.mean[prefixes], self.scale[prefixes], self.central[:, prefixes])

    def nodes(self, size: int) -> tuple[Floats, Floats]:
        """Compute counts and their weights, both of shape (n_prefixes, size)."""
        standard_nodes, matrix = _rule(size)
        counts = self.mean[:, None] + self.scale[:, None] * standard_nodes
        return counts, (matrix @ self.central[:size]).T

    def within(self, low: float, high: Floats) -> Bools:
        """Mark the prefixes at which all requested counts are possible."""
        standard_nodes, _ = _rule(len(self.central))
        reach = standard_nodes[-1] * self.scale
        inside = (self.mean - reach >= low) & (self.mean + reach <= high)
        return np.asarray(inside & (self.scale > 0))


def smooth_utilities(
    probability: Floats, measure: Metric, tol: float, unit: float = 1.0
) -> tuple[Floats, float]:
    """Compute the expected utility of each prefix, NaN where this fails; and a bound on the error.

    Probabilities decrease. The metric has no bends and jumps: two rules that agree at every eighth
    prefix are then right at all. They may differ by ``tol``, in units of the metric's greatest
    value or of ``unit``; the error is their greatest difference where they were compared.
    """
    n = probability.size
    out = np.full(n + 1, np.nan)
    error = 0.0
    starts = range(0, n, _SAMPLES_PER_BLOCK)
    blocks = [probability[start : start + _SAMPLES_PER_BLOCK] for start in starts]
    totals = np.array([_cumulants(block, _MAX_MOMENTS).sum(axis=1) for block in blocks])
    nothing = np.zeros((1, _MAX_MOMENTS))
    before = np.cumsum(np.concatenate((nothing, totals[:-1])), axis=0)
    after = np.cumsum(np.concatenate((nothing, totals[:0:-1])), axis=0)[::-1]
    for start, block, above, below in zip(starts, blocks, before, after, strict=True):
        k = np.arange(start, start + block.size + 1.0)
        values = out[start : start + k.size]
        for coarse, fine, share in _QUADRATURE_RULES:
            prefixes = np.flatnonzero(np.isnan(values))
            if not prefixes.size:
                break
            cumulants = _cumulants(block, fine)
            sums = np.zeros((fine, k.size))
            np.cumsum(cumulants, axis=1, out=sums[:, 1:])
            sums_after = np.zeros_like(sums)
            np.cumsum(cumulants[:, ::-1], axis=1, out=sums_after[:, 1:])
            tp = _moments(above[:fine, None] + sums[:, prefixes])
            fn = _moments(below[:fine, None] + sums_after[:, ::-1][:, prefixes])
            inside = tp.within(0.0, k[prefixes]) & fn.within(0.0, n - k[prefixes])
            if not inside.any():
                break
            prefixes = prefixes[inside]
            values[prefixes], difference = _checked_sums(
                tp.select(inside),
                fn.select(inside),
                k[prefixes],
                n,
                measure,
                (coarse, fine),
                share * tol,
                unit,
            )
            error = max(error, difference)
    return out, error


def _checked_sums(
    tp: _Moments,
    fn: _Moments,
    k: Floats,
    n: int,
    measure: Metric,
    sizes: tuple[int, int],
    tol: float,
    unit: float,
) -> tuple[Floats, float]:
    """Compute expected utilities at some prefixes, NaN where the rules disagree, and the error."""
    out = np.full(k.size, np.nan)
    coarse, fine = sizes
    checked = np.union1d(np.arange(0, k.size, _PREFIXES_PER_CHECK), k.size - 1)
    tp_checked = tp.select(checked)
    fn_checked = fn.select(checked)
    coarse_sums = _sums(coarse, tp_checked, fn_checked, k[checked], n, measure)
    fine_sums = _sums(fine, tp_checked, fn_checked, k[checked], n, measure)
    difference = np.abs(coarse_sums - fine_sums)
    agrees = difference <= tol * np.maximum(np.abs(fine_sums), unit)
    # the checks before and after each prefix
    previous = np.minimum(np.arange(k.size) // _PREFIXES_PER_CHECK, max(checked.size - 2, 0))
    following = np.minimum(previous + 1, checked.size - 1)
    good = agrees[previous] & agrees[following]
    if not good.any():
        return out, 0.0
    out[good] = _sums(coarse, tp.select(good), fn.select(good), k[good], n, measure)
    return out, float(difference[agrees].max(initial=0.0))


def _sums(size: int, tp: _Moments, fn: _Moments, k: Floats, n: int, measure: Metric) -> Floats:
    """Compute weighted sums of the metric, NaN where it cannot be evaluated."""
    out = np.empty(k.size)
    rows = max(1, _CELLS_PER_BLOCK // size**2)
    for start in range(0, k.size, rows):
        part = slice(start, start + rows)
        tp_count, tp_weight = tp.select(part).nodes(size)
        fn_count, fn_weight = fn.select(part).nodes(size)
        positives = tp_count[:, :, None] + fn_count[:, None, :]
        try:
            value = measure.at_counts(tp_count[:, :, None], k[part, None, None], positives, n)
        except ValueError:
            out[part] = np.nan  # between counts; at counts it may be finite
        else:
            out[part] = ((value @ fn_weight[:, :, None])[..., 0] * tp_weight).sum(axis=1)
    return out


# ---------------------------------------------------------------------- moments of counts


def _cumulants(prob: Floats, size: int) -> Floats:
    """Compute the first cumulants of single outcomes, shape (size, n).

    Each is p (1 - p) times the derivative of the one before: a polynomial in w = p (1 - p), every
    other one times d = 1 - 2 p.
    """
    w = prob * (1 - prob)
    d = 1 - 2 * prob
    rows = np.empty((size, prob.size))
    rows[0] = prob
    for i, series in enumerate(_series()[: size - 1]):
        rows[i + 1] = polynomial.polyval(w, series)
        if i % 2:
            rows[i + 1] *= d
    return rows


@lru_cache
def _series() -> tuple[Floats, ...]:
    """Compute the polynomials in w of the cumulants from the second on."""
    series = [np.array([0.0, 1.0])]
    while len(series) < _MAX_MOMENTS - 1:
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
