"""Which method computes the expected utilities of all cuts of a ranking.

Knows decreasing probabilities and the kinds of metrics; nothing of labels.
"""

from __future__ import annotations

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.decisions._expected_rates import am_utilities, g_tp_pr_utilities, q_mean_utilities
from rocviz.core.decisions._expected_ratio import ratio_utilities
from rocviz.core.decisions._windowed_utility import windowed_utilities
from rocviz.core.decisions.poisson_binomial import prefix_laws
from rocviz.core.decisions.utility import Metric

#: Up to so many samples every outcome is counted: there is nothing to gain.
SMALL = 40

_INTEGRALS = {"am": am_utilities, "g_tp_pr": g_tp_pr_utilities, "q_mean": q_mean_utilities}


def utilities_of_prefixes(probability: Floats, measure: Metric, tol: float) -> tuple[Floats, float]:
    """Return the expected utility of each prefix, and how far it may be off but for rounding.

    Parameters
    ----------
    probability : ndarray of float, shape (n,)
        Decreasing; not empty.
    measure : Metric
    tol : float
        As in :func:`rocviz.core.decisions._windowed_utility.windowed_utilities`.

    Returns
    -------
    utilities : ndarray of float, shape (n + 1,)
    error : float
        0 where nothing is left out.
    """
    if probability.size <= SMALL:
        return direct_utilities(probability, measure), 0.0
    if measure.name == "sec":
        return count_utilities(probability), 0.0
    if measure.name in _INTEGRALS:
        return _INTEGRALS[measure.name](probability, measure.zero_division), 0.0
    ratio = measure.linear_fractional
    value = None if ratio is None else ratio_utilities(probability, ratio, measure.zero_division)
    if value is None:
        return windowed_utilities(probability, measure, tol)
    return value, 0.0


def count_utilities(probability: Floats) -> Floats:
    """Return minus the mean squared error of counts of each prefix, shape (n + 1,).

    It is the squared distance to the expected number of positives, and that number's variance.
    """
    n, mean = probability.size, float(probability.sum())
    variance = float((probability * (1 - probability)).sum())
    return -((np.arange(n + 1.0) - mean) ** 2 + variance) / n**2


def direct_utilities(probability: Floats, measure: Metric) -> Floats:
    """Return the expected utility of each prefix from all pairs of counts, in O(n^3)."""
    n = probability.size
    above, below = prefix_laws(probability), prefix_laws(probability[::-1])
    out = np.empty(n + 1)
    for k in range(n + 1):
        tp, fn = np.arange(k + 1.0)[:, None], np.arange(n - k + 1.0)
        value = measure.at_counts(tp, float(k), tp + fn, float(n))
        out[k] = above[k, : k + 1] @ value @ below[n - k, : n - k + 1]
    return out
