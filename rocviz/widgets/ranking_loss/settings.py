"""The inputs of the ranking loss explorer: traits, how each is controlled, and presets.

Declares; the state computes from them. Knows no front end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import traitlets

from rocviz.core.ranking_loss.capped_link import LINKS
from rocviz.core.ranking_loss.methods import MAPS, METHODS
from rocviz.core.ranking_loss.ranking_loss import PAIR_LOSSES
from rocviz.displays.ranking_loss.draw_experiment import fraction
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
from rocviz.widgets.base.inputs import ExplorerInputs, SandboxState
from rocviz.widgets.ranking_loss.words import LOSSES, penalty_text

SHOWN = ("logistic", "logistic + isotonic", "rank + isotonic")
SIZES = (20, 60, 100, 200, 500, 1000, 2000, 5000, 20_000, 100_000)


class RankingLossInputs(ExplorerInputs, total=False):
    """Inputs of the ranking loss explorer, for type checkers."""

    a: float
    link: str
    border: float
    n_samples: int
    seed: int
    loss: str
    alpha: float
    calibration: str
    methods: Sequence[str]
    n_repeats: int


class RankingLossSettings(SandboxState):
    """Every input of the ranking loss explorer."""

    pictures: ClassVar[Mapping[str, str]] = {
        "links": "From score to probability",
        "samples": "Samples and directions",
        "errors": "How far from the truth?",
        "bound": "What an AUC allows",
    }
    groups: ClassVar[tuple[str, ...]] = ("methods", "penalty and loss", "experiment", "other data")

    a = Slider(
        "floor a of the truth",
        Values(tuple(2.0 ** (k / 2) for k in range(-18, -1))),
        fraction,
        hint="The lowest true probability; the highest is as far from 1",
        role="held",
        shown=in_sandbox,
    ).as_float(
        0.125,
        "Floor of the true probability; of a sigmoid, the probability one unit below its middle.",
        low=0.0,
        high=0.5,
    )
    n_samples = Slider("samples", Values(SIZES), shown=in_sandbox).as_int(
        1000, "Samples to train on.", low=10
    )
    methods = Rows(
        "methods",
        lambda state: [Row(key=n, label=n, value=n in state.methods) for n in METHODS],
        lambda state, key, value: state.show_method(key, value),
        group="methods",
        choices=((True, "", "shown"),),
    ).of(traitlets.Tuple(SHOWN, help="Names of the methods that are shown."))
    calibration = Choice(
        "isotonic fit",
        {"isotonic": "as it is", "laplace-hull": "pulled to ½"},
        group="methods",
        hint="Steps of few samples are pulled to one half more than those of many",
    ).as_enum(
        "isotonic",
        "How “+ isotonic” makes probabilities: by the plain fit, or with its steps pulled to one "
        "half.",
        tuple(MAPS),
    )
    alpha = Slider(
        "penalty",
        Values((*(k * 10.0**p for p in range(-6, 0) for k in (1, 3)), 1.0)),
        penalty_text,
        group="penalty and loss",
        hint="alpha, the strength of every method's penalty, against mean losses",
    ).as_float(1e-4, "Strength of every method's penalty, against mean losses.", 1e-9, 1e3)
    loss = Choice("pairs lose by", LOSSES, group="penalty and loss").as_enum(
        "logistic", "Loss of a pair.", PAIR_LOSSES
    )
    n_repeats = Slider(
        "repetitions",
        Values((2, 5, 10, 20, 50, 100, 200, 500, 1000)),
        group="experiment",
        shown=in_sandbox,
    ).as_int(20, "Repetitions of the experiment.")
    link = Choice("truth", {"step": "a step", "sigmoid": "a sigmoid"}, sandbox=True).as_enum(
        "step", "Shape of the true probability over the true score.", LINKS
    )
    border = Slider(
        "border",
        Linear(-2.0, 2.0, 0.1),
        lambda value: f"{value:.1f}".replace("-", "−"),
        hint="True score at which the truth is one half: farther right, fewer positives",
        role="held",
        sandbox=True,
    ).as_float(
        0.0,
        "True score at which the true probability is one half; the larger, the fewer positives.",
        -3.0,
        3.0,
    )
    kept = ("n_repeats",)

    extra_controls: ClassVar[Mapping[str, Control]] = {
        "train": Task.of_preview(
            "_exact", "Scorers are trained on all samples; meanwhile it is a preview from few"
        ),
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
