"""ScoreCardDisplay: a scoring list on one page, to be printed and filled in by hand.

On the page are the questions, their points, and the meaning of each total. Coordinates and sizes of
type of its picture are in points, from the page's lower left corner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from os import PathLike
from textwrap import wrap
from typing import Any, Self

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes

from rocviz.core.base.validation import Bools, check_choice, check_number
from rocviz.core.scoring_lists.decisions import check_limits, stops
from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.core.scoring_lists.stage import ScoringStage, predicts_positive
from rocviz.core.scoring_lists.stage_band import StageBand
from rocviz.displays.base.data import class_names_of
from rocviz.displays.base.display import Display
from rocviz.displays.base.draw_picture import draw_picture
from rocviz.displays.base.figure import save_figure
from rocviz.displays.base.style import POINTS_PER_PIXEL, font, rc, resolve_theme
from rocviz.displays.scoring_lists.pictures import METHODS, points
from rocviz.displays.scoring_lists.stage import check_list, list_of
from rocviz.files import output_path
from rocviz.pictures import Areas, Dots, Line, Mark, Picture, Words, boxes, sheet
from rocviz.theme import DESK, Theme
from rocviz.words import UNNAMED, ClassNames, amount, letters, percent, shorten

_MAX_QUESTIONS = 36
#: Width and height of the pages, in points.
PAPER_SIZES = {"a4": (595.3, 841.9), "letter": (612.0, 792.0)}
LEFT_MARGIN = BOTTOM_MARGIN = 46.0  # margins
# heights of rows
MIN_ROW_HEIGHT = 18.0
MAX_ROW_HEIGHT = 46.0
# widths of a regular and of a bold letter, as shares of their size
REGULAR_LETTER_WIDTH = 0.65
BOLD_LETTER_WIDTH = 0.7
# font size of questions, as a share; longer ones are broken into two lines
MIN_QUESTION_FONT_SHARE = 0.72
ZONE_ROLES = {-1: "negative", 0: "reference", 1: "positive"}
TINT_OPACITY = 0.14
MAX_ZONE_LETTERS = 11  # of the name of a class beside the rows of its zone


class ScoreCardDisplay(Display):
    """One page with the questions of a scoring list, their points, and what each total means.

    Where limits are given, every question says at which total one may stop. Use
    :meth:`from_estimator` to make one from a fitted estimator; the constructor takes a list.

    Parameters
    ----------
    scoring_list : ScoringList
    title : str, default="Score card"
    pos_label : str, optional
        What is probable, as it is called in a sentence: "heart disease".
    note : str, optional
        A text at the foot of the card, such as whose data the numbers are from.
    labels : pair of str, or mapping of label to str, optional
        Names of the negative and of the positive class, or of 0 and 1.

    Attributes
    ----------
    figure_ : matplotlib Figure
        Of the size of the paper.
    ax_ : matplotlib Axes
        The whole page.
    picture_ : rocviz.pictures.Picture
        What was drawn, as a value.
    rows_ : list
        What stands in the rows of the second table.

    Raises
    ------
    ValueError
        If ``scoring_list`` is of another type.

    See Also
    --------
    ScoringList : The numbers.
    StageDisplay : One stage as a picture.

    Examples
    --------
    >>> from rocviz import ScoreCardDisplay
    >>> from rocviz.datasets import load_scoring_list_example
    >>> card = ScoreCardDisplay(load_scoring_list_example()).plot(lower=0.1, upper=0.9)
    >>> [(row.low, row.high) for row in card.rows_]
    [(3, 4), (2, 2), (1, 1), (0, 0), (-2, -1)]
    """

    def __init__(
        self,
        scoring_list: ScoringList,
        *,
        title: str = "Score card",
        pos_label: str | None = None,
        note: str | None = None,
        labels: Any = None,
    ) -> None:
        self.scoring_list = check_list(scoring_list)
        self.title = title
        self.pos_label = pos_label
        self.note = note
        self._name_classes(labels)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        pos_label: str | None = None,
        title: str = "Score card",
        note: str | None = None,
        stage: int = -1,
        lower: float | None = None,
        upper: float | None = None,
        use: str = "point",
        cost_fn: float | None = None,
        band: bool = True,
        confidence: float = 0.95,
        method: str = "clopper-pearson",
        correction: str | None = "bonferroni",
        paper: str = "a4",
        labels: Any = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the card of a fitted scoring list.

        Parameters
        ----------
        estimator : fitted ProbabilisticScoringList, or ScoringList
        title, pos_label, note : str, optional
            See the class; ``pos_label`` defaults to the name of the positive class, if that
            is a string.
        labels : mapping of label to str, or pair of str, optional
            Names of the classes: by label, or of the negative and of the positive class. By default
            the labels themselves, unless they are 0 and 1, -1 and 1, or booleans.
        cost_fn, stage, lower, upper, use, band, confidence, method, correction, paper, theme
            As for :meth:`plot`.

        Returns
        -------
        ScoreCardDisplay

        Raises
        ------
        ValueError
            If ``estimator`` or the data are invalid. Then no figure is made.
        """
        scoring_list, _ = list_of(estimator, None)
        if not isinstance(estimator, ScoringList):
            labels = class_names_of(estimator, labels=labels)
        display = cls(scoring_list, title=title, pos_label=pos_label, note=note, labels=labels)
        return display.plot(
            stage=stage,
            lower=lower,
            upper=upper,
            use=use,
            cost_fn=cost_fn,
            band=band,
            confidence=confidence,
            method=method,
            correction=correction,
            paper=paper,
            theme=theme,
        )

    def plot(
        self,
        *,
        stage: int = -1,
        lower: float | None = None,
        upper: float | None = None,
        use: str = "point",
        cost_fn: float | None = None,
        band: bool = True,
        confidence: float = 0.95,
        method: str = "clopper-pearson",
        correction: str | None = "bonferroni",
        paper: str = "a4",
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the card.

        Parameters
        ----------
        stage : int, default=-1
            How many questions it has; negative numbers count from the end.
        lower, upper : float, optional
            Limits within [0, 1] at which one stops, as for ``ScoringList.decide``.
        use : {"point", "interval"}, default="point"
            What has to be beyond the limit.
        cost_fn : float, optional
            Cost M of a miss, in false alarms: which totals are predicted positive at the end. Not
            together with limits.
        band : bool, default=True
            Print intervals, if the list has counts.
        confidence, method, correction
            Of the intervals, as for :meth:`rocviz.core.scoring_lists.ScoringStage.band`.
        paper : {"a4", "letter"}, default="a4"
        theme : Theme or {"light", "dark", "lecture"}, optional
            Only its colours matter: the paper decides on the size of type.

        Returns
        -------
        ScoreCardDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid, or the list has more than 36 questions or
            none. Then no figure is made.
        """
        resolved_theme = replace(resolve_theme(theme), lecture=False)  # the paper decides on sizes
        scoring_list = self.scoring_list
        k = scoring_list.stage_number(stage)
        if not 1 <= k <= _MAX_QUESTIONS:
            raise ValueError(
                f"stage must ask from 1 to {_MAX_QUESTIONS} questions to fit a card; got {k}."
            )
        check_choice(paper, "paper", tuple(PAPER_SIZES))
        check_limits(lower, upper, use)
        has_limits = lower is not None or upper is not None
        if cost_fn is not None:
            cost_fn = check_number(cost_fn, "cost_fn", above=0.0)
            if has_limits:
                raise ValueError("cost_fn and limits cannot be combined; give only one of them.")
        bands = None
        if scoring_list.stages[0].has_counts and (band or use == "interval"):
            bands = []
            for of_list in scoring_list.stages:
                bands.append(of_list.band(confidence, method=method, correction=correction))
        ends: list[tuple[Bools, Bools]] = []
        for i, of_list in enumerate(scoring_list.stages):
            if cost_fn is not None:
                is_positive = predicts_positive(of_list.probability, cost_fn)
                ends.append((~is_positive, is_positive))
            else:
                stage_band = None if bands is None else bands[i]
                ends.append(stops(of_list, stage_band, lower=lower, upper=upper, use=use))
        printed = bands[k] if band and bands is not None else None
        # a title that names the positive class alone does not name the other one
        classes = self._class_names or UNNAMED
        notes = [
            _source(printed, scoring_list.stages[k], classes),
            _rule(lower, upper, use, cost_fn, classes),
            self.note,
        ]
        texts = self.title, self._subtitle(has_limits), "\n".join(filter(None, notes))
        zones = _zone_names(has_limits, cost_fn, classes.shortened(MAX_ZONE_LETTERS))
        self.picture_, self.rows_ = card_picture(
            scoring_list, k, printed, ends, zones, texts, paper
        )
        self.ax_ = _paper_axes(paper, resolved_theme)
        self.figure_ = self.ax_.figure
        draw_picture(_without_halos(self.picture_, resolved_theme), self.ax_, resolved_theme)
        return self

    def save(self, path: str | PathLike[str]) -> None:
        """Save the card as a file in its paper size.

        Parameters
        ----------
        path : str or path
            Ends in ``.pdf``, ``.svg`` or ``.png``.

        Raises
        ------
        ValueError
            If nothing has been drawn yet, or the path has another ending.
        OSError
            If the file cannot be written; an existing one is then as it was.
        """
        if not hasattr(self, "figure_"):
            raise ValueError("the card has not been drawn yet: call plot first.")
        path = output_path(path, (".pdf", ".svg", ".png"))
        save_figure(self.figure_, path, dpi=200)

    def _subtitle(self, has_limits: bool) -> str:
        words = "Ask in this order and add the points of every yes."
        positive = self.pos_label
        if positive is None and self._classes.is_named:
            positive = self._classes.positive
        if positive is not None:
            words = f"Probability of {positive}. {words}"
        return words + (" Stop when a total allows it." if has_limits else "")


def _paper_axes(paper: str, theme: Theme) -> Axes:
    """Make axes that fill a new pyplot figure of the paper's size."""
    import matplotlib.pyplot as plt

    with rc_context(rc(theme)):
        figure = plt.figure(figsize=[side / 72 for side in PAPER_SIZES[paper]])
        return figure.add_axes((0, 0, 1, 1), label="card")


def _without_halos(picture: Picture, theme: Theme) -> Picture:
    """Give words their colours, so that they have no halo on tinted rows."""
    marks = []
    for mark in picture.marks:
        if isinstance(mark, Words):
            mark = replace(mark, part_roles=list(map(theme.colour, mark.roles)))
        marks.append(mark)
    return replace(picture, marks=tuple(marks))


def _source(band: StageBand | None, stage: ScoringStage, classes: ClassNames) -> str:
    """Describe the source of a card's numbers."""
    if not stage.has_counts:
        return "The probabilities were written by hand; the card holds no data behind them."
    pos, neg = stage.counts
    positives = f"{amount(pos.sum())} {classes.are_positive}"
    text = f"From {positives} and {amount(neg.sum())} {classes.are_negative} cases."
    if band is None:
        return text
    together = " for all totals together" if band.correction else ""
    return f"{text} Intervals: {percent(band.confidence)}{together}, {METHODS[band.method]}."


def _rule(
    lower: float | None,
    upper: float | None,
    use: str,
    cost_fn: float | None,
    classes: ClassNames,
) -> str:
    """Describe when a total is ruled out, ruled in or predicted negative."""
    if cost_fn is not None:
        return (
            f"Predicted {classes.negative} only where that is at least {cost_fn:g} times as "
            f"probable as {classes.positive}."
        )
    quantity = "probability" if use == "point" else "whole interval"
    parts = []
    if lower is not None:
        parts.append(f"rule out: {quantity} at most {percent(lower)}")
    if upper is not None:
        parts.append(f"rule in: {quantity} at least {percent(upper)}")
    return "; ".join(parts).capitalize() + "." if parts else ""


def _zone_names(has_limits: bool, cost_fn: float | None, classes: ClassNames) -> dict[int, str]:
    if has_limits:
        return {-1: "rule out", 0: "not sure", 1: "rule in"}
    if cost_fn is not None:
        return {-1: classes.negative, 1: classes.positive}
    return {}


# ---------------------------------------------------------------------- the picture of the card


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
            low=total,
            high=total,
            least=q,
            most=q,
            lower=float(lower[i]),
            upper=float(upper[i]),
            pos=float(pos[i]),
            n=float(pos[i] + neg[i]),
            zone=int(positive[i]) - int(negative[i]),
        )
        if rows and rows[-1].zone == row.zone and rows[-1].least == q:
            rows[-1] = rows[-1].joined(row)
        else:
            rows.append(row)
    while len(rows) > room:
        gaps = []
        for above, below in pairwise(rows):
            gaps.append(above.most - below.least if above.zone == below.zone else np.inf)
        i = int(np.argmin(gaps))
        if gaps[i] == np.inf:
            break
        rows[i : i + 2] = [rows[i].joined(rows[i + 1])]
    return rows


def stop_at(totals: np.ndarray, is_stop: Bools, *, above: bool) -> str:
    """Write the total at which a case stops; "–" if it never does."""
    beyond = totals[is_stop]
    if not beyond.size:
        return "–"
    text = f"{beyond.min()} or more" if above else f"{beyond.max()} or less"
    return text.replace("-", "−")


def totals(row: CardRow) -> str:
    """Write the totals of a row."""
    text = f"{row.low}" if row.low == row.high else f"{row.low} to {row.high}"
    return text.replace("-", "−")


def chance(row: CardRow) -> str:
    """Write the probability of a row, or its range.

    Cases that were counted never make it exactly 0 or 1: none of 14 does not mean never.
    """
    low = _near_ends(row.least)
    high = _near_ends(row.most)
    if not np.isnan(row.n) and row.least == 0:
        return f"< {high.removeprefix('< ') if row.most else percent(0.01)}"
    if not np.isnan(row.n) and row.most == 1:
        return f"> {low.removeprefix('> ') if row.least < 1 else percent(0.99)}"
    return low if low == high else f"{low} – {high}".replace(" % –", " –")


def _near_ends(value: float) -> str:
    """Write whole per cent, with one decimal near 0 and 1, where limits lie."""
    if 0.0995 <= value <= 0.9005 or value in (0, 1):
        return percent(value)
    return percent(value, 1)


def happened(row: CardRow) -> str:
    """Write the number of positive cases."""
    if np.isnan(row.n):
        return ""
    return f"{amount(row.pos)} of {amount(row.n)}" if row.n else "none"


def interval(row: CardRow) -> str:
    """Write an interval in whole per cent, rounded outwards."""
    if np.isnan(row.lower):
        return ""
    low = min(np.floor(100 * row.lower + 1e-9), 100 if row.lower == 1 else 99)
    high = max(np.ceil(100 * row.upper - 1e-9), 0 if row.upper == 0 else 1)
    return f"{low:.0f} – {high:.0f} %"


class _Page:
    """Marks on a page, and the table that is being written."""

    def __init__(self, size: tuple[float, float]) -> None:
        self.width, self.height = size
        self.right = self.width - LEFT_MARGIN
        self.marks: list[Mark] = []

    def write(
        self, x: float, y: Any, texts: Sequence[str], size: float, role: Any = "muted", **style: Any
    ) -> None:
        """Write texts of one size, in one role or in one each."""
        roles = [role] if isinstance(role, str) else role
        style = {"bold": False, **style, "part_roles": roles, "size": size / font(DESK)}
        all_x = np.full(len(texts), x)
        all_y = np.broadcast_to(y, len(texts))
        name = f"words {len(self.marks)}"
        self.marks.append(Words(name, "text", all_x, all_y, text=texts, **style))

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
            self.line((LEFT_MARGIN, self.right), (y, y), "reference")

    def column(
        self, x: float, heading: str, texts: Sequence[str], share: float = 1.0, **style: Any
    ) -> None:
        """Write a column of the table, in a share of the size of its type."""
        style = {"role": "text", "align": "middle", **style}
        self.write(x, self.top + 8.0, [heading], 9.0, align=style["align"])
        self.write(x, self.y, texts, share * self.size, **style)

    def boxes(self, left: Any, right: Any, rows: Any, share: float) -> Any:
        """Compute the corners of boxes that take a share of the height of some rows."""
        half = 0.5 * share * self.row
        return boxes(left, right, self.y[rows] - half, self.y[rows] + half)


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
        For every stage, the totals that are ruled out and ruled in.
    zones : mapping of int to str
        Names of the totals beyond the lower limit (-1) and beyond the upper one (1); those
        between (0) have one if stopping is possible after every question.
    texts : (str, str, str)
        Title, subtitle, and note at the foot.
    paper : str
        A key of :data:`PAPERS`.
    """
    page = _Page(PAPER_SIZES[paper])
    title, subtitle, note = texts
    top = _heading(page, title, subtitle) - (34.0 if 0 in zones else 20.0)
    # the rows of both tables share the rest of the page
    space = top - _footer(page, note) - 86.0
    max_rows = max(3, int(space / MIN_ROW_HEIGHT) - stage)
    rows = card_rows(scoring_list.stages[stage], band, *stops[stage], max_rows)
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
    page.write(LEFT_MARGIN, page.below - 28.0, [title], 14.0, "text", bold=True)
    page.table(page.below - 66.0, len(rows), row)
    _draw_zones(page, rows, zones)
    _meanings(page, rows, LEFT_MARGIN + (102.0 if zones else 34.0))
    return sheet(page.marks, *PAPER_SIZES[paper]), rows


def _width(texts: Sequence[str], letter: float = BOLD_LETTER_WIDTH) -> float:
    """Measure the widest text, as a share of its size; a space is half a letter."""
    return letter * max(letters(text) - text.count(" ") / 2 for text in texts)


def _heading(page: _Page, title: str, subtitle: str) -> float:
    """Write title and subtitle; returns their lower end."""
    lines = wrap(title, 34)[:2] or [""]
    more = wrap(subtitle, 88)
    width = _width(lines)
    size = min(26.0, (page.right - LEFT_MARGIN) / width) if width else 26.0
    y = page.height - 60.0 - 30.0 * np.arange(len(lines) + 1)
    page.write(LEFT_MARGIN, y[:-1], lines, size, "text", bold=True)
    page.write(LEFT_MARGIN, y[-1] + 4.0 - 16.0 * np.arange(len(more)), more, 11.0)
    return float(y[-1]) - 16.0 * len(more) - 6.0


def _footer(page: _Page, note: str) -> float:
    """Write the source of the numbers at the bottom; returns its upper end."""
    lines = []
    for paragraph in note.split("\n"):
        lines += wrap(paragraph, 108)
    page.write(LEFT_MARGIN, BOTTOM_MARGIN + 4.0 + 12.0 * np.arange(len(lines))[::-1], lines, 8.5)
    top = BOTTOM_MARGIN + 12.0 * len(lines)
    page.line((LEFT_MARGIN, page.right), (top + 4.0, top + 4.0))
    return top + 14.0


def _questions(page: _Page, scoring_list: ScoringList, total: float) -> None:
    """Write the questions and their points, and boxes for the totals."""
    y = page.y
    questions = scoring_list.questions()[: page.y.size]
    between = np.column_stack((y, y))[1:] + page.row / 2
    page.line(np.full(between.shape, (LEFT_MARGIN, page.right)), between)
    numbers = [str(k) for k in range(1, y.size + 1)]
    page.column(LEFT_MARGIN + 8.0, "", numbers, role="muted", bold=True)
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
    page.write(LEFT_MARGIN, page.top + 8.0, ["question"], 9.0)
    max_letters = (yes - LEFT_MARGIN - 54.0) / (0.9 * REGULAR_LETTER_WIDTH * page.size)
    for text, name, height in zip(questions, scoring_list.feature_names, y, strict=False):
        share = float(np.clip(max_letters / letters(text), MIN_QUESTION_FONT_SHARE, 1.0))
        lines = text
        if share == MIN_QUESTION_FONT_SHARE:
            lines = _in_two_lines(text, name, int(max_letters / MIN_QUESTION_FONT_SHARE))
        page.write(LEFT_MARGIN + 22.0, height, [lines], share * page.size, "text")


def _in_two_lines(text: str, name: str, max_letters: int) -> str:
    """Break a question into two lines of at most so many letters, with its threshold uncut."""
    threshold = text.removeprefix(name)
    together = threshold.replace(" ", "\u00a0")
    lines = [text]
    for room in range(2 * max_letters, 1, -1):
        lines = wrap(shorten(text, room).removesuffix(threshold) + together, max_letters)
        if len(lines) <= 2:
            break
    return "\n".join(lines).replace("\u00a0", " ")


def _stops(
    page: _Page, scoring_list: ScoringList, stops: Sequence[Any], zone: int, name: str, x: float
) -> None:
    """Write the totals at which one stops on one side."""
    role = ZONE_ROLES[zone]
    is_upper = zone > 0
    texts = []
    has_stop = []
    for k in range(1, page.y.size + 1):
        negative, positive = stops[k]
        is_stop = positive if is_upper else negative
        texts.append(stop_at(scoring_list.stages[k].totals, is_stop, above=is_upper))
        has_stop.append(bool(is_stop.any()))
    page.fill(page.boxes(x - 38.0, x + 38.0, has_stop, 0.76), role, 1.5 * TINT_OPACITY)
    size = min(0.9 * page.size, 10.5, 70.0 / _width(texts))
    roles = [f"{role}-text" if stops_here else "muted" for stops_here in has_stop]
    page.write(x, page.top + 8.0, [name], 9.0, f"{role}-text", align="middle", bold=True)
    page.write(x, page.y, texts, size, roles, align="middle", bold=True)


def _draw_zones(page: _Page, rows: Sequence[CardRow], zones: Mapping[int, str]) -> None:
    """Shade the rows of each zone, and mark them by a bar with the zone's name."""
    for zone, name in zones.items():
        inside = page.y[[row.zone == zone for row in rows]]
        if inside.size:
            role = ZONE_ROLES[zone]
            ends = (inside[-1] - page.row / 2, inside[0] + page.row / 2)
            page.fill(boxes(LEFT_MARGIN - 6.0, LEFT_MARGIN, *ends), role)
            page.fill(boxes(LEFT_MARGIN, page.right, *ends), role, TINT_OPACITY * abs(zone))
            ink = f"{role}-text" if zone else "muted"
            size = min(11.0, 0.95 * page.size)
            page.write(LEFT_MARGIN + 10.0, sum(ends) / 2, [name], size, ink, bold=True)


def _meanings(page: _Page, rows: Sequence[CardRow], total: float) -> None:
    """Write the meaning of each total after the last question."""
    right = page.right - 4.0
    for heading, write, share, letter, style in (
        ("happened", happened, 0.9, REGULAR_LETTER_WIDTH, {"role": "muted", "align": "end"}),
        ("interval", interval, 0.9, REGULAR_LETTER_WIDTH, {}),
        ("probability", chance, 1.05, BOLD_LETTER_WIDTH, {"bold": True}),
    ):
        texts = list(map(write, rows))
        wide = max(46.0, share * page.size * _width(texts, letter))
        if any(texts):
            x = right if "align" in style else right - wide / 2
            page.column(x, heading, texts, share, **style)
            right -= wide + 14.0
    texts = list(map(totals, rows))
    share = min(1.05, 70.0 / (page.size * _width(texts)))
    page.column(total, "total", texts, share, bold=True)
    start = total + 54.0
    width = right - 12.0 - start
    for share in (0.0, 0.5, 1.0):
        x = start + share * width
        page.write(x, page.top + 8.0, [percent(share)], 9.0, align="middle")
        page.line((x, x), (page.top, page.below), width=0.9)
    intervals = start + width * np.array([(row.lower, row.upper) for row in rows])
    probabilities = start + width * np.array([(row.least, row.most) for row in rows])
    y = np.column_stack((page.y, page.y))
    page.line(intervals, y, "hull", 0.3 * page.size, opacities=(0.45,))
    page.line(probabilities, y, "hull", 0.55 * page.size)
    size = np.pi / 4 * (0.75 * page.size / POINTS_PER_PIXEL) ** 2
    dot: dict[str, Any] = {"rim": "paper", "width": 1.0, "size": size}
    page.marks.append(Dots("dots", "hull", probabilities.ravel(), y.ravel(), **dot))
