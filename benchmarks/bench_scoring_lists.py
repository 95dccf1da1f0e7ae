"""Learning scoring lists, beside one logistic regression on the same data.

scikit-psl, which learns the same lists, cannot live in one environment with a current NumPy:
``scoring_lists_peer.py`` times it in an environment of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from comparison import Comparison
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression

from rocviz.core.calibration.binarize import entropy_thresholds
from rocviz.core.scoring_lists.search.search import learn_scoring_list


def yes_or_no(n_samples: int, n_features: int) -> tuple[np.ndarray, np.ndarray]:
    """Make binary features, most of them informative, as in the timings of scikit-psl."""
    rng = np.random.default_rng(0)
    p = rng.uniform(0.2, 0.8, n_features)
    X = rng.random((n_samples, n_features)) < p
    z = X @ (rng.choice([-3, -2, -1, 0, 1, 2, 3], n_features) * 0.5)
    return X, rng.random(n_samples) < 1 / (1 + np.exp(np.median(z) - z))


def comparisons(n_samples: int) -> Iterator[Comparison]:
    X, y = yes_or_no(n_samples, 20)
    weight = np.random.default_rng(1).integers(1, 4, n_samples).astype(float)
    cancer = load_breast_cancer()
    tumours = cancer.data[:n_samples]
    malignant = cancer.target[:n_samples]

    def learn(**how):
        return lambda: learn_scoring_list(X, y, **how)

    def thresholds(**how):
        return lambda: learn_scoring_list(tumours, malignant, **how)

    def logistic():
        return LogisticRegression().fit(X, y)

    peer_name = "one LogisticRegression"
    yield Comparison("list of 20 binary features", learn(), peer_name, logistic)
    yield Comparison("the same, weighted", learn(sample_weight=weight), peer_name, logistic)
    yield Comparison("the same, soft rank loss", learn(loss="rank"), peer_name, logistic)
    yield Comparison(
        "its first five stages, two stages ahead",
        learn(lookahead=2, max_stages=5),
        peer_name,
        logistic,
    )
    yield Comparison("beam of 10 lists", learn(search="beam"), peer_name, logistic)
    yield Comparison(
        f"{len(tumours)} x 30, every threshold in the search",
        thresholds(thresholds="brute"),
        "few thresholds",
        thresholds(thresholds="bisect"),
    )
    yield Comparison(
        f"{len(tumours)} x 30, every threshold in the search",
        thresholds(thresholds="brute"),
        "thresholds before",
        lambda: entropy_thresholds(tumours, malignant),
    )
