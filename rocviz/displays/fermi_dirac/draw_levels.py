"""Draw the levels of a ranking as dots below a diagram: filled where a positive stands.

Takes ranked segments and draws them; computes no number that is shown.
"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from rocviz.core.fermi_dirac.rank_levels import rank_labels
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.base.figure import strip_below
from rocviz.displays.base.pen import Pen
from rocviz.words import amount

_ROWS = 5  # of dots under the curve, where one row has no room for them
_DOT = 5.5  # points that a dot needs from its neighbour


def draw_levels(pen: Pen, segments: RankedSegments) -> Axes:
    """Draw every rank as a dot below, filled where a positive stands; thin out what is too many.

    The axes with the ranks along x give up some height for those of the dots, which are returned.
    Weights are whole.
    """
    labels = rank_labels(segments)
    n = labels.size
    below = strip_below(pen)
    strip, points = below.ax, below.size[0]
    columns = max(int(points / _DOT), 1)
    room = columns if n <= columns else _ROWS * columns
    every = -(-n // room)
    shown = np.arange((every - 1) // 2, n, every)
    rows = -(-shown.size // columns)
    label = labels[shown]
    y = -(np.arange(shown.size) % rows) if rows > 1 else np.zeros(shown.size)
    x = shown + 1.0
    if rows > 1:
        # one column stands for a few ranks: all its dots at their middle
        column = np.arange(shown.size) // rows
        x = np.array([x[column == c].mean() for c in range(column[-1] + 1)])[column]
    size = min(points / max(shown.size / rows, 1) * 0.72, pen.font(0.8))
    look = {"s": size**2, "clip_on": False, "zorder": 3}
    rim = {**look, "edgecolor": pen.colour("negative"), "linewidth": max(size * 0.16, 0.5)}
    rim |= {"s": (size * 0.84) ** 2, "facecolor": "none", "label": "_negatives"}
    strip.scatter(x[~label], y[~label], **rim)
    filled = {**look, "facecolor": pen.colour("positive"), "label": "_positives"}
    strip.scatter(x[label], y[label], linewidth=0, **filled)
    strip.set_ylim(-(rows - 1) - 1.1, 1.1)
    strip.set_yticks([])
    strip.grid(False)
    strip.spines["left"].set_visible(False)
    label_text = strip.set_xlabel("rank (1 is the most positive)")
    if every > 1:
        thinned = f"a dot for every {_ordinal(every)}"
        strip.set_xlabel(f"{label_text.get_text()}; {thinned} rank")
        label_text.set_size(pen.font())
        if label_text.get_window_extent().width > strip.get_window_extent().width:
            strip.set_xlabel(f"rank; {thinned}")
    ticks = [t for t in strip.get_xticks() if 1 <= t <= n]
    ticks = sorted({1, *(int(t) for t in ticks if t - 1 > 0.06 * n and t == int(t))})
    strip.set_xticks(ticks, [amount(t) for t in ticks])
    pen.ax.tick_params(labelbottom=False)
    return strip


def _ordinal(k: int) -> str:
    ending = "th" if 10 < k % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(k % 10, "th")
    return f"{amount(k)}{ending}"
