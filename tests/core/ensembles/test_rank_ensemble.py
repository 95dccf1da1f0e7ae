"""Sums of evidence: what cancels is tied, whatever order it was added in."""

from itertools import permutations

import numpy as np

from rocviz.core.ensembles.experiment import compare_methods
from rocviz.core.ensembles.rank_ensemble import RankEnsemble, tidy_ties


def test_evidence_that_cancels_is_tied():
    terms = np.array([[0.1, 0.2, -0.3], [0.3, -0.1, -0.2], [0.0, 0.0, 0.0]])
    assert len(set(terms.sum(axis=1))) > 1
    assert tidy_ties(terms.sum(axis=1), np.full(3, 0.1), 10).tolist() == [0, 0, 0]


def test_what_differs_still_does():
    total = np.array([1.25, 1.0, 1.0 + 1e-9])
    assert tidy_ties(total, np.ones(2), 100).tolist() != [1.25, 1.0, 1.0]
    assert np.allclose(tidy_ties(total, np.ones(2), 100), total, rtol=0, atol=1e-10)


def test_no_weight_is_no_evidence():
    assert tidy_ties(np.zeros(2), np.zeros(3), 10).tolist() == [0, 0]


def test_a_crowd_that_is_wrong_as_often_as_right_has_no_evidence():
    # of six pairs one, four and four are wrong: nine of eighteen
    scores = np.array([[5, 3, 1, 2, 4], [3, 2, 1, 4, 5], [3, 2, 1, 4, 5]]).T
    ensemble = RankEnsemble.from_scores([1, 1, 0, 0, 0], scores)
    assert (ensemble.auc * 6).round().tolist() == [5, 2, 2]
    assert ensemble.weights("woc")[0].tolist() == [0, 0, 0]
    assert ensemble.combine(scores, method="woc").log_likelihood_ratio.tolist() == [0] * 5


def test_items_that_tie_are_tied_when_methods_are_compared():
    column = np.arange(12.0)
    ensemble = RankEnsemble.from_scores(column % 7 > 3, np.column_stack([column] * 3))
    orders = np.array(list(permutations((1.2, 4.4, 9.3))))
    woc, fidel, aware = compare_methods(ensemble, np.arange(6) < 3, orders, "validation")[2:]
    assert (woc, fidel, aware) == (0.5, 0.5, 0.5)
