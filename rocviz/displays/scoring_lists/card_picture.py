"""The picture of a score card: questions, points, and the meaning of each total, on one page.

Coordinates and sizes of type are in points, from the page's lower left corner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from textwrap import wrap
from typing import Any

import numpy as np

from rocviz.core.base.validation import Bools
from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.core.scoring_lists.stage import ScoringStage
from rocviz.core.scoring_lists.stage_band import StageBand
from rocviz.displays.base.style import POINTS_PER_PIXEL, font
from rocviz.displays.scoring_lists.pictures import points
from rocviz.pictures import Areas, Dots, Line, Mark, Picture, Words, boxes, sheet
from rocviz.theme import DESK
from rocviz.words import amount, letters, percent, shorten

#: Width and height of the pages, in points.
PAPERS = {"a4": (595.3, 841.9), "letter": (612.0, 792.0)}
LEFT = BOTTOM = 46.0  # margins
# heights of rows
MIN_ROW_HEIGHT = 18.0
MAX_ROW_HEIGHT = 46.0
# widths of a regular and of a bold letter, as shares of their size
REGULAR_WIDTH = 0.65
BOLD_WIDTH = 0.7
# font size of questions, as a share; longer ones are broken into two lines
MIN_QUESTION_FONT = 0.72
ZONES = {-1: "negative", 0: "reference", 1: "positive"}
TINT_OPACITY = 0.14


@dataclass(frozen=True)
class CardRow:
    """Neighbouring totals with the same probability."""

    # lowest and highest total
    low: int
    high: int
    # lowest and highest probability
    least: float
    most: float
    # union of the intervals; NaN without intervals
    lower: float
    upper: float
    # positives and all cases; NaN for a hand-written list
    pos: float
    n: float
    zone: int  # -1 beyond the lower limit, 1 beyond the upper one, 0 between

    def joined(self, below: CardRow) -> CardRow:
        """Merge this row with the one below it."""
        return replace(
            self,
            low=below.low,
            least=below.least,
            lower=min(self.lower, below.lower),
            upper=max(self.upper, below.upper),
            pos=self.pos + below.pos,
            n=self.n + below.n,
        )


def card_rows(
    stage: ScoringStage, band: StageBand | None, negative: Bools, positive: Bools, room: int
) -> list[CardRow]:
    """Make the rows of a card, the highest totals first.

    Totals of equal probability share a row. If there are more rows than there is room for, those
    that are nearest to each other are joined, never across a limit.
    """
    nothing = np.full(len(stage), np.nan)
    lower, upper = (nothing, nothing) if band is None else (band.lower, band.upper)
    pos, neg = stage.counts if stage.has_counts else (nothing, nothing)
    rows: list[CardRow] = []
    for i, total in enumerate(stage.totals.tolist()):
        q = float(stage.probability[i])
        row = CardRow(
            *(total, total, q, q, float(lower[i]), float(upper[i])),
            *(float(pos[i]), float(pos[i] + neg[i]), int(positive[i]) - int(negative[i])),
        )
        if rows and rows[-1].zone == row.zone and rows[-1].least == q:
            rows[-1] = rows[-1].joined(row)
        else:
            rows.append(row)
    while len(rows) > room:
        near = [
            (one.most - two.least if one.zone == two.zone else np.inf, i)
            for i, (one, two) in enumerate(pairwise(rows))
        ]
        gap, i = min(near)
        if gap == np.inf:
            break
        rows[i : i + 2] = [rows[i].joined(rows[i + 1])]
    return rows


def stop_at(totals: np.ndarray, where: Bools, *, above: bool) -> str:
    """Write the total at which a case stops; "–" if it never does."""
    beyond = totals[where]
    if not beyond.size:
        return "–"
    text = f"{beyond.min()} or more" if above else f"{beyond.max()} or less"
    return text.replace("-", "−")


def totals(one: CardRow) -> str:
    """Write the totals of a row."""
    text = f"{one.low}" if one.low == one.high else f"{one.low} to {one.high}"
    return text.replace("-", "−")


def chance(one: CardRow) -> str:
    """Write the probability of a row, or its range.

    Cases that were counted never make it exactly 0 or 1: none of 14 does not mean never.
    """
    low, high = _near_ends(one.least), _near_ends(one.most)
    if not np.isnan(one.n) and one.least == 0:
        return f"< {high.removeprefix('< ') if one.most else percent(0.01)}"
    if not np.isnan(one.n) and one.most == 1:
        return f"> {low.removeprefix('> ') if one.least < 1 else percent(0.99)}"
    return low if low == high else f"{low} – {high}".replace(" % –", " –")


def _near_ends(value: float) -> str:
    """Write whole per cent, with one decimal near 0 and 1, where limits lie."""
    if 0.0995 <= value <= 0.9005 or value in (0, 1):
        return percent(value)
    return percent(value, 1)


def happened(one: CardRow) -> str:
    """Write the number of positive cases."""
    if np.isnan(one.n):
        return ""
    return f"{amount(one.pos)} of {amount(one.n)}" if one.n else "none"


def interval(one: CardRow) -> str:
    """Write an interval in whole per cent, rounded outwards."""
    if np.isnan(one.lower):
        return ""
    low = min(np.floor(100 * one.lower + 1e-9), 100 if one.lower == 1 else 99)
    high = max(np.ceil(100 * one.upper - 1e-9), 0 if one.upper == 0 else 1)
    return f"{low:.0f} – {high:.0f} %"


class _Page:
    """Marks on a page, and the table that is being written."""

    def __init__(self, size: tuple[float, float]) -> None:
        self.width, self.height = size
        self.right = self.width - LEFT
        self.marks: list[Mark] = []

    def write(
        self, x: float, y: Any, texts: Sequence[str], size: float, role: Any = "muted", **style: Any
    ) -> None:
        """Write texts of one size, in one role or in one each."""
        roles = [role] if isinstance(role, str) else role
        style = {"bold": False, **style, "each": roles, "size": size / font(DESK)}
        at = np.full(len(texts), x), np.broadcast_to(y, len(texts))
        self.marks.append(Words(f"words {len(self.marks)}", "text", *at, text=texts, **style))

    def line(self, x: Any, y: Any, role: str = "grid", width: float = 0.8, **style: Any) -> None:
        """Draw one line or several."""
        style["width"] = width / POINTS_PER_PIXEL
        self.marks.append(Line(f"lines {len(self.marks)}", role, x, y, **style))

    def fill(self, corners: Any, role: str, share: float = 1.0) -> None:
        """Fill boxes with a share of a colour."""
        self.marks.append(Areas(f"boxes {len(self.marks)}", role, *corners, opacities=(share,)))

    def table(self, top: float, count: int, row: float) -> None:
        """Begin a table between two lines."""
        self.top = top
        self.below = top - row * count
        self.row = row
        self.y = top - row * (np.arange(count) + 0.5)  # middles of the rows
        self.size = float(np.clip(0.5 * row, 5.5, 14.0))
        for y in (self.top, self.below):
            self.line((LEFT, self.right), (y, y), "reference")

    def column(
        self, x: float, heading: str, texts: Sequence[str], share: float = 1.0, **style: Any
    ) -> None:
        """Write a column of the table, in a share of the size of its type."""
        style = {"role": "text", "align": "middle", **style}
        self.write(x, self.top + 8.0, [heading], 9.0, align=style["align"])
        self.write(x, self.y, texts, share * self.size, **style)

    def boxes(self, left: Any, right: Any, some: Any, share: float) -> Any:
        """Compute the corners of boxes that take a share of the height of some rows."""
        half = 0.5 * share * self.row
        return boxes(left, right, self.y[some] - half, self.y[some] + half)


def card_picture(
    scoring_list: ScoringList,
    stage: int,
    band: StageBand | None,
    stops: Sequence[tuple[Bools, Bools]],
    zones: Mapping[int, str],
    texts: tuple[str, str, str],
    paper: str,
) -> tuple[Picture, list[CardRow]]:
    """Draw the card; returns the picture and the rows of its second table.

    Parameters
    ----------
    scoring_list : ScoringList
    stage : int
        Number of questions asked.
    band : StageBand or None
        Band of the last stage.
    stops : sequence of (Bools, Bools)
        For every stage, the totals at which one stops as negative and as positive.
    zones : mapping of int to str
        Names of the totals beyond the lower limit (-1) and beyond the upper one (1); those
        between (0) have one if stopping is possible after every question.
    texts : (str, str, str)
        Title, subtitle, and note at the foot.
    paper : str
        A key of :data:`PAPERS`.
    """
    page = _Page(PAPERS[paper])
    title, subtitle, note = texts
    top = _heading(page, title, subtitle) - (34.0 if 0 in zones else 20.0)
    # the rows of both tables share the rest of the page
    space = top - _footer(page, note) - 86.0
    most = max(3, int(space / MIN_ROW_HEIGHT) - stage)
    rows = card_rows(scoring_list.stages[stage], band, *stops[stage], most)
    row = float(np.clip(space / (stage + len(rows)), 10.0, MAX_ROW_HEIGHT))
    page.table(top, stage, row)
    total = page.right - (200.0 if 0 in zones else 30.0)
    if 0 in zones:
        page.write(page.right - 81.0, top + 24.0, ["stop if the total is"], 9.0, align="middle")
        for zone, x in ((-1, page.right - 122.0), (1, page.right - 40.0)):
            _stops(page, scoring_list, stops, zone, zones[zone], x)
    _questions(page, scoring_list, total)
    last = "the last question" if stage > 1 else "the question"
    title = f"What the total means after {last}"
    page.write(LEFT, page.below - 28.0, [title], 14.0, "text", bold=True)
    page.table(page.below - 66.0, len(rows), row)
    _zones(page, rows, zones)
    _meanings(page, rows, LEFT + (102.0 if zones else 34.0))
    return sheet(page.marks, *PAPERS[paper]), rows


def _width(texts: Sequence[str], letter: float = BOLD_WIDTH) -> float:
    """Measure the widest text, as a share of its size; a space is half a letter."""
    return letter * max(letters(text) - text.count(" ") / 2 for text in texts)


def _heading(page: _Page, title: str, subtitle: str) -> float:
    """Write title and subtitle; returns their lower end."""
    lines = wrap(title, 34)[:2] or [""]
    more = wrap(subtitle, 88)
    wide = _width(lines)
    size = min(26.0, (page.right - LEFT) / wide) if wide else 26.0
    y = page.height - 60.0 - 30.0 * np.arange(len(lines) + 1)
    page.write(LEFT, y[:-1], lines, size, "text", bold=True)
    page.write(LEFT, y[-1] + 4.0 - 16.0 * np.arange(len(more)), more, 11.0)
    return float(y[-1]) - 16.0 * len(more) - 6.0


def _footer(page: _Page, note: str) -> float:
    """Write the source of the numbers at the bottom; returns its upper end."""
    lines = [line for text in note.split("\n") for line in wrap(text, 108)]
    page.write(LEFT, BOTTOM + 4.0 + 12.0 * np.arange(len(lines))[::-1], lines, 8.5)
    top = BOTTOM + 12.0 * len(lines)
    page.line((LEFT, page.right), (top + 4.0, top + 4.0))
    return top + 14.0


def _questions(page: _Page, scoring_list: ScoringList, total: float) -> None:
    """Write the questions and their points, and boxes for the totals."""
    y = page.y
    asked = scoring_list.questions()[: page.y.size]
    between = np.column_stack((y, y))[1:] + page.row / 2
    page.line(np.full(between.shape, (LEFT, page.right)), between)
    numbers = [str(k) for k in range(1, y.size + 1)]
    page.column(LEFT + 8.0, "", numbers, role="muted", bold=True)
    yes = total - 62.0
    if scoring_list.missing != "error":
        values = [points(score) for score in scoring_list.missing_scores[: y.size].tolist()]
        page.column(yes, "not known", values, role="muted")
        yes -= 58.0
    values = [points(score) for score in scoring_list.scores[: y.size].tolist()]
    page.column(yes, "if yes", values, 1.15, bold=True)
    page.write(total, page.top + 8.0, ["total so far"], 9.0, align="middle")
    x, up = page.boxes(total - 17.0, total + 17.0, slice(None), 0.72)
    page.line(x[:, [0, 1, 2, 3, 0]], up[:, [0, 1, 2, 3, 0]], "reference", 0.9)
    page.write(LEFT, page.top + 8.0, ["question"], 9.0)
    most = (yes - LEFT - 54.0) / (0.9 * REGULAR_WIDTH * page.size)
    for text, name, up in zip(asked, scoring_list.feature_names, y, strict=False):
        share = float(np.clip(most / letters(text), MIN_QUESTION_FONT, 1.0))
        written = (
            _in_two_lines(text, name, int(most / MIN_QUESTION_FONT))
            if share == MIN_QUESTION_FONT
            else text
        )
        page.write(LEFT + 22.0, up, [written], share * page.size, "text")


def _in_two_lines(text: str, name: str, most: int) -> str:
    """Break a question into two lines of at most so many letters, with its threshold uncut."""
    threshold = text.removeprefix(name)
    together = threshold.replace(" ", "\u00a0")
    lines = [text]
    for room in range(2 * most, 1, -1):
        lines = wrap(shorten(text, room).removesuffix(threshold) + together, most)
        if len(lines) <= 2:
            break
    return "\n".join(lines).replace("\u00a0", " ")


def _stops(
    page: _Page, scoring_list: ScoringList, stops: Sequence[Any], zone: int, name: str, x: float
) -> None:
    """Write the totals at which one stops on one side."""
    role = ZONES[zone]
    after = slice(1, page.y.size + 1)
    where = [each[zone > 0] for each in stops[after]]
    texts = [
        stop_at(stage.totals, each, above=zone > 0)
        for stage, each in zip(scoring_list.stages[after], where, strict=True)
    ]
    some = np.array([each.any() for each in where])
    page.fill(page.boxes(x - 38.0, x + 38.0, some, 0.76), role, 1.5 * TINT_OPACITY)
    size = min(0.9 * page.size, 10.5, 70.0 / _width(texts))
    roles = [f"{role}-text" if each else "muted" for each in some]
    page.write(x, page.top + 8.0, [name], 9.0, f"{role}-text", align="middle", bold=True)
    page.write(x, page.y, texts, size, roles, align="middle", bold=True)


def _zones(page: _Page, rows: Sequence[CardRow], zones: Mapping[int, str]) -> None:
    """Shade the rows of each zone, and mark them by a bar with the zone's name."""
    for zone, name in zones.items():
        inside = page.y[[one.zone == zone for one in rows]]
        if inside.size:
            role = ZONES[zone]
            ends = (inside[-1] - page.row / 2, inside[0] + page.row / 2)
            page.fill(boxes(LEFT - 6.0, LEFT, *ends), role)
            page.fill(boxes(LEFT, page.right, *ends), role, TINT_OPACITY * abs(zone))
            ink = f"{role}-text" if zone else "muted"
            size = min(11.0, 0.95 * page.size)
            page.write(LEFT + 10.0, sum(ends) / 2, [name], size, ink, bold=True)


def _meanings(page: _Page, rows: Sequence[CardRow], total: float) -> None:
    """Write the meaning of each total after the last question."""
    right = page.right - 4.0
    for heading, write, share, letter, style in (
        ("happened", happened, 0.9, REGULAR_WIDTH, {"role": "muted", "align": "end"}),
        ("interval", interval, 0.9, REGULAR_WIDTH, {}),
        ("probability", chance, 1.05, BOLD_WIDTH, {"bold": True}),
    ):
        texts = [write(one) for one in rows]
        wide = max(46.0, share * page.size * _width(texts, letter))
        if any(texts):
            x = right if "align" in style else right - wide / 2
            page.column(x, heading, texts, share, **style)
            right -= wide + 14.0
    texts = [totals(one) for one in rows]
    share = min(1.05, 70.0 / (page.size * _width(texts)))
    page.column(total, "total", texts, share, bold=True)
    start, end = total + 54.0, right - 12.0
    for at in (0.0, 0.5, 1.0):
        page.write(start + at * (end - start), page.top + 8.0, [percent(at)], 9.0, align="middle")
        page.line([start + at * (end - start)] * 2, (page.top, page.below), width=0.9)
    ends = np.array([(one.lower, one.upper, one.least, one.most) for one in rows])
    sure, likely = np.split(start + (end - start) * ends, 2, axis=1)
    y = np.column_stack((page.y, page.y))
    page.line(sure, y, "hull", 0.3 * page.size, opacities=(0.45,))
    page.line(likely, y, "hull", 0.55 * page.size)
    dot: dict[str, Any] = {"size": np.pi / 4 * (0.75 * page.size / POINTS_PER_PIXEL) ** 2}
    dots = Dots("dots", "hull", likely.ravel(), y.ravel(), rim="paper", width=1.0, **dot)
    page.marks.append(dots)
