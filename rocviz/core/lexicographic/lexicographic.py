"""Lexicographic rankers: in the order of the attributes, the first difference decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.frozen import DataFrame, Frozen, read_only, to_frame
from rocviz.core.base.naming import name_texts
from rocviz.core.base.validation import (
    Floats,
    Weights,
    as_array,
    check_aligned,
    check_samples,
    check_sequence,
    describe,
)
from rocviz.core.lexicographic.attribute_counts import (
    ValueCounts,
    check_smoothing,
    count_values,
    likelihood_ratios,
    smoothed_odds_ratios,
)
from rocviz.core.lexicographic.patterns import Bits, check_bits, dense_rank, pack
from rocviz.core.roc.segments import RankedSegments

Integers = NDArray[np.intp]

_LOG_RATIO_DECIMALS = 12  # digits of compared logarithms of odds ratios; rounding breaks no tie


@dataclass(frozen=True)
class Attribute:
    """The meaning of a column of 0 and 1, in words.

    Parameters
    ----------
    feature : int
        The column of the data that it is made of.
    name : str
        Name of that column.
    zero_text, one_text : str
        Texts after the name for the values 0 and 1, such as ``"= red"`` or ``"> 3.5"``.
    """

    feature: int
    name: str
    zero_text: str
    one_text: str


@dataclass(frozen=True, eq=False)
class LexicographicOrder(Frozen):
    """Attributes from the most to the least important, and the preferred value of each.

    Of two rows, the one that has the preferred value of the first attribute in which they
    differ ranks higher. :func:`lex_order` makes one from data.

    Parameters
    ----------
    order : ndarray of int, shape (n_ranked,)
        Column of each attribute, the most important first.
    preferred : ndarray of uint8, shape (n_ranked,)
        Preferred value, 0 or 1, in the same order.
    likelihood_ratio : ndarray of float, shape (n_ranked,)
        Likelihood ratio of the preferred value, from 0 to inf.
    odds_ratio : ndarray of float, shape (n_ranked,)
        Likelihood ratio of the preferred value over that of the other, from 0 to inf.
    tpr, fpr : ndarray of float, shape (n_ranked,)
        Share of positives and of negatives with the preferred value, in [0, 1], smoothed like
        the ratios: the attribute as a point in ROC space, on the isometric of its odds ratio.
    dropped : ndarray of int
        Columns without preference.
    smoothing : float
        Number added to each count.
    """

    order: Integers
    preferred: Bits
    likelihood_ratio: Floats
    odds_ratio: Floats
    tpr: Floats
    fpr: Floats
    dropped: Integers
    smoothing: float

    def __len__(self) -> int:
        return int(self.order.size)

    @property
    def n_attributes(self) -> int:
        """Columns of the data, dropped ones included."""
        return int(self.order.size + self.dropped.size)

    def rank(self, X: ArrayLike) -> Integers:
        """Rank rows densely, see :func:`lexicographic_rank`.

        Parameters
        ----------
        X : array-like of 0 and 1, shape (n_samples, n_attributes)

        Returns
        -------
        ndarray of int, shape (n_samples,)
            1 is the most positive.

        Raises
        ------
        ValueError
            If ``X`` holds other values than 0 and 1, or more or fewer columns than the order.
        """
        bits = self.check_columns(check_bits(X))
        return lexicographic_rank(bits, self.order, self.preferred)

    def check_columns(self, bits: Bits) -> Bits:
        """Check that the table has the columns this order was made for.

        Parameters
        ----------
        bits : ndarray of uint8, shape (n_samples, n_attributes)

        Returns
        -------
        ndarray of uint8, shape (n_samples, n_attributes)

        Raises
        ------
        ValueError
            If it has more or fewer.
        """
        if bits.shape[1] != self.n_attributes:
            raise ValueError(
                f"X must have the {self.n_attributes} columns of this order; got {bits.shape[1]}."
            )
        return bits

    def segments(
        self, X: ArrayLike, y: ArrayLike, *, sample_weight: Weights = None, pos_label: Any = None
    ) -> RankedSegments:
        """Rank data: one segment per pattern that occurs.

        Parameters
        ----------
        X, y, sample_weight, pos_label
            As for :func:`lex_order`.

        Returns
        -------
        RankedSegments
            Their score is the negative dense rank.

        Raises
        ------
        ValueError
            If an argument is invalid.

        Examples
        --------
        >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [1, 0, 1, 1]
        >>> lex_order(X, y, order=[1, 0]).segments(X, y).pos
        array([1., 1., 1., 0.])
        """
        rank = self.rank(X)
        check_aligned(X=X, y=y, sample_weight=sample_weight)
        positive, weight = check_samples(y, sample_weight, pos_label, "y", X=rank)
        return RankedSegments.from_scores(positive, -rank, sample_weight=weight)

    def to_frame(self, names: Sequence[str] | None = None) -> DataFrame:
        """Tabulate the attributes, the most important first.

        Parameters
        ----------
        names : sequence of str, optional
            Names of all columns, dropped ones included; by default ``x0, x1, ...``.

        Returns
        -------
        pandas.DataFrame
            Columns ``attribute, preferred, likelihood_ratio, odds_ratio, tpr, fpr``.
        """
        all_names = attribute_names(names, self.n_attributes)
        return to_frame(
            attribute=[all_names[j] for j in self.order],
            preferred=self.preferred,
            likelihood_ratio=self.likelihood_ratio,
            odds_ratio=self.odds_ratio,
            tpr=self.tpr,
            fpr=self.fpr,
        )


def attribute_names(names: Sequence[str] | None, n_attributes: int) -> list[str]:
    """Name the columns."""
    if names is None:
        return [f"x{j}" for j in range(n_attributes)]
    names = check_sequence(names, "names", f"{n_attributes} names, one per column")
    if len(names) != n_attributes:
        raise ValueError(
            f"names must be {n_attributes} names, one per column; got {describe(names)}."
        )
    return name_texts(names, "names")


def odds_ratios(
    X: ArrayLike,
    y: ArrayLike,
    *,
    smoothing: float = 1.0,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> Floats:
    """Compute the odds ratio of each column.

    That is the likelihood ratio of 1 over the likelihood ratio of 0.

    Parameters
    ----------
    X : array-like of 0 and 1, shape (n_samples, n_attributes)
    y : array-like, shape (n_samples,)
        Labels of two classes.
    smoothing : float, default=1.0
        Added to each count, of each value in each class; not negative. 1 is Laplace's
        correction of each conditional probability. It draws every share towards one half, that of
        the smaller class more strongly, so it raises the ratios of values that are rare there.
    sample_weight : array-like of float, shape (n_samples,), optional
        Not negative; counts as repetition.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.

    Returns
    -------
    ndarray of float, shape (n_attributes,)
        From 0 to inf; below 1 where 0 is the preferred value. 1 for a column with one value
        only, which carries no evidence.

    Raises
    ------
    ValueError
        If ``X`` holds other values than 0 and 1, or ``smoothing`` is negative.

    References
    ----------
    Flach and Matsubara (2008), Definition 2.

    Examples
    --------
    >>> from rocviz.datasets import load_flach_matsubara
    >>> X, y = load_flach_matsubara(return_X_y=True)
    >>> odds_ratios(X, y, smoothing=0).round(3)
    array([1.5  , 0.444])
    """
    counts = count_values(X, y, sample_weight, pos_label)
    return smoothed_odds_ratios(counts, check_smoothing(smoothing))


def lex_order(
    X: ArrayLike,
    y: ArrayLike,
    *,
    smoothing: float = 1.0,
    order: ArrayLike | None = None,
    preferred: ArrayLike | None = None,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> LexicographicOrder:
    """Find LexRank's order of the attributes, or measure a given one.

    The preferred value of an attribute is the one with a likelihood ratio above 1; the order
    is by decreasing odds ratio, equal ones by column.

    Parameters
    ----------
    X, y, sample_weight, pos_label
        As for :func:`odds_ratios`.
    smoothing : float, default=1.0
        As for :func:`odds_ratios`. With 0, infinite odds ratios come first.
    order : array-like of int, optional
        Different columns, the most important first, to be taken as they are; columns left out
        are dropped. By default LexRank's own, without the columns whose odds ratio is 1.
    preferred : array-like of 0 and 1, shape (n_attributes,), optional
        Preferred value of each *column*, by default LexRank's own (1 where it has none).

    Raises
    ------
    ValueError
        If ``X`` holds other values than 0 and 1, or ``smoothing`` is negative.

    Notes
    -----
    Odds ratios whose logarithms agree to twelve decimals count as equal.

    References
    ----------
    Flach and Matsubara (2008), Definitions 1 and 2.

    Examples
    --------
    >>> from rocviz.datasets import load_flach_matsubara
    >>> X, y = load_flach_matsubara(return_X_y=True)
    >>> learned = lex_order(X, y, smoothing=0)
    >>> learned.order, learned.preferred, learned.odds_ratio
    (array([1, 0]), array([0, 1], dtype=uint8), array([2.25, 1.5 ]))
    """
    check_aligned(X=X, y=y, sample_weight=sample_weight)
    bits = check_bits(X)
    n_attributes = bits.shape[1]
    smoothing = check_smoothing(smoothing)
    columns = None if order is None else _columns(order, n_attributes)
    values = None if preferred is None else _values(preferred, n_attributes)
    counts = count_values(bits, y, sample_weight, pos_label)
    ratio = smoothed_odds_ratios(counts, smoothing)
    return order_of_counts(counts, ratio, smoothing, columns, values)


def order_of_counts(
    counts: ValueCounts,
    ratio: Floats,
    smoothing: float,
    columns: Integers | None = None,
    values: Bits | None = None,
) -> LexicographicOrder:
    """Make the order of :func:`lex_order` from counts, odds ratios and checked arguments."""
    with np.errstate(divide="ignore"):  # avoids infinite rarity
        log_ratio = np.round(np.log(ratio), _LOG_RATIO_DECIMALS)
        inverse = 1 / ratio
    if values is None:
        values = (log_ratio >= 0).astype(np.uint8)
    if columns is None:
        by_strength = np.argsort(-np.abs(log_ratio), kind="stable")
        has_preference = log_ratio[by_strength] != 0
        columns = by_strength[has_preference]
    preferred = values[columns].astype(np.uint8)
    prefers_one = preferred == 1
    pos = np.where(prefers_one, counts.pos[columns], counts.pos_0[columns])
    neg = np.where(prefers_one, counts.neg[columns], counts.neg_0[columns])
    return LexicographicOrder(
        order=columns,
        preferred=preferred,
        likelihood_ratio=likelihood_ratios(pos, neg, counts, smoothing),
        odds_ratio=np.where(prefers_one, ratio[columns], inverse[columns]),
        tpr=(pos + smoothing) / (counts.n_pos + 2 * smoothing),
        fpr=(neg + smoothing) / (counts.n_neg + 2 * smoothing),
        dropped=np.setdiff1d(np.arange(len(ratio)), columns),
        smoothing=smoothing,
    )


def lexicographic_rank(X: ArrayLike, order: ArrayLike, preferred: ArrayLike) -> Integers:
    """Compute the dense lexicographic rank of each row; no tree is built.

    Rows become bit patterns, bytes that are sorted; any number of attributes will do.

    Parameters
    ----------
    X : array-like of 0 and 1, shape (n_samples, n_attributes)
    order : array-like of int, shape (n_ranked,)
        Different columns, the most important first. Others do not matter.
    preferred : array-like of 0 and 1, shape (n_ranked,)
        Preferred value of each, in the same order.

    Returns
    -------
    ndarray of int, shape (n_samples,)
        1 is the most positive; equal for rows that differ in no ranked attribute.

    Raises
    ------
    ValueError
        If ``X`` holds other values than 0 and 1, or ``order`` no columns of it.

    References
    ----------
    Flach and Matsubara (2008), Definition 1.

    Examples
    --------
    >>> lexicographic_rank([[0, 0], [0, 1], [1, 0], [1, 0]], order=[1, 0], preferred=[0, 1])
    array([2, 3, 1, 1])
    """
    bits = check_bits(X)
    columns = _columns(order, bits.shape[1])
    return read_only(dense_rank(pack(bits, columns, _values(preferred, columns.size))))


# ---------------------------------------------------------------------- checks


def _columns(order: ArrayLike, n_attributes: int) -> Integers:
    columns = as_array(order, "order", "columns")
    is_valid = columns.ndim == 1 and (columns.dtype.kind in "iu" or not columns.size)
    if is_valid and columns.size:
        is_inside = columns.min() >= 0 and columns.max() < n_attributes
        is_valid = bool(is_inside and np.unique(columns).size == columns.size)
    if not is_valid:
        raise ValueError(
            f"order must be different columns from 0 to {n_attributes - 1}; got {describe(order)}."
        )
    return columns.astype(np.intp)


def _values(preferred: ArrayLike, n_values: int) -> Bits:
    values = as_array(preferred, "preferred", "values that are 0 or 1")
    if values.shape != (n_values,) or not np.isin(values, (0, 1)).all():
        raise ValueError(
            f"preferred must be {n_values} values, each 0 or 1; got {describe(preferred)}."
        )
    return values.astype(np.uint8)
