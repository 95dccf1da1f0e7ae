"""Inputs of DecisionExplorer; written by ``make format`` from its traits."""

from collections.abc import Sequence
from typing import TypedDict

class DecisionInputs(TypedDict, total=False):
    metric: str
    threshold_probability: float
    beta: float
    cost_fn: float
    formula: str
    k: int
    compared_metrics: Sequence[str]
    over_confidence: float
    shift: float
    sample: int
    probabilities: Sequence[float]
    n_samples: int
    prevalence: float
    source: str
    seed: int
    preset: str
    panels: Sequence[str]
    focus: str | None
    unfolded: Sequence[str]
