"""Inputs of RankingLossExplorer; written by ``make format`` from its traits."""

from collections.abc import Sequence
from typing import TypedDict

class RankingLossInputs(TypedDict, total=False):
    a: float
    wipe: float
    n_samples: int
    methods: Sequence[str]
    calibration: str
    alpha: float
    loss: str
    n_repeats: int
    link: str
    border: float
    seed: int
    preset: str
    panels: Sequence[str]
    focus: str | None
    unfolded: Sequence[str]
