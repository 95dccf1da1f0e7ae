"""The lexicographic explorer's result as a matplotlib figure, for files and pages without a kernel.

Draws with the displays' styles; computes nothing.
"""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

from rocviz.displays.base.style import font, resolve_theme, stroke, title
from rocviz.displays.lexicographic.draw_attributes import draw_attributes
from rocviz.displays.lexicographic.draw_lexicographic import Condition, draw_tree
from rocviz.displays.roc.draw_roc import draw_roc
from rocviz.widgets.base.still import frame
from rocviz.widgets.lexicographic.view import curve_rows
from rocviz.widgets.lexicographic.words import (
    ranker_text,
    rankers_heading,
    ratio_kind,
    ratio_text,
)
from rocviz.words import number, shorten

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocviz.theme import Theme
    from rocviz.widgets.lexicographic.state import LexicographicState

__all__ = ["draw"]

ROWS = 14  # attributes there is room for
LOWER = 0.04  # share of the figure by which the upper panels, which have no axes, reach down
SPLIT = 0.33  # right end of the list, as a share of the figure


def draw(state: LexicographicState, theme: Theme | None = None) -> Figure:
    """Draw what a lexicographic explorer shows.

    Parameters
    ----------
    state : LexicographicState
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
        (order, tree), (roc, attributes) = panels
        left, right = order.get_position(), tree.get_position()
        low, high = left.y0 - LOWER, left.height + LOWER
        order.set_position((0.03, low, SPLIT - 0.03, high))
        tree.set_position((SPLIT + 0.03, low, right.x1 - SPLIT - 0.03, high))
        _order(order, state, look)
        data = state.data
        words = [
            Condition(
                data.attributes[j].name,
                *(
                    data.attributes[j].one if value else data.attributes[j].zero
                    for value in (state.preferred[j], 1 - state.preferred[j])
                ),
            )
            for j in state.order
        ]
        levels = result.tree.n_levels
        draw_tree(tree, result.tree, words[:levels], n_ranked=len(words), m=state.m, theme=look)
        title(tree, "The tree, and what the hull joins", look)
        _curves(roc, state, look)
        draw_attributes(attributes, result.order, words, n_named=levels, theme=look)
        title(attributes, "The attributes in ROC space", look)
    return figure


def _order(ax: Axes, state: LexicographicState, theme: Theme) -> None:
    """Write the order as rows; below them, how many rankers were tried."""
    result = state.result
    order = result.order
    ax.set(xlim=(0, 1), ylim=(ROWS + 2.5, -0.5))
    ax.set_axis_off()
    title(ax, "The order", theme)
    listing = [*order.order.tolist(), *order.dropped.tolist()]
    size = font(theme, 0.92)
    for k, j in enumerate(listing[:ROWS]):
        inside = k < len(order)
        thing = theme.colour("text" if inside else "muted")
        words = {"fontsize": size, "va": "center", "color": thing}
        ax.text(0, k, str(k + 1) if inside else "–", weight="bold", **words)
        ax.text(0.09, k, shorten(state.condition(j), 32), **words)
        value = ratio_text(float(order.odds_ratio[k])) if inside else "out"
        ax.text(1, k, value, ha="right", **words)
    more = len(listing) - ROWS
    note = f"{more} more attributes. " if more > 0 else ""
    note += f"At the right: {ratio_kind(result)}s. {rankers_heading(state, result)}."
    lines = fill(note, 46)
    y = min(len(listing), ROWS) - 0.2
    weak = {"fontsize": font(theme, 0.85), "color": theme.colour("muted")}
    ax.text(0, y, lines, va="top", **weak)
    y += 0.75 * (lines.count("\n") + 1) + 0.5
    held = tuple(order.order.tolist()), tuple(order.preferred.tolist())
    for k, ranker in enumerate(result.rankers):
        weight = "bold" if (ranker.order, ranker.chosen) == held else "normal"
        words = {"va": "top", "weight": weight, **weak, "color": theme.colour("text")}
        ax.text(0.09, y + 0.9 * k, ranker_text(state, ranker), **words)
        tried = (ranker.order, ranker.chosen) in result.tried
        ax.text(1, y + 0.9 * k, number(ranker.auc) if tried else "?", ha="right", **words)


def _curves(ax: Axes, state: LexicographicState, theme: Theme) -> None:
    result = state.result
    draw_roc(ax, result.segments, name="this order", label=False, theme=theme)
    for ranking, thing, dash, wide, z in (
        (result.decision_tree, "text", "-", 1.6, 1.6),
        (result.decision_tree, "third", "-", 0.9, 1.7),
        (result.naive_bayes, "second", "-.", 0.8, 3.1),
    ):
        ax.plot(
            ranking.fpr,
            ranking.tpr,
            color=theme.colour(thing),
            linestyle=dash,
            linewidth=stroke(theme, wide),
            zorder=z,
        )
    rows = curve_rows(result)
    for k, (text, thing) in enumerate(reversed(rows)):
        ax.text(
            0.98,
            0.03 + 0.062 * k,
            text,
            ha="right",
            color=theme.colour(thing),
            fontsize=font(theme, 0.95),
            weight="bold",
            zorder=6,
        )
    title(ax, "ROC curves", theme)
