"""Counting positives and negatives by score, piece by piece.

Counts of pieces add up to those of the whole, in any order and grouping, so data larger than
memory, or spread over machines, are counted by a reduction.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.frozen import Frozen, read_only
from rocviz.core.base.pieces import common_label, split_labels
from rocviz.core.base.validation import (
    Floats,
    Weights,
    check_aligned,
    check_integer,
    check_piece_weights,
    check_same_length,
    check_spread,
    check_vector,
)

#: Far more segments than a picture has pixels, in 40 MB of memory.
DEFAULT_MAX_SEGMENTS = 1_000_000

Cells = NDArray[np.uint64]
_REDUCTIONS = {"lowest": np.minimum, "highest": np.maximum, "pos": np.add, "neg": np.add}
_SIGN_BIT = np.uint64(1) << np.uint64(63)


@dataclass(frozen=True, eq=False, repr=False)
class ScoreCounts(Frozen):
    """Positives and negatives by score, of one piece of data or of several added up.

    While there are at most ``max_segments`` distinct scores, each is counted by itself. Beyond,
    scores that agree in their leading binary digits share a cell, and as few digits are dropped as
    possible. The digits alone decide which scores share a cell, so the result depends neither on
    the order of the pieces nor on how the data were divided into them.

    Made by :meth:`from_scores` and :meth:`add`.

    Parameters
    ----------
    cell : ndarray of uint64, shape (n_cells,)
        Leading digits of the scores of each cell, increasing as scores do.
    lowest, highest : ndarray of float, shape (n_cells,)
        Least and greatest score counted in each cell; equal where it holds one score only.
    pos, neg : ndarray of float, shape (n_cells,)
        Weight of the positives and of the negatives of each cell.
    dropped : int
        Binary digits that were left off, from 0 (exact) to 63.
    max_segments : int
        The most cells that are kept.
    neg_label : label or None
        The label that was counted as negative; ``None`` while none was met.

    Examples
    --------
    >>> first = ScoreCounts.from_scores([1, 0, 0], [0.9, 0.4, 0.1])
    >>> second = ScoreCounts.from_scores([1, 1], [0.9, 0.4])
    >>> both = first.add(second)
    >>> both.lowest, both.pos, both.neg
    (array([0.1, 0.4, 0.9]), array([0., 1., 2.]), array([1., 1., 0.]))
    """

    cell: Cells
    lowest: Floats
    highest: Floats
    pos: Floats
    neg: Floats
    dropped: int
    max_segments: int
    neg_label: Hashable | None = None

    @classmethod
    def from_scores(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        sample_weight: Weights = None,
        pos_label: Any = None,
        max_segments: int = DEFAULT_MAX_SEGMENTS,
    ) -> ScoreCounts:
        """Count positives and negatives by score in one piece of a data set.

        Unlike elsewhere a piece may hold one class only, or be empty.

        Parameters
        ----------
        y_true, y_score, sample_weight
            As for :meth:`rocviz.RankedSegments.from_scores`.
        pos_label : label, optional
            The positive class. It may be left out if the labels are 0 and 1, -1 and 1, or booleans:
            a piece does not show which labels there are elsewhere.
        max_segments : int, default=1_000_000
            The most cells that are kept; at least 2.

        Raises
        ------
        ValueError
            If the labels are others and ``pos_label`` is not given, or the piece holds more than
            one label besides it, or scores or weights are invalid.

        Examples
        --------
        >>> ScoreCounts.from_scores(["ill", "ill"], [2.0, 3.0], pos_label="ill")
        <ScoreCounts: 2 cells, 2 positives, 0 negatives, exact>
        """
        max_segments = check_integer(max_segments, "max_segments", minimum=2)
        check_aligned(y_true=y_true, y_score=y_score, sample_weight=sample_weight)
        score = check_vector(y_score, "y_score")
        positive, neg_label = split_labels(y_true, pos_label)
        check_same_length(positive.size, y_score=score)
        weight = np.ones(score.size)
        if sample_weight is not None:
            weight = check_piece_weights(sample_weight, positive.size)
            is_weighted = weight > 0
            score = score[is_weighted]
            positive = positive[is_weighted]
            weight = weight[is_weighted]
        columns = {
            "lowest": score,
            "highest": score,
            "pos": np.where(positive, weight, 0.0),
            "neg": np.where(positive, 0.0, weight),
        }
        return _count(_digits(score), columns.items(), 0, max_segments, neg_label)

    def __len__(self) -> int:
        return int(self.cell.size)

    def __repr__(self) -> str:
        precision = "exact" if self.dropped == 0 else f"{self.dropped} of 64 digits left off"
        return (
            f"<ScoreCounts: {len(self)} cells, {self.pos.sum():.10g} positives, "
            f"{self.neg.sum():.10g} negatives, {precision}>"
        )

    def add(self, other: ScoreCounts) -> ScoreCounts:
        """Add the counts of another piece.

        Parameters
        ----------
        other : ScoreCounts
            Counted on the same scale with the same positive class; the lesser of the two
            ``max_segments`` holds for both.

        Raises
        ------
        ValueError
            If ``other`` is something else, or took another label as negative.
        """
        if not isinstance(other, ScoreCounts):
            raise ValueError(f"other must be ScoreCounts; got {type(other).__name__}.")
        dropped = max(self.dropped, other.dropped)

        def columns() -> Iterator[tuple[str, Floats]]:
            for name in _REDUCTIONS:
                yield name, np.concatenate((getattr(self, name), getattr(other, name)))

        total = _count(
            np.concatenate((self._coarser_cells(dropped), other._coarser_cells(dropped))),
            columns(),
            dropped,
            min(self.max_segments, other.max_segments),
            common_label(self.neg_label, other.neg_label, "y_true"),
        )
        check_spread("sample_weight", total.pos, total.neg, sums=True)
        return total

    def _coarser_cells(self, dropped: int) -> Cells:
        """Leave off digits of the cells, so many in all."""
        return self.cell >> np.uint64(dropped - self.dropped)


def _count(
    cell: Cells,
    columns: Iterable[tuple[str, Floats]],
    dropped: int,
    max_segments: int,
    neg_label: Hashable | None,
) -> ScoreCounts:
    """Sort cells, drop digits while there are too many, and join the rows of equal ones.

    Columns are joined one after the other, since memory is short.
    """
    order = np.argsort(cell)
    cell = cell[order]
    changed = cell[1:] ^ cell[:-1]
    more = np.uint64(0)
    while 1 + np.count_nonzero(changed >> more) > max_segments:
        more += np.uint64(1)
    start = np.flatnonzero(np.append(np.ones(min(cell.size, 1)), changed >> more))
    joined = {}
    for name, column in columns:
        joined[name] = read_only(_REDUCTIONS[name].reduceat(column[order], start))
    return ScoreCounts(
        cell=read_only(cell[start] >> more),
        **joined,
        dropped=dropped + int(more),
        max_segments=max_segments,
        neg_label=neg_label,
    )


def count_dask(
    columns: Mapping[str, Any], *, pos_label: Any = None, max_segments: int = DEFAULT_MAX_SEGMENTS
) -> ScoreCounts:
    """Count Dask collections, and add up the counts in a tree on the workers.

    ``y_true``, ``y_score`` and ``sample_weight`` (``None`` for no weights) are one-dimensional and
    divided at the same places. It raises ``ValueError`` if something is no Dask collection, the
    numbers of partitions differ, or a piece is not as :meth:`ScoreCounts.from_scores` wants it.
    """
    from dask import delayed

    parts = {}
    for name, column in columns.items():
        if column is None:
            continue
        if not hasattr(column, "to_delayed"):
            raise ValueError(
                f"{name} must be a Dask array or series; got {type(column).__name__}. "
                f"For data in memory there is RankedSegments.from_scores."
            )
        parts[name] = np.ravel(column.to_delayed()).tolist()
    sizes = {name: len(pieces) for name, pieces in parts.items()}
    if len(set(sizes.values())) > 1:
        raise ValueError(
            "the inputs must be partitioned in the same way; numbers of partitions: "
            + ", ".join(f"{name} {size}" for name, size in sizes.items())
            + "."
        )
    count = delayed(ScoreCounts.from_scores)
    add = delayed(ScoreCounts.add)
    waiting = []
    for piece in zip(*parts.values(), strict=True):
        arrays = dict(zip(parts, piece, strict=True))
        waiting.append(count(**arrays, pos_label=pos_label, max_segments=max_segments))
    while len(waiting) > 1:
        pairs = [add(*waiting[i : i + 2]) for i in range(0, len(waiting) - 1, 2)]
        waiting = pairs + waiting[2 * len(pairs) :]
    counts: ScoreCounts = waiting[0].compute()
    return counts


def _digits(score: Floats) -> Cells:
    """Map scores to 64 binary digits of the same order; 0.0 and -0.0 have the same."""
    bits = (score + 0.0).view(np.uint64)
    return np.where(bits & _SIGN_BIT, ~bits, bits | _SIGN_BIT)
