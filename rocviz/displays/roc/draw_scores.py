"""Draw how the scores of both classes are spread, as a strip under a diagram.

Takes ranked segments; counts them into bins and draws.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.roc.segments import RankedSegments
from rocviz.core.roc.summary import score_histogram
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.style import unit_ticks
from rocviz.words import amount

Floats = NDArray[np.float64]


def draw_score_strip(
    pen: Pen,
    segments: RankedSegments,
    *,
    name: str | None = None,
    pos_label: Any = None,
    bins: int = 40,
) -> dict[str, Any]:
    """Draw a low histogram: positives upward, negatives downward, each to its own scale.

    The highest bar of each class has its height at the axis, so that few positives among many
    negatives can be seen. Returns the ``"positive"`` and ``"negative"`` bars; heights are shares of
    the highest.
    """
    scale = pen.scale
    counted = score_histogram(segments, bins)
    edges, pos, neg = counted.edges, counted.pos, counted.neg
    width = np.diff(edges)
    made: dict[str, Any] = {}
    named = isinstance(pos_label, str)
    before = "" if name is None else f"{name}: "
    for thing, height, sign in (("positive", pos, 1), ("negative", neg, -1)):
        made[thing] = pen.ax.bar(
            edges[:-1],
            sign * height / height.max(),
            width * 0.9,
            align="edge",
            color=pen.colour(thing),
            linewidth=0,
            zorder=2,
            label=f"_{thing}s",
        )
        n = segments.n_pos if sign > 0 else segments.n_neg
        called = {True: (pos_label, "others"), False: ("positives", "negatives")}[named]
        words = f"{before if sign > 0 else ''}{amount(n)} {called[sign < 0]}"
        looks = {"x": 0.5, "y": 1.66 * sign, "transform": pen.ax.get_yaxis_transform()}
        looks |= {"ha": "center", "va": "top" if sign > 0 else "bottom"}
        pen.text(words, f"{thing}-text", 0.9 * scale, bold=True, **looks)
    pen.level(0, "reference", 0.4, zorder=3)
    pen.ax.set_xlim(edges[0], edges[-1])
    if edges[0] == 0 and edges[-1] == 1:
        unit_ticks(pen.ax.xaxis)
    pen.ax.set_ylim(-1.85, 1.85)
    pen.ax.set_yticks([-1, 1], [amount(float(neg.max())), amount(float(pos.max()))])
    return made
