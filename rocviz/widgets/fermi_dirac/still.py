"""The Fermi-Dirac explorer's result as a matplotlib figure, for files and pages without a kernel.

Draws with the displays' styles; computes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocviz.displays.base.style import font, handle, stroke, style_axes
from rocviz.displays.fermi_dirac.draw_fermi_dirac import draw_occupation
from rocviz.displays.roc.draw_auc_interval import draw_intervals
from rocviz.displays.roc.draw_roc import draw_roc
from rocviz.widgets.base.still import compose
from rocviz.widgets.fermi_dirac.words import temperature_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocviz.theme import Theme
    from rocviz.widgets.fermi_dirac.state import FermiDiracState

__all__ = ["draw"]


def draw(state: FermiDiracState, theme: Theme | None = None) -> Figure:
    """Draw what a Fermi-Dirac explorer shows; see :func:`rocviz.widgets.base.still.compose`."""
    draws = {"levels": _levels, "roc": _roc, "intervals": _intervals, "coldness": _coldness}
    return compose(state, draws, theme)


def _levels(ax: Axes, state: FermiDiracState, theme: Theme) -> None:
    draw_occupation(ax, state.result.ranked.segments, state.result.law, theme=theme)


def _roc(ax: Axes, state: FermiDiracState, theme: Theme) -> None:
    draw_roc(ax, state.result.ranked.segments, name="data", hull=False, theme=theme)
    ax.plot(
        *state.result.roc,
        color=theme.colour("hull"),
        linestyle="--",
        linewidth=stroke(theme),
        zorder=3,
    )


def _intervals(ax: Axes, state: FermiDiracState, theme: Theme) -> None:
    draw_intervals(ax, {None: state.result.intervals}, theme=theme)


def _coldness(ax: Axes, state: FermiDiracState, theme: Theme) -> None:
    style_axes(ax, theme)
    ax.set_box_aspect(1)
    auc, coldness = state.coldness_curve()
    ax.axhline(0, color=theme.colour("reference"), linestyle=":")
    ax.plot(auc, coldness, color=theme.colour("ranking"), linewidth=stroke(theme))
    y = float(np.clip(state.coldness, -40, 40))
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
