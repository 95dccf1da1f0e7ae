"""What one may set in the ensemble explorer, and how: traits, their controls, the presets.

Declares; computes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import traitlets

from rocviz.core.ensembles.rank_ensemble import METHODS
from rocviz.widgets.base.controls import Action, Choice, Linear, Rows, Slider, Task, Values
from rocviz.widgets.base.state import ExplorerState
from rocviz.widgets.ensembles.data import ODD_ONES, STRATEGIES
from rocviz.widgets.ensembles.words import METHOD_NAMES, member_rows, ordinal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocviz.widgets.base.controls import Control

__all__ = ["EnsembleSettings"]

MOST = 12  # classifiers in the sandbox
SIZES = (20, 40, 60, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)


def in_sandbox(state: Any) -> bool:
    """Whether simulated classifiers are looked at, so that they can be set."""
    return bool(state.is_sandbox)


class EnsembleSettings(ExplorerState):
    """The inputs of the ensemble explorer, its pictures and its teaching situations."""

    pictures: ClassVar[Mapping[str, str]] = {
        "crowd": "Does the crowd beat the best?",
        "classifiers": "The classifiers",
        "correlation": "Do they err alike?",
        "item": "What they say of the item",
    }
    groups: ClassVar[tuple[str, ...]] = ("the item", "combine by", "how many", "other data")

    members = traitlets.Tuple(
        help="Names of the classifiers that are in; places counted from 0 are understood too."
    ).tag(
        input=True,
        control=Rows(
            label="in the crowd",
            rows=member_rows,
            choose=lambda state, place, _inside: state.toggle(place),
            choices=((True, "", "in the crowd"),),
            heading=("in the crowd", "AUC measured"),
        ),
    )
    method = traitlets.Enum(METHODS, "fidel", help="How the members are combined.").tag(
        input=True, control=Choice(label="combined by", group="combine by", options=METHOD_NAMES)
    )
    strategy = traitlets.Enum(
        STRATEGIES,
        "disjoint",
        help="Classifiers trained on shares of their own, or all on the same samples.",
    ).tag(
        input=True,
        control=Choice(
            label="trained on",
            group="combine by",
            options={"disjoint": "own shares", "shared": "the same"},
            hint="Every classifier on its own share of the training samples, or all on all",
            shown=lambda state: bool(state.strategies),
        ),
    )
    n_resamples = traitlets.Int(
        60,
        min=2,
        max=10_000,
        help="How often the samples are split anew to see AUCs against the number of classifiers.",
    ).tag(
        input=True,
        control=Slider(
            label="resamples to compare",
            group="combine by",
            grid=Values((2, 10, 20, 60, 100, 200, 500, 1000, 2000, 5000, 10_000)),
            hint="How often the samples are split anew when smaller crowds are compared",
        ),
    )
    item = traitlets.Int(
        0, min=0, help="The sample whose evidence is shown: its row among those judged by."
    ).tag(
        input=True,
        control=Slider(
            label="its place",
            group="the item",
            hint="The item that the crowd ranks at this place; the first is the most positive",
            grid=lambda state: Linear(1, state.result.n_items, 1),
            text=lambda place: ordinal(place),
            thing="held",
            get=lambda state: state.result.place,
            set=lambda state, place: state.hold_place(place),
        ),
    )
    correlation = traitlets.Float(
        0.0,
        min=0.0,
        max=1.0,
        help="Correlation of any two classifiers' scores within a class: how alike they err.",
    ).tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="correlation of errors",
            group="other data",
            grid=Linear(0.0, 1.0, 0.05),
            text=".2f",
            shown=in_sandbox,
        ),
    )
    auc_low = traitlets.Float(
        0.55, min=0.3, max=0.98, help="True AUC of the first simulated classifier."
    ).tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="true AUCs from",
            group="other data",
            grid=Linear(0.3, 0.98, 0.01),
            text=".2f",
            shown=in_sandbox,
        ),
    )
    auc_high = traitlets.Float(
        0.75, min=0.3, max=0.98, help="True AUC of the last one; the others lie evenly between."
    ).tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="true AUCs to",
            group="other data",
            grid=Linear(0.3, 0.98, 0.01),
            text=".2f",
            shown=in_sandbox,
        ),
    )
    odd_one = traitlets.Enum(
        ODD_ONES,
        "none",
        help="The last classifier: like the others, half-way to perfect, or worse than random.",
    ).tag(
        input=True,
        sandbox=True,
        control=Choice(
            label="the last one",
            group="other data",
            options={"none": "as the others", "expert": "an expert", "reversed": "reversed"},
            shown=in_sandbox,
        ),
    )
    n_classifiers = traitlets.Int(7, min=1, max=MOST, help="Number of simulated classifiers.").tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="classifiers", group="how many", grid=Linear(1, MOST, 1), shown=in_sandbox
        ),
    )
    n_samples = traitlets.Int(
        500,
        min=20,
        max=100_000,
        help="Samples drawn to measure the classifiers on, and as many to judge by.",
    ).tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="samples",
            group="how many",
            hint="To measure the classifiers on, and as many others to judge by",
            grid=Values(SIZES),
            shown=in_sandbox,
        ),
    )
    prevalence = traitlets.Float(0.4, min=0.02, max=0.98, help="Share of positives drawn.").tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="prevalence",
            group="how many",
            grid=Linear(0.02, 0.98, 0.01),
            text=".0%",
            shown=in_sandbox,
        ),
    )
    seed = traitlets.Int(0, min=0, help="Which sample of this kind is drawn.").tag(
        input=True, sandbox=True
    )

    extra_controls: ClassVar[Mapping[str, Control]] = {
        "compare": Task(
            label="compare smaller crowds",
            hint="AUCs of crowds of every size, over resamples of these data",
            task="_comparison",
            enabled=lambda state: state.result.experiment is None,
        ),
        "draw_anew": Action(
            label="draw anew", group="other data", act="draw_anew", shown=in_sandbox
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
