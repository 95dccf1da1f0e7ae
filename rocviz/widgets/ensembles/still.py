"""The ensemble explorer's tables in matplotlib, for files and pages without a kernel."""

from __future__ import annotations

from dataclasses import replace

from matplotlib.axes import Axes

from rocviz.core.ensembles.rank_ensemble import RankEnsemble
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.style import font
from rocviz.displays.ensembles.draw_ensemble import (
    draw_contributions,
    draw_correlation,
)
from rocviz.theme import Theme
from rocviz.widgets.base.panel import Panel
from rocviz.widgets.ensembles.state import EnsembleState
from rocviz.widgets.ensembles.words import item_words
from rocviz.words import signed


def _correlation(panel: Panel, ax: Axes, state: EnsembleState, theme: Theme) -> None:
    box = ax.get_position()
    room = 1.8 * font(theme) / 72 / ax.figure.get_figheight()  # for the numbers under the title
    ax.set_position((box.x0, box.y0, box.width, box.height - room))
    draw_correlation(Pen(ax, theme), _with_numbers(state))
    mean = signed(state.result.crowd.mean_correlation)
    what = "correlation within a class, mean" * panel.is_large
    ax.set_xlabel(f"{what or 'mean correlation'} {mean}")


def _item(panel: Panel, ax: Axes, state: EnsembleState, theme: Theme) -> None:
    result, large = state.result, panel.is_large
    box = ax.get_position()
    room = 0.17 * box.width if large else 0.0  # for the names
    ax.set_position((box.x0 + room, box.y0, box.width - room, box.height))
    draw_contributions(Pen(ax, theme), replace(result.item, ensemble=_with_numbers(state)))
    names = [str(k + 1) for k in result.members]
    if large:
        ranks = (f"{rank:.1f}".removesuffix(".0") for rank in result.item.ranks[0])
        names = [f"{name}, rank {rank}" for name, rank in zip(names, ranks, strict=True)]
    ax.set_yticks(ax.get_yticks(), [*names, "sum"])
    ax.set_xlabel(item_words(state, brief=not large))


def _with_numbers(state: EnsembleState) -> RankEnsemble:
    """Make the crowd, with its members named by their numbers in all pictures."""
    names = tuple(str(k + 1) for k in state.result.members)
    return replace(state.result.crowd, names=names)


STILLS = {"correlation": _correlation, "item": _item}
