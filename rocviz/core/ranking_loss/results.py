"""Tables of the errors of methods that predict probabilities, on simulated and given data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.splits import error_of_splits
from rocviz.core.base.validation import Floats, check_choice


@dataclass(frozen=True, eq=False)
class RankingExperiment(Frozen):
    """Mean squared errors to the true probability, one row per floor, one column per method.

    Parameters
    ----------
    a : ndarray, shape (n_values,)
        Floors of the true probability.
    methods : tuple of str
        ``"linear"`` is linear regression clipped to [0, 1], ``"logistic"`` logistic regression,
        both also with isotonic regression on their scores; ``"combined"`` is
        :class:`CombinedRegressionRanking`, ``"rank + isotonic"`` :class:`RankIsotonicClassifier`.
    error : ndarray, shape (n_values, n_methods)
        Mean over the repetitions.
    standard_error : ndarray, shape (n_values, n_methods)
        Standard error of that mean.
    n_samples : int
        Samples to train on in each repetition.
    n_repeats : int
        Repetitions.
    """

    a: Floats
    methods: tuple[str, ...]
    error: Floats
    standard_error: Floats
    n_samples: int
    n_repeats: int

    def to_frame(self) -> DataFrame:
        """Tabulate floors and methods: columns ``a, method, error, standard_error``."""
        return to_frame(
            a=self.a.repeat(len(self.methods)),
            method=list(self.methods) * self.a.size,
            error=self.error.ravel(),
            standard_error=self.standard_error.ravel(),
        )


MEASURES = ("mse", "auc")


@dataclass(frozen=True, eq=False)
class RankingComparison(Frozen):
    """Squared error and AUC of each method on test samples, split by split.

    Parameters
    ----------
    setting : {"plain", "imbalanced", "positive-unlabelled"}
    methods : tuple of str
        As in :class:`RankingExperiment`.
    errors : ndarray, shape (n_repeats, n_methods)
        Mean squared difference of label and predicted probability in each split.
    areas : ndarray, shape (n_repeats, n_methods)
        AUCs of the scores, without the ties of isotonic regression.
    label_frequency : ndarray, shape (n_methods,)
        Estimated share of the positives that are labelled, averaged; 1 where all are.
    test_prevalence : float
        Fraction of positives among the test samples.
    n_train, n_test : int
        Samples in each split.
    """

    setting: str
    methods: tuple[str, ...]
    errors: Floats
    areas: Floats
    label_frequency: Floats
    test_prevalence: float
    n_train: int
    n_test: int

    @property
    def n_repeats(self) -> int:
        """Number of random splits."""
        return len(self.errors)

    @property
    def mse(self) -> Floats:
        """Squared error of each method, averaged over the splits."""
        return np.asarray(self.errors.mean(axis=0))

    @property
    def mse_error(self) -> Floats:
        """Standard error of :attr:`mse`, which allows for the samples that splits share.

        The variance over the splits is multiplied by ``1 / n_repeats + n_test / n_train``
        (Nadeau and Bengio, 2003).
        """
        return self._standard_error(self.errors)

    @property
    def auc(self) -> Floats:
        """AUC of each method, averaged over the splits."""
        return np.asarray(self.areas.mean(axis=0))

    @property
    def auc_error(self) -> Floats:
        """Standard error of :attr:`auc`, as for :attr:`mse_error`."""
        return self._standard_error(self.areas)

    def difference(
        self, method: str, other: str = "logistic", *, measure: str = "mse"
    ) -> tuple[float, float]:
        """Compute the difference of two methods on the same test samples, split by split.

        Parameters
        ----------
        method, other : str
            Two of ``methods``.
        measure : {"mse", "auc"}, default="mse"

        Returns
        -------
        mean, standard_error : float
            Of ``method`` minus ``other``; the error is corrected as :attr:`mse_error` is.

        Raises
        ------
        ValueError
            If a method was not compared, or the measure is another word.
        """
        check_choice(method, "method", self.methods)
        check_choice(other, "other", self.methods)
        check_choice(measure, "measure", MEASURES)
        values = self.errors if measure == "mse" else self.areas
        column = self.methods.index(method)
        other_column = self.methods.index(other)
        differences = values[:, column] - values[:, other_column]
        return float(differences.mean()), float(self._standard_error(differences))

    def _standard_error(self, values: Floats) -> Floats:
        """Compute the standard error of the mean over the splits, of each column."""
        return error_of_splits(values, self.n_train, self.n_test)

    def to_frame(self) -> DataFrame:
        """Tabulate the methods, one row each.

        Columns ``setting, method, mse, mse_error, auc, auc_error, label_frequency``.
        """
        names = ("mse", "mse_error", "auc", "auc_error", "label_frequency")
        return to_frame(
            setting=self.setting,
            method=self.methods,
            **{name: getattr(self, name) for name in names},
        )
