"""Tools for writing a story: the fields that its texts may name, and files of steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, fields
from numbers import Real
from pathlib import Path
from typing import Any

import tomli_w

from rocviz.core.base.validation import describe
from rocviz.files import output_path, write_file
from rocviz.widgets.base.stories.steps import (
    MAX_STEPS,
    STATE_ATTRIBUTES,
    WRITABLE_TYPES,
    Question,
    Step,
    attribute_of,
    item_of,
    names_of,
)


def story_fields(explorer: Any) -> dict[str, Any]:
    """List the numbers and words that the texts of a story may name.

    Parameters
    ----------
    explorer : Explorer
        Only fields that have a value now are listed; a band that is not drawn, say, has none.

    Returns
    -------
    dict of str to object
        Present values by field, as a text writes it between braces. Of arrays the first item.

    Examples
    --------
    >>> from rocviz import ROCExplorer
    >>> from rocviz.stories import story_fields
    >>> explorer = ROCExplorer(panels=["roc"])
    >>> story_fields(explorer)["result.table.tp"]
    151.0
    >>> explorer.close()
    """
    inputs = {
        name: getattr(explorer, name)
        for name in (*explorer.input_names(), *STATE_ATTRIBUTES[:-1])
        if hasattr(explorer, name)
    }
    values = {}
    for name, value in inputs.items():
        if isinstance(value, WRITABLE_TYPES):
            values[f"state.{name}"] = value

    def collect(path: str, value: Any, depth: int) -> None:
        if isinstance(value, WRITABLE_TYPES):
            if value is not None:
                values[path] = _as_python(value)
        elif depth:
            names = names_of(value)
            has_fields = names and not isinstance(value, Mapping)
            for name in names or ["0"]:
                suffix, read = (f".{name}", attribute_of) if has_fields else (f"[{name}]", item_of)
                with suppress(Exception):  # fields without a value in this state
                    collect(path + suffix, read(value, name), depth - 1)

    collect("result", explorer.result, 3)
    return values


def _as_python(value: Any) -> Any:
    """Convert a NumPy number to Python's own."""
    return value.item() if hasattr(value, "item") else value


def write_steps(path: str | Path, steps: Sequence[Step]) -> Path:
    """Write the steps of a story to a TOML file, which :func:`rocviz.read_steps` reads.

    Parameters
    ----------
    path : str or Path
        Path of the file; an existing file is replaced.
    steps : sequence of Step
        Steps whose texts are not functions.

    Returns
    -------
    Path

    Raises
    ------
    ValueError
        If there are more than 300 steps, a text is a function, or an input is neither a number, a
        text, nor a sequence of them.
    OSError
        If the file cannot be written; an existing one is then as it was.
    """
    if len(steps) > MAX_STEPS:
        raise ValueError(f"steps must be at most {MAX_STEPS}; got {len(steps):,}.")
    path = output_path(path)
    return write_file(path, tomli_w.dumps({"step": [_entries(step) for step in steps]}))


def _entries(step: Step) -> dict[str, Any]:
    """Collect the fields of a step that differ from its defaults, as TOML has them."""
    entries = {}
    for field in fields(Step):
        value = getattr(step, field.name)
        default = {} if field.default is MISSING else field.default
        if field.name != "ask" and (value != default or field.name in ("title", "text")):
            entries[field.name] = _as_toml(value, field.name)
    if step.ask is not None:
        question = {field.name: getattr(step.ask, field.name) for field in fields(Question)}
        if not step.ask.why:
            del question["why"]
        entries["ask"] = _as_toml(question, "ask")
    return entries


def _as_toml(value: Any, name: str) -> Any:
    """Convert a value to types of TOML; an answer that is not known is a question mark."""
    if value is None:
        return "?"
    if isinstance(value, Real):
        value = _as_python(value)
    if isinstance(value, bool | str | int | float):
        return value
    if isinstance(value, Mapping):
        return {key: _as_toml(entry, key) for key, entry in value.items()}
    if isinstance(value, Sequence):
        return [_as_toml(entry, name) for entry in value]
    raise ValueError(f"{name} cannot be written to a file; got {describe(value)}.")
