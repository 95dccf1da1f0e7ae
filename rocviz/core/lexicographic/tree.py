"""The lexicographic ranking tree: one level per attribute, leaves ranked from left to right.

It is only for display; ranking does not use it.
"""

from __future__ import annotations

from collections.abc import Sequence, Sized
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.blocks import weight_by_cell
from rocviz.core.base.frozen import DataFrame, Frozen, read_only, to_frame
from rocviz.core.base.validation import (
    Floats,
    Weights,
    check_aligned,
    check_integer,
    check_number,
    check_samples,
    describe,
)
from rocviz.core.calibration.calibration import fit_hull
from rocviz.core.lexicographic.lexicographic import LexicographicOrder, attribute_names
from rocviz.core.lexicographic.patterns import Bits, PatternScale, check_bits, pack
from rocviz.core.roc.segments import RankedSegments

_MAX_LEVELS = 16  # each one doubles the leaves


@dataclass(frozen=True, eq=False)
class LexicographicTree(Frozen):
    """A tree with one leaf per combination of a few attributes, the most positive first.

    Parameters
    ----------
    order : ndarray of int, shape (n_levels,)
        Column of the attribute at each depth.
    preferred : ndarray of uint8, shape (n_levels,)
        Its preferred value, to the left.
    pos, neg : ndarray of float, shape (2 ** n_levels,)
        Weight of positives and negatives in each leaf, from left to right; both are 0 in a
        leaf that no sample reaches.
    n_attributes : int
        Columns of the data.
    """

    order: NDArray[np.intp]
    preferred: Bits
    pos: Floats
    neg: Floats
    n_attributes: int

    @property
    def n_levels(self) -> int:
        """Attributes in the tree."""
        return int(self.order.size)

    @cached_property
    def values(self) -> Bits:
        """Value of each attribute in each leaf, shape (2 ** n_levels, n_levels)."""
        leaf = np.arange(self.pos.size)[:, None]
        other = (leaf >> np.arange(self.n_levels)[::-1]) & 1
        return read_only((other ^ self.preferred).astype(np.uint8))

    def counts(self, depth: int) -> tuple[Floats, Floats]:
        """Count positives and negatives of the nodes at a depth, from left to right.

        Parameters
        ----------
        depth : int
            0 is the root, ``n_levels`` the leaves.

        Returns
        -------
        pos, neg : ndarray of float, shape (2 ** depth,)

        Raises
        ------
        ValueError
            If the tree has no such depth.
        """
        depth = check_integer(depth, "depth", 0, self.n_levels)
        pos = self.pos.reshape(2**depth, -1).sum(axis=1)
        neg = self.neg.reshape(2**depth, -1).sum(axis=1)
        return pos, neg

    @cached_property
    def segments(self) -> RankedSegments:
        """The leaves that hold samples, as a ranking.

        Their score is the place of the leaf from the right, 0 for the last.
        """
        leaves = np.flatnonzero(self.pos + self.neg)
        score = (self.pos.size - 1 - leaves).astype(np.float64)
        return RankedSegments(score, self.pos[leaves], self.neg[leaves])

    @cached_property
    def hull_segment(self) -> NDArray[np.intp]:
        """Segment of the convex hull that each leaf belongs to, shape (2 ** n_levels,).

        0 is the most positive. An empty leaf between two segments belongs to the lower one;
        those beyond the ends to the first and the last.
        """
        lowest = self.segments.hull().score
        place = self.pos.size - 1.0 - np.arange(self.pos.size)
        return read_only(np.searchsorted(-lowest, -place).clip(max=lowest.size - 1))

    def probability(self, m: float = 2.0) -> Floats:
        """Compute LexProb's probability in each leaf: that of its hull segment.

        Parameters
        ----------
        m : float, default=2.0
            Parameter m of the m-estimate ``(pos + m / 2) / (n + m)``; 2 is Laplace's correction.

        Returns
        -------
        ndarray of float, shape (2 ** n_levels,)

        Raises
        ------
        ValueError
            If ``m`` is negative.

        Examples
        --------
        >>> from rocviz.core.lexicographic.lexicographic import lex_order
        >>> from rocviz.datasets import load_flach_matsubara
        >>> X, y = load_flach_matsubara(return_X_y=True)
        >>> lexicographic_tree(X, y, lex_order(X, y)).probability()
        array([0.625, 0.625, 0.625, 0.25 ])
        """
        weight = check_number(m, "m", minimum=0.0)
        return read_only(fit_hull(self.segments, m=weight).probability[self.hull_segment])

    # ------------------------------------------------------------------ words and tables

    def to_text(
        self, names: Sequence[str] | None = None, values: Sequence[tuple[str, str]] | None = None
    ) -> str:
        """Write the tree as text, one line per node, leaves with their counts.

        Parameters
        ----------
        names : sequence of str, shape (n_attributes,), optional
            Names of all columns; by default ``x0, x1, ...``.
        values : sequence of pairs of str, shape (n_attributes,), optional
            Names of 0 and 1 in each column; by default ``"= 0"`` and ``"= 1"``.

        Raises
        ------
        ValueError
            If there is not a name and a pair of words for each column.

        Examples
        --------
        >>> from rocviz.core.lexicographic.lexicographic import lex_order
        >>> from rocviz.datasets import load_flach_matsubara
        >>> X, y = load_flach_matsubara(return_X_y=True)
        >>> print(lexicographic_tree(X, y, lex_order(X, y)).to_text(["A1", "A2"]))
        A2 = 0
        |   A1 = 1: 2 positive, 3 negative
        |   A1 = 0: 4 positive, 1 negative
        A2 = 1
        |   A1 = 1: 3 positive, 1 negative
        |   A1 = 0: 1 positive, 5 negative
        """
        columns = attribute_names(names, self.n_attributes)
        if values is None:
            values = [("= 0", "= 1")] * self.n_attributes
        _check_pairs_of_words(values, self.n_attributes)
        lines = [] if self.n_levels else ["all"]
        for leaf, row in enumerate(self.values.tolist()):
            for depth, value in enumerate(row):
                # the upper nodes on the path to a leaf were written with an earlier leaf
                is_first_below = leaf % 2 ** (self.n_levels - 1 - depth) == 0
                if is_first_below:
                    j = int(self.order[depth])
                    lines.append("|   " * depth + f"{columns[j]} {values[j][value]}")
            lines[-1] += f": {self.pos[leaf]:,.10g} positive, {self.neg[leaf]:,.10g} negative"
        return "\n".join(lines)

    def to_frame(self, names: Sequence[str] | None = None) -> DataFrame:
        """Tabulate the leaves, the most positive first.

        Parameters
        ----------
        names : sequence of str, shape (n_attributes,), optional
            Names of all columns; by default ``x0, x1, ...``.

        Returns
        -------
        pandas.DataFrame
            A column of values per attribute in the tree, then ``pos, neg, hull_segment`` and
            LexProb's ``probability``.
        """
        all_names = attribute_names(names, self.n_attributes)
        table = {all_names[j]: self.values[:, depth] for depth, j in enumerate(self.order)}
        return to_frame(
            {
                **table,
                "pos": self.pos,
                "neg": self.neg,
                "hull_segment": self.hull_segment,
                "probability": self.probability(),
            }
        )


def _check_pairs_of_words(values: Any, n_attributes: int) -> None:
    """Raise unless there is a pair for each attribute."""
    is_valid = isinstance(values, Sequence) and not isinstance(values, str)
    if is_valid:
        is_valid = len(values) == n_attributes and all(
            isinstance(pair, Sized) and len(pair) == 2 for pair in values
        )
    if not is_valid:
        raise ValueError(f"values must be {n_attributes} pairs of words; got {describe(values)}.")


def lexicographic_tree(
    X: ArrayLike,
    y: ArrayLike,
    order: LexicographicOrder,
    *,
    max_levels: int = 5,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> LexicographicTree:
    """Count data in the leaves of a lexicographic ranking tree.

    Parameters
    ----------
    X, y, sample_weight, pos_label
        As for :func:`rocviz.lex_order`.
    order : LexicographicOrder
        Of these columns.
    max_levels : int, default=5
        Largest number of attributes, the most important ones first; from 0 to 16.

    Raises
    ------
    ValueError
        If ``order`` is of other columns than ``X``, or ``max_levels`` is too large.

    References
    ----------
    Flach and Matsubara (2008), Figure 3.

    Examples
    --------
    >>> from rocviz.core.lexicographic.lexicographic import lex_order
    >>> from rocviz.datasets import load_flach_matsubara
    >>> X, y = load_flach_matsubara(return_X_y=True)
    >>> tree = lexicographic_tree(X, y, lex_order(X, y))
    >>> tree.pos, tree.neg, tree.hull_segment
    (array([2., 4., 3., 1.]), array([3., 1., 1., 5.]), array([0, 0, 0, 1]))
    """
    if not isinstance(order, LexicographicOrder):
        raise ValueError(
            f"order must be a LexicographicOrder (see lex_order); got {type(order).__name__}."
        )
    max_levels = check_integer(max_levels, "max_levels", minimum=0)
    if max_levels > _MAX_LEVELS:
        raise ValueError(
            f"max_levels must be an integer of at most {_MAX_LEVELS}, as each level doubles the "
            f"leaves; {max_levels} levels have 2**{max_levels} of them."
        )
    n_levels = min(max_levels, len(order))
    bits = check_bits(X)
    check_aligned(X=X, y=y, sample_weight=sample_weight)
    positive, weight = check_samples(y, sample_weight, pos_label, "y", X=bits)
    order.check_columns(bits)
    columns = order.order[:n_levels]
    preferred = order.preferred[:n_levels]
    scale = PatternScale(n_levels, pack(bits[:0], columns, preferred))
    place = scale.number(pack(bits, columns, preferred)).astype(np.intp)
    if weight is None:
        weight = np.ones(positive.size)
    pos = weight_by_cell(place, weight * positive, 2**n_levels)
    neg = weight_by_cell(place, weight * ~positive, 2**n_levels)
    return LexicographicTree(
        order=columns,
        preferred=preferred,
        pos=pos[::-1].copy(),
        neg=neg[::-1].copy(),
        n_attributes=order.n_attributes,
    )
