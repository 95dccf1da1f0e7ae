"""What an estimator asks of the classifier inside it: its classes, its scores, a threshold.

About single classifiers and maps of their scores; nothing of cross-fitting, plots or widgets.
"""

from __future__ import annotations

from inspect import signature
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted

from rocviz.core.base.naming import prefix_error_with
from rocviz.core.base.validation import Floats, check_vector
from rocviz.core.calibration.calibration import HullMap


def classes_of_prefit(estimator: Any, classes: Any) -> Any:
    """Return the classifier's own classes if they are those of y."""
    try:
        check_is_fitted(estimator)
    except NotFittedError as error:
        raise NotFittedError(
            f"estimator is said to be prefit, but this {type(estimator).__name__} is not fitted. "
            "Fit it first (clones forget fits, unless wrapped in a FrozenEstimator), or "
            "cross-fit it with cv=5."
        ) from error
    own = np.asarray(getattr(estimator, "classes_", ()))
    if sorted(own.tolist()) != classes.tolist():
        raise ValueError(
            f"y holds the classes {classes.tolist()}, but the prefit {type(estimator).__name__} "
            f"knows {own.tolist()}."
        )
    return own


def takes_weights(estimator: Any) -> bool:
    """Return whether an estimator can be fitted with weights."""
    return "sample_weight" in signature(estimator.fit).parameters


RESPONSES = ("decision_function", "predict_proba")


def response_of(
    estimator: Any, name: str = "estimator", methods: tuple[str, ...] = RESPONSES
) -> str:
    """Return the first of the methods that a classifier has, which then gives its score."""
    for method in methods:
        if hasattr(estimator, "fit") and hasattr(estimator, method):
            return method
    raise ValueError(
        f"{name} must be a classifier with {' or '.join(methods)}; "
        f"{type(estimator).__name__} has not."
    )


def positive_score(estimator: Any, X: Any, response: str, column: int = 1) -> Floats:
    """Return the score of the class in a column of ``classes_``, shape (n_samples,)."""
    with prefix_error_with("X"):
        values = getattr(estimator, response)(X)
    return score_of(values, response, column)


def score_of(values: Any, response: str, column: int = 1) -> Floats:
    """Return the score of one class from what a classifier's method returned."""
    values = np.asarray(values)
    if response == "predict_proba":
        return check_vector(values[:, column], "score")
    return check_vector(values if column else -values, "score")


def snap_to_context(score: Floats, context: Floats) -> Floats:
    """Return scores, those within rounding of a validation score replaced by it.

    A classifier may score one sample and the same sample in a batch a few last digits apart;
    that must not decide whether it is tied with a validation sample.
    """
    after = np.searchsorted(context, score).clip(1, max(context.size - 1, 1))
    below, above = context[after - 1], context[np.minimum(after, context.size - 1)]
    with np.errstate(over="ignore"):  # what is so far away is none of them
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
        some = _safe_indexing(X, np.flatnonzero(has_gap))
        for est, response in zip(fitted, responses, strict=True):
            positive_score(est, some, response)


def as_double(X: Any) -> Any:
    """Return features in double precision where they come as single-precision numbers.

    For whoever ranks what classifiers make of them: some compute in the precision that they are
    given, and the last digit of a score can be a whole rank.
    """
    return X.astype(np.float64) if getattr(X, "dtype", None) == np.float32 else X


def index_fit_param(value: Any, indices: Any, n_samples: int) -> Any:
    """Return the entries of what comes per sample; anything else as it is."""
    per_sample = hasattr(value, "__len__") and not isinstance(value, (str, dict))
    return _safe_indexing(value, indices) if per_sample and len(value) == n_samples else value


def log_odds(prob: Floats) -> Floats:
    """Return finite log odds: 0 and 1 count as half way to their neighbours among floats."""
    # half the smallest number above 0 is no number, but its logarithm is
    nearest = np.log(np.maximum(prob, 5e-324)) - np.where(prob <= 0, np.log(2), 0)
    return nearest - np.log(np.maximum(1 - prob, 2.0**-54))


def above_threshold(score: Floats, threshold: float, response: str) -> Floats:
    """Return how far scores lie above a threshold: positive from the threshold up.

    A difference of log odds if scores are probabilities, so that tiny ones keep their order.
    """
    if response != "predict_proba":
        return np.asarray(score - np.nextafter(threshold, -np.inf))
    value = log_odds(score) - log_odds(np.array([threshold]))
    # rounding may have tied a score with the threshold next to it
    above = score >= threshold
    value[above] = np.maximum(value[above], np.finfo(np.float64).tiny)
    value[~above] = np.minimum(value[~above], 0.0)
    return value


def lowest_positive_score(calibration_map: HullMap) -> float:
    """Return the lowest score whose probability is above one half."""
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
    while True:
        tried = np.linspace(below, above, 64)
        tried = tried[(below < tried) & (tried < above)]
        if not tried.size:
            return above
        split = int(np.append(calibration_map(tried) > 0.5, True).argmax())
        below = float(tried[split - 1]) if split else below
        above = float(tried[split]) if split < tried.size else above
