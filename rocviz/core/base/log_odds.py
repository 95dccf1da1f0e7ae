"""Probabilities moved along the scale of log-odds: what somebody too sure, or biased, believes.

Knows probabilities only.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from rocviz.core.base.validation import Floats


def sigmoid(log_odds: Floats) -> Floats:
    """Return the probabilities that have these log-odds."""
    return np.asarray(expit(log_odds))


def miscalibrated(prob: Floats, sharpen: float, shift: float) -> Floats:
    """Return probabilities whose log-odds are ``sharpen`` times as large, plus ``shift``."""
    with np.errstate(divide="ignore"):
        return sigmoid(sharpen * logit(prob) + shift)
