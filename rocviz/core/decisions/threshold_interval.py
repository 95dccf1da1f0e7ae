"""The uncertainty of a chosen threshold, and of rates and costs at it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import ceil, floor, inf, isfinite, nan, sqrt
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, logit, ndtri

from rocviz.core.base.blocks import running_totals, totals_below
from rocviz.core.base.effort import check_draws
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.normal import normal_quantile
from rocviz.core.base.progress import run_draws
from rocviz.core.base.resamples import CountedSamples
from rocviz.core.base.samples import Samples
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Seed,
    Weights,
    check_bootstrap,
    check_flag,
    check_prevalence,
)
from rocviz.core.decisions.utility import Metric, MetricLike, MetricOptions, resolve_metric
from rocviz.core.roc.auc_intervals import check_counts, has_whole_weights
from rocviz.core.roc.clustered_rates import effective_trials
from rocviz.core.roc.metrics import binomial_interval
from rocviz.core.roc.segments import RankedSegments, ranked_with_clusters

# With more thresholds, resamples choose from this many of the best, and from evenly spaced ones.
_N_BEST_THRESHOLDS = 2**15
_N_EVEN_THRESHOLDS = 2**10
_RESAMPLES_PER_TASK = 50
_MAX_TRIES = 100  # for a resample with both classes
_ONE_CLASS_ONLY = (
    "resamples hold one class only: there are too few clusters, or sample_weight sums to too "
    "little, as it says how often a sample is repeated."
)

# Resamples are smoothed where the class whose error is dearer has fewer samples, and a lower share.
_MAX_SMOOTHED_SAMPLES = 100
_MAX_SMOOTHED_SHARE = 0.25
# A ranking with fewer distinct scores, or with a tie of a larger share, is not smoothed.
_MIN_DISTINCT_SCORES = 20
_MAX_TIED_SHARE = 0.1
# Silverman's factor, and the quartiles' distance of a normal distribution in standard deviations.
_BANDWIDTH_FACTOR = 0.9
_NORMAL_QUARTILE_RANGE = 1.349


@dataclass(frozen=True)
class CorrectedRate(Frozen):
    """A rate at a threshold that the same data chose.

    Parameters
    ----------
    apparent : float
        The rate on the data, which is too high on average.
    corrected : float
        The same less its optimism.
    lower, upper : float
        Interval of the true rate at the threshold: from Wilson's lower end around the smaller of
        both to his upper end around the larger.
    """

    apparent: float
    corrected: float
    lower: float
    upper: float


@dataclass(frozen=True, eq=False)
class ThresholdInterval(Frozen):
    """The optimal threshold of a metric, with its interval and its regret.

    Made by :func:`threshold_interval`.

    Parameters
    ----------
    threshold : float
        The middle of the gap, in log odds if scores are probabilities; ``inf`` if it is best to
        predict no positives, and the lowest score if it is best to predict only positives.
    lower, upper : float
        Percentiles of the gaps that resamples choose, lower ones of their lower ends and upper ones
        of their upper ends; they hold the gap of the data, and may be infinite.
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
    gap : tuple of float
        The next lower score, and the lowest score that is predicted positive: every threshold above
        the one and up to the other gives the same predictions.
    sensitivity, specificity : CorrectedRate
        Both rates at the threshold, corrected for its choice.
    corrected_lower, corrected_upper : float
        Interval of the cost at the threshold; NaN for other metrics.
    is_smoothed : bool
        Whether the resamples of the interval are smoothed.
    metric : Metric
        The metric with its options.
    confidence : float
        Confidence level of the intervals.
    resampled : ndarray of float, shape (n_resamples, 2)
        Gap of each resample.
    """

    threshold: float
    lower: float
    upper: float
    utility: float
    corrected: float
    regret: float
    regret_upper: float
    gap: tuple[float, float]
    sensitivity: CorrectedRate
    specificity: CorrectedRate
    corrected_lower: float
    corrected_upper: float
    is_smoothed: bool
    metric: Metric
    confidence: float
    resampled: Floats

    def to_frame(self) -> DataFrame:
        """Tabulate one row.

        Columns ``threshold, lower, ..., regret_upper``, then ``sensitivity``, its correction as
        ``sensitivity_corrected`` and its interval as ``sensitivity_lower, sensitivity_upper``, the
        same of ``specificity``, and ``corrected_lower, corrected_upper``.
        """
        row = {field.name: getattr(self, field.name) for field in fields(self)[:7]}
        for name, rate in (("sensitivity", self.sensitivity), ("specificity", self.specificity)):
            row[name] = rate.apparent
            row[f"{name}_corrected"] = rate.corrected
            row[f"{name}_lower"] = rate.lower
            row[f"{name}_upper"] = rate.upper
        row["corrected_lower"] = self.corrected_lower
        row["corrected_upper"] = self.corrected_upper
        return to_frame([row])


def threshold_interval(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None = None,
    metric: MetricLike = "cost",
    *,
    sample_weight: Weights = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
    prevalence: float | None = None,
    smooth: bool | None = None,
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
    smooth : bool, optional
        Whether resamples of the interval are smoothed, so that they hold scores beyond those that
        were seen. By default where the class whose error is dearer, or either class if both cost
        the same, has fewer than 100 samples and less than a quarter of all, unless the ranking has
        fewer than 20 distinct scores or a tie of more than a tenth of the samples. Weights have to
        be whole numbers.
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

    A threshold is a gap between two scores. The interval runs from the lower ends to the upper ends
    of the gaps that resamples choose. With few samples of the class whose errors are dear,
    resamples never see a score beyond the most extreme one; there, they are drawn with normal noise
    on the scale of the normal quantiles of ranks.

    In simulations of 50 to 1,000 samples, AUCs from .8 to 1 and costs from 1 : 1 to 1 : 19, 95 %
    intervals hold the best threshold in 95 to 100 % of the data sets with 20 and more samples of
    the class whose error is dearer, in 89 % with ten, and in 80 % with three. The mean regret is a
    sixth to a third too large; the bound on it holds in 93 to 97 % of the data sets
    (``benchmarks/reviewers_coverage.py``).

    The sensitivity at a threshold that the same data chose is too high by .05 to .15 with 100 to
    300 samples, and so is the cost too low. A third of that is left after the correction, .05 to
    .06 with ten positives. In the same settings, intervals of sensitivity, specificity and cost
    hold the true values at the threshold in 93 to 98 % of the data sets; Wilson's interval of the
    apparent sensitivity does in 81 to 96 %. Costs are at a known prevalence, which need not be that
    of the data.

    References
    ----------
    Efron and Tibshirani (1993), chapter 17 (the optimism). Harrell, Lee and Mark (1996) (corrected
    estimates). Silverman and Young (1987) (smoothed resamples). Kim and Pollard (1990) (why such
    thresholds are not smooth). Rao and Scott (1992) (rates of clusters).

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
    segments, samples = ranked_with_clusters(y_true, y_score, clusters, sample_weight, pos_label)
    measure = resolve_metric(metric, **options)
    pi = None if prevalence is None else check_prevalence(prevalence)
    level, draws, rng = check_bootstrap(confidence, n_resamples, random_state)
    size = len(segments) if samples is None else samples.positive.size
    check_draws(draws, size, 10 * (draws + size), n_resamples=draws)
    check_counts(segments.pos, segments.neg)
    is_smoothed = _needs_smoothing(segments, measure) if smooth is None else False
    if smooth is not None and check_flag(smooth, "smooth"):
        if not has_whole_weights(segments.pos, segments.neg):
            raise ValueError("sample_weight must be whole numbers for smooth=True.")
        is_smoothed = True

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
    index, next_cell, utility_on_data, utility_on_resample, tpr_gain, tnr_gain = resamples.T
    if is_smoothed:
        gaps = _smoothed_gaps(segments, samples, evaluation, draws, rng)
    else:
        next_scores = np.append(segments.score[cell_starts], -inf)
        upper_edges = segments.thresholds[candidates[index.astype(np.intp)]]
        gaps = np.column_stack((next_scores[next_cell.astype(np.intp)], upper_edges))
    gap = _gap(segments, best_index)
    tail = (1 - level) / 2
    lower_edges = np.sort(gaps[:, 0])
    upper_edges = np.sort(gaps[:, 1])
    regret = np.maximum(measure.sign * (best_utility - utility_on_data), 0.0)
    corrected = float(best_utility - (utility_on_resample - utility_on_data).mean())
    tp = float(running_totals(segments.pos)[best_index])
    tn = float(totals_below(segments.neg)[best_index])
    sizes = _effective_sizes(samples, gap[1], segments)
    sensitivity = _corrected_rate(tp / segments.n_pos, float(tpr_gain.mean()), sizes[0], level)
    specificity = _corrected_rate(tn / segments.n_neg, float(tnr_gain.mean()), sizes[1], level)
    corrected_lower = corrected_upper = nan
    if measure.name == "cost":
        share = segments.prevalence if pi is None else pi
        half = normal_quantile(level) * sqrt(
            (share * measure.options["cost_fn"]) ** 2
            * _wilson_variance(sensitivity, sizes[0], level)
            + ((1 - share) * measure.options["cost_fp"]) ** 2
            * _wilson_variance(specificity, sizes[1], level)
        )
        corrected_lower = max(corrected - half, 0.0)
        corrected_upper = corrected + half
    return ThresholdInterval(
        threshold=_middle(gap, is_probability=segments.score[-1] >= 0 and segments.score[0] <= 1),
        lower=min(float(lower_edges[floor(tail * (draws - 1))]), gap[0]),
        upper=max(float(upper_edges[ceil((1 - tail) * (draws - 1))]), gap[1]),
        utility=float(best_utility),
        corrected=corrected,
        regret=float(regret.mean()),
        regret_upper=float(np.quantile(regret, level)),
        gap=gap,
        sensitivity=sensitivity,
        specificity=specificity,
        corrected_lower=corrected_lower,
        corrected_upper=corrected_upper,
        is_smoothed=is_smoothed,
        metric=measure,
        confidence=level,
        resampled=gaps,
    )


def _gap(segments: RankedSegments, index: int) -> tuple[float, float]:
    """Find the scores between which all thresholds give the same predictions."""
    lower = float(segments.score[index]) if index < len(segments) else -inf
    return lower, float(segments.thresholds[index])


def _middle(gap: tuple[float, float], *, is_probability: bool) -> float:
    """Find the middle of a gap, in log odds of probabilities; an open one has its finite end."""
    lower, upper = gap
    if not isfinite(upper) or not isfinite(lower):
        return upper
    if is_probability and lower > 0 and upper < 1:
        middle = float(expit((logit(lower) + logit(upper)) / 2))
    else:
        middle = lower + (upper - lower) / 2
    # where the scores are neighbours
    return middle if lower < middle <= upper else upper


def _needs_smoothing(segments: RankedSegments, metric: Metric) -> bool:
    """Whether few samples of the dearer class are seen, in a ranking that can be smoothed."""
    n = segments.n_samples
    largest = float((segments.pos + segments.neg).max())
    if len(segments) < _MIN_DISTINCT_SCORES or largest > _MAX_TIED_SHARE * n:
        return False
    if not has_whole_weights(segments.pos, segments.neg):
        return False
    n_dearer = min(segments.n_pos, segments.n_neg)
    if metric.name == "cost" and metric.options["cost_fn"] != metric.options["cost_fp"]:
        is_miss_dearer = metric.options["cost_fn"] > metric.options["cost_fp"]
        n_dearer = segments.n_pos if is_miss_dearer else segments.n_neg
    return n_dearer < _MAX_SMOOTHED_SAMPLES and n_dearer < _MAX_SMOOTHED_SHARE * n


class _SmoothedSamples(NamedTuple):
    """Samples on the scale of normal quantiles of ranks; arrays of shape (n_samples,)."""

    position: Floats
    positive: Bools
    bandwidth: Floats  # standard deviation of the noise
    unit: NDArray[np.intp] | None  # clusters, if there are some

    def draw(self, rng: np.random.Generator) -> tuple[Floats, Bools]:
        """Draw samples, or whole clusters, and add noise."""
        n = self.position.size
        for _ in range(_MAX_TRIES):
            if self.unit is None:
                rows = rng.integers(n, size=n)
            else:
                n_clusters = int(self.unit.max()) + 1
                times = np.bincount(rng.integers(n_clusters, size=n_clusters), minlength=n_clusters)
                rows = np.repeat(np.arange(n), times[self.unit])
            positive = self.positive[rows]
            if positive.any() and not positive.all():
                noise = rng.standard_normal(rows.size)
                return self.position[rows] + self.bandwidth[rows] * noise, positive
        raise ValueError(_ONE_CLASS_ONLY)


def _smoothed_samples(
    segments: RankedSegments, samples: Samples | None, positions: Floats
) -> _SmoothedSamples:
    """Repeat the samples by their weights, and choose the noise of each class.

    References
    ----------
    Silverman and Young (1987).
    """
    unit = None
    if samples is None or samples.unit is None:
        every = np.arange(len(segments))
        of_pos = np.repeat(every, segments.pos.astype(np.intp))
        of_neg = np.repeat(every, segments.neg.astype(np.intp))
        segment = np.concatenate((of_pos, of_neg))
        positive = np.arange(segment.size) < of_pos.size
    else:
        times = samples.w.astype(np.intp)
        segment = np.repeat(np.searchsorted(-segments.score, -samples.scores[0]), times)
        positive = np.repeat(samples.positive, times)
        unit = np.repeat(samples.unit, times)
    position = positions[segment]
    bandwidth = np.empty(position.size)
    for of_class in (positive, ~positive):
        own = position[of_class]
        quartiles = np.quantile(own, [0.25, 0.75])
        spread = min(float(own.std()), float(np.ptp(quartiles)) / _NORMAL_QUARTILE_RANGE)
        bandwidth[of_class] = _BANDWIDTH_FACTOR * spread * own.size**-0.2
    return _SmoothedSamples(position, positive, bandwidth, unit)


def _smoothed_gaps(
    segments: RankedSegments,
    samples: Samples | None,
    evaluation: _ThresholdEvaluation,
    draws: int,
    rng: np.random.Generator,
) -> Floats:
    """Find the gaps that smoothed resamples choose, shape (draws, 2)."""
    counts = segments.pos + segments.neg
    rank = totals_below(counts)[:-1] - (counts - 1) / 2  # ascending, the middle one of a tie
    positions = ndtri((rank - 0.5) / counts.sum())
    smoothed = _smoothed_samples(segments, samples, positions)
    size = smoothed.position.size
    check_draws(draws, 4 * size, 10 * (draws + size), n_resamples=draws)
    edges = run_draws(
        _best_of_smoothed, evaluation, smoothed, draws=draws, max_rows=_RESAMPLES_PER_TASK, rng=rng
    )
    scores = np.interp(edges, positions[::-1], segments.score[::-1])
    scores = np.where(edges < positions[-1], -inf, scores)
    return np.asarray(np.where(edges > positions[0], inf, scores))


def _best_of_smoothed(
    evaluation: _ThresholdEvaluation,
    smoothed: _SmoothedSamples,
    n_resamples: int,
    rng: np.random.Generator,
) -> Floats:
    """Find the gap of the best threshold of each smoothed resample, on the scale of positions."""
    gaps = np.empty((n_resamples, 2))
    for row in range(n_resamples):
        position, positive = smoothed.draw(rng)
        order = np.argsort(-position)
        ordered = positive[order]
        index = evaluation.best_index(
            evaluation.utilities(ordered.astype(np.float64), (~ordered).astype(np.float64))
        )
        edges = np.concatenate(([inf], position[order], [-inf]))
        gaps[row] = edges[index + 1], edges[index]
    return gaps


def _corrected_rate(
    apparent: float, optimism: float, size: float, confidence: float
) -> CorrectedRate:
    """Correct a rate for the choice of its threshold."""
    corrected = min(max(apparent - optimism, 0.0), 1.0)
    low = min(apparent, corrected)
    high = max(apparent, corrected)
    lower, _ = binomial_interval(low * size, size, confidence=confidence)
    _, upper = binomial_interval(high * size, size, confidence=confidence)
    return CorrectedRate(apparent, corrected, float(lower), float(upper))


def _wilson_variance(rate: CorrectedRate, size: float, confidence: float) -> float:
    """Compute the variance of a rate inside of Wilson's interval."""
    z = normal_quantile(confidence)
    return (rate.corrected * (1 - rate.corrected) + z**2 / (4 * size)) / size


def _effective_sizes(
    samples: Samples | None, lowest: float, segments: RankedSegments
) -> tuple[float, float]:
    """Count the positives and the negatives, divided by the design effects of clusters.

    References
    ----------
    Rao and Scott (1992).
    """
    if samples is None or samples.unit is None:
        return segments.n_pos, segments.n_neg
    predicted = samples.scores[0] >= lowest
    w_pos = np.where(samples.positive, samples.w, 0.0)
    w_neg = np.where(samples.positive, 0.0, samples.w)
    return (
        effective_trials(w_pos * predicted, w_pos, samples.unit),
        effective_trials(w_neg * ~predicted, w_neg, samples.unit),
    )


@dataclass(frozen=True)
class _ThresholdEvaluation:
    """Evaluation of the thresholds of a ranking."""

    metric: Metric
    prevalence: float | None

    def utilities(self, pos: Floats, neg: Floats, *, are_whole: bool = False) -> Floats:
        """Compute the metric at each threshold, from no to only predicted positives.

        Sums and differences of counts that ``are_whole`` are exact, in any order.
        """
        if self.prevalence is not None:
            neg = neg * ((1 - self.prevalence) / self.prevalence * (pos.sum() / neg.sum()))
        if are_whole and self.prevalence is None:
            tp = np.zeros(pos.size + 1)
            fp = np.zeros(neg.size + 1)
            np.cumsum(pos, out=tp[1:])
            np.cumsum(neg, out=fp[1:])
            return self.metric.at_cells(tp=tp, fp=fp, fn=tp[-1] - tp, tn=fp[-1] - fp)
        tp = running_totals(pos)
        fp = running_totals(neg)
        return self.metric.at_cells(tp=tp, fp=fp, fn=totals_below(pos), tn=totals_below(neg))

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
    """Find the best threshold of each resample.

    The columns of the result are its index, the next cell below that the resample fills, its
    utility on data and on resample, and by how much both rates are higher on the resample.
    """
    tpr_on_data = running_totals(pos) / pos.sum()
    tnr_on_data = totals_below(neg) / neg.sum()
    samples = clustered or CountedSamples(np.concatenate((pos, neg)))
    best = np.empty((n_resamples, 6))
    for row in range(n_resamples):
        new_pos, new_neg = _resample(samples, pos.size, rng)
        utilities = evaluation.utilities(new_pos, new_neg, are_whole=clustered is None)
        index = evaluation.best_index(utilities)
        below = new_pos[index:] + new_neg[index:] > 0
        next_cell = index + int(below.argmax()) if below.any() else pos.size
        tpr = new_pos[:index].sum() / new_pos.sum()
        tnr = new_neg[index:].sum() / new_neg.sum()
        best[row] = (
            index,
            next_cell,
            utilities_on_data[index],
            utilities[index],
            tpr - tpr_on_data[index],
            tnr - tnr_on_data[index],
        )
    return best


def _resample(
    samples: CountedSamples | _ClusteredSamples, n_cells: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Draw the counts of both classes in each cell, until there are samples of both.

    Counted samples are those of the positives by cell, then of the negatives.
    """
    for _ in range(_MAX_TRIES):
        if isinstance(samples, CountedSamples):
            drawn = samples.draw(rng).astype(np.float64)
            new_pos = drawn[:n_cells]
            new_neg = drawn[n_cells:]
        else:
            new_pos, new_neg = _draw_clusters(samples, n_cells, rng)
        if new_pos.any() and new_neg.any():
            return new_pos, new_neg
    raise ValueError(_ONE_CLASS_ONLY)


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
