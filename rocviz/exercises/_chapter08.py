"""Exercises of notebook 08, attributes in an order of preference."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np

from rocviz.core.calibration.calibration import calibration_map
from rocviz.core.lexicographic.lexicographic import lex_order, lexicographic_rank
from rocviz.core.lexicographic.tree import lexicographic_tree
from rocviz.core.roc.isometrics import metric_value
from rocviz.core.roc.segments import RankedSegments
from rocviz.datasets import load_flach_matsubara
from rocviz.exercises._base import Choice, Exercise, Quantity, Vector

# ---------------------------------------------------------------------- flights

_FLIGHT = (0, 0, 1, 1)


def _place(flight: tuple[int, ...]) -> int:
    patterns = list(product((0, 1), repeat=len(flight)))
    everywhere = [1] * len(flight)
    ranks = lexicographic_rank(patterns, order=range(len(flight)), preferred=everywhere)
    return int(ranks[patterns.index(flight)])


BETTER_FLIGHTS = Quantity(
    name="better_flights",
    question=(
        "Flights are compared as above: direct, cheap, bag, wifi, in this order, yes is better. A "
        "flight has bag and wifi, nothing else. How many of all possible patterns of yes and no "
        "are better than its own?"
    ),
    solve=lambda: _place(_FLIGHT) - 1,
    hint="Write the flight as a pattern of zeros and ones. Which patterns, as numbers, are larger?",
    why=(
        "A pattern read as a binary number says how many are worse. All the direct flights are "
        "better, whatever else they lack."
    ),
    mistakes=lambda: {
        "So many are worse. (Or did you read the pattern from its end?) How many are better?": (
            2 ** len(_FLIGHT) - _place(_FLIGHT)
        ),
        "That is its place. How many come before it?": _place(_FLIGHT),
        "Those are the direct flights. Some others are better, too.": 2 ** (len(_FLIGHT) - 1),
        "Those have more wishes fulfilled. An order does not count wishes.": sum(
            sum(each) > sum(_FLIGHT) for each in product((0, 1), repeat=4)
        ),
        "Those are the flights of the table. All patterns that there can be are asked for.": 4,
    },
)


# ---------------------------------------------------------------------- a rare value

_POS, _NEG = 40, 60
_COUNTS = {"smokes": (24, 12), "coughs": (8, 1)}  # positives and negatives that have it
_TIE = "equal"


def _comes_first() -> str:
    X = np.zeros((_POS + _NEG, len(_COUNTS)), dtype=np.uint8)
    for j, (pos, neg) in enumerate(_COUNTS.values()):
        X[:pos, j] = 1
        X[_POS : _POS + neg, j] = 1
    y = np.arange(_POS + _NEG) < _POS
    found = lex_order(X, y)
    if np.allclose(*found.odds_ratio):
        return _TIE
    return list(_COUNTS)[int(found.order[0])]


RARE_VALUE = Choice(
    name="rare_value",
    question=(
        "Of 40 positives and 60 negatives, 24 positives and 12 negatives have one attribute "
        "(smokes); 8 positives and 1 negative have the other (coughs). Which one does LexRank put "
        "first, with its usual smoothing, or are their odds ratios equal?"
    ),
    choices=(*_COUNTS, _TIE),
    solve=_comes_first,
    hint="Work out both odds ratios, with one added to each count.",
    why=(
        "Its value is rare but hardly ever wrong, and the odds ratio does not depend on how many "
        "samples have it."
    ),
    mistakes=lambda: {
        "More people smoke than cough. "
        "But does an odds ratio grow with the number of people?": "smokes",
        "Each likelihood ratio is a share of positives over a share of negatives. Work out both "
        "odds ratios.": _TIE,
    },
)


# ---------------------------------------------------------------------- one isometric

_KNOWN_FPR, _KNOWN_TPR, _OTHER_FPR = 0.2, 0.6, 0.5


def _same_odds_ratio() -> float:
    ratio = float(metric_value("odds_ratio", _KNOWN_FPR, _KNOWN_TPR))
    odds = ratio * _OTHER_FPR / (1 - _OTHER_FPR)
    return odds / (1 + odds)


SAME_ISOMETRIC = Exercise(
    name="same_isometric",
    question=(
        "An attribute's preferred value is found in 60 % of the positives and 20 % of the "
        "negatives. Another one's in 50 % of the negatives. In which share of the positives, if "
        "both have the same odds ratio?"
    ),
    solve=_same_odds_ratio,
    hint=(
        "Turn each share into odds, share to rest. The odds ratio is the odds among positives "
        "over the odds among negatives."
    ),
    why=(
        "The isometric is a curve: near its ends, both rates move together and the odds ratio "
        "stays."
    ),
    mistakes=lambda: {
        "That keeps the distance from the diagonal. The isometric is no straight line.": (
            _OTHER_FPR + _KNOWN_TPR - _KNOWN_FPR
        ),
        "That keeps the likelihood ratio of the preferred value, "
        "and leaves the unit square.": _OTHER_FPR * _KNOWN_TPR / _KNOWN_FPR,
        "That keeps the likelihood ratio of the other value. The odds ratio takes both.": (
            1 - (1 - _OTHER_FPR) * (1 - _KNOWN_TPR) / (1 - _KNOWN_FPR)
        ),
        "Those are the odds. Turn them back into a share.": (
            _same_odds_ratio() / (1 - _same_odds_ratio())
        ),
    },
)


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
    mistakes=lambda: {
        "Those are the proportions as they are. Laplace's correction is missing.": (
            _tree().probability(m=0)
        ),
        "Each leaf has its own probability there, and they do not fall from left to right.": (
            (_tree().pos + 1) / (_tree().pos + _tree().neg + 2)
        ),
        "A good start. "
        "But the joined leaves are still below what follows: go on.": _first_two_joined(),
        "You corrected each leaf, then joined them. Join first and correct the segment once.": (
            np.append(_tree().probability()[0], np.full(3, (7 + 3) / (16 + 2 * 3)))
        ),
        "The first is right. Add up the positives and negatives of the leaves that you joined.": (
            np.append(_tree().probability()[0], np.full(3, 0.5))
        ),
        "You joined all leaves. The hull does not go further than it must.": (np.full(4, 0.5)),
        "Those are the probabilities of the segments. "
        "Give one for each of the four leaves.": np.unique(_tree().probability())[::-1],
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
    mistakes=lambda: {
        "Then the first ties with all the others together.": sum(_LATER),
        "It outweighs each of the others alone. And if they agree against it?": max(_LATER) + 1,
        "That is enough for the later weights four, two and one. These are larger.": (
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
    mistakes=lambda: {
        "That is the segment above it. Its lowest pattern is still better than the new one.": (
            _probability_of(0b110, m=2.0)
        ),
        "The segment is right. Add one to both of its counts.": (_probability_of(_NEW, m=0.0)),
        "This pattern was never seen, but its neighbours in the order were.": 0.5,
        "LexProb takes no mean of two segments. It takes the probability of one of them.": (
            _probability_of(_NEW, m=2.0, interpolation="linear")
        ),
    },
)

#: In the order of the notebook.
EXERCISES = (
    BETTER_FLIGHTS,
    RARE_VALUE,
    SAME_ISOMETRIC,
    JOINED_LEAVES,
    SMALLEST_WEIGHT,
    UNSEEN_PATTERN,
)
