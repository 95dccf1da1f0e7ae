"""The paper's algorithms and the search through all labels: slow references, written to be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import Frozen, read_only
from rocviz.core.base.validation import Floats, check_probabilities, describe
from rocviz.core.decisions.linear_fractional import LinearFractional
from rocviz.core.decisions.utility import Metric, MetricLike, MetricOptions, resolve_metric

_MAX_UNIT = 10_000  # of the denominators of Algorithm 2
_MAX_SEARCHED_SAMPLES = 12  # 4096 labels times as many outcomes


def algorithm_1(
    y_prob: ArrayLike, metric: MetricLike = "f", **options: Unpack[MetricOptions]
) -> Floats:
    """Compute the expected utility of each prefix by the paper's Algorithm 1, in O(n^3).

    Parameters
    ----------
    y_prob : array-like of float, shape (n_samples,)
        Probability of the positive class; at least one, in any order.
    metric, **options
        As in :func:`resolve_metric`.

    Returns
    -------
    ndarray of float, shape (n_samples + 1,)
        For the k = 0, ..., n most probable samples predicted positive. The paper starts at
        k = 1, but labelling nothing may be best.

    Raises
    ------
    ValueError
        For so many samples that it would take more than a day or fill the memory.

    References
    ----------
    Natarajan et al. (2015), Algorithm 1.

    Examples
    --------
    >>> algorithm_1([0.9, 0.5, 0.1], "f1")
    array([0.    , 0.7275, 0.766 , 0.6365])
    """
    probability = _decreasing(y_prob)
    measure = resolve_metric(metric, **options)
    n = probability.size
    check_effort(seconds=1e-8 * n**3, numbers=n**2, y_prob=f"{n} samples")
    tp_laws = _prefix_laws(probability)
    fn_laws = _prefix_laws(probability[::-1])
    utilities = np.zeros(n + 1)
    for k in range(n + 1):
        tp = np.arange(k + 1)[:, None]
        fn = np.arange(n - k + 1)[None, :]
        utilities[k] = tp_laws[k] @ measure.at_counts(tp, k, tp + fn, n) @ fn_laws[n - k]
    return read_only(utilities)


def algorithm_2(
    y_prob: ArrayLike,
    metric: str | LinearFractional | Metric = "f",
    **options: Unpack[MetricOptions],
) -> Floats:
    """Compute the expected utility of each prefix by the paper's Algorithm 2, in O(n^2).

    It needs a linear-fractional metric whose denominator has rational coefficients: then all
    denominators are whole multiples of one unit, and the expectations over the misses of
    one over the denominator fit into a table that is updated from one k to the next.

    Parameters
    ----------
    y_prob, **options
        As for :func:`algorithm_1`.
    metric : str or LinearFractional, default="f"
        ``"f"``, ``"jaccard"``, or a ratio whose numerator does not depend on ``p``. Coefficients
        of the denominator are integer multiples of 1/n for a whole number n up to 10,000.

    Returns
    -------
    ndarray of float, shape (n_samples + 1,)
        As from :func:`algorithm_1`.

    Raises
    ------
    ValueError
        If the metric is not such a ratio, or its denominator can be zero for k > 0.

    References
    ----------
    Natarajan et al. (2015), Algorithm 2.

    Examples
    --------
    >>> algorithm_2([0.9, 0.5, 0.1], "jaccard").round(4)
    array([0.    , 0.645 , 0.6767, 0.5   ])
    """
    probability = _decreasing(y_prob)
    measure = resolve_metric(metric, **options)
    ratio = measure.linear_fractional
    if ratio is None:
        raise ValueError(
            f"Algorithm 2 needs a linear-fractional metric; got {describe(measure.name)}."
        )
    if ratio.c[3]:
        raise ValueError("Algorithm 2 needs a numerator without p: the last of c must be 0.")
    n = probability.size
    c = ratio.c
    unit = _common_unit(ratio.d)
    j_n, j_tp, j_k, j_pos = [round(coefficient * unit) for coefficient in ratio.d]
    corners = (0, j_pos * n, j_k * n, (j_tp + j_pos + j_k) * n)
    low = min(corners)
    high = max(corners)
    table_size = high - low
    check_effort(
        seconds=1e-8 * n * table_size,
        numbers=n**2 + 6 * table_size,
        d=ratio.d,
        y_prob=f"{n} samples",
    )
    tp_laws = _prefix_laws(probability)
    fn_laws = _prefix_laws(probability[::-1])

    # table[i - low] is the expectation over the misses of 1 / D, where D would be i + j_n n,
    # in whole units, without misses
    divisor = np.arange(low, high + 1) + j_n * n
    table = np.full(divisor.size, np.nan)
    np.divide(unit, divisor, out=table, where=divisor != 0)
    utilities = np.zeros(n + 1)
    for k in range(n, 0, -1):
        tp = np.arange(k + 1)
        numerator = c[0] * n + c[1] * tp + c[2] * k
        utilities[k] = tp_laws[k] @ (numerator * table[(j_tp + j_pos) * tp + j_k * k - low])
        table = (1 - probability[k - 1]) * table + probability[k - 1] * _shifted(table, j_pos)
    if np.isnan(utilities).any():
        raise ValueError("Algorithm 2 needs a denominator that is never zero for k > 0.")
    utilities[0] = measure.at_counts(0, 0, np.arange(n + 1), n) @ fn_laws[n]
    return read_only(utilities)


@dataclass(frozen=True, eq=False)
class ExhaustiveDecision(Frozen):
    """The optimal one of all labellings.

    Parameters
    ----------
    labels : ndarray of int, shape (n_samples,)
        The best; of several within 1e-12 those with fewest positives, and of these the ones
        that take the most probable samples first.
    utility : float
        Its expected utility.
    all_labels : ndarray of int, shape (2**n_samples, n_samples)
        Every labelling, in the order of the input.
    utilities : ndarray of float, shape (2**n_samples,)
        Expected utility of each.
    """

    labels: NDArray[np.int64]
    utility: float
    all_labels: NDArray[np.int64]
    utilities: Floats


def exhaustive_decision(
    y_prob: ArrayLike, metric: MetricLike = "f", **options: Unpack[MetricOptions]
) -> ExhaustiveDecision:
    """Try all labellings, including labellings that do not follow the ranking by probability.

    Every labelling meets every outcome: 4 to the power of n values of the metric. The paper checks
    its algorithms in this way (Natarajan et al., 2015, section 5.1).

    Parameters
    ----------
    y_prob : array-like of float, shape (n_samples,)
        Probability of the positive class; from 1 to 12 samples.
    metric, **options
        As in :func:`resolve_metric`.

    Raises
    ------
    ValueError
        If there are more samples than all labellings can be tried of.

    Examples
    --------
    >>> best = exhaustive_decision([0.1, 0.9, 0.5], "f1")
    >>> best.labels, round(best.utility, 12)
    (array([0, 1, 1]), 0.766)
    """
    prob = check_probabilities(y_prob)
    if not 1 <= prob.size <= _MAX_SEARCHED_SAMPLES:
        raise ValueError(
            f"y_prob must have from 1 to {_MAX_SEARCHED_SAMPLES} samples for an exhaustive search; "
            f"got {prob.size}."
        )
    measure = resolve_metric(metric, **options)
    n = prob.size
    # all 0/1 vectors, labellings and outcomes alike; the first column varies slowest
    vectors = (np.arange(2**n)[:, None] >> np.arange(n)[::-1]) & 1
    outcome_prob = np.where(vectors == 1, prob, 1 - prob).prod(axis=1)
    n_ones = vectors.sum(axis=1)
    # many outcomes have the same counts
    value = np.zeros((n + 1, n + 1, n + 1))
    tp, predicted, positives = np.indices(value.shape)
    possible = (tp <= np.minimum(predicted, positives)) & (predicted + positives - tp <= n)
    value[possible] = measure.at_counts(tp[possible], predicted[possible], positives[possible], n)
    utilities = np.array(
        [value[vectors @ labels, labels.sum(), n_ones] @ outcome_prob for labels in vectors]
    )
    best = np.flatnonzero(measure.best(utilities))
    best = best[n_ones[best] == n_ones[best].min()]
    ranked = vectors[best][:, np.argsort(-prob, kind="stable")]
    best_index = best[np.lexsort(ranked.T[::-1])[-1]]
    return ExhaustiveDecision(vectors[best_index], float(utilities[best_index]), vectors, utilities)


def _common_unit(d: tuple[float, ...]) -> int:
    """Find the least number whose products with all coefficients are whole."""
    units = np.arange(1, _MAX_UNIT + 1)
    multiples = units[:, None] * np.array(d)
    whole = (np.abs(multiples - np.rint(multiples)) < 1e-9 * units[:, None]).all(axis=1)
    if not whole.any():
        raise ValueError(
            "Algorithm 2 needs a denominator whose coefficients d are integer multiples of 1/n "
            f"for a whole number n up to {_MAX_UNIT:,}; got {d}."
        )
    return int(units[whole.argmax()])


def _decreasing(y_prob: ArrayLike) -> Floats:
    """Check probabilities and sort them in decreasing order."""
    probability = -np.sort(-check_probabilities(y_prob))
    if probability.size == 0:
        raise ValueError("y_prob is empty; at least one sample is needed.")
    return probability


def _prefix_laws(probability: Floats) -> list[Floats]:
    """Compute the laws of the number of positives among the first 0, 1, ..., n samples."""
    laws = [np.ones(1)]
    for positive in probability:
        laws.append(np.convolve(laws[-1], (1 - positive, positive)))
    return laws


def _shifted(table: Floats, by: int) -> Floats:
    """Shift the table by some entries; those outside are never read."""
    out = np.full(table.size, np.nan)
    if by >= 0:
        out[: table.size - by] = table[by:]
    else:
        out[-by:] = table[:by]
    return out
