"""The lexicographic explorer's result as a matplotlib figure, for files and pages without a kernel.

Draws with the displays' styles; computes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocviz.displays.base.style import font, stroke
from rocviz.displays.lexicographic.draw_attributes import draw_attributes
from rocviz.displays.lexicographic.draw_lexicographic import Condition, draw_tree
from rocviz.displays.roc.draw_roc import draw_roc
from rocviz.widgets.base.still import compose
from rocviz.widgets.lexicographic.view import curve_rows
from rocviz.words import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rocviz.theme import Theme
    from rocviz.widgets.lexicographic.state import LexicographicState

__all__ = ["draw"]


def draw(state: LexicographicState, theme: Theme | None = None) -> Figure:
    """Draw what a lexicographic explorer shows; see :func:`rocviz.widgets.base.still.compose`."""
    return compose(state, {"tree": _tree, "roc": _curves, "attributes": _attributes}, theme)


def _conditions(state: LexicographicState) -> list[Condition]:
    made = []
    for j in state.order:
        attribute = state.data.attributes[j]
        sides = (attribute.zero, attribute.one)
        first = state.preferred[j]
        made.append(Condition(attribute.name, sides[first], sides[1 - first]))
    return made


def _tree(ax: Axes, state: LexicographicState, theme: Theme) -> None:
    tree, words = state.result.tree, _conditions(state)
    draw_tree(ax, tree, words[: tree.n_levels], n_ranked=len(words), m=state.m, theme=theme)


def _attributes(ax: Axes, state: LexicographicState, theme: Theme) -> None:
    result = state.result
    draw_attributes(ax, result.order, _conditions(state), n_named=result.tree.n_levels, theme=theme)


def _curves(ax: Axes, state: LexicographicState, theme: Theme) -> None:
    result = state.result
    draw_roc(ax, result.segments, name="this order", label=False, theme=theme)
    looks = [
        (result.segments, [("ranking", "-", 1.0)]),
        (result.hull, [("hull", "--", 1.0)]),
        (result.naive_bayes, [("second", "-.", 0.8)]),
        (result.decision_tree, [("text", "-", 1.6), ("third", "-", 0.9)]),
    ]
    good = result.segments.auc >= 0.5
    long, edge = (0.075, 0.99) if good else (-0.075, 0.01)
    for k, ((name, ink, auc), (ranking, lines)) in enumerate(
        zip(curve_rows(result), looks, strict=True)
    ):
        y = (0.04 + 0.062 * (3 - k)) if good else 0.96 - 0.062 * k
        for step, (thing, dash, wide) in enumerate(lines):
            look = {
                "color": theme.colour(thing),
                "linestyle": dash,
                "linewidth": stroke(theme, wide),
            }
            if k > 1:
                ax.plot(ranking.fpr, ranking.tpr, zorder=(3.1, 1.6)[k - 2] + 0.1 * step, **look)
            ax.plot([edge - long, edge], [y, y], zorder=6 + 0.1 * step, **look)
        ax.text(
            edge - long - (0.015 if good else -0.015),
            y,
            f"{name}, AUC {number(auc)}",
            ha="right" if good else "left",
            va="center",
            color=theme.colour(ink),
            fontsize=font(theme, 0.95),
            weight="bold",
            zorder=6,
        )
