"""Sample size for estimating an AUC with a given precision, by three models of its variance."""

from __future__ import annotations

from bisect import bisect_left
from math import pi, sqrt

import numpy as np
from scipy.special import ndtri

from rocviz.core.base.validation import check_choice, check_prevalence, check_share
from rocviz.core.calibration.sample_size import SampleSize, required_error
from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.roc.auc_variance import variance_of_placements

METHODS = ("binormal", "hanley-mcneil", "fermi-dirac")

_MAX_SAMPLES = 10**15


def auc_sample_size(
    auc: float,
    prevalence: float,
    *,
    standard_error: float | None = None,
    width: float | None = None,
    confidence: float = 0.95,
    method: str = "binormal",
) -> SampleSize:
    r"""Compute the sample size for estimating an AUC with a given precision.

    Parameters
    ----------
    auc : float
        The AUC that is expected, from 1e-9 to 1 - 1e-9.
    prevalence : float
        Share of positives among the samples, from 1e-9 to 1 - 1e-9.
    standard_error : float, optional
        The standard error that is wanted; positive. Give it or ``width``.
    width : float, optional
        Width of the interval that is wanted, from end to end, symmetric around the AUC; positive.
    confidence : float, default=0.95
        Confidence level of that interval.
    method : {"binormal", "hanley-mcneil", "fermi-dirac"}, default="binormal"
        The model of the scores: normal with equal variances, for which DeLong's variance is
        right on average; exponential; or ranks filled by the Fermi-Dirac law. The last two ask
        for too many, or for too few samples where one class is rare.

    Returns
    -------
    SampleSize
        The least number of samples, at least one of each class.

    Raises
    ------
    ValueError
        If an argument is out of its range, or not just one precision is given.

    Notes
    -----
    With :math:`Q_1, Q_2` what placements of negatives and of positives vary by, the variance is
    :math:`(A(1-A) + (n_1-1)Q_1 + (n_0-1)Q_2) / (n_1 n_0)`.

    References
    ----------
    Hanley and McNeil (1982); Kim et al. (2021), section on the variance of the AUC.

    Examples
    --------
    >>> auc_sample_size(0.8, 0.5, standard_error=0.03).n_samples
    211
    >>> for method in ("binormal", "hanley-mcneil", "fermi-dirac"):
    ...     print(method, auc_sample_size(0.9, 0.05, width=0.1, method=method).n_samples)
    binormal 731
    hanley-mcneil 1331
    fermi-dirac 411
    """
    area = check_share(auc, "auc")
    share = check_prevalence(prevalence)
    check_choice(method, "method", METHODS)
    target_error = required_error(standard_error, width, confidence)
    placements = _placement_variances(area, share, method)

    def error(n: int) -> tuple[float, int]:
        n_pos = min(max(round(n * share), 1), n - 1)
        variance = variance_of_placements(area * (1 - area), *placements, n_pos, n - n_pos)
        return sqrt(float(variance)), n_pos

    # neither class shrinks with more samples, so that the error falls
    def is_enough(n: int) -> bool:
        return error(n)[0] <= target_error * (1 + 1e-12)

    sizes = range(2, _MAX_SAMPLES)
    n = 2 + bisect_left(sizes, True, key=is_enough)
    if n == _MAX_SAMPLES:
        raise ValueError(
            f"prevalence and precision require {_MAX_SAMPLES:.0e} samples or more: "
            f"prevalence={share:g}, a standard error of {target_error:g}."
        )
    expected_error, n_pos = error(n)
    return SampleSize(n, n_pos, expected_error)


def _placement_variances(area: float, share: float, method: str) -> tuple[float, float]:
    """Compute the variances of the placements of negatives and of positives."""
    bernoulli_variance = area * (1 - area)
    if method == "hanley-mcneil":
        return (
            bernoulli_variance * (1 - area) / (2 - area),
            bernoulli_variance * area / (1 + area),
        )
    if method == "fermi-dirac":
        return FermiDirac.rescaled(area, prevalence=share).placement_variances()
    # Two positives above the same negative are two normal variables with a correlation of 1/2,
    # both above h. By Plackett's identity the covariance of both events is the integral of
    # exp(-h² / (1 + sin t)) / 2π over t from 0 to the correlation's arcsine.
    nodes, weights = np.polynomial.legendre.leggauss(80)
    h = ndtri(area)
    step = (nodes + 1) / 2
    angle = pi / 6 * (1 - step**2)  # densest where the integrand is greatest
    covariance = float(weights @ (step * np.exp(-(h**2) / (1 + np.sin(angle))))) / 12
    return covariance, covariance
