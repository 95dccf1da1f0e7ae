"""Lay out a lexicographic tree: branches, counts, hull segments and their words.

Leaves run from top to bottom. Places are in per cent of the room for the leaves, sizes in type
sizes, so the same layout is drawn live and saved.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np

from rocviz.widgets.lexicographic.result import LexicographicResult
from rocviz.widgets.lexicographic.words import branch_texts, tree_note
from rocviz.words import number, short_amount

# columns, in per cent of the width
ROOT, LEAVES, MIDDLE, REACH, BRACKET = 1.0, 38.0, 58.0, 7.0, 79.0
LETTER = 0.58  # width of one, in type sizes
MOST = 9  # letters of a count, so many have room
STAIR, NOTE = 1.3, 1.25  # heights of a line of names, and of the words below
#: The smallest type, 10 px at a desk, and the least height of a row of it, large and small.
SMALLEST = {True: (0.72, 0.61), False: (0.84, 0.95)}


@dataclass(frozen=True)
class Line:
    """A line between two places; its width is in type sizes."""

    x1: float
    y1: float
    x2: float
    y2: float
    role: str
    width: float
    is_bar: bool = False


@dataclass(frozen=True)
class Text:
    """Words at a place, moved down by ``shift`` of their own size; ``anchor`` as in SVG."""

    x: float
    y: float
    text: str
    role: str
    anchor: str = "start"
    is_bold: bool = False
    shift: float = 0.0


class TreeLayout:
    """The parts of a tree in a room of some width and height, in type sizes.

    ``is_large`` says whether there is room for names above and words below.
    """

    def __init__(
        self,
        state: Any,
        result: LexicographicResult,
        *,
        is_large: bool,
        room: tuple[float, float],
    ) -> None:
        self.result, self.tree, self.is_large = result, result.tree, is_large
        self.shown = np.flatnonzero(self.tree.pos + self.tree.neg > 0)  # leaves with samples
        #: Of each level: the attribute, its preferred value and the other one.
        self.words = [branch_texts(state, depth) for depth in range(self.tree.n_levels)]
        self.note = tree_note(state) if is_large else ""
        self.wide, high = room
        self.head = STAIR * (self.tree.n_levels + 1) if is_large else STAIR
        self.foot = NOTE * ceil(len(self.note) / (2 * self.wide))
        self.row = (high - self.head - self.foot) / self.shown.size  # height of a leaf
        #: Of the words among the leaves, in type sizes.
        smallest, least = SMALLEST[is_large]
        self.size = float(np.clip(0.92 * self.row, smallest, 0.95))
        self.has_words = self.row >= least
        self.lines: list[Line] = []
        self.texts: list[Text] = []
        for depth in range(self.tree.n_levels):
            self._level(depth)
        self._counts()
        self._hull()

    def x(self, depth: int) -> float:
        """Compute where a level begins."""
        return ROOT + (LEAVES - ROOT) * depth / max(self.tree.n_levels, 1)

    def y(self, at: float) -> float:
        """Compute the place of a leaf among the leaves shown."""
        return 100 * (at + 0.5) / self.shown.size

    def nodes(self, depth: int) -> dict[int, float]:
        """List the nodes of a level that hold samples, and where each stands."""
        node = self.shown >> (self.tree.n_levels - depth)
        return {int(k): float(np.flatnonzero(node == k).mean()) for k in np.unique(node)}

    def _level(self, depth: int) -> None:
        """Place the branches of a level, with what is said of them if there is room."""
        above, below = self.nodes(depth), self.nodes(depth + 1)
        left, right = self.x(depth), self.x(depth + 1)
        name, *sides = self.words[depth]
        gaps = np.diff(sorted(below.values()))
        tall = bool((gaps * self.row >= 2.1).all()) and self.row >= 1.2 and self.is_large
        room = (right - left) / 100 * self.wide / (LETTER * self.size) - 1.5
        full = [f"{name} {side}" for side in sides]
        labels = full if max(map(len, full)) <= room else sides
        written = tall and max(map(len, labels)) <= room
        for side, role, width in ((1, "reference", 0.11), (0, "ranking", 0.18)):
            for child, place in below.items():
                if child % 2 != side:
                    continue
                y = self.y(place)
                self.lines.append(Line(left, self.y(above[child >> 1]), left, y, role, width))
                self.lines.append(Line(left, y, right, y, role, width))
                if written:
                    ink, shift = ("muted", 0.75) if side else ("text", -0.7)
                    self.texts.append(Text(left + 1.2, y, labels[side], ink, shift=shift))

    def _counts(self) -> None:
        pos, neg = self.tree.pos[self.shown], self.tree.neg[self.shown]
        most = max(float(pos.max()), float(neg.max()))
        height = min(0.72 * self.row, 1.5)
        self.lines.append(Line(MIDDLE, 0, MIDDLE, 100, "reference", 0.07))
        for counts, way, role in ((pos, 1, "positive"), (neg, -1, "negative")):
            anchor = "start" if way > 0 else "end"
            for leaf, count in enumerate(counts.tolist()):
                if not count:
                    continue
                y, end = self.y(leaf), MIDDLE + way * REACH * count / most
                self.lines.append(Line(MIDDLE, y, end, y, role, height, is_bar=True))
                if self.has_words:
                    words = short_amount(count, MOST), f"{role}-text"
                    self.texts.append(Text(end + 0.9 * way, y, *words, anchor=anchor))

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
                self.lines.append(Line(x1, y1, x2, y2, "hull", 0.18))
            room = at.size * self.row
            if room < self.size:
                continue
            pos, neg = (float(side[inside].sum()) for side in (tree.pos, tree.neg))
            counts = f"{short_amount(pos, MOST)} of {short_amount(pos + neg, MOST)}"
            long = len(counts) * LETTER * self.size > (97 - BRACKET) / 100 * self.wide
            two = room >= 2.6 * self.size and not long
            x, y, labels = BRACKET + 2.6, (top + bottom) / 2, number(float(probability[inside[0]]))
            shift = -0.62 if two else 0.0
            self.texts.append(Text(x, y, labels, "hull-text", is_bold=True, shift=shift))
            if two:
                self.texts.append(Text(x, y, counts, "muted", shift=0.62))
