"""Whether scores of different folds of a cross-validation are on one scale."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.validation import Bools, Floats

SIGNIFICANCE_LEVEL = 0.05
MIN_PERMUTATIONS = 19
MAX_PERMUTATIONS = 199
MAX_RANKED_SAMPLES = 4_000_000  # by all permutations together
SAMPLES_OF_A_FOLD = 500  # that are ranked in the time that any fold takes
_ROUNDING = 1e-12  # differences of areas that are equal


class PooledFolds(NamedTuple):
    """The AUC of all folds in one ranking, beside the mean of their own.

    ``p_value`` is how often folds that are drawn by chance, each with as many samples of each
    class, differ as much; NaN with fewer than two folds of both classes.
    """

    pooled: float
    mean: float
    p_value: float

    @property
    def differ(self) -> bool:
        """Whether both AUCs differ by more than chance allows."""
        return self.p_value <= SIGNIFICANCE_LEVEL


def pool_folds(
    positive: Bools, score: Floats, fold: NDArray[Any], weight: Floats | None = None
) -> PooledFolds:
    """Compare the AUC of all folds in one ranking with the mean of the folds' AUCs.

    A permutation test: if scores of different folds are on one scale, samples of a class could as
    well have been in another fold. Folds of one class only are left out.

    Parameters
    ----------
    positive : ndarray of bool, shape (n_samples,)
    score : ndarray of float, shape (n_samples,)
    fold : ndarray, shape (n_samples,)
        Label of the fold of each sample.
    weight : ndarray of float, shape (n_samples,), optional
        How often each sample is repeated.

    Examples
    --------
    >>> positive = np.tile([False, True], 40)
    >>> score = np.where(positive, 1.0, 0.0) + np.arange(80) % 7
    >>> fold = np.repeat([0, 1, 2, 3], 20)
    >>> pool_folds(positive, score + 100 * fold, fold).differ
    True
    """
    weight = np.ones(score.size) if weight is None else weight
    number = np.unique(fold, return_inverse=True)[1]
    rows_of_folds = []
    for k in range(number.max() + 1):
        rows = np.flatnonzero(number == k)
        if 0 < np.count_nonzero(positive[rows]) < rows.size:
            rows_of_folds.append(rows)
    if len(rows_of_folds) < 2:
        return PooledFolds(float("nan"), float("nan"), float("nan"))
    kept = np.concatenate(rows_of_folds)
    pooled = _area(positive, score, weight, kept)

    def mean_of_folds(source: NDArray[np.intp]) -> float:
        """Average the AUCs of folds whose samples are taken from these rows."""
        areas = [_area(positive, score, weight, source[rows]) for rows in rows_of_folds]
        return float(np.mean(areas))

    source = np.arange(score.size)
    mean = mean_of_folds(source)
    size = kept.size + SAMPLES_OF_A_FOLD * len(rows_of_folds)
    n_permutations = min(MAX_PERMUTATIONS, max(MIN_PERMUTATIONS, MAX_RANKED_SAMPLES // size))
    rng = np.random.default_rng(0)
    n_as_far = 0
    of_pos = kept[positive[kept]]
    of_neg = kept[~positive[kept]]
    for _ in range(n_permutations):
        source[of_pos] = rng.permutation(of_pos)
        source[of_neg] = rng.permutation(of_neg)
        n_as_far += abs(mean_of_folds(source) - pooled) >= abs(mean - pooled) - _ROUNDING
    return PooledFolds(pooled, mean, (1 + n_as_far) / (1 + n_permutations))


def _area(positive: Bools, score: Floats, weight: Floats, rows: NDArray[np.intp]) -> float:
    """Compute the AUC of some rows of both classes.

    Plain Mann-Whitney: it is computed for each fold of each permutation.
    """
    of_pos = rows[positive[rows]]
    of_neg = rows[~positive[rows]]
    of_neg = of_neg[np.argsort(score[of_neg])]
    lower = np.append(0.0, np.cumsum(weight[of_neg]))
    n_below = lower[np.searchsorted(score[of_neg], score[of_pos], side="left")]
    n_up_to = lower[np.searchsorted(score[of_neg], score[of_pos], side="right")]
    pairs = float(weight[of_pos].sum() * lower[-1])
    return float(weight[of_pos] @ (n_below + n_up_to)) / (2 * pairs)
