"""What one may set in the Fermi-Dirac explorer: every input beside its control, the presets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets

from rocviz.widgets.base.controls import Action, Control, Linear, Slider, Task, Values
from rocviz.widgets.base.state import ExplorerState
from rocviz.widgets.fermi_dirac.words import rank_text, temperature_text
from rocviz.words import number, percent

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["TEMPERATURES", "FermiDiracSettings", "coldness", "is_sandbox"]

# from perfect through random to worse than random, in units of the number of samples
WARM = np.round(np.geomspace(0.01, 10.0, 46), 4)
# 0.0 is the perfect ranking, -0.0 the reversed one: the two ends of the same scale
TEMPERATURES = (0.0, *WARM.tolist(), float("inf"), *(-WARM[::-1]).tolist(), -0.0)


def coldness(temperature: float, auc: float) -> float:
    """Return the inverse temperature, finite at both ends and 0 in the middle."""
    if temperature == 0:
        return 1000.0 if auc >= 0.5 else -1000.0
    return float(np.clip(1 / temperature, -1000.0, 1000.0))


COLD = np.array([coldness(t, 1.0 if not np.signbit(t) else 0.0) for t in TEMPERATURES])


class Warmth(Values):
    """Temperatures from perfect to reversed, by the coldness they mean at an AUC."""

    def __init__(self, auc: float) -> None:
        super().__init__(TEMPERATURES)
        object.__setattr__(self, "auc", auc)

    def position(self, value: float) -> int:
        """Return the position nearest in coldness."""
        return int(np.argmin(np.abs(COLD - coldness(value, self.auc))))  # type: ignore[attr-defined]


class Filling(Linear):
    """Numbers of positives; a chemical potential stands where the positives it gives stand."""

    def __init__(self, n_pos: int, n_samples: int) -> None:
        super().__init__(1, n_samples - 1, 1)
        object.__setattr__(self, "n_pos", n_pos)

    def position(self, value: float) -> int:
        """Return where the positives held stand."""
        return self.n_pos - 1  # type: ignore[attr-defined]


def is_sandbox(state: Any) -> bool:
    """Whether the data are drawn from the law."""
    return bool(state.preset != state.own)


class FermiDiracSettings(ExplorerState):
    """The inputs of the Fermi-Dirac explorer, each beside its control."""

    pictures: ClassVar[Mapping[str, str]] = {
        "levels": "Levels and positives",
        "roc": "ROC curve",
        "intervals": "How sure is the AUC?",
        "coldness": "How cold it is",
    }
    groups: ClassVar[tuple[str, ...]] = ("AUC", "interval", "other data")

    temperature = traitlets.Float(
        0.1,
        help="Temperature in units of the number of samples: 0 is perfect, infinite is random, "
        "below 0 is worse than random.",
    ).tag(
        input=True,
        control=Slider(
            label="temperature",
            hint="Cold rankings have all positives at the top, hot ones have them anywhere",
            grid=lambda state: Warmth(state.auc),
            text=temperature_text,
            thing="held",
            play="heat",
            set=lambda state, value: state.warm(value),
        ),
    )
    chemical_potential = traitlets.Float(
        40.0, help="Rank at which a sample is as likely positive as negative."
    ).tag(
        input=True,
        control=Slider(
            label="potential μ",
            hint="The chemical potential: the rank where either class is equally likely",
            grid=lambda state: Filling(state.n_pos, state.n_samples),
            text=rank_text,
            thing="held",
            set=lambda state, value: state.fill_or_hold(value),
        ),
    )
    auc = traitlets.Float(0.8, min=0.0, max=1.0, help="Area under the ROC curve.").tag(
        input=True,
        sandbox=True,
        control=Slider(label="AUC", group="AUC", grid=Linear(0.0, 1.0, 0.005), text=number),
    )
    prevalence = traitlets.Float(
        0.4,
        min=0.0,
        max=1.0,
        help="Share of positives; there are whole ones, so it is rounded to one of them.",
    ).tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="prevalence",
            group="AUC",
            grid=lambda state: Linear(
                1 / state.n_samples, 1 - 1 / state.n_samples, 1 / state.n_samples
            ),
            text=percent,
        ),
    )
    n_samples = traitlets.Int(100, min=2, help="Number of samples that are ranked.").tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="samples",
            group="other data",
            grid=Values((20, 50, 100, 200, 400, 1000, 5000, 20_000)),
            shown=is_sandbox,
        ),
    )
    seed = traitlets.Int(0, min=0, help="Which data set is drawn from the law.").tag(
        input=True, sandbox=True
    )
    confidence = traitlets.Float(0.95, min=0.5, max=0.999, help="Confidence of the intervals.").tag(
        input=True,
        control=Slider(
            label="confidence", group="interval", grid=Linear(0.5, 0.99, 0.01), text=percent
        ),
    )

    extra_controls: ClassVar[Mapping[str, Control]] = {
        "fit": Action(
            label="fit to the data",
            hint="Take the AUC of the data on screen",
            group="AUC",
            act="fit",
        ),
        "simulate": Task(
            label="simulate coverage",
            hint="How often the intervals of data sets like this hold the true AUC",
            group="interval",
            task="simulation",
        ),
        "draw": Action(
            label="draw anew",
            hint="Another data set from the law",
            group="other data",
            act="draw",
            shown=is_sandbox,
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
