"""Inputs of EnsembleExplorer; written by ``make format`` from its traits."""

from collections.abc import Sequence
from typing import TypedDict

class EnsembleInputs(TypedDict, total=False):
    correlation: float
    members: Sequence[str | int]
    method: str
    strategy: str
    n_resamples: int
    item: int
    auc_low: float
    auc_high: float
    last_classifier: str
    n_classifiers: int
    n_samples: int
    prevalence: float
    seed: int
    preset: str
    panels: Sequence[str]
    focus: str | None
    unfolded: Sequence[str]
