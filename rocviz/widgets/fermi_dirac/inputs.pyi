"""Inputs of FermiDiracExplorer; written by ``make format`` from its traits."""

from collections.abc import Sequence
from typing import TypedDict

class FermiDiracInputs(TypedDict, total=False):
    temperature: float
    chemical_potential: float
    auc: float
    prevalence: float
    n_samples: int
    confidence: float
    show_best: bool
    seed: int
    preset: str
    panels: Sequence[str]
    focus: str | None
    unfolded: Sequence[str]
