"""The ensemble explorer's result as a matplotlib figure: for files and pages without a kernel.

Composes the displays' drawing functions; computes nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocviz.displays.base.style import font, handle, stroke, style_axes
from rocviz.displays.ensembles.draw_ensemble import (
    METHODS,
    draw_auc_by_size,
    draw_contributions,
    draw_correlation,
)
from rocviz.widgets.base.layout import aside, round_ticks, temperature_ticks
from rocviz.widgets.base.panel import tick_text
from rocviz.widgets.base.still import compose
from rocviz.widgets.ensembles.words import crowd_rows, item_words, temperature_words
from rocviz.words import signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocviz.core.ensembles.rank_ensemble import RankEnsemble
    from rocviz.theme import Theme
    from rocviz.widgets.ensembles.state import EnsembleState

__all__ = ["draw"]


def draw(state: EnsembleState, theme: Theme | None = None) -> Figure:
    """Draw what an ensemble explorer shows; see :func:`rocviz.widgets.base.still.compose`."""
    draws = {
        "crowd": _crowd,
        "classifiers": _classifiers,
        "correlation": _correlation,
        "item": _item,
    }
    return compose(state, draws, theme)


def _is_large(state: EnsembleState, name: str) -> bool:
    return len(state.panels) <= 2 or state.focus == name


def _round_ticks(ax: Axes, low: float, high: float, large: bool) -> None:
    """Put the ticks on the horizontal axis that the live picture has."""
    at = round_ticks(low, high)
    at = at if large or at.size <= 3 else at[:: 2 if at.size < 7 else 3]
    ax.set_xticks(at, [tick_text(value) for value in at])


def _crowd(ax: Axes, state: EnsembleState, theme: Theme) -> None:
    result, large = state.result, _is_large(state, "crowd")
    if result.experiment is not None:
        draw_auc_by_size(ax, result.experiment, theme=theme)
        ax.set_xlabel("crowd size; bars: ± 2 standard errors" if large else "")
        ax.set_ylabel("AUC" if large else "")
        return
    style_axes(ax, theme)
    said, ink, best = crowd_rows(state, brief=not large), theme.colour("text"), result.auc["best"]
    down = 0.2 if large else 0.0
    for i, (method, name, value) in enumerate(said):
        ax.axhline(-i - down, color=theme.colour("grid"), linewidth=stroke(theme), zorder=0)
        ax.vlines(
            best,
            -i - down - 0.22,
            -i - down + 0.22,
            color=theme.colour("second"),
            linewidth=stroke(theme),
            zorder=1,
        )
        if method in result.intervals:
            ends = result.intervals[method]
            looks = {"color": theme.colour("muted"), "linewidth": stroke(theme), "zorder": 2}
            ax.hlines(-i - down, *ends, **looks)
        ax.plot(
            result.auc[method],
            -i - down,
            "o",
            color=theme.colour(METHODS[method][1]),
            markeredgecolor=ink,
            markersize=handle(theme, 0.5),
            zorder=4,
        )
        looks = {
            "transform": ax.get_yaxis_transform(),
            "va": "center",
            "color": ink,
            "fontsize": font(theme, 1.0 if large else 0.8),
            "weight": "bold" if method == state.method else "normal",
        }
        ax.text(0.0 if large else -0.02, -i + down, name, ha="left" if large else "right", **looks)
        ax.text(1.0 if large else 1.02, -i + down, value, ha="right" if large else "left", **looks)
    singles = result.base_auc[list(result.members)]
    ax.plot(
        singles,
        np.full(singles.size, -down),
        "o",
        color=theme.colour("second"),
        markeredgecolor=ink,
        markersize=handle(theme, 0.32),
        zorder=3,
    )
    ax.set(xlim=result.auc_limits, ylim=(-4.55, 0.55), yticks=[])
    _round_ticks(ax, *result.auc_limits, large)
    ax.spines["left"].set_visible(False)
    if large:
        ax.set_xlabel("AUC; bars: 95 % interval of the gain")
    else:
        box = ax.get_position()
        ax.set_position((box.x0 + 0.3 * box.width, box.y0, 0.56 * box.width, box.height))


def _classifiers(ax: Axes, state: EnsembleState, theme: Theme) -> None:
    style_axes(ax, theme)
    result, large = state.result, _is_large(state, "classifiers")
    (auc, coldness), (left, right, low, high) = result.law, result.law_limits
    ax.plot(auc, coldness, ":", color=theme.colour("reference"), linewidth=stroke(theme, 0.8))
    true = x, y = result.ensemble.auc, np.clip(result.coldness, low, high)
    area = handle(theme, 1.0 if large else 0.75) ** 2
    x, y = aside(x, y, result.law)
    ax.plot(
        np.vstack((true[0], x)), np.vstack((true[1], y)), color=theme.colour("muted"), linewidth=0.8
    )
    ax.scatter(*true, s=0.07 * area, color=theme.colour("text"), zorder=2, clip_on=False)
    inside = np.isin(np.arange(x.size), result.members)
    ax.scatter(
        x,
        y,
        s=area,
        color=[theme.colour("second" if each else "paper") for each in inside],
        edgecolor=theme.colour("text"),
        linewidth=stroke(theme, 0.4),
        clip_on=False,
        zorder=3,
    )
    ax.scatter(
        x[result.best],
        y[result.best],
        s=1.9 * area,
        facecolor="none",
        edgecolor=theme.colour("text"),
        linewidth=stroke(theme, 0.7),
        clip_on=False,
        zorder=2.5,
    )
    for k, each in enumerate(inside):
        ax.text(
            x[k],
            y[k],
            str(k + 1),
            ha="center",
            va="center_baseline",
            fontsize=font(theme, 0.85 if large else 0.65),
            color="#1B1F24" if each else theme.colour("text"),
            weight="bold",
            zorder=4,
        )
    ax.margins(0.05)
    _round_ticks(ax, left, right, large)
    at, labels = temperature_ticks(low, high)
    ax.set_yticks(at, labels)
    words = temperature_words(result, brief=not large)
    small = {"color": theme.colour("muted"), "fontsize": font(theme, 1.0 if large else 0.8)}
    upper, lower = "\n".join(words["start"]), "\n".join(words["end"])
    ax.text(0.02, 0.98, upper, transform=ax.transAxes, va="top", linespacing=1.4, **small)
    ax.text(0.98, 0.03, lower, transform=ax.transAxes, ha="right", **small)
    if large:
        ax.set_xlabel("AUC when measured")
        ax.set_ylabel("temperature T / N")


def _correlation(ax: Axes, state: EnsembleState, theme: Theme) -> None:
    draw_correlation(ax, _with_numbers(state), theme=theme)
    mean = signed(state.result.crowd.mean_correlation)
    what = "correlation within a class, mean" * _is_large(state, "correlation")
    ax.set_xlabel(f"{what or 'mean correlation'} {mean}")


def _item(ax: Axes, state: EnsembleState, theme: Theme) -> None:
    result, large = state.result, _is_large(state, "item")
    draw_contributions(ax, replace(result.item, ensemble=_with_numbers(state)), theme=theme)
    names = [str(k + 1) for k in result.members]
    if large:
        ranks = (f"{rank:.1f}".removesuffix(".0") for rank in result.item.ranks[0])
        names = [f"{name}, rank {rank}" for name, rank in zip(names, ranks, strict=True)]
    ax.set_yticks(ax.get_yticks(), [*names, "sum"])
    ax.set_xlabel(item_words(state, brief=not large))
    box = ax.get_position()
    room = 0.17 * box.width if large else 0.0
    ax.set_position((box.x0 + room, box.y0, box.width - room, box.height))


def _with_numbers(state: EnsembleState) -> RankEnsemble:
    """Return the crowd, its members called by the numbers that they have in all pictures."""
    names = tuple(str(k + 1) for k in state.result.members)
    return replace(state.result.crowd, names=names)
