"""An explorer's picture without a browser: its sentence over the pictures it shows.

The large picture stands at the left, small ones in a column beside it, as on the stage. Knows
matplotlib and panels; how a panel of HTML is drawn comes from each explorer.
"""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from rocviz.displays.base.style import font, rc, resolve_theme, title
from rocviz.widgets.base.mirror import mirror

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from matplotlib.axes import Axes

    from rocviz.theme import Theme
    from rocviz.widgets.base.panel import Panel
    from rocviz.widgets.base.state import ExplorerState

    Draw = Callable[[Any, Axes, Any, Theme], object]

__all__ = ["compose"]


def compose(
    state: ExplorerState,
    drawn: Mapping[str, Panel],
    draws: Mapping[str, Draw],
    theme: Theme | None,
) -> Figure:
    """Draw the panels of a state as it stands.

    Parameters
    ----------
    state : ExplorerState
        Its ``panels`` are drawn, the one in ``focus`` large.
    drawn : mapping of str to Panel
        Every picture as it is on the screen.
    draws : mapping of str to callable
        ``draw(panel, ax, state, theme)`` for those that are not drawn by :func:`.mirror`; titles
        are set here.
    theme : Theme, optional
        By default the one in force; undecided colours are light.

    Returns
    -------
    matplotlib.figure.Figure
        Of no window and no global state.
    """
    look = resolve_theme(theme)
    grow = 0.4 + 0.6 * look.font / 14
    count = len(state.panels)
    small = [name for name in state.panels if name != state.focus]
    wide = (7.2, 12.6)[count > 1] * grow
    high = (7.6, 7.1, 9.4)[min(count, 3) - 1] * grow
    with mpl.rc_context(rc(look)):
        figure = Figure(figsize=(wide, high), facecolor=look.colour("paper"))
        FigureCanvasAgg(figure)
        size = font(look, 1.3)
        lines = fill(state.sentence, int(0.94 * wide * 72 / (0.53 * size)))
        figure.text(
            0.03, 1 - 0.15 / high, lines, va="top", fontsize=size, color=look.colour("text")
        )
        top = 1 - (0.3 + 1.4 * size * (lines.count("\n") + 1) / 72 + 2.6 * font(look) / 72) / high
        edges = {"left": 0.9 * grow / wide, "right": 1 - 0.35 * grow / wide}
        edges |= {"top": top, "bottom": 0.75 * grow / high}
        if count <= 2:
            axes = figure.subplots(1, count, squeeze=False, gridspec_kw={**edges, "wspace": 0.2})[0]
            placed = dict(zip(state.panels, axes, strict=True))
        else:
            grid = figure.add_gridspec(
                len(small), 2, width_ratios=(1.75, 1), wspace=0.16, hspace=0.55, **edges
            )
            placed = {state.focus: figure.add_subplot(grid[:, 0])}
            placed |= {name: figure.add_subplot(grid[i, 1]) for i, name in enumerate(small)}
        for name, ax in placed.items():
            draws.get(name, mirror)(drawn[name], ax, state, look)
            title(ax, state.title(name), look)
    return figure
