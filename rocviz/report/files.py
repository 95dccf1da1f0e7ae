"""Predictions read from a file in pieces: labels, scores, weights, groups and folds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import reduce
from typing import Any

import pandas as pd
from pandas.api.types import is_bool_dtype

from rocviz.core.base.validation import describe, list_labels
from rocviz.core.roc.partitions import ScoreCounts
from rocviz.core.roc.segments import RankedSegments
from rocviz.report.data import check_number_of_groups, check_number_of_sites
from rocviz.report.numerals import NumberReader
from rocviz.report.reading import TableFile, TextOptions
from rocviz.report.roles import (
    PLAIN_LABELS,
    choose_scores,
    is_id,
    label_text,
    may_be_percent,
    probability_column,
    quoted,
)

#: Most rows of a file that are kept in memory; larger files are reduced to counts by score.
MAX_ROWS_IN_MEMORY = 2_000_000
MIN_IDS = 20  # different values of an identifier; fewer are those of folds or groups
MAX_CLASSES = 50  # of a column of labels


@dataclass(frozen=True)
class Columns:
    """The roles of the columns of a file.

    Parameters
    ----------
    label : str
    positive : str, optional
        The label of the positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    scores : sequence of str
        By default the numeric columns that can only be scores. Names may be separated by commas.
    group, weight, fold, cluster : str, optional
    percent : sequence of str
        Columns of scores from 0 to 100 that are per cent.
    described : sequence of str
        Columns for a table of the samples by outcome, which may have gaps. Names may be separated
        by commas.
    site : str, optional
    """

    label: str
    positive: str | None = None
    scores: Sequence[str] = ()
    group: str | None = None
    weight: str | None = None
    fold: str | None = None
    cluster: str | None = None
    percent: Sequence[str] = ()
    described: Sequence[str] = ()
    site: str | None = None

    @property
    def others(self) -> list[str]:
        """The columns besides scores and those that only describe the samples."""
        names = (self.label, self.group, self.weight, self.fold, self.cluster, self.site)
        return [name for name in names if name is not None]

    def numbered(self, file: TableFile) -> Columns:
        """Name columns that were given as numbers, where a file has no names."""
        if file.has_header:
            return self
        several: dict[str, Any] = {}
        for role in ("scores", "percent", "described"):
            names = [part for name in getattr(self, role) for part in name.split(",")]
            several[role] = [column_text(name) for name in names]
        single: dict[str, Any] = {}
        for role in ("label", "group", "weight", "fold", "cluster", "site"):
            name = getattr(self, role)
            single[role] = None if name is None else column_text(name)
        return replace(self, **several, **single)


def column_text(name: str) -> str:
    """Name the column of a file without names, if it was given as a number."""
    return f"column {name.strip()}" if name.strip().isdecimal() else name.strip()


@dataclass(frozen=True)
class Predictions:
    """Predictions of a file.

    Parameters
    ----------
    arguments : dict
        The arguments of :func:`rocviz.evaluation_report`, by name.
    remarks : list of str
        Sentences on how the file was read, and which columns were left out.
    """

    arguments: dict[str, Any]
    remarks: list[str] = field(default_factory=list)

    @property
    def models(self) -> list[str]:
        """Names of the columns of scores."""
        return list(self.arguments.get("y_score", self.arguments["y_true"]))


def read_predictions(
    path: str,
    columns: Columns,
    options: TextOptions | None = None,
    *,
    progress: Callable[[int, float], None] = lambda rows, share: None,
    max_rows: int = MAX_ROWS_IN_MEMORY,
) -> Predictions:
    """Read a file into the arguments of :func:`rocviz.evaluation_report`.

    Parameters
    ----------
    path : str
        A file of text, of any separator, compression and encoding; of another kind (parquet, Excel,
        Stata and others, recognised by the ending); or ``"-"`` to read text from a pipe.
    columns : Columns
    options : TextOptions, optional
        How a text is to be read, where that is not to be recognised.
    progress : callable
        Called after each piece with the number of rows read and the share of the file, which is 0
        if it is unknown.
    max_rows : int
        Files with more rows are reduced to counts by score, piece by piece.

    Returns
    -------
    Predictions

    Raises
    ------
    ValueError
        If the file has no rows, a column is missing or has an invalid value, or it is in doubt
        which columns are scores.
    """
    file = TableFile(path, options, [*columns.others, *columns.scores, *columns.described])
    numbers = NumberReader(file.options.decimal, tuple(columns.percent))
    pieces: list[pd.DataFrame] = []
    counts: dict[str, list[ScoreCounts]] = {}
    rows = 0
    scores: list[str] = []
    left_out: dict[str, str] = {}
    up_to_hundred: list[str] = []
    labels: set[str] = set()
    groups: set[Any] = set()
    sites: set[Any] = set()
    described: Described | None = None
    repeated_ids: list[str] = []
    for piece, share in file.pieces():
        if not len(piece):
            break
        is_first = rows == 0
        if is_first:
            columns = columns.numbered(file)
            scores, left_out = _check_columns(piece, columns, file, numbers)
            described = Described(_described_names(piece, columns), numbers)
            repeated_ids = _repeated_ids(piece, scores, columns, numbers)
        assert described is not None
        described.add(piece)
        piece = _checked(piece, columns, scores, file.first_row + rows, numbers)
        if is_first:
            up_to_hundred = [name for name in scores if may_be_percent(piece[name])]
        rows += len(piece)
        labels |= set(piece[columns.label].unique())
        if columns.group:
            groups |= set(piece[columns.group].unique())
            check_number_of_groups(len(groups), f"column {describe(columns.group)}", "--cluster")
        if columns.site:
            sites |= set(piece[columns.site].unique())
            check_number_of_sites(len(sites), f"column {describe(columns.site)}", "--cluster")
        pieces.append(piece)
        if rows > max_rows:
            needing_samples = (columns.group, columns.fold, columns.cluster, columns.site)
            if any(needing_samples) or columns.described:
                raise ValueError(
                    f"{file.name} has more than {max_rows:,} rows, so its scores are only counted; "
                    "leave out --group, --fold, --cluster, --site and --describe, which need the "
                    "samples."
                )
            positive = _positive(labels, columns, rows)
            for name in scores:
                added = [_count(counted, columns, name, positive) for counted in pieces]
                counts[name] = [reduce(ScoreCounts.add, [*counts.get(name, []), *added])]
            pieces = []
        progress(rows, share)
    if not rows:
        raise ValueError(f"{file.name} holds no rows.")
    if len(labels) > 2 and columns.positive is None and not counts:
        columns_of = _class_columns(columns, labels, scores)
        arguments = _of_classes(pd.concat(pieces, ignore_index=True), columns, columns_of)
        others = [name for name in scores if name not in columns_of.values()]
        left_out |= dict.fromkeys(others, "named after no class")
    else:
        arguments = _of_two_classes(pieces, counts, columns, labels, scores, rows)
    if described is not None and described.names:
        arguments["describe"] = described.table()
    remarks = _remarks(file, numbers, columns, left_out)
    if repeated_ids:
        remarks.append(
            f"Values of {list_labels(repeated_ids)} repeat: if rows of one value belong together, "
            f"as those of a patient, --cluster {quoted(repeated_ids[:1])} makes intervals right."
        )
    if up_to_hundred:
        remarks.append(
            f"Scores from 0 to 100 in {list_labels(up_to_hundred)}: if they are per cent, "
            "--percent makes probabilities of them."
        )
    return Predictions(arguments, remarks)


class Described:
    """Columns that describe the samples, collected from the pieces of a table.

    Parameters
    ----------
    names : sequence of str
    numbers : NumberReader
    """

    def __init__(self, names: Sequence[str], numbers: NumberReader) -> None:
        self.names = names
        self._numbers = numbers
        self._pieces: list[pd.DataFrame] = []
        self._are_numbers: dict[str, bool] = {}

    def add(self, piece: pd.DataFrame) -> None:
        """Add a piece; the first one decides which columns hold numbers."""
        columns = {}
        for name in self.names:
            values = piece[name].map(_stripped)
            if name not in self._are_numbers:
                is_number = self._numbers.read(values).notna()
                self._are_numbers[name] = bool(is_number[values.notna()].all())
            if self._are_numbers[name] and not is_bool_dtype(values):
                read = self._numbers.read(values)
                if (read.isna() & values.notna()).any():
                    self._are_numbers[name] = False  # a code such as "n/a" in a later piece
                else:
                    values = read
            columns[name] = values
        self._pieces.append(pd.DataFrame(columns))

    def table(self) -> pd.DataFrame:
        """Join the pieces."""
        return pd.concat(self._pieces, ignore_index=True)


def _repeated_ids(
    piece: pd.DataFrame, scores: Sequence[str], columns: Columns, numbers: NumberReader
) -> list[str]:
    """Find identifiers that several rows have, if nobody says which rows belong together."""
    if columns.cluster is not None:
        return []
    known = {*columns.others, *scores, *columns.percent}
    repeated = []
    for name in piece.columns:
        if name in known or not is_id(str(name)):
            continue
        values = piece[name].dropna()
        has_fractions = (numbers.read(values) % 1 > 0).any()  # such as the probability of "No"
        if MIN_IDS < values.nunique() < len(values) and not has_fractions:
            repeated.append(str(name))
    return repeated


def _described_names(piece: pd.DataFrame, columns: Columns) -> list[str]:
    """Split and check the names of the columns that describe the samples."""
    return _split_names(columns.described, list(map(str, piece.columns)))


def read_costs(path: str, options: TextOptions | None = None) -> pd.DataFrame:
    """Read what each prediction costs for each class, from a table of any kind.

    Its first column names the true classes, the others are named after the predicted ones.

    Raises
    ------
    ValueError
        If it is no such table.
    """
    options = replace(options or TextOptions(), header=True, sheet=None)
    file = TableFile(path, options)
    numbers = NumberReader(options.decimal)
    pieces = [piece for piece, _ in file.pieces()]
    table = pd.concat(pieces, ignore_index=True)
    if table.shape[1] < 3:
        raise ValueError(
            f"--costs: {path} must have a row for each true class and a column for each predicted "
            "one, the first column with the names of the true classes."
        )
    names = table.iloc[:, 0].map(label_text)
    costs = {}
    for column in table.columns[1:]:
        read = numbers.read(table[column])
        if read.isna().any():
            place = int(read.isna().to_numpy().argmax())
            raise ValueError(
                f"--costs: {path} has no number for predicting {describe(str(column))} where the "
                f"class is {describe(names.iloc[place])}."
            )
        costs[label_text(column)] = read.astype(float).to_numpy()
    return pd.DataFrame(costs, index=names)


def _of_two_classes(
    pieces: Sequence[pd.DataFrame],
    counts: dict[str, list[ScoreCounts]],
    columns: Columns,
    labels: set[str],
    scores: Sequence[str],
    rows: int,
) -> dict[str, Any]:
    """Collect the arguments of a report on two classes, from samples or from counts."""
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


def _class_columns(columns: Columns, labels: set[str], scores: Sequence[str]) -> dict[str, str]:
    """Find the probability column of each class by its name."""
    if len(labels) > MAX_CLASSES:
        raise ValueError(
            f"column {describe(columns.label)} holds {len(labels):,} different values, such as "
            f"{list_labels(sorted(labels)[:2])}; labels of at most {MAX_CLASSES} classes are "
            "needed."
        )
    columns_of = {}
    for label in sorted(labels):
        fitting = [name for name in scores if label_text(name) == label]
        fitting += [name for name in scores if probability_column(name, label)]
        if fitting:
            columns_of[label] = fitting[0]
    missing = [label for label in sorted(labels) if label not in columns_of]
    if missing:
        raise ValueError(
            f"column {describe(columns.label)} holds {len(labels)} labels, so a column of "
            f"probabilities is needed for each, named after it; none is for {list_labels(missing)}."
        )
    return columns_of


def _of_classes(
    table: pd.DataFrame, columns: Columns, columns_of: dict[str, str]
) -> dict[str, Any]:
    """Collect the arguments of a report on more than two classes."""
    return {
        "y_true": table[columns.label].to_numpy(),
        "y_score": pd.DataFrame({label: table[name] for label, name in columns_of.items()}),
        **_besides(table, columns),
    }


def _besides(table: pd.DataFrame, columns: Columns) -> dict[str, Any]:
    """Collect groups, weights, folds, clusters and sites by argument name."""
    columns_of = {
        "groups": columns.group,
        "sample_weight": columns.weight,
        "folds": columns.fold,
        "clusters": columns.cluster,
        "sites": columns.site,
    }
    arguments = {}
    for argument, name in columns_of.items():
        if name is not None:
            arguments[argument] = table[name].to_numpy()
    return arguments


def _check_columns(
    piece: pd.DataFrame, columns: Columns, file: TableFile, numbers: NumberReader
) -> tuple[list[str], dict[str, str]]:
    """Check that all columns exist, and find the score columns if they are not named."""
    known = list(map(str, piece.columns))
    scores = _split_names(columns.scores, known)
    described = _split_names(columns.described, known)
    for name in [*columns.others, *scores, *columns.percent, *described]:
        if name in file.repeated.values():
            raise ValueError(f"{file.name} has several columns {describe(name)}; rename them.")
        if name not in known:
            others = ""
            if len(file.sheets) > 1 and file.options.sheet is None:
                others = f" Other sheets are {list_labels(file.sheets[1:], 10)} (--sheet)."
            raise ValueError(
                f"{file.name} has no column {describe(name)}; {_similar(name, known)}its columns "
                f"are {list_labels(known, 20)}.{others}"
            )
    if scores:
        _check_percent(columns, scores)
        return scores, {}
    labels = set(piece[columns.label].dropna().map(label_text).unique())
    choice = choose_scores(
        piece,
        [*columns.others, *described],
        file.repeated,
        numbers,
        labels,
        columns.positive,
    )
    if not choice.scores and not choice.left_out:
        raise ValueError(
            f"{file.name} holds no columns besides {list_labels(columns.others)}; scores must be "
            "beside the labels."
        )
    if not choice.scores:
        raise ValueError(
            f"{file.name} has no numeric column besides {list_labels(columns.others)} that can "
            f"only be scores{_listed(choice.left_out)}; say which to take: --score."
        )
    _check_percent(columns, choice.scores)
    return choice.scores, choice.left_out


def _check_percent(columns: Columns, scores: Sequence[str]) -> None:
    """Raise if a column that is said to be per cent is no score."""
    for name in columns.percent:
        if name not in scores:
            raise ValueError(
                f"--percent: column {describe(name)} is none of the scores, {list_labels(scores)}."
            )


def _split_names(names: Sequence[str], known: Sequence[str]) -> list[str]:
    """Split names that are separated by commas, unless a column is called so."""
    split: list[str] = []
    for name in names:
        parts = [part.strip() for part in name.split(",")]
        split += [name] if name in known else [part for part in parts if part]
    return list(dict.fromkeys(split))


def _similar(name: str, known: Sequence[str]) -> str:
    """Ask whether a column with a similar name was meant."""
    by_lower = {column.strip().lower(): column for column in reversed(known)}
    similar = get_close_matches(name.strip().lower(), by_lower, 1)
    return f"did you mean {describe(by_lower[similar[0]])}? Or else " if similar else ""


def _listed(left_out: dict[str, str]) -> str:
    """List columns that were left out, in parentheses."""
    if not left_out:
        return ""
    return f" ({', '.join(f'{describe(name)}: {role}' for name, role in left_out.items())})"


def _remarks(
    file: TableFile, numbers: NumberReader, columns: Columns, left_out: dict[str, str]
) -> list[str]:
    """Write how the file was read, and which columns were left out."""
    parts = list(file.recognised)
    for mark, words in ((",", "decimal commas"), (".", "commas between thousands")):
        names = [name for name, known in numbers.marks.items() if known == mark]
        names = [name for name in names if name not in left_out]
        if names:
            parts.append(f"{words} in {list_labels(names)} (--decimal)")
    percent = [name for name, is_percent in numbers.is_percent.items() if is_percent]
    percent = [name for name in (*percent, *columns.percent) if name not in left_out]
    if percent:
        parts.append(f"per cent in {list_labels(percent)}, divided by 100")
    remarks = []
    if parts:
        remarks.append(f"The file was read with {'; '.join(parts)}.")
    if left_out:
        listed = ", ".join(f"{describe(name)} ({role})" for name, role in left_out.items())
        remarks.append(f"Not taken as scores: {listed}; --score takes other columns.")
    return remarks


def _checked(
    piece: pd.DataFrame,
    columns: Columns,
    scores: Sequence[str],
    first_row: int,
    numbers: NumberReader,
) -> pd.DataFrame:
    """Check the values of a piece, given the number of its first row; labels become text."""
    piece = piece[list(dict.fromkeys([*columns.others, *scores]))].copy()
    numeric = list(scores)
    if columns.weight:
        numeric.append(columns.weight)
    for name in numeric:
        values = numbers.read(piece[name])
        if (values.isna() & piece[name].notna()).any():
            _refuse_text(piece[name], values, first_row)
        piece[name] = values.astype(float)
    for name in piece.columns:
        gaps = piece[name].isna()
        if gaps.any():
            more = int(gaps.sum()) - 1
            raise ValueError(
                f"column {describe(name)} has no value in row {first_row + int(gaps.argmax())}"
                f"{f' and in {more:,} more' if more else ''}; leave such rows out first."
            )
    piece[columns.label] = piece[columns.label].map(label_text)
    for column in (columns.group, columns.fold, columns.cluster, columns.site):
        if column is not None:
            piece[column] = piece[column].map(_stripped)
    return piece


def _stripped(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else value


def _refuse_text(column: pd.Series, values: pd.Series, first_row: int) -> None:
    """Raise for the first value that is not a number, with its line in the file."""
    place = int((values.isna() & column.notna()).to_numpy().argmax())
    raise ValueError(
        f"column {describe(column.name)} holds text among its numbers: "
        f"{describe(str(column.iloc[place]))} in row {first_row + place}."
    )


def _positive(labels: set[str], columns: Columns, rows: int) -> str:
    """Find the positive label."""
    if columns.positive is not None and label_text(columns.positive) not in labels:
        known = sorted(labels)
        raise ValueError(
            f"column {describe(columns.label)} never holds {describe(columns.positive)}; its "
            f"labels are {list_labels(known, 10)}."
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
        return label_text(columns.positive)
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
