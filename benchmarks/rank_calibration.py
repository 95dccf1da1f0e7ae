"""Which map makes the best probabilities of a ranking? The table of docs/ranking_loss.md.

``python benchmarks/rank_calibration.py`` fits the scorer of ``RankIsotonicClassifier`` once per
split and sends its scores through each map; logistic regression stands beside them. The default of
``calibration`` is chosen by this table.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from real_data import Split, measure, options, paired, quality, with_error, write
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from rocviz import RankedSegments, RankIsotonicClassifier
from rocviz.core.calibration.calibration import calibration_map

DATA_NAMES = (
    "pima",
    "saheart",
    "haberman",
    "bupa",
    "australian",
    "crx",
    "ionosphere",
    "breast_cancer",
    "mammographic",
    "vehicle1",
    "yeast1",
    "KC1",
    "PC1",
    "SPECTF",
    "ADA",
    "digit 8",
)
ALPHA = 1e-3
MAPS = {
    "isotonic": partial(calibration_map, method="isotonic"),
    "laplace-hull": partial(calibration_map, method="isotonic", m=2.0),
    "hull, m = 2": partial(calibration_map, m=2.0),
    "sigmoid": partial(calibration_map, method="sigmoid"),
}


def measure_split(_name: str, _i: int, split: Split) -> Iterator[dict[str, object]]:
    X, y, X_test, y_test = split
    scaler = StandardScaler().fit(X)
    X = scaler.transform(X)
    X_test = scaler.transform(X_test)
    fitted = RankIsotonicClassifier(alpha=ALPHA, max_iter=1000).fit(X, y)
    score = X @ fitted.coef_[0]
    score_test = X_test @ fitted.coef_[0]
    unseen = np.empty(len(y))
    for train, test in StratifiedKFold(5).split(X, y):
        part = RankIsotonicClassifier(alpha=ALPHA, max_iter=1000).fit(X[train], y[train])
        unseen[test] = X[test] @ part.coef_[0]
    for kind, scores in (("", score), (", cross-fitted", unseen)):
        segments = RankedSegments.from_scores(y, scores)
        for name, fit in MAPS.items():
            yield {"method": name + kind, **quality(y_test, fit(segments)(score_test))}
    logistic = LogisticRegression(C=1 / (len(y) * ALPHA), max_iter=1000).fit(X, y)
    yield {"method": "logistic regression", **quality(y_test, logistic.predict_proba(X_test)[:, 1])}


def main() -> None:
    chosen = options(__doc__.splitlines()[0], DATA_NAMES, 10)
    measured = measure(
        chosen.kept / "rank_calibration.csv", chosen.data, chosen.splits, measure_split
    )
    lines = []
    for method in measured.method.unique():
        of_method = measured[measured.method == method]
        cells = [method]
        for value in ("log_loss", "brier", "auc"):
            means = of_method.groupby("data")[value].mean()
            gap = paired(measured, value, "method", method, "isotonic")
            cells.append(f"{means.mean():.3f}")
            cells.append(
                "—"
                if method == "isotonic" or value == "auc"
                else with_error(*gap.loc["all"], digits=4, sign=True)
            )
        gaps = paired(measured, "log_loss", "method", method, "isotonic")[:-1]["mean"]
        cells[-1] = f"{(gaps < 0).sum()} of {len(gaps)}" if method != "isotonic" else "—"
        lines.append(cells)
    header = ("map", "log loss", "to isotonic", "Brier", "to isotonic", "AUC", "lower log loss on")
    write(chosen.tables / "rank_calibration.csv", header, lines)


if __name__ == "__main__":
    main()
