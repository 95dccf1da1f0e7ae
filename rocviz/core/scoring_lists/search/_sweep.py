"""A threshold that falls through one feature: who is above it, by class and total.

Knows nothing of losses or searching.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.scoring_lists.search._columns import Ints

#: Up to so many counts those of all cuts are kept: they are asked for again and again.
FEW = 1 << 13

_CLASSES = np.arange(2)


class Sweep:
    """One feature with one default score, at one stage: its samples in falling order.

    Totals are indexed from the highest down and begin at index ``reach``, so that every score
    leads to an index there is. ``base`` counts negatives and positives by total, shape
    (2, width), when nobody is above the threshold yet, and ``gaps`` those of missing values;
    ``code`` numbers these cells.
    """

    def __init__(
        self, code: Ints, weight: Floats | None, base: Floats, gaps: Floats, boundary: Ints
    ) -> None:
        self.base = base
        self.gaps = gaps
        self.width = base.shape[1]
        self.code = code
        self.weight = weight
        self.boundary = boundary

    def above(self, cuts: Ints) -> Floats:
        """Return the counts of negatives and of positives above cuts, shape (n, 2, width).

        Rows of ``cuts`` are one cut of the negatives and one of the positives.
        """
        if self.boundary.size * self.base.size <= FEW:
            found: Floats = self._every[cuts, _CLASSES]
            return found
        wanted = np.zeros(self.boundary.size, dtype=np.bool_)
        wanted[cuts] = True
        row = np.cumsum(wanted) - 1
        found = self.moved(np.flatnonzero(wanted))[row[cuts], _CLASSES]
        return found

    def not_above(self, cuts: Ints) -> Floats:
        """Return the counts of all others: what :meth:`above` leaves of ``base``, less rounding."""
        return self.gaps + self._rising.above(self.boundary.size - 1 - cuts)

    @cached_property
    def _rising(self) -> Sweep:
        """The same samples in rising order."""
        weight = None if self.weight is None else self.weight[::-1]
        boundary = self.boundary[-1] - self.boundary[::-1]
        return Sweep(self.code[::-1], weight, self.base, self.gaps, boundary)

    @cached_property
    def _every(self) -> Floats:
        return self.moved(np.arange(self.boundary.size))

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
