"""How inputs are controlled: label, words for a value, the grid a hand moves along.

A control is declared once, beside its trait, as ``trait.tag(input=True, control=...)``. The
rail, the spoken values, the docs' table of inputs and the benchmarks read it from there. Plain
data: knows no widget, and of a state only what the functions it was given ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, log10
from typing import Any, Protocol

__all__ = [
    "Action",
    "Choice",
    "Control",
    "Entry",
    "Grid",
    "Linear",
    "Log",
    "Row",
    "Rows",
    "Slider",
    "Switch",
    "Task",
    "Values",
]


class Grid(Protocol):
    """The values that a slider stops at, counted from 0."""

    @property
    def steps(self) -> int:
        """The last position."""

    def value(self, position: int) -> Any:
        """Return the value at a position."""

    def position(self, value: Any) -> int:
        """Return the position nearest to a value."""


@dataclass(frozen=True)
class Linear:
    """Evenly spaced values from ``low`` to ``high``; whole numbers if ``step`` is one."""

    low: float
    high: float
    step: float

    @property
    def steps(self) -> int:
        """The last position."""
        return max(round((self.high - self.low) / self.step), 0)

    def value(self, position: int) -> float:
        """Return the value at a position, without the rounding of a sum."""
        if position >= self.steps:
            return self.high
        value = round(self.low + position * self.step, 10)
        return int(value) if isinstance(self.step, int) else value

    def position(self, value: float) -> int:
        """Return the position nearest to a value."""
        return min(max(round((value - self.low) / self.step), 0), self.steps)


@dataclass(frozen=True)
class Log:
    """Values spaced evenly in their logarithm, rounded to three digits."""

    low: float
    high: float
    per_decade: int = 20

    @property
    def steps(self) -> int:
        """The last position."""
        return round(self.per_decade * log10(self.high / self.low))

    def value(self, position: int) -> float:
        """Return the value at a position."""
        if position in (0, self.steps):
            return self.high if position else self.low
        return float(f"{self.low * 10 ** (position / self.per_decade):.3g}")

    def position(self, value: float) -> int:
        """Return the position nearest to a value."""
        at = round(self.per_decade * log10(max(value, self.low) / self.low))
        return min(max(at, 0), self.steps)


@dataclass(frozen=True)
class Values:
    """Given values in increasing order."""

    values: tuple[Any, ...]

    @property
    def steps(self) -> int:
        """The last position."""
        return len(self.values) - 1

    def value(self, position: int) -> Any:
        """Return the value at a position."""
        return self.values[position]

    def position(self, value: Any) -> int:
        """Return the position nearest to a value; in between, by ratio where all are positive."""
        if value in self.values:
            return self.values.index(value)

        def scale(v: float) -> float:
            return log10(v) if self.values[0] > 0 and value > 0 else v

        near = [abs(scale(v) - scale(value)) for v in self.values]
        return near.index(min(near))


def always(_state: Any) -> bool:
    """Return true: what is asked of most controls."""
    return True


@dataclass(frozen=True, kw_only=True)
class Control:
    """What every control has.

    Parameters
    ----------
    label : str
        What it is called in the rail, and spoken.
    group : str, default=""
        The fold of the rail it is in; "" is always in sight.
    hint : str, default=""
        A sentence more, for a mouse that rests on it.
    shown, enabled : callable, optional
        Given the state: whether it is in the rail, and whether it can be moved.
    """

    label: str
    group: str = ""
    hint: str = ""
    shown: Callable[[Any], bool] = always
    enabled: Callable[[Any], bool] = always


def plain(value: Any) -> str:
    """Return a number in few digits."""
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"


@dataclass(frozen=True, kw_only=True)
class Slider(Control):
    """A number along a grid.

    Parameters
    ----------
    grid : Grid, or callable
        Or a function of the state that returns one.
    text : callable or str, optional
        Words for a value, or a format such as ``".0%"``.
    thing : str, default="muted"
        Colour of its handle: ``held``, ``optimum`` or ``reference``.
    play : str, default=""
        Words on a button that runs through the grid, where that shows something.
    get, set : callable, optional
        ``get(state)`` and ``set(state, value)``, where the slider moves an input by way of
        something else; by default the trait.
    """

    grid: Grid | Callable[[Any], Grid]
    text: Callable[[Any], str] | str = plain
    thing: str = "muted"
    play: str = ""
    get: Callable[[Any], Any] | None = None
    set: Callable[[Any, Any], object] | None = None

    def grid_of(self, state: Any) -> Grid:
        """Return the grid at this state."""
        return self.grid(state) if callable(self.grid) else self.grid

    def words(self, value: Any) -> str:
        """Return a value as it is shown and spoken."""
        if callable(self.text):
            return self.text(value)
        shown = format(value, self.text)
        return shown[:-1] + "\u202f%" if shown.endswith("%") else shown

    def parse(self, typed: str) -> float:
        """Return the number that was typed; a per cent sign divides by 100, 1/8 is a number too.

        Raises
        ------
        ValueError
            If it is no number; the message says what a number looks like.
        """
        text = typed.strip().replace("\u202f", "").replace("−", "-")
        share = text.endswith("%")
        digits = text.rstrip("% ")
        # thousands are grouped by commas, three digits after each
        grouped = digits.replace(",", "") if _grouped(digits) else digits
        over, slash, under = grouped.partition("/")
        try:
            value = float(over) / (float(under) if slash else 1.0)
        except (ValueError, ZeroDivisionError):
            comma = " Write decimals with a point, as in 0.3." if "," in text else ""
            raise ValueError(f"{self.label}: “{typed}” is not a number.{comma}") from None
        if not isfinite(value):
            raise ValueError(f"{self.label}: “{typed}” is not a finite number.")
        return value / 100 if share else value


def _grouped(digits: str) -> bool:
    head, *rest = digits.lstrip("+-").split(".")[0].split(",")
    return bool(rest) and 1 <= len(head) <= 3 and head != "0" and all(len(r) == 3 for r in rest)


@dataclass(frozen=True, kw_only=True)
class Choice(Control):
    """One of a few words.

    Parameters
    ----------
    options : mapping of value to text, sequence of values, or callable
        Or a function of the state that returns one of these.
    """

    options: Any

    def options_of(self, state: Any) -> dict[Any, str]:
        """Return ``{value: text}`` at this state."""
        made = self.options(state) if callable(self.options) else self.options
        return dict(made) if isinstance(made, Mapping) else {value: str(value) for value in made}


@dataclass(frozen=True, kw_only=True)
class Switch(Control):
    """On or off."""


@dataclass(frozen=True, kw_only=True)
class Entry(Control):
    """A line of text that is typed.

    Parameters
    ----------
    set : callable, optional
        ``set(state, text)``, instead of the trait.
    note : callable, optional
        ``note(state)``: a sentence under it.
    """

    set: Callable[[Any, str], object] | None = None
    note: Callable[[Any], str] | None = None


@dataclass(frozen=True, kw_only=True)
class Action(Control):
    """A button; ``act`` is the name of a method of the state."""

    act: str


@dataclass(frozen=True, kw_only=True)
class Task(Control):
    """A button for long work with a bar; ``task`` is the explorer's attribute that does it."""

    task: str


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of a list of things, all with the same choices.

    Parameters
    ----------
    key : int or str
        What it is to the program.
    label : str
        Its name; shortened where there is no room, whole when a mouse rests on it.
    full : str, default=""
        The whole name, where the label is a short one.
    value : object, optional
        Which of the choices holds.
    text : str, default=""
        A short number at the right: behind the bar, or behind the name where there is none.
    note : str, default=""
        A sentence under it.
    bar : (float, float, float), optional
        An interval and the point in it, within 0 to 1.
    marked, muted : bool, default=False
        It is this one's turn; it does not matter now.
    thing : str, default="hull"
        Colour of bar and number.
    number : (float, float, str), optional
        A number that can be typed: value, step and its spoken name.
    """

    key: Any
    label: str
    full: str = ""
    value: Any = None
    text: str = ""
    note: str = ""
    bar: tuple[float, float, float] | None = None
    marked: bool = False
    muted: bool = False
    thing: str = "hull"
    number: tuple[float, float, str] | None = None


@dataclass(frozen=True, kw_only=True)
class Rows(Control):
    """A list of things that are taken in or out, answered, moved.

    Parameters
    ----------
    rows : callable
        ``rows(state)`` returns a sequence of :class:`Row`.
    choose : callable
        ``choose(state, key, value)`` when a choice is clicked, a button pressed (with the
        button's value) or a number typed.
    choices : sequence of (value, text, spoken)
        Of which one holds, side by side; one alone is a tick box that says true or false.
    buttons : sequence of (value, text, spoken)
        To press; they do not stay down.
    heading : (str, str), optional
        What stands over the names and over the numbers.
    note : callable, optional
        ``note(state)``: words above the list, instead of the hint.
    in_two_lines : bool, default=False
        Buttons stand beside the text, on the second line; the name has the first to itself.
    """

    rows: Callable[[Any], Sequence[Row]]
    choose: Callable[[Any, Any, Any], object]
    choices: tuple[tuple[Any, str, str], ...] = ()
    buttons: tuple[tuple[Any, str, str], ...] = ()
    heading: tuple[str, str] | None = None
    note: Callable[[Any], str] | None = None
    in_two_lines: bool = False
