"""Regression and ranking in one linear model, by a mixture of both losses.

Speaks scikit-learn's estimator interface; the pairwise loss is the core's. Knows nothing of plots.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import expit

from rocviz.core.base.validation import Floats, check_choice, check_fraction
from rocviz.estimators.ranking_loss._pairwise import REGRESSION_LOSSES, PairwiseLinearClassifier

__all__ = ["CombinedRegressionRanking"]


class CombinedRegressionRanking(PairwiseLinearClassifier):
    r"""A linear model trained on a mixture of a regression loss and a pairwise ranking loss.

    Coefficients :math:`w` and intercept :math:`b` minimise

    .. math::

        \mu\, L_{\text{regression}}(w, b) + (1-\mu)\, L_{\text{pairwise}}(w)
        + \frac{\alpha}{2}\lVert w\rVert^2

    where both losses are means, over samples and over pairs.

    Parameters
    ----------
    mix : float, default=0.5
        Share :math:`\mu` of the regression loss, from 0 (ranking only) to 1 (regression only). The
        papers call it alpha.
    alpha : float, default=1e-4
        Strength of the L2 penalty; not negative. The papers call it lambda.
    regression_loss : {"logistic", "squared"}, default="logistic"
        Of a sample with score t: ``log(1 + exp(-t))`` if positive and ``log(1 + exp(t))`` if
        negative, or ``(y - t)^2`` with y 1 or 0.
    loss : {"logistic", "squared_hinge"}, default="logistic"
        Of a pair, as in :class:`RankIsotonicClassifier`.
    max_iter : int, default=100
        Most steps of Newton's method.
    tol : float, default=1e-9
        The descent ends when the gradient, of features brought to one scale, is shorter.
    random_state : int, RandomState instance or None, default=None
        As in :class:`RankIsotonicClassifier`.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        Labels; the second is the positive class.
    coef_ : ndarray of float, shape (1, n_features)
    intercept_ : ndarray of float, shape (1,)
        Without penalty. With ``mix=0`` it is what the regression loss alone chooses for the scores
        that the pairs have made: the limit for small ``mix``.
    n_iter_ : int
        Steps of Newton's method on all samples.
    n_features_in_ : int
    feature_names_in_ : ndarray of str, shape (n_features,)
        If ``X`` had names.

    See Also
    --------
    RankIsotonicClassifier : A link of any shape on top of a ranker.

    Notes
    -----
    The link from score to probability is fixed, as in logistic or linear regression: what the
    mixture changes is the direction and the steepness.

    References
    ----------
    Sculley (2010), "Combined regression and ranking", KDD. Menon et al. (2012), "Predicting
    accurate probabilities with a ranking loss", ICML, section 4.4.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = CombinedRegressionRanking(alpha=1e-3).fit(X[::2], y[::2])
    >>> bool(model.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    def __init__(
        self,
        mix: float = 0.5,
        alpha: float = 1e-4,
        *,
        regression_loss: str = "logistic",
        loss: str = "logistic",
        max_iter: int = 100,
        tol: float = 1e-9,
        random_state: Any = None,
    ) -> None:
        self.mix = mix
        self.alpha = alpha
        self.regression_loss = regression_loss
        self.loss = loss
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> CombinedRegressionRanking:
        """Train on all samples and all pairs.

        Parameters
        ----------
        X : array-like or sparse matrix, shape (n_samples, n_features)
            Training samples.
        y : array-like, shape (n_samples,)
            Labels of exactly two classes.
        sample_weight : array-like of float, shape (n_samples,), optional
            How often each sample is repeated.

        Returns
        -------
        CombinedRegressionRanking
            Itself.

        Raises
        ------
        ValueError
            If labels are not of two classes, or a parameter is not as said above.
        """
        mix = check_fraction(self.mix, "mix", ends=True)
        check_choice(self.regression_loss, "regression_loss", REGRESSION_LOSSES)
        *_, line = self._train(X, y, sample_weight, mix=mix, regression_loss=self.regression_loss)
        self.intercept_ = np.array([line.intercept])
        return self

    def decision_function(self, X: Any) -> Floats:
        """Return the score.

        Parameters
        ----------
        X : array-like or sparse matrix, shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of float, shape (n_samples,)
            Log odds, or with the squared loss the probability, unclipped, less one half. Positive
            where ``predict`` says the positive class.
        """
        score = self._scores(X) + self.intercept_[0]
        return score if self.regression_loss == "logistic" else score - 0.5

    def predict_proba(self, X: Any) -> Floats:
        """Return probabilities.

        Parameters
        ----------
        X : array-like or sparse matrix, shape (n_samples, n_features)
            Samples.

        Returns
        -------
        ndarray of float, shape (n_samples, 2)
            Of the negative and the positive class, in the order of ``classes_``. With the squared
            loss the line is clipped to [0, 1].
        """
        score = self.decision_function(X)
        if self.regression_loss == "logistic":
            return expit(np.column_stack((-score, score)))
        positive = np.clip(score + 0.5, 0.0, 1.0)
        return np.column_stack((1 - positive, positive))
