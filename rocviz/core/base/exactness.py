"""Exact arithmetic of weights, on its way out."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.validation import LARGEST_EXACT as LARGEST_EXACT
from rocviz.core.base.validation import Floats


def least_positive(weights: Floats) -> float:
    """Return the least weight above zero, of weights that are not negative; NaN if there is none.

    Bits of such floats are ordered as they are; less one, those of zero are the largest of all.
    """
    bits = np.ascontiguousarray(weights).view(np.uint64) - np.uint64(1)
    return float((bits.min() + np.uint64(1)).view(np.float64)) if weights.any() else float("nan")


def whole_numbers(weight: Floats) -> tuple[NDArray[Any], Fraction]:
    """Return weights as whole numbers of a small unit, and what a sample is in that unit."""
    digits, exponent = np.frexp(weight)
    least = int(exponent.min())
    many = zip(
        np.ldexp(digits, 53).astype(np.int64).tolist(), (exponent - least).tolist(), strict=True
    )
    return np.array([n << k for n, k in many], dtype=object), Fraction(2) ** (53 - least)


def ratio(numerator: float | Fraction, denominator: float | Fraction) -> float:
    """Divide; nothing divided by nothing is NaN, something by nothing is infinite."""
    if denominator == 0:
        return float("nan") if numerator == 0 else float("inf")
    try:
        return float(numerator / denominator)
    except OverflowError:
        return float("inf")


def root(square: Fraction) -> Fraction:
    """Return the square root of a fraction, which may be less than any float, rounded once."""
    if square == 0:
        return square
    half = (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    return Fraction(sqrt(square / Fraction(4) ** half)) * Fraction(2) ** half
