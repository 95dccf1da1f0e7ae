"""The uncertainty of a chosen threshold, and the cost of choosing it from few samples."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import ceil, floor
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.blocks import running_totals, totals_below
from rocviz.core.base.effort import check_draws
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.progress import run_draws
from rocviz.core.base.samples import check_scored
from rocviz.core.base.validation import Floats, Seed, Weights, check_bootstrap, check_prevalence
from rocviz.core.decisions.utility import Metric, MetricLike, MetricOptions, resolve_metric
from rocviz.core.roc.auc_intervals import check_counts
from rocviz.core.roc.segments import RankedSegments, ranked

# With more thresholds, resamples choose from this many of the best, and from evenly spaced ones.
_N_BEST_THRESHOLDS = 2**15
_N_EVEN_THRESHOLDS = 2**10
_RESAMPLES_PER_TASK = 50
_MAX_TRIES = 100  # for a resample with both classes


@dataclass(frozen=True, eq=False)
class ThresholdInterval(Frozen):
    """The optimal threshold of a metric, with its interval and its regret.

    Made by :func:`threshold_interval`.

    Parameters
    ----------
    threshold : float
        The lowest score that is predicted positive; ``inf`` if it is best to predict no positives.
    lower, upper : float
        Percentiles of the thresholds that resamples choose; the threshold lies between them.
    utility : float
        The metric at the threshold on the data, which chose it and flatter it; of ``"cost"`` the
        mean cost.
    corrected : float
        The same less its optimism: how much better the metric is on average on the resample that
        chooses a threshold than on the data. An estimate of what the threshold will give on new
        samples.
    regret : float
        How much worse the metric of the data is, on average, at the threshold of a resample than at
        the best: what new samples are expected to lose because the threshold came from a sample.
    regret_upper : float
        Below this is the regret of a share ``confidence`` of the resamples.
    metric : Metric
        The metric with its options.
    confidence : float
        Confidence level of the interval.
    resampled : ndarray of float, shape (n_resamples,)
        Threshold of each resample.
    """

    threshold: float
    lower: float
    upper: float
    utility: float
    corrected: float
    regret: float
    regret_upper: float
    metric: Metric
    confidence: float
    resampled: Floats

    def to_frame(self) -> DataFrame:
        """Tabulate one row: columns ``threshold, lower, ..., regret_upper``."""
        return to_frame([{field.name: getattr(self, field.name) for field in fields(self)[:7]}])


def threshold_interval(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None = None,
    metric: MetricLike = "cost",
    *,
    sample_weight: Weights = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
    prevalence: float | None = None,
    confidence: float = 0.95,
    n_resamples: int = 1000,
    random_state: Seed = 0,
    **options: Unpack[MetricOptions],
) -> ThresholdInterval:
    """Compute the best threshold for costs or a metric, with its interval and its regret.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments
        Labels of exactly two classes. Segments stand for labels, scores and weights.
    y_score : array-like of float, shape (n_samples,)
        Higher means more positive.
    metric : str, LinearFractional or callable, default="cost"
        As in :func:`resolve_metric`.
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated; samples of weight zero are left out.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) belong together; resamples draw whole clusters.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    prevalence : float, optional
        Prevalence where the threshold is used, from 1e-9 to 1 - 1e-9, taken as known; by default
        that of the data.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    n_resamples : int, default=1000
        At least 50.
    random_state : int, RandomState, Generator or None, default=0
        Source of the random numbers of the resamples.
    **options
        Of the metric, and ``zero_division``, as in :func:`resolve_metric`.

    Raises
    ------
    ValueError
        If an argument is invalid, or there are too few clusters to draw both classes.

    See Also
    --------
    best_empirical_threshold : The threshold alone, and the metric at every threshold.
    rocviz.RankedSegments.optimal_point : The cost-optimal threshold, with its confusion table.

    Notes
    -----
    *When not to use it.* A threshold for probabilities that are calibrated needs no data: it is
    ``cost_fp / (cost_fp + cost_fn)``, without error. The interval is of one ranking of one kind of
    patients; that of a model that is fitted again each time is wider. If the curve is
    flat at its best, the interval is wide and the regret small: then the choice hardly matters, and
    a round number within the interval is as good.

    The best threshold of a finite sample is no smooth function of it, so that theory does not
    promise the bootstrap its level. Simulated (``benchmarks/reviewers_coverage.py``: normal scores,
    costs of
    1 : 1 and 1 : 5), 95 % intervals cover 87 to 94 % with 30 positives, and 93 to 97 % with 90 and
    with 300. The mean regret is a sixth to a third too large; the bound on it holds in 93 to 97 %
    of the data sets. The corrected cost is closer to the truth than that on the data, and still a
    little too low.

    References
    ----------
    Efron and Tibshirani (1993), chapter 17 (the optimism). Kim and Pollard (1990) (why such
    thresholds are not smooth).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(400) < 0.3
    >>> score = rng.normal(1.2 * y)
    >>> interval = threshold_interval(y, score, cost_fp=1, cost_fn=5, n_resamples=200)
    >>> interval.lower < interval.threshold < interval.upper
    True
    >>> bool(0 < interval.regret < interval.regret_upper)
    True
    """
    segments = ranked(y_true, y_score, sample_weight, pos_label)
    samples = None
    if clusters is not None:
        if isinstance(y_true, RankedSegments) or y_score is None:
            raise ValueError(
                "clusters can only be given with labels; segments do not know samples."
            )
        samples = check_scored(y_true, sample_weight, pos_label, clusters, y_score=y_score)
    measure = resolve_metric(metric, **options)
    pi = None if prevalence is None else check_prevalence(prevalence)
    level, draws, rng = check_bootstrap(confidence, n_resamples, random_state)
    size = len(segments) if samples is None else samples.positive.size
    check_draws(draws, size, 10 * (draws + size), n_resamples=draws)
    check_counts(segments.pos, segments.neg)

    evaluation = _ThresholdEvaluation(measure, pi)
    utilities = evaluation.utilities(segments.pos, segments.neg)
    best_index = evaluation.best_index(utilities)
    best_utility = utilities[best_index]
    cell_ends = _cell_ends(segments, measure.sign * utilities)
    cell_starts = np.append(0, cell_ends[:-1])
    candidates = np.append(0, cell_ends)  # indices of thresholds
    clustered = None
    if samples is not None and samples.unit is not None:
        segment = np.searchsorted(-segments.score, -samples.scores[0])
        cell = np.searchsorted(cell_ends, segment, side="right")
        clustered = _ClusteredSamples(
            cell, samples.unit, samples.w * samples.positive, samples.w * ~samples.positive
        )
    resamples = run_draws(
        _best_of_resamples,
        evaluation,
        np.add.reduceat(segments.pos, cell_starts),
        np.add.reduceat(segments.neg, cell_starts),
        clustered,
        utilities[candidates],
        draws=draws,
        max_rows=_RESAMPLES_PER_TASK,
        rng=rng,
    )
    index, utility_on_data, utility_on_resample = resamples.T
    resampled = segments.thresholds[candidates[index.astype(np.intp)]]
    ordered = np.sort(resampled)
    tail = (1 - level) / 2
    threshold = float(segments.thresholds[best_index])
    regret = np.maximum(measure.sign * (best_utility - utility_on_data), 0.0)
    return ThresholdInterval(
        threshold=threshold,
        lower=min(float(ordered[floor(tail * (draws - 1))]), threshold),
        upper=max(float(ordered[ceil((1 - tail) * (draws - 1))]), threshold),
        utility=float(best_utility),
        corrected=float(best_utility - (utility_on_resample - utility_on_data).mean()),
        regret=float(regret.mean()),
        regret_upper=float(np.quantile(regret, level)),
        metric=measure,
        confidence=level,
        resampled=resampled,
    )


@dataclass(frozen=True)
class _ThresholdEvaluation:
    """Evaluation of the thresholds of a ranking."""

    metric: Metric
    prevalence: float | None

    def utilities(self, pos: Floats, neg: Floats) -> Floats:
        """Compute the metric at each threshold, from no to only predicted positives."""
        if self.prevalence is not None:
            neg = neg * ((1 - self.prevalence) / self.prevalence * (pos.sum() / neg.sum()))
        return self.metric.at_cells(
            tp=running_totals(pos),
            fp=running_totals(neg),
            fn=totals_below(pos),
            tn=totals_below(neg),
        )

    def best_index(self, utilities: Floats) -> int:
        """Find the best threshold, the highest one in a tie."""
        return int(np.argmax(self.metric.best(utilities)))


class _ClusteredSamples(NamedTuple):
    """Samples whose clusters are drawn as a whole: cell of the ranking, cluster, class weights."""

    cell: NDArray[np.intp]
    unit: NDArray[np.intp]
    pos_weight: Floats
    neg_weight: Floats


def _cell_ends(segments: RankedSegments, utilities: Floats) -> NDArray[np.intp]:
    """Choose the thresholds, by the number of segments above, that resamples choose from.

    The best threshold of a resample is among those that are good on the data.
    """
    size = len(segments)
    if size <= _N_BEST_THRESHOLDS:
        return np.arange(1, size + 1)
    good = np.argpartition(-utilities[1:], _N_BEST_THRESHOLDS)[:_N_BEST_THRESHOLDS] + 1
    total = segments.cumulative_pos + segments.cumulative_neg
    even = np.searchsorted(total, np.linspace(0, total[-1], _N_EVEN_THRESHOLDS + 1)[1:-1])
    return np.unique(np.concatenate((good, np.maximum(even, 1), [size])))


def _best_of_resamples(
    evaluation: _ThresholdEvaluation,
    pos: Floats,
    neg: Floats,
    clustered: _ClusteredSamples | None,
    utilities_on_data: Floats,
    n_resamples: int,
    rng: np.random.Generator,
) -> Floats:
    """Find the best threshold of each resample: its index, its utility on data and on resample.

    The result has shape (n_resamples, 3).
    """
    best = np.empty((n_resamples, 3))
    for row in range(n_resamples):
        utilities = evaluation.utilities(*_resample(pos, neg, clustered, rng))
        index = evaluation.best_index(utilities)
        best[row] = index, utilities_on_data[index], utilities[index]
    return best


def _resample(
    pos: Floats, neg: Floats, clustered: _ClusteredSamples | None, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Draw the counts of both classes in each cell, until there are samples of both."""
    for _ in range(_MAX_TRIES):
        if clustered is None:
            new_pos, new_neg = _draw_counts(pos, neg, rng)
        else:
            new_pos, new_neg = _draw_clusters(clustered, pos.size, rng)
        if new_pos.any() and new_neg.any():
            return new_pos, new_neg
    raise ValueError(
        "resamples hold one class only: there are too few clusters, or sample_weight sums to "
        "too little, as it says how often a sample is repeated."
    )


def _draw_counts(pos: Floats, neg: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Draw as many samples as there are, independently."""
    counts = np.concatenate((pos, neg))
    total = counts.sum()
    drawn = rng.multinomial(max(round(float(total)), 1), counts / total).astype(np.float64)
    return drawn[: pos.size], drawn[pos.size :]


def _draw_clusters(
    clustered: _ClusteredSamples, n_cells: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Draw as many whole clusters as there are, with replacement."""
    n_clusters = int(clustered.unit.max()) + 1
    draws = np.bincount(rng.integers(n_clusters, size=n_clusters), minlength=n_clusters)
    times = draws[clustered.unit]
    pos = np.bincount(clustered.cell, times * clustered.pos_weight, n_cells)
    neg = np.bincount(clustered.cell, times * clustered.neg_weight, n_cells)
    return pos.astype(np.float64), neg.astype(np.float64)
