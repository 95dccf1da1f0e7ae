"""Empirical utility maximisation: the optimal threshold of a metric on labelled samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.blocks import totals_below
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import Floats, Weights
from rocviz.core.decisions.utility import Metric, MetricLike, MetricOptions, resolve_metric
from rocviz.core.roc.segments import RankedSegments, ranked


@dataclass(frozen=True, eq=False)
class EmpiricalThreshold(Frozen):
    """The best threshold of a ranking of labelled samples, and the metric at every threshold.

    The result of :func:`best_empirical_threshold`.

    Parameters
    ----------
    threshold : float
        The lowest score that is predicted positive, which occurs; ``inf`` if it is best to predict
        no positives. Of several thresholds within 1e-12 of the best (for ``"cost"`` in units of
        the greater cost, for a function of the best itself) the highest.
    utility : float
        The metric there.
    thresholds : ndarray of float, shape (n_thresholds,)
        All distinct thresholds: ``inf``, then each score that occurs, decreasing.
    utilities : ndarray of float, shape (n_thresholds,)
        The metric at each.
    metric : Metric
        The metric with its options.
    """

    threshold: float
    utility: float
    thresholds: Floats
    utilities: Floats
    metric: Metric

    def to_frame(self) -> DataFrame:
        """Make a table with one row per threshold: columns ``threshold, utility``."""
        return to_frame(threshold=self.thresholds, utility=self.utilities)


def best_empirical_threshold(
    y_true: ArrayLike | RankedSegments,
    y_prob: ArrayLike | None = None,
    metric: MetricLike = "f",
    *,
    sample_weight: Weights = None,
    pos_label: Any = None,
    **options: Unpack[MetricOptions],
) -> EmpiricalThreshold:
    """Find the threshold that optimises a metric on labelled samples.

    Every threshold is tried; of equally good ones the highest is returned.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments
        Labels of exactly two classes. Segments stand for labels, scores and weights.
    sample_weight, pos_label
        As for :meth:`rocviz.RankedSegments.from_scores`.
    y_prob : array-like of float, shape (n_samples,)
        Probabilities of the positive class; any finite scores are accepted, since only their order
        matters.
    metric, **options
        As in :func:`resolve_metric`.

    Raises
    ------
    ValueError
        If there is not one finite score per label, or the metric is unknown.

    References
    ----------
    Koyejo et al. (2014); Natarajan et al. (2015), Remark 1.

    Examples
    --------
    >>> best = best_empirical_threshold([0, 1, 0, 1], [0.1, 0.4, 0.5, 0.8], "f1")
    >>> best.threshold, round(best.utility, 3)
    (0.4, 0.8)
    """
    measure = resolve_metric(metric, **options)
    segments = ranked(y_true, y_prob, sample_weight, pos_label, "y_prob")
    utilities = measure.at_cells(
        tp=segments.cumulative_pos,
        fp=segments.cumulative_neg,
        fn=totals_below(segments.pos),
        tn=totals_below(segments.neg),
    )
    best_index = int(np.argmax(measure.best(utilities)))
    return EmpiricalThreshold(
        threshold=float(segments.thresholds[best_index]),
        utility=float(utilities[best_index]),
        thresholds=segments.thresholds,
        utilities=utilities,
        metric=measure,
    )
