"""The ensemble explorer's result as a matplotlib figure: for files and pages without a kernel.

Composes the displays' drawing functions; computes nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from rocviz.displays.base.style import font, handle, resolve_theme, stroke, style_axes, title
from rocviz.displays.ensembles.draw_ensemble import (
    METHODS,
    draw_auc_by_size,
    draw_contributions,
    draw_correlation,
)
from rocviz.widgets.base.layout import aside, temperature_ticks
from rocviz.widgets.base.still import frame
from rocviz.words import rate, signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocviz.theme import Theme
    from rocviz.widgets.ensembles.state import EnsembleState

__all__ = ["draw"]


def draw(state: EnsembleState, theme: Theme | None = None) -> Figure:
    """Draw what an ensemble explorer shows.

    Parameters
    ----------
    state : EnsembleState
        As it stands.
    theme : Theme, optional
        By default the one in force; ``dark=None`` is light.

    Returns
    -------
    matplotlib.figure.Figure
        Of no window and no global state.
    """
    look = resolve_theme(theme)
    result = state.result
    with frame(state.sentences, look) as (figure, panels):
        (classifiers, correlation), (sizes, evidence) = panels
        _classifiers(classifiers, state, look)
        numbered = replace(result.crowd, names=tuple(str(k + 1) for k in result.members))
        draw_correlation(correlation, numbered, theme=look)
        mean = signed(result.crowd.mean_correlation)
        title(correlation, f"Do they err alike? Mean correlation {mean}", look)
        if result.experiment is None:
            _now(sizes, state, look)
        else:
            draw_auc_by_size(sizes, result.experiment, theme=look)
        title(sizes, "Does the crowd beat the best?", look)
        kind = "positive" if result.item_is_positive else "negative"
        # the names of the bars need room of their own
        box = evidence.get_position()
        evidence.set_position((box.x0 + 0.17, box.y0, box.width - 0.17, box.height))
        item = replace(result.item, ensemble=numbered) if state.is_sandbox else result.item
        draw_contributions(evidence, item, theme=look)
        title(evidence, f"Item {state.item}, a {kind}", look)
    return figure


def _classifiers(ax: Axes, state: EnsembleState, theme: Theme) -> None:
    style_axes(ax, theme)
    ax.set_box_aspect(1)
    result = state.result
    auc, coldness = result.law
    ax.plot(auc, coldness, ":", color=theme.colour("reference"), linewidth=stroke(theme, 0.8))
    x, y = result.ensemble.auc, np.clip(result.coldness, coldness[0], coldness[-1])
    area = handle(theme, 1.05) ** 2
    true = x, y
    x, y = aside(x, y, result.law)
    ax.plot(
        np.vstack((true[0], x)), np.vstack((true[1], y)), color=theme.colour("muted"), linewidth=0.8
    )
    ax.scatter(*true, s=0.07 * area, color=theme.colour("text"), zorder=2)
    inside = np.isin(np.arange(x.size), result.members)
    ax.scatter(
        x,
        y,
        s=area,
        color=[theme.colour("second" if each else "paper") for each in inside],
        edgecolor=theme.colour("text"),
        linewidth=stroke(theme, 0.4),
        zorder=3,
    )
    ax.scatter(
        x[result.best],
        y[result.best],
        s=1.9 * area,
        facecolor="none",
        edgecolor=theme.colour("text"),
        linewidth=stroke(theme, 0.7),
        zorder=2.5,
    )
    for k, each in enumerate(inside):
        ax.text(
            x[k],
            y[k],
            str(k + 1),
            ha="center",
            va="center_baseline",
            fontsize=font(theme, 0.85),
            color="#1B1F24" if each else theme.colour("text"),
            weight="bold",
            zorder=4,
        )
    ax.set(xlim=(auc[0], auc[-1]), ylim=(coldness[0], coldness[-1]))
    at, labels = temperature_ticks(float(coldness[0]), float(coldness[-1]))
    ax.set_yticks(at, labels)
    ax.set_xlabel("AUC when measured")
    ax.set_ylabel("temperature T / N, colder is higher")
    title(ax, "The classifiers; double ring: measured best", theme)


def _now(ax: Axes, state: EnsembleState, theme: Theme) -> None:
    """Show the AUCs of the crowd as it is, where no comparison was made."""
    style_axes(ax, theme)
    ax.set_box_aspect(1)
    ax.spines["left"].set_visible(False)
    aucs = state.result.auc
    for i, (method, (name, thing, _dash, _outlined)) in enumerate(METHODS.items()):
        ax.plot(
            [aucs[method]],
            [-i],
            "o",
            color=theme.colour(thing),
            markeredgecolor=theme.colour("text"),
            markersize=handle(theme, 0.55),
        )
        ax.annotate(
            f"{name} {rate(aucs[method])}",
            (aucs[method], -i),
            xytext=(0, font(theme, 0.8)),
            textcoords="offset points",
            ha="center",
            color=theme.colour("text"),
            fontsize=font(theme),
        )
    low, high = min(aucs.values()), max(aucs.values())
    room = 0.4 * max(high - low, 0.05)
    ax.set_xlim(low - room, high + room)
    ax.set_ylim(-len(aucs) + 0.5, 0.6)
    ax.set_yticks([])
    ax.set_xlabel("AUC")
