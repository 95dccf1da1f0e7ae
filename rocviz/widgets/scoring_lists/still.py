"""The scoring list explorer's result as a matplotlib figure, for files and pages without a kernel.

Draws with the displays' styles; computes nothing.
"""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import colors as mcolors
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from rocviz.displays.base.style import font, halo, handle, stroke, style_axes
from rocviz.displays.scoring_lists.draw_stage import draw_stage
from rocviz.widgets.base.panel import tick_text
from rocviz.widgets.base.still import compose
from rocviz.widgets.scoring_lists.curves import axis_name, curve_rows
from rocviz.widgets.scoring_lists.table import (
    MOST,
    ROOMS,
    cell_text,
    shading,
    stops_words,
    table_totals,
    too_many,
)
from rocviz.widgets.scoring_lists.view import PERCENT, whole_ticks
from rocviz.widgets.scoring_lists.words import points_text, total_text
from rocviz.words import percent, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocviz.theme import Theme
    from rocviz.widgets.scoring_lists.state import ScoringListState

__all__ = ["draw", "shade"]

NAMES = 0.36  # share of a table that is for the questions
LETTER = 0.58  # width of one, in type sizes; more if it is bold


def draw(state: ScoringListState, theme: Theme | None = None) -> Figure:
    """Draw what the explorer shows; see :func:`rocviz.widgets.base.still.compose`."""
    of_case = state.quantity == "probability"
    draws = {
        "list": _table,
        "stage": _stage,
        "curves": _path if of_case else _curves,
        "stops": _stops,
    }
    return compose(state, draws, theme)


def _is_large(name: str, state: ScoringListState) -> bool:
    return name == state.focus or len(state.panels) <= 2


def _rows(ax: Axes, n_rows: int) -> float:
    """Make axes of rows, from the top; return how large type can be."""
    box = ax.get_position()
    ax.set_position((box.x0 - 0.035, box.y0, box.width + 0.035, box.height))
    ax.set(xlim=(0, 1), ylim=(max(n_rows, 6) - 0.5, -0.5))
    ax.set_axis_off()
    return min(1.0, 15 / n_rows)


def _short(text: str, ax: Axes, share: float, looks: dict[str, Any]) -> str:
    """Return text that keeps to a share of the width of its axes."""
    points = ax.get_position().width * ax.figure.get_figwidth() * 72 * share
    letter = LETTER * looks["fontsize"] * (1.1 if "weight" in looks else 1.0)
    return shorten(text, int(points / letter))


def _table(ax: Axes, state: ScoringListState, theme: Theme) -> None:
    result = state.result
    stages, way = result.scoring_list.stages, result.walk
    totals = table_totals(result)
    size = _rows(ax, len(stages) + 1)
    if totals.size > MOST:
        ax.text(0, 0.5, fill(too_many(totals.size), 44), va="top", color=theme.colour("muted"))
        return
    large = _is_large("list", state)
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
                thing = "positive-text" if call > 0 else "negative-text"
                ax.plot(
                    [left + 0.04 * wide, left + 0.96 * wide],
                    [k + 1.42] * 2,
                    color=theme.colour(thing),
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
    """Return the colour of a cell, as the table in the browser has it."""
    thing, part = shading(p, prior)
    mixed = [
        part / 100 * full + (1 - part / 100) * empty
        for full, empty in zip(
            mcolors.to_rgb(theme.colour(thing)),
            mcolors.to_rgb(theme.colour("grid")),
            strict=True,
        )
    ]
    return mcolors.to_hex(mixed)


def _stage(ax: Axes, state: ScoringListState, theme: Theme) -> None:
    result, k = state.result, state.stage
    draw_stage(
        ax,
        result.scoring_list.stages[k],
        None if result.bands is None else result.bands[k],
        lower=state.lower,
        upper=state.upper,
        cost_fn=state.cost_fn if _is_large("stage", state) else None,
        counts=False,
        theme=theme,
    )
    ax.set_yticks(list(PERCENT), list(PERCENT.values()))
    ax.set_ylabel("probability of a positive, %")
    if k <= result.walk.stage:
        ax.plot(
            [result.walk.totals[k]],
            [result.walk.probability[k]],
            "o",
            markersize=handle(theme, 0.8),
            markerfacecolor="none",
            markeredgecolor=theme.colour("text"),
            markeredgewidth=stroke(theme, 1.3),
            clip_on=False,
            zorder=7,
        )


def _steps(ax: Axes, state: ScoringListState, theme: Theme) -> None:
    """Make axes of stages, the one looked at marked."""
    style_axes(ax, theme)
    size = len(state.questions)
    ax.set_xlim(-0.04 * size, 1.04 * size)
    ax.set_xticks(whole_ticks(0, size, 12))
    ax.set_xlabel("questions asked")
    ax.set_ylabel(axis_name(state.quantity))
    ax.axvline(state.stage, color=theme.colour("held"), linewidth=stroke(theme, 0.8))


def _path(ax: Axes, state: ScoringListState, theme: Theme) -> None:
    _steps(ax, state, theme)
    result = state.result
    ax.set_ylim(-0.04, 1.04)
    ax.set_yticks(list(PERCENT), list(PERCENT.values()))
    for thing, level, end in (("negative", state.lower, 0.0), ("positive", state.upper, 1.0)):
        ax.axhspan(*sorted((level, end)), color=theme.colour(thing), alpha=0.13, linewidth=0)
        ax.axhline(level, color=theme.colour(thing), linewidth=stroke(theme, 0.7))
    for k, stage in enumerate(result.scoring_list.stages):
        ax.plot(
            np.full(len(stage), k),
            stage.probability,
            "o",
            color=theme.colour("hull"),
            alpha=0.5,
            markersize=handle(theme, 0.35),
            clip_on=False,
        )
    way = result.walk
    at = np.arange(way.stage + 1)
    if result.bands is not None:
        ax.vlines(
            at,
            way.lower,
            way.upper,
            color=theme.colour("hull"),
            alpha=0.4,
            linewidth=stroke(theme, 3),
        )
    ax.plot(
        at,
        way.probability,
        "o-",
        color=theme.colour("ranking"),
        linewidth=stroke(theme),
        markersize=handle(theme, 0.5),
        clip_on=False,
        zorder=5,
    )


def _curves(ax: Axes, state: ScoringListState, theme: Theme) -> None:
    _steps(ax, state, theme)
    looks: dict[str, Any] = {
        "train": {"color": theme.colour("ranking")},
        "test": {"color": theme.colour("second"), "linestyle": (0, (6, 2))},
        "learned": {"color": theme.colour("reference"), "linestyle": ":"},
    }
    rows = curve_rows(state, large=_is_large("curves", state))
    for side, values, _words, _thing in rows:
        ax.plot(values, linewidth=stroke(theme), **looks[side])
    rises = state.quantity == "auc"
    line = 0.07 if _is_large("curves", state) else 0.16
    low, high = ax.get_ylim()
    share = line * len(rows) + 0.05
    room = share * (high - low) / (1 - share)
    ax.set_ylim(*((low - room, high) if rises else (low, high + room)))
    steps = MaxNLocator(6 if line < 0.1 else 3, steps=[1, 2, 2.5, 5, 10])
    ticks = np.asarray(steps.tick_values(low, high)).round(9)
    ticks = ticks[(ticks >= low) & (ticks <= high)]
    ax.set_yticks(ticks, [tick_text(tick) for tick in ticks])
    for i, (_side, _values, words, thing) in enumerate(rows):
        y = 0.035 + line * (len(rows) - 1 - i) if rises else 0.965 - line * i
        text = ax.text(
            0.98,
            y,
            words,
            transform=ax.transAxes,
            ha="right",
            va="bottom" if rises else "top",
            color=theme.colour(thing),
            fontsize=font(theme),
            weight="bold",
        )
        halo(text, theme)


def _stops(ax: Axes, state: ScoringListState, theme: Theme) -> None:
    where, result = state.result.stops, state.result
    if where is None:
        _rows(ax, 1)
        ax.text(0, 0, "No samples stand behind this list.", color=theme.colour("muted"))
        return
    large = _is_large("stops", state)
    stages = range(len(where.share)) if large else [state.stage]
    size = _rows(ax, len(stages) + 2)
    type_size = font(theme, 0.95 * size)
    words: dict[str, Any] = {"va": "center", "color": theme.colour("text"), "fontsize": type_size}
    said = "".join(text for _thing, text in stops_words(state, result))
    points = ax.get_position().width * ax.figure.get_figwidth() * 72
    ax.text(0, 0, fill(said, int(points / (LETTER * type_size))), **words)
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
        for share, thing in ((no, "negative"), (1 - no - yes, "grid"), (yes, "positive")):
            ax.add_patch(
                Rectangle(
                    (start, y - 0.3), wide * share, 0.6, color=theme.colour(thing), linewidth=0
                )
            )
            start += wide * share
        for share, thing, x in ((no, "negative", 0.88), (yes, "positive", 1.0)):
            if large:
                ink = {**words, "color": theme.colour(f"{thing}-text")}
                ax.text(x, y, percent(share), ha="right", **ink)
