"""Weighted logistic regression on a few columns, by Newton's method made safe.

Knows numbers only; nothing of scores, classes or calibration.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from rocviz.core.base.validation import Floats

_LEAST = 1e-290  # share of a class that has any say
_STRONGEST = 1e100  # a ridge that leaves nothing of a slope


def fit_logistic(
    x: Floats, target: Floats, rest: Floats, weight: Floats, ridge: float
) -> tuple[Floats, float, float]:
    """Return slopes, intercept and mean loss of a weighted logistic regression.

    ``x`` has one column per slope, ``target`` is in [0, 1] and ``rest`` what is left of 1, which
    may be too little for a subtraction; ``ridge`` acts on the slopes against a sum over samples.
    Centred and scaled columns keep the Hessian tame.
    """
    total = weight.sum()
    w = weight / total
    share, others = float(w @ target), float(w @ rest)
    if share > others:  # the rarer class is the one whose probabilities floats tell apart
        slope, intercept, loss = fit_logistic(x, rest, target, weight, ridge)
        return -slope, -intercept, loss
    start = log_odds_of(share, others)
    centre = w @ x
    scale = np.abs(x - centre).max(axis=0)
    scale[scale == 0] = 1.0
    design = np.column_stack(((x - centre) / scale, np.ones(len(x))))
    # one step at a time: neither the weights nor the columns need have a square that is a float
    with np.errstate(over="ignore"):
        penalty = np.append(np.minimum(ridge / total / scale, _STRONGEST) / scale, 0.0)
    np.minimum(penalty, _STRONGEST, out=penalty)

    def descend(at: Floats) -> tuple[Floats, Floats, Floats]:
        log_odds = design @ at
        predicted = expit(log_odds)
        return log_odds, predicted, design.T @ (w * (predicted - target)) + penalty * at

    coef = np.append(np.zeros(x.shape[1]), start)
    log_odds, predicted, gradient = descend(coef)
    steps = 0
    while np.abs(gradient).max() > 2e-13 * share and steps < 100:
        steps += 1
        hessian = (design.T * (w * predicted * (1 - predicted))) @ design + np.diag(penalty)
        step = np.linalg.lstsq(hessian, gradient, rcond=None)[0]
        # where predicted saturates the Hessian vanishes and Newton's method would stay for ever
        step /= max(1.0, float((np.abs(design @ step) / (5 + np.abs(log_odds))).max()))
        log_odds, predicted, new = descend(coef - step)
        # a step that leads past the valley, and up the other side as steeply, is halved
        while -(new @ step) > 0.9 * (gradient @ step) and np.abs(step).max() > 1e-9:
            step /= 2
            log_odds, predicted, new = descend(coef - step)
        coef, gradient = coef - step, new
    loss = float(w @ (np.logaddexp(0.0, log_odds) - target * log_odds) + penalty @ coef**2 / 2)
    slope = coef[:-1] / scale
    return slope, float(coef[-1] - slope @ centre), loss


def log_odds_of(share: float, others: float) -> float:
    """Return the log odds of two shares that add up to one."""
    if min(share, others) < _LEAST:
        raise ValueError(
            "segments.pos and segments.neg are too far apart for a map: one class has a share of "
            f"{min(share, others):.3g} of all weight."
        )
    return float(np.log(share) - np.log(others))
