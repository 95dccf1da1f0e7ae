"""Free space for words on a picture."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.pictures.axes import Floats
from rocviz.words import letters

# width of a letter and height of a row in a large picture, as shares of it, in the smallest window
LETTER_WIDTH = 0.031
ROW_HEIGHT = 0.058
WORDS_MARGIN = np.array([0.01, 0.022])  # around words, as shares of the picture
N_CELLS = 64  # along each side of a picture
MAX_DISTANCE = 0.2  # words farther away would seem to belong to another mark
SHARE_BEFORE = {
    "start": 0.0,
    "middle": 0.5,
    "end": 1.0,
}  # share of words to the left of their position


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
        self._letter = grow[0] * LETTER_WIDTH / share
        #: Height of a row, as a share of the picture.
        self.row = grow[1] * ROW_HEIGHT
        self._low = np.array([x_range[0], y_range[0]])
        #: Lengths of both ranges, shape (2,).
        self.span = np.array([x_range[1], y_range[1]]) - self._low
        #: Cells (x, y) that words must not cover, and cells that they should not.
        self._taken = np.zeros((N_CELLS, N_CELLS), dtype=bool)
        self._avoided = np.zeros((N_CELLS, N_CELLS), dtype=bool)

    def width(self, text: str | float) -> float:
        """Measure the width of words, or of a number of letters, in units of the axis."""
        return float(self._letter * _letters(text) * self.span[0])

    def _cells(self, x: Any, y: Any) -> Floats:
        ends = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
        return np.asarray((np.column_stack(ends) - self._low) / self.span * N_CELLS)

    def take(self, x: Any, y: Any, *, may_be_covered: bool = False) -> None:
        """Keep words off a line, or off one that may be covered where there is other room."""
        cells = self._cells(x, y)
        cells = cells[np.isfinite(cells).all(axis=1)]
        if not cells.size:
            return
        across, up = cells.clip(-N_CELLS, 2 * N_CELLS).T
        # half a cell after half a cell
        along = np.zeros(across.size)
        step = np.maximum(np.abs(across[1:] - across[:-1]), np.abs(up[1:] - up[:-1]))
        np.cumsum(2 * step, out=along[1:])
        steps = np.linspace(0.0, along[-1], int(along[-1]) + 2)
        grid = self._avoided if may_be_covered else self._taken
        self._mark(grid, np.interp(steps, along, across), np.interp(steps, along, up))

    def take_dots(self, x: Any, y: Any, radius: Any = 0.02) -> None:
        """Keep words off dots; their common or individual radius is a share of the picture."""
        reach = np.atleast_1d(radius)[:, None, None] * N_CELLS
        steps = np.linspace(-1.0, 1.0, int(2 * reach.max()) + 2)
        disc = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        across, up = (self._cells(x, y)[:, None] + disc * reach).reshape(-1, 2).T
        self._mark(self._taken, across, up)

    def take_words(self, mark: Any) -> None:
        """Keep words off those of a mark."""
        for text, x, y in zip(mark.text, mark.x, mark.y, strict=True):
            across, up = self._cells(x, y)[0]
            self._taken[self._box(text, across, up, mark.align, 0.25)] = True

    def covers(self, texts: Iterable[str | float], x: float, heights: Any, align: str) -> bool:
        """Test whether rows of words, or of a number of letters, would overlap a taken box."""
        for text, (across, up) in zip(texts, self._cells(x, heights), strict=True):
            if self._taken[self._box(text, across, up, align, 0.35)].any():
                return True
        return False

    def _box(self, text: str | float, across: float, up: float, align: str, high: float) -> Any:
        """Find the cells of words, which are centred vertically."""
        length = self._letter * _letters(text) * N_CELLS
        left = across - SHARE_BEFORE[align] * length
        half = high * self.row * N_CELLS
        ends = np.array([left, left + length + 1, up - half, up + half + 1])
        first_x, end_x, first_y, end_y = np.clip(np.nan_to_num(ends), 0, N_CELLS).astype(int)
        return slice(first_x, end_x), slice(first_y, end_y)

    def copy(self) -> Room:
        """Copy the room with its taken boxes."""
        copied = copy.copy(self)
        copied._taken = self._taken.copy()
        copied._avoided = self._avoided.copy()
        return copied

    @staticmethod
    def _mark(grid: NDArray[np.bool_], across: Floats, up: Floats) -> None:
        """Set cells of a grid; those outside, or NaN, are ignored."""
        inside = (across >= 0) & (across < N_CELLS) & (up >= 0) & (up < N_CELLS)
        grid[across[inside].astype(int), up[inside].astype(int)] = True

    def place(
        self, text: str | float, x: Any, y: Any, *, rows: int = 1, far: float = MAX_DISTANCE
    ) -> tuple[float, float] | None:
        """Place centred words in the free space nearest to a point, or to any of several.

        ``text`` is the longest of the ``rows`` of words, or its number of letters; the result is
        the centre of the first row, or None if there is no space within the distance ``far``, a
        share of the picture. Lines that may be covered are avoided where possible.
        """
        size = self._size(text, rows)
        if (size > N_CELLS).any():
            return None
        points = self._cells(x, y) / N_CELLS
        # boxes whose centre can be near enough: the first, and the last
        low = np.floor((points.min(axis=0) - far) * N_CELLS - size / 2)
        high = np.ceil((points.max(axis=0) + far) * N_CELLS - size / 2)
        if not np.isfinite(low + high).all() or (high < 0).any() or (low > N_CELLS - size).any():
            return None
        start = np.maximum(low, 0).astype(int)
        end = np.minimum(high, N_CELLS - size).astype(int) + size
        window = slice(start[0], end[0]), slice(start[1], end[1])
        for grid in (self._taken[window] | self._avoided[window], self._taken[window]):
            first = start + np.argwhere(_taken_in_boxes(grid, size) == 0)
            if not first.size:
                continue
            spots = (first + size / 2) / N_CELLS
            away = np.hypot(*(spots[:, None] - points).transpose(2, 0, 1)).min(axis=1)
            nearest = away.argmin()
            if away[nearest] <= far:
                return self._put(first[nearest], size, rows)
        return None

    def leader(self, point: Any, place: Any) -> Floats:
        """Keep words off a line from a point to words at a place, and return its x and y."""
        start = np.array(point, dtype=float)
        away = np.subtract(place, point)
        distance = float(np.hypot(*(away / self.span)))
        share = max(1 - 0.6 * self.row / distance, 0.0) if distance else 0.0
        ends = start + np.outer([0.0, share], away)
        self.take(*ends.T)
        return np.asarray(ends.T)

    def place_over_least(self, text: str | float, rows: int) -> tuple[float, float] | None:
        """Place rows of words where they cover least, see :meth:`place`."""
        size = self._size(text, rows)
        if (size > N_CELLS).any():
            return None
        n_taken = _taken_in_boxes(self._taken, size)
        first = np.array(np.unravel_index(n_taken.argmin(), n_taken.shape))
        return self._put(first, size, rows)

    def _size(self, text: str | float, rows: int) -> Any:
        """Count the cells of rows of words with their margin."""
        half = np.array([_letters(text) * self._letter / 2, rows * self.row / 2])
        return np.ceil(2 * (half + WORDS_MARGIN) * N_CELLS).astype(int)

    def _put(self, first: Any, size: Any, rows: int) -> tuple[float, float]:
        """Take a box of cells, and return the centre of its first row of words."""
        (i, j) = first
        (wide, high) = size
        self._taken[i : i + wide, j : j + high] = True
        spot = (first + size / 2) / N_CELLS + [0.0, (rows / 2 - 0.5) * self.row]
        across, up = spot * self.span + self._low
        return float(across), float(up)


def _letters(text: str | float) -> float:
    return letters(text) if isinstance(text, str) else text


def _taken_in_boxes(taken: Any, size: Any) -> Any:
    """Count the taken cells in every box of a size, from cumulative sums."""
    i, j = size
    sums = np.zeros((taken.shape[0] + 1, taken.shape[1] + 1), dtype=np.int64)
    sums[1:, 1:] = taken.cumsum(axis=0).cumsum(axis=1)
    return sums[i:, j:] - sums[:-i, j:] - sums[i:, :-j] + sums[:-i, :-j]
