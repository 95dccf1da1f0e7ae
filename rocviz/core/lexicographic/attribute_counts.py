"""Counts of the value 1 of each attribute in each class, and the ratios they give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.validation import (
    MAX_WEIGHT,
    Floats,
    Weights,
    check_aligned,
    check_number,
    check_samples,
)
from rocviz.core.lexicographic.patterns import check_bits

_ROWS_PER_BLOCK = 16384  # counted at a time


@dataclass(frozen=True)
class ValueCounts:
    """Weight of positives and negatives with a 1 and with a 0 in each column, and of all."""

    # (n_attributes,): number of those with a 1
    pos: Floats
    neg: Floats
    # (n_attributes,): number of those with a 0; a difference of weights would lose small ones
    pos_0: Floats
    neg_0: Floats
    # of all
    n_pos: float
    n_neg: float


def count_values(X: ArrayLike, y: ArrayLike, sample_weight: Weights, pos_label: Any) -> ValueCounts:
    """Count how often each column is 1 in each class; takes what :func:`rocviz.lex_order` does."""
    bits = check_bits(X)
    check_aligned(X=X, y=y, sample_weight=sample_weight)
    positive, weight = check_samples(y, sample_weight, pos_label, "y", X=bits)
    sample_weights = np.ones(positive.size) if weight is None else weight
    by_class = np.stack((sample_weights * positive, sample_weights * ~positive))
    n_pos, n_neg = by_class.sum(axis=1).tolist()
    if not (n_pos and n_neg):
        raise ValueError("sample_weight leaves one class without weight; both are needed.")
    # weight of the values 1 and 0 in each column, shape (2, n_attributes): positives first
    ones = np.zeros((2, bits.shape[1]))
    zeros = np.zeros((2, bits.shape[1]))
    for start in range(0, positive.size, _ROWS_PER_BLOCK):
        rows = slice(start, start + _ROWS_PER_BLOCK)
        values = bits[rows].astype(np.float64)
        ones += by_class[:, rows] @ values
        if weight is not None:
            zeros += by_class[:, rows] @ (1 - values)
    if weight is None:  # whole numbers, of which a difference is exact
        zeros = np.array([[n_pos], [n_neg]]) - ones
    return ValueCounts(
        pos=ones[0], neg=ones[1], pos_0=zeros[0], neg_0=zeros[1], n_pos=n_pos, n_neg=n_neg
    )


def smoothed_odds_ratios(counts: ValueCounts, smoothing: float) -> Floats:
    """Compute the odds ratio of 1 over 0 in each column; 1 where a column has one value only."""
    numerator = (counts.pos + smoothing) * (counts.neg_0 + smoothing)
    denominator = (counts.neg + smoothing) * (counts.pos_0 + smoothing)
    constant = (counts.pos + counts.neg == 0) | (counts.pos_0 + counts.neg_0 == 0)
    with np.errstate(over="ignore"):  # a tiny smoothing makes ratios beyond floats
        ratio = np.divide(
            numerator, denominator, out=np.full(numerator.shape, np.inf), where=denominator > 0
        )
    return np.where(constant, 1.0, ratio)


def likelihood_ratios(pos: Floats, neg: Floats, counts: ValueCounts, smoothing: float) -> Floats:
    """Compute smoothed shares of the positives over those of the negatives, from 0 to inf."""
    numerator = (pos + smoothing) * (counts.n_neg + 2 * smoothing)
    denominator = (neg + smoothing) * (counts.n_pos + 2 * smoothing)
    with np.errstate(over="ignore"):  # a tiny smoothing makes ratios beyond floats
        ratio = np.divide(
            numerator, denominator, out=np.full(numerator.shape, np.inf), where=denominator > 0
        )
    return np.where((numerator > 0) | (denominator > 0), ratio, 1.0)


def check_smoothing(smoothing: float) -> float:
    """Check a smoothing count: not negative, and at most the largest weight."""
    smoothing = check_number(smoothing, "smoothing", minimum=0.0)
    if smoothing > MAX_WEIGHT:
        raise ValueError(f"smoothing must be at most {MAX_WEIGHT:g}; got {smoothing:g}.")
    return smoothing
