"""States of the active control, sent ahead to a page with a slow connection.

Over a slow connection, such as Binder's, each step would wait for the round trip to the kernel. So
while the explorer is idle, a copy of it is recorded in slices, between which the kernel answers.
The page plays recordings by ``js/src/ahead.js``.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from rocviz.widgets.base.recording.axes import clickable_marks, place_of
from rocviz.widgets.base.recording.recorder import copy_of
from rocviz.widgets.base.recording.scene import Presses, Scene
from rocviz.widgets.base.stage import script
from rocviz.widgets.base.state import ONE_AT_A_TIME, REST

if TYPE_CHECKING:
    from collections.abc import Callable


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
        self._request: Any = None
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
        self._in_hand, self._is_owed = self._control_of(what), True
        self.rest()

    def _control_of(self, what: str) -> str:
        """Find the control that a handle moves; other names are returned unchanged."""
        picture, _, mark = what.partition(" ")
        panel = self._explorer._panels.get(picture)
        return panel.moves.get(mark, what) if panel else what

    def requested(self, number: Any) -> None:
        """Note the number of the user's request, which the answering message repeats."""
        self._request = number

    def answer(self, changed: set[str]) -> tuple[set[str], dict[str, Any]]:
        """Add the parts that the page may have changed by itself, and describe the answer."""
        if self._loop is None:
            return changed, {}
        about = {"of": self._request, "preview": self._explorer.is_preview}
        told = changed | self._sent
        if self._scene is not None and not self._scene.holds():
            self._drop()
            about["dropped"] = True
            self._in_hand = ""  # until the page reports the active control again
        self.rest()
        return told, about

    # ------------------------------------------------------------------ at rest

    def rest(self) -> None:
        """Begin or continue recording once nothing has changed for a while."""
        if self._in_hand and self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._later, REST, self._begin)

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if self._loop is not None and self._in_hand:
            self._timer = self._loop.call_later(seconds, act)

    def _begin(self) -> None:
        """Start a recording, or resume the one that the user interrupted."""
        explorer, scene = self._explorer, self._scene
        busy = any(task.is_running for task in explorer._tasks)
        if not self._in_hand or not explorer.ahead or explorer.is_preview or busy:
            return  # the frame that ends this starts again
        fits = scene is not None and scene.name == self._in_hand and scene.holds()
        if fits and scene is not None and scene.covers():
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
            if self._in_hand:
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
        elif self._scene is not None:
            if self._scene.waiting:
                self._scene.step()
        elif control := explorer.controls().get(self._in_hand):
            kind = Scene if control.recorded_by == "values" else Presses
            self._scene = kind(explorer, self._twin, self._in_hand)
        elif self._in_hand in {place_of(*one) for one in clickable_marks(explorer)}:
            self._scene = Presses(explorer, self._twin, self._in_hand)
        else:
            self._in_hand = ""

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

    def _drop(self) -> None:
        """Discard the recording, after a change of another input."""
        self._scene = None
        self._sent = set()

    def close(self) -> None:
        """Stop recording for good."""
        with ONE_AT_A_TIME:  # a slice may be under way in another thread
            self._in_hand = ""
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            self._drop()
            self._twin_over()

    def _twin_over(self) -> None:
        if self._twin is not None:
            self._twin.close()
            self._twin = None
