"""A model in another place: keep it, shift its log odds, or change their slope too.

The log odds of predictions are those of logistic recalibration; what an update gains is computed on
samples that it was not fitted to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import chdtrc, log_expit, logit

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.log_odds import sigmoid
from rocviz.core.base.samples import Samples, check_scored
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Seed,
    Weights,
    check_choice,
    check_fraction,
    check_integer,
    check_probabilities,
    check_random_state,
)
from rocviz.core.calibration.recalibration import (
    CalibrationData,
    Estimate,
    calibrating_shift,
    calibration_data,
    fit_recalibration,
    intercept_and_slope,
    observed_expected,
)
from rocviz.core.roc.metrics import metric_options
from rocviz.core.roc.segments import RankedSegments

#: Ways to update a model, from nothing to two coefficients; the last chooses among them.
METHODS = ("none", "intercept", "slope", "closed_test")

#: Folds without which nothing can be cross-fitted.
MIN_FOLDS = 2


@dataclass(frozen=True)
class UpdateMeasures(Frozen):
    """How good predictions are, in the numbers that reviewers ask for.

    Parameters
    ----------
    observed_expected, slope : Estimate
        Positives over the sum of the predictions, and the slope of logistic recalibration.
    brier : float
        Brier score.
    net_benefit : float
        At the threshold probability.
    """

    observed_expected: Estimate
    slope: Estimate
    brier: float
    net_benefit: float


@dataclass(frozen=True, eq=False)
class ModelUpdate(Frozen):
    """An update of a model's predictions, with their quality before and after.

    Made by :func:`update_model`. Updated log odds are ``intercept + coefficient * log_odds``.

    Parameters
    ----------
    method : str
        As asked for.
    chosen : str
        What was done: ``"none"``, ``"intercept"`` or ``"slope"``.
    intercept, coefficient : float
    p_values : dict of str to float
        Of the likelihood-ratio tests of intercept and slope against ``"none"`` and
        ``"intercept"``; empty where the slope cannot be fitted.
    before, after : UpdateMeasures
        On the same samples; those after are by updates that were fitted to other folds.
    chosen_in_folds : dict of str to int
        How often each update was chosen in folds.
    threshold_probability : float
        Of the net benefit.
    moved_to : float
        Log odds that stand for predictions of exactly 1, and with the other sign of 0.
    confidence : float
    reasons : tuple of str
        Sentences on what limits the update.
    """

    method: str
    chosen: str
    intercept: float
    coefficient: float
    p_values: dict[str, float]
    before: UpdateMeasures
    after: UpdateMeasures
    chosen_in_folds: dict[str, int]
    threshold_probability: float
    moved_to: float
    confidence: float
    reasons: tuple[str, ...] = ()

    def apply(self, y_prob: ArrayLike) -> Floats:
        """Update predictions.

        Parameters
        ----------
        y_prob : array-like of float, shape (n_samples,)
            Probabilities by the model.

        Returns
        -------
        ndarray of float, shape (n_samples,)
            From 0 to 1; unchanged if nothing is to be done.

        Raises
        ------
        ValueError
            If these are no probabilities.

        Examples
        --------
        >>> y, prob = [0, 0, 1, 0, 1, 1, 1, 1], [0.1, 0.2, 0.2, 0.3, 0.3, 0.4, 0.4, 0.6]
        >>> update = update_model(y, prob, method="intercept", n_folds=2)
        >>> update.apply([0.1, 0.5]).round(3)
        array([0.323, 0.811])
        """
        return _updated(check_probabilities(y_prob), self._coefficients())

    def _coefficients(self) -> _Coefficients:
        return _Coefficients(self.chosen, self.intercept, self.coefficient, self.moved_to)

    def to_frame(self) -> DataFrame:
        """Tabulate the numbers before and after.

        Returns
        -------
        pandas.DataFrame
            Indexed by ``measure``, with columns ``before, before_lower, before_upper, after,
            after_lower, after_upper, ideal``; ``nan`` where there is no interval, or no ideal.
        """
        rows = []
        for name, ideal in _IDEALS.items():
            row: dict[str, Any] = {"measure": name}
            for when, measures in (("before", self.before), ("after", self.after)):
                value = getattr(measures, name)
                estimate = value if isinstance(value, Estimate) else Estimate(value)
                row[when] = estimate.value
                row[f"{when}_lower"] = estimate.lower
                row[f"{when}_upper"] = estimate.upper
            row["ideal"] = ideal
            rows.append(row)
        return to_frame(rows).set_index("measure")

    def __repr__(self) -> str:
        return (
            f"<ModelUpdate: {self.chosen}, log odds {self.intercept:.4g} + "
            f"{self.coefficient:.4g} * log odds,\n    Brier score {self.before.brier:.4g} before, "
            f"{self.after.brier:.4g} after>"
        )

    def _repr_html_(self) -> str:
        table = self.to_frame().round(4).to_html(na_rep="–")
        heading = f"<p>{escape(repr(self)[1:-1])}</p>"
        return "".join([heading, table, *(f"<p>{escape(reason)}</p>" for reason in self.reasons)])


#: The measures, with their values for perfect predictions.
_IDEALS = {"observed_expected": 1.0, "slope": 1.0, "brier": 0.0, "net_benefit": np.nan}


class _Coefficients(NamedTuple):
    """A fitted update."""

    chosen: str
    intercept: float
    coefficient: float
    moved_to: float


def update_model(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    method: str = "closed_test",
    significance_level: float = 0.05,
    threshold_probability: float = 0.5,
    n_folds: int = 10,
    sample_weight: Weights = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
    confidence: float = 0.95,
    random_state: Seed = 0,
) -> ModelUpdate:
    """Update a model's predictions for another place, and compute what that gains.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,)
        Labels of exactly two classes, of the other place.
    y_prob : array-like of float, shape (n_samples,)
        Probabilities that the model predicts there, fitted elsewhere.
    method : {"none", "intercept", "slope", "closed_test"}, default="closed_test"
        - ``"none"``: predictions stay as they are, and only their numbers are computed.
        - ``"intercept"``: log odds are shifted, so that as many positives are expected as observed.
        - ``"slope"``: intercept and slope of logistic recalibration.
        - ``"closed_test"``: the simplest of these that a test against the last does not reject.
    significance_level : float, default=0.05
        Level of the closed test; strictly between 0 and 1.
    threshold_probability : float, default=0.5
        Of the net benefit: from 1e-06 to 0.999999.
    n_folds : int, default=10
        Folds that the numbers after the update are computed in; at least 2. At most as many are
        used as the rarer class has samples (or clusters).
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated; not negative.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) vary together, and stay in one fold. The test
        treats rows as independent.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    confidence : float, default=0.95
        Of the intervals; strictly between 0 and 1.
    random_state : int, RandomState, Generator or None, default=0
        Source of the random numbers that divide samples into folds.

    Raises
    ------
    ValueError
        If an argument is invalid, or a class has fewer than two samples.

    See Also
    --------
    rocviz.estimators.practice.UpdatedClassifier : The same as an estimator.
    rocviz.core.calibration.calibration_summary : More numbers of calibration.

    Notes
    -----
    The closed test (Vergouwe et al., 2017) compares the likelihood of intercept and slope with
    that of the model as it is, and then with that of a shift; the first that is not rejected is
    taken. Theirs ends with a model that is fitted to all predictors again, which predictions alone
    do not allow; where a slope far from 1 shows that predictors matter differently here, that is
    the next thing to try.

    *Numbers after the update* are of predictions by updates that were chosen and fitted without
    their fold: those of the samples of the fit would make the gain look too large. The intervals
    after the update take it as given. In simulations of predictions that are twice too steep (AUCs
    of .85 and .995, prevalences of .5 and .05, 50 to 1,000 samples) 95 % intervals cover the
    observed over expected of the update that is applied in 90 to 100 % of the data sets with 50 and
    more of the rarer class, and its slope in 85 to 100 %. With fewer they are too narrow: 71 to
    97 % and 65 to 100 %.

    *Log odds* are as in :func:`rocviz.core.calibration.calibration_summary`: those of exactly 0 and
    1 are moved. Where a threshold separates both classes, or all predictions are the same, there
    is no slope to fit, and at most the intercept is changed.

    *When not to use it.* With few positives even a slope is fitted to noise: below about 50 of the
    rarer class a shift is all that the data can support. An update repairs levels, not the order:
    the AUC stays, unless the slope is negative.

    References
    ----------
    Janssen et al. (2008). Vergouwe et al. (2017). Cox (1958).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> prob = rng.beta(1, 2, 600)
    >>> y = rng.random(600) < prob**2
    >>> update = update_model(y, prob)
    >>> update.chosen
    'slope'
    >>> update.to_frame().loc["observed_expected", ["before", "after"]].round(2).tolist()
    [0.51, 1.0]
    """
    check_choice(method, "method", METHODS)
    level = check_fraction(confidence, "confidence")
    significance_level = check_fraction(significance_level, "significance_level")
    threshold = metric_options()["threshold_probability"].check(threshold_probability)
    n_folds = check_integer(n_folds, "n_folds", minimum=MIN_FOLDS)
    rng = check_random_state(random_state)
    samples = check_scored(
        y_true, sample_weight, pos_label, clusters, check=check_probabilities, y_prob=y_prob
    )
    fit, p_values, reasons = _fit(_data(samples), method, significance_level)
    after = samples.scores[0]
    chosen_in_folds: dict[str, int] = {}
    if method != "none":
        after = after.copy()
        for fold in _folds(samples, n_folds, rng):
            of_fold, _, _ = _fit(_data(_rows(samples, ~fold)), method, significance_level)
            after[fold] = _updated(samples.scores[0][fold], of_fold)
            chosen_in_folds[of_fold.chosen] = chosen_in_folds.get(of_fold.chosen, 0) + 1
    before = _measures(samples, samples.scores[0], threshold, level)
    reasons += [before.observed_expected.reason, before.slope.reason]
    return ModelUpdate(
        method=method,
        chosen=fit.chosen,
        intercept=fit.intercept,
        coefficient=fit.coefficient,
        p_values=p_values,
        before=before,
        after=_measures(samples, after, threshold, level),
        chosen_in_folds=chosen_in_folds,
        threshold_probability=threshold,
        moved_to=fit.moved_to,
        confidence=level,
        reasons=tuple(dict.fromkeys(reason for reason in reasons if reason)),
    )


# ---------------------------------------------------------------------- fits


def _data(samples: Samples, unit: NDArray[np.intp] | None = None) -> CalibrationData:
    """Count both classes at each distinct probability."""
    return calibration_data(samples.positive, samples.scores[0], samples.w, unit, pos_label=True)


def _fit(
    data: CalibrationData, method: str, significance_level: float
) -> tuple[_Coefficients, dict[str, float], list[str]]:
    """Fit the update that is asked for; give the p values of tests, and what limits it."""
    reasons = []
    shift = calibrating_shift(data.log_odds, data.pos, data.neg)
    fits = {"none": (0.0, 1.0), "intercept": (shift, 1.0)}
    of_slope = fit_recalibration(data)
    if np.isfinite(of_slope.slope):
        fits["slope"] = (of_slope.intercept, of_slope.slope)
    elif method in ("slope", "closed_test"):
        why = "a threshold on the predictions separates both classes"
        if np.isnan(of_slope.slope):
            why = "all predictions are the same"
        reasons.append(f"There is no slope to fit, as {why}; at most the intercept is changed.")
    last = list(fits)[-1]
    p_values = _tests(data, fits)
    chosen = min(method, last, key=METHODS.index)  # "slope" may not be there
    if method == "closed_test":
        kept = [name for name, p in p_values.items() if p > significance_level]
        chosen = kept[0] if kept else last
    intercept, coefficient = fits[chosen]
    if coefficient < 0:
        reasons.append("The slope is negative: the update turns the order of predictions around.")
    return _Coefficients(chosen, intercept, coefficient, data.moved_to), p_values, reasons


def _tests(data: CalibrationData, fits: dict[str, tuple[float, float]]) -> dict[str, float]:
    """Test the update of most coefficients against each simpler one, by their likelihoods."""
    likelihoods = []
    for intercept, coefficient in fits.values():
        log_odds = intercept + coefficient * data.log_odds
        likelihood = data.pos @ log_expit(log_odds) + data.neg @ log_expit(-log_odds)
        likelihoods.append(float(likelihood))
    p_values = {}
    for k, name in enumerate(list(fits)[:-1]):
        statistic = max(2 * (likelihoods[-1] - likelihoods[k]), 0.0)
        p_values[name] = float(chdtrc(len(fits) - 1 - k, statistic))
    return p_values


def _updated(prob: Floats, fit: _Coefficients) -> Floats:
    """Apply a fitted update to probabilities."""
    if fit.chosen == "none":
        return prob
    with np.errstate(divide="ignore"):
        log_odds = np.clip(logit(prob), -fit.moved_to, fit.moved_to)
    return sigmoid(fit.intercept + fit.coefficient * log_odds)


# ---------------------------------------------------------------------- folds and measures


def _folds(samples: Samples, n_folds: int, rng: np.random.Generator) -> Iterator[Bools]:
    """Yield which samples are in each fold; clusters stay together, classes are spread evenly."""
    unit = samples.unit
    if unit is None:
        unit = np.arange(samples.positive.size)
    n_units = int(unit.max()) + 1
    has_pos = np.bincount(unit[samples.positive], minlength=n_units) > 0
    has_neg = np.bincount(unit[~samples.positive], minlength=n_units) > 0
    n_folds = min(n_folds, int(has_pos.sum()), int(has_neg.sum()))
    if n_folds < MIN_FOLDS:
        kind = "samples" if samples.unit is None else "clusters"
        raise ValueError(
            f"y_true must hold at least two {kind} of each class, so that updates can be fitted "
            "without a fold."
        )
    # those with positives are neighbours, and so are those with negatives
    stratum = np.where(has_pos & has_neg, 1, np.where(has_pos, 0, 2))
    order = np.lexsort((rng.random(n_units), stratum))
    fold = np.empty(n_units, dtype=np.intp)
    fold[order] = np.arange(n_units) % n_folds
    for k in range(n_folds):
        yield fold[unit] == k


def _rows(samples: Samples, rows: Bools) -> Samples:
    """Select samples, as if they had no clusters."""
    return Samples(samples.positive[rows], (samples.scores[0][rows],), samples.w[rows], None)


def _measures(samples: Samples, prob: Floats, threshold: float, level: float) -> UpdateMeasures:
    """Compute how good predictions of samples are."""
    positive, _, _, unit = samples
    w = samples.w
    predicted = Samples(positive, (prob,), w, unit)
    data = _data(predicted, unit)
    table = RankedSegments._of_samples(predicted).at_threshold(threshold)
    return UpdateMeasures(
        observed_expected=observed_expected(data, level),
        slope=intercept_and_slope(data, level)[1],
        brier=float(w @ (prob - positive) ** 2 / w.sum()),
        net_benefit=float(table.metric("net_benefit", threshold_probability=threshold)),
    )
