"""Exercises of notebook 01, classification and ranking."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.calibration.calibration import calibration_map
from rocviz.core.roc.confusion import ConfusionTable
from rocviz.core.roc.segments import RankedSegments
from rocviz.datasets import load_flach_matsubara
from rocviz.exercises._base import Choice, Exercise, Mistakes, Unreadable, Vector


@lru_cache(maxsize=1)
def tree() -> RankedSegments:
    """Rank the leaves of the tree (one per cell), by their share of positives."""
    X, y = load_flach_matsubara(return_X_y=True)
    cell = 2 * X[:, 0] + X[:, 1]
    share = np.bincount(cell, weights=y) / np.bincount(cell)
    return RankedSegments.from_scores(y, share[cell])


@lru_cache(maxsize=1)
def lexicographic() -> RankedSegments:
    """Rank by A2 first, with 0 preferred; then A1, with 1 preferred."""
    X, y = load_flach_matsubara(return_X_y=True)
    return RankedSegments.from_scores(y, 2 * (X[:, 1] == 0) + (X[:, 0] == 1))


#: Positives and negatives of four groups, from the top of the ranking down.
FOUR_GROUPS = ((2, 2), (6, 2), (1, 6), (2, 6))


@lru_cache(maxsize=1)
def four_groups() -> RankedSegments:
    """Rank four groups that are given by their counts."""
    pos, neg = np.array(FOUR_GROUPS, dtype=float).T
    return RankedSegments(-np.arange(pos.size), pos, neg)


def area(segments: RankedSegments, tie: float) -> float:
    """AUC in which a tied pair counts ``tie``."""
    pairs = segments.neg * (segments.cumulative_pos[:-1] + tie * segments.pos)
    return float(pairs.sum() / (segments.n_pos * segments.n_neg))


# ---------------------------------------------------------------------- one threshold


def _both_values_equal() -> ConfusionTable:
    """Of calling positive the people with A1 = A2, the two best leaves."""
    return tree().at_threshold(tree().score[1])


def _rates(name_x: str = "fpr", name_y: str = "tpr") -> list[float]:
    table = _both_values_equal()
    return [getattr(table, name_x), getattr(table, name_y)]


OPERATING_POINT = Vector(
    name="operating_point",
    question=(
        "Call a person positive if both attributes are equal (A1 = A2) and negative "
        "otherwise. Where in the ROC plot is this classifier? "
        "Give (false positive rate, true positive rate)."
    ),
    parts="two numbers in round brackets, the false positive rate and the true positive rate",
    solve=_rates,
    hint=(
        "Add up the counts of the two cells that are called positive. Then ask: of all "
        "negatives, which share is among them? And of all positives?"
    ),
    why=(
        "Each rate looks at one class only, so neither would change if there were twice as "
        "many negatives of the same kind."
    ),
    mistakes=lambda: {
        "The numbers are the right ones, in the wrong order: false alarms go along the horizontal "
        "axis and come first.": _rates("tpr", "fpr"),
        "Give fractions between 0 and 1 instead of per cent.": np.multiply(_rates(), 100),
        "Those are counts. Divide each by the size of its own class.": (
            [
                _both_values_equal().fp,
                _both_values_equal().tp,
            ]
        ),
        "You divided by all people. A rate is a share of its own class: false alarms of the "
        "negatives, finds of the positives.": (
            np.array([_both_values_equal().fp, _both_values_equal().tp]) / 20
        ),
        "Those are shares of the people called positive. Take shares of the negatives and of the "
        "positives there are.": _rates("false_discovery_rate", "precision"),
        "That is the classifier that says the opposite: look again at which cells are called "
        "positive.": _rates("tnr", "fnr"),
    },
)


# ---------------------------------------------------------------------- areas


def _in_order(a1: int, a2: int) -> float:
    """AUC of the ranking in which A1 and A2 bring these points, fewer points first."""
    X, y = load_flach_matsubara(return_X_y=True)
    return RankedSegments.from_scores(y, -(X @ [a1, a2])).auc


_TIED = (
    "In a leaf that holds both classes neither person of a pair is ranked above the other: "
    "such a pair counts one half."
)


def _area_exercise(name: str, ask: str, ranking: Any, why: str, more: Mistakes) -> Exercise:
    return Exercise(
        name=name,
        question=ask,
        solve=lambda: ranking().auc,
        hint=(
            "Take every pair of a positive and a negative. Count one if the positive is ranked "
            "higher and one half if the two are tied, then divide by the number of pairs."
        ),
        why=why,
        mistakes=lambda: {
            f"You gave tied pairs nothing. {_TIED}": area(ranking(), 0.0),
            f"You counted tied pairs as won. {_TIED}": area(ranking(), 1.0),
            "That is the area with the ranking turned round (add up the positives that come before "
            "a negative, not after it).": 1 - ranking().auc,
            "That is a number of pairs, or per cent. Divide by how many pairs there are.": (
                ranking().auc * ranking().n_pos * ranking().n_neg
            ),
            **more(),
        },
    )


TREE_AUC = _area_exercise(
    "tree_auc",
    "The tree's four leaves are ranked by their share of positives. What is the AUC?",
    tree,
    "The area counts pairs in the right order, so it needs the ranking and no probability.",
    lambda: {
        "That is the share of right decisions at one threshold. The area looks at pairs and "
        "needs no threshold.": max(tree().at_threshold(t).accuracy for t in tree().thresholds),
        "That is the area of the lexicographic ranking. The tree may put its leaves in any order: "
        "best leaf first.": lexicographic().auc,
        "That is the area with the leaves in the order of their numbers. Put the leaf with the "
        "largest share of positives first.": _in_order(1, 2),
    },
)

LEXICOGRAPHIC_AUC = _area_exercise(
    "lexicographic_auc",
    "Now look at A2 first and prefer 0; among equals prefer A1 = 1. This ranks the same four "
    "cells in another order. What is the AUC?",
    lexicographic,
    "With the same four cells it falls short of the tree, which may order its leaves freely.",
    lambda: {
        "That is the tree's order again. Here A2 decides first: both cells with A2 = 0 come before "
        "both with A2 = 1.": tree().auc,
        "That is the area under the convex hull. "
        "The question is about the ranking as it is.": lexicographic().hull().auc,
        "A2 comes first, and 0 is preferred; "
        "but among equals A1 = 1 is preferred, not A1 = 0.": _in_order(1, 2),
        "You looked at A1 first. "
        "Here A2 decides, and A1 only among those who are equal in A2.": _in_order(-2, 1),
    },
)


# ---------------------------------------------------------------------- the convex hull


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
    mistakes=lambda: {
        "These are the segments of the ranking itself; its curve is not convex yet. Which "
        "neighbours are in the wrong order?": _pairs(four_groups()),
        "Positives come first in each pair, negatives second.": (
            _pairs(four_groups().hull())[:, ::-1]
        ),
        "The segments are right; put the best one, at the top of the ranking, first.": _pairs(
            four_groups().hull()
        )[::-1],
        "Group by segment: each pair is the positives and the negatives of one segment.": _pairs(
            four_groups().hull()
        ).T,
        "You sorted the groups. The hull does not move them; it only joins neighbours.": _pairs(
            four_groups()
        )[[1, 0, 3, 2]],
        "The third group has a smaller share of positives than those before it, "
        "so this was the right order and it stays apart from them. "
        "Look at the two last groups.": _pairs(four_groups().coarsen(0).coarsen(0)),
        "You joined the second and the third group, which were in the right order. Which "
        "neighbours are in the wrong order?": _pairs(four_groups().coarsen(1)),
        "A good start with the first two. "
        "Now look for another pair of neighbours in the wrong order.": (
            _pairs(four_groups().coarsen(0))
        ),
        "A good start with the last two. "
        "Now look for another pair of neighbours in the wrong order.": (
            _pairs(four_groups().coarsen(2))
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
    mistakes=lambda: {
        "That is the AUC of the ranking as it stands. Ties made from pairs in the wrong order are "
        "worth more than those pairs were.": four_groups().auc,
        "You gave pairs within a segment nothing. Neither of the two is ranked above the other, so "
        "such a pair counts one half.": area(four_groups().hull(), 0.0),
        "You counted pairs within a segment as won. Neither of the two is ranked above the other, "
        "so such a pair counts one half.": area(four_groups().hull(), 1.0),
        "That is after the first join. Another pair of neighbours is in the wrong order.": (
            four_groups().coarsen(0).auc
        ),
        "That is after one join. Another pair of neighbours is in the wrong order.": four_groups()
        .coarsen(2)
        .auc,
        "That is a number of pairs, or per cent. Divide by how many pairs there are.": (
            four_groups().hull().auc * four_groups().n_pos * four_groups().n_neg
        ),
        "That is the area with the ranking turned round.": 1 - four_groups().hull().auc,
    },
)


# ---------------------------------------------------------------------- predict, then see


def _movement() -> str:
    """Say what becomes of the AUC when the hull's probabilities replace the tree's ranking."""
    after = tree().with_scores(calibration_map(tree(), m=2)(tree().score)).auc
    if abs(after - tree().auc) < 1e-12:
        return "stay"
    return "rise" if after > tree().auc else "fall"


TREE_MOVE = Choice(
    name="tree_auc_calibrated",
    question=(
        "Replace the tree's ranking by the probabilities of its convex hull. Does the AUC on the "
        "same data rise, stay or fall?"
    ),
    choices=("rise", "stay", "fall"),
    solve=_movement,
    hint="Look at the tree's curve: are there neighbours that its hull would join?",
    why="The curve is convex already, so the hull joins nothing and the order is as it was.",
    mistakes=lambda: {
        "The area can only grow where the hull fills a dent. Does this curve have one?": "rise",
        "The hull never lies below the curve, so its area is never smaller.": "fall",
    },
)

#: In the order of the notebook.
EXERCISES = (
    OPERATING_POINT,
    TREE_AUC,
    LEXICOGRAPHIC_AUC,
    HULL_SEGMENTS,
    HULL_AUC,
    TREE_MOVE,
)
