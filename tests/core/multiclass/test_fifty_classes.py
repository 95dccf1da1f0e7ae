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

N_CLASSES = 50
RNG = np.random.default_rng(0)
Y = np.resize(np.arange(N_CLASSES), 500)
P = RNG.dirichlet(np.ones(N_CLASSES), 500) + 0.05 * np.eye(N_CLASSES)[Y]
P /= P.sum(axis=1, keepdims=True)


def test_fifty_classes_are_taken():
    auc = hand_till_auc(Y, P)
    assert 0.6 < auc.lower < auc.auc < auc.upper <= 1
    assert auc.pairs.shape == (N_CLASSES, N_CLASSES)
    best = best_simplex_point(Y, P, metric="macro_f1")
    assert best.value >= best.argmax_value
    assert best.matrix.counts.shape == (N_CLASSES, N_CLASSES)
    assert len(one_vs_rest(Y, P)) == N_CLASSES
    assert len(multiclass_brier(Y, P).by_class) == N_CLASSES
    assert classwise_calibration_error(Y, P, n_resamples=50).p_value > 0
    np.testing.assert_array_equal(cost_optimal_labels(P, 1 - np.eye(N_CLASSES)), P.argmax(axis=1))
    for method in ("temperature", "vector", "hull"):
        np.testing.assert_allclose(simplex_map(Y, P, method=method)(P).sum(axis=1), 1)
    first_eight = Y < 8
    score = P @ np.arange(N_CLASSES)
    volume = ordered_volume(Y[first_eight], score[first_eight], range(8))
    assert 0 <= volume.volume < 0.1
