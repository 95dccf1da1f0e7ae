"""The pairwise ranking loss of scores, exact over all pairs, with gradient and curvature.

It is a convex surrogate of 1 - AUC: every positive should score higher than every negative.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.validation import (
    Bools,
    Floats,
    Weights,
    check_aligned,
    check_choice,
    check_labels,
    check_same_length,
    check_vector,
    check_weights,
)
from rocviz.core.ranking_loss._hinge_pairs import HingePairs
from rocviz.core.ranking_loss._logistic_pairs import LogisticPairs

_PAIRS: Mapping[str, type[LogisticPairs] | type[HingePairs]] = MappingProxyType(
    {"logistic": LogisticPairs, "squared_hinge": HingePairs}
)

#: Names of the losses of a pair.
PAIR_LOSSES = tuple(_PAIRS)

_WIDEST = 1e150


class PairwiseLoss:
    """Mean loss over all pairs of a positive and a negative, as a function of their scores.

    With the difference ``d = s_i - s_j`` of a positive's and a negative's score a pair costs
    ``log(1 + exp(-d))`` (logistic) or ``max(0, 1 - d)^2`` (squared hinge). Both are convex, and
    they are smooth substitutes for 1 - AUC, which counts the pairs with ``d < 0``.

    Parameters
    ----------
    y_true, pos_label
        As for :meth:`rocviz.RankedSegments.from_scores`.
    loss : {"logistic", "squared_hinge"}, default="logistic"
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated; not negative. A pair counts as the product.

    Raises
    ------
    ValueError
        If an argument is invalid, or a class has no weight.

    Notes
    -----
    No pair is sampled and none is visited: sorting and running sums give the squared hinge to
    the last digits, and Chebyshev series on panels of unit width give the logistic loss with a
    relative error below 1e-13, both in O(n log n) time and O(n) memory. That is the rounding error
    of the sum over all pairs, so there is no other way for few samples. It holds as well for what
    is left of the logistic loss and of its gradient when all pairs are far apart in the right
    order, down to 1e-308: beyond, as 710 apart, floats have few digits or only 0.

    References
    ----------
    Menon et al. (2012), equation 5.

    Examples
    --------
    >>> loss = PairwiseLoss([1, 0, 1], loss="squared_hinge")
    >>> there = loss.at([2.0, 1.5, 1.0])
    >>> there.value, there.gradient
    (1.25, array([-0.5,  2. , -1.5]))
    """

    def __init__(
        self,
        y_true: ArrayLike,
        *,
        loss: str = "logistic",
        sample_weight: Weights = None,
        pos_label: Any = None,
    ) -> None:
        check_aligned(y_true=y_true, sample_weight=sample_weight)
        positive = check_labels(y_true, pos_label)
        self.loss = check_choice(loss, "loss", PAIR_LOSSES)
        weight = check_weights(sample_weight, positive.size)
        self._n = positive.size
        some: Bools = np.ones(self._n, dtype=np.bool_) if weight is None else weight > 0
        self._pos = np.flatnonzero(positive & some)
        self._neg = np.flatnonzero(~positive & some)
        if not (self._pos.size and self._neg.size):
            raise ValueError("sample_weight leaves one class without weight; both are needed.")
        given = np.ones(self._n) if weight is None else weight
        # means, not sums: shares of each class weigh the pairs
        self._pos_weight = given[self._pos]
        self._neg_weight = given[self._neg]
        self._total = float(self._pos_weight.sum()) * float(self._neg_weight.sum())

    def at(self, y_score: ArrayLike) -> PairwiseLossAt:
        """Compute the loss of scores.

        Parameters
        ----------
        y_score : array-like of float, shape (n_samples,)
            Finite; higher means more positive.

        Raises
        ------
        ValueError
            If there is not one finite score per label.
        """
        score = check_vector(y_score, "y_score")
        check_same_length(self._n, y_score=score)
        low = float(score.min())
        high = float(score.max())
        if high / 2 - low / 2 > _WIDEST / 2:
            raise ValueError(
                f"y_score must span at most {_WIDEST:g}, whose square is still finite; found "
                f"values from {low:g} to {high:g}."
            )
        return PairwiseLossAt(self, score)


class PairwiseLossAt:
    """A pairwise loss at given scores; made by :meth:`PairwiseLoss.at`.

    Parameters
    ----------
    of : PairwiseLoss
    y_score : ndarray of float, shape (n_samples,)
    """

    def __init__(self, of: PairwiseLoss, y_score: Floats) -> None:
        self._of = of
        self._pairs = _PAIRS[of.loss](
            y_score[of._pos], y_score[of._neg], of._pos_weight, of._neg_weight
        )

    @cached_property
    def value(self) -> float:
        """Mean loss of a pair."""
        return self._pairs.value / self._of._total

    @cached_property
    def gradient(self) -> Floats:
        """Derivative of the value with respect to each score, shape (n_samples,); sums to 0."""
        return self._on_samples(*self._pairs.slopes)

    def curvature(self, step: ArrayLike) -> Floats:
        """Multiply the matrix of second derivatives by a step of the scores.

        Parameters
        ----------
        step : array-like of float, shape (n_samples,)

        Returns
        -------
        ndarray of float, shape (n_samples,)
            The squared hinge has no second derivative where a difference is exactly 1; there it
            is that towards larger differences.

        Raises
        ------
        ValueError
            If there is not one finite step per label.
        """
        vector = check_vector(step, "step")
        check_same_length(self._of._n, step=vector)
        return self._on_samples(
            *self._pairs.curvature(vector[self._of._pos], vector[self._of._neg])
        )

    def _on_samples(self, of_pos: Floats, of_neg: Floats) -> Floats:
        values = np.zeros(self._of._n)
        values[self._of._pos] = of_pos
        values[self._of._neg] = of_neg
        values /= self._of._total
        return values


def pairwise_loss(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    loss: str = "logistic",
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> tuple[float, Floats]:
    """Compute the mean loss over all pairs of a positive and a negative, and its gradient.

    Parameters
    ----------
    y_true, loss, sample_weight, pos_label
        As for :class:`PairwiseLoss`.
    y_score : array-like of float, shape (n_samples,)
        Finite; higher means more positive.

    Returns
    -------
    value : float
        Not negative.
    gradient : ndarray of float, shape (n_samples,)
        With respect to the scores.

    Raises
    ------
    ValueError
        As :class:`PairwiseLoss` does, or if rows of pandas are in different orders.

    See Also
    --------
    PairwiseLoss : The same for many scores of the same samples, with second derivatives.

    References
    ----------
    Menon et al. (2012), equation 5.

    Examples
    --------
    >>> value, gradient = pairwise_loss([0, 1], [0.0, 0.0])
    >>> round(value, 4), gradient
    (0.6931, array([ 0.5, -0.5]))
    """
    check_aligned(y_true=y_true, y_score=y_score)
    at = PairwiseLoss(y_true, loss=loss, sample_weight=sample_weight, pos_label=pos_label).at(
        y_score
    )
    return at.value, at.gradient
