"""The steps of a story: plain data, in Python or in a small text file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from string import Formatter
from typing import Any

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
        If there are fewer than two choices, or the answer is none of them.
    """

    text: str
    choices: Sequence[str]
    answer: int

    def __post_init__(self) -> None:
        if isinstance(self.choices, str) or len(self.choices) < 2:
            raise ValueError(f"choices must be two or more; got {self.choices!r}.")
        if self.answer not in range(len(self.choices)):
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
        A sentence or two. Numbers are taken from what is shown: ``{result.table.tpr:.0%}`` and
        ``{state.threshold:.2f}`` are filled in; or a function of the explorer returns the text.
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
        If ``glide`` names no input that is set, or names stand where lists of them are wanted.
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
        if self.glide and self.glide not in self.inputs:
            raise ValueError(f"glide must name one of the inputs set; got {self.glide!r}.")
        if isinstance(self.move, str) or isinstance(self.panels, str):
            raise ValueError("move and panels must be lists of names.")

    def view(self) -> dict[str, Any]:
        """Collect the panels and the focus that the step sets."""
        wanted = {"panels": self.panels, "focus": self.focus}
        return {name: value for name, value in wanted.items() if value is not None}


def _value(read: Any) -> Any:
    if isinstance(read, list):
        return tuple(None if one == "?" else _value(one) for one in read)
    return read


class _Words(Formatter):
    """Fills in numbers as rocviz writes them, and nothing that is private."""

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        # from private names one gets to all that Python holds: a file may be a stranger's
        if re.search(r"(^|[.\[])_", field_name):
            raise ValueError(f"text may name public attributes only; got {{{field_name}}}.")
        return super().get_field(field_name, args, kwargs)

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "%":
            return percent(float(value))
        if format_spec == "n":
            return amount(value)
        text = str(super().format_field(value, format_spec))
        text = f"{text[:-1]}\u202f%" if format_spec.endswith("%") else text
        return text if isinstance(value, str) else text.replace("-", "−")


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
