"""The logistic loss of all pairs, its slopes and its curvature, without visiting the pairs.

A sum of smooth functions of a score is smooth: on panels one unit wide it is a short Chebyshev
series, and so is each term as a function of the other score. Beyond 40 units the loss is linear or
an exponential, to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, cached_property

import numpy as np
from scipy.special import expit

from rocviz.core.base.frozen import read_only
from rocviz.core.base.validation import Floats

# The loss has its singularities at a distance of pi from the real line, so the coefficients on
# a panel of half-width 1/2 fall by a factor of 12.6 from one degree to the next.
_TERMS = 14
_FAR = 40  # panels: from here on the loss is its asymptote
_WIDTH = 4096  # scores at a time, so that arrays stay in the cache
_KEPT = 65_536  # most scores whose polynomials are kept, 7 MB
_DENSE = 1600  # most pairs of panels in one matrix

_KERNELS: dict[str, Callable[[Floats], Floats]] = {
    "loss": lambda d: np.logaddexp(0.0, d),
    "slope": expit,
    "curvature": lambda d: expit(d) * expit(-d),
}


class LogisticPairs:
    """``sum of u_i v_j log(1 + exp(b_j - a_i))`` over positives at a_i and negatives at b_j.

    The error is below 1e-13 of the sum, be it ever so small. Takes O(n log n) time.

    Takes finite scores and positive weights of both classes, as ``HingePairs`` does.
    """

    def __init__(
        self, pos_score: Floats, neg_score: Floats, pos_weight: Floats, neg_weight: Floats
    ) -> None:
        self._pos = _Panels(pos_score)
        self._neg = _Panels(neg_score)
        self._pos_weight = pos_weight
        self._neg_weight = neg_weight
        self._of_pos = self._pos.moments(pos_weight)
        self._of_neg = self._neg.moments(neg_weight)
        self._kernels = {name: _Kernel(name, self._pos.at, self._neg.at) for name in _KERNELS}

    @cached_property
    def value(self) -> float:
        """The sum."""
        return float((self._of_pos * self._kernels["loss"].of_pos(self._of_neg)).sum())

    @cached_property
    def slopes(self) -> tuple[Floats, Floats]:
        """Derivatives with respect to the scores of positives and negatives."""
        slope = self._kernels["slope"]
        below = self._pos.values(slope.of_pos(self._of_neg))
        above = self._neg.values(slope.of_neg(self._of_pos))
        return -self._pos_weight * below, self._neg_weight * above

    @cached_property
    def _bends(self) -> tuple[Floats, Floats]:
        """Second derivatives, without the weight of the score itself."""
        curvature = self._kernels["curvature"]
        return (
            self._pos.values(curvature.of_pos(self._of_neg)),
            self._neg.values(curvature.of_neg(self._of_pos)),
        )

    def curvature(self, pos_step: Floats, neg_step: Floats) -> tuple[Floats, Floats]:
        """Multiply the Hessian by a step of the scores."""
        curvature, (pos_bend, neg_bend) = self._kernels["curvature"], self._bends
        from_neg = curvature.of_pos(self._neg.moments(self._neg_weight * neg_step))
        from_pos = curvature.of_neg(self._pos.moments(self._pos_weight * pos_step))
        return (
            self._pos_weight * (pos_bend * pos_step - self._pos.values(from_neg)),
            self._neg_weight * (neg_bend * neg_step - self._neg.values(from_pos)),
        )


class _Panels:
    """Scores sorted into panels [k, k + 1), and the Chebyshev polynomials at their places there.

    ``at`` holds the occupied panels in increasing order, as floats: scores may be huge.
    """

    def __init__(self, score: Floats) -> None:
        self.order = np.argsort(score)
        ranked = score[self.order]
        panel = np.floor(ranked)
        start = np.concatenate(([0], np.flatnonzero(np.diff(panel)) + 1))
        self.at = panel[start]
        ends = [*start[1:].tolist(), score.size]
        self._parts = [slice(a, b) for a, b in zip(start.tolist(), ends, strict=True)]
        self._place = 2 * (ranked - panel) - 1

    def _blocks(self, part: slice) -> Iterator[tuple[slice, Floats]]:
        """Yield the polynomials in blocks, since those of many scores are not kept."""
        for start in range(part.start, part.stop, _WIDTH):
            block = slice(start, min(start + _WIDTH, part.stop))
            few = self._place.size <= _KEPT
            yield block, self._basis[:, block] if few else _polynomials(self._place[block])

    @cached_property
    def _basis(self) -> Floats:
        return _polynomials(self._place)

    def moments(self, weight: Floats) -> Floats:
        """Sum the weighted polynomials in each panel, shape (n_panels, n_terms)."""
        ranked = weight[self.order]
        moments = np.zeros((len(self._parts), _TERMS))
        for row, part in zip(moments, self._parts, strict=True):
            for block, basis in self._blocks(part):
                row += basis @ ranked[block]
        return moments

    def values(self, series: Floats) -> Floats:
        """Evaluate each panel's series at its scores, in the order of the samples."""
        ranked = np.empty(self.order.size)
        for part, terms in zip(self._parts, series, strict=True):
            for block, basis in self._blocks(part):
                ranked[block] = terms @ basis
        values = np.empty_like(ranked)
        values[self.order] = ranked
        return values


def _polynomials(place: Floats) -> Floats:
    """Evaluate the Chebyshev polynomials at places from -1 to 1, shape (n_terms, n_places)."""
    basis = np.empty((_TERMS, place.size))
    basis[0] = 1.0
    basis[1] = place
    twice = 2 * place
    for k in range(2, _TERMS):
        np.multiply(twice, basis[k - 1], out=basis[k])
        basis[k] -= basis[k - 2]
    return basis


class _Kernel:
    """A function of ``negative - positive`` between panels: from moments to series."""

    def __init__(self, name: str, pos_at: Floats, neg_at: Floats) -> None:
        self._name = name
        self._pos = pos_at
        self._neg = neg_at

    @cached_property
    def _matrix(self) -> Floats | None:
        """All blocks as one matrix, if there are not too many."""
        if self._pos.size * self._neg.size > _DENSE:
            return None
        apart = self._neg - self._pos[:, None]
        blocks = _table(self._name)[np.clip(apart, -_FAR, _FAR).astype(np.intp) + _FAR]
        fall, rise = _exponentials()
        for end in self._vanishing(-1):
            far = end * apart >= _FAR
            terms = np.outer(fall, rise) if end < 0 else np.outer(rise, fall)
            blocks[far] = np.exp(-np.abs(apart[far]))[:, None, None] * terms
        if self._name == "loss":
            blocks[:, :, 0, 0] += np.maximum(apart - _FAR, 0.0)
        wide = blocks.transpose(0, 2, 1, 3)
        return wide.reshape(self._pos.size * _TERMS, self._neg.size * _TERMS)

    def _vanishing(self, low: int) -> tuple[int, ...]:
        """List the ends with an exponential tail: ``low``, and both for the curvature."""
        return (low, -low) if self._name == "curvature" else (low,)

    def of_pos(self, moments: Floats) -> Floats:
        """Turn the negatives' moments into series on the positives' panels."""
        if self._matrix is not None:
            return (self._matrix @ moments.ravel()).reshape(-1, _TERMS)
        series = np.zeros((self._pos.size, _TERMS))
        for end in self._vanishing(-1):
            series += _beyond(self._pos, self._neg, moments, end)
        for apart, block in zip(range(1 - _FAR, _FAR), _table(self._name)[1:-1], strict=True):
            to, of = _meet(self._pos, apart, self._neg)
            series[to] += moments[of] @ block.T
        first = self._neg.size - _n_far_below(-self._neg[::-1], -self._pos)
        if self._name == "slope":
            series[:, 0] += _sums_from(moments[:, 0])[first]
        elif self._name == "loss":
            weight = _sums_from(moments[:, 0])
            total = weight[first]
            # Panel by panel the distances of all above grow by the gap: sums of positive terms.
            # Moments about a fixed point would cancel where scores are far from it.
            grown = np.append(np.diff(self._neg) * weight[1:-1], [0.0, 0.0])
            nearest = self._neg[np.minimum(first, self._neg.size - 1)]
            far = _sums_from(grown)[:-1][first] + (nearest - self._pos) * total
            series[:, 0] += far + 0.5 * _sums_from(moments[:, 1])[first]
            series[:, 1] -= 0.5 * total
        return series

    def of_neg(self, moments: Floats) -> Floats:
        """Turn the positives' moments into series on the negatives' panels."""
        if self._matrix is not None:
            return (moments.ravel() @ self._matrix).reshape(-1, _TERMS)
        series = np.zeros((self._neg.size, _TERMS))
        for end in self._vanishing(1):
            series += _beyond(self._neg, self._pos, moments, end)
        for apart, block in zip(range(1 - _FAR, _FAR), _table(self._name)[1:-1], strict=True):
            of, to = _meet(self._pos, apart, self._neg)
            series[to] += moments[of] @ block
        if self._name == "slope":
            until = _n_far_below(self._pos, self._neg)
            series[:, 0] += np.concatenate(([0.0], np.cumsum(moments[:, 0])))[until]
        return series


def _beyond(to: Floats, of: Floats, moments: Floats, end: int) -> Floats:
    """Expand ``exp(-|d|)`` summed over all panels far below (``end`` is -1) or above (1).

    A running sum fades from one panel to the next, so that no exponential is more than 1.
    """
    near, far = _exponentials()
    if end > 0:  # the same from the other side
        to, of, moments, near, far = -to[::-1], -of[::-1], moments[::-1], far, near
    total = 0.0
    sums: list[float] = []
    fade = [0.0, *np.exp(of[:-1] - of[1:]).tolist()]
    for left, more in zip(fade, (moments @ far).tolist(), strict=True):
        total = total * left + more
        sums.append(total)
    last = _n_far_below(of, to) - 1
    size = np.where(last < 0, 0.0, np.exp(np.minimum(of[last] - to, 0.0)) * np.array(sums)[last])
    return np.asarray(np.outer(size, near)[::-end])


def _meet(one: Floats, apart: int, other: Floats) -> tuple[np.ndarray, np.ndarray]:
    """Find the index pairs at which ``other`` exceeds ``one`` by exactly ``apart``."""
    above = one + apart
    at = np.searchsorted(other, above)
    # numbers near 1e16 do not have a neighbour at every distance: a rounded one does not count
    there = (other[np.minimum(at, other.size - 1)] == above) & (above - one == apart)
    mine = np.flatnonzero((at < other.size) & there)
    return mine, at[mine]


def _n_far_below(increasing: Floats, at: Floats) -> np.ndarray:
    """Count the increasing numbers that are ``_FAR`` or more below each of ``at``."""
    limit = at - _FAR
    left, right = (np.searchsorted(increasing, limit, side=side) for side in ("left", "right"))
    return np.where(at - limit < _FAR, left, right)  # where the limit was rounded


def _sums_from(values: Floats) -> Floats:
    """Sum the entries from each position on; the last sum, of no entries, is 0."""
    return np.concatenate((np.cumsum(values[::-1])[::-1], [0.0]))


def _to_series() -> tuple[Floats, Floats]:
    """Compute Chebyshev nodes, from a panel's middle, and the matrix from values to series."""
    angle = np.pi * (np.arange(_TERMS) + 0.5) / _TERMS
    to_series = np.cos(np.outer(np.arange(_TERMS), angle)) * 2 / _TERMS
    to_series[0] /= 2
    return np.cos(angle) / 2, to_series


@cache
def _exponentials() -> tuple[Floats, Floats]:
    """Expand ``exp(-x)`` and ``exp(x)`` on a panel, x from 0 to 1."""
    node, to_series = _to_series()
    fall, rise = (read_only(to_series @ np.exp(sign * (node + 0.5))) for sign in (-1, 1))
    return fall, rise


@cache
def _table(name: str) -> Floats:
    """Tabulate double Chebyshev series for panels -40 to 40 apart, shape (81, terms, terms)."""
    node, to_series = _to_series()
    apart = np.arange(-_FAR, _FAR + 1.0)[:, None, None]
    # the ends represent everything farther out, so they hold the asymptote itself
    apart[0] = -np.inf
    apart[-1] = np.inf if name != "loss" else _FAR
    return read_only(to_series @ _KERNELS[name](apart + node - node[:, None]) @ to_series.T)
