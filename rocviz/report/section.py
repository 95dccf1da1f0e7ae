"""Sections of a report: heading, text, tables, and figures with captions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from rocviz.displays.base.figure import panels
from rocviz.words import amount, number, p_value, plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rocviz.theme import Theme


SIGNIFICANCE_LEVEL = 0.05  # corrected p-values below this count as differences
INTERVAL_HEADINGS = {"lower": "95 % from", "upper": "to"}


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
    """

    name: str
    words: str
    draw: Callable[[Theme], Figure] = field(repr=False)


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
        The heading of each column that the page shows.
    is_words : bool
        Whether the columns hold words, which are aligned on the left.
    counts : tuple of str
        Columns of counts or of sums of weights, which are written whole.
    on_page : pandas.DataFrame, optional
        The rows that the page shows, if not all of them.
    """

    name: str
    words: str
    frame: pd.DataFrame = field(repr=False)
    headings: dict[str, str] = field(repr=False)
    is_words: bool = False
    counts: tuple[str, ...] = ()
    on_page: pd.DataFrame | None = field(default=None, repr=False)

    def rows(self) -> list[list[str]]:
        """Write the head and the rows of the table for the page."""
        rows_on_page = self.frame if self.on_page is None else self.on_page
        shown = rows_on_page[list(self.headings)].astype(object)
        for column in self.counts:
            shown[column] = shown[column].map(amount)
        rows = [list(self.headings.values())]
        for row in shown.itertuples(index=False):
            rows.append([_cell(value) for value in row])
        return rows


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
    """

    title: str
    text: Sequence[str]
    tables: Sequence[Table] = ()
    pictures: Sequence[Picture] = ()
    notes: Sequence[str] = ()
    is_live: bool = False


def drawing(
    display: Callable[..., Any], *results: Any, on_page: bool = False, **options: Any
) -> Callable[[Theme], Figure]:
    """Make the function that draws results with a display, whose ``plot`` takes the options.

    With ``on_page`` the axes are as wide as the page, so that long names are shortened.
    """

    def draw(theme: Theme) -> Figure:
        (ax,) = panels(theme, "A", 5.6, 5.4, top=2.6) if on_page else [None]
        figure: Figure = display(*results).plot(ax, theme=theme, **options).figure_
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
