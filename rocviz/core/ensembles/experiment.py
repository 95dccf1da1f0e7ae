"""Experiments on ensembles: held-out AUCs, averaged over repetitions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.classes import positive_columns
from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.progress import Progress, ShouldStop, run_steps
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Seed,
    check_aligned,
    check_choice,
    check_fraction,
    check_integer,
    check_prevalence,
    check_random_state,
    check_samples,
    check_sequence,
)
from rocviz.core.ensembles.rank_ensemble import RANK_CONTEXTS, RankEnsemble, round_evidence
from rocviz.core.ensembles.score_matrix import auc_of_columns, score_matrix
from rocviz.core.ensembles.simulate_classifiers import SimulatedClassifiers, simulate_classifiers

COMPARED_METHODS = ("best", "mean base", "woc", "fidel", "correlation-aware")

# As measured: the cube of the number of members is what correlation-aware weights take.
_SECONDS_PER_FIT = 3e-4
_SECONDS_PER_ENSEMBLE = 4e-4
_SECONDS_PER_MEMBER = 4e-5
_SECONDS_PER_SCORE = 1e-7
_SECONDS_PER_CUBED_MEMBER = 2e-10


@dataclass(frozen=True, eq=False)
class EnsembleExperiment(Frozen):
    """Mean held-out AUCs, one row per setting, one column per method.

    Parameters
    ----------
    n_classifiers : ndarray of int, shape (n_settings,)
        Numbers of combined classifiers.
    correlation : ndarray, shape (n_settings,)
        Correlation between the classifiers given the class: what was simulated, or the mean over
        pairs of the rank correlation in the data.
    methods : tuple of str
        ``"best"`` is the classifier with the highest AUC on the validation data, ``"mean base"``
        the average of all; then the ensembles.
    auc : ndarray, shape (n_settings, n_methods)
        Mean over the repetitions.
    standard_error : ndarray, shape (n_settings, n_methods)
        Standard error of that mean.
    n_repeats : int
        Repetitions.
    """

    n_classifiers: NDArray[np.int64]
    correlation: Floats
    methods: tuple[str, ...]
    auc: Floats
    standard_error: Floats
    n_repeats: int

    def to_frame(self) -> DataFrame:
        """Tabulate one row per setting and method.

        Columns ``correlation, n_classifiers, method, auc, standard_error``.
        """
        n_methods = len(self.methods)
        return to_frame(
            correlation=self.correlation.repeat(n_methods),
            n_classifiers=self.n_classifiers.repeat(n_methods),
            method=list(self.methods) * len(self.n_classifiers),
            auc=self.auc.ravel(),
            standard_error=self.standard_error.ravel(),
        )


def ensemble_experiment(
    n_classifiers: Sequence[int] = (3, 5, 7),
    correlation: Sequence[float] = (0.0, 0.2, 0.4, 0.6),
    *,
    auc_range: tuple[float, float] = (0.55, 0.75),
    n_validation: int = 500,
    n_test: int = 500,
    prevalence: float = 0.4,
    n_repeats: int = 200,
    rank_context: str = "validation",
    random_state: Seed = None,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> EnsembleExperiment:
    """Simulate correlated classifiers, combine them, and compare on held-out samples.

    In each repetition the classifiers' scores of validation and of test samples are drawn (see
    :func:`simulate_classifiers`), AUCs and correlations are measured on the validation samples,
    and every method is evaluated by its AUC on the test samples.

    Parameters
    ----------
    n_classifiers : sequence of int, default=(3, 5, 7)
        Numbers of classifiers to combine, each at least 1.
    correlation : sequence of float, default=(0, 0.2, 0.4, 0.6)
        Correlation of their scores given the class, from 0 to 1. Every number of classifiers is
        combined with every correlation.
    auc_range : tuple of float, default=(0.55, 0.75)
        True AUCs are spread evenly from the first to the second; a single classifier has the
        middle.
    n_validation, n_test : int, default=500
        Samples in each repetition; at least 2.
    prevalence : float, default=0.4
        From 1e-9 to 1 - 1e-9.
    n_repeats : int, default=200
        At least 2.
    rank_context : {"validation", "batch"}, default="validation"
        See :func:`fidel_combine`.
    random_state : int, RandomState, Generator or None, default=None
        Source of randomness.
    progress, should_stop : callable, optional
        As for :func:`rocviz.simulate_coverage`.

    Raises
    ------
    ValueError
        If a parameter is invalid.
    SimulationStopped
        If ``should_stop`` returned true.

    Examples
    --------
    >>> experiment = ensemble_experiment([7], [0.0], n_repeats=20, random_state=0)
    >>> dict(zip(experiment.methods, experiment.auc[0].round(2).tolist(), strict=True))
    {'best': 0.75, 'mean base': 0.65, 'woc': 0.85, 'fidel': 0.87, 'correlation-aware': 0.87}
    """
    sizes = check_sequence(n_classifiers, "n_classifiers", "one or more whole numbers")
    sizes = [check_integer(m, "n_classifiers", minimum=1) for m in sizes]
    correlations = check_sequence(correlation, "correlation", "one or more numbers from 0 to 1")
    correlations = [check_fraction(c, "correlation", ends=True) for c in correlations]
    ends = check_sequence(auc_range, "auc_range", "two numbers")
    if len(ends) != 2:
        raise ValueError(f"auc_range must be two numbers; got {len(ends)}.")
    low = check_fraction(ends[0], "auc_range")
    high = check_fraction(ends[1], "auc_range")
    n_validation = check_integer(n_validation, "n_validation", minimum=2)
    n_test = check_integer(n_test, "n_test", minimum=2)
    prevalence = check_prevalence(prevalence)
    n_repeats = check_integer(n_repeats, "n_repeats", minimum=2)
    check_choice(rank_context, "rank_context", RANK_CONTEXTS)
    rng = check_random_state(random_state)
    settings = [(m, c) for c, m in product(correlations, sizes)]
    if not settings:
        raise ValueError("n_classifiers and correlation must each have at least one entry.")
    n = n_validation + n_test
    n_draws = len(settings) * n_repeats
    largest = max(sizes)
    check_effort(
        seconds=n_repeats * len(correlations) * _seconds(n, sum(sizes), sizes),
        numbers=3 * (n + largest) * (largest + 1) + 30 * n_draws,
        n_repeats=n_repeats,
        n_classifiers=sizes,
        n_validation=n_validation,
        n_test=n_test,
    )

    def draw() -> Iterator[tuple[Any, ...]]:
        for m, c in settings:
            areas = np.linspace(low, high, m) if m > 1 else [(low + high) / 2]
            simulate = partial(
                simulate_classifiers,
                auc=areas,
                correlation=c,
                prevalence=prevalence,
                random_state=rng,
            )
            for _ in range(n_repeats):
                yield simulate(n_validation), simulate(n_test), rank_context

    steps = run_steps(_compare, draw(), [1] * n_draws, progress, should_stop, "experiment")
    return _experiment(settings, np.array(list(steps)).reshape(len(settings), n_repeats, -1))


def ensemble_subsets(
    y_true: ArrayLike,
    scores: Any,
    *,
    sizes: Sequence[int] | None = None,
    n_repeats: int = 200,
    pos_label: Any = None,
    random_state: Seed = None,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> EnsembleExperiment:
    """Combine random subsets of given classifiers, and compare on held-out samples.

    In each repetition the samples are split at random, with the same share of either class, and
    the classifiers are put in random order. The first M are combined for each size M by how they
    rank the first part, and evaluated by their AUC on the second. Raises what
    :func:`ensemble_experiment` raises.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,)
        Labels of samples that no classifier was trained on.
    scores : array-like of float, shape (n_samples, n_classifiers), or table, or mapping
        One column per classifier; higher means more positive.
    sizes : sequence of int, optional
        Numbers of classifiers to combine; by default every number from 1 to all.
    n_repeats : int, default=200
        At least 2.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    random_state : int, RandomState, Generator or None, default=None
        Source of randomness.
    progress, should_stop
        As for :func:`ensemble_experiment`.

    Returns
    -------
    EnsembleExperiment
        Its standard errors are of resampling the samples at hand; what another data set would
        give can be further off.

    Examples
    --------
    >>> y_true, scores = simulate_classifiers(400, [0.6, 0.7, 0.7, 0.8], random_state=1)
    >>> experiment = ensemble_subsets(y_true, scores, sizes=[1, 4], n_repeats=20, random_state=0)
    >>> experiment.auc.shape, experiment.methods[3]
    ((2, 5), 'fidel')
    >>> bool(experiment.auc[1, 3] > experiment.auc[0, 3] + 0.1)
    True
    """
    scores = positive_columns(scores, y_true, pos_label, "scores")
    _, matrix = score_matrix(scores, "scores")
    check_aligned(y_true=y_true, scores=scores)
    positive, _ = check_samples(y_true, None, pos_label, scores=matrix)
    n_all = matrix.shape[1]
    sizes = range(1, n_all + 1) if sizes is None else check_sequence(sizes, "sizes", "integers")
    sizes = [check_integer(m, "sizes", minimum=1, maximum=n_all) for m in sizes]
    if not sizes:
        raise ValueError("sizes is empty; at least one size is needed.")
    n_repeats = check_integer(n_repeats, "n_repeats", minimum=2)
    rng = check_random_state(random_state)
    check_effort(
        seconds=n_repeats * _seconds(positive.size, n_all, sizes),
        numbers=6 * (matrix.size + n_all**2) + 30 * n_repeats * len(sizes),
        n_repeats=n_repeats,
        sizes=sizes,
    )
    if min(positive.sum(), (~positive).sum()) < 2:
        raise ValueError("y_true must have at least two samples of each class, to be split.")

    def draw() -> Iterator[tuple[Any, ...]]:
        for _ in range(n_repeats):
            first = _stratified_half(positive, rng)
            yield positive, matrix, sizes, first, rng.permutation(n_all)

    steps = run_steps(
        _compare_subsets, draw(), [1] * n_repeats, progress, should_stop, "experiment"
    )
    correlation = RankEnsemble.from_scores(positive, matrix).mean_correlation
    return _experiment([(m, correlation) for m in sizes], np.array(list(steps)).swapaxes(0, 1))


def _seconds(n_samples: int, n_fits: int, sizes: Sequence[int]) -> float:
    """Estimate the seconds to fit the classifiers and evaluate ensembles of them."""
    fits = n_fits * (_SECONDS_PER_FIT + _SECONDS_PER_SCORE * n_samples)
    m = np.array(sizes, dtype=np.float64)
    ensembles = _SECONDS_PER_ENSEMBLE + _SECONDS_PER_CUBED_MEMBER * m**3
    ensembles += (_SECONDS_PER_MEMBER + _SECONDS_PER_SCORE * n_samples) * m
    return fits + float(ensembles.sum())


def _stratified_half(positive: Bools, rng: np.random.Generator) -> Bools:
    """Draw half of the samples of both classes."""
    first = np.zeros(positive.size, dtype=np.bool_)
    for members in (np.flatnonzero(positive), np.flatnonzero(~positive)):
        first[rng.permutation(members)[: round(0.5 * members.size)]] = True
    return first


def _compare(
    validation: SimulatedClassifiers, test: SimulatedClassifiers, rank_context: str
) -> Floats:
    """Compute the AUCs on test samples of ensembles fitted to validation samples."""
    ensemble = RankEnsemble.from_scores(validation.y_true, validation.scores)
    return compare_methods(ensemble, test.y_true == 1, test.scores, rank_context)


def _compare_subsets(
    positive: Bools,
    matrix: Floats,
    sizes: Sequence[int],
    first: Bools,
    order: NDArray[np.intp],
) -> Floats:
    """Compute the AUCs on the second part of the samples, one row per size."""
    ensemble = RankEnsemble.from_scores(positive[first], matrix[first])
    test = matrix[~first]
    aucs = []
    for m in sizes:
        members = order[:m]
        subset = ensemble.select(members.tolist())
        aucs.append(compare_methods(subset, positive[~first], test[:, members], "validation"))
    return np.array(aucs)


def compare_methods(
    ensemble: RankEnsemble, positive: Bools, scores: Floats, rank_context: str
) -> Floats:
    """Compute the AUCs on test samples, in the order of ``COMPARED_METHODS``."""
    base = auc_of_columns(positive, scores)
    ranks = ensemble.ranks(scores, rank_context=rank_context)
    combined = [-ranks.sum(axis=1)]  # the wisdom of crowds
    for method in ("fidel", "correlation-aware"):
        weight, _ = ensemble.weights(method)
        combined.append(round_evidence(-ranks @ weight, weight, ensemble.n_samples))
    ensembles = auc_of_columns(positive, np.column_stack(combined))
    return np.concatenate(([base[ensemble.auc.argmax()], base.mean()], ensembles))


def _experiment(settings: Sequence[tuple[int, float]], auc: Floats) -> EnsembleExperiment:
    """Average AUCs of shape (n_settings, n_repeats, n_methods) over the repetitions."""
    return EnsembleExperiment(
        n_classifiers=np.array([m for m, _ in settings], dtype=np.int64),
        correlation=np.array([c for _, c in settings]),
        methods=COMPARED_METHODS,
        auc=auc.mean(axis=1),
        standard_error=auc.std(axis=1, ddof=1) / np.sqrt(auc.shape[1]),
        n_repeats=auc.shape[1],
    )
