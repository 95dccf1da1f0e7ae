"""Which traits of a set of widgets change, and every value that they take.

A recording stores only what changes, and each value once.
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from rocviz.widgets.base.parts import owned

if TYPE_CHECKING:
    import ipywidgets


def encoded(value: Any) -> Any:
    """Convert a trait's message to plain JSON; bytes become ``{"$": base64}``."""
    if isinstance(value, memoryview | bytes | bytearray):
        return {"$": base64.b64encode(value).decode("ascii")}
    if isinstance(value, dict):
        return {name: encoded(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [encoded(one) for one in value]
    return value


class Column:
    """Every value that one trait of one model has had, each once."""

    def __init__(self, first: Any) -> None:
        self.values: list[Any] = []
        self._known: dict[str, int] = {}
        self.put(first)

    def put(self, value: Any) -> int:
        """Find the number of a value, from 0; a new one is kept."""
        key = json.dumps(value, sort_keys=True)
        if key not in self._known:
            self._known[key] = len(self.values)
            self.values.append(value)
        return self._known[key]


class Capture:
    """Watches a widget and all it holds, and says of every state which values it is made of.

    What the root reaches through its synced traits is watched as well.
    """

    def __init__(self, root: ipywidgets.Widget) -> None:
        self._root = root
        self._widgets: dict[str, ipywidgets.Widget] = {}
        self._first: dict[tuple[str, str], Any] = {}
        self._changed: set[tuple[str, str]] = set()
        self._now: dict[tuple[str, str], int] = {}
        self.columns: dict[tuple[str, str], Column] = {}
        #: Every model as it was when it was first seen, for a page to make it.
        self.models: dict[str, Any] = {}
        self._look()

    def _look(self) -> None:
        for widget in owned(self._root):
            name = widget.model_id
            if name in self._widgets:
                continue
            self._widgets[name] = widget
            # an anywidget's model in the page has no defaults of its own
            is_any = isinstance(widget, anywidget.AnyWidget)
            state = widget.get_state(drop_defaults=not is_any)
            self.models[name] = {
                "model_name": widget._model_name,
                "model_module": widget._model_module,
                "state": encoded(state),
            }
            for key, value in encoded(widget.get_state()).items():
                self._first[name, key] = value
            widget.observe(self._note, names=traitlets.All)

    def _note(self, change: Any) -> None:
        owner = change["owner"]
        if change["name"] in owner.keys:
            self._changed.add((owner.model_id, change["name"]))

    def put(self, model: str, name: str, value: Any) -> None:
        """Say what a column that belongs to no trait now holds."""
        column = self.columns.get((model, name))
        if column is None:
            column = self.columns[model, name] = Column(value)
        self._now[model, name] = column.put(value)

    def state(self) -> dict[tuple[str, str], int]:
        """Find the number of each column's present value."""
        changed, self._changed = self._changed, set()
        for model, name in changed:
            value = encoded(self._widgets[model].get_state([name]))[name]
            column = self.columns.get((model, name))
            if column is None:
                # a mark that was not there at first is a trait that was not
                column = self.columns[model, name] = Column(self._first.get((model, name)))
            self._now[model, name] = column.put(value)
        if any(name == "children" for _, name in changed):
            self._look()
        return dict(self._now)

    def close(self) -> None:
        """Stop watching."""
        for widget in self._widgets.values():
            widget.unobserve(self._note, names=traitlets.All)
