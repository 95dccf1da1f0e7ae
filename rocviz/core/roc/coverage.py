"""Simulated coverage of AUC intervals, for scores whose AUC is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri

from rocviz.core.base import validation
from rocviz.core.base.effort import check_draws
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.progress import Progress, ShouldStop, block_sizes, generators, run_steps
from rocviz.core.base.validation import Bools, Floats, Seed
from rocviz.core.roc.auc_intervals import METHODS, METHODS_ON_LOGIT
from rocviz.core.roc.auc_variance import (
    bootstrap,
    interval_ends,
    resampled_aucs,
    variance_by_law,
    widen_to_newcombe,
)

# a bootstrap takes as long as a thousand other intervals
_METHODS_WITHOUT_RESAMPLES = tuple(method for method in METHODS if method != "bootstrap")

# A simulation can be stopped between blocks.
_CELLS_PER_BLOCK = 2**17


@dataclass(frozen=True, eq=False)
class CoverageResult(Frozen):
    """Simulated coverage of AUC intervals in one setting.

    Parameters
    ----------
    methods : tuple of str
        Of the intervals; the arrays have one entry for each.
    coverage : ndarray of float, shape (n_methods,)
        Share of the repetitions whose interval holds the true AUC.
    standard_error : ndarray of float, shape (n_methods,)
        Standard error of the coverage, by the binomial law; 0 where all repetitions agree.
    mean_width : ndarray of float, shape (n_methods,)
        Mean width of the intervals.
    too_high, too_low : ndarray of float, shape (n_methods,)
        Shares of the repetitions whose interval lies above, or below, the true AUC.
    fallbacks : ndarray of float, shape (n_methods,)
        Share of the repetitions that gave the method no variance, see :func:`auc_interval`.
    n_pos, n_neg : int
        Samples of each class in every repetition.
    auc : float
        The true AUC.
    confidence : float
        Nominal.
    n_repeats : int
    """

    methods: tuple[str, ...]
    coverage: Floats
    standard_error: Floats
    mean_width: Floats
    too_high: Floats
    too_low: Floats
    fallbacks: Floats
    n_pos: int
    n_neg: int
    auc: float
    confidence: float
    n_repeats: int

    def to_frame(self) -> DataFrame:
        """Tabulate one row per method.

        Columns ``method, coverage, standard_error, mean_width, too_high, too_low, fallbacks``.
        """
        names = ("coverage", "standard_error", "mean_width", "too_high", "too_low", "fallbacks")
        return to_frame(method=self.methods, **{name: getattr(self, name) for name in names})


def simulate_coverage(
    n_samples: int,
    prevalence: float,
    auc: float,
    *,
    methods: Sequence[str] = _METHODS_WITHOUT_RESAMPLES,
    confidence: float = 0.95,
    n_repeats: int = 1500,
    n_resamples: int = 1000,
    random_state: Seed = None,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> CoverageResult:
    """Estimate the coverage of AUC intervals on simulated data sets with a known AUC.

    Scores are normal with equal variance in both classes and never tied; each data set has
    the same number of positives.

    Parameters
    ----------
    n_samples : int
        Samples of a data set; at least 2.
    prevalence : float
        Share of positives, from 1e-9 to 1 - 1e-9; rounded to whole samples, at least one of each
        class.
    auc : float
        The true AUC, from 1e-9 to 1 - 1e-9.
    methods : sequence of str, optional
        Of :func:`auc_interval`; by default all but ``"bootstrap"``, which takes far longer.
    confidence : float, default=0.95
        Nominal coverage of the intervals.
    n_repeats : int, default=1500
        Data sets drawn; at least 2.
    n_resamples : int, default=1000
        Number of resamples of the bootstrap; at least 50.
    random_state : int, RandomState, Generator or None, default=None
        With the same integer every method sees the same data sets, whichever others are asked
        for.
    progress : callable, optional
        Wraps an iterable, as ``tqdm.tqdm`` does: here the sizes of the blocks in which repetitions
        are done.
    should_stop : callable, optional
        Called without arguments before every block; when it returns true, the simulation ends.

    Raises
    ------
    ValueError
        If the input is invalid.
    SimulationStopped
        If ``should_stop`` returned true. There are never results of some of the repetitions.

    References
    ----------
    Obuchowski and Lieber (2002), on why few samples and AUCs near 1 are the hard case.

    Examples
    --------
    >>> result = simulate_coverage(1000, 0.02, 0.99, n_repeats=400, random_state=0)
    >>> for method, coverage in zip(result.methods, result.coverage):
    ...     print(f"{method}: {coverage:.2f}")
    widened-delong: 0.98
    logit-delong: 0.81
    delong: 0.73
    hanley-mcneil: 0.98
    fermi-dirac: 0.61
    """
    n = validation.check_integer(n_samples, "n_samples", minimum=2)
    truth = validation.check_share(auc, "auc")
    n_pos = min(max(round(n * validation.check_prevalence(prevalence)), 1), n - 1)
    names = validation.check_sequence(methods, "methods", "a sequence of names of methods")
    for name in names:
        validation.check_choice(name, "methods", METHODS)
    chosen = tuple(dict.fromkeys(names))
    if not chosen:
        raise ValueError("methods is empty; at least one is needed.")
    confidence = validation.check_fraction(confidence, "confidence")
    repeats = validation.check_integer(n_repeats, "n_repeats", minimum=2)
    n_resamples = validation.check_integer(n_resamples, "n_resamples", minimum=50)
    check_draws(
        repeats,
        n * len(chosen) * (n_resamples if "bootstrap" in chosen else 1),
        10 * n + 4 * repeats * len(chosen),
        n_samples=n,
        n_repeats=repeats,
        n_resamples=n_resamples,
    )
    rng = validation.check_random_state(random_state)
    # a separate generator, so that the bootstrap does not change the data
    resampling = np.random.default_rng(rng.integers(2**63))
    shift = float(np.sqrt(2) * ndtri(truth))

    sizes = block_sizes(repeats, max(1, min(repeats, _CELLS_PER_BLOCK // n)))

    def blocks() -> Iterator[tuple[Any, ...]]:
        for rows, source in zip(sizes, generators(resampling, len(sizes)), strict=True):
            noise = rng.standard_normal((rows, n))
            yield noise, n_pos, shift, chosen, confidence, n_resamples, source

    ends = list(run_steps(_block, blocks(), sizes, progress, should_stop, "simulation"))
    low = np.concatenate([lower for lower, _, _ in ends], axis=1)
    high = np.concatenate([upper for _, upper, _ in ends], axis=1)
    missing = np.concatenate([missing for _, _, missing in ends], axis=1)
    covered = ((low <= truth) & (truth <= high)).mean(axis=1)
    return CoverageResult(
        methods=chosen,
        coverage=covered,
        standard_error=np.sqrt(covered * (1 - covered) / repeats),
        mean_width=(high - low).mean(axis=1),
        too_high=(low > truth).mean(axis=1),
        too_low=(high < truth).mean(axis=1),
        fallbacks=missing.mean(axis=1),
        n_pos=n_pos,
        n_neg=n - n_pos,
        auc=truth,
        confidence=confidence,
        n_repeats=repeats,
    )


def _block(noise: Floats, n_pos: int, shift: float, *options: Any) -> tuple[Floats, Floats, Bools]:
    """Compute the intervals of data sets, one per row, with the positives first."""
    score = noise.copy()
    score[:, :n_pos] += shift
    return _block_ends(np.argsort(-score, axis=1) < n_pos, *options)


def _block_ends(
    is_pos: Bools,
    methods: tuple[str, ...],
    confidence: float,
    n_resamples: int,
    resampling: np.random.Generator,
) -> tuple[Floats, Floats, Bools]:
    """Compute the intervals of untied rankings, one per row, by each method.

    Labels are in decreasing order of score; all rows have the same number of positives. The lower
    and upper ends, and where there is no variance, have the shape (n_methods, n_repeats).
    """
    rows, n = is_pos.shape
    n_pos = int(is_pos[0].sum())
    n_neg = n - n_pos
    above = np.cumsum(is_pos, axis=1)
    of_neg = above[~is_pos].reshape(rows, n_neg) / n_pos
    of_pos = 1 - (np.arange(1, n + 1) - above)[is_pos].reshape(rows, n_pos) / n_neg
    pairs = n_pos * n_neg
    right = np.round(of_neg.sum(axis=1) * n_pos)
    auc = right / pairs
    wrong = (pairs - right) / pairs
    delong = np.full(rows, np.nan)
    if min(n_pos, n_neg) > 1:
        delong = of_pos.var(axis=1, ddof=1) / n_pos + of_neg.var(axis=1, ddof=1) / n_neg
    lows = np.empty((len(methods), rows))
    highs = np.empty((len(methods), rows))
    missing = np.empty((len(methods), rows), dtype=np.bool_)
    for i, method in enumerate(methods):
        variance = variance_by_law(method, auc, wrong, n_pos, n_neg)
        if variance is None:
            variance = delong
        lows[i], highs[i], missing[i] = interval_ends(
            auc,
            wrong,
            variance,
            min(n_pos, n_neg),
            confidence,
            on_logit=method in METHODS_ON_LOGIT,
        )
        if method == "widened-delong":
            lows[i], highs[i], _ = widen_to_newcombe(
                lows[i], highs[i], missing[i], auc, wrong, n_pos, n_neg, confidence
            )
        if method == "bootstrap":
            tail = (1 - confidence) / 2
            for row in np.flatnonzero(~missing[i]):
                pos = is_pos[row].astype(np.float64)
                resampled = bootstrap(resampled_aucs, pos, 1 - pos, n_resamples, resampling)
                lows[i, row], highs[i, row] = np.quantile(resampled, [tail, 1 - tail])
    return lows, highs, missing
