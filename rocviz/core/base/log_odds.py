"""Probabilities on the scale of log-odds: predictions that are overconfident or biased."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from rocviz.core.base.validation import Floats


def sigmoid(log_odds: Floats) -> Floats:
    """Compute probabilities from log-odds."""
    return np.asarray(expit(log_odds))


def miscalibrated(prob: Floats, sharpen: float, shift: float) -> Floats:
    """Multiply the log-odds of probabilities by ``sharpen`` and add ``shift``."""
    with np.errstate(divide="ignore"):
        return sigmoid(sharpen * logit(prob) + shift)
