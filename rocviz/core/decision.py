"""Labels that maximise the expected value of a metric, given every sample's probability.

Decision-theoretic classification. Knows independent probabilities and metrics; nothing of models.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core._frozen import Frozen, read_only
from rocviz.core._validation import Floats, check_probabilities, check_same_length
from rocviz.core.poisson_binomial import pmf_window, prefix_laws
from rocviz.core.utility import Function, LinearFractional, Metric, resolve_metric

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Decision",
    "UtilityDistribution",
    "expected_utility",
    "optimal_decision",
    "plug_in_utilities",
    "prefix_utilities",
    "utility_distribution",
]

# Utilities that differ by less are the same: the smaller number of predicted positives wins.
_TIE = 1e-12


@dataclass(frozen=True, eq=False)
class Decision(Frozen):
    """Optimal labels of a batch, and what every cut of its ranking is worth.

    Parameters
    ----------
    k_star : int
        How many samples are called positive: the smallest number whose expected utility is
        within 1e-12 of the greatest.
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
    """

    k_star: int
    threshold: float
    labels: NDArray[np.int64]
    utilities: Floats
    order: NDArray[np.intp]
    y_prob: Floats
    metric: Metric

    @property
    def utility(self) -> float:
        """Expected utility of the labels."""
        return float(self.utilities[self.k_star])

    @property
    def n_samples(self) -> int:
        """Size of the batch."""
        return int(self.y_prob.size)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per cut.

        Returns
        -------
        pandas.DataFrame
            Columns ``k, threshold, utility, plug_in``: predicted positives, the lowest
            probability among them (``inf`` for none), the expected utility, and the
            utility of the expected confusion table.
        """
        import pandas as pd

        return pd.DataFrame(
            {
                "k": np.arange(self.n_samples + 1),
                "threshold": np.concatenate(([np.inf], self.y_prob[self.order])),
                "utility": self.utilities,
                "plug_in": plug_in_utilities(self.y_prob, self.metric),
            }
        )


@dataclass(frozen=True, eq=False)
class UtilityDistribution(Frozen):
    """The law of a metric at fixed labels.

    Parameters
    ----------
    values : ndarray of float, shape (n_values,)
        Increasing; values that differ by rounding are one.
    probabilities : ndarray of float, shape (n_values,)
        Of these values; they sum to 1.
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


def optimal_decision(
    y_prob: ArrayLike,
    metric: str | LinearFractional | Function | Metric = "f",
    *,
    beta: float = 1.0,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    zero_division: float = 0.0,
) -> Decision:
    """Return the labels with the highest expected utility, given each sample's probability.

    Parameters
    ----------
    y_prob : array-like of float, shape (n_samples,)
        Probability of the positive class; samples are independent. At least one.
    metric, beta, cost_fp, cost_fn, zero_division
        As in :func:`resolve_metric`.

    Returns
    -------
    Decision

    Raises
    ------
    ValueError
        If the input is not as said above.

    References
    ----------
    Natarajan et al. (2014), "Optimal decision-theoretic classification using non-decomposable
    performance metrics", theorem 6.

    Examples
    --------
    >>> decision = optimal_decision([0.1, 0.9, 0.5], "f1")
    >>> decision.k_star, decision.labels
    (2, array([0, 1, 1]))
    >>> decision.utilities
    array([0.    , 0.7275, 0.766 , 0.6365])
    """
    prob = _check_prob(y_prob)
    phi = resolve_metric(
        metric, beta=beta, cost_fp=cost_fp, cost_fn=cost_fn, zero_division=zero_division
    )
    order = np.argsort(-prob, kind="stable")
    utilities = _prefix_utilities(prob[order], phi)
    k_star = int(np.flatnonzero(utilities >= utilities.max() - _TIE)[0])
    labels = np.zeros(prob.size, dtype=np.int64)
    labels[order[:k_star]] = 1
    return Decision(
        k_star=k_star,
        threshold=float(prob[order[k_star - 1]]) if k_star else float("inf"),
        labels=labels,
        utilities=utilities,
        order=order,
        y_prob=prob,
        metric=phi,
    )


def prefix_utilities(
    y_prob: ArrayLike,
    metric: str | LinearFractional | Function | Metric = "f",
    *,
    beta: float = 1.0,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    zero_division: float = 0.0,
) -> Floats:
    """Return the expected utility of calling the k most probable samples positive.

    Parameters
    ----------
    y_prob : array-like of float, shape (n_samples,)
        At least one.
    metric, beta, cost_fp, cost_fn, zero_division
        As in :func:`resolve_metric`.

    Returns
    -------
    ndarray of float, shape (n_samples + 1,)
        For k = 0, ..., n.
    """
    prob = _check_prob(y_prob)
    phi = resolve_metric(
        metric, beta=beta, cost_fp=cost_fp, cost_fn=cost_fn, zero_division=zero_division
    )
    return read_only(_prefix_utilities(-np.sort(-prob), phi))


def plug_in_utilities(
    y_prob: ArrayLike,
    metric: str | LinearFractional | Function | Metric = "f",
    *,
    beta: float = 1.0,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    zero_division: float = 0.0,
) -> Floats:
    """Return the utility of the expected confusion table for each cut of the ranking.

    What one gets who puts expectations into the metric instead of taking the expectation of the
    metric; for large batches the difference vanishes.

    Parameters
    ----------
    y_prob : array-like of float, shape (n_samples,)
        At least one.
    metric, beta, cost_fp, cost_fn, zero_division
        As in :func:`resolve_metric`.

    Returns
    -------
    ndarray of float, shape (n_samples + 1,)
        For k = 0, ..., n most probable samples called positive.

    Examples
    --------
    >>> plug_in_utilities([0.9, 0.5, 0.1], "f1").round(3)
    array([0.   , 0.72 , 0.8  , 0.667])
    """
    prob = _check_prob(y_prob)
    phi = resolve_metric(
        metric, beta=beta, cost_fp=cost_fp, cost_fn=cost_fn, zero_division=zero_division
    )
    tp = np.concatenate(([0.0], np.cumsum(-np.sort(-prob))))
    k = np.arange(prob.size + 1)
    # a sum of probabilities may exceed by rounding what it cannot exceed
    tp = np.minimum(tp, k)
    return read_only(phi.at_counts(tp, k, tp[-1], prob.size))


def expected_utility(
    labels: ArrayLike,
    y_prob: ArrayLike,
    metric: str | LinearFractional | Function | Metric = "f",
    *,
    beta: float = 1.0,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    zero_division: float = 0.0,
) -> float:
    """Return the expected utility of any labels, given each sample's probability.

    Parameters
    ----------
    labels : array-like of int or bool, shape (n_samples,)
        1 for samples that are called positive, 0 for the others.
    y_prob : array-like of float, shape (n_samples,)
        Probability of the positive class; samples are independent. At least one.
    metric, beta, cost_fp, cost_fn, zero_division
        As in :func:`resolve_metric`.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If the input is not as said above.

    Examples
    --------
    >>> round(expected_utility([0, 1, 1], [0.1, 0.9, 0.5], "f1"), 12)
    0.766
    """
    prob = _check_prob(y_prob)
    chosen = _check_labels(labels, prob.size)
    phi = resolve_metric(
        metric, beta=beta, cost_fp=cost_fp, cost_fn=cost_fn, zero_division=zero_division
    )
    total = 0.0
    for value, weight in _outcomes(chosen, prob, phi):
        total += float((value * weight).sum())
    return total


def utility_distribution(
    labels: ArrayLike,
    y_prob: ArrayLike,
    metric: str | LinearFractional | Function | Metric = "f",
    *,
    beta: float = 1.0,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    zero_division: float = 0.0,
) -> UtilityDistribution:
    """Return every value that a metric can take at given labels, with its probability.

    Parameters
    ----------
    labels : array-like of int or bool, shape (n_samples,)
        1 for samples that are called positive, 0 for the others.
    y_prob : array-like of float, shape (n_samples,)
        Probability of the positive class; samples are independent. At least one.
    metric, beta, cost_fp, cost_fn, zero_division
        As in :func:`resolve_metric`.

    Returns
    -------
    UtilityDistribution

    Raises
    ------
    ValueError
        If the input is not as said above.

    Examples
    --------
    >>> law = utility_distribution([1, 0], [0.5, 0.5], "jaccard")
    >>> law.values, law.probabilities
    (array([0. , 0.5, 1. ]), array([0.5 , 0.25, 0.25]))
    """
    prob = _check_prob(y_prob)
    chosen = _check_labels(labels, prob.size)
    phi = resolve_metric(
        metric, beta=beta, cost_fp=cost_fp, cost_fn=cost_fn, zero_division=zero_division
    )
    parts = list(_outcomes(chosen, prob, phi))
    value = np.concatenate([np.ravel(part[0]) for part in parts])
    weight = np.concatenate([np.ravel(part[1]) for part in parts])
    value, weight = value[weight > 0], weight[weight > 0]
    order = np.argsort(value)
    value, weight = value[order], weight[order]
    gap = np.diff(value) > _TIE * np.maximum(1.0, np.abs(value[1:]))
    start = np.concatenate(([0], np.flatnonzero(gap) + 1))
    return UtilityDistribution(value[start], np.add.reduceat(weight, start))


def _check_prob(y_prob: ArrayLike) -> Floats:
    prob = check_probabilities(y_prob)
    if prob.size == 0:
        raise ValueError("y_prob is empty; at least one sample is needed.")
    return prob


def _check_labels(labels: ArrayLike, n_samples: int) -> NDArray[np.bool_]:
    chosen = np.asarray(labels)
    if chosen.ndim != 1 or not np.isin(chosen, (0, 1)).all():
        raise ValueError("labels must be one-dimensional, each 0 or 1.")
    check_same_length(n_samples, labels=chosen)
    return chosen.astype(np.bool_)


def _outcomes(
    chosen: NDArray[np.bool_], prob: Floats, phi: Metric
) -> Iterator[tuple[Floats, Floats]]:
    """Yield values of the metric and their probabilities, over true positives and misses."""
    k = int(chosen.sum())
    start_tp, of_tp = pmf_window(prob[chosen])
    start_fn, of_fn = pmf_window(prob[~chosen])
    fn = start_fn + np.arange(of_fn.size)
    for i, weight in enumerate(of_tp):
        tp = float(start_tp + i)
        yield phi.at_counts(tp, float(k), tp + fn, float(prob.size)), weight * of_fn


def _prefix_utilities(eta: Floats, phi: Metric) -> Floats:
    """Return the expected utility of each prefix of decreasing probabilities."""
    n = eta.size
    above = prefix_laws(eta)
    below = prefix_laws(eta[::-1])
    out = np.empty(n + 1)
    for k in range(n + 1):
        tp = np.arange(k + 1.0)[:, None]
        fn = np.arange(n - k + 1.0)
        value = phi.at_counts(tp, float(k), tp + fn, float(n))
        out[k] = above[k, : k + 1] @ value @ below[n - k, : n - k + 1]
    return out
