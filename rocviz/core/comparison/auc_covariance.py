"""AUCs of several rankings of the same samples, and their covariance.

One sort per ranking gives the placements; their covariance is DeLong's, and with clusters of
samples that belong together Obuchowski's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from rocviz.core.base.blocks import BLOCK_SIZE
from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import Bools, Floats, check_probabilities
from rocviz.core.roc.auc_variance import MAX_WEIGHT_OF_ONE_SAMPLE
from rocviz.core.roc.delong_test import MAX_ROUNDING_ERROR, placements, without_rounding

# Measured costs of comparing rankings.
_SECONDS_PER_PAIR = 4e-7
_SECONDS_PER_SAMPLE_OF_A_PAIR = 6e-9
_NUMBERS_PER_PAIR = 6
_NUMBERS_PER_PLACEMENT = 4
_NUMBERS_PER_TEST = 11


@dataclass(frozen=True, eq=False)
class AUCCovariance(Frozen):
    """AUCs of several rankings of the same samples with their covariance.

    Parameters
    ----------
    names : tuple of str
        Names of the rankings.
    auc : ndarray of float, shape (n_models,)
    covariance : ndarray of float, shape (n_models, n_models)
        Covariance of the AUCs over samples like these.
    difference : ndarray of float, shape (n_models, n_models)
        The AUC of each row's ranking less that of each column's.
    difference_error : ndarray of float, shape (n_models, n_models)
        Standard error of the difference of any two AUCs, of rankings that are nearly the same too,
        where nothing of it would be left in the covariance.
    """

    names: tuple[str, ...]
    auc: Floats
    covariance: Floats
    difference: Floats
    difference_error: Floats

    @property
    def standard_error(self) -> Floats:
        """Standard error of each AUC, shape (n_models,)."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))

    def pairs(self) -> DataFrame:
        """Test all pairs, with p-values corrected for their number.

        Returns
        -------
        pandas.DataFrame
            Columns ``model_a, model_b, difference, standard_error, p_value, p_holm``: the
            two-sided p-value of the normal test, and Holm's correction of it over all pairs.

        Raises
        ------
        ValueError
            If a table of so many pairs would fill the memory.
        """
        n_models = len(self.names)
        check_effort(numbers=_NUMBERS_PER_TEST * n_models**2, names=f"{n_models} classifiers")
        first, second = np.triu_indices(n_models, 1)
        difference = self.difference[first, second]
        error = self.difference_error[first, second]
        # rankings with equal placements of all samples certainly do not differ
        steps = np.abs(difference) / np.where(error > 0, error, 1.0)
        p_value = np.where(error > 0, 2 * ndtr(-steps), np.where(difference == 0, 1.0, 0.0))
        return to_frame(
            model_a=[self.names[i] for i in first],
            model_b=[self.names[i] for i in second],
            difference=difference,
            standard_error=error,
            p_value=p_value,
            p_holm=holm(p_value),
        )


def holm(p_values: ArrayLike) -> Floats:
    """Correct p-values for multiple tests (Holm, 1979).

    Parameters
    ----------
    p_values : array-like of float, shape (n_tests,)
        From 0 to 1.

    Returns
    -------
    ndarray of float, shape (n_tests,)
        Rejecting those below a level keeps the chance of any false rejection below that level.

    Raises
    ------
    ValueError
        If they are no probabilities.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    p = check_probabilities(p_values, "p_values")
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected


def _check_pairs(n_models: int, n_samples: int) -> None:
    """Raise if comparing all pairs of rankings would take far too long."""
    seconds = _SECONDS_PER_PAIR + _SECONDS_PER_SAMPLE_OF_A_PAIR * n_samples
    check_effort(
        seconds=n_models**2 / 2 * seconds,
        numbers=_NUMBERS_PER_PAIR * n_models**2 + _NUMBERS_PER_PLACEMENT * n_models * n_samples,
        scores=f"{n_models} classifiers",
    )


def auc_covariance(
    positive: Bools,
    scores: dict[str, Floats],
    weight: Floats | None = None,
    groups: NDArray[Any] | None = None,
) -> AUCCovariance:
    """Compute the AUCs of rankings of the same samples and their covariance.

    ``weight`` is positive and says how often each sample is repeated. Samples of one group (a
    patient's lesions) vary together; groups are independent. It raises ``ValueError`` if a class
    has a weight of 1.001 or less, there are fewer than two groups of either class, or so many pairs
    would take more than a day or too much memory.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988). Obuchowski (1997).

    Examples
    --------
    >>> y = np.array([False, False, False, True, True, True])
    >>> a, b = np.array([1.0, 2, 4, 3, 5, 6]), np.array([2.0, 1, 5, 3, 4, 6])
    >>> auc_covariance(y, {"a": a, "b": b}).auc.round(3)
    array([0.889, 0.778])
    """
    w = np.ones(positive.size) if weight is None else weight
    w_pos = w[positive]
    w_neg = w[~positive]
    n_pos = float(w_pos.sum())
    n_neg = float(w_neg.sum())
    if min(n_pos, n_neg) <= MAX_WEIGHT_OF_ONE_SAMPLE:
        raise ValueError(
            "y_true and sample_weight must give each class a weight of more than "
            f"{MAX_WEIGHT_OF_ONE_SAMPLE}."
        )
    group = None if groups is None else np.unique(groups, return_inverse=True)[1]
    # corrections for a small number of groups
    pos_correction = neg_correction = 1.0
    if group is not None:
        n_pos_groups = np.unique(group[positive]).size
        n_neg_groups = np.unique(group[~positive]).size
        if min(n_pos_groups, n_neg_groups) < 2:
            raise ValueError("groups must hold at least two groups with samples of each class.")
        pos_correction = n_pos_groups / (n_pos_groups - 1)
        neg_correction = n_neg_groups / (n_neg_groups - 1)
    _check_pairs(len(scores), positive.size)
    by_model = [placements(positive, score, w) for score in scores.values()]
    of_pos = np.array([pos for pos, _ in by_model])
    of_neg = np.array([neg for _, neg in by_model])
    del by_model
    right = np.array([place @ w_pos for place in of_pos])
    auc = np.minimum(right / n_pos / n_neg, 1.0)

    def spread(of_pos: Floats, of_neg: Floats, area: Floats) -> Floats:
        """Compute the covariance of AUCs, or of their differences, from placements.

        There is a row per AUC; of a stack of such tables there is a covariance of each.
        """
        # deviations of placements from their mean
        d_pos, d_neg = without_rounding(of_pos / n_neg - area, of_neg / n_pos - area)
        if group is None:
            of_class = _products(d_pos * w_pos, d_pos) / (n_pos - 1) / n_pos
            return of_class + _products(d_neg * w_neg, d_neg) / (n_neg - 1) / n_neg
        s_pos = _by_group(d_pos * w_pos / n_pos, group, positive)
        s_neg = _by_group(d_neg * w_neg / n_neg, group, ~positive)
        n_groups = s_pos.shape[-1]
        cross = n_groups / (n_groups - 1) * _products(s_pos, s_neg)
        of_class = _products(pos_correction * s_pos, s_pos)
        of_class += _products(neg_correction * s_neg, s_neg)
        return np.asarray(of_class + cross + cross.swapaxes(-1, -2))

    covariance = spread(of_pos, of_neg, auc[:, None])
    difference = np.subtract.outer(right, right) / n_pos / n_neg
    difference[np.abs(difference) < MAX_ROUNDING_ERROR] = 0.0
    error = np.zeros_like(covariance)
    step = max(BLOCK_SIZE // positive.size, 1)
    for i in range(auc.size):
        for start in range(i + 1, auc.size, step):
            part = slice(start, start + step)
            # differences of counts, which are not rounded yet
            pos_gap = (of_pos[i] - of_pos[part])[:, None]
            neg_gap = (of_neg[i] - of_neg[part])[:, None]
            variance = spread(pos_gap, neg_gap, difference[i, part, None, None])[:, 0, 0]
            error[i, part] = error[part, i] = np.sqrt(np.maximum(variance, 0.0))
    return AUCCovariance(tuple(scores), auc, covariance, difference, error)


def _products(first: Floats, second: Floats) -> Floats:
    """Compute the inner products of all rows of one table with those of another, for each pair."""
    return np.asarray(first @ second.swapaxes(-1, -2))


def _by_group(share: Floats, group: NDArray[np.intp], of_class: Bools) -> Floats:
    """Sum the shares of each group, one row per ranking."""
    n_groups = int(group.max()) + 1
    rows = int(np.prod(share.shape[:-1]))
    cell = group[of_class] + n_groups * np.arange(rows)[:, None]
    total = np.bincount(cell.ravel(), share.ravel(), n_groups * rows)
    return np.asarray(total.reshape(*share.shape[:-1], n_groups), dtype=np.float64)
