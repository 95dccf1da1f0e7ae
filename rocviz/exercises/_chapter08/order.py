"""Exercises on what an order of attributes is, and which order LexRank takes."""

from __future__ import annotations

from itertools import product

import numpy as np

from rocviz.core.lexicographic.lexicographic import lex_order, lexicographic_rank
from rocviz.core.roc.isometrics import metric_value
from rocviz.exercises._base import Choice, Exercise, Quantity

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
    mistakes={
        "So many are worse. "
        "(Or did you read the pattern from its end?) How many are better?": lambda: (
            2 ** len(_FLIGHT) - _place(_FLIGHT)
        ),
        "That is its place. How many come before it?": lambda: _place(_FLIGHT),
        "Those are the direct flights. Some others are better, too.": lambda: (
            2 ** (len(_FLIGHT) - 1)
        ),
        "Those have more wishes fulfilled. An order does not count wishes.": (
            lambda: sum(sum(each) > sum(_FLIGHT) for each in product((0, 1), repeat=4))
        ),
        "Those are the flights of the table. "
        "All patterns that there can be are asked for.": lambda: 4,
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
    mistakes={
        "More people smoke than cough. "
        "But does an odds ratio grow with the number of people?": lambda: "smokes",
        "Each likelihood ratio is a share of positives over a share of negatives. Work out both "
        "odds ratios.": lambda: _TIE,
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
    mistakes={
        "That keeps the distance from the diagonal. The isometric is no straight line.": lambda: (
            _OTHER_FPR + _KNOWN_TPR - _KNOWN_FPR
        ),
        "That keeps the likelihood ratio of the preferred value, "
        "and leaves the unit square.": lambda: _OTHER_FPR * _KNOWN_TPR / _KNOWN_FPR,
        "That keeps the likelihood ratio of the other value. The odds ratio takes both.": lambda: (
            1 - (1 - _OTHER_FPR) * (1 - _KNOWN_TPR) / (1 - _KNOWN_FPR)
        ),
        "Those are the odds. Turn them back into a share.": lambda: (
            _same_odds_ratio() / (1 - _same_odds_ratio())
        ),
    },
)
