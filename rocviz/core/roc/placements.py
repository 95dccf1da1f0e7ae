"""DeLong's placements, and the covariance of AUCs from them, for samples and for clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.validation import Bools, Floats
from rocviz.core.roc.auc_variance import MAX_WEIGHT_OF_ONE_SAMPLE, weight_before

#: AUCs, or placements of a sample, that differ by less are equal up to rounding.
MAX_ROUNDING_ERROR = 1e-13


def placements(
    positive: Bools, score: Floats, weight: Floats | None = None
) -> tuple[Floats, Floats]:
    """Count the other class on the correct side of each sample; ties count half.

    Counts are the negatives below each positive, and the positives above each negative. As shares
    of the other class they are DeLong's placements, whose mean is the AUC; as counts they are not
    rounded. ``weight`` says how often each sample is repeated.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988). One sort and running counts of the tied groups
    replace their matrix of all pairs.
    """
    order = np.argsort(score)
    ascending = score[order]
    is_pos = positive[order]
    start = np.concatenate(([0], np.flatnonzero(ascending[1:] != ascending[:-1]) + 1))
    size = np.diff(start, append=score.size)
    w = np.ones(score.size) if weight is None else weight[order]
    pos = np.add.reduceat(np.where(is_pos, w, 0.0), start)
    neg = np.add.reduceat(np.where(is_pos, 0.0, w), start)
    negatives_below = np.repeat(weight_before(neg), size)
    positives_above = np.repeat(weight_before(pos[::-1])[::-1], size)
    count = np.empty(score.size)
    count[order] = np.where(is_pos, negatives_below, positives_above)
    return count[positive], count[~positive]


def without_rounding(of_pos: Floats, of_neg: Floats) -> tuple[Floats, Floats]:
    """Set differences of placements to zero in rows where they are only rounding.

    Weights are summed in the order of the scores, so that sums of the same weights differ a little.
    """
    largest = np.maximum(
        np.abs(of_pos).max(axis=-1, keepdims=True), np.abs(of_neg).max(axis=-1, keepdims=True)
    )
    is_real = largest >= MAX_ROUNDING_ERROR
    return np.where(is_real, of_pos, 0.0), np.where(is_real, of_neg, 0.0)


def satterthwaite_degrees(variances: Floats, sizes: Floats) -> Floats:
    """Compute the degrees of freedom of a sum of variances of means, one per row.

    ``sizes`` are the numbers of samples behind each; infinite where all variances are 0.

    References
    ----------
    Satterthwaite (1946).
    """
    total = variances.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = (variances**2 / (sizes - 1)).sum(axis=0)
        degrees = np.where(total > 0, total**2 / squares, np.inf)
    return np.asarray(degrees)


@dataclass(frozen=True, eq=False)
class PlacementSpread:
    """Covariances of AUCs, or of their differences, from deviations of placements.

    Weights say how often samples are repeated. Samples of one cluster (a patient's lesions) vary
    together; clusters are independent.
    """

    w_pos: Floats  # weights of the positives, and of the negatives
    w_neg: Floats
    # cluster of each positive, and of each negative, numbered from 0, if there are clusters
    unit_pos: NDArray[np.intp] | None = None
    unit_neg: NDArray[np.intp] | None = None
    n_clusters: int = 0
    n_pos_clusters: int = 0
    n_neg_clusters: int = 0

    @classmethod
    def of(
        cls, positive: Bools, weight: Floats, unit: NDArray[np.intp] | None = None
    ) -> PlacementSpread:
        """Split weights and clusters by class."""
        w_pos = weight[positive]
        w_neg = weight[~positive]
        if unit is None:
            return cls(w_pos, w_neg)
        unit_pos = unit[positive]
        unit_neg = unit[~positive]
        n_clusters = int(unit.max()) + 1
        return cls(
            w_pos,
            w_neg,
            unit_pos,
            unit_neg,
            n_clusters,
            int(np.count_nonzero(np.bincount(unit_pos, minlength=n_clusters))),
            int(np.count_nonzero(np.bincount(unit_neg, minlength=n_clusters))),
        )

    def check(self) -> None:
        """Raise if a class is too light, or in too few clusters, to show how much it varies."""
        if min(self.w_pos.sum(), self.w_neg.sum()) <= MAX_WEIGHT_OF_ONE_SAMPLE:
            raise ValueError(
                "y_true and sample_weight must give each class a weight of more than "
                f"{MAX_WEIGHT_OF_ONE_SAMPLE}, as at least two samples of each are needed for a "
                "variance."
            )
        if self.unit_pos is not None and min(self.n_pos_clusters, self.n_neg_clusters) < 2:
            raise ValueError("clusters must hold at least two clusters with samples of each class.")

    @property
    def smaller(self) -> float:
        """Weight of the smaller class, or the number of clusters that hold it."""
        if self.unit_pos is None:
            return float(min(self.w_pos.sum(), self.w_neg.sum()))
        return float(min(self.n_pos_clusters, self.n_neg_clusters))

    def covariance(self, of_pos: Floats, of_neg: Floats) -> Floats:
        """Compute the covariance of means of which the rows are the samples' deviations.

        Of a stack of such tables there is a covariance of each. The variance of a mean whose
        estimate is not positive, as that of clusters need not be, leaves out the products of both
        classes.

        References
        ----------
        DeLong, DeLong and Clarke-Pearson (1988). Obuchowski (1997).
        """
        n_pos = self.w_pos.sum()
        n_neg = self.w_neg.sum()
        if self.unit_pos is None or self.unit_neg is None:
            of_class = _products(of_pos * self.w_pos, of_pos) / (n_pos - 1) / n_pos
            of_class += _products(of_neg * self.w_neg, of_neg) / (n_neg - 1) / n_neg
            return np.asarray(of_class)
        sum_pos = _by_cluster(of_pos * self.w_pos / n_pos, self.unit_pos, self.n_clusters)
        sum_neg = _by_cluster(of_neg * self.w_neg / n_neg, self.unit_neg, self.n_clusters)
        of_class = _corrected(self.n_pos_clusters) * _products(sum_pos, sum_pos)
        of_class += _corrected(self.n_neg_clusters) * _products(sum_neg, sum_neg)
        cross = _corrected(self.n_clusters) * _products(sum_pos, sum_neg)
        total = of_class + cross + cross.swapaxes(-1, -2)
        is_diagonal = np.eye(total.shape[-1], dtype=np.bool_)
        is_lost = is_diagonal & (total <= MAX_ROUNDING_ERROR * of_class)
        return np.asarray(np.where(is_lost, of_class, total))

    def degrees(self, of_pos: Floats, of_neg: Floats) -> Floats:
        """Compute the degrees of freedom of the variance of each row, after Satterthwaite.

        With clusters they are those of the class that fewer clusters hold.
        """
        if self.unit_pos is not None:
            fewer = min(self.n_pos_clusters, self.n_neg_clusters)
            return np.full(of_pos.shape[:-1], fewer - 1.0)
        n_pos = self.w_pos.sum()
        n_neg = self.w_neg.sum()
        variances = np.stack(
            (
                of_pos**2 @ self.w_pos / (n_pos - 1) / n_pos,
                of_neg**2 @ self.w_neg / (n_neg - 1) / n_neg,
            )
        )
        shape = (2,) + (1,) * (variances.ndim - 1)
        return satterthwaite_degrees(variances, np.reshape((n_pos, n_neg), shape))


def _corrected(n_clusters: int) -> float:
    """Compute the correction of a sum of squares for a small number of clusters."""
    return n_clusters / (n_clusters - 1)


def _products(first: Floats, second: Floats) -> Floats:
    """Compute the inner products of all rows of one table with those of another, for each pair."""
    return np.asarray(first @ second.swapaxes(-1, -2))


def _by_cluster(share: Floats, unit: NDArray[np.intp], n_clusters: int) -> Floats:
    """Sum the shares of each cluster, one row per ranking."""
    rows = int(np.prod(share.shape[:-1]))
    cell = unit if rows == 1 else unit + n_clusters * np.arange(rows)[:, None]
    total = np.bincount(cell.ravel(), share.ravel(), n_clusters * rows)
    return np.asarray(total.reshape(*share.shape[:-1], n_clusters), dtype=np.float64)
