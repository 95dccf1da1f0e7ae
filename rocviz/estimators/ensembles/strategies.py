"""Ensembles trained on separate or on the same samples, compared on given data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.utils import _safe_indexing

from rocviz.core.base.effort import check_draws
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.progress import Progress
from rocviz.core.base.splits import error_of_splits
from rocviz.core.base.validation import (
    Floats,
    Seed,
    check_choice,
    check_fraction,
    check_integer,
    describe,
    positive_label,
)
from rocviz.core.ensembles.experiment import COMPARED_METHODS, compare_methods
from rocviz.core.ensembles.rank_ensemble import RankEnsemble
from rocviz.estimators.base.classifier import (
    as_random_state,
    check_same_rows,
    check_two_classes,
    positive_column,
)
from rocviz.estimators.base.repeats import run_fits
from rocviz.estimators.base.scores import as_double, positive_score, response_of
from rocviz.estimators.ensembles.fidel import FiDELClassifier, split_into_shares

STRATEGIES = ("disjoint", "same share", "shared")


@dataclass(frozen=True, eq=False)
class StrategyComparison(Frozen):
    """AUCs on test samples of each training strategy and method, split by split.

    Parameters
    ----------
    strategies : tuple of str
        ``"disjoint"``: each classifier learns from its own share of the training samples;
        ``"same share"``: all learn from one and the same share; ``"shared"``: all learn from
        all training samples.
    n_train : ndarray, shape (n_strategies,)
        Samples a classifier learns from, on average.
    correlation : ndarray, shape (n_strategies,)
        Class-conditioned rank correlation, mean over pairs and repetitions.
    methods : tuple of str
        As in :class:`rocviz.core.ensembles.EnsembleExperiment`.
    areas : ndarray, shape (n_repeats, n_strategies, n_methods)
        AUCs in each split.
    n_known, n_test : int
        Samples in each split to learn from and to measure AUCs on, and to test on.
    """

    strategies: tuple[str, ...]
    n_train: Floats
    correlation: Floats
    methods: tuple[str, ...]
    areas: Floats
    n_known: int
    n_test: int

    @property
    def n_repeats(self) -> int:
        """Random splits that were done."""
        return len(self.areas)

    @property
    def auc(self) -> Floats:
        """AUC of each strategy and method, averaged over the splits."""
        return np.asarray(self.areas.mean(axis=0))

    @property
    def standard_error(self) -> Floats:
        """Standard error of :attr:`auc`, which allows for the samples that splits share.

        The variance over the splits is multiplied by ``1 / n_repeats + n_test / n_known``
        (Nadeau and Bengio, 2003).
        """
        return error_of_splits(self.areas, self.n_known, self.n_test)

    def difference(
        self, strategy: str, other: str = "same share", *, method: str = "fidel"
    ) -> tuple[float, float]:
        """Compute the difference of two strategies on the same test samples, split by split.

        Parameters
        ----------
        strategy, other : str
            Two of ``strategies``.
        method : str, default="fidel"
            One of ``methods``.

        Returns
        -------
        mean, standard_error : float
            Of the AUC of ``strategy`` minus that of ``other``; the error is corrected as
            :attr:`standard_error` is.

        Raises
        ------
        ValueError
            If a strategy or the method was not compared.
        """
        check_choice(strategy, "strategy", self.strategies)
        check_choice(other, "other", self.strategies)
        check_choice(method, "method", self.methods)
        areas = self.areas[:, :, self.methods.index(method)]
        strategy_areas = areas[:, self.strategies.index(strategy)]
        other_areas = areas[:, self.strategies.index(other)]
        difference = strategy_areas - other_areas
        error = error_of_splits(difference, self.n_known, self.n_test)
        return float(difference.mean()), float(error)


def compare_strategies(
    estimators: Sequence[tuple[str, Any]],
    X: Any,
    y: ArrayLike,
    *,
    n_repeats: int = 20,
    test_size: float = 0.3,
    validation_size: float = 0.25,
    pos_label: Any = None,
    random_state: Seed = None,
    progress: Progress | None = None,
) -> StrategyComparison:
    """Train an ensemble in three ways on the same data and compare on held-out samples.

    In each repetition the data are split at random into test, validation and training samples,
    and the training samples are split into shares as by :class:`FiDELClassifier`. The comparison of
    "disjoint" with "same share" says what separate samples do to the correlation; that with
    "shared" whether it is worth the samples that each classifier does not see.

    Parameters
    ----------
    estimators : list of (str, classifier)
        As in :class:`FiDELClassifier`.
    X : array-like, shape (n_samples, n_features)
    y : array-like, shape (n_samples,)
        Labels of exactly two classes.
    n_repeats : int, default=20
        At least 2.
    test_size : float, default=0.3
        Share of the samples to test on.
    validation_size : float, default=0.25
        Share of the others to measure AUCs and correlations on.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    random_state : int, RandomState, Generator or None, default=None
        Source of the splits.
    progress : callable, optional
        Wraps the repetitions, such as ``tqdm.tqdm``.

    Raises
    ------
    ValueError
        If the input is invalid.

    Examples
    --------
    >>> from rocviz.datasets import load_breast_cancer_scores
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> three = [
    ...     ("bayes", GaussianNB()),
    ...     ("near", KNeighborsClassifier()),
    ...     ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
    ... ]
    >>> data = load_breast_cancer_scores()
    >>> done = compare_strategies(three, data.data, data.y_true, n_repeats=10, random_state=0)
    >>> disjoint, same, shared = done.correlation
    >>> bool(disjoint < same)
    True
    """
    n_repeats = check_integer(n_repeats, "n_repeats", minimum=2)
    test_size = check_fraction(test_size, "test_size")
    X, labels = check_same_rows(as_double(X), y)
    labels, classes = check_two_classes(labels)
    positive = positive_label(classes[0], classes[1], pos_label, "y")
    validation_size = check_fraction(validation_size, "validation_size")
    kept = FiDELClassifier(estimators).kept_estimators()
    check_draws(n_repeats, 10 * len(labels), 60 * n_repeats, n_repeats=n_repeats)
    rng = as_random_state(random_state)
    splitter = StratifiedShuffleSplit(n_repeats, test_size=test_size, random_state=rng)

    def draw_splits() -> Iterator[tuple[Any, ...]]:
        splits = splitter.split(np.zeros(len(labels)), labels)
        for i, (known, test) in enumerate(splits):
            validation, shares = split_into_shares(
                X, labels, known, len(kept), validation_size=validation_size, random_state=rng
            )
            same_share = shares[i % len(shares)]
            yield kept, X, labels, shares, same_share, validation, test, positive

    results = list(
        run_fits(_compare, draw_splits(), range(n_repeats), progress, None, "comparison")
    )
    n_test = results[0].n_test
    return StrategyComparison(
        strategies=STRATEGIES,
        n_train=np.mean([result.n_train for result in results], axis=0),
        correlation=np.mean([result.correlation for result in results], axis=0),
        methods=COMPARED_METHODS,
        areas=np.array([result.areas for result in results]),
        n_known=len(labels) - n_test,
        n_test=n_test,
    )


class _SplitResult(NamedTuple):
    """AUCs, mean correlation and training samples of each strategy, and the test samples."""

    areas: list[Floats]
    correlation: list[float]
    n_train: list[float]
    n_test: int


def _compare(
    kept: list[Any],
    X: Any,
    y: Any,
    shares: Any,
    same_share: Any,
    validation: Any,
    test: Any,
    positive: Any,
) -> _SplitResult:
    """Train by each strategy on one split."""
    areas = []
    correlation = []
    n_train = []
    all_shares = np.sort(np.concatenate(shares))
    for train in (shares, [same_share] * len(kept), [all_shares] * len(kept)):
        ensemble, scores = _train(kept, X, y, train, validation, test, positive)
        areas.append(compare_methods(ensemble, y[test] == positive, scores, "validation"))
        correlation.append(ensemble.mean_correlation)
        n_train.append(float(np.mean([len(rows) for rows in train])))
    return _SplitResult(areas, correlation, n_train, len(test))


def _train(
    kept: list[Any], X: Any, y: Any, train: Any, validation: Any, test: Any, positive: Any
) -> tuple[RankEnsemble, Floats]:
    """Train classifiers on their rows; measure them on validation, and score test samples."""
    X_validation = _safe_indexing(X, validation)
    X_test = _safe_indexing(X, test)
    validation_scores = []
    test_scores = []
    column = positive_column(np.unique(y), positive)
    for (name, estimator), rows in zip(kept, train, strict=True):
        response = response_of(estimator, f"estimator {describe(name)}")
        fitted = clone(estimator).fit(_safe_indexing(X, rows), y[rows])
        validation_scores.append(positive_score(fitted, X_validation, response, column))
        test_scores.append(positive_score(fitted, X_test, response, column))
    ensemble = RankEnsemble.from_scores(
        y[validation] == positive,
        np.column_stack(validation_scores),
        names=[name for name, _ in kept],
    )
    return ensemble, np.column_stack(test_scores)
