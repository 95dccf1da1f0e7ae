"""The scoring list explorer's tables drawn with matplotlib, for files and pages without kernel."""

from __future__ import annotations

from textwrap import fill
from typing import Any

import numpy as np
from matplotlib import colors as mcolors
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from rocviz.displays.base.style import font, stroke
from rocviz.theme import Theme
from rocviz.widgets.base.panel import Panel
from rocviz.widgets.scoring_lists.state import ScoringListState
from rocviz.widgets.scoring_lists.table import (
    MOST,
    ROOMS,
    cell_text,
    shading,
    stops_words,
    table_totals,
    too_many,
)
from rocviz.widgets.scoring_lists.words import points_text, total_text
from rocviz.words import percent, shorten

NAMES = 0.36  # share of a table that is for the questions
LETTER = 0.58  # width of one, in type sizes; more if it is bold


def _rows(ax: Axes, n_rows: int) -> float:
    """Make axes of rows, from the top; return how large type can be."""
    box = ax.get_position()
    ax.set_position((box.x0 - 0.035, box.y0, box.width + 0.035, box.height))
    ax.set(xlim=(0, 1), ylim=(max(n_rows, 6) - 0.5, -0.5))
    ax.set_axis_off()
    return min(1.0, 15 / n_rows)


def _short(text: str, ax: Axes, share: float, looks: dict[str, Any]) -> str:
    """Shorten text to a share of the width of its axes."""
    points = ax.get_position().width * ax.figure.get_figwidth() * 72 * share
    letter = LETTER * looks["fontsize"] * (1.1 if "weight" in looks else 1.0)
    return shorten(text, int(points / letter))


def _table(panel: Panel, ax: Axes, state: ScoringListState, theme: Theme) -> None:
    result = state.result
    stages, way = result.scoring_list.stages, result.walk
    totals = table_totals(result)
    size = _rows(ax, len(stages) + 1)
    if totals.size > MOST:
        ax.text(0, 0.5, fill(too_many(totals.size), 44), va="top", color=theme.colour("muted"))
        return
    large = panel.is_large
    names = NAMES if large else 0.0
    wide = (1 - names) / totals.size
    words = {"va": "center", "color": theme.colour("text"), "fontsize": font(theme, 0.9 * size)}
    fits = large and totals.size <= ROOMS[2]
    every = next(n for n in (1, 2, 5, 10, 20) if totals.size <= (14 if large else 6) * n)
    prior = float(stages[0].probability[0])
    for i, total in enumerate(totals.tolist()):
        if total % every == 0:
            x = names + (i + 0.5) * wide
            ax.text(x, 0, total_text(total), ha="center", **words)
    for k, stage in enumerate(stages):
        here = {**words, "weight": "bold"} if k == state.stage else words
        name = "before" if not k else state.questions[k - 1]
        if large:
            ax.text(0, k + 1, _short(name, ax, NAMES - 0.07, here), **here)
            if k:
                ax.text(NAMES - 0.015, k + 1, points_text(state.scores[k - 1]), ha="right", **here)
        for total, p, call in zip(
            stage.totals.tolist(), stage.probability.tolist(), result.calls[k].tolist(), strict=True
        ):
            left = names + int(np.searchsorted(totals, total)) * wide
            cell = (left + 0.04 * wide, k + 0.56), 0.92 * wide, 0.88
            ax.add_patch(Rectangle(*cell, color=shade(p, prior, theme), linewidth=0))
            if call:
                role = "positive-text" if call > 0 else "negative-text"
                ax.plot(
                    [left + 0.04 * wide, left + 0.96 * wide],
                    [k + 1.42] * 2,
                    color=theme.colour(role),
                    linewidth=stroke(theme),
                    solid_capstyle="butt",
                )
            if k <= way.stage and total == way.totals[k]:
                ring = Rectangle(
                    *cell,
                    fill=False,
                    edgecolor=theme.colour("text"),
                    linewidth=stroke(theme, 1.3 if k == way.stage else 0.9),
                    zorder=4,
                )
                ax.add_patch(ring)
            if fits:
                on_path = k <= way.stage and total == way.totals[k]
                bold = {**words, "weight": "bold"} if on_path else words
                ax.text(left + wide / 2, k + 0.98, cell_text(p), ha="center", **bold)


def shade(p: float, prior: float, theme: Theme) -> str:
    """Mix the colour of a cell as the table in the browser has it."""
    role, part = shading(p, prior)
    mixed = [
        part / 100 * full + (1 - part / 100) * empty
        for full, empty in zip(
            mcolors.to_rgb(theme.colour(role)),
            mcolors.to_rgb(theme.colour("grid")),
            strict=True,
        )
    ]
    return mcolors.to_hex(mixed)


def _stops(panel: Panel, ax: Axes, state: ScoringListState, theme: Theme) -> None:
    where, result = state.result.stops, state.result
    if where is None:
        _rows(ax, 1)
        ax.text(0, 0, "No samples stand behind this list.", color=theme.colour("muted"))
        return
    large = panel.is_large
    stages = range(len(where.share)) if large else [state.stage]
    size = _rows(ax, len(stages) + 2)
    type_size = font(theme, 0.95 * size)
    words: dict[str, Any] = {"va": "center", "color": theme.colour("text"), "fontsize": type_size}
    sentence = "".join(text for _thing, text in stops_words(state, result))
    points = ax.get_position().width * ax.figure.get_figwidth() * 72
    ax.text(0, -0.5, fill(sentence, int(points / (LETTER * type_size))), **{**words, "va": "top"})
    left = NAMES if large else 0.0
    for row, k in enumerate(stages):
        no, yes = where.sure_by(k)
        wide = (0.78 if large else 1.0) - left
        y = row + 2
        if large:
            name = state.questions[k - 1] if k else "before"
            bold = {**words, "weight": "bold"} if k == state.stage else words
            ax.text(0, y, _short(name, ax, NAMES - 0.03, bold), **bold)
        start = left
        for share, role in ((no, "negative"), (1 - no - yes, "grid"), (yes, "positive")):
            ax.add_patch(
                Rectangle(
                    (start, y - 0.3), wide * share, 0.6, color=theme.colour(role), linewidth=0
                )
            )
            start += wide * share
        for share, role, x in ((no, "negative", 0.88), (yes, "positive", 1.0)):
            if large:
                ink = {**words, "color": theme.colour(f"{role}-text")}
                ax.text(x, y, percent(share), ha="right", **ink)


STILLS = {"list": _table, "stops": _stops}
