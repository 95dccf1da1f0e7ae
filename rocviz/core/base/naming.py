"""Names that can be written and drawn, and the argument's name before what others refuse."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rocviz.core.base.validation import check_text


def name_texts(names: Iterable[Any], argument: str) -> list[str]:
    """Return names of models, columns or questions as text that can be written and drawn."""
    return [check_text(str(name), f"a name in {argument}") for name in names]


def check_column_names(table: Any, name: str = "X") -> None:
    """Refuse a data frame of which two columns have the same name."""
    names = name_texts(getattr(table, "columns", ()), name)
    if len({*names}) < len(names):
        twice = next(column for column in names if names.count(column) > 1)
        raise ValueError(f"two columns of {name} have the same name, {twice!r}.")


def by_name(scores: Any) -> Any:
    """Return the columns of a data frame as a mapping by their names; anything else as it came."""
    if not hasattr(scores, "columns") or isinstance(scores, Mapping):
        return scores
    check_column_names(scores, "the scores")
    return {str(name): scores[name] for name in scores.columns}


@contextmanager
def naming(*names: str) -> Iterator[None]:
    """Put the arguments' names before what is refused within this block, if none is in it."""
    try:
        yield
    except OverflowError as error:
        raise ValueError(f"{' or '.join(names)}: {error}") from error
    except (ValueError, TypeError) as error:
        known = any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", str(error)) for name in names)
        # what is raised as a kind of its own may take more than words
        if known or type(error) not in (ValueError, TypeError):
            raise
        raise type(error)(f"{' or '.join(names)}: {error}") from error


def cut_text(cut: float, digits: int = 6) -> str:
    """Write a cut: with digits for a half between whole numbers, a power of ten only if huge.

    Examples
    --------
    >>> cut_text(0.25), cut_text(2.0**53 + 2), cut_text(1.5e300)
    ('0.25', '9007199254740994', '1.5e+300')
    """
    whole = len(f"{abs(cut):.0f}")
    return f"{cut:.{digits if whole > 17 else max(digits, whole + 1)}g}"
