"""The lexicographic tree as SVG: leaves from top to bottom, what the hull joins in brackets.

Places are in per cent across and in type sizes down, so the picture fits any width and type.
Draws; computes nothing.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import ipywidgets
import numpy as np

from rocviz.theme import get_theme
from rocviz.widgets.base.parts import colour, control
from rocviz.widgets.lexicographic.words import tree_note
from rocviz.words import amount, rate

if TYPE_CHECKING:
    from rocviz.core.lexicographic.tree import LexicographicTree
    from rocviz.widgets.lexicographic.state import LexicographicResult, LexicographicState

__all__ = ["TreePanel"]

# columns, in per cent of the width
ROOT, LEAVES, MIDDLE, REACH, BRACKET = 1.0, 44.0, 63.5, 8.5, 85.0
NARROW = 27.0  # type sizes that there are at least in the width
LETTER = 0.6  # width of one, in type sizes
LONGEST = 9  # letters beside a bracket
HEAD = 2.6  # height of the heading row


class TreePanel:
    """Branches, counts in both classes, hull segments with LexProb's probabilities."""

    def __init__(self) -> None:
        self.picture, self.note = ipywidgets.HTML(), ipywidgets.HTML()
        heading = ipywidgets.HTML('<h3 class="flush">The tree, and what the hull joins</h3>')
        self.box = control(ipywidgets.VBox([heading, self.picture, self.note]), "rocviz-panel")

    def draw(self, state: LexicographicState, result: LexicographicResult) -> None:
        """Show a result."""
        self.picture.value = _Drawing(state, result.tree).svg()
        self.note.value = f'<div class="rocviz-legend muted">{tree_note(result)}</div>'


class _Drawing:
    def __init__(self, state: LexicographicState, tree: LexicographicTree) -> None:
        self.state, self.tree = state, tree
        self.leaves = int(tree.pos.size)
        self.row = float(np.clip(26.0 / self.leaves, 1.12, 4.0))  # height of a leaf
        self.size = 0.8 if self.row < 1.5 else 0.95
        self.parts: list[str] = []

    def y(self, leaf: float) -> float:
        return HEAD + (leaf + 0.5) * self.row

    def x(self, depth: int) -> float:
        return ROOT + (LEAVES - ROOT) * depth / max(self.tree.n_levels, 1)

    def line(self, x1: float, y1: float, x2: float, y2: float, thing: str, width: float) -> None:
        stroke = width * get_theme().stroke / 2.5
        self.parts.append(
            f'<line x1="{x1:.2f}%" y1="{y1:.2f}em" x2="{x2:.2f}%" y2="{y2:.2f}em" '
            f'stroke="{colour(thing)}" stroke-width="{stroke:g}" stroke-linecap="round"/>'
        )

    def text(
        self, x: float, y: float, text: str, thing: str, anchor: str = "start", bold: bool = False
    ) -> None:
        # places are in the type of the whole; the words' own size must not move them
        weight = ' font-weight="bold"' if bold else ""
        self.parts.append(
            f'<svg x="{x:.2f}%" y="{y:.2f}em" overflow="visible"><text font-size="{self.size}em" '
            f'dy=".35em" text-anchor="{anchor}" fill="{colour(thing)}"{weight}>'
            f"{escape(text)}</text></svg>"
        )

    def svg(self) -> str:
        for depth in range(self.tree.n_levels):
            self._level(depth)
        self._heads()
        self._counts()
        self._hull()
        height = HEAD + self.leaves * self.row + 0.4
        return (
            f'<svg class="rocviz-tree" role="img" aria-label="{escape(self._says())}" '
            f'width="100%" height="{height:.2f}em">{"".join(self.parts)}</svg>'
        )

    def _says(self) -> str:
        tree = self.tree
        counts = ", ".join(
            f"{amount(p)} + {amount(n)}" for p, n in zip(tree.pos, tree.neg, strict=True)
        )
        return f"Positives + negatives in the leaves, from the highest rank down: {counts}"

    def _level(self, depth: int) -> None:
        """Draw the branches of a level, with what is said of them if there is room."""
        span = self.leaves / 2**depth
        left, right = self.x(depth), self.x(depth + 1)
        column = int(self.tree.order[depth])
        attribute = self.state.data.attributes[column]
        sides = (attribute.one, attribute.zero)
        if not self.tree.preferred[depth]:
            sides = sides[::-1]
        room = (right - left) / 100 * NARROW / (LETTER * self.size)
        written = max(map(len, sides)) + 1 <= room and span * self.row / 2 >= 2.1
        for node in range(2**depth):
            middle = (node + 0.5) * span - 0.5
            for side, thing, width in ((1, "reference", 1.5), (0, "ranking", 2.5)):
                y = self.y(middle + (side - 0.5) * span / 2)
                self.line(left, self.y(middle), left, y, thing, width)
                self.line(left, y, right, y, thing, width)
                if written:
                    thing = "muted" if side else "text"
                    shift = 0.65 if side else -0.6
                    self.text(left + 1.2, y + shift, sides[side], thing)

    def _heads(self) -> None:
        levels = self.tree.n_levels
        room = (LEAVES - ROOT) / 100 / max(levels, 1) * NARROW / (LETTER * 1.1 * self.size)
        for depth in range(levels):
            name = self.state.data.attributes[int(self.tree.order[depth])].name
            full = f"{depth + 1}  {name}"
            short = full if len(full) <= room else str(depth + 1)
            self.text(self.x(depth), 0.7, short, "held-text", bold=True)
        self.text(MIDDLE - 0.8, 0.7, "negatives", "negative-text", "end", bold=True)
        self.text(MIDDLE + 0.8, 0.7, "positives", "positive-text", bold=True)
        self.text(BRACKET, 0.7, "hull", "hull-text", bold=True)

    def _counts(self) -> None:
        tree = self.tree
        most = max(float(tree.pos.max()), float(tree.neg.max()), 1e-300)
        height = min(0.72 * self.row, 1.5)
        self.line(MIDDLE, HEAD, MIDDLE, HEAD + self.leaves * self.row, "reference", 1.0)
        for leaf in range(self.leaves):
            y = self.y(leaf)
            for counts, way, thing in ((tree.pos, 1, "positive"), (tree.neg, -1, "negative")):
                count = float(counts[leaf])
                if not count:
                    continue
                wide = REACH * count / most
                left = MIDDLE if way > 0 else MIDDLE - wide
                self.parts.append(
                    f'<rect x="{left:.2f}%" y="{y - height / 2:.2f}em" width="{wide:.2f}%" '
                    f'height="{height:.2f}em" fill="{colour(thing)}"/>'
                )
                anchor = "start" if way > 0 else "end"
                end = MIDDLE + way * (wide + 0.9)
                self.text(end, y, amount(count), f"{thing}-text", anchor)

    def _hull(self) -> None:
        tree, probability = self.tree, self.tree.probability(self.state.m)
        for segment in range(int(tree.hull_segment[-1]) + 1):
            inside = np.flatnonzero(tree.hull_segment == segment)
            top, bottom = (self.y(leaf) for leaf in (inside[0] - 0.38, inside[-1] + 0.38))
            self.line(BRACKET, top, BRACKET + 1, top, "hull", 2.5)
            self.line(BRACKET + 1, top, BRACKET + 1, bottom, "hull", 2.5)
            self.line(BRACKET, bottom, BRACKET + 1, bottom, "hull", 2.5)
            middle = (top + bottom) / 2
            pos, neg = (amount(float(side[inside].sum())) for side in (tree.pos, tree.neg))
            counts = f"{pos}\u2009+\u2009{neg}"
            two = bottom - top >= 2.4 and inside.size > 1 and len(counts) <= LONGEST
            said = rate(float(probability[inside[0]]))
            self.text(BRACKET + 2.2, middle - (0.6 if two else 0), said, "hull-text", bold=True)
            if two:
                self.text(BRACKET + 2.2, middle + 0.6, counts, "muted")
