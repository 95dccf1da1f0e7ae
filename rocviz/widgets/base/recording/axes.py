"""The controls that are recorded: which values of each, and what a hand sends to get there.

Knows controls, states and the marks that can be clicked.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any

import bqplot
import numpy as np
import traitlets

from rocviz.widgets.base.controls import Action, Choice, Rows, Slider, Switch
from rocviz.widgets.base.parts import CLICKS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from rocviz.widgets.base.state import ExplorerState

FINE = 101  # values of a control that are recorded where nobody says how many


@dataclass
class Axis:
    """One control and the values of it that are recorded, in their order."""

    name: str  # name of the input, or of a control of no single input
    values: tuple[Any, ...]  # what is recorded
    start: int  # which of them holds at first
    # of a choice: for each option that the rail shows, its place in `values`; or -1
    options: tuple[int, ...] = field(default=())
    # where buttons and clicks lead from value to value: so many of those are recorded; else 0
    most: int = 0

    def assign(self, state: Any, place: int) -> None:
        """Let the state hold one of the values, as the rail would."""
        self.hold(state, self.values[place])

    def hold(self, state: Any, value: Any) -> None:
        """Let the state hold a value, as the rail would."""
        control = state.controls().get(self.name)
        if control is None:
            setattr(state, self.name, value)
        else:
            control.hold(state, self.name, value)

    def holds(self, state: Any, place: int) -> bool:
        """Return whether the state holds one of the values; another control may have moved it."""
        return bool(held_by(state, self.name) == self.values[place])

    def to_json(self) -> dict[str, Any]:
        """Return what a page needs to know of it."""
        numbers = all(isinstance(v, int | float) and np.isfinite(v) for v in self.values)
        return {
            "name": self.name,
            "size": len(self.values),
            "values": list(map(float, self.values)) if numbers else None,
            "on": [bool(v) for v in self.values] if isinstance(self.values[0], bool) else None,
            "options": list(self.options) or None,
        }


def held_by(state: Any, name: str) -> Any:
    """Return what a control of a state holds."""
    control = state.controls().get(name)
    return getattr(state, name) if control is None else control.held(state, name)


def axis_of(state: ExplorerState, name: str, wanted: Any) -> Axis:
    """Return the axis of a control, an input or another slider in the rail, around its value.

    ``wanted`` are values themselves; at most so many of those of its control; or, with an Ellipsis,
    all of them, thinned to at most :data:`FINE`. Where buttons or clicks set it, they are those
    that these lead to. It raises ``ValueError`` if there is no such control, or it has no values of
    its own and none are given.
    """
    controls = state.controls()
    control = controls.get(name)
    known = [*state.input_names(), *(n for n, c in controls.items() if isinstance(c, Slider))]
    if name not in known:
        raise ValueError(f"{name} is no control to record; there are {', '.join(sorted(known))}.")
    held = held_by(state, name)
    if isinstance(wanted, int) and not isinstance(wanted, bool):
        if wanted < 2:
            raise ValueError(f"{name} must be recorded at 2 values or more; got {wanted}.")
    elif wanted is not ... and (isinstance(wanted, str) or not np.iterable(wanted)):
        raise ValueError(f"{name} must be ..., a number of values or values; got {wanted!r}.")
    options: tuple[int, ...] = ()
    growing = 0
    if wanted is not ... and not isinstance(wanted, int):
        values = list(wanted)
        if not values:
            raise ValueError(f"{name} has no values to record.")
    elif isinstance(control, Slider):
        grid = control.grid_of(state)
        most = FINE if wanted is ... else int(wanted)
        places = np.unique(np.linspace(0, grid.steps, min(most, grid.steps + 1)).round())
        values = [grid.value(int(place)) for place in places]
        values[_nearest(places, grid.position(held))] = held
    elif isinstance(control, Choice):
        values = list(control.options_of(state))
    elif isinstance(control, Switch):
        values = [False, True]
    elif isinstance(held, tuple):
        values, growing = [held], FINE if wanted is ... else int(wanted)
    else:
        raise ValueError(f"{name} has no values of its own; give those to record.")
    if held not in values:
        values = [held, *values]
    if isinstance(control, Choice):
        options = tuple(
            values.index(value) if value in values else -1 for value in control.options_of(state)
        )
    return Axis(name, tuple(values), values.index(held), options, growing)


def _nearest(places: Any, place: int) -> int:
    return int(np.abs(places - place).argmin())


def product_size(axes: list[Axis]) -> int:
    """Return the number of states of a grid of axes."""
    return int(np.prod([len(axis.values) for axis in axes], dtype=np.int64))


def moves_of(state: Any, axis: Axis, others: Collection[str]) -> dict[str, list[int]]:
    """Return where each press of a button in the rail and each click leads, for every value.

    Of an input that lists of the rail or clicks set, such as the answers to a scoring list's
    questions. One that grows gets the values that presses lead to: first those to whose turn it is,
    then those of the fewest presses. The key is the message that is sent, as JSON; what is under it
    says for each value of the axis the place of the one that follows; -1 where that is not
    recorded.
    """
    is_list = isinstance(axis.values[0], tuple)
    if axis.name not in state.input_names() or not (is_list or axis.options):
        return {}
    marks = clickable_marks(state)
    led: dict[Any, dict[str, Any]] = {}
    waiting = [(0, place, value) for place, value in enumerate(axis.values)]
    serial = count(len(waiting))
    while waiting and len(led) < max(axis.most, len(axis.values)):
        presses, _, value = heappop(waiting)
        if value in led:
            continue
        axis.hold(state, value)
        led[value] = {}
        for message, (press, is_due) in presses_of(state, is_list, marks).items():
            after = led[value][message] = _after(state, axis.name, others, press)
            if axis.most and after is not None and after not in led:
                heappush(waiting, (presses + (not is_due), next(serial), after))
    axis.values = tuple(led)
    places = {value: place for place, value in enumerate(led)}
    moves = {
        message: [places.get(found.get(message), -1) for found in led.values()]
        for message in dict.fromkeys(m for found in led.values() for m in found)
    }
    return {
        message: after
        for message, after in moves.items()
        if any(to not in (-1, place) for place, to in enumerate(after))
    }


def clickable(panel: Any) -> list[bqplot.Mark]:
    """Return the marks of a picture that answer a click."""
    marks = panel.figure.marks if hasattr(panel, "figure") else ()
    return [mark for mark in marks if mark in CLICKS]


def clickable_marks(explorer: Any) -> list[bqplot.Mark]:
    """Return the marks of all pictures that answer a click."""
    return [mark for name in explorer.panels for mark in clickable(explorer._panels[name])]


def presses_of(
    state: Any, is_list: bool, marks: list[bqplot.Mark]
) -> dict[str, tuple[Callable[[], object], bool]]:
    """Return what a hand can press, by its message, and whether it is the turn of that."""
    presses: dict[str, tuple[Callable[[], object], bool]] = {}
    for name, control in state.controls().items():
        if not is_list or not control.shown(state):
            continue
        if isinstance(control, Rows):
            alone = len(control.choices) == 1
            choices: Any = (True, False) if alone else [value for value, *_ in control.choices]
            for row in control.rows(state):
                for value in (*choices, *(value for value, *_ in control.buttons)):
                    press = partial(control.choose, state, row.key, value)
                    presses[message_of(rows=name, key=row.key, value=value)] = press, row.marked
        elif isinstance(control, Action):
            presses[message_of(act=name)] = getattr(state, control.act), False
    for mark in marks:
        size = mark.x.size if isinstance(mark, bqplot.Scatter) else 1
        for index in range(size if mark.visible and size <= FINE else 0):
            press = partial(CLICKS[mark], index)
            presses[message_of(click=mark.model_id, index=index)] = press, False
    return presses


def message_of(**content: Any) -> str:
    """Return what the rail sends as the player looks it up."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def _after(state: Any, name: str, others: Collection[str], press: Callable[[], object]) -> Any:
    """Return the value of an input that a press leads to, or None; everything is put back."""
    before = state.inputs()
    # what a row's button sets needs no result; a button of its own may set what the result settles
    quick = isinstance(press, partial)
    state._depth += quick
    vars(state).pop("_clicked", None)  # where two clicks make one step, each is the first
    try:
        press()
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
    return after[name]  # others follow it
