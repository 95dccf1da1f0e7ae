"""The ROC explorer's result as a matplotlib figure: for files, print and pages without a kernel.

Composes the displays' drawing functions; computes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocviz.displays.calibration.draw_brier import draw_brier
from rocviz.displays.calibration.draw_reliability import draw_reliability
from rocviz.displays.roc.draw_roc import draw_roc, label_roc
from rocviz.displays.roc.draw_scores import draw_scores
from rocviz.widgets.base.still import compose

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocviz.theme import Theme
    from rocviz.widgets.roc.state import ROCState

__all__ = ["draw"]


def draw(state: ROCState, theme: Theme | None = None) -> Figure:
    """Draw what a ROC explorer shows; see :func:`rocviz.widgets.base.still.compose`."""
    draws = {"roc": _roc, "scores": _scores, "reliability": _reliability, "brier": _brier}
    return compose(state, draws, theme)


def _scores(ax: Axes, state: ROCState, theme: Theme) -> None:
    draw_scores(ax, state.result.segments, threshold=state.threshold, theme=theme)


def _reliability(ax: Axes, state: ROCState, theme: Theme) -> None:
    draw_reliability(
        ax,
        state.result.calibrated.segments,
        by=state.reliability_by,
        interval=None,
        theme=theme,
    )


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


def _brier(ax: Axes, state: ROCState, theme: Theme) -> None:
    result = state.result
    draw_brier(
        ax,
        result.calibrated.after,
        prevalence=result.calibrated.segments.prevalence,
        unique=len(result.calibrated.segments) > 0.9 * result.calibrated.segments.n_samples,
        theme=theme,
    )
