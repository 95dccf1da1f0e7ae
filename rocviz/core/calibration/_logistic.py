"""Weighted logistic regression on a few columns, by Newton's method."""

from __future__ import annotations

import numpy as np
from scipy.special import log_expit

from rocviz.core.base.logistic_levels import class_probabilities
from rocviz.core.base.validation import Floats

# Log-odds may be in the hundreds, and each step changes them by about one.
_MAX_STEPS = 1000
_TOLERANCE = 1e-9


def fit_logistic(
    x: Floats, target: Floats, rest: Floats, weight: Floats, ridge: float = 0.0
) -> tuple[Floats, float, float]:
    """Fit a weighted logistic regression; return slopes, intercept and loss.

    ``x`` has one column per slope, ``target`` is in [0, 1] and ``rest`` is ``1 - target`` with all
    its digits. ``ridge`` penalises squared slopes against a sum over samples. The loss is a mean.
    """
    total = weight.sum()
    w = weight / total
    width = np.ptp(x, axis=0)
    scale = np.where(width > 0, width, 1.0)
    start = w @ x
    unit = np.ascontiguousarray(((x - start) / scale).T)
    penalty = ridge / total / scale**2
    # log-odds are level + slope @ unit
    slope = np.zeros(x.shape[1])
    level = float(np.log(w @ target) - np.log(w @ rest))

    def misses(log_odds: Floats) -> tuple[Floats, Floats]:
        """Compute each sample's contribution to the gradient and to the curvature."""
        yes, no = class_probabilities(log_odds)
        return w * (yes * rest - no * target), w * yes * no

    log_odds = np.full(len(x), level)
    miss, bend = misses(log_odds)
    for _ in range(_MAX_STEPS if slope.size else 0):
        # around the mean under the curvature, slopes and level are separate problems
        centre = unit @ bend / bend.sum()
        away = unit - centre[:, np.newaxis]
        hessian = (away * bend) @ away.T + np.diag(penalty)
        gradient = away @ miss + penalty * slope
        # scale the slopes, so that those of small weights count as much as the others
        size = np.sqrt(np.diag(hessian))
        size = np.where(size == 0, 1.0, size)
        scaled = hessian / np.outer(size, size)
        turn = -np.linalg.lstsq(scaled, gradient / size, rcond=None)[0] / size
        shift = -miss.sum() / bend.sum() - centre @ turn
        step = turn @ unit + shift
        # where probabilities saturate the curvature vanishes, and full steps would diverge
        change = float((np.abs(step) / (5 + np.abs(log_odds))).max())
        length = 1 / max(1.0, change)
        descent = miss @ step + (penalty * slope) @ turn
        while True:
            new = log_odds + length * step
            miss, bend = misses(new)
            ascent = miss @ step + (penalty * (slope + length * turn)) @ turn
            # past the valley, and up the other side as steeply
            if ascent <= -0.9 * descent or length * change < _TOLERANCE:
                break
            length /= 2
        slope = slope + length * turn
        level += length * float(shift)
        log_odds = new
        if change < _TOLERANCE:
            break
    likelihood = w @ (target * log_expit(log_odds) + rest * log_expit(-log_odds))
    loss = float(penalty @ slope**2 / 2 - likelihood)
    slope = slope / scale
    return slope, level - float(slope @ start), loss
