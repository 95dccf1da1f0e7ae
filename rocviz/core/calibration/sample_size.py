"""Sample sizes for a validation of calibration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import asinh, ceil, sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit, ndtri

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.normal import normal_quantile
from rocviz.core.base.validation import (
    Floats,
    check_choice,
    check_fraction,
    check_number,
    check_prevalence,
    check_probabilities,
    describe,
)

MEASURES = ("slope", "in_the_large", "observed_expected")

_MAX_SAMPLES = 10**15
# Nodes of the quadrature over log-odds.
_N_NODES = 200


@dataclass(frozen=True)
class SampleSize(Frozen):
    """Sample size required for an estimate of a given precision.

    Parameters
    ----------
    n_samples, n_pos : int
        Number of samples, and of the positives expected among them.
    standard_error : float
        Standard error with so many, by the formula; of observed over expected, of its logarithm.
    """

    n_samples: int
    n_pos: int
    standard_error: float

    @property
    def n_neg(self) -> int:
        """Number of the negatives expected among them."""
        return self.n_samples - self.n_pos


def calibration_sample_size(
    measure: str = "slope",
    *,
    prevalence: float | None = None,
    auc: float | None = None,
    y_prob: ArrayLike | None = None,
    standard_error: float | None = None,
    width: float | None = None,
    confidence: float = 0.95,
) -> SampleSize:
    r"""Compute the sample size for validating calibration with a given precision.

    Parameters
    ----------
    measure : {"slope", "in_the_large", "observed_expected"}, default="slope"
        One of :class:`CalibrationSummary`.
    prevalence : float, optional
        Share of positives that is expected, from 1e-9 to 1 - 1e-9.
    auc : float, optional
        The AUC that is expected, above 0.5 and below 1. Log-odds are then taken as normal in both
        classes, of one variance. With ``measure="observed_expected"`` it may be left out.
    y_prob : array-like of float, shape (n_samples,), optional
        Predictions to be expected, in place of ``prevalence`` and ``auc``: those of a pilot study,
        or of the data that the model comes from.
    standard_error : float, optional
        The standard error that is wanted; positive. Give it or ``width``. Of observed over expected
        it is that of the logarithm.
    width : float, optional
        Width of the interval that is wanted, from end to end, for a model that is calibrated.
    confidence : float, default=0.95
        Confidence level of that interval.

    Returns
    -------
    SampleSize
        The least number of samples.

    Raises
    ------
    ValueError
        If an argument is out of its range, predictions are described twice or not at all, or not
        just one precision is given.

    See Also
    --------
    rocviz.core.fermi_dirac.auc_sample_size : Sample size for an AUC.
    rocviz.core.curve_spaces.net_benefit_sample_size : Sample size for a net benefit.

    Notes
    -----
    *When not to use it.* The model is taken to be calibrated, and its predictions to be distributed
    as said: for a slope this matters more than the prevalence does. A study needs the greatest of
    the numbers for all that it is to report, and a flexible curve needs more, 200 positives and 200
    negatives at least (Van Calster et al., 2016). For developing a model there are other formulae.

    With predictions p and log-odds L, :math:`I_a = E[p(1-p)]`, :math:`I_{ab} = E[L p(1-p)]` and
    :math:`I_b = E[L^2 p(1-p)]`,

    .. math::

       n_{slope} = \frac{I_a}{SE^2 (I_a I_b - I_{ab}^2)}, \quad n_{large} = \frac{1}{SE^2 I_a},
       \quad n_{O/E} = \frac{E[p(1-p)]}{SE^2 \pi^2}.

    The last is Riley's :math:`(1-\pi) / (\pi SE^2)` where nothing is said of the predictions, as
    for those that are all the same; that number is the greatest.

    References
    ----------
    Riley et al. (2021).

    Examples
    --------
    >>> calibration_sample_size("observed_expected", prevalence=0.018, width=1.0).n_samples
    906
    >>> found = calibration_sample_size("slope", prevalence=0.018, auc=0.8, width=0.2)
    >>> found.n_samples, found.n_pos
    (17128, 309)
    """
    check_choice(measure, "measure", MEASURES)
    # the interval of a ratio of 1 runs from exp(-steps * error) to exp(steps * error)
    error = required_error(
        standard_error, width, confidence, asinh if measure == "observed_expected" else float
    )
    prob, weight, share = _predictions(prevalence, auc, y_prob, measure)
    log_odds = logit(prob)
    spread = weight * prob * (1 - prob)
    of_all = float(spread.sum())
    of_odds = float(spread @ log_odds)
    if measure == "observed_expected":
        variance = of_all / share**2
    elif measure == "in_the_large":
        variance = 1 / of_all
    else:
        # centred, so that no digits are lost
        if prob.min() == prob.max():
            raise ValueError(
                "y_prob must hold at least two different values for a slope; got only "
                f"{prob[0]:.6g}."
            )
        squares = float(spread @ (log_odds - of_odds / of_all) ** 2)
        variance = 1 / squares
    return smallest_sample(variance, error, share)


def required_error(
    standard_error: float | None,
    width: float | None,
    confidence: float,
    scale: Callable[[float], float] = float,
) -> float:
    """Check the required precision; ``scale`` maps half a width to the scale of normal errors."""
    steps = normal_quantile(check_fraction(confidence, "confidence"))
    if standard_error is not None and width is None:
        return check_number(standard_error, "standard_error", above=0.0)
    if width is not None and standard_error is None:
        return scale(check_number(width, "width", above=0.0) / 2) / steps
    raise ValueError("give either standard_error or width.")


def smallest_sample(variance: float, error: float, share: float) -> SampleSize:
    """Compute the least number of samples, from the variance of one and the required error."""
    times = sqrt(variance) / max(error, 1e-100)  # beyond any feasible number
    if not times**2 < _MAX_SAMPLES:
        raise ValueError(
            f"prevalence and precision require {_MAX_SAMPLES:.0e} samples or more: "
            f"prevalence={share:g}, a standard error of {error:g}."
        )
    n = max(ceil(times**2 * (1 - 1e-12)), 1)
    return SampleSize(n, ceil(n * share * (1 - 1e-12)), sqrt(variance / n))


def separation(auc: float) -> float:
    """Compute the distance of the means of normal log-odds of unit variance, from their AUC."""
    area = check_number(auc, "auc")
    if not 0.5 < area < 1:
        raise ValueError(f"auc must be above 0.5 and below 1; got {describe(auc)}.")
    return sqrt(2) * float(ndtri(area))


def _predictions(
    prevalence: float | None, auc: float | None, y_prob: ArrayLike | None, measure: str
) -> tuple[Floats, Floats, float]:
    """Describe calibrated predictions by values, their shares and the prevalence."""
    if y_prob is not None:
        if prevalence is not None or auc is not None:
            raise ValueError("give either y_prob, or prevalence and auc.")
        prob = check_probabilities(y_prob)
        if not prob.size or prob.min() <= 0 or prob.max() >= 1:
            raise ValueError("y_prob must be strictly between 0 and 1, and not empty.")
        return prob, np.full(prob.size, 1 / prob.size), float(prob.mean())
    if prevalence is None:
        raise ValueError("prevalence is needed where there is no y_prob.")
    pi = check_prevalence(prevalence)
    if auc is None:
        if measure != "observed_expected":
            raise ValueError(
                f"auc is needed for measure={describe(measure)} where there is no y_prob."
            )
        return np.array([pi]), np.ones(1), pi
    gap = separation(auc)
    # mean log-odds: those of the prevalence, plus or minus half the squared gap
    node, weight = np.polynomial.hermite_e.hermegauss(_N_NODES)
    weight = weight / weight.sum()
    middle = float(logit(pi))
    parts = [middle + sign * gap**2 / 2 + gap * node for sign in (1, -1)]
    prob = np.clip(expit(np.concatenate(parts)), 1e-300, 1 - 2.0**-53)
    return prob, np.concatenate((pi * weight, (1 - pi) * weight)), pi
