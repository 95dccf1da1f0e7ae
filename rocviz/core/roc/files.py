"""Labels and scores from files larger than memory, batch by batch.

pyarrow reads them, and is needed only when that is done (``pip install "rocviz[parquet]"``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.validation import (
    MAX_EXACT_INTEGER,
    check_choice,
    check_integer,
    describe,
    list_labels,
    path_text,
    reason,
)


def read_partitions(
    path: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    y_true: str,
    y_score: str,
    sample_weight: str | None = None,
    file_format: str = "parquet",
    batch_size: int = 1_000_000,
) -> Iterator[tuple[Any, ...]]:
    r"""Iterate over batches of rows, for :meth:`RankedSegments.from_partitions`.

    Parameters
    ----------
    path : path or sequence of paths
        A file, a folder of files, or several files.
    y_true, y_score : str
        Names of the columns that hold labels and scores. No other column is read.
    sample_weight : str, optional
        Name of the column of weights.
    file_format : {"parquet", "csv"}, default="parquet"
        What kind of files they are. Scores and weights in CSV files are read as doubles; scores
        above 2**53 in them are refused.
    batch_size : int, default=1_000_000
        The most rows that are in memory at a time; at least 1. A row group of a parquet file and
        some blocks of a CSV file are read ahead.

    Returns
    -------
    iterator of tuple of ndarray
        ``(y_true, y_score)`` or ``(y_true, y_score, sample_weight)``.

    Raises
    ------
    ValueError
        If there is no file, a column is missing, or a file is not of this format.
    ImportError
        If pyarrow is not installed.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from rocviz import RankedSegments
    >>> with TemporaryDirectory() as folder:
    ...     with open(f"{folder}/scores.csv", "w") as file:
    ...         _ = file.write("ill,score\n1,0.9\n0,0.4\n1,0.3\n")
    ...     batches = read_partitions(
    ...         f"{folder}/scores.csv", y_true="ill", y_score="score", file_format="csv"
    ...     )
    ...     RankedSegments.from_partitions(batches)
    <RankedSegments: 3 segments, 2 positives, 1 negatives, AUC 0.5000>
    """
    check_choice(file_format, "file_format", ("parquet", "csv"))
    size = check_integer(batch_size, "batch_size", minimum=1)
    columns = [name for name in (y_true, y_score, sample_weight) if name is not None]
    try:
        from pyarrow import ArrowException, float64
        from pyarrow.csv import ConvertOptions
        from pyarrow.dataset import CsvFileFormat, dataset
    except ImportError as error:
        raise ImportError(
            'Reading files in batches needs pyarrow: pip install "rocviz[parquet]".'
        ) from error

    @contextmanager
    def reading() -> Iterator[None]:
        try:
            yield
        except (ArrowException, OSError, TypeError) as error:
            what = f"path={path_text(path)} can not be read as {file_format}"
            raise ValueError(f"{what}: {reason(error)}") from error

    read_as: Any = file_format
    if file_format == "csv":
        # else the beginning of the first file, such as whole numbers, would set the type
        types = dict.fromkeys(columns[1:], float64())
        read_as = CsvFileFormat(convert_options=ConvertOptions(column_types=types))
    with reading():
        files = dataset(path, format=read_as)
    for name in columns:
        if files.schema.names.count(name) != 1:
            names = list_labels(files.schema.names, 20) or "none"
            kind = "several columns" if name in files.schema.names else "no column"
            raise ValueError(
                f"path={path_text(path)} has {kind} {describe(name)}; its columns: {names}."
            )

    def batches() -> Iterator[tuple[Any, ...]]:
        read = files.to_batches(
            columns=list(dict.fromkeys(columns)), batch_size=size, batch_readahead=2
        )
        while True:
            with reading():  # some damage appears only when rows are read
                batch = next(read, None)
            if batch is None:
                return
            arrays = [batch.column(name).to_numpy(zero_copy_only=False) for name in columns]
            if file_format == "csv":
                _check_exact(arrays[1])
            yield tuple(arrays)

    return batches()


def _check_exact(score: NDArray[np.float64]) -> None:
    """Refuse scores that may have been whole numbers which doubles cannot distinguish."""
    if (np.isfinite(score) & (np.abs(score) > MAX_EXACT_INTEGER)).any():
        raise ValueError(
            "y_score holds numbers above 2**53, and doubles, as which CSV files are read, cannot "
            "distinguish whole numbers of that size; subtract a constant from all of them first."
        )
