"""The inputs of the ensemble explorer, each beside its control, and the presets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import traitlets

from rocviz.core.ensembles.rank_ensemble import METHODS
from rocviz.widgets.base.controls import Choice, Control, Linear, Rows, Slider, Task, Values
from rocviz.widgets.base.inputs import ExplorerInputs, SandboxState
from rocviz.widgets.ensembles.words import member_rows, ordinal
from rocviz.words import COMBINATION_NAMES

MOST = 12  # classifiers in the sandbox
AUCS = Linear(0.3, 0.98, 0.01)
SIZES = (20, 40, 60, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)


class EnsembleInputs(ExplorerInputs, total=False):
    """Inputs of the ensemble explorer, for type checkers."""

    members: Sequence[str | int]
    method: str
    item: int
    n_resamples: int
    strategy: str
    n_classifiers: int
    auc_low: float
    auc_high: float
    odd_one: str
    correlation: float
    n_samples: int
    prevalence: float
    seed: int


class EnsembleSettings(SandboxState):
    """The inputs of the ensemble explorer, its pictures and its teaching situations."""

    pictures: ClassVar[Mapping[str, str]] = {
        "crowd": "Does the crowd beat the best?",
        "classifiers": "The classifiers",
        "correlation": "Do they err alike?",
        "item": "What they say of the item",
    }
    groups: ClassVar[tuple[str, ...]] = ("the item", "combine by", "how many", "other data")

    members = Rows(
        "in the crowd",
        member_rows,
        lambda state, place, _inside: state.toggle(place),
        choices=((True, "", "in the crowd"),),
        heading=("in the crowd", "AUC measured"),
    ).of(
        traitlets.Tuple(
            help="Names of the classifiers that are in; places counted from 0 are understood too."
        )
    )
    method = Choice("combined by", COMBINATION_NAMES, group="combine by").as_enum(
        "fidel", "How the members are combined.", METHODS
    )
    strategy = Choice(
        "trained on",
        {"disjoint": "own shares", "shared": "the same"},
        group="combine by",
        hint="Every classifier on its own share of the training samples, or all on all",
        shown=lambda state: bool(state.strategies),
    ).as_enum("disjoint", "Classifiers trained on shares of their own, or all on the same samples.")
    n_resamples = Slider(
        "resamples to compare",
        Values((2, 10, 20, 60, 100, 200, 500, 1000, 2000, 5000, 10_000)),
        group="combine by",
        hint="How often the samples are split anew when smaller crowds are compared",
    ).as_int(
        60, "How often the samples are split anew to see AUCs against the number of classifiers."
    )
    item = Slider(
        "its place",
        lambda state: Linear(1, state.result.n_items, 1),
        ordinal,
        group="the item",
        hint="The item that the crowd ranks at this place; the first is the most positive",
        role="held",
        get=lambda state: state.result.place,
        set=lambda state, place: state.hold_place(place),
    ).as_int(0, "The sample whose evidence is shown: its row among those judged by.", low=0)
    correlation = Slider(
        "correlation of errors", Linear(0.0, 1.0, 0.05), ".2f", sandbox=True
    ).as_float(
        0.0, "Correlation of any two classifiers' scores within a class: how alike they err."
    )
    auc_low = Slider("true AUCs from", AUCS, ".2f", sandbox=True).as_float(
        0.55, "True AUC of the first simulated classifier."
    )
    auc_high = Slider("true AUCs to", AUCS, ".2f", sandbox=True).as_float(
        0.75, "True AUC of the last one; the others lie evenly between."
    )
    odd_one = Choice(
        "the last one",
        {"none": "as the others", "expert": "an expert", "reversed": "reversed"},
        sandbox=True,
    ).as_enum(
        "none", "The last classifier: like the others, half-way to perfect, or worse than random."
    )
    n_classifiers = Slider(
        "classifiers", Linear(1, MOST, 1), group="how many", sandbox=True
    ).as_int(7, "Number of simulated classifiers.")
    n_samples = Slider(
        "samples",
        Values(SIZES),
        group="how many",
        hint="To measure the classifiers on, and as many others to judge by",
        sandbox=True,
    ).as_int(500, "Samples drawn to measure the classifiers on, and as many to judge by.")
    prevalence = Slider(
        "prevalence", Linear(0.02, 0.98, 0.01), ".0%", group="how many", sandbox=True
    ).as_float(0.4, "Share of positives drawn.")

    extra_controls: ClassVar[Mapping[str, Control]] = {
        "compare": Task(
            "compare smaller crowds",
            "_comparison",
            hint="AUCs of crowds of every size, over resamples of these data",
            enabled=lambda state: state.result.experiment is None,
        ),
        "exact": Task.of_preview(
            "_exact", "So many samples take a moment; meanwhile it is a preview from few of them"
        ),
    }

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "independent": {},
        "correlated": {"correlation": 0.4},
        "nearly the same": {"correlation": 0.9},
        "one expert": {"auc_low": 0.52, "auc_high": 0.6, "odd_one": "expert", "correlation": 0.2},
        "equal AUCs": {"auc_low": 0.65, "auc_high": 0.65},
        "one reversed": {"auc_low": 0.6, "odd_one": "reversed"},
        "many weak": {"n_classifiers": 12, "auc_low": 0.52, "auc_high": 0.6, "n_samples": 2000},
        "few samples": {"auc_low": 0.6, "auc_high": 0.65, "n_samples": 40},
        "only two": {"n_classifiers": 2, "auc_low": 0.65},
        "imbalanced": {"prevalence": 0.04, "n_samples": 2000},
    }
