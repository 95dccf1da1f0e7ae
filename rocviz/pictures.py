"""A picture as a value: two axes and the marks between them, placed for a large or a small size.

Pure functions make pictures from results; explorers draw them with bqplot, files with matplotlib.
Two pictures can be compared, and their numbers tested without drawing them.

A mark is a line, a band, dots, bars, words or a handle. It has a name, which stays the same from
one picture to the next, and a role: a key of :data:`rocviz.theme.COLOURS`. Widths are in pixels and
sizes are areas in square pixels of a desktop screen; the renderers enlarge both for lectures. A
mark without points is not shown.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import cycle, islice, product
from math import floor, log10
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocviz.words import letters

Floats = NDArray[np.float64]


# ------------------------------------------------------------------ axes

# letters of tick labels that fit at the ends of an axis, and between
ENDS = 7
INNER = 12
UNIT_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def tick_text(value: float, digits: int = 6) -> str:
    """Write the label of a tick: short, without a zero before the decimal point."""
    text = f"{value:.{digits}g}".replace("-", "−").replace("e+", "e")
    return text.replace("0.", ".", 1) if text.lstrip("−").startswith("0.") else text


@lru_cache(256)
def tick_texts(at: tuple[float, ...]) -> Sequence[str]:
    """Write the labels of ticks, with enough digits to tell them apart."""
    is_far = any("e" in f"{value:.6g}" for value in at)
    every = (3,) * is_far + (6, 9, 12, 17)
    written = ([tick_text(value, digits) for value in at] for digits in every)
    return next((texts for texts in written if len(set(texts)) == len(set(at))), [])


def rounded(ticks: Floats) -> Floats:
    """Remove rounding errors from ticks of any size."""
    most = float(np.abs(ticks).max())
    digits = 9 - floor(log10(most)) if most else 9
    return np.array([round(float(value), digits) for value in ticks])


def round_ticks(low: float, high: float, most: int = 5, *, integer: bool = False) -> Floats:
    """Choose a few round numbers inside the limits."""
    from matplotlib.ticker import MaxNLocator

    steps = None if integer else [1, 2, 5, 10]
    ticks = rounded(MaxNLocator(most, steps=steps, integer=integer).tick_values(low, high))
    least = 1e-9 * (high - low)
    return ticks[(ticks >= low - least) & (ticks <= high + least)]


def ticks_around(low: float, high: float, most: int = 4) -> Floats:
    """Choose a few round numbers, the first not above and the last not below the limits."""
    from matplotlib.ticker import MaxNLocator

    return rounded(MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high))


def round_limits(values: Floats) -> tuple[float, float]:
    """Round limits around values, so that they seldom change during a drag."""
    low, high = float(values.min()), float(values.max())
    room = 0.06 * max(high - low, 0.05)
    steps = 20 if high - low > 0.12 else 50
    return (
        max(0.0, float(np.floor((low - room) * steps)) / steps),
        min(1.0, float(np.ceil((high + room) * steps)) / steps),
    )


def count_ticks(n: int, most: int = 5) -> dict[float, str]:
    """Choose a few whole numbers from 0 to n, with thousands abbreviated."""
    ticks = round_ticks(0, n, most, integer=True).tolist()
    return {t: f"{t / 1000:g}k" if n >= 10_000 and t else f"{t:g}" for t in ticks}


def some_of(n: int, most: int) -> NDArray[np.intp]:
    """Choose at most so many of ``n`` indices, evenly, with the first and the last."""
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(np.intp))


def spread(at: Floats, gap: float, low: float, high: float) -> Floats:
    """Move positions at least ``gap`` apart, as little as possible, in order and within limits."""
    from scipy.optimize import isotonic_regression

    order = np.argsort(at, kind="stable")
    steps = gap * np.arange(at.size)
    packed = isotonic_regression(at[order] - steps).x
    places = np.empty_like(packed)
    places[order] = packed.clip(low + gap / 2, high - gap / 2 - steps[-1]) + steps
    return places


@dataclass(frozen=True)
class Axis:
    """An axis: its limits, ticks and label.

    Parameters
    ----------
    label : str
        Written where the picture is large.
    low, high : float
        Range of the data.
    ticks : sequence of float, or mapping of float to str, optional
        Positions of numbers, or of texts; a small picture has fewer. By default round numbers.
    pad : float
        Room around the range, as a share of it, so that data at the border is not cut.
    is_shown : bool
        Whether it is drawn at all.
    """

    label: str = ""
    low: float = 0.0
    high: float = 1.0
    ticks: Sequence[float] | Mapping[float, str] | Any = None
    pad: float = 0.04
    is_shown: bool = True

    def __post_init__(self) -> None:
        ticks = self.ticks
        ends = (self.low, self.high)
        if ticks is None:
            ticks = UNIT_TICKS if ends == (0.0, 1.0) else round_ticks(*ends)
        # plain values, so that axes can be compared
        plain = dict(ticks) if isinstance(ticks, Mapping) else tuple(np.asarray(ticks).tolist())
        object.__setattr__(self, "ticks", plain)

    @cached_property
    def limits(self) -> tuple[float, float]:
        """The range with its padding."""
        room = self.pad * (self.high - self.low)
        return self.low - room, self.high + room

    def labels(self, *, large: bool, level: bool) -> dict[float, str]:
        """Write the text of each tick; ``level`` is for the x axis."""
        ticks = self.ticks
        named = isinstance(self.ticks, Mapping)
        words: Any = ticks if named else dict(zip(ticks, tick_texts(ticks), strict=True))
        at = np.array(list(words), dtype=float)
        if not large and at.size > 3:
            last = at.size - 1
            at = at[[0, last // 2, last] if last % 2 == 0 else [0, last]]
        longest = max((len(text) for text in words.values()), default=0)
        if level and not named and longest > ENDS and at.size > 2:
            # long numbers would be cut off at the ends, or touch each other
            at = at[1:-1] if longest <= INNER else at[at.size // 2][None]
        return {value: words[value] for value in at.tolist()}


# ------------------------------------------------------------------ room for words

# width of a letter and height of a row in a large picture, as shares of it, in the smallest window
LETTER = 0.031
ROW = 0.058
MARGIN = np.array([0.01, 0.022])  # margin around words
CELLS = 64  # along each side of a picture
FAR = 0.2  # words farther away would seem to belong to another mark
BEFORE = {"start": 0.0, "middle": 0.5, "end": 1.0}  # share of words to the left of their position


class Room:
    """Free space for words on a picture, as a grid of cells that are free or taken.

    The ranges are those of the axes, or of the part that words may occupy, whose share of the
    picture's width is ``share``. ``grow`` holds the width of a letter and the height of a row
    relative to those in a large picture.
    """

    def __init__(
        self,
        x_range: tuple[float, float],
        y_range: tuple[float, float],
        share: float = 1.0,
        grow: tuple[float, float] = (1.0, 1.0),
    ) -> None:
        self._letter = grow[0] * LETTER / share
        #: Height of a row, as a share of the picture.
        self.row = grow[1] * ROW
        self._low = np.array([x_range[0], y_range[0]])
        #: Lengths of both ranges, shape (2,).
        self.span = np.array([x_range[1], y_range[1]]) - self._low
        #: Cells (x, y) that words must not cover, and cells that they should not.
        self._taken, self._spare = np.zeros((2, CELLS, CELLS), dtype=bool)

    def width(self, text: str | float) -> float:
        """Measure the width of words, or of a number of letters, in units of the axis."""
        return float(self._letter * _letters(text) * self.span[0])

    def _cells(self, x: Any, y: Any) -> Floats:
        ends = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
        return np.asarray((np.column_stack(ends) - self._low) / self.span * CELLS)

    def take(self, x: Any, y: Any, *, spare: bool = False) -> None:
        """Keep words off a line; a line to ``spare`` is covered if there is no other room."""
        at = self._cells(x, y)
        at = at[np.isfinite(at).all(axis=1)]
        if not at.size:
            return
        across, up = at.clip(-CELLS, 2 * CELLS).T
        # half a cell after half a cell
        along = np.zeros(across.size)
        step = np.maximum(np.abs(across[1:] - across[:-1]), np.abs(up[1:] - up[:-1]))
        np.cumsum(2 * step, out=along[1:])
        steps = np.linspace(0.0, along[-1], int(along[-1]) + 2)
        self._mark(np.interp(steps, along, across), np.interp(steps, along, up), spare=spare)

    def take_dots(self, x: Any, y: Any, radius: Any = 0.02) -> None:
        """Keep words off dots; their common or individual radius is a share of the picture."""
        reach = np.atleast_1d(radius)[:, None, None] * CELLS
        steps = np.linspace(-1.0, 1.0, int(2 * reach.max()) + 2)
        disc = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        self._mark(*(self._cells(x, y)[:, None] + disc * reach).reshape(-1, 2).T)

    def take_words(self, mark: Any) -> None:
        """Keep words off those of a mark."""
        for text, x, y in zip(mark.text, mark.x, mark.y, strict=True):
            across, up = self._cells(x, y)[0]
            self._taken[self._box(text, across, up, mark.align, 0.25)] = True

    def covers(self, texts: Iterable[str | float], x: float, heights: Any, align: str) -> bool:
        """Test whether rows of words, or of a number of letters, would overlap a taken box."""
        low = self._cells(x, heights)
        return any(
            self._taken[self._box(text, across, up, align, 0.35)].any()
            for text, (across, up) in zip(texts, low, strict=True)
        )

    def _box(self, text: str | float, across: float, up: float, align: str, high: float) -> Any:
        """Find the cells of words, which are centred vertically."""
        left = across - BEFORE[align] * (long := self._letter * _letters(text) * CELLS)
        half = high * self.row * CELLS
        ends = np.array([left, left + long + 1, up - half, up + half + 1])
        i, j, k, m = np.clip(np.nan_to_num(ends), 0, CELLS).astype(int)
        return slice(i, j), slice(k, m)

    def copy(self) -> Room:
        """Copy the room with its taken boxes."""
        return copy.deepcopy(self)

    def _mark(self, across: Floats, up: Floats, *, spare: bool = False) -> None:
        inside = (across >= 0) & (across < CELLS) & (up >= 0) & (up < CELLS)  # not NaN
        cells = across[inside].astype(int), up[inside].astype(int)
        (self._spare if spare else self._taken)[cells] = True

    def place(
        self, text: str | float, x: Any, y: Any, *, rows: int = 1, far: float = FAR
    ) -> tuple[float, float] | None:
        """Place centred words in the free space nearest to a point, or to any of several.

        ``text`` is the longest of the ``rows`` of words, or its number of letters; the result is
        the centre of the first row, or None if there is no space within the distance ``far``, a
        share of the picture. Lines to spare are avoided where possible.
        """
        size = self._size(text, rows)
        if (size > CELLS).any():
            return None
        points = self._cells(x, y) / CELLS
        for taken in (self._taken | self._spare, self._taken):
            first = np.argwhere(_taken_in_boxes(taken, size) == 0)
            if not first.size:
                continue
            spots = (first + size / 2) / CELLS
            away = np.hypot(*(spots[:, None] - points).transpose(2, 0, 1)).min(axis=1)
            nearest = away.argmin()
            if away[nearest] <= far:
                return self._put(first[nearest], size, rows)
        return None

    def leader(self, point: Any, place: Any) -> Floats:
        """Keep words off a line from a point to words at a place, and return its x and y."""
        start = np.array(point, dtype=float)
        away = np.subtract(place, point)
        far = float(np.hypot(*(away / self.span)))
        ends = start + np.outer([0.0, max(1 - 0.6 * self.row / far, 0.0) if far else 0.0], away)
        self.take(*ends.T)
        return np.asarray(ends.T)

    def least(self, text: str | float, rows: int) -> tuple[float, float] | None:
        """Place rows of words where they cover least, see :meth:`place`."""
        size = self._size(text, rows)
        if (size > CELLS).any():
            return None
        full = _taken_in_boxes(self._taken, size)
        return self._put(np.array(np.unravel_index(full.argmin(), full.shape)), size, rows)

    def _size(self, text: str | float, rows: int) -> Any:
        """Count the cells of rows of words with their margin."""
        half = np.array([_letters(text) * self._letter / 2, rows * self.row / 2])
        return np.ceil(2 * (half + MARGIN) * CELLS).astype(int)

    def _put(self, first: Any, size: Any, rows: int) -> tuple[float, float]:
        """Take a box of cells, and return the centre of its first row of words."""
        (i, j) = first
        (wide, high) = size
        self._taken[i : i + wide, j : j + high] = True
        spot = (first + size / 2) / CELLS + [0.0, (rows / 2 - 0.5) * self.row]
        across, up = spot * self.span + self._low
        return float(across), float(up)


def _letters(text: str | float) -> float:
    return letters(text) if isinstance(text, str) else text


def _taken_in_boxes(taken: Any, size: Any) -> Any:
    """Count the taken cells in every box of a size, from cumulative sums."""
    i, j = size
    sums = np.zeros((CELLS + 1, CELLS + 1), dtype=np.int64)
    sums[1:, 1:] = taken.cumsum(axis=0).cumsum(axis=1)
    return sums[i:, j:] - sums[:-i, j:] - sums[i:, :-j] + sums[:-i, :-j]


# ------------------------------------------------------------------ marks

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

    def _piece(self, x: Any, y: Any, **style: Any) -> Mark:
        """Copy the mark's appearance to another place."""
        own = {key: value for key, value in self.own.items() if key != "label"}
        if hasattr(self, "each"):
            style["each"] = self.each[:1]
        return replace(self, name=f"key:{self.name}", x=x, y=y, own=own, **style)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return False
        theirs = vars(other)
        for name, one in vars(self).items():
            if one is not theirs[name] and not _same(one, theirs[name]):
                return False
        return True


def _same(one: Any, two: Any) -> bool:
    """Compare values that may be arrays, or contain them."""
    if isinstance(one, np.ndarray) or isinstance(two, np.ndarray):
        one = np.asarray(one)
        two = np.asarray(two)
        # compare bytes, so that gaps, which are NaN, are equal
        return one.shape == two.shape and one.tobytes() == two.tobytes()
    try:
        return bool(one == two)
    except ValueError:  # from arrays inside
        return len(one) == len(two) and all(map(_same, one, two))


@dataclass(frozen=True, eq=False, kw_only=True)
class Line(Mark):
    """One line, or several in the rows of ``x`` and ``y``.

    A line that ``yields`` is an aid, and words may stand on it. ``each`` and ``opacities`` list the
    roles and opacities of several lines.
    """

    dash: str = "solid"
    width: float = 2.5
    opacities: Sequence[float] = (1.0,)
    each: Sequence[str] = ()
    may_be_covered: bool = False
    blocks_text: bool = True
    clipped: bool = True

    @property
    def rows(self) -> list[Any]:
        """The points of each line, shape (n, 2)."""
        x, y = np.broadcast_arrays(*map(np.atleast_2d, (self.x, self.y)))
        return list(np.stack((x, y), axis=-1).astype(float))

    def take(self, room: Room) -> None:
        """Keep words off the line; off one that yields, where there is other room."""
        if self.blocks_text:
            for row in self.rows:
                room.take(*row.T, spare=self.may_be_covered)

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
        corners = boxes(x - width / 2, x + width / 2, y - height / 3, y + height / 3)
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


class PointLabel(NamedTuple):
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

    wishes: Sequence[PointLabel] = ()
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
    name: str, rows: Sequence[tuple[float, float, str, str]], align: str = "start", **style: Any
) -> Words:
    """Make words from rows of (x, y, text, role)."""
    x, y, text, each = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Words(name, "text", x, y, text=text, each=each, align=align, **style)


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
    """Draw a large circle around a point."""
    return Dots(name, CLEAR, x, y, rim=role, **{"width": 3.0, "size": 260.0, **style})


class ModelLook(NamedTuple):
    """Role and dash of a model's line, and the role of its name."""

    role: str
    dash: str
    ink: str
    opacity: float = 1.0


#: Appearance of the models, in the order they were given.
_MODELS = (
    ModelLook("ranking", "solid", "text"),
    ModelLook("second", "dash_dotted", "negative-text"),
    ModelLook("positive", "dotted", "positive-text"),
    ModelLook("third", "solid", "muted"),
    ModelLook("negative", "dotted", "negative-text"),
    ModelLook("reference", "dash_dotted", "muted"),
)
PALE = "third"  # role of lines that need an outline
_FAINT = 0.5  # opacity of dashes of repeated colours


def model_look(i: int) -> ModelLook:
    """Choose the appearance of model ``i``, from 0; it repeats after the twelfth."""
    look = _MODELS[i % len(_MODELS)]
    return look if i // len(_MODELS) % 2 == 0 else look._replace(dash="dashed", opacity=_FAINT)


def model_line(
    name: str, i: int, x: Any, y: Any, own: Mapping[str, Any] | None = None, **style: Any
) -> Line:
    """Draw the line of model ``i``, with the user's ``own`` properties."""
    role, dash, _, opacity = model_look(i)
    shared = {"role": role, "dash": dash, "opacities": (opacity,), "own": own or {}}
    return Line(name, x=x, y=y, **{**shared, **style})


# ------------------------------------------------------------------ pictures

PLAIN = 0.9  # width of a regular letter, as a share of a bold one
NARROW = 0.75  # width of a letter on a large screen, as a share of that on a small one
# widths, in letters, of a mark's sample and of the space after it
KEY = 2.6
AFTER = 1.3
#: Font size and letter width of a small legend, as shares of a large one's.
TYPE = 0.86
WIDTH = 0.7
#: Positions of "drag" relative to its handle, as shares of the picture.
SIDES = {"right": (0.12, 0.0), "left": (-0.12, 0.0), "above": (0.0, 0.09), "below": (0.0, -0.09)}


@dataclass(frozen=True)
class Picture:
    """Axes and marks, the later ones on top of the earlier ones.

    Parameters
    ----------
    x, y : Axis
    marks : tuple of Mark
        Each with a name of its own.
    is_square : bool, optional
        Both axes are of the same length; else the picture fills its room. By default pictures whose
        axes have the same limits are square.
    is_large : bool, default=True
        A small picture has fewer ticks and fewer words; it is not shrunken.
    grow : tuple of float
        How much more of its width a letter takes than of a large picture's in a small window, and
        of its height a row.
    beside : {0, 1, 2}, default=0
        When a legend stands right of the axes: never, or where no choice of it has room on them, or
        where the first has none.
    """

    x: Axis
    y: Axis
    marks: tuple[Mark, ...] = ()
    is_square: bool | None = None
    is_large: bool = True
    grow: Any = None
    beside: int = 0

    def __post_init__(self) -> None:
        if self.grow is None:
            object.__setattr__(self, "grow", (1.0, 1.0) if self.is_large else (2.0, 2.0))
        if self.is_square is None:
            object.__setattr__(self, "is_square", self.x.limits == self.y.limits)

    def __getitem__(self, name: str) -> Any:
        """Find a mark by name."""
        return {mark.name: mark for mark in self.marks}[name]

    @property
    def overflow(self) -> float:
        """Overhang of words beyond the right end of the x axis, as a share of the picture."""
        (low, high) = self.x.limits
        letter = self.grow[0] * LETTER
        ends = [
            (x - low) / (high - low) + letter * letters(text)
            for mark in self.marks
            if isinstance(mark, Words) and mark.align == "start"
            for x, text in zip(mark.x, mark.text, strict=True)
            if x > high
        ]
        return max([1.0, *ends]) - 1.0

    def room(self, *left_out: str, share: float = 1.0) -> Room:
        """Compute the room for words that all marks leave, except those ``left_out``."""
        room = Room(self.x.limits, self.y.limits, share, self.grow)
        for mark in self.marks:
            if mark.name not in left_out and mark.is_shown:
                mark.take(room)
        return room

    def _place(
        self, room: Room, wide: float, rows: int, corner: tuple[float, float]
    ) -> tuple[float, float] | None:
        """Find a free place for rows of text, in the corner if possible."""
        spot = self._corner(room, wide, rows, *corner)
        for far in (0.05, 2.0):
            if place := room.place(wide, *spot, rows=rows, far=far):
                return self._edge(room, wide, place, corner)
        return None

    def _edge(self, room: Room, wide: float, place: Any, corner: Any) -> tuple[float, float]:
        """Compute the flush end of centred rows: the right end in a right corner, else the left."""
        return place[0] + (0.5 if corner[0] == 1 else -0.5) * room.width(wide), place[1]

    def _corner(
        self, room: Room, wide: float, rows: int, i: float, j: float
    ) -> tuple[float, float]:
        """Compute the centre of rows of text in a corner; (0, 0) is the lower left one."""
        (left, right) = self.x.limits
        (low, high) = self.y.limits
        aside = 0.525 * room.width(wide)
        above = (rows / 2 + 0.2) * room.row * room.span[1]
        ends = (left + aside, right - aside), (low + above, high - above)
        x, y = ((1 - share) * a + share * b for share, (a, b) in zip((i, j), ends, strict=True))
        return x, y

    def reuse_marks(self, before: Picture | None) -> Picture:
        """Reuse the unchanged marks of the previous picture.

        They are then the same objects, so that the places :class:`Found` for words remain valid.
        """
        if before is None:
            return self
        known = {mark.name: mark for mark in before.marks}
        marks = [old if (old := known.get(mark.name)) == mark else mark for mark in self.marks]
        return replace(self, marks=tuple(marks))

    def placed(self, found: PlacementCache | None = None) -> Picture:
        """Place the words that have no position yet, and outline pale lines."""
        picture = self
        found = found or PlacementCache()
        for mark in self.marks:
            if isinstance(mark, Column):
                picture = picture._with_column(mark)
            elif place := PLACES.get(type(mark)):
                made = found.marks(picture, mark, place)
                at = picture.marks.index(mark)
                marks = *picture.marks[:at], *made, *picture.marks[at + 1 :]
                picture = replace(picture, marks=marks)
        outlined = [one for mark in picture.marks for one in _outlined(mark)]
        return replace(picture, marks=tuple(outlined))

    def _with_column(self, column: Column) -> Picture:
        """Extend the x axis so that words fit to the right of the data."""
        low, high = self.x.limits
        letter = self.grow[0] * LETTER
        most = max((letters(text) for _, _, text, _ in column.rows), default=0)
        end = low + (high - low) / (1 - min((PLAIN * most + 1.5) * letter, 0.65))
        rows = [(high + letter * (end - low), *row[1:]) for row in column.rows]
        picture = replace(self, x=replace(self.x, high=self.x.high + end - high))
        return picture.with_marks(words(column.name, rows, bold=False))

    def _running(self, runs: Runs) -> list[Words]:
        """Place pieces of text one after the other, in one size."""
        room = self.room(runs.name)
        left = self.x.limits[0]
        size = min(1.0, runs.height / (room.row * room.span[1]))
        lengths = [
            [room.width(_share(role) * letters(text) + 1.5) for text, role in each]
            for _, _, each, _ in runs.rows
        ]
        for (x, _, _, align), wide in zip(runs.rows, lengths, strict=True):
            beside = x - left if align == "end" else left + room.span[0] - x
            size = min(size, float(beside / sum(wide)))
        pieces = [
            ((x + size * sum(wide[:k]), y, *piece), align, _share(piece[1]) == 1.0)
            for (x, y, each, align), wide in zip(runs.rows, lengths, strict=True)
            for k, piece in enumerate(each)
        ]
        return [
            words(
                f"{runs.name} {way}{' bold' * bold}",
                [piece for piece, align, is_bold in pieces if (align, is_bold) == (way, bold)],
                way,
                bold=bold,
                size=size,
            )
            for way, bold in product(("start", "end"), (True, False))
        ]

    def has_room(self, legend: Legend) -> bool:
        """Test whether there is free space for a legend."""
        return bool(self._spot(legend, self._room_of(legend))[0])

    def _room_of(self, legend: Legend) -> Room:
        return self.room(*legend.left_out, share=1 / WIDTH if legend.is_small else 1.0)

    def _spot(self, legend: Legend, room: Room) -> tuple[Any, Any, Any, float]:
        """Find a legend's place, its rows, their widths in letters, and the width of samples."""
        entries: Sequence[Any] = ()
        lead = 0.0
        wide = [0.0]
        corner = legend.corner
        for entries in legend.choices[:1] if self.beside == 2 else legend.choices:
            lead = (KEY + AFTER) * any(one.of for one in entries)
            wide = [letters(one.text) * (1 if one.bold else PLAIN) + lead for one in entries]
            place = self._flush(room, wide, *corner)
            if place or (place := self._place(room, max(wide), len(wide), corner)):
                return place, entries, wide, lead
        return None, entries, wide, lead

    def _keyed(self, legend: Legend) -> list[Mark]:
        """Make the marks of a legend: its words, bold and regular, and a sample beside each row."""
        room = self._room_of(legend)
        step = room.row * room.span[1]
        align = "end" if legend.corner[0] == 1 else "start"
        place, entries, wide, lead = self._spot(legend, room)
        if not place and self.beside:
            place = self.x.limits[1] + room.width(1.5), self.y.limits[1] - 0.5 * step
            align = "start"
        if not place:  # widths are for a small screen; on a large one letters are narrower
            place = self._place(room, NARROW * max(wide), len(wide), legend.corner)
        if not place:
            size = max(wide), len(wide)
            place = room.least(*size) or self._corner(room, *size, 0.0, 1.0)
            place = self._edge(room, size[0], place, legend.corner)
        x, y = place
        way = -1 if align == "end" else 1
        at = x + way * room.width(lead)
        middle = x + way * room.width(KEY / 2)
        rows = [(at, y - k * step, one) for k, one in enumerate(entries)]
        said = [
            words(
                name,
                [(*spot, one.text, one.role) for *spot, one in rows if one.bold == bold],
                align,
                bold=bold,
                size=TYPE if legend.is_small and self.is_large else 1.0,
            )
            for name, bold in ((legend.name, True), (f"{legend.name} notes", False))
        ]
        size = room.width(KEY), step
        keys = {one.of: self[one.of].sample(middle, up, *size) for _, up, one in rows if one.of}
        clickable = [
            (up, *keys[one.of].keys)
            for _, up, one in rows
            if legend.is_clicked and one.of and len(keys[one.of].keys) == 1
        ]
        heights, row_keys = zip(*clickable, strict=True) if clickable else ((), ())
        style: dict[str, Any] = {"opacities": (0.0,), "rim": CLEAR, "size": 300, "keys": row_keys}
        click = Dots("keys", "text", np.full(len(clickable), middle), heights, **style)
        return [*said, *keys.values(), *([click] if clickable else [])]

    def _flush(
        self, room: Room, wide: Sequence[float], i: float, j: float
    ) -> tuple[float, float] | None:
        """Find the place of rows of text flush with a corner, if it is free."""
        (left, right) = self.x.limits
        (low, high) = self.y.limits
        step = room.row * room.span[1]
        x = right - room.width(0.5) if i else left + room.width(0.5)
        y = high - 0.7 * step if j else low + (len(wide) - 0.3) * step
        heights = y - step * np.arange(len(wide))
        covers = room.covers(wide, x, heights, "end" if i else "start")
        return None if covers or i % 1 else (x, y)

    def _written(self, labels: Labels) -> list[Mark]:
        """Place each label in free space, and draw the lines to those with leaders."""
        room = self.room()
        rows = []
        ends = []
        said = set[str]()
        for texts, role, x, y, far in labels.wishes:
            for text in texts:
                if text in said:
                    break
                if place := room.place(text, x, y, far=far):
                    rows.append((*place, text, role))
                    said.add(text)
                    if labels.leaders:
                        ends.append(room.leader((x, y), place))
                    break
        written = words(labels.name, rows, "middle", bold=labels.bold)
        lines = np.reshape(ends, (-1, 2, 2)).transpose(1, 0, 2)
        leaders = Line(f"{labels.name} leaders", "muted", *lines, width=1.0)
        return [leaders, written] if labels.leaders else [written]

    def with_marks(self, *marks: Mark) -> Picture:
        """Add marks on top; a mark with an existing name replaces that one."""
        new = {mark.name: mark for mark in marks}
        kept = [new.pop(mark.name, mark) for mark in self.marks]
        return replace(self, marks=(*kept, *new.values()))

    def with_own(self, own: Mapping[str, Mapping[str, Any]]) -> Picture:
        """Set the user's own properties of marks, by name."""

        def entry(one: Any) -> Any:
            asked = own.get(one.of, {})
            role = "text" if "color" in asked else one.role
            return one._replace(text=str(asked.get("label", one.text)), role=role)

        marks: list[Mark] = []
        for mark in self.marks:
            if isinstance(mark, Legend):
                mark = replace(mark, choices=[list(map(entry, rows)) for rows in mark.choices])
            marks.append(replace(mark, own=own[mark.name]) if mark.name in own else mark)
        return replace(self, marks=tuple(marks))

    def with_hints(self, sides: dict[str, str], found: PlacementCache | None = None) -> Picture:
        """Write "drag" in free space beside each handle.

        ``sides`` holds the last side of each handle, which is kept where possible so that the word
        does not jump.
        """
        picture = self
        found = found or PlacementCache()
        for name, before in sides.items():
            handle = picture[name]
            if not handle.is_shown:
                continue
            room = found.room(picture, name)
            (x,) = handle.x
            (y,) = handle.y
            room.take_dots([x], [y], 0.035)  # the handle itself
            for ways, far in (([before], 0.03), (list(SIDES), 0.05), (list(SIDES), FAR)):
                spots = np.array([x, y]) + np.array([SIDES[way] for way in ways]) * room.span
                if at := room.place(" drag ", *spots.T, far=far):
                    away = np.abs((spots - at) / room.span).sum(axis=1)
                    sides[name] = ways[int(away.argmin())]
                    picture = picture.with_marks(replace(handle, hint=at))
                    break
        return picture

    def with_arrows(self) -> Picture:
        """Show handles outside of the axes as arrows at their edge."""
        ends = self.x.limits, self.y.limits
        marks = [mark.inside(*ends) if isinstance(mark, Handle) else mark for mark in self.marks]
        return replace(self, marks=tuple(marks))


def sheet(
    marks: Iterable[Mark], width: float = 100.0, height: float = 100.0, **style: Any
) -> Picture:
    """Make a picture without axes, which fills its room."""
    x, y = (Axis("", 0.0, side, (), pad=0.0, is_shown=False) for side in (width, height))
    return Picture(x, y, tuple(marks), is_square=False, **style)


#: Functions that place words in a picture, by the kind of mark.
PLACES: dict[type[Mark], Callable[[Picture, Any], Sequence[Mark]]] = {
    Labels: Picture._written,
    Runs: Picture._running,
    Legend: Picture._keyed,
}


class PlacementCache:
    """Cache of places found for words, valid for the next picture if its marks are the same."""

    def __init__(self) -> None:
        self._placed: dict[str, tuple[Any, Sequence[Mark]]] = {}
        self._marks: tuple[Mark, ...] = ()
        self._room: tuple[Any, Room | None] = (None, None)

    def marks(self, picture: Picture, mark: Mark, place: Any) -> Sequence[Mark]:
        """Place words again only if a mark that they avoid has changed."""
        left_out = mark.left_out if isinstance(mark, Legend) else ()
        avoided = [one for one in picture.marks if one.name not in left_out]
        key = picture.x, picture.y, picture.grow, picture.beside, avoided
        if self._placed.get(mark.name, (None, []))[0] != key:
            self._placed[mark.name] = key, place(picture, mark)
        return self._placed[mark.name][1]

    def room(self, picture: Picture, handle: str) -> Room:
        """Compute the room that all marks except a handle leave; unmoved marks are cached."""
        marks = [mark for mark in picture.marks if mark.is_shown and mark.name != handle]
        before = {id(mark) for mark in self._marks}
        self._marks = picture.marks
        still = [mark for mark in marks if id(mark) in before]
        key = picture.x, picture.y, picture.grow, still
        if self._room[0] != key:
            self._room = key, replace(picture, marks=tuple(still)).room()
        assert self._room[1] is not None
        room = self._room[1].copy()
        for mark in marks:
            if id(mark) not in before:
                mark.take(room)
        return room


def _outlined(mark: Mark) -> list[Mark]:
    """Put a dark line beneath a pale one, which is hard to see on paper."""
    if not isinstance(mark, Line) or mark.role != PALE or mark.own.keys() - {"label"}:
        return [mark]
    style: dict[str, Any] = {"role": "text", "width": 1.7 * mark.width, "blocks_text": False}
    style |= {"dash": "none" if mark.dash == "none" else "solid", "keys": (), "own": {}}
    return [replace(mark, name=f"under {mark.name}", **style), mark]


def _share(role: str) -> float:
    """Compare the letters of a piece with bold ones; pieces in colours are bold."""
    return PLAIN if role in ("text", "muted") else 1.0
