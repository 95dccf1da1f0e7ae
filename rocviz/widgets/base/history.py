"""The steps of an explorer that can be undone and redone."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_STEPS = 200
# Seconds without a change after which a control that keys move on begins another step.
PAUSE_SECONDS = 2.0


class Gesture(NamedTuple):
    """What the user moves, and by which press of the hand, which lasts until it lets go.

    Without a press, as by keys, changes belong together while they follow each other soon.
    """

    what: Any
    press: Any = None


class History:
    """The inputs that a state has had, and the place of the present ones among them.

    All changes of one gesture are one step: a drag, however long the hand rests on the way.
    """

    def __init__(self) -> None:
        self._steps: list[Mapping[str, Any]] = []
        self._present = 0
        self._gesture: Gesture | None = None
        self._last_change = 0.0
        #: Whether a step is being undone or redone, so that its changes are no new step.
        self._is_moving = False

    @property
    def can_undo(self) -> bool:
        """Whether there is an earlier step."""
        return self._present > 0

    @property
    def can_redo(self) -> bool:
        """Whether a step was undone, and nothing was changed since."""
        return self._present + 1 < len(self._steps)

    def note(self, inputs: Mapping[str, Any], gesture: Gesture | None = None) -> None:
        """Note changed inputs as a step, or as a part of the last one.

        Parameters
        ----------
        inputs : mapping of str to object
            All inputs.
        gesture : Gesture, optional
            What the user is doing; changes of the same gesture are one step. Without one, each
            change is a step.
        """
        if self._is_moving or (self._steps and inputs == self._steps[self._present]):
            return
        now = time.monotonic()
        is_same = gesture is not None and gesture == self._gesture
        is_pressed = gesture is not None and gesture.press is not None
        is_soon = now - self._last_change < PAUSE_SECONDS
        goes_on = is_same and (is_pressed or is_soon) and self.can_undo
        self._gesture = gesture
        self._last_change = now
        del self._steps[self._present + 1 :]
        if goes_on:
            self._steps[self._present] = inputs
        else:
            self._steps.append(inputs)
            del self._steps[:-MAX_STEPS]
            self._present = len(self._steps) - 1

    def amend(self, inputs: Mapping[str, Any]) -> None:
        """Replace the present step, whose inputs were adjusted to an exact result."""
        self._steps[self._present] = inputs

    def forget_after(self, inputs: Mapping[str, Any]) -> None:
        """Go back to a step that was noted before a change failed."""
        if self._is_moving:
            return
        while self.can_undo and self._steps[self._present] != inputs:
            del self._steps[self._present :]
            self._present -= 1

    @contextmanager
    def moving(self, count: int) -> Iterator[Mapping[str, Any]]:
        """Go to a step while the block restores its inputs; stay where it was if that fails.

        ``count`` is how many steps it is later, negative if earlier.
        """
        self._is_moving = True
        try:
            yield self._steps[self._present + count]
        finally:
            self._is_moving = False
        self._present += count
        self._gesture = None
