"""Sections of a report: heading, text, cards, tables, and figures with captions.

A report is a summary, sections of results, and an appendix. What belongs to the appendix says so
itself: a whole section, or a table, a figure or paragraphs of a section of results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from rocviz.displays.base.figure import panels
from rocviz.words import ClassNames, amount, number, p_value, plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rocviz.theme import Theme


MAX_COLUMNS_OF_HALF = 6  # of a table in half of the width of a page
SIGNIFICANCE_LEVEL = 0.05  # corrected p-values below this count as differences
INTERVAL_HEADINGS = {"lower": "", "upper": ""}  # they stand beside their value


@dataclass(frozen=True)
class Picture:
    """A figure of a report.

    Parameters
    ----------
    name : str
        Name of the file of the figure.
    words : str
        The caption, which is also the alternative text.
    draw : callable
        Draws the figure in a theme.
    is_appendix : bool
        Whether it stands in the appendix, under the heading of its section.
    beside_explorer : bool
        Whether the explorer takes its place on a screen; paper and Markdown show the figure.
    """

    name: str
    words: str
    draw: Callable[[Theme], Figure] = field(repr=False)
    is_appendix: bool = False
    beside_explorer: bool = False


@dataclass(frozen=True)
class Measure:
    """A column of values with intervals, which a page draws as small marks.

    Its name in :attr:`Table.measures` is that of the column of values; ``<name>_lower`` and
    ``<name>_upper`` hold the ends. A column ``<name>_text``, if there is one, replaces the values.

    Parameters
    ----------
    heading : str
    digits : int
        Digits after the point.
    ideal : float, optional
        The value of a perfect model, at which a line is drawn.
    """

    heading: str
    digits: int = 3
    ideal: float | None = None


@dataclass(frozen=True)
class Estimate:
    """A cell of a table: a written value, and the interval that is drawn below it."""

    value: float
    lower: float
    upper: float
    words: str
    ends: str
    limits: tuple[float, float]
    ideal: float | None = None

    @property
    def text(self) -> str:
        """The value, with its interval in brackets."""
        return f"{self.words} ({self.ends})" if self.ends else self.words


@dataclass(frozen=True)
class Card:
    """A count in large letters, with the rates that belong to it.

    Parameters
    ----------
    count : str
        The count in words, such as ``"78 found"``.
    lines : sequence of str
        Rates with intervals.
    role : {"positive", "negative"}
        The class whose samples are counted, which gives the colour.
    """

    count: str
    lines: Sequence[str]
    role: str


@dataclass(frozen=True)
class Table:
    """A table of a report.

    Parameters
    ----------
    name : str
        The name by which :meth:`rocviz.report.EvaluationReport.to_frame` finds it.
    words : str
        The heading.
    frame : pandas.DataFrame
        The unrounded numbers.
    headings : dict of str to str
        The heading of each column that the page shows. Columns whose names end in ``lower`` and
        ``upper`` are the interval of the one before them, and stand beside it.
    is_words : bool
        Whether the columns hold words, which are aligned on the left.
    counts : tuple of str
        Columns of counts or of sums of weights, which are written whole.
    on_page : pandas.DataFrame, optional
        The rows that the page shows, if not all of them.
    measures : dict of str to Measure
        Columns of values with intervals, after the others.
    remarks : dict of str to str
        Small print below the first cell of rows, by the text of that cell.
    is_appendix : bool
        Whether it stands in the appendix, under the heading of its section.
    """

    name: str
    words: str
    frame: pd.DataFrame = field(repr=False)
    headings: dict[str, str] = field(repr=False)
    is_words: bool = False
    counts: tuple[str, ...] = ()
    on_page: pd.DataFrame | None = field(default=None, repr=False)
    measures: dict[str, Measure] = field(default_factory=dict, repr=False)
    remarks: dict[str, str] = field(default_factory=dict, repr=False)
    is_appendix: bool = False

    @property
    def head(self) -> list[str]:
        """The headings of the columns, with those of an interval as one."""
        head = []
        for columns in self._columns():
            heading = self.headings[columns[0]]
            head.append(f"{heading} (95 % CI)" if len(columns) > 1 else heading)
        return [*head, *(measure.heading for measure in self.measures.values())]

    def _columns(self) -> list[list[str]]:
        """Join a column with the ends of its interval, where these follow it."""
        joined: list[list[str]] = []
        for name in self.headings:
            if joined and name.rpartition("_")[2] in ("lower", "upper"):
                joined[-1].append(name)
            else:
                joined.append([name])
        return joined

    def cells(self) -> list[list[str | Estimate]]:
        """Write the rows for the page; measures become estimates."""
        rows_on_page = self.frame if self.on_page is None else self.on_page
        shown = rows_on_page[list(self.headings)].astype(object)
        for column in set(self.counts) & set(shown):
            shown[column] = shown[column].map(amount)
        columns = [self._estimates(name, rows_on_page) for name in self.measures]
        written = {name: [_cell(value) for value in shown[name]] for name in self.headings}
        rows: list[list[str | Estimate]] = []
        for i in range(len(shown)):
            row: list[str | Estimate] = []
            for joined in self._columns():
                value, *ends = (written[name][i] for name in joined)
                has_ends = ends and "–" not in (value, *ends)
                row.append(f"{value} ({' to '.join(ends)})" if has_ends else value)
            rows.append([*row, *(column[i] for column in columns)])
        return rows

    def rows(self) -> list[list[str]]:
        """Write the head and the rows of the table as plain text."""
        rows = [self.head]
        for cells in self.cells():
            row = [cell.text if isinstance(cell, Estimate) else cell for cell in cells]
            remark = self.remarks.get(row[0])
            if remark:
                row[0] += f" ({remark})"
            rows.append(row)
        return rows

    def _estimates(self, name: str, frame: pd.DataFrame) -> list[Estimate]:
        """Write the values of a measure, which share one scale."""
        measure = self.measures[name]
        columns = [name, f"{name}_lower", f"{name}_upper"]
        numbers = frame[columns].to_numpy(dtype=float)
        finite = numbers[np.isfinite(numbers)]
        if measure.ideal is not None:
            finite = np.append(finite, measure.ideal)
        limits = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        texts = frame.get(f"{name}_text")
        estimates = []
        for i, (value, lower, upper) in enumerate(numbers.tolist()):
            words = _fixed(value, measure.digits) if texts is None else str(texts.iloc[i])
            ends = ""
            if np.isfinite([lower, upper]).all():
                ends = f"{_fixed(lower, measure.digits)} to {_fixed(upper, measure.digits)}"
            estimates.append(Estimate(value, lower, upper, words, ends, limits, measure.ideal))
        return estimates


@dataclass(frozen=True)
class Section:
    """A part of a report.

    Parameters
    ----------
    title : str
    text : sequence of str
        Paragraphs.
    tables, pictures : sequence of Table and of Picture
    notes : sequence of str
        Remarks in small print on the methods.
    is_live : bool
        Whether the explorer is placed in this section.
    is_appendix : bool
        Whether the whole section stands in the appendix.
    facts : sequence of str
        What was read, in short phrases that are joined to one line.
    verdict : str
        What the report concludes, in large letters.
    warnings : sequence of str
        Sentences that a reader must not miss.
    cards : sequence of Card
        Counts in large letters.
    cards_heading : str
        What they are of.
    details : sequence of str
        Paragraphs of the appendix.
    is_half : bool
        Whether the section takes half of the width of a page.
    """

    title: str
    text: Sequence[str]
    tables: Sequence[Table] = ()
    pictures: Sequence[Picture] = ()
    notes: Sequence[str] = ()
    is_live: bool = False
    is_appendix: bool = False
    facts: Sequence[str] = ()
    verdict: str = ""
    warnings: Sequence[str] = ()
    cards: Sequence[Card] = ()
    cards_heading: str = ""
    details: Sequence[str] = ()
    is_half: bool = False

    @property
    def in_result(self) -> Section | None:
        """What stands among the results, if anything does."""
        if self.is_appendix:
            return None
        return replace(
            self,
            tables=[table for table in self.tables if not table.is_appendix],
            pictures=[picture for picture in self.pictures if not picture.is_appendix],
            details=(),
        )

    @property
    def in_appendix(self) -> Section | None:
        """What stands in the appendix, if anything does."""
        if self.is_appendix:
            return self
        tables = [table for table in self.tables if table.is_appendix]
        pictures = [picture for picture in self.pictures if picture.is_appendix]
        if not (tables or pictures or self.details):
            return None
        is_wide = any(table.measures or len(table.head) > MAX_COLUMNS_OF_HALF for table in tables)
        is_half = not (pictures or is_wide)
        return Section(
            self.title, self.details, tables, pictures, is_appendix=True, is_half=is_half
        )


def result_and_appendix(sections: Sequence[Section]) -> tuple[list[Section], list[Section]]:
    """Divide sections into what stands among the results and what stands in the appendix."""
    results = []
    appendix = []
    for section in sections:
        if section.in_result is not None:
            results.append(section.in_result)
        if section.in_appendix is not None:
            appendix.append(section.in_appendix)
    return results, appendix


def drawing(
    display: Callable[..., Any],
    *results: Any,
    classes: ClassNames | None = None,
    on_page: bool = False,
    **options: Any,
) -> Callable[[Theme], Figure]:
    """Make the function that draws results with a display, whose ``plot`` takes the options.

    ``classes`` are names for displays that speak of classes. With ``on_page`` the axes are as wide
    as the page, so that long names are shortened.
    """
    names: dict[str, Any] = {} if classes is None else {"labels": classes}

    def draw(theme: Theme) -> Figure:
        (ax,) = panels(theme, "A", 5.6, 5.4, top=2.6) if on_page else [None]
        figure: Figure = display(*results, **names).plot(ax, theme=theme, **options).figure_
        return figure

    return draw


def drawing_of_samples(display: Any, *samples: Any, **options: Any) -> Callable[[Theme], Figure]:
    """Make the function that draws samples, with their clusters, by a display."""

    def draw(theme: Theme) -> Figure:
        figure: Figure = display.from_predictions(*samples, theme=theme, **options).figure_
        return figure

    return draw


def primary_text(name: str, area: str, named_model: str | None) -> str:
    """Say which model the sections speak of, and how it was chosen."""
    if named_model is not None:
        return f"{name} was named as the primary model; where one model is spoken of, it is this."
    return (
        f"No primary model was named. Where one model is spoken of, it is {name}, which has the "
        f"greatest {area} on these samples; as they chose it, its numbers tend to flatter it."
    )


def difference_table(
    pairs: pd.DataFrame, what: str, *, units: str = "samples"
) -> tuple[list[str], Table]:
    """List the significant differences between pairs of models, and tabulate all of them.

    ``units`` are those of which there may be too few for a test.
    """
    significant = pairs[pairs["p_holm"] < SIGNIFICANCE_LEVEL]
    named = []
    for pair in significant.head(5).itertuples():
        better = pair.model_a
        worse = pair.model_b
        if pair.difference < 0:
            better, worse = worse, better
        gap = number(abs(pair.difference))
        named.append(f"{better} ranks better than {worse} by {gap} ({p_value(pair.p_holm)})")
    headings = {"model_a": "model", "model_b": "compared with", "difference": "difference"}
    headings |= {**INTERVAL_HEADINGS, "p_value": "p", "p_holm": "p, corrected"}
    table = Table("differences", f"Differences in {what}", pairs, headings)
    if not named:
        return [no_difference(pairs, f"in {what} between two models", units=units)], table
    more = ", and others in the table" if len(significant) > len(named) else ""
    if len(pairs) == 1:
        differences = "the difference"
    else:
        differences = f"{len(significant)} of the {len(pairs)} differences"
    text = f"Chance alone does not explain {differences} in {what}: {join(named)}{more}."
    n_untested = int(pairs["p_holm"].isna().sum())
    if n_untested:
        text += f" {_untested(n_untested)}"
    return [text], table


def no_difference(pairs: pd.DataFrame, what: str, *, units: str = "samples") -> str:
    """Say that no test of pairs was significant, or that no pair could be tested.

    A pair without a p-value was not tested, so that chance is no explanation of its difference.
    """
    n_tested = int(pairs["p_holm"].notna().sum())
    n_untested = len(pairs) - n_tested
    if not n_tested:
        return f"These {units} are too few to test any difference {what}."
    differences = f"the difference {what}" if n_tested == 1 else f"every difference {what}"
    if n_untested:
        differences += " that could be tested"
    text = f"Chance alone can explain {differences} (no corrected p below {SIGNIFICANCE_LEVEL:g})."
    return f"{text} {_untested(n_untested)}" if n_untested else text


def _untested(n_untested: int) -> str:
    """Say how many differences are left open."""
    if n_untested == 1:
        return "One difference could not be tested."
    return f"{n_untested} differences could not be tested."


def _fixed(value: float, digits: int) -> str:
    """Write a measure, which may be a ratio near 1, with a number of decimals."""
    if np.isnan(value):
        return "–"
    if np.isinf(value) or abs(value) >= 1e6:
        return number(value, digits)
    text = f"{abs(value):.{digits}f}"
    return f"−{text}" if value < 0 and float(text) else text


def _cell(value: Any) -> str:
    """Write one entry of a table."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer):
        return f"{value:,}"
    if isinstance(value, float):
        return plain(round(value, 3)).replace("-", "−") if 10 <= abs(value) < inf else number(value)
    return str(value)


def join(parts: Sequence[str]) -> str:
    """Join words as in "a, b and c"."""
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last
