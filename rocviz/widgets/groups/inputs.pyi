"""Inputs of GroupsExplorer; written by ``make format`` from its traits."""

from collections.abc import Sequence
from typing import TypedDict

class GroupsInputs(TypedDict, total=False):
    criterion: str
    group: str
    predicted_positive_rates: Sequence[float]
    cost_fn: float
    tolerance: float
    prevalences: Sequence[float]
    show_hulls: bool
    separation_a: float
    separation_b: float
    prevalence_a: float
    prevalence_b: float
    shift_b: float
    share_b: float
    third_group: bool
    n_samples: int
    seed: int
    preset: str
    panels: Sequence[str]
    focus: str | None
    unfolded: Sequence[str]
