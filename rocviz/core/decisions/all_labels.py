"""The expected utility of every labelling of a few samples, fast enough to follow a drag.

Knows independent probabilities and metrics; :mod:`rocviz.core.decisions.reference` is the
plain way.
"""

from __future__ import annotations

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.decisions.utility import Metric


def utilities_of_all_labels(prob: Floats, phi: Metric) -> Floats:
    """Return the expected utility of all 2**n labellings of n samples.

    Parameters
    ----------
    prob : ndarray of float, shape (n,)
        Of at most a dozen samples.
    phi : Metric

    Returns
    -------
    ndarray of float, shape (2**n,)
        At index s those are called positive whose bit in s is 1; the first sample has the highest
        bit.
    """
    n = prob.size
    # of every subset, the law of its number of positives; the rest of it is found from behind
    laws = np.ones((1, 1))
    for yes in prob[::-1]:
        without = np.pad(laws, ((0, 0), (0, 1)))
        taken = without * (1 - yes)
        taken[:, 1:] += laws * yes
        laws = np.concatenate((without, taken))
    rest = laws[::-1]
    size = ((np.arange(2**n)[:, None] >> np.arange(n)) & 1).sum(axis=1)
    utilities = np.empty(2**n)
    for k in range(n + 1):
        tp, fn = np.arange(k + 1.0)[:, None], np.arange(n - k + 1.0)
        value = phi.at_counts(tp, float(k), tp + fn, float(n))
        these = size == k
        hits, misses = laws[these, : k + 1], rest[these, : n - k + 1]
        utilities[these] = ((hits @ value) * misses).sum(axis=1)
    return utilities
