"""The steps of a story: plain data, in Python or in a small text file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from difflib import get_close_matches
from functools import cached_property
from inspect import get_annotations
from numbers import Number
from pathlib import Path
from string import Formatter
from typing import Any

import numpy as np
from traitlets import HasTraits

from rocviz.core.base.validation import (
    check_flag,
    check_integer,
    check_number,
    check_text,
    describe,
    list_labels,
    path_text,
    reason,
)
from rocviz.widgets.base.stories.prose import MAX_LETTERS, Prose, prose
from rocviz.words import amount, percent

MAX_FILE_BYTES = 1_000_000  # of a file of steps
MAX_STEPS = 300
MAX_NAMES = 100  # of the inputs, panels or controls of a step
MAX_VALUES_OF_INPUT = 10_000  # of an input
MAX_CHOICES = 20
#: Letters of a title, of a choice, and of a name; other texts have those of prose.
MAX_TITLE_LETTERS = 200
MAX_CHOICE_LETTERS = 1000
MAX_NAME_LETTERS = 100
#: A key of TOML with more parts than any step needs; tomllib takes quadratic time to read it.
DEEP_KEY = re.compile(
    r"""
    (?<![\w-])
    (?:
      (?: [\w-]{1,200} | "(?:[^"\\\n]|\\.){0,200}" | '[^'\n]{0,200}' )
      [ \t]* \. [ \t]*
    ){20}
    """,
    re.VERBOSE,
)
#: Letters of all formulas of a file; matplotlib takes some milliseconds for each formula.
MAX_LETTERS_OF_FORMULAS = 10_000
FORMULA_PATTERN = re.compile(r"\$[^$]+\$")


@dataclass(frozen=True)
class Question:
    """A question that is asked before the picture moves.

    Parameters
    ----------
    text : str
        The question, of at most 5,000 letters.
    choices : sequence of str
        The answers to choose from, two to 20, of at most 1,000 letters each.
    answer : int
        Index of the right one, from 0.
    why : sequence of str, default=()
        For each choice, why it is right or wrong; shown after the answer.

    Raises
    ------
    ValueError
        If a value is invalid or too long, there are fewer than two choices or more than 20, the
        answer is none of them, or there are more or fewer reasons than choices.
    """

    text: str
    choices: Sequence[str]
    answer: int
    why: Sequence[str] = ()

    def __post_init__(self) -> None:
        _check_short(self.text, "text", MAX_LETTERS)
        if not _are_texts(self.choices) or not 2 <= len(self.choices) <= MAX_CHOICES:
            raise ValueError(
                f"choices must be two to {MAX_CHOICES} texts; got {describe(self.choices)}."
            )
        check_integer(self.answer, "answer", 0, len(self.choices) - 1)
        if not _are_texts(self.why) or len(self.why) not in (0, len(self.choices)):
            message = f"why must be {len(self.choices)} texts, one for each choice"
            raise ValueError(f"{message}; got {describe(self.why)}.")
        for choice in self.choices:
            _check_short(choice, "choices", MAX_CHOICE_LETTERS)
        for text in self.why:
            _check_short(text, "why", MAX_LETTERS)


@dataclass(frozen=True)
class Step:
    """One step of a story.

    Parameters
    ----------
    title : str
        A few words, of at most 200 letters; where a question is asked, they are shown after the
        answer.
    text : str or callable
        A sentence or two, in Markdown with formulas, of at most 5,000 letters. Numbers are taken
        from what is shown, and follow it: ``{result.table.tpr:.0%}`` (what a result declares) and
        ``{state.threshold:.2f}`` (inputs) are filled in; or a function of the explorer returns the
        text. Words that name a mark have its colour: ``[the ring]{optimum}``, and so with
        ``positive``, ``negative``, ``selected``, ``hull`` and ``group-2`` to ``group-4``. With an
        empty text the picture stands alone.
    inputs : mapping of str to object, default={}
        Values to set; everything else stays as the previous step left it.
    panels : sequence of str, optional
        The pictures; by default those of the previous step. An empty list shows the words alone.
    focus : str, optional
        The large picture; by default the first of ``panels``.
    ask : Question, optional
        A question to ask first; the picture moves when it is answered or skipped.
    move : sequence of str, default=()
        Controls that a page without Python records around this step.
    glide : str, default=""
        An input that moves to its new value through the values in between.
    moved : str or callable, optional
        The text once the user has moved the picture; by default the same text with other numbers.
    explorer : str, default=""
        Name of the explorer that is shown, in a story with several; by default that of the
        previous step.
    notes : str, default=""
        Notes for the speaker, in Markdown, shown in a separate window.
    part : str, default=""
        Title of the part of a lecture that begins with this step, of at most 200 letters. A story
        with parts shows a clock, and a part can be skipped.
    minutes : float, default=0
        Minutes that are planned for this part, at least 0.
    is_optional : bool, default=False
        Whether the step is left out when the lecture is shortened.

    Raises
    ------
    ValueError
        If a value is invalid or too long, ``glide`` names no input that is set, or minutes are
        planned without a part.
    """

    title: str
    text: str | Callable[[Any], str]
    inputs: Mapping[str, Any] = field(default_factory=dict)
    panels: Sequence[str] | None = None
    focus: str | None = None
    ask: Question | None = None
    move: Sequence[str] = ()
    glide: str = ""
    moved: str | Callable[[Any], str] | None = None
    explorer: str = ""
    notes: str = ""
    part: str = ""
    minutes: float = 0
    is_optional: bool = False

    def __post_init__(self) -> None:
        _check_short(self.title, "title", MAX_TITLE_LETTERS)
        _check_short(self.notes, "notes", MAX_LETTERS)
        for name in ("text", "moved"):
            text = getattr(self, name)
            if not callable(text) and not (name == "moved" and text is None):
                _check_short(text, name, MAX_LETTERS)
        if not isinstance(self.inputs, Mapping) or not _are_texts(list(self.inputs)):
            got = describe(self.inputs)
            raise ValueError(f"inputs must be a mapping of names to values; got {got}.")
        _check_names(list(self.inputs), "inputs")
        for name, value in self.inputs.items():
            _check_value(value, f"inputs, {name}")
        _check_names(self.move, "move")
        if self.panels is not None:
            _check_names(self.panels, "panels")
        _check_short(self.explorer, "explorer", MAX_NAME_LETTERS)
        for name in ("focus", "glide"):
            value = getattr(self, name)
            if not isinstance(value, str | None):
                raise ValueError(f"{name} must be a name; got {describe(value)}.")
            if value is not None:
                _check_short(value, name, MAX_NAME_LETTERS)
        if self.glide and self.glide not in self.inputs:
            raise ValueError(f"glide must name one of the inputs set; got {describe(self.glide)}.")
        if not isinstance(self.ask, Question | None):
            raise ValueError(f"ask must be a Question; got {describe(self.ask)}.")
        _check_short(self.part, "part", MAX_TITLE_LETTERS)
        check_number(self.minutes, "minutes", minimum=0)
        if self.minutes and not self.part:
            raise ValueError(
                f"minutes are planned for a part, and this step begins none; got {self.minutes}."
            )
        check_flag(self.is_optional, "is_optional")

    def view(self) -> dict[str, Any]:
        """Collect the panels and the focus that the step sets."""
        if self.panels:  # without a focus, the first of them is large
            return {"panels": self.panels, "focus": self.focus}
        return {"focus": self.focus} if self.focus else {}

    @property
    def kind(self) -> str:
        """Layout of the step: ``"words"`` or ``"picture"`` alone, or both."""
        if self.panels is not None and not self.panels:
            return "words"
        return "" if self.text else "picture"


def _check_short(value: Any, name: str, most: int) -> None:
    """Check for a text of at most so many letters."""
    if len(check_text(value, name)) > most:
        raise ValueError(
            f"{name} must have at most {most:,} letters; got {len(value):,}: {describe(value)}."
        )


def _check_names(names: Any, entry: str) -> None:
    """Check for a list of names, neither many nor long."""
    if not _are_texts(names):
        raise ValueError(f"{entry} must be a list of names; got {describe(names)}.")
    if len(names) > MAX_NAMES:
        raise ValueError(f"{entry} must be at most {MAX_NAMES} names; got {len(names):,}.")
    for name in names:
        _check_short(name, f"a name in {entry}", MAX_NAME_LETTERS)


def _check_value(value: Any, name: str) -> None:
    """Refuse a value of very many parts, or a long text; the explorer checks the rest."""
    if isinstance(value, str):
        _check_short(value, name, MAX_LETTERS)
    elif isinstance(value, Sequence) and len(value) > MAX_VALUES_OF_INPUT:
        raise ValueError(
            f"{name} must have at most {MAX_VALUES_OF_INPUT:,} values; got {len(value):,}."
        )


def _are_texts(names: Any) -> bool:
    is_row = isinstance(names, Sequence) and not isinstance(names, str)
    return is_row and all(isinstance(name, str) for name in names)


def _value(read: Any) -> Any:
    if isinstance(read, list):
        return tuple(None if value == "?" else _value(value) for value in read)
    return read


#: Attributes of a state that a text may name, besides its inputs.
STATE_ATTRIBUTES = ("size", "n_pos", "n_neg", "about", "sentence")
#: In a format, fill and alignment have at most two characters, numbers at most two digits.
FORMAT_PATTERN = re.compile(
    r"(.?[<>=^])?[-+ ]?z?#?0?\d{0,2}[,_]?(\.\d{0,2})?[deEfFgGns%]?", re.DOTALL
)
WRITABLE_TYPES = (str, bool, Number, type(None))


class _Words(Formatter):
    """Formatter that reads only a state's inputs and a result's declared fields.

    A file may be untrusted, and from a module, a method, a widget or a private name a format
    could reach every object in Python, including secrets of its environment.
    """

    field = ""

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        self.field = field_name
        root, *steps = re.findall(r"^\w+|\.\w+|\[[^\]]*\]|.", field_name, re.DOTALL) or [""]
        value: Any = kwargs.get(root, _UNREADABLE)
        near: list[str] = []
        if root == "state":
            name = steps.pop(0)[1:] if steps else ""
            names = (*value.input_names(), *STATE_ATTRIBUTES, "result")
            near = get_close_matches(name, names, 1)
            value = getattr(value, name) if name in names else _UNREADABLE
        for step in steps:
            read = {".": attribute_of, "[": item_of}.get(step[0])
            name = step.strip(".[]")
            before = value
            value = read(value, name) if read else _UNREADABLE
            if value is _UNREADABLE and before is not _UNREADABLE:
                near = get_close_matches(name, names_of(before), 1)
        if not isinstance(value, WRITABLE_TYPES):
            meant = f"; did you mean {describe(near[0])}?" if near else "."
            raise ValueError(
                "it may name inputs of the state, and numbers and words of the result that it "
                "declares, such as {result.segments.auc}; got "
                f"{describe(f'{{{field_name}}}')}{meant}"
            )
        return value, root

    def format_field(self, value: Any, format_spec: str) -> str:
        description = describe(f"{{{self.field}:{format_spec}}}")
        if not FORMAT_PATTERN.fullmatch(format_spec):
            raise ValueError(
                "a format may have two digits at most before and after the point, and then one "
                f"of d, e, f, g, n, s, %; got {description}."
            )
        try:
            if format_spec == "%":
                return percent(float(value))
            if format_spec == "n":
                return amount(value)
            text = str(super().format_field(value, format_spec))
        except (TypeError, ValueError) as error:
            raise ValueError(f"{description} cannot be written: {error}") from error
        text = f"{text[:-1]}\u202f%" if format_spec.endswith("%") else text
        return text if isinstance(value, str) else text.replace("-", "−")


_UNREADABLE = object()


def attribute_of(value: Any, name: str) -> Any:
    """Read a declared field or a property of rocviz's results, or the size of an array."""
    if isinstance(value, np.ndarray):
        return int(value.size) if name == "size" else _UNREADABLE
    kind = type(value)
    if not kind.__module__.startswith(("rocviz.core.", "rocviz.widgets.")):
        return _UNREADABLE
    if isinstance(value, HasTraits) or name.startswith("_"):
        return _UNREADABLE
    declared = {field.name for field in fields(value)} if is_dataclass(value) else set()
    is_property = isinstance(getattr(kind, name, None), property | cached_property)
    if is_property or name in declared or name in _slots(kind):
        return getattr(value, name)
    # the metrics of a confusion table, by any of their names
    metric = getattr(value, name, _UNREADABLE) if hasattr(kind, "__getattr__") else _UNREADABLE
    return metric if isinstance(metric, WRITABLE_TYPES) else _UNREADABLE


def _slots(kind: type) -> set[str]:
    """List the attributes that a class annotates."""
    names: set[str] = set()
    for base in kind.__mro__:
        names |= get_annotations(base).keys()
    return names


def names_of(value: Any) -> list[str]:
    """List the fields of a result, or of a part of it, that a text may name."""
    if isinstance(value, Mapping):
        return [name for name in value if isinstance(name, str)]
    kind = type(value)
    if not kind.__module__.startswith(("rocviz.core.", "rocviz.widgets.")):
        return []
    names = {field.name for field in fields(value)} if is_dataclass(value) else set()
    for base in kind.__mro__:
        for name, attribute in vars(base).items():
            if isinstance(attribute, property | cached_property):
                names.add(name)
    return sorted(name for name in names | _slots(kind) if not name.startswith("_"))


def item_of(value: Any, key: str) -> Any:
    """Read an item of an array, a sequence or a mapping among the declared fields."""
    if isinstance(value, Mapping):
        return value.get(key.strip("'\""), _UNREADABLE)
    if isinstance(value, np.ndarray | list | tuple) and key.isdecimal():
        return value[int(key)] if int(key) < len(value) else _UNREADABLE
    return _UNREADABLE


def filler(state: Any) -> Callable[[str], str]:
    """Make a function that fills a state's numbers into a text, or raises ``ValueError``."""
    words = _Words()
    return lambda text: words.format(text, result=state.result, state=state)


def prose_of(text: str | Callable[[Any], str], state: Any) -> Prose:
    """Fill a step's text with the numbers of a state."""
    if callable(text):
        return prose(check_text(text(state), "text"))
    return prose(text, filler(state))


def read_steps(path: str | Path) -> list[Step]:
    """Read the steps of a story from a TOML file.

    Parameters
    ----------
    path : str or Path
        A file of at most 1 MB, with one table ``[[step]]`` for each of at most 300 steps. Its
        entries are those of :class:`Step`; ``ask`` is a table itself. In a list of inputs ``"?"``
        is an answer that is not known.

    Returns
    -------
    list of Step

    Raises
    ------
    ValueError
        If the file is too large, has no steps or too many, or a step has an unknown or invalid
        entry.
    OSError
        If there is no such file, or it cannot be opened.
    """
    try:
        with open(path, "rb") as file:
            text = _bounded(file.read(MAX_FILE_BYTES + 1))
        read = tomllib.loads(text).get("step", [])
    except OSError as error:
        message = f"steps cannot be read, {error.strerror}"
        raise type(error)(error.errno, message, str(path)[-300:]) from None
    except (ValueError, RecursionError) as error:  # no TOML, no UTF-8, lists in lists
        raise ValueError(f"steps cannot be read from {path_text(path)}: {reason(error)}") from None
    if not read or not isinstance(read, list) or not all(isinstance(step, dict) for step in read):
        raise ValueError(f"{path_text(path)} has no [[step]].")
    if len(read) > MAX_STEPS:
        raise ValueError(
            f"{path_text(path)} must have at most {MAX_STEPS} steps; it has {len(read):,}."
        )
    steps = []
    for number, entries in enumerate(read, 1):
        try:
            values = dict(entries)
            if "ask" in values:
                values["ask"] = _made(Question, values["ask"], "ask")
            if isinstance(values.get("inputs"), dict):
                inputs = values["inputs"].items()
                values["inputs"] = {name: _value(value) for name, value in inputs}
            steps.append(_made(Step, values, "step"))
        except ValueError as error:
            raise ValueError(f"Step {number} of {path_text(path)}: {error}") from None
    return steps


def _bounded(read: bytes) -> str:
    """Refuse a file that would take long to read or to show; return its text."""
    if len(read) > MAX_FILE_BYTES:
        raise ValueError(f"it must have at most {MAX_FILE_BYTES:,} bytes")
    text = read.decode("utf-8")
    if DEEP_KEY.search(text):
        raise ValueError("a key has more than 20 parts")
    if sum(map(len, FORMULA_PATTERN.findall(text))) > MAX_LETTERS_OF_FORMULAS:
        raise ValueError(
            f"its formulas must have at most {MAX_LETTERS_OF_FORMULAS:,} letters together"
        )
    return text


def _made(kind: Any, entries: Any, name: str) -> Any:
    """Make a step or a question from the entries of a table."""
    declared = {field.name: field for field in fields(kind)}
    if not isinstance(entries, dict):
        names = ", ".join(declared)
        raise ValueError(f"{name} must be a table of {names}; got {describe(entries)}.")
    unknown = [entry for entry in entries if entry not in declared]
    if unknown:
        raise ValueError(f"{name} has unknown entries: {list_labels(sorted(unknown))}.")
    missing = []
    for entry, declaration in declared.items():
        has_default = declaration.default is not MISSING
        has_factory = declaration.default_factory is not MISSING
        if not (has_default or has_factory or entry in entries):
            missing.append(entry)
    if missing:
        raise ValueError(f"{name} has no {' and no '.join(missing)}.")
    return kind(**entries)
