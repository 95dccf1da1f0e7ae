"""The usual summary of calibration: observed over expected, intercept, slope, ICI."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import expit, logit

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.normal import normal_quantile
from rocviz.core.base.validation import Seed, Weights, check_bootstrap
from rocviz.core.calibration._logistic import fit_logistic
from rocviz.core.calibration.flexible import (
    CalibrationData,
    Estimate,
    FlexibleCalibration,
    calibration_data,
    coefficient_covariance,
    fit_flexible,
)
from rocviz.core.roc.segments import RankedSegments

#: Value of each number for perfect predictions.
_IDEAL_VALUES = {"observed_expected": 1.0, "slope": 1.0}


@dataclass(frozen=True, eq=False)
class CalibrationSummary(Frozen):
    """The calibration of predictions in the usual numbers.

    Made by :func:`calibration_summary`.

    Parameters
    ----------
    observed_expected : Estimate
        Number of positives over the sum of the predictions: above 1 where the model predicts too
        few. Infinite, with an interval of ``nan``, where all predictions are 0.
    in_the_large : Estimate
        Calibration-in-the-large: the intercept of logistic recalibration with a slope of 1, by
        which log-odds are too low on average.
    intercept, slope : Estimate
        Logistic recalibration, ``logit p = intercept + slope * logit prediction``. A slope below 1
        is that of predictions which are too extreme. Infinite, with an interval of ``nan``, where a
        threshold on the predictions separates both classes; ``nan`` where all predictions are the
        same.
    ici, e50, e90 : Estimate
        Mean, median and 90 % quantile of the distance between the flexible calibration curve and
        the diagonal.
    curve : FlexibleCalibration
        That curve, with its band.
    n_samples, n_pos : float
        Weight of all samples, and of the positives.
    confidence : float
        Confidence level of all intervals.
    """

    observed_expected: Estimate
    in_the_large: Estimate
    intercept: Estimate
    slope: Estimate
    ici: Estimate
    e50: Estimate
    e90: Estimate
    curve: FlexibleCalibration
    n_samples: float
    n_pos: float
    confidence: float

    def to_frame(self) -> DataFrame:
        """Tabulate one row per number.

        Returns
        -------
        pandas.DataFrame
            Indexed by ``measure``, with columns ``value, lower, upper, ideal``.
        """
        rows = []
        for field in fields(self):
            estimate = getattr(self, field.name)
            if isinstance(estimate, Estimate):
                rows.append(
                    {
                        "measure": field.name,
                        "value": estimate.value,
                        "lower": estimate.lower,
                        "upper": estimate.upper,
                        "ideal": _IDEAL_VALUES.get(field.name, 0.0),
                    }
                )
        return to_frame(rows).set_index("measure")

    def _repr_html_(self) -> str:
        html: str = self.to_frame().round(4).to_html(na_rep="–")
        return html


def calibration_summary(
    y_true: ArrayLike | RankedSegments,
    y_prob: ArrayLike | None = None,
    *,
    sample_weight: Weights = None,
    groups: ArrayLike | None = None,
    pos_label: Any = None,
    confidence: float = 0.95,
    n_resamples: int = 500,
    random_state: Seed = 0,
) -> CalibrationSummary:
    """Compute calibration-in-the-large, slope, observed over expected, ICI, E50 and E90.

    Parameters
    ----------
    y_true, y_prob, sample_weight, groups, pos_label, confidence, n_resamples, random_state
        As for :func:`flexible_calibration`, which gives ICI, E50 and E90.

    Raises
    ------
    ValueError
        If an argument is invalid.

    See Also
    --------
    flexible_calibration : The curve by itself, also with a simultaneous band.
    calibration_sample_size : How many samples these numbers need.

    Notes
    -----
    *When not to use it.* These numbers describe predictions on data that the model has not seen.
    On the data of its fit, logistic regression has a slope of 1 and an intercept of 0 whatever it
    is worth. A slope of 1 and an intercept of 0 do not mean that predictions are right: the curve
    may be above the diagonal here and below it there, which ICI sees. None of them says whether
    decisions are good; net benefit does (:func:`rocviz.core.curve_spaces.net_benefit_band`).

    Intervals of intercept and slope are Wald's, from Fisher's information, as R's
    ``confint.default``; CalibrationCurves has likelihood intervals, which differ in the third digit
    with a hundred positives. That of observed over expected is symmetric on the scale of its
    logarithm, with the standard error of a ratio of two sums over the same samples. With groups
    all are sandwich estimates over groups. The formula ``sqrt((1 - prevalence) / n_pos)`` of
    Debray et al. (2017) leaves out that predictions explain a part of the outcomes. It is wider,
    and equal where all predictions are the same.

    Log-odds are those of probabilities moved into [h, 1 - h] with h half a sample. R's ``val.prob``
    leaves out samples with predictions of exactly 0 or 1 instead.

    References
    ----------
    Cox (1958). Miller et al. (1993). Steyerberg (2019), chapter 15. Austin and Steyerberg (2019).
    Debray et al. (2017).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> prob = rng.beta(1, 2, 1000)
    >>> y = rng.random(1000) < prob**1.5
    >>> found = calibration_summary(y, prob, n_resamples=200)
    >>> found.to_frame().round(2).loc["slope"].to_dict()
    {'value': 1.14, 'lower': 0.97, 'upper': 1.32, 'ideal': 1.0}
    >>> round(found.observed_expected.value, 2), round(found.ici.lower, 2)
    (0.7, 0.08)
    """
    data = calibration_data(y_true, y_prob, sample_weight, groups, pos_label)
    level, draws, rng = check_bootstrap(confidence, n_resamples, random_state, optional=True)
    curve = fit_flexible(data, False, level, draws, rng)
    steps = normal_quantile(level)
    intercept, slope = _recalibration(data, steps)
    return CalibrationSummary(
        observed_expected=_observed_expected(data, steps),
        in_the_large=_in_the_large(data, steps),
        intercept=intercept,
        slope=slope,
        ici=curve.ici,
        e50=curve.e50,
        e90=curve.e90,
        curve=curve,
        n_samples=float((data.pos + data.neg).sum()),
        n_pos=float(data.pos.sum()),
        confidence=level,
    )


def _observed_expected(data: CalibrationData, steps: float) -> Estimate:
    """Compute O/E; its logarithm varies as the sum of y - (O/E) p over samples, divided by O."""
    observed = float(data.pos.sum())
    expected = float((data.pos + data.neg) @ data.prob)
    ratio = observed / expected if expected else np.inf
    if ratio == np.inf:
        return Estimate(ratio)
    scaled = ratio * data.prob
    half = steps * np.sqrt(data.variance_of_sum(1 - scaled, -scaled)) / observed
    return Estimate(ratio, float(ratio * np.exp(-half)), float(ratio * np.exp(half)))


def _in_the_large(data: CalibrationData, steps: float) -> Estimate:
    """Compute the shift of log-odds that equates the expected and the observed number."""
    n = data.pos + data.neg
    share = float(data.pos.sum() / n.sum())

    def surplus(shift: float) -> float:
        return float(n @ expit(data.log_odds + shift) / n.sum()) - share

    low = float(logit(share) - data.log_odds.max())
    high = float(logit(share) - data.log_odds.min())
    shift = brentq(surplus, low - 1e-9, high + 1e-9, xtol=1e-13)
    prob = expit(data.log_odds + shift)
    bend = float(n @ (prob * (1 - prob)))
    variance = 1 / bend
    if data.grouped is not None:
        variance = data.variance_of_sum(1 - prob, -prob) / bend**2
    half = steps * np.sqrt(variance)
    return Estimate(shift, float(shift - half), float(shift + half))


def _recalibration(data: CalibrationData, steps: float) -> tuple[Estimate, Estimate]:
    """Fit intercept and slope of logistic recalibration."""
    if data.prob.size == 1:
        return Estimate(np.nan), Estimate(np.nan)
    # the lowest positive is above all negatives, or the highest below them, ties included
    of_pos = np.flatnonzero(data.pos)
    of_neg = np.flatnonzero(data.neg)
    if of_pos[0] >= of_neg[-1]:
        return Estimate(np.nan), Estimate(np.inf)
    if of_pos[-1] <= of_neg[0]:
        return Estimate(np.nan), Estimate(-np.inf)
    n = data.pos + data.neg
    column = data.log_odds[:, np.newaxis]
    (slope,), intercept, _ = fit_logistic(column, data.pos / n, data.neg / n, n)
    design = np.column_stack((np.ones(n.size), column))
    coefficients = np.array([intercept, slope])
    covariance = coefficient_covariance(data, design, coefficients)
    intercept_half, slope_half = (steps * np.sqrt(np.diag(covariance))).tolist()
    return (
        Estimate(intercept, intercept - intercept_half, intercept + intercept_half),
        Estimate(float(slope), float(slope - slope_half), float(slope + slope_half)),
    )
