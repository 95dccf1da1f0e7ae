"""Expected metrics of every prefix of a ranking, from integrals over products.

Since 1/x is the integral of exp(-x s), the expectation of a ratio becomes an integral over
products, one factor per sample. AM, Q-Mean and G-TP/PR are sums over samples of one term for each
class; a linear-fractional metric is one integral.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from rocviz.core.base.blocks import running_totals, totals_below
from rocviz.core.base.validation import Floats
from rocviz.core.decisions.linear_fractional import INFINITE_MESSAGE, LinearFractional

# Nodes at which products are smaller than exp(-60) are left out.
_MAX_EXPONENT = 60.0
_N_LEFT_NODES = 8  # nodes that replace all those below the first one of the trapezoid rule
_MIN_MEAN = 1e-300  # of a factor, whose logarithm is taken
_SAMPLES_PER_BLOCK = 4096  # samples at a time, so that arrays stay in the cache
_NODES_PER_BLOCK = 8  # nodes at a time; later ones may be unnecessary
_EMPTY_BLOCK = np.zeros((1, 1))  # of a count that is not in the denominator
_ROUNDING_TOLERANCE = 8 * float(np.finfo(np.float64).eps)


def _laplace_nodes(power: float, largest: float, smallest: float) -> tuple[Floats, Floats]:
    r"""Compute increasing nodes and weights that turn exponentials into negative powers.

    For every x from ``smallest`` to ``largest``, both positive, and mixtures of such,
    :math:`\sum_j w_j e^{-x s_j} = \Gamma(a) x^{-a}` up to rounding, with a the ``power`` (<= 2).

    Trapezoid rule in the logarithm of s, whose error falls with exp(-pi^2 / step). To the left,
    where the exponential is nearly a polynomial, the rest of the geometric series of nodes is
    a discrete measure, and its Gauss nodes replace it.
    """
    step = 0.25 if power <= 1 else 0.22
    start = 2.0 / largest
    count = int(np.ceil(np.log(_MAX_EXPONENT / (smallest * start)) / step)) + 1
    nodes = start * np.exp(step * np.arange(count))
    left, weights = _left_of_one(power, step)
    return (
        np.concatenate((start * left, nodes)),
        np.concatenate((start**power * weights, step * nodes**power)),
    )


@lru_cache
def _left_of_one(power: float, step: float) -> tuple[Floats, Floats]:
    """Compute the Gauss nodes of the trapezoid's nodes below 1, by Lanczos' recurrence."""
    grid = np.exp(-step * np.arange(1, int(45 / (step * power))))
    basis = [np.sqrt(step * grid**power)]
    mass = float(basis[0] @ basis[0])
    basis[0] = basis[0] / np.sqrt(mass)
    matrix = np.zeros((_N_LEFT_NODES, _N_LEFT_NODES))
    for i in range(_N_LEFT_NODES):
        new = grid * basis[i]
        for j, old in enumerate(basis):
            matrix[j, i] = old @ new
        for old in basis * 2:  # twice, so that the basis is orthogonal up to rounding
            new = new - (old @ new) * old
        basis.append(new / np.linalg.norm(new))
    nodes, vectors = np.linalg.eigh(matrix, UPLO="U")
    return nodes, mass * vectors[0] ** 2


def _tilt(x: Floats, prob: Floats, complement: Floats) -> tuple[Floats, Floats]:
    """Weight outcomes with a factor exp(-x) for every positive, for increasing x >= 0.

    ``prob`` and ``complement`` are the probabilities of a positive and of a negative; both are
    arguments since neither is exact as one less the other. Returns the logarithm of the mean
    factor, ``complement + prob * exp(-x)``, and the probability of a positive when outcomes are
    weighted with their factors, both of shape (m, n).
    """
    factor = np.exp(-x)[:, None]
    # near 1 the rounding of a mean would accumulate; near 0 one minus a value cancels
    near = int(np.searchsorted(x, 0.5))
    mean = np.empty((x.size, prob.size))
    log_mean = np.empty_like(mean)
    np.multiply(np.expm1(-x[:near, None]), prob, out=mean[:near])
    np.log1p(mean[:near], out=log_mean[:near])
    mean[:near] += 1
    np.multiply(factor[near:], prob, out=mean[near:])
    mean[near:] += complement
    np.maximum(mean, _MIN_MEAN, out=mean)
    np.log(mean[near:], out=log_mean[near:])
    tilted = factor * prob
    tilted /= mean
    return log_mean, tilted


def _sums_after(x: Floats) -> Floats:
    """Sum the entries after each one along the last axis, 0 for the last."""
    out = np.zeros_like(x)
    out[..., :-1] = np.cumsum(x[..., :0:-1], axis=-1)[..., ::-1]
    return out


# ---------------------------------------------------------------------- rates of the classes


def am_utilities(probability: Floats, zero_division: float) -> Floats:
    """Compute the expected mean of TPR and TNR of each prefix, shape (n + 1,).

    ``zero_division`` is the value where a class is absent.
    """
    n = probability.size
    complement = 1 - probability
    k = np.arange(n + 1.0)
    # the expected rate is a sum of one weight per correctly labelled sample
    tpr = running_totals(_shares(probability, complement, 1.0))
    tnr = totals_below(_shares(complement, probability, 1.0))
    # where a class is absent, the rate of the other one must not count
    no_positives, no_negatives = _extremes(probability)
    one_class = (no_negatives * k + no_positives * (n - k)) / n
    return (tpr + tnr - one_class) / 2 + zero_division * (no_positives + no_negatives)


def absent_class(probability: Floats, zero_division: float) -> float:
    """Compute what outcomes without one class add to a metric's mean."""
    return zero_division * sum(_extremes(probability))


def g_tp_pr_utilities(probability: Floats, zero_division: float) -> Floats:
    """Compute the expected geometric mean of TPR and precision, shape (n + 1,).

    ``zero_division`` is the value where nothing is positive and nothing predicted so.
    """
    weights = _shares(probability, 1 - probability, 0.5) / np.sqrt(np.pi)
    no_positives, _ = _extremes(probability)
    utilities = np.cumsum(weights) / np.sqrt(np.arange(1, probability.size + 1))
    return np.append(zero_division * no_positives, utilities)


def q_mean_utilities(probability: Floats, zero_division: float) -> Floats:
    """Compute the expected Q-Mean of each prefix, shape (n + 1,).

    ``zero_division`` is the value where a class is absent.
    """
    n = probability.size
    complement = 1 - probability
    no_positives, no_negatives = _extremes(probability)
    k = np.arange(n + 1.0)
    missed = _squares(probability, complement)
    alarms = _squares(complement[::-1], probability[::-1])[::-1]
    only_positives = no_negatives * ((n - k) / n) ** 2
    only_negatives = no_positives * (k / n) ** 2
    wrong = (missed - only_positives + alarms - only_negatives) / 2
    return 1 - wrong - (1 - zero_division) * (no_positives + no_negatives)


def _extremes(probability: Floats) -> tuple[float, float]:
    """Compute the probabilities that no sample is positive, and that none is negative."""
    with np.errstate(divide="ignore"):
        no_positives = float(np.exp(np.log1p(-probability).sum()))
        no_negatives = float(np.exp(np.log(probability).sum()))
    return no_positives, no_negatives


def _blocks(prob: Floats, complement: Floats, power: float) -> Iterator[tuple[Floats, Floats]]:
    """Yield groups of nodes with their weights, times the mean factor of all samples' sum."""
    nodes, weights = _laplace_nodes(power, prob.size, 1.0)
    for first in range(0, nodes.size, 16):
        s = nodes[first : first + 16]
        log = np.zeros(s.size)
        for start in range(0, prob.size, _SAMPLES_PER_BLOCK):
            part = slice(start, start + _SAMPLES_PER_BLOCK)
            log += _tilt(s, prob[part], complement[part])[0].sum(axis=1)
        matters = log > -_MAX_EXPONENT
        yield s[matters], weights[first : first + 16][matters] * np.exp(log[matters])
        if not matters[-1]:
            return


def _shares(prob: Floats, complement: Floats, power: float) -> Floats:
    """Compute for each sample the mean of y / P**power, times Gamma(power); 0/0 is 0.

    y is the sample's outcome and P the number of positive outcomes.
    """
    out = np.zeros(prob.size)
    for s, weights in _blocks(prob, complement, power):
        for start in range(0, prob.size, _SAMPLES_PER_BLOCK):
            part = slice(start, start + _SAMPLES_PER_BLOCK)
            out[part] += weights @ _tilt(s, prob[part], complement[part])[1]
    return out


def _squares(prob: Floats, complement: Floats) -> Floats:
    """Compute the mean squared share of positives after each prefix, shape (n + 1,)."""
    n = prob.size
    out = np.zeros(n + 1)
    for s, weights in _blocks(prob, complement, 2.0):
        mean = np.zeros(s.size)
        variance = np.zeros(s.size)
        for start in range(
            (n - 1) // _SAMPLES_PER_BLOCK * _SAMPLES_PER_BLOCK, -1, -_SAMPLES_PER_BLOCK
        ):
            part = slice(start, start + _SAMPLES_PER_BLOCK)
            tilted = _tilt(s, prob[part], complement[part])[1]
            spread = tilted * (1 - tilted)
            # after the prefix that ends before sample i come sample i and all that follow
            means = mean[:, None] + _sums_after(tilted) + tilted
            spreads = variance[:, None] + _sums_after(spread) + spread
            out[:n][part] += weights @ (means**2 + spreads)
            mean = means[:, 0]
            variance = spreads[:, 0]
    return out


# ---------------------------------------------------------------------- linear-fractional metrics


@dataclass(frozen=True)
class _Count:
    """One of the two independent counts: its samples, and how it enters the metric.

    ``step`` is what each sample adds to the denominator, never negative; ``gain`` what it adds to
    the numerator.
    """

    prob: Floats
    complement: Floats
    step: float
    gain: float


def ratio_utilities(
    probability: Floats, ratio: LinearFractional, zero_division: float
) -> Floats | None:
    r"""Compute each prefix's expected ratio, (n + 1,); None if the denominator changes sign.

    With X true positives (or false ones) and Z misses (or true negatives), chosen such that both
    make the denominator :math:`K_k + A X + B Z` greater,

    .. math:: U_k = \int_0^\infty e^{-s K_k}\, E\left[N e^{-s A X}\, e^{-s B Z}\right] ds

    where expectations are products over samples. Probabilities decrease; ``zero_division`` is the
    value where the ratio is 0/0.
    """
    n = probability.size
    k = np.arange(n + 1.0)
    c = np.array(ratio.c)
    d = np.array(ratio.d)
    least, greatest = _range(d, n)
    if least < 0:
        if greatest > 0:
            return None
        c = -c
        d = -d
    complement = 1 - probability
    # the denominator is d0 n + d2 k + per_tp TP + per_fn FN, the numerator likewise
    per_tp = float(_sum(d[1], d[3]))
    per_fn = d[3]
    denominator_terms = [d[0] * n, d[2] * k]
    numerator_terms = [c[0] * n, c[2] * k]
    first = _Count(probability, complement, per_tp, c[1] + c[3])
    if per_tp < 0:
        denominator_terms.append(per_tp * k)
        numerator_terms.append(first.gain * k)
        first = _Count(complement, probability, -per_tp, -first.gain)
    second = _Count(probability, complement, per_fn, c[3])
    if per_fn < 0:
        denominator_terms.append(per_fn * (n - k))
        numerator_terms.append(second.gain * (n - k))
        second = _Count(complement, probability, -per_fn, -second.gain)
    denominator = _sum(*denominator_terms)
    numerator = _sum(*numerator_terms)
    undefined = _chance_of_zero_division(denominator, numerator, first, second)

    # a count that is not in the denominator enters by its mean
    if not first.step:
        numerator = numerator + first.gain * running_totals(first.prob)
        first = _Count(first.prob, first.complement, 0.0, 0.0)
    if not second.step:
        numerator = numerator + second.gain * totals_below(second.prob)
        second = _Count(second.prob, second.complement, 0.0, 0.0)
    if first.step or second.step:
        value = _integrate(denominator, numerator, first, second)
    else:
        value = np.zeros(n + 1)
        np.divide(numerator, denominator, out=value, where=denominator > 0)
    return value + zero_division * undefined


def _sum(*terms: Floats) -> Floats:
    """Add terms; the sum is 0 where only rounding remains."""
    total = np.asarray(sum(terms))
    return np.where(np.abs(total) <= _ROUNDING_TOLERANCE * sum(map(np.abs, terms)), 0.0, total)


def _range(d: Floats, n: int) -> tuple[float, float]:
    """Bound the denominator, up to rounding.

    It is linear in k, TP and FN, so that the corners suffice.
    """
    corners = [n * _sum(*d[terms]) for terms in ([0], [0, 3], [0, 2], [0, 1, 2, 3])]
    return float(min(corners)), float(max(corners))


def _chance_of_zero_division(
    denominator: Floats, numerator: Floats, first: _Count, second: _Count
) -> Floats:
    """Compute the probability of 0/0 at each prefix; refuse other zero denominators."""
    n = denominator.size - 1
    k = np.flatnonzero(denominator == 0)
    out = np.zeros(n + 1)
    if not k.size:
        return out
    # where a count is not in the denominator, it must not be in the numerator either
    infinite = numerator[k] != 0
    if not first.step:
        infinite |= first.gain * k != 0
    if not second.step:
        infinite |= second.gain * (n - k) != 0
    if infinite.any():
        raise ValueError(INFINITE_MESSAGE)
    log_none = np.zeros(k.size)
    with np.errstate(divide="ignore"):
        if first.step:
            log_none += running_totals(np.log(first.complement))[k]
        if second.step:
            log_none += totals_below(np.log(second.complement))[k]
    out[k] = np.exp(log_none)
    return out


def _integrate(denominator: Floats, numerator: Floats, first: _Count, second: _Count) -> Floats:
    """Integrate for all prefixes, whose deterministic terms are given."""
    n = denominator.size - 1
    largest = denominator + first.step * np.arange(n + 1) + second.step * np.arange(n, -1, -1)
    positive = denominator[denominator > 0]
    smallest = float(positive.min(initial=np.inf))
    if positive.size <= n:
        smallest = min(smallest, *(count.step for count in (first, second) if count.step))
    nodes, weights = _laplace_nodes(1.0, float(largest.max()), smallest)
    out = np.zeros(n + 1)
    for start in range(0, nodes.size, _NODES_PER_BLOCK):
        block = slice(start, start + _NODES_PER_BLOCK)
        if not _add_nodes(out, nodes[block], weights[block], denominator, numerator, first, second):
            break
    return out


def _add_nodes(
    out: Floats,
    s: Floats,
    weights: Floats,
    denominator: Floats,
    numerator: Floats,
    first: _Count,
    second: _Count,
) -> bool:
    """Add some nodes to the integrals; return whether greater nodes may contribute too."""
    n = denominator.size - 1
    starts = np.arange(0, n, _SAMPLES_PER_BLOCK)
    same = first.prob is second.prob and first.step == second.step
    logs_1, means_1 = _block_sums(first, s)
    logs_2, means_2 = (logs_1, means_1) if same else _block_sums(second, s)
    # sums of the first count before each block, and of the second from it on
    logs_1 = _totals_before(logs_1)
    means_1 = _totals_before(means_1)
    logs_2 = _totals_from(logs_2)
    means_2 = _totals_from(means_2)

    log_none = logs_2[:, 0] - s * denominator[0]  # without predicted positives
    out[0] += weights @ (np.exp(log_none) * (numerator[0] + second.gain * means_2[:, 0]))
    useful = bool(log_none[-1] > -_MAX_EXPONENT)
    for j, start in enumerate(starts):
        part = slice(start, start + _SAMPLES_PER_BLOCK)
        prefixes = slice(start + 1, start + 1 + _SAMPLES_PER_BLOCK)
        # mean factors of the first count fall from prefix to prefix, those of the second rise
        greatest = logs_2[:, 0] if same else logs_1[:, j] + logs_2[:, j + 1]
        least = denominator[prefixes].min()
        rows = np.flatnonzero(greatest - s * least > -_MAX_EXPONENT)
        if not rows.size:
            continue
        useful = useful or rows[-1] == s.size - 1
        log = -s[rows, None] * denominator[prefixes]
        value = np.broadcast_to(numerator[prefixes], log.shape)
        log_1, tilted_1 = _tilt_count(first, s[rows], part)
        log_2, tilted_2 = (log_1, tilted_1) if same else _tilt_count(second, s[rows], part)
        if same:
            log += logs_2[rows, :1]
        else:
            if first.step:
                log += logs_1[rows, j, None] + np.cumsum(log_1, axis=1)
            if second.step:
                log += logs_2[rows, j + 1, None] + _sums_after(log_2)
        if first.gain:
            value = value + first.gain * (means_1[rows, j, None] + np.cumsum(tilted_1, axis=1))
        if second.gain:
            value = value + second.gain * (means_2[rows, j + 1, None] + _sums_after(tilted_2))
        np.exp(log, out=log)
        log *= value
        out[prefixes] += weights[rows] @ log
    return useful


def _totals_before(sums: Floats) -> Floats:
    """Total the sums of the blocks before each block, and of all blocks."""
    return np.hstack((np.zeros((len(sums), 1)), np.cumsum(sums, axis=1)))


def _totals_from(sums: Floats) -> Floats:
    """Total the sums of the blocks from each block on, and of no block."""
    return np.hstack((sums + _sums_after(sums), np.zeros((len(sums), 1))))


def _tilt_count(count: _Count, s: Floats, part: slice) -> tuple[Floats, Floats]:
    """Compute logarithms of mean factors and tilted probabilities of some samples."""
    if not count.step:
        return _EMPTY_BLOCK, _EMPTY_BLOCK
    return _tilt(s * count.step, count.prob[part], count.complement[part])


def _block_sums(count: _Count, s: Floats) -> tuple[Floats, Floats]:
    """Sum both over each block of samples, shape (n_nodes, n_blocks)."""
    starts = range(0, count.prob.size, _SAMPLES_PER_BLOCK)
    logs = np.zeros((s.size, len(starts)))
    means = np.zeros((s.size, len(starts)))
    for j, start in enumerate(starts):
        log, tilted = _tilt_count(count, s, slice(start, start + _SAMPLES_PER_BLOCK))
        logs[:, j] = log.sum(axis=1)
        means[:, j] = tilted.sum(axis=1)
    return logs, means
