"""Lexicographic rankers on hundreds of attributes, beside naive Bayes and a decision tree."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from comparison import Comparison
from sklearn.naive_bayes import BernoulliNB
from sklearn.tree import DecisionTreeClassifier

from rocviz import LexProb, LexRank
from rocviz.core.lexicographic.lexicographic import lex_order, lexicographic_rank

_N_ATTRIBUTES = 200


def comparisons(n_samples: int) -> Iterator[Comparison]:
    rng = np.random.default_rng(0)
    share = np.linspace(0.05, 0.95, _N_ATTRIBUTES, dtype=np.float32)
    X = (rng.random((n_samples, _N_ATTRIBUTES), dtype=np.float32) < share).view(np.uint8)
    y = rng.random(n_samples) < 0.2 + 0.3 * X[:, 40] + 0.2 * X[:, 100]
    few = slice(max(n_samples // 10, 100))
    size = f"{_N_ATTRIBUTES} attributes"

    def bayes():
        return BernoulliNB().fit(X, y)

    def tree():
        return DecisionTreeClassifier(max_depth=5, random_state=0).fit(X[few], y[few])

    model = LexProb().fit(X, y)
    peer = bayes()
    order = lex_order(X, y)
    yield Comparison(
        f"fit LexRank, {size}", lambda: LexRank().fit(X, y), "BernoulliNB.fit", bayes, 1.0
    )
    yield Comparison(
        f"fit LexProb, {size}", lambda: LexProb().fit(X, y), "BernoulliNB.fit", bayes, 1.0
    )
    yield Comparison(
        "its probabilities",
        lambda: model.predict_proba(X),
        "BernoulliNB.predict_proba",
        lambda: peer.predict_proba(X),
        1.0,
    )
    yield Comparison(
        "fit LexProb, a tenth of the rows",
        lambda: LexProb().fit(X[few], y[few]),
        "DecisionTreeClassifier of depth 5",
        tree,
        1.0,
    )
    yield Comparison("order alone", lambda: lex_order(X, y), "BernoulliNB.fit", bayes)
    yield Comparison(
        "dense ranks alone",
        lambda: lexicographic_rank(X, order.order, order.preferred),
        "BernoulliNB.predict_proba",
        lambda: peer.predict_proba(X),
    )
