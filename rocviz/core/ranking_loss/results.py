"""Tables of how well methods predict probabilities: on simulated and on given data."""

from __future__ import annotations

from dataclasses import dataclass

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import Floats


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
            {
                "a": self.a.repeat(len(self.methods)),
                "method": list(self.methods) * self.a.size,
                "error": self.error.ravel(),
                "standard_error": self.standard_error.ravel(),
            }
        )


@dataclass(frozen=True, eq=False)
class RankingComparison(Frozen):
    """Squared error and AUC of each method on test samples.

    Parameters
    ----------
    setting : {"plain", "imbalanced", "positive-unlabelled"}
    methods : tuple of str
        As in :class:`RankingExperiment`.
    mse : ndarray, shape (n_methods,)
        Mean squared difference of label and predicted probability, averaged over repetitions.
    mse_error : ndarray, shape (n_methods,)
        Standard error of that average.
    auc, auc_error : ndarray, shape (n_methods,)
        Of the scores, in which isotonic regression ties nothing.
    label_frequency : ndarray, shape (n_methods,)
        Estimated share of the positives that are labelled, averaged; 1 where all are.
    test_prevalence : float
        Fraction of positives among the test samples.
    n_repeats : int
        Repetitions.
    """

    setting: str
    methods: tuple[str, ...]
    mse: Floats
    mse_error: Floats
    auc: Floats
    auc_error: Floats
    label_frequency: Floats
    test_prevalence: float
    n_repeats: int

    def to_frame(self) -> DataFrame:
        """Tabulate the methods, one row each.

        Columns ``setting, method, mse, mse_error, auc, auc_error, label_frequency``.
        """
        names = ("mse", "mse_error", "auc", "auc_error", "label_frequency")
        return to_frame(
            {
                "setting": self.setting,
                "method": self.methods,
                **{name: getattr(self, name) for name in names},
            }
        )
