"""One probability per total score of a stage, fitted to the counts of those that occurred.

Knows totals and counts; nothing of features, scores or lists.
"""

from __future__ import annotations

from typing import Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression

from rocviz.core.base.exactness import LARGEST_EXACT
from rocviz.core.base.validation import (
    Floats,
    check_choice,
    check_fraction,
    check_number,
    check_spread,
    check_vector,
)
from rocviz.core.calibration.calibration import beta_map, sigmoid_map
from rocviz.core.roc.segments import RankedSegments

STAGE_CALIBRATIONS = ("isotonic", "beta", "sigmoid", "m-estimate")


def check_counts(totals: NDArray[Any], pos: ArrayLike, neg: ArrayLike) -> tuple[Floats, Floats]:
    """Return both classes' weights per total: not negative, not all zero, nor too great."""
    sides = []
    for name, values in (("pos", pos), ("neg", neg)):
        side = check_vector(values, name)
        if side.size != totals.size:
            raise ValueError(
                f"{name} must have one entry per total; got {side.size} for {totals.size} totals."
            )
        if side.size and side.min() < 0:
            raise ValueError(f"{name} must not be negative; the smallest is {side.min():.6g}.")
        sides.append(side)
    if not (sides[0].any() or sides[1].any()):
        raise ValueError("pos and neg are zero everywhere; at least one sample is needed.")
    check_spread("pos and neg", *sides)
    return sides[0], sides[1]


def in_unit(*sides: Floats) -> tuple[Floats, ...]:
    """Return weights in a power of two near their sum, which rounds nothing, as their unit."""
    exponent = -np.frexp(sum(side.sum() for side in sides))[1]
    return tuple(np.ldexp(side, exponent) for side in sides)


def check_totals(totals: ArrayLike) -> Floats:
    """Return totals as floats: whole numbers, strictly decreasing, at least one."""
    values = check_vector(totals, "totals")
    if values.size == 0:
        raise ValueError("totals is empty; stage 0 has the one total 0.")
    if (values != np.round(values)).any() or np.abs(values).max() > LARGEST_EXACT:
        raise ValueError(
            "totals must be whole numbers up to 2**53: they are sums of integer scores."
        )
    if (values[1:] >= values[:-1]).any():
        raise ValueError("totals must strictly decrease: the most positive end comes first.")
    return values


class StageCalibration(TypedDict, total=False):
    """How probabilities are fitted, see :func:`fit_stage_probability`."""

    method: str
    m: float
    prior: float | None


def fit_stage_probability(
    totals: ArrayLike,
    pos: ArrayLike,
    neg: ArrayLike,
    *,
    method: str = "isotonic",
    m: float = 2.0,
    prior: float | None = None,
) -> Floats:
    """Return a probability for every reachable total of a stage.

    It never falls with the total.

    Parameters
    ----------
    totals : array-like of int, shape (n_totals,)
        Reachable totals, strictly decreasing.
    pos, neg : array-like of float, shape (n_totals,)
        Weight of positives and negatives with each total; zero where none occurred.
    method : {"isotonic", "beta", "sigmoid", "m-estimate"}, default="isotonic"
        "beta" is beta calibration of the total, scaled linearly from the lowest and highest
        reachable total to [0, 1] and kept half a sample away from both ends. "m-estimate"
        pulls every proportion to ``prior`` and then pools what is out of order.
    m : float, default=2
        For "m-estimate" only: weight of the prior, in samples; not negative.
    prior : float, optional
        For "m-estimate" only: probability that proportions are pulled to, in [0, 1]; by
        default the proportion of positives.

    Returns
    -------
    ndarray of float, shape (n_totals,)
        Non-increasing along ``totals``, within [0, 1]. "isotonic" and "m-estimate" give
        a total that did not occur the straight line between its neighbours that did, and
        beyond the last of them its value. With one class only, or one total only, there is nothing
        to fit: all get the proportion of positives (pulled to the prior for "m-estimate").

    Raises
    ------
    ValueError
        If totals do not strictly decrease, counts are not one per total, or the method is unknown.

    References
    ----------
    Hanselle et al. (2024), equations 8 and 9. Kull, Silva Filho and Flach (2017).

    Examples
    --------
    >>> fit_stage_probability([3, 2, 1, 0], [6, 0, 1, 2], [2, 0, 4, 3])
    array([0.75 , 0.525, 0.3  , 0.3  ])
    """
    reachable = check_totals(totals)
    return fit_checked(reachable, *check_counts(reachable, pos, neg), method, m, prior)


def fit_checked(
    reachable: Floats, pos: Floats, neg: Floats, method: str, m: float, prior: float | None
) -> Floats:
    """Return what :func:`fit_stage_probability` does of checked totals and counts."""
    check_choice(method, "method", STAGE_CALIBRATIONS)
    m = check_number(m, "m", minimum=0.0)
    share = float(pos.sum() / (pos.sum() + neg.sum()))
    pulled_to = share if prior is None else check_fraction(prior, "prior", ends=True)
    some = pos + neg > 0
    at, pos, neg = reachable[some], pos[some], neg[some]
    if method in ("isotonic", "m-estimate"):
        pull = m if method == "m-estimate" else 0.0
        n = pos + neg + pull
        check_spread("m times the number of totals", n)
        pooled = isotonic_regression((pos + pull * pulled_to) / n, weights=n, increasing=False).x
        fitted = np.interp(reachable, at[::-1], pooled[::-1])
    elif at.size == 1 or not (pos.any() and neg.any()):
        fitted = np.full(reachable.size, share)
    elif method == "beta":
        low, span = reachable[-1], reachable[0] - reachable[-1]
        calibrate = beta_map(RankedSegments((at - low) / span, pos, neg))
        fitted = calibrate((reachable - low) / span)
    else:
        fitted = sigmoid_map(RankedSegments(at, pos, neg))(reachable)
    # rounding must not turn the order of neighbours
    return np.minimum.accumulate(np.clip(fitted, 0.0, 1.0))
