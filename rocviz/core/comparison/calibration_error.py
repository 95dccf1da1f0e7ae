"""The calibration error of probabilities without bins, and a test of calibration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression

from rocviz.core.base.classes import ClassSamples
from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.normal import normal_quantile
from rocviz.core.base.progress import run_draws
from rocviz.core.base.samples import check_scored
from rocviz.core.base.validation import Bools, Floats, Seed, check_bootstrap, check_probabilities
from rocviz.core.roc.auc_variance import MAX_WEIGHT_OF_ONE_SAMPLE, variance_of_mean

# Of a set of random labels.
_SECONDS_PER_DRAW = 5e-6
_SECONDS_PER_SAMPLE = 4e-8
# For the lower end of an interval.
_N_FOLDS = 10
_DRAWS_PER_TASK = 25
_LABELS_PER_BLOCK = 2**14  # their table fits the cache
# Errors within this ratio of each other are equal up to rounding.
_ERROR_TOLERANCE = 1e-9
# Labels are 0 and 1; where their differences from probabilities change signs, between -1 and 2.
_LIFT = 4.0


@dataclass(frozen=True)
class CalibrationError(Frozen):
    """Root mean squared difference between the probabilities and those of the hull.

    Parameters
    ----------
    error : float
        Root of the miscalibration, from 0 to 1.
    lower, upper : float
        Ends of the interval, which holds the error. Where predictions of 0 and 1 are all right, the
        upper end is Clopper and Pearson's for the share of wrong ones.
    p_value : float
        How often data drawn from the probabilities themselves have an error as large, and with
        clusters data whose differences from the probabilities have other signs, if that is more
        often; ``nan`` without such draws.
    confidence : float
        Confidence level of the interval.
    """

    error: float
    lower: float
    upper: float
    p_value: float
    confidence: float


def calibration_error(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
    confidence: float = 0.95,
    n_resamples: int = 500,
    random_state: Seed = 0,
) -> CalibrationError:
    """Compute the calibration error of probabilities, its interval, and a test of calibration.

    No bins are needed, because the hull pools neighbours just until their order is right. For the
    same reason the error is above zero even for true probabilities: the p-value says whether it can
    be chance, and the interval is of the error that is left with ever more data.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,)
        Labels of exactly two classes.
    y_prob : array-like of float, shape (n_samples,)
        In [0, 1].
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated; samples of weight zero are left out.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster belong together; standard errors are those of sums over clusters, and
        folds hold whole clusters. The p-value is the larger of two: of labels by chance, which are
        drawn for each sample by itself, and of differences between labels and probabilities whose
        signs are changed at random, those of a cluster together.
    pos_label : label, optional
        The positive class.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    n_resamples : int, default=500
        Number of times that labels are drawn by chance, for the p-value; at least 50.
    random_state : int, RandomState, Generator or None, default=0
        Source of the random numbers of folds and labels.

    Raises
    ------
    ValueError
        If an argument is invalid, such as a probability outside [0, 1].

    See Also
    --------
    rocviz.core.calibration.calibration_summary : Slope, intercept and the distance from a smooth
        curve.

    Notes
    -----
    *When not to use it.* The error does not say in which direction predictions are wrong: look at
    :class:`rocviz.ReliabilityDisplay`. A ranking that falls where it should rise has part of its
    error in the refinement, since the hull cannot fall.

    *The interval.* With h the best increasing function of the predictions, the squared error of the
    population is what h gains over the predictions in the Brier score. On the data no increasing
    function gains more than the hull, h included, so that the hull's mean gain and so many of its
    standard errors more is an upper bound. The hull of nine tenths of the data gains no more
    than h on the last tenth, on average, so that its mean gain less so many standard errors is a
    lower bound. Both hold for any law of the data, but for the normal distribution of means, and
    the coverage is at least as stated. The error lies between them: on its tenth the hull of
    the other nine gains no more than the hull of all.

    *The p-value of clusters.* In simulations of calibrated predictions for 50 to 1,000 patients of
    four rows, tests at a level of 5 % reject in 0 to 13 % of the data sets; labels by chance alone
    would reject in up to 60 %.

    The bootstrap does not do this, since resamples add errors of their own. In simulations with 100
    to 1,000 predictions, calibrated or nearly so, percentiles and basic intervals covered 0 to 2 %
    for a level of 95 %; those here covered 98 % and more. They are wide for that.

    References
    ----------
    Dimitriadis, Gneiting and Jordan (2021). Cameron, Gelbach and Miller (2008) (signs of clusters).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> prob = rng.random(300)
    >>> y = rng.random(300) < prob
    >>> fair = calibration_error(y, prob, n_resamples=99)
    >>> steep = calibration_error(y, prob**3, n_resamples=99)
    >>> fair.p_value > 0.05, steep.p_value
    (True, 0.01)
    """
    positive, (prob,), weight, unit = check_scored(
        y_true, sample_weight, pos_label, clusters, check=check_probabilities, y_prob=y_prob
    )
    level, draws, rng = check_bootstrap(confidence, n_resamples, random_state)
    model = TestedModel.of(prob, positive, weight)
    (error,) = errors_of_models([model], unit, level, draws, rng)
    return error


def check_resamples(draws: int, n_samples: int, n_models: int = 1, n_classes: int = 1) -> None:
    """Raise if drawing random labels for all models would take far too long."""
    causes: dict[str, Any] = {"n_resamples": draws}
    if n_models > 1:
        causes["scores"] = f"{n_models} classifiers"
    if n_classes > 1:
        causes["y_prob"] = f"{n_classes} classes"
    seconds = _SECONDS_PER_DRAW + _SECONDS_PER_SAMPLE * n_samples
    check_effort(
        seconds=n_models * n_classes * draws * seconds,
        numbers=10 * (draws * n_models + n_samples * n_classes),
        **causes,
    )


@dataclass(frozen=True, eq=False)
class TestedModel:
    """The probabilities of a model, with a column for each class of its error."""

    columns: tuple[_Column, ...]
    # (n_classes - 1, n_samples): below the first, labels drawn by chance are of the last class, and
    # so on; samples in the order of the last column, as the places in it that each column has
    steps: Floats
    places: tuple[NDArray[np.intp], ...]

    __test__ = False  # not a test for pytest

    @classmethod
    def of(cls, prob: Floats, positive: Bools, weight: Floats | None) -> TestedModel:
        """Take the probabilities of the positive class."""
        column = _Column.of(prob, positive, weight)
        return cls((column,), column.sorted[np.newaxis], ())

    @classmethod
    def of_classes(cls, samples: ClassSamples) -> TestedModel:
        """Take the probabilities of several classes, each against the rest."""
        columns = []
        for k in range(samples.n_classes):
            columns.append(_Column.of(samples.prob[:, k], samples.is_class(k), samples.weight))
        order = columns[-1].order
        steps = np.cumsum(samples.prob[order, :0:-1], axis=1).T.copy()
        place = np.argsort(order)
        return cls(tuple(columns), steps, tuple(place[column.order] for column in columns))

    def errors_by_chance(self, chance: Floats) -> Floats:
        """Compute the errors of labels drawn from the probabilities, one data set per row."""
        if not self.places:
            labels: Iterable[Bools] = (chance < self.steps[0],)
        else:
            last = len(self.columns) - 1
            label = np.full(chance.shape, last, dtype=np.int32)
            for step in self.steps:
                label -= chance >= step
            labels = ((label == k)[:, place] for k, place in enumerate(self.places))
        lost = sum(map(_Column.miscalibrations, self.columns, labels))
        return np.asarray(np.sqrt(lost))

    def errors_of_signs(self, sign: Floats) -> Floats:
        """Compute the errors of residuals whose signs are changed, one data set per row.

        ``sign`` has one entry per sample, in the order they were given.
        """
        lost = np.zeros(sign.shape[0])
        for column in self.columns:
            residual = sign[:, column.order] * (column.positive - column.sorted)
            lost += column.miscalibrations(column.sorted + residual)
        return np.asarray(np.sqrt(lost))

    def bounds(
        self, fold: NDArray[np.intp], unit: NDArray[np.intp] | None, confidence: float
    ) -> tuple[float, float, float]:
        """Compute the error and the ends of its interval."""
        error = float(np.sqrt(sum(column.miscalibration for column in self.columns)))
        max_square = min(len(self.columns), 2)
        low = 0.0
        high = float(max_square)
        if fold.max() > 0:  # there is more than one cluster
            gains = np.sum([column.gains(fold) for column in self.columns], axis=0)
            weight = self.columns[0].unsorted_weight
            steps = normal_quantile(confidence)
            low = _mean_end(gains[0], weight, unit, -steps)
            high = _mean_end(gains[1], weight, unit, steps)
        lower, upper = np.sqrt(np.clip((low, high), 0.0, max_square)).tolist()
        upper = max(upper, error)
        if upper == 0:  # of predictions of 0 and 1 that are all right
            total = self.columns[0].unsorted_weight.sum()
            upper = upper_end_without_errors(
                float(total) if unit is None else unit.max() + 1.0, confidence
            )
        return error, min(lower, error), upper


def upper_end_without_errors(n: float, confidence: float) -> float:
    """Compute the upper end of the calibration error where ``n`` predictions make no error.

    Of predictions of 0 and 1, of which a share is wrong, the calibration error is that share.

    References
    ----------
    Clopper and Pearson (1934).
    """
    return float(-np.expm1(np.log((1 - confidence) / 2) / n))


def errors_of_models(
    models: Sequence[TestedModel],
    group: NDArray[Any] | None,
    confidence: float,
    draws: int,
    rng: np.random.Generator,
) -> list[CalibrationError]:
    """Compute the errors of models on the same samples; without draws there is no test.

    Every model has the same folds and the same random numbers, whatever models are beside it.
    """
    if not models:
        return []
    size = models[0].columns[0].order.size
    check_resamples(draws, size, len(models), len(models[0].columns))
    unit = None if group is None else np.unique(group, return_inverse=True)[1]
    fold = rng.permutation(size if unit is None else int(unit.max()) + 1) % _N_FOLDS
    fold = fold if unit is None else fold[unit]
    bounds = [model.bounds(fold, unit, confidence) for model in models]
    p_values = np.full(len(models), np.nan)
    if draws:
        as_large = np.array([error * (1 - _ERROR_TOLERANCE) for error, _, _ in bounds])
        p_values = _p_values(models, as_large, None, draws, rng)
        if unit is not None:
            p_values = np.maximum(p_values, _p_values(models, as_large, unit, draws, rng))
    errors = []
    for (error, lower, upper), p_value in zip(bounds, p_values.tolist(), strict=True):
        errors.append(CalibrationError(error, lower, upper, p_value, confidence))
    return errors


def _p_values(
    models: Sequence[TestedModel],
    error: Floats,
    unit: NDArray[np.intp] | None,
    draws: int,
    rng: np.random.Generator,
) -> Floats:
    """Compute how often each model would have an error as large if it were calibrated."""
    size = models[0].columns[0].order.size
    by_chance = run_draws(
        _by_chance, models, size, unit, draws=draws, max_rows=_DRAWS_PER_TASK, rng=rng, axis=1
    )
    return np.asarray((1 + (by_chance >= error[:, np.newaxis]).sum(axis=1)) / (1 + draws))


def _by_chance(
    models: Sequence[TestedModel],
    size: int,
    unit: NDArray[np.intp] | None,
    rows: int,
    rng: np.random.Generator,
) -> Floats:
    """Compute each model's errors if it is calibrated, shape (n_models, rows).

    Labels are drawn from its own probabilities. How labels of a cluster depend on each other is not
    known, so that there all differences of a cluster from the probabilities keep or change their
    signs together (Cameron, Gelbach and Miller, 2008).
    """
    errors = np.empty((len(models), rows))
    step = max(1, _LABELS_PER_BLOCK // size)
    for first in range(0, rows, step):
        part = slice(first, min(first + step, rows))
        if unit is None:
            chance = rng.random((part.stop - first, size))
            for row, model in zip(errors, models, strict=True):
                row[part] = model.errors_by_chance(chance)
        else:
            sign = rng.choice([-1.0, 1.0], (part.stop - first, int(unit.max()) + 1))
            for row, model in zip(errors, models, strict=True):
                row[part] = model.errors_of_signs(sign[:, unit])
    return errors


@dataclass(frozen=True, eq=False)
class _Column:
    """Samples in increasing order of the probability of a class."""

    order: NDArray[np.intp]  # (n_samples,)
    positive: Bools  # (n_samples,): whether they are of the class, in that order
    sorted: Floats  # (n_samples,): their probabilities
    weight: Floats | None  # (n_samples,): their weights
    start: NDArray[np.intp]  # (n_cells,): the first sample of each distinct probability
    prob: Floats  # (n_cells,): the distinct probabilities
    n: Floats  # (n_cells,): weight of the samples of each

    @classmethod
    def of(cls, prob: Floats, positive: Bools, weight: Floats | None) -> _Column:
        """Sort samples by their probability."""
        order = np.argsort(prob, kind="stable")
        ascending = prob[order]
        start = np.flatnonzero(np.diff(ascending, prepend=-1.0) > 0)
        w = None if weight is None else weight[order]
        n = np.diff(start, append=prob.size) if w is None else np.add.reduceat(w, start)
        return cls(
            order=order,
            positive=positive[order],
            sorted=ascending,
            weight=w,
            start=start,
            prob=ascending[start],
            n=n.astype(np.float64),
        )

    @cached_property
    def unsorted_weight(self) -> Floats:
        """Weight of each sample, in the order they were given, shape (n_samples,)."""
        weight = np.ones(self.order.size)
        if self.weight is not None:
            weight[self.order] = self.weight
        return weight

    @cached_property
    def cell(self) -> NDArray[np.intp]:
        """Index of each sample's distinct probability, shape (n_samples,)."""
        return np.repeat(np.arange(self.n.size), np.diff(self.start, append=self.sorted.size))

    @cached_property
    def _tied(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """Samples of cells with several, the start of each such cell among them, and its size."""
        size = np.diff(self.start, append=self.sorted.size)
        several = size[size > 1]
        return np.flatnonzero(size[self.cell] > 1), np.cumsum(several) - several, several

    @cached_property
    def _squares(self) -> float:
        """Sum of the squared probabilities of all samples."""
        return float(self.n @ self.prob**2)

    def shares(self, positive: Bools | Floats) -> Floats:
        """Compute the share of positives in each sample's cell, for rows of sorted labels.

        In place of labels there may be any numbers, of which it is the mean.
        """
        share = positive.astype(np.float64)
        samples, begin, size = self._tied
        if samples.size:
            weight = np.ones(samples.size) if self.weight is None else self.weight[samples]
            pos = np.add.reduceat(share[:, samples] * weight, begin, axis=1)
            mean = pos / np.add.reduceat(weight, begin)
            share[:, samples] = np.repeat(mean, size, axis=1)
        return share

    def miscalibrations(self, positive: Bools | Floats) -> Floats:
        """Compute the miscalibration of sorted labels, or numbers, one data set per row.

        One isotonic regression fits all rows: each is lifted above the one before, so that none
        pools with another. With h that regression of the shares p of positives, ``sum n h (p - h)``
        is 0, and the miscalibration is ``sum n q^2 - 2 n q p + n h^2``.
        """
        share = self.shares(positive)
        rows, samples = share.shape
        agreed = (share if self.weight is None else share * self.weight) @ self.sorted
        lift = _LIFT * np.arange(rows)
        share += lift[:, np.newaxis]
        weights = None if self.weight is None else np.tile(self.weight, rows)
        fit = isotonic_regression(share.ravel(), weights=weights)
        first = fit.blocks[:-1]
        row = first // samples
        squares = np.bincount(row, fit.weights * (fit.x[first] - lift[row]) ** 2)
        lost = self._squares - 2 * agreed + squares
        return np.asarray(np.maximum(lost, 0.0) / self.n.sum())

    @cached_property
    def hull(self) -> Floats:
        """Isotonic regression of the shares of positives of the cells, shape (n_cells,)."""
        return np.asarray(isotonic_regression(self._share, weights=self.n).x)

    @property
    def _share(self) -> Floats:
        """Share of positives of each cell."""
        return np.asarray(self.shares(self.positive[np.newaxis])[0, self.start])

    @property
    def miscalibration(self) -> float:
        """Miscalibration of the samples, computed without cancellation.

        With h the isotonic regression of the shares of positives p, the Brier score less that of h
        is ``sum n (q - h)^2 + 2 sum n (q - h) (h - p)``; neither sum is negative.
        """
        gap = self.prob - self.hull
        squares = float(self.n @ gap**2)
        rest = float(self.n @ (gap * (self.hull - self._share)))
        return (squares + 2 * max(rest, 0.0)) / float(self.n.sum())

    def gains(self, fold: NDArray[np.intp]) -> Floats:
        """Compute each sample's gain in squared loss by the hull of the other folds, and of all.

        The result has shape (2, n_samples), the samples in the order they were given.
        """
        y = self.positive
        fold = fold[self.order]
        w = self.unsorted_weight[self.order]
        fitted = np.empty((2, y.size))
        fitted[1] = self.hull[self.cell]
        for k in range(int(fold.max()) + 1):
            rest = fold != k
            x = self.cell[rest]
            n = w[rest]
            first = np.flatnonzero(np.diff(x, prepend=-1))
            total = np.add.reduceat(n, first)
            share = np.add.reduceat(n * y[rest], first) / total
            hull = isotonic_regression(share, weights=total).x
            # interpolate between neighbours by rank, which keeps the map increasing
            fitted[0, ~rest] = np.interp(self.cell[~rest], x[first], hull)
        gain = np.empty_like(fitted)
        gain[:, self.order] = (self.sorted - fitted) * (self.sorted + fitted - 2 * y)
        return gain


def _mean_end(value: Floats, weight: Floats, group: NDArray[np.intp] | None, steps: float) -> float:
    """Compute a weighted mean plus a multiple of its standard error."""
    total = float(weight.sum())
    mean = float(weight @ value) / total
    if group is not None:
        sums = np.bincount(group, weight * (value - mean))
        variance = float(sums @ sums) * sums.size / (sums.size - 1) / total**2
    elif total > MAX_WEIGHT_OF_ONE_SAMPLE:
        variance = variance_of_mean(value, weight)
    else:
        return float(np.copysign(np.inf, steps))
    return mean + steps * float(np.sqrt(variance))
