"""Differences between ways of learning, from the folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr

from rocviz.core.base.blocks import rows_by_number
from rocviz.core.base.effort import MAX_SECONDS_OF_CATEGORIES, check_effort
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.normal import student_quantile
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Weights,
    check_aligned,
    check_fraction,
    check_number,
    check_weights,
    label_column,
    number_labels,
)
from rocviz.core.comparison.auc_covariance import holm
from rocviz.core.comparison.bootstrap import area, statistic_value
from rocviz.core.comparison.comparison import check_models
from rocviz.core.roc.segments import RankedSegments

#: With fewer folds the variation between them is not known well enough for a test.
MIN_FOLDS = 5
_MIN_SAMPLES_PER_CLASS = 2
# of a model, and of a pair of models
_SECONDS_PER_FOLD = 2e-4
_SECONDS_PER_PAIR = 3e-5


@dataclass(frozen=True, eq=False)
class FoldComparison(Frozen):
    """A statistic of several models in the folds of a cross-validation, and their differences.

    Made by :func:`compare_folds`.

    Parameters
    ----------
    names : tuple of str
        Names of the models.
    value : ndarray of float, shape (n_models, n_folds)
        The statistic of each model in each fold, of folds that were joined together.
    test_train_ratio : float
        Samples tested on, divided by those learned from.
    confidence : float
        Confidence level of the intervals.
    """

    names: tuple[str, ...]
    value: Floats
    test_train_ratio: float
    confidence: float

    def to_frame(self) -> DataFrame:
        """Tabulate one row per model: ``model, mean, spread`` and the number of ``folds``."""
        return to_frame(
            model=self.names,
            mean=self.value.mean(axis=1),
            spread=self.value.std(axis=1, ddof=1),
            folds=np.full(len(self.names), self.value.shape[1]),
        )

    def pairs(self) -> DataFrame:
        """Test all pairs of models with the corrected resampled t-test.

        Returns
        -------
        pandas.DataFrame
            Columns ``model_a, model_b, difference, standard_error, lower, upper, p_value,
            p_holm``: the mean over folds of the difference, its interval, the two-sided p-value,
            and Holm's correction of it over all pairs. NaN with fewer than five folds, or if all
            folds have the same difference, which then do not show how much it varies.

        Raises
        ------
        ValueError
            If there are so many models that all pairs would take too long.

        References
        ----------
        Nadeau and Bengio (2003). Holm (1979).
        """
        rows = []
        n_models = len(self.names)
        check_effort(
            seconds=_SECONDS_PER_PAIR * n_models**2 / 2,
            max_seconds=MAX_SECONDS_OF_CATEGORIES,
            advice="compare fewer of them",
            names=f"{n_models} classifiers",
        )
        for i, j in combinations(range(n_models), 2):
            test = nadeau_bengio_test(
                self.value[i] - self.value[j], self.test_train_ratio, self.confidence
            )
            rows.append({"model_a": self.names[i], "model_b": self.names[j], **test})
        columns = ("model_a", "model_b", "difference", "standard_error", "lower", "upper")
        frame = to_frame({name: [row[name] for row in rows] for name in (*columns, "p_value")})
        known = frame["p_value"].notna()
        corrected = np.full(len(rows), np.nan)
        corrected[known] = holm(frame.loc[known, "p_value"])
        return frame.assign(p_holm=corrected)


def nadeau_bengio_test(
    difference: Floats, test_train_ratio: float, confidence: float
) -> dict[str, float]:
    """Compute the mean of differences over folds, with the corrected resampled t-test.

    Learning sets of folds overlap, so the variance of the mean is ``1 / n_folds +
    test_train_ratio`` of that of the folds, in place of ``1 / n_folds``.

    References
    ----------
    Nadeau and Bengio (2003).

    Examples
    --------
    >>> by_fold = np.array([0.02, 0.05, 0.01, 0.04, 0.03])
    >>> test = nadeau_bengio_test(by_fold, 0.25, 0.95)
    >>> {name: round(value, 4) for name, value in test.items()}  # doctest: +NORMALIZE_WHITESPACE
    {'difference': 0.03, 'standard_error': 0.0106, 'lower': 0.0006, 'upper': 0.0594,
     'p_value': 0.0474}
    """
    n_folds = difference.size
    mean = float(difference.mean())
    error = float(difference.std(ddof=1) * np.sqrt(1 / n_folds + test_train_ratio))
    is_known = n_folds >= MIN_FOLDS and np.ptp(difference) > 0
    if not is_known:
        unknown = dict.fromkeys(("standard_error", "lower", "upper", "p_value"), float("nan"))
        return {"difference": mean, **unknown}
    half = float(student_quantile(confidence, n_folds - 1)) * error
    return {
        "difference": mean,
        "standard_error": error,
        "lower": mean - half,
        "upper": mean + half,
        "p_value": float(2 * stdtr(n_folds - 1, -abs(mean) / error)),
    }


def compare_folds(
    y_true: ArrayLike,
    scores: Any,
    fold: ArrayLike,
    statistic: Callable[[RankedSegments], float] = area,
    *,
    test_train_ratio: float | None = None,
    sample_weight: Weights = None,
    pos_label: Any = None,
    confidence: float = 0.95,
) -> FoldComparison:
    """Compare ways of learning by the folds of a cross-validation.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,)
        Labels of exactly two classes.
    scores : mapping of str to array-like, data frame, or array-like of shape (n_samples, n_models)
        Each sample's scores by models that were fitted without its fold; higher means more
        positive. A cross-validation that is repeated gives each sample a row in every repetition.
    fold : array-like, shape (n_samples,)
        Which fold each sample was tested in. A fold with fewer than two samples of a class is
        joined with the next.
    statistic : callable, optional
        Given :class:`RankedSegments`, returns a finite number; by default their AUC.
    test_train_ratio : float, optional
        Samples tested on, divided by those learned from; positive. By default that of a
        cross-validation of so many folds, ``1 / (n_folds - 1)``; a repeated one needs its own.
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated; samples of weight zero are left out.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    confidence : float, default=0.95
        Strictly between 0 and 1.

    Raises
    ------
    ValueError
        If an argument is invalid, fewer than two folds remain, or there are so many that the
        comparison would take too long.

    See Also
    --------
    rocviz.compare_classifiers : Whether these fitted models differ on these samples.

    Notes
    -----
    Samples are independent, but the models of different folds are not: their training sets overlap.
    A paired test of all samples asks about these fitted models on these samples; this one asks
    whether one way of learning is better. In simulations of two equally good linear learners (100
    and 300 samples, 3 to 40 features, 5 and 10 folds) the first rejects at a level of 5 % in 4 to
    16 % of the data sets, this one in 1 to 5 %, and in 9 % with 10 folds that are repeated five
    times; of useless learners with 50 to 1,000 samples and 10 folds in 4 to 8 %. It is a heuristic,
    conservative for learners that hardly depend on their training set. Folds are the unit, so there
    are no clusters to give: keep each cluster, such as a patient's rows, within one fold.

    References
    ----------
    Nadeau and Bengio (2003).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(500) < 0.4
    >>> scores = {"good": y + rng.normal(size=500), "poor": y + 2 * rng.normal(size=500)}
    >>> comparison = compare_folds(y, scores, np.arange(500) % 10)
    >>> comparison.pairs()[["difference", "lower", "upper"]].round(3).values.tolist()
    [[0.121, 0.032, 0.21]]
    """
    check_aligned(y_true=y_true, fold=fold, sample_weight=sample_weight)
    samples, named = check_models(y_true, scores, sample_weight, pos_label)
    level = check_fraction(confidence, "confidence")
    if not callable(statistic):
        raise ValueError(f"statistic must be callable; got {type(statistic).__name__}.")
    number = number_labels(fold, len(label_column(y_true, "y_true")), "fold")
    weight = check_weights(sample_weight, number.size)
    if weight is not None:
        number = number[weight > 0]
    folds = _join_folds(samples.positive, number)
    if len(folds) < 2:
        raise ValueError(
            f"fold must give at least two folds with two samples of each class; got {len(folds)}."
        )
    if test_train_ratio is None:
        ratio = 1 / (len(folds) - 1)
    else:
        ratio = check_number(test_train_ratio, "test_train_ratio", above=0.0)
    check_effort(
        seconds=_SECONDS_PER_FOLD * len(named) * len(folds),
        max_seconds=MAX_SECONDS_OF_CATEGORIES,
        advice="join them into fewer folds",
        fold=f"{len(folds)} values",
        scores=f"{len(named)} classifiers",
    )
    value = np.empty((len(named), len(folds)))
    for i, score in enumerate(named.values()):
        for k, rows in enumerate(folds):
            weight = None if samples.weight is None else samples.weight[rows]
            segments = RankedSegments.from_scores(
                samples.positive[rows], score[rows], sample_weight=weight
            )
            value[i, k] = statistic_value(statistic(segments))
    return FoldComparison(tuple(named), value, ratio, level)


def _join_folds(positive: Bools, number: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    """List the rows of each fold; one that lacks samples of a class is joined with the next."""
    folds: list[NDArray[np.intp]] = []
    parts: list[NDArray[np.intp]] = []
    n_pos = 0
    n_neg = 0
    for rows in rows_by_number(number):
        parts.append(rows)
        n_pos_here = int(np.count_nonzero(positive[rows]))
        n_pos += n_pos_here
        n_neg += rows.size - n_pos_here
        if min(n_pos, n_neg) >= _MIN_SAMPLES_PER_CLASS:
            folds.append(np.concatenate(parts))
            parts = []
            n_pos = 0
            n_neg = 0
    if parts and folds:  # the last one has no next
        folds[-1] = np.concatenate((folds[-1], *parts))
    return folds
