"""Metrics as functions of a point in ROC space, and their curves of equal value.

Plain geometry of the unit square. Knows nothing of data, plots or widgets.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import read_only
from rocviz.core.base.validation import (
    Floats,
    check_choice,
    check_costs,
    check_fraction,
    check_integer,
    check_number,
    check_numbers,
    check_prevalence,
    describe,
)

_LARGEST_BETA = 1e150  # its square is a number still
_UNIT = 2.0**200

#: What can be asked for. Higher is better for all but ``cost``.
METRICS = (
    "accuracy",
    "cost",
    "precision",
    "f",
    "balanced_accuracy",
    "odds_ratio",
    "likelihood_ratio",
)


class MetricConditions(TypedDict, total=False):
    """What a metric depends on besides the point, see :func:`metric_value`."""

    prevalence: float
    cost_fp: float
    cost_fn: float
    beta: float


def metric_value(
    metric: str, fpr: ArrayLike, tpr: ArrayLike, **options: Unpack[MetricConditions]
) -> Floats:
    """Return the value of a metric at points of ROC space.

    Parameters
    ----------
    metric : str
        One of :data:`METRICS`: accuracy; expected cost of a decision (lower is better);
        precision; the F measure; balanced accuracy; odds ratio
        ``tpr (1 - fpr) / (fpr (1 - tpr))``; likelihood ratio ``tpr / fpr``.
    fpr, tpr : array-like of float
        In [0, 1]; broadcast against each other.
    prevalence : float, default=0.5
        At least 1e-150, and below 1. Matters to accuracy, cost, precision and F.
    cost_fp, cost_fn : float, default=1.0
        Cost of a false alarm and of a miss; not negative, not both zero. Matter to cost.
    beta : float, default=1.0
        How many times recall counts as much as precision; not negative. Matters to F.

    Returns
    -------
    ndarray of float
        Of the broadcast shape. Ratios are ``inf`` for something over nothing and ``nan`` for
        nothing over nothing (precision at the origin, say).

    Raises
    ------
    ValueError
        If the metric is unknown.

    References
    ----------
    Flach (2003).

    Examples
    --------
    >>> float(metric_value("precision", 0.1, 0.8, prevalence=0.5).round(4))
    0.8889
    """
    check_choice(metric, "metric", METRICS)
    pi, c_fp, c_fn, weight = _parameters(**options)
    f, t = np.broadcast_arrays(_rates(fpr, "fpr"), _rates(tpr, "tpr"))
    if metric == "accuracy":
        return np.asarray(pi * t + (1 - pi) * (1 - f))
    if metric == "cost":
        return np.asarray((1 - pi) * c_fp * f + pi * c_fn * (1 - t))
    if metric == "balanced_accuracy":
        return np.asarray((t + (1 - f)) / 2)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        if metric == "likelihood_ratio":
            return np.asarray(t / f)
        if metric == "odds_ratio":
            return np.asarray(t * (1 - f) / (f * (1 - t)))
        # shares of the positives, in a unit in which the smallest is no less exact than others
        found = _UNIT * t
        called = found + _UNIT * f * ((1 - pi) / pi)
        if metric == "f":
            both = 1 + weight**2
            called = _UNIT * (weight**2 / both) + called / both
            if weight:  # whose square may be less than floats hold
                called = np.where(found > 0, called, 1.0)
        return np.asarray(found / called)


def isometric(
    metric: str, value: float, *, n_points: int = 101, **options: Unpack[MetricConditions]
) -> tuple[Floats, Floats]:
    """Return the points of ROC space where a metric has a given value.

    Parameters
    ----------
    metric : str
        One of :data:`METRICS`.
    value : float
        One that the metric takes: ratios from 0 to ``inf``, cost from 0 to
        ``(1 - prevalence) * cost_fp + prevalence * cost_fn``, all others from 0 to 1.
    prevalence, cost_fp, cost_fn, beta
        As in :func:`metric_value`.
    n_points : int, default=101
        Vertices of a curved isometric (odds ratio); at least 3. Straight ones have two.

    Returns
    -------
    fpr, tpr : ndarray of float
        Vertices of the isometric within the unit square, from lower left to upper right, the
        first and last on its border.

    Raises
    ------
    ValueError
        If the metric does not take that value, or as in :func:`metric_value`.

    Examples
    --------
    >>> fpr, tpr = isometric("precision", 0.8, prevalence=0.5)
    >>> fpr, tpr
    (array([0.  , 0.25]), array([0., 1.]))
    """
    check_choice(metric, "metric", METRICS)
    pi, c_fp, c_fn, weight = conditions = _exact(*_parameters(**options))
    full_cost = (1 - pi) * c_fp + pi * c_fn
    ratio = metric in ("odds_ratio", "likelihood_ratio")
    top = {"cost": float(full_cost)}.get(metric, np.inf if ratio else 1.0)
    if not (ratio and value == np.inf):
        value = check_number(value, "value")
    if not 0 <= value <= top:
        raise ValueError(f"value of {metric} must be from 0 to {top:g}; got {describe(value)}.")
    count = _vertices(n_points)
    if metric == "odds_ratio":
        over, under = (1.0, 0.0) if value == np.inf else (value, 1.0)
        return _odds_ratio_curve(over, under, count)
    if value == np.inf:
        return _line_in_square(metric, Fraction(0), Fraction(1), *conditions)
    # A straight isometric never falls, so it crosses the falling diagonal (s, 1 - s), once.
    (v,) = _exact(value)
    f, t = 1 - v, v
    if metric == "likelihood_ratio":
        f = Fraction(1)
    elif metric == "cost":
        f, t = v, max(full_cost - v, Fraction(0))
    elif metric == "precision":
        t = v * (1 - pi) / pi
    elif metric == "f":
        t = v * ((1 - pi) / pi + weight**2) / (1 + weight**2)
    return _line_in_square(metric, f / (f + t), t / (f + t), *conditions)


def isometric_through(
    metric: str, fpr: float, tpr: float, *, n_points: int = 101, **options: Unpack[MetricConditions]
) -> tuple[Floats, Floats]:
    """Return the isometric of a metric that passes through a point of ROC space.

    Where several do, as all precision isometrics meet at the origin, it is the one along the
    rising diagonal, the value of a ranking at random.

    Parameters
    ----------
    metric, prevalence, cost_fp, cost_fn, beta, n_points
        As for :func:`isometric`.
    fpr, tpr : float
        The point, in [0, 1].

    Returns
    -------
    fpr, tpr : ndarray of float
        Vertices of the isometric within the unit square, from lower left to upper right, the
        first and last on its border (both the same where it only touches a corner). A curved
        isometric has the point itself as one more vertex.

    Raises
    ------
    ValueError
        As in :func:`metric_value`.

    Examples
    --------
    >>> fpr, tpr = isometric_through("accuracy", 0.25, 0.5, prevalence=0.5)
    >>> fpr, tpr
    (array([0.  , 0.75]), array([0.25, 1.  ]))
    """
    check_choice(metric, "metric", METRICS)
    conditions = _exact(*_parameters(**options))
    f = check_fraction(fpr, "fpr", ends=True)
    t = check_fraction(tpr, "tpr", ends=True)
    count = _vertices(n_points)
    if metric == "odds_ratio":
        return _odds_ratio_curve(t * (1 - f), f * (1 - t), count, at=(f, t))
    return _line_in_square(metric, *_exact(f, t), *conditions)


def _exact(*numbers: float) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, numbers))


def _line_in_square(
    metric: str,
    f: Fraction,
    t: Fraction,
    pi: Fraction,
    c_fp: Fraction,
    c_fn: Fraction,
    weight: Fraction,
) -> tuple[Floats, Floats]:
    """Follow a straight isometric from a point of the unit square both ways to its border."""
    if metric == "accuracy":
        across, up = pi, 1 - pi
    elif metric == "cost":
        across, up = pi * c_fn, (1 - pi) * c_fp
    elif metric == "f":
        across, up = f + weight**2 * pi / (1 - pi), t
    elif metric == "balanced_accuracy":
        across = up = Fraction(1)
    else:  # lines through the origin
        across, up, f, t = f, t, Fraction(0), Fraction(0)
    if across == up == 0:
        across = up = Fraction(1)

    def to_border(room_f: Fraction, room_t: Fraction) -> Fraction:
        """Return how many steps across and up there are until one of the rooms is used up."""
        return min(room / step for room, step in ((room_f, across), (room_t, up)) if step)

    back, on = to_border(f, t), to_border(1 - f, 1 - t)
    ends_f = np.array([float(f - back * across), float(f + on * across)])
    ends_t = np.array([float(t - back * up), float(t + on * up)])
    return read_only(ends_f), read_only(ends_t)


def _vertices(n_points: int) -> int:
    """Return a checked number of vertices."""
    count = check_integer(n_points, "n_points", minimum=3)
    check_effort(numbers=10 * count, n_points=count)
    return count


def _odds_ratio_curve(
    over: float, under: float, count: int, at: tuple[float, float] | None = None
) -> tuple[Floats, Floats]:
    """Trace ``t (1 - f) / (f (1 - t)) = over / under``, evenly on both its legs, with a point."""
    if over == under == 0:
        over = under = 1.0
    if under > over:  # below the diagonal the curve is the mirror image
        tpr, fpr = _odds_ratio_curve(under, over, count, None if at is None else at[::-1])
        return fpr, tpr
    root = np.sqrt(under / over)
    knee = 1 / (1 + root)  # tpr where tpr + fpr = 1
    first = count // 2 + 1
    rising = np.linspace(0.0, knee, first)
    falling = np.linspace(root * knee, 1.0, count - first + 1)[1:]
    # the same formula on both legs, each in the coordinate that moves faster there
    fpr = np.concatenate((_other(rising, root**2), falling))
    tpr = np.concatenate((rising, 1 - _other(1 - falling, root**2)))
    if at is not None:
        place = int(np.searchsorted(fpr + tpr, sum(at)))
        # rounding may put a vertex that is the point itself a last digit before it
        fpr, tpr = (
            np.maximum.accumulate(np.insert(side, place, here))
            for side, here in zip((fpr, tpr), at, strict=True)
        )
    return read_only(fpr), read_only(tpr)


def _other(x: Floats, ratio: float) -> Floats:
    """Return y with ``odds(y) = ratio * odds(x)``; 0 stays 0 and, for ratio > 0, 1 stays 1."""
    bottom = (1 - x) + ratio * x
    return np.divide(ratio * x, bottom, out=np.zeros_like(x), where=bottom > 0)


def _rates(values: ArrayLike, name: str) -> Floats:
    array = check_numbers(values, name)
    if not ((array >= 0) & (array <= 1)).all():
        raise ValueError(f"{name} must be within [0, 1]; got {describe(values)}.")
    return array


def _parameters(
    prevalence: float = 0.5, cost_fp: float = 1.0, cost_fn: float = 1.0, beta: float = 1.0
) -> tuple[float, float, float, float]:
    """Return prevalence, both costs, and how many times recall counts in F, checked."""
    pi = check_prevalence(prevalence)
    c_fp, c_fn = check_costs(cost_fp, cost_fn)
    weight = check_number(beta, "beta", minimum=0.0)
    if weight > _LARGEST_BETA:
        raise ValueError(f"beta must be at most {_LARGEST_BETA:g}; got {weight:g}.")
    return pi, c_fp, c_fn, weight
