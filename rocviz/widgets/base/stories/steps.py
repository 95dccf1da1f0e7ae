"""The steps of a story: plain data, in Python or in a small text file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from numbers import Number
from pathlib import Path
from string import Formatter
from typing import Any

import numpy as np
from traitlets import HasTraits

from rocviz.words import amount, percent


@dataclass(frozen=True)
class Question:
    """A question that is asked before the picture moves.

    Parameters
    ----------
    text : str
        The question.
    choices : sequence of str
        What may be answered, two or more.
    answer : int
        Which of them is right, counted from 0.

    Raises
    ------
    ValueError
        If a value is not as said above, there are fewer than two choices, or the answer is none
        of them.
    """

    text: str
    choices: Sequence[str]
    answer: int

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise ValueError(f"text must be the question, in words; got {self.text!r}.")
        if (
            not isinstance(self.choices, Sequence)
            or isinstance(self.choices, str)
            or len(self.choices) < 2
            or not all(isinstance(one, str) for one in self.choices)
        ):
            raise ValueError(f"choices must be two or more texts; got {self.choices!r}.")
        if isinstance(self.answer, bool) or self.answer not in range(len(self.choices)):
            raise ValueError(
                f"answer must be from 0 to {len(self.choices) - 1}; got {self.answer!r}."
            )


@dataclass(frozen=True)
class Step:
    """One step of a story.

    Parameters
    ----------
    title : str
        A few words.
    text : str or callable
        A sentence or two. Numbers are taken from what is shown: ``{result.table.tpr:.0%}`` (what a
        result declares) and ``{state.threshold:.2f}`` (inputs) are filled in; or a function of the
        explorer returns the text.
    inputs : mapping of str to object, default={}
        What is set; everything else stays as the step before left it.
    panels : sequence of str, optional
        The pictures; by default those of the step before.
    focus : str, optional
        The large one.
    ask : Question, optional
        Asked first: the picture moves when it is answered or skipped.
    move : sequence of str, default=()
        Controls that a page without Python records around this step.
    glide : str, default=""
        The input that goes to its new value through the values in between.

    Raises
    ------
    ValueError
        If a value is not as said above, or ``glide`` names no input that is set.
    """

    title: str
    text: str | Callable[[Any], str]
    inputs: Mapping[str, Any] = field(default_factory=dict)
    panels: Sequence[str] | None = None
    focus: str | None = None
    ask: Question | None = None
    move: Sequence[str] = ()
    glide: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.title, str) or not (
            isinstance(self.text, str) or callable(self.text)
        ):
            raise ValueError("title must be a string, and text must be a string or a function.")
        if not isinstance(self.inputs, Mapping):
            raise ValueError(f"inputs must be a mapping of names to values; got {self.inputs!r}.")
        for name in ("panels", "move"):
            names = getattr(self, name)
            if names is not None and (
                isinstance(names, str)
                or not isinstance(names, Sequence)
                or not all(isinstance(one, str) for one in names)
            ):
                raise ValueError(f"{name} must be a list of names; got {names!r}.")
        for name in ("focus", "glide"):
            if not isinstance(getattr(self, name), str | None):
                raise ValueError(f"{name} must be a name; got {getattr(self, name)!r}.")
        if self.glide and self.glide not in self.inputs:
            raise ValueError(f"glide must name one of the inputs set; got {self.glide!r}.")
        if not isinstance(self.ask, Question | None):
            raise ValueError(f"ask must be a Question; got {self.ask!r}.")
        if not all(isinstance(name, str) for name in self.inputs):
            raise ValueError(f"inputs must be a mapping of names to values; got {self.inputs!r}.")

    def view(self) -> dict[str, Any]:
        """Collect the panels and the focus that the step sets."""
        wanted = {"panels": self.panels, "focus": self.focus}
        return {name: value for name, value in wanted.items() if value is not None}


def _value(read: Any) -> Any:
    if isinstance(read, list):
        return tuple(None if one == "?" else _value(one) for one in read)
    return read


#: What a text may say of a state besides its inputs.
TOLD = ("size", "n_pos", "n_neg", "about")
#: A format's fill and width are of two characters and digits at most.
FORMAT = re.compile(r"(.?[<>=^])?[-+ ]?z?#?0?\d{0,2}[,_]?(\.\d{0,2})?[a-zA-Z%]?", re.DOTALL)
PLAIN = (str, bool, Number, type(None))


class _Words(Formatter):
    """Fills in numbers and words of a state's inputs and of a result's declared fields.

    A file may be a stranger's: from a module, a method, a widget or a private name one gets to
    all that Python holds, the secrets of its environment among them.
    """

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        root, *steps = re.findall(r"^\w+|\.\w+|\[[^\]]*\]|.", field_name) or [""]
        value: Any = kwargs.get(root, _NOT_TOLD)
        if root == "state":
            name = steps.pop(0)[1:] if steps else ""
            told = (*value.input_names(), *TOLD, "result")
            value = getattr(value, name) if name in told else _NOT_TOLD
        for step in steps:
            read = {".": _attribute, "[": _item}.get(step[0])
            value = read(value, step.strip(".[]")) if read else _NOT_TOLD
        if not isinstance(value, PLAIN):
            raise ValueError(
                "text may name inputs of the state, and numbers and words of the result that it "
                f"declares, such as {{result.segments.auc}}; got {{{field_name}}}."
            )
        return value, root

    def format_field(self, value: Any, format_spec: str) -> str:
        if not FORMAT.fullmatch(format_spec):
            raise ValueError(
                "a format in text may be of two digits at most before and after the point; "
                f"got {format_spec!r}."
            )
        if format_spec == "%":
            return percent(float(value))
        if format_spec == "n":
            return amount(value)
        text = str(super().format_field(value, format_spec))
        text = f"{text[:-1]}\u202f%" if format_spec.endswith("%") else text
        return text if isinstance(value, str) else text.replace("-", "−")


_NOT_TOLD = object()


def _attribute(value: Any, name: str) -> Any:
    """Read a declared field, or a property, of a result of rocviz; of an array its size."""
    if isinstance(value, np.ndarray):
        return int(value.size) if name == "size" else _NOT_TOLD
    kind = type(value)
    if not kind.__module__.startswith(("rocviz.core.", "rocviz.widgets.")):
        return _NOT_TOLD
    if isinstance(value, HasTraits) or name.startswith("_"):
        return _NOT_TOLD
    declared = {one.name for one in fields(value)} if is_dataclass(value) else set()
    told = isinstance(getattr(kind, name, None), property | cached_property)
    if told or name in declared or name in _slots(kind):
        return getattr(value, name)
    # the metrics of a confusion table, by all of their names
    found = getattr(value, name, _NOT_TOLD) if hasattr(kind, "__getattr__") else _NOT_TOLD
    return found if isinstance(found, PLAIN) else _NOT_TOLD


def _slots(kind: type) -> set[str]:
    """List the attributes that a class declares by annotations."""
    return {name for one in kind.__mro__ for name in vars(one).get("__annotations__", ())}


def _item(value: Any, key: str) -> Any:
    """Read an item of an array, a sequence or a mapping that was reached by declared fields."""
    if isinstance(value, Mapping):
        return value.get(key.strip("'\""), _NOT_TOLD)
    if isinstance(value, np.ndarray | list | tuple) and key.isdecimal():
        return value[int(key)] if int(key) < len(value) else _NOT_TOLD
    return _NOT_TOLD


def words_of(step: Step, explorer: Any) -> str:
    """Fill the text of a step with the numbers of the explorer."""
    if callable(step.text):
        return step.text(explorer)
    return _Words().format(step.text, result=explorer.result, state=explorer)


def read_steps(path: str | Path) -> list[Step]:
    """Read the steps of a story from a TOML file.

    Parameters
    ----------
    path : str or Path
        With one table ``[[step]]`` for each, whose entries are those of :class:`Step`; ``ask`` is
        a table itself. In a list of inputs ``"?"`` is an answer that is not known.

    Returns
    -------
    list of Step

    Raises
    ------
    ValueError
        If the file has no steps, or one has an entry that is unknown or not right.
    """
    try:
        read = tomllib.loads(Path(path).read_text(encoding="utf-8")).get("step", [])
    except ValueError as error:  # no TOML, or no UTF-8
        raise ValueError(f"{path} cannot be read: {error}") from error
    if not read or not isinstance(read, list) or not all(isinstance(one, dict) for one in read):
        raise ValueError(f"{path} has no [[step]].")
    known = {one.name for one in fields(Step)}
    steps = []
    for number, entries in enumerate(read, 1):
        unknown = sorted(set(entries) - known)
        if unknown:
            raise ValueError(f"Step {number} of {path} has unknown entries: {', '.join(unknown)}.")
        try:
            ask = {"ask": Question(**entries["ask"])} if "ask" in entries else {}
            inputs = entries.get("inputs", {})
            if isinstance(inputs, dict):
                inputs = {name: _value(one) for name, one in inputs.items()}
            steps.append(Step(**{**entries, **ask, "inputs": inputs}))
        except (TypeError, ValueError) as error:
            raise ValueError(f"Step {number} of {path}: {error}") from None
    return steps
