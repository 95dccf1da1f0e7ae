"""The marks of a picture: lines, bands, dots, bars, words and handles.

A mark has a name, which stays the same from one picture to the next, and a role: the thing of
:data:`rocviz.theme.COLOURS` that it stands for. Widths are pixels and sizes areas in square pixels
on a desk; the renderers enlarge them for a hall. A mark without points is not shown.
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

SIDE = 240.0  # pixels of a picture's side, at least
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
    #: What a click on each point, or a drag of it, is said to concern; else its number.
    keys: Sequence[Any] = ()
    #: Properties of matplotlib's artist that a user asks for.
    own: Mapping[str, Any] = field(default_factory=dict)
    #: Whether there is anything to draw.
    is_shown: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("x", "y"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=float))
        object.__setattr__(self, "is_shown", bool(self.x.size and self.y.size))

    @property
    def roles(self) -> Sequence[str]:
        """The role of each part; they repeat."""
        return getattr(self, "each", ()) or (self.role,)

    def take(self, room: Room) -> None:
        """Keep words off this mark."""

    def sample(self, x: float, y: float, width: float, height: float) -> Mark:
        """Make what stands beside words about this mark: a piece of it around a place."""
        raise NotImplementedError

    def _piece(self, x: Any, y: Any, **looks: Any) -> Mark:
        """Make a mark that looks like this one, elsewhere."""
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
                # by their bytes: a gap, which is NaN, is the same as another
                if one.shape != two.shape or one.tobytes() != two.tobytes():
                    return False
                continue
            try:
                if one != two:
                    return False
            except ValueError:  # of arrays inside
                if not _same(one, two):
                    return False
        return True


def _same(one: Any, two: Any) -> bool:
    """Compare sequences that may have arrays inside."""
    if isinstance(one, str) or not isinstance(one, Sequence | np.ndarray):
        return bool(np.array_equal(one, two))
    return len(one) == len(two) and all(map(_same, one, two))


@dataclass(frozen=True, eq=False, kw_only=True)
class Line(Mark):
    """A line, or several in the rows of ``x`` and ``y``.

    ``yields``: it only helps, and is left out where words stand. ``each`` and ``opacities`` are
    those of each of several. ``rim`` is the role of an outline, without which a pale line could
    not be seen on paper.
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
        """Keep words off the line; off one that yields, where there is other room."""
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
    """Filled areas, without a border: the corners of each are a row of ``x`` and of ``y``.

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
    """Dots, filled in the colour of a role, or of ``each`` its own, with a rim of another.

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
    """Bars from 0 to ``y``, as wide as their distance but for a share of ``gap``."""

    opacity: float = 0.55
    gap: float = 0.06

    def take(self, room: Room) -> None:
        """Keep words off the bars where there is other room."""
        room.take(np.repeat(self.x, 2), np.outer(self.y, [0, 1]).ravel(), spare=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class Words(Mark):
    """Rows of words at places of their own, each in the colour of its role.

    ``angle`` is in degrees, counterclockwise; ``size`` a share of the theme's type. Inks that
    begin with # are the same in the light and in the dark.
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
    """A word that stands where nothing else is, near a point or the nearest of several.

    The first of its ``texts`` that has room no farther than ``far`` away is written, or none; a
    text is written once.
    """

    texts: Sequence[str]
    role: str
    x: Any
    y: Any
    far: float = FAR


@dataclass(frozen=True, eq=False, kw_only=True)
class Labels(Mark):
    """Words that have no place yet: :meth:`.Picture.placed` makes them :class:`Words`.

    The first ones choose first. ``leaders`` are lines from their points to them.
    """

    wishes: Sequence[Wish] = ()
    bold: bool = True
    leaders: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Column(Mark):
    """Words right of the data, for which :meth:`.Picture.placed` makes the x axis longer.

    ``rows`` are those of :func:`words`; where they stand across does not matter.
    """

    rows: Sequence[tuple[float, float, str, str]] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Runs(Mark):
    """Rows of words in several colours, which :meth:`.Picture.placed` makes so small that they fit.

    ``rows`` are the place at which each begins, or ends, its pieces of (text, role), and "start" or
    "end"; pieces in colours are bold. ``height`` is the room for a row, in units of the y axis.
    """

    rows: Sequence[tuple[float, float, Sequence[tuple[str, str]], str]] = ()
    height: float = 1.0


class Entry(NamedTuple):
    """A row of words about a picture, beside a sample of the mark that it is about."""

    text: str
    role: str = "text"
    of: str = ""  # name of the mark
    bold: bool = True


@dataclass(frozen=True, eq=False, kw_only=True)
class Legend(Mark):
    """Rows that say what the marks are, and have no place yet: :meth:`.Picture.placed` finds one.

    Of the ``choices`` the first for which there is room is written, as near to a ``corner`` as
    nothing is (shares of width and height); the last stands beside the picture where it may, or
    covers as little as possible. ``left_out`` are names of marks that move, which words need not
    keep off. Samples that are clicked are a mark of their own, "keys". One that ``is_small`` has
    smaller type, whose letters are measured for half of a screen.
    """

    choices: Sequence[Sequence[Entry]] = ()
    corner: tuple[float, float] = (1.0, 0.0)
    left_out: Sequence[str] = ()
    is_clicked: bool = False
    is_small: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Draggable(Mark):
    """A mark that the user can drag; ``along`` names its directions.

    ``hint`` is where "drag" stands, which one that ``is_hinted`` has until it has been dragged.
    """

    along: str = "xy"
    is_hinted: bool = True
    hint: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Handle(Draggable):
    """A round thing to drag; an ``arrow`` at the edge where its point is outside of the axes.

    A ``letter`` on it says whose it is, where there are several.
    """

    arrow: str = ""
    letter: str = ""

    @property
    def align(self) -> str:
        """On which side of its place the arrow stands, so that it is inside."""
        return {"◀": "start", "▶": "end"}.get(self.arrow, "middle")

    def inside(self, x_limits: tuple[float, float], y_limits: tuple[float, float]) -> Handle:
        """Move a handle outside of the axes to their edge, as an arrow that points beyond."""
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
    """Many small things to drag; one may be ``chosen`` (its place, from 0)."""

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
    """Write rows of (x, y, text, role)."""
    x, y, text, each = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Words(name, "text", x, y, text=text, each=each, align=align, **looks)


def diagonal() -> Line:
    """Draw the dotted line on which both coordinates are the same, from 0 to 1."""
    return Line(
        "diagonal", "reference", (0.0, 1.0), (0.0, 1.0), dash="dotted", width=1.5, yields=True
    )


def ring(name: str, role: str, x: Any = (), y: Any = (), **looks: Any) -> Dots:
    """Draw a large circle around a point."""
    return Dots(name, CLEAR, x, y, rim=role, **{"width": 3.0, "size": 260.0, **looks})
