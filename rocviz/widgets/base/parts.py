"""Widgets with the looks of the style sheet, and what a widget holds."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import ipywidgets

from rocviz.words import score_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rocviz.theme import Theme

#: What the page runs, built from ``js/src``.
BUNDLES = Path(__file__).with_name("bundles")


def script(name: str) -> str:
    """Read a script of the page; a path would be watched by anywidget, which keeps every widget."""
    return (BUNDLES / name).read_text(encoding="utf-8")


def colour(role: str) -> str:
    """Name the colour of a role as the page knows it: it follows light and dark by itself."""
    return role if role == "transparent" else f"var(--rocviz-{role})"


class NoFrontEnd:
    """Stands where a widget keeps its way to the front end, and leads nowhere."""

    kernel = None  # the framework sends nothing then

    def __init__(self) -> None:
        self.comm_id = uuid4().hex

    def on_msg(self, callback: Any) -> None:
        """Forget whom to call: no message comes."""

    def close(self) -> None:
        """There is nothing to close."""


_SILENT = ContextVar("_SILENT", default=False)
_SHARED: ContextVar[dict[str, ipywidgets.Widget] | None] = ContextVar("_SHARED", default=None)


@contextmanager
def without_front_end() -> Iterator[None]:
    """Within this block, parts of explorers are made for no front end: nothing is sent.

    What other threads make meanwhile is not concerned.
    """
    token = _SILENT.set(True)
    try:
        yield
    finally:
        _SILENT.reset(token)


def open_comms(widgets: Sequence[ipywidgets.Widget]) -> None:
    """Tell the front end of those widgets that were made without one; held ones come first.

    Whatever was changed since they were made goes with them: one message for each. Where
    everything is made for no front end, nothing is told.
    """
    for widget in () if _SILENT.get() else widgets:
        if isinstance(widget.comm, NoFrontEnd):
            widget.comm = None
            widget.open()


@contextmanager
def shared_looks(shared: dict[str, ipywidgets.Widget]) -> Iterator[None]:
    """Within this block, widgets share models of their looks, kept in ``shared``.

    Each model is a message to the page, and a server lets only so many through in a second.
    """
    token = _SHARED.set(shared)
    try:
        yield
    finally:
        _SHARED.reset(token)


def make_widget(kind: Any, *classes: str, **traits: Any) -> Any:
    """Make a widget with classes of the style sheet."""
    shared = _SHARED.get()
    for name in ("layout", "style"):
        trait = kind.class_traits().get(name)
        if trait is None or name in traits:
            continue
        looks = trait.klass
        if shared is None:
            traits[name] = _make(looks)
        else:
            traits[name] = shared[looks.__name__] = shared.get(looks.__name__) or _make(looks)
    return _make(kind, _dom_classes=classes, **traits)


def _make(kind: Any, **traits: Any) -> Any:
    return kind(**traits, **({"comm": NoFrontEnd()} if _SILENT.get() else {}))


def make_layout(**traits: Any) -> ipywidgets.Layout:
    """Make a new layout for a widget."""
    return _make(ipywidgets.Layout, **traits)


class Outermost(ipywidgets.VBox):
    """A box that is displayed; it too may be made for no front end."""

    def open(self) -> None:
        """Open a way to the front end, or a way to none where that is asked for."""
        if _SILENT.get():
            self.set_trait("comm", NoFrontEnd())
            self.layout = make_layout()
        super().open()

    def _dress(self, chosen: Theme) -> None:
        """Have the classes of the style sheet that a theme asks for."""
        for name, on in (
            ("rocviz-lecture", chosen.lecture),
            ("rocviz-dark", chosen.dark is True),
            ("rocviz-light", chosen.dark is False),
        ):
            (self.add_class if on else self.remove_class)(name)


def set_classes(widget: ipywidgets.Widget, *classes: str) -> None:
    """Give a widget these classes of the style sheet and no others, in one message."""
    if widget._dom_classes != classes:
        widget._dom_classes = classes


def owned(root: ipywidgets.Widget) -> list[ipywidgets.Widget]:
    """List a widget and all widgets in its synced traits, inner ones first."""
    found: list[ipywidgets.Widget] = []
    seen: set[str] = set()

    def visit(role: Any) -> None:
        if isinstance(role, ipywidgets.Widget):
            if role.comm is None or role.model_id in seen:
                return
            seen.add(role.model_id)
            for name in role.keys:
                visit(getattr(role, name, None))
            found.append(role)
        elif isinstance(role, dict):
            for held in role.values():
                visit(held)
        elif isinstance(role, list | tuple):
            for held in role:
                visit(held)

    visit(root)
    return found


def tables_html(explorer: Any, digits: int, rows: int) -> str:
    """Write the first rows of an explorer's tables, each below its heading."""
    write, written = partial(score_text, digits=digits), []
    for heading, frame in explorer.tables().items():
        shown = frame.head(rows)
        if shown.index.nlevels == 1:  # its name in the row of the others, not in one of its own
            shown = shown.rename_axis(index=None, columns=shown.index.name)
        table = shown.to_html(border=0, float_format=write, na_rep="–")
        written.append(f"<p>{escape(heading)}</p>" * bool(heading))
        written.append(table.replace("<th></th>", "<td></td>"))  # a heading of nothing is none
    return "".join(written)
