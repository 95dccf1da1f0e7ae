"""Confidence intervals of an AUC by five methods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.progress import Progress, ShouldStop
from rocviz.core.base.validation import (
    MAX_EXACT_INTEGER,
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
)
from rocviz.core.roc.segments import RankedSegments, ranked

#: Methods of computing an interval, the default first.
METHODS = ("logit-delong", "delong", "hanley-mcneil", "fermi-dirac", "bootstrap")

# They count samples.
_METHODS_OF_WHOLE_WEIGHTS = ("fermi-dirac", "bootstrap")

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
    """

    auc: float
    lower: float
    upper: float
    standard_error: float
    method: str
    confidence: float
    is_fallback: bool = False


@dataclass(frozen=True, eq=False)
class AUCSpread(Frozen):
    """An AUC and its variance, which give intervals of any confidence."""

    # shares of correctly and wrongly ranked pairs, which sum to 1
    auc: float
    wrong: float
    variance: float  # variance of the AUC by the method; NaN if it cannot be estimated
    smaller: float  # weight of the smaller class
    resampled: Floats  # (n_resamples,): AUCs of resamples for the bootstrap; else empty
    method: str  # one of `METHODS`

    def interval(self, confidence: float = 0.95) -> AUCInterval:
        """Compute the interval of a confidence strictly between 0 and 1."""
        level = check_fraction(confidence, "confidence")
        low, high, missing = interval_ends(
            self.auc,
            self.wrong,
            self.variance,
            self.smaller,
            level,
            on_logit=self.method == "logit-delong",
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
        )


def auc_spread(
    pos: Floats,
    neg: Floats,
    *,
    method: str = "logit-delong",
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
    return AUCSpread(auc, wrong, variance, min(n_pos, n_neg), resampled, method)


def auc_interval(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None = None,
    *,
    method: str = "logit-delong",
    confidence: float = 0.95,
    sample_weight: Weights = None,
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
    method : str, default="logit-delong"
        - ``"logit-delong"``: DeLong's variance, a symmetric interval on the scale of
          ``log(AUC / (1 - AUC))``. Never leaves [0, 1]; covers better near 1.
        - ``"delong"``: the same variance, symmetric around the AUC, clipped at 0 and 1.
        - ``"hanley-mcneil"``: the variance that the AUC would have if scores were exponential
          in both classes. It needs the AUC and the two counts only.
        - ``"fermi-dirac"``: the variance under Fermi-Dirac statistics of the ranking with this
          AUC. Too narrow where one class is rare.
        - ``"bootstrap"``: percentiles of the AUCs of resamples, drawn from each class apart.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated. Fractions are allowed for the first three methods.
        Weights in other units, such as shares that sum to 1, would claim another number of
        samples than there is; scale them first.
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
    Some data do not show how much their AUC varies: an AUC of 0 or 1, scores that are all tied, or
    (for DeLong's variance and the bootstrap only) a class of one sample or a weight of 1.001 or
    less. An interval of no width would claim certainty, so Clopper and Pearson's takes its place,
    for ``AUC * m`` successes in ``m`` trials, ``m`` the size of the smaller class: that many pairs
    can be formed that share no sample, and no ranking's AUC varies more than the mean of as many
    independent pairs. With AUC 1 this bound holds exactly and is ``(alpha / 2) ** (1 / m)``, about
    ``1 - 3.7 / m`` at 95 %.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988). Pepe (2003), section 5.2 (logit scale). Hanley and
    McNeil (1982). Kim et al. (2021), section on the variance of AUC estimates. Birnbaum and
    Klose (1957) (the largest variance).

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
    segments = ranked(y_true, y_score, sample_weight, pos_label)
    level = check_fraction(confidence, "confidence")
    spread = auc_spread(
        segments.pos,
        segments.neg,
        method=method,
        n_resamples=n_resamples,
        random_state=random_state,
    )
    return spread.interval(level)


def _check_weights(method: str, pos: Floats, neg: Floats) -> None:
    """Raise unless each class weighs at least one sample, in whole numbers where required."""
    if method in _METHODS_OF_WHOLE_WEIGHTS and not has_whole_weights(pos, neg):
        fractional = ", ".join(other for other in METHODS if other not in _METHODS_OF_WHOLE_WEIGHTS)
        raise ValueError(
            f"sample_weight must be whole numbers for method={describe(method)}, which counts "
            f"samples; {fractional} accept fractional weights."
        )
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
