"""The rankings that the exercises of notebook 01 ask about."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from rocviz.core.roc.segments import RankedSegments
from rocviz.datasets import load_flach_matsubara


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
