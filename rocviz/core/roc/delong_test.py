"""DeLong's placements, and the paired test of two AUCs of the same samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.normal import normal_quantile
from rocviz.core.base.samples import check_scored
from rocviz.core.base.validation import Bools, Floats, Weights, check_fraction
from rocviz.core.roc.auc_variance import MAX_WEIGHT_OF_ONE_SAMPLE, variance_of_mean, weight_before

#: AUCs, or placements of a sample, that differ by less are equal up to rounding.
MAX_ROUNDING_ERROR = 1e-13


@dataclass(frozen=True)
class AUCTest(Frozen):
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
    """Count the other class on the correct side of each sample; ties count half.

    Counts are the negatives below each positive, and the positives above each negative. As shares
    of the other class they are DeLong's placements, whose mean is the AUC; as counts they are not
    rounded. ``weight`` says how often each sample is repeated.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988). One sort and running counts of the tied groups
    replace their matrix of all pairs.
    """
    order = np.argsort(score)
    ascending = score[order]
    is_pos = positive[order]
    start = np.concatenate(([0], np.flatnonzero(ascending[1:] != ascending[:-1]) + 1))
    size = np.diff(start, append=score.size)
    w = np.ones(score.size) if weight is None else weight[order]
    pos = np.add.reduceat(np.where(is_pos, w, 0.0), start)
    neg = np.add.reduceat(np.where(is_pos, 0.0, w), start)
    negatives_below = np.repeat(weight_before(neg), size)
    positives_above = np.repeat(weight_before(pos[::-1])[::-1], size)
    count = np.empty(score.size)
    count[order] = np.where(is_pos, negatives_below, positives_above)
    return count[positive], count[~positive]


def auc_test(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    confidence: float = 0.95,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> AUCTest:
    """Test whether two rankings of the same samples have the same AUC (DeLong, paired).

    Parameters
    ----------
    y_true : array-like, shape (n_samples,)
        Labels of exactly two classes, at least two samples of each, weights being repetitions.
    y_score_a, y_score_b : array-like of float, shape (n_samples,)
        Scores by the two rankers; higher means more positive.
    confidence : float, default=0.95
        Confidence level of the interval of the difference.
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated; a class must weigh more than 1.001.
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
        If a class has a single sample or a weight of 1.001 or less, or scores are not one per
        label.

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
    samples = check_scored(
        y_true, sample_weight, pos_label, y_score_a=y_score_a, y_score_b=y_score_b
    )
    positive = samples.positive
    w = samples.w
    level = check_fraction(confidence, "confidence")
    if min(w[positive].sum(), w[~positive].sum()) <= MAX_WEIGHT_OF_ONE_SAMPLE:
        raise ValueError(
            "y_true must hold at least two samples of each class for a variance, or sample_weight "
            f"sum to more than {MAX_WEIGHT_OF_ONE_SAMPLE} in each."
        )
    score_a, score_b = samples.scores
    placements_a = placements(positive, score_a, samples.weight)
    placements_b = placements(positive, score_b, samples.weight)
    return compare_placements(placements_a, placements_b, positive, w, level)


def without_rounding(of_pos: Floats, of_neg: Floats) -> tuple[Floats, Floats]:
    """Set differences of placements to zero in rows where they are only rounding.

    Weights are summed in the order of the scores, so that sums of the same weights differ a little.
    """
    largest = np.maximum(
        np.abs(of_pos).max(axis=-1, keepdims=True), np.abs(of_neg).max(axis=-1, keepdims=True)
    )
    is_real = largest >= MAX_ROUNDING_ERROR
    return np.where(is_real, of_pos, 0.0), np.where(is_real, of_neg, 0.0)


def compare_placements(
    placements_a: tuple[Floats, Floats],
    placements_b: tuple[Floats, Floats],
    positive: Bools,
    weight: Floats,
    confidence: float = 0.95,
) -> AUCTest:
    """Compute :func:`auc_test` from checked data and their :func:`placements`."""
    w_pos = weight[positive]
    w_neg = weight[~positive]
    n_pos = w_pos.sum()
    n_neg = w_neg.sum()
    pos_a, neg_a = placements_a
    pos_b, neg_b = placements_b
    auc_a = float(w_pos @ pos_a / n_pos / n_neg)
    auc_b = float(w_pos @ pos_b / n_pos / n_neg)
    pos_gap, neg_gap = without_rounding((pos_a - pos_b) / n_neg, (neg_a - neg_b) / n_pos)
    variance = variance_of_mean(pos_gap, w_pos) + variance_of_mean(neg_gap, w_neg)
    error = float(np.sqrt(variance))
    difference = float(w_pos @ pos_gap / n_pos)
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
