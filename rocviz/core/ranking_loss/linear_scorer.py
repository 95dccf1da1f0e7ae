"""A linear scorer trained on samples, on pairs of samples, or on both.

Ranks samples and gives probabilities by a fixed link; other links are maps of the ranking.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit

from rocviz.core.base import validation
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import Bools, Floats
from rocviz.core.ranking_loss._objective import Objective
from rocviz.core.ranking_loss.ranking_loss import PAIR_LOSSES
from rocviz.core.roc.segments import RankedSegments

REGRESSION_LOSSES = ("logistic", "squared")


@dataclass(frozen=True, eq=False)
class LinearScorer(Frozen):
    """The linear scorer with the least loss."""

    coef: Floats  # (n_features,)
    intercept: float  # chosen by the regression loss; 0 without one
    regression_loss: str | None  # {"logistic", "squared"}: determines the scorer's own link
    n_iter: int  # steps of Newton's method on all samples
    converged: bool  # whether it converged

    def decision(self, X: Any) -> Floats:
        """Score samples, shape (n_samples,); with a link, positive above a probability of 1/2."""
        score = np.asarray(X @ self.coef) + self.intercept
        return score - 0.5 if self.regression_loss == "squared" else score

    def probability(self, X: Any) -> Floats:
        """Compute probabilities by the scorer's own link, shape (n_samples,)."""
        return probability_of_decision(self.decision(X), self.regression_loss)

    def rank(self, X: Any, positive: Bools, sample_weight: Floats | None = None) -> RankedSegments:
        """Sort samples by their scores.

        Without a regression loss, scores apart by rounding alone are tied: equal samples may get
        such by their place in a matrix product, and isotonic regression must not take that for an
        order.
        """
        score = self.decision(X)
        if self.regression_loss is None:
            reach = float(np.sum(abs(X).max(axis=0) @ np.abs(self.coef)))
            score = tie_within_rounding(score, reach)
        return RankedSegments.from_scores(positive, score, sample_weight=sample_weight)


def fit_linear_scorer(
    X: Any,
    positive: Bools,
    *,
    mix: float,
    regression_loss: str | None,
    loss: str = "logistic",
    alpha: float = 1e-4,
    sample_weight: Floats | None = None,
    max_iter: int = 100,
    tol: float = 1e-9,
    random_state: validation.Seed = None,
) -> LinearScorer:
    """Minimise ``mix * regression loss + (1 - mix) * pairwise loss + alpha / 2 * |coef|^2``.

    Without a regression loss there is no intercept, and ``mix`` is 0. Newton's method takes at most
    ``max_iter`` steps, and ends when the gradient, of features brought to one scale, is shorter
    than ``tol``. ``random_state`` draws the samples that it starts on if there are more than 40
    000. It raises ``ValueError`` if a choice is unknown or a number out of its range.
    """
    mix = validation.check_fraction(mix, "mix", ends=True)
    if regression_loss is not None or mix > 0:
        validation.check_choice(regression_loss, "regression_loss", REGRESSION_LOSSES)
    validation.check_choice(loss, "loss", PAIR_LOSSES)
    alpha = validation.check_number(alpha, "alpha", minimum=0.0)
    max_iter = validation.check_integer(max_iter, "max_iter", minimum=1)
    tol = validation.check_number(tol, "tol", above=0.0)
    rng = validation.check_random_state(random_state)
    objective = Objective(
        X, positive, sample_weight, loss=loss, alpha=alpha, mix=mix, regression_loss=regression_loss
    )
    coef, intercept, n_iter, converged = objective.minimise(max_iter, tol, rng)
    return LinearScorer(
        coef, intercept if regression_loss else 0.0, regression_loss, n_iter, converged
    )


def probability_of_decision(decision: Floats, regression_loss: str | None) -> Floats:
    """Convert decision values into probabilities by the link of a regression loss."""
    if regression_loss == "logistic":
        return np.asarray(expit(decision))
    if regression_loss == "squared":
        return np.clip(decision + 0.5, 0.0, 1.0)
    raise ValueError("A scorer that was trained on pairs alone has no probabilities.")


def tie_within_rounding(score: Floats, scale: float) -> Floats:
    """Set scores that differ only by rounding to the lowest of them."""
    order = np.argsort(score)
    ranked = score[order]
    start = np.concatenate(([True], np.diff(ranked) > 4 * np.finfo(np.float64).eps * scale))
    first = np.flatnonzero(start)
    tied = np.empty_like(score)
    tied[order] = ranked[first[np.cumsum(start) - 1]]
    return tied
