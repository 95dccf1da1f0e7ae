"""Ten models compared, beside the isotonic regressions alone that their calibration tests need.

The limit is for 500 and for 5,000 samples, whatever ``--samples`` says: of a million the peer alone
takes minutes.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from comparison import Comparison
from scipy.optimize import isotonic_regression

from rocviz.core.comparison import compare_classifiers

N_MODELS = 10
N_DRAWS = 500


def _data(n):
    rng = np.random.default_rng(0)
    prob = rng.beta(1, 2, n)
    noise = rng.normal(0, 0.05, (N_MODELS, n))
    return rng.random(n) < prob, {
        f"model {i}": np.clip(prob + e, 0, 1) for i, e in enumerate(noise)
    }


def _resamples_alone(scores):
    """Draw labels at random and fit them row by row, which every method needs."""
    rng = np.random.default_rng(0)
    for prob in scores.values():
        ranked = np.sort(prob)
        for _ in range(N_DRAWS):
            isotonic_regression((rng.random(ranked.size) < ranked).astype(float))


def comparisons(n_samples: int) -> Iterator[Comparison]:
    for n in (500, 5_000):
        y, scores = _data(n)
        yield Comparison(
            f"compare_classifiers of {N_MODELS} models, {n:,} samples",
            lambda y=y, scores=scores: compare_classifiers(y, scores, n_resamples=N_DRAWS),
            f"{N_DRAWS} isotonic regressions of SciPy for each",
            lambda scores=scores: _resamples_alone(scores),
            1.5,
        )
