"""Differences of net benefit between models of the same samples, with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.normal import student_quantile
from rocviz.core.base.samples import Samples
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Weights,
    check_fraction,
    check_prevalence,
    check_probabilities,
    describe,
)
from rocviz.core.comparison.comparison import check_models
from rocviz.core.curve_spaces.net_benefit import (
    ClusterCounts,
    NetBenefitWeights,
    check_thresholds,
    reached,
)
from rocviz.core.roc.auc_intervals import check_counts

#: Reference strategies that need no model.
TREAT_ALL = "treat all"
TREAT_NONE = "treat none"


@dataclass(frozen=True, eq=False)
class NetBenefitComparison(Frozen):
    """Net benefits of several models at threshold probabilities, and their differences.

    Made by :func:`compare_net_benefit`.

    Parameters
    ----------
    names : tuple of str
        Names of the models, then ``"treat all"``.
    threshold : ndarray of float, shape (n_thresholds,)
        Threshold probabilities, increasing.
    net_benefit : ndarray of float, shape (n_models + 1, n_thresholds)
        Of each model, and of predicting that all are positive.
    standard_error : ndarray of float, shape (n_models + 1, n_thresholds)
    difference_error : ndarray of float, shape (n_models + 1, n_models + 1, n_thresholds)
        Standard error of the difference of any two, on the same samples.
    prevalence : float
        Prevalence for which net benefit is computed.
    confidence : float
        Confidence level of every interval.
    n_clusters : int or None
        Number of clusters, if there are some; then quantiles are Student's.
    """

    names: tuple[str, ...]
    threshold: Floats
    net_benefit: Floats
    standard_error: Floats
    difference_error: Floats
    prevalence: float
    confidence: float
    n_clusters: int | None = None

    @property
    def _quantile(self) -> float:
        """Standard errors to either end of an interval."""
        degrees = np.inf if self.n_clusters is None else self.n_clusters - 1
        return float(student_quantile(self.confidence, degrees))

    def to_frame(self) -> DataFrame:
        """Tabulate net benefits, one row per model and threshold.

        Returns
        -------
        pandas.DataFrame
            Columns ``model, threshold, net_benefit, lower, upper, standard_error``.
        """
        half = self._quantile * self.standard_error
        return to_frame(
            model=np.repeat(self.names, self.threshold.size),
            threshold=np.tile(self.threshold, len(self.names)),
            net_benefit=self.net_benefit.ravel(),
            lower=(self.net_benefit - half).ravel(),
            upper=(self.net_benefit + half).ravel(),
            standard_error=self.standard_error.ravel(),
        )

    def pairs(self) -> DataFrame:
        """Tabulate differences, one row per pair of strategies and threshold.

        Returns
        -------
        pandas.DataFrame
            Columns ``model_a, model_b, threshold, difference, lower, upper, standard_error``: the
            net benefit of the first less that of the second, with its pointwise interval.
        """
        size = self.threshold.size
        first, second = np.triu_indices(len(self.names), 1)
        difference = (self.net_benefit[first] - self.net_benefit[second]).ravel()
        error = self.difference_error[first, second].ravel()
        half = self._quantile * error
        names = np.array(self.names, dtype=object)
        return to_frame(
            model_a=names[first.repeat(size)],
            model_b=names[second.repeat(size)],
            threshold=np.tile(self.threshold, first.size),
            difference=difference,
            lower=difference - half,
            upper=difference + half,
            standard_error=error,
        )


def compare_net_benefit(
    y_true: ArrayLike,
    scores: Any,
    thresholds: ArrayLike | None = None,
    *,
    sample_weight: Weights = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
    prevalence: float | None = None,
    confidence: float = 0.95,
) -> NetBenefitComparison:
    """Compute net benefits of models of the same samples, and their differences with intervals.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,)
        Labels of exactly two classes.
    scores : mapping of str to array-like, data frame, or array-like of shape (n_samples, n_models)
        Predicted probabilities of the positive class, in [0, 1].
    thresholds, prevalence
        As for :func:`rocviz.core.curve_spaces.net_benefit_band`.
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated; samples of weight zero are left out.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) belong together: standard errors are those of
        sums over clusters.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    confidence : float, default=0.95
        Confidence level of the intervals, strictly between 0 and 1.

    Raises
    ------
    ValueError
        If an argument is invalid, a model has the name ``"treat all"``, or there are fewer
        than two clusters with samples of either class.

    See Also
    --------
    rocviz.core.curve_spaces.net_benefit_band : The decision curve of one model, with a band.

    Notes
    -----
    *When not to use it.* There are no p-values on purpose: of two strategies the one of greater net
    benefit is the better guess, however uncertain (Vickers et al., 2023). The interval says how
    much more data could change the guess. Differences at many thresholds are many looks: name the
    thresholds that matter before the data are seen.

    Both models are judged by the same samples, so that only those on which they do not agree add to
    the variance. It is far less than the sum of the variances of two curves, so curves
    whose bands overlap can differ beyond doubt.

    In simulations of 50 to 1,000 samples with prevalences of .5 and .05, at five thresholds around
    the prevalence, 95 % intervals hold the true difference of two models, or of a model and of
    predicting that all are positive, in 93 to 100 % of the data sets.

    References
    ----------
    Vickers and Elkin (2006). Marsh, Janes and Pepe (2020). Pfeiffer and Gail (2020). Vickers et al.
    (2023).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> prob = rng.beta(1, 3, 800)
    >>> y = rng.random(800) < prob
    >>> comparison = compare_net_benefit(y, {"true": prob, "steep": prob**2}, [0.2, 0.4])
    >>> table = comparison.pairs().round(3)  # the first row is of both models at 0.2
    >>> table[["difference", "lower", "upper"]].iloc[0].to_dict()
    {'difference': 0.015, 'lower': -0.008, 'upper': 0.037}
    """
    samples, named = check_models(
        y_true, scores, sample_weight, pos_label, clusters, check_probabilities
    )
    positive = samples.positive
    unit = samples.unit
    w = samples.w
    if TREAT_ALL in named:
        raise ValueError(
            f"scores must not name a model {describe(TREAT_ALL)}, which is the policy that all are "
            "compared with."
        )
    t = check_thresholds(thresholds)
    pi = None if prevalence is None else check_prevalence(prevalence)
    level = check_fraction(confidence, "confidence")
    check_counts(w[positive], w[~positive])
    n_strategies = len(named) + 1
    n_clusters = 1
    numbers = n_strategies**2 * t.size
    if unit is not None:
        n_clusters = int(unit.max()) + 1
        numbers += 2 * n_strategies * n_clusters * t.size
    check_effort(
        seconds=n_strategies**2 * (2e-8 * positive.size + 1e-8 * n_clusters * t.size),
        numbers=numbers,
        scores=f"{len(named)} classifiers",
    )
    # number of thresholds that each sample reaches
    places = {name: np.searchsorted(t, score, side="right") for name, score in named.items()}
    places |= {TREAT_ALL: np.full(positive.size, t.size)}
    n_pos = float(w[positive].sum())
    n_neg = float(w[~positive].sum())
    weights = NetBenefitWeights.of(t, n_pos, n_neg, pi)
    strategies = [*places.values(), np.zeros(positive.size, dtype=np.intp)]  # the last: none
    if unit is None:
        value, error = _of_samples(weights, strategies, positive, w)
    else:
        value, error = _of_clusters(weights, strategies, samples)
    return NetBenefitComparison(
        names=tuple(places),
        threshold=t,
        net_benefit=value[:-1],
        standard_error=error[:-1, -1],
        difference_error=error[:-1, :-1],
        prevalence=n_pos / (n_pos + n_neg) if pi is None else pi,
        confidence=level,
        n_clusters=None if unit is None else n_clusters,
    )


def _of_samples(
    weights: NetBenefitWeights, strategies: list[NDArray[np.intp]], positive: Bools, w: Floats
) -> tuple[Floats, Floats]:
    """Compute net benefits, and errors of all differences, of independent samples."""
    size = weights.of_neg.size
    w_pos = np.where(positive, w, 0.0)
    w_neg = np.where(positive, 0.0, w)

    def counts(place: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """Count the true and the false positives at each threshold."""
        pos = np.bincount(place, w_pos, size + 1)
        neg = np.bincount(place, w_neg, size + 1)
        return reached(pos), reached(neg)

    tp = []
    fp = []
    for place in strategies:
        pos, neg = counts(place)
        tp.append(pos)
        fp.append(neg)
    value = np.array([weights.net_benefit(pos, neg) for pos, neg in zip(tp, fp, strict=True)])
    error = np.zeros((len(strategies), len(strategies), size))
    for i, j in combinations(range(len(strategies)), 2):
        if np.array_equal(strategies[i], strategies[j]):  # they certainly do not differ
            continue
        # the strategies disagree on a sample between its lower and its higher count
        high_pos, high_neg = counts(np.maximum(strategies[i], strategies[j]))
        low_pos, low_neg = counts(np.minimum(strategies[i], strategies[j]))
        variance = weights.variance(
            tp[i] - tp[j],
            fp[i] - fp[j],
            value[i] - value[j],
            (high_pos - low_pos, high_neg - low_neg),
        )
        error[i, j] = error[j, i] = np.sqrt(variance)
    return value, error


def _of_clusters(
    weights: NetBenefitWeights,
    strategies: list[NDArray[np.intp]],
    samples: Samples,
) -> tuple[Floats, Floats]:
    """Compute net benefits, and errors of all differences, of independent clusters."""
    size = weights.of_neg.size
    tables = [ClusterCounts.of_places(size, place, samples) for place in strategies]
    tables[0].check()
    n_clusters = tables[0].n_clusters
    min_variance = weights.variance_of_one_sample(
        tables[0].n_pos_clusters, tables[0].n_neg_clusters
    )
    value = []
    shares = []
    for table in tables:
        benefit = weights.net_benefit(table.tp.sum(axis=0), table.fp.sum(axis=0))
        value.append(benefit)
        shares.append(table.shares(weights, benefit))
    error = np.zeros((len(strategies), len(strategies), size))
    for i, j in combinations(range(len(strategies)), 2):
        if np.array_equal(strategies[i], strategies[j]):
            continue
        squares = ((shares[i] - shares[j]) ** 2).sum(axis=0)
        variance = n_clusters / (n_clusters - 1) * squares + min_variance
        error[i, j] = error[j, i] = np.sqrt(variance)
    return np.array(value), error
