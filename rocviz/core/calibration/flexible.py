"""A smooth calibration curve with its band, and its distance from the diagonal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import chdtri, expit, logit

from rocviz.core.base.effort import check_draws
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.normal import normal_quantile
from rocviz.core.base.progress import run_draws
from rocviz.core.base.samples import check_scored
from rocviz.core.base.validation import (
    Floats,
    Seed,
    Weights,
    check_aligned,
    check_bootstrap,
    check_flag,
    check_probabilities,
)
from rocviz.core.calibration._logistic import fit_logistic
from rocviz.core.roc.auc_intervals import check_counts
from rocviz.core.roc.segments import RankedSegments, ranked

# Strength of the ridge on coefficients, against a sum over samples: keeps them finite.
_RIDGE = 1e-9
# Most distinct probabilities in resamples; beyond that, neighbours are merged.
_MAX_CELLS = 2**10
# Most numbers in a table of several resamples' counts.
_CELLS_PER_BATCH = 2**20
# Points of the curve.
_N_POINTS = 200
# Quantiles of Harrell's knots, by their number.
_KNOT_QUANTILES = {
    5: (0.05, 0.275, 0.5, 0.725, 0.95),
    4: (0.05, 0.35, 0.65, 0.95),
    3: (0.1, 0.5, 0.9),
}
_MAX_STEPS = 100
_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Estimate(Frozen):
    """A number with its confidence interval.

    Parameters
    ----------
    value : float
    lower, upper : float
        Ends of the interval, which holds the value; ``nan`` where the data do not give them.
    """

    value: float
    lower: float = np.nan
    upper: float = np.nan

    def _phrase(self) -> str:
        return f"<{self.value:.4g}, {self.lower:.4g} to {self.upper:.4g}>"


@dataclass(frozen=True, eq=False)
class FlexibleCalibration(Frozen):
    """A smooth calibration curve: observed proportions against predicted probabilities.

    Made by :func:`flexible_calibration`.

    Parameters
    ----------
    predicted : ndarray of float, shape (n_points,)
        Predicted probabilities, increasing, from the lowest to the highest that occurs.
    observed : ndarray of float, shape (n_points,)
        Probability of a positive there, by the curve.
    lower, upper : ndarray of float, shape (n_points,)
        The band.
    ici, e50, e90 : Estimate
        Mean, median and 90 % quantile of the distance of curve and diagonal over the samples.
    knots : ndarray of float, shape (n_knots,)
        Predicted probabilities at the spline's knots; none where the curve is a straight line in
        log-odds.
    simultaneous : bool
        Whether the band holds the whole curve at once, or each point by itself.
    confidence : float
        Confidence level of band and intervals.
    """

    predicted: Floats
    observed: Floats
    lower: Floats
    upper: Floats
    ici: Estimate
    e50: Estimate
    e90: Estimate
    knots: Floats
    simultaneous: bool
    confidence: float

    def to_frame(self) -> DataFrame:
        """Tabulate one row per point: columns ``predicted, observed, lower, upper``."""
        names = ("predicted", "observed", "lower", "upper")
        return to_frame({name: getattr(self, name) for name in names})


def flexible_calibration(
    y_true: ArrayLike | RankedSegments,
    y_prob: ArrayLike | None = None,
    *,
    sample_weight: Weights = None,
    groups: ArrayLike | None = None,
    pos_label: Any = None,
    simultaneous: bool = False,
    confidence: float = 0.95,
    n_resamples: int = 500,
    random_state: Seed = 0,
) -> FlexibleCalibration:
    """Fit a smooth calibration curve with a band, and its distance from the diagonal.

    The log-odds of a positive are a restricted cubic spline of the predicted log-odds.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments
        Labels of exactly two classes. Segments stand for labels, probabilities and weights.
    y_prob : array-like of float, shape (n_samples,)
        Predicted probability of the positive class, in [0, 1].
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated; samples of weight zero are left out.
    groups : array-like, shape (n_samples,), optional
        Samples of one group (one patient's, say) belong together: band and resamples take whole
        groups as units.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    simultaneous : bool, default=False
        Whether the band is to hold the whole curve at once (after Scheffé), or each point by
        itself, as the bands of R's packages do.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    n_resamples : int, default=500
        Resamples for the intervals of ICI, E50 and E90; at least 50, or 0 to leave them ``nan``.
    random_state : int, RandomState, Generator or None, default=0
        Source of the random numbers of the resamples.

    Raises
    ------
    ValueError
        If an argument is invalid, such as a probability outside [0, 1], or there are
        fewer than two groups.

    See Also
    --------
    calibration_summary : Intercept, slope and these indices in one table.
    rocviz.core.comparison.calibration_error : The distance from the hull, without a choice of
        knots.

    Notes
    -----
    *When not to use it.* With fewer than about 200 samples of the rarer class the curve follows
    chance (Van Calster et al., 2016); then slope and intercept are all that data say. A spline
    is smooth, and it has five knots at Harrell's quantiles of the predictions, or fewer where these
    are not distinct: it rounds off the steps of a tree or a scoring list, for which
    :class:`rocviz.ReliabilityDisplay` draws what was observed at each score. Beyond the outer knots
    it is a straight line in log-odds. ICI is above 0 for perfect predictions too, by chance: judge
    it by its interval.

    *Why splines.* Loess, the other common choice, needs a span, leaves [0, 1], takes time in
    proportion to the square of the number of samples and has no weights of repetition; splines in
    log-odds need knots, stay within [0, 1] and contain logistic recalibration. Austin and
    Steyerberg (2019) define ICI by loess; both give nearly the same.

    Probabilities are first moved into [h, 1 - h] with h half a sample, so that log-odds are finite.
    The band is the delta method's, in log-odds.

    *Intervals of ICI, E50 and E90.* Percentiles of resamples are above the true value for models
    that are nearly calibrated, because resamples add errors of their own to those of the data.
    Here the interval runs over both the percentile and the basic interval, and down to 0
    where the curve is no farther from the diagonal than ``confidence`` of the resampled curves are
    from it. Simulated with 300 samples and more it covers 92 to 98 % for a level of 95 %, with 100
    samples 90 %; percentiles cover 0 % for calibrated models.

    References
    ----------
    Harrell (2015), section 2.4.5. Austin and Steyerberg (2019), for ICI, E50 and E90.
    Van Calster et al. (2016).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> prob = rng.beta(1, 2, 1000)
    >>> y = rng.random(1000) < prob**1.5
    >>> curve = flexible_calibration(y, prob)
    >>> round(curve.ici.value, 3), round(curve.ici.lower, 3), round(curve.ici.upper, 3)
    (0.101, 0.077, 0.125)
    >>> curve.to_frame().round(2).iloc[100].to_dict()
    {'predicted': 0.19, 'observed': 0.07, 'lower': 0.05, 'upper': 0.11}
    """
    data = calibration_data(y_true, y_prob, sample_weight, groups, pos_label)
    simultaneous = check_flag(simultaneous, "simultaneous")
    level, draws, rng = check_bootstrap(confidence, n_resamples, random_state, optional=True)
    return fit_flexible(data, simultaneous, level, draws, rng)


class Grouped(NamedTuple):
    """Samples that have groups; arrays of shape (n_samples,)."""

    cell: NDArray[np.intp]  # index of their distinct probability
    unit: NDArray[np.intp]  # group, numbered from 0
    pos: Floats  # weight as positive
    neg: Floats  # weight as negative

    def sums(self, of_pos: Floats, of_neg: Floats) -> Floats:
        """Sum over each group a value of the positives, and one of the negatives, of each cell."""
        value = self.pos * of_pos[self.cell] + self.neg * of_neg[self.cell]
        return np.asarray(np.bincount(self.unit, value), dtype=np.float64)


class CalibrationData(NamedTuple):
    """Checked data: counts of each distinct probability, and the samples where they have groups."""

    prob: Floats  # (n_cells,): increasing
    log_odds: Floats  # (n_cells,): of the probability moved into [h, 1 - h]
    pos: Floats  # (n_cells,): weight of either class
    neg: Floats
    grouped: Grouped | None

    def variance_of_sum(self, of_pos: Floats, of_neg: Floats) -> float:
        """Estimate the variance of a sum over samples, to which they add these values by cell."""
        if self.grouped is None:
            return float(self.pos @ of_pos**2 + self.neg @ of_neg**2)
        total = self.grouped.sums(of_pos, of_neg)
        return float(total @ total) * total.size / (total.size - 1)


def calibration_data(
    y_true: ArrayLike | RankedSegments,
    y_prob: ArrayLike | None,
    sample_weight: Weights,
    groups: ArrayLike | None,
    pos_label: Any,
) -> CalibrationData:
    """Check data and count both classes at each distinct probability."""
    check_aligned(y_true=y_true, y_prob=y_prob, sample_weight=sample_weight, groups=groups)
    segments = ranked(y_true, y_prob, sample_weight, pos_label, "y_prob", check_probabilities)
    prob = segments.score[::-1]
    pos = segments.pos[::-1]
    neg = segments.neg[::-1]
    check_counts(pos, neg)
    margin = min(0.25, 0.5 / segments.n_samples)
    log_odds = np.asarray(logit(np.clip(prob, margin, 1 - margin)))
    if groups is None:
        return CalibrationData(prob, log_odds, pos, neg, None)
    if isinstance(y_true, RankedSegments) or y_prob is None:
        raise ValueError("groups can only be given with labels; segments do not know samples.")
    samples = check_scored(
        y_true, sample_weight, pos_label, groups, unit_name="groups", y_prob=y_prob
    )
    positive, (score,), _, unit = samples
    if unit is None or unit.max() == 0:
        raise ValueError("groups must have at least two different values.")
    cell = np.searchsorted(segments.score[::-1], score)
    grouped = Grouped(cell, unit, samples.w * positive, samples.w * ~positive)
    return CalibrationData(prob, log_odds, pos, neg, grouped)


def fit_flexible(
    data: CalibrationData,
    simultaneous: bool,
    level: float,
    draws: int,
    rng: np.random.Generator,
) -> FlexibleCalibration:
    """Fit the curve to checked data."""
    size = data.prob.size if data.grouped is None else data.grouped.cell.size
    check_draws(draws, size, 10 * (draws + _CELLS_PER_BATCH), n_resamples=draws)
    n = data.pos + data.neg
    knots = spline_knots(data.log_odds, n, 5)
    columns = spline_columns(data.log_odds, knots)
    slope, intercept, _ = fit_logistic(columns, data.pos / n, data.neg / n, n, _RIDGE)
    coefficients = np.append(intercept, slope)
    design = np.column_stack((np.ones(n.size), columns))
    covariance = coefficient_covariance(data, design, coefficients, _RIDGE)

    even = np.linspace(data.prob[0], data.prob[-1], _N_POINTS + 1)
    quantiles = weighted_quantiles(data.prob, n, np.linspace(0, 1, _N_POINTS + 1))
    predicted = np.unique(np.concatenate((even, quantiles)))
    moved = np.interp(predicted, data.prob, expit(data.log_odds))
    x = spline_columns(np.asarray(logit(moved)), knots)
    x = np.column_stack((np.ones(predicted.size), x))
    centre = x @ coefficients
    error = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", x, covariance, x), 0.0))
    width = normal_quantile(level)
    if simultaneous:
        width = float(np.sqrt(chdtri(x.shape[1], 1 - level)))
    ici, e50, e90 = _distances(data, design, coefficients, level, draws, rng)
    return FlexibleCalibration(
        predicted=predicted,
        observed=np.asarray(expit(centre)),
        lower=np.asarray(expit(centre - width * error)),
        upper=np.asarray(expit(centre + width * error)),
        ici=ici,
        e50=e50,
        e90=e90,
        knots=np.asarray(expit(knots)),
        simultaneous=simultaneous,
        confidence=level,
    )


def coefficient_covariance(
    data: CalibrationData, design: Floats, coefficients: Floats, ridge: float = 0.0
) -> Floats:
    """Compute the covariance of logistic regression's coefficients, by group where there are any.

    Without groups it is the inverse of Fisher's information, else the sandwich over groups.
    """
    prob = expit(design @ coefficients)
    n = data.pos + data.neg
    bend = (design * (n * prob * (1 - prob))[:, np.newaxis]).T @ design
    inverse = np.linalg.pinv(bend + ridge * np.eye(bend.shape[0]), hermitian=True)
    if data.grouped is None:
        return np.asarray(inverse)
    score = np.array([data.grouped.sums(x * (1 - prob), -x * prob) for x in design.T])
    n_groups = score.shape[1]
    return np.asarray(inverse @ (n_groups / (n_groups - 1) * score @ score.T) @ inverse)


def _indices(gap: Floats, n: Floats) -> Floats:
    """Compute mean, median and 90 % quantile of the distances of cells."""
    order = np.argsort(gap, kind="stable")
    has_weight = n[order] > 0
    order = order[has_weight]
    quantiles = weighted_quantiles(gap[order], n[order], (0.5, 0.9))
    return np.append(n @ gap / n.sum(), quantiles)


def _distances(
    data: CalibrationData,
    design: Floats,
    coefficients: Floats,
    level: float,
    draws: int,
    rng: np.random.Generator,
) -> list[Estimate]:
    """Estimate ICI, E50 and E90 with intervals."""
    fitted = np.asarray(expit(design @ coefficients))
    value = _indices(np.abs(data.prob - fitted), data.pos + data.neg)
    if not draws:
        return [Estimate(float(v)) for v in value]
    # neighbours share a cell, which bounds the time
    start = np.arange(data.prob.size)
    if start.size > _MAX_CELLS:
        places = np.cumsum(data.pos + data.neg)
        start = np.searchsorted(places, np.linspace(0, places[-1], _MAX_CELLS + 1)[:-1], "right")
        start = np.unique(start)
    pos = np.add.reduceat(data.pos, start)
    neg = np.add.reduceat(data.neg, start)
    n = data.pos + data.neg
    means = np.column_stack((design, data.prob)) * n[:, np.newaxis]
    means = np.add.reduceat(means, start, axis=0) / (pos + neg)[:, np.newaxis]
    joined = None
    if data.grouped is not None:
        cell = np.searchsorted(start, data.grouped.cell, side="right") - 1
        joined = data.grouped._replace(cell=cell)
    distances = run_draws(
        _of_resamples,
        means[:, :-1],
        means[:, -1],
        pos,
        neg,
        joined,
        coefficients,
        draws=draws,
        max_rows=max(1, _CELLS_PER_BATCH // start.size),
        rng=rng,
    )
    low, high = np.quantile(distances[:, 0], [(1 - level) / 2, (1 + level) / 2], axis=0)
    chance = np.quantile(distances[:, 1], level, axis=0)
    lower = np.where(value <= chance, 0.0, np.minimum(low, 2 * value - high))
    upper = np.minimum(np.maximum(high, 2 * value - low), 1.0)
    # the interval includes the estimate, even if all resamples are on one side of it
    lower = np.clip(lower, 0.0, value)
    upper = np.maximum(upper, value)
    intervals = np.column_stack((value, lower, upper)).tolist()
    return [Estimate(*interval) for interval in intervals]


def _of_resamples(
    design: Floats,
    prob: Floats,
    pos: Floats,
    neg: Floats,
    grouped: Grouped | None,
    coefficients: Floats,
    rows: int,
    rng: np.random.Generator,
) -> Floats:
    """Compute the indices of resampled curves, from the diagonal and from the data's own curve.

    The result has shape (rows, 2, 3).
    """
    cells = pos.size
    if grouped is None:
        both = np.concatenate((pos, neg))
        total = max(round(float(both.sum())), 1)
        drawn = rng.multinomial(total, both / both.sum(), size=rows).astype(np.float64)
        of_pos = drawn[:, :cells]
        of_neg = drawn[:, cells:]
    else:
        n_groups = int(grouped.unit.max()) + 1
        of_pos = np.empty((rows, cells))
        of_neg = np.empty((rows, cells))
        for row in range(rows):
            drawn_groups = rng.integers(n_groups, size=n_groups)
            times = np.bincount(drawn_groups, minlength=n_groups)[grouped.unit]
            of_pos[row] = np.bincount(grouped.cell, times * grouped.pos, cells)
            of_neg[row] = np.bincount(grouped.cell, times * grouped.neg, cells)
    fitted = expit(refit(design, of_pos, of_neg, coefficients, _RIDGE) @ design.T)
    own = expit(design @ coefficients)
    indices = np.empty((rows, 2, 3))
    for row, (curve, n) in enumerate(zip(fitted, of_pos + of_neg, strict=True)):
        indices[row, 0] = _indices(np.abs(prob - curve), n)
        indices[row, 1] = _indices(np.abs(own - curve), n)
    return indices


# ---------------------------------------------------------------------- restricted cubic splines


def weighted_quantiles(x: Floats, n: Floats, shares: Floats | tuple[float, ...]) -> Floats:
    """Compute NumPy's default quantiles of increasing values, each repeated ``n`` times.

    Examples
    --------
    >>> weighted_quantiles(np.array([1.0, 2.0, 4.0]), np.array([2.0, 1.0, 1.0]), (0.5, 0.9))
    array([1.5, 3.4])
    """
    last = np.cumsum(n)
    place = np.asarray(shares) * max(last[-1] - 1, 0.0)
    whole = np.floor(place + 1e-9)  # tolerate rounding of sums

    def value_at(place: Floats) -> Floats:
        index = np.searchsorted(last, place * (1 + 1e-12), side="right")
        return x[np.minimum(index, x.size - 1)]

    low = value_at(whole)
    high = value_at(whole + 1)
    return np.asarray(low + np.maximum(place - whole, 0.0) * (high - low))


def spline_knots(x: Floats, n: Floats, max_knots: int) -> Floats:
    """Place knots at Harrell's quantiles; fewer if these are not distinct.

    There are none where three would not be distinct: the spline is a straight line then. ``x`` are
    distinct, and at least as many as knots.
    """
    for n_knots in range(min(max_knots, x.size), 2, -1):
        knots = np.unique(weighted_quantiles(x, n, _KNOT_QUANTILES[n_knots]))
        if knots.size == n_knots:
            return knots
    return np.empty(0)


def spline_columns(x: Floats, knots: Floats) -> Floats:
    """Compute the columns of a restricted cubic spline: the value itself first.

    Cubic between knots, straight beyond the outer ones (Harrell, 2015, equation 2.25), each divided
    by the squared distance of the outer knots. Shape (n, n_knots - 1), or (n, 1) without knots.
    """
    columns = [x]
    if knots.size:
        first = knots[0]
        before, last = knots[-2:]
        cube = [np.maximum(x - knot, 0.0) ** 3 for knot in knots]
        for j, knot in enumerate(knots[:-2]):
            straight = cube[-2] * (last - knot) - cube[-1] * (before - knot)
            columns.append((cube[j] - straight / (last - before)) / (last - first) ** 2)
    return np.column_stack(columns)


def refit(design: Floats, pos: Floats, neg: Floats, start: Floats, ridge: float) -> Floats:
    """Fit a logistic regression to each row of counts, from the same start.

    ``design`` has shape (n_cells, n_columns), the first column constant; ``pos`` and ``neg`` have
    shape (n_fits, n_cells). ``ridge`` penalises squares of all coefficients but the first. The
    result has shape (n_fits, n_columns).
    """
    n_columns = design.shape[1]
    penalty = np.full(n_columns, ridge)
    penalty[0] = 0.0
    products = np.einsum("ci,cj->cij", design, design).reshape(design.shape[0], -1)
    n = pos + neg
    coefficients = np.tile(start, (pos.shape[0], 1))
    todo = np.arange(pos.shape[0])
    for _ in range(_MAX_STEPS):
        now = coefficients[todo]
        prob = expit(now @ design.T)
        gradient = (pos[todo] - n[todo] * prob) @ design - penalty * now
        bend = ((n[todo] * prob * (1 - prob)) @ products).reshape(-1, n_columns, n_columns)
        bend += np.diag(penalty + 1e-12)  # keeps a resample with one class from being singular
        step = np.linalg.solve(bend, gradient[:, :, np.newaxis])[:, :, 0]
        # where probabilities saturate full steps would diverge
        change = np.abs(step @ design.T).max(axis=1)
        coefficients[todo] = now + step / np.maximum(change / 3, 1.0)[:, np.newaxis]
        is_moving = change > _TOLERANCE
        todo = todo[is_moving]
        if not todo.size:
            break
    return coefficients
