"""The list as the paper's table, in HTML: stage by total score, cells shaded by probability.

Draws; computes nothing.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets
import numpy as np

from rocviz.widgets.base.parts import control
from rocviz.widgets.scoring_lists.words import points_text, total_text
from rocviz.words import percent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocviz.widgets.scoring_lists.result import ScoringListResult
    from rocviz.widgets.scoring_lists.state import ScoringListState

__all__ = ["MOST", "STRONGEST", "TablePanel", "cell_text", "table_totals", "too_many"]

#: How much of the positives' colour a cell of probability 1 has; with more of it, the text on
#: it would no longer stand out in the dark.
STRONGEST = 70

#: Up to so many totals there is room for numbers in a table of at least some width.
ROOMS = (7, 11, 14)
FEW = 6  # questions that there is room to draw large
MOST = 120  # totals that a table can show


def cell_text(p: float) -> str:
    """Write a probability in per cent without the sign."""
    return percent(p).removesuffix(" %").replace(" ", "")


def table_totals(result: ScoringListResult) -> NDArray[np.int64]:
    """Return the totals of all stages, rising: the columns of the table."""
    return np.unique(np.concatenate([stage.totals for stage in result.scoring_list.stages]))


def too_many(n_totals: int) -> str:
    """Say why there is no table."""
    return (
        f"{n_totals} totals are too many for a table; the next picture shows them stage by stage."
    )


class TablePanel:
    """Stages as rows, totals as columns, the case's path through them."""

    def __init__(self) -> None:
        self.table = ipywidgets.HTML()
        self.box = control(ipywidgets.VBox([self.table]), "rocviz-panel")

    def draw(self, state: ScoringListState, result: ScoringListResult) -> None:
        """Show a result."""
        stages = result.scoring_list.stages
        totals = table_totals(result)
        heading = '<h3 class="flush">The list, probabilities in %</h3>'
        minor = " minor"
        if totals.size > MOST:
            self.table.value = f'{heading}<div class="muted">{too_many(totals.size)}</div>'
            return
        room = next((f"n{most}" for most in ROOMS if totals.size <= most), "many")
        few = " is-few" if len(stages) <= FEW + 1 and totals.size <= ROOMS[0] else ""
        every = 5 if totals.size <= 40 else 20
        head = "".join(
            f'<th scope="col" class="of{minor if total % every else ""}">{total_text(total)}</th>'
            for total in totals.tolist()
        )
        last = '<th scope="col" class="share">stop</th>' if result.stops is not None else ""
        rows = [self._row(state, result, k, totals) for k in range(len(stages))]
        self.table.value = (
            f'{heading}<div class="rocviz-scroll"><table class="rocviz-list {room}{few}">'
            '<colgroup><col class="name"><col class="points">'
            f'<col span="{totals.size}">{"<col class=share>" if last else ""}</colgroup>'
            f'<tr><th scope="col" class="name muted">total</th><th></th>{head}{last}</tr>'
            f"{''.join(rows)}</table></div>"
            f'<div class="rocviz-legend muted">{_legend(result)}</div>'
        )

    def _row(self, state: ScoringListState, result: ScoringListResult, k: int, totals: Any) -> str:
        stage, way = result.scoring_list.stages[k], result.walk
        name, points = "before", ""
        if k:
            name, points = state.questions[k - 1], points_text(state.scores[k - 1])
        here = ' class="here"' if k == state.stage else ""
        at = dict(
            zip(
                stage.totals.tolist(),
                zip(stage.probability.tolist(), result.calls[k].tolist(), strict=True),
                strict=True,
            )
        )
        on_path = int(way.totals[k]) if k <= way.stage else None
        cells = []
        for total in totals.tolist():
            if total not in at:
                cells.append("<td></td>")
                continue
            p, call = at[total]
            looks = ["p", {1: "yes", -1: "no"}.get(call, "")]
            if total == on_path:
                looks.append("now" if k == way.stage else "path")
            cells.append(
                f'<td class="{" ".join(filter(None, looks))}" '
                f'style="--p:{STRONGEST * p:.3g}%" '
                f'title="total {total_text(total)}: {percent(p)}">{cell_text(p)}</td>'
            )
        share = ""
        if result.stops is not None:
            share = f'<td class="share">{percent(float(result.stops.share[k]))}</td>'
        return (
            f'<tr{here}><th scope="row" class="name" title="{escape(name)}">{escape(name)}</th>'
            f'<td class="points">{points}</td>{"".join(cells)}{share}</tr>'
        )


def _legend(result: ScoringListResult) -> str:
    parts = ["framed: the case's way"]
    if any(call.any() for call in result.calls):
        parts.append("underlined: one stops")
    if result.stops is not None:
        whose = "samples" if result.judged.test is None else "held-out samples"
        parts.append(f"last column: where the {whose} stop")
    return "; ".join(parts)
