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

from rocviz.pictures import marks
from rocviz.theme import DESK, Theme
from rocviz.words import score_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rocviz.pictures.marks import Draggable

GRIP = 1.7  # width of what the mouse finds, as a share of what is seen


def colour(role: str) -> str:
    """Name the colour of a role as the page knows it: it follows light and dark by itself."""
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


#: What a click does, by the mark that is clicked; given the number of the point.
CLICKS: WeakKeyDictionary[bqplot.Mark, Callable[[int], object]] = WeakKeyDictionary()


def on_click(mark: bqplot.Mark, act: Callable[[int], object]) -> None:
    """Call back with the number of the point of a mark that is clicked; 0 for a line."""
    CLICKS[mark] = act
    mark.on_element_click(lambda _mark, event: act(event.get("data", {}).get("index", 0)))


def owned(root: ipywidgets.Widget) -> list[ipywidgets.Widget]:
    """Return a widget and every widget it reaches through its synced traits, held ones first."""
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


class Dragged:
    """Something to drag that stays where the state says it is.

    Its first marks are seen and follow the state; the last one is invisible and follows the mouse.
    The kernel never moves that one while it is being dragged (it would fight the cursor) and puts
    it back when it is let go. "drag" stands beside it until it has been dragged once.
    """

    #: What is seen, and all marks in drawing order.
    seen: Any
    marks: list[bqplot.Mark]

    def __init__(
        self, figure: bqplot.Figure, mark: Draggable, on_move: Callable[..., None]
    ) -> None:
        self._figure = figure
        self.hit_area = self._dots(
            "transparent",
            enable_move=True,
            update_on_move=False,
            drag_size=1.0,
            restrict_x=mark.along == "x",
            restrict_y=mark.along == "y",
        )
        self.hint = self._label(f"{mark.role}-text", font_weight="normal", text=["drag"])
        #: Where "drag" stands; the picture knows where nothing else is.
        self.side = "right"
        self.dragged = False
        self.wants_hint = mark.is_hinted
        self._move = Throttle(on_move)
        self.hit_area.on_drag_start(self._start)
        self.hit_area.on_drag(self._drag)
        self.hit_area.on_drag_end(self._end)
        self.hit_area.observe(self._put_back, names=["x", "y"])

    def _mark(self, kind: Any, **traits: Any) -> Any:
        scales = {"x": self._figure.scale_x, "y": self._figure.scale_y}
        at = {"x": np.array([0.5]), "y": np.array([0.5])}
        return kind(**at, scales=scales, apply_clip=False, **traits)

    def _dots(self, role: str, rim: str = "transparent", **traits: Any) -> Any:
        return self._mark(bqplot.Scatter, colors=[colour(role)], stroke=colour(rim), **traits)

    def _label(self, role: str, **traits: Any) -> Any:
        looks = {"colors": [colour(role)], "align": "middle", "visible": False}
        return self._mark(bqplot.Label, **looks, **traits)

    def _show_hint(self, mark: Draggable, theme: Theme, shrink: float) -> None:
        wanted = mark.hint is not None and self.wants_hint
        update_mark(self.hint, visible=wanted)
        if mark.hint is not None:
            (x, y), size = mark.hint, theme.font * (1.0 if shrink == 1.0 else 0.86)
            update_mark(self.hint, x=np.array([x]), y=np.array([y]), default_size=round(size, 1))

    def _put_back(self, _change: Any = None) -> None:
        if not self.dragged:
            update_mark(self.hit_area, x=self.seen.x, y=self.seen.y)

    def _start(self, _mark: Any, _event: Any) -> None:
        self.dragged, self.wants_hint = True, False
        update_mark(self.hint, visible=False)

    def _drag(self, _mark: Any, event: dict[str, Any]) -> None:
        self._move(event["point"]["x"], event["point"]["y"])

    def _end(self, mark: Any, event: dict[str, Any]) -> None:
        self._drag(mark, event)
        self._move.flush()
        self.dragged = False
        self._put_back()

    def close(self) -> None:
        """Forget any move that is waiting."""
        self._move.cancel()


class Handle(Dragged):
    """A round thing to drag; a value outside of the picture is an arrow at its edge."""

    def __init__(
        self, figure: bqplot.Figure, mark: Draggable, on_move: Callable[..., None]
    ) -> None:
        super().__init__(figure, mark, on_move)
        self.seen = self._dots(mark.role, "paper")
        self.arrow = self._label(f"{mark.role}-text", font_weight="bold", text=["◀"])
        self.marks = [self.hint, self.seen, self.arrow, self.hit_area]

    def show(self, mark: Any, theme: Theme, shrink: float) -> None:
        """Show the handle at a point of the picture, or an arrow where that is outside."""
        if not mark.is_shown:
            for part in self.marks:
                update_mark(part, visible=False)
            return
        scales = self._figure.scale_x, self._figure.scale_y
        inside, arrow = mark.inside(*((scale.min, scale.max) for scale in scales))
        size = np.pi / 4 * theme.handle**2 * shrink
        stroke = 2.5 * theme.stroke / DESK.stroke * shrink
        at = {"x": inside[:1], "y": inside[1:]}
        shown = {"visible": not arrow, "default_size": round(size)}
        update_mark(self.seen, **at, stroke_width=stroke, **shown)
        update_mark(self.hit_area, visible=True, default_size=round(size * GRIP**2))
        update_mark(self.arrow, visible=bool(arrow))
        if arrow:
            # inside of the picture, not on the numbers beside it
            looks = {"y_offset": {"▲": 6, "▼": -6}.get(arrow, 0), "align": marks.ARROW_ALIGN[arrow]}
            update_mark(self.arrow, **at, text=np.array([arrow]), default_size=theme.font, **looks)
        self._show_hint(mark, theme, shrink)
        self._put_back()


class Knobs(Dragged):
    """One knob for each of many points; those that the mouse finds keep their keys in a drag."""

    def __init__(
        self, figure: bqplot.Figure, mark: Draggable, on_move: Callable[..., None]
    ) -> None:
        super().__init__(figure, mark, on_move)
        self.hint.align = "end"
        self.seen, self.chosen = (self._dots(mark.role, "paper") for _ in range(2))
        self.marks = [self.hint, self.seen, self.chosen, self.hit_area]
        self.keys: Any = ()

    def show(self, mark: Any, theme: Theme, shrink: float) -> None:
        """Show a knob at each point."""
        grow = (theme.handle / DESK.handle) ** 2 * shrink
        chosen = slice(mark.chosen, mark.chosen + 1 if mark.is_shown and mark.chosen >= 0 else 0)
        for part, some, size in ((self.seen, slice(None), 110), (self.chosen, chosen, 230)):
            at = np.asarray(mark.x)[some], np.asarray(mark.y)[some]
            update_mark(part, visible=bool(at[0].size), default_size=round(size * grow))
            if at[0].size:
                update_mark(part, x=at[0], y=at[1])
        grip = round(1.4 * DESK.handle**2 * grow)
        update_mark(self.hit_area, visible=mark.is_shown, default_size=grip)
        self._show_hint(mark, theme, shrink)
        if mark.is_shown and not self.dragged:
            self.keys = mark.keys
            self._put_back()

    def _drag(self, _mark: Any, event: dict[str, Any]) -> None:
        self._move(self.keys[event["index"]], event["point"]["y"])


#: What shows each kind of mark that can be dragged.
DRAGGED: dict[type[Draggable], type[Any]] = {marks.Handle: Handle, marks.Knobs: Knobs}


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
