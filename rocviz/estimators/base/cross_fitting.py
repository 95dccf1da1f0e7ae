"""Train the classifier inside an estimator, and score samples that it has not seen."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import StratifiedKFold, check_cv, cross_val_predict
from sklearn.utils import Bunch
from sklearn.utils.metadata_routing import process_routing
from sklearn.utils.validation import has_fit_parameter

from rocviz.core.base.naming import prefix_error_with
from rocviz.core.base.validation import Floats, check_aligned, check_weights, describe
from rocviz.estimators.base.classifier import check_same_rows
from rocviz.estimators.base.scores import classes_of_prefit, response_values

Rows = NDArray[np.intp]


def cross_fit(
    owner: Any, X: Any, y: Any, sample_weight: Any, fit_params: dict[str, Any], response: str
) -> tuple[Any, Any, Any, Any, Floats | None]:
    """Fit a copy to all samples; compute each one's response by a copy that did not see it.

    A prefit classifier is taken as it is, for all samples. ``owner`` is the estimator whose ``fit``
    this is: it has the classifier and reads the labels; its routing says what goes where, and its
    ``_purpose`` how it uses the responses. ``None`` for its ``cv`` is five stratified folds, or as
    many as the smallest class has samples. Returns the fitted classifier, its classes, the labels,
    the responses and the weights.
    """
    estimator = owner._get_estimator()
    cv = owner.cv
    if isinstance(cv, str) and cv != "prefit":
        raise ValueError(
            "cv must be a number of folds, a splitter, splits, 'prefit' or None; "
            f"got {describe(cv)}."
        )
    check_aligned(X=X, y=y, sample_weight=sample_weight)
    X, y = check_same_rows(X, y)
    y, classes = owner._read_labels(y)
    weight = check_weights(sample_weight, len(y))
    if isinstance(estimator, FrozenEstimator) or (isinstance(cv, str) and cv == "prefit"):
        if fit_params:
            raise ValueError(
                f"{', '.join(fit_params)} cannot be used: a prefit classifier is not fitted again."
            )
        classes = classes_of_prefit(estimator, classes)
        return estimator, classes, y, response_values(estimator, X, response), weight
    routed = _route(owner, estimator, weight, fit_params)
    folds = folds_of(cv, X, y, weight, routed.splitter.split)
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
        if has_fit_parameter(estimator, "sample_weight"):
            params["sample_weight"] = weight
        else:
            warnings.warn(
                f"{type(estimator).__name__} takes no sample_weight: the weights are used "
                f"for the {owner._purpose} only.",
                stacklevel=5,
            )
    return Bunch(estimator=Bunch(fit=params), splitter=Bunch(split={}))


def _rows(part: Any) -> Rows:
    """Check one part of a split: row numbers, or a truth value for each row."""
    rows = np.asarray(part)
    if rows.ndim != 1 or (rows.size and rows.dtype.kind not in "biu"):
        raise ValueError("splits must hold row numbers.")
    return rows


def folds_of(
    cv: Any,
    X: Any,
    y: Any,
    weight: Floats | None,
    params: dict[str, Any],
    name: str = "cv",
    rng: np.random.Generator | None = None,
) -> list[tuple[Rows, Rows]]:
    """Split into rows to train on and to score; every training part has all classes.

    ``name`` is the argument that ``cv`` is, in messages. A number of folds is shuffled if there is
    a generator.
    """
    classes, counts = np.unique(y, return_counts=True)
    smallest = int(counts.min())
    if cv is None:
        cv = max(2, min(5, smallest))
    if isinstance(cv, Integral):
        if int(cv) > smallest:
            raise ValueError(
                f"{name}: {describe(cv)} folds need {describe(cv)} samples of each class; "
                f"the smallest class of y has {smallest}."
            )
        if rng is not None:
            cv = StratifiedKFold(int(cv), shuffle=True, random_state=int(rng.integers(2**31)))
    with prefix_error_with(name):
        splits = check_cv(cv, y, classifier=True).split(X, y, **params)
        folds = [(_rows(train), _rows(test)) for train, test in splits]
        if not folds:
            raise ValueError("there is no split into rows to train on and rows to score.")
    for number, (train, _) in enumerate(folds):
        train_labels = y[train]
        if weight is not None:
            has_weight = weight[train] > 0
            train_labels = train_labels[has_weight]
        missing = np.setdiff1d(classes, train_labels)
        if missing.size:
            raise ValueError(
                f"{name} leaves no sample of the class {describe(missing.tolist()[0])} to train "
                f"on in split {number}; every training part needs all classes."
            )
    return folds
