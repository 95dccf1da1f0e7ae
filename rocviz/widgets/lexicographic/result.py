"""The result of the lexicographic explorer at one setting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.frozen import Frozen
from rocviz.core.lexicographic.lexicographic import LexicographicOrder
from rocviz.core.lexicographic.tree import LexicographicTree
from rocviz.core.roc.segments import RankedSegments

Integers = tuple[int, ...]


def n_leaves(tree: LexicographicTree) -> int:
    """Count the leaves that hold samples; one where there is no attribute."""
    return int((tree.pos + tree.neg > 0).sum())


@dataclass(frozen=True)
class Ranker:
    """One order with its preferred values, and how well it ranks."""

    order: Integers  # columns, the most important first
    preferred: Integers  # preferred values in that order
    auc: float  # area under its ROC curve
    is_convex: bool  # whether that curve is its own convex hull


@dataclass(frozen=True, eq=False)
class LexicographicResult(Frozen):
    """The result of a lexicographic explorer.

    Parameters
    ----------
    order : LexicographicOrder
        The selected order, with likelihood and odds ratios.
    tree : LexicographicTree
        Tree of its first five attributes at most.
    segments, hull : RankedSegments
        Ranking of the samples by all attributes that are in, and its convex hull.
    probability : ndarray of float
        LexProb's probability in each segment of the hull.
    leaf_probability : ndarray of float
        The same of the hull of the tree, in each of its leaves.
    isometrics : ndarray of float, shape (n_named, 2, n_points)
        (fpr, tpr) of the curve of equal odds ratio through each attribute of the tree.
    naive_bayes, decision_tree : RankedSegments
        Rankings of the same samples by models trained on all attributes.
    own : Ranker
        LexRank's own order.
    is_own : bool
        Whether that is the selected order.
    rankers : tuple of Ranker
        All eight, where there are two attributes that vary; else none.
    tried : mapping of (order, preferred) to float
        AUC of every ranker looked at so far.
    top : (float, float)
        Positives and negatives in the leaves that are predicted positive.
    """

    order: LexicographicOrder
    tree: LexicographicTree
    segments: RankedSegments
    hull: RankedSegments
    probability: NDArray[np.float64]
    leaf_probability: NDArray[np.float64]
    isometrics: NDArray[np.float64]
    naive_bayes: RankedSegments
    decision_tree: RankedSegments
    own: Ranker
    is_own: bool
    rankers: tuple[Ranker, ...]
    tried: Mapping[tuple[Integers, Integers], float]
    top: tuple[float, float]

    @property
    def is_bayes(self) -> bool:
        """Whether naive Bayes ranks the samples just as the order does."""
        own = self.segments
        bayes = self.naive_bayes
        return np.array_equal(own.pos, bayes.pos) and np.array_equal(own.neg, bayes.neg)
