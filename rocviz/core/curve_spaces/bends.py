"""Curves whose edges between two cuts are hyperbolas: precision over recall, and lift.

They are computed block by block, so that no more than the curve itself is held.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rocviz.core.base.blocks import blocks, repeat_steps, running_totals
from rocviz.core.base.frozen import read_only
from rocviz.core.base.validation import Floats
from rocviz.core.curve_spaces.mapping import points_from_roc
from rocviz.core.roc.segments import RankedSegments

#: Spaces whose edges are bent.
BENT = ("precision_recall", "lift")

# Points that draw the longest bent edge; shorter ones get fewer.
BEND = 64

# Below, a difference would lose digits, and two terms of the power series are right to 1e-10.
_SERIES = 1e-5


def _in_blocks(segments: RankedSegments) -> Iterator[tuple[slice, Floats, Floats]]:
    """Yield the places of some segments, and both cumulative counts, block by block.

    Counts have shape (n_segments_of_the_block + 1,): from above the first to below the last.
    """
    pos, neg = np.zeros(1), np.zeros(1)
    for part in blocks(len(segments)):
        pos = running_totals(segments.pos[part], pos[-1])
        neg = running_totals(segments.neg[part], neg[-1])
        yield part, pos, neg


def bent_curve(
    segments: RankedSegments, space: str
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Compute the curve's points and their cuts, then the points of the cuts alone."""
    size = len(segments)
    pi, rest = segments.prevalence, segments.n_neg / segments.n_samples
    at_x, at_y = np.empty(size + 1), np.empty(size + 1)
    count = np.empty(size, dtype=np.uint8)  # points of each edge
    for part, pos, neg in _in_blocks(segments):
        vertices = slice(part.start, part.stop + 1)
        at_x[vertices], at_y[vertices] = points_from_roc(
            space, neg / segments.n_neg, pos / segments.n_pos, pi, rest
        )
        if part.start == 0:
            # nothing called positive: the limit from the right, which is the first segment's
            at_x[0], at_y[0] = 0.0, segments.pos[0] / (segments.pos[0] + segments.neg[0])
            if space == "lift":
                at_y[0] /= pi
        length = np.hypot(np.diff(at_x[vertices]), np.diff(at_y[vertices]))
        count[part] = np.maximum(np.ceil(BEND * np.minimum(length, 1.0)), 1)
    count[0] = 1  # from the origin precision does not change
    x, y, cut = (np.empty(1 + int(count.sum(dtype=np.intp))) for _ in range(3))
    x[0], y[0], cut[0], last = at_x[0], at_y[0], 0.0, 0
    for part, pos, neg in _in_blocks(segments):
        many = count[part].astype(np.intp)
        end = last + np.cumsum(many)
        last = int(end[-1])
        x[end], y[end] = at_x[part.start + 1 : part.stop + 1], at_y[part.start + 1 : part.stop + 1]
        cut[end] = np.arange(part.start + 1, part.stop + 1)
        edge, step = repeat_steps(many - 1)  # points within an edge
        share = (step + 1) / many[edge]
        fpr, tpr = neg / segments.n_neg, pos / segments.n_pos
        inner = end[edge] - many[edge] + step + 1
        x[inner], y[inner] = points_from_roc(
            space,
            fpr[edge] + share * np.diff(fpr)[edge],
            tpr[edge] + share * np.diff(tpr)[edge],
            pi,
            rest,
        )
        cut[inner] = part.start + edge + share
    for array in (x, y, cut, at_x, at_y):
        read_only(array)
    return x, y, cut, at_x, at_y


def bent_area(segments: RankedSegments, space: str) -> float:
    """Compute the area under the curve in closed form.

    On an edge TP = a + p t and TP + FP = s + m t; ∫ (a + p t) / (s + m t) dt over [0, 1] is a mean
    of a/s and p/m with the weights c = log(1 + m/s) s/m and 1 - c. From the origin precision does
    not change.
    """
    area = 0.0
    for part, pos, neg in _in_blocks(segments):
        a, before = pos[:-1], pos[:-1] + neg[:-1]
        p, m = segments.pos[part], segments.n[part]
        with np.errstate(divide="ignore", invalid="ignore"):
            growth = m / before
            start = a / before * np.log1p(growth) / growth
            mean = np.where(before > 0, start + p / m * bend_of_log(growth), p / m)
        area += float(np.sum((p if space == "precision_recall" else m) * mean))
    if space == "precision_recall":
        return area / segments.n_pos
    return area / segments.n_samples / segments.prevalence


def bend_of_log(r: Floats) -> Floats:
    """Compute ``1 - log(1 + r) / r`` of positive numbers, small ones by their series."""
    return np.asarray(np.where(r < _SERIES, r / 2 - r**2 / 3, 1 - np.log1p(r) / r))
