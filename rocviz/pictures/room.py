"""Find room for words on a picture, and cut lines that give way to words."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.words import letters

Floats = NDArray[np.float64]
# width of a letter and height of a row in a large picture, as shares of it, in the smallest window
LETTER = 0.031
ROW = 0.058
CLEAR = np.array([0.01, 0.022])  # margin around words
CELLS = 64  # along each side of a picture
FAR = 0.2  # words farther away would seem to belong to another mark
STEPS = 256  # points checked along a line
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
        finite = np.isfinite(at).all(axis=1)
        if not finite.all():
            at = at[finite]
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
        around = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        self._mark(*(self._cells(x, y)[:, None] + around * reach).reshape(-1, 2).T)

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
        self,
        text: str | float,
        x: Any,
        y: Any,
        *,
        rows: int = 1,
        far: float = FAR,
        spare: bool | None = None,
    ) -> tuple[float, float] | None:
        """Place centred words in the free space nearest to a point, or to any of several.

        ``text`` is the longest of the ``rows`` of words, or its number of letters; the result is
        the centre of the first row, or None if there is no space within the distance ``far``, a
        share of the picture. ``spare`` tells whether to avoid lines to spare; by default where
        possible.
        """
        size = self._size(text, rows)
        if (size > CELLS).any():
            return None
        points = self._cells(x, y) / CELLS
        every = {True: self._taken | self._spare, False: self._taken}
        for taken in every.values() if spare is None else [every[spare]]:
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
        start, away = np.array(point, dtype=float), np.subtract(place, point)
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
        return np.ceil(2 * (half + CLEAR) * CELLS).astype(int)

    def _put(self, first: Any, size: Any, rows: int) -> tuple[float, float]:
        """Take a box of cells, and return the centre of its first row of words."""
        (i, j), (wide, high) = first, size
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


def word_boxes(
    marks: Iterable[Any], low: Floats, span: Floats, letter: float, row: float
) -> Floats:
    """Compute left, right, bottom and top of all horizontal words, as shares of a picture.

    Parameters
    ----------
    marks : iterable of Words
        Of a picture.
    low, span : ndarray of shape (2,)
        Lower ends and lengths of the ranges of its axes.
    letter, row : float
        Width of a letter and height of a row, as shares of the picture.
    """
    boxes = []
    for mark in marks:
        if mark.angle:
            continue
        for text, x, y in zip(mark.text, mark.x, mark.y, strict=False):
            wide = letter * letters(text.strip())
            left, middle = (np.array([x, y]) - low) / span
            left -= BEFORE[mark.align] * wide
            if wide:
                boxes.append((left, left + wide, middle - 0.5 * row, middle + 0.5 * row))
    return np.array(boxes).reshape(-1, 4)


def broken(line: Floats, boxes: Floats) -> Floats:
    """Cut a line where boxes cover it; each gap is a height of NaN."""
    corner = np.arange(len(line), dtype=float)
    steps = np.union1d(corner, np.linspace(0, corner[-1], STEPS)) if len(line) > 1 else corner
    at = np.column_stack([np.interp(steps, corner, ends) for ends in line.T])
    x, y = at[:, :1], at[:, 1:]
    within = (x > boxes[:, 0]) & (x < boxes[:, 1]) & (y > boxes[:, 2]) & (y < boxes[:, 3])
    inside = np.asarray(within.any(axis=1), dtype=bool)
    if not inside.any():
        return line
    first = inside & ~np.append(False, inside[:-1])
    beside = np.append(inside[1:], False) | np.append(False, inside[:-1])
    kept = first | (~inside & (np.isin(steps, corner) | beside))
    at[first, 1] = np.nan
    at = at[kept]
    shown = np.flatnonzero(~np.isnan(at[:, 1]))
    # bqplot puts the name of a line at its last point, which must be finite
    return at[: shown[-1] + 1] if len(shown) else line[:1]
