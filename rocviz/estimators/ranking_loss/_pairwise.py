"""The base of estimators with a linear scorer that is trained on pairs of samples."""

from __future__ import annotations

import warnings
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from rocviz.core.base.validation import Bools, Floats, Seed, check_aligned
from rocviz.core.ranking_loss.linear_scorer import LinearScorer, fit_linear_scorer
from rocviz.estimators.base.classifier import ProbabilisticClassifier, as_random_state
from rocviz.estimators.base.table import column_names, validated

PairLoss = Literal["logistic", "squared_hinge"]


@dataclass(eq=False, repr=False)
class PairwiseLinearClassifier(ProbabilisticClassifier):
    """Base of classifiers with a linear scorer trained on pairs of samples.

    A subclass returns the share of a regression loss in the objective and its name from
    ``_regression``, and the intercept that follows from the scorer from ``_fit_intercept``.
    """

    _: KW_ONLY
    max_iter: int = 100
    tol: float = 1e-9
    random_state: Seed = None

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train on all samples and all pairs of a positive and a negative one.

        Parameters
        ----------
        X : array-like or sparse matrix, shape (n_samples, n_features)
            Training samples.
        y : array-like, shape (n_samples,)
            Labels of exactly two classes.
        sample_weight : array-like of float, shape (n_samples,), optional
            How often each sample is repeated.

        Raises
        ------
        ValueError
            If labels are not of two classes, or a parameter is invalid.
        """
        mix, regression_loss = self._regression()
        check_aligned(X=X, y=y, sample_weight=sample_weight)
        X, y = validated(self, X, y, accept_sparse="csr", dtype=np.float64)
        positive, weight, classes = self._read_target(X, y, sample_weight)
        fitted = fit_linear_scorer(
            X,
            positive,
            mix=mix,
            regression_loss=regression_loss,
            loss=self.loss,
            alpha=self.alpha,
            sample_weight=weight,
            max_iter=self.max_iter,
            tol=self.tol,
            random_state=as_random_state(self.random_state),
        )
        if not fitted.converged:
            warnings.warn(
                f"{type(self).__name__} has not converged after {fitted.n_iter} steps; raise "
                "max_iter, alpha or tol.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self._take_classes(classes)
        self.coef_ = fitted.coef[None, :]
        self.n_iter_ = fitted.n_iter
        self.intercept_ = np.array([self._fit_intercept(X, positive, weight, fitted)])
        return self

    def _regression(self) -> tuple[float, str | None]:
        raise NotImplementedError

    def _fit_intercept(
        self, X: Any, positive: Bools, weight: Floats | None, fitted: LinearScorer
    ) -> float:
        raise NotImplementedError

    def _scores(self, X: Any) -> Floats:
        """Compute the linear score without any intercept."""
        check_is_fitted(self)
        X = validated(self, X, accept_sparse="csr", dtype=np.float64, reset=False)
        return np.asarray(X @ self.coef_[0])

    def decision_function(self, X: Any) -> Floats:
        """Compute ``X @ coef_[0] + intercept_[0]``, above 0 for ``classes_[1]``.

        Takes what :meth:`fit` takes as ``X``.

        Returns
        -------
        ndarray of float, shape (n_samples,)
            Its sign is turned where ``pos_label`` is ``classes_[0]``.
        """
        return self._signed(self._above(X))

    def _above(self, X: Any) -> Floats:
        """Compute a score that is positive where the positive class is predicted."""
        return np.asarray(self._scores(X) + self.intercept_[0])

    def _learned(self) -> Any:
        rows = list(zip(column_names(self), self.coef_[0], strict=True))
        rows.append(("intercept", self.intercept_[0]))
        return "Linear score", ("column", "coefficient"), rows

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
