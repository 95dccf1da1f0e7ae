"""Data sets that are not shipped: read from a folder of copies, or fetched from OpenML by name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from sklearn.datasets import fetch_openml

from rocviz.datasets import fetch_coimbra

# name here -> name at OpenML; the rarer class is the positive one
OPENML = {
    "wisconsin": "breast-w",
    "ionosphere": "ionosphere",
    "sonar": "sonar",
    "pima": "diabetes",
    "haberman": "haberman",
    "heart": "heart-statlog",
}


def load(name: str, folder: Path | None) -> tuple[np.ndarray, np.ndarray]:
    """Load ``X, y``; rows with a missing value are left out.

    ``folder/name.csv`` holds numbers and a label at the end of each line.

    Raises
    ------
    OSError
        If there is no such file and the data cannot be fetched either.
    """
    file = folder / f"{name}.csv" if folder else None
    if name == "coimbra":
        return fetch_coimbra(path=file, return_X_y=True)
    if file:
        cells = np.loadtxt(file, delimiter=",", dtype=str)
        X, label = cells[:, :-1], cells[:, -1]
    else:
        X, label = fetch_openml(
            OPENML[name], version=1, return_X_y=True, as_frame=False, n_retries=1
        )
    X, label = np.asarray(X, dtype=float), np.asarray(label)
    whole = np.isfinite(X).all(axis=1)
    X, label = X[whole], label[whole]
    values, counts = np.unique(label, return_counts=True)
    return X, (label == values[counts.argmin()]).astype(int)


def load_bank(folder: Path | None) -> tuple[np.ndarray, np.ndarray]:
    """Load the predictions of ten classifiers for 1130 customers of a bank, and who said yes.

    They were published with the code of FiDEL (github.com/sungcheolkim78/FiDEL): ten columns of
    predicted probabilities of a *no*, then the label. No catalogue has them, so they are read
    from ``folder/bank.csv`` only.
    """
    if not folder:
        raise FileNotFoundError("bank.csv is in no catalogue; name a folder that holds it.")
    table = np.loadtxt(folder / "bank.csv", delimiter=",", dtype=str, skiprows=1)
    label = np.char.strip(table[:, -1], '"')
    return 1 - table[:, :-1].astype(float), (label == "yes").astype(int)
