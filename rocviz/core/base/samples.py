"""Samples with labels, scores, weights and clusters, checked together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.classes import positive_column
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Weights,
    check_aligned,
    check_clusters,
    check_samples,
    check_vector,
)


class Samples(NamedTuple):
    """Checked samples of two classes, all of positive weight; arrays of shape (n_samples,)."""

    positive: Bools
    scores: tuple[Floats, ...]
    weight: Floats | None  # None: all weights are 1
    unit: NDArray[np.intp] | None  # cluster of each sample, numbered from 0, if there are clusters

    @property
    def w(self) -> Floats:
        """Weight of each sample, 1 if none were given."""
        return np.ones(self.positive.size) if self.weight is None else self.weight


def check_scored(
    y_true: ArrayLike,
    sample_weight: Weights = None,
    pos_label: Any = None,
    clusters: ArrayLike | None = None,
    *,
    check: Callable[[ArrayLike, str], Floats] = check_vector,
    **scores: ArrayLike,
) -> Samples:
    """Check labels, scores by argument name, weights and clusters.

    Samples of weight 0 are left out.
    """
    check_aligned(y_true=y_true, **scores, sample_weight=sample_weight, clusters=clusters)
    checked: Any = {}
    for name, score in scores.items():
        checked[name] = check(positive_column(score, y_true, pos_label, name), name)
    positive, weight = check_samples(y_true, sample_weight, pos_label, **checked)
    unit = check_clusters(clusters, positive.size)
    if weight is None or weight.all():
        return Samples(positive, tuple(checked.values()), weight, unit)
    is_weighted = weight > 0
    positive = positive[is_weighted]
    if positive.all() or not positive.any():
        raise ValueError("sample_weight leaves one class without weight; both are needed.")
    if unit is not None:
        unit = np.unique(unit[is_weighted], return_inverse=True)[1]
    scores_left = tuple(score[is_weighted] for score in checked.values())
    return Samples(positive, scores_left, weight[is_weighted], unit)
