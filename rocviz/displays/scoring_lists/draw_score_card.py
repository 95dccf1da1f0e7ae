"""Draw a scoring list as a card of one page: questions, points, meaning of the totals.

All numbers come from the list. Coordinates are in points, down from the page's upper left corner.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from rocviz.core.base.validation import Bools
from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.core.scoring_lists.stage_band import StageBand
from rocviz.displays.base.style import rc, tint
from rocviz.displays.scoring_lists._card_rows import (
    CardRow,
    card_rows,
    chance,
    happened,
    interval,
    points,
    stop_at,
)
from rocviz.displays.scoring_lists.pictures import METHODS
from rocviz.theme import Theme
from rocviz.words import amount, percent

#: Width and height of the pages, in points.
PAPERS = {"a4": (595.3, 841.9), "letter": (612.0, 792.0)}
_MARGIN = 46.0
_LEAST_ROW, _MOST_ROW = 18.0, 46.0  # heights of rows
_ZONES = {1: "positive", 0: "reference", -1: "negative"}
_TINT = 0.14


@dataclass(frozen=True)
class CardContent:
    """The text of a card, besides the list's own questions and points."""

    title: str
    subtitle: str
    note: str
    scoring_list: ScoringList
    stage: int  # number of questions asked
    band: StageBand | None  # band of the last stage
    stops: list[tuple[Bools, Bools]]  # for every stage, the totals at which to stop
    # names of the totals beyond the lower limit (-1), between both (0), and beyond the upper (1)
    zones: dict[int, str]
    is_stepwise: bool  # whether stopping is possible after every question
    rows: list[CardRow] = field(default_factory=list)


def draw_score_card(content: CardContent, paper: str, theme: Theme) -> tuple[Figure, Axes]:
    """Draw the card on a figure of the paper's size; return the figure and its axes."""
    import matplotlib.pyplot as plt

    width, height = PAPERS[paper]
    with rc_context(rc(theme)):
        figure = plt.figure(figsize=(width / 72, height / 72))
        ax = figure.add_axes((0, 0, 1, 1), label="card")
    figure.set_facecolor(theme.colour("paper"))
    ax.set(xlim=(0, width), ylim=(height, 0))
    ax.axis("off")
    page = _Page(ax, theme, _MARGIN, width - _MARGIN, height - _MARGIN)
    y = page.heading(content.title, content.subtitle)
    size = content.stage
    foot = page.footer(content)
    # the rows of both tables share the rest of the page
    fixed = 28.0 + 58.0 + (34.0 if content.is_stepwise else 20.0)
    left = foot - y - fixed
    most = max(3, int(left / _LEAST_ROW) - size)
    rows = card_rows(content.scoring_list.stages[size], content.band, *content.stops[size], most)
    row = float(np.clip(left / (size + len(rows)), 10.0, _MOST_ROW))
    y = page.questions(content, y, row)
    page.meanings(content, rows, y + 28.0, row)
    content.rows.extend(rows)
    return figure, ax


class _Page:
    """A page with margins, on which text is measured before it is placed."""

    def __init__(self, ax: Axes, theme: Theme, left: float, right: float, bottom: float) -> None:
        self.ax, self.theme = ax, theme
        self.left, self.right, self.bottom = left, right, bottom

    def text(self, x: float, y: float, words: str, size: float, **looks: Any) -> Text:
        return self.ax.text(
            x, y, words, fontsize=size,
            parse_math=False,
            **{"color": self.theme.colour("text"), "va": "center_baseline", **looks},
        )  # fmt: skip

    def fitted(
        self, x: float, y: float, words: str, size: float, room: float, end: str = "",
        **looks: Any,
    ) -> Text:  # fmt: skip
        """Fit text into a width: shrink it, then break it into two lines, then cut it.

        ``end``, with which it ends, is never cut.
        """
        made = self.text(x, y, words, size, **looks)
        wide = self.width(made)
        if wide <= room:
            return made
        made.set_linespacing(1.05)
        if wide * 0.78 <= room:
            made.set_fontsize(0.99 * size * room / wide)
            return made
        for part in (0.78, 0.66):
            made.set_fontsize(part * size)
            for letters in range(len(words) // 2, len(words)):
                lines = textwrap.wrap(words, letters)
                if len(lines) <= 2:
                    made.set_text("\n".join(lines))
                    break
            if self.width(made) <= room:
                return made
        mark = f" …{end}"
        for letters in range(len(words), len(mark) + 4, -1):
            lines = textwrap.wrap(words.removesuffix(end), letters, max_lines=2, placeholder=mark)
            made.set_text("\n".join(lines).removesuffix(end) + end)
            if self.width(made) <= room:
                break
        return made

    def width(self, text: Text) -> float:
        figure = self.ax.figure
        return float(text.get_window_extent().width / figure.dpi * 72)

    def widest(self, words: Iterable[str], size: float, least: float) -> float:
        """Measure the width of the widest text, without adding it to the page."""
        widths = []
        for each in words:
            made = self.text(0, 0, each, size, fontweight="bold")
            widths.append(self.width(made))
            made.remove()
        return max(least, *widths)

    def line(self, y: float, thing: str = "reference", width: float = 0.8) -> None:
        self.ax.plot(
            [self.left, self.right], [y, y], color=self.theme.colour(thing), linewidth=width,
            solid_capstyle="butt", zorder=2,
        )  # fmt: skip

    def box(self, x: float, y: float, width: float, height: float, **looks: Any) -> None:
        self.ax.add_patch(Rectangle((x, y), width, height, **{"linewidth": 0, **looks}))

    # ------------------------------------------------------------------ the parts

    def heading(self, title: str, subtitle: str) -> float:
        """Write title and subtitle; return their lower end."""
        y = _MARGIN + 14.0
        lines = textwrap.wrap(title, 34)[:2] or [""]
        for words in lines:
            self.fitted(self.left, y, words, 26, self.right - self.left, fontweight="bold")
            y += 30.0
        for words in textwrap.wrap(subtitle, 88):
            self.text(self.left, y - 4.0, words, 11, color=self.theme.colour("muted"))
            y += 16.0
        return y + 6.0

    def footer(self, content: CardContent) -> float:
        """Write the source of the numbers at the bottom; return its upper end."""
        lines = [line for words in content.note.split("\n") for line in textwrap.wrap(words, 108)]
        top = self.bottom - 12.0 * len(lines)
        for i, words in enumerate(lines):
            self.text(self.left, top + 12.0 * i + 8.0, words, 8.5, color=self.theme.colour("muted"))
        self.line(top - 4.0, "grid")
        return top - 14.0

    def questions(self, content: CardContent, y: float, row: float) -> float:
        """Write the questions and their points; return the table's lower end."""
        made = content.scoring_list
        size = float(np.clip(0.5 * row, 5.5, 14.0))
        head = self.theme.colour("muted")
        unknown = made.missing != "error"
        stops = content.is_stepwise
        columns = {"total": self.right - 30.0}
        if stops:
            columns["positive"], columns["negative"] = self.right - 40.0, self.right - 122.0
            columns["total"] = self.right - 200.0
        columns["unknown"] = columns["total"] - 62.0
        columns["yes"] = columns["unknown"] - (58.0 if unknown else 0.0)
        y += 34.0 if stops else 20.0
        self.text(self.left, y - 8.0, "question", 9, color=head)
        self.text(columns["yes"], y - 8.0, "if yes", 9, color=head, ha="center")
        if unknown:
            self.text(columns["unknown"], y - 8.0, "not known", 9, color=head, ha="center")
        self.text(columns["total"], y - 8.0, "total so far", 9, color=head, ha="center")
        if stops:
            middle = (columns["positive"] + columns["negative"]) / 2
            self.text(middle, y - 24.0, "stop if the total is", 9, color=head, ha="center")
            for zone in (-1, 1):
                thing = _ZONES[zone]
                self.text(
                    columns[thing], y - 8.0, content.zones[zone], 9, ha="center",
                    color=self.theme.colour(f"{thing}-text"), fontweight="bold",
                )  # fmt: skip
        self.line(y)
        asked = made.questions()
        for k in range(content.stage):
            middle = y + row / 2
            if k:
                self.line(y, "grid")
            self.text(
                self.left + 8.0, middle, f"{k + 1}", size, ha="center", fontweight="bold",
                color=self.theme.colour("muted"),
            )  # fmt: skip
            room = columns["yes"] - 32.0 - self.left - 22.0
            # never cut off the threshold, which is part of the question
            end = asked[k].removeprefix(made.feature_names[k])
            self.fitted(self.left + 22.0, middle, asked[k], size, room, end)
            self.text(
                columns["yes"], middle, points(int(made.scores[k])), 1.15 * size, ha="center",
                fontweight="bold",
            )  # fmt: skip
            if unknown:
                self.text(
                    columns["unknown"], middle, points(int(made.missing_scores[k])), size,
                    ha="center", color=self.theme.colour("muted"),
                )  # fmt: skip
            self.box(
                columns["total"] - 17.0, y + 0.14 * row, 34.0, 0.72 * row,
                facecolor="none", edgecolor=self.theme.colour("reference"), linewidth=0.9,
            )  # fmt: skip
            if stops:
                self._stops(content, k + 1, columns, y, row, size)
            y += row
        self.line(y)
        return y

    def _stops(
        self, content: CardContent, k: int, columns: dict[str, float], y: float, row: float,
        size: float,
    ) -> None:  # fmt: skip
        totals = content.scoring_list.stages[k].totals
        for zone, where in zip((-1, 1), content.stops[k], strict=True):
            thing = _ZONES[zone]
            words = stop_at(totals, where, zone > 0).replace("-", "−")
            some = bool(where.any())
            if some:
                self.box(
                    columns[thing] - 38.0, y + 0.12 * row, 76.0, 0.76 * row,
                    facecolor=tint(thing, self.theme, _TINT * 1.5),
                )  # fmt: skip
            self.fitted(
                columns[thing], y + row / 2, words, min(0.9 * size, 10.5), 70.0, ha="center",
                color=self.theme.colour(f"{thing}-text" if some else "muted"),
                fontweight="bold" if some else "normal",
            )  # fmt: skip

    def meanings(self, content: CardContent, rows: Sequence[CardRow], y: float, row: float) -> None:
        """Write the meaning of each total after the last question."""
        size = float(np.clip(0.5 * row, 5.5, 14.0))
        head = self.theme.colour("muted")
        count = "the last question" if content.stage > 1 else "the question"
        self.text(self.left, y, f"What the total means after {count}", 14, fontweight="bold")
        y += 38.0
        total = self.left + 34.0 + (68.0 if content.zones else 0.0)
        sure = content.band is not None
        counted = content.scoring_list.stages[content.stage].has_counts
        cases = self.right - 4.0
        widths = [
            self.widest(map(write, rows), part * size, 46.0)
            for write, part in ((happened, 0.9), (interval, 0.9), (chance, 1.05))
        ]
        middle = cases - counted * (widths[0] + 14.0) - widths[1] / 2
        likely = middle - sure * (widths[1] / 2 + 14.0) - widths[2] / 2
        likely += 0.0 if sure else widths[1] / 2
        start, end = total + 54.0, likely - widths[2] / 2 - 26.0
        self.text(total, y - 8.0, "total", 9, color=head, ha="center")
        self.text(likely, y - 8.0, "probability", 9, color=head, ha="center")
        if sure:
            self.text(middle, y - 8.0, "interval", 9, color=head, ha="center")
        if counted:
            self.text(cases, y - 8.0, "happened", 9, color=head, ha="right")
        for at in (0.0, 0.5, 1.0):
            x = start + at * (end - start)
            self.text(x, y - 8.0, percent(at), 9, color=head, ha="center")
            self.ax.plot(
                [x, x], [y, y + row * len(rows)], color=self.theme.colour("grid"), linewidth=0.9,
                zorder=1,
            )  # fmt: skip
        self.line(y)
        self._zones(content, rows, y, row, size)
        for one in rows:
            self._meaning(one, y + row / 2, size, total, start, end)
            self.text(likely, y + row / 2, chance(one), 1.05 * size, ha="center",
                      fontweight="bold")  # fmt: skip
            if sure:
                self.text(middle, y + row / 2, interval(one), 0.9 * size, ha="center")
            if counted:
                self.text(cases, y + row / 2, happened(one), 0.9 * size, ha="right", color=head)
            y += row
        self.line(y)

    def _zones(
        self, content: CardContent, rows: Sequence[CardRow], y: float, row: float, size: float
    ) -> None:
        """Shade the rows of each zone, and mark them by a bar with the zone's name."""
        top = y
        for i, one in enumerate(rows):
            if i + 1 < len(rows) and rows[i + 1].zone == one.zone:
                continue
            below = y + row * (i + 1)
            words = content.zones.get(one.zone, "")
            if words:
                thing = _ZONES[one.zone]
                if one.zone:
                    self.box(
                        self.left, top, self.right - self.left, below - top,
                        facecolor=tint(thing, self.theme, _TINT), zorder=0.5,
                    )  # fmt: skip
                self.box(self.left - 6.0, top, 6.0, below - top,
                         facecolor=self.theme.colour(thing))  # fmt: skip
                ink = f"{thing}-text" if one.zone else "muted"
                self.text(
                    self.left + 10.0, (top + below) / 2, words, min(11.0, 0.95 * size),
                    color=self.theme.colour(ink), fontweight="bold",
                )  # fmt: skip
            top = below

    def _meaning(
        self, one: CardRow, y: float, size: float, total: float, start: float, end: float
    ) -> None:
        """Write the totals of a row, and draw its interval and probability."""
        words = f"{one.low}" if one.low == one.high else f"{one.low} to {one.high}"
        self.fitted(total, y, words.replace("-", "−"), 1.05 * size, 70.0, ha="center",
                    fontweight="bold")  # fmt: skip
        colour = self.theme.colour("hull")
        if np.isfinite(one.lower):
            x = start + np.array([one.lower, one.upper]) * (end - start)
            self.ax.plot(x, [y, y], color=colour, linewidth=0.3 * size, alpha=0.45,
                         solid_capstyle="butt", zorder=3)  # fmt: skip
        x = start + np.array([one.least, one.most]) * (end - start)
        self.ax.plot(
            x, [y, y], color=colour, linewidth=0.55 * size, marker="o", markersize=0.75 * size,
            markeredgecolor=self.theme.colour("paper"), markeredgewidth=0.8, zorder=4,
        )  # fmt: skip


def data_note(content_band: StageBand | None, scoring_list: ScoringList, stage: int) -> str:
    """Describe the source of a card's numbers."""
    made = scoring_list.stages[stage]
    if not made.has_counts:
        return "The probabilities were written by hand; the card holds no data behind them."
    pos, neg = made.counts
    words = f"From {amount(pos.sum())} positive and {amount(neg.sum())} negative cases."
    if content_band is not None:
        together = " for all totals together" if content_band.correction else ""
        words += (
            f" Intervals: {percent(content_band.confidence)}{together}, "
            f"{METHODS[content_band.method]}."
        )
    return words
