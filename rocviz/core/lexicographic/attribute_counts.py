"""How often each attribute has the value 1 in each class, and odds ratios as exact fractions.

Knows rows of 0 and 1; nothing of orders or ranks.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.validation import (
    LARGEST_WEIGHT,
    Bools,
    Floats,
    Weights,
    check_number,
    check_samples,
)
from rocviz.core.lexicographic.patterns import Bits, check_bits

_BLOCK = 16384  # rows weighed at a time


@dataclass(frozen=True)
class ValueCounts:
    """Weight of positives and negatives with a 1 and with a 0 in each column, and of all."""

    # (n_attributes,): number of those with a 1
    pos: Floats
    neg: Floats
    # (n_attributes,): number of those with a 0, which may be too small for a difference
    pos_0: Floats
    neg_0: Floats
    # of all
    n_pos: float
    n_neg: float


def count_values(X: ArrayLike, y: ArrayLike, sample_weight: Weights, pos_label: Any) -> ValueCounts:
    """Return how often each column is 1 in each class; called as :func:`rocviz.lex_order` is."""
    bits = check_bits(X)
    positive, weight = check_samples(y, sample_weight, pos_label, "y", X=bits)
    if weight is None:
        n_pos, n_neg = float(positive.sum()), float((~positive).sum())
        pos, neg = _ones(bits, positive), _ones(bits, ~positive)
        return ValueCounts(pos, neg, n_pos - pos, n_neg - neg, n_pos, n_neg)
    sides = np.stack((weight * positive, weight * ~positive))
    n_pos, n_neg = sides.sum(axis=1).tolist()
    if not (n_pos and n_neg):
        raise ValueError("sample_weight leaves one class without weight; both are needed.")
    sums, noughts = np.zeros((2, 2, bits.shape[1]))
    for start in range(0, positive.size, _BLOCK):
        rows = slice(start, start + _BLOCK)
        ones = bits[rows].astype(np.float64)
        sums += sides[:, rows] @ ones
        noughts += sides[:, rows] @ (1 - ones)
    return ValueCounts(sums[0], sums[1], noughts[0], noughts[1], n_pos, n_neg)


def _ones(bits: Bits, where: Bools) -> Floats:
    found = np.zeros(bits.shape[1])
    for start in range(0, where.size, _BLOCK):
        rows = slice(start, start + _BLOCK)
        found += bits[rows][where[rows]].sum(axis=0, dtype=np.int64)
    return found


def exact_odds_ratios(counts: ValueCounts, smoothing: float) -> list[Fraction | float]:
    """Return odds ratios of 1 over 0, exact for counts; 1 where a column has one value only."""
    columns = (counts.pos, counts.neg, counts.pos_0, counts.neg_0)
    whole = not any((column % 1).any() for column in columns)
    added = Fraction(smoothing)
    found: list[Fraction | float] = []
    for each in zip(*(column.tolist() for column in columns), strict=True):
        pos, neg, other_pos, other_neg = (Fraction(count) + added for count in each)
        constant = not (each[0] or each[1]) or not (each[2] or each[3])
        over, under = pos * other_neg, neg * other_pos
        if constant:
            found.append(Fraction(1))
        elif not under:
            found.append(np.inf)
        else:
            ratio = over / under
            rough = as_float(ratio)
            # what floats hardly hold stays as it is
            rounds = not whole and 1e-300 < rough < 1e300
            found.append(Fraction(f"{rough:.13g}") if rounds else ratio)
    return found


def as_float(ratio: Fraction | float) -> float:
    """Return an odds ratio as a float, infinite where it is more than floats hold."""
    try:
        return float(ratio)
    except OverflowError:
        return np.inf


def likelihood_ratios(pos: Floats, neg: Floats, counts: ValueCounts, smoothing: float) -> Floats:
    """Return smoothed shares of the positives over those of the negatives, from 0 to inf."""
    # exponents apart: products of weights need not be floats
    sides = (pos, counts.n_neg + smoothing, neg, counts.n_pos + smoothing)
    (up, e_up), (n_neg, e_neg), (down, e_down), (n_pos, e_pos) = (
        np.frexp(side + smoothing) for side in sides
    )
    over, under = up * n_neg, down * n_pos
    ratio = np.divide(over, under, out=np.full(pos.shape, np.inf), where=under > 0)
    with np.errstate(over="ignore"):  # more than floats hold
        ratio = np.ldexp(ratio, (e_up + e_neg) - (e_down + e_pos))
    return np.where((over > 0) | (under > 0), ratio, 1.0)


def check_smoothing(smoothing: float) -> float:
    """Return what is added to counts: not negative, and no more than can be added up."""
    added = check_number(smoothing, "smoothing", minimum=0.0)
    if added > LARGEST_WEIGHT:
        raise ValueError(f"smoothing must be at most {LARGEST_WEIGHT:g}; got {added:g}.")
    return added


def inverse(ratio: Fraction | float) -> Fraction | float:
    """Return one over an odds ratio, which may be infinite."""
    if ratio == 0:
        return np.inf
    return Fraction(0) if ratio == np.inf else 1 / ratio
