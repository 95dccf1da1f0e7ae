"""Losses of the stages of a scoring list, from the class weights of their total scores.

Batches of stages are computed at once, one row each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression

from rocviz.core.base.validation import Floats, check_costs, describe
from rocviz.core.calibration.binarize import total_entropy
from rocviz.core.roc.segments import RankedSegments
from rocviz.core.scoring_lists.stage import check_counts

#: None of these losses rises when a positive gets a higher total or a negative a lower one; the
#: search for thresholds relies on it.
STAGE_LOSSES = ("entropy", "brier", "rank", "raw_rank", "cost")

#: A name out of ``STAGE_LOSSES``, or a function of the stage's segments.
StageLoss: TypeAlias = str | Callable[[RankedSegments], float]

#: A function of ``pos`` and ``neg``, both of shape (n_rows, n_totals), and of the totals.
BatchLoss: TypeAlias = Callable[[Floats, Floats, NDArray[Any]], Floats]

#: Flat index of each block's first cell, weights in both classes, the first block of each row.
Blocks: TypeAlias = tuple[NDArray[np.intp], Floats, Floats, NDArray[np.intp]]

# Rows of a batch are lifted above each other, so that they are pooled together. The more rows,
# the fewer digits are left for the proportions: with so many, twelve after the point.
_MAX_BATCH_ROWS = 2048

# Each cell is lifted above the one before by more than is rounded: all that is pooled then
# belongs together; blocks that belong together too are joined by comparing odds.
_CELL_LIFT = 2.0**-33


def stage_loss(
    pos: ArrayLike, neg: ArrayLike, loss: StageLoss = "entropy", cost_fn: float = 1.0
) -> Floats:
    r"""Compute the loss of stages from the class weights of their totals.

    Parameters
    ----------
    pos, neg : array-like of float, shape (..., n_totals)
        Weight of positives and negatives with each total score, totals in decreasing order.
        Not negative; cells may be empty, but no row is.
    loss : {"entropy", "brier", "rank", "raw_rank", "cost"} or callable, default="entropy"
        Of isotonic probabilities q: the expected entropy in bits
        :math:`\sum_T \frac{N_T}{N} H(\hat q_T)`, the Brier score, the soft rank loss (the share of
        pairs of a positive and a negative in the wrong order, ties counting one half: 1 minus the
        area under the convex hull of the ROC curve), or the mean of the smaller of ``1 - q`` and
        ``cost_fn * q``. "raw_rank" is the soft rank loss of the totals as they are, 1 - AUC; pairs
        of samples without labels know no other. A callable gets the observed totals as
        :class:`RankedSegments`, whose scores fall by one from cell to cell, and returns a number.
    cost_fn : float, default=1.0
        Cost of a false negative for "cost"; a false positive costs 1.

    Returns
    -------
    ndarray of float, shape (...)

    Raises
    ------
    ValueError
        If the loss is unknown, counts are invalid, or a row has one class only and the
        loss is one of pairs.

    References
    ----------
    Hanselle et al. (2024), equations 7 and 14. Ayer et al. (1955).

    Examples
    --------
    >>> stage_loss([[1, 1], [2, 0]], [[1, 1], [0, 2]])
    array([1., 0.])
    >>> stage_loss([3, 1], [1, 3], "brier"), stage_loss([3, 1], [1, 3], "cost", cost_fn=10)
    (array(0.1875), array(0.5))

    The second and the third total are pooled by the one, not by the other:

    >>> counts = [3, 1, 2], [0, 2, 2]
    >>> stage_loss(*counts, "rank"), stage_loss(*counts, "raw_rank")
    (array(0.25), array(0.29166667))
    """
    measure = batch_loss(loss, cost_fn)
    positive, negative = check_counts(pos, neg)
    if isinstance(loss, str) and loss.endswith("rank"):
        if not (positive.any(axis=-1).all() and negative.any(axis=-1).all()):
            raise ValueError("pos and neg must both have weight in every row for a loss of pairs.")
    elif not (positive + negative).any(axis=-1).all():
        raise ValueError("pos and neg are zero in a whole row; every stage needs samples.")
    n_totals = positive.shape[-1]
    losses = measure(
        positive.reshape(-1, n_totals), negative.reshape(-1, n_totals), -np.arange(n_totals)
    )
    return losses.reshape(positive.shape[:-1])


def batch_loss(loss: StageLoss, cost_fn: float) -> BatchLoss:
    """Make the loss function of checked counts, one row per stage, for a search."""
    _, miss = check_costs(1.0, cost_fn)
    if callable(loss):

        def losses_of_segments(pos: Floats, neg: Floats, totals: NDArray[Any]) -> Floats:
            rows = zip(pos, neg, strict=True)
            return np.array([_loss_of_segments(loss, p, n, totals) for p, n in rows])

        return losses_of_segments
    if not isinstance(loss, str) or loss not in STAGE_LOSSES:
        raise ValueError(
            f"loss must be one of {', '.join(STAGE_LOSSES)}, or a function of segments; "
            f"got {describe(loss)}."
        )
    terms: dict[str, Callable[[Floats, Floats], Floats]] = {
        "entropy": total_entropy,
        "brier": lambda pos, neg: pos * neg / (pos + neg),
        "cost": lambda pos, neg: np.minimum(neg, miss * pos),
    }
    if loss == "raw_rank":
        return lambda pos, neg, totals: _share_of_wrong_pairs(pos, neg)
    if loss == "rank":
        return lambda pos, neg, totals: _share_of_wrong_pairs(*_pooled(pos, neg))
    return lambda pos, neg, totals: _mean_of_blocks(pos, neg, terms[loss])


def _loss_of_segments(
    loss: Callable[[RankedSegments], float], pos: Floats, neg: Floats, totals: NDArray[Any]
) -> float:
    has_samples = pos + neg > 0
    segments = RankedSegments(totals[has_samples], pos[has_samples], neg[has_samples])
    returned: Any = loss(segments)
    try:
        value = float(returned)
    except (TypeError, ValueError):
        value = np.nan
    if not np.isfinite(value):
        raise ValueError(f"loss must return a finite number; it returned {describe(returned)}.")
    return value


def _share_of_wrong_pairs(pos: Floats, neg: Floats) -> Floats:
    wrong = np.einsum("ij,ij->i", pos, np.cumsum(neg, axis=1) - neg / 2)
    return np.asarray(wrong / (pos.sum(axis=1) * neg.sum(axis=1)))


def _mean_of_blocks(pos: Floats, neg: Floats, term: Callable[[Floats, Floats], Floats]) -> Floats:
    """Sum a term over the blocks of equal probability of each row, per unit of weight."""
    loss = np.empty(len(pos))
    for part, (_, block_pos, block_neg, row_start) in _pools(pos, neg):
        total = np.add.reduceat(block_pos + block_neg, row_start)
        loss[part] = np.add.reduceat(term(block_pos, block_neg), row_start) / total
    return loss


def _pooled(pos: Floats, neg: Floats) -> tuple[Floats, Floats]:
    """Move the counts of each block of equal probability to its first cell."""
    sides = np.zeros((2, *pos.shape))
    for part, (start, block_pos, block_neg, _) in _pools(pos, neg):
        sides[0, part].reshape(-1)[start] = block_pos
        sides[1, part].reshape(-1)[start] = block_neg
    return sides[0], sides[1]


def _pools(pos: Floats, neg: Floats) -> Iterator[tuple[slice, Blocks]]:
    for first in range(0, len(pos), _MAX_BATCH_ROWS):
        part = slice(first, first + _MAX_BATCH_ROWS)
        yield part, _pool(pos[part], neg[part])


def _pool(pos: Floats, neg: Floats) -> Blocks:
    """Pool adjacent violators in every row; no row is empty."""
    n = (pos + neg).reshape(-1)
    cells = np.flatnonzero(n)
    row = cells // pos.shape[1]
    weight = n.take(cells)
    block_pos = pos.take(cells)
    block_neg = neg.take(cells)
    lifted = 2.0 * row + block_neg / weight + _CELL_LIFT * np.arange(cells.size)
    starts = isotonic_regression(lifted, weights=weight).blocks[:-1]
    while True:
        cells = cells.take(starts)
        row = row.take(starts)
        block_pos = np.add.reduceat(block_pos, starts)
        block_neg = np.add.reduceat(block_neg, starts)
        begins_row = np.diff(row, prepend=-1) > 0
        falls = block_pos[:-1] * block_neg[1:] > block_pos[1:] * block_neg[:-1]
        starts = np.flatnonzero(begins_row | np.concatenate(([True], falls)))
        if starts.size == row.size:
            return cells, block_pos, block_neg, np.flatnonzero(begins_row)
