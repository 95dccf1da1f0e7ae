"""The votes of all classifiers on some samples, a row each, and the crowd's below them.

A cell has the colour of the class that a classifier speaks for, and is the paler the weaker its
evidence. Where classifiers err independently, wrong colours are scattered, and the crowd outvotes
them; where they err alike, wrong colours stand in columns, down to the crowd.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.pictures import Areas, Dots, Line, Mark, Picture, Words, boxes, sheet, words
from rocviz.widgets.ensembles.result import MAX_COUNTED_CLASSIFIERS, EnsembleResult
from rocviz.widgets.ensembles.state import EnsembleState
from rocviz.widgets.ensembles.votes import gain_marks, handle_marks

#: Ends of the columns along x: of all, and of the one of the user's sample; names stand before.
LEFT, RIGHT = 15.0, 100.0
ITEM = (94.0, 100.0)
RIGHT_BESIDE_ITEM = 91.0
COUNT_WIDTH = 7.0  # of the numbers of wrong votes, right of the large picture's columns
CIRCLE_X = 10.0
CLASS_GAP = 1.0  # between negatives and positives, in columns
CELL_SHARE = 0.86  # of the distance of cells
#: From the top of the first row to the bottom of the last one, of the crowd, and of the truth.
LARGE_ROWS, LARGE_CROWD, LARGE_TRUTH, LARGE_HEADING = (93.0, 57.0), (54.5, 47.0), (45.0, 41.5), 97.0
SMALL_ROWS, SMALL_CROWD, SMALL_TRUTH = (100.0, 34.0), (28.0, 12.0), (7.0, 0.0)
MAX_ROW_HEIGHT = 7.0
FULL_CIRCLE_ROW = 5.4  # height of a row that has room for a circle of full size
#: Evidence (a log-likelihood ratio) at which a cell has its full colour: of one, and of the crowd.
FULL_VOTE, FULL_CROWD = 1.2, 2.0
FAINTEST = 0.1  # opacity of a vote without evidence


def samples_picture(state: EnsembleState, result: EnsembleResult, is_large: bool) -> Picture:
    """Draw what every classifier and the crowd say of some samples, above the truth."""
    drawn = result.drawn_classifiers
    n_rows = len(drawn)
    (top, bottom), crowd, truth = SMALL_ROWS, SMALL_CROWD, SMALL_TRUTH
    left = 0.0
    if is_large:
        (top, bottom), crowd, truth = LARGE_ROWS, LARGE_CROWD, LARGE_TRUTH
        left = LEFT
    has_item = not state.is_sandbox
    step = min((top - bottom) / n_rows, MAX_ROW_HEIGHT if is_large else np.inf)
    row_tops = bottom + step * np.arange(n_rows, 0, -1)
    row_ends = {
        k: (high, high - CELL_SHARE * step)
        for k, high in zip(drawn, row_tops.tolist(), strict=True)
    }
    is_positive = result.shown_is_positive
    right = RIGHT_BESIDE_ITEM if has_item else RIGHT
    is_counted = is_large and n_rows <= MAX_COUNTED_CLASSIFIERS
    ends = _column_ends(is_positive, left, right - COUNT_WIDTH if is_counted else right)
    marks: list[Mark] = [
        *_rows_of_votes("", ends, result.shown_votes, result, row_ends, crowd),
        # beneath the truth, so that no words stand on it
        Line("truth line", "grid", (ends[0, 0], ends[-1, 1]), [sum(truth) / 2] * 2, width=2.0),
        _truth("truth", ends, is_positive, truth),
    ]
    if has_item:
        item_ends = np.array([ITEM])
        item_is_positive = np.array([result.item_is_positive])
        marks += _rows_of_votes(
            "item ", item_ends, result.item.contributions, result, row_ends, crowd
        )
        marks.append(_truth("truth of item", item_ends, item_is_positive, truth))
        frame = (ITEM[0] - 0.8, ITEM[1] + 0.8)
        x = (frame[0], frame[1], frame[1], frame[0], frame[0])
        low, high = truth[1] - 1.0, row_tops[0] + 1.0
        marks.append(Line("frame", "selected", x, (low, low, high, high, low), width=3.0))
    if is_large:
        marks += _names(state, result, ends, row_ends, step)
        if is_counted:
            marks.append(_wrong_counts(result, row_ends, right))
        marks += handle_marks(state, result)
        marks += gain_marks(state, result)
    return sheet(marks, is_large=is_large)


def _column_ends(is_positive: Any, left: float, right: float) -> Floats:
    """Compute where each column starts and ends, negatives first; shape (n, 2)."""
    place = np.arange(is_positive.size) + CLASS_GAP * is_positive
    width = (right - left) / (is_positive.size + CLASS_GAP * is_positive.any())
    starts = left + width * place
    return np.column_stack((starts, starts + CELL_SHARE * width))


def _rows_of_votes(
    prefix: str,
    ends: Floats,
    votes: Floats,
    result: EnsembleResult,
    row_ends: dict[int, tuple[float, float]],
    crowd: tuple[float, float],
) -> list[Mark]:
    """Draw a cell for each vote of each member, and for the sum of them in the crowd's row."""
    n_shown = len(ends)
    is_drawn = [k in row_ends for k in result.members]
    at = [row_ends[k] for k in result.members if k in row_ends]
    heights = np.repeat(np.reshape(at, (-1, 2)), n_shown, axis=0)
    rows = np.tile(ends, (len(at), 1))
    return [
        _cells(f"{prefix}votes", rows, heights, votes.T[is_drawn].ravel(), FULL_VOTE),
        _cells(f"{prefix}crowd", ends, np.tile(crowd, (n_shown, 1)), votes.sum(axis=1), FULL_CROWD),
    ]


def _cells(name: str, x: Floats, y: Floats, evidence: Floats, full: float) -> Areas:
    """Colour cells by the class that evidence speaks for, the paler the weaker it is."""
    roles = np.where(evidence > 0, "positive", "negative").tolist()
    strength = np.minimum(np.abs(evidence) / full, 1.0)
    opacities = np.round(FAINTEST + (1 - FAINTEST) * strength, 2).tolist()
    corners = boxes(x[:, 0], x[:, 1], y[:, 1], y[:, 0])
    return Areas(name, "text", *corners, part_roles=roles, opacities=opacities)


def _truth(name: str, ends: Floats, is_positive: Any, truth: tuple[float, float]) -> Areas:
    """Draw the classes that the samples have."""
    roles = np.where(is_positive, "positive", "negative").tolist()
    corners = boxes(ends[:, 0], ends[:, 1], truth[1], truth[0])
    return Areas(name, "text", *corners, part_roles=roles)


def _wrong_counts(
    result: EnsembleResult, row_ends: dict[int, tuple[float, float]], right: float
) -> Words:
    """Write how many of the votes in each row are wrong, and of the crowd's."""
    is_positive = result.shown_is_positive
    votes = dict(zip(result.members, result.shown_votes.T, strict=True))
    rows = []
    for k, ends in row_ends.items():
        if k in votes:
            n_wrong = int(((votes[k] > 0) != is_positive).sum())
            rows.append((right, sum(ends) / 2, str(n_wrong), "muted"))
    n_wrong = int(((result.shown_votes.sum(axis=1) > 0) != is_positive).sum())
    rows.append((right, sum(LARGE_CROWD) / 2, str(n_wrong), "text"))
    return words("wrong", rows, "end", size=0.9)


def _names(
    state: EnsembleState,
    result: EnsembleResult,
    ends: Floats,
    row_ends: dict[int, tuple[float, float]],
    step: float,
) -> list[Mark]:
    """Write the numbers of the classifiers, which can be pressed, and the names of the rows."""
    circles: dict[str, list[tuple[float, float, int]]] = {"members": [], "left out": []}
    numbers = []
    gaps = []
    for k, (high, low) in row_ends.items():
        y = (high + low) / 2
        is_in = k in result.members
        circles["members" if is_in else "left out"].append((CIRCLE_X, y, k))
        if len(row_ends) <= MAX_COUNTED_CLASSIFIERS:
            numbers.append((CIRCLE_X, y, str(k + 1), "text" if is_in else "muted"))
        if not is_in:
            gaps.append(y)
    size = 300 * min(step / FULL_CIRCLE_ROW, 1.0) ** 2
    marks: list[Mark] = []
    for name, role in (("members", "grid"), ("left out", "paper")):
        at, heights, keys = zip(*circles[name], strict=True) if circles[name] else ((), (), ())
        # without a rim, as they may overlap in a low room
        marks.append(Dots(name, role, at, heights, rim="grid", size=size, width=1.0, keys=keys))
    empty = [[ends[0, 0], ends[-1, 1]]] * len(gaps)
    marks.append(Line("empty rows", "grid", empty, np.column_stack((gaps, gaps)), width=2.0))
    rows = []
    for text, (high, low) in (("crowd", LARGE_CROWD), ("truth", LARGE_TRUTH)):
        rows.append((0.0, (high + low) / 2, text, "text"))
    classes = state.class_names.shortened(12)
    headings = []
    for is_of, name, role in (
        (~result.shown_is_positive, classes.negatives, "negative-text"),
        (result.shown_is_positive, classes.positives, "positive-text"),
    ):
        if is_of.any():
            headings.append((float(ends[is_of].mean()), LARGE_HEADING, name, role))
    return [
        *marks,
        words("numbers", numbers, "middle"),
        words("row names", rows, size=0.9),
        words("classes", headings, "middle"),
    ]
