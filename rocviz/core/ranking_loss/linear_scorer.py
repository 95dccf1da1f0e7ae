"""A linear scorer trained on samples, on pairs of samples, or on both.

Ranks samples and gives probabilities by a fixed link; other links are maps of the ranking.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import brentq
from scipy.sparse.linalg import LinearOperator, cg
from scipy.special import expit

from rocviz.core.base import validation
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import Bools, Floats
from rocviz.core.ranking_loss.ranking_loss import PAIR_LOSSES, PairwiseLoss
from rocviz.core.roc.segments import RankedSegments

REGRESSION_LOSSES = ("logistic", "squared")

_MAX_SUBSAMPLE_PER_CLASS = 10_000  # in the first descent
_MAX_CG_STEPS = 200  # of conjugate gradients per Newton step
_MAX_SCALE = 1e150  # of a feature, and of its inverse
_MAX_LINE_SEARCH_STEPS = 30

#: The product of a matrix of second derivatives with a step.
HessianProduct: TypeAlias = Callable[[Floats], Floats]


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
    than ``tol``. ``random_state`` draws the samples that it starts on if there are more than
    40,000. It raises ``ValueError`` if a choice is unknown or a number out of its range.
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
    is_first = np.concatenate(([True], np.diff(ranked) > 4 * np.finfo(np.float64).eps * scale))
    first = np.flatnonzero(is_first)
    tied = np.empty_like(score)
    tied[order] = ranked[first[np.cumsum(is_first) - 1]]
    return tied


# ---------------------------------------------------------------------- objective


class Objective:
    """``mix * regression loss + (1 - mix) * pairwise loss + alpha / 2 * |coef|^2``.

    Features are centred and brought to one scale inside, which changes the path to the minimum
    and not the minimum. Without a regression loss there is no intercept. A ``point`` is such
    centred and scaled coefficients, intercept last.
    """

    def __init__(
        self,
        X: Any,
        positive: Bools,
        weight: Floats | None,
        *,
        loss: str,
        alpha: float,
        mix: float,
        regression_loss: str | None,
    ) -> None:
        largest = float(abs(X).max())
        if largest and not 1 / _MAX_SCALE <= largest <= _MAX_SCALE:
            raise ValueError(
                f"X must be scaled first: the square of its largest value, {largest:.3g}, "
                "overflows."
            )
        self._X = X
        self._positive = positive
        self._weight = np.ones(positive.size) if weight is None else weight
        self._loss = loss
        self._alpha = alpha
        self._mix = mix
        self._regression_loss = regression_loss
        self._pairs = PairwiseLoss(positive, loss=loss, sample_weight=weight)
        self._share = self._weight / self._weight.sum()
        self._centre = np.asarray(self._share @ X)
        if sparse.issparse(X):
            square = np.asarray(self._share @ X.multiply(X))
        else:
            square = np.einsum("i,ij,ij->j", self._share, X, X)
        variance = square - self._centre**2
        varies = variance > 1e-14 * square
        if not varies.all():
            self._check_constant(np.flatnonzero(~varies))
        # a constant column is left out: centred, it would be rounding errors
        # the penalty curves as the losses do: a rare word, scaled by its spread alone, would have a
        # curvature of thousands and slow down all others
        curvature = np.where(varies, variance, 1.0) + alpha
        self._scale = np.where(varies, 1 / np.sqrt(curvature), 0.0)
        self._spread = np.sqrt(np.where(varies, variance, 0.0))

    def _check_constant(self, columns: NDArray[np.intp]) -> None:
        """Raise if a column is not constant, but its variance underflows."""
        values = self._X[self._share > 0][:, columns]
        highest = _as_vector(values.max(axis=0))
        lowest = _as_vector(values.min(axis=0))
        for column, low, high in zip(columns.tolist(), lowest, highest, strict=True):
            if high - low > 1e-14 * max(abs(high), abs(low)):
                raise ValueError(
                    "X must be centred and scaled first, or sample_weight be less unequal: "
                    f"column {column} varies from {low:.17g} to {high:.17g}, which rounding "
                    "loses beside the other values or weights."
                )

    # ------------------------------------------------------------------ at a point

    def coefficients(self, point: Floats) -> tuple[Floats, float]:
        """Convert a point into coefficients and intercept of ``X``."""
        coef = point[:-1] * self._scale
        return coef, float(point[-1] - self._centre @ coef)

    def point(self, coef: Floats, intercept: float) -> Floats:
        """Invert :meth:`coefficients`."""
        scaled = np.divide(coef, self._scale, out=np.zeros_like(coef), where=self._scale > 0)
        return np.append(scaled, intercept + self._centre @ coef)

    def _score(self, point: Floats) -> Floats:
        """Score the samples, without the intercept."""
        coef = point[:-1] * self._scale
        return np.asarray(self._X @ coef - self._centre @ coef)

    def _gradient(self, score_slope: Floats, intercept_slope: float) -> Floats:
        """Convert derivatives by the scores and by the intercept into those by the point."""
        coef_slope = np.asarray(self._X.T @ score_slope - self._centre * score_slope.sum())
        return np.append(coef_slope * self._scale, intercept_slope)

    def derivatives(self, point: Floats) -> tuple[Floats, HessianProduct]:
        """Compute the gradient at a point, and the product of the Hessian there with a step."""
        mix = self._mix
        score = self._score(point)
        ridge = np.append(self._alpha * self._scale**2, 0.0)
        score_slope = np.zeros(score.size)
        intercept_slope = 0.0
        score_curvature: Floats | None = None
        pairs = self._pairs.at(score) if mix < 1 else None
        if pairs is not None:
            score_slope += (1 - mix) * pairs.gradient
        if mix > 0:
            first, second = self._regression_derivatives(score + point[-1])
            score_slope += mix * self._share * first
            intercept_slope = mix * float(self._share @ first)
            score_curvature = mix * self._share * second

        def hessian_product(step: Floats) -> Floats:
            score_step = self._score(step)
            score_change = np.zeros(score_step.size)
            intercept_change = 0.0
            if pairs is not None:
                score_change += (1 - mix) * pairs.curvature(score_step)
            if score_curvature is not None:
                regression_change = score_curvature * (score_step + step[-1])
                score_change += regression_change
                intercept_change = float(regression_change.sum())
            return self._gradient(score_change, intercept_change) + ridge * step

        gradient = self._gradient(score_slope, intercept_slope) + ridge * point
        return gradient, hessian_product

    def _regression_derivatives(self, predicted: Floats) -> tuple[Floats, Floats]:
        """Compute first and second derivatives of the regression loss by log-odds or score."""
        if self._regression_loss == "squared":
            return 2 * (predicted - self._positive), np.full(predicted.size, 2.0)
        probability = expit(predicted)
        return probability - self._positive, probability * (1 - probability)

    # ------------------------------------------------------------------ the minimum

    def minimise(self, max_iter: int, tol: float, rng: Any) -> tuple[Floats, float, int, bool]:
        """Find coefficients and intercept of the minimum; also the steps, and whether it converged.

        Newton's method with conjugate gradients; with many samples the descent starts at the
        minimum for some of them.
        """
        # no slope is steeper than this: no loss changes faster than its score
        steepest = float(np.linalg.norm(self._spread * self._scale))
        if 0 < steepest <= tol:
            raise ValueError(
                f"X must be scaled first: its values vary by {self._spread.max():.3g} at most, "
                "too little for the penalty alpha to leave any weight on them."
            )
        start = np.zeros(self._scale.size + 1)
        subsample = self._subsample(rng)
        if subsample is not None:
            coef, intercept, _, _ = subsample.minimise(max_iter, tol, rng)
            start = self.point(coef, intercept)
        elif self._mix > 0:
            start[-1] = self._best_intercept(np.zeros(self._positive.size))
        point, n_iter, converged = self._descend(start, max_iter, tol)
        if self._mix < 1 and self._regression_loss is not None:
            # the regression alone determines it; with a small weight its slope hardly shows
            point[-1] = self._best_intercept(self._score(point))
        coef, intercept = self.coefficients(point)
        return coef, intercept, n_iter, converged

    def _descend(self, point: Floats, max_iter: int, tol: float) -> tuple[Floats, int, bool]:
        """Move from a point to the minimum; count the steps, and say whether it converged."""
        # SciPy's own Newton-CG takes a small curvature for none, and trust regions zigzag where
        # many pairs lie on the kink of the squared hinge; searching along the line does not
        size = point.size
        step = np.zeros(size)  # at first none
        slope_along_step = 0.0
        n_iter = 0
        while True:
            point, gradient, hessian_product = self._line_search(point, step, slope_along_step)
            slope = float(np.linalg.norm(gradient))
            if slope <= tol or n_iter == max_iter:
                return point, n_iter, slope <= tol
            # damping that vanishes with the slope: a flat direction gets a long step, not an
            # endless one, and convergence stays fast
            damped = LinearOperator(
                (size, size),
                matvec=lambda step, hessian_product=hessian_product, slope=slope: (
                    hessian_product(step) + 1e-3 * slope * step
                ),
            )
            tolerance = min(0.1, np.sqrt(slope))
            step, _ = cg(damped, -gradient, rtol=tolerance, maxiter=_MAX_CG_STEPS)
            slope_along_step = float(gradient @ step)
            del hessian_product, damped  # two of them, of many samples, would not fit in memory
            n_iter += 1

    def _line_search(
        self, start: Floats, step: Floats, start_slope: float
    ) -> tuple[Floats, Floats, HessianProduct]:
        """Move by ``step``, or by less if that overshoots the minimum; find the derivatives."""
        point = start + step
        gradient, hessian_product = self.derivatives(point)
        low = 0.0
        low_slope = start_slope
        high = 1.0
        high_slope = float(gradient @ step)
        if high_slope <= -0.5 * start_slope:
            return point, gradient, hessian_product
        for _ in range(_MAX_LINE_SEARCH_STEPS):
            share = low_slope / (low_slope - high_slope)
            share = low + (high - low) * min(max(share, 0.1), 0.9)
            point = start + share * step
            del hessian_product
            gradient, hessian_product = self.derivatives(point)
            slope = float(gradient @ step)
            if abs(slope) <= -0.1 * start_slope:
                break
            if slope > 0:
                high = share
                high_slope = slope
            else:
                low = share
                low_slope = slope
        return point, gradient, hessian_product

    def _best_intercept(self, score: Floats) -> float:
        """Fit the regression's intercept to given scores."""
        pos_share = float(self._share[self._positive].sum())
        neg_share = float(self._share[~self._positive].sum())
        if self._regression_loss == "squared":
            return pos_share - float(self._share @ score)
        # the share of the rarer class has full precision
        rarer_share = min(pos_share, neg_share)
        sign = 1 if pos_share == rarer_share else -1
        middle = log(pos_share) - log(neg_share)

        def excess(intercept: float) -> float:
            return float(self._share @ expit(sign * (score + intercept))) - rarer_share

        low = middle - score.max() - 1
        high = middle - score.min() + 1
        return float(brentq(excess, low, high, xtol=1e-13))

    def _subsample(self, rng: Any) -> Objective | None:
        """Build the objective of a random subsample of either class, weighted to stand for all."""
        if self._positive.size <= 4 * _MAX_SUBSAMPLE_PER_CLASS:
            return None
        subsamples = []
        weights = []
        for members in (self._positive, ~self._positive):
            rows = np.flatnonzero(members & (self._weight > 0))
            subsample = rows
            if rows.size > _MAX_SUBSAMPLE_PER_CLASS:
                subsample = np.sort(rng.choice(rows, _MAX_SUBSAMPLE_PER_CLASS, replace=False))
            weight = self._weight[subsample]
            subsamples.append(subsample)
            weights.append(weight * (self._weight[rows].sum() / weight.sum()))
        rows = np.concatenate(subsamples)
        return Objective(
            self._X[rows],
            self._positive[rows],
            np.concatenate(weights),
            loss=self._loss,
            alpha=self._alpha,
            mix=self._mix,
            regression_loss=self._regression_loss,
        )


def _as_vector(values: Any) -> Floats:
    """Flatten one row, which may be sparse."""
    return np.ravel(values.toarray() if sparse.issparse(values) else values)
