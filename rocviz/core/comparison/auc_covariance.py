"""AUCs of several rankings of the same samples, and how they vary together.

One sort per ranking gives the placements; their covariance is DeLong's, and with clusters of
samples that belong together Obuchowski's.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import Bools, Floats, check_probabilities
from rocviz.core.roc.auc_test import (
    ROUNDING,
    as_float,
    exact_covariance,
    exact_root,
    needs_exact,
    placements,
    without_rounding,
)


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
        """Return the tests of all pairs, corrected for their number.

        Returns
        -------
        pandas.DataFrame
            Columns ``model_a, model_b, difference, standard_error, p_value, p_holm``: the
            two-sided p-value of the normal test, and Holm's correction of it over all pairs.
        """
        first, second = np.triu_indices(len(self.names), 1)
        difference = self.difference[first, second]
        error = self.difference_error[first, second]
        # rankings that place every sample alike differ by nothing, for certain
        steps = np.abs(difference) / np.where(error > 0, error, 1.0)
        p_value = np.where(error > 0, 2 * ndtr(-steps), np.where(difference == 0, 1.0, 0.0))
        return to_frame(
            {
                "model_a": [self.names[i] for i in first],
                "model_b": [self.names[i] for i in second],
                "difference": difference,
                "standard_error": error,
                "p_value": p_value,
                "p_holm": holm(p_value),
            }
        )


def holm(p_values: ArrayLike) -> Floats:
    """Return p-values corrected for their number after Holm (1979).

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


def auc_covariance(
    positive: Bools,
    scores: dict[str, Floats],
    weight: Floats | None = None,
    groups: NDArray[Any] | None = None,
) -> AUCCovariance:
    """Return the AUCs of rankings of the same samples and their covariance.

    ``weight`` is positive and says how often each sample is repeated; where weights are far apart,
    all sums are exact. Samples of one group (a
    patient's lesions) vary together; groups are independent. It raises ``ValueError`` if a class
    has a weight of 1 or less, or there are fewer than two groups of either class.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988). Obuchowski (1997).

    Examples
    --------
    >>> y = np.array([False, False, False, True, True, True])
    >>> a, b = np.array([1.0, 2, 4, 3, 5, 6]), np.array([2.0, 1, 5, 3, 4, 6])
    >>> found = auc_covariance(y, {"a": a, "b": b})
    >>> found.auc.round(3)
    array([0.889, 0.778])
    """
    w = np.ones(positive.size) if weight is None else weight
    w_pos, w_neg = w[positive], w[~positive]
    n_pos, n_neg = float(w_pos.sum()), float(w_neg.sum())
    if min(n_pos, n_neg) <= 1:
        raise ValueError("y_true and sample_weight must give each class a weight of more than 1.")
    group = None if groups is None else np.unique(groups, return_inverse=True)[1]
    if group is not None:
        held = [np.unique(group[of_class]).size for of_class in (positive, ~positive)]
        if min(held) < 2:
            raise ValueError("groups must hold at least two groups with samples of each class.")
    if needs_exact(w_pos, w_neg):
        return _exactly(positive, scores, w, group)
    places = [placements(positive, score, w) for score in scores.values()]
    right = np.array([place[0] @ w_pos for place in places])
    auc = np.minimum(right / n_pos / n_neg, 1.0)

    def off(of_pos: Floats, of_neg: Floats, area: float) -> tuple[Floats, Floats]:
        """Return deviations of placements, or of differences of them, from their mean."""
        return without_rounding(of_pos / n_neg - area, of_neg / n_pos - area)

    d_pos, d_neg = (
        np.array(part)
        for part in zip(
            *(off(*place, area) for place, area in zip(places, auc, strict=True)), strict=True
        )
    )

    def spread(d_pos: Floats, d_neg: Floats) -> Floats:
        """Return the covariance of AUCs from deviations of their placements, a row per AUC."""
        if group is None:
            of_class = (d_pos * w_pos) @ d_pos.T / (n_pos - 1) / n_pos
            return np.asarray(of_class + (d_neg * w_neg) @ d_neg.T / (n_neg - 1) / n_neg)
        s_pos, c_pos = _by_group(d_pos * w_pos / n_pos, group, positive)
        s_neg, c_neg = _by_group(d_neg * w_neg / n_neg, group, ~positive)
        many = s_pos.shape[1]
        cross = many / (many - 1) * s_pos @ s_neg.T
        return np.asarray(c_pos * s_pos @ s_pos.T + c_neg * s_neg @ s_neg.T + cross + cross.T)

    covariance = spread(d_pos, d_neg)
    difference = np.subtract.outer(right, right) / n_pos / n_neg
    difference[np.abs(difference) < ROUNDING] = 0.0
    error = np.zeros_like(covariance)
    for i, j in combinations(range(auc.size), 2):
        # a difference of counts, which has no rounding yet
        pos_gap, neg_gap = (one - other for one, other in zip(places[i], places[j], strict=True))
        apart = off(pos_gap, neg_gap, difference[i, j])
        variance = float(spread(*(part[None] for part in apart))[0, 0])
        error[i, j] = error[j, i] = np.sqrt(max(variance, 0.0))
    return AUCCovariance(tuple(scores), auc, covariance, difference, error)


def _exactly(
    positive: Bools, scores: dict[str, Floats], weight: Floats, group: NDArray[np.intp] | None
) -> AUCCovariance:
    """Return the same for any weights; nothing is rounded before the end."""
    auc, covariance = exact_covariance(positive, scores.values(), weight, group)
    own = np.diag(covariance)
    variance = own[:, None] + own - covariance - covariance.T
    area = np.array(auc, dtype=object)
    floats, roots = (np.frompyfunc(each, 1, 1) for each in (as_float, exact_root))
    parts = floats(area), floats(covariance), floats(np.subtract.outer(area, area)), roots(variance)
    return AUCCovariance(tuple(scores), *(np.asarray(part, dtype=np.float64) for part in parts))


def _by_group(share: Floats, group: NDArray[np.intp], of_class: Bools) -> tuple[Floats, float]:
    """Return each group's sum of shares, a row per ranking, and the correction for their number."""
    part = group[of_class]
    held = np.unique(part).size
    total = np.array([np.bincount(part, row, int(group.max()) + 1) for row in share])
    return total, held / (held - 1)
