"""Inputs of ScoringListExplorer; written by ``make format`` from its traits."""

from collections.abc import Sequence
from typing import TypedDict

class ScoringListInputs(TypedDict, total=False):
    answers: Sequence[int | None]
    scores: Sequence[int]
    feature_costs: Sequence[float]
    lower: float
    upper: float
    by_interval: bool
    guarantee: float
    cost_fn: float
    risk_averse: bool
    calibration: str
    confidence: float
    interval_method: str
    simultaneous: bool
    stage: int
    quantity: str
    preset: str
    panels: Sequence[str]
    focus: str | None
    unfolded: Sequence[str]
