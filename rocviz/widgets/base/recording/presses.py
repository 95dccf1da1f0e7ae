"""The states that buttons, lists of rows and clicks lead to, recorded on a copy of an explorer.

Each is one press away from what the explorer holds; after a press all of them starts again. Knows
explorers and what recordings are made of.
"""

from __future__ import annotations

import json
from typing import Any

from rocviz.widgets.base.recording.axes import Axis, clickable_marks, message_of, presses_of
from rocviz.widgets.base.recording.scene import Scene, differing


def is_pressed(explorer: Any, name: str) -> bool:
    """Return whether a name is that of a button, a list of rows or a mark that is clicked."""
    control = explorer.controls().get(name)
    if control is None:
        return name in {mark.model_id for mark in clickable_marks(explorer)}
    return control.recorded_by == "presses"


class Presses(Scene):
    """The states one press away from the one that an explorer holds, recorded on its ``twin``.

    The name is that of a button, a list of rows, or the model of a mark that is clicked.
    """

    def _prepare(self) -> None:
        twin = self.twin
        found: list[tuple[bool, str, Any]] = []
        for text, press in presses_of(twin, True, clickable_marks(twin)).items():
            content = json.loads(text)
            if "click" in content:
                content["click"] = self._ours[content["click"]].model_id
            if self.name in content.values():
                found.append((not press.is_due, message_of(**content), press.act))
        found.sort(key=lambda one: one[0])  # first whose turn it is
        self._acts = [None, *(press for _, _, press in found)]
        self.axis = Axis(self.name, (None, *(message for _, message, _ in found)), 0)
        self.waiting = [*range(len(self._acts))]

    def _go(self, place: int) -> None:
        twin, act = self.twin, self._acts[place]
        panels, focus, _theme = self.view
        twin.go_back(**self.base, panels=panels, focus=focus)
        if hasattr(twin, "_clicked"):  # where two clicks make one step, this may be the second
            twin._clicked = self.explorer._clicked
        if act is not None:
            act()

    def place(self) -> int:
        """Return which of the recorded states the explorer holds now; or -1."""
        now = self.explorer.inputs()
        return next((p for p, held in self.inputs.items() if not differing(held, now)), -1)

    def moved(self) -> set[str]:
        """Return the inputs that may differ: none, since any other press leads elsewhere."""
        return set()

    def covers(self) -> bool:
        """Return whether the next press may be among what is recorded."""
        return not self.inputs or self.place() == 0

    def _data(self) -> dict[str, Any] | None:
        data = super()._data()
        if data is None:
            return None
        places = sorted(self.states)
        messages = {self.axis.values[p]: k for k, p in enumerate(places) if p}
        (axis,) = data["scenes"][0]["axes"]
        axis["moves"] = {text: [k, *[-1] * (len(places) - 1)] for text, k in messages.items()}
        data["clicked"] = [] if self.name in self.explorer.controls() else [self.name]
        data["handles"] = []  # none moves along presses
        return data
