"""Exercises on the convex hull."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.roc.segments import RankedSegments
from rocviz.exercises._base import Exercise, Unreadable
from rocviz.exercises._chapter01.data import lexicographic, tree


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
        if not np.allclose(given.sum(axis=0), expected.sum(axis=0)):
            return (
                "Your segments do not hold every instance once: the positives must add up to "
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


HULL_SEGMENTS = _Segments(
    name="hull_segments",
    question=(
        "Which segments has the convex hull of the lexicographic ranking's curve? Give a list "
        "of pairs (positives, negatives), best segment first."
    ),
    solve=lambda: _pairs(lexicographic().hull()),
    hint=(
        "Walk along the ranking. Wherever a segment is followed by one with a larger share of "
        "positives, join the two by adding their counts; then compare the joined segment with "
        "its neighbours again, until the shares only fall."
    ),
    why=(
        "Joining gave up the wrong order inside a segment, and nothing that any costs could "
        "have asked for."
    ),
    mistakes=(
        (
            lambda: _pairs(lexicographic()),
            "These are the segments of the ranking itself; its curve is not convex yet. Which "
            "neighbours are in the wrong order?",
        ),
        (
            lambda: _pairs(lexicographic().hull())[:, ::-1],
            "Positives come first in each pair, negatives second.",
        ),
        (
            lambda: _pairs(lexicographic().hull())[::-1],
            "The segments are right; put the best one, at the top of the ranking, first.",
        ),
        (
            lambda: _pairs(lexicographic().hull()).T,
            "Group by segment: each pair is the positives and the negatives of one segment.",
        ),
        (
            lambda: _pairs(lexicographic().coarsen(0)),
            "A good start. Now compare the joined segment with the one after it.",
        ),
        (
            lambda: _pairs(tree()),
            "That is the tree's ranking. The lexicographic one puts both cells with A2 = 0 first.",
        ),
    ),
)
