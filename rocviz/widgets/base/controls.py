"""Controls of inputs: label, values, words for a value, actions of the user; and their rail.

A control is declared once, with its trait: ``Slider("size", Linear(1, 9, 1)).as_int(5, "How
many.")`` is a trait that is an input and has this control. The rail, the spoken values, the docs'
table of inputs and the benchmarks read it from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from math import floor, inf, isfinite, isinf, log10
from numbers import Integral
from typing import Any, ClassVar, Literal, Protocol, TypeVar

import numpy as np
import traitlets

from rocviz.core.base.validation import describe
from rocviz.words import plain, shorten

Trait = TypeVar("Trait", bound=traitlets.TraitType[Any, Any])


# ------------------------------------------------------------------ traits


class StrictTrait:
    """A trait that never converts silently, and refuses values that cannot be compared by name.

    NumPy's numbers and subclasses of ``str`` are stored as Python's own types.
    """

    def validate(self, obj: Any, value: Any) -> Any:
        """Check the value; any error it causes becomes a ``TraitError``."""
        try:
            own = value.item() if isinstance(value, np.generic) else value
            own = str(own) if isinstance(own, str) else own
            return super().validate(obj, own)  # type: ignore[misc]
        except traitlets.TraitError:
            raise
        except Exception:
            # a number too large for a float, or an array or table instead of a word
            self.error(obj, value)  # type: ignore[attr-defined]


def check_repr_and_eq(name: str, value: Any) -> None:
    """Refuse an input that fails when it is printed or compared, as refusing it otherwise would."""
    if isinstance(value, str | float | bool | np.generic):
        return
    try:
        repr(value)
        _ = value == value
    except Exception:  # of a class of the caller's, or a number of thousands of digits
        raise traitlets.TraitError(f"{name} must not be {describe(value)}.") from None


def number_to_json(number: Any, _state: Any) -> Any:
    """Describe a number in JSON, which has none that is infinite."""
    return str(number) if isinstance(number, float) and isinf(number) else number


def number_from_json(number: Any, _state: Any) -> Any:
    """Read a number from JSON."""
    return float(number) if number in ("inf", "-inf") else number


def tuple_from_json(values: Any, _state: Any) -> Any:
    """Read a tuple, perhaps of tuples, from JSON, which has lists."""
    if isinstance(values, list):
        return tuple(tuple_from_json(entry, None) for entry in values)
    return values


class Number(StrictTrait, traitlets.Float[float, float]):
    """A number; ``True`` is refused, although it equals 1."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.tag(to_json=number_to_json, from_json=number_from_json)

    def validate(self, obj: Any, value: Any) -> Any:
        """Check a number, or refuse it."""
        number = super().validate(obj, value)
        return self.error(obj, value) if isinstance(value, bool | np.bool_) else float(number)


class Whole(StrictTrait, traitlets.Int[int, int]):
    """A whole number with an absolute value below 2**63."""

    def validate(self, obj: Any, value: Any) -> Any:
        """Check a number, or refuse it."""
        number = super().validate(obj, value)
        good = not isinstance(number, bool) and abs(number) < 2**63
        return int(number) if good else self.error(obj, value)


class Word(traitlets.Enum[str]):
    """One of several words; an array that compares equal to one is refused."""

    def validate(self, obj: Any, value: Any) -> Any:
        """Check a word, or refuse other values."""
        choices = self.values or ()
        if isinstance(value, str) and value in choices:
            return str(value)
        named = ", ".join(choices)
        raise traitlets.TraitError(f"{self.name} must be one of {named}; got {describe(value)}.")


class Text(StrictTrait, traitlets.Unicode[str, str | bytes]):
    """A text, or a name whose valid values only the state knows."""


class ValidatedTuple(traitlets.Tuple):
    """A tuple of values.

    Parameters
    ----------
    description : str
        Of valid values, for error messages.
    convert : callable
        Converts a value to Python's own type, or raises.
    **more
        Keywords of any trait.
    """

    def __init__(self, description: str, convert: Callable[[Any], Any], **more: Any) -> None:
        self._description = description
        self.convert = convert
        super().__init__(**more)
        self.tag(from_json=tuple_from_json)

    def validate(self, obj: Any, value: Any) -> Any:
        """Convert each value to Python's own type, or refuse them all."""
        values = super().validate(obj, value)
        if values is None:
            return None
        converted = list[Any]()
        for entry in values:
            try:
                converted.append(self.convert(entry))
            except (TypeError, ValueError, OverflowError):
                message = f"{self.name} must be {self._description}; got {describe(entry)}."
                raise traitlets.TraitError(message) from None
        return tuple(converted)


def real(number: Any, low: float = -inf, high: float = inf) -> float:
    """Convert a number within limits to a float; ``True`` is refused."""
    if not isinstance(number, int | float | np.number) or isinstance(number, bool):
        raise TypeError
    if not low <= number <= high or abs(float(number)) == inf:
        raise ValueError
    return float(number)


def whole(number: Any) -> int:
    """Convert a whole number to an integer; 1.0 and ``True`` are refused."""
    if not isinstance(number, Integral) or isinstance(number, bool):
        raise TypeError
    return int(number)


def bit(number: Any) -> int:
    """Convert 0, 1 or a boolean to 0 or 1."""
    if not isinstance(number, Integral | np.bool_) or number not in (0, 1):
        raise ValueError
    return int(number)


# ------------------------------------------------------------------ the values of a slider


class Grid(Protocol):
    """The values at which a slider stops, numbered from 0."""

    @property
    def steps(self) -> int:
        """The last position."""

    def value(self, position: int) -> Any:
        """Compute the value at a position."""

    def position(self, value: Any) -> int:
        """Find the position nearest to a value."""


@dataclass(frozen=True)
class Linear:
    """Evenly spaced values from ``low`` to ``high``; whole numbers if ``step`` is one."""

    low: float
    high: float
    step: float

    @cached_property
    def steps(self) -> int:
        """The last position."""
        return max(round((self.high - self.low) / self.step), 0)

    def value(self, position: int) -> float:
        """Compute the value at a position, without accumulated rounding."""
        if position >= self.steps:
            return self.high
        if position <= 0:
            return self.low
        value = self.low + position * self.step
        if isinstance(self.step, int):
            return int(value)
        return round(value, max(10, 4 - floor(log10(self.step))))

    def position(self, value: float) -> int:
        """Find the position nearest to a value."""
        return min(max(round((value - self.low) / self.step), 0), self.steps)


@dataclass(frozen=True)
class Log:
    """Values spaced evenly in their logarithm, rounded to three digits."""

    low: float
    high: float
    per_decade: int = 20

    @cached_property
    def steps(self) -> int:
        """The last position."""
        return round(self.per_decade * log10(self.high / self.low))

    def value(self, position: int) -> float:
        """Compute the value at a position."""
        if position in (0, self.steps):
            return self.high if position else self.low
        return float(f"{self.low * 10 ** (position / self.per_decade):.3g}")

    def position(self, value: float) -> int:
        """Find the position nearest to a value."""
        nearest = round(self.per_decade * log10(max(value, self.low) / self.low))
        return min(max(nearest, 0), self.steps)


@dataclass(frozen=True)
class Values:
    """Given values in increasing order."""

    values: tuple[Any, ...]

    @cached_property
    def steps(self) -> int:
        """The last position."""
        return len(self.values) - 1

    def value(self, position: int) -> Any:
        """Compute the value at a position."""
        return self.values[position]

    def position(self, value: Any) -> int:
        """Find the position nearest to a value; by ratio if all values are positive."""
        if value in self.values:
            return self.values.index(value)

        def scale(v: float) -> float:
            return log10(v) if self.values[0] > 0 and value > 0 else v

        near = [abs(scale(v) - scale(value)) for v in self.values]
        return near.index(min(near))


# ------------------------------------------------------------------ controls


def in_sandbox(state: Any) -> bool:
    """Whether a state shows simulated data, not the user's."""
    return bool(state.is_sandbox)


def is_simulated(state: Any) -> bool:
    """Whether a state shows data that it simulates, neither the user's nor drawn by hand."""
    return bool(state.is_sandbox and not state.is_drawn_by_hand)


@dataclass(frozen=True)
class Control:
    """Base of all controls.

    A kind of control defines its description for the page (:meth:`describe_once`, :meth:`show`),
    the user's actions on it (:meth:`gestures`, :meth:`apply`) and the values that are recorded
    (:attr:`recorded_by`, :meth:`values`). Its counterpart in the page is in ``js/src/controls.js``.
    """

    kind: ClassVar[str]  # its type in the page
    # how a recording varies it: by its values, by presses, or not at all
    recorded_by: ClassVar[Literal["values", "presses", ""]] = ""
    needs_height: ClassVar[bool] = False  # whether it takes the height of the stage where visible

    label: str  # in the rail and for screen readers
    _: KW_ONLY
    group: str = ""  # its fold of the rail; "" is always visible
    hint: str = ""  # tooltip; by default the description of its input
    # whether it sets how data are simulated: it is in the rail while these are shown, in the
    # fold "other data" unless another is named
    sandbox: bool = False
    in_sight: bool = False  # visible whatever is folded away
    needs_python: bool = False  # not in a page without Python, where it could do nothing
    # functions of the state: whether it is in the rail, and whether it can be moved
    shown: Callable[[Any], bool] | None = None
    enabled: Callable[[Any], bool] | None = None
    # get(state) and set(state, value), where it moves an input indirectly
    get: Callable[[Any], Any] | None = None
    set: Callable[[Any, Any], object] | None = None
    is_indexed: bool = False  # whether it moves the entry of an input at the state's place
    # the other way in which its handle moves on a plane, recorded with it: a control that is not in
    # the rail
    across: Control | None = None

    def __post_init__(self) -> None:
        if self.sandbox:
            object.__setattr__(self, "shown", is_simulated)
            object.__setattr__(self, "group", self.group or "other data")

    def describe_once(self, name: str) -> dict[str, Any]:
        """Describe the control to the page, once."""
        about = {"name": name, "kind": self.kind, "label": self.label, "hint": self.hint}
        return {**about, "ahead": bool(self.recorded_by)}

    def is_shown(self, state: Any) -> bool:
        """Whether it is in the rail now."""
        return self.shown is None or self.shown(state)

    def is_enabled(self, state: Any) -> bool:
        """Whether the user can move it now."""
        return self.enabled is None or self.enabled(state)

    def value_of(self, state: Any, name: str) -> Any:
        """Read the value that the control shows."""
        value = self.get(state) if self.get else getattr(state, name, "")
        return value[state.place] if self.is_indexed else value

    def assign(self, state: Any, name: str, value: Any) -> None:
        """Set the state to a value of the control."""
        if self.set:
            self.set(state, value)
        elif self.is_indexed:
            setattr(state, name, state._with(name, state.place, value))
        else:
            setattr(state, name, value)

    def show(self, state: Any, name: str) -> dict[str, Any]:
        """Describe to the page what the control shows now."""
        return {}

    def describe(self, state: Any, name: str, problem: str) -> dict[str, Any]:
        """Describe the whole control to the page, with a message for the user if there is one."""
        if self.shown is not None and not self.shown(state):
            return {"hidden": True}
        disabled = self.enabled is not None and not self.enabled(state)
        return {**self.show(state, name), "disabled": disabled, "problem": problem}

    def apply(self, state: Any, name: str, content: Mapping[str, Any]) -> str:
        """Apply a message of the page; return a problem to explain, if any."""
        raise NotImplementedError

    def explain(self, state: Any, name: str, error: Exception) -> str:
        """Explain why the state refuses a request of the page."""
        return str(error)

    def gestures(self, state: Any, name: str) -> Iterator[tuple[dict[str, Any], bool]]:
        """Yield the user's actions as :meth:`apply` takes them, and whether each is the next one.

        Where there is no :meth:`grid_of`, those of a control recorded by its :meth:`values` lead to
        these, in their order.
        """
        yield from ()

    def values(self, state: Any, name: str, most: int) -> list[Any]:
        """List the values of a recording, at most ``most``."""
        return []

    def grid_of(self, state: Any) -> Grid | None:
        """Find the control's grid at this state, if it has one."""
        return None

    def show_recorded(self, place: int, size: int) -> dict[str, Any]:
        """Describe its appearance at a recorded value to the page, if that differs."""
        return {}

    def of(self, trait: Trait) -> Trait:
        """Declare a trait as an input with this control."""
        object.__setattr__(
            self, "hint", self.hint or str(trait.help).replace("``", "").removesuffix(".")
        )
        trait.tag(input=True, sandbox=self.sandbox, control=self)
        return trait


@dataclass(frozen=True)
class Slider(Control):
    """A number along a grid.

    Parameters
    ----------
    grid : Grid, or callable
        Or a function of the state that returns one.
    text : callable or str, optional
        Words for a value, or a format such as ``".0%"``.
    role : str, default="muted"
        Colour of its handle: ``selected``, ``optimum`` or ``reference``.
    play : str, default=""
        Words on a button that runs through the grid, where that shows something.
    """

    kind = "slider"
    recorded_by = "values"

    grid: Grid | Callable[[Any], Grid]
    text: Callable[[Any], str] | str = plain
    _: KW_ONLY
    role: str = "muted"
    play: str = ""

    def as_float(
        self, default: float, help: str, low: float | None = None, high: float | None = None
    ) -> Number:
        """Declare a number as an input, by default within the ends of the grid."""
        return self.of(Number(default, help=help, **self._limits(low, high)))

    def as_int(
        self, default: int, help: str, low: float | None = None, high: float | None = None
    ) -> Whole:
        """Declare a whole number as an input, with limits as for :meth:`as_float`."""
        return self.of(Whole(default, help=help, **self._limits(low, high)))

    def _limits(self, low: float | None, high: float | None) -> dict[str, Any]:
        if not callable(self.grid):
            low = self.grid.value(0) if low is None else low
            high = self.grid.value(self.grid.steps) if high is None else high
        limits = {"min": low, "max": high}
        return {k: v for k, v in limits.items() if v is not None and isfinite(v)}

    def grid_of(self, state: Any) -> Grid:
        """Get the grid at this state."""
        return self.grid(state) if callable(self.grid) else self.grid

    def check(self, value: float, low: float | None, high: float | None) -> None:
        """Check a typed number: one outside the limits raises ``ValueError``, with the limit."""
        if low is not None and value < low:
            raise ValueError(f"{self.label} is at least {self.words(low)}.")
        if high is not None and value > high:
            raise ValueError(f"{self.label} is at most {self.words(high)}.")

    def describe_once(self, name: str) -> dict[str, Any]:
        """Describe the control to the page, once."""
        return {**super().describe_once(name), "role": self.role, "play": self.play}

    def show(self, state: Any, name: str) -> dict[str, Any]:
        """Describe to the page what the control shows now."""
        value = self.value_of(state, name)
        grid = self.grid_of(state)
        return {"position": grid.position(value), "steps": grid.steps, "text": self.words(value)}

    def apply(self, state: Any, name: str, content: Mapping[str, Any]) -> str:
        """Move to a position, or to a typed value."""
        if "typed" not in content:
            grid = self.grid_of(state)
            self.assign(state, name, grid.value(min(max(int(content["position"]), 0), grid.steps)))
            return ""
        value: Any = read_number(self.label, content["typed"])
        trait = state.traits().get(name)
        if isinstance(trait, traitlets.Int) and value == int(value):
            value = int(value)
        if self.get is None:
            self.check(value, getattr(trait, "min", None), getattr(trait, "max", None))
        self.assign(state, name, value)
        nearest = self.words(self.value_of(state, name))
        if nearest == self.words(value):
            return ""
        return f"{self.label}: {nearest} is the nearest there is."

    def gestures(self, state: Any, name: str) -> Iterator[tuple[dict[str, Any], bool]]:
        """Yield the action that moves to each position."""
        for position in range(self.grid_of(state).steps + 1):
            yield {"position": position}, False

    def values(self, state: Any, name: str, most: int) -> list[Any]:
        """Spread values over the grid; the present one replaces the nearest."""
        grid = self.grid_of(state)
        now = self.value_of(state, name)
        places = np.unique(np.linspace(0, grid.steps, min(most, grid.steps + 1)).round())
        values = [grid.value(int(place)) for place in places]
        values[int(np.abs(places - grid.position(now)).argmin())] = now
        return values

    def show_recorded(self, place: int, size: int) -> dict[str, Any]:
        """Restrict the slider to the recorded values."""
        return {"position": place, "steps": size - 1}

    def words(self, value: Any) -> str:
        """Write a value as it is shown and spoken."""
        if callable(self.text):
            return self.text(value)
        shown = format(value, self.text)
        return shown[:-1] + "\u202f%" if shown.endswith("%") else shown


def read_number(name: str, typed: str) -> float:
    """Parse a typed number, such as ``0.1``, ``10 %`` or ``1/8``.

    Other texts raise ``ValueError``, which says how numbers are written.
    """
    text = typed.strip().replace("\u202f", "").replace("−", "-")
    share = text.endswith("%")
    digits = text.rstrip("% ")
    # commas group thousands: three digits after each
    grouped = digits.replace(",", "") if _grouped(digits) else digits
    over, slash, under = grouped.partition("/")
    try:
        value = float(over) / (float(under) if slash else 1.0)
    except (ValueError, ZeroDivisionError):
        comma = " Write decimals with a point, as in 0.3." if "," in text else ""
        raise ValueError(f"{name}: “{shorten(typed, 40)}” is not a number.{comma}") from None
    if not isfinite(value):
        raise ValueError(f"{name}: “{shorten(typed, 40)}” is not a finite number.")
    return value / 100 if share else value


def _grouped(digits: str) -> bool:
    head, *rest = digits.lstrip("+-").split(".")[0].split(",")
    return bool(rest) and 1 <= len(head) <= 3 and head != "0" and all(len(r) == 3 for r in rest)


@dataclass(frozen=True)
class Choice(Control):
    """One of a few words.

    Parameters
    ----------
    options : mapping of value to text, sequence of values, or callable
        Or a function of the state that returns one of these.
    """

    kind = "choice"
    recorded_by = "values"

    options: Any

    def __post_init__(self) -> None:
        super().__post_init__()
        if not callable(self.options):
            object.__setattr__(self, "options", _named(self.options))

    def show(self, state: Any, name: str) -> dict[str, Any]:
        """Describe to the page what the control shows now."""
        options = self.options_of(state)
        now = self.value_of(state, name)
        index = list(options).index(now) if now in options else -1
        return {"options": list(options.values()), "index": index}

    def apply(self, state: Any, name: str, content: Mapping[str, Any]) -> str:
        """Choose an option by its index."""
        self.assign(state, name, list(self.options_of(state))[content["index"]])
        return ""

    def gestures(self, state: Any, name: str) -> Iterator[tuple[dict[str, Any], bool]]:
        """Yield the choice of each option."""
        for index in range(len(self.options_of(state))):
            yield {"index": index}, False

    def values(self, state: Any, name: str, most: int) -> list[Any]:
        """List all options, whatever their number."""
        return list(self.options_of(state))

    def as_enum(self, default: str, help: str, values: Sequence[str] | None = None) -> Word:
        """Declare one of several names as an input; by default one of the options."""
        names = tuple(self.options if values is None else values)
        return self.of(Word(names, default, help=help))

    def options_of(self, state: Any) -> dict[Any, str]:
        """Map values to texts at this state."""
        return _named(self.options(state)) if callable(self.options) else self.options


def _named(options: Any) -> dict[Any, str]:
    """Map options to their texts, which are by default the options themselves."""
    if isinstance(options, Mapping):
        return dict(options)
    return {value: str(value) for value in options}


@dataclass(frozen=True)
class Switch(Control):
    """On or off."""

    kind = "switch"
    recorded_by = "values"

    def show(self, state: Any, name: str) -> dict[str, Any]:
        """Describe to the page what the control shows now."""
        return {"on": bool(self.value_of(state, name))}

    def apply(self, state: Any, name: str, content: Mapping[str, Any]) -> str:
        """Switch on or off."""
        self.assign(state, name, bool(content["on"]))
        return ""

    def gestures(self, state: Any, name: str) -> Iterator[tuple[dict[str, Any], bool]]:
        """Yield off and on."""
        yield from (({"on": on}, False) for on in (False, True))

    def values(self, state: Any, name: str, most: int) -> list[Any]:
        """List off and on."""
        return [False, True]

    def as_bool(self, default: bool, help: str) -> traitlets.Bool[bool, bool | int]:
        """Declare a switch as an input."""
        return self.of(traitlets.Bool(default, help=help))


@dataclass(frozen=True)
class Entry(Control):
    """A line of text that is typed.

    Parameters
    ----------
    note : callable, optional
        ``note(state)``: a sentence below the entry.
    """

    kind = "entry"

    note: Callable[[Any], str] | None = None

    def show(self, state: Any, name: str) -> dict[str, Any]:
        """Describe to the page what the control shows now."""
        note = self.note(state) if self.note else ""
        return {"text": self.value_of(state, name), "note": note}

    def apply(self, state: Any, name: str, content: Mapping[str, Any]) -> str:
        """Take the text that was typed."""
        self.assign(state, name, content["typed"])
        return ""

    def gestures(self, state: Any, name: str) -> Iterator[tuple[dict[str, Any], bool]]:
        """Yield the same words with different spaces, which count as a new text."""
        text = self.value_of(state, name)
        if text:
            yield {"typed": text.rstrip() if text.endswith(" ") else f"{text} "}, False

    def explain(self, state: Any, name: str, error: Exception) -> str:
        """Explain the value in use; the typed text stays, to be corrected."""
        return f"{error} “{self.value_of(state, name)}” is still in use."


@dataclass(frozen=True)
class Action(Control):
    """A button; ``act`` is the name of a method of the state."""

    kind = "action"
    recorded_by = "presses"

    act: str

    def apply(self, state: Any, name: str, content: Mapping[str, Any]) -> str:
        """Press the button."""
        getattr(state, self.act)()
        return ""

    def gestures(self, state: Any, name: str) -> Iterator[tuple[dict[str, Any], bool]]:
        """Yield the press."""
        yield {}, False


@dataclass(frozen=True)
class Task(Control):
    """A button for a long computation with a bar; ``task`` is the name of its `Background`."""

    kind = "task"

    task: str

    def show(self, state: Any, name: str) -> dict[str, Any]:
        """Describe to the page what the control shows now."""
        task = getattr(state, self.task)
        return {"running": task.is_running, "share": task.share}

    def apply(self, state: Any, name: str, content: Mapping[str, Any]) -> str:
        """Start the work, or stop it while it runs."""
        task = getattr(state, self.task)
        if task.is_running:
            task.stop()
        else:
            task.start()
        return ""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of a list of items that all have the same choices.

    Parameters
    ----------
    key : int or str
        Identifies the row in messages.
    label : str
        Name of the row; shortened where there is no room, and whole in the tooltip.
    full : str, default=""
        The whole name, where the label is a shortened one.
    value : object, optional
        The chosen one of the choices.
    choices : sequence of (value, text, spoken), optional
        Those of this row, in place of those that all rows have.
    ticked : bool, default=False
        Whether its box is ticked, where rows have one.
    text : str, default=""
        A short number at the right: behind the bar, or behind the name where there is none.
    note : str, default=""
        A sentence under it.
    bar : (float, float, float), optional
        An interval and the point in it, within 0 to 1.
    marked, muted : bool, default=False
        Whether the row is the next to answer; whether it does not matter now.
    role : str, default="hull"
        Colour of bar and number.
    number : (float, float, str), optional
        A number that can be typed: value, step and its spoken name.
    """

    key: Any
    label: str
    full: str = ""
    value: Any = None
    choices: tuple[tuple[Any, str, str], ...] | None = None
    ticked: bool = False
    text: str = ""
    note: str = ""
    bar: tuple[float, float, float] | None = None
    marked: bool = False
    muted: bool = False
    role: str = "hull"
    number: tuple[float, float, str] | None = None


@dataclass(frozen=True)
class Rows(Control):
    """A list of items that can be ticked, answered and moved.

    Parameters
    ----------
    rows : callable
        ``rows(state)`` returns a sequence of :class:`Row`.
    choose : callable
        ``choose(state, key, value)`` when a choice is clicked, a button pressed (with the
        button's value) or a number typed.
    choices : sequence of (value, text, spoken)
        Choices side by side, of which one is chosen, unless rows have their own; a single one is a
        tick box, whose value is true or false.
    tick : str, default=""
        The spoken name of a tick box beside choices, whose value is true or false.
    is_sorted : str, default=""
        The spoken name of a grip by which a row is dragged to another place, or moved with the
        arrow keys: each step of it has the value "up" or "down".
    buttons : sequence of (value, text, spoken)
        Buttons, which do not stay pressed.
    heading : (str, str), optional
        Headings of the names and of the numbers.
    note : str or callable, default=""
        Words above the list, or ``note(state)``, which returns them.
    in_two_lines : bool, default=False
        Buttons stand beside the text, on the second line; the name has the first to itself.
    as_cards : bool, default=False
        Each row is a card: its choices stand below its name.
    """

    kind = "rows"
    recorded_by = "presses"
    needs_height = True

    rows: Callable[[Any], Sequence[Row]]
    choose: Callable[[Any, Any, Any], object]
    choices: tuple[tuple[Any, str, str], ...] = ()
    tick: str = ""
    is_sorted: str = ""
    buttons: tuple[tuple[Any, str, str], ...] = ()
    heading: tuple[str, str] | None = None
    note: str | Callable[[Any], str] = ""
    in_two_lines: bool = False
    as_cards: bool = False

    def describe_once(self, name: str) -> dict[str, Any]:
        """Describe the control to the page, once."""
        return {
            **super().describe_once(name),
            "choices": list(self.choices),
            "buttons": list(self.buttons),
            "heading": self.heading,
            "tick": self.tick,
            "sorted": self.is_sorted,
            "two": self.in_two_lines,
            "cards": self.as_cards,
        }

    def show(self, state: Any, name: str) -> dict[str, Any]:
        """Describe to the page what the control shows now."""
        note = self.note(state) if callable(self.note) else self.note
        return {"note": note, "rows": [dict(vars(row)) for row in self.rows(state)]}

    def apply(self, state: Any, name: str, content: Mapping[str, Any]) -> str:
        """Apply a choice or a button of one row."""
        self.choose(state, content["key"], content["value"])
        return ""

    def gestures(self, state: Any, name: str) -> Iterator[tuple[dict[str, Any], bool]]:
        """Yield each choice, step and button of each row, and the change of each tick box."""
        buttons = [value for value, *_ in self.buttons]
        steps = ["up", "down"] if self.is_sorted else []
        for row in self.rows(state):
            choices = self.choices if row.choices is None else row.choices
            offered = [value for value, *_ in choices]
            if row.choices is None and len(offered) == 1:
                offered = [not row.value]
            ticks = [not row.ticked] if self.tick else []
            for value in (*ticks, *offered, *steps, *buttons):
                yield {"key": row.key, "value": value}, row.marked


# ------------------------------------------------------------------ the rail

MORE_FOLD = "more"  # the fold of visible controls that `unfolded` leaves out


class Rail:
    """The controls of an explorer, by fold, with their present values."""

    #: While a recording is made, each recorded control's place among the values recorded, and
    #: their number; all others cannot be moved.
    recorded: Mapping[str, tuple[int, int]] | None = None

    def __init__(self, explorer: Any) -> None:
        self._state = explorer
        self._problems: dict[str, str] = {}
        self.controls = explorer.controls()
        #: Last description of each control, by name.
        self.values: dict[str, dict[str, Any]] = {}
        self.summaries: dict[str, str] = {}
        self._regroup()

    def _regroup(self) -> None:
        """Assign every control to its fold, by the ones that are to be visible."""
        self._unfolded = self._state.unfolded
        self._folds = {name: self._fold_of(name) for name in self.controls}
        groups: dict[str, list[dict[str, Any]]] = {
            group: [] for group in ("", MORE_FOLD, *self._state.groups)
        }
        for name, fold in self._folds.items():
            if fold in groups:
                groups[fold].append(self.controls[name].describe_once(name))
        #: Descriptions of the controls for the page, by fold.
        self.groups = [
            {"name": name, "controls": controls} for name, controls in groups.items() if controls
        ]
        #: Whether a list is always visible, which needs the height of the stage.
        in_sight = [control for name, control in self.controls.items() if not self._folds[name]]
        self.has_rows = any(control.needs_height for control in in_sight)

    def _fold_of(self, name: str) -> str:
        """Get the fold of a control; "" if it is always visible."""
        unfolded = self._state.unfolded
        control = self.controls[name]
        if name in unfolded or control.in_sight:
            return ""
        return control.group or (MORE_FOLD if unfolded else "")

    @property
    def recorded_fold(self) -> str:
        """The fold of the recorded controls; "" if one of them is always visible."""
        folds = [self._folds[name] for name in self.recorded or () if name in self._folds]
        return "" if "" in folds else next(iter(folds), "")

    def shown(self) -> dict[str, Any]:
        """Describe the controls, by the page's names."""
        state = self._state
        if state.unfolded != self._unfolded:
            self._regroup()
        values: dict[str, dict[str, Any]] = {}
        for name, control in self.controls.items():
            problem = self._problems.get(name, "")
            values[name] = control.describe(state, name, problem)
        self.values = values  # all at once, since another thread may read them
        if self.recorded is not None:
            self._show_recorded(self.recorded)
        self.summaries = {group: words(state) for group, words in state.groups.items()}
        self.summaries[MORE_FOLD] = ", ".join(self._labels_of_more())
        shown: dict[str, Any] = {f"control {name}": value for name, value in self.values.items()}
        return {**shown, "groups": self.groups, "summaries": self.summaries}

    def _labels_of_more(self) -> list[str]:
        """List the labels of the visible controls that ``unfolded`` leaves out."""
        names = [name for name, fold in self._folds.items() if fold == MORE_FOLD]
        return [self.controls[name].label for name in names if "hidden" not in self.values[name]]

    def _show_recorded(self, recorded: Mapping[str, tuple[int, int]]) -> None:
        for name, value in self.values.items():
            if value.get("hidden"):
                continue
            if self.controls[name].needs_python:
                self.values[name] = {"hidden": True}
            elif name in recorded:
                value |= self.controls[name].show_recorded(*recorded[name])
            else:
                value |= {"disabled": True, "unrecorded": True}

    def apply(self, name: str, content: Mapping[str, Any]) -> bool:
        """Handle the user's action on a control; true if there is a problem to explain."""
        state = self._state
        control = self.controls[name]
        self._problems = {}
        try:
            with state.by_hand():
                self._problems[name] = control.apply(state, name, content)
        except (ValueError, traitlets.TraitError, OSError) as error:
            self._problems[name] = control.explain(state, name, error)
        return bool(self._problems[name])

    def move(self, name: str, **content: Any) -> None:
        """Move a control, for tests and benchmarks: ``move("threshold", position=3)``."""
        self._state._received({"control": name, **content})
