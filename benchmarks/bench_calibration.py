"""Fitting and applying calibration maps, beside scikit-learn's."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from comparison import Comparison
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from rocviz.core.calibration.calibration import calibration_map
from rocviz.core.roc.binormal import binormal_scores


def comparisons(n_samples: int) -> Iterator[Comparison]:
    data = binormal_scores(n_samples, over_confidence=2.0, random_state=0)
    y = data.y_true
    prob = data.y_prob
    inside = np.clip(prob, 0.5 / n_samples, 1 - 0.5 / n_samples)
    logs = np.column_stack((np.log(inside), -np.log1p(-inside)))

    def ours(method):
        return lambda: calibration_map(y, prob, method=method)

    def isotonic():
        return IsotonicRegression(out_of_bounds="clip").fit(prob, y)

    def logistic(columns):
        return lambda: LogisticRegression(C=1e6).fit(columns, y)

    fitted = calibration_map(y, prob, method="isotonic")
    peer = isotonic()
    yield Comparison("fit the hull map", ours("hull"), "IsotonicRegression", isotonic)
    yield Comparison(
        "apply the isotonic map",
        lambda: fitted(prob),
        "IsotonicRegression.predict",
        lambda: peer.predict(prob),
    )
    yield Comparison(
        "fit the sigmoid map",
        ours("sigmoid"),
        "LogisticRegression, one column",
        logistic(prob[:, None]),
    )
    yield Comparison(
        "fit the beta map", ours("beta"), "LogisticRegression, two columns", logistic(logs)
    )
