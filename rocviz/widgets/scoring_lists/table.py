"""The list as the paper's table, and where samples stop, in HTML."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.scoring_lists.stage import ScoringStage
from rocviz.widgets.base.panel import HTMLPanel
from rocviz.widgets.base.parts import colour
from rocviz.widgets.scoring_lists.result import ScoringListResult
from rocviz.widgets.scoring_lists.state import ScoringListState
from rocviz.widgets.scoring_lists.words import points_text, stage_text, total_text
from rocviz.words import percent

#: How much of a class's colour a cell of probability 0 or 1 has; with more of it, the text on
#: it would no longer stand out in the dark.
STRONGEST = {"negative": 30.0, "positive": 70.0}

#: Classes of the style sheet: with so many totals, from which width on there is room for numbers.
ROOMS = (7, 11, 14, 24)
MOST = 120  # totals that a table can show


def cell_text(p: float) -> str:
    """Write a probability in per cent without the sign."""
    return _without_sign(percent(p))


def _without_sign(text: str) -> str:
    """Strip the sign and the spaces of a percentage."""
    return text.removesuffix(" %").replace(" ", "")


def shading(p: float, prior: float) -> tuple[str, float]:
    """Choose the colour of a cell, and its share in per cent.

    Cells as likely as before any question have none of it.
    """
    if p >= prior:
        return "positive", STRONGEST["positive"] * (p - prior) / max(1 - prior, 1e-9)
    return "negative", STRONGEST["negative"] * (prior - p) / prior


def table_totals(result: ScoringListResult) -> NDArray[np.int64]:
    """List the totals of all stages, rising: the columns of the table."""
    return np.unique(np.concatenate([stage.totals for stage in result.scoring_list.stages]))


def too_many(n_totals: int) -> str:
    """Say why there is no table."""
    return (
        f"{n_totals} totals are too many for a table; the next picture shows them stage by stage."
    )


class ListPanel(HTMLPanel):
    """Stages as rows, totals as columns, the case's path through them."""

    def html(self, state: ScoringListState, result: ScoringListResult) -> str:
        """Write the table and the key to its marks."""
        stages, totals = result.scoring_list.stages, table_totals(result)
        if totals.size > MOST:
            return f'<div class="muted">{too_many(totals.size)}</div>'
        room = next((f"n{most}" for most in ROOMS if totals.size <= most), "many")
        rows = "".join(self._row(state, result, k, totals) for k in range(len(stages)))
        return (
            f'<div class="rocviz-scroll"><table class="rocviz-list {room}" '
            f'style="--rows:{len(stages)};--cols:{totals.size}">'
            f'<colgroup><col class="name"><col class="points"><col span="{totals.size}"></colgroup>'
            '<thead><tr><th scope="col" class="name muted">total</th>'
            f'<th scope="col" class="points muted">points</th>{_head(totals)}</tr></thead>'
            f"<tbody>{rows}</tbody></table></div>{_key(result)}"
        )

    def _row(self, state: ScoringListState, result: ScoringListResult, k: int, totals: Any) -> str:
        stage, way = result.scoring_list.stages[k], result.walk
        prior = float(result.scoring_list.stages[0].probability[0])
        name, points = "before", ""
        if k:
            name, points = state.questions[k - 1], points_text(state.scores[k - 1])
        at = dict(zip(stage.totals.tolist(), result.calls[k].tolist(), strict=True))
        on_path = int(way.totals[k]) if k <= way.stage else None
        written = _cells(stage, prior)
        cells = []
        for total in totals.tolist():
            if total not in at:
                cells.append("<td></td>")
                continue
            looks = ("p no", "p", "p yes")[at[total] + 1]
            if total == on_path:
                looks += " now" if k == way.stage else " path"
            cells.append(f'<td class="{looks}" {written[total]}</td>')
        here = ' class="here"' if k == state.stage else ""
        return f'<tr{here}>{_name(name)}<td class="points">{points}</td>{"".join(cells)}</tr>'


@lru_cache(maxsize=256)
def _cells(stage: ScoringStage, prior: float) -> dict[int, str]:
    """Write the cells of a stage, which most moves leave alone."""
    cells = {}
    for total, p in zip(stage.totals.tolist(), stage.probability.tolist(), strict=True):
        (role, share), text = shading(p, prior), percent(p)
        cells[total] = (
            f'style="--c:{colour(role)};--p:{share:.3g}%" '
            f'title="total {total_text(total)}: {text}">{_without_sign(text)}'
        )
    return cells


@lru_cache(maxsize=256)
def _name(name: str) -> str:
    """Write the heading of a row; a condition at the end of a name is not cut."""
    condition = re.search(r" [<>=≤≥] \S+$", name)
    start = name[: condition.start()] if condition else name
    end = f'<span class="end">{escape(condition[0])}</span>' if condition else ""
    return (
        f'<th scope="row" class="name" title="{escape(name)}">'
        f'<span class="cut"><span>{escape(start)}</span>{end}</span></th>'
    )


def _head(totals: NDArray[np.int64]) -> str:
    """Write the totals over their columns; where there are many, over the first of several."""
    every = next(n for n in (1, 2, 5, 10, 20) if totals.size <= 14 * n)
    starts = np.flatnonzero(totals % every == 0)
    ends = [*starts[1:].tolist(), totals.size]
    wide = ' class="wide"' if every > 1 else ""
    return f"{'<td></td>' * int(starts[0])}" + "".join(
        f'<th scope="col" colspan="{end - start}"{wide}>{total_text(int(totals[start]))}</th>'
        for start, end in zip(starts.tolist(), ends, strict=True)
    )


def _key(result: ScoringListResult) -> str:
    parts = ["<i></i> this case"]
    called = np.concatenate(result.calls)
    kinds = [
        f'<b class="rocviz-{kind}">{kind}</b>'
        for kind, call in (("negative", -1), ("positive", 1))
        if (called == call).any()
    ]
    if kinds:
        parts.append(f"underlined: stop as {' or '.join(kinds)}")
    return f'<div class="rocviz-key muted">{" · ".join(parts)}</div>'


class StopsPanel(HTMLPanel):
    """How many are sure after each question, and what has been asked by then."""

    def html(self, state: ScoringListState, result: ScoringListResult) -> str:
        """Write the sentence, and, when it is large, a bar for every stage."""
        where, k = result.stops, state.stage
        if where is None:
            return '<p class="muted">No samples stand behind this list.</p>'
        no, yes = where.sure_by(k)
        words = "".join(
            f'<b class="rocviz-{role}">{text}</b>' if role else text
            for role, text in stops_words(state, result)
        ).replace(" %", "\u00a0%")
        if not self.is_large:
            return f'<p class="rocviz-stopped">{words}</p>{_bar(no, yes)}'
        rows = []
        for stage in range(len(where.share)):
            no, yes = where.sure_by(stage)
            name = state.questions[stage - 1] if stage else "before"
            here = ' class="here"' if stage == k else ""
            rows.append(
                f"<tr{here}>{_name(name)}<td>{_bar(no, yes)}</td>"
                f'<td class="share is-negative">{percent(no)}</td>'
                f'<td class="share is-positive">{percent(yes)}</td></tr>'
            )
        return (
            f'<p class="rocviz-stopped">{words}</p><div class="rocviz-scroll">'
            f'<table class="rocviz-stops" style="--rows:{len(rows)}">'
            '<colgroup><col class="name"><col><col class="share"><col class="share"></colgroup>'
            '<thead><tr><th scope="col" class="name muted">asked so far</th>'
            '<th scope="col">sure</th>'
            '<th scope="col" class="is-negative">negative</th>'
            '<th scope="col" class="is-positive">positive</th></tr></thead>'
            f"<tbody>{''.join(rows)}</tbody></table></div>"
        )


def stops_words(state: ScoringListState, result: ScoringListResult) -> list[tuple[str, str]]:
    """Say who is sure at the stage held, and how much is asked on average, as (role, text)."""
    where = result.stops
    assert where is not None
    no, yes = where.sure_by(state.stage)
    each = "would be" if where.whose == "ways to answer" else "are"
    return [
        ("", f"{stage_text(state, state.stage)} ".capitalize()),
        ("negative", f"{percent(no)} negative"),
        ("", " and "),
        ("positive", f"{percent(yes)} positive"),
        (
            "",
            f" of the {where.whose} are sure. On average {where.n_asked:.1f} of "
            f"{int(result.n_asked[-1])} features {each} asked.",
        ),
    ]


def _bar(no: float, yes: float) -> str:
    """Draw the sure shares from either end, and the rest between them."""
    rest = round(1 - no - yes, 12)
    parts = "".join(
        f'<span style="width:{100 * share:.3f}%;background:{colour(role)}" '
        f'title="{text} {percent(share)}"></span>'
        for share, role, text in (
            (no, "negative", "sure: negative"),
            (rest, "grid", "not yet sure"),
            (yes, "positive", "sure: positive"),
        )
        if share > 0
    )
    return f'<div class="rocviz-bar">{parts}</div>'
