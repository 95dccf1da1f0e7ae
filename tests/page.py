"""What a browser shows of an explorer, and what its user does there.

Tests ask it in place of the explorer's own parts, so that these may change.
"""

from __future__ import annotations

import numpy as np

from rocviz.pictures import Draggable


def send_message(comm, content):
    """Send a message of the page by the connection of a widget."""
    comm.handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})


def classes_of(widget):
    """Get the classes of the style sheet on a widget."""
    return set(widget.get_state("_theme_classes")["_theme_classes"])


class Page:
    """A page with an explorer; it needs no browser."""

    def __init__(self, explorer):
        self._explorer = explorer
        self._comm = explorer.comm

    # ------------------------------------------------------------------ shown

    @property
    def shown(self):
        """Everything shown, by the page's names."""
        return self._explorer._values

    @property
    def sentence(self):
        """The HTML of the sentence, or of a story's text in its place."""
        return self.shown["sentence"]

    @property
    def drawer(self):
        """The HTML of the open drawer, or None."""
        return self.shown["drawer"]

    @property
    def classes(self):
        """The classes of the style sheet on the whole widget."""
        return classes_of(self._explorer)

    @property
    def summaries(self):
        """The words at each fold of the rail."""
        return self.shown["summaries"]

    @property
    def folds(self):
        """Map the controls in the rail to the folds that they are in; "" is always visible."""
        folds = {}
        for group in self.shown["groups"]:
            for control in group["controls"]:
                folds[control["name"]] = group["name"]
        return folds

    @property
    def opened_fold(self):
        """The fold of the rail that is open at first, or ""."""
        return self.shown["stage"]["opened"]

    def control(self, name):
        """Get what a control shows."""
        return self.shown[f"control {name}"]

    def marks(self, picture):
        """Map the names of the marks that are seen in a picture to them, from back to front."""
        order = self.shown[f"figure {picture}"]["order"]
        marks = {name: self.shown[f"mark {picture} {name}"] for name in order}
        return {name: mark for name, mark in marks.items() if mark.is_shown}

    def handles(self, picture):
        """List the marks that are seen in a picture and can be dragged."""
        return [mark for mark in self.marks(picture).values() if isinstance(mark, Draggable)]

    def axes(self, picture):
        """Get what is shown of the horizontal and the vertical axis."""
        return self.shown[f"figure {picture}"]["axes"]

    def limits(self, picture):
        """Get the lower left and the upper right corner of a picture, in units of its axes."""
        return np.transpose([axis["limits"] for axis in self.axes(picture)])

    def note(self, picture):
        """Get the HTML beside a picture."""
        return self.shown[f"html {picture}"]

    def title(self, picture):
        """Get the title of a picture."""
        return self.shown[f"panel {picture}"]["title"]

    def large_pictures(self):
        """List the pictures that are shown large, in their order on the page."""
        places = {}
        for name, panel in self.shown.items():
            if name.startswith("panel ") and panel and panel["large"]:
                places[name.removeprefix("panel ")] = panel["place"]
        return sorted(places, key=places.get)

    # ------------------------------------------------------------------ done

    def send(self, *, may_fail=False, **content):
        """Send a message to the explorer; an unexpected error in it fails the test, or may."""
        send_message(self._comm, content)
        alert = 'role="alert"'  # what the drawer says of an error; the widget only logs it
        assert may_fail or alert not in (self.drawer or ""), self.drawer

    def move(self, control, **content):
        """Move a control, such as ``move("threshold", position=3)``."""
        self.send(control=control, **content)

    def click(self, picture, mark, index=0):
        """Click a point of a mark."""
        self.send(picture=picture, mark=mark, event="click", index=index)

    def drag(self, picture, mark, x, y=0.0, index=0):
        """Drag a handle, or a knob, to a point."""
        for event in ("drag_start", "drag", "drag_end"):
            self.send(picture=picture, mark=mark, event=event, index=index, x=x, y=y)

    def press(self, tool):
        """Press a tool below the pictures."""
        self.send(tool=tool)
