"""Monotonicity of metrics, by going through all confusion tables of a size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

import numpy as np

from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import check_integer
from rocviz.core.decisions.utility import Metric, MetricLike, MetricOptions, resolve_metric

_ROUNDING = 1e-12  # of the largest value: a smaller fall is none


@dataclass(frozen=True)
class _Monotonicity(Frozen):
    is_monotonic: bool
    n: int

    def __bool__(self) -> bool:
        return self.is_monotonic


@dataclass(frozen=True)
class TPMonotonicity(_Monotonicity):
    """Whether more true positives never make a metric worse; if so, it is truthy.

    Parameters
    ----------
    is_monotonic : bool
    n : int
        Samples of the confusion tables that were looked at.
    tp, predicted, positives : int or None
        The worst step: with so many predicted and actual positives the metric falls when true
        positives rise from ``tp`` to ``tp + 1``. None if there is no such step.
    before, after : float or None
        The metric at both ends of that step.
    """

    tp: int | None = None
    predicted: int | None = None
    positives: int | None = None
    before: float | None = None
    after: float | None = None

    def __str__(self) -> str:
        if self:
            return f"More true positives never lower the metric ({self.n} samples)."
        assert self.tp is not None
        return (
            f"With {self.predicted} predicted and {self.positives} actual positives of {self.n} "
            f"samples the metric falls from {self.before:.6g} to {self.after:.6g} when true "
            f"positives rise from {self.tp} to {self.tp + 1}."
        )


def is_tp_monotonic(
    metric: MetricLike, n: int = 12, **options: Unpack[MetricOptions]
) -> TPMonotonicity:
    """Test whether a metric never gets worse with more true positives, other counts being equal.

    If so, the best labels are a prefix of the ranking: a number of the most probable samples are
    predicted positive, and no others (the probability ranking principle). All confusion tables of
    ``n`` samples are tried, about ``n**3 / 6``.

    Parameters
    ----------
    metric : str, LinearFractional or callable
        As in :func:`resolve_metric`.
    n : int, default=12
        At least 1. The answer is for batches of this size; for a linear-fractional metric
        without poles it holds for all sizes once it holds for a large one.
    **options : float
        As in :func:`resolve_metric`.

    Raises
    ------
    ValueError
        If ``n`` is below 1, or the metric unknown.

    Notes
    -----
    For a linear-fractional metric with numerator N and denominator D the step is upwards if
    ``c[1] * D > d[1] * N``. The paper's proposition 8 asks for ``c[1] > d[1]`` only, which is not
    enough.

    References
    ----------
    Natarajan et al. (2015), Definition 5 and Theorem 6.

    Examples
    --------
    >>> bool(is_tp_monotonic("jaccard"))
    True
    >>> from rocviz.core.decisions import LinearFractional
    >>> print(is_tp_monotonic(LinearFractional((1.9, 2, 1.5), (0.8, 1.3, -0.7, -0.7)), n=3))
    With 2 predicted and 1 actual positives of 3 samples the metric falls from 29 to 6.6875
    when true positives rise from 0 to 1.
    """
    size = _check_size(n)
    worst = _worst_step(resolve_metric(metric, **options), size, {"both": (1, 1)})
    if worst is None:
        return TPMonotonicity(True, size)
    positives, tp, tn, _, before, after = worst
    predicted = tp + size - positives - tn
    return TPMonotonicity(False, size, tp, predicted, positives, before, after)


@dataclass(frozen=True)
class TPRTNRMonotonicity(_Monotonicity):
    """Whether a higher TPR or TNR never makes a metric worse; if so, it is truthy.

    Parameters
    ----------
    is_monotonic, n, before, after
        As of :class:`TPMonotonicity`.
    positives, tp, tn : int or None
        The worst step: with so many positives the metric falls when it starts at so many true
        positives and true negatives and one more of ``right`` is found. None if there is no
        such step.
    right : {"tp", "tn"} or None
        What there is one more of.
    """

    positives: int | None = None
    tp: int | None = None
    tn: int | None = None
    right: str | None = None
    before: float | None = None
    after: float | None = None

    def __str__(self) -> str:
        if self:
            return f"A higher TPR or TNR never lowers the metric ({self.n} samples)."
        more = "positive" if self.right == "tp" else "negative"
        return (
            f"With {self.positives} positives of {self.n} samples the metric falls from "
            f"{self.before:.6g} to {self.after:.6g} when to {self.tp} true positives and "
            f"{self.tn} true negatives another true {more} is added."
        )


def is_tpr_tnr_monotonic(
    metric: MetricLike, n: int = 12, **options: Unpack[MetricOptions]
) -> TPRTNRMonotonicity:
    """Test whether a metric never gets worse with a higher TPR or TNR at the same prevalence.

    That is more than :func:`is_tp_monotonic` asks for, since one more true positive among as
    many predicted ones is one more true negative too: every metric of which this is true obeys the
    probability ranking principle. Takes and raises what :func:`is_tp_monotonic` does; the answer is
    for batches of ``n`` samples.

    See Also
    --------
    is_tp_monotonic : What the probability ranking principle needs.

    References
    ----------
    Natarajan et al. (2015), Definition 10, Proposition 11 and Remark 12; strict there, "never
    falls" here.

    Examples
    --------
    >>> bool(is_tpr_tnr_monotonic("g_mean"))
    True

    The paper's example of a metric that obeys the principle and rewards false alarms, 2 TP + FP:

    >>> odd = resolve_metric(lambda u, v, p: 2 * u + (v - u))
    >>> bool(is_tp_monotonic(odd)), bool(is_tpr_tnr_monotonic(odd))
    (True, False)
    """
    size = _check_size(n)
    steps = {"tp": (1, 0), "tn": (0, 1)}
    worst = _worst_step(resolve_metric(metric, **options), size, steps)
    if worst is None:
        return TPRTNRMonotonicity(True, size)
    return TPRTNRMonotonicity(False, size, *worst)


def _worst_step(
    measure: Metric, size: int, steps: dict[str, tuple[int, int]]
) -> tuple[int, int, int, str, float, float] | None:
    """Find the step in (TP, TN) that makes the metric worse by most: where, which, and values."""
    worst, deepest, scale = None, 0.0, 0.0
    for positives in range(size + 1):
        negatives = size - positives
        tp, tn = np.indices((positives + 1, negatives + 1))
        value = measure.at_counts(tp, tp + negatives - tn, np.full(tp.shape, positives), size)
        scale = max(scale, float(np.abs(value).max()))
        for right, (of_tp, of_tn) in steps.items():
            before = value[: positives + 1 - of_tp, : negatives + 1 - of_tn]
            after = value[of_tp:, of_tn:]
            loss = measure.sign * (before - after)
            if loss.size and loss.max() > deepest:
                i, j = (int(x) for x in np.unravel_index(int(loss.argmax()), loss.shape))
                deepest = float(loss[i, j])
                worst = positives, i, j, right, float(before[i, j]), float(after[i, j])
    return worst if deepest > _ROUNDING * scale else None


def _check_size(n: int) -> int:
    """Check the size of a batch whose counts of three kinds can all be tried."""
    size = check_integer(n, "n", minimum=1)
    check_effort(seconds=1e-8 * size**3, numbers=8 * size**2, n=size)
    return size
