"""Exercises on the convex hull."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.roc.segments import RankedSegments
from rocviz.exercises._base import Exercise, Unreadable
from rocviz.exercises._chapter01.data import FOUR_GROUPS, area, four_groups


def _pairs(segments: RankedSegments) -> NDArray[np.float64]:
    return np.column_stack((segments.pos, segments.neg))


@dataclass(frozen=True)
class _Segments(Exercise):
    """A question with segments for an answer: pairs of counts, best segment first."""

    @property
    def wanted(self) -> str:
        return "a list of pairs (positives, negatives), one per segment"

    def read(self, answer: Any) -> NDArray[np.float64]:
        if isinstance(answer, RankedSegments):
            return _pairs(answer)
        numbers = self._numbers(answer)
        if numbers.ndim == 1 and numbers.size == 2:
            numbers = numbers[None, :]
        if numbers.ndim != 2 or numbers.shape[1] != 2:
            raise Unreadable(f"Give {self.wanted}.")
        return np.asarray(numbers)

    def remark(self, given: Any, expected: Any) -> str | None:
        if given.max(initial=0) <= 1:
            return "Those are shares. Give counts: the positives and the negatives of each segment."
        if not np.allclose(given.sum(axis=0), expected.sum(axis=0)):
            return (
                "Your segments do not hold everybody once: the positives must add up to "
                "all positives, the negatives to all negatives."
            )
        if len(given) == 1:
            return "You joined everything: that is the diagonal, and the hull lies above it."
        slopes = given[:, 0] / np.maximum(given.sum(axis=1), 1)
        if (np.diff(slopes) >= 0).any():
            return (
                "Somewhere a segment is followed by one with no smaller share of positives: the "
                "curve still bends the wrong way there. Join those two and look again."
            )
        return None


_GIVEN = ", ".join(str(group) for group in FOUR_GROUPS)

HULL_SEGMENTS = _Segments(
    name="hull_segments",
    question=(
        f"Four groups, from the top of a ranking down, hold (positives, negatives) {_GIVEN}. "
        "Which segments has the convex hull of the ranking's curve? Give a list of pairs "
        "(positives, negatives), best segment first."
    ),
    solve=lambda: _pairs(four_groups().hull()),
    hint=(
        "Walk along the ranking. Wherever a segment is followed by one with a larger share of "
        "positives, join the two by adding their counts; then compare the joined segment with "
        "its neighbours again, until the shares only fall."
    ),
    why=(
        "By joining you gave up an order that was wrong. Whatever errors cost, the corners that "
        "are lost would not have been the best points."
    ),
    mistakes={
        "These are the segments of the ranking itself; its curve is not convex yet. Which "
        "neighbours are in the wrong order?": lambda: _pairs(four_groups()),
        "Positives come first in each pair, negatives second.": lambda: _pairs(
            four_groups().hull()
        )[:, ::-1],
        "The segments are right; put the best one, at the top of the ranking, first.": lambda: (
            _pairs(four_groups().hull())[::-1]
        ),
        "Group by segment: each pair is the positives and the negatives of one segment.": lambda: (
            _pairs(four_groups().hull()).T
        ),
        "You sorted the groups. The hull does not move them; it only joins neighbours.": lambda: (
            _pairs(four_groups())[[1, 0, 3, 2]]
        ),
        "The third group has a smaller share of positives than those before it, "
        "so this was the right order and it stays apart from them. "
        "Look at the two last groups.": lambda: _pairs(four_groups().coarsen(0).coarsen(0)),
        "A good start with the first two. "
        "Now look for another pair of neighbours in the wrong order.": lambda: _pairs(
            four_groups().coarsen(0)
        ),
        "A good start with the last two. "
        "Now look for another pair of neighbours in the wrong order.": lambda: _pairs(
            four_groups().coarsen(2)
        ),
    },
)


HULL_AUC = Exercise(
    name="hull_auc",
    question=(
        f"Four groups, from the top of a ranking down, hold (positives, negatives) {_GIVEN}. What "
        "is the AUC of the ranking's convex hull?"
    ),
    solve=lambda: four_groups().hull().auc,
    hint=(
        "Count pairs as before, with the segments of the hull: a pair within a segment counts one "
        "half."
    ),
    why=(
        "It has risen. A pair in the wrong order counted nothing, and now that it is tied it "
        "counts one half; on new data that gain is not guaranteed."
    ),
    mistakes={
        "That is the AUC of the ranking as it stands. Ties made from pairs in the wrong order are "
        "worth more than those pairs were.": lambda: four_groups().auc,
        "You gave pairs within a segment nothing. Neither of the two is ranked above the other, so "
        "such a pair counts one half.": lambda: area(four_groups().hull(), 0.0),
        "You counted pairs within a segment as won. Neither of the two is ranked above the other, "
        "so such a pair counts one half.": lambda: area(four_groups().hull(), 1.0),
        "That is after the first join. Another pair of neighbours is in the wrong order.": lambda: (
            four_groups().coarsen(0).auc
        ),
        "That is after one join. Another pair of neighbours is in the wrong order.": lambda: (
            four_groups().coarsen(2).auc
        ),
        "That is a number of pairs, or per cent. Divide by how many pairs there are.": (
            lambda: four_groups().hull().auc * four_groups().n_pos * four_groups().n_neg
        ),
        "That is the area with the ranking turned round.": lambda: 1 - four_groups().hull().auc,
    },
)
