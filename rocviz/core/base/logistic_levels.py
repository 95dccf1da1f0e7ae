"""Levels filled by a logistic law (Fermi and Dirac's): from an AUC to the law's parameters.

Knows numbers only. Nothing subtracts nearly equal numbers: each sum and integral has terms of one
sign, which is what makes the results good to the last digits near an AUC of 1/2 and of 1.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import expm1, inf, isinf, log, log1p, pi

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from rocviz.core.base.validation import Floats

# integrands are analytic within a distance of pi of the real line, on which they fall as exp(-t)
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)
_PANEL = 5.0
_REACH = 45.0
_N_PANELS = int(_REACH / _PANEL)
_WEAK = 4.0
_COLD = 80.0  # per level, at which only the two levels next to the step are not full or empty
_SCARCE = -680.0  # log odds of a probability that floats hardly hold
_CONVERGED = 1e-9
_MAX_STEPS = 60

# closer to 0, 1/2 or 1 an AUC counts as that limit: beyond it floats run out
_LIMIT = 1e-300
_HALF = Fraction(1, 2)

#: Levels that a law may have, and what each takes while the law is solved for.
MOST_LEVELS = 50_000_000
_BYTES = 64

Equations = Callable[[Floats], tuple[Floats, Floats]]


def check_levels(n_samples: int) -> None:
    """Raise before there are more levels, one for each sample, than fit in most memories."""
    if n_samples > MOST_LEVELS:
        raise ValueError(
            f"n_samples, n_pos + n_neg, must be at most {MOST_LEVELS:,}: the law has a level for "
            f"each sample; {n_samples:.6g} would take {n_samples * _BYTES / 2**30:,.0f} GiB of "
            "memory. The rescaled law (FermiDirac.rescaled) is its limit, and needs none."
        )


def levels_of_auc(auc: Fraction, n_pos: int, n_neg: int) -> tuple[float, float]:
    """Return inverse temperature and threshold rank of so many positives and negatives.

    The AUC is exact, from 0 to 1; there is at least one of each class.
    """
    n = n_pos + n_neg
    check_levels(n)
    above, below = float(abs(auc - _HALF)), float(min(auc, 1 - auc))
    if above < _LIMIT:
        return 0.0, (n + 1) / 2
    beta, threshold = inf, n_pos + 0.5
    if below >= _LIMIT:
        beta, threshold = solve_finite(above, below, n_pos, n_neg)
    return (-beta, n + 1 - threshold) if auc < _HALF else (beta, threshold)


def rescaled_levels_of_auc(auc: Fraction, prevalence: float) -> tuple[float, float]:
    """Return what :func:`levels_of_auc` tends to, with ranks from 0 to 1, for many samples."""
    above, below = float(abs(auc - _HALF)), float(min(auc, 1 - auc))
    if above < _LIMIT:
        return 0.0, 0.5
    beta = inf
    if below >= _LIMIT:
        beta = solve_rescaled(above, below, prevalence, 1 - prevalence)
    beta = -beta if auc < _HALF else beta
    return beta, rescaled_threshold(beta, prevalence, 1 - prevalence)


def scaled(beta: float, distance: Floats) -> Floats:
    """Return ``beta * distance``, and 0 where the distance is 0, whatever beta is."""
    out = np.zeros(np.shape(distance))
    with np.errstate(over="ignore", under="ignore"):  # beyond floats, all is infinite or 0
        return np.multiply(beta, distance, where=np.asarray(distance) != 0, out=out)[()] + 0.0


def log_odds(beta: float, threshold: float, prior: float, rank: Floats) -> Floats:
    """Return the log-odds of a positive at ranks, from those among all samples, ``prior``."""
    return (0.0 if isinf(beta) else prior) + scaled(beta, threshold - rank)


def either(log_odds: Floats) -> tuple[Floats, Floats]:
    """Return the probabilities of a positive and of a negative, both to their last digits.

    One exponential gives both, in a quarter of the time of two calls of ``expit``.
    """
    with no_underflow():
        small = np.exp(-np.abs(log_odds))
        small[small < np.finfo(float).tiny] = 0.0  # as expit has it
        large = 1 / (1 + small)
        small *= large
    is_up = log_odds >= 0
    return np.where(is_up, large, small), np.where(is_up, small, large)


def class_shares(log_odds: Floats, pos: float, neg: float) -> tuple[Floats, Floats]:
    """Return which share of the positives and of the negatives is at each rank."""
    return _share_of_class(log_odds, pos), _share_of_class(-log_odds, neg)


def _share_of_class(log_odds: Floats, size: float) -> Floats:
    with no_underflow():
        share = np.asarray(expit(log_odds) / size)
        scarce = log_odds < _SCARCE
        if np.any(scarce):  # less than any float, but maybe more than that of a rare class
            share = np.where(scarce, np.exp(np.minimum(log_odds, 0.0) - log(size)), share)
    return share[()]


def no_underflow() -> np.errstate:
    """Let a probability below 1e-308 be 0, however strict the caller's settings."""
    return np.errstate(under="ignore")


def panels(edges: Floats) -> tuple[Floats, Floats]:
    """Return nodes and weights of the Gauss-Legendre rule between each two neighbouring edges."""
    half = np.diff(edges)[:, np.newaxis] / 2
    middle = (edges[:-1] + edges[1:])[:, np.newaxis] / 2
    return (middle + half * _NODES).ravel(), (half * _WEIGHTS).ravel()


def step_quadrature(centre: float, beta: float) -> tuple[Floats, Floats]:
    """Return nodes and weights on 0 to 1 that see the step however steep, and both ends."""
    centre = min(max(centre, 0.0), 1.0)
    step = np.arange(-50.0, 51.0, 5.0) / max(abs(beta), 1.0)
    ends = 0.5 ** np.arange(1.0, 41.0)
    edges = np.concatenate(([0.0, 1.0], centre + step, ends, 1 - ends))
    node, weight = panels(np.unique(np.clip(edges, 0.0, 1.0)))
    inside = node < 1  # no panel is so narrow but by chance
    return node[inside], weight[inside]


_UNIT = panels(np.linspace(0.0, 1.0, _N_PANELS + 1))


def filled(upto: Floats, beta: float, start: float, end: Floats, size: float = 1.0) -> Floats:
    """Return the integral of 1 / (1 + exp(beta t - start)) over t from 0, divided by ``size``.

    ``end`` is ``start - beta * upto``, which far from the step has digits of its own. Beta is not
    0.
    """
    with no_underflow():
        reach, share = beta * upto, expit(start)
        small, tiny = np.abs(reach) <= 1, np.abs(reach) < 1e-17
        near = -np.log1p(share * np.expm1(np.where(small, -reach, 0.0)))
        # ln(1 + e^z) is z, if that is positive, and what is left: far below it, z itself cancels
        above = np.where((end > 0) & (start > 0), reach, max(start, 0.0) - np.maximum(end, 0.0))
        far = above + np.log1p(np.exp(-abs(start))) - np.log1p(np.exp(-np.abs(end)))
        found = np.where(small, near, far) / beta / size
        return np.asarray(np.where(tiny, upto * (share / size), found))


def filled_share(at: Floats, beta: float, odds: Floats, ends: Floats) -> Floats:
    """Return which share of all that is filled from 0 to 1 lies before ``at``.

    ``odds`` are the log odds there, ``ends`` those at 0 and at 1; beta is not 0, and finite.
    """
    first = float(ends[0])
    total = float(filled(np.ones(1), beta, first, ends[1:])[0])
    if not total:  # a threshold next to 1 has lost the digits that would say where
        return np.where(at == 1, 1.0, 0.0)
    return np.minimum(filled(at, beta, first, odds, total), 1.0)


def filled_parts(beta: float, chemical_potential: float) -> tuple[float, float]:
    """Return how much is filled from 0 to 1, and how much is not; beta is not 0, and finite."""
    first, last = beta * chemical_potential, beta * (chemical_potential - 1)
    if isinf(first) or isinf(last):  # so far beyond the ends
        return (1.0, 0.0) if first > 0 else (0.0, 1.0)
    one = np.ones(1)
    pos, neg = (filled(one, s * beta, s * first, s * last * one)[0] for s in (1.0, -1.0))
    return float(pos), float(neg)


def log_sinhc(z: float) -> float:
    """Return ln(sinh(z) / z) for z from 0 to 2, good to the last digits near 0 too."""
    s, total = z * z, 0.0
    for k in range(12, 0, -1):
        total = s / (2 * k * (2 * k + 1)) * (1 + total)
    return log1p(total)


def rescaled_threshold(beta: float, prevalence: float, rest: float) -> float:
    """Return the threshold r* of the rescaled law, which is finite where mu is not.

    ``beta`` is the rescaled inverse temperature; ``rest`` is 1 minus the prevalence.
    """
    if beta < 0:  # read from the other end, the classes have changed places
        beta, prevalence, rest = -beta, rest, prevalence
    if beta < _WEAK:
        return 0.5 + (log_sinhc(beta * prevalence / 2) - log_sinhc(beta * rest / 2)) / beta
    return (
        prevalence + (at_fermi_energy(beta, prevalence, rest) + log(rest) - log(prevalence)) / beta
    )


def at_fermi_energy(beta: float, prevalence: float, rest: float) -> float:
    """Return the log odds of a positive at the Fermi energy x = rho."""
    return log(-expm1(-beta * prevalence)) - log(-expm1(-beta * rest))


def _above_half(beta: float, prevalence: float, rest: float) -> float:
    """Return AUC - 1/2 as beta / (2 rho (1 - rho)) times the integral of x (1 - x) f (1 - f)."""
    x, weight = _UNIT
    z = log(prevalence) - log(rest) + beta * (rescaled_threshold(beta, prevalence, rest) - x)
    f = expit(z) / prevalence * (expit(-z) / rest)
    return beta / 2 * float(np.sum(weight * x * (1 - x) * f))


def _log_below_one(beta: float, prevalence: float, rest: float) -> float:
    """Return ln(1 - AUC): the energy of holes below and particles above the Fermi energy.

    With t = beta |x - rho|, both are integrals of t / (1 + exp(t -+ delta)).
    """
    x, weight = _UNIT
    delta = at_fermi_energy(beta, prevalence, rest)
    total = 0.0
    for width, shift in ((beta * prevalence, -delta), (beta * rest, delta)):
        reach = min(width, _REACH + max(shift, 0.0))
        t = reach * x
        total += reach * float(np.sum(weight * t * expit(shift - t)))
    return log(total) - log(prevalence) - log(rest) - 2 * log(beta)


def rescaled_auc(beta: float, prevalence: float, rest: float) -> tuple[float, float]:
    """Return AUC - 1/2 and 1 - AUC of the rescaled law with inverse temperature ``beta`` > 0."""
    if beta < _WEAK:
        above = _above_half(beta, prevalence, rest)
        return above, 0.5 - above
    below = float(np.exp(_log_below_one(beta, prevalence, rest)))
    return 0.5 - below, below


def solve_rescaled(above: float, below: float, prevalence: float, rest: float) -> float:
    """Return the rescaled inverse temperature of an AUC strictly between 1/2 and 1.

    ``above`` and ``below`` are AUC - 1/2 and 1 - AUC, each exact to rounding; ``rest`` is 1 minus
    the prevalence. All are positive.
    """
    target = log(above) - log(below)

    def miss(y: float) -> float:
        beta = float(np.exp(y))
        if beta < _WEAK:
            d = _above_half(beta, prevalence, rest)
            return log(d) - log(0.5 - d) - target
        log_q = _log_below_one(beta, prevalence, rest)
        return log(0.5 - float(np.exp(log_q))) - log_q - target

    strong = log(pi) - (log(6) + log(prevalence) + log(rest) + log(below)) / 2
    high = min(strong, -log(below))
    root = brentq(miss, log(6 * above), log(3) + high, xtol=1e-15, rtol=1e-15)
    return float(np.exp(root))


def solve_finite(above: float, below: float, n_pos: int, n_neg: int) -> tuple[float, float]:
    """Return inverse temperature and threshold rank of an AUC strictly between 1/2 and 1.

    ``above`` and ``below`` are AUC - 1/2 and 1 - AUC, each exact to rounding; positive. Newton's
    method from the rescaled solution. An AUC up to 3/4 is sought as a distance from 1/2, a higher
    one as a distance from 1.
    """
    n = n_pos + n_neg
    prevalence, rest = n_pos / n, n_neg / n
    rescaled = solve_rescaled(above, below, prevalence, rest)
    if below > above:
        start = np.array(
            [rescaled * (rescaled_threshold(rescaled, prevalence, rest) - 0.5), rescaled / n]
        )
        shift, beta = _newton(_near_random(above, n_pos, n_neg), start)
        return beta, (n + 1) / 2 + shift / beta
    start = np.array([at_fermi_energy(rescaled, prevalence, rest), rescaled / n])
    swaps = below * n_pos * n_neg
    if swaps < 0.1:
        # so few that only the two levels next to the step matter, each with exp(-beta / 2)
        start = np.array([0.0, min(rescaled / n, -2 * log(swaps))])
    odds, beta = _newton(_near_perfect(log(swaps), n_pos, n_neg), start)
    return beta, n_pos + 0.5 + (odds + log(n_neg) - log(n_pos)) / beta


def threshold_of_temperature(temperature: float, n_pos: float, n_neg: float) -> float:
    """Return the threshold rank at which there are as many positives as there should be.

    The temperature, in ranks, is positive and finite. Both numbers are whole, unless the
    temperature is at least their sum.
    """
    n, beta = round(n_pos + n_neg), 1 / temperature
    if temperature >= n:
        (shift,) = _newton(_first_of(_near_random(1.0, n_pos, n_neg), beta), np.zeros(1))
        return (n + 1) / 2 + shift / beta
    odds = 0.0
    if beta < _COLD:
        start = np.array([at_fermi_energy(n * beta, n_pos / n, n_neg / n)])
        (odds,) = _newton(_first_of(_near_perfect(0.0, round(n_pos), round(n_neg)), beta), start)
    return n_pos + 0.5 + (odds + log(n_neg) - log(n_pos)) / beta


def threshold_of_potential(
    beta: float, chemical_potential: float, n_pos: float, n_neg: float
) -> float:
    """Return the threshold rank of a law that expects so many positives and negatives."""
    n = round(n_pos + n_neg)
    if isinf(beta):
        return chemical_potential
    if 1 / abs(beta) < n:
        return chemical_potential - log(n_pos / n_neg) / beta
    # the potential may be so far beyond the ranks that it has no digits for them
    threshold = threshold_of_temperature(1 / abs(beta), n_pos, n_neg)
    return threshold if beta > 0 else n + 1 - threshold


def _first_of(equations: Equations, beta: float) -> Equations:
    """Return the first of two equations at a given inverse temperature."""

    def first(at: Floats) -> tuple[Floats, Floats]:
        miss, slope = equations(np.append(at, beta))
        return miss[:1], slope[:1, :1]

    return first


def _newton(equations: Equations, at: Floats) -> list[float]:
    """Return the root of as many equations as there are numbers in ``at``, near them."""
    for _ in range(_MAX_STEPS):
        miss, slope = equations(at)
        at = at - np.linalg.solve(slope, miss)
        if np.abs(miss).max() < _CONVERGED:
            return [float(value) for value in at]
    raise AssertionError("Newton's method for the Fermi-Dirac law did not converge")


def _near_random(above: float, n_pos: float, n_neg: float) -> Equations:
    """Return both constraints as sums of f - rho; the unknowns are beta (r* - middle) and beta."""
    n = round(n_pos + n_neg)
    prevalence, rest = n_pos / n, n_neg / n
    r = np.arange(n) - (n - 1) / 2

    def equations(at: Floats) -> tuple[Floats, Floats]:
        llr = at[0] - at[1] * r
        odds = np.expm1(llr)
        # f = rho (1 + excess); what follows is divided by rho throughout
        excess = rest * odds / (1 + prevalence * odds)
        weight = (1 + excess) * (1 - prevalence - prevalence * excess)
        moments = [float(np.sum(weight * r**k)) for k in range(3)]
        size = float(np.sum(np.abs(excess)))
        energy = n_neg * n * above
        miss = [float(np.sum(excess)) / size, float(np.sum(r * excess)) / energy + 1]
        slope = [
            [moments[0] / size, -moments[1] / size],
            [moments[1] / energy, -moments[2] / energy],
        ]
        return np.array(miss), np.array(slope)

    return equations


def _near_perfect(log_energy: float, n_pos: int, n_neg: int) -> Equations:
    """Return both constraints as logarithms of positive sums.

    As many holes below the Fermi energy as particles above it, and their energy. The unknowns
    are the log odds at the Fermi energy and beta.
    """
    hole = np.arange(n_pos) + 0.5
    particle = np.arange(n_neg) + 0.5

    def equations(at: Floats) -> tuple[Floats, Floats]:
        sums = []
        for t, z in ((hole, -at[0] - at[1] * hole), (particle, at[0] - at[1] * particle)):
            f, rest = either(z)
            weight = f * rest
            sums.append([float(np.sum(s)) for s in (f, f * t, weight, weight * t, weight * t * t)])
        (h, h_t, wh, wh_t, wh_tt), (p, p_t, wp, wp_t, wp_tt) = sums
        energy = h_t + p_t
        miss = [log(p) - log(h), log(energy) - log_energy]
        slope = [
            [wp / p + wh / h, wh_t / h - wp_t / p],
            [(wp_t - wh_t) / energy, -(wp_tt + wh_tt) / energy],
        ]
        return np.array(miss), np.array(slope)

    return equations
