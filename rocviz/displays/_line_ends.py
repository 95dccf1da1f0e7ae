"""Names of lines written at one of their ends, apart from each other, with a thread to each.

Knows lines and their names; nothing of what they show.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rocviz.displays._draw_ensemble import spread
from rocviz.displays._labels import settle
from rocviz.displays._style import font, stroke

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

    from rocviz.theme import Theme


def label_left_ends(ax: Axes, lines: Mapping[str, Any], theme: Theme) -> list[Text]:
    """Write names to the left of lines that start at the same x, in the order of their starts.

    Makes room for them by moving the left limit of the axes.

    Parameters
    ----------
    ax : matplotlib Axes
        Their right limit is final.
    lines : mapping of str to Line2D
        By name.
    theme : Theme

    Returns
    -------
    list of Text
        From the lowest up.
    """
    settle(ax)
    box, em = ax.get_window_extent(), font(theme) * ax.figure.dpi / 72
    size = font(theme, float(np.clip(box.height / (1.5 * (len(lines) + 3) * em), 0.7, 1.0)))
    order = sorted(lines, key=lambda name: float(lines[name].get_ydata()[0]))
    start = float(lines[order[0]].get_xdata()[0])
    texts = [
        ax.text(0, 0, name, fontsize=size, ha="right", va="center_baseline", zorder=8)
        for name in order
    ]
    wide = max(text.get_window_extent().width for text in texts)
    share = min((wide + 3.2 * em) / box.width, 0.6)
    right = ax.get_xlim()[1]
    ax.set_xlim(right - (right - start) / (1 - share), right)
    pixel = ax.transData.transform([(start, lines[name].get_ydata()[0]) for name in order])
    places = spread(pixel[:, 1], 1.35 * size * ax.figure.dpi / 72, (box.y0, box.y1))
    back = ax.transData.inverted()
    for text, (x, y), place in zip(texts, pixel, places, strict=True):
        x_text, y_text = back.transform((x - 2.4 * em, place))
        text.set(x=x_text, y=y_text, color=theme.colour("text"))
        bend = back.transform([(x - 2.1 * em, place), (x - 0.8 * em, y)])
        ax.plot(
            *bend.T,
            color=theme.colour("muted"),
            linewidth=stroke(theme, 0.4),
            label="_leader",
            zorder=2,
        )
    return texts
