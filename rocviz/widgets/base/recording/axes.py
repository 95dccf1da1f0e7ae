"""The recorded controls: their values, and the page's messages that lead to each value."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import traitlets

from rocviz.pictures import Dots, Mark
from rocviz.widgets.base.controls import Control
from rocviz.widgets.base.panel import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from rocviz.widgets.base.state import ExplorerState

FINE = 101  # values of a control that are recorded by default


@dataclass
class Axis:
    """One control and its recorded values, in order."""

    name: str  # of the input, or of a control without a single input
    values: tuple[Any, ...]  # recorded values
    start: int  # index of the first one shown
    # by a message of the page: the index of the value it leads to, from any state
    places: dict[str, int] = field(default_factory=dict)
    # largest number of values to reach by buttons and clicks; 0 for other controls
    most: int = 0

    def assign(self, state: Any, value: Any) -> None:
        """Set a value as the rail would."""
        control_of(state, self.name).assign(state, self.name, value)

    def is_at(self, state: Any, place: int) -> bool:
        """Test whether the state has one of the values; another control may have moved it."""
        return bool(control_of(state, self.name).value_of(state, self.name) == self.values[place])

    def moves(self) -> dict[str, list[int]]:
        """List, for each message, the index of the value that follows each value."""
        return {message: [to] * len(self.values) for message, to in self.places.items()}

    def to_json(self) -> dict[str, Any]:
        """Describe the axis to a page."""
        numbers = all(isinstance(v, int | float) and np.isfinite(v) for v in self.values)
        return {
            "name": self.name,
            "size": len(self.values),
            "values": list(map(float, self.values)) if numbers else None,
            "moves": self.moves(),
        }


def control_of(state: Any, name: str) -> Control:
    """Find a control of a state; for an input without one, make one that sets it."""
    return cast(Control, state.controls().get(name, Control(name)))


def axis_of(state: ExplorerState, name: str, wanted: Any) -> Axis:
    """Make the axis of a control, of one input or of several, around its value.

    ``wanted`` are values themselves; at most so many of those of its control; or, with an Ellipsis,
    all of them, thinned to at most :data:`FINE`. Where buttons or clicks set it, they are those
    that these lead to. It raises ``ValueError`` if there is no such control, or it has no values of
    its own and none are given.
    """
    moving = (n for n, c in state.controls().items() if c.recorded_by == "values")
    known = {*state.input_names(), *moving}
    if name not in known:
        raise ValueError(
            f"{name} is not a control to record; choose among {', '.join(sorted(known))}."
        )
    control = control_of(state, name)
    held, most = control.value_of(state, name), 0
    if wanted is ... or (isinstance(wanted, int) and not isinstance(wanted, bool)):
        most = FINE if wanted is ... else int(wanted)
        if most < 2:
            raise ValueError(f"{name} must be recorded at 2 values or more; got {wanted}.")
        values = control.values(state, name, most)
        if values:
            most = 0
        elif isinstance(held, tuple):
            values = [held]
        else:
            raise ValueError(f"{name} has no list of values; give the values to record.")
    elif isinstance(wanted, str) or not np.iterable(wanted):
        raise ValueError(
            f"{name} must be ..., a number of values or a list of values; got {wanted!r}."
        )
    else:
        values = list(wanted)
        if not values:
            raise ValueError(f"{name} has no values to record.")
    if held not in values:
        values = [held, *values]
    places = {}
    if control.recorded_by == "values" and control.grid_of(state) is None:
        leads = zip(control.values(state, name, FINE), control.gestures(state, name), strict=True)
        places = {
            message_of(control=name, **content): values.index(value)
            for value, (content, _) in leads
            if value in values
        }
    return Axis(name, tuple(values), values.index(held), places, most)


def product_size(axes: list[Axis]) -> int:
    """Count the states of a grid of axes."""
    return int(np.prod([len(axis.values) for axis in axes], dtype=np.int64))


def moves_of(state: Any, axis: Axis, others: Collection[str]) -> dict[str, list[int]]:
    """Find the value to which each press of a button and each click leads.

    This is for inputs set by lists of the rail or by clicks, such as the answers to a scoring
    list's questions. An axis that may grow gains the values that presses lead to: first those due
    next, then those after the fewest presses. Keys are messages as JSON; each holds, for every
    value of the axis, the index of the value that follows, or -1 if that is not recorded.
    """
    is_list = isinstance(axis.values[0], tuple)
    if axis.name not in state.input_names() or not (is_list or axis.places):
        return axis.moves()
    led: dict[Any, dict[str, Any]] = {}
    waiting = [(0, place, value) for place, value in enumerate(axis.values)]
    serial = count(len(waiting))
    while waiting and len(led) < max(axis.most, len(axis.values)):
        presses, _, value = heappop(waiting)
        if value in led:
            continue
        axis.assign(state, value)
        led[value] = {}
        for message, press in presses_of(state, is_list, clickable_marks(state)).items():
            after = led[value][message] = _after(state, axis.name, others, press)
            if axis.most and after is not None and after not in led:
                heappush(waiting, (presses + (not press.is_due), next(serial), after))
    axis.values = tuple(led)
    places = {value: place for place, value in enumerate(led)}
    moves = {
        message: [places.get(found.get(message), -1) for found in led.values()]
        for message in dict.fromkeys(m for found in led.values() for m in found)
    }
    return axis.moves() | {
        message: after
        for message, after in moves.items()
        if any(to not in (-1, place) for place, to in enumerate(after))
    }


def clickable_marks(explorer: Any) -> list[tuple[Any, Mark]]:
    """List the marks of all pictures that answer a click, each with its panel."""
    explorer._on_stage()  # draws the pictures of a copy
    panels = [explorer._panels[name] for name in explorer.panels]
    return [
        (panel, mark)
        for panel in panels
        for mark in (panel.picture.marks if panel.on_click else ())
        if kind_of(mark) in panel.on_click
    ]


def place_of(panel: Any, mark: Mark) -> str:
    """Name a mark in the form in which the page reports the active control."""
    return f"{panel.name} {mark.name}"


class Press(NamedTuple):
    """A button, row or point that the user can press."""

    act: Callable[[], object]
    is_due: bool = False
    needs_result: bool = False


def presses_of(state: Any, is_list: bool, marks: list[tuple[Any, Mark]]) -> dict[str, Press]:
    """List the buttons, rows and points that can be pressed, by their messages."""
    presses = {}
    for name, control in state.controls().items():
        if not is_list or control.recorded_by != "presses" or not control.is_shown(state):
            continue
        for content, is_due in control.gestures(state, name):
            act = partial(control.apply, state, name, content)
            message = message_of(control=name, **content)
            # what a separate button sets may depend on the result
            presses[message] = Press(act, is_due, needs_result=not content)
    for panel, mark in marks:
        size = mark.x.size if isinstance(mark, Dots) else min(mark.x.size, 1)
        for index in range(size if size <= FINE else 0):
            clicked = {"mark": mark.name, "event": "click", "index": index}
            message = message_of(picture=panel.name, **clicked)
            presses[message] = Press(partial(panel.hand, **clicked))
    return presses


def message_of(**content: Any) -> str:
    """Write the rail's message in the form that the player looks up."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def _after(state: Any, name: str, others: Collection[str], press: Press) -> Any:
    """Find the value of an input that a press leads to, or None, and restore the state."""
    before = state.inputs()
    quick = not press.needs_result
    state._depth += quick
    vars(state).pop("_clicked", None)  # where a step takes two clicks, count each as the first
    try:
        press.act()
    except (ValueError, traitlets.TraitError):
        return None
    finally:
        after = state.inputs()
        for other, value in before.items():
            if after[other] != value:
                setattr(state, other, value)
        state._depth -= quick
    changed = {other for other, value in before.items() if after[other] != value}
    if quick or name not in changed:
        return after[name] if changed <= {name, *others} else None
    return after[name]  # the other changed inputs depend on it
