"""Another prevalence than the data's: one that can be reckoned with, and segments weighted to it.

Built on ranked segments alone.
"""

from __future__ import annotations

import numpy as np

from rocviz.core.base.validation import check_prevalence
from rocviz.core.roc.segments import RankedSegments, check_segments

# Weights beyond this or one over it are brought back to it.
_GREAT = 1e150


def at_prevalence(segments: RankedSegments, prevalence: float) -> RankedSegments:
    """Return the same ranking with the negatives weighted so that the prevalence is another.

    Parameters
    ----------
    segments : RankedSegments
    prevalence : float
        At least 1e-150, and below 1.

    Raises
    ------
    ValueError
        If ``segments`` is something else, or ``prevalence`` out of range.

    Examples
    --------
    >>> segments = RankedSegments(score=[2, 1], pos=[3, 1], neg=[1, 3])
    >>> at_prevalence(segments, 0.2).neg
    array([ 4., 12.])
    """
    check_segments(segments)
    pi = check_prevalence(prevalence)
    times, n_pos = (1 - pi) / pi * segments.prior_odds, segments.n_pos
    if max(times, n_pos, n_pos / pi) < _GREAT and min(times, n_pos) > 1 / _GREAT:
        return RankedSegments(segments.score, segments.pos, times * segments.neg, segments.highest)
    # weights of which neither sums nor shares leave the floats
    pos, neg = (
        np.where(side > 0, np.maximum(side / side.sum() * (_GREAT * share), 1 / _GREAT**2), 0.0)
        for side, share in ((segments.pos, pi), (segments.neg, 1 - pi))
    )
    return RankedSegments(segments.score, pos, neg, segments.highest)
