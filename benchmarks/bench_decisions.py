"""Expected utilities of all thresholds, beside the paper's algorithms and a plug-in estimate."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from comparison import Comparison

from rocviz.core.decisions.decision import plug_in_utilities, prefix_utilities
from rocviz.core.decisions.reference import algorithm_1, algorithm_2


def comparisons(n_samples: int) -> Iterator[Comparison]:
    prob = np.random.default_rng(0).random(n_samples)

    def pair(size, metric, theirs):
        part = prob[:size]
        return lambda: prefix_utilities(part, metric), lambda: theirs(part, metric)

    # the paper's algorithms take time and memory that grow with the square and the cube
    n_quadratic = min(n_samples, 2000)
    n_cubic = min(n_samples, 300)
    for metric in ("f1", "jaccard"):
        ours, theirs = pair(n_quadratic, metric, algorithm_2)
        yield Comparison(
            f"{metric} of {n_quadratic:,}", ours, "the paper's Algorithm 2", theirs, 0.5
        )
    for metric in ("am", "g_tp_pr", "g_mean", "h_mean", "q_mean"):
        ours, theirs = pair(n_cubic, metric, algorithm_1)
        yield Comparison(f"{metric} of {n_cubic:,}", ours, "the paper's Algorithm 1", theirs, 0.5)
    for metric in ("f1", "jaccard", "am"):
        ours, theirs = pair(n_samples, metric, plug_in_utilities)
        yield Comparison(f"{metric} of {n_samples:,}", ours, "plug-in, not exact", theirs)
