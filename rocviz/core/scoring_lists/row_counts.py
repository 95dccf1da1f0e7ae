"""Count distinct binary rows in pieces, for lists learned from large data.

A scoring list depends on how many positives and negatives answer in each way, and such counts add
up.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.pieces import add_up, common_label, split_labels
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Weights,
    check_aligned,
    check_integer,
    check_numbers,
    check_piece_weights,
    check_same_length,
    check_spread,
)
from rocviz.core.calibration.binarize import check_matrix

#: A search over twenty features then needs about 200 MB.
DEFAULT_MAX_ROWS = 1_000_000


@dataclass(frozen=True, eq=False, repr=False)
class RowCounts(Frozen):
    """Distinct rows of yes and no with their labels, of one piece of data or of several added up.

    ``X``, ``y`` and ``weight`` are the input of
    :func:`rocviz.core.scoring_lists.learn_scoring_list` and
    :class:`rocviz.ProbabilisticScoringList`. Made by :meth:`from_rows`,
    :meth:`from_partitions` and :meth:`add`.

    Parameters
    ----------
    key : ndarray of uint64, shape (n_rows, n_words)
        Answers, missing values and the label of each row, as bits; rows increase.
    weight : ndarray of float, shape (n_rows,)
        Weight of all samples that are such a row.
    n_features : int
    max_rows : int
        The most rows that are kept.
    neg_label : label or None
        The label that was counted as negative; ``None`` while none was met.

    Examples
    --------
    >>> first = RowCounts.from_rows([[1, 0], [1, 0], [0, 1]], [1, 1, 0])
    >>> both = first.add(RowCounts.from_rows([[1, 0], [1, 0]], [0, 1]))
    >>> both.X, both.y, both.weight
    (array([[0., 1.], [1., 0.], [1., 0.]]), array([False, False,  True]), array([1., 1., 3.]))
    """

    key: NDArray[np.uint64]
    weight: Floats
    n_features: int
    max_rows: int
    neg_label: Hashable | None = None

    def __len__(self) -> int:
        return int(self.weight.size)

    def __repr__(self) -> str:
        return (
            f"<RowCounts: {len(self)} distinct rows, n_features={self.n_features}, "
            f"weight {self.weight.sum():.10g}>"
        )

    @property
    def X(self) -> Floats:
        """Answers: 0, 1, or NaN where missing, shape (n_rows, n_features)."""
        bits = self._bits()
        yes = bits[:, : self.n_features]
        missing = bits[:, self.n_features : -1]
        return np.where(missing, np.nan, yes.astype(np.float64))

    @property
    def y(self) -> Bools:
        """Labels of the rows, shape (n_rows,)."""
        return self._bits()[:, -1]

    def _bits(self) -> Bools:
        octets = self.key.astype(">u8").view(np.uint8)
        return np.unpackbits(octets, axis=1, count=2 * self.n_features + 1).astype(np.bool_)

    def add(self, other: RowCounts) -> RowCounts:
        """Add up the counts of both pieces, in any order and grouping.

        Parameters
        ----------
        other : RowCounts
            Of the same features with the same positive class; the lesser of the two ``max_rows``
            holds for both.

        Raises
        ------
        ValueError
            If ``other`` is something else, has other features, or took another label as negative,
            or both hold more distinct rows than ``max_rows``.
        """
        if not isinstance(other, RowCounts):
            raise ValueError(f"other must be RowCounts; got {type(other).__name__}.")
        if other.n_features != self.n_features:
            raise ValueError(
                f"X has {other.n_features} columns in one piece and {self.n_features} in another."
            )
        return _count(
            np.concatenate((self.key, other.key)),
            np.concatenate((self.weight, other.weight)),
            self.n_features,
            min(self.max_rows, other.max_rows),
            common_label(self.neg_label, other.neg_label, "y"),
        )

    @classmethod
    def from_rows(
        cls,
        X: ArrayLike,
        y: ArrayLike,
        *,
        sample_weight: Weights = None,
        thresholds: ArrayLike | None = None,
        pos_label: Any = None,
        max_rows: int = DEFAULT_MAX_ROWS,
    ) -> RowCounts:
        """Count the distinct rows of yes and no of one piece of a data set.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            0 and 1 where there is no threshold, else finite numbers; NaN is missing.
        y : array-like, shape (n_samples,)
            Labels; unlike elsewhere a piece may hold one class only, or be empty.
        sample_weight : array-like of float, shape (n_samples,), optional
            Not negative. Samples of weight zero are left out.
        thresholds : array-like of float, shape (n_features,), optional
            The answer is yes where ``x > threshold``; NaN for a column that is 0 or 1 already.
        pos_label : label, optional
            The positive class. It may be left out if the labels are 0 and 1, -1 and 1, or booleans.
        max_rows : int, default=1_000_000
            The most distinct rows, each with its label, that are kept; at least 2.

        Raises
        ------
        ValueError
            If an argument is invalid, or there are more distinct rows; the message says
            how many there can be and how much memory they would take.

        Examples
        --------
        >>> RowCounts.from_rows([[38.2, 1], [36.6, 0]], ["ill", "well"], pos_label="ill",
        ...                     thresholds=[37.5, np.nan]).X
        array([[0., 0.], [1., 1.]])
        """
        max_rows = check_integer(max_rows, "max_rows", minimum=2)
        check_aligned(X=X, y=y, sample_weight=sample_weight)
        matrix = check_matrix(X, nan=True)
        positive, neg_label = split_labels(y, pos_label, "y")
        check_same_length(positive.size, X=matrix)
        weight = np.ones(positive.size)
        if sample_weight is not None:
            weight = check_piece_weights(sample_weight, positive.size)
        yes = _answers(matrix, thresholds)
        missing = np.isnan(matrix)
        has_weight = weight > 0
        octets = np.packbits(np.column_stack((yes, missing, positive))[has_weight], axis=1)
        padded = np.pad(octets, ((0, 0), (0, -octets.shape[1] % 8)))
        key = padded.view(">u8").astype(np.uint64)
        return _count(key, weight[has_weight], matrix.shape[1], max_rows, neg_label)

    @classmethod
    def from_partitions(
        cls,
        partitions: Iterable[tuple[ArrayLike, ...] | RowCounts],
        *,
        thresholds: ArrayLike | None = None,
        pos_label: Any = None,
        max_rows: int = DEFAULT_MAX_ROWS,
    ) -> RowCounts:
        """Count all pieces together; only one piece is in memory at a time.

        Parameters
        ----------
        partitions : iterable of tuple or RowCounts
            Each piece is ``(X, y)`` or ``(X, y, sample_weight)``, or counted already.
        thresholds, pos_label, max_rows
            As in :meth:`from_rows`.

        Raises
        ------
        ValueError
            If a piece is invalid (the message counts pieces from 0), or there is none.

        Examples
        --------
        >>> RowCounts.from_partitions([([[1], [0]], [1, 0]), ([[1]], [1], [2.5])])
        <RowCounts: 2 distinct rows, n_features=1, weight 4.5>
        """
        options = {"thresholds": thresholds, "pos_label": pos_label, "max_rows": max_rows}
        counts: RowCounts = add_up(partitions, RowCounts, cls.from_rows, options)
        return counts


def _answers(matrix: Floats, thresholds: ArrayLike | None) -> Bools:
    """Mark where the answer is yes."""
    n_features = matrix.shape[1]
    threshold = np.full(n_features, np.nan)
    if thresholds is not None:
        threshold = check_numbers(thresholds, "thresholds")
        if threshold.shape != (n_features,):
            raise ValueError(
                f"thresholds must be one per column of X, {n_features}; got shape "
                f"{threshold.shape}."
            )
    is_binary = np.isnan(threshold)
    is_invalid = ~np.isin(matrix, (0.0, 1.0)) & ~np.isnan(matrix) & is_binary
    if is_invalid.any():
        j = int(is_invalid.any(axis=0).argmax())
        raise ValueError(
            f"X must be 0 or 1 where there is no threshold; column {j} holds "
            f"{int(is_invalid[:, j].sum())} other values."
        )
    return np.asarray(matrix > np.where(is_binary, 0.5, threshold))


def _count(
    key: NDArray[np.uint64],
    weight: Floats,
    n_features: int,
    max_rows: int,
    neg_label: Hashable | None,
) -> RowCounts:
    """Add up equal rows with equal labels."""
    check_spread("sample_weight", weight, sums=True)
    order = np.lexsort(key.T[::-1])
    key = key[order]
    new = np.ones(len(key), dtype=np.bool_)
    new[1:] = (key[1:] != key[:-1]).any(axis=1)
    start = np.flatnonzero(new)
    if start.size > max_rows:
        raise ValueError(
            f"X holds {start.size} distinct rows with their labels already, more than "
            f"max_rows={max_rows}, and {n_features} features allow 2**{n_features + 1}. Every "
            f"million rows take about {8e-3 * (n_features + 2):.2g} GB to learn from: choose "
            "fewer features, or set max_rows higher."
        )
    total = np.add.reduceat(weight[order], start) if start.size else np.empty(0)
    return RowCounts(key[start], total, n_features, max_rows, neg_label)
