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
    y, prob, ties = data.y_true, data.y_prob, data.y_prob.round(2)
    weight = np.random.default_rng(0).random(n_samples)

    def segments(scores=prob, weights=None):
        return RankedSegments.from_scores(y, scores, sample_weight=weights)

    def everything(scores=prob, weights=None):
        made = segments(scores, weights)
        return made.hull(), made.auc, brier_decomposition(made)

    def fresh():
        return RankedSegments(ready.score, ready.pos, ready.neg)

    def curve(scores=prob, weights=None):
        return roc_curve(y, scores, sample_weight=weights)

    ready = segments()
    one = "one roc_curve"
    yield Comparison("segments + hull + AUC + Brier", everything, one, curve, 3.0)
    yield Comparison(
        "the same, scores tied", lambda: everything(ties), one, lambda: curve(ties), 3.0
    )
    yield Comparison(
        "the same, weighted",
        lambda: everything(prob, weight),
        one,
        lambda: curve(prob, weight),
        3.0,
    )
    yield Comparison("segments alone", segments, one, curve)
    yield Comparison("AUC", lambda: segments().auc, "roc_auc_score", lambda: roc_auc_score(y, prob))
    yield Comparison("hull of ready segments", lambda: fresh().hull(), one, curve)
    yield Comparison("thin for drawing", lambda: fresh().thin(), one, curve)
    yield Comparison("bootstrap band, 500 resamples", lambda: roc_band(ready), one, curve)
    yield Comparison(
        "the operating point at a threshold", lambda: ready.at_threshold(0.5), one, curve
    )
