"""Does a crowd need weights? The second table of rivals in docs/fidel.md, on real data.

``python benchmarks/ensemble_mean.py`` trains the six classifiers of ``ensemble_calibration.py``
and combines them by the mean of their probabilities, by stacking and by their ranks. The weights
are measured on few or on many validation samples. It needs a minute, and no other data than those
that scikit-learn and rocviz ship.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import pandas as pd
from ensemble_calibration import CLASSIFIERS, probabilities
from real_data import options, splits, with_error, write
from scipy.special import logit
from sklearn.datasets import load_diabetes, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split

from rocviz import fidel_combine
from rocviz.core.ensembles import DependentErrorsWarning
from rocviz.datasets import load_breast_cancer_scores

DATA_NAMES = ("tumours", "diabetes", "odd digits")
#: Columns of the middle row of an image of 8 times 8 pixels.
MIDDLE_ROW = slice(24, 32)
N_FEW_VALIDATION = 60
TEST_SHARE = 0.3
MEAN_NAME = "mean of the probabilities"


def load(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Load the features of a data set and an indicator of its positives."""
    if name == "tumours":
        scores = load_breast_cancer_scores()
        return np.asarray(scores.data), np.asarray(scores.y_true)
    if name == "diabetes":
        X, progression = load_diabetes(return_X_y=True)
        return X, progression >= np.quantile(progression, 0.75)
    X, digit = load_digits(return_X_y=True)
    return X[:, MIDDLE_ROW], digit % 2 == 1


def combine(
    y_val: np.ndarray, seen: np.ndarray, new: np.ndarray
) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the name of each method and its scores of new samples."""
    yield MEAN_NAME, new.mean(axis=1)
    stacked = LogisticRegression().fit(logit(seen.clip(1e-3, 1 - 1e-3)), y_val)
    yield "stacking", stacked.decision_function(logit(new.clip(1e-3, 1 - 1e-3)))
    for name, method in {
        "wisdom of crowds": "woc",
        "FiDEL": "fidel",
        "correlation-aware": "correlation-aware",
    }.items():
        yield name, fidel_combine(y_val, seen, new, method=method).probability


def measure(name: str, n_splits: int) -> Iterator[dict[str, object]]:
    """Yield the AUC of each method on the test samples of each split."""
    X, y = load(name)
    for i, (X_known, y_known, X_test, y_test) in enumerate(splits(X, y, n_splits)):
        X_train, X_val, y_train, y_val = train_test_split(
            X_known, y_known, test_size=0.3, stratify=y_known, random_state=i
        )
        fitted = [model.fit(X_train, y_train) for model in CLASSIFIERS]
        seen = probabilities(fitted, X_val)
        new = probabilities(fitted, X_test)
        few, _ = train_test_split(
            np.arange(len(y_val)), train_size=N_FEW_VALIDATION, stratify=y_val, random_state=i
        )
        for size, used in {"few": few, "all": np.arange(len(y_val))}.items():
            for method, score in combine(y_val[used], seen[used], new):
                auc = roc_auc_score(y_test, score)
                yield {
                    "data": name,
                    "split": i,
                    "size": size,
                    "n_validation": len(used),
                    "method": method,
                    "auc": auc,
                }


def compare(measured: pd.DataFrame) -> Iterator[list[str]]:
    """Yield the lines of the table: AUC, and its difference from the mean of the probabilities.

    The standard errors allow for the samples that splits share (Nadeau and Bengio, 2003).
    """
    for (name, _), of_size in measured.groupby(["data", "size"], sort=False):
        auc = of_size.pivot_table(index="split", columns="method", values="auc")
        shared_error = np.sqrt(1 / len(auc) + TEST_SHARE / (1 - TEST_SHARE))
        cells = [name, str(of_size.n_validation.iloc[0]), f"{auc[MEAN_NAME].mean():.3f}"]
        for method in of_size.method.unique():
            if method != MEAN_NAME:
                gap = auc[method] - auc[MEAN_NAME]
                cells.append(with_error(gap.mean(), gap.std(ddof=1) * shared_error, sign=True))
        yield cells


def main() -> None:
    warnings.simplefilter("ignore", DependentErrorsWarning)
    chosen = options(__doc__.splitlines()[0], DATA_NAMES, 20)
    rows = [row for name in chosen.data for row in measure(name, chosen.splits)]
    measured = pd.DataFrame(rows)
    rivals = [name for name in measured.method.unique() if name != MEAN_NAME]
    header = ("data", "validation samples", MEAN_NAME, *(f"{name} − mean" for name in rivals))
    write(chosen.tables / "ensemble_mean.csv", header, compare(measured))


if __name__ == "__main__":
    main()
