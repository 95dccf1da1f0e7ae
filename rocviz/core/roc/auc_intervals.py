"""Confidence intervals of an AUC by five methods."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.progress import Progress, ShouldStop
from rocviz.core.base.validation import (
    LARGEST_EXACT,
    Floats,
    Seed,
    check_choice,
    check_fraction,
    check_integer,
    check_random_state,
)
from rocviz.core.roc.auc_variance import (
    bootstrap,
    delong_variance,
    interval_ends,
    pair_shares,
    resampled_aucs,
    variance_by_law,
)

#: Ways to an interval, the default first.
METHODS = ("logit-delong", "delong", "hanley-mcneil", "fermi-dirac", "bootstrap")

# These count samples, so that weights must be whole numbers.
_WHOLE = ("fermi-dirac", "bootstrap")

# The least weight of a class: one sample, but for rounding.
_LEAST = 1 - 1e-9


@dataclass(frozen=True)
class AUCInterval:
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
        Nominal coverage: how often intervals like this should hold the true AUC. How often they do
        is computed by :func:`simulate_coverage`.
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

    @property
    def width(self) -> float:
        """``upper - lower``."""
        return self.upper - self.lower


@dataclass(frozen=True, eq=False)
class AUCSpread(Frozen):
    """An AUC and its variance, from which intervals of every confidence follow at once."""

    # shares of pairs ranked right and wrong; they sum to 1
    auc: float
    wrong: float
    variance: float  # variance of the AUC, by the method; NaN where it cannot be estimated
    smaller: float  # weight of the smaller class
    resampled: Floats  # (n_resamples,): AUCs of resamples, of the bootstrap only; else empty
    method: str  # one of `METHODS`

    def interval(self, confidence: float = 0.95) -> AUCInterval:
        """Compute the interval of a confidence strictly between 0 and 1."""
        level = check_fraction(confidence, "confidence")
        low, high, missing = interval_ends(
            *(self.auc, self.wrong, self.variance, self.smaller, level),
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
    """Compute the part of an interval that takes time and does not depend on the confidence.

    ``pos`` and ``neg`` are the weights of segments in decreasing order of score, the other
    arguments those of :func:`auc_interval`. ``progress`` wraps the lots that the bootstrap
    draws, as ``tqdm.tqdm`` does; ``SimulationStopped`` is raised once ``should_stop`` returns true.

    Examples
    --------
    >>> spread = auc_spread(np.array([60.0, 30, 10]), np.array([10.0, 20, 70]))
    >>> print(*(f"{spread.interval(level).width:.3f}" for level in (0.5, 0.95)))
    0.036 0.106
    """
    check_choice(method, "method", METHODS)
    n_resamples = check_integer(n_resamples, "n_resamples", minimum=50)
    rng = check_random_state(random_state)
    n_pos, n_neg = float(pos.sum()), float(neg.sum())
    _check_weights(method, pos, neg)
    auc, wrong = pair_shares(pos, neg)
    resampled, by_law = np.empty(0), variance_by_law(method, auc, wrong, n_pos, n_neg)
    variance = delong_variance(pos, neg) if by_law is None else float(by_law)
    if method == "bootstrap" and variance > 0:
        source = rng, should_stop, progress
        resampled = bootstrap(resampled_aucs, pos, neg, n_resamples, *source)
        variance = float(resampled.var(ddof=1))
    return AUCSpread(auc, wrong, variance, min(n_pos, n_neg), resampled, method)


def _check_weights(method: str, pos: Floats, neg: Floats) -> None:
    """Raise unless the weights of the segments can be numbers of samples."""
    if method in _WHOLE and not has_whole_weights(pos, neg):
        fractional = ", ".join(other for other in METHODS if other not in _WHOLE)
        raise ValueError(
            f"sample_weight must be whole numbers for method={method!r}, which counts samples; "
            f"{fractional} take fractions."
        )
    if min(pos.sum(), neg.sum()) < _LEAST:
        raise ValueError(
            "sample_weight must sum to at least 1 in each class, as it says how often a sample "
            f"is repeated; got {pos.sum():.6g} for the positives, {neg.sum():.6g} for the "
            "negatives."
        )
    check_counts("sample_weight", pos, neg)


def check_counts(name: str, pos: Floats, neg: Floats) -> None:
    """Raise if the weights of a class sum to more samples than floats count."""
    most = max(pos.sum(), neg.sum())
    if most > LARGEST_EXACT:
        raise ValueError(
            f"{name} must sum to at most 2**53 in each class, as weights count repetitions of "
            f"samples; got {most:.6g}."
        )


def has_whole_weights(pos: Floats, neg: Floats) -> bool:
    """Whether all weights of the segments are whole numbers."""
    return bool((pos == np.round(pos)).all() and (neg == np.round(neg)).all())
