"""What the course says in words and no cell computes."""

from itertools import combinations

import numpy as np
from scipy.optimize import brentq
from scipy.special import logit

from rocviz import FermiDirac, RankedSegments
from rocviz.datasets import load_breast_cancer_scores


def test_a_lower_threshold_pays_when_a_miss_costs_ten_false_alarms():
    scores = load_breast_cancer_scores()
    segments = RankedSegments.from_scores(scores.y_true, scores.y_prob)
    even, costly = (segments.optimal_point(cost_fp=1, cost_fn=miss) for miss in (1, 10))
    assert costly.threshold < 0.03
    assert costly.tpr > even.tpr
    assert costly.fpr > even.fpr


def test_with_exactly_three_positives_the_odds_do_not_fall_by_equal_factors():
    taken = np.array(list(combinations(range(1, 8), 3)))
    energy = taken.sum(axis=1)

    def weights(beta):
        w = np.exp(-beta * (energy - 6))
        return w / w.sum()

    w = weights(brentq(lambda beta: weights(beta) @ energy - 8, 0, 5, xtol=1e-14))
    canonical = np.array([w[(taken == rung).any(axis=1)].sum() for rung in range(1, 8)])
    law = FermiDirac.from_auc(5 / 6, n_pos=3, n_neg=4).probability()
    factors = np.exp(np.diff(logit(canonical)))
    assert factors.round(3).tolist() == [0.495, 0.466, 0.430, 0.469, 0.496, 0.512]
    assert np.exp(np.diff(logit(law))).round(3).tolist() == [0.467] * 6
    assert 0.011 < np.abs(canonical - law).max() <= 0.012


def test_forgetting_adds_eight_of_a_hundred_pairs_by_ties_that_count_one_half():
    def pairs(*groups):
        """Count pairs in the right order, tied, and in the wrong order."""
        pos, neg = np.array(groups).T
        right, tied = np.triu(np.outer(pos, neg), 1).sum(), (pos * neg).sum()
        return right, tied, pos.sum() * neg.sum() - right - tied

    before, after = pairs((2, 3), (4, 1), (3, 1), (1, 5)), pairs((9, 5), (1, 5))
    assert before == (53, 18, 29)
    assert after == (45, 50, 5)
    assert (after[0] + after[1] / 2) - (before[0] + before[1] / 2) == 8
