"""The base of every result, a frozen dataclass with read-only arrays; tables of results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from html import escape
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.validation import describe

if TYPE_CHECKING:
    import pandas as pd

DataFrame: TypeAlias = "pd.DataFrame"

#: Lines of a result's ``repr``, and characters of a line.
MAX_LINES = 8
LINE_WIDTH = 88
#: Characters of one value of a result.
VALUE_WIDTH = 60
#: Rows of a table in a notebook.
MAX_ROWS = 20

_MAX_ENTRIES = 4  # of an array that is written out
_MAX_LISTED = 10  # entries of a tuple, list or dict
_ENTRY_NAMES = {"b": "boolean", "U": "string", "S": "string", "O": "object"}  # by kind of dtype


@dataclass(frozen=True, eq=False)
class Frozen:
    """Base of results: holds read-only copies of arrays, and pickles its fields only.

    An array that is read-only and no view of another is not copied, which saves memory where
    large results arise. ``repr`` has at most eight lines and shows numbers, sizes of arrays and
    kinds of whatever else the fields contain.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # dataclass() leaves a class alone that has a __repr__, else it writes one of all entries
        if "__repr__" not in vars(cls):
            cls.__repr__ = super(cls, cls).__repr__  # type: ignore[method-assign]

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray) and (value.flags.writeable or value.base is not None):
                object.__setattr__(self, field.name, read_only(value.copy()))

    def __reduce__(self) -> tuple[Any, ...]:
        # unpickled arrays are writable, so the constructor must run again
        return type(self), tuple(getattr(self, field.name) for field in fields(self))

    def __repr__(self) -> str:
        lines = self._lines(value_text)
        if len(lines) > MAX_LINES:
            lines = self._lines(size_text)
        return first_lines(lines)

    def _lines(self, text_of: Callable[[Any], str]) -> list[str]:
        arguments = [f"{name}={text_of(value)}" for name, value in self._shown().items()]
        return in_lines(f"{type(self).__name__}(", arguments, ")")

    def _repr_html_(self) -> str:
        kind = type(self).__name__
        parts = [f"<table><caption style='text-align:left'>{kind}</caption>"]
        for name, value in self._shown().items():
            parts.append(f"<tr><th style='text-align:left'>{escape(name)}</th>")
            parts.append(f"<td style='text-align:left'>{escape(value_text(value))}</td></tr>")
        return "".join([*parts, "</table>"])

    def _phrase(self) -> str:
        """Write the result as a value of another result: numbers and texts as far as they fit."""
        text = describe(self)
        if len(text) < VALUE_WIDTH:
            return text
        kind = type(self).__name__
        if type(self).__repr__ is not Frozen.__repr__:
            return f"<{kind}>"
        arguments = []
        for name, value in self._shown().items():
            if _is_plain(value) and value is not None:
                arguments.append(f"{name}={size_text(value)}")
        while arguments and len(f"{kind}({', '.join(arguments)}, ...)") > VALUE_WIDTH:
            arguments.pop()
        return f"{kind}({', '.join(arguments)}, ...)" if arguments else f"<{kind}>"

    def _shown(self) -> dict[str, Any]:
        """Give the fields by name, plain values first."""
        values = {field.name: getattr(self, field.name) for field in fields(self) if field.repr}
        plain = {name: value for name, value in values.items() if _is_plain(value)}
        return plain | values


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Make an array read-only; it must not belong to a caller."""
    array.flags.writeable = False
    return array


def to_frame(rows: Any = None, /, **columns: Any) -> DataFrame:
    """Tabulate named columns, or rows; pandas is imported only here."""
    import pandas as pd

    return pd.DataFrame(columns if rows is None else rows)


def frame_html(frame: DataFrame, rows: str, **options: Any) -> str:
    """Write the first rows of a table as HTML; ``rows`` names them in the plural."""
    html: str = frame.head(MAX_ROWS).to_html(**options)
    if len(frame) > MAX_ROWS:
        html += f"<p>first {MAX_ROWS} of {len(frame)} {rows}</p>"
    return html


# ---------------------------------------------------------------------- values in a few words


def in_lines(opening: str, texts: list[str], closing: str) -> list[str]:
    """Join texts by commas in lines of limited width."""
    lines = []
    line = opening
    for position, text in enumerate(texts):
        if position == 0:
            line += text
        elif len(f"{line}, {text}{closing}") <= LINE_WIDTH:
            line += f", {text}"
        else:
            lines.append(f"{line},")
            line = f"    {text}"
    return [*lines, f"{line}{closing}"]


def first_lines(lines: list[str]) -> str:
    """Join the lines that a ``repr`` may have; dots stand for those beyond."""
    if len(lines) > MAX_LINES:
        lines = [*lines[: MAX_LINES - 1], "    ..."]
    return "\n".join(lines)


def value_text(value: Any) -> str:
    """Write a value in a few words: numbers, size and range of an array, the kind of all else.

    Examples
    --------
    >>> value_text(2 / 3), value_text(np.array([0.5, 1 / 3])), value_text(np.arange(300.0))
    ('0.666667', '[0.5, 0.333333]', '<300 numbers, 0 to 299>')
    """
    if isinstance(value, Frozen):
        return value._phrase()
    if not isinstance(value, np.ndarray):
        return size_text(value)
    if value.ndim == 1 and value.size <= _MAX_ENTRIES:
        entries = ", ".join(value_text(entry) for entry in value.tolist())
        if len(entries) <= VALUE_WIDTH:
            return f"[{entries}]"
    return f"<{_array_size(value)}{_array_range(value)}>"


def size_text(value: Any) -> str:
    """Write a value as :func:`value_text` does, but arrays by their size and results by name."""
    if isinstance(value, np.ndarray):
        return f"<{_array_size(value)}>"
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, tuple | list | Mapping):
        return _collection_text(value)
    if hasattr(value, "columns") and hasattr(value, "shape"):
        return f"<table, {value.shape[0]} x {value.shape[1]}>"
    if isinstance(value, Frozen):
        return f"<{type(value).__name__}>"
    text = describe(value)
    if isinstance(value, str) and len(text) >= VALUE_WIDTH:
        return f"{text[:-4]}...{text[0]}"
    # an address in memory says nothing
    if len(text) >= VALUE_WIDTH or " at 0x" in text:
        return f"<{type(value).__name__}>"
    return text


def number_text(number: float) -> str:
    """Write a number of few digits exactly, others to six digits."""
    text = repr(number)
    return text if len(text) <= 10 else f"{number:.6g}"


def _array_size(array: NDArray[Any]) -> str:
    """Write how many entries of what kind an array has."""
    sizes = " x ".join(str(size) for size in array.shape)
    kind = _ENTRY_NAMES.get(array.dtype.kind, "number")
    return f"{sizes} {kind}" if array.shape == (1,) else f"{sizes} {kind}s"


def _array_range(array: NDArray[Any]) -> str:
    """Write the least and the greatest number of an array, or how many entries are true."""
    if array.dtype.kind == "b":
        return f", {np.count_nonzero(array)} true"
    if array.dtype.kind not in "iuf":
        return ""
    numbers = array[~np.isnan(array)]
    if numbers.size == 0:
        return ", all nan" if array.size else ""
    text = f", {numbers.min():.4g} to {numbers.max():.4g}"
    return text if numbers.size == array.size else f"{text}, {array.size - numbers.size} nan"


def _collection_text(collection: tuple[Any, ...] | list[Any] | Mapping[Any, Any]) -> str:
    """Write the entries, the first of plain ones that are many, or how many there are."""
    if isinstance(collection, Mapping):
        brackets = "{}"
        entries = list(collection.values())
        first = list(collection.items())[:_MAX_LISTED]
        texts = [f"{describe(key)}: {value_text(entry)}" for key, entry in first]
    else:
        brackets = "[]" if isinstance(collection, list) else "()"
        entries = list(collection)
        texts = [value_text(entry) for entry in entries[:_MAX_LISTED]]
    while len(", ".join(texts)) > VALUE_WIDTH:
        texts.pop()
    if len(texts) < len(entries):
        if not all(_is_plain(entry) for entry in entries):
            kinds = {type(entry).__name__ for entry in entries}
            kind = kinds.pop() if len(kinds) == 1 else "entries"
            return f"<{type(collection).__name__} of {len(entries)} {kind}>"
        texts.append("...")
    elif brackets == "()" and len(texts) == 1:
        texts.append("")
    return f"{brackets[0]}{', '.join(texts).rstrip()}{brackets[1]}"


def _is_plain(value: Any) -> bool:
    """Whether a value is a single number, text, flag or None."""
    return value is None or isinstance(value, (str, bool, int, float, np.generic))
