"""Rankings given by labels and scores, or by segments."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from rocviz.core.base.validation import (
    Weights,
    check_same_length,
    check_samples,
    check_vector,
    describe,
)
from rocviz.core.roc.segments import RankedSegments


def ranked(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None,
    sample_weight: Weights = None,
    pos_label: Any = None,
    name: str = "y_score",
) -> RankedSegments:
    """Rank samples, or take segments as they are; ``name`` is the caller's argument of scores."""
    if isinstance(y_true, RankedSegments):
        if not (y_score is None and sample_weight is None and pos_label is None):
            raise ValueError(
                f"{name}, sample_weight and pos_label go with labels; segments have all of them."
            )
        return y_true
    if y_score is None:
        raise ValueError(
            f"{name} is needed with labels; alone, y_true must be RankedSegments, not "
            f"{describe(y_true)}."
        )
    score = check_vector(y_score, name)
    positive, weight = check_samples(y_true, sample_weight, pos_label)
    check_same_length(positive.size, **{name: score})
    return RankedSegments.from_scores(positive, score, sample_weight=weight)
