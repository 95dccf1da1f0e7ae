"""Quantiles of the normal and of Student's distribution for confidence intervals."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfinv, ndtri, stdtrit

from rocviz.core.base.validation import Floats

# With more degrees of freedom Student's quantiles are the normal ones to nine digits.
_MAX_STUDENT_DEGREES = 1e9


@lru_cache(maxsize=64)
def normal_quantile(confidence: float, outside: float | None = None) -> float:
    """Compute the number of standard errors around the mean that contain a share.

    ``outside`` is ``1 - confidence``, where that is known to more digits.
    """
    # from the smaller tail, which has more digits
    if confidence < 0.5:
        return float(np.sqrt(2) * erfinv(confidence))
    return -float(ndtri((1 - confidence if outside is None else outside) / 2))


def student_quantile(confidence: float, degrees: ArrayLike) -> Floats:
    """Compute the numbers of standard errors that contain a share, by Student's distribution.

    ``degrees`` of freedom may be fractions; where they are infinite the quantile is the normal one.
    """
    freedom = np.asarray(degrees, dtype=np.float64)
    is_student = freedom < _MAX_STUDENT_DEGREES
    quantile = -stdtrit(np.where(is_student, freedom, 1.0), (1 - confidence) / 2)
    return np.asarray(np.where(is_student, quantile, normal_quantile(confidence)))
