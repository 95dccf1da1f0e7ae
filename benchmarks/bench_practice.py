"""Two thresholds beside the curve that they are found on, and several sites beside statsmodels."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from bench_auc import peer_runs
from comparison import Comparison

from rocviz.core.practice import compare_sites, random_effects, referral_policy
from rocviz.core.roc.auc_intervals import auc_interval
from rocviz.core.roc.binormal import binormal_scores
from rocviz.core.roc.segments import RankedSegments

COSTS = {"cost_fp": 1.0, "cost_fn": 4.0, "cost_referral": 0.3}
#: How many times as long as the curve of many samples two thresholds may take, curve included.
PROMISED_RATIOS = {
    "costs": 1.5,
    "capacity": 1.5,
    "promises": 1.5,
    "promises with a guarantee": 2.0,
}
MIN_SAMPLES_OF_PROMISES = 100_000  # with fewer, fixed costs prevail
#: Samples up to which all pairs of thresholds are tried.
MAX_SAMPLES_OF_PAIRS = 1_000
N_SITES = 20


def cost_of_all_pairs(y_true: np.ndarray, y_score: np.ndarray) -> float:
    """Find the lowest cost per sample by trying all pairs of thresholds."""
    segments = RankedSegments.from_scores(y_true, y_score)
    tp = segments.tpr * segments.n_pos
    fp = segments.fpr * segments.n_neg
    # row: the upper threshold; column: the lower one, at which at least as many are positive
    n_referred = (tp + fp)[None, :] - (tp + fp)[:, None]
    missed = segments.n_pos - tp[None, :]
    cost = (
        COSTS["cost_fn"] * missed
        + COSTS["cost_fp"] * fp[:, None]
        + COSTS["cost_referral"] * n_referred
    )
    return float(cost[n_referred >= 0].min() / segments.n_samples)


def estimates(n_sites: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw estimates of several sites, and their standard errors."""
    rng = np.random.default_rng(0)
    error = rng.uniform(0.1, 0.4, n_sites)
    return rng.normal(1.5, np.hypot(0.3, error)), error


def statsmodels_mean(estimate: np.ndarray, error: np.ndarray) -> tuple[float, float, float]:
    """Combine estimates by statsmodels: mean, and the ends of its interval."""
    from statsmodels.stats.meta_analysis import combine_effects

    found = combine_effects(estimate, error**2, method_re="iterated", use_t=True)
    lower, upper = found.conf_int()[1]
    return found.mean_effect_re, lower, upper


def has_statsmodels() -> bool:
    """Check whether statsmodels is installed; print a message if not."""
    return peer_runs("statsmodels", lambda: statsmodels_mean(*estimates(5)))


def comparisons(n_samples: int) -> Iterator[Comparison]:
    data = binormal_scores(n_samples, prevalence=0.3, random_state=0)
    y, prob = data.y_true, data.y_prob
    curve = partial(RankedSegments.from_scores, y, prob)
    ways = {
        "costs": COSTS,
        "promises": {"npv": 0.97, "ppv": 0.8},
        "promises with a guarantee": {"npv": 0.97, "ppv": 0.8, "guarantee": 0.95},
        "capacity": {"cost_fn": 4.0, "max_referred": 0.1},
    }
    for way, wanted in ways.items():
        yield Comparison(
            f"referral_policy by {way}",
            partial(referral_policy, y, prob, **wanted),
            "RankedSegments.from_scores",
            curve,
            PROMISED_RATIOS[way] if n_samples >= MIN_SAMPLES_OF_PROMISES else None,
        )
    few = slice(0, min(n_samples, MAX_SAMPLES_OF_PAIRS))
    yield Comparison(
        f"referral_policy on {y[few].size:,} samples",
        partial(referral_policy, y[few], prob[few], **COSTS),
        "all pairs of thresholds",
        partial(cost_of_all_pairs, y[few], prob[few]),
        1.0,
    )
    site = np.arange(n_samples) % min(N_SITES, max(n_samples // 50, 1))
    yield Comparison(
        f"compare_sites, {N_SITES} sites",
        partial(compare_sites, y, prob, site),
        "auc_interval of all samples",
        partial(auc_interval, y, prob),
    )
    sites = estimates(N_SITES)
    if has_statsmodels():
        yield Comparison(
            f"random_effects of {N_SITES} sites",
            partial(random_effects, *sites),
            "statsmodels",
            partial(statsmodels_mean, *sites),
            1.0,
        )
