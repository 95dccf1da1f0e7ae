"""The inputs of the scoring list explorer: what they may be, and how they are controlled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import traitlets

from rocviz.core.base.validation import check_spread
from rocviz.core.roc.binomial_interval import METHODS
from rocviz.core.scoring_lists.stage import STAGE_CALIBRATIONS
from rocviz.widgets.base.controls import Choice, Control, Linear, Log, Slider, Switch
from rocviz.widgets.base.inputs import ExplorerInputs, miss_cost
from rocviz.widgets.base.state import ExplorerState
from rocviz.widgets.scoring_lists.case import CONTROLS
from rocviz.widgets.scoring_lists.data import AS_GIVEN, PRESET_LISTS
from rocviz.widgets.scoring_lists.result import LOSSES
from rocviz.widgets.scoring_lists.words import METHOD_NAMES, QUANTITY_NAMES
from rocviz.words import percent

#: What the curves over the stages may show; the first needs no samples.
QUANTITIES = ("probability", *LOSSES)


def has_bands(state: Any) -> bool:
    """Whether the list's probabilities have intervals."""
    return state.result.bands is not None


def _limit(side: str, word: str, how: str, default: float) -> Any:
    """Make the input of the probability at which one stops on one side, with its control."""
    return Slider(
        f"{side} {word}",
        Linear(0.0, 1.0, 0.01),
        percent,
        hint=f"At this probability {how} one stops and calls the case {side}",
        group="limits, costs",
        role="held",
    ).as_float(default, f"At this probability {how} a case is called {side} and asked no more.")


class ScoringListInputs(ExplorerInputs, total=False):
    """Inputs of the scoring list explorer, for type checkers."""

    stage: int
    answers: Sequence[int | None]
    scores: Sequence[int]
    feature_costs: Sequence[float]
    lower: float
    upper: float
    by_interval: bool
    cost_fn: float
    risk_averse: bool
    confidence: float
    interval_method: str
    simultaneous: bool
    calibration: str
    quantity: str
    editing: bool


class ScoringListControls(ExplorerState):
    """The inputs of the scoring list explorer and their controls."""

    pictures: ClassVar[Mapping[str, str]] = {
        "list": "The list",
        "stage": "One stage",
        "curves": "Question by question",
        "stops": "If one stops when sure",
    }
    groups: ClassVar[tuple[str, ...]] = (
        "limits, costs",
        "calibration",
        "points",
        "show",
        "other data",
    )
    extra_controls: ClassVar[Mapping[str, Control]] = CONTROLS

    kept = ("confidence", "interval_method", "simultaneous", "editing")

    answers = traitlets.Tuple(
        help="The case: 1 (yes), 0 (no) or None (unknown) for each question in list order."
    ).tag(input=True)
    scores = traitlets.Tuple(
        help="Points of each question in list order; empty means those the list came with."
    ).tag(input=True)
    feature_costs = traitlets.Tuple(
        help="What it costs to ask each question, in list order; empty means as the data say."
    ).tag(input=True)
    lower = _limit("negative", "up to", "or less", 0.1)
    upper = _limit("positive", "from", "or more", 0.9)
    by_interval = Switch(
        "stop by the whole interval",
        hint="Stop only where the whole interval is beyond a limit, not only the probability",
        group="limits, costs",
        enabled=has_bands,
    ).as_bool(False, "Whether the whole interval must be beyond a limit, not only the probability.")
    cost_fn = miss_cost(
        Log(0.01, 1000.0, per_decade=10),
        hint="What one missed positive costs, when a false alarm costs 1; it decides where no "
        "limit is reached",
        group="limits, costs",
    ).as_float(1.0, "Cost of a miss, in units of a false alarm.")
    risk_averse = Switch(
        "the upper end decides",
        hint="Risk-averse: where no limit is reached, the upper end of the interval decides",
        group="limits, costs",
        enabled=has_bands,
    ).as_bool(False, "Whether the upper end of the interval decides where no limit is reached.")
    calibration = Choice(
        "probabilities",
        lambda state: state.data.calibrations,
        group="calibration",
        enabled=lambda state: len(state.data.calibrations) > 1,
    ).as_enum(AS_GIVEN, "How totals become probabilities.", (AS_GIVEN, *STAGE_CALIBRATIONS))
    confidence = Slider(
        "confidence",
        Linear(0.5, 0.99, 0.01),
        percent,
        group="calibration",
        role="reference",
        enabled=has_bands,
    ).as_float(0.95, "Confidence of the intervals.", 0.01, 0.999)
    interval_method = Choice(
        "interval", METHOD_NAMES, group="calibration", enabled=has_bands
    ).as_enum("clopper-pearson", "How the interval of a single total is made.", METHODS)
    simultaneous = Switch(
        "for all totals together",
        hint="Bonferroni's correction: the intervals of a stage hold all together",
        group="calibration",
        enabled=has_bands,
    ).as_bool(True, "Whether the intervals of a stage hold all together, or each by itself.")
    stage = Slider(
        "questions asked",
        lambda state: Linear(0, len(state.questions), 1),
        hint="Look at another stage than the case's",
        group="show",
        role="held",
    ).as_int(
        0,
        "The stage looked at, from 0 (before any question); it follows the case, and negative "
        "numbers count from the end.",
    )
    quantity = Choice(
        "curve", QUANTITY_NAMES, group="show", enabled=lambda state: state.data.has_scores
    ).as_enum("probability", "What is drawn question by question.", QUANTITIES)
    editing = traitlets.Bool(False, help="Whether the fold with the points opens in the rail.").tag(
        input=True
    )

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        name: {
            "calibration": AS_GIVEN if recipe is None else "isotonic",
            "quantity": "probability" if recipe is None else "entropy",
            # a cut that lies between the limits, so that they do not contradict each other
            **({"lower": 0.02, "upper": 0.4, "cost_fn": 10.0} if "synthetic" in name else {}),
            **({"lower": 0.05, "upper": 0.95} if name == "breast cancer" else {}),
        }
        for name, recipe in PRESET_LISTS.items()
    }

    @traitlets.validate("answers")
    def _as_answers(self, proposal: Any) -> tuple[int | None, ...]:
        for answer in proposal["value"]:
            if answer is not None and answer not in (0, 1):
                raise traitlets.TraitError(
                    f"answers must be 1 (yes), 0 (no) or None (unknown); got {answer!r}."
                )
        return tuple(None if a is None else int(a) for a in proposal["value"])

    @traitlets.validate("scores")
    def _as_scores(self, proposal: Any) -> tuple[int, ...]:
        for score in proposal["value"]:
            if not _is_number(score) or score != round(score):
                raise traitlets.TraitError(f"scores must be whole numbers; got {score!r}.")
        return tuple(int(score) for score in proposal["value"])

    @traitlets.validate("feature_costs")
    def _as_costs(self, proposal: Any) -> tuple[float, ...]:
        for cost in proposal["value"]:
            if not _is_number(cost) or cost < 0:
                raise traitlets.TraitError(
                    f"feature_costs must be numbers from 0 up; got {cost!r}."
                )
        costs = tuple(float(cost) for cost in proposal["value"])
        try:
            check_spread("feature_costs", costs)
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from error
        return costs


def _is_number(value: Any) -> bool:
    if not isinstance(value, int | float | np.number) or isinstance(value, bool):
        return False
    try:
        return bool(np.isfinite(float(value)))
    except (OverflowError, TypeError):  # beyond floats, or complex
        return False
