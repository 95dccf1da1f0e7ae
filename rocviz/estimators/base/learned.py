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
MOST_ROWS = 12

Rows = Iterable[Sequence[Any]]


class NotebookReprMixin:
    """Base of estimators that show in a notebook what they have learned.

    A subclass returns a caption, the heads of columns and the rows from ``_learned``, or the
    whole of it from ``_learned_html``.
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


def learned_table(caption: str, heads: Sequence[str], rows: Rows) -> str:
    """Write a table in the page's own colours, legible on dark and on light."""
    shown = [[_cell(value) for value in row] for row in rows]
    if len(shown) > MOST_ROWS:
        caption = f"{caption}; {MOST_ROWS} of {len(shown)} rows"
        half = MOST_ROWS // 2
        shown = [*shown[:half], ["<td>…</td>"] * len(heads), *shown[-half:]]
    over = "".join(f"<th scope='col'>{escape(head)}</th>" for head in heads)
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in shown)
    return (
        f"<div style='overflow-x:auto'><table><caption style='text-align:left'>{escape(caption)}"
        f"</caption><thead><tr>{over}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def steps_of(calibration_map: HullMap) -> Rows:
    """List a row for each hull segment: its scores, its samples, its probability."""
    return zip(
        calibration_map.low,
        calibration_map.high,
        calibration_map.n,
        calibration_map.probability,
        strict=True,
    )


STEP_HEADS = ("lowest score", "highest score", "samples", "probability")


def _cell(value: Any) -> str:
    if isinstance(value, (int, float, np.number)) and not isinstance(value, bool):
        number = f"{value:.4g}".replace("-", "−")
        return f"<td style='text-align:right'>{number}</td>"
    return f"<td style='text-align:left'>{escape(str(value))}</td>"
