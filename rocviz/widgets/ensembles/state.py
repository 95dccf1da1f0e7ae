"""The state of the ensemble explorer: which classifiers are in, and how their crowd does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from numbers import Integral
from typing import Any, Unpack, cast

import numpy as np
import traitlets
from numpy.typing import NDArray

from rocviz.core.base.frozen import DataFrame
from rocviz.core.base.progress import SimulationStopped
from rocviz.core.ensembles.experiment import EnsembleExperiment, ensemble_subsets
from rocviz.core.ensembles.score_matrix import check_names
from rocviz.widgets.ensembles import words as wording
from rocviz.widgets.ensembles.data import Measured, OwnScores, Recent, sandbox_aucs, simulated
from rocviz.widgets.ensembles.inputs import EnsembleInputs, EnsembleSettings
from rocviz.widgets.ensembles.result import EnsembleResult, Judged, judge, law
from rocviz.widgets.ensembles.words import SHORT_NAMES, ordinal

PREVIEW = 1000  # samples of a preview
LARGE = 200_000  # samples to judge by of which one waits for the exact result
FEW_TO_JUDGE = 5000  # samples to judge by that need no preview


class EnsembleState(EnsembleSettings):
    """State of the ensemble explorer, on one's own scores or the teaching sandbox."""

    result: EnsembleResult
    _own: OwnScores

    words = wording
    main_controls = ("correlation", "method")

    def __init__(self, data: OwnScores | None = None, **inputs: Unpack[EnsembleInputs]) -> None:
        self._found: dict[Any, EnsembleExperiment] = {}
        self._simulated, self._judged = Recent(4), Recent(8)
        super().__init__(data, **inputs)

    # ------------------------------------------------------------------ data

    @property
    def strategies(self) -> tuple[str, ...]:
        """Training strategies to choose from, where the classifiers were trained here."""
        return () if self.is_sandbox else self._own.strategies

    @property
    def data(self) -> Measured:
        """The measured classifiers, and the samples to judge by."""
        return self._measured(self._settings())

    def _settings(self, n_samples: int | None = None) -> tuple[Any, ...]:
        """Collect the settings that the data on screen follow from."""
        if not self.is_sandbox:
            return (self.strategy,)
        size = n_samples or self.n_samples
        aucs = tuple(self.sandbox_aucs)
        return size, aucs, self.correlation, self.prevalence, self.seed

    def _measured(self, settings: tuple[Any, ...]) -> Measured:
        if len(settings) == 1:
            return self._own.measured(*settings)
        return cast("Measured", self._simulated(settings, lambda: simulated(*settings)))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the classifiers."""
        if self.is_sandbox:
            return check_names(None, self.n_classifiers)
        return self.data.ensemble.names

    @property
    def rows(self) -> NDArray[np.intp]:
        """Rows of the samples to judge by, increasing."""
        return np.arange(self.n_samples) if self.is_sandbox else self.data.rows

    @property
    def sandbox_aucs(self) -> list[float]:
        """True AUCs of the sandbox's classifiers."""
        return sandbox_aucs(self.n_classifiers, self.auc_low, self.auc_high, self.odd_one)

    @property
    def pos_label(self) -> Any:
        """The positive class, where one was named."""
        return None if self.is_sandbox else self._own.given[2]

    # ------------------------------------------------------------------ rules

    @traitlets.validate("members")
    def _each_once(self, proposal: Any) -> tuple[str | int, ...]:
        for member in proposal["value"]:
            if not isinstance(member, str | Integral) or isinstance(member, bool):
                raise traitlets.TraitError(f"members must be names or places; got {member!r}.")
        return tuple(
            dict.fromkeys(str(m) if isinstance(m, str) else int(m) for m in proposal["value"])
        )

    def adjust(self, changed: set[str]) -> None:
        """Let inputs follow the data; refuse contradictions."""
        super().adjust(changed)
        if self.auc_low > self.auc_high:
            if {"auc_low", "auc_high"} <= changed:
                raise traitlets.TraitError(
                    f"auc_low must not exceed auc_high; got {self.auc_low} and {self.auc_high}."
                )
            follows = "auc_high" if "auc_low" in changed else "auc_low"
            setattr(self, follows, self.auc_low if "auc_low" in changed else self.auc_high)
        names, rows = self.names, self.rows
        if "members" in changed and self.members:
            self.members = self._names_of(self.members, names)
        elif "members" in changed and self._settled:
            raise traitlets.TraitError("members is empty; at least one classifier must be in.")
        else:
            known = self.result.ensemble.names if self.result and "preset" not in changed else ()
            out = set(known) - set(self.members)
            self.members = tuple(name for name in names if name not in out) or names
        if "preset" in changed and "item" not in changed:
            self.item = int(rows[0])
        at = min(int(np.searchsorted(rows, self.item)), rows.size - 1)
        if rows[at] != self.item:
            if "item" in changed and self._settled:
                raise traitlets.TraitError(
                    f"item must be one of the {rows.size} rows that are judged by, from "
                    f"{rows[0]} to {rows[-1]}; got {self.item}."
                )
            self.item = int(rows[at])

    @staticmethod
    def _names_of(members: tuple[Any, ...], names: tuple[str, ...]) -> tuple[str, ...]:
        """Return names in the order of the data."""
        wanted = set()
        for member in members:
            known = names if isinstance(member, str) else range(len(names))
            if member not in known:
                raise traitlets.TraitError(
                    f"members must be some of {', '.join(names)}; got {member!r}."
                )
            wanted.add(member if isinstance(member, str) else names[member])
        return tuple(name for name in names if name in wanted)

    # ------------------------------------------------------------------ acts

    def toggle(self, place: int) -> None:
        """Take a classifier in or out.

        Parameters
        ----------
        place : int
            Counted from 0.

        Raises
        ------
        traitlets.TraitError
            If it is the only one that is in.
        """
        name = self.result.ensemble.names[place]
        inside = name in self.members
        self.members = (
            tuple(m for m in self.members if m != name) if inside else (*self.members, name)
        )

    def hold_place(self, place: int) -> None:
        """Look at the item that the crowd ranks at a place.

        Parameters
        ----------
        place : int
            From 1, the most positive one, to the number of items.

        Raises
        ------
        ValueError
            If there is no such place.
        """
        self.finish()
        result = self.result
        if place not in range(1, result.order.size + 1):
            raise ValueError(
                f"place must be a whole number from 1 to {result.order.size}; got {place!r}."
            )
        self.item = int(result.rows[result.order[int(place) - 1]])

    def compare(
        self,
        progress: Callable[[Any], Any] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> EnsembleExperiment:
        """Compute AUCs against the number of classifiers, over resamples of the data on screen.

        Parameters
        ----------
        progress : callable, default=iter
            Wraps the steps that are counted, such as :func:`tqdm.tqdm`.
        should_stop : callable, optional
            Asked before every step; once it says true the work ends.

        Returns
        -------
        EnsembleExperiment
            Also :attr:`result`'s ``experiment`` from now on, as long as data and members stay.

        Raises
        ------
        SimulationStopped
            If it was told to stop; nothing is changed.
        ValueError
            If a class has too few samples to be split.
        """
        key, experiment = self._experiment(progress, should_stop)
        self._on_experiment((key, experiment))
        return experiment

    def _experiment(self, progress: Any, should_stop: Any) -> tuple[Any, EnsembleExperiment]:
        key = self._experiment_key()
        positive, scores = self.data.pooled
        experiment = ensemble_subsets(
            positive,
            scores[:, self._places()],
            n_repeats=self.n_resamples,
            random_state=0,
            progress=progress,
            should_stop=should_stop,
        )
        return key, experiment

    def _on_experiment(self, found: tuple[Any, EnsembleExperiment]) -> None:
        """Keep a comparison; show it if it is of what is on screen."""
        key, experiment = found
        self._found[key] = experiment
        while len(self._found) > 16:
            self._found.pop(next(iter(self._found)))
        if key == self._experiment_key():
            self.set_trait("result", replace(self.result, experiment=experiment))

    def _experiment_key(self) -> tuple[Any, ...]:
        looks = ("method", "item")
        return tuple(value for name, value in self.inputs().items() if name not in looks)

    # ------------------------------------------------------------------ result

    def _places(self) -> list[int]:
        return [self.names.index(name) for name in self.members]

    def _wanted(self) -> tuple[Any, ...]:
        """Collect the inputs of the exact result."""
        return self._settings(), self.members, self.method

    def _prepare(self, wanted: tuple[Any, ...], stop: Callable[[], bool] | None = None) -> Judged:
        """Judge a crowd, once; this may run beside the kernel."""
        settings, members, method = wanted
        data = self._measured(settings)
        if stop is not None and stop():
            raise SimulationStopped("the exact result is no longer wanted")
        key = (data, members, method)
        return cast("Judged", self._judged(key, lambda: judge(*key)))

    def needs_preview(self, changed: set[str]) -> bool:
        """Whether data or crowd have changed, and are too large to follow a hand."""
        wanted = self._wanted()
        if self.is_sandbox and wanted[0] not in self._simulated:
            return self.n_samples > PREVIEW
        return self.rows.size > FEW_TO_JUDGE and (self.data, *wanted[1:]) not in self._judged

    def finishes_late(self) -> bool:
        """Whether one waits for the exact result: it is made of very many samples."""
        return self.rows.size >= LARGE

    def _look(self) -> tuple[Measured, Judged]:
        """Judge the crowd on all samples, or on few of them in a preview."""
        if not self.is_preview:
            return self.data, self._prepare(self._wanted())
        if self.is_sandbox and self._settings() not in self._simulated:
            few = simulated(*self._settings(PREVIEW))
        else:
            few = self.data.few(PREVIEW, int(np.searchsorted(self.rows, self.item)))
        return few, judge(few, self.members, self.method, self.rows.size / few.rows.size)

    def compute(self) -> EnsembleResult:
        """Compute everything the explorer shows, for the present inputs."""
        data, judged = self._look()
        places, n_items = self._places(), self.rows.size
        # a preview of other samples has no such item: it shows one from as far down the rows
        same = self.item in data.rows
        item = self.item if same else self.item * data.rows.size // n_items
        at = int(np.searchsorted(data.rows, item))
        place = int(np.flatnonzero(judged.order == at)[0])
        ensemble = data.ensemble
        return EnsembleResult(
            **vars(judged),
            ensemble=ensemble,
            members=tuple(places),
            base_auc=data.auc,
            held_out=data.held_out,
            rows=data.rows,
            place=1 + round(place / max(data.rows.size - 1, 1) * (n_items - 1)),
            item=judged.crowd.combine(
                data.scores[[at]][:, places], method=self.method, calibration=None
            ),
            item_is_positive=bool(data.positive[at]),
            temperature=ensemble.temperature / ensemble.n_samples,
            law=law(ensemble.auc, ensemble.prevalence),
            experiment=self._found.get(self._experiment_key()),
            n_items=n_items,
            preview=data.rows.size if self.is_preview else None,
        )

    @property
    def about(self) -> str:
        """Name of the data, and how many samples measure and judge."""
        result = self.result
        measured = self.n_samples if self.is_sandbox else result.ensemble.n_samples
        judged = f"{result.n_items:,} others" if result.held_out else "the same"
        return f"{self.preset} · measured on {measured:,}, judged by {judged}"

    def title(self, name: str) -> str:
        """Title of a picture now; short over a small one."""
        if name == "crowd" and name != self.focus and len(self.panels) > 2:
            return "Does the crowd win?"
        return f"What they say of item {self.item:,}" if name == "item" else super().title(name)

    def summary(self, group: str) -> str:
        """Write the present setting of a fold of the rail."""
        if group == "the item":
            return f"{ordinal(self.result.place)} of {self.result.n_items:,}"
        if group == "combine by":
            return SHORT_NAMES[self.method]
        if group == "how many":
            return f"{self.n_classifiers} on {self.n_samples:,}"
        return super().summary(group)

    def to_frame(self) -> DataFrame:
        """Tabulate one row per classifier: its measures, and its evidence about the item."""
        if not self._by_hand:
            self.finish()
        return self.result.to_frame()
