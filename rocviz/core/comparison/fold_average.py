"""ROC curves of the folds of a cross-validation: average, spread, and pooled curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from scipy.special import stdtrit

from rocviz.core.base import validation
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import Floats
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
        half = self._times(kind, confidence) * self.spread
        return np.maximum(self.tpr - half, 0.0), np.minimum(self.tpr + half, 1.0)

    def auc_band(
        self, kind: str = "spread", *, confidence: float = 0.95
    ) -> tuple[float, float, float]:
        """Compute the mean AUC and the ends of its band.

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
        half = self._times(kind, confidence) * float(auc.std(ddof=1))
        return float(auc.mean()), max(auc.mean() - half, 0.0), min(auc.mean() + half, 1.0)

    def _times(self, kind: str, confidence: float) -> float:
        """Compute the half-width of a band in standard deviations."""
        validation.check_choice(kind, "kind", BANDS)
        level = validation.check_fraction(confidence, "confidence")
        if kind == "spread":
            return 1.0
        n = len(self.folds)
        return -float(stdtrit(n - 1, (1 - level) / 2)) * float(
            np.sqrt(1 / n + self.test_train_ratio)
        )


def fold_average(
    folds: Sequence[RankedSegments], *, test_train_ratio: float | None = None
) -> FoldAverage:
    """Average the ROC curves of the folds of a cross-validation.

    The average is exact, also at upright edges: the area under it is the mean of the AUCs.

    Parameters
    ----------
    folds : sequence of RankedSegments
        The samples that each fold was tested on, at least two folds.
    test_train_ratio : float, optional
        Samples tested on, divided by those learned from; positive. By default that of
        ``len(folds)``-fold cross-validation, ``1 / (len(folds) - 1)``.

    Raises
    ------
    ValueError
        If there are fewer than two folds, or the ratio is not positive.

    References
    ----------
    Macskassy, Provost and Rosset (2005). Nadeau and Bengio (2003).

    Examples
    --------
    >>> one = RankedSegments(score=[3, 2, 1], pos=[2, 1, 1], neg=[0, 1, 1])
    >>> other = RankedSegments(score=[3, 2, 1], pos=[1, 2, 1], neg=[1, 0, 1])
    >>> from scipy.integrate import trapezoid
    >>> average = fold_average([one, other])
    >>> average.auc, float(trapezoid(average.tpr, average.fpr))
    (array([0.75, 0.5 ]), 0.625)
    """
    parts = tuple(validation.check_sequence(folds, "folds", "two or more RankedSegments"))
    if len(parts) < 2:
        raise ValueError(f"folds must be at least two; got {len(parts)}.")
    for i, fold in enumerate(parts):
        if not isinstance(fold, RankedSegments):
            raise ValueError(f"folds[{i}] must be RankedSegments; got {type(fold).__name__}.")
    if test_train_ratio is None:
        ratio = 1 / (len(parts) - 1)
    else:
        ratio = validation.check_number(test_train_ratio, "test_train_ratio", above=0.0)
    fpr = np.unique(np.concatenate([fold.fpr for fold in parts]))
    both = np.array([_both_ends(fold.fpr, fold.tpr, fpr) for fold in parts])
    return FoldAverage(
        folds=parts,
        fpr=np.repeat(fpr, 2),
        tpr=both.mean(axis=0),
        spread=both.std(axis=0, ddof=1),
        test_train_ratio=ratio,
    )


def _both_ends(fpr: Floats, tpr: Floats, at: Floats) -> Floats:
    """Find the lowest and the highest true positive rate at each false positive rate."""
    first = np.searchsorted(fpr, at, side="left")
    last = np.searchsorted(fpr, at, side="right") - 1
    # between two vertices both are the same point of an edge
    after = np.minimum(last + 1, fpr.size - 1)
    width = np.where(fpr[after] > fpr[last], fpr[after] - fpr[last], 1.0)
    between = tpr[last] + (tpr[after] - tpr[last]) * (at - fpr[last]) / width
    on = fpr[np.minimum(first, fpr.size - 1)] == at
    low, high = np.where(on, tpr[first], between), np.where(on, tpr[last], between)
    return np.column_stack((low, high)).ravel()
