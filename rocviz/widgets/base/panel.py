"""A picture of an explorer: its title, its room, and how it looks large and small."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import anywidget
import ipywidgets
import numpy as np
import traitlets

from rocviz.pictures.marks import Draggable, Handle, Knobs, Mark
from rocviz.pictures.picture import Picture
from rocviz.theme import DESK, Theme, get_theme
from rocviz.widgets.base.parts import make_widget, script, set_classes

with warnings.catch_warnings():
    # its scales declare a trait in an old style, which fails where warnings are errors
    warnings.filterwarnings("ignore", "metadata .'args'", DeprecationWarning)
    import bqplot

#: A function that draws: called with state, result, and whether the picture is large.
Draw = Callable[[Any, Any, bool], Picture]


class Panel:
    """One picture: a heading that makes it the large one, and a body.

    A subclass draws a result in :meth:`draw`. It may look at :attr:`is_large`: a small picture has
    fewer ticks and fewer words, it is not shrunken.
    """

    #: What a hand can drag or click, by the names of marks, and what is called then.
    on_drag: Mapping[str, Callable[..., None]] = {}
    on_click: Mapping[str, Callable[[Any], object]] = {}

    def __init__(self, *body: ipywidgets.Widget) -> None:
        #: What it is called, and whether it is the large one.
        self.name, self.is_large = "", True
        #: Handles that have been dragged once: what can be done with them is known.
        self.known: set[str] = set()
        self.heading = make_widget(
            ipywidgets.Button, "rocviz-title", tooltip="Make this the large picture"
        )
        self.body = make_widget(ipywidgets.Box, "rocviz-body", children=body)
        self.box = make_widget(ipywidgets.VBox, "rocviz-panel", children=[self.heading, self.body])

    @property
    def handles(self) -> list[Draggable]:
        """What can be dragged on it now."""
        return []

    def draw(self, state: Any, result: Any) -> None:
        """Show a result; compute nothing."""
        raise NotImplementedError


class HTMLPanel(Panel):
    """A picture that is words, a table or bars in HTML; a subclass returns it from `html`."""

    def __init__(self) -> None:
        self.content = make_widget(ipywidgets.HTML)
        super().__init__(self.content)

    def html(self, state: Any, result: Any) -> str:
        """Write the body in HTML."""
        raise NotImplementedError

    def draw(self, state: Any, result: Any) -> None:
        """Show a result."""
        self.content.value = self.html(state, result)


class Figure(anywidget.AnyWidget):
    """A picture in the page, which draws it with bqplot.

    Each mark is a trait of its own, under its name: only what differs from the last picture is
    sent.
    """

    _esm = script("picture.js")

    keys: list[str]

    #: Of the packages whose models and views draw it in the page.
    modules = traitlets.Dict(
        {
            "bqplot": bqplot.Figure._model_module_version.default_value,
            "bqscales": bqplot.LinearScale._model_module_version.default_value,
        }
    ).tag(sync=True)
    name = traitlets.Unicode(help="Of the picture.").tag(sync=True)
    clicked: Any = traitlets.List(help="Names of marks that can be clicked.").tag(sync=True)
    look = traitlets.Dict(help="Sizes of type, strokes and handles.").tag(sync=True)
    axes: Any = traitlets.List(help="What both axes show.").tag(sync=True)
    order: Any = traitlets.List(help="Names of marks, from below.").tag(sync=True)
    hints = traitlets.Dict(help='Where "drag" stands, by the name of a handle.').tag(sync=True)
    fixed: Any = traitlets.List(help="Handles that cannot be dragged.").tag(sync=True)

    def show(self, picture: Picture, theme: Theme) -> None:
        """Show a picture in the sizes that a theme asks for."""
        marks = {trait_of(mark.name): mark for mark in picture.marks}
        new = [name for name in marks if not self.has_trait(name)]
        with self.hold_sync():
            if new:  # told of with all else: a widget's own `add_traits` sends each at once
                traits = {name: traitlets.Any().tag(sync=True, to_json=_sent) for name in new}
                traitlets.HasTraits.add_traits(self, **traits)
                self.keys += new
            for name, mark in marks.items():
                setattr(self, name, mark)
            self.order = list(marks)
            draggable = [mark for mark in picture.marks if isinstance(mark, Draggable)]
            self.hints = {trait_of(mark.name): list(mark.hint) for mark in draggable if mark.hint}
            size = theme.font * (1.0 if picture.is_large else 0.86)
            self.look = {
                "font": theme.font,
                "stroke": theme.stroke / DESK.stroke,
                "handle": theme.handle / DESK.handle,
                "shrink": 1.0 if picture.is_large else 0.8,
                "margin": _margin(picture, size),
            }
            self.axes = [
                {
                    "limits": list(axis.limits),
                    "visible": axis.is_shown,
                    "label": axis.label if picture.is_large else "",
                    "offset": f"{offset * size:.0f}px",
                    "ticks": list(
                        map(list, axis.labels(large=picture.is_large, level=i == 0).items())
                    ),
                }
                for i, (axis, offset) in enumerate(((picture.x, 2.4), (picture.y, 2.7)))
            ]


def trait_of(name: str) -> str:
    """Name the trait of a mark, which no other trait of a widget is called."""
    return f"mark:{name.replace(' ', '_')}"


def kind_of(mark: Mark) -> str:
    """Name what several marks are alike, such as "model" of "model:1"."""
    return mark.name.split(":")[0]


def _margin(picture: Picture, size: float) -> dict[str, int]:
    """Find the room that numbers and labels take around a picture, in pixels."""
    large, square = picture.is_large, picture.is_square
    near, far = (3.4, 0.6) if large else (1.9, 0.5)
    wide = 0.0 if large else 0.7 if square else 1.0  # numbers of four digits
    right = round((far + 0.2 + (0.0 if square else 0.8)) * size)
    return {
        "left": round((near + 0.2 + wide) * size) if picture.y.is_shown else right,
        "right": right,
        "bottom": round(near * size),
        "top": round((far + 0.4) * size),
    }


def _sent(mark: Mark | None, _widget: Any) -> dict[str, Any] | None:
    """Convert a mark into what the page is sent; arrays are their bytes and their shape."""
    if mark is None:
        return None
    values = {field.name: getattr(mark, field.name) for field in fields(mark)}
    for name in ("name", "keys", "own", "hint", "yields", "in_the_way", "is_hinted"):
        values.pop(name, None)
    if isinstance(mark, Handle):
        values["align"] = mark.align
    if values.get("sizes") is not None:
        values["sizes"] = np.asarray(values["sizes"], dtype=float)
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            data = value.astype(float).tobytes()
            values[name] = {"shape": list(value.shape), "data": data}
        elif isinstance(value, tuple):
            values[name] = list(value)
    return {"kind": type(mark).__name__, **values}


class FigurePanel(Panel):
    """A picture with axes.

    Parameters
    ----------
    picture : callable
        Called with state, result, and whether it is large; returns a :class:`.Picture`.
    on_drag : mapping of str to callable, optional
        By the name of a handle, what is called with the point that it is dragged to.
    on_click : mapping of str to callable, optional
        By the name of a mark up to its colon, what is called with the key of the point that is
        clicked, or its number, which is 0 for a line.
    note : callable, optional
        Returns HTML that stands beside the figure, under it when it is large; called as
        ``picture`` is.
    look : str, optional
        A class of the style sheet for the figure.
    """

    def __init__(
        self,
        picture: Draw,
        *,
        on_drag: Mapping[str, Callable[..., None]] | None = None,
        on_click: Mapping[str, Callable[[Any], object]] | None = None,
        note: Callable[[Any, Any, bool], str] | None = None,
        look: str = "",
    ) -> None:
        self._picture, self._note, self._look = picture, note, look
        self.on_drag, self.on_click = on_drag or {}, on_click or {}
        #: What is shown.
        self.picture: Picture | None = None
        #: At which side of a handle "drag" stood last.
        self._sides: dict[str, str] = {}
        self._keys: Any = ()
        self.figure = make_widget(Figure, clicked=list(self.on_click))
        self.table = make_widget(ipywidgets.HTML) if note else None
        super().__init__(self.figure, *([self.table] if self.table else ()))

    @property
    def handles(self) -> list[Draggable]:
        """What can be dragged on it now."""
        marks = self.picture.marks if self.picture else ()
        return [mark for mark in marks if isinstance(mark, Draggable)]

    def draw(self, state: Any, result: Any) -> None:
        """Show a result."""
        picture = self._picture(state, result, self.is_large)
        if self.table is not None and self._note is not None:
            self.table.value = self._note(state, result, self.is_large)
            has_note = bool(self.table.value)
            set_classes(self.body, "rocviz-body", *(["with-note"] * has_note))
            set_classes(self.table, *([] if has_note else ["is-away"]))
        self.show(picture, get_theme())

    def show(self, picture: Picture, theme: Theme) -> None:
        """Show a picture in the sizes that a theme asks for."""
        hinted = {
            mark.name: self._sides.get(mark.name, "right")
            for mark in picture.marks
            if picture.is_large
            and isinstance(mark, Handle)
            and mark.is_hinted
            and mark.name not in self.known
        }
        self.picture = picture.placed().with_hints(hinted).with_gaps().with_arrows()
        self._sides |= hinted
        shape = "rocviz-square" if picture.is_square else "rocviz-wide"
        set_classes(self.figure, shape, *([self._look] if self._look else []))
        self.figure.name = self.name
        self.figure.show(self.picture, theme)

    def hand(self, mark: str, event: str, index: int = 0, x: float = 0.0, y: float = 0.0) -> None:
        """Do what a hand asks for.

        Parameters
        ----------
        mark : str
            Name of the mark.
        event : {"click", "drag_start", "drag", "drag_end"}
        index : int
            Number of the point that is clicked or dragged.
        x, y : float
            Where it is dragged to.
        """
        assert self.picture is not None
        drawn = next(one for one in self.picture.marks if trait_of(one.name) == mark)
        if event == "click":
            key = drawn.keys[index] if len(drawn.keys) else index
            self.on_click[kind_of(drawn)](key)
        elif event == "drag_start":
            self.known.add(drawn.name)
            self._keys = drawn.keys  # a point keeps its key while it is dragged
        elif isinstance(drawn, Knobs):
            self.on_drag[drawn.name](self._keys[index], y)
        else:
            self.on_drag[drawn.name](x, y)
