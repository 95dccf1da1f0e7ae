"""Data sets that are fetched by name from OpenML once, and that scikit-learn then keeps."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
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
    data_home: str | PathLike[str] | None = None,
    return_X_y: bool = False,
    as_frame: bool = False,
) -> Any:
    """Fetch Breast Cancer Coimbra: 116 women, nine measurements, 64 patients.

    The first call needs a network; scikit-learn keeps what it fetched.

    Parameters
    ----------
    data_home : str or path-like, optional
        Folder in which scikit-learn keeps data sets. ``None`` is its usual place.
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
        If the data are not in the folder yet, and cannot be fetched.
    ValueError
        If the fetched data are not of the expected form.

    References
    ----------
    Patrício et al. (2018).
    """
    return _bunch(_COIMBRA, data_home, return_X_y=return_X_y, as_frame=as_frame)


def fetch_indian_liver(
    *,
    data_home: str | PathLike[str] | None = None,
    return_X_y: bool = False,
    as_frame: bool = False,
) -> Any:
    """Fetch the Indian Liver Patient data: 583 people, ten features, 416 patients.

    Takes the parameters of :func:`fetch_coimbra` and raises its errors.

    Returns
    -------
    sklearn.utils.Bunch or tuple
        ``data`` (read-only, shape (583, 10), NaN where a value is missing), ``target`` (read-only
        integers, shape (583,), 1 is a patient), ``feature_names``, ``target_names``,
        ``DESCR``, ``frame``.

    References
    ----------
    Ramana and Venkateswarlu (2012).
    """
    return _bunch(_LIVER, data_home, return_X_y=return_X_y, as_frame=as_frame)


def _bunch(source: _Source, data_home: Any, *, return_X_y: bool, as_frame: bool) -> Any:
    fetched = _fetched(source, data_home)
    columns = [*(fetched.data[name] for name in fetched.data.columns), fetched.target]
    if len(columns) != len(source.features) + 1:
        raise ValueError(
            f"{source.name} has {len(columns) - 1} features on openml.org; "
            f"{len(source.features)} are expected, {', '.join(source.features)}."
        )
    table = np.column_stack([[_number(source, value) for value in column] for column in columns])
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


def _fetched(source: _Source, data_home: Any) -> Any:
    home = None if data_home is None else str(data_home)
    try:
        with warnings.catch_warnings():
            # the error below says it once more, and what to do
            warnings.filterwarnings("ignore", "A network error occurred", UserWarning)
            return fetch_openml(
                source.name, version=1, data_home=home, as_frame=True, parser="auto", n_retries=1
            )
    except OSError as error:
        raise ConnectionError(
            f"The data set {source.name} is not in {get_data_home(home)} yet, and openml.org "
            f"cannot be reached ({error}). Call {source.function}() once with a network "
            "connection, which stores it there."
        ) from error


def _number(source: _Source, value: object) -> float:
    text = str(value).strip().lower()
    try:
        return _WORDS[text] if text in _WORDS else float(text)
    except ValueError:
        raise ValueError(f"{source.name} holds {value!r}; a number is expected.") from None
