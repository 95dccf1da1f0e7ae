"""Names of lines written at one of their ends, apart from each other, with a thread to each.

Knows lines and their names; nothing of what they show.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.text import Text

    from rocviz.displays.base.pen import Pen

Floats = NDArray[np.float64]


def label_ends(pen: Pen, lines: Mapping[str, Any], *, right: bool = True) -> list[Text]:
    """Write names beside lines that end at the same x, in the order of their ends, and return them.

    Makes room for them by moving that limit of the axes, whose other limit is final. Threads on the
    right look like their lines. The first text is the lowest.
    """
    pen.settle()
    ax = pen.ax
    end, side = (-1, 1) if right else (0, -1)
    box, em = ax.get_window_extent(), pen.em
    size = float(np.clip(box.height / (1.5 * (len(lines) + 3) * em), 0.7, 1.0))
    order = sorted(lines, key=lambda name: float(lines[name].get_ydata()[end]))
    start = float(lines[order[0]].get_xdata()[end])
    looks = {"ha": "left" if right else "right", "va": "center_baseline"}
    texts = [pen.text(name, "text", size, transform=ax.transData, **looks) for name in order]
    wide = max(text.get_window_extent().width for text in texts)
    share = min((wide + 3.2 * em) / box.width, 0.6)
    low, high = ax.get_xlim()
    if right:
        ax.set_xlim(low, low + (start - low) / (1 - share))
    else:
        ax.set_xlim(high - (high - start) / (1 - share), high)
    pixel = ax.transData.transform([(start, lines[name].get_ydata()[end]) for name in order])
    places = spread(pixel[:, 1], 1.35 * size * em, (box.y0, box.y1))
    back = ax.transData.inverted()
    for name, text, (x, y), place in zip(order, texts, pixel, places, strict=True):
        text.set_position(back.transform((x + side * 2.4 * em, place)))
        bend = back.transform([(x + side * 2.1 * em, place), (x + side * 0.8 * em, y)])
        thread = pen.line(bend[:, 0], bend[:, 1], "muted", 0.4, label="_leader", zorder=2)
        if right:
            thread.set(
                color=lines[name].get_color(),
                linewidth=lines[name].get_linewidth(),
                path_effects=lines[name].get_path_effects(),
            )
    return texts


def spread(at: Floats, gap: float, inside: tuple[float, float]) -> Floats:
    """Return increasing places at least ``gap`` apart, as near to ``at`` as sweeps make them."""
    places = np.array(at, dtype=float)
    for k in range(1, places.size):
        places[k] = max(places[k], places[k - 1] + gap)
    # the pile rose by pushing upwards only; half of that is given back, within the axes
    places -= (places - at).max() / 2
    places -= max(0.0, places[-1] + gap / 2 - inside[1])
    places += max(0.0, inside[0] + gap / 2 - places[0])
    return places
