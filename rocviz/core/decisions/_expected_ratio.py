"""Expected linear-fractional metrics of every cut of a ranking, each from one integral."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocviz.core.base.blocks import running_totals, totals_below
from rocviz.core.base.validation import Floats
from rocviz.core.decisions._laplace import NOTHING, laplace_nodes, sums_after, tilt
from rocviz.core.decisions.linear_fractional import INFINITE, LinearFractional

_WIDTH = 4096  # samples at a time, so that arrays stay in the cache
_NODES = 8  # nodes at a time; later ones may be unnecessary
_NONE = np.zeros((1, 1))
_EPS = 8 * float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class _Side:
    """One of the two independent counts: its samples, and how it enters the metric.

    ``step`` is what each adds to the denominator, never negative; ``gain`` what it adds to the
    numerator.
    """

    prob: Floats
    rest: Floats
    step: float
    gain: float


def ratio_utilities(
    probability: Floats, ratio: LinearFractional, zero_division: float
) -> Floats | None:
    r"""Compute each prefix's expected ratio, (n + 1,); None if the denominator changes sign.

    With X true positives (or false ones) and Z misses (or true negatives), chosen such that both
    make the denominator :math:`K_k + A X + B Z` greater,

    .. math:: U_k = \int_0^\infty e^{-s K_k}\, E\left[N e^{-s A X}\, e^{-s B Z}\right] ds

    where expectations are products over samples. Probabilities decrease; ``spare`` is the value
    where the ratio is 0/0.
    """
    n, k = probability.size, np.arange(probability.size + 1.0)
    c, d = np.array(ratio.c), np.array(ratio.d)
    ends = _range(d, n)
    if ends[0] < 0:
        if ends[1] > 0:
            return None
        c, d = -c, -d
    rest = 1 - probability
    # the denominator is d0 n + d2 k + up * TP + over * FN, the numerator likewise
    up, over = float(_sum(d[1], d[3])), d[3]
    lows = [d[0] * n, d[2] * k]
    tops = [c[0] * n, c[2] * k]
    first = _Side(probability, rest, up, c[1] + c[3])
    if up < 0:
        lows.append(up * k)
        tops.append(first.gain * k)
        first = _Side(rest, probability, -up, -first.gain)
    second = _Side(probability, rest, over, c[3])
    if over < 0:
        lows.append(over * (n - k))
        tops.append(second.gain * (n - k))
        second = _Side(rest, probability, -over, -second.gain)
    low, top = _sum(*lows), _sum(*tops)
    missing = _chance_of_nothing(low, top, first, second)

    # a count that is not in the denominator enters by its mean
    if not first.step:
        top = top + first.gain * running_totals(first.prob)
        first = _Side(first.prob, first.rest, 0.0, 0.0)
    if not second.step:
        after = totals_below(second.prob)
        top = top + second.gain * after
        second = _Side(second.prob, second.rest, 0.0, 0.0)
    if first.step or second.step:
        value = _integrate(low, top, first, second)
    else:
        value = np.zeros(n + 1)
        np.divide(top, low, out=value, where=low > 0)
    return value + zero_division * missing


def _sum(*terms: Floats) -> Floats:
    """Add terms; the sum is 0 where only rounding remains."""
    total = np.asarray(sum(terms))
    return np.where(np.abs(total) <= _EPS * sum(map(np.abs, terms)), 0.0, total)


def _range(d: Floats, n: int) -> tuple[float, float]:
    """Bound the denominator, up to rounding.

    It is linear in k, TP and FN, so that the corners suffice.
    """
    corners = [n * _sum(*d[some]) for some in ([0], [0, 3], [0, 2], [0, 1, 2, 3])]
    return float(min(corners)), float(max(corners))


def _chance_of_nothing(low: Floats, top: Floats, first: _Side, second: _Side) -> Floats:
    """Compute the probability of 0/0 at each cut; refuse other zero denominators."""
    n = low.size - 1
    k = np.flatnonzero(low == 0)
    out = np.zeros(n + 1)
    if not k.size:
        return out
    # where a count is not in the denominator, it must not be in the numerator either
    loose = (first.gain * k if not first.step else 0) != 0
    loose = loose | ((second.gain * (n - k) if not second.step else 0) != 0)
    if (loose | (top[k] != 0)).any():
        raise ValueError(INFINITE)
    with np.errstate(divide="ignore"):
        logs = [np.log(x.rest) if x.step else np.zeros(n) for x in (first, second)]
        none_first = running_totals(logs[0])
        none_second = totals_below(logs[1])
    out[k] = np.exp(none_first[k] + none_second[k])
    return out


def _integrate(low: Floats, top: Floats, first: _Side, second: _Side) -> Floats:
    """Integrate for all cuts; ``low`` and ``top`` hold the deterministic terms."""
    n = low.size - 1
    most = low + first.step * np.arange(n + 1) + second.step * np.arange(n, -1, -1)
    some = low[low > 0]
    steps = [side.step for side in (first, second) if side.step]
    least = min([float(some.min())] if some.size else [], default=np.inf)
    if some.size <= n:
        least = min(least, *steps)
    nodes, weights = laplace_nodes(1.0, float(most.max()), least)
    out = np.zeros(n + 1)
    for at in range(0, nodes.size, _NODES):
        here = slice(at, at + _NODES)
        if not _add_nodes(out, nodes[here], weights[here], low, top, first, second):
            break
    return out


def _add_nodes(
    out: Floats, s: Floats, weights: Floats, low: Floats, top: Floats, first: _Side, second: _Side
) -> bool:
    """Add some nodes to the integrals; return whether greater nodes may contribute too."""
    n = low.size - 1
    starts = np.arange(0, n, _WIDTH)
    same = first.prob is second.prob and first.step == second.step
    logs_1, means_1 = _block_sums(first, s)
    logs_2, means_2 = (logs_1, means_1) if same else _block_sums(second, s)
    zero = np.zeros((s.size, 1))
    # sums of the first count before each block, and of the second from it on
    logs_1, means_1 = (np.hstack((zero, np.cumsum(x, axis=1))) for x in (logs_1, means_1))
    logs_2, means_2 = (np.hstack((x + sums_after(x), zero)) for x in (logs_2, means_2))

    log_none = logs_2[:, 0] - s * low[0]  # without predicted positives
    out[0] += weights @ (np.exp(log_none) * (top[0] + second.gain * means_2[:, 0]))
    useful = bool(log_none[-1] > -NOTHING)
    for j, start in enumerate(starts):
        part, cuts = slice(start, start + _WIDTH), slice(start + 1, start + 1 + _WIDTH)
        # mean factors of the first count fall from cut to cut, those of the second rise
        greatest = logs_2[:, 0] if same else logs_1[:, j] + logs_2[:, j + 1]
        rows = np.flatnonzero(greatest - s * low[cuts].min() > -NOTHING)
        if not rows.size:
            continue
        useful = useful or rows[-1] == s.size - 1
        log = -s[rows, None] * low[cuts]
        value = np.broadcast_to(top[cuts], log.shape)
        log_1, tilted_1 = _tilted(first, s[rows], part)
        log_2, tilted_2 = (log_1, tilted_1) if same else _tilted(second, s[rows], part)
        if same:
            log += logs_2[rows, :1]
        else:
            if first.step:
                log += logs_1[rows, j, None] + np.cumsum(log_1, axis=1)
            if second.step:
                log += logs_2[rows, j + 1, None] + sums_after(log_2)
        if first.gain:
            value = value + first.gain * (means_1[rows, j, None] + np.cumsum(tilted_1, axis=1))
        if second.gain:
            value = value + second.gain * (means_2[rows, j + 1, None] + sums_after(tilted_2))
        np.exp(log, out=log)
        log *= value
        out[cuts] += weights[rows] @ log
    return useful


def _tilted(side: _Side, s: Floats, part: slice) -> tuple[Floats, Floats]:
    """Compute logarithms of mean factors and tilted probabilities of some samples."""
    if not side.step:
        return _NONE, _NONE
    return tilt(s * side.step, side.prob[part], side.rest[part])


def _block_sums(side: _Side, s: Floats) -> tuple[Floats, Floats]:
    """Sum both over each block of samples, shape (n_nodes, n_blocks)."""
    starts = range(0, side.prob.size, _WIDTH)
    sums = np.zeros((2, s.size, len(starts)))
    for j, start in enumerate(starts):
        for total, x in zip(sums, _tilted(side, s, slice(start, start + _WIDTH)), strict=True):
            total[:, j] = x.sum(axis=1)
    return sums[0], sums[1]
