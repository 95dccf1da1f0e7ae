"""The ROC explorer's result as a matplotlib figure: for files, print and pages without a kernel.

Composes the displays' drawing functions; computes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocviz.displays.base.style import font, resolve_theme, title
from rocviz.displays.calibration.draw_brier import draw_brier
from rocviz.displays.calibration.draw_reliability import draw_reliability
from rocviz.displays.roc.draw_roc import draw_roc, label_roc
from rocviz.displays.roc.draw_scores import draw_scores
from rocviz.widgets.base.still import frame
from rocviz.words import amount, number, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocviz.theme import Theme
    from rocviz.widgets.roc.state import ROCState

__all__ = ["draw"]


def draw(state: ROCState, theme: Theme | None = None) -> Figure:
    """Draw what a ROC explorer shows.

    Parameters
    ----------
    state : ROCState
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
        (scores, roc), (reliability, brier) = panels
        _scores(scores, state, look)
        _roc(roc, state, look)
        draw_reliability(
            reliability,
            state.result.calibrated.segments,
            by=state.reliability_by,
            interval=None,
            theme=look,
        )
        title(reliability, "What it says, what happens", look)
        _brier(brier, state, look)
    return figure


def _scores(ax: Axes, state: ROCState, theme: Theme) -> None:
    draw_scores(ax, state.result.segments, threshold=state.threshold, theme=theme)
    ax.set_box_aspect(1)
    title(ax, "Scores", theme)


def _roc(ax: Axes, state: ROCState, theme: Theme) -> None:
    result = state.result
    draw_roc(
        ax,
        result.segments,
        name=result.model if result.others else None,
        hull=state.show_hull,
        band=result.band,
        optimum=result.optimum,
        isometric=result.optimum_line,
        held=result.table,
        held_isometric=None if state.metric == "none" else result.isometric,
        label=not result.others,
        theme=theme,
    )
    for name, curve, _test in result.others:
        draw_roc(ax, curve.segments, name=name, hull=False, label=False, theme=theme)
    if result.others:
        label_roc(ax, theme=theme)
    title(ax, "ROC curve", theme)


def _brier(ax: Axes, state: ROCState, theme: Theme) -> None:
    result = state.result
    table, deployed = result.table, result.deployed
    ax.set_axis_off()
    upper = ax.inset_axes((0.0, 0.42, 1.0, 0.58))
    draw_brier(
        upper,
        result.calibrated.after,
        prevalence=result.calibrated.segments.prevalence,
        unique=len(result.calibrated.segments) > 0.9 * result.calibrated.segments.n_samples,
        theme=theme,
    )
    title(upper, f"Brier score {number(result.calibrated.after.brier)}", theme)
    lines = [
        f"At threshold {number(state.threshold)}:",
        f"{amount(table.tp)} of {amount(table.n_pos)} positives found ({percent(table.tpr)}), "
        f"{amount(table.fn)} missed",
        f"{amount(table.fp)} of {amount(table.n_neg)} negatives raise a false alarm "
        f"({percent(table.fpr)})",
        f"Of 1000 where {percent(state.deployment_prevalence)} are positive:",
        f"{deployed.tp:.0f} found, {deployed.fn:.0f} missed, {deployed.fp:.0f} false alarms",
        f"{percent(deployed.precision)} of those called positive are",
    ]
    for i, (line, thing) in enumerate(
        zip(
            lines,
            ("text", "positive-text", "negative-text", "text", "muted", "muted"),
            strict=True,
        )
    ):
        ax.text(
            0.0,
            0.3 - 0.06 * i * theme.font / 14,
            line,
            transform=ax.transAxes,
            va="top",
            fontsize=font(theme),
            color=theme.colour(thing),
            weight="bold" if thing == "text" else "normal",
        )
