"""Answers to the exercises of notebook 12, more than two classes."""

from __future__ import annotations

import numpy as np

from rocviz.core.multiclass.confusion import ConfusionMatrix
from rocviz.core.multiclass.simplex import label_at_point, point_of_costs, shift_priors
from rocviz.exercises._base import Solution


def called_at_point() -> str:
    """Call one sample at a point."""
    return str(label_at_point([[0.45, 0.35, 0.2]], [0.5, 0.3, 0.2], classes=["A", "B", "C"])[0])


def raised_entry() -> Solution:
    """Compute the largest entry of A, those of B and C being equal, at which A is called."""
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
    right, n = np.array([90, 80, 0]), np.array([100, 100, 10])
    rest = n - right
    counts = np.array([[90, rest[0], 0], [rest[1], 80, 0], [rest[2], 0, 0]], dtype=float)
    matrix = ConfusionMatrix(("A", "B", "C"), counts)
    return matrix.metric("balanced_accuracy"), {
        "accuracy": matrix.accuracy,
        "never_called_left_out": (right / n)[:2].mean(),
        "sum": (right / n).sum(),
    }


def same_as_accuracy() -> str:
    """Find the average that is equal to accuracy, from counts without any pattern."""
    counts = np.array([[5, 1, 2], [0, 4, 1], [3, 1, 9]], dtype=float)
    right, true, called = np.diag(counts), counts.sum(axis=1), counts.sum(axis=0)
    f1 = 2 * right / (true + called)
    averages = {
        "balanced accuracy": (right / true).mean(),
        "macro F1": f1.mean(),
        "weighted F1": (f1 * true).sum() / true.sum(),
        "micro F1": 2 * right.sum() / (true + called).sum(),
    }
    accuracy = right.sum() / counts.sum()
    return next(name for name, one in averages.items() if np.isclose(one, accuracy))


def entry_by_cost() -> Solution:
    """Compute the entry of the class that is dear to miss."""
    cost = 8
    return point_of_costs([1, 1, cost])[2], {
        "wrong_way_round": cost / (2 + cost),
        "two_classes": 1 / (1 + cost),
        "not_divided": 1 / cost,
        "share_of_ten": 1 / (2 + cost),
    }


def moved_shares() -> Solution:
    """Compute the probability of C where C is twice as frequent."""
    p, here, there = np.array([0.5, 0.4, 0.1]), np.array([0.4, 0.4, 0.2]), np.array([0.3, 0.3, 0.4])
    back, by_share = p * here / there, p * there
    return shift_priors(p[None], here, there)[0, 2], {
        "not_divided": p[2] * there[2] / here[2],
        "wrong_way_round": back[2] / back.sum(),
        "old_share_left": by_share[2] / by_share.sum(),
        "as_here": p[2],
    }


def easy_class() -> str:
    """Compare the mean over three pairs with that over the pairs of four classes."""
    before, after = 0.8, np.mean(3 * [0.8] + 3 * [1.0])
    return "rise" if after > before else "stay"
