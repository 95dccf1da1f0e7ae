"""Are two AUCs of the same samples different? DeLong's placements and the paired test.

Knows labels and scores; nothing of curves or drawing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from rocviz.core.base.blocks import running_totals
from rocviz.core.base.exactness import least_positive, root, whole_numbers
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Weights,
    check_fraction,
    check_samples,
    check_vector,
)
from rocviz.core.roc.binomial_interval import normal_quantile

#: What two AUCs, or two placements of a sample, may differ by in rounding alone: no two of fewer
#: than a million million pairs are so near.
ROUNDING = 1e-13


# Weights less than this part of the greatest are added up exactly, and so are unequal ones of few
# samples, those that leave no room for a variance, or whose sum less 1 would hold few digits.
_FAR = 1e-6
_FEW = 4096
_HUGE = 1e100
_ONE = 1 + 1e-3
_TINY = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True)
class AUCTest:
    """A paired comparison of two rankings of one data set.

    Parameters
    ----------
    auc_a, auc_b : float
        Areas under the two ROC curves.
    difference : float
        ``auc_a - auc_b``.
    standard_error : float
        Of the difference, not negative; the rankings share their samples, so it is not the
        sum of two independent errors.
    p_value : float
        Two-sided, from 0 to 1.
    lower, upper : float
        Confidence interval of the difference.
    confidence : float
        Confidence level of the interval.
    """

    auc_a: float
    auc_b: float
    difference: float
    standard_error: float
    p_value: float
    lower: float
    upper: float
    confidence: float


def placements(
    positive: Bools, score: Floats, weight: Floats | None = None
) -> tuple[Floats, Floats]:
    """Return how much of the other class is on the right side of each sample; ties count half.

    Of positives those are the negatives below each, of negatives the positives above each; as
    shares of the other class they are DeLong's placements, whose mean is the AUC. Counted they are
    not rounded. ``weight`` says how often each sample is repeated.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988). One sort and running counts of the tied groups
    replace their matrix of all pairs.
    """
    order, is_pos, size, pos, neg = _tied(positive, score, weight)
    count = np.empty(score.size)
    count[order] = np.where(
        is_pos,
        np.repeat(running_totals(neg)[:-1] + neg / 2, size),
        np.repeat(running_totals(pos[::-1])[-2::-1] + pos / 2, size),
    )
    return count[positive], count[~positive]


def _tied(positive: Bools, score: Floats, weight: NDArray[Any] | None) -> tuple[Any, ...]:
    """Return the order of the scores, which are positive in it, and sizes and weights of ties."""
    order = np.argsort(score)
    ranked, is_pos = score[order], positive[order]
    start = np.concatenate(([0], np.flatnonzero(ranked[1:] != ranked[:-1]) + 1))
    size = np.diff(start, append=score.size)
    w = 1.0 if weight is None else weight[order]
    kind = np.dtype(np.float64) if weight is None else weight.dtype
    pos = np.add.reduceat(w * is_pos, start, dtype=kind)
    neg = np.add.reduceat(w * ~is_pos, start, dtype=kind)
    return order, is_pos, size, pos, neg


def needs_exact(of_pos: Floats, of_neg: Floats) -> bool:
    """Return whether sums of these weights of both classes would lose digits of a variance."""
    most = max(of_pos.max(), of_neg.max())
    least = min(least_positive(of_pos), least_positive(of_neg))
    far = 1.0 if of_pos.size + of_neg.size <= _FEW else _FAR
    few = min(float(of_pos.sum()), float(of_neg.sum())) < _ONE
    return bool(least < far * most or most > _HUGE or few)


def exact_covariance(
    positive: Bools,
    scores: Iterable[Floats],
    weight: Floats,
    group: NDArray[np.intp] | None = None,
) -> tuple[list[Fraction], NDArray[Any]]:
    """Return AUCs of rankings of the same samples, and the matrix of their covariances, exactly.

    All sums are of whole numbers, which are far quicker than fractions. Nothing is rounded, so
    that deviations need no care. The covariance is DeLong's, or with a number of each sample's
    group Obuchowski's.
    """
    whole, one = whole_numbers(weight)
    w_pos, w_neg = whole[positive], whole[~positive]
    n_pos, n_neg = w_pos.sum(), w_neg.sum()
    if min(n_pos, n_neg) <= one:
        raise ValueError("sample_weight must give each class a weight of more than 1.")
    twice = []  # the weight of the other class on the right side of each sample
    for score in scores:
        order, is_pos, size, pos, neg = _tied(positive, score, whole)
        count = np.empty(score.size, dtype=object)
        count[order] = np.where(
            is_pos,
            np.repeat(2 * np.cumsum(neg) - neg, size),
            np.repeat(2 * pos.sum() - 2 * np.cumsum(pos) + pos, size),
        )
        twice.append(count)
    right = np.array([count[positive] @ w_pos for count in twice], dtype=object)
    pairs = 2 * n_pos * n_neg
    found = np.full((right.size, right.size), Fraction(0), dtype=object)
    if group is None:
        for part, w, n in ((positive, w_pos, n_pos), (~positive, w_neg, n_neg)):
            rows = [count[part] for count in twice]
            square = np.empty((right.size, right.size), dtype=object)
            for i, row in enumerate(rows):
                weighed = w * row
                square[i, i:] = square[i:, i] = [weighed @ other for other in rows[i:]]
            # in units of a pair the deviations are n * count - right
            found += (n * square - np.outer(right, right)) * (one / (n - one))
        return [Fraction(area, pairs) for area in right], found / pairs**2
    sums = []
    for part, w, n in ((positive, w_pos, n_pos), (~positive, w_neg, n_neg)):
        of_class = np.zeros((right.size, int(group.max()) + 1), dtype=object)
        for row, count, area in zip(of_class, twice, right, strict=True):
            np.add.at(row, group[part], (n * count[part] - area) * w)
        held = np.unique(group[part]).size
        found += of_class @ of_class.T * (Fraction(held, held - 1) / n**2)
        sums.append(of_class)
    many = sums[0].shape[1]
    cross = sums[0] @ sums[1].T * Fraction(many, (many - 1) * n_pos * n_neg)
    return [Fraction(area, pairs) for area in right], (found + cross + cross.T) / pairs**2


def exact_root(variance: Fraction) -> float:
    """Return the square root of a variance that itself may be less than any float."""
    return as_float(root(variance))


def as_float(number: Fraction) -> float:
    """Return a number as a float; it raises ``ValueError`` if those of its size have few digits."""
    if 0 < abs(number) < _TINY:
        raise ValueError(
            "sample_weight must not have weights so far apart, or so large: an AUC, a difference "
            "or its variance would be less than floats hold."
        )
    return float(number)


def auc_test(
    y_true: ArrayLike,
    score_a: ArrayLike,
    score_b: ArrayLike,
    *,
    confidence: float = 0.95,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> AUCTest:
    """Test whether two rankings of the same samples have the same AUC (DeLong, paired).

    Parameters
    ----------
    y_true : array-like, shape (n_samples,)
        Labels of exactly two classes, at least two samples of each.
    score_a, score_b : array-like of float, shape (n_samples,)
        Scores by the two rankers; higher means more positive.
    confidence : float, default=0.95
        Confidence level of the interval of the difference.
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated; a class must weigh more than 1.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.

    Returns
    -------
    AUCTest
        Where the two rankings differ in no sample's placement, the standard error is 0 and
        the p-value 1.

    Raises
    ------
    ValueError
        If a class has fewer than two samples or a weight of 1 or less, or the scores are not one
        per label.

    See Also
    --------
    rocviz.compare_classifiers : More than two rankings, and samples that come in groups.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988).

    Examples
    --------
    >>> test = auc_test([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6], [2, 1, 5, 3, 4, 6])
    >>> round(test.difference, 3), round(test.p_value, 3)
    (0.111, 0.48)
    """
    a, b = check_vector(score_a, "score_a"), check_vector(score_b, "score_b")
    positive, weight = check_samples(y_true, sample_weight, pos_label, score_a=a, score_b=b)
    level = check_fraction(confidence, "confidence")
    if min(positive.sum(), (~positive).sum()) < 2:
        raise ValueError("y_true must hold at least two samples of each class for a variance.")
    if weight is not None:
        some = weight > 0
        positive, a, b, weight = positive[some], a[some], b[some], weight[some]
    w = np.ones(positive.size) if weight is None else weight
    of_pos, of_neg = w[positive], w[~positive]
    if min(of_pos.sum(), of_neg.sum()) <= 1:
        raise ValueError("sample_weight must sum to more than 1 in each class for a variance.")
    if needs_exact(of_pos, of_neg):
        (auc_a, auc_b), spread = exact_covariance(positive, (a, b), w)
        difference = as_float(auc_a - auc_b)
        error = exact_root(spread[0, 0] + spread[1, 1] - 2 * spread[0, 1])
        return _tested(as_float(auc_a), as_float(auc_b), difference, error, level)
    of_a, of_b = (placements(positive, score, weight) for score in (a, b))
    return compare_placements(of_a, of_b, positive, w, level)


def without_rounding(of_pos: Floats, of_neg: Floats) -> tuple[Floats, Floats]:
    """Return zeros for differences of placements that are all made by rounding, or them as given.

    There may be several rows of them, each for itself. Weights are added in the order of the
    scores, so that sums of the same ones differ a little.
    """
    furthest = (np.abs(part).max(axis=-1, keepdims=True) for part in (of_pos, of_neg))
    some = np.maximum(*furthest) >= ROUNDING
    return np.where(some, of_pos, 0.0), np.where(some, of_neg, 0.0)


def compare_placements(
    places_a: tuple[Floats, Floats],
    places_b: tuple[Floats, Floats],
    positive: Bools,
    weight: Floats,
    confidence: float = 0.95,
) -> AUCTest:
    """Return what :func:`auc_test` does, from checked data and two :func:`placements` of them."""
    of_pos, of_neg = weight[positive], weight[~positive]
    n_pos, n_neg = of_pos.sum(), of_neg.sum()
    (pos_a, neg_a), (pos_b, neg_b) = places_a, places_b
    auc_a, auc_b = (float(of_pos @ place / n_pos / n_neg) for place in (pos_a, pos_b))
    gaps = without_rounding((pos_a - pos_b) / n_neg, (neg_a - neg_b) / n_pos)
    error = float(np.sqrt(_variance(gaps[0], of_pos) + _variance(gaps[1], of_neg)))
    difference = float(of_pos @ gaps[0] / n_pos)
    return _tested(auc_a, auc_b, difference, error, confidence)


def _tested(
    auc_a: float, auc_b: float, difference: float, error: float, confidence: float
) -> AUCTest:
    """Return the normal test and interval of a difference with this standard error."""
    z = normal_quantile(confidence)
    if error > 0:
        p_value = float(2 * ndtr(-abs(difference) / error))
    else:
        p_value = 1.0 if difference == 0 else 0.0
    return AUCTest(
        auc_a=auc_a,
        auc_b=auc_b,
        difference=difference,
        standard_error=error,
        p_value=p_value,
        lower=difference - z * error,
        upper=difference + z * error,
        confidence=confidence,
    )


def _variance(value: Floats, weight: Floats) -> float:
    """Return the variance of a mean of values that are repeated so often."""
    total = float(weight.sum())
    deviation = value - float(weight @ value) / total
    return float(weight @ deviation**2) / (total - 1) / total
