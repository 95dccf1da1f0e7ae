"""Train the classifier inside an estimator, and score samples that it has not seen."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import check_cv, cross_val_predict
from sklearn.utils import Bunch
from sklearn.utils.metadata_routing import process_routing

from rocviz.core.base.naming import prefix_error_with
from rocviz.core.base.validation import Floats, check_aligned, check_weights, describe
from rocviz.estimators.base.classifier import same_rows
from rocviz.estimators.base.scores import classes_of_prefit, response_values, takes_weights

Rows = NDArray[np.intp]


def cross_fit(
    owner: Any, X: Any, y: Any, sample_weight: Any, fit_params: dict[str, Any], response: str
) -> tuple[Any, Any, Any, Any, Floats | None]:
    """Fit a copy to all samples; compute each one's response by a copy that did not see it.

    A prefit classifier is taken as it is, for all samples. ``owner`` is the estimator whose ``fit``
    this is: it holds the classifier and reads the labels; its routing says what goes where, and its
    ``_purpose`` how it uses the responses. ``None`` for its ``cv`` is five stratified folds, or as
    many as the smallest class has samples. Returns the fitted classifier, its classes, the labels,
    the responses and the weights.
    """
    estimator, cv = owner._get_estimator(), owner.cv
    if isinstance(cv, str) and cv != "prefit":
        raise ValueError(
            "cv must be a number of folds, a splitter, splits, 'prefit' or None; "
            f"got {describe(cv)}."
        )
    check_aligned(X=X, y=y, sample_weight=sample_weight)
    X, y = same_rows(X, y)
    y, classes = owner._read_labels(y)
    weight = check_weights(sample_weight, len(y))
    if isinstance(estimator, FrozenEstimator) or (isinstance(cv, str) and cv == "prefit"):
        if fit_params:
            raise ValueError(
                f"{', '.join(fit_params)} cannot be used: a prefit classifier is not fitted."
            )
        classes = classes_of_prefit(estimator, classes)
        return estimator, classes, y, response_values(estimator, X, response), weight
    routed = _route(owner, estimator, weight, fit_params)
    folds = _folds(cv, X, y, weight, routed.splitter.split)
    params = routed.estimator.fit
    with prefix_error_with("X", "y", *params):
        values = cross_val_predict(clone(estimator), X, y, cv=folds, method=response, params=params)
        fitted = clone(estimator).fit(X, y, **params)
    return fitted, classes, y, values, weight


def _route(owner: Any, estimator: Any, weight: Floats | None, fit_params: dict[str, Any]) -> Bunch:
    """Find the parameters of ``estimator.fit`` and of ``splitter.split``."""
    if get_config()["enable_metadata_routing"]:
        return process_routing(owner, "fit", sample_weight=weight, **fit_params)
    params = dict(fit_params)
    if weight is not None:
        if takes_weights(estimator):
            params["sample_weight"] = weight
        else:
            warnings.warn(
                f"{type(estimator).__name__} takes no sample_weight: the weights are used "
                f"for the {owner._purpose} only.",
                stacklevel=5,
            )
    return Bunch(estimator=Bunch(fit=params), splitter=Bunch(split={}))


def split_rows(splits: Iterable[tuple[Any, Any]]) -> list[tuple[Rows, Rows]]:
    """List the rows of both parts of each split."""
    return [(_rows(train), _rows(test)) for train, test in splits]


def _rows(part: Any) -> Rows:
    """Check one part of a split: places of rows, or a truth value for each row."""
    rows = np.asarray(part)
    if rows.ndim != 1 or (rows.size and rows.dtype.kind not in "biu"):
        raise ValueError("splits must hold row numbers.")
    return rows


def _folds(
    cv: Any, X: Any, y: Any, weight: Floats | None, params: dict[str, Any]
) -> list[tuple[Any, Any]]:
    """Split into rows to train on and to score; every training part has all classes."""
    classes = np.unique(y)
    fewest = int(np.unique(y, return_counts=True)[1].min())
    cv = max(2, min(5, fewest)) if cv is None else cv
    if isinstance(cv, Integral) and int(cv) > fewest:
        raise ValueError(
            f"cv: {describe(cv)} folds need {describe(cv)} samples of each class; "
            f"the smallest class of y has {fewest}."
        )
    with prefix_error_with("cv"):
        folds = split_rows(check_cv(cv, y, classifier=True).split(X, y, **params))
    for number, (train, _) in enumerate(folds):
        seen = y[train] if weight is None else y[train][weight[train] > 0]
        missing = np.setdiff1d(classes, seen)
        if missing.size:
            raise ValueError(
                f"cv leaves nothing of the class {missing.tolist()[0]!r} to train on in split "
                f"{number}; every training part needs all classes."
            )
    return folds
