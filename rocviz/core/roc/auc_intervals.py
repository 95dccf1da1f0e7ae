"""Confidence intervals of an AUC by six methods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.progress import Progress, ShouldStop
from rocviz.core.base.validation import (
    MAX_EXACT_INTEGER,
    Bools,
    Floats,
    Seed,
    Weights,
    check_choice,
    check_fraction,
    check_integer,
    check_random_state,
    describe,
)
from rocviz.core.roc.auc_variance import (
    bootstrap,
    delong_variance,
    interval_ends,
    pair_shares,
    resampled_aucs,
    variance_by_law,
    widen_to_newcombe,
)
from rocviz.core.roc.placements import PlacementSpread, placements, without_rounding
from rocviz.core.roc.segments import RankedSegments, ranked, samples_in_clusters

#: Methods of computing an interval, the default first.
METHODS = (
    "widened-delong",
    "logit-delong",
    "delong",
    "hanley-mcneil",
    "fermi-dirac",
    "bootstrap",
)

#: Methods whose intervals are symmetric on the scale of log odds, unless they are widened.
METHODS_ON_LOGIT = ("widened-delong", "logit-delong")

#: Methods that use DeLong's variance, or with clusters Obuchowski's.
METHODS_OF_DELONG = ("widened-delong", "logit-delong", "delong")

#: Methods that do not count samples.
METHODS_OF_FRACTIONAL_WEIGHTS = ("widened-delong", "logit-delong", "delong", "hanley-mcneil")

# The least weight of a class: one sample, up to rounding.
_MIN_CLASS_WEIGHT = 1 - 1e-9


@dataclass(frozen=True)
class AUCInterval(Frozen):
    """A confidence interval of an AUC.

    Parameters
    ----------
    auc : float
        Area under the ROC curve of the data; ties count one half.
    lower, upper : float
        Ends of the interval, within [0, 1].
    standard_error : float
        Standard error of the AUC, by the method's own variance; NaN where it cannot be estimated.
    method : str
        One of :data:`METHODS`.
    confidence : float
        Nominal coverage: how often intervals like this should contain the true AUC. How often
        they do is computed by :func:`simulate_coverage`.
    is_fallback : bool
        Whether the method cannot be applied to the data and Clopper and Pearson's interval
        takes its place, see :func:`auc_interval`.
    is_widened : bool
        Whether the smaller class shows so few errors that ``"widened-delong"`` is wider than
        ``"logit-delong"``: the interval allows for a tail of scores that these data do not show.
    n_clusters : int or None
        Clusters that hold the class which fewer of them hold, where samples come in clusters. With
        fewer than ten the coverage is uncertain; with one the ends are NaN.
    """

    auc: float
    lower: float
    upper: float
    standard_error: float
    method: str
    confidence: float
    is_fallback: bool = False
    is_widened: bool = False
    n_clusters: int | None = None


@dataclass(frozen=True, eq=False)
class AUCSpread(Frozen):
    """An AUC and its variance, which give intervals of any confidence."""

    # shares of correctly and wrongly ranked pairs, which sum to 1
    auc: float
    wrong: float
    variance: float  # variance of the AUC by the method; NaN if it cannot be estimated
    n_pos: float  # weights of the classes
    n_neg: float
    resampled: Floats  # (n_resamples,): AUCs of resamples for the bootstrap; else empty
    method: str = "widened-delong"  # one of `METHODS`
    degrees: float = np.inf  # degrees of freedom of the variance
    n_clusters: int | None = None  # that hold the class which fewer of them hold

    def interval(self, confidence: float = 0.95) -> AUCInterval:
        """Compute the interval of a confidence strictly between 0 and 1."""
        level = check_fraction(confidence, "confidence")
        low, high, missing = interval_ends(
            self.auc,
            self.wrong,
            self.variance,
            min(self.n_pos, self.n_neg) if self.n_clusters is None else self.n_clusters,
            level,
            on_logit=self.method in METHODS_ON_LOGIT,
            degrees=self.degrees,
        )
        is_widened = np.array(False)
        if self.n_clusters is not None and self.n_clusters < 2:
            low = high = np.array(np.nan)
        elif self.method == "widened-delong" and self.n_clusters is None:
            low, high, is_widened = widen_to_newcombe(
                low, high, missing, self.auc, self.wrong, self.n_pos, self.n_neg, level
            )
        if self.resampled.size and not missing:
            tail = (1 - level) / 2
            low, high = np.quantile(self.resampled, [tail, 1 - tail])
        return AUCInterval(
            auc=self.auc,
            lower=float(low),
            upper=float(high),
            standard_error=float("nan") if missing else float(np.sqrt(self.variance)),
            method=self.method,
            confidence=confidence,
            is_fallback=bool(missing),
            is_widened=bool(is_widened),
            n_clusters=self.n_clusters,
        )


def auc_spread(
    pos: Floats,
    neg: Floats,
    *,
    method: str = "widened-delong",
    n_resamples: int = 2000,
    random_state: Seed = None,
    should_stop: ShouldStop | None = None,
    progress: Progress | None = None,
) -> AUCSpread:
    """Compute the slow part of an interval, which does not depend on the confidence.

    ``pos`` and ``neg`` are the weights of segments in decreasing order of score, the other
    arguments those of :func:`auc_interval`. ``progress`` wraps the batches that the bootstrap
    draws, as ``tqdm.tqdm`` does; ``SimulationStopped`` is raised once ``should_stop`` returns true.

    Examples
    --------
    >>> spread = auc_spread(np.array([60.0, 30, 10]), np.array([10.0, 20, 70]))
    >>> print(*(f"{spread.interval(level).lower:.3f}" for level in (0.5, 0.95)))
    0.826 0.785
    """
    check_choice(method, "method", METHODS)
    n_resamples = check_integer(n_resamples, "n_resamples", minimum=50)
    rng = check_random_state(random_state)
    n_pos = float(pos.sum())
    n_neg = float(neg.sum())
    _check_weights(method, pos, neg)
    auc, wrong = pair_shares(pos, neg)
    by_law = variance_by_law(method, auc, wrong, n_pos, n_neg)
    variance = delong_variance(pos, neg) if by_law is None else float(by_law)
    resampled = np.empty(0)
    if method == "bootstrap" and variance > 0:
        resampled = bootstrap(
            resampled_aucs, pos, neg, n_resamples, rng, should_stop=should_stop, progress=progress
        )
        variance = float(resampled.var(ddof=1))
    return AUCSpread(auc, wrong, variance, n_pos, n_neg, resampled, method)


def clustered_spread(
    positive: Bools,
    score: Floats,
    weight: Floats,
    clusters: NDArray[np.intp],
    method: str = "widened-delong",
) -> AUCSpread:
    """Compute the variance of an AUC of samples that vary together within clusters.

    References
    ----------
    Obuchowski (1997).

    Examples
    --------
    >>> y, score = np.array([True, False, True, False]), np.array([4.0, 1.0, 2.0, 3.0])
    >>> spread = clustered_spread(y, score, np.ones(4), np.array([0, 0, 1, 1]))
    >>> spread.auc, round(spread.variance, 3), spread.degrees
    (0.75, 0.25, 1.0)
    """
    spread = PlacementSpread.of(positive, weight, clusters)
    n_pos = float(spread.w_pos.sum())
    n_neg = float(spread.w_neg.sum())
    _check_weights(method, spread.w_pos, spread.w_neg)
    of_pos, of_neg = placements(positive, score, weight)
    auc = min(float(of_pos @ spread.w_pos) / n_pos / n_neg, 1.0)
    wrong = max(float((n_neg - of_pos) @ spread.w_pos) / n_pos / n_neg, 0.0)
    variance = float("nan")
    if spread.smaller >= 2:
        away = without_rounding((of_pos / n_neg - auc)[None], (of_neg / n_pos - auc)[None])
        variance = float(spread.covariance(*away)[0, 0])
    n_clusters = int(spread.smaller)
    return AUCSpread(
        auc, wrong, variance, n_pos, n_neg, np.empty(0), method, n_clusters - 1.0, n_clusters
    )


def auc_interval(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None = None,
    *,
    method: str = "widened-delong",
    confidence: float = 0.95,
    sample_weight: Weights = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
    n_resamples: int = 2000,
    random_state: Seed = None,
) -> AUCInterval:
    """Compute a confidence interval of the AUC.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments
        Labels of exactly two classes. Segments stand for labels, scores and weights, and need not
        be sorted again; scores that share one count as ties, and
        :attr:`RankedSegments.auc_bounds` tells what that may hide.
    y_score, pos_label
        As for :meth:`RankedSegments.from_scores`.
    method : str, default="widened-delong"
        - ``"widened-delong"``: ``"logit-delong"``; where the smaller class shows fewer than five
          errors, ``m * min(AUC, 1 - AUC) < 5`` for its m samples, widened to hold Newcombe's score
          interval too.
        - ``"logit-delong"``: DeLong's variance, a symmetric interval on the scale of
          ``log(AUC / (1 - AUC))``. Never leaves [0, 1]; covers better near 1 if classes are
          balanced.
        - ``"delong"``: the same variance, symmetric around the AUC, clipped at 0 and 1.
        - ``"hanley-mcneil"``: the variance that the AUC would have if scores were exponential
          in both classes. It needs the AUC and the two counts only.
        - ``"fermi-dirac"``: the variance under Fermi-Dirac statistics of the ranking with this
          AUC. Too narrow where one class is rare.
        - ``"bootstrap"``: percentiles of the AUCs of resamples, drawn from each class apart.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated. Fractions are allowed for the first four methods.
        Weights in other units, such as shares that sum to 1, would claim another number of
        samples than there is; scale them first.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) vary together: the variance is Obuchowski's, and
        the quantile Student's. Only with labels, and a method that uses DeLong's variance.
    n_resamples : int, default=2000
        Number of resamples of the bootstrap; at least 50.
    random_state : int, RandomState, Generator or None, default=None
        Source of the random numbers of the bootstrap.

    Raises
    ------
    ValueError
        If the input is invalid; if weights are not whole numbers and the method
        needs them to be; if the weights of a class sum to less than 1.

    Notes
    -----
    DeLong's variance alone is too small where one class is rare and the AUC near 1: a sample that
    happens to miss the tail of the rare class has both a high AUC and little variance. In
    simulations of four laws of scores (normal, exponential, unequal variances, a mixture), with
    classes of 10 + 190 to 100 + 100 and AUCs from .8 to .99, 95 % intervals by
    ``"logit-delong"`` cover the truth in 74 to 98 % of the data sets, those by
    ``"widened-delong"`` in 92 to 100 %. They are conservative for balanced classes.

    Rows of one patient are not independent samples. In simulations of six rows each, 95 % intervals
    of rows cover the true AUC in 64 to 94 % of the data sets, those of ``clusters`` in 93 to 99 %
    from 20 patients up to an AUC of .8, in 90 to 96 % at an AUC of .97, and in 86 to 100 % at one
    of .995 (four rows, 50 to 1,000 patients). They are on the scale of log odds with degrees of
    freedom one less than the clusters of the class that fewer of them hold, and are not widened;
    that number of clusters takes the place of m below.

    Some data do not show how much their AUC varies: an AUC of 0 or 1, scores that are all tied, or
    (for DeLong's variance and the bootstrap only) a class of one sample or a weight of 1.001 or
    less. An interval of no width would claim certainty, so Clopper and Pearson's takes its place,
    for ``AUC * m`` successes in ``m`` trials, ``m`` the size of the smaller class: that many pairs
    can be formed that share no sample, and no ranking's AUC varies more than the mean of as many
    independent pairs. With AUC 1 this bound holds exactly and is ``(alpha / 2) ** (1 / m)``, about
    ``1 - 3.7 / m`` at 95 %.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988). Pepe (2003), section 5.2 (logit scale). Newcombe
    (2006) (score interval). Hanley and McNeil (1982). Kim et al. (2021), section on the variance of
    AUC estimates. Birnbaum and Klose (1957) (the largest variance).
    Obuchowski (1997) (clusters).

    Examples
    --------
    >>> y, score = [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7, 8]
    >>> interval = auc_interval(y, score)
    >>> print(f"{interval.auc:.3f}, {interval.lower:.2f} to {interval.upper:.2f}")
    0.938, 0.44 to 1.00
    >>> perfect = auc_interval([0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6])
    >>> print(f"{perfect.lower:.2f} to {perfect.upper:.2f}")
    0.29 to 1.00
    >>> segments = RankedSegments(score=[3, 2, 1], pos=[60, 30, 10], neg=[10, 20, 70])
    >>> round(auc_interval(segments, method="hanley-mcneil").standard_error, 3)
    0.028
    """
    level = check_fraction(confidence, "confidence")
    if clusters is not None:
        return _clustered_interval(
            y_true, y_score, method, level, sample_weight, clusters, pos_label
        )
    segments = ranked(y_true, y_score, sample_weight, pos_label)
    spread = auc_spread(
        segments.pos,
        segments.neg,
        method=method,
        n_resamples=n_resamples,
        random_state=random_state,
    )
    return spread.interval(level)


def _clustered_interval(
    y_true: Any,
    y_score: ArrayLike | None,
    method: str,
    confidence: float,
    sample_weight: Weights,
    clusters: ArrayLike,
    pos_label: Any,
) -> AUCInterval:
    """Compute an interval of samples that come in clusters."""
    check_choice(method, "method", METHODS)
    if method not in METHODS_OF_DELONG:
        raise ValueError(
            f"method={describe(method)} knows no clusters; {', '.join(METHODS_OF_DELONG)} do, and "
            "rocviz.core.comparison.bootstrap_interval draws whole clusters."
        )
    samples = samples_in_clusters(y_true, y_score, clusters, sample_weight, pos_label)
    unit = cast("NDArray[np.intp]", samples.unit)
    spread = clustered_spread(samples.positive, samples.scores[0], samples.w, unit, method)
    return spread.interval(confidence)


def _check_weights(method: str, pos: Floats, neg: Floats) -> None:
    """Raise unless each class weighs at least one sample, in whole numbers where required."""
    if method not in METHODS_OF_FRACTIONAL_WEIGHTS and not has_whole_weights(pos, neg):
        fractional = ", ".join(METHODS_OF_FRACTIONAL_WEIGHTS)
        raise ValueError(
            f"sample_weight must be whole numbers for method={describe(method)}, which counts "
            f"samples; {fractional} accept fractional weights."
        )
    check_class_weights(pos, neg)


def check_class_weights(pos: Floats, neg: Floats) -> None:
    """Raise unless each class weighs at least one sample, and no more than floats can count."""
    if min(pos.sum(), neg.sum()) < _MIN_CLASS_WEIGHT:
        raise ValueError(
            "sample_weight must sum to at least 1 in each class, as it says how often a sample "
            f"is repeated; got {pos.sum():.6g} for the positives, {neg.sum():.6g} for the "
            "negatives."
        )
    check_counts(pos, neg)


def check_counts(pos: Floats, neg: Floats) -> None:
    """Raise if a class has more samples than floats can count."""
    larger = max(pos.sum(), neg.sum())
    if larger > MAX_EXACT_INTEGER:
        raise ValueError(
            "sample_weight must sum to at most 2**53 in each class, as weights count repetitions "
            f"of samples; got {larger:.6g}."
        )


def has_whole_weights(pos: Floats, neg: Floats) -> bool:
    """Whether all weights of the segments are whole numbers."""
    return bool((pos == np.round(pos)).all() and (neg == np.round(neg)).all())
