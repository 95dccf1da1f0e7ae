"""States of the active control, sent ahead to a page with a slow connection.

Over a slow connection, such as Binder's, each step would wait for the round trip to the kernel. So
while the explorer is idle, the states of one control around the present one are recorded on a copy,
in slices, between which the kernel answers, and only as long as the explorer shows what was
recorded. The page plays recordings by ``js/src/ahead.js``. Which parts of the stage it may have
changed by itself, the stage notes, beside the values that the explorer shows.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from copy import deepcopy
from dataclasses import is_dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import traitlets

from rocviz.widgets.base.recording.recorder import (
    MAX_VALUES,
    Axis,
    Columns,
    axis_of,
    copy_of,
    packed,
    presses_of,
)
from rocviz.widgets.base.state import ONE_AT_A_TIME, REST_SECONDS
from rocviz.widgets.base.widget import script

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rocviz.widgets.base.controls import Grid


# ------------------------------------------------------------------ the states of one control

FIRST_SENT_AFTER_SECONDS = (
    0.25  # seconds of processor time after which the page gets the first states
)
MAX_MESSAGE_BYTES = 400_000  # compressed size of the states
NEIGHBOUR_STEPS = 10  # of a fine slider, on each side, that are all recorded


def positions_of(grid: Grid, start: int) -> list[float]:
    """List the positions of a slider to record, in order.

    A coarse slider gets positions in between, where a handle may be dragged.
    """
    steps = grid.steps
    parts = (MAX_VALUES - 1) // steps if steps > 0 and isinstance(grid.value(0), float) else 1
    if parts > 1:
        return [part / parts for part in range(steps * parts + 1)]
    spread = np.linspace(0, steps, min(MAX_VALUES, steps + 1)).round().astype(int).tolist()
    return sorted(
        {*spread, *range(max(start - NEIGHBOUR_STEPS, 0), min(start + NEIGHBOUR_STEPS, steps) + 1)}
    )


def value_at(grid: Grid, position: float) -> Any:
    """Compute the value of a slider at a position, or interpolate it."""
    below = int(position)
    low = grid.value(below)
    if position == below:
        return low
    high = grid.value(below + 1)
    share = position - below
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
    places = [start]
    for distance in range(1, far + 1):
        places += [start + distance, start - distance]
    return places


class RecordedState(NamedTuple):
    """A recorded state: the numbers of its values, its inputs, and whether it is a preview."""

    values: dict[str, int]
    inputs: dict[str, Any]
    is_preview: bool


class RecordedStates:
    """The states of one slider, choice or switch around an explorer's present state.

    They are recorded on a copy, while the explorer stays as it is.
    """

    def __init__(self, explorer: Any, copy: Any, name: str) -> None:
        self.explorer = explorer
        self.copy = copy
        self.name = name
        #: Processor time that the states took, and at which they are sent next, in seconds.
        self.seconds = 0.0
        self.send_after = FIRST_SENT_AFTER_SECONDS
        self.base = explorer.inputs()
        self.view = view_of(explorer)
        self.positions: list[float] | None = None
        panels, focus, copy._theme = self.view
        with copy.by_hand():
            copy.go_back(**self.base, panels=panels, focus=focus)
        if copy.cleared_attributes:
            self._remember()
            copy.set_trait("result", copy.compute())
        self.states: dict[int, RecordedState] = {}
        #: Names of the parts that differ between the states sent.
        self.parts: set[str] = set()
        self._columns = Columns()
        for panel_name, panel in copy._panels.items():
            original = explorer._panels[panel_name]
            panel.known = set(original.known)
            panel._sides = dict(original._sides)
        self._prepare()

    def _prepare(self) -> None:
        """Choose the values to record, and their order."""
        explorer = self.explorer
        name = self.name
        control = explorer.controls()[name]
        grid = control.grid_of(explorer)
        present = control.value_of(explorer, name)
        if grid is None:
            self.axis = axis_of(explorer, name, ...)
        else:
            position = grid.position(present)
            self.positions = positions_of(grid, position)
            start = self.positions.index(position)
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
        copy = self.copy
        try:
            with copy.by_hand():
                self._remember()
                self._go(place)
        except (ValueError, traitlets.TraitError):
            return
        inputs = copy.inputs()
        values = self._columns.put(copy._on_stage())
        self.states[place] = RecordedState(values, inputs, copy.is_preview)
        if differing(inputs, self.base) - {self.name}:  # these may not return with the control
            with copy.by_hand():
                copy.go_back(**self.base)

    def _remember(self) -> None:
        """Copy the explorer's visited states to its copy."""
        for name in self.copy.cleared_attributes:
            setattr(self.copy, name, deepcopy(getattr(self.explorer, name)))

    def _go(self, place: int) -> None:
        self.axis.assign(self.copy, self.axis.values[place])

    def place(self) -> int:
        """Find the recorded state that the explorer holds now, or -1."""
        return next((p for p in self.states if self.axis.is_at(self.explorer, p)), -1)

    def matches(self) -> bool:
        """Test whether the explorer still matches the recording, except for this control."""
        if view_of(self.explorer) != self.view or not self.explorer.ahead:
            return False
        now = self.explorer.inputs()
        place = self.place()
        if place < 0:
            return not differing(self.base, now) - self.moved()
        state = self.states[place]
        if differing(state.inputs, now):
            return False
        return self.explorer.is_preview != state.is_preview or self._shows(state)

    def moved(self) -> set[str]:
        """List the inputs that the control moves."""
        moved = {self.name}
        for state in self.states.values():
            moved |= differing(self.base, state.inputs)
        return moved

    def covers_neighbours(self) -> bool:
        """Test whether the neighbours of the present place are recorded, or states are left."""
        place = self.place()
        near = [p for p in outward(place, 2) if 0 <= p < len(self.axis.values)]
        return bool(self.waiting) or (place >= 0 and len(set(near) & set(self.states)) > 1)

    def _shows(self, state: RecordedState) -> bool:
        """Test whether all changing parts are as recorded, except for the hints at handles."""
        shown = self.explorer._values
        changing = set(self._columns.changing)
        for name, number in state.values.items():
            recorded = self._columns[name].shown[number]
            if name in changing and without_unseen(shown.get(name)) != without_unseen(recorded):
                return False
        return True

    def message(self) -> bytes | None:
        """Compress the message to the page; None if it would be empty.

        Where that is too much, what was recorded last is left out, and no more is recorded.
        """
        self.parts = set(self._columns.changing)
        while self.parts and len(self.states) > 1:
            message = packed(self._data(), 6)
            if len(message) <= MAX_MESSAGE_BYTES:
                return message
            self.waiting = []
            for place in list(self.states)[(len(self.states) + 1) // 2 :]:
                del self.states[place]
        return None

    def _data(self) -> dict[str, Any]:
        places = sorted(self.states)
        about = {"axes": [self._axis(places)], "views": [self.explorer.focus], "start": [0, 0]}
        return self._columns.encode([(about, [self.states[p].values for p in places])])

    def _axis(self, places: list[int]) -> dict[str, Any]:
        """Describe the axis as far as it is recorded."""
        axis = self.axis
        number_of = {place: number for number, place in enumerate(places)}
        moves = {}
        for message, after in axis.moves.items():
            if after[0] in number_of:
                moves[message] = [number_of[after[0]]] * len(places)
        values = tuple(axis.values[place] for place in places)
        described = Axis(self.name, values, 0, moves).to_json()
        if self.positions is not None:
            described["positions"] = [self.positions[place] for place in places]
        return described


class RecordedPresses(RecordedStates):
    """The states one press away from an explorer's present state.

    ``name`` is that of a button, of a list of rows, or of a mark that can be clicked.
    """

    def _prepare(self) -> None:
        presses = presses_of(self.copy)
        due = sorted(presses, key=lambda message: not presses[message].is_due)  # next ones first
        messages = [message for message in due if presses[message].of == self.name]
        self._acts = [None, *(presses[message].act for message in messages)]
        self.axis = Axis(self.name, (None, *messages), 0)
        self.waiting = list(range(len(self._acts)))

    def _go(self, place: int) -> None:
        copy = self.copy
        act = self._acts[place]
        panels, focus, _theme = self.view
        copy.go_back(**self.base, panels=panels, focus=focus)
        if hasattr(copy, "_clicked"):  # where a step takes two clicks, this may be the second
            copy._clicked = self.explorer._clicked
        if act is not None:
            act()

    def place(self) -> int:
        """Find the recorded state that the explorer holds now, or -1."""
        now = self.explorer.inputs()
        return next((p for p, state in self.states.items() if state.inputs == now), -1)

    def moved(self) -> set[str]:
        """List the inputs that may differ: none, since another press leads elsewhere."""
        return set()

    def covers_neighbours(self) -> bool:
        """Test whether the next press may be recorded."""
        return not self.states or self.place() == 0

    def _axis(self, places: list[int]) -> dict[str, Any]:
        """Describe the axis: each press leads on from the first state only."""
        elsewhere = [-1] * (len(places) - 1)
        moves = {self.axis.values[p]: [k, *elsewhere] for k, p in enumerate(places) if p}
        return {**super()._axis(places), "moves": moves}


def without_unseen(part: Any) -> Any:
    """Leave out of a mark what a recording may lack: a hint, and keys, which no page knows.

    Other parts of the stage are returned unchanged.
    """
    if not is_dataclass(part) or isinstance(part, type):
        return part
    unseen: dict[str, Any] = {}
    if getattr(part, "hint", None) is not None:
        unseen["hint"] = None
    if len(getattr(part, "keys", ())):
        unseen["keys"] = ()
    return replace(part, **unseen) if unseen else part


def view_of(explorer: Any) -> tuple[Any, ...]:
    """Collect the visible state besides the inputs."""
    return (explorer.panels, explorer.focus, explorer._theme)


def differing(inputs: Mapping[str, Any], others: Mapping[str, Any]) -> set[str]:
    """List the names of the inputs that differ."""
    return {name for name, value in inputs.items() if others[name] != value}


# ------------------------------------------------------------------ what is sent when

MAX_SECONDS = 1.5  # processor time of one recording, over all its slices
MAX_SLICE_SECONDS = 0.25  # the user waits as long if a drag begins meanwhile


class Phase(Enum):
    """What the page has of the active control."""

    #: No control is active, or its states cannot be recorded.
    IDLE = "idle"
    #: The page has asked for states, and has none yet.
    REQUESTED = "requested"
    #: The page has states, and gets others once the explorer has left them.
    SENT = "sent"


class Ahead:
    """Records the active control while an explorer is idle, and sends the states to the page.

    What a slice takes is measured with the clock, in seconds.
    """

    clock = staticmethod(time.thread_time)

    def __init__(self, explorer: Any) -> None:
        self._explorer = explorer
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        #: The active control, and what the page has of it.
        self.control = ""
        self.phase = Phase.IDLE
        #: The number of the user's last request, which the answering message repeats.
        self.request: Any = None
        #: The copy on which states are recorded, those recorded on it, and those the page has.
        self.copy: Any = None
        self.recorded: RecordedStates | None = None
        self.sent: RecordedStates | None = None

    # ------------------------------------------------------------------ messages of the page

    def prepare(self, what: str, *, code: bool = False) -> None:
        """Note the active control of a page with a slow connection, by its name or a handle's."""
        if not self._explorer.ahead:
            return
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError:  # nothing runs between two slices
            return
        if code:
            self._explorer.send({"code": script("ahead.js")})
        picture, _, mark = what.partition(" ")
        panel = self._explorer._panels.get(picture)
        is_handle = panel is not None and mark in panel.drags
        self.control = panel.drags[mark][0] if is_handle else what
        self.phase = Phase.REQUESTED
        self.rest()

    def answer(self) -> dict[str, Any]:
        """Describe an answer to the page, and drop the recording where it no longer holds."""
        if self._loop is None:
            return {}
        about = {"of": self.request, "preview": self._explorer.is_preview}
        if not self._matches(self.recorded) or not self._matches(self.sent):
            about["dropped"] = True
            if self.recorded is not None and self.recorded.matches():
                self._forget_sent()
                self.phase = Phase.REQUESTED
            else:
                self.drop()
        self.rest()
        return about

    @staticmethod
    def _matches(recorded: RecordedStates | None) -> bool:
        """Test whether there is nothing recorded, or the explorer still matches it."""
        return recorded is None or recorded.matches()

    def drop(self) -> None:
        """Forget what was recorded and what was sent, as the page does when it is told so."""
        self._forget_sent()
        self._stop()

    def _forget_sent(self) -> None:
        self.sent = None
        self._explorer._sent_ahead.clear()

    # ------------------------------------------------------------------ at rest

    def rest(self) -> None:
        """Begin or continue recording once nothing has changed for a while."""
        if self.phase is not Phase.IDLE and self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._later, REST_SECONDS, self._begin)

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        self._cancel()
        if self._loop is not None and self.phase is not Phase.IDLE:
            self._timer = self._loop.call_later(seconds, act)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def _begin(self) -> None:
        """Start a recording, or resume the one that the user interrupted."""
        explorer = self._explorer
        recorded = self.recorded
        is_busy = any(task.is_running for task in explorer._tasks)
        if self.phase is Phase.IDLE or not explorer.ahead or explorer.is_preview or is_busy:
            return  # the frame that ends this starts again
        if not (
            recorded
            and recorded.name == self.control
            and recorded.matches()
            and recorded.covers_neighbours()
        ):
            self.recorded = None
        elif self.phase is Phase.SENT:
            return
        self._later(0.0, self._slice)

    def _slice(self) -> None:
        """Record for a moment, then let the kernel answer."""
        if self.phase is Phase.IDLE:
            return
        begun = self.clock()
        try:
            with ONE_AT_A_TIME:
                self._record_some()
        except Exception:
            # the user did not ask for this state: the page waits for the kernel as before
            self._stop()
            self._close_copy()
            return
        took = self.clock() - begun
        recorded = self.recorded
        if recorded is None or (recorded.waiting and not recorded.states):  # still being prepared
            self._later(0.0, self._slice)
            return
        recorded.seconds += took
        if took > MAX_SLICE_SECONDS or recorded.seconds > MAX_SECONDS:
            recorded.waiting = []
        if not recorded.waiting or recorded.seconds > recorded.send_after:
            recorded.send_after = MAX_SECONDS
            self._send(recorded)
        if recorded.waiting:
            self._later(0.0, self._slice)

    def _record_some(self) -> None:
        """Make the copy, or choose what to record on it, or record one state."""
        explorer = self._explorer
        if self.copy is None:
            self.copy = copy_of(explorer)
        elif self.recorded is None:
            control = explorer.controls().get(self.control)
            if control is not None and control.recorded_by == "values":
                self.recorded = RecordedStates(explorer, self.copy, self.control)
            else:
                self.recorded = RecordedPresses(explorer, self.copy, self.control)
        elif self.recorded.waiting:
            self.recorded.step()

    def _send(self, recorded: RecordedStates) -> None:
        """Send the recorded states, if the page still shows the state they surround."""
        message = recorded.message()
        if message is not None and recorded.matches():
            self.phase = Phase.SENT
            self.sent = recorded
            self._explorer._send_states(recorded.name, recorded.parts, message)
        elif not recorded.waiting:
            self._stop()

    def _stop(self) -> None:
        """Record no more until the page reports the active control again."""
        self.recorded = None
        self.phase = Phase.IDLE

    def close(self) -> None:
        """Stop recording for good."""
        with ONE_AT_A_TIME:  # a slice may be under way in another thread
            self.drop()
            self._cancel()
            self._close_copy()

    def _close_copy(self) -> None:
        if self.copy is not None:
            self.copy.close()
            self.copy = None
