"""A threshold that falls through one feature: who is above it, by class and total.

Knows nothing of losses or searching.
"""

from __future__ import annotations

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.scoring_lists.search._columns import Ints


class Sweep:
    """One feature with one default score, at one stage: its samples in falling order.

    Totals are indexed from the highest down and begin at index ``reach``, so that every score
    leads to an index there is. ``base`` counts negatives and positives by total, shape
    (2, width), when nobody is above the threshold yet; ``code`` numbers these cells.
    """

    def __init__(
        self, at: Ints, side: Ints, weight: Floats | None, base: Floats, boundary: Ints
    ) -> None:
        self.base = base
        self.width = base.shape[1]
        self.code = side * self.width + at
        self.weight = weight
        self.boundary = boundary

    def moved(self, cuts: Ints) -> Floats:
        """Return the counts of what is above each cut, shape (n_cuts, 2, width); cuts rise."""
        ends = self.boundary[cuts]
        above = int(ends[-1])
        part = np.repeat(np.arange(cuts.size), np.concatenate((ends[:1], np.diff(ends))))
        weight = None if self.weight is None else self.weight[:above]
        size = 2 * self.width
        counts = np.bincount(
            part * size + self.code[:above], weights=weight, minlength=cuts.size * size
        )
        return np.cumsum(counts.reshape(cuts.size, 2, self.width), axis=0, dtype=np.float64)
