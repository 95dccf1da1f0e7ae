"""Differences of net benefit between models of the same samples, with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.normal import normal_quantile
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Weights,
    check_fraction,
    check_prevalence,
    check_probabilities,
)
from rocviz.core.comparison.comparison import check_models
from rocviz.core.curve_spaces.net_benefit import NetBenefitWeights, check_thresholds, reached
from rocviz.core.roc.auc_intervals import check_counts

#: Reference strategies that need no model.
ALL, NONE = "treat all", "treat none"


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
        Of each model, and of calling everybody positive.
    standard_error : ndarray of float, shape (n_models + 1, n_thresholds)
    difference_error : ndarray of float, shape (n_models + 1, n_models + 1, n_thresholds)
        Standard error of the difference of any two, on the same samples.
    prevalence : float
        Prevalence for which net benefit is computed.
    confidence : float
        Confidence level of every interval.
    """

    names: tuple[str, ...]
    threshold: Floats
    net_benefit: Floats
    standard_error: Floats
    difference_error: Floats
    prevalence: float
    confidence: float

    def to_frame(self) -> DataFrame:
        """Tabulate net benefits, one row per model and threshold.

        Returns
        -------
        pandas.DataFrame
            Columns ``model, threshold, net_benefit, lower, upper, standard_error``.
        """
        half = normal_quantile(self.confidence) * self.standard_error
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
        many, size = len(self.names), self.threshold.size
        first, second = np.triu_indices(many, 1)
        difference = (self.net_benefit[first] - self.net_benefit[second]).ravel()
        error = self.difference_error[first, second].ravel()
        half = normal_quantile(self.confidence) * error
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
    groups: ArrayLike | None = None,
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
    groups : array-like, shape (n_samples,), optional
        Samples of one group (one patient's, say) belong together: standard errors are those of
        sums over groups.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    confidence : float, default=0.95
        Confidence level of the intervals, strictly between 0 and 1.

    Raises
    ------
    ValueError
        If an argument is invalid, a model is called ``"treat all"``, or there are fewer
        than two groups with samples of either class.

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

    References
    ----------
    Vickers and Elkin (2006). Marsh, Janes and Pepe (2020). Pfeiffer and Gail (2020). Vickers et al.
    (2023).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> prob = rng.beta(1, 3, 800)
    >>> y = rng.random(800) < prob
    >>> found = compare_net_benefit(y, {"true": prob, "steep": prob**2}, [0.2, 0.4])
    >>> table = found.pairs().round(3)  # the first row is of both models at 0.2
    >>> table[["difference", "lower", "upper"]].iloc[0].to_dict()
    {'difference': 0.015, 'lower': -0.008, 'upper': 0.037}
    """
    samples, named = check_models(
        y_true, scores, sample_weight, pos_label, groups, check_probabilities
    )
    positive, unit, w = samples.positive, samples.unit, samples.w
    if ALL in named:
        raise ValueError(
            f"scores must not name a model {ALL!r}, which is the policy that all are compared with."
        )
    t = check_thresholds(thresholds)
    pi = None if prevalence is None else check_prevalence(prevalence)
    level = check_fraction(confidence, "confidence")
    check_counts("sample_weight", w[positive], w[~positive])
    many, held = len(named) + 1, 1 if unit is None else int(unit.max()) + 1
    check_effort(
        seconds=many**2 * (2e-8 * positive.size + 1e-8 * held * t.size),
        numbers=many**2 * t.size + (2 * many * held * t.size if unit is not None else 0),
        scores=f"{many - 1} classifiers",
    )
    # number of thresholds that each sample reaches
    places = {name: np.searchsorted(t, score, side="right") for name, score in named.items()}
    places |= {ALL: np.full(positive.size, t.size)}
    n_pos, n_neg = float(w[positive].sum()), float(w[~positive].sum())
    worth = NetBenefitWeights.of(t, n_pos, n_neg, pi)
    strategies = [*places.values(), np.zeros(positive.size, dtype=np.intp)]  # the last: none
    if unit is None:
        value, error = _of_samples(worth, strategies, positive, w)
    else:
        value, error = _of_groups(worth, strategies, positive, w, unit)
    return NetBenefitComparison(
        names=tuple(places),
        threshold=t,
        net_benefit=value[:-1],
        standard_error=error[:-1, -1],
        difference_error=error[:-1, :-1],
        prevalence=n_pos / (n_pos + n_neg) if pi is None else pi,
        confidence=level,
    )


def _of_samples(
    worth: NetBenefitWeights, strategies: list[NDArray[np.intp]], positive: Bools, w: Floats
) -> tuple[Floats, Floats]:
    """Compute net benefits, and errors of all differences, of independent samples."""
    size = worth.of_neg.size
    sides = w * positive, w * ~positive

    def counts(place: NDArray[np.intp]) -> tuple[Floats, Floats]:
        pos, neg = (reached(np.bincount(place, side, size + 1)) for side in sides)
        return pos, neg

    called = [counts(place) for place in strategies]
    value = np.array([worth.net_benefit(*both) for both in called])
    error = np.zeros((len(strategies), len(strategies), size))
    for i, j in combinations(range(len(strategies)), 2):
        one, other = strategies[i], strategies[j]
        if np.array_equal(one, other):  # equal strategies certainly do not differ
            continue
        # the strategies disagree on a sample between its lower and its higher count
        high, low = counts(np.maximum(one, other)), counts(np.minimum(one, other))
        gap = [a - b for a, b in zip(called[i], called[j], strict=True)]
        apart = (high[0] - low[0], high[1] - low[1])
        variance = worth.variance(gap[0], gap[1], value[i] - value[j], apart)
        error[i, j] = error[j, i] = np.sqrt(variance)
    return value, error


def _of_groups(
    worth: NetBenefitWeights,
    strategies: list[NDArray[np.intp]],
    positive: Bools,
    w: Floats,
    unit: NDArray[np.intp],
) -> tuple[Floats, Floats]:
    """Compute net benefits, and errors of all differences, of independent groups."""
    size, many = worth.of_neg.size, int(unit.max()) + 1
    sides = w * positive, w * ~positive
    all_pos, all_neg = (np.bincount(unit, side)[:, np.newaxis] for side in sides)
    held = [int((total > 0).sum()) for total in (all_pos, all_neg)]
    if min(held) < 2:
        raise ValueError("groups must hold at least two groups with samples of each class.")
    least = worth.least_variance(*held)
    value, shares = [], []
    for place in strategies:
        cell = unit * (size + 1) + place
        pos, neg = (
            reached(np.bincount(cell, side, many * (size + 1)).reshape(many, size + 1))
            for side in sides
        )
        tp, fp = pos.sum(axis=0), neg.sum(axis=0)
        value.append(worth.net_benefit(tp, fp))
        if worth.is_prevalence_known:
            share = worth.net_benefit(
                pos - tp / worth.n_pos * all_pos, neg - fp / worth.n_neg * all_neg
            )
        else:
            mean = value[-1] / (worth.n_pos + worth.n_neg)
            share = worth.net_benefit(pos, neg) - mean * (all_pos + all_neg)
        shares.append(share)
    error = np.zeros((len(strategies), len(strategies), size))
    for i, j in combinations(range(len(strategies)), 2):
        if np.array_equal(strategies[i], strategies[j]):
            continue
        squares = ((shares[i] - shares[j]) ** 2).sum(axis=0)
        error[i, j] = error[j, i] = np.sqrt(many / (many - 1) * squares + least)
    return np.array(value), error
