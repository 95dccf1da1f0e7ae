"""States of the active control, sent ahead to a page with a slow connection.

Over a slow connection, such as Binder's, each step would wait for the round trip to the kernel. So
while the explorer is idle, the states of one control around the present one are recorded on a copy,
in slices, between which the kernel answers, and only as long as the explorer shows what was
recorded. The page plays recordings by ``js/src/ahead.js``.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import traitlets

from rocviz.widgets.base.recording.recorder import (
    FINE,
    Axis,
    Columns,
    axis_of,
    copy_of,
    packed,
    presses_of,
)
from rocviz.widgets.base.stage import script
from rocviz.widgets.base.state import ONE_AT_A_TIME, REST

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rocviz.widgets.base.controls import Grid


# ------------------------------------------------------------------ scenes

BYTES = 400_000  # compressed size of the states
NEAR = 10  # neighbouring steps of a fine slider, on each side, that are all recorded


def positions_of(grid: Grid, start: int) -> list[float]:
    """List the positions of a slider to record, in order.

    A coarse slider gets positions in between, where a handle may be dragged.
    """
    steps = grid.steps
    parts = (FINE - 1) // steps if steps > 0 and isinstance(grid.value(0), float) else 1
    if parts > 1:
        return [at / parts for at in range(steps * parts + 1)]
    spread = np.linspace(0, steps, min(FINE, steps + 1)).round().astype(int).tolist()
    return sorted({*spread, *range(max(start - NEAR, 0), min(start + NEAR, steps) + 1)})


def value_at(grid: Grid, position: float) -> Any:
    """Compute the value of a slider at a position, or interpolate it."""
    below = int(position)
    low = grid.value(below)
    if position == below:
        return low
    high, share = grid.value(below + 1), position - below
    return low * (high / low) ** share if low > 0 else low + share * (high - low)


def order_of(size: int, start: int) -> list[int]:
    """Order the places for recording so that both sides are covered if it stops early.

    The start and its neighbours come first, then all places by ever finer strides.
    """
    places = dict.fromkeys(p for p in outward(start, 4) if 0 <= p < size)
    stride = 1 << max(size - 1, 1).bit_length()
    while stride := stride // 2:
        places |= dict.fromkeys(p for p in range(size) if (p - start) % stride == 0)
    return list(places)


def outward(start: int, far: int) -> list[int]:
    """List a place and its neighbours, the nearest first."""
    return [start, *(start + sign * k for k in range(1, far + 1) for sign in (1, -1))]


class State(NamedTuple):
    """A recorded state: the numbers of its values, its inputs, and whether it is a preview."""

    values: dict[str, int]
    inputs: dict[str, Any]
    is_preview: bool


class Scene:
    """The states of one slider, choice or switch around an explorer's present state.

    They are recorded on a copy, the ``twin``, while the explorer stays as it is.
    """

    def __init__(self, explorer: Any, twin: Any, name: str) -> None:
        self.explorer, self.twin, self.name = explorer, twin, name
        self.base, self.view = explorer.inputs(), view_of(explorer)
        self.positions: list[float] | None = None
        panels, focus, twin._theme = self.view
        with twin.by_hand():
            twin.go_back(**self.base, panels=panels, focus=focus)
        if twin.cleared_attributes:
            self._remember()
            twin.set_trait("result", twin.compute())
        self.states: dict[int, State] = {}
        #: Names of the parts that differ between the states sent.
        self.keys: set[str] = set()
        self._columns = Columns()
        for panel_name, panel in twin._panels.items():
            original = explorer._panels[panel_name]
            panel.known, panel._sides = set(original.known), dict(original._sides)
        self._prepare()

    def _prepare(self) -> None:
        """Choose the values to record, and their order."""
        explorer, name = self.explorer, self.name
        control = explorer.controls()[name]
        grid, present = control.grid_of(explorer), control.value_of(explorer, name)
        if grid is None:
            self.axis = axis_of(explorer, name, ...)
        else:
            at = grid.position(present)
            self.positions = positions_of(grid, at)
            start = self.positions.index(at)
            values = [value_at(grid, p) for p in self.positions]
            values[start] = present
            self.axis = Axis(name, tuple(values), start)
        self.waiting = order_of(len(self.axis.values), self.axis.start)
        if self.positions is not None:  # arrow keys move by whole steps
            whole = [position % 1 == 0 for position in self.positions]
            self.waiting.sort(key=lambda place: not whole[place])

    def step(self) -> None:
        """Record the next state; an invalid one is left out."""
        place = self.waiting.pop(0)
        twin = self.twin
        try:
            with twin.by_hand():
                self._remember()
                self._go(place)
        except (ValueError, traitlets.TraitError):
            return
        inputs, values = twin.inputs(), self._columns.put(twin._on_stage())
        self.states[place] = State(values, inputs, twin.is_preview)
        if differing(inputs, self.base) - {self.name}:  # these may not return with the control
            with twin.by_hand():
                twin.go_back(**self.base)

    def _remember(self) -> None:
        """Copy the explorer's visited states to its twin."""
        for name in self.twin.cleared_attributes:
            setattr(self.twin, name, deepcopy(getattr(self.explorer, name)))

    def _go(self, place: int) -> None:
        self.axis.assign(self.twin, self.axis.values[place])

    def place(self) -> int:
        """Find the recorded state that the explorer holds now, or -1."""
        return next((p for p in self.states if self.axis.is_at(self.explorer, p)), -1)

    def holds(self) -> bool:
        """Test whether the explorer still matches the recording, except for this control."""
        if view_of(self.explorer) != self.view or not self.explorer.ahead:
            return False
        now, place = self.explorer.inputs(), self.place()
        if place < 0:
            return not differing(self.base, now) - self.moved()
        state = self.states[place]
        if differing(state.inputs, now):
            return False
        return self.explorer.is_preview != state.is_preview or self._shows(state)

    def moved(self) -> set[str]:
        """List the inputs that the control moves."""
        return {self.name}.union(
            *(differing(self.base, one.inputs) for one in self.states.values())
        )

    def covers(self) -> bool:
        """Test whether the neighbours of the present place are recorded, or states are left."""
        place = self.place()
        near = [p for p in outward(place, 2) if 0 <= p < len(self.axis.values)]
        return bool(self.waiting) or (place >= 0 and len({*near} & {*self.states}) > 1)

    def _shows(self, state: State) -> bool:
        """Test whether all changing parts are as recorded, except for the hints at handles."""
        shown, changing = self.explorer._stage.values, {*self._columns.changing}
        return all(
            without_hint(shown.get(name)) == without_hint(self._columns[name].shown[number])
            for name, number in state.values.items()
            if name in changing
        )

    def message(self) -> bytes | None:
        """Compress the message to the page; None if it would be empty.

        Where that is too much, what was recorded last is left out, and no more is recorded.
        """
        self.keys = set(self._columns.changing)
        while self.keys and len(self.states) > 1:
            message = packed(self._data(), 6)
            if len(message) <= BYTES:
                return message
            self.waiting = []
            for place in [*self.states][(len(self.states) + 1) // 2 :]:
                del self.states[place]
        return None

    def _data(self) -> dict[str, Any]:
        places = sorted(self.states)
        about = {"axes": [self._axis(places)], "views": [self.explorer.focus], "start": [0, 0]}
        return self._columns.told([(about, [self.states[p].values for p in places])])

    def _axis(self, places: list[int]) -> dict[str, Any]:
        """Describe the axis as far as it is recorded."""
        axis, there = self.axis, {place: k for k, place in enumerate(places)}
        moves = {
            message: [there[after[0]]] * len(places)
            for message, after in axis.moves.items()
            if after[0] in there
        }
        values = tuple(axis.values[place] for place in places)
        described = Axis(self.name, values, 0, moves).to_json()
        if self.positions is not None:
            described["positions"] = [self.positions[place] for place in places]
        return described


class Presses(Scene):
    """The states one press away from an explorer's present state.

    ``name`` is that of a button, of a list of rows, or of a mark that can be clicked.
    """

    def _prepare(self) -> None:
        presses = presses_of(self.twin)
        due = sorted(presses, key=lambda message: not presses[message].is_due)  # next ones first
        messages = [message for message in due if presses[message].of == self.name]
        self._acts = [None, *(presses[message].act for message in messages)]
        self.axis = Axis(self.name, (None, *messages), 0)
        self.waiting = [*range(len(self._acts))]

    def _go(self, place: int) -> None:
        twin, act = self.twin, self._acts[place]
        panels, focus, _theme = self.view
        twin.go_back(**self.base, panels=panels, focus=focus)
        if hasattr(twin, "_clicked"):  # where a step takes two clicks, this may be the second
            twin._clicked = self.explorer._clicked
        if act is not None:
            act()

    def place(self) -> int:
        """Find the recorded state that the explorer holds now, or -1."""
        now = self.explorer.inputs()
        return next((p for p, state in self.states.items() if state.inputs == now), -1)

    def moved(self) -> set[str]:
        """List the inputs that may differ: none, since another press leads elsewhere."""
        return set()

    def covers(self) -> bool:
        """Test whether the next press may be recorded."""
        return not self.states or self.place() == 0

    def _axis(self, places: list[int]) -> dict[str, Any]:
        """Describe the axis: each press leads on from the first state only."""
        elsewhere = [-1] * (len(places) - 1)
        moves = {self.axis.values[p]: [k, *elsewhere] for k, p in enumerate(places) if p}
        return {**super()._axis(places), "moves": moves}


def without_hint(part: Any) -> Any:
    """Leave the hint out of a handle; other parts of the stage are returned unchanged."""
    return part if getattr(part, "hint", None) is None else replace(part, hint=None)


def view_of(explorer: Any) -> tuple[Any, ...]:
    """Collect the visible state besides the inputs."""
    return (explorer.panels, explorer.focus, explorer._theme)


def differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> set[str]:
    """List the names of the inputs that differ."""
    return {name for name, value in one.items() if other[name] != value}


# ------------------------------------------------------------------ what is sent when

SECONDS = 1.5  # processor time of one recording, over all its slices
SOON = 0.25  # processor time after which the page gets the first states
LONG = 0.25  # longest processor time of a state: the user waits as long if a drag begins meanwhile


class Ahead:
    """Records the active control while an explorer is idle, and sends the states to the page.

    ``send(content, buffers)`` goes to the page; what a slice takes is measured with the clock, in
    seconds.
    """

    clock = staticmethod(time.thread_time)

    def __init__(self, explorer: Any, send: Callable[..., None]) -> None:
        self._explorer, self._send = explorer, send
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._twin: Any = None
        self._in_hand = ""
        #: The number of the user's last request, which the answering message repeats.
        self.request: Any = None
        self._scene: Scene | None = None
        self._sent: set[str] = set()  # names of parts of the stage
        self._is_owed = False
        self._spent = 0.0
        self._next_send = 0.0

    # ------------------------------------------------------------------ messages of the rail

    def prepare(self, what: str, *, code: bool = False) -> None:
        """Note the active control of a page with a slow connection, by its name or a handle's."""
        if not self._explorer.ahead:
            return
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:  # nothing runs between two slices
            return
        if code:
            self._send({"code": script("ahead.js")})
        picture, _, mark = what.partition(" ")
        panel = self._explorer._panels.get(picture)
        is_handle = panel is not None and mark in panel.drags
        self._in_hand, self._is_owed = panel.drags[mark][0] if is_handle else what, True
        self.rest()

    def answer(self, changed: set[str]) -> tuple[set[str], dict[str, Any]]:
        """Add the parts that the page may have changed by itself, and describe the answer."""
        if self._loop is None:
            return changed, {}
        about = {"of": self.request, "preview": self._explorer.is_preview}
        names = changed | self._sent
        if self._scene is not None and not self._scene.holds():
            about["dropped"] = True
            self._scene, self._sent = None, set()
            self._in_hand = ""  # until the page reports the active control again
        self.rest()
        return names, about

    # ------------------------------------------------------------------ at rest

    def rest(self) -> None:
        """Begin or continue recording once nothing has changed for a while."""
        if self._in_hand and self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._later, REST, self._begin)

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        self._cancel()
        if self._loop is not None and self._in_hand:
            self._timer = self._loop.call_later(seconds, act)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _begin(self) -> None:
        """Start a recording, or resume the one that the user interrupted."""
        explorer, scene = self._explorer, self._scene
        busy = any(task.is_running for task in explorer._tasks)
        if not self._in_hand or not explorer.ahead or explorer.is_preview or busy:
            return  # the frame that ends this starts again
        if scene and scene.name == self._in_hand and scene.holds() and scene.covers():
            if not self._is_owed:
                return
        else:
            self._scene = None
            self._spent, self._next_send = 0.0, SOON
        self._later(0.0, self._slice)

    def _slice(self) -> None:
        """Record for a moment, then let the kernel answer."""
        if not self._in_hand:
            return
        begun = self.clock()
        try:
            with ONE_AT_A_TIME:
                self._do_a_little()
        except Exception:
            # the user did not ask for this state: the page waits for the kernel as before
            self._in_hand = ""
            self._scene = None
            self._twin_over()
            return
        took = self.clock() - begun
        scene = self._scene
        if scene is None or (scene.waiting and not scene.states):  # it is still being prepared
            self._later(0.0, self._slice)
            return
        self._spent += took
        if took > LONG or self._spent > SECONDS:
            scene.waiting = []
        if not scene.waiting or self._spent > self._next_send:
            self._next_send = SECONDS
            self._announce(scene)
        if scene.waiting:
            self._later(0.0, self._slice)

    def _do_a_little(self) -> None:
        explorer = self._explorer
        if self._twin is None:
            self._twin = copy_of(explorer)
        elif self._scene is None:
            control = explorer.controls().get(self._in_hand)
            kind = Scene if control and control.recorded_by == "values" else Presses
            self._scene = kind(explorer, self._twin, self._in_hand)
        elif self._scene.waiting:
            self._scene.step()

    def _announce(self, scene: Scene) -> None:
        """Send the recorded states, if the page still shows the state they surround."""
        message = scene.message()
        if message is None or not scene.holds():
            if not scene.waiting:
                self._scene = None
                self._in_hand = ""
            return
        self._is_owed = False
        self._sent |= scene.keys
        self._send({"recording": scene.name}, [message])

    def close(self) -> None:
        """Stop recording for good."""
        with ONE_AT_A_TIME:  # a slice may be under way in another thread
            self._in_hand = ""
            self._cancel()
            self._scene = None
            self._twin_over()

    def _twin_over(self) -> None:
        if self._twin is not None:
            self._twin.close()
            self._twin = None
