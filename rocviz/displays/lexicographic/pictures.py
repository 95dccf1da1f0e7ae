"""Pictures of lexicographic rankers as values: the tree, ROC curves, attributes in ROC space.

They are shared by the display and the explorer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.lexicographic.lexicographic import LexicographicOrder
from rocviz.core.lexicographic.tree import LexicographicTree
from rocviz.core.roc.isometrics import isometric_through
from rocviz.core.roc.segments import RankedSegments
from rocviz.pictures import (
    LETTER_WIDTH,
    NO_POINTS,
    ROW_HEIGHT,
    Areas,
    Axis,
    Dots,
    Entry,
    Handle,
    Labels,
    Legend,
    Line,
    Mark,
    People,
    Picture,
    PointLabel,
    boxes,
    diagonal,
    read_out,
    sheet,
    words,
)
from rocviz.words import (
    UNNAMED,
    ClassNames,
    amount,
    letters,
    number,
    ratio_text,
    short_amount,
    shorten,
)

MAX_CLASS_LETTERS = 9  # of the name of a class above its bars
MAX_VERTICES = 160  # of a curve, and attributes
AXES = Axis("false positive rate"), Axis("true positive rate")

# ---------------------------------------------------------------------- the tree

# columns of the tree, in per cent of the width
ROOT_X = 1.0
READINGS_ABREAST = 5  # places in the row of a leaf at which it is read out
LEAVES_X = 38.0
MIDDLE_X = 58.0
BAR_REACH = 7.0
BRACKET_X = 79.0
# the same where each sample is a dot
LEAVES_X_OF_DOTS = 30.0
MIDDLE_X_OF_DOTS = 56.0
DOTS_REACH = 21.0
MAX_DOTS = 300  # samples that are drawn one by one
MAX_DOTS_OF_LEAF = 30  # of a class
BAND_OPACITY = 0.13  # of what is behind the leaves of one prediction
NOTE_GAP = 0.5  # between the tree, or a handle below all leaves, and the note, in rows of words
PALE_BRANCH = 0.6  # opacity of a branch that leads to none of them
JOINED_SHARE = 0.62  # distance of leaves that are joined, as a share of that of others
JOINT_SHARE = 0.04  # by which pieces of a bracket cover each other, as a share of a row
MAX_COUNT_LETTERS = 9
REGULAR_LETTER_SHARE = 0.75  # width of a regular letter, as a share of a bold one
MIN_FONT_SHARE = 0.72  # font size, as a share
Row = tuple[float, float, str, str]


class _Tree:
    """Layout of a tree: x in per cent, y from 0 to 1 upwards."""

    def __init__(
        self,
        tree: LexicographicTree,
        is_large: bool,
        note: str,
        room: tuple[float, float] | None,
        *,
        has_dots: bool = False,
        is_joined: bool = False,
    ) -> None:
        self.tree = tree
        self.is_large = is_large
        self.is_joined = is_joined
        self.leaves_x = LEAVES_X_OF_DOTS if has_dots else LEAVES_X
        self.middle_x = MIDDLE_X_OF_DOTS if has_dots else MIDDLE_X
        self.reach = DOTS_REACH if has_dots else BAR_REACH
        self.shown = np.flatnonzero(tree.pos + tree.neg > 0)  # leaves with samples
        grow = 1 if is_large else 2
        letter, self.step = room or (grow * LETTER_WIDTH, grow * ROW_HEIGHT)
        self.letter = 100 * REGULAR_LETTER_SHARE * letter
        self.note = wrap(note, int(98 / (0.92 * self.letter)))
        self.top = 1 - self.step * ((tree.n_levels + 1 if is_large else 1) + 0.2)
        below = len(self.note) + NOTE_GAP if self.note else 0.0
        self.row = (self.top - self.step * below) / self.shown.size  # height of a leaf
        self.size = float(np.clip(0.92 * self.row / self.step, MIN_FONT_SHARE, 1.0))
        self.is_written = self.row >= 0.7 * MIN_FONT_SHARE * self.step

    def x(self, depth: int) -> float:
        """Compute the x at which a level begins."""
        return ROOT_X + (self.leaves_x - ROOT_X) * depth / max(self.tree.n_levels, 1)

    def y(self, leaf: Any) -> Any:
        """Compute the height of a leaf among those shown."""
        leaf = np.asarray(leaf, dtype=float)
        if self.is_joined:  # nearer to the middle of those that the hull joins
            segment = self.tree.hull_segment[self.shown]
            of_leaf = segment[np.clip(np.rint(leaf), 0, segment.size - 1).astype(int)]
            middle = np.vectorize(lambda one: np.flatnonzero(segment == one).mean())(of_leaf)
            leaf = middle + JOINED_SHARE * (leaf - middle)
        return self.top - self.row * (leaf + 0.5)

    def boundary(self, n_leaves: int) -> float:
        """Compute the height between the first leaves and the rest."""
        if self.shown.size in (0, n_leaves) or not n_leaves:
            return float(self.top - self.row * n_leaves)
        return float(self.y(n_leaves - 1) + self.y(n_leaves)) / 2

    def nodes(self, depth: int) -> dict[int, float]:
        """List the nodes of a level that hold samples, and their heights."""
        node = self.shown >> (self.tree.n_levels - depth)
        return {int(k): float(self.y(np.flatnonzero(node == k).mean())) for k in np.unique(node)}

    def branches(self, depth: int, side: int, n_top: int) -> list[tuple[Any, bool]]:
        """Draw the branches of a level to the preferred value, or to the other one.

        With each comes whether it leads to one of the first ``n_top`` leaves.
        """
        above = self.nodes(depth)
        below = self.nodes(depth + 1)
        to_top = set((self.shown[:n_top] >> (self.tree.n_levels - depth - 1)).tolist())
        left = self.x(depth)
        right = self.x(depth + 1)
        lines = []
        for child, y in below.items():
            if child % 2 == side:
                line = ((left, left, right), (above[child >> 1], y, y))
                lines.append((line, child in to_top))
        return lines

    def values(self, depth: int, level: Sequence[str]) -> list[Row]:
        """Write the values along the branches of a level, if they fit."""
        below = self.nodes(depth + 1)
        left = self.x(depth) + 1.2
        right = self.x(depth + 1)
        gaps = np.abs(np.diff(sorted(below.values())))
        name, *sides = level
        full = [f"{name} {side}" for side in sides]
        if not self.is_large or not (gaps >= 2 * self.size * self.step).all():
            return []
        shift = 0.5 * self.size * self.step
        for preferred, other in (full, sides):
            widest = max(letters(preferred), letters(other)) * self.letter * self.size
            if widest > right - left:
                continue
            rows = []
            for child, y in below.items():
                if child % 2:
                    rows.append((left, y - shift, other, "muted"))
                else:
                    rows.append((left, y + shift, preferred, "text"))
            return rows
        return []

    def heads(self, levels: Sequence[Sequence[str]]) -> list[Row]:
        """Write the attributes in steps, each above its branches, if there is room to the right."""
        rows = []
        for depth, (name, first, _) in enumerate(levels):
            text = str(depth + 1)
            y = 1 - 0.6 * self.step
            if self.is_large:
                # long bold words begin further left
                max_letters = int(98 * REGULAR_LETTER_SHARE / self.letter) - letters(first) - 8
                text = f"{depth + 1}. {shorten(name, max_letters)} {first} up"
                y -= depth * self.step
            width = letters(text) * self.letter / REGULAR_LETTER_SHARE
            rows.append((max(min(self.x(depth), 99 - width), 0.0), y, text, "selected-text"))
        return rows


def tree_picture(
    tree: LexicographicTree,
    levels: Sequence[Sequence[str]],
    probability: Floats,
    is_large: bool,
    *,
    note: str = "",
    room: tuple[float, float] | None = None,
    classes: ClassNames = UNNAMED,
    samples: tuple[Any, Any] | None = None,
    n_top: int | None = None,
    is_joined: bool = False,
) -> Picture:
    """Draw a tree, highest rank on top, with the counts of its leaves and the hull's segments.

    ``levels`` have a name, the preferred value and the other one; ``probability`` is that of each
    leaf; the ``note`` stands below. The ``room`` is that of a letter and of a row of words, as
    shares of width and height, if it is known, and ``classes`` are the names of the classes.
    ``samples`` are the leaf of each sample and whether it is positive, where each is to be a dot;
    the first ``n_top`` leaves are predicted positive, and their border can be dragged. Leaves that
    the hull joins stand near each other if ``is_joined``.
    """
    layout = _Tree(tree, is_large, note, room, has_dots=samples is not None, is_joined=is_joined)
    preferred = []
    other = []
    values = []
    for depth in range(tree.n_levels):
        preferred += layout.branches(depth, 0, n_top or 0)
        other += layout.branches(depth, 1, n_top or 0)
        values += layout.values(depth, levels[depth])
    heads_y = 1 - layout.step * ((tree.n_levels if is_large else 0) + 0.6)
    bars, counts = _leaves(layout, heads_y, classes, has_bars=samples is None)
    dots = [] if samples is None else [_dots_of(layout, samples, n_top)]
    border = [] if n_top is None else _border(layout, n_top)
    brackets, probabilities, sums = _hull(layout, probability)
    hull = [(BRACKET_X + (2.6 if is_large else 0), heads_y, "hull", "hull-text")]
    foot = layout.step * (len(layout.note) - 0.5)
    notes = [(0.0, foot - k * layout.step, line, "muted") for k, line in enumerate(layout.note)]
    middle = (
        (layout.middle_x, layout.middle_x),
        (layout.top, layout.top - layout.row * layout.shown.size),
    )
    return sheet(
        (
            *_bands(layout, n_top),
            *_branches(preferred, other, has_border=n_top is not None),
            Line("middle", "reference", *middle, width=1.0),
            *bars,
            *border[:1],
            *dots,
            Line("hull segments", "hull", *brackets, width=2.5, glides=True),
            words("branch words", values, bold=False, size=layout.size),
            *counts,
            words("probabilities", probabilities, size=layout.size),
            words("sums", sums, bold=False, size=layout.size),
            words("heads", [*layout.heads(levels), *hull]),
            words("note", notes, bold=False, size=0.9),
            *border[1:],
            _readings(layout, probability, classes),
        ),
        height=1.0,
        is_large=is_large,
    )


def _readings(layout: _Tree, probability: Floats, classes: ClassNames) -> Line:
    """Read out each leaf, wherever one points in its row."""
    tree = layout.tree
    names = classes.shortened()
    readings = []
    for rank, leaf in enumerate(layout.shown.tolist()):
        counts = (
            f"{amount(tree.pos[leaf])} {names.positives}, {amount(tree.neg[leaf])} "
            f"{names.negatives}"
        )
        readings.append(
            f"leaf {rank + 1}: {counts}; probability by the hull {number(probability[leaf])}"
        )
    y = layout.y(np.arange(len(readings)))
    x = np.linspace(layout.leaves_x, BRACKET_X, READINGS_ABREAST)
    return read_out(np.repeat(x, y.size), np.tile(y, x.size), READINGS_ABREAST * readings)


def _branches(
    preferred: Sequence[tuple[Any, bool]], other: Sequence[tuple[Any, bool]], *, has_border: bool
) -> list[Mark]:
    """Draw the branches to preferred values dark and wide, and those to other values thin.

    Where leaves have a border, all are thin, and those that lead to leaves above it are dark.
    """
    marks: list[Mark] = []
    for name, role, width, branches in (
        ("other branches", "reference", 1.5, other),
        ("branches", "ranking", 2.5, preferred),
    ):
        lines = [line for line, _ in branches]
        x, y = np.array(lines).reshape(-1, 2, 3).transpose(1, 0, 2)
        style: dict[str, Any] = {"width": width}
        if has_border:
            to_top = [leads_to_top for _, leads_to_top in branches]
            style = {
                "width": 1.5,
                "part_roles": ["ranking" if is_to_top else "reference" for is_to_top in to_top],
                "opacities": [1.0 if is_to_top else PALE_BRANCH for is_to_top in to_top] or (1.0,),
            }
        marks.append(Line(name, role, x, y, glides=True, **style))
    return marks


def _bands(layout: _Tree, n_top: int | None) -> list[Mark]:
    """Draw bands behind the leaves that are predicted positive, and behind those negative."""
    if n_top is None:
        return []
    border = layout.boundary(n_top)
    lowest = layout.top - layout.row * layout.shown.size
    bands: list[Mark] = []
    for role, low, high in (("positive", border, layout.top), ("negative", lowest, border)):
        corners: Any = NO_POINTS
        if high > low:
            corners = boxes(layout.leaves_x, BRACKET_X - 1.5, low, high)
        bands.append(Areas(f"predicted {role}", role, *corners, opacities=(BAND_OPACITY,)))
    return bands


def dots_of_tree(
    tree: LexicographicTree, X: Any, positive: Any, weight: Any
) -> tuple[Any, Any] | None:
    """List the leaf of each sample and its class; none of many, or of weights that are no counts.

    ``X`` has the columns of the tree's order, with the weight of samples that are alike.
    """
    most = max(float(tree.pos.max()), float(tree.neg.max()))
    is_counted = bool((weight == np.round(weight)).all())
    if not is_counted or weight.sum() > MAX_DOTS or most > MAX_DOTS_OF_LEAF:
        return None
    leaf = np.zeros(len(X), dtype=np.intp)
    for column, preferred in zip(tree.order, tree.preferred, strict=True):
        leaf = 2 * leaf + (X[:, column] != preferred)
    times = weight.astype(int)
    return np.repeat(leaf, times), np.repeat(positive, times)


def _dots_of(layout: _Tree, samples: tuple[Any, Any], n_top: int | None) -> People:
    """Draw each sample as a dot in its leaf, from the middle outwards."""
    leaf, positive = samples
    tree = layout.tree
    pitch = layout.reach / max(float(tree.pos.max()), float(tree.neg.max()))
    height = layout.row * (JOINED_SHARE if layout.is_joined else 1.0)
    pitch = min(pitch, 5.0)
    row = np.searchsorted(layout.shown, leaf)
    place = np.zeros(leaf.size)
    for kind in np.unique(2 * leaf + positive):
        alike = np.flatnonzero(2 * leaf + positive == kind)
        place[alike] = np.arange(alike.size)
    side = np.where(positive, 1.0, -1.0)
    fills = () if n_top is None else row < n_top
    return People(
        "samples",
        "positive",
        layout.middle_x + side * (place + 0.75) * pitch,
        layout.y(row),
        n_filled=leaf.size,
        fills=fills,
        pitch=(pitch, height),
        part_roles=["positive" if is_positive else "negative" for is_positive in positive],
        flies=True,
    )


def _border(layout: _Tree, n_top: int) -> list[Mark]:
    """Draw the border below the leaves that are predicted positive, and its handle."""
    y = layout.boundary(n_top)
    left = layout.leaves_x + 1.5
    style: dict[str, Any] = {"width": 2.0, "may_be_covered": True, "glides": True}
    has_room = n_top < layout.shown.size / 2  # lower leaves have long rows of negatives
    return [
        Line("border", "selected", (left, BRACKET_X - 1.5), (y, y), **style),
        Handle(
            "leaves",
            "selected",
            [left],
            [y],
            along="y",
            glides=True,
            is_hinted=has_room,
            scale=1.4,
        ),
    ]


def leaves_above(tree: LexicographicTree, y: float, is_joined: bool, note: str = "") -> int:
    """Find the number of leaves above the border that is nearest to a height."""
    layout = _Tree(tree, True, note, None, is_joined=is_joined)
    borders = [layout.boundary(k) for k in range(layout.shown.size + 1)]
    return int(np.argmin(np.abs(np.array(borders) - y)))


def _leaves(
    layout: _Tree, heads_y: float, classes: ClassNames, *, has_bars: bool
) -> tuple[list[Mark], list[Mark]]:
    """Draw the counts of the leaves as bars, and write them, below their titles."""
    tree = layout.tree
    pos = tree.pos[layout.shown]
    neg = tree.neg[layout.shown]
    highest = max(float(pos.max()), float(neg.max()))
    half = min(0.36 * layout.row, 0.7 * layout.step)
    y = layout.y(np.arange(layout.shown.size))
    bars: list[Mark] = []
    texts: list[Mark] = []
    short = classes.shortened(MAX_CLASS_LETTERS)
    for name, sign, heading, counts, direction, align in (
        ("positive", "+", short.positives, pos, 1, "start"),
        ("negative", "−", short.negatives, neg, -1, "end"),
    ):
        ink = f"{name}-text"
        ends = layout.middle_x + direction * layout.reach * counts / highest
        is_counted = (counts > 0) & has_bars
        corners = boxes(
            layout.middle_x, ends[is_counted], y[is_counted] - half, y[is_counted] + half
        )
        bars.append(Areas(name, name, *corners))
        rows = []
        for end, height, count in zip(ends, y, counts.tolist(), strict=True):
            if count and layout.is_written and has_bars:
                x = float(end) + 0.9 * direction
                rows.append((x, float(height), short_amount(count, MAX_COUNT_LETTERS), ink))
        texts.append(words(f"{name} counts", rows, align, bold=False, size=layout.size))
        title = (
            layout.middle_x + 0.8 * direction,
            heads_y,
            heading if layout.is_large else sign,
            ink,
        )
        texts.append(words(f"{name} title", [title], align))
    return bars, texts


def _hull(layout: _Tree, probability: Floats) -> tuple[Any, list[Row], list[Row]]:
    """Draw a bracket for each segment of the hull, with its probability and its counts.

    Each leaf has its own piece, so that brackets open and close as leaves change places.
    """
    tree = layout.tree
    segment_of = tree.hull_segment[layout.shown]
    brackets = []
    values = []
    sums = []
    spine = BRACKET_X + 1
    for segment in np.unique(segment_of):
        inside = np.flatnonzero(segment_of == segment)
        top = layout.y(inside[0] - 0.38)
        bottom = layout.y(inside[-1] + 0.38)
        heights = layout.y(inside)
        ends = [top, *(heights[:-1] + heights[1:]) / 2, bottom]
        for k in range(inside.size):
            first = BRACKET_X if k == 0 else spine
            last = BRACKET_X if k == inside.size - 1 else spine
            low = ends[k + 1]
            if k < inside.size - 1:  # no gap is seen between pieces
                low -= JOINT_SHARE * layout.row
            y = ends[k], ends[k], low, low
            brackets.append(((first, spine, spine, last), y))
        height = inside.size * layout.row
        type_size = layout.size * layout.step
        if height < 0.7 * type_size:
            continue
        leaves = layout.shown[inside]
        pos = float(tree.pos[leaves].sum())
        neg = float(tree.neg[leaves].sum())
        n_pos = short_amount(pos, MAX_COUNT_LETTERS)
        n = short_amount(pos + neg, MAX_COUNT_LETTERS)
        text = f"{n_pos} of {n}"
        is_narrow = letters(text) * layout.letter * layout.size <= 97 - BRACKET_X
        x_of_text = BRACKET_X + 2.6
        middle = (top + bottom) / 2
        value = number(float(probability[leaves[0]]))
        if height >= 2 * type_size and is_narrow:
            values.append((x_of_text, middle + 0.5 * type_size, value, "hull-text"))
            sums.append((x_of_text, middle - 0.5 * type_size, text, "muted"))
        else:
            values.append((x_of_text, middle, value, "hull-text"))
    return np.array(brackets).transpose(1, 0, 2), values, sums


# ---------------------------------------------------------------------- ROC curves

#: Role, dash and width of each curve.
CURVE_STYLES = {
    "tree": ("third", "solid", 2.5),
    "curve": ("ranking", "solid", 2.5),
    "bayes": ("second", "dash_dotted", 2.0),
    "hull": ("hull", "dashed", 2.5),
}


def leaf_points(tree: LexicographicTree) -> tuple[Floats, Floats]:
    """Compute the points (fpr, tpr) above each border of the tree's leaves, from the top down."""
    shown = np.flatnonzero(tree.pos + tree.neg > 0)
    pos = np.append(0.0, np.cumsum(tree.pos[shown]))
    neg = np.append(0.0, np.cumsum(tree.neg[shown]))
    return neg / neg[-1], pos / pos[-1]


def curves_picture(
    rankings: Mapping[str, RankedSegments],
    rows: Sequence[Entry],
    is_large: bool,
    grown: tuple[Floats, Floats] = NO_POINTS,
) -> Picture:
    """Draw the ROC curves of rankings, named as in :data:`CURVES`, with the legend ``rows``.

    ``grown`` are the points of the curve that leaves have made so far; the last can be dragged.
    """
    is_above = rankings["curve"].auc >= 0.5  # its curve leaves the lower right corner free
    lines = []
    for name, (role, dash, width) in CURVE_STYLES.items():
        if ranking := rankings.get(name):
            thin = ranking.thin(MAX_VERTICES)
            lines.append(Line(name, role, thin.fpr, thin.tpr, dash=dash, width=width))
    hull = rankings["hull"]
    corners = (hull.fpr, hull.tpr) if len(hull) <= 40 else NO_POINTS
    legend = Legend(
        "words",
        "text",
        choices=[rows] if is_large else [rows, ()],  # empty where a small picture has no room
        corner=(1.0, 0.0) if is_above else (0.0, 1.0),
    )
    dots = Dots("vertices", "hull", *corners, size=50)
    more: list[Mark] = []
    if len(grown[0]):
        more.append(Line("grown", "selected", *grown, width=5.0))
        more.append(Handle("leaves", "selected", grown[0][-1:], grown[1][-1:]))
    return Picture(*AXES, (diagonal(), *lines, dots, legend, *more), is_large=is_large)


# ---------------------------------------------------------------------- attributes

NAME_LETTERS = (15, 8, 0)  # letters of a name below the diagonal, from long to short
N_ISOMETRIC_POINTS = 41  # vertices of an isometric


def attributes_picture(
    order: LexicographicOrder,
    isometrics: Floats,
    names: Sequence[tuple[str, str]],
    kind: str,
    is_large: bool,
) -> Picture:
    """Draw attributes as points in ROC space, the first ones with isometrics of the odds ratio.

    Parameters
    ----------
    order : LexicographicOrder
    isometrics : array of float, shape (n, 2, n_points)
        Curves through the first ``n`` attributes.
    names : sequence of (str, str)
        Of these attributes with the preferred value, and without.
    kind : str
        What their numbers are.
    is_large : bool
    """
    count = len(isometrics)
    x = order.fpr[:count]
    y = order.tpr[:count]
    rest = slice(count, count + MAX_VERTICES)
    across = isometrics.transpose(1, 0, 2) if count else NO_POINTS
    numbers = []
    for k in range(count):
        numbers.append(PointLabel([str(k + 1)], "text", float(x[k]), float(y[k]), 0.5))
    notes = [Entry(kind, "muted"), Entry("grey: equal", "muted")]
    choices = []
    for length in NAME_LETTERS:
        rows = []
        for k in range(count):
            text = _ratio(k, *names[k], float(order.odds_ratio[k]), length)
            rows.append(Entry(text, "text"))
        choices.append([*rows, *notes])
    above = not count or bool((y >= x).mean() >= 0.5)
    style: dict[str, Any] = {"corner": (1.0, 0.0) if above else (0.0, 1.0)}
    return Picture(
        *AXES,
        (
            diagonal(),
            Line("isometrics", "reference", *across, width=1.6, may_be_covered=True),
            Dots("points", "muted", order.fpr[rest], order.tpr[rest], size=36),
            Dots("named", "ranking", x, y, size=110),
            Labels("numbers", "text", point_labels=numbers, leaders=True),
            Legend("words", "text", choices=[*choices, notes] if is_large else [()], **style),
        ),
        is_large=is_large,
    )


def isometrics(order: LexicographicOrder, count: int) -> Floats:
    """Compute isometrics of the odds ratio through the first attributes, of equally many points."""
    even_steps = np.linspace(0, 1, N_ISOMETRIC_POINTS)
    curves = np.empty((count, 2, N_ISOMETRIC_POINTS))
    for k in range(count):
        x, y = isometric_through("odds_ratio", float(order.fpr[k]), float(order.tpr[k]))
        steps = np.linspace(0, 1, x.size)
        curves[k] = np.interp(even_steps, steps, x), np.interp(even_steps, steps, y)
    return curves


def _ratio(k: int, condition: str, name: str, ratio: float, length: int) -> str:
    """Write number, shortened name and odds ratio of an attribute."""
    if letters(condition) > length:
        condition = shorten(name, length) if length > 0 else ""
    return f"{k + 1}. {condition}: {ratio_text(ratio)}".replace(". :", ":")
