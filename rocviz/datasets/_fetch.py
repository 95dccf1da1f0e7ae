"""Data sets that are not carried along: fetched by name from OpenML once, or read from a file.

scikit-learn fetches and keeps them in its data home; this module names them, says clearly
what to do without a network, and brings both sources into one form.
"""

from __future__ import annotations

import csv
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import fetch_openml, get_data_home

from rocviz.datasets._tools import bunch_or_pair

_WORDS = {"female": 0.0, "male": 1.0, "": np.nan, "?": np.nan, "nan": np.nan}


@dataclass(frozen=True)
class _Source:
    function: str
    name: str
    features: tuple[str, ...]
    target_names: tuple[str, str]
    is_positive: Callable[[NDArray[np.float64]], NDArray[np.bool_]]
    description: str


_COIMBRA = _Source(
    function="fetch_coimbra",
    name="breast-cancer-coimbra",
    features=(
        "age",
        "BMI",
        "glucose",
        "insulin",
        "HOMA",
        "leptin",
        "adiponectin",
        "resistin",
        "MCP-1",
    ),
    target_names=("control", "patient"),
    # 1 and 2 in the repository, 0 and 1 in many copies
    is_positive=lambda label: label == label.max(),
    description="""\
Breast Cancer Coimbra
---------------------

116 women, 64 with breast cancer (1) and 52 healthy controls (0), and nine measurements: age
in years, body mass index, and seven values from routine blood tests.

Source: Patrício et al. (2018), "Using resistin, glucose, age and BMI to predict the presence of
breast cancer"; UCI Machine Learning Repository. Fetched from OpenML,
"breast-cancer-coimbra".
""",
)

_LIVER = _Source(
    function="fetch_indian_liver",
    name="ilpd",
    features=(
        "age",
        "male",
        "total bilirubin",
        "direct bilirubin",
        "alkaline phosphatase",
        "alanine aminotransferase",
        "aspartate aminotransferase",
        "total proteins",
        "albumin",
        "albumin to globulin ratio",
    ),
    target_names=("no liver disease", "liver disease"),
    # 2 stands for the others in the repository, 0 in some copies
    is_positive=lambda label: label == 1,
    description="""\
Indian Liver Patients
---------------------

583 people, 416 of them liver patients (1) and 167 not (0), and ten features: age in years, sex (1
is male), and eight values from blood tests. A few ratios are missing in the repository's
own file; they are NaN here.

Source: Ramana and Venkateswarlu (2012), "ILPD (Indian Liver Patient Dataset)", UCI
Machine Learning Repository. Fetched from OpenML, "ilpd".
""",
)


def fetch_coimbra(
    *,
    path: str | PathLike[str] | None = None,
    data_home: str | PathLike[str] | None = None,
    return_X_y: bool = False,
    as_frame: bool = False,
) -> Any:
    r"""Fetch Breast Cancer Coimbra: 116 women, nine measurements, 64 patients.

    The first call needs a network; scikit-learn keeps what it fetched.

    Parameters
    ----------
    path : str or path-like, optional
        Read this CSV file instead, without any network: the nine measurements in the
        repository's order, then the label; with or without a line of names.
    data_home : str or path-like, optional
        Where scikit-learn keeps data sets. ``None`` is its usual place.
    return_X_y : bool, default=False
        Return ``(data, target)`` only.
    as_frame : bool, default=False
        As pandas objects; the bunch then has a ``frame``.

    Returns
    -------
    sklearn.utils.Bunch or tuple
        ``data`` (read-only, shape (116, 9)), ``target`` (read-only integers, shape (116,), 1 is a
        patient), ``feature_names``, ``target_names``, ``DESCR``, ``frame``.

    Raises
    ------
    ConnectionError
        If the data are neither kept already nor to be had; the message says what to do.
    ValueError
        If the data are not of the expected form.

    References
    ----------
    Patrício et al. (2018).

    Examples
    --------
    Two made-up rows of a file; without ``path`` the real ones are fetched.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "coimbra.csv")
    ...     _ = file.write_text("50,24,90,3,1,20,9,8,400,1\n61,27,105,8,2,31,7,12,500,2\n")
    ...     found = fetch_coimbra(path=file)
    >>> found.target.tolist(), found.feature_names[2]
    ([0, 1], 'glucose')
    """
    return _bunch(_COIMBRA, path, data_home, return_X_y=return_X_y, as_frame=as_frame)


def fetch_indian_liver(
    *,
    path: str | PathLike[str] | None = None,
    data_home: str | PathLike[str] | None = None,
    return_X_y: bool = False,
    as_frame: bool = False,
) -> Any:
    r"""Fetch the Indian Liver Patient data: 583 people, ten features, 416 patients.

    Takes and raises what :func:`fetch_coimbra` does. A CSV file, given as ``path``, holds the ten
    features in the repository's order, sex as ``Female``/``Male`` or 0/1, then the label.

    Returns
    -------
    sklearn.utils.Bunch or tuple
        ``data`` (read-only, shape (583, 10), NaN where a value is missing), ``target`` (read-only
        integers, shape (583,), 1 is a patient), ``feature_names``, ``target_names``,
        ``DESCR``, ``frame``.

    References
    ----------
    Ramana and Venkateswarlu (2012).

    Examples
    --------
    A file of two made-up rows:

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> rows = "65,Female,1,0,180,16,18,7,3,1,1\n62,Male,2,1,190,20,25,7,4,,2\n"
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "liver.csv")
    ...     _ = file.write_text(rows)
    ...     X, y = fetch_indian_liver(path=file, return_X_y=True)
    >>> X[:, 1].tolist(), y.tolist()
    ([0.0, 1.0], [1, 0])
    """
    return _bunch(_LIVER, path, data_home, return_X_y=return_X_y, as_frame=as_frame)


def _bunch(source: _Source, path: Any, data_home: Any, *, return_X_y: bool, as_frame: bool) -> Any:
    rows = _fetched(source, data_home) if path is None else _from_file(source, Path(path))
    table = _numbers(source, rows)
    target = source.is_positive(table[:, -1]).astype(np.int64)
    if not 0 < target.sum() < target.size:
        raise ValueError(f"{source.name}: the labels are of one class only; two are needed.")
    return bunch_or_pair(
        table[:, :-1].copy(),
        target,
        return_X_y=return_X_y,
        as_frame=as_frame,
        feature_names=list(source.features),
        target_names=list(source.target_names),
        DESCR=source.description,
    )


def _fetched(source: _Source, data_home: Any) -> list[list[str]]:
    home = None if data_home is None else str(data_home)
    try:
        with warnings.catch_warnings():
            # the error below says it once more, and what to do
            warnings.filterwarnings("ignore", "A network error occurred", UserWarning)
            found = fetch_openml(
                source.name, version=1, data_home=home, as_frame=True, parser="auto", n_retries=1
            )
    except OSError as error:
        raise ConnectionError(
            f"The data set {source.name} is not in {get_data_home(home)} yet, and openml.org "
            f"cannot be reached ({error}). Call {source.function}() once with a network "
            "connection, which stores it there, or pass a CSV file: "
            f"{source.function}(path='...')."
        ) from error
    columns = [found.data[name] for name in found.data.columns]
    return [[str(value) for value in row] for row in zip(*columns, found.target, strict=True)]


def _from_file(source: _Source, path: Path) -> list[list[str]]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as lines:
            rows = [row for row in csv.reader(lines) if row]
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{source.function}: there is no file {path}.") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(
            f"{source.function}: {path} is not a CSV file in UTF-8 ({error})."
        ) from error
    if rows and _number(rows[0][-1]) is None:
        rows = rows[1:]
    if not rows:
        raise ValueError(f"{source.function}: {path} holds no rows.")
    return rows


def _numbers(source: _Source, rows: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    wanted = len(source.features) + 1
    table = np.empty((len(rows), wanted))
    for i, row in enumerate(rows):
        if len(row) != wanted:
            raise ValueError(
                f"{source.function}: row {i + 1} has {len(row)} columns; {wanted} are expected, "
                f"{', '.join(source.features)} and the label."
            )
        for j, text in enumerate(row):
            value = _number(text)
            if value is None or (j == wanted - 1 and np.isnan(value)):
                raise ValueError(
                    f"{source.function}: row {i + 1}, column {j + 1} holds {text!r}; a number "
                    "is expected."
                )
            table[i, j] = value
    return table


def _number(text: str) -> float | None:
    text = text.strip().lower()
    if text in _WORDS:
        return _WORDS[text]
    try:
        return float(text)
    except ValueError:
        return None
