"""The inputs of the ranking loss explorer: traits, how each is controlled, and presets.

Declares; the state computes from them. Knows no front end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import traitlets

from rocviz.core.ranking_loss.capped_link import LINKS
from rocviz.core.ranking_loss.methods import MAPS, METHODS
from rocviz.core.ranking_loss.ranking_loss import PAIR_LOSSES
from rocviz.widgets.base.controls import (
    Action,
    Choice,
    Control,
    Linear,
    Rows,
    Slider,
    Task,
    Values,
)
from rocviz.widgets.base.state import ExplorerState
from rocviz.widgets.ranking_loss.words import LOSSES, floor_text, penalty_text

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["RankingLossSettings"]

SHOWN = ("logistic", "logistic + isotonic", "rank + isotonic")
SIZES = (20, 60, 100, 200, 500, 1000, 2000, 5000, 20_000, 100_000)


def is_sandbox(state: Any) -> bool:
    """Whether simulated samples are looked at."""
    return bool(state.is_sandbox)


class RankingLossSettings(ExplorerState):
    """Every input of the ranking loss explorer."""

    pictures: ClassVar[Mapping[str, str]] = {
        "links": "From score to probability",
        "samples": "Samples and directions",
        "errors": "How far from the truth?",
        "bound": "What an AUC allows",
    }
    groups: ClassVar[tuple[str, ...]] = ("methods", "penalty and loss", "experiment", "other data")

    a = traitlets.Float(
        0.125,
        min=0.0,
        max=0.5,
        help="Floor of the true probability; of a sigmoid, the probability one unit below its "
        "middle.",
    ).tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="floor a of the truth",
            hint="The lowest true probability; the highest is as far from 1",
            grid=Values(tuple(2.0 ** (k / 2) for k in range(-18, -1))),
            text=floor_text,
            thing="held",
            shown=is_sandbox,
        ),
    )
    n_samples = traitlets.Int(1000, min=10, max=100_000, help="Samples to train on.").tag(
        input=True,
        sandbox=True,
        control=Slider(label="samples", grid=Values(SIZES), shown=is_sandbox),
    )
    methods = traitlets.Tuple(SHOWN, help="Names of the methods that are shown.").tag(
        input=True,
        sandbox=True,
        control=Rows(
            label="methods",
            group="methods",
            rows=lambda state: state.method_rows(),
            choose=lambda state, key, value: state.show_method(key, value),
            choices=((True, "", "shown"),),
        ),
    )
    calibration = traitlets.Enum(
        tuple(MAPS),
        "isotonic",
        help="How “+ isotonic” makes probabilities: by the plain fit, or with its steps pulled "
        "to one half.",
    ).tag(
        input=True,
        sandbox=True,
        control=Choice(
            label="isotonic fit",
            group="methods",
            hint="Steps of few samples are pulled to one half more than those of many",
            options={"isotonic": "as it is", "laplace-hull": "pulled to ½"},
        ),
    )
    alpha = traitlets.Float(
        1e-4, min=1e-9, max=1e3, help="Strength of every method's penalty, against mean losses."
    ).tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="penalty",
            group="penalty and loss",
            hint="alpha, the strength of every method's penalty, against mean losses",
            grid=Values((*(k * 10.0**p for p in range(-6, 0) for k in (1, 3)), 1.0)),
            text=penalty_text,
        ),
    )
    loss = traitlets.Enum(PAIR_LOSSES, "logistic", help="Loss of a pair.").tag(
        input=True,
        sandbox=True,
        control=Choice(label="pairs lose by", group="penalty and loss", options=LOSSES),
    )
    n_repeats = traitlets.Int(20, min=2, max=1000, help="Repetitions of the experiment.").tag(
        input=True,
        control=Slider(
            label="repetitions",
            group="experiment",
            grid=Values((2, 5, 10, 20, 50, 100, 200, 500, 1000)),
            shown=is_sandbox,
        ),
    )
    link = traitlets.Enum(
        LINKS, "step", help="Shape of the true probability over the true score."
    ).tag(
        input=True,
        sandbox=True,
        control=Choice(
            label="truth",
            group="other data",
            options={"step": "a step", "sigmoid": "a sigmoid"},
            shown=is_sandbox,
        ),
    )
    border = traitlets.Float(
        0.0,
        min=-3.0,
        max=3.0,
        help="True score at which the true probability is one half; the larger, the fewer "
        "positives.",
    ).tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="border",
            group="other data",
            hint="True score at which the truth is one half: farther right, fewer positives",
            grid=Linear(-2.0, 2.0, 0.1),
            text=lambda value: f"{value:.1f}".replace("-", "−"),
            thing="held",
            shown=is_sandbox,
        ),
    )
    seed = traitlets.Int(0, min=0, help="Which samples are drawn.").tag(input=True, sandbox=True)

    extra_controls: ClassVar[Mapping[str, Control]] = {
        "run": Task(
            label="run the experiment",
            hint="Mean errors at five floors, over repetitions, floor by floor",
            group="experiment",
            task="experiment",
            shown=is_sandbox,
        ),
        "draw": Action(
            label="draw anew",
            hint="Other samples of the same kind",
            group="other data",
            act="draw",
            shown=is_sandbox,
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
