"""Training on all pairs, beside logistic regression on the same samples."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from comparison import Comparison
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from rocviz import CombinedRegressionRanking, RankIsotonicClassifier
from rocviz.core.ranking_loss.ranking_loss import pairwise_loss

ALPHA = 1e-4
SAMPLE_SIZES = (1_000, 10_000, 100_000, 1_000_000)


def data(n_samples, n_features=10):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_samples, n_features))
    return X, rng.random(n_samples) < expit(X @ rng.normal(size=n_features))


def comparisons(n_samples: int) -> Iterator[Comparison]:
    for n in [size for size in SAMPLE_SIZES if size < n_samples] + [n_samples]:
        X, y = data(n)

        def logistic(X=X, y=y, n=n):
            return LogisticRegression(C=1 / (n * ALPHA)).fit(X, y)

        for name, model in (
            ("rank, squared hinge", RankIsotonicClassifier("squared_hinge", ALPHA, random_state=0)),
            ("rank, logistic", RankIsotonicClassifier(alpha=ALPHA, random_state=0)),
            ("combined", CombinedRegressionRanking(alpha=ALPHA, random_state=0)),
        ):
            yield Comparison(
                f"train {name}, {n:,}",
                lambda model=model, X=X, y=y: model.fit(X, y),
                "LogisticRegression",
                logistic,
                limit=10.0 if "hinge" in name else None,
            )
    X, y = data(2_000, 2)
    score = X[:, 0]
    positive = y
    gaps = score[positive][:, None] - score[~positive]
    yield Comparison(
        "logistic loss of pairs, 2,000",
        lambda: pairwise_loss(y, score),
        "sum over all pairs",
        lambda: np.logaddexp(0, -gaps).mean(),
    )
