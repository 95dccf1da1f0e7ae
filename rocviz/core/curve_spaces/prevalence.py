"""Ranked segments weighted to another prevalence than that of the data."""

from __future__ import annotations

from rocviz.core.base.validation import check_prevalence
from rocviz.core.roc.segments import RankedSegments, check_segments


def at_prevalence(segments: RankedSegments, prevalence: float) -> RankedSegments:
    """Weight the negatives of a ranking so that the prevalence is another.

    Parameters
    ----------
    segments : RankedSegments
    prevalence : float
        From 1e-9 to 1 - 1e-9.

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
    times = (1 - pi) / pi * segments.prior_odds
    return RankedSegments(segments.score, segments.pos, times * segments.neg, segments.highest)
