"""The state of the ensemble explorer: the classifiers in the crowd, and its ranking."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import traitlets
from numpy.typing import NDArray

from rocviz.core.base.validation import describe, list_labels
from rocviz.core.ensembles.experiment import EnsembleExperiment, ensemble_subsets
from rocviz.core.ensembles.rank_ensemble import METHODS
from rocviz.core.ensembles.score_matrix import check_names
from rocviz.widgets.base.controls import (
    Choice,
    Control,
    Linear,
    Rows,
    Slider,
    Task,
    ValidatedTuple,
    Values,
    whole,
)
from rocviz.widgets.base.state import OTHER_DATA, DrawnState
from rocviz.widgets.ensembles import words as wording
from rocviz.widgets.ensembles.data import Measured, OwnScores, sandbox_aucs, simulate_measured
from rocviz.widgets.ensembles.result import (
    EnsembleResult,
    EvaluatedEnsemble,
    evaluate,
    law_around,
)
from rocviz.widgets.ensembles.words import SHORT_NAMES, member_rows, ordinal
from rocviz.words import COMBINATION_NAMES

MAX_CLASSIFIERS = 12  # classifiers in the sandbox
AUC_GRID = Linear(0.3, 0.98, 0.01)
ALIKE_GRID = Linear(0.0, 1.0, 0.05)
SAMPLE_SIZES = (20, 40, 60, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)


def name_or_position(value: Any) -> str | int:
    """Convert the name or the position of a classifier to Python's own type."""
    return str(value) if isinstance(value, str) else whole(value)


N_PREVIEW_SAMPLES = 1000  # samples of a preview
MIN_ITEMS_OF_LATE_RESULT = 200_000  # samples to judge by, for which the exact result takes long
MAX_ITEMS_WITHOUT_PREVIEW = 5000  # samples to judge by that need no preview


MAX_COMPARISONS = 16  # comparisons that are kept


class EnsembleState(DrawnState):
    """State of the ensemble explorer, on given scores or the teaching sandbox."""

    result: EnsembleResult
    _own: OwnScores
    sketched = N_PREVIEW_SAMPLES

    pictures: ClassVar[Mapping[str, str]] = {
        "samples": "Where the crowd errs",
        "votes": "The votes on one item",
        "crowd": "Does the crowd beat the best?",
        "classifiers": "The classifiers",
        "correlation": "Do they err alike?",
        "item": "What they say about the item",
    }
    groups: ClassVar[Mapping[str, Callable[[Any], str]]] = {
        "the item": lambda state: f"{ordinal(state.result.place)} of {state.result.n_items:,}",
        "combine by": lambda state: SHORT_NAMES[state.method],
        "how many": lambda state: f"{state.n_classifiers} on {state.n_samples:,}",
        **OTHER_DATA,
    }

    correlation = Slider(
        "how alike they err",
        ALIKE_GRID,
        ".2f",
        role="selected",
        sandbox=True,
        in_sight=True,
    ).as_float(
        0.15, "Correlation of any two classifiers' scores within a class: how alike they err."
    )
    members = Rows(
        "in the crowd",
        member_rows,
        lambda state, place, _inside: state.toggle(place),
        choices=((True, "", "in the crowd"),),
        heading=("in the crowd", "AUC measured"),
    ).of(
        ValidatedTuple(
            "names or positions",
            name_or_position,
            help="Names of the classifiers in the crowd, or their positions counted from 0.",
        )
    )
    method = Choice("combined by", COMBINATION_NAMES, group="combine by").as_enum(
        "fidel", "Method that combines the members of the crowd.", METHODS
    )
    strategy = Choice(
        "trained on",
        {"disjoint": "own shares", "shared": "the same"},
        group="combine by",
        shown=lambda state: bool(state.strategies),
    ).as_enum(
        "disjoint",
        "Whether each classifier is trained on its own share of the samples, or all on the same "
        "ones.",
    )
    n_resamples = Slider(
        "resamples to compare",
        Values((2, 10, 20, 60, 100, 200, 500, 1000, 2000, 5000, 10_000)),
        group="combine by",
    ).as_int(60, "Number of random splits in the comparison of AUCs by the number of classifiers.")
    item = Slider(
        "rank of the item",
        lambda state: Linear(1, state.result.n_items, 1),
        ordinal,
        group="the item",
        hint="The item at this rank of the crowd; the first is the most positive",
        role="selected",
        get=lambda state: state.result.place,
        set=lambda state, place: state.select_item(place),
    ).as_int(0, "The sample whose evidence is shown: its row among the evaluation samples.", low=0)
    auc_low = Slider("true AUCs from", AUC_GRID, ".2f", sandbox=True).as_float(
        0.55, "True AUC of the first simulated classifier."
    )
    auc_high = Slider("true AUCs to", AUC_GRID, ".2f", sandbox=True).as_float(
        0.75, "True AUC of the last simulated classifier; the others lie evenly between."
    )
    last_classifier = Choice(
        "the last one",
        {"regular": "as the others", "expert": "an expert", "reversed": "reversed"},
        sandbox=True,
    ).as_enum(
        "regular",
        "The last classifier: like the others, half-way to perfect, or worse than random.",
    )
    n_classifiers = Slider(
        "classifiers", Linear(1, MAX_CLASSIFIERS, 1), group="how many", sandbox=True
    ).as_int(7, "Number of simulated classifiers.")
    n_samples = Slider(
        "samples",
        Values(SAMPLE_SIZES),
        group="how many",
        sandbox=True,
    ).as_int(
        500,
        "Number of samples drawn to measure the classifiers on, and again to evaluate the crowd.",
    )
    prevalence = Slider(
        "prevalence", Linear(0.02, 0.98, 0.01), ".0%", group="how many", sandbox=True
    ).as_float(0.4, "Share of positives drawn.")

    extra_controls: ClassVar[Mapping[str, Control]] = {
        "compare": Task(
            "compare smaller crowds",
            "comparison",
            hint="AUCs of crowds of every size, over resamples of these data",
            enabled=lambda state: state.result.experiment is None,
        ),
    }

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "slightly alike": {},
        "independent": {"correlation": 0.0},
        "correlated": {"correlation": 0.4},
        "nearly the same": {"correlation": 0.9},
        "one expert": {
            "auc_low": 0.52,
            "auc_high": 0.6,
            "last_classifier": "expert",
            "correlation": 0.2,
        },
        "equal AUCs": {"auc_low": 0.65, "auc_high": 0.65, "correlation": 0.0},
        "one reversed": {"auc_low": 0.6, "last_classifier": "reversed", "correlation": 0.0},
        "many weak": {
            "n_classifiers": 12,
            "auc_low": 0.52,
            "auc_high": 0.6,
            "n_samples": 2000,
            "correlation": 0.0,
        },
        "few samples": {"auc_low": 0.6, "auc_high": 0.65, "n_samples": 40, "correlation": 0.0},
        "only two": {"n_classifiers": 2, "auc_low": 0.65, "correlation": 0.0},
        "imbalanced": {"prevalence": 0.04, "n_samples": 2000, "correlation": 0.0},
    }

    words = wording
    main_controls = ("correlation", "item", "method")

    @cached_property
    def _experiments(self) -> dict[Any, EnsembleExperiment]:
        """The comparisons that have been made, by their settings."""
        return {}

    # ------------------------------------------------------------------ data

    @property
    def strategies(self) -> tuple[str, ...]:
        """Training strategies to choose from, where the classifiers were trained here."""
        return () if self.is_sandbox else self._own.strategies

    @property
    def data(self) -> Measured:
        """The measured classifiers, and the samples to judge by."""
        return super().data if self.is_sandbox else self._own.measured(self.strategy)

    def drawn(self, settings: dict[str, Any], rough: bool = False) -> Measured:
        """Simulate classifiers by the settings of the sandbox."""
        return simulate_measured(
            settings["n_samples"], self.sandbox_aucs, self.correlation, self.prevalence, self.seed
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the classifiers."""
        if self.is_sandbox:
            return check_names(None, self.n_classifiers)
        return self.data.ensemble.names

    @property
    def rows(self) -> NDArray[np.intp]:
        """Rows of the samples to judge by, in increasing order."""
        return np.arange(self.n_samples) if self.is_sandbox else self.data.rows

    @property
    def sandbox_aucs(self) -> list[float]:
        """True AUCs of the sandbox's classifiers."""
        return sandbox_aucs(self.n_classifiers, self.auc_low, self.auc_high, self.last_classifier)

    # ------------------------------------------------------------------ rules

    @traitlets.validate("members")
    def _each_once(self, proposal: Any) -> tuple[str | int, ...]:
        return tuple(dict.fromkeys(proposal["value"]))

    def adjust(self, changed: set[str]) -> None:
        """Adjust inputs to the data; refuse contradictions."""
        super().adjust(changed)
        self._keep_order("auc_low", "auc_high", changed)
        names = self.names
        rows = self.rows
        if "members" in changed and self.members:
            self.members = self._names_of(self.members, names)
        elif "members" in changed and self.settled_inputs:
            raise traitlets.TraitError("members is empty; the crowd needs at least one classifier.")
        else:
            left_out: set[str] = set()
            if self.result and "preset" not in changed:
                left_out = set(self.result.ensemble.names) - set(self.members)
            self.members = tuple(name for name in names if name not in left_out) or names
        if "preset" in changed and "item" not in changed:
            self.item = int(rows[0])
        nearest = int(rows[min(int(np.searchsorted(rows, self.item)), rows.size - 1)])
        if nearest != self.item:
            if "item" in changed and self.settled_inputs:
                raise traitlets.TraitError(
                    f"item must be one of the {rows.size} evaluation rows, from {rows[0]} to "
                    f"{rows[-1]}; got {self.item}."
                )
            self.item = nearest

    @staticmethod
    def _names_of(members: tuple[Any, ...], names: tuple[str, ...]) -> tuple[str, ...]:
        """Sort names into the order of the data."""
        inside = set()
        for member in members:
            is_name = isinstance(member, str)
            if member not in (names if is_name else range(len(names))):
                raise traitlets.TraitError(
                    f"members must be among {list_labels(names)}; got {describe(member)}."
                )
            inside.add(member if is_name else names[member])
        return tuple(name for name in names if name in inside)

    # ------------------------------------------------------------------ actions of the user

    def toggle(self, place: int) -> None:
        """Add a classifier to the crowd, or remove it.

        Parameters
        ----------
        place : int
            Counted from 0.

        Raises
        ------
        traitlets.TraitError
            If it is the only one in the crowd.
        """
        name = self.result.ensemble.names[place]
        if name in self.members:
            self.members = tuple(member for member in self.members if member != name)
        else:
            self.members = (*self.members, name)

    def select_item(self, place: int) -> None:
        """Select the item that the crowd ranks at a place.

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
                f"place must be a whole number from 1 to {result.order.size}; got "
                f"{describe(place)}."
            )
        self.item = int(result.rows[result.order[int(place) - 1]])

    # ------------------------------------------------------------------ the comparison

    def compare_crowds(
        self, progress: Any = None, should_stop: Any = None
    ) -> tuple[Any, EnsembleExperiment]:
        """Compute the AUCs of crowds of every size; return them with the settings they are of.

        Parameters
        ----------
        progress, should_stop : callable, optional
            As for :func:`.ensemble_subsets`.
        """
        key = self._experiment_key()
        positive, scores = self._snapshot().data.pooled  # of all samples, even in a preview
        experiment = ensemble_subsets(
            positive,
            scores[:, self._places()],
            n_repeats=self.n_resamples,
            random_state=0,
            progress=progress,
            should_stop=should_stop,
        )
        return key, experiment

    def show_comparison(self, comparison: tuple[Any, EnsembleExperiment]) -> None:
        """Keep what :meth:`compare_crowds` returned; show it if it is of the data on screen.

        Parameters
        ----------
        comparison : (object, EnsembleExperiment)
        """
        key, experiment = comparison
        self._experiments[key] = experiment
        while len(self._experiments) > MAX_COMPARISONS:
            self._experiments.pop(next(iter(self._experiments)))
        if key == self._experiment_key():
            self.set_trait("result", replace(self.result, experiment=experiment))

    def _experiment_key(self) -> tuple[Any, ...]:
        view_only = ("method", "item")
        return tuple(value for name, value in self.inputs().items() if name not in view_only)

    # ------------------------------------------------------------------ result

    def _places(self) -> list[int]:
        return [self.names.index(name) for name in self.members]

    def needs_preview(self, changed: set[str]) -> bool:
        """Whether data or crowd have changed, and are too large to compute while the user drags."""
        if self.is_sandbox and not self._is_drawn():
            return self.n_samples > N_PREVIEW_SAMPLES
        is_known = (self.data, self.members, self.method) in self._known
        return self.rows.size > MAX_ITEMS_WITHOUT_PREVIEW and not is_known

    def finishes_late(self) -> bool:
        """Whether computing the exact result takes long, because of very many samples."""
        return self.rows.size >= MIN_ITEMS_OF_LATE_RESULT

    def _evaluated(self) -> tuple[Measured, EvaluatedEnsemble]:
        """Judge the crowd on all samples, or on few of them in a preview."""
        data = self.data
        members = self.members
        method = self.method
        if not self.is_preview:
            evaluated = self._known(
                (data, members, method), lambda: evaluate(data, members, method)
            )
            return data, evaluated
        if not self.is_sandbox or self._is_drawn():
            data = data.few(N_PREVIEW_SAMPLES, int(np.searchsorted(self.rows, self.item)))
        return data, evaluate(data, members, method, self.rows.size / data.rows.size)

    def compute(self) -> EnsembleResult:
        """Compute everything the explorer shows, for the present inputs."""
        data, evaluated = self._evaluated()
        places = self._places()
        n_items = self.rows.size
        item = self.item
        if item not in data.rows:
            # a preview of other samples has no such item: it shows one from as far down the rows
            item = item * data.rows.size // n_items
        row = int(np.searchsorted(data.rows, item))
        place = int(np.flatnonzero(evaluated.order == row)[0])
        ensemble = data.ensemble
        return EnsembleResult(
            **vars(evaluated),
            ensemble=ensemble,
            members=tuple(places),
            base_auc=data.auc,
            held_out=data.held_out,
            rows=data.rows,
            place=1 + round(place / max(data.rows.size - 1, 1) * (n_items - 1)),
            item=evaluated.crowd.combine(
                data.scores[[row]][:, places], method=self.method, calibration=None
            ),
            item_is_positive=bool(data.positive[row]),
            temperature=ensemble.temperature / ensemble.n_samples,
            law=law_around(ensemble.auc, ensemble.prevalence),
            experiment=self._experiments.get(self._experiment_key()),
            n_items=n_items,
            preview=data.rows.size if self.is_preview else None,
        )

    @property
    def about(self) -> str:
        """Name of the data, and how many samples measure and judge."""
        result = self.result
        n_measured = self.n_samples if self.is_sandbox else result.ensemble.n_samples
        others = f"{result.n_items:,} others" if result.held_out else "the same"
        return f"{self.preset} · measured on {n_measured:,}, judged by {others}"

    def title(self, name: str) -> str:
        """Title of a picture now; short over a small one."""
        is_small = name != self.focus and len(self.panels) > 2
        if name == "crowd" and is_small:
            return "Does the crowd win?"
        place = ordinal(self.result.place)
        if name == "samples" and not is_small:
            return f"Where the crowd errs, on {self.result.n_items:,} samples"
        if name == "votes" and not is_small:
            return f"Votes on the item ranked {place}"
        return f"Evidence on the {place} item" if name == "item" else super().title(name)

    @traitlets.default("panels")
    def _four_panels(self) -> tuple[str, ...]:
        """Show at first how votes make a crowd, and what it gains."""
        return "samples", "crowd", "correlation", "votes"
