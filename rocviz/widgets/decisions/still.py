"""The decision explorer's result as a matplotlib figure, for files and pages without a kernel.

Draws with the displays' styles; computes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocviz.displays.base.style import font, handle, resolve_theme, stroke, style_axes, title
from rocviz.displays.decisions.draw_decision import draw_probabilities, draw_thresholds
from rocviz.displays.decisions.draw_utilities import draw_utilities
from rocviz.widgets.base.still import frame
from rocviz.widgets.decisions.words import utility_text
from rocviz.words import amount, number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocviz.theme import Theme
    from rocviz.widgets.decisions.state import DecisionState

__all__ = ["draw"]

MOST = 5  # curves that can be told apart


def draw(state: DecisionState, theme: Theme | None = None) -> Figure:
    """Draw what a decision explorer shows.

    Parameters
    ----------
    state : DecisionState
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
    named = list(result.decisions.items())
    of = dict(zip(state.shown, named, strict=True))
    drawn = [named[0], *(of[name] for name in state.compared if name != state.metric)]
    with frame(state.sentences, look) as (figure, panels):
        (probabilities, utilities), (cuts, outcomes) = panels
        truth = result.truth.decision(result.metric)
        lowest = "true threshold" if result.is_miscalibrated else "threshold"
        draw_probabilities(probabilities, truth, k=result.k, threshold=lowest, theme=look)
        heading = "Who is called positive"
        if result.is_miscalibrated:
            _belief(probabilities, state, look)
            heading += "; line: what is believed"
        title(probabilities, heading, look)
        draw_utilities(utilities, dict(drawn[:MOST]), theme=look)
        _held(utilities, state, look)
        really = "; green: really" if result.is_miscalibrated else ""
        title(utilities, f"What every cut is worth{really}", look)
        draw_thresholds(cuts, result.decisions, theme=look)
        title(cuts, "Where each metric cuts", look)
        _outcomes(outcomes, state, look)
        title(outcomes, "What may happen at this cut", look)
    return figure


def _belief(ax: Axes, state: DecisionState, theme: Theme) -> None:
    prob = state.result.believed.prob
    at = np.unique(np.linspace(0, prob.size - 1, min(prob.size, 800)).astype(np.int64))
    ax.plot(at + 0.5, prob[at], color=theme.colour("ranking"), linewidth=stroke(theme, 0.8))


def _held(ax: Axes, state: DecisionState, theme: Theme) -> None:
    result = state.result
    if result.is_miscalibrated:
        ax.plot(
            np.arange(result.paid.size),
            result.paid,
            color=theme.colour("hull"),
            linewidth=stroke(theme),
            zorder=3,
        )
        low = min(ax.get_ylim()[0], float(result.paid.min()))
        ax.set_ylim(low, max(ax.get_ylim()[1], float(result.paid.max())))
    ax.plot(
        [result.k],
        [result.paid[result.k]],
        "o",
        color=theme.colour("held"),
        markersize=handle(theme, 0.8),
        markeredgecolor=theme.colour("paper"),
        clip_on=False,
        zorder=4.5,
    )


def _outcomes(ax: Axes, state: DecisionState, theme: Theme) -> None:
    style_axes(ax, theme)
    ax.set_box_aspect(1)
    result = state.result
    law = result.outcomes
    ax.vlines(law.values, 0, law.chances, color=theme.colour("muted"), linewidth=stroke(theme, 1.8))
    ax.axvline(law.mean, color=theme.colour("held"), linewidth=stroke(theme))
    how = f"{amount(law.n_draws)} outcomes, drawn" if law.n_draws else "all outcomes weighed"
    rows = [(f"mean {utility_text(law.mean)} ± {number(law.std)}", "held-text"), (how, "muted")]
    if result.realised is not None:
        got = float(result.realised[result.k])
        ax.axvline(got, color=theme.colour("positive"), linestyle="--", linewidth=stroke(theme))
        rows.insert(1, (f"on the labels {utility_text(got)}", "positive-text"))
    if law.values[0] >= 0 and law.values[-1] <= 1 and np.ptp(law.values) > 0.25:
        ax.set_xlim(-0.02, 1.02)
    ax.set_ylim(0, 1.35 * float(law.chances.max()))
    for i, (text, thing) in enumerate(rows):
        ax.text(
            0.03,
            0.97 - 0.07 * i * font(theme) / 14,
            text,
            transform=ax.transAxes,
            va="top",
            color=theme.colour(thing),
            fontsize=font(theme),
            weight="bold",
        )
    ax.set(xlabel=result.label, ylabel="probability")
