"""Pairs of a positive and a negative: the square whose border is the ROC curve."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import DataFrame, Frozen, read_only, to_frame
from rocviz.core.base.samples import check_scored
from rocviz.core.base.validation import Floats, Weights, check_vector
from rocviz.core.roc.segments import RankedSegments


@dataclass(frozen=True, eq=False)
class RankedPairs(Frozen):
    """Every pair of a positive and a negative, both classes from the highest score down.

    In a square with a column for each negative and a row for each positive, as wide and as high as
    they weigh, the border between pairs in order and pairs out of order is the ROC curve, and the
    share of the square that is in order is the AUC.

    Parameters
    ----------
    pos_score, neg_score : array-like of float, shape (n_positives,), (n_negatives,)
        Scores of each class, none higher than the one before.
    pos_weight, neg_weight : array-like of float, shape (n_positives,), (n_negatives,)
        Weights of the samples, above 0.

    Raises
    ------
    ValueError
        If the arrays differ in length, are empty, not finite, not in order or not positive.

    References
    ----------
    Hanley and McNeil (1982).

    Examples
    --------
    >>> pairs = RankedPairs([0.9, 0.4], [0.6, 0.4, 0.1], [1, 1], [1, 1, 1])
    >>> pairs.cells()
    array([[1. , 1. , 1. ],
           [0. , 0.5, 1. ]])
    >>> pairs.auc
    0.75
    """

    pos_score: Floats
    neg_score: Floats
    pos_weight: Floats
    neg_weight: Floats

    def __post_init__(self) -> None:
        for name in ("pos_score", "neg_score", "pos_weight", "neg_weight"):
            object.__setattr__(self, name, check_vector(getattr(self, name), name))
        super().__post_init__()
        for name in ("pos", "neg"):
            score = getattr(self, f"{name}_score")
            weight = getattr(self, f"{name}_weight")
            if score.size == 0:
                raise ValueError(f"{name}_score is empty; both classes are needed.")
            if weight.size != score.size:
                raise ValueError(
                    f"{name}_weight must have one entry per score; got {weight.size} for "
                    f"{score.size} scores."
                )
            if (np.diff(score) > 0).any():
                raise ValueError(f"{name}_score must not increase from sample to sample.")
            if weight.min() <= 0:
                raise ValueError(f"{name}_weight must be above 0.")

    @cached_property
    def segments(self) -> RankedSegments:
        """The ranking of these samples."""
        positive = np.arange(self.pos_score.size + self.neg_score.size) < self.pos_score.size
        return RankedSegments.from_scores(
            positive,
            np.concatenate((self.pos_score, self.neg_score)),
            sample_weight=np.concatenate((self.pos_weight, self.neg_weight)),
        )

    @property
    def n_pairs(self) -> float:
        """Weight of all pairs, each of which weighs the product of its samples' weights."""
        return self.segments.n_pos * self.segments.n_neg

    @property
    def auc(self) -> float:
        """Share of the pairs in which the positive scores higher, with ties counted half."""
        return self.segments.auc

    @cached_property
    def rows(self) -> Floats:
        """Borders of the rows, from 0 to the weight of all positives."""
        return read_only(np.concatenate(([0.0], np.cumsum(self.pos_weight))))

    @cached_property
    def columns(self) -> Floats:
        """Borders of the columns, from 0 to the weight of all negatives."""
        return read_only(np.concatenate(([0.0], np.cumsum(self.neg_weight))))

    def cells(self) -> Floats:
        """Compare both samples of each pair.

        Returns
        -------
        array, shape (n_positives, n_negatives)
            1 where the positive scores higher, 0.5 where they tie, 0 where it scores lower.

        Raises
        ------
        ValueError
            If there are too many pairs to fit in memory.
        """
        n_pos = self.pos_score.size
        n_neg = self.neg_score.size
        check_effort(
            numbers=n_pos * n_neg, advice="draw a sample", positives=n_pos, negatives=n_neg
        )
        above = np.greater.outer(self.pos_score, self.neg_score)
        tied = np.equal.outer(self.pos_score, self.neg_score)
        return np.asarray(above + 0.5 * tied)

    def to_frame(self) -> DataFrame:
        """Tabulate how many pairs are in order, tied and out of order.

        Returns
        -------
        pandas.DataFrame
            Indexed by ``"in order"``, ``"tied"`` and ``"out of order"``, with the weight of the
            pairs and their share.

        Examples
        --------
        >>> RankedPairs([0.9, 0.4], [0.6, 0.4, 0.1], [1, 1], [1, 1, 1]).to_frame()
                      pairs     share
        in order        4.0  0.666667
        tied            1.0  0.166667
        out of order    1.0  0.166667
        """
        segments = self.segments
        in_order = float(segments.neg @ segments.cumulative_pos[:-1])
        tied = float(segments.neg @ segments.pos)
        pairs = np.array([in_order, tied, max(self.n_pairs - in_order - tied, 0.0)])
        frame = to_frame(pairs=pairs, share=pairs / self.n_pairs)
        frame.index = ["in order", "tied", "out of order"]
        return frame


def rank_pairs(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> RankedPairs:
    """Pair every positive with every negative, both from the highest score down.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,)
        Labels of exactly two classes.
    y_score : array-like of float, shape (n_samples,)
        Finite; higher means more positive.
    sample_weight : array-like of float, shape (n_samples,), optional
        Not negative. Samples of weight zero are left out.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.

    Returns
    -------
    RankedPairs

    Raises
    ------
    ValueError
        If anything is invalid, or a class has no weight.

    See Also
    --------
    rocviz.PairsDisplay : Draws them.

    References
    ----------
    Hanley and McNeil (1982).

    Examples
    --------
    >>> pairs = rank_pairs([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
    >>> pairs.n_pairs, pairs.auc
    (4.0, 0.875)
    """
    samples = check_scored(y_true, sample_weight, pos_label, y_score=y_score)
    (score,) = samples.scores
    weight = samples.w
    of_classes: list[Floats] = []
    for values in (score, weight):
        for is_class in (samples.positive, ~samples.positive):
            order = np.argsort(-score[is_class], kind="stable")
            of_classes.append(values[is_class][order])
    return RankedPairs(*of_classes)
