"""The Brier score and its exact decompositions, without binning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.blocks import sum_in_blocks
from rocviz.core.base.frozen import DataFrame, Frozen
from rocviz.core.base.validation import Floats, Weights, check_probabilities
from rocviz.core.roc.segments import RankedSegments, ranked


@dataclass(frozen=True)
class BrierDecomposition(Frozen):
    """Three decompositions of the Brier score.

    ============  ====================================================
    by segments   ``brier = calibration_loss + refinement_loss``
    Murphy        ``refinement_loss = uncertainty - resolution``
    by the hull   ``brier = miscalibration - discrimination + uncertainty``
    ============  ====================================================

    Parameters
    ----------
    brier : float
        Mean squared difference of predicted probability and class, from 0 to 1.
    calibration_loss : float
        Mean squared difference of predicted and empirical probability of the segments.
    refinement_loss : float
        Mean of ``p (1 - p)`` with ``p`` the empirical probability of the segments. It is
        known from the ranking alone; at most 0.25.
    uncertainty : float
        ``prevalence * (1 - prevalence)``: the Brier score of always predicting the prevalence.
    resolution : float
        Mean squared difference of the segments' empirical probability and the prevalence.
    miscalibration : float
        Brier score less that of the hull's probabilities on the same data.
    discrimination : float
        Uncertainty less the Brier score of the hull's probabilities.

    Notes
    -----
    None of the terms is negative. Each is summed from terms that are not negative, never as a
    difference of scores, so the three sums above hold up to rounding.

    When every sample has a score of its own, every segment is a single sample: its empirical
    probability is 0 or 1, the refinement loss is 0 and the whole Brier score appears as
    calibration loss. The segment form is of no use then; the hull form, which pools
    neighbours until their order is right, still is.
    """

    brier: float
    calibration_loss: float
    refinement_loss: float
    uncertainty: float
    resolution: float
    miscalibration: float
    discrimination: float

    def to_frame(self) -> DataFrame:
        """Tabulate one row per term, with one column ``value``."""
        import pandas as pd

        terms = asdict(self)
        return pd.DataFrame(
            {"value": list(terms.values())}, index=pd.Index(list(terms), name="term")
        )


def brier_decomposition(
    y_true: ArrayLike | RankedSegments,
    y_prob: ArrayLike | None = None,
    *,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> BrierDecomposition:
    """Compute the Brier score and its decompositions.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments
        Labels of exactly two classes: numbers, booleans or strings. Segments, whose scores are
        predicted probabilities, stand for labels, probabilities and weights.
    y_prob : array-like of float, shape (n_samples,)
        Predicted probability of the positive class, in [0, 1].
    sample_weight, pos_label
        As for :meth:`rocviz.RankedSegments.from_scores`.

    Raises
    ------
    ValueError
        If a probability lies outside [0, 1], or there is not one per label.

    References
    ----------
    Flach and Matsubara (2008), Theorem 1. Murphy (1973). Dimitriadis, Gneiting and Jordan
    (2021), for the form against the hull.

    Examples
    --------
    >>> parts = brier_decomposition([1, 0, 1, 0], [0.9, 0.6, 0.6, 0.2])
    >>> round(parts.brier, 6)
    0.1425
    >>> round(parts.calibration_loss, 6), round(parts.refinement_loss, 6)
    (0.0175, 0.125)
    >>> segments = RankedSegments(score=[0.8, 0.2], pos=[4, 1], neg=[1, 4])
    >>> round(brier_decomposition(segments).calibration_loss, 6)
    0.0
    """
    segments = ranked(y_true, y_prob, sample_weight, pos_label, "y_prob", check_probabilities)
    prob = segments.score
    total = segments.n_samples
    pos = segments.pos
    neg = segments.neg

    def mean(terms: Callable[[slice], NDArray[np.float64]]) -> float:
        return sum_in_blocks(prob.size, terms) / total

    hull = segments.hull()
    return BrierDecomposition(
        brier=mean(lambda i: pos[i] * (1 - prob[i]) ** 2 + neg[i] * prob[i] ** 2),
        calibration_loss=mean(lambda i: (pos[i] + neg[i]) * _gap(prob[i], pos[i], neg[i]) ** 2),
        refinement_loss=refinement(segments),
        uncertainty=segments.prevalence * (segments.n_neg / total),
        resolution=_resolution(segments),
        miscalibration=_miscalibration(segments, hull),
        discrimination=_resolution(hull),
    )


def brier_bounds(
    y_true: ArrayLike | RankedSegments,
    y_prob: ArrayLike | None = None,
    *,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> tuple[BrierDecomposition, BrierDecomposition]:
    """Bound each term of the decompositions of the data behind segments.

    Parameters
    ----------
    y_true, y_prob, sample_weight, pos_label
        As for :func:`brier_decomposition`. Of samples, and of segments that are exact, both results
        are that decomposition.

    Returns
    -------
    tuple of BrierDecomposition
        The least and the greatest value of each term by itself; the sums that hold between the
        terms of the data do not hold within one of the two.

    Raises
    ------
    ValueError
        As :func:`brier_decomposition` does.

    Notes
    -----
    A sample's probability lies between the ends of its segment, hence so does its part of the
    Brier score. Breaking a segment up never raises the refinement loss, nor that of the hull: the
    segments as they are give the greatest, the best order within them the least. What is left is
    differences: the Brier score less refinement, uncertainty less refinement.

    Examples
    --------
    >>> y, prob = [0, 1, 0, 1, 1, 0], [0.11, 0.12, 0.13, 0.5, 0.8, 0.81]
    >>> joined = RankedSegments.from_partitions([(y, prob)], max_segments=4)
    >>> low, high = brier_bounds(joined)
    >>> low.brier <= brier_decomposition(y, prob).brier <= high.brier
    True
    """
    segments = ranked(y_true, y_prob, sample_weight, pos_label, "y_prob", check_probabilities)
    exact = brier_decomposition(segments)
    if segments.highest is None:
        return exact, exact
    low = segments.score
    high = check_probabilities(segments.highest, "segments.highest")
    lowest_brier = float(np.sum(segments.pos * (1 - high) ** 2 + segments.neg * low**2))
    lowest_brier /= segments.n_samples
    highest_brier = float(np.sum(segments.pos * (1 - low) ** 2 + segments.neg * high**2))
    highest_brier /= segments.n_samples
    best = segments.best_order()
    best_hull = best.hull()
    best_refinement = refinement(best)
    lower = replace(
        exact,
        brier=lowest_brier,
        calibration_loss=max(lowest_brier - exact.refinement_loss, 0.0),
        refinement_loss=best_refinement,
        miscalibration=max(lowest_brier - refinement(segments.hull()), 0.0),
    )
    upper = replace(
        exact,
        brier=highest_brier,
        calibration_loss=highest_brier - best_refinement,
        resolution=_resolution(best),
        miscalibration=highest_brier - refinement(best_hull),
        discrimination=_resolution(best_hull),
    )
    return lower, upper


def refinement(segments: RankedSegments) -> float:
    """Compute the mean of ``p (1 - p)`` with p the empirical probability of each segment."""
    pos = segments.pos
    neg = segments.neg
    lost = sum_in_blocks(len(segments), lambda i: pos[i] * (neg[i] / (pos[i] + neg[i])))
    return lost / segments.n_samples


def _resolution(segments: RankedSegments) -> float:
    """Murphy's resolution, with ``p - prevalence`` written as one quotient of counts."""
    total = segments.n_samples

    def terms(i: slice) -> NDArray[np.float64]:
        pos = segments.pos[i]
        neg = segments.neg[i]
        gap = (pos * segments.n_neg - neg * segments.n_pos) / total
        return np.asarray(gap**2 / (pos + neg))

    return sum_in_blocks(len(segments), terms) / total


def _gap(prob: Floats, pos: Floats, neg: Floats) -> Floats:
    """Compute predicted less empirical probability; near 1 from the complements."""
    n = pos + neg
    gap = prob - pos / n
    # a prediction equal to the rounded proportion has no loss
    high = ((prob > 0.5) & (gap != 0)) | (prob == 1)
    return np.where(high, neg / n - (1 - prob), gap)


def _miscalibration(segments: RankedSegments, hull: RankedSegments) -> float:
    """Compute the Brier score minus that of the hull as a sum without negative terms.

    Within a block of the hull with empirical probability P the difference is
    ``sum n_i (q_i - P)^2 + 2 sum (q_i - q_{i+1}) a_i``: predictions q fall along the
    ranking, and a_i, by how much the block's chord is above the curve below segment i (in samples),
    is not negative because the hull is above the curve.
    """
    vertices = segments.hull_vertices
    score = segments.score

    def terms(i: slice) -> Floats:
        index = np.arange(i.start, i.stop)
        block = np.searchsorted(vertices, index, side="right") - 1
        all_pos = hull.pos[block]
        all_neg = hull.neg[block]
        n = segments.pos[i] + segments.neg[i]
        pos = segments.cumulative_pos[index + 1] - segments.cumulative_pos[vertices[block]]
        neg = segments.cumulative_neg[index + 1] - segments.cumulative_neg[vertices[block]]
        fall = score[i] - np.append(score[i.start + 1 : i.stop + 1], 0.0)[: index.size]
        # clipped because rounding may leave -1e-16 where chord and curve meet
        above = np.maximum(neg * all_pos - pos * all_neg, 0.0) / (all_pos + all_neg)
        return np.asarray(n * _gap(score[i], all_pos, all_neg) ** 2 + 2 * fall * above)

    return sum_in_blocks(len(segments), terms) / segments.n_samples
