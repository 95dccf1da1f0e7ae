"""What a browser shows of an explorer, and what its user does there.

Tests ask it in place of the explorer's own parts, so that these may change.
"""

from __future__ import annotations


class Page:
    """A page with an explorer, or a story; it needs no browser."""

    def __init__(self, explorer):
        (self._stage,) = explorer.children

    # ------------------------------------------------------------------ shown

    @property
    def shown(self):
        """Everything shown, by the page's names."""
        return self._stage.values

    @property
    def drawer(self):
        """The HTML of the open drawer, or None."""
        return self.shown["drawer"]

    @property
    def summaries(self):
        """The words at each fold of the rail."""
        return self.shown["summaries"]

    def control(self, name):
        """Get what a control shows."""
        return self.shown[f"control {name}"]

    def marks(self, picture):
        """Map the names of the marks that are seen in a picture to them, from back to front."""
        order = self.shown[f"figure {picture}"]["order"]
        marks = {name: self.shown[f"mark {picture} {name}"] for name in order}
        return {name: mark for name, mark in marks.items() if mark.is_shown}

    def axes(self, picture):
        """Get what is shown of the horizontal and the vertical axis."""
        return self.shown[f"figure {picture}"]["axes"]

    def note(self, picture):
        """Get the HTML beside a picture."""
        return self.shown[f"html {picture}"]

    def title(self, picture):
        """Get the title of a picture."""
        return self.shown[f"panel {picture}"]["title"]

    # ------------------------------------------------------------------ done

    def send(self, **content):
        """Send a message to the explorer."""
        data = {"method": "custom", "content": content}
        self._stage.comm.handle_msg({"content": {"data": data}, "buffers": []})

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
