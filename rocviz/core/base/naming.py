"""Printable names, and argument names in the errors of other libraries."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rocviz.core.base.validation import check_text, collected, describe, reason


def name_texts(names: Iterable[Any], argument: str) -> list[str]:
    """Convert names of models, columns or questions to printable text."""
    return [check_text(str(name), f"a name in {argument}") for name in names]


def entry_names(argument: str, keys: Iterable[Any]) -> list[str]:
    """Name the entries of a mapping for messages, all differently, however long a key is."""
    names = [f"{argument}[{describe(key)}]" for key in keys]
    counts = Counter(names)
    for index, name in enumerate(names):
        if counts[name] > 1:
            names[index] = f"{argument}, entry {index + 1}"
    return names


def column_names(table: Any) -> list[Any] | None:
    """List the names of the columns of a data frame; ``None`` for other tables."""
    names = getattr(table, "column_names", None)  # of pyarrow, whose columns are arrays
    if not isinstance(names, list):
        names = getattr(table, "columns", None)
    return None if names is None else list(names)


def check_column_names(table: Any, name: str = "X") -> None:
    """Raise if two columns of a data frame have the same name."""
    names = name_texts(column_names(table) or (), name)
    if len(set(names)) < len(names):
        twice = next(column for column in names if names.count(column) > 1)
        raise ValueError(f"two columns of {name} have the same name, {describe(twice)}.")


def by_name(scores: Any) -> Any:
    """Map the columns of a data frame by name; other input is returned unchanged."""
    scores = collected(scores)
    if not hasattr(scores, "columns") or isinstance(scores, Mapping):
        return scores
    check_column_names(scores, "the scores")
    return {str(name): scores[name] for name in column_names(scores) or ()}


def score_name(scores: Any) -> str | None:
    """Get the name of a column of scores, such as a pandas Series has; ``None`` if it has none."""
    name = getattr(scores, "name", None)
    return " ".join(name.split()) or None if isinstance(name, str) else None


@contextmanager
def prefix_error_with(*names: str) -> Iterator[None]:
    """Prefix errors of this block with the arguments' names, unless they already name one."""
    try:
        yield
    except OverflowError as error:
        raise ValueError(f"{' or '.join(names)}: {reason(error, 1000)}") from error
    except (ValueError, TypeError) as error:
        known = any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", str(error)) for name in names)
        # other libraries' error classes may take more arguments than a message
        if known or type(error) not in (ValueError, TypeError):
            raise
        raise type(error)(f"{' or '.join(names)}: {reason(error, 1000)}") from error


def threshold_text(threshold: float, digits: int = 6) -> str:
    """Write a threshold: halves between whole numbers exactly, huge numbers as powers of ten.

    Examples
    --------
    >>> threshold_text(0.25), threshold_text(2.0**53 + 2), threshold_text(1.5e300)
    ('0.25', '9007199254740994', '1.5e+300')
    """
    whole_digits = len(f"{abs(threshold):.0f}")
    if whole_digits <= 17:
        digits = max(digits, whole_digits + 1)
    return f"{threshold:.{digits}g}"
