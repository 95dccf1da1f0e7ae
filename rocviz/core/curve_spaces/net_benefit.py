"""Net benefit at threshold probabilities, with a confidence band."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logit, ndtr

from rocviz.core.base.effort import check_draws
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.normal import normal_quantile, student_quantile
from rocviz.core.base.resamples import draw_clusters
from rocviz.core.base.samples import Samples
from rocviz.core.base.validation import (
    MIN_SHARE,
    Floats,
    Seed,
    Weights,
    check_bootstrap,
    check_flag,
    check_fraction,
    check_numbers,
    check_prevalence,
    check_probabilities,
    check_share,
    check_vector,
)
from rocviz.core.calibration.sample_size import (
    SampleSize,
    required_error,
    separation,
    smallest_sample,
)
from rocviz.core.roc.auc_intervals import check_counts
from rocviz.core.roc.segments import RankedSegments, ranked_with_clusters

# With fewer positives a simultaneous band is at least Bonferroni's.
_MIN_POSITIVES_OF_BAND = 20


@dataclass(frozen=True, eq=False)
class NetBenefitBand(Frozen):
    """Net benefit of a model at threshold probabilities, with a band.

    Made by :func:`net_benefit_band`.

    Parameters
    ----------
    threshold : ndarray of float, shape (n_thresholds,)
        Threshold probabilities, increasing.
    net_benefit : ndarray of float, shape (n_thresholds,)
        Share of true positives, less the share of false positives times the odds of the threshold.
    lower, upper : ndarray of float, shape (n_thresholds,)
        The band.
    standard_error : ndarray of float, shape (n_thresholds,)
    treat_all : ndarray of float, shape (n_thresholds,)
        Net benefit of predicting that all are positive; of predicting that none are it is 0.
    prevalence : float
        Prevalence for which the net benefit is computed.
    simultaneous : bool
        Whether the band holds the whole decision curve at once, or each point by itself.
    confidence : float
        Confidence level of the band.
    """

    threshold: Floats
    net_benefit: Floats
    lower: Floats
    upper: Floats
    standard_error: Floats
    treat_all: Floats
    prevalence: float
    simultaneous: bool
    confidence: float

    @property
    def standardised(self) -> Floats:
        """Net benefit as a share of its maximum, the prevalence, shape (n_thresholds,)."""
        return self.net_benefit / self.prevalence

    def to_frame(self) -> DataFrame:
        """Tabulate one row per threshold.

        Returns
        -------
        pandas.DataFrame
            Columns ``threshold, net_benefit, lower, upper, standard_error, treat_all``.
        """
        names = ("threshold", "net_benefit", "lower", "upper", "standard_error", "treat_all")
        return to_frame({name: getattr(self, name) for name in names})


def net_benefit_band(
    y_true: ArrayLike | RankedSegments,
    y_prob: ArrayLike | None = None,
    *,
    thresholds: ArrayLike | None = None,
    sample_weight: Weights = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
    prevalence: float | None = None,
    simultaneous: bool = False,
    confidence: float = 0.95,
    n_resamples: int = 1000,
    random_state: Seed = 0,
) -> NetBenefitBand:
    """Compute net benefit at threshold probabilities, with a band.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments
        Labels of exactly two classes. Segments stand for labels, probabilities and weights.
    y_prob : array-like of float, shape (n_samples,)
        Predicted probability of the positive class, in [0, 1].
    thresholds : array-like of float, shape (n_thresholds,), or float, optional
        Threshold probabilities, strictly increasing from 1e-9 to 1 - 1e-9 at most; by default 0.01
        to 0.99 in steps of 0.01. Samples with at least this probability are predicted positive.
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) belong together: standard errors are those of
        sums over clusters, with Student's quantile, and resamples draw whole clusters. Only with
        labels.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    prevalence : float, optional
        Prevalence where the model is used, from 1e-9 to 1 - 1e-9, taken as known; by default that
        of the data, which is uncertain as the rates are.
    simultaneous : bool, default=False
        Whether the band is to hold the whole curve at the thresholds at once, or each point by
        itself.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    n_resamples : int, default=1000
        Resamples for the width of a simultaneous band, at least 50; no others are drawn.
    random_state : int, RandomState, Generator or None, default=0
        Source of the random numbers of the resamples.

    Raises
    ------
    ValueError
        If an argument is invalid, a score is no probability, or there are fewer than two clusters
        with samples of either class.

    See Also
    --------
    rocviz.space_curve : The decision curve itself, exact between the thresholds.
    rocviz.core.comparison.compare_net_benefit : Differences between models of the same samples, for
        which bands do not answer.

    Notes
    -----
    *When not to use it.* Net benefit takes the threshold probability for a statement about costs:
    with odds ``o`` one true positive is worth ``1 / o`` false ones. For a threshold that nobody
    would decide by, the curve says nothing. Of predictions that are badly calibrated it is low
    although another threshold of the same ranking may be good; see ``space_curve(..., hull=True)``.
    A band is no test of which model to use: of two options the one of greater expected net benefit
    is better, however uncertain it is (Vickers et al., 2023).

    Net benefit is a mean over samples, of 1 for a true and of minus the odds for a false positive,
    so that its standard error is that of a mean (Marsh, Janes and Pepe, 2020). With a known
    prevalence the variances of both rates add. A sample of each class is added to the
    variance: where few samples are above a threshold the data would claim to be certain.
    Simulated with 100 to 1,000 samples (``benchmarks/reviewers_coverage.py``), intervals of single
    thresholds cover 90 to 100 %, most where few predictions reach a threshold.

    The width of a simultaneous band is that of a bootstrap-t, for each side by itself: the largest
    deviation of each resample is divided by that resample's own standard error, since few positives
    make the error of the data uncertain too. With fewer than 20 positives, or clusters that hold
    some, it is at least Bonferroni's. In simulations of 50 to 1,000 samples with prevalences of
    .03 to .5, at 6 and 99 thresholds, such bands of 95 % hold the whole curve in 91 to 100 % of the
    data sets. Of 50 patients with four rows and one outcome each, bands with ``clusters`` at three
    thresholds do in 95 to 100 %.

    References
    ----------
    Vickers and Elkin (2006). Marsh, Janes and Pepe (2020). Vickers et al. (2023). Hall (1988) (the
    bootstrap-t).

    Examples
    --------
    >>> segments = RankedSegments(score=[0.8, 0.4, 0.1], pos=[30, 15, 5], neg=[10, 35, 105])
    >>> band = net_benefit_band(segments, thresholds=[0.1, 0.3, 0.5])
    >>> band.net_benefit.round(3), band.lower.round(3)
    (array([0.167, 0.129, 0.1  ]), array([0.099, 0.058, 0.038]))
    """
    segments, samples = ranked_with_clusters(
        y_true, y_prob, clusters, sample_weight, pos_label, "y_prob", check_probabilities
    )
    check_counts(segments.pos, segments.neg)
    t = check_thresholds(thresholds)
    pi = None if prevalence is None else check_prevalence(prevalence)
    simultaneous = check_flag(simultaneous, "simultaneous")
    level, draws, rng = check_bootstrap(confidence, n_resamples, random_state)
    place = np.searchsorted(t, segments.score, side="right")
    pos = np.bincount(place, segments.pos, t.size + 1)
    neg = np.bincount(place, segments.neg, t.size + 1)
    weights = NetBenefitWeights.of(t, segments.n_pos, segments.n_neg, pi)
    benefit = weights.net_benefit(reached(pos), reached(neg))
    n_pos_units = segments.n_pos
    table = None
    if samples is None:
        error = np.sqrt(weights.variance(reached(pos), reached(neg), benefit))
        width = normal_quantile(level)
    else:
        table = ClusterCounts.of(t, samples.scores[0], samples)
        table.check()
        error = table.error(weights, benefit)
        width = float(student_quantile(level, table.n_clusters - 1))
        n_pos_units = table.n_pos_clusters
    below = above = width
    if simultaneous:
        if table is None:
            check_draws(draws, 2 * t.size, 8 * draws * (t.size + 1), n_resamples=draws)
            drawn_pos, drawn_neg = _resampled(pos, neg, pi, draws, rng)
            tp = reached(drawn_pos)
            fp = reached(drawn_neg)
            drawn_benefit = weights.net_benefit(tp, fp)
            drawn_error = np.sqrt(weights.variance(tp, fp, drawn_benefit))
        else:
            cost = 4 * t.size * table.n_clusters
            check_draws(draws, cost, 4 * draws * t.size + cost, n_resamples=draws)
            drawn_benefit, drawn_error = table.resampled(t, pi, draws, rng)
        deviation = (drawn_benefit - benefit) / drawn_error
        least = width
        if n_pos_units < _MIN_POSITIVES_OF_BAND:
            least = max(least, _bonferroni_width(level, pos + neg, t.size))
        share = (1 + level) / 2
        below = max(least, float(np.quantile(deviation.max(axis=1), share)))
        above = max(least, float(np.quantile((-deviation).max(axis=1), share)))
    treat_all = weights.net_benefit(np.full(t.size, pos.sum()), np.full(t.size, neg.sum()))
    return NetBenefitBand(
        threshold=t,
        net_benefit=benefit,
        lower=benefit - below * error,
        upper=benefit + above * error,
        standard_error=error,
        treat_all=treat_all,
        prevalence=segments.prevalence if pi is None else pi,
        simultaneous=simultaneous,
        confidence=level,
    )


def net_benefit_sample_size(
    threshold: float,
    *,
    prevalence: float,
    auc: float | None = None,
    sensitivity: float | None = None,
    specificity: float | None = None,
    standard_error: float | None = None,
    width: float | None = None,
    confidence: float = 0.95,
) -> SampleSize:
    r"""Compute the sample size for validating standardised net benefit with a given precision.

    Parameters
    ----------
    threshold : float
        Threshold probability, from 1e-9 to 1 - 1e-9.
    prevalence : float
        Share of positives that is expected, from 1e-9 to 1 - 1e-9.
    auc : float, optional
        The AUC that is expected, above 0.5 and below 1. Predictions are then taken as calibrated,
        with normal log-odds of one variance in both classes.
    sensitivity, specificity : float, optional
        Expected rates at the threshold, from 0 to 1, in place of the AUC.
    standard_error, width, confidence
        The precision that is wanted, as for
        :func:`rocviz.core.calibration.calibration_sample_size`. Net benefit is standardised:
        divided by the prevalence, so that 1 is the greatest.

    Returns
    -------
    SampleSize
        The least number of samples.

    Raises
    ------
    ValueError
        If an argument is out of its range, not just one of ``auc`` and both rates is given, or not
        just one precision.

    Notes
    -----
    *When not to use it.* It is the precision of one net benefit at one threshold. A difference
    between two models on the same samples is known far more precisely; a pilot study and
    :func:`rocviz.core.comparison.compare_net_benefit` tell how much.

    With :math:`w = (1-\pi) t / (\pi (1-t))` the number is

    .. math::

       n = \frac{1}{SE^2} \left(\frac{s_1 (1-s_1)}{\pi} + \frac{w^2 s_0 (1-s_0)}{1-\pi}
       + \frac{w^2 (1-s_0)^2}{\pi (1-\pi)}\right)

    for a sensitivity :math:`s_1` and a specificity :math:`s_0`; the prevalence is estimated too.

    References
    ----------
    Riley et al. (2021). Marsh, Janes and Pepe (2020).

    Examples
    --------
    >>> net_benefit_sample_size(0.2, auc=0.8, prevalence=0.3, width=0.2).n_samples
    330
    >>> rates = {"sensitivity": 0.9, "specificity": 0.5}
    >>> net_benefit_sample_size(0.2, **rates, prevalence=0.3, width=0.2).n_samples
    318
    """
    t = check_share(threshold, "threshold")
    pi = check_prevalence(prevalence)
    has_rates = sensitivity is not None and specificity is not None
    has_no_rates = sensitivity is None and specificity is None
    if (auc is not None and not has_no_rates) or (auc is None and not has_rates):
        raise ValueError("give either auc, or both sensitivity and specificity.")
    if auc is not None:
        gap = separation(auc)
        beyond = float(logit(pi) - logit(t))
        sensitivity = float(ndtr(gap / 2 + beyond / gap))
        specificity = float(ndtr(gap / 2 - beyond / gap))
    of_pos = check_fraction(cast(float, sensitivity), "sensitivity", ends=True)
    of_neg = check_fraction(cast(float, specificity), "specificity", ends=True)
    error = required_error(standard_error, width, confidence)
    w = (1 - pi) * t / (pi * (1 - t))
    variance = of_pos * (1 - of_pos) / pi
    variance += w**2 * (1 - of_neg) / (1 - pi) * (of_neg + (1 - of_neg) / pi)
    return smallest_sample(variance, error, pi)


def check_thresholds(thresholds: ArrayLike | None) -> Floats:
    """Check for increasing threshold probabilities; ``None`` gives one per percent."""
    if thresholds is None:
        return np.arange(1, 100) / 100
    t = check_vector(np.atleast_1d(check_numbers(thresholds, "thresholds")), "thresholds")
    if not t.size or t.min() < MIN_SHARE or t.max() > 1 - MIN_SHARE or (np.diff(t) <= 0).any():
        text = f"{t.size} of them"
        if t.size:
            text += f", from {t.min():.6g} to {t.max():.6g}"
        raise ValueError(
            f"thresholds must strictly increase, from {MIN_SHARE:g} to 1 - {MIN_SHARE:g} at "
            f"most; got {text}."
        )
    return t


def reached(count: NDArray[Any]) -> Floats:
    """Sum the weight at or above each threshold along the last axis."""
    return np.asarray(np.cumsum(count[..., ::-1], axis=-1)[..., -2::-1], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class NetBenefitWeights:
    """Values of a true and a false positive at each threshold."""

    of_pos: float  # gain in net benefit per weight of a true positive
    of_neg: Floats  # (n_thresholds,): loss per weight of a false positive
    n_pos: float
    n_neg: float
    is_prevalence_known: bool

    @classmethod
    def of(
        cls, t: Floats, n_pos: float, n_neg: float, prevalence: float | None
    ) -> NetBenefitWeights:
        """Compute the values for class sizes, at a known prevalence or at that of the data."""
        odds = t / (1 - t)
        if prevalence is None:
            n = n_pos + n_neg
            return cls(1 / n, odds / n, n_pos, n_neg, False)
        return cls(prevalence / n_pos, (1 - prevalence) / n_neg * odds, n_pos, n_neg, True)

    def net_benefit(self, tp: Floats, fp: Floats) -> Floats:
        """Compute net benefit from counts at each threshold, the last axis."""
        return np.asarray(self.of_pos * tp - self.of_neg * fp)

    def variance_of_one_sample(self, n_pos: float, n_neg: float) -> Floats:
        """Compute the contribution of one sample of each class, of so many, to the variance."""
        of_pos = self.of_pos * (self.n_pos / n_pos)
        of_neg = self.of_neg * (self.n_neg / n_neg)
        return np.asarray(of_pos**2 + of_neg**2)

    def variance(
        self,
        tp: Floats,
        fp: Floats,
        net_benefit: Floats,
        disagreement: tuple[Floats, Floats] | None = None,
    ) -> Floats:
        """Compute the variance of net benefit, or of a difference of two.

        For a difference ``tp`` and ``fp`` are those of one model less those of the other, and
        ``disagreement`` are the weights of both classes on which they do not agree.
        """
        squares_pos, squares_neg = (tp, fp) if disagreement is None else disagreement
        spread = self.of_pos**2 * squares_pos + self.of_neg**2 * squares_neg
        if self.is_prevalence_known:
            spread = spread - self.of_pos**2 * tp**2 / self.n_pos
            spread = spread - self.of_neg**2 * fp**2 / self.n_neg
        else:
            spread = spread - net_benefit**2 / (self.n_pos + self.n_neg)
        of_one = self.variance_of_one_sample(self.n_pos, self.n_neg)
        return np.asarray(np.maximum(spread, 0.0) + of_one)


@dataclass(frozen=True, eq=False)
class ClusterCounts:
    """Counts of each cluster's samples, all of them and at or above each threshold."""

    tp: Floats  # (n_clusters, n_thresholds)
    fp: Floats  # (n_clusters, n_thresholds)
    n_pos: Floats  # (n_clusters, 1)
    n_neg: Floats  # (n_clusters, 1)

    @classmethod
    def of(cls, t: Floats, prob: Floats, samples: Samples) -> ClusterCounts:
        """Count samples that have clusters."""
        return cls.of_places(t.size, np.searchsorted(t, prob, side="right"), samples)

    @classmethod
    def of_places(
        cls, n_thresholds: int, place: NDArray[np.intp], samples: Samples
    ) -> ClusterCounts:
        """Count samples, given how many thresholds each of them reaches."""
        unit = cast("NDArray[np.intp]", samples.unit)
        n_clusters = int(unit.max()) + 1
        cell = unit * (n_thresholds + 1) + place
        counts = []
        for of_class in (samples.positive, ~samples.positive):
            weight = np.where(of_class, samples.w, 0.0)
            count = np.bincount(cell, weight, n_clusters * (n_thresholds + 1))
            counts.append(count.reshape(n_clusters, n_thresholds + 1))
        pos, neg = counts
        return cls(
            reached(pos),
            reached(neg),
            pos.sum(axis=1, keepdims=True),
            neg.sum(axis=1, keepdims=True),
        )

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return len(self.n_pos)

    @property
    def n_pos_clusters(self) -> int:
        """Number of clusters that hold positives."""
        return int(np.count_nonzero(self.n_pos))

    @property
    def n_neg_clusters(self) -> int:
        """Number of clusters that hold negatives."""
        return int(np.count_nonzero(self.n_neg))

    def check(self) -> None:
        """Raise if a class is in fewer than two clusters."""
        if min(self.n_pos_clusters, self.n_neg_clusters) < 2:
            raise ValueError("clusters must hold at least two clusters with samples of each class.")

    def shares(self, weights: NetBenefitWeights, net_benefit: Floats) -> Floats:
        """Compute each cluster's part of the error of net benefit, (n_clusters, n_thresholds)."""
        if weights.is_prevalence_known:
            tpr = self.tp.sum(axis=0) / weights.n_pos
            fpr = self.fp.sum(axis=0) / weights.n_neg
            return weights.net_benefit(self.tp - tpr * self.n_pos, self.fp - fpr * self.n_neg)
        mean = net_benefit / (weights.n_pos + weights.n_neg)
        return weights.net_benefit(self.tp, self.fp) - mean * (self.n_pos + self.n_neg)

    def error(self, weights: NetBenefitWeights, net_benefit: Floats) -> Floats:
        """Compute the standard error of net benefit, one sample of each class added."""
        squares = (self.shares(weights, net_benefit) ** 2).sum(axis=0)
        added = weights.variance_of_one_sample(self.n_pos_clusters, self.n_neg_clusters)
        factor = self.n_clusters / (self.n_clusters - 1)
        return np.asarray(np.sqrt(factor * squares + added))

    def resampled(
        self, t: Floats, prevalence: float | None, draws: int, rng: np.random.Generator
    ) -> tuple[Floats, Floats]:
        """Compute net benefit and its error of resamples of clusters, (draws, n_thresholds)."""
        benefit = np.empty((draws, t.size))
        error = np.empty((draws, t.size))
        every = np.arange(self.n_clusters)
        has_pos = self.n_pos[:, 0] > 0
        has_neg = self.n_neg[:, 0] > 0
        for row, times in enumerate(draw_clusters(has_pos, has_neg, draws, rng)):
            drawn = self._take(np.repeat(every, times))
            n_pos = float(drawn.n_pos.sum())
            n_neg = float(drawn.n_neg.sum())
            weights = NetBenefitWeights.of(t, n_pos, n_neg, prevalence)
            benefit[row] = weights.net_benefit(drawn.tp.sum(axis=0), drawn.fp.sum(axis=0))
            error[row] = drawn.error(weights, benefit[row])
        return benefit, error

    def _take(self, rows: NDArray[np.intp]) -> ClusterCounts:
        """Take the counts of clusters, some of them several times."""
        return ClusterCounts(self.tp[rows], self.fp[rows], self.n_pos[rows], self.n_neg[rows])


def _bonferroni_width(confidence: float, counts: NDArray[Any], n_thresholds: int) -> float:
    """Compute the width at which all thresholds with different counts hold at once."""
    # a threshold has the counts of the one before it, if no prediction lies between
    n_different = 1 + int(np.count_nonzero(counts[1:n_thresholds]))
    outside = (1 - confidence) / n_different
    return normal_quantile(1 - outside, outside)


def _resampled(
    pos: NDArray[Any],
    neg: NDArray[Any],
    prevalence: float | None,
    draws: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Draw resamples of counts, within each class if the prevalence is known."""

    def drawn(count: NDArray[Any]) -> NDArray[np.int64]:
        total = max(round(float(count.sum())), 1)
        return rng.multinomial(total, count / count.sum(), size=draws)

    if prevalence is not None:
        return drawn(pos), drawn(neg)
    both = drawn(np.concatenate((pos, neg)))
    return both[:, : pos.size], both[:, pos.size :]
