"""The twenty instances of Flach and Matsubara (2007), every number exact."""

from fractions import Fraction as F

import numpy as np
import pytest

from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.roc.segments import RankedSegments

# (positives, negatives) of the cells (A1, A2)
CELLS = {(0, 0): (4, 1), (0, 1): (1, 5), (1, 0): (2, 3), (1, 1): (3, 1)}
N_POS, N_NEG = 10, 10


def ranking(order):
    """Segments of cells in decreasing order of score, scored by their proportions if convex."""
    pos, neg = zip(*(CELLS[cell] for cell in order), strict=True)
    return RankedSegments(score=np.arange(len(order))[::-1], pos=pos, neg=neg)


TREE = [(0, 0), (1, 1), (1, 0), (0, 1)]
LEXRANK = [(1, 0), (0, 0), (1, 1), (0, 1)]


def test_tree():
    tree = ranking(TREE)
    assert tree.auc == pytest.approx(0.79, abs=1e-15)
    assert tree.is_convex
    assert len(tree.hull()) == 4
    probabilities = tree.with_scores(tree.empirical_probability)
    parts = brier_decomposition(probabilities)
    assert parts.refinement_loss == pytest.approx(float(F(43, 240)), abs=1e-15)
    assert parts.calibration_loss == 0
    assert parts.brier == pytest.approx(float(F(43, 240)), abs=1e-15)


def test_likelihood_ratios():
    def counts(attribute, value):
        inside = [c for cell, c in CELLS.items() if cell[attribute] == value]
        return sum(p for p, _ in inside), sum(n for _, n in inside)

    ratio = {(a, v): F(*counts(a, v)) * F(N_NEG, N_POS) for a in (0, 1) for v in (0, 1)}
    assert ratio == {(0, 0): F(5, 6), (0, 1): F(5, 4), (1, 0): F(3, 2), (1, 1): F(2, 3)}
    bayes = {cell: ratio[0, cell[0]] * ratio[1, cell[1]] for cell in CELLS}
    assert sorted(CELLS, key=bayes.get, reverse=True) == LEXRANK
    assert [bayes[cell] for cell in LEXRANK] == [F(30, 16), F(30, 24), F(20, 24), F(20, 36)]
    # the slopes of a ranking by one attribute are its likelihood ratios
    for a, high in ((0, 1), (1, 0)):
        first, second = counts(a, high), counts(a, 1 - high)
        segments = RankedSegments([1, 0], [first[0], second[0]], [first[1], second[1]])
        want = [float(ratio[a, high]), float(ratio[a, 1 - high])]
        np.testing.assert_allclose(segments.slope, want, rtol=1e-15)
