"""Fifty classes are accepted everywhere, and a class without samples is named."""

from __future__ import annotations

import numpy as np

from rocviz import best_simplex_point, hand_till_auc
from rocviz.core.multiclass import (
    classwise_calibration_error,
    cost_optimal_labels,
    multiclass_brier,
    one_vs_rest,
    ordered_volume,
    simplex_map,
)

MANY = 50
RNG = np.random.default_rng(0)
Y = np.resize(np.arange(MANY), 500)
P = RNG.dirichlet(np.ones(MANY), 500) + 0.05 * np.eye(MANY)[Y]
P /= P.sum(axis=1, keepdims=True)


def test_fifty_classes_are_taken():
    auc = hand_till_auc(Y, P)
    assert 0.6 < auc.lower < auc.auc < auc.upper <= 1
    assert auc.pairs.shape == (MANY, MANY)
    best = best_simplex_point(Y, P, metric="macro_f1")
    assert best.value >= best.argmax_value
    assert best.matrix.counts.shape == (MANY, MANY)
    assert len(one_vs_rest(Y, P)) == MANY
    assert len(multiclass_brier(Y, P).by_class) == MANY
    assert classwise_calibration_error(Y, P, n_resamples=50).p_value > 0
    np.testing.assert_array_equal(cost_optimal_labels(P, 1 - np.eye(MANY)), P.argmax(axis=1))
    for method in ("temperature", "vector", "hull"):
        np.testing.assert_allclose(simplex_map(Y, P, method=method)(P).sum(axis=1), 1)
    volume = ordered_volume(Y[Y < 8], P[Y < 8] @ np.arange(MANY), range(8))
    assert 0 <= volume.volume < 0.1
