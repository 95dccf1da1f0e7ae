"""Solve the Fermi-Dirac law of ranks for its parameters, given an AUC and the class sizes.

The log-odds of a positive at rank r are those among all samples plus ``beta * (threshold - r)``.
Positives under the Fermi energy, the rank after which a perfect ranking has no positives left, are
particles; negatives above it are holes. Both have a positive energy, and the energies add up to
the number of misordered pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, exp, expm1, inf, isinf, log, pi, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, log_expit

from rocviz.core.base.validation import Floats

#: Largest number of levels of a law.
MAX_LEVELS = 50_000_000
_BYTES_PER_LEVEL = 64  # while it is solved

# Integrands are analytic within a distance of pi of the real line, on which they fall as exp(-t).
_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(20)
_MAX_EXPONENT = 45.0
_N_PANELS = 9
# Up to this inverse temperature of the whole ranking the first order is accurate to 1e-9.
_MAX_WEAK_BETA = 1e-4
# From this inverse temperature per level on, only the two levels next to the step are not 0 or 1.
_MIN_COLD_BETA = 80.0
_TOLERANCE = 1e-9
_MAX_STEPS = 60

Equations = Callable[[Floats], tuple[Floats, Floats]]


def check_levels(n_samples: int) -> None:
    """Raise if there are more levels, one per sample, than fit in memory."""
    if n_samples > MAX_LEVELS:
        gib = n_samples * _BYTES_PER_LEVEL / 2**30
        raise ValueError(
            f"n_samples, n_pos + n_neg, must be at most {MAX_LEVELS:,}: the law has a level for "
            f"each sample; {n_samples:.6g} would take {gib:,.0f} GiB of memory. The rescaled law "
            "(FermiDirac.rescaled) is its limit and needs no levels."
        )


# ---------------------------------------------------------------------- the law at a rank


def scaled(beta: float, distance: Floats) -> Floats:
    """Compute ``beta * distance``, which is 0 where the distance is 0, whatever beta is."""
    out = np.zeros(np.shape(distance))
    with np.errstate(over="ignore"):
        return np.multiply(beta, distance, where=np.asarray(distance) != 0, out=out)[()] + 0.0


def log_odds(beta: float, threshold: float, prior: float, rank: Floats) -> Floats:
    """Compute the log-odds of a positive at ranks, given the ``prior`` log-odds."""
    return (0.0 if isinf(beta) else prior) + scaled(beta, threshold - rank)


def class_probabilities(log_odds: Floats) -> tuple[Floats, Floats]:
    """Compute the probabilities of a positive and of a negative, both to full precision.

    One exponential gives both, in a quarter of the time of two calls of ``expit``.
    """
    small = np.exp(-np.abs(log_odds))
    large = 1 / (1 + small)
    small *= large
    is_up = log_odds >= 0
    return np.where(is_up, large, small), np.where(is_up, small, large)


# ---------------------------------------------------------------------- ranks from 0 to 1


def _panels(edges: Floats) -> tuple[Floats, Floats]:
    """Compute nodes and weights of the Gauss-Legendre rule between neighbouring edges."""
    half = np.diff(edges)[:, np.newaxis] / 2
    middle = (edges[:-1] + edges[1:])[:, np.newaxis] / 2
    return (middle + half * _NODES).ravel(), (half * _NODE_WEIGHTS).ravel()


_UNIT_INTERVAL = _panels(np.linspace(0.0, 1.0, _N_PANELS + 1))


def step_quadrature(centre: float, beta: float) -> tuple[Floats, Floats]:
    """Compute nodes and weights on 0 to 1 that resolve any step, however steep, and 1 / x."""
    step = min(max(centre, 0.0), 1.0) + np.arange(-50.0, 51.0, 5.0) / max(abs(beta), 1.0)
    edges = np.concatenate(([0.0], step, 0.5 ** np.arange(33.0)))
    return _panels(np.unique(np.clip(edges, 0.0, 1.0)))


def filled(upto: Floats, beta: float, start: float) -> Floats:
    """Integrate ``expit(start - beta * t)`` over t from 0; beta is not 0, and finite."""
    reach = beta * upto
    near = np.log1p(expit(start) * np.expm1(-np.clip(reach, -1.0, 1.0)))
    far = np.logaddexp(log_expit(-start), log_expit(start) - reach)
    return np.asarray(np.where(np.abs(reach) <= 1, near, far) / -beta)


def filled_share(upto: Floats, beta: float, start: float) -> Floats:
    """Compute the share of the integral from 0 to 1 that lies before each of ``upto``."""
    return np.minimum(filled(upto, beta, start) / filled(np.ones(()), beta, start), 1.0)


def _log_sinhc(z: float) -> float:
    """Compute ln(sinh(z) / z) for z > 0."""
    return z + log(-expm1(-2 * z) / (2 * z))


def rescaled_threshold(beta: float, prevalence: float) -> float:
    """Compute the threshold rank of the rescaled law, which is finite even where mu is not."""
    if isinf(beta):
        return prevalence if beta > 0 else 1 - prevalence
    if abs(beta) < _MAX_WEAK_BETA:
        return 0.5 + beta * (2 * prevalence - 1) / 24
    size = abs(beta) / 2
    return 0.5 + (_log_sinhc(size * prevalence) - _log_sinhc(size * (1 - prevalence))) / beta


def _odds_at_fermi_energy(beta: float, prevalence: float) -> float:
    """Compute the log-odds of a positive at the Fermi energy of the rescaled law."""
    return log(-expm1(-beta * prevalence)) - log(-expm1(-beta * (1 - prevalence)))


def rescaled_one_minus_auc(beta: float, prevalence: float) -> float:
    """Compute 1 - AUC of the rescaled law: the energy of its holes and particles; beta > 0.

    With t = beta |x - rho|, both are integrals of t / (1 + exp(t -+ delta)).
    """
    x, weight = _UNIT_INTERVAL
    delta = _odds_at_fermi_energy(beta, prevalence)
    energy = 0.0
    for share, shift in ((prevalence, -delta), (1 - prevalence, delta)):
        reach = min(beta * share, _MAX_EXPONENT + max(shift, 0.0))
        t = reach * x
        energy += reach * float(np.sum(weight * t * expit(shift - t)))
    return energy / prevalence / (1 - prevalence) / beta / beta


def rescaled_levels_of_auc(auc: float, prevalence: float) -> tuple[float, float]:
    """Compute inverse temperature and threshold rank of the rescaled law."""
    beta = copysign(_rescaled_beta(abs(auc - 0.5), min(auc, 1 - auc), prevalence), auc - 0.5)
    return beta, rescaled_threshold(beta, prevalence)


def _rescaled_beta(above: float, below: float, prevalence: float) -> float:
    """Solve for the inverse temperature of an AUC from 1/2 to 1.

    ``above`` and ``below`` are AUC - 1/2 and 1 - AUC, each with digits of its own.
    """
    if below == 0:
        return inf
    if 12 * above < _MAX_WEAK_BETA:
        return 12 * above

    def miss(log_beta: float) -> float:
        wrong = rescaled_one_minus_auc(exp(log_beta), prevalence)
        return log((0.5 - wrong) / wrong) - log(above / below)

    strong = pi / sqrt(6 * prevalence * (1 - prevalence) * below)
    return exp(brentq(miss, log(6 * above), log(3 * min(strong, 1 / below)), xtol=1e-13))


# ---------------------------------------------------------------------- finitely many samples


def levels_of_auc(auc: float, one_minus_auc: float, n_pos: int, n_neg: int) -> tuple[float, float]:
    """Compute inverse temperature and threshold rank for given numbers of both classes.

    Both the AUC and 1 - AUC are given, since either may be tiny.
    """
    n = n_pos + n_neg
    check_levels(n)
    if auc < 0.5:
        beta, threshold = levels_of_auc(one_minus_auc, auc, n_pos, n_neg)
        return -beta, n + 1 - threshold
    above = auc - 0.5
    if one_minus_auc == 0:
        return inf, n_pos + 0.5
    if 12 * above < _MAX_WEAK_BETA:
        beta = 12 * n * above / (n * n - 1)
        return beta, _weak_threshold(beta, n_pos, n_neg)
    rescaled = _rescaled_beta(above, one_minus_auc, n_pos / n)
    start = np.array([_odds_at_fermi_energy(rescaled, n_pos / n), rescaled / n])
    swaps = one_minus_auc * n_pos * n_neg
    if swaps < 0.1:
        # a step so steep that only the two levels next to it matter, each with exp(-beta / 2)
        start = np.array([0.0, min(rescaled / n, -2 * log(swaps))])
    odds, beta = _newton(_balance_and_energy(log(swaps), n_pos, n_neg), start)
    return beta, n_pos + 0.5 + (odds + log(n_neg / n_pos)) / beta


def _weak_threshold(beta: float, n_pos: float, n_neg: float) -> float:
    """Compute the threshold rank of a nearly random ranking, to the first order in beta."""
    n = n_pos + n_neg
    return (n + 1) / 2 + beta * (n_pos - n_neg) * (n * n - 1) / n / 24


def threshold_of_beta(beta: float, n_pos: int, n_neg: int) -> float:
    """Compute the threshold rank that gives the required number of positives."""
    n = n_pos + n_neg
    size = abs(beta)
    if size * n < _MAX_WEAK_BETA:
        return _weak_threshold(beta, n_pos, n_neg)
    equations = _balance_and_energy(0.0, n_pos, n_neg)

    def balance(odds: Floats) -> tuple[Floats, Floats]:
        miss, slope = equations(np.append(odds, min(size, _MIN_COLD_BETA)))
        return miss[:1], slope[:1, :1]

    (odds,) = _newton(balance, np.array([_odds_at_fermi_energy(n * size, n_pos / n)]))
    threshold = n_pos + 0.5 + (odds + log(n_neg / n_pos)) / size
    return threshold if beta > 0 else n + 1 - threshold


def threshold_of_potential(beta: float, potential: float, n_pos: float, n_neg: float) -> float:
    """Compute the threshold rank of a law from its chemical potential and class sizes."""
    if isinf(beta):
        return potential
    if abs(beta) * (n_pos + n_neg) < _MAX_WEAK_BETA:
        return _weak_threshold(beta, n_pos, n_neg)
    return potential - log(n_pos / n_neg) / beta


def _newton(equations: Equations, start: Floats) -> list[float]:
    """Solve a square system of equations by Newton's method."""
    solution = start
    for _ in range(_MAX_STEPS):
        miss, slope = equations(solution)
        solution = solution - np.linalg.solve(slope, miss)
        if np.abs(miss).max() < _TOLERANCE:
            return [float(value) for value in solution]
    raise AssertionError("Newton's method for the Fermi-Dirac law did not converge")


def _balance_and_energy(log_energy: float, n_pos: int, n_neg: int) -> Equations:
    """Compute both constraints, as logarithms of positive sums, and their derivatives.

    There are as many holes as particles, and their energy is given. The unknowns are the log-odds
    at the Fermi energy and beta.
    """
    hole = np.asarray(np.arange(n_pos) + 0.5, dtype=np.float64)
    particle = np.asarray(np.arange(n_neg) + 0.5, dtype=np.float64)

    def equations(unknowns: Floats) -> tuple[Floats, Floats]:
        odds, beta = unknowns
        h, h_t, wh, wh_t, wh_tt = _moments(hole, -odds - beta * hole)
        p, p_t, wp, wp_t, wp_tt = _moments(particle, odds - beta * particle)
        energy = h_t + p_t
        miss = [log(p) - log(h), log(energy) - log_energy]
        slope = [
            [wp / p + wh / h, wh_t / h - wp_t / p],
            [(wp_t - wh_t) / energy, -(wp_tt + wh_tt) / energy],
        ]
        return np.array(miss), np.array(slope)

    return equations


def _moments(t: Floats, z: Floats) -> tuple[float, float, float, float, float]:
    """Sum the probabilities of log-odds, and times t; their variances, and times t, t squared."""
    f, rest = class_probabilities(z)
    weight = f * rest
    return (
        float(np.sum(f)),
        float(np.sum(f * t)),
        float(np.sum(weight)),
        float(np.sum(weight * t)),
        float(np.sum(weight * t * t)),
    )
