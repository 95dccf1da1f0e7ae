"""Labels that maximise the expected value of a metric, given every sample's probability.

Decision-theoretic classification.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.frozen import DataFrame, Frozen, read_only, to_frame
from rocviz.core.base.progress import Progress, ShouldStop
from rocviz.core.base.validation import Floats, check_callback
from rocviz.core.decisions._prefix_utility import expected_cells, utilities_of_prefixes
from rocviz.core.decisions.label_utility import check_batch
from rocviz.core.decisions.monotonicity import is_monotonic
from rocviz.core.decisions.utility import Metric, MetricLike, MetricOptions, resolve_metric


@dataclass(frozen=True, eq=False)
class Decision(Frozen):
    """Optimal labels of a batch, and the expected utility of every cut of its ranking.

    Parameters
    ----------
    n_predicted_positive : int
        How many samples are called positive: the smallest number whose expected utility is
        within 1e-12 of the greatest, for ``"cost"`` in units of the greater cost, for a function
        in units of the greatest itself.
    threshold : float
        The lowest probability that is called positive; ``inf`` if none is. Samples tied at it
        may be called negative, see ``labels``.
    labels : ndarray of int, shape (n_samples,)
        0 or 1, in the order of the input. Of equal probabilities the first ones are positive.
    utilities : ndarray of float, shape (n_samples + 1,)
        Expected utility if the k most probable samples are called positive, k = 0, ..., n.
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
        """Make a table with one row per cut.

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
    metric, beta, cost_fp, cost_fn, zero_division
        As in :func:`resolve_metric`.
    progress : callable, optional
        Wraps the blocks of cuts that are summed one after the other, such as ``tqdm.tqdm``;
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
    integrals over products of one factor per sample, with all cuts at once: O(n) memory, and
    rounding is the only error, about 1e-15. The G-Mean, the H-Mean, Matthews' correlation and
    formulas without ``abs``, ``max`` and ``min`` are evaluated at 5 by 5 counts of each cut,
    whose weights come from the moments of both laws, and at every eighth cut at 7 by 7 too:
    where the two agree to 1.25e-14, that is right, and takes time in proportion to n.
    Of the other cuts 9 by 9 counts and 11 by 11 are tried, which must agree to 1e-13. Everything
    else is summed over windows of true positives and misses. Outside them lies a probability
    below 1e-15; where they are wide, the sum takes every m-th count, four times, each time in the
    gaps of the others. Where these differ by more than 1e-13 (times the metric's greatest size,
    if that is above 1 or the metric a function), m is halved, down to the full sum. ``error`` is
    the greatest difference that was left plus what may lie outside; it bounds the error unless the
    metric swings from count to count.

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
    utilities, error = utilities_of_prefixes(prob[order], measure, progress, should_stop)
    if measure.function is not None:
        _warn_unless_monotonic(measure, prob.size)
    n_predicted_positive = int(np.argmax(measure.best(utilities)))
    labels = np.zeros(prob.size, dtype=np.int64)
    labels[order[:n_predicted_positive]] = 1
    return Decision(
        order=order,
        utilities=utilities,
        n_predicted_positive=n_predicted_positive,
        threshold=float(prob[order[n_predicted_positive - 1]])
        if n_predicted_positive
        else float("inf"),
        labels=labels,
        y_prob=prob,
        metric=measure,
        error=error,
    )


def _warn_unless_monotonic(measure: Metric, n_samples: int) -> None:
    try:
        result = is_monotonic(measure, min(n_samples, 12))
    except ValueError as error:
        warning = str(error)
    else:
        warning = "" if result else str(result)
    if warning:
        warnings.warn(
            f"Labels that are not a prefix of the ranking may be better than these. {warning}",
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
    return read_only(utilities_of_prefixes(-np.sort(-prob), measure)[0])


def plug_in_utilities(
    y_prob: ArrayLike, metric: MetricLike = "f", **options: Unpack[MetricOptions]
) -> Floats:
    """Compute the metric of the expected confusion table for each cut of the ranking.

    Expected counts are put into the metric, instead of taking the expectation of the metric. For
    large batches the difference vanishes.

    Takes and raises what :func:`optimal_decision` does; returns shape (n_samples + 1,), one for
    each k = 0, ..., n most probable samples called positive.

    Examples
    --------
    >>> plug_in_utilities([0.9, 0.5, 0.1], "f1").round(3)
    array([0.   , 0.72 , 0.8  , 0.667])
    """
    prob = check_batch(y_prob)
    measure = resolve_metric(metric, **options)
    cells = tp, *_ = expected_cells(-np.sort(-prob))
    if measure.function is None:
        return read_only(measure.at_cells(*cells))
    # rounding may let a sum of probabilities exceed their number
    tp = np.minimum(tp, k := np.arange(prob.size + 1.0))
    return read_only(measure.at_counts(tp, k, tp[-1], float(prob.size)))
