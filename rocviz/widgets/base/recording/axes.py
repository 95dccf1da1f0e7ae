"""The controls that are recorded: which values of each, and what a hand sends to get there.

Knows controls and states; no widget.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import traitlets

from rocviz.widgets.base.controls import Action, Choice, Rows, Slider, Switch

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocviz.widgets.base.state import ExplorerState

__all__ = ["FINE", "Axis", "axis_of", "moves_of", "product_size"]

FINE = 101  # values of a control that are recorded where nobody says how many


@dataclass
class Axis:
    """One control and the values of it that are recorded, in their order.

    Parameters
    ----------
    name : str
        Of the input, or of a control of no single input.
    values : tuple
        What is recorded.
    start : int
        Which of them holds at first.
    options : tuple of int
        Of a choice: for each option that the rail shows, its place in ``values``; or -1.
    """

    name: str
    values: tuple[Any, ...]
    start: int
    options: tuple[int, ...] = field(default=())

    def assign(self, state: Any, place: int) -> None:
        """Let the state hold one of the values, as the rail would."""
        control, value = state.controls().get(self.name), self.values[place]
        if isinstance(control, Slider) and control.set:
            control.set(state, value)
        else:
            setattr(state, self.name, value)

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
    get = control.get if isinstance(control, Slider) else None
    return get(state) if get else getattr(state, name)


def axis_of(state: ExplorerState, name: str, wanted: Any) -> Axis:
    """Return the axis of a control.

    Parameters
    ----------
    state : ExplorerState
        Its value is among those recorded.
    name : str
        Of an input, or of another slider in the rail.
    wanted : Ellipsis, int or sequence
        All values of its control, thinned to at most :data:`FINE`; at most so many of them; or
        the values themselves.

    Raises
    ------
    ValueError
        If there is no such control, or it has no values of its own and none are given.
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
    else:
        raise ValueError(f"{name} has no values of its own; give those to record.")
    if held not in values:
        values = [held, *values]
    if isinstance(control, Choice):
        options = tuple(
            values.index(value) if value in values else -1 for value in control.options_of(state)
        )
    return Axis(name, tuple(values), values.index(held), options)


def _nearest(places: Any, place: int) -> int:
    return int(np.abs(places - place).argmin())


def product_size(axes: list[Axis]) -> int:
    """Return the number of states of a grid of axes."""
    return int(np.prod([len(axis.values) for axis in axes], dtype=np.int64))


def moves_of(state: Any, axis: Axis) -> dict[str, list[int]]:
    """Return where each press of a button in the rail leads, for every value of an axis.

    Parameters
    ----------
    state : ExplorerState
        Left at the last of the values.
    axis : Axis
        Of an input that lists of the rail set, such as the answers to a scoring list's questions.

    Returns
    -------
    dict of str to list of int
        By the message that the rail sends, as JSON: for each value of the axis the place of the
        one that follows; -1 where that is not recorded.
    """
    moves: dict[str, list[int]] = {}
    if axis.name in state.input_names() and isinstance(axis.values[0], tuple):
        for place in range(len(axis.values)):
            axis.assign(state, place)
            for message, press in _presses(state).items():
                places = moves.setdefault(message, [-1] * len(axis.values))
                places[place] = _after(state, axis, press)
    return {
        message: places
        for message, places in moves.items()
        if any(after not in (-1, place) for place, after in enumerate(places))
    }


def _presses(state: Any) -> dict[str, Any]:
    presses: dict[str, Any] = {}
    for name, control in state.controls().items():
        if not control.shown(state):
            continue
        if isinstance(control, Rows):
            alone = len(control.choices) == 1
            choices: Any = (True, False) if alone else [value for value, *_ in control.choices]
            for row in control.rows(state):
                for value in (*choices, *(value for value, *_ in control.buttons)):
                    presses[_message(rows=name, key=row.key, value=value)] = partial(
                        control.choose, state, row.key, value
                    )
        elif isinstance(control, Action):
            presses[_message(act=name)] = getattr(state, control.act)
    return presses


def _message(**content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def _after(state: Any, axis: Axis, press: Callable[[], object]) -> int:
    """Return the place of the value that a press leads to; everything is put back."""
    before = state.inputs()
    # what a row's button sets needs no result; a button of its own may set what the result settles
    quick = isinstance(press, partial)
    state._depth += quick
    try:
        press()
    except (ValueError, traitlets.TraitError):
        return -1
    finally:
        after = state.inputs()
        for name, value in before.items():
            if after[name] != value:
                setattr(state, name, value)
        state._depth -= quick
    value = after[axis.name]
    if value == before[axis.name] and after != before:
        return -1  # it sets something else
    return axis.values.index(value) if value in axis.values else -1
