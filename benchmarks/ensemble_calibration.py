"""Which probabilities are calibrated? The table of docs/fidel.md on real data.

``python benchmarks/ensemble_calibration.py`` trains six classifiers on the same samples, shows
them others to be measured by, and compares the crowd's probabilities on test samples: FiDEL's as
they are and calibrated, its rivals', the mean of the classifiers' own, stacking.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
from real_data import Split, measure, options, paired, quality, with_error, write
from scipy.special import expit, logit
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from rocviz import calibration_map, fidel_combine
from rocviz.core.ensembles import DependentErrorsWarning, RankEnsemble

DATA_NAMES = (
    "pima",
    "saheart",
    "haberman",
    "australian",
    "ionosphere",
    "breast_cancer",
    "mammographic",
    "vehicle1",
    "yeast1",
    "KC1",
    "SPECTF",
    "digit 8",
)
CLASSIFIERS = (
    make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    GaussianNB(),
    DecisionTreeClassifier(max_depth=4, random_state=0),
    make_pipeline(StandardScaler(), KNeighborsClassifier(15)),
    RandomForestClassifier(40, random_state=0),
    make_pipeline(StandardScaler(), LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")),
)
UNCALIBRATED_NAME = "FiDEL as in the paper"


def probabilities(models, X) -> np.ndarray:
    """Predict probabilities of the positive class, one column per model."""
    return np.column_stack([model.predict_proba(X)[:, 1] for model in models])


def measure_split(_name: str, i: int, split: Split) -> Iterator[dict[str, object]]:
    X, y, X_test, y_test = split
    train, known = train_test_split(np.arange(len(y)), test_size=0.3, stratify=y, random_state=i)
    fitted = [model.fit(X[train], y[train]) for model in CLASSIFIERS]
    seen = probabilities(fitted, X[known])
    new = probabilities(fitted, X_test)
    y = y[known]
    predicted = {"the mean of their probabilities": new.mean(axis=1)}
    stacked = LogisticRegression().fit(logit(seen.clip(1e-3, 1 - 1e-3)), y)
    predicted["stacking"] = stacked.predict_proba(logit(new.clip(1e-3, 1 - 1e-3)))[:, 1]
    raw = fidel_combine(y, seen, new, calibration=None)
    predicted[UNCALIBRATED_NAME] = raw.probability
    predicted["FiDEL, calibrated"] = fidel_combine(y, seen, new).probability
    cross_evidence = np.empty(len(y))
    for rest, fold in StratifiedKFold(5, shuffle=True, random_state=0).split(seen, y):
        of_rest = RankEnsemble.from_scores(y[rest], seen[rest])
        cross_evidence[fold] = of_rest.combine(seen[fold]).log_likelihood_ratio
    cross_fitted = calibration_map(y, cross_evidence, method="sigmoid")
    predicted["FiDEL, calibrated with weights of other folds"] = cross_fitted(
        raw.log_likelihood_ratio
    )
    for method in ("woc", "correlation-aware"):
        predicted[f"{method}, calibrated"] = fidel_combine(y, seen, new, method=method).probability
    predicted["the prevalence"] = expit(np.full(len(y_test), logit(y.mean())))
    for method, prob in predicted.items():
        yield {"method": method, **quality(y_test, prob), "effect": raw.ensemble.design_effect}


def main() -> None:
    warnings.simplefilter("ignore", DependentErrorsWarning)
    chosen = options(__doc__.splitlines()[0], DATA_NAMES, 10)
    kept = chosen.kept / "ensemble_calibration.csv"
    measured = measure(kept, chosen.data, chosen.splits, measure_split)
    print(f"design effect: {measured.groupby('data').effect.mean().describe()}")
    lines = []
    for method in measured.method.unique():
        of_data = measured[measured.method == method].groupby("data")
        cells = [method]
        for value in ("brier", "log_loss"):
            gap = paired(measured, value, "method", method, UNCALIBRATED_NAME).loc["all"]
            to_raw = "—" if method == UNCALIBRATED_NAME else with_error(*gap, sign=True)
            cells += [f"{of_data[value].mean().mean():.3f}", to_raw]
        lines.append([*cells, f"{of_data.auc.mean().mean():.3f}"])
    lines.sort(key=lambda cells: cells[3])
    header = ("probabilities", "Brier", "to the paper's", "log loss", "to the paper's", "AUC")
    write(chosen.tables / "ensemble_calibration.csv", header, lines)


if __name__ == "__main__":
    main()
