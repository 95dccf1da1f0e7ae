"""The distribution of a metric at given labels, and its mean; all labels of a few samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import (
    Bools,
    Floats,
    as_array,
    check_aligned,
    check_probabilities,
    check_same_length,
    describe,
)
from rocviz.core.decisions._integral_utility import absent_class
from rocviz.core.decisions._windowed_utility import lattice_sums
from rocviz.core.decisions.poisson_binomial import ends, pmf_window
from rocviz.core.decisions.utility import Metric, MetricLike, MetricOptions, resolve_metric

_MERGE_TOLERANCE = 1e-12  # values that differ by less than this share of the greatest are merged
_MAX_PAIRS = 2**20  # of counts, above which tails are left out
_TAIL_PROBABILITY = 1e-20  # of the counts that are left out at each end


@dataclass(frozen=True, eq=False)
class UtilityDistribution(Frozen):
    """The distribution of a metric at fixed labels.

    Parameters
    ----------
    values : ndarray of float, shape (n_values,)
        Increasing; values that differ by rounding are one.
    probabilities : ndarray of float, shape (n_values,)
        Of these values; positive, with sum 1.
    """

    values: Floats
    probabilities: Floats

    @property
    def mean(self) -> float:
        """Expected utility."""
        return float(self.values @ self.probabilities)

    @property
    def std(self) -> float:
        """Standard deviation of the metric."""
        return float(np.sqrt((self.values - self.mean) ** 2 @ self.probabilities))

    def to_frame(self) -> DataFrame:
        """Make a table with one row per value: columns ``value, probability``."""
        return to_frame(value=self.values, probability=self.probabilities)


def expected_utility(
    labels: ArrayLike, y_prob: ArrayLike, metric: MetricLike = "f", **options: Unpack[MetricOptions]
) -> float:
    """Compute the expected metric of any labels, given each sample's probability.

    Parameters
    ----------
    labels : array-like of int or bool, shape (n_samples,)
        1 for samples that are predicted positive, 0 for the others.
    y_prob : array-like of float, shape (n_samples,)
        Probability of the positive class; samples are independent. At least one.
    metric, **options
        As in :func:`resolve_metric`.

    Returns
    -------
    float
        Exact up to rounding: the sum over all numbers of true positives and of misses. With
        more than a million such pairs, numbers in tails of probability 1e-20 are left out.

    Raises
    ------
    ValueError
        If labels, probabilities or the metric are invalid, or lengths differ.

    Examples
    --------
    >>> round(expected_utility([0, 1, 1], [0.1, 0.9, 0.5], "f1"), 12)
    0.766
    """
    measure = resolve_metric(metric, **options)
    prob, predicted = _check_labels(labels, y_prob)
    (tp, tp_prob), (fn, fn_prob) = _count_laws(prob, predicted)
    k = np.array([predicted.sum()], dtype=np.float64)
    sums, _ = lattice_sums(tp, tp_prob[None], fn, fn_prob[None], k, prob.size, measure)
    utility = float(sums[0])
    if measure.name in ("g_mean", "h_mean"):
        utility += absent_class(prob, measure.zero_division)
    return utility


def utility_distribution(
    labels: ArrayLike, y_prob: ArrayLike, metric: MetricLike = "f", **options: Unpack[MetricOptions]
) -> UtilityDistribution:
    """Compute every value that a metric can take at given labels, with its probability.

    Parameters
    ----------
    labels, y_prob, metric, **options
        As for :func:`expected_utility`.

    Returns
    -------
    UtilityDistribution
        With more than a million pairs of true positives and misses, numbers in tails of
        probability 1e-20 are left out.

    Raises
    ------
    ValueError
        For so many samples that the pairs would fill the memory.

    Examples
    --------
    >>> law = utility_distribution([1, 0], [0.5, 0.5], "jaccard")
    >>> law.values, law.probabilities
    (array([0. , 0.5, 1. ]), array([0.5 , 0.25, 0.25]))
    """
    measure = resolve_metric(metric, **options)
    prob, predicted = _check_labels(labels, y_prob)
    (tp, tp_prob), (fn, fn_prob) = _count_laws(prob, predicted)
    check_effort(numbers=8 * tp.size * fn.size, y_prob=f"{prob.size} samples")
    tp = tp[:, None]
    values = measure.at_counts(tp, float(predicted.sum()), tp + fn, float(prob.size)).ravel()
    probabilities = np.outer(tp_prob, fn_prob).ravel()
    order = np.argsort(values)
    order = order[probabilities[order] > 0]
    values = values[order]
    is_distinct = np.diff(values) > _MERGE_TOLERANCE * np.abs(values).max()
    start = np.concatenate(([0], np.flatnonzero(is_distinct) + 1))
    return UtilityDistribution(values[start], np.add.reduceat(probabilities[order], start))


def utilities_of_all_labels(prob: Floats, metric: Metric) -> Floats:
    """Compute the expected utility of all 2**n labellings of at most a dozen samples, quickly.

    In labelling s the samples are positive whose bit in s is 1; the first has the highest bit.
    :func:`rocviz.core.decisions.reference.exhaustive_decision` is the plain way.
    """
    n = prob.size
    # law of the number of positives of every subset; complements are read in reverse
    laws = np.ones((1, 1))
    for positive in prob[::-1]:
        without = np.pad(laws, ((0, 0), (0, 1)))
        with_sample = without * (1 - positive)
        with_sample[:, 1:] += laws * positive
        laws = np.concatenate((without, with_sample))
    complement_laws = laws[::-1]
    size = ((np.arange(2**n)[:, None] >> np.arange(n)) & 1).sum(axis=1)
    utilities = np.empty(2**n)
    for k in range(n + 1):
        tp = np.arange(k + 1.0)[:, None]
        fn = np.arange(n - k + 1.0)
        value = metric.at_counts(tp, float(k), tp + fn, float(n))
        subsets = size == k
        tp_prob = laws[subsets, : k + 1]
        fn_prob = complement_laws[subsets, : n - k + 1]
        utilities[subsets] = ((tp_prob @ value) * fn_prob).sum(axis=1)
    return utilities


def check_batch(y_prob: ArrayLike) -> Floats:
    """Check that there are probabilities of at least one sample."""
    prob = check_probabilities(y_prob)
    if prob.size == 0:
        raise ValueError("y_prob is empty; at least one sample is needed.")
    return prob


def _check_labels(labels: ArrayLike, y_prob: ArrayLike) -> tuple[Floats, Bools]:
    """Check probabilities and labels, of which it marks the positive ones."""
    check_aligned(labels=labels, y_prob=y_prob)
    prob = check_batch(y_prob)
    array = as_array(labels, "labels", "0 and 1")
    if array.ndim != 1 or array.dtype.kind not in "biuf" or not np.isin(array, (0, 1)).all():
        raise ValueError(f"labels must be one-dimensional, each 0 or 1; got {describe(labels)}.")
    check_same_length(prob.size, labels=array)
    return prob, array.astype(np.bool_)


def _count_laws(prob: Floats, predicted: Bools) -> list[tuple[Floats, Floats]]:
    """Compute the counts of true positives and of misses, each with their probabilities."""
    laws = [pmf_window(prob[predicted]), pmf_window(prob[~predicted])]
    n_pairs = laws[0][1].size * laws[1][1].size
    counts = []
    for first_count, law in laws:
        low = 0
        high = law.size
        if n_pairs > _MAX_PAIRS:
            low, high = ends(law, _TAIL_PROBABILITY)
        counts.append((first_count + np.arange(low, float(high)), law[low:high]))
    return counts
