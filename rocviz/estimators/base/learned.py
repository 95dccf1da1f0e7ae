"""Learned attributes as an HTML table below scikit-learn's diagram of the parameters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils import estimator_html_repr
from sklearn.utils.validation import check_is_fitted

from rocviz.core.calibration.calibration import HullMap

#: Rows of a table; a map learned from a million samples can have as many steps.
MAX_TABLE_ROWS = 12

Rows = Iterable[Sequence[Any]]


class NotebookReprMixin:
    """Base of estimators that show in a notebook what they have learned.

    A subclass returns a caption, the names of columns and the rows from ``_learned``, or all of
    that as HTML from ``_learned_html``.
    """

    def _html_repr(self) -> str:
        """Write scikit-learn's diagram and, once fitted, the learned attributes below it."""
        diagram: str = estimator_html_repr(self)
        try:
            check_is_fitted(self)
        except NotFittedError:
            return diagram
        return f"{diagram}{self._learned_html()}"

    def _learned(self) -> tuple[str, Sequence[str], Rows]:
        raise NotImplementedError

    def _learned_html(self) -> str:
        return learned_table(*self._learned())


def learned_table(caption: str, columns: Sequence[str], rows: Rows) -> str:
    """Write a table in the page's own colours, legible on dark and on light."""
    lines = [_table_row(row) for row in rows]
    if len(lines) > MAX_TABLE_ROWS:
        caption = f"{caption}; {MAX_TABLE_ROWS} of {len(lines)} rows"
        half = MAX_TABLE_ROWS // 2
        left_out = "<tr>" + "<td>…</td>" * len(columns) + "</tr>"
        lines = [*lines[:half], left_out, *lines[-half:]]
    head = "".join(f"<th scope='col'>{escape(column)}</th>" for column in columns)
    return (
        f"<div style='overflow-x:auto'><table><caption style='text-align:left'>{escape(caption)}"
        f"</caption><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def hull_segment_rows(calibration_map: HullMap) -> Rows:
    """List a row for each hull segment: its scores, its samples, its probability."""
    return zip(
        calibration_map.low,
        calibration_map.high,
        calibration_map.n,
        calibration_map.probability,
        strict=True,
    )


STEP_COLUMNS = ("lowest score", "highest score", "samples", "probability")


def _table_row(row: Sequence[Any]) -> str:
    return f"<tr>{''.join(_cell(value) for value in row)}</tr>"


def _cell(value: Any) -> str:
    if isinstance(value, (int, float, np.number)) and not isinstance(value, bool):
        number = f"{value:.4g}".replace("-", "−")
        return f"<td style='text-align:right'>{number}</td>"
    return f"<td style='text-align:left'>{escape(str(value))}</td>"
