"""A picture of an explorer: its description for the page, and the actions on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import is_
from typing import Any

from rocviz.pictures import Axis, Draggable, Found, Handle, Knobs, Mark, Picture
from rocviz.theme import DESK, Theme

#: A function that draws: called with state, result, and whether the picture is large.
Draw = Callable[[Any, Any, bool], Picture]


def of_scene(scene: Callable[[Any, Any], Any]) -> Callable[[Callable[[Any, bool], Picture]], Draw]:
    """Turn functions that draw a scene into functions of state and result."""

    def drawer(picture: Callable[[Any, bool], Picture]) -> Draw:
        return lambda state, result, is_large: picture(scene(state, result), is_large)

    return drawer


class Panel:
    """One picture, below a heading that enlarges it.

    Parameters
    ----------
    picture : callable
        Called with state, result, and whether it is large; returns a :class:`.Picture`. A small one
        has fewer ticks and words instead of being scaled down.
    drags : mapping of str to (str, callable), optional
        By the name of a handle, the control that it moves, whose states are sent ahead over a slow
        connection, and the function called with the point that it is dragged to.
    on_click : mapping of str to callable, optional
        By the name of a mark up to its colon, the function called with the key of the point that is
        clicked, or its number, which is 0 for a line.
    note : callable, optional
        Returns HTML that stands beside the figure, under it when it is large; called as
        ``picture`` is.
    caption : callable, optional
        Returns the line that stands in place of the note in a file; called with the result.
    parts : sequence of str, default=()
        Attributes of the result on which alone the picture depends, without handles: it is drawn
        again only where one of them is another object. By default it is drawn for each result.
    """

    #: The panel's name, and whether it is the large one.
    name, is_large = "", True
    #: The picture shown.
    picture: Picture | None = None

    def __init__(
        self,
        picture: Draw,
        *,
        drags: Mapping[str, tuple[str, Callable[..., None]]] | None = None,
        on_click: Mapping[str, Callable[[Any], object]] | None = None,
        note: Callable[[Any, Any, bool], str] | None = None,
        caption: Callable[[Any], str] | None = None,
        parts: Sequence[str] = (),
    ) -> None:
        self._draw, self._note, self.caption = picture, note, caption
        self._parts = parts
        self.drags, self.on_click = drags or {}, on_click or {}
        #: Handles that have been dragged once, and so need no hint.
        self.known: set[str] = set()
        self._keys: Any = ()
        self._result: Any = None
        self._made: dict[Any, tuple[dict[str, Any], Picture | None]] = {}
        #: The side of each handle on which "drag" stood last.
        self._sides: dict[str, str] = {}
        #: The last picture, large and small, before and after its words are placed, and the parts
        #: of the result in it.
        self._drawn: dict[bool, tuple[Picture, Picture, list[Any]]] = {}
        self._found = {True: Found(), False: Found()}
        self._frame: tuple[Any, dict[str, Any]] = (None, {})

    @property
    def handles(self) -> list[Draggable]:
        """The handles that can be dragged now."""
        marks = self.picture.marks if self.picture else ()
        return [mark for mark in marks if isinstance(mark, Draggable)]

    def shown(self, state: Any, result: Any, theme: Theme) -> dict[str, Any]:
        """Describe the picture of a result by the page's names, once for each result and size."""
        if self._result is not result:
            self._result, self._made = result, {}
        size = self.is_large, theme
        if size not in self._made:
            self._made[size] = self._values(state, result, theme), self.picture
        values, self.picture = self._made[size]
        return values

    def forget(self) -> None:
        """Clear the cache, so that the same result is drawn again."""
        self._result = None

    def hand(self, mark: str, event: str, index: int = 0, x: float = 0.0, y: float = 0.0) -> None:
        """Handle the user's action on the picture.

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
        drawn = self.picture[mark]
        if event == "click":
            key = drawn.keys[index] if len(drawn.keys) else index
            self.on_click[kind_of(drawn)](key)
        elif event == "drag_start":
            self.known.add(mark)
            self._keys = drawn.keys  # a point keeps its key while it is dragged
        else:
            self.drags[mark][1](self._keys[index] if isinstance(drawn, Knobs) else x, y)

    def _values(self, state: Any, result: Any, theme: Theme) -> dict[str, Any]:
        name, size = self.name, self.is_large
        parts = [getattr(result, part) for part in self._parts]
        before, picture, seen = self._drawn.get(size, (None, None, []))
        if picture is None or not parts or not all(map(is_, parts, seen)):
            drawn = self._draw(state, result, size).like(before)
            picture = self._placed(drawn, self._found[size])
            self._drawn[size] = drawn, picture, parts
        self.picture = picture
        values: dict[str, Any] = {f"mark {name} {mark.name}": mark for mark in picture.marks}
        values[f"figure {name}"] = self._framed(picture, theme)
        if self._note:
            values[f"html {name}"] = self._note(state, result, size)
        return values

    def _placed(self, picture: Picture, found: Found) -> Picture:
        """Place the words, and "drag" beside handles not used before."""
        hinted = {
            mark.name: self._sides.get(mark.name, "right")
            for mark in picture.marks
            if picture.is_large
            and isinstance(mark, Handle)
            and mark.is_hinted
            and mark.name not in self.known
        }
        placed = picture.placed(found).with_hints(hinted, found)
        self._sides |= hinted
        return placed.with_arrows()

    def _framed(self, picture: Picture, theme: Theme) -> dict[str, Any]:
        """Describe axes, frame and order of the marks."""
        order = [mark.name for mark in picture.marks]
        frame = picture.x, picture.y, picture.is_large, picture.is_square, theme, order
        if frame != self._frame[0]:
            size = theme.font * (1.0 if picture.is_large else 0.86)
            axes = [
                _axis(picture.x, 2.4 * size, large=picture.is_large, level=True),
                _axis(picture.y, 2.7 * size, large=picture.is_large, level=False),
            ]
            look = {
                "font": theme.font,
                "stroke": theme.stroke / DESK.stroke,
                "handle": theme.handle / DESK.handle,
                "shrink": 1.0 if picture.is_large else 0.8,
                "margin": _margin(picture, size),
                "shape": "rocviz-square" if picture.is_square else "rocviz-wide",
            }
            self._frame = frame, {"order": order, "axes": axes, "look": look}
        return self._frame[1]


def kind_of(mark: Mark) -> str:
    """Extract the kind from a mark's name, such as "model" from "model:1"."""
    return mark.name.split(":")[0]


def _axis(axis: Axis, offset: float, *, large: bool, level: bool) -> dict[str, Any]:
    """Describe an axis to the page; ``offset`` is the distance of its label in pixels."""
    return {
        "limits": list(axis.limits),
        "visible": axis.is_shown,
        "label": axis.label if large else "",
        "offset": f"{offset:.0f}px",
        "ticks": [[at, text] for at, text in axis.labels(large=large, level=level).items()],
    }


def _margin(picture: Picture, size: float) -> dict[str, int]:
    """Compute the margin for tick labels and axis labels around a picture, in pixels."""
    large, square = picture.is_large, picture.is_square
    if not (picture.x.is_shown or picture.y.is_shown):
        return dict.fromkeys(("left", "right", "bottom", "top"), round(0.3 * size))
    near, far = (3.4, 0.6) if large else (1.9, 0.5)
    wide = 0.0 if large else 0.7 if square else 1.0  # numbers of four digits
    right = round((far + 0.2 + (0.0 if square else 0.8)) * size)
    return {
        "left": round((near + 0.2 + wide) * size) if picture.y.is_shown else right,
        "right": right,
        "bottom": round(near * size),
        "top": round((far + 0.4) * size),
    }
