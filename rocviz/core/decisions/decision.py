"""Labels that maximise the expected value of a metric, given every sample's probability.

Decision-theoretic classification.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import lru_cache
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.blocks import running_totals, totals_below
from rocviz.core.base.frozen import DataFrame, Frozen, read_only, to_frame
from rocviz.core.base.progress import Progress, ShouldStop
from rocviz.core.base.validation import Floats, check_callback
from rocviz.core.decisions._integral_utility import (
    am_utilities,
    g_tp_pr_utilities,
    q_mean_utilities,
    ratio_utilities,
)
from rocviz.core.decisions._windowed_utility import windowed_utilities
from rocviz.core.decisions.formula import Formula
from rocviz.core.decisions.label_utility import check_batch
from rocviz.core.decisions.monotonicity import is_monotonic
from rocviz.core.decisions.poisson_binomial import prefix_laws
from rocviz.core.decisions.utility import Metric, MetricLike, MetricOptions, resolve_metric

# Largest batch for which every outcome is counted; there other methods gain nothing.
_MAX_COUNTED_SAMPLES = 40
# Largest difference of sums over few counts, in units of the metric's greatest size.
_SUM_TOLERANCE = 1e-13


@dataclass(frozen=True, eq=False)
class Decision(Frozen):
    """Optimal labels of a batch, and the expected utility of every prefix of its ranking.

    Parameters
    ----------
    n_predicted_positive : int
        How many samples are predicted positive: the smallest number whose expected utility is
        within 1e-12 of the greatest, for ``"cost"`` in units of the greater cost, for a function
        in units of the greatest itself.
    threshold : float
        The lowest probability that is predicted positive; ``inf`` if none is. Samples tied at it
        may be predicted negative, see ``labels``.
    labels : ndarray of int, shape (n_samples,)
        0 or 1, in the order of the input. Of equal probabilities the first ones are positive.
    utilities : ndarray of float, shape (n_samples + 1,)
        Expected utility if the k most probable samples are predicted positive, k = 0, ..., n.
    order : ndarray of int, shape (n_samples,)
        The samples in decreasing order of probability, ties in the order of the input.
    y_prob : ndarray of float, shape (n_samples,)
        The probabilities as given.
    metric : Metric
        What was maximised, with its options.
    error : float
        How far ``utilities`` may be off, apart from rounding, see :func:`optimal_decision`.
    """

    n_predicted_positive: int
    threshold: float
    labels: NDArray[np.int64]
    utilities: Floats
    order: NDArray[np.intp]
    y_prob: Floats
    metric: Metric
    error: float = 0.0

    @property
    def utility(self) -> float:
        """Expected utility of the labels."""
        return float(self.utilities[self.n_predicted_positive])

    @property
    def n_samples(self) -> int:
        """Size of the batch."""
        return int(self.y_prob.size)

    def to_frame(self) -> DataFrame:
        """Make a table with one row per number of predicted positives.

        Columns ``k, threshold, utility, plug_in``: predicted positives, the lowest probability
        among them (``inf`` for none), the expected utility, and the utility of the expected
        confusion table.
        """
        return to_frame(
            k=np.arange(self.n_samples + 1),
            threshold=np.concatenate(([np.inf], self.y_prob[self.order])),
            utility=self.utilities,
            plug_in=plug_in_utilities(self.y_prob, self.metric),
        )


def optimal_decision(
    y_prob: ArrayLike,
    metric: MetricLike = "f",
    *,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
    **options: Unpack[MetricOptions],
) -> Decision:
    """Find the labels with the best expected metric, given each sample's probability.

    Parameters
    ----------
    y_prob : array-like of float, shape (n_samples,)
        Probability of the positive class; samples are independent. At least one.
    metric, **options
        As in :func:`resolve_metric`.
    progress : callable, optional
        Wraps the blocks of prefixes that are summed one after the other, such as ``tqdm.tqdm``;
        of most metrics there are none, or few.
    should_stop : callable, optional
        Called before each block; if it returns true, the work ends.

    Raises
    ------
    ValueError
        If the input is invalid, or the metric is not finite.
    SimulationStopped
        If ``should_stop`` returned true.

    Warns
    -----
    UserWarning
        If a ratio or a function falls with more true positives, other counts being equal. Then
        labels that are not a prefix of the ranking may be better than the best prefix, which is
        what is returned; :func:`prefix_utilities` does not warn.

    Notes
    -----
    Nothing is simulated. Up to 40 samples every pair of counts is visited. Above that, ratios
    (accuracy, cost, F, Jaccard, :class:`LinearFractional`), AM, G-TP/PR and Q-Mean come from
    integrals over products of one factor per sample, with all prefixes at once: O(n) memory, and
    rounding is the only error, about 1e-15. The G-Mean, the H-Mean, Matthews' correlation and
    formulas without ``abs``, ``max`` and ``min`` are evaluated at 5 by 5 counts of each prefix,
    whose weights come from the moments of both laws, and at every eighth prefix at 7 by 7 too:
    where the two agree to 1.25e-14, that is right, and takes time in proportion to n.
    Of the other prefixes 9 by 9 counts and 11 by 11 are tried, which must agree to 1e-13.
    Everything else is summed over windows of true positives and misses. Outside them lies a
    probability below 1e-15; where they are wide, the sum takes every m-th count, four times, each
    time in the gaps of the others. Where these differ by more than 1e-13 (times the metric's
    greatest size, if that is above 1 or the metric a function), m is halved, down to the full sum.
    ``error`` is the greatest difference that was left plus what may lie outside; it bounds the
    error unless the metric swings from count to count.

    References
    ----------
    Natarajan et al. (2015), Theorem 6.

    Examples
    --------
    >>> decision = optimal_decision([0.1, 0.9, 0.5], "f1")
    >>> decision.n_predicted_positive, decision.labels
    (2, array([0, 1, 1]))
    >>> decision.utilities
    array([0.    , 0.7275, 0.766 , 0.6365])
    """
    prob = check_batch(y_prob)
    measure = resolve_metric(metric, **options)
    order = np.argsort(-prob, kind="stable")
    check_callback(progress, "progress")
    check_callback(should_stop, "should_stop")
    utilities, error = _utilities_of_prefixes(prob[order], measure, progress, should_stop)
    if measure.function is not None:
        _warn_unless_monotonic(measure, prob.size)
    n_predicted_positive = int(np.argmax(measure.best(utilities)))
    labels = np.zeros(prob.size, dtype=np.int64)
    labels[order[:n_predicted_positive]] = 1
    threshold = float("inf")
    if n_predicted_positive:
        threshold = float(prob[order[n_predicted_positive - 1]])
    return Decision(
        order=order,
        utilities=utilities,
        n_predicted_positive=n_predicted_positive,
        threshold=threshold,
        labels=labels,
        y_prob=prob,
        metric=measure,
        error=error,
    )


def _warn_unless_monotonic(measure: Metric, n_samples: int) -> None:
    """Warn the caller's caller that the best labels may be no prefix of the ranking."""
    try:
        monotonicity = is_monotonic(measure, min(n_samples, 12))
    except ValueError as error:
        reason = str(error)
    else:
        if monotonicity:
            return
        reason = str(monotonicity)
    warnings.warn(
        f"Labels that are not a prefix of the ranking may be better than these. {reason}",
        stacklevel=3,
    )


def prefix_utilities(
    y_prob: ArrayLike, metric: MetricLike = "f", **options: Unpack[MetricOptions]
) -> Floats:
    """Compute the expected utility of predicting the k most probable samples positive.

    Takes and raises what :func:`optimal_decision` does; returns shape (n_samples + 1,), one for
    each k = 0, ..., n.

    Examples
    --------
    >>> prefix_utilities([0.9, 0.5, 0.1], "accuracy")
    array([0.5       , 0.76666667, 0.76666667, 0.5       ])
    """
    prob = check_batch(y_prob)
    measure = resolve_metric(metric, **options)
    return read_only(_utilities_of_prefixes(-np.sort(-prob), measure)[0])


def plug_in_utilities(
    y_prob: ArrayLike, metric: MetricLike = "f", **options: Unpack[MetricOptions]
) -> Floats:
    """Compute the metric of the expected confusion table for each prefix of the ranking.

    Expected counts are put into the metric, instead of taking the expectation of the metric. For
    large batches the difference vanishes.

    Takes and raises what :func:`optimal_decision` does; returns shape (n_samples + 1,), one for
    each k = 0, ..., n most probable samples predicted positive.

    Examples
    --------
    >>> plug_in_utilities([0.9, 0.5, 0.1], "f1").round(3)
    array([0.   , 0.72 , 0.8  , 0.667])
    """
    prob = check_batch(y_prob)
    measure = resolve_metric(metric, **options)
    tp, fp, fn, tn = _expected_cells(-np.sort(-prob))
    if measure.function is None:
        return read_only(measure.at_cells(tp, fp, fn, tn))
    # rounding may let a sum of probabilities exceed their number
    k = np.arange(prob.size + 1.0)
    tp = np.minimum(tp, k)
    return read_only(measure.at_counts(tp, k, tp[-1], float(prob.size)))


# ---------------------------------------------------------------------- the method for each metric


def _utilities_of_prefixes(
    probability: Floats,
    measure: Metric,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> tuple[Floats, float]:
    """Compute the expected utility of each prefix, shape (n + 1,), and a bound on the error.

    That is but for rounding, and 0 where nothing is left out. Probabilities decrease, and there is
    one; the rest is as in :func:`rocviz.core.decisions._windowed_utility.windowed_utilities`.
    """
    if probability.size <= _MAX_COUNTED_SAMPLES:
        return _direct_utilities(probability, measure), 0.0
    utilities = _exact_utilities(probability, measure)
    if utilities is not None:
        return utilities, 0.0
    return windowed_utilities(
        probability,
        measure,
        _SUM_TOLERANCE,
        progress,
        should_stop,
        has_bends=_may_have_bends(measure),
    )


def _exact_utilities(probability: Floats, measure: Metric) -> Floats | None:
    """Compute the utilities that have a closed form or are one integral, else ``None``."""
    zero_division = measure.zero_division
    match measure.name:
        case "balanced_accuracy":
            return am_utilities(probability, zero_division)
        case "informedness":
            return 2 * am_utilities(probability, (1 + zero_division) / 2) - 1
        case "g_tp_pr":
            return g_tp_pr_utilities(probability, zero_division)
        case "q_mean":
            return q_mean_utilities(probability, zero_division)
        case "sec":
            return _count_utilities(probability)
    ratio = measure.linear_fractional
    if ratio is None:
        return None
    if measure.function is None and not any(ratio.d[1:]):
        return measure.at_cells(*_expected_cells(probability))  # linear in the cells
    return ratio_utilities(probability, ratio, zero_division)


def _may_have_bends(measure: Metric) -> bool:
    """Test whether a metric may have bends or jumps, as any user-defined function may."""
    if isinstance(measure.function, Formula):
        return measure.function.has_bends
    return measure.name == "custom"


def _expected_cells(probability: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Compute expected true and false positives, false and true negatives of each prefix.

    Each is a sum in which nothing cancels. Probabilities decrease.
    """
    negative = 1 - probability
    return (
        running_totals(probability),
        running_totals(negative),
        totals_below(probability),
        totals_below(negative),
    )


def _count_utilities(probability: Floats) -> Floats:
    """Compute minus the mean squared error of counts of each prefix, shape (n + 1,).

    It is the squared distance to the expected number of positives, and that number's variance.
    """
    n = probability.size
    mean = float(probability.sum())
    variance = float((probability * (1 - probability)).sum())
    return -((np.arange(n + 1.0) - mean) ** 2 + variance) / n**2


@lru_cache(maxsize=_MAX_COUNTED_SAMPLES)
def _tables(n: int) -> tuple[NDArray[np.intp], ...]:
    """List predicted positives, true positives and false negatives of every table of n."""
    predicted, tp, fn = np.indices((n + 1, n + 1, n + 1))
    possible = (tp <= predicted) & (fn <= n - predicted)
    return predicted[possible], tp[possible], fn[possible]


def _direct_utilities(probability: Floats, measure: Metric) -> Floats:
    """Compute the expected utility of each prefix from all pairs of counts, in O(n^3)."""
    n = probability.size
    predicted, tp, fn = _tables(n)
    chance = prefix_laws(probability)[predicted, tp]
    chance *= prefix_laws(probability[::-1])[n - predicted, fn]
    value = measure.at_counts(tp, predicted, tp + fn, float(n))
    return np.asarray(np.bincount(predicted, chance * value), dtype=np.float64)
