"""How an estimator trains the classifier inside it: what goes where, cross-fitting, what it shows.

Shared by all that hold one classifier; knows nothing of what its scores are for.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import check_cv, cross_val_predict
from sklearn.utils import Bunch, get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from rocviz.core.base.validation import Floats, check_weights
from rocviz.estimators.base.scores import (
    classes_of_prefit,
    positive_score,
    takes_weights,
    two_classes,
)


@dataclass(frozen=True)
class Training:
    """A fitted classifier, and scores of its training samples that it can be judged by."""

    estimator: Any
    classes: Any
    y: Any
    score: Floats
    weight: Floats | None


def check_cv_parameter(cv: Any) -> None:
    """Raise if ``cv`` is a text other than "prefit"."""
    if isinstance(cv, str) and cv != "prefit":
        raise ValueError(
            f"cv must be a number of folds, a splitter, splits, 'prefit' or None; got {cv!r}."
        )


def cross_fit(
    owner: Any,
    estimator: Any,
    X: Any,
    y: Any,
    sample_weight: Any,
    fit_params: dict[str, Any],
    *,
    cv: Any,
    response: str,
    use: str,
) -> Training:
    """Fit a copy to all samples; score each by a copy that did not see it.

    A prefit classifier is taken as it is and scores all samples itself.

    Parameters
    ----------
    owner : estimator
        Whose ``fit`` this is; its routing says what goes where.
    estimator : classifier
        What ``owner`` holds.
    X, y, sample_weight, fit_params
        As given to ``fit``.
    cv : int, splitter, iterable, "prefit" or None
        ``None`` is five stratified folds, or as many as the smaller class has samples.
    response : {"decision_function", "predict_proba"}
        What is the score.
    use : str
        What ``owner`` makes of the scores, to be told to whom weights are not for the
        classifier.
    """
    X, y = indexable(X, y)
    y, classes = two_classes(y)
    weight = check_weights(sample_weight, len(y))
    if isinstance(estimator, FrozenEstimator) or (isinstance(cv, str) and cv == "prefit"):
        if fit_params:
            raise ValueError(
                f"{', '.join(fit_params)} cannot be used: a prefit classifier is not fitted."
            )
        classes = classes_of_prefit(estimator, classes)
        return Training(estimator, classes, y, positive_score(estimator, X, response), weight)
    routed = _route(owner, estimator, weight, fit_params, use)
    folds = _folds(cv, X, y, weight, routed.splitter.split)
    params = routed.estimator.fit
    values = cross_val_predict(clone(estimator), X, y, cv=folds, method=response, params=params)
    score = values[:, 1] if response == "predict_proba" else values
    return Training(clone(estimator).fit(X, y, **params), classes, y, score, weight)


def _route(
    owner: Any, estimator: Any, weight: Floats | None, fit_params: dict[str, Any], use: str
) -> Bunch:
    """Return what goes to ``estimator.fit`` and to ``splitter.split``."""
    if get_config()["enable_metadata_routing"]:
        return process_routing(owner, "fit", sample_weight=weight, **fit_params)
    params = dict(fit_params)
    if weight is not None:
        if takes_weights(estimator):
            params["sample_weight"] = weight
        else:
            warnings.warn(
                f"{type(estimator).__name__} takes no sample_weight: the weights are used "
                f"for the {use} only.",
                stacklevel=4,
            )
    return Bunch(estimator=Bunch(fit=params), splitter=Bunch(split={}))


def _folds(
    cv: Any, X: Any, y: Any, weight: Floats | None, params: dict[str, Any]
) -> list[tuple[Any, Any]]:
    """Return (train, test) indices, after checking that each part can be learned from."""
    fewest = int(np.unique(y, return_counts=True)[1].min())
    cv = max(2, min(5, fewest)) if cv is None else cv
    if isinstance(cv, Integral) and int(cv) > fewest:
        raise ValueError(
            f"cv: {cv} folds need {cv} samples of each class; the smaller class of y has {fewest}."
        )
    folds = [
        (np.asarray(train), np.asarray(test))
        for train, test in check_cv(cv, y, classifier=True).split(X, y, **params)
    ]
    for number, (train, _) in enumerate(folds):
        seen = y[train] if weight is None else y[train][weight[train] > 0]
        if np.unique(seen).size < 2:
            raise ValueError(
                f"cv leaves one class only to train on in split {number}; "
                "every training part needs both classes."
            )
    return folds


def take_over_features(owner: Any, fitted: Any) -> None:
    """Let an estimator show the number and names of features that the classifier inside has."""
    for name in ("n_features_in_", "feature_names_in_"):
        if hasattr(fitted, name):
            setattr(owner, name, getattr(fitted, name))
        elif hasattr(owner, name):
            delattr(owner, name)


def router(owner: Any, estimator: Any) -> MetadataRouter:
    """Return a router that hands on what the classifier's ``fit`` asks for."""
    to_fit = MethodMapping().add(caller="fit", callee="fit")
    return MetadataRouter(owner=owner).add(estimator=estimator, method_mapping=to_fit)


def cross_fit_router(owner: Any, estimator: Any, cv: Any) -> MetadataRouter:
    """Return a router to the owner, the classifier's ``fit`` and the splitter's ``split``."""
    to_split = MethodMapping().add(caller="fit", callee="split")
    both = router(owner, estimator).add_self_request(owner)
    return both.add(splitter=cv, method_mapping=to_split)


def inner_tags(tags: Any, estimator: Any) -> Any:
    """Return tags of a binary classifier that takes what the classifier inside takes."""
    inner = get_tags(estimator).input_tags
    tags.input_tags.sparse = inner.sparse
    tags.input_tags.pairwise = inner.pairwise
    tags.input_tags.allow_nan = inner.allow_nan
    tags.classifier_tags.multi_class = False
    return tags
