"""The scoring list explorer's result as a matplotlib figure, for files and pages without a kernel.

Draws with the displays' styles; computes nothing.
"""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import colors as mcolors
from matplotlib.patches import Rectangle

from rocviz.displays.base.style import (
    UNIT_TICK_LABELS,
    UNIT_TICKS,
    font,
    halo,
    handle,
    resolve_theme,
    stroke,
    style_axes,
    title,
)
from rocviz.displays.scoring_lists.draw_stage import draw_stage
from rocviz.widgets.base.still import frame
from rocviz.widgets.scoring_lists.case import NAME_OF
from rocviz.widgets.scoring_lists.curves import curve_rows
from rocviz.widgets.scoring_lists.result import forced
from rocviz.widgets.scoring_lists.table import MOST, STRONGEST, cell_text, table_totals, too_many
from rocviz.widgets.scoring_lists.words import QUANTITY_NAMES, points_text, total_text
from rocviz.words import percent, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocviz.theme import Theme
    from rocviz.widgets.scoring_lists.state import ScoringListState

__all__ = ["draw"]

NAMES = 0.36  # share of a table that is for the questions
LETTER = 0.58  # width of one, in type sizes; more if it is bold


def draw(state: ScoringListState, theme: Theme | None = None) -> Figure:
    """Draw what a scoring list explorer shows.

    Parameters
    ----------
    state : ScoringListState
        As it stands.
    theme : Theme, optional
        By default the one in force; ``dark=None`` is light.

    Returns
    -------
    matplotlib.figure.Figure
        Of no window and no global state.
    """
    look = resolve_theme(theme)
    with frame(state.sentences, look) as (figure, panels):
        (table, stage), (curves, case) = panels
        _table(table, state, look)
        _stage(stage, state, look)
        (_path if state.quantity == "probability" else _curves)(curves, state, look)
        _case(case, state, look)
    return figure


def _blank(ax: Axes, n_rows: int, heading: str, theme: Theme) -> float:
    """Make axes of rows, from the top; return how large type can be."""
    box = ax.get_position()
    ax.set_position((box.x0 - 0.035, box.y0, box.width + 0.035, box.height))
    ax.set(xlim=(0, 1), ylim=(max(n_rows, 9) - 0.5, -0.5))
    ax.set_axis_off()
    title(ax, heading, theme)
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
    size = _blank(ax, len(stages) + 1, "The list, probabilities in %", theme)
    if totals.size > MOST:
        ax.text(0, 0.5, fill(too_many(totals.size), 44), va="top", color=theme.colour("muted"))
        return
    wide = (1 - NAMES) / totals.size
    words = {"va": "center", "color": theme.colour("text"), "fontsize": font(theme, 0.9 * size)}
    fits = totals.size <= 14
    every = 1 if fits else 5 if totals.size <= 40 else 20
    for i, total in enumerate(totals.tolist()):
        if total % every == 0:
            x = NAMES + (i + 0.5) * wide
            ax.text(x, 0, total_text(total), ha="center", **words)
    for k, stage in enumerate(stages):
        here = {**words, "weight": "bold"} if k == state.stage else words
        name = "before" if not k else state.questions[k - 1]
        ax.text(0, k + 1, _short(name, ax, NAMES - 0.07, here), **here)
        if k:
            ax.text(NAMES - 0.015, k + 1, points_text(state.scores[k - 1]), ha="right", **here)
        for total, p, call in zip(
            stage.totals.tolist(), stage.probability.tolist(), result.calls[k].tolist(), strict=True
        ):
            left = NAMES + int(np.searchsorted(totals, total)) * wide
            cell = (left + 0.04 * wide, k + 0.56), 0.92 * wide, 0.88
            ax.add_patch(Rectangle(*cell, color=shade(p, theme), linewidth=0))
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
                    linewidth=stroke(theme),
                    zorder=4,
                )
                ax.add_patch(ring)
            if fits:
                ax.text(left + wide / 2, k + 0.98, cell_text(p), ha="center", **words)


def shade(p: float, theme: Theme) -> str:
    """Return the colour of a cell, as the table in the browser has it."""
    share = STRONGEST / 100 * p
    mixed = [
        share * full + (1 - share) * empty
        for full, empty in zip(
            mcolors.to_rgb(theme.colour("positive")),
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
        cost_fn=state.cost_fn,
        counts=False,
        theme=theme,
    )
    ax.set_box_aspect(1)
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
    counted = "Before any question" if k == 0 else f"After {k} of {len(state.questions)} questions"
    title(ax, counted, theme)


def _steps(ax: Axes, state: ScoringListState, heading: str, theme: Theme) -> None:
    """Make axes of stages, the one looked at marked."""
    style_axes(ax, theme)
    ax.set_box_aspect(1)
    size = len(state.questions)
    ax.set_xlim(-0.04 * size, 1.04 * size)
    ax.set_xticks(np.arange(0, size + 1, 1 if size <= 12 else 5))
    ax.set_xlabel("questions asked")
    ax.axvline(state.stage, color=theme.colour("held"), linewidth=stroke(theme, 0.8))
    title(ax, heading, theme)


def _path(ax: Axes, state: ScoringListState, theme: Theme) -> None:
    _steps(ax, state, "The case, question by question", theme)
    result = state.result
    ax.set_ylim(0, 1)
    ax.set_yticks(UNIT_TICKS, UNIT_TICK_LABELS)
    ax.set_ylabel("probability of a positive")
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
    name = QUANTITY_NAMES[state.quantity]
    _steps(ax, state, f"{name[0].upper()}{name[1:]}, question by question", theme)
    looks: dict[str, Any] = {
        "train": {"color": theme.colour("ranking")},
        "test": {"color": theme.colour("second"), "linestyle": (0, (6, 2))},
        "learned": {"color": theme.colour("reference"), "linestyle": ":"},
    }
    rows = curve_rows(state)
    for side, values, _words, _thing in rows:
        ax.plot(values, linewidth=stroke(theme), **looks[side])
    rises = state.quantity == "auc"
    low, high = ax.get_ylim()
    room = (0.075 * len(rows) + 0.05) * (high - low) / (1 - 0.075 * len(rows))
    ax.set_ylim(*((low - room, high) if rises else (low, high + room)))
    for i, (_side, _values, words, thing) in enumerate(rows):
        y = 0.035 + 0.07 * (len(rows) - 1 - i) if rises else 0.965 - 0.07 * i
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
    ax.set_ylabel("entropy (bits)" if state.quantity == "entropy" else name)


def _case(ax: Axes, state: ScoringListState, theme: Theme) -> None:
    result = state.result
    way, made = result.walk, result.scoring_list
    size = _blank(ax, len(made) + 1, "A case", theme)
    words = {"va": "center", "color": theme.colour("text"), "fontsize": font(theme, 0.95 * size)}
    left, right = 0.58, 0.88
    for k in range(len(made) + 1):
        name, given = "before any question", ""
        if k:
            name = f"{points_text(state.scores[k - 1])}  {state.questions[k - 1]}"
            answer = state.answers[k - 1]
            answer = forced(made, k - 1) if answer is None else answer
            given = NAME_OF[answer]
        weak = {**words, "color": theme.colour("muted")}
        ax.text(0, k, _short(name, ax, 0.47, words), **(words if k <= way.stage else weak))
        ax.text(0.54, k, given, ha="right", **(words if k <= way.stage else weak))
        if k > way.stage:
            continue
        ax.add_patch(
            Rectangle((left, k - 0.3), right - left, 0.6, color=theme.colour("grid"), linewidth=0)
        )
        reach = right - left
        if result.bands is not None:
            ax.add_patch(
                Rectangle(
                    (left + reach * way.lower[k], k - 0.13),
                    reach * (way.upper[k] - way.lower[k]),
                    0.26,
                    color=theme.colour("hull"),
                    alpha=0.6,
                    linewidth=0,
                )
            )
        for level, thing, width in (
            (state.lower, "negative", 1.0),
            (state.upper, "positive", 1.0),
            (float(way.probability[k]), "hull-text", 2.0),
        ):
            ax.plot(
                [left + reach * level] * 2,
                [k - 0.3, k + 0.3],
                color=theme.colour(thing),
                linewidth=stroke(theme, width),
                solid_capstyle="butt",
            )
        last = {**words, "weight": "bold"} if k == way.stage else words
        ax.text(1, k, percent(float(way.probability[k])), ha="right", **last)
