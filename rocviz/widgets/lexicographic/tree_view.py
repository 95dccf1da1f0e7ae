"""The lexicographic tree as SVG: its layout, with the attributes' names as stairs above it.

Draws; computes nothing.
"""

from __future__ import annotations

from html import escape

from rocviz.widgets.base.panel import HTMLPanel
from rocviz.widgets.base.parts import colour
from rocviz.widgets.lexicographic.result import LexicographicResult
from rocviz.widgets.lexicographic.state import LexicographicState
from rocviz.widgets.lexicographic.tree_layout import BRACKET, MIDDLE, STAIR, Line, Text, TreeLayout
from rocviz.words import amount

# type sizes that there are at least, in the width and in the height, large and small
ROOM = {True: (30.0, 32.0), False: (19.0, 15.5)}


class TreePanel(HTMLPanel):
    """Branches, counts in both classes, hull segments with LexProb's probabilities."""

    def html(self, state: LexicographicState, result: LexicographicResult) -> str:
        """Write the body in HTML."""
        layout = TreeLayout(state, result, is_large=self.is_large, room=ROOM[self.is_large])
        counts = ", ".join(
            f"{amount(p)} + {amount(n)}"
            for p, n in zip(result.tree.pos, result.tree.neg, strict=True)
        )
        label = f"Positives + negatives in the leaves, from the highest rank down: {counts}"
        marks = [_line(line) for line in layout.lines]
        marks += [_text(text, layout.size) for text in layout.texts]
        svg = (
            f'<svg class="rocviz-tree" role="img" aria-label="{escape(label)}" '
            f'style="width:100%;flex:1 1 0;min-height:0">{"".join(marks)}</svg>'
        )
        above, note = _numbers(layout), ""
        if self.is_large:
            above = _names(layout)
            looks = "font-size:.9em;white-space:normal"
            note = f'<div class="muted" style="{looks}">{escape(layout.note)}</div>'
        return f'<div class="rocviz-fill">{above}{svg}{note}</div>'


def _line(line: Line) -> str:
    # its width is in type sizes, so that lecture mode has wider ones
    cap = "" if line.is_bar else ' stroke-linecap="round"'
    return (
        f'<line x1="{line.x1:.2f}%" y1="{line.y1:.2f}%" x2="{line.x2:.2f}%" y2="{line.y2:.2f}%" '
        f'stroke="{colour(line.role)}" stroke-width="{line.width:.2f}em"{cap}/>'
    )


def _text(text: Text, size: float) -> str:
    weight = ' font-weight="bold"' if text.is_bold else ""
    return (
        f'<svg x="{text.x:.2f}%" y="{text.y:.2f}%" overflow="visible">'
        f'<text font-size="{size:.2f}em" dy="{0.35 + text.shift:.2f}em" '
        f'text-anchor="{text.anchor}" fill="{colour(text.role)}"{weight}>'
        f"{escape(text.text)}</text></svg>"
    )


def _row(*words: tuple[float, str, str, str]) -> str:
    """Write a line of words, each with its position, style and title."""
    spans = "".join(
        f'<span style="position:absolute;left:{x:.2f}%;white-space:nowrap;{style}" '
        f'title="{escape(title)}">{inner}</span>'
        for x, style, title, inner in words
    )
    return f'<div style="position:relative;height:{STAIR}em">{spans}</div>'


def _names(layout: TreeLayout) -> str:
    """Write attributes as stairs: each begins over its branches and may run to the right."""
    # What has no room to the right begins further left; "up, else down" goes first, as a second
    # line that is not seen.
    box = "left:0;right:0;height:100%;display:flex;flex-wrap:wrap;overflow:hidden"
    cut = "min-width:0;overflow:hidden;text-overflow:ellipsis"
    rows = []
    for depth, (name, first, other) in enumerate(layout.words):
        inner = (
            '<span style="display:flex;max-width:100%">'
            f'<i style="flex:0 9999 auto;width:{layout.x(depth):.2f}cqw"></i>'
            f'<b class="rocviz-held" style="flex:0 1 auto;{cut}">{depth + 1}. {escape(name)}'
            f'</b><b class="rocviz-held" style="flex:none">\u00a0{escape(first)}</b></span>'
            '<span class="muted">\u00a0up, else down</span>'
        )
        whole = f"{depth + 1}. {name} {first} up, {other} down"
        rows.append(_row((0.0, box, whole, inner)))
    small = "font-size:min(1em,4cqw);"
    right = f"{small}transform:translateX(-100%);font-weight:700"
    heads = _row(
        (MIDDLE - 0.8, right, "negatives", '<span class="is-negative">negatives</span>'),
        (MIDDLE + 0.8, small, "positives", '<b class="rocviz-positive">positives</b>'),
        (BRACKET + 2.6, small, "convex hull", '<b class="rocviz-hull">hull</b>'),
    )
    return "".join(rows) + heads


def _numbers(layout: TreeLayout) -> str:
    """Write the attributes' numbers, as in the rail."""
    return _row(
        *(
            (layout.x(k), "", name, f'<b class="rocviz-held">{k + 1}</b>')
            for k, (name, _, _) in enumerate(layout.words)
        ),
        (MIDDLE - 3, "", "negatives left, positives right", '<span class="muted">− +</span>'),
        (BRACKET, "", "convex hull", '<b class="rocviz-hull">hull</b>'),
    )
