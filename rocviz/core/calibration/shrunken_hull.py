"""Hull probabilities pulled to a prior, and still in order: no certainty from one sample.

Knows segments and the hull map; nothing of models or plots.
"""

from __future__ import annotations

import numpy as np

from rocviz.core.base.naming import naming
from rocviz.core.base.validation import check_fraction
from rocviz.core.calibration.calibration import HullMap, check_pull
from rocviz.core.roc.segments import RankedSegments, check_segments


def shrunken_hull_map(segments: RankedSegments, *, m: float = 2.0, prior: float = 0.5) -> HullMap:
    """Return isotonic regression whose steps are pulled to a prior and stay in order.

    A single positive at the top of a ranking makes isotonic regression say 1 there, and at every
    larger score. Here each hull segment gets the m-estimate ``(pos + m * prior) / (n + m)``, so the
    top says 2/3. Where that overturns the order (a small segment is pulled further than its large
    neighbour), the segments are pooled, prior samples included, until the order is right.

    Parameters
    ----------
    segments : RankedSegments
        Training data.
    m : float, default=2.0
        Weight of the prior, in samples; not negative. 2 with ``prior=0.5`` is Laplace's correction,
        0 plain isotonic regression.
    prior : float, default=0.5
        Probability to pull to, strictly between 0 and 1.

    Returns
    -------
    HullMap
        Never decreasing, linear between segments. With ``prior=0.5`` no probability changes
        sides of one half.

    Raises
    ------
    ValueError
        If ``m`` or ``prior`` is not what :func:`rocviz.hull_map` takes, or ``prior`` is 0 or 1.

    See Also
    --------
    rocviz.hull_map : The same without pooling, and with steps.

    References
    ----------
    Flach and Matsubara (2008), Definition 3, on the correction. Menon et al. (2012), section
    3.3, on gaps between scores.

    Examples
    --------
    >>> segments = RankedSegments(score=[9, 3, 2, 1], pos=[1, 4, 1, 0], neg=[0, 1, 4, 1])
    >>> shrunken_hull_map(segments)([10, 9, 3, 1]).round(3)
    array([0.7, 0.7, 0.7, 0.3])
    """
    hull = check_segments(segments).hull()
    pulled_to = check_fraction(prior, "prior")
    weight = check_pull(m, pulled_to)
    high = segments.score[segments.hull_vertices[:-1]]
    # a sample of the prior for each segment makes the m-estimate a plain proportion
    with naming("m"), np.errstate(over="ignore"):
        pos, neg = hull.pos + weight * pulled_to, hull.neg + weight * (1 - pulled_to)
        with_prior = RankedSegments(score=hull.score, pos=pos, neg=neg)
    pooled, first = with_prior.hull(), with_prior.hull_vertices[:-1]
    return HullMap(
        low=pooled.score,
        high=high[first],
        n=np.add.reduceat(hull.n, first),
        probability=pooled.empirical_probability,
        interpolation="linear",
    )
