"""The Fermi-Dirac explorer's result as a matplotlib figure, for files and pages without a kernel.

Draws with the displays' styles; computes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocviz.displays._draw_roc import draw_roc
from rocviz.displays._style import font, handle, resolve_theme, stroke, style_axes, title
from rocviz.widgets.fermi_dirac_words import METHOD_NAMES, rank_text, temperature_text
from rocviz.widgets.static import frame
from rocviz.words import rate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocviz.theme import Theme
    from rocviz.widgets.fermi_dirac_state import FermiDiracState

__all__ = ["draw"]


def draw(state: FermiDiracState, theme: Theme | None = None) -> Figure:
    """Draw what a Fermi-Dirac explorer shows.

    Parameters
    ----------
    state : FermiDiracState
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
        (levels, roc), (temperature, intervals) = panels
        _levels(levels, state, look)
        draw_roc(roc, state.result.ranked.segments, name="data", hull=False, theme=look)
        roc.plot(
            *state.result.roc,
            color=look.colour("hull"),
            linestyle="--",
            linewidth=stroke(look),
            zorder=3,
        )
        title(roc, "ROC curve; dashed: the law", look)
        _temperature(temperature, state, look)
        _intervals(intervals, state, look)
    return figure


def _levels(ax: Axes, state: FermiDiracState, theme: Theme) -> None:
    result, n = state.result, state.n_samples
    style_axes(ax, theme)
    ax.set_box_aspect(1)
    ax.axhline(state.prevalence, color=theme.colour("reference"), linestyle=":", zorder=1)
    ax.plot(result.rank, result.probability, color=theme.colour("hull"), linewidth=stroke(theme))
    ax.scatter(
        result.bin_rank,
        result.bin_frequency,
        s=handle(theme, 0.6) ** 2,
        facecolor=theme.colour("paper"),
        edgecolor=theme.colour("ranking"),
        zorder=3,
    )
    shown = np.unique(np.linspace(0, n - 1, min(n, 400)).round().astype(int))
    positive = result.ranked.label[shown]
    rows = -0.06 - 0.045 * (np.arange(shown.size) % 4)
    size = handle(theme, 0.25) ** 2
    ax.scatter(shown[positive] + 1, rows[positive], s=size, color=theme.colour("positive"))
    ax.scatter(
        shown[~positive] + 1,
        rows[~positive],
        s=size,
        facecolor="none",
        edgecolor=theme.colour("negative"),
    )
    law = result.law
    for rank, thing, text in (
        (law.threshold_rank, "optimum", f"r* = {rank_text(law.threshold_rank)}"),
        (law.chemical_potential, "held", f"μ = {rank_text(law.chemical_potential)}"),
    ):
        if 0 <= rank <= n + 1:
            ax.vlines(rank, 0, 1, color=theme.colour(thing), linewidth=stroke(theme, 0.8))
        below = thing == "held"
        right = state.auc >= 0.5
        ax.text(
            0.97 if right else 0.03,
            0.86 if below else 0.92,
            text,
            transform=ax.transAxes,
            ha="right" if right else "left",
            color=theme.colour(f"{thing}-text"),
            fontsize=font(theme),
            weight="bold",
        )
    ax.set_xlim(0, n + 1)
    ax.set_ylim(-0.25, 1.02)
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1])
    ax.set_xlabel("rank (1 is the most positive)")
    ax.set_ylabel("P(positive | rank)")
    title(ax, "Levels and positives", theme)


def _temperature(ax: Axes, state: FermiDiracState, theme: Theme) -> None:
    style_axes(ax, theme)
    ax.set_box_aspect(1)
    auc, coldness = state.coldness_curve()
    ax.axhline(0, color=theme.colour("reference"), linestyle=":")
    ax.plot(auc, coldness, color=theme.colour("ranking"), linewidth=stroke(theme))
    y = float(np.clip(1 / state.temperature, -40, 40)) if state.temperature else 40.0
    y = -40.0 if state.temperature == 0 and state.auc == 0 else y
    ax.plot(
        [state.auc],
        [y],
        "o",
        color=theme.colour("held"),
        markersize=handle(theme),
        markeredgecolor=theme.colour("paper"),
        clip_on=False,
        zorder=5,
    )
    right = state.auc > 0.5
    ax.text(
        state.auc + (-0.08 if right else 0.08),
        y,
        f"T = {temperature_text(state.temperature)} N",
        ha="right" if right else "left",
        va="center",
        color=theme.colour("held-text"),
        fontsize=font(theme),
        weight="bold",
    )
    ax.set_xlim(0, 1)
    ax.set_ylim(-40, 40)
    ax.set_xlabel("AUC")
    ax.set_ylabel("coldness N / T")
    title(ax, "How cold it is", theme)


def _intervals(ax: Axes, state: FermiDiracState, theme: Theme) -> None:
    style_axes(ax, theme)
    intervals = state.result.intervals
    for i, interval in enumerate(intervals):
        y = len(intervals) - 1 - i
        ax.plot(
            [interval.lower, interval.upper],
            [y, y],
            color=theme.colour("hull"),
            linewidth=stroke(theme, 2.5),
            solid_capstyle="round",
        )
        ax.plot([interval.auc], [y], "|", color=theme.colour("text"), markersize=handle(theme, 0.8))
        ends = f"{rate(interval.lower)} to {rate(interval.upper)}"
        ax.text(
            interval.lower,
            y + 0.2,
            f"{METHOD_NAMES[interval.method]}: {ends}",
            fontsize=font(theme, 0.95),
            color=theme.colour("text"),
        )
    ax.set_ylim(-0.5, len(intervals) - 0.2)
    ax.set_yticks([])
    low, high = min(i.lower for i in intervals), max(i.upper for i in intervals)
    ax.set_xlim(low - 0.02, max(high + 0.02, low + 0.75 * (high - low) + 0.2))
    ax.set_box_aspect(1)
    ax.set_xlabel(f"AUC, {100 * state.confidence:.0f} % intervals")
    title(ax, "How sure is the AUC?", theme)
