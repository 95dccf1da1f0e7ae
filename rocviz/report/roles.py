"""Which columns of a table are scores of models, where nobody says so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import (
    is_bool_dtype,
    is_datetime64_any_dtype,
    is_numeric_dtype,
    is_timedelta64_dtype,
)

from rocviz.core.base.validation import describe, list_labels
from rocviz.report.numerals import NumberReader

#: Labels whose positive class is evident.
PLAIN_LABELS = ({"0", "1"}, {"-1", "1"}, {"False", "True"})
#: What may stand before the name of a class in that of its column of probabilities.
PROBABILITY_PREFIX = r"(?:\.?pred|prob|proba|probability|p|x|class|y)?[ _.\-]*"
#: The same around the name of a class in brackets, as "P (species=setosa)" of KNIME.
BRACKET_PREFIX = r"(?:p|pred|prob|probability|confidence|score)?\s*\((?:[^()=]*=)?\s*"
MIN_PERCENT = 30.0  # a column from 0 to 100 with a greatest score above it may be per cent
#: Two columns of rounded probabilities add up to 1 within this.
MAX_COMPLEMENT_ERROR = 0.0101

ID_ROLE = "an id, perhaps for --cluster"
ID_WORDS = r"id|ids|uid|uuid|pid|mrn|key|index|row[ _.]?names?|row[ _.]?(number|nr|id)"
#: Names of columns that are no scores, by what they are.
OTHER_ROLES = (
    (rf"(.*[ _.\-])?({ID_WORDS})", ID_ROLE),
    (r"patient|subject|case|record|sample|cluster|nr|no|number", ID_ROLE),
    (r"(cv|outer)?[ _.]?(folds?|split|repeat|iteration)([ _.]?(id|nr))?", "folds, as for --fold"),
    (r"(sample|case)?[ _.]?weights?|freq|frequency", "weights, as for --weight"),
    (r"(site|cent(er|re)|hospital|clinic)([ _.]?(nr|no|name))?", "sites, as for --site"),
    (r"age|sex|gender|race|ethnicity|groups?", "groups, as for --group"),
    (r"date|time|timestamp|year|month|day|week(day)?|hour", "a date"),
    (r"labels?|target|outcome|truth|event|death|died", "an outcome"),
    (r"y|y[ _.]?(true|test)|true[ _.]?(label|class)", "an outcome"),
)


@dataclass
class Choice:
    """The columns that are scores, and why others are not.

    Parameters
    ----------
    scores : list of str
    left_out : dict of str to str
        What each other column is.
    """

    scores: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)


def choose_scores(
    table: pd.DataFrame,
    roles: Sequence[str],
    repeated: dict[str, str],
    numbers: NumberReader,
    labels: set[str],
    positive: str | None,
) -> Choice:
    """Find the columns of scores in the first rows of a table.

    Parameters
    ----------
    table : pandas.DataFrame
    roles : sequence of str
        Columns that have another role.
    repeated : dict of str to str
        Columns whose name another column had before, and that name.
    numbers : NumberReader
    labels : set of str
        The labels in the first rows.
    positive : str or None
        The label of the positive class, if it was given.

    Raises
    ------
    ValueError
        If it is in doubt which columns are scores; the message says what to write.
    """
    choice = Choice()
    values = {}
    for name in table.columns:
        if name in roles:
            continue
        column = numbers.read(table[name])
        other_role = _role_of_values(table[name], column)
        if other_role is None and not any(probability_column(name, label) for label in labels):
            other_role = _role_of_name(repeated.get(name, name))
        if other_role is None:
            values[name] = column.to_numpy(float)
        else:
            choice.left_out[name] = other_role
    for name in (*repeated, *repeated.values()):
        if name in values:
            raise ValueError(
                f"several columns have the name {describe(repeated.get(name, name))}; rename them."
            )
    if len(labels) > 2:
        choice.scores = list(values)  # their names are compared with those of the classes later
        return choice
    choice.scores = _without_complements(values, labels, positive, choice.left_out)
    scores = {name: values[name] for name in choice.scores}
    _refuse_doubt(scores, numbers)
    _refuse_confidence(table, scores, choice.left_out, labels)
    return choice


def _role_of_values(column: pd.Series, values: pd.Series) -> str | None:
    """Say what a column is that holds no scores; ``None`` if it can hold scores."""
    if str(column.name).startswith("Unnamed: "):
        return "no name"
    if is_bool_dtype(column):
        return "true or false"
    if is_datetime64_any_dtype(column) or is_timedelta64_dtype(column):
        return "a date or a duration"
    filled = column.dropna()
    if filled.empty:
        return "empty"
    # most of a column of scores with an error in it are numbers: that is refused, not left out
    if not is_numeric_dtype(column) and values.notna().sum() <= 0.5 * len(filled):
        if filled.map(_is_list).all():
            return "lists of numbers, which must be columns"
        return "words"
    present = values.dropna().to_numpy(float)
    if np.isin(present, (0, 1)).all() or np.isin(present, (-1, 1)).all():
        return "labels of two classes"
    if len(present) > 2 and (np.diff(present) == 1).all():
        return "numbers of the rows"
    return None


def _is_list(value: Any) -> bool:
    """Whether a cell holds several numbers in brackets, as Spark writes a vector."""
    return isinstance(value, str) and re.fullmatch(r"\s*[\[(].*[\])]\s*", value, re.S) is not None


def is_id(name: str) -> bool:
    """Whether a column is called as identifiers are, such as those of patients."""
    return _role_of_name(name) == ID_ROLE


def _role_of_name(name: str) -> str | None:
    """Say what a column is called that holds no scores; ``None`` if it can hold scores."""
    if re.search("[a-z]ID$", name):
        return ID_ROLE
    for pattern, role in OTHER_ROLES:
        if re.fullmatch(pattern, name.lower()):
            return role
    return None


def _without_complements(
    values: dict[str, Any], labels: set[str], positive: str | None, left_out: dict[str, str]
) -> list[str]:
    """Leave out the probabilities of the negative class beside those of the positive one."""
    plain = [known for known in PLAIN_LABELS if labels <= known]
    if positive is None and plain:
        positive = max(plain[0])
    names = [name for name, score in values.items() if _is_probability(score)]
    paired: set[str] = set()
    for i, first in enumerate(names):
        for second in names[i + 1 :]:
            if paired & {first, second} or not _add_up(values[first], values[second]):
                continue
            paired |= {first, second}
            kept = _positive_column((first, second), labels, positive)
            if kept is None:
                raise ValueError(
                    f"columns {describe(first)} and {describe(second)} add up to 1; say which is "
                    f"the probability of the positive class: --score {quoted([first])} or "
                    f"--score {quoted([second])}."
                )
            other = second if kept == first else first
            left_out[other] = f"1 minus {describe(kept)}"
    return [name for name in values if name not in left_out]


def _is_probability(score: Any) -> bool:
    return bool(np.nanmin(score) >= 0 and np.nanmax(score) <= 1)


def _add_up(first: Any, second: Any) -> bool:
    """Whether two columns are probabilities of the two classes."""
    is_constant = np.ptp(first) == 0 or np.ptp(second) == 0
    return not is_constant and bool((np.abs(first + second - 1) <= MAX_COMPLEMENT_ERROR).all())


def _positive_column(names: Sequence[str], labels: set[str], positive: str | None) -> str | None:
    """Find the column of the positive class by its name."""
    if positive is None:
        return None
    positive = label_text(positive)
    fitting = [name for name in names if probability_column(name, positive)]
    negatives = [
        name for name in names if any(probability_column(name, x) for x in labels - {positive})
    ]
    if len(fitting) == 1:
        return fitting[0]
    if len(negatives) == 1:
        return next(name for name in names if name not in negatives)
    return None


def probability_column(name: str, label: str) -> bool:
    """Whether a column is called after a class, as ``prob_cat``, ``p1``, or ``P (y=cat)``."""
    label = re.escape(label.strip())
    pattern = rf"{PROBABILITY_PREFIX}{label}|{BRACKET_PREFIX}{label}\s*\)"
    return re.fullmatch(pattern, name.strip(), re.IGNORECASE) is not None


def _refuse_doubt(values: dict[str, Any], numbers: NumberReader) -> None:
    """Raise if some columns are probabilities and others are not, or none of several is."""
    inside = [name for name, score in values.items() if _is_probability(score)]
    outside = [name for name in values if name not in inside]
    if not outside or len(values) == 1:
        return
    if inside:
        message = (
            f"{_are(inside)} within 0 and 1, {_are(outside)} not; say which are scores of models: "
            f"--score {quoted(inside)}, or --score {quoted([*inside, *outside])}."
        )
    else:
        message = (
            f"{_are(outside)} not within 0 and 1, so they may be measurements; say which are "
            f"scores of models, such as --score {quoted(outside[:1])}."
        )
    percent = [name for name in outside if may_be_percent(values[name])]
    if percent:
        verb = "is" if len(percent) == 1 else "are"
        message += f" If {list_labels(percent)} {verb} per cent, add --percent {quoted(percent)}."
    raise ValueError(message)


def _refuse_confidence(
    table: pd.DataFrame, scores: dict[str, Any], left_out: dict[str, str], labels: set[str]
) -> None:
    """Raise if the only scores are probabilities of the predicted class, as Weka writes them."""
    if len(scores) != 1 or len(labels) != 2:
        return
    ((name, score),) = scores.items()
    if not (_is_probability(score) and np.nanmin(score) >= 0.5):
        return
    for other in left_out:
        values = table[other].dropna().map(label_text)
        if set(values.unique()) == labels:
            raise ValueError(
                f"column {describe(name)} is nowhere below 0.5, and {describe(other)} holds "
                "predicted labels: it may be the probability of the predicted class, where that of "
                f"the positive class is needed. If it is the latter, add --score {quoted([name])}."
            )


def may_be_percent(score: Any) -> bool:
    """Whether scores may be per cent that do not say so."""
    return bool(np.nanmin(score) >= 0 and MIN_PERCENT < np.nanmax(score) <= 100)


def _are(names: Sequence[str]) -> str:
    listed = list_labels(names)
    return f"column {listed} is" if len(names) == 1 else f"columns {listed} are"


def quoted(names: Sequence[str]) -> str:
    """Write names for a command line."""
    return " ".join(f'"{name}"' if re.search(r"[^\w.\-]", name) else name for name in names)


def label_text(value: Any) -> str:
    """Convert a label to text; whole numbers have no decimal point."""
    text = str(value).strip()
    return text[:-2] if text.endswith(".0") else text
