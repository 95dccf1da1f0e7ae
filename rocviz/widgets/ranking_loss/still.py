"""The ranking loss explorer's result as a matplotlib figure, for files and pages without a kernel.

Draws with the displays' styles; computes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocviz.displays.base.labels import add_text
from rocviz.displays.base.style import (
    UNIT_TICK_LABELS,
    UNIT_TICKS,
    font,
    handle,
    outline,
    resolve_theme,
    stroke,
    style_axes,
    title,
)
from rocviz.displays.ranking_loss.draw_bound import draw_ranking_bound
from rocviz.displays.ranking_loss.draw_experiment import LOOKS, draw_ranking_experiment
from rocviz.widgets.base.still import frame
from rocviz.widgets.ranking_loss.view import EDGE, arrow
from rocviz.widgets.ranking_loss.words import THINGS, error_text, floor_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocviz.theme import Theme
    from rocviz.widgets.ranking_loss.state import RankingLossState

__all__ = ["draw"]


def draw(state: RankingLossState, theme: Theme | None = None) -> Figure:
    """Draw what a ranking loss explorer shows.

    Parameters
    ----------
    state : RankingLossState
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
        (samples, links), (errors, bound) = panels
        _samples(samples, state, look)
        title(samples, "Samples and directions", look)
        _links(links, state, look)
        title(links, "From score to probability", look)
        _errors(errors, state, look)
        title(errors, "How far from the truth?", look)
        draw_ranking_bound(bound, state.result.examples, theme=look)
        title(bound, "What an AUC allows", look)
    return figure


def _rows(ax: Axes, rows: list[tuple[str, str]], theme: Theme) -> None:
    """Write rows of (text, thing) from the top left corner down."""
    for k, (text, thing) in enumerate(rows):
        y = 0.98 - 0.052 * k
        add_text(
            ax, text, theme, x=0.02, y=y, va="top", color=theme.colour(thing), fontsize=font(theme)
        )


def _samples(ax: Axes, state: RankingLossState, theme: Theme) -> None:
    style_axes(ax, theme)
    result = state.result
    samples, plane = result.samples, result.plane
    for of_class, thing, marker in ((0, "negative", "v"), (1, "positive", "o")):
        some = plane.positive == bool(of_class)
        ax.plot(
            *plane.points[some].T,
            marker,
            color=theme.colour(thing),
            markerfacecolor=theme.colour(thing if of_class else "paper"),
            markersize=handle(theme, 0.24),
        )
    if samples.truth is not None:
        w = samples.truth.direction
        ends = np.outer([-2, 2], [-w[1], w[0]]) * EDGE + state.border * w
        ax.plot(*ends.T, color=theme.colour("held"), linestyle=":", linewidth=stroke(theme))
    rows = []
    for name, says, thing, words, length in (
        ("truth", "the truth", "held", "held-text", 3.25),
        ("logistic", "logistic", "second", "negative-text", 2.55),
        ("rank", "pairs", "ranking", "text", 1.85),
    ):
        if name not in plane.directions:
            continue
        path = arrow(plane.directions[name], length)
        ax.plot(*path, color=theme.colour(thing), linewidth=stroke(theme, 1.3), zorder=4)
        off = result.angle(result.ranker if name == "rank" else result.logistic)
        degrees = "" if off is None or name == "truth" else f", {off:.1f}° off"
        rows.append((f"→ {says}{degrees}", words))
    rows += [("● positive", "positive-text"), ("▽ negative", "negative-text")]
    _rows(ax, rows, theme)
    x, y = plane.labels
    ax.set(xlim=(-EDGE, EDGE), ylim=(-EDGE, EDGE), xlabel=x, ylabel=y)


def _links(ax: Axes, state: RankingLossState, theme: Theme) -> None:
    style_axes(ax, theme)
    result = state.result
    rows = []
    if result.truth is not None:
        truth = theme.colour("held")
        ax.plot(result.position, result.truth, color=truth, linewidth=stroke(theme, 2), alpha=0.75)
        rows.append(("the truth", "held-text"))
    for name, method in result.methods.items():
        thing, dash, _marker, outlined = LOOKS[name]
        (made,) = ax.plot(
            result.position,
            method.link,
            color=theme.colour(thing),
            linestyle=dash,
            linewidth=stroke(theme),
        )
        outline(made, theme.colour("text") if outlined else None, stroke(theme, 1.6))
        rows.append((name, THINGS[name]))
    if result.seen is not None:
        text, paper = theme.colour("text"), theme.colour("paper")
        ax.plot(*result.seen, "o", color=text, markerfacecolor=paper, markersize=handle(theme, 0.4))
        rows.append(("○ what happened, in slices", "text"))
    _rows(ax, rows, theme)
    score = "the ranker's score, standardised" if result.truth is None else "true score, w · x"
    ax.set(xlim=(-3.2, 3.2), ylim=(-0.02, 1.02), xlabel=score, ylabel="probability of a positive")
    ax.set_yticks(UNIT_TICKS, UNIT_TICK_LABELS)


def _errors(ax: Axes, state: RankingLossState, theme: Theme) -> None:
    result = state.result
    if result.samples.truth is None:
        ax.set_axis_off()
        words = "The truth behind your samples is not known,\nso no error to it can be measured."
        add_text(ax, words, theme, x=0.02, y=0.9, va="top", fontsize=font(theme, 1.1))
        return
    top = 0.0
    if result.experiment is not None:
        draw_ranking_experiment(ax, result.experiment, methods=state.methods, theme=theme)
        top = ax.get_ylim()[1]
    else:
        style_axes(ax, theme)
        ax.set(xlabel="lowest true probability a", ylabel="squared error to the truth")
        ticks = [-9, -7, -5, -3, -1]
        ax.set_xticks(ticks, [floor_text(2.0**k) for k in ticks])
        ax.set_xlim(-9.4, -0.6)
    x = float(np.clip(np.log2(max(state.a, 1e-9)), -9, -1))
    low, high = ax.get_xlim()
    ax.set_xlim(min(low, x - 0.4), max(high, x + 0.4))
    ax.axvline(x, color=theme.colour("held"), linewidth=stroke(theme, 0.7), zorder=1)
    rows = [(f"a = {floor_text(state.a)}, large marks: these samples", "held-text")]
    for name, error in result.errors.items():
        thing, _dash, marker, _outlined = LOOKS[name]
        ax.plot(
            [x],
            [error],
            marker,
            color=theme.colour(thing),
            markeredgecolor=theme.colour("held"),
            markeredgewidth=stroke(theme, 0.8),
            markersize=handle(theme, 0.62),
            zorder=5,
        )
        rows.append((f"{name} {error_text(error)}", THINGS[name]))
    top = max(top, 1.06 * max(result.errors.values()))
    ax.set_ylim(0, top / (1 - 0.055 * (len(rows) + 0.5)))
    _rows(ax, rows, theme)
