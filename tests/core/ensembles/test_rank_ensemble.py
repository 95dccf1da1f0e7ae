"""Sums of evidence: what cancels is tied, whatever order it was added in."""

import numpy as np

from rocviz.core.ensembles.rank_ensemble import tidy_ties


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
