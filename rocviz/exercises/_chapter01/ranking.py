"""Exercises on one threshold, on areas, and on what calibration does to them."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocviz.core.calibration.calibration import calibration_map
from rocviz.core.roc.confusion import ConfusionTable
from rocviz.core.roc.segments import RankedSegments
from rocviz.datasets import load_flach_matsubara
from rocviz.exercises._base import Choice, Exercise, Mistakes, Vector
from rocviz.exercises._chapter01.data import area, lexicographic, tree

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
    mistakes={
        "The numbers are the right ones, in the wrong order: false alarms go along the horizontal "
        "axis and come first.": lambda: _rates("tpr", "fpr"),
        "Give fractions between 0 and 1 instead of per cent.": lambda: np.multiply(_rates(), 100),
        "Those are counts. Divide each by the size of its own class.": lambda: [
            _both_values_equal().fp,
            _both_values_equal().tp,
        ],
        "You divided by all people. A rate is a share of its own class: false alarms of the "
        "negatives, finds of the positives.": (
            lambda: np.array([_both_values_equal().fp, _both_values_equal().tp]) / 20
        ),
        "Those are shares of the people called positive. Take shares of the negatives and of the "
        "positives there are.": lambda: _rates("false_discovery_rate", "precision"),
        "That is the classifier that says the opposite: look again at which cells are called "
        "positive.": lambda: _rates("tnr", "fnr"),
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
        mistakes={
            f"You gave tied pairs nothing. {_TIED}": lambda: area(ranking(), 0.0),
            f"You counted tied pairs as won. {_TIED}": lambda: area(ranking(), 1.0),
            "That is the area with the ranking turned round (add up the positives that come before "
            "a negative, not after it).": lambda: 1 - ranking().auc,
            "That is a number of pairs, or per cent. Divide by how many pairs there are.": lambda: (
                ranking().auc * ranking().n_pos * ranking().n_neg
            ),
            **more,
        },
    )


TREE_AUC = _area_exercise(
    "tree_auc",
    "The tree's four leaves are ranked by their share of positives. What is the AUC?",
    tree,
    "The area counts pairs in the right order, so it needs the ranking and no probability.",
    {
        "That is the share of right decisions at one threshold. The area looks at pairs and "
        "needs no threshold.": (
            lambda: max(tree().at_threshold(t).accuracy for t in tree().thresholds)
        ),
        "That is the area of the lexicographic ranking. The tree may put its leaves in any order: "
        "best leaf first.": lambda: lexicographic().auc,
        "That is the area with the leaves in the order of their numbers. Put the leaf with the "
        "largest share of positives first.": lambda: _in_order(1, 2),
    },
)

LEXICOGRAPHIC_AUC = _area_exercise(
    "lexicographic_auc",
    "Now look at A2 first and prefer 0; among equals prefer A1 = 1. This ranks the same four "
    "cells in another order. What is the AUC?",
    lexicographic,
    "With the same four cells it falls short of the tree, which may order its leaves freely.",
    {
        "That is the tree's order again. Here A2 decides first: both cells with A2 = 0 come before "
        "both with A2 = 1.": lambda: tree().auc,
        "That is the area under the convex hull. "
        "The question is about the ranking as it is.": lambda: lexicographic().hull().auc,
        "A2 comes first, and 0 is preferred; "
        "but among equals A1 = 1 is preferred, not A1 = 0.": lambda: _in_order(1, 2),
        "You looked at A1 first. "
        "Here A2 decides, and A1 only among those who are equal in A2.": lambda: _in_order(-2, 1),
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
    mistakes={
        "The area can only grow where the hull fills a dent. Does this curve have one?": lambda: (
            "rise"
        ),
        "The hull never lies below the curve, so its area is never smaller.": lambda: "fall",
    },
)
