"""A registry of what rocviz has drawn on axes, so that a second display can join a first one.

It is kept beside matplotlib's artists, not in them, so cleared axes lose their entries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Note:
    """What an artist stands for."""

    role: str  # for example `"curve"`, `"hull"`, `"band"`, `"label"`
    text: str = ""  # what its label says
    touch: float = 1.0  # how bad it is for text to touch the artist; 0 does not matter
    data: Any = None  # what its label needs besides


_NOTES: WeakKeyDictionary[Artist, Note] = WeakKeyDictionary()


def note(artist: Artist, role: str, **what: Any) -> None:
    """Remember what an artist stands for."""
    _NOTES[artist] = Note(role, **what)


def note_of(artist: Artist) -> Note | None:
    """Get the role of an artist, or ``None`` if rocviz did not draw it."""
    return _NOTES.get(artist)


def drawn(ax: Axes, role: str) -> Iterator[tuple[Any, Note]]:
    """Yield the artists of a role on axes, in drawing order, with their notes."""
    for artist in ax.get_children():
        found = _NOTES.get(artist)
        if found is not None and found.role == role:
            yield artist, found


def count(ax: Axes, role: str) -> int:
    """Count the artists of a role on axes."""
    return sum(1 for _ in drawn(ax, role))


def erase(ax: Axes, role: str) -> None:
    """Remove the artists of a role from axes."""
    for artist, _ in list(drawn(ax, role)):
        artist.remove()
