"""Exercises on the convex hull and the probabilities it gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.calibration.calibration import hull_map
from rocviz.core.roc.segments import RankedSegments
from rocviz.exercises._base import Exercise, Unreadable, Vector
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


def _lexprob(m: float, segments: RankedSegments | None = None) -> NDArray[np.float64]:
    segments = lexicographic().hull() if segments is None else segments
    return np.asarray((segments.pos + m / 2) / (segments.n + m))


PROBABILITIES = Vector(
    name="hull_probabilities",
    question=(
        "Which probability of being positive does each hull segment predict, with Laplace's "
        "correction (one more positive and one more negative in every segment)? Best segment "
        "first."
    ),
    parts="one number for each hull segment, in square brackets, best segment first",
    # the hull's own map, read off at the segments it was made from
    solve=lambda: hull_map(lexicographic(), m=2)(lexicographic().hull().score),
    hint="Take the counts of each hull segment, add one to both, and then divide.",
    why=(
        "The correction pulls every proportion towards one half, and the smaller the segment "
        "the harder: a few instances are little evidence."
    ),
    mistakes=(
        (
            lambda: _lexprob(0),
            "Those are the proportions as they are. The correction adds one positive and one "
            "negative to each segment first.",
        ),
        (lambda: _lexprob(2)[::-1], "The numbers are right; the best segment's comes first."),
        (lambda: 1 - _lexprob(2), "Those are the probabilities of being negative."),
        (
            lambda: (lexicographic().hull().pos + 1) / (lexicographic().hull().n + 1),
            "The denominator grows as well, by the positive and the negative that were added.",
        ),
        (
            lambda: _lexprob(2, lexicographic()),
            "Those are the ranking's own segments. Join them to the hull's first.",
        ),
        (
            lambda: _lexprob(0, lexicographic()),
            "Those are the ranking's own segments, uncorrected. Join them to the hull's first.",
        ),
    ),
)
