"""Monotonicity of metrics, by enumerating all confusion tables of a size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

import numpy as np

from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import check_choice, check_integer
from rocviz.core.decisions.utility import Metric, MetricLike, MetricOptions, resolve_metric

_ROUNDING_TOLERANCE = 1e-12  # share of the largest value below which a fall counts as rounding
# label of the step, and its changes of true positives and true negatives
_STEPS = {"tp": {"both": (1, 1)}, "tpr_tnr": {"tp": (1, 0), "tn": (0, 1)}}


@dataclass(frozen=True)
class Monotonicity(Frozen):
    """Whether a step towards better labels never makes a metric worse; if so, it is truthy.

    Parameters
    ----------
    is_monotonic : bool
    n : int
        Samples of the confusion tables that were examined.
    by : {"tp", "tpr_tnr"}
        What rises: true positives among as many predicted ones, or either rate.
    positives, tp, tn : int or None
        The worst step: with so many positives the metric falls when it starts at so many true
        positives and true negatives. None if there is no such step.
    right : {"tp", "tn", "both"} or None
        The count that rises by one in that step. One more true positive among as many predicted
        ones is one more true negative too.
    before, after : float or None
        The metric at both ends of that step.
    """

    is_monotonic: bool
    n: int
    by: str
    positives: int | None = None
    tp: int | None = None
    tn: int | None = None
    right: str | None = None
    before: float | None = None
    after: float | None = None

    def __bool__(self) -> bool:
        return self.is_monotonic

    @property
    def predicted(self) -> int | None:
        """Predicted positives before the worst step; None if there is no such step."""
        if self.tp is None or self.tn is None or self.positives is None:
            return None
        return self.tp + self.n - self.positives - self.tn

    def __str__(self) -> str:
        if self.tp is None:
            if self.by == "tp":
                return f"More true positives never lower the metric ({self.n} samples)."
            return f"A higher TPR or TNR never lowers the metric ({self.n} samples)."
        fall = f"the metric falls from {self.before:.6g} to {self.after:.6g} when"
        if self.by == "tp":
            return (
                f"With {self.predicted} predicted and {self.positives} actual positives of "
                f"{self.n} samples {fall} true positives rise from {self.tp} to {self.tp + 1}."
            )
        added = "positive" if self.right == "tp" else "negative"
        return (
            f"With {self.positives} positives of {self.n} samples {fall} to {self.tp} true "
            f"positives and {self.tn} true negatives another true {added} is added."
        )


def is_monotonic(
    metric: MetricLike, n: int = 12, *, by: str = "tp", **options: Unpack[MetricOptions]
) -> Monotonicity:
    """Test whether a metric never gets worse with more true positives, or with higher rates.

    If more true positives among as many predicted ones never lower it, the best labels are a
    prefix of the ranking: a number of the most probable samples are predicted positive, and no
    others (the probability ranking principle). All confusion tables of ``n`` samples are tried,
    about ``n**3 / 6``.

    Parameters
    ----------
    metric : str, LinearFractional or callable
        As in :func:`resolve_metric`.
    n : int, default=12
        At least 1. The answer is for batches of this size; for a linear-fractional metric
        without poles it holds for all sizes once it holds for a large one.
    by : {"tp", "tpr_tnr"}, default="tp"
        What rises: true positives, other counts being equal, or the TPR or the TNR at the same
        prevalence. The second asks for more, since one more true positive among as many predicted
        ones is one more true negative too.
    **options : float
        As in :func:`resolve_metric`.

    Raises
    ------
    ValueError
        If ``n`` is below 1, or the metric or ``by`` unknown.

    Notes
    -----
    For a linear-fractional metric with numerator N and denominator D the step is upwards if
    ``c[1] * D > d[1] * N``. The paper's proposition 8 asks for ``c[1] > d[1]`` only, which is not
    enough.

    References
    ----------
    Natarajan et al. (2015), Definition 5 and Theorem 6; Definition 10, Proposition 11 and Remark
    12 (strict there, "never falls" here).

    Examples
    --------
    >>> bool(is_monotonic("jaccard")), bool(is_monotonic("g_mean", by="tpr_tnr"))
    (True, True)
    >>> from rocviz.core.decisions import LinearFractional
    >>> print(is_monotonic(LinearFractional((1.9, 2, 1.5), (0.8, 1.3, -0.7, -0.7)), n=3))
    With 2 predicted and 1 actual positives of 3 samples the metric falls from 29 to 6.6875
    when true positives rise from 0 to 1.

    The paper's example of a metric that obeys the principle and rewards false alarms, 2 TP + FP:

    >>> odd = resolve_metric(lambda u, v, p: 2 * u + (v - u))
    >>> bool(is_monotonic(odd)), bool(is_monotonic(odd, by="tpr_tnr"))
    (True, False)
    """
    check_choice(by, "by", tuple(_STEPS))
    size = check_integer(n, "n", minimum=1)
    check_effort(seconds=1e-8 * size**3, numbers=8 * size**2, n=size)
    worst = _worst_step(resolve_metric(metric, **options), size, _STEPS[by])
    return Monotonicity(worst is None, size, by, *(worst or ()))


def _worst_step(
    measure: Metric, size: int, steps: dict[str, tuple[int, int]]
) -> tuple[int, int, int, str, float, float] | None:
    """Find the step in (TP, TN) with the largest fall of the metric: place, step and values."""
    worst = None
    largest_loss = 0.0
    scale = 0.0
    for positives in range(size + 1):
        negatives = size - positives
        tp, tn = np.indices((positives + 1, negatives + 1))
        value = measure.at_counts(tp, tp + negatives - tn, np.full(tp.shape, positives), size)
        scale = max(scale, float(np.abs(value).max()))
        for right, (tp_step, tn_step) in steps.items():
            before = value[: positives + 1 - tp_step, : negatives + 1 - tn_step]
            after = value[tp_step:, tn_step:]
            loss = measure.sign * (before - after)
            if loss.size and loss.max() > largest_loss:
                i, j = np.unravel_index(int(loss.argmax()), loss.shape)
                largest_loss = float(loss[i, j])
                worst = positives, int(i), int(j), right, float(before[i, j]), float(after[i, j])
    return worst if largest_loss > _ROUNDING_TOLERANCE * scale else None
