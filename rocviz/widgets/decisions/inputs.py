"""Inputs of the decision explorer, each with its rule and its control.

Plain declarations; what follows from them is :mod:`rocviz.widgets.decisions.state`'s.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, ClassVar

import numpy as np
import traitlets

from rocviz.core.decisions.formula import parse_formula
from rocviz.core.roc.metrics import ordered_metrics
from rocviz.widgets.base.controls import (
    Action,
    Choice,
    Control,
    Entry,
    Linear,
    Row,
    Rows,
    Slider,
    Task,
    Text,
    Values,
    Whole,
)
from rocviz.widgets.base.inputs import (
    ExplorerInputs,
    MetricName,
    SandboxState,
    canonical_name,
    miss_cost,
    recall_weight,
)
from rocviz.widgets.decisions.words import verdict
from rocviz.words import amount, signed

BY_HAND = 30  # samples up to which single probabilities can be changed
F1 = "2*u / (p + v)"
SIZES = (3, 6, 8, 10, 12, 20, 30, 100, 300, 1000, 10_000, 100_000)
SHARES = (
    *(0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45),
    *(0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98),
)
WARPED = (
    *(0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
    *(1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0),
)
RATIOS = (*(0.1, 0.2, 0.25, 0.5, 0.75, 1.0), *(1.5, 2.0, 3.0, 4.0, 5.0, 10.0, 20.0, 50.0, 100.0))


METRIC = MetricName(
    {"formula": "your formula"},
    lambda row: row.is_bounded,
    "f",
    help="What is maximised (of costs and errors: minimised): any name of a metric, or "
    "``'formula'``.",
)


def compared_rows(state: Any) -> list[Row]:
    """Return a row for every metric that can stand beside the chosen one."""
    return [
        Row(key=row.name, label=row.label, value=row.name in state.compared)
        for row in ordered_metrics()
        if row.name != state.metric and (row.is_objective or row.name in state.compared)
    ]


class DecisionInputs(ExplorerInputs, total=False):
    """Inputs of the decision explorer, for type checkers."""

    metric: str
    beta: float
    cost_fn: float
    formula: str
    k: int
    compared: Sequence[str]
    sharpen: float
    shift: float
    item: int
    probabilities: Sequence[float]
    n_samples: int
    prevalence: float
    source: str
    seed: int


class DecisionSettings(SandboxState):
    """The inputs of the decision explorer."""

    pictures: ClassVar[Mapping[str, str]] = {
        "probabilities": "Who is called positive",
        "utilities": "What every cut is worth",
        "thresholds": "Where each metric cuts",
        "outcomes": "What may happen",
    }
    groups: ClassVar[tuple[str, ...]] = ("compare", "probabilities", "other data")

    kept = ()

    metric = Choice("metric", METRIC.labels).of(METRIC)
    beta = recall_weight(shown=lambda state: state.metric == "f" or "f" in state.compared).as_float(
        1.0, "Of the F measure: how many times recall counts as much as precision.", 0.01, 100.0
    )
    cost_fn = miss_cost(
        Values(RATIOS),
        text="g",
        shown=lambda state: state.metric == "cost" or "cost" in state.compared,
    ).as_float(1.0, "Of the cost: what a miss costs, in false alarms.", 0.001, 1000.0)
    formula = Entry(
        "in u, v and p",
        hint="The shares of true positives (u), of samples called positive (v) and of "
        "positives (p), such as 2*u / (p + v)",
        set=lambda state, text: state.update(formula=text, metric="formula"),
        note=lambda state: verdict(state.result)[0],
        shown=lambda state: state.metric == "formula",
    ).of(
        Text(
            F1,
            help="A metric of one's own in u, v and p, the shares of true positives, of samples "
            "called positive and of positives; to set it is to choose it.",
        )
    )
    k = Slider(
        "called positive, k",
        lambda state: Linear(0, state.size, 1),
        amount,
        hint="The k most probable samples are called positive",
        role="held",
    ).as_int(
        -1,
        "How many samples are called positive; -1 means the best number, which it then keeps to "
        "until it is moved.",
        low=-1,
    )
    compared = traitlets.Tuple(
        help="Names of metrics whose curves are drawn beside that of the metric held."
    ).tag(input=True)
    sharpen = Slider(
        "sharpen log-odds, ×",
        Values(WARPED),
        "g",
        hint="Decisions are made by these probabilities; above 1 they are overconfident",
        group="probabilities",
    ).as_float(
        1.0,
        "What the reported log-odds are multiplied with; above 1 is over-confident.",
        0.1,
        10.0,
    )
    shift = Slider(
        "shift log-odds, +",
        Linear(-3.0, 3.0, 0.25),
        signed,
        hint="Decisions are made by these probabilities; above 0 all of them are too high",
        group="probabilities",
    ).as_float(0.0, "What is added to the reported log-odds.", -10.0, 10.0)
    item = Slider(
        "one sample, number",
        lambda state: Linear(1, state.size, 1),
        hint="In the order of the input",
        group="probabilities",
        shown=lambda state: state.can_edit,
    ).as_int(1, "The sample whose probability the slider moves, counted from 1.", low=1)
    probabilities = traitlets.Tuple(
        help="Probabilities by hand, of at most 30 samples; empty means as they came."
    ).tag(input=True)
    n_samples = Slider("samples", Values(SIZES), amount, sandbox=True).as_int(
        12, "Samples of the sandbox.", 1, inf
    )
    prevalence = Slider(
        "prevalence, about",
        Values(SHARES),
        ".0%",
        role="reference",
        sandbox=True,
        enabled=lambda state: state.source == "beta",
    ).as_float(0.35, "Mean probability of the sandbox's samples, about.", high=0.99)
    source = Choice(
        "drawn as", {"beta": "a beta law", "plane": "points in a plane"}, sandbox=True
    ).as_enum(
        "beta",
        "How the sandbox draws: from a beta law, or as points of the plane, which a random "
        "direction makes more or less probable.",
    )
    seed = Whole(45, min=0, help="Which batch of this kind is drawn.").tag(input=True, sandbox=True)

    extra_controls: ClassVar[Mapping[str, Control]] = {
        "to_best": Action(
            "to the best cut",
            "to_best",
            hint="Call as many positive as is best for the metric",
            enabled=lambda state: state.k != state.result.n_predicted_positive,
        ),
        "sum_exactly": Task.of_preview(
            "exact", "It takes more than a second to sum; meanwhile it is a preview"
        ),
        "compared_metrics": Rows(
            "metrics drawn beside it",
            compared_rows,
            lambda state, name, on: state.compare(name, on),
            group="compare",
            choices=((True, "", "draw its curve too"),),
        ),
        "item_probability": Slider(
            "its probability",
            Linear(0.0, 1.0, 0.01),
            ".2f",
            group="probabilities",
            role="held",
            get=lambda state: float(state.y_prob[state.item - 1]),
            set=lambda state, value: state.give(state.item, value),
            shown=lambda state: state.can_edit,
        ),
    }

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "twelve samples": {},
        "two peaks: F1 is not unimodal": {"probabilities": (1.0, 0.3, 0.3, 0.3, 0.3, 0.3)},
        "rare positives": {"n_samples": 30, "prevalence": 0.06, "seed": 3},
        "overconfident": {"n_samples": 100, "prevalence": 0.25, "sharpen": 3.0},
        "biased upwards": {"n_samples": 100, "prevalence": 0.2, "shift": 1.5},
        "ten points in the plane": {"n_samples": 10, "source": "plane", "metric": "jaccard"},
        "no prefix: a ratio that falls": {
            "probabilities": (0.923, 0.815, 0.257),
            "metric": "formula",
            "formula": "(1.9 + 2*u + 1.5*v) / (0.8 + 1.3*u - 0.7*v - 0.7*p)",
        },
        "large": {"n_samples": 10_000, "prevalence": 0.1},
        "very large": {"n_samples": 100_000, "prevalence": 0.1},
    }

    # ------------------------------------------------------------------ rules of one input

    @traitlets.validate("formula")
    def _readable(self, proposal: Any) -> str:
        try:
            return str(parse_formula(proposal["value"]).text)
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from None

    @traitlets.validate("compared")
    def _known_metrics(self, proposal: Any) -> tuple[str, ...]:
        names = [canonical_name(name) for name in proposal["value"]]
        choices = METRIC.values
        for name in names:
            if name not in choices:
                raise traitlets.TraitError(
                    f"compared must be names of {', '.join(choices)}; got {name!r}."
                )
        return tuple(name for name in choices if name in names)

    @traitlets.validate("probabilities")
    def _are_probabilities(self, proposal: Any) -> tuple[float, ...]:
        values = proposal["value"]
        if len(values) > BY_HAND:
            raise traitlets.TraitError(
                f"probabilities by hand are for at most {BY_HAND} samples; got {len(values)}. "
                f"Open the explorer on your own with DecisionExplorer(y_prob=...)."
            )
        for p in values:
            if isinstance(p, bool) or not isinstance(p, int | float | np.number) or not 0 <= p <= 1:
                raise traitlets.TraitError(f"probabilities must be from 0 to 1; got {p!r}.")
        return tuple(float(p) for p in values)
