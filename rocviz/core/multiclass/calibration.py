"""Maps from probabilities of several classes to calibrated ones: frozen, picklable, callable."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize
from scipy.special import logsumexp, softmax

from rocviz.core.base.classes import ClassSamples, check_class_samples, check_simplex
from rocviz.core.base.effort import check_effort
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import Bools, Floats, Weights, check_choice, check_number, describe
from rocviz.core.calibration.calibration import CalibrationMap, calibration_map
from rocviz.core.roc.segments import RankedSegments

#: Ways to fit a map.
METHODS = ("dirichlet", "vector", "temperature", "hull", "identity")

# Strength of the ridge on all coefficients, relative to a sum over samples: separable data get a
# finite map.
_RIDGE_STRENGTH = 1e-6
_MAX_PENALTY = 1e6  # largest penalty, beyond which the fit is trivial
_MIN_PROBABILITY = 1e-16  # least probability whose logarithm is taken
_MAX_STEPS = 500
_GRADIENT_TOLERANCE = 1e-10
# Seconds of a search step, per sample and coefficient.
_SECONDS_PER_COEFFICIENT = 2e-9


@dataclass(frozen=True, eq=False)
class SimplexMap(Frozen, ABC):
    """A map from probabilities of several classes to others; call it on a table of them.

    ``kind`` names the family, whose parameters are the other fields of the subclass.

    Parameters
    ----------
    classes : tuple of label
        In the order of the columns.
    """

    kind: ClassVar[str]
    classes: tuple[Any, ...]

    def __call__(self, y_prob: ArrayLike) -> Floats:
        """Map probabilities, shape (n_samples, n_classes), to rows that sum to 1.

        Raises
        ------
        ValueError
            If there is not a column for each class, or rows do not sum to 1.
        """
        prob = check_simplex(y_prob)
        if prob.shape[1] != len(self.classes):
            raise ValueError(
                f"y_prob must have one column per class; got {prob.shape[1]} for "
                f"{len(self.classes)} classes."
            )
        return self._map(prob)

    @abstractmethod
    def _map(self, prob: Floats) -> Floats:
        """Map checked probabilities."""


@dataclass(frozen=True, eq=False)
class IdentitySimplexMap(SimplexMap):
    """Return probabilities unchanged."""

    kind = "identity"

    def _map(self, prob: Floats) -> Floats:
        return prob.copy()


@dataclass(frozen=True, eq=False)
class LinearSimplexMap(SimplexMap):
    """``q = softmax(weights @ ln p + intercept)``.

    Parameters
    ----------
    weights : ndarray of float, shape (n_classes, n_classes)
        Row k gives the log-odds of class k. The identity matrix and no intercept change nothing.
    intercept : ndarray of float, shape (n_classes,)
    margin : float
        What probabilities are raised to at least, so that their logarithms are finite.
    """

    weights: Floats
    intercept: Floats
    margin: float

    def _map(self, prob: Floats) -> Floats:
        logs = np.log(np.maximum(prob, self.margin))
        return np.asarray(softmax(logs @ self.weights.T + self.intercept, axis=1))


@dataclass(frozen=True, eq=False)
class TemperatureMap(LinearSimplexMap):
    """One slope for all classes, the inverse of the temperature, and no intercept."""

    kind = "temperature"


@dataclass(frozen=True, eq=False)
class VectorMap(LinearSimplexMap):
    """A slope and an intercept for each class."""

    kind = "vector"


@dataclass(frozen=True, eq=False)
class DirichletMap(LinearSimplexMap):
    """All coefficients."""

    kind = "dirichlet"


_LINEAR_MAPS = {family.kind: family for family in (TemperatureMap, VectorMap, DirichletMap)}


@dataclass(frozen=True, eq=False)
class HullSimplexMap(SimplexMap):
    """A hull for each class against the rest, with rows normalised to sum 1.

    Parameters
    ----------
    maps : tuple of CalibrationMap
        Of each class. A row in which all of them are 0 is left as it is.
    """

    kind = "hull"
    maps: tuple[CalibrationMap, ...]

    def _map(self, prob: Floats) -> Floats:
        mapped = np.column_stack([self.maps[k](column) for k, column in enumerate(prob.T)])
        total = mapped.sum(axis=1, keepdims=True)
        return np.where(total > 0, mapped / np.where(total > 0, total, 1.0), prob)


def simplex_map(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    classes: Sequence[Any] | None = None,
    method: str = "dirichlet",
    penalty: float = 1e-3,
    sample_weight: Weights = None,
) -> SimplexMap:
    """Fit a map from probabilities of several classes to calibrated ones.

    Parameters
    ----------
    y_true, y_prob, classes
        As for :func:`rocviz.hand_till_auc`.
    method : {"dirichlet", "vector", "temperature", "hull", "identity"}, default="dirichlet"
        - ``"dirichlet"``: a multinomial logistic regression on the logarithms of the probabilities,
          with ``penalty`` on what is off the diagonal and on intercepts (ODIR).
        - ``"vector"``: a slope and an intercept for each class.
        - ``"temperature"``: one slope for all. It changes no ranking of a sample's classes.
        - ``"hull"``: the hull of each class against the rest, straight between its segments, and
          rows divided by their sums.
        - ``"identity"``: leaves probabilities as they are.
    penalty : float, default=1e-3
        Of ``"dirichlet"``: how much the mean squared coefficient off the diagonal, and the mean
        squared intercept, count beside the mean log loss. From 0 to 1e6.
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated.

    Returns
    -------
    SimplexMap
        Call it on probabilities.

    Raises
    ------
    ValueError
        If an argument is invalid, or the fit would take more than a day.

    Notes
    -----
    Probabilities of 0, when fitting and later, are first raised to half a sample, ``0.5 /
    n_samples``, or to the least that is not 0, if that is less; none stays below 1e-16. All
    coefficients carry a weak normal prior of standard deviation 1000 around
    the identity, so that data which are separated without error get a finite map. With two classes
    ``"vector"`` and an unpenalised ``"dirichlet"`` are :func:`rocviz.calibration_map` of method
    "beta" where its slopes are positive and no probability is 0 or 1; ``"hull"`` is that of method
    "hull".

    References
    ----------
    Guo et al. (2017), temperature and vector scaling. Kull et al. (2019), Dirichlet calibration
    and ODIR. Zadrozny and Elkan (2002), one class against the rest.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> prob = rng.dirichlet([1, 1, 1], 2000)
    >>> y = (rng.random(2000)[:, None] > prob.cumsum(axis=1)).sum(axis=1)
    >>> sharp = prob**2 / (prob**2).sum(axis=1, keepdims=True)
    >>> fitted = simplex_map(y, sharp, method="temperature")
    >>> bool(abs(1 / fitted.weights[0, 0] - 2) < 0.1)  # the temperature
    True
    >>> fitted([[0.8, 0.1, 0.1]]).round(1)
    array([[0.6, 0.2, 0.2]])
    """
    check_choice(method, "method", METHODS)
    strength = check_penalty(penalty)
    samples = check_class_samples(y_true, y_prob, classes, sample_weight)
    return fit_simplex_map(samples, method, strength)


def check_penalty(penalty: float) -> float:
    """Check the penalty of Dirichlet calibration."""
    strength = check_number(penalty, "penalty", minimum=0.0)
    if strength > _MAX_PENALTY:
        raise ValueError(f"penalty must be at most {_MAX_PENALTY:g}; got {describe(penalty)}.")
    return strength


def fit_simplex_map(samples: ClassSamples, method: str, penalty: float = 1e-3) -> SimplexMap:
    """Fit a map to checked samples, see :func:`simplex_map`."""
    if method == "identity":
        return IdentitySimplexMap(samples.classes)
    if method != "hull":
        return _fit_linear(samples, method, penalty)
    maps = []
    for k in range(samples.n_classes):
        segments = RankedSegments.from_scores(
            samples.is_class(k), samples.prob[:, k], sample_weight=samples.weight
        )
        maps.append(calibration_map(segments, interpolation="linear"))
    return HullSimplexMap(samples.classes, tuple(maps))


def _fit_linear(samples: ClassSamples, family: str, penalty: float) -> LinearSimplexMap:
    """Minimise the penalised log loss, which is convex, by Newton's method in a trust region."""
    n_classes = samples.n_classes
    n = samples.code.size
    weight = np.ones(n) if samples.weight is None else samples.weight
    total = float(weight.sum())
    share = weight / total
    least = float(samples.prob[samples.prob > 0].min())
    margin = max(min(0.5 / total, 0.25, least), _MIN_PROBABILITY)
    logs = np.log(np.maximum(samples.prob, margin))
    target = np.zeros((n, n_classes))
    target[np.arange(n), samples.code] = 1.0
    diagonal = np.eye(n_classes, dtype=np.bool_)
    free: Bools = diagonal if family != "dirichlet" else np.ones_like(diagonal)
    check_effort(
        seconds=_MAX_STEPS * _SECONDS_PER_COEFFICIENT * n * n_classes * (n_classes + 2),
        y_prob=f"{n} rows of {n_classes} classes",
    )
    # half the weight of each squared coefficient
    ridge = _RIDGE_STRENGTH / total
    weights_ridge = np.full((n_classes, n_classes), ridge)
    intercept_ridge = np.full(n_classes, ridge)
    if family == "dirichlet":
        weights_ridge[~diagonal] += 2 * penalty / (n_classes * (n_classes - 1))
        intercept_ridge += 2 * penalty / n_classes

    def unpack(x: Floats) -> tuple[Floats, Floats]:
        """Write free coefficients as a matrix and intercepts."""
        if family == "temperature":
            return x[0] * np.eye(n_classes), np.zeros(n_classes)
        weights = np.zeros((n_classes, n_classes))
        weights[free] = x[:-n_classes]
        return weights, x[-n_classes:]

    def pack(weights: Floats, intercept: Floats) -> Floats:
        """Collect the free coefficients, or derivatives by them."""
        if family == "temperature":
            return np.array([np.trace(weights)])
        return np.concatenate((weights[free], intercept))

    def loss(x: Floats) -> tuple[float, Floats]:
        """Compute the penalised log loss and its gradient."""
        weights, intercept = unpack(x)
        log_odds = logs @ weights.T + intercept
        log_prob = log_odds - logsumexp(log_odds, axis=1, keepdims=True)
        residual = (np.exp(log_prob) - target) * share[:, None]
        difference = np.where(free, weights - diagonal, 0.0)
        value = -float(share @ log_prob[np.arange(n), samples.code])
        weights_penalty = (weights_ridge * difference**2).sum()
        value += float(weights_penalty + (intercept_ridge * intercept**2).sum()) / 2
        return value, pack(
            residual.T @ logs + weights_ridge * difference,
            residual.sum(axis=0) + intercept_ridge * intercept,
        )

    def hessian_product(x: Floats, step: Floats) -> Floats:
        """Compute the product of the second derivatives with a step."""
        weights, intercept = unpack(x)
        weights_step, intercept_step = unpack(step)
        prob = softmax(logs @ weights.T + intercept, axis=1)
        odds_step = logs @ weights_step.T + intercept_step
        mean_step = (prob * odds_step).sum(axis=1, keepdims=True)
        residual_step = prob * (odds_step - mean_step) * share[:, None]
        return pack(
            residual_step.T @ logs + weights_ridge * np.where(free, weights_step, 0.0),
            residual_step.sum(axis=0) + intercept_ridge * intercept_step,
        )

    if family == "temperature":
        start = np.array([1.0])
    else:
        start = pack(np.eye(n_classes), np.zeros(n_classes))
    optimum = minimize(
        loss,
        start,
        jac=True,
        hessp=hessian_product,
        method="trust-ncg",
        options={"gtol": _GRADIENT_TOLERANCE, "maxiter": _MAX_STEPS},
    )
    weights, intercept = unpack(optimum.x)
    if family == "temperature" and optimum.x[0] < 0:
        weights = np.zeros((n_classes, n_classes))  # the best that keeps the order, by convexity
    return _LINEAR_MAPS[family](samples.classes, weights, intercept, margin)
