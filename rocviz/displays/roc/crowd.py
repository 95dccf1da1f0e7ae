"""People as dots at their scores, and in the cells that their predictions put them into.

Positives stand above a line and negatives below, in columns. They are filled if predicted positive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.roc.metrics import ConfusionTable
from rocviz.core.roc.segments import RankedSegments
from rocviz.pictures import (
    UNIT_TICKS,
    Areas,
    Axis,
    Handle,
    Line,
    Mark,
    People,
    Picture,
    boxes,
    sheet,
    tick_text,
    uprights,
    words,
)
from rocviz.words import (
    UNNAMED,
    ClassNames,
    amount,
    letters,
    short_amount,
    short_names,
    shorten,
)

MAX_DOTS = 300  # about; with more people a dot is several of them
MIN_COLUMNS = 8
MAX_COLUMNS = 60
MAX_SIZE = 0.07  # of a dot with the space around it, as a share of the height
MIN_SHARE_OF_SIZE = 0.85  # of the largest dots that there is room for
MIN_LEVEL_ROWS = 5  # of either class, where both have the same room
MAX_ABREAST = 4  # dots beside each other in a column

#: Names of the cells of positives and of negatives, from the highest scores down; they stand in the
#: opposite order, as the scores do.
CELLS = (("found", "missed"), ("false alarms", "left alone"))
ZONES = (("ruled in", "referred", "ruled out"),) * 2
ROLES = ("positive", "negative")
COUNT_SIZES = {2: 1.0, 3: 0.8}  # font size of counts, as a share, by the number of cells abreast


def people_per_dot(total: float, *, are_whole: bool = True, max_dots: int = MAX_DOTS) -> float:
    """Choose how many people a dot stands for, 1, 2, 5, 10, ..., so that dots are not too many.

    Weights that are not whole numbers may also have dots of 0.5, 0.2, 0.1, ...

    Examples
    --------
    >>> people_per_dot(300), people_per_dot(301), people_per_dot(1_000_000)
    (1.0, 2.0, 5000.0)
    """
    exponent = 0 if are_whole else int(np.floor(np.log10(total / max_dots)))
    while True:
        for digit in (1, 2, 5):
            per_dot = float(digit * 10**exponent) if exponent >= 0 else digit / 10**-exponent
            if total / per_dot <= max_dots:
                return per_dot
        exponent += 1


@dataclass(frozen=True, eq=False)
class Crowd:
    """The people of one class, from the highest score down; a dot is one of them or several.

    Parameters
    ----------
    scores : ndarray, shape (n_dots,)
        The score in the middle of those that a dot stands for.
    total : float
        Number of people, or their weight.
    """

    scores: Floats
    total: float

    def n_first(self, count: float) -> int:
        """Count the dots of the first people of the ranking."""
        n_dots = self.scores.size
        if not n_dots:
            return 0
        per_dot = self.total / n_dots
        return min(max(ceil(count / per_dot - 0.5 - 1e-9), 0), n_dots)


def crowd_of(score: Floats, weight: Floats, per_dot: float) -> Crowd:
    """Stand dots for the people of one class; scores decrease."""
    reached = np.cumsum(weight)
    total = float(reached[-1])
    n_dots = max(round(total / per_dot), 1) if total else 0
    middles = (np.arange(n_dots) + 0.5) * total / max(n_dots, 1)
    at = np.minimum(np.searchsorted(reached, middles, side="right"), score.size - 1)
    return Crowd(score[at], total)


class Queue:
    """The people of one ranking in columns, the same until the data change."""

    def __init__(
        self, crowds: tuple[Crowd, ...], bounds: tuple[float, float], per_dot: float
    ) -> None:
        #: Positives and negatives; or all people, if it is not known which they are.
        self.crowds = crowds
        self.bounds = bounds
        #: How many samples a dot stands for.
        self.per_dot = per_dot
        self._columns: dict[tuple[float, bool, float], Columns] = {}

    @classmethod
    def of(
        cls,
        segments: RankedSegments,
        bounds: tuple[float, float] | None = None,
        per_dot: float | None = None,
    ) -> Queue:
        """Line up the samples of a ranking."""
        if bounds is None:
            bounds = bounds_of(segments)
        if per_dot is None:
            per_dot = dots_of(segments)
        weights = (segments.pos, segments.neg)
        crowds = tuple(crowd_of(segments.score, weight, per_dot) for weight in weights)
        return cls(crowds, bounds, per_dot)

    def columns(
        self, shape: float, *, is_level: bool = False, max_size: float = MAX_SIZE
    ) -> Columns:
        """Place the dots so that they are as large as possible; ``shape`` is width over height.

        A column may be some dots wide: of those with its scores the lowest stand left. If it
        ``is_level``, both classes have the same room, whichever has the higher columns. Dots that
        take ``max_size``, a share of the height, are large enough.
        """
        key = (shape, is_level, max_size)
        if key not in self._columns:
            self._columns[key] = self._place(shape, max_size, is_level=is_level)
        return self._columns[key]

    def _place(self, shape: float, max_size: float, *, is_level: bool) -> Columns:
        low, high = self.bounds
        span = high - low
        shares = [(crowd.scores - low) / span for crowd in self.crowds]
        candidates: list[Any] = []
        for n_columns in range(MIN_COLUMNS, MAX_COLUMNS + 1):
            column = [
                np.minimum((share * n_columns).astype(np.intp), n_columns - 1) for share in shares
            ]
            counts = [np.bincount(one, minlength=n_columns) for one in column]
            for abreast in range(1, MAX_ABREAST + 1):
                heights = [-(-int(count.max()) // abreast) for count in counts]
                if is_level:
                    heights = [max(*heights, MIN_LEVEL_ROWS)] * 2
                # the same room for each column, and half a row on either side of the line
                size = min(shape / (n_columns * abreast), 1 / (sum(heights) + 1), max_size)
                candidates.append((size, n_columns, abreast, column, heights))
        # a dot stands the nearer at its score, the narrower its column is
        largest = max(candidate[0] for candidate in candidates)
        finest = max(
            (candidate for candidate in candidates if candidate[0] >= MIN_SHARE_OF_SIZE * largest),
            key=lambda candidate: (candidate[1], -candidate[2]),
        )
        _, n_columns, abreast, column, heights = finest
        width = span / (n_columns * abreast)
        places = []
        for one in column:
            rank, count = _ranks_within(one)
            # as many beside each other as there have to be, around the middle of the column
            wide = np.minimum(abreast, count)
            high_as = -(-count // wide)
            across = wide - 1 - rank // high_as
            left = low + one * abreast * width + (abreast - wide) * width / 2
            places.append((left + (across + 0.5) * width, rank % high_as))
        return Columns(width, heights, places)


class Columns(NamedTuple):
    """Places of the dots of both classes: their distance, the highest columns, x and row."""

    width: float
    heights: list[int]
    places: list[tuple[Floats, Any]]


def _ranks_within(column: Any) -> tuple[Any, Any]:
    """Compute the rank of each dot in its column, from 0, and the number of dots there."""
    order = np.argsort(column, kind="stable")
    counts = np.bincount(column)
    ends = np.cumsum(counts)
    ranks = np.empty(column.size, dtype=np.intp)
    ranks[order] = np.arange(column.size) - (ends - counts)[column[order]]
    return ranks, counts[column]


def bounds_of(segments: RankedSegments) -> tuple[float, float]:
    """Find the range of the scores: [0, 1] where all are within."""
    low, high = float(segments.score[-1]), float(segments.score[0])
    if low >= 0 and high <= 1:
        return 0.0, 1.0
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def dots_of(*rankings: RankedSegments, max_dots: int = MAX_DOTS) -> float:
    """Choose how many people a dot stands for in one ranking, or in all of several."""
    total = sum(segments.n_samples for segments in rankings)
    are_whole = all(
        (weight == np.round(weight)).all()
        for segments in rankings
        for weight in (segments.pos, segments.neg)
    )
    return people_per_dot(float(total), are_whole=are_whole, max_dots=max_dots)


class Threshold(NamedTuple):
    """A threshold, and the people of either class who score at least that."""

    score: float
    n_pos: float
    n_neg: float
    handle: str = "threshold"
    letter: str = ""


def threshold_at(table: ConfusionTable, **about: str) -> Threshold:
    """Make the threshold of a confusion table."""
    return Threshold(table.threshold, table.tp, table.fp, **about)


class Bar(NamedTuple):
    """A rate as a bar, as wide as the cells of a row.

    Parameters
    ----------
    pieces : tuple of (str, float)
        Roles and shares of its pieces, from the right, where those predicted positive stand.
    rest : str
        Role of what is left of it, which is paler.
    text, ink : str
        Words above it, and their colour.
    over : int
        The class whose cells it stands above: 0 for positives, 1 for negatives.
    is_of_class : bool
        Whether it shows how that class is divided between its cells.
    """

    pieces: tuple[tuple[str, float], ...]
    rest: str
    text: str
    ink: str
    over: int = 0
    is_of_class: bool = False


@dataclass(frozen=True, eq=False)
class Row:
    """People on one line with their thresholds, and the cells beside it.

    Parameters
    ----------
    queue : Queue
    thresholds : tuple of Threshold
        The thresholds, from the highest down.
    name, role : str
        Name of these people, and its colour.
    key : str
        What the names of its marks end with, if there are several rows.
    is_level : bool
        Whether the line stays in the middle, so that one can draw on either side of it.
    bars : tuple of Bar
        Rates of these people.
    """

    queue: Queue
    thresholds: tuple[Threshold, ...]
    name: str = ""
    role: str = "text"
    key: str = ""
    is_level: bool = False
    bars: tuple[Bar, ...] = ()


@dataclass(frozen=True, eq=False)
class PeopleScene:
    """The contents of a picture of people.

    Parameters
    ----------
    rows : tuple of Row
        Of one ranking, or of several groups.
    per_dot : float
        How many people a dot stands for.
    names : ClassNames
        Names of the classes.
    cells : tuple of (tuple of str)
        Names of the cells of either class.
    label : str
        Of the axis.
    is_draggable : bool
        Whether the thresholds have handles.
    roles : tuple of str
        Colours of the classes; one of them, if it is not known who is positive.
    link : str, optional
        Dash of the line that joins the thresholds of all rows, which move together.
    shared : tuple of (float, float)
        Lowest and highest value of each rate that all rows share: a line through their bars, or an
        area where the rates differ.
    """

    rows: tuple[Row, ...]
    per_dot: float
    names: ClassNames = UNNAMED
    cells: tuple[tuple[str, ...], ...] = CELLS
    label: str = "score"
    is_draggable: bool = True
    roles: tuple[str, ...] = ROLES
    link: str = ""
    shared: tuple[tuple[float, float], ...] = ()

    @property
    def line_share(self) -> float:
        """Share of the width for the people at their scores."""
        return LINE_SHARES[len(self.rows) == 1]

    @property
    def cells_start(self) -> float:
        """Share of the width at which the cells begin."""
        return CELLS_STARTS[len(self.rows) == 1]


# ------------------------------------------------------------------ the picture

#: Shares of the width: of the people at their scores, and of where the cells begin, in one row and
#: in several.
LINE_SHARES = {True: 0.56, False: 0.54}
CELLS_STARTS = {True: 0.6, False: 0.57}
SHAPES = {True: 1.2, False: 1.9}  # width over height of a picture, about: large, and small
MAX_NAME_LETTERS = 14  # of the name of a class above or below the line
MAX_LOWER_LETTERS = 24  # of that of the negatives and of the scores, below the line
MIN_LABEL_LETTERS = 10  # of the scores
STRIP = 0.085  # of the height, for a row of words or a handle
CELL_GAP = 0.012
MAX_PITCH = 0.055  # distance of a few dots, as a share of the height
MAX_ROWS_WITH_CELLS = 2  # of more rows there are bars and counts
#: Height of the words at the top of a cell by their number of rows, in the height of the first.
HEADS = {1: 1.1, 3: 3.0}
BAR_HEIGHT = 0.024
MAX_BAR_HEIGHT = 0.05  # without cells
BAR_GAP = 0.01  # between a bar and what is below it
BAR_WORDS = 0.042  # height of the words above a bar
#: Names of the cells of one row of several, where there is room for MAX_WORDS_OF_CELLS letters.
SHORT_CELLS = (("found", "missed"), ("alarms", "left alone"))
MAX_WORDS_OF_CELLS = 17  # letters above the cells of a class


def people_picture(scene: PeopleScene, is_large: bool) -> Picture:
    """Draw people at their scores, filled if predicted positive, and in their cells."""
    low, high = scene.rows[0].queue.bounds
    width = (high - low) / scene.line_share
    marks: list[Mark] = []
    # below several rows there is a strip for words
    height = (1.0 - (STRIP if is_large and len(scene.rows) > 1 else 0.0)) / len(scene.rows)
    largest = max(crowd.scores.size for row in scene.rows for crowd in row.queue.crowds)
    drawn = []
    for i, row in enumerate(scene.rows):
        top = 1.0 - i * height
        drawn.append(_RowMarks(scene, row, largest, (top - height, top), is_large))
    # a dot is as large in each row
    pitch = min(row.columns.width for row in drawn), min(row.pitch for row in drawn)
    for row_marks in drawn:
        marks += row_marks.marks(pitch)
    if scene.link:
        marks.append(_link(drawn, scene.link))
    if scene.shared:
        # in front of cells and bars, behind dots and words
        areas = [mark for mark in marks if isinstance(mark, Areas)]
        others = [mark for mark in marks if not isinstance(mark, Areas)]
        marks = [*areas, *_shared_rates(drawn, scene.shared), *others]
    if is_large:
        marks.append(
            words("each dot", [_dot_words(scene, low + width)], "end", bold=False, size=0.8)
        )
    marks.sort(key=lambda mark: isinstance(mark, Handle))  # handles are on top
    ticks: Any = UNIT_TICKS if (low, high) == (0, 1) else np.linspace(low, high, 5)
    return Picture(
        Axis("", low, low + width, {tick: tick_text(tick, 3) for tick in ticks}, pad=0.012),
        Axis("", 0.0, 1.0, (), pad=0.0, is_shown=False),
        tuple(marks),
        is_square=False,
        is_large=is_large,
    )


def _dot_words(scene: PeopleScene, right: float) -> tuple[float, float, str, str]:
    count = "one sample"
    if scene.per_dot != 1:
        count = f"{amount(scene.per_dot)} samples"
    errors = "✗ missed, false alarms · " if len(scene.rows) > 1 else ""
    return right, STRIP / 2, f"{errors}a dot is {count}", "muted"


def _link(drawn: Sequence[_RowMarks], dash: str) -> Line:
    """Join the thresholds of rows that move together, from the foot of each to the next handle."""
    x = []
    y = []
    for above, below in pairwise(drawn):
        turn = above.ends[0] - 0.1 * below.strip
        start = above.place(above.row.thresholds[0])
        end = below.place(below.row.thresholds[0])
        # straight pieces, behind words
        x += [(start, start), (start, end), (end, end)]
        y += [(above.foot, turn), (turn, turn), (turn, below.handle_y)]
    style: Any = {"blocks_text": False, "readings": ()}
    return Line("link", "selected", x, y, dash=dash, **style)


def _shared_rates(drawn: Sequence[_RowMarks], shared: Sequence[tuple[float, float]]) -> list[Mark]:
    """Draw the rates that all rows share through their bars."""
    left, right = drawn[0].cells_x
    lowest = right - (right - left) * np.array([high for _, high in shared])
    highest = right - (right - left) * np.array([low for low, _ in shared])
    top = max(bar_top for row in drawn for _, bar_top in row.bar_ends) + 0.012
    bottom = min(bar_bottom for row in drawn for bar_bottom, _ in row.bar_ends) - 0.012
    differs = highest - lowest > 1e-6 * (right - left)
    x = np.concatenate((lowest, highest[differs]))
    return [
        Areas("shared range", "selected", *boxes(lowest, highest, bottom, top), opacities=(0.2,)),
        Line(
            "shared",
            "selected",
            *uprights(x, np.full(x.size, bottom), np.full(x.size, top)),
            dash="dashed",
            width=2.0,
            blocks_text=False,
            readings=(),
        ),
    ]


class _RowMarks:
    """Makes the marks of one row in its share of the height.

    ``largest`` is the number of dots of the largest class of all rows.
    """

    def __init__(
        self,
        scene: PeopleScene,
        row: Row,
        largest: int,
        ends: tuple[float, float],
        is_large: bool,
    ) -> None:
        self.scene = scene
        self.row = row
        self.ends = ends
        self.is_large = is_large
        self.suffix = row.key
        self.largest = largest
        bottom, top = ends
        self.height = top - bottom
        self.low, self.high = row.queue.bounds
        self.span = self.high - self.low
        self.width = self.span / scene.line_share
        has_cells = len(scene.rows) <= MAX_ROWS_WITH_CELLS
        strip = STRIP if is_large else 2 * STRIP
        if not has_cells:
            strip = min(strip, 0.3 * self.height)
        below = strip if is_large else 0.02
        self.has_cells = has_cells
        #: Height of the handle; words stand above or far below it, so that it never covers them.
        self.handle_y = top - (1.5 if is_large and not self.suffix else 0.55) * strip
        self.strip = strip
        #: Lower and upper end of the room for dots.
        self.room = (bottom + below, self.handle_y - 0.6 * strip)
        room = self.room[1] - self.room[0]
        shape = SHAPES[is_large] * scene.line_share / room
        # a row of several is low, and its dots are no smaller for that
        max_size = MAX_PITCH / room if self.suffix else MAX_SIZE
        self.columns = row.queue.columns(shape, is_level=row.is_level, max_size=max_size)
        n_below = sum(self.columns.heights[1:])
        n_rows = sum(self.columns.heights)
        self.pitch = min((self.room[1] - self.room[0]) / (n_rows + 1), MAX_PITCH)
        left_over = self.room[1] - self.room[0] - self.pitch * (n_rows + 1)
        share_below = n_below / max(n_rows, 1)
        self.base = self.room[0] + self.pitch * (n_below + 0.5) + share_below * left_over
        #: Lower end of the threshold's line.
        self.foot = self.room[0] - 0.2 * strip
        left = self.low + scene.cells_start * self.width
        #: Left and right end of the cells.
        self.cells_x = (left, self.low + self.width)
        self._place_bars()

    def place(self, threshold: Threshold) -> float:
        """Compute where a threshold is drawn, which is within the axis."""
        return min(max(threshold.score, self.low), self.high)

    def marks(self, pitch: tuple[float, float]) -> list[Mark]:
        """Draw line, people, cells and thresholds; dots are as large as a pitch allows."""
        suffix = self.suffix
        outcomes = self._cells() if self.has_cells else self._row_of_counts()
        marks: list[Mark] = [
            Line(
                f"ground{suffix}",
                "reference",
                (self.low, self.high),
                [self.base] * 2,
                width=1.5,
                readings=(),
            ),
            *outcomes,
            *self._bars(),
        ]
        handle_y = self.handle_y
        for one in self.row.thresholds:
            marks.append(
                Line(
                    f"{one.handle} line{suffix}",
                    "selected",
                    [self.place(one)] * 2,
                    (self.foot, handle_y),
                    readings=(),
                )
            )
        marks += self._people(pitch)
        marks += self._names()
        if self.scene.is_draggable:
            first = self.row.thresholds[0]
            for one in reversed(self.row.thresholds):
                marks.append(
                    Handle(
                        f"{one.handle}{suffix}",
                        "selected",
                        [self.place(one)],
                        [handle_y],
                        along="x",
                        letter=one.letter,
                        is_hinted=one is first,
                        row=self.ends if suffix else None,
                    )
                )
        return marks

    def _places(self, k: int) -> tuple[Floats, Floats]:
        """Compute the places of the dots of a class on the line."""
        x, rank = self.columns.places[k]
        up = 1 if k == 0 else -1
        return x, self.base + up * self.pitch * (rank + 1.0)

    def _levels(self, k: int) -> list[int]:
        """Count the dots that each threshold predicts positive."""
        crowd = self.row.queue.crowds[k]
        counts = [(one.n_pos, one.n_neg)[k] for one in self.row.thresholds]
        return [crowd.n_first(count) for count in counts]

    def _readings(self, k: int) -> list[str]:
        """Say of a dot of a class who it is: predicted positive, referred, and the rest."""
        scene = self.scene
        names = scene.names.shortened()
        outcomes: Sequence[str] = scene.cells[k]
        if len(outcomes) == 2:
            outcomes = (f"predicted {names.positive}", "", f"predicted {names.negative}")
        who = [self.row.name] if self.suffix else []
        if scene.per_dot != 1:
            who.append(f"{amount(scene.per_dot)} samples")
        if len(scene.roles) > 1:
            who.append((names.positive, names.negative)[k])
        return [", ".join([*who, outcome]) for outcome in outcomes]

    def _people(self, pitch: tuple[float, float]) -> list[Mark]:
        marks: list[Mark] = []
        for k, role in enumerate(self.scene.roles):
            x, y = self._places(k)
            levels = self._levels(k)
            marks.append(
                People(
                    f"{role} people{self.suffix}",
                    role,
                    x,
                    y,
                    n_filled=levels[0],
                    n_pale=levels[-1],
                    pitch=pitch,
                    readings=[
                        f"{text}, {self.scene.label} about {{x}}" for text in self._readings(k)
                    ],
                )
            )
        return marks

    def _names(self) -> list[Mark]:
        """Write the names of the classes and of the axis, and of these people."""
        if not self.is_large:
            return []
        bottom, top = self.ends
        upper = top - 0.5 * self.strip
        lower = bottom + 0.5 * self.strip
        short = self.scene.names.shortened(MAX_NAME_LETTERS)
        suffix = self.suffix
        starts: list[tuple[float, float, str, str]] = []
        ends = []
        if not suffix:
            # beside the name of the negatives
            most = max(MAX_LOWER_LETTERS - letters(short.negatives), MIN_LABEL_LETTERS)
            ends = [(self.high, lower, shorten(self.scene.label, most), "muted")]
            if len(self.scene.roles) > 1:
                starts = [
                    (self.low, upper, short.positives, "positive-text"),
                    (self.low, lower, short.negatives, "negative-text"),
                ]
        else:
            ends = [(self.high, lower, self.row.name, self.row.role)]
            # one class beside the first group, the other beside the second: a row has room for two
            if self.row is self.scene.rows[0]:
                starts = [(self.low, lower, f"↑ {short.positives}", "positive-text")]
            elif self.row is self.scene.rows[1]:
                starts = [(self.low, lower, f"↓ {short.negatives}", "negative-text")]
        return [
            words(f"classes{suffix}", starts),
            words(f"ends{suffix}", ends, "end"),
        ]

    def _cells(self) -> list[Mark]:
        """Draw the cells, their counts and the people in them."""
        scene = self.scene
        n_columns = len(scene.cells[0])
        left, right = self.cells_x
        gap = CELL_GAP * self.width
        cell = (right - left - gap * (n_columns - 1)) / n_columns
        n_classes = len(scene.roles)
        high = self.cell_height
        heading = self._heading_rows()
        row_height = 0.058 if self.is_large else 0.116
        head = row_height * HEADS[heading]
        inner = 0.94 * cell, high - head - (0.01 if self.suffix else 0.02)
        per_line, pitch = _grid(
            self.largest, inner[0] / self.width * SHAPES[self.is_large], inner[1]
        )
        across = pitch / SHAPES[self.is_large] * self.width
        marks: list[Mark] = []
        corners = []
        wrong = []
        written: list[tuple[float, float, str, str]] = []
        smaller: list[tuple[float, float, str, str]] = []
        for k, role in enumerate(self.scene.roles):
            crowd = self.row.queue.crowds[k]
            n = crowd.scores.size
            levels = [0, *self._levels(k), n]
            counts = [0.0, *((one.n_pos, one.n_neg)[k] for one in self.row.thresholds), crowd.total]
            ceiling = self.ceilings[k]
            x = np.empty(n)
            y = np.empty(n)
            for j, name in enumerate(scene.cells[k]):
                # side by side as at the scores: those above the threshold on the right
                start = left + (n_columns - 1 - j) * (cell + gap)
                corners.append((start, start + cell, ceiling - high, ceiling))
                # predicted to be of the other class: positives at the end, negatives at first
                is_wrong = n_classes > 1 and j == (n_columns - 1, 0)[k]
                if is_wrong and (self.is_large or n_columns == 2):  # others have counts as wide
                    wrong.append(corners[-1])
                first, end = levels[j], levels[j + 1]
                # dots come and go at the end of a cell, and the others stay where they are
                place = np.arange(end - first)
                if j == n_columns - 1:
                    place = place[::-1]
                x[first:end] = start + 0.03 * cell + (place % per_line + 0.5) * across
                y[first:end] = ceiling - head - (place // per_line + 0.5) * pitch
                count = short_amount(self._count(counts[j + 1] - counts[j]), most=7)
                if is_wrong and self.is_large and n_columns == 2:  # with three there is no room
                    count = f"{count} ✗"
                indent = start + 0.05 * cell
                ink = f"{role}-text" if n_classes > 1 else "text"
                written.append((indent, ceiling - 0.62 * row_height, count, ink))
                for i, line in enumerate(name.split(" ") if heading > 1 else ()):
                    line_y = ceiling - (1.6 + 0.85 * i) * row_height
                    smaller.append((indent, line_y, line, "text"))
            start_x, start_y = self._places(k)
            marks.append(
                People(
                    f"{role} cells{self.suffix}",
                    role,
                    x,
                    y,
                    n_filled=levels[1],
                    n_pale=levels[-2],
                    pitch=(across, pitch),
                    flies=True,
                    start_x=start_x,
                    start_y=start_y,
                    readings=self._readings(k),
                )
            )
        area = boxes(*np.transpose(corners))
        return [
            Areas(f"cells{self.suffix}", "reference", *area, opacities=(0.13,)),
            _frames(f"errors{self.suffix}", wrong),
            words(f"counts{self.suffix}", written, size=COUNT_SIZES[n_columns]),
            *([words("cell names", smaller, bold=False, size=0.72)] if not self.suffix else []),
            *marks,
        ]

    def _count(self, number: float) -> float:
        """Round an expected number of people, unless a dot is less than one."""
        return float(round(number)) if self.scene.per_dot >= 1 else number

    def _heading_rows(self) -> int:
        """Count the rows of words at the top of each cell."""
        return 3 if self.is_large and not self.suffix else 1

    def _place_bars(self) -> None:
        """Find the room of the cells, and of the bars and words above them."""
        (bottom, top) = self.ends
        bars = self.row.bars
        row_of_words = BAR_WORDS if self.is_large and self.suffix else 0.0
        bar_height = BAR_HEIGHT
        if not self.has_cells:
            room = (self.height - 0.03) / max(len(bars), 1)
            bar_height = min(MAX_BAR_HEIGHT, 0.2 * self.height, room - row_of_words - BAR_GAP)
        bar_room = row_of_words + bar_height + BAR_GAP
        n_classes = len(self.scene.roles)
        last = bottom + (self.strip if self.is_large and not self.suffix else 0.01)
        above = []
        for k in range(n_classes):
            of_class = [bar for bar in bars if bar.over == k]
            room = len(of_class) * bar_room
            # a bar of the class names its cells
            if self.has_cells and not any(bar.is_of_class for bar in of_class):
                room += row_of_words
            above.append(room)
        high = (top - 0.02 - last - sum(above)) / n_classes - 0.02
        #: Height of a cell, and upper end of those of each class.
        self.cell_height = high
        self.ceilings = []
        for k in range(n_classes):
            self.ceilings.append(top - 0.02 - k * (high + 0.02) - sum(above[: k + 1]))
        #: Lower and upper end of each bar.
        self.bar_ends = []
        for i, bar in enumerate(bars):
            foot = top - 0.02 - (i + 1) * bar_room + BAR_GAP
            if self.has_cells:
                foot = self.ceilings[bar.over] + above[bar.over] - bar_room + BAR_GAP
            self.bar_ends.append((foot, foot + bar_height))

    def _bars(self) -> list[Mark]:
        """Draw the bars, with words above them, and the names of the cells."""
        if not self.suffix:
            return []
        left, right = self.cells_x
        corners = []
        roles = []
        opacities = []
        predicted = []
        others = []
        unnamed = list(range(len(self.scene.roles))) if self.has_cells else []
        for bar, (foot, top) in zip(self.row.bars, self.bar_ends, strict=True):
            start = 0.0
            for role, share in bar.pieces:
                end = min(start + share, 1.0)
                corners.append((start, end, foot, top))
                roles.append(role)
                opacities.append(1.0)
                start = end
            corners.append((start, 1.0, foot, top))
            roles.append(bar.rest)
            opacities.append(0.2)
            words_y = top + 0.5 * BAR_WORDS
            predicted.append((right, words_y, bar.text, bar.ink))
            if bar.is_of_class and bar.over in unnamed:
                unnamed.remove(bar.over)
                name = SHORT_CELLS[bar.over][1]
                if letters(bar.text) + letters(name) <= MAX_WORDS_OF_CELLS:
                    others.append((left, words_y, name, bar.ink))
        for k in unnamed:
            words_y = self.ceilings[k] + 0.5 * BAR_WORDS
            ink = f"{self.scene.roles[k]}-text"
            of_predicted, of_others = SHORT_CELLS[k]
            predicted.append((right, words_y, of_predicted, ink))
            others.append((left, words_y, of_others, ink))
        marks: list[Mark] = []
        if corners:
            starts, ends, feet, tops = np.transpose(corners)
            area = boxes(right - (right - left) * ends, right - (right - left) * starts, feet, tops)
            style: Any = {"part_roles": roles, "opacities": opacities}
            marks.append(Areas(f"bars{self.suffix}", "reference", *area, **style))
        if self.is_large:
            small: Any = {"bold": False, "size": 0.75}
            marks += [
                words(f"cell names{self.suffix}", predicted, "end", **small),
                words(f"other cells{self.suffix}", others, **small),
            ]
        return marks

    def _row_of_counts(self) -> list[Mark]:
        """Write the counts of the cells on one line, where there is room below the bars."""
        bottom, top = self.ends
        lowest = min((foot for foot, _ in self.bar_ends), default=top)
        if not self.is_large or lowest - bottom < 0.05:
            return []
        (one,) = self.row.thresholds
        written = []
        left, right = self.cells_x
        for k, role in enumerate(ROLES):
            predicted = (one.n_pos, one.n_neg)[k]
            total = self.row.queue.crowds[k].total
            for j, count in enumerate((predicted, total - predicted)):
                text = short_amount(self._count(count), most=4)
                if j != k:
                    text = f"{text} ✗"
                x = left + (2 * k + 1 - j) / 4 * (right - left)
                written.append((x, lowest - 0.025, text, f"{role}-text"))
        return [words(f"counts{self.suffix}", written, size=0.8)]


def _frames(name: str, corners: Sequence[tuple[float, float, float, float]]) -> Line:
    """Draw frames around the cells of errors."""
    if not corners:
        return Line(name, "text")
    x, y = boxes(*np.transpose(corners))
    closed = [0, 1, 2, 3, 0]
    return Line(name, "text", x[:, closed], y[:, closed], width=1.4, blocks_text=False, readings=())


# ------------------------------------------------------------------ several classes

MAX_CLASSES_WITH_COUNTS = 5


@dataclass(frozen=True, eq=False)
class ClassesScene:
    """The contents of a picture of people of several classes.

    Parameters
    ----------
    counts : ndarray, shape (n_classes, n_classes)
        Number of people of each class, by row, that are predicted to be of each, by column.
    names, roles, inks : sequence of str
        Of the classes: their names, the colours of dots, and those of words.
    """

    counts: Floats
    names: Sequence[str]
    roles: Sequence[str]
    inks: Sequence[str]

    @property
    def per_dot(self) -> float:
        """How many people a dot stands for."""
        whole = bool((self.counts == np.round(self.counts)).all())
        return people_per_dot(float(self.counts.sum()), are_whole=whole)


def shared_dots(counts: Floats, per_dot: float) -> Any:
    """Divide the dots of a class among its cells: as many as people, rounded to the same sum."""
    total = counts.sum()
    n_dots = max(round(total / per_dot), 1) if total else 0
    exact = counts * (n_dots / total) if total else counts
    dots = np.floor(exact + 1e-9).astype(np.intp)
    rest = np.argsort(dots - exact, kind="stable")[: n_dots - int(dots.sum())]
    dots[rest] += 1
    return dots


def classes_picture(scene: ClassesScene, is_large: bool) -> Picture:
    """Draw people in the colour of their class, side by side with those predicted alike.

    A column holds those of one prediction, a row those of one class; the right ones are filled.
    """
    n = len(scene.names)
    left = 0.0
    below = STRIP if is_large else 0.02
    above = 1.3 * STRIP if is_large else 2 * STRIP
    width = (1.0 - left) / n
    height = (1.0 - below - above) / n
    gap = CELL_GAP / 2
    head = 0.06 if is_large and n <= MAX_CLASSES_WITH_COUNTS else 0.01
    per_dot = scene.per_dot
    dots = [shared_dots(row, per_dot) for row in scene.counts]
    largest = max(int(row.sum()) for row in dots)
    inner = width - 3 * gap, height - head - 3 * gap
    per_line, pitch = _grid(largest, inner[0] * SHAPES[is_large], inner[1])
    across = pitch / SHAPES[is_large]
    corners = []
    counts = []
    marks: list[Mark] = []
    for k, row in enumerate(dots):
        ceiling = 1.0 - above - k * height
        name = scene.names[k]
        x = []
        y = []
        # the right ones come first
        for j in sorted(range(n), key=lambda one: (one != k, one)):
            start = left + j * width
            place = np.arange(row[j])
            x.append(start + 1.5 * gap + (place % per_line + 0.5) * across)
            y.append(ceiling - gap - head - (place // per_line + 0.5) * pitch)
            corners.append(
                (start + gap, start + width - gap, ceiling - height + gap, ceiling - gap)
            )
            if head > 0.01:
                text = short_amount(float(scene.counts[k, j]), most=6)
                counts.append((start + 2 * gap, ceiling - gap - head / 2, text, scene.inks[k]))
        marks.append(
            People(
                f"class:{k}",
                scene.roles[k],
                np.concatenate(x),
                np.concatenate(y),
                n_filled=int(row[k]),
                pitch=(across, pitch),
                flies=True,
                readings=(
                    f"{name}, predicted {name}",
                    "",
                    f"{name}, predicted to be of another class",
                ),
            )
        )
    most = max(int(LETTERS_ACROSS * width), 1)
    short = short_names(scene.names, most if is_large else max(most // 2, 1))
    y_heads = 1.0 - above + 0.35 * STRIP
    heads = []
    for k, name in enumerate(scene.names):
        heads.append((left + (k + 0.5) * width, y_heads, f"→ {short[name]}", scene.inks[k]))
    area = boxes(*np.transpose(corners))
    written: list[Mark] = [words("predicted", heads, "middle")]
    if is_large:
        written.append(words("counts", counts))
        count = "one sample" if per_dot == 1 else f"{amount(per_dot)} samples"
        note = f"a column: predicted; a colour: the class; a dot: {count}"
        written.append(
            words("each dot", [(1.0, STRIP / 2, note, "muted")], "end", bold=False, size=0.8)
        )
    marks = [Areas("cells", "reference", *area, opacities=(0.13,)), *written, *marks]
    return sheet(marks, 1.0, 1.0, is_large=is_large)


LETTERS_ACROSS = 26  # in the width of a large picture


def _grid(n: int, width: float, height: float) -> tuple[int, float]:
    """Find how many dots fit beside each other, and their distance, for the largest dots."""
    per_line = np.arange(1, max(n, 1) + 1)
    pitch = np.minimum(width / per_line, height / np.ceil(n / per_line))
    best = int(pitch.argmax())
    if pitch[best] > MAX_PITCH:
        return max(int(width / MAX_PITCH), 1), MAX_PITCH
    return int(per_line[best]), float(pitch[best])


__all__ = [
    "CELLS",
    "ROLES",
    "ZONES",
    "ClassesScene",
    "Crowd",
    "PeopleScene",
    "Queue",
    "Row",
    "Threshold",
    "classes_picture",
    "crowd_of",
    "dots_of",
    "people_per_dot",
    "people_picture",
    "threshold_at",
]
