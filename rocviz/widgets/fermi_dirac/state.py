"""The state of the Fermi-Dirac explorer: one ranking seen as levels, fermions and a temperature.

A ranking is described by AUC and prevalence, or by temperature and chemical potential; setting
either pair moves the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import copysign, inf
from typing import Any, ClassVar

import numpy as np
import traitlets
from numpy.typing import NDArray

from rocviz.core.base.frozen import DataFrame, to_frame
from rocviz.core.base.logistic_levels import rescaled_one_minus_auc
from rocviz.core.base.validation import MIN_SHARE, describe
from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.fermi_dirac.rank_levels import rank_frequencies
from rocviz.core.roc.auc_intervals import METHODS
from rocviz.core.roc.coverage import CoverageResult
from rocviz.displays.fermi_dirac.pictures import law_roc
from rocviz.widgets.base.controls import Action, Control, Linear, Slider, Switch, Task, Values
from rocviz.widgets.base.state import MAX_TITLE_LETTERS, OTHER_DATA, Recent, SandboxState
from rocviz.widgets.fermi_dirac import words as wording
from rocviz.widgets.fermi_dirac.result import FermiDiracResult, Ranked
from rocviz.widgets.fermi_dirac.words import temperature_text
from rocviz.words import amount, number, percent, rank_text

# from perfect through random to worse than random, in units of the number of samples
POSITIVE_TEMPERATURES = np.round(np.geomspace(0.01, 10.0, 46), 4)
# 0.0 is the perfect ranking, -0.0 the reversed one: the two ends of the same scale
TEMPERATURES = (
    0.0,
    *POSITIVE_TEMPERATURES.tolist(),
    float("inf"),
    *(-POSITIVE_TEMPERATURES[::-1]).tolist(),
    -0.0,
)


def grip_rank(n_pos: int, n_samples: int) -> float:
    """Find the rank of the handle that sets the temperature.

    As many first ranks as the smaller class has samples are of one class if the ranking is perfect
    or reversed; the handle stands in their middle.
    """
    return (min(n_pos, n_samples - n_pos) + 1) / 2


def coldness(temperature: float, auc: float) -> float:
    """Invert a temperature: finite at both ends and 0 in the middle."""
    if temperature == 0:
        return 1000.0 if auc >= 0.5 else -1000.0
    return float(np.clip(1 / temperature, -1000.0, 1000.0))


SAMPLE_SIZES = (20, 50, 100, 200, 400, 1000, 5000, 20_000)
COLDNESSES = np.array([coldness(t, 1.0 if not np.signbit(t) else 0.0) for t in TEMPERATURES])


@dataclass(frozen=True)
class Temperatures(Values):
    """Temperatures from perfect to reversed, by the coldness that they have at an AUC."""

    auc: float

    def position(self, value: float) -> int:
        """Find the position nearest in coldness."""
        return int(np.argmin(np.abs(COLDNESSES - coldness(value, self.auc))))


@dataclass(frozen=True)
class PositiveCounts(Linear):
    """Numbers of positives; a chemical potential is at the place of its number of positives."""

    n_pos: int

    def position(self, value: float) -> int:
        """Find the place of the present number of positives."""
        return self.n_pos - 1


def whole_shares(state: Any) -> Linear:
    """List the prevalences of whole numbers of positives, at least one of either class."""
    share = 1 / state.n_samples
    return Linear(share, 1 - share, share)


MAX_SAMPLES = 100_000  # samples drawn in the sandbox
#: Samples up to which the intervals of a new draw are computed at once.
MAX_SAMPLES_OF_QUICK_INTERVALS = 5000
# temperatures in units of N between which a ranking is neither perfect nor random
MIN_TEMPERATURE = 1e-4
MAX_TEMPERATURE = 1e6


@lru_cache(maxsize=64)
def coldness_curve(prevalence: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute AUCs and inverse temperatures (times N) of a prevalence, for drawing."""
    coldness = np.linspace(0.5, 40.0, 40)
    auc = np.array([1 - rescaled_one_minus_auc(b, prevalence) for b in coldness])
    return (
        np.concatenate((1 - auc[::-1], [0.5], auc)),
        np.concatenate((-coldness[::-1], [0.0], coldness)),
    )


@lru_cache(maxsize=4)
def _law(auc: float, n_pos: int, n_neg: int) -> FermiDirac:
    return FermiDirac.from_auc(auc, n_pos, n_neg)


class FermiDiracState(SandboxState):
    """State of the Fermi-Dirac explorer, on a given ranking or draws from the law."""

    result: FermiDiracResult
    _own: Ranked

    pictures: ClassVar[Mapping[str, str]] = {
        "levels": "Levels and positives",
        "roc": "ROC curve",
        "intervals": "How sure is the AUC?",
        "coldness": "How cold it is",
    }
    groups: ClassVar[Mapping[str, Callable[[Any], str]]] = {
        "AUC": lambda state: f"{number(state.auc)}, {percent(state.prevalence)}",
        "interval": lambda state: percent(state.confidence),
        "show": lambda state: "r*" if state.show_best else "",
        **OTHER_DATA,
    }

    temperature = Slider(
        "temperature",
        lambda state: Temperatures(TEMPERATURES, state.auc),
        temperature_text,
        hint="Cold rankings have all positives at the top, hot ones have them anywhere",
        role="selected",
        play="heat",
        set=lambda state, value: state.set_temperature(value),
    ).as_float(
        0.1,
        "Temperature in units of the number of samples; 0 is perfect, infinite is random, "
        "below 0 is worse than random.",
    )
    chemical_potential = Slider(
        "potential μ",
        lambda state: PositiveCounts(1, state.n_samples - 1, 1, state.n_pos),
        rank_text,
        role="selected",
        set=lambda state, value: state.set_n_pos_or_potential(value),
    ).as_float(
        40.0, "Chemical potential: the rank at which a sample is as likely positive as negative."
    )
    auc = Slider("AUC", Linear(0.0, 1.0, 0.005), number, group="AUC").as_float(
        0.8, "Area under the ROC curve."
    )
    prevalence = Slider("prevalence", whole_shares, percent, group="AUC").as_float(
        0.4, "Share of positives, rounded to a whole number of positives.", low=0.0, high=1.0
    )
    n_samples = Slider("samples", Values(SAMPLE_SIZES), sandbox=True).as_int(
        100, "Number of samples that are ranked.", low=2, high=inf
    )
    confidence = Slider("confidence", Linear(0.5, 0.99, 0.01), percent, group="interval").as_float(
        0.95, "Confidence of the intervals.", high=0.999
    )
    show_best = Switch("threshold rank r*", group="show").as_bool(
        False, "Mark the rank before which a positive is more likely than in the whole ranking."
    )
    kept = ("temperature", "chemical_potential", "confidence", "show_best")

    extra_controls: ClassVar[Mapping[str, Control]] = {
        "fit": Action(
            "fit to the data",
            "fit",
            hint="Take the AUC of the data on screen",
            group="AUC",
            enabled=lambda state: state.auc != state.result.ranked.segments.auc,
        ),
        "simulate": Task(
            "simulate coverage",
            "simulation",
            hint="How often the intervals of data sets like this contain the true AUC",
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

    words = wording
    main_controls = ("temperature",)

    coverage: CoverageResult | None = None  # of the intervals, once it was simulated
    _latest: tuple[object, Ranked] | None = None  # the ranking drawn last, and its settings

    @property
    def n_pos(self) -> int:
        """Positives among the items."""
        return round(self.prevalence * self.n_samples)

    # ------------------------------------------------------------------ rules

    @traitlets.validate("temperature")
    def _no_extreme_temperature(self, proposal: Any) -> float:
        value = float(proposal["value"])
        if abs(value) < MIN_TEMPERATURE:
            return copysign(0.0, value)
        return copysign(inf, value) if abs(value) > MAX_TEMPERATURE else value

    @traitlets.validate("auc")
    def _no_extreme_auc(self, proposal: Any) -> float:
        """Round an AUC next to 0 or 1, for which there is no law, to 0 or 1."""
        value = float(proposal["value"])
        return float(round(value)) if min(value, 1 - value) < MIN_SHARE else value

    def adjust(self, changed: set[str]) -> None:
        """Adjust each description of the ranking to the other one."""
        super().adjust(changed)
        if not self.is_sandbox:
            segments = self._own.segments
            n = int(segments.n_samples)
            if "preset" in changed:
                self.n_samples = n
                for name in {"auc", "prevalence"} - {*changed, *self._initial}:
                    setattr(self, name, getattr(segments, name))
            elif self.n_samples != n:
                raise traitlets.TraitError(
                    f"n_samples is fixed by your data at {n}; got {self.n_samples}."
                )
        elif not 4 <= self.n_samples <= MAX_SAMPLES:
            raise traitlets.TraitError(
                f"n_samples must be from 4 to {MAX_SAMPLES:,} in the sandbox; got {self.n_samples}."
            )
        by_temperature = "temperature" in changed and not changed & {"auc", "preset"}
        if "chemical_potential" in changed and not changed & {"prevalence", "preset"}:
            self.prevalence = self._n_pos_at(self.chemical_potential) / self.n_samples
            by_temperature = by_temperature or "auc" not in changed
        n_pos = min(max(self.n_pos, 1), self.n_samples - 1)
        self.prevalence = n_pos / self.n_samples
        if by_temperature:
            self.auc = self._auc_at(self.temperature, n_pos)
        law = self.law()
        temperature = law.temperature / self.n_samples
        if not np.isclose(temperature, self.temperature, rtol=1e-9, atol=0.0):
            self.temperature = temperature
        self.chemical_potential = law.chemical_potential

    def _n_pos_at(self, potential: float) -> int:
        """Count the positives at a chemical potential and the present temperature.

        There are whole ones only, so a small step of the potential is rounded up to one more
        or one less.
        """
        before = self.settled_inputs["prevalence"] * self.settled_inputs["n_samples"]
        temperature = self.temperature * self.n_samples
        # further away, all samples are of one class
        distance = 15 * min(abs(temperature), MAX_TEMPERATURE * self.n_samples)
        potential = float(np.clip(potential, 1 - distance, self.n_samples + distance))
        if not self.temperature:
            n_pos = round(potential - 0.5 if self.auc else self.n_samples + 0.5 - potential)
        elif np.isinf(temperature):
            n_pos = round(before)
        else:
            law = FermiDirac.from_parameters(1 / temperature, potential, self.n_samples)
            n_pos = round(law.prevalence * self.n_samples)
        if n_pos == round(before):
            rise = potential - self.settled_inputs["chemical_potential"]
            n_pos += int(np.sign(rise) * (1 if self.auc >= 0.5 else -1))
        return min(max(n_pos, 1), self.n_samples - 1)

    def _auc_at(self, temperature: float, n_pos: int) -> float:
        """Compute the AUC of ``n_pos`` positives at a temperature (in units of N)."""
        n = self.n_samples
        return FermiDirac.from_temperature(temperature * n, n_pos, n - n_pos).auc

    def law(self) -> FermiDirac:
        """Compute the law of the present AUC and prevalence."""
        return _law(self.auc, self.n_pos, self.n_samples - self.n_pos)

    @property
    def coldness(self) -> float:
        """Inverse temperature times N, finite."""
        return coldness(self.temperature, self.auc)

    def coverage_of(self, method: str) -> str:
        """Write the simulated coverage of a method; nothing before it was simulated."""
        simulated = self.coverage
        if simulated is None or method not in simulated.methods:
            return ""
        return percent(float(simulated.coverage[simulated.methods.index(method)]), 1)

    # ------------------------------------------------------------------ actions of the user

    def set_temperature(self, temperature: float) -> None:
        """Set the temperature; -0.0 is the temperature of the reversed ranking."""
        if temperature == 0:  # two ends that compare equal
            self.auc = 0.0 if np.signbit(temperature) else 1.0
        else:
            self.temperature = temperature

    def set_n_pos_or_potential(self, value: float) -> None:
        """Read a whole number as a number of positives, any other as a chemical potential."""
        if isinstance(value, int):
            self.set_n_pos(value)
        else:
            self.chemical_potential = value

    def set_n_pos(self, n_pos: int) -> None:
        """Set the number of positives at the present temperature.

        Parameters
        ----------
        n_pos : int
            From 1 to ``n_samples - 1``.

        Raises
        ------
        ValueError
            If it is not.
        """
        if not 1 <= n_pos < self.n_samples:
            raise ValueError(
                f"n_pos must be from 1 to {self.n_samples - 1}; got {describe(n_pos)}."
            )
        auc = self._auc_at(self.temperature, n_pos) if self.temperature else self.auc
        self.update(prevalence=n_pos / self.n_samples, auc=auc)

    def set_grip(self, probability: float) -> None:
        """Take the temperature whose law is nearest to a probability at the rank of its handle.

        The law there falls from 1 to 0 along the temperatures of the slider.
        """
        n_pos = self.n_pos
        n = self.n_samples
        rank = grip_rank(n_pos, n)

        def height_above(place: int) -> float:
            if place == 0:
                return 1.0 - probability
            if place == len(TEMPERATURES) - 1:
                return -probability
            law = FermiDirac.from_temperature(TEMPERATURES[place] * n, n_pos, n - n_pos)
            return float(law.probability(rank)) - probability

        low = 0
        high = len(TEMPERATURES) - 1
        while high - low > 1:
            middle = (low + high) // 2
            if height_above(middle) > 0:
                low = middle
            else:
                high = middle
        nearest = min((low, high), key=lambda place: abs(height_above(place)))
        self.set_temperature(TEMPERATURES[nearest])

    def fit(self) -> None:
        """Take the AUC of the data on screen."""
        self.auc = self.result.ranked.segments.auc

    # ------------------------------------------------------------------ result

    def compute(self) -> FermiDiracResult:
        """Compute everything the explorer shows, for the present inputs."""
        law = self.law()
        ranked = self._ranked(law)
        n = self.n_samples
        slices = rank_frequencies(ranked.segments, min(20, max(min(n, 4), n // 10)))
        methods = METHODS[:-1] if self.is_preview else METHODS  # the bootstrap is the last
        return FermiDiracResult(
            law=law,
            ranked=ranked,
            slices=slices,
            roc=law_roc(law),
            best_rank=ranked.best_threshold_rank(),
            intervals=tuple(ranked.interval(method, self.confidence) for method in methods),
        )

    def _ranked(self, law: FermiDirac) -> Ranked:
        if not self.is_sandbox:
            return self._own
        if self._latest is not None:
            key, ranked = self._latest
            has_size = self.n_samples == ranked.label.size > MAX_SAMPLES_OF_QUICK_INTERVALS
            if key == self._draw_key or (self.is_preview and has_size):
                return ranked
        ranked = self._drawn(
            self._draw_key, lambda: Ranked.from_labels(law.sample(random_state=self.seed))
        )
        self._latest = self._draw_key, ranked
        return ranked

    @cached_property
    def _drawn(self) -> Recent:
        return Recent(1)

    @property
    def _draw_key(self) -> object:
        """The settings from which the data on screen are drawn."""
        return self.auc, self.n_pos, self.n_samples, self.seed

    def needs_preview(self, changed: set[str]) -> bool:
        """Whether a new data set is drawn, whose bootstrap waits until the drag ends."""
        if not self.is_sandbox:
            return (
                self._own.label.size > MAX_SAMPLES_OF_QUICK_INTERVALS
                and not self._own.has_spread(METHODS[-1])
            )
        return self.is_preview or changed != {"confidence"}

    def is_resampled(self) -> bool:
        """Whether the bootstrap of the data on screen has been done."""
        key, ranked = self._latest or (None, None)
        if not self.is_sandbox:
            key = self._draw_key
            ranked = self._own
        return ranked is not None and key == self._draw_key and ranked.has_spread(METHODS[-1])

    def title(self, name: str) -> str:
        """Write the title of a picture."""
        if name == "levels" and self.class_names.is_named:
            positive = self.class_names.shortened(MAX_TITLE_LETTERS).positive
            return f"Levels, filled if {positive}"
        return super().title(name)

    @property
    def about(self) -> str:
        """Source of the data, and the number of samples of each class."""
        n_neg = self.n_samples - self.n_pos
        classes = self.class_names.shortened()
        counts = f"{amount(self.n_pos)} {classes.positives}, {amount(n_neg)} {classes.negatives}"
        text = f"{self.preset} · {counts}"
        if not self.is_preview or self.n_samples <= MAX_SAMPLES_OF_QUICK_INTERVALS:
            return text
        if self.is_sandbox:
            return f"new data are drawn when the slider rests · {text}"
        return f"without the bootstrap so far · {text}"

    def to_frame(self) -> DataFrame:
        """Tabulate the AUC intervals of the data on screen, one row per method."""
        if not self._is_by_hand:
            self.finish()
        columns: dict[str, list[Any]] = {}
        for name in ("method", "auc", "lower", "upper", "standard_error"):
            columns[name] = [getattr(interval, name) for interval in self.result.intervals]
        return self._named(to_frame(columns).set_index("method"))
