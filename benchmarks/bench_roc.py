"""Curve, hull, area, decomposition and thinning, beside scikit-learn's ROC functions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from comparison import Comparison
from sklearn.metrics import roc_auc_score, roc_curve

from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.roc.bands import roc_band
from rocviz.core.roc.binormal import binormal_scores
from rocviz.core.roc.segments import RankedSegments


def comparisons(n_samples: int) -> Iterator[Comparison]:
    data = binormal_scores(n_samples, prevalence=0.3, random_state=0)
    y = data.y_true
    prob = data.y_prob
    ties = data.y_prob.round(2)
    weight = np.random.default_rng(0).random(n_samples)

    def segments(scores=prob, weights=None):
        return RankedSegments.from_scores(y, scores, sample_weight=weights)

    def everything(scores=prob, weights=None):
        ranked = segments(scores, weights)
        return ranked.hull(), ranked.auc, brier_decomposition(ranked)

    def fresh():
        return RankedSegments(ready.score, ready.pos, ready.neg)

    def curve(scores=prob, weights=None):
        return roc_curve(y, scores, sample_weight=weights)

    ready = segments()
    peer_name = "one roc_curve"
    yield Comparison("segments + hull + AUC + Brier", everything, peer_name, curve, 3.0)
    yield Comparison(
        "the same, scores tied", lambda: everything(ties), peer_name, lambda: curve(ties), 3.0
    )
    yield Comparison(
        "the same, weighted",
        lambda: everything(prob, weight),
        peer_name,
        lambda: curve(prob, weight),
        3.0,
    )
    yield Comparison("segments alone", segments, peer_name, curve)
    yield Comparison("AUC", lambda: segments().auc, "roc_auc_score", lambda: roc_auc_score(y, prob))
    yield Comparison("hull of ready segments", lambda: fresh().hull(), peer_name, curve)
    yield Comparison("thin for drawing", lambda: fresh().thin(), peer_name, curve)
    yield Comparison("bootstrap band, 500 resamples", lambda: roc_band(ready), peer_name, curve)
    yield Comparison(
        "the operating point at a threshold", lambda: ready.at_threshold(0.5), peer_name, curve
    )
