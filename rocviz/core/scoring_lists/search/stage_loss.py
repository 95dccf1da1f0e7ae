"""The loss of a stage of a scoring list, from the class weights of its total scores.

Works on whole batches of stages at once, one row each. Knows nothing of features, samples or
of how a list is learned.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.validation import Floats, check_number, describe
from rocviz.core.calibration.binarize import total_entropy
from rocviz.core.roc.segments import RankedSegments
from rocviz.core.scoring_lists.search._pooling import ROWS, blocks, check_counts, merged
from rocviz.core.scoring_lists.search._pooling import pool as pool

# Rows whose weights add up to less than this are made larger, up to this exponent.
_SMALL, _LARGE = 1e-150, 980

#: A name out of ``STAGE_LOSSES``, or a function of the stage's segments.
StageLoss: TypeAlias = str | Callable[[RankedSegments], float]


def entropy_loss(pos: ArrayLike, neg: ArrayLike) -> Floats:
    r"""Return the expected entropy in bits of isotonic probabilities, row by row.

    Parameters
    ----------
    pos, neg : array-like of float, shape (..., n_totals)
        Weight of positives and negatives with each total score, totals in decreasing order.
        Not negative; cells may be empty, but no row is.

    Returns
    -------
    ndarray of float, shape (...)
        From 0 to 1: :math:`\sum_T \frac{N_T}{N} H(\hat q_T)`.

    References
    ----------
    Hanselle et al. (2024), equation 7.

    Examples
    --------
    >>> entropy_loss([[1, 1], [2, 0]], [[1, 1], [0, 2]])
    array([1., 0.])
    """
    return _pooled_loss(pos, neg, total_entropy)


def brier_loss(pos: ArrayLike, neg: ArrayLike) -> Floats:
    """Return the Brier score of isotonic probabilities, row by row.

    Parameters
    ----------
    pos, neg : array-like of float, shape (..., n_totals)
        As for :func:`entropy_loss`.

    Returns
    -------
    ndarray of float, shape (...)
        From 0 to 1/4.

    Examples
    --------
    >>> brier_loss([3, 1], [1, 3])
    array(0.1875)
    """
    return _pooled_loss(pos, neg, _brier)


def cost_loss(pos: ArrayLike, neg: ArrayLike, cost_fn: float = 1.0) -> Floats:
    """Return the expected cost of the better decision under isotonic probabilities.

    Parameters
    ----------
    pos, neg : array-like of float, shape (..., n_totals)
        As for :func:`entropy_loss`.
    cost_fn : float, default=1.0
        Cost of a false negative; not negative. A false positive costs 1.

    Returns
    -------
    ndarray of float, shape (...)
        Mean over the samples of the smaller of ``1 - q`` and ``cost_fn * q``.

    Raises
    ------
    ValueError
        If ``cost_fn`` or a count is negative.

    Examples
    --------
    >>> cost_loss([3, 1], [1, 3], cost_fn=1), cost_loss([3, 1], [1, 3], cost_fn=10)
    (array(0.25), array(0.5))
    """
    miss = check_number(cost_fn, "cost_fn", minimum=0.0)
    return _pooled_loss(pos, neg, lambda p, n: _cheaper(p, n, miss), least=np.inf)


def rank_loss(pos: ArrayLike, neg: ArrayLike) -> Floats:
    r"""Return the soft rank loss of isotonic probabilities, row by row.

    The loss is the share of pairs of a positive and a negative whose probabilities are in the
    wrong order, and half the share of those whose probabilities are equal. Totals that isotonic
    regression pools have equal probabilities, so the loss is 1 minus the area under the convex
    hull of the stage's ROC curve.

    Parameters
    ----------
    pos, neg : array-like of float, shape (..., n_totals)
        As for :func:`entropy_loss`; every row has weight in both classes.

    Returns
    -------
    ndarray of float, shape (...)
        From 0 to 1/2: the hull is never below the diagonal.

    Raises
    ------
    ValueError
        If a row has no positives or no negatives.

    See Also
    --------
    raw_rank_loss : The same of the totals as they are.

    References
    ----------
    Hanselle et al. (2024), equation 14.

    Raises
    ------
    ValueError
        If counts are negative, or a row has no weight of one class.

    Examples
    --------
    The second and the third total are pooled.

    >>> rank_loss([3, 1, 2], [0, 2, 2]), raw_rank_loss([3, 1, 2], [0, 2, 2])
    (array(0.25), array(0.29166667))
    """
    positive, negative = _check_pairs(pos, neg)
    return np.asarray(_hull_loss(positive, negative))


def raw_rank_loss(pos: ArrayLike, neg: ArrayLike) -> Floats:
    """Return the soft rank loss of the totals as they are, row by row.

    It is 1 minus the AUC of the totals, ties counting one half; nothing is pooled. Pairs of
    samples without labels know no other: nothing can be calibrated on them.

    Takes and raises what :func:`rank_loss` does; returns losses of shape (...), from 0 to 1, 1/2
    for one total that ties everything.

    See Also
    --------
    rank_loss : The same of calibrated probabilities, as the paper defines it.

    Examples
    --------
    >>> raw_rank_loss([3, 1], [1, 3]), raw_rank_loss([1, 3], [3, 1])
    (array(0.25), array(0.75))
    """
    positive, negative = _check_pairs(pos, neg)
    return np.asarray(_raw_loss(positive, negative))


#: The losses by name: functions of ``pos`` and ``neg``. None of them rises when a positive gets
#: a higher total or a negative a lower one; the search for thresholds relies on it.
STAGE_LOSSES: Mapping[str, Callable[..., Floats]] = MappingProxyType(
    {
        "entropy": entropy_loss,
        "brier": brier_loss,
        "rank": rank_loss,
        "raw_rank": raw_rank_loss,
        "cost": cost_loss,
    }
)


def stage_loss(stage: Any, loss: StageLoss = "entropy", cost_fn: float = 1.0) -> float:
    """Return the loss of one stage.

    Parameters
    ----------
    stage : RankedSegments, ScoringStage or pair of array-like
        Anything with ``pos`` and ``neg``, or these two themselves: shape (n_totals,), totals
        in decreasing order, empty cells allowed.
    loss : {"entropy", "brier", "rank", "raw_rank", "cost"} or callable, default="entropy"
        A callable gets the observed totals as :class:`RankedSegments`, whose scores fall by
        one from cell to cell of the input if that brought none, and returns a number.
    cost_fn : float, default=1.0
        Cost of a false negative, for ``"cost"``.

    Raises
    ------
    ValueError
        If the loss is unknown, or the stage has no counts.

    Examples
    --------
    >>> stage_loss(([3, 1], [1, 3]), "brier")
    0.1875
    >>> stage_loss(([3, 1], [1, 3]), lambda segments: 1 - segments.auc)
    0.25
    """
    score: Any = None
    if hasattr(stage, "pos") and hasattr(stage, "neg"):
        pos, neg = stage.pos, stage.neg
        score = getattr(stage, "totals", getattr(stage, "score", None))
        if pos is None or neg is None:
            raise ValueError("stage must have counts; this one is a table of probabilities only.")
    elif isinstance(stage, tuple) and len(stage) == 2:
        pos, neg = stage
    else:
        raise ValueError(
            f"stage must have counts of positives and negatives; got {type(stage).__name__}."
        )
    positive, negative = check_counts(pos, neg)
    if positive.ndim != 1:
        raise ValueError(f"stage must be one row of counts; got shape {positive.shape}.")
    totals = -np.arange(positive.size) if score is None else np.asarray(score)
    return float(batch_loss(loss, cost_fn)(positive[None], negative[None], totals)[0])


#: A function of ``pos`` and ``neg``, both of shape (n_rows, n_totals), and of the totals.
BatchLoss: TypeAlias = Callable[[Floats, Floats, NDArray[Any]], Floats]


def batch_loss(loss: StageLoss, cost_fn: float) -> BatchLoss:
    """Return a loss as a function of checked counts, one row per stage, for use in a search."""
    if callable(loss):
        return lambda pos, neg, totals: np.array(
            [_of_segments(loss, p, n, totals) for p, n in zip(pos, neg, strict=True)]
        )
    if not isinstance(loss, str) or loss not in STAGE_LOSSES:
        raise ValueError(
            f"loss must be one of {', '.join(STAGE_LOSSES)}, or a function of segments; "
            f"got {describe(loss)}."
        )
    if loss in ("rank", "raw_rank"):
        of_pairs = _hull_loss if loss == "rank" else _raw_loss
        return lambda pos, neg, totals: of_pairs(pos, neg)
    term = _block_term(loss, cost_fn)
    least = np.inf if loss == "cost" else _SMALL
    return lambda pos, neg, totals: _row_loss(pos, neg, term, least)


def _block_term(loss: str, cost_fn: float) -> Callable[[Floats, Floats], Floats]:
    """Return what a block of equal probability adds to ``n_samples`` times the loss."""
    miss = check_number(cost_fn, "cost_fn", minimum=0.0)
    if loss == "cost":
        return lambda pos, neg: _cheaper(pos, neg, miss)
    return {"entropy": total_entropy, "brier": _brier}[loss]


def _raw_loss(pos: Floats, neg: Floats) -> Floats:
    """Return the share of pairs in wrong order; totals in decreasing order."""
    sums = pos.sum(axis=-1), neg.sum(axis=-1)
    wrong = np.zeros(())
    if max(map(np.max, sums)) < 1 / _SMALL:
        wrong = np.einsum("...i,...i->...", pos, np.cumsum(neg, axis=-1) - neg / 2)
    if wrong.min() < _SMALL:
        # powers of 2 are exact, and with them products of weights of any size are floats
        pos, neg = (
            np.ldexp(side, -np.frexp(total)[1][..., None])
            for side, total in zip((pos, neg), sums, strict=True)
        )
        sums = pos.sum(axis=-1), neg.sum(axis=-1)
        wrong = np.einsum("...i,...i->...", pos, np.cumsum(neg, axis=-1) - neg / 2)
    return np.asarray(wrong / (sums[0] * sums[1]))


def _hull_loss(pos: Floats, neg: Floats) -> Floats:
    """Return the share of pairs in wrong order once every cell has its pooled proportion."""
    return _raw_loss(*merged(pos, neg))


def _cheaper(pos: Floats, neg: Floats, miss: float) -> Floats:
    # exponents apart: a product of a cost and a weight need not be a float
    (share, exponent), (cost, size) = np.frexp(pos), np.frexp(miss)
    with np.errstate(over="ignore"):  # then the other decision is the cheaper one
        return np.asarray(np.minimum(neg, np.ldexp(share * cost, exponent + size)))


def _brier(pos: Floats, neg: Floats) -> Floats:
    return np.asarray(pos * (neg / (pos + neg)))


def _pooled_loss(
    pos: ArrayLike, neg: ArrayLike, term: Callable[[Floats, Floats], Floats], least: float = _SMALL
) -> Floats:
    positive, negative = check_counts(pos, neg)
    if not (positive + negative).any(axis=-1).all():
        raise ValueError("pos and neg are zero in a whole row; every stage needs samples.")
    shape = positive.shape
    rows = positive.reshape(-1, shape[-1]), negative.reshape(-1, shape[-1])
    return _row_loss(*rows, term, least).reshape(shape[:-1])


def _row_loss(
    pos: Floats, neg: Floats, term: Callable[[Floats, Floats], Floats], least: float
) -> Floats:
    """Return the pooled loss of each row; none of them is empty.

    Rows whose weights add up to less than ``least`` are made larger.
    """
    loss = np.empty(len(pos))
    for first in range(0, len(pos), ROWS):
        part = slice(first, first + ROWS)
        _, _, block_pos, block_neg, row_start = blocks(pos[part], neg[part])
        total = np.add.reduceat(block_pos + block_neg, row_start)
        if total.min() < least:  # parts of such weights need not be floats; powers of 2 are exact
            larger = _LARGE - np.frexp(total)[1][:, None]
            rows = np.ldexp(pos[part], larger), np.ldexp(neg[part], larger)
            loss[part] = _row_loss(*rows, term, 0.0)
        else:
            loss[part] = np.add.reduceat(term(block_pos, block_neg), row_start) / total
    return loss


def _of_segments(
    loss: Callable[[RankedSegments], float], pos: Floats, neg: Floats, totals: NDArray[Any]
) -> float:
    seen = pos + neg > 0
    returned: Any = loss(RankedSegments(totals[seen], pos[seen], neg[seen]))
    try:
        found = float(returned)
    except (TypeError, ValueError):
        found = np.nan
    if not np.isfinite(found):
        raise ValueError(f"loss must return a finite number; it returned {describe(returned)}.")
    return found


def _check_pairs(pos: ArrayLike, neg: ArrayLike) -> tuple[Floats, Floats]:
    """Return both as counts; every row has both classes."""
    positive, negative = check_counts(pos, neg)
    if not (positive.any(axis=-1).all() and negative.any(axis=-1).all()):
        raise ValueError("pos and neg must both have weight in every row for a loss of pairs.")
    return positive, negative
