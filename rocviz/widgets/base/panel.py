"""A picture of an explorer: its title, its room, and how it looks large and small.

Knows bqplot and ipywidgets, nothing of what a picture means.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import bqplot
import ipywidgets
import numpy as np

from rocviz.pictures.marks import (
    CLEAR,
    Band,
    Bars,
    Dots,
    Draggable,
    Line,
    Mark,
    Words,
    repeated,
)
from rocviz.pictures.picture import Picture
from rocviz.theme import DESK, Theme, get_theme
from rocviz.widgets.base.parts import (
    DRAGGED,
    Dragged,
    Handle,
    colour,
    make_widget,
    on_click,
    set_classes,
    update_mark,
)

#: A function that draws: called with state, result, and whether the picture is large.
Draw = Callable[[Any, Any, bool], Picture]


class Panel:
    """One picture: a heading that makes it the large one, and a body.

    A subclass draws a result in :meth:`draw`. It may look at :attr:`is_large`: a small picture has
    fewer ticks and fewer words, it is not shrunken.
    """

    def __init__(self, *body: ipywidgets.Widget) -> None:
        self.is_large = True
        self.heading = make_widget(
            ipywidgets.Button, "rocviz-title", tooltip="Make this the large picture"
        )
        self.body = make_widget(ipywidgets.Box, "rocviz-body", children=body)
        self.box = make_widget(ipywidgets.VBox, "rocviz-panel", children=[self.heading, self.body])

    @property
    def handles(self) -> tuple[Any, ...]:
        """Handles that can be dragged on it."""
        return ()

    def draw(self, state: Any, result: Any) -> None:
        """Show a result; compute nothing."""
        raise NotImplementedError


class HTMLPanel(Panel):
    """A picture that is words, a table or bars in HTML; a subclass returns it from `html`."""

    def __init__(self) -> None:
        self.content = make_widget(ipywidgets.HTML)
        super().__init__(self.content)

    def html(self, state: Any, result: Any) -> str:
        """Return the body."""
        raise NotImplementedError

    def draw(self, state: Any, result: Any) -> None:
        """Show a result."""
        self.content.value = self.html(state, result)


class FigurePanel(Panel):
    """A picture with axes, drawn with bqplot: only what differs from the last one is sent.

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
        self._on_drag, self._on_click = on_drag or {}, on_click or {}
        #: What is shown, and what it is shown with, by the names of its marks.
        self.picture: Picture | None = None
        self.marks: dict[str, Any] = {}
        #: The theme it is shown in, and whether it is large.
        self._shown_for: tuple[Theme, bool] | None = None
        scales = [bqplot.LinearScale(allow_padding=False) for _ in range(2)]
        axes = [
            bqplot.Axis(
                scale=scale,
                side=side,
                grid_lines="solid",
                grid_color=colour("grid"),
                color=colour("reference"),
                label_color=colour("text"),
            )
            for scale, side in zip(scales, ("bottom", "left"), strict=True)
        ]
        self.figure = make_widget(
            bqplot.Figure,
            axes=axes,
            scale_x=scales[0],
            scale_y=scales[1],
            animation_duration=0,
            display_toolbar=False,
            background_style={"fill": "transparent"},
            padding_x=0,
            padding_y=0,
            min_aspect_ratio=0.01,
            max_aspect_ratio=100.0,
        )
        self.table = make_widget(ipywidgets.HTML) if note else None
        super().__init__(self.figure, *([self.table] if self.table else ()))

    @property
    def handles(self) -> tuple[Any, ...]:
        """Handles that can be dragged on it."""
        return tuple(part for part in self.marks.values() if isinstance(part, Dragged))

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
        self._make(picture)
        hinted = {
            name: handle.side
            for name, handle in self.marks.items()
            if isinstance(handle, Handle) and handle.wants_hint and picture.is_large
        }
        picture = picture.with_hints(hinted).with_gaps()
        for name, side in hinted.items():
            self.marks[name].side = side
        look = theme, picture.is_large
        before = self.picture if look == self._shown_for else None
        self.picture, self._shown_for = picture, look
        if before is None or (before.x, before.y) != (picture.x, picture.y):
            self._show_axes(picture, theme)
        old = {mark.name: mark for mark in before.marks} if before else {}
        now = {mark.name: mark for mark in picture.marks}
        for name, part in self.marks.items():
            mark = now.get(name)
            if mark is None:
                for gone in _parts(part):
                    update_mark(gone, visible=False)
            elif isinstance(mark, Draggable) or mark != old.get(name):
                _show(mark, part, theme, 1.0 if picture.is_large else 0.8)

    def _make(self, picture: Picture) -> None:
        """Make what shows marks that were not there before, each in its place."""
        new = [mark for mark in picture.marks if mark.name not in self.marks]
        if not new:
            return
        for mark in new:
            self.marks[mark.name] = part = _make(mark, self.figure, self._on_drag)
            if act := self._on_click.get(mark.name.split(":")[0]):
                on_click(part, partial(self._clicked, mark.name, act))
        order = dict.fromkeys([*(mark.name for mark in picture.marks), *self.marks])
        self.marks = {name: self.marks[name] for name in order}
        self.figure.marks = [mark for part in self.marks.values() for mark in _parts(part)]

    def _clicked(self, name: str, act: Callable[[Any], object], index: int) -> object:
        assert self.picture is not None
        keys = self.picture[name].keys
        return act(keys[index] if keys else index)

    def _show_axes(self, picture: Picture, theme: Theme) -> None:
        large, square = picture.is_large, picture.is_square
        shape = "rocviz-square" if square else "rocviz-wide"
        set_classes(self.figure, shape, *([self._look] if self._look else []))
        size = theme.font * (1.0 if large else 0.86)
        near, far = (3.4, 0.6) if large else (1.9, 0.5)
        wide = 0.0 if large else 0.7 if square else 1.0  # numbers of four digits
        right = round((far + 0.2 + (0.0 if square else 0.8)) * size)
        margin = {
            "left": round((near + 0.2 + wide) * size) if picture.y.is_shown else right,
            "right": right,
            "bottom": round(near * size),
            "top": round((far + 0.4) * size),
        }
        update_mark(self.figure, fig_margin=margin)
        for axis, drawn, offset in zip(
            (picture.x, picture.y), self.figure.axes, (2.4, 2.7), strict=True
        ):
            low, high = axis.limits
            update_mark(drawn.scale, min=low, max=high)
            labels = axis.labels(large=large, level=axis is picture.x)
            # first the words: the front end draws again when it gets the values
            update_mark(
                drawn,
                visible=axis.is_shown,
                label=axis.label if large else "",
                label_offset=f"{offset * size:.0f}px",
                tick_labels={_key(value): text for value, text in labels.items()},
            )
            update_mark(drawn, tick_values=np.array(list(labels)))


def _parts(part: Any) -> list[bqplot.Mark]:
    return part.marks if isinstance(part, Dragged) else [part]


def _key(value: float) -> Any:
    """Return a tick's value as the front end will look it up: as JavaScript writes it."""
    value, size = float(value), abs(value)
    if value.is_integer() and size < 1e21:
        return int(value)
    if size >= 1e-4:
        return value
    return np.format_float_positional(value) if size >= 1e-6 else repr(value).replace("e-0", "e-")


def _ink(role: str) -> str:
    return role if role.startswith("#") else colour(role)


# ---------------------------------------------------------------------- one kind after the other


def _line(mark: Line, theme: Theme, shrink: float) -> dict[str, Any]:
    opaque = min(mark.opacities) == 1.0
    return {
        "opacities": [] if opaque else repeated(mark.opacities, len(np.atleast_2d(mark.y))),
        "line_style": mark.dash,
        "stroke_width": mark.width * theme.stroke / DESK.stroke * shrink,
    }


def _band(mark: Band, _theme: Theme, _shrink: float) -> dict[str, Any]:
    return {"fill_colors": [_ink(mark.role)], "fill_opacities": [mark.opacity]}


def _dots(mark: Dots, theme: Theme, shrink: float) -> dict[str, Any]:
    sized = {} if mark.sizes is None else {"size": np.asarray(mark.sizes, dtype=float)}
    return {
        **sized,
        "opacities": list(mark.opacities),
        "stroke": _ink(mark.rim or mark.role),
        "stroke_width": mark.width * theme.stroke / DESK.stroke * shrink,
        "fill": mark.role != CLEAR or bool(mark.each),
        "marker": mark.marker,
        "apply_clip": mark.clipped,
        "default_size": round(mark.size * (theme.handle / DESK.handle) ** 2 * shrink),
    }


def _bars(mark: Bars, _theme: Theme, _shrink: float) -> dict[str, Any]:
    return {"opacities": [mark.opacity], "padding": mark.gap}


def _words(mark: Words, theme: Theme, shrink: float) -> dict[str, Any]:
    return {
        "text": np.array(mark.text),
        "align": mark.align,
        "rotate_angle": -mark.angle,
        "font_weight": "bold" if mark.bold else "normal",
        "default_size": round(theme.font * mark.size * (1.0 if shrink == 1.0 else 0.86), 1),
    }


#: By the kind of a mark: what shows it, the traits that stay, and those that follow its values.
KINDS: dict[type[Mark], tuple[Any, dict[str, Any], Callable[..., dict[str, Any]]]] = {
    Line: (bqplot.Lines, {}, _line),
    Band: (bqplot.Lines, {"fill": "between", "opacities": [0.0, 0.0]}, _band),
    Dots: (bqplot.Scatter, {}, _dots),
    Bars: (bqplot.Bars, {"stroke": "transparent"}, _bars),
    Words: (bqplot.Label, {"apply_clip": False, "text": [""]}, _words),
}


def _make(mark: Mark, figure: bqplot.Figure, on_drag: Mapping[str, Any]) -> Any:
    """Make what shows a mark: one of bqplot, or something to drag."""
    if isinstance(mark, Draggable):
        return DRAGGED[type(mark)](figure, mark, on_drag[mark.name])
    kind, fixed, _ = KINDS[type(mark)]
    scales = {"x": figure.scale_x, "y": figure.scale_y}
    if getattr(mark, "sizes", None) is not None:
        scales["size"] = bqplot.LinearScale(min=0.0, max=1.0)
    return kind(x=np.zeros(2), y=np.zeros(2), scales=scales, visible=False, **fixed)


def _show(mark: Mark, part: Any, theme: Theme, shrink: float) -> None:
    """Give a part new values, and only those that differ."""
    if isinstance(mark, Draggable):
        part.show(mark, theme, shrink)
    elif mark.is_shown:
        values = {"x": mark.x, "y": mark.y, "colors": [_ink(role) for role in mark.roles]}
        update_mark(part, visible=True, **values, **KINDS[type(mark)][2](mark, theme, shrink))
    else:
        update_mark(part, visible=False)
