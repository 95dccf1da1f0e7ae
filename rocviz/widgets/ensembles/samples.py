"""Who errs on which sample: a row for each classifier, and below them the crowd and its best one.

A column is a sample. A cell is filled where its classifier is wrong: dark where the crowd errs too,
grey where the crowd outvotes it. The signs at the ends of the track below are such grids: errors
that are scattered, which a crowd outvotes, and errors that are lined up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.validation import Floats
from rocviz.pictures import Areas, Line, Mark, Picture, boxes, read_out, sheet, words
from rocviz.widgets.ensembles.result import EnsembleResult
from rocviz.widgets.ensembles.state import EnsembleState
from rocviz.widgets.ensembles.votes import TRACK, handle_marks
from rocviz.widgets.ensembles.words import error_words

#: Ends of the columns along x: of all, and of the one of the user's sample.
LARGE_ENDS, SMALL_ENDS, ITEM_ENDS = (8.4, 100.0), (0.0, 100.0), (94.5, 98.5)
RIGHT_BESIDE_ITEM = 92.0
COLUMN_SHARE = 0.86  # of the distance of columns
#: From the bottom to the top of the classifiers' rows, and the height of what is above them.
LARGE_HEIGHT, SMALL_HEIGHT, HEADING_Y = (44.0, 94.0), (0.0, 100.0), 97.5
#: From the bottom to the top of the rows of outcomes, and the height of the words above them.
CROWD_HEIGHT, CROWD_WORDS_Y = (33.0, 38.0), 41.0
BEST_HEIGHT, BEST_WORDS_Y = (22.0, 27.0), 30.0
TRACK_Y, TRACK_WORDS_Y = 10.5, 3.0
#: Ends of the track if there are signs beside it; their rows and columns, how large these are, and
#: the bottom of the signs.
SIGNED_TRACK = (19.0, 81.0)
SIGN_ROWS, SIGN_STEP, SIGN_CELL, SIGN_Y = 4, 3.6, 3.15, 2.0
SCATTERED, LINED_UP = (1, 3, 0, 2), (1, 1, 1, 1)  # the column of the error in each row of a sign
#: Ends along x of the strips that stand beside what is the crowd's, and its best member's.
CROWD_STRIP, BEST_STRIP, NUMBER_X = (0.0, 0.9), (1.4, 2.3), 5.3
CROSS = (0.85, 1.25)  # half of the width and of the height of a cross
ROW_SHARE = 0.88  # of the distance of rows
LEAST_WEIGHT = 0.4  # of the heaviest row; lighter ones are as high as that
MAX_ROWS = 12  # of more classifiers, the heaviest are shown
READINGS_IN_COLUMN = 5  # places in a column at which it is read out
DECIMALS = 1  # of heights, which pages record at every step
#: Opacities of cells: where a classifier is wrong and so is the crowd, is outvoted, or is right.
WRONG, OUTVOTED, RIGHT = 0.95, 0.5, 0.25


class Shown(NamedTuple):
    """Columns and rows of the picture, and who is wrong in them."""

    ends: Floats  # of columns, shape (n_columns, 2)
    members: NDArray[np.intp]  # places of the rows among the members of the crowd
    is_wrong: NDArray[np.bool_]  # shape (n_columns, n_members): of all of these
    crowd_is_wrong: NDArray[np.bool_]  # shape (n_columns,)
    low: Floats  # of the rows, from the first one on
    high: Floats


def samples_picture(state: EnsembleState, result: EnsembleResult, is_large: bool) -> Picture:
    """Draw who errs on which sample; if large, the crowd and its best member below them."""
    shown = _shown(state, result, is_large)
    opacity = np.where(shown.crowd_is_wrong, WRONG, OUTVOTED)[:, None]
    is_wrong = shown.is_wrong[:, shown.members]
    marks: list[Mark] = [
        _cells("cells", "text", shown.ends, shown.low, shown.high, is_wrong, opacity)
    ]
    bottom = shown.low.min()
    if is_large:
        bottom = BEST_HEIGHT[0]
        marks += _outcome_marks(result, shown)
        marks += _row_marks(result, shown)
        headings = [(LARGE_ENDS[0], HEADING_Y, "filled: wrong, grey: outvoted", "text")]
        marks.append(words("heading", headings))
        if state.is_sandbox:
            marks.append(_signs_of_alike())
            marks += handle_marks(state, result, TRACK_Y, TRACK_WORDS_Y, SIGNED_TRACK)
        else:
            marks += handle_marks(state, result, TRACK_Y, TRACK_WORDS_Y, TRACK)
    if not state.is_sandbox:
        marks.append(_frame(bottom, shown.high.max()))
    marks.append(_readings(shown, bottom))
    return sheet(marks, is_large=is_large)


# ---------------------------------------------------------------------- columns and rows


def _shown(state: EnsembleState, result: EnsembleResult, is_large: bool) -> Shown:
    """Lay out the columns of the samples, the user's one last, and the rows of classifiers."""
    left, right = LARGE_ENDS if is_large else SMALL_ENDS
    votes = result.shown_votes
    crowd_is_wrong = result.shown_is_wrong
    is_positive = result.shown_is_positive
    if state.is_sandbox:
        ends = _column_ends(is_positive.size, left, right)
    else:
        ends = _column_ends(is_positive.size, left, RIGHT_BESIDE_ITEM)
        ends = np.vstack((ends, ITEM_ENDS))
        votes = np.vstack((votes, result.item.contributions))
        item_is_wrong = (result.item.log_likelihood_ratio > 0) != result.item_is_positive
        crowd_is_wrong = np.append(crowd_is_wrong, item_is_wrong)
        is_positive = np.append(is_positive, result.item_is_positive)
    weight = np.abs(result.crowd.weights(state.method)[0])
    members = np.sort(np.argsort(-weight, kind="stable")[:MAX_ROWS])
    low, high = _row_ends(weight[members], *(LARGE_HEIGHT if is_large else SMALL_HEIGHT))
    return Shown(
        ends,
        members,
        (votes > 0) != is_positive[:, None],
        crowd_is_wrong,
        low,
        high,
    )


def _column_ends(n: int, left: float, right: float) -> Floats:
    """Compute where each column starts and ends; shape (n, 2)."""
    width = (right - left) / n
    starts = left + width * np.arange(n)
    return np.column_stack((starts, starts + COLUMN_SHARE * width))


def _row_ends(weight: Floats, bottom: float, top: float) -> tuple[Floats, Floats]:
    """Compute the lower and the upper ends of rows, high by their weight, the first one on top."""
    if weight.any():
        heights = np.maximum(weight, LEAST_WEIGHT * weight.max())
    else:
        heights = np.ones(weight.size)
    heights = heights * (top - bottom) / heights.sum()
    high = top - (np.cumsum(heights) - heights)
    return (high - ROW_SHARE * heights).round(DECIMALS), high.round(DECIMALS)


def _cells(
    name: str,
    role: str,
    ends: Floats,
    low: Floats,
    high: Floats,
    is_wrong: NDArray[np.bool_],
    opacity: Floats,
) -> Areas:
    """Draw a cell in each column and row, filled where ``is_wrong``; shape (n_columns, n_rows)."""
    starts, stops = np.repeat(ends, low.size, axis=0).T
    return Areas(
        name,
        role,
        *boxes(starts, stops, np.tile(low, len(ends)), np.tile(high, len(ends))),
        part_roles=np.where(is_wrong, role, "reference").ravel().tolist(),
        opacities=np.where(is_wrong, opacity, RIGHT).ravel().tolist(),
    )


def _readings(shown: Shown, bottom: float) -> Line:
    """Read out each column, wherever one points in it: how many are wrong, and the crowd."""
    readings = []
    n_members = shown.is_wrong.shape[1]
    for n, crowd_is_wrong in zip(
        shown.is_wrong.sum(axis=1).tolist(), shown.crowd_is_wrong.tolist(), strict=True
    ):
        crowd = "wrong" if crowd_is_wrong else "right"
        readings.append(f"{n} of {n_members} votes are wrong, the crowd is {crowd}")
    y = np.linspace(bottom, shown.high.max(), READINGS_IN_COLUMN)
    x = np.tile(shown.ends.mean(axis=1), y.size)
    return read_out(x, np.repeat(y, len(readings)), READINGS_IN_COLUMN * readings)


def _frame(bottom: float, top: float) -> Line:
    """Draw a frame around the column of the user's sample."""
    left, right = ITEM_ENDS[0] - 1.0, ITEM_ENDS[1] + 1.0
    low, high = bottom - 1.0, top + 1.0
    x, y = (left, right, right, left, left), (low, low, high, high, low)
    return Line("frame", "selected", x, y, width=3.0)


# ---------------------------------------------------------------------- beside and below them


def _row_marks(result: EnsembleResult, shown: Shown) -> list[Mark]:
    """Draw the numbers of classifiers, and strips that join them to the two rows of outcomes."""
    best = result.members.index(result.best)
    is_best = shown.members == best
    strips = {
        "crowd": ("text", CROWD_STRIP, CROWD_HEIGHT, shown.low.min(), shown.high.max()),
        "best": ("second", BEST_STRIP, BEST_HEIGHT, shown.low[is_best], shown.high[is_best]),
    }
    marks: list[Mark] = []
    for name, (role, ends, (low, high), rows_low, rows_high) in strips.items():
        corners = boxes(*ends, np.append(rows_low, low), np.append(rows_high, high))
        marks.append(Areas(f"strips of {name}", role, *corners))
    numbers = []
    middles = (shown.low + shown.high) / 2
    for member, y in zip(shown.members.tolist(), middles.tolist(), strict=True):
        ink = "negative-text" if member == best else "text"
        numbers.append((NUMBER_X, y, str(result.members[member] + 1), ink))
    marks.append(words("row numbers", numbers, "middle", size=0.9))
    if len(result.members) > MAX_ROWS:
        text = f"{MAX_ROWS} heaviest of {len(result.members)}"
        rows_shown = [(100.0, HEADING_Y, text, "muted")]
        marks.append(words("rows shown", rows_shown, "end", bold=False, size=0.9))
    return marks


def _outcome_marks(result: EnsembleResult, shown: Shown) -> list[Mark]:
    """Draw where the crowd is wrong, and its best member: a row each, with crosses on errors."""
    n = result.evidence.size
    of_crowd = words(
        "error rate of crowd",
        [(LARGE_ENDS[0], CROWD_WORDS_Y, error_words("crowd", result.n_wrong, n), "text")],
        size=0.9,
    )
    text = error_words("best alone", result.n_wrong_of_best, n)
    of_best = words(
        "error rate of best alone",
        [(LARGE_ENDS[0], BEST_WORDS_Y, text, "negative-text")],
        size=0.9,
    )
    best_is_wrong = shown.is_wrong[:, result.members.index(result.best)]
    return [
        *_outcomes("crowd", "text", CROWD_HEIGHT, shown.ends, shown.crowd_is_wrong),
        of_crowd,
        *_outcomes("best alone", "second", BEST_HEIGHT, shown.ends, best_is_wrong),
        of_best,
    ]


def _outcomes(
    name: str, role: str, height: tuple[float, float], ends: Floats, is_wrong: NDArray[np.bool_]
) -> list[Mark]:
    """Draw a row of cells, with a cross on each that is wrong."""
    low, high = (np.array([end]) for end in height)
    opacity = np.full((len(ends), 1), WRONG)
    return [
        _cells(f"outcomes of {name}", role, ends, low, high, is_wrong[:, None], opacity),
        _crosses(f"errors of {name}", "paper", ends[is_wrong].mean(axis=1), sum(height) / 2),
    ]


def _crosses(name: str, role: str, x: Floats, y: float) -> Line:
    """Draw crosses at places along x, each with one line: a stroke, back to its middle, another."""
    across, up = CROSS
    ends_x = x[:, None] + np.multiply(across, (-1.0, 1.0, 0.0, -1.0, 1.0))
    ends_y = np.tile(y + np.multiply(up, (-1.0, 1.0, 0.0, 1.0, -1.0)), (x.size, 1))
    return Line(name, role, ends_x, ends_y, width=2.5)


def _signs_of_alike() -> Areas:
    """Draw what the ends of the track mean: errors on different samples, and on the same one."""
    row, column = np.divmod(np.arange(SIGN_ROWS**2), SIGN_ROWS)
    is_wrong = np.concatenate((column == np.take(SCATTERED, row), column == np.take(LINED_UP, row)))
    right_sign = 100.0 - SIGN_STEP * (SIGN_ROWS - 1) - SIGN_CELL
    left = np.concatenate((SIGN_STEP * column, right_sign + SIGN_STEP * column))
    low = np.tile(SIGN_Y + SIGN_STEP * row, 2)
    return Areas(
        "signs of alike",
        "text",
        *boxes(left, left + SIGN_CELL, low, low + SIGN_CELL),
        part_roles=np.where(is_wrong, "text", "reference").tolist(),
        opacities=np.where(is_wrong, np.repeat((OUTVOTED, WRONG), SIGN_ROWS**2), RIGHT).tolist(),
    )
