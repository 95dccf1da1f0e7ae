"""Exercises on naive Bayes that ranks like an order, and on the probabilities of LexProb."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from rocviz.core.calibration.calibration import calibration_map
from rocviz.core.lexicographic.lexicographic import lex_order, lexicographic_rank
from rocviz.core.lexicographic.tree import lexicographic_tree
from rocviz.core.roc.segments import RankedSegments
from rocviz.datasets import load_flach_matsubara
from rocviz.exercises._base import Exercise, Quantity, Vector

# ---------------------------------------------------------------------- leaves that are joined


def _tree() -> Any:
    X, y = load_flach_matsubara(return_X_y=True)
    return lexicographic_tree(X, y, lex_order(X, y, order=[1, 0], preferred=[1, 1]))


def _first_two_joined() -> Any:
    pos, neg = _tree().pos.copy(), _tree().neg.copy()
    for side in (pos, neg):
        side[1:3] = side[1:3].sum()
    return (pos + 1) / (pos + neg + 2)


JOINED_LEAVES = Vector(
    name="joined_leaves",
    question=(
        "The twenty instances in a perverse order: first A2 = 1, then A1 = 1. Which probabilities "
        "does LexProb give to its leaves, from left to right?"
    ),
    parts="four probabilities, from the left leaf to the right one",
    solve=lambda: _tree().probability(),
    hint=(
        "Write down the counts of the leaves in this order, join neighbours until the shares of "
        "positives fall, then add one to both counts of each segment."
    ),
    why=(
        "Where the order is wrong, leaves are joined that have nothing in common. Their order is "
        "lost, and their probability is the share of positives in all of them together."
    ),
    mistakes={
        "Those are the proportions as they are. Laplace's correction is missing.": lambda: (
            _tree().probability(m=0)
        ),
        "Each leaf has its own probability there, "
        "and they do not fall from left to right.": lambda: (
            (_tree().pos + 1) / (_tree().pos + _tree().neg + 2)
        ),
        "A good start. "
        "But the joined leaves are still below what follows: go on.": _first_two_joined,
        "You corrected each leaf, then joined them. Join first and correct the segment once.": (
            lambda: np.append(_tree().probability()[0], np.full(3, (7 + 3) / (16 + 2 * 3)))
        ),
        "The first is right. "
        "Add up the positives and negatives of the leaves that you joined.": lambda: np.append(
            _tree().probability()[0], np.full(3, 0.5)
        ),
        "You joined all leaves. The hull does not go further than it must.": lambda: np.full(
            4, 0.5
        ),
        "Those are the probabilities of the segments. "
        "Give one for each of the four leaves.": lambda: np.unique(_tree().probability())[::-1],
    },
)

# ---------------------------------------------------------------------- weights like an order

_LATER = (5, 3, 1)


@lru_cache
def _smallest_weight() -> int:
    patterns = np.array(list(product((0, 1), repeat=1 + len(_LATER))))
    wanted = lexicographic_rank(patterns, order=range(4), preferred=[1] * 4)
    weight = 1
    while not np.array_equal(_ranks(patterns @ np.array([weight, *_LATER])), wanted):
        weight += 1
    return weight


def _ranks(score: Any) -> Any:
    return np.unique(-score, return_inverse=True)[1] + 1


SMALLEST_WEIGHT = Quantity(
    name="smallest_weight",
    question=(
        "Naive Bayes on four attributes with log odds ratios w, 5, 3 and 1. Which is the smallest "
        "whole number w for which it ranks all patterns like the order, without ties?"
    ),
    solve=_smallest_weight,
    hint="What is the most that the three later attributes can say together?",
    why=(
        "The first one has to outweigh all later ones together, and so has each of the others. "
        "Powers of two do it with the smallest whole numbers."
    ),
    mistakes={
        "Then the first ties with all the others together.": lambda: sum(_LATER),
        "It outweighs each of the others alone. And if they agree against it?": lambda: (
            max(_LATER) + 1
        ),
        "That is enough for the later weights four, two and one. These are larger.": lambda: (
            2 ** len(_LATER)
        ),
    },
)

# ---------------------------------------------------------------------- a pattern that is new

_SEEN = RankedSegments(
    score=np.array([0b111, 0b110, 0b010, 0b000], dtype=np.float64),
    pos=np.array([6.0, 3.0, 2.0, 0.0]),
    neg=np.array([1.0, 1.0, 4.0, 5.0]),
)
_NEW = 0b100


def _probability_of(pattern: int, **setting: Any) -> float:
    return float(calibration_map(_SEEN, **setting)(np.array([float(pattern)]))[0])


UNSEEN_PATTERN = Exercise(
    name="unseen_pattern",
    question=(
        "LexProb saw four patterns, best first: 111 (6 positives, 1 negative), 110 (3 and 1), 010 "
        "(2 and 4), 000 (0 and 5). Its curve is convex. Which probability does the new pattern "
        "100 get?"
    ),
    solve=lambda: _probability_of(_NEW, m=2.0),
    hint="Between which two of the four does it lie in the order? It gets what the lower one has.",
    why="It lies below the segment that ends with the pattern before it, so it joins the next one.",
    mistakes={
        "That is the segment above it. "
        "Its lowest pattern is still better than the new one.": lambda: _probability_of(
            0b110, m=2.0
        ),
        "The segment is right. Add one to both of its counts.": lambda: _probability_of(
            _NEW, m=0.0
        ),
        "This pattern was never seen, but its neighbours in the order were.": lambda: 0.5,
        "LexProb takes no mean of two segments. It takes the probability of one of them.": lambda: (
            _probability_of(_NEW, m=2.0, interpolation="linear")
        ),
    },
)
