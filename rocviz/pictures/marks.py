"""The marks of a picture: lines, bands, dots, bars, words and handles.

A mark has a name, which stays the same from one picture to the next, and a role: a key of
:data:`rocviz.theme.COLOURS`. Widths are in pixels and sizes are areas in square pixels of a desktop
screen; the renderers enlarge both for lectures. A mark without points is not shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rocviz.pictures.room import FAR

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocviz.pictures.room import Room

SIDE = 240.0  # least side of a picture in pixels
CLEAR = "transparent"
NOWHERE: Any = ((), ())  # points of a mark that is not shown


@dataclass(frozen=True, eq=False)
class Mark:
    """Base of all marks."""

    name: str
    role: str
    x: Any = ()
    y: Any = ()
    _: KW_ONLY
    #: Keys by which clicks and drags report the points; by default their indices.
    keys: Sequence[Any] = ()
    #: The user's own properties of the matplotlib artist.
    own: Mapping[str, Any] = field(default_factory=dict)
    #: Whether there is anything to draw.
    is_shown: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("x", "y"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=float))
        object.__setattr__(self, "is_shown", bool(self.x.size and self.y.size))

    @property
    def roles(self) -> Sequence[str]:
        """The role of each part, repeated in turn if there are fewer roles."""
        return getattr(self, "each", ()) or (self.role,)

    def take(self, room: Room) -> None:
        """Keep words off this mark."""

    def sample(self, x: float, y: float, width: float, height: float) -> Mark:
        """Make a legend's sample of this mark: a piece of it around a place."""
        raise NotImplementedError

    def _piece(self, x: Any, y: Any, **looks: Any) -> Mark:
        """Copy the mark's appearance to another place."""
        own = {key: value for key, value in self.own.items() if key != "label"}
        if hasattr(self, "each"):
            looks["each"] = self.each[:1]
        return replace(self, name=f"key:{self.name}", x=x, y=y, own=own, **looks)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return False
        theirs = vars(other)
        for name, one in vars(self).items():
            two = theirs[name]
            if one is two:
                continue
            if isinstance(one, np.ndarray) or isinstance(two, np.ndarray):
                one, two = np.asarray(one), np.asarray(two)
                # compare bytes, so that gaps, which are NaN, are equal
                if one.shape != two.shape or one.tobytes() != two.tobytes():
                    return False
                continue
            try:
                if one != two:
                    return False
            except ValueError:  # from arrays inside
                if not _same(one, two):
                    return False
        return True


def _same(one: Any, two: Any) -> bool:
    """Compare sequences that may contain arrays."""
    if isinstance(one, str) or not isinstance(one, Sequence | np.ndarray):
        return bool(np.array_equal(one, two))
    return len(one) == len(two) and all(map(_same, one, two))


@dataclass(frozen=True, eq=False, kw_only=True)
class Line(Mark):
    """One line, or several in the rows of ``x`` and ``y``.

    A line that ``yields`` is an aid, and has gaps where words stand. ``each`` and ``opacities``
    list the roles and opacities of several lines. ``rim`` is the role of an outline, which makes a
    pale line visible on paper.
    """

    dash: str = "solid"
    width: float = 2.5
    opacities: Sequence[float] = (1.0,)
    each: Sequence[str] = ()
    yields: bool = False
    in_the_way: bool = True
    rim: str = ""
    clipped: bool = True

    @property
    def rows(self) -> list[Any]:
        """The points of each line, shape (n, 2)."""
        x, y = np.broadcast_arrays(*map(np.atleast_2d, (self.x, self.y)))
        return list(np.stack((x, y), axis=-1).astype(float))

    def take(self, room: Room) -> None:
        """Keep words off the line; off one that yields, if there is other room."""
        if self.in_the_way:
            for row in self.rows:
                room.take(*row.T, spare=self.yields)

    def sample(self, x: float, y: float, width: float, height: float) -> Mark:
        """Make a piece of the line."""
        ends: Any = (x - width / 2, x + width / 2)
        return self._piece(ends, (y, y), opacities=self.opacities[:1], clipped=False, yields=False)


@dataclass(frozen=True, eq=False, kw_only=True)
class Band(Mark):
    """The area between a lower and an upper line: the rows of ``y``."""

    opacity: float = 0.1
    clipped: bool = True

    def take(self, room: Room) -> None:
        """Keep words off the area where there is other room."""
        every = max(self.x.shape[-1] // 60, 1)
        x, y = np.atleast_2d(self.x)[0, ::every], self.y[:, ::every]
        room.take(np.repeat(x, 2), y.T.ravel(), spare=True)

    def sample(self, x: float, y: float, width: float, height: float) -> Mark:
        """Make a piece of the area."""
        ends = y - height / 3, y + height / 3
        across = x - width / 2, x + width / 2
        return self._piece(across, np.repeat([ends], 2, axis=0).T, clipped=False)


@dataclass(frozen=True, eq=False, kw_only=True)
class Areas(Mark):
    """Filled polygons without a border: the corners of each are a row of ``x`` and of ``y``.

    ``each`` and ``opacities`` are those of each. One with fewer corners than others has its last
    one more than once.
    """

    each: Sequence[str] = ()
    opacities: Sequence[float] = (1.0,)

    def sample(self, x: float, y: float, width: float, height: float) -> Mark:
        """Make a piece of the first area."""
        left, right, low, high = x - width / 2, x + width / 2, y - height / 3, y + height / 3
        corners = [[left, right, right, left]], [[low, low, high, high]]
        return self._piece(*corners, opacities=self.opacities[:1])


@dataclass(frozen=True, eq=False, kw_only=True)
class Dots(Mark):
    """Dots, filled in the colour of the role, or of ``each`` dot's role, with a rim of another.

    ``sizes`` are the share of the size that each of them has. Dots at the edge are not cut, unless
    they are ``clipped``.
    """

    rim: str | None = None
    size: float = 64.0
    sizes: Any = None
    width: float = 1.5
    marker: str = "circle"
    each: Sequence[str] = ()
    opacities: Sequence[float] = ()
    clipped: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sizes is not None:
            object.__setattr__(self, "sizes", np.asarray(self.sizes, dtype=float))

    def take(self, room: Room) -> None:
        """Keep words off the dots."""
        area = self.size * (1.0 if self.sizes is None else self.sizes)
        room.take_dots(self.x, self.y, np.sqrt(area / np.pi) / SIDE)

    def sample(self, x: float, y: float, width: float, height: float) -> Mark:
        """Make one of the dots."""
        size = min(self.size, 150.0)
        return self._piece([x], [y], size=size, sizes=None, opacities=self.opacities[:1])


@dataclass(frozen=True, eq=False, kw_only=True)
class Bars(Mark):
    """Bars from 0 to ``y``, as wide as their spacing less the share ``gap``."""

    opacity: float = 0.55
    gap: float = 0.06

    def take(self, room: Room) -> None:
        """Keep words off the bars where there is other room."""
        room.take(np.repeat(self.x, 2), np.outer(self.y, [0, 1]).ravel(), spare=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class Words(Mark):
    """Texts at given positions, each in the colour of its role.

    ``angle`` is in degrees, counterclockwise; ``size`` is a share of the theme's font size. Colours
    that begin with # are the same in light and dark themes.
    """

    text: Sequence[str] = ()
    align: str = "start"
    bold: bool = True
    each: Sequence[str] = ()
    angle: float = 0.0
    size: float = 1.0

    def take(self, room: Room) -> None:
        """Keep other words off these."""
        room.take_words(self)


class Wish(NamedTuple):
    """A label to place in free space, near a point or the nearest of several points.

    The first of its ``texts`` with room within the distance ``far`` is written, or none; no text
    is written twice.
    """

    texts: Sequence[str]
    role: str
    x: Any
    y: Any
    far: float = FAR


@dataclass(frozen=True, eq=False, kw_only=True)
class Labels(Mark):
    """Labels without positions yet: :meth:`.Picture.placed` turns them into :class:`Words`.

    Earlier wishes are placed first. ``leaders`` are lines from the points to their labels.
    """

    wishes: Sequence[Wish] = ()
    bold: bool = True
    leaders: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Column(Mark):
    """Words to the right of the data, for which :meth:`.Picture.placed` extends the x axis.

    ``rows`` are those of :func:`words`; their x is ignored.
    """

    rows: Sequence[tuple[float, float, str, str]] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Runs(Mark):
    """Rows of words in several colours, which :meth:`.Picture.placed` shrinks until they fit.

    Each of the ``rows`` holds x and y, its pieces of (text, role), and whether it starts or ends at
    x ("start" or "end"); pieces in colours are bold. ``height`` is the room for a row, in units of
    the y axis.
    """

    rows: Sequence[tuple[float, float, Sequence[tuple[str, str]], str]] = ()
    height: float = 1.0


class Entry(NamedTuple):
    """A row of a legend, beside a sample of its mark."""

    text: str
    role: str = "text"
    of: str = ""  # name of the mark
    bold: bool = True


@dataclass(frozen=True, eq=False, kw_only=True)
class Legend(Mark):
    """A legend without a position yet, which :meth:`.Picture.placed` finds.

    The first of the ``choices`` that has room is written, as near to a ``corner`` (shares of width
    and height) as possible; if none has, the last goes beside the picture where that is allowed, or
    covers as little as possible. ``left_out`` are names of moving marks, which the legend may
    cover. Samples that can be clicked form a mark of their own, "keys". A legend that ``is_small``
    has a smaller font, measured for half of a screen.
    """

    choices: Sequence[Sequence[Entry]] = ()
    corner: tuple[float, float] = (1.0, 0.0)
    left_out: Sequence[str] = ()
    is_clicked: bool = False
    is_small: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Draggable(Mark):
    """A mark that the user can drag; ``along`` names its directions.

    ``hint`` is the position of the word "drag", shown if ``is_hinted`` until the first drag.
    """

    along: str = "xy"
    is_hinted: bool = True
    hint: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Handle(Draggable):
    """A round handle; an ``arrow`` at the edge if its point lies outside of the axes.

    A ``letter`` on it tells several handles apart.
    """

    arrow: str = ""
    letter: str = ""

    @property
    def align(self) -> str:
        """Alignment of the arrow that keeps it inside the axes."""
        return {"◀": "start", "▶": "end"}.get(self.arrow, "middle")

    def inside(self, x_limits: tuple[float, float], y_limits: tuple[float, float]) -> Handle:
        """Move a handle outside of the axes to their edge, as an arrow that points outwards."""
        if not self.is_shown:
            return self
        low, high = np.transpose((x_limits, y_limits))
        at = np.array([self.x[0], self.y[0]])
        inside = np.clip(at, low, high)
        away = (at - inside) / (high - low)
        if not away.any():
            return self
        across = abs(away[0]) >= abs(away[1])
        arrow = ("◀▶" if across else "▼▲")[int(away[0 if across else 1] > 0)]
        return replace(self, x=inside[:1], y=inside[1:], arrow=arrow)

    def take(self, room: Room) -> None:
        """Keep words off the handle."""
        room.take_dots(self.x, self.y, 0.045)


@dataclass(frozen=True, eq=False, kw_only=True)
class Knobs(Draggable):
    """Many small handles; one may be ``chosen`` (its index, from 0)."""

    chosen: int = -1

    def take(self, room: Room) -> None:
        """Keep words off the knobs."""
        room.take_dots(self.x, self.y, 0.025)


def repeated(values: Iterable[Any], count: int) -> list[Any]:
    """Repeat values until there is one for each of several parts."""
    return list(islice(cycle(values), count))


def words(
    name: str, rows: Sequence[tuple[float, float, str, str]], align: str = "start", **looks: Any
) -> Words:
    """Make words from rows of (x, y, text, role)."""
    x, y, text, each = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Words(name, "text", x, y, text=text, each=each, align=align, **looks)


def diagonal() -> Line:
    """Draw the dotted diagonal from (0, 0) to (1, 1)."""
    return Line(
        "diagonal", "reference", (0.0, 1.0), (0.0, 1.0), dash="dotted", width=1.5, yields=True
    )


def ring(name: str, role: str, x: Any = (), y: Any = (), **looks: Any) -> Dots:
    """Draw a large circle around a point."""
    return Dots(name, CLEAR, x, y, rim=role, **{"width": 3.0, "size": 260.0, **looks})
