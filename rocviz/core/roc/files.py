"""Labels and scores from files larger than memory, batch by batch.

pyarrow reads them, and is needed only when that is done (``pip install "rocviz[parquet]"``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from os import PathLike
from typing import Any

from rocviz.core.base.validation import check_choice, check_integer


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
        What kind of files they are.
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
        from pyarrow import ArrowException
        from pyarrow.dataset import dataset
    except ImportError as error:
        raise ImportError(
            'Reading files in batches needs pyarrow: pip install "rocviz[parquet]".'
        ) from error

    @contextmanager
    def reading() -> Iterator[None]:
        try:
            yield
        except (ArrowException, OSError, TypeError) as error:
            what = f"path={str(path)!r} can not be read as {file_format}"
            raise ValueError(f"{what}: {error}") from error

    with reading():
        files = dataset(path, format=file_format)
    for name in columns:
        if files.schema.names.count(name) != 1:
            has = ", ".join(files.schema.names[:20]) or "none"
            many = "several columns" if name in files.schema.names else "no column"
            raise ValueError(f"path={str(path)!r} has {many} {name!r}; its columns: {has}.")
    as_text: list[str] = []
    if file_format == "csv":
        files, as_text = _whole_numbers_as_text(files, columns)

    def batches() -> Iterator[tuple[Any, ...]]:
        read = files.to_batches(
            columns=[*dict.fromkeys(columns)], batch_size=size, batch_readahead=2
        )
        while True:
            with reading():  # some damage appears only when rows are read
                batch = next(read, None)
            if batch is None:
                return
            arrays = (
                _numbers(batch.column(name)) if name in as_text else batch.column(name)
                for name in columns
            )
            yield tuple(array.to_numpy(zero_copy_only=False) for array in arrays)

    return batches()


def _whole_numbers_as_text(files: Any, columns: list[str]) -> tuple[Any, list[str]]:
    """Read columns of CSV files that begin with whole numbers as text, and list them.

    pyarrow takes the type of a column from the beginning of the first file, and would refuse
    fractions further down; in text each number has all its digits.
    """
    from pyarrow import string, types
    from pyarrow.csv import ConvertOptions
    from pyarrow.dataset import CsvFileFormat, dataset

    as_text = [name for name in columns if types.is_integer(files.schema.field(name).type)]
    if not as_text:
        return files, []
    options = ConvertOptions(column_types=dict.fromkeys(as_text, string()))
    return dataset(files.files, format=CsvFileFormat(convert_options=options)), as_text


def _numbers(text: Any) -> Any:
    """Convert text to whole numbers or else to numbers, if all entries are; otherwise keep it."""
    from pyarrow import ArrowInvalid, compute, float64, int64

    digits = compute.utf8_trim_whitespace(text)
    digits = compute.if_else(compute.equal(digits, ""), None, digits)
    for kind in (int64(), float64()):
        with suppress(ArrowInvalid):
            return digits.cast(kind)
    return text
