"""The inputs of the Fermi-Dirac explorer, each beside its control, and the presets."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any, ClassVar

import numpy as np

from rocviz.widgets.base.controls import Action, Control, Linear, Slider, Task, Values
from rocviz.widgets.base.inputs import ExplorerInputs, SandboxState
from rocviz.widgets.fermi_dirac.words import temperature_text
from rocviz.words import number, percent, rank_text

# from perfect through random to worse than random, in units of the number of samples
WARM = np.round(np.geomspace(0.01, 10.0, 46), 4)
# 0.0 is the perfect ranking, -0.0 the reversed one: the two ends of the same scale
TEMPERATURES = (0.0, *WARM.tolist(), float("inf"), *(-WARM[::-1]).tolist(), -0.0)


def coldness(temperature: float, auc: float) -> float:
    """Invert a temperature: finite at both ends and 0 in the middle."""
    if temperature == 0:
        return 1000.0 if auc >= 0.5 else -1000.0
    return float(np.clip(1 / temperature, -1000.0, 1000.0))


SIZES = (20, 50, 100, 200, 400, 1000, 5000, 20_000)
COLD = np.array([coldness(t, 1.0 if not np.signbit(t) else 0.0) for t in TEMPERATURES])


class Temperatures(Values):
    """Temperatures from perfect to reversed, by the coldness they mean at an AUC."""

    def __init__(self, auc: float) -> None:
        super().__init__(TEMPERATURES)
        object.__setattr__(self, "auc", auc)

    def position(self, value: float) -> int:
        """Return the position nearest in coldness."""
        return int(np.argmin(np.abs(COLD - coldness(value, self.auc))))  # type: ignore[attr-defined]


class Filling(Linear):
    """Numbers of positives; a chemical potential has the place of the number it implies."""

    def __init__(self, n_pos: int, n_samples: int) -> None:
        super().__init__(1, n_samples - 1, 1)
        object.__setattr__(self, "n_pos", n_pos)

    def position(self, value: float) -> int:
        """Return the place of the present number of positives."""
        return self.n_pos - 1  # type: ignore[attr-defined]


def whole_shares(state: Any) -> Linear:
    """Return the prevalences of whole numbers of positives, at least one of either class."""
    one = 1 / state.n_samples
    return Linear(one, 1 - one, one)


class FermiDiracInputs(ExplorerInputs, total=False):
    """Inputs of the Fermi-Dirac explorer, for type checkers."""

    auc: float
    prevalence: float
    temperature: float
    chemical_potential: float
    n_samples: int
    seed: int
    confidence: float


class FermiDiracSettings(SandboxState):
    """The inputs of the Fermi-Dirac explorer, each beside its control."""

    pictures: ClassVar[Mapping[str, str]] = {
        "levels": "Levels and positives",
        "roc": "ROC curve",
        "intervals": "How sure is the AUC?",
        "coldness": "How cold it is",
    }
    groups: ClassVar[tuple[str, ...]] = ("AUC", "interval", "other data")

    temperature = Slider(
        "temperature",
        lambda state: Temperatures(state.auc),
        temperature_text,
        hint="Cold rankings have all positives at the top, hot ones have them anywhere",
        role="held",
        play="heat",
        set=lambda state, value: state.warm(value),
    ).as_float(
        0.1,
        "Temperature in units of the number of samples: 0 is perfect, infinite is random, "
        "below 0 is worse than random.",
    )
    chemical_potential = Slider(
        "potential μ",
        lambda state: Filling(state.n_pos, state.n_samples),
        rank_text,
        hint="The chemical potential: the rank where either class is equally likely",
        role="held",
        set=lambda state, value: state.fill_or_hold(value),
    ).as_float(40.0, "Rank at which a sample is as likely positive as negative.")
    auc = Slider("AUC", Linear(0.0, 1.0, 0.005), number, group="AUC").as_float(
        0.8, "Area under the ROC curve."
    )
    prevalence = Slider("prevalence", whole_shares, percent, group="AUC").as_float(
        0.4,
        "Share of positives; there are whole ones, so it is rounded to one of them.",
        low=0.0,
        high=1.0,
    )
    n_samples = Slider("samples", Values(SIZES), sandbox=True).as_int(
        100, "Number of samples that are ranked.", low=2, high=inf
    )
    confidence = Slider("confidence", Linear(0.5, 0.99, 0.01), percent, group="interval").as_float(
        0.95, "Confidence of the intervals.", high=0.999
    )
    kept = ("temperature", "chemical_potential", "confidence")

    extra_controls: ClassVar[Mapping[str, Control]] = {
        "fit": Action(
            "fit to the data",
            "fit",
            hint="Take the AUC of the data on screen",
            group="AUC",
            enabled=lambda state: state.auc != state.result.ranked.segments.auc,
        ),
        "resample": Task.of_preview(
            "_exact", "The bootstrap draws so many samples 500 times; meanwhile it is a preview"
        ),
        "simulate": Task(
            "simulate coverage",
            "simulation",
            hint="How often the intervals of data sets like this hold the true AUC",
            group="interval",
        ),
    }

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "warm": {},
        "cold: nearly perfect": {"auc": 0.98},
        "frozen: perfect": {"auc": 1.0},
        "hot: random": {"auc": 0.5},
        "below zero: worse than random": {"auc": 0.25},
        "few positives": {"auc": 0.9, "prevalence": 0.05, "n_samples": 400},
        "many positives": {"auc": 0.8, "prevalence": 0.9},
        "large": {"auc": 0.85, "n_samples": 5000},
    }
