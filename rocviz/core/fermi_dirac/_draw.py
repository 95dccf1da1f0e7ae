"""Labels drawn along a ranking, with odds that fall geometrically and a fixed number of positives.

Knows numbers only.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.logistic_levels import scaled


def draw_labels(beta: float, n_pos: int, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw ``n`` labels with odds exp(-beta rank), given that ``n_pos`` of them are positive.

    Of m ranks left with k positives to place, the first is positive with probability (1 - exp(-beta
    k)) / (1 - exp(-beta m)): the sums over all ways to place them are Gaussian binomial
    coefficients, of which neighbours have that ratio. ``beta`` may be negative, or infinite either
    way.
    """
    k = np.arange(float(n + 1))
    # plain numbers in a list: the loop is many times faster than over an array
    room = (k if beta == 0 else -np.expm1(-scaled(abs(beta), k))).tolist()
    left, labels = n_pos, []
    for m, u in zip(range(n, 0, -1), rng.random(n).tolist(), strict=True):
        positive = u * room[m] < room[left]
        labels.append(positive)
        left -= positive
    return np.array(labels if beta >= 0 else labels[::-1], dtype=np.int64)
