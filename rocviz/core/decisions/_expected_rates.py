"""Expected AM, Q-Mean and G-TP/PR of every cut of a ranking, from integrals over products.

Each is a sum over samples of one term for each class.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rocviz.core.base.blocks import running_totals, totals_below
from rocviz.core.base.validation import Floats
from rocviz.core.decisions._laplace import NOTHING, laplace_nodes, sums_after, tilt

_WIDTH = 4096  # samples at a time, so that arrays stay in the cache


def am_utilities(probability: Floats, zero_division: float) -> Floats:
    """Compute the expected mean of TPR and TNR of each prefix, shape (n + 1,).

    ``spare`` is the value where a class is absent.
    """
    n, rest = probability.size, 1 - probability
    k = np.arange(n + 1.0)
    # the expected rate is a sum of one weight per correctly labelled sample
    tpr = running_totals(_shares(probability, rest, 1.0))
    tnr = totals_below(_shares(rest, probability, 1.0))
    # where a class is absent, the rate of the other one must not count
    none, every = _extremes(probability)
    alone = (every * k + none * (n - k)) / n
    return (tpr + tnr - alone) / 2 + zero_division * (none + every)


def absent_class(probability: Floats, zero_division: float) -> float:
    """Compute what outcomes without one class add to a metric's mean; it is ``spare`` there."""
    return zero_division * sum(_extremes(probability))


def g_tp_pr_utilities(probability: Floats, zero_division: float) -> Floats:
    """Compute the expected geometric mean of TPR and precision, shape (n + 1,).

    ``spare`` is the value where nothing is positive and nothing predicted so.
    """
    weights = _shares(probability, 1 - probability, 0.5) / np.sqrt(np.pi)
    return np.concatenate(
        (
            [zero_division * _extremes(probability)[0]],
            np.cumsum(weights) / np.sqrt(np.arange(1, probability.size + 1)),
        )
    )


def q_mean_utilities(probability: Floats, zero_division: float) -> Floats:
    """Compute the expected Q-Mean of each prefix, shape (n + 1,).

    ``spare`` is the value where a class is absent.
    """
    n, rest = probability.size, 1 - probability
    none, every = _extremes(probability)
    k = np.arange(n + 1.0)
    missed = _squares(probability, rest)
    alarms = _squares(rest[::-1], probability[::-1])[::-1]
    only_pos, only_neg = every * ((n - k) / n) ** 2, none * (k / n) ** 2
    wrong = (missed - only_pos + alarms - only_neg) / 2
    return 1 - wrong - (1 - zero_division) * (none + every)


def _extremes(probability: Floats) -> tuple[float, float]:
    """Compute the probabilities that no sample is positive, and that all are."""
    with np.errstate(divide="ignore"):
        return float(np.exp(np.log1p(-probability).sum())), float(np.exp(np.log(probability).sum()))


def _blocks(prob: Floats, rest: Floats, power: float) -> Iterator[tuple[Floats, Floats]]:
    """Yield groups of nodes with their weights, times the mean factor of all samples' sum."""
    nodes, weights = laplace_nodes(power, prob.size, 1.0)
    for at in range(0, nodes.size, 16):
        s, w = nodes[at : at + 16], weights[at : at + 16]
        log = np.zeros(s.size)
        for start in range(0, prob.size, _WIDTH):
            part = slice(start, start + _WIDTH)
            log += tilt(s, prob[part], rest[part])[0].sum(axis=1)
        some = log > -NOTHING
        yield s[some], w[some] * np.exp(log[some])
        if not some[-1]:
            return


def _shares(prob: Floats, rest: Floats, power: float) -> Floats:
    """Compute for each sample the mean of y / P**power, times Gamma(power); 0/0 is 0.

    y is the sample's outcome and P the number of positive outcomes.
    """
    out = np.zeros(prob.size)
    for s, weights in _blocks(prob, rest, power):
        for start in range(0, prob.size, _WIDTH):
            part = slice(start, start + _WIDTH)
            out[part] += weights @ tilt(s, prob[part], rest[part])[1]
    return out


def _squares(prob: Floats, rest: Floats) -> Floats:
    """Compute the mean squared share of positives after each cut, shape (n + 1,)."""
    n = prob.size
    out = np.zeros(n + 1)
    for s, weights in _blocks(prob, rest, 2.0):
        mean, variance = np.zeros((2, s.size))
        for start in range((n - 1) // _WIDTH * _WIDTH, -1, -_WIDTH):
            part = slice(start, start + _WIDTH)
            tilted = tilt(s, prob[part], rest[part])[1]
            spread = tilted * (1 - tilted)
            # the cut before sample i counts sample i and all that follow
            means = mean[:, None] + sums_after(tilted) + tilted
            spreads = variance[:, None] + sums_after(spread) + spread
            out[:n][part] += weights @ (means**2 + spreads)
            mean, variance = means[:, 0], spreads[:, 0]
    return out
