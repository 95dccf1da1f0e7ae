"""A picture: two axes and the marks between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from operator import is_
from typing import Any

from rocviz.pictures.axes import Axis
from rocviz.pictures.marks import Entry, Handle, Legend, Mark, Words
from rocviz.pictures.room import LETTER_WIDTH, Room
from rocviz.words import letters


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
        letter = self.grow[0] * LETTER_WIDTH
        right_end = 1.0
        for mark in self.marks:
            if not isinstance(mark, Words) or mark.align != "start":
                continue
            for x, text in zip(mark.x, mark.text, strict=True):
                if x > high:
                    end = (x - low) / (high - low) + letter * letters(text)
                    right_end = max(right_end, end)
        return right_end - 1.0

    def room(self, *left_out: str, share: float = 1.0) -> Room:
        """Compute the room for words that all marks leave, except those ``left_out``."""
        room = Room(self.x.limits, self.y.limits, share, self.grow)
        for mark in self.marks:
            if mark.name not in left_out and mark.is_shown:
                mark.take(room)
        return room

    def reuse_marks(self, before: Picture | None) -> Picture:
        """Reuse the unchanged marks of the previous picture.

        They are then the same objects, so that the places of words in a :class:`.PlacementCache`
        stay valid.
        """
        if before is None:
            return self
        known = {mark.name: mark for mark in before.marks}
        marks = []
        for mark in self.marks:
            old = known.get(mark.name)
            marks.append(old if old == mark else mark)
        return replace(self, marks=tuple(marks))

    def shows_the_same(self, before: Picture) -> bool:
        """Test whether a picture shows the marks of a former one, see :meth:`reuse_marks`."""
        if len(self.marks) != len(before.marks) or not all(map(is_, self.marks, before.marks)):
            return False
        return replace(self, marks=()) == replace(before, marks=())

    def with_marks(self, *marks: Mark) -> Picture:
        """Add marks on top; a mark with an existing name replaces that one."""
        new = {mark.name: mark for mark in marks}
        present = [new.pop(mark.name, mark) for mark in self.marks]
        return replace(self, marks=(*present, *new.values()))

    def with_own(self, own: Mapping[str, Mapping[str, Any]]) -> Picture:
        """Set the user's own properties of marks, by name."""

        def with_properties(entry: Entry) -> Entry:
            properties = own.get(entry.of, {})
            role = "text" if "color" in properties else entry.role
            return entry._replace(text=str(properties.get("label", entry.text)), role=role)

        marks: list[Mark] = []
        for mark in self.marks:
            if isinstance(mark, Legend):
                choices = [list(map(with_properties, rows)) for rows in mark.choices]
                mark = replace(mark, choices=choices)
            marks.append(replace(mark, own=own[mark.name]) if mark.name in own else mark)
        return replace(self, marks=tuple(marks))

    def with_arrows(self) -> Picture:
        """Show handles outside of the axes as arrows at their edge."""
        ends = self.x.limits, self.y.limits
        marks = [mark.inside(*ends) if isinstance(mark, Handle) else mark for mark in self.marks]
        return replace(self, marks=tuple(marks))


def sheet(
    marks: Iterable[Mark], width: float = 100.0, height: float = 100.0, **style: Any
) -> Picture:
    """Make a picture without axes, which fills its room."""
    x = Axis("", 0.0, width, (), pad=0.0, is_shown=False)
    y = Axis("", 0.0, height, (), pad=0.0, is_shown=False)
    return Picture(x, y, tuple(marks), is_square=False, **style)
