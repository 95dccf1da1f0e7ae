"""Draw the tree of a lexicographic ranker, with counts and hull.

Takes computed results and draws them; computes no number that is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.container import BarContainer
from matplotlib.lines import Line2D
from matplotlib.text import Text

from rocviz.core.lexicographic.tree import LexicographicTree
from rocviz.displays.base.figure import figure_scale, panels
from rocviz.displays.base.labels import text_box
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.style import font
from rocviz.theme import Theme
from rocviz.words import amount, number, shorten

# heights in the tree's axes, in units of one level; leaves hang at 0
_BASE, _REACH = -1.55, 0.85  # middle of the bars and their greatest height
_BRACKET, _LAST = -3.1, -4.2  # of the hull segments, and the lowest line of text
_SMALLEST = 5.5  # points; smaller type is left out


@dataclass(frozen=True)
class Condition:
    """One attribute in words: its name, and what is said of the preferred and the other value."""

    name: str
    preferred: str
    other: str


@dataclass(frozen=True)
class TreeArtists:
    """What :func:`draw_tree` put on the axes."""

    edges: LineCollection
    positives: BarContainer
    negatives: BarContainer
    hull: list[Line2D]


def three_panels(theme: Theme, n_levels: int) -> list[Axes]:
    """Make a wide axes above two square ones, on a new pyplot figure."""
    scale, em = figure_scale(theme), font(theme) / 72
    square, tall = 5.3 * scale, (0.25 + n_levels - _LAST) * 3.2 * em
    return panels(
        theme,
        "AA;BC",
        11.2 * scale,
        tall + square,
        top=1.0,
        ratios=(None, (tall, square)),
        hspace=0.12,
        wspace=0.22,
    )


# ---------------------------------------------------------------------- the tree


def draw_tree(
    pen: Pen, tree: LexicographicTree, words: Sequence[Condition], *, n_ranked: int, m: float
) -> TreeArtists:
    """Draw the levels of the tree, the counts of its leaves, and its hull segments below.

    ``words`` are the conditions at each level; of the ``n_ranked`` attributes those below the tree
    are only counted. ``m`` is that of the m-estimate of the probabilities.
    """
    pen.frame()
    pen.ax.set_axis_off()
    pen.settle()
    scale = pen.scale
    levels, leaves = tree.n_levels, tree.pos.size
    margin = _write_margin(pen, tree, words, n_ranked, scale)
    inside = pen.ax.get_window_extent()
    leaf = (inside.width - margin) / leaves  # pixels
    pen.ax.set_xlim(-margin / leaf, leaves)
    pen.ax.set_ylim(_LAST, levels + 0.25)
    point = pen.ax.figure.dpi / 72
    edges = _edges(pen, levels)
    for depth in range(levels):
        _write_branches(pen, words[depth], depth, levels, leaf, scale)
    bars = _bars(pen, tree, leaf, min(pen.font(0.85 * scale), 0.62 * leaf / point))
    hull = _brackets(pen, tree, m, leaf, scale)
    return TreeArtists(edges, *bars, hull)


def _write_margin(
    pen: Pen, tree: LexicographicTree, words: Sequence[Condition], n_ranked: int, scale: float
) -> float:
    """Say at the left what each row is; return how many pixels that takes."""
    rows: list[tuple[float, str, str]] = []
    for depth, each in enumerate(words):
        middle = tree.n_levels - depth - 0.5
        rows.append((middle + 0.14, shorten(each.name, 22), "text"))
        rows.append((middle - 0.24, f"{shorten(each.preferred, 24)} first", "muted"))
    rows += [
        (_BASE + 0.5 * _REACH, "positives", "positive-text"),
        (_BASE - 0.5 * _REACH, "negatives", "negative-text"),
        (_BRACKET, "convex hull", "hull-text"),
        (_BRACKET - 0.4, "its probabilities", "muted"),
    ]
    if n_ranked > tree.n_levels:
        rows.append((_BRACKET - 0.78, f"first {tree.n_levels} of {n_ranked} attributes", "muted"))
    looks = {"x": 0, "va": "center", "ha": "left", "transform": pen.ax.get_yaxis_transform()}
    made = []
    for y, text, thing in rows:
        size, bold = (0.85 * scale, False) if thing == "muted" else (scale, True)
        made.append(pen.text(text, thing, size, bold=bold, y=y, **looks))
    widest = max(float(np.diff(text_box(text)[[0, 2]])[0]) for text in made)
    return widest + 0.8 * pen.em


def _edges(pen: Pen, levels: int) -> LineCollection:
    """Draw branches; those to the preferred value are dark."""
    lines, first = [], []
    for depth in range(levels):
        span = 2 ** (levels - depth)
        for node in range(2**depth):
            x, y = (node + 0.5) * span, levels - depth
            for side in (0, 1):
                lines.append([(x, y), (x + (side - 0.5) * span / 2, y - 1)])
                first.append(side == 0)
    edges = LineCollection(
        lines,
        colors=[pen.colour("ranking" if one else "reference") for one in first],
        linewidths=[pen.stroke(0.8 if one else 0.55) for one in first],
        capstyle="round",
        zorder=2,
        label="_branches",
    )
    pen.ax.add_collection(edges, autolim=False)
    return edges


def _write_branches(
    pen: Pen, words: Condition, depth: int, levels: int, leaf: float, scale: float
) -> None:
    """Write the values along the branches of one level, if they have room."""
    span = 2 ** (levels - depth)
    made = []
    for node in range(2**depth):
        for side, text in ((0, words.preferred), (1, words.other)):
            x = (node + 0.5 + (side - 0.5) * 0.25) * span
            looks = {"x": x, "y": levels - depth - 0.46, "transform": pen.ax.transData}
            looks |= {"ha": "right" if side == 0 else "left", "va": "bottom"}
            made.append(pen.text(text, "muted" if side else "text", 0.85 * scale, **looks))
    widest = max(float(np.diff(text_box(text)[[0, 2]])[0]) for text in made)
    if widest > 0.34 * span * leaf:
        for text in made:
            text.remove()


def _bars(
    pen: Pen, tree: LexicographicTree, leaf: float, size: float
) -> tuple[BarContainer, BarContainer]:
    """Draw positives up and negatives down from one line, with their counts."""
    most = max(float(tree.pos.max()), float(tree.neg.max()))
    x = np.arange(tree.pos.size) + 0.5
    width = min(0.6, 46 * pen.ax.figure.dpi / 96 / leaf)
    made = []
    for counts, way, thing in ((tree.pos, 1, "positive"), (tree.neg, -1, "negative")):
        height = way * _REACH * counts / most
        bars = pen.ax.bar(
            x, height, width, bottom=_BASE, color=pen.colour(thing), zorder=2.5, linewidth=0
        )
        bars.set_label(f"_{thing}s")
        made.append(bars)
        longest = max(len(amount(count)) for count in counts)
        fitting = min(size, 1.5 * leaf / (pen.ax.figure.dpi / 72) / longest)
        if fitting < _SMALLEST:
            continue
        for centre, end, count in zip(x, height, counts, strict=True):
            if count:
                looks = {"x": centre, "y": _BASE + end + 0.06 * way, "fontsize": fitting}
                looks |= {"ha": "center", "va": "bottom" if way > 0 else "top"}
                pen.text(amount(count), f"{thing}-text", transform=pen.ax.transData, **looks)
    ends = [0, tree.pos.size], [_BASE, _BASE]
    pen.line(*ends, "reference", 0.4, solid_capstyle="butt", zorder=2.6, label="_base")
    return made[0], made[1]


def _brackets(
    pen: Pen, tree: LexicographicTree, m: float, leaf: float, scale: float
) -> list[Line2D]:
    """Draw one bracket per hull segment, its probability and its counts below."""
    probability = tree.probability(m)
    made: list[Line2D] = []
    for segment in range(int(tree.hull_segment[-1]) + 1):
        inside = np.flatnonzero(tree.hull_segment == segment)
        left, right = inside[0] + 0.12, inside[-1] + 0.88
        line = pen.line(
            [left, left, right, right],
            [_BRACKET + 0.18, _BRACKET, _BRACKET, _BRACKET + 0.18],
            "hull",
            0.85,
            solid_capstyle="round",
            solid_joinstyle="round",
            label="_hull segment",
            zorder=3,
        )
        made.append(line)
        value = float(probability[inside[0]])
        room = (right - left + 0.1) * leaf
        captions = [
            (
                -0.2,
                [number(value), number(value, 2), number(value, 2).removeprefix("0")],
                "hull-text",
                1.0,
            )
        ]
        pos, neg = (side[inside] for side in (tree.pos, tree.neg))
        if np.count_nonzero(pos + neg) > 1:  # else the leaf says it
            captions.append((-0.66, [f"{amount(pos.sum())} + {amount(neg.sum())}"], "muted", 0.85))
        for shift, versions, thing, size in captions:
            looks = {"x": (left + right) / 2, "y": _BRACKET + shift, "ha": "center", "va": "top"}
            looks |= {"transform": pen.ax.transData, "bold": thing == "hull-text"}
            _fit(pen.text(versions[0], thing, scale * size, **looks), versions, room)
    return made


def _fit(text: Text, versions: Sequence[str], room: float) -> None:
    """Write the longest version that has room, in pixels; smaller if none has, or not at all."""
    for words in versions:
        text.set_text(words)
        wide = float(np.diff(text_box(text)[[0, 2]])[0])
        if wide <= room:
            return
    text.set_fontsize(text.get_fontsize() * room / wide)
    if text.get_fontsize() < _SMALLEST:
        text.remove()
