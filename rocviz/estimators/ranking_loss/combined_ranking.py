"""Regression and ranking in one linear model, by a mixture of both losses.

Speaks scikit-learn's estimator interface; the pairwise loss is the core's.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

from scipy.special import expit

from rocviz.core.base.validation import Bools, Floats
from rocviz.core.ranking_loss.linear_scorer import LinearScorer, probability_of_decision
from rocviz.estimators.ranking_loss._pairwise import PairLoss, PairwiseLinearClassifier


@dataclass(eq=False, repr=False)
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
        Loss of a pair, as in :class:`RankIsotonicClassifier`.
    max_iter : int, default=100
        Most steps of Newton's method.
    tol : float, default=1e-9
        The descent ends when the gradient, of features brought to one scale, is shorter.
    random_state, pos_label
        As in :class:`RankIsotonicClassifier`.

    Attributes
    ----------
    classes_, pos_label_ : ndarray, shape (2,), and label
        Labels, and the positive one.
    coef_ : ndarray of float, shape (1, n_features)
    intercept_ : ndarray of float, shape (1,)
        Without penalty. With ``mix=0`` it is what the regression loss alone chooses for the scores
        that the pairs have made: the limit for small ``mix``.
    n_iter_, n_features_in_, feature_names_in_
        As of :class:`RankIsotonicClassifier`.

    See Also
    --------
    RankIsotonicClassifier : A link of any shape on top of a ranker.

    Notes
    -----
    The link from score to probability is fixed, as in logistic or linear regression: what the
    mixture changes is the direction and the steepness.

    References
    ----------
    Sculley (2010). Menon et al. (2012), section 4.4.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = CombinedRegressionRanking(alpha=1e-3).fit(X[::2], y[::2])
    >>> bool(model.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    mix: float = 0.5
    alpha: float = 1e-4
    _: KW_ONLY
    regression_loss: Literal["logistic", "squared"] = "logistic"
    loss: PairLoss = "logistic"

    def _regression(self) -> tuple[float, str | None]:
        return self.mix, self.regression_loss

    def _fit_intercept(
        self, X: Any, positive: Bools, weight: Floats | None, fitted: LinearScorer
    ) -> float:
        return fitted.intercept

    def decision_function(self, X: Any) -> Floats:
        """Compute the score.

        Takes what :meth:`predict_proba` takes.

        Returns
        -------
        ndarray of float, shape (n_samples,)
            Log odds of ``classes_[1]``, or with the squared loss its probability, unclipped, less
            one half.
        """
        return super().decision_function(X)

    def _above(self, X: Any) -> Floats:
        score = super()._above(X)
        if self.regression_loss == "logistic":
            return score
        return score - 0.5

    def _probabilities(self, X: Any) -> Floats:
        score = self._above(X)
        if self.regression_loss == "logistic":  # no digit of small probabilities is lost
            return self._columns_of(expit(-score), expit(score))
        prob = probability_of_decision(score, self.regression_loss)
        return self._columns_of(1 - prob, prob)
