"""The threshold with the highest value of a metric on labelled samples: every cut is tried.

Empirical utility maximisation. Knows ranked segments and metrics; nothing of models.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.blocks import running_totals
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import Floats, Weights, check_samples, check_vector
from rocviz.core.decisions.utility import Metric, MetricLike, MetricOptions, resolve_metric
from rocviz.core.roc.segments import RankedSegments, check_near

_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class EmpiricalThreshold(Frozen):
    """The best cut of a ranking of labelled samples, and what every cut is worth.

    What :func:`best_empirical_threshold` and :func:`best_threshold_of_segments` return.

    Parameters
    ----------
    threshold : float
        Call positive what scores at least this; ``inf`` if nothing should be. It is a score
        that occurs. Of several cuts within 1e-12 of the best (for ``"cost"`` in units of the
        greater cost, for a function of the best itself) the highest.
    utility : float
        The metric there.
    thresholds : ndarray of float, shape (n_cuts,)
        All distinct cuts: ``inf``, then each score that occurs, decreasing.
    utilities : ndarray of float, shape (n_cuts,)
        The metric at each.
    metric : Metric
        What was maximised, with its options.
    """

    threshold: float
    utility: float
    thresholds: Floats
    utilities: Floats
    metric: Metric

    def to_frame(self) -> DataFrame:
        """Return one row per cut: columns ``threshold, utility``."""
        return to_frame({"threshold": self.thresholds, "utility": self.utilities})


def best_empirical_threshold(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    metric: MetricLike = "f",
    *,
    sample_weight: Weights = None,
    pos_label: Any = None,
    **options: Unpack[MetricOptions],
) -> EmpiricalThreshold:
    """Return the threshold with the highest value of a metric on labelled samples.

    Every cut of the ranking is tried; of equally good ones the highest is returned.

    Parameters
    ----------
    y_true, sample_weight, pos_label
        As for :meth:`rocviz.RankedSegments.from_scores`.
    y_prob : array-like of float, shape (n_samples,)
        Probabilities of the positive class; any finite scores will do, as only their order
        matters.
    metric, beta, cost_fp, cost_fn, zero_division
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
    >>> found = best_empirical_threshold([0, 1, 0, 1], [0.1, 0.4, 0.5, 0.8], "f1")
    >>> found.threshold, round(found.utility, 3)
    (0.4, 0.8)
    """
    measure = resolve_metric(metric, **options)
    prob = check_vector(y_prob, "y_prob")
    positive, weight = check_samples(y_true, sample_weight, pos_label, y_prob=prob)
    segments = RankedSegments.from_scores(positive, prob, sample_weight=weight)
    return best_threshold_of_segments(segments, measure)


def best_threshold_of_segments(
    segments: RankedSegments, metric: MetricLike = "f", **options: Unpack[MetricOptions]
) -> EmpiricalThreshold:
    """Return the cut of a ranking with the highest value of a metric.

    Parameters
    ----------
    segments : RankedSegments
    metric, **options
        As in :func:`resolve_metric`.

    Raises
    ------
    ValueError
        If ``segments`` is no RankedSegments, or the metric unknown; if the metric is a function
        and less than 2.2e-16 of the weight is negative, or called so.
    """
    check_near(segments)
    measure = resolve_metric(metric, **options)
    mild = segments.of_mild_weight
    fn, tn = (running_totals(side[::-1])[::-1] for side in (mild.pos, mild.neg))
    if measure.name == "custom":
        left = np.append(fn + tn, mild.n_neg) / mild.n_samples
        if ((left > 0) & (left < _EPS)).any():
            raise ValueError(
                "segments must not have weights (sample_weight) so far apart for a metric that is "
                f"a function of rates: floats do not tell one from 1 if {_EPS:.2g} is left."
            )
    utilities = measure.at_cells(mild.cumulative_pos, mild.cumulative_neg, fn, tn)
    best = int(np.argmax(measure.best(utilities)))
    return EmpiricalThreshold(
        threshold=float(segments.thresholds[best]),
        utility=float(utilities[best]),
        thresholds=segments.thresholds,
        utilities=utilities,
        metric=measure,
    )
