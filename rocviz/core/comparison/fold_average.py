"""ROC curves of the folds of a cross-validation: average, spread, and pooled curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from rocviz.core.base.classes import positive_column
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.naming import prefix_error_with
from rocviz.core.base.validation import (
    Floats,
    Weights,
    check_aligned,
    check_choice,
    check_fraction,
    check_number,
    check_samples,
    check_sequence,
    check_vector,
    number_labels,
)
from rocviz.core.roc.auc_variance import MIN_ERRORS_OF_SMALLER_CLASS
from rocviz.core.roc.metrics import binomial_interval
from rocviz.core.roc.segments import RankedSegments

#: Kinds of band over folds.
BANDS = ("spread", "interval")


@dataclass(frozen=True, eq=False)
class FoldAverage(Frozen):
    """The average of the ROC curves of several folds, and their pooled ranking.

    Parameters
    ----------
    folds : tuple of RankedSegments
    fpr, tpr : ndarray of float, shape (n_points,)
        The average: at each false positive rate the mean of the folds' true positive rates.
        Where a fold's curve is upright, the rate stands twice, with both its ends.
    spread : ndarray of float, shape (n_points,)
        Standard deviation of the folds' true positive rates.
    test_train_ratio : float
        Samples tested on, divided by those learned from.
    """

    folds: tuple[RankedSegments, ...]
    fpr: Floats
    tpr: Floats
    spread: Floats
    test_train_ratio: float

    @property
    def auc(self) -> Floats:
        """AUC of each fold, shape (n_folds,); the area under the average is their mean."""
        return np.array([fold.auc for fold in self.folds])

    @property
    def pooled(self) -> RankedSegments:
        """All folds in one ranking, which assumes that their scores are comparable.

        Each fold has a model of its own. Where these score on different scales, the ranking of all
        is worse than that of any fold; its AUC need not lie between those of the folds.
        """
        return reduce(RankedSegments.merge, self.folds)

    def band(self, kind: str = "spread", *, confidence: float = 0.95) -> tuple[Floats, Floats]:
        """Compute the lower and the upper edge of a band at each false positive rate.

        Parameters
        ----------
        kind : {"spread", "interval"}, default="spread"
            One standard deviation over folds either way: about where the curve of one fold
            lies. Or the interval of the mean, from the corrected resampled t-test: learning sets
            overlap, so its standard error is ``sqrt(1 / n_folds + test_train_ratio)`` standard
            deviations in place of ``sqrt(1 / n_folds)``.
        confidence : float, default=0.95
            Confidence level of the interval at each rate, strictly between 0 and 1.

        Returns
        -------
        lower, upper : ndarray of float, shape (n_points,)
            Within [0, 1].

        Raises
        ------
        ValueError
            If `kind` is another word, or `confidence` is 0, 1 or beyond them.

        References
        ----------
        Macskassy, Provost and Rosset (2005). Nadeau and Bengio (2003).
        """
        half = self._width(kind, confidence) * self.spread
        return np.maximum(self.tpr - half, 0.0), np.minimum(self.tpr + half, 1.0)

    def auc_band(
        self, kind: str = "spread", *, confidence: float = 0.95
    ) -> tuple[float, float, float]:
        """Compute the mean AUC and the ends of its band.

        Where folds show few errors they hardly differ, which says nothing of others. So an interval
        with fewer than five errors of the smaller class, ``m * min(AUC, 1 - AUC) < 5`` for the m
        samples of the smaller class of each fold together, is widened to hold Clopper and
        Pearson's, as many pairs of samples having been ranked.

        In simulations of linear learners with 50 to 1,000 samples, prevalences of .5 and .05 and
        ten folds, intervals of 95 % hold the mean AUC of models learned from so many samples in
        92 to 100 % of the data sets.

        Parameters
        ----------
        kind, confidence
            As for :meth:`band`.

        Returns
        -------
        mean, lower, upper : float
            The ends are within [0, 1].

        Raises
        ------
        ValueError
            If an argument is invalid.
        """
        auc = self.auc
        mean = float(auc.mean())
        half = self._width(kind, confidence) * float(auc.std(ddof=1))
        lower = max(mean - half, 0.0)
        upper = min(mean + half, 1.0)
        n_pairs = sum(min(fold.n_pos, fold.n_neg) for fold in self.folds)
        if kind == "interval" and n_pairs * min(mean, 1 - mean) < MIN_ERRORS_OF_SMALLER_CLASS:
            ends = binomial_interval(
                mean * n_pairs, n_pairs, confidence=confidence, method="clopper-pearson"
            )
            lower = min(lower, float(ends[0]))
            upper = max(upper, float(ends[1]))
        return mean, lower, upper

    def _width(self, kind: str, confidence: float) -> float:
        """Compute the half-width of a band in standard deviations."""
        check_choice(kind, "kind", BANDS)
        level = check_fraction(confidence, "confidence")
        if kind == "spread":
            return 1.0
        n = len(self.folds)
        return -float(stdtrit(n - 1, (1 - level) / 2)) * float(
            np.sqrt(1 / n + self.test_train_ratio)
        )


def fold_average(
    y_true: ArrayLike | Sequence[RankedSegments],
    y_score: ArrayLike | None = None,
    fold: ArrayLike | None = None,
    *,
    test_train_ratio: float | None = None,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> FoldAverage:
    """Average the ROC curves of the folds of a cross-validation.

    The average is exact, also at upright edges: the area under it is the mean of the AUCs.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or sequence of RankedSegments
        Labels of exactly two classes. The segments of at least two folds, each of the samples that
        it was tested on, stand for labels, scores, folds and weights.
    y_score : array-like of float, shape (n_samples,)
        Finite; higher means more positive.
    fold : array-like, shape (n_samples,)
        Which fold each sample was tested in.
    test_train_ratio : float, optional
        Samples tested on, divided by those learned from; positive. By default that of a
        cross-validation of so many folds, ``1 / (n_folds - 1)``.
    sample_weight, pos_label
        As for :meth:`rocviz.RankedSegments.from_scores`.

    Raises
    ------
    ValueError
        If an argument is invalid, there are fewer than two folds, or a fold lacks a class.

    References
    ----------
    Macskassy, Provost and Rosset (2005). Nadeau and Bengio (2003).

    Examples
    --------
    >>> first = RankedSegments(score=[3, 2, 1], pos=[2, 1, 1], neg=[0, 1, 1])
    >>> second = RankedSegments(score=[3, 2, 1], pos=[1, 2, 1], neg=[1, 0, 1])
    >>> from scipy.integrate import trapezoid
    >>> average = fold_average([first, second])
    >>> average.auc, float(trapezoid(average.tpr, average.fpr))
    (array([0.75, 0.5 ]), 0.625)
    """
    folds = _rank_folds(y_true, y_score, fold, sample_weight, pos_label)
    if test_train_ratio is None:
        ratio = 1 / (len(folds) - 1)
    else:
        ratio = check_number(test_train_ratio, "test_train_ratio", above=0.0)
    fpr = np.unique(np.concatenate([fold.fpr for fold in folds]))
    tpr = np.array([_both_ends(fold.fpr, fold.tpr, fpr) for fold in folds])
    return FoldAverage(
        folds=folds,
        fpr=np.repeat(fpr, 2),
        tpr=tpr.mean(axis=0),
        spread=tpr.std(axis=0, ddof=1),
        test_train_ratio=ratio,
    )


def _rank_folds(
    y_true: ArrayLike | Sequence[RankedSegments],
    y_score: ArrayLike | None,
    fold: ArrayLike | None,
    sample_weight: Weights,
    pos_label: Any,
) -> tuple[RankedSegments, ...]:
    """Rank the samples of each fold, or check the folds' segments."""
    if y_score is None and fold is None:
        what = "segments of two or more folds, or labels with y_score and fold"
        folds = tuple(check_sequence(y_true, "y_true", what))
        for i, segments in enumerate(folds):
            if not isinstance(segments, RankedSegments):
                raise ValueError(
                    f"y_true[{i}] must be RankedSegments, unless y_score and fold are given; "
                    f"got {type(segments).__name__}."
                )
        if not (sample_weight is None and pos_label is None):
            raise ValueError(
                "y_score, fold, sample_weight and pos_label can only be given with labels; "
                "segments contain them already."
            )
    elif y_score is None or fold is None:
        raise ValueError("y_score and fold are both needed when y_true holds labels.")
    else:
        folds = _ranked_by_fold(y_true, y_score, fold, sample_weight, pos_label)
    if len(folds) < 2:
        name = "y_true" if fold is None else "fold"
        raise ValueError(f"{name} must hold at least two folds; got {len(folds)}.")
    return folds


def _ranked_by_fold(
    y_true: Any,
    y_score: ArrayLike,
    fold: ArrayLike,
    sample_weight: Weights,
    pos_label: Any,
) -> tuple[RankedSegments, ...]:
    """Rank the samples of each fold by their scores."""
    check_aligned(y_true=y_true, y_score=y_score, fold=fold, sample_weight=sample_weight)
    score = check_vector(positive_column(y_score, y_true, pos_label, "y_score"), "y_score")
    positive, weight = check_samples(y_true, sample_weight, pos_label, y_score=score)
    number = number_labels(fold, positive.size, "fold")
    folds = []
    for i in range(int(number.max()) + 1):
        rows = np.flatnonzero(number == i)
        fold_weight = None if weight is None else weight[rows]
        with prefix_error_with(f"fold {i}"):
            folds.append(
                RankedSegments.from_scores(positive[rows], score[rows], sample_weight=fold_weight)
            )
    return tuple(folds)


def _both_ends(fpr: Floats, tpr: Floats, rates: Floats) -> Floats:
    """Find the lowest and the highest true positive rate at each false positive rate."""
    first = np.searchsorted(fpr, rates, side="left")
    last = np.searchsorted(fpr, rates, side="right") - 1
    # between two vertices both are the same point of an edge
    after = np.minimum(last + 1, fpr.size - 1)
    width = np.where(fpr[after] > fpr[last], fpr[after] - fpr[last], 1.0)
    between = tpr[last] + (tpr[after] - tpr[last]) * (rates - fpr[last]) / width
    is_vertex = fpr[np.minimum(first, fpr.size - 1)] == rates
    low = np.where(is_vertex, tpr[first], between)
    high = np.where(is_vertex, tpr[last], between)
    return np.column_stack((low, high)).ravel()
