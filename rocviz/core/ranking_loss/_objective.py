"""The objective of linear scorers trained on pairs, and its minimisation with SciPy."""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import brentq
from scipy.sparse.linalg import LinearOperator, cg
from scipy.special import expit

from rocviz.core.base.validation import Bools, Floats
from rocviz.core.ranking_loss.ranking_loss import PairwiseLoss

_START = 10_000  # samples of a class in the first, subsampled descent
_INNER = 200  # conjugate-gradient steps per Newton step
_LARGEST = 1e150  # largest scale of a feature, and of its inverse
_HALVINGS = 30  # points tried in a line search

Curvature: TypeAlias = Callable[[Floats], Floats]


class Objective:
    """``mix * regression loss + (1 - mix) * pairwise loss + alpha / 2 * |coef|^2``.

    Features are centred and brought to one scale inside, which changes the path to the minimum
    and not the minimum. Without a regression loss there is no intercept.
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
        if largest and not 1 / _LARGEST <= largest <= _LARGEST:
            raise ValueError(
                f"X must be scaled first: the square of its largest value, {largest:.3g}, "
                "overflows."
            )
        self._X = X
        self._positive = positive
        self._weight = weight
        self._options: dict[str, Any] = {
            "loss": loss,
            "alpha": alpha,
            "mix": mix,
            "regression_loss": regression_loss,
        }
        self._pairs = PairwiseLoss(positive, loss=loss, sample_weight=weight)
        given = np.ones(positive.size) if weight is None else weight
        self._share = given / given.sum()
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
        # the penalty bends as the losses do: a rare word, scaled by its spread alone, would bend by
        # thousands and slow down all others
        bent = np.where(varies, variance, 1.0) + alpha
        self._scale = np.where(varies, 1 / np.sqrt(bent), 0.0)
        self._spread = np.sqrt(np.where(varies, variance, 0.0))

    def _check_constant(self, columns: NDArray[np.intp]) -> None:
        """Raise if a column is not constant, but its variance underflows."""
        there = self._X[self._share > 0][:, columns]
        high, low = (
            end.toarray().ravel() if sparse.issparse(end) else end
            for end in (there.max(axis=0), there.min(axis=0))
        )
        for column, top, bottom in zip(columns.tolist(), high, low, strict=True):
            if top - bottom > 1e-14 * max(abs(top), abs(bottom)):
                raise ValueError(
                    "X must be centred and scaled first, or sample_weight be less unequal: "
                    f"column {column} varies from {bottom:.17g} to {top:.17g}, which rounding "
                    "loses beside the other values or weights."
                )

    # ------------------------------------------------------------------ at a point

    def coefficients(self, z: Floats) -> tuple[Floats, float]:
        """Convert centred and scaled coefficients, intercept last, into those of ``X``."""
        coef = z[:-1] * self._scale
        return coef, float(z[-1] - self._centre @ coef)

    def place(self, coef: Floats, intercept: float) -> Floats:
        """Invert :meth:`coefficients`."""
        z = np.divide(coef, self._scale, out=np.zeros_like(coef), where=self._scale > 0)
        return np.append(z, intercept + self._centre @ coef)

    def _score(self, z: Floats) -> Floats:
        coef = z[:-1] * self._scale
        return np.asarray(self._X @ coef - self._centre @ coef)

    def _pull_back(self, of_score: Floats, of_intercept: float) -> Floats:
        along = np.asarray(self._X.T @ of_score - self._centre * of_score.sum())
        return np.append(along * self._scale, of_intercept)

    def derivatives(self, z: Floats) -> tuple[Floats, Curvature]:
        """Compute the gradient at a point, and the product of the Hessian there with a step."""
        mix = self._options["mix"]
        alpha = self._options["alpha"]
        score = self._score(z)
        ridge = np.append(alpha * self._scale**2, 0.0)
        slope = np.zeros(score.size)
        intercept_slope = 0.0
        bend: Floats | None = None
        pairs = self._pairs.at(score) if mix < 1 else None
        if pairs is not None:
            slope += (1 - mix) * pairs.gradient
        if mix > 0:
            slopes, bends = _REGRESSIONS[self._options["regression_loss"]](
                score + z[-1], self._positive
            )
            slope += mix * self._share * slopes
            intercept_slope = mix * float(self._share @ slopes)
            bend = mix * self._share * bends

        def curvature(step: Floats) -> Floats:
            along = self._score(step)
            turned = np.zeros(along.size)
            of_intercept = 0.0
            if pairs is not None:
                turned += (1 - mix) * pairs.curvature(along)
            if bend is not None:
                both = bend * (along + step[-1])
                turned += both
                of_intercept = float(both.sum())
            return self._pull_back(turned, of_intercept) + ridge * step

        return self._pull_back(slope, intercept_slope) + ridge * z, curvature

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
            start = self.place(*subsample.minimise(max_iter, tol, rng)[:2])
        elif self._options["mix"] > 0:
            start[-1] = self._best_intercept(np.zeros(self._positive.size))
        z, n_iter, converged = self._descend(start, max_iter, tol)
        if self._options["mix"] < 1 and self._options["regression_loss"] is not None:
            # the regression alone determines it; with a small weight its slope hardly shows
            z = np.append(z[:-1], self._best_intercept(self._score(z)))
        return *self.coefficients(z), n_iter, converged

    def _descend(self, z: Floats, max_iter: int, tol: float) -> tuple[Floats, int, bool]:
        # SciPy's own Newton-CG takes a small curvature for none, and trust regions zigzag where
        # many pairs lie on the kink of the squared hinge; searching along the line does not
        size = z.size
        # at first, no step
        step = np.zeros(size)
        downhill = 0.0
        n_iter = 0
        while True:
            z, gradient, curvature = self._line_search(z, step, downhill)
            slope = float(np.linalg.norm(gradient))
            if slope <= tol or n_iter == max_iter:
                return z, n_iter, slope <= tol
            # damping that vanishes with the slope: a flat direction gets a long step, not an
            # endless one, and convergence stays fast
            damped = LinearOperator(
                (size, size),
                matvec=lambda step, curvature=curvature, slope=slope: (
                    curvature(step) + 1e-3 * slope * step
                ),
            )
            enough = min(0.1, np.sqrt(slope))
            step, _ = cg(damped, -gradient, rtol=enough, maxiter=_INNER)
            downhill = float(gradient @ step)
            del curvature, damped  # two of them, of many samples, would not fit in memory
            n_iter += 1

    def _line_search(
        self, z: Floats, step: Floats, downhill: float
    ) -> tuple[Floats, Floats, Curvature]:
        """Move by ``step``, or by less if that overshoots the minimum; find the derivatives."""
        low = 0.0
        high = 1.0
        before = downhill
        at = z + step
        gradient, curvature = self.derivatives(at)
        after = float(gradient @ step)
        if after <= -0.5 * downhill:
            return at, gradient, curvature
        for _ in range(_HALVINGS):
            share = low + (high - low) * min(max(before / (before - after), 0.1), 0.9)
            at = z + share * step
            del curvature
            gradient, curvature = self.derivatives(at)
            here = float(gradient @ step)
            if abs(here) <= -0.1 * downhill:
                break
            if here > 0:
                high = share
                after = here
            else:
                low = share
                before = here
        return at, gradient, curvature

    def _best_intercept(self, score: Floats) -> float:
        """Fit the regression's intercept to given scores."""
        pos, neg = (float(self._share[side].sum()) for side in (self._positive, ~self._positive))
        if self._options["regression_loss"] == "squared":
            return pos - float(self._share @ score)
        rarer = min(pos, neg)
        # the share of the rarer class has full precision
        sign = 1 if pos == rarer else -1
        middle = log(pos) - log(neg)
        return float(
            brentq(
                lambda b: float(self._share @ expit(sign * (score + b))) - rarer,
                middle - score.max() - 1,
                middle - score.min() + 1,
                xtol=1e-13,
            )
        )

    def _subsample(self, rng: Any) -> Objective | None:
        """Build the objective of a random subsample of either class, weighted to stand for all."""
        if self._positive.size <= 4 * _START:
            return None
        given = np.ones(self._positive.size) if self._weight is None else self._weight
        chosen = []
        weights = []
        for members in (self._positive, ~self._positive):
            rows = np.flatnonzero(members & (given > 0))
            some = rows
            if rows.size > _START:
                some = np.sort(rng.choice(rows, _START, replace=False))
            chosen.append(some)
            weights.append(given[some] * (given[rows].sum() / given[some].sum()))
        rows = np.concatenate(chosen)
        return Objective(
            self._X[rows], self._positive[rows], np.concatenate(weights), **self._options
        )


def _logistic(t: Floats, positive: Bools) -> tuple[Floats, Floats]:
    p = expit(t)
    return p - positive, p * (1 - p)


def _squared(t: Floats, positive: Bools) -> tuple[Floats, Floats]:
    return 2 * (t - positive), np.full(t.size, 2.0)


#: First and second derivatives of the regression losses, by the predicted log-odds or score.
_REGRESSIONS: dict[str, Callable[[Floats, Bools], tuple[Floats, Floats]]] = {
    "logistic": _logistic,
    "squared": _squared,
}
