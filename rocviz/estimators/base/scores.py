"""Classes, scores and thresholds of the classifier inside an estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import logit
from sklearn.exceptions import NotFittedError
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from rocviz.core.base.naming import prefix_error_with
from rocviz.core.base.validation import Floats, check_vector, list_labels
from rocviz.core.calibration.calibration import HullMap


def classes_of_prefit(estimator: Any, classes: Any) -> Any:
    """Find the classifier's own classes, which must be those of y."""
    try:
        check_is_fitted(estimator)
    except NotFittedError as error:
        raise NotFittedError(
            f"cv='prefit' needs a fitted estimator, but this {type(estimator).__name__} is not "
            "fitted. Fit it first (a clone is not fitted unless it is wrapped in a "
            "FrozenEstimator), or cross-fit it with cv=5."
        ) from error
    own = np.asarray(getattr(estimator, "classes_", ()))
    if sorted(own.tolist()) != classes.tolist():
        raise ValueError(
            f"y holds the classes {list_labels(classes.tolist())}, but the prefit "
            f"{type(estimator).__name__} was fitted on {list_labels(own.tolist())}."
        )
    return own


RESPONSES = ("decision_function", "predict_proba")


def response_of(
    estimator: Any, name: str = "estimator", methods: tuple[str, ...] = RESPONSES
) -> str:
    """Find the first of the methods that a classifier has; it gives the score."""
    for method in methods:
        if hasattr(estimator, "fit") and hasattr(estimator, method):
            return method
    raise ValueError(
        f"{name} must be a classifier with {' or '.join(methods)}; {type(estimator).__name__} "
        "does not."
    )


def positive_score(estimator: Any, X: Any, response: str, column: int = 1) -> Floats:
    """Compute the score of the class in a column of ``classes_``, shape (n_samples,)."""
    return score_of(response_values(estimator, X, response), response, column)


def response_values(estimator: Any, X: Any, response: str) -> Any:
    """Call a classifier's method; errors name the features."""
    with prefix_error_with("X"):
        return getattr(estimator, response)(X)


def score_of(values: Any, response: str, column: int = 1) -> Floats:
    """Extract the score of one class from the output of a classifier's method."""
    values = np.asarray(values)
    if response == "predict_proba":
        return check_vector(values[:, column], "score")
    return check_vector(values if column else -values, "score")


def snap_to_context(score: Floats, context: Floats) -> Floats:
    """Replace scores within rounding of a validation score by it.

    A classifier may score a sample alone and in a batch a few last digits apart; that must not
    decide whether it is tied with a validation sample.
    """
    after = np.searchsorted(context, score).clip(1, max(context.size - 1, 1))
    below = context[after - 1]
    above = context[np.minimum(after, context.size - 1)]
    with np.errstate(over="ignore"):  # so far away that it is none of them
        nearest = np.where(score - below <= above - score, below, above)
        return np.where(np.abs(score - nearest) <= 1e-12 * np.abs(nearest), nearest, score)


def check_scores_gaps(X: Any, fitted: list[Any], responses: list[str]) -> None:
    """Score the samples with missing or infinite values, so that a classifier can refuse them.

    A classifier that was trained on a share of the samples may not have seen any.
    """
    try:
        has_gap = ~np.isfinite(np.asarray(X, dtype=np.float64)).all(axis=1)
    except (TypeError, ValueError):  # no table of numbers
        return
    if has_gap.any():
        X_gaps = _safe_indexing(X, np.flatnonzero(has_gap))
        for estimator, response in zip(fitted, responses, strict=True):
            positive_score(estimator, X_gaps, response)


def as_double(X: Any) -> Any:
    """Convert single-precision features to double precision.

    Some classifiers compute in the precision of their input, and where scores are ranked the last
    digit can be a whole rank.
    """
    if getattr(X, "dtype", None) == np.float32:
        return X.astype(np.float64)
    return X


def log_odds(prob: Floats) -> Floats:
    """Compute finite log odds: 0 and 1 lie just beyond their neighbours among floats."""
    # a threshold that no probability reaches may lie just above 1
    return np.clip(logit(np.minimum(prob, 1.0)), -745.2, 37.5)


def above_threshold(score: Floats, threshold: float, response: str) -> Floats:
    """Compute how far scores lie above a threshold: positive from the threshold up.

    A difference of log odds if scores are probabilities, so that tiny ones keep their order.
    """
    if response != "predict_proba":
        return np.asarray(score - np.nextafter(threshold, -np.inf))
    value = log_odds(score) - log_odds(np.array([threshold]))
    # rounding may have tied a score with the threshold next to it
    is_above = score >= threshold
    value[is_above] = np.maximum(value[is_above], np.finfo(np.float64).tiny)
    value[~is_above] = np.minimum(value[~is_above], 0.0)
    return value


def lowest_positive_score(calibration_map: HullMap) -> float:
    """Find the lowest score whose probability is above one half."""
    knots = np.unique(np.concatenate((calibration_map.low, calibration_map.high)))
    positive = calibration_map(knots) > 0.5
    if not positive.any():
        return float(np.nextafter(knots[-1], np.inf))
    first = int(positive.argmax())
    above = float(knots[first])
    if first == 0:
        return above
    # down to two neighbouring floats, so that no rounding is left between here and predict
    below = float(knots[first - 1])
    middle = below / 2 + above / 2
    while below < middle < above:
        if calibration_map(np.array([middle]))[0] > 0.5:
            above = middle
        else:
            below = middle
        middle = below / 2 + above / 2
    return above
