"""A picture of an explorer: its title, its room, and how it looks large and small.

Knows bqplot and ipywidgets, nothing of what a picture means.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import floor, log10
from typing import Any

import bqplot
import ipywidgets
import numpy as np
from numpy.typing import NDArray

from rocviz.theme import Theme
from rocviz.widgets.base.parts import DESK, Handle, colour, make_widget, marks_of, update_mark
from rocviz.widgets.base.room import FAR, LETTER, ROW, Gaps, Room, word_boxes

Floats = NDArray[np.float64]

SIDE = 240.0  # pixels of a picture's side, at least
ENDS, INNER = 7, 12  # letters of numbers that have room at the ends of an axis, and within
#: Where "drag" may stand beside a handle.
SIDES = {"right": (0.12, 0.0), "left": (-0.12, 0.0), "above": (0.0, 0.09), "below": (0.0, -0.09)}

UNIT_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


class Panel:
    """One picture: a heading that makes it the large one, and a body.

    A subclass builds its body in ``__init__`` and draws a result in :meth:`draw`. It may look
    at :attr:`is_large`: a small picture has fewer ticks and fewer words, it is not shrunken.
    """

    #: Handles that can be dragged on it.
    handles: tuple[Handle, ...] = ()

    def __init__(self, *body: ipywidgets.Widget) -> None:
        self.is_large = True
        self.heading = make_widget(
            ipywidgets.Button, "rocviz-title", tooltip="Make this the large picture"
        )
        self.body = make_widget(ipywidgets.Box, "rocviz-body", children=body)
        self.box = make_widget(ipywidgets.VBox, "rocviz-panel", children=[self.heading, self.body])

    def draw(self, state: Any, result: Any) -> None:
        """Show a result; compute nothing."""
        raise NotImplementedError

    def fit(self, theme: Theme) -> None:
        """Take the sizes that a theme asks for, in the room there is."""

    def settle(self) -> None:
        """Put each thing that gives way to others into its place, once all is drawn."""


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
    """A picture with axes.

    Parameters
    ----------
    x_label, y_label : str
        Written when it is large.
    x_range, y_range : (float, float)
        What the axes show.
    x_ticks, y_ticks : sequence of float, or mapping of float to str, optional
        When it is large; every second one when it is small. None leaves them to bqplot.
    square : bool, default=True
        One unit of each axis of the same length; else the figure fills its room.
    pad : float, default=0.04
        Room around the ranges, as a share of them, so that data at the border is not cut.
    beside : sequence of Widget, default=()
        Words beside the figure; under it when it is large.
    """

    def __init__(
        self,
        x_label: str,
        y_label: str,
        *,
        x_range: tuple[float, float] = (0.0, 1.0),
        y_range: tuple[float, float] = (0.0, 1.0),
        x_ticks: Sequence[float] | Mapping[float, str] | None = UNIT_TICKS,
        y_ticks: Sequence[float] | Mapping[float, str] | None = UNIT_TICKS,
        square: bool = True,
        pad: float = 0.04,
        beside: Sequence[ipywidgets.Widget] = (),
    ) -> None:
        self._labels = (x_label, y_label)
        self._ticks: list[Any] = [x_ticks, y_ticks]
        self._pad, self._gaps = pad, Gaps()
        #: Whether one unit of each axis has the same length.
        self.is_square = square
        scales = [bqplot.LinearScale(allow_padding=False) for _ in range(2)]
        axes = [
            bqplot.Axis(
                scale=scale,
                side=side,
                grid_lines="solid",
                grid_color=colour("grid"),
                color=colour("reference"),
                label_color=colour("text"),
                tick_format="~g",
                num_ticks=5,
            )
            for scale, side in zip(scales, ("bottom", "left"), strict=True)
        ]
        axes[1].orientation = "vertical"
        self.figure = make_widget(
            bqplot.Figure,
            "rocviz-square" if square else "rocviz-wide",
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
        self.set_range(0, *x_range)
        self.set_range(1, *y_range)
        super().__init__(self.figure, *beside)
        if beside:
            self.body.add_class("with-note")
        self._show_axes()

    #: Lines that only help, and are left out where words stand.
    yielding: tuple[bqplot.Lines, ...] = ()

    def add_marks(self) -> None:
        """Put all that a subclass has made on the figure, in that order; handles can be dragged."""
        self.figure.marks = marks_of(vars(self))
        self.handles = tuple(part for part in vars(self).values() if hasattr(part, "show_hint"))

    @property
    def scales(self) -> dict[str, bqplot.Scale]:
        """Of marks on it."""
        return {"x": self.figure.scale_x, "y": self.figure.scale_y}

    def set_range(self, axis: int, low: float, high: float) -> None:
        """Show from low to high, and a little around it, on an axis (0: x, 1: y)."""
        scale = (self.figure.scale_x, self.figure.scale_y)[axis]
        room = self._pad * (high - low)
        for name, value in (("min", low - room), ("max", high + room)):
            if getattr(scale, name) != value:
                setattr(scale, name, value)

    def set_ticks(self, axis: int, ticks: Any) -> None:
        """Put ticks on an axis (0: x, 1: y): numbers, or a mapping of numbers to words."""
        self._ticks[axis] = ticks
        self._show_ticks(axis)

    def set_label(self, axis: int, text: str) -> None:
        """Name an axis (0: x, 1: y)."""
        labels = list(self._labels)
        labels[axis] = text
        self._labels = (labels[0], labels[1])
        self._show_axes()

    def _show_ticks(self, axis: int) -> None:
        ticks, drawn = self._ticks[axis], self.figure.axes[axis]
        if ticks is None:
            drawn.num_ticks = 5 if self.is_large else 3
            return
        at = np.asarray(list(ticks), dtype=float)
        named = isinstance(ticks, Mapping)
        words = dict(ticks) if named else dict(zip(at, tick_texts(at), strict=True))
        if not self.is_large and at.size > 3:
            at = at[:: 2 if at.size < 7 else 3]
        longest = max((len(text) for text in words.values()), default=0)
        if axis == 0 and not named and longest > ENDS and at.size > 2:
            # long numbers would be cut at the ends, and touch each other
            at = at[1:-1] if longest <= INNER else at[at.size // 2][None]
        labels = {_key(value): words[value] for value in at}
        # first the words: the front end draws anew when it gets the values
        if drawn.tick_labels != labels:
            drawn.tick_labels = labels
        if not np.array_equal(drawn.tick_values, at):
            drawn.tick_values = at

    def _show_axes(self) -> None:
        for axis, drawn in enumerate(self.figure.axes):
            wanted = self._labels[axis] if self.is_large else ""
            if drawn.label != wanted:
                drawn.label = wanted
            self._show_ticks(axis)

    def fit(self, theme: Theme) -> None:
        """Take the sizes that a theme asks for, in the room there is."""
        for handle in self.handles:
            handle.show_hint(self.is_large)
        size = theme.font * (1.0 if self.is_large else 0.86)
        near, far = (3.4, 0.6) if self.is_large else (1.9, 0.5)
        wide = 0.0 if self.is_large else 0.7 if self.is_square else 1.0  # numbers of four digits
        margin = {
            "left": round((near + 0.2 + wide) * size),
            "right": round((far + 0.2 + (0.0 if self.is_square else 0.8)) * size),
            "bottom": round(near * size),
            "top": round((far + 0.4) * size),
        }
        if self.figure.fig_margin != margin:
            self.figure.fig_margin = margin
        for axis, offset in zip(self.figure.axes, (2.4, 2.7), strict=True):
            if axis.label_offset != f"{offset * size:.0f}px":
                axis.label_offset = f"{offset * size:.0f}px"
        self._show_axes()
        shrink = 1.0 if self.is_large else 0.8
        for mark in self.figure.marks:
            enlarge(mark, theme, shrink)

    @property
    def _grow(self) -> float:
        return 1.0 if self.is_large else 2.0  # words of a small picture take more of it

    def settle(self) -> None:
        """Put "drag" beside each handle where nothing else is; let lines give way to words."""
        self._place_hints()
        low, high = (
            np.array([getattr(scale, end) for scale in self.scales.values()])
            for end in ("min", "max")
        )
        sizes = self._grow * LETTER, self._grow * ROW
        boxes = word_boxes(self.figure.marks, low, high - low, *sizes)
        for mark in self.yielding:
            if mark.visible:
                self._gaps.cut(mark, boxes, low, high - low)

    def _place_hints(self) -> None:
        for handle in self.handles:
            if isinstance(handle, Handle) and handle.hint.visible:
                (x,), (y,) = handle.seen.x, handle.seen.y
                room = self._room(set(handle.marks))
                room.take_dots([x], [y], 0.035)  # the handle itself
                # a word that stays at its side is easier to follow
                for ways, far in (([handle.side], 0.03), (SIDES, 0.05), (SIDES, FAR)):
                    spots = np.array([x, y]) + np.array([SIDES[way] for way in ways]) * room._span
                    if at := room.place(" drag ", *spots.T, far=far):
                        away = np.abs((spots - at) / room._span).sum(axis=1)
                        handle.side = list(ways)[int(away.argmin())]
                        break
                spot = at or (x, y)
                update_mark(handle.hint, x=[spot[0]], y=[spot[1]], text=["drag" if at else ""])

    def _room(self, left_out: set[bqplot.Mark], share: float = 1.0) -> Room:
        """Return the room that all marks but some leave."""
        x, y = self.figure.scale_x, self.figure.scale_y
        room = Room((x.min, x.max), (y.min, y.max), share, self._grow)
        for mark in self.figure.marks:
            if mark in left_out or not mark.visible or not len(mark.x):
                continue
            if isinstance(mark, bqplot.Label):
                room.take_words(mark)
            elif isinstance(mark, bqplot.Lines):
                if not mark.opacities or any(mark.opacities):
                    lines = np.broadcast_arrays(*map(np.atleast_2d, (mark.x, mark.y)))
                    for across, up in zip(*lines, strict=True):
                        room.take(across, up)
            elif isinstance(mark, bqplot.Bars):
                room.take(np.repeat(mark.x, 2), np.outer(mark.y, [0, 1]).ravel(), spare=True)
            elif mark.colors != ["transparent"] or mark.stroke != "transparent":
                size = mark.default_size * (1.0 if mark.size is None else mark.size)
                room.take_dots(mark.x, mark.y, np.sqrt(size / np.pi) / SIDE)
        return room


def _key(value: float) -> Any:
    """Return a tick's value as the front end will look it up: as JavaScript writes it."""
    value, size = float(value), abs(value)
    if value.is_integer() and size < 1e21:
        return int(value)
    if size >= 1e-4:
        return value
    return np.format_float_positional(value) if size >= 1e-6 else repr(value).replace("e-0", "e-")


def tick_text(value: float, digits: int = 6) -> str:
    """Return a number as it stands at a tick: short, without a zero before the point."""
    text = f"{value:.{digits}g}".replace("-", "−").replace("e+", "e")
    return text.replace("0.", ".", 1) if text.lstrip("−").startswith("0.") else text


def tick_texts(values: Iterable[float]) -> list[str]:
    """Return numbers as they stand at ticks, with so many digits that no two read alike."""
    at = list(values)
    is_far = any("e" in tick_text(value) for value in at)
    every = (3,) * is_far + (6, 9, 12, 17)
    written = ([tick_text(value, digits) for value in at] for digits in every)
    return next((texts for texts in written if len(set(texts)) == len(set(at))), [])


def rounded(ticks: Floats) -> Floats:
    """Return ticks without what rounding added, however large or small they are."""
    most = float(np.abs(ticks).max())
    digits = 9 - floor(log10(most)) if most else 9
    return np.array([round(float(value), digits) for value in ticks])


def round_ticks(low: float, high: float) -> Floats:
    """Return a few round numbers inside the limits."""
    from matplotlib.ticker import MaxNLocator

    ticks = rounded(MaxNLocator(5, steps=[1, 2, 5, 10]).tick_values(low, high))
    least = 1e-9 * (high - low)
    return ticks[(ticks >= low - least) & (ticks <= high + least)]


def spread(at: Floats, gap: float, low: float, high: float) -> Floats:
    """Return places in the order of ``at``, ``gap`` apart, inside the limits."""
    order = np.argsort(at, kind="stable")
    places = at[order].copy()
    for k in range(1, places.size):
        places[k] = max(places[k], places[k - 1] + gap)
    places -= (places - at[order]).max() / 2
    places -= max(0.0, places[-1] + gap / 2 - high)
    places += max(0.0, low + gap / 2 - places[0])
    back = np.empty_like(places)
    back[order] = places
    return back


def enlarge(mark: bqplot.Mark, theme: Theme, shrink: float = 1.0) -> None:
    """Give a mark the strokes and the type that a theme asks for."""
    if isinstance(mark, bqplot.Label):
        size = round(theme.font * (1.0 if shrink == 1.0 else 0.86), 1)
        if mark.default_size != size:
            mark.default_size = size
    elif isinstance(mark, bqplot.Lines | bqplot.Scatter):
        names = [n for n in ("stroke_width", "default_size") if mark.has_trait(n)]
        plain = vars(mark).setdefault("_plain", {n: getattr(mark, n) for n in names})
        for name, value in plain.items():
            if name == "stroke_width":
                wanted = value * theme.stroke / DESK.stroke * shrink
            else:
                wanted = round(value * (theme.handle / DESK.handle) ** 2 * shrink)
            if getattr(mark, name) != wanted:
                setattr(mark, name, wanted)
