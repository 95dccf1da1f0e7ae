"""Inputs of ROCExplorer; written by ``make format`` from its traits."""

from collections.abc import Sequence
from typing import TypedDict

class ROCInputs(TypedDict, total=False):
    threshold: float
    random_part: float
    lower_threshold: float
    upper_threshold: float
    space: str
    model: str
    cost_fn: float
    deployment_prevalence: float
    refer: bool
    cost_referral: float
    metric: str
    threshold_probability: float
    beta: float
    show_hull: bool
    show_best: bool
    hull_over: str
    show_band: bool
    band_method: str
    confidence: float
    calibration: str
    held_out: bool
    reliability_by: str
    joined: Sequence[int]
    separation: float
    spread_ratio: float
    prevalence: float
    n_samples: int
    over_confidence: float
    decimals: int
    draw: bool
    drawn_positives: Sequence[float]
    drawn_negatives: Sequence[float]
    seed: int
    preset: str
    panels: Sequence[str]
    focus: str | None
    unfolded: Sequence[str]
