"""Predictive values at a stated prevalence, with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import check_fraction, check_prevalence, describe
from rocviz.core.roc.metrics import ConfusionTable


@dataclass(frozen=True)
class PredictiveValues(Frozen):
    """Predictive values for a prevalence that is stated, not estimated.

    Parameters
    ----------
    ppv, ppv_lower, ppv_upper : float
        Probability that a sample that is predicted positive is positive, with its interval; NaN
        where none is predicted positive.
    npv, npv_lower, npv_upper : float
        Probability that a sample that is predicted negative is negative, with its interval.
    prevalence : float
    confidence : float
        Nominal coverage.
    """

    ppv: float
    ppv_lower: float
    ppv_upper: float
    npv: float
    npv_lower: float
    npv_upper: float
    prevalence: float
    confidence: float


def predictive_values(
    table: ConfusionTable, *, prevalence: float, confidence: float = 0.95
) -> PredictiveValues:
    """Compute positive and negative predictive values at a stated prevalence.

    Parameters
    ----------
    table : ConfusionTable
        Counts of samples of both classes, whose numbers need not say how frequent the classes are.
    prevalence : float
        Prevalence where the predictions are used, from 1e-9 to 1 - 1e-9, taken as known.
    confidence : float, default=0.95
        Strictly between 0 and 1.

    Raises
    ------
    ValueError
        If an argument is invalid.

    See Also
    --------
    ConfusionTable.interval : Predictive values at the prevalence of the data.

    Notes
    -----
    The odds of a predictive value are those of the prevalence times a ratio of two independent
    proportions. The interval of that ratio follows from Wilson's intervals of both. In simulations
    of 25 + 25 to 100 + 100, 10 + 190 and 50 + 950 samples with rates from .5 to .99, it covers 91
    to 98 %, but 89 to 91 % for the negative predictive value with 10 positives. Intervals on the
    scale of log odds cover 20 to 96 %. A table does not tell whose samples it counts, so there are
    no intervals of clusters, such as a patient's rows: these would be wider.

    References
    ----------
    Donner and Zou (2012), equation 9. Brown, Cai and DasGupta (2001) (Wilson's interval).

    Examples
    --------
    >>> from rocviz import ConfusionTable
    >>> table = ConfusionTable(tp=45, fp=10, fn=5, tn=90)
    >>> values = predictive_values(table, prevalence=0.05)
    >>> print(f"{values.ppv:.3f}, {values.ppv_lower:.3f} to {values.ppv_upper:.3f}")
    0.321, 0.210 to 0.462
    """
    if not isinstance(table, ConfusionTable):
        raise ValueError(f"table must be a ConfusionTable; got {describe(table)}.")
    if not (table.n_pos > 0 and table.n_neg > 0):
        raise ValueError("table must have samples of both classes.")
    pi = check_prevalence(prevalence)
    level = check_fraction(confidence, "confidence")
    odds = pi / (1 - pi)
    ppv = _value(table, odds, ("tpr", "fpr"), level)
    npv = _value(table, 1 / odds, ("tnr", "fnr"), level)
    return PredictiveValues(*ppv, *npv, prevalence=pi, confidence=level)


def _value(
    table: ConfusionTable, odds: float, rates: tuple[str, str], confidence: float
) -> tuple[float, float, float]:
    """Compute a predictive value and its interval, from rates of right and wrong predictions."""
    right = getattr(table, rates[0])
    wrong = getattr(table, rates[1])
    right_ends = table.interval(rates[0], confidence=confidence)
    wrong_ends = table.interval(rates[1], confidence=confidence)
    low, high = ratio_ends(right, right_ends, wrong, wrong_ends)
    ratio = float("nan")
    if wrong > 0:
        ratio = right / wrong
    elif right > 0:
        ratio = inf
    value, lower, upper = (_share(odds * x) for x in (ratio, low, high))
    return value, lower, upper


def _share(odds: float) -> float:
    """Convert odds to a probability."""
    return 1.0 if np.isposinf(odds) else odds / (1 + odds)


def ratio_ends(
    a: float, a_ends: tuple[float, float], b: float, b_ends: tuple[float, float]
) -> tuple[float, float]:
    """Compute the interval of a ratio ``a / b`` from those of independent proportions.

    References
    ----------
    Donner and Zou (2012), equation 9, with a lower end that divides by no difference.
    """
    low_a, high_a = a_ends
    low_b, high_b = b_ends
    x = low_a * (2 * a - low_a)
    divisor = a * b + sqrt(max((a * b) ** 2 - x * high_b * (2 * b - high_b), 0.0))
    lower = x / divisor if a > 0 and divisor > 0 else 0.0
    d = low_b * (2 * b - low_b)
    if d <= 0:
        return lower, inf
    upper = (a * b + sqrt(max((a * b) ** 2 - high_a * (2 * a - high_a) * d, 0.0))) / d
    return lower, upper
