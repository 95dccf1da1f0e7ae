"""Probabilities on the scale of log-odds: predictions that are overconfident or biased."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from rocviz.core.base.validation import Floats


def miscalibrated(prob: Floats, sharpen: float, shift: float) -> Floats:
    """Multiply the log-odds of probabilities by ``sharpen`` and add ``shift``."""
    with np.errstate(divide="ignore"):
        return np.asarray(expit(sharpen * logit(prob) + shift))
