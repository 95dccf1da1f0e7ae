"""Which traits of a set of widgets change, and every value that they take.

A recording stores only what changes, and each value once.
"""

from __future__ import annotations

import base64
import json
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import anywidget
import traitlets
from ipywidgets.widgets import widget as framework

from rocviz.widgets.base.parts import owned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import ipywidgets


class NoFrontEnd:
    """Stands where a widget keeps its way to the front end, and leads nowhere."""

    kernel = None  # the framework sends nothing then

    def __init__(self, *, comm_id: str | None = None, **_message: Any) -> None:
        self.comm_id = comm_id or uuid4().hex

    def on_msg(self, callback: Any) -> None:
        """Forget whom to call: no message comes."""

    def close(self) -> None:
        """There is nothing to close."""


#: Whether widgets are made for no front end here: in this thread, in this turn of its loop.
_SILENT = ContextVar("_SILENT", default=False)


@dataclass(frozen=True)
class _CreateComm:
    """Makes a widget's way to the front end, or a way to none where that is asked for."""

    make: Callable[..., Any]

    def __call__(self, **message: Any) -> Any:
        return NoFrontEnd(**message) if _SILENT.get() else self.make(**message)


@contextmanager
def without_front_end() -> Iterator[None]:
    """Within this block, widgets that are made are made for no front end: nothing is sent.

    What other threads make meanwhile is not concerned.
    """
    if not isinstance(framework.comm.create_comm, _CreateComm):
        framework.comm.create_comm = _CreateComm(framework.comm.create_comm)
    token = _SILENT.set(True)
    try:
        yield
    finally:
        _SILENT.reset(token)


def open_comms(widgets: Sequence[ipywidgets.Widget]) -> None:
    """Tell the front end of those widgets that were made without one; held ones come first.

    Whatever was changed since they were made goes with them: one message for each.
    """
    for widget in widgets:
        if isinstance(widget.comm, NoFrontEnd):
            widget.comm = None
            widget.open()


def encoded(value: Any) -> Any:
    """Return what a trait sends as plain JSON; bytes become ``{"$": base64}``."""
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
        """Return which value this is, from 0; a new one is kept."""
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
        """Return for each column which of its values holds now."""
        changed, self._changed = self._changed, set()
        for model, name in changed:
            value = encoded(self._widgets[model].get_state([name]))[name]
            column = self.columns.get((model, name))
            if column is None:
                column = self.columns[model, name] = Column(self._first[model, name])
            self._now[model, name] = column.put(value)
        if any(name in ("children", "marks", "axes") for _, name in changed):
            self._look()
        return dict(self._now)

    def close(self) -> None:
        """Stop watching."""
        for widget in self._widgets.values():
            widget.unobserve(self._note, names=traitlets.All)
