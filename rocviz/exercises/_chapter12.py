"""Answers to the exercises of notebook 12, more than two classes."""

from __future__ import annotations

import numpy as np

from rocviz.core.multiclass.confusion import ConfusionMatrix
from rocviz.core.multiclass.simplex import label_at_point, point_of_costs, shift_priors
from rocviz.exercises._base import Solution


def predicted_at_point() -> str:
    """Predict the class of a sample by a point."""
    return str(label_at_point([[0.45, 0.35, 0.2]], [0.5, 0.3, 0.2], classes=["A", "B", "C"])[0])


def raised_entry() -> Solution:
    """Compute the largest entry of A, those of B and C being equal, at which A is predicted."""
    a, b, c = 0.5, 0.3, 0.2
    return a / (a + 2 * b), {
        "own_probability": a,
        "against_c": a / (a + 2 * c),
        "not_shared": a / (a + b),
        "entry_of_b": b / (a + 2 * b),
        "half_of_b": a / (a + b / 2),
    }


def balanced_by_hand() -> Solution:
    """Average the recalls of three classes."""
    counts = np.array([[90, 10, 0], [20, 80, 0], [10, 0, 0]], dtype=float)
    matrix = ConfusionMatrix(("A", "B", "C"), counts)
    recalls = np.diag(counts) / counts.sum(axis=1)
    return matrix.metric("balanced_accuracy"), {
        "accuracy": matrix.accuracy,
        "never_predicted_left_out": recalls[:2].mean(),
        "sum": recalls.sum(),
    }


def same_as_accuracy() -> str:
    """Find the average that is equal to accuracy, from counts without any pattern."""
    counts = np.array([[5, 1, 2], [0, 4, 1], [3, 1, 9]], dtype=float)
    right = np.diag(counts)
    true = counts.sum(axis=1)
    predicted = counts.sum(axis=0)
    f1 = 2 * right / (true + predicted)
    averages = {
        "balanced accuracy": (right / true).mean(),
        "macro F1": f1.mean(),
        "weighted F1": (f1 * true).sum() / true.sum(),
        "micro F1": 2 * right.sum() / (true + predicted).sum(),
    }
    accuracy = right.sum() / counts.sum()
    return next(name for name, average in averages.items() if np.isclose(average, accuracy))


def entry_by_cost() -> Solution:
    """Compute the entry of the class whose misses cost most."""
    cost = 8
    return point_of_costs([1, 1, cost])[2], {
        "wrong_way_round": cost / (2 + cost),
        "two_classes": 1 / (1 + cost),
        "not_divided": 1 / cost,
        "share_of_ten": 1 / (2 + cost),
    }


def moved_shares() -> Solution:
    """Compute the probability of C where C is twice as frequent."""
    p = np.array([0.5, 0.4, 0.1])
    old_share = np.array([0.4, 0.4, 0.2])
    new_share = np.array([0.3, 0.3, 0.4])
    wrong_way_round = p * old_share / new_share
    old_share_left = p * new_share
    return shift_priors(p[None], old_share, new_share)[0, 2], {
        "not_divided": p[2] * new_share[2] / old_share[2],
        "wrong_way_round": wrong_way_round[2] / wrong_way_round.sum(),
        "old_share_left": old_share_left[2] / old_share_left.sum(),
        "as_here": p[2],
    }


def easy_class() -> str:
    """Compare the mean over three pairs with that over the pairs of four classes."""
    before = 0.8
    after = np.mean([before, before, before, 1.0, 1.0, 1.0])
    return "rise" if after > before else "stay"
