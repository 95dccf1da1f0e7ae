"""What one may set in the ROC explorer: every input beside its control, and the presets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import traitlets

from rocviz.core.roc.bands import METHODS as BAND_METHODS
from rocviz.core.roc.isometrics import METRICS
from rocviz.widgets.base.controls import (
    Action,
    Choice,
    Control,
    Linear,
    Log,
    Slider,
    Switch,
    Values,
)
from rocviz.widgets.base.state import ExplorerState
from rocviz.widgets.roc.data import CALIBRATIONS
from rocviz.widgets.roc.words import METRIC_NAMES
from rocviz.words import number, percent, shorten

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FEW", "ROCSettings", "is_sandbox"]

FEW = 250  # segments that can still be told apart and clicked


def is_sandbox(state: Any) -> bool:
    """Whether the data are drawn, so that their generator can be set."""
    return bool(state.preset != state.own)


def threshold_grid(low: float, high: float) -> Linear:
    """Return a thousand steps from the lowest to the highest threshold."""
    return Linear(low, high, (high - low) / 1000 or 0.001)


class ROCSettings(ExplorerState):
    """The inputs of the ROC explorer, each beside its control."""

    pictures: ClassVar[Mapping[str, str]] = {
        "roc": "ROC curve",
        "scores": "Scores",
        "reliability": "What it says, what happens",
        "brier": "Brier score",
    }
    groups: ClassVar[tuple[str, ...]] = ("costs", "show", "calibrate", "other data")

    threshold = traitlets.Float(
        0.5, help="Samples that score at least this are called positive."
    ).tag(
        input=True,
        control=Slider(
            label="threshold",
            grid=lambda state: threshold_grid(*state.bounds),
            text=number,
            thing="held",
            set=lambda state, value: state.update(threshold=float(value), random_part=1.0),
        ),
    )
    random_part = traitlets.Float(
        1.0,
        min=0.0,
        max=1.0,
        help="Share of the samples tied exactly at the threshold that is called positive.",
    ).tag(
        input=True,
        control=Slider(
            label="random part of the tie",
            hint="The share of the samples tied at the threshold that is called positive",
            grid=Linear(0.0, 1.0, 0.01),
            text=".0%",
            thing="held",
            shown=lambda state: state.holds_a_tie,
        ),
    )
    model = traitlets.Unicode(help="Name of the model in front, where there are several.").tag(
        input=True,
        control=Choice(
            label="model",
            options=lambda state: {name: shorten(name, 20) for name in state.data.scores},
            shown=lambda state: len(state.data.scores) > 1,
        ),
    )
    cost_ratio = traitlets.Float(
        1.0, min=0.01, max=100.0, help="Cost of a miss, in units of a false alarm."
    ).tag(
        input=True,
        control=Slider(
            label="a miss, in false alarms",
            hint="What one missed positive costs, when a false alarm costs 1",
            group="costs",
            grid=Log(0.01, 100.0, per_decade=10),
            thing="optimum",
        ),
    )
    deployment_prevalence = traitlets.Float(
        0.5, min=0.001, max=0.999, help="Prevalence where the classifier is to be used."
    ).tag(
        input=True,
        control=Slider(
            label="prevalence in use",
            hint="The share of positives where the classifier is to be used",
            group="costs",
            grid=Linear(0.001, 0.999, 0.001),
            text=percent,
            thing="reference",
        ),
    )
    metric = traitlets.Enum(
        ("none", *METRICS),
        "none",
        help="Whose isometric runs through the operating point; none is drawn for ``'none'``.",
    ).tag(
        input=True,
        control=Choice(label="isometric", group="show", options=METRIC_NAMES),
    )
    show_hull = traitlets.Bool(True, help="Draw the convex hull of the curve.").tag(
        input=True, control=Switch(label="convex hull", group="show")
    )
    show_band = traitlets.Bool(True, help="Draw a confidence band of the curve.").tag(
        input=True,
        control=Switch(
            label="confidence band",
            group="show",
            hint="A band that holds the whole true curve, so often as its confidence says",
        ),
    )
    band_method = traitlets.Enum(
        tuple(BAND_METHODS), "bootstrap", help="How the band is computed."
    ).tag(
        input=True,
        control=Choice(
            label="band by",
            group="show",
            options=tuple(BAND_METHODS),
            enabled=lambda state: state.show_band,
        ),
    )
    confidence = traitlets.Float(
        0.95, min=0.5, max=0.999, help="Confidence of the band and of the intervals."
    ).tag(
        input=True,
        control=Slider(
            label="confidence", group="show", grid=Linear(0.5, 0.99, 0.01), text=percent
        ),
    )
    calibration = traitlets.Enum(
        tuple(CALIBRATIONS), "raw", help="How scores become probabilities."
    ).tag(
        input=True,
        control=Choice(label="probabilities", group="calibrate", options=tuple(CALIBRATIONS)),
    )
    held_out = traitlets.Bool(
        False, help="Fit the calibration on one half and judge it on the other."
    ).tag(
        input=True,
        control=Switch(
            label="judge on the other half",
            group="calibrate",
            hint="Fit the calibration on one half of the samples and judge it on the other",
        ),
    )
    reliability_by = traitlets.Enum(
        ("hull", "score"), "hull", help="What one circle of the reliability diagram stands for."
    ).tag(
        input=True,
        control=Choice(
            label="a circle for each",
            group="calibrate",
            options={"hull": "hull segment", "score": "score"},
        ),
    )
    joined = traitlets.Tuple(
        help="Boundaries (between original segments i - 1 and i) that were joined away."
    ).tag(input=True)
    separation = traitlets.Float(
        1.5, min=-3.0, max=8.0, help="Distance of the classes' means, in standard deviations."
    ).tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="separation",
            group="other data",
            grid=Linear(-3.0, 8.0, 0.05),
            text=".2f",
            shown=is_sandbox,
        ),
    )
    spread_ratio = traitlets.Float(
        1.0, min=0.2, max=5.0, help="Standard deviation of the positives' scores."
    ).tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="spread of positives",
            group="other data",
            grid=Linear(0.2, 5.0, 0.1),
            text=".1f",
            shown=is_sandbox,
        ),
    )
    prevalence = traitlets.Float(0.4, min=0.01, max=0.99, help="Share of positives drawn.").tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="prevalence",
            group="other data",
            grid=Linear(0.01, 0.99, 0.01),
            text=".0%",
            shown=is_sandbox,
        ),
    )
    n_samples = traitlets.Int(500, min=20, max=1_000_000, help="Number of samples drawn.").tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="samples",
            group="other data",
            grid=Values((20, 40, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000)),
            shown=is_sandbox,
        ),
    )
    over_confidence = traitlets.Float(
        1.0, min=0.19, max=20.0, help="Factor on the log-odds that the scores claim."
    ).tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="over-confidence",
            group="other data",
            grid=Log(0.2, 20.0),
            text="× {:.3g}".format,
            shown=is_sandbox,
        ),
    )
    decimals = traitlets.Int(6, min=1, max=6, help="Decimals that are kept of a score.").tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="decimals kept", group="other data", grid=Linear(1, 6, 1), shown=is_sandbox
        ),
    )
    seed = traitlets.Int(0, min=0, help="Which sample of this kind is drawn.").tag(
        input=True, sandbox=True
    )

    extra_controls: ClassVar[Mapping[str, Control]] = {
        "draw_anew": Action(
            label="draw anew", group="other data", act="draw_anew", shown=is_sandbox
        ),
        "join_next": Action(
            label="join the next segment",
            hint="Tie the segment held with the next one of the ranking",
            group="calibrate",
            act="join_next",
            shown=lambda state: 1 < len(state.result.segments) <= FEW,
        ),
        "undo_joins": Action(
            label="undo joins",
            group="calibrate",
            act="undo_joins",
            shown=lambda state: bool(state.joined),
        ),
    }

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "good": {"separation": 2.0},
        "perfect": {"separation": 8.0, "n_samples": 200},
        "random": {"separation": 0.05, "over_confidence": 20.0, "prevalence": 0.5},
        "worse than random": {"separation": -1.0},
        "a concavity": {"separation": 0.8, "spread_ratio": 2.5},
        "many ties": {"separation": 1.5, "decimals": 1, "reliability_by": "score"},
        "over-confident": {"separation": 1.2, "over_confidence": 2.5},
        "under-confident": {"separation": 2.0, "over_confidence": 0.4},
        "imbalanced": {"separation": 1.8, "prevalence": 0.03, "n_samples": 2000},
        "few samples": {"separation": 1.2, "n_samples": 40},
    }
