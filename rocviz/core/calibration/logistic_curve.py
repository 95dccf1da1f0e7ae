"""The calibration curve of few data: logistic recalibration, its ellipse and its indices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.special import chdtri, expit, fdtri, logit

from rocviz.core.base.validation import Floats
from rocviz.core.calibration.curve_distance import (
    curve_points,
    distance_indices,
    first_of_joined,
    joined_means,
)
from rocviz.core.calibration.recalibration import (
    CalibrationData,
    Estimate,
    LogisticFit,
    fit_recalibration,
    in_the_large,
)

# Directions and radii at which the indices are computed in the ellipse.
_N_DIRECTIONS = 72
_RADII = (0.25, 0.5, 0.75, 1.0)
# Share of a coefficient's variance that the other one leaves, where clusters bound both.
_MIN_UNSHARED_VARIANCE = 1e-9

#: ICI, E50 and E90.
Indices: TypeAlias = tuple[Estimate, ...]


class LogisticCurve(NamedTuple):
    """A curve at increasing predictions, its band, its indices and what to say of them."""

    predicted: Floats
    observed: Floats
    lower: Floats
    upper: Floats
    indices: Indices
    reason: str


@dataclass(frozen=True)
class Ellipse:
    """Scheffé's confidence ellipse of level and slope of a logistic recalibration.

    Parameters
    ----------
    fit : LogisticFit
    root : ndarray of float, shape (2, 2)
        Maps the unit circle to the ellipse around the estimates.
    """

    fit: LogisticFit
    root: Floats

    def covers(self, level: float, slope: float) -> bool:
        """Whether a level and a slope are inside."""
        away = np.array([level - self.fit.level, slope - self.fit.slope])
        return bool(np.linalg.norm(np.linalg.solve(self.root, away)) <= 1)

    def coefficients(self) -> Floats:
        """Cover the ellipse by levels and slopes, the estimates first: shape (n, 2)."""
        angles = np.linspace(0, 2 * np.pi, _N_DIRECTIONS, endpoint=False)
        circle = np.column_stack((np.cos(angles), np.sin(angles)))
        steps = np.concatenate([np.zeros((1, 2)), *(radius * circle for radius in _RADII)])
        return np.array([self.fit.level, self.fit.slope]) + steps @ self.root.T

    def half_width(self, away: Floats) -> Floats:
        """Compute how far log-odds may be from the estimate at distances from the centre."""
        columns = np.column_stack((np.ones(away.size), away))
        return np.asarray(np.linalg.norm(columns @ self.root, axis=1))


def confidence_ellipse(data: CalibrationData, fit: LogisticFit, level: float) -> Ellipse | None:
    """Compute the confidence ellipse; ``None`` where the data do not bound both coefficients.

    With clusters it is Hotelling's, of as many independent units as have samples of the rarer
    class.
    """
    squared_radius = float(chdtri(2, 1 - level))
    if data.clustered is not None:
        n_clusters = data.n_of_rarer_class
        if n_clusters < 3:
            return None
        squared_radius = float(fdtri(2, n_clusters - 2, level))
        squared_radius *= 2 * (n_clusters - 1) / (n_clusters - 2)
    scale = np.sqrt(np.diag(fit.covariance))
    with np.errstate(invalid="ignore"):
        correlation = float(fit.covariance[0, 1] / scale.prod())
    rest = 1 - correlation**2
    if not rest > _MIN_UNSHARED_VARIANCE:
        return None
    root = np.array([[1.0, 0.0], [correlation, np.sqrt(rest)]]) * scale[:, np.newaxis]
    return Ellipse(fit, np.sqrt(squared_radius) * root)


def logistic_curve(data: CalibrationData, level: float) -> LogisticCurve:
    """Fit logistic recalibration, for data that tell no more than a shift and a slope.

    The band contains the whole curve at once, as the ellipse of the coefficients does.
    """
    predicted = curve_points(data)
    with np.errstate(divide="ignore"):
        x = np.clip(logit(predicted), -data.moved_to, data.moved_to)
    unit = "samples" if data.clustered is None else "clusters with samples"
    reason = (
        f"With {data.n_of_rarer_class:g} {unit} of the rarer class only a shift and a slope of "
        "calibration can be judged; the index is that of logistic recalibration."
    )
    fit = fit_recalibration(data)
    if np.isinf(fit.slope):
        reason += (
            " It does not exist here, as a threshold on the predictions separates both classes."
        )
        missing = np.full(predicted.size, np.nan)
        indices: Indices = (Estimate(np.nan, reason=reason),) * 3
        return LogisticCurve(predicted, missing, missing, missing, indices, reason)
    if np.isnan(fit.slope):  # all predictions are the same
        shift = in_the_large(data, level)
        shifts = np.array([shift.value, shift.lower, shift.upper])
        curves = expit(x + shifts[:, np.newaxis])
        covers_ideal = shift.lower <= 0 <= shift.upper
        log_odds = data.log_odds + shifts[:, np.newaxis]
        indices = _extremes(data.prob, data.n, log_odds, covers_ideal, reason)
        return LogisticCurve(predicted, curves[0], curves[1], curves[2], indices, reason)
    centre = fit.level + fit.slope * (x - fit.centre)
    observed = np.asarray(expit(centre))
    ellipse = confidence_ellipse(data, fit, level)
    if ellipse is None:
        reason += " These data give it no interval."
        log_odds = fit.level + fit.slope * (data.log_odds - fit.centre)
        (values,) = distance_indices(np.abs(data.prob - expit(log_odds))[np.newaxis], data.n)
        indices = tuple(Estimate(float(value), reason=reason) for value in values)
        missing = np.full(predicted.size, np.nan)
        return LogisticCurve(predicted, observed, missing, missing, indices, reason)
    half = ellipse.half_width(x - fit.centre)
    lower = np.asarray(expit(centre - half))
    upper = np.asarray(expit(centre + half))
    start = first_of_joined(data)
    cells = joined_means(np.column_stack((data.prob, data.log_odds)), data.n, start)
    levels, slopes = ellipse.coefficients().T[:, :, np.newaxis]
    log_odds = levels + slopes * (cells[:, 1] - fit.centre)
    n = np.add.reduceat(data.n, start)
    indices = _extremes(cells[:, 0], n, log_odds, ellipse.covers(fit.centre, 1.0), reason)
    return LogisticCurve(predicted, observed, lower, upper, indices, reason)


def _extremes(
    prob: Floats, n: Floats, log_odds: Floats, covers_ideal: bool, reason: str
) -> Indices:
    """Compute the indices of curves, with their range; the first curve is the estimate."""
    values = distance_indices(np.abs(prob - expit(log_odds)), n)
    lower = np.zeros(3) if covers_ideal else values.min(axis=0)
    columns = np.column_stack((values[0], lower, values.max(axis=0))).tolist()
    return tuple(Estimate(value, low, high, reason) for value, low, high in columns)
