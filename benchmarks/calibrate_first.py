"""Does it pay to calibrate before deciding? The table of docs/decisions.md.

``python benchmarks/calibrate_first.py`` compares decisions by the classifier's own probabilities
with those by its probabilities calibrated by the hull, on imbalanced data sets, over repeated
splits, each metric on the test samples as one batch.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from real_data import Split, error, measure, options, with_error, write
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rocviz import calibration_map, optimal_decision
from rocviz.core.decisions import resolve_metric
from rocviz.core.decisions.empirical_utility import best_empirical_threshold

DATA_NAMES = (
    "KC1",
    "PC1",
    "CM1",
    "yeast3",
    "ecoli3",
    "SATIMAGE",
    "vowel0",
    "abalone9_18",
    "yeast4",
    "winequality-red-4",
    "page-blocks-1-3_vs_4",
    "digit 8",
)
METRICS = ("f", "jaccard", "am", "g_mean", "mcc")
CLASSIFIERS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)),
    "naive Bayes": GaussianNB(),
    "forest": RandomForestClassifier(50, min_samples_leaf=2, random_state=0),
}


def measure_split(_name: str, _i: int, split: Split) -> Iterator[dict[str, object]]:
    X, y, X_test, y_test = split
    for classifier, model in CLASSIFIERS.items():
        known = cross_val_predict(model, X, y, cv=5, method="predict_proba")[:, 1]
        new = model.fit(X, y).predict_proba(X_test)[:, 1]
        calibrate = calibration_map(y, known, m=2.0)
        for metric in METRICS:
            exact = resolve_metric(metric)
            labels = {
                "raw": optimal_decision(new, exact).labels == 1,
                "hull": optimal_decision(calibrate(new), exact).labels == 1,
                "threshold": new >= best_empirical_threshold(y, known, exact).threshold,
                "half": new > 0.5,
            }
            row: dict[str, object] = {"classifier": classifier, "metric": metric}
            for name, predictions in labels.items():
                counts = (predictions & y_test).sum(), predictions.sum(), y_test.sum()
                row[name] = float(np.ravel(exact.at_counts(*counts, y_test.size))[0])
            yield row


def main() -> None:
    chosen = options(__doc__.splitlines()[0], DATA_NAMES, 10)
    measured = measure(
        chosen.kept / "calibrate_first.csv", chosen.data, chosen.splits, measure_split
    )
    ways = ("raw", "hull", "threshold", "half")
    lines = []
    for (classifier, metric), part in measured.groupby(["classifier", "metric"], sort=False):
        of_data = part.groupby("data", sort=False)[list(ways)].mean()
        gap = of_data.hull - of_data.raw
        over = part.assign(gap=part.hull - part.raw).groupby("data").gap
        sure = over.mean() / over.apply(error).clip(lower=1e-12)
        lines.append(
            [
                classifier,
                metric,
                *(f"{mean:.3f}" for mean in of_data.mean()),
                with_error(gap.mean(), error(gap), sign=True),
                f"{(sure > 2).sum()} up, {(sure < -2).sum()} down of {len(gap)}",
            ]
        )
    header = ("classifier", "metric", "own", "hull", "threshold", "one half", "hull − own", "sure")
    write(chosen.tables / "calibrate_first.csv", header, lines)


if __name__ == "__main__":
    main()
