"""The lexicographic tree as SVG: leaves from top to bottom, what the hull joins in brackets.

Places are in per cent of the room and sizes in type sizes, so the picture fits any of them.
Draws; computes nothing.
"""

from __future__ import annotations

from html import escape
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from rocviz.widgets.base.panel import HTMLPanel
from rocviz.widgets.base.parts import colour
from rocviz.widgets.lexicographic.words import branch_texts, tree_note
from rocviz.words import amount, rate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocviz.widgets.lexicographic.result import LexicographicResult
    from rocviz.widgets.lexicographic.state import LexicographicState

__all__ = ["TreePanel"]

# columns, in per cent of the width
ROOT, LEAVES, MIDDLE, REACH, BRACKET = 1.0, 38.0, 58.0, 7.0, 79.0
# type sizes that there are at least, in the width and in the height, large and small
ROOM = {True: (30.0, 32.0), False: (19.0, 15.5)}
LETTER = 0.58  # width of one, in type sizes
STAIR, NOTE = 1.3, 1.25  # heights of a line of names, and of the words below
ACROSS = 60  # letters of the words below in a line
SMALLEST = 0.62  # type; smaller words are left out


class TreePanel(HTMLPanel):
    """Branches, counts in both classes, hull segments with LexProb's probabilities."""

    def html(self, state: LexicographicState, result: LexicographicResult) -> str:
        """Return the body."""
        return _Drawing(state, result, is_large=self.is_large).html()


class _Drawing:
    def __init__(
        self, state: LexicographicState, result: LexicographicResult, *, is_large: bool
    ) -> None:
        self.state, self.result, self.tree = state, result, result.tree
        self.is_large = is_large
        self.shown = np.flatnonzero(self.tree.pos + self.tree.neg > 0)  # leaves with samples
        self.words = [branch_texts(state, depth) for depth in range(self.tree.n_levels)]
        self.wide, high = ROOM[is_large]
        self.head = STAIR * (self.tree.n_levels + 1) if is_large else STAIR
        self.note = tree_note(state) if is_large else ""
        self.foot = NOTE * ceil(len(self.note) / ACROSS)
        self.row = (high - self.head - self.foot) / self.shown.size  # height of a leaf
        self.size = float(np.clip(0.92 * self.row, SMALLEST, 0.95))
        self.has_words = self.row >= 0.98 * SMALLEST if is_large else self.row >= 0.95
        self.parts: list[str] = []

    def html(self) -> str:
        for depth in range(self.tree.n_levels):
            self._level(depth)
        self._counts()
        self._hull()
        used = f"{self.head + self.foot:.2f}em"
        svg = (
            f'<svg class="rocviz-tree" role="img" aria-label="{escape(self._says())}" '
            f'style="display:block;width:100%;height:calc(100cqh - {used})">'
            f"{''.join(self.parts)}</svg>"
        )
        if not self.is_large:
            return self._numbers() + svg
        note = f'<div class="muted" style="font-size:.9em">{escape(self.note)}</div>'
        return self._names() + svg + note

    def _says(self) -> str:
        tree = self.tree
        counts = ", ".join(
            f"{amount(p)} + {amount(n)}" for p, n in zip(tree.pos, tree.neg, strict=True)
        )
        return f"Positives + negatives in the leaves, from the highest rank down: {counts}"

    # ------------------------------------------------------------------ words above

    def _line(self, *words: tuple[float, str, str, str]) -> str:
        """Return a line of words, each at a place across, with a shift and a colour."""
        return (
            f'<div style="position:relative;height:{STAIR}em">'
            + "".join(
                f'<span style="position:absolute;left:{x:.2f}%;white-space:nowrap;{style}" '
                f'title="{escape(text)}">{inner}</span>'
                for x, style, text, inner in words
            )
            + "</div>"
        )

    def _names(self) -> str:
        """Write attributes as stairs: each begins over its branches and may run to the right."""
        cut = "min-width:0;overflow:hidden;text-overflow:ellipsis"
        lines = []
        for depth, (name, first, other) in enumerate(self.words):
            inner = (
                f'<b class="rocviz-held" style="flex:0 1 auto;{cut}">{depth + 1}. {escape(name)}'
                f'</b><b class="rocviz-held" style="flex:none">\u00a0{escape(first)}</b>'
                f'<span class="muted" style="flex:0 99 auto;{cut}">\u00a0up, else down</span>'
            )
            whole = f"{depth + 1}. {name} {first} up, {other} down"
            lines.append(self._line((self.x(depth), "right:0;display:flex", whole, inner)))
        right = "transform:translateX(-100%);font-weight:700"
        heads = self._line(
            (MIDDLE - 0.8, right, "negatives", '<span class="is-negative">negatives</span>'),
            (MIDDLE + 0.8, "", "positives", '<b class="rocviz-positive">positives</b>'),
            (BRACKET + 2.6, "", "convex hull", '<b class="rocviz-hull">hull</b>'),
        )
        return "".join(lines) + heads

    def _numbers(self) -> str:
        return self._line(
            *(
                (self.x(k), "", name, f'<b class="rocviz-held">{k + 1}</b>')
                for k, (name, _, _) in enumerate(self.words)
            ),
            (MIDDLE - 3, "", "negatives left, positives right", '<span class="muted">− +</span>'),
            (BRACKET, "", "hull", '<b class="rocviz-hull">hull</b>'),
        )

    # ------------------------------------------------------------------ marks

    def x(self, depth: int) -> float:
        return ROOT + (LEAVES - ROOT) * depth / max(self.tree.n_levels, 1)

    def y(self, at: float) -> float:
        """Return the place of a leaf, counted among those that are shown."""
        return 100 * (at + 0.5) / self.shown.size

    def nodes(self, depth: int) -> dict[int, float]:
        """Return the nodes of a level that hold samples, and where each stands."""
        node = self.shown >> (self.tree.n_levels - depth)
        return {int(k): float(np.flatnonzero(node == k).mean()) for k in np.unique(node)}

    def line(self, x1: float, y1: float, x2: float, y2: float, thing: str, width: float) -> None:
        # so many type sizes, that lecture mode has larger ones
        self.parts.append(
            f'<line x1="{x1:.2f}%" y1="{y1:.2f}%" x2="{x2:.2f}%" y2="{y2:.2f}%" '
            f'stroke="{colour(thing)}" stroke-width="{width:.2f}em" stroke-linecap="round"/>'
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        thing: str,
        *,
        anchor: str = "start",
        bold: bool = False,
        shift: float = 0.0,
    ) -> None:
        weight = ' font-weight="bold"' if bold else ""
        self.parts.append(
            f'<svg x="{x:.2f}%" y="{y:.2f}%" overflow="visible">'
            f'<text font-size="{self.size:.2f}em" dy="{0.35 + shift:.2f}em" '
            f'text-anchor="{anchor}" fill="{colour(thing)}"{weight}>'
            f"{escape(text)}</text></svg>"
        )

    def _level(self, depth: int) -> None:
        """Draw the branches of a level, with what is said of them if there is room."""
        above, below = self.nodes(depth), self.nodes(depth + 1)
        left, right = self.x(depth), self.x(depth + 1)
        name, *sides = self.words[depth]
        gaps: NDArray[np.float64] = np.diff(sorted(below.values()))
        tall = bool((gaps * self.row >= 2.1).all()) and self.row >= 1.2 and self.is_large
        room = (right - left) / 100 * self.wide / (LETTER * self.size) - 1.5
        full = [f"{name} {side}" for side in sides]
        said = full if max(map(len, full)) <= room else sides
        written = tall and max(map(len, said)) <= room
        for side, thing, width in ((1, "reference", 0.11), (0, "ranking", 0.18)):
            for child, place in below.items():
                if child % 2 != side:
                    continue
                y = self.y(place)
                self.line(left, self.y(above[child >> 1]), left, y, thing, width)
                self.line(left, y, right, y, thing, width)
                if written:
                    ink, shift = ("muted", 0.75) if side else ("text", -0.7)
                    self.text(left + 1.2, y, said[side], ink, shift=shift)

    def _counts(self) -> None:
        pos, neg = self.tree.pos[self.shown], self.tree.neg[self.shown]
        most = max(float(pos.max()), float(neg.max()))
        height = min(0.72 * self.row, 1.5)
        self.line(MIDDLE, 0, MIDDLE, 100, "reference", 0.07)
        for counts, way, thing in ((pos, 1, "positive"), (neg, -1, "negative")):
            for leaf, count in enumerate(counts.tolist()):
                if not count:
                    continue
                y, wide = self.y(leaf), REACH * count / most
                self.parts.append(
                    f'<line x1="{MIDDLE:.2f}%" y1="{y:.2f}%" x2="{MIDDLE + way * wide:.2f}%" '
                    f'y2="{y:.2f}%" stroke="{colour(thing)}" stroke-width="{height:.2f}em"/>'
                )
                if self.has_words:
                    anchor = "start" if way > 0 else "end"
                    end = MIDDLE + way * (wide + 0.9)
                    self.text(end, y, amount(count), f"{thing}-text", anchor=anchor)

    def _hull(self) -> None:
        tree, probability = self.tree, self.result.leaf_probability
        segment_of = tree.hull_segment[self.shown]
        for segment in np.unique(segment_of):
            at = np.flatnonzero(segment_of == segment)
            inside = self.shown[at]
            top, bottom = self.y(at[0] - 0.38), self.y(at[-1] + 0.38)
            for x1, y1, x2, y2 in (
                (BRACKET, top, BRACKET + 1, top),
                (BRACKET + 1, top, BRACKET + 1, bottom),
                (BRACKET, bottom, BRACKET + 1, bottom),
            ):
                self.line(x1, y1, x2, y2, "hull", 0.18)
            room = at.size * self.row
            if room < self.size:
                continue
            pos, neg = (float(side[inside].sum()) for side in (tree.pos, tree.neg))
            counts = f"{amount(pos)} of {amount(pos + neg)}"
            long = len(counts) * LETTER * self.size > (97 - BRACKET) / 100 * self.wide
            two = room >= 2.6 * self.size and not long
            middle, said = (top + bottom) / 2, rate(float(probability[inside[0]]))
            shift = -0.62 if two else 0.0
            self.text(BRACKET + 2.6, middle, said, "hull-text", bold=True, shift=shift)
            if two:
                self.text(BRACKET + 2.6, middle, counts, "muted", shift=0.62)
