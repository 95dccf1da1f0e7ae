"""From what people hand over, labels and scores or fitted classifiers, to what explorers open on.

Knows nothing of states or pictures.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["estimator_scores", "labels_and_scores"]


def labels_and_scores(y_true: Any, y_score: Any) -> bool:
    """Return whether data were given; one without the other is refused."""
    if (y_true is None) != (y_score is None):
        raise ValueError("y_true and y_score go together; give both or neither.")
    return y_true is not None


def estimator_scores(
    estimator: Any, X: Any, pos_label: Any, *, response_method: str = "auto"
) -> tuple[Any, Any]:
    """Return scores of one fitted classifier, or of each of a mapping, and the positive class.

    Parameters
    ----------
    estimator : fitted classifier, or mapping of str to such
    X : array-like, shape (n_samples, n_features)
    pos_label : label or None
        None is ``classes_[1]``.
    response_method : {"auto", "predict_proba", "decision_function"}, default="auto"

    Returns
    -------
    scores : ndarray, shape (n_samples,), or dict of str to such
        One classifier's under its class name where it is not a mapping.
    pos_label : label
    """
    from rocviz.displays.base.data import response_values

    named = estimator if isinstance(estimator, Mapping) else {type(estimator).__name__: estimator}
    scores = {}
    for name, one in named.items():
        scores[name], pos_label = response_values(
            one, X, response_method=response_method, pos_label=pos_label
        )
    return scores, pos_label
