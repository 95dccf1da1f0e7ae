"""The ranking loss explorer's result as a matplotlib figure, for files and pages without a kernel.

Draws with the displays' styles; computes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocviz.displays.base.labels import add_text
from rocviz.displays.base.style import (
    font,
    handle,
    outline,
    stroke,
    style_axes,
    unit_ticks,
)
from rocviz.displays.ranking_loss.draw_bound import draw_ranking_bound
from rocviz.displays.ranking_loss.draw_experiment import LOOKS, draw_ranking_experiment
from rocviz.widgets.base.still import compose
from rocviz.widgets.ranking_loss.layout import dense, free_place
from rocviz.widgets.ranking_loss.result import REACH
from rocviz.widgets.ranking_loss.view import (
    EDGE,
    LENGTHS,
    MARKS,
    arrow,
    link_places,
    sample_places,
)
from rocviz.widgets.ranking_loss.words import direction_rows, error_rows, floor_text, link_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocviz.theme import Theme
    from rocviz.widgets.ranking_loss.state import RankingLossState

    Draw = Callable[[Axes, RankingLossState, Theme], None]

__all__ = ["draw"]

SHAPES = {name: "●■◆▲▼✚"["osD^vP".index(look[2])] for name, look in LOOKS.items()}


def draw(state: RankingLossState, theme: Theme | None = None) -> Figure:
    """Draw what a ranking loss explorer shows; see :func:`rocviz.widgets.base.still.compose`."""
    draws = {"links": _links, "samples": _samples, "errors": _errors, "bound": _bound}
    return compose(state, {name: _sized(name, draw) for name, draw in draws.items()}, theme)


def _sized(name: str, draw: Draw) -> Draw:
    """Let a small picture go without names of its axes, and with few ticks, as on the stage."""

    def draw_sized(ax: Axes, state: RankingLossState, theme: Theme) -> None:
        draw(ax, state, theme)
        if not _is_large(state, name):
            ax.set(xlabel="", ylabel="")
            for axis in (ax.xaxis, ax.yaxis):
                low, high = axis.get_view_interval()
                words = {
                    at: text.get_text()
                    for at, text in zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
                    if low <= at <= high
                }
                some = list(words)[:: 1 if len(words) < 4 else 2 if len(words) < 7 else 3]
                axis.set_ticks(some, [words[at] for at in some])

    return draw_sized


def _is_large(state: RankingLossState, name: str) -> bool:
    return name == state.focus or len(state.panels) <= 2


def _write(
    ax: Axes, rows: list[tuple[str, str]], taken: list[tuple[np.ndarray, np.ndarray]], theme: Theme
) -> None:
    """Write rows of (text, thing) below each other where they cover no data."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    width, height = 72 * figure.get_size_inches() * ax.get_position().size
    size = font(theme)
    row = 1.45 * size / height
    block = 0.6 * size * max(len(text) for text, _ in rows) / width, row * len(rows)
    x, y = free_place(taken, *block)
    for k, (text, thing) in enumerate(rows):
        add_text(
            ax, text, theme, x=x, y=y - row * k, va="top", color=theme.colour(thing), fontsize=size
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
    for name, thing in (("truth", "held"), ("logistic", "second"), ("rank", "ranking")):
        if name in plane.directions:
            path = arrow(plane.directions[name], LENGTHS[name])
            ax.plot(*path, color=theme.colour(thing), linewidth=stroke(theme, 1.3), zorder=4)
    if _is_large(state, "samples"):
        _write(ax, direction_rows(result), sample_places(result), theme)
    x, y = plane.labels
    ax.set(xlim=(-EDGE, EDGE), ylim=(-EDGE, EDGE), xlabel=x, ylabel=y)
    ax.set_box_aspect(1)


def _links(ax: Axes, state: RankingLossState, theme: Theme) -> None:
    style_axes(ax, theme)
    result = state.result
    if result.truth is not None:
        truth = theme.colour("held")
        ax.plot(result.position, result.truth, color=truth, linewidth=stroke(theme, 2), alpha=0.75)
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
    if result.seen is not None:
        text, paper = theme.colour("text"), theme.colour("paper")
        ax.plot(*result.seen, "o", color=text, markerfacecolor=paper, markersize=handle(theme, 0.4))
    if _is_large(state, "links"):
        rows = [(f"{MARKS[name]} {text}", ink) for name, text, ink in link_rows(result, state.a)]
        _write(ax, rows, link_places(result), theme)
    score = "the ranker's score, standardised" if result.truth is None else "true score, w · x"
    ax.set(xlim=REACH, ylim=(-0.02, 1.02), xlabel=score, ylabel="probability of a positive")
    unit_ticks(ax.yaxis)


def _bound(ax: Axes, state: RankingLossState, theme: Theme) -> None:
    large = _is_large(state, "bound")
    draw_ranking_bound(ax, state.result.examples, label=large, theme=theme)


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
        ax.set(xlabel="floor a of the true probability", ylabel="squared error to the truth")
        ticks = [-9, -7, -5, -3, -1]
        ax.set_xticks(ticks, [floor_text(2.0**k) for k in ticks])
        ax.set_xlim(-9.4, -0.6)
    x = float(np.clip(np.log2(max(state.a, 1e-9)), -9, -1))
    low, high = ax.get_xlim()
    ax.set_xlim(min(low, x - 0.4), max(high, x + 0.4))
    ax.axvline(x, color=theme.colour("held"), linewidth=stroke(theme, 0.7), zorder=1)
    top = max(top, 1.06 * max(result.errors.values()))
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
    ax.set_ylim(0, top)
    if not _is_large(state, "errors"):
        return
    low, high = ax.get_xlim()
    taken = [(np.full(60, (x - low) / (high - low)), np.linspace(0, 1, 60))]
    for drawn in ax.get_lines():
        across, up = (np.asarray(part, dtype=float) for part in drawn.get_data())
        if len(across) > 2:
            taken.append(dense((across - low) / (high - low), up / top))
    rows = [
        (f"{SHAPES[name]} {text}" if name else text, ink)
        for name, text, ink in error_rows(result, state.a)
    ]
    _write(ax, rows, taken, theme)
