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

from rocviz.core.base.validation import describe
from rocviz.datasets._tools import bunch_or_pair

_NUMBERS_OF_WORDS = {"female": 0.0, "male": 1.0, "": np.nan, "?": np.nan, "nan": np.nan}


#: Relative difference of the sum of a column from the published one that is still rounding.
_SUM_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Source:
    """A data set, and the published form with which what is fetched is compared.

    Parameters
    ----------
    function, name : str
        The loader, and the name at OpenML.
    columns : tuple of str
        Published names of the features; capitals and punctuation are not compared.
    features, target_names : tuple of str
        Names here.
    sums : tuple of float or None
        Of each column; ``None`` is not compared.
    n_negative, n_positive : int
    most_missing : tuple of int
        How many values of each column may be missing.
    is_positive : callable
        Which labels are of the positive class.
    description : str
    """

    function: str
    name: str
    columns: tuple[str, ...]
    features: tuple[str, ...]
    sums: tuple[float | None, ...]
    max_missing: tuple[int, ...]
    target_names: tuple[str, str]
    n_negative: int
    n_positive: int
    is_positive: Callable[[NDArray[np.float64]], NDArray[np.bool_]]
    description: str

    @property
    def n_samples(self) -> int:
        return self.n_negative + self.n_positive


COIMBRA = Source(
    function="fetch_coimbra",
    name="breast-cancer-coimbra",
    columns=(
        "Age",
        "BMI",
        "Glucose",
        "Insulin",
        "HOMA",
        "Leptin",
        "Adiponectin",
        "Resistin",
        "MCP.1",
    ),
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
    sums=(
        6647,
        3199.52485598,
        11344,
        1161.402,
        312.61855747,
        3087.3493,
        1180.98138,
        1708.21204,
        62019.052,
    ),
    max_missing=(0,) * 9,
    target_names=("control", "patient"),
    n_negative=52,
    n_positive=64,
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

INDIAN_LIVER = Source(
    function="fetch_indian_liver",
    name="ilpd",
    columns=("Age", "Gender", "TB", "DB", "Alkphos", "Sgpt", "Sgot", "TP", "ALB", "A/G Ratio"),
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
    # copies differ in how they fill the gaps of the ratios
    sums=(26087, 441, 1923.2, 866.4, 169406, 47056, 64078, 3779.7, 1831.7, None),
    max_missing=(0, 0, 0, 0, 0, 0, 0, 0, 0, 4),
    target_names=("no liver disease", "liver disease"),
    n_negative=167,
    n_positive=416,
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

    The first call needs a network; scikit-learn keeps what it fetched. Size, columns, classes and
    the sum of each column are compared with those of the published data.

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
        If what was fetched are not the published data.

    References
    ----------
    Patrício et al. (2018).
    """
    return _bunch(COIMBRA, data_home, return_X_y=return_X_y, as_frame=as_frame)


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
    return _bunch(INDIAN_LIVER, data_home, return_X_y=return_X_y, as_frame=as_frame)


def _bunch(source: Source, data_home: Any, *, return_X_y: bool, as_frame: bool) -> Any:
    data, label = _columns(source, _fetched(source, data_home))
    columns = []
    for name in data.columns:
        columns.append([_number(source, value) for value in data[name]])
    table = np.column_stack(columns)
    target = _check_classes(source, np.array([_number(source, value) for value in label]))
    _check_values(source, table)
    return bunch_or_pair(
        table,
        target,
        return_X_y=return_X_y,
        as_frame=as_frame,
        feature_names=list(source.features),
        target_names=list(source.target_names),
        DESCR=source.description,
    )


def _columns(source: Source, fetched: Any) -> tuple[Any, Any]:
    """Separate features and labels, and compare size and names with the published ones."""
    data = fetched.data
    label = fetched.target
    if label is None and data.shape[1]:  # no column was declared to be the target
        label = data.iloc[:, -1]
        data = data.iloc[:, :-1]
    names = [str(name) for name in data.columns]
    if len(names) != len(source.columns):
        raise _not_published(
            source,
            f"{len(names)} features",
            f"{len(source.columns)}, {', '.join(source.columns)}",
        )
    plain = [f"V{k + 1}" for k in range(len(names))]  # names that OpenML gives to unnamed columns
    for name, published in zip(names, source.columns, strict=True):
        if names != plain and _letters(name) != _letters(published):
            raise _not_published(
                source,
                f"a column {describe(name)}",
                f"{describe(published)} of {', '.join(source.columns)}",
            )
    if len(data) != source.n_samples or len(label) != source.n_samples:
        raise _not_published(source, f"{len(data):,} rows", f"{source.n_samples:,}")
    return data, label


def _letters(name: str) -> str:
    """Reduce the name of a column to its letters and digits."""
    return "".join(filter(str.isalnum, name)).lower()


def _check_classes(source: Source, label: NDArray[np.float64]) -> NDArray[np.int64]:
    """Convert labels to 0 and 1, and compare their numbers with the published ones."""
    values = np.unique(label)
    if values.size != 2 or not np.isfinite(values).all():
        raise _not_published(source, f"{values.size} values of the label", "2, for two classes")
    target = source.is_positive(label).astype(np.int64)
    if target.sum() != source.n_positive:
        raise _not_published(
            source,
            f"{target.sum()} samples of the class {describe(source.target_names[1])}",
            f"{source.n_positive}",
        )
    return target


def _check_values(source: Source, table: NDArray[np.float64]) -> None:
    """Compare missing values and the sum of each column with the published ones."""
    for k, name in enumerate(source.columns):
        column = table[:, k]
        missing = int(np.isnan(column).sum())
        if missing > source.max_missing[k]:
            raise _not_published(
                source,
                f"{missing} missing values in {describe(name)}",
                f"{source.max_missing[k]} at most",
            )
        if np.isinf(column).any():
            raise _not_published(source, f"an infinite value in {describe(name)}", "finite numbers")
        published = source.sums[k]
        if published is not None and not np.isclose(column.sum(), published, _SUM_TOLERANCE, 0):
            raise _not_published(
                source, f"a sum of {column.sum():.10g} in {describe(name)}", f"{published:.10g}"
            )


def _not_published(source: Source, received: str, expected: str) -> ValueError:
    """Make the error for data that differ from the published ones."""
    return ValueError(
        f"{source.name} from openml.org is not the published data set: it has {received}; "
        f"expected {expected}."
    )


def _fetched(source: Source, data_home: Any) -> Any:
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


def _number(source: Source, value: object) -> float:
    text = str(value).strip().lower()
    try:
        return _NUMBERS_OF_WORDS[text] if text in _NUMBERS_OF_WORDS else float(text)
    except ValueError:
        raise ValueError(f"{source.name} holds {describe(value)}; a number is expected.") from None
