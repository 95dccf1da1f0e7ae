"""Answers to the exercises of notebook 01, classification and ranking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.calibration.calibration import calibration_map
from rocviz.core.roc.segments import RankedSegments
from rocviz.datasets import load_flach_matsubara
from rocviz.exercises._base import Exercise, Solution, Unreadable


def tree() -> RankedSegments:
    """Rank the leaves of the tree (one per cell), by their share of positives."""
    X, y = load_flach_matsubara(return_X_y=True)
    cell = 2 * X[:, 0] + X[:, 1]
    share = np.bincount(cell, weights=y) / np.bincount(cell)
    return RankedSegments.from_scores(y, share[cell])


def lexicographic() -> RankedSegments:
    """Rank by A2 first, with 0 preferred; then A1, with 1 preferred."""
    X, y = load_flach_matsubara(return_X_y=True)
    a1, a2 = X.T
    return RankedSegments.from_scores(y, 2 * (1 - a2) + a1)


def ranked(pos: Sequence[float], neg: Sequence[float]) -> RankedSegments:
    """Rank groups that are given by their counts, best first; the last has the score 1."""
    return RankedSegments(
        score=np.arange(len(pos), 0.0, -1.0), pos=np.array(pos), neg=np.array(neg)
    )


def _four_groups() -> RankedSegments:
    return ranked([2, 6, 1, 2], [2, 2, 6, 6])


def operating_point() -> Solution:
    """Find the point at which the two best leaves, A1 = A2, are predicted positive."""
    table = tree().at_threshold(tree().score[1])
    rates = np.array([table.fpr, table.tpr])
    counts = np.array([table.fp, table.tp])
    return rates, {
        "wrong_order": rates[::-1],
        "per_cent": 100 * rates,
        "counts": counts,
        "of_all_people": counts / 20,
        "of_predicted_positive": [table.false_discovery_rate, table.precision],
        "opposite": [table.tnr, table.fnr],
    }


def auc_of(ranking: RankedSegments, **other_mistakes: float) -> Solution:
    """Compute an AUC, and what it is with other rules for ties and pairs."""
    pairs = ranking.n_pos * ranking.n_neg
    ties = float(ranking.pos @ ranking.neg) / pairs
    return ranking.auc, {
        "ties_lost": ranking.auc - ties / 2,
        "ties_won": ranking.auc + ties / 2,
        "reversed": 1 - ranking.auc,
        "pairs": ranking.auc * pairs,
        **other_mistakes,
    }


def _in_order(a1: int, a2: int) -> float:
    """Compute the AUC if A1 and A2 bring these points, fewer points first."""
    X, y = load_flach_matsubara(return_X_y=True)
    return RankedSegments.from_scores(y, -(X @ [a1, a2])).auc


def tree_auc() -> Solution:
    """Compute the AUC of the tree."""
    return auc_of(
        tree(),
        accuracy=max(tree().at_threshold(t).accuracy for t in tree().thresholds),
        lexicographic=lexicographic().auc,
        leaf_numbers=_in_order(1, 2),
    )


def lexicographic_auc() -> Solution:
    """Compute the AUC of the lexicographic ranking."""
    return auc_of(
        lexicographic(),
        tree=tree().auc,
        hull=lexicographic().hull().auc,
        a1_reversed=_in_order(1, 2),
        a1_first=_in_order(-2, 1),
    )


def _pairs(segments: RankedSegments) -> NDArray[np.float64]:
    return np.column_stack((segments.pos, segments.neg))


class Segments(Exercise):
    """A question with segments for an answer: pairs of counts, best segment first."""

    @property
    def answer_form(self) -> str:
        """Describe the pairs."""
        return "a list of pairs (positives, negatives), one per segment"

    def read(self, answer: Any) -> NDArray[np.float64]:
        """Read the answer as rows of two counts."""
        if isinstance(answer, RankedSegments):
            return _pairs(answer)
        numbers = self._numbers(answer)
        if numbers.ndim == 1 and numbers.size == 2:
            numbers = numbers[None, :]
        if numbers.ndim != 2 or numbers.shape[1] != 2:
            raise Unreadable(f"Give {self.answer_form}.")
        return np.asarray(numbers)

    def remark(self, answer: Any, expected: Any) -> str | None:
        """Explain why the segments are not those of a hull."""
        if answer.max(initial=0) <= 1:
            return "Those are shares. Give counts: the positives and the negatives of each segment."
        if not np.allclose(answer.sum(axis=0), expected.sum(axis=0)):
            return (
                "Your segments do not contain everybody once: the positives must add up to "
                "all positives, the negatives to all negatives."
            )
        if len(answer) == 1:
            return "You joined everything: that is the diagonal, and the hull lies above it."
        shares = answer[:, 0] / np.maximum(answer.sum(axis=1), 1)
        if (np.diff(shares) >= 0).any():
            return (
                "Somewhere a segment is followed by one with no smaller share of positives: the "
                "curve still bends the wrong way there. Join those two and compare again."
            )
        return None


def hull_segments() -> Solution:
    """Find the segments of the hull of four groups."""
    groups = _four_groups()
    hull = _pairs(groups.hull())
    return hull, {
        "not_convex": _pairs(groups),
        "negatives_first": hull[:, ::-1],
        "worst_first": hull[::-1],
        "by_class": hull.T,
        "sorted": _pairs(groups)[[1, 0, 3, 2]],
        "three_joined": _pairs(groups.coarsen(0).coarsen(0)),
        "middle_joined": _pairs(groups.coarsen(1)),
        "first_two_joined": _pairs(groups.coarsen(0)),
        "last_two_joined": _pairs(groups.coarsen(2)),
    }


def hull_auc() -> Solution:
    """Compute the AUC of that hull."""
    groups = _four_groups()
    return auc_of(
        groups.hull(),
        not_joined=groups.auc,
        first_two_joined=groups.coarsen(0).auc,
        last_two_joined=groups.coarsen(2).auc,
    )


def tree_auc_calibrated() -> str:
    """Compare the AUC of the tree's hull with that of its ranking."""
    before = tree()
    after = before.with_scores(calibration_map(before, m=2)(before.score)).auc
    if abs(after - before.auc) < 1e-12:
        return "stay"
    return "rise" if after > before.auc else "fall"
