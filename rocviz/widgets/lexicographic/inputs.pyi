"""Inputs of LexicographicExplorer; written by ``make format`` from its traits."""

from collections.abc import Sequence
from typing import TypedDict

class LexicographicInputs(TypedDict, total=False):
    order: Sequence[int] | None
    preferred: Sequence[int] | None
    leaves: int
    join: bool
    smoothing: float
    m: float
    preset: str
    panels: Sequence[str]
    focus: str | None
    unfolded: Sequence[str]
