"""Restricted cubic splines, and logistic regressions on them for many resamples at once."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from rocviz.core.base.validation import Floats

# Quantiles of Harrell's knots, by their number.
_KNOTS = {5: (0.05, 0.275, 0.5, 0.725, 0.95), 4: (0.05, 0.35, 0.65, 0.95), 3: (0.1, 0.5, 0.9)}
_MAX_STEPS = 100
_CONVERGED = 1e-6


def weighted_quantiles(x: Floats, n: Floats, at: Floats | tuple[float, ...]) -> Floats:
    """Compute NumPy's default quantiles of increasing values, each repeated ``n`` times.

    Examples
    --------
    >>> weighted_quantiles(np.array([1.0, 2.0, 4.0]), np.array([2.0, 1.0, 1.0]), (0.5, 0.9))
    array([1.5, 3.4])
    """
    last = np.cumsum(n)
    place = np.asarray(at) * max(last[-1] - 1, 0.0)
    whole = np.floor(place + 1e-9)  # tolerate rounding of sums
    low, high = (
        x[np.minimum(np.searchsorted(last, k * (1 + 1e-12), side="right"), x.size - 1)]
        for k in (whole, whole + 1)
    )
    return np.asarray(low + np.maximum(place - whole, 0.0) * (high - low))


def spline_knots(x: Floats, n: Floats, most: int) -> Floats:
    """Place knots at Harrell's quantiles; fewer if these are not distinct.

    There are none where three would not be distinct: the spline is a straight line then. ``x`` are
    distinct, and at least as many as knots.
    """
    for many in range(min(most, x.size), 2, -1):
        knots = np.unique(weighted_quantiles(x, n, _KNOTS[many]))
        if knots.size == many:
            return knots
    return np.empty(0)


def spline_columns(x: Floats, knots: Floats) -> Floats:
    """Compute the columns of a restricted cubic spline: the value itself first.

    Cubic between knots, straight beyond the outer ones (Harrell, 2015, equation 2.25), each divided
    by the squared distance of the outer knots. Shape (n, n_knots - 1), or (n, 1) without knots.
    """
    columns = [x]
    if knots.size:
        first, before, last = knots[0], knots[-2], knots[-1]
        cube = [np.maximum(x - knot, 0.0) ** 3 for knot in knots]
        for j, knot in enumerate(knots[:-2]):
            straight = cube[-2] * (last - knot) - cube[-1] * (before - knot)
            columns.append((cube[j] - straight / (last - before)) / (last - first) ** 2)
    return np.column_stack(columns)


def refit(design: Floats, pos: Floats, neg: Floats, start: Floats, ridge: float) -> Floats:
    """Fit a logistic regression to each row of counts, from the same start.

    ``design`` has shape (n_cells, n_columns), the first column constant; ``pos`` and ``neg`` have
    shape (n_fits, n_cells). ``ridge`` penalises squares of all coefficients but the first. The
    result has shape (n_fits, n_columns).
    """
    many = design.shape[1]
    penalty = np.full(many, ridge)
    penalty[0] = 0.0
    products = np.einsum("ci,cj->cij", design, design).reshape(design.shape[0], -1)
    n = pos + neg
    coefficients = np.tile(start, (pos.shape[0], 1))
    todo = np.arange(pos.shape[0])
    for _ in range(_MAX_STEPS):
        at = coefficients[todo]
        prob = expit(at @ design.T)
        gradient = (pos[todo] - n[todo] * prob) @ design - penalty * at
        bend = ((n[todo] * prob * (1 - prob)) @ products).reshape(-1, many, many)
        bend += np.diag(penalty + 1e-12)  # keeps a resample with one class from being singular
        step = np.linalg.solve(bend, gradient[:, :, np.newaxis])[:, :, 0]
        # where probabilities saturate full steps would diverge
        change = np.abs(step @ design.T).max(axis=1)
        coefficients[todo] = at + step / np.maximum(change / 3, 1.0)[:, np.newaxis]
        todo = todo[change > _CONVERGED]
        if not todo.size:
            break
    return coefficients
