"""The picture of all pairs: a square whose border between two colours is the ROC curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocviz.core.roc.pairs import RankedPairs
from rocviz.core.roc.segments import RankedSegments
from rocviz.pictures import (
    LETTER_WIDTH,
    NO_POINTS,
    ROW_HEIGHT,
    Areas,
    Axis,
    Band,
    Cells,
    Handle,
    Line,
    Mark,
    Picture,
    boxes,
    count_ticks,
    round_ticks,
    words,
)
from rocviz.words import ClassNames, amount, letters, percent, short_amount, short_score

#: Samples of a class up to which every pair has a cell of its own.
MAX_CELLS = 120
MAX_VERTICES = 600  # of the curve of more samples
# of the areas where the positive scores higher, where both tie, and where the negative does
OPACITIES = (0.62, 0.31, 0.16)
VERDICTS = ("out of order", "a tie, which counts half", "in order")
_CELL_SHARE = 0.09  # of a cell's width that its border takes
_PICTURE_PIXELS = 480.0
_WORDS_MARGIN = 0.03  # around words, as a share of the picture
_LETTER = 1.25 * LETTER_WIDTH  # of the largest type in the smallest window
NAMELESS = ClassNames()


@dataclass(frozen=True, eq=False)
class PairsScene:
    """What the picture shows.

    Parameters
    ----------
    segments : RankedSegments
        The ranking.
    pairs : RankedPairs, optional
        Every sample of its own; None where there are too many for cells.
    hull : RankedSegments, optional
        The convex hull of the ranking, if it is drawn.
    handles : tuple of Handle, default=()
        At counts of false and of true positives.
    names : ClassNames
        Names of the classes.
    """

    segments: RankedSegments
    pairs: RankedPairs | None = None
    hull: RankedSegments | None = None
    handles: tuple[Handle, ...] = ()
    names: ClassNames = NAMELESS


def pairs_title(segments: RankedSegments) -> str:
    """Write how many pairs there are, and the share of them in order, which is the AUC."""
    n_pairs = segments.n_pos * segments.n_neg
    return f"{amount(n_pairs)} pairs, {percent(segments.auc)} in order"


def can_have_cells(n_pos: int, n_neg: int) -> bool:
    """Whether there are so few samples of each class that every pair has a cell."""
    return max(n_pos, n_neg) <= MAX_CELLS


def pairs_picture(scene: PairsScene, is_large: bool = True) -> Picture:
    """Draw a cell for each pair, in the colour of the class that scores higher."""
    segments = scene.segments
    n_pos = segments.n_pos
    n_neg = segments.n_neg
    curve = segments.thin(MAX_VERTICES)
    curve_x, curve_y = n_neg * curve.fpr, n_pos * curve.tpr
    has_cells = scene.pairs is not None
    if has_cells:
        curve_x, curve_y = segments.cumulative_neg, segments.cumulative_pos
    marks = [*_areas(segments, curve_x, curve_y, has_cells=has_cells)]
    if scene.pairs is not None:
        marks.append(_cells(scene.pairs, scene.names))
    marks.append(Line("curve", "ranking", curve_x, curve_y, width=3.0, clipped=False))
    hull: Any = NO_POINTS
    if scene.hull is not None:
        thinned = scene.hull.thin(MAX_VERTICES)
        hull = n_neg * thinned.fpr, n_pos * thinned.tpr
    marks.append(Line("hull", "hull", *hull, dash="dashed", snaps_from="curve", clipped=False))
    if is_large:
        marks += _meaning(scene.names, (curve_x, curve_y), hull)
    marks += scene.handles
    names = scene.names
    return Picture(
        _axis(f"{names.negatives}, highest score first", n_neg),
        _axis(f"{names.positives}, highest score first", n_pos),
        tuple(marks),
        is_square=True,
        is_large=is_large,
    )


def _areas(segments: RankedSegments, curve_x: Any, curve_y: Any, *, has_cells: bool) -> list[Mark]:
    """Colour the pairs by the class that scores higher, and ties half."""
    n_pos = segments.n_pos
    tied: Any = NO_POINTS
    x, low, high = curve_x, curve_y, curve_y
    if has_cells:
        before = slice(None, -1)
        after = slice(1, None)
        x = np.repeat(curve_x, 2)[1:-1]
        low = np.repeat(curve_y[before], 2)
        high = np.repeat(curve_y[after], 2)
        is_tied = (segments.pos > 0) & (segments.neg > 0)
        if is_tied.any():
            sides = (curve_x[before], curve_x[after], curve_y[before], curve_y[after])
            tied = boxes(*(side[is_tied] for side in sides))
    in_order, half, out_of_order = OPACITIES
    return [
        Band("out of order", "negative", x, (high, np.full(x.size, n_pos)), opacity=out_of_order),
        Band("in order", "positive", x, (np.zeros(x.size), low), opacity=in_order),
        Areas("tied", "positive", *tied, opacities=(half,)),
    ]


def _cells(pairs: RankedPairs, names: ClassNames) -> Cells:
    """Divide the square into cells."""
    n_most = max(pairs.pos_score.size, pairs.neg_score.size)
    width = min(max(_CELL_SHARE * _PICTURE_PIXELS / n_most, 0.4), 2.5)
    return Cells(
        "cells",
        "paper",
        pairs.columns,
        pairs.rows,
        width=width,
        column_names=[f"{names.negative} {short_score(score)}" for score in pairs.neg_score],
        row_names=[f"{names.positive} {short_score(score)}" for score in pairs.pos_score],
        column_values=pairs.neg_score,
        row_values=pairs.pos_score,
        verdicts=VERDICTS,
    )


def _meaning(names: ClassNames, curve: Any, hull: Any) -> list[Mark]:
    """Write the meaning of each colour in the corner of its area, where that has room."""
    curve_x, curve_y = curve
    highest_x, highest_y = hull if len(hull[0]) else curve
    article = "" if names.is_named else "the "
    right = float(curve_x[-1])
    top = float(curve_y[-1])
    height = (ROW_HEIGHT + 2 * _WORDS_MARGIN) * top
    lower: list[tuple[float, float, str, str]] = []
    upper: list[tuple[float, float, str, str]] = []
    for text in (f"{article}{names.positive} scores higher", f"{names.positive} higher"):
        end = (1 - letters(text) * _LETTER - 2 * _WORDS_MARGIN) * right
        if end > 0 and np.interp(end, curve_x, curve_y) > height and not lower:
            lower.append(((1 - _WORDS_MARGIN) * right, 0.6 * height, text, "text"))
    for text in (f"{article}{names.negative} scores higher", f"{names.negative} higher"):
        end = (letters(text) * _LETTER + 2 * _WORDS_MARGIN) * right
        if end < right and np.interp(end, highest_x, highest_y) < top - height and not upper:
            upper.append((_WORDS_MARGIN * right, top - 0.6 * height, text, "text"))
    return [words("meaning of in order", lower, "end"), words("meaning of out of order", upper)]


def _axis(label: str, total: float) -> Axis:
    """Count samples, or weigh them, from 0 to all of them."""
    if total == round(total) and total >= 1:
        return Axis(label, 0.0, total, _whole_ticks(int(total)), pad=0.025)
    return Axis(label, 0.0, total, round_ticks(0.0, total, 5), pad=0.025)


def _whole_ticks(n: int) -> dict[float, str]:
    """Choose round numbers of samples, and all of them in place of one near the end."""
    ticks = count_ticks(n)
    last = max(ticks)
    if last > 0.85 * n:
        del ticks[last]
    return {**ticks, n: short_amount(n, 5)}
