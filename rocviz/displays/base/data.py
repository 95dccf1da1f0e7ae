"""Turn labels, scores and fitted classifiers into named ranked segments.

All input is checked here, before any figure is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

import numpy as np

from rocviz.core.base.classes import positive_column
from rocviz.core.base.naming import name_texts, prefix_error_with
from rocviz.core.base.samples import Samples
from rocviz.core.base.validation import (
    check_aligned,
    check_choice,
    check_probabilities,
    check_samples,
    check_weights,
    describe,
    positive_label,
)
from rocviz.core.roc.segments import RankedSegments, samples_in_clusters
from rocviz.words import ClassNames

RESPONSES = ("auto", "predict_proba", "decision_function")


def response_values(
    estimator: Any, X: Any, *, response_method: str = "auto", pos_label: Any = None
) -> tuple[Any, Any]:
    """Compute the scores of a fitted binary classifier, and name their positive class.

    ``"auto"`` takes probabilities where the classifier has them. ``pos_label`` is one of the two
    ``estimator.classes_``; by default its ``pos_label_``, and needed where it has none and classes
    are not 0 and 1, -1 and 1, or booleans. It raises ``ValueError`` if it is no fitted classifier
    of two classes, has no such method or no such class.
    """
    check_choice(response_method, "response_method", RESPONSES)
    kind = type(estimator).__name__
    classes = fitted_classes(estimator)
    if len(classes) != 2:
        raise ValueError(f"estimator must have two classes; {kind} has {len(classes)}.")
    pos_label = positive_class(estimator, pos_label)
    methods = RESPONSES[1:] if response_method == "auto" else (response_method,)
    method = next((name for name in methods if hasattr(estimator, name)), None)
    if method is None:
        raise ValueError(f"estimator must have {' or '.join(methods)}; {kind} does not.")
    with prefix_error_with("X"):
        values = np.asarray(getattr(estimator, method)(X))
    second = classes.index(pos_label)
    if method == "predict_proba":
        return values[:, second], pos_label
    return (values if second else -values), pos_label


def fitted_classes(estimator: Any) -> list[Any]:
    """List the classes of a fitted classifier, in the order of its probabilities."""
    from sklearn.base import is_classifier  # scores alone do not need this import

    # scikit-learn fails on objects that are not estimators, which have no tags
    if not hasattr(estimator, "__sklearn_tags__") or not is_classifier(estimator):
        raise ValueError(f"estimator must be a fitted classifier; got {type(estimator).__name__}.")
    check_fitted(estimator)
    return list(np.asarray(estimator.classes_).tolist())


def class_probabilities(estimator: Any, X: Any) -> tuple[Any, list[Any]]:
    """Compute the probabilities of a fitted classifier, and list the classes of their columns."""
    classes = fitted_classes(estimator)
    if not hasattr(estimator, "predict_proba"):
        raise ValueError(f"estimator must have predict_proba; {type(estimator).__name__} does not.")
    with prefix_error_with("X"):
        return np.asarray(estimator.predict_proba(X)), classes


def positive_class(estimator: Any, pos_label: Any = None) -> Any:
    """Get the positive class of a fitted classifier, by default its own.

    It says so in ``pos_label_``: its own, or that of what a pipeline or a search ends with.
    """
    inside = estimator
    while pos_label is None and inside is not None:
        pos_label = getattr(inside, "pos_label_", None)
        inside = _ends_with(inside)
    low, high = sorted(np.asarray(estimator.classes_).tolist())
    return positive_label(low, high, pos_label, f"{type(estimator).__name__}.classes_")


def class_names_of(estimator: Any, pos_label: Any = None, labels: Any = None) -> ClassNames:
    """Name the two classes of a fitted classifier by its labels, or by names that are given."""
    positive = positive_class(estimator, pos_label)
    low, high = np.asarray(estimator.classes_).tolist()
    return ClassNames.of(low if positive == high else high, positive, labels)


def _ends_with(estimator: Any) -> Any:
    """Get what a pipeline or a search ends with; ``None`` for other estimators."""
    steps = getattr(estimator, "steps", None)
    return steps[-1][1] if steps else getattr(estimator, "best_estimator_", None)


def model_name(estimator: Any) -> str:
    """Name a classifier by its class; a pipeline or a search by that of what it ends with."""
    inside = _ends_with(estimator)
    return type(estimator).__name__ if inside is None else model_name(inside)


def own_positive_class(estimator: Any, pos_label: Any = None) -> Any:
    """Get the positive class of a fitted estimator of rocviz; refuse any other."""
    own = positive_class(estimator)
    if pos_label is not None and positive_class(estimator, pos_label) != own:
        raise ValueError(
            f"pos_label of this fitted {type(estimator).__name__} is {describe(own)}; got "
            f"{describe(pos_label)}."
        )
    return own


def check_kind(value: Any, name: str, kind: type, maker: str) -> Any:
    """Check the type of results; ``maker`` names the function that computes them."""
    if not isinstance(value, kind):
        raise ValueError(
            f"{name} must be a {kind.__name__} (see {maker}); got {type(value).__name__}."
        )
    return value


def check_fitted(estimator: Any) -> None:
    """Raise scikit-learn's NotFittedError unless an estimator is fitted."""
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(estimator)


def estimator_scores(
    estimator: Any, X: Any, *, response_method: str, pos_label: Any, name: str | None
) -> tuple[Any, Any, str | None]:
    """Collect scores, positive class and name of one classifier, or of a mapping of them."""
    if not isinstance(estimator, Mapping):
        scores, pos_label = response_values(
            estimator, X, response_method=response_method, pos_label=pos_label
        )
        return scores, pos_label, type(estimator).__name__ if name is None else name
    if not estimator:
        raise ValueError("estimator is an empty mapping; at least one model is needed.")
    named = {}
    for key, model in estimator.items():
        named[key], pos_label = response_values(
            model, X, response_method=response_method, pos_label=pos_label
        )
    return named, pos_label, name


def named_segments(
    y_true: Any,
    y_score: Any,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    name: str | None = None,
    probabilities: bool = False,
) -> dict[str | None, RankedSegments]:
    """Make the segments of one model, or of each of a mapping of models.

    The one model may have a ``name``; the keys of a mapping are the names. With ``probabilities``
    scores must be within [0, 1]. It raises ``ValueError`` if data are bad, and says of which model,
    or if the mapping is empty.
    """
    argument = "y_prob" if probabilities else "y_score"
    several = isinstance(y_score, Mapping)
    if several:
        refuse_name(name, argument)
        if not y_score:
            raise ValueError(f"{argument} is an empty mapping; at least one model is needed.")
        name_texts(y_score, argument)
    models: dict[str | None, RankedSegments] = {}
    for key, scores in y_score.items() if several else [(name, y_score)]:
        with prefix_error_with(f"model {describe(key)}") if several else nullcontext():
            values = positive_column(scores, y_true, pos_label, argument)
            if probabilities:
                check_aligned(**{"y_true": y_true, argument: scores})
                values = check_probabilities(values, argument)
                check_samples(y_true, sample_weight, pos_label, y_prob=values)
            models[None if key is None else str(key)] = RankedSegments.from_scores(
                y_true, values, sample_weight=sample_weight, pos_label=pos_label
            )
    return models


def clustered_samples(
    y_true: Any,
    y_score: Mapping[Any, Any],
    clusters: Any,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    probabilities: bool = False,
) -> dict[str | None, Samples]:
    """Check the samples of each model, with their clusters; without these there are none.

    The rest is as for :func:`named_segments`, which has checked the scores.
    """
    if clusters is None:
        return {}
    name = "y_prob" if probabilities else "y_score"
    check = check_probabilities if probabilities else None
    models = {}
    for key, scores in y_score.items():
        models[None if key is None else str(key)] = samples_in_clusters(
            y_true, scores, clusters, sample_weight, pos_label, name, check
        )
    return models


def ranking_arguments(segments: RankedSegments, samples: Samples | None) -> Any:
    """Make the first arguments of a function on segments, or on samples that come in clusters."""
    if samples is None:
        return (segments,), {}
    more = {"sample_weight": samples.weight, "clusters": samples.unit}
    return (samples.positive, samples.scores[0]), more


def refuse_name(name: str | None, argument: str) -> None:
    """Raise if the ``name`` of one model is given for a mapping of several."""
    if name is not None:
        raise ValueError(
            f"name must not be given when {argument} is a mapping: its keys are names."
        )


def as_named(
    results: Any,
    name: str | None,
    argument: str = "segments",
    kind: type = RankedSegments,
    maker: str = "RankedSegments.from_scores",
) -> dict[Any, Any]:
    """Convert an argument of a display, one model's results or several under names, to a mapping.

    ``maker`` names the function that computes results of this ``kind``.
    """
    if isinstance(results, kind):
        return {name: results}
    if not isinstance(results, Mapping) or not results:
        raise ValueError(
            f"{argument} must be {kind.__name__} (see {maker}) or a mapping of names to them; "
            f"got {type(results).__name__}."
        )
    refuse_name(name, argument)
    name_texts(results, argument)
    for key, result in results.items():
        check_kind(result, f"{argument}[{describe(key)}]", kind, maker)
    return dict(results)


def n_used(y_true: Any, sample_weight: Any) -> int:
    """Count the samples with weight."""
    n = len(y_true)
    weight = check_weights(sample_weight, n)
    return n if weight is None else int(np.count_nonzero(weight))


def one_or_list(items: list[Any]) -> Any:
    """Unwrap a single item, or return the list of several (as scikit-learn's displays)."""
    return items[0] if len(items) == 1 else items
