"""The usual summary of calibration: observed over expected, intercept, slope, ICI."""

from __future__ import annotations

from dataclasses import dataclass, fields
from html import escape
from typing import Any

from numpy.typing import ArrayLike

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import Seed, Weights, check_bootstrap
from rocviz.core.calibration.flexible import FlexibleCalibration, fit_flexible
from rocviz.core.calibration.recalibration import (
    Estimate,
    calibration_data,
    in_the_large,
    intercept_and_slope,
    observed_expected,
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
        is that of predictions which are too extreme. Infinite, with one finite end, where a
        threshold on the predictions separates both classes, and the intercept is ``nan``; both
        ``nan`` where all predictions are the same.
    ici, e50, e90 : Estimate
        Mean, median and 90 % quantile of the distance between the flexible calibration curve and
        the diagonal.
    curve : FlexibleCalibration
        That curve, with its band.
    n_samples, n_pos : float
        Weight of all samples, and of the positives.
    moved : float
        Weight of the samples whose predictions of exactly 0 or 1 were moved, as these have no
        log-odds.
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
    moved: float
    confidence: float

    def to_frame(self) -> DataFrame:
        """Tabulate one row per number.

        Returns
        -------
        pandas.DataFrame
            Indexed by ``measure``, with columns ``value, lower, upper, ideal``.
        """
        rows = []
        for name, estimate in self._estimates().items():
            rows.append(
                {
                    "measure": name,
                    "value": estimate.value,
                    "lower": estimate.lower,
                    "upper": estimate.upper,
                    "ideal": _IDEAL_VALUES.get(name, 0.0),
                }
            )
        return to_frame(rows).set_index("measure")

    @property
    def reasons(self) -> list[str]:
        """Sentences on what limits these numbers, or why one is missing."""
        reasons = [estimate.reason for estimate in self._estimates().values()]
        return list(dict.fromkeys(reason for reason in reasons if reason))

    def _estimates(self) -> dict[str, Estimate]:
        """Give the estimates by the names of their fields."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if isinstance(value, Estimate)}

    def _repr_html_(self) -> str:
        table = self.to_frame().round(4).to_html(na_rep="–")
        return "".join([table, *(f"<p>{escape(reason)}</p>" for reason in self.reasons)])


def calibration_summary(
    y_true: ArrayLike | RankedSegments,
    y_prob: ArrayLike | None = None,
    *,
    sample_weight: Weights = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
    confidence: float = 0.95,
    n_resamples: int = 500,
    random_state: Seed = 0,
) -> CalibrationSummary:
    """Compute calibration-in-the-large, slope, observed over expected, ICI, E50 and E90.

    Parameters
    ----------
    y_true, y_prob, sample_weight, clusters, pos_label, confidence, n_resamples, random_state
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

    *Log-odds* are taken as they are. Those of exactly 0 and 1, which have none, are moved to
    ``log(2 n - 1)`` from 0, the log-odds of half a sample, or to the farthest of the others;
    ``moved`` counts them. R's ``val.prob`` leaves such samples out instead.

    *Observed over expected, and calibration-in-the-large* have the score interval of a shift of the
    log-odds (Cox, 1958): all shifts at which the observed number is within so many standard errors
    of the expected one. Where residuals vary more than binomially, as those of predictions with a
    wrong slope do, variances are multiplied by that ratio (McCullagh and Nelder, 1989). For
    predictions that are all the same it is Wilson's interval. The formula
    ``sqrt((1 - prevalence) / n_pos)`` of Debray et al. (2017) leaves out that predictions explain a
    part of the outcomes, and is wider.

    *Intercept and slope* have Wald's intervals, from Fisher's information, as R's
    ``confint.default``. Where a threshold on the predictions separates both classes the slope is
    infinite. The finite end of its interval is the slope under which so extreme an outcome, a
    separated one, has the probability of that end's error, as in the interval of Clopper and
    Pearson (1934).

    *Clusters* make all variances those of sums over clusters, with Student's quantile of one degree
    of freedom less than there are clusters; of intercept and slope, one less than the clusters that
    have samples of the rarer class.

    *Coverage* at 95 %, simulated with 50, 200 and 1,000 samples, prevalences of .5 and .044, and
    predictions that are calibrated, twice too steep, useless, nearly perfect or exactly 0 and 1:
    observed over expected 93 to 96 %, with fewer than three expected positives and predictions that
    are too steep 91 %; in-the-large 94 to 96 %; slope 95 to 99 % of ordinary predictions, 90 % of
    saturated ones with three errors. With 20 to 200 clusters of six rows 94 to 97 %; of 50 to 1,000
    patients with four rows each slopes 91 to 99 %, and in-the-large 91 to 99 %, with fewer than
    three expected positive patients and nearly perfect scores 87 %.

    References
    ----------
    Cox (1958). McCullagh and Nelder (1989). Clopper and Pearson (1934). Miller et al. (1993).
    Steyerberg (2019), chapter 15. Austin and Steyerberg (2019). Debray et al. (2017).

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> prob = rng.beta(1, 2, 1000)
    >>> y = rng.random(1000) < prob**1.5
    >>> summary = calibration_summary(y, prob, n_resamples=200)
    >>> summary.to_frame().round(2).loc["slope"].to_dict()
    {'value': 1.14, 'lower': 0.97, 'upper': 1.32, 'ideal': 1.0}
    >>> round(summary.observed_expected.value, 2), round(summary.ici.lower, 2)
    (0.7, 0.08)
    """
    data = calibration_data(y_true, y_prob, sample_weight, clusters, pos_label)
    level, draws, rng = check_bootstrap(confidence, n_resamples, random_state, optional=True)
    curve = fit_flexible(data, False, level, draws, rng)
    intercept, slope = intercept_and_slope(data, level)
    return CalibrationSummary(
        observed_expected=observed_expected(data, level),
        in_the_large=in_the_large(data, level),
        intercept=intercept,
        slope=slope,
        ici=curve.ici,
        e50=curve.e50,
        e90=curve.e90,
        curve=curve,
        n_samples=float(data.n.sum()),
        n_pos=float(data.pos.sum()),
        moved=data.n_moved,
        confidence=level,
    )
