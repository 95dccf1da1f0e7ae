"""The votes on samples, a column each, and how often the crowd errs, and its best member alone.

A block is as high as its classifier's share of the evidence on that sample. Blocks against the
truth are dark and stand below the others, and columns are sorted by them, so that they make a hill.
The crowd errs where they are more than half of a column, which is where the hill is above the line.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.validation import Floats
from rocviz.pictures import Areas, Dots, Line, Mark, Picture, boxes, read_out, sheet, words
from rocviz.widgets.ensembles.result import EnsembleResult
from rocviz.widgets.ensembles.state import EnsembleState
from rocviz.widgets.ensembles.votes import handle_marks
from rocviz.widgets.ensembles.words import error_words

#: Ends of the columns along x: of all, and of the one of the user's sample.
LARGE_ENDS, SMALL_ENDS, ITEM_ENDS = (9.0, 100.0), (0.0, 100.0), (94.5, 98.5)
RIGHT_BESIDE_ITEM = 92.0
COLUMN_SHARE = 0.84  # of the distance of columns
#: From the bottom to the top of the columns, and the heights of what stands above and below them.
LARGE_HEIGHT, SMALL_HEIGHT, HEADING_Y = (38.0, 92.5), (0.0, 100.0), 97.0
CROWD_Y, BEST_Y, TRACK_Y, TRACK_WORDS_Y = 33.0, 27.0, 14.0, 6.5
#: Rows and columns of the signs at the ends of the track, their distance, and words beside them.
SIGN_ROWS, SIGN_STEP, SIGN_CELL, SIGN_Y, BESIDE_SIGNS = 4, 1.6, 1.35, 3.2, 8.0
SCATTERED, LINED_UP = (1, 3, 0, 2), (1, 1, 1, 1)  # the column of the error in each row of a sign
CROSS = (0.95, 1.25)  # half of the width and of the height of a cross
SEAM = 0.6  # between the blocks of a column
READINGS_IN_COLUMN = 4  # places in a column at which it is read out
# of their heights, which pages record at every step; the line at half lies between two of them
DECIMALS = 1
MAX_BLOCKS = 12  # in a column; those of more classifiers are joined to a wrong and a right one
MAX_CROWD_DOTS = 10  # in the sign of the crowd
DOT_STEP = 1.6  # from one of its dots to the next
#: Opacities of blocks against the truth: where the crowd errs, and where it outvotes them.
WRONG, OUTVOTED = 0.95, 0.5
RIGHT = 0.25  # of blocks for the truth


def samples_picture(state: EnsembleState, result: EnsembleResult, is_large: bool) -> Picture:
    """Draw the votes on samples; if large, the errors of the crowd and of the best below them."""
    left, right = LARGE_ENDS if is_large else SMALL_ENDS
    height = LARGE_HEIGHT if is_large else SMALL_HEIGHT
    middle = sum(height) / 2
    marks: list[Mark] = []
    if not state.is_sandbox:
        right = RIGHT_BESIDE_ITEM
        marks += _item_marks(result, height)
    ends = _column_ends(result.shown_is_positive.size, left, right)
    support = np.where(result.shown_is_positive[:, None], result.shown_votes, -result.shown_votes)
    n_wrong = result.shown_errors(result.n_wrong)
    marks += [
        _blocks("blocks", ends, height, support, np.arange(len(ends)) < n_wrong),
        Line("half", "text", (left - 1.0, right + 1.0), (middle, middle), width=3.0),
    ]
    marks.append(_readings(result, ends, height, n_wrong))
    if is_large:
        marks += _error_marks(result, ends)
        if state.is_sandbox:
            marks.append(_signs_of_alike())
            marks += handle_marks(state, result, TRACK_Y, TRACK_WORDS_Y, BESIDE_SIGNS)
        else:
            marks += handle_marks(state, result, TRACK_Y, TRACK_WORDS_Y)
        headings = [(left, HEADING_Y, "wrong votes", "text")]
        marks.append(words("wrong heading", headings))
        headings = [(ends[-1, 1], HEADING_Y, "right votes", "muted")]
        marks.append(words("right heading", headings, "end"))
        marks.append(words("half name", [(left - 2.0, middle, "half", "text")], "end", size=0.9))
    return sheet(marks, is_large=is_large)


# ---------------------------------------------------------------------- the columns


def _column_ends(n: int, left: float, right: float) -> Floats:
    """Compute where each column starts and ends; shape (n, 2)."""
    width = (right - left) / n
    starts = left + width * np.arange(n)
    return np.column_stack((starts, starts + COLUMN_SHARE * width))


def _readings(
    result: EnsembleResult, ends: Floats, height: tuple[float, float], n_wrong: int
) -> Line:
    """Read out each column, wherever one points in it: how many are wrong, and the crowd."""
    is_against = (result.shown_votes > 0) != result.shown_is_positive[:, None]
    n_against = is_against.sum(axis=1).tolist()
    readings = []
    for column, n in enumerate(n_against):
        crowd = "wrong" if column < n_wrong else "right"
        votes = f"{n} of {is_against.shape[1]} votes are wrong"
        readings.append(f"{votes}, the crowd is {crowd}")
    y = np.linspace(*height, READINGS_IN_COLUMN)
    x = np.tile(ends.mean(axis=1), y.size)
    return read_out(x, np.repeat(y, len(ends)), READINGS_IN_COLUMN * readings)


def _blocks(
    name: str,
    ends: Floats,
    height: tuple[float, float],
    support: Floats,
    is_wrong: NDArray[np.bool_],
) -> Areas:
    """Pile up the evidence in each column: below what is against the truth, which is negative."""
    if support.shape[1] > MAX_BLOCKS:
        against = np.minimum(support, 0.0).sum(axis=1)
        support = np.column_stack((against, np.maximum(support, 0.0).sum(axis=1)))
    order = np.argsort(support >= 0, axis=1, kind="stable")
    support = np.take_along_axis(support, order, axis=1)
    size = np.abs(support)
    total = size.sum(axis=1, keepdims=True)
    share = np.divide(size, total, out=np.zeros_like(size), where=total > 0)
    low, high = height
    top = low + (high - low) * np.cumsum(share, axis=1)
    bottom = np.minimum(top - (high - low) * share + SEAM, top)
    starts, stops = np.repeat(ends, support.shape[1], axis=0).T
    is_against = support < 0
    roles = np.where(is_against, "text", "reference")
    opacities = np.where(is_against, np.where(is_wrong, WRONG, OUTVOTED)[:, None], RIGHT)
    return Areas(
        name,
        "text",
        *boxes(starts, stops, bottom.round(DECIMALS), top.round(DECIMALS)),
        part_roles=roles.ravel().tolist(),
        opacities=opacities.ravel().tolist(),
    )


def _item_marks(result: EnsembleResult, height: tuple[float, float]) -> list[Mark]:
    """Draw the column of the user's sample, in a frame."""
    votes = result.item.contributions
    support = votes if result.item_is_positive else -votes
    left, right = ITEM_ENDS
    is_wrong = (result.item.log_likelihood_ratio > 0) != result.item_is_positive
    low, high = height
    x = (left - 1.0, right + 1.0, right + 1.0, left - 1.0, left - 1.0)
    y = (low - 0.5, low - 0.5, high + 1.0, high + 1.0, low - 0.5)
    return [
        _blocks("item blocks", np.array([ITEM_ENDS]), height, support, is_wrong),
        Line("frame", "selected", x, y, width=3.0),
    ]


# ---------------------------------------------------------------------- the errors


def _error_marks(result: EnsembleResult, ends: Floats) -> list[Mark]:
    """Draw a cross for each error below the columns: a row of the crowd, and one of the best."""
    marks: list[Mark] = []
    for name, role, ink, y, n_wrong in (
        ("crowd", "text", "text", CROWD_Y, result.n_wrong),
        ("best alone", "second", "negative-text", BEST_Y, result.n_wrong_of_best),
    ):
        n_shown = result.shown_errors(n_wrong)
        text = error_words(name, n_wrong, result.evidence.size)
        marks.append(_crosses(f"errors of {name}", role, ends[:n_shown].mean(axis=1), y))
        marks.append(words(f"error rate of {name}", [(100.0, y, text, ink)], "end", size=0.9))
    n_dots = min(len(result.members), MAX_CROWD_DOTS)
    column, row = np.divmod(np.arange(n_dots), 2)
    dots_x = LARGE_ENDS[0] - 2.0 - DOT_STEP * column
    dots_y = CROWD_Y + DOT_STEP * (row - 0.5)
    return [
        *marks,
        Dots("sign of crowd", "text", dots_x, dots_y, size=18),
        Dots("sign of best", "second", dots_x[:1], [BEST_Y], size=30),
    ]


def _crosses(name: str, role: str, x: Floats, y: float) -> Line:
    """Draw crosses at places along x, each with one line: a stroke, back to its middle, another."""
    across, up = CROSS
    ends_x = x[:, None] + np.multiply(across, (-1.0, 1.0, 0.0, -1.0, 1.0))
    ends_y = np.tile(y + np.multiply(up, (-1.0, 1.0, 0.0, 1.0, -1.0)), (x.size, 1))
    return Line(name, role, ends_x, ends_y, width=3.0)


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
        opacities=np.where(is_wrong, WRONG, RIGHT).tolist(),
    )
