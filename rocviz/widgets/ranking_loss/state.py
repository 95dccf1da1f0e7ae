"""The state of the ranking loss explorer: samples, methods, and their penalty."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np
import traitlets

from rocviz.core.base.validation import describe
from rocviz.core.ranking_loss.capped_link import LINKS, true_probability
from rocviz.core.ranking_loss.methods import FLOORS, MAPS, METHODS, scorer_name
from rocviz.core.ranking_loss.ranking_loss import PAIR_LOSSES
from rocviz.core.ranking_loss.results import RankingExperiment
from rocviz.displays.ranking_loss.pictures import fraction
from rocviz.widgets.base.background import step, stepping
from rocviz.widgets.base.controls import (
    Choice,
    Control,
    Linear,
    Row,
    Rows,
    Slider,
    Task,
    Values,
    in_sandbox,
)
from rocviz.widgets.base.state import OTHER_DATA, Recent, SandboxState
from rocviz.widgets.ranking_loss import words as wording
from rocviz.widgets.ranking_loss.data import (
    N_NEW_SAMPLES,
    N_PREVIEW_NEW_SAMPLES,
    N_PREVIEW_SAMPLES,
    OwnSamples,
    Samples,
    simulate_samples,
)
from rocviz.widgets.ranking_loss.result import (
    COMBINED_MIX,
    FINAL_SLOPE,
    LINK_RANGE,
    RankingLossResult,
    Scorer,
    result_of,
)
from rocviz.widgets.ranking_loss.words import LOSSES, penalty_text
from rocviz.words import amount

if TYPE_CHECKING:
    from rocviz.widgets.ranking_loss.inputs import RankingLossInputs

DEFAULT_METHODS = ("logistic", "rank + isotonic")
FLOOR_VALUES = tuple(2.0 ** (k / 2) for k in range(-18, -1))
PENALTIES = (1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1.0)
SAMPLE_SIZES = (20, 60, 100, 200, 500, 1000, 2000, 5000, 20_000, 100_000)


WIPE_GRID = Linear(*LINK_RANGE, 0.1)  # scores at which one fit can give way to another

PREVIEW_SLOPE = 1e-3  # slope at which training ends in a preview
MAX_TRAINED_SCORERS = 24  # trained scorers that are kept
MAX_EXPERIMENTS = 16  # experiments that are kept

Key = tuple[Any, ...]


def method_rows(state: Any) -> list[Row]:
    """Make a row for each method."""
    return [Row(key=name, label=name, value=name in state.methods) for name in METHODS]


def score_words(value: float) -> str:
    """Write a score."""
    return f"{value:.1f}".replace("-", "−")


def experiment_words(state: Any) -> str:
    """Write how many floors of the experiment have been run."""
    experiment = state.result.experiment
    if experiment is None:
        return "not run"
    return f"{experiment.a.size} of {len(FLOORS)} floors"


def _never() -> bool:
    return False


class RankingLossState(SandboxState):
    """State of the ranking loss explorer, on given or simulated samples."""

    result: RankingLossResult
    _own: OwnSamples

    pictures: ClassVar[Mapping[str, str]] = {
        "links": "From score to probability",
        "errors": "How far from the truth?",
        "samples": "Samples and directions",
        "bound": "What an AUC allows",
    }
    groups: ClassVar[Mapping[str, Callable[[Any], str]]] = {
        "methods": lambda state: f"{len(state.methods)} of {len(METHODS)}",
        "penalty and loss": lambda state: penalty_text(state.alpha),
        "experiment": experiment_words,
        **OTHER_DATA,
    }

    a = Slider(
        "floor a of the truth",
        Values(FLOOR_VALUES),
        fraction,
        role="selected",
        shown=in_sandbox,
    ).as_float(
        0.125,
        "Floor of the true probability; of a sigmoid, the probability one unit below its middle.",
        low=0.0,
        high=0.5,
    )
    wipe = Slider(
        "wipe at score",
        WIPE_GRID,
        score_words,
        role="selected",
        shown=lambda state: state.wiped is not None,
    ).as_float(
        -0.5,
        "Score at which one of two methods gives way to the other in the picture of both.",
        *LINK_RANGE,
    )
    n_samples = Slider("samples", Values(SAMPLE_SIZES), shown=in_sandbox).as_int(
        1000, "Number of samples to train on.", low=10
    )
    methods = Rows(
        "methods",
        method_rows,
        lambda state, key, value: state.show_method(key, value),
        group="methods",
        choices=((True, "", "shown"),),
    ).of(traitlets.Tuple(DEFAULT_METHODS, help="Names of the methods that are shown."))
    calibration = Choice(
        "isotonic fit",
        {"isotonic": "as it is", "laplace-hull": "pulled to ½"},
        group="methods",
        hint="Steps of few samples are pulled towards one half, further than those of many",
    ).as_enum(
        "isotonic",
        "Isotonic fit of the methods with “+ isotonic”: plain, or with its steps pulled towards "
        "one half.",
        tuple(MAPS),
    )
    alpha = Slider(
        "penalty",
        Values(PENALTIES),
        penalty_text,
        group="penalty and loss",
    ).as_float(1e-4, "Weight of every method's penalty, relative to its mean loss.", 1e-9, 1e3)
    loss = Choice("loss of a pair", LOSSES, group="penalty and loss").as_enum(
        "logistic", "Loss of a pair of a positive and a negative.", PAIR_LOSSES
    )
    n_repeats = Slider(
        "repetitions",
        Values((2, 5, 10, 20, 50, 100, 200, 500, 1000)),
        group="experiment",
        shown=in_sandbox,
    ).as_int(20, "Number of repetitions of the experiment.")
    link = Choice("truth", {"step": "a step", "sigmoid": "a sigmoid"}, sandbox=True).as_enum(
        "step", "Shape of the true probability over the true score.", LINKS
    )
    border = Slider(
        "border",
        Linear(-2.0, 2.0, 0.1),
        score_words,
        role="selected",
        sandbox=True,
    ).as_float(
        0.0,
        "True score at which the true probability is one half; the larger, the fewer positives.",
        -3.0,
        3.0,
    )
    kept = ("n_repeats",)

    extra_controls: ClassVar[Mapping[str, Control]] = {
        "run": Task(
            "run the experiment",
            "experiment",
            hint="Mean errors at five floors, over repetitions, floor by floor",
            group="experiment",
            shown=in_sandbox,
        ),
    }

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "the paper's step": {},
        "certain labels": {"a": 2.0**-9},
        "nothing to learn": {"a": 0.5},
        "a sigmoid: logistic regression is right": {
            "link": "sigmoid",
            "a": 0.2,
            "methods": ("logistic", "logistic + isotonic"),
        },
        "the gap at the top": {
            "link": "sigmoid",
            "a": 0.35,
            "n_samples": 60,
            "seed": 42,
            "wipe": LINK_RANGE[1],
        },
        "the gap, repaired": {
            "link": "sigmoid",
            "a": 0.35,
            "n_samples": 60,
            "seed": 42,
            "calibration": "laplace-hull",
            "wipe": LINK_RANGE[1],
        },
        "strong penalty: rank first": {
            "a": 2.0**-7,
            "alpha": 0.1,
            "loss": "squared_hinge",
            "methods": ("logistic + isotonic", "rank + isotonic"),
        },
        "few positives": {"a": 2.0**-6, "border": 1.5},
        "all six methods": {"methods": METHODS},
    }

    words = wording
    main_controls = ("a", "wipe", "calibration")
    page_controls: ClassVar[Mapping[str, int]] = {"a": 9, "wipe": 15}

    def __init__(self, data: OwnSamples | None = None, **inputs: Unpack[RankingLossInputs]) -> None:
        # on all samples, and on few of them for previews
        self._trained = Recent(MAX_TRAINED_SCORERS)
        self._sketched = Recent(MAX_TRAINED_SCORERS)
        #: The experiments that have been run: their floors, by settings.
        self._experiments: dict[Key, dict[float, RankingExperiment]] = {}
        super().__init__(data, **inputs)

    # ------------------------------------------------------------------ data

    @property
    def data(self) -> OwnSamples | None:
        """The user's samples, while they are shown."""
        return None if self.is_sandbox else self._own

    @property
    def size(self) -> int:
        """Number of samples to train on; a preview uses fewer."""
        if not self.is_sandbox:
            return int(self._own.samples.positive.size)
        return self.n_samples

    def _samples(self, few: bool) -> Samples:
        """Get the samples to train on, or few of them for a preview."""
        if not self.is_sandbox:
            return self._own.few if few else self._own.samples
        n_samples = self.n_samples
        n_new = N_NEW_SAMPLES
        if few:
            n_samples = min(N_PREVIEW_SAMPLES, n_samples)
            n_new = N_PREVIEW_NEW_SAMPLES
        try:
            return simulate_samples(n_samples, self.a, self.link, self.border, self.seed, n_new)
        except ValueError as error:  # few samples may be of one class
            raise traitlets.TraitError(str(error)) from error

    @property
    def wiped(self) -> tuple[str, str] | None:
        """Methods on the left and on the right of the wipe; None unless two are shown."""
        if len(self.methods) != 2:
            return None
        first, second = self.methods
        return second, first

    # ------------------------------------------------------------------ rules

    @traitlets.validate("methods")
    def _known_methods(self, proposal: Any) -> tuple[str, ...]:
        names = tuple(proposal["value"])
        unknown = [name for name in names if name not in METHODS]
        if unknown or not names:
            raise traitlets.TraitError(
                f"methods must be one or more of {', '.join(METHODS)}; got {describe(names)}."
            )
        return tuple(name for name in METHODS if name in names)

    def adjust(self, changed: set[str]) -> None:
        """Refuse a sigmoid that cannot be drawn."""
        super().adjust(changed)
        if self.link == "sigmoid" and self.a == 0:
            raise traitlets.TraitError("a must be above 0 for a sigmoid: at 0 it would be a step.")

    # ------------------------------------------------------------------ actions of the user

    def show_method(self, method: str, shown: bool) -> None:
        """Show or hide a method.

        Parameters
        ----------
        method : str
        shown : bool

        Raises
        ------
        traitlets.TraitError
            If no method would be shown.
        """
        rest = tuple(name for name in self.methods if name != method)
        self.methods = (*rest, method) if shown else rest

    # ------------------------------------------------------------------ the experiment

    def run_experiment(
        self,
        progress: Callable[[Iterable[int]], Iterator[int]] = iter,
        should_stop: Callable[[], bool] = _never,
    ) -> None:
        """Run the experiment floor by floor, the one nearest to the current floor first.

        Floors that were run before are not run again, and those that are done are kept if it stops.
        The same seed gives the same points at every floor, so the floors together are what one
        call for all of them gives.

        Parameters
        ----------
        progress : callable, optional
            Wraps the steps of the work.
        should_stop : callable, optional
            Returns true once the work is to stop.

        Raises
        ------
        ValueError
            If the samples are the user's.
        """
        from rocviz.estimators.ranking_loss.experiment import synthetic_ranking_experiment

        if not self.is_sandbox:
            raise ValueError(
                "The true probabilities of your samples are not known, so no error can be measured."
            )
        key = self._experiment_key()
        arguments = self.experiment_arguments()
        known = self._experiments.get(key, {})
        nearest = sorted(FLOORS, key=lambda floor: abs(np.log2(max(self.a, 1e-9) / floor)))
        missing = [floor for floor in nearest if floor not in known]
        with stepping(len(missing) * self.n_repeats, progress, should_stop):
            for floor in missing:
                experiment = synthetic_ranking_experiment(
                    [floor], **arguments, progress=_as_steps, should_stop=should_stop
                )
                self._keep(key, floor, experiment)

    def show_experiment(self) -> None:
        """Show the floors of the experiment at these settings that have been run."""
        experiment = self._experiment_so_far()
        shown = self.result.experiment
        if experiment is not None and (shown is None or shown.a.size < experiment.a.size):
            self.set_trait("result", replace(self.result, experiment=experiment))

    def experiment_arguments(self) -> dict[str, Any]:
        """Collect the arguments of the experiment, except its floors."""
        names = ("n_samples", "n_repeats", "alpha", "loss", "calibration", "link", "border")
        arguments = {name: getattr(self, name) for name in names}
        return {
            **arguments,
            "n_test": N_NEW_SAMPLES,
            "mix": COMBINED_MIX,
            "random_state": self.seed,
        }

    def _experiment_key(self) -> Key:
        return tuple(self.experiment_arguments().values())

    def _keep(self, key: Key, floor: float, experiment: RankingExperiment) -> None:
        self._experiments.setdefault(key, {})[floor] = experiment
        while len(self._experiments) > MAX_EXPERIMENTS:
            self._experiments.pop(next(iter(self._experiments)))

    def _experiment_so_far(self) -> RankingExperiment | None:
        if not self.is_sandbox:
            return None
        floors = self._experiments.get(self._experiment_key())
        if not floors:
            return None
        parts = [floors[floor] for floor in sorted(floors)]
        return replace(
            parts[0],
            a=np.concatenate([part.a for part in parts]),
            error=np.concatenate([part.error for part in parts]),
            standard_error=np.concatenate([part.standard_error for part in parts]),
        )

    # ------------------------------------------------------------------ result

    def _key(self, name: str) -> Key:
        """List the settings of a scorer."""
        drawn = (self.a, self.link, self.border, self.seed) if self.is_sandbox else ()
        return name, self._pair_loss(name), self.alpha, self.size, *drawn

    def _pair_loss(self, name: str) -> str:
        """Get the loss of a pair for a scorer; only those that train on pairs have another one."""
        return self.loss if name in ("rank", "combined") else "logistic"

    def _scorer(self, name: str, few: bool) -> Scorer:
        """Train a scorer once, on few samples for a preview."""
        step(f"training {name}", extra=True)
        key = self._key(name)
        loss = self._pair_loss(name)
        scorers = self._sketched if few else self._trained
        slope = PREVIEW_SLOPE if few else FINAL_SLOPE
        return scorers(key, lambda: Scorer(self._samples(few), name, loss, self.alpha, slope))

    def needs_preview(self, changed: set[str]) -> bool:
        """Whether scorers must be trained on too many samples for a drag."""
        if self.size <= N_PREVIEW_SAMPLES:
            return False
        names = {"rank", "logistic", *map(scorer_name, self.methods)}
        return any(self._key(name) not in self._trained for name in names)

    def compute(self) -> RankingLossResult:
        """Compute everything the explorer shows, for its present inputs."""
        if self.is_preview:
            try:
                self._samples(few=True)
            except traitlets.TraitError:  # few samples may be of one class; all are used then
                self.is_preview = False
        samples = self._samples(self.is_preview)
        law: dict[str, Any] = {"a": self.a, "link": self.link, "border": self.border}
        return result_of(
            samples,
            self.methods,
            self.calibration,
            partial(self._scorer, few=self.is_preview),
            None if samples.truth is None else partial(true_probability, **law),
            self._experiment_so_far(),
        )

    # ------------------------------------------------------------------ words

    @property
    def about(self) -> str:
        """Source of the samples and their number; in a preview, the number used for training."""
        text = f"{self.preset} · {amount(self.size)} samples"
        if self.is_preview:
            n_preview = amount(self.result.samples.positive.size)
            text = f"preview from {n_preview} samples, exact when the slider rests · {text}"
        return text

    def title(self, name: str) -> str:
        """Write the title of a picture."""
        large = name == self.focus or len(self.panels) <= 2
        if name == "links" and large and self.is_sandbox and len(self.methods) <= 2:
            return "From score to probability, error shaded"
        if name == "errors" and large and self.result.experiment is not None:
            return "How far from the truth? Means ± 2 s.e."
        return super().title(name)


def _as_steps(trainings: Iterable[int]) -> Iterator[int]:
    """Advance the bar at each training."""
    for training in trainings:
        step("the experiment")
        yield training
