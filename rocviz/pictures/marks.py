"""Marks: lines, bands, dots, bars, words and handles, and the styles of several models' marks.

A mark has a name, which stays the same from one picture to the next, and a role: a key of
:data:`rocviz.theme.COLOURS`. Widths are in pixels and sizes are areas in square pixels of a desktop
screen; the renderers enlarge both for lectures. A mark without points is not shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from itertools import cycle, islice
from typing import Any, NamedTuple

import numpy as np

from rocviz.pictures.axes import Floats
from rocviz.pictures.room import MAX_DISTANCE, Room

MIN_PICTURE_PIXELS = 240.0  # of a picture, in pixels
TRANSPARENT = "transparent"
NO_POINTS: Any = ((), ())  # points of a mark that is not shown


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
        return getattr(self, "part_roles", ()) or (self.role,)

    def take(self, room: Room) -> None:
        """Keep words off this mark."""

    def sample(self, x: float, y: float, width: float, height: float) -> Mark:
        """Make a legend's sample of this mark: a piece of it around a place."""
        raise NotImplementedError

    def _piece(self, x: Any, y: Any, **style: Any) -> Mark:
        """Copy the mark's appearance to another place."""
        own = {key: value for key, value in self.own.items() if key != "label"}
        if hasattr(self, "part_roles"):
            style["part_roles"] = self.part_roles[:1]
        return replace(self, name=f"key:{self.name}", x=x, y=y, own=own, **style)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return False
        theirs = vars(other)
        for name, value in vars(self).items():
            if value is not theirs[name] and not _is_same(value, theirs[name]):
                return False
        return True


def _is_same(first: Any, second: Any) -> bool:
    """Compare values that may be arrays, or contain them."""
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        first = np.asarray(first)
        second = np.asarray(second)
        # compare bytes, so that gaps, which are NaN, are equal
        return first.shape == second.shape and first.tobytes() == second.tobytes()
    try:
        return bool(first == second)
    except ValueError:  # from arrays inside
        return len(first) == len(second) and all(map(_is_same, first, second))


@dataclass(frozen=True, eq=False, kw_only=True)
class Line(Mark):
    """One line, or several in the rows of ``x`` and ``y``.

    A line that ``may_be_covered`` is an aid, and words may stand on it. ``part_roles`` and
    ``opacities`` list the roles and opacities of several lines. Where a page begins to show a line
    that ``snaps_from`` another, named so, it snaps from there to its place as a rubber band does.
    ``readings`` are as for :class:`Dots`. One that ``glides`` moves on a page to its next place, if
    it has as many points there.
    """

    dash: str = "solid"
    width: float = 2.5
    opacities: Sequence[float] = (1.0,)
    part_roles: Sequence[str] = ()
    may_be_covered: bool = False
    blocks_text: bool = True
    clipped: bool = True
    snaps_from: str = ""
    readings: Sequence[str] | None = None
    glides: bool = False

    @property
    def rows(self) -> list[Any]:
        """The points of each line, shape (n, 2)."""
        x, y = np.broadcast_arrays(*map(np.atleast_2d, (self.x, self.y)))
        return list(np.stack((x, y), axis=-1).astype(float))

    def take(self, room: Room) -> None:
        """Keep words off the line; off one that may be covered, where there is room."""
        if self.blocks_text:
            for row in self.rows:
                room.take(*row.T, may_be_covered=self.may_be_covered)

    def sample(self, x: float, y: float, width: float, height: float) -> Mark:
        """Make a piece of the line."""
        ends: Any = (x - width / 2, x + width / 2)
        return self._piece(
            ends, (y, y), opacities=self.opacities[:1], clipped=False, may_be_covered=False
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Band(Mark):
    """The area between a lower and an upper line: the rows of ``y``."""

    opacity: float = 0.1
    clipped: bool = True

    def take(self, room: Room) -> None:
        """Keep words off the area where there is other room."""
        every = max(self.x.shape[-1] // 60, 1)
        x = np.atleast_2d(self.x)[0, ::every]
        y = self.y[:, ::every]
        room.take(np.repeat(x, 2), y.T.ravel(), may_be_covered=True)

    def sample(self, x: float, y: float, width: float, height: float) -> Mark:
        """Make a piece of the area."""
        ends = y - height / 3, y + height / 3
        across = x - width / 2, x + width / 2
        return self._piece(across, np.repeat([ends], 2, axis=0).T, clipped=False)


@dataclass(frozen=True, eq=False, kw_only=True)
class Areas(Mark):
    """Filled polygons without a border: the corners of each are a row of ``x`` and of ``y``.

    ``part_roles`` and ``opacities`` are those of each. One with fewer corners than others has its
    last one more than once.
    """

    part_roles: Sequence[str] = ()
    opacities: Sequence[float] = (1.0,)

    def sample(self, x: float, y: float, width: float, height: float) -> Mark:
        """Make a piece of the first area."""
        corners = boxes(x - width / 2, x + width / 2, y - height / 3, y + height / 3)
        return self._piece(*corners, opacities=self.opacities[:1])


@dataclass(frozen=True, eq=False, kw_only=True)
class Dots(Mark):
    """Dots, filled in the colour of the role, or of those in ``part_roles``, with a rim of another.

    ``sizes`` are the share of the size that each of them has. Dots at the edge are not cut, unless
    they are ``clipped``. ``readings`` are what a page reads out at each of them, the last of them
    at all that follow; by default that is what the axes say, and of an empty list nothing.
    """

    rim: str | None = None
    size: float = 64.0
    sizes: Any = None
    width: float = 1.5
    marker: str = "circle"
    part_roles: Sequence[str] = ()
    opacities: Sequence[float] = ()
    clipped: bool = False
    readings: Sequence[str] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sizes is not None:
            object.__setattr__(self, "sizes", np.asarray(self.sizes, dtype=float))

    def take(self, room: Room) -> None:
        """Keep words off the dots."""
        area = self.size * (1.0 if self.sizes is None else self.sizes)
        room.take_dots(self.x, self.y, np.sqrt(area / np.pi) / MIN_PICTURE_PIXELS)

    def sample(self, x: float, y: float, width: float, height: float) -> Mark:
        """Make one of the dots."""
        size = min(self.size, 150.0)
        return self._piece([x], [y], size=size, sizes=None, opacities=self.opacities[:1])


@dataclass(frozen=True, eq=False, kw_only=True)
class Cells(Mark):
    """Thin lines between the cells of a table, of which a page reads out the one pointed at.

    ``x`` are the borders of its columns and ``y`` those of its rows, upwards; all increase. Each
    column and row has a name and a value; the value of the row is compared with that of the column,
    and is lower, equal or higher, for which ``verdicts`` has words.
    """

    width: float = 1.0
    column_names: Sequence[str] = ()
    row_names: Sequence[str] = ()
    column_values: Any = ()
    row_values: Any = ()
    verdicts: Sequence[str] = ("lower", "equal", "higher")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("column_values", "row_values"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=float))

    @property
    def lines(self) -> tuple[Floats, Floats]:
        """One line along the inner borders of all columns, then of all rows."""
        if not self.is_shown:
            return self.x, self.y
        columns = np.repeat(self.x[1:-1], 2)
        rows = np.repeat(self.y[1:-1], 2)
        up = np.resize(self.y[[0, -1, -1, 0]], columns.size)
        across = np.resize(self.x[[0, -1, -1, 0]], rows.size)
        # from the last column to the first row along the border
        corner = up[-1:] if columns.size else self.y[:1]
        x = np.concatenate((columns, self.x[:1], across))
        return x, np.concatenate((up, corner, rows))


@dataclass(frozen=True, eq=False, kw_only=True)
class Lit(Mark):
    """Points that a page shows only while a cell of another picture is pointed at.

    ``of`` names that picture and its :class:`Cells`. First come the points of the columns, then
    those of the rows; ``part_roles`` are of a column's point and of a row's.
    """

    of: tuple[str, str] = ("", "")
    part_roles: Sequence[str] = ()
    size: float = 150.0


@dataclass(frozen=True, eq=False, kw_only=True)
class People(Mark):
    """Dots in a fixed order, each for one person or several, as large as their places allow.

    The first ``n_filled`` are filled, those after them up to ``n_pale`` in a paler colour, and the
    rest are outlined; where there are ``fills``, those that are 1 are filled and the others
    outlined. ``pitch`` is the distance of neighbouring places along x and along y. If it
    ``flies``, a dot that gets another place on a page flies there: from its place in ``start_x``
    and ``start_y``, or where these are empty from where it was.

    ``readings`` are what a page reads out of a dot that is pointed at: of a filled one, of a paler
    one, and of an outlined one; ``{x}`` stands for its place along x.
    """

    n_filled: int = 0
    n_pale: int = 0
    fills: Any = ()
    pitch: tuple[float, float] = (1.0, 1.0)
    part_roles: Sequence[str] = ()
    flies: bool = False
    start_x: Any = ()
    start_y: Any = ()
    readings: Sequence[str] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("start_x", "start_y", "fills"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=float))


@dataclass(frozen=True, eq=False, kw_only=True)
class Bars(Mark):
    """Bars from 0 to ``y``, as wide as their spacing less the share ``gap``."""

    opacity: float = 0.55
    gap: float = 0.06

    def take(self, room: Room) -> None:
        """Keep words off the bars where there is other room."""
        room.take(np.repeat(self.x, 2), np.outer(self.y, [0, 1]).ravel(), may_be_covered=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class Words(Mark):
    """Texts at given positions, each in the colour of its role.

    ``angle`` is in degrees, counterclockwise; ``size`` is a share of the theme's font size. Colours
    that begin with # are the same in light and dark themes.
    """

    text: Sequence[str] = ()
    align: str = "start"
    bold: bool = True
    part_roles: Sequence[str] = ()
    angle: float = 0.0
    size: float = 1.0

    def take(self, room: Room) -> None:
        """Keep other words off these."""
        room.take_words(self)


class PointLabel(NamedTuple):
    """A label to place in free space, near a point or the nearest of several points.

    The first of its ``texts`` with room within the distance ``far`` is written, or none; no text
    is written twice.
    """

    texts: Sequence[str]
    role: str
    x: Any
    y: Any
    far: float = MAX_DISTANCE


@dataclass(frozen=True, eq=False, kw_only=True)
class Labels(Mark):
    """Labels without positions yet: :func:`.place_words` turns them into :class:`Words`.

    Earlier labels are placed first. ``leaders`` are lines from the points to their labels.
    """

    point_labels: Sequence[PointLabel] = ()
    bold: bool = True
    leaders: bool = False


@dataclass(frozen=True, eq=False, kw_only=True)
class Column(Mark):
    """Words to the right of the data, for which :func:`.place_words` extends the x axis.

    ``rows`` are those of :func:`words`; their x is ignored.
    """

    rows: Sequence[tuple[float, float, str, str]] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Runs(Mark):
    """Rows of words in several colours, which :func:`.place_words` shrinks until they fit.

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
    """A legend without a position yet, which :func:`.place_words` finds.

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

    If ``is_hinted``, arrows show the directions until the first drag; ``hint`` is the position of
    the word "drag", and empty where there is no room for it.
    """

    along: str = "xy"
    is_hinted: bool = True
    hint: tuple[float, ...] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Handle(Draggable):
    """A round handle; an ``arrow`` at the edge if its point lies outside of the axes.

    A ``letter`` on it distinguishes several handles. ``scale`` is its diameter as a share of the
    usual one: larger for the one handle that a picture is about, smaller for those beside it.
    One that ``glides`` moves on a page to its next place; if ``way_x`` and ``way_y`` are the places
    that it has come by, the last of which is its own, it goes back along them to where the next way
    begins to differ, and on along that. A press at a y within ``row`` moves it, and none outside,
    wherever others are.
    """

    arrow: str = ""
    letter: str = ""
    scale: float = 1.0
    glides: bool = False
    row: tuple[float, float] | None = None
    way_x: Any = ()
    way_y: Any = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("way_x", "way_y"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=float))

    @property
    def align(self) -> str:
        """Alignment of the arrow that keeps it inside the axes."""
        return {"◀": "start", "▶": "end"}.get(self.arrow, "middle")

    def inside(self, x_limits: tuple[float, float], y_limits: tuple[float, float]) -> Handle:
        """Move a handle outside of the axes to their edge, as an arrow that points outwards."""
        if not self.is_shown:
            return self
        low, high = np.transpose((x_limits, y_limits))
        point = np.array([self.x[0], self.y[0]])
        inside = np.clip(point, low, high)
        away = (point - inside) / (high - low)
        if not away.any():
            return self
        if abs(away[0]) >= abs(away[1]):
            arrow = "▶" if away[0] > 0 else "◀"
        else:
            arrow = "▲" if away[1] > 0 else "▼"
        return replace(self, x=inside[:1], y=inside[1:], arrow=arrow)

    def take(self, room: Room) -> None:
        """Keep words off the handle."""
        room.take_dots(self.x, self.y, 0.045 * max(self.scale, 1.0))


@dataclass(frozen=True, eq=False, kw_only=True)
class Knobs(Draggable):
    """Many small handles; one may be ``chosen`` (its index, from 0).

    ``readings`` are as for :class:`Dots`.
    """

    chosen: int = -1
    readings: Sequence[str] | None = None

    def take(self, room: Room) -> None:
        """Keep words off the knobs."""
        room.take_dots(self.x, self.y, 0.025)


def repeated(values: Iterable[Any], count: int) -> list[Any]:
    """Repeat values until there is one for each of several parts."""
    return list(islice(cycle(values), count))


def words(
    name: str, rows: Sequence[tuple[float, float, str, str]], align: str = "start", **style: Any
) -> Words:
    """Make words from rows of (x, y, text, role)."""
    x, y, texts, roles = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Words(name, "text", x, y, text=texts, part_roles=roles, align=align, **style)


def read_out(x: Any, y: Any, readings: Sequence[str]) -> Line:
    """Make the mark of places at which a page reads out a text each, and draws nothing."""
    style: dict[str, Any] = {"opacities": (0.0,), "blocks_text": False}
    return Line("read out", "reference", x, y, readings=readings, **style)


def boxes(left: Any, right: Any, low: Any, high: Any) -> tuple[Floats, Floats]:
    """Compute the corners of boxes, for :class:`Areas`."""
    sides = (np.asarray(side, dtype=float).ravel() for side in (left, right, low, high))
    left, right, low, high = np.broadcast_arrays(*sides)
    return np.column_stack((left, right, right, left)), np.column_stack((low, low, high, high))


def uprights(x: Any, low: Any, high: Any) -> tuple[Floats, Floats]:
    """Compute the ends of vertical lines, such as error bars."""
    return np.column_stack((x, x)), np.column_stack((low, high))


def diagonal() -> Line:
    """Draw the dotted diagonal from (0, 0) to (1, 1)."""
    return Line(
        "diagonal",
        "reference",
        (0.0, 1.0),
        (0.0, 1.0),
        dash="dotted",
        width=1.5,
        may_be_covered=True,
    )


def ring(name: str, role: str, x: Any = (), y: Any = (), **style: Any) -> Dots:
    """Draw a circle around a point, large enough to be seen around a handle at the same place."""
    return Dots(name, TRANSPARENT, x, y, rim=role, **{"width": 3.0, "size": 600.0, **style})


class ModelStyle(NamedTuple):
    """Role and dash of a model's line, and the role of its name."""

    role: str
    dash: str
    ink: str
    opacity: float = 1.0


#: Appearance of the models, in the order they were given.
_MODEL_STYLES = (
    ModelStyle("ranking", "solid", "text"),
    ModelStyle("second", "dash_dotted", "negative-text"),
    ModelStyle("positive", "dotted", "positive-text"),
    ModelStyle("third", "solid", "muted"),
    ModelStyle("negative", "dotted", "negative-text"),
    ModelStyle("reference", "dash_dotted", "muted"),
)
PALE_ROLE = "third"  # role of lines that need an outline
_REPEATED_OPACITY = 0.5  # opacity of dashes of repeated colours


def model_style(i: int) -> ModelStyle:
    """Choose the appearance of model ``i``, from 0; it repeats after the twelfth."""
    style = _MODEL_STYLES[i % len(_MODEL_STYLES)]
    if i // len(_MODEL_STYLES) % 2 == 0:
        return style
    return style._replace(dash="dashed", opacity=_REPEATED_OPACITY)


def model_line(
    name: str, i: int, x: Any, y: Any, own: Mapping[str, Any] | None = None, **style: Any
) -> Line:
    """Draw the line of model ``i``, with the user's ``own`` properties."""
    role, dash, _, opacity = model_style(i)
    shared = {"role": role, "dash": dash, "opacities": (opacity,), "own": own or {}}
    return Line(name, x=x, y=y, **{**shared, **style})
