"""Average precision with an interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import Floats, Weights, check_fraction
from rocviz.core.roc.auc_intervals import check_counts
from rocviz.core.roc.auc_variance import MAX_WEIGHT_OF_ONE_SAMPLE, interval_ends
from rocviz.core.roc.segments import RankedSegments, ranked_with_clusters


@dataclass(frozen=True)
class AveragePrecision(Frozen):
    """An average precision with its interval.

    Parameters
    ----------
    value : float
        Mean over the positives of the precision where all with at least their score are predicted
        positive.
    lower, upper : float
        Ends of the interval, within [0, 1].
    standard_error : float
        NaN where the data do not show how much the value varies.
    prevalence : float
        Prevalence of the data, which is what a useless score reaches.
    n_pos : float
        Positives, or clusters that hold some; with fewer than 20 the value tends to be too high.
    confidence : float
        Nominal coverage.
    is_fallback : bool
        Whether Clopper and Pearson's interval of as many trials as there are positives stands in.
    """

    value: float
    lower: float
    upper: float
    standard_error: float
    prevalence: float
    n_pos: float
    confidence: float
    is_fallback: bool


def average_precision(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None = None,
    *,
    confidence: float = 0.95,
    sample_weight: Weights = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
) -> AveragePrecision:
    r"""Compute the average precision with an interval.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments
        Labels of exactly two classes. Segments stand for labels, scores and weights.
    y_score, pos_label
        As for :meth:`rocviz.RankedSegments.from_scores`.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) vary together. Only with labels.

    Raises
    ------
    ValueError
        If an argument is invalid.

    Notes
    -----
    *When not to use it.* The value at chance is the prevalence, so average precisions of data with
    different prevalences cannot be compared.

    With :math:`P_i` the precision among the :math:`k_i` samples that score at least as high as
    positive i, a sample j contributes to the error of the mean

    .. math::

        u_j = \frac{1}{n^+} \left[P_j - AP + \sum_{i \in +, s_i \le s_j} \frac{1 - P_i}{k_i}\right]
        \quad\text{or}\quad u_j = -\frac{1}{n^+} \sum_{i \in +, s_i \le s_j} \frac{P_i}{k_i}

    as a positive or a negative. The interval is symmetric on the scale of log odds, by Student's
    distribution with one degree of freedom less than there are positives. In simulations of normal
    scores with AUCs from .5 to .995, prevalences of .05 and .5, and 50 to 1,000 samples, it covers
    92 to 100 %; percentiles of resamples cover 42 to 96 %. With four to ten positives the value
    itself is too high on average, by .03 to .09. Of 50 to 1,000 patients with four rows and one
    outcome each it covers 89 to 100 %.

    References
    ----------
    Boyd, Eng and Page (2013) (log odds).

    Examples
    --------
    >>> segments = RankedSegments(score=[4, 3, 2, 1], pos=[30, 15, 4, 1], neg=[2, 8, 20, 70])
    >>> result = average_precision(segments)
    >>> print(f"{result.value:.3f}, {result.lower:.3f} to {result.upper:.3f}")
    0.864, 0.749 to 0.931
    """
    segments, samples = ranked_with_clusters(y_true, y_score, clusters, sample_weight, pos_label)
    level = check_fraction(confidence, "confidence")
    check_counts(segments.pos, segments.neg)
    value, wrong, of_pos, of_neg = _influences(segments)
    n_pos = segments.n_pos
    if samples is None:
        n = segments.n_samples
        squares = float(segments.pos @ of_pos**2 + segments.neg @ of_neg**2)
        variance = n / (n - 1) * squares if n_pos > MAX_WEIGHT_OF_ONE_SAMPLE else float("nan")
    else:
        unit = cast("NDArray[np.intp]", samples.unit)
        segment = np.searchsorted(-segments.score, -samples.scores[0])
        influence = np.where(samples.positive, of_pos[segment], of_neg[segment])
        sums = np.bincount(unit, samples.w * influence)
        n_pos = float(np.unique(unit[samples.positive]).size)
        factor = sums.size / max(sums.size - 1, 1)
        variance = factor * float(sums @ sums) if n_pos > 1 else float("nan")
    lower, upper, is_fallback = interval_ends(
        value, wrong, variance, n_pos, level, on_logit=True, degrees=max(n_pos - 1, 1.0)
    )
    return AveragePrecision(
        value=value,
        lower=float(lower),
        upper=float(upper),
        standard_error=float("nan") if is_fallback else float(np.sqrt(variance)),
        prevalence=segments.prevalence,
        n_pos=n_pos,
        confidence=level,
        is_fallback=bool(is_fallback),
    )


def _influences(segments: RankedSegments) -> tuple[float, float, Floats, Floats]:
    """Compute the average precision, 1 less it, and the influences of both classes by segment."""
    tp = np.cumsum(segments.pos)
    fp = np.cumsum(segments.neg)
    k = tp + fp
    precision = tp / k
    n_pos = segments.n_pos
    value = float(segments.pos @ precision) / n_pos
    wrong = float(segments.pos @ (fp / k)) / n_pos
    # sums over the positives of lower scores and of the same
    gain = np.cumsum((segments.pos * (fp / k) / k)[::-1])[::-1]
    loss = np.cumsum((segments.pos * precision / k)[::-1])[::-1]
    return value, wrong, (precision - value + gain) / n_pos, -loss / n_pos
