"""Negative powers as integrals of exponentials, applied to independent outcomes.

Since 1/x is the integral of exp(-x s), the expectation of a ratio becomes an integral over
products, one factor per sample.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from rocviz.core.base.validation import Floats

#: Nodes at which products are smaller than exp(-NOTHING) are left out.
NOTHING = 60.0

_LEFT = 8  # nodes that replace all those below the first one of the trapezoid rule
_TINY = 1e-300


def laplace_nodes(power: float, largest: float, smallest: float) -> tuple[Floats, Floats]:
    r"""Compute increasing nodes and weights that turn exponentials into negative powers.

    For every x from ``smallest`` to ``largest``, both positive, and mixtures of such,
    :math:`\sum_j w_j e^{-x s_j} = \Gamma(a) x^{-a}` up to rounding, with a the ``power`` (<= 2).

    Trapezoid rule in the logarithm of s, whose error falls with exp(-pi^2 / step). To the left,
    where the exponential is nearly a polynomial, the rest of the geometric series of nodes is
    a discrete measure, and its Gauss nodes replace it.
    """
    step = 0.25 if power <= 1 else 0.22
    start = 2.0 / largest
    count = int(np.ceil(np.log(NOTHING / (smallest * start)) / step)) + 1
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
    matrix = np.zeros((_LEFT, _LEFT))
    for i in range(_LEFT):
        new = grid * basis[i]
        for j, old in enumerate(basis):
            matrix[j, i] = old @ new
        for old in basis * 2:  # twice, so that the basis is orthogonal up to rounding
            new = new - (old @ new) * old
        basis.append(new / np.linalg.norm(new))
    nodes, vectors = np.linalg.eigh(matrix, UPLO="U")
    return nodes, mass * vectors[0] ** 2


def tilt(x: Floats, prob: Floats, rest: Floats) -> tuple[Floats, Floats]:
    """Weight outcomes with a factor exp(-x) for every positive, for increasing x >= 0.

    ``prob`` and ``rest`` are the probabilities of yes and of no: given apart since neither is exact
    as one less the other. Returns the logarithm of the mean factor, ``rest + prob * exp(-x)``, and
    the probability of yes when outcomes are weighted with their factors, both of shape (m, n).
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
    mean[near:] += rest
    np.maximum(mean, _TINY, out=mean)
    np.log(mean[near:], out=log_mean[near:])
    tilted = factor * prob
    tilted /= mean
    return log_mean, tilted


def sums_after(x: Floats) -> Floats:
    """Sum the entries after each one along the last axis, 0 for the last."""
    out = np.zeros_like(x)
    out[..., :-1] = np.cumsum(x[..., :0:-1], axis=-1)[..., ::-1]
    return out
