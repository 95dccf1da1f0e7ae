"""The Fermi-Dirac explorer's result as a matplotlib figure, for files and pages without a kernel.

Draws with the displays' styles; computes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocviz.displays.base.style import font, handle, resolve_theme, stroke, style_axes, title
from rocviz.displays.fermi_dirac.draw_fermi_dirac import draw_occupation
from rocviz.displays.roc.draw_auc_interval import draw_intervals
from rocviz.displays.roc.draw_roc import draw_roc
from rocviz.widgets.base.still import frame
from rocviz.widgets.fermi_dirac.words import temperature_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocviz.theme import Theme
    from rocviz.widgets.fermi_dirac.state import FermiDiracState

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
        draw_occupation(levels, state.result.ranked.segments, state.result.law, theme=look)
        title(levels, "Levels and positives", look)
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
        draw_intervals(intervals, {None: state.result.intervals}, theme=look)
        title(intervals, "How sure is the AUC?", look)
    return figure


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
