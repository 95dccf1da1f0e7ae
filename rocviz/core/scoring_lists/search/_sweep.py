"""A threshold that falls through one feature: who moves when, and a bound of the loss after it.

As the threshold falls, samples move one after the other from their total to another one. What
that changes is a matter of two totals, so one pass bounds the loss of every threshold. Knows
nothing of pooling or searching.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr

from rocviz.core.base.validation import Floats
from rocviz.core.scoring_lists.search._columns import Ints
from rocviz.core.scoring_lists.search._labels import CELLS
from rocviz.core.scoring_lists.search.stage_loss import StageLoss


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

    def before(self) -> Iterator[tuple[slice, NDArray[Any]]]:
        """Yield blocks of samples: their slice, and counts of what is above each of them."""
        kind: Any = np.int32 if self.weight is None else np.float64
        size = 2 * self.width
        rows = max(1, CELLS // size)
        carried = np.zeros(size, dtype=kind)
        for first in range(0, self.code.size, rows):
            code = self.code[first : first + rows]
            part = slice(first, first + code.size)
            counts = np.zeros((code.size + 1, size), dtype=kind)
            counts[0] = carried
            counts[np.arange(code.size) + 1, code] = 1 if self.weight is None else self.weight[part]
            np.cumsum(counts, axis=0, out=counts)
            carried = counts[-1]
            yield part, counts[:-1].reshape(code.size, 2, self.width)


#: From a sweep and scores to a lower bound of ``n_samples`` times the loss (for the rank loss:
#: ``n_pos * n_neg`` times) before and after each sample, shape (n_samples + 1, n_scores).
Bound = Callable[[Sweep, Ints], Floats]

#: From counts of a sample's own class and of the other one, where it is and where it comes to,
#: and its weight and class, to what its move adds to the bound.
_Change = Callable[..., Floats]


def bound_of(kind: StageLoss, cost_fn: float, n_counted: int | None) -> Bound | None:
    """Return the bound that goes with a loss; there is none for a function of the user's.

    ``n_counted`` is the number of samples if none has a weight.
    """
    if callable(kind):
        return None
    if kind == "rank":
        return _rank_after
    term = _TERMS[kind]
    change = _change_of(lambda own, other, side: term(own, other, side, cost_fn))
    if kind == "entropy" and n_counted is not None:
        change = _counted_entropy(n_counted)
    return lambda sweep, scores: _cells_after(
        sweep,
        scores,
        float(term(sweep.base[1], sweep.base[0], 1, cost_fn).sum()),
        change,
    )


# What a total by itself adds to the loss, by the weight of one class and of the other; nothing
# where nobody is. These are concave, so pooling totals can only add to their sum.
_TERMS: dict[str, Callable[..., Floats]] = {
    "entropy": lambda own, other, side, cost: (
        (entr(own) + entr(other) - entr(own + other)) / np.log(2)
    ),
    "brier": lambda own, other, side, cost: (
        own * (other / np.maximum(own + other, np.finfo(np.float64).tiny))
    ),
    "cost": lambda own, other, side, cost: np.minimum(
        np.where(side, cost, 1.0) * own, np.where(side, 1.0, cost) * other
    ),
}


def _change_of(term: Callable[[Any, Any, Any], Floats]) -> _Change:
    def change(source: Any, beside: Any, target: Any, there: Any, weight: Any, side: Any) -> Floats:
        # rounding may have taken more from a total than was there
        left, there = np.maximum(source - weight, 0), np.maximum(there, 0)
        beside, target = np.maximum(beside, 0), np.maximum(target, 0)
        return np.asarray(
            term(left, beside, side)
            - term(left + weight, beside, side)
            + term(target + weight, there, side)
            - term(target, there, side)
        )

    return change


def _counted_entropy(n: int) -> _Change:
    """Return the change of the entropy for whole numbers, looked up in a table."""
    step = np.diff(-entr(np.arange(n + 1.0)) / np.log(2), prepend=0.0)

    def change(source: Any, beside: Any, target: Any, there: Any, *_: Any) -> Floats:
        found = step.take(source)
        found -= step.take(source + beside)
        found += step.take(target + there + 1)
        found -= step.take(target + 1)
        return np.asarray(found)

    return change


def _standing(
    base: NDArray[Any], block: NDArray[Any], side: Ints, at: Ints, scores: Ints
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return what stands of a class where each sample is, and where it would come to.

    Parameters
    ----------
    base : ndarray, shape (2, width)
        By class and total, when nobody has moved.
    block : ndarray, shape (n_samples, 2, width)
        The part of it that has moved before each sample.
    side : ndarray of int, shape (n_samples,)
        The class that is asked for.
    at : ndarray of int, shape (n_samples,)
        Each sample's total.
    scores : ndarray of int, shape (n_scores,)
        By which the others have moved; a higher total is a smaller index.

    Returns
    -------
    source, target : ndarray, shape (n_samples, n_scores)
    """
    width = base.shape[1]
    own = (side * width + at)[:, None]
    flat = block.reshape(-1)
    row = own + (np.arange(at.size) * 2 * width)[:, None]
    here = flat.take(row)
    source = base.take(own) - here + flat.take(row + scores)
    target = base.take(own - scores) - flat.take(row - scores) + here
    return source, target


def _cells_after(sweep: Sweep, scores: Ints, at_first: float, change: _Change) -> Floats:
    """Return the sum of the terms of all totals after each sample has moved."""
    base = sweep.base if sweep.weight is not None else sweep.base.astype(np.int32)
    after = np.empty((sweep.code.size + 1, scores.size))
    after[0] = at_first
    for part, block in sweep.before():
        side, at = np.divmod(sweep.code[part], sweep.width)
        source, target = _standing(base, block, side, at, scores)
        beside, there = _standing(base, block, 1 - side, at, scores)
        weight = 1 if sweep.weight is None else sweep.weight[part, None]
        after[part.start + 1 : part.stop + 1] = change(
            source, beside, target, there, weight, side[:, None]
        )
    return np.cumsum(after, axis=0)


def _rank_after(sweep: Sweep, scores: Ints) -> Floats:
    """Return the weight of pairs in wrong order after each sample has moved."""
    # half of those at a total count as above it
    half = np.cumsum(sweep.base, axis=1) - sweep.base / 2
    after = np.empty((sweep.code.size + 1, scores.size))
    after[0] = sweep.base[1] @ half[0]
    for part, block in sweep.before():
        side, at = np.divmod(sweep.code[part], sweep.width)
        above = np.cumsum(block, axis=2) - block / 2
        source, target = _standing(half, above, 1 - side, at, scores)
        weight = np.ones(at.size) if sweep.weight is None else sweep.weight[part]
        # positives lose to negatives above them, negatives win over positives above them
        after[part.start + 1 : part.stop + 1] = (np.where(side, weight, -weight)[:, None]) * (
            target - source
        )
    return np.cumsum(after, axis=0)
