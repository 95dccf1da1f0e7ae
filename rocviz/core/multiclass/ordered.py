"""Ordered classes: the volume under the ROC surface of one score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.blocks import weight_by_cell
from rocviz.core.base.classes import check_classes, class_codes
from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import (
    Floats,
    Weights,
    check_aligned,
    check_choice,
    check_fraction,
    check_same_length,
    check_vector,
    check_weights,
    label_column,
    list_labels,
)
from rocviz.core.multiclass.hand_till import METHODS
from rocviz.core.roc.auc_variance import ONE_SAMPLE, interval_ends, variance_of_mean
from rocviz.core.roc.delong_test import ROUNDING

# Seconds and numbers in memory per distinct score of a pair of classes.
_EACH = 2e-8


@dataclass(frozen=True)
class OrderedVolume(Frozen):
    """The probability that one sample of each class is in the order of the classes.

    Parameters
    ----------
    classes : tuple of label
        From the lowest to the highest.
    volume : float
        Of sets of one sample per class, the share in the right order; m classes that are tied
        count as ``1 / m!``.
    lower, upper : float
        Ends of the interval, within [0, 1].
    standard_error : float
        NaN where it cannot be estimated.
    chance : float
        The volume of a score that says nothing, ``1 / n_classes!``.
    method : str
    confidence : float
    is_fallback : bool
        Whether Clopper and Pearson's interval takes the method's place.
    """

    classes: tuple[Any, ...]
    volume: float
    lower: float
    upper: float
    standard_error: float
    chance: float
    method: str
    confidence: float
    is_fallback: bool


def ordered_volume(
    y_true: ArrayLike,
    y_score: ArrayLike,
    classes: Sequence[Any],
    *,
    method: str = "logit-delong",
    confidence: float = 0.95,
    sample_weight: Weights = None,
) -> OrderedVolume:
    """Compute the volume under the ROC surface of ordered classes, with its interval.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,)
        Labels, of each class at least one.
    y_score : array-like of float, shape (n_samples,)
        One score, which should rise with the classes.
    classes : sequence of label
        From the lowest to the highest.
    method : {"logit-delong", "delong"}, default="logit-delong"
        An interval that is symmetric on the scale of ``log(volume / (1 - volume))``, or around it.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated; each class must weigh at least 1.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Notes
    -----
    The sets are counted in the order of the scores, with as many running totals as classes, in
    ``O(n log n)``. The variance is the sum over classes of the variance of the mean of what each
    sample contributes: the share of sets with it that are in order. With two classes the volume is
    the AUC, and the interval that of :func:`rocviz.auc_interval`.

    References
    ----------
    Mossman (1999). Nakas and Yiannoutsos (2004), ties and variance.

    Examples
    --------
    >>> found = ordered_volume(["s", "s", "m", "m", "l", "l"], [1, 3, 2, 4, 5, 6], ["s", "m", "l"])
    >>> found.volume, round(found.chance, 3)
    (0.75, 0.167)
    """
    check_aligned(y_true=y_true, y_score=y_score, sample_weight=sample_weight)
    known = check_classes(classes)
    check_choice(method, "method", METHODS)
    level = check_fraction(confidence, "confidence")
    score = check_vector(y_score, "y_score")
    labels = label_column(y_true, "y_true")
    check_same_length(labels.size, y_score=score)
    weight = check_weights(sample_weight, labels.size)
    code = class_codes(labels, known, "y_true")
    many = len(known)
    size = weight_by_cell(code, weight, many)
    missing = [known[k] for k in np.flatnonzero(size == 0)]
    if missing:
        raise ValueError(f"y_true has no sample of the class {list_labels(missing)}.")
    if size.min() < 1 - 1e-9:
        raise ValueError(
            "sample_weight must sum to at least 1 in each class, as it says how often a sample is "
            f"repeated; the lightest class has {size.min():.6g}."
        )
    check_effort(
        seconds=_EACH * score.size * many**3,
        numbers=3.0 * many * score.size,
        classes=f"{many} classes",
    )
    distinct, at = np.unique(score, return_inverse=True)
    w = np.ones(score.size) if weight is None else weight
    held = np.array([np.bincount(at[code == k], w[code == k], distinct.size) for k in range(many)])
    volume, wrong, shares = _volumes(held / size[:, None])
    variance = float("nan")
    if size.min() > ONE_SAMPLE:
        variance = sum(map(variance_of_mean, shares, held))
        if max(np.ptp(row[some > 0]) for row, some in zip(shares, held, strict=True)) < ROUNDING:
            variance = 0.0
    low, high, is_missing = interval_ends(
        *(volume, wrong, variance, float(size.min()), level),
        on_logit=method == "logit-delong",
    )
    return OrderedVolume(
        classes=tuple(known),
        volume=volume,
        lower=float(low),
        upper=float(high),
        standard_error=float("nan") if is_missing else float(np.sqrt(variance)),
        chance=1 / factorial(many),
        method=method,
        confidence=level,
        is_fallback=bool(is_missing),
    )


def _volumes(share: Floats) -> tuple[float, float, Floats]:
    """Count ordered sets, other sets, and the ordered sets with a sample of each score.

    ``share`` has a row for each class, in order, and a column for each score, rising; all three are
    shares of all such sets, the last of the shape of ``share``.
    """
    many, scores = share.shape
    below = np.zeros((many + 1, scores))  # sets of the first k classes in order, below each score
    below[0] = 1.0
    lack = np.zeros(scores)  # unordered sets of them that end below each score
    total = 1.0
    wrong = 0.0
    tied = np.flatnonzero((share > 0).sum(axis=0) > 1)
    for k in range(1, many + 1):
        own = share[k - 1]
        right = own * below[k - 1]
        miss = np.zeros(scores)
        if k > 1:
            miss = np.cumsum(share[k - 2][::-1])[::-1] + lack
        for m in range(2, k + 1):
            ties = below[k - m, tied] * np.prod(share[k - m : k - 1, tied], axis=0) / factorial(m)
            right[tied] += own[tied] * ties
            miss[tied] -= ties
        before = np.cumsum(right) - right
        below[k] = before
        total = float(right.sum())
        miss *= own
        lack = np.cumsum(miss) - miss
        wrong = float(miss.sum())
    above = np.zeros((many + 1, scores))  # sets of the classes from k on in order, above each score
    above[many] = 1.0
    with_sample = np.zeros_like(share)
    for k in range(many - 1, -1, -1):
        right = share[k] * above[k + 1]
        for m in range(2, many - k + 1):
            ties = np.prod(share[k : k + m, tied], axis=0) / factorial(m)
            right[tied] += above[k + m, tied] * ties
        above[k] = np.cumsum(right[::-1])[::-1] - right
    for k in range(many):
        with_sample[k] = below[k] * above[k + 1]
        for a in range(k + 1):
            for b in range(max(k, a + 1), many):
                others = [j for j in range(a, b + 1) if j != k]
                ties = np.prod(share[others][:, tied], axis=0) / factorial(b - a + 1)
                with_sample[k, tied] += below[a, tied] * above[b + 1, tied] * ties
    return min(total, 1.0), max(wrong, 0.0), with_sample
