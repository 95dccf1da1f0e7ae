"""Predictions read from a file in pieces: labels, scores, weights, groups and folds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from io import RawIOBase
from pathlib import Path
from typing import Any

import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype

from rocviz.core.base.validation import describe, list_labels, reason
from rocviz.core.roc.partitions import ScoreCounts
from rocviz.core.roc.segments import RankedSegments

#: Most rows of a file that are kept in memory; larger files are reduced to counts by score.
MAX_ROWS_IN_MEMORY = 2_000_000
ROWS_PER_PIECE = 250_000  # rows that are read at a time
PROBABILITY_PREFIXES = (
    "p_",
    "prob_",
    "proba_",
    "p ",
)  # of a probability column, before the name of its class
PLAIN_LABELS = (
    {"0", "1"},
    {"-1", "1"},
    {"False", "True"},
)  # labels whose positive class is evident


@dataclass(frozen=True)
class Columns:
    """The roles of the columns of a file.

    Parameters
    ----------
    label : str
    positive : str, optional
        The label of the positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    scores : sequence of str
        By default all numeric columns that have no other role.
    group, weight, fold, cluster : str, optional
    """

    label: str
    positive: str | None = None
    scores: Sequence[str] = ()
    group: str | None = None
    weight: str | None = None
    fold: str | None = None
    cluster: str | None = None

    @property
    def others(self) -> list[str]:
        """The columns besides scores."""
        names = (self.label, self.group, self.weight, self.fold, self.cluster)
        return [name for name in names if name is not None]


def read_predictions(
    path: str,
    columns: Columns,
    *,
    progress: Callable[[int, float], None] = lambda rows, share: None,
    max_rows: int = MAX_ROWS_IN_MEMORY,
) -> dict[str, Any]:
    """Read a file into the arguments of :func:`rocviz.evaluation_report`, by name.

    Parameters
    ----------
    path : str
        A CSV file, a parquet file (recognised by its ending), or ``"-"`` to read CSV from a pipe.
    columns : Columns
    progress : callable
        Called after each piece with the number of rows read and the share of the file, which is 0
        if it is unknown.
    max_rows : int
        Files with more rows are reduced to counts by score, piece by piece.

    Returns
    -------
    dict

    Raises
    ------
    ValueError
        If the file has no rows, or a column is missing or has an invalid value.
    """
    pieces: list[pd.DataFrame] = []
    counts: dict[str, list[ScoreCounts]] = {}
    rows = 0
    scores = list(columns.scores)
    labels: set[str] = set()
    for piece, share in _pieces(path):
        if not len(piece):
            break
        if not rows:
            scores = _check_columns(piece, columns, scores, _name(path))
        piece = _checked(piece, columns, scores, rows)
        rows += len(piece)
        labels |= set(piece[columns.label].unique())
        pieces.append(piece)
        if rows > max_rows:
            if columns.group or columns.fold or columns.cluster:
                raise ValueError(
                    f"{_name(path)} has more than {max_rows:,} rows, so its scores are only "
                    "counted; leave out --group, --fold and --cluster, which need the samples."
                )
            positive = _positive(labels, columns, rows)
            for name in scores:
                added = [_count(counted, columns, name, positive) for counted in pieces]
                counts[name] = [reduce(ScoreCounts.add, [*counts.get(name, []), *added])]
            pieces = []
        progress(rows, share)
    if not rows:
        raise ValueError(f"{_name(path)} holds no rows.")
    if len(labels) > 2 and columns.positive is None and not counts:
        return _of_classes(pd.concat(pieces, ignore_index=True), columns, labels, scores)
    positive = _positive(labels, columns, rows)
    # "1" would not read as a name in sentences
    named = {"pos_label": positive} if labels not in PLAIN_LABELS else {}
    if counts:
        rankings = {}
        for name, partitions in counts.items():
            rest = [_count(piece, columns, name, positive) for piece in pieces]
            rankings[name] = RankedSegments.from_partitions([*partitions, *rest])
        return {"y_true": rankings, **named}
    table = pd.concat(pieces, ignore_index=True)
    label = table[columns.label]
    return {
        "y_true": label.to_numpy() if named else (label == positive).to_numpy(),
        "y_score": {name: table[name].to_numpy() for name in scores},
        **named,
        **_besides(table, columns),
    }


def _of_classes(
    table: pd.DataFrame, columns: Columns, labels: set[str], scores: Sequence[str]
) -> dict[str, Any]:
    """Find the probability column of each class by its name."""
    columns_of = {}
    for label in sorted(labels):
        names = [label, *(f"{start}{label}" for start in PROBABILITY_PREFIXES)]
        columns_of[label] = next((name for name in scores if _label(name) in names), None)
    missing = [label for label, name in columns_of.items() if name is None]
    if missing:
        raise ValueError(
            f"column {describe(columns.label)} holds {len(labels)} labels, so a column of "
            f"probabilities is needed for each, named after it; none is for {list_labels(missing)}."
        )
    prob = pd.DataFrame({label: table[name] for label, name in columns_of.items()})
    return {
        "y_true": table[columns.label].to_numpy(),
        "y_score": prob,
        **_besides(table, columns),
    }


def _besides(table: pd.DataFrame, columns: Columns) -> dict[str, Any]:
    """Collect groups, weights, folds and clusters by argument name."""
    columns_of = {
        "groups": columns.group,
        "sample_weight": columns.weight,
        "folds": columns.fold,
        "clusters": columns.cluster,
    }
    arguments = {}
    for argument, name in columns_of.items():
        if name is not None:
            arguments[argument] = table[name].to_numpy()
    return arguments


def _name(path: str) -> str:
    return "the standard input" if path == "-" else path


def _pieces(path: str) -> Iterator[tuple[pd.DataFrame, float]]:
    """Yield the pieces of a file, each with the share of the file read so far."""
    with _reading(path):
        if Path(path).suffix.lower() in (".parquet", ".pq"):
            from pyarrow.parquet import ParquetFile

            file = ParquetFile(path)
            rows = 0
            for batch in file.iter_batches(ROWS_PER_PIECE):
                rows += batch.num_rows
                yield batch.to_pandas(), rows / file.metadata.num_rows
        elif path == "-":
            for piece in _csv_pieces(sys.stdin.buffer):
                yield piece, 0.0
        else:
            size = Path(path).stat().st_size
            with open(path, "rb") as file:
                for piece in _csv_pieces(file):
                    yield piece, file.tell() / size if size else 0.0  # a pipe has no size


class _Source(RawIOBase):
    """A file that notes when the user interrupts its reading."""

    interrupt: KeyboardInterrupt | None = None

    def __init__(self, file: Any) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            read: int = self._file.readinto(buffer)
        except KeyboardInterrupt as interrupt:
            self.interrupt = interrupt
            raise
        return read


def _csv_pieces(file: Any) -> Iterator[pd.DataFrame]:
    """Yield the pieces of a CSV file; pandas would take an interrupt for a damaged file."""
    source = _Source(file)
    try:
        yield from pd.read_csv(source, chunksize=ROWS_PER_PIECE)
    except ValueError:
        if source.interrupt is not None:
            raise source.interrupt from None
        raise


@contextmanager
def _reading(path: str) -> Iterator[None]:
    """Describe an error in a file in one line."""
    try:
        yield
    except pd.errors.EmptyDataError:
        raise ValueError(f"{_name(path)} is empty.") from None
    except ImportError:
        raise ValueError(
            'reading parquet files needs pyarrow: pip install "rocviz[parquet]"'
        ) from None
    except (ValueError, OSError) as error:  # including errors of pandas and pyarrow
        if isinstance(error, FileNotFoundError):
            raise ValueError(f"there is no file {path}.") from None
        raise ValueError(f"{_name(path)} cannot be read: {reason(error)}") from None


def _check_columns(
    piece: pd.DataFrame, columns: Columns, scores: Sequence[str], source: str
) -> list[str]:
    """Check that all columns exist, and find the score columns if they are not named."""
    for name in [*columns.others, *scores]:
        if name not in piece.columns:
            listed = list_labels(map(str, piece.columns), 20)
            raise ValueError(f"{source} has no column {describe(name)}; its columns are {listed}.")
    if scores:
        return list(scores)
    numeric = []
    for name in piece.columns:
        if name in columns.others:
            continue
        if is_numeric_dtype(piece[name]) and not is_bool_dtype(piece[name]):
            numeric.append(name)
        elif len(piece) and _numbers(piece[name]).notna().mean() > 0.5:
            _refuse_text(piece[name], 0)
    if not numeric:
        raise ValueError(f"{source} has no numeric column besides {list_labels(columns.others)}.")
    return numeric


def _checked(
    piece: pd.DataFrame, columns: Columns, scores: Sequence[str], start: int
) -> pd.DataFrame:
    """Check the values of a piece, given the number of its first row; labels become text."""
    piece = piece[list(dict.fromkeys([*columns.others, *scores]))].copy()
    numeric = list(scores)
    if columns.weight:
        numeric.append(columns.weight)
    for name in numeric:
        values = _numbers(piece[name])
        if (values.isna() & piece[name].notna()).any():
            _refuse_text(piece[name], start)
        piece[name] = values.astype(float)
    for name in piece.columns:
        gaps = piece[name].isna()
        if gaps.any():
            more = int(gaps.sum()) - 1
            raise ValueError(
                f"column {describe(name)} has no value in row {start + 2 + int(gaps.argmax())}"
                f"{f' and in {more:,} more' if more else ''}; leave such rows out first."
            )
    piece[columns.label] = piece[columns.label].map(_label)
    return piece


def _numbers(values: Any) -> Any:
    return pd.to_numeric(values, errors="coerce")


def _refuse_text(values: Any, start: int) -> None:
    """Raise for the first value that is not a number, with its line in the file."""
    bad = values[_numbers(values).isna() & values.notna()]
    raise ValueError(
        f"column {describe(values.name)} holds text among its numbers: "
        f"{describe(str(bad.iloc[0]))} in row "
        f"{start + 2 + int((values.index == bad.index[0]).argmax())}."
    )


def _label(value: Any) -> str:
    """Convert a label to text; whole numbers have no decimal point."""
    text = str(value).strip()
    return text[:-2] if text.endswith(".0") else text


def _positive(labels: set[str], columns: Columns, rows: int) -> str:
    """Find the positive label."""
    if columns.positive is not None and _label(columns.positive) not in labels:
        raise ValueError(
            f"column {describe(columns.label)} never holds {describe(columns.positive)}; its "
            f"labels are {list_labels(sorted(labels), 10)}."
        )
    if len(labels) > 2 and columns.positive is not None:
        raise ValueError(
            f"column {describe(columns.label)} holds {len(labels)} labels; leave out --positive "
            "for a report on all classes."
        )
    if len(labels) == 1:
        raise ValueError(
            f"column {describe(columns.label)} holds {describe(min(labels))} in all {rows:,} "
            "rows; two labels are needed."
        )
    if columns.positive is not None:
        return _label(columns.positive)
    if labels not in PLAIN_LABELS:
        raise ValueError(
            f"column {describe(columns.label)} holds the labels "
            f"{list_labels(sorted(labels), 10)}; say which is positive: --positive."
        )
    return max(labels)


def _count(piece: pd.DataFrame, columns: Columns, score: str, positive: str) -> ScoreCounts:
    weight = piece[columns.weight].to_numpy() if columns.weight else None
    is_positive = (piece[columns.label] == positive).to_numpy()
    return ScoreCounts.from_scores(is_positive, piece[score].to_numpy(), sample_weight=weight)
