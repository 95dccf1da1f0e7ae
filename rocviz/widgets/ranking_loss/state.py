"""The state of the ranking loss explorer: which samples, which penalty, which methods.

Works without a browser. It asks the estimators and the core for every number and draws nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets

from rocviz.core.ranking_loss.capped_link import LINKS, true_probability
from rocviz.core.ranking_loss.methods import FLOORS, MAPS, METHODS
from rocviz.core.ranking_loss.ranking_loss import PAIR_LOSSES
from rocviz.core.ranking_loss.results import RankingExperiment
from rocviz.widgets.base.state import ExplorerState, Sentence
from rocviz.widgets.ranking_loss.data import N_NEW, OwnSamples, Samples, simulated
from rocviz.widgets.ranking_loss.result import MIX, RankingLossResult, Scorer, result_of
from rocviz.widgets.ranking_loss.words import code, sentences

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

__all__ = ["RankingLossState"]

SHOWN = ("logistic", "logistic + isotonic", "rank + isotonic")

# the experiment's settings, and the pieces of it that have been worked out
Key = tuple[Any, ...]
Piece = tuple[Key, RankingExperiment]


class RankingLossState(ExplorerState):
    """State of the ranking loss explorer.

    Parameters
    ----------
    data : OwnSamples, optional
        One's own samples; without them, simulated ones whose truth is known.
    **inputs
        Initial values of the traits below.
    """

    #: Floor of the true probability; of a sigmoid, the probability one unit below its middle.
    a = traitlets.Float(0.125, min=0.0, max=0.5).tag(input=True, sandbox=True)
    #: Shape of the true probability over the true score.
    link = traitlets.Enum(LINKS, "step").tag(input=True, sandbox=True)
    #: True score at which it is one half; the larger, the fewer positives.
    border = traitlets.Float(0.0, min=-3.0, max=3.0).tag(input=True, sandbox=True)
    #: Samples to train on.
    n_samples = traitlets.Int(1000, min=10, max=100_000).tag(input=True, sandbox=True)
    #: Which samples are drawn.
    seed = traitlets.Int(0, min=0).tag(input=True, sandbox=True)
    #: Loss of a pair.
    loss = traitlets.Enum(PAIR_LOSSES, "logistic").tag(input=True, sandbox=True)
    #: Strength of every method's penalty, against mean losses.
    alpha = traitlets.Float(1e-4, min=1e-9, max=1e3).tag(input=True, sandbox=True)
    #: How "+ isotonic" makes probabilities: by the plain fit, or with its steps pulled to one half.
    calibration = traitlets.Enum(tuple(MAPS), "isotonic").tag(input=True, sandbox=True)
    #: Methods that are shown.
    methods = traitlets.Tuple(SHOWN).tag(input=True, sandbox=True)
    #: Repetitions of the experiment.
    n_repeats = traitlets.Int(20, min=2, max=1000).tag(input=True)

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "the paper's step": {},
        "certain labels": {"a": 2.0**-9},
        "nothing to learn": {"a": 0.5},
        "a sigmoid: logistic regression is right": {"link": "sigmoid", "a": 0.2},
        "the gap at the top": {
            "link": "sigmoid",
            "a": 0.35,
            "n_samples": 60,
            "seed": 42,
        },
        "the gap, repaired": {
            "link": "sigmoid",
            "a": 0.35,
            "n_samples": 60,
            "seed": 42,
            "calibration": "laplace-hull",
        },
        "strong penalty: rank first": {"a": 2.0**-7, "alpha": 0.1, "loss": "squared_hinge"},
        "few positives": {"a": 2.0**-6, "border": 1.5},
        "all six methods": {"methods": METHODS},
    }

    def __init__(self, data: OwnSamples | None = None, **inputs: Any) -> None:
        self._own = data
        self._scorer = lru_cache(maxsize=24)(Scorer)
        self._found: dict[Key, dict[float, RankingExperiment]] = {}
        self._check_names(inputs)
        super().__init__(**inputs)

    # ------------------------------------------------------------------ data

    @property
    def has_own_data(self) -> bool:
        """Whether it was opened on samples of one's own."""
        return self._own is not None

    @property
    def is_sandbox(self) -> bool:
        """Whether simulated samples are looked at, whose truth is known."""
        return self._own is None or self.preset != self.own

    @property
    def data(self) -> OwnSamples | None:
        """One's own samples, while they are looked at."""
        return None if self.is_sandbox else self._own

    @property
    def samples(self) -> Samples:
        """The samples that are looked at."""
        if self._own is not None and not self.is_sandbox:
            return self._own.samples
        return simulated(self.n_samples, self.a, self.link, self.border, self.seed)

    # ------------------------------------------------------------------ rules

    @traitlets.validate("methods")
    def _known_methods(self, proposal: Any) -> tuple[str, ...]:
        wanted = tuple(proposal["value"])
        unknown = [name for name in wanted if name not in METHODS]
        if unknown or not wanted:
            raise traitlets.TraitError(
                f"methods must be one or more of {', '.join(METHODS)}; got {wanted!r}."
            )
        return tuple(name for name in METHODS if name in wanted)

    def adjust(self, changed: set[str]) -> None:
        """Refuse what cannot be drawn."""
        super().adjust(changed)
        if self.link == "sigmoid" and self.a == 0:
            raise traitlets.TraitError("a must be above 0 for a sigmoid: at 0 it would be a step.")

    def _preset_defaults(self) -> dict[str, Any]:
        """Return what a preset is silent about; which methods are shown is the reader's choice."""
        values = super()._preset_defaults()
        if self._settled and self._settled["preset"] != "all six methods":
            values.pop("methods")
        return values

    # ------------------------------------------------------------------ acts

    def draw(self) -> None:
        """Draw other samples."""
        self.seed += 1

    def toggle(self, method: str) -> None:
        """Show a method or take it away.

        Parameters
        ----------
        method : str

        Raises
        ------
        traitlets.TraitError
            If it is the only one shown.
        """
        if method in self.methods:
            self.methods = tuple(name for name in self.methods if name != method)
        else:
            self.methods = (*self.methods, method)

    def run_experiment(
        self,
        progress: Callable[[Iterable[Any]], Iterable[Any]] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> RankingExperiment:
        """Measure errors at the paper's five floors, over repetitions.

        Parameters
        ----------
        progress : callable, optional
            Wraps the trainings, as ``tqdm.tqdm`` does.
        should_stop : callable, optional
            Asked before every training; once it says true the work ends.

        Returns
        -------
        RankingExperiment
            Also :attr:`result`'s ``experiment`` from now on, as long as the settings stay.

        Raises
        ------
        SimulationStopped
            If it was told to stop. Floors that were done by then are kept.
        ValueError
            If the truth is not known.
        """
        try:
            for piece in self._experiment(progress, should_stop):
                self._keep(piece)
        finally:
            self._show_found()
        assert self.result.experiment is not None
        return self.result.experiment

    def _experiment(self, progress: Any, should_stop: Any) -> Iterable[Piece]:
        """Yield the experiment floor by floor, from the one nearest to the one held.

        The same seed gives the same points at every floor, so the floors together are what one
        call for all of them gives.
        """
        if not self.is_sandbox:
            raise ValueError("The truth of your samples is not known; no error to it is measured.")
        key, looks = self._experiment_key(), self._experiment_arguments()
        found = self._found.get(key, {})
        near = sorted(FLOORS, key=lambda floor: abs(np.log2(max(self.a, 1e-9) / floor)))
        missing = [floor for floor in near if floor not in found]
        steps = iter([0] * len(missing) * self.n_repeats)
        if progress is not None:
            steps = iter(progress(list(steps)))

        def counted(trainings: Iterable[int]) -> Iterable[int]:
            for training in trainings:
                next(steps)
                yield training

        from rocviz.estimators.ranking_loss.experiment import synthetic_ranking_experiment

        for floor in missing:
            yield (
                key,
                synthetic_ranking_experiment(
                    [floor], **looks, progress=counted, should_stop=should_stop
                ),
            )
        for _ in steps:  # lets the bar fill up
            pass

    def _experiment_arguments(self) -> dict[str, Any]:
        names = ("n_samples", "n_repeats", "alpha", "loss", "calibration", "link", "border")
        given = {name: getattr(self, name) for name in names}
        return {**given, "n_test": N_NEW, "mix": MIX, "random_state": self.seed}

    def _experiment_key(self) -> Key:
        return tuple(self._experiment_arguments().values())

    def _keep(self, piece: Piece) -> None:
        key, experiment = piece
        self._found.setdefault(key, {})[float(experiment.a[0])] = experiment
        while len(self._found) > 16:
            self._found.pop(next(iter(self._found)))

    def _show_found(self) -> None:
        """Show what the experiment has found at these settings, if that is news."""
        experiment = self._experiment_so_far()
        shown = self.result.experiment
        if experiment is not None and (shown is None or shown.a.size < experiment.a.size):
            self.set_trait("result", replace(self.result, experiment=experiment))

    def _experiment_so_far(self) -> RankingExperiment | None:
        if not self.is_sandbox:
            return None
        found = self._found.get(self._experiment_key())
        if not found:
            return None
        pieces = [found[floor] for floor in sorted(found)]
        return replace(
            pieces[0],
            a=np.concatenate([piece.a for piece in pieces]),
            error=np.concatenate([piece.error for piece in pieces]),
            standard_error=np.concatenate([piece.standard_error for piece in pieces]),
        )

    # ------------------------------------------------------------------ result

    def compute(self) -> RankingLossResult:
        """Return everything the explorer shows, for the inputs as they stand."""
        samples = self.samples
        truth = None
        if samples.truth is not None:
            a, link, border = self.a, self.link, self.border

            def truth(position: Any) -> Any:
                return true_probability(position, a, link=link, border=border)

        return result_of(
            samples,
            self.methods,
            self.calibration,
            # only pairs know of a loss of pairs
            lambda name: self._scorer(
                samples, name, self.loss if name in ("rank", "combined") else "logistic", self.alpha
            ),
            truth,
            self._experiment_so_far(),
        )

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """What the picture shows at this setting, in words."""
        return sentences(self)

    def code(self) -> str:
        """Return the lines of Python that reproduce the numbers on screen."""
        return code(self)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per method shown: its error, angle, and the AUC on its own samples."""
        import pandas as pd

        result = self.result
        return pd.DataFrame(
            [
                {
                    "method": name,
                    "error to the truth": np.nan if m.error is None else m.error,
                    "degrees off": np.nan if (off := result.angle(m.scorer)) is None else off,
                    "AUC, own samples": m.scorer.segments.auc,
                }
                for name, m in result.methods.items()
            ]
        ).set_index("method")
