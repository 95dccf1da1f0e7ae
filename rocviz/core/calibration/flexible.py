"""A smooth calibration curve with its band, and its distance from the diagonal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtri, expit, logit

from rocviz.core.base.effort import check_draws
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.progress import run_draws
from rocviz.core.base.validation import Floats, Seed, Weights, check_bootstrap, check_flag
from rocviz.core.calibration._logistic import fit_logistic
from rocviz.core.calibration.curve_distance import (
    curve_points,
    distance_indices,
    first_of_joined,
    joined_means,
    weighted_quantiles,
)
from rocviz.core.calibration.logistic_curve import logistic_curve
from rocviz.core.calibration.recalibration import (
    CalibrationData,
    Clustered,
    Estimate,
    are_separated,
    calibration_data,
)
from rocviz.core.roc.segments import RankedSegments

#: Samples of the rarer class that a spline needs; with fewer the curve is logistic.
MIN_SAMPLES_OF_SPLINE = 30
# Strength of the ridge on coefficients, against a sum over samples: keeps them finite.
_RIDGE = 1e-9
# Most numbers in a table of several resamples' counts.
_CELLS_PER_BATCH = 2**20
# Quantiles of Harrell's knots, by their number.
_KNOT_QUANTILES = {
    5: (0.05, 0.275, 0.5, 0.725, 0.95),
    4: (0.05, 0.35, 0.65, 0.95),
    3: (0.1, 0.5, 0.9),
}
_MAX_STEPS = 100
_TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class FlexibleCalibration(Frozen):
    """A smooth calibration curve: observed proportions against predicted probabilities.

    Made by :func:`flexible_calibration`. With fewer than 30 samples of the rarer class it is that
    of logistic recalibration.

    Parameters
    ----------
    predicted : ndarray of float, shape (n_points,)
        Predicted probabilities, increasing, from the lowest to the highest that occurs.
    observed : ndarray of float, shape (n_points,)
        Probability of a positive there, by the curve; ``nan`` where a logistic curve does not
        exist, as a threshold separates both classes.
    lower, upper : ndarray of float, shape (n_points,)
        The band; ``nan`` where the data give none, as ``reason`` says: a threshold separates both
        classes, or clusters are too few.
    ici, e50, e90 : Estimate
        Mean, median and 90 % quantile of the distance of curve and diagonal over the samples.
    knots : ndarray of float, shape (n_knots,)
        Predicted probabilities at the spline's knots; none where the curve is a straight line in
        log-odds.
    simultaneous : bool
        Whether the band contains the whole curve at once, as that of a logistic curve does, or
        each point by itself.
    confidence : float
        Confidence level of band and intervals.
    method : {"spline", "logistic"}
        How the curve was fitted.
    reason : str
        Why the curve is logistic, or has no intervals; empty otherwise.
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
    method: str
    reason: str

    def to_frame(self) -> DataFrame:
        """Tabulate one row per point: columns ``predicted, observed, lower, upper``."""
        names = ("predicted", "observed", "lower", "upper")
        return to_frame({name: getattr(self, name) for name in names})


def flexible_calibration(
    y_true: ArrayLike | RankedSegments,
    y_prob: ArrayLike | None = None,
    *,
    sample_weight: Weights = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
    simultaneous: bool = False,
    confidence: float = 0.95,
    n_resamples: int = 500,
    random_state: Seed = 0,
) -> FlexibleCalibration:
    """Fit a smooth calibration curve with a band, and its distance from the diagonal.

    The log-odds of a positive are a restricted cubic spline of the predicted log-odds; with fewer
    than 30 samples of the rarer class, a straight line.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments
        Labels of exactly two classes. Segments stand for labels, probabilities and weights.
    y_prob : array-like of float, shape (n_samples,)
        Predicted probability of the positive class, in [0, 1].
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated, with a sum of at least 1 in each class; samples of weight
        zero are left out.
    clusters : array-like, shape (n_samples,), optional
        The unit that was sampled, such as the patient of each lesion: band and intervals take whole
        clusters as independent.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    simultaneous : bool, default=False
        Whether the band is to contain the whole curve at once (after Scheffé), or each point by
        itself, as the bands of R's packages do. That of a logistic curve always contains it all.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    n_resamples : int, default=500
        Resamples for the intervals of ICI, E50 and E90 of a spline; at least 50, or 0 to leave
        them ``nan``. Those of a logistic curve need none.
    random_state : int, RandomState, Generator or None, default=0
        Source of the random numbers of the resamples.

    Raises
    ------
    ValueError
        If an argument is invalid, such as a probability outside [0, 1], or there are
        fewer than two clusters.

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

    For the spline, probabilities are first moved into [h, 1 - h] with h half a sample, so that none
    has leverage far beyond the outer knots. The band is the delta method's, in log-odds. The data
    do not show how far beyond h or 1 - h a probability is: there the band extends to 0 or to 1, and
    intervals of the indices are wider at both ends by h times the share of such predictions.

    *Few of the rarer class.* With fewer than 30 samples (or clusters with samples) of the rarer
    class a spline follows chance, and its resamples do not know it. Then the curve is the logistic
    recalibration of :func:`calibration_summary`. The interval of each index is its range over the
    confidence ellipse of intercept and slope (Scheffé, 1953), down to 0 where 0 and 1 are in the
    ellipse; the band is that of the same ellipse. No curvature can be seen so: ``method`` and
    ``reason`` say it.

    *Intervals of ICI, E50 and E90 of a spline.* Percentiles of resamples are above the true value
    for models that are nearly calibrated, because resamples add errors of their own to those of the
    data. Here the interval runs over both the percentile and the basic interval, and down to 0
    where the curve is no farther from the diagonal than ``confidence`` of the resampled curves are
    from it.

    *Coverage* of the ICI's interval at 95 %, simulated with 50 to 3,000 samples of which 9 to 499
    were of the rarer class, for calibrated, shifted, steep and curved predictions: 92 to 98 % with
    40 and more of the rarer class (splines), 94 to 100 % with fewer than 30 (logistic); E50 and E90
    cover 88 to 100 %. Percentiles cover 0 % for calibrated models. With nearly perfect scores (an
    AUC of .995) few outcomes are left open, however many samples there are: of calibrated
    predictions the indices' intervals cover 70 to 100 %; of predictions that are also twice too
    steep, so that many are moved, E90 is hardly ever covered, and a spline's band in half of the
    data sets (``benchmarks/reviewers_coverage.py``).

    References
    ----------
    Harrell (2015), section 2.4.5. Austin and Steyerberg (2019), for ICI, E50 and E90.
    Scheffé (1953). Van Calster et al. (2016).

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
    >>> flexible_calibration(y[:60], prob[:60]).method
    'logistic'
    """
    data = calibration_data(y_true, y_prob, sample_weight, clusters, pos_label)
    simultaneous = check_flag(simultaneous, "simultaneous")
    level, draws, rng = check_bootstrap(confidence, n_resamples, random_state, optional=True)
    return fit_flexible(data, simultaneous, level, draws, rng)


def fit_flexible(
    data: CalibrationData,
    simultaneous: bool,
    level: float,
    draws: int,
    rng: np.random.Generator,
) -> FlexibleCalibration:
    """Fit the curve to checked data."""
    if data.n_of_rarer_class < MIN_SAMPLES_OF_SPLINE:
        curve = logistic_curve(data, level)
        return FlexibleCalibration(
            predicted=curve.predicted,
            observed=curve.observed,
            lower=curve.lower,
            upper=curve.upper,
            ici=curve.indices[0],
            e50=curve.indices[1],
            e90=curve.indices[2],
            knots=np.empty(0),
            simultaneous=True,
            confidence=level,
            method="logistic",
            reason=curve.reason,
        )
    size = data.prob.size if data.clustered is None else data.clustered.cell.size
    check_draws(draws, size, 10 * (draws + _CELLS_PER_BATCH), n_resamples=draws)
    n = data.n
    # beyond the outer knots, log-odds far out would have leverage
    margin = 0.5 / float(n.sum())
    log_odds = np.asarray(logit(np.clip(data.prob, margin, 1 - margin)))
    knots = spline_knots(log_odds, n, 5)
    columns = spline_columns(log_odds, knots)
    slope, intercept, _ = fit_logistic(columns, data.pos / n, data.neg / n, n, _RIDGE)
    coefficients = np.append(intercept, slope)
    design = np.column_stack((np.ones(n.size), columns))
    covariance = _coefficient_covariance(data, design, coefficients)

    predicted = curve_points(data)
    moved = np.interp(predicted, data.prob, expit(log_odds))
    x = spline_columns(np.asarray(logit(moved)), knots)
    x = np.column_stack((np.ones(predicted.size), x))
    centre = x @ coefficients
    error = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", x, covariance, x), 0.0))
    width = data.quantile(level)
    if simultaneous:
        width = float(np.sqrt(chdtri(x.shape[1], 1 - level)))
    reason = ""
    if log_odds[0] == log_odds[-1]:
        reason = "All predictions are the same: one point, and no curve, can be judged."
        draws = 0
    elif are_separated(log_odds, data.pos, data.neg):
        reason = (
            "A threshold on the predictions separates both classes, so resamples cannot show how "
            "much the curve would differ."
        )
        draws = 0
    ici, e50, e90 = _distances(data, margin, design, coefficients, level, draws, rng, reason)
    return FlexibleCalibration(
        predicted=predicted,
        observed=np.asarray(expit(centre)),
        # how far beyond half a sample, the data do not show
        lower=np.where(predicted < margin, 0.0, expit(centre - width * error)),
        upper=np.where(predicted > 1 - margin, 1.0, expit(centre + width * error)),
        ici=ici,
        e50=e50,
        e90=e90,
        knots=np.asarray(expit(knots)),
        simultaneous=simultaneous,
        confidence=level,
        method="spline",
        reason=reason,
    )


def _coefficient_covariance(data: CalibrationData, design: Floats, coefficients: Floats) -> Floats:
    """Compute the covariance of the spline's coefficients, by cluster where there are any.

    Without clusters it is the inverse of Fisher's information, else the sandwich over clusters.
    """
    prob = expit(design @ coefficients)
    bend = (design * (data.n * prob * (1 - prob))[:, np.newaxis]).T @ design
    inverse = np.linalg.pinv(bend + _RIDGE * np.eye(bend.shape[0]), hermitian=True)
    if data.clustered is None:
        return np.asarray(inverse)
    score = np.array([data.clustered.sums(x * (1 - prob), -x * prob) for x in design.T])
    n_clusters = score.shape[1]
    return np.asarray(inverse @ (n_clusters / (n_clusters - 1) * score @ score.T) @ inverse)


def _distances(
    data: CalibrationData,
    margin: float,
    design: Floats,
    coefficients: Floats,
    level: float,
    draws: int,
    rng: np.random.Generator,
    reason: str,
) -> list[Estimate]:
    """Estimate ICI, E50 and E90 with intervals.

    Predictions within ``margin`` of 0 or 1 are moved, which may change their distances by as much.
    """
    fitted = np.asarray(expit(design @ coefficients))
    (value,) = distance_indices(np.abs(data.prob - fitted)[np.newaxis], data.n)
    if not draws:
        return [Estimate(float(v), reason=reason) for v in value]
    start = first_of_joined(data)
    means = joined_means(np.column_stack((design, data.prob)), data.n, start)
    joined = None
    if data.clustered is not None:
        cell = np.searchsorted(start, data.clustered.cell, side="right") - 1
        joined = data.clustered._replace(cell=cell)
    distances = run_draws(
        _of_resamples,
        means[:, :-1],
        means[:, -1],
        np.add.reduceat(data.pos, start),
        np.add.reduceat(data.neg, start),
        joined,
        coefficients,
        draws=draws,
        max_rows=max(1, _CELLS_PER_BATCH // start.size),
        rng=rng,
    )
    low, high = np.quantile(distances[:, 0], [(1 - level) / 2, (1 + level) / 2], axis=0)
    chance = np.quantile(distances[:, 1], level, axis=0)
    lower = np.where(value <= chance, 0.0, np.minimum(low, 2 * value - high))
    upper = np.maximum(high, 2 * value - low)
    is_moved = (data.prob < margin) | (data.prob > 1 - margin)
    allowance = margin * float(data.n @ is_moved) / float(data.n.sum())
    lower = lower - allowance
    upper = np.minimum(upper + allowance, 1.0)
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
    clustered: Clustered | None,
    coefficients: Floats,
    rows: int,
    rng: np.random.Generator,
) -> Floats:
    """Compute the indices of resampled curves, from the diagonal and from the data's own curve.

    The result has shape (rows, 2, 3).
    """
    cells = pos.size
    if clustered is None:
        both = np.concatenate((pos, neg))
        total = max(round(float(both.sum())), 1)
        drawn = rng.multinomial(total, both / both.sum(), size=rows).astype(np.float64)
        of_pos = drawn[:, :cells]
        of_neg = drawn[:, cells:]
    else:
        n_clusters = clustered.n_clusters
        of_pos = np.empty((rows, cells))
        of_neg = np.empty((rows, cells))
        for row in range(rows):
            drawn_clusters = rng.integers(n_clusters, size=n_clusters)
            times = np.bincount(drawn_clusters, minlength=n_clusters)[clustered.unit]
            of_pos[row] = np.bincount(clustered.cell, times * clustered.pos, cells)
            of_neg[row] = np.bincount(clustered.cell, times * clustered.neg, cells)
    fitted = expit(refit(design, of_pos, of_neg, coefficients, _RIDGE) @ design.T)
    own = expit(design @ coefficients)
    n = of_pos + of_neg
    from_diagonal = distance_indices(np.abs(prob - fitted), n)
    from_own = distance_indices(np.abs(own - fitted), n)
    return np.stack((from_diagonal, from_own), axis=1)


# ---------------------------------------------------------------------- restricted cubic splines


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
