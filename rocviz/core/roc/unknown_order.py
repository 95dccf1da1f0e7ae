"""What is certain of a ranking whose segments hold scores of unknown order.

Data in pieces may have more distinct scores than segments are kept; the best and the worst order
within those segments then say between what every number of the data lies.
"""

from __future__ import annotations

import numpy as np

from rocviz.core.roc.segments import RankedSegments, check_segments


def best_order(segments: RankedSegments) -> RankedSegments:
    """Return the best ranking that the data of the segments may have.

    Where scores share a segment, its positives come first. The curve of the data is nowhere above
    that of this ranking, nor is its hull; at the vertices of ``segments`` they agree.

    Parameters
    ----------
    segments : RankedSegments
        Exact ones are returned as they are.

    Raises
    ------
    ValueError
        If ``segments`` is something else.

    Examples
    --------
    >>> segments = RankedSegments(score=[2, 1], pos=[3, 1], neg=[0, 4], highest=[2, 1.5])
    >>> worst_order(segments).auc, segments.auc, best_order(segments).auc
    (0.75, 0.875, 1.0)
    """
    return _in_order(check_segments(segments), best=True)


def worst_order(segments: RankedSegments) -> RankedSegments:
    """Return the worst ranking that the data of the segments may have.

    Takes and raises what :func:`best_order` does.
    """
    return _in_order(check_segments(segments), best=False)


def auc_bounds(segments: RankedSegments) -> tuple[float, float]:
    """Return the bounds of the AUC of the data; ``segments.auc`` is half-way between them.

    Takes and raises what :func:`best_order` does; for exact segments both ends are their AUC.

    Returns
    -------
    tuple of float
        Least and greatest AUC, from 0 to 1. They differ by the share of all pairs of a positive
        and a negative that fall into one segment of several scores.

    Examples
    --------
    >>> from rocviz import RankedSegments
    >>> y, score = [0, 1, 0, 1, 1, 0], [0.11, 0.12, 0.13, 0.5, 0.8, 0.81]
    >>> auc_bounds(RankedSegments.from_partitions([(y, score)], max_segments=4))
    (0.4444444444444444, 0.6666666666666666)
    >>> RankedSegments.from_scores(y, score).auc
    0.5555555555555556
    """
    return worst_order(segments).auc, best_order(segments).auc


def _in_order(segments: RankedSegments, *, best: bool) -> RankedSegments:
    """Split segments of several scores and both classes into one for each class."""
    if segments.highest is None:
        return segments
    split = (segments.highest > segments.score) & (segments.pos > 0) & (segments.neg > 0)
    at = np.repeat(np.arange(len(segments)), 1 + split)
    second = np.flatnonzero(split) + np.arange(1, 1 + split.sum())
    first = second - 1
    score, pos, neg = segments.score[at], segments.pos[at], segments.neg[at]
    score[first] = segments.highest[split]
    early, late = (neg, pos) if best else (pos, neg)
    early[first] = late[second] = 0.0
    return RankedSegments(score=score, pos=pos, neg=neg)
