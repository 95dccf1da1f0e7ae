"""Parts of pictures: lines, labels, things to drag.

Knows bqplot and ipywidgets, nothing of what a picture means.
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import bqplot
import ipywidgets
import numpy as np

from rocviz.theme import Theme
from rocviz.words import score_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

DESK = Theme()  # sizes are built for a desk; `enlarge` makes them fit another theme


def colour(role: str) -> str:
    """Return the colour of a role as the page knows it: it follows light and dark by itself."""
    return role if role == "transparent" else f"var(--rocviz-{role})"


def update_mark(mark: bqplot.Mark, **values: Any) -> None:
    """Give a mark new values in one message, and only where they differ."""
    new = {
        name: bool(value) if isinstance(value, np.bool_) else value
        for name, value in values.items()
        if not np.array_equal(getattr(mark, name), value)
    }
    if new:
        with mark.hold_sync():
            for name, value in new.items():
                setattr(mark, name, value)


_shared: ContextVar[dict[str, ipywidgets.Widget] | None] = ContextVar("shared", default=None)


@contextmanager
def shared_looks(shared: dict[str, ipywidgets.Widget]) -> Iterator[None]:
    """Within this block, widgets share models of their looks, kept in ``shared``.

    Each model is a message to the page, and a server lets only so many through in a second.
    """
    token = _shared.set(shared)
    try:
        yield
    finally:
        _shared.reset(token)


def make_widget(kind: Any, *classes: str, **traits: Any) -> Any:
    """Return a widget with classes of the style sheet, which says how it looks."""
    shared = _shared.get()
    for name in ("layout", "style"):
        trait = kind.class_traits().get(name)
        if trait is None or name in traits or shared is None:
            continue
        looks = trait.klass
        if looks.__name__ not in shared:
            shared[looks.__name__] = looks()
        traits[name] = shared[looks.__name__]
    return kind(_dom_classes=classes, **traits)


def set_classes(widget: ipywidgets.Widget, *classes: str) -> None:
    """Give a widget these classes of the style sheet and no others, in one message."""
    if widget._dom_classes != classes:
        widget._dom_classes = classes


def line(fig: bqplot.Figure, role: str, **looks: Any) -> bqplot.Lines:
    """Return a line on a figure in the colour of a role; `update_mark` gives it ``x`` and ``y``."""
    return bqplot.Lines(
        x=np.array([0.0, 0.0]),
        y=np.array([0.0, 0.0]),
        scales={"x": fig.scale_x, "y": fig.scale_y},
        colors=[colour(role)],
        stroke_width=looks.pop("stroke_width", DESK.stroke),
        **looks,
    )


def label(fig: bqplot.Figure, role: str, **kwargs: Any) -> bqplot.Label:
    """Return a mark that writes words on a figure in the colour of a role."""
    return bqplot.Label(
        scales={"x": fig.scale_x, "y": fig.scale_y},
        colors=[colour(role)],
        font_weight=kwargs.pop("font_weight", "bold"),
        **kwargs,
    )


def dots(
    fig: bqplot.Figure, role: str, *, fill: str | None = None, sized: bool = False, **looks: Any
) -> Any:
    """Return dots on a figure in the colour of a role, filled in that of another.

    With ``sized`` each has its own ``size``, the share of the default size.
    """
    scales = {"x": fig.scale_x, "y": fig.scale_y}
    if sized:
        scales["size"] = bqplot.LinearScale(min=0.0, max=1.0)
        looks["size"] = [1.0]
    return bqplot.Scatter(
        x=np.array([0.0]),
        y=np.array([0.0]),
        scales=scales,
        colors=[colour(fill or role)],
        stroke=colour(role),
        fill=fill != "transparent",
        apply_clip=False,
        **looks,
    )


def diagonal(fig: bqplot.Figure) -> bqplot.Lines:
    """Return the dotted line on which both coordinates are the same, from 0 to 1."""
    drawn = line(fig, "reference", line_style="dotted", stroke_width=1.5)
    drawn.x = drawn.y = np.array([0.0, 1.0])
    return drawn


def ring(fig: bqplot.Figure, role: str) -> Any:
    """Return a large circle around a point, in the colour of a role."""
    return dots(fig, role, fill="transparent", stroke_width=3.0, default_size=260)


def invisible_dots(fig: bqplot.Figure, **looks: Any) -> Any:
    """Return dots that cannot be seen and can be dragged."""
    return dots(fig, "transparent", enable_move=True, update_on_move=False, drag_size=1.0, **looks)


#: What a click does, by the mark that is clicked; given the number of the point.
CLICKS: WeakKeyDictionary[bqplot.Mark, Callable[[int], object]] = WeakKeyDictionary()


def on_click(mark: bqplot.Mark, act: Callable[[int], object]) -> None:
    """Call back with the number of the point of a mark that is clicked; 0 for a line."""
    CLICKS[mark] = act
    mark.on_element_click(lambda _mark, event: act(event.get("data", {}).get("index", 0)))


def show(mark: bqplot.Mark, shown: bool) -> None:
    """Show a mark or hide it."""
    if mark.visible != bool(shown):
        mark.visible = bool(shown)


def marks_of(part: Any) -> list[bqplot.Mark]:
    """Return the marks of a part of a picture, or of a collection of such, in drawing order."""
    if isinstance(part, bqplot.Mark):
        return [part]
    if isinstance(part, dict | list):
        each = part.values() if isinstance(part, dict) else part
        return [mark for one in each for mark in marks_of(one)]
    return [] if isinstance(part, ipywidgets.Widget) else list(getattr(part, "marks", ()))


def owned(root: ipywidgets.Widget) -> list[ipywidgets.Widget]:
    """Return a widget and every widget it reaches through its synced traits, held ones first."""
    found: list[ipywidgets.Widget] = []
    seen: set[str] = set()

    def visit(value: Any) -> None:
        if isinstance(value, ipywidgets.Widget):
            if value.comm is None or value.model_id in seen:
                return
            seen.add(value.model_id)
            for name in value.keys:
                visit(getattr(value, name, None))
            found.append(value)
        elif isinstance(value, dict):
            for part in value.values():
                visit(part)
        elif isinstance(value, list | tuple):
            for part in value:
                visit(part)

    visit(root)
    return found


class Words:
    """Short lines of words on a figure, each in a colour, at places of their own."""

    def __init__(self, fig: bqplot.Figure, align: str = "start", **looks: Any) -> None:
        self.mark = label(fig, "text", text=[""], align=align, apply_clip=False, **looks)
        self.marks = [self.mark]

    def write(self, rows: Sequence[tuple[float, float, str, str]]) -> None:
        """Show rows of (x, y, text, role)."""
        rows = rows or [(0.0, 0.0, "", "text")]
        update_mark(
            self.mark,
            x=np.array([row[0] for row in rows]),
            y=np.array([row[1] for row in rows]),
            text=np.array([row[2] for row in rows]),
            colors=[colour(row[3]) for row in rows],
        )


class Throttle:
    """Call back with the newest arguments; whatever came before them is dropped.

    A mouse can send moves faster than a picture is drawn. The first move is handled at once;
    moves that arrive while the loop is behind replace one another, so a drag never queues up.
    """

    def __init__(self, callback: Callable[..., None], wait: float = 0.03) -> None:
        self._callback = callback
        self._wait = wait
        self._arguments: tuple[Any, ...] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def __call__(self, *arguments: Any) -> None:
        """Handle these arguments now or, right after others, as soon as their time is up."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._callback(*arguments)
            return
        self._arguments = arguments
        if self._timer is None:
            self.flush()
            self._timer = loop.call_later(self._wait, self._wake)

    def _wake(self) -> None:
        self._timer = None
        if self._arguments is not None:
            self(*self._arguments)

    def flush(self) -> None:
        """Handle what is waiting, now."""
        if self._arguments is not None:
            arguments, self._arguments = self._arguments, None
            self._callback(*arguments)

    def cancel(self) -> None:
        """Forget what is waiting."""
        self._arguments = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Handle:
    """A round knob to drag that stays where the state says it is.

    Two marks: the one that is seen follows the state, its invisible hit area follows the mouse.
    The kernel never moves the hit area while it is being dragged (it would fight the cursor)
    and puts it back under the seen one when it is let go. "drag" stands beside it until it has
    been dragged once. A value outside of the picture is an arrow at its edge.
    """

    def __init__(
        self,
        fig: bqplot.Figure,
        on_move: Callable[[float, float], None],
        *,
        restrict_x: bool = False,
        restrict_y: bool = False,
        role: str = "held",
        hint: bool = True,
    ) -> None:
        self._figure = fig
        self.seen = dots(fig, "paper", fill=role, stroke_width=2.5)
        self.hit_area = invisible_dots(fig, restrict_x=restrict_x, restrict_y=restrict_y)
        looks: dict[str, Any] = {"x": [0.5], "y": [0.5], "apply_clip": False}
        self.hint = label(
            fig,
            f"{role}-text",
            **looks,
            text=["drag"] if hint else [""],
            font_weight="normal",
            align="middle",
            visible=hint,
        )
        self.arrow = label(fig, f"{role}-text", **looks, text=["◀"], align="middle", visible=False)
        #: Where "drag" stands; the picture knows where nothing else is.
        self.side = "right"
        self.dragged = False
        self.wants_hint = hint
        self._move = Throttle(on_move)
        self.hit_area.on_drag_start(self._start)
        self.hit_area.on_drag(self._drag)
        self.hit_area.on_drag_end(self._end)
        self.hit_area.observe(self._put_back, names=["x", "y"])
        for mark, grow in ((self.seen, 1.0), (self.hit_area, 1.7)):
            mark.default_size = round(np.pi / 4 * (grow * DESK.handle) ** 2)

    @property
    def marks(self) -> list[bqplot.Mark]:
        """All marks, in drawing order."""
        return [self.hint, self.seen, self.arrow, self.hit_area]

    def place(self, x: float, y: float) -> None:
        """Show the handle at a point of the picture, or an arrow where that is outside."""
        held = np.array([x, y], dtype=float)
        low, high = (
            np.array([getattr(self._figure.scale_x, end), getattr(self._figure.scale_y, end)])
            for end in ("min", "max")
        )
        inside = np.clip(held, low, high)
        away = held - inside
        show(self.seen, not away.any())
        show(self.arrow, bool(away.any()))
        update_mark(self.seen, x=inside[:1], y=inside[1:])
        if away.any():
            across = abs(away[0]) / (high[0] - low[0]) >= abs(away[1]) / (high[1] - low[1])
            ways = "◀▶" if across else "▼▲"
            sign = away[0] if across else away[1]
            way = ways[int(sign > 0)]
            # inside of the picture, not on the numbers beside it
            down = {"▲": 6, "▼": -6}.get(way, 0)
            update_mark(self.arrow, x=inside[:1], y=inside[1:], text=np.array([way]), y_offset=down)
            align = {"◀": "start", "▶": "end"}.get(way, "middle")
            if self.arrow.align != align:
                self.arrow.align = align
        self._put_back()

    def _put_back(self, _change: Any = None) -> None:
        if not self.dragged:
            update_mark(self.hit_area, x=self.seen.x, y=self.seen.y)

    def _start(self, _mark: Any, _event: Any) -> None:
        self.dragged = True
        self.wants_hint = False
        self.show_hint(False)

    def show_hint(self, on: bool) -> None:
        """Let "drag" stand beside the handle, unless that is known by now."""
        on = on and self.wants_hint
        if self.hint.visible != on:
            self.hint.visible = on

    def _drag(self, _mark: Any, event: dict[str, Any]) -> None:
        self._move(event["point"]["x"], event["point"]["y"])

    def _end(self, _mark: Any, event: dict[str, Any]) -> None:
        self._move(event["point"]["x"], event["point"]["y"])
        self._move.flush()
        self.dragged = False
        self._put_back()

    def close(self) -> None:
        """Forget any move that is waiting."""
        self._move.cancel()


def tables_html(explorer: Any, digits: int, rows: int) -> str:
    """Return the first rows of an explorer's tables, each below its heading."""
    write, written = partial(score_text, digits=digits), []
    for heading, frame in explorer.tables().items():
        shown = frame.head(rows)
        if shown.index.nlevels == 1:  # its name in the row of the others, not in one of its own
            shown = shown.rename_axis(index=None, columns=shown.index.name)
        table = shown.to_html(border=0, float_format=write, na_rep="–")
        written.append(f"<p>{escape(heading)}</p>" * bool(heading))
        written.append(table.replace("<th></th>", "<td></td>"))  # a heading of nothing is none
    return "".join(written)
