"""Pictures of scoring lists as values: a stage, measures by stage, the whole list, stops.

They are shared by the displays and the explorer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Any

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.core.scoring_lists.stage import ScoringStage
from rocviz.core.scoring_lists.stage_band import StageBand
from rocviz.pictures import (
    LETTER_WIDTH,
    NO_POINTS,
    ROW_HEIGHT,
    Areas,
    Axis,
    Band,
    Dots,
    Entry,
    Handle,
    Labels,
    Legend,
    Line,
    Mark,
    Picture,
    PointLabel,
    Words,
    boxes,
    read_out,
    round_ticks,
    sheet,
    some_of,
    tick_text,
    uprights,
    words,
)
from rocviz.words import UNNAMED, ClassNames, amount, letters, percent, shorten

#: Names of the kinds of intervals.
METHODS = {"clopper-pearson": "Clopper–Pearson", "wilson": "Wilson", "jeffreys": "Jeffreys"}
#: Ticks of an axis of probabilities, in per cent as in the list and the rail.
PERCENT_TICKS = {0.0: "0", 0.25: "25", 0.5: "50", 0.75: "75", 1.0: "100"}
STOP_ZONES = (("negative", "lower", 0.0), ("positive", "upper", 1.0))
REGULAR_LETTER_SHARE = 0.75  # width of a regular letter, as a share of a bold one
Row = tuple[float, float, str, str]

# ---------------------------------------------------------------------- one stage

MAX_TOTALS = 150  # that can be distinguished
MAX_TOTALS_WITH_COUNTS = 16
COUNTS_FOOT = -0.54  # lower end of the counts below a stage


def zones(levels: Sequence[float | None], left: float, right: float) -> list[Mark]:
    """Draw the zones beyond each limit, and the limits as lines."""
    marks: list[Mark] = []
    for (role, _, end), level in zip(STOP_ZONES, levels, strict=True):
        zone: Any = NO_POINTS
        limit: Any = NO_POINTS
        if level is not None:
            zone = (left, right), ((level, level), (end, end))
            limit = (left, right), (level, level)
        marks.append(Band(f"{role} zone", role, *zone, opacity=0.13))
        marks.append(Line(f"{role} limit", role, *limit, width=1.8))
    return marks


def stage_picture(
    stage: ScoringStage,
    band: StageBand | None,
    is_large: bool,
    *,
    ends: tuple[float, float] | None = None,
    levels: Sequence[float | None] = (None, None),
    cost_fn: float | None = None,
    prior: float | None = None,
    classes: ClassNames = UNNAMED,
    has_counts: bool = False,
    more: Sequence[Mark] = (),
) -> Picture:
    """Draw probability with its intervals against the total.

    ``ends`` are those of the axis, and ``levels`` the limits at which one stops. A large picture
    has a line at the probability above which the cost of a miss, ``cost_fn``, makes positive the
    better prediction, and one at the probability before the first question, ``prior``. With
    ``has_counts`` the cases are counted below; ``classes`` name what is probable. ``more`` marks
    stand on top.
    """
    low = int(stage.totals[-1])
    high = int(stage.totals[0])
    n_ticks = 11 if is_large else 3
    ticks = round_ticks(low, high, n_ticks, integer=True) if high > low else [low]
    left, right = ends or (low - 0.75, high + 0.75)
    overhang = 0.03 * (right - left)  # the zones reach over the padding of the axis
    threshold = None
    if cost_fn is not None and is_large:
        threshold = 1 / (1 + cost_fn)
    name = classes.positive
    shown = some_of(len(stage), MAX_TOTALS)
    contradictions: list[Row] = []
    if band is not None:
        empty = shown[band.is_empty[shown]]
        for total, p in zip(stage.totals[empty], stage.probability[empty], strict=True):
            contradictions.append((float(total), p, "×", "text"))
    counts = []
    if stage.has_counts and has_counts:
        counts = _counts(stage, classes, (left, right))
    marks = (
        *zones(levels, left - overhang, right + overhang),
        _level_line("cost", "optimum", threshold, (left, right), dash="dashed"),
        _level_line("prior", "reference", prior, (left, right), dash="dotted", may_be_covered=True),
        *_probabilities(stage, band, shown),
        _observed_shares(stage, shown, right - left),
        words("contradictions", contradictions, "middle"),
        *counts,
        *more,
        Legend("key", "text", choices=_key(stage, band) if is_large else (), corner=(0.0, 1.0)),
        Labels(
            "words",
            "text",
            point_labels=_level_labels(
                levels, threshold, prior, (left, right), name, cost_fn, is_large
            ),
        ),
    )
    return Picture(
        Axis("total score", left, right, ticks, 0.03),
        Axis(
            f"{classes.probability}, %",
            COUNTS_FOOT if counts else 0.0,
            1.0,
            PERCENT_TICKS,
            pad=0.03,
        ),
        marks,
        is_large=is_large,
    )


def _level_line(
    name: str, role: str, level: float | None, ends: tuple[float, float], **style: Any
) -> Line:
    """Draw a probability as a line across; none where it is not given."""
    points: Any = NO_POINTS if level is None else (ends, (level, level))
    return Line(name, role, *points, width=1.8, **style)


def _probabilities(stage: ScoringStage, band: StageBand | None, shown: Any) -> list[Mark]:
    """Draw the list's probability at each total, with its interval."""
    totals = stage.totals[shown].astype(float)
    p = stage.probability[shown]
    has_samples = np.ones(p.size, dtype=bool)
    if stage.has_counts:
        has_samples = stage.n[shown] > 0
    intervals: Any = NO_POINTS
    if band is not None:
        intervals = uprights(totals, band.lower[shown], band.upper[shown])
    without = ~has_samples
    return [
        Line("intervals", "hull", *intervals, opacities=(0.35,), width=9.0),
        Line("curve", "hull", totals, p, dash="dashed", width=2.0),
        Dots("unseen", "paper", totals[without], p[without], rim="hull", size=70, width=1.8),
        Dots("seen", "hull", totals[has_samples], p[has_samples], size=90),
    ]


def _observed_shares(stage: ScoringStage, shown: Any, width: float) -> Line:
    """Draw the share of positives among the samples at each total as a level line."""
    points: Any = NO_POINTS
    if stage.has_counts:
        has_samples = stage.n[shown] > 0
        with_samples = shown[has_samples]
        totals = stage.totals[with_samples].astype(float)
        share = stage.counts[0][with_samples] / stage.n[with_samples]
        half = 0.28 if width < 30 else 0.01 * width
        y, x = uprights(share, totals - half, totals + half)
        points = x, y
    return Line("happened", "ranking", *points, width=3.0)


def _level_labels(
    levels: Sequence[float | None],
    threshold: float | None,
    prior: float | None,
    ends: tuple[float, float],
    name: str,
    cost_fn: float | None,
    is_large: bool,
) -> list[PointLabel]:
    """Write beside each level what it is, in long and in short; in a small picture in short."""
    lower, upper = levels
    rows = (
        (upper, "positive-text", ("stop: rule in from", "rule in from"), "rule in"),
        (lower, "negative-text", ("stop: rule out up to", "rule out up to"), "rule out"),
        (
            threshold,
            "optimum-text",
            (f"a miss costs {cost_fn or 0:g}: {name} above", "threshold at the end:"),
            "end",
        ),
        (prior, "muted", ("before the first question",), "before"),
    )
    x, aside = np.meshgrid(np.linspace(*ends, 7)[1:-1], [0.05, -0.05])
    labels = []
    for level, role, beginnings, short in rows:
        if level is None:
            continue
        texts = [short]
        if is_large:
            texts = [f"{beginning} {percent(level)}" for beginning in beginnings]
            texts.append(short)
        labels.append(PointLabel(texts, role, x.ravel(), level + aside.ravel(), 0.3))
    return labels


def _counts(stage: ScoringStage, classes: ClassNames, ends: tuple[float, float]) -> list[Mark]:
    """Draw the numbers of positives (up) and negatives (down) at each total, on one scale."""
    middle = 0.56 * COUNTS_FOOT
    reach = 0.24 * -COUNTS_FOOT
    pos, neg = stage.counts
    highest = max(float(pos.max()), float(neg.max()))
    step = float(-np.diff(stage.totals).max()) if len(stage) > 1 else 1.0
    half = 0.31 * step
    marks: list[Mark] = [Line("middle", "reference", ends, (middle, middle), width=1.0)]
    for role, counts, direction, name, x, align in (
        ("positive", pos, 1, classes.positives, ends[0], "start"),
        ("negative", neg, -1, classes.negatives, ends[1], "end"),
    ):
        tops = middle + direction * reach * counts / highest
        is_counted = counts > 0
        totals = stage.totals[is_counted]
        bars = boxes(totals - half, totals + half, middle, tops[is_counted])
        marks.append(Areas(f"{role}s", role, *bars))
        rows: list[Row] = []
        if len(stage) <= MAX_TOTALS_WITH_COUNTS:
            for total, top, n in zip(totals, tops[is_counted], counts[is_counted], strict=True):
                y = float(top) + 0.033 * direction
                rows.append((float(total), y, amount(n), f"{role}-text"))
        marks.append(words(f"{role} counts", rows, "middle", bold=False, size=0.8))
        y = middle + direction * (reach + 0.085)
        head: Row = (x, y, f"{amount(counts.sum())} {name}", f"{role}-text")
        marks.append(words(f"{role} sum", [head], align, size=0.9))
    return marks


def _key(stage: ScoringStage, band: StageBand | None) -> list[list[Entry]]:
    """Write the legend of a stage, in full and in short."""
    full = [Entry("what the list says", "hull-text", "seen")]
    short = [Entry("the list", "hull-text", "seen")]
    if stage.has_counts:
        full.append(Entry("what happened", "text", "happened"))
        short.append(Entry("happened", "text", "happened"))
        if not (stage.n > 0).all():
            full.append(Entry("no samples", "muted", "unseen", bold=False))
            short.append(Entry("none", "muted", "unseen", bold=False))
    if band is not None:
        text = f"{percent(band.confidence)} intervals"
        together = "" if band.correction is None else " together"
        full.append(Entry(f"{text}{together}", "muted", "intervals", bold=False))
        full.append(Entry(METHODS[band.method], "muted", bold=False))
        short.append(Entry(text, "muted", "intervals", bold=False))
        if band.is_empty.any():
            full.append(Entry("× counts contradict the order", "muted", bold=False))
            short.append(Entry("× contradiction", "muted", bold=False))
    return [full, short]


# ---------------------------------------------------------------------- measures by stage

#: Role, dash and width of a measure's curve on each data.
CURVE_STYLES = {
    "train": ("ranking", "solid", 2.5),
    "test": ("second", "dashed", 2.5),
    "came": ("reference", "dotted", 2.0),
    "came test": ("reference", "dotted", 2.0),
}


def measure_picture(
    curves: Mapping[str, Floats],
    entries: Sequence[Entry],
    stage: int,
    is_large: bool,
    *,
    label: str = "",
    rises: bool = False,
    grip: float = 0.0,
) -> Picture:
    """Draw a measure from stage to stage on each data set, with the chosen stage marked.

    The limits leave room where the curves are not for the legend's ``entries``, and for a handle
    that takes a share ``grip`` of the height.
    """
    n_questions = max((values.size - 1 for values in curves.values()), default=1)
    heights = np.concatenate([*curves.values(), []])
    heights = heights[np.isfinite(heights)]
    low = float(heights.min()) if heights.size else 0.0
    high = float(heights.max()) if heights.size else 1.0
    room = len(entries) * (0.062 if is_large else 0.125) + 0.03
    margin = 0.04 * max(high - low, 0.02)
    low -= margin
    high += margin
    span = (high - low) / (1 - room - grip)
    if rises:
        low = high - span
    else:
        low -= grip * span
        high = low + span
    lines = []
    dots = []
    for name, values in curves.items():
        role, dash, width = CURVE_STYLES[name]
        lines.append(Line(name, role, np.arange(values.size), values, dash=dash, width=width))
        dots.append(Dots(f"{name} dots", role, np.arange(values.size), values, size=60))
    rows = entries if is_large else [entry._replace(of="") for entry in entries]
    corner = (1.0, 0.0 if rises else 1.0)
    ticks = round_ticks(0, n_questions, 8 if is_large else 3, integer=True)
    return Picture(
        Axis("questions asked", 0.0, float(max(n_questions, 1)), ticks),
        Axis(label, low, high, round_ticks(low, high, 6 if is_large else 3), pad=0.0),
        (
            Line(
                "selected", "selected", [stage] * 2, (low, high), width=1.8, may_be_covered=not grip
            ),
            *lines,
            *dots,
            Legend("words", "text", choices=[rows], corner=corner, left_out=["selected"]),
        ),
        is_large=is_large,
    )


# ---------------------------------------------------------------------- the list as a table

#: Share of a class's colour in a cell of probability 0 or 1; with more of it, the text would not
#: stand out in the dark theme.
MAX_SHADE_OPACITIES = {"negative": 0.3, "positive": 0.7}
TOKEN_SCALE = 1.4  # diameter of a token that carries a number, as a share of that of other handles
LINK_ENDS = np.array([0.24, 0.76])  # of a link between two cells, as shares of the way
#: Role of a cell in which one rules in, and of one in which one rules out; numbers stand out on it.
STOP_ROLES = {1: "positive-text", -1: "negative-text"}
PALE_CELL = 0.55  # opacity of a cell that the case cannot reach any more
PALE_SHARE = 0.14  # of its colour
ARROW_TIP = 0.74  # place of the tip of an arrow from cell to cell, as a share of the way
#: Corners of an arrow, along it from its tip and across, as shares of the height of a row.
ARROW = (
    (0.0, 0.0),
    (-0.2, 0.15),
    (-0.2, 0.05),
    (-0.48, 0.05),
    (-0.48, -0.05),
    (-0.2, -0.05),
    (-0.2, -0.15),
)
MAX_COLUMNS = 120  # totals in a table
PYRAMID_NAMES_WIDTH = 45.0  # beside the last row of a pyramid, in per cent
POINTS_MARGIN = 1.5  # between points and the first cell, in per cent
MIN_NAMES_WIDTH = 39.0  # of the questions in a large table, in per cent
MIN_FONT_SHARE = 0.72  # font size, as a share


def shading(p: float, prior: float) -> tuple[str, float]:
    """Choose the colour of a cell, and its strength.

    Cells as likely as before any question have none of it. It grows fast at first, since many cells
    are near that probability.
    """
    role = "positive" if p >= prior else "negative"
    farthest = max(1 - prior, 1e-9) if p >= prior else prior
    return role, MAX_SHADE_OPACITIES[role] * (abs(p - prior) / farthest) ** 0.5


def cell_text(p: float) -> str:
    """Write a probability in per cent without the sign."""
    return percent(p).removesuffix(" %").replace(" ", "")


def points(score: int) -> str:
    """Write points with their sign; 0 without one."""
    return f"{score:+d}".replace("-", "−") if score else "0"


def name_lines(name: str, max_letters: int, max_lines: int) -> list[str]:
    """Break a name into lines, and shorten it where these are too few: its condition goes first."""
    for text in (name, re.sub(r" [<>=≤≥] \S+$", "", name)):
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".lstrip()
            if letters(longer) <= max_letters:
                lines[-1] = longer
            else:
                lines.append(word)
        lines = [line for line in lines if line]
        if len(lines) <= max_lines and max(map(letters, lines), default=0) <= max_letters:
            return lines
    rest = " ".join(lines[max_lines - 1 :])
    return [shorten(line, max_letters) for line in (*lines[: max_lines - 1], rest) if line]


class _Table:
    """Layout of a table: rows from the top, in per cent of width and height."""

    def __init__(self, n_rows: int, is_large: bool) -> None:
        grow = 1 if is_large else 2
        self.is_large = is_large
        self.row = 100 / n_rows
        full = 100 * grow * ROW_HEIGHT
        self.size = float(np.clip(1.3 * self.row / full, MIN_FONT_SHARE, 1.0))
        self.letter = 100 * grow * LETTER_WIDTH * REGULAR_LETTER_SHARE * self.size
        #: Distance of two lines of a name.
        self.line = 0.8 * full * self.size
        #: Rows from one written name to the next.
        self.every = max(1, int(np.ceil(0.5 * full / self.row)))

    def y(self, row: Any) -> Any:
        """Compute the middle of a row."""
        return 100 - self.row * (np.asarray(row, dtype=float) + 0.5)

    def names(self, texts: Sequence[str], here: int, room: Any, first: int) -> list[Mark]:
        """Write names at the left, the chosen one in bold; the ``room`` is that of each row."""
        rooms = np.broadcast_to(room, len(texts))
        regular = []
        bold = []
        for index, name in enumerate(texts):
            is_here = index == here
            if not self.is_large or (index % self.every and not is_here):
                continue
            max_letters = int(rooms[index] / self.letter)
            lines = name_lines(name, max_letters, 2 if self.row > 2 * self.line else 1)
            for k, line in enumerate(lines):
                aside = self.line * ((len(lines) - 1) / 2 - k)
                row = 0.0, float(self.y(index + first)) + aside, line, "text"
                if is_here:
                    bold.append(row)
                else:
                    regular.append(row)
        return [
            words("names", regular, bold=False, size=self.size),
            words("name here", bold, size=self.size),
        ]


@dataclass(frozen=True, eq=False)
class _ListLayout:
    """Where the cells of the list are: one for each total of each stage, stage by stage.

    Parameters
    ----------
    table : _Table
    totals : ndarray of float
        Of the columns, from left to right; none where rows are centred, as in a pyramid.
    start, width : float
        Left end of the first column, and the width of each.
    stage, total, column : ndarray of int
        Of each cell. The columns of centred rows may be halves.
    """

    table: _Table
    totals: Floats
    start: float
    width: float
    stage: Any
    total: Any
    column: Any

    @classmethod
    def of(cls, scoring_list: ScoringList, *, is_large: bool) -> _ListLayout:
        """Lay out all totals of the stages.

        Where no answer takes points away that another one gives, each row is centred below the
        one before it: a yes leads to one side, and a no to the other.
        """
        stages = scoring_list.stages
        table = _Table(len(stages) + (2 if is_large else 1), is_large)
        each = np.concatenate([stage.totals for stage in stages])
        totals = np.unique(each).astype(float)
        n_columns = totals.size
        if is_pyramid(scoring_list):
            n_columns = int(np.ptp(totals)) + 1
            columns = [
                stage.totals - stage.totals[-1] + (n_columns - 1 - np.ptp(stage.totals)) / 2
                for stage in stages
            ]
            totals = totals[:0]
        else:
            columns = [np.searchsorted(totals, stage.totals) for stage in stages]
        start = 0.0
        if is_large and totals.size:
            start = max(MIN_NAMES_WIDTH, min(100 - 6.2 * n_columns, 54.0))
        elif is_large:  # the rows of a pyramid leave room beside them
            start = PYRAMID_NAMES_WIDTH
        return cls(
            table=table,
            totals=totals,
            start=start,
            width=(100 - start) / n_columns,
            stage=np.repeat(np.arange(len(stages)), [len(stage) for stage in stages]),
            total=each,
            column=np.concatenate(columns),
        )

    @property
    def centre(self) -> Floats:
        """Middle of each cell, along x."""
        return np.asarray(self.start + (self.column + 0.5) * self.width)

    @property
    def middle(self) -> Floats:
        """Height of the middle of each cell."""
        return np.asarray(self.table.y(self.stage + 1))

    @property
    def left(self) -> Floats:
        """Left end of each cell."""
        return self.start + (self.column + 0.04) * self.width

    @property
    def right(self) -> Floats:
        """Right end of each cell."""
        return self.start + (self.column + 0.96) * self.width

    @property
    def first_left(self) -> Floats:
        """Left end of each row, by stage."""
        if self.totals.size:
            return np.full(int(self.stage[-1]) + 1, self.start)
        # totals are in decreasing order
        return np.asarray(self.left[np.append(np.flatnonzero(np.diff(self.stage)), -1)])

    def names_room(self, scores: Sequence[int]) -> Floats:
        """Compute the width of the name of each row, left of its points."""
        longest = max((letters(points(score)) for score in scores), default=0)
        width = (longest + 0.5) * self.table.letter
        return np.asarray(self.first_left - POINTS_MARGIN - width)

    @property
    def corners(self) -> tuple[Floats, Floats]:
        """Corners of each cell."""
        half = 0.44 * self.table.row
        return boxes(self.left, self.right, self.middle - half, self.middle + half)

    def frames(self, mask: Any) -> tuple[Floats, Floats]:
        """Compute closed lines around some of the cells."""
        x, y = self.corners
        closed = [0, 1, 2, 3, 0]
        return x[mask][:, closed], y[mask][:, closed]

    def font(self, n_letters: int) -> float:
        """Choose the font size, as a share, at which so many letters fit into a cell."""
        fitting = 0.95 * self.width / n_letters / self.table.letter * self.table.size
        return min(self.table.size, fitting)

    def number_size(self, probability: Floats) -> float:
        """Choose the font size of the probabilities, as a share."""
        return self.font(max(len(cell_text(p)) for p in probability.tolist()))

    def has_numbers(self, probability: Floats) -> bool:
        """Whether all probabilities fit into their cells."""
        fits = self.number_size(probability) >= MIN_FONT_SHARE
        return self.table.is_large and fits and self.table.every == 1


def list_picture(
    scoring_list: ScoringList,
    questions: Sequence[str],
    decisions: Sequence[Any],
    path: Sequence[int],
    here: int,
    is_large: bool,
    *,
    reachable: Sequence[Sequence[int]],
) -> Picture:
    """Draw the list as a table: stages as rows, totals as columns, a case's path through them.

    ``decisions`` are 1, -1 and 0 at the totals of each stage where the case is ruled in, ruled
    out, or asked further; ``path`` has the case's totals, and ``here`` is the stage that is looked
    at. ``reachable`` are the totals of each stage that the case can still have, or had; all others
    are paler.
    """
    stages = scoring_list.stages
    layout = _ListLayout.of(scoring_list, is_large=is_large)
    table = layout.table
    n_totals = np.unique(layout.total).size
    if n_totals > MAX_COLUMNS:
        return _no_table(table, n_totals)
    probability = np.concatenate([stage.probability for stage in stages])
    decision = np.concatenate(decisions)
    scores = scoring_list.scores.tolist()
    cells = _cells_of(stages, [[total] for total in path])
    is_open = np.isin(np.arange(layout.stage.size), _cells_of(stages, reachable))
    following = np.flatnonzero(is_open & (layout.stage == len(path)))
    marks = [
        *_list_cells(layout, probability, float(stages[0].probability[0]), decision, is_open),
        _list_stops(layout, decision, is_open),
        *_list_path(layout, cells),
        *_list_next(layout, cells[-1], following),
        *table.names(["before", *questions], here, layout.names_room(scores), 1),
        *_list_heads(layout, scores),
        _list_numbers(layout, probability, cells[-1], decision, is_open),
        *_list_note(layout, has_stops=bool(decision.any())),
        *_list_token(layout, cells, probability, is_hinted=not following.size),
        read_out(layout.centre, layout.middle, _list_readings(layout, questions, probability)),
    ]
    return sheet(marks, is_large=is_large)


def is_pyramid(scoring_list: ScoringList) -> bool:
    """Whether every yes gives points, or takes some, and a missing answer does neither."""
    scores = scoring_list.scores
    has_one_sign = bool((scores > 0).all() or (scores < 0).all())
    return has_one_sign and not scoring_list.missing_scores.any()


def nearest_cell(scoring_list: ScoringList, x: float, y: float) -> tuple[int, int]:
    """Find the stage and the total of the cell that is nearest to a point of the large table."""
    layout = _ListLayout.of(scoring_list, is_large=True)
    across = (layout.centre - x) / layout.width
    up = (layout.middle - y) / layout.table.row
    nearest = int(np.argmin(across**2 + up**2))
    return int(layout.stage[nearest]), int(layout.total[nearest])


def _list_token(
    layout: _ListLayout, path: Sequence[int], probability: Floats, *, is_hinted: bool
) -> list[Mark]:
    """Stand a token in the last cell of the path, which can be moved to any other one.

    It carries the number of its cell, where numbers are written. Arrows to the cells that come next
    are hint enough.
    """
    x, y = layout.centre[path], layout.middle[path]
    style: dict[str, Any] = {"is_hinted": is_hinted}
    if layout.has_numbers(probability):
        style |= {"letter": cell_text(float(probability[path[-1]])), "scale": TOKEN_SCALE}
    return [
        Handle("token", "selected", x[-1:], y[-1:], glides=True, way_x=x, way_y=y, **style),
    ]


def _list_cells(
    layout: _ListLayout, probability: Floats, prior: float, decision: Any, is_open: Any
) -> list[Mark]:
    """Draw the cells, darker the farther their probability is from the one before.

    Those in which one stops are full of the colour of the decision, and those that the case cannot
    reach any more are pale.
    """
    corners = layout.corners
    roles = []
    strengths = []
    for p, sign, can_reach in zip(probability.tolist(), decision, is_open, strict=True):
        role, strength = shading(p, prior)
        if sign:
            role, strength = STOP_ROLES[int(sign)], 1.0
        roles.append(role)
        strengths.append(strength if can_reach else PALE_SHARE * strength)
    return [
        Areas("cells", "grid", *corners, opacities=np.where(is_open, 1.0, PALE_CELL).tolist()),
        Areas("shades", "positive", *corners, part_roles=roles, opacities=strengths),
    ]


def _list_stops(layout: _ListLayout, decision: Any, is_open: Any) -> Line:
    """Draw a bar under the cells in which one stops, in the colour of the decision."""
    stops = decision != 0
    ends = np.column_stack((layout.left, layout.right))[stops]
    foot = np.repeat(layout.middle[:, None] - 0.5 * layout.table.row, 2, axis=1)[stops]
    return Line(
        "stops",
        "positive-text",
        ends,
        foot,
        part_roles=[STOP_ROLES[int(sign)] for sign in decision[stops]],
        opacities=np.where(is_open[stops], 1.0, PALE_SHARE).tolist() or (1.0,),
        width=4.0,
    )


def _list_path(layout: _ListLayout, path: Sequence[int]) -> list[Mark]:
    """Frame the cells of the case's path, and link each with the next."""
    on_path = np.isin(np.arange(layout.stage.size), path)
    x, y = layout.centre[path], layout.middle[path]
    links = np.column_stack((x[:-1], x[1:])), np.column_stack((y[:-1], y[1:]))
    ends = []
    for start_to_end in links:  # the numbers stay free
        start, end = start_to_end.T
        ends.append(start[:, None] + (end - start)[:, None] * LINK_ENDS)
    return [
        Line("path", "selected", *layout.frames(on_path), width=2.5),
        Line("links", "selected", *ends, width=5.0),
    ]


def _list_next(layout: _ListLayout, here: int, following: Any) -> list[Mark]:
    """Frame the cells that come next, and draw an arrow to each of them."""
    start = np.array([layout.centre[here], layout.middle[here]])
    arrows = []
    for cell in following:
        end = np.array([layout.centre[cell], layout.middle[cell]])
        arrows.append(_arrow(start, end, layout.table.row))
    x, y = np.array(arrows).reshape(-1, len(ARROW), 2).transpose(2, 0, 1)
    return [
        Line("next", "selected", *layout.frames(following), width=2.0, dash="dashed"),
        Areas("arrows", "selected", x, y),
    ]


def _arrow(start: Floats, end: Floats, size: float) -> Floats:
    """Compute the corners of an arrow on the way between two cells, whose numbers stay free."""
    way = end - start
    length = float(np.hypot(*way))
    along = way / length
    across = np.array([-along[1], along[0]])
    tip = start + ARROW_TIP * way
    return np.asarray([tip + size * (a * along + b * across) for a, b in ARROW])


def _list_heads(layout: _ListLayout, scores: Sequence[int]) -> list[Mark]:
    """Write the points of each question at the left, and the totals above."""
    table = layout.table
    point_rows: list[Row] = []
    if table.is_large:
        for index in range(0, len(scores), table.every):
            y = float(table.y(index + 2))
            x = float(layout.first_left[index + 1]) - POINTS_MARGIN
            point_rows.append((x, y, points(scores[index]), "muted"))
    head_y = float(table.y(0))
    max_heads = 14 if table.is_large else 6
    step = next(n for n in (1, 2, 5, 10, 20) if layout.totals.size <= max_heads * n)
    total_rows: list[Row] = []
    for column in np.flatnonzero(layout.totals % step == 0):
        x = layout.start + (column + 0.5) * layout.width
        total_rows.append((x, head_y, tick_text(layout.totals[column]), "muted"))
    longest = max((len(f"{total:g}") for total in layout.totals.tolist()), default=1)
    size = max(layout.font(longest + 1), MIN_FONT_SHARE)  # a letter's width between two totals
    title: list[Row] = []
    if table.is_large and layout.totals.size:
        title.append((0.0, head_y, "total", "muted"))
    elif table.is_large:
        rises = scores[0] > 0
        beside = 1.6 * layout.width
        total_rows.append(
            (layout.centre[0] - beside, head_y, "↙ no" if rises else "↙ yes", "muted")
        )
        total_rows.append(
            (layout.centre[0] + beside, head_y, "yes ↘" if rises else "no ↘", "muted")
        )
    return [
        words("points", point_rows, "end", bold=False, size=table.size),
        words("totals", total_rows, "middle", bold=False, size=size),
        words("titles", title, bold=False, size=table.size),
    ]


def _list_numbers(
    layout: _ListLayout, probability: Floats, here: int, decision: Any, is_open: Any
) -> Words:
    """Write the probabilities into the cells, if all of them fit; the token has that ``here``."""
    rows: list[Row] = []
    shown = range(probability.size if layout.has_numbers(probability) else 0)
    for cell in shown:
        role = "muted"
        if is_open[cell]:
            role = "paper" if decision[cell] else "text"
        if cell != here:
            x = float(layout.centre[cell])
            y = float(layout.middle[cell])
            rows.append((x, y, cell_text(float(probability[cell])), role))
    size = layout.number_size(probability)
    return words("numbers", rows, "middle", bold=False, size=size)


def _list_readings(layout: _ListLayout, questions: Sequence[str], probability: Floats) -> list[str]:
    """Say of each cell when it is reached, and what its probability is."""
    readings = []
    cells = zip(layout.stage.tolist(), layout.total.tolist(), probability.tolist(), strict=True)
    for stage, total, of_cell in cells:
        after = f"after {questions[stage - 1]}" if stage else "before any question"
        readings.append(f"{after}, total score {total}: {percent(of_cell)}")
    return readings


def _list_note(layout: _ListLayout, *, has_stops: bool) -> list[Mark]:
    """Explain frames and full colours below a large table."""
    text = "frame: this case"
    if has_stops:
        text += " · full colour: stop"
    rows: list[Row] = []
    if layout.table.is_large:
        rows.append((0.0, 0.4 * layout.table.row, text, "muted"))
    return [words("note", rows, bold=False, size=0.9)]


def _cells_of(stages: Sequence[ScoringStage], totals: Sequence[Sequence[int]]) -> list[int]:
    """Find the cells of totals, listed by stage; they are counted through all stages."""
    firsts = np.cumsum([0, *(len(stage) for stage in stages)])
    cells = []
    for first, stage, of_stage in zip(firsts.tolist(), stages, totals, strict=False):
        for total in of_stage:
            cells.append(first + int(np.flatnonzero(stage.totals == total)[0]))
    return cells


def too_many(n_totals: int) -> str:
    """Explain why there is no table."""
    return (
        f"{n_totals} totals are too many for a table; the next picture shows them stage by stage."
    )


def _no_table(table: _Table, n_totals: int) -> Picture:
    lines = wrap(too_many(n_totals), 40 if table.is_large else 20)
    step = 7 if table.is_large else 13
    rows = [(0.0, 95.0 - step * k, text, "muted") for k, text in enumerate(lines)]
    return sheet([words("note", rows, bold=False)], is_large=table.is_large)


# ---------------------------------------------------------------------- where samples stop


def stops_picture(
    sure: Sequence[tuple[float, float]],
    questions: Sequence[str],
    text: str,
    here: int,
    is_large: bool,
) -> Picture:
    """Draw the shares ruled out and ruled in by each stage, from both ends of a bar.

    ``sure`` are these shares; the ``text`` stands above.
    """
    step = 85 * ROW_HEIGHT if is_large else 170 * ROW_HEIGHT
    lines = wrap(text, 46 if is_large else 30)
    shown = list(range(len(sure)))
    if not is_large:
        shown = [here] if sure else []
    table = _Table(max(len(shown) + 1, 2), is_large)
    scale = 1 - (len(lines) + 0.5) * step / 100  # below the words
    left = MIN_NAMES_WIDTH if is_large else 0.0
    right = 78.0 if is_large else 100.0
    first_row = 1 if is_large else 0
    heights = np.array([float(table.y(row + first_row)) * scale for row in range(len(shown))])
    negative, positive = np.array([sure[stage] for stage in shown]).reshape(-1, 2).T
    half = 0.3 * table.row * scale

    def bars(role: str, start: Any, end: Any) -> Areas:
        """Draw a part of each bar, between two shares of the samples."""
        starts = left + (right - left) * start
        ends = left + (right - left) * end
        return Areas(f"{role} bars", role, *boxes(starts, ends, heights - half, heights + half))

    def numbers(role: str, head: str, shares: Floats, x: float) -> Words:
        """Write the shares of an answer in a column, if there is room for them."""
        rows: list[Row] = []
        if is_large and shown:
            rows.append((x, float(table.y(0)) * scale, head, f"{role}-text"))
            for y, share in zip(heights.tolist(), shares.tolist(), strict=True):
                rows.append((x, y, percent(share), f"{role}-text"))
        return words(f"{role} shares", rows, "end", bold=False, size=table.size)

    names = table.names(
        ["before", *questions] if shown else [], here, MIN_NAMES_WIDTH - POINTS_MARGIN, 1
    )
    text_rows = []
    for index, line in enumerate(lines):
        text_rows.append((0.0, 100 - step * (0.6 + index), line, "text"))
    marks = [
        bars("negative", np.zeros(negative.size), negative),
        bars("grid", negative, 1 - positive),
        bars("positive", 1 - positive, np.ones(positive.size)),
        *(replace(mark, y=mark.y * scale) for mark in names),
        numbers("negative", "out", negative, 88.0),
        numbers("positive", "in", positive, 100.0),
        words("words", text_rows, bold=False),
    ]
    return sheet(marks, is_large=is_large)
