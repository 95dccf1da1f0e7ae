"""Ranking regret, and the bound that it gives for the regret of calibrated probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression

from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import (
    MIN_SHARE,
    Floats,
    Weights,
    check_aligned,
    check_probabilities,
    check_same_length,
    check_vector,
    check_weights,
)
from rocviz.core.ranking_loss.bound import largest_loss

#: The number of each sample's score among the distinct scores.
ScoreIndex: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class RankingRegret(Frozen):
    """The regret of a ranking in AUC, and of its calibrated scores in squared error.

    Parameters
    ----------
    prevalence : float
        Mean of the true probabilities.
    ranking_regret : float
        AUC of the true probabilities minus AUC of the scores, each as expected over the labels,
        with ties counted one half.
    probability_regret : float
        Mean squared difference between the true probabilities and the best of their estimates that
        do not fall with the score.
    bound : float
        Of the probability regret, from prevalence and ranking regret alone.
    level_bound : float
        Of the probability regret, from the ranking of the samples above every level of the true
        probability; never above ``bound``.
    """

    prevalence: float
    ranking_regret: float
    probability_regret: float
    bound: float
    level_bound: float


def ranking_regret(
    true_prob: ArrayLike, y_score: ArrayLike, *, sample_weight: Weights = None
) -> RankingRegret:
    r"""Compute ranking and probability regret of scores, given the true probabilities.

    With :math:`\eta` the true probability, :math:`\pi` its mean, :math:`s` the score and :math:`g`
    the best non-decreasing function of it, the ranking regret is

    .. math::

        R = \frac{1}{2\pi(1-\pi)}\,E\,|\eta - \eta'|
        \left(1[(\eta - \eta')(s - s') < 0] + \tfrac12\,1[s = s']\right),

    and the probability regret is bounded by it:

    .. math::

        E\,(\eta - g(s))^2 \le \sqrt{\tfrac23\,\pi(1 - \pi)\,R}.

    The factor 2/3 cannot be lowered.

    Parameters
    ----------
    true_prob : array-like of float, shape (n_samples,)
        Probability of the positive class, such as a simulation knows.
    y_score : array-like of float, shape (n_samples,)
        Any finite scores; only their order and their ties matter.
    sample_weight : array-like of float, shape (n_samples,), optional
        Weight of each sample.

    Returns
    -------
    RankingRegret

    Raises
    ------
    ValueError
        If the arrays differ in length, a value is invalid, or the mean of the
        probabilities is not from 1e-9 to 1 - 1e-9.

    See Also
    --------
    ranking_bound : Bound of the squared loss, where only labels are known.

    Notes
    -----
    Theorem and constant were derived for rocviz; the proof is in the documentation, "From ranking
    regret to probability regret".

    References
    ----------
    Clémençon et al. (2008) define the ranking regret. The nearest prior work that we know of is
    Narasimhan and Agarwal (2013), who bound the probability regret by it as well.

    Examples
    --------
    Three samples, of which the scores exchange the last two:

    >>> regret = ranking_regret([0.9, 0.5, 0.1], [3, 1, 2])
    >>> round(regret.ranking_regret, 4), round(regret.probability_regret, 4)
    (0.1778, 0.0267)
    >>> round(regret.bound, 4)
    0.1721

    The 1000 true probabilities are 0 or 1, and the curve is the worst of its area:

    >>> from rocviz.core.ranking_loss import worst_ranking
    >>> y_true, y_score, weight = worst_ranking(0.9, 0.5).to_samples()
    >>> worst = ranking_regret(y_true, y_score, sample_weight=weight)
    >>> round(worst.probability_regret / worst.bound, 6)
    1.0
    """
    check_aligned(true_prob=true_prob, y_score=y_score, sample_weight=sample_weight)
    eta = check_probabilities(true_prob, "true_prob")
    score = check_vector(y_score, "y_score")
    check_same_length(eta.size, y_score=score)
    weight = check_weights(sample_weight, eta.size)
    weight = np.ones(eta.size) if weight is None else weight
    check_effort(numbers=12 * eta.size, y_score=f"{eta.size} samples")
    included = weight > 0
    eta = eta[included]
    weight = weight[included]
    _, score_index = np.unique(score[included], return_inverse=True)
    pi = float(weight @ eta / weight.sum()) if eta.size else 0.0
    if not MIN_SHARE <= pi <= 1 - MIN_SHARE:
        raise ValueError(
            f"true_prob must have a mean from {MIN_SHARE:g} to 1 - {MIN_SHARE:g}; got {pi:.6g}."
        )
    width, above, below, wrong = _levels(eta, score_index, weight)
    regret = float(width @ wrong) / (pi * (1 - pi))
    losses = []
    for p, q, pairs in zip(above.tolist(), below.tolist(), wrong.tolist(), strict=True):
        losses.append(largest_loss(pairs / (p * q), min(p, q), max(p, q)))
    return RankingRegret(
        prevalence=pi,
        ranking_regret=regret,
        probability_regret=_isotonic_error(eta, score_index, weight),
        bound=sqrt(2 / 3 * pi * (1 - pi) * regret),
        level_bound=float(width @ np.sqrt(losses)) ** 2,
    )


def _levels(
    eta: Floats, score_index: ScoreIndex, weight: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Compare samples above and below each level that lies between two probabilities.

    Returns the distance of the two probabilities, the shares of samples above and below, and the
    share of all pairs in which the sample above the level has the lower score.
    """
    order = np.argsort(eta, kind="stable")
    eta = eta[order]
    score_index = score_index[order]
    weight = weight[order]
    tied = np.bincount(score_index, weight)
    # in score, except the sample itself
    lower = (np.cumsum(tied) - tied / 2)[score_index] - weight / 2
    below = np.cumsum(weight)
    above = np.cumsum(weight[::-1])[::-1]
    # Mann and Whitney's count: what a sample adds to the pairs when the level passes it
    wrong = np.cumsum(weight * (lower - (below - weight)))
    total = below[-1]
    return (
        np.diff(eta),
        above[1:] / total,
        below[:-1] / total,
        np.maximum(wrong[:-1], 0) / total**2,
    )


def _isotonic_error(eta: Floats, score_index: ScoreIndex, weight: Floats) -> float:
    """Compute the mean squared distance to the best non-decreasing function of the score."""
    tied = np.bincount(score_index, weight)
    mean = np.bincount(score_index, weight * eta) / tied
    fitted = isotonic_regression(mean, weights=tied).x[score_index]
    return float(weight @ (eta - fitted) ** 2 / weight.sum())
