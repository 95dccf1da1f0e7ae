"""Inputs of MulticlassExplorer; written by ``make format`` from its traits."""

from collections.abc import Sequence
from typing import TypedDict

class MulticlassInputs(TypedDict, total=False):
    label: str
    point: Sequence[float]
    metric: str
    miss_costs: Sequence[float]
    prevalences: Sequence[float]
    calibration: str
    corners: Sequence[str]
    one_vs_rest: str
    source: str
    separation: float
    nearness: float
    share_c: float
    over_confidence: float
    n_samples: int
    seed: int
    preset: str
    panels: Sequence[str]
    focus: str | None
    unfolded: Sequence[str]
