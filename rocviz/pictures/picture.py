"""A picture as a value: two axes and the marks between them, placed for a large or a small size.

Pure functions make pictures from results; explorers draw them with bqplot, files with matplotlib.
Two pictures can be compared, and their numbers tested without drawing them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from rocviz.pictures.marks import (
    CLEAR,
    Column,
    Dots,
    Handle,
    Labels,
    Legend,
    Line,
    Mark,
    Runs,
    Words,
    words,
)
from rocviz.pictures.room import FAR, LETTER, ROW, Room, broken, word_boxes
from rocviz.pictures.ticks import UNIT_TICKS, tick_texts
from rocviz.words import letters

PLAIN = 0.9  # width of a regular letter, as a share of a bold one
NARROW = 0.75  # width of a letter on a large screen, as a share of that on a small one
KEY, AFTER = 2.6, 1.3  # widths, in letters, of a mark's sample and of the space after it
#: Font size and letter width of a small legend, as shares of a large one's.
TYPE, WIDTH = 0.86, 0.7
ENDS, INNER = 7, 12  # letters of tick labels that fit at the ends of an axis, and between
#: Positions of "drag" relative to its handle, as shares of the picture.
SIDES = {"right": (0.12, 0.0), "left": (-0.12, 0.0), "above": (0.0, 0.09), "below": (0.0, -0.09)}


@dataclass(frozen=True)
class Axis:
    """An axis: its limits, ticks and label.

    Parameters
    ----------
    label : str
        Written where the picture is large.
    low, high : float
        Range of the data.
    ticks : sequence of float, or mapping of float to str
        Positions of numbers, or of texts; a small picture has fewer.
    pad : float
        Room around the range, as a share of it, so that data at the border is not cut.
    is_shown : bool
        Whether it is drawn at all.
    """

    label: str = ""
    low: float = 0.0
    high: float = 1.0
    ticks: Sequence[float] | Mapping[float, str] | Any = UNIT_TICKS
    pad: float = 0.04
    is_shown: bool = True

    def __post_init__(self) -> None:
        # plain values, so that axes can be compared
        ticks = self.ticks
        plain = dict(ticks) if isinstance(ticks, Mapping) else tuple(np.asarray(ticks).tolist())
        object.__setattr__(self, "ticks", plain)

    @cached_property
    def limits(self) -> tuple[float, float]:
        """The range with its padding."""
        room = self.pad * (self.high - self.low)
        return self.low - room, self.high + room

    def labels(self, *, large: bool, level: bool) -> dict[float, str]:
        """Write the text of each tick; ``level`` is for the x axis."""
        at = np.asarray(list(self.ticks), dtype=float)
        named = isinstance(self.ticks, Mapping)
        texts = list(self.ticks.values()) if isinstance(self.ticks, Mapping) else tick_texts(at)
        words = dict(zip(at.tolist(), texts, strict=True))
        if not large and at.size > 3:
            last = at.size - 1
            at = at[[0, last // 2, last] if last % 2 == 0 else [0, last]]
        longest = max((len(text) for text in words.values()), default=0)
        if level and not named and longest > ENDS and at.size > 2:
            # long numbers would be cut off at the ends, or touch each other
            at = at[1:-1] if longest <= INNER else at[at.size // 2][None]
        return {value: words[value] for value in at.tolist()}


@dataclass(frozen=True)
class Picture:
    """Axes and marks, the later ones on top of the earlier ones.

    Parameters
    ----------
    x, y : Axis
    marks : tuple of Mark
        Each with a name of its own.
    is_square : bool, default=True
        One unit of each axis of the same length; else the picture fills its room.
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
    is_square: bool = True
    is_large: bool = True
    grow: Any = None
    beside: int = 0

    def __post_init__(self) -> None:
        if self.grow is None:
            object.__setattr__(self, "grow", (1.0, 1.0) if self.is_large else (2.0, 2.0))

    def __getitem__(self, name: str) -> Any:
        """Find a mark by name."""
        for mark in self.marks:
            if mark.name == name:
                return mark
        raise KeyError(name)

    def to_json(self) -> dict[str, Any]:
        """Convert the picture into plain JSON, each mark with its kind."""
        kinds = [{"kind": type(mark).__name__, **asdict(mark)} for mark in self.marks]
        plain: dict[str, Any] = _plain({**asdict(replace(self, marks=())), "marks": kinds})
        return plain

    @property
    def overflow(self) -> float:
        """Overhang of words beyond the right end of the x axis, as a share of the picture."""
        (low, high), letter = self.x.limits, self.grow[0] * LETTER
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
        for far, spare in product((0.05, 2.0), (True, False)):
            if place := room.place(wide, *spot, rows=rows, far=far, spare=spare):
                return self._edge(room, wide, place, corner)
        return None

    def _edge(self, room: Room, wide: float, place: Any, corner: Any) -> tuple[float, float]:
        """Compute the flush end of centred rows: the right end in a right corner, else the left."""
        return place[0] + (0.5 if corner[0] == 1 else -0.5) * room.width(wide), place[1]

    def _corner(
        self, room: Room, wide: float, rows: int, i: float, j: float
    ) -> tuple[float, float]:
        """Compute the centre of rows of text in a corner; (0, 0) is the lower left one."""
        (left, right), (low, high) = self.x.limits, self.y.limits
        aside = 0.525 * room.width(wide)
        above = (rows / 2 + 0.2) * room.row * room.span[1]
        ends = (left + aside, right - aside), (low + above, high - above)
        x, y = ((1 - share) * a + share * b for share, (a, b) in zip((i, j), ends, strict=True))
        return x, y

    def _least(self, room: Room, wide: float, rows: int, corner: Any) -> tuple[float, float]:
        """Find the place where rows of text cover least."""
        place = room.least(wide, rows) or self._corner(room, wide, rows, 0.0, 1.0)
        return self._edge(room, wide, place, corner)

    def like(self, before: Picture | None) -> Picture:
        """Reuse the unchanged marks of the previous picture.

        They are then the same objects, so that the places :class:`Found` for words remain valid.
        """
        if before is None:
            return self
        known, marks = {mark.name: mark for mark in before.marks}, []
        for mark in self.marks:
            old = known.get(mark.name)
            marks.append(old if old is not None and old == mark else mark)
        return replace(self, marks=tuple(marks))

    def placed(self, found: Found | None = None) -> Picture:
        """Place the words that have no position yet."""
        picture, found = self, found or Found()
        for mark in self.marks:
            if type(mark) in PLACES:
                picture = PLACES[type(mark)](picture, mark, found)
        return picture

    def _instead(self, mark: Mark, marks: Sequence[Mark]) -> Picture:
        """Replace a mark by several."""
        at = self.marks.index(mark)
        return replace(self, marks=(*self.marks[:at], *marks, *self.marks[at + 1 :]))

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
        left, size = self.x.limits[0], min(1.0, runs.height / (room.row * room.span[1]))
        lengths = [
            [room.width(letters(text) + 1.5) for text, _ in each] for _, _, each, _ in runs.rows
        ]
        for (x, _, _, align), wide in zip(runs.rows, lengths, strict=True):
            beside = x - left if align == "end" else left + room.span[0] - x
            size = min(size, float(beside / sum(wide)))
        pieces = [
            ((x + size * sum(wide[:k]), y, *piece), align, piece[1] not in ("text", "muted"))
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
        lead, wide, corner = 0.0, [0.0], legend.corner
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
        step, align = room.row * room.span[1], "end" if legend.corner[0] == 1 else "start"
        place, entries, wide, lead = self._spot(legend, room)
        if not place and self.beside:
            place = self.x.limits[1] + room.width(1.5), self.y.limits[1] - 0.5 * step
            align = "start"
        if not place:  # widths are for a small screen; on a large one letters are narrower
            place = self._place(room, NARROW * max(wide), len(wide), legend.corner)
        x, y = place or self._least(room, max(wide), len(wide), legend.corner)
        way = -1 if align == "end" else 1
        at, middle = x + way * room.width(lead), x + way * room.width(KEY / 2)
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
        felt = [
            (up, *keys[one.of].keys)
            for _, up, one in rows
            if legend.is_clicked and one.of and len(keys[one.of].keys) == 1
        ]
        heights, called = zip(*felt, strict=True) if felt else ((), ())
        looks: dict[str, Any] = {"opacities": (0.0,), "rim": CLEAR, "size": 300, "keys": called}
        click = Dots("keys", "text", np.full(len(felt), middle), heights, **looks)
        return [*said, *keys.values(), *([click] if felt else [])]

    def _flush(
        self, room: Room, wide: Sequence[float], i: float, j: float
    ) -> tuple[float, float] | None:
        """Find the place of rows of text flush with a corner, if it is free."""
        (left, right), (low, high) = self.x.limits, self.y.limits
        step = room.row * room.span[1]
        x = right - room.width(0.5) if i else left + room.width(0.5)
        y = high - 0.7 * step if j else low + (len(wide) - 0.3) * step
        heights = y - step * np.arange(len(wide))
        covers = room.covers(wide, x, heights, "end" if i else "start")
        return None if covers or i % 1 else (x, y)

    def _written(self, labels: Labels) -> list[Mark]:
        """Place each label in free space, and draw the lines to those with leaders."""
        room, rows, ends, said = self.room(), [], [], set[str]()
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
                mark = replace(mark, choices=[[*map(entry, rows)] for rows in mark.choices])
            marks.append(replace(mark, own=own[mark.name]) if mark.name in own else mark)
        return replace(self, marks=tuple(marks))

    def with_hints(self, sides: dict[str, str], found: Found | None = None) -> Picture:
        """Write "drag" in free space beside each handle.

        ``sides`` holds the last side of each handle, which is kept where possible so that the word
        does not jump.
        """
        picture, found = self, found or Found()
        for name, before in sides.items():
            handle = picture[name]
            if not handle.is_shown:
                continue
            room = found.room(picture, name)
            (x,), (y,) = handle.x, handle.y
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

    def with_gaps(self) -> Picture:
        """Cut gaps for words into the lines that yield."""
        if not [mark for mark in self.marks if getattr(mark, "yields", False)]:
            return self
        low, high = np.transpose((self.x.limits, self.y.limits))
        letter, row = np.multiply(self.grow, (LETTER, ROW))
        boxes = word_boxes(self._words(), low, high - low, letter, row)
        boxes = boxes * np.repeat(high - low, 2) + np.repeat(low, 2)
        half = 0.5 * row * (high - low)[1]
        keys = [mark for mark in self.marks if mark.name.startswith("key:") and mark.is_shown]
        beside = [(k.x.min(), k.x.max(), k.y.mean() - half, k.y.mean() + half) for k in keys]
        boxes = np.vstack((boxes, np.reshape(beside, (-1, 4))))
        if not boxes.size:
            return self
        marks = [
            _gapped(mark, boxes)
            if isinstance(mark, Line) and mark.yields and mark.is_shown
            else mark
            for mark in self.marks
        ]
        return replace(self, marks=tuple(marks))

    def _words(self) -> list[Words]:
        return [mark for mark in self.marks if isinstance(mark, Words) and mark.is_shown] + [
            Words("", "text", *np.transpose([mark.hint]), text=["drag"], align="middle")
            for mark in self.marks
            if isinstance(mark, Handle) and mark.hint is not None
        ]


#: Functions that place words in a picture, by the kind of mark.
PLACES: dict[type[Mark], Callable[[Picture, Any, Found], Picture]] = {
    Labels: lambda picture, mark, _found: picture._instead(mark, picture._written(mark)),
    Runs: lambda picture, mark, _found: picture._instead(mark, picture._running(mark)),
    Column: lambda picture, mark, _found: picture._with_column(mark),
    Legend: lambda picture, mark, found: picture._instead(mark, found.rows(picture, mark)),
}


class Found:
    """Cache of places found for words, valid for the next picture if its marks are the same."""

    def __init__(self) -> None:
        self._legends: dict[str, tuple[Any, list[Mark]]] = {}
        self._marks: tuple[Mark, ...] = ()
        self._room: tuple[Any, Room | None] = (None, None)

    def rows(self, picture: Picture, legend: Legend) -> list[Mark]:
        """Place a legend, or reuse its place if no mark that it avoids has changed."""
        around = [mark for mark in picture.marks if mark.name not in legend.left_out]
        key = picture.x, picture.y, picture.grow, picture.beside, around
        if self._legends.get(legend.name, (None, []))[0] != key:
            self._legends[legend.name] = key, picture._keyed(legend)
        return self._legends[legend.name][1]

    def room(self, picture: Picture, handle: str) -> Room:
        """Compute the room that all marks except a handle leave; unmoved marks are cached."""
        marks = [mark for mark in picture.marks if mark.is_shown and mark.name != handle]
        before, self._marks = {id(mark) for mark in self._marks}, picture.marks
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


def _gapped(line: Any, boxes: Any) -> Any:
    """Cut the parts of a line inside any of the boxes."""
    rows = [broken(row, boxes) for row in line.rows]
    most = max(map(len, rows))
    x, y = np.stack(
        [np.pad(row, ((0, most - len(row)), (0, 0)), "edge") for row in rows]
    ).transpose(2, 0, 1)
    return replace(line, x=x if len(x) > 1 else x[0], y=y if len(y) > 1 else y[0])


def _plain(value: Any) -> Any:
    """Convert arrays and tuples into lists, and NaN and infinities into None."""
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, str | bool | None):
        return value
    if isinstance(value, Sequence | np.ndarray):
        return [_plain(one) for one in value]
    return value if np.isfinite(value) else None
