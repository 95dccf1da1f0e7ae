"""Answers to the exercises of notebook 08, attributes in an order of preference."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from rocviz.core.calibration.calibration import calibration_map
from rocviz.core.lexicographic.lexicographic import lex_order, lexicographic_rank
from rocviz.core.lexicographic.tree import lexicographic_tree
from rocviz.core.roc.isometrics import metric_value
from rocviz.core.roc.segments import RankedSegments
from rocviz.datasets import load_flach_matsubara
from rocviz.exercises._base import Solution

#: All patterns of four attributes, and their ranks in the order in which yes is better.
_PATTERNS = list(product((0, 1), repeat=4))
_RANKS = lexicographic_rank(_PATTERNS, order=range(4), preferred=[1] * 4)


def better_flights() -> Solution:
    """Count the patterns that are better than that of a flight with bag and wifi."""
    flight = (0, 0, 1, 1)
    place = int(_RANKS[_PATTERNS.index(flight)])
    more_wishes = [pattern for pattern in _PATTERNS if sum(pattern) > sum(flight)]
    return place - 1, {
        "worse": len(_PATTERNS) - place,
        "place": place,
        "direct": sum(pattern[0] for pattern in _PATTERNS),
        "more_wishes": len(more_wishes),
        "of_table": 4,
    }


def rare_value() -> str:
    """Name the attribute that LexRank puts first."""
    counts = {"smokes": (24, 12), "coughs": (8, 1)}  # positives and negatives that have it
    y = np.arange(100) < 40
    X = np.zeros((100, 2), dtype=np.uint8)
    for j, (pos, neg) in enumerate(counts.values()):
        X[:pos, j] = 1
        X[40 : 40 + neg, j] = 1
    order = lex_order(X, y)
    if np.allclose(order.odds_ratio, order.odds_ratio[0]):
        return "equal"
    return list(counts)[int(order.order[0])]


def same_isometric() -> Solution:
    """Find the true positive rate at which another attribute has the same odds ratio."""
    fpr = 0.2
    tpr = 0.6
    other_fpr = 0.5
    odds = float(metric_value("odds_ratio", fpr, tpr)) * other_fpr / (1 - other_fpr)
    return odds / (1 + odds), {
        "same_distance": other_fpr + tpr - fpr,
        "same_ratio": other_fpr * tpr / fpr,
        "same_ratio_of_others": 1 - (1 - other_fpr) * (1 - tpr) / (1 - fpr),
        "odds": odds,
    }


def joined_leaves() -> Solution:
    """Compute LexProb's probabilities of leaves in a perverse order."""
    X, y = load_flach_matsubara(return_X_y=True)
    tree = lexicographic_tree(X, y, lex_order(X, y, order=[1, 0], preferred=[1, 1]))
    answer = tree.probability()
    first = answer[0]
    # with the second and the third leaf joined
    pos = tree.pos.copy()
    neg = tree.neg.copy()
    pos[1:3] = pos[1:3].sum()
    neg[1:3] = neg[1:3].sum()
    corrected_first = (7 + 3) / (16 + 2 * 3)
    return answer, {
        "not_corrected": tree.probability(m=0),
        "not_joined": (tree.pos + 1) / (tree.pos + tree.neg + 2),
        "two_joined": (pos + 1) / (pos + neg + 2),
        "corrected_first": [first, corrected_first, corrected_first, corrected_first],
        "half": [first, 0.5, 0.5, 0.5],
        "all_joined": np.full(4, 0.5),
        "of_segments": np.unique(answer)[::-1],
    }


def smallest_weight() -> Solution:
    """Find the smallest weight with which naive Bayes ranks all patterns like the order."""
    later = (5, 3, 1)

    def ranks(weight: int) -> Any:
        score = np.array(_PATTERNS) @ [weight, *later]
        return np.unique(-score, return_inverse=True)[1] + 1

    weight = next(w for w in range(1, 100) if np.array_equal(ranks(w), _RANKS))
    return weight, {
        "tied": sum(later),
        "more_than_each": max(later) + 1,
        "power_of_two": 2 ** len(later),
    }


def unseen_pattern() -> Solution:
    """Compute LexProb's probability of the pattern 100."""
    known = RankedSegments(
        score=np.array([0b111, 0b110, 0b010, 0b000]),
        pos=np.array([6, 3, 2, 0]),
        neg=np.array([1, 1, 4, 5]),
    )

    def probability(pattern: int, m: float = 2.0, **setting: Any) -> float:
        return float(calibration_map(known, m=m, **setting)([float(pattern)])[0])

    return probability(0b100), {
        "above": probability(0b110),
        "not_corrected": probability(0b100, m=0.0),
        "half": 0.5,
        "mean": probability(0b100, interpolation="linear"),
    }
