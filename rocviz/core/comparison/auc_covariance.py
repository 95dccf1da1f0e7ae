"""AUCs of several rankings of the same samples, and their covariance.

One sort per ranking gives the placements; their covariance is DeLong's, and with clusters of
samples that belong together Obuchowski's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.blocks import BLOCK_SIZE
from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import (
    Bools,
    Floats,
    check_choice,
    check_fraction,
    check_probabilities,
)
from rocviz.core.roc.auc_differences import (
    DIFFERENCE_METHODS,
    AUCSide,
    compare_aucs,
    correlation_of,
)
from rocviz.core.roc.placements import (
    MAX_ROUNDING_ERROR,
    PlacementSpread,
    placements,
    without_rounding,
)

# Measured costs of comparing rankings.
_SECONDS_PER_PAIR = 4e-7
_SECONDS_PER_SAMPLE_OF_A_PAIR = 6e-9
_NUMBERS_PER_PAIR = 9
_NUMBERS_PER_PLACEMENT = 4
_NUMBERS_PER_TEST = 30


@dataclass(frozen=True, eq=False)
class AUCCovariance(Frozen):
    """AUCs of several rankings of the same samples with their covariance.

    Parameters
    ----------
    names : tuple of str
        Names of the rankings.
    auc, wrong : ndarray of float, shape (n_models,)
        The AUCs, and 1 less each, to full precision.
    covariance : ndarray of float, shape (n_models, n_models)
        Covariance of the AUCs over samples like these.
    difference : ndarray of float, shape (n_models, n_models)
        The AUC of each row's ranking less that of each column's.
    difference_error : ndarray of float, shape (n_models, n_models)
        Standard error of the difference of any two AUCs, of rankings that are nearly the same too,
        where nothing of it would be left in the covariance.
    degrees : ndarray of float, shape (n_models,)
        Degrees of freedom of each variance, after Satterthwaite; with clusters one less than the
        clusters that hold the class which fewer of them hold.
    difference_degrees : ndarray of float, shape (n_models, n_models)
        The same of each difference.
    is_same : ndarray of bool, shape (n_models, n_models)
        Which rankings differ in no sample's placement.
    smaller : float
        Samples of the smallest class, or the least number of clusters that hold a class.
    min_variance : ndarray of float, shape (n_models,)
        Variance that intervals of each AUC allow for at least.
    """

    names: tuple[str, ...]
    auc: Floats
    wrong: Floats
    covariance: Floats
    difference: Floats
    difference_error: Floats
    degrees: Floats
    difference_degrees: Floats
    is_same: Bools
    smaller: float
    min_variance: Floats

    @property
    def standard_error(self) -> Floats:
        """Standard error of each AUC, shape (n_models,)."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))

    def _side(self, index: NDArray[np.intp]) -> AUCSide:
        """Select one side of differences."""
        variance = np.diag(self.covariance)
        # a floor is no estimate: it does not stand in for a missing variance
        widened = np.where(variance > 0, np.maximum(variance, self.min_variance), variance)
        return AUCSide(
            self.auc[index],
            self.wrong[index],
            widened[index],
            self.degrees[index],
            np.full(index.size, self.smaller),
        )

    def pairs(self, *, method: str = "delong-mover", confidence: float = 0.95) -> DataFrame:
        """Test all pairs, with p-values corrected for their number.

        Parameters
        ----------
        method : {"delong-mover", "delong"}, default="delong-mover"
            As for :func:`rocviz.core.roc.auc_test`.
        confidence : float, default=0.95
            Confidence level of the intervals, strictly between 0 and 1.

        Returns
        -------
        pandas.DataFrame
            Columns ``model_a, model_b, difference, standard_error, p_value, p_holm, lower, upper,
            is_fallback``: the two-sided p-value, Holm's correction of it over all pairs, and the
            interval of the difference. The standard error is NaN where the data show no spread of
            the difference, as ``is_fallback`` says.

        Raises
        ------
        ValueError
            If an argument is invalid, or a table of so many pairs would fill the memory.
        """
        check_choice(method, "method", DIFFERENCE_METHODS)
        level = check_fraction(confidence, "confidence")
        n_models = len(self.names)
        check_effort(numbers=_NUMBERS_PER_TEST * n_models**2, names=f"{n_models} classifiers")
        first, second = np.triu_indices(n_models, 1)
        difference = self.difference[first, second]
        error = self.difference_error[first, second]
        compared = compare_aucs(
            self._side(first),
            self._side(second),
            difference,
            error,
            self.difference_degrees[first, second],
            correlation_of(self.covariance)[first, second],
            self.is_same[first, second],
            level,
            method,
        )
        return to_frame(
            model_a=[self.names[i] for i in first],
            model_b=[self.names[i] for i in second],
            difference=difference,
            standard_error=np.where(compared.is_fallback, np.nan, error),
            p_value=compared.p_value,
            p_holm=holm(compared.p_value),
            lower=compared.lower,
            upper=compared.upper,
            is_fallback=compared.is_fallback,
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
    clusters: NDArray[np.intp] | None = None,
) -> AUCCovariance:
    """Compute the AUCs of rankings of the same samples and their covariance.

    ``weight`` is positive and says how often each sample is repeated. Samples of one cluster (a
    patient's lesions) vary together; clusters are independent and numbered from 0. It raises
    ``ValueError`` if a class has a weight of 1.001 or less, there are fewer than two clusters of
    either class, or so many pairs would take more than a day or too much memory.

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
    spread = PlacementSpread.of(positive, w, clusters)
    spread.check()
    n_pos = float(spread.w_pos.sum())
    n_neg = float(spread.w_neg.sum())
    _check_pairs(len(scores), positive.size)
    by_model = [placements(positive, score, w) for score in scores.values()]
    of_pos = np.array([pos for pos, _ in by_model])
    of_neg = np.array([neg for _, neg in by_model])
    del by_model
    right = np.array([place @ spread.w_pos for place in of_pos])
    auc = np.minimum(right / n_pos / n_neg, 1.0)
    wrong = np.array([(n_neg - place) @ spread.w_pos for place in of_pos]) / n_pos / n_neg

    away = without_rounding(of_pos / n_neg - auc[:, None], of_neg / n_pos - auc[:, None])
    covariance = spread.covariance(*away)
    degrees = spread.degrees(*away)
    del away
    difference = np.subtract.outer(right, right) / n_pos / n_neg
    difference[np.abs(difference) < MAX_ROUNDING_ERROR] = 0.0
    error = np.zeros_like(covariance)
    difference_degrees = np.full_like(covariance, np.inf)
    is_same = np.eye(auc.size, dtype=np.bool_)
    step = max(BLOCK_SIZE // positive.size, 1)
    for i in range(auc.size):
        for start in range(i + 1, auc.size, step):
            part = slice(start, start + step)
            # differences of counts, which are not rounded yet
            gaps = without_rounding(
                (of_pos[i] - of_pos[part])[:, None] / n_neg,
                (of_neg[i] - of_neg[part])[:, None] / n_pos,
            )
            mean = difference[i, part, None, None]
            pos_away, neg_away = without_rounding(gaps[0] - mean, gaps[1] - mean)
            variance = spread.covariance(pos_away, neg_away)[:, 0, 0]
            error[i, part] = error[part, i] = np.sqrt(variance)
            freedom = spread.degrees(pos_away, neg_away)[:, 0]
            difference_degrees[i, part] = difference_degrees[part, i] = freedom
            same = ~(gaps[0].any(axis=(1, 2)) | gaps[1].any(axis=(1, 2)))
            is_same[i, part] = is_same[part, i] = same
    return AUCCovariance(
        names=tuple(scores),
        auc=auc,
        wrong=np.maximum(wrong, 0.0),
        covariance=covariance,
        difference=difference,
        difference_error=error,
        degrees=degrees,
        difference_degrees=difference_degrees,
        is_same=is_same,
        smaller=spread.smaller,
        min_variance=np.zeros(auc.size),
    )
