"""Intervals of an AUC, beside the AUC of scikit-learn and packages with intervals."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import numpy as np
from comparison import Comparison
from sklearn.metrics import roc_auc_score

from rocviz.core.roc.auc_intervals import auc_interval
from rocviz.core.roc.binormal import binormal_scores
from rocviz.core.roc.coverage import simulate_coverage
from rocviz.core.roc.delong_test import auc_test


def confidenceinterval_auc(y, score):
    return import_module("confidenceinterval").roc_auc_score(y, score)[1]


def pauc_auc(y, score):
    peer = import_module("pauc")
    return peer.ci_auc(peer.ROC(y, score, direction="<"))


def mlstatkit_test(y, score, other):
    return import_module("MLstatkit").Delong_test(y, score, other, return_ci=False)


def peer_runs(name: str, call: Callable[[], Any]) -> bool:
    """Check whether a peer is installed and works; print a message if not."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            call()
    except Exception as error:
        reason = "not installed" if isinstance(error, ImportError) else f"fails: {error!r}"
        print(f"  auc: {name} left out, {reason}", file=sys.stderr)
        return False
    return True


def comparisons(n_samples: int) -> Iterator[Comparison]:
    data = binormal_scores(n_samples, prevalence=0.3, random_state=0)
    y = data.y_true
    prob = data.y_prob
    ties = prob.round(2)
    other = prob + 0.1 * np.random.default_rng(1).random(n_samples)
    weight = np.random.default_rng(0).integers(1, 4, n_samples)

    def delong(scores=prob, **how):
        return auc_interval(y, scores, method="delong", **how)

    def area(scores=prob, **how):
        return roc_auc_score(y, scores, **how)

    peer_name = "one roc_auc_score"
    yield Comparison("DeLong interval", delong, peer_name, area, 1.0)
    yield Comparison(
        "the same, scores tied", lambda: delong(ties), peer_name, lambda: area(ties), 1.0
    )
    yield Comparison(
        "the same, weighted",
        lambda: delong(sample_weight=weight),
        peer_name,
        lambda: area(sample_weight=weight),
        1.0,
    )
    for method in ("logit-delong", "hanley-mcneil"):
        yield Comparison(
            f"{method} interval",
            lambda m=method: auc_interval(y, prob, method=m),
            peer_name,
            area,
            1.0,
        )
    yield Comparison(
        "fermi-dirac interval", lambda: auc_interval(y, prob, method="fermi-dirac"), peer_name, area
    )
    yield Comparison(
        "bootstrap interval, scores tied, 2000 resamples",
        lambda: auc_interval(y, ties, method="bootstrap", random_state=0),
        peer_name,
        area,
    )
    yield Comparison("paired test of two AUCs", lambda: auc_test(y, prob, other), peer_name, area)
    size = min(n_samples, 1000)
    yield Comparison(
        f"coverage, 4 methods, 1500 data sets of {size}",
        lambda: simulate_coverage(size, 0.05, 0.9, random_state=0),
        peer_name,
        area,
    )

    few = (y[:1000], prob[:1000])
    for name, peer in (("confidenceinterval", confidenceinterval_auc), ("pauc", pauc_auc)):
        if peer_runs(name, lambda peer=peer: peer(*few)):
            yield Comparison("DeLong interval", delong, name, lambda peer=peer: peer(y, prob))
    if peer_runs("MLstatkit", lambda: mlstatkit_test(*few, few[1])):
        yield Comparison(
            "paired test of two AUCs",
            lambda: auc_test(y, prob, other, method="delong"),
            "MLstatkit",
            lambda: mlstatkit_test(y, prob, other),
        )
