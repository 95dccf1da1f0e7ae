"""Ratios of linear functions of a confusion table: F, Jaccard, precision and many more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import Floats, check_number, check_numbers, check_spread, describe

_EPS = float(np.finfo(np.float64).eps)
_RATE_TOLERANCE = 1e-12  # by which rounding may raise a rate above 1

#: The error of a ratio with a pole.
INFINITE_MESSAGE = (
    "The metric is infinite for some confusion table: its denominator is zero where its "
    "numerator is not."
)


@dataclass(frozen=True)
class LinearFractional(Frozen):
    r"""A ratio of two linear functions of the confusion table.

    .. math:: \Phi(u, v, p) = \frac{c_0 + c_1 u + c_2 v + c_3 p}{d_0 + d_1 u + d_2 v + d_3 p}

    with the rates ``u`` of true positives, ``v`` of predicted and ``p`` of actual positives.

    Parameters
    ----------
    c, d : sequence of float, length 3 or 4
        Coefficients; the fourth is 0 if left out. Not all of ``d`` are 0, and those of ``c`` and of
        ``d`` that are not lie within a factor of 1e12 of each other in size.

    Raises
    ------
    ValueError
        If a coefficient is out of its range, or ``d`` is zero throughout.

    References
    ----------
    Koyejo et al. (2014); Natarajan et al. (2015), equation 5.

    Examples
    --------
    >>> recall = LinearFractional(c=(0, 1, 0, 0), d=(0, 0, 0, 1))
    >>> float(recall(0.2, 0.5, 0.4))
    0.5
    """

    c: tuple[float, ...]
    d: tuple[float, ...]

    def __post_init__(self) -> None:
        for name in ("c", "d"):
            object.__setattr__(self, name, _check_coefficients(getattr(self, name), name))
        if not any(self.d):
            raise ValueError("d is zero throughout; the denominator must not vanish everywhere.")

    def __call__(self, u: ArrayLike, v: ArrayLike, p: ArrayLike) -> Floats:
        """Compute the ratio at rates; ``nan`` for 0/0.

        Parameters
        ----------
        u, v, p : array-like of float
            Rates of true positives, predicted positives and positives; broadcast.

        Raises
        ------
        ValueError
            If rates are not from 0 to 1, or the denominator is zero where the numerator is not.
        """
        return self.at_counts(*check_rates(u, v, p), 1.0, np.nan)

    def at_counts(
        self, tp: Floats, predicted: Floats, positives: Floats, n: float, zero_division: float
    ) -> Floats:
        """Compute the ratio at counts of samples.

        Takes what :meth:`Metric.at_counts` takes, and the value where it is 0/0.

        Raises
        ------
        ValueError
            If the metric is infinite at some counts, where only the denominator is zero.
        """
        numerator, numerator_rounding = _linear(self.c, n, tp, predicted, positives)
        denominator, denominator_rounding = _linear(self.d, n, tp, predicted, positives)
        numerator, denominator = np.broadcast_arrays(numerator, denominator)
        is_zero = np.abs(denominator) <= denominator_rounding
        if (is_zero & (np.abs(numerator) > numerator_rounding)).any():
            raise ValueError(INFINITE_MESSAGE)
        out = np.full(numerator.shape, zero_division)
        np.divide(numerator, denominator, out=out, where=~is_zero)
        return out


def check_rates(u: ArrayLike, v: ArrayLike, p: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Check rates of true positives, predicted positives and positives, from 0 to 1."""
    rates = check_numbers(u, "u"), check_numbers(v, "v"), check_numbers(p, "p")
    for name, rate in zip("uvp", rates, strict=True):
        if not ((rate >= 0) & (rate <= 1 + _RATE_TOLERANCE)).all():
            raise ValueError(f"{name} must be within [0, 1]; got {describe(rate)}.")
    return rates


def _linear(
    coefficients: tuple[float, ...], n: float, tp: Floats, predicted: Floats, positives: Floats
) -> tuple[Floats, Floats]:
    """Evaluate a linear function of a table, and the size of its rounding errors."""
    a, b, c, d = coefficients
    value = a * n + b * tp + c * predicted + d * positives
    size = abs(a) * n + abs(b) * tp + abs(c) * predicted + abs(d) * positives
    return np.asarray(value), np.asarray(8 * _EPS * size)


def _check_coefficients(values: Sequence[float], name: str) -> tuple[float, ...]:
    """Check four finite coefficients, of which the last may be left out."""
    is_sequence = isinstance(values, tuple | list) or np.ndim(values) == 1
    if not is_sequence or len(values) not in (3, 4):
        raise ValueError(f"{name} must be three or four numbers; got {describe(values)}.")
    coefficients = [check_number(value, f"{name}[{i}]") for i, value in enumerate(values)]
    if len(coefficients) == 3:
        coefficients.append(0.0)
    check_spread(f"{name} (sizes)", np.abs(coefficients))
    return tuple(coefficients)
