"""Place the words of a picture that have no position yet, once its size is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rocviz.pictures.marks import (
    PALE_ROLE,
    TRANSPARENT,
    Column,
    Dots,
    Entry,
    Labels,
    Legend,
    Line,
    Mark,
    Runs,
    Words,
    words,
)
from rocviz.pictures.picture import Picture
from rocviz.pictures.room import LETTER_WIDTH, MAX_DISTANCE, Room
from rocviz.words import letters

Point = tuple[float, float]

REGULAR_LETTER_SHARE = 0.9  # of a regular letter, as a share of a bold one
LARGE_SCREEN_LETTER_SHARE = 0.75  # of a letter on a large screen, as a share of that on a small one
# widths, in letters, of a mark's sample and of the space after it
LEGEND_SAMPLE_LETTERS = 2.6
LEGEND_GAP_LETTERS = 1.3
#: Font size and letter width of a small legend, as shares of a large one's.
SMALL_FONT_SHARE = 0.86
SMALL_LETTER_SHARE = 0.7
#: Positions of "drag" relative to its handle, as shares of the picture.
HINT_SIDES = {
    "right": (0.12, 0.0),
    "left": (-0.12, 0.0),
    "above": (0.0, 0.09),
    "below": (0.0, -0.09),
}


# ---------------------------------------------------------------------- all words


class PlacementCache:
    """Cache of places found for words, valid for the next picture if its marks are the same."""

    def __init__(self) -> None:
        self._placed: dict[str, tuple[Any, Sequence[Mark]]] = {}
        self._marks: tuple[Mark, ...] = ()
        self._room: tuple[Any, Room | None] = (None, None)

    def marks(
        self, picture: Picture, mark: Mark, place: Callable[[Picture, Any], Sequence[Mark]]
    ) -> Sequence[Mark]:
        """Place words again only if a mark that they avoid has changed."""
        left_out = mark.left_out if isinstance(mark, Legend) else ()
        avoided = [other for other in picture.marks if other.name not in left_out]
        key = picture.x, picture.y, picture.grow, picture.beside, avoided
        if self._placed.get(mark.name, (None, []))[0] != key:
            self._placed[mark.name] = key, place(picture, mark)
        return self._placed[mark.name][1]

    def room(self, picture: Picture, handle: str) -> Room:
        """Compute the room that all marks except a handle leave; unmoved marks are cached."""
        marks = [mark for mark in picture.marks if mark.is_shown and mark.name != handle]
        before = {id(mark) for mark in self._marks}
        self._marks = picture.marks
        unmoved = [mark for mark in marks if id(mark) in before]
        key = picture.x, picture.y, picture.grow, unmoved
        if self._room[0] != key:
            self._room = key, replace(picture, marks=tuple(unmoved)).room()
        assert self._room[1] is not None
        room = self._room[1].copy()
        for mark in marks:
            if id(mark) not in before:
                mark.take(room)
        return room


def place_words(picture: Picture, cache: PlacementCache | None = None) -> Picture:
    """Place the words that have no position yet, and outline pale lines.

    Parameters
    ----------
    picture : Picture
    cache : PlacementCache, optional
        Of the picture before, whose places are kept where the marks are the same.
    """
    cache = cache or PlacementCache()
    placed = picture
    for mark in picture.marks:
        if isinstance(mark, Column):
            placed = _with_column(placed, mark)
        elif place := PLACES.get(type(mark)):
            index = placed.marks.index(mark)
            marks = list(placed.marks)
            marks[index : index + 1] = cache.marks(placed, mark, place)
            placed = replace(placed, marks=tuple(marks))
    outlined: list[Mark] = []
    for mark in placed.marks:
        outlined += _outlined(mark)
    return replace(placed, marks=tuple(outlined))


def place_hints(
    picture: Picture, sides: dict[str, str], cache: PlacementCache | None = None
) -> Picture:
    """Write "drag" in free space beside each handle; where there is none, its arrows say it.

    ``sides`` has the last side of each handle by its name, which is kept where possible so that
    the word does not jump; a new side is stored there.
    """
    cache = cache or PlacementCache()
    for name, last_side in sides.items():
        handle = picture[name]
        if not handle.is_shown:
            continue
        room = cache.room(picture, name)
        (x,) = handle.x
        (y,) = handle.y
        room.take_dots([x], [y], 0.035)  # the handle itself
        hint: tuple[float, ...] = ()
        every_side = list(HINT_SIDES)
        for candidates, distance in (
            ([last_side], 0.03),
            (every_side, 0.05),
            (every_side, MAX_DISTANCE),
        ):
            offsets = np.array([HINT_SIDES[side] for side in candidates]) * room.span
            spots = np.array([x, y]) + offsets
            place = room.place(" drag ", *spots.T, far=distance)
            if place:
                away = np.abs((spots - place) / room.span).sum(axis=1)
                sides[name] = candidates[int(away.argmin())]
                hint = place
                break
        picture = picture.with_marks(replace(handle, hint=hint))
    return picture


def _outlined(mark: Mark) -> list[Mark]:
    """Put a dark line beneath a pale one, which is hard to see on paper."""
    if not isinstance(mark, Line) or mark.role != PALE_ROLE or mark.own.keys() - {"label"}:
        return [mark]
    outline = replace(
        mark,
        name=f"under {mark.name}",
        role="text",
        width=1.7 * mark.width,
        dash="none" if mark.dash == "none" else "solid",
        blocks_text=False,
        keys=(),
        own={},
    )
    return [outline, mark]


# ---------------------------------------------------------------------- labels, columns and runs


def _place_labels(picture: Picture, labels: Labels) -> list[Mark]:
    """Place each label in free space, and draw the lines to those with leaders."""
    room = picture.room()
    rows = []
    ends = []
    written = set[str]()
    for texts, role, x, y, distance in labels.point_labels:
        for text in texts:
            if text in written:
                break
            if place := room.place(text, x, y, far=distance):
                rows.append((*place, text, role))
                written.add(text)
                if labels.leaders:
                    ends.append(room.leader((x, y), place))
                break
    placed = words(labels.name, rows, "middle", bold=labels.bold)
    if not labels.leaders:
        return [placed]
    lines = np.reshape(ends, (-1, 2, 2)).transpose(1, 0, 2)
    return [Line(f"{labels.name} leaders", "muted", *lines, width=1.0), placed]


def _with_column(picture: Picture, column: Column) -> Picture:
    """Extend the x axis so that words fit to the right of the data."""
    low, high = picture.x.limits
    letter = picture.grow[0] * LETTER_WIDTH
    longest = max((letters(text) for _, _, text, _ in column.rows), default=0)
    end = low + (high - low) / (1 - min((REGULAR_LETTER_SHARE * longest + 1.5) * letter, 0.65))
    rows = [(high + letter * (end - low), *row[1:]) for row in column.rows]
    extended = replace(picture, x=replace(picture.x, high=picture.x.high + end - high))
    return extended.with_marks(words(column.name, rows, bold=False))


def _place_runs(picture: Picture, runs: Runs) -> list[Words]:
    """Place pieces of text one after the other, in one size."""
    room = picture.room(runs.name)
    left = picture.x.limits[0]
    size = min(1.0, runs.height / (room.row * room.span[1]))
    widths = []
    for x, _, pieces, align in runs.rows:
        row_widths = [
            room.width(_width_of_letters(role) * letters(text) + 1.5) for text, role in pieces
        ]
        available = x - left if align == "end" else left + room.span[0] - x
        size = min(size, float(available / sum(row_widths)))
        widths.append(row_widths)
    placed: dict[tuple[str, bool], list[tuple[float, float, str, str]]] = {
        ("start", True): [],
        ("start", False): [],
        ("end", True): [],
        ("end", False): [],
    }
    for (x, y, pieces, align), row_widths in zip(runs.rows, widths, strict=True):
        for index, (text, role) in enumerate(pieces):
            start = x + size * sum(row_widths[:index])
            placed[align, _is_bold(role)].append((start, y, text, role))
    marks = []
    for (align, is_bold), rows in placed.items():
        name = f"{runs.name} {align}{' bold' if is_bold else ''}"
        marks.append(words(name, rows, align, bold=is_bold, size=size))
    return marks


def _is_bold(role: str) -> bool:
    """Decide whether a piece of a run is bold: pieces in colours are."""
    return role not in ("text", "muted")


def _width_of_letters(role: str) -> float:
    """Find the width of a piece's letters, as a share of that of bold ones."""
    return 1.0 if _is_bold(role) else REGULAR_LETTER_SHARE


# ---------------------------------------------------------------------- legends


@dataclass(frozen=True)
class LegendRows:
    """The rows of a legend with their widths.

    Parameters
    ----------
    entries : sequence of Entry
    widths : list of float
        In letters, with the room for samples.
    indent : float
        Room for the samples and the space after them, in letters.
    """

    entries: Sequence[Entry]
    widths: list[float]
    indent: float

    @classmethod
    def of(cls, entries: Sequence[Entry]) -> LegendRows:
        """Measure the rows."""
        indent = 0.0
        if any(entry.of for entry in entries):
            indent = LEGEND_SAMPLE_LETTERS + LEGEND_GAP_LETTERS
        widths = []
        for entry in entries:
            share = 1 if entry.bold else REGULAR_LETTER_SHARE
            widths.append(letters(entry.text) * share + indent)
        return cls(entries, widths, indent)

    @property
    def width(self) -> float:
        """Width of the longest row in letters."""
        return max(self.widths, default=0.0)

    @property
    def size(self) -> tuple[float, int]:
        """Width in letters and number of rows."""
        return self.width, len(self.widths)


@dataclass(frozen=True)
class LegendPlace:
    """A place for a legend: where its first row starts or ends, and its rows."""

    x: float
    y: float
    rows: LegendRows


def has_room(picture: Picture, legend: Legend) -> bool:
    """Test whether there is free space for a legend."""
    return _free_place(picture, legend, _room_of(picture, legend)) is not None


def _room_of(picture: Picture, legend: Legend) -> Room:
    share = 1 / SMALL_LETTER_SHARE if legend.is_small else 1.0
    return picture.room(*legend.left_out, share=share)


def _choices(picture: Picture, legend: Legend) -> Sequence[Sequence[Entry]]:
    """List the versions of a legend that are tried on the axes."""
    return legend.choices[:1] if picture.beside == 2 else legend.choices


def _free_place(picture: Picture, legend: Legend, room: Room) -> LegendPlace | None:
    """Find free space for the first version of a legend that has some."""
    for entries in _choices(picture, legend):
        rows = LegendRows.of(entries)
        place = _flush_place(picture, room, rows.widths, legend.corner)
        if place is None:
            place = _near_corner(picture, room, *rows.size, legend.corner)
        if place is not None:
            return LegendPlace(*place, rows)
    return None


def _forced_place(picture: Picture, legend: Legend, room: Room, rows: LegendRows) -> LegendPlace:
    """Place a legend where its widths say that there is no room, over as little as possible."""
    width, n_rows = rows.size
    # widths are for a small screen; on a large one letters are narrower
    place = _near_corner(picture, room, LARGE_SCREEN_LETTER_SHARE * width, n_rows, legend.corner)
    if place is None:
        centre = room.place_over_least(width, n_rows)
        if centre is None:
            centre = _centre_in_corner(picture, room, width, n_rows, (0.0, 1.0))
        place = _flush_end(room, width, centre, legend.corner)
    return LegendPlace(*place, rows)


def _place_legend(picture: Picture, legend: Legend) -> list[Mark]:
    """Make the marks of a legend: its words, bold and regular, and a sample beside each row."""
    room = _room_of(picture, legend)
    step = room.row * room.span[1]
    align = "end" if legend.corner[0] == 1 else "start"
    place = _free_place(picture, legend, room)
    if place is None:
        choices = _choices(picture, legend)
        rows = LegendRows.of(choices[-1] if choices else ())
        if picture.beside:
            x = picture.x.limits[1] + room.width(1.5)
            place = LegendPlace(x, picture.y.limits[1] - 0.5 * step, rows)
            align = "start"
        else:
            place = _forced_place(picture, legend, room, rows)
    direction = -1 if align == "end" else 1
    text_x = place.x + direction * room.width(place.rows.indent)
    sample_x = place.x + direction * room.width(LEGEND_SAMPLE_LETTERS / 2)
    bold = []
    regular = []
    samples: dict[str, Mark] = {}
    clickable = []
    for index, entry in enumerate(place.rows.entries):
        y = place.y - index * step
        row = (text_x, y, entry.text, entry.role)
        if entry.bold:
            bold.append(row)
        else:
            regular.append(row)
        if entry.of:
            sample = picture[entry.of].sample(sample_x, y, room.width(LEGEND_SAMPLE_LETTERS), step)
            samples[entry.of] = sample
            if legend.is_clicked and len(sample.keys) == 1:
                clickable.append((y, *sample.keys))
    size = SMALL_FONT_SHARE if legend.is_small and picture.is_large else 1.0
    marks: list[Mark] = [
        words(legend.name, bold, align, bold=True, size=size),
        words(f"{legend.name} notes", regular, align, bold=False, size=size),
        *samples.values(),
    ]
    if clickable:
        heights, keys = zip(*clickable, strict=True)
        places = np.full(len(clickable), sample_x)
        marks.append(
            Dots(
                "keys",
                "text",
                places,
                heights,
                opacities=(0.0,),
                rim=TRANSPARENT,
                size=300,
                keys=keys,
            )
        )
    return marks


def _flush_place(
    picture: Picture, room: Room, widths: Sequence[float], corner: Point
) -> Point | None:
    """Find the place of rows of text flush with a corner, if it is free."""
    (left, right) = picture.x.limits
    (low, high) = picture.y.limits
    share_x, share_y = corner
    step = room.row * room.span[1]
    x = right - room.width(0.5) if share_x else left + room.width(0.5)
    y = high - 0.7 * step if share_y else low + (len(widths) - 0.3) * step
    heights = y - step * np.arange(len(widths))
    if share_x % 1 or room.covers(widths, x, heights, "end" if share_x else "start"):
        return None
    return x, y


def _near_corner(
    picture: Picture, room: Room, width: float, n_rows: int, corner: Point
) -> Point | None:
    """Find the free place for rows of text that is nearest to a corner."""
    in_corner = _centre_in_corner(picture, room, width, n_rows, corner)
    for distance in (0.05, 2.0):
        if centre := room.place(width, *in_corner, rows=n_rows, far=distance):
            return _flush_end(room, width, centre, corner)
    return None


def _centre_in_corner(
    picture: Picture, room: Room, width: float, n_rows: int, corner: Point
) -> Point:
    """Compute the centre of rows of text in a corner; (0, 0) is the lower left one."""
    (left, right) = picture.x.limits
    (low, high) = picture.y.limits
    share_x, share_y = corner
    aside = 0.525 * room.width(width)
    above = (n_rows / 2 + 0.2) * room.row * room.span[1]
    x = (1 - share_x) * (left + aside) + share_x * (right - aside)
    y = (1 - share_y) * (low + above) + share_y * (high - above)
    return x, y


def _flush_end(room: Room, width: float, centre: Point, corner: Point) -> Point:
    """Compute the flush end of centred rows: the right end in a right corner, else the left."""
    x, y = centre
    half = 0.5 * room.width(width)
    return (x + half if corner[0] == 1 else x - half), y


#: Functions that place words in a picture, by the kind of mark.
PLACES: dict[type[Mark], Callable[[Picture, Any], Sequence[Mark]]] = {
    Labels: _place_labels,
    Runs: _place_runs,
    Legend: _place_legend,
}
