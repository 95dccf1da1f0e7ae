"""Quantiles of the normal distribution for confidence intervals."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import erfinv, ndtri


@lru_cache(maxsize=64)
def normal_quantile(confidence: float, outside: float | None = None) -> float:
    """Compute the number of standard errors around the mean that contain a share.

    ``outside`` is ``1 - confidence``, where that is known to more digits.
    """
    # from the smaller tail, which has more digits
    if confidence < 0.5:
        return float(np.sqrt(2) * erfinv(confidence))
    return -float(ndtri((1 - confidence if outside is None else outside) / 2))
