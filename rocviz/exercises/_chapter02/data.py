"""The real model that the exercises of notebook 02 ask about."""

from __future__ import annotations

from functools import lru_cache

from rocviz.core.calibration.brier import BrierDecomposition, brier_decomposition
from rocviz.core.roc.segments import RankedSegments
from rocviz.datasets import load_breast_cancer_scores


@lru_cache(maxsize=1)
def cancer() -> RankedSegments:
    """Rank by naive Bayes on the breast cancer data."""
    scores = load_breast_cancer_scores()
    return RankedSegments.from_scores(scores.y_true, scores.y_prob)


@lru_cache(maxsize=1)
def cancer_brier() -> BrierDecomposition:
    """Take the Brier score of naive Bayes apart."""
    return brier_decomposition(cancer())


@lru_cache(maxsize=1)
def cubed_brier() -> BrierDecomposition:
    """Take the Brier score of its cubed probabilities apart."""
    return brier_decomposition(cancer().with_scores(cancer().score ** 3))
