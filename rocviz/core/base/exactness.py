"""Whether numbers survive becoming floats: whole ones beyond 2**53, masked ones in lists.

Fractions become floats here at the end of a calculation. Knows nothing of what numbers are for.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Up to here floats tell all whole numbers apart.
LARGEST_EXACT = 2**53


def holds_masked(values: Any, depth: int = 2) -> bool:
    """Return whether NumPy's constant for a masked value is in a list, or in a list of lists."""
    if depth == 0 or not isinstance(values, list | tuple):
        return False
    return any(value is np.ma.masked or holds_masked(value, depth - 1) for value in values)


def is_exact(whole: NDArray[Any], numbers: Floats) -> bool:
    """Return whether whole numbers are the same as floats."""
    if whole.dtype.itemsize < 8 or not whole.size:
        return True
    if int(whole.max()) <= LARGEST_EXACT and int(whole.min()) >= -LARGEST_EXACT:
        return True
    # rounding may lead one beyond what whole numbers of this type hold
    if numbers.max() >= float(np.iinfo(whole.dtype).max):
        return False
    return bool((numbers.astype(whole.dtype) == whole).all())


def is_exact_list(values: Any, numbers: Floats) -> bool:
    """Return whether whole numbers among floats are the same as the floats made of them."""
    if not numbers.size or not (np.abs(numbers) >= LARGEST_EXACT).any():
        return True
    return all(
        int(number) == value
        for value, number in zip(_flat(values), numbers.ravel().tolist(), strict=True)
        if isinstance(value, Integral)
    )


def _flat(values: Any) -> Iterator[Any]:
    """Yield the numbers in lists of lists, one after the other."""
    for value in values:
        if isinstance(value, list | tuple | np.ndarray) and np.ndim(value):
            yield from _flat(value)
        else:
            yield value


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
