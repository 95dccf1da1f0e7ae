"""The lexicographic explorer's result as a matplotlib figure, for files and pages without a kernel.

Draws with the displays' styles; computes nothing.
"""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

from rocviz.displays.base.style import font, stroke
from rocviz.displays.lexicographic.draw_attributes import draw_attributes
from rocviz.displays.lexicographic.draw_lexicographic import Condition
from rocviz.displays.roc.draw_roc import draw_roc
from rocviz.widgets.base.still import compose
from rocviz.widgets.lexicographic.tree_layout import BRACKET, MIDDLE, STAIR, TreeLayout
from rocviz.widgets.lexicographic.view import curve_rows
from rocviz.words import number, shorten

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
    ax.set_axis_off()
    point = font(theme)
    inside = ax.get_window_extent()
    em = point * ax.figure.dpi / 72
    wide, high = inside.width / em, inside.height / em
    large = state.focus == "tree" or len(state.panels) <= 2
    layout = TreeLayout(state, state.result, is_large=large, room=(wide, high))
    ax.set(xlim=(0, 100), ylim=(high, 0))
    room = high - layout.head - layout.foot

    def write(x: float, y: float, text: str, thing: str, size: float, **look: Any) -> None:
        color = theme.colour(thing)
        ax.text(x, y, text, va="center", fontsize=size * point, color=color, **look)

    for line in layout.lines:
        ax.plot(
            [line.x1, line.x2],
            [layout.head + y / 100 * room for y in (line.y1, line.y2)],
            color=theme.colour(line.thing),
            linewidth=line.width * point,
            solid_capstyle="butt" if line.is_bar else "round",
        )
    for text in layout.texts:
        side = {"start": "left", "end": "right"}[text.anchor]
        y = layout.head + text.y / 100 * room + text.shift * layout.size
        weight = "bold" if text.is_bold else "normal"
        write(text.x, y, text.text, text.thing, layout.size, ha=side, weight=weight)
    bold = {"weight": "bold"}
    for depth, (name, first, _) in enumerate(layout.words):
        x = layout.x(depth)
        said, y = str(depth + 1), 0.5 * STAIR
        if large:
            said = shorten(f"{said}. {name} {first}", int((99 - x) / 100 * wide / 0.68))
            y += depth * STAIR
        write(x, y, said, "held-text", 0.95, **bold)
    y = layout.head - 0.5 * STAIR
    if large:
        write(MIDDLE - 0.8, y, "negatives", "negative-text", 0.95, ha="right", **bold)
        write(MIDDLE + 0.8, y, "positives", "positive-text", 0.95, **bold)
        note = fill(layout.note, int(1.9 * wide), break_on_hyphens=False)
        write(0, high - 0.5 * layout.foot, note, "muted", 0.9)
    write(BRACKET + 2.6, y, "hull", "hull-text", 0.95, **bold)


def _attributes(ax: Axes, state: LexicographicState, theme: Theme) -> None:
    result = state.result
    draw_attributes(ax, result.order, _conditions(state), n_named=result.tree.n_levels, theme=theme)
    ax.collections[-1].set_facecolor(theme.colour("held"))  # the named ones, as on the stage


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
    large = state.focus == "roc" or len(state.panels) <= 2
    step = 0.045 if large else 0.085
    long, edge = (0.075, 0.99) if good else (-0.075, 0.01)
    for k, ((name, ink, auc), (ranking, lines)) in enumerate(
        zip(curve_rows(result), looks, strict=True)
    ):
        y = (0.04 + step * (3 - k)) if good else 0.96 - step * k
        for layer, (thing, dash, wide) in enumerate(lines):
            look = {
                "color": theme.colour(thing),
                "linestyle": dash,
                "linewidth": stroke(theme, wide),
            }
            if k > 1:
                ax.plot(ranking.fpr, ranking.tpr, zorder=(4.5, 1.6)[k - 2] + 0.1 * layer, **look)
            ax.plot([edge - long, edge], [y, y], zorder=6 + 0.1 * layer, **look)
        ax.text(
            edge - long - (0.015 if good else -0.015),
            y,
            f"{name}, AUC {number(auc)}" if large else name,
            ha="right" if good else "left",
            va="center",
            color=theme.colour(ink),
            fontsize=font(theme, 0.95),
            weight="bold",
            zorder=6,
        )
