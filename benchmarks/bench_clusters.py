"""Intervals that cost more than that of an AUC alone, beside it: clusters, average precision.

Clusters are of five rows on average, in random order. Names that are text have to be read, which
takes pandas longer than the AUC takes: their peer is pandas, which numbers them, and an interval
with these numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd
from comparison import Comparison

from rocviz.core.curve_spaces import average_precision
from rocviz.core.decisions import threshold_interval
from rocviz.core.roc import auc_interval


def comparisons(n_samples: int) -> Iterator[Comparison]:
    rng = np.random.default_rng(0)
    y = rng.random(n_samples) < 0.3
    score = rng.normal(y.astype(float))
    number = rng.integers(n_samples // 5, size=n_samples)
    text = pd.Series(np.char.add("patient-", number.astype(str)).astype(object))
    kinds = (
        ("integers", number, 2.0),
        ("integers far apart", number * 1_000_003, 2.5),
        ("categories", text.astype("category"), 2.0),
    )
    alone = partial(auc_interval, y, score)

    def numbered_by_pandas():
        return auc_interval(y, score, clusters=pd.factorize(text)[0])

    for kind, clusters, limit in kinds:
        yield Comparison(
            f"auc_interval with clusters named by {kind}",
            partial(auc_interval, y, score, clusters=clusters),
            "without clusters",
            alone,
            limit,
        )
    yield Comparison(
        "auc_interval with clusters named by text",
        partial(auc_interval, y, score, clusters=text),
        "pandas.factorize, and auc_interval with the numbers",
        numbered_by_pandas,
        2.5,
    )
    yield Comparison(
        "average_precision with its interval",
        partial(average_precision, y, score),
        "auc_interval",
        alone,
        1.5,
    )
    # fewer scores, of which all are candidates
    few = slice(0, min(n_samples, 20_000))
    n_resamples = 1000
    yield Comparison(
        "threshold_interval with corrected rates",
        partial(
            threshold_interval,
            y[few],
            score[few],
            n_resamples=n_resamples,
            cost_fn=5.0,
            smooth=False,
        ),
        "auc_interval by as many resamples",
        partial(auc_interval, y[few], score[few], method="bootstrap", n_resamples=n_resamples),
        6.0,
    )
