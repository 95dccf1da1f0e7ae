"""Tools for writing a story: the fields that its texts may name, and files of steps."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, fields
from numbers import Real
from pathlib import Path
from typing import Any

from rocviz.core.base.validation import describe
from rocviz.files import output_path, write_file
from rocviz.widgets.base.stories.steps import (
    MOST_STEPS,
    PLAIN,
    TOLD,
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
        for name in (*explorer.input_names(), *TOLD[:-1])
        if hasattr(explorer, name)
    }
    values = {f"state.{name}": one for name, one in inputs.items() if isinstance(one, PLAIN)}

    def collect(path: str, value: Any, depth: int) -> None:
        if isinstance(value, PLAIN):
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
    if len(steps) > MOST_STEPS:
        raise ValueError(f"steps must be at most {MOST_STEPS}; got {len(steps):,}.")
    path = output_path(path)
    return write_file(path, "\n".join(f"[[step]]\n{_written(step)}" for step in steps))


def _written(step: Step) -> str:
    """Write the fields of a step that differ from its defaults."""
    lines = []
    for one in fields(Step):
        value = getattr(step, one.name)
        default = {} if one.default is MISSING else one.default
        if one.name == "ask" or (value == default and one.name not in ("title", "text")):
            continue
        lines.append(f"{one.name} = {_as_toml(value, one.name)}\n")
    if step.ask is not None:
        lines.append("[step.ask]\n")
        question = {one.name: getattr(step.ask, one.name) for one in fields(Question)}
        lines += [f"{k} = {_as_toml(v, k)}\n" for k, v in question.items() if v not in ((), [])]
    return "".join(lines)


def _as_toml(value: Any, name: str) -> str:
    if value is None:
        return '"?"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Real):
        return str(_as_python(value))
    if isinstance(value, Mapping):
        inside = ", ".join(
            f"{_as_toml(key, name)} = {_as_toml(one, key)}" for key, one in value.items()
        )
        return f"{{ {inside} }}"
    if isinstance(value, Sequence):
        return f"[{', '.join(_as_toml(one, name) for one in value)}]"
    raise ValueError(f"{name} cannot be written to a file; got {describe(value)}.")
