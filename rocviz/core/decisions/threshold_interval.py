"""The uncertainty of a chosen threshold, and the cost of choosing it from few samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from math import ceil, floor
from typing import Any, Unpack

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
from rocviz.core.roc.segments import RankedSegments

# With more cuts, resamples choose from this many of the best, and from evenly spaced ones.
_BEST_CUTS, _EVEN_CUTS = 2**15, 2**10
# Resamples per task, and most tries for one with both classes.
_LOT, _TRIES = 50, 100


@dataclass(frozen=True, eq=False)
class ThresholdInterval(Frozen):
    """The optimal threshold of a metric, with its interval and its regret.

    Made by :func:`threshold_interval`.

    Parameters
    ----------
    threshold : float
        The lowest score that is predicted positive; ``inf`` if it is best to predict no positives.
    lower, upper : float
        Percentiles of the thresholds that resamples choose; they hold the threshold.
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
    y_true: ArrayLike,
    y_score: ArrayLike,
    metric: MetricLike = "cost",
    *,
    sample_weight: Weights = None,
    groups: ArrayLike | None = None,
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
    y_true : array-like, shape (n_samples,)
        Labels of exactly two classes.
    y_score : array-like of float, shape (n_samples,)
        Higher means more positive.
    metric : str, LinearFractional or callable, default="cost"
        As in :func:`resolve_metric`.
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated; samples of weight zero are left out.
    groups : array-like, shape (n_samples,), optional
        Samples of one group (one patient's, say) belong together; resamples draw whole groups.
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
        ``cost_fp``, ``cost_fn``, ``beta`` and ``zero_division``, as in :func:`resolve_metric`.

    Raises
    ------
    ValueError
        If an argument is invalid, or there are too few groups to draw both classes.

    See Also
    --------
    best_empirical_threshold : The threshold alone, and the metric at every cut.
    rocviz.RankedSegments.optimal_point : The cheapest cut, with its confusion table.

    Notes
    -----
    *When not to use it.* A threshold for probabilities that are calibrated needs no data: it is
    ``cost_fp / (cost_fp + cost_fn)``, without error. The interval is of one ranking of one kind of
    patients; that of a model that is fitted again each time is wider. If the curve is
    flat at its best, the interval is wide and the regret small: then the choice hardly matters, and
    a round number within the interval is as good.

    The best cut of a finite sample is no smooth function of it, so that theory does not promise the
    bootstrap its level. Simulated (``benchmarks/reviewers_coverage.py``: normal scores, costs of
    1 : 1 and 1 : 5), 95 % intervals cover 87 to 94 % with 30 positives, and 93 to 97 % with 90 and
    with 300. The mean regret is a sixth to a third too large; the bound on it holds in 93 to 97 %
    of the data sets. The corrected cost is closer to the truth than that on the data, and still a
    little too low.

    References
    ----------
    Efron and Tibshirani (1993), chapter 17 (the optimism). Kim and Pollard (1990) (why such cuts
    are not smooth).

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
    samples = check_scored(y_true, sample_weight, pos_label, groups, y_score=y_score)
    positive, (score,), weight, unit = samples
    measure = resolve_metric(metric, **options)
    pi = None if prevalence is None else check_prevalence(prevalence)
    level, draws, rng = check_bootstrap(confidence, n_resamples, random_state)
    check_draws(draws, score.size, 10 * (draws + score.size), n_resamples=draws)
    segments = RankedSegments.from_scores(positive, score, sample_weight=weight)
    check_counts("sample_weight", segments.pos, segments.neg)

    cuts = _Cuts(measure, pi)
    at = cuts.utilities(segments.pos, segments.neg)
    best = cuts.best(at)
    last = _cell_ends(segments, measure.sign * at)
    first = np.append(0, last[:-1])
    pos, neg = np.add.reduceat(segments.pos, first), np.add.reduceat(segments.neg, first)
    kept = np.append(0, last)  # candidate cuts
    grouped = None
    if unit is not None:
        cell = np.searchsorted(last, np.searchsorted(-segments.score, -score), side="right")
        grouped = cell, unit, samples.w * positive, samples.w * ~positive
    inputs = cuts, pos, neg, grouped, at[kept]
    draw = run_draws(_of_resamples, *inputs, draws=draws, most=_LOT, rng=rng)
    chosen = segments.thresholds[kept[draw[:, 0].astype(np.intp)]]
    ordered = np.sort(chosen)
    tail, threshold = (1 - level) / 2, float(segments.thresholds[best])
    regret = np.maximum(measure.sign * (at[best] - draw[:, 1]), 0.0)
    return ThresholdInterval(
        threshold=threshold,
        lower=min(float(ordered[floor(tail * (draws - 1))]), threshold),
        upper=max(float(ordered[ceil((1 - tail) * (draws - 1))]), threshold),
        utility=float(at[best]),
        corrected=float(at[best] - (draw[:, 2] - draw[:, 1]).mean()),
        regret=float(regret.mean()),
        regret_upper=float(np.quantile(regret, level)),
        metric=measure,
        confidence=level,
        resampled=chosen,
    )


@dataclass(frozen=True)
class _Cuts:
    """Evaluation of the cuts of a ranking."""

    metric: Metric
    prevalence: float | None

    def utilities(self, pos: Floats, neg: Floats) -> Floats:
        """Compute the metric at each cut, from no to only predicted positives."""
        if self.prevalence is not None:
            neg = neg * ((1 - self.prevalence) / self.prevalence * (pos.sum() / neg.sum()))
        above = running_totals(pos), running_totals(neg)
        return self.metric.at_cells(*above, totals_below(pos), totals_below(neg))

    def best(self, utilities: Floats) -> int:
        """Find the best cut, the highest one in a tie."""
        return int(np.argmax(self.metric.best(utilities)))


def _cell_ends(segments: RankedSegments, at: Floats) -> NDArray[np.intp]:
    """Choose the cuts, by the number of segments above each, that resamples choose from.

    The best cut of a resample is among the cuts that are good on the data.
    """
    size = len(segments)
    if size <= _BEST_CUTS:
        return np.arange(1, size + 1)
    good = np.argpartition(-at[1:], _BEST_CUTS)[:_BEST_CUTS] + 1
    total = segments.cumulative_pos + segments.cumulative_neg
    even = np.searchsorted(total, np.linspace(0, total[-1], _EVEN_CUTS + 1)[1:-1])
    return np.unique(np.concatenate((good, np.maximum(even, 1), [size])))


def _of_resamples(
    cuts: _Cuts,
    pos: Floats,
    neg: Floats,
    samples: tuple[Any, ...] | None,
    of_data: Floats,
    rows: int,
    rng: np.random.Generator,
) -> Floats:
    """Choose the best cut of each resample: the cut, its utility on the data and on the resample.

    The result has shape (rows, 3).
    """
    chosen = np.empty((rows, 3))
    for row, (of_pos, of_neg) in enumerate(_drawn(pos, neg, samples, rows, rng)):
        here = cuts.utilities(of_pos, of_neg)
        cut = cuts.best(here)
        chosen[row] = cut, of_data[cut], here[cut]
    return chosen


def _drawn(
    pos: Floats, neg: Floats, samples: tuple[Any, ...] | None, rows: int, rng: np.random.Generator
) -> Iterator[tuple[Floats, Floats]]:
    """Yield the counts of both classes in each cell, for resamples with both."""
    both, cells = np.concatenate((pos, neg)), pos.size
    total = max(round(float(both.sum())), 1)
    for _ in range(rows):
        for _ in range(_TRIES):
            if samples is None:
                drawn = rng.multinomial(total, both / both.sum()).astype(np.float64)
                sides = [drawn[:cells], drawn[cells:]]
            else:
                cell, unit, *weight = samples
                many = int(unit.max()) + 1
                times = np.bincount(rng.integers(many, size=many), minlength=many)[unit]
                sides = [
                    np.bincount(cell, times * side, cells).astype(np.float64) for side in weight
                ]
            if all(side.any() for side in sides):
                break
        else:
            raise ValueError(
                "resamples hold one class only: there are too few groups, or sample_weight sums to "
                "too little, as it says how often a sample is repeated."
            )
        yield sides[0], sides[1]
