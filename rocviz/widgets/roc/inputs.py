"""What one may set in the ROC explorer: every input beside its control, and the presets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from rocviz.core.roc.bands import METHODS as BAND_METHODS
from rocviz.widgets.base.controls import (
    Action,
    Choice,
    Control,
    Linear,
    Log,
    Slider,
    Switch,
    Task,
    Text,
    Values,
    WholeNumbers,
)
from rocviz.widgets.base.inputs import (
    ExplorerInputs,
    MetricName,
    SandboxState,
    miss_cost,
    recall_weight,
)
from rocviz.widgets.roc.data import CALIBRATIONS
from rocviz.widgets.roc.words import SPACE_NAMES
from rocviz.words import percent, score_text, short_names

FEW = 250  # segments that can still be told apart and clicked
SIZES = (20, 40, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000)


def threshold_grid(low: float, high: float) -> Linear:
    """Return a thousand steps from the lowest to the highest threshold."""
    return Linear(low, high, (high - low) / 1000 or 0.001)


METRIC = MetricName(
    {"none": "none"},
    lambda row: row.has_isometrics,
    "none",
    help="Whose isometric runs through the operating point, by any of its names; none is drawn for "
    "``'none'``.",
)


class ROCInputs(ExplorerInputs, total=False):
    """Inputs of the ROC explorer, for type checkers."""

    threshold: float
    random_part: float
    space: str
    model: str
    cost_ratio: float
    deployment_prevalence: float
    metric: str
    beta: float
    show_hull: bool
    hull_over: str
    show_band: bool
    band_method: str
    confidence: float
    calibration: str
    held_out: bool
    reliability_by: str
    joined: tuple[int, ...]
    separation: float
    spread_ratio: float
    prevalence: float
    n_samples: int
    over_confidence: float
    decimals: int
    seed: int


class ROCSettings(SandboxState):
    """The inputs of the ROC explorer, each beside its control."""

    pictures: ClassVar[Mapping[str, str]] = {
        "roc": "ROC curve",
        "scores": "Scores",
        "reliability": "What it says, what happens",
        "brier": "Brier score",
        "space": "Another space",
    }
    groups: ClassVar[tuple[str, ...]] = ("costs", "show", "calibrate", "other data")

    threshold = Slider(
        "threshold",
        lambda state: threshold_grid(*state.bounds),
        score_text,
        role="held",
        set=lambda state, value: state.update(threshold=float(value), random_part=1.0),
    ).as_float(0.5, "Samples that score at least this are called positive.")
    random_part = Slider(
        "part of the tie",
        Linear(0.0, 1.0, 0.01),
        ".0%",
        hint="The share of the samples tied at the threshold that is called positive",
        role="held",
        shown=lambda state: state.holds_a_tie,
    ).as_float(1.0, "Share of the samples tied exactly at the threshold that is called positive.")
    space = Choice(
        "space",
        SPACE_NAMES,
        hint="The same ranking in another space; its points and lines move together",
    ).as_enum(
        "roc",
        "Space in which the curve is drawn; with ``'space'`` among the panels, beside ROC space.",
    )
    model = Choice(
        "model",
        lambda state: short_names(state.data.scores, 17),
        shown=lambda state: len(state.data.scores) > 1,
    ).of(Text(help="Name of the model in front, where there are several."))
    cost_ratio = miss_cost(Log(0.01, 100.0, per_decade=10), group="costs").as_float(
        1.0, "Cost of a miss, in units of a false alarm."
    )
    deployment_prevalence = Slider(
        "prevalence in use",
        Linear(0.001, 0.999, 0.001),
        percent,
        hint="The share of positives where the classifier is to be used",
        group="costs",
        role="reference",
    ).as_float(0.5, "Prevalence where the classifier is to be used.")
    metric = Choice("isometric", METRIC.labels, group="show").of(METRIC)
    beta = recall_weight(group="show", shown=lambda state: state.metric == "f").as_float(
        1.0, "Of the F measure: how many times recall counts as much as precision.", 0.01, 100.0
    )
    show_hull = Switch("convex hull", group="show").as_bool(
        True, "Draw the convex hull of the curve."
    )
    hull_over = Choice(
        "hull over",
        {"all": "all models", "model": "this model"},
        hint="Over all models the hull says which of them to use at which costs",
        group="show",
        shown=lambda state: len(state.data.scores) > 1,
    ).as_enum("all", "Whose hull is drawn, and whose cut is the best one, where there are several.")
    show_band = Switch(
        "confidence band",
        group="show",
        hint="A band that holds the whole true curve, so often as its confidence says",
    ).as_bool(True, "Draw a confidence band of the curve.")
    band_method = Choice(
        "band by", tuple(BAND_METHODS), group="show", enabled=lambda state: state.show_band
    ).as_enum("bootstrap", "How the band is computed.")
    confidence = Slider("confidence", Linear(0.5, 0.99, 0.01), percent, group="show").as_float(
        0.95, "Confidence of the band and of the intervals.", high=0.999
    )
    calibration = Choice("probabilities", tuple(CALIBRATIONS), group="calibrate").as_enum(
        "raw", "How scores become probabilities."
    )
    held_out = Switch(
        "judge on the other half",
        group="calibrate",
        hint="Fit the calibration on one half of the samples and judge it on the other",
    ).as_bool(False, "Fit the calibration on one half and judge it on the other.")
    reliability_by = Choice(
        "a circle for each", {"hull": "hull segment", "score": "score"}, group="calibrate"
    ).as_enum("hull", "What one circle of the reliability diagram stands for.")
    joined = WholeNumbers(
        help="Boundaries (between original segments i - 1 and i) that were joined away."
    ).tag(input=True)
    separation = Slider("separation", Linear(-3.0, 8.0, 0.05), ".2f", sandbox=True).as_float(
        1.5, "Distance of the classes' means, in standard deviations."
    )
    spread_ratio = Slider(
        "spread of positives", Linear(0.2, 5.0, 0.1), ".1f", sandbox=True
    ).as_float(1.0, "Standard deviation of the positives' scores.")
    prevalence = Slider("prevalence", Linear(0.01, 0.99, 0.01), ".0%", sandbox=True).as_float(
        0.4, "Share of positives drawn."
    )
    n_samples = Slider("samples", Values(SIZES), sandbox=True).as_int(
        500, "Number of samples drawn.", high=1_000_000
    )
    over_confidence = Slider(
        "over-confidence", Log(0.2, 20.0), "× {:.3g}".format, sandbox=True
    ).as_float(1.0, "Factor on the log-odds that the scores claim.", low=0.19)
    decimals = Slider("decimals kept", Linear(1, 6, 1), sandbox=True).as_int(
        6, "Decimals that are kept of a score."
    )

    extra_controls: ClassVar[Mapping[str, Control]] = {
        "join_next": Action(
            "join the next segment",
            "join_next",
            hint="Tie the segment held with the next one of the ranking",
            group="calibrate",
            shown=lambda state: 1 < len(state.result.segments) <= FEW,
        ),
        "undo_joins": Action(
            "undo joins", "undo_joins", group="calibrate", shown=lambda state: bool(state.joined)
        ),
        "exact": Task.of_preview(
            "exact", "So many samples take a moment; meanwhile it is a preview from few of them"
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
